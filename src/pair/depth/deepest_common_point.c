/* SPDX-License-Identifier: MIT */
/*
 * The deepest common point of two solids, graze_pair_deepest_point: branch and bound that closes from both ends.
 *
 * Let d_A be the distance to A's surface. Its largest value among the common points is either taken on B's surface, in
 * A, or at an interior point of both bodies, which is a local maximum of d_A; and so for B. Hence two searches:
 *
 * 1. Pieces of each surface that lie in the other body. A piece that the other surface passes through is split by the
 *    plane of a triangle there, so that pieces soon lie inside or outside; a piece inside is split where the nearest
 *    triangle changes. Between plane facets this ends after a few splits, where bisection would need millions of cells:
 *    a press fit is a thin layer.
 * 2. The space that both bodies hold, for local maxima. Cells are bisected until they lie outside, or have no local
 *    maximum (distance_maxima.c), or no deep point. Both bodies are closed; when one meets itself, all of the space
 * must be searched, and the bounds may stay apart.
 *
 * Why the upper bound holds. A cell is either given a bound, which counts, or dropped: a cell of space when it surely
 * lies outside or has no local maximum; a piece of a surface when its points inside the other body are less than
 * `shell` deep. So the largest bound, or the largest shell, is an upper bound.
 *
 * The lower bound is the depth of a point that was located exactly: in both bodies where it is a point of space, in the
 * other body where it is a point of a surface, less the error of that point.
 */
#include <math.h>
#include <string.h>

#include "base/struct_size.h"
#include "pair/depth/penetration_work.h"
#include "pair/depth/simplex_search.h"
#include "pair/distance/triangle_distance.h"

enum
{
    USUAL_CELLS = 50000
};

#define SHRINK 0x1p-10 /* points are tried so far from a vertex on the way to the centre of its cell */
#define NO_VERTEX UINT32_MAX

typedef struct deepest_search
{
    grz_body_pair *pair;
    grz_simplex_space space;
    grz_simplex_heap heap;
    uint32_t *vertex_of[2]; /* per vertex of the mesh: its cell vertex, or NO_VERTEX */
    double relative_error, absolute_error;
    uint32_t cells, max_cells;
    double pruned; /* largest bound of a cell that is not searched further */
    double shell;  /* largest depth that dropped cells may have */
    double depth;  /* of the best point */
    int side;      /* the side it is deep in */
    double point[3], nearest[3];
    bool embedded; /* neither surface meets itself */
    graze_status status;
} deepest_search;

static double target_of(const deepest_search *s)
{
    return fmax(s->depth * (1 + s->relative_error), s->depth + s->absolute_error);
}

static void keep(deepest_search *s, const grz_simplex *cell)
{
    if (!(cell->bound > target_of(s)))
        s->pruned = fmax(s->pruned, cell->bound);
    else if (!grz_simplex_heap_push(s->space.context, &s->heap, cell))
        s->status = GRAZE_STATUS_OUT_OF_MEMORY;
}

static void measure_and_keep(deepest_search *s, grz_simplex *cell)
{
    double bound = 0;
    for (int side = 0; side < 2; side++)
        if (grz_simplex_counts(cell, side))
            bound = fmax(bound, grz_simplex_distance_bound(&s->space, cell, side, NULL));
    cell->bound = fmin(cell->bound, bound);
    keep(s, cell);
}

/* ---- the lower bound ---- */

static bool is_inside(const deepest_search *s, int side, const double point[3])
{
    grz_body_view view = grz_placed_body_view(&s->pair->sides[side]);
    return grz_locate_point(&view, point, NULL) == GRAZE_LOCATION_INSIDE;
}

/* Tries a point of a cell; it is deep in `side`. */
static void try_point(deepest_search *s, const grz_simplex *cell, int side, v3 at)
{
    double point[3];
    grz_nearest_triangle nearest;
    v3_store(at, point);
    grz_find_nearest_triangle(&s->space.surfaces[side], point, GRZ_COARSE, &nearest);
    double error = cell->owner == GRZ_SPACE ? 0 : grz_simplex_error(&s->space, cell);
    double depth = (nearest.lower - error) * (1 - 4 * GRZ_U);
    if (!(depth > s->depth) || !is_inside(s, side, point))
        return;
    if (cell->owner == GRZ_SPACE && !is_inside(s, 1 - side, point))
        return;
    if (!grz_monitor_may_continue(s->pair->monitor))
        return;
    s->depth = depth;
    s->side = side;
    memcpy(s->point, point, sizeof s->point);
    memcpy(s->nearest, nearest.point, sizeof s->nearest);
}

/* Tries the vertices of a cell, moved a little inward, and its centre. */
static void try_points(deepest_search *s, const grz_simplex *cell)
{
    v3 centre = grz_simplex_centre(&s->space, cell);
    for (int side = 0; side < 2; side++)
    {
        if (!grz_simplex_counts(cell, side))
            continue;
        int deepest = -1;
        double most = s->depth;
        for (int i = 0; i < grz_simplex_size(cell); i++)
        {
            double lower = grz_simplex_vertex_measured(&s->space, cell->vertices[i], side)->nearest[side].lower;
            deepest = lower > most ? i : deepest;
            most = fmax(most, lower);
        }
        if (deepest >= 0)
        {
            v3 vertex = v3_load(s->space.vertices.data[cell->vertices[deepest]].x);
            try_point(s, cell, side, v3_add(vertex, v3_scale(SHRINK, v3_sub(centre, vertex))));
        }
        try_point(s, cell, side, centre);
    }
}

/* ---- cells ---- */

static void keep_children(deepest_search *s, const grz_simplex *cell, int count, grz_simplex children[6])
{
    if (count == 0)
        s->status = GRAZE_STATUS_OUT_OF_MEMORY;
    if (cell->splits + 6 > GRZ_MOST_SPLITS) /* given up: its bound remains */
    {
        s->pruned = fmax(s->pruned, cell->bound);
        return;
    }
    for (int i = 0; i < count && s->status == GRAZE_STATUS_OK; i++)
        measure_and_keep(s, &children[i]);
}

static void bisect(deepest_search *s, const grz_simplex *cell)
{
    grz_simplex children[6];
    keep_children(s, cell, grz_simplex_bisect(&s->space, cell, children), children);
}

/* Splits a cell inside where the triangle that is nearest changes, unless its bound suffices by now. */
static void split_inside(deepest_search *s, const grz_simplex *cell)
{
    if (!(cell->bound > target_of(s)))
    {
        s->pruned = fmax(s->pruned, cell->bound);
        return;
    }
    double bounds[2] = {0, 0}, values[2][4];
    for (int side = 0; side < 2; side++)
        if (grz_simplex_counts(cell, side))
            bounds[side] = grz_simplex_distance_bound(&s->space, cell, side, values[side]);
    int side = bounds[1] > bounds[0];
    double lowest = INFINITY, highest = -INFINITY;
    for (int i = 0; i < grz_simplex_size(cell); i++)
    {
        lowest = fmin(lowest, values[side][i]);
        highest = fmax(highest, values[side][i]);
    }
    double least = 0x1p-10 * bounds[side];
    if (!(lowest < -least && highest > least))
    {
        bisect(s, cell);
        return;
    }
    grz_simplex children[6];
    keep_children(s, cell, grz_simplex_split(&s->space, cell, values[side], children), children);
}

/* Searches a piece of a surface. */
static void search_piece(deepest_search *s, grz_simplex *cell)
{
    int side = 1 - cell->owner;
    grz_simplex_location location = GRZ_CELL_INSIDE;
    double values[4] = {0, 0, 0, 0}, shell, most_shell = fmax(0x1p-10 * s->depth, 0x1p-36 * s->space.reach);
    if (!cell->inside[side])
        location = grz_simplex_locate(&s->space, cell, side, most_shell, values, &shell);
    if (location == GRZ_CELL_OUTSIDE)
        s->shell = fmax(s->shell, shell);
    else if (location == GRZ_CELL_CROWDED)
        bisect(s, cell);
    else if (location == GRZ_CELL_CROSSED)
    {
        grz_simplex children[6];
        keep_children(s, cell, grz_simplex_split(&s->space, cell, values, children), children);
    }
    else
    {
        cell->inside[side] = location == GRZ_CELL_INSIDE;
        if (cell->inside[side])
            try_points(s, cell);
        split_inside(s, cell);
    }
}

/* Searches a cell of space for a local maximum of the depth in either body. */
static void search_space(deepest_search *s, grz_simplex *cell)
{
    bool inside = true;
    for (int side = 0; side < 2; side++)
    {
        if (!cell->inside[side])
        {
            grz_simplex_location location = grz_simplex_locate_ball(&s->space, cell, side);
            if (location == GRZ_CELL_OUTSIDE)
                return;
            cell->inside[side] = location == GRZ_CELL_INSIDE;
        }
        inside = inside && cell->inside[side];
    }
    for (int side = 0; side < 2 && s->embedded; side++)
        cell->no_maximum[side] = cell->no_maximum[side] || grz_simplex_has_no_maximum(&s->space, s->pair, cell, side);
    if (cell->no_maximum[0] && cell->no_maximum[1])
        return;
    if (inside)
    {
        try_points(s, cell);
        split_inside(s, cell);
    }
    else
        bisect(s, cell);
}

/* ---- surfaces ---- */

/* Triangles without area bound no solid: they are left out of the surface of a closed mesh. */
static void add_triangle(deepest_search *s, uint8_t owner, uint32_t triangle, double bound)
{
    const graze_placed_mesh *placed = s->pair->sides[owner].placed;
    const grz_body_view view = {.mesh = placed->mesh};
    if (s->pair->sides[owner].body->adjacency.closed && !grz_body_triangle_has_area(&view, triangle))
        return;
    grz_simplex cell = {.bound = bound, .owner = owner};
    for (size_t k = 0; k < 3; k++)
    {
        uint32_t *vertex = &s->vertex_of[owner][placed->mesh->triangles[3 * (size_t)triangle + k]];
        double x[3];
        graze_pose_apply(&placed->pose, grz_triangle_corner(placed->mesh, triangle, k), x);
        if (*vertex == NO_VERTEX && !grz_simplex_vertex_add(&s->space, x, vertex))
            s->status = GRAZE_STATUS_OUT_OF_MEMORY;
        cell.vertices[k] = *vertex;
    }
    if (s->status == GRAZE_STATUS_OK)
        measure_and_keep(s, &cell);
}

/* The depth in a body of points of a box is at most the distance of the farthest of them to the faces of its AABB, and
   the distance of the centre of the box plus its radius. Negative: the box lies outside. */
static double bound_of_box(deepest_search *s, int side, const double lower[3], const double upper[3])
{
    const grz_placed_body *body = &s->pair->sides[side];
    double centre[3], most = INFINITY, square = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        interval hull = body->hull.axes[axis];
        double middle = 0.5 * hull.lower + 0.5 * hull.upper;
        double at = fmin(fmax(middle, lower[axis]), upper[axis]);
        most = fmin(most, fmin(at - hull.lower, hull.upper - at));
        centre[axis] = 0.5 * lower[axis] + 0.5 * upper[axis];
        square += 0.25 * (upper[axis] - lower[axis]) * (upper[axis] - lower[axis]);
    }
    most += s->space.surfaces[side].error;
    if (!(most > target_of(s)))
        return most;
    grz_nearest_triangle nearest;
    double radius = sqrt(square) * (1 + 16 * GRZ_U) + s->space.surfaces[side].error;
    grz_find_nearest_triangle(&s->space.surfaces[side], centre, GRZ_COARSE, &nearest);
    if (nearest.lower > radius && !is_inside(s, side, centre))
        return -1;
    return fmin(most, nearest.upper + radius);
}

static void open_node(deepest_search *s, const grz_simplex *cell)
{
    const grz_world_tree *world = &s->pair->sides[cell->owner].world;
    uint32_t index = cell->vertices[0];
    if ((index & GRZ_LEAF_FLAG) != 0)
    {
        const grz_leaf *leaf = &world->tree->leaves[index & ~GRZ_LEAF_FLAG];
        for (uint32_t i = 0; i < leaf->count && s->status == GRAZE_STATUS_OK; i++)
            add_triangle(s, cell->owner, world->tree->order[leaf->first + i], cell->bound);
        return;
    }
    grz_world_aabbs boxes;
    grz_world_tree_child_aabbs(world, index, &boxes);
    const uint32_t *children = world->tree->nodes[index].children;
    for (int lane = 0; lane < GRZ_TREE_WIDTH && children[lane] != GRZ_NO_CHILD; lane++)
    {
        const double lower[3] = {boxes.lower[0][lane], boxes.lower[1][lane], boxes.lower[2][lane]};
        const double upper[3] = {boxes.upper[0][lane], boxes.upper[1][lane], boxes.upper[2][lane]};
        grz_simplex child = {.owner = cell->owner, .node = true, .vertices = {children[lane]}};
        child.bound = fmin(cell->bound, bound_of_box(s, 1 - cell->owner, lower, upper));
        if (child.bound > 0)
            keep(s, &child);
    }
}

/* ---- the search ---- */

static void run(deepest_search *s)
{
    while (s->status == GRAZE_STATUS_OK && s->heap.cells.count > 0 && s->cells < s->max_cells)
    {
        if (!(s->heap.cells.data[0].bound > target_of(s)) || !grz_monitor_work(s->pair->monitor, 1))
            break;
        grz_simplex cell = grz_simplex_heap_pop(&s->heap);
        s->cells++;
        if (cell.node)
            open_node(s, &cell);
        else if (cell.owner == GRZ_SPACE)
            search_space(s, &cell);
        else
            search_piece(s, &cell);
        if (!grz_monitor_may_continue(
                s->pair->monitor)) /* what was computed may be wrong: the cell is searched no further */
            s->pruned = fmax(s->pruned, cell.bound);
    }
    if (s->heap.cells.count > 0)
        s->pruned = fmax(s->pruned, s->heap.cells.data[0].bound);
}

static void start_surface(deepest_search *s, uint8_t owner)
{
    const grz_placed_body *body = &s->pair->sides[owner];
    if (!s->pair->sides[1 - owner].body->adjacency.closed)
        return;
    grz_simplex root = {.bound = INFINITY, .owner = owner, .node = true};
    if (body->world.tree != NULL)
        keep(s, &root);
    else
        for (uint32_t t = 0; t < body->placed->mesh->triangle_count && s->status == GRAZE_STATUS_OK; t++)
            add_triangle(s, owner, t, INFINITY);
}

/* Six tetrahedra around a diagonal fill the intersection of both AABBs. */
static void start_space(deepest_search *s)
{
    static const uint8_t paths[6][2] = {{1, 3}, {1, 5}, {2, 3}, {2, 6}, {4, 5}, {4, 6}};
    const grz_placed_body *sides = s->pair->sides;
    uint32_t corners[8];
    for (uint32_t k = 0; k < 8; k++)
    {
        double x[3];
        for (int axis = 0; axis < 3; axis++)
        {
            double lower = fmax(sides[0].hull.axes[axis].lower, sides[1].hull.axes[axis].lower);
            double upper = fmin(sides[0].hull.axes[axis].upper, sides[1].hull.axes[axis].upper);
            if (!(lower <= upper))
                return;
            x[axis] = (k >> axis & 1) != 0 ? upper : lower;
        }
        if (!grz_simplex_vertex_add(&s->space, x, &corners[k]))
            s->status = GRAZE_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < 6 && s->status == GRAZE_STATUS_OK; i++)
    {
        grz_simplex cell = {.bound = INFINITY, .owner = GRZ_SPACE};
        cell.vertices[0] = corners[0];
        cell.vertices[1] = corners[paths[i][0]];
        cell.vertices[2] = corners[paths[i][1]];
        cell.vertices[3] = corners[7];
        measure_and_keep(s, &cell);
    }
}

/* No point of a body is deeper than half the shortest side of its AABB. */
static double bound_by_aabbs(const grz_body_pair *pair)
{
    double bound = 0;
    for (int side = 0; side < 2; side++)
    {
        double shortest = INFINITY;
        for (int axis = 0; axis < 3; axis++)
            shortest =
                fmin(shortest, pair->sides[side].hull.axes[axis].upper - pair->sides[side].hull.axes[axis].lower);
        if (pair->sides[side].body->adjacency.closed)
            bound = fmax(bound, 0.5 * shortest * (1 + 4 * GRZ_U));
    }
    return bound;
}

/* Both searches at once, by the largest bound: where one has nothing deep to search, the other tells so. */
static void search_all(deepest_search *s)
{
    bool solid = s->pair->sides[0].body->adjacency.closed && s->pair->sides[1].body->adjacency.closed;
    if (solid)
        s->status = grz_body_pair_is_embedded(s->pair, &s->embedded);
    if (s->status == GRAZE_STATUS_UNFINISHED)
        s->status = GRAZE_STATUS_OK;
    for (uint8_t owner = 0; owner < 2 && s->status == GRAZE_STATUS_OK; owner++)
        start_surface(s, owner);
    if (solid && s->status == GRAZE_STATUS_OK)
        start_space(s);
    if (!grz_monitor_may_continue(s->pair->monitor)) /* bounds that were computed then count for nothing */
        s->pruned = INFINITY;
    run(s);
}

static graze_status make_search(deepest_search *s, grz_body_pair *pair, const graze_deepest_options *options,
                                double reach)
{
    *s = (deepest_search){
        .pair = pair, .relative_error = options->relative_error, .absolute_error = options->absolute_error};
    s->max_cells = options->max_cells != 0 ? options->max_cells : USUAL_CELLS;
    s->space.context = pair->context;
    s->space.reach = reach;
    for (int i = 0; i < 2; i++)
    {
        size_t count = pair->sides[i].placed->mesh->vertex_count;
        s->space.surfaces[i] = grz_surface_make(&pair->sides[i], reach, pair->monitor);
        s->vertex_of[i] = grz_allocate(pair->context, count, sizeof *s->vertex_of[i]);
        if (s->vertex_of[i] == NULL)
            return GRAZE_STATUS_OUT_OF_MEMORY;
        memset(s->vertex_of[i], 0xff, count * sizeof *s->vertex_of[i]);
    }
    return GRAZE_STATUS_OK;
}

static void release_search(deepest_search *s)
{
    grz_release(s->space.context, s->vertex_of[0]);
    grz_release(s->space.context, s->vertex_of[1]);
    grz_release(s->space.context, s->space.vertices.data);
    grz_release(s->space.context, s->heap.cells.data);
}

/* Searches two bodies that overlap or may. */
static graze_status search_pair(grz_pair_hits *hits, const graze_deepest_options *options, graze_deepest_point *deepest)
{
    const grz_placed_body *sides = hits->body_pair.sides;
    double reach = fmax(grz_coordinate_bound(sides[0].placed->mesh, &sides[0].placed->pose),
                        grz_coordinate_bound(sides[1].placed->mesh, &sides[1].placed->pose));
    deepest->upper = INFINITY;
    deepest->reached = false;
    if (!(reach > 0x1p-300 && reach < 0x1p300)) /* squares of distances would leave the range */
        return GRAZE_STATUS_OK;
    deepest_search s;
    graze_status status = make_search(&s, &hits->body_pair, options, reach);
    if (status == GRAZE_STATUS_OK)
    {
        search_all(&s);
        status = s.status;
    }
    deepest->lower = s.depth;
    deepest->upper = fmin(fmax(fmax(s.pruned, s.depth), s.shell), bound_by_aabbs(&hits->body_pair));
    deepest->reached = deepest->upper <= target_of(&s);
    deepest->inside_b = s.depth > 0 && (s.side == 1) != hits->swapped;
    memcpy(deepest->point, s.point, sizeof s.point);
    memcpy(deepest->nearest, s.nearest, sizeof s.nearest);
    deepest->cells = s.cells;
    release_search(&s);
    graze_status stopped = grz_monitor_status(hits->body_pair.monitor);
    return status != GRAZE_STATUS_OK || stopped != GRAZE_STATUS_CANCELLED ? status : stopped;
}

static graze_status find_deepest(const graze_context *context, const graze_placed_mesh *a, const graze_placed_mesh *b,
                                 const graze_deepest_options *options, grz_monitor *monitor,
                                 graze_deepest_point *out_deepest)
{
    grz_pair_hits hits;
    graze_status status = grz_pair_hits_make(context, a, b, options->body_a, options->body_b, monitor, &hits);
    if (status != GRAZE_STATUS_OK)
        return status;
    graze_deepest_point deepest = {.overlap = GRAZE_VERDICT_UNKNOWN, .reached = true};
    status = grz_overlap(&hits.body_pair, &hits.hits, &deepest.overlap);
    if (status == GRAZE_STATUS_OK && deepest.overlap != GRAZE_VERDICT_NO)
        status = search_pair(&hits, options, &deepest);
    if (status == GRAZE_STATUS_OK)
        *out_deepest = deepest;
    grz_pair_hits_release(&hits);
    return status;
}

graze_status graze_pair_deepest_point(const graze_context *context, const graze_placed_mesh *a,
                                      const graze_placed_mesh *b, const graze_deepest_options *options,
                                      graze_deepest_point *out_deepest)
{
    GRZ_FULL_STRUCT(graze_deepest_options, options);
    if (out_deepest == NULL || !options_fits)
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_deepest_options wish = options != NULL ? *options : graze_deepest_options_default();
    graze_status status = grz_depth_check_arguments(a, b, wish.relative_error, wish.budget.seconds);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (!(wish.absolute_error >= 0 && wish.absolute_error < INFINITY))
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_monitor monitor = grz_monitor_make(&wish.budget);
    return find_deepest(context, a, b, &wish, grz_monitor_is_needed(&monitor) ? &monitor : NULL, out_deepest);
}
