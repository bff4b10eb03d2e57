/* SPDX-License-Identifier: MIT */
/*
 * The far ends of the range: the same meshes, scaled by a power of two, have the same hits, at about the same cost. The
 * limits of the range without scaling (2^-96 and 2^96) are among the sizes.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graze/distance.h"
#include "graze/pair.h"
#include "graze/self.h"
#include "graze/tree.h"
#include "mesh/mesh.h"
#include "support/random.h"
#include "support/unit.h"

enum
{
    TRIANGLES = 150,
    POSES = 5
};

/* Triangles with corners on a grid of 32 steps, so that many touch; all below 1. */
static void fill(test_random *random, double vertices[9 * TRIANGLES])
{
    for (int t = 0; t < TRIANGLES; t++)
    {
        int at[3];
        for (int axis = 0; axis < 3; axis++)
            at[axis] = random_between(random, 0, 26);
        for (int k = 0; k < 9; k++)
            vertices[9 * t + k] = (at[k % 3] + random_between(random, 0, 5)) / 32.0;
    }
}

static graze_mesh *mesh_of(const double vertices[9 * TRIANGLES], int power)
{
    static double scaled[9 * TRIANGLES];
    static uint32_t corners[3 * TRIANGLES];
    for (int i = 0; i < 9 * TRIANGLES; i++)
        scaled[i] = ldexp(vertices[i], power);
    for (uint32_t i = 0; i < 3 * TRIANGLES; i++)
        corners[i] = i;
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = scaled;
    def.vertex_count = 3 * TRIANGLES;
    def.corners = corners;
    def.corner_count = 3 * TRIANGLES;
    graze_mesh *mesh;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

/* Identity, a translation, a rotation, a rotation that scales, and a shear; translations times 2^power. */
static graze_pose pose_of(int kind, int power)
{
    graze_pose pose = graze_pose_identity();
    if (kind >= 2)
    {
        pose.m[0] = pose.m[5] = 0.8;
        pose.m[1] = -0.6;
        pose.m[4] = 0.6;
    }
    for (int k = 0; k < 12 && kind == 3; k++)
        pose.m[k] *= 4;
    if (kind == 4)
        pose.m[2] = 0.3;
    if (kind >= 1)
        pose.m[3] = 0.25;
    if (kind == 1)
        pose.m[7] = -0.125;
    for (int k = 3; k < 12; k += 4)
        pose.m[k] = ldexp(pose.m[k], power);
    return pose;
}

typedef struct answer
{
    graze_pair_counts pairs, self, plain;
    graze_stats stats;
    uint64_t near; /* within a tolerance of two steps of the grid */
    int power;
    graze_distance distance; /* of the second mesh moved twice as far away */
} answer;

/* `split` of the power is in the pose of the first mesh instead of its vertices. */
static answer ask(const double *first, const double *second, int kind, int power, int split)
{
    graze_mesh *a = mesh_of(first, power - split), *b = mesh_of(second, power);
    graze_tree *tree_a, *tree_b;
    assert_int_equal(graze_tree_create(NULL, a, NULL, NULL, &tree_a), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, b, NULL, NULL, &tree_b), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_validate(NULL, tree_a), GRAZE_STATUS_OK);
    graze_placed_mesh x = {.mesh = a, .tree = tree_a, .pose = graze_pose_identity()};
    graze_placed_mesh y = {.mesh = b, .tree = tree_b, .pose = pose_of(kind, power)};
    for (int k = 0; k < 3; k++)
        x.pose.m[5 * k] = ldexp(1, split);
    answer result;
    graze_pair_options options = graze_pair_options_default();
    options.stats = &result.stats;
    assert_int_equal(graze_pair_count(NULL, &x, &y, &options, &result.pairs), GRAZE_STATUS_OK);
    double tolerance = ldexp(0.0625, power);
    assert_int_equal(graze_pair_tolerance_count(NULL, &x, &y, tolerance, NULL, &result.near), GRAZE_STATUS_OK);
    graze_placed_mesh away = x;
    away.pose.m[3] += ldexp(power < 1000 ? 2 : 0, power);
    result.power = power;
    assert_int_equal(graze_pair_distance(NULL, &away, &y, NULL, &result.distance), GRAZE_STATUS_OK);
    graze_self_subject subject = {.mesh = b, .tree = tree_b};
    assert_int_equal(graze_self_count(NULL, &subject, NULL, &result.self), GRAZE_STATUS_OK);
    x.tree = y.tree = NULL;
    assert_int_equal(graze_pair_count(NULL, &x, &y, NULL, &result.plain), GRAZE_STATUS_OK);
    graze_tree_destroy(tree_a);
    graze_tree_destroy(tree_b);
    graze_mesh_destroy(a);
    graze_mesh_destroy(b);
    return result;
}

/* The distance is the same, times the power of two, and so are its points; except for results that are denormal or
   overflow. */
static void check_same_distance(const answer *x, const answer *unit)
{
    const graze_distance *here = &x->distance, *there = &unit->distance;
    assert_true(here->found && there->found && there->distance > 0.1);
    if (x->power < -900 || x->power >= 1000)
        return;
    assert_true(here->triangle_a == there->triangle_a && here->triangle_b == there->triangle_b);
    assert_true(fabs(ldexp(here->distance, -x->power) - there->distance) < 1e-12);
    assert_true(here->upper - here->lower < ldexp(1e-10, x->power) && here->lower <= here->distance);
    for (int k = 0; k < 3; k++)
    {
        assert_true(fabs(ldexp(here->point_a[k], -x->power) - there->point_a[k]) < 1e-9);
        assert_true(fabs(ldexp(here->point_b[k], -x->power) - there->point_b[k]) < 1e-9);
    }
}

static void check_same(const answer *x, const answer *unit)
{
    check_same_distance(x, unit);
    assert_memory_equal(&x->pairs, &unit->pairs, sizeof x->pairs);
    assert_memory_equal(&x->plain, &unit->pairs, sizeof x->plain);
    assert_memory_equal(&x->self, &unit->self, sizeof x->self);
    assert_int_equal(x->near, unit->near);
    /* Trees and filters work at every size: a few more signs where transforms are computed differently. */
    assert_true(x->stats.box_tests <= 2 * unit->stats.box_tests);
    assert_true(x->stats.exact_signs <= 2 * unit->stats.exact_signs + 100);
}

static void a_power_of_two_changes_neither_answers_nor_cost(void **state)
{
    (void)state;
    test_random random = test_random_start("a_power_of_two_changes_neither_answers_nor_cost", 15);
    static const int powers[] = {95, 96, 97, 300, 700, 1021, 1023, -95, -96, -97, -300, -700, -1000, -1022, -1069};
    uint64_t hits = 0, exact = 0;
    for (int round = 0; round < 3; round++)
    {
        static double first[9 * TRIANGLES], second[9 * TRIANGLES];
        fill(&random, first);
        fill(&random, second);
        for (int kind = 0; kind < POSES; kind++)
        {
            answer unit = ask(first, second, kind, 0, 0);
            hits += unit.pairs.pairs;
            exact += unit.stats.exact_signs;
            for (size_t i = 0; i < sizeof powers / sizeof *powers; i++)
            {
                answer here = ask(first, second, kind, powers[i], 0);
                check_same(&here, &unit);
            }
            for (int split = -900; split <= 900; split += 200)
            {
                answer here = ask(first, second, kind, split / 10, split);
                check_same(&here, &unit);
            }
        }
    }
    printf("%llu hits, %llu exact signs\n", (unsigned long long)hits, (unsigned long long)exact);
    assert_true(hits > 300 && exact > 100);
}

static void only_what_is_beyond_the_range_is_scaled(void **state)
{
    (void)state;
    static double ones[9 * TRIANGLES];
    for (int i = 0; i < 9 * TRIANGLES; i++)
        ones[i] = i % 9 == 0 ? 1 - 0x1p-53 : 0.5;
    static const struct
    {
        int power, exponent;
    } cases[] = {{0, 0}, {96, 0}, {97, 97}, {1024, 1024}, {-95, 0}, {-96, -96}, {-1021, -1021}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
        graze_mesh *mesh = mesh_of(ones, cases[i].power);
        assert_int_equal(mesh->exponent, cases[i].exponent);
        assert_true((mesh->scaled == mesh->vertices) == (cases[i].exponent == 0));
        for (int k = 0; k < 9 && cases[i].exponent != 0; k++)
            assert_true(mesh->scaled[k] == ones[k]);
        graze_mesh_destroy(mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_power_of_two_changes_neither_answers_nor_cost),
        cmocka_unit_test(only_what_is_beyond_the_range_is_scaled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
