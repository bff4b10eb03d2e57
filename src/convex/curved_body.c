/* SPDX-License-Identifier: MIT */
/*
 * One convex body: support functions in the world, boxes, and half-spaces, by the pair of the body and a point.
 */
#include <math.h>

#include "base/environment.h"
#include "convex/curved.h"
#include "convex/curved_world.h"

static grz_convex_body point_body(const double point[3], const double (*zero)[3])
{
    grz_convex_body body = {.kind = GRZ_CONVEX_POLYTOPE, .vertices = zero, .vertex_count = 1};
    for (int i = 0; i < 3; i++)
    {
        body.pose.m[5 * i] = 1;
        body.pose.m[4 * i + 3] = point[i];
    }
    return body;
}

static const double ZERO[1][3] = {{0, 0, 0}};

static int exponent_of_largest(const double v[3])
{
    int exponent = 0;
    double largest = fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
    if (largest > 0)
        frexp(largest, &exponent);
    return exponent;
}

static v3 scaled_direction(const double direction[3], int exponent)
{
    return v3_make(ldexp(direction[0], -exponent), ldexp(direction[1], -exponent), ldexp(direction[2], -exponent));
}

/* Support functions of the body about the world's origin, at w and -w, in units of the pair. The direction's largest
   coordinate is below 1: its length is below 2, and so is the factor of the error. */
typedef struct view
{
    grz_curved_pair pair;
    int exponent; /* of values: that of the pair and the direction */
    v3 w;
    double error;
} view;

static void view_make(const grz_convex_body *body, const double direction[3], view *v)
{
    double origin[3] = {0, 0, 0};
    grz_convex_body point = point_body(origin, ZERO);
    grz_curved_pair_make_ordered(body, &point, 0, &v->pair);
    int exponent = exponent_of_largest(direction);
    v->w = scaled_direction(direction, exponent);
    v->exponent = v->pair.exponent + exponent;
    v->error = 2 * GRZ_CURVED_ERROR * v->pair.size;
}

static double view_value(const view *v, double sign)
{
    return grz_curved_operand_value(&v->pair.a, v3_scale(sign, v->w)) - sign * v3_dot(v->pair.b.anchor, v->w);
}

static void extent(const grz_convex_body *body, const double direction[3], double *out_lower, double *out_upper)
{
    view v;
    view_make(body, direction, &v);
    *out_upper = grz_curved_signed_upper_to_world(view_value(&v, 1) + v.error, v.exponent);
    *out_lower = grz_curved_signed_lower_to_world(-view_value(&v, -1) - v.error, v.exponent);
}

void grz_curved_extent(const grz_convex_body *body, const double direction[3], double *out_lower, double *out_upper)
{
    grz_environment environment;
    grz_environment_enter_default(&environment);
    extent(body, direction, out_lower, out_upper);
    grz_environment_leave_default(&environment);
}

void grz_curved_bounds(const grz_convex_body *body, double out_lower[3], double out_upper[3])
{
    grz_environment environment;
    grz_environment_enter_default(&environment);
    for (int i = 0; i < 3; i++)
    {
        double axis[3] = {i == 0, i == 1, i == 2};
        extent(body, axis, &out_lower[i], &out_upper[i]);
    }
    grz_environment_leave_default(&environment);
}

void grz_curved_support(const grz_convex_body *body, const double direction[3], double out_point[3], double *out_lower,
                        double *out_upper)
{
    grz_environment environment;
    grz_environment_enter_default(&environment);
    view v;
    view_make(body, direction, &v);
    double value = view_value(&v, 1);
    *out_lower = grz_curved_signed_lower_to_world(value - v.error, v.exponent);
    *out_upper = grz_curved_signed_upper_to_world(value + v.error, v.exponent);
    grz_curved_point_to_world(&v.pair, body, grz_curved_operand_support(&v.pair.a, v.w), out_point);
    grz_environment_leave_default(&environment);
}

/*
 * The half-space {R y + t : n . y <= o} is {x : s c . (x - t) <= o |det R|}, where c = cof(R) n and s is the sign of
 * det R. Here R, n and o are scaled by powers of two. Cofactors and the determinant are computed in twice the
 * precision.
 */
typedef struct plane
{
    wide3 normal; /* s c, and its length */
    double length;
    grz_dd level; /* o |det R| */
    bool far;     /* the true one is even larger in magnitude */
} plane;

static bool plane_make(const double normal[3], double offset, const graze_pose *pose, int pair_exponent, plane *out)
{
    double r[9], largest = 0;
    for (int i = 0; i < 9; i++)
        largest = fmax(largest, fabs(pose->m[i + i / 3]));
    int matrix = exponent_of_largest((double[3]){largest, 0, 0}), of_normal = exponent_of_largest(normal);
    for (int i = 0; i < 9; i++)
        r[i] = ldexp(pose->m[i + i / 3], -matrix);
    wide3 rows[3], n = wide3_from(scaled_direction(normal, of_normal));
    for (int i = 0; i < 3; i++)
        rows[i] = wide3_from(v3_load(r + 3 * i));
    wide3 x = wide3_cross(rows[1], rows[2]), y = wide3_cross(rows[2], rows[0]), z = wide3_cross(rows[0], rows[1]);
    grz_dd determinant = wide3_dot(rows[0], x);
    if (!(fabs(determinant.high) > GRZ_CURVED_WIDE_ERROR))
        return false; /* singular, or too close to it */
    out->normal = (wide3){wide3_dot(x, n), wide3_dot(y, n), wide3_dot(z, n)};
    if (determinant.high < 0)
    {
        determinant = dd_negate(determinant);
        out->normal = (wide3){dd_negate(out->normal.x), dd_negate(out->normal.y), dd_negate(out->normal.z)};
    }
    out->length = v3_length(wide3_round(out->normal));
    /* Beyond 2^900 times the size the level is cut off: it is then on the right side of everything, at a distance that
       is not known. */
    double level = ldexp(offset, matrix - of_normal - pair_exponent);
    out->far = fabs(level) > 0x1p900;
    out->level = dd_scale(determinant, fmax(-0x1p900, fmin(0x1p900, level)));
    return out->length > 0;
}

/*
 * The signed gap: the least value of c . (x - t) over the body minus the level, divided by |c|. Errors: that of the
 * body's support function about its anchor; of the rest, 100 operations in twice the precision: of cofactors, whose
 * magnitudes are at most 6, times the distance of the anchor from t, and of the level.
 */
static void signed_gap(const grz_convex_body *body, const double normal[3], double offset, const graze_pose *pose,
                       double *out_lower, double *out_upper)
{
    *out_lower = -INFINITY;
    *out_upper = INFINITY;
    double t[3] = {pose->m[3], pose->m[7], pose->m[11]};
    grz_convex_body point = point_body(t, ZERO);
    grz_curved_pair pair;
    plane p;
    grz_curved_pair_make_ordered(body, &point, 0, &pair);
    if (!plane_make(normal, offset, pose, pair.exponent, &p))
        return;
    v3 w = v3_scale(-1 / p.length, wide3_round(p.normal));
    grz_dd anchor = dd_negate(wide3_dot(p.normal, pair.b.wide_anchor)); /* the frame's origin is the body's anchor */
    double base = dd_subtract(anchor, p.level).high / p.length;
    double value = base - grz_curved_operand_value(&pair.a, w);
    /* shortcut: curved-half-space */
    double error = GRZ_CURVED_ERROR * pair.a.extent + 0x1p-50 * fabs(base) +
                   GRZ_CURVED_WIDE_ERROR / p.length * (8 * pair.size + 8 * fabs(p.level.high)) + 0x1p-900;
    if (!p.far || value > 0)
        *out_lower = grz_curved_signed_lower_to_world(value - error, pair.exponent);
    if (!p.far || value < 0)
        *out_upper = grz_curved_signed_upper_to_world(value + error, pair.exponent);
}

graze_verdict grz_curved_against_half_space(const grz_convex_body *body, const double normal[3], double offset,
                                            const graze_pose *pose, double *out_lower, double *out_upper)
{
    grz_environment environment;
    double lower, upper;
    grz_environment_enter_default(&environment);
    signed_gap(body, normal, offset, pose, &lower, &upper);
    graze_verdict verdict = GRAZE_VERDICT_UNKNOWN;
    if (lower > 0)
        verdict = GRAZE_VERDICT_NO;
    if (upper <= 0)
        verdict = GRAZE_VERDICT_YES;
    grz_environment_leave_default(&environment);
    if (out_lower)
        *out_lower = lower;
    if (out_upper)
        *out_upper = upper;
    return verdict;
}
