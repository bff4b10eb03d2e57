/* SPDX-License-Identifier: MIT */
/*
 * Separating axis test of a triangle against one that translates, for many pairs side by side; part of
 * kernels_template.h.
 *
 * B's points are at b + s v + r with |s| <= 1 and |r| <= error on each axis, v the velocity of its leaf: B sweeps a
 * prism. Prism and triangle are tested along both normals, the nine products of an edge of each, and the six of v and
 * an edge; only planes within a triangle are left out. Any axis w is valid, as computed, with the error bound of
 * simd/triangle_sat_template.h for axes in the plane: if at some s the triangles share a point, their intervals along w
 * at s = 0 overlap up to
 *   |w|_1 (errA + error) + |w.v| + 14 f |w|_1 D.
 * w.v passes four roundings and its sum with the bound two, at most 6 f |w|_1 |v|: the caller has 2^-19 |v| = 16 f |v|
 * in the error.
 */
#include "simd/triangle_sat_template.h"

/* B's velocity and the error bounds of its coordinates beside it, by lane. */
typedef struct moving_lanes
{
    f32xN velocity[3], error;
} moving_lanes;

static inline mask32xN is_separated_in_motion(const sat_pairs *m, const moving_lanes *moving, const f32xN w[3])
{
    f32xN zero = f32xN_splat(0.0f), a1 = f32xN_dot(w, m->a[1]), a2 = f32xN_dot(w, m->a[2]), b0 = f32xN_dot(w, m->x);
    f32xN b1 = f32xN_add(f32xN_dot(w, m->b[1]), b0), b2 = f32xN_add(f32xN_dot(w, m->b[2]), b0);
    f32xN lower_a = f32xN_min(f32xN_min(a1, a2), zero), upper_a = f32xN_max(f32xN_max(a1, a2), zero);
    f32xN lower_b = f32xN_min(f32xN_min(b1, b2), b0), upper_b = f32xN_max(f32xN_max(b1, b2), b0);
    f32xN slope = f32xN_mul_add(f32xN_splat(20 * 0x1p-23f), m->distance, f32xN_splat(0x1p-120f));
    slope = f32xN_mul_add(f32xN_splat(1.001f), moving->error, slope);
    f32xN error = f32xN_mul_add(sum3(w), slope, f32xN_splat(0x1p-110f));
    /* shortcut: moving-axes-in-floats */
    error = f32xN_add(error, f32xN_abs(f32xN_dot(w, moving->velocity)));
    return mask32xN_or(f32xN_lt(f32xN_add(upper_b, error), lower_a), f32xN_lt(f32xN_add(upper_a, error), lower_b));
}

/* The bits of the lanes that some axis separates. */
static inline unsigned separated_in_motion(const sat_pairs *m, const moving_lanes *moving, unsigned given)
{
    f32xN edges_a[3][3], edges_b[3][3], w[3];
    mask32xN separated =
        mask32xN_or(is_separated_in_motion(m, moving, m->normal_a), is_separated_in_motion(m, moving, m->normal_b));
    for (int i = 0; i < 3; i++)
    {
        subtract(m->a[(i + 1) % 3], m->a[i], edges_a[i]);
        subtract(m->b[(i + 1) % 3], m->b[i], edges_b[i]);
        f32xN_cross(moving->velocity, edges_a[i], w);
        separated = mask32xN_or(separated, is_separated_in_motion(m, moving, w));
        f32xN_cross(moving->velocity, edges_b[i], w);
        separated = mask32xN_or(separated, is_separated_in_motion(m, moving, w));
    }
    if ((given & ~mask32xN_bits(separated)) == 0)
        return given;
    for (int i = 0; i < 9; i++)
    {
        f32xN_cross(edges_a[i / 3], edges_b[i % 3], w);
        separated = mask32xN_or(separated, is_separated_in_motion(m, moving, w));
    }
    mask32xN in_range = f32xN_lt(m->distance, f32xN_splat(0x1p20f)); /* products of three numbers stay finite */
    return given & mask32xN_bits(mask32xN_and(separated, in_range));
}

static void moving_sat_kernel(const grz_pair_queue *queue, const grz_pair_motions *motions, grz_pair_sat_results *out)
{
    memset(out, 0, sizeof *out);
    for (unsigned first = 0; first < queue->count; first += GRZ_VECTOR_WIDTH)
    {
        sat_pairs m;
        moving_lanes moving;
        unsigned left = queue->count - first;
        unsigned given = left < GRZ_VECTOR_WIDTH ? (1u << left) - 1 : (1u << GRZ_VECTOR_WIDTH) - 1;
        load_sat_pairs(&m, queue, first);
        unsigned leaves = queue->leaves[first];
        permutationN leaf_permutation = permutationN_after(queue->leaves + first, leaves);
        for (int k = 0; k < 3; k++)
            moving.velocity[k] = f32xN_permute(motions->velocity[k] + leaves, leaf_permutation);
        moving.error = f32xN_add(m.error_a, f32xN_permute(motions->error + leaves, leaf_permutation));
        unsigned meet = given & ~separated_in_motion(&m, &moving, given);
        out->meet[first / 64] |= (uint64_t)meet << first % 64;
    }
}
