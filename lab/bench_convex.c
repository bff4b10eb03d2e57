/* SPDX-License-Identifier: MIT */
/*
 * Two convex hulls in coherent motion near contact: whether they meet, their distance, their depth
 * (docs/decisions/0013). Prints nanoseconds of CPU time a query, the least of several passes, for Graze warm and cold
 * and for the peers that are built; and how often a peer's verdict is another. No pass or fail.
 *
 *     bench_convex [STEPS] [PASSES] [ONLY]
 */
#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/random.h"
#include "convex/convex_pair.h"
#include "convex/convex_table.h"
#include "convex/hull.h"
#include "convex_hulls.h"
#include "graze/pose.h"

enum
{
    SEED = 1313,
    MOST_STEPS = 20000
};

typedef enum query
{
    COLLIDE,
    DISTANCE,
    DEPTH,
    QUERIES
} query;

static const char *const query_names[QUERIES] = {"collide", "distance", "depth"};

typedef struct body
{
    grz_hull *hull;
    grz_convex_table table;
    grz_convex_body convex;
    lab_hull lab;
    uint32_t (*triangles)[3];
} body;

static graze_pose poses[2][MOST_STEPS];
static double answers[MOST_STEPS];

#if defined(LAB_HAS_BULLET)
extern const lab_convex_peer lab_convex_bullet;
#endif
#if defined(LAB_HAS_FCL)
extern const lab_convex_peer lab_convex_fcl, lab_convex_fcl_indep, lab_convex_ccd;
#endif
static const lab_convex_peer *const peers[] = {
#if defined(LAB_HAS_BULLET)
    &lab_convex_bullet,
#endif
#if defined(LAB_HAS_FCL)
    &lab_convex_fcl, &lab_convex_fcl_indep, &lab_convex_ccd,
#endif
    NULL};

/* CPU time in nanoseconds: the machine may be busy. */
static uint64_t cpu_now(void)
{
    return (uint64_t)(1e9 * (double)clock() / CLOCKS_PER_SEC);
}

/* ---- bodies ---- */

static int make_body(const double *points, size_t count, const double half[3], body *out)
{
    if (grz_hull_create(NULL, points, count, NULL, &out->hull) != GRAZE_STATUS_OK)
        return 0;
    const grz_hull *h = out->hull;
    out->convex = (grz_convex_body){.vertices = (const double(*)[3])h->vertices,
                                    .vertex_count = h->vertex_count,
                                    .neighbour_starts = h->neighbour_starts,
                                    .neighbours = h->neighbours,
                                    .table = &out->table};
    grz_convex_table_make(&out->convex, &out->table);
    out->triangles = malloc(h->half_edge_count * sizeof *out->triangles);
    size_t triangle_count = 0;
    for (size_t f = 0; f < h->face_count; f++)
        for (uint32_t i = h->face_starts[f] + 1; i + 1 < h->face_starts[f + 1]; i++)
        {
            const uint32_t corners[3] = {h->face_starts[f], i, i + 1};
            for (int k = 0; k < 3; k++)
                out->triangles[triangle_count][k] = h->origins[corners[k]];
            triangle_count++;
        }
    out->lab = (lab_hull){h->vertex_count,
                          triangle_count,
                          (const double(*)[3])h->vertices,
                          h->neighbour_starts,
                          h->neighbours,
                          (const uint32_t(*)[3])out->triangles,
                          half != NULL,
                          {half ? half[0] : 0, half ? half[1] : 0, half ? half[2] : 0}};
    return 1;
}

static int make_hull(grz_random *random, size_t count, body *out)
{
    double *points = malloc(3 * count * sizeof *points);
    for (size_t i = 0; i < count; i++)
    {
        double square = 0, *p = points + 3 * i;
        do
        {
            square = 0;
            for (int k = 0; k < 3; k++)
            {
                p[k] = grz_random_between(random, -1, 1);
                square += p[k] * p[k];
            }
        } while (square > 1 || square < 0.01);
        for (int k = 0; k < 3; k++)
            p[k] /= sqrt(square);
    }
    int made = make_body(points, count, NULL, out);
    free(points);
    return made;
}

static int make_box(const double half[3], body *out)
{
    double points[8][3];
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
            points[i][k] = (i >> k & 1) != 0 ? half[k] : -half[k];
    return make_body(points[0], 8, half, out);
}

/* ---- motion: B circles A slowly and turns, at gaps from low to high ---- */

static void place(double angle, const double at[3], const double axis[3], graze_pose *out)
{
    graze_pose_from_axis_angle(axis, angle, at, out);
}

/* Puts B so that its supporting planes along the line of centres are `gap` from A's. */
static void place_pair(const body *a, const body *b, size_t step, double low, double high)
{
    double s = (double)step * 0.01;
    const double axis_a[3] = {0.3, 1, 0.2}, axis_b[3] = {1, -0.4, 0.5}, origin[3] = {5, -3, 2};
    double d[3] = {cos(0.31 * s), sin(0.31 * s) * cos(0.17 * s), sin(0.31 * s) * sin(0.17 * s)};
    double gap = low + (high - low) * (0.5 + 0.5 * sin(0.7 * s));
    graze_pose *pa = &poses[0][step], *pb = &poses[1][step];
    place(0.9 * s, origin, axis_a, pa);
    place(-0.7 * s, origin, axis_b, pb);
    double most = -INFINITY, least = INFINITY;
    for (size_t v = 0; v < a->hull->vertex_count; v++)
    {
        double p[3];
        graze_pose_apply(pa, a->hull->vertices[v], p);
        most = fmax(most, d[0] * p[0] + d[1] * p[1] + d[2] * p[2]);
    }
    for (size_t v = 0; v < b->hull->vertex_count; v++)
    {
        double p[3];
        graze_pose_apply(pb, b->hull->vertices[v], p);
        least = fmin(least, d[0] * p[0] + d[1] * p[1] + d[2] * p[2]);
    }
    for (int k = 0; k < 3; k++)
        pb->m[4 * k + 3] += d[k] * (most - least + gap);
}

/* ---- Graze ---- */

static double ask(query q, body *a, body *b, grz_convex_cache *cache)
{
    static const grz_convex_limits limits = {0, INFINITY};
    grz_convex_distance distance;
    grz_convex_depth depth;
    switch (q)
    {
    case COLLIDE:
        return grz_convex_pair_collide(&a->convex, &b->convex, cache);
    case DISTANCE:
        grz_convex_pair_distance(&a->convex, &b->convex, cache, &limits, &distance);
        return distance.upper;
    default:
        grz_convex_pair_depth(&a->convex, &b->convex, cache, 1e-6, &depth);
        return depth.upper;
    }
}

static double time_graze(query q, body *a, body *b, size_t steps, int passes, int warm)
{
    double best = INFINITY;
    for (int pass = 0; pass < passes; pass++)
    {
        grz_convex_cache cache = {.simplex_size = 0};
        uint64_t start = cpu_now();
        for (size_t i = 0; i < steps; i++)
        {
            a->convex.pose = poses[0][i];
            b->convex.pose = poses[1][i];
            answers[i] = ask(q, a, b, warm ? &cache : NULL);
        }
        best = fmin(best, (double)(cpu_now() - start) / (double)steps);
    }
    return best;
}

static void print_answers(query q, body *a, body *b, size_t steps, int warm)
{
    size_t together = 0, undecided = 0, wide = 0;
    double widest = 0;
    grz_convex_cache cache = {.simplex_size = 0};
    const grz_convex_limits limits = {0, INFINITY};
    for (size_t i = 0; i < steps; i++)
    {
        grz_convex_verdict verdict;
        double width = 0;
        grz_convex_distance distance;
        grz_convex_depth depth;
        a->convex.pose = poses[0][i];
        b->convex.pose = poses[1][i];
        if (q == COLLIDE)
            verdict = grz_convex_pair_collide(&a->convex, &b->convex, warm ? &cache : NULL);
        else if (q == DISTANCE)
        {
            grz_convex_pair_distance(&a->convex, &b->convex, warm ? &cache : NULL, &limits, &distance);
            verdict = distance.verdict;
            width = distance.upper - distance.lower;
        }
        else
        {
            grz_convex_pair_depth(&a->convex, &b->convex, warm ? &cache : NULL, 1e-6, &depth);
            verdict = depth.verdict;
            width = depth.upper > 0 ? (depth.upper - depth.lower) / depth.upper : 0;
        }
        together += verdict == GRZ_CONVEX_TOGETHER;
        undecided += verdict == GRZ_CONVEX_UNDECIDED;
        wide += width > 1e-6;
        widest = fmax(widest, width);
    }
    printf("    %s: %zu of %zu together, %zu undecided; widest interval %.1e, %zu above 1e-6\n", warm ? "warm" : "cold",
           together, steps, undecided, widest, wide);
}

/* ---- peers ---- */

static void time_peer(const lab_convex_peer *peer, query q, const body *a, const body *b, size_t steps, int passes)
{
    double (*function)(void *, const double[12], const double[12]) = q == COLLIDE    ? peer->collide
                                                                     : q == DISTANCE ? peer->distance
                                                                                     : peer->depth;
    if (function == NULL)
        return;
    double best = INFINITY, worst_difference = 0;
    size_t wrong = 0;
    for (int pass = 0; pass < passes; pass++)
    {
        void *pair = peer->create(&a->lab, &b->lab);
        double *own = malloc(steps * sizeof *own);
        uint64_t start = cpu_now();
        for (size_t i = 0; i < steps; i++)
            own[i] = function(pair, poses[0][i].m, poses[1][i].m);
        best = fmin(best, (double)(cpu_now() - start) / (double)steps);
        wrong = 0;
        for (size_t i = 0; i < steps; i++)
        {
            wrong += q == COLLIDE && (own[i] != 0) != ((int)answers[i] == GRZ_CONVEX_TOGETHER);
            worst_difference = fmax(worst_difference, q == COLLIDE ? 0 : fabs(own[i] - answers[i]));
        }
        free(own);
        peer->destroy(pair);
    }
    printf("    %-24s%10.1f ns   ", peer->name, best);
    if (q == COLLIDE)
        printf("%zu of %zu verdicts differ\n", wrong, steps);
    else
        printf("differs by up to %.1e\n", worst_difference);
}

static void run(const char *name, body *a, body *b, size_t steps, int passes, const char *only)
{
    static const double gaps[QUERIES][2] = {{-0.05, 0.1}, {0.01, 0.3}, {-0.4, -0.1}};
    for (int q = 0; q < QUERIES; q++)
    {
        char title[60];
        snprintf(title, sizeof title, "%s, %s", name, query_names[q]);
        if (strstr(title, only) == NULL)
            continue;
        for (size_t i = 0; i < steps; i++)
            place_pair(a, b, i, gaps[q][0], gaps[q][1]);
        double cold = time_graze((query)q, a, b, steps, passes, 0);
        double warm = time_graze((query)q, a, b, steps, passes, 1);
        printf("%s\n    %-24s%10.1f ns   cold %.1f ns\n", title, "graze", warm, cold);
        print_answers((query)q, a, b, steps, 0);
        print_answers((query)q, a, b, steps, 1);
        for (int k = 0; peers[k] != NULL; k++)
            time_peer(peers[k], (query)q, a, b, steps, passes);
    }
}

static void destroy_body(body *b)
{
    grz_hull_destroy(b->hull);
    free(b->triangles);
}

int main(int count, char **arguments)
{
    size_t steps = count > 1 ? (size_t)strtoul(arguments[1], NULL, 10) : 4000;
    int passes = count > 2 ? (int)strtol(arguments[2], NULL, 10) : 5;
    const char *only = count > 3 ? arguments[3] : "";
    static const size_t sizes[] = {20, 100, 1000};
    steps = steps < MOST_STEPS ? steps : MOST_STEPS;
    grz_random random = grz_random_make(SEED);
    for (size_t s = 0; s < 4; s++)
    {
        body a, b;
        char name[40];
        const double half_a[3] = {0.6, 0.5, 0.4}, half_b[3] = {0.3, 0.7, 0.45};
        snprintf(name, sizeof name, s < 3 ? "hulls of %zu" : "boxes", sizes[s % 3]);
        if (!(s < 3 ? make_hull(&random, sizes[s], &a) && make_hull(&random, sizes[s], &b)
                    : make_box(half_a, &a) && make_box(half_b, &b)))
            return 1;
        run(name, &a, &b, steps, passes, only);
        destroy_body(&a);
        destroy_body(&b);
    }
    return 0;
}
