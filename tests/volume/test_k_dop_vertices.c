/* SPDX-License-Identifier: MIT */
/* Vertices of k-dops: as many as Euler allows, and among them one on each plane that bounds the dop. */
#include "base/random.h"
#include "support/failing_allocator.h"
#include "support/unit.h"
#include "volume/k_dop.h"

static const grz_dop_kind *const kinds[] = {&grz_dop_6, &grz_dop_14, &grz_dop_18, &grz_dop_26};

/* Around some points of a grid, so that many planes only touch the dop, or around points in general position. */
static void make_dop(const grz_dop_kind *kind, grz_random *random, bool on_grid, double *dop)
{
    grz_dop_clear(kind, dop);
    for (int n = 0; n < 12; n++)
    {
        double point[3];
        for (int i = 0; i < 3; i++)
            point[i] = on_grid ? (double)grz_random_below(random, 4) : grz_random_between(random, -1, 1);
        grz_dop_add_point(kind, point, dop);
    }
}

static void vertices_reach_every_plane_and_no_further(void **state)
{
    (void)state;
    grz_random random = grz_random_make(6);
    size_t most[4] = {0, 0, 0, 0};
    for (unsigned round = 0; round < 200; round++)
        for (size_t k = 0; k < 4; k++)
        {
            const grz_dop_kind *kind = kinds[k];
            double dop[2 * GRZ_DOP_MOST_HALF] = {0}, around[2 * GRZ_DOP_MOST_HALF], error;
            grz_dop_points vertices = {0};
            make_dop(kind, &random, round % 2 == 0, dop);
            assert_true(grz_dop_find_vertices(NULL, kind, dop, &vertices, &error));
            assert_true(error > 0 && error < 1e-9);
            size_t count = vertices.count / 3;
            most[k] = count > most[k] ? count : most[k];
            grz_dop_clear(kind, around);
            for (size_t v = 0; v < count; v++)
                grz_dop_add_point(kind, vertices.data + 3 * v, around);
            for (int i = 0; i < 2 * kind->half; i++)
                assert_true(fabs(around[i] - dop[i]) <= 3 * error);
            if (round % 2 == 1)
                assert_true(count >= 4 && count <= 2 * (2 * (size_t)kind->half - 2));
            grz_release(NULL, vertices.data);
        }
    print_message("vertices at most: %zu %zu %zu %zu\n", most[0], most[1], most[2], most[3]);
    assert_int_equal(most[0], 8);
    assert_true(most[1] >= 20 && most[2] >= 20 && most[3] >= 24);
}

static void a_failing_allocation_is_told(void **state)
{
    (void)state;
    failing_allocator allocator = {.allowed = 0};
    graze_context context = failing_allocator_context(&allocator);
    grz_random random = grz_random_make(6);
    double dop[2 * GRZ_DOP_MOST_HALF] = {0}, error;
    grz_dop_points vertices = {0};
    make_dop(&grz_dop_6, &random, false, dop);
    assert_false(grz_dop_find_vertices(&context, &grz_dop_6, dop, &vertices, &error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vertices_reach_every_plane_and_no_further),
        cmocka_unit_test(a_failing_allocation_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
