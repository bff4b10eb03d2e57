/* SPDX-License-Identifier: MIT */
/*
 * Cores against half-spaces; half_space.h has the exact signs. Distances and ways out are heights of the lowest vertex
 * over the plane.
 */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "mesh/mesh.h"
#include "shape/core.h"
#include "shape/near_triangles.h"
#include "shape/plane.h"

/* The point of a ball around a vertex that is nearest to the plane, or deepest below it. */
static void lowest_point(grz_half_space *h, const double vertex[3], const graze_pose *pose, double radius,
                         double out[3])
{
    double d[3];
    graze_pose_apply(pose, vertex, out);
    grz_plane_direction(h, d);
    for (int k = 0; k < 3 && radius > 0; k++)
        out[k] -= radius * d[k];
}

static void name_triangle(const graze_shape *core, size_t vertex, uint32_t *out_triangle, uint32_t *out_face)
{
    *out_triangle = grz_core_vertex_triangle(core, vertex);
    *out_face =
        *out_triangle != GRAZE_NO_TRIANGLE ? graze_mesh_triangle_face(core->mesh, *out_triangle) : GRAZE_NO_TRIANGLE;
}

/* The vertices of a core near a plane: all of a convex one, those of triangles within reach of a mesh. */
typedef struct core_plane_search
{
    const graze_placed *core;
    grz_half_space *h;
    double reach; /* of heights, in the unit of grz_half_space_height */
    bool (*visit)(struct core_plane_search *s, size_t vertex);
    const double *terms; /* decisions: radii */
    bool strict, found;
    grz_dyadic *heights; /* distances: the lowest exact height, and another */
    size_t vertex;       /* where it is */
} core_plane_search;

/* A lower bound of the heights in a box. */
static double height_of_box(const void *what, const graze_box *box)
{
    const grz_half_space *h = what;
    interval sum = interval_point(0);
    for (int k = 0; k < 3; k++)
        sum = interval_add(sum, interval_mul(h->direction[k], (interval){box->lower[k], box->upper[k]}));
    /* shortcut: heights-of-boxes */
    double lower = interval_sub(sum, h->c).lower;
    return isnan(lower) ? -INFINITY : lower;
}

static bool visit_corners(void *user, uint32_t triangle)
{
    core_plane_search *s = user;
    for (size_t c = 0; c < 3; c++)
        if (!s->visit(s, 3 * (size_t)triangle + c))
            return false;
    return true;
}

static graze_status search_vertices(grz_shape_query *q, core_plane_search *s)
{
    const graze_shape *shape = s->core->shape;
    if (shape->hull == NULL)
    {
        graze_placed_mesh mesh;
        graze_status status = grz_core_mesh(q, s->core, &mesh);
        if (status == GRAZE_STATUS_OK)
            grz_visit_triangles_within(q, &mesh, height_of_box, s->h, &s->reach, visit_corners, s);
        return status == GRAZE_STATUS_OK ? grz_monitor_status(q->monitor) : status;
    }
    bool on = true;
    for (size_t i = 0; i < shape->hull->vertex_count && on && grz_monitor_work(q->monitor, 1); i++)
        on = s->visit(s, i);
    return grz_monitor_status(q->monitor);
}

static bool decide_vertex(core_plane_search *s, size_t vertex)
{
    s->found = grz_half_space_meets_ball(s->h, grz_core_vertex(s->core->shape, vertex), &s->core->pose, s->terms, 2,
                                         s->strict);
    s->vertex = vertex;
    return !s->found;
}

graze_status grz_core_plane_decide(grz_shape_query *q, const graze_placed *a, const graze_placed *b, grz_reach reach,
                                   graze_verdict *out_verdict, graze_shape_hit *out_hit)
{
    const double terms[2] = {a->shape->radius, reach.tolerance};
    grz_half_space *h;
    graze_status status = grz_plane_create(q, b, &h);
    if (status != GRAZE_STATUS_OK)
        return status;
    interval sum = interval_add(interval_point(terms[0]), interval_point(terms[1]));
    core_plane_search s = {.core = a, .h = h, .visit = decide_vertex, .terms = terms, .strict = reach.strict};
    s.reach = interval_mul(sum, h->length).upper;
    s.reach = isnan(s.reach) ? INFINITY : s.reach;
    status = search_vertices(q, &s);
    if (s.found && out_hit != NULL)
    {
        double point[3];
        *out_hit = grz_shape_hit_none();
        name_triangle(a->shape, s.vertex, &out_hit->triangle_a, &out_hit->face_a);
        lowest_point(h, grz_core_vertex(a->shape, s.vertex), &a->pose, a->shape->radius, point);
        grz_shape_hit_set_point(out_hit, point);
    }
    grz_release(q->context, h);
    *out_verdict = s.found ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO;
    return status;
}

/* The lowest vertex over the plane, and its height as a length in the world. */
typedef struct lowest_vertex
{
    size_t vertex;
    interval height;
} lowest_vertex;

static interval quotient(interval y, interval x)
{
    double lower = y.lower / (y.lower < 0 ? x.lower : x.upper), upper = y.upper / (y.upper < 0 ? x.upper : x.lower);
    return isnan(lower) || isnan(upper) ? (interval){-INFINITY, INFINITY} : interval_outward(lower, upper);
}

static interval height_of(const core_plane_search *s, size_t vertex)
{
    return grz_half_space_height(s->h, grz_core_vertex(s->core->shape, vertex), &s->core->pose);
}

/* What is certainly higher than this need not be visited. */
static bool lower_reach(core_plane_search *s, size_t vertex)
{
    s->reach = fmin(s->reach, height_of(s, vertex).upper);
    return true;
}

static bool compare_height(core_plane_search *s, size_t vertex)
{
    /* shortcut: lowest-vertex-by-intervals */
    if (height_of(s, vertex).lower > s->reach)
        return true;
    grz_half_space_exact_height(s->h, grz_core_vertex(s->core->shape, vertex), &s->core->pose, &s->heights[1]);
    int order = s->found ? grz_dyadic_compare(&s->heights[1], &s->heights[0]) : -1;
    if (order > 0 || (order == 0 && vertex > s->vertex)) /* of equal ones the first counts */
        return true;
    grz_dyadic_copy(&s->heights[0], &s->heights[1]);
    s->vertex = vertex;
    s->found = true;
    return true;
}

/* Finds candidates by intervals, and compares these exactly. The core has vertices. */
static graze_status find_lowest(grz_shape_query *q, const graze_placed *core, grz_half_space *h, lowest_vertex *out)
{
    core_plane_search s = {.core = core, .h = h, .reach = INFINITY, .visit = lower_reach};
    graze_status status = search_vertices(q, &s);
    if (status != GRAZE_STATUS_OK)
        return status;
    s.heights = grz_allocate(q->context, 2, sizeof *s.heights);
    if (s.heights == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    s.visit = compare_height;
    status = search_vertices(q, &s);
    if (s.found)
    {
        out->vertex = s.vertex;
        out->height = quotient(grz_dyadic_bounds(&s.heights[0]), grz_dyadic_root_bounds(&h->exact_length_sq));
    }
    grz_release(q->context, s.heights);
    return status;
}

/* A height less the radius of the core. */
static interval less_radius(const graze_placed *core, interval height)
{
    double radius = core->shape->radius;
    return radius == 0 ? height : interval_sub(height, interval_point(radius));
}

static graze_status core_plane_distance(grz_shape_query *q, const graze_placed *a, grz_half_space *h,
                                        const graze_shape_distance_options *wanted, graze_shape_distance *out)
{
    lowest_vertex lowest = {0};
    graze_status status = find_lowest(q, a, h, &lowest);
    if (status != GRAZE_STATUS_OK)
        return status;
    const double *vertex = grz_core_vertex(a->shape, lowest.vertex);
    const double terms[2] = {a->shape->radius, wanted->limit};
    graze_shape_hit hit = grz_shape_hit_none();
    double point[3], d[3];
    lowest_point(h, vertex, &a->pose, a->shape->radius, point);
    grz_shape_hit_set_point(&hit, point);
    name_triangle(a->shape, lowest.vertex, &hit.triangle_a, &hit.face_a);
    *out = grz_shape_distance_zero(&hit);
    if (grz_half_space_meets_ball(h, vertex, &a->pose, terms, 1, false))
        return GRAZE_STATUS_OK;
    interval bounds = less_radius(a, lowest.height);
    if (wanted->limit < INFINITY && !grz_half_space_meets_ball(h, vertex, &a->pose, terms, 2, false))
    {
        *out = grz_shape_distance_none(wanted->limit);
        return GRAZE_STATUS_OK;
    }
    grz_shape_distance_set(out, bounds, true);
    grz_plane_direction(h, d);
    for (int k = 0; k < 3; k++)
        out->point_b[k] -= out->distance * d[k];
    return GRAZE_STATUS_OK;
}

graze_status grz_core_plane_distance(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                                     const graze_shape_distance_options *wanted, graze_shape_distance *out_distance)
{
    if (grz_core_vertex_count(a->shape) == 0)
    {
        *out_distance = grz_shape_distance_none(INFINITY);
        return GRAZE_STATUS_OK;
    }
    grz_half_space *h;
    graze_status status = grz_plane_create(q, b, &h);
    if (status != GRAZE_STATUS_OK)
        return status;
    status = core_plane_distance(q, a, h, wanted, out_distance);
    grz_release(q->context, h);
    return status;
}

graze_status grz_core_plane_depth(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                                  const graze_shape_depth_options *wanted, graze_shape_depth *out_depth)
{
    (void)wanted;
    graze_verdict overlap;
    grz_half_space *h;
    graze_status status = grz_core_plane_decide(q, a, b, (grz_reach){0, true}, &overlap, NULL);
    if (status == GRAZE_STATUS_OK && overlap == GRAZE_VERDICT_NO)
    {
        *out_depth = grz_shape_depth_none();
        return GRAZE_STATUS_OK;
    }
    if (status == GRAZE_STATUS_OK)
        status = grz_plane_create(q, b, &h);
    if (status != GRAZE_STATUS_OK)
        return status;
    lowest_vertex lowest = {0};
    status = find_lowest(q, a, h, &lowest);
    if (status == GRAZE_STATUS_OK)
    {
        graze_shape_depth depth = grz_plane_depth(h, less_radius(a, lowest.height), overlap);
        lowest_point(h, grz_core_vertex(a->shape, lowest.vertex), &a->pose, a->shape->radius, depth.point);
        depth.has_point = true;
        *out_depth = depth;
    }
    grz_release(q->context, h);
    return status;
}
