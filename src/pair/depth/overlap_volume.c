/* SPDX-License-Identifier: MIT */
/*
 * The volume that two bodies have in common; see overlap_volume.h.
 *
 * Divergence theorem: for a vector g and a point o, the field ((x - o) . g) g has the divergence g . g, so the volume
 * times g . g is the integral of ((x - o) . g) (g . n) over the boundary of the intersection. That is made of the
 * pieces of each surface inside the other body. A flat triangle with corners p, q, r contributes (g . (q - p) x (r -
 * p)) (sum of the heights of its corners) / 6.
 *
 * Triangles that the other surface does not meet lie inside or outside (located_triangles.c). The others are split
 * along planes of the triangles that cross them, the ones that matter most first. A piece that could not be located
 * contributes between nothing and all of it: that is the error. Pieces of faces that lie on one another stay so; g is
 * chosen along most of them, and o among their heights, so that they contribute nothing where that is possible.
 *
 * Each shell of a body has the body behind its triangles or in front of them; where it is in front, pieces are turned
 * over. A shell that lies in the interior, with the body on both sides, bounds nothing: then the volume is not known.
 *
 * Error of a piece. Let its corners have an error of e, a perimeter of P, heights of at most H |g|, and an area S. Its
 * area vector is wrong by less than e (P + 2 e), its heights by e |g|; rounding adds less than 32 u (P^2 H + P^2 reach)
 * |g|^2, since heights are differences of coordinates.
 */
#include "pair/depth/overlap_volume.h"

#include <math.h>
#include <string.h>

#include "pair/depth/crossing_volume.h"
#include "pair/depth/located_triangles.h"
#include "pair/depth/simplex_search.h"
#include "pair/distance/triangle_distance.h"

enum
{
    MOST_DIRECTIONS = 9,
    SIDES_TRIED = 16, /* triangles of a shell that are asked on which side of them the body is */
    MOST_SHELLS = 256 /* of a body, as far as they are not outside the other */
};

#define LEAST_ERROR 0x1p-30 /* relative: less need not be reached by splitting */

typedef struct volume_search
{
    grz_body_pair *pair;
    grz_simplex_space space;
    grz_simplex_heap heap;     /* pieces that are not located, by what they may contribute */
    uint8_t *const *locations; /* of both */
    int8_t *sides[2]; /* per triangle that is not outside: where the body is, 1 behind it, -1 in front, 0 not known */
    bool known;       /* whether all these are known */
    bool splits;      /* crossings are not used */
    v3 along, origin;
    double sum, error; /* of located pieces, and that of located ones and of given up ones */
    double open;       /* error of the pieces on the heap */
    uint32_t cells;
    graze_status status;
} volume_search;

/* What a piece contributes if all of it is inside, and bounds of what a part of it does. */
typedef struct contribution
{
    double all, lower, upper, error;
} contribution;

static contribution contribution_of(const volume_search *s, const grz_simplex *cell)
{
    v3 corners[3];
    double heights[3], perimeter = 0, highest = -INFINITY, lowest = INFINITY, g = v3_length(s->along);
    for (int k = 0; k < 3; k++)
    {
        corners[k] = grz_simplex_corner(&s->space, cell, k);
        heights[k] = v3_dot(s->along, v3_sub(corners[k], s->origin));
        highest = fmax(highest, heights[k]);
        lowest = fmin(lowest, heights[k]);
    }
    v3 area = v3_cross(v3_sub(corners[1], corners[0]), v3_sub(corners[2], corners[0]));
    for (int k = 0; k < 3; k++)
        perimeter += v3_length(v3_sub(corners[(k + 1) % 3], corners[k]));
    double flux = v3_dot(s->along, area), size = fmax(fabs(highest), fabs(lowest)) / g;
    double e = grz_simplex_error(&s->space, cell), square = perimeter * perimeter;
    contribution c = {.all = flux * (heights[0] + heights[1] + heights[2]) / 6};
    c.upper = fmax(0, fmax(0.5 * flux * highest, 0.5 * flux * lowest));
    c.lower = fmin(0, fmin(0.5 * flux * highest, 0.5 * flux * lowest));
    c.error =
        g * g * (e * (perimeter + 2 * e) * (size + e) + square * e + 32 * GRZ_U * square * (size + s->space.reach));
    return c;
}

/* Adds a piece that lies inside, or outside: all of it but for a share of its area. */
static void add_piece(volume_search *s, const grz_simplex *cell, bool inside, double share)
{
    contribution c = contribution_of(s, cell);
    s->sum += inside ? c.all : 0;
    s->error += fmin(share, 1) * (c.upper - c.lower) + c.error + 2 * GRZ_U * fabs(s->sum);
}

/* Adds a piece of which any part may be inside. */
static void give_up(volume_search *s, const grz_simplex *cell)
{
    contribution c = contribution_of(s, cell);
    s->sum += 0.5 * c.lower + 0.5 * c.upper;
    s->error += 0.5 * (c.upper - c.lower) + c.error + 2 * GRZ_U * fabs(s->sum);
}

static void keep(volume_search *s, grz_simplex *cell)
{
    contribution c = contribution_of(s, cell);
    cell->bound = 0.5 * (c.upper - c.lower) + c.error;
    s->open += cell->bound;
    if (!grz_simplex_heap_push(s->space.context, &s->heap, cell))
        s->status = GRAZE_STATUS_OUT_OF_MEMORY;
}

static void search_piece(volume_search *s, const grz_simplex *cell)
{
    grz_simplex_ball ball = grz_simplex_ball_of(&s->space, cell);
    grz_simplex children[6];
    grz_simplex_shell shell;
    double values[4] = {0, 0, 0, 0};
    int count;
    grz_simplex_location location =
        grz_simplex_locate(&s->space, cell, &ball, 1 - cell->owner, INFINITY, values, &shell);
    if (location == GRZ_CELL_INSIDE || location == GRZ_CELL_OUTSIDE)
    {
        add_piece(s, cell, location == GRZ_CELL_INSIDE, shell.share);
        return;
    }
    if (location == GRZ_CELL_UNSURE || cell->splits + 6 > GRZ_MOST_SPLITS)
    {
        give_up(s, cell);
        return;
    }
    if (location == GRZ_CELL_CROWDED)
        count = grz_simplex_bisect(&s->space, cell, children);
    else
        count = grz_simplex_split(&s->space, cell, values, children);
    if (count == 0)
        s->status = GRAZE_STATUS_OUT_OF_MEMORY;
    for (int i = 0; i < count && s->status == GRAZE_STATUS_OK; i++)
        keep(s, &children[i]);
}

static bool cell_of(volume_search *s, uint8_t owner, uint32_t triangle, grz_simplex *out_cell)
{
    const graze_placed_mesh *placed = s->pair->sides[owner].placed;
    const grz_body_view view = {.mesh = placed->mesh};
    if (s->locations[owner][triangle] == GRZ_TRIANGLE_OUTSIDE || !grz_body_triangle_has_area(&view, triangle))
        return false;
    *out_cell = (grz_simplex){.owner = owner};
    for (size_t k = 0; k < 3; k++)
    {
        double x[3];
        graze_pose_apply(&placed->pose, grz_triangle_corner(placed->mesh, triangle, k), x);
        size_t turned = s->sides[owner][triangle] < 0 && k > 0 ? 3 - k : k;
        if (!grz_simplex_vertex_add(&s->space, x, &out_cell->vertices[turned]))
            s->status = GRAZE_STATUS_OUT_OF_MEMORY;
    }
    return s->status == GRAZE_STATUS_OK;
}

/* ---- direction and origin ---- */

/* How much the pieces that are not located would contribute with this direction: areas as seen along it. */
static double uncertainty(const volume_search *s, v3 along)
{
    double sum = 0, length = v3_length(along);
    for (size_t i = 0; i < s->heap.cells.count; i++)
    {
        const grz_simplex *cell = &s->heap.cells.data[i];
        v3 p = grz_simplex_corner(&s->space, cell, 0);
        v3 area = v3_cross(v3_sub(grz_simplex_corner(&s->space, cell, 1), p),
                           v3_sub(grz_simplex_corner(&s->space, cell, 2), p));
        sum += fabs(v3_dot(along, area));
    }
    return length > 0 && length < INFINITY ? sum / length : INFINITY;
}

/* A direction along which the pieces on the heap are seen from the side: of the axes of both bodies and the world. */
static void choose_direction(volume_search *s)
{
    v3 candidates[MOST_DIRECTIONS] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 2; i++)
    {
        const double *m = s->pair->sides[i].placed->pose.m;
        for (int column = 0; column < 3; column++)
            candidates[3 + 3 * i + column] = v3_make(m[column], m[4 + column], m[8 + column]);
    }
    double least = INFINITY;
    s->along = candidates[0];
    for (int i = 0; i < MOST_DIRECTIONS; i++)
    {
        double length = v3_length(candidates[i]), now = uncertainty(s, candidates[i]);
        if (!(now < least))
            continue;
        least = now;
        s->along = v3_scale(1 / length, candidates[i]);
    }
}

/* The corner of the piece that faces the direction with the most area: heights count from there. */
static void choose_origin(volume_search *s, v3 usual)
{
    double most = 0;
    s->origin = usual;
    for (size_t i = 0; i < s->heap.cells.count; i++)
    {
        const grz_simplex *cell = &s->heap.cells.data[i];
        v3 p = grz_simplex_corner(&s->space, cell, 0);
        v3 area = v3_cross(v3_sub(grz_simplex_corner(&s->space, cell, 1), p),
                           v3_sub(grz_simplex_corner(&s->space, cell, 2), p));
        double seen = fabs(v3_dot(s->along, area));
        if (!(seen > most))
            continue;
        most = seen;
        s->origin = p;
    }
}

/* ---- the search ---- */

/* Gathers the part of a shell that is connected with a triangle and not outside; returns the number of its triangles.
 */
static size_t gather_shell(const graze_body *body, const uint8_t *locations, uint32_t first, bool *gathered,
                           uint32_t *out_shell)
{
    size_t count = 1;
    out_shell[0] = first;
    gathered[first] = true;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < 3; k++)
        {
            uint32_t twin = body->adjacency.twins[3 * (size_t)out_shell[i] + k];
            if (twin == GRAZE_NO_HALF_EDGE || gathered[twin / 3] || locations[twin / 3] == GRZ_TRIANGLE_OUTSIDE)
                continue;
            gathered[twin / 3] = true;
            out_shell[count++] = twin / 3;
        }
    return count;
}

/* 1 where the body is behind the triangles of a shell, -1 where it is in front of them, 0 when that is not known. */
static int8_t side_of_shell(const grz_body_view *view, const uint32_t *shell, size_t count)
{
    size_t step = count / SIDES_TRIED + 1;
    for (size_t i = 0; i < count; i += step)
    {
        int interior = grz_body_interior_side(view, shell[i]);
        if (interior != 0)
            return (int8_t)-interior;
    }
    return 0;
}

/* Finds on which side of its triangles a body is, shell by shell. `shell` and `gathered` have a place per triangle. */
static graze_status find_sides(volume_search *s, int owner, uint32_t *shell, bool *gathered)
{
    const grz_placed_body *own = &s->pair->sides[owner];
    size_t count = own->placed->mesh->triangle_count, shell_count = 0;
    grz_body_view view = grz_placed_body_view(own);
    memset(s->sides[owner], 0, count);
    memset(gathered, 0, count * sizeof *gathered);
    for (uint32_t t = 0; t < count; t++)
    {
        if (gathered[t] || s->locations[owner][t] == GRZ_TRIANGLE_OUTSIDE)
            continue;
        bool counts = false; /* a piece of it does: not if all have no area */
        size_t size = gather_shell(own->body, s->locations[owner], t, gathered, shell);
        for (size_t i = 0; i < size && !counts; i++)
            counts = grz_body_triangle_has_area(&view, shell[i]);
        if (!counts)
            continue;
        int8_t side = shell_count++ < MOST_SHELLS ? side_of_shell(&view, shell, size) : 0;
        s->known = s->known && side != 0;
        for (size_t i = 0; i < size; i++)
            s->sides[owner][shell[i]] = side;
    }
    return grz_monitor_status(s->pair->monitor);
}

static graze_status find_sides_of(volume_search *s, int owner)
{
    size_t count = s->pair->sides[owner].placed->mesh->triangle_count;
    s->sides[owner] = grz_allocate(s->pair->context, count, sizeof *s->sides[owner]);
    uint32_t *shell = grz_allocate(s->pair->context, count, sizeof *shell);
    bool *gathered = grz_allocate(s->pair->context, count, sizeof *gathered);
    graze_status status = GRAZE_STATUS_OUT_OF_MEMORY;
    if (s->sides[owner] != NULL && shell != NULL && gathered != NULL)
        status = find_sides(s, owner, shell, gathered);
    grz_release(s->pair->context, shell);
    grz_release(s->pair->context, gathered);
    return status;
}

static graze_status start(volume_search *s)
{
    v3 middle = v3_make(0, 0, 0);
    for (int i = 0; i < 2; i++)
    {
        const interval *axes = s->pair->sides[i].hull.axes;
        middle = v3_add(middle, v3_make(0.25 * axes[0].lower + 0.25 * axes[0].upper,
                                        0.25 * axes[1].lower + 0.25 * axes[1].upper,
                                        0.25 * axes[2].lower + 0.25 * axes[2].upper));
    }
    for (uint8_t owner = 0; owner < 2; owner++)
        for (uint32_t t = 0; t < s->pair->sides[owner].placed->mesh->triangle_count; t++)
        {
            grz_simplex cell;
            if (s->locations[owner][t] != GRZ_TRIANGLE_INSIDE && cell_of(s, owner, t, &cell) &&
                !grz_simplex_heap_push(s->space.context, &s->heap, &cell))
                s->status = GRAZE_STATUS_OUT_OF_MEMORY;
            if (s->status != GRAZE_STATUS_OK)
                return s->status;
        }
    choose_direction(s);
    choose_origin(s, middle);
    return GRAZE_STATUS_OK;
}

static void search(volume_search *s, double relative_error, uint32_t max_cells)
{
    grz_simplex_heap met = s->heap;
    memset(&s->heap, 0, sizeof s->heap);
    for (size_t i = 0; i < met.cells.count && s->status == GRAZE_STATUS_OK; i++)
        keep(s, &met.cells.data[i]);
    grz_release(s->space.context, met.cells.data);
    for (uint8_t owner = 0; owner < 2; owner++)
        for (uint32_t t = 0; t < s->pair->sides[owner].placed->mesh->triangle_count; t++)
        {
            grz_simplex cell;
            if (s->locations[owner][t] == GRZ_TRIANGLE_INSIDE && cell_of(s, owner, t, &cell))
                add_piece(s, &cell, true, 0);
        }
    while (s->status == GRAZE_STATUS_OK && s->heap.cells.count > 0 && s->cells < max_cells)
    {
        if (s->open + s->error <= relative_error * fabs(s->sum) || !grz_monitor_work(s->pair->monitor, 1))
            break;
        grz_simplex cell = grz_simplex_heap_pop(&s->heap);
        s->open -= cell.bound;
        s->cells++;
        search_piece(s, &cell);
    }
    for (size_t i = 0; i < s->heap.cells.count; i++)
        give_up(s, &s->heap.cells.data[i]);
}

/* Splits pieces until the volume is known well enough. */
static graze_status split_pieces(volume_search *s, double relative_error, uint32_t max_cells)
{
    for (int i = 0; i < 2; i++)
        if (!grz_surface_make_leaves(s->pair->context, &s->space.surfaces[i]))
            return GRAZE_STATUS_OUT_OF_MEMORY;
    graze_status status = start(s);
    if (status != GRAZE_STATUS_OK)
        return status;
    search(s, relative_error, max_cells);
    return s->status;
}

/* By crossings, if that is accurate enough; else by splitting pieces. */
static graze_status find_volume(volume_search *s, const grz_hits *hits, const grz_located_surfaces *located,
                                double relative_error, uint32_t max_cells)
{
    graze_status status = located->status;
    for (int i = 0; i < 2 && status == GRAZE_STATUS_OK; i++)
        status = find_sides_of(s, i);
    if (status != GRAZE_STATUS_OK || !s->known)
        return status;
    grz_crossing_volume found = {.found = false};
    if (!s->splits)
        status = grz_find_crossing_volume(s->pair, hits, s->locations, s->sides, s->space.reach, &found);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (!found.found || !(found.error <= fmax(relative_error, LEAST_ERROR) * fabs(found.value)))
        return split_pieces(s, relative_error, max_cells);
    s->along = v3_make(1, 0, 0);
    s->sum = found.value;
    s->error = found.error;
    return GRAZE_STATUS_OK;
}

/* The volume is at least 0, and at most that of the common box of both AABBs. */
static grz_overlap_volume report(const volume_search *s)
{
    double square = v3_dot(s->along, s->along), value = s->sum / square, box = 1;
    double error = (s->error / square + 8 * GRZ_U * fabs(value)) * (1 + 16 * GRZ_U) + 0x1p-1000;
    const grz_placed_body *sides = s->pair->sides;
    for (int axis = 0; axis < 3; axis++)
        box *= fmax(0, fmin(sides[0].hull.axes[axis].upper, sides[1].hull.axes[axis].upper) -
                           fmax(sides[0].hull.axes[axis].lower, sides[1].hull.axes[axis].lower));
    double lower = fmax(value - error, 0), upper = fmin(value + error, box * (1 + 16 * GRZ_U));
    if (!(lower <= upper) || !grz_monitor_may_continue(s->pair->monitor))
        return (grz_overlap_volume){0, INFINITY};
    if (lower == value - error && upper == value + error)
        return (grz_overlap_volume){value, error};
    return (grz_overlap_volume){0.5 * lower + 0.5 * upper, (0.5 * (upper - lower)) * (1 + 16 * GRZ_U)};
}

static graze_status find_overlap_volume(grz_body_pair *body_pair, const grz_hits *hits,
                                        const grz_located_surfaces *located, bool splits, double relative_error,
                                        uint32_t max_cells, grz_overlap_volume *out_volume)
{
    const grz_placed_body *sides = body_pair->sides;
    double reach = fmax(grz_coordinate_bound(sides[0].placed->mesh, &sides[0].placed->pose),
                        grz_coordinate_bound(sides[1].placed->mesh, &sides[1].placed->pose));
    bool closed = sides[0].body->adjacency.closed && sides[1].body->adjacency.closed;
    *out_volume = (grz_overlap_volume){0, closed ? INFINITY : 0};
    if (!closed || !sides[0].body->adjacency.oriented || !sides[1].body->adjacency.oriented ||
        !(reach > 0x1p-200 && reach < 0x1p200))
        return GRAZE_STATUS_OK;
    volume_search s;
    memset(&s, 0, sizeof s);
    s.pair = body_pair;
    s.locations = located->of;
    s.known = true;
    s.splits = splits;
    s.space.context = body_pair->context;
    s.space.reach = reach;
    for (int i = 0; i < 2; i++)
        s.space.surfaces[i] = grz_surface_make(&sides[i], reach, body_pair->monitor);
    graze_status status = find_volume(&s, hits, located, relative_error, max_cells);
    if (status == GRAZE_STATUS_OK && s.known)
        *out_volume = report(&s);
    for (int i = 0; i < 2; i++)
        grz_surface_release(body_pair->context, &s.space.surfaces[i]);
    grz_release(body_pair->context, s.sides[0]);
    grz_release(body_pair->context, s.sides[1]);
    grz_release(body_pair->context, s.space.vertices.data);
    grz_release(body_pair->context, s.heap.cells.data);
    if (status == GRAZE_STATUS_UNFINISHED)
        status = GRAZE_STATUS_OK;
    graze_status stopped = grz_monitor_status(body_pair->monitor);
    return status != GRAZE_STATUS_OK || stopped != GRAZE_STATUS_CANCELLED ? status : stopped;
}

/* The extent of a body along a unit vector, rounded outward: a corner is off by less than 14 u reach, and its height by
 * another 4 u reach. */
static interval extent_along(const grz_placed_body *side, v3 n, double reach)
{
    interval extent = {INFINITY, -INFINITY};
    for (size_t v = 0; v < side->body->adjacency.vertex_count; v++)
    {
        double height = v3_dot(n, v3_place(side->placed->pose.m, grz_body_vertex(side->body, (uint32_t)v)));
        extent.lower = interval_min2(extent.lower, height);
        extent.upper = interval_max2(extent.upper, height);
    }
    return (interval){extent.lower - 32 * GRZ_U * reach, extent.upper + 32 * GRZ_U * reach};
}

/* A set between two planes, and in a box: seen along their normal, the box has the area of its three faces that are
 * seen. */
void grz_narrow_overlap_volume(const grz_body_pair *body_pair, const double direction[3], grz_overlap_volume *volume)
{
    const grz_placed_body *sides = body_pair->sides;
    double reach = fmax(grz_coordinate_bound(sides[0].placed->mesh, &sides[0].placed->pose),
                        grz_coordinate_bound(sides[1].placed->mesh, &sides[1].placed->pose));
    double length = v3_length(v3_load(direction)), box[3];
    if (!(reach > 0x1p-200 && reach < 0x1p200 && length > 0x1p-300 && length < 0x1p200 && isfinite(volume->error)))
        return;
    v3 n = v3_scale(1 / length, v3_load(direction));
    interval first = extent_along(&sides[0], n, reach), second = extent_along(&sides[1], n, reach);
    double width = fmax(0, fmin(first.upper, second.upper) - fmax(first.lower, second.lower));
    for (int axis = 0; axis < 3; axis++)
        box[axis] = fmax(0, fmin(sides[0].hull.axes[axis].upper, sides[1].hull.axes[axis].upper) -
                                fmax(sides[0].hull.axes[axis].lower, sides[1].hull.axes[axis].lower));
    double seen = fabs(n.x) * box[1] * box[2] + fabs(n.y) * box[0] * box[2] + fabs(n.z) * box[0] * box[1];
    double upper = width * seen * (1 + 64 * GRZ_U), lower = fmin(fmax(volume->value - volume->error, 0), upper);
    if (upper < volume->value + volume->error)
        *volume = (grz_overlap_volume){0.5 * lower + 0.5 * upper, 0.5 * (upper - lower) * (1 + 16 * GRZ_U)};
}

graze_status grz_find_overlap_volume(grz_body_pair *body_pair, const grz_hits *hits,
                                     const grz_located_surfaces *located, double relative_error, uint32_t max_cells,
                                     grz_overlap_volume *out_volume)
{
    return find_overlap_volume(body_pair, hits, located, false, relative_error, max_cells, out_volume);
}

graze_status grz_split_overlap_volume(grz_body_pair *body_pair, const grz_hits *hits,
                                      const grz_located_surfaces *located, double relative_error, uint32_t max_cells,
                                      grz_overlap_volume *out_volume)
{
    return find_overlap_volume(body_pair, hits, located, true, relative_error, max_cells, out_volume);
}
