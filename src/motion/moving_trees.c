/* SPDX-License-Identifier: MIT */
/*
 * Two trees in a frame of a space-time traversal: the transforms between them, and their node bounds and leaves,
 * widened by how they move; see space_time_trees.h.
 *
 * At time t = m + s, |s| <= h, in the frame around m, the points a of A and b of B coincide if P_A(t) a = P_B(t) b.
 * With motion_span.h P_A(t) a = P_A a + s P_A' a + r_A, r_A its rest and errors; P_A, P_A' are the affine maps of the
 * span's doubles, taken as they are. Let Q be the inverse of the linear part of P_A, and y = M b with M = P_A^-1 P_B
 * the place of b in A's frame at m: P_A y = P_B b. Then e = y - a, the error of taking the middle for t, has P_A e =
 * P_A y - P_A a = P_B b - P_A a = s (P_A' a - P_B' b) + r_A - r_B   (linear part of P_A on the left) = s (P_A' y - P_B'
 * b) - s L_A' e + r_A - r_B,                        (L_A' the linear part of P_A') e = s W b + Q (r_A - r_B) - s Q L_A'
 * e,   W = Q (P_A' M - P_B'). With k = h |Q L_A'| < 1 in the norm of row sums and w >= |W b|: |e| <= (h w + |Q r|) / (1
 * - k) =: E, so that |e_i - s (W b)_i| <= |Q r| + k E =: rest. So along any direction n the point a of A is at n.y -
 * n.e, within h |n.(W b)| + |n|_1 rest of n.y: boxes and slabs of B seen from A are widened by that, over the box of a
 * node. The same with A and B exchanged. Where k < 1, no t in the frame makes A singular, and e is affine in b:
 * triangles stay triangles, and corners of a leaf have the error bound of its box.
 *
 * Rounding. W and `rest` are computed in doubles; each entry has fewer than 40 roundings of sums of magnitudes, which
 * 2^-40 of these sums covers. In floats a widening has fewer than 16 roundings of G = sum |W_ij| + |offset_i| or of the
 * bounds that it is added to, 2^-19 of both.
 */
#include "motion/space_time_trees.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "math/matrix.h"
#include "mesh/mesh.h"

/* Frames with a larger h |Q L_A'| are split first. */
#define MOST_TURN 0.25

grz_moving_trees *grz_moving_trees_create(const graze_context *context)
{
    /* Vectors are aligned, memory need not be. */
    unsigned char *memory = grz_allocate(context, sizeof(grz_moving_trees) + GRZ_TREE_ALIGNMENT, 1);
    if (memory == NULL)
        return NULL;
    size_t shift = GRZ_TREE_ALIGNMENT - (uintptr_t)memory % GRZ_TREE_ALIGNMENT;
    grz_moving_trees *trees = (grz_moving_trees *)(void *)(memory + shift);
    trees->memory = memory;
    trees->kernels = grz_kernels_for(context != NULL ? context->instructions : GRAZE_INSTRUCTIONS_BEST);
    memset(trees->a.leaf_keys, 0xff, sizeof trees->a.leaf_keys); /* A's leaves do not move */
    memset(&trees->queue, 0, sizeof trees->queue);               /* kernels load lanes after the last pair */
    memset(&trees->motions, 0, sizeof trees->motions);
    return trees;
}

void grz_moving_trees_destroy(const graze_context *context, grz_moving_trees *trees)
{
    if (trees != NULL)
        grz_release(context, trees->memory);
}

/* ---- the motion of one tree in the other's frame ---- */

static double row_norm(double m[3][3])
{
    double norm = 0;
    for (int i = 0; i < 3; i++)
        norm = fmax(norm, fabs(m[i][0]) + fabs(m[i][1]) + fabs(m[i][2]));
    return norm * (1 + 0x1p-40);
}

static void multiply(double a[3][3], double b[3][3], double out[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
}

/*
 * The sweep of `tree` seen from `other`, whose inverse linear part is Q (with an error bound); `there` leads from the
 * mesh to the other one. `rest` bounds |r_A - r_B| in the world. False where the frame is too long.
 */
static bool sweep_make(grz_motion_span *span, const graze_tree *tree, grz_motion_span *other,
                       const graze_tree *other_tree, const grz_relative_pose *there, double rest, double margin,
                       grz_sweep *out)
{
    double linear[9], inverse[9], inverse_error = 0, q[3][3], turn[3][3], shift[3][3], velocity[3][3], w[3][3];
    for (int k = 0; k < 9; k++)
        linear[k] = other->matrix[k / 3][k % 3];
    if (!matrix_invert(linear, inverse, &inverse_error))
        return false;
    double m[3][3], offset[3], drift[3], h = span->half, magnitude = 0;
    for (int k = 0; k < 9; k++)
    {
        q[k / 3][k % 3] = inverse[k];
        m[k / 3][k % 3] = there->pose.m[4 * (k / 3) + k % 3];
    }
    double q_norm = row_norm(q) + 3 * inverse_error;
    multiply(q, other->rate, turn);
    double k = h * row_norm(other->rate) * q_norm; /* also of its own error */
    k = fmin(k, h * (row_norm(turn) + 3 * inverse_error * row_norm(other->rate)) * (1 + 0x1p-40));
    if (!(k < MOST_TURN))
        return false;
    multiply(other->rate, m, shift);
    double reach = 0;
    for (int i = 0; i < 3; i++)
        reach = fmax(reach, fabs(tree->origin[i]));
    reach += tree->scale;
    for (int i = 0; i < 3; i++)
    {
        double sum = fabs(other->drift[i]) + fabs(span->drift[i]);
        drift[i] = other->drift[i] - span->drift[i];
        for (int j = 0; j < 3; j++)
        {
            double x = there->pose.m[4 * j + 3];
            drift[i] += other->rate[i][j] * x;
            velocity[i][j] = shift[i][j] - span->rate[i][j];
            sum += fabs(other->rate[i][j]) * (fabs(x) + 3 * reach * there->norm) + 3 * reach * fabs(span->rate[i][j]);
        }
        magnitude = fmax(magnitude, sum);
    }
    /* Velocities are computed with an error of 2^-40 of their terms, and those of M and Q. */
    double velocity_error =
        0x1p-40 * magnitude + row_norm(other->rate) * (3 * reach * there->matrix_error + there->offset_error);
    velocity_error += inverse_error * 3 * magnitude / fmax(q_norm, 0x1p-200);
    multiply(q, velocity, w);
    double factor = h * other_tree->inverse_scale, largest = 0;
    double terms[3];
    for (int i = 0; i < 3; i++)
    {
        offset[i] = q[i][0] * drift[0] + q[i][1] * drift[1] + q[i][2] * drift[2];
        terms[i] = fabs(offset[i]);
        for (int j = 0; j < 3; j++)
        {
            offset[i] += w[i][j] * tree->origin[j];
            terms[i] += fabs(w[i][j]) * (fabs(tree->origin[j]) + tree->scale);
            out->matrix[i][j] = (float)(factor * w[i][j] * tree->scale);
        }
        out->offset[i] = (float)(factor * offset[i]);
        double bound = fabs(offset[i]);
        for (int j = 0; j < 3; j++)
            bound += fabs(w[i][j]) * tree->scale;
        largest = fmax(largest, bound);
        magnitude = fmax(magnitude, terms[i] / fmax(q_norm, 0x1p-200));
    }
    double errors = h * q_norm * (velocity_error + 0x1p-40 * magnitude) + q_norm * rest;
    double e = (h * largest + errors) / (1 - k) * (1 + 0x1p-30);
    double left = (errors + k * e) * other_tree->inverse_scale;
    double most = e * other_tree->inverse_scale;
    /* shortcut: sweep-in-floats */
    out->rest = (float)(left * (1 + 0x1p-20) + 0x1p-18 * most + 0x1p-100);
    out->still = (float)((q_norm * margin) * other_tree->inverse_scale);
    out->most = (float)(most * (1 + 0x1p-20) + (double)out->rest);
    return out->most < 0x1p30f; /* also NaN */
}

bool grz_moving_trees_begin(grz_moving_trees *t, grz_space_time *s)
{
    grz_motion_span *a = &s->side_a.span, *b = &s->side_b.span;
    if (!s->side_a.known || !s->side_b.known || s->end_boxes_a != NULL || s->end_boxes_b != NULL ||
        s->tree_a->mesh->exponent != 0 || s->tree_b->mesh->exponent != 0)
        return false;
    graze_pose pose_a, pose_b;
    for (int k = 0; k < 12; k++)
    {
        pose_a.m[k] = k % 4 < 3 ? a->matrix[k / 4][k % 4] : a->offset[k / 4];
        pose_b.m[k] = k % 4 < 3 ? b->matrix[k / 4][k % 4] : b->offset[k / 4];
    }
    grz_relative_pose to_a, to_b;
    if (!grz_relative_pose_make_both(&pose_a, &pose_b, &to_a, &to_b) ||
        !grz_tree_transform_make(s->tree_a, s->tree_b, &to_a, &t->b.exact) ||
        !grz_tree_transform_make(s->tree_b, s->tree_a, &to_b, &t->a.exact))
        return false;
    double rest = grz_moving_rest(a, s->tree_a->mesh) + grz_moving_rest(b, s->tree_b->mesh) + s->margin;
    if (!sweep_make(b, s->tree_b, a, s->tree_a, &to_a, rest, s->margin, &t->b.sweep) ||
        !sweep_make(a, s->tree_a, b, s->tree_b, &to_b, rest, s->margin, &t->a.sweep))
        return false;
    t->b.transform = grz_tree_transform_to_float(&t->b.exact);
    t->a.transform = grz_tree_transform_to_float(&t->a.exact);
    grz_leaf_transform_make(&t->b.exact, &t->rotation);
    memset(t->a.node_keys, 0xff, sizeof t->a.node_keys);
    memset(t->b.node_keys, 0xff, sizeof t->b.node_keys);
    memset(t->b.leaf_keys, 0xff, sizeof t->b.leaf_keys);
    memset(t->a.facet_keys, 0xff, sizeof t->a.facet_keys);
    memset(t->b.facet_keys, 0xff, sizeof t->b.facet_keys);
    float squares = 0; /* only decides which node is opened */
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 3; j++)
            squares += t->b.transform.matrix[k][j] * t->b.transform.matrix[k][j];
    t->b_scale = sqrtf(squares * (1.0f / 3));
    t->local.made = false;
    t->queue.count = 0;
    t->queue.skips_plane_axes = false;
    return true;
}

/* ---- node bounds and leaves ---- */

const grz_transformed8 *grz_moving_node(grz_moving_tree *moving, const grz_kernels *kernels, const graze_tree *tree,
                                        uint32_t node, const grz_float_transform *back)
{
    uint32_t slot = node % GRZ_TRANSFORMED_NODES;
    if (moving->node_keys[slot] != node)
    {
        kernels->transform(grz_child_boxes(tree, node), &moving->transform, back, &moving->nodes[slot]);
        kernels->widen(&moving->sweep, &moving->nodes[slot], moving->moves[slot]);
        moving->node_keys[slot] = node;
    }
    return &moving->nodes[slot];
}

const grz_transformed8 *grz_moving_node_a(const grz_space_time *s, grz_moving_trees *t, uint32_t node)
{
    return grz_moving_node(&t->a, t->kernels, s->tree_a, node, &t->b.transform);
}

const grz_transformed8 *grz_moving_node_b(const grz_space_time *s, grz_moving_trees *t, uint32_t node)
{
    return grz_moving_node(&t->b, t->kernels, s->tree_b, node, &t->a.transform);
}

const grz_corners8 *grz_moving_leaf_a(const grz_space_time *s, grz_moving_trees *t, uint32_t index)
{
    uint32_t slot = index % GRZ_MOVING_LEAVES;
    grz_corners8 *corners = &t->a.leaves[slot];
    if (t->a.leaf_keys[slot] != index)
    {
        const grz_leaf *leaf = &s->tree_a->leaves[index];
        t->kernels->corners(&leaf->triangles, NULL, corners);
        corners->first = leaf->first;
        corners->present = (1u << leaf->count) - 1;
        t->a.leaf_keys[slot] = index;
    }
    return corners;
}

/* B's leaves, in A's axes; the error bound of their corners grows by the motion of the leaf's box. */
const grz_corners8 *grz_moving_leaf_b(const grz_space_time *s, grz_moving_trees *t, uint32_t index)
{
    uint32_t slot = index % GRZ_MOVING_LEAVES;
    grz_corners8 *corners = &t->b.leaves[slot];
    if (t->b.leaf_keys[slot] != index)
    {
        const grz_leaf *leaf = &s->tree_b->leaves[index];
        const grz_sweep *sweep = &t->b.sweep;
        t->kernels->corners(&leaf->triangles, &t->rotation, corners);
        float reach = 32769 * leaf->triangles.unit, fastest = 0, *error = &t->b.error[slot];
        *error = t->b.place_error[slot] = t->b.most[slot] = 0;
        for (int k = 0; k < 3; k++)
        {
            const float *row = sweep->matrix[k], *c = leaf->triangles.centre;
            float shift = sweep->offset[k] + row[0] * c[0] + row[1] * c[1] + row[2] * c[2];
            float size = (fabsf(row[0]) + fabsf(row[1]) + fabsf(row[2])) * reach;
            float beside = (corners->error[k] + size + sweep->rest) * 1.0001f;
            t->b.velocity[slot][k] = shift;
            fastest = fmaxf(fastest, fabsf(shift));
            *error = fmaxf(*error, beside);
            t->b.place_error[slot] = fmaxf(t->b.place_error[slot], corners->error[k]);
            t->b.most[slot] = fmaxf(t->b.most[slot], (fabsf(shift) + size + sweep->rest) * 1.0001f);
            corners->error[k] += (fabsf(shift) + size + sweep->rest) * 1.0001f;
        }
        *error += 0x1p-19f * fastest;
        corners->first = leaf->first;
        corners->present = (1u << leaf->count) - 1;
        t->b.leaf_keys[slot] = index;
    }
    return corners;
}

/* ---- triangles of a leaf against nodes ---- */

/* Widens the edges' projections by how far the triangles in the boxes move along the cross products, and the boxes
   along the axes. */
static void widen_edges(const grz_sweep *sweep, const grz_transformed8 *boxes, grz_edges8 *edges)
{
    float shift[3][GRZ_LANES], size[3][GRZ_LANES];
    for (int k = 0; k < 3; k++)
        for (int lane = 0; lane < GRZ_LANES; lane++)
        {
            const float *row = sweep->matrix[k];
            shift[k][lane] = sweep->offset[k] + row[0] * boxes->centre[0][lane] + row[1] * boxes->centre[1][lane] +
                             row[2] * boxes->centre[2][lane];
            size[k][lane] = fabsf(row[0]) * boxes->half[0][lane] + fabsf(row[1]) * boxes->half[1][lane] +
                            fabsf(row[2]) * boxes->half[2][lane] + sweep->rest;
            float by = fabsf(shift[k][lane]) + size[k][lane];
            float lower = edges->lower[k][lane], upper = edges->upper[k][lane];
            float more = by + 0x1p-21f * (fabsf(lower) + fabsf(upper) + by);
            edges->lower[k][lane] = lower - more;
            edges->upper[k][lane] = upper + more;
        }
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++)
        {
            int p = (k + 1) % 3, q = (k + 2) % 3;
            for (int lane = 0; lane < GRZ_LANES; lane++)
            {
                float e_p = edges->edges[c][p][lane], e_q = edges->edges[c][q][lane];
                float along = fabsf(e_p * shift[q][lane] - e_q * shift[p][lane]);
                float beside = fabsf(e_p) * size[q][lane] + fabsf(e_q) * size[p][lane];
                float terms = fabsf(e_p * shift[q][lane]) + fabsf(e_q * shift[p][lane]) + beside;
                float width = edges->width[c][k][lane];
                edges->width[c][k][lane] = width + along + beside + 0x1p-20f * (terms + width) + 0x1p-118f;
            }
        }
}

grz_moving_facets *grz_moving_facets_of(grz_moving_tree *moving, const grz_kernels *kernels, const graze_tree *tree,
                                        uint32_t leaf, const grz_float_transform *back)
{
    uint32_t slot = leaf % GRZ_MOVING_FACETS;
    grz_moving_facets *facets = &moving->facets[slot];
    if (moving->facet_keys[slot] != leaf)
    {
        float moves[GRZ_LANES];
        kernels->facet_boxes(&tree->leaves[leaf].triangles, &facets->boxes);
        kernels->transform(&facets->boxes, &moving->transform, back, &facets->transformed);
        kernels->widen(&moving->sweep, &facets->transformed, moves);
        facets->has_edges = false;
        moving->facet_keys[slot] = leaf;
    }
    return facets;
}

const grz_edges8 *grz_moving_edges_of(grz_moving_tree *moving, const grz_kernels *kernels, const graze_tree *tree,
                                      uint32_t leaf, grz_moving_facets *facets)
{
    if (!facets->has_edges)
    {
        kernels->facet_edges(&tree->leaves[leaf].triangles, &moving->transform, &facets->edges);
        /* shortcut: sweep-of-edges */
        widen_edges(&moving->sweep, &facets->transformed, &facets->edges);
        facets->has_edges = true;
    }
    return &facets->edges;
}
