/* SPDX-License-Identifier: MIT */
/*
 * A handful of triangles against the boxes of a large tree; part of kernels_template.h, after boxes and facets.
 *
 * What groups_template.h leaves over is compared with each triangle: its box in both frames, and its plane. The margins
 * are those of boxes and slabs without a slab of their own (boxes_template.h): nothing here is rounded more often.
 */
#include "simd/kernels.h"
#include "simd/lanes.h"
#include "simd/many.h"

static void handful_add_kernel(const grz_triangles8 *leaf, const grz_float_map *there, const grz_float_map *back,
                               unsigned lane, grz_handful *handful)
{
    grz_boxes8 boxes;
    grz_mapped8 mapped;
    facet_boxes_kernel(leaf, &boxes);
    map_kernel(&boxes, there, back, &mapped);
    unsigned place = lane * GRZ_LANES;
    for (int k = 0; k < 3; k++)
    {
        lanes_store(&handful->lower[k][place], lanes_load(boxes.lower[k]));
        lanes_store(&handful->upper[k][place], lanes_load(boxes.upper[k]));
        lanes_store(&handful->seen_lower[k][place], lanes_load(mapped.lower[k]));
        lanes_store(&handful->seen_upper[k][place], lanes_load(mapped.upper[k]));
        lanes_store(&handful->direction[k][place], lanes_load(mapped.direction[k]));
    }
    lanes_store(&handful->slab_lower[place], lanes_load(mapped.slab_lower));
    lanes_store(&handful->slab_upper[place], lanes_load(mapped.slab_upper));
}

static inline many_truth within(many_truth given, const float *lower, const float *upper, float from, float to)
{
    given = many_and(given, many_le(many_read(lower), many_fill(to)));
    return many_and(given, many_le(many_fill(from), many_read(upper)));
}

/* The triangles at `place` and after that may meet one box. */
static inline unsigned group_meets(const grz_handful *triangles, unsigned place, const grz_boxes8 *boxes,
                                   const grz_mapped8 *seen, unsigned box)
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

static void handful_kernel(const grz_handful *triangles, const grz_boxes8 *boxes, const grz_mapped8 *seen,
                           uint64_t sets[GRZ_LANES])
{
    const uint64_t whole = (UINT64_C(1) << GRZ_MANY) - 1;
    for (unsigned box = 0; box < GRZ_LANES; box++)
    {
        uint64_t asked = sets[box], met = 0;
        for (unsigned place = 0; asked != 0 && place < GRZ_PAIRS; place += GRZ_MANY)
        {
            if ((asked >> place & whole) != 0)
                met |= (uint64_t)group_meets(triangles, place, boxes, seen, box) << place;
        }
        sets[box] = asked & met;
    }
}
