/* SPDX-License-Identifier: MIT */
/*
 * The intersection of two triangles as points, constructed from the symbolic points of contact.h.
 *
 * Every coordinate is a quotient of integers (Cramer's rule) and is rounded once, to nearest. So the same real point
 * gives the same double however it is constructed. Of all cyclic orders of the corners, in both directions, the
 * lexicographically lowest is reported, which makes the answer symmetric.
 */
#include <string.h>

#include "exact/contact.h"

/* Storage for the numbers of one point. */
typedef struct workspace
{
    uint64_t weight_limbs[2][GRZ_DETERMINANT_LIMBS];
    uint64_t sum_limbs[GRZ_DETERMINANT_LIMBS + 1];
    uint64_t coordinate_limbs[GRZ_COORDINATE_LIMBS];
    uint64_t numerator_limbs[GRZ_QUOTIENT_LIMBS], product_limbs[GRZ_QUOTIENT_LIMBS];
} workspace;

static void construct_corner(grz_points *points, int corner, double out[3])
{
    uint64_t coordinate_limbs[GRZ_COORDINATE_LIMBS], one_limb = 1;
    grz_integer coordinate = {coordinate_limbs, 0, 0}, one = {&one_limb, 1, 1};
    for (int axis = 0; axis < 3; axis++)
    {
        grz_exact_coordinate(points, corner, axis, &coordinate);
        out[axis] = grz_integer_quotient(&coordinate, &one, points->exponents[axis]);
    }
}

/* The point between e0 and e1 whose signed distances from them have the ratio near : far: (far e0 - near e1) / (far -
   near). */
static void construct_between(grz_points *points, int e0, int e1, workspace *w, const grz_integer *near_weight,
                              const grz_integer *far_weight, double out[3])
{
    grz_integer sum = {w->sum_limbs, 0, 0}, coordinate = {w->coordinate_limbs, 0, 0};
    grz_integer numerator = {w->numerator_limbs, 0, 0}, product = {w->product_limbs, 0, 0};
    grz_integer_accumulate(&sum, far_weight, false);
    grz_integer_accumulate(&sum, near_weight, true);
    for (int axis = 0; axis < 3; axis++)
    {
        grz_exact_coordinate(points, e0, axis, &coordinate);
        grz_integer_multiply(&numerator, &coordinate, far_weight);
        grz_exact_coordinate(points, e1, axis, &coordinate);
        grz_integer_multiply(&product, &coordinate, near_weight);
        grz_integer_accumulate(&numerator, &product, true);
        out[axis] = grz_integer_quotient(&numerator, &sum, points->exponents[axis]);
    }
}

/* The two corners of an edge's mask, as point indices. */
static void edge_corners(unsigned mask, int first, int corners[2])
{
    corners[0] = first + ((mask & 1) != 0 ? 0 : 1);
    corners[1] = first + ((mask & 4) != 0 ? 2 : 1);
}

static void construct_piercing(grz_points *points, const int edge[2], int face, double out[3])
{
    workspace w;
    grz_integer near_weight = {w.weight_limbs[0], 0, 0}, far_weight = {w.weight_limbs[1], 0, 0};
    grz_exact_orient3d(points, face, face + 1, face + 2, edge[0], &near_weight);
    grz_exact_orient3d(points, face, face + 1, face + 2, edge[1], &far_weight);
    construct_between(points, edge[0], edge[1], &w, &near_weight, &far_weight, out);
}

static void construct_crossing(grz_points *points, const int a[2], const int b[2], double out[3])
{
    workspace w;
    grz_integer near_weight = {w.weight_limbs[0], 0, 0}, far_weight = {w.weight_limbs[1], 0, 0};
    /* The corners of a lie on different sides of b's line in any projection that keeps their plane two-dimensional. */
    for (int axis = 0; axis < 3; axis++)
    {
        grz_exact_orient2d(points, b[0], b[1], a[0], axis, &near_weight);
        if (near_weight.sign == 0)
            continue;
        grz_exact_orient2d(points, b[0], b[1], a[1], axis, &far_weight);
        break;
    }
    construct_between(points, a[0], a[1], &w, &near_weight, &far_weight, out);
}

static bool is_corner(unsigned mask)
{
    return (mask & (mask - 1)) == 0;
}

static int corner_index(unsigned mask)
{
    return mask == 1 ? 0 : mask == 2 ? 1 : 2;
}

static void construct(grz_points *points, unsigned mask_a, unsigned mask_b, double out[3])
{
    int edge_a[2], edge_b[2];
    edge_corners(mask_a, 0, edge_a);
    edge_corners(mask_b, 3, edge_b);
    if (is_corner(mask_a))
        construct_corner(points, corner_index(mask_a), out);
    else if (is_corner(mask_b))
        construct_corner(points, 3 + corner_index(mask_b), out);
    else if (mask_b == GRZ_WHOLE_TRIANGLE)
        construct_piercing(points, edge_a, 3, out);
    else if (mask_a == GRZ_WHOLE_TRIANGLE)
        construct_piercing(points, edge_b, 0, out);
    else
        construct_crossing(points, edge_a, edge_b, out);
}

/* Whether two corners of a polygon are neighbours: they lie on one edge of A or on one of B, and each such line holds
   exactly two of the polygon's corners. */
static bool adjacent(const grz_contact_set *set, int i, int j)
{
    return (set->mask_a[i] | set->mask_a[j]) != GRZ_WHOLE_TRIANGLE ||
           (set->mask_b[i] | set->mask_b[j]) != GRZ_WHOLE_TRIANGLE;
}

/* Rank of a number in the order of doubles, by its bits: a comparison would take denormals for 0 when they are
   flushed. */
static int64_t order_rank(double value)
{
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits < 0 ? INT64_MIN - bits - 1 : bits;
}

static int compare_points(const double a[3], const double b[3])
{
    for (int k = 0; k < 3; k++)
    {
        int64_t place_a = order_rank(a[k]), place_b = order_rank(b[k]);
        if (place_a != place_b)
            return place_a < place_b ? -1 : 1;
    }
    return 0;
}

/* The corners in cyclic order, from the first one on in either direction. */
static void walk_around(const grz_contact_set *set, int path[GRZ_CONTACT_POINTS_MAX])
{
    bool used[GRZ_CONTACT_POINTS_MAX] = {true};
    path[0] = 0;
    for (int step = 1; step < set->count; step++)
    {
        int next = -1;
        for (int i = 1; i < set->count; i++)
        {
            if (!used[i] && (next < 0 || adjacent(set, path[step - 1], i)))
                next = i;
        }
        path[step] = next;
        used[next] = true;
    }
}

/* The corner at `step` of the walk that starts at `start` and goes forward (1) or backward (-1). */
static int corner_of_walk(const int *path, int count, int start, int direction, int step)
{
    return path[(start + direction * step + count) % count];
}

/* Of all walks around the polygon, the lexicographically lowest. Rounding may make corners equal, so that no single
   corner is a safe start for swapped arguments too; the lowest list is the same for both. */
static void lowest_walk(const int *path, int count, double (*found)[3], int *out_start, int *out_direction)
{
    *out_start = 0;
    *out_direction = 1;
    for (int start = 0; start < count; start++)
    {
        for (int direction = -1; direction <= 1; direction += 2)
        {
            int order = 0;
            for (int step = 0; step < count && order == 0; step++)
                order = compare_points(found[corner_of_walk(path, count, start, direction, step)],
                                       found[corner_of_walk(path, count, *out_start, *out_direction, step)]);
            if (order < 0)
            {
                *out_start = start;
                *out_direction = direction;
            }
        }
    }
}

void grz_intersection_order(const grz_contact_set *set, double (*found)[3], graze_intersection *out)
{
    int path[GRZ_CONTACT_POINTS_MAX] = {0, 1}, start = 0, direction = 1;
    if (set->count > 2)
    {
        walk_around(set, path);
        lowest_walk(path, set->count, found, &start, &direction);
    }
    else if (set->count == 2)
        start = compare_points(found[1], found[0]) < 0;
    out->count = set->count;
    for (int i = 0; i < set->count; i++)
        memcpy(out->points[i], found[corner_of_walk(path, set->count, start, direction, i)], sizeof found[0]);
}

graze_intersection graze_triangle_intersection(const graze_placed_triangle *a, const graze_placed_triangle *b)
{
    if (!grz_triangle_given(a) || !grz_triangle_given(b))
        return (graze_intersection){0};
    graze_intersection result = {0, {{0}}};
    grz_points points;
    grz_points_start(&points, NULL);
    for (int i = 0; i < 6; i++)
        grz_points_add(&points, i < 3 ? a->corners[i] : b->corners[i - 3], i < 3 ? a->pose : b->pose);
    grz_contact_set set;
    grz_contact_general(&points, &set);
    if (set.count == 0)
        return result;
    grz_points_make_exact(&points);
    double found[GRZ_CONTACT_POINTS_MAX][3];
    for (int i = 0; i < set.count; i++)
        construct(&points, set.mask_a[i], set.mask_b[i], found[i]);
    grz_intersection_order(&set, found, &result);
    return result;
}
