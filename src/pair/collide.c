/* SPDX-License-Identifier: MIT */
/*
 * Which triangles of two placed meshes meet: boxes propose pairs, exact signs decide. Any, count, gather and visit are
 * four ways to hear of the same hits.
 */
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "exact/contact.h"
#include "graze/pair.h"
#include "math/matrix.h"
#include "mesh/mesh.h"
#include "pair/boxes.h"
#include "pair/sort_hits.h"
#include "pair/traverse.h"

typedef GRZ_ARRAY(graze_hit) hit_array;

/* One query under way. */
typedef struct query
{
    const graze_context *context;
    const graze_mesh *mesh_a, *mesh_b;
    const graze_pose *pose_a, *pose_b; /* NULL when both poses are one and drop out */
    grz_stages stages;
    uint64_t box_tests, leaf_pairs, triangle_tests;
    bool first_only, keep_hits;
    bool out_of_memory;
    /* With trees: B's mesh coordinates in A's mesh frame, what these are off by there, and whether that frame is
     * mirrored. */
    grz_relative relative;
    double frame_error;
    int mirrored;
    graze_pair_counts counts;
    hit_array hits;
} query;

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

/* What is to be said of two triangles whose insides cross. */
static const graze_triangle_contact through_each_other = {.found = true,
                                                          .crossing = true,
                                                          .dimension = 1,
                                                          .feature_a = GRAZE_FEATURE_FACE,
                                                          .feature_b = GRAZE_FEATURE_FACE,
                                                          .mask_a = 7,
                                                          .mask_b = 7};

/* Counts and keeps a hit; returns false when the query is over. */
static bool take(query *q, uint32_t triangle_a, uint32_t triangle_b, const graze_triangle_contact *contact)
{
    count_hit(&q->counts, contact);
    if (q->keep_hits)
    {
        graze_hit hit = {triangle_a, triangle_b, graze_mesh_triangle_face(q->mesh_a, triangle_a),
                         graze_mesh_triangle_face(q->mesh_b, triangle_b), *contact};
        if (!GRZ_PUSH(q->context, &q->hits, hit))
        {
            q->out_of_memory = true;
            return false;
        }
    }
    return !q->first_only;
}

/* The same for what the exact test says of a pair. */
static bool record(query *q, uint32_t triangle_a, uint32_t triangle_b, graze_triangle_contact contact)
{
    q->triangle_tests++;
    return !contact.found || take(q, triangle_a, triangle_b, &contact);
}

static const double *corner_of(const graze_mesh *mesh, uint32_t triangle, int corner)
{
    return grz_mesh_vertex(mesh, mesh->triangles[3 * (size_t)triangle + (size_t)corner]);
}

static bool test_in_world(void *user, uint32_t triangle_a, uint32_t triangle_b)
{
    query *q = user;
    grz_points points;
    grz_points_start(&points, &q->stages);
    for (int i = 0; i < 3; i++)
        grz_points_add(&points, corner_of(q->mesh_a, triangle_a, i), q->pose_a);
    for (int i = 0; i < 3; i++)
        grz_points_add(&points, corner_of(q->mesh_b, triangle_b, i), q->pose_b);
    return record(q, triangle_a, triangle_b, grz_triangle_triangle(&points));
}

/* The same in A's own frame, where A's corners are exact and one map places B's. */
static bool test_in_frame(void *user, uint32_t triangle_a, uint32_t triangle_b, bool crosses)
{
    query *q = user;
    if (crosses)
        return record(q, triangle_a, triangle_b, through_each_other);
    grz_points points;
    grz_points_start_in_frame(&points, &q->stages, q->mirrored, q->frame_error);
    for (int i = 0; i < 3; i++)
    {
        const double *corner = corner_of(q->mesh_a, triangle_a, i);
        grz_points_add_in_frame(&points, corner, q->pose_a, corner);
    }
    for (int i = 0; i < 3; i++)
    {
        const double *corner = corner_of(q->mesh_b, triangle_b, i);
        double image[3];
        graze_pose_apply(&q->relative.pose, corner, image);
        grz_points_add_in_frame(&points, corner, q->pose_b, image);
    }
    return record(q, triangle_a, triangle_b, grz_triangle_triangle(&points));
}

/* One pose common to both changes nothing when it has an inverse. */
static bool poses_cancel(const graze_pose *a, const graze_pose *b)
{
    return memcmp(a, b, sizeof *a) == 0 && graze_pose_handedness(a) != 0;
}

static bool moves_nothing(const graze_pose *pose)
{
    graze_pose identity = graze_pose_identity();
    return memcmp(pose, &identity, sizeof identity) == 0;
}

static graze_status check_arguments(const graze_placed_mesh *a, const graze_placed_mesh *b)
{
    if (a == NULL || b == NULL || a->mesh == NULL || b->mesh == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if ((a->tree != NULL && a->tree->mesh != a->mesh) || (b->tree != NULL && b->tree->mesh != b->mesh))
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_status status = graze_pose_check(&a->pose, NULL);
    return status == GRAZE_STATUS_OK ? graze_pose_check(&b->pose, NULL) : status;
}

/* The slow way, right for everything: all pairs of overlapping boxes. */
static void sweep_boxes(query *q)
{
    grz_box *boxes_a = grz_boxes_create(q->context, q->mesh_a, q->pose_a);
    grz_box *boxes_b = grz_boxes_create(q->context, q->mesh_b, q->pose_b);
    if (boxes_a != NULL && boxes_b != NULL)
        grz_boxes_sweep(boxes_a, q->mesh_a->triangle_count, boxes_b, q->mesh_b->triangle_count, test_in_world, q,
                        &q->box_tests);
    else
        q->out_of_memory = true;
    grz_release(q->context, boxes_a);
    grz_release(q->context, boxes_b);
}

/*
 * Sets up the double filter in A's frame: what the image of any corner of B is off by there, from the map's error and
 * the rounding of its application. False when magnitudes leave the filter's range (see exact/points.c).
 */
static bool prepare_frame(query *q)
{
    double reach = 0, own_reach = 0, largest = 0;
    for (int k = 0; k < 3; k++)
    {
        reach += matrix_larger(fabs(q->mesh_b->lower[k]), fabs(q->mesh_b->upper[k]));
        own_reach = matrix_larger(own_reach, matrix_larger(fabs(q->mesh_a->lower[k]), fabs(q->mesh_a->upper[k])));
    }
    for (int i = 0; i < 12; i++)
        largest = matrix_larger(largest, fabs(q->relative.pose.m[i]));
    double magnitude = largest * (reach + 1);
    q->frame_error = q->relative.matrix_error * reach + q->relative.offset_error + 6 * GRZ_U * magnitude + 0x1p-700;
    if (q->pose_a == NULL && q->pose_b == NULL)
        q->frame_error = 0x1p-700; /* nothing moves, nothing is rounded */
    q->mirrored = q->pose_a != NULL ? graze_pose_handedness(q->pose_a) : 1;
    return magnitude <= 0x1p300 && own_reach <= 0x1p300 && q->frame_error <= 0x1p300 && q->mirrored != 0;
}

/* The fast way. False, with nothing done, when the poses do not allow it. */
static bool search_trees(query *q, const graze_tree *tree_a, const graze_tree *tree_b)
{
    grz_traversal t = {.context = q->context,
                       .kernels =
                           grz_kernels_for(q->context != NULL ? q->context->instructions : GRAZE_INSTRUCTIONS_BEST),
                       .a = tree_a,
                       .b = tree_b};
    grz_relative back;
    if (!tree_a->usable || !tree_b->usable || !grz_relative_make(q->pose_a, q->pose_b, &q->relative) ||
        !grz_relative_make(q->pose_b, q->pose_a, &back) || !grz_relative_map(tree_a, tree_b, &q->relative, &t.to_a) ||
        !grz_relative_map(tree_b, tree_a, &back, &t.to_b) || !prepare_frame(q))
        return false;
    t.propose = test_in_frame;
    t.user = q;
    if (grz_traverse(&t) == GRZ_TRAVERSAL_OUT_OF_MEMORY)
        q->out_of_memory = true;
    q->box_tests = t.box_tests;
    q->leaf_pairs = t.leaf_pairs;
    return true;
}

/* Runs the query; the caller releases q->hits.data, also on failure. */
static graze_status run(query *q, const graze_placed_mesh *a, const graze_placed_mesh *b, graze_stats *stats)
{
    graze_status status = check_arguments(a, b);
    if (status != GRAZE_STATUS_OK)
        return status;
    bool cancel = poses_cancel(&a->pose, &b->pose);
    q->mesh_a = a->mesh;
    q->mesh_b = b->mesh;
    q->pose_a = cancel || moves_nothing(&a->pose) ? NULL : &a->pose;
    q->pose_b = cancel || moves_nothing(&b->pose) ? NULL : &b->pose;
    if (a->tree == NULL || b->tree == NULL || !search_trees(q, a->tree, b->tree))
        sweep_boxes(q);
    if (q->out_of_memory)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    if (!grz_sort_hits(q->context, q->hits.data, q->hits.count))
        return GRAZE_STATUS_OUT_OF_MEMORY;
    if (stats != NULL)
        *stats = (graze_stats){q->box_tests, q->leaf_pairs, q->triangle_tests, q->stages.exact};
    return GRAZE_STATUS_OK;
}

graze_status graze_pair_any(const graze_context *context, const graze_placed_mesh *a, const graze_placed_mesh *b,
                            graze_stats *stats, bool *out_found, graze_hit *out_hit)
{
    query q = {.context = context, .first_only = true, .keep_hits = true};
    graze_status status = run(&q, a, b, stats);
    if (status == GRAZE_STATUS_OK)
    {
        *out_found = q.hits.count > 0;
        if (*out_found && out_hit != NULL)
            *out_hit = q.hits.data[0];
    }
    grz_release(context, q.hits.data);
    return status;
}

graze_status graze_pair_count(const graze_context *context, const graze_placed_mesh *a, const graze_placed_mesh *b,
                              graze_stats *stats, graze_pair_counts *out_counts)
{
    query q = {.context = context};
    graze_status status = run(&q, a, b, stats);
    if (status == GRAZE_STATUS_OK)
        *out_counts = q.counts;
    return status;
}

graze_status graze_pair_gather(const graze_context *context, const graze_placed_mesh *a, const graze_placed_mesh *b,
                               graze_stats *stats, graze_hit *hits, size_t capacity, graze_pair_counts *out_counts)
{
    query q = {.context = context, .keep_hits = true};
    graze_status status = run(&q, a, b, stats);
    if (status == GRAZE_STATUS_OK)
    {
        size_t count = q.hits.count < capacity ? q.hits.count : capacity;
        if (count > 0)
            memcpy(hits, q.hits.data, count * sizeof *hits);
        *out_counts = q.counts;
    }
    grz_release(context, q.hits.data);
    return status;
}

graze_status graze_pair_visit(const graze_context *context, const graze_placed_mesh *a, const graze_placed_mesh *b,
                              graze_stats *stats, graze_hit_function visit, void *user)
{
    query q = {.context = context, .keep_hits = true};
    graze_status status = run(&q, a, b, stats);
    for (size_t i = 0; status == GRAZE_STATUS_OK && i < q.hits.count; i++)
    {
        if (!visit(user, &q.hits.data[i]))
            status = GRAZE_STATUS_CANCELLED;
    }
    grz_release(context, q.hits.data);
    return status;
}
