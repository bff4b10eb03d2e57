/* SPDX-License-Identifier: MIT */
/*
 * Ray casts. A ray is a segment placed exactly (query_mesh.h), long enough to leave the box of the object; so whether
 * it hits a triangle is an exact mesh query. The hit is constructed: t from the point, whose coordinates are each
 * rounded once.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/environment.h"
#include "base/sort.h"
#include "base/struct_size.h"
#include "math/interval.h"
#include "scene/query.h"
#include "scene/query_mesh.h"

typedef struct ray
{
    double origin[3], direction[3], limit;
    int longest; /* axis */
} ray;

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
static double exit_bound(const ray *r, const graze_box *box)
{
    double reach = largest_of(box->lower, 3) / 8 + largest_of(box->upper, 3) / 8 + largest_of(r->origin, 3) / 8;
    /* shortcut: ray-ends */
    return reach / fabs(r->direction[r->longest]) * 32 + GRZ_SMALLEST_NORMAL;
}

/* The same infinite ray with a direction scaled exactly by a power of two: for one so short that no finite t leaves the
   box. It is below 16 then, so that no coordinate becomes smaller. */
static ray with_longer_steps(const ray *r)
{
    ray longer = *r;
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
static void set_t(const ray *r, const double point[3], graze_ray_hit *hit)
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
    const ray *r;
    const graze_placed_mesh *probe, *object;
    graze_ray_hit hit;
    bool found;
    graze_status status;
} first_hit;

static bool keep_first(void *user, const graze_hit *hit)
{
    first_hit *first = user;
    graze_intersection points;
    first->status = graze_hit_intersection(first->probe, first->object, hit, &points);
    for (int i = 0; i < points.count && first->status == GRAZE_STATUS_OK; i++)
    {
        graze_ray_hit candidate = first->hit;
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

static graze_status cast_on_object(const graze_scene *scene, const ray *r, uint32_t index, bool *out_found,
                                   graze_ray_hit *out_hit)
{
    const grz_object_record *record = &scene->objects.data[index];
    graze_placed_mesh object = grz_scene_placed_mesh(scene, index);
    double limit = r->direction[r->longest] != 0 ? fmin(r->limit, exit_bound(r, &record->box)) : 0;
    ray steps = limit < INFINITY ? *r : with_longer_steps(r);
    if (!(limit < INFINITY))
        limit = fmin(exit_bound(&steps, &record->box), DBL_MAX);
    grz_query_mesh probe;
    graze_status status = grz_query_mesh_ray(&scene->context, steps.origin, steps.direction, limit, &probe);
    if (status != GRAZE_STATUS_OK)
        return status;
    first_hit first = {.r = r,
                       .probe = &probe.placed,
                       .object = &object,
                       .hit = {.object = grz_scene_handle(scene, index), .user = scene->labels.data[index].user}};
    status = graze_pair_visit(&scene->context, &probe.placed, &object, NULL, keep_first, &first);
    grz_query_mesh_release(&probe);
    if (first.status != GRAZE_STATUS_OK)
        return first.status;
    *out_found = first.found;
    *out_hit = first.hit;
    return status;
}

/* Sorts by t, then by index: t is not negative, so that its bits have the same order. */
static graze_status sort_hits(const graze_context *context, const graze_ray_hit *hits, size_t count,
                              graze_ray_hit *sorted, size_t capacity)
{
    grz_key_value *keyed = grz_allocate(context, count, 2 * sizeof *keyed);
    if (keyed == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    for (size_t i = 0; i < count; i++)
    {
        double t = hits[i].t + 0.0; /* no -0 */
        memcpy(&keyed[i].key, &t, sizeof t);
        keyed[i].value = i;
    }
    grz_sort_keyed(keyed, keyed + count, count);
    for (size_t i = 0; i < count && i < capacity; i++)
        sorted[i] = hits[keyed[i].value];
    grz_release(context, keyed);
    return GRAZE_STATUS_OK;
}

static graze_status check_ray(const double origin[3], const double direction[3], double limit, ray *out_ray)
{
    ray r = {.limit = limit};
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

static graze_status cast_ray(const graze_scene *scene, const double origin[3], const double direction[3], double limit,
                             const graze_scene_filter *filter, graze_ray_hit *hits, size_t capacity, size_t *out_count)
{
    ray r;
    graze_status status = check_ray(origin, direction, limit, &r);
    size_t count = 0;
    if (status == GRAZE_STATUS_OK)
        status = graze_broad_phase_cast_ray(scene->broad, origin, direction, limit, NULL, 0, &count);
    if (status != GRAZE_STATUS_OK)
        return status;
    uint32_t *ids = grz_allocate(&scene->context, count, sizeof *ids);
    graze_ray_hit *found = grz_allocate(&scene->context, count, sizeof *found);
    size_t found_count = 0;
    status = ids == NULL || found == NULL
                 ? GRAZE_STATUS_OUT_OF_MEMORY
                 : graze_broad_phase_cast_ray(scene->broad, origin, direction, limit, ids, count, &count);
    for (size_t i = 0; i < count && status == GRAZE_STATUS_OK; i++)
    {
        bool meets = false;
        if (grz_filter_accepts(scene, filter, ids[i]))
            status = cast_on_object(scene, &r, ids[i], &meets, &found[found_count]);
        found_count += meets;
    }
    if (status == GRAZE_STATUS_OK)
        status = sort_hits(&scene->context, found, found_count, hits, capacity);
    grz_release(&scene->context, ids);
    grz_release(&scene->context, found);
    if (status == GRAZE_STATUS_OK)
        *out_count = found_count;
    return status;
}

graze_status graze_scene_cast_ray(const graze_scene *scene, const double origin[3], const double direction[3],
                                  double limit, const graze_scene_filter *filter, graze_ray_hit *hits, size_t capacity,
                                  size_t *out_count)
{
    if (scene == NULL || origin == NULL || direction == NULL || out_count == NULL || (hits == NULL && capacity > 0) ||
        !GRZ_STRUCT_FITS(filter))
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_environment environment;
    grz_environment_enter_default(&environment);
    graze_status status = cast_ray(scene, origin, direction, limit, filter, hits, capacity, out_count);
    grz_environment_leave_default(&environment);
    return status;
}
