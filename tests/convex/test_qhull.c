/* SPDX-License-Identifier: MIT */
/*
 * Large hulls have the vertices that qhull finds: of points in general position, where doubles suffice. Small and
 * degenerate ones are compared with rational arithmetic in test_hull.c.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libqhull_r/qhull_ra.h>

#include "base/random.h"
#include "convex/hull.h"
#include "support/unit.h"

enum
{
    SEED = 7208,
    MOST_POINTS = 20000
};

static double points[MOST_POINTS][3];

/* Marks the points that are vertices; returns how many there are. */
static size_t mark_vertices(size_t count, bool *marks)
{
    static double copy[MOST_POINTS][3];
    char options[] = "qhull";
    qhT qhull;
    int long_size, long_count;
    memcpy(copy, points, count * sizeof *points);
    qh_zero(&qhull, stderr);
    assert_int_equal(qh_new_qhull(&qhull, 3, (int)count, copy[0], False, options, NULL, stderr), 0);
    size_t found = 0;
    for (const vertexT *vertex = qhull.vertex_list; vertex != NULL && vertex->next != NULL; vertex = vertex->next)
    {
        marks[(size_t)(vertex->point - copy[0]) / 3] = true;
        found++;
    }
    qh_freeqhull(&qhull, !qh_ALL);
    qh_memfreeshort(&qhull, &long_size, &long_count);
    return found;
}

static void vertices_of_large_hulls_are_those_of_qhull(void **state)
{
    (void)state;
    static bool marks[MOST_POINTS];
    grz_random random = grz_random_make(SEED);
    size_t vertices = 0;
    printf("seed %d\n", SEED);
    for (int round = 0; round < 12; round++)
    {
        size_t count = (size_t)1000 << (round / 3) | grz_random_below(&random, 1000);
        for (size_t i = 0; i < count; i++)
        {
            double length;
            do
            {
                for (int axis = 0; axis < 3; axis++)
                    points[i][axis] = grz_random_between(&random, -1, 1);
                length = sqrt(points[i][0] * points[i][0] + points[i][1] * points[i][1] + points[i][2] * points[i][2]);
            } while (length > 1 || length < 0.1);
            for (int axis = 0; axis < 3 && round % 3 == 0; axis++)
                points[i][axis] /= length; /* a sphere */
            if (round % 3 == 1)
                points[i][2] *= 1e-3; /* a disk */
        }
        memset(marks, 0, sizeof marks);
        size_t expected = mark_vertices(count, marks);
        grz_hull *hull = NULL;
        assert_int_equal(grz_hull_create(NULL, points[0], count, NULL, &hull), GRAZE_STATUS_OK);
        assert_int_equal(hull->vertex_count, expected);
        for (size_t v = 0; v < hull->vertex_count; v++)
            assert_true(marks[hull->sources[v]]);
        vertices += expected;
        grz_hull_destroy(hull);
    }
    printf("%zu vertices\n", vertices);
    assert_true(vertices > 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vertices_of_large_hulls_are_those_of_qhull),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
