/* SPDX-License-Identifier: MIT */
/*
 * The oracle; see moving_features.h. A vertex is in a face where its inner products with the normals of the edges,
 * within the plane, are not negative; two edges meet where the parameters of their lines' common point are in [0, 1].
 */
#include <math.h>
#include <string.h>

#include "support/features_oracle.h"
#include "support/lattice.h"
#include "support/moving_features.h"
#include "support/sturm.h"

static void init3(polynomial3 v)
{
    for (int k = 0; k < 3; k++)
        sturm_init(&v[k]);
}

static void clear3(polynomial3 v)
{
    for (int k = 0; k < 3; k++)
        sturm_clear(&v[k]);
}

static void difference(polynomial3 out, polynomial3 a, polynomial3 b)
{
    for (int k = 0; k < 3; k++)
        sturm_add(&out[k], &a[k], &b[k], -1);
}

static void cross(polynomial3 out, polynomial3 a, polynomial3 b)
{
    sturm_polynomial x, y;
    sturm_init(&x);
    sturm_init(&y);
    for (int k = 0; k < 3; k++)
    {
        sturm_multiply(&x, &a[(k + 1) % 3], &b[(k + 2) % 3]);
        sturm_multiply(&y, &a[(k + 2) % 3], &b[(k + 1) % 3]);
        sturm_add(&out[k], &x, &y, -1);
    }
    sturm_clear(&x);
    sturm_clear(&y);
}

static void dot(sturm_polynomial *out, polynomial3 a, polynomial3 b)
{
    sturm_polynomial x, sum;
    sturm_init(&x);
    sturm_init(&sum);
    for (int k = 0; k < 3; k++)
    {
        sturm_multiply(&x, &a[k], &b[k]);
        sturm_add(out, &sum, &x, 1);
        sturm_copy(&sum, out);
    }
    sturm_clear(&x);
    sturm_clear(&sum);
}

/* Signs at t = 0 if root is NULL. */
static int sign(const sturm_root *root, const sturm_polynomial *g)
{
    if (root != NULL)
        return sturm_sign_at(root, g);
    return g->degree < 0 ? 0 : mpz_sgn(g->c[0]);
}

static void set_points(features_oracle *o, const moving_features *features)
{
    mpq_t value;
    mpz_t scale;
    mpq_init(value);
    mpz_init_set_ui(scale, 1);
    for (int pass = 0; pass < 2; pass++) /* the denominators are powers of two: the largest is a common one */
        for (int i = 0; i < 24; i++)
        {
            sturm_polynomial *x = &o->points[i / 6][i % 3];
            int end = i / 3 % 2;
            rational_set_double(value, features->places[i / 6][end][i % 3]);
            if (pass == 0 && mpz_cmp(mpq_denref(value), scale) > 0)
                mpz_set(scale, mpq_denref(value));
            if (pass == 0)
                continue;
            mpz_mul(x->c[end], mpq_numref(value), scale);
            mpz_divexact(x->c[end], x->c[end], mpq_denref(value));
            if (end == 1)
            {
                mpz_sub(x->c[1], x->c[1], x->c[0]);
                sturm_trim(x, 1);
            }
        }
    mpq_clear(value);
    mpz_clear(scale);
}

static bool on_segment(features_oracle *o, const sturm_root *root, int p, int a, int b)
{
    polynomial3 u, v, w;
    sturm_polynomial f;
    init3(u);
    init3(v);
    init3(w);
    sturm_init(&f);
    difference(u, o->points[a], o->points[p]);
    difference(v, o->points[b], o->points[p]);
    dot(&f, u, v);
    bool on = sign(root, &f) <= 0;
    cross(w, u, v);
    for (int k = 0; k < 3 && on; k++)
        on = sign(root, &w[k]) == 0;
    clear3(u);
    clear3(v);
    clear3(w);
    sturm_clear(&f);
    return on;
}

static bool in_face(features_oracle *o, const sturm_root *root, int p, int a, int b, int c)
{
    const int corners[3] = {a, b, c};
    polynomial3 u, v, n, m;
    sturm_polynomial f;
    init3(u);
    init3(v);
    init3(n);
    init3(m);
    sturm_init(&f);
    difference(u, o->points[b], o->points[a]);
    difference(v, o->points[c], o->points[a]);
    cross(n, u, v);
    dot(&f, n, n);
    bool in = sign(root, &f) > 0;
    if (in)
    {
        difference(u, o->points[p], o->points[a]);
        dot(&f, u, n);
        in = sign(root, &f) == 0;
        for (int i = 0; i < 3 && in; i++)
        {
            difference(u, o->points[corners[(i + 1) % 3]], o->points[corners[i]]);
            difference(v, o->points[p], o->points[corners[i]]);
            cross(m, u, v);
            dot(&f, m, n);
            in = sign(root, &f) >= 0;
        }
    }
    else
        in = on_segment(o, root, p, a, b) || on_segment(o, root, p, b, c) || on_segment(o, root, p, c, a);
    clear3(u);
    clear3(v);
    clear3(n);
    clear3(m);
    sturm_clear(&f);
    return in;
}

/* Whether the segments a b and c d meet. */
static bool edges_meet(features_oracle *o, const sturm_root *root, int a, int b, int c, int d)
{
    polynomial3 u, v, w, m, x;
    sturm_polynomial whole, part, rest;
    init3(u);
    init3(v);
    init3(w);
    init3(m);
    init3(x);
    sturm_init(&whole);
    sturm_init(&part);
    sturm_init(&rest);
    difference(u, o->points[b], o->points[a]);
    difference(v, o->points[d], o->points[c]);
    difference(w, o->points[c], o->points[a]);
    cross(m, u, v);
    dot(&whole, m, m);
    bool meet = sign(root, &whole) > 0;
    if (meet)
    {
        dot(&part, w, m);
        meet = sign(root, &part) == 0;
        for (int i = 0; i < 2 && meet; i++)
        {
            cross(x, w, i == 0 ? v : u);
            dot(&part, x, m);
            sturm_add(&rest, &whole, &part, -1);
            meet = sign(root, &part) >= 0 && sign(root, &rest) >= 0;
        }
    }
    else
        meet = on_segment(o, root, a, c, d) || on_segment(o, root, b, c, d) || on_segment(o, root, c, a, b) ||
               on_segment(o, root, d, a, b);
    clear3(u);
    clear3(v);
    clear3(w);
    clear3(m);
    clear3(x);
    sturm_clear(&whole);
    sturm_clear(&part);
    sturm_clear(&rest);
    return meet;
}

bool features_oracle_meet(features_oracle *o, const sturm_root *root, bool edges, const int v[4])
{
    return edges ? edges_meet(o, root, v[0], v[1], v[2], v[3]) : in_face(o, root, v[0], v[1], v[2], v[3]);
}

/* Compares a time of contact with the answer. */
static void compare(features_oracle *o, const sturm_root *root)
{
    if (o->answer->verdict != GRAZE_IMPACT_AT)
    {
        o->none_earlier = false;
        return;
    }
    mpq_t lower, upper;
    mpq_inits(lower, upper, NULL);
    rational_set_double(lower, o->answer->lower);
    rational_set_double(upper, o->answer->upper);
    int above_lower = sturm_compare(root, lower), above_upper = sturm_compare(root, upper);
    bool point = mpq_equal(lower, upper) != 0;
    o->none_earlier = o->none_earlier && (point ? above_lower >= 0 : above_lower > 0);
    o->one_there = o->one_there || (point ? above_lower == 0 : above_lower > 0 && above_upper < 0);
    mpq_clears(lower, upper, NULL);
}

/* All roots of f in (0, 1] until the first at which they meet. */
static void try_roots(features_oracle *o, const sturm_polynomial *f, bool edges, const int v[4])
{
    sturm_polynomial square_free;
    sturm_root root;
    mpq_t after;
    sturm_init(&square_free);
    sturm_root_init(&root);
    mpq_init(after);
    sturm_square_free(&square_free, f);
    while (sturm_first_root(&square_free, after, &root))
    {
        if (features_oracle_meet(o, &root, edges, v))
        {
            compare(o, &root);
            break;
        }
        mpq_set(after, root.upper);
    }
    sturm_clear(&square_free);
    sturm_root_clear(&root);
    mpq_clear(after);
}

/* All move within a plane: a vertex and an edge become collinear, or change sides along their common line. */
static void try_vertex_edge(features_oracle *o, int p, int a, int b, bool edges, const int all[4])
{
    polynomial3 u, v, w;
    sturm_polynomial f;
    init3(u);
    init3(v);
    init3(w);
    sturm_init(&f);
    difference(u, o->points[a], o->points[p]);
    difference(v, o->points[b], o->points[p]);
    cross(w, u, v);
    dot(&f, w, w);
    if (f.degree < 0)
        dot(&f, u, v);
    if (f.degree >= 0)
        try_roots(o, &f, edges, all);
    clear3(u);
    clear3(v);
    clear3(w);
    sturm_clear(&f);
}

void features_oracle_try(features_oracle *o, bool edges, const int i[4])
{
    polynomial3 u, v, w, n;
    sturm_polynomial volume;
    init3(u);
    init3(v);
    init3(w);
    init3(n);
    sturm_init(&volume);
    difference(u, o->points[i[1]], o->points[i[0]]);
    difference(v, o->points[i[2]], o->points[i[0]]);
    difference(w, o->points[i[3]], o->points[i[0]]);
    cross(n, v, w);
    dot(&volume, u, n);
    for (int k = 0; k < 2 && volume.degree >= 0 && o->weight.degree > 0; k++)
        sturm_divide(&volume, &o->weight);
    if (volume.degree >= 0)
        try_roots(o, &volume, edges, i);
    else if (edges)
        for (int k = 0; k < 2; k++)
        {
            try_vertex_edge(o, i[k], i[2], i[3], true, i);
            try_vertex_edge(o, i[2 + k], i[0], i[1], true, i);
        }
    else
        for (int k = 0; k < 3; k++)
            try_vertex_edge(o, i[0], i[1 + k], i[1 + (k + 1) % 3], false, i);
    clear3(u);
    clear3(v);
    clear3(w);
    clear3(n);
    sturm_clear(&volume);
}

void features_oracle_init(features_oracle *o, const graze_impact_interval *answer)
{
    for (int i = 0; i < 6; i++)
        init3(o->points[i]);
    sturm_init(&o->weight);
    o->answer = answer;
    o->none_earlier = true;
    o->one_there = false;
}

void features_oracle_clear(features_oracle *o)
{
    for (int i = 0; i < 6; i++)
        clear3(o->points[i]);
    sturm_clear(&o->weight);
}

/* What an answer must be apart from its time. */
bool features_oracle_agrees(const features_oracle *o, bool at_once)
{
    const graze_impact_interval *answer = o->answer;
    bool hit = answer->verdict == GRAZE_IMPACT_AT,
         zero = double_is_zero(answer->lower) && double_is_zero(answer->upper);
    if (at_once || (hit && !(answer->upper > 0)))
        return at_once && hit && zero;
    if (!hit)
        return o->none_earlier && zero && answer->verdict == GRAZE_IMPACT_NONE;
    bool tight = !(answer->lower < answer->upper) || !(nextafter(answer->lower, 2) < answer->upper);
    return o->none_earlier && o->one_there && tight && !(answer->upper < answer->lower) && answer->lower >= 0 &&
           answer->upper <= 1;
}

bool moving_features_agree(const moving_features *features, const graze_impact_interval *answer)
{
    static const int v[4] = {0, 1, 2, 3};
    features_oracle o;
    features_oracle_init(&o, answer);
    set_points(&o, features);
    bool at_once = features_oracle_meet(&o, NULL, features->edges, v);
    if (!at_once)
        features_oracle_try(&o, features->edges, v);
    bool agrees = features_oracle_agrees(&o, at_once);
    features_oracle_clear(&o);
    return agrees;
}
