/* SPDX-License-Identifier: MIT */
/*
 * The deepest point of one body in the other: a lower bound of the penetration depth; see penetration_work.h.
 *
 * Branch and bound. The distance to a surface is 1-Lipschitz, so a piece of a triangle whose centre is at distance d
 * has no point deeper than d plus its radius. A heap orders pieces by that bound; the one with the largest bound is
 * bisected and its halves are measured. With a tree, the AABBs of leaves are measured before their triangles: most are
 * outside the other body, or not deep. The AABB of the other body gives every triangle a first bound without
 * a query: no point is deeper than its distance to the faces of that AABB. The deepest point may lie in the interior of
 * both bodies; so AABBs are searched in the same way when surface points do not suffice.
 *
 * Certificate. A point p of a piece is computed in doubles, within e of a point x of the exact placed surface. That p,
 * as its doubles are, lies in the other body is decided exactly; graze_pair_distance certifies that its distance is at
 * least r. If r > e, x lies in the body as well, at a depth of at least r - e. A point of an AABB is taken as its
 * doubles are and tested exactly for being in both bodies: there e is 0.
 *
 * The error bound e. A placed corner has an error of at most 8 u extent per coordinate (triangle_distance.c), where
 * extent bounds the coordinates (grz_coordinate_bound). A midpoint (p + q) / 2 has the mean of their errors and adds
 * 2 u extent; a triangle is bisected at most 20 times. A centre, (p + q + r) / 3, adds 5 u extent. So 64 u extent
 * covers a coordinate, and sqrt(3) times that the distance.
 */
#include <math.h>
#include <string.h>

#include "graze/distance.h"
#include "math/vector.h"
#include "pair/depth/penetration_work.h"
#include "pair/distance/triangle_distance.h"
#include "pair/subquery.h"

enum
{
    MOST_HALVINGS = 20
};

#define LEAF_SHARE 4.0 /* leaves are measured when their bound exceeds this many diagonals of their AABB */
#define COARSE 0x1p-8  /* largest relative error of distances during the search */

bool grz_depth_budget_left(const grz_depth_budget *budget)
{
    return budget->queries < budget->max_queries && grz_monitor_check(budget->monitor);
}

static bool look_through(void *user, double share)
{
    (void)share;
    return grz_monitor_check(user);
}

graze_status grz_depth_distance(grz_depth_budget *budget, const graze_context *context, const graze_placed_mesh *a,
                                const graze_placed_mesh *b, double relative_error, graze_distance *out_distance)
{
    graze_distance_options options = graze_distance_options_default();
    graze_stats stats = {0};
    options.relative_error = relative_error;
    budget->queries++;
    if (budget->monitor != NULL && grz_monitor_is_needed(budget->monitor))
    {
        options.budget.box_tests = grz_subquery_options(budget->monitor, &stats).budget.box_tests;
        options.budget.progress = look_through;
        options.budget.progress_user = budget->monitor;
        options.stats = &stats;
    }
    graze_status status = graze_pair_distance(context, a, b, &options, out_distance);
    return grz_subquery_end(budget->monitor, status, &stats);
}

/* ---- the heap ---- */

static bool comes_before(const grz_depth_node *a, const grz_depth_node *b)
{
    if (a->bound != b->bound)
        return a->bound > b->bound;
    if (a->branch != b->branch) /* nodes first: then all pieces with this bound are in the heap before one is popped */
        return a->branch;
    return a->side != b->side ? a->side < b->side : a->triangle < b->triangle;
}

static void sift_down(grz_depth_search *s, size_t index)
{
    grz_depth_node *heap = s->heap.data, moved = heap[index];
    for (;;)
    {
        size_t child = 2 * index + 1;
        if (child >= s->heap.count)
            break;
        if (child + 1 < s->heap.count && comes_before(&heap[child + 1], &heap[child]))
            child++;
        if (!comes_before(&heap[child], &moved))
            break;
        heap[index] = heap[child];
        index = child;
    }
    heap[index] = moved;
}

static bool push(grz_depth_search *s, const grz_depth_node *piece)
{
    if (!GRZ_PUSH(s->body_pair->context, &s->heap, *piece))
        return false;
    size_t index = s->heap.count - 1;
    while (index > 0 && comes_before(piece, &s->heap.data[(index - 1) / 2]))
    {
        s->heap.data[index] = s->heap.data[(index - 1) / 2];
        index = (index - 1) / 2;
    }
    s->heap.data[index] = *piece;
    return true;
}

static grz_depth_node pop(grz_depth_search *s)
{
    grz_depth_node top = s->heap.data[0];
    s->heap.data[0] = s->heap.data[--s->heap.count];
    if (s->heap.count > 0)
        sift_down(s, 0);
    return top;
}

/* ---- bounds ---- */

/* Upper bound of the depth of points of an AABB in a body with the AABB `bounds`: on each axis, the distance to the
   nearer face of `bounds`. Negative when the box lies outside. Like all upper bounds here it guides the search and
   certifies nothing. */
static double depth_in_aabb(const grz_placed_aabb *bounds, const double lower[3], const double upper[3])
{
    double most = INFINITY;
    for (int axis = 0; axis < 3; axis++)
    {
        interval h = bounds->axes[axis];
        double middle = 0.5 * h.lower + 0.5 * h.upper;
        double at = middle < lower[axis] ? lower[axis] : middle > upper[axis] ? upper[axis] : middle;
        double depth = interval_min2(at - h.lower, h.upper - at);
        most = depth < most ? depth : most;
    }
    return most;
}

/* Whether a piece is an AABB, or a tree node and stands for its AABB: its points need not lie on a surface. */
static bool is_box(const grz_depth_node *piece)
{
    return piece->triangle == GRZ_NO_TRIANGLE || piece->branch;
}

static void piece_box(const grz_depth_node *piece, double slack, double lower[3], double upper[3])
{
    for (int axis = 0; axis < 3; axis++)
    {
        double x = piece->corners[0][axis], y = piece->corners[1][axis];
        double z = is_box(piece) ? x : piece->corners[2][axis];
        lower[axis] = fmin(fmin(x, y), z) - slack;
        upper[axis] = fmax(fmax(x, y), z) + slack;
    }
}

/* ---- triangles ---- */

/* `most` is an upper bound of its depth. A segment bounds nothing, and where it reaches into the other body it only
   touches it (graze_pair_overlap), so that its points prove no depth. */
static bool push_triangle(grz_depth_search *s, uint8_t side, const grz_placed_aabb *box, double most)
{
    const graze_placed_mesh *placed = s->body_pair->sides[side].placed;
    grz_depth_node piece = {.triangle = box->triangle, .side = side};
    double lower[3], upper[3];
    for (int axis = 0; axis < 3; axis++)
    {
        lower[axis] = box->axes[axis].lower;
        upper[axis] = box->axes[axis].upper;
    }
    piece.bound = fmin(most, depth_in_aabb(&s->body_pair->sides[1 - side].hull, lower, upper));
    if (!(piece.bound > 0))
        return true;
    const grz_body_view surface = {.mesh = placed->mesh};
    if (!grz_body_triangle_has_area(&surface, box->triangle) && !grz_triangle_is_point(placed->mesh, box->triangle))
        return true;
    for (size_t k = 0; k < 3; k++)
        graze_pose_apply(&placed->pose, grz_triangle_corner(placed->mesh, box->triangle, k), piece.corners[k]);
    return push(s, &piece);
}

/* Replaces a tree node by its children, or a leaf by its triangles. Their AABBs lie in that of the node, so its bound
   holds for them too. */
static bool expand_branch(grz_depth_search *s, const grz_depth_node *branch)
{
    const grz_placed_body *own = &s->body_pair->sides[branch->side];
    const graze_tree *tree = own->world.tree;
    if ((branch->triangle & GRZ_LEAF_FLAG) != 0)
    {
        const grz_leaf *leaf = &tree->leaves[branch->triangle & ~GRZ_LEAF_FLAG];
        bool enough = true;
        for (uint32_t i = 0; i < leaf->count && enough; i++)
        {
            grz_placed_aabb box = grz_aabb_of_triangle(tree->mesh, tree->order[leaf->first + i], &own->placed->pose);
            enough = push_triangle(s, branch->side, &box, branch->bound);
        }
        return enough;
    }
    const uint32_t *children = tree->nodes[branch->triangle].children;
    grz_world_aabbs boxes;
    grz_world_tree_child_aabbs(&own->world, branch->triangle, &boxes);
    for (int lane = 0; lane < GRZ_TREE_WIDTH && children[lane] != GRZ_NO_CHILD; lane++)
    {
        double lower[3] = {boxes.lower[0][lane], boxes.lower[1][lane], boxes.lower[2][lane]};
        double upper[3] = {boxes.upper[0][lane], boxes.upper[1][lane], boxes.upper[2][lane]};
        grz_depth_node piece = {.triangle = children[lane], .side = branch->side, .branch = true};
        memcpy(piece.corners[0], lower, sizeof lower);
        memcpy(piece.corners[1], upper, sizeof upper);
        piece.bound = fmin(branch->bound, depth_in_aabb(&s->body_pair->sides[1 - branch->side].hull, lower, upper));
        if (piece.bound > 0 && !push(s, &piece))
            return false;
    }
    return true;
}

/* Pushes all triangles of a side, or the root of its tree, unless the other side is open and contains nothing. */
static bool gather_pieces(grz_depth_search *s, uint8_t side)
{
    const grz_placed_body *own = &s->body_pair->sides[side];
    if (!s->body_pair->sides[1 - side].body->adjacency.closed)
        return true;
    grz_depth_node all = {.bound = INFINITY, .side = side, .branch = true};
    if (own->world.tree != NULL)
        return push(s, &all);
    for (uint32_t t = 0; t < own->placed->mesh->triangle_count; t++)
        if (!push_triangle(s, side, &own->boxes[t], INFINITY))
            return false;
    return true;
}

/* ---- points ---- */

/* The distance of a point to the surface of a side. */
static graze_status distance_to(grz_depth_search *s, int side, const double point[3], double relative_error,
                                graze_distance *out_distance)
{
    graze_placed_mesh probe = {s->probe_mesh, s->probe_tree, graze_pose_translation(point[0], point[1], point[2])};
    return grz_depth_distance(s->budget, s->body_pair->context, &probe, s->body_pair->sides[side].placed,
                              relative_error, out_distance);
}

static double certain_depth(const grz_depth_search *s, const graze_distance *distance, int side, uint32_t triangle)
{
    return (distance->lower - (triangle == GRZ_NO_TRIANGLE ? 0 : s->errors[side])) * (1 - 4 * GRZ_U);
}

static bool is_inside(const grz_depth_search *s, int side, const double point[3])
{
    grz_body_view body = grz_placed_body_view(&s->body_pair->sides[side]);
    return grz_locate_point(&body, point, NULL) == GRAZE_LOCATION_INSIDE;
}

/* is_inside for a point whose distance to the surface is at least `distance`, which is positive. */
static bool is_well_inside(grz_depth_search *s, int side, const double point[3], double distance)
{
    bool inside;
    if (grz_located_points_classify(&s->known[side], point, distance, &inside))
        return inside;
    inside = is_inside(s, side, point);
    grz_located_points_add(&s->known[side], point, distance, inside);
    return inside;
}

/* Whether a side is closed, and a point lies inside it. */
static bool holds_point(const grz_depth_search *s, int side, const double point[3])
{
    return s->body_pair->sides[side].body->adjacency.closed && is_inside(s, side, point);
}

/* Measures the depth of a point and updates the best. `radius` is that of a piece around the point; *out_bound becomes
   an upper bound of the depth in the piece, 0 when all of it lies outside. */
static graze_status measure_point(grz_depth_search *s, const grz_depth_node *piece, const double point[3],
                                  double radius, double *out_bound)
{
    int other = 1 - piece->side;
    graze_distance distance;
    graze_status status = distance_to(s, other, point, fmin(COARSE, 0.25 * s->relative_error), &distance);
    if (status != GRAZE_STATUS_OK)
        return status;
    double slack = 2 * s->errors[piece->side];
    double depth = certain_depth(s, &distance, piece->side, is_box(piece) ? GRZ_NO_TRIANGLE : piece->triangle);
    *out_bound = (distance.upper + radius + slack) * (1 + 8 * GRZ_U);
    bool alike = distance.lower > radius + slack; /* the piece does not meet the other surface */
    if (!(depth > s->best.depth) && !alike)
        return GRAZE_STATUS_OK;
    bool inside = is_well_inside(s, other, point, distance.lower);
    if (!inside && alike)
        *out_bound = 0;
    bool deeper = inside && depth > s->best.depth && (!is_box(piece) || holds_point(s, piece->side, point));
    if (!deeper || !grz_monitor_may_continue(s->budget->monitor))
        return grz_monitor_status(s->budget->monitor);
    s->best = (grz_deepest_point){.depth = depth, .side = piece->side};
    s->best.triangle = is_box(piece) ? GRZ_NO_TRIANGLE : piece->triangle;
    s->best.other_triangle = distance.triangle_b;
    memcpy(s->best.point, point, sizeof s->best.point);
    memcpy(s->best.nearest, distance.point_b, sizeof s->best.nearest);
    return GRAZE_STATUS_OK;
}

static double distance_of(const double a[3], const double b[3])
{
    return v3_length(v3_sub(v3_load(a), v3_load(b)));
}

/* Measures a piece at its centre, and pushes it when it may contain a deeper point than the best. */
static graze_status measure(grz_depth_search *s, grz_depth_node *piece)
{
    double centre[3], radius = 0, bound, lower[3], upper[3], error = s->errors[piece->side];
    for (int axis = 0; axis < 3; axis++)
    {
        double sum = piece->corners[0][axis] + piece->corners[1][axis];
        centre[axis] = is_box(piece) ? 0.5 * sum : (sum + piece->corners[2][axis]) / 3;
    }
    for (int k = 0; k < (is_box(piece) ? 2 : 3); k++)
        radius = fmax(radius, distance_of(centre, piece->corners[k]) * (1 + 8 * GRZ_U));
    graze_status status = measure_point(s, piece, centre, radius, &bound);
    if (status != GRAZE_STATUS_OK)
        return status;
    piece_box(piece, error, lower, upper);
    bound = fmin(bound, depth_in_aabb(&s->body_pair->sides[1 - piece->side].hull, lower, upper));
    piece->bound = piece->branch ? fmin(bound, piece->bound) : bound;
    piece->measured = true;
    if (piece->bound > s->best.depth * (1 + s->relative_error) && !push(s, piece))
        return GRAZE_STATUS_OUT_OF_MEMORY;
    return GRAZE_STATUS_OK;
}

/* Measures the corners of a whole triangle, each vertex once. */
static graze_status measure_corners(grz_depth_search *s, const grz_depth_node *piece)
{
    const grz_placed_body *own = &s->body_pair->sides[piece->side];
    graze_status status = GRAZE_STATUS_OK;
    for (size_t k = 0; status == GRAZE_STATUS_OK && k < 3; k++)
    {
        uint32_t vertex = own->placed->mesh->triangles[3 * (size_t)piece->triangle + k];
        bool *asked = &s->asked[piece->side][own->body->adjacency.merged[vertex]];
        double bound;
        if (*asked)
            continue;
        *asked = true;
        status = measure_point(s, piece, piece->corners[k], 0, &bound);
    }
    return status;
}

static graze_status measure_both(grz_depth_search *s, grz_depth_node halves[2])
{
    graze_status status = GRAZE_STATUS_OK;
    for (int i = 0; i < 2 && status == GRAZE_STATUS_OK; i++)
    {
        halves[i].halvings++;
        status = measure(s, &halves[i]);
    }
    return status;
}

/* Bisects an AABB across its longest side. */
static graze_status bisect_box(grz_depth_search *s, const grz_depth_node *piece)
{
    int longest = 0;
    for (int axis = 1; axis < 3; axis++)
        if (piece->corners[1][axis] - piece->corners[0][axis] > piece->corners[1][longest] - piece->corners[0][longest])
            longest = axis;
    grz_depth_node halves[2] = {*piece, *piece};
    halves[0].corners[1][longest] = halves[1].corners[0][longest] =
        0.5 * (piece->corners[0][longest] + piece->corners[1][longest]);
    return measure_both(s, halves);
}

/* Bisects a piece of a triangle at the midpoint of its longest side, and measures that point too. */
static graze_status bisect_triangle(grz_depth_search *s, const grz_depth_node *piece)
{
    int longest = 0;
    double lengths[3], middle[3], bound;
    for (int k = 0; k < 3; k++)
    {
        lengths[k] = distance_of(piece->corners[k], piece->corners[(k + 1) % 3]);
        longest = lengths[k] > lengths[longest] ? k : longest;
    }
    int next = (longest + 1) % 3;
    for (int axis = 0; axis < 3; axis++)
        middle[axis] = 0.5 * (piece->corners[longest][axis] + piece->corners[next][axis]);
    graze_status status = measure_point(s, piece, middle, 0, &bound);
    grz_depth_node halves[2] = {*piece, *piece};
    memcpy(halves[0].corners[next], middle, sizeof middle);
    memcpy(halves[1].corners[longest], middle, sizeof middle);
    return status == GRAZE_STATUS_OK ? measure_both(s, halves) : status;
}

/* ---- the search ---- */

static graze_status make_probe(grz_depth_search *s)
{
    static const double origin[3] = {0, 0, 0};
    static const uint32_t corners[3] = {0, 0, 0};
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = origin;
    def.vertex_count = 1;
    def.corners = corners;
    def.corner_count = 3;
    graze_status status = graze_mesh_create(s->body_pair->context, &def, NULL, &s->probe_mesh);
    return status != GRAZE_STATUS_OK
               ? status
               : graze_tree_create(s->body_pair->context, s->probe_mesh, NULL, NULL, &s->probe_tree);
}

graze_status grz_depth_search_start(grz_depth_search *s, const grz_body_pair *body_pair, grz_depth_budget *budget,
                                    double relative_error)
{
    *s = (grz_depth_search){.body_pair = body_pair, .budget = budget, .relative_error = relative_error};
    graze_status status = make_probe(s);
    for (uint8_t i = 0; i < 2 && status == GRAZE_STATUS_OK; i++)
    {
        const grz_placed_body *side = &body_pair->sides[i];
        double extent = grz_coordinate_bound(side->placed->mesh, &side->placed->pose);
        s->errors[i] = 1.7321 * (64 * GRZ_U * extent + 0x1p-700);
        s->asked[i] = grz_allocate_zeroed(body_pair->context, side->body->adjacency.vertex_count, sizeof *s->asked[i]);
        if (s->asked[i] == NULL || (extent < 0x1p300 && !gather_pieces(s, i)))
            status = GRAZE_STATUS_OUT_OF_MEMORY;
    }
    if (status != GRAZE_STATUS_OK)
    {
        grz_depth_search_end(s);
        return status;
    }
    return GRAZE_STATUS_OK;
}

/* Of tree nodes, only leaves that are small compared with their bound. */
static bool is_worth_measuring(const grz_depth_node *branch)
{
    return (branch->triangle & GRZ_LEAF_FLAG) != 0 &&
           LEAF_SHARE * distance_of(branch->corners[0], branch->corners[1]) < branch->bound;
}

graze_status grz_depth_search_run(grz_depth_search *s, double enough, uint32_t max_queries)
{
    grz_depth_budget *budget = s->budget;
    uint32_t first = budget->queries;
    graze_status status = GRAZE_STATUS_OK;
    while (status == GRAZE_STATUS_OK && s->heap.count > 0 && s->best.depth < enough)
    {
        if (s->heap.data[0].bound <= s->best.depth * (1 + s->relative_error) ||
            budget->queries - first >= max_queries || !grz_depth_budget_left(budget))
            break;
        grz_depth_node piece = pop(s);
        if (piece.branch && (piece.measured || !is_worth_measuring(&piece)))
            status = expand_branch(s, &piece) ? GRAZE_STATUS_OK : GRAZE_STATUS_OUT_OF_MEMORY;
        else if (!piece.measured)
            status = measure(s, &piece);
        else if (is_box(&piece))
            status = piece.halvings < 2 * MOST_HALVINGS ? bisect_box(s, &piece) : GRAZE_STATUS_OK;
        else
        {
            if (piece.halvings == 0)
                status = measure_corners(s, &piece);
            if (status == GRAZE_STATUS_OK && piece.halvings < MOST_HALVINGS)
                status = bisect_triangle(s, &piece);
        }
    }
    return status;
}

graze_status grz_depth_search_interior(grz_depth_search *s)
{
    const grz_placed_body *sides = s->body_pair->sides;
    grz_depth_node box = {.triangle = GRZ_NO_TRIANGLE, .bound = INFINITY};
    for (int axis = 0; axis < 3; axis++)
    {
        box.corners[0][axis] = fmax(sides[0].hull.axes[axis].lower, sides[1].hull.axes[axis].lower);
        box.corners[1][axis] = fmin(sides[0].hull.axes[axis].upper, sides[1].hull.axes[axis].upper);
        if (!(box.corners[0][axis] > -0x1p300 && box.corners[0][axis] < box.corners[1][axis] &&
              box.corners[1][axis] < 0x1p300))
            return GRAZE_STATUS_OK;
    }
    for (uint8_t i = 0; i < 2 && sides[0].body->adjacency.closed && sides[1].body->adjacency.closed; i++)
    {
        box.side = i;
        if (!push(s, &box))
            return GRAZE_STATUS_OUT_OF_MEMORY;
    }
    return GRAZE_STATUS_OK;
}

graze_status grz_depth_search_refine(grz_depth_search *s)
{
    graze_distance distance;
    if (!(s->best.depth > 0))
        return GRAZE_STATUS_OK;
    graze_status status = distance_to(s, 1 - s->best.side, s->best.point, 0, &distance);
    if (status != GRAZE_STATUS_OK)
        return status;
    s->best.depth = fmax(s->best.depth, certain_depth(s, &distance, s->best.side, s->best.triangle));
    s->best.other_triangle = distance.triangle_b;
    memcpy(s->best.nearest, distance.point_b, sizeof s->best.nearest);
    return GRAZE_STATUS_OK;
}

void grz_depth_search_end(grz_depth_search *s)
{
    const graze_context *context = s->body_pair->context;
    graze_tree_destroy(s->probe_tree);
    graze_mesh_destroy(s->probe_mesh);
    grz_release(context, s->asked[0]);
    grz_release(context, s->asked[1]);
    grz_release(context, s->heap.data);
}
