/* SPDX-License-Identifier: MIT */
/*
 * First impact of moving triangles by Sturm chains: all corners over one common weight, then as for features whose
 * points run on lines. Numbers of the pairs are multiples of 2^-60.
 */
#include <math.h>

#include "support/features_oracle.h"
#include "support/lattice.h"
#include "support/moving_triangles.h"

enum
{
    UNIT = 60 /* a double is an integer over 2^UNIT, a coordinate over 2^(2 UNIT) */
};

static void set_integer(mpz_t out, double x, int unit)
{
    mpz_set_d(out, ldexp(x, UNIT));
    mpz_mul_2exp(out, out, (mp_bitcnt_t)(unit - UNIT));
}

/* (1 - t) a + t b. */
static void set_line(sturm_polynomial *p, double a, double b, int unit)
{
    set_integer(p->c[0], a, unit);
    set_integer(p->c[1], b, unit);
    mpz_sub(p->c[1], p->c[1], p->c[0]);
    sturm_trim(p, 1);
}

static void add_product(sturm_polynomial *sum, const sturm_polynomial *a, const sturm_polynomial *b, int sign)
{
    sturm_polynomial product, before;
    sturm_init(&product);
    sturm_init(&before);
    sturm_multiply(&product, a, b);
    sturm_copy(&before, sum);
    sturm_add(sum, &before, &product, sign);
    sturm_clear(&product);
    sturm_clear(&before);
}

/* q y q*, a product of quaternions, and |q|^2. */
static void rotate(const sturm_polynomial q[4], const sturm_polynomial y[3], sturm_polynomial out[3],
                   sturm_polynomial *w)
{
    /* (0, y) q* first: scalar y . u, vector q0 y - y x u = q0 y + u x y */
    sturm_polynomial s, v[3];
    sturm_init(&s);
    for (int k = 0; k < 3; k++)
    {
        sturm_init(&v[k]);
        add_product(&s, &y[k], &q[1 + k], 1);
    }
    for (int k = 0; k < 3; k++)
    {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        add_product(&v[k], &q[0], &y[k], 1);
        add_product(&v[k], &q[1 + i], &y[j], 1);
        add_product(&v[k], &q[1 + j], &y[i], -1);
    }
    for (int k = 0; k < 3; k++) /* q (s, v): vector q0 v + s u + u x v */
    {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        add_product(&out[k], &q[0], &v[k], 1);
        add_product(&out[k], &s, &q[1 + k], 1);
        add_product(&out[k], &q[1 + i], &v[j], 1);
        add_product(&out[k], &q[1 + j], &v[i], -1);
    }
    for (int k = 0; k < 4; k++)
        add_product(w, &q[k], &q[k], 1);
    sturm_clear(&s);
    for (int k = 0; k < 3; k++)
        sturm_clear(&v[k]);
}

static void place_turn(const moving_triangles *pair, int side, int corner, polynomial3 out, sturm_polynomial *w)
{
    const graze_motion *m = &pair->motions[side];
    sturm_polynomial q[4], y[3], x;
    sturm_init(&x);
    for (int i = 0; i < 4; i++)
    {
        sturm_init(&q[i]);
        set_line(&q[i], m->quaternion[0][i], m->quaternion[1][i], UNIT);
    }
    mpz_t centre;
    mpz_init(centre);
    for (int k = 0; k < 3; k++)
    {
        sturm_init(&y[k]);
        set_integer(y[k].c[0], pair->corners[side][corner][k], 2 * UNIT);
        set_integer(centre, m->centre[k], 2 * UNIT);
        mpz_sub(y[k].c[0], y[k].c[0], centre);
        sturm_trim(&y[k], 0);
    }
    mpz_clear(centre);
    rotate(q, y, out, w);
    for (int k = 0; k < 3; k++)
    {
        int degree = m->kind == GRAZE_MOTION_BALLISTIC_TURN ? 2 : 1;
        for (int i = 0; i <= degree; i++)
            set_integer(x.c[i], m->path[i][k], 2 * UNIT);
        sturm_trim(&x, degree);
        add_product(&out[k], w, &x, 1);
    }
    sturm_clear(&x);
    for (int i = 0; i < 4; i++)
        sturm_clear(&q[i]);
    for (int k = 0; k < 3; k++)
        sturm_clear(&y[k]);
}

/* R p + t. */
static void place_point(const graze_pose *pose, const double p[3], int row, mpz_t out)
{
    mpz_t a, b;
    mpz_inits(a, b, NULL);
    set_integer(out, pose->m[4 * row + 3], 2 * UNIT);
    for (int j = 0; j < 3; j++)
    {
        set_integer(a, pose->m[4 * row + j], UNIT);
        set_integer(b, p[j], UNIT);
        mpz_addmul(out, a, b);
    }
    mpz_clears(a, b, NULL);
}

static void place_linear(const moving_triangles *pair, int side, int corner, polynomial3 out, sturm_polynomial *w)
{
    const graze_motion *m = &pair->motions[side];
    const double *p = pair->corners[side][corner], *q = pair->soft[side] ? pair->end_corners[side][corner] : p;
    for (int k = 0; k < 3; k++)
    {
        place_point(&m->start, p, k, out[k].c[0]);
        place_point(m->kind == GRAZE_MOTION_BLEND ? &m->end : &m->start, q, k, out[k].c[1]);
        mpz_sub(out[k].c[1], out[k].c[1], out[k].c[0]);
        sturm_trim(&out[k], 1);
    }
    mpz_set_ui(w->c[0], 1);
    sturm_trim(w, 0);
}

/* All coordinates over the product of both weights, without common factors. */
static void set_points(features_oracle *o, const moving_triangles *pair)
{
    sturm_polynomial w[2], before;
    sturm_init(&before);
    mpz_t content;
    mpz_init(content);
    for (int side = 0; side < 2; side++)
        sturm_init(&w[side]);
    for (int i = 0; i < 6; i++)
    {
        sturm_polynomial own;
        sturm_init(&own);
        bool turns = pair->motions[i / 3].kind >= GRAZE_MOTION_TURN;
        (turns ? place_turn : place_linear)(pair, i / 3, i % 3, o->points[i], &own);
        sturm_copy(&w[i / 3], &own);
        sturm_clear(&own);
    }
    sturm_multiply(&o->weight, &w[0], &w[1]);
    for (int i = 0; i < 18; i++)
    {
        sturm_polynomial *x = &o->points[i / 3][i % 3];
        sturm_copy(&before, x);
        sturm_multiply(x, &before, &w[1 - i / 9]);
        for (int k = 0; k <= x->degree; k++)
            mpz_gcd(content, content, x->c[k]);
    }
    for (int i = 0; i < 18 && mpz_sgn(content) != 0; i++)
        for (int k = 0; k <= o->points[i / 3][i % 3].degree; k++)
            mpz_divexact(o->points[i / 3][i % 3].c[k], o->points[i / 3][i % 3].c[k], content);
    sturm_make_primitive(&o->weight);
    mpz_clear(content);
    sturm_clear(&before);
    for (int side = 0; side < 2; side++)
        sturm_clear(&w[side]);
}

/* The sign of det(b - a, c - a, d - a) at t = 0. */
static int side_at_start(features_oracle *o, int a, int b, int c, int d)
{
    const int others[3] = {b, c, d};
    vector3 v[3], normal;
    mpz_t volume;
    mpz_init(volume);
    vector_init(normal);
    for (int i = 0; i < 3; i++)
    {
        vector_init(v[i]);
        for (int k = 0; k < 3; k++) /* coefficients beyond the degree may be anything */
        {
            sturm_polynomial *p = &o->points[others[i]][k], *q = &o->points[a][k];
            if (p->degree >= 0)
                mpz_set(v[i][k], p->c[0]);
            if (q->degree >= 0)
                mpz_sub(v[i][k], v[i][k], q->c[0]);
        }
    }
    vector_cross(normal, v[1], v[2]);
    vector_dot(volume, v[0], normal);
    int sign = mpz_sgn(volume);
    mpz_clear(volume);
    vector_clear(normal);
    for (int i = 0; i < 3; i++)
        vector_clear(v[i]);
    return sign;
}

/* Whether an edge of one pierces the face of the other at t = 0: then no vertex and no edges need to meet. */
static bool pierces_at_start(features_oracle *o)
{
    for (int i = 0; i < 6; i++)
    {
        int face = i < 3 ? 0 : 3, other = 3 - face, p = other + i % 3, q = other + (i + 1) % 3;
        int turn = side_at_start(o, p, q, face, face + 1);
        if (side_at_start(o, face, face + 1, face + 2, p) * side_at_start(o, face, face + 1, face + 2, q) < 0 &&
            turn != 0 && turn == side_at_start(o, p, q, face + 1, face + 2) &&
            turn == side_at_start(o, p, q, face + 2, face))
            return true;
    }
    return false;
}

bool moving_triangles_agree(const moving_triangles *pair, const graze_impact_interval *answer)
{
    features_oracle o;
    features_oracle_init(&o, answer);
    set_points(&o, pair);
    bool at_once = pierces_at_start(&o);
    for (int pass = 0; pass < 2 && !at_once; pass++)
        for (int i = 0; i < 15 && !at_once; i++)
        {
            int e = (i - 6) / 3, f = i % 3;
            const int face[4] = {i, i < 3 ? 3 : 0, i < 3 ? 4 : 1, i < 3 ? 5 : 2};
            const int edges[4] = {e, (e + 1) % 3, 3 + f, 3 + (f + 1) % 3};
            const int *v = i < 6 ? face : edges;
            if (pass == 0)
                at_once = features_oracle_meet(&o, NULL, i >= 6, v);
            else
                features_oracle_try(&o, i >= 6, v);
        }
    bool agrees = features_oracle_agrees(&o, at_once);
    features_oracle_clear(&o);
    return agrees;
}
