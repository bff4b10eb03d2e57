/* SPDX-License-Identifier: MIT */
/*
 * Approximate convex decomposition by axis-aligned cuts, as in V-HACD (Mamou 2016) and CoACD (Wei et al. 2022): the
 * piece that reaches farthest out of the body is cut where the hulls of both halves are smallest, until no piece
 * reaches out too far or there are as many as allowed. What is cut is the body itself, not voxels: a piece is the hull
 * of the part of the body in a cell of space. The cells fill the bounds of the mesh, so the pieces cover the body.
 */
#include "decomposition/decomposition.h"

#include "base/environment.h"
#include "base/memory.h"
#include "base/struct_size.h"
#include "convex/outer_hull.h"
#include "decomposition/hull_mesh.h"

struct graze_decomposition
{
    graze_context context;
    graze_mesh **pieces;
    graze_piece_excess *excesses;
    size_t count;
};

typedef struct decomposition_work
{
    grz_cut_body body;
    GRZ_ARRAY(grz_convex_piece) pieces;
    size_t most_pieces;
    double target;
} decomposition_work;

/* ---- pieces ---- */

size_t grz_cell_triangles(const grz_cut_body *body, const graze_box *cell, const uint32_t *triangles, size_t count,
                          uint32_t *out_triangles)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
    {
        const uint32_t *corners = body->mesh->triangles + 3 * (size_t)triangles[i];
        bool meets = true;
        for (int axis = 0; axis < 3 && meets; axis++)
        {
            double a = grz_mesh_vertex(body->mesh, corners[0])[axis], b = grz_mesh_vertex(body->mesh, corners[1])[axis],
                   c = grz_mesh_vertex(body->mesh, corners[2])[axis];
            meets = fmin(fmin(a, b), c) <= cell->upper[axis] && fmax(fmax(a, b), c) >= cell->lower[axis];
        }
        if (meets)
            out_triangles[kept++] = triangles[i];
    }
    return kept;
}

void grz_piece_release(const graze_context *context, grz_convex_piece *piece)
{
    grz_release(context, piece->triangles);
    grz_release(context, piece->points.data);
    grz_hull_destroy(piece->hull);
}

graze_status grz_piece_make(grz_cut_body *body, const graze_box *cell, const uint32_t *triangles, size_t count,
                            double target, grz_convex_piece *out_piece)
{
    grz_convex_piece *p = out_piece;
    *p = (grz_convex_piece){.cell = *cell, .triangles = grz_allocate(body->context, count, sizeof *p->triangles)};
    if (p->triangles == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    p->triangle_count = grz_cell_triangles(body, cell, triangles, count, p->triangles);
    if (!grz_cell_points_find(body, cell, p->triangles, p->triangle_count, &p->points))
        return GRAZE_STATUS_OUT_OF_MEMORY;
    if (p->points.count == 0)
        return grz_monitor_status(body->monitor);
    graze_status status = grz_cell_hull_create(body->context, &p->points, cell, body->monitor, &p->hull, &p->growth);
    if (status != GRAZE_STATUS_OK)
        return status;
    p->volume = grz_hull_volume(p->hull);
    return grz_excess_find(body, &p->points, p->triangles, p->triangle_count, p->hull, p->growth, target, &p->excess);
}

/* Whether a flat piece lies in another one, which has a volume: then it covers nothing new. */
static graze_status is_redundant(const grz_cut_body *body, const grz_convex_piece *piece, const grz_convex_piece *other,
                                 bool *out_redundant)
{
    *out_redundant = piece->hull == NULL;
    if (piece->hull == NULL || piece->hull->dimension == 3 || other->hull == NULL || other->hull->dimension < 3)
        return GRAZE_STATUS_OK;
    return grz_hull_contains(body->context, other->hull, (const double(*)[3])piece->hull->vertices,
                             piece->hull->vertex_count, body->monitor, out_redundant);
}

/* ---- the loop ---- */

/* Cuts a piece; without a cut that helps it is marked as whole. */
static graze_status cut_piece(decomposition_work *w, size_t number)
{
    grz_cut cut;
    grz_convex_piece *piece = &w->pieces.data[number], halves[2] = {0};
    graze_status status = grz_cut_find(&w->body, piece, &cut);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (!(cut.volume < INFINITY))
    {
        piece->whole = true;
        return GRAZE_STATUS_OK;
    }
    for (int half = 0; half < 2 && status == GRAZE_STATUS_OK; half++)
    {
        graze_box cell = piece->cell;
        *(half == 0 ? &cell.upper[cut.axis] : &cell.lower[cut.axis]) = cut.place;
        status = grz_piece_make(&w->body, &cell, piece->triangles, piece->triangle_count, w->target, &halves[half]);
    }
    bool redundant[2] = {false, false};
    for (int half = 0; half < 2 && status == GRAZE_STATUS_OK; half++)
        status = is_redundant(&w->body, &halves[half], &halves[1 - half], &redundant[half]);
    if (status == GRAZE_STATUS_OK && !GRZ_RESERVE(w->body.context, &w->pieces, w->pieces.count + 1))
        status = GRAZE_STATUS_OUT_OF_MEMORY;
    if (status != GRAZE_STATUS_OK)
    {
        grz_piece_release(w->body.context, &halves[0]);
        grz_piece_release(w->body.context, &halves[1]);
        return status;
    }
    grz_piece_release(w->body.context, &w->pieces.data[number]);
    w->pieces.data[number] = halves[redundant[0] ? 1 : 0];
    if (redundant[0] || redundant[1])
        grz_piece_release(w->body.context, &halves[redundant[0] ? 0 : 1]);
    else
        w->pieces.data[w->pieces.count++] = halves[1];
    return GRAZE_STATUS_OK;
}

/* The piece that reaches farthest out of the body and may be cut; the count where none reaches out too far. */
static size_t find_worst(const decomposition_work *w)
{
    size_t worst = w->pieces.count;
    double most = w->target;
    for (size_t i = 0; i < w->pieces.count; i++)
        if (!w->pieces.data[i].whole && w->pieces.data[i].excess.upper > most)
        {
            worst = i;
            most = w->pieces.data[i].excess.upper;
        }
    return worst;
}

static graze_status cut_all(decomposition_work *w)
{
    graze_status status = GRAZE_STATUS_OK;
    size_t steps = 0;
    while (status == GRAZE_STATUS_OK && w->pieces.count < w->most_pieces && steps++ < 4 * w->most_pieces)
    {
        size_t worst = find_worst(w);
        if (worst == w->pieces.count)
            break;
        status = cut_piece(w, worst);
        if (w->body.monitor != NULL)
            grz_monitor_progress(w->body.monitor, (double)w->pieces.count / (double)w->most_pieces);
    }
    return status;
}

static graze_status start(decomposition_work *w)
{
    grz_cut_body *body = &w->body;
    graze_box bounds = graze_mesh_bounds(body->mesh);
    uint32_t *all = grz_allocate(body->context, body->mesh->triangle_count, sizeof *all);
    body->stamps = grz_allocate_zeroed(body->context, body->mesh->vertex_count, sizeof *body->stamps);
    if (all == NULL || body->stamps == NULL || !GRZ_RESERVE(body->context, &w->pieces, 1))
    {
        grz_release(body->context, all);
        return GRAZE_STATUS_OUT_OF_MEMORY;
    }
    for (uint32_t t = 0; t < body->mesh->triangle_count; t++)
        all[t] = t;
    graze_status status = grz_piece_make(body, &bounds, all, body->mesh->triangle_count, w->target, &w->pieces.data[0]);
    w->pieces.count = 1;
    grz_release(body->context, all);
    return status;
}

/* ---- the answer ---- */

static graze_status write_decomposition(const decomposition_work *w, graze_decomposition **out_decomposition)
{
    const graze_context *context = w->body.context;
    graze_decomposition *d = grz_allocate_zeroed(context, 1, sizeof *d);
    if (d == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    d->context = grz_context_copy(context);
    d->pieces = grz_allocate_zeroed(context, w->pieces.count, sizeof(graze_mesh *));
    d->excesses = grz_allocate(context, w->pieces.count, sizeof *d->excesses);
    d->count = w->pieces.count;
    graze_status status = d->pieces == NULL || d->excesses == NULL ? GRAZE_STATUS_OUT_OF_MEMORY : GRAZE_STATUS_OK;
    for (size_t i = 0; i < d->count && status == GRAZE_STATUS_OK; i++)
    {
        const grz_convex_piece *piece = &w->pieces.data[i];
        d->excesses[i] = (graze_piece_excess){piece->excess.lower, piece->excess.upper};
        status = grz_hull_mesh_create(context, piece->hull, w->body.monitor, &d->pieces[i]);
    }
    if (status == GRAZE_STATUS_OK)
        *out_decomposition = d;
    else
        graze_decomposition_destroy(d);
    return status;
}

static graze_status decompose(decomposition_work *w, graze_decomposition **out_decomposition)
{
    grz_cut_body *body = &w->body;
    graze_status status = start(w);
    if (status == GRAZE_STATUS_OK)
        status = cut_all(w);
    if (status == GRAZE_STATUS_OK)
        status = write_decomposition(w, out_decomposition);
    for (size_t i = 0; i < w->pieces.count; i++)
        grz_piece_release(body->context, &w->pieces.data[i]);
    grz_release(body->context, w->pieces.data);
    grz_release(body->context, body->stamps);
    return status;
}

/* Prepares the body and divides it. */
static graze_status divide(const graze_context *context, const graze_mesh *mesh,
                           const graze_decomposition_options *options, graze_decomposition **out_decomposition)
{
    grz_monitor monitor = grz_monitor_make(&options->budget);
    decomposition_work w = {.body = {.context = context, .mesh = mesh, .monitor = &monitor},
                            .most_pieces = options->most_pieces,
                            .target = options->excess};
    graze_tree *tree = NULL;
    graze_budget budget = grz_monitor_budget(&monitor);
    grz_monitor_stage(&monitor, 0.05);
    graze_status status = grz_monitor_end_step(&monitor, graze_tree_create(context, mesh, NULL, &budget, &tree), 0);
    if (status != GRAZE_STATUS_OK)
        return status;
    w.body.placed = (graze_placed_mesh){mesh, tree, graze_pose_identity()};
    status = grz_placed_body_make(context, &w.body.placed, NULL, &monitor, &w.body.side);
    if (status == GRAZE_STATUS_OK)
    {
        w.body.view = grz_placed_body_view(&w.body.side);
        w.body.solid = w.body.side.body->adjacency.closed;
        grz_monitor_stage(&monitor, 1);
        status = decompose(&w, out_decomposition);
        grz_placed_body_release(context, &w.body.side);
    }
    graze_tree_destroy(tree);
    return status;
}

graze_status graze_decomposition_create(const graze_context *context, const graze_mesh *mesh,
                                        const graze_decomposition_options *options,
                                        graze_decomposition **out_decomposition)
{
    GRZ_FULL_STRUCT(graze_decomposition_options, options);
    if (mesh == NULL || out_decomposition == NULL || !options_fits)
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_decomposition_options given = options != NULL ? *options : graze_decomposition_options_default();
    if (given.most_pieces == 0 || !(given.excess >= 0))
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (mesh->triangle_count == 0)
        return GRAZE_STATUS_EMPTY;
    grz_environment environment; /* coordinates are compared: a denormal is not 0 */
    grz_environment_enter_default(&environment);
    graze_status status = divide(context, mesh, &given, out_decomposition);
    grz_environment_leave_default(&environment);
    return status;
}

void graze_decomposition_destroy(graze_decomposition *decomposition)
{
    if (decomposition == NULL)
        return;
    graze_context context = decomposition->context;
    for (size_t i = 0; i < decomposition->count && decomposition->pieces != NULL; i++)
        graze_mesh_destroy(decomposition->pieces[i]);
    grz_release(&context, decomposition->pieces);
    grz_release(&context, decomposition->excesses);
    grz_release(&context, decomposition);
}

size_t graze_decomposition_piece_count(const graze_decomposition *decomposition)
{
    return decomposition != NULL ? decomposition->count : 0;
}

const graze_mesh *graze_decomposition_piece(const graze_decomposition *decomposition, size_t piece)
{
    return decomposition != NULL && piece < decomposition->count ? decomposition->pieces[piece] : NULL;
}

graze_piece_excess graze_decomposition_excess(const graze_decomposition *decomposition, size_t piece)
{
    const graze_piece_excess none = {0, 0};
    return decomposition != NULL && piece < decomposition->count ? decomposition->excesses[piece] : none;
}
