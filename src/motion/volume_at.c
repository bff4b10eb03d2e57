/* SPDX-License-Identifier: MIT */
/*
 * Volumes in double-doubles; see volume_at.h.
 *
 * Error bound. An operation on double-doubles is off by at most 7 * 2^-106 of its result (Joldes, Muller, Popescu:
 * Tight and rigorous error bounds for basic building blocks of double-word arithmetic, 2017); e = 2^-100 is counted.
 * Differences of two doubles, products of two and 1 - t are exact.
 *
 * Turn: Q is the larger |q|^2. An entry of q is off by 3 e sqrt(Q); a product of two by 7 e Q at most; entries of N and
 * w have at most four of them, or twice two, and are off by less than 32 e Q. An edge N d, with d exact and D the
 * largest |coordinate| of d, is at most 3 Q D, and off by 3 * 33 e Q D and two sums of 3 e Q D: less than 64 e (3 Q D).
 * The path, of four terms with magnitudes of X together, is off by 6 e X; a corner N y + w x is at most C = 3 Q Y + Q X
 * and off by less than 64 e C. Linear motion: C and D are the sums of magnitudes of the terms of R p + t and R d, at
 * the start or the end, the larger; Q = 1; six operations each.
 * The way between corners V / w and V' / w', times w w', is at most G = C Q' + C' Q, and off by (64 + 32 + 2) e G. Of
 * the determinant six products are off by (64 + 64 + 98 + 2) e of D D' G, and five sums by 6 e: less than 1500 e D D' G
 * together, for which 2^11 e is taken. Dividing it by the weights and rounding it to a double is off by less than 2^-50
 * of the value.
 *
 * Underflow: where C, D and Q are at most 2^40, and Q at least 2^-100, so that d is at most 2^140, whatever a product
 * loses below 2^-1060 is multiplied by less than 2^300 afterwards, and a thousand of these are below 2^-750. D D' G is
 * asked to be at least 2^-600.
 */
#include "motion/volume_at.h"

#include <math.h>

#include "base/double_double.h"
#include "motion/moving_body.h"
#include "motion/moving_pair.h"

#define ERROR 0x1p-89
#define LARGEST 0x1p40
#define SMALLEST 0x1p-600
#define WEIGHT_LEAST 0x1p-100
#define RATIO_MAX 64

/* A vector and the size that its error is relative to. */
typedef struct sized_vector
{
    grz_dd x[3];
    double size;
} sized_vector;

/* A body at a time. */
typedef struct body_at
{
    const graze_moving_triangle *triangle;
    bool turns;
    double t;
    grz_dd s;                /* 1 - t */
    grz_dd n[3][3], path[3]; /* of turns; the path is relative to the origin */
    grz_dd weight;
    double weight_size, path_size;
    const double *origin;
} body_at;

int grz_volume_vectors(int side, int from[3], int to[3])
{
    int v[4];
    grz_pair_side_corners(side, v);
    bool face = side < 6;
    from[0] = from[2] = v[0];
    to[0] = v[1];
    from[1] = face ? v[0] : v[2];
    to[1] = face ? v[2] : v[3];
    to[2] = face ? v[3] : v[2];
    return face ? -1 : 1;
}

static grz_dd difference(double a, double b)
{
    return dd_two_sum(a, -b);
}

static grz_dd times(grz_dd a, double b)
{
    grz_dd product = dd_two_product(a.high, b);
    return dd_normal(product.high, product.low + a.low * b);
}

static double largest(const grz_dd x[3])
{
    return fmax(fmax(fabs(x[0].high), fabs(x[1].high)), fabs(x[2].high)) * (1 + 0x1p-50);
}

static double square(const double q[4])
{
    return (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) * (1 + 0x1p-50);
}

/* N(q) and |q|^2. */
static void rotation(const grz_dd q[4], grz_dd n[3][3], grz_dd *w)
{
    grz_dd p[4][4];
    for (int i = 0; i < 4; i++)
        for (int j = i; j < 4; j++)
            p[i][j] = dd_multiply(q[i], q[j]);
    for (int k = 0; k < 3; k++)
    {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        grz_dd plane = i < j ? p[i + 1][j + 1] : p[j + 1][i + 1];
        grz_dd with = dd_add(p[0][0], p[k + 1][k + 1]), without = dd_add(p[i + 1][i + 1], p[j + 1][j + 1]);
        n[k][k] = dd_subtract(with, without);
        if (k == 0)
            *w = dd_add(with, without);
        grz_dd both = dd_add(plane, p[0][k + 1]), one = dd_subtract(plane, p[0][k + 1]);
        n[j][i] = (grz_dd){2 * both.high, 2 * both.low};
        n[i][j] = (grz_dd){2 * one.high, 2 * one.low};
    }
}

static void start_turn(body_at *body)
{
    const graze_motion *motion = body->triangle->motion;
    grz_dd q[4];
    for (int i = 0; i < 4; i++)
        q[i] = dd_add(times(body->s, motion->quaternion[0][i]), dd_two_product(body->t, motion->quaternion[1][i]));
    rotation(q, body->n, &body->weight);
    body->weight_size = fmax(square(motion->quaternion[0]), square(motion->quaternion[1]));
    body->path_size = 0;
    for (int k = 0; k < 3; k++)
    {
        grz_dd x = difference(motion->path[0][k], body->origin[k]), linear = {motion->path[1][k], 0};
        double size = fabs(x.high) + fabs(linear.high);
        if (motion->kind == GRAZE_MOTION_BALLISTIC_TURN)
        {
            linear = dd_add(linear, dd_two_product(motion->path[2][k], body->t));
            size += fabs(motion->path[2][k]);
        }
        body->path[k] = dd_add(x, times(linear, body->t));
        body->path_size = fmax(body->path_size, size * (1 + 0x1p-50));
    }
}

static void body_start(const graze_moving_triangle *triangle, double t, const double origin[3], body_at *body)
{
    body->triangle = triangle;
    body->turns = triangle->motion->kind > GRAZE_MOTION_BLEND;
    body->t = t;
    body->s = difference(1, t);
    body->origin = origin;
    body->weight = (grz_dd){1, 0};
    body->weight_size = 1;
    if (body->turns)
        start_turn(body);
}

/* N d. */
static void rotate(const body_at *body, const grz_dd d[3], sized_vector *out)
{
    for (int k = 0; k < 3; k++)
        out->x[k] = dd_add(dd_add(dd_multiply(body->n[k][0], d[0]), dd_multiply(body->n[k][1], d[1])),
                           dd_multiply(body->n[k][2], d[2]));
    out->size = 3 * body->weight_size * largest(d);
}

/* R d, and + translation - origin where there is an origin. */
static void transform(const graze_pose *pose, const grz_dd d[3], const double *origin, sized_vector *out)
{
    out->size = 0;
    for (int k = 0; k < 3; k++)
    {
        const double *r = &pose->m[4 * k];
        out->x[k] = dd_add(dd_add(times(d[0], r[0]), times(d[1], r[1])), times(d[2], r[2]));
        double size = fabs(r[0] * d[0].high) + fabs(r[1] * d[1].high) + fabs(r[2] * d[2].high);
        if (origin != NULL)
        {
            grz_dd translation = difference(r[3], origin[k]);
            out->x[k] = dd_add(out->x[k], translation);
            size += fabs(translation.high);
        }
        out->size = fmax(out->size, size * (1 + 0x1p-50));
    }
}

/* A vector that is d at the start and e at the end, of a linear motion. */
static void transform_linear(const body_at *body, const grz_dd d[3], const grz_dd e[3], const double *origin,
                             sized_vector *out)
{
    const graze_motion *motion = body->triangle->motion;
    transform(&motion->start, d, origin, out);
    if (motion->kind != GRAZE_MOTION_BLEND && body->triangle->end_corners[0] == NULL)
        return;
    sized_vector end;
    transform(motion->kind == GRAZE_MOTION_BLEND ? &motion->end : &motion->start, e, origin, &end);
    for (int k = 0; k < 3; k++)
        out->x[k] = dd_add(dd_multiply(body->s, out->x[k]), times(end.x[k], body->t));
    out->size = fmax(out->size, end.size);
}

static const double *end_corner(const graze_moving_triangle *triangle, int corner)
{
    return triangle->end_corners[0] != NULL ? triangle->end_corners[corner] : triangle->corners[corner];
}

/* An edge, times the weight. */
static void edge_of(const body_at *body, int from, int to, sized_vector *out)
{
    const graze_moving_triangle *triangle = body->triangle;
    grz_dd d[3], e[3];
    for (int k = 0; k < 3; k++)
        d[k] = difference(triangle->corners[to][k], triangle->corners[from][k]);
    if (body->turns)
    {
        rotate(body, d, out);
        return;
    }
    for (int k = 0; k < 3; k++)
        e[k] = difference(end_corner(triangle, to)[k], end_corner(triangle, from)[k]);
    transform_linear(body, d, e, NULL, out);
}

/* A corner, times the weight. */
static void corner_of(const body_at *body, int corner, sized_vector *out)
{
    const graze_moving_triangle *triangle = body->triangle;
    grz_dd d[3], e[3];
    for (int k = 0; k < 3; k++)
    {
        d[k] = body->turns ? difference(triangle->corners[corner][k], triangle->motion->centre[k])
                           : (grz_dd){triangle->corners[corner][k], 0};
        e[k] = (grz_dd){end_corner(triangle, corner)[k], 0};
    }
    if (!body->turns)
    {
        transform_linear(body, d, e, body->origin, out);
        return;
    }
    rotate(body, d, out);
    for (int k = 0; k < 3; k++)
        out->x[k] = dd_add(out->x[k], dd_multiply(body->weight, body->path[k]));
    out->size += body->weight_size * body->path_size;
}

static grz_dd determinant(const grz_dd u[3], const grz_dd v[3], const grz_dd g[3])
{
    grz_dd sum = {0, 0};
    for (int k = 0; k < 3; k++)
    {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        grz_dd minor = dd_subtract(dd_multiply(u[i], v[j]), dd_multiply(u[j], v[i]));
        sum = dd_add(sum, dd_multiply(minor, g[k]));
    }
    return sum;
}

static bool in_range(const body_at *body, const sized_vector *corner)
{
    return corner->size <= LARGEST && body->weight_size <= LARGEST && body->weight_size >= WEIGHT_LEAST &&
           body->weight.high * RATIO_MAX >= body->weight_size;
}

bool grz_volume_at(const graze_moving_triangle *a, const graze_moving_triangle *b, int side, double t, grz_volume *out)
{
    int from[3], to[3], sign = grz_volume_vectors(side, from, to);
    body_at bodies[2];
    double origin[3];
    for (int k = 0; k < 3; k++)
        origin[k] = a->motion->kind > GRAZE_MOTION_BLEND ? a->motion->path[0][k] : a->motion->start.m[4 * k + 3];
    body_start(a, t, origin, &bodies[0]);
    body_start(b, t, origin, &bodies[1]);
    const body_at *first = &bodies[from[2] / 3], *second = &bodies[to[2] / 3];
    const body_at *of_u = &bodies[from[0] / 3], *of_v = &bodies[from[1] / 3];
    sized_vector u, v, here, there;
    edge_of(of_u, from[0] % 3, to[0] % 3, &u);
    edge_of(of_v, from[1] % 3, to[1] % 3, &v);
    corner_of(first, from[2] % 3, &here);
    corner_of(second, to[2] % 3, &there);
    grz_dd way[3];
    for (int k = 0; k < 3; k++)
        way[k] = dd_subtract(dd_multiply(there.x[k], first->weight), dd_multiply(here.x[k], second->weight));
    double way_size = there.size * first->weight_size + here.size * second->weight_size;
    double size = u.size * v.size * way_size;
    if (!in_range(first, &here) || !in_range(second, &there) || !(u.size <= LARGEST && v.size <= LARGEST) ||
        !(size >= SMALLEST))
        return false;
    double weight = of_u->weight.high * of_v->weight.high * first->weight.high * second->weight.high;
    out->value = sign * determinant(u.x, v.x, way).high / weight;
    out->error = (1 + 0x1p-40) * ERROR * size / weight + 0x1p-50 * fabs(out->value);
    return true;
}
