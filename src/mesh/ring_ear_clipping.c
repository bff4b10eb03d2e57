/* SPDX-License-Identifier: MIT */
/*
 * Ear clipping (Meisters 1975), exact, also for rings that touch themselves, as bridged ones do.
 *
 * An ear is a node with a left turn whose triangle has no part of the ring in its interior. A ring with distinct nodes
 * always has one whose closed triangle contains no other node, and these are clipped first (strict). A ring that
 * touches itself is the limit of such rings; it always has a repetition or a spike, or an ear (relaxed), or a flat
 * node, which are clipped in that order. A ring without any of these crosses itself: then left turns are clipped
 * unchecked, and the ring is irregular.
 *
 * Only nodes that do not turn left can block an ear; a BVH finds those near a triangle. Ears are clipped in rounds,
 * first in first out, which keeps them small while there are many.
 */
#include "mesh/ring_obstacles.h"

typedef enum node_kind
{
    DEAD,
    FREE, /* repeats a neighbour or turns straight back */
    CONVEX,
    BLOCKED, /* turns left, but another node blocks the ear */
    FLAT,
    REFLEX
} node_kind;

/* Nodes that wait for clipping; a node is in it at most once. */
typedef struct node_queue
{
    uint32_t *nodes;
    bool *listed;
    uint32_t first, count;
} node_queue;

typedef struct clipper
{
    grz_ring *ring;
    unsigned char *kinds;
    node_queue free, convex, flat, blocked;
    grz_obstacles obstacles;
    bool strict;
} clipper;

static bool queue_create(node_queue *line, grz_arena *arena, uint32_t capacity)
{
    line->nodes = grz_arena_allocate(arena, capacity, sizeof *line->nodes);
    line->listed = grz_arena_allocate(arena, capacity, sizeof *line->listed);
    line->first = line->count = 0;
    if (line->nodes == NULL || line->listed == NULL)
        return false;
    for (uint32_t i = 0; i < capacity; i++)
        line->listed[i] = false;
    return true;
}

static void queue_put(node_queue *line, uint32_t node, uint32_t capacity)
{
    if (line->listed[node])
        return;
    line->listed[node] = true;
    line->nodes[(uint32_t)(((uint64_t)line->first + line->count++) % capacity)] = node;
}

static uint32_t queue_take(node_queue *line, uint32_t capacity)
{
    uint32_t node = line->nodes[line->first];
    line->first = line->first + 1 == capacity ? 0 : line->first + 1;
    line->count--;
    line->listed[node] = false;
    return node;
}

/*
 * Whether a node that does not turn left blocks the ear a, b, c. In the interior it always does. On the border it does
 * if an edge leads from it into the interior, that is, to the left of every side it lies on. In strict mode, every
 * position on the border but the corners blocks.
 */
static bool blocks_ear(const void *user, uint32_t node, const uint32_t corners[3])
{
    if (node == corners[0] || node == corners[1] || node == corners[2])
        return false;
    const clipper *clip = user;
    const grz_ring *ring = clip->ring;
    bool on_side[3], at_corner = false;
    for (int i = 0; i < 3; i++)
    {
        int side = grz_ring_orient(ring, corners[i], corners[(i + 1) % 3], node);
        if (side < 0)
            return false;
        on_side[i] = side == 0;
        at_corner = at_corner || grz_ring_compare(ring, node, corners[i]) == 0;
    }
    if (clip->strict && !at_corner)
        return true;
    const uint32_t neighbours[2] = {ring->previous[node], ring->next[node]};
    for (int n = 0; n < 2; n++)
    {
        bool enters = true;
        for (int i = 0; i < 3 && enters; i++)
            enters = !on_side[i] || grz_ring_orient(ring, corners[i], corners[(i + 1) % 3], neighbours[n]) > 0;
        if (enters)
            return true;
    }
    return false;
}

static bool is_ear(const clipper *clip, uint32_t node)
{
    const grz_ring *ring = clip->ring;
    const uint32_t corners[3] = {ring->previous[node], node, ring->next[node]};
    return !grz_obstacles_any(&clip->obstacles, corners, blocks_ear, clip);
}

/* Classifies a node again; true if it may block others. */
static bool classify(clipper *clip, uint32_t node)
{
    grz_ring *ring = clip->ring;
    int turn = grz_ring_turn(ring, node);
    node_kind kind = turn > 0 ? CONVEX : turn < 0 ? REFLEX : grz_ring_is_flat(ring, node) ? FLAT : FREE;
    clip->kinds[node] = (unsigned char)kind;
    if (kind != REFLEX)
        queue_put(kind == CONVEX ? &clip->convex : kind == FLAT ? &clip->flat : &clip->free, node, ring->node_count);
    return kind != CONVEX;
}

/* Takes the first node of a queue that is still of that kind, or GRZ_NO_NODE. */
static uint32_t take(clipper *clip, node_queue *line, node_kind kind)
{
    while (line->count > 0)
    {
        uint32_t node = queue_take(line, clip->ring->node_count);
        if (clip->kinds[node] == kind)
            return node;
    }
    return GRZ_NO_NODE;
}

static uint32_t next_to_cut(clipper *clip)
{
    uint32_t node = take(clip, &clip->free, FREE);
    if (node != GRZ_NO_NODE)
        return node;
    for (;;)
    {
        while ((node = take(clip, &clip->convex, CONVEX)) != GRZ_NO_NODE)
        {
            if (!grz_ring_may_continue(clip->ring))
                return GRZ_NO_NODE;
            if (is_ear(clip, node))
                return node;
            clip->kinds[node] = BLOCKED;
            queue_put(&clip->blocked, node, clip->ring->node_count);
        }
        if (!clip->strict)
            break;
        clip->strict = false;
        while ((node = take(clip, &clip->blocked, BLOCKED)) != GRZ_NO_NODE)
            classify(clip, node);
    }
    node = take(clip, &clip->flat, FLAT);
    if (node == GRZ_NO_NODE)
    {
        clip->ring->irregular = true;
        node = take(clip, &clip->blocked, BLOCKED);
    }
    return node;
}

bool grz_ring_clip_ears(grz_ring *ring, grz_arena *arena, uint32_t start, size_t count)
{
    clipper clip = {.ring = ring, .strict = true};
    uint32_t capacity = ring->node_count;
    clip.kinds = grz_arena_allocate(arena, capacity, sizeof *clip.kinds);
    if (clip.kinds == NULL || !queue_create(&clip.free, arena, capacity) ||
        !queue_create(&clip.convex, arena, capacity) || !queue_create(&clip.flat, arena, capacity) ||
        !queue_create(&clip.blocked, arena, capacity) ||
        !grz_obstacles_create(&clip.obstacles, arena, ring, start, count))
        return false;
    uint32_t node = start;
    do
    {
        grz_obstacles_set_later(&clip.obstacles, node, classify(&clip, node));
        node = ring->next[node];
    } while (node != start);
    grz_obstacles_refit(&clip.obstacles);

    for (uint32_t alive = start; count > 3; count--)
    {
        node = next_to_cut(&clip);
        if (!grz_ring_may_continue(ring))
            return false;
        if (node == GRZ_NO_NODE)
            node = alive; /* right turns only */
        uint32_t before = ring->previous[node], after = ring->next[node];
        grz_ring_clip(ring, node);
        clip.kinds[node] = DEAD;
        grz_obstacles_set(&clip.obstacles, node, false);
        grz_obstacles_set(&clip.obstacles, before, classify(&clip, before));
        grz_obstacles_set(&clip.obstacles, after, classify(&clip, after));
        start = alive = after;
    }
    ring->irregular = ring->irregular || grz_ring_turn(ring, start) < 0;
    grz_ring_clip(ring, start);
    return true;
}
