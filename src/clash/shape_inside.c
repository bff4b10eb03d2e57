/* SPDX-License-Identifier: MIT */
/*
 * Whether one shape lies in another; see shape_inside.h. Write P + r for all points at most r away from a polytope P.
 *
 * - In a half-space: it does not reach into the opposite one.
 * - P + r in a solid M that a mesh bounds: P lies in M, and the surface of M is no nearer to P than r.
 * - P + r in Q + R with r <= R: by the cancellation law of Minkowski sums, P lies in Q + (R - r), and since that is
 *   convex, all vertices of P do. With r > R: P + (r - R) lies in Q.
 * - P + r in a convex curved body: the vertices of P lie in what is left of it at depth r (shape_erosion.h), which is
 *   known from inside and outside.
 * - A mesh in a convex body: its vertices do, or those of its hull.
 * - Anything convex in a box: it lies in the six half-spaces.
 * - A curved body lies in a solid where it does not reach the solid's surface; it lies in a convex body where a
 *   polytope around it does.
 * - Where all that leaves it open: a shape does not lie in another if a point of it does not.
 */
#include "clash/shape_inside.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/exact_sum.h"
#include "clash/shape_erosion.h"
#include "clash/shape_parts.h"
#include "graze/shape_query.h"

typedef struct inside_test
{
    const graze_context *context;
    graze_placed inner, outer;
} inside_test;

static graze_status lies_in(const inside_test *t, graze_verdict *out_lies);

static graze_verdict both(graze_verdict a, graze_verdict b)
{
    if (a == GRAZE_VERDICT_NO || b == GRAZE_VERDICT_NO)
        return GRAZE_VERDICT_NO;
    return a == GRAZE_VERDICT_YES ? b : a;
}

static graze_verdict opposite(graze_verdict verdict)
{
    return verdict == GRAZE_VERDICT_YES  ? GRAZE_VERDICT_NO
           : verdict == GRAZE_VERDICT_NO ? GRAZE_VERDICT_YES
                                         : GRAZE_VERDICT_UNKNOWN;
}

/* --- half-spaces --- */

/* Whether a shape lies in {x : normal . x <= offset} of a frame: it does not overlap with the other side. */
static graze_status lies_in_half_space(const inside_test *t, const double normal[3], double offset,
                                       graze_verdict *out_lies)
{
    const double reversed[3] = {-normal[0], -normal[1], -normal[2]};
    graze_shape *beyond = NULL;
    graze_shape_depth depth;
    graze_status status = graze_shape_create_half_space(t->context, reversed, -offset, &beyond);
    const graze_placed other = {beyond, t->outer.pose};
    if (status == GRAZE_STATUS_OK)
        status = graze_placed_check(&other);
    if (status == GRAZE_STATUS_OK)
        status = graze_shape_pair_depth(t->context, &t->inner, &other, NULL, &depth);
    graze_shape_destroy(beyond);
    if (status == GRAZE_STATUS_OK)
        *out_lies = opposite(depth.overlap);
    return status;
}

static graze_status lies_in_box(const inside_test *t, graze_verdict *out_lies)
{
    double size[3] = {0, 0, 0};
    graze_shape_numbers(t->outer.shape, size, 3);
    graze_status status = GRAZE_STATUS_OK;
    *out_lies = GRAZE_VERDICT_YES;
    for (int i = 0; i < 6 && status == GRAZE_STATUS_OK && *out_lies != GRAZE_VERDICT_NO; i++)
    {
        double normal[3] = {0, 0, 0};
        graze_verdict side = GRAZE_VERDICT_UNKNOWN;
        normal[i / 2] = i % 2 == 0 ? 1 : -1;
        status = lies_in_half_space(t, normal, 0.5 * size[i / 2], &side);
        *out_lies = both(*out_lies, side);
    }
    return status;
}

/* --- points --- */

/* Whether a point of the inner shape's frame is at most `radius` away from the outer shape. */
static graze_status is_point_within(const inside_test *t, const double point[3], const graze_shape *outer,
                                    double radius, graze_verdict *out_within)
{
    graze_shape *shape = NULL;
    const graze_placed to = {outer, t->outer.pose};
    graze_status status = graze_shape_create_point(t->context, point, &shape);
    const graze_placed from = {shape, t->inner.pose};
    if (status == GRAZE_STATUS_OK)
        status = graze_shape_pair_tolerance_any(t->context, &from, &to, radius, NULL, out_within, NULL);
    graze_shape_destroy(shape);
    return status;
}

/* Whether all corners of a mesh are within that distance: those of its hull. A mesh without triangles has none. */
static graze_status are_vertices_within(const inside_test *t, const graze_mesh *mesh, const graze_shape *outer,
                                        double radius, graze_verdict *out_within)
{
    graze_shape *hull = NULL;
    graze_status status = grz_clash_hull_of(t->context, mesh, &hull);
    const double *vertices = graze_mesh_vertices(graze_shape_mesh(hull));
    size_t count = graze_mesh_vertex_count(graze_shape_mesh(hull));
    *out_within = GRAZE_VERDICT_YES;
    for (size_t i = 0; i < count && status == GRAZE_STATUS_OK && *out_within != GRAZE_VERDICT_NO; i++)
    {
        graze_verdict within = GRAZE_VERDICT_UNKNOWN;
        status = is_point_within(t, vertices + 3 * i, outer, radius, &within);
        *out_within = both(*out_within, within);
    }
    graze_shape_destroy(hull);
    return status;
}

/* --- P + r in a solid --- */

/* The core of a sphere, capsule or rounded shape as a shape of its own. *out_own is to be destroyed. */
static graze_status core_of(const graze_context *context, const graze_shape *shape, graze_shape **out_own,
                            const graze_shape **out_core)
{
    const double *vertices = graze_mesh_vertices(graze_shape_mesh(shape));
    *out_own = NULL;
    *out_core = graze_shape_core(shape);
    graze_status status = GRAZE_STATUS_OK;
    if (graze_shape_get_kind(shape) == GRAZE_SHAPE_SPHERE)
        status = graze_shape_create_point(context, vertices, out_own);
    else if (graze_shape_get_kind(shape) == GRAZE_SHAPE_CAPSULE)
        status = graze_shape_create_mesh(context, graze_shape_mesh(shape), NULL, false, out_own);
    *out_core = *out_core != NULL ? *out_core : *out_own;
    return status;
}

/* Whether P + r lies in the solid that a shape is whose mesh bounds it. */
static graze_status lies_in_solid(const inside_test *t, const graze_shape *core, double radius,
                                  const graze_shape *solid, graze_verdict *out_lies)
{
    graze_shape_tolerance_options options = graze_shape_tolerance_options_default();
    options.strict = true;
    graze_shape *surface = NULL;
    graze_verdict near = GRAZE_VERDICT_UNKNOWN, meets = GRAZE_VERDICT_UNKNOWN;
    graze_status status = graze_shape_create_mesh(t->context, graze_shape_mesh(solid), NULL, false, &surface);
    const graze_placed from = {core, t->inner.pose}, of = {surface, t->outer.pose}, in = {solid, t->outer.pose};
    if (status == GRAZE_STATUS_OK)
        status = graze_shape_pair_tolerance_any(t->context, &from, &of, radius, &options, &near, NULL);
    if (status == GRAZE_STATUS_OK && near == GRAZE_VERDICT_NO)
        status = graze_shape_pair_any(t->context, &from, &in, NULL, &meets, NULL);
    graze_shape_destroy(surface);
    *out_lies = near == GRAZE_VERDICT_NO ? meets : opposite(near);
    return status;
}

static bool is_round(const graze_shape *shape)
{
    graze_shape_kind kind = graze_shape_get_kind(shape);
    return kind == GRAZE_SHAPE_SPHERE || kind == GRAZE_SHAPE_CAPSULE || kind == GRAZE_SHAPE_ROUNDED;
}

static bool is_curved(const graze_shape *shape)
{
    graze_shape_kind kind = graze_shape_get_kind(shape);
    return kind == GRAZE_SHAPE_CYLINDER || kind == GRAZE_SHAPE_CONE || kind == GRAZE_SHAPE_ELLIPSOID;
}

/* Whether a mesh bounds the shape as a body. */
static bool is_solid_mesh(const graze_shape *shape)
{
    return !is_round(shape) && graze_shape_mesh(shape) != NULL && graze_shape_is_solid(shape);
}

/* --- P + r in Q + R --- */

/* Whether the vertices are within the difference of two radii, which need not be a double. */
static graze_status are_vertices_within_difference(const inside_test *t, const graze_mesh *mesh,
                                                   const graze_shape *core, double larger, double smaller,
                                                   graze_verdict *out_within)
{
    double difference;
    graze_verdict nearer;
    bool is_exact = grz_sum_exactly(larger, -smaller, &difference);
    graze_status status = are_vertices_within(t, mesh, core, difference, out_within);
    if (is_exact || status != GRAZE_STATUS_OK)
        return status;
    /* The true difference lies between the doubles around the rounded one. */
    double less = fmax(nextafter(difference, 0), 0), more = nextafter(difference, INFINITY);
    status = are_vertices_within(t, mesh, core, less, &nearer);
    if (status == GRAZE_STATUS_OK && nearer != GRAZE_VERDICT_YES)
        status = are_vertices_within(t, mesh, core, more, out_within);
    if (status == GRAZE_STATUS_OK && nearer != GRAZE_VERDICT_YES && *out_within == GRAZE_VERDICT_YES)
        *out_within = GRAZE_VERDICT_UNKNOWN;
    return status;
}

static graze_status round_in_round(const inside_test *t, graze_verdict *out_lies)
{
    double inner = graze_shape_radius(t->inner.shape), outer = graze_shape_radius(t->outer.shape), excess;
    graze_shape *own_p = NULL, *own_q = NULL;
    const graze_shape *p = NULL, *q = NULL;
    graze_status status = core_of(t->context, t->inner.shape, &own_p, &p);
    if (status == GRAZE_STATUS_OK)
        status = core_of(t->context, t->outer.shape, &own_q, &q);
    *out_lies = GRAZE_VERDICT_NO;
    bool is_exact = grz_sum_exactly(inner, -outer, &excess);
    if (status == GRAZE_STATUS_OK && inner <= outer)
        status = are_vertices_within_difference(t, graze_shape_mesh(t->inner.shape), q, outer, inner, out_lies);
    else if (status == GRAZE_STATUS_OK && is_solid_mesh(q))
    {
        status = lies_in_solid(t, p, is_exact ? excess : nextafter(excess, INFINITY), q, out_lies);
        if (!is_exact && *out_lies == GRAZE_VERDICT_NO)
            *out_lies = GRAZE_VERDICT_UNKNOWN;
    }
    graze_shape_destroy(own_p);
    graze_shape_destroy(own_q);
    return status;
}

/* --- P + r in a curved body --- */

/* A core on the axis of a cylinder, in its frame. */
static bool lies_on_axis(const inside_test *t, double radius)
{
    const graze_mesh *core = graze_shape_mesh(t->inner.shape);
    const double *vertices = graze_mesh_vertices(core);
    double n[2] = {0, 0}, end;
    if (graze_shape_get_kind(t->outer.shape) != GRAZE_SHAPE_CYLINDER ||
        memcmp(&t->inner.pose, &t->outer.pose, sizeof t->inner.pose) != 0)
        return false;
    graze_shape_numbers(t->outer.shape, n, 2);
    for (size_t i = 0; i < graze_mesh_vertex_count(core); i++)
        if (vertices[3 * i] != 0 || vertices[3 * i + 1] != 0 || radius > n[1] ||
            !grz_sum_exactly(fabs(vertices[3 * i + 2]), radius, &end) || end > 0.5 * n[0])
            return false;
    return true;
}

static graze_status round_in_curved(const inside_test *t, graze_verdict *out_lies)
{
    graze_status status = GRAZE_STATUS_OK;
    bool is_inside = lies_on_axis(t, graze_shape_radius(t->inner.shape));
    *out_lies = is_inside ? GRAZE_VERDICT_YES : GRAZE_VERDICT_UNKNOWN;
    for (int side = -1; side <= 1 && status == GRAZE_STATUS_OK && *out_lies == GRAZE_VERDICT_UNKNOWN; side += 2)
    {
        grz_clash_eroded left;
        graze_verdict within = GRAZE_VERDICT_NO;
        status = grz_clash_erode(t->context, &t->outer, graze_shape_radius(t->inner.shape), side, &left);
        const inside_test core = {t->context, t->inner, left.placed};
        if (status == GRAZE_STATUS_OK && left.placed.shape != NULL)
            status = are_vertices_within(&core, graze_shape_mesh(t->inner.shape), left.placed.shape, 0, &within);
        grz_clash_eroded_release(&left);
        if (within == (side < 0 ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO))
            *out_lies = within;
    }
    return status;
}

/* --- the rest --- */

/* A curved body in a body that a mesh bounds: it does not come near the surface, and its centre lies inside. */
static graze_status curved_in_solid(const inside_test *t, graze_verdict *out_lies)
{
    graze_shape *surface = NULL, *centre = NULL;
    graze_verdict meets = GRAZE_VERDICT_UNKNOWN;
    const double origin[3] = {0, 0, 0};
    graze_status status = graze_shape_create_mesh(t->context, graze_shape_mesh(t->outer.shape), NULL, false, &surface);
    const graze_placed of = {surface, t->outer.pose};
    *out_lies = GRAZE_VERDICT_UNKNOWN;
    if (status == GRAZE_STATUS_OK)
        status = graze_shape_pair_any(t->context, &t->inner, &of, NULL, &meets, NULL);
    if (status == GRAZE_STATUS_OK && meets == GRAZE_VERDICT_NO)
    {
        status = graze_shape_create_point(t->context, origin, &centre);
        const graze_placed at = {centre, t->inner.pose};
        if (status == GRAZE_STATUS_OK)
            status = graze_shape_pair_any(t->context, &at, &t->outer, NULL, out_lies, NULL);
    }
    graze_shape_destroy(surface);
    graze_shape_destroy(centre);
    return status;
}

/* Bodies of the same axis and middle: a cone, cylinder or ellipsoid in a cylinder, and ellipsoids. */
static bool lies_in_coaxial(const inside_test *t)
{
    double a[3] = {0, 0, 0}, b[3] = {0, 0, 0};
    graze_shape_kind inner = graze_shape_get_kind(t->inner.shape), outer = graze_shape_get_kind(t->outer.shape);
    graze_shape_numbers(t->inner.shape, a, 3);
    graze_shape_numbers(t->outer.shape, b, 3);
    if (memcmp(&t->inner.pose, &t->outer.pose, sizeof t->inner.pose) != 0)
        return false;
    if (outer == GRAZE_SHAPE_CYLINDER && inner != GRAZE_SHAPE_ELLIPSOID)
        return a[0] <= b[0] && a[1] <= b[1];
    if (outer == GRAZE_SHAPE_CYLINDER)
        return a[0] <= b[1] && a[1] <= b[1] && a[2] <= 0.5 * b[0];
    return outer == GRAZE_SHAPE_ELLIPSOID && inner == outer && a[0] <= b[0] && a[1] <= b[1] && a[2] <= b[2];
}

enum
{
    SEGMENTS = 64
};

/* A hull in or around a round or curved shape. */
static graze_status tessellate(const inside_test *t, bool around, graze_shape **out_hull)
{
    graze_tessellation_options options = graze_tessellation_options_default();
    options.segments = SEGMENTS;
    options.around = around;
    return graze_shape_tessellate(t->context, t->inner.shape, &options, out_hull);
}

/* A curved body in a convex one. */
static graze_status curved_in_convex(const inside_test *t, graze_verdict *out_lies)
{
    graze_shape *around = NULL;
    *out_lies = lies_in_coaxial(t) ? GRAZE_VERDICT_YES : GRAZE_VERDICT_UNKNOWN;
    if (*out_lies == GRAZE_VERDICT_YES)
        return GRAZE_STATUS_OK;
    graze_verdict lies = GRAZE_VERDICT_UNKNOWN;
    graze_status status = tessellate(t, true, &around);
    if (status == GRAZE_STATUS_OK)
        status = are_vertices_within(t, graze_shape_mesh(around), t->outer.shape, 0, &lies);
    graze_shape_destroy(around);
    if (lies == GRAZE_VERDICT_YES)
        *out_lies = lies;
    return status;
}

/* Whether some point of a shape is outside: then it does not lie in the other. Where none is found that is open. */
static graze_status find_point_outside(const inside_test *t, graze_verdict *lies)
{
    graze_shape *hull = NULL;
    graze_verdict all = GRAZE_VERDICT_UNKNOWN;
    graze_status status = tessellate(t, false, &hull);
    bool has_hull = status == GRAZE_STATUS_OK;
    const graze_mesh *mesh = graze_shape_mesh(has_hull ? hull : t->inner.shape);
    if (status == GRAZE_STATUS_UNSUPPORTED)
        status = GRAZE_STATUS_OK;
    if (status == GRAZE_STATUS_OK && mesh != NULL)
        status = are_vertices_within(t, mesh, t->outer.shape, 0, &all);
    graze_shape_destroy(hull);
    if (all == GRAZE_VERDICT_NO)
        *lies = all;
    return status;
}

/* Whether both are the same shape at the same place. */
static bool are_identical(const inside_test *t)
{
    double a[4], b[4];
    graze_shape_kind kind = graze_shape_get_kind(t->inner.shape);
    if (kind != graze_shape_get_kind(t->outer.shape) ||
        memcmp(&t->inner.pose, &t->outer.pose, sizeof t->inner.pose) != 0)
        return false;
    if (t->inner.shape == t->outer.shape)
        return true;
    size_t count = graze_shape_numbers(t->inner.shape, a, 4);
    return (is_curved(t->inner.shape) || kind == GRAZE_SHAPE_HALF_SPACE) &&
           graze_shape_numbers(t->outer.shape, b, 4) == count && memcmp(a, b, count * sizeof *a) == 0;
}

/* Whether each leaf of the inner compound does. */
static graze_status parts_lie_in(const inside_test *t, graze_verdict *out_lies)
{
    const graze_placed *parts = graze_shape_parts(t->inner.shape);
    graze_status status = GRAZE_STATUS_OK;
    *out_lies = GRAZE_VERDICT_YES;
    for (size_t i = 0; i < graze_shape_part_count(t->inner.shape) && status == GRAZE_STATUS_OK; i++)
    {
        inside_test part = *t;
        graze_verdict lies = GRAZE_VERDICT_UNKNOWN;
        part.inner.shape = parts[i].shape;
        status = graze_pose_compose(&t->inner.pose, &parts[i].pose, &part.inner.pose, NULL);
        if (status == GRAZE_STATUS_OK)
            status = lies_in(&part, &lies);
        *out_lies = both(*out_lies, lies);
    }
    return status;
}

/* In one part of a compound. Where it is in none, several may hold it together, unless it meets at most one. */
static graze_status lies_in_a_part(const inside_test *t, graze_verdict *out_lies)
{
    const graze_placed *parts = graze_shape_parts(t->outer.shape);
    graze_status status = GRAZE_STATUS_OK;
    size_t meeting = 0;
    *out_lies = GRAZE_VERDICT_NO;
    for (size_t i = 0; i < graze_shape_part_count(t->outer.shape) && status == GRAZE_STATUS_OK; i++)
    {
        inside_test part = *t;
        graze_verdict lies = GRAZE_VERDICT_NO, meets = GRAZE_VERDICT_UNKNOWN;
        part.outer.shape = parts[i].shape;
        status = graze_pose_compose(&t->outer.pose, &parts[i].pose, &part.outer.pose, NULL);
        if (status == GRAZE_STATUS_OK)
            status = graze_shape_pair_any(t->context, &part.inner, &part.outer, NULL, &meets, NULL);
        if (status == GRAZE_STATUS_OK && meets != GRAZE_VERDICT_NO)
            status = lies_in(&part, &lies);
        meeting += meets != GRAZE_VERDICT_NO;
        if (lies == GRAZE_VERDICT_YES)
        {
            *out_lies = lies;
            return status;
        }
        *out_lies = lies == GRAZE_VERDICT_UNKNOWN ? lies : *out_lies;
    }
    if (meeting > 1)
        *out_lies = GRAZE_VERDICT_UNKNOWN;
    return status;
}

static graze_status round_in_solid(const inside_test *t, graze_verdict *out_lies)
{
    graze_shape *own = NULL;
    const graze_shape *core = NULL;
    graze_status status = core_of(t->context, t->inner.shape, &own, &core);
    if (status == GRAZE_STATUS_OK)
        status = lies_in_solid(t, core, graze_shape_radius(t->inner.shape), t->outer.shape, out_lies);
    graze_shape_destroy(own);
    return status;
}

/* A round or curved shape in another, neither of which is a half-space or compound. */
static graze_status convex_lies_in(const inside_test *t, graze_verdict *out_lies)
{
    const graze_shape *inner = t->inner.shape, *outer = t->outer.shape;
    if (is_round(inner) && is_round(outer))
        return round_in_round(t, out_lies);
    if (is_round(inner) && is_curved(outer))
        return round_in_curved(t, out_lies);
    if (is_round(inner))
        return round_in_solid(t, out_lies);
    if (graze_shape_get_kind(outer) == GRAZE_SHAPE_BOX)
        return lies_in_box(t, out_lies);
    return is_solid_mesh(outer) ? curved_in_solid(t, out_lies) : curved_in_convex(t, out_lies);
}

static graze_status lies_in(const inside_test *t, graze_verdict *out_lies)
{
    const graze_shape *inner = t->inner.shape, *outer = t->outer.shape;
    graze_shape_kind inner_kind = graze_shape_get_kind(inner), outer_kind = graze_shape_get_kind(outer);
    *out_lies = GRAZE_VERDICT_NO;
    if (are_identical(t))
        *out_lies = GRAZE_VERDICT_YES;
    else if (inner_kind == GRAZE_SHAPE_COMPOUND)
        return parts_lie_in(t, out_lies);
    else if (outer_kind == GRAZE_SHAPE_COMPOUND)
        return lies_in_a_part(t, out_lies);
    else if (outer_kind == GRAZE_SHAPE_HALF_SPACE)
    {
        double numbers[4] = {0, 0, 0, 0};
        graze_shape_numbers(outer, numbers, 4);
        return lies_in_half_space(t, numbers, numbers[3], out_lies);
    }
    else if (inner_kind == GRAZE_SHAPE_HALF_SPACE || !graze_shape_is_solid(outer))
        return GRAZE_STATUS_OK;
    else if (is_round(inner) || is_curved(inner))
        return convex_lies_in(t, out_lies);
    else if (is_round(outer) || is_curved(outer))
        return are_vertices_within(t, graze_shape_mesh(inner), outer, 0, out_lies);
    else
        *out_lies = GRAZE_VERDICT_UNKNOWN; /* two meshes, of compounds */
    return GRAZE_STATUS_OK;
}

/* Whether the bounds say that it does not: one reaches beyond the other by more than bounds are rounded. */
static bool reaches_out(const graze_box *inner, const graze_box *outer)
{
    for (int axis = 0; axis < 3; axis++)
    {
        double size = fmax(fmax(fabs(outer->lower[axis]), fabs(outer->upper[axis])),
                           fmax(fabs(inner->lower[axis]), fabs(inner->upper[axis])));
        /* shortcut: shape-bounds-nest */
        double margin = isfinite(size) ? 0x1p-38 * size : 0;
        if (inner->lower[axis] < outer->lower[axis] - margin || inner->upper[axis] > outer->upper[axis] + margin)
            return true;
    }
    return false;
}

graze_status grz_clash_shape_lies_in(const graze_context *context, const grz_clash_part *inner,
                                     const grz_clash_part *outer, graze_verdict *out_lies)
{
    const inside_test t = {context, inner->placed_shape, outer->placed_shape};
    graze_box boxes[2];
    *out_lies = GRAZE_VERDICT_NO;
    if (!outer->closed)
        return GRAZE_STATUS_OK;
    graze_status status = graze_placed_bounds(&t.inner, &boxes[0]);
    if (status == GRAZE_STATUS_OK)
        status = graze_placed_bounds(&t.outer, &boxes[1]);
    if (status != GRAZE_STATUS_OK || reaches_out(&boxes[0], &boxes[1]))
        return status;
    status = lies_in(&t, out_lies);
    if (status == GRAZE_STATUS_OK && *out_lies == GRAZE_VERDICT_UNKNOWN)
        status = find_point_outside(&t, out_lies);
    return status;
}
