/* SPDX-License-Identifier: MIT */
/*
 * First impacts in doubles; see ordinary_impact.h.
 *
 * Candidate times. If two triangles do not meet before an interval and meet first at T in it, the volume of a vertex
 * and a face, or of two edges, is 0 at T, and these features meet (first_impact.h). Of each of the fifteen volumes F
 * one of these is shown: F has no root in the interval; or its features do not meet in it; or its derivative has one
 * sign, so that it has one root at most, and that lies between two neighbouring doubles, at which its signs differ. At
 * each of these roots in ascending order, whose doubles differ, the static decision is asked with signs of volumes that
 * are not 0 there, and of the one that is: so the first at which they meet is T, lies between its doubles, and is no
 * double.
 *
 * Mean values. Let s run from 0 to 1 in the interval, and F' be the derivative by s. As F = det(x, y, z) with vectors
 * between corners, F' = det(x', y, z) + det(x, y', z) + det(x, y, z'). Corners at the middle are known to a few units
 * in the last place, and x' throughout the interval is known to an error (moving_arcs.h), so x is where it is in the
 * middle give or take |x'| / 2: what both triangles move by alike cancels out. F has no root where |F| in the middle
 * exceeds max |F'| / 2; and from its value V at a time t within the interval, in double-doubles (volume_at.h), its
 * value at another time within it is V + F' ds. Times within a factor of two have an exact difference, and so has s,
 * whose unit is a power of two.
 *
 * Errors. Let vectors be off by e_i and U_i = |x_i| + e_i, in the maximum norm; a determinant has 6 products, each off
 * by e_1 U_2 U_3 + U_1 e_2 U_3 + U_1 U_2 e_3, and rounding takes at most 6 * 8 * 2^-53 U_1 U_2 U_3. Factors are a
 * little larger, for the rounding of bounds. Differences of places are off by what differences() of moving_arcs.c
 * counts.
 */
#include "motion/ordinary_impact.h"

#include <math.h>
#include <string.h>

#include "base/bits.h"
#include "base/double_double.h"
#include "exact/contact.h"
#include "motion/moving_pair.h"
#include "motion/upright_edges.h"
#include "motion/volume_at.h"

enum
{
    TRIES = 3
};

/* The interval, and what is known of the corners in it. */
typedef struct impact_piece
{
    const grz_moving_arcs *arcs;
    const graze_moving_triangle *a, *b;
    const grz_meeting_piece *piece;
    double low, width; /* a power of two */
    grz_near_points middle;
    signed char signs[GRZ_PAIR_SIDES]; /* of volumes throughout; 0: not known */
    bool has_upright;
    grz_upright_edges upright;
    grz_upright_class classes[GRZ_PAIR_SIDES]; /* of volumes; all others where there are no upright edges */
} impact_piece;

/* A vector between two corners: in the middle of the interval or throughout it; and its derivative. */
typedef struct corner_vector
{
    double d[3], error, most; /* most: its length in the maximum norm with the error */
} corner_vector;

/* A volume of which the sign changes at most once in the interval. */
typedef struct impact_candidate
{
    int side;
    double middle, slope, slope_error; /* the volume in the middle of the interval, and its derivative */
    double lower, upper;               /* the doubles around its root */
} impact_candidate;

static double length(const double d[3])
{
    return fmax(fmax(fabs(d[0]), fabs(d[1])), fabs(d[2]));
}

static double determinant(const corner_vector *x, const corner_vector *y, const corner_vector *z)
{
    return x->d[0] * (y->d[1] * z->d[2] - y->d[2] * z->d[1]) + x->d[1] * (y->d[2] * z->d[0] - y->d[0] * z->d[2]) +
           x->d[2] * (y->d[0] * z->d[1] - y->d[1] * z->d[0]);
}

static double determinant_error(const corner_vector *x, const corner_vector *y, const corner_vector *z)
{
    double off = x->error * y->most * z->most + x->most * y->error * z->most + x->most * y->most * z->error;
    return 6.5 * off + 0x1p-47 * x->most * y->most * z->most;
}

/* The vectors of a side at a time. Returns the sign of their determinant in the volume. */
static int vectors_at(const grz_near_points *near, int side, corner_vector out[3])
{
    int from[3], to[3], sign = grz_volume_vectors(side, from, to);
    for (int i = 0; i < 3; i++)
    {
        for (int k = 0; k < 3; k++)
            out[i].d[k] = near->x[to[i]][k] - near->x[from[i]][k];
        double size = length(out[i].d);
        out[i].error = 3 * near->error + 16 * 0x1p-53 * size;
        out[i].most = size + out[i].error;
    }
    return sign;
}

static double volume_near(const grz_near_points *near, int side, double *out_error)
{
    corner_vector x[3];
    int sign = vectors_at(near, side, x);
    *out_error = determinant_error(&x[0], &x[1], &x[2]);
    return sign * determinant(&x[0], &x[1], &x[2]);
}

/* The derivatives of the vectors, which become those of the whole interval. */
static void spread(const impact_piece *in, int side, corner_vector x[3], corner_vector moves[3])
{
    const grz_arc_moves *all = &in->piece->moves;
    int from[3], to[3];
    grz_volume_vectors(side, from, to);
    for (int i = 0; i < 3; i++)
    {
        for (int k = 0; k < 3; k++)
            moves[i].d[k] = all->moves[to[i]][k] - all->moves[from[i]][k];
        double size = length(moves[i].d);
        moves[i].error = 2 * all->error + 0x1p-50 * size;
        moves[i].most = size + moves[i].error;
        x[i].error += 0.5 * moves[i].most * (1 + 0x1p-40);
        x[i].most += 0.5 * moves[i].most * (1 + 0x1p-40);
    }
}

/* What is known of a volume in the interval. */
static void measure(const impact_piece *in, int side, impact_candidate *out, double *middle_error)
{
    corner_vector x[3], moves[3];
    int sign = vectors_at(&in->middle, side, x);
    out->side = side;
    out->middle = sign * determinant(&x[0], &x[1], &x[2]);
    *middle_error = determinant_error(&x[0], &x[1], &x[2]);
    spread(in, side, x, moves);
    out->slope = sign * (determinant(&moves[0], &x[1], &x[2]) + determinant(&x[0], &moves[1], &x[2]) +
                         determinant(&x[0], &x[1], &moves[2]));
    out->slope_error = determinant_error(&moves[0], &x[1], &x[2]) + determinant_error(&x[0], &moves[1], &x[2]) +
                       determinant_error(&x[0], &x[1], &moves[2]);
}

/* Whether the features of a side have no point in common throughout: seen along an axis. */
static bool features_are_apart(const grz_near_points *near, int side)
{
    int v[4];
    grz_pair_side_corners(side, v);
    for (int axis = 0; axis < 3; axis++)
    {
        if (side >= 6)
        {
            int of_b =
                grz_near_orient2d(near, v[0], v[1], v[2], axis) * grz_near_orient2d(near, v[0], v[1], v[3], axis);
            int of_a =
                grz_near_orient2d(near, v[2], v[3], v[0], axis) * grz_near_orient2d(near, v[2], v[3], v[1], axis);
            if (of_a > 0 || of_b > 0)
                return true;
            continue;
        }
        int turn = grz_near_orient2d(near, v[0], v[1], v[2], axis);
        for (int e = 0; e < 3 && turn != 0; e++)
            if (turn * grz_near_orient2d(near, v[e], v[(e + 1) % 3], v[3], axis) < 0)
                return true;
    }
    return false;
}

static double within(const impact_piece *in, double t)
{
    return fmin(fmax(t, in->low), in->low + in->width);
}

/* The sign of the volume at x, from its value at t: 0 where it is not certain. */
static int sign_at(const impact_piece *in, const impact_candidate *c, const grz_volume *value, double t, double x)
{
    double ds = (x - t) / in->width, change = c->slope * ds;
    double error = value->error + c->slope_error * fabs(ds) + 0x1p-48 * (fabs(value->value) + fabs(change));
    double at_x = value->value + change;
    return at_x > error ? 1 : at_x < -error ? -1 : 0;
}

/* The doubles around the root of a candidate. False where they are not certain. */
static bool locate(const impact_piece *in, impact_candidate *c)
{
    grz_near_points near;
    double error, t = within(in, in->low + in->width * (0.5 - c->middle / c->slope));
    grz_near_points_at(in->arcs, t, &near);
    t = within(in, t - in->width * (volume_near(&near, c->side, &error) / c->slope));
    int before = c->slope > 0 ? -1 : 1;
    for (int i = 0; i < TRIES; i++)
    {
        grz_volume value;
        if (!(t > 0) || !grz_volume_at(in->a, in->b, c->side, t, &value))
            return false;
        grz_dd root = dd_two_sum(t, -in->width * (value.value / c->slope));
        if (!(root.high > 0x1p-500 && root.high < 1))
            return false;
        c->lower = root.low < 0 ? grz_from_bits(grz_bits(root.high) - 1) : root.high;
        c->upper = grz_from_bits(grz_bits(c->lower) + 1);
        bool near_enough = c->upper <= 2 * t && t <= 2 * c->lower;
        bool inside = c->lower >= in->low && c->upper <= in->low + in->width;
        /* shortcut: root-in-double-doubles */
        if (near_enough && inside && sign_at(in, c, &value, t, c->lower) == before &&
            sign_at(in, c, &value, t, c->upper) == -before)
            return true;
        t = within(in, root.high);
    }
    return false;
}

/* Adds a candidate in ascending order; false where that is not certain. */
static bool insert(impact_candidate *candidates, int *count, const impact_candidate *c)
{
    int at = (*count)++;
    for (; at > 0 && candidates[at - 1].lower >= c->lower; at--)
    {
        if (!(candidates[at - 1].lower > c->lower))
            return false;
        candidates[at] = candidates[at - 1];
    }
    candidates[at] = *c;
    return true;
}

/* Volumes that are multiples of one another have known signs together. */
static void set_sign(impact_piece *in, int side, int sign)
{
    const grz_upright_class *own = &in->classes[side];
    in->signs[side] = (signed char)sign;
    for (int i = 0; i < GRZ_PAIR_SIDES && own->kind != GRZ_UPRIGHT_OTHER; i++)
        if (in->classes[i].kind == own->kind)
            in->signs[i] = (signed char)(sign * own->sign * in->classes[i].sign);
}

/* Of a volume, and of all that are its multiples. */
static bool all_features_are_apart(const impact_piece *in, int side)
{
    if (in->classes[side].kind == GRZ_UPRIGHT_OTHER)
        return features_are_apart(&in->piece->near, side);
    for (int i = 0; i < GRZ_PAIR_SIDES; i++)
        if (in->classes[i].kind == in->classes[side].kind && !features_are_apart(&in->piece->near, i))
            return false;
    return true;
}

static void find_signs(impact_piece *in)
{
    in->has_upright = grz_upright_edges_find(in->a, in->b, &in->upright);
    for (int side = 0; side < GRZ_PAIR_SIDES; side++)
    {
        int v[4];
        grz_pair_side_corners(side, v);
        in->signs[side] = (signed char)grz_near_orient3d(&in->piece->near, v[0], v[1], v[2], v[3]);
        in->classes[side] =
            in->has_upright ? grz_upright_volume(&in->upright, v) : (grz_upright_class){GRZ_UPRIGHT_OTHER, 0};
    }
    for (int side = 0; in->has_upright && side < GRZ_PAIR_SIDES; side++)
        if (in->signs[side] != 0)
            set_sign(in, side, in->signs[side]);
}

/* Whether a volume is a multiple of an earlier one, or 0 at all times. */
static bool is_done(const impact_piece *in, int side)
{
    grz_upright_kind kind = in->classes[side].kind;
    bool done = kind == GRZ_UPRIGHT_NEVER;
    for (int i = 0; i < side && kind != GRZ_UPRIGHT_OTHER; i++)
        done = done || in->classes[i].kind == kind;
    return done;
}

/* The roots in the interval; -1 where they are not certain. */
static int find_candidates(impact_piece *in, impact_candidate out[GRZ_PAIR_SIDES])
{
    int count = 0;
    find_signs(in);
    for (int side = 0; side < GRZ_PAIR_SIDES; side++)
    {
        impact_candidate c;
        double error;
        /* shortcut: upright-edges */
        if (in->signs[side] != 0 || is_done(in, side))
            continue;
        measure(in, side, &c, &error);
        /* shortcut: volume-without-root */
        if (fabs(c.middle) - error > 0.5 * (fabs(c.slope) + c.slope_error) * (1 + 0x1p-40))
        {
            set_sign(in, side, c.middle > 0 ? 1 : -1);
            continue;
        }
        if (all_features_are_apart(in, side))
            continue;
        if (!(fabs(c.slope) > c.slope_error) || !locate(in, &c) || !insert(out, &count, &c))
            return -1;
    }
    return count;
}

/* Signs at a root, or right after it. */
typedef struct impact_moment
{
    const impact_piece *in;
    const grz_near_points *near;
    signed char signs[GRZ_PAIR_SIDES]; /* of volumes; 0: not known yet */
    int shift;                         /* axis 0 of the decision is this one: any order gives the same answer */
    int zero, sign_of_zero;            /* the side that has the root, and its sign: 0 at the root */
    bool uncertain;
} impact_moment;

static int certain(impact_moment *m, int sign)
{
    m->uncertain = m->uncertain || sign == 0;
    return sign;
}

/* Whether the class says the sign: that of a multiple of the volume that is 0 at the root, or of 0. */
static bool knows_sign(const impact_moment *m, const grz_upright_class *class, int *out_sign)
{
    const grz_upright_class *zero = &m->in->classes[m->zero];
    *out_sign = class->kind == GRZ_UPRIGHT_NEVER ? 0 : m->sign_of_zero * zero->sign * class->sign;
    return class->kind == GRZ_UPRIGHT_NEVER || (class->kind != GRZ_UPRIGHT_OTHER && class->kind == zero->kind);
}

static int orient3d(void *user, int a, int b, int c, int d)
{
    impact_moment *m = user;
    bool negated;
    int side = grz_pair_side(a, b, c, d, &negated), sign = m->sign_of_zero;
    if (side != m->zero && !knows_sign(m, &m->in->classes[side], &sign))
    {
        if (m->signs[side] == 0)
        {
            sign = grz_near_orient3d(m->near, a, b, c, d);
            m->signs[side] = (signed char)(negated ? -sign : sign);
        }
        sign = certain(m, m->signs[side]);
    }
    return negated ? -sign : sign;
}

static int orient2d(void *user, int a, int b, int c, int axis)
{
    impact_moment *m = user;
    int real = (axis + m->shift) % 3, sign;
    if (m->in->has_upright && real == m->in->upright.axis)
    {
        grz_upright_class class = grz_upright_area(&m->in->upright, a, b, c);
        if (knows_sign(m, &class, &sign))
            return sign;
    }
    sign = grz_near_orient2d(m->near, a, b, c, real);
    /* shortcut: any-axis-with-area */
    bool of_one = a / 3 == b / 3 && b / 3 == c / 3;
    return of_one && axis < 2 ? sign : certain(m, sign);
}

static int compare(void *user, int a, int b, int axis)
{
    impact_moment *m = user;
    int real = (axis + m->shift) % 3;
    if (m->in->has_upright && real != m->in->upright.axis && grz_upright_are_one(&m->in->upright, a, b))
        return 0;
    return certain(m, grz_near_compare(m->near, a, b, real));
}

/* The contact at the root, or right after it; with another order of the axes where signs are not certain: planes that
   are parallel to an axis have no area along it. */
static graze_triangle_contact contact_at(impact_moment *m, int sign_of_zero)
{
    const grz_contact_signs signs = {m, orient3d, orient2d, compare};
    grz_contact_set set;
    m->sign_of_zero = sign_of_zero;
    for (m->shift = 0, m->uncertain = true; m->uncertain && m->shift < 3; m->shift++)
    {
        m->uncertain = false;
        grz_contact_general_by_signs(&signs, &set);
    }
    return grz_contact_summary(&set);
}

/* Whether they meet at the root of a candidate. */
static grz_ordinary_answer try_candidate(const impact_piece *in, const impact_candidate *c, grz_ordinary_contact *out)
{
    grz_near_points near;
    grz_near_points_at(in->arcs, c->lower, &near);
    impact_moment m = {.in = in, .near = &near, .zero = c->side};
    memcpy(m.signs, in->signs, sizeof m.signs);
    graze_triangle_contact contact = contact_at(&m, 0);
    if (m.uncertain)
        return GRZ_ORDINARY_UNKNOWN;
    if (!contact.found)
        return GRZ_ORDINARY_NONE;
    bool crosses = contact_at(&m, c->slope > 0 ? 1 : -1).crossing;
    if (m.uncertain)
        return GRZ_ORDINARY_UNKNOWN;
    *out = (grz_ordinary_contact){.side = c->side, .sign_before = c->slope > 0 ? -1 : 1};
    out->contact = (graze_moving_contact){{GRAZE_IMPACT_AT, c->lower, c->upper}, crosses, contact};
    return GRZ_ORDINARY_FOUND;
}

grz_ordinary_answer grz_ordinary_impact(const grz_moving_arcs *arcs, const graze_moving_triangle *a,
                                        const graze_moving_triangle *b, const grz_meeting_piece *piece,
                                        grz_ordinary_contact *out)
{
    if (piece->to_the_end || !piece->near.usable)
        return GRZ_ORDINARY_UNKNOWN;
    impact_piece in = {.arcs = arcs, .a = a, .b = b, .piece = piece};
    in.width = ldexp(1, -piece->k);
    in.low = piece->n * in.width;
    grz_near_points_at(arcs, in.low + 0.5 * in.width, &in.middle);
    if (!in.middle.usable)
        return GRZ_ORDINARY_UNKNOWN;
    impact_candidate candidates[GRZ_PAIR_SIDES];
    int count = find_candidates(&in, candidates);
    grz_ordinary_answer answer = count < 0 ? GRZ_ORDINARY_UNKNOWN : GRZ_ORDINARY_NONE;
    for (int i = 0; i < count && answer == GRZ_ORDINARY_NONE; i++)
        answer = try_candidate(&in, &candidates[i], out);
    return answer;
}
