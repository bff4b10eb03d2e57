/* SPDX-License-Identifier: MIT */
/*
 * Time of convex hulls: points in a ball, on a sphere, on a grid, on the faces of a box. Prints a table; no pass or
 * fail. The least CPU time of several passes counts. Built with libqhull (Debian: libqhull-dev) it also times qhull on
 * the same points, with its default precision handling, and compares the numbers of vertices.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/random.h"
#include "convex/hull.h"

#ifdef LAB_HAS_QHULL
#include <libqhull_r/qhull_ra.h>
#endif

enum
{
    PASS_COUNT = 7
};

typedef struct cloud
{
    const char *name;
    void (*make)(grz_random *random, double point[3]);
} cloud;

static void in_ball(grz_random *random, double p[3])
{
    do
        for (int k = 0; k < 3; k++)
            p[k] = grz_random_between(random, -1, 1);
    while (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] > 1);
}

static void on_sphere(grz_random *random, double p[3])
{
    double length;
    do
    {
        in_ball(random, p);
        length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    } while (length < 0.1);
    for (int k = 0; k < 3; k++)
        p[k] /= length;
}

static void on_grid(grz_random *random, double p[3])
{
    for (int k = 0; k < 3; k++)
        p[k] = (double)grz_random_below(random, 30);
}

static void on_box(grz_random *random, double p[3])
{
    int axis = (int)grz_random_below(random, 3);
    for (int k = 0; k < 3; k++)
        p[k] = grz_random_between(random, -1, 1);
    p[axis] = p[axis] < 0 ? -1 : 1;
}

static double cpu_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static double time_graze(const double *points, size_t count, size_t *out_vertices)
{
    double best = INFINITY;
    for (int pass = 0; pass < PASS_COUNT; pass++)
    {
        grz_hull *hull = NULL;
        double start = cpu_seconds();
        if (grz_hull_create(NULL, points, count, NULL, &hull) != GRAZE_STATUS_OK)
            return -1;
        best = fmin(best, cpu_seconds() - start);
        *out_vertices = hull->vertex_count;
        grz_hull_destroy(hull);
    }
    return best;
}

#ifdef LAB_HAS_QHULL
static double time_qhull(const double *points, size_t count, size_t *out_vertices)
{
    double best = INFINITY;
    for (int pass = 0; pass < 3; pass++)
    {
        qhT qhull;
        int long_size, long_count;
        double *copy = malloc(3 * count * sizeof *copy);
        char options[] = "qhull";
        if (copy == NULL)
            return -1;
        memcpy(copy, points, 3 * count * sizeof *copy);
        double start = cpu_seconds();
        qh_zero(&qhull, stderr);
        if (qh_new_qhull(&qhull, 3, (int)count, copy, False, options, NULL, stderr) != 0)
            best = -1;
        best = fmin(best, cpu_seconds() - start);
        *out_vertices = (size_t)qhull.num_vertices;
        qh_freeqhull(&qhull, !qh_ALL);
        qh_memfreeshort(&qhull, &long_size, &long_count);
        free(copy);
    }
    return best;
}
#endif

static void measure(const cloud *kind, size_t count)
{
    grz_random random = grz_random_make(1);
    double *points = malloc(3 * count * sizeof *points);
    if (points == NULL)
        return;
    for (size_t i = 0; i < count; i++)
        kind->make(&random, points + 3 * i);
    size_t vertices = 0;
    double seconds = time_graze(points, count, &vertices);
    printf("%-10s %8zu points  graze %8.2f ms, %zu vertices", kind->name, count, 1e3 * seconds, vertices);
#ifdef LAB_HAS_QHULL
    seconds = time_qhull(points, count, &vertices);
    printf("  qhull %8.2f ms, %zu vertices", 1e3 * seconds, vertices);
#endif
    printf("\n");
    free(points);
}

int main(void)
{
    static const cloud kinds[] = {{"ball", in_ball}, {"sphere", on_sphere}, {"grid", on_grid}, {"box", on_box}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (size_t count = 1000; count <= 100000; count *= 10)
            measure(&kinds[k], count);
    return 0;
}
