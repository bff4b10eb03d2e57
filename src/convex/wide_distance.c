/* SPDX-License-Identifier: MIT */
/*
 * GJK in twice the precision of double. The nearest point of the simplex of M = {b - a} gives a normal n: that of a
 * triangle, or across an edge, or a corner itself. Whatever n is, M is beyond the plane through its lowest point along
 * n, at least min n . m / |n| from the origin; and the distance is at most that of any mixture of corners.
 *
 * Errors. Let S bound |R_A a| + |R_B b| + |t_B - t_A| with sums of magnitudes, over all axes together. A product or sum
 * errs by less than 2^-100 of the magnitudes, and fewer than 16 meet in a coordinate, 40 in a height or mixture: 2^-94
 * of |n| S or of S. S and all numbers are limited, so that nothing overflows and what underflows is far below that;
 * normals are no shorter than 2^-450 (LEAST_SQUARE), so that their squares lose nothing either. Lengths of vectors that
 * are rounded to doubles err by 2 u: coordinates by u / 2, squares by 1.5 u, their sum by 2.5 u, of which the root
 * takes a half and adds u / 2. What is shorter than 2^-450 loses squares, but is far below 2^-94 S, which is added.
 * Sums err by 2^-103 of their terms (wide_vector.h), products by less.
 * Heights in doubles pick the vertices that are compared so: q = R^T n is rounded once, the product with a vertex has 5
 * roundings: vertices lower than the highest by more than twice 16 u |n| S are really lower.
 */
#include "convex/wide_distance.h"

#include <math.h>
#include <string.h>

#include "base/bits.h"
#include "base/environment.h"
#include "convex/flat_facet.h"
#include "convex/wide_vector.h"
#include "math/interval.h"

#define WIDE_ERROR 0x1p-94
#define ENOUGH 0x1p-36        /* width of the result, relative to it */
#define LARGEST 0x1p300       /* number */
#define LARGEST_SUM 0x1p100   /* S, and its inverse */
#define LEAST_SQUARE 0x1p-900 /* of a normal. shortcut: wide-normals */
#define CLEAR_WEIGHT 0x1p-30  /* share of a corner that doubles tell from none */
#define ENDS 0x1p-38          /* what may be gained where the search ends, relative to the distance */

enum
{
    MOST_STEPS = 24
};

typedef struct wide_search
{
    const grz_convex_body *bodies[2];
    wide3 between; /* t_B - t_A */
    double size;   /* S */
    int count;
    wide3 corners[4]; /* of M, and where they come from: */
    wide3 points[4][2];
    uint32_t vertices[4][2];
    int made;                /* corners that have been, of which vertices and points are known */
    bool exact_weights;      /* in twice the precision always */
    grz_flat_points near[2]; /* vertices that doubles do not tell from the highest, and how much lower they are */
} wide_search;

/* What is nearest in a simplex: weights of up to three corners. */
typedef struct wide_nearest
{
    int count, corners[3];
    grz_dd weights[3]; /* not negative; of any sum */
    wide3 normal;
    double square; /* of the distance, about */
} wide_nearest;

/* ---- points ---- */

static wide3 rotate(const graze_pose *pose, const double v[3])
{
    grz_dd out[3];
    for (int i = 0; i < 3; i++)
    {
        const double *row = pose->m + 4 * i;
        out[i] =
            dd_sum(dd_sum(dd_two_product(row[0], v[0]), dd_two_product(row[1], v[1])), dd_two_product(row[2], v[2]));
    }
    return (wide3){out[0], out[1], out[2]};
}

/* Makes corner i of vertices of A and B; corners have vertices in common where a face is closest. */
static void set_corner(wide_search *s, int i, uint32_t of_a, uint32_t of_b)
{
    const uint32_t vertices[2] = {of_a, of_b};
    wide3 points[2];
    for (int side = 0; side < 2; side++)
    {
        int k = 0;
        while (k < s->made && s->vertices[k][side] != vertices[side])
            k++;
        points[side] = k < s->made ? s->points[k][side]
                                   : rotate(&s->bodies[side]->pose, s->bodies[side]->vertices[vertices[side]]);
    }
    for (int side = 0; side < 2; side++)
    {
        s->points[i][side] = points[side];
        s->vertices[i][side] = vertices[side];
    }
    s->corners[i] = wide3_sub(wide3_add(points[1], s->between), points[0]);
    s->made = i < s->made ? s->made : i + 1;
}

static double larger(double x, double y)
{
    return x > y ? x : y;
}

/* S of one body whose coordinates are at most these: the sum over axes of the largest sum of magnitudes. INFINITY where
   a number is too large. */
static double size_of_bounds(const graze_pose *pose, const double largest[3])
{
    double sum = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
        {
            double entry = fabs(pose->m[4 * i + k]);
            sum += entry < LARGEST && largest[k] < LARGEST ? entry * largest[k] : INFINITY;
        }
    return sum;
}

static double size_of(const grz_convex_body *body)
{
    double largest[3] = {0, 0, 0};
    for (size_t v = 0; v < body->vertex_count; v++)
        for (int k = 0; k < 3; k++)
            largest[k] = larger(largest[k], fabs(body->vertices[v][k]));
    return size_of_bounds(&body->pose, largest);
}

static bool begin(wide_search *s, const grz_convex_body *a, const grz_convex_body *b)
{
    grz_dd t[3];
    s->bodies[0] = a;
    s->bodies[1] = b;
    s->size = size_of(a) + size_of(b);
    for (int k = 0; k < 3; k++)
    {
        t[k] = dd_two_sum(b->pose.m[4 * k + 3], -a->pose.m[4 * k + 3]);
        s->size += fabs(t[k].high);
    }
    s->between = (wide3){t[0], t[1], t[2]};
    s->size *= 1 + 0x1p-40;
    return s->size < LARGEST_SUM && s->size > 1 / LARGEST_SUM;
}

/* ---- nearest points of simplices ---- */

static double square_of(wide3 a)
{
    return v3_dot(wide3_round(a), wide3_round(a));
}

static wide_nearest of_corner(const wide_search *s, int a)
{
    return (wide_nearest){1, {a, 0, 0}, {{1, 0}}, s->corners[a], square_of(s->corners[a])};
}

/* False where a corner is nearest. */
static bool of_edge(const wide_search *s, int a, int b, wide_nearest *out)
{
    wide3 edge = wide3_sub(s->corners[b], s->corners[a]);
    grz_dd length_sq = wide3_dot(edge, edge), to_b = dd_negate(wide3_dot(s->corners[a], edge));
    grz_dd to_a = dd_subtract(length_sq, to_b);
    if (!(to_b.high > 0 && to_a.high > 0))
        return false;
    *out = (wide_nearest){2, {a, b, 0}, {to_a, to_b}, {{0, 0}, {0, 0}, {0, 0}}, 0};
    out->normal = wide3_cross(edge, wide3_cross(s->corners[a], edge));
    /* The normal is that of the point times the square of the edge. */
    double square = square_of(out->normal);
    out->square = square / (length_sq.high * length_sq.high);
    return square > LEAST_SQUARE;
}

/* Of a triangle with this normal: the weights of its corners around the projected origin. In doubles where they are
   clear: that moves the point within the plane by rounding, which counts at the smallest gaps only. */
static void find_weights(const wide_search *s, int a, int b, int c, wide3 n, grz_dd weights[3])
{
    const wide3 *m = s->corners;
    v3 p = wide3_round(m[a]), q = wide3_round(m[b]), r = wide3_round(m[c]), normal = wide3_round(n);
    double first = v3_dot(normal, v3_cross(q, r)), second = v3_dot(normal, v3_cross(r, p)),
           third = v3_dot(normal, v3_cross(p, q)), clear = CLEAR_WEIGHT * v3_dot(normal, normal);
    bool inside = first > clear && second > clear && third > clear;
    bool outside = first < -clear || second < -clear || third < -clear;
    if ((inside && !s->exact_weights) || outside)
    {
        weights[0] = dd_make(first);
        weights[1] = dd_make(second);
        weights[2] = dd_make(third);
        return;
    }
    weights[0] = wide3_dot(n, wide3_cross(m[b], m[c]));
    weights[1] = wide3_dot(n, wide3_cross(m[c], m[a]));
    weights[2] = wide3_dot(n, wide3_cross(m[a], m[b]));
}

/* False where an edge or corner is nearest. */
static bool of_triangle(const wide_search *s, int a, int b, int c, wide_nearest *out)
{
    const wide3 *m = s->corners;
    wide3 n = wide3_cross(wide3_sub(m[b], m[a]), wide3_sub(m[c], m[a]));
    grz_dd weights[3];
    find_weights(s, a, b, c, n, weights);
    if (!(weights[0].high > 0 && weights[1].high > 0 && weights[2].high > 0 && square_of(n) > LEAST_SQUARE))
        return false;
    grz_dd height = wide3_dot(n, m[a]);
    *out = (wide_nearest){3, {a, b, c}, {weights[0], weights[1], weights[2]}, n, 0};
    out->square = height.high * height.high / square_of(n);
    if (height.high < 0)
        out->normal = wide3_negate(n);
    return true;
}

static void keep_nearer(wide_nearest *best, const wide_nearest *other)
{
    if (other->square < best->square)
        *best = *other;
}

/* Whether no corner of the simplex is nearer to the origin than the plane of this triangle: then no face of it is. */
static bool supports(const wide_search *s, const wide_nearest *triangle)
{
    const int *c = triangle->corners;
    for (int i = 0; i < s->count; i++)
    {
        bool is_own = i == c[0] || i == c[1] || i == c[2];
        if (!is_own && wide3_dot(triangle->normal, wide3_sub(s->corners[i], s->corners[c[0]])).high < 0)
            return false;
    }
    return true;
}

/* The nearest of all faces, edges and corners that have the last corner, which was added because it is nearer than the
   others' nearest; of all where `every`. What projects into a face that supports the simplex, or into the only edge, is
   nearest there. */
static wide_nearest find_nearest(const wide_search *s, bool every)
{
    int last = s->count - 1;
    wide_nearest best = of_corner(s, last), other;
    if (s->count == 2 && of_edge(s, 0, 1, &other))
        return other;
    for (int i = 0; i < s->count; i++)
        for (int k = i + 1; k < s->count; k++)
            for (int l = every ? k + 1 : last; l < s->count && l > k; l++)
            {
                if (!of_triangle(s, i, k, l, &other))
                    continue;
                if (supports(s, &other))
                    return other;
                keep_nearer(&best, &other);
            }
    for (int i = every ? 0 : last; i < last; i++)
    {
        other = of_corner(s, i);
        keep_nearer(&best, &other);
    }
    for (int i = 0; i < s->count; i++)
        for (int k = i + 1; k < s->count; k++)
            if ((every || k == last) && of_edge(s, i, k, &other))
                keep_nearer(&best, &other);
    return best;
}

/* ---- bounds ---- */

/* R^T n */
static wide3 unrotate(const graze_pose *pose, wide3 n)
{
    const double *m = pose->m;
    grz_dd out[3];
    for (int k = 0; k < 3; k++)
        out[k] = dd_sum(dd_sum(dd_scale(n.x, m[k]), dd_scale(n.y, m[4 + k])), dd_scale(n.z, m[8 + k]));
    return (wide3){out[0], out[1], out[2]};
}

/* The vertex highest along n, in the body's own translation; s->near has all that are nearly as high, or none where
   they are too many. */
static grz_dd support(wide_search *s, int of, wide3 n, double length, uint32_t *out_vertex)
{
    const grz_convex_body *body = s->bodies[of];
    wide3 wide_q = unrotate(&body->pose, n);
    v3 q = wide3_round(wide_q);
    grz_flat_points *near = &s->near[of];
    grz_dd best = {-INFINITY, 0}, heights[GRZ_FLAT_POINTS];
    double highest = -INFINITY, error = 16 * GRZ_U * length * s->size;
    int count = 0;
    for (size_t v = 0; v < body->vertex_count; v++)
        highest = larger(highest, v3_dot(q, v3_load(body->vertices[v])));
    for (size_t v = 0; v < body->vertex_count; v++)
    {
        const double *p = body->vertices[v];
        /* shortcut: wide-support */
        if (v3_dot(q, v3_load(p)) < highest - 2 * error)
            continue;
        grz_dd height = dd_sum(dd_sum(dd_scale(wide_q.x, p[0]), dd_scale(wide_q.y, p[1])), dd_scale(wide_q.z, p[2]));
        if (count < GRZ_FLAT_POINTS)
        {
            near->points[count].vertex = (uint32_t)v;
            heights[count] = height;
        }
        count++;
        if (best.high > -INFINITY && dd_subtract(height, best).high <= 0)
            continue;
        best = height;
        *out_vertex = (uint32_t)v;
    }
    near->count = count <= GRZ_FLAT_POINTS ? count : 0;
    for (int i = 0; i < near->count; i++)
        near->points[i].height = dd_subtract(heights[i], best).high;
    return best;
}

/* Raises `lower` by the plane of a normal; the vertices are the lowest of M. */
static void raise_lower(wide_search *s, const wide_nearest *nearest, uint32_t vertices[2], double *lower)
{
    wide3 n = nearest->normal;
    double length = v3_length(wide3_round(n));
    grz_dd highest_a = support(s, 0, n, length, &vertices[0]);
    grz_dd lowest_b = dd_negate(support(s, 1, wide3_negate(n), length, &vertices[1]));
    grz_dd height = dd_add(wide3_dot(n, s->between), dd_subtract(lowest_b, highest_a));
    /* shortcut: wide-plane. The difference is rounded to a double, its quotient by the length errs by 3 u. */
    double rest = dd_subtract(height, dd_make(length * s->size * WIDE_ERROR)).high;
    double distance = rest / length * (1 - 8 * GRZ_U);
    if (length > 0 && distance > *lower)
        *lower = distance;
}

/* The distance of the nearest point, rounded up, and in doubles the points of A and B that it comes from. Weights are
   scaled so that their sum is near 1: nothing underflows that counts. */
static double measure_mixture(const wide_search *s, const wide_nearest *nearest, v3 *out_a, v3 *out_b)
{
    double total = 0;
    for (int i = 0; i < nearest->count; i++)
        total += nearest->weights[i].high;
    double scale = grz_scale(1, -grz_exponent_of(total));
    grz_dd sum = dd_make(0);
    wide3 m = {{0, 0}, {0, 0}, {0, 0}};
    v3 a = v3_make(0, 0, 0);
    for (int i = 0; i < nearest->count; i++)
    {
        grz_dd weight = {scale * nearest->weights[i].high, scale * nearest->weights[i].low};
        sum = dd_add(sum, weight);
        m = wide3_add(m, wide3_scale(weight, s->corners[nearest->corners[i]]));
        a = v3_add(a, v3_scale(weight.high, wide3_round(s->points[nearest->corners[i]][0])));
    }
    *out_a = v3_scale(1 / sum.high, a);
    *out_b = v3_add(*out_a, v3_scale(1 / sum.high, wide3_round(m)));
    /* shortcut: wide-mixture. Sums are known but for some 2^-100 of S and of themselves, then rounded to doubles. */
    return (v3_length(wide3_round(m)) / sum.high + s->size * WIDE_ERROR) * (1 + 8 * GRZ_U);
}

/* The corners of what is nearest are in ascending order, so that none is overwritten before it is moved. */
static void reduce(wide_search *s, const wide_nearest *nearest)
{
    s->count = nearest->count;
    for (int i = 0; i < nearest->count; i++)
    {
        int from = nearest->corners[i];
        if (from == i)
            continue;
        s->corners[i] = s->corners[from];
        memcpy(s->points[i], s->points[from], sizeof s->points[i]);
        memcpy(s->vertices[i], s->vertices[from], sizeof s->vertices[i]);
    }
}

static bool has_corner(const wide_search *s, const uint32_t vertices[2])
{
    for (int i = 0; i < s->count; i++)
        if (memcmp(s->vertices[i], vertices, sizeof s->vertices[i]) == 0)
            return true;
    return false;
}

/* ---- faces that are nearly parallel ---- */

/* Places of the vertices that are nearly as high as the highest, across n, and B's heights above the lowest. */
static void place_near(wide_search *s, v3 n)
{
    v3 x = fabs(n.x) < fabs(n.y) ? v3_make(0, n.z, -n.y) : v3_make(-n.z, 0, n.x), y = v3_cross(n, x);
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < s->near[side].count; i++)
        {
            grz_flat_point *point = &s->near[side].points[i];
            const grz_convex_body *body = s->bodies[side];
            const double *m = body->pose.m, *v = body->vertices[point->vertex];
            v3 at = v3_make(m[0] * v[0] + m[1] * v[1] + m[2] * v[2], m[4] * v[0] + m[5] * v[1] + m[6] * v[2],
                            m[8] * v[0] + m[9] * v[1] + m[10] * v[2]);
            at = side == 0 ? at : v3_add(at, wide3_round(s->between));
            point->x = v3_dot(x, at);
            point->y = v3_dot(y, at);
            point->height = side == 0 ? point->height : -point->height;
        }
}

static int find_near(const grz_flat_points *near, uint32_t vertex)
{
    for (int i = 0; i < near->count; i++)
        if (near->points[i].vertex == vertex)
            return i;
    return -1;
}

/* The simplex is a triangle between vertices that doubles do not tell from the lowest of M: becomes the lowest triangle
   over the origin, by steps in doubles. False where it stays. */
static bool turn_over(wide_search *s, wide3 normal)
{
    int pairs[3][2];
    for (int i = 0; i < 3; i++)
        for (int side = 0; side < 2; side++)
        {
            pairs[i][side] = s->count == 3 ? find_near(&s->near[side], s->vertices[i][side]) : -1;
            if (pairs[i][side] < 0)
                return false;
        }
    double scale = 1 / sqrt(square_of(normal));
    place_near(s, v3_scale(scale, wide3_round(normal)));
    if (!grz_flat_facet_find(s->near, pairs))
        return false;
    for (int i = 0; i < 3; i++)
    {
        uint32_t of_a = s->near[0].points[pairs[i][0]].vertex, of_b = s->near[1].points[pairs[i][1]].vertex;
        if (of_a != s->vertices[i][0] || of_b != s->vertices[i][1])
            set_corner(s, i, of_a, of_b);
    }
    return true;
}

/* ---- the search ---- */

static void measure_nearest(const wide_search *s, const wide_nearest *nearest, grz_wide_distance *out)
{
    v3 points[2];
    double upper = measure_mixture(s, nearest, &points[0], &points[1]);
    if (!(upper < out->upper))
        return;
    out->upper = upper;
    out->corner_count = nearest->count;
    for (int i = 0; i < nearest->count; i++)
        memcpy(out->corners[i], s->vertices[nearest->corners[i]], sizeof out->corners[i]);
    for (int side = 0; side < 2; side++)
    {
        v3_store(points[side], out->points[side]);
        for (int k = 0; k < 3; k++)
            out->points[side][k] += s->bodies[0]->pose.m[4 * k + 3];
    }
}

/* With the weights of the simplex that the search ended with in twice the precision. */
static void measure_again(wide_search *s, grz_wide_distance *out)
{
    s->exact_weights = true;
    wide_nearest nearest = find_nearest(s, true);
    measure_nearest(s, &nearest, out);
}

static bool run(wide_search *s, grz_wide_distance *out)
{
    *out = (grz_wide_distance){.lower = 0, .upper = INFINITY};
    bool every = true, ends = false;
    for (int step = 0; step < MOST_STEPS && !ends; step++)
    {
        wide_nearest nearest = find_nearest(s, every);
        uint32_t vertices[2] = {0, 0};
        if (!(square_of(nearest.normal) > LEAST_SQUARE))
            break;
        double lower = out->lower;
        raise_lower(s, &nearest, vertices, &out->lower);
        if (out->lower > lower)
        {
            out->normal[0] = nearest.normal.x;
            out->normal[1] = nearest.normal.y;
            out->normal[2] = nearest.normal.z;
        }
        ends = out->lower >= (1 - ENDS) * sqrt(nearest.square) || step == MOST_STEPS - 1;
        reduce(s, &nearest);
        ends = ends || has_corner(s, vertices);
        if (ends)
            for (int i = 0; i < nearest.count; i++)
                nearest.corners[i] = i;
        if (ends)
            measure_nearest(s, &nearest, out);
        every = !ends && turn_over(s, nearest.normal);
        if (!ends && !every)
            set_corner(s, s->count++, vertices[0], vertices[1]);
    }
    if (out->lower > 0 && !(out->upper - out->lower <= ENOUGH * out->upper))
        measure_again(s, out);
    return out->lower > 0 && out->upper < INFINITY;
}

static bool start(wide_search *s, const grz_convex_body *a, const grz_convex_body *b, const uint32_t (*pairs)[2],
                  int count)
{
    if (!begin(s, a, b))
        return false;
    s->count = count;
    s->made = 0;
    s->exact_weights = false;
    for (int i = 0; i < count; i++)
        set_corner(s, i, pairs[i][0], pairs[i][1]);
    return true;
}

bool grz_convex_wide_distance(const grz_convex_body *a, const grz_convex_body *b, const uint32_t (*pairs)[2], int count,
                              grz_wide_distance *out)
{
    wide_search s;
    grz_environment environment;
    grz_environment_enter_default(&environment);
    bool found = start(&s, a, b, pairs, count) && run(&s, out);
    grz_environment_leave_default(&environment);
    return found;
}

bool grz_convex_wide_upper(const grz_convex_body *a, const grz_convex_body *b, const uint32_t (*pairs)[2], int count,
                           grz_wide_distance *out)
{
    wide_search s;
    grz_environment environment;
    *out = (grz_wide_distance){.lower = 0, .upper = INFINITY};
    grz_environment_enter_default(&environment);
    bool known = start(&s, a, b, pairs, count);
    if (known)
        measure_again(&s, out);
    grz_environment_leave_default(&environment);
    return known;
}

/* ---- heights along one normal ---- */

void grz_wide_heights_make(const graze_pose *a, const graze_pose *b, const double largest[2][3], const grz_dd normal[3],
                           grz_wide_heights *out)
{
    const graze_pose *poses[2] = {a, b};
    wide3 n = {normal[0], normal[1], normal[2]}, between;
    grz_dd t[3];
    double size = 0;
    for (int i = 0; i < 2; i++)
    {
        wide3 q = unrotate(poses[i], n);
        out->along[i][0] = q.x;
        out->along[i][1] = q.y;
        out->along[i][2] = q.z;
        size += size_of_bounds(poses[i], largest[i]);
    }
    for (int k = 0; k < 3; k++)
    {
        t[k] = dd_two_sum(b->m[4 * k + 3], -a->m[4 * k + 3]);
        size += fabs(t[k].high);
    }
    between = (wide3){t[0], t[1], t[2]};
    size *= 1 + 0x1p-40;
    out->between = wide3_dot(n, between);
    out->length = dd_square_root(wide3_dot(n, n)).high;
    out->error = size < LARGEST_SUM && size > 1 / LARGEST_SUM ? out->length * size * WIDE_ERROR : INFINITY;
}

grz_dd grz_wide_vertex_height(const grz_wide_heights *h, int body, const double vertex[3])
{
    const grz_dd *q = h->along[body];
    return dd_sum(dd_sum(dd_scale(q[0], vertex[0]), dd_scale(q[1], vertex[1])), dd_scale(q[2], vertex[2]));
}

double grz_wide_heights_gap(const grz_wide_heights *h, grz_dd highest_a, grz_dd lowest_b)
{
    if (!(h->error < INFINITY && h->length > 0))
        return 0;
    grz_dd height = dd_add(h->between, dd_subtract(lowest_b, highest_a));
    /* shortcut: wide-heights. Difference, root, quotient and product err by 4 u. */
    double gap = dd_subtract(height, dd_make(h->error)).high / h->length * (1 - 8 * GRZ_U);
    return gap > 0 ? gap : 0;
}
