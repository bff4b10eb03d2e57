/* SPDX-License-Identifier: MIT */
/*
 * What is near in a scene. The nearest object is looked for in order of the boxes' distances, which are lower bounds,
 * until the next box is farther than what was found.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "math/interval.h"
#include "mesh/mesh.h"
#include "scene/probe.h"
#include "scene/query.h"

/* A lower bound of the distance of two boxes: each difference errs by u, the sum of squares by 6 u, the root halves
   that and adds its own; what underflows is smaller than the root of the smallest normal number. */
static double box_gap(const graze_box *a, const graze_box *b)
{
    double sum = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        double gap = fmax(0, fmax(a->lower[axis] - b->upper[axis], b->lower[axis] - a->upper[axis]));
        sum += gap * gap;
    }
    double gap = sqrt(fmin(sum, DBL_MAX)) * (1 - 16 * GRZ_U) - 0x1p-500;
    return gap > 0 ? gap : 0;
}

/* Objects that come into question, by the distance of their boxes. */
static graze_status sort_by_gap(const graze_scene *scene, const graze_box *box, double limit,
                                const graze_scene_filter *filter, grz_keyed **out_keyed, size_t *out_count)
{
    size_t count = 0, most = scene->objects.count;
    grz_keyed *keyed = grz_allocate(&scene->context, most, 2 * sizeof *keyed);
    if (keyed == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    for (uint32_t index = 0; index < most; index++)
    {
        if (!grz_filter_takes(scene, filter, index))
            continue;
        double gap = box_gap(box, &scene->objects.data[index].box);
        if (gap > limit)
            continue;
        memcpy(&keyed[count].key, &gap, sizeof gap); /* not negative: bits ascend with it */
        keyed[count++].value = index;
    }
    grz_sort_keyed(keyed, keyed + most, count);
    *out_keyed = keyed;
    *out_count = count;
    return GRAZE_STATUS_OK;
}

graze_status graze_scene_nearest_to_mesh(const graze_scene *scene, const graze_placed_mesh *mesh, double limit,
                                         const graze_scene_filter *filter, graze_nearest *out_nearest)
{
    if (scene == NULL || mesh == NULL || mesh->mesh == NULL || out_nearest == NULL || !(limit >= 0))
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_status status = graze_pose_check(&mesh->pose, NULL);
    graze_nearest nearest = {.distance = {.lower = limit, .upper = INFINITY}};
    if (status == GRAZE_STATUS_OK && mesh->mesh->triangle_count == 0)
        *out_nearest = nearest;
    if (status != GRAZE_STATUS_OK || mesh->mesh->triangle_count == 0)
        return status;
    graze_box box = grz_placed_box(mesh->mesh, &mesh->pose);
    grz_keyed *keyed;
    size_t count;
    status = sort_by_gap(scene, &box, limit, filter, &keyed, &count);
    if (status != GRAZE_STATUS_OK)
        return status;
    graze_distance_options options = graze_distance_options_default();
    options.limit = limit;
    for (size_t i = 0; i < count && status == GRAZE_STATUS_OK; i++)
    {
        double gap;
        memcpy(&gap, &keyed[i].key, sizeof gap);
        if (gap > options.limit)
            break;
        uint32_t index = (uint32_t)keyed[i].value;
        graze_placed_mesh object = grz_scene_placed_mesh(scene, index);
        graze_distance distance;
        status = graze_pair_distance(&scene->context, mesh, &object, &options, &distance);
        if (status != GRAZE_STATUS_OK || !distance.found)
            continue;
        bool none = !nearest.distance.found, closer = distance.distance < nearest.distance.distance;
        bool same = distance.distance == nearest.distance.distance && index < nearest.object.index;
        if (none || closer || same)
            nearest = (graze_nearest){grz_scene_name(scene, index), scene->objects.data[index].user, distance};
        options.limit = fmin(options.limit, distance.upper);
    }
    grz_release(&scene->context, keyed);
    if (status == GRAZE_STATUS_OK)
        *out_nearest = nearest;
    return status;
}

graze_status graze_scene_nearest_to_point(const graze_scene *scene, const double point[3], double limit,
                                          const graze_scene_filter *filter, graze_nearest *out_nearest)
{
    if (scene == NULL || point == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_probe probe;
    graze_status status = grz_probe_point(&scene->context, point, &probe);
    if (status != GRAZE_STATUS_OK)
        return status;
    status = graze_scene_nearest_to_mesh(scene, &probe.placed, limit, filter, out_nearest);
    grz_probe_release(&probe);
    return status;
}

/* A box that all within the clearance meet: each end moves outward by the clearance and two roundings. */
static graze_box grown(const graze_box *box, double clearance)
{
    graze_box larger;
    for (int axis = 0; axis < 3; axis++)
    {
        double lower = box->lower[axis] - clearance, upper = box->upper[axis] + clearance;
        lower -= 4 * GRZ_U * fabs(lower) + GRZ_SMALLEST_NORMAL;
        upper += 4 * GRZ_U * fabs(upper) + GRZ_SMALLEST_NORMAL;
        larger.lower[axis] = fmax(lower, -DBL_MAX);
        larger.upper[axis] = fmin(upper, DBL_MAX);
    }
    return larger;
}

/* The pairs of one object with those of larger index. */
static graze_status close_to(const graze_scene *scene, uint32_t index, double clearance, graze_close_pair *pairs,
                             size_t capacity, size_t *count)
{
    graze_box box = grown(&scene->objects.data[index].box, clearance);
    graze_placed_mesh a = grz_scene_placed_mesh(scene, index);
    grz_found found;
    graze_status status = grz_scene_in_box(scene, &box, &found);
    if (status != GRAZE_STATUS_OK)
        return status;
    for (size_t i = 0; i < found.count && status == GRAZE_STATUS_OK; i++)
    {
        uint32_t other = found.ids[i];
        if (other <= index || !grz_filter_takes(scene, NULL, other) ||
            !grz_interest_filter((void *)(uintptr_t)scene, index, other))
            continue;
        graze_placed_mesh b = grz_scene_placed_mesh(scene, other);
        graze_close_pair pair = {.a = grz_scene_name(scene, index), .b = grz_scene_name(scene, other)};
        bool close = false;
        status = graze_pair_tolerance_any(&scene->context, &a, &b, clearance, NULL, &close, &pair.near);
        if (status != GRAZE_STATUS_OK || !close)
            continue;
        if (*count < capacity)
            pairs[*count] = pair;
        ++*count;
    }
    grz_found_release(scene, &found);
    return status;
}

graze_status graze_scene_close_pairs(const graze_scene *scene, double clearance, graze_close_pair *pairs,
                                     size_t capacity, size_t *out_count)
{
    if (scene == NULL || out_count == NULL || (pairs == NULL && capacity > 0) || !(clearance >= 0) ||
        !isfinite(clearance))
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_status status = GRAZE_STATUS_OK;
    size_t count = 0;
    for (uint32_t index = 0; index < scene->objects.count && status == GRAZE_STATUS_OK; index++)
        if (grz_filter_takes(scene, NULL, index))
            status = close_to(scene, index, clearance, pairs, capacity, &count);
    if (status == GRAZE_STATUS_OK)
        *out_count = count;
    return status;
}
