/* SPDX-License-Identifier: MIT */
/*
 * Depth, way out and volume of shapes; see shape_measures.h. Of compounds, each pair of leaves is measured by itself: a
 * common point of two leaves is at least as deep in the compounds, and the volume of the union lies between the largest
 * volume of a pair and the sum of all. How deep in the union a point is beyond that is bounded by the way out only.
 */
#include "clash/shape_measures.h"

#include <math.h>
#include <string.h>

#include "clash/shape_leaves.h"
#include "clash/shape_parts.h"

enum
{
    MOST_PAIRS = 64 /* of leaves that are measured */
};

/* The middle of the intersection of both AABBs. */
static void common_middle(const grz_clash_part *a, const grz_clash_part *b, double out[3])
{
    for (int axis = 0; axis < 3; axis++)
        out[axis] = 0.5 * fmax(a->lower[axis], b->lower[axis]) + 0.5 * fmin(a->upper[axis], b->upper[axis]);
}

static void take_depth(const graze_shape_depth *depth, grz_clash_shape_measures *m)
{
    m->overlap = depth->overlap;
    m->way_out[0] = depth->lower;
    m->way_out[1] = depth->upper;
    m->depth[0] = depth->depth_lower;
    m->depth[1] = fmin(depth->depth_upper, depth->upper);
    memcpy(m->translation, depth->translation, sizeof m->translation);
    if (depth->has_point)
        memcpy(m->point, depth->point, sizeof m->point);
    if (m->overlap == GRAZE_VERDICT_UNKNOWN && m->depth[0] > 0)
        m->overlap = GRAZE_VERDICT_YES;
}

/* --- leaves --- */

typedef struct leaf_list
{
    grz_clash_leaf *leaves;
    size_t count, capacity;
} leaf_list;

static graze_status add_leaf(const graze_context *context, const graze_placed *placed, leaf_list *list)
{
    graze_status status = GRAZE_STATUS_OK;
    for (size_t i = 0; i < graze_shape_part_count(placed->shape) && status == GRAZE_STATUS_OK; i++)
    {
        const graze_placed *part = &graze_shape_parts(placed->shape)[i];
        graze_placed inner = {part->shape, part->pose};
        status = graze_pose_compose(&placed->pose, &part->pose, &inner.pose, NULL);
        if (status == GRAZE_STATUS_OK)
            status = add_leaf(context, &inner, list);
    }
    if (status != GRAZE_STATUS_OK || graze_shape_get_kind(placed->shape) == GRAZE_SHAPE_COMPOUND)
        return status;
    if (list->count == list->capacity)
    {
        size_t capacity = list->capacity == 0 ? 8 : 2 * list->capacity;
        grz_clash_leaf *more = grz_reallocate(context, list->leaves, capacity, sizeof *more);
        if (more == NULL)
            return GRAZE_STATUS_OUT_OF_MEMORY;
        list->leaves = more;
        list->capacity = capacity;
    }
    const graze_clash_part as_part = {.shape = placed->shape};
    const graze_mesh *mesh = grz_clash_mesh_of(&as_part);
    list->leaves[list->count++] = (grz_clash_leaf){.placed = *placed, .mesh = {mesh, NULL, placed->pose}};
    return status;
}

/* The leaves of a part: itself, unless it is a compound. */
static graze_status list_leaves(const graze_context *context, const grz_clash_part *part, leaf_list *list)
{
    graze_status status = add_leaf(context, &part->placed_shape, list);
    if (status == GRAZE_STATUS_OK && !part->is_shape && list->leaves != NULL)
    {
        list->leaves[0].mesh = part->placed;
        list->leaves[0].body = part->body;
        list->leaves[0].is_open = !part->closed && !part->is_surface;
    }
    return status;
}

/* --- pairs of leaves --- */

static bool boxes_meet(const graze_placed *a, const graze_placed *b)
{
    graze_box x, y;
    if (graze_placed_bounds(a, &x) != GRAZE_STATUS_OK || graze_placed_bounds(b, &y) != GRAZE_STATUS_OK)
        return true;
    for (int axis = 0; axis < 3; axis++)
        if (x.lower[axis] > y.upper[axis] || y.lower[axis] > x.upper[axis])
            return false;
    return true;
}

/* What all pairs of leaves together have found. */
typedef struct union_measures
{
    size_t pairs; /* that overlap, or may */
    bool is_unknown, is_volume_known;
    double lower, upper; /* of the volume */
} union_measures;

static void unite(grz_clash_shape_measures *all, grz_clash_shape_measures *one, union_measures *u)
{
    u->pairs++;
    u->is_unknown = u->is_unknown || one->overlap == GRAZE_VERDICT_UNKNOWN;
    u->is_volume_known = u->is_volume_known && one->has_volume;
    u->lower = fmax(u->lower, one->volume - one->volume_error);
    u->upper += one->volume + one->volume_error;
    if (one->overlap == GRAZE_VERDICT_YES)
        all->overlap = GRAZE_VERDICT_YES;
    all->way_out[0] = fmax(all->way_out[0], one->way_out[0]);
    if (one->depth[0] > all->depth[0])
    {
        all->depth[0] = one->depth[0];
        memcpy(all->point, one->point, sizeof all->point);
        memcpy(all->nearest, one->nearest, sizeof all->nearest);
    }
    graze_region_destroy(one->region);
}

static graze_status measure_pair(const graze_context *context, const grz_clash_leaf *a, const grz_clash_leaf *b,
                                 double resolution, grz_clash_shape_measures *m)
{
    graze_shape_depth depth;
    graze_status status = graze_shape_pair_depth(context, &a->placed, &b->placed, NULL, &depth);
    if (status != GRAZE_STATUS_OK)
        return status;
    take_depth(&depth, m);
    return m->overlap != GRAZE_VERDICT_NO ? grz_clash_measure_leaves(context, a, b, resolution, m) : status;
}

static graze_status measure_compounds(const graze_context *context, const leaf_list lists[2], double resolution,
                                      grz_clash_shape_measures *m)
{
    union_measures u = {.is_volume_known = true};
    graze_status status = GRAZE_STATUS_OK;
    for (size_t i = 0; i < lists[0].count; i++)
        for (size_t k = 0; k < lists[1].count && status == GRAZE_STATUS_OK; k++)
        {
            const grz_clash_leaf *a = &lists[0].leaves[i], *b = &lists[1].leaves[k];
            grz_clash_shape_measures one = {.overlap = GRAZE_VERDICT_NO};
            if (!boxes_meet(&a->placed, &b->placed))
                continue;
            if (u.pairs >= MOST_PAIRS)
                return status; /* the volume remains unknown, and bounds that hold */
            memcpy(one.point, m->point, sizeof one.point);
            status = measure_pair(context, a, b, resolution, &one);
            if (one.overlap != GRAZE_VERDICT_NO)
                unite(m, &one, &u);
        }
    if (status != GRAZE_STATUS_OK)
        return status;
    if (m->overlap == GRAZE_VERDICT_UNKNOWN && !u.is_unknown)
        m->overlap = GRAZE_VERDICT_NO;
    m->has_volume = u.is_volume_known && u.pairs > 0;
    m->volume = 0.5 * u.lower + 0.5 * u.upper;
    m->volume_error = 0.5 * u.upper - 0.5 * u.lower;
    return status;
}

static graze_status measure(const graze_context *context, const leaf_list lists[2], double resolution,
                            grz_clash_shape_measures *m)
{
    bool are_leaves = lists[0].count == 1 && lists[1].count == 1;
    return are_leaves ? grz_clash_measure_leaves(context, &lists[0].leaves[0], &lists[1].leaves[0], resolution, m)
                      : measure_compounds(context, lists, resolution, m);
}

/* How long a capsule's core is in the world. */
static double core_length(const graze_placed *placed)
{
    const graze_mesh *core = graze_shape_mesh(placed->shape);
    const double *ends = graze_mesh_vertices(core), *m = placed->pose.m;
    double length = 0;
    for (int axis = 0; axis < 3 && graze_mesh_vertex_count(core) > 1; axis++)
    {
        double along = 0;
        for (int k = 0; k < 3; k++)
            along += m[4 * axis + k] * (ends[3 + k] - ends[k]);
        length = hypot(length, along);
    }
    return length;
}

bool grz_clash_volume_of(const grz_clash_part *part, double out_bounds[2])
{
    const graze_shape *shape = part->placed_shape.shape;
    double pi = 3.14159265358979323846, n[3] = {0, 0, 0}, radius = graze_shape_radius(shape), volume;
    graze_shape_numbers(shape, n, 3);
    switch (graze_shape_get_kind(shape))
    {
    case GRAZE_SHAPE_SPHERE:
        volume = 4.0 / 3 * pi * radius * radius * radius;
        break;
    case GRAZE_SHAPE_CAPSULE:
        volume = pi * radius * radius * (core_length(&part->placed_shape) + 4.0 / 3 * radius);
        break;
    case GRAZE_SHAPE_CYLINDER:
        volume = pi * n[1] * n[1] * n[0];
        break;
    case GRAZE_SHAPE_CONE:
        volume = pi * n[1] * n[1] * n[0] / 3;
        break;
    case GRAZE_SHAPE_ELLIPSOID:
        volume = 4.0 / 3 * pi * n[0] * n[1] * n[2];
        break;
    default:
        return false;
    }
    /* Poses are rigid up to 1e-9, so that volumes are off by less than 3e-9. */
    out_bounds[0] = volume * (1 - 4e-9);
    out_bounds[1] = volume * (1 + 4e-9);
    return isfinite(volume);
}

graze_status grz_clash_measure_shapes(const graze_context *context, const grz_clash_part *a, const grz_clash_part *b,
                                      const graze_shape_hit *hit, double resolution,
                                      grz_clash_shape_measures *out_measures)
{
    grz_clash_shape_measures m = {.overlap = GRAZE_VERDICT_UNKNOWN};
    leaf_list lists[2] = {{0}, {0}};
    graze_shape_depth depth;
    common_middle(a, b, m.point);
    if (hit != NULL && hit->has_point)
        memcpy(m.point, hit->point, sizeof m.point);
    memcpy(m.nearest, m.point, sizeof m.nearest);
    graze_status status = graze_shape_pair_depth(context, &a->placed_shape, &b->placed_shape, NULL, &depth);
    if (status != GRAZE_STATUS_OK)
        return status;
    take_depth(&depth, &m);
    if (m.overlap != GRAZE_VERDICT_NO)
    {
        status = list_leaves(context, a, &lists[0]);
        if (status == GRAZE_STATUS_OK)
            status = list_leaves(context, b, &lists[1]);
        if (status == GRAZE_STATUS_OK)
            status = measure(context, lists, resolution, &m);
    }
    grz_release(context, lists[0].leaves);
    grz_release(context, lists[1].leaves);
    if (status != GRAZE_STATUS_OK)
        graze_region_destroy(m.region);
    else
        *out_measures = m;
    return status;
}
