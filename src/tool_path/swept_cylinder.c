/* SPDX-License-Identifier: MIT */
/*
 * Seen from the tool, the triangle T takes all places T - S, where S is the line (or box) of the move: the convex hull
 * of corner - place over all corners and places. Its part between the planes of both ends is the hull of the points
 * there and of the cuts of the edges with the planes; edges are those of T x S. The move gouges if there is a point
 * strictly between the planes, and the hull of all these, seen along z, comes closer to the axis than the radius: the
 * hull of a set and of its part strictly between differ by their boundary only, where the least distance is a limit.
 *
 * In the plane the hull of points q is closer than r to 0 if 0 is within it, or if some segment of two of them is.
 *
 * Filter. q is known up to u |q|, a cut up to a bound that is computed with it. Not closer: a direction n with
 * n . q >= r |n| for all q. Closer: a segment that is, with its errors, or an angle around 0 without a gap of half a
 * turn. Otherwise exact numbers decide: q = (X, Y) / D, of degree 2 and 1 in differences of doubles.
 */
#include "tool_path/swept_cylinder.h"

#include <math.h>
#include <string.h>

#include "exact/dyadic.h"

enum
{
    MOST_CORNERS = 3 * GRZ_MOST_PLACES,
    MOST_EDGES = 3 * GRZ_MOST_PLACES + 3 * 12,
    MOST_POINTS = MOST_CORNERS + 2 * MOST_EDGES
};

/* corner - place, with the side of each plane its height is on. */
typedef struct relative_point
{
    double x, y, z;
    const double *corner, *place;
    int above_lower, above_upper; /* signs, exact */
} relative_point;

/* A point of the part between the planes: of relative points `a` alone, or where the edge to `b` meets a plane. */
typedef struct hull_point
{
    double x, y, error;
    const relative_point *a, *b; /* b NULL: a itself */
    double height;               /* of the plane */
} hull_point;

typedef struct section
{
    relative_point corners[MOST_CORNERS];
    hull_point points[MOST_POINTS];
    int count;
} section;

/* X, Y and D > 0 of a point. */
typedef struct exact_point
{
    grz_dyadic x, y, d;
} exact_point;

typedef struct exact_section
{
    exact_point points[MOST_POINTS], first, second;
    grz_dyadic radius_sq, value[6];
} exact_section;

/* The sign of a - b - c. */
static int height_sign(double a, double b, double c)
{
    if (c == INFINITY)
        return -1;
    double value = a - b - c, error = 4 * GRZ_U * (fabs(a) + fabs(b) + fabs(c)) + 4 * GRZ_SMALLEST_NORMAL;
    /* shortcut: plane-sides */
    if (fabs(value) > error && fabs(value) < INFINITY)
        return value > 0 ? 1 : -1;
    grz_dyadic sum, term;
    grz_dyadic_set(&sum, a);
    grz_dyadic_set(&term, b);
    grz_dyadic_accumulate(&sum, &term, true);
    grz_dyadic_set(&term, c);
    grz_dyadic_accumulate(&sum, &term, true);
    return sum.sign;
}

static void add_point(section *s, const relative_point *a)
{
    s->points[s->count++] =
        (hull_point){a->x, a->y, 2 * GRZ_U * (fabs(a->x) + fabs(a->y)) + 4 * GRZ_SMALLEST_NORMAL, a, NULL, 0};
}

/*
 * The cut of an edge with a plane: a + w (b - a) with w = (height - a.z) / (b.z - a.z). Error of the numerator: u
 * (|a.z|
 * + |height - a.z|), of the denominator u (|a.z| + |b.z| + |b.z - a.z|), so that of w, which is between 0 and 1, is at
 * most their sum over the denominator and 2 u; times |b - a|, and 4 u of the coordinates. Bounds are doubled.
 */
static void add_cut(section *s, const relative_point *a, const relative_point *b, double height)
{
    double dx = b->x - a->x, dy = b->y - a->y, rise = b->z - a->z, run = height - a->z;
    double w = run / rise;
    double loose =
        GRZ_U * (2 * fabs(a->z) + fabs(b->z) + fabs(run) + fabs(rise) + fabs(height)) / fabs(rise) + 2 * GRZ_U;
    double size = fabs(a->x) + fabs(a->y) + fabs(b->x) + fabs(b->y);
    double error = 2 * (loose * (fabs(dx) + fabs(dy)) + 8 * GRZ_U * size) + 0x1p-1000;
    s->points[s->count++] = (hull_point){a->x + w * dx, a->y + w * dy, error, a, b, height};
}

static void cut_edge(section *s, const grz_swept_cylinder *c, const relative_point *a, const relative_point *b)
{
    if (a->above_lower * b->above_lower < 0)
        add_cut(s, a, b, c->lower);
    if (a->above_upper * b->above_upper < 0)
        add_cut(s, a, b, c->upper);
}

/* All points of the part between the planes. False where nothing is strictly between. */
static bool make_section(const grz_swept_cylinder *c, const double corners[3][3], section *s)
{
    bool any_above = false, any_below = false;
    int places = c->place_count;
    s->count = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < places; k++)
        {
            const double *v = corners[i], *place = c->places[k];
            relative_point *p = &s->corners[i * places + k];
            *p = (relative_point){v[0] - place[0],
                                  v[1] - place[1],
                                  v[2] - place[2],
                                  v,
                                  place,
                                  height_sign(v[2], place[2], c->lower),
                                  height_sign(v[2], place[2], c->upper)};
            any_above = any_above || p->above_lower > 0;
            any_below = any_below || p->above_upper < 0;
            if (p->above_lower >= 0 && p->above_upper <= 0)
                add_point(s, p);
        }
    if (!any_above || !any_below)
        return false;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < places; k++)
        {
            const relative_point *p = &s->corners[i * places + k];
            cut_edge(s, c, p, &s->corners[(i + 1) % 3 * places + k]);
            for (int bit = 1; bit < places; bit *= 2)
                if ((k & bit) == 0)
                    cut_edge(s, c, p, &s->corners[i * places + (k | bit)]);
        }
    return true;
}

typedef enum nearness
{
    UNDECIDED,
    CLOSER,
    NOT_CLOSER
} nearness;

/* Whether all points are on the far side of the line at distance r along (x, y). The product and the sum have 3 u of
   the terms, the length of n times the point's error, the length and its product 8 u together. */
static bool line_separates(const section *s, double r, double x, double y)
{
    double length = sqrt(x * x + y * y);
    if (!(length > 0x1p-400) || !(length < 0x1p400))
        return false;
    for (int i = 0; i < s->count; i++)
    {
        const hull_point *q = &s->points[i];
        double height = x * q->x + y * q->y;
        double error = 4 * GRZ_U * (fabs(x * q->x) + fabs(y * q->y)) + 2 * length * q->error + 0x1p-400;
        /* shortcut: hull-beyond-radius */
        if (!(height - error >= r * length * (1 + 16 * GRZ_U)))
            return false;
    }
    return true;
}

/* Whether every point has another one counterclockwise from it, less than half a turn away: then 0 is within. */
static bool surrounds(const section *s)
{
    for (int i = 0; i < s->count; i++)
    {
        const hull_point *p = &s->points[i];
        bool found = false;
        for (int k = 0; k < s->count && !found; k++)
        {
            const hull_point *q = &s->points[k];
            double a = p->x * q->y, b = p->y * q->x;
            double error =
                4 * GRZ_U * (fabs(a) + fabs(b)) +
                2 * (p->error * (fabs(q->x) + fabs(q->y) + q->error) + q->error * (fabs(p->x) + fabs(p->y))) +
                0x1p-1000;
            /* shortcut: axis-within-hull */
            found = a - b > error && a < INFINITY;
        }
        if (!found)
            return false;
    }
    return s->count > 0;
}

/* The point of the segment from p to q that is nearest to 0, and its squared length. */
static double nearest_of(const hull_point *p, const hull_point *q, double out[2])
{
    double dx = q->x - p->x, dy = q->y - p->y, along = -(p->x * dx + p->y * dy), square = dx * dx + dy * dy;
    double w = along > 0 && square > 0 ? (along < square ? along / square : 1) : 0;
    out[0] = p->x + w * dx;
    out[1] = p->y + w * dy;
    return out[0] * out[0] + out[1] * out[1];
}

static nearness decide_in_doubles(const section *s, double r)
{
    double best = INFINITY, at[2] = {0, 0};
    for (int i = 0; i < s->count; i++)
        for (int k = i; k < s->count; k++)
        {
            const hull_point *p = &s->points[i], *q = &s->points[k];
            double point[2], square = nearest_of(p, q, point);
            if (!(square < best))
                continue;
            best = square;
            memcpy(at, point, sizeof at);
            /* The point is one of the segment but for the errors of its ends and 8 u of their coordinates. */
            double size = fabs(p->x) + fabs(p->y) + fabs(q->x) + fabs(q->y);
            double error = 2 * (p->error + q->error) + 16 * GRZ_U * size;
            /* shortcut: segment-within-radius */
            if (sqrt(square) * (1 + 8 * GRZ_U) + error < r * (1 - 8 * GRZ_U))
                return CLOSER;
        }
    if (line_separates(s, r, at[0], at[1]))
        return NOT_CLOSER;
    return surrounds(s) ? CLOSER : UNDECIDED;
}

static void set_difference(grz_dyadic *out, double a, double b)
{
    grz_dyadic term;
    grz_dyadic_set(out, a);
    grz_dyadic_set(&term, b);
    grz_dyadic_accumulate(out, &term, true);
}

/* A coordinate of a cut times D = |b.z - a.z|: sign (a (b.z - a.z) + (height - a.z) (b - a)). */
static void set_cut(exact_section *e, const hull_point *p, exact_point *out)
{
    const relative_point *a = p->a, *b = p->b;
    grz_dyadic *az = &e->value[0], *bz = &e->value[1], *run = &e->value[2], *x = &e->value[3], *other = &e->value[4];
    set_difference(az, a->corner[2], a->place[2]);
    set_difference(bz, b->corner[2], b->place[2]);
    grz_dyadic_set(run, p->height);
    grz_dyadic_accumulate(run, az, true);
    grz_dyadic_accumulate(bz, az, true); /* the rise */
    bool negative = bz->sign < 0;
    grz_dyadic_copy(&out->d, bz);
    for (int axis = 0; axis < 2; axis++)
    {
        grz_dyadic *result = axis == 0 ? &out->x : &out->y;
        set_difference(x, a->corner[axis], a->place[axis]);
        set_difference(other, b->corner[axis], b->place[axis]);
        grz_dyadic_accumulate(other, x, true);
        grz_dyadic_multiply(result, x, bz);
        grz_dyadic_accumulate_product(result, run, other, false);
        result->sign = negative ? -result->sign : result->sign;
    }
    out->d.sign = 1;
}

static void set_exact(exact_section *e, const hull_point *p, exact_point *out)
{
    if (p->b != NULL)
    {
        set_cut(e, p, out);
        return;
    }
    set_difference(&out->x, p->a->corner[0], p->a->place[0]);
    set_difference(&out->y, p->a->corner[1], p->a->place[1]);
    grz_dyadic_set(&out->d, 1);
}

/* out = a b - c d. */
static void set_cross(grz_dyadic *out, const grz_dyadic *a, const grz_dyadic *b, const grz_dyadic *c,
                      const grz_dyadic *d)
{
    grz_dyadic_multiply(out, a, b);
    grz_dyadic_accumulate_product(out, c, d, true);
}

static bool surrounds_exactly(exact_section *e, int count)
{
    for (int i = 0; i < count; i++)
    {
        bool found = false;
        for (int k = 0; k < count && !found; k++)
        {
            const exact_point *p = &e->points[i], *q = &e->points[k];
            set_cross(&e->value[0], &p->x, &q->y, &p->y, &q->x);
            found = e->value[0].sign > 0;
        }
        if (!found)
            return false;
    }
    return count > 0;
}

/* Whether x^2 + y^2 < r^2 d^2. */
static bool point_is_closer(exact_section *e, const exact_point *p)
{
    grz_dyadic_multiply(&e->value[0], &p->x, &p->x);
    grz_dyadic_accumulate_product(&e->value[0], &p->y, &p->y, false);
    grz_dyadic_multiply(&e->value[1], &p->d, &p->d);
    grz_dyadic_multiply(&e->value[2], &e->value[1], &e->radius_sq);
    return grz_dyadic_compare(&e->value[0], &e->value[2]) < 0;
}

/* Whether the line of p and q is closer than the radius at a point strictly between them. With P = (x, y) D2 and Q =
   (x, y) D1 over D = D1 D2, and e = Q - P: P . e < 0 < Q . e, and (P x Q)^2 < r^2 D^2 e^2. */
static bool segment_is_closer(exact_section *e, const exact_point *p, const exact_point *q)
{
    exact_point *a = &e->first, *b = &e->second;
    grz_dyadic *dot = &e->value[0], *square = &e->value[1], *cross = &e->value[2], *other = &e->value[3];
    grz_dyadic_multiply(&a->x, &p->x, &q->d);
    grz_dyadic_multiply(&a->y, &p->y, &q->d);
    grz_dyadic_multiply(&b->x, &q->x, &p->d);
    grz_dyadic_multiply(&b->y, &q->y, &p->d);
    grz_dyadic_multiply(&a->d, &p->d, &q->d);
    set_cross(cross, &a->x, &b->y, &a->y, &b->x);
    /* b := Q - P, after Q . e and P . e are known from it: Q . e = P . e + e . e */
    grz_dyadic_accumulate(&b->x, &a->x, true);
    grz_dyadic_accumulate(&b->y, &a->y, true);
    grz_dyadic_multiply(square, &b->x, &b->x);
    grz_dyadic_accumulate_product(square, &b->y, &b->y, false);
    grz_dyadic_multiply(dot, &a->x, &b->x);
    grz_dyadic_accumulate_product(dot, &a->y, &b->y, false);
    if (dot->sign >= 0)
        return false;
    grz_dyadic_accumulate(dot, square, false);
    if (dot->sign <= 0)
        return false;
    grz_dyadic_multiply(other, cross, cross);
    grz_dyadic_multiply(dot, &a->d, &a->d);
    grz_dyadic_multiply(cross, dot, &e->radius_sq);
    grz_dyadic_multiply(dot, cross, square);
    return grz_dyadic_compare(other, dot) < 0;
}

/*
 * Widths, in doubles of exact/dyadic.h: D 1, X and Y 2, P and Q 3, their cross product 6, its square 12; r^2 D^2 e^2 is
 * 2 + 4 + 6. Differences add a bit to each.
 */
static bool decide_exactly(grz_swept_cylinder *c, const section *s)
{
    if (c->scratch == NULL)
        c->scratch = grz_allocate(c->context, 1, sizeof(exact_section));
    exact_section *e = c->scratch;
    if (e == NULL)
    {
        c->out_of_memory = true;
        return false;
    }
    c->exact_checks++;
    grz_dyadic_set(&e->value[0], c->radius);
    grz_dyadic_multiply(&e->radius_sq, &e->value[0], &e->value[0]);
    for (int i = 0; i < s->count; i++)
    {
        set_exact(e, &s->points[i], &e->points[i]);
        if (point_is_closer(e, &e->points[i]))
            return true;
    }
    for (int i = 0; i < s->count; i++)
        for (int k = i + 1; k < s->count; k++)
            if (segment_is_closer(e, &e->points[i], &e->points[k]))
                return true;
    return surrounds_exactly(e, s->count);
}

bool grz_swept_cylinder_meets(grz_swept_cylinder *cylinder, const double corners[3][3])
{
    section s;
    if (!make_section(cylinder, corners, &s))
        return false;
    nearness near = decide_in_doubles(&s, cylinder->radius);
    return near == UNDECIDED ? decide_exactly(cylinder, &s) : near == CLOSER;
}

void grz_swept_cylinder_release(grz_swept_cylinder *cylinder)
{
    grz_release(cylinder->context, cylinder->scratch);
    cylinder->scratch = NULL;
}
