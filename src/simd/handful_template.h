/* SPDX-License-Identifier: MIT */
/*
 * A handful of triangles against the boxes of a large tree; part of kernels_template.h, after boxes and facets.
 *
 * Boxes are compared with what is around a group of triangles first, eight boxes at a time, and the few that are left
 * with each triangle of the group: its box in both frames, and its plane. The margins are those of boxes and slabs
 * without a slab of their own (boxes_template.h): nothing here is rounded more often.
 */
#include "simd/kernels.h"
#include "simd/many.h"
#include "simd/map_template.h"

/* Bounds of eight triangles as they are kept, lower ones and then upper ones, and what they add to a group's bounds. */
static inline void add_bounds(const float *lower, const float *upper, float *out_lower, float *out_upper, bool first,
                              float group[6])
{
    for (int k = 0; k < 3; k++)
    {
        lanes from = lanes_load(lower + k * GRZ_LANES), to = lanes_load(upper + k * GRZ_LANES);
        lanes_store(out_lower + k * GRZ_PAIRS, from);
        lanes_store(out_upper + k * GRZ_PAIRS, to);
        float lowest = lanes_lowest(from), highest = lanes_highest(to);
        group[k] = first || lowest < group[k] ? lowest : group[k];
        group[3 + k] = first || highest > group[3 + k] ? highest : group[3 + k];
    }
}

static void handful_add_kernel(const grz_triangles8 *leaf, const grz_float_map *there, const grz_float_map *back,
                               unsigned lane, grz_handful *handful)
{
    grz_boxes8 boxes;
    grz_mapped8 mapped;
    facet_boxes_kernel(leaf, &boxes);
    map_kernel(&boxes, there, back, &mapped);
    unsigned place = lane * GRZ_LANES, group = place / GRZ_MANY;
    unsigned others = (1u << GRZ_MANY / GRZ_LANES) - 1;
    bool first = (handful->lanes >> group * (GRZ_MANY / GRZ_LANES) & others) == 0;
    handful->lanes |= 1u << lane;
    add_bounds(boxes.lower[0], boxes.upper[0], &handful->lower[0][place], &handful->upper[0][place], first,
               handful->bounds[group]);
    add_bounds(mapped.lower[0], mapped.upper[0], &handful->seen_lower[0][place], &handful->seen_upper[0][place], first,
               handful->bounds[group] + 6);
    for (int k = 0; k < 3; k++)
        lanes_store(&handful->direction[k][place], lanes_load(mapped.direction[k]));
    lanes_store(&handful->slab_lower[place], lanes_load(mapped.slab_lower));
    lanes_store(&handful->slab_upper[place], lanes_load(mapped.slab_upper));
}

/* A box of eight, as triangles are compared with it: bounds in the triangles' frame, centre and half size in its own.
 */
typedef struct seen8
{
    float lower[3][GRZ_LANES], upper[3][GRZ_LANES], centre[3][GRZ_LANES], half[3][GRZ_LANES];
} seen8;

/* Written out: compilers make a copy of memory of a loop, which stalls. */
static inline void store3(const lanes a[3], float *out)
{
    lanes_store(out, a[0]);
    lanes_store(out + GRZ_LANES, a[1]);
    lanes_store(out + 2 * GRZ_LANES, a[2]);
}

static inline many_truth within(many_truth given, const float *lower, const float *upper, float from, float to)
{
    given = many_and(given, many_le(many_read(lower), many_fill(to)));
    return many_and(given, many_le(many_fill(from), many_read(upper)));
}

/* The triangles at `place` and after that may meet one box. */
static inline unsigned group_meets(const grz_handful *triangles, unsigned place, const grz_boxes8 *boxes,
                                   const seen8 *seen, unsigned box)
{
    many_truth given = many_le(many_fill(0.0f), many_fill(0.0f));
    many centre[3], half[3], w[3], size[3];
    for (int k = 0; k < 3; k++)
    {
        given = within(given, &triangles->seen_lower[k][place], &triangles->seen_upper[k][place], boxes->lower[k][box],
                       boxes->upper[k][box]);
        given = within(given, &triangles->lower[k][place], &triangles->upper[k][place], seen->lower[k][box],
                       seen->upper[k][box]);
        centre[k] = many_fill(seen->centre[k][box]);
        half[k] = many_fill(seen->half[k][box]);
        w[k] = many_read(&triangles->direction[k][place]);
        size[k] = many_abs(w[k]);
    }
    many middle = many_dot(w, centre), reach = many_dot(size, half);
    given = many_and(given, many_le(many_sub(middle, reach), many_read(&triangles->slab_upper[place])));
    given = many_and(given, many_le(many_read(&triangles->slab_lower[place]), many_add(middle, reach)));
    return many_bits(given);
}

static float handful_kernel(const grz_handful *triangles, uint64_t mask, const grz_boxes8 *boxes,
                            const grz_float_map *there, uint64_t out_triangles[GRZ_LANES])
{
    const uint64_t whole = (UINT64_C(1) << GRZ_MANY) - 1;
    seen8 seen;
    centred c = centre_boxes(boxes);
    lanes own_lower[3], own_upper[3], seen_lower[3], seen_upper[3];
    map_boxes(&c, there, seen_lower, seen_upper);
    load3(boxes->lower[0], own_lower);
    load3(boxes->upper[0], own_upper);
    store3(seen_lower, seen.lower[0]);
    store3(seen_upper, seen.upper[0]);
    store3(c.centre, seen.centre[0]);
    store3(c.half, seen.half[0]);
    memset(out_triangles, 0, GRZ_LANES * sizeof *out_triangles);
    for (unsigned group = 0; group < GRZ_PAIRS / GRZ_MANY; group++)
    {
        uint64_t asked = mask >> group * GRZ_MANY & whole;
        if (asked == 0)
            continue;
        const float *bounds = triangles->bounds[group];
        truth near = truth_all();
        for (int k = 0; k < 3; k++)
        {
            near = truth_and_within(near, own_upper[k], bounds[6 + k], own_lower[k], bounds[9 + k]);
            near = truth_and_within(near, seen_upper[k], bounds[k], seen_lower[k], bounds[3 + k]);
        }
        for (unsigned left = truth_bits(near); left != 0; left &= left - 1)
        {
            unsigned box = (unsigned)__builtin_ctz(left);
            uint64_t met = asked & group_meets(triangles, group * GRZ_MANY, boxes, &seen, box);
            out_triangles[box] |= met << group * GRZ_MANY;
        }
    }
    return lanes_highest(lanes_max(lanes_max(c.half[0], c.half[1]), c.half[2]));
}
