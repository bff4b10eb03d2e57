/* SPDX-License-Identifier: MIT */
/* The oracle of placed shapes; see oracle_shapes.h. */
#include "support/oracle_shapes.h"

#include <math.h>
#include <stdlib.h>

#include "support/lattice.h"
#include "support/oracle_distance.h"

void core_distance_init(core_distance *distance)
{
    mpq_init(distance->square);
}

void core_distance_clear(core_distance *distance)
{
    mpq_clear(distance->square);
}

static graze_placed_triangle triangle_of(const graze_placed *placed, size_t triangle)
{
    const graze_mesh *mesh = graze_shape_mesh(placed->shape);
    graze_placed_triangle t = {.pose = &placed->pose};
    for (size_t c = 0; c < 3; c++)
        t.corners[c] = graze_mesh_vertices(mesh) + 3 * (size_t)graze_mesh_triangles(mesh)[3 * triangle + c];
    return t;
}

/* The placed corners in doubles, to skip pairs that are far apart by a wide margin. */
typedef struct rough_triangle
{
    double corners[3][3], normal[3], size;
} rough_triangle;

static rough_triangle rough_of(const graze_placed *placed, size_t triangle)
{
    rough_triangle out = {.size = 0};
    graze_placed_triangle t = triangle_of(placed, triangle);
    for (int c = 0; c < 3; c++)
        graze_pose_apply(t.pose, t.corners[c], out.corners[c]);
    for (int k = 0; k < 3; k++)
    {
        int u = (k + 1) % 3, v = (k + 2) % 3;
        const double(*p)[3] = (const double(*)[3])out.corners;
        out.normal[k] = (p[1][u] - p[0][u]) * (p[2][v] - p[0][v]) - (p[1][v] - p[0][v]) * (p[2][u] - p[0][u]);
        for (int c = 0; c < 3; c++)
            out.size = fmax(out.size, fabs(p[c][k]));
    }
    return out;
}

/* The gap along a direction; 0 where it has no length. */
static double gap_along(const rough_triangle *a, const rough_triangle *b, const double d[3])
{
    double lower[2] = {INFINITY, INFINITY}, upper[2] = {-INFINITY, -INFINITY};
    double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    if (!(length > 0 && length < INFINITY))
        return 0;
    for (int c = 0; c < 6; c++)
    {
        const double *p = c < 3 ? a->corners[c] : b->corners[c - 3];
        double height = (p[0] * d[0] + p[1] * d[1] + p[2] * d[2]) / length;
        lower[c / 3] = fmin(lower[c / 3], height);
        upper[c / 3] = fmax(upper[c / 3], height);
    }
    return fmax(lower[0] - upper[1], lower[1] - upper[0]);
}

/* About a lower bound of the distance: axes, diagonals, and the normals of both. */
static double rough_gap(const rough_triangle *a, const rough_triangle *b)
{
    double gap = fmax(gap_along(a, b, a->normal), gap_along(a, b, b->normal));
    for (int n = 1; n < 27; n++)
    {
        const double d[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
        if (n > 13)
            gap = fmax(gap, gap_along(a, b, d));
    }
    return gap > 0 ? gap : 0;
}

/* About the root, of any size; 0 only of 0. */
static double rough_root(const mpq_t square)
{
    long over = 0, under = 0;
    double value = mpz_get_d_2exp(&over, mpq_numref(square)) / mpz_get_d_2exp(&under, mpq_denref(square));
    long power = over - under;
    if (value == 0)
        return 0;
    return fmax(ldexp(sqrt(power % 2 != 0 ? 2 * value : value), (int)((power - (power % 2 != 0)) / 2)), 0x1p-1074);
}

/* Whether a corner of each triangle of a core lies inside the other solid: all, as surfaces are apart. */
static bool lies_inside(oracle *judge, test_random *random, const graze_placed *inner, const graze_placed *outer)
{
    const graze_mesh *mesh = graze_shape_mesh(outer->shape);
    if (!graze_shape_is_solid(outer->shape) || graze_mesh_triangle_count(mesh) < 4) /* a core that is not closed */
        return false;
    oracle_mesh body = {graze_mesh_vertices(mesh), graze_mesh_triangles(mesh), graze_mesh_triangle_count(mesh),
                        &outer->pose};
    for (size_t t = 0; t < graze_mesh_triangle_count(graze_shape_mesh(inner->shape)); t++)
    {
        graze_placed_triangle triangle = triangle_of(inner, t);
        graze_placed_point corner = {triangle.corners[0], triangle.pose};
        if (oracle_placed_point_in_body(judge, &body, true, &corner, random) == GRAZE_LOCATION_INSIDE)
            return true;
        if (graze_shape_get_kind(inner->shape) != GRAZE_SHAPE_MESH)
            break; /* connected */
    }
    return false;
}

/* A pair of triangles, and about the least that they are apart. */
typedef struct near_pair
{
    size_t i, j;
    double gap, size;
} near_pair;

static int by_gap(const void *x, const void *y)
{
    double a = ((const near_pair *)x)->gap, b = ((const near_pair *)y)->gap;
    return (a > b) - (a < b);
}

/* All pairs, those with the smallest gap first, so that few need rationals. */
static near_pair *list_pairs(const graze_placed *a, const graze_placed *b, size_t count_a, size_t count_b)
{
    near_pair *pairs = malloc((count_a * count_b + 1) * sizeof *pairs);
    for (size_t n = 0; pairs != NULL && n < count_a * count_b; n++)
    {
        rough_triangle x = rough_of(a, n / count_b), y = rough_of(b, n % count_b);
        pairs[n] = (near_pair){n / count_b, n % count_b, rough_gap(&x, &y), x.size + y.size};
    }
    if (pairs != NULL)
        qsort(pairs, count_a * count_b, sizeof *pairs, by_gap);
    return pairs;
}

void oracle_cores(oracle *judge, test_random *random, const graze_placed *a, const graze_placed *b, core_distance *out)
{
    size_t count_a = graze_mesh_triangle_count(graze_shape_mesh(a->shape));
    size_t count_b = graze_mesh_triangle_count(graze_shape_mesh(b->shape));
    mpq_t square;
    double best = INFINITY;
    near_pair *pairs = list_pairs(a, b, count_a, count_b);
    mpq_init(square);
    out->empty = count_a == 0 || count_b == 0;
    out->nested = false;
    if (pairs == NULL)
        abort();
    for (size_t n = 0; n < count_a * count_b && best > 0; n++)
    {
        if (pairs[n].gap > best * 1.0001 + 1e-9 * pairs[n].size)
            continue;
        graze_placed_triangle x = triangle_of(a, pairs[n].i), y = triangle_of(b, pairs[n].j);
        oracle_distance_sq(judge, &x, &y, square);
        if (best < INFINITY && mpq_cmp(square, out->square) >= 0)
            continue;
        mpq_set(out->square, square);
        best = rough_root(square);
    }
    free(pairs);
    mpq_clear(square);
    if (!out->empty && mpq_sgn(out->square) != 0)
        out->nested = lies_inside(judge, random, a, b) || lies_inside(judge, random, b, a);
}

static void sum_of(const double *terms, int count, mpq_t out)
{
    mpq_t term;
    mpq_init(term);
    mpq_set_ui(out, 0, 1);
    for (int i = 0; i < count; i++)
    {
        rational_set_double(term, terms[i]);
        mpq_add(out, out, term);
    }
    mpq_clear(term);
}

int oracle_compare_core_distance(const core_distance *distance, const double *terms, int count)
{
    mpq_t sum;
    if (distance->empty)
        return 1;
    mpq_init(sum);
    sum_of(terms, count, sum);
    int order = distance->nested ? -mpq_sgn(sum) : 0;
    if (!distance->nested)
    {
        mpq_mul(sum, sum, sum);
        order = mpq_cmp(distance->square, sum);
    }
    mpq_clear(sum);
    return (order > 0) - (order < 0);
}

/* ---- half-spaces ---- */

/* {x : normal . x <= offset} in the world: the normal is that of the half-space times the inverse matrix. */
typedef struct rational_plane
{
    mpq_t normal[3], offset, length_sq;
} rational_plane;

static void plane_init(rational_plane *p)
{
    for (int k = 0; k < 3; k++)
        mpq_init(p->normal[k]);
    mpq_init(p->offset);
    mpq_init(p->length_sq);
}

static void plane_clear(rational_plane *p)
{
    for (int k = 0; k < 3; k++)
        mpq_clear(p->normal[k]);
    mpq_clear(p->offset);
    mpq_clear(p->length_sq);
}

/* sum += x y. */
static void add_product(mpq_t sum, const mpq_t x, const mpq_t y)
{
    mpq_t product;
    mpq_init(product);
    mpq_mul(product, x, y);
    mpq_add(sum, sum, product);
    mpq_clear(product);
}

/* Solves R^T w = n by elimination. */
static void solve_transposed(const graze_pose *pose, const double n[3], mpq_t w[3])
{
    mpq_t m[3][4], factor;
    mpq_init(factor);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
        {
            mpq_init(m[i][j]);
            rational_set_double(m[i][j], j < 3 ? pose->m[4 * j + i] : n[i]);
        }
    for (int column = 0; column < 3; column++)
    {
        int pivot = column;
        while (mpq_sgn(m[pivot][column]) == 0)
            pivot++;
        for (int j = 0; j < 4; j++)
            mpq_swap(m[pivot][j], m[column][j]);
        for (int i = 0; i < 3; i++)
        {
            if (i == column)
                continue;
            mpq_div(factor, m[i][column], m[column][column]);
            mpq_neg(factor, factor);
            for (int j = 0; j < 4; j++)
                add_product(m[i][j], factor, m[column][j]);
        }
    }
    for (int i = 0; i < 3; i++)
        mpq_div(w[i], m[i][3], m[i][i]);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            mpq_clear(m[i][j]);
    mpq_clear(factor);
}

static void plane_set(rational_plane *p, const graze_placed *half_space)
{
    double numbers[4];
    mpq_t t;
    mpq_init(t);
    graze_shape_numbers(half_space->shape, numbers, 4);
    solve_transposed(&half_space->pose, numbers, p->normal);
    rational_set_double(p->offset, numbers[3]);
    mpq_set_ui(p->length_sq, 0, 1);
    for (int k = 0; k < 3; k++)
    {
        rational_set_double(t, half_space->pose.m[4 * k + 3]);
        add_product(p->offset, p->normal[k], t);
        add_product(p->length_sq, p->normal[k], p->normal[k]);
    }
    mpq_clear(t);
}

/* normal . x - offset of a placed point. */
static void height_of(const rational_plane *p, const graze_pose *pose, const double point[3], mpq_t out)
{
    mpq_t x, m, v;
    mpq_inits(x, m, v, NULL);
    mpq_neg(out, p->offset);
    for (int k = 0; k < 3; k++)
    {
        rational_set_double(x, pose->m[4 * k + 3]);
        for (int j = 0; j < 3; j++)
        {
            rational_set_double(m, pose->m[4 * k + j]);
            rational_set_double(v, point[j]);
            add_product(x, m, v);
        }
        add_product(out, p->normal[k], x);
    }
    mpq_clears(x, m, v, NULL);
}

/* Compares x with the root of a square that is not negative. */
static int compare_with_root(const mpq_t x, const mpq_t square)
{
    if (mpq_sgn(x) < 0)
        return -1;
    mpq_t x_sq;
    mpq_init(x_sq);
    mpq_mul(x_sq, x, x);
    int order = mpq_cmp(x_sq, square);
    mpq_clear(x_sq);
    return (order > 0) - (order < 0);
}

static int compare_core_height(const rational_plane *p, const graze_placed *core, double tolerance)
{
    const double terms[2] = {graze_shape_radius(core->shape), tolerance};
    mpq_t reach, height;
    mpq_inits(reach, height, NULL);
    sum_of(terms, 2, reach);
    mpq_mul(reach, reach, reach);
    mpq_mul(reach, reach, p->length_sq);
    int least = 1;
    for (size_t t = 0; t < graze_mesh_triangle_count(graze_shape_mesh(core->shape)); t++)
        for (int c = 0; c < 3; c++)
        {
            graze_placed_triangle triangle = triangle_of(core, t);
            height_of(p, &core->pose, triangle.corners[c], height);
            int order = compare_with_root(height, reach);
            least = order < least ? order : least;
        }
    mpq_clears(reach, height, NULL);
    return least;
}

/* Support functions as in half_space_curved.c, in rationals: w = Q^T normal. */
static int compare_curved_height(const rational_plane *p, const graze_placed *curved)
{
    static const double centre[3] = {0, 0, 0};
    graze_shape_kind kind = graze_shape_get_kind(curved->shape);
    double numbers[3] = {0};
    mpq_t w[3], height, m, square, end, other;
    graze_shape_numbers(curved->shape, numbers, 3);
    mpq_inits(height, m, square, end, other, NULL);
    height_of(p, &curved->pose, centre, height);
    for (int k = 0; k < 3; k++)
    {
        mpq_init(w[k]);
        for (int j = 0; j < 3; j++)
        {
            rational_set_double(m, curved->pose.m[4 * j + k]);
            add_product(w[k], p->normal[j], m);
        }
        rational_set_double(m, kind == GRAZE_SHAPE_ELLIPSOID ? numbers[k] : k < 2 ? numbers[1] : numbers[0] / 2);
        mpq_mul(m, m, w[k]);
        if (kind == GRAZE_SHAPE_ELLIPSOID || k < 2)
            add_product(square, m, m);
        else
            mpq_set(end, m);
    }
    int order = 1;
    if (kind == GRAZE_SHAPE_ELLIPSOID)
        order = compare_with_root(height, square);
    else if (kind == GRAZE_SHAPE_CYLINDER)
    {
        mpq_abs(end, end);
        mpq_sub(height, height, end);
        order = compare_with_root(height, square);
    }
    else
    {
        mpq_add(other, height, end);
        mpq_sub(height, height, end);
        order = compare_with_root(height, square);
        order = mpq_sgn(other) < order ? mpq_sgn(other) : order;
    }
    for (int k = 0; k < 3; k++)
        mpq_clear(w[k]);
    mpq_clears(height, m, square, end, other, NULL);
    return order;
}

int oracle_compare_height(const graze_placed *shape, const graze_placed *half_space, double tolerance)
{
    rational_plane p;
    plane_init(&p);
    plane_set(&p, half_space);
    int order = graze_shape_mesh(shape->shape) != NULL ? compare_core_height(&p, shape, tolerance)
                                                       : compare_curved_height(&p, shape);
    plane_clear(&p);
    return order;
}

int oracle_compare_half_spaces(const graze_placed *a, const graze_placed *b, double tolerance)
{
    rational_plane p, q;
    mpq_t cross, factor, gap, reach;
    mpq_inits(cross, factor, gap, reach, NULL);
    plane_init(&p);
    plane_init(&q);
    plane_set(&p, a);
    plane_set(&q, b);
    bool parallel = true;
    for (int k = 0; k < 3; k++)
    {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        mpq_neg(factor, q.normal[i]);
        mpq_mul(cross, p.normal[i], q.normal[j]);
        add_product(cross, p.normal[j], factor);
        parallel = parallel && mpq_sgn(cross) == 0;
        add_product(gap, p.normal[k], q.normal[k]); /* its sign: whether they face each other */
    }
    int order = -1;
    if (parallel && mpq_sgn(gap) < 0)
    {
        /* q's normal is -k times p's: the gap is -(k offset_p + offset_q) / |normal_q|. */
        mpq_div(factor, gap, p.length_sq);
        mpq_mul(gap, factor, p.offset);
        mpq_sub(gap, gap, q.offset);
        rational_set_double(reach, tolerance);
        mpq_mul(reach, reach, reach);
        mpq_mul(reach, reach, q.length_sq);
        order = compare_with_root(gap, reach);
    }
    plane_clear(&p);
    plane_clear(&q);
    mpq_clears(cross, factor, gap, reach, NULL);
    return order;
}
