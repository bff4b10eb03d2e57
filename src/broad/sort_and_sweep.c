/* SPDX-License-Identifier: MIT */
/*
 * Sort and sweep: boxes sorted along one axis, again at each update (Baraff 1992; Zachmann's thesis, section 5.7). No
 * state but the sorted order is kept, so there is no cost for boxes that jump. Implemented in axis_sweep.h.
 *
 * An update costs O(n + s), where s counts the pairs with a changed box that overlap on the axis: for n boxes spread
 * evenly over a cube, O(n^(2/3)) per changed box, eight of which are compared at once. A box query tests all boxes that
 * begin before it ends. Memory O(n).
 */
#include "broad/axis_sweep.h"

typedef struct sort_and_sweep_state
{
    graze_context context;
    grz_axis_sweep sweep;
} sort_and_sweep_state;

static void release(const graze_context *context, void *state)
{
    sort_and_sweep_state *s = state;
    grz_axis_sweep_release(context, &s->sweep);
}

static bool update(void *state, const grz_aabb_view *view, const uint32_t *changed, size_t changed_count,
                   grz_pair_sink *sink)
{
    sort_and_sweep_state *s = state;
    return grz_axis_sweep_pairs(&s->context, &s->sweep, view, changed, changed_count, sink);
}

static void in_box(const void *state, const grz_aabb_view *view, const grz_fat_aabb *box, grz_id_sink *sink)
{
    const sort_and_sweep_state *s = state;
    grz_axis_sweep_in_box(&s->sweep, view, box, sink);
}

static void on_ray(const void *state, const grz_aabb_view *view, const grz_ray *ray, grz_id_sink *sink)
{
    const sort_and_sweep_state *s = state;
    grz_axis_sweep_on_ray(&s->sweep, view, ray, sink);
}

static size_t memory(const void *state)
{
    const sort_and_sweep_state *s = state;
    return grz_axis_sweep_memory(&s->sweep);
}

static bool validate(const void *state, const grz_aabb_view *view)
{
    const sort_and_sweep_state *s = state;
    return grz_axis_sweep_validate(&s->sweep, view);
}

const grz_broad_method grz_sort_and_sweep_method = {.state_size = sizeof(sort_and_sweep_state),
                                                    .release = release,
                                                    .update = update,
                                                    .in_box = in_box,
                                                    .on_ray = on_ray,
                                                    .memory = memory,
                                                    .validate = validate};
