/* SPDX-License-Identifier: MIT */
/*
 * A sweep along one axis: boxes in the order of their lower ends, each compared with the boxes that begin before it
 * ends. The axis is the one with the largest variance. Used by itself (sort_and_sweep.c), and by sweep and prune where
 * incremental sorting would cost too much (sweep_and_prune.c).
 *
 * With a subset of chosen boxes, each chosen box is compared with all boxes that begin inside it, and each other box
 * with the chosen ones that begin inside it: every pair with a chosen box is found once, and pairs without one cost
 * nothing. O(n) for sorting and O(n + s) for the sweep, where s is the number of pairs with a chosen box that overlap
 * on the axis; 80 bytes per box.
 */
#ifndef GRZ_BROAD_AXIS_SWEEP_H
#define GRZ_BROAD_AXIS_SWEEP_H

#include "broad/method.h"
#include "simd/kernels.h"

/* Sorted boxes as structure of arrays, the axis of the sweep first. */
typedef struct grz_axis_sweep_boxes
{
    float *ends[6]; /* lower 0, 1, 2, upper 0, 1, 2; one allocation */
    uint32_t *ids;
    size_t count;
} grz_axis_sweep_boxes;

typedef struct grz_axis_sweep
{
    const grz_kernels *kernels;
    int axis;
    size_t capacity;
    grz_axis_sweep_boxes all, chosen;
    uint32_t *chosen_places; /* positions of the chosen boxes in `all` */
    uint64_t *words;         /* for sorting: twice `capacity` */
    uint32_t *found;         /* output of the kernel */
    uint8_t *is_chosen;      /* by id; all 0 between calls */
} grz_axis_sweep;

/* An integer with the order of the floats, except that -0 comes before +0. */
static inline uint32_t grz_sortable_bits(float x)
{
    /* shortcut: sorted-ends */
    union
    {
        float number;
        uint32_t bits;
    } both = {.number = x};
    return both.bits ^ ((both.bits >> 31) != 0 ? UINT32_MAX : UINT32_C(0x80000000));
}

/* Reports all overlapping pairs with a box among the chosen, which are ascending; boxes that are not present are
   skipped. False when out of memory. */
bool grz_axis_sweep_pairs(const graze_context *context, grz_axis_sweep *sweep, const grz_aabb_view *view,
                          const uint32_t *chosen, size_t chosen_count, grz_pair_sink *sink);

/* Queries as of the last sweep; see method.h. */
void grz_axis_sweep_in_box(const grz_axis_sweep *sweep, const grz_aabb_view *view, const grz_fat_aabb *box,
                           grz_id_sink *sink);
void grz_axis_sweep_on_ray(const grz_axis_sweep *sweep, const grz_aabb_view *view, const grz_ray *ray,
                           grz_id_sink *sink);
bool grz_axis_sweep_validate(const grz_axis_sweep *sweep, const grz_aabb_view *view);

void grz_axis_sweep_release(const graze_context *context, grz_axis_sweep *sweep);
size_t grz_axis_sweep_memory(const grz_axis_sweep *sweep);

#endif
