/* SPDX-License-Identifier: MIT */
/* Triangles in fixed point, converted when first needed; see fixed_cache.h. */
#include "pair/fixed_cache.h"

#include <math.h>
#include <string.h>

#include "math/interval.h"
#include "math/matrix.h"
#include "mesh/mesh.h"

/* Widens the interval of coordinates on one axis by those of a placed mesh, and adds the magnitudes to *size. */
static void widen(const graze_mesh *mesh, const graze_pose *pose, int axis, double *lower, double *upper, double *size)
{
    double low = mesh->lower[axis], high = mesh->upper[axis];
    double magnitude = fabs(low) + fabs(high);
    if (pose != NULL)
    {
        const double *row = pose->m + 4 * (size_t)axis;
        low = high = row[3];
        magnitude = fabs(row[3]);
        for (int k = 0; k < 3; k++)
        {
            double p = row[k] * mesh->lower[k], q = row[k] * mesh->upper[k];
            low += p < q ? p : q;
            high += p < q ? q : p;
            magnitude += fabs(p) + fabs(q);
        }
    }
    *lower = low < *lower ? low : *lower;
    *upper = high > *upper ? high : *upper;
    *size += magnitude;
}

/* A bound on the difference of any two placed coordinates of one axis. Ends of the interval pass at most six roundings
   of the sum of magnitudes, their difference one more; underflow costs less than the last summand. */
static double find_extent(const graze_mesh *a, const graze_pose *pose_a, const graze_mesh *b, const graze_pose *pose_b,
                          bool with_origin)
{
    double extent = 0;
    for (int k = 0; k < 3; k++)
    {
        double lower = with_origin ? 0 : INFINITY, upper = with_origin ? 0 : -INFINITY, size = 0;
        widen(a, pose_a, k, &lower, &upper, &size);
        widen(b, pose_b, k, &lower, &upper, &size);
        if (!(size < 0x1p900)) /* infinite or not a number where a product overflows */
            return INFINITY;
        /* shortcut: fixed-point-extent */
        extent = matrix_larger(extent, upper - lower + 16 * GRZ_U * size + 0x1p-700);
    }
    return extent;
}

bool grz_fixed_unit_of_meshes(const graze_mesh *a, const graze_pose *pose_a, const graze_mesh *b,
                              const graze_pose *pose_b, int *out_unit)
{
    return grz_fixed_unit(find_extent(a, pose_a, b, pose_b, false), out_unit);
}

static void start(grz_fixed_cache *cache, const graze_mesh *a, const graze_pose *pose_a, const graze_mesh *b,
                  const graze_pose *pose_b, bool with_origin)
{
    cache->started = true;
    cache->usable = grz_fixed_unit(find_extent(a, pose_a, b, pose_b, with_origin), &cache->unit);
    grz_fixed_pose_make(pose_a, &cache->poses[0]);
    grz_fixed_pose_make(pose_b, &cache->poses[1]);
    memset(cache->kept, 0xff, sizeof cache->kept);
}

void grz_fixed_cache_start(grz_fixed_cache *cache, const graze_mesh *a, const graze_pose *pose_a, const graze_mesh *b,
                           const graze_pose *pose_b)
{
    start(cache, a, pose_a, b, pose_b, false);
}

const graze_pose *grz_pose_or_null(const graze_pose *pose)
{
    const graze_pose identity = graze_pose_identity();
    return memcmp(pose, &identity, sizeof identity) == 0 ? NULL : pose; /* by bytes: == may take denormals for zero */
}

void grz_fixed_cache_start_absolute(grz_fixed_cache *cache, const graze_placed_mesh *a, const graze_placed_mesh *b)
{
    start(cache, a->mesh, grz_pose_or_null(&a->pose), b->mesh, grz_pose_or_null(&b->pose), true);
}

const grz_fixed_triangle *grz_fixed_cache_triangle(grz_fixed_cache *cache, int which, const graze_mesh *mesh,
                                                   uint32_t triangle)
{
    uint32_t slot = triangle % GRZ_FIXED_CACHE_SIZE;
    grz_fixed_triangle *kept = &cache->triangles[which][slot];
    if (cache->kept[which][slot] == triangle)
        return kept;
    const uint32_t *corners = mesh->triangles + 3 * (size_t)triangle;
    const double *const points[3] = {grz_mesh_vertex(mesh, corners[0]), grz_mesh_vertex(mesh, corners[1]),
                                     grz_mesh_vertex(mesh, corners[2])};
    grz_fixed_triangle_make(points, &cache->poses[which], cache->unit, kept);
    cache->kept[which][slot] = triangle;
    return kept;
}
