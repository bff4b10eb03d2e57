/* SPDX-License-Identifier: MIT */
/*
 * The nearest triangle to a point; see nearest_triangle.h. Branch and bound over the world AABBs of the tree, or over
 * the AABBs of all triangles.
 *
 * Error of a distance. Let M bound all coordinates, u = GRZ_U. A placed corner has an error of 8 u M per coordinate
 * (distance/triangle_distance.c), 14 u M as a distance. The closest point q = a + s (b - a) + t (c - a), with s, t >= 0
 * and s + t <= 1 as computed, is a point of the computed triangle but for less than 12 u M per coordinate. So |p - q|,
 * whose own rounding is below 14 u M, exceeds the distance by less than 64 u M at most: an upper bound. The kernel for
 * eight triangles (simd/distance_triangles.h) finds q with an error of 8 u M for corners and 24 u M for the point, per
 * coordinate (distance/triangle_distance.c): 56 u M as a distance, and 14 u M as above. We take 96 u M for both.
 *
 * Lower bound. Along n = p - q no corner is higher than the highest corner: if p is higher by m |n|, its distance is at
 * least m. The three heights n . (p - corner) / |n| have an error below 8 u sqrt(3) M for the corners, 2 u sqrt(3) M
 * for differences and 24 u M for products, sums and the division: 64 u M in all. How q was found does not matter.
 */
#include "pair/depth/nearest_triangle.h"

#include <string.h>

#include "base/memory.h"
#include "mesh/mesh.h"

#define WELL_SHAPED 0x1p-20 /* squared sine of an angle from which on the foot in the plane is accurate */

grz_surface grz_surface_make(const grz_placed_body *body, double reach, grz_monitor *monitor)
{
    return (grz_surface){.body = body,
                         .error = 96 * GRZ_U * reach + 0x1p-690,
                         .monitor = monitor,
                         .corner_error = 8 * GRZ_U * reach + 0x1p-700};
}

void grz_surface_corners(const grz_surface *surface, uint32_t triangle, v3 out_corners[3])
{
    const graze_placed_mesh *placed = surface->body->placed;
    if (surface->corners != NULL)
    {
        memcpy(out_corners, surface->corners + 3 * (size_t)triangle, 3 * sizeof *out_corners);
        return;
    }
    for (size_t k = 0; k < 3; k++)
        out_corners[k] = v3_place(placed->pose.m, grz_triangle_corner(placed->mesh, triangle, k));
}

bool grz_surface_place_corners(const graze_context *context, grz_surface *surface)
{
    uint32_t count = (uint32_t)surface->body->placed->mesh->triangle_count;
    v3 *corners = grz_allocate(context, count, 3 * sizeof *corners);
    if (corners == NULL)
        return false;
    for (uint32_t t = 0; t < count; t++)
        grz_surface_corners(surface, t, corners + 3 * (size_t)t);
    surface->corners = corners;
    return true;
}

bool grz_surface_make_leaves(const graze_context *context, grz_surface *surface)
{
    const graze_tree *tree = surface->body->world.tree;
    if (tree == NULL || surface->leaves != NULL)
        return true;
    surface->placed = grz_allocate_zeroed(context, tree->leaf_count, sizeof *surface->placed);
    surface->leaves = grz_allocate(context, tree->leaf_count, sizeof *surface->leaves);
    surface->frame = grz_tree_frame_make(surface->body);
    surface->kernels = grz_distance_kernels_for(context != NULL ? context->instructions : GRAZE_INSTRUCTIONS_BEST);
    return surface->placed != NULL && surface->leaves != NULL;
}

void grz_surface_release(const graze_context *context, grz_surface *surface)
{
    grz_release(context, surface->corners);
    grz_release(context, surface->cones);
    grz_release(context, surface->has_cone);
    grz_release(context, surface->leaves);
    grz_release(context, surface->placed);
}

static void place_leaf(const grz_surface *surface, const grz_leaf *leaf, grz_placed_leaf *out)
{
    for (uint32_t lane = 0; lane < GRZ_LANES; lane++)
    {
        v3 corners[3];
        uint32_t triangle = leaf->first + (lane < leaf->count ? lane : 0);
        grz_surface_corners(surface, surface->body->world.tree->order[triangle], corners);
        for (int c = 0; c < 3; c++)
        {
            out->corners[c][0][lane] = corners[c].x;
            out->corners[c][1][lane] = corners[c].y;
            out->corners[c][2][lane] = corners[c].z;
        }
    }
}

/* A point of the segment from a to a + edge, as near to p as can be; the offset from a. */
static v3 foot_on_edge(v3 edge, v3 from_a)
{
    double square = v3_dot(edge, edge), share = v3_dot(edge, from_a);
    if (!(share > 0 && square > 0))
        return v3_make(0, 0, 0);
    return v3_scale(share < square ? share / square : 1, edge);
}

static v3 shorter(v3 a, v3 b)
{
    return v3_dot(b, b) < v3_dot(a, a) ? b : a;
}

/* The offset p - q from the closest point q of a triangle. */
static v3 offset_from_triangle(const v3 corners[3], v3 p)
{
    v3 ab = v3_sub(corners[1], corners[0]), ac = v3_sub(corners[2], corners[0]), ap = v3_sub(p, corners[0]);
    double bb = v3_dot(ab, ab), bc = v3_dot(ab, ac), cc = v3_dot(ac, ac), pb = v3_dot(ap, ab), pc = v3_dot(ap, ac);
    double determinant = bb * cc - bc * bc, s = pb * cc - pc * bc, t = pc * bb - pb * bc;
    v3 best = ap;
    if (s >= 0 && t >= 0 && s + t <= determinant && determinant > 0 && s / determinant + t / determinant <= 1)
    {
        best = v3_sub(ap, v3_add(v3_scale(s / determinant, ab), v3_scale(t / determinant, ac)));
        if (determinant > WELL_SHAPED * bb * cc)
            return best;
    }
    best = shorter(best, v3_sub(ap, foot_on_edge(ab, ap)));
    best = shorter(best, v3_sub(ap, foot_on_edge(ac, ap)));
    v3 bp = v3_sub(p, corners[1]);
    return shorter(best, v3_sub(bp, foot_on_edge(v3_sub(corners[2], corners[1]), bp)));
}

static interval distance_bounds(const grz_surface *surface, const v3 corners[3], v3 point, v3 *out_offset)
{
    v3 n = *out_offset = offset_from_triangle(corners, point);
    double length = v3_length(n), least = INFINITY;
    for (int k = 0; k < 3; k++)
        least = fmin(least, v3_dot(n, v3_sub(point, corners[k])));
    double lower = length > 0 ? least / length - surface->error : 0;
    return (interval){fmax(lower, 0), length + surface->error};
}

double grz_least_distance_to_triangle(const grz_surface *surface, const v3 corners[3], v3 point)
{
    v3 offset;
    return distance_bounds(surface, corners, point, &offset).lower;
}

double grz_distance_to_triangle(const grz_surface *surface, const v3 corners[3], v3 point)
{
    return v3_length(offset_from_triangle(corners, point)) + surface->error;
}

typedef struct nearest_search
{
    const grz_surface *surface;
    v3 point;
    double factor; /* 1 - tolerance */
    double enough; /* factor times the upper bound: boxes farther than that are not opened */
    grz_nearest_triangle best;
    grz_tree_point at; /* the point in tree coordinates, and `enough` as a squared distance there, */
    float limit;
    bool has_at; /* if this is set */
} nearest_search;

static void set_upper(nearest_search *s, double upper)
{
    s->best.upper = upper;
    s->enough = s->factor * upper;
    if (s->has_at)
        s->limit = grz_tree_point_limit(&s->at, s->enough);
}

static void test_triangle(nearest_search *s, uint32_t triangle)
{
    v3 corners[3], offset;
    grz_surface_corners(s->surface, triangle, corners);
    interval distance = distance_bounds(s->surface, corners, s->point, &offset);
    s->best.lower = fmin(s->best.lower, distance.lower);
    if (distance.upper < s->best.upper)
    {
        set_upper(s, distance.upper);
        s->best.triangle = triangle;
        v3_store(v3_sub(s->point, offset), s->best.point);
    }
}

/* Measures a point and the triangles of a leaf. */
static inline void measure_leaf(const grz_surface *surface, uint32_t index, const double point[3], grz_closest8 *out)
{
    if (!surface->placed[index])
        place_leaf(surface, &surface->body->world.tree->leaves[index], &surface->leaves[index]);
    surface->placed[index] = true;
    const double(*corners)[3][GRZ_LANES] = (const double(*)[3][GRZ_LANES])surface->leaves[index].corners;
    surface->kernels->point(point, corners, surface->corner_error, out);
}

void grz_surface_leaf_distances(const grz_surface *surface, uint32_t leaf, const double point[3],
                                double out_lower[GRZ_LANES])
{
    grz_closest8 closest;
    measure_leaf(surface, leaf, point, &closest);
    memcpy(out_lower, closest.lower, sizeof closest.lower);
}

/* Tests the triangles of a leaf, eight at once where leaves are placed. */
static void test_leaf(nearest_search *s, uint32_t index)
{
    const grz_surface *surface = s->surface;
    const graze_tree *tree = surface->body->world.tree;
    const grz_leaf *leaf = &tree->leaves[index];
    if (surface->leaves == NULL)
    {
        for (uint32_t i = 0; i < leaf->count; i++)
            test_triangle(s, tree->order[leaf->first + i]);
        return;
    }
    grz_closest8 closest;
    const double p[3] = {s->point.x, s->point.y, s->point.z};
    measure_leaf(surface, index, p, &closest);
    uint32_t nearest = 0;
    double lower = closest.lower[0];
    for (uint32_t lane = 1; lane < leaf->count; lane++)
    {
        nearest = closest.distance[lane] < closest.distance[nearest] ? lane : nearest;
        lower = closest.lower[lane] < lower ? closest.lower[lane] : lower;
    }
    s->best.lower = lower < s->best.lower ? lower : s->best.lower;
    double upper = closest.distance[nearest] + surface->error;
    if (!(upper < s->best.upper))
        return;
    set_upper(s, upper);
    s->best.triangle = tree->order[leaf->first + nearest];
    for (int axis = 0; axis < 3; axis++)
        s->best.point[axis] = closest.point_b[axis][nearest];
}

static double axis_gap(double lower, double upper, double x)
{
    return x < lower ? lower - x : x > upper ? x - upper : 0;
}

/* Whether a box at this squared distance, as computed, may hold a nearer triangle. */
static bool may_be_nearer(const nearest_search *s, double square)
{
    /* shortcut: far-boxes-of-points */
    return square * (1 - 16 * GRZ_U) < s->enough * s->enough;
}

static void sort_lane(const float squares[GRZ_TREE_WIDTH], int lanes[GRZ_TREE_WIDTH], int count)
{
    int last = lanes[count - 1], i = count - 1;
    for (; i > 0 && squares[lanes[i - 1]] > squares[last]; i--)
        lanes[i] = lanes[i - 1];
    lanes[i] = last;
}

/* Children from the nearest to the farthest, in the tree's frame. */
static void search_stored_node(nearest_search *s, uint32_t index) /* NOLINT(misc-no-recursion) */
{
    const grz_surface *surface = s->surface;
    const grz_node *node = &surface->body->world.tree->nodes[index];
    float squares[GRZ_TREE_WIDTH];
    int lanes[GRZ_TREE_WIDTH], count = 0;
    unsigned near = surface->kernels->point_boxes(s->at.at, &node->boxes, s->limit, squares);
    if (!grz_monitor_box_tests(surface->monitor, GRZ_TREE_WIDTH))
        return;
    for (; near != 0; near &= near - 1)
    {
        lanes[count++] = __builtin_ctz(near);
        sort_lane(squares, lanes, count);
    }
    /* shortcut: far-stored-boxes-of-points */
    for (int i = 0; i < count && squares[lanes[i]] < s->limit; i++)
    {
        uint32_t child = node->children[lanes[i]];
        if (child == GRZ_NO_CHILD)
            continue;
        if ((child & GRZ_LEAF_FLAG) == 0)
            search_stored_node(s, child);
        else
            test_leaf(s, child & ~GRZ_LEAF_FLAG);
    }
}

/* Children from the nearest to the farthest, by world AABBs. */
static void search_node(nearest_search *s, uint32_t node) /* NOLINT(misc-no-recursion) */
{
    const grz_world_tree *world = &s->surface->body->world;
    const uint32_t *children = world->tree->nodes[node].children;
    const double p[3] = {s->point.x, s->point.y, s->point.z};
    grz_world_aabbs boxes;
    double squares[GRZ_TREE_WIDTH];
    grz_world_tree_child_aabbs(world, node, &boxes);
    for (int lane = 0; lane < GRZ_TREE_WIDTH; lane++)
    {
        squares[lane] = 0;
        for (int axis = 0; axis < 3; axis++)
        {
            double gap = axis_gap(boxes.lower[axis][lane], boxes.upper[axis][lane], p[axis]);
            squares[lane] += gap * gap;
        }
        if (children[lane] == GRZ_NO_CHILD)
            squares[lane] = INFINITY;
    }
    if (!grz_monitor_box_tests(s->surface->monitor, GRZ_TREE_WIDTH))
        return;
    for (int tried = 0; tried < GRZ_TREE_WIDTH; tried++)
    {
        int nearest = 0;
        for (int lane = 1; lane < GRZ_TREE_WIDTH; lane++)
            nearest = squares[lane] < squares[nearest] ? lane : nearest;
        if (!(squares[nearest] < INFINITY) || !may_be_nearer(s, squares[nearest]))
            return;
        squares[nearest] = INFINITY;
        uint32_t child = children[nearest];
        if ((child & GRZ_LEAF_FLAG) == 0)
        {
            search_node(s, child);
            continue;
        }
        test_leaf(s, child & ~GRZ_LEAF_FLAG);
    }
}

void grz_find_nearest_triangle(const grz_surface *surface, const double point[3], double tolerance, uint32_t hint,
                               grz_nearest_triangle *out_nearest)
{
    nearest_search s = {.surface = surface,
                        .point = v3_load(point),
                        .factor = 1 - tolerance,
                        .enough = INFINITY,
                        .best = {.lower = INFINITY, .upper = INFINITY},
                        .limit = INFINITY};
    s.has_at = surface->leaves != NULL && grz_tree_point_make(&surface->frame, point, &s.at);
    size_t count = surface->body->placed->mesh->triangle_count;
    if (hint < count)
        test_triangle(&s, hint);
    if (s.has_at)
        search_stored_node(&s, 0);
    else if (surface->body->world.tree != NULL)
        search_node(&s, 0);
    else
        for (uint32_t t = 0; t < count && grz_monitor_box_tests(surface->monitor, 1); t++)
        {
            double square = 0;
            for (int axis = 0; axis < 3; axis++)
            {
                interval box = surface->body->boxes[t].axes[axis];
                double gap = axis_gap(box.lower, box.upper, point[axis]);
                square += gap * gap;
            }
            if (may_be_nearer(&s, square))
                test_triangle(&s, t);
        }
    s.best.lower = fmin(s.best.lower, s.enough);
    *out_nearest = s.best;
}

static bool overlaps(const graze_box *box, const double lower[3], const double upper[3])
{
    return box->lower[0] <= upper[0] && lower[0] <= box->upper[0] && box->lower[1] <= upper[1] &&
           lower[1] <= box->upper[1] && box->lower[2] <= upper[2] && lower[2] <= box->upper[2];
}

static bool visit_node(const grz_surface *surface, uint32_t node, const graze_box *box, /* NOLINT(misc-no-recursion) */
                       grz_triangle_function visit, void *user)
{
    const grz_world_tree *world = &surface->body->world;
    const uint32_t *children = world->tree->nodes[node].children;
    grz_world_aabbs boxes;
    grz_world_tree_child_aabbs(world, node, &boxes);
    bool go_on = grz_monitor_box_tests(surface->monitor, GRZ_TREE_WIDTH);
    for (int lane = 0; lane < GRZ_TREE_WIDTH && children[lane] != GRZ_NO_CHILD && go_on; lane++)
    {
        const double lower[3] = {boxes.lower[0][lane], boxes.lower[1][lane], boxes.lower[2][lane]};
        const double upper[3] = {boxes.upper[0][lane], boxes.upper[1][lane], boxes.upper[2][lane]};
        if (!overlaps(box, lower, upper))
            continue;
        if ((children[lane] & GRZ_LEAF_FLAG) == 0)
        {
            go_on = visit_node(surface, children[lane], box, visit, user);
            continue;
        }
        const grz_leaf *leaf = &world->tree->leaves[children[lane] & ~GRZ_LEAF_FLAG];
        for (uint32_t i = 0; i < leaf->count && go_on; i++)
            go_on = visit(user, world->tree->order[leaf->first + i]);
    }
    return go_on;
}

bool grz_surface_visit_box(const grz_surface *surface, const graze_box *box, grz_triangle_function visit, void *user)
{
    if (surface->body->world.tree != NULL)
        return visit_node(surface, 0, box, visit, user);
    bool go_on = true;
    for (uint32_t t = 0; t < surface->body->placed->mesh->triangle_count && go_on; t++)
    {
        const interval *axes = surface->body->boxes[t].axes;
        const double lower[3] = {axes[0].lower, axes[1].lower, axes[2].lower};
        const double upper[3] = {axes[0].upper, axes[1].upper, axes[2].upper};
        go_on = grz_monitor_box_tests(surface->monitor, 1) && (!overlaps(box, lower, upper) || visit(user, t));
    }
    return go_on;
}
