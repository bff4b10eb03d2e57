/* SPDX-License-Identifier: MIT */
/* Ray casts: the broad phase finds the objects, src/pair/mesh_query or src/shape casts the ray at each. */
#include <string.h>

#include "base/environment.h"
#include "base/sort.h"
#include "base/struct_size.h"
#include "pair/mesh_query/cast_ray.h"
#include "scene/query.h"

static graze_status cast_on_shape(const graze_scene *scene, const grz_query_ray *r, uint32_t index,
                                  const graze_pair_options *wanted, bool *out_found, graze_ray_hit *out_hit)
{
    graze_placed object = grz_scene_placed_shape(scene, index);
    graze_shape_options options = graze_shape_options_default();
    graze_shape_ray_hit hit;
    options.stats = wanted->stats;
    options.budget = wanted->budget;
    graze_status status = graze_shape_cast_ray(&scene->context, &object, r->origin, r->direction, r->limit, &options,
                                               &out_hit->verdict, &hit);
    *out_found = status == GRAZE_STATUS_OK && out_hit->verdict != GRAZE_VERDICT_NO;
    if (!*out_found)
        return status;
    out_hit->hit = (graze_mesh_ray_hit){
        .triangle = GRAZE_NO_TRIANGLE, .face = GRAZE_NO_TRIANGLE, .t = r->limit, .t_upper = r->limit};
    if (out_hit->verdict == GRAZE_VERDICT_UNKNOWN)
        return status;
    out_hit->part = hit.part;
    out_hit->hit = (graze_mesh_ray_hit){hit.triangle, hit.face,    hit.t,
                                        hit.t_lower,  hit.t_upper, {hit.point[0], hit.point[1], hit.point[2]}};
    return status;
}

static graze_status cast_on_object(const graze_scene *scene, const grz_query_ray *r, uint32_t index,
                                   grz_monitor *monitor, bool *out_found, graze_ray_hit *out_hit)
{
    graze_placed_mesh object = grz_scene_placed_mesh(scene, index);
    *out_hit = (graze_ray_hit){
        .object = grz_scene_handle(scene, index), .user = scene->labels.data[index].user, .verdict = GRAZE_VERDICT_YES};
    graze_stats stats = {0};
    graze_pair_options options = grz_subquery_options(monitor, &stats);
    graze_status status = object.mesh == NULL
                              ? cast_on_shape(scene, r, index, &options, out_found, out_hit)
                              : grz_cast_ray(&scene->context, r, &object, &scene->objects.data[index].box, &options,
                                             out_found, &out_hit->hit);
    return grz_query_end_object(monitor, status, &stats);
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
        double t = hits[i].hit.t + 0.0; /* no -0 */
        memcpy(&keyed[i].key, &t, sizeof t);
        keyed[i].value = i;
    }
    grz_sort_keyed(keyed, keyed + count, count);
    for (size_t i = 0; i < count && i < capacity; i++)
        sorted[i] = hits[keyed[i].value];
    grz_release(context, keyed);
    return GRAZE_STATUS_OK;
}

static graze_status cast_ray(const graze_scene *scene, const double origin[3], const double direction[3], double limit,
                             const graze_scene_filter *filter, grz_monitor *monitor, graze_ray_hit *hits,
                             size_t capacity, size_t *out_count)
{
    grz_query_ray r;
    graze_status status = grz_query_ray_make(origin, direction, limit, &r);
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
        grz_monitor_stage(monitor, (double)(i + 1) / (double)count);
        grz_monitor_progress(monitor, 0);
        if (!grz_monitor_box_tests(monitor, 1))
            status = grz_monitor_status(monitor);
        else if (grz_filter_accepts(scene, filter, ids[i]))
            status = cast_on_object(scene, &r, ids[i], monitor, &meets, &found[found_count]);
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
                                  double limit, const graze_scene_filter *filter, const graze_budget *budget,
                                  graze_ray_hit *hits, size_t capacity, size_t *out_count)
{
    GRZ_FULL_STRUCT(graze_scene_filter, filter);
    if (scene == NULL || origin == NULL || direction == NULL || out_count == NULL || (hits == NULL && capacity > 0) ||
        !filter_fits)
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_environment environment;
    grz_environment_enter_default(&environment);
    grz_monitor monitor = grz_monitor_make(budget);
    graze_status status = cast_ray(scene, origin, direction, limit, filter,
                                   grz_monitor_is_needed(&monitor) ? &monitor : NULL, hits, capacity, out_count);
    grz_environment_leave_default(&environment);
    return status;
}
