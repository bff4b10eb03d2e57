/* SPDX-License-Identifier: MIT */
/* Ray against one placed mesh; see cast_ray.h. */
#include "pair/mesh_query/cast_ray.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "math/interval.h"
#include "pair/mesh_query/query_mesh.h"

static double largest_of(const double *numbers, int count)
{
    double largest = 0;
    for (int i = 0; i < count; i++)
        largest = fmax(largest, fabs(numbers[i]));
    return largest;
}

/*
 * A t at which the ray has left the box: along its longest axis it has moved farther than the magnitudes of box and
 * origin. Twice their sum, and a factor of 2 more for rounding. May be infinite.
 */
static double exit_bound(const grz_query_ray *r, const graze_box *box)
{
    double extent = largest_of(box->lower, 3) / 8 + largest_of(box->upper, 3) / 8 + largest_of(r->origin, 3) / 8;
    /* shortcut: ray-leaves-aabb */
    return extent / fabs(r->direction[r->longest]) * 32 + GRZ_SMALLEST_NORMAL;
}

/* The same infinite ray with a direction scaled exactly by a power of two: for one so short that no finite t leaves the
   box. It is below 16 then, so that no coordinate becomes smaller. */
static grz_query_ray with_longer_steps(const grz_query_ray *r)
{
    grz_query_ray longer = *r;
    int exponent;
    frexp(r->direction[r->longest], &exponent);
    for (int axis = 0; axis < 3; axis++)
        longer.direction[axis] = ldexp(r->direction[axis], 10 - exponent);
    return longer;
}

/*
 * t of a point on the ray, from the longest axis: (point - origin) / direction. The coordinate of the point is rounded
 * once, by u of its magnitude; the difference and the quotient by u of theirs.
 */
static void set_t(const grz_query_ray *r, const double point[3], graze_mesh_ray_hit *hit)
{
    int axis = r->longest;
    memcpy(hit->point, point, sizeof hit->point);
    if (r->direction[axis] == 0)
    {
        hit->t = hit->t_lower = hit->t_upper = 0;
        return;
    }
    double difference = point[axis] - r->origin[axis];
    double error = 2 * GRZ_U * (fabs(point[axis]) + fabs(difference)) + 4 * GRZ_SMALLEST_NORMAL;
    double t = difference / r->direction[axis];
    double bound = error / fabs(r->direction[axis]) * (1 + 4 * GRZ_U) + 4 * GRZ_U * fabs(t) + GRZ_SMALLEST_NORMAL;
    hit->t = fmin(fmax(t, 0), r->limit);
    hit->t_lower = fmax(t - bound, 0);
    hit->t_upper = fmin(t + bound, r->limit);
}

/* Visitor that keeps the hit point with the least t. */
typedef struct first_hit
{
    const grz_query_ray *r;
    const graze_placed_mesh *probe, *mesh;
    graze_mesh_ray_hit hit;
    bool found;
    graze_status status;
} first_hit;

static bool keep_first(void *user, const graze_hit *hit)
{
    first_hit *first = user;
    graze_intersection points;
    first->status = graze_hit_intersection(first->probe, first->mesh, hit, &points);
    for (int i = 0; first->status == GRAZE_STATUS_OK && i < points.count; i++)
    {
        graze_mesh_ray_hit candidate = first->hit;
        set_t(first->r, points.points[i], &candidate);
        if (first->found && candidate.t >= first->hit.t)
            continue;
        candidate.triangle = hit->triangle_b;
        candidate.face = hit->face_b;
        first->hit = candidate;
        first->found = true;
    }
    return first->status == GRAZE_STATUS_OK;
}

graze_status grz_cast_ray(const graze_context *context, const grz_query_ray *ray, const graze_placed_mesh *mesh,
                          const graze_box *box, const graze_pair_options *options, bool *out_found,
                          graze_mesh_ray_hit *out_hit)
{
    double limit = ray->direction[ray->longest] != 0 ? fmin(ray->limit, exit_bound(ray, box)) : 0;
    grz_query_ray steps = limit < INFINITY ? *ray : with_longer_steps(ray);
    if (!(limit < INFINITY))
        limit = fmin(exit_bound(&steps, box), DBL_MAX);
    grz_query_mesh probe;
    graze_status status = grz_query_mesh_ray(context, steps.origin, steps.direction, limit, &probe);
    if (status != GRAZE_STATUS_OK)
        return status;
    first_hit first = {.r = ray, .probe = &probe.placed, .mesh = mesh};
    status = graze_pair_visit(context, &probe.placed, mesh, options, keep_first, &first);
    grz_query_mesh_release(&probe);
    if (first.status != GRAZE_STATUS_OK)
        return first.status;
    if (status != GRAZE_STATUS_OK)
        return status;
    *out_found = first.found;
    if (first.found)
        *out_hit = first.hit;
    return GRAZE_STATUS_OK;
}

graze_status grz_query_ray_make(const double origin[3], const double direction[3], double limit, grz_query_ray *out_ray)
{
    grz_query_ray r = {.limit = limit};
    if (!(limit >= 0))
        return GRAZE_STATUS_BAD_ARGUMENT;
    for (int axis = 0; axis < 3; axis++)
    {
        if (!isfinite(origin[axis]) || !isfinite(direction[axis]))
            return GRAZE_STATUS_NOT_FINITE;
        r.origin[axis] = origin[axis];
        r.direction[axis] = direction[axis];
        if (fabs(direction[axis]) > fabs(direction[r.longest]))
            r.longest = axis;
    }
    *out_ray = r;
    return GRAZE_STATUS_OK;
}
