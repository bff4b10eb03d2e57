/* SPDX-License-Identifier: MIT */
/*
 * The deepest common point of two solids, graze_pair_deepest_point: branch and bound that closes from both ends.
 *
 * Let d_A be the distance to A's surface. Its largest value among the common points is either taken on B's surface, in
 * A, or at an interior point of both bodies, which is a local maximum of d_A; and so for B. Hence two searches:
 *
 * 1. Pieces of each surface that lie in the other body. Leaves of the tree come first, with a bound for all their
 *    triangles, then triangles. Those that the other surface does not meet are known to lie inside or outside
 *    (located_triangles.c). A piece that the other surface passes through is split by the plane of a triangle there, so
 *    that pieces soon lie inside or outside; a piece inside is split where the nearest triangle changes.
 * 2. The space that both bodies hold, for local maxima (space_search.c). Boxes are bisected until they lie outside, or
 *    have no local maximum (distance_maxima.c), or no deep point.
 *
 * Why the upper bound holds. A cell is either given a bound, which counts, or dropped: a cell of space when it surely
 * lies outside or has no local maximum; a piece of a surface when its points inside
 * the other body are less than `shell` deep. So the largest bound, shell or depth of a known point is an upper bound.
 *
 * 3. The length L of a separating translation is an upper bound as well, and most overlaps need no other: a common
 * point deeper than L in one body is still inside it after the other body, which holds the point, moved by L. So space
 * is searched only where the way out is longer than the depth of the surfaces: teeth, thin walls, crossing bars. And
 * since a deep vertex is easily found (deepest_probe.c), it and a way out from it come first: after them most surfaces
 * need no search either.
 *
 * The lower bound is the depth of a point that was located exactly: in both bodies where it is a point of space, in the
 * other body where it is a point of a surface, less the error of that point.
 */
#include "pair/depth/deepest_common_point.h"

#include <math.h>
#include <string.h>

#include "base/struct_size.h"
#include "pair/depth/deepest_search.h"
#include "pair/depth/located_triangles.h"
#include "pair/distance/triangle_distance.h"

enum
{
    USUAL_CELLS = 50000,
    USUAL_QUERIES = 600,
    FIRST_CELLS = 256,   /* of surfaces, before a way out is searched for */
    SURFACE_CELLS = 2048 /* of surfaces, before space is searched */
};

void grz_deepest_keep(grz_deepest_search *s, const grz_simplex *cell)
{
    if (!(cell->bound > grz_deepest_target(s)))
        s->pruned = fmax(s->pruned, cell->bound);
    else if (!grz_simplex_heap_push(s->space.context, &s->heap, cell))
        s->status = GRAZE_STATUS_OUT_OF_MEMORY;
}

/* ---- the lower bound ---- */

void grz_deepest_try_point(grz_deepest_search *s, const grz_simplex *cell, int side, const double point[3],
                           const grz_nearest_triangle *nearest)
{
    double error = cell->owner == GRZ_SPACE ? 0 : grz_simplex_error(&s->space, cell);
    double depth = (nearest->lower - error) * (1 - 4 * GRZ_U);
    if (!(depth > s->best.depth))
        return;
    if (!cell->exactly && !grz_simplex_point_inside(&s->space, side, point, nearest->lower))
        return;
    if (cell->owner == GRZ_SPACE && !grz_simplex_point_inside(&s->space, 1 - side, point, 0))
        return;
    if (!grz_monitor_may_continue(s->pair->monitor))
        return;
    s->best.depth = depth;
    s->best.side = side;
    s->best.triangle = nearest->triangle;
    memcpy(s->best.point, point, sizeof s->best.point);
    memcpy(s->best.nearest, nearest->point, sizeof s->best.nearest);
}

/* Tries the vertices of a cell. They are measured. */
static void try_vertices(grz_deepest_search *s, const grz_simplex *cell, int side)
{
    for (int i = 0; i < grz_simplex_size(cell); i++)
    {
        const grz_simplex_vertex *vertex = &s->space.vertices.data[cell->vertices[i]];
        grz_deepest_try_point(s, cell, side, vertex->x, &vertex->nearest[side]);
    }
}

/* ---- cells ---- */

void grz_deepest_measure_and_keep(grz_deepest_search *s, grz_simplex *cell)
{
    double bound = 0;
    for (int side = 0; side < 2; side++)
        if (grz_simplex_counts(cell, side))
        {
            bound = fmax(bound, grz_simplex_distance_bound(&s->space, cell, side, NULL));
            if (cell->exactly)
                try_vertices(s, cell, side);
        }
    cell->bound = fmin(cell->bound, bound);
    grz_deepest_keep(s, cell);
}

static void keep_children(grz_deepest_search *s, const grz_simplex *cell, int count, grz_simplex children[6])
{
    if (count == 0)
        s->status = GRAZE_STATUS_OUT_OF_MEMORY;
    if (cell->splits + 6 > GRZ_MOST_SPLITS) /* given up: its bound remains */
    {
        s->pruned = fmax(s->pruned, cell->bound);
        return;
    }
    for (int i = 0; i < count && s->status == GRAZE_STATUS_OK; i++)
        grz_deepest_measure_and_keep(s, &children[i]);
}

static void bisect(grz_deepest_search *s, const grz_simplex *cell)
{
    grz_simplex children[6];
    keep_children(s, cell, grz_simplex_bisect(&s->space, cell, children), children);
}

/* Splits a cell inside where the triangle that is nearest changes, unless its bound suffices by now. */
static void split_inside(grz_deepest_search *s, const grz_simplex *cell)
{
    if (!(cell->bound > grz_deepest_target(s)))
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
static void search_piece(grz_deepest_search *s, grz_simplex *cell)
{
    int side = 1 - cell->owner;
    grz_simplex_location location = GRZ_CELL_INSIDE;
    grz_simplex_ball ball = grz_simplex_ball_of(&s->space, cell);
    double values[4] = {0, 0, 0, 0}, most_shell = fmax(0x1p-10 * s->best.depth, 0x1p-36 * s->space.reach);
    grz_simplex_shell shell;
    if (!cell->inside[side])
        location = grz_simplex_locate(&s->space, cell, &ball, side, most_shell, values, &shell);
    if (location == GRZ_CELL_OUTSIDE)
        s->shell = fmax(s->shell, shell.depth);
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
        if (cell->inside[side] && !cell->exactly)
        {
            grz_deepest_try_point(s, cell, side, ball.centre, grz_simplex_ball_measured(&s->space, &ball, side));
            try_vertices(s, cell, side);
        }
        split_inside(s, cell);
    }
}

/* ---- the search ---- */

void grz_deepest_run(grz_deepest_search *s, uint32_t max_cells)
{
    while (s->status == GRAZE_STATUS_OK && s->heap.cells.count > 0 && s->cells < max_cells)
    {
        double bound = s->heap.cells.data[0].bound;
        if (!(fmin(bound, s->best.way.length) > grz_deepest_target(s)) || !grz_monitor_work(s->pair->monitor, 1))
            break;
        grz_simplex cell = grz_simplex_heap_pop(&s->heap);
        s->cells++;
        if (cell.leaf)
            grz_deepest_open_leaf(s, &cell);
        else if (cell.owner == GRZ_SPACE)
            grz_deepest_search_box(s, &cell);
        else
            search_piece(s, &cell);
        if (!grz_monitor_may_continue(
                s->pair->monitor)) /* what was computed may be wrong: the cell is searched no further */
            s->pruned = fmax(s->pruned, bound);
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

/* Whether most normals of a side point out of it: by the point that lies deepest in it so far. */
static void find_facing(grz_deepest_search *s)
{
    v3 corners[3];
    s->space.facing[0] = s->space.facing[1] = 1;
    if (!(s->best.depth > 0))
        return;
    grz_surface_corners(&s->space.surfaces[s->best.side], s->best.triangle, corners);
    v3 normal = v3_cross(v3_sub(corners[1], corners[0]), v3_sub(corners[2], corners[0]));
    if (v3_dot(normal, v3_sub(v3_load(s->best.point), corners[0])) > 0)
        s->space.facing[s->best.side] = -1;
}

/* Searches for a separating translation: no common point is deeper than its length. Briefly: only for one that leaves
   nothing to search for. */
static void find_way_out(grz_deepest_search *s, const grz_hits *hits, bool briefly)
{
    grz_depth_budget budget = {.max_queries = s->max_queries, .monitor = s->pair->monitor};
    grz_deepest_point deepest = {.depth = s->best.depth,
                                 .side = 1 - s->best.side,
                                 .triangle = GRZ_NO_TRIANGLE,
                                 .other_triangle = s->best.triangle};
    grz_separating_translation found = {.length = INFINITY};
    memcpy(deepest.point, s->best.point, sizeof deepest.point);
    memcpy(deepest.nearest, s->best.nearest, sizeof deepest.nearest);
    graze_status status =
        briefly ? grz_find_short_separation(s->pair, hits, &deepest, s->relative_error, &budget, &found)
                : grz_find_separating_translation(s->pair, hits, &deepest, fmax(s->best.sum, s->best.depth),
                                                  s->relative_error, &budget, &found);
    s->best.queries += budget.queries;
    if (found.length < s->best.way.length)
        s->best.way = found;
    if (status != GRAZE_STATUS_OK && status != GRAZE_STATUS_UNFINISHED)
        s->status = status;
}

/* Whether the way out bounds all depths: then nothing is left to search for. */
static bool is_closed_by_way_out(const grz_deepest_search *s)
{
    return s->best.way.length <= grz_deepest_target(s);
}

/* Searches for a way out from the deepest point so far, along few directions first. */
static void leave(grz_deepest_search *s, const grz_hits *hits, bool solid)
{
    if (s->best.depth > 0 && s->status == GRAZE_STATUS_OK)
        find_way_out(s, hits, true);
    if (is_closed_by_way_out(s))
        return;
    find_facing(s);
    if (solid && s->status == GRAZE_STATUS_OK)
        grz_deepest_try_middle(s);
    if (s->status == GRAZE_STATUS_OK)
        find_way_out(s, hits, false);
}

/* A deep vertex and a way out from it first, which end most searches; then surfaces, mostly to the end, and with what
   is deeper then another way out; then space, unless all is closed by then. */
static void search_all(grz_deepest_search *s, const grz_hits *hits)
{
    bool solid = s->pair->sides[0].body->adjacency.closed && s->pair->sides[1].body->adjacency.closed;
    if (solid)
        grz_deepest_probe(s);
    double probed = s->best.depth;
    if (probed > 0)
        leave(s, hits, solid);
    if (is_closed_by_way_out(s))
    {
        s->pruned = INFINITY; /* no surface was searched */
        return;
    }
    for (uint8_t owner = 0; owner < 2 && s->status == GRAZE_STATUS_OK; owner++)
        grz_deepest_start_surface(s, owner);
    grz_deepest_run(s, FIRST_CELLS < s->max_cells ? FIRST_CELLS : s->max_cells);
    if (probed == 0)
        leave(s, hits, solid);
    double shortest = fmax(s->best.sum, probed);
    grz_deepest_run(s, SURFACE_CELLS < s->max_cells ? SURFACE_CELLS : s->max_cells);
    /* The first search may have had a worse direction out of the contact, or none, when no vertex of one lies in the
       other. */
    double better = fmax(s->best.sum, s->best.depth);
    if (s->status == GRAZE_STATUS_OK && s->best.depth > probed && s->best.way.length > grz_deepest_target(s))
        find_way_out(s, hits, true);
    if (s->status == GRAZE_STATUS_OK && better > 2 * shortest && s->best.way.length > 2 * better)
        find_way_out(s, hits, false);
    if (solid && s->status == GRAZE_STATUS_OK && s->best.way.length > grz_deepest_target(s))
    {
        grz_deepest_climb_sum(s);
        grz_deepest_start_space(s);
    }
    if (!grz_monitor_may_continue(s->pair->monitor)) /* bounds that were computed then count for nothing */
        s->pruned = INFINITY;
    grz_deepest_run(s, s->max_cells);
    if (s->heap.cells.count > 0)
        s->pruned = fmax(s->pruned, s->heap.cells.data[0].bound);
}

static graze_status make_search(grz_deepest_search *s, grz_body_pair *pair, const grz_located_surfaces *located,
                                const grz_deepest_wish *wish, double reach)
{
    s->pair = pair;
    s->relative_error = wish->relative_error;
    s->absolute_error = wish->absolute_error;
    s->max_queries = wish->max_queries;
    s->best.way.length = INFINITY;
    s->max_cells = wish->max_cells != 0 ? wish->max_cells : USUAL_CELLS;
    s->space.context = pair->context;
    s->space.reach = reach;
    for (int i = 0; i < 2; i++)
    {
        const graze_mesh *mesh = pair->sides[i].placed->mesh;
        s->near_last[i].triangle = GRZ_NO_TRIANGLE;
        s->space.surfaces[i] = grz_surface_make(&pair->sides[i], reach, pair->monitor);
        s->vertex_of[i] = grz_allocate(pair->context, mesh->vertex_count, sizeof *s->vertex_of[i]);
        if (s->vertex_of[i] == NULL || !grz_surface_make_leaves(pair->context, &s->space.surfaces[i]))
            return GRAZE_STATUS_OUT_OF_MEMORY;
        memset(s->vertex_of[i], 0xff, mesh->vertex_count * sizeof *s->vertex_of[i]);
        s->locations[i] = located->of[i];
    }
    return located->status;
}

static void release_search(grz_deepest_search *s)
{
    for (int i = 0; i < 2; i++)
    {
        grz_release(s->space.context, s->vertex_of[i]);
        grz_surface_release(s->space.context, &s->space.surfaces[i]);
    }
    grz_release(s->space.context, s->space.vertices.data);
    grz_release(s->space.context, s->space.normals.data);
    grz_release(s->space.context, s->boxes.data);
    grz_release(s->space.context, s->heap.cells.data);
}

graze_status grz_find_deepest_common_point(grz_body_pair *body_pair, const grz_hits *hits,
                                           const grz_located_surfaces *located, const grz_deepest_wish *wish,
                                           grz_deepest_common_point *out_deepest)
{
    const grz_placed_body *sides = body_pair->sides;
    double reach = fmax(grz_coordinate_bound(sides[0].placed->mesh, &sides[0].placed->pose),
                        grz_coordinate_bound(sides[1].placed->mesh, &sides[1].placed->pose));
    reach *= 4; /* for the corners of a box around both in any direction */
    *out_deepest = (grz_deepest_common_point){.upper = INFINITY, .way = {.length = INFINITY}};
    if (!(reach > 0x1p-300 && reach < 0x1p300)) /* squares of distances would leave the range */
        return GRAZE_STATUS_OK;
    grz_deepest_search s;
    memset(&s, 0, sizeof s);
    graze_status status = make_search(&s, body_pair, located, wish, reach);
    if (status == GRAZE_STATUS_OK)
    {
        search_all(&s, hits);
        status = s.status;
    }
    else
        s.pruned = INFINITY;
    *out_deepest = s.best;
    out_deepest->upper = fmin(fmax(fmax(s.pruned, s.best.depth), s.shell), bound_by_aabbs(body_pair));
    out_deepest->upper = fmin(out_deepest->upper, fmax(s.best.way.length, s.best.depth));
    out_deepest->sum = fmax(s.best.sum, s.best.depth);
    out_deepest->cells = s.cells;
    release_search(&s);
    if (status == GRAZE_STATUS_UNFINISHED)
        status = GRAZE_STATUS_OK;
    graze_status stopped = grz_monitor_status(body_pair->monitor);
    return status != GRAZE_STATUS_OK || stopped != GRAZE_STATUS_CANCELLED ? status : stopped;
}

/* ---- the public call ---- */

graze_deepest_point grz_deepest_report(const grz_pair_hits *hits, const grz_deepest_common_point *found,
                                       const grz_deepest_wish *wish, graze_verdict overlap)
{
    graze_deepest_point deepest = {.overlap = overlap, .lower = found->depth, .upper = found->upper};
    double target = fmax(found->depth * (1 + wish->relative_error), found->depth + wish->absolute_error);
    deepest.reached = found->upper <= target;
    deepest.inside_b = found->depth > 0 && (found->side == 1) != hits->swapped;
    memcpy(deepest.point, found->point, sizeof deepest.point);
    memcpy(deepest.nearest, found->nearest, sizeof deepest.nearest);
    deepest.cells = found->cells;
    return deepest;
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
    {
        grz_deepest_common_point found;
        grz_deepest_wish wish = {options->relative_error, options->absolute_error, options->max_cells, USUAL_QUERIES};
        grz_located_surfaces located = grz_locate_surfaces(&hits.body_pair, &hits.hits);
        status = grz_find_deepest_common_point(&hits.body_pair, &hits.hits, &located, &wish, &found);
        deepest = grz_deepest_report(&hits, &found, &wish, deepest.overlap);
        grz_located_surfaces_release(hits.body_pair.context, &located);
    }
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
