/* SPDX-License-Identifier: MIT */
/*
 * Lower bounds of world lengths from lengths in two trees' coordinates; see proximity.h.
 *
 * A difference x in mesh coordinates is R x in the world, at least sigma |x| long, where sigma is the least singular
 * value of R. So a distance in tree coordinates, times the tree's scale and sigma, is a lower bound of the distance in
 * the world. For rigid poses it is sharp.
 */
#include <math.h>

#include "math/matrix.h"
#include "mesh/mesh.h"
#include "pair/distance/proximity.h"

/*
 * R^T R = g I + E with g a third of its trace has no eigenvalue below g - |E|, in the Frobenius norm; the error of
 * products and sums is less than 32 u g. Where E is large, the inverse is used: sigma >= 1 / |R^-1|.
 */
double grz_least_singular_value(const graze_pose *pose)
{
    double linear[9], largest = 0, squares[3][3], mean = 0, rest = 0;
    for (int k = 0; k < 9; k++)
    {
        linear[k] = pose->m[4 * (k / 3) + k % 3];
        largest = matrix_larger(largest, fabs(linear[k]));
    }
    if (!(largest > 0x1p-100 && largest < 0x1p100))
        return 0;
    for (int i = 0; i < 3; i++)
    {
        for (int j = 0; j < 3; j++)
            squares[i][j] = linear[i] * linear[j] + linear[3 + i] * linear[3 + j] + linear[6 + i] * linear[6 + j];
        mean += squares[i][i] / 3;
    }
    for (int k = 0; k < 9; k++)
    {
        double e = squares[k / 3][k % 3] - (k % 4 == 0 ? mean : 0);
        rest += e * e;
    }
    /* shortcut: least-singular-value */
    double least = mean - sqrt(rest) - 64 * GRZ_U * mean;
    if (least > 0.5 * mean)
        return sqrt(least) * (1 - 8 * GRZ_U);
    double inverse[9], error, norm = 0;
    if (!matrix_invert(linear, inverse, &error))
        return 0;
    for (int k = 0; k < 9; k++)
        norm += (fabs(inverse[k]) + error) * (fabs(inverse[k]) + error);
    return (1 - 32 * GRZ_U) / sqrt(norm);
}

/*
 * Whether no number in the distance kernels overflows; an infinite lower bound would prune near pairs. Transformed
 * coordinates are below X, the sum of the largest offset, r (the largest row sum of the matrix) and 2 for the other
 * side. Directions between boxes or triangles have coordinates up to 6 X, so heights along them and their differences
 * stay below 100 X^2, and squares of these below 2^14 X^4: X < 2^28 is enough. Normals of transformed triangles are
 * products of edges up to 2 r, 8 r^2 at most, differences of heights along them below 48 r^2 X, and squares below 2^12
 * r^4 X^2: r^2 X < 2^56 is enough.
 */
static bool squares_do_not_overflow(const grz_tree_transform *map)
{
    double farthest = 0, row_sum = 0;
    for (int i = 0; i < 3; i++)
    {
        const double *row = map->matrix[i];
        row_sum = matrix_larger(row_sum, fabs(row[0]) + fabs(row[1]) + fabs(row[2]));
        farthest = matrix_larger(farthest, fabs(map->offset[i]));
    }
    double extent = farthest + row_sum + map->error + 2;
    /* shortcut: squares-fit */
    return extent < 0x1p28 && row_sum * row_sum * extent < 0x1p56;
}

bool grz_distance_frame_make(grz_distance_frame *frame, const graze_placed_mesh *a, const graze_placed_mesh *b)
{
    const graze_tree *tree_a = a->tree, *tree_b = b->tree;
    grz_relative_pose there, back;
    grz_tree_transform to_b;
    if (tree_a == NULL || tree_b == NULL || !tree_a->usable || !tree_b->usable || tree_a->mesh->exponent != 0 ||
        tree_b->mesh->exponent != 0 || !grz_relative_pose_make_both(&a->pose, &b->pose, &there, &back) ||
        !grz_tree_transform_make(tree_a, tree_b, &there, &frame->to_a_exact) ||
        !grz_tree_transform_make(tree_b, tree_a, &back, &to_b) || !squares_do_not_overflow(&frame->to_a_exact) ||
        !squares_do_not_overflow(&to_b))
        return false;
    frame->unit = grz_least_singular_value(&a->pose) * tree_a->scale;
    frame->unit_b = grz_least_singular_value(&b->pose) * tree_b->scale;
    double ratio = frame->unit_b / frame->unit;
    /* Squares of coordinates, which stay below 2^28, times the factors do not overflow either. */
    if (!(frame->unit > 0x1p-300 && frame->unit < 0x1p300 && ratio > 0x1p-20 && ratio < 0x1p20))
        return false;
    frame->a = tree_a;
    frame->b = tree_b;
    frame->to_a = grz_tree_transform_to_float(&frame->to_a_exact);
    frame->to_b = grz_tree_transform_to_float(&to_b);
    /* The kernels require factors reduced by 2^-19; the excess covers the conversion to float. */
    /* shortcut: squared-distance-factor */
    frame->factor_a = (float)(1 - 0x1.4p-19);
    frame->factor_b = (float)(ratio * ratio * (1 - 0x1.4p-19));
    double squares = 0;
    for (int k = 0; k < 9; k++)
        squares += frame->to_a_exact.matrix[k / 3][k % 3] * frame->to_a_exact.matrix[k / 3][k % 3];
    frame->b_scale = (float)sqrt(squares / 3);
    return true;
}

void grz_proximity_search_run(grz_proximity_search *proximity, const graze_placed_mesh *a, const graze_placed_mesh *b)
{
    if (!grz_proximity_box(proximity, a, b) && !grz_proximity_trees(proximity, a, b) &&
        !grz_proximity_sphere(proximity, a, b))
        grz_proximity_aabbs(proximity, a, b);
}
