/* SPDX-License-Identifier: MIT */
/* Supports of k-dops: never below a point of the dop, and no higher than its highest vertex. */
#include <string.h>

#include "base/random.h"
#include "support/unit.h"
#include "volume/k_dop.h"

static const double own_directions[6][3] = {{1, 0.5, 0.25}, {-0.3, 4, 1},   {0, 1, -7},
                                            {1, 1, 1},      {1e3, -1e3, 1}, {2, 1, 0}};

enum
{
    POINTS = 12
};

/* The planes to begin with: those of duality, as an identity moves them. */
static void start_planes(const grz_dop_kind *kind, const grz_dop_facets *facets, const double c[3], int planes[3])
{
    for (int f = 0; f < facets->count; f++)
    {
        bool inside = true;
        for (int k = 0; k < 3; k++)
        {
            /* A corner is a direction or its opposite: the row of the inverse has its sign. */
            double factor = grz_dop_along(facets->inverse[f][k], c);
            double own = grz_dop_along(facets->inverse[f][k], kind->directions[facets->corners[f][k]]);
            planes[k] = 2 * facets->corners[f][k] + (factor < 0);
            inside = inside && fabs(own - 1) < 1e-9;
        }
        double most = grz_dop_along(facets->normals[f], c);
        bool best = inside;
        for (int g = 0; g < facets->count; g++)
            best = best && grz_dop_along(facets->normals[g], c) <= most;
        if (best)
            return;
    }
    fail();
}

static double highest_of(const double (*points)[3], size_t count, const double c[3])
{
    double highest = -INFINITY;
    for (size_t i = 0; i < count; i++)
        highest = fmax(highest, grz_dop_along(c, points[i]));
    return highest;
}

static void supports_are_those_of_the_highest_vertex(void **state)
{
    (void)state;
    static const grz_dop_kind *const kinds[] = {&grz_dop_6, &grz_dop_14, &grz_dop_18, &grz_dop_26};
    grz_random random = grz_random_make(16);
    unsigned moved = 0;
    for (unsigned round = 0; round < 400; round++)
    {
        const grz_dop_kind *kind = kinds[round % 4];
        double points[POINTS][3], c[3], dop[2 * GRZ_DOP_MOST_HALF], error;
        int planes[3], first[3];
        grz_dop_facets facets;
        grz_dop_points vertices = {0};
        grz_dop_facets_make(kind, &facets);
        grz_dop_clear(kind, dop);
        for (int n = 0; n < POINTS; n++)
        {
            for (int i = 0; i < 3; i++)
                points[n][i] =
                    round % 8 < 4 ? (double)grz_random_below(&random, 4) : grz_random_between(&random, -1, 1);
            grz_dop_add_point(kind, points[n], dop);
        }
        for (int i = 0; i < 3; i++)
            c[i] = grz_random_between(&random, -1, 1);
        start_planes(kind, &facets, c, planes);
        memcpy(first, planes, sizeof first);
        double support = grz_dop_support(kind, dop, c, 12, planes);
        assert_true(grz_dop_find_vertices(NULL, kind, dop, &vertices, &error));
        double vertex = highest_of((const double(*)[3])vertices.data, vertices.count / 3, c);
        assert_true(support >= highest_of((const double(*)[3])points, POINTS, c));
        assert_true(fabs(support - vertex) < 1e-9);
        moved += memcmp(first, planes, sizeof first) != 0;
        grz_release(NULL, vertices.data);
    }
    print_message("%u of 400 searches left the planes they began with\n", moved);
    assert_true(moved > 60);
}

/* Own directions of very different kinds: never below a point, also where the planes are badly chosen. */
static void supports_hold_whatever_they_begin_with(void **state)
{
    (void)state;
    grz_random random = grz_random_make(17);
    double storage[GRZ_DOP_MOST_HALF][3];
    grz_dop_kind kind;
    unsigned finite = 0;
    assert_true(grz_dop_kind_make(own_directions, 6, storage, &kind));
    for (unsigned round = 0; round < 2000; round++)
    {
        double points[POINTS][3], c[3], dop[2 * GRZ_DOP_MOST_HALF];
        int planes[3];
        grz_dop_clear(&kind, dop);
        for (int n = 0; n < POINTS; n++)
        {
            for (int i = 0; i < 3; i++)
                points[n][i] = grz_random_between(&random, -1, 1);
            grz_dop_add_point(&kind, points[n], dop);
        }
        for (int i = 0; i < 3; i++)
        {
            c[i] = grz_random_between(&random, -1, 1);
            planes[i] = (int)grz_random_below(&random, 12);
        }
        double support = grz_dop_support(&kind, dop, c, 3, planes);
        assert_true(support >= highest_of((const double(*)[3])points, POINTS, c));
        finite += isfinite(support) ? 1 : 0;
    }
    assert_true(finite > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(supports_are_those_of_the_highest_vertex),
        cmocka_unit_test(supports_hold_whatever_they_begin_with),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
