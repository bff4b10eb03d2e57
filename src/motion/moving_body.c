/* SPDX-License-Identifier: MIT */
/* Moving triangles as polynomials; see moving_body.h. */
#include "motion/moving_body.h"

#include <math.h>

#include "motion/decomposed.h"

typedef grz_integer integer_vector[3];
typedef grz_polynomial integer_curve[3];

enum
{
    NO_UNIT = 1024 /* above the exponents of all doubles */
};

static bool is_turn(const graze_moving_triangle *triangle)
{
    return triangle->motion->kind == GRAZE_MOTION_TURN || triangle->motion->kind == GRAZE_MOTION_BALLISTIC_TURN;
}

static bool is_zero(const double x[3])
{
    return !(fabs(x[0]) > 0 || fabs(x[1]) > 0 || fabs(x[2]) > 0);
}

int grz_motion_path_degree(const graze_motion *motion)
{
    if (motion->kind == GRAZE_MOTION_BALLISTIC_TURN && !is_zero(motion->path[2]))
        return 2;
    return is_zero(motion->path[1]) ? 0 : 1;
}

int grz_motion_rotation_degree(const graze_motion *motion)
{
    /* shortcut: orientation-is-constant */
    for (int i = 0; i < 4; i++)
        if (motion->quaternion[0][i] < motion->quaternion[1][i] || motion->quaternion[0][i] > motion->quaternion[1][i])
            return 2;
    return 0;
}

static const graze_pose *pose_at_end(const graze_moving_triangle *triangle)
{
    return triangle->motion->kind == GRAZE_MOTION_BLEND ? &triangle->motion->end : &triangle->motion->start;
}

static const double *corner_at_end(const graze_moving_triangle *triangle, int i)
{
    return triangle->end_corners[i] != NULL ? triangle->end_corners[i] : triangle->corners[i];
}

/* The units of the entries of R, of corners, and of translations of a body that does not turn. */
static void linear_units(const graze_moving_triangle *triangle, int units[3])
{
    const graze_pose *poses[2] = {&triangle->motion->start, pose_at_end(triangle)};
    units[0] = units[1] = units[2] = NO_UNIT;
    for (int i = 0; i < 24; i++)
        units[i % 4 == 3 ? 2 : 0] = grz_lowest_exponent(&poses[i / 12]->m[i % 12], 1, units[i % 4 == 3 ? 2 : 0]);
    for (int i = 0; i < 3; i++)
    {
        units[1] = grz_lowest_exponent(triangle->corners[i], 3, units[1]);
        units[1] = grz_lowest_exponent(corner_at_end(triangle, i), 3, units[1]);
    }
}

int grz_moving_body_unit(const graze_moving_triangle *triangle)
{
    if (!is_turn(triangle))
    {
        int units[3];
        linear_units(triangle, units);
        return units[0] + units[1] < units[2] ? units[0] + units[1] : units[2];
    }
    int unit = grz_lowest_exponent(triangle->motion->centre, 3, NO_UNIT);
    for (int i = 0; i < 3; i++)
        unit = grz_lowest_exponent(triangle->corners[i], 3, unit);
    for (int i = 0; i <= grz_motion_path_degree(triangle->motion); i++)
        unit = grz_lowest_exponent(triangle->motion->path[i], 3, unit);
    return unit;
}

static grz_polynomial constant(grz_integer value)
{
    return (grz_polynomial){0, {value}};
}

static grz_integer minor_of(grz_scratch *scratch, const grz_integer *a, const grz_integer *b, int i, int j)
{
    return grz_number_sum_of_products(scratch, &a[i], &b[j], &a[j], &b[i], true);
}

static void cross(grz_scratch *scratch, const grz_integer *a, const grz_integer *b, grz_integer *out)
{
    for (int k = 0; k < 3; k++)
        out[k] = minor_of(scratch, a, b, (k + 1) % 3, (k + 2) % 3);
}

static void subtract(grz_scratch *scratch, const grz_integer *a, const grz_integer *b, grz_integer *out)
{
    for (int k = 0; k < 3; k++)
        out[k] = grz_number_add(scratch, &a[k], &b[k], true);
}

static void cross_curves(grz_scratch *scratch, const grz_polynomial *a, const grz_polynomial *b, grz_polynomial *out)
{
    for (int k = 0; k < 3; k++)
    {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        grz_polynomial_minor(scratch, &a[i], &b[j], &a[j], &b[i], &out[k]);
    }
}

/* out = out + a . b. */
static void add_dot(grz_scratch *scratch, const grz_polynomial *a, const grz_polynomial *b, grz_polynomial *out)
{
    grz_polynomial term;
    for (int k = 0; k < 3; k++)
    {
        grz_polynomial_multiply(scratch, &a[k], &b[k], &term);
        grz_polynomial_sum(scratch, out, &term, false, out);
    }
}

/* N(q) and |q|^2 of q = (1 - t) q0 + t q1, whose entries are in a unit of their own. */
static void rotation(grz_scratch *scratch, const graze_motion *motion, grz_polynomial n[3][3], grz_polynomial *w)
{
    const double(*quaternion)[4] = motion->quaternion;
    int degree = grz_motion_rotation_degree(motion) / 2;
    grz_polynomial q[4], products[4][4];
    int unit = grz_lowest_exponent(quaternion[0], 4, grz_lowest_exponent(quaternion[1], 4, NO_UNIT));
    for (int i = 0; i < 4; i++)
        q[i] = (grz_polynomial){degree,
                                {grz_number_of_double(scratch, quaternion[0][i], unit),
                                 grz_number_of_double(scratch, quaternion[1][i], unit)}};
    for (int i = 0; i < 4; i++)
        for (int j = i; j < 4; j++)
            grz_polynomial_multiply(scratch, &q[i], &q[j], &products[i][j]);
    for (int k = 0; k < 3; k++)
    {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        grz_polynomial with, without, plane = i < j ? products[i + 1][j + 1] : products[j + 1][i + 1];
        grz_polynomial_add(scratch, &products[0][0], &products[k + 1][k + 1], false, &with);
        grz_polynomial_add(scratch, &products[i + 1][i + 1], &products[j + 1][j + 1], false, &without);
        grz_polynomial_add(scratch, &with, &without, true, &n[k][k]);
        if (k == 0)
            grz_polynomial_add(scratch, &with, &without, false, w);
        for (int c = 0; c <= 2 * degree; c++) /* twice */
        {
            grz_integer both = grz_number_add(scratch, &plane.c[c], &products[0][k + 1].c[c], false);
            grz_integer one = grz_number_add(scratch, &plane.c[c], &products[0][k + 1].c[c], true);
            n[j][i].c[c] = grz_number_shift(scratch, &both, 1);
            n[i][j].c[c] = grz_number_shift(scratch, &one, 1);
        }
        n[j][i].degree = n[i][j].degree = 2 * degree;
    }
}

/* N v. */
static void rotate(grz_scratch *scratch, grz_polynomial n[3][3], const grz_integer *v, grz_polynomial *out)
{
    for (int k = 0; k < 3; k++)
    {
        out[k] = (grz_polynomial){.degree = n[k][0].degree};
        for (int j = 0; j < 3; j++)
        {
            grz_polynomial factor = constant(v[j]), term;
            grz_polynomial_multiply(scratch, &n[k][j], &factor, &term);
            grz_polynomial_add(scratch, &out[k], &term, false, &out[k]);
        }
    }
}

/* x0 + x1 t + x2 t^2 = x0 (s + t)^2 + x1 t (s + t) + x2 t^2, or without the square, or x0. */
static void path(grz_scratch *scratch, const graze_moving_triangle *triangle, int unit, grz_polynomial *out)
{
    int degree = grz_motion_path_degree(triangle->motion);
    for (int k = 0; k < 3; k++)
    {
        grz_integer x[3] = {0}, sum;
        for (int i = 0; i <= degree; i++)
            x[i] = grz_number_of_double(scratch, triangle->motion->path[i][k], unit);
        sum = grz_number_add(scratch, &x[0], &x[1], false);
        out[k] = (grz_polynomial){degree, {x[0], sum}};
        if (degree == 2)
        {
            out[k].c[1] = grz_number_add(scratch, &sum, &x[0], false);
            out[k].c[2] = grz_number_add(scratch, &sum, &x[2], false);
        }
    }
}

static void make_turn_edge(grz_moving_body *body, int edge)
{
    grz_scratch *scratch = body->scratch;
    integer_vector e, moment;
    integer_curve turned, moved;
    const grz_integer *y = body->places[edge];
    subtract(scratch, body->places[(edge + 1) % 3], y, e);
    cross(scratch, y, e, moment);
    rotate(scratch, body->rotation, e, body->directions[edge]);
    rotate(scratch, body->rotation, moment, turned);
    cross_curves(scratch, body->path, body->directions[edge], moved);
    for (int k = 0; k < 3; k++)
        grz_polynomial_sum(scratch, &turned[k], &moved[k], false, &body->moments[edge][k]);
}

static void make_turn_face(grz_moving_body *body)
{
    grz_scratch *scratch = body->scratch;
    integer_vector u, v, normal;
    subtract(scratch, body->places[1], body->places[0], u);
    subtract(scratch, body->places[2], body->places[0], v);
    cross(scratch, u, v, normal);
    rotate(scratch, body->rotation, normal, body->normal);
    grz_integer height = grz_number_multiply(scratch, &normal[0], &body->places[0][0]);
    for (int k = 1; k < 3; k++)
    {
        grz_integer term = grz_number_multiply(scratch, &normal[k], &body->places[0][k]);
        height = grz_number_add(scratch, &height, &term, false);
    }
    grz_polynomial factor = constant(height);
    grz_polynomial_multiply(scratch, &body->weight, &factor, &body->offset);
    add_dot(scratch, body->path, body->normal, &body->offset);
}

static void make_turn_corner(grz_moving_body *body, int corner)
{
    integer_curve turned;
    grz_polynomial moved;
    rotate(body->scratch, body->rotation, body->places[corner], turned);
    for (int k = 0; k < 3; k++)
    {
        grz_polynomial_multiply(body->scratch, &body->weight, &body->path[k], &moved);
        grz_polynomial_sum(body->scratch, &turned[k], &moved, false, &body->corners[corner][k]);
    }
}

static void start_turn(grz_moving_body *body)
{
    const graze_moving_triangle *triangle = body->triangle;
    rotation(body->scratch, triangle->motion, body->rotation, &body->weight);
    path(body->scratch, triangle, body->unit, body->path);
    for (int i = 0; i < 9; i++)
    {
        grz_integer place = grz_number_of_double(body->scratch, triangle->corners[i / 3][i % 3], body->unit);
        grz_integer centre = grz_number_of_double(body->scratch, triangle->motion->centre[i % 3], body->unit);
        body->places[i / 3][i % 3] = grz_number_add(body->scratch, &place, &centre, true);
    }
}

/* R p + t, in units of 2^unit. */
static void place(grz_scratch *scratch, const graze_pose *pose, const double *corner, const int units[3], int unit,
                  grz_integer *out)
{
    for (int k = 0; k < 3; k++)
    {
        out[k] = grz_number_of_double(scratch, pose->m[4 * k + 3], unit);
        for (int j = 0; j < 3; j++)
        {
            grz_integer entry = grz_number_of_double(scratch, pose->m[4 * k + j], units[0]);
            grz_integer factor = grz_number_of_double(scratch, corner[j], units[1]);
            grz_integer product = grz_number_multiply(scratch, &entry, &factor);
            grz_integer term = grz_number_shift(scratch, &product, product.sign != 0 ? units[0] + units[1] - unit : 0);
            out[k] = grz_number_add(scratch, &out[k], &term, false);
        }
    }
}

static void start_linear(grz_moving_body *body)
{
    const graze_moving_triangle *triangle = body->triangle;
    bool moves = triangle->motion->kind == GRAZE_MOTION_BLEND || triangle->end_corners[0] != NULL;
    int units[3];
    linear_units(triangle, units);
    body->weight = constant(grz_number_from(body->scratch, 1, 1));
    for (int i = 0; i < 3; i++)
    {
        integer_vector start, end;
        place(body->scratch, &triangle->motion->start, triangle->corners[i], units, body->unit, start);
        if (moves)
            place(body->scratch, pose_at_end(triangle), corner_at_end(triangle, i), units, body->unit, end);
        for (int k = 0; k < 3; k++)
            body->corners[i][k] = moves ? (grz_polynomial){1, {start[k], end[k]}} : constant(start[k]);
    }
}

/* to - from; of degree 0 where it is constant. */
static void subtract_curves(grz_scratch *scratch, const grz_polynomial *to, const grz_polynomial *from,
                            grz_polynomial *out)
{
    bool constant = true;
    for (int k = 0; k < 3; k++)
    {
        grz_polynomial_add(scratch, &to[k], &from[k], true, &out[k]);
        constant = constant && out[k].c[0].sign == out[k].c[out[k].degree].sign &&
                   grz_integer_compare_magnitudes(&out[k].c[0], &out[k].c[out[k].degree]) == 0;
    }
    for (int k = 0; k < 3 && constant; k++)
        out[k].degree = 0;
}

static void make_linear_edge(grz_moving_body *body, int edge)
{
    const grz_polynomial *from = body->corners[edge], *to = body->corners[(edge + 1) % 3];
    subtract_curves(body->scratch, to, from, body->directions[edge]);
    cross_curves(body->scratch, from, body->directions[edge], body->moments[edge]);
}

static void make_linear_face(grz_moving_body *body)
{
    integer_curve sides[2];
    for (int i = 0; i < 2; i++)
        subtract_curves(body->scratch, body->corners[1 + i], body->corners[0], sides[i]);
    cross_curves(body->scratch, sides[0], sides[1], body->normal);
    body->offset = constant((grz_integer){0});
    add_dot(body->scratch, body->corners[0], body->normal, &body->offset);
}

void grz_moving_body_start(grz_scratch *scratch, const graze_moving_triangle *triangle, int unit, grz_moving_body *out)
{
    out->triangle = triangle;
    out->scratch = scratch;
    out->unit = unit;
    out->turns = is_turn(triangle);
    out->made = 0;
    if (out->turns)
        start_turn(out);
    else
        start_linear(out);
}

/* Whether that part is asked for the first time. */
static bool is_first(grz_moving_body *body, int part)
{
    bool first = (body->made >> part & 1) == 0;
    body->made |= 1u << part;
    return first;
}

const grz_polynomial *grz_moving_body_corner(grz_moving_body *body, int corner)
{
    if (body->turns && is_first(body, corner))
        make_turn_corner(body, corner);
    return body->corners[corner];
}

static void need_edge(grz_moving_body *body, int edge)
{
    if (is_first(body, 3 + edge))
        (body->turns ? make_turn_edge : make_linear_edge)(body, edge);
}

const grz_polynomial *grz_moving_body_direction(grz_moving_body *body, int edge)
{
    need_edge(body, edge);
    return body->directions[edge];
}

const grz_polynomial *grz_moving_body_moment(grz_moving_body *body, int edge)
{
    need_edge(body, edge);
    return body->moments[edge];
}

static void need_face(grz_moving_body *body)
{
    if (is_first(body, 6))
        (body->turns ? make_turn_face : make_linear_face)(body);
}

const grz_polynomial *grz_moving_body_normal(grz_moving_body *body)
{
    need_face(body);
    return body->normal;
}

const grz_polynomial *grz_moving_body_offset(grz_moving_body *body)
{
    need_face(body);
    return &body->offset;
}
