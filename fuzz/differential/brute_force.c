/* SPDX-License-Identifier: MIT */
/*
 * Intersecting triangles; see brute_force.h. The placed corners of both meshes are on one lattice, where triangles with
 * disjoint AABBs are rejected: that avoids most clipping.
 */
#include "brute_force.h"

#include "support/lattice.h"

typedef struct brute_force
{
    const small_mesh *shapes[2];
    const graze_pose *poses[2];
    lattice *grid;
    uint32_t lowest[2][SMALL_TRIANGLES][3], highest[2][SMALL_TRIANGLES][3];
} brute_force;

static brute_force now;

oracle *brute_force_oracle(void)
{
    static oracle *judge;
    if (judge == NULL)
        judge = oracle_create();
    return judge;
}

graze_placed_triangle shape_triangle(const small_mesh *shape, const graze_pose *pose, uint32_t triangle)
{
    graze_placed_triangle placed = {.pose = pose};
    for (int k = 0; k < 3; k++)
        placed.corners[k] = shape->vertices[shape->triangles[triangle][k]];
    return placed;
}

static void measure_boxes(int side)
{
    uint32_t first = side == 0 ? 0 : now.shapes[0]->vertex_count;
    vector3 *points = now.grid->points;
    for (uint32_t i = 0; i < 3 * now.shapes[side]->triangle_count; i++)
    {
        const uint32_t *triangle = now.shapes[side]->triangles[i / 3], axis = i % 3;
        uint32_t low = first + triangle[0], high = low;
        for (int k = 1; k < 3; k++)
        {
            uint32_t v = first + triangle[k];
            low = mpz_cmp(points[v][axis], points[low][axis]) < 0 ? v : low;
            high = mpz_cmp(points[v][axis], points[high][axis]) > 0 ? v : high;
        }
        now.lowest[side][i / 3][axis] = low;
        now.highest[side][i / 3][axis] = high;
    }
}

void brute_force_start(const small_mesh *a, const graze_pose *pose_a, const small_mesh *b, const graze_pose *pose_b)
{
    if (now.grid == NULL)
        now.grid = lattice_create(2 * SMALL_VERTICES);
    now.shapes[0] = a;
    now.shapes[1] = b;
    now.poses[0] = pose_a;
    now.poses[1] = pose_b;
    lattice_begin(now.grid);
    for (int side = 0; side < 2; side++)
        for (uint32_t v = 0; v < now.shapes[side]->vertex_count; v++)
            lattice_add(now.grid, now.shapes[side]->vertices[v], now.poses[side]);
    lattice_align(now.grid);
    measure_boxes(0);
    measure_boxes(1);
}

static bool boxes_apart(uint32_t i, uint32_t j)
{
    vector3 *points = now.grid->points;
    for (int axis = 0; axis < 3; axis++)
        if (mpz_cmp(points[now.highest[0][i][axis]][axis], points[now.lowest[1][j][axis]][axis]) < 0 ||
            mpz_cmp(points[now.highest[1][j][axis]][axis], points[now.lowest[0][i][axis]][axis]) < 0)
            return true;
    return false;
}

graze_triangle_contact brute_force_contact(uint32_t i, uint32_t j)
{
    graze_triangle_contact none = {0};
    if (boxes_apart(i, j))
        return none;
    graze_placed_triangle first = shape_triangle(now.shapes[0], now.poses[0], i);
    graze_placed_triangle second = shape_triangle(now.shapes[1], now.poses[1], j);
    return oracle_triangle_triangle(brute_force_oracle(), &first, &second);
}

bool brute_force_any(const small_mesh *a, const graze_pose *pose_a, const small_mesh *b, const graze_pose *pose_b)
{
    brute_force_start(a, pose_a, b, pose_b);
    for (uint32_t i = 0; i < a->triangle_count; i++)
        for (uint32_t j = 0; j < b->triangle_count; j++)
            if (brute_force_contact(i, j).found)
                return true;
    return false;
}

bool brute_force_contains(const small_mesh *outer, const graze_pose *outer_pose, const small_mesh *inner,
                          const graze_pose *inner_pose)
{
    static test_random draws = {20261116};
    shape_facts facts = shape_examine(outer);
    oracle_mesh mesh = shape_for_oracle(outer, outer_pose);
    for (uint32_t t = 0; t < inner->triangle_count && facts.closed; t++)
    {
        graze_placed_point corner = {inner->vertices[inner->triangles[t][0]], inner_pose};
        if (oracle_placed_point_in_body(brute_force_oracle(), &mesh, facts.oriented, &corner, &draws) ==
            GRAZE_LOCATION_INSIDE)
            return true;
    }
    return false;
}
