/* SPDX-License-Identifier: MIT */
/*
 * The oracle for points, polygons and bodies. Points and segments are degenerate triangles; point in polygon is decided
 * by a half-open ray; point in body by a ray whose direction is redrawn until it meets no edge.
 */
#include <stdlib.h>

#include "support/oracle_internal.h"

graze_feature oracle_point_in_triangle(oracle *judge, const graze_placed_point *point,
                                       const graze_placed_triangle *triangle)
{
    graze_placed_triangle degenerate = {{point->point, point->point, point->point}, point->pose};
    return oracle_triangle_triangle(judge, &degenerate, triangle).feature_b;
}

bool oracle_segment_meets_triangle(oracle *judge, const graze_placed_point segment[2],
                                   const graze_placed_triangle *triangle)
{
    lattice_begin(judge->grid);
    lattice_add(judge->grid, segment[0].point, segment[0].pose);
    lattice_add(judge->grid, segment[1].point, segment[1].pose);
    lattice_add(judge->grid, segment[1].point, segment[1].pose);
    for (int i = 0; i < 3; i++)
        lattice_add(judge->grid, triangle->corners[i], triangle->pose);
    lattice_align(judge->grid);
    return oracle_clip(judge)->count > 0;
}

static int orient2d(oracle *judge, vector3 a, vector3 b, vector3 c)
{
    vector_subtract(judge->u, b, a);
    vector_subtract(judge->v, c, a);
    mpz_mul(judge->s, judge->u[0], judge->v[1]);
    mpz_submul(judge->s, judge->u[1], judge->v[0]);
    return mpz_sgn(judge->s);
}

/* Whether c lies between a and b in both coordinates; for collinear points: on the segment. */
static bool in_box(vector3 a, vector3 b, vector3 c)
{
    for (int i = 0; i < 2; i++)
        if (mpz_cmp(c[i], a[i]) * mpz_cmp(c[i], b[i]) > 0)
            return false;
    return true;
}

graze_location oracle_point_in_polygon(oracle *judge, const double point[2], const double *points,
                                       const uint32_t *loop_sizes, size_t loop_count)
{
    size_t total = 0;
    for (size_t l = 0; l < loop_count; l++)
        total += loop_sizes[l];
    lattice *grid = lattice_create(total + 1);
    for (size_t i = 0; i < total; i++)
        lattice_add(grid, (double[3]){points[2 * i], points[2 * i + 1], 0.0}, NULL);
    lattice_add(grid, (double[3]){point[0], point[1], 0.0}, NULL);
    lattice_align(grid);

    vector3 *corners = grid->points, *query = &grid->points[total];
    bool boundary = false, inside = false;
    for (size_t l = 0; l < loop_count; corners += loop_sizes[l], l++)
        for (uint32_t i = 0; i < loop_sizes[l]; i++)
        {
            vector3 *a = &corners[i], *b = &corners[(i + 1) % loop_sizes[l]];
            int side = orient2d(judge, *a, *b, *query);
            if (side == 0 && in_box(*a, *b, *query))
                boundary = true;
            /* The ray to the right crosses an edge from not above to above it, with the point on its left, or the
             * reverse. */
            bool a_above = mpz_cmp((*a)[1], (*query)[1]) > 0, b_above = mpz_cmp((*b)[1], (*query)[1]) > 0;
            if (a_above != b_above && side == (b_above ? 1 : -1))
                inside = !inside;
        }
    lattice_destroy(grid);
    if (boundary)
        return GRAZE_LOCATION_BOUNDARY;
    return inside ? GRAZE_LOCATION_INSIDE : GRAZE_LOCATION_OUTSIDE;
}

static graze_placed_triangle triangle_of(const oracle_mesh *mesh, size_t index)
{
    graze_placed_triangle triangle = {{NULL, NULL, NULL}, mesh->pose};
    for (int i = 0; i < 3; i++)
        triangle.corners[i] = &mesh->vertices[3 * (size_t)mesh->triangles[3 * index + (size_t)i]];
    return triangle;
}

void oracle_mesh_contacts(oracle *judge, const oracle_mesh *a, const oracle_mesh *b, graze_triangle_contact *matrix)
{
    for (size_t i = 0; i < a->triangle_count; i++)
        for (size_t j = 0; j < b->triangle_count; j++)
        {
            graze_placed_triangle first = triangle_of(a, i), second = triangle_of(b, j);
            matrix[i * b->triangle_count + j] = oracle_triangle_triangle(judge, &first, &second);
        }
}

/* How the ray from x[3] crosses the triangle x[0..2]: 1 out through its front, -1 in, 0 not at all, 2 retry with
 * another direction. No ray in general direction crosses a triangle without area. */
static int cross_ray(oracle *judge, vector3 *x, vector3 direction)
{
    vector_subtract(judge->u, x[1], x[0]);
    vector_subtract(judge->v, x[2], x[0]);
    vector_cross(judge->normal, judge->u, judge->v);
    if (vector_is_zero(judge->normal))
        return 0;
    int sides[3];
    for (int i = 0; i < 3; i++)
    {
        vector_subtract(judge->u, x[i], x[3]);
        vector_subtract(judge->v, x[(i + 1) % 3], x[3]);
        vector_cross(judge->w, judge->u, judge->v);
        vector_dot(judge->s, judge->w, direction);
        sides[i] = mpz_sgn(judge->s);
    }
    bool left = sides[0] > 0 || sides[1] > 0 || sides[2] > 0, right = sides[0] < 0 || sides[1] < 0 || sides[2] < 0;
    if (left && right)
        return 0;
    if (sides[0] == 0 || sides[1] == 0 || sides[2] == 0)
        return 2;
    vector_dot(judge->s, judge->normal, direction);
    vector_subtract(judge->u, x[0], x[3]);
    vector_dot(judge->t, judge->normal, judge->u);
    int ahead = mpz_sgn(judge->s) * mpz_sgn(judge->t);
    return ahead > 0 ? mpz_sgn(judge->s) : 0;
}

/* The sum of signed crossings (or their count, if not oriented) along one ray; false when the ray is singular. */
static bool count_crossings(oracle *judge, const oracle_mesh *mesh, bool oriented, const graze_placed_point *point,
                            vector3 direction, long *out_sum)
{
    long sum = 0;
    for (size_t i = 0; i < mesh->triangle_count; i++)
    {
        graze_placed_triangle triangle = triangle_of(mesh, i);
        lattice_begin(judge->grid);
        for (int c = 0; c < 3; c++)
            lattice_add(judge->grid, triangle.corners[c], triangle.pose);
        lattice_add(judge->grid, point->point, point->pose);
        lattice_align(judge->grid);
        int crossing = cross_ray(judge, judge->grid->points, direction);
        if (crossing == 2)
            return false;
        sum += oriented ? crossing : labs(crossing);
    }
    *out_sum = sum;
    return true;
}

graze_location oracle_placed_point_in_body(oracle *judge, const oracle_mesh *mesh, bool oriented,
                                           const graze_placed_point *point, test_random *random)
{
    for (size_t i = 0; i < mesh->triangle_count; i++)
    {
        graze_placed_triangle triangle = triangle_of(mesh, i);
        if (oracle_point_in_triangle(judge, point, &triangle) != GRAZE_FEATURE_NONE)
            return GRAZE_LOCATION_BOUNDARY;
    }
    vector3 direction;
    vector_init(direction);
    long sum = 0;
    do
    {
        for (int c = 0; c < 3; c++)
            mpz_set_si(direction[c], (long)(random_next(random) >> 24) - (1L << 39));
    } while (!count_crossings(judge, mesh, oriented, point, direction, &sum));
    vector_clear(direction);
    bool inside = oriented ? sum != 0 : sum % 2 != 0;
    return inside ? GRAZE_LOCATION_INSIDE : GRAZE_LOCATION_OUTSIDE;
}

graze_location oracle_point_in_body(oracle *judge, const oracle_mesh *mesh, bool oriented, const double point[3],
                                    test_random *random)
{
    graze_placed_point placed = {point, NULL};
    return oracle_placed_point_in_body(judge, mesh, oriented, &placed, random);
}
