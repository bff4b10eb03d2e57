/* SPDX-License-Identifier: MIT */
/* k-dops: fit, overlap, volumes of known bodies, and moved dops that contain the moved points. */
#include "volume/k_dop.h"

#include <string.h>

#include "base/random.h"
#include "support/placed_shapes.h"
#include "support/unit.h"

static const grz_dop_kind *const kinds[] = {&grz_dop_6, &grz_dop_14, &grz_dop_18, &grz_dop_26};

static void random_point(grz_random *random, double point[3])
{
    for (int i = 0; i < 3; i++)
        point[i] = grz_random_between(random, -1, 1);
}

/* A cube with its corners cut by the planes |x| + |y| + |z| <= 2 loses eight tetrahedra of edge 1. */
static void volumes_are_those_of_known_bodies(void **state)
{
    (void)state;
    double dop[2 * GRZ_DOP_MOST_HALF];
    for (size_t k = 0; k < 4; k++)
    {
        grz_dop_clear(kinds[k], dop);
        for (int corner = 0; corner < 8; corner++)
        {
            const double point[3] = {corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1};
            grz_dop_add_point(kinds[k], point, dop);
        }
        assert_true(fabs(grz_dop_volume(kinds[k], dop) - 8) < 1e-12);
    }
    for (int i = 3; i < 7; i++)
    {
        dop[i] = -2;
        dop[7 + i] = 2;
    }
    for (int i = 0; i < 3; i++)
    {
        dop[i] = -1;
        dop[7 + i] = 1;
    }
    assert_true(fabs(grz_dop_volume(&grz_dop_14, dop) - (8 - 8.0 / 6)) < 1e-12);
}

static void disjoint_dops_are_separated_by_one_of_their_directions(void **state)
{
    (void)state;
    const double points[2][3] = {{1, 1, 0}, {0.9, 0.9, 0.9}};
    double a[2 * GRZ_DOP_MOST_HALF], b[2 * GRZ_DOP_MOST_HALF];
    for (size_t k = 0; k < 4; k++)
    {
        const grz_dop_kind *kind = kinds[k];
        grz_dop_clear(kind, a);
        grz_dop_clear(kind, b);
        for (int i = 0; i < 3; i++)
        {
            double point[3] = {0, 0, 0};
            grz_dop_add_point(kind, point, a);
            point[i] = 1;
            grz_dop_add_point(kind, point, a);
        }
        grz_dop_add_point(kind, points[1], b);
        assert_int_equal(grz_dop_overlap(kind->half, a, b), kind->half == 3); /* only the box holds the far corner */
        grz_dop_merge(kind->half, a, b);
        assert_true(grz_dop_overlap(kind->half, a, b));
    }
}

/* The facets of the hull of all directions: twice as many as vertices, less four. */
static void facets_enclose_all_directions(void **state)
{
    (void)state;
    static const int counts[4] = {8, 24, 32, 48};
    for (size_t k = 0; k < 4; k++)
    {
        grz_dop_facets facets;
        grz_dop_facets_make(kinds[k], &facets);
        assert_int_equal(facets.count, counts[k]);
    }
}

/* Every moved point lies in the moved dop; and that is not much larger than the dop of the moved points. */
static void moved_dops_contain_moved_points(void **state)
{
    (void)state;
    grz_random random = grz_random_make(8);
    double widest = 0;
    for (unsigned round = 0; round < TEST_ROUNDS(2000u); round++)
    {
        const grz_dop_kind *kind = kinds[round % 4];
        int half = kind->half;
        grz_dop_facets facets;
        grz_dop_facets_make(kind, &facets);
        graze_pose pose = round % 8 < 4 ? placed_pose(&random, 3) : graze_pose_translation(1, 2, 3);
        double map[3][4], dop[2 * GRZ_DOP_MOST_HALF], moved[2 * GRZ_DOP_MOST_HALF];
        memcpy(map, pose.m, sizeof map);
        grz_dop_clear(kind, dop);
        double points[6][3];
        for (int p = 0; p < 6; p++)
        {
            random_point(&random, points[p]);
            grz_dop_add_point(kind, points[p], dop);
        }
        grz_dop_map moving;
        grz_dop_map_make(kind, &facets, (const double(*)[4])map, 1e-15, 3, &moving);
        grz_dop_move(&moving, dop, moved);
        for (int p = 0; p < 6; p++)
        {
            double there[3];
            graze_pose_apply(&pose, points[p], there);
            for (int i = 0; i < half; i++)
            {
                double x = grz_dop_along(kind->directions[i], there);
                assert_true(moved[i] <= x && x <= moved[half + i]);
            }
        }
        for (int i = 0; i < half; i++)
            widest = fmax(widest, moved[half + i] - moved[i]);
    }
    assert_true(widest < 40);
}

/* A dop that is only translated keeps its widths. */
static void translated_dops_do_not_grow(void **state)
{
    (void)state;
    for (size_t k = 0; k < 4; k++)
    {
        const grz_dop_kind *kind = kinds[k];
        static const double map[3][4] = {{1, 0, 0, 1}, {0, 1, 0, 2}, {0, 0, 1, 4}};
        const double points[2][3] = {{0.5, 0.25, 1}, {-1, 0.125, 0}};
        double dop[2 * GRZ_DOP_MOST_HALF], moved[2 * GRZ_DOP_MOST_HALF];
        grz_dop_facets facets;
        grz_dop_map moving;
        grz_dop_clear(kind, dop);
        grz_dop_add_point(kind, points[0], dop);
        grz_dop_add_point(kind, points[1], dop);
        grz_dop_facets_make(kind, &facets);
        grz_dop_map_make(kind, &facets, map, 0, 1, &moving);
        grz_dop_move(&moving, dop, moved);
        for (int i = 0; i < kind->half; i++)
            assert_true(fabs((moved[kind->half + i] - moved[i]) - (dop[kind->half + i] - dop[i])) < 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(volumes_are_those_of_known_bodies),
        cmocka_unit_test(disjoint_dops_are_separated_by_one_of_their_directions),
        cmocka_unit_test(facets_enclose_all_directions),
        cmocka_unit_test(moved_dops_contain_moved_points),
        cmocka_unit_test(translated_dops_do_not_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
