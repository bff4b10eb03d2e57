/* SPDX-License-Identifier: MIT */
/*
 * A small tree, of few triangles, against the boxes of a large tree; part of kernels_template.h, after
 * box_overlap_template.h and facets_template.h.
 *
 * Boxes are first compared with the bounds of a group of triangles, eight boxes at a time; the few that remain with
 * each triangle of the group: its AABBs in both frames, and its plane. The margins are those of boxes and slabs without
 * a slab of their own (box_overlap_template.h): no value passes more roundings here.
 */
#include "simd/f32xN.h"
#include "simd/kernels.h"
#include "simd/transform_template.h"

/* Stores bounds of eight triangles, lower ones and then upper ones, and adds them to a group's bounds. */
static inline void add_bounds(const float *lower, const float *upper, float *out_lower, float *out_upper, bool first,
                              float group[6])
{
    for (int k = 0; k < 3; k++)
    {
        f32x8 from = f32x8_load(lower + k * GRZ_LANES), to = f32x8_load(upper + k * GRZ_LANES);
        f32x8_store(out_lower + k * GRZ_PAIRS, from);
        f32x8_store(out_upper + k * GRZ_PAIRS, to);
        float lowest = f32x8_reduce_min(from), highest = f32x8_reduce_max(to);
        group[k] = first || lowest < group[k] ? lowest : group[k];
        group[3 + k] = first || highest > group[3 + k] ? highest : group[3 + k];
    }
}

static void small_tree_add_kernel(const grz_triangles8 *leaf, const grz_float_transform *there,
                                  const grz_float_transform *back, unsigned lane, grz_triangle_boxes64 *small_tree)
{
    grz_boxes8 boxes;
    grz_transformed8 transformed;
    facet_boxes_kernel(leaf, &boxes);
    transform_kernel(&boxes, there, back, &transformed);
    unsigned offset = lane * GRZ_LANES, group = offset / GRZ_VECTOR_WIDTH;
    unsigned others = (1u << GRZ_VECTOR_WIDTH / GRZ_LANES) - 1;
    bool first = (small_tree->lanes >> group * (GRZ_VECTOR_WIDTH / GRZ_LANES) & others) == 0;
    small_tree->lanes |= 1u << lane;
    add_bounds(boxes.lower[0], boxes.upper[0], &small_tree->lower[0][offset], &small_tree->upper[0][offset], first,
               small_tree->bounds[group]);
    add_bounds(transformed.lower[0], transformed.upper[0], &small_tree->transformed_lower[0][offset],
               &small_tree->transformed_upper[0][offset], first, small_tree->bounds[group] + 6);
    for (int k = 0; k < 3; k++)
        f32x8_store(&small_tree->direction[k][offset], f32x8_load(transformed.direction[k]));
    f32x8_store(&small_tree->slab_lower[offset], f32x8_load(transformed.slab_lower));
    f32x8_store(&small_tree->slab_upper[offset], f32x8_load(transformed.slab_upper));
}

/* Eight boxes as triangles are compared with them: bounds in the triangles' frame, centre and half size in their
   own. */
typedef struct transformed_boxes8
{
    float lower[3][GRZ_LANES], upper[3][GRZ_LANES], centre[3][GRZ_LANES], half[3][GRZ_LANES];
} transformed_boxes8;

/* Unrolled by hand: compilers turn a loop into a memory copy, which stalls store-to-load forwarding. */
static inline void store3(const f32x8 a[3], float *out)
{
    f32x8_store(out, a[0]);
    f32x8_store(out + GRZ_LANES, a[1]);
    f32x8_store(out + 2 * GRZ_LANES, a[2]);
}

static inline mask32xN within(mask32xN given, const float *lower, const float *upper, float from, float to)
{
    given = mask32xN_and(given, f32xN_le(f32xN_load(lower), f32xN_splat(to)));
    return mask32xN_and(given, f32xN_le(f32xN_splat(from), f32xN_load(upper)));
}

/* The triangles at `offset` and after that may meet one box. */
static inline unsigned group_overlaps(const grz_triangle_boxes64 *triangles, unsigned offset, const grz_boxes8 *boxes,
                                      const transformed_boxes8 *seen, unsigned box)
{
    mask32xN given = f32xN_le(f32xN_splat(0.0f), f32xN_splat(0.0f));
    f32xN centre[3], half[3], w[3], size[3];
    for (int k = 0; k < 3; k++)
    {
        given = within(given, &triangles->transformed_lower[k][offset], &triangles->transformed_upper[k][offset],
                       boxes->lower[k][box], boxes->upper[k][box]);
        given = within(given, &triangles->lower[k][offset], &triangles->upper[k][offset], seen->lower[k][box],
                       seen->upper[k][box]);
        centre[k] = f32xN_splat(seen->centre[k][box]);
        half[k] = f32xN_splat(seen->half[k][box]);
        w[k] = f32xN_load(&triangles->direction[k][offset]);
        size[k] = f32xN_abs(w[k]);
    }
    f32xN middle = f32xN_dot(w, centre), radius = f32xN_dot(size, half);
    given = mask32xN_and(given, f32xN_le(f32xN_sub(middle, radius), f32xN_load(&triangles->slab_upper[offset])));
    given = mask32xN_and(given, f32xN_le(f32xN_load(&triangles->slab_lower[offset]), f32xN_add(middle, radius)));
    return mask32xN_bits(given);
}

static float small_tree_kernel(const grz_triangle_boxes64 *triangles, uint64_t mask, const grz_boxes8 *boxes,
                               const grz_float_transform *there, uint64_t out_triangles[GRZ_LANES])
{
    const uint64_t whole = (UINT64_C(1) << GRZ_VECTOR_WIDTH) - 1;
    transformed_boxes8 seen;
    centred c = centre_boxes(boxes);
    f32x8 own_lower[3], own_upper[3], transformed_lower[3], transformed_upper[3];
    transform_boxes(&c, there, transformed_lower, transformed_upper);
    load3(boxes->lower[0], own_lower);
    load3(boxes->upper[0], own_upper);
    store3(transformed_lower, seen.lower[0]);
    store3(transformed_upper, seen.upper[0]);
    store3(c.centre, seen.centre[0]);
    store3(c.half, seen.half[0]);
    memset(out_triangles, 0, GRZ_LANES * sizeof *out_triangles);
    for (unsigned group = 0; group < GRZ_PAIRS / GRZ_VECTOR_WIDTH; group++)
    {
        uint64_t wanted = mask >> group * GRZ_VECTOR_WIDTH & whole;
        if (wanted == 0)
            continue;
        const float *bounds = triangles->bounds[group];
        mask32x8 near = mask32x8_all();
        for (int k = 0; k < 3; k++)
        {
            near = mask32x8_and_within(near, own_upper[k], bounds[6 + k], own_lower[k], bounds[9 + k]);
            near = mask32x8_and_within(near, transformed_upper[k], bounds[k], transformed_lower[k], bounds[3 + k]);
        }
        for (unsigned left = mask32x8_bits(near); left != 0; left &= left - 1)
        {
            unsigned box = (unsigned)__builtin_ctz(left);
            uint64_t met = wanted & group_overlaps(triangles, group * GRZ_VECTOR_WIDTH, boxes, &seen, box);
            out_triangles[box] |= met << group * GRZ_VECTOR_WIDTH;
        }
    }
    return f32x8_reduce_max(f32x8_max(f32x8_max(c.half[0], c.half[1]), c.half[2]));
}
