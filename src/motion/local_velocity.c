/* SPDX-License-Identifier: MIT */
/*
 * How B moves where a leaf of A is; see space_time_trees.h.
 *
 * With the names of moving_trees.c let b of B touch a of A in the frame, in coordinates of the trees, at the time m + s
 * of it: e = y - a, the place of b at the middle less a, is within `rest` of s (S b + o), |s| <= 1, S and o those of
 * B's sweep. All of B's leaf has velocities that differ by |S| times its half size: where B's leaf is large and turns,
 * that is as much as its motion. But what touches a leaf of A is where that leaf is. With the transform T y + p from A
 * to B b = T a + p + d, where |d| <= error of the transform + (norm + error) |e| on each axis, as y = a + e and the
 * error of the transform's linear part is at most that of the whole, at 1 and -1. So e = s (U a + u) + r,   U = S T, u
 * = o + S p,   |r| <= rest + |S| (error + (norm + error) |e|), and over the leaf of A, of centre c and half size h, e
 * is within s (U c + u) up to r + |U| h. Any bound of |e| will do: that of B's leaf.
 *
 * Rounding. U and u are sums of 3 and 4 terms in doubles of numbers that are exact here; with their conversion, and the
 * sum at c in floats with |c| <= 1, fewer than 8 roundings of 2^-23 of G = max_i (|u_i| + sum_j |U_ij|) and of the
 * terms of u in doubles: 2^-19 of G and 2^-48 of these terms cover them.
 */
#include <math.h>

#include "motion/space_time_trees.h"

static void make_local_sweep(grz_moving_trees *t)
{
    grz_local_sweep *local = &t->local;
    const grz_sweep *sweep = &t->b.sweep;
    const grz_tree_transform *there = &t->a.exact; /* from A to B */
    double most = 0, terms = 0, turn = 0;
    for (int i = 0; i < 3; i++)
    {
        double offset = (double)sweep->offset[i], row = 0, size = 0, sum = fabs(offset);
        for (int k = 0; k < 3; k++)
        {
            offset += (double)sweep->matrix[i][k] * there->offset[k];
            sum += fabs((double)sweep->matrix[i][k] * there->offset[k]);
            row += fabs((double)sweep->matrix[i][k]);
        }
        for (int j = 0; j < 3; j++)
        {
            double entry = 0;
            for (int k = 0; k < 3; k++)
                entry += (double)sweep->matrix[i][k] * there->matrix[k][j];
            local->matrix[i][j] = (float)entry;
            size += fabs(entry);
        }
        local->offset[i] = (float)offset;
        most = fmax(most, fabs(offset) + size);
        terms = fmax(terms, sum + row * there->norm);
        turn = fmax(turn, row);
    }
    local->turn = (float)(turn * (there->norm + there->error) * (1 + 0x1p-20));
    local->rest =
        (float)((turn * there->error + 0x1p-19 * most + 0x1p-48 * terms) * (1 + 0x1p-20)) + sweep->rest + 0x1p-100f;
    local->made = true;
}

void grz_local_velocity(const grz_space_time *s, grz_moving_trees *t, uint32_t leaf_a, uint32_t slot_b,
                        float velocity[3], float *out_error)
{
    grz_local_sweep *local = &t->local;
    if (!local->made)
        make_local_sweep(t);
    const grz_leaf *leaf = &s->tree_a->leaves[leaf_a];
    const float *c = leaf->triangles.centre, reach = 32769 * leaf->triangles.unit;
    float largest = 0, fastest = 0;
    for (int k = 0; k < 3; k++)
    {
        const float *row = local->matrix[k];
        velocity[k] = local->offset[k] + row[0] * c[0] + row[1] * c[1] + row[2] * c[2];
        float size = (fabsf(row[0]) + fabsf(row[1]) + fabsf(row[2])) * reach;
        largest = size > largest ? size : largest;
        fastest = fabsf(velocity[k]) > fastest ? fabsf(velocity[k]) : fastest;
    }
    /* shortcut: local-velocity */
    float beside = largest + local->rest + local->turn * t->b.most[slot_b];
    *out_error = (t->b.place_error[slot_b] + beside) * 1.0001f + 0x1p-19f * fastest;
    if (*out_error < t->b.error[slot_b])
        return;
    for (int k = 0; k < 3; k++)
        velocity[k] = t->b.velocity[slot_b][k];
    *out_error = t->b.error[slot_b];
}
