/* SPDX-License-Identifier: MIT */
/* Bodies and placed bodies; see body.h. */
#include "pair/solid/body.h"

#include "base/environment.h"
#include "base/memory.h"
#include "graze/self.h"
#include "mesh/examine.h"
#include "mesh/union_find.h"
#include "pair/subquery.h"

/* Numbers the shells. */
static void find_shells(graze_body *body)
{
    uint32_t count = (uint32_t)body->mesh->triangle_count, *parents = body->shells, joined = 0;
    for (uint32_t t = 0; t < count; t++)
        parents[t] = t;
    for (uint32_t t = 0; t < count; t++)
        for (uint32_t h = 3 * t; h < 3 * t + 3; h++)
        {
            uint32_t twin = body->adjacency.twins[h];
            if (twin != GRAZE_NO_HALF_EDGE && twin > h && parents[t] != parents[twin / 3])
                joined += grz_union_find_join(parents, t, twin / 3);
        }
    if (joined + 1 == count) /* one shell: the usual case */
    {
        memset(parents, 0, count * sizeof *parents);
        body->shell_count = 1;
        return;
    }
    for (uint32_t t = 0; t < count; t++)
        parents[t] = grz_union_find_root(parents, t);
    for (uint32_t t = 0; t < count; t++) /* the root, the smallest one of its set, has its number already */
        parents[t] = parents[t] == t ? (uint32_t)body->shell_count++ : parents[parents[t]];
}

static graze_status make_parts(const graze_context *context, graze_body *body)
{
    const graze_mesh *mesh = body->mesh;
    body->corners = grz_allocate(context, body->adjacency.component_count, sizeof *body->corners);
    body->shells = grz_allocate(context, mesh->triangle_count, sizeof *body->shells);
    if (body->corners == NULL || body->shells == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    /* Components are numbered by their first triangle corner. */
    for (size_t i = 0, found = 0; found < body->adjacency.component_count; i++)
        if (body->adjacency.components[body->adjacency.merged[mesh->triangles[i]]] == found)
            body->corners[found++] = (uint32_t)i;
    find_shells(body);
    body->interior_sides = grz_allocate_zeroed(context, body->shell_count, sizeof *body->interior_sides);
    return body->interior_sides == NULL ? GRAZE_STATUS_OUT_OF_MEMORY : GRAZE_STATUS_OK;
}

graze_status grz_body_create(const graze_context *context, const graze_mesh *mesh, grz_monitor *monitor,
                             graze_body **out_body)
{
    graze_body *body = grz_allocate_zeroed(context, 1, sizeof *body);
    if (body == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    body->context = grz_context_copy(context);
    body->mesh = mesh;
    body->identity = mesh->identity;
    graze_status status = grz_twins_make(context, mesh, monitor, &body->adjacency);
    if (status == GRAZE_STATUS_OK)
        status = make_parts(context, body);
    if (status != GRAZE_STATUS_OK)
    {
        graze_body_destroy(body);
        return status;
    }
    size_t numbers = 3 * mesh->vertex_count + 4 * mesh->triangle_count + body->adjacency.component_count;
    body->memory_size = sizeof *body + numbers * sizeof(uint32_t) + body->shell_count;
    *out_body = body;
    return GRAZE_STATUS_OK;
}

graze_status graze_body_create(const graze_context *context, const graze_mesh *mesh, const graze_budget *budget,
                               graze_body **out_body)
{
    if (mesh == NULL || out_body == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_monitor monitor = grz_monitor_make_for_mesh(budget);
    return grz_body_create(context, mesh, budget != NULL ? &monitor : NULL, out_body);
}

graze_status graze_body_create_surface(const graze_context *context, const graze_mesh *mesh, const graze_budget *budget,
                                       graze_body **out_body)
{
    graze_status status = graze_body_create(context, mesh, budget, out_body);
    if (status == GRAZE_STATUS_OK)
        (*out_body)->adjacency.closed = false;
    return status;
}

void graze_body_destroy(graze_body *body)
{
    if (body == NULL)
        return;
    graze_context context = body->context;
    grz_twins_release(&context, &body->adjacency);
    grz_release(&context, body->corners);
    grz_release(&context, body->shells);
    grz_release(&context, body->interior_sides);
    grz_release(&context, body);
}

bool graze_body_is_closed(const graze_body *body)
{
    return body != NULL && body->adjacency.closed;
}

const uint32_t *graze_body_twins(const graze_body *body)
{
    return body != NULL ? body->adjacency.twins : NULL;
}

size_t graze_body_memory_size(const graze_body *body)
{
    return body != NULL ? body->memory_size : 0;
}

static bool all_triangles_have_area(const graze_mesh *mesh, grz_monitor *monitor)
{
    for (size_t t = 0; t < mesh->triangle_count && grz_monitor_elements(monitor, 1); t++)
        if (grz_view_with_area(grz_triangle_corner(mesh, t, 0), grz_triangle_corner(mesh, t, 1),
                               grz_triangle_corner(mesh, t, 2)) < 0)
            return false;
    return true;
}

static graze_status examine_convexity(const graze_context *context, const graze_body *body, grz_monitor *monitor,
                                      bool *out_convex)
{
    *out_convex = false;
    grz_environment environment;
    grz_environment_enter(&environment);
    graze_status status = GRAZE_STATUS_OK;
    if (all_triangles_have_area(body->mesh, monitor))
    {
        graze_topology *triangles;
        status = grz_topology_create_over_triangles(context, body->mesh, monitor, &triangles);
        if (status == GRAZE_STATUS_OK)
        {
            *out_convex = grz_is_convex_body(triangles, monitor);
            graze_topology_destroy(triangles);
        }
    }
    grz_environment_leave(&environment);
    return status == GRAZE_STATUS_OK ? grz_monitor_status(monitor) : status;
}

/* Two threads that ask at once both examine the mesh, with the same result. */
graze_status grz_body_is_convex(const graze_context *context, const graze_body *body, grz_monitor *monitor,
                                bool *out_convex)
{
    *out_convex = false;
    if (!body->adjacency.closed || !body->adjacency.oriented)
        return GRAZE_STATUS_OK;
    /* shortcut: known-convexity */
    int known = atomic_load_explicit(&body->convexity, memory_order_relaxed);
    if (known != GRZ_CONVEXITY_UNKNOWN)
    {
        *out_convex = known == GRZ_CONVEXITY_YES;
        return GRAZE_STATUS_OK;
    }
    graze_status status = examine_convexity(context, body, monitor, out_convex);
    atomic_int *kept = (atomic_int *)(uintptr_t)&body->convexity; /* changes after creation */
    if (status == GRAZE_STATUS_OK)
        atomic_store_explicit(kept, *out_convex ? GRZ_CONVEXITY_YES : GRZ_CONVEXITY_NO, memory_order_relaxed);
    return status;
}

graze_status grz_body_meets_itself(const graze_context *context, const graze_body *body, const graze_tree *tree,
                                   grz_monitor *monitor, bool *out_meets)
{
    /* shortcut: known-self-contact */
    int known = atomic_load_explicit(&body->self_contact, memory_order_relaxed);
    *out_meets = known == GRZ_SELF_CONTACT_FOUND;
    if (known != GRZ_SELF_CONTACT_UNKNOWN)
        return GRAZE_STATUS_OK;
    const graze_self_subject subject = {body->mesh, tree, true};
    graze_stats stats;
    graze_pair_options options = grz_subquery_options(monitor, &stats);
    graze_status status = graze_self_any(context, &subject, &options, out_meets, NULL);
    status = grz_subquery_end(monitor, status, &stats);
    atomic_int *kept = (atomic_int *)(uintptr_t)&body->self_contact; /* changes after creation */
    if (status == GRAZE_STATUS_OK)
        atomic_store_explicit(kept, *out_meets ? GRZ_SELF_CONTACT_FOUND : GRZ_SELF_CONTACT_NONE, memory_order_relaxed);
    return status;
}

static void widen(grz_component_extent *extent, grz_placed_aabb *hull, const interval placed[3])
{
    for (int axis = 0; axis < 3; axis++)
    {
        extent->lower[axis] = interval_min2(extent->lower[axis], placed[axis].upper);
        extent->upper[axis] = interval_max2(extent->upper[axis], placed[axis].lower);
        hull->axes[axis] = interval_hull(hull->axes[axis], placed[axis]);
    }
}

/* The component of a vertex of the mesh, or GRAZE_NO_HALF_EDGE when no triangle uses it. */
static inline uint32_t component_of(const graze_body *body, uint32_t vertex)
{
    return body->adjacency.components[body->adjacency.merged[vertex]];
}

static void find_extents(grz_placed_body *side)
{
    const graze_mesh *mesh = side->placed->mesh;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
    {
        uint32_t component = component_of(side->body, v);
        if (component == GRAZE_NO_HALF_EDGE)
            continue;
        interval placed[3];
        grz_place_point(grz_mesh_vertex(mesh, v), &side->placed->pose, placed);
        widen(&side->extents[component], &side->hull, placed);
    }
}

static inline void include(grz_component_extent *extent, const double lower[3], const double upper[3])
{
    for (int axis = 0; axis < 3; axis++)
    {
        extent->lower[axis] = lower[axis] < extent->lower[axis] ? lower[axis] : extent->lower[axis];
        extent->upper[axis] = upper[axis] > extent->upper[axis] ? upper[axis] : extent->upper[axis];
    }
}

static const grz_component_extent no_extent = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

/* The extents of each component's placed vertices, computed in doubles without error bounds. Consecutive vertices
   mostly belong to the same component, so each run of them is accumulated in a local variable first. */
static void accumulate_extents(grz_placed_body *side)
{
    const graze_mesh *mesh = side->placed->mesh;
    const double *m = side->placed->pose.m;
    grz_component_extent run = no_extent;
    uint32_t current = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
    {
        const double *p = grz_mesh_vertex(mesh, v);
        uint32_t component = component_of(side->body, v);
        if (component == GRAZE_NO_HALF_EDGE)
            continue;
        if (component != current)
        {
            include(&side->extents[current], run.lower, run.upper);
            run = no_extent;
            current = component;
        }
        const double placed[3] = {m[0] * p[0] + m[1] * p[1] + m[2] * p[2] + m[3],
                                  m[4] * p[0] + m[5] * p[1] + m[6] * p[2] + m[7],
                                  m[8] * p[0] + m[9] * p[1] + m[10] * p[2] + m[11]};
        include(&run, placed, placed);
    }
    if (side->body->adjacency.component_count > 0)
        include(&side->extents[current], run.lower, run.upper);
}

/*
 * find_extents with one error bound per axis for all vertices: that of a single placed coordinate (aabb.c), with the
 * largest magnitude of each term over the AABB of the mesh. False when numbers are too large.
 */
static bool find_extents_quickly(grz_placed_body *side)
{
    const graze_mesh *mesh = side->placed->mesh;
    double errors[3];
    for (int axis = 0; axis < 3; axis++)
    {
        const double *row = side->placed->pose.m + 4 * axis;
        double size = fabs(row[3]), factors = 1;
        for (int k = 0; k < 3; k++)
        {
            double reach = interval_max2(fabs(mesh->lower[k]), fabs(mesh->upper[k]));
            size += fabs(row[k]) * reach;
            factors += fabs(row[k]) + reach;
        }
        if (!(size < 0x1p1000 && factors < 0x1p1000))
            return false;
        errors[axis] = 16 * GRZ_U * size + 8 * GRZ_SMALLEST_NORMAL * factors;
    }
    accumulate_extents(side);
    for (size_t c = 0; c < side->body->adjacency.component_count; c++)
    {
        grz_component_extent *extent = &side->extents[c];
        for (int axis = 0; axis < 3; axis++)
        {
            interval around = {extent->lower[axis] - errors[axis], extent->upper[axis] + errors[axis]};
            side->hull.axes[axis] = interval_hull(side->hull.axes[axis], around);
            extent->lower[axis] += errors[axis];
            extent->upper[axis] -= errors[axis];
        }
    }
    return true;
}

/* The extents of the components, and the AABB of all of them. */
static bool make_extents(const graze_context *context, grz_placed_body *side)
{
    size_t count = side->body->adjacency.component_count;
    side->extents = grz_allocate(context, count, sizeof *side->extents);
    if (side->extents == NULL)
        return false;
    side->hull = grz_placed_aabbs_union(NULL, 0);
    for (size_t c = 0; c < count; c++)
        side->extents[c] = no_extent;
    if (!find_extents_quickly(side))
        find_extents(side);
    return true;
}

graze_status grz_placed_body_make(const graze_context *context, const graze_placed_mesh *placed,
                                  const graze_body *known, grz_monitor *monitor, grz_placed_body *out_side)
{
    if (known != NULL && (known->mesh != placed->mesh || !grz_identity_equal(known->identity, placed->mesh->identity)))
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_placed_body side = {.placed = placed, .body = known, .monitor = monitor};
    if (known == NULL)
    {
        graze_status status = grz_body_create(context, placed->mesh, monitor, &side.own);
        if (status != GRAZE_STATUS_OK)
            return status;
        side.body = side.own;
    }
    side.world = grz_world_tree_make(placed->mesh, placed->tree, &placed->pose);
    if (side.world.tree == NULL)
        side.boxes = grz_placed_aabbs_make(context, placed->mesh, &placed->pose, monitor);
    if ((side.world.tree == NULL && side.boxes == NULL) || !make_extents(context, &side))
    {
        grz_placed_body_release(context, &side);
        return grz_monitor_or_memory(monitor);
    }
    *out_side = side;
    return GRAZE_STATUS_OK;
}

void grz_placed_body_release(const graze_context *context, grz_placed_body *side)
{
    graze_body_destroy(side->own);
    grz_release(context, side->boxes);
    grz_release(context, side->extents);
}

grz_body_view grz_placed_body_view(const grz_placed_body *side)
{
    return (grz_body_view){
        side->placed->mesh, &side->placed->pose, side->world, side->boxes, side->body->adjacency.oriented,
        side->monitor};
}
