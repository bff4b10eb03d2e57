/* SPDX-License-Identifier: MIT */
/*
 * How long first impacts of moving vertices, faces and edges take: median, mean and worst time of a query, each
 * measured on its own, by kind of input. usage: bench_motion [ROUNDS]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "graze/motion.h"

enum
{
    REPEATS = 3
};

static double now(void)
{
    return 1e-9 * (double)grz_clock_now();
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static uint64_t state = 7;

static int between(int low, int high)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return low + (int)((state >> 33) % (uint64_t)(high - low + 1));
}

typedef struct query
{
    bool edges;
    double x[2][4][3]; /* time, point */
} query;

/* kind 0: grid positions and velocities; 1: planned contact at a rational time; 2: random reals; 3: the same, rounded
   to a rotated grid; 4: coplanar on a grid. */
static void draw(int kind, query *q)
{
    q->edges = between(0, 1) != 0;
    int denominator = between(1, 7), numerator = between(0, denominator);
    for (int i = 0; i < 12; i++)
    {
        double *a = &q->x[0][i / 3][i % 3], *b = &q->x[1][i / 3][i % 3];
        int place = between(-3, 3), velocity = between(-7, 7);
        *a = place;
        *b = place + velocity;
        if (kind == 1 || kind == 3)
        {
            *a = place * denominator - numerator * velocity;
            *b = *a + denominator * velocity;
        }
        if (kind == 2)
        {
            *a = 1e-6 * between(-1000000, 1000000);
            *b = 1e-6 * between(-1000000, 1000000);
        }
        if (kind == 4 && i % 3 == 2)
            *b = *a = 1;
    }
    for (int i = 0; i < 8 && kind == 3; i++)
    {
        double *p = q->x[i % 2][i / 2], x = p[0], y = p[1], z = p[2];
        p[0] = 0.36 * x + 0.48 * y - 0.8 * z;
        p[1] = -0.8 * x + 0.6 * y;
        p[2] = 0.48 * x + 0.64 * y + 0.6 * z;
    }
}

static bool ask(const query *q)
{
    graze_impact_interval impact;
    double a[2][2][3], b[2][2][3], vertex[2][3], face[2][3][3];
    if (q->edges)
    {
        for (int t = 0; t < 2; t++)
        {
            memcpy(a[t], q->x[t][0], sizeof a[t]);
            memcpy(b[t], q->x[t][2], sizeof b[t]);
        }
        graze_edge_edge_impact((const double(*)[2][3])a, (const double(*)[2][3])b, &impact);
    }
    else
    {
        for (int t = 0; t < 2; t++)
        {
            memcpy(vertex[t], q->x[t][0], sizeof vertex[t]);
            memcpy(face[t], q->x[t][1], sizeof face[t]);
        }
        graze_vertex_face_impact((const double(*)[3])vertex, (const double(*)[3][3])face, &impact);
    }
    return impact.verdict == GRAZE_IMPACT_AT;
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"grid", "planned", "reals", "rotated", "coplanar"};
    int rounds = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 20000;
    if (rounds < 1)
        return 2;
    double *times = malloc((size_t)rounds * sizeof *times);
    if (times == NULL)
        return 2;
    for (int kind = 0; kind < 5; kind++)
    {
        int hits = 0;
        double sum = 0;
        for (int round = 0; round < rounds; round++)
        {
            query q;
            draw(kind, &q);
            double best = 1;
            bool hit = false;
            for (int repeat = 0; repeat < REPEATS; repeat++)
            {
                double start = now();
                hit = ask(&q);
                double taken = now() - start;
                best = taken < best ? taken : best;
            }
            hits += hit;
            times[round] = best;
            sum += best;
        }
        qsort(times, (size_t)rounds, sizeof *times, compare);
        printf("%-9s %5.1f %% hits  median %7.3f us  p90 %7.3f  mean %7.3f  worst %8.1f\n", names[kind],
               100.0 * hits / rounds, 1e6 * times[rounds / 2], 1e6 * times[rounds * 9 / 10], 1e6 * sum / rounds,
               1e6 * times[rounds - 1]);
    }
    free(times);
    return 0;
}
