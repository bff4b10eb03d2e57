/* SPDX-License-Identifier: MIT */
/*
 * Moving triangles that stay apart; see triangle_filter.h.
 *
 * A corner runs on a rational Bezier curve V(t) / w(t), of degree 0, 1, 3 or 4, with positive weights: the hull of the
 * control points V[i] / w[i] of all corners contains the triangle throughout an interval of time. If a direction
 * separates these hulls for both triangles, the triangles are apart; else the interval is halved (de Casteljau).
 *
 * Error bounds, in the default environment, u = 2^-53. Coordinates are relative to an origin near the first body, so a
 * translation passes one rounding more. Of a turn let Q be the larger |q|^2, Y the largest |coordinate| of a corner
 * minus the centre, X that of a control point of the path. Entries of N(q) and w have Bernstein coefficients of at most
 * Q, being bilinear in q0 and q1, off by at most 6 u Q; so the coefficients of V are at most M = 3 Q Y + Q X, and off
 * by at most 33 u Q Y + 12 u Q X < 34 u Q (Y + X). Cutting to [lower, upper] and halving DEPTH_MAX times takes at most
 * 4 (2 + DEPTH_MAX) means or weighted means of at most 4 roundings each: less than 4 * 4 * 10 u M < 480 u Q (Y + X),
 * and for w 160 u Q. With r = Q / min w[i], the quotients are off by r 514 u (Y + X) + r^2 166 u * 3 (Y + X) and two
 * roundings: less than 1100 r^2 u (Y + X). Of a linear motion Q = r = 1, and Y + X is the sum of magnitudes of R p + t.
 * An inner product with a direction n adds 4 roundings of magnitudes |n|_1 3 r (Y + X), which 1200 r^2 u (Y + X) |n|_1
 * covers too; twice that is asked for, since it is rounded itself.
 */
#include "motion/triangle_filter.h"

#include <math.h>
#include <string.h>

enum
{
    DEPTH_MAX = 8,
    PIECES_MAX = 48,
    DEGREE_MAX = 4,
    POINTS_MAX = 3 * (DEGREE_MAX + 1)
};

#define BOUND (2 * 1200 * 0x1p-53)
#define RATIO_MAX 64
#define SMALLEST 0x1p-200
#define LARGEST 0x1p200

/* A triangle in an interval: coefficients of its corners, corner by corner, and of the weight. */
typedef struct arc
{
    double v[POINTS_MAX][3], w[DEGREE_MAX + 1];
} arc;

typedef struct mover
{
    int degree;
    double size, weight; /* Y + X and Q */
} mover;

typedef struct piece
{
    arc arcs[2];
    int depth;
} piece;

/* Control points of an arc, and the error bound of their coordinates. */
typedef struct hull
{
    int count;
    double points[POINTS_MAX][3], error;
} hull;

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

/* The control points of the path, of degree 1 or 2, relative to the origin. */
static void path_points(const graze_motion *motion, int degree, const double origin[3], double x[3][3])
{
    for (int k = 0; k < 3; k++)
    {
        double x0 = motion->path[0][k] - origin[k], x1 = motion->path[1][k];
        x[0][k] = x0;
        x[1][k] = degree == 1 ? x0 + x1 : x0 + x1 / 2;
        x[2][k] = degree == 1 ? 0 : x0 + x1 + motion->path[2][k];
    }
}

static double largest(const double *x, int count, double start)
{
    for (int i = 0; i < count; i++)
        start = fmax(start, fabs(x[i]));
    return start;
}

/* Products of Bernstein polynomials: of degree 2 and m, by binomials. */
static double product_coefficient(const double w[3], const double *x, int stride, int m, int i)
{
    static const double binomials[5][5] = {{1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}, {1, 4, 6, 4, 1}};
    double sum = 0;
    for (int a = 0; a <= 2; a++)
        if (i - a >= 0 && i - a <= m)
            sum += binomials[2][a] * binomials[m][i - a] * w[a] * x[(i - a) * stride];
    return sum / binomials[m + 2][i];
}

static bool make_turn(const graze_moving_triangle *triangle, const double origin[3], mover *m, arc *out)
{
    const graze_motion *motion = triangle->motion;
    int path_degree = motion->kind == GRAZE_MOTION_BALLISTIC_TURN ? 2 : 1, degree = 2 + path_degree;
    double n[3][3][3], w[3], x[3][3], one[3] = {1, 1, 1}, reach = 0;
    rotation(motion->quaternion[0], motion->quaternion[0], n[0], &w[0]);
    rotation(motion->quaternion[0], motion->quaternion[1], n[1], &w[1]);
    rotation(motion->quaternion[1], motion->quaternion[1], n[2], &w[2]);
    path_points(motion, path_degree, origin, x);
    for (int i = 0; i <= degree; i++)
        out->w[i] = product_coefficient(w, one, 1, path_degree, i);
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
                out->v[c * (degree + 1) + i][k] = product_coefficient(turned, one, 1, path_degree, i) +
                                                  product_coefficient(w, &x[0][k], 3, path_degree, i);
        }
    }
    *m = (mover){degree, reach + largest(x[0], 3 * (path_degree + 1), 0) + largest(motion->path[1], 3, 0),
                 fmax(w[0], w[2])};
    return true;
}

static void make_linear(const graze_moving_triangle *triangle, const double origin[3], mover *m, arc *out)
{
    const graze_motion *motion = triangle->motion;
    bool ends = triangle->end_corners[0] != NULL, blends = motion->kind == GRAZE_MOTION_BLEND;
    int degree = ends || blends;
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
    *m = (mover){degree, size, 1};
}

static bool make(const graze_moving_triangle *triangle, const double origin[3], mover *m, arc *out)
{
    bool turns = triangle->motion->kind > GRAZE_MOTION_BLEND;
    if (turns)
        make_turn(triangle, origin, m, out);
    else
        make_linear(triangle, origin, m, out);
    return in_range(m->size) && in_range(m->weight);
}

/* A row of coefficients, cut at s: the part before into `first`, the part after stays. */
static void cut_row(double *row, int stride, int degree, double s, double *first)
{
    double c[DEGREE_MAX + 1];
    for (int i = 0; i <= degree; i++)
        c[i] = row[i * stride];
    for (int i = 0; i <= degree; i++)
    {
        first[i * stride] = c[0];
        row[(degree - i) * stride] = c[degree - i];
        for (int j = 0; j < degree - i; j++)
            c[j] = (1 - s) * c[j] + s * c[j + 1];
    }
}

static void cut(const mover *m, arc *whole, double s, arc *first)
{
    int stride = m->degree + 1;
    cut_row(whole->w, 1, m->degree, s, first->w);
    for (int i = 0; i < 9; i++)
        cut_row(&whole->v[i / 3 * stride][i % 3], 3, m->degree, s, &first->v[i / 3 * stride][i % 3]);
}

/* False where weights are too small to bound the quotients. */
static bool make_hull(const mover *m, const arc *a, hull *out)
{
    int row = m->degree + 1;
    double least = a->w[0];
    for (int i = 1; i < row; i++)
        least = fmin(least, a->w[i]);
    if (!(least * RATIO_MAX >= m->weight))
        return false;
    double ratio = m->weight / least;
    out->count = 3 * row;
    out->error = BOUND * ratio * ratio * m->size;
    for (int i = 0; i < out->count; i++)
        for (int k = 0; k < 3; k++)
            out->points[i][k] = a->v[i][k] / a->w[i % row];
    return true;
}

/* Whether A lies before B along the direction, or after it. */
static bool separates(const hull hulls[2], const double n[3])
{
    double least[2], most[2], error = (fabs(n[0]) + fabs(n[1]) + fabs(n[2])) * (hulls[0].error + hulls[1].error);
    for (int side = 0; side < 2; side++)
    {
        least[side] = INFINITY;
        most[side] = -INFINITY;
        for (int i = 0; i < hulls[side].count; i++)
        {
            const double *p = hulls[side].points[i];
            double x = n[0] * p[0] + n[1] * p[1] + n[2] * p[2];
            least[side] = x < least[side] ? x : least[side];
            most[side] = x > most[side] ? x : most[side];
        }
    }
    return least[1] - most[0] > error || least[0] - most[1] > error;
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static bool axes_separate(const hull hulls[2])
{
    for (int k = 0; k < 3; k++)
    {
        double n[3] = {0, 0, 0};
        n[k] = 1;
        if (separates(hulls, n))
            return true;
    }
    double n[3] = {0, 0, 0};
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 3 * hulls[side].count; i++)
            n[i % 3] += (side == 0 ? -1.0 : 1.0) * hulls[side].points[i / 3][i % 3] / hulls[side].count;
    return separates(hulls, n);
}

/* Normals of both faces and of pairs of edges, from the corners in the middle of the control points. */
static bool normals_separate(const hull hulls[2])
{
    double edges[2][3][3], n[3];
    for (int side = 0; side < 2; side++)
    {
        int row = hulls[side].count / 3;
        for (int i = 0; i < 9; i++)
            edges[side][i / 3][i % 3] = hulls[side].points[(i / 3 + 1) % 3 * row + row / 2][i % 3] -
                                        hulls[side].points[i / 3 * row + row / 2][i % 3];
        cross(edges[side][0], edges[side][1], n);
        if (separates(hulls, n))
            return true;
    }
    for (int i = 0; i < 9; i++)
    {
        cross(edges[0][i / 3], edges[1][i % 3], n);
        if (separates(hulls, n))
            return true;
    }
    return false;
}

static bool is_apart(const mover movers[2], const piece *p)
{
    hull hulls[2];
    for (int side = 0; side < 2; side++)
        if (!make_hull(&movers[side], &p->arcs[side], &hulls[side]))
            return false;
    return axes_separate(hulls) || normals_separate(hulls);
}

static void split(const mover movers[2], piece *p, piece *first)
{
    for (int side = 0; side < 2; side++)
        cut(&movers[side], &p->arcs[side], 0.5, &first->arcs[side]);
    first->depth = ++p->depth;
}

static void restrict_to(const mover movers[2], piece *p, double lower, double upper)
{
    piece rest;
    for (int side = 0; side < 2; side++)
    {
        if (upper < 1)
        {
            cut(&movers[side], &p->arcs[side], upper, &rest.arcs[side]);
            p->arcs[side] = rest.arcs[side];
        }
        if (lower > 0) /* a little earlier, so that rounding loses nothing */
            cut(&movers[side], &p->arcs[side], lower / upper * (1 - 0x1p-51), &rest.arcs[side]);
    }
}

bool grz_moving_triangles_apart(const graze_moving_triangle *a, const graze_moving_triangle *b, double lower,
                                double upper)
{
    const graze_motion *motion = a->motion;
    bool turns = motion->kind > GRAZE_MOTION_BLEND;
    double origin[3];
    for (int k = 0; k < 3; k++)
        origin[k] = turns ? motion->path[0][k] : motion->start.m[4 * k + 3];
    mover movers[2];
    piece stack[DEPTH_MAX + 2];
    /* shortcut: moving-triangles-apart */
    if (!(lower < upper) || !make(a, origin, &movers[0], &stack[0].arcs[0]) ||
        !make(b, origin, &movers[1], &stack[0].arcs[1]))
        return false;
    restrict_to(movers, &stack[0], lower, upper);
    stack[0].depth = 0;
    for (int count = 1, pieces = 0; count > 0; pieces++)
    {
        piece *p = &stack[count - 1];
        if (is_apart(movers, p))
            count--;
        else if (p->depth == DEPTH_MAX || pieces == PIECES_MAX)
            return false;
        else
        {
            split(movers, p, p + 1);
            count++;
        }
    }
    return true;
}
