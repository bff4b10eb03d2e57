/* SPDX-License-Identifier: MIT */
/*
 * Triangles whose coordinates are large compared to their distance: the errors of placed corners are as large as the
 * distance, or a good part of it. The bounds computed in doubles (src/pair/distance/triangle_distance.c) must enclose
 * the rational distance even there, and a quick lower bound must not exceed it, in every rounding mode.
 */
#include <math.h>
#include <stdio.h>

#include "graze/tree.h"
#include "pair/distance/proximity.h"
#include "pair/distance/triangle_distance.h"
#include "support/bodies.h"
#include "support/environment.h"
#include "support/generators.h"
#include "support/oracle_distance.h"
#include "support/unit.h"

enum
{
    PAIRS = 2500,
    ERRING_PAIRS = 240,
    DRAWS = 1000,
    TOWARD_ZERO = 6 /* the environment that rounds so */
};

/* Two triangles of size one, far from their own origins, that poses bring back; side by side along a random direction.
 */
static void make_close_pair(test_random *random, triangle_case *out)
{
    double far = ldexp(1, 34 + random_below(random, 18)), apart = random_unit(random);
    graze_pose turn = random_rotation(random);
    for (int side = 0; side < 2; side++)
    {
        double centre[3];
        out->placed[side] = true;
        out->poses[side] = random_once_in(random, 4) ? graze_pose_identity() : random_rotation(random);
        for (int k = 0; k < 3; k++)
            centre[k] = far * random_real(random, -1, 1);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                out->poses[side].m[4 * i + 3] -= out->poses[side].m[4 * i + j] * centre[j];
        for (int c = 0; c < 3; c++)
        {
            /* A's corners around the origin, B's first near it, each on its side of a plane; then rotated, and given in
               its own frame. */
            double height = side == 0 || c == 0 || random_once_in(random, 3) ? 0.5 * apart : random_unit(random);
            double angle = 2.1 * c + random_unit(random), reach = side == 1 && c == 0 ? 0.1 : 1;
            double local[3] = {reach * cos(angle), reach * sin(angle), side == 0 ? -height : height};
            for (int j = 0; j < 3; j++)
            {
                out->corners[side][c][j] = centre[j];
                for (int i = 0; i < 3; i++)
                    for (int k = 0; k < 3; k++)
                        out->corners[side][c][j] += out->poses[side].m[4 * i + j] * turn.m[4 * i + k] * local[k];
            }
        }
    }
}

static graze_placed_mesh place(triangle_case *pair, int side)
{
    static const uint32_t corners[3] = {0, 1, 2};
    graze_mesh *mesh = body_of_triangles(pair->corners[side], 3, corners, 1);
    graze_tree *tree;
    assert_int_equal(graze_tree_create(NULL, mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
    graze_placed_mesh placed = {mesh, tree, pair->poses[side]};
    return placed;
}

static void remove_placed(graze_placed_mesh *placed)
{
    graze_tree_destroy((graze_tree *)(uintptr_t)placed->tree);
    graze_mesh_destroy((graze_mesh *)(uintptr_t)placed->mesh);
}

typedef struct tally
{
    int meet, loose, gaps, loose_gaps;
} tally;

static void check_pair(const graze_placed_mesh *a, const graze_placed_mesh *b, int environment, const mpq_t exact,
                       tally *count)
{
    grz_triangle_pair_batch pairs = {{0}, {0}, 1};
    grz_closest_pair gaps[GRZ_LANES];
    grz_measure_frame frame;
    saved_environment saved;
    environment_enter(&saved, environment);
    grz_measure_frame_make(&frame, NULL, a, b);
    grz_measure_pairs(&frame, &pairs, gaps);
    double known = grz_distance_lower_bound(NULL, a, b, 0, 0x1p300, 1000, NULL);
    environment_leave(&saved);
    assert_true(gaps[0].meet == (mpq_sgn(exact) == 0));
    assert_true(oracle_compare_distance(gaps[0].lower, exact) <= 0);
    assert_true(oracle_compare_distance(gaps[0].upper, exact) >= 0);
    assert_true(known >= 0 && oracle_compare_distance(known, exact) <= 0);
    assert_true(frame.exact_measures <= 1);
    double reach =
        fmax(grz_coordinate_bound(a->mesh, &frame.shifted_a), grz_coordinate_bound(b->mesh, &frame.shifted_b));
    assert_true(gaps[0].upper - gaps[0].lower < 0x1p-43 * reach);
    count->meet += gaps[0].meet;
    count->loose += gaps[0].lower > 0 && gaps[0].lower < 0.9 * gaps[0].upper;
    count->gaps += known > 0;
    count->loose_gaps += known > 0 && known < 0.8 * gaps[0].distance;
}

static void bounds_enclose_distances_that_are_as_small_as_errors(void **state)
{
    (void)state;
    test_random random = test_random_start("gap bounds", 63);
    oracle *judge = oracle_create();
    mpq_t exact;
    mpq_init(exact);
    tally count = {0};
    for (int k = 0; k < PAIRS; k++)
    {
        triangle_case pair;
        make_close_pair(&random, &pair);
        graze_placed_triangle first = case_triangle(&pair, 0), second = case_triangle(&pair, 1);
        oracle_distance_sq(judge, &first, &second, exact);
        graze_placed_mesh a = place(&pair, 0), b = place(&pair, 1);
        check_pair(&a, &b, 2 * (k % ROUNDING_MODES), exact, &count);
        remove_placed(&a);
        remove_placed(&b);
    }
    mpq_clear(exact);
    oracle_destroy(judge);
    printf("of %d pairs %d meet, bounds of %d are loose; %d gaps are known, %d of them below the share\n", PAIRS,
           count.meet, count.loose, count.gaps, count.loose_gaps);
    assert_true(count.meet > PAIRS / 200 && count.loose > PAIRS / 20 && count.gaps > PAIRS / 4);
    assert_true(count.loose_gaps > PAIRS / 100);
}

/* A row of a rotation and a point along it, all positive, so that rounding toward zero errs in one direction only: of
   many the one with the largest error. Returns the error in units of 2^-52 of the product. */
static long double draw_erring_product(test_random *random, double row[3], double point[3])
{
    long double worst = 0;
    for (int draw = 0; draw < DRAWS; draw++)
    {
        double length_sq = 0;
        volatile double r[3], v[3], x, y, z, sum; /* volatile: computed in that environment, not at compile time */
        for (int k = 0; k < 3; k++)
        {
            r[k] = random_real(random, 0.05, 1);
            length_sq += r[k] * r[k];
        }
        for (int k = 0; k < 3; k++)
        {
            r[k] /= sqrt(length_sq);
            v[k] = r[k] * random_real(random, 0.9, 1.1);
        }
        saved_environment saved;
        environment_enter(&saved, TOWARD_ZERO);
        x = r[0] * v[0];
        y = r[1] * v[1];
        z = r[2] * v[2];
        sum = x + y;
        sum = sum + z;
        environment_leave(&saved);
        long double exact = (long double)r[0] * v[0] + (long double)r[1] * v[1] + (long double)r[2] * v[2];
        long double off = (exact - sum) / (0x1p-52L * exact);
        for (int k = 0; k < 3 && off > worst; k++)
        {
            row[k] = r[k];
            point[k] = v[k];
        }
        worst = off > worst ? off : worst;
    }
    return worst;
}

/* A is placed by such a product along one axis and so seems to lie lower than it does; B, under the identity, lies
   above it. Both are tiny. */
static long double make_erring_pair(test_random *random, triangle_case *out)
{
    int axis = random_below(random, 3);
    double row[3] = {0}, point[3] = {0}, image[3], *m = out->poses[0].m,
           size = ldexp(1, -random_between(random, 9, 16));
    long double off = draw_erring_product(random, row, point);
    out->poses[0] = out->poses[1] = graze_pose_identity();
    out->placed[0] = out->placed[1] = true;
    /* The other rows are about orthogonal to it. */
    double *next = m + 4 * ((axis + 1) % 3), *last = m + 4 * ((axis + 2) % 3), flat = hypot(row[0], row[1]);
    for (int k = 0; k < 3; k++)
    {
        m[4 * axis + k] = row[k];
        next[k] = k == 0 ? -row[1] / flat : k == 1 ? row[0] / flat : 0;
        last[k] = k == 2 ? flat : -row[k] * row[2] / flat;
    }
    graze_pose_apply(&out->poses[0], point, image);
    double gap = 0x1p-52 * random_real(random, 20, 100);
    bool is_point = random_once_in(random, 2);
    for (int c = 0; c < 3; c++)
    {
        double x = size * cos(2.1 * c), y = size * sin(2.1 * c), down = is_point || c == 0 ? 0 : size;
        for (int k = 0; k < 3; k++)
        {
            out->corners[0][c][k] = point[k] + (down > 0 ? x * next[k] + y * last[k] - down * row[k] : 0);
            out->corners[1][c][k] = image[k] + (k == axis ? gap : k == (axis + 1) % 3 ? x : y);
        }
    }
    return off;
}

/* A is far along one axis because its pose stretches it, B because its pose translates it. */
static void make_stretched_pair(test_random *random, triangle_case *out)
{
    int axis = random_below(random, 3);
    double factor = random_real(random, 0x1p19, 0x1p20), level = random_real(random, 0.5, 1);
    out->poses[0] = out->poses[1] = graze_pose_identity();
    out->placed[0] = out->placed[1] = true;
    out->poses[0].m[5 * axis] = factor;
    out->poses[1].m[4 * axis + 3] = factor * level + 0x1p-32 * random_real(random, 12, 60);
    for (int c = 0; c < 3; c++)
    {
        double x = 0x1p-12 * cos(2.1 * c), y = 0x1p-12 * sin(2.1 * c);
        for (int side = 0; side < 2; side++)
            for (int k = 0; k < 3; k++)
                out->corners[side][c][k] = k == axis ? (side == 0 ? level : 0) : k == (axis + 1) % 3 ? x : y;
    }
}

static void bounds_hold_where_placing_errs_the_most(void **state)
{
    (void)state;
    test_random random = test_random_start("erring pairs", 64);
    oracle *judge = oracle_create();
    mpq_t exact;
    mpq_init(exact);
    tally count = {0};
    int erring = 0;
    for (int k = 0; k < ERRING_PAIRS; k++)
    {
        triangle_case pair;
        if (k % 2 == 0)
            erring += make_erring_pair(&random, &pair) > 1.8L;
        else
            make_stretched_pair(&random, &pair);
        graze_placed_triangle first = case_triangle(&pair, 0), second = case_triangle(&pair, 1);
        oracle_distance_sq(judge, &first, &second, exact);
        graze_placed_mesh a = place(&pair, 0), b = place(&pair, 1);
        check_pair(&a, &b, k % 2 == 0 ? TOWARD_ZERO : k % ENVIRONMENTS, exact, &count);
        remove_placed(&a);
        remove_placed(&b);
    }
    mpq_clear(exact);
    oracle_destroy(judge);
    printf("of %d pairs %d err by 1.8 units, %d meet, bounds of %d are loose\n", ERRING_PAIRS, erring, count.meet,
           count.loose);
    assert_true(erring > ERRING_PAIRS / 4 && count.loose > ERRING_PAIRS / 10);
}

/* One number of a mesh and one of its pose at the limit of what is measured in doubles: 2^300 each, and their product.
 */
static void only_what_is_in_range_is_measured_in_doubles(void **state)
{
    (void)state;
    static const struct
    {
        double corner, entry;
        bool usable;
    } cases[] = {{1, 1, true},
                 {0x1p299, 1, true},
                 {0x1.fp299, 1, true},
                 {0x1p300, 0.5, true},
                 {0x1.0000000000001p300, 0.25, false},
                 {0x1p-20, 0x1p300, true},
                 {0x1p-20, 0x1.0000000000001p300, false},
                 {0x1p299, 4, false},
                 {0x1p200, 0x1p99, true},
                 {0x1p200, 0x1p101, false}};
    static const uint32_t corners[3] = {0, 1, 2};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int k = 0; k < 3; k++)
        {
            double small[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, large[3][3] = {{0}};
            large[k][k] = -cases[i].corner;
            graze_mesh *meshes[2] = {body_of_triangles(small, 3, corners, 1), body_of_triangles(large, 3, corners, 1)};
            graze_placed_mesh a = {meshes[0], NULL, graze_pose_identity()}, b = {meshes[1], NULL, a.pose};
            b.pose.m[5 * k] = -cases[i].entry;
            grz_measure_frame frame;
            grz_measure_frame_make(&frame, NULL, &a, &b);
            assert_int_equal(frame.usable, cases[i].usable);
            grz_measure_frame_make(&frame, NULL, &b, &a);
            assert_int_equal(frame.usable, cases[i].usable);
            graze_mesh_destroy(meshes[0]);
            graze_mesh_destroy(meshes[1]);
        }
}

/* The bound of a computed closest point is what its derivation says, at the least: tests of points alone need far less.
 */
static void the_error_of_points_is_as_derived(void **state)
{
    (void)state;
    test_random random = test_random_start("the_error_of_points_is_as_derived", 1);
    for (int round = 0; round < 50; round++)
    {
        double corners[3][3];
        static const uint32_t one[3] = {0, 1, 2};
        for (int i = 0; i < 9; i++)
            corners[i / 3][i % 3] = random_real(&random, -8, 8);
        graze_mesh *mesh = body_of_triangles(corners, 3, one, 1);
        graze_placed_mesh a = {mesh, NULL, random_rotation(&random)}, b = {mesh, NULL, random_rotation(&random)};
        grz_measure_frame frame;
        grz_measure_frame_make(&frame, NULL, &a, &b);
        double magnitude =
            fmax(grz_coordinate_bound(mesh, &frame.shifted_a), grz_coordinate_bound(mesh, &frame.shifted_b));
        assert_true(frame.error >= 7 * 0x1p-52 * magnitude);
        assert_true(frame.point_error >= sqrt(3) * (frame.error + 23 * 0x1p-52 * magnitude));
        graze_mesh_destroy(mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_error_of_points_is_as_derived),
        cmocka_unit_test(only_what_is_in_range_is_measured_in_doubles),
        cmocka_unit_test(bounds_hold_where_placing_errs_the_most),
        cmocka_unit_test(bounds_enclose_distances_that_are_as_small_as_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
