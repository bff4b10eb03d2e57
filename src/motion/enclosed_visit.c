/* SPDX-License-Identifier: MIT */
/*
 * All pairs of triangles that meet, or may meet, along motions that are enclosed; see enclosed_impact.h.
 *
 * Time is halved into pieces until the deviation is small beside the bodies. In each, a space-time traversal with the
 * deviation as margin finds the pairs that may meet: what it leaves out is apart. Each pair is then searched for its
 * first impact as two meshes of one triangle each, with pieces as short as it takes.
 */
#include <math.h>

#include "base/bits.h"
#include "base/hash_map.h"
#include "math/interval.h"
#include "mesh/mesh.h"
#include "motion/curve_motion.h"
#include "motion/enclosed_impact.h"
#include "motion/space_time.h"

enum
{
    MOST_COARSE = 8 /* halvings before pairs are looked at */
};

typedef struct visit_pieces
{
    const grz_moving_meshes *meshes;
    const graze_impact_options *options;
    grz_monitor *monitor; /* may be NULL */
    graze_impact_stats *stats;
    grz_moving_meshes piece;
    double extent[2][2]; /* reach and size */
    double small;        /* deviations below this are */
    grz_space_time traversal;
    grz_hash_map known;
    grz_enclosed_hits *hits;
    graze_status failure;
} visit_pieces;

/* ---- one pair ---- */

/* A triangle as a mesh of its own. */
static graze_status cut_triangle(const graze_context *context, const graze_moving_mesh *from, uint32_t triangle,
                                 graze_mesh **out)
{
    static const uint32_t corners[3] = {0, 1, 2};
    double vertices[9];
    for (size_t i = 0; i < 9; i++)
        vertices[i] = grz_mesh_vertex(from->mesh, from->mesh->triangles[3 * (size_t)triangle + i / 3])[i % 3];
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = def.corner_count = 3;
    def.corners = corners;
    return graze_mesh_create(context, &def, NULL, out);
}

static graze_status search_pair(visit_pieces *v, uint32_t triangle_a, uint32_t triangle_b)
{
    const graze_context *context = v->meshes->context;
    graze_moving_mesh a = v->meshes->a, b = v->meshes->b;
    graze_mesh *cut[2] = {NULL, NULL};
    grz_moving_meshes pair = {.context = context};
    grz_monitor unlimited = grz_monitor_make(&(graze_budget){0});
    graze_impact impact = {.verdict = GRAZE_IMPACT_NONE};
    graze_status status = cut_triangle(context, &a, triangle_a, &cut[0]);
    if (status == GRAZE_STATUS_OK)
        status = cut_triangle(context, &b, triangle_b, &cut[1]);
    if (status == GRAZE_STATUS_OK)
    {
        a.mesh = cut[0];
        b.mesh = cut[1];
        a.tree = b.tree = NULL;
        status = grz_moving_meshes_open(&pair, context, &a, &b, &unlimited);
    }
    if (status == GRAZE_STATUS_OK)
        status = grz_enclosed_impact(&pair, v->options, v->monitor, v->stats, &impact);
    grz_moving_meshes_close(&pair);
    for (int side = 0; side < 2; side++)
        graze_mesh_destroy(cut[side]);
    if (status == GRAZE_STATUS_OK && v->monitor != NULL)
        status = grz_monitor_status(v->monitor); /* used up: the verdict is for want of time */
    if (status != GRAZE_STATUS_OK || impact.verdict == GRAZE_IMPACT_NONE)
        return status;
    const graze_pair_impact_hit hit = {triangle_a, triangle_b, {impact.verdict, impact.lower, impact.upper}};
    return GRZ_PUSH(context, v->hits, hit) ? GRAZE_STATUS_OK : GRAZE_STATUS_OUT_OF_MEMORY;
}

/* ---- pieces ---- */

static bool is_known(void *user, uint32_t triangle_a, uint32_t triangle_b)
{
    visit_pieces *v = user;
    return grz_hash_map_find(&v->known, grz_join_halves(triangle_b, triangle_a)) != NULL;
}

static bool take_candidate(void *user, uint32_t triangle_a, uint32_t triangle_b, double t0, double t1)
{
    visit_pieces *v = user;
    (void)t0;
    (void)t1;
    if (is_known(v, triangle_a, triangle_b))
        return true;
    if (!grz_hash_map_set(v->meshes->context, &v->known, grz_join_halves(triangle_b, triangle_a), 1))
        v->failure = GRAZE_STATUS_OUT_OF_MEMORY;
    else
        v->failure = search_pair(v, triangle_a, triangle_b);
    return v->failure == GRAZE_STATUS_OK;
}

/* Nothing is known of the piece: any pair may meet. */
static graze_status take_all(visit_pieces *v)
{
    for (size_t i = 0; i < v->meshes->a.mesh->triangle_count; i++)
        for (size_t j = 0; j < v->meshes->b.mesh->triangle_count; j++)
            if (!take_candidate(v, (uint32_t)i, (uint32_t)j, 0, 1))
                return v->failure;
    return GRAZE_STATUS_OK;
}

static graze_status examine(visit_pieces *v, uint32_t n, int k)
{
    double deviations[2] = {INFINITY, INFINITY};
    if (v->monitor != NULL && !grz_monitor_box_tests(v->monitor, 1))
        return grz_monitor_status(v->monitor);
    bool known = grz_motion_piece(&v->meshes->a.motion, n, k, v->extent[0][0], v->extent[0][1], &v->piece.a.motion,
                                  &deviations[0]) &&
                 grz_motion_piece(&v->meshes->b.motion, n, k, v->extent[1][0], v->extent[1][1], &v->piece.b.motion,
                                  &deviations[1]);
    double deviation = (deviations[0] + deviations[1]) * (1 + 4 * GRZ_U);
    if (k < MOST_COARSE && !(known && deviation <= v->small))
    {
        graze_status status = examine(v, 2 * n, k + 1);
        return status == GRAZE_STATUS_OK ? examine(v, 2 * n + 1, k + 1) : status;
    }
    if (!known)
        return take_all(v);
    v->failure = GRAZE_STATUS_OK;
    /* shortcut: visited-within-deviations */
    v->traversal.margin = (v->options->margin + deviation) * (1 + 4 * GRZ_U);
    graze_status status = grz_space_time_start(&v->traversal);
    if (status != GRAZE_STATUS_OK)
        return status;
    status = grz_space_time_advance(&v->traversal);
    v->stats->box_tests += v->traversal.stats.box_tests;
    v->stats->intervals += v->traversal.stats.intervals;
    v->stats->leaf_pairs += v->traversal.stats.leaf_pairs;
    return v->failure != GRAZE_STATUS_OK ? v->failure : status;
}

graze_status grz_enclosed_visit(const grz_moving_meshes *meshes, const graze_impact_options *options,
                                grz_monitor *monitor, graze_impact_stats *stats, grz_enclosed_hits *hits)
{
    visit_pieces v = {
        .meshes = meshes, .options = options, .monitor = monitor, .stats = stats, .piece = *meshes, .hits = hits};
    grz_moving_mesh_extent(&meshes->a, &v.extent[0][0], &v.extent[0][1]);
    grz_moving_mesh_extent(&meshes->b, &v.extent[1][0], &v.extent[1][1]);
    v.small = 0x1p-8 * fmin(v.extent[0][0], v.extent[1][0]);
    v.traversal = (grz_space_time){.context = meshes->context,
                                   .moving_a = &v.piece.a,
                                   .moving_b = &v.piece.b,
                                   .tree_a = meshes->tree_a,
                                   .tree_b = meshes->tree_b,
                                   .propose = take_candidate,
                                   .settled = is_known,
                                   .user = &v,
                                   .early = true,
                                   .monitor = monitor};
    graze_status status = examine(&v, 0, 1);
    if (status == GRAZE_STATUS_OK)
        status = examine(&v, 1, 1);
    grz_space_time_end(&v.traversal);
    grz_hash_map_release(meshes->context, &v.known);
    return status;
}
