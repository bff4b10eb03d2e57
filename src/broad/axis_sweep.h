/* SPDX-License-Identifier: MIT */
/*
 * A sweep along one axis: boxes in the order of their lower ends, each compared with those that begin before it ends.
 * The axis is the one along which the boxes are spread most. Used by itself (sort_and_sweep.c) and where sweep and
 * prune has too much to put in order (sweep_and_prune.c).
 *
 * When only some boxes are asked about (the chosen ones), each of them is compared with all that begin in it, and
 * each other box with the chosen ones that begin in it: every pair with a chosen box is found once, and others cost
 * nothing. O(n) for sorting and O(n + s) for the sweep, where s is the number of pairs with a chosen box that overlap
 * on the axis; 80 bytes a box.
 */
#ifndef GRZ_BROAD_AXIS_SWEEP_H
#define GRZ_BROAD_AXIS_SWEEP_H

#include "broad/method.h"
#include "simd/kernels.h"

/* Boxes in order, axis by axis, the axis of the sweep first. */
typedef struct grz_axis_sweep_boxes
{
    float *ends[6]; /* lower 0, 1, 2, upper 0, 1, 2; in one piece of memory */
    uint32_t *ids;
    size_t count;
} grz_axis_sweep_boxes;

typedef struct grz_axis_sweep
{
    const grz_kernels *kernels;
    int axis;
    size_t capacity;
    grz_axis_sweep_boxes all, chosen;
    uint32_t *chosen_places; /* of the chosen among all */
    uint64_t *words;         /* for sorting: twice `capacity` */
    uint32_t *found;         /* by the kernel */
    uint8_t *is_chosen;      /* by number; all 0 between uses */
} grz_axis_sweep;

/* An integer in the order of floats, but for zeros, of which the negative one comes first. */
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

/* Names all pairs that overlap and have a box among the chosen, which are ascending; those not present are passed
   over. False when out of memory. */
bool grz_axis_sweep_pairs(const graze_context *context, grz_axis_sweep *sweep, const grz_aabb_view *view,
                          const uint32_t *chosen, size_t chosen_count, grz_pair_sink *sink);

/* As of the last sweep; see method.h. */
void grz_axis_sweep_in_box(const grz_axis_sweep *sweep, const grz_aabb_view *view, const grz_fat_aabb *box,
                           grz_id_sink *sink);
void grz_axis_sweep_on_ray(const grz_axis_sweep *sweep, const grz_aabb_view *view, const grz_ray *ray,
                           grz_id_sink *sink);
bool grz_axis_sweep_validate(const grz_axis_sweep *sweep, const grz_aabb_view *view);

void grz_axis_sweep_release(const graze_context *context, grz_axis_sweep *sweep);
size_t grz_axis_sweep_memory(const grz_axis_sweep *sweep);

#endif
