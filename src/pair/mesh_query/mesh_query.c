/* SPDX-License-Identifier: MIT */
/*
 * Queries of one placed mesh; see graze/mesh_query.h. Each is a pair query with a small mesh that stands for the
 * ray, the box or the point (query_mesh.h).
 *
 * A box is a body: beside the triangles that meet its surface, those inside count. A triangle that does not meet the
 * surface is inside where one of its corners is. The BVH in the world's frame finds the triangles to test: what is
 * below a node whose AABB lies in the box is inside, what is below one whose AABB is disjoint from it is not. A point
 * is a box without size: the triangles of leaves around it are tested, and no pair query is needed. (As a mesh it would
 * be too small beside most trees for a traversal of both.)
 */
#include "graze/mesh_query.h"

#include <string.h>

#include "base/array.h"
#include "base/environment.h"
#include "base/struct_size.h"
#include "math/aabb.h"
#include "mesh/mesh.h"
#include "pair/aabb.h"
#include "pair/arguments.h"
#include "pair/mesh_query/cast_ray.h"
#include "pair/mesh_query/query_mesh.h"
#include "pair/subquery.h"
#include "pair/world_tree.h"

static graze_status cast_ray(const graze_context *context, const graze_placed_mesh *mesh, const double origin[3],
                             const double direction[3], double limit, const graze_pair_options *options,
                             bool *out_found, graze_mesh_ray_hit *out_hit)
{
    grz_query_ray ray;
    graze_mesh_ray_hit hit;
    bool found = false;
    graze_status status = grz_check_arguments(mesh, mesh);
    if (status == GRAZE_STATUS_OK)
        status = grz_query_ray_make(origin, direction, limit, &ray);
    if (status == GRAZE_STATUS_OK && mesh->mesh->triangle_count > 0)
    {
        graze_box box = grz_aabb_of_mesh(mesh->mesh, &mesh->pose);
        status = grz_cast_ray(context, &ray, mesh, &box, options, &found, &hit);
    }
    if (status != GRAZE_STATUS_OK)
        return status;
    *out_found = found;
    if (found && out_hit != NULL)
        *out_hit = hit;
    return GRAZE_STATUS_OK;
}

graze_status graze_placed_mesh_cast_ray(const graze_context *context, const graze_placed_mesh *mesh,
                                        const double origin[3], const double direction[3], double limit,
                                        const graze_pair_options *options, bool *out_found, graze_mesh_ray_hit *out_hit)
{
    GRZ_FULL_STRUCT(graze_pair_options, options);
    if (mesh == NULL || origin == NULL || direction == NULL || out_found == NULL || !options_fits)
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_environment environment;
    grz_environment_enter_default(&environment);
    graze_status status = cast_ray(context, mesh, origin, direction, limit, options, out_found, out_hit);
    grz_environment_leave_default(&environment);
    return status;
}

/* A box query under way. */
typedef struct box_query
{
    const graze_placed_mesh *mesh;
    const graze_box *box;
    bool is_point; /* the box has no size */
    grz_world_tree world;
    uint64_t *met; /* one bit a triangle */
    grz_monitor *monitor;
} box_query;

static bool is_met(const box_query *q, uint32_t triangle)
{
    return (q->met[triangle / 64] >> triangle % 64 & 1) != 0;
}

static void set_met(box_query *q, uint32_t triangle)
{
    q->met[triangle / 64] |= UINT64_C(1) << triangle % 64;
}

static bool keep_surface_hit(void *user, const graze_hit *hit)
{
    set_met(user, hit->triangle_b);
    return true;
}

/* Whether a corner lies in the box: by intervals, or exactly. */
static bool is_corner_inside(const box_query *q, const double *corner)
{
    interval at[3];
    const graze_placed_point point = {corner, &q->mesh->pose}, lower = {q->box->lower, NULL},
                             upper = {q->box->upper, NULL};
    grz_place_point(corner, &q->mesh->pose, at);
    for (int axis = 0; axis < 3; axis++)
        /* shortcut: corners-in-query-boxes */
        if (at[axis].upper < q->box->lower[axis] || at[axis].lower > q->box->upper[axis])
            return false;
    for (int axis = 0; axis < 3; axis++)
    {
        if (at[axis].lower >= q->box->lower[axis] && at[axis].upper <= q->box->upper[axis])
            continue;
        grz_monitor_exact_tests(q->monitor, 2);
        if (graze_point_compare_placed(&point, &lower, axis) < 0 ||
            graze_point_compare_placed(&point, &upper, axis) > 0)
            return false;
    }
    return true;
}

/* Whether the point that the box is lies on a triangle: by intervals, or exactly. */
static bool is_point_on(const box_query *q, uint32_t triangle)
{
    const graze_mesh *mesh = q->mesh->mesh;
    const double *point = q->box->lower;
    const uint32_t *corners = mesh->triangles + 3 * (size_t)triangle;
    grz_placed_aabb around = grz_aabb_of_triangle(mesh, triangle, &q->mesh->pose);
    for (int axis = 0; axis < 3; axis++)
        /* shortcut: points-off-triangles */
        if (around.axes[axis].upper < point[axis] || around.axes[axis].lower > point[axis])
            return false;
    graze_placed_triangle at_point = {{point, point, point}, NULL};
    graze_placed_triangle surface = {
        {grz_mesh_vertex(mesh, corners[0]), grz_mesh_vertex(mesh, corners[1]), grz_mesh_vertex(mesh, corners[2])},
        &q->mesh->pose};
    grz_monitor_exact_tests(q->monitor, 1);
    return graze_triangle_collide(&at_point, &surface).found;
}

static void test_triangle(box_query *q, uint32_t triangle)
{
    const graze_mesh *mesh = q->mesh->mesh;
    if (q->is_point)
    {
        if (is_point_on(q, triangle))
            set_met(q, triangle);
    }
    else if (!is_met(q, triangle) && is_corner_inside(q, grz_mesh_vertex(mesh, mesh->triangles[3 * (size_t)triangle])))
        set_met(q, triangle);
}

/* Triangles below a node; all of them lie in the box where `inside` says so. Trees are no deeper than
   GRZ_TREE_MAX_DEPTH. */
static void walk_node(box_query *q, uint32_t index, bool inside) /* NOLINT(misc-no-recursion) */
{
    const graze_tree *tree = q->world.tree;
    const uint32_t *children = tree->nodes[index].children;
    grz_world_aabbs boxes;
    if (!grz_monitor_box_tests(q->monitor, GRZ_TREE_WIDTH))
        return;
    grz_world_tree_child_aabbs(&q->world, index, &boxes);
    for (int lane = 0; lane < GRZ_TREE_WIDTH && children[lane] != GRZ_NO_CHILD; lane++)
    {
        bool apart = false, within = true;
        for (int axis = 0; axis < 3 && !inside; axis++)
        {
            double lower = boxes.lower[axis][lane], upper = boxes.upper[axis][lane];
            apart = apart || lower > q->box->upper[axis] || upper < q->box->lower[axis];
            within = within && lower >= q->box->lower[axis] && upper <= q->box->upper[axis];
        }
        /* shortcut: nodes-in-query-boxes */
        if (apart)
            continue;
        if ((children[lane] & GRZ_LEAF_FLAG) == 0)
        {
            walk_node(q, children[lane], within);
            continue;
        }
        const grz_leaf *leaf = &tree->leaves[children[lane] & ~GRZ_LEAF_FLAG];
        for (uint32_t i = 0; i < leaf->count; i++)
        {
            if (within)
                set_met(q, tree->order[leaf->first + i]);
            else
                test_triangle(q, tree->order[leaf->first + i]);
        }
    }
}

static void find_inside(box_query *q)
{
    if (q->world.tree != NULL)
        walk_node(q, 0, false);
    else
        for (uint32_t t = 0; t < q->mesh->mesh->triangle_count && grz_monitor_box_tests(q->monitor, 1); t++)
            test_triangle(q, t);
}

/* Marks the triangles that meet the surface of the box. */
static graze_status find_on_surface(const graze_context *context, box_query *q, graze_stats *stats)
{
    grz_query_mesh probe;
    graze_status status = grz_query_mesh_box(context, q->box, &probe);
    if (status != GRAZE_STATUS_OK)
        return status;
    graze_pair_options options = grz_subquery_options(q->monitor, stats);
    grz_monitor_stage(q->monitor, 0.9);
    status = graze_pair_visit(context, &probe.placed, q->mesh, &options, keep_surface_hit, q);
    status = grz_subquery_end(q->monitor, status, stats);
    grz_query_mesh_release(&probe);
    return status;
}

/* Marks all triangles that share a point with the box. */
static graze_status find_met(const graze_context *context, box_query *q, graze_stats *stats)
{
    graze_status status = q->is_point ? GRAZE_STATUS_OK : find_on_surface(context, q, stats);
    if (status != GRAZE_STATUS_OK)
        return status;
    grz_monitor_stage(q->monitor, 1);
    find_inside(q);
    stats->box_tests = q->monitor->box_tests;
    return grz_monitor_status(q->monitor);
}

static size_t list_met(const box_query *q, uint32_t *triangles, size_t capacity)
{
    size_t count = 0;
    for (uint32_t t = 0; t < q->mesh->mesh->triangle_count; t++)
    {
        if (q->met[t / 64] == 0)
            t |= 63; /* to the end of the word */
        else if (is_met(q, t))
        {
            if (count < capacity)
                triangles[count] = t;
            count++;
        }
    }
    return count;
}

static graze_status collide_box(const graze_context *context, const graze_placed_mesh *mesh, const graze_box *box,
                                const graze_pair_options *options, uint32_t *triangles, size_t capacity,
                                size_t *out_count)
{
    graze_stats stats = {0};
    graze_status status = grz_check_arguments(mesh, mesh);
    if (status == GRAZE_STATUS_OK)
        status = grz_aabb_check(box);
    if (status != GRAZE_STATUS_OK)
        return status;
    grz_monitor monitor = grz_monitor_make(options != NULL ? &options->budget : NULL);
    box_query q = {.mesh = mesh, .box = box, .monitor = &monitor};
    q.is_point = box->lower[0] == box->upper[0] && box->lower[1] == box->upper[1] && box->lower[2] == box->upper[2];
    q.world = grz_world_tree_make(mesh->mesh, mesh->tree, &mesh->pose);
    q.met = grz_allocate_zeroed(context, mesh->mesh->triangle_count / 64 + 1, sizeof *q.met);
    if (q.met == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    if (mesh->mesh->triangle_count > 0)
        status = find_met(context, &q, &stats);
    if (options != NULL && options->stats != NULL)
        *options->stats = stats;
    if (status == GRAZE_STATUS_OK)
        *out_count = list_met(&q, triangles, capacity);
    grz_release(context, q.met);
    return status;
}

graze_status graze_placed_mesh_collide_box(const graze_context *context, const graze_placed_mesh *mesh,
                                           const graze_box *box, const graze_pair_options *options, uint32_t *triangles,
                                           size_t capacity, size_t *out_count)
{
    GRZ_FULL_STRUCT(graze_pair_options, options);
    if (mesh == NULL || box == NULL || out_count == NULL || (triangles == NULL && capacity > 0) || !options_fits)
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_environment environment;
    grz_environment_enter_default(&environment);
    graze_status status = collide_box(context, mesh, box, options, triangles, capacity, out_count);
    grz_environment_leave_default(&environment);
    return status;
}

graze_status graze_placed_mesh_collide_point(const graze_context *context, const graze_placed_mesh *mesh,
                                             const double point[3], const graze_pair_options *options,
                                             uint32_t *triangles, size_t capacity, size_t *out_count)
{
    if (point == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    const graze_box box = {{point[0], point[1], point[2]}, {point[0], point[1], point[2]}};
    return graze_placed_mesh_collide_box(context, mesh, &box, options, triangles, capacity, out_count);
}

graze_status graze_placed_mesh_nearest_to_point(const graze_context *context, const graze_placed_mesh *mesh,
                                                const double point[3], const graze_distance_options *options,
                                                graze_distance *out_distance)
{
    if (mesh == NULL || point == NULL || out_distance == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_query_mesh probe;
    graze_status status = grz_query_mesh_point(context, point, &probe);
    if (status != GRAZE_STATUS_OK)
        return status;
    status = graze_pair_distance(context, &probe.placed, mesh, options, out_distance);
    grz_query_mesh_release(&probe);
    return status;
}
