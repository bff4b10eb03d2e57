/* SPDX-License-Identifier: MIT */
/* Rings: linking, cutting, cleaning and the turning number; see ring.h. */
#include "mesh/ring.h"

uint32_t grz_ring_add(grz_ring *ring, uint32_t vertex, const double point[2])
{
    uint32_t node = ring->node_count++;
    ring->vertices[node] = vertex;
    ring->points[2 * (size_t)node] = point[0];
    ring->points[2 * (size_t)node + 1] = point[1];
    return node;
}

static void link_nodes(grz_ring *ring, uint32_t before, uint32_t after)
{
    ring->next[before] = after;
    ring->previous[after] = before;
}

void grz_ring_join(grz_ring *ring, uint32_t target, uint32_t hole)
{
    uint32_t hole_copy = grz_ring_add(ring, ring->vertices[hole], grz_ring_point(ring, hole));
    uint32_t target_copy = grz_ring_add(ring, ring->vertices[target], grz_ring_point(ring, target));
    link_nodes(ring, target_copy, ring->next[target]);
    link_nodes(ring, ring->previous[hole], hole_copy);
    link_nodes(ring, target, hole);
    link_nodes(ring, hole_copy, target_copy);
}

void grz_ring_clip(grz_ring *ring, uint32_t node)
{
    uint32_t before = ring->previous[node], after = ring->next[node];
    uint32_t *triangle = ring->triangles + 3 * ring->triangle_count++;
    triangle[0] = ring->vertices[before];
    triangle[1] = ring->vertices[node];
    triangle[2] = ring->vertices[after];
    link_nodes(ring, before, after);
}

uint32_t grz_ring_clean(grz_ring *ring, uint32_t start, size_t *count)
{
    /* A cut changes only the two neighbours: one is tested again, the other comes next. So each node is visited only a
       few times, and a full round without a cut ends the loop. */
    uint32_t node = start;
    for (size_t seen = 0; *count > 2 && seen < *count && grz_ring_may_continue(ring); seen++)
    {
        if (grz_ring_turn(ring, node) == 0 && !grz_ring_is_flat(ring, node))
        {
            uint32_t before = ring->previous[node];
            grz_ring_clip(ring, node);
            (*count)--;
            node = before;
            seen = 0;
        }
        else
            node = ring->next[node];
    }
    return node;
}

int grz_ring_turning_number(const grz_ring *ring, uint32_t start)
{
    /* The direction of travel passes the upward vertical, to the left, at a node that comes after both neighbours and
       turns left; to the right, at one that comes before both and turns right. The difference counts full turns. */
    int turns = 0;
    uint32_t node = start;
    do
    {
        int before = grz_ring_compare(ring, node, ring->previous[node]);
        int after = grz_ring_compare(ring, node, ring->next[node]);
        if (before == after && grz_ring_turn(ring, node) == before)
            turns += before;
        node = ring->next[node];
    } while (node != start);
    return turns;
}

uint32_t grz_ring_last_node(const grz_ring *ring, uint32_t start)
{
    uint32_t last = start;
    for (uint32_t node = ring->next[start]; node != start; node = ring->next[node])
        if (grz_ring_compare(ring, node, last) > 0)
            last = node;
    return last;
}

void grz_ring_reverse(grz_ring *ring, uint32_t start)
{
    uint32_t node = start;
    do
    {
        uint32_t after = ring->next[node];
        ring->next[node] = ring->previous[node];
        ring->previous[node] = after;
        node = after;
    } while (node != start);
}
