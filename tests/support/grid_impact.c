/* SPDX-License-Identifier: MIT */
/*
 * The oracle; see grid_impact.h.
 *
 * Bits: coordinates are at most 16, their differences at most 32 at t = 0 and change by at most 64. Volumes have
 * coefficients of at most 6 * 3 * 64^3 < 2^23, areas and inner products of at most 3 * 2 * 64^2 < 2^15. A root lies in
 * (n, n + 1] 2^-32; a cubic there times 2^96 is below 2^(23 + 96 + 3).
 */
#include "support/grid_impact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

enum
{
    DEPTH = 32,
    LIMBS = 6
};

/* The sum of c[i] t^i; zero has the degree -1. */
typedef struct power_form
{
    int degree;
    int64_t c[4];
} power_form;

/* n 2^-32 if exact, else between that and (n + 1) 2^-32; the only root of f in (n, n + 1] 2^-32. */
typedef struct grid_root
{
    power_form f;
    int64_t n;
    bool exact;
} grid_root;

typedef struct grid_search
{
    const grid_pair *pair;
    const graze_impact_interval *answer;
    bool undecided, one_earlier, one_there;
} grid_search;

/* ---- polynomials ---- */

static void trim(power_form *p, int degree)
{
    while (degree >= 0 && p->c[degree] == 0)
        degree--;
    p->degree = degree;
}

static int64_t divisor_of(int64_t a, int64_t b)
{
    while (b != 0)
    {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

static void drop_content(power_form *p)
{
    int64_t content = 0;
    for (int i = 0; i <= p->degree; i++)
        content = divisor_of(p->c[i], content);
    for (int i = 0; i <= p->degree && content > 1; i++)
        p->c[i] /= content;
}

static wide wide_divisor_of(wide a, wide b)
{
    while (b != 0)
    {
        wide rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

/* From wide coefficients, without what they have in common; false where 64 bits are too few. */
static bool from_wide(const wide *c, int degree, power_form *out)
{
    wide content = 0;
    *out = (power_form){.degree = -1};
    for (int i = 0; i <= degree; i++)
        content = wide_divisor_of(c[i], content);
    for (int i = 0; i <= degree && content != 0; i++)
    {
        wide x = c[i] / content;
        if (x > INT64_MAX / 4 || x < INT64_MIN / 4)
            return false;
        out->c[i] = (int64_t)x;
    }
    trim(out, degree);
    return true;
}

/* The rest of a by b, times a positive number; false where bits are too few. */
static bool remainder_by(const power_form *a, const power_form *b, power_form *out)
{
    wide r[4], lead = b->c[b->degree];
    for (int i = 0; i <= a->degree; i++)
        r[i] = a->c[i];
    for (int top = a->degree; top >= b->degree; top--)
    {
        wide factor = r[top];
        int shift = top - b->degree;
        for (int i = 0; i < top; i++)
        {
            wide x, y, z = i >= shift ? b->c[i - shift] : 0;
            if (__builtin_mul_overflow(r[i], lead, &x) || __builtin_mul_overflow(factor, z, &y) ||
                __builtin_sub_overflow(x, y, &r[i]))
                return false;
            if (lead < 0)
                r[i] = -r[i];
        }
    }
    return from_wide(r, b->degree - 1, out);
}

static bool common_divisor(power_form a, power_form b, power_form *out)
{
    while (b.degree >= 0)
    {
        power_form rest;
        if (b.degree == 0)
            rest = (power_form){.degree = -1};
        else if (!remainder_by(&a, &b, &rest))
            return false;
        a = b;
        b = rest;
    }
    *out = a;
    return true;
}

/* The value at n 2^-32 times 2^(32 degree). */
static wide value_at(const power_form *p, int64_t n)
{
    wide value = p->c[p->degree];
    for (int i = p->degree - 1; i >= 0; i--)
        value = value * n + p->c[i] * ((wide)1 << (DEPTH * (p->degree - i)));
    return value;
}

static int sign_of(wide x)
{
    return x > 0 ? 1 : x < 0 ? -1 : 0;
}

static power_form derivative(const power_form *p)
{
    power_form d = {.degree = -1};
    for (int i = 1; i <= p->degree; i++)
        d.c[i - 1] = i * p->c[i];
    trim(&d, p->degree - 1);
    return d;
}

/* p / d, which is a divisor of it. */
static power_form quotient(const power_form *p, const power_form *d)
{
    power_form rest = *p, q = {.degree = -1};
    for (int i = p->degree - d->degree; i >= 0; i--)
    {
        q.c[i] = rest.c[i + d->degree] / d->c[d->degree];
        for (int k = 0; k <= d->degree; k++)
            rest.c[i + k] -= q.c[i] * d->c[k];
    }
    trim(&q, p->degree - d->degree);
    return q;
}

/* The sign of p at the double x in (0, 1], in integers of 384 bits. */
static int sign_at_double(const power_form *p, double x)
{
    uint64_t sum[LIMBS] = {0};
    int exponent;
    uint64_t m = (uint64_t)ldexp(frexp(x, &exponent), 53);
    int k = 53 - exponent; /* x = m 2^-k */
    for (int i = p->degree; i >= 0; i--)
    {
        unsigned_wide carry = 0;
        int shift = k * (p->degree - i), word = shift / 64;
        wide term = p->c[i] * ((wide)1 << (shift % 64));
        for (int j = 0; j < LIMBS; j++)
        {
            carry += (unsigned_wide)sum[j] * (i < p->degree ? m : 1);
            sum[j] = (uint64_t)carry;
            carry >>= 64;
        }
        carry = 0;
        for (int j = word; j < LIMBS; j++)
        {
            uint64_t limb = j == word ? (uint64_t)term : j == word + 1 ? (uint64_t)(term >> 64) : term < 0 ? ~0ull : 0;
            carry += (unsigned_wide)sum[j] + limb;
            sum[j] = (uint64_t)carry;
            carry >>= 64;
        }
    }
    bool zero = true;
    for (int j = 0; j < LIMBS; j++)
        zero = zero && sum[j] == 0;
    return zero ? 0 : sum[LIMBS - 1] >> 63 != 0 ? -1 : 1;
}

/* ---- roots ---- */

/* Sturm's chain of a square-free polynomial with a positive leading coefficient: it, its derivative, and of a cubic a
   linear one; the last one is the sign of the discriminant. */
typedef struct sturm_chain
{
    int count, last;
    power_form p[3];
} sturm_chain;

static bool make_chain(const power_form *f, sturm_chain *chain)
{
    const int64_t *c = f->c;
    *chain = (sturm_chain){.count = f->degree < 2 ? 1 : f->degree, .last = 1, .p = {*f, derivative(f)}};
    if (f->degree == 2)
        chain->last = sign_of((wide)c[1] * c[1] - (wide)4 * c[0] * c[2]);
    if (f->degree == 3)
    {
        if (!remainder_by(f, &chain->p[1], &chain->p[2]))
            return false;
        for (int i = 0; i <= chain->p[2].degree; i++)
            chain->p[2].c[i] = -chain->p[2].c[i];
        wide a = c[3], b = c[2], d = c[1], e = c[0];
        chain->last =
            sign_of(18 * a * b * d * e - 4 * b * b * b * e + b * b * d * d - 4 * a * d * d * d - 27 * a * a * e * e);
    }
    return true;
}

static int variations(const sturm_chain *chain, int64_t n)
{
    int count = 0, before = 0;
    for (int i = 0; i <= chain->count; i++)
    {
        int sign = chain->last;
        if (i < chain->count)
            sign = chain->p[i].degree < 0 ? 0 : sign_of(value_at(&chain->p[i], n));
        count += sign * before < 0;
        before = sign != 0 ? sign : before;
    }
    return count;
}

/* The only root in (n, n + length] 2^-32. */
static grid_root narrow(const power_form *f, int64_t n, int64_t length)
{
    int end = sign_of(value_at(f, n + length)); /* if not 0 that right after the root */
    while (length > 1 && end != 0)
    {
        length /= 2;
        int middle = sign_of(value_at(f, n + length));
        if (middle == 0)
            return (grid_root){*f, n + length, true};
        n += middle == end ? 0 : length;
    }
    return end == 0 ? (grid_root){*f, n + length, true} : (grid_root){*f, n, false};
}

/* Roots in (n, n + length] 2^-32: as many as `before` is more than `after`. */
static void isolate(grid_search *s, const sturm_chain *chain, int64_t n, int64_t length, int before, int after,
                    grid_root *roots, int *count)
{
    if (before == after)
        return;
    if (before - after == 1)
    {
        roots[(*count)++] = narrow(&chain->p[0], n, length);
        return;
    }
    if (length == 1)
    {
        s->undecided = true;
        return;
    }
    int middle = variations(chain, n + length / 2);
    isolate(s, chain, n, length / 2, before, middle, roots, count);
    isolate(s, chain, n + length / 2, length / 2, middle, after, roots, count);
}

/* All roots in (0, 1] of a polynomial that is not zero. */
static int find_roots(grid_search *s, power_form f, grid_root roots[3])
{
    int count = 0;
    power_form d = derivative(&f), divisor;
    sturm_chain chain;
    drop_content(&f);
    if (f.degree < 1)
        return 0;
    if (f.degree > 1)
    {
        if (!common_divisor(f, d, &divisor))
        {
            s->undecided = true;
            return 0;
        }
        drop_content(&divisor);
        if (divisor.degree > 0)
            f = quotient(&f, &divisor);
    }
    for (int i = 0, negate = f.c[f.degree] < 0; i <= f.degree && negate; i++)
        f.c[i] = -f.c[i];
    if (!make_chain(&f, &chain))
        s->undecided = true;
    else
        isolate(s, &chain, 0, (int64_t)1 << DEPTH, variations(&chain, 0), variations(&chain, (int64_t)1 << DEPTH),
                roots, &count);
    return count;
}

/* The sign of g at a root, or at t = 0 if it is NULL. */
static int sign_at(grid_search *s, const grid_root *root, const power_form *g)
{
    if (g->degree < 0)
        return 0;
    if (root == NULL)
        return sign_of(g->c[0]);
    wide value = value_at(g, root->n), change = 0;
    if (root->exact || g->degree == 0)
        return sign_of(value);
    for (int i = 1; i <= g->degree; i++)
        change += (wide)i * llabs(g->c[i]);
    change <<= DEPTH * (g->degree - 1);
    if (value > change || value < -change)
        return sign_of(value);
    power_form divisor;
    if (!common_divisor(root->f, *g, &divisor) || divisor.degree < 1)
        s->undecided = true;
    else
    {
        wide low = value_at(&divisor, root->n), high = value_at(&divisor, root->n + 1);
        if (sign_of(low) * sign_of(high) < 0)
            return 0;
        s->undecided = true;
    }
    return 0;
}

/* ---- geometry: indices of points ---- */

static power_form difference(const grid_search *s, int p, int q, int k)
{
    power_form d;
    d.c[0] = s->pair->places[p][0][k] - s->pair->places[q][0][k];
    d.c[1] = s->pair->places[p][1][k] - s->pair->places[q][1][k] - d.c[0];
    trim(&d, 1);
    return d;
}

static void add_product(power_form *sum, const power_form *a, const power_form *b, int sign)
{
    for (int i = 0; i <= a->degree; i++)
        for (int j = 0; j <= b->degree; j++)
            sum->c[i + j] += sign * a->c[i] * b->c[j];
}

/* Component k of (q - p) x (r - o). */
static power_form cross(const grid_search *s, int p, int q, int o, int r, int k)
{
    int i = (k + 1) % 3, j = (k + 2) % 3;
    power_form sum = {.degree = -1}, a = difference(s, q, p, i), b = difference(s, r, o, j);
    add_product(&sum, &a, &b, 1);
    a = difference(s, q, p, j);
    b = difference(s, r, o, i);
    add_product(&sum, &a, &b, -1);
    trim(&sum, 2);
    return sum;
}

/* (p - o) . ((q - o) x (r - o)) */
static power_form volume(const grid_search *s, int o, int p, int q, int r)
{
    power_form sum = {.degree = -1};
    for (int k = 0; k < 3; k++)
    {
        power_form a = difference(s, p, o, k), b = cross(s, o, q, o, r, k);
        add_product(&sum, &a, &b, 1);
    }
    trim(&sum, 3);
    return sum;
}

/* Whether p is on the segment of a and b: on the line, and the two do not lie on one side of it. */
static bool on_segment(grid_search *s, const grid_root *root, int p, int a, int b)
{
    power_form product = {.degree = -1};
    for (int k = 0; k < 3; k++)
    {
        power_form x = difference(s, p, a, k), y = difference(s, p, b, k);
        add_product(&product, &x, &y, 1);
    }
    trim(&product, 2);
    if (sign_at(s, root, &product) > 0)
        return false;
    for (int k = 0; k < 3; k++)
    {
        power_form x = cross(s, a, b, a, p, k);
        if (sign_at(s, root, &x) != 0)
            return false;
    }
    return true;
}

/* Whether p, in the plane of a, b and c, is in the triangle: by the components of the normal and of its share at each
   edge. */
static bool in_triangle(grid_search *s, const grid_root *root, int p, int a, int b, int c)
{
    const int v[4] = {a, b, c, a};
    for (int k = 0; k < 3; k++)
    {
        power_form normal = cross(s, a, b, a, c, k);
        int turn = sign_at(s, root, &normal);
        if (turn == 0)
            continue;
        for (int e = 0; e < 3; e++)
        {
            power_form share = cross(s, v[e], v[e + 1], v[e], p, k);
            if (turn * sign_at(s, root, &share) < 0)
                return false;
        }
        return true;
    }
    return on_segment(s, root, p, a, b) || on_segment(s, root, p, b, c) || on_segment(s, root, p, c, a);
}

/* Whether the share of the vector in the normal is from 0 to 1. */
static bool is_share(grid_search *s, const grid_root *root, power_form share, const power_form *normal, int turn)
{
    if (turn * sign_at(s, root, &share) < 0)
        return false;
    power_form rest = {.degree = -1};
    for (int i = 0; i < 3; i++)
        rest.c[i] = (i <= normal->degree ? normal->c[i] : 0) - (i <= share.degree ? share.c[i] : 0);
    trim(&rest, 2);
    return turn * sign_at(s, root, &rest) >= 0;
}

/* Whether two segments in a common plane meet: by the parameters of the point in which their lines do. */
static bool segments_meet(grid_search *s, const grid_root *root, int a, int b, int c, int d)
{
    for (int k = 0; k < 3; k++)
    {
        power_form normal = cross(s, a, b, c, d, k);
        int turn = sign_at(s, root, &normal);
        if (turn != 0)
            return is_share(s, root, cross(s, a, c, c, d, k), &normal, turn) &&
                   is_share(s, root, cross(s, a, c, a, b, k), &normal, turn);
    }
    return on_segment(s, root, a, c, d) || on_segment(s, root, b, c, d) || on_segment(s, root, c, a, b) ||
           on_segment(s, root, d, a, b);
}

/* ---- times ---- */

/* The sign of a root minus a double in [0, 1]. */
static int compare(const grid_root *root, double x)
{
    double low = ldexp((double)root->n, -DEPTH), high = ldexp((double)root->n + 1, -DEPTH);
    if (root->exact)
        return low > x ? 1 : low < x ? -1 : 0;
    if (x <= low)
        return 1;
    if (x >= high)
        return -1;
    int sign = sign_at_double(&root->f, x);
    return sign == 0 ? 0 : sign == sign_of(value_at(&root->f, root->n + 1)) ? -1 : 1;
}

static void note(grid_search *s, const grid_root *root)
{
    const graze_impact_interval *answer = s->answer;
    if (answer->verdict != GRAZE_IMPACT_AT)
    {
        s->one_earlier = true;
        return;
    }
    int low = compare(root, answer->lower), high = compare(root, answer->upper);
    bool is_double = !(answer->lower < answer->upper);
    s->one_earlier = s->one_earlier || (is_double ? low < 0 : low <= 0);
    s->one_there = s->one_there || (is_double ? low == 0 : low > 0 && high < 0);
}

/* Of the roots of f those at which a vertex meets a face (v[0] and the rest), two edges, a vertex an edge. */
static void try_roots(grid_search *s, const power_form *f, int kind, const int *v)
{
    grid_root roots[3];
    int count = find_roots(s, *f, roots);
    for (int i = 0; i < count; i++)
    {
        bool meet = kind == 0   ? in_triangle(s, &roots[i], v[0], v[1], v[2], v[3])
                    : kind == 1 ? segments_meet(s, &roots[i], v[0], v[1], v[2], v[3])
                                : on_segment(s, &roots[i], v[0], v[1], v[2]);
        if (meet)
            note(s, &roots[i]);
    }
}

/* A vertex and an edge that stay in a plane, or on a line: all times at which a component of their area, or else a
   coordinate of a difference, is zero. */
static void try_vertex_edge(grid_search *s, int p, int a, int b)
{
    const int v[3] = {p, a, b};
    bool collinear = true;
    for (int k = 0; k < 3; k++)
    {
        power_form area = cross(s, a, b, a, p, k);
        if (area.degree >= 0)
            try_roots(s, &area, 2, v);
        collinear = collinear && area.degree < 0;
    }
    for (int i = 0; i < 6 && collinear; i++)
    {
        power_form d = difference(s, p, v[1 + i / 3], i % 3);
        if (d.degree >= 0)
            try_roots(s, &d, 2, v);
    }
}

static void try_features(grid_search *s, bool edges, int p, int a, int b, int c)
{
    const int v[4] = {p, a, b, c};
    power_form f = volume(s, p, a, b, c);
    if (f.degree >= 0)
        try_roots(s, &f, edges ? 1 : 0, v);
    else if (edges)
    {
        try_vertex_edge(s, p, b, c);
        try_vertex_edge(s, a, b, c);
        try_vertex_edge(s, b, p, a);
        try_vertex_edge(s, c, p, a);
    }
    else
    {
        try_vertex_edge(s, p, a, b);
        try_vertex_edge(s, p, b, c);
        try_vertex_edge(s, p, c, a);
    }
}

/* ---- the start ---- */

static int side_at_start(grid_search *s, int a, int b, int c, int d)
{
    power_form f = volume(s, a, b, c, d);
    return sign_at(s, NULL, &f);
}

static bool features_meet_at_start(grid_search *s, bool edges, int p, int a, int b, int c)
{
    if (side_at_start(s, p, a, b, c) != 0)
        return false;
    return edges ? segments_meet(s, NULL, p, a, b, c) : in_triangle(s, NULL, p, a, b, c);
}

static bool pierces(grid_search *s, int p, int q, int a, int b, int c)
{
    if (side_at_start(s, a, b, c, p) * side_at_start(s, a, b, c, q) >= 0)
        return false;
    int turn = side_at_start(s, p, q, a, b);
    return turn != 0 && side_at_start(s, p, q, b, c) == turn && side_at_start(s, p, q, c, a) == turn;
}

/* ---- all ---- */

static const int corners[3][2] = {{0, 1}, {1, 2}, {2, 0}};

/* The pairs of features of two triangles: 6 of a vertex and a face, 9 of edges. */
static bool feature(int i, int v[4])
{
    bool edges = i >= 6;
    int face = i < 3 ? 0 : 3, e = (i - 6) / 3, f = (i - 6) % 3;
    v[0] = edges ? corners[e][0] : 3 - face + i % 3;
    v[1] = edges ? corners[e][1] : face;
    v[2] = edges ? 3 + corners[f][0] : face + 1;
    v[3] = edges ? 3 + corners[f][1] : face + 2;
    return edges;
}

static bool meet_at_start(grid_search *s)
{
    if (s->pair->kind != GRID_TRIANGLES)
        return features_meet_at_start(s, s->pair->kind == GRID_EDGES, 0, 1, 2, 3);
    for (int i = 0; i < 15; i++)
    {
        int v[4];
        bool edges = feature(i, v);
        if (features_meet_at_start(s, edges, v[0], v[1], v[2], v[3]))
            return true;
    }
    for (int i = 0; i < 6; i++)
    {
        int face = i < 3 ? 0 : 3, other = 3 - face;
        if (pierces(s, other + corners[i % 3][0], other + corners[i % 3][1], face, face + 1, face + 2))
            return true;
    }
    return false;
}

static bool is_zero(double x)
{
    return !(x > 0 || x < 0);
}

grid_answer grid_pair_check(const grid_pair *pair, const graze_impact_interval *answer)
{
    grid_search s = {.pair = pair, .answer = answer};
    bool hit = answer->verdict == GRAZE_IMPACT_AT, zero = is_zero(answer->lower) && is_zero(answer->upper);
    bool in_order = answer->lower >= 0 && answer->upper >= answer->lower && answer->upper <= 1;
    if ((!hit && answer->verdict != GRAZE_IMPACT_NONE) || !in_order || (!hit && !zero))
        return GRID_WRONG;
    bool at_start = meet_at_start(&s);
    if (at_start || (hit && zero))
        return at_start && hit && zero ? GRID_RIGHT : GRID_WRONG;
    if (hit && answer->lower < answer->upper && nextafter(answer->lower, 2) < answer->upper)
        return GRID_WRONG;
    int v[4] = {0, 1, 2, 3};
    if (pair->kind != GRID_TRIANGLES)
        try_features(&s, pair->kind == GRID_EDGES, 0, 1, 2, 3);
    for (int i = 0; i < 15 && pair->kind == GRID_TRIANGLES; i++)
    {
        bool edges = feature(i, v);
        try_features(&s, edges, v[0], v[1], v[2], v[3]);
    }
    if (s.undecided)
        return GRID_UNDECIDED;
    return hit == s.one_there && !s.one_earlier ? GRID_RIGHT : GRID_WRONG;
}
