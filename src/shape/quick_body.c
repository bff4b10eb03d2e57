/* SPDX-License-Identifier: MIT */
/*
 * Primitives in a few numbers; see quick_body.h. R are the first three columns of the pose and t is its last, R^T R is
 * the unit matrix but for entries of at most `defect`, u = GRZ_U bounds one rounding in any mode. |x|_1 is the sum of
 * the magnitudes of the coordinates of x, and `sizes` that of all numbers of the body.
 */
#include "shape/quick_body.h"

#include <math.h>

#include "math/interval.h"
#include "simd/f64x4.h"

#define LARGEST 0x1p300
#define SMALLEST 0x1p-300
#define LEAST 0x1p-500 /* more than all that underflows, or is flushed, in what follows */
#define MOST_DEFECT 2e-9f

enum
{
    EXTENT_ERROR = 64 /* u, times the scale: see grz_quick_body_extent */
};

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double sum_of_magnitudes(const double v[3])
{
    return fabs(v[0]) + fabs(v[1]) + fabs(v[2]);
}

/* ---- the numbers ---- */

static bool is_usual(double x)
{
    return x == 0 || (fabs(x) >= SMALLEST && fabs(x) <= LARGEST);
}

static bool are_usual(const double *numbers, int count)
{
    bool usual = true;
    for (int k = 0; k < count; k++)
        usual = usual && is_usual(numbers[k]);
    return usual;
}

static void copy(const double from[3], double to[3])
{
    for (int k = 0; k < 3; k++)
        to[k] = from[k];
}

/* Cores of balls are meshes of one triangle, whose corners coincide. */
static void take_core(const graze_shape *shape, grz_quick_body *body)
{
    const grz_hull *hull = shape->hull;
    body->radius = shape->radius;
    if (hull->vertex_count > 2)
        body->kind = GRZ_QUICK_NONE;
    copy(hull->vertices[0], body->centre);
    if (hull->vertex_count == 2)
        copy(hull->vertices[1], body->size);
    else if (body->kind == GRZ_QUICK_CAPSULE)
        copy(hull->vertices[0], body->size);
}

static void take_numbers(const graze_shape *shape, grz_quick_body *body)
{
    const double *n = shape->numbers;
    for (int k = 0; k < 3 && body->kind == GRZ_QUICK_BOX; k++)
        body->size[k] = n[k] / 2;
    if (body->kind == GRZ_QUICK_ELLIPSOID)
        copy(n, body->size);
    if (body->kind == GRZ_QUICK_CYLINDER || body->kind == GRZ_QUICK_CONE)
    {
        body->size[0] = n[1];
        body->size[2] = n[0] / 2;
    }
}

static grz_quick_kind kind_of(graze_shape_kind kind)
{
    switch (kind)
    {
    case GRAZE_SHAPE_SPHERE:
        return GRZ_QUICK_SPHERE;
    case GRAZE_SHAPE_CAPSULE:
        return GRZ_QUICK_CAPSULE;
    case GRAZE_SHAPE_BOX:
        return GRZ_QUICK_BOX;
    case GRAZE_SHAPE_CYLINDER:
        return GRZ_QUICK_CYLINDER;
    case GRAZE_SHAPE_CONE:
        return GRZ_QUICK_CONE;
    case GRAZE_SHAPE_ELLIPSOID:
        return GRZ_QUICK_ELLIPSOID;
    default:
        return GRZ_QUICK_NONE;
    }
}

/* The radius of a ball around its middle, before it is placed. */
static double ball_of(const grz_quick_body *body)
{
    const double *size = body->size;
    if (body->kind == GRZ_QUICK_SPHERE)
        return body->radius;
    if (body->kind == GRZ_QUICK_CAPSULE)
    {
        double way[3] = {size[0] - body->centre[0], size[1] - body->centre[1], size[2] - body->centre[2]};
        return 0.5 * sqrt(dot(way, way)) + body->radius;
    }
    if (body->kind == GRZ_QUICK_ELLIPSOID)
        return larger(size[0], larger(size[1], size[2]));
    return sqrt(dot(size, size)); /* a cylinder has a second size of 0 */
}

grz_quick_body grz_quick_body_of(const graze_shape *shape)
{
    grz_quick_body body = {.defect = INFINITY};
    body.kind = (uint8_t)(shape != NULL ? kind_of(shape->kind) : GRZ_QUICK_NONE);
    if (body.kind == GRZ_QUICK_SPHERE || body.kind == GRZ_QUICK_CAPSULE)
        take_core(shape, &body);
    else if (body.kind != GRZ_QUICK_NONE)
        take_numbers(shape, &body);
    if (!are_usual(body.size, 3) || !are_usual(body.centre, 3) || !is_usual(body.radius))
        body.kind = GRZ_QUICK_NONE;
    body.ball = ball_of(&body);
    body.sizes = sum_of_magnitudes(body.size) + sum_of_magnitudes(body.centre) + body.radius;
    return body;
}

/* ---- the pose ---- */

/* Entries of R^T R are sums of three products that err by at most 4 u of their magnitudes; these are at most 2 where
   the entry itself is near 0 or 1. The conversion to a float errs by 2^-23 of itself. The matrix is symmetric: three
   entries on its diagonal, three beside it. A column with a NaN or an infinity has no finite square: as a maximum drops
   NaNs, depending on their place, the sum of squares is added, times 0. */
float grz_pose_defect(const graze_pose *pose)
{
    const double *m = pose->m;
    f64x4 squares = f64x4_splat(0), products = squares;
    for (int k = 0; k < 12; k += 4)
    {
        f64x4 row = f64x4_load3(m + k);
        squares = f64x4_add(squares, f64x4_mul(row, row));
        products = f64x4_add(products, f64x4_mul(row, f64x4_make(m[k + 1], m[k + 2], m[k], 0)));
    }
    double sums[4];
    f64x4_store(sums, squares);
    f64x4 errors = f64x4_abs(f64x4_sub(squares, f64x4_make(1, 1, 1, 0)));
    double largest = f64x4_reduce_max(f64x4_max(f64x4_abs(products), errors));
    /* shortcut: quick-defects */
    return (float)((largest + 16 * GRZ_U) * (1 + 0x1p-20) + 0 * (sums[0] + sums[1] + sums[2]));
}

bool grz_quick_body_place(grz_quick_body *body, const graze_pose *pose, float defect)
{
    const double *m = pose->m;
    bool usual = fabs(m[3]) <= LARGEST && fabs(m[7]) <= LARGEST && fabs(m[11]) <= LARGEST;
    if (usual && defect < 0)
        defect = grz_pose_defect(pose); /* where it is small no entry exceeds 1 + 2e-9 */
    defect = usual ? defect : INFINITY;
    body->defect = defect <= MOST_DEFECT ? defect : INFINITY;
    return defect <= MOST_DEFECT;
}

/* ---- bounds ---- */

/* Three numbers, a world axis each. */
static f64x4 column(const graze_pose *pose, int k)
{
    const double *m = pose->m + k;
    return f64x4_make(m[0], m[4], m[8], 0);
}

static f64x4 times(f64x4 v, double factor)
{
    return f64x4_mul(v, f64x4_splat(factor));
}

/* A linear combination of three columns. */
static f64x4 turned(const f64x4 columns[3], const double v[3])
{
    return f64x4_add(f64x4_add(times(columns[0], v[0]), times(columns[1], v[1])), times(columns[2], v[2]));
}

/* Sets how far the body reaches from its middle along each world axis, and that middle, rounded. All stays in vectors:
   numbers that are stored one by one and read together wait for the store. */
static void find_reach(const grz_quick_body *body, const graze_pose *pose, f64x4 *middle, f64x4 *reach)
{
    const double *size = body->size;
    const f64x4 c[3] = {column(pose, 0), column(pose, 1), column(pose, 2)};
    *middle = column(pose, 3);
    switch ((grz_quick_kind)body->kind)
    {
    case GRZ_QUICK_SPHERE:
        *middle = f64x4_add(*middle, turned(c, body->centre));
        *reach = f64x4_splat(body->radius);
        break;
    case GRZ_QUICK_CAPSULE:
    {
        f64x4 first = times(turned(c, body->centre), 0.5), second = times(turned(c, size), 0.5);
        *middle = f64x4_add(*middle, f64x4_add(first, second));
        *reach = f64x4_add(f64x4_abs(f64x4_sub(first, second)), f64x4_splat(body->radius));
        break;
    }
    case GRZ_QUICK_BOX:
    {
        const f64x4 magnitudes[3] = {f64x4_abs(c[0]), f64x4_abs(c[1]), f64x4_abs(c[2])};
        *reach = turned(magnitudes, size);
        break;
    }
    case GRZ_QUICK_ELLIPSOID:
    {
        f64x4 x = times(c[0], size[0]), y = times(c[1], size[1]), z = times(c[2], size[2]);
        *reach = f64x4_sqrt(f64x4_add(f64x4_add(f64x4_mul(x, x), f64x4_mul(y, y)), f64x4_mul(z, z)));
        break;
    }
    default:
    {
        f64x4 around = f64x4_sqrt(f64x4_add(f64x4_mul(c[0], c[0]), f64x4_mul(c[1], c[1])));
        *reach = f64x4_add(times(f64x4_abs(c[2]), size[2]), times(around, size[0]));
        break;
    }
    }
}

static void store3(f64x4 v, double out[3])
{
    double all[4];
    f64x4_store(all, v);
    for (int k = 0; k < 3; k++)
        out[k] = all[k];
}

/*
 * Each coordinate is a sum of at most seven terms whose magnitudes sum up to at most 3 (sizes + |t|_1), since no entry
 * of R exceeds 1 + 2e-9: it errs by less than 30 u of that, and so do roots of sums of squares. R stretches vectors by
 * at most 1 + 1.5 times the defect, of which three are as much as a row of R^T R.
 */
void grz_quick_body_bounds(const grz_quick_body *body, const graze_pose *pose, graze_box *out_box, double out_centre[3],
                           double *out_radius, double *out_error)
{
    f64x4 middle, reach;
    double offset = fabs(pose->m[3]) + fabs(pose->m[7]) + fabs(pose->m[11]);
    /* shortcut: quick-bounds */
    double error = 64 * GRZ_U * (body->sizes + offset) + LEAST;
    find_reach(body, pose, &middle, &reach);
    reach = f64x4_add(reach, f64x4_splat(error));
    store3(f64x4_sub(middle, reach), out_box->lower);
    store3(f64x4_add(middle, reach), out_box->upper);
    store3(middle, out_centre);
    *out_error = error;
    *out_radius = body->ball * (1 + 3 * (double)body->defect + 16 * GRZ_U) + 2 * error;
}

/* ---- extents ---- */

/*
 * With g = R^T d, h(d) = d . t + the extent of the body itself along g: g . c + r |d| of a ball, the larger of two of
 * these of a capsule, and of the others as below. A coordinate of g is computed with an error of 4 u |d|_1 (1 + 2e-9),
 * g . c and its kind with one of 8 u more; a root of squares keeps it. All that is added is at most |d|_1 (sizes +
 * |t|_1) (1 + 2e-9), and less than ten roundings of sums follow: together below 30 u of the scale.
 */
double grz_quick_body_extent(const grz_quick_body *body, const graze_pose *pose, const double d[3], double length,
                             double *scale)
{
    const double *m = pose->m, *size = body->size;
    double g[4], offset = fabs(m[3]) + fabs(m[7]) + fabs(m[11]);
    f64x4 sum = times(f64x4_load(m), d[0]);
    sum = f64x4_add(sum, times(f64x4_load(m + 4), d[1]));
    f64x4_store(g, f64x4_add(sum, times(f64x4_load(m + 8), d[2])));
    *scale += sum_of_magnitudes(d) * (body->sizes + offset);
    switch ((grz_quick_kind)body->kind)
    {
    case GRZ_QUICK_SPHERE:
        return g[3] + dot(g, body->centre) + body->radius * length;
    case GRZ_QUICK_CAPSULE:
        return g[3] + larger(dot(g, body->centre), dot(g, size)) + body->radius * length;
    case GRZ_QUICK_BOX:
        return g[3] + (fabs(g[0]) * size[0] + fabs(g[1]) * size[1] + fabs(g[2]) * size[2]);
    case GRZ_QUICK_CYLINDER:
        return g[3] + (fabs(g[2]) * size[2] + size[0] * sqrt(g[0] * g[0] + g[1] * g[1]));
    case GRZ_QUICK_CONE:
        return g[3] + larger(g[2] * size[2], size[0] * sqrt(g[0] * g[0] + g[1] * g[1]) - g[2] * size[2]);
    case GRZ_QUICK_ELLIPSOID:
        for (int k = 0; k < 3; k++)
            g[k] *= size[k];
        return g[3] + sqrt(dot(g, g));
    default:
        return INFINITY;
    }
}

/* ---- points ---- */

/* Whether a ball or capsule holds a point: a point of its axis, which errs by less than 20 u of all magnitudes, is near
   enough. */
static bool ball_holds(const grz_quick_body *body, const graze_pose *pose, const double point[3])
{
    const double *m = pose->m;
    double from[3], way[3] = {0, 0, 0}, rest[3], s = 0;
    for (int k = 0; k < 3; k++)
        from[k] =
            m[4 * k] * body->centre[0] + m[4 * k + 1] * body->centre[1] + m[4 * k + 2] * body->centre[2] + m[4 * k + 3];
    if (body->kind == GRZ_QUICK_CAPSULE)
    {
        const double u[3] = {body->size[0] - body->centre[0], body->size[1] - body->centre[1],
                             body->size[2] - body->centre[2]};
        double along = 0;
        for (int k = 0; k < 3; k++)
        {
            way[k] = m[4 * k] * u[0] + m[4 * k + 1] * u[1] + m[4 * k + 2] * u[2];
            along += way[k] * (point[k] - from[k]);
        }
        double square = dot(way, way);
        s = square > 0 && along > 0 ? (along < square ? along / square : 1) : 0;
    }
    for (int k = 0; k < 3; k++)
        rest[k] = point[k] - (from[k] + s * way[k]);
    double all = body->sizes + fabs(m[3]) + fabs(m[7]) + fabs(m[11]) + sum_of_magnitudes(point);
    /* shortcut: quick-points-in-balls */
    return sqrt(dot(rest, rest)) + (64 * GRZ_U * all + LEAST) <= body->radius;
}

/* Whether z, which errs by `error` in each coordinate, lies in the body in its own frame. */
static bool holds_turned(const grz_quick_body *body, const double z[3], double error)
{
    const double *size = body->size;
    double around = sqrt(z[0] * z[0] + z[1] * z[1]) + 2 * error, sum = 0;
    switch ((grz_quick_kind)body->kind)
    {
    case GRZ_QUICK_BOX:
        return fabs(z[0]) + error <= size[0] && fabs(z[1]) + error <= size[1] && fabs(z[2]) + error <= size[2];
    case GRZ_QUICK_CYLINDER:
        return fabs(z[2]) + error <= size[2] && around <= size[0];
    case GRZ_QUICK_CONE:
        return z[2] - error >= -size[2] && z[2] + error <= size[2] &&
               around * (2 * size[2]) <= size[0] * (size[2] - (z[2] + error)) * (1 - 32 * GRZ_U);
    case GRZ_QUICK_ELLIPSOID:
        for (int k = 0; k < 3; k++)
        {
            double share = (fabs(z[k]) + error) / size[k]; /* a size of 0 makes it infinite, or no number */
            sum += share * share;
        }
        return sum <= 1 - 32 * GRZ_U;
    default:
        return false;
    }
}

/*
 * The point in the frame of the body is y = R^-1 x, x = point - t, and z = R^T x = R^T R y. So y - z is at most the
 * defect times |y|_1 in each coordinate, which is less than 1.8 |x|_1; z itself errs by less than 8 u |x|_1 (1 + 2e-9),
 * and the tests that follow by 8 u of numbers that are no larger.
 */
bool grz_quick_body_holds(const grz_quick_body *body, const graze_pose *pose, const double point[3])
{
    const double *m = pose->m;
    if (body->kind == GRZ_QUICK_SPHERE || body->kind == GRZ_QUICK_CAPSULE)
        return ball_holds(body, pose, point);
    double x[3] = {point[0] - m[3], point[1] - m[7], point[2] - m[11]}, z[4];
    f64x4 sum = times(f64x4_load(m), x[0]);
    sum = f64x4_add(sum, times(f64x4_load(m + 4), x[1]));
    f64x4_store(z, f64x4_add(sum, times(f64x4_load(m + 8), x[2])));
    /* shortcut: quick-points */
    double error = (2 * (double)body->defect + 64 * GRZ_U) * sum_of_magnitudes(x) + LEAST;
    return holds_turned(body, z, error);
}

/* ---- supports ---- */

void grz_quick_body_middle(const grz_quick_body *body, const graze_pose *pose, double out_point[3])
{
    f64x4 middle, reach;
    find_reach(body, pose, &middle, &reach);
    store3(middle, out_point);
}

static double signed_size(double size, double direction)
{
    return direction < 0 ? -size : size;
}

void grz_quick_body_support(const grz_quick_body *body, const graze_pose *pose, const double d[3], double share,
                            double out_point[3])
{
    const double *m = pose->m, *size = body->size;
    double g[3], y[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++)
        g[k] = m[k] * d[0] + m[4 + k] * d[1] + m[8 + k] * d[2];
    double around = sqrt(g[0] * g[0] + g[1] * g[1]), scale = around > 0 ? share * size[0] / around : 0;
    if (body->kind == GRZ_QUICK_SPHERE)
        copy(body->centre, y);
    else if (body->kind == GRZ_QUICK_CAPSULE)
        copy(dot(g, size) > dot(g, body->centre) ? size : body->centre, y);
    else if (body->kind == GRZ_QUICK_BOX)
        for (int k = 0; k < 3; k++)
            y[k] = signed_size(share * size[k], g[k]);
    else if (body->kind == GRZ_QUICK_ELLIPSOID)
    {
        double h[3] = {g[0] * size[0], g[1] * size[1], g[2] * size[2]}, length = sqrt(dot(h, h));
        for (int k = 0; k < 3 && length > 0; k++)
            y[k] = share * size[k] * h[k] / length;
    }
    else
    {
        bool tip = body->kind == GRZ_QUICK_CONE && 2 * g[2] * size[2] > around * size[0];
        y[0] = tip ? 0 : g[0] * scale;
        y[1] = tip ? 0 : g[1] * scale;
        y[2] = body->kind == GRZ_QUICK_CONE ? (tip ? share : -share) * size[2] : signed_size(share * size[2], g[2]);
    }
    for (int k = 0; k < 3; k++)
        out_point[k] = m[4 * k] * y[0] + m[4 * k + 1] * y[1] + m[4 * k + 2] * y[2] + m[4 * k + 3];
}
