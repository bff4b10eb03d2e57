/* SPDX-License-Identifier: MIT */
/*
 * The BVH of obstacles; see ring_obstacles.h. A box is skipped when it lies strictly beyond one side of the triangle:
 * when even its corner farthest to the left of that side lies to the right of it. That is exact, and it spares the
 * thinnest triangles tests of nodes they do not contain.
 */
#include "mesh/ring_obstacles.h"

#include <math.h>

#include "mesh/kd_sort.h"

bool grz_obstacles_create(grz_obstacles *obstacles, grz_arena *arena, const grz_ring *ring, uint32_t start,
                          size_t count)
{
    obstacles->ring = ring;
    obstacles->slot_count = (uint32_t)count;
    obstacles->leaf_count = (uint32_t)grz_kd_leaf_count(count);
    obstacles->slots = grz_arena_allocate(arena, ring->node_count, sizeof *obstacles->slots);
    obstacles->nodes = grz_arena_allocate(arena, count, sizeof *obstacles->nodes);
    obstacles->present = grz_arena_allocate(arena, count, sizeof *obstacles->present);
    obstacles->boxes = grz_arena_allocate(arena, 2 * (size_t)obstacles->leaf_count, sizeof *obstacles->boxes);
    grz_kd_point *points = grz_arena_allocate(arena, count, sizeof *points);
    if (obstacles->slots == NULL || obstacles->nodes == NULL || obstacles->present == NULL ||
        obstacles->boxes == NULL || points == NULL)
        return false;
    uint32_t node = start;
    for (size_t p = 0; p < count; p++, node = ring->next[node])
    {
        const double *point = grz_ring_point(ring, node);
        points[p] = (grz_kd_point){{point[0], point[1], 0}, node};
    }
    grz_kd_sort(points, count);
    for (uint32_t slot = 0; slot < count; slot++)
    {
        obstacles->slots[points[slot].number] = slot;
        obstacles->nodes[slot] = points[slot].number;
        obstacles->present[slot] = false;
    }
    grz_obstacles_refit(obstacles);
    return true;
}

static void grow(grz_obstacle_box *box, const double lower[2], const double upper[2])
{
    for (int i = 0; i < 2; i++)
    {
        box->lower[i] = lower[i] < box->lower[i] ? lower[i] : box->lower[i];
        box->upper[i] = upper[i] > box->upper[i] ? upper[i] : box->upper[i];
    }
}

static void refit_box(grz_obstacles *obstacles, uint32_t b)
{
    grz_obstacle_box box = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    if (b < obstacles->leaf_count)
    {
        for (uint32_t child = 2 * b; child <= 2 * b + 1; child++)
            grow(&box, obstacles->boxes[child].lower, obstacles->boxes[child].upper);
    }
    else
    {
        uint32_t first = (b - obstacles->leaf_count) * GRZ_KD_LEAF_SIZE;
        for (uint32_t slot = first; slot < first + GRZ_KD_LEAF_SIZE && slot < obstacles->slot_count; slot++)
            if (obstacles->present[slot])
            {
                const double *point = grz_ring_point(obstacles->ring, obstacles->nodes[slot]);
                grow(&box, point, point);
            }
    }
    obstacles->boxes[b] = box;
}

void grz_obstacles_set_later(grz_obstacles *obstacles, uint32_t node, bool present)
{
    obstacles->present[obstacles->slots[node]] = present;
}

void grz_obstacles_refit(grz_obstacles *obstacles)
{
    for (uint32_t b = 2 * obstacles->leaf_count - 1; b >= 1; b--)
        refit_box(obstacles, b);
}

void grz_obstacles_set(grz_obstacles *obstacles, uint32_t node, bool present)
{
    uint32_t slot = obstacles->slots[node];
    if (obstacles->present[slot] == present)
        return;
    obstacles->present[slot] = present;
    for (uint32_t b = obstacles->leaf_count + slot / GRZ_KD_LEAF_SIZE; b >= 1; b /= 2)
        refit_box(obstacles, b);
}

typedef struct obstacle_search
{
    const grz_obstacles *obstacles;
    const uint32_t *corners;
    grz_obstacle_box bounds;
    grz_obstacle_test *blocks_ear;
    const void *user;
} obstacle_search;

static bool misses_box(const obstacle_search *query, const grz_obstacle_box *box)
{
    for (int i = 0; i < 2; i++)
        if (box->lower[i] > query->bounds.upper[i] || box->upper[i] < query->bounds.lower[i])
            return true;
    for (int i = 0; i < 3; i++)
    {
        const double *p = grz_ring_point(query->obstacles->ring, query->corners[i]);
        const double *q = grz_ring_point(query->obstacles->ring, query->corners[(i + 1) % 3]);
        grz_monitor_exact_tests(query->obstacles->ring->monitor, 1);
        double leftmost[2] = {q[1] > p[1] ? box->lower[0] : box->upper[0], q[0] > p[0] ? box->upper[1] : box->lower[1]};
        if (graze_point_orient2d(p, q, leftmost) < 0)
            return true;
    }
    return false;
}

static bool search_box(const obstacle_search *query, uint32_t b)
{
    const grz_obstacles *obstacles = query->obstacles;
    if (misses_box(query, &obstacles->boxes[b]))
        return false;
    if (b < obstacles->leaf_count)
        return search_box(query, 2 * b) || search_box(query, 2 * b + 1);
    uint32_t first = (b - obstacles->leaf_count) * GRZ_KD_LEAF_SIZE;
    for (uint32_t slot = first; slot < first + GRZ_KD_LEAF_SIZE && slot < obstacles->slot_count; slot++)
        if (obstacles->present[slot] && query->blocks_ear(query->user, obstacles->nodes[slot], query->corners))
            return true;
    return false;
}

bool grz_obstacles_any(const grz_obstacles *obstacles, const uint32_t corners[3], grz_obstacle_test *blocks_ear,
                       const void *user)
{
    obstacle_search query = {obstacles, corners, {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}}, blocks_ear, user};
    for (int i = 0; i < 3; i++)
    {
        const double *point = grz_ring_point(obstacles->ring, corners[i]);
        grow(&query.bounds, point, point);
    }
    return search_box(&query, 1);
}
