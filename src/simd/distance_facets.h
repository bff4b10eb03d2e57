/* SPDX-License-Identifier: MIT */
/* A leaf's triangles, as the kernels that bound their distances want them; a part of distance_template.h. */
#include "simd/corners_template.h"
#include "simd/distance.h"

static inline lanes max_abs3(const lanes a[3])
{
    return lanes_max(lanes_max(lanes_abs(a[0]), lanes_abs(a[1])), lanes_abs(a[2]));
}

static void facets_kernel(const grz_triangles8 *leaf, const float (*matrix)[3], grz_facets8 *out)
{
    lanes corners[3][3], e[3], g[3], h[3], normal[3], reach = lanes_fill(0.0f);
    load_corners(leaf, matrix, corners);
    for (int k = 0; k < 3; k++)
    {
        lanes lower = lanes_min(lanes_min(corners[0][k], corners[1][k]), corners[2][k]);
        lanes upper = lanes_max(lanes_max(corners[0][k], corners[1][k]), corners[2][k]);
        reach = lanes_max(reach, lanes_max(lanes_abs(lower), lanes_abs(upper)));
        lanes_store(out->lower[k], lower);
        lanes_store(out->upper[k], upper);
        out->lowest[k] = lanes_lowest(lower);
        out->highest[k] = lanes_highest(upper);
        for (int c = 0; c < 3; c++)
            lanes_store(out->corners[c][k], corners[c][k]);
    }
    subtract3(corners[1], corners[0], e);
    subtract3(corners[2], corners[0], g);
    subtract3(corners[2], corners[1], h);
    lanes_cross(e, g, normal);
    for (int k = 0; k < 3; k++)
        lanes_store(out->normal[k], normal[k]);
    lanes sum = lanes_add(lanes_add(lanes_abs(normal[0]), lanes_abs(normal[1])), lanes_abs(normal[2]));
    lanes_store(out->level, lanes_dot(normal, corners[0]));
    lanes_store(out->normal_sum, sum);
    lanes_store(out->size, lanes_max(lanes_max(max_abs3(e), max_abs3(g)), max_abs3(h)));
    lanes_store(out->reach, reach);
}
