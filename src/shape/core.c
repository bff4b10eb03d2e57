/* SPDX-License-Identifier: MIT */
/* Cores as meshes; see core.h. */
#include "shape/core.h"

#include <string.h>

#include "exact/distance.h"
#include "pair/distance/tolerance.h"
#include "pair/solid/body.h"
#include "pair/subquery.h"

graze_status grz_core_mesh(grz_shape_query *q, const graze_placed *core, graze_placed_mesh *out)
{
    const graze_tree *tree = core->shape->tree;
    graze_status status = GRAZE_STATUS_OK;
    if (tree == NULL && core->shape->mesh->triangle_count > 0)
    {
        graze_budget budget = grz_monitor_budget(q->monitor);
        budget.box_tests = 0; /* a tree is made once */
        status = grz_derived_tree(grz_shape_derived(core->shape), &budget, &tree);
        status = grz_monitor_end_step(q->monitor, status, 0);
    }
    if (status == GRAZE_STATUS_OK)
        *out = (graze_placed_mesh){core->shape->mesh, tree, core->pose};
    return status;
}

static graze_status body_of(grz_shape_query *q, const graze_shape *shape, const graze_body **out_body)
{
    graze_budget budget = grz_monitor_budget(q->monitor);
    budget.box_tests = 0;
    graze_status status = grz_derived_body(grz_shape_derived(shape), &budget, out_body);
    return grz_monitor_end_step(q->monitor, status, 0);
}

/* A solid core, prepared for point location. `usable` says whether it bounds a solid. */
typedef struct solid_core
{
    graze_placed_mesh placed;
    grz_placed_body body; /* made where the tree cannot be used in the world */
    bool has_body;
    grz_body_view view;
    bool usable;
} solid_core;

static graze_status make_solid(grz_shape_query *q, const graze_placed *core, solid_core *out)
{
    const graze_body *body;
    out->usable = out->has_body = false;
    if (!core->shape->solid || core->shape->mesh->triangle_count == 0)
        return GRAZE_STATUS_OK;
    graze_status status = body_of(q, core->shape, &body);
    if (status != GRAZE_STATUS_OK || !graze_body_is_closed(body))
        return status;
    status = grz_core_mesh(q, core, &out->placed);
    if (status != GRAZE_STATUS_OK)
        return status;
    out->usable = true;
    out->view = (grz_body_view){.mesh = core->shape->mesh,
                                .pose = &out->placed.pose,
                                .world = grz_world_tree_make(core->shape->mesh, out->placed.tree, &out->placed.pose),
                                .oriented = body->adjacency.oriented,
                                .monitor = q->monitor};
    if (out->view.world.tree != NULL)
        return status;
    status = grz_placed_body_make(q->context, &out->placed, body, q->monitor, &out->body);
    out->usable = out->has_body = status == GRAZE_STATUS_OK;
    if (out->usable)
        out->view = grz_placed_body_view(&out->body);
    return status;
}

static void release_solid(grz_shape_query *q, solid_core *solid)
{
    if (solid->has_body)
        grz_placed_body_release(q->context, &solid->body);
}

graze_status grz_core_holds_point(grz_shape_query *q, const graze_placed *core, const double point[3],
                                  const graze_pose *pose, bool *out_inside)
{
    solid_core solid;
    graze_status status = make_solid(q, core, &solid);
    if (status != GRAZE_STATUS_OK)
        return status;
    *out_inside = false;
    if (solid.usable)
    {
        *out_inside = grz_locate_point(&solid.view, point, pose) == GRAZE_LOCATION_INSIDE;
        status = grz_monitor_status(q->monitor);
    }
    release_solid(q, &solid);
    return status;
}

/* Whether a component of `inner` lies inside the solid `outer`; surfaces share no point. */
graze_status grz_core_nested_in(grz_shape_query *q, const graze_placed *inner, const graze_placed *outer,
                                bool *out_nested, graze_shape_hit *out_hit)
{
    const graze_mesh *mesh = inner->shape->mesh;
    solid_core solid;
    *out_nested = false;
    if (mesh->triangle_count == 0 || !outer->shape->solid)
        return GRAZE_STATUS_OK;
    const graze_body *surface = NULL;
    graze_status status = make_solid(q, outer, &solid);
    if (status != GRAZE_STATUS_OK || !solid.usable)
        return status;
    if (inner->shape->hull == NULL) /* others have one component */
        status = body_of(q, inner->shape, &surface);
    size_t count = status != GRAZE_STATUS_OK ? 0 : surface != NULL ? surface->adjacency.component_count : 1;
    for (size_t i = 0; i < count && !*out_nested && grz_monitor_work(q->monitor, 1); i++)
    {
        const double *corner =
            surface != NULL ? grz_body_component_corner(surface, i) : grz_mesh_vertex(mesh, mesh->triangles[0]);
        *out_nested = grz_locate_point(&solid.view, corner, &inner->pose) == GRAZE_LOCATION_INSIDE;
        if (*out_nested)
        {
            double point[3];
            graze_pose_apply(&inner->pose, corner, point);
            grz_shape_hit_set_point(out_hit, point);
        }
    }
    release_solid(q, &solid);
    return status == GRAZE_STATUS_OK ? grz_monitor_status(q->monitor) : status;
}

graze_status grz_cores_nested(grz_shape_query *q, const graze_placed *a, const graze_placed *b, bool *out_nested,
                              graze_shape_hit *out_hit)
{
    graze_status status = grz_core_nested_in(q, a, b, out_nested, out_hit);
    return status == GRAZE_STATUS_OK && !*out_nested ? grz_core_nested_in(q, b, a, out_nested, out_hit) : status;
}

/* ---- surfaces ---- */

/* The corners of a triangle pair, for constructions. */
static void corners_of(const graze_placed_mesh *placed, uint32_t triangle, graze_placed_triangle *out)
{
    out->pose = &placed->pose;
    for (size_t c = 0; c < 3; c++)
        out->corners[c] = grz_triangle_corner(placed->mesh, triangle, c);
}

/* A point between the closest points of two triangles, on the share of the way that the radius of the first has. */
static void set_point_between(const graze_placed *a, const graze_placed *b, const graze_placed_triangle *first,
                              const graze_placed_triangle *second, graze_shape_hit *hit)
{
    grz_points points;
    grz_exact_distance found;
    double sum = a->shape->radius / 2 + b->shape->radius / 2, share = sum > 0 ? a->shape->radius / 2 / sum : 0.5;
    grz_points_start(&points, NULL);
    for (int i = 0; i < 6; i++)
        grz_points_add(&points, i < 3 ? first->corners[i] : second->corners[i - 3], i < 3 ? first->pose : second->pose);
    grz_triangles_distance(&points, &found);
    for (int k = 0; k < 3; k++)
        found.point_a[k] += share * (found.point_b[k] - found.point_a[k]);
    grz_shape_hit_set_point(hit, found.point_a);
}

static void set_hit(const graze_placed *a, const graze_placed *b, const graze_placed_mesh *first,
                    const graze_placed_mesh *second, graze_shape_hit *hit)
{
    graze_placed_triangle x, y;
    corners_of(first, hit->triangle_a, &x);
    corners_of(second, hit->triangle_b, &y);
    graze_intersection common = graze_triangle_intersection(&x, &y);
    if (common.count > 0)
        grz_shape_hit_set_point(hit, common.points[0]);
    else
        set_point_between(a, b, &x, &y, hit);
}

void grz_core_hide_triangles(const graze_shape *a, const graze_shape *b, graze_shape_hit *hit)
{
    bool has_a = graze_shape_has_triangles(a), has_b = graze_shape_has_triangles(b);
    if (!has_a)
        hit->triangle_a = hit->face_a = GRAZE_NO_TRIANGLE;
    if (!has_b)
        hit->triangle_b = hit->face_b = GRAZE_NO_TRIANGLE;
    if (!has_a || !has_b)
        memset(&hit->contact, 0, sizeof hit->contact);
}

static graze_status find_common_point(grz_shape_query *q, const graze_placed_mesh *a, const graze_placed_mesh *b,
                                      bool *out_found, graze_shape_hit *hit)
{
    graze_any_options options = graze_any_options_default();
    graze_stats stats = {0};
    graze_hit found;
    options.budget = grz_monitor_budget(q->monitor);
    options.stats = &stats;
    options.cache = q->cache != NULL ? &q->cache->meshes : NULL;
    graze_status status = graze_pair_any(q->context, a, b, &options, out_found, &found);
    status = grz_monitor_end_step(q->monitor, status, stats.box_tests);
    grz_shape_query_count(q, &stats);
    if (status != GRAZE_STATUS_OK || !*out_found)
        return status;
    hit->triangle_a = found.triangle_a;
    hit->triangle_b = found.triangle_b;
    hit->face_a = found.face_a;
    hit->face_b = found.face_b;
    hit->contact = found.contact;
    return status;
}

static graze_status find_near_pair(grz_shape_query *q, const graze_placed_mesh *a, const graze_placed_mesh *b,
                                   const double terms[GRZ_REACH_TERMS], bool strict, bool *out_found,
                                   graze_shape_hit *hit)
{
    graze_tolerance_options options = graze_tolerance_options_default();
    graze_stats stats = {0};
    graze_proximity found;
    options.strict = strict;
    options.budget = grz_monitor_budget(q->monitor);
    options.stats = &stats;
    graze_status status = grz_tolerance_sum_any(q->context, a, b, terms, GRZ_REACH_TERMS, &options, out_found, &found);
    status = grz_monitor_end_step(q->monitor, status, stats.box_tests);
    grz_shape_query_count(q, &stats);
    if (status != GRAZE_STATUS_OK || !*out_found)
        return status;
    hit->triangle_a = found.triangle_a;
    hit->triangle_b = found.triangle_b;
    hit->face_a = found.face_a;
    hit->face_b = found.face_b;
    return status;
}

graze_status grz_core_surfaces_within(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                                      const double terms[GRZ_REACH_TERMS], bool strict, bool *out_within,
                                      graze_shape_hit *out_hit)
{
    graze_placed_mesh first, second;
    bool zero = true;
    for (int i = 0; i < GRZ_REACH_TERMS; i++)
        zero = zero && terms[i] == 0;
    *out_within = false;
    if ((zero && strict) || a->shape->mesh->triangle_count == 0 || b->shape->mesh->triangle_count == 0)
        return GRAZE_STATUS_OK;
    graze_status status = grz_core_mesh(q, a, &first);
    if (status == GRAZE_STATUS_OK)
        status = grz_core_mesh(q, b, &second);
    if (status != GRAZE_STATUS_OK)
        return status;
    graze_shape_hit hit = grz_shape_hit_none();
    status = zero ? find_common_point(q, &first, &second, out_within, &hit)
                  : find_near_pair(q, &first, &second, terms, strict, out_within, &hit);
    if (status != GRAZE_STATUS_OK || !*out_within || out_hit == NULL)
        return status;
    set_hit(a, b, &first, &second, &hit);
    grz_core_hide_triangles(a->shape, b->shape, &hit);
    *out_hit = hit;
    return status;
}

/* ---- vertices ---- */

size_t grz_core_vertex_count(const graze_shape *core)
{
    return core->hull != NULL ? core->hull->vertex_count : 3 * core->mesh->triangle_count;
}

const double *grz_core_vertex(const graze_shape *core, size_t i)
{
    return core->hull != NULL ? core->hull->vertices[i] : grz_mesh_vertex(core->mesh, core->mesh->triangles[i]);
}

uint32_t grz_core_vertex_triangle(const graze_shape *core, size_t i)
{
    return graze_shape_has_triangles(core) ? (uint32_t)(i / 3) : GRAZE_NO_TRIANGLE;
}
