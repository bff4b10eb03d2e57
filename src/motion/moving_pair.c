/* SPDX-License-Identifier: MIT */
/*
 * Predicates of two moving triangles; see moving_pair.h.
 *
 * With homogeneous corners V / w, edges (D, M) and faces (n, o) of moving_body.h:
 * - orient3d(a, b, c, d), a b c a face and d a corner of the other: -(V . n - w o); for edges a b and c d of both: -(D
 * . M'
 *   + M . D'), which is how lines with Pluecker coordinates pass one another.
 * - orient2d along k: of a face n_k; of an edge and a corner of the other (D x V + w M)_k.
 * - differences: of one triangle -D_k of the edge between; of both (V w' - V' w)_k.
 */
#include "motion/moving_pair.h"

static grz_moving_body *body_of(const grz_moving_points *base, int corner)
{
    return ((const grz_moving_pair *)base)->bodies[corner / 3];
}

static const grz_polynomial *corner_of(const grz_moving_points *base, int corner)
{
    return grz_moving_body_corner(body_of(base, corner), corner % 3);
}

/* The edge between two corners of a triangle, and whether it runs from the second to the first. */
static int edge_between(int a, int b, bool *reversed)
{
    *reversed = (a + 1) % 3 != b % 3;
    return (*reversed ? b : a) % 3;
}

static void negate(grz_polynomial *p)
{
    for (int i = 0; i <= p->degree; i++)
        p->c[i].sign = -p->c[i].sign;
}

static void dot(grz_scratch *scratch, const grz_polynomial *a, const grz_polynomial *b, grz_polynomial *out)
{
    grz_polynomial term;
    grz_polynomial_multiply(scratch, &a[0], &b[0], out);
    for (int k = 1; k < 3; k++)
    {
        grz_polynomial_multiply(scratch, &a[k], &b[k], &term);
        grz_polynomial_sum(scratch, out, &term, false, out);
    }
}

/* Whether a b c is an even permutation of 0 1 2. */
static bool is_even(int a, int b)
{
    return (a + 1) % 3 == b % 3;
}

int grz_pair_side(int a, int b, int c, int d, bool *negated)
{
    if (a / 3 == c / 3)
    {
        *negated = !is_even(a, b);
        return d < 3 ? 3 + d : d - 3;
    }
    bool first_reversed, second_reversed, edges_of_b_first = a >= 3;
    int e = edge_between(a, b, &first_reversed), f = edge_between(c, d, &second_reversed);
    *negated = first_reversed != second_reversed; /* orient3d(c, d, a, b) is orient3d(a, b, c, d) */
    return 6 + 3 * (edges_of_b_first ? f : e) + (edges_of_b_first ? e : f);
}

void grz_pair_side_corners(int side, int out[4])
{
    if (side < 6)
    {
        int face = side < 3 ? 0 : 3;
        out[0] = face;
        out[1] = face + 1;
        out[2] = face + 2;
        out[3] = side < 3 ? 3 + side : side - 3;
        return;
    }
    int e = (side - 6) / 3, f = (side - 6) % 3;
    out[0] = e;
    out[1] = (e + 1) % 3;
    out[2] = 3 + f;
    out[3] = 3 + (f + 1) % 3;
}

static void make_side_of_face(const grz_moving_points *base, int a, int d, grz_polynomial *out)
{
    grz_moving_body *face = body_of(base, a), *other = body_of(base, d);
    grz_polynomial height, offset;
    dot(base->scratch, corner_of(base, d), grz_moving_body_normal(face), &height);
    grz_polynomial_multiply(base->scratch, &other->weight, grz_moving_body_offset(face), &offset);
    grz_polynomial_sum(base->scratch, &offset, &height, true, out);
}

static void make_side_of_edges(const grz_moving_points *base, int e, int f, grz_polynomial *out)
{
    grz_moving_body *first = body_of(base, 0), *second = body_of(base, 3);
    grz_polynomial x, y;
    dot(base->scratch, grz_moving_body_direction(first, e), grz_moving_body_moment(second, f), &x);
    dot(base->scratch, grz_moving_body_moment(first, e), grz_moving_body_direction(second, f), &y);
    grz_polynomial_sum(base->scratch, &x, &y, false, out);
    negate(out);
}

/* Of a face and a corner of the other triangle, last; or of two corners of each, the first two of one. Each volume is
   made once. */
static void orient3d(const grz_moving_points *base, int a, int b, int c, int d, grz_polynomial *out)
{
    struct grz_pair_sides *sides = ((const grz_moving_pair *)base)->sides;
    bool negated;
    int side = grz_pair_side(a, b, c, d, &negated);
    if ((sides->made >> side & 1) == 0)
    {
        grz_polynomial *made = &sides->polynomials[side];
        if (side < 6)
            make_side_of_face(base, a, d, made);
        else
            make_side_of_edges(base, (side - 6) / 3, side % 3, made);
        sides->made |= 1u << side;
    }
    *out = sides->polynomials[side];
    if (negated)
        negate(out);
}

static void orient2d(const grz_moving_points *base, int a, int b, int c, int axis, grz_polynomial *out)
{
    if (a / 3 == b / 3 && b / 3 == c / 3)
    {
        *out = grz_moving_body_normal(body_of(base, a))[axis];
        if (!is_even(a, b))
            negate(out);
        return;
    }
    while (a / 3 != b / 3) /* the corner of the other triangle comes last */
    {
        int first = a;
        a = b;
        b = c;
        c = first;
    }
    bool reversed;
    int e = edge_between(a, b, &reversed), i = (axis + 1) % 3, j = (axis + 2) % 3;
    const grz_polynomial *d = grz_moving_body_direction(body_of(base, a), e), *v = corner_of(base, c);
    grz_polynomial x, y;
    grz_polynomial_minor(base->scratch, &d[i], &v[j], &d[j], &v[i], &x);
    grz_polynomial_multiply(base->scratch, &body_of(base, c)->weight,
                            &grz_moving_body_moment(body_of(base, a), e)[axis], &y);
    grz_polynomial_sum(base->scratch, &x, &y, false, out);
    if (reversed)
        negate(out);
}

static void difference(const grz_moving_points *base, int a, int b, int axis, grz_polynomial *out)
{
    if (a == b)
    {
        *out = (grz_polynomial){.degree = 0};
        return;
    }
    if (a / 3 == b / 3)
    {
        bool reversed;
        int e = edge_between(a, b, &reversed);
        *out = grz_moving_body_direction(body_of(base, a), e)[axis];
        if (!reversed)
            negate(out);
        return;
    }
    grz_polynomial x, y;
    grz_polynomial_multiply(base->scratch, &corner_of(base, a)[axis], &body_of(base, b)->weight, &x);
    grz_polynomial_multiply(base->scratch, &corner_of(base, b)[axis], &body_of(base, a)->weight, &y);
    grz_polynomial_sum(base->scratch, &x, &y, true, out);
}

void grz_moving_pair_make(grz_moving_pair *pair, grz_scratch *scratch, const graze_moving_triangle *a,
                          const graze_moving_triangle *b)
{
    int unit = grz_moving_body_unit(a), other = grz_moving_body_unit(b);
    unit = other < unit ? other : unit;
    pair->base = (grz_moving_points){scratch, NULL, orient3d, orient2d, difference};
    pair->sides = &pair->sides_storage;
    pair->sides->made = 0;
    for (int side = 0; side < 2; side++)
    {
        pair->bodies[side] = &pair->storage[side];
        grz_moving_body_start(scratch, side == 0 ? a : b, unit, pair->bodies[side]);
    }
}
