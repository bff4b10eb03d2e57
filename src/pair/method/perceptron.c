/* SPDX-License-Identifier: MIT */
/*
 * Separating planes by the perceptron (G. Zachmann 1994, 3.4.2): a plane w in R^4 is wanted with w z > 0 for all z =
 * (p, -1), p of A, and z = (-q, 1), q of B. Whichever point violates that is added, times eta, which shrinks by rho
 * each time; after a limit of updates the bodies are said to collide, which is a guess. That they are apart is proved
 * by the plane. `perceptron-climbing` (Zachmann's slides) tests only the lowest vertices, found by hill climbing;
 * `perceptron-weighted` subtracts the projection on the violating point instead. `perceptron-unbiased` answers 003's
 * open question, how to be sure of a collision: where a limit of 100 updates is reached, the convex engine decides. A
 * cache keeps w.
 *
 * Coordinates are relative to A's translation, in units of the larger body's half size.
 */
#include "pair/method/convex_state.h"
#include "pair/method/table.h"

/* A plane: w.x, w.y, w.z and the offset. */
typedef struct searched_plane
{
    v3 normal;
    double offset;
} searched_plane;

typedef struct perceptron
{
    grz_method_query *query;
    grz_convex_search search;
    double unit; /* coordinates times this are in body half sizes */
    v3 origin;   /* of the coordinates: the middle between both bodies */
    double eta, rho;
    uint64_t limit;
    bool weighted;
    searched_plane w;
} perceptron;

static v3 point_of(const perceptron *p, int side, uint32_t vertex)
{
    return v3_scale(p->unit, v3_sub(grz_convex_search_point(&p->search, side, vertex), p->origin));
}

/* w z for z = (p, -1), or (-q, 1). */
static double value_at(const perceptron *p, int side, v3 x)
{
    double value = v3_dot(p->w.normal, x) - p->w.offset;
    return side == 0 ? value : -value;
}

/* Adds eta z, or takes the projection on z away. */
static void update(perceptron *p, int side, v3 x, double value)
{
    double sign = side == 0 ? 1 : -1, step = p->eta;
    if (p->weighted)
    {
        double w_sq = v3_dot(p->w.normal, p->w.normal) + p->w.offset * p->w.offset, z_sq = v3_dot(x, x) + 1;
        step = w_sq > 0 ? fmax(-value / sqrt(w_sq * z_sq), 0x1p-20) : p->eta;
    }
    p->w.normal = v3_add(p->w.normal, v3_scale(sign * step, x));
    p->w.offset -= sign * step;
    p->eta *= p->rho;
    p->query->counters.iterations++;
}

/* The centre of a body from which the first plane is made, in the search's coordinates. */
static v3 centre_of(const perceptron *p, int side, bool of_box)
{
    const grz_method_convex *state = p->search.states[side];
    const double *m = p->search.bodies[side].pose.m, *c = of_box ? state->box_centre : state->centre;
    v3 x = v3_make(m[0] * c[0] + m[1] * c[1] + m[2] * c[2], m[4] * c[0] + m[5] * c[1] + m[6] * c[2],
                   m[8] * c[0] + m[9] * c[1] + m[10] * c[2]);
    return side == 0 ? x : v3_add(x, p->search.gjk.operands.between);
}

static void start_plane(perceptron *p, graze_plane_start start)
{
    p->w = (searched_plane){v3_make(1, 0, 0), 0};
    if (start == GRAZE_PLANE_START_TRIVIAL)
        return;
    bool of_box = start == GRAZE_PLANE_START_BOX_CENTRES;
    v3 a = v3_scale(p->unit, v3_sub(centre_of(p, 0, of_box), p->origin));
    v3 b = v3_scale(p->unit, v3_sub(centre_of(p, 1, of_box), p->origin));
    v3 normal = v3_sub(a, b);
    double length = v3_length(normal);
    if (!(length > 0))
        return;
    p->w.normal = v3_scale(1 / length, normal);
    p->w.offset = v3_dot(p->w.normal, v3_scale(0.5, v3_add(a, b)));
}

/* False where the engine has decided the query. */
static bool start(perceptron *p, grz_method_query *query, bool weighted)
{
    const graze_method_parameters *parameters = &((const grz_method_convex *)query->a)->parameters;
    *p = (perceptron){.query = query, .weighted = weighted};
    if (!grz_convex_search_start(query, &p->search))
        return false;
    double half = 0;
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < 3; k++)
            half = fmax(half, p->search.states[side]->table.upper[k] / 2 - p->search.states[side]->table.lower[k] / 2);
    p->unit = half > 0 ? 1 / half : 1;
    p->origin = v3_scale(0.5, v3_add(centre_of(p, 0, true), centre_of(p, 1, true)));
    p->eta = parameters->step > 0 ? parameters->step : 0.007;
    p->rho = parameters->relaxation > 0 ? parameters->relaxation : 1;
    p->limit = parameters->most_iterations > 0 ? parameters->most_iterations : 1000;
    start_plane(p, parameters->plane_start);
    const double *kept = query->cache != NULL ? query->cache->numbers : NULL;
    if (kept != NULL && v3_length(v3_load(kept)) > 0)
        p->w = (searched_plane){v3_load(kept), kept[3]};
    return true;
}

/* Goes round all points until a round changes nothing; false at the limit. */
static bool go_round(perceptron *p)
{
    size_t counts[2] = {p->search.states[0]->hull->vertex_count, p->search.states[1]->hull->vertex_count};
    for (bool changed = true; changed;)
    {
        changed = false;
        for (int side = 0; side < 2; side++)
            for (size_t v = 0; v < counts[side]; v++)
            {
                v3 x = point_of(p, side, (uint32_t)v);
                double value = value_at(p, side, x);
                if (value > 0)
                    continue;
                if (p->query->counters.iterations >= p->limit)
                    return false;
                update(p, side, x, value);
                changed = true;
            }
        p->query->counters.vertices += counts[0] + counts[1];
        if (!grz_monitor_box_tests(&p->query->monitor, counts[0] + counts[1]))
            return false;
    }
    return true;
}

/* Tests the lowest vertex of each body only. */
static bool climb(perceptron *p)
{
    for (;;)
    {
        uint32_t vertices[2];
        bool changed = false;
        double length = v3_length(p->w.normal);
        if (!(length > 0) || !grz_monitor_box_tests(&p->query->monitor, 1))
            return false;
        /* A is on the positive side: its lowest vertex is the highest along -w, B's lowest of -w z the highest of w. */
        grz_gjk_gap(&p->search.gjk, v3_scale(-1 / length, p->w.normal), vertices);
        p->query->counters.supports += 2;
        for (int side = 0; side < 2; side++)
        {
            v3 x = point_of(p, side, vertices[side]);
            double value = value_at(p, side, x);
            if (value > 0)
                continue;
            if (p->query->counters.iterations >= p->limit)
                return false;
            update(p, side, x, value);
            changed = true;
        }
        if (!changed)
            return true;
    }
}

/* The plane that was found proves them apart, if it does; its normal leads from B to A. */
static void conclude(perceptron *p, bool found)
{
    grz_method_query *query = p->query;
    double normal[3], *kept = query->cache != NULL ? query->cache->numbers : NULL;
    v3_store(v3_scale(-1, p->w.normal), normal);
    if (kept != NULL)
    {
        v3_store(p->w.normal, kept);
        kept[3] = p->w.offset;
    }
    query->guess = found ? GRAZE_VERDICT_NO : GRAZE_VERDICT_YES;
    if (found)
        grz_convex_search_separates(query, &p->search, normal);
}

static void run(grz_method_query *query)
{
    perceptron p;
    if (start(&p, query, false))
        conclude(&p, go_round(&p));
}

static void run_climbing(grz_method_query *query)
{
    perceptron p;
    if (start(&p, query, false))
        conclude(&p, climb(&p));
}

static void run_unbiased(grz_method_query *query)
{
    perceptron p;
    if (!start(&p, query, false))
        return;
    const graze_method_parameters *parameters = &((const grz_method_convex *)query->a)->parameters;
    if (parameters->most_iterations == 0)
        p.limit = 100;
    if (!(parameters->step > 0))
        p.eta = 0.03; /* the best for that limit (000 3.4.2) */
    conclude(&p, climb(&p));
    if (query->verdict == GRAZE_VERDICT_UNKNOWN && grz_monitor_may_continue(&query->monitor))
        grz_convex_search_decide(query, &p.search);
}

static void run_weighted(grz_method_query *query)
{
    perceptron p;
    if (start(&p, query, true))
        conclude(&p, go_round(&p));
}

#define PERCEPTRON_FIELDS(the_name, the_summary, the_source, the_guarantee, the_run)                                   \
    .info = {.name = (the_name),                                                                                       \
             .summary = (the_summary),                                                                                 \
             .source = (the_source),                                                                                   \
             .mesh_class = GRAZE_METHOD_CLASS_CONVEX,                                                                  \
             .subject = GRAZE_METHOD_BODIES,                                                                           \
             .guarantee = (the_guarantee)},                                                                            \
    .state_size = sizeof(grz_method_convex), .prepare = grz_method_convex_prepare,                                     \
    .release = grz_method_convex_release, .memory = grz_method_convex_memory, .run = the_run

const grz_method grz_perceptron_method = {
    PERCEPTRON_FIELDS("perceptron", "A separating plane that is corrected by every point on its wrong side.",
                      "000 3.4.2", GRAZE_METHOD_NO_SURE, run)};
const grz_method grz_perceptron_climbing_method = {
    PERCEPTRON_FIELDS("perceptron-climbing", "The same with the extreme vertices only, found by hill climbing.", "003",
                      GRAZE_METHOD_NO_SURE, run_climbing)};
const grz_method grz_perceptron_weighted_method = {
    PERCEPTRON_FIELDS("perceptron-weighted", "The same with steps as long as the point is far on the wrong side.",
                      "003", GRAZE_METHOD_NO_SURE, run_weighted)};
const grz_method grz_perceptron_unbiased_method = {
    PERCEPTRON_FIELDS("perceptron-unbiased", "The same; what no plane settles soon is decided by the convex engine.",
                      "003", GRAZE_METHOD_EXACT, run_unbiased)};
