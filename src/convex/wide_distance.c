/* SPDX-License-Identifier: MIT */
/*
 * GJK in twice the precision of double. The nearest point of the simplex of M = {b - a} gives a normal n: that of a
 * triangle, or across an edge, or a corner itself. Whatever n is, M is beyond the plane through its lowest point along
 * n, at least min n . m / |n| from the origin; and the distance is at most that of any mixture of corners.
 *
 * Errors. Let S bound |R_A a| + |R_B b| + |t_B - t_A| with sums of magnitudes, over all axes together. A product or sum
 * errs by less than 2^-100 of the magnitudes, and fewer than 16 meet in a coordinate, 40 in a height or mixture: 2^-94
 * of |n| S or of S. S and all numbers are limited, so that nothing overflows and what underflows is far below that;
 * normals are no shorter than 2^-450 (LEAST_SQUARE), so that their squares lose nothing either.
 * Heights in doubles pick the vertices that are compared so: q = R^T n is rounded once, the product with a vertex has 5
 * roundings: vertices lower than the highest by more than twice 16 u |n| S are really lower.
 */
#include "convex/wide_distance.h"

#include <math.h>
#include <string.h>

#include "base/environment.h"
#include "convex/wide_vector.h"
#include "math/interval.h"

#define WIDE_ERROR 0x1p-94
#define ENOUGH 0x1p-36        /* width of the result, relative to it */
#define LARGEST 0x1p300       /* number */
#define LARGEST_SUM 0x1p100   /* S, and its inverse */
#define LEAST_SQUARE 0x1p-900 /* of a normal. shortcut: wide-normals */

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
    wide3 corners[4], of_a[4]; /* of M, and the points of A they come from */
    uint32_t vertices[4][2];
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
            dd_add(dd_add(dd_two_product(row[0], v[0]), dd_two_product(row[1], v[1])), dd_two_product(row[2], v[2]));
    }
    return (wide3){out[0], out[1], out[2]};
}

static void set_corner(wide_search *s, int i, uint32_t of_a, uint32_t of_b)
{
    s->vertices[i][0] = of_a;
    s->vertices[i][1] = of_b;
    s->of_a[i] = rotate(&s->bodies[0]->pose, s->bodies[0]->vertices[of_a]);
    wide3 b = wide3_add(rotate(&s->bodies[1]->pose, s->bodies[1]->vertices[of_b]), s->between);
    s->corners[i] = wide3_sub(b, s->of_a[i]);
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

/* False where an edge or corner is nearest. */
static bool of_triangle(const wide_search *s, int a, int b, int c, wide_nearest *out)
{
    const wide3 *m = s->corners;
    wide3 n = wide3_cross(wide3_sub(m[b], m[a]), wide3_sub(m[c], m[a]));
    grz_dd weights[3] = {wide3_dot(n, wide3_cross(m[b], m[c])), wide3_dot(n, wide3_cross(m[c], m[a])),
                         wide3_dot(n, wide3_cross(m[a], m[b]))};
    grz_dd height = wide3_dot(n, m[a]);
    if (!(weights[0].high > 0 && weights[1].high > 0 && weights[2].high > 0 && square_of(n) > LEAST_SQUARE))
        return false;
    *out = (wide_nearest){3, {a, b, c}, {weights[0], weights[1], weights[2]}, n, 0};
    out->square = height.high * height.high / square_of(n);
    if (height.high < 0)
        out->normal = wide3_scale(dd_make(-1), n);
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
        out[k] = dd_add(dd_add(dd_scale(n.x, m[k]), dd_scale(n.y, m[4 + k])), dd_scale(n.z, m[8 + k]));
    return (wide3){out[0], out[1], out[2]};
}

/* The vertex highest along n, in the body's own translation. */
static grz_dd support(const wide_search *s, int of, wide3 n, double length, uint32_t *out_vertex)
{
    const grz_convex_body *body = s->bodies[of];
    wide3 wide_q = unrotate(&body->pose, n);
    v3 q = wide3_round(wide_q);
    double highest = -INFINITY, error = 16 * GRZ_U * length * s->size;
    for (size_t v = 0; v < body->vertex_count; v++)
        highest = larger(highest, v3_dot(q, v3_load(body->vertices[v])));
    grz_dd best = {-INFINITY, 0};
    for (size_t v = 0; v < body->vertex_count; v++)
    {
        const double *p = body->vertices[v];
        /* shortcut: wide-support */
        if (v3_dot(q, v3_load(p)) < highest - 2 * error)
            continue;
        grz_dd height = dd_add(dd_add(dd_scale(wide_q.x, p[0]), dd_scale(wide_q.y, p[1])), dd_scale(wide_q.z, p[2]));
        if (best.high > -INFINITY && dd_subtract(height, best).high <= 0)
            continue;
        best = height;
        *out_vertex = (uint32_t)v;
    }
    return best;
}

/* Raises `lower` by the plane of a normal; the vertices are the lowest of M. */
static void raise_lower(const wide_search *s, const wide_nearest *nearest, uint32_t vertices[2], double *lower)
{
    wide3 n = nearest->normal;
    grz_dd length = dd_square_root(wide3_dot(n, n));
    grz_dd highest_a = support(s, 0, n, length.high, &vertices[0]);
    grz_dd lowest_b = dd_negate(support(s, 1, wide3_scale(dd_make(-1), n), length.high, &vertices[1]));
    grz_dd height = dd_add(wide3_dot(n, s->between), dd_subtract(lowest_b, highest_a));
    grz_dd error = dd_make(length.high * s->size * WIDE_ERROR);
    /* shortcut: wide-plane. The root and the quotient err by far less than 8 u. */
    double distance = dd_divide(dd_subtract(height, error), length).high * (1 - 8 * GRZ_U);
    if (length.high > 0 && distance > *lower)
        *lower = distance;
}

/* The distance of the nearest point, rounded up, and the points it comes from. */
static double measure_mixture(const wide_search *s, const wide_nearest *nearest, wide3 *out_a, wide3 *out_m)
{
    grz_dd sum = nearest->weights[0];
    for (int i = 1; i < nearest->count; i++)
        sum = dd_add(sum, nearest->weights[i]);
    wide3 m = {{0, 0}, {0, 0}, {0, 0}}, a = m;
    for (int i = 0; i < nearest->count; i++)
    {
        grz_dd share = dd_divide(nearest->weights[i], sum);
        m = wide3_add(m, wide3_scale(share, s->corners[nearest->corners[i]]));
        a = wide3_add(a, wide3_scale(share, s->of_a[nearest->corners[i]]));
    }
    *out_a = a;
    *out_m = m;
    /* shortcut: wide-mixture. Shares add up to 1 but for some 2^-100, which moves the point by that much of S. */
    return (dd_square_root(wide3_dot(m, m)).high + s->size * WIDE_ERROR) * (1 + 8 * GRZ_U);
}

static void reduce(wide_search *s, const wide_nearest *nearest)
{
    wide_search old = *s;
    s->count = nearest->count;
    for (int i = 0; i < nearest->count; i++)
    {
        s->corners[i] = old.corners[nearest->corners[i]];
        s->of_a[i] = old.of_a[nearest->corners[i]];
        memcpy(s->vertices[i], old.vertices[nearest->corners[i]], sizeof s->vertices[i]);
    }
}

static bool has_corner(const wide_search *s, const uint32_t vertices[2])
{
    for (int i = 0; i < s->count; i++)
        if (memcmp(s->vertices[i], vertices, sizeof s->vertices[i]) == 0)
            return true;
    return false;
}

static void set_points(const wide_search *s, wide3 a, wide3 m, double points[2][3])
{
    double on_a[3], on_b[3];
    v3_store(wide3_round(a), on_a);
    v3_store(wide3_round(wide3_add(a, m)), on_b);
    for (int k = 0; k < 3; k++)
    {
        double t = s->bodies[0]->pose.m[4 * k + 3];
        points[0][k] = on_a[k] + t;
        points[1][k] = on_b[k] + t;
    }
}

static bool run(wide_search *s, grz_wide_distance *out)
{
    *out = (grz_wide_distance){.lower = 0, .upper = INFINITY};
    for (int step = 0; step < MOST_STEPS; step++)
    {
        wide_nearest nearest = find_nearest(s, step == 0);
        wide3 a, m;
        uint32_t vertices[2] = {0, 0};
        if (!(square_of(nearest.normal) > LEAST_SQUARE))
            break;
        double upper = measure_mixture(s, &nearest, &a, &m);
        if (upper < out->upper)
        {
            out->upper = upper;
            set_points(s, a, m, out->points);
        }
        double lower = out->lower;
        raise_lower(s, &nearest, vertices, &out->lower);
        if (out->lower > lower)
        {
            out->normal[0] = nearest.normal.x;
            out->normal[1] = nearest.normal.y;
            out->normal[2] = nearest.normal.z;
        }
        reduce(s, &nearest);
        if (has_corner(s, vertices) || out->upper - out->lower <= ENOUGH * out->upper)
            break;
        set_corner(s, s->count++, vertices[0], vertices[1]);
    }
    return out->lower > 0;
}

bool grz_convex_wide_distance(const grz_convex_body *a, const grz_convex_body *b, const uint32_t (*start)[2], int count,
                              grz_wide_distance *out)
{
    wide_search s;
    grz_environment environment;
    grz_environment_enter_default(&environment);
    bool found = begin(&s, a, b);
    if (found)
    {
        s.count = count;
        for (int i = 0; i < count; i++)
            set_corner(&s, i, start[i][0], start[i][1]);
        found = run(&s, out);
    }
    grz_environment_leave_default(&environment);
    return found;
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
    return dd_add(dd_add(dd_scale(q[0], vertex[0]), dd_scale(q[1], vertex[1])), dd_scale(q[2], vertex[2]));
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
