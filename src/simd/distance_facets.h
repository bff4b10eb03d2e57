/* SPDX-License-Identifier: MIT */
/* Data of a leaf's triangles for lower bounds on their distances; part of distance_template.h. */
#include "simd/distance.h"
#include "simd/leaf_corners_template.h"

static inline f32x8 max_abs3(const f32x8 a[3])
{
    return f32x8_max(f32x8_max(f32x8_abs(a[0]), f32x8_abs(a[1])), f32x8_abs(a[2]));
}

static void facets_kernel(const grz_triangles8 *leaf, const float (*matrix)[3], grz_facets8 *out)
{
    f32x8 corners[3][3], e[3], g[3], h[3], normal[3], extent = f32x8_splat(0.0f);
    load_corners(leaf, matrix, corners);
    for (int k = 0; k < 3; k++)
    {
        f32x8 lower = f32x8_min(f32x8_min(corners[0][k], corners[1][k]), corners[2][k]);
        f32x8 upper = f32x8_max(f32x8_max(corners[0][k], corners[1][k]), corners[2][k]);
        extent = f32x8_max(extent, f32x8_max(f32x8_abs(lower), f32x8_abs(upper)));
        f32x8_store(out->lower[k], lower);
        f32x8_store(out->upper[k], upper);
        out->lowest[k] = f32x8_reduce_min(lower);
        out->highest[k] = f32x8_reduce_max(upper);
        for (int c = 0; c < 3; c++)
            f32x8_store(out->corners[c][k], corners[c][k]);
    }
    subtract3(corners[1], corners[0], e);
    subtract3(corners[2], corners[0], g);
    subtract3(corners[2], corners[1], h);
    f32x8_cross(e, g, normal);
    for (int k = 0; k < 3; k++)
        f32x8_store(out->normal[k], normal[k]);
    f32x8 sum = f32x8_add(f32x8_add(f32x8_abs(normal[0]), f32x8_abs(normal[1])), f32x8_abs(normal[2]));
    f32x8_store(out->level, f32x8_dot(normal, corners[0]));
    f32x8_store(out->normal_sum, sum);
    f32x8_store(out->size, f32x8_max(f32x8_max(max_abs3(e), max_abs3(g)), max_abs3(h)));
    f32x8_store(out->extent, extent);
}
