/* SPDX-License-Identifier: MIT */
/* The vertex that is farthest along a direction, of all. */
#ifndef GRZ_SIMD_FARTHEST_VERTEX_H
#define GRZ_SIMD_FARTHEST_VERTEX_H

#include <stddef.h>
#include <stdint.h>

#include "simd/f64x2.h"

/* The largest q . v, its terms added in order, and its vertex; -INFINITY for none. Blocks are searched for their
   heights, four at once, and only the best one for the vertex. */
static inline double grz_farthest_vertex(const double *vertices, size_t count, const double q[3], uint32_t *out_vertex)
{
    enum
    {
        BLOCK = 32
    };
    const f64x2 qxy = f64x2_make(q[0], q[1]), qzx = f64x2_make(q[2], q[0]), qyz = f64x2_make(q[1], q[2]);
    double best = -INFINITY;
    size_t best_block = 0;
    for (size_t first = 0; first < count; first += BLOCK)
    {
        size_t end = first + BLOCK < count ? first + BLOCK : count, v = first;
        f64x2 most[2] = {f64x2_splat(-INFINITY), f64x2_splat(-INFINITY)};
        for (; v + 4 <= end; v += 4)
            for (int k = 0; k < 2; k++)
            {
                const double *p = vertices + 3 * v + 6 * k;
                f64x2 xy = f64x2_mul(qxy, f64x2_load(p)), zx = f64x2_mul(qzx, f64x2_load(p + 2)),
                      yz = f64x2_mul(qyz, f64x2_load(p + 4));
                f64x2 x = f64x2_outer(xy, zx), y = f64x2_inner(xy, yz), z = f64x2_outer(zx, yz);
                most[k] = f64x2_max(f64x2_add(f64x2_add(x, y), z), most[k]);
            }
        f64x2 both = f64x2_max(most[0], most[1]);
        double highest = f64x2_first(f64x2_max(both, f64x2_swap(both)));
        for (; v < end; v++)
        {
            const double *p = vertices + 3 * v;
            double height = q[0] * p[0] + q[1] * p[1] + q[2] * p[2];
            highest = height > highest ? height : highest;
        }
        best_block = highest > best ? first : best_block;
        best = highest > best ? highest : best;
    }
    size_t vertex = best_block;
    for (; vertex + 1 < count; vertex++)
    {
        const double *p = vertices + 3 * vertex;
        if (!(q[0] * p[0] + q[1] * p[1] + q[2] * p[2] < best))
            break;
    }
    *out_vertex = (uint32_t)vertex;
    return best;
}

#endif
