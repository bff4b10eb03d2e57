/* SPDX-License-Identifier: MIT */
/* A quick lower bound on the distance of two meshes; see near.h. */
#include "pair/near.h"

typedef struct doubting
{
    grz_gap_frame frame;
    double target;
    bool nearer; /* whether a pair may be */
} doubting;

static bool look_for_nearer(void *user, const grz_gap_pairs *pairs, double *bound)
{
    (void)bound;
    doubting *d = user;
    if (!d->frame.usable)
    {
        d->nearer = true;
        return false;
    }
    grz_gap gaps[GRZ_LANES];
    grz_gap_measure(&d->frame, pairs, gaps);
    for (unsigned i = 0; i < pairs->count; i++)
        d->nearer = d->nearer || !(gaps[i].lower >= d->target);
    return !d->nearer;
}

double grz_near_gap(const graze_context *context, const graze_placed_mesh *a, const graze_placed_mesh *b, double target,
                    uint64_t most_box_tests)
{
    double roots = grz_near_roots(context, a, b);
    if (roots >= target)
        return roots;
    doubting d = {.target = target};
    grz_gap_frame_make(&d.frame, context, a, b);
    grz_near near = {
        .context = context, .bound = target, .propose = look_for_nearer, .user = &d, .most_box_tests = most_box_tests};
    bool asked = grz_near_trees(&near, a, b);
    return asked && !d.nearer && !near.unfinished && !near.out_of_memory ? target : roots;
}
