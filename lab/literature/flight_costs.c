/* SPDX-License-Identifier: MIT */
/*
 * 001, Table 1, its cost formula T = N_v C_v + N_p C_p + N_u C_u, and what its prose says of other ways to search: the
 * same flights pose by pose. The three costs are those that explain the times of all flights together best (least
 * squares of relative errors, no cost below 0); then the formula is compared with each flight's time.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "literature/literature.h"
#include "timing.h"
#include "workload.h"

enum
{
    COSTS = 3, /* C_v, C_p, C_u */
    FLIGHTS = 3,
    MOST_POSES = 256
};

static const char *const names[FLIGHTS][2] = {
    {"Torus", "flight/torus"}, {"Swept", "flight/swept"}, {"Interior", "flight/interior"}};

/* A pose's time and counts. */
typedef struct sample
{
    double ns, counts[COSTS];
} sample;

/* All poses of one flight by one method. */
typedef struct samples
{
    size_t count;
    sample at[MOST_POSES];
    double ns, volumes; /* sums */
} samples;

typedef struct variant
{
    const char *method;
    graze_split_point point;
    graze_traversal_order order;
} variant;

/* The least time of some passes at each pose. */
static bool pass_over(const lab_case *c, graze_method_body *const bodies[2], graze_traversal_order order, bool first,
                      samples *out)
{
    graze_method_cache cache = {{0}};
    size_t stride = (c->count + MOST_POSES - 1) / MOST_POSES;
    out->count = 0;
    for (size_t i = 0; i < c->count; i += stride, out->count++)
    {
        graze_placed_method_body a = {bodies[0], c->poses_a[i]}, b = {bodies[1], c->poses_b[i]};
        graze_method_counters counters;
        graze_method_options options = graze_method_options_default();
        graze_pair_counts counts;
        options.counters = &counters;
        options.cache = &cache;
        options.order = order;
        double start = lab_cpu_now();
        if (graze_method_gather(NULL, &a, &b, &options, NULL, 0, &counts) != GRAZE_STATUS_OK)
            return false;
        double ns = lab_cpu_now() - start;
        sample *s = &out->at[out->count];
        s->ns = first || ns < s->ns ? ns : s->ns;
        s->counts[0] = (double)counters.volumes;
        s->counts[1] = (double)counters.primitives;
        s->counts[2] = (double)counters.updates;
    }
    return true;
}

static bool fly(const lab_case *c, const variant *v, samples *out)
{
    graze_method_parameters parameters = graze_method_parameters_default();
    graze_method_body *bodies[2] = {NULL, NULL};
    parameters.split_point = v->point;
    bool done = graze_method_body_create(NULL, v->method, c->a, &parameters, &bodies[0]) == GRAZE_STATUS_OK;
    parameters.flying = true;
    parameters.tumbling = GRAZE_TUMBLING_HILL_CLIMBING;
    done = done && graze_method_body_create(NULL, v->method, c->b, &parameters, &bodies[1]) == GRAZE_STATUS_OK;
    for (int pass = 0; done && pass < 3; pass++)
        done = pass_over(c, bodies, v->order, pass == 0, out);
    out->ns = out->volumes = 0;
    for (size_t i = 0; i < out->count; i++)
    {
        out->ns += out->at[i].ns;
        out->volumes += out->at[i].counts[0];
    }
    graze_method_body_destroy(bodies[0]);
    graze_method_body_destroy(bodies[1]);
    return done;
}

/* Solves by elimination; unknowns that are not used stay 0. */
static void solve(double m[COSTS][COSTS + 1], const bool used[COSTS], double out[COSTS])
{
    for (int i = 0; i < COSTS; i++)
        for (int k = 0; used[i] && k < COSTS; k++)
        {
            double factor = k != i && used[k] ? m[k][i] / m[i][i] : 0;
            for (int j = 0; factor != 0 && j <= COSTS; j++)
                m[k][j] -= factor * m[i][j];
        }
    for (int i = 0; i < COSTS; i++)
        out[i] = used[i] ? m[i][COSTS] / m[i][i] : 0;
}

/* Least squares of (N c - T) / T over all samples; the most negative cost is taken for 0, and again. */
static void fit(const samples *all, double out[COSTS])
{
    bool used[COSTS] = {true, true, true};
    for (int round = 0; round < COSTS; round++)
    {
        double m[COSTS][COSTS + 1] = {{0}};
        for (int f = 0; f < FLIGHTS; f++)
            for (size_t n = 0; n < all[f].count; n++)
                for (int i = 0; i < COSTS; i++)
                {
                    const sample *s = &all[f].at[n];
                    for (int k = 0; k < COSTS; k++)
                        m[i][k] += s->counts[i] * s->counts[k] / (s->ns * s->ns);
                    m[i][COSTS] += s->counts[i] / s->ns;
                }
        solve(m, used, out);
        int least = 0;
        for (int i = 1; i < COSTS; i++)
            least = out[i] < out[least] ? i : least;
        if (out[least] >= 0)
            return;
        used[least] = false;
        out[least] = 0;
    }
}

static double by_formula(const samples *s, const double costs[COSTS])
{
    double sum = 0;
    for (size_t n = 0; n < s->count; n++)
        for (int i = 0; i < COSTS; i++)
            sum += s->at[n].counts[i] * costs[i];
    return sum;
}

/* Table 1 and the formula. */
static bool costs_of(lit_run *run, const lab_case *cases, samples *all)
{
    static const int dops[] = {6, 14, 18, 26};
    bool done = true;
    for (int d = 0; done && d < 4; d++)
    {
        char method[16];
        snprintf(method, sizeof method, "kdop-%d", dops[d]);
        const variant v = {method, GRAZE_SPLIT_AT_MEAN, GRAZE_TRAVERSAL_ENVIRONMENT_FIRST};
        for (int f = 0; done && f < FLIGHTS; f++)
            done = fly(&cases[f], &v, &all[f]);
        if (!done)
            break;
        double costs[COSTS];
        fit(all, costs);
        printf("  %2d-dop: C_v %.1f ns, C_p %.1f ns, C_u %.1f ns\n", dops[d], costs[0], costs[1], costs[2]);
        lit_measure(run, "001/table-1", costs[0] * 1e-6, "C_v, %d-dop", dops[d]);
        lit_measure(run, "001/table-1", costs[2] * 1e-6, "C_u, %d-dop", dops[d]);
        if (dops[d] == 18)
            lit_measure(run, "001/table-1", costs[1] * 1e-6, "C_p");
        for (int f = 0; f < FLIGHTS; f++)
            lit_measure(run, "001/formula", all[f].ns / by_formula(&all[f], costs), "%s, %d-dop, time : formula",
                        names[f][0], dops[d]);
    }
    return done;
}

/* Restart, median and larger first over Algorithm 1 at the mean: least and most over the flights. */
static bool variants_of(lit_run *run, const lab_case *cases, samples *all)
{
    static const struct
    {
        variant v;
        const char *name;
    } others[] = {{{"kdop-18", GRAZE_SPLIT_AT_MEAN, GRAZE_TRAVERSAL_RESTART}, "restart : Algorithm 1"},
                  {{"kdop-18", GRAZE_SPLIT_AT_MEDIAN, GRAZE_TRAVERSAL_ENVIRONMENT_FIRST}, "median : mean"},
                  {{"kdop-18", GRAZE_SPLIT_AT_MEAN, GRAZE_TRAVERSAL_LARGER_FIRST}, "larger first : Algorithm 1"}};
    static const variant base = {"kdop-18", GRAZE_SPLIT_AT_MEAN, GRAZE_TRAVERSAL_ENVIRONMENT_FIRST};
    bool done = true;
    for (size_t o = 0; done && o < sizeof others / sizeof others[0]; o++)
    {
        double least = INFINITY, most = 0, least_volumes = INFINITY;
        for (int f = 0; done && f < FLIGHTS; f++)
        {
            done = fly(&cases[f], &base, &all[0]) && fly(&cases[f], &others[o].v, &all[1]);
            if (!done)
                break;
            least = fmin(least, all[1].ns / all[0].ns);
            most = fmax(most, all[1].ns / all[0].ns);
            least_volumes = fmin(least_volumes, all[1].volumes / all[0].volumes);
        }
        if (!done)
            break;
        lit_measure(run, "001/prose", least, "%s, least time", others[o].name);
        lit_measure(run, "001/prose", most, "%s, most time", others[o].name);
        lit_measure(run, "001/prose", least_volumes, "%s, least N_v", others[o].name);
    }
    return done;
}

bool lit_flight_costs(lit_run *run)
{
    lab_case cases[FLIGHTS] = {{0}};
    samples *all = calloc(FLIGHTS, sizeof *all);
    bool done = all != NULL;
    for (int f = 0; done && f < FLIGHTS; f++)
        for (const lab_workload *workload = lab_flights; done && workload->name != NULL; workload++)
            if (strcmp(workload->name, names[f][1]) == 0)
                done = workload->make(workload, run->quick, &cases[f]);
    done = done && costs_of(run, cases, all) && variants_of(run, cases, all);
    for (int f = 0; f < FLIGHTS; f++)
        lab_case_clear(&cases[f]);
    free(all);
    return done;
}
