/* SPDX-License-Identifier: MIT */
/*
 * An initial upper bound for a search, at low cost: a beam search follows the node pairs whose centres are nearest down
 * to two leaves, in a frame along the line between the meshes; see proximity_work.h. The bound need not be tight, and
 * decides nothing.
 */
#include "pair/distance/proximity_work.h"

enum
{
    BEAM_WIDTH = 8
};

/* The pairs whose centres are nearest, sorted. */
typedef struct beam
{
    unsigned count;
    grz_proximity_pair pairs[BEAM_WIDTH];
} beam;

static void beam_insert(beam *b, grz_proximity_pair pair)
{
    if (b->count == BEAM_WIDTH)
    {
        if (!(pair.square < b->pairs[BEAM_WIDTH - 1].square))
            return;
        b->count--;
    }
    grz_proximity_insert(b->pairs, b->count++, pair);
}

/* Inserts the children of a pair into the beam, by the distances of their centres. */
static void beam_expand(grz_proximity_work *w, uint32_t a, unsigned rows, uint32_t b, unsigned lane_mask, beam *out)
{
    grz_bounds8x8 guesses;
    w->distances->centres(&grz_aligned_node_of(&w->aligned, &w->aligned.a, a)->boxes, rows,
                          &grz_aligned_node_of(&w->aligned, &w->aligned.b, b)->boxes, &guesses);
    for (; rows != 0; rows &= rows - 1)
    {
        unsigned row = grz_lowest_lane(rows);
        for (unsigned mask = guesses.masks[row] & lane_mask; mask != 0; mask &= mask - 1)
        {
            unsigned lane = grz_lowest_lane(mask);
            grz_proximity_pair pair = {guesses.square[row][lane], a * GRZ_TREE_WIDTH + row, b * GRZ_TREE_WIDTH + lane};
            beam_insert(out, pair);
        }
    }
}

/*
 * Descends to two leaves that are probably near, in the current frame, and measures their triangles. Only the few pairs
 * whose centres are nearest are opened: lower bounds of large boxes are too loose to guide the descent. Returns false
 * when the caller asked to stop.
 */
static bool beam_search(grz_proximity_work *w)
{
    beam now = {.count = 0}, next;
    beam_expand(w, 0, 0xff, 0, 0xff, &now);
    for (bool opened = true; opened && now.count > 0 && grz_monitor_may_continue(w->proximity->monitor);
         now = opened ? next : now)
    {
        opened = false;
        next.count = 0;
        for (unsigned i = 0; i < now.count; i++)
        {
            grz_proximity_pair pair = now.pairs[i];
            grz_descent open = grz_choose_descent(w, pair.a, pair.b);
            if (!open.a && !open.b)
            {
                beam_insert(&next, pair);
                continue;
            }
            opened = true;
            beam_expand(w, open.a ? grz_child_at(w->frame.a, pair.a) : pair.a / GRZ_TREE_WIDTH,
                        open.a ? 0xff : 1u << pair.a % GRZ_TREE_WIDTH,
                        open.b ? grz_child_at(w->frame.b, pair.b) : pair.b / GRZ_TREE_WIDTH,
                        open.b ? 0xff : 1u << pair.b % GRZ_TREE_WIDTH, &next);
        }
    }
    if (now.count == 0)
        return true;
    w->first_a = now.pairs[0].a;
    w->first_b = now.pairs[0].b;
    return grz_proximity_test_leaves(w, w->first_a, w->first_b) && grz_proximity_flush(w);
}

/* The centre of a tree, approximately, in the world less A's translation. */
static void tree_centre(const graze_tree *tree, const graze_pose *pose, const graze_pose *pose_a, double out[3])
{
    double middle[3];
    for (int k = 0; k < 3; k++)
        middle[k] = tree->origin[k] + 0.5 * tree->scale * ((double)tree->lower[k] + (double)tree->upper[k]);
    graze_pose shifted = *pose;
    for (int k = 3; k < 12; k += 4)
        shifted.m[k] -= pose_a->m[k];
    for (int k = 0; k < 3; k++)
    {
        const double *row = shifted.m + 4 * k;
        out[k] = row[0] * middle[0] + row[1] * middle[1] + row[2] * middle[2] + row[3];
    }
}

bool grz_proximity_initial_bound(grz_proximity_work *w)
{
    grz_distance_bound line = {.witnessed = true};
    tree_centre(w->frame.a, w->pose_a, w->pose_a, line.point_a);
    tree_centre(w->frame.b, w->pose_b, w->pose_a, line.point_b);
    w->is_aligned = grz_aligned_frame_make(&w->aligned, &w->frame, w->pose_a, w->pose_b, &line);
    return !w->is_aligned || beam_search(w);
}
