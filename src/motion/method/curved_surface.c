/* SPDX-License-Identifier: MIT */
/* Moving parametric surfaces; see curved_surface.h. */
#include "motion/method/curved_surface.h"

/* Charts of closed surfaces overlap, so that no point lies on the border of all of its own. */
#define CHART_END 1.0625

static graze_status check_surface(const graze_curved_surface *surface)
{
    static const int size_counts[] = {1, 3, 2, 0};
    if ((unsigned)surface->kind > GRAZE_CURVED_BEZIER)
        return GRAZE_STATUS_BAD_ARGUMENT;
    for (int i = 0; i < size_counts[surface->kind]; i++)
    {
        if (!isfinite(surface->sizes[i]))
            return GRAZE_STATUS_NOT_FINITE;
        if (!(surface->sizes[i] > 0))
            return GRAZE_STATUS_BAD_ARGUMENT;
    }
    if (surface->kind != GRAZE_CURVED_BEZIER)
        return GRAZE_STATUS_OK;
    if (surface->points == NULL || surface->degree_u < 1 || surface->degree_v < 1 ||
        surface->degree_u > GRZ_CURVED_MOST_DEGREE || surface->degree_v > GRZ_CURVED_MOST_DEGREE)
        return GRAZE_STATUS_BAD_ARGUMENT;
    for (uint32_t i = 0; i < (surface->degree_u + 1) * (surface->degree_v + 1); i++)
        for (int k = 0; k < 3; k++)
            if (!isfinite(surface->points[i][k]))
                return GRAZE_STATUS_NOT_FINITE;
    return GRAZE_STATUS_OK;
}

graze_status grz_moving_surface_check(const graze_moving_surface *moving)
{
    graze_status status = check_surface(&moving->surface);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (moving->motion.kind > GRAZE_MOTION_BALLISTIC_TURN && moving->motion.kind < GRAZE_MOTION_KIND_COUNT)
        return GRAZE_STATUS_UNSUPPORTED;
    return graze_motion_check(&moving->motion);
}

int grz_curved_chart_count(const graze_curved_surface *surface)
{
    static const int counts[] = {6, 6, 4, 1};
    return counts[surface->kind];
}

interval grz_curved_domain(const graze_curved_surface *surface)
{
    return surface->kind == GRAZE_CURVED_BEZIER ? (interval){0, 1} : (interval){-CHART_END, CHART_END};
}

/* w / |w| for w = (1, u, v), or its opposite, its entries turned to begin with axis chart / 2; times the half axes. */
static void place_ellipsoid(const graze_curved_surface *surface, int chart, grz_jet u, grz_jet v, grz_jet out[3])
{
    bool sphere = surface->kind == GRAZE_CURVED_SPHERE;
    grz_jet one = grz_jet_constant(1);
    grz_jet sum = grz_jet_add(one, grz_jet_add(grz_jet_square(u), grz_jet_square(v)));
    grz_jet over = grz_jet_invert_root(sum), w[3] = {one, u, v};
    for (int i = 0; i < 3; i++)
    {
        int axis = (chart / 2 + i) % 3;
        double size = surface->sizes[sphere ? 0 : axis];
        out[axis] = grz_jet_scale(grz_jet_mul(w[i], over), chart % 2 == 0 ? size : -size);
    }
}

/* Cosine and sine of half a circle, or of the other half. */
static void place_on_circle(grz_jet u, bool other, grz_jet *out_cosine, grz_jet *out_sine)
{
    grz_jet one = grz_jet_constant(1), square = grz_jet_square(u);
    grz_jet over = grz_jet_invert(grz_jet_add(one, square));
    *out_cosine = grz_jet_scale(grz_jet_mul(grz_jet_sub(one, square), over), other ? -1 : 1);
    *out_sine = grz_jet_scale(grz_jet_mul(u, over), other ? -2 : 2);
}

static void place_torus(const graze_curved_surface *surface, int chart, grz_jet u, grz_jet v, grz_jet out[3])
{
    grz_jet around[2], tube[2];
    place_on_circle(u, chart % 2 == 1, &around[0], &around[1]);
    place_on_circle(v, chart / 2 == 1, &tube[0], &tube[1]);
    grz_jet radius = grz_jet_add(grz_jet_constant(surface->sizes[0]), grz_jet_scale(tube[0], surface->sizes[1]));
    out[0] = grz_jet_mul(radius, around[0]);
    out[1] = grz_jet_mul(radius, around[1]);
    out[2] = grz_jet_scale(tube[1], surface->sizes[1]);
}

/* points[0 .. degree] become that at u: each step goes from one to the next, p + u (q - p). */
static grz_jet casteljau(grz_jet *points, uint32_t degree, grz_jet u)
{
    for (uint32_t left = degree; left > 0; left--)
        for (uint32_t i = 0; i < left; i++)
            points[i] = grz_jet_add(points[i], grz_jet_mul(u, grz_jet_sub(points[i + 1], points[i])));
    return points[0];
}

static void place_patch(const graze_curved_surface *surface, grz_jet u, grz_jet v, grz_jet out[3])
{
    grz_jet row[GRZ_CURVED_MOST_DEGREE + 1], column[GRZ_CURVED_MOST_DEGREE + 1];
    for (int axis = 0; axis < 3; axis++)
    {
        for (uint32_t i = 0; i <= surface->degree_u; i++)
        {
            for (uint32_t k = 0; k <= surface->degree_v; k++)
                row[k] = grz_jet_constant(surface->points[i * (surface->degree_v + 1) + k][axis]);
            column[i] = casteljau(row, surface->degree_v, v);
        }
        out[axis] = casteljau(column, surface->degree_u, u);
    }
}

/* p + t (q - p); the difference is an interval. */
static grz_jet between(double p, double q, grz_jet t)
{
    grz_jet difference = {.order = 2, .value = interval_sub(interval_point(q), interval_point(p))};
    return grz_jet_add(grz_jet_constant(p), grz_jet_mul(t, difference));
}

/* The matrix of a quaternion times the square of its length, over that. */
static void turn_matrix(const graze_motion *motion, grz_jet t, grz_jet out[3][3])
{
    double largest = 0;
    int exponent;
    grz_jet q[4];
    for (int i = 0; i < 8; i++)
        largest = fmax(largest, fabs(motion->quaternion[i / 4][i % 4]));
    frexp(largest, &exponent);
    grz_jet length_sq = grz_jet_constant(0);
    for (int i = 0; i < 4; i++)
    {
        q[i] = between(ldexp(motion->quaternion[0][i], -exponent), ldexp(motion->quaternion[1][i], -exponent), t);
        /* Scaling by a power of two loses a denormal at most. */
        q[i].value = interval_outward(q[i].value.lower, q[i].value.upper);
        length_sq = grz_jet_add(length_sq, grz_jet_square(q[i]));
    }
    grz_jet over = grz_jet_invert(length_sq);
    for (int i = 0; i < 3; i++)
    {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        grz_jet sides = grz_jet_add(grz_jet_square(q[1 + j]), grz_jet_square(q[1 + k]));
        out[i][i] = grz_jet_sub(grz_jet_constant(1), grz_jet_scale(grz_jet_mul(sides, over), 2));
        grz_jet product = grz_jet_mul(q[1 + i], q[1 + j]), twist = grz_jet_mul(q[0], q[1 + k]);
        out[i][j] = grz_jet_scale(grz_jet_mul(grz_jet_sub(product, twist), over), 2);
        out[j][i] = grz_jet_scale(grz_jet_mul(grz_jet_add(product, twist), over), 2);
    }
}

static void move(const graze_motion *motion, grz_jet t, grz_jet p[3])
{
    bool turns = motion->kind == GRAZE_MOTION_TURN || motion->kind == GRAZE_MOTION_BALLISTIC_TURN;
    grz_jet matrix[3][3], moved[3];
    if (turns)
        turn_matrix(motion, t, matrix);
    for (int i = 0; i < 3; i++)
    {
        const double *start = motion->start.m + 4 * i;
        const double *end = motion->kind == GRAZE_MOTION_BLEND ? motion->end.m + 4 * i : start;
        for (int k = 0; k < 3 && !turns; k++)
            matrix[i][k] = between(start[k], end[k], t);
        moved[i] = turns ? grz_jet_add(grz_jet_constant(motion->path[0][i]), grz_jet_scale(t, motion->path[1][i]))
                         : between(start[3], end[3], t);
        if (motion->kind == GRAZE_MOTION_BALLISTIC_TURN)
            moved[i] = grz_jet_add(moved[i], grz_jet_scale(grz_jet_square(t), motion->path[2][i]));
    }
    for (int k = 0; k < 3 && turns; k++)
        p[k] = grz_jet_sub(p[k], grz_jet_constant(motion->centre[k]));
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            moved[i] = grz_jet_add(moved[i], grz_jet_mul(matrix[i][k], p[k]));
    for (int i = 0; i < 3; i++)
        p[i] = moved[i];
}

void grz_curved_place(const graze_moving_surface *moving, int chart, const interval box[GRZ_JET_VARIABLES], int order,
                      grz_jet out[3])
{
    grz_jet u = grz_jet_variable(GRZ_JET_U, box[GRZ_JET_U], order),
            v = grz_jet_variable(GRZ_JET_V, box[GRZ_JET_V], order);
    if (moving->surface.kind == GRAZE_CURVED_TORUS)
        place_torus(&moving->surface, chart, u, v, out);
    else if (moving->surface.kind == GRAZE_CURVED_BEZIER)
        place_patch(&moving->surface, u, v, out);
    else
        place_ellipsoid(&moving->surface, chart, u, v, out);
    move(&moving->motion, grz_jet_variable(GRZ_JET_T, box[GRZ_JET_T], order), out);
}
