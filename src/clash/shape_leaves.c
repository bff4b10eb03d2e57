/* SPDX-License-Identifier: MIT */
/*
 * Depth, way out and volume of two shapes of which one at least is round, curved or a half-space.
 *
 * Depth: the larger of D_A and D_B, D_A the largest depth below A's surface of a point that both hold.
 * - By erosion: D_A >= d exactly if what is left of A at depth d (shape_erosion.h) meets B. Bisection closes the
 * interval.
 * - By polytopes: hulls within round and curved shapes and around them (graze_shape_tessellate) replace them, and
 *   graze_pair_interference measures. What inner ones share is shared by the shapes, no deeper; what the shapes share
 * is shared by outer ones. So the inner ones give lower bounds of depth, way out and volume, the outer ones upper
 * bounds. More segments narrow them.
 */
#include "clash/shape_leaves.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "clash/shape_erosion.h"
#include "graze/depth.h"

enum
{
    BISECTIONS = 24,
    LEVELS = 2
};

/* Close enough to stop. */
static const double share = 0.01;

typedef struct leaf_pair
{
    const graze_context *context;
    const grz_clash_leaf *leaves[2];
    double resolution;
    double inner[2][2]; /* bounds of D_A and D_B */
    grz_clash_shape_measures *m;
} leaf_pair;

static bool is_close(const leaf_pair *p, double lower, double upper)
{
    return upper <= (1 + share) * lower || upper - lower <= p->resolution;
}

/* --- erosion --- */

/* Whether what is left of a leaf at a depth meets the other: surely, surely not, or neither is sure. */
static graze_status reaches(const leaf_pair *p, int leaf, double depth, graze_verdict *out_reaches, double point[3])
{
    graze_status status = GRAZE_STATUS_OK;
    *out_reaches = GRAZE_VERDICT_UNKNOWN;
    for (int side = -1; side <= 1 && status == GRAZE_STATUS_OK && *out_reaches == GRAZE_VERDICT_UNKNOWN; side += 2)
    {
        grz_clash_eroded left;
        graze_shape_hit hit = {.has_point = false};
        graze_verdict meets = GRAZE_VERDICT_NO;
        status = grz_clash_erode(p->context, &p->leaves[leaf]->placed, depth, side, &left);
        if (status == GRAZE_STATUS_OK && left.placed.shape != NULL)
            status = graze_shape_pair_any(p->context, &left.placed, &p->leaves[!leaf]->placed, NULL, &meets, &hit);
        grz_clash_eroded_release(&left);
        if (meets == (side < 0 ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO))
            *out_reaches = meets;
        if (side < 0 && meets == GRAZE_VERDICT_YES && hit.has_point)
            memcpy(point, hit.point, 3 * sizeof *point);
    }
    return status;
}

static graze_status bound_by_erosion(leaf_pair *p, int leaf)
{
    double lower = 0, upper = fmin(grz_clash_inner_radius(&p->leaves[leaf]->placed), p->m->way_out[1]), point[3];
    graze_status status = GRAZE_STATUS_OK;
    if (!grz_clash_is_erodible(&p->leaves[leaf]->placed) || !isfinite(upper))
        return status;
    memcpy(point, p->m->point, sizeof point);
    for (int i = 0; i < BISECTIONS && status == GRAZE_STATUS_OK && !is_close(p, lower, upper); i++)
    {
        graze_verdict is_deep;
        double depth = i == 0 ? upper * (1 - 0.25 * share) : lower > 0 ? 0.5 * lower + 0.5 * upper : 0.125 * upper;
        status = reaches(p, leaf, depth, &is_deep, point);
        if (status != GRAZE_STATUS_OK || is_deep == GRAZE_VERDICT_UNKNOWN)
            break;
        lower = is_deep == GRAZE_VERDICT_YES ? depth : lower;
        upper = is_deep == GRAZE_VERDICT_NO ? depth : upper;
    }
    p->inner[leaf][0] = lower;
    p->inner[leaf][1] = upper;
    if (lower > p->m->depth[0])
        memcpy(p->m->point, point, sizeof point);
    return status;
}

/* The bounds of the larger one of both. */
static void take_inner(leaf_pair *p)
{
    grz_clash_shape_measures *m = p->m;
    m->depth[0] = fmax(m->depth[0], fmax(p->inner[0][0], p->inner[1][0]));
    m->depth[1] = fmin(m->depth[1], fmax(p->inner[0][1], p->inner[1][1]));
    if (m->depth[0] > 0 && m->overlap == GRAZE_VERDICT_UNKNOWN)
        m->overlap = GRAZE_VERDICT_YES;
}

/* --- polytopes --- */

static bool is_tessellated(const graze_shape *shape)
{
    graze_shape_kind kind = graze_shape_get_kind(shape);
    return kind == GRAZE_SHAPE_SPHERE || kind == GRAZE_SHAPE_CAPSULE || kind == GRAZE_SHAPE_ROUNDED ||
           kind == GRAZE_SHAPE_CYLINDER || kind == GRAZE_SHAPE_CONE || kind == GRAZE_SHAPE_ELLIPSOID;
}

/* The segments of each level: hulls of disks have few points, so that they may have more. 0 for those without a hull.
 */
static uint32_t segments_of(const graze_shape *shape, int level)
{
    if (!is_tessellated(shape))
        return 0;
    static const uint32_t of_disks[LEVELS] = {48, 384}, of_balls[LEVELS] = {24, 64};
    graze_shape_kind kind = graze_shape_get_kind(shape);
    bool is_disk = kind == GRAZE_SHAPE_CYLINDER || kind == GRAZE_SHAPE_CONE;
    return is_disk ? of_disks[level] : of_balls[level];
}

typedef struct stand_in
{
    graze_placed_mesh mesh;
    graze_shape *hull; /* owned; NULL: the leaf's own mesh */
} stand_in;

static graze_status make_stand_in(const leaf_pair *p, int leaf, int level, bool around, stand_in *out)
{
    const grz_clash_leaf *l = p->leaves[leaf];
    *out = (stand_in){.mesh = l->mesh};
    if (l->mesh.mesh != NULL)
        return GRAZE_STATUS_OK;
    graze_tessellation_options options = graze_tessellation_options_default();
    options.segments = segments_of(l->placed.shape, level);
    if (options.segments == 0)
        return GRAZE_STATUS_UNSUPPORTED;
    options.around = around;
    graze_status status = graze_shape_tessellate(p->context, l->placed.shape, &options, &out->hull);
    if (status == GRAZE_STATUS_OK)
        out->mesh = (graze_placed_mesh){graze_shape_mesh(out->hull), NULL, l->placed.pose};
    return status;
}

/* The interference of the hulls within, or around. */
static graze_status interfere(const leaf_pair *p, int level, bool around, graze_interference *out)
{
    stand_in a, b = {.hull = NULL};
    graze_interference_options options = graze_interference_options_default();
    options.body_a = p->leaves[0]->body;
    options.body_b = p->leaves[1]->body;
    options.relative_error = level == 0 ? share : 0.25 * share;
    options.absolute_error = 0.25 * p->resolution;
    options.max_cells = is_close(p, p->m->depth[0], p->m->depth[1]) ? 1 : 0; /* 0: as many as it takes */
    options.max_queries = level > 0 || is_close(p, p->m->way_out[0], p->m->way_out[1]) ? 1 : 0;
    options.volume = true;
    options.region = options.pieces = !around && level == 0;
    graze_status status = make_stand_in(p, 0, level, around, &a);
    if (status == GRAZE_STATUS_OK)
        status = make_stand_in(p, 1, level, around, &b);
    if (status == GRAZE_STATUS_OK)
        status = graze_pair_interference(p->context, &a.mesh, &b.mesh, &options, out);
    graze_shape_destroy(a.hull);
    graze_shape_destroy(b.hull);
    return status;
}

static void take_within(grz_clash_shape_measures *m, const graze_interference *found)
{
    if (found->deepest.overlap == GRAZE_VERDICT_YES || found->deepest.lower > 0)
        m->overlap = GRAZE_VERDICT_YES;
    m->way_out[0] = fmax(m->way_out[0], found->way_out.lower);
    if (!(found->deepest.lower > 0))
        return;
    /* Also where it is not the best lower bound: its closest point of the surface is known. */
    m->depth[0] = fmax(m->depth[0], found->deepest.lower);
    memcpy(m->point, found->deepest.point, sizeof m->point);
    memcpy(m->nearest, found->deepest.nearest, sizeof m->nearest);
}

static void take_around(grz_clash_shape_measures *m, const graze_interference *found)
{
    if (found->deepest.overlap == GRAZE_VERDICT_NO && m->overlap == GRAZE_VERDICT_UNKNOWN)
        m->overlap = GRAZE_VERDICT_NO;
    m->depth[1] = fmin(m->depth[1], found->deepest.upper);
    if (!(found->way_out.upper < m->way_out[1]))
        return;
    m->way_out[1] = found->way_out.upper;
    memcpy(m->translation, found->way_out.translation, sizeof m->translation);
}

/* The volume lies between those of the hulls within and around. */
static void take_volume(grz_clash_shape_measures *m, const graze_interference *within, const graze_interference *around)
{
    double lower = fmax(within->volume - within->volume_error, 0), upper = around->volume + around->volume_error;
    if (!isfinite(lower) || !isfinite(upper) || !(lower <= upper))
        return;
    if (m->has_volume)
    {
        lower = fmax(lower, m->volume - m->volume_error);
        upper = fmin(upper, m->volume + m->volume_error);
    }
    m->has_volume = true;
    m->volume = 0.5 * lower + 0.5 * upper;
    m->volume_error = (0.5 * upper - 0.5 * lower) * (1 + 4 * DBL_EPSILON) + 4 * DBL_EPSILON * m->volume;
}

static graze_status measure_level(leaf_pair *p, int level)
{
    graze_interference within = {.region = NULL}, around = {.region = NULL};
    graze_status status = interfere(p, level, false, &within);
    if (status == GRAZE_STATUS_OK)
        status = interfere(p, level, true, &around);
    if (status != GRAZE_STATUS_OK)
    {
        graze_region_destroy(within.region);
        return status == GRAZE_STATUS_UNSUPPORTED ? GRAZE_STATUS_OK : status;
    }
    take_within(p->m, &within);
    take_around(p->m, &around);
    take_volume(p->m, &within, &around);
    if (p->m->region == NULL)
        p->m->region = within.region;
    else
        graze_region_destroy(within.region);
    return status;
}

/* Whether the two are so close to touching that nothing below would tell whether they overlap: hulls are off by more.
 */
static bool is_hopeless(const leaf_pair *p)
{
    double size = INFINITY;
    for (int leaf = 0; leaf < 2; leaf++)
    {
        graze_box box;
        double own = 0;
        if (graze_placed_bounds(&p->leaves[leaf]->placed, &box) != GRAZE_STATUS_OK)
            return false;
        for (int axis = 0; axis < 3; axis++)
            own = fmax(own, box.upper[axis] - box.lower[axis]);
        size = fmin(size, own);
    }
    return p->m->overlap == GRAZE_VERDICT_UNKNOWN && p->m->depth[1] <= fmax(p->resolution, 0x1p-30 * size);
}

graze_status grz_clash_measure_leaves(const graze_context *context, const grz_clash_leaf *a, const grz_clash_leaf *b,
                                      double resolution, grz_clash_shape_measures *m)
{
    leaf_pair p = {.context = context, .leaves = {a, b}, .resolution = resolution, .m = m};
    graze_status status = GRAZE_STATUS_OK;
    if (!a->is_open && !b->is_open && is_hopeless(&p))
        return status;
    for (int leaf = 0; leaf < 2 && status == GRAZE_STATUS_OK; leaf++)
    {
        /* What has no inside is nowhere below its surface. */
        p.inner[leaf][1] = graze_shape_is_solid(p.leaves[leaf]->placed.shape) ? INFINITY : 0;
        if (!is_close(&p, m->depth[0], m->depth[1]))
            status = bound_by_erosion(&p, leaf);
    }
    if (status != GRAZE_STATUS_OK)
        return status;
    take_inner(&p);
    for (int level = 0; level < LEVELS && status == GRAZE_STATUS_OK; level++)
    {
        bool is_known = m->overlap != GRAZE_VERDICT_UNKNOWN && is_close(&p, m->depth[0], m->depth[1]);
        bool is_finer = level == 0 || segments_of(a->placed.shape, level) > segments_of(a->placed.shape, level - 1) ||
                        segments_of(b->placed.shape, level) > segments_of(b->placed.shape, level - 1);
        if (m->overlap == GRAZE_VERDICT_NO || (level > 0 && (is_known || !is_finer)))
            break;
        status = measure_level(&p, level);
    }
    m->has_volume = m->has_volume && graze_shape_is_solid(a->placed.shape) && graze_shape_is_solid(b->placed.shape);
    if (a->is_open || b->is_open)
        m->depth[1] = INFINITY;
    return status;
}
