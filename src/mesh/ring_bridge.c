/* SPDX-License-Identifier: MIT */
/*
 * Bridges from holes to the ring around them, after Eberly's "Triangulation by ear clipping", made exact.
 *
 * Cast a ray from the hole's last node M along +x, infinitesimally above M. Every edge that such a ray hits first from
 * inside runs upward. The end P of that edge that comes after M is visible unless some node lies in the triangle
 * between the ray, the edge and MP; then the one at the smallest angle from the ray, the nearest of these, is visible.
 * The point where the ray hits the edge is never computed: comparisons of y and orientations describe the triangle.
 * Holes joined later lie before M in the order, so the bridge, which lies after it, cannot cross them.
 */
#include "mesh/ring.h"

/* Whether the edge from `node` runs upward across the ray, to the right of M. */
static bool is_seen_from(const grz_ring *ring, uint32_t node, uint32_t last)
{
    double y = grz_ring_point(ring, last)[1];
    return grz_ring_point(ring, node)[1] <= y && grz_ring_point(ring, ring->next[node])[1] > y &&
           grz_ring_orient(ring, node, ring->next[node], last) >= 0;
}

/* Whether the upward edge from `a` is left of the one from `b`; both pass the same height and do not cross. */
static bool is_left_of(const grz_ring *ring, uint32_t a, uint32_t b)
{
    int start = grz_ring_orient(ring, b, ring->next[b], a);
    int end = grz_ring_orient(ring, b, ring->next[b], ring->next[a]);
    if (start * end >= 0)
        return start + end > 0;
    return grz_ring_orient(ring, a, ring->next[a], b) + grz_ring_orient(ring, a, ring->next[a], ring->next[b]) < 0;
}

/* The edge that the ray hits first, by its start. */
static uint32_t first_edge(const grz_ring *ring, uint32_t outer, uint32_t last)
{
    uint32_t first = GRZ_NO_NODE, node = outer;
    do
    {
        grz_monitor_work(ring->monitor, 1);
        if (is_seen_from(ring, node, last) && (first == GRZ_NO_NODE || is_left_of(ring, node, first)))
            first = node;
        node = ring->next[node];
    } while (node != outer && grz_ring_may_continue(ring));
    return first;
}

/* The visible node, given the first edge. */
static uint32_t visible_node(const grz_ring *ring, uint32_t outer, uint32_t last, uint32_t edge)
{
    uint32_t edge_end = ring->next[edge];
    uint32_t far = grz_ring_compare(ring, edge, edge_end) > 0 ? edge : edge_end;
    int side = far == edge_end ? 1 : -1; /* the triangle lies above or below the ray */
    double y = grz_ring_point(ring, last)[1];
    uint32_t best = far, node = outer;
    do
    {
        grz_monitor_work(ring->monitor, 1);
        bool above = grz_ring_point(ring, node)[1] > y;
        if (above == (side > 0) && grz_ring_compare(ring, node, last) > 0 &&
            grz_ring_orient(ring, edge, edge_end, node) >= 0)
        {
            int angle = side * grz_ring_orient(ring, last, best, node);
            if (angle < 0 || (angle == 0 && grz_ring_compare(ring, node, best) < 0))
                best = node;
        }
        node = ring->next[node];
    } while (node != outer && grz_ring_may_continue(ring));
    return best;
}

/* Whether `target` lies in the interior angle of the ring at a node: 2 inside it, 1 on its border, 0 outside. */
static int lies_in_angle(const grz_ring *ring, uint32_t node, uint32_t target)
{
    int before = grz_ring_orient(ring, ring->previous[node], node, target);
    int after = grz_ring_orient(ring, node, ring->next[node], target);
    int smaller = before < after ? before : after, larger = before < after ? after : before;
    return 1 + (grz_ring_turn(ring, node) > 0 ? smaller : larger);
}

/* Of all nodes at the position of `node`, the one whose interior angle contains the target best. */
static uint32_t best_copy(const grz_ring *ring, uint32_t outer, uint32_t copied, uint32_t target)
{
    uint32_t best = GRZ_NO_NODE, node = outer;
    int best_rank = -1;
    do
    {
        grz_monitor_work(ring->monitor, 1);
        if (grz_ring_compare(ring, node, copied) == 0)
        {
            int rank = lies_in_angle(ring, node, target);
            if (rank > best_rank)
            {
                best = node;
                best_rank = rank;
            }
        }
        node = ring->next[node];
    } while (node != outer && grz_ring_may_continue(ring));
    return best;
}

bool grz_ring_bridge(grz_ring *ring, uint32_t outer, uint32_t last)
{
    uint32_t target = best_copy(ring, outer, last, ring->next[last]);
    if (target == GRZ_NO_NODE)
    {
        uint32_t edge = first_edge(ring, outer, last);
        if (edge != GRZ_NO_NODE)
            target = best_copy(ring, outer, visible_node(ring, outer, last, edge), last);
        else
        {
            target = outer; /* the hole lies outside */
            ring->irregular = true;
        }
    }
    if (!grz_ring_may_continue(ring))
        return false;
    uint32_t first_copy = ring->node_count;
    grz_ring_join(ring, target, last);
    return grz_ring_turn(ring, target) == 0 || grz_ring_turn(ring, last) == 0 || grz_ring_turn(ring, first_copy) == 0 ||
           grz_ring_turn(ring, first_copy + 1) == 0;
}
