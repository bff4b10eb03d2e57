/* SPDX-License-Identifier: MIT */
/*
 * The table of methods by the forms of two leaves, without a hole, and the order in which two leaves are taken: one
 * that depends on shapes and poses only, so that swapped arguments give the swapped answer.
 */
#include "base/bits.h"
#include "pair/arguments.h"
#include "shape/query.h"

enum
{
    FORMS = 3 /* of leaves */
};

static const grz_leaf_methods core_core = {grz_core_core_decide, grz_core_core_distance, grz_core_core_depth};
static const grz_leaf_methods core_curved = {grz_core_curved_decide, grz_core_curved_distance, grz_core_curved_depth};
static const grz_leaf_methods core_plane = {grz_core_plane_decide, grz_core_plane_distance, grz_core_plane_depth};
static const grz_leaf_methods curved_curved = {grz_curved_curved_decide, grz_curved_curved_distance,
                                               grz_curved_curved_depth};
static const grz_leaf_methods curved_plane = {grz_curved_plane_decide, grz_curved_plane_distance,
                                              grz_curved_plane_depth};
static const grz_leaf_methods plane_plane = {grz_plane_plane_decide, grz_plane_plane_distance, grz_plane_plane_depth};

/* By grz_shape_form; the lesser form comes first. */
static const grz_leaf_methods *const table[FORMS][FORMS] = {
    {&core_core, &core_curved, &core_plane},
    {&core_curved, &curved_curved, &curved_plane},
    {&core_plane, &curved_plane, &plane_plane},
};

static int compare_numbers(const double *x, const double *y, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (grz_rank(x[i]) != grz_rank(y[i]))
            return grz_is_less(x[i], y[i]) ? -1 : 1;
    return 0;
}

static int compare_sizes(size_t x, size_t y)
{
    return (x > y) - (x < y);
}

static int compare_shapes(const graze_shape *x, const graze_shape *y);

/* Poses before shapes: they are short, and mostly differ. */
int grz_placed_compare(const graze_placed *a, const graze_placed *b) /* NOLINT(misc-no-recursion) */
{
    int order = (a->shape->form > b->shape->form) - (a->shape->form < b->shape->form);
    if (order == 0)
        order = (a->shape->kind > b->shape->kind) - (a->shape->kind < b->shape->kind);
    if (order == 0)
        order = compare_numbers(a->pose.m, b->pose.m, 12);
    return order != 0 || a->shape == b->shape ? order : compare_shapes(a->shape, b->shape);
}

static int compare_meshes(const graze_mesh *x, const graze_mesh *y)
{
    if (x == NULL || y == NULL || x == y)
        return 0;
    graze_placed_mesh a = {x, NULL, graze_pose_identity()}, b = {y, NULL, graze_pose_identity()};
    return grz_arguments_swapped(&a, &b) ? 1 : grz_arguments_swapped(&b, &a) ? -1 : 0;
}

/* Shapes of one kind. */
static int compare_shapes(const graze_shape *x, const graze_shape *y) /* NOLINT(misc-no-recursion) */
{
    int order = compare_numbers(&x->radius, &y->radius, 1);
    if (order == 0)
        order = compare_numbers(x->numbers, y->numbers, 4);
    if (order == 0)
        order = (x->solid ? 1 : 0) - (y->solid ? 1 : 0);
    if (order == 0)
        order = compare_meshes(x->mesh, y->mesh);
    if (order == 0)
        order = compare_sizes(x->part_count, y->part_count);
    for (size_t i = 0; order == 0 && i < x->part_count; i++)
        order = grz_placed_compare(&x->parts[i], &y->parts[i]);
    return order;
}

bool grz_query_swaps(const grz_shape_query *q, const graze_placed *a, const graze_placed *b)
{
    return q->cache != NULL ? a->shape->form > b->shape->form : grz_placed_compare(a, b) > 0;
}

grz_shape_query *grz_shape_call_begin(grz_shape_call *call, const graze_context *context, const graze_budget *budget,
                                      graze_shape_cache *cache)
{
    grz_environment_enter_default(&call->environment);
    call->query = (grz_shape_query){.context = context, .cache = cache};
    if (budget->progress != NULL || budget->box_tests > 0 || budget->seconds > 0)
    {
        call->monitor = grz_monitor_make(budget);
        call->query.monitor = grz_monitor_is_needed(&call->monitor) ? &call->monitor : NULL;
    }
    return &call->query;
}

void grz_shape_call_end(grz_shape_call *call, graze_stats *out_stats)
{
    if (out_stats != NULL)
        *out_stats = call->query.stats;
    grz_environment_leave_default(&call->environment);
}

graze_status grz_leaves_decide(grz_shape_query *q, const graze_placed *a, const graze_placed *b, grz_reach reach,
                               graze_verdict *out_verdict, graze_shape_hit *out_hit)
{
    const grz_leaf_methods *methods = table[a->shape->form][b->shape->form];
    bool swapped = grz_query_swaps(q, a, b);
    graze_status status = swapped ? methods->decide(q, b, a, reach, out_verdict, out_hit)
                                  : methods->decide(q, a, b, reach, out_verdict, out_hit);
    if (status == GRAZE_STATUS_OK && swapped && out_hit != NULL && *out_verdict == GRAZE_VERDICT_YES)
        grz_shape_hit_swap(out_hit);
    return status;
}

graze_status grz_leaves_distance(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                                 const graze_shape_distance_options *wanted, graze_shape_distance *out_distance)
{
    const grz_leaf_methods *methods = table[a->shape->form][b->shape->form];
    bool swapped = grz_query_swaps(q, a, b);
    graze_status status =
        swapped ? methods->distance(q, b, a, wanted, out_distance) : methods->distance(q, a, b, wanted, out_distance);
    if (status == GRAZE_STATUS_OK && swapped)
        grz_shape_distance_swap(out_distance);
    return status;
}

graze_status grz_leaves_depth(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                              const graze_shape_depth_options *wanted, graze_shape_depth *out_depth)
{
    const grz_leaf_methods *methods = table[a->shape->form][b->shape->form];
    bool swapped = grz_query_swaps(q, a, b);
    graze_status status =
        swapped ? methods->depth(q, b, a, wanted, out_depth) : methods->depth(q, a, b, wanted, out_depth);
    if (status == GRAZE_STATUS_OK && swapped)
        grz_shape_depth_swap(out_depth);
    return status;
}
