/* SPDX-License-Identifier: MIT */
/*
 * Checks planes of certificates. For each interval, frame and body the polynomials are known in intervals
 * (bernstein.h); with the plane they become one linear function of the vertex for each Bernstein coefficient, of which
 * doubles decide the sign where an error bound allows, and exact numbers elsewhere.
 *
 * Error bound of g . (v - k) + h, where g and h are known with radii: the rounding of v - k, of the product and of
 * three sums are five of at most u the magnitude of a term each, and three terms are added: 8 u of the sum of all
 * magnitudes. Then the radii, g's times |v - k|. Lost denormals: 2^-1022 times |g| in v - k, and 2^-1022 in each
 * product. They are covered by 2^-1000 (1 + |g|). Overflow gives infinity or NaN, which no comparison takes for
 * decided.
 */
#include "certificate/plane.h"

#include <math.h>
#include <string.h>

#include "base/bits.h"

enum
{
    LANES = 8 /* coefficients, the last one repeated */
};

typedef struct exact_forms
{
    grz_exact_form forms[2];
    bool filled[2];
    grz_plane_frame frame;
    grz_time_cell time;
    grz_dyadic value, term, inner, number, factor, square, other;
    void *scratch;
} exact_forms;

/* A body's side of a plane: for each lane the linear function of v - k, with radii. */
typedef struct linear_functions
{
    double g[3][LANES], g_radius[3][LANES], h[LANES], h_radius[LANES];
} linear_functions;

static bool same_time(grz_time_cell x, grz_time_cell y)
{
    return x.level == y.level && x.index == y.index;
}

bool grz_plane_check_open(const graze_context *context, const graze_mesh *const meshes[2],
                          const graze_motion motions[2], const double terms[3], grz_plane_check *out_check)
{
    memset(out_check, 0, sizeof *out_check);
    out_check->context = context;
    for (int body = 0; body < 2; body++)
    {
        out_check->vertices[body] = graze_mesh_vertices(meshes[body]);
        out_check->motions[body] = motions[body];
    }
    out_check->distance = interval_point(0);
    for (int i = 0; i < 3; i++)
    {
        out_check->terms[i] = terms[i];
        if (terms[i] > 0)
            out_check->distance = interval_add(out_check->distance, interval_point(terms[i]));
    }
    out_check->cache = grz_allocate_zeroed(context, GRZ_FORM_CACHE_SIZE, sizeof *out_check->cache);
    return out_check->cache != NULL;
}

void grz_plane_check_close(grz_plane_check *check)
{
    if (check->exact != NULL)
        grz_release(check->context, check->exact->scratch);
    grz_release(check->context, check->exact);
    grz_release(check->context, check->cache);
}

const grz_cached_forms *grz_plane_forms(grz_plane_check *check, grz_plane_frame frame, grz_time_cell time)
{
    uint64_t key = (UINT64_C(1) << time.level | time.index) * GRZ_FRAME_COUNT + (uint64_t)frame;
    grz_cached_forms *at = &check->cache[key * UINT64_C(0x9e3779b97f4a7c15) >> 56];
    if (at->filled && at->frame == frame && same_time(at->time, time))
        return at;
    at->filled = true;
    at->frame = frame;
    at->time = time;
    for (int body = 0; body < 2; body++)
        grz_interval_form_make(check->motions, body, frame, grz_time_start(time), grz_time_end(time), &at->forms[body]);
    return at;
}

static void set_middle(interval x, double *middle, double *radius)
{
    *middle = 0.5 * x.lower + 0.5 * x.upper;
    *radius = (interval_max2(x.upper - *middle, *middle - x.lower) + GRZ_SMALLEST_NORMAL) * (1 + 4 * GRZ_U);
}

/* For B the distance times |n| Omega is subtracted: the function shall not be negative. */
static void make_functions(const grz_interval_form *form, const double plane[4], const interval *distance,
                           linear_functions *out)
{
    for (int lane = 0; lane < LANES; lane++)
    {
        int i = lane < form->count ? lane : form->count - 1;
        interval h = interval_mul(interval_point(-plane[3]), form->omega[i]);
        double slopes = 0;
        if (distance != NULL)
            h = interval_sub(h, interval_mul(*distance, form->omega[i]));
        for (int row = 0; row < 3; row++)
            h = interval_add(h, interval_mul(interval_point(plane[row]), form->s[i][row]));
        for (int column = 0; column < 3; column++)
        {
            interval g = interval_point(0);
            for (int row = 0; row < 3; row++)
                g = interval_add(g, interval_mul(interval_point(plane[row]), form->t[i][row][column]));
            set_middle(g, &out->g[column][lane], &out->g_radius[column][lane]);
            slopes += fabs(out->g[column][lane]);
        }
        set_middle(h, &out->h[lane], &out->h_radius[lane]);
        out->h_radius[lane] += 0x1p-1000 * (1 + slopes);
    }
}

/* Values of all lanes at a vertex, with error bounds. */
static void evaluate(const linear_functions *functions, const double u[3], double value[LANES], double error[LANES])
{
    double size[3] = {fabs(u[0]), fabs(u[1]), fabs(u[2])};
    for (int lane = 0; lane < LANES; lane++)
    {
        double x = functions->g[0][lane] * u[0], y = functions->g[1][lane] * u[1], z = functions->g[2][lane] * u[2];
        double magnitude = fabs(x) + fabs(y) + fabs(z) + fabs(functions->h[lane]);
        double radius = functions->g_radius[0][lane] * size[0] + functions->g_radius[1][lane] * size[1] +
                        functions->g_radius[2][lane] * size[2] + functions->h_radius[lane];
        value[lane] = x + y + z + functions->h[lane];
        /* shortcut: bernstein-filter */
        error[lane] = (8 * GRZ_U * magnitude + radius) * (1 + 16 * GRZ_U) + 0x1p-1000;
    }
}

/* The exact form of a body, kept for the next vertices. NULL when out of memory. */
static exact_forms *exact_form(grz_plane_check *check, int body, grz_plane_frame frame, grz_time_cell time)
{
    exact_forms *exact = check->exact;
    if (exact == NULL)
    {
        exact = check->exact = grz_allocate_zeroed(check->context, 1, sizeof *exact);
        if (exact == NULL)
            return NULL;
        exact->scratch = grz_allocate(check->context, 1, grz_exact_scratch_size());
    }
    if (exact->scratch == NULL)
        return NULL;
    if (exact->frame != frame || !same_time(exact->time, time))
        exact->filled[0] = exact->filled[1] = false;
    exact->frame = frame;
    exact->time = time;
    if (!exact->filled[body])
        grz_exact_form_make(check->motions, body, frame, grz_time_start(time), grz_time_end(time), exact->scratch,
                            &exact->forms[body]);
    exact->filled[body] = true;
    return exact;
}

/* value = f_i = n . (T u + S) - d Omega. */
static void exact_value(exact_forms *at, const grz_exact_form *form, int i, const double plane[4],
                        const double vertex[3], const double centre[3])
{
    grz_dyadic_multiply_double(&at->value, &form->omega[i], -plane[3]);
    for (int row = 0; row < 3; row++)
    {
        grz_dyadic_copy(&at->inner, &form->s[i][row]);
        for (int column = 0; column < 3; column++)
        {
            grz_dyadic_set(&at->number, vertex[column]);
            grz_dyadic_set(&at->factor, centre[column]);
            grz_dyadic_accumulate(&at->number, &at->factor, true);
            grz_dyadic_accumulate_product(&at->inner, &form->t[i][row][column], &at->number, false);
        }
        grz_dyadic_set(&at->number, plane[row]);
        grz_dyadic_accumulate_product(&at->value, &at->inner, &at->number, false);
    }
}

/* Whether value >= distance |n| omega_i, for a value and a distance above 0: by their squares. */
static bool is_far_enough(const grz_plane_check *check, exact_forms *at, const grz_exact_form *form, int i,
                          const double plane[4])
{
    grz_dyadic_set(&at->term, 0);
    for (int k = 0; k < 3; k++)
    {
        grz_dyadic_set(&at->number, check->terms[k]);
        grz_dyadic_accumulate(&at->term, &at->number, false);
    }
    grz_dyadic_multiply(&at->inner, &at->term, &form->omega[i]);
    grz_dyadic_multiply(&at->term, &at->inner, &at->inner);
    grz_dyadic_set(&at->factor, 0);
    for (int k = 0; k < 3; k++)
    {
        grz_dyadic_set(&at->number, plane[k]);
        grz_dyadic_accumulate_product(&at->factor, &at->number, &at->number, false);
    }
    grz_dyadic_multiply(&at->other, &at->term, &at->factor);
    grz_dyadic_multiply(&at->square, &at->value, &at->value);
    return grz_dyadic_compare(&at->square, &at->other) >= 0;
}

/* Whether coefficient i has the right sign at a vertex of a body. */
static grz_plane_verdict decide_exactly(grz_plane_check *check, int body, grz_plane_frame frame, grz_time_cell time,
                                        const double plane[4], const double vertex[3], int i)
{
    exact_forms *at = exact_form(check, body, frame, time);
    if (at == NULL)
        return GRZ_PLANE_UNDECIDED;
    double centre[3];
    for (int axis = 0; axis < 3; axis++)
        centre[axis] = grz_motion_centre(&check->motions[body], axis);
    const grz_exact_form *form = &at->forms[body];
    check->exact_checks++;
    exact_value(at, form, i < form->count ? i : form->count - 1, plane, vertex, centre);
    bool strict = !(check->distance.upper > 0);
    if (body == 0)
        return at->value.sign <= 0 ? GRZ_PLANE_VALID : GRZ_PLANE_REFUSED;
    if (strict)
        return at->value.sign > 0 ? GRZ_PLANE_VALID : GRZ_PLANE_REFUSED;
    return at->value.sign >= 0 && is_far_enough(check, at, form, i < form->count ? i : form->count - 1, plane)
               ? GRZ_PLANE_VALID
               : GRZ_PLANE_REFUSED;
}

/* Whether all vertices of a body are on their side: A's functions not above 0, B's above (strictly without a distance).
 */
static grz_plane_verdict check_side(grz_plane_check *check, int body, grz_plane_frame frame, grz_time_cell time,
                                    const double plane[4], grz_vertex_list list)
{
    const grz_interval_form *form = &grz_plane_forms(check, frame, time)->forms[body];
    interval weighted = interval_point(0);
    for (int k = 0; k < 3; k++)
        weighted = interval_add(weighted, interval_mul(interval_point(plane[k]), interval_point(plane[k])));
    weighted = (interval){sqrt(interval_max2(weighted.lower, 0)), sqrt(weighted.upper)};
    weighted = interval_mul(interval_outward(weighted.lower, weighted.upper), check->distance);
    linear_functions functions;
    make_functions(form, plane, body == 1 && check->distance.upper > 0 ? &weighted : NULL, &functions);
    for (size_t v = 0; v < list.count; v++)
    {
        const double *vertex = check->vertices[body] + 3 * (size_t)list.indices[v];
        double u[3], value[LANES], error[LANES];
        for (int axis = 0; axis < 3; axis++)
            u[axis] = vertex[axis] - grz_motion_centre(&check->motions[body], axis);
        evaluate(&functions, u, value, error);
        for (int lane = 0; lane < form->count; lane++)
        {
            double above = body == 0 ? -value[lane] : value[lane];
            if (above > error[lane])
                continue;
            if (above < -error[lane])
                return GRZ_PLANE_REFUSED;
            grz_plane_verdict verdict = decide_exactly(check, body, frame, time, plane, vertex, lane);
            if (verdict != GRZ_PLANE_VALID)
                return verdict;
        }
    }
    return GRZ_PLANE_VALID;
}

grz_plane_verdict grz_plane_is_valid(grz_plane_check *check, grz_plane_frame frame, grz_time_cell time,
                                     const double plane[4], grz_vertex_list a, grz_vertex_list b)
{
    for (int k = 0; k < 4; k++)
        if (!isfinite(plane[k]))
            return GRZ_PLANE_REFUSED;
    if (grz_is_zero(plane[0]) && grz_is_zero(plane[1]) && grz_is_zero(plane[2]))
        return GRZ_PLANE_REFUSED;
    grz_plane_verdict verdict = check_side(check, 0, frame, time, plane, a);
    return verdict == GRZ_PLANE_VALID ? check_side(check, 1, frame, time, plane, b) : verdict;
}
