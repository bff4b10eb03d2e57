/* SPDX-License-Identifier: MIT */
/* Polynomials of the heights over a moving half-space; see moving_plane.h. */
#include "motion/moving_plane.h"

#include "motion/decomposed.h"
#include "motion/moving_body.h"

/* X = (matrix v + offset) / weight; what is linear in v in units of 2^unit more. */
typedef struct affine_motion
{
    bool turns;
    grz_moving_body body;
    int matrix_unit; /* of a body that does not turn */
    grz_polynomial weight, matrix[3][3], offset[3];
} affine_motion;

static const double zeros[3] = {0, 0, 0};

static bool is_turn(const graze_motion *motion)
{
    return motion->kind == GRAZE_MOTION_TURN || motion->kind == GRAZE_MOTION_BALLISTIC_TURN;
}

static graze_moving_triangle origin_of(const graze_motion *motion)
{
    return (graze_moving_triangle){.corners = {zeros, zeros, zeros}, .motion = motion};
}

/* The unit of the entries of a matrix, at most 0: the weight is 1. */
static int unit_of_matrix(const graze_motion *motion)
{
    const graze_pose *end = motion->kind == GRAZE_MOTION_BLEND ? &motion->end : &motion->start;
    int unit = 0;
    for (int k = 0; k < 3; k++)
        unit = grz_lowest_exponent(motion->start.m + 4 * k, 3, grz_lowest_exponent(end->m + 4 * k, 3, unit));
    return unit;
}

/* Entries that do not change are constants: polynomials of a higher degree would have a factor in common. */
static void read_matrix(grz_scratch *scratch, const graze_motion *motion, int unit, grz_polynomial out[3][3])
{
    const graze_pose *end = motion->kind == GRAZE_MOTION_BLEND ? &motion->end : &motion->start;
    int degree = 0;
    for (int i = 0; i < 12; i++)
        degree |= i % 4 != 3 && (motion->start.m[i] < end->m[i] || motion->start.m[i] > end->m[i]);
    for (int i = 0; i < 9; i++)
    {
        int place = 4 * (i / 3) + i % 3;
        out[i / 3][i % 3] = (grz_polynomial){degree,
                                             {grz_number_of_double(scratch, motion->start.m[place], unit),
                                              grz_number_of_double(scratch, end->m[place], unit)}};
    }
}

/* In units of 2^unit for lengths, which is at most that of the motion. */
static void affine_make(grz_scratch *scratch, const graze_moving_triangle *origin, int unit, affine_motion *out)
{
    out->turns = is_turn(origin->motion);
    out->matrix_unit = 0;
    grz_moving_body_start(scratch, origin, unit, &out->body);
    out->weight = out->body.weight;
    const grz_polynomial *corner = grz_moving_body_corner(&out->body, 0);
    for (int k = 0; k < 3; k++)
    {
        out->offset[k] = corner[k];
        for (int j = 0; j < 3 && out->turns; j++)
            out->matrix[k][j] = out->body.rotation[k][j];
    }
    if (out->turns)
        return;
    int matrix_unit = out->matrix_unit = unit_of_matrix(origin->motion);
    read_matrix(scratch, origin->motion, matrix_unit, out->matrix);
    out->weight.c[0] = grz_number_shift(scratch, &out->weight.c[0], -matrix_unit); /* all in this unit */
    for (int k = 0; k < 3; k++)
        for (int i = 0; i <= out->offset[k].degree; i++)
            out->offset[k].c[i] = grz_number_shift(scratch, &out->offset[k].c[i], -matrix_unit);
}

/* out = out + a b, or - a b. */
static void add_product(grz_scratch *scratch, const grz_polynomial *a, const grz_polynomial *b, bool negate,
                        grz_polynomial *out)
{
    grz_polynomial term;
    grz_polynomial_multiply(scratch, a, b, &term);
    grz_polynomial_sum(scratch, out, &term, negate, out);
}

static grz_polynomial zero_polynomial(void)
{
    return (grz_polynomial){0, {{0}}};
}

static grz_polynomial constant_of(grz_scratch *scratch, double x, int unit)
{
    return (grz_polynomial){0, {grz_number_of_double(scratch, x, unit)}};
}

/* m = N n, e = m . x + w (d - n . c): n in units of 2^normal_unit, d in those of both. */
static void plane_of_turn(grz_scratch *scratch, const affine_motion *h, const double normal[3], double offset,
                          int normal_unit, int unit, grz_polynomial m[3], grz_polynomial *e)
{
    grz_polynomial inner = constant_of(scratch, offset, normal_unit + unit);
    for (int k = 0; k < 3; k++)
    {
        grz_polynomial n = constant_of(scratch, normal[k], normal_unit), place = {0, {h->body.places[0][k]}};
        add_product(scratch, &n, &place, false, &inner); /* places are those of the origin: -c */
    }
    *e = zero_polynomial();
    add_product(scratch, &h->weight, &inner, false, e);
    for (int k = 0; k < 3; k++)
    {
        m[k] = zero_polynomial();
        for (int j = 0; j < 3; j++)
        {
            grz_polynomial n = constant_of(scratch, normal[j], normal_unit);
            add_product(scratch, &h->matrix[k][j], &n, false, &m[k]);
        }
        add_product(scratch, &m[k], &h->body.path[k], false, e);
    }
}

/* 1: above 0 at all times of [0, 1]; -1: below; 0: neither, or not known. */
static int lasting_sign(const grz_polynomial *a)
{
    for (int i = 0; i <= a->degree; i++)
        if (a->c[i].sign == 0 || a->c[i].sign != a->c[0].sign)
            return 0;
    return a->c[0].sign;
}

static void negate(grz_polynomial *a)
{
    for (int i = 0; i <= a->degree; i++)
        a->c[i].sign = -a->c[i].sign;
}

/* m = adj(A)^T n, e = m . b + d det A: d in units of 2^(unit of n + unit - unit of A). Offsets are b in units that
   are finer by that of A. */
static bool plane_of_poses(grz_scratch *scratch, affine_motion *h, const double normal[3], double offset,
                           int normal_unit, int unit, grz_polynomial m[3], grz_polynomial *e)
{
    grz_polynomial det = zero_polynomial(), cofactors[3][3];
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 3; j++)
        {
            grz_polynomial(*a)[3] = h->matrix;
            int r = (k + 1) % 3, s = (k + 2) % 3, p = (j + 1) % 3, q = (j + 2) % 3;
            grz_polynomial_minor(scratch, &a[r][p], &a[s][q], &a[r][q], &a[s][p], &cofactors[k][j]);
        }
    for (int j = 0; j < 3; j++)
        add_product(scratch, &h->matrix[0][j], &cofactors[0][j], false, &det);
    int handedness = lasting_sign(&det);
    grz_polynomial d = constant_of(scratch, offset, normal_unit + unit - h->matrix_unit);
    *e = zero_polynomial();
    add_product(scratch, &det, &d, false, e);
    const grz_polynomial *corner = grz_moving_body_corner(&h->body, 0);
    for (int k = 0; k < 3; k++)
    {
        m[k] = zero_polynomial();
        for (int j = 0; j < 3; j++)
        {
            grz_polynomial n = constant_of(scratch, normal[j], normal_unit);
            add_product(scratch, &cofactors[k][j], &n, false, &m[k]);
        }
        add_product(scratch, &m[k], &corner[k], false, e);
    }
    for (int k = 0; k < 3 && handedness < 0; k++)
        negate(&m[k]);
    if (handedness < 0)
        negate(e);
    return handedness != 0;
}

static int lower_of(int a, int b)
{
    return a < b ? a : b;
}

/* The finest unit of lengths that all numbers need. */
static int common_unit(const graze_moving_triangle *plane, double offset, int normal_unit,
                       const graze_moving_triangle *body, int unit)
{
    int finer = is_turn(plane->motion) ? 0 : unit_of_matrix(plane->motion);
    int needed = grz_lowest_exponent(&offset, 1, normal_unit + unit - finer) - normal_unit + finer;
    return lower_of(lower_of(unit, needed), lower_of(grz_moving_body_unit(plane), grz_moving_body_unit(body)));
}

bool grz_plane_heights_make(grz_scratch *scratch, const graze_motion *plane, const double normal[3], double offset,
                            const graze_motion *body, int unit, grz_plane_heights *out)
{
    const graze_moving_triangle origins[2] = {origin_of(plane), origin_of(body)};
    int normal_unit = grz_lowest_exponent(normal, 3, 0);
    affine_motion h, x;
    grz_polynomial m[3], e;
    out->unit = unit = common_unit(&origins[0], offset, normal_unit, &origins[1], unit);
    affine_make(scratch, &origins[0], unit, &h);
    affine_make(scratch, &origins[1], unit, &x);
    if (h.turns)
        plane_of_turn(scratch, &h, normal, offset, normal_unit, unit, m, &e);
    else if (!plane_of_poses(scratch, &h, normal, offset, normal_unit, unit, m, &e))
        return false;
    int degree = 0;
    out->base = zero_polynomial();
    add_product(scratch, &x.weight, &e, true, &out->base);
    for (int k = 0; k < 3; k++)
    {
        add_product(scratch, &m[k], &x.offset[k], false, &out->base);
        out->slopes[k] = zero_polynomial();
        for (int j = 0; j < 3; j++)
            add_product(scratch, &m[j], &x.matrix[j][k], false, &out->slopes[k]);
        degree = out->slopes[k].degree > degree ? out->slopes[k].degree : degree;
    }
    degree = out->base.degree > degree ? out->base.degree : degree;
    grz_polynomial all[4] = {out->slopes[0], out->slopes[1], out->slopes[2], out->base};
    for (int i = 0; i < 4; i++)
        grz_polynomial_elevate(scratch, &all[i], degree, i < 3 ? &out->slopes[i] : &out->base);
    return true;
}
