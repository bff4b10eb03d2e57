/* SPDX-License-Identifier: MIT */
/*
 * Triangles of one tree against boxes of another by the products of their edges; part of kernels_template.h.
 *
 * A triangle and a box share no point exactly when one of thirteen directions parts them: the box's three axes, the
 * triangle's normal, and the nine products of an axis and an edge (Akenine-Moller, Fast 3D triangle-box overlap
 * testing, 2001). The comparison of boxes with slabs knows the first four; these are the nine. They matter for
 * triangles that are long, or large beside the boxes.
 *
 * Any direction may be tried, so that it does not matter what an edge is off by: its computed numbers e are taken as
 * they are. Across axis k, with p and q the next two, a point has the height h(x) = e_p x_q - e_q x_p. In any rounding
 * mode a float operation is off by at most f = 2^-23 of its result. Off are then:
 *   a corner's coordinates, by the map's margin and what the grid is off by, mapped: |row|_1 GRZ_GRID_ERROR unit;
 *   its height by that times |e_p| + |e_q|, and by 5 f |x| (|e_p| + |e_q|) for roundings, where the map's margin is
 *     more than 20 f |x|; both ends of an edge have one height up to 2 f |e_p| |e_q|, and |e| <= 2 |x|;
 *   a box, of coordinates up to 1 in magnitude, by 2 f for its centre and half size; in the sum of the middle and the
 *     four products four are rounded, 2 f, unless they are fused, and four sums of up to 1 + |x|, 4 f (1 + |x|): all
 *     times |e_p| + |e_q|.
 * So 8 f of the 16 f that are added are used up, and 9 f |x| of the margin that is added once more.
 * Products may underflow, which costs less than 2^-118 in all.
 */
#include "simd/kernels.h"
#include "simd/many.h"

/* Corners in the other frame. */
static inline void map_corners(const grz_triangles8 *leaf, const grz_float_map *there, lanes out[3][3])
{
    lanes unit = lanes_fill(leaf->unit);
    for (int c = 0; c < 3; c++)
    {
        lanes x[3];
        for (int k = 0; k < 3; k++)
            x[k] = lanes_mul_add(unit, lanes_load_short(leaf->corners[c][k]), lanes_fill(leaf->centre[k]));
        for (int k = 0; k < 3; k++)
        {
            lanes y = lanes_fill(there->offset[k]);
            for (int j = 0; j < 3; j++)
                y = lanes_mul_add(lanes_fill(there->matrix[k][j]), x[j], y);
            out[c][k] = y;
        }
    }
}

static void facet_edges_kernel(const grz_triangles8 *leaf, const grz_float_map *there, grz_edges8 *out)
{
    lanes corners[3][3], half = lanes_fill(0.5f);
    map_corners(leaf, there, corners);
    float largest = 0;
    for (int k = 0; k < 3; k++)
    {
        float row_sum = 0;
        for (int j = 0; j < 3; j++)
            row_sum += there->matrix[k][j] < 0 ? -there->matrix[k][j] : there->matrix[k][j];
        float off = there->margin[k] + 1.01f * GRZ_GRID_ERROR * row_sum * leaf->unit;
        lanes lower = lanes_min(lanes_min(corners[0][k], corners[1][k]), corners[2][k]);
        lanes upper = lanes_max(lanes_max(corners[0][k], corners[1][k]), corners[2][k]);
        lanes_store(out->lower[k], lanes_sub(lower, lanes_fill(off)));
        lanes_store(out->upper[k], lanes_add(upper, lanes_fill(off)));
        off += there->margin[k];
        largest = off > largest ? off : largest;
    }
    /* shortcut: edges-and-boxes */
    lanes off = lanes_fill(largest + 16 * 0x1p-23f);
    for (int c = 0; c < 3; c++)
    {
        const lanes *from = corners[c], *third = corners[(c + 2) % 3];
        lanes edge[3];
        for (int k = 0; k < 3; k++)
        {
            edge[k] = lanes_sub(corners[(c + 1) % 3][k], from[k]);
            lanes_store(out->edges[c][k], edge[k]);
        }
        for (int k = 0; k < 3; k++)
        {
            int p = (k + 1) % 3, q = (k + 2) % 3;
            lanes one = lanes_mul_sub(edge[p], from[q], lanes_mul(edge[q], from[p]));
            lanes other = lanes_mul_sub(edge[p], third[q], lanes_mul(edge[q], third[p]));
            lanes size = lanes_add(lanes_abs(edge[p]), lanes_abs(edge[q]));
            lanes width = lanes_mul_add(off, size, lanes_fill(0x1p-118f));
            width = lanes_mul_add(half, lanes_abs(lanes_sub(one, other)), width);
            lanes_store(out->middle[c][k], lanes_mul(half, lanes_add(one, other)));
            lanes_store(out->width[c][k], width);
        }
    }
}

static inline many_truth bounds_meet(const grz_edges8 *triangles, rows r, const many lower[3], const many upper[3])
{
    many_truth meet = many_le(many_fill(0.0f), many_fill(0.0f));
    for (int k = 0; k < 3; k++)
    {
        meet = many_and(meet, many_le(lower[k], many_spread(triangles->upper[k], r)));
        meet = many_and(meet, many_le(many_spread(triangles->lower[k], r), upper[k]));
    }
    return meet;
}

/* The lanes whose boxes meet triangles across one edge. */
static inline many_truth edge_meets(const grz_edges8 *triangles, rows r, int c, const many centre[3],
                                    const many half[3])
{
    many edge[3], size[3];
    many_truth meet = many_le(many_fill(0.0f), many_fill(0.0f));
    for (int k = 0; k < 3; k++)
    {
        edge[k] = many_spread(triangles->edges[c][k], r);
        size[k] = many_abs(edge[k]);
    }
    for (int k = 0; k < 3; k++)
    {
        int p = (k + 1) % 3, q = (k + 2) % 3;
        many height = many_mul_sub(edge[p], centre[q], many_spread(triangles->middle[c][k], r));
        many away = many_abs(many_sub_mul(height, edge[q], centre[p]));
        many gap = many_sub_mul(many_sub_mul(away, size[p], half[q]), size[q], half[p]);
        meet = many_and(meet, many_le(gap, many_spread(triangles->width[c][k], r)));
    }
    return meet;
}

static uint64_t edges_kernel(const grz_edges8 *triangles, uint64_t pairs, const grz_boxes8 *boxes)
{
    many lower[3], upper[3], centre[3], half[3], one_half = many_fill(0.5f);
    unsigned left = 0;
    for (int k = 0; k < 3; k++)
    {
        lower[k] = many_load(boxes->lower[k]);
        upper[k] = many_load(boxes->upper[k]);
        centre[k] = many_mul(one_half, many_add(lower[k], upper[k]));
        half[k] = many_mul(one_half, many_sub(upper[k], lower[k]));
    }
    for (unsigned row = 0; row < GRZ_LANES; row++)
        left |= (unsigned)((pairs >> GRZ_LANES * row & 0xff) != 0) << row;
    uint64_t meet = 0;
    while (left != 0)
    {
        unsigned present;
        rows r = rows_take(&left, 0xff, &present);
        many_truth given = bounds_meet(triangles, r, lower, upper);
        given = many_and(given, edge_meets(triangles, r, 0, centre, half));
        given = many_and(given, edge_meets(triangles, r, 1, centre, half));
        given = many_and(given, edge_meets(triangles, r, 2, centre, half));
        meet |= rows_place(r, many_bits(given) & present);
    }
    return pairs & meet;
}
