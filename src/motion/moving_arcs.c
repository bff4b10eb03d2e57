/* SPDX-License-Identifier: MIT */
/*
 * Moving triangles in doubles; see moving_arcs.h.
 *
 * A corner runs on a rational Bezier curve V(t) / w(t), of degree 0 to 4, with positive weights: the hull of the
 * control points V[i] / w[i] of all corners contains the triangle throughout an interval of time. Halving an interval
 * is de Casteljau's algorithm.
 *
 * Error bounds, in the default environment, u = 2^-53. Coordinates are relative to an origin near the first body, so a
 * translation passes one rounding more. Of a turn let Q be the larger |q|^2, Y the largest |coordinate| of a corner
 * minus the centre, X that of a control point of the path. Entries of N(q) and w have Bernstein coefficients of at most
 * Q, being bilinear in q0 and q1, off by at most 6 u Q; so the coefficients of V are at most M = 3 Q Y + Q X, and off
 * by at most 33 u Q Y + 12 u Q X < 34 u Q (Y + X). Halving DEPTH times, or evaluating once, takes at most 4 (DEPTH + 2)
 * means of at most 4 roundings: less than 288 u M < 864 u Q (Y + X), and for w 288 u Q. With r = Q / min w[i] the
 * quotients are off by r 898 u (Y + X) + r^2 294 u 3 (Y + X) and two roundings: less than 1800 r^2 u (Y + X). Of a
 * linear motion Q = r = 1, and Y + X is the sum of magnitudes of R p + t.
 * An inner product with a direction n adds 4 roundings of magnitudes |n|_1 3 r (Y + X), which 2000 r^2 u (Y + X) |n|_1
 * covers too; twice that is asked for, since it is rounded itself.
 */
#include "motion/moving_arcs.h"

#include <math.h>

#include "motion/moving_body.h"

#define BOUND (2 * 2000 * 0x1p-53)
#define RATIO_MAX 64
#define SMALLEST 0x1p-200
#define LARGEST 0x1p200

static bool in_range(double x)
{
    return x >= SMALLEST && x <= LARGEST;
}

/* N(q) and w by their Bernstein coefficients: of q0, of q0 and q1, of q1, as a bilinear form. */
static void rotation(const double p[4], const double q[4], double n[3][3], double *w)
{
    double s[4][4];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            s[i][j] = 0.5 * (p[i] * q[j] + p[j] * q[i]);
    for (int k = 0; k < 3; k++)
    {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        n[k][k] = s[0][0] + s[k + 1][k + 1] - s[i + 1][i + 1] - s[j + 1][j + 1];
        n[j][i] = 2 * (s[i + 1][j + 1] + s[0][k + 1]);
        n[i][j] = 2 * (s[i + 1][j + 1] - s[0][k + 1]);
    }
    *w = s[0][0] + s[1][1] + s[2][2] + s[3][3];
}

/* The control points of the path, of degree 0 to 2, relative to the origin. */
static void path_points(const graze_motion *motion, int degree, const double origin[3], double x[3][3])
{
    for (int k = 0; k < 3; k++)
    {
        double x0 = motion->path[0][k] - origin[k], x1 = motion->path[1][k];
        x[0][k] = x0;
        x[1][k] = degree < 2 ? x0 + x1 : x0 + x1 / 2;
        x[2][k] = degree < 2 ? 0 : x0 + x1 + motion->path[2][k];
    }
}

static double largest(const double *x, int count, double start)
{
    for (int i = 0; i < count; i++)
        start = fmax(start, fabs(x[i]));
    return start;
}

/* Products of Bernstein polynomials: of degree n and m, by binomials. */
static double product_coefficient(const double w[3], int n, const double *x, int stride, int m, int i)
{
    static const double binomials[5][5] = {{1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}, {1, 4, 6, 4, 1}};
    double sum = 0;
    for (int a = 0; a <= n; a++)
        if (i - a >= 0 && i - a <= m)
            sum += binomials[n][a] * binomials[m][i - a] * w[a] * x[(i - a) * stride];
    return sum / binomials[m + n][i];
}

static void make_turn(const graze_moving_triangle *triangle, const double origin[3], grz_moving_arcs *arcs, int side)
{
    const graze_motion *motion = triangle->motion;
    int path_degree = grz_motion_path_degree(motion), turn_degree = grz_motion_rotation_degree(motion);
    int degree = turn_degree + path_degree;
    grz_arc *out = &arcs->whole[side];
    double n[3][3][3], w[3], x[3][3], one[3] = {1, 1, 1}, reach = 0;
    rotation(motion->quaternion[0], motion->quaternion[0], n[0], &w[0]);
    rotation(motion->quaternion[0], motion->quaternion[1], n[1], &w[1]);
    rotation(motion->quaternion[1], motion->quaternion[1], n[2], &w[2]);
    path_points(motion, path_degree, origin, x);
    for (int i = 0; i <= degree; i++)
        out->w[i] = product_coefficient(w, turn_degree, one, 1, path_degree, i);
    for (int c = 0; c < 3; c++)
    {
        double y[3];
        for (int k = 0; k < 3; k++)
            y[k] = triangle->corners[c][k] - motion->centre[k];
        reach = largest(y, 3, reach);
        for (int k = 0; k < 3; k++)
        {
            double turned[3];
            for (int a = 0; a < 3; a++)
                turned[a] = n[a][k][0] * y[0] + n[a][k][1] * y[1] + n[a][k][2] * y[2];
            for (int i = 0; i <= degree; i++)
                out->v[c * (degree + 1) + i][k] = product_coefficient(turned, turn_degree, one, 1, path_degree, i) +
                                                  product_coefficient(w, turn_degree, &x[0][k], 3, path_degree, i);
        }
    }
    arcs->degree[side] = degree;
    arcs->size[side] = reach + largest(x[0], 3 * (path_degree + 1), 0) + largest(motion->path[1], 3, 0);
    arcs->weight[side] = fmax(w[0], w[2]);
}

static void make_linear(const graze_moving_triangle *triangle, const double origin[3], grz_moving_arcs *arcs, int side)
{
    const graze_motion *motion = triangle->motion;
    bool ends = triangle->end_corners[0] != NULL, blends = motion->kind == GRAZE_MOTION_BLEND;
    int degree = ends || blends;
    grz_arc *out = &arcs->whole[side];
    double size = 0;
    for (int i = 0; i < 3 * (degree + 1); i++)
    {
        bool at_end = degree == 1 && i % 2 == 1;
        const double *r = at_end && blends ? motion->end.m : motion->start.m;
        const double *p = at_end && ends ? triangle->end_corners[i / 2] : triangle->corners[degree == 1 ? i / 2 : i];
        for (int k = 0; k < 3; k++)
        {
            double x = r[4 * k] * p[0], y = r[4 * k + 1] * p[1], z = r[4 * k + 2] * p[2], t = r[4 * k + 3] - origin[k];
            out->v[i][k] = x + y + z + t;
            size = fmax(size, fabs(x) + fabs(y) + fabs(z) + fabs(t));
        }
    }
    for (int i = 0; i <= degree; i++)
        out->w[i] = 1;
    arcs->degree[side] = degree;
    arcs->size[side] = size;
    arcs->weight[side] = 1;
}

bool grz_moving_arcs_make(const graze_moving_triangle *a, const graze_moving_triangle *b, grz_moving_arcs *out)
{
    bool first_turns = a->motion->kind > GRAZE_MOTION_BLEND, usable = true;
    double origin[3];
    for (int k = 0; k < 3; k++)
        origin[k] = first_turns ? a->motion->path[0][k] : a->motion->start.m[4 * k + 3];
    for (int side = 0; side < 2; side++)
    {
        const graze_moving_triangle *triangle = side == 0 ? a : b;
        if (triangle->motion->kind > GRAZE_MOTION_BLEND)
            make_turn(triangle, origin, out, side);
        else
            make_linear(triangle, origin, out, side);
        usable = usable && in_range(out->size[side]) && in_range(out->weight[side]);
    }
    return usable;
}

/* A row of coefficients, halved: the first half into `first`, the second stays. */
static void halve_row(double *row, int stride, int degree, double *first)
{
    double c[GRZ_ARC_DEGREE_MAX + 1] = {0};
    for (int i = 0; i <= degree; i++)
        c[i] = row[i * stride];
    for (int i = 0; i <= degree; i++)
    {
        first[i * stride] = c[0];
        row[(degree - i) * stride] = c[degree - i];
        for (int j = 0; j < degree - i; j++)
            c[j] = 0.5 * (c[j] + c[j + 1]);
    }
}

void grz_arcs_halve(const grz_moving_arcs *arcs, grz_arc whole[2], grz_arc first[2])
{
    for (int side = 0; side < 2; side++)
    {
        int degree = arcs->degree[side], row = degree + 1;
        halve_row(whole[side].w, 1, degree, first[side].w);
        for (int i = 0; i < 9; i++)
            halve_row(&whole[side].v[i / 3 * row][i % 3], 3, degree, &first[side].v[i / 3 * row][i % 3]);
    }
}

/* A row of coefficients in [from, from + width], by de Casteljau's algorithm twice. `from` and 1 - from are exact, the
   part of the rest is rounded: 8 means, each off by 5 u M at most, are 40 u M, and no more than DEPTH - 1 halvings
   follow where 288 u M are counted for DEPTH + 2. */
static void restrict_row(const double *row, int stride, int degree, double from, double width, double *out)
{
    double c[GRZ_ARC_DEGREE_MAX + 1] = {0}, part = width / (1 - from);
    for (int i = 0; i <= degree; i++)
        c[i] = row[i * stride];
    for (int i = 1; i <= degree; i++) /* what comes after `from` */
        for (int j = 0; j <= degree - i; j++)
            c[j] = (1 - from) * c[j] + from * c[j + 1];
    for (int i = 0; i <= degree; i++)
    {
        out[i * stride] = c[0];
        for (int j = 0; j < degree - i; j++)
            c[j] = (1 - part) * c[j] + part * c[j + 1];
    }
}

void grz_arcs_restrict(const grz_moving_arcs *arcs, int n, int k, grz_arc out[2])
{
    double width = ldexp(1, -k), from = n * width;
    for (int side = 0; side < 2; side++)
    {
        const grz_arc *whole = &arcs->whole[side];
        int degree = arcs->degree[side], row = degree + 1;
        restrict_row(whole->w, 1, degree, from, width, out[side].w);
        for (int i = 0; i < 9; i++)
            restrict_row(&whole->v[i / 3 * row][i % 3], 3, degree, from, width, &out[side].v[i / 3 * row][i % 3]);
    }
}

bool grz_arcs_hulls(const grz_moving_arcs *arcs, const grz_arc pieces[2], grz_arc_hull out[2])
{
    for (int side = 0; side < 2; side++)
    {
        const grz_arc *piece = &pieces[side];
        int row = arcs->degree[side] + 1;
        double least = piece->w[0];
        for (int i = 1; i < row; i++)
            least = fmin(least, piece->w[i]);
        if (!(least * RATIO_MAX >= arcs->weight[side]))
            return false;
        double ratio = arcs->weight[side] / least;
        out[side].count = 3 * row;
        out[side].error = BOUND * ratio * ratio * arcs->size[side];
        for (int i = 0; i < 3 * row; i++)
            for (int k = 0; k < 3; k++)
                out[side].points[i][k] = piece->v[i][k] / piece->w[i % row];
    }
    return true;
}

void grz_near_points_of_hulls(const grz_arc_hull hulls[2], grz_near_points *out)
{
    double radius = 0;
    for (int i = 0; i < 6; i++)
    {
        const grz_arc_hull *hull = &hulls[i / 3];
        int row = hull->count / 3;
        for (int k = 0; k < 3; k++)
        {
            double least = hull->points[i % 3 * row][k], most = least;
            for (int j = 1; j < row; j++)
            {
                least = fmin(least, hull->points[i % 3 * row + j][k]);
                most = fmax(most, hull->points[i % 3 * row + j][k]);
            }
            out->x[i][k] = 0.5 * (least + most);
            radius = fmax(radius, most - least); /* twice what is needed, which covers rounding */
        }
    }
    out->error = radius + hulls[0].error + hulls[1].error;
    out->usable = true;
}

/*
 * With n the degree, r the first control point of a corner V / w and A = V - r w, its derivative is (A' - (p - r) w') /
 * w. A' lies between the coefficients n ((V[i+1] - V[i]) - r (w[i+1] - w[i])), and p - r and w between what control
 * points and weights allow. m is the middle of A' by w[0]: it is off by half of what lies between, and by (p - r) w',
 * both by the least w, and by |m| times the relative difference of weights. Errors: V is off by less than 900 u Q (Y +
 * X), w by 294 u Q; |r|, |p - r| / 2 and |m| / 2 n are at most 3 r (Y + X). So A' / w is off by at most n (1800 + 1764
 * + 20) r^2 u (Y + X), (p - r) w' / w by n 3528 of these and the last term by as much: less than 3 n errors of a hull,
 * each 4000 r^2 u (Y + X). And m is rounded, and so are weights, by 294 r u < 2^-38 of themselves.
 */
static void moves_of_corner(const grz_arc *piece, int degree, const grz_arc_hull *hull, int corner, grz_arc_moves *out,
                            double *moves)
{
    int row = degree + 1;
    double least_weight = piece->w[0], most_weight = piece->w[0], weight_change = 0;
    for (int i = 1; i <= degree; i++)
    {
        least_weight = fmin(least_weight, piece->w[i]);
        most_weight = fmax(most_weight, piece->w[i]);
        weight_change = fmax(weight_change, fabs(piece->w[i] - piece->w[i - 1]));
    }
    for (int k = 0; k < 3; k++)
    {
        double least = degree == 0 ? 0 : INFINITY, most = -least, reach = 0, r = hull->points[corner * row][k];
        for (int i = 0; i < degree; i++)
        {
            double change =
                piece->v[corner * row + i + 1][k] - piece->v[corner * row + i][k] - r * (piece->w[i + 1] - piece->w[i]);
            least = fmin(least, change);
            most = fmax(most, change);
            reach = fmax(reach, fabs(hull->points[corner * row + i + 1][k] - r));
        }
        moves[k] = 0.5 * degree * (least + most) / piece->w[0];
        double bend = 0.5 * degree * (most - least) + degree * (reach + 2 * hull->error) * weight_change;
        double error = (bend + fabs(moves[k]) * (most_weight - least_weight)) / least_weight + 3 * degree * hull->error;
        out->error = fmax(out->error, (1 + 0x1p-30) * (error + 0x1p-48 * fabs(moves[k])));
    }
}

void grz_arcs_moves(const grz_moving_arcs *arcs, const grz_arc pieces[2], const grz_arc_hull hulls[2],
                    grz_arc_moves *out)
{
    out->error = 0;
    for (int i = 0; i < 6; i++)
        moves_of_corner(&pieces[i / 3], arcs->degree[i / 3], &hulls[i / 3], i % 3, out, out->moves[i]);
}

/* The value at t. */
static double evaluate(const double *row, int stride, int degree, double t)
{
    double c[GRZ_ARC_DEGREE_MAX + 1] = {0};
    for (int i = 0; i <= degree; i++)
        c[i] = row[i * stride];
    for (int last = degree; last > 0; last--)
        for (int j = 0; j < last; j++)
            c[j] = (1 - t) * c[j] + t * c[j + 1];
    return c[0];
}

/*
 * Between neighbouring doubles a corner moves by at most u times its speed. Coefficients of V' are below 2 * 4 M and
 * those of w' below 2 * 4 Q, so the speed (V' w - V w') / w^2 is at most 8 (M r / Q + M r^2 / Q) < 16 r^2 3 (Y + X): 48
 * r^2 u of it, within the part of the bound that halving does not use here.
 */
void grz_near_points_at(const grz_moving_arcs *arcs, double lower, grz_near_points *out)
{
    out->usable = true;
    out->error = 0;
    for (int side = 0; side < 2; side++)
    {
        const grz_arc *arc = &arcs->whole[side];
        int degree = arcs->degree[side];
        double w = evaluate(arc->w, 1, degree, lower), least = w;
        for (int i = 0; i <= degree; i++)
            least = fmin(least, arc->w[i]);
        out->usable = out->usable && least * RATIO_MAX >= arcs->weight[side];
        double ratio = arcs->weight[side] / least;
        out->error += BOUND * ratio * ratio * arcs->size[side];
        for (int i = 0; i < 9; i++)
            out->x[3 * side + i / 3][i % 3] = evaluate(&arc->v[i / 3 * (degree + 1)][i % 3], 3, degree, lower) / w;
    }
}

/*
 * Differences d of two places are off by at most e = 2 error + u |d|; with A the largest |d| and B = A + e, a 3x3
 * determinant has 6 products, off by 6 (3 B^2 e) at most, and by 6 * 8 u B^3 by rounding; a 2x2 one by 2 (2 B e) and
 * 2 * 3 u B^2.
 */
static bool differences(const grz_near_points *near, int count, const int *points, int origin, double d[3][3],
                        double *out_error, double *out_size)
{
    double size = 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
        {
            d[i][k] = near->x[points[i]][k] - near->x[origin][k];
            size = fmax(size, fabs(d[i][k]));
        }
    *out_error = 3 * near->error + 16 * 0x1p-53 * size;
    *out_size = size + *out_error;
    return near->usable;
}

int grz_near_orient3d(const grz_near_points *near, int a, int b, int c, int d)
{
    const int points[3] = {a, b, c};
    double v[3][3], error, size;
    /* shortcut: signs-of-near-points */
    if (!differences(near, 3, points, d, v, &error, &size))
        return 0;
    double x = v[1][1] * v[2][2] - v[1][2] * v[2][1], y = v[1][2] * v[2][0] - v[1][0] * v[2][2];
    double z = v[1][0] * v[2][1] - v[1][1] * v[2][0], volume = v[0][0] * x + v[0][1] * y + v[0][2] * z;
    double bound = 20 * size * size * error;
    return volume > bound ? 1 : volume < -bound ? -1 : 0;
}

int grz_near_orient2d(const grz_near_points *near, int a, int b, int c, int axis)
{
    const int points[2] = {a, b};
    double v[3][3], error, size;
    if (!differences(near, 2, points, c, v, &error, &size))
        return 0;
    int i = (axis + 1) % 3, j = (axis + 2) % 3;
    double area = v[0][i] * v[1][j] - v[0][j] * v[1][i], bound = 6 * size * error;
    return area > bound ? 1 : area < -bound ? -1 : 0;
}

int grz_near_compare(const grz_near_points *near, int a, int b, int axis)
{
    double d = near->x[a][axis] - near->x[b][axis], bound = 3 * near->error;
    return !near->usable ? 0 : d > bound ? 1 : d < -bound ? -1 : 0;
}
