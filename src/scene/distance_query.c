/* SPDX-License-Identifier: MIT */
/*
 * Distance queries: the nearest object and close pairs. Objects are visited in order of the distances of their boxes,
 * which are lower bounds, until the next box is farther than the closest object found: shell by shell around the query,
 * so that objects far away are not visited.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/bits.h"
#include "base/environment.h"
#include "base/sort.h"
#include "base/struct_size.h"
#include "broad/broad_phase.h"
#include "math/interval.h"
#include "mesh/mesh.h"
#include "pair/mesh_query/query_mesh.h"
#include "scene/query.h"

enum
{
    SAMPLES = 16,           /* objects from which the distance of the nearest is guessed */
    FIRST_SHELL_SHARE = 64, /* guess / radius of the first shell */
    SHELL_GROWTH = 4        /* growth of the radius from shell to shell */
};

/* Lower bound of the distance of two boxes: each difference errs by u, the sum of squares by 6 u, the root halves that
   and adds its own u; underflow loses less than the root of the smallest normal number. */
static double aabb_distance_bound(const graze_box *a, const graze_box *b)
{
    double sum = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        double gap = fmax(0, fmax(a->lower[axis] - b->upper[axis], b->lower[axis] - a->upper[axis]));
        sum += gap * gap;
    }
    /* shortcut: box-gaps */
    double gap = sqrt(fmin(sum, DBL_MAX)) * (1 - 16 * GRZ_U) - 0x1p-500;
    return gap > 0 ? gap : 0;
}

/* A box that overlaps everything within the clearance: each end moves outward by the clearance and two roundings. */
static graze_box inflated_aabb(const graze_box *box, double clearance)
{
    graze_box larger;
    for (int axis = 0; axis < 3; axis++)
    {
        /* shortcut: grown-boxes */
        double lower = box->lower[axis] - clearance, upper = box->upper[axis] + clearance;
        lower -= 4 * GRZ_U * fabs(lower) + GRZ_SMALLEST_NORMAL;
        upper += 4 * GRZ_U * fabs(upper) + GRZ_SMALLEST_NORMAL;
        larger.lower[axis] = fmax(lower, -DBL_MAX);
        larger.upper[axis] = fmin(upper, DBL_MAX);
    }
    return larger;
}

/* Objects whose box distance is above `inner_distance` and at most `outer_distance`, sorted by it. */
typedef struct distance_shell
{
    double inner_distance, outer_distance;
    grz_key_value *keyed;
    size_t count;
} distance_shell;

/* Adds an object if it is in the shell. Memory is reserved. */
static void add_to_shell(const graze_scene *scene, const graze_box *box, const graze_scene_filter *filter,
                         uint32_t index, distance_shell *s)
{
    if (!grz_filter_accepts(scene, filter, index))
        return;
    double gap = aabb_distance_bound(box, &scene->objects.data[index].box);
    if (gap > s->outer_distance || gap <= s->inner_distance)
        return;
    memcpy(&s->keyed[s->count].key, &gap, sizeof gap); /* not negative: its bits have the same order */
    s->keyed[s->count++].value = index;
}

/*
 * If the broad phase is up to date it finds the candidates. A computed distance is below the true one by 20 u and
 * 2^-500 at most, so a box inflated by a little more than `outer_distance` overlaps all of them.
 */
static graze_status fill_shell(const graze_scene *scene, const graze_box *box, const graze_scene_filter *filter,
                               grz_monitor *monitor, distance_shell *s)
{
    bool by_box = s->outer_distance < DBL_MAX / 2 && grz_broad_is_up_to_date(scene->broad);
    grz_overlap_ids found = {.few_ids = true};
    if (by_box)
    {
        graze_box larger = inflated_aabb(box, s->outer_distance * (1 + 64 * GRZ_U) + 0x1p-490);
        graze_status status = grz_scene_query_box(scene, &larger, &found);
        if (status != GRAZE_STATUS_OK)
            return status;
    }
    size_t most = by_box ? found.count : scene->objects.count;
    s->keyed = grz_allocate(&scene->context, most, 2 * sizeof *s->keyed);
    for (size_t i = 0; i < most && s->keyed != NULL && grz_monitor_box_tests(monitor, 1); i++)
        add_to_shell(scene, box, filter, by_box ? found.ids[i] : (uint32_t)i, s);
    grz_overlap_ids_release(scene, &found);
    if (s->keyed == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    if (grz_monitor_may_continue(monitor) && grz_sort_keyed_monitored(s->keyed, s->keyed + most, s->count, monitor))
        return GRAZE_STATUS_OK;
    grz_release(&scene->context, s->keyed);
    return grz_monitor_status(monitor);
}

/* Guess of the distance of the nearest object, from a sample: at most the distance to the far corner of a box. INFINITY
   if the sample is empty. */
static double guess_distance(const graze_scene *scene, const graze_box *box, const graze_scene_filter *filter)
{
    size_t stride = scene->objects.count / SAMPLES + 1;
    double least = INFINITY;
    for (size_t i = 0; i < scene->objects.count; i += stride)
    {
        if (!grz_filter_accepts(scene, filter, (uint32_t)i))
            continue;
        double sum = 0;
        for (int axis = 0; axis < 3; axis++)
        {
            const graze_box *other = &scene->objects.data[i].box;
            double way = fmax(other->upper[axis] - box->lower[axis], box->upper[axis] - other->lower[axis]);
            sum += way * way;
        }
        least = fmin(least, sqrt(sum));
    }
    return least;
}

static graze_distance distance_of_shapes(const graze_shape_distance *d)
{
    graze_distance distance = {.found = d->found,
                               .distance = d->distance,
                               .lower = d->lower,
                               .upper = d->upper,
                               .triangle_a = d->triangle_a,
                               .triangle_b = d->triangle_b,
                               .face_a = d->face_a,
                               .face_b = d->face_b};
    memcpy(distance.point_a, d->point_a, sizeof distance.point_a);
    memcpy(distance.point_b, d->point_b, sizeof distance.point_b);
    return distance;
}

/* The distance of an object, of which one is a shape. */
static graze_status measure_shapes(const graze_scene *scene, grz_query_body *body, uint32_t index,
                                   const graze_distance_options *wanted, graze_nearest_object *out)
{
    graze_placed object;
    graze_shape_distance distance;
    graze_shape_distance_options options = graze_shape_distance_options_default();
    options.limit = wanted->limit;
    options.stats = wanted->stats;
    options.budget = wanted->budget;
    if (!grz_query_body_as_shape(body) || !grz_scene_as_shape(scene, index, &object))
        return GRAZE_STATUS_OUT_OF_MEMORY;
    graze_status status = graze_shape_pair_distance(&scene->context, &body->placed, &object, &options, &distance);
    if (status == GRAZE_STATUS_OK)
    {
        out->distance = distance_of_shapes(&distance);
        out->part = distance.part_b;
    }
    return status;
}

static graze_status measure_object(const graze_scene *scene, grz_query_body *body, uint32_t index,
                                   const graze_distance_options *options, graze_nearest_object *out)
{
    *out = (graze_nearest_object){.object = grz_scene_handle(scene, index), .user = scene->labels.data[index].user};
    if (grz_query_is_of_shapes(scene, body, index))
        return measure_shapes(scene, body, index, options, out);
    graze_placed_mesh object = grz_scene_placed_mesh(scene, index);
    return graze_pair_distance(&scene->context, body->mesh, &object, options, &out->distance);
}

/* Computes distances of the objects of a shell, from the nearest box on; options->limit becomes an upper bound of the
   distance of the nearest object. */
static graze_status measure(const graze_scene *scene, grz_query_body *body, const distance_shell *s,
                            graze_distance_options *options, grz_monitor *monitor, graze_nearest_object *nearest)
{
    graze_status status = GRAZE_STATUS_OK;
    graze_stats stats = {0};
    options->stats = &stats;
    for (size_t i = 0; i < s->count && status == GRAZE_STATUS_OK; i++)
    {
        double gap;
        memcpy(&gap, &s->keyed[i].key, sizeof gap);
        if (gap > options->limit)
            break;
        uint32_t index = (uint32_t)s->keyed[i].value;
        graze_nearest_object found;
        options->budget = grz_monitor_budget(monitor);
        status = measure_object(scene, body, index, options, &found);
        status = grz_query_end_object(monitor, status, &stats);
        if (status != GRAZE_STATUS_OK || !found.distance.found)
            continue;
        bool none = !nearest->distance.found, closer = found.distance.distance < nearest->distance.distance;
        bool same = found.distance.distance == nearest->distance.distance && index < nearest->object.index;
        if (none || closer || same)
            *nearest = found;
        options->limit = fmin(options->limit, found.distance.upper);
    }
    options->stats = NULL;
    return status;
}

/* Visits shells from the inside out, until all objects within the limit, which shrinks as objects are found, have been
   visited. */
static graze_status expand_shells(const graze_scene *scene, grz_query_body *body, double limit,
                                  const graze_scene_filter *filter, grz_monitor *monitor, graze_nearest_object *nearest)
{
    graze_box box = body->box;
    graze_distance_options options = graze_distance_options_default();
    options.limit = limit;
    double guess = guess_distance(scene, &box, filter);
    distance_shell s = {.inner_distance = -1, .outer_distance = fmin(limit, guess / FIRST_SHELL_SHARE)};
    graze_status status = GRAZE_STATUS_OK;
    for (;;)
    {
        s.count = 0;
        status = fill_shell(scene, &box, filter, monitor, &s);
        if (status != GRAZE_STATUS_OK)
            return status;
        status = measure(scene, body, &s, &options, monitor, nearest);
        grz_release(&scene->context, s.keyed);
        if (status != GRAZE_STATUS_OK || s.outer_distance >= options.limit)
            return status;
        /* shortcut: shells */
        s.inner_distance = s.outer_distance;
        s.outer_distance =
            fmin(options.limit,
                 nearest->distance.found || !(s.outer_distance > 0) ? INFINITY : SHELL_GROWTH * s.outer_distance);
    }
}

/* The common part. `made` is the status with which the body was made; it is released. */
static graze_status find_nearest(const graze_scene *scene, grz_query_body *body, graze_status made, double limit,
                                 const graze_scene_filter *filter, const graze_budget *budget,
                                 graze_nearest_object *out_nearest)
{
    GRZ_FULL_STRUCT(graze_scene_filter, filter);
    bool fits = out_nearest != NULL && limit >= 0 && !grz_is_less(limit, 0) && filter_fits;
    graze_status status = fits ? made : GRAZE_STATUS_BAD_ARGUMENT;
    graze_nearest_object nearest = {.distance = {.lower = limit, .upper = INFINITY}};
    grz_monitor monitor = grz_monitor_make(budget);
    grz_environment environment;
    grz_environment_enter_default(&environment);
    if (status == GRAZE_STATUS_OK && !body->is_empty)
        status = expand_shells(scene, body, limit, filter, grz_monitor_is_needed(&monitor) ? &monitor : NULL, &nearest);
    grz_environment_leave_default(&environment);
    if (made == GRAZE_STATUS_OK)
        grz_query_body_release(body);
    if (status == GRAZE_STATUS_OK)
        *out_nearest = nearest;
    return status;
}

graze_status graze_scene_nearest_to_mesh(const graze_scene *scene, const graze_placed_mesh *mesh, double limit,
                                         const graze_scene_filter *filter, const graze_budget *budget,
                                         graze_nearest_object *out_nearest)
{
    grz_query_body body;
    if (scene == NULL || mesh == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_status made = grz_query_body_of_mesh(scene, mesh, NULL, false, &body);
    return find_nearest(scene, &body, made, limit, filter, budget, out_nearest);
}

graze_status graze_scene_nearest_to_shape(const graze_scene *scene, const graze_placed *shape, double limit,
                                          const graze_scene_filter *filter, const graze_budget *budget,
                                          graze_nearest_object *out_nearest)
{
    grz_query_body body;
    if (scene == NULL || shape == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_status made = grz_query_body_of_shape(shape, &body);
    return find_nearest(scene, &body, made, limit, filter, budget, out_nearest);
}

graze_status graze_scene_nearest_to_point(const graze_scene *scene, const double point[3], double limit,
                                          const graze_scene_filter *filter, const graze_budget *budget,
                                          graze_nearest_object *out_nearest)
{
    if (scene == NULL || point == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_query_mesh probe;
    graze_status status = grz_query_mesh_point(&scene->context, point, &probe);
    if (status != GRAZE_STATUS_OK)
        return status;
    status = graze_scene_nearest_to_mesh(scene, &probe.placed, limit, filter, budget, out_nearest);
    grz_query_mesh_release(&probe);
    return status;
}

/* Pairs are buffered until all are known, so that on failure the array of the caller is unchanged. */
typedef GRZ_ARRAY(graze_close_pair) close_pairs;

/* The objects of a pair may be meshes or shapes. */
static graze_status test_clearance(const graze_scene *scene, uint32_t a, uint32_t b, double clearance,
                                   const graze_tolerance_options *options, graze_close_pair *pair)
{
    if (scene->shapes.data[a].shape == NULL && scene->shapes.data[b].shape == NULL)
    {
        graze_placed_mesh first = grz_scene_placed_mesh(scene, a), second = grz_scene_placed_mesh(scene, b);
        bool close = false;
        graze_status status =
            graze_pair_tolerance_any(&scene->context, &first, &second, clearance, options, &close, &pair->witness);
        pair->verdict = close ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO;
        return status;
    }
    graze_placed first, second;
    graze_shape_tolerance_options wanted = graze_shape_tolerance_options_default();
    wanted.stats = options->stats;
    wanted.budget = options->budget;
    if (!grz_scene_as_shape(scene, a, &first) || !grz_scene_as_shape(scene, b, &second))
        return GRAZE_STATUS_OUT_OF_MEMORY;
    graze_status status = graze_shape_pair_tolerance_any(&scene->context, &first, &second, clearance, &wanted,
                                                         &pair->verdict, &pair->shape_hit);
    pair->has_shape_hit = status == GRAZE_STATUS_OK && pair->verdict == GRAZE_VERDICT_YES;
    return status;
}

/* Finds the close pairs of one object with objects of larger index. */
static graze_status close_to(const graze_scene *scene, uint32_t index, double clearance, grz_monitor *monitor,
                             size_t capacity, close_pairs *kept, size_t *count)
{
    graze_box box = inflated_aabb(&scene->objects.data[index].box, clearance);
    grz_overlap_ids found;
    graze_status status = grz_scene_query_box(scene, &box, &found);
    if (status != GRAZE_STATUS_OK)
        return status;
    for (size_t i = 0; i < found.count && status == GRAZE_STATUS_OK; i++)
    {
        uint32_t other = found.ids[i];
        if (!grz_monitor_box_tests(monitor, 1))
            status = grz_monitor_status(monitor);
        if (status != GRAZE_STATUS_OK || other <= index || !grz_filter_accepts(scene, NULL, other) ||
            !grz_interest_filter((void *)(uintptr_t)scene, index, other))
            continue;
        graze_close_pair pair = {.a = grz_scene_handle(scene, index), .b = grz_scene_handle(scene, other)};
        graze_stats stats = {0};
        graze_tolerance_options options = graze_tolerance_options_default();
        options.stats = &stats;
        options.budget = grz_monitor_budget(monitor);
        status = test_clearance(scene, index, other, clearance, &options, &pair);
        status = grz_query_end_object(monitor, status, &stats);
        if (status != GRAZE_STATUS_OK || pair.verdict == GRAZE_VERDICT_NO)
            continue;
        if (*count < capacity && !GRZ_PUSH(&scene->context, kept, pair))
            status = GRAZE_STATUS_OUT_OF_MEMORY;
        ++*count;
    }
    grz_overlap_ids_release(scene, &found);
    return status;
}

graze_status graze_scene_close_pairs(const graze_scene *scene, double clearance, const graze_budget *budget,
                                     graze_close_pair *pairs, size_t capacity, size_t *out_count)
{
    if (scene == NULL || out_count == NULL || (pairs == NULL && capacity > 0) || !(clearance >= 0) ||
        grz_is_less(clearance, 0) || !isfinite(clearance))
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_environment environment;
    grz_environment_enter_default(&environment);
    graze_status status = GRAZE_STATUS_OK;
    close_pairs kept = {0};
    size_t count = 0;
    grz_monitor limits = grz_monitor_make(budget), *monitor = grz_monitor_is_needed(&limits) ? &limits : NULL;
    for (uint32_t index = 0; index < scene->objects.count && status == GRAZE_STATUS_OK; index++)
    {
        grz_monitor_stage(monitor, (double)(index + 1) / (double)scene->objects.count);
        grz_monitor_progress(monitor, 0);
        if (!grz_monitor_box_tests(monitor, 1))
            status = grz_monitor_status(monitor);
        else if (grz_filter_accepts(scene, NULL, index))
            status = close_to(scene, index, clearance, monitor, capacity, &kept, &count);
    }
    grz_environment_leave_default(&environment);
    if (status == GRAZE_STATUS_OK)
        *out_count = count;
    if (status == GRAZE_STATUS_OK && pairs != NULL && kept.count > 0)
        memcpy(pairs, kept.data, kept.count * sizeof *pairs);
    grz_release(&scene->context, kept.data);
    return status;
}
