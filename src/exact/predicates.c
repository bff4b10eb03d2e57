/* SPDX-License-Identifier: MIT */
/*
 * Predicates of placed points: floating-point filter, then integers; see predicates.h.
 *
 * Error analysis. Write u = 2^-52: in any rounding mode fl(x op y) = (x op y)(1 + d), |d| <= u, unless it underflows.
 * The filter is used only while every vertex and pose entry and every sum below is at most HUGE_LIMIT = 2^300 in
 * magnitude. Then nothing overflows, and flushing a denormal operand or result to zero (or ordinary underflow) changes
 * a placed coordinate by less than 8 * 2^300 * 2^-1022 < TINY = 2^-700 in all, which is added to every bound.
 *
 * Placed coordinate x = r0 v0 + r1 v1 + r2 v2 + t, with m = |r0 v0| + |r1 v1| + |r2 v2| + |t|. No term passes more than
 * four roundings, so |fl(x) - x| <= ((1+u)^4 - 1) m_true < 4.1 u m_true, and m_true <= m (1 + 5u). We take 6 u m +
 * TINY.
 *
 * Differences d of two coordinates, each with an error of at most e (points->error, never below TINY), true difference
 * D: |d - D| <= 2e + u|d|(1+u). Per axis let M be the largest |d| and delta = 2.1 e + 1.1 u M, N = M + delta. Each of
 * the 6 products in the determinant of the d differs from that of the D by at most delta_x N_y N_z + N_x delta_y N_z +
 * N_x N_y delta_z, and evaluation adds at most ((1+u)^5 - 1) N_x N_y N_z < 5.1 u N_x N_y N_z for each. The rounding of
 * the bound itself is paid by taking 6.001 instead of 6 and 6 u instead of 5.1 u; the underflow of products of three
 * numbers below 2^301 is far below ABSOLUTE = 2^-600. The 2 x 2 case is alike.
 *
 * Very large and very small numbers. Where numbers are beyond HUGE_LIMIT, or all placed coordinates below SMALL_LIMIT,
 * so that the absolute terms dominate the bounds, the world is scaled by a power of two, which changes no sign. A point
 * is then placed as (2^(k-w) R) (2^-k v) + 2^-w t, with k the exponent of v and w such that all entries and sums are at
 * most 8. Scaling is exact except for denormal results, which change by less than 2^-1074; TINY covers that as it
 * covers flushing.
 */
#include "exact/predicates.h"

#include <math.h>
#include <string.h>

#include "base/bits.h"

#define U 0x1p-52
#define TINY 0x1p-700
#define ABSOLUTE 0x1p-600
#define HUGE_LIMIT 0x1p300
#define SMALL_LIMIT 0x1p-100

void grz_points_start(grz_points *points, grz_filter_stats *stages)
{
    points->count = 0;
    points->stages = stages;
    points->error = TINY;
    points->filter_usable = true;
    points->scaled = false;
    points->exact_ready = false;
    points->mirrored = 1;
    points->in_world = true;
}

void grz_points_start_in_frame(grz_points *points, grz_filter_stats *stages, int mirrored, double error)
{
    grz_points_start(points, stages);
    points->mirrored = mirrored;
    points->in_world = false;
    points->error = error;
}

void grz_points_add_in_frame(grz_points *points, const double point[3], const graze_pose *pose,
                             const double transformed[3])
{
    points->sources[points->count].point = point;
    points->sources[points->count].pose = pose;
    memcpy(points->approximate[points->count], transformed, sizeof points->approximate[0]);
    points->count++;
}

void grz_points_to_world(grz_points *points)
{
    if (points->in_world)
        return;
    bool exact_ready = points->exact_ready; /* the integers are of the world already */
    int count = points->count;
    grz_points_start(points, points->stages);
    for (int i = 0; i < count; i++)
        grz_points_add(points, points->sources[i].point, points->sources[i].pose);
    points->exact_ready = exact_ready;
}

/* Not fmax: that is a library call, and here a NaN need not be ignored. */
static double larger(double a, double b)
{
    return a > b ? a : b;
}

static bool within_limit(const double *numbers, int count)
{
    double largest = 0.0;
    for (int i = 0; i < count; i++)
        largest = larger(largest, fabs(numbers[i]));
    /* shortcut: filter-range */
    return largest <= HUGE_LIMIT;
}

/* By bytes, as == may take denormals for zero. */
static bool is_identity(const graze_pose *pose)
{
    static const graze_pose identity = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
    return pose->m[0] == 1 && memcmp(pose, &identity, sizeof identity) == 0;
}

void grz_points_add(grz_points *points, const double point[3], const graze_pose *pose)
{
    double *placed = points->approximate[points->count];
    if (pose != NULL && is_identity(pose))
        pose = NULL;
    points->sources[points->count].point = point;
    points->sources[points->count].pose = pose;
    points->count++;
    points->exact_ready = false;
    if (points->scaled || !within_limit(point, 3) || (pose != NULL && !within_limit(pose->m, 12)))
        points->filter_usable = false;
    if (pose == NULL)
    {
        memcpy(placed, point, 3 * sizeof *placed);
        return;
    }
    for (int axis = 0; axis < 3; axis++)
    {
        const double *row = pose->m + 4 * axis;
        double x = row[0] * point[0], y = row[1] * point[1], z = row[2] * point[2];
        placed[axis] = x + y + z + row[3];
        double magnitude = fabs(x) + fabs(y) + fabs(z) + fabs(row[3]);
        /* shortcut: placed-error */
        points->error = larger(points->error, 6 * U * magnitude + TINY);
        if (!(magnitude <= HUGE_LIMIT))
            points->filter_usable = false;
    }
}

static int largest_exponent(const double *numbers, int count, int stride)
{
    int largest = INT32_MIN;
    for (int i = 0; i < count; i++)
    {
        int exponent = grz_exponent_of(numbers[i * stride]);
        largest = exponent > largest ? exponent : largest;
    }
    return largest;
}

/* Exponent of a point's coordinates, and of a bound on every term of its placed coordinates. */
static void exponents_of(const graze_placed_point *source, int *of_point, int *of_terms)
{
    int point = largest_exponent(source->point, 3, 1), matrix = 1, shift = INT32_MIN;
    if (source->pose != NULL)
    {
        const double *m = source->pose->m;
        int rows[3] = {largest_exponent(m, 3, 1), largest_exponent(m + 4, 3, 1), largest_exponent(m + 8, 3, 1)};
        matrix = rows[0] > rows[1] ? rows[0] : rows[1];
        matrix = rows[2] > matrix ? rows[2] : matrix;
        shift = largest_exponent(m + 3, 3, 4);
    }
    int product = point == INT32_MIN || matrix == INT32_MIN ? INT32_MIN : point + matrix;
    *of_point = point == INT32_MIN ? 0 : point;
    *of_terms = product > shift ? product : shift;
}

static double placed_scaled(const graze_placed_point *source, int axis, int of_point, int world)
{
    static const graze_pose identity = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
    const double *row = (source->pose != NULL ? source->pose->m : identity.m) + 4 * axis;
    double sum = 0;
    for (int k = 0; k < 3; k++)
    {
        if (!grz_is_zero(source->point[k])) /* otherwise the scaled entry may be infinite */
            sum += grz_scale(row[k], of_point - world) * grz_scale(source->point[k], -of_point);
    }
    return sum + grz_scale(row[3], -world);
}

/*
 * Scales the world where that makes the filter usable: before its use where numbers are beyond HUGE_LIMIT, or after it
 * failed where all are small. True when signs are worth asking for again. A term is at most 1 and the sum of four
 * magnitudes at most 4, so that the error of a placed point is below 24 u + TINY; without a pose, products are exact.
 * shortcut: scaled-world
 */
static bool rescale(grz_points *points)
{
    if (points->scaled || !points->in_world)
        return false;
    double largest = 0;
    for (int i = 0; i < points->count && points->filter_usable; i++)
        for (int axis = 0; axis < 3; axis++)
            largest = larger(largest, fabs(points->approximate[i][axis]));
    if (points->filter_usable && !(largest < SMALL_LIMIT))
        return false;
    int of_points[GRZ_POINTS_MAX], world = INT32_MIN;
    bool moved = false;
    for (int i = 0; i < points->count; i++)
    {
        int terms;
        moved = moved || points->sources[i].pose != NULL;
        exponents_of(&points->sources[i], &of_points[i], &terms);
        world = terms > world ? terms : world;
    }
    if (world == INT32_MIN)
        return false;
    for (int i = 0; i < points->count; i++)
        for (int axis = 0; axis < 3; axis++)
            points->approximate[i][axis] = placed_scaled(&points->sources[i], axis, of_points[i], world);
    points->error = moved ? 24 * U + TINY : TINY;
    points->filter_usable = points->scaled = true;
    return true;
}

static double max3(double a, double b, double c)
{
    return larger(larger(fabs(a), fabs(b)), fabs(c));
}

/*
 * Whether two points are equal by construction, as corners of mated parts are: the same numbers under the same pose. By
 * bytes, as == may take denormals for zero; a missed equality costs time only. Approximations of equal points are
 * equal, and quick to compare first.
 */
static bool same_point(const grz_points *points, int a, int b)
{
    const graze_placed_point *p = &points->sources[a], *q = &points->sources[b];
    /* shortcut: same-point */
    return points->approximate[a][0] == points->approximate[b][0] && p->pose == q->pose &&
           memcmp(p->point, q->point, 3 * sizeof *p->point) == 0;
}

static int sign_of(double x)
{
    return (x > 0) - (x < 0);
}

static bool is_one_of(const grz_points *points, int point, int a, int b, int c)
{
    return same_point(points, point, a) || same_point(points, point, b) || same_point(points, point, c);
}

static int count_filtered(grz_points *points, int sign)
{
    if (points->stages != NULL)
        points->stages->filtered++;
    return sign;
}

static void use_exact_stage(grz_points *points)
{
    if (points->stages != NULL)
        points->stages->exact++;
    grz_points_make_exact(points);
}

int grz_orient3d(grz_points *points, int a, int b, int c, int d) /* NOLINT(misc-no-recursion) */
{
    if (points->filter_usable)
    {
        const double *pa = points->approximate[a], *pb = points->approximate[b];
        const double *pc = points->approximate[c], *pd = points->approximate[d];
        double ax = pa[0] - pd[0], ay = pa[1] - pd[1], az = pa[2] - pd[2];
        double bx = pb[0] - pd[0], by = pb[1] - pd[1], bz = pb[2] - pd[2];
        double cx = pc[0] - pd[0], cy = pc[1] - pd[1], cz = pc[2] - pd[2];
        double determinant = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
        double mx = max3(ax, bx, cx), my = max3(ay, by, cy), mz = max3(az, bz, cz);
        double dx = 2.1 * points->error + 1.1 * U * mx;
        double dy = 2.1 * points->error + 1.1 * U * my;
        double dz = 2.1 * points->error + 1.1 * U * mz;
        double nx = mx + dx, ny = my + dy, nz = mz + dz;
        /* shortcut: orient3d-filter */
        double bound = 6.001 * (dx * ny * nz + nx * dy * nz + nx * ny * dz + 6 * U * nx * ny * nz) + ABSOLUTE;
        if (fabs(determinant) > bound)
            /* shortcut: mirrored-frame */
            return count_filtered(points, points->mirrored * sign_of(determinant));
    }
    if (is_one_of(points, d, a, b, c) || is_one_of(points, c, a, b, b) || same_point(points, a, b))
        return count_filtered(points, 0);
    if (rescale(points))
        return grz_orient3d(points, a, b, c, d);
    use_exact_stage(points);
    return grz_exact_orient3d_sign(points, a, b, c, d);
}

/* Fills the differences of point a from point b. */
static void differences(const grz_points *points, int a, int b, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = points->approximate[a][k] - points->approximate[b][k];
}

static void cross(const double p[3], const double q[3], double out[3])
{
    out[0] = p[1] * q[2] - p[2] * q[1];
    out[1] = p[2] * q[0] - p[0] * q[2];
    out[2] = p[0] * q[1] - p[1] * q[0];
}

/*
 * det(a-d, b-d, c-d) = ((a-c) x (b-c)) . (c-d): the normal serves all three points d, and so does one bound over the
 * largest differences of all. It is the bound of orient3d: again six products of three differences each.
 */
bool grz_sides_filter(const grz_points *points, int plane, int first, int sides[3])
{
    sides[0] = sides[1] = sides[2] = GRZ_UNCERTAIN;
    if (!points->filter_usable)
        return false;
    double p[3], q[3], normal[3], r[3][3], m[3], d[3], n[3];
    differences(points, plane, plane + 2, p);
    differences(points, plane + 1, plane + 2, q);
    cross(p, q, normal);
    for (int i = 0; i < 3; i++)
        differences(points, plane + 2, first + i, r[i]);
    for (int k = 0; k < 3; k++)
    {
        m[k] = larger(max3(r[0][k], r[1][k], r[2][k]), larger(fabs(p[k]), fabs(q[k])));
        d[k] = 2.1 * points->error + 1.1 * U * m[k];
        n[k] = m[k] + d[k];
    }
    double bound =
        6.001 * (d[0] * n[1] * n[2] + n[0] * d[1] * n[2] + n[0] * n[1] * d[2] + 6 * U * n[0] * n[1] * n[2]) + ABSOLUTE;
    bool all = true;
    for (int i = 0; i < 3; i++)
    {
        double determinant = normal[0] * r[i][0] + normal[1] * r[i][1] + normal[2] * r[i][2];
        /* shortcut: plane-side-filter */
        sides[i] = fabs(determinant) > bound ? points->mirrored * sign_of(determinant) : GRZ_UNCERTAIN;
        all = all && sides[i] != GRZ_UNCERTAIN;
    }
    return all;
}

void grz_sides(grz_points *points, int plane, int first, int sides[3]) /* NOLINT(misc-no-recursion) */
{
    if (grz_sides_filter(points, plane, first, sides))
    {
        if (points->stages != NULL)
            points->stages->filtered += 3;
        return;
    }
    if (rescale(points))
    {
        grz_sides(points, plane, first, sides);
        return;
    }
    grz_sides_resolve(points, plane, first, sides);
}

void grz_sides_resolve(grz_points *points, int plane, int first, int sides[3])
{
    bool all = true;
    for (int i = 0; i < 3; i++)
    {
        if (sides[i] == GRZ_UNCERTAIN && is_one_of(points, first + i, plane, plane + 1, plane + 2))
            sides[i] = 0;
        all = all && sides[i] != GRZ_UNCERTAIN;
        if (sides[i] != GRZ_UNCERTAIN)
            count_filtered(points, 0);
    }
    if (all)
        return;
    for (int i = 0; i < 3; i++)
        if (sides[i] == GRZ_UNCERTAIN)
            use_exact_stage(points);
    grz_exact_sides(points, plane, first, sides);
}

int grz_dominant_axis(const grz_points *points, int first)
{
    double p[3], q[3], normal[3];
    differences(points, first, first + 2, p);
    differences(points, first + 1, first + 2, q);
    cross(p, q, normal);
    int best = fabs(normal[1]) > fabs(normal[0]) ? 1 : 0;
    return fabs(normal[2]) > fabs(normal[best]) ? 2 : best;
}

int grz_orient2d_filter(const grz_points *points, int a, int b, int c, int axis)
{
    int i = (axis + 1) % 3, j = (axis + 2) % 3;
    if (!points->filter_usable)
        return GRZ_UNCERTAIN;
    const double *pa = points->approximate[a], *pb = points->approximate[b], *pc = points->approximate[c];
    double ai = pa[i] - pc[i], aj = pa[j] - pc[j];
    double bi = pb[i] - pc[i], bj = pb[j] - pc[j];
    double determinant = ai * bj - aj * bi;
    double mi = larger(fabs(ai), fabs(bi)), mj = larger(fabs(aj), fabs(bj));
    double di = 2.1 * points->error + 1.1 * U * mi, dj = 2.1 * points->error + 1.1 * U * mj;
    double ni = mi + di, nj = mj + dj;
    /* shortcut: orient2d-filter */
    double bound = 2.001 * (di * nj + ni * dj + 4 * U * ni * nj) + ABSOLUTE;
    return fabs(determinant) > bound ? sign_of(determinant) : GRZ_UNCERTAIN;
}

int grz_orient2d(grz_points *points, int a, int b, int c, int axis) /* NOLINT(misc-no-recursion) */
{
    int sign = grz_orient2d_filter(points, a, b, c, axis);
    if (sign != GRZ_UNCERTAIN)
        return count_filtered(points, sign);
    if (is_one_of(points, c, a, b, b) || same_point(points, a, b))
        return count_filtered(points, 0);
    if (rescale(points))
        return grz_orient2d(points, a, b, c, axis);
    use_exact_stage(points);
    return grz_exact_orient2d_sign(points, a, b, c, axis);
}

int grz_compare(grz_points *points, int a, int b, int axis) /* NOLINT(misc-no-recursion) */
{
    if (points->filter_usable)
    {
        double difference = points->approximate[a][axis] - points->approximate[b][axis];
        /* shortcut: compare-filter */
        if (fabs(difference) > 2.1 * points->error + 1.1 * U * fabs(difference))
            return count_filtered(points, sign_of(difference));
    }
    if (rescale(points))
        return grz_compare(points, a, b, axis);
    use_exact_stage(points);
    uint64_t limbs[GRZ_COORDINATE_LIMBS];
    grz_integer difference = {limbs, 0, 0};
    grz_integer_difference(&difference, points->limbs[a][axis], points->limbs[b][axis], points->widths[axis]);
    return difference.sign;
}
