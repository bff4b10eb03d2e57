/* SPDX-License-Identifier: MIT */
/*
 * Support functions from tables; see support_table.h.
 *
 * Support functions are convex and positively homogeneous. So where q is a sum of grid points p_i with weights w_i >=
 * 0, h(q) <= sum w_i h(p_i); and on a side of the cube every point is a sum of the four corners of its cell, with the
 * weights of bilinear interpolation. For a ball the bound is 1.6 % too large at most. Its gradient approximates the
 * support point.
 *
 * u = GRZ_U bounds one rounding in any mode.
 */
#include "pair/support_table.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "math/interval.h"
#include "mesh/mesh.h"
#include "pair/separating_plane.h"
#include "pair/world_tree.h"

#define CELLS GRZ_SUPPORT_CELLS
#define SMALLEST_RADIUS 0x1p-90
#define LARGEST_RADIUS 0x1p90
#define SMALLEST_ENTRY 0x1p-120 /* smaller floats may be flushed to 0 */

/*
 * An entry of the table: the height of the support point above the centre. Products and sums of a height, and of the
 * centre's, have an error of 4 u times the sum of sizes |p_k| |v_k| <= size each, their difference u times 2 size.
 */
static float entry_of(const graze_tree *tree, const double direction[3], double size, uint32_t *vertex)
{
    double highest =
        grz_tree_support(tree, direction, 0, vertex); /* the search starts at the support vertex of the entry before */
    double height = highest - grz_normal_dot(direction, tree->mesh->centre) + 16 * GRZ_U * size;
    if (fabs(height) < SMALLEST_ENTRY)
        height = SMALLEST_ENTRY;
    float entry = (float)height;
    /* shortcut: support-table */
    return (double)entry < height ? nextafterf(entry, INFINITY) : entry;
}

/* The grid point i, k of a side; side = 2 axis, plus 1 where that coordinate is -1. */
static void grid_point(int side, int i, int k, double out_point[3])
{
    int axis = side / 2;
    out_point[axis] = side % 2 == 0 ? 1 : -1;
    out_point[(axis + 1) % 3] = (double)i * (2.0 / CELLS) - 1;
    out_point[(axis + 2) % 3] = (double)k * (2.0 / CELLS) - 1;
}

bool grz_support_table_make(const graze_tree *tree, grz_support_table *out_table)
{
    const graze_mesh *mesh = tree->mesh;
    double size = 0;
    for (int axis = 0; axis < 3; axis++)
        size += fmax(fabs(mesh->lower[axis]), fabs(mesh->upper[axis])) + fabs(mesh->centre[axis]) +
                fabs(tree->origin[axis]) + 2 * tree->scale;
    if (!tree->usable || mesh->exponent != 0 || tree->node_count == 0 ||
        !(mesh->radius > SMALLEST_RADIUS && size < LARGEST_RADIUS))
        return false;
    uint32_t vertex = mesh->triangles[0];
    double direction[3];
    out_table->identity = mesh->identity;
    out_table->radius = mesh->radius;
    for (int side = 0; side < 6; side++)
        for (int i = 0; i <= CELLS; i++)
            for (int k = 0; k <= CELLS; k++)
            {
                grid_point(side, i, k, direction);
                out_table->table[side][i][k] = entry_of(tree, direction, size, &vertex);
            }
    return true;
}

/* The cell of a coordinate |x| <= 1 on a side of the cube, and the position in the cell. */
static inline int cell_of(double x, double *out_share)
{
    double place = (x + 1) * (CELLS / 2);
    int cell = (int)place;
    cell = cell < CELLS - 1 ? cell : CELLS - 1;
    *out_share = place - cell; /* exact */
    return cell;
}

/* The interpolated support of a point on a side of the cube whose other coordinates are x and y, and its derivatives.
 */
static inline double interpolate_support(const grz_support_table *support, int side, double x, double y, double *out_x,
                                         double *out_y)
{
    double a, b;
    int i = cell_of(x, &a), k = cell_of(y, &b);
    const float *low = &support->table[side][i][k], *high = &support->table[side][i + 1][k];
    double first = low[0] + a * ((double)high[0] - low[0]), second = low[1] + a * ((double)high[1] - low[1]);
    *out_x = (CELLS / 2) * ((1 - b) * ((double)high[0] - low[0]) + b * ((double)high[1] - low[1]));
    *out_y = (CELLS / 2) * (second - first);
    return first + b * (second - first);
}

/*
 * direction . (R v + t) - direction . (R c + t) = q . (v - c) with q = R^T direction, and |v - c| <= radius. Let S be
 * the sum of all |R_ij d_i|, m the largest |q_j|.
 *   - q_j is computed with an error of 4 u of its terms' sizes, 4 u S in all.
 *   - Cell and position stand for a point of the cube that differs by 4 u in two coordinates, 8 u m in all, from q / m:
 *     one rounding each for the quotient, for + 1 and for its use.
 *   - Interpolation has 4 roundings of entries and their differences, no larger than 4 radius: 16 u m radius.
 * As m <= S (1 + 4 u), 40 u S radius cover all, with the roundings of the code below. Underflow loses less than 2^-1000
 * times 2^90 as long as m is not that small itself.
 */
double grz_support_bound(const grz_placed_support *placed, const double direction[3], double out_point[3])
{
    const double *m = placed->pose->m, *d = direction;
    double q[3], sizes[3];
    for (int j = 0; j < 3; j++)
    {
        double x = m[j] * d[0], y = m[4 + j] * d[1], z = m[8 + j] * d[2];
        q[j] = x + y + z;
        sizes[j] = fabs(x) + fabs(y) + fabs(z);
    }
    int axis = fabs(q[0]) >= fabs(q[1]) ? 0 : 1;
    axis = fabs(q[axis]) >= fabs(q[2]) ? axis : 2;
    double largest = fabs(q[axis]), local[3];
    if (!(largest > 0x1p-200 && largest < 0x1p200))
        return INFINITY;
    int next = axis < 2 ? axis + 1 : 0, last = axis > 0 ? axis - 1 : 2;
    double x = q[next] / largest, y = q[last] / largest;
    double height = interpolate_support(placed->support, 2 * axis + (q[axis] < 0), x, y, &local[next], &local[last]);
    double rest = height - x * local[next] - y * local[last];
    local[axis] = q[axis] < 0 ? -rest : rest;
    for (int i = 0; i < 3; i++)
        out_point[i] = grz_normal_dot(m + 4 * i, local);
    return largest * height + (40 * GRZ_U * placed->support->radius * (sizes[0] + sizes[1] + sizes[2]) + 0x1p-700);
}

static double table_support(const void *placed, const double direction[3], double out_point[3])
{
    return grz_support_bound(placed, direction, out_point);
}

bool grz_find_separating_plane(const grz_placed_support *a, const grz_placed_support *b, unsigned tries,
                               double direction[3])
{
    grz_supported side_a = {a, a->centre, a->error}, side_b = {b, b->centre, b->error};
    if (direction[0] == 0 && direction[1] == 0 && direction[2] == 0)
        for (int k = 0; k < 3; k++)
            direction[k] = b->centre[k] - a->centre[k];
    return grz_search_separating_plane(&side_a, &side_b, table_support, 0, tries, direction);
}
