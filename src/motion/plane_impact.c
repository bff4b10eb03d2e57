/* SPDX-License-Identifier: MIT */
/*
 * First impacts of meshes and half-spaces; see plane_impact.h.
 *
 * A corner begins above the face or is in the half-space at the start; so the first root of its height is when it gets
 * in. Most corners are dropped in doubles: those whose height has positive Bernstein coefficients until the earliest
 * time found so far. What is in the face at that time alone, as the other corners of a flat side are, costs the exact
 * sign of one coefficient.
 */
#include "motion/plane_impact.h"

#include <math.h>

#include "math/interval.h"
#include "mesh/mesh.h"
#include "motion/decomposed.h"
#include "motion/moving_plane.h"
#include "motion/roots.h"

enum
{
    PLANE_LIMBS = 2048,
    ROOT_TESTS = 64 /* for the budget: what a root costs, in exact predicates */
};

/* The heights in [0, until], exactly and in doubles: the coefficients times a common positive factor, and how far a sum
   of them may be off: `share` of the magnitudes of its terms, and 2^-600. */
typedef struct height_filter
{
    grz_plane_heights heights;
    bool usable;
    double slopes[3][GRZ_DEGREE_MAX + 1], base[GRZ_DEGREE_MAX + 1];
} height_filter;

typedef struct corner_search
{
    grz_scratch scratch;
    const graze_mesh *mesh;
    grz_monitor *monitor;
    double largest;          /* |coordinate| */
    grz_plane_heights whole; /* in [0, 1] */
    height_filter filter;
    grz_plane_impact *found;
} corner_search;

/* c 2^exponent; off by at most 2^-52 of itself, but for underflow. */
static double number_times(const grz_integer *c, int exponent)
{
    if (c->sign == 0)
        return 0;
    double high = (double)c->limbs[c->count - 1], low = c->count > 1 ? (double)c->limbs[c->count - 2] : 0;
    return c->sign * ldexp(high + ldexp(low, -64), exponent + 64 * (c->count - 1));
}

static int most_bits(const grz_polynomial *a)
{
    int most = 0;
    for (int i = 0; i <= a->degree; i++)
    {
        int bits = a->c[i].sign != 0 ? grz_integer_bits(&a->c[i]) : 0;
        most = bits > most ? bits : most;
    }
    return most;
}

/* Numbers are scaled so that all terms of heights are at most 1, and some of them is not much less. */
static void filter_make(corner_search *s)
{
    height_filter *f = &s->filter;
    int size = 0, most = most_bits(&f->heights.base), unit = f->heights.unit;
    f->usable = s->largest < 0x1p400 && s->largest > 0x1p-400;
    if (!f->usable)
        return;
    frexp(s->largest, &size);
    for (int k = 0; k < 3; k++)
    {
        int bits = most_bits(&f->heights.slopes[k]) + size - unit;
        most = bits > most ? bits : most;
    }
    for (int i = 0; i <= f->heights.base.degree; i++)
    {
        f->base[i] = number_times(&f->heights.base.c[i], -most);
        for (int k = 0; k < 3; k++)
            f->slopes[k][i] = number_times(&f->heights.slopes[k].c[i], -most - unit);
    }
}

/* How many of the first coefficients of a vertex' height are certainly positive; where the first of the others is about
   0, in [0, until], as if coefficients were heights. */
static int positive_coefficients(const height_filter *f, const double *v, double *out_guess)
{
    double before = 0;
    int degree = f->heights.base.degree;
    *out_guess = 0;
    for (int i = 0; f->usable && i <= degree; i++)
    {
        double x = f->slopes[0][i] * v[0], y = f->slopes[1][i] * v[1], z = f->slopes[2][i] * v[2];
        double height = x + y + z + f->base[i], terms = fabs(x) + fabs(y) + fabs(z) + fabs(f->base[i]);
        /* shortcut: heights-in-doubles */
        if (!(height > 0x1p-49 * terms + 0x1p-600))
        {
            *out_guess = i > 0 ? (i - 1 + before / (before - fmin(height, 0))) / degree : 0;
            return i;
        }
        before = height;
    }
    return f->usable ? degree + 1 : 0;
}

/* A coefficient of the height of a vertex. */
static grz_integer coefficient(grz_scratch *scratch, const grz_plane_heights *heights, const double *v, int i)
{
    grz_integer sum = heights->base.c[i];
    for (int k = 0; k < 3; k++)
    {
        grz_integer x = grz_number_of_double(scratch, v[k], heights->unit);
        grz_integer term = grz_number_multiply(scratch, &x, &heights->slopes[k].c[i]);
        sum = grz_number_add(scratch, &sum, &term, false);
    }
    return sum;
}

/* Nothing is known to come earlier than `found` any more. */
static void look_until(corner_search *s, double until)
{
    grz_time start = grz_time_from_double(&s->scratch, 0), end = grz_time_from_double(&s->scratch, until);
    s->filter.heights.unit = s->whole.unit;
    grz_polynomial_restrict(&s->scratch, &s->whole.base, &start, &end, &s->filter.heights.base);
    for (int k = 0; k < 3; k++)
        grz_polynomial_restrict(&s->scratch, &s->whole.slopes[k], &start, &end, &s->filter.heights.slopes[k]);
    if (!s->scratch.failed)
        filter_make(s);
}

/* The time at which the vertex reaches the face, where it is earlier than any other; false when memory or the budget is
   used up. */
static bool try_vertex(corner_search *s, const double *v, uint32_t triangle, int corner)
{
    grz_plane_impact *found = s->found;
    if (!grz_monitor_exact_tests(s->monitor, ROOT_TESTS))
        return false;
    grz_scratch_mark mark = grz_scratch_here(&s->scratch);
    grz_polynomial height = {.degree = s->whole.base.degree};
    for (int i = 0; i <= height.degree; i++)
        height.c[i] = coefficient(&s->scratch, &s->whole, v, i);
    double lower = 0, upper = 0;
    bool meets = height.c[0].sign <= 0;
    if (!meets && !s->scratch.failed)
    {
        grz_root_search search;
        grz_root root;
        grz_root_search_start(&search, &s->scratch, &height, NULL);
        meets = grz_root_search_next(&search, &root);
        if (meets)
            grz_root_locate(&s->scratch, &root, &lower, &upper);
    }
    meets = meets && !s->scratch.failed && (!found->found || lower < found->lower || upper < found->upper);
    grz_scratch_return(&s->scratch, &mark);
    if (meets)
    {
        *found = (grz_plane_impact){true, true, lower, upper, triangle, corner};
        look_until(s, lower);
    }
    return !s->scratch.failed;
}

/* Whether the height of a vertex, whose other coefficients are positive, gets to 0 earlier than the time found: its
   value there is negative, or 0 where the time is later than the double below it. */
static bool ends_below(corner_search *s, const double *v)
{
    grz_scratch_mark mark = grz_scratch_here(&s->scratch);
    int sign = coefficient(&s->scratch, &s->filter.heights, v, s->whole.base.degree).sign;
    grz_scratch_return(&s->scratch, &mark);
    return s->found->lower < s->found->upper ? sign <= 0 : sign < 0;
}

/* The corner that is likely to be the first one, if any is in doubt. */
static bool find_likely(corner_search *s, uint32_t *out_triangle, int *out_corner)
{
    double earliest = INFINITY;
    for (size_t i = 0; i < 3 * s->mesh->triangle_count; i++)
    {
        double guess;
        const double *v = grz_mesh_vertex(s->mesh, s->mesh->triangles[i]);
        if (positive_coefficients(&s->filter, v, &guess) > s->whole.base.degree || !(guess < earliest))
            continue;
        earliest = guess;
        *out_triangle = (uint32_t)(i / 3);
        *out_corner = (int)(i % 3);
    }
    return earliest < INFINITY;
}

static const double *corner_of_mesh(const graze_mesh *mesh, size_t triangle, int corner)
{
    return grz_mesh_vertex(mesh, mesh->triangles[3 * triangle + (size_t)corner]);
}

static bool search_corners(corner_search *s)
{
    uint32_t triangle = 0;
    int corner = 0, degree = s->whole.base.degree;
    if (!find_likely(s, &triangle, &corner))
        return true;
    if (!try_vertex(s, corner_of_mesh(s->mesh, triangle, corner), triangle, corner))
        return false;
    for (size_t i = 0; i < 3 * s->mesh->triangle_count; i++)
    {
        double guess;
        const double *v = grz_mesh_vertex(s->mesh, s->mesh->triangles[i]);
        if (s->found->found && !(s->found->upper > 0))
            return true; /* at the start */
        if (!grz_monitor_work(s->monitor, 1))
            return false;
        int positive = positive_coefficients(&s->filter, v, &guess);
        if (positive > degree || (s->found->found && positive == degree && !ends_below(s, v)))
            continue;
        if (!try_vertex(s, v, (uint32_t)(i / 3), (int)(i % 3)))
            return false;
    }
    return true;
}

/* The largest |coordinate| of the mesh's bounds, and the unit of all. */
static double size_of_mesh(const graze_mesh *mesh, int *out_unit)
{
    double largest = 0;
    *out_unit = 0;
    for (size_t i = 0; i < 3 * mesh->triangle_count; i++)
    {
        const double *v = grz_mesh_vertex(mesh, mesh->triangles[i]);
        *out_unit = grz_lowest_exponent(v, 3, *out_unit);
        for (int k = 0; k < 3; k++)
            largest = fmax(largest, fabs(v[k]));
    }
    return largest;
}

graze_status grz_plane_impact_find(const graze_context *context, const grz_moving_half_space *half_space,
                                   const graze_mesh *mesh, const graze_motion *motion, grz_monitor *monitor,
                                   grz_plane_impact *out)
{
    uint64_t limbs[PLANE_LIMBS];
    int unit;
    corner_search s = {.mesh = mesh, .monitor = monitor, .found = out};
    *out = (grz_plane_impact){0};
    grz_scratch_start(&s.scratch, context, limbs, PLANE_LIMBS);
    s.largest = size_of_mesh(mesh, &unit);
    out->known = grz_plane_heights_make(&s.scratch, half_space->motion, half_space->normal, half_space->offset, motion,
                                        unit, &s.whole);
    bool failed = s.scratch.failed;
    if (!failed && out->known)
    {
        s.filter.heights = s.whole;
        filter_make(&s);
        failed = !search_corners(&s);
    }
    bool memory = s.scratch.failed;
    grz_scratch_release(&s.scratch);
    if (memory)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    return failed ? grz_monitor_status(monitor) : GRAZE_STATUS_OK;
}
