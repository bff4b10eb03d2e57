/* SPDX-License-Identifier: MIT */
/*
 * Upper bounds of the distance of a cell's points to a surface; see simplex_search.h.
 *
 * The distance to one triangle is a convex function, so over a simplex it is at most the affine function with its
 * values at the vertices; and no point is farther from the surface than from that triangle. So the distance to the
 * surface is at most the lowest of such affine functions, one per triangle, and at most any mixture of them (with
 * factors >= 0 of sum 1), whose largest value is taken at a vertex. The best mixture is that of a matrix game: rows are
 * triangles, columns are vertices. One triangle suffices where all vertices have the same nearest one; around the axis
 * of a cylinder two that face one another do, where each alone exceeds the distance by the size of the cell.
 */
#include "pair/depth/simplex_search.h"

#include <string.h>

enum
{
    MIXING_STEPS = 12
};

/* ---- matrix games ---- */

static double largest(const double *row, size_t count)
{
    double most = row[0];
    for (size_t k = 1; k < count; k++)
        most = row[k] > most ? row[k] : most;
    return most;
}

/* The share of `other` in its mixture with `row` whose largest entry is the least. The largest entry is a convex,
   piecewise affine function of the share: its minimum is at an end or where two entries are equal. */
static double best_share(const double *row, const double *other, size_t count)
{
    double best = 0, least = largest(row, count);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++)
        {
            double now = row[i] - row[k], change = (other[i] - other[k]) - now, share = -now / change;
            if (!(share > 0 && share <= 1))
                continue;
            double most = 0;
            for (size_t j = 0; j < count; j++)
                most = fmax(most, (1 - share) * row[j] + share * other[j]);
            if (most < least)
            {
                least = most;
                best = share;
            }
        }
    return best;
}

double grz_game_value(size_t row_count, double (*rows)[4], size_t column_count)
{
    size_t best = 0;
    for (size_t i = 1; i < row_count; i++)
        best = largest(rows[i], column_count) < largest(rows[best], column_count) ? i : best;
    double mixture[4], value = largest(rows[best], column_count);
    memcpy(mixture, rows[best], sizeof mixture);
    for (int step = 0; step < MIXING_STEPS && row_count > 1; step++)
    {
        size_t most = 0, lowest = 0;
        for (size_t k = 1; k < column_count; k++)
            most = mixture[k] > mixture[most] ? k : most;
        for (size_t i = 1; i < row_count; i++)
            lowest = rows[i][most] < rows[lowest][most] ? i : lowest;
        double share = best_share(mixture, rows[lowest], column_count);
        if (!(share > 0))
            break;
        for (size_t k = 0; k < column_count; k++)
            mixture[k] = (1 - share) * mixture[k] + share * rows[lowest][k];
        double before = value;
        value = fmin(value, largest(mixture, column_count));
        if (!(value < before * (1 - 0x1p-10)))
            break;
    }
    /* Factors of sum 1 and products: four roundings a step, in any rounding mode. */
    return value * (1 + 8 * MIXING_STEPS * GRZ_U);
}

/* ---- cells ---- */

static v3 unit(v3 a)
{
    double length = v3_length(a);
    return length > 0 ? v3_scale(1 / length, a) : v3_make(0, 0, 0);
}

/* The unit vector in the plane of a triangle that leads from an edge of it, from a to b, to the third corner. */
static v3 inward(v3 a, v3 b, v3 third)
{
    v3 edge = v3_sub(b, a), to_third = v3_sub(third, a);
    double square = v3_dot(edge, edge);
    return unit(v3_sub(to_third, v3_scale(square > 0 ? v3_dot(to_third, edge) / square : 0, edge)));
}

static bool are_equal(v3 a, v3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* Per vertex, by how much it is farther from one triangle than from another. Two triangles with a common edge are
   equally far from the points of the plane that bisects their angle: heights above that plane. */
static void compare_triangles(const grz_simplex_space *space, const grz_simplex *cell, const grz_surface *surface,
                              const v3 first[3], const v3 second[3], double out_values[4])
{
    int common = 0, third = 0, other_third = 0;
    bool shared[3] = {false, false, false};
    v3 ends[2];
    for (int i = 0; i < 3; i++)
    {
        int equal = -1;
        for (int k = 0; k < 3; k++)
            equal = are_equal(first[i], second[k]) && !shared[k] ? k : equal;
        if (equal >= 0 && common < 2)
            ends[common] = first[i];
        else
            third = i;
        if (equal >= 0)
            shared[equal] = true;
        common += equal >= 0;
    }
    for (int k = 0; k < 3; k++)
        other_third = shared[k] ? other_third : k;
    if (common == 2)
    {
        v3 normal = v3_sub(inward(ends[0], ends[1], second[other_third]), inward(ends[0], ends[1], first[third]));
        for (int k = 0; k < grz_simplex_size(cell); k++)
            out_values[k] = v3_dot(normal, v3_sub(grz_simplex_corner(space, cell, k), ends[0]));
        return;
    }
    for (int k = 0; k < grz_simplex_size(cell); k++)
        out_values[k] = grz_distance_to_triangle(surface, first, grz_simplex_corner(space, cell, k)) -
                        grz_distance_to_triangle(surface, second, grz_simplex_corner(space, cell, k));
}

/* Sets `out_values` for grz_simplex_distance_bound. */
static void compare_rows(const grz_simplex_space *space, const grz_simplex *cell, int side, uint32_t triangle,
                         int farthest, double out_values[4])
{
    v3 corners[3], other[3];
    grz_surface_corners(&space->surfaces[side], triangle, corners);
    grz_surface_corners(&space->surfaces[side], space->vertices.data[cell->vertices[farthest]].nearest[side].triangle,
                        other);
    compare_triangles(space, cell, &space->surfaces[side], corners, other, out_values);
}

double grz_simplex_distance_bound(grz_simplex_space *space, const grz_simplex *cell, int side, double out_values[4])
{
    int size = grz_simplex_size(cell), farthest = 0;
    uint32_t triangles[4], best_triangle = 0;
    double rows[4][4], best = INFINITY;
    size_t row_count = 0;
    for (int i = 0; i < size; i++)
    {
        uint32_t triangle = grz_simplex_vertex_measured(space, cell->vertices[i], side)->nearest[side].triangle;
        bool known = false;
        for (size_t k = 0; k < row_count; k++)
            known = known || triangles[k] == triangle;
        if (known)
            continue;
        v3 corners[3];
        grz_surface_corners(&space->surfaces[side], triangle, corners);
        int at = 0;
        for (int k = 0; k < size; k++)
        {
            v3 vertex = grz_simplex_corner(space, cell, k);
            rows[row_count][k] = grz_distance_to_triangle(&space->surfaces[side], corners, vertex);
            at = rows[row_count][k] > rows[row_count][at] ? k : at;
        }
        if (rows[row_count][at] < best)
        {
            best = rows[row_count][at];
            best_triangle = triangle;
            farthest = at;
        }
        triangles[row_count++] = triangle;
    }
    if (out_values != NULL)
        compare_rows(space, cell, side, best_triangle, farthest, out_values);
    return grz_game_value(row_count, rows, (size_t)size) + grz_simplex_error(space, cell);
}
