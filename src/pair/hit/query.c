/* SPDX-License-Identifier: MIT */
/* Setting up a question, and deciding the pairs of triangles that boxes propose; see query.h. */
#include "pair/hit/query.h"

#include <math.h>
#include <string.h>

#include "base/budget_monitor.h"
#include "exact/contact.h"
#include "math/exact_sum.h"
#include "math/matrix.h"
#include "mesh/mesh.h"
#include "pair/arguments.h"
#include "pair/hit/triangle_filter.h"

static void count_hit(graze_pair_counts *counts, const graze_triangle_contact *contact)
{
    counts->pairs++;
    if (contact->crossing)
        counts->crossing++;
    else
        counts->touching++;
    if (contact->coplanar)
        counts->coplanar++;
}

/* Counts and keeps a hit; returns false when the part is over. */
static bool add_hit(grz_query_part *part, uint32_t triangle_a, uint32_t triangle_b,
                    const graze_triangle_contact *contact)
{
    const grz_query *q = part->query;
    count_hit(&part->counts, contact);
    if (!q->buffer_hits && !q->first_only)
        return true;
    graze_hit hit = {triangle_a, triangle_b, grz_mesh_face(q->a->mesh, triangle_a),
                     grz_mesh_face(q->b->mesh, triangle_b), *contact};
    if (q->first_only)
        part->first = hit;
    if (q->buffer_hits && !grz_hit_buffer_add(&part->buffered, q->context, &hit))
        part->out_of_memory = true;
    return !q->first_only && !part->out_of_memory;
}

/* The same for what the exact test says of a pair. */
static bool record(grz_query_part *part, uint32_t triangle_a, uint32_t triangle_b, graze_triangle_contact contact)
{
    part->triangle_tests++;
    return !contact.found || add_hit(part, triangle_a, triangle_b, &contact);
}

/* Pairs that cross, where all hits are asked for; as numbers, A's triangle in the upper half. */
static bool take_crossings(void *user, const uint64_t *numbers, size_t count)
{
    grz_query_part *part = user;
    const grz_query *q = part->query;
    part->triangle_tests += count;
    part->counts.pairs += count;
    part->counts.crossing += count;
    if (q->buffer_hits && !grz_hit_buffer_add_crossings(&part->buffered, q->context, numbers, count))
        part->out_of_memory = true;
    return !part->out_of_memory;
}

static bool record_crossing(grz_query_part *part, uint32_t triangle_a, uint32_t triangle_b)
{
    if (part->query->first_only)
        return record(part, triangle_a, triangle_b, grz_crossing_contact);
    uint64_t number = grz_hit_key(triangle_a, triangle_b);
    return take_crossings(part, &number, 1);
}

/* Whether a pair is not to be decided, or not yet. When out of memory, the part says so. */
static inline bool skip_pair(grz_query_part *part, uint32_t triangle_a, uint32_t triangle_b)
{
    if (!part->query->buffered_only || part->decides_candidates)
        return false;
    uint64_t number = grz_hit_key(triangle_a, triangle_b);
    if (part->buffered.end == UINT64_MAX)
        return !grz_hit_buffer_accepts(&part->buffered, number);
    if (!grz_hit_buffer_add_candidate(&part->buffered, part->query->context, number))
        part->out_of_memory = true;
    return true;
}

static const double *corner_of(const graze_mesh *mesh, uint32_t triangle, int corner)
{
    return grz_mesh_vertex(mesh, mesh->triangles[3 * (size_t)triangle + (size_t)corner]);
}

static bool test_in_world(void *user, uint32_t triangle_a, uint32_t triangle_b)
{
    grz_query_part *part = user;
    const grz_query *q = part->query;
    grz_points points;
    if (skip_pair(part, triangle_a, triangle_b))
        return !part->out_of_memory;
    grz_points_start(&points, &part->stages);
    for (int i = 0; i < 3; i++)
        grz_points_add(&points, corner_of(q->a->mesh, triangle_a, i), q->pose_a);
    for (int i = 0; i < 3; i++)
        grz_points_add(&points, corner_of(q->b->mesh, triangle_b, i), q->pose_b);
    return record(part, triangle_a, triangle_b, grz_triangle_triangle(&points));
}

/* The corners of a triangle of B in A's frame, where that is a matter of exact sums. */
static bool shift_corners(const grz_query *q, uint32_t triangle_b, double images[3][3])
{
    for (int i = 0; i < 3; i++)
    {
        const double *corner = corner_of(q->b->mesh, triangle_b, i);
        for (int k = 0; k < 3; k++)
            if (!grz_sum_exactly(corner[k], q->shift[k], &images[i][k]))
                return false;
    }
    return true;
}

static int opposite(int side)
{
    return side == GRZ_UNCERTAIN ? side : -side;
}

/* The same in A's own frame, where A's corners are exact and one map places B's; from what doubles could tell. */
static graze_triangle_contact exact_contact_in_frame(grz_query_part *part, uint32_t triangle_a, uint32_t triangle_b,
                                                     grz_filter_signs *known)
{
    const grz_query *q = part->query;
    grz_points points;
    double sums[3][3];
    bool plain = q->shifts && shift_corners(q, triangle_b, sums);
    grz_points_start_in_frame(&points, &part->stages, q->mirrored, q->frame_error);
    for (int i = 0; i < 3; i++)
    {
        uint32_t vertex = q->a->mesh->triangles[3 * (size_t)triangle_a + (size_t)i];
        const double *corner = grz_mesh_vertex(q->a->mesh, vertex), *image = grz_mesh_scaled(q->a->mesh, vertex);
        grz_points_add_in_frame(&points, corner, plain ? NULL : q->pose_a, image);
    }
    for (int i = 0; i < 3; i++)
    {
        const double *corner = plain ? sums[i] : corner_of(q->b->mesh, triangle_b, i);
        const double *image = plain && !q->scaled ? sums[i] : known->images[i];
        grz_points_add_in_frame(&points, corner, plain ? NULL : q->pose_b, image);
    }
    for (int i = 0; i < 3 && q->mirrored < 0; i++)
    {
        known->sides_a[i] = opposite(known->sides_a[i]);
        known->sides_b[i] = opposite(known->sides_b[i]);
    }
    return grz_triangle_triangle_from(&points, known->sides_a, known->sides_b);
}

static grz_indexed_triangle indexed(const graze_mesh *mesh, uint32_t triangle)
{
    return (grz_indexed_triangle){mesh->scaled, mesh->triangles + 3 * (size_t)triangle};
}

/* What floats left in doubt nearly always is clear in doubles, the short way; what is not is looked at in full. */
static bool test_in_frame(void *user, uint32_t triangle_a, uint32_t triangle_b, bool crosses)
{
    grz_query_part *part = user;
    const grz_query *q = part->query;
    grz_filter_verdict verdict = GRZ_FILTER_CROSSING;
    grz_filter_signs doubt;
    if (skip_pair(part, triangle_a, triangle_b))
        return !part->out_of_memory;
    if (!crosses)
        verdict = grz_filter_triangles(indexed(q->a->mesh, triangle_a), indexed(q->b->mesh, triangle_b),
                                       &q->relative.pose, q->frame_error, &doubt);
    if (verdict == GRZ_FILTER_CROSSING)
        return record_crossing(part, triangle_a, triangle_b);
    if (verdict == GRZ_FILTER_UNCERTAIN)
        return record(part, triangle_a, triangle_b, exact_contact_in_frame(part, triangle_a, triangle_b, &doubt));
    part->triangle_tests++;
    return true;
}

static bool test_self_pair(void *user, uint32_t triangle_a, uint32_t triangle_b, bool crosses)
{
    grz_query_part *part = user;
    const grz_query *q = part->query;
    uint32_t lower = triangle_a < triangle_b ? triangle_a : triangle_b;
    uint32_t upper = triangle_a < triangle_b ? triangle_b : triangle_a;
    if (skip_pair(part, lower, upper))
        return !part->out_of_memory;
    if (crosses) /* a segment at least, inside both: more than a common corner or edge */
        return record_crossing(part, lower, upper);
    return record(part, lower, upper, grz_self_contact(q->a->mesh, lower, upper, q->merge_vertices, &part->stages));
}

/* The sweep knows nothing of one mesh being the other: it proposes every pair twice, and triangles with themselves. */
static bool test_self_pair_once(void *user, uint32_t triangle_a, uint32_t triangle_b)
{
    return triangle_a >= triangle_b || test_self_pair(user, triangle_a, triangle_b, false);
}

/* By bytes; most that differ do so in the first number. */
static bool same_pose(const graze_pose *a, const graze_pose *b)
{
    return a->m[0] == b->m[0] && memcmp(a, b, sizeof *a) == 0;
}

/* shortcut: equal-poses. One pose common to both changes nothing when it has an inverse. */
static bool poses_cancel(const graze_pose *a, const graze_pose *b)
{
    return same_pose(a, b) && graze_pose_handedness(a) != 0;
}

/* shortcut: identity-pose */
static bool moves_nothing(const graze_pose *pose)
{
    static const graze_pose identity = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
    return same_pose(pose, &identity);
}

static bool only_translates(const graze_pose *pose)
{
    static const double rows[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    return pose->m[0] == 1 && memcmp(pose->m, rows[0], sizeof rows[0]) == 0 &&
           memcmp(pose->m + 4, rows[1], sizeof rows[1]) == 0 && memcmp(pose->m + 8, rows[2], sizeof rows[2]) == 0;
}

/*
 * Parts of an assembly that are moved but not turned, by numbers that fit those of their meshes: their corners then are
 * numbers in one frame, and need no poses. Adding one vector to all points changes no decision; but the difference of
 * the translations, and its sum with each corner, must be true ones: what is rounded here moves B.
 * shortcut: pure-translations
 */
static bool find_shift(const graze_pose *a, const graze_pose *b, double shift[3])
{
    if (!only_translates(a) || !only_translates(b))
        return false;
    for (int k = 0; k < 3; k++)
        if (!grz_sum_exactly(b->m[4 * k + 3], -a->m[4 * k + 3], &shift[k]))
            return false;
    return true;
}

/*
 * Sets up the double filter in A's frame: what the image of any corner of B is off by there, from the map's error and
 * the rounding of its application. False when magnitudes leave the filter's range (see exact/predicates.c).
 */
static bool prepare_frame(grz_query *q)
{
    const graze_mesh *mesh_a = q->a->mesh, *mesh_b = q->b->mesh;
    double reach = 0, own_reach = 0;
    const double *m = q->relative.pose.m;
    for (int k = 0; k < 3; k++)
    {
        reach += matrix_max(fabs(mesh_b->scaled_lower[k]), fabs(mesh_b->scaled_upper[k]));
        double own = matrix_max(fabs(mesh_a->scaled_lower[k]), fabs(mesh_a->scaled_upper[k]));
        own_reach = matrix_max(own_reach, own);
    }
    double magnitude = q->relative.norm * reach + (fabs(m[3]) + fabs(m[7]) + fabs(m[11]));
    q->frame_error = q->relative.matrix_error * reach + q->relative.offset_error + 6 * GRZ_U * magnitude + 0x1p-700;
    if (q->pose_a == NULL && q->pose_b == NULL && mesh_a->exponent == mesh_b->exponent)
        q->frame_error = 0x1p-700; /* nothing moves, nothing is rounded */
    q->mirrored = q->pose_a != NULL ? graze_pose_handedness(q->pose_a) : 1;
    return magnitude <= 0x1p300 && own_reach <= 0x1p300 && q->frame_error <= 0x1p300 && q->mirrored != 0;
}

/* What the query needs of both maps; false when the poses do not allow trees. */
static bool prepare_maps(grz_query *q, const graze_pose *pose_a, const graze_pose *pose_b)
{
    grz_relative_pose back;
    return grz_relative_pose_make_both(pose_a, pose_b, &q->relative, &back) &&
           grz_tree_transform_make(q->a->tree, q->b->tree, &q->relative, &q->to_a) &&
           grz_tree_transform_make(q->b->tree, q->a->tree, &back, &q->to_b) && prepare_frame(q);
}

/* False when there are no trees, or the poses do not allow them. The far ends of the range come last. */
static bool prepare_trees(grz_query *q)
{
    const graze_tree *tree_a = q->a->tree, *tree_b = q->b->tree;
    if (tree_a == NULL || tree_b == NULL || !tree_a->usable || !tree_b->usable)
        return false;
    int exponent = q->a->mesh->exponent;
    bool alike = q->b->mesh->exponent == exponent, at_rest = q->pose_a == NULL && q->pose_b == NULL;
    q->scaled = exponent != 0;
    if (alike && (exponent == 0 || at_rest) && prepare_maps(q, q->pose_a, q->pose_b))
        return true;
    graze_pose scaled_a, scaled_b;
    int world;
    q->scaled = grz_scaled_poses(q->a->mesh, q->pose_a, q->b->mesh, q->pose_b, &scaled_a, &scaled_b, &world);
    return q->scaled && prepare_maps(q, &scaled_a, &scaled_b);
}

graze_status grz_query_start(grz_query *q)
{
    graze_status status = grz_check_arguments(q->a, q->b);
    if (status != GRAZE_STATUS_OK)
        return status;
    bool cancel = poses_cancel(&q->a->pose, &q->b->pose);
    q->pose_a = cancel || moves_nothing(&q->a->pose) ? NULL : &q->a->pose;
    q->pose_b = cancel || moves_nothing(&q->b->pose) ? NULL : &q->b->pose;
    q->shifts = !cancel && find_shift(&q->a->pose, &q->b->pose, q->shift);
    q->uses_trees = prepare_trees(q);
    return GRAZE_STATUS_OK;
}

bool grz_query_part_start(grz_query_part *part, const grz_query *q, grz_node_pair *room, grz_monitor *monitor)
{
    part->query = q;
    part->done = part->out_of_memory = false;
    part->stages = (grz_filter_stats){0};
    part->triangle_tests = 0;
    part->counts = (graze_pair_counts){0};
    part->decides_candidates = false;
    part->buffered = (grz_hit_buffer){.most = q->most_buffered, .first = q->first_buffered, .end = UINT64_MAX};
    part->traversal.pairs = part->traversal.room = NULL;
    part->sweep.a = part->sweep.b = NULL;
    if (!q->uses_trees)
        return grz_aabb_sweep_start(&part->sweep, q->context, q->a->mesh, q->pose_a, q->b->mesh, q->pose_b, monitor);
    grz_traversal *t = &part->traversal;
    t->context = q->context;
    t->kernels = grz_kernels_for(q->context != NULL ? q->context->instructions : GRAZE_INSTRUCTIONS_BEST);
    t->a = q->a->tree;
    t->b = q->b->tree;
    t->to_a = &q->to_a;
    t->to_b = &q->to_b;
    t->self = q->self;
    t->hint = q->hint;
    t->eager = q->first_only;
    t->propose = q->self ? test_self_pair : test_in_frame;
    t->take_crossings = q->self || q->first_only ? NULL : take_crossings;
    t->user = part;
    grz_traversal_start(t, room);
    return true;
}

/* The sweep counts box tests instead of pairs: eight of them stand for one. */
static void advance_sweep(grz_query_part *part, const grz_pause *pause)
{
    grz_aabb_pair_function test = part->query->self ? test_self_pair_once : test_in_world;
    uint64_t box_limit = pause != NULL ? pause->box_limit : UINT64_MAX;
    bool watched = pause != NULL && pause->go_on != NULL, go_on = true;
    while (go_on && !part->done)
    {
        uint64_t limit = watched ? part->sweep.box_tests + 8 * (uint64_t)pause->interval : box_limit;
        if (limit > box_limit)
            limit = box_limit;
        bool stopped = !grz_aabb_sweep_advance(&part->sweep, limit, test, part);
        part->done = stopped || grz_aabb_sweep_is_done(&part->sweep);
        go_on = part->sweep.box_tests < box_limit && (!watched || part->done || pause->go_on(pause->user));
    }
}

static bool decide_pair(grz_query_part *part, uint32_t triangle_a, uint32_t triangle_b)
{
    if (part->query->self)
        return test_self_pair(part, triangle_a, triangle_b, false);
    return part->query->uses_trees ? test_in_frame(part, triangle_a, triangle_b, false)
                                   : test_in_world(part, triangle_a, triangle_b);
}

/* Decides the pairs that were left for later, when everything was looked at; as it may pause, the part is done when
   none is left. */
static void decide_candidates(grz_query_part *part, const grz_pause *pause)
{
    part->decides_candidates = true;
    part->done = false;
    while (part->buffered.candidates.count > 0 && !part->out_of_memory)
    {
        uint64_t number = part->buffered.candidates.data[--part->buffered.candidates.count];
        decide_pair(part, (uint32_t)(number >> 32), (uint32_t)number);
        if (pause != NULL && pause->go_on != NULL && !pause->go_on(pause->user) && part->buffered.candidates.count > 0)
            return;
    }
    part->done = true;
}

void grz_query_part_advance(grz_query_part *part, const grz_pause *pause)
{
    if (part->done)
        return;
    if (!part->query->uses_trees)
        advance_sweep(part, pause);
    else
    {
        grz_traversal_end end = grz_traversal_advance(&part->traversal, pause);
        part->out_of_memory = part->out_of_memory || end == GRZ_TRAVERSAL_OUT_OF_MEMORY;
        part->done = end != GRZ_TRAVERSAL_PAUSED;
    }
    if (part->done && part->buffered.candidates.count > 0 && !part->out_of_memory)
        decide_candidates(part, pause);
}

uint64_t grz_query_part_box_tests(const grz_query_part *part)
{
    return part->query->uses_trees ? part->traversal.box_tests : part->sweep.box_tests;
}

uint64_t grz_query_part_work(const grz_query_part *part)
{
    uint64_t leaf_work = part->query->uses_trees ? part->traversal.leaf_pairs * GRZ_PAIRS : 0;
    return grz_query_part_box_tests(part) + leaf_work + part->triangle_tests * GRZ_EXACT_TEST_WORK;
}

void grz_query_part_add_stats(const grz_query_part *part, graze_stats *stats)
{
    stats->box_tests += grz_query_part_box_tests(part);
    stats->leaf_pairs += part->query->uses_trees ? part->traversal.leaf_pairs : 0;
    stats->triangle_tests += part->triangle_tests;
    stats->exact_signs += part->stages.exact;
}

void grz_query_part_end(grz_query_part *part)
{
    if (part->query == NULL)
        return;
    const graze_context *context = part->query->context;
    if (part->query->uses_trees)
        grz_traversal_release(&part->traversal);
    else
        grz_aabb_sweep_end(&part->sweep, context);
    grz_hit_buffer_release(&part->buffered, context);
}
