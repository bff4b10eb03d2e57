/* SPDX-License-Identifier: MIT */
/*
 * Relative poses: entries differ from the rational ones by no more than the error bounds, in every rounding mode, for
 * rotations (which take the fast path), for matrices that are nearly rotations, and for others.
 */
#include <fenv.h>
#include <math.h>
#include <stdio.h>

#include "math/interval.h"
#include "mesh/mesh.h"
#include "pair/hit/query.h"
#include "pair/relative_pose.h"
#include "support/generators.h"
#include "support/meshes.h"
#include "support/rationals.h"
#include "support/unit.h"

enum
{
    POSES = 4000,
    KINDS = 4
};

/* The inverse of the matrix of `to`, which is 3x4, into the left of `out`: adjugate over determinant. */
static void invert(mpq_t to[12], mpq_t out[12])
{
    mpq_t determinant, product;
    mpq_inits(determinant, product, NULL);
    for (int i = 0; i < 3; i++)
    {
        for (int j = 0; j < 3; j++)
        {
            int r = (j + 1) % 3, s = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
            mpq_mul(out[4 * i + j], to[4 * r + c], to[4 * s + d]);
            mpq_mul(product, to[4 * r + d], to[4 * s + c]);
            mpq_sub(out[4 * i + j], out[4 * i + j], product);
        }
    }
    for (int k = 0; k < 3; k++)
    {
        mpq_mul(product, to[k], out[4 * k]);
        mpq_add(determinant, determinant, product);
    }
    for (int k = 0; k < 12; k++)
    {
        if (k % 4 < 3)
            mpq_div(out[k], out[k], determinant);
    }
    mpq_clears(determinant, product, NULL);
}

/* inverse(to) [R_from | t_from - t_to]. */
static void find_relative(const graze_pose *to, const graze_pose *from, mpq_t out[12])
{
    mpq_t a[12], b[12], inverse[12], product;
    rational_matrix_init(a);
    rational_matrix_init(b);
    rational_matrix_init(inverse);
    mpq_init(product);
    rational_matrix_set(a, to);
    rational_matrix_set(b, from);
    invert(a, inverse);
    for (int k = 3; k < 12; k += 4)
        mpq_sub(b[k], b[k], a[k]);
    for (int k = 0; k < 12; k++)
    {
        mpq_set_ui(out[k], 0, 1);
        for (int j = 0; j < 3; j++)
        {
            mpq_mul(product, inverse[4 * (k / 4) + j], b[4 * j + k % 4]);
            mpq_add(out[k], out[k], product);
        }
    }
    mpq_clear(product);
    rational_matrix_clear(a);
    rational_matrix_clear(b);
    rational_matrix_clear(inverse);
}

/* Whether the exact relative pose is within the error bounds, and the norm bounds it. */
static bool is_within(const graze_pose *to, const graze_pose *from, const grz_relative_pose *given)
{
    mpq_t exact[12];
    rational_matrix_init(exact);
    find_relative(to, from, exact);
    bool within = true;
    for (int k = 0; k < 12; k++)
        within = within &&
                 rational_within(given->pose.m[k], exact[k], k % 4 == 3 ? given->offset_error : given->matrix_error);
    for (int i = 0; i < 3; i++)
    {
        const double *row = given->pose.m + 4 * i, *column = given->pose.m + i;
        within = within && fabs(row[0]) + fabs(row[1]) + fabs(row[2]) <= given->norm &&
                 fabs(column[0]) + fabs(column[4]) + fabs(column[8]) <= given->norm;
    }
    rational_matrix_clear(exact);
    return within;
}

/* Adds |given - exact|. */
static void add_difference(mpq_t sum, double given, const mpq_t exact)
{
    mpq_t difference;
    mpq_init(difference);
    rational_set_double(difference, given);
    mpq_sub(difference, difference, exact);
    mpq_abs(difference, difference);
    mpq_add(sum, sum, difference);
    mpq_clear(difference);
}

/* The same between tree coordinates: the largest error on an axis over points of [-1, 1]^3 is the sum of the errors of
   the offset and of all entries of the row. *out_worst is set to the used share of the error bound. */
static bool map_is_within(const graze_pose *to, const graze_tree *tree_to, const graze_pose *from,
                          const graze_tree *tree_from, const grz_tree_transform *given, double *out_worst)
{
    mpq_t exact[12], factor, inverse_scale, offset, off;
    rational_matrix_init(exact);
    mpq_inits(factor, inverse_scale, offset, off, NULL);
    find_relative(to, from, exact);
    rational_set_double(inverse_scale, tree_to->inverse_scale);
    bool within = true;
    for (int i = 0; i < 3; i++)
    {
        mpq_t *row = &exact[4 * i];
        rational_set_double(offset, -tree_to->origin[i]);
        mpq_add(offset, offset, row[3]);
        mpq_set_ui(off, 0, 1);
        for (int j = 0; j < 3; j++)
        {
            rational_set_double(factor, tree_from->origin[j]);
            mpq_mul(factor, factor, row[j]);
            mpq_add(offset, offset, factor);
            rational_set_double(factor, tree_from->scale * tree_to->inverse_scale);
            mpq_mul(row[j], row[j], factor);
            add_difference(off, given->matrix[i][j], row[j]);
        }
        mpq_mul(offset, offset, inverse_scale);
        add_difference(off, given->offset[i], offset);
        within = within && rational_within(0, off, given->error);
        *out_worst = fmax(*out_worst, mpq_get_d(off) / given->error);
        const double(*m)[3] = given->matrix;
        within = within && fabs(m[i][0]) + fabs(m[i][1]) + fabs(m[i][2]) <= given->norm &&
                 fabs(m[0][i]) + fabs(m[1][i]) + fabs(m[2][i]) <= given->norm;
    }
    rational_matrix_clear(exact);
    mpq_clears(factor, inverse_scale, offset, off, NULL);
    return within;
}

/* Rotations rounded to doubles, with errors a little larger, with much larger errors, and scaled. */
static graze_pose make_pose(test_random *random, int kind)
{
    graze_pose pose = random_rotation(random);
    double scale = ldexp(1, random_between(random, -30, 30));
    for (int k = 0; k < 12; k++)
    {
        if (k % 4 == 3)
            pose.m[k] = random_real(random, -1, 1) * scale;
        else if (kind == 1)
            pose.m[k] *= 1 + random_real(random, -1, 1) * 0x1p-46;
        else if (kind == 2)
            pose.m[k] += random_real(random, -0.2, 0.2);
        else if (kind == 3)
            pose.m[k] *= 3;
    }
    return pose;
}

static void both_ways_are_as_near_as_claimed(void **state)
{
    (void)state;
    static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    test_random random = test_random_start("both_ways_are_as_near_as_claimed", 20261115);
    int sharp = 0;
    for (int n = 0; n < POSES; n++)
    {
        graze_pose a = make_pose(&random, n % KINDS), b = make_pose(&random, n / KINDS % KINDS);
        grz_relative_pose there, back;
        fesetround(modes[n / 3 % 4]);
        bool made = grz_relative_pose_make_both(&a, &b, &there, &back);
        fesetround(FE_TONEAREST);
        assert_true(made);
        assert_true(is_within(&a, &b, &there));
        assert_true(is_within(&b, &a, &back));
        sharp += there.matrix_error < 0x1p-42 && back.matrix_error < 0x1p-42;
    }
    assert_true(sharp > POSES / 2); /* and the error bounds are not loose */
}

/* Unit columns that are not all orthogonal are no rotation, nor are orthogonal ones of another length; in any order of
   the columns and their entries, and with any signs. */
static void what_is_no_rotation_is_not_taken_for_one(void **state)
{
    (void)state;
    static const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    const double half = sqrt(0.5), lean = 0.3, pi = acos(-1), longer = sqrt(sqrt(2));
    const double matrices[2][3][3] = {
        {{half, -half, 0}, {half, half, 0}, {lean, -lean, sqrt(1 - 2 * lean * lean)}},
        {{1, 0, 0}, {0, longer * cos(pi / 8), longer * sin(pi / 8)}, {0, -sin(pi / 8), cos(pi / 8)}}};
    const graze_pose identity = graze_pose_identity();
    for (int n = 0; n < 2 * 36 * 8; n++)
    {
        const int *column = orders[n % 6], *row = orders[n / 6 % 6], signs = n / 36 % 8;
        graze_pose pose = graze_pose_translation(1, 2, 3);
        for (int k = 0; k < 9; k++)
            pose.m[4 * (k / 3) + k % 3] = (signs >> k % 3 & 1 ? -1 : 1) * matrices[n / 288][column[k % 3]][row[k / 3]];
        grz_relative_pose there, back;
        assert_true(grz_relative_pose_make_both(NULL, &pose, &there, &back));
        assert_true(is_within(&identity, &pose, &there) && is_within(&pose, &identity, &back));
    }
}

/* A tree's frame: its origin may be far away, or almost zero. */
static graze_tree make_frame(test_random *random)
{
    int exponent = random_between(random, -20, 20);
    graze_tree tree = {.scale = ldexp(1, exponent), .inverse_scale = ldexp(1, -exponent)};
    double far = ldexp(1, random_between(random, -30, 30));
    for (int k = 0; k < 3; k++)
        tree.origin[k] = random_real(random, -1, 1) * far;
    return tree;
}

static void maps_between_trees_are_as_near_as_claimed(void **state)
{
    (void)state;
    static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    test_random random = test_random_start("maps_between_trees_are_as_near_as_claimed", 20261117);
    const graze_pose identity = graze_pose_identity();
    double worst = 0;
    int used = 0;
    for (int n = 0; n < POSES; n++)
    {
        graze_pose a = make_pose(&random, n % KINDS), b = make_pose(&random, n / KINDS % KINDS);
        const graze_pose *to = n % 3 == 0 ? NULL : &a, *from = n % 5 == 0 ? NULL : &b;
        const graze_tree tree_to = make_frame(&random), tree_from = make_frame(&random);
        grz_relative_pose there, back;
        grz_tree_transform map;
        fesetround(modes[n / 7 % 4]);
        bool made = grz_relative_pose_make_both(to, from, &there, &back) &&
                    grz_tree_transform_make(&tree_to, &tree_from, &there, &map);
        fesetround(FE_TONEAREST);
        if (!made) /* too far away, or too large */
            continue;
        used++;
        assert_true(map_is_within(to != NULL ? to : &identity, &tree_to, from != NULL ? from : &identity, &tree_from,
                                  &map, &worst));
    }
    printf("%d maps, %.3f of an error used up at most\n", used, worst);
    assert_true(used > POSES / 2 && worst > 0.1); /* error bounds are not loose */
}

/* A mesh of one triangle of any size, and its tree. */
static graze_placed_mesh make_triangle(test_random *random, const graze_pose *pose, graze_tree **out_tree)
{
    test_mesh mesh = {.vertex_count = 0};
    double size = ldexp(1, random_between(random, -20, 20));
    for (int i = 0; i < 3; i++)
        mesh_add_vertex(&mesh, size * random_real(random, -1, 1), size * random_real(random, -1, 1),
                        size * random_real(random, -1, 1));
    mesh_add_triangle(&mesh, 0, 1, 2);
    graze_placed_mesh placed = {mesh_create(&mesh), NULL, *pose};
    assert_int_equal(graze_tree_create(NULL, placed.mesh, NULL, NULL, out_tree), GRAZE_STATUS_OK);
    placed.tree = *out_tree;
    return placed;
}

/* Corners of B placed in A's frame in doubles, in the order of operations of triangle_filter.c. */
static void check_transformed_corners(const grz_query *q, int mode, double *out_worst)
{
    mpq_t exact[12], sum, term;
    rational_matrix_init(exact);
    mpq_inits(sum, term, NULL);
    find_relative(&q->a->pose, &q->b->pose, exact);
    for (int i = 0; i < 9; i++)
    {
        const double *p = graze_mesh_vertices(q->b->mesh) + i / 3 * 3, *row = q->relative.pose.m + i % 3 * 4;
        fesetround(mode);
        volatile double first = row[0] * p[0] + row[2] * p[2], second = row[1] * p[1] + row[3], image = first + second;
        fesetround(FE_TONEAREST);
        mpq_set(sum, exact[i % 3 * 4 + 3]);
        for (int k = 0; k < 3; k++)
        {
            rational_set_double(term, p[k]);
            mpq_mul(term, term, exact[i % 3 * 4 + k]);
            mpq_add(sum, sum, term);
        }
        assert_true(rational_within(image, sum, q->frame_error));
        mpq_set_ui(term, 0, 1);
        add_difference(term, image, sum);
        *out_worst = fmax(*out_worst, mpq_get_d(term) / q->frame_error);
    }
    rational_matrix_clear(exact);
    mpq_clears(sum, term, NULL);
}

static void images_of_corners_are_as_near_as_claimed(void **state)
{
    (void)state;
    static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    test_random random = test_random_start("images_of_corners_are_as_near_as_claimed", 20261118);
    const graze_pose identity = graze_pose_identity();
    double worst = 0;
    int used = 0;
    for (int n = 0; n < POSES / 2; n++)
    {
        graze_pose a = make_pose(&random, n % KINDS), b = make_pose(&random, n / KINDS % KINDS);
        graze_tree *trees[2];
        const graze_placed_mesh placed[2] = {make_triangle(&random, n % 3 == 0 ? &identity : &a, &trees[0]),
                                             make_triangle(&random, n % 5 == 0 ? &identity : &b, &trees[1])};
        grz_query q = {.a = &placed[0], .b = &placed[1]};
        int mode = modes[n / 7 % 4];
        fesetround(mode);
        assert_int_equal(grz_query_start(&q), GRAZE_STATUS_OK);
        fesetround(FE_TONEAREST);
        if (q.uses_trees && !q.scaled)
        {
            check_transformed_corners(&q, mode, &worst);
            used++;
        }
        for (int i = 0; i < 2; i++)
        {
            graze_tree_destroy(trees[i]);
            graze_mesh_destroy((graze_mesh *)placed[i].mesh);
        }
    }
    printf("%d pairs, %.3f of an error used up at most\n", used, worst);
    assert_true(used > POSES / 4 && worst > 0.1);
}

/* Beyond the limit floats of kernels might overflow: such transforms are refused, whichever axis and entry is large. */
static void maps_beyond_the_limit_are_refused(void **state)
{
    (void)state;
    const graze_tree plain = {.scale = 1, .inverse_scale = 1}, small = {.scale = 0x1p-40, .inverse_scale = 0x1p40};
    const grz_relative_pose rest = {.pose = graze_pose_identity(), .norm = 3};
    grz_tree_transform map;
    assert_true(grz_tree_transform_make(&plain, &plain, &rest, &map));
    assert_true(grz_tree_transform_make(&plain, &small, &rest, &map));
    assert_false(grz_tree_transform_make(&small, &plain, &rest, &map));
    for (int k = 0; k < 6; k++)
    {
        double far = k < 3 ? 0x1p35 : -0x1p36;
        grz_relative_pose moved = rest;
        graze_tree aside = plain;
        moved.pose.m[4 * (k % 3) + 3] = far;
        aside.origin[k % 3] = far;
        assert_int_equal(grz_tree_transform_make(&plain, &plain, &moved, &map), k < 3);
        assert_int_equal(grz_tree_transform_make(&aside, &plain, &rest, &map), k < 3);
        assert_int_equal(grz_tree_transform_make(&plain, &aside, &rest, &map), k < 3);
        moved = rest;
        moved.offset_error = fabs(far);
        assert_int_equal(grz_tree_transform_make(&plain, &plain, &moved, &map), k < 3);
    }
}

static void a_mesh_at_rest_is_one_at_the_identity(void **state)
{
    (void)state;
    test_random random = test_random_start("a_mesh_at_rest_is_one_at_the_identity", 20261116);
    const graze_pose identity = graze_pose_identity();
    for (int n = 0; n < POSES / 8; n++)
    {
        graze_pose pose = make_pose(&random, n % KINDS);
        grz_relative_pose there, back;
        assert_true(grz_relative_pose_make_both(NULL, &pose, &there, &back));
        assert_true(is_within(&identity, &pose, &there) && is_within(&pose, &identity, &back));
        assert_true(grz_relative_pose_make_both(&pose, NULL, &there, &back));
        assert_true(is_within(&pose, &identity, &there) && is_within(&identity, &pose, &back));
    }
}

static void what_has_no_inverse_or_is_too_far_is_refused(void **state)
{
    (void)state;
    graze_pose flat = graze_pose_identity(), far = graze_pose_translation(1e300, 0, 0);
    graze_pose other = graze_pose_translation(-1e300, 1, 2);
    flat.m[10] = 0;
    grz_relative_pose there, back;
    assert_false(grz_relative_pose_make_both(&flat, NULL, &there, &back));
    assert_false(grz_relative_pose_make_both(NULL, &flat, &there, &back));
    assert_false(grz_relative_pose_make_both(&far, &other, &there, &back));
}

static void what_is_flattened_to_a_point_is_not_scaled(void **state)
{
    (void)state;
    const graze_pose nothing = graze_pose_translation(0, 0, 0), point = {{0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3}};
    const graze_mesh plain = {.exponent = 0}, large = {.exponent = 100};
    graze_pose a, b;
    int world = 7;
    assert_false(grz_scaled_poses(&large, &point, &plain, &nothing, &a, &b, &world));
    assert_false(grz_scaled_poses(&plain, &nothing, &large, &point, &a, &b, &world));
    assert_false(grz_scaled_poses(&plain, &nothing, &plain, NULL, &a, &b, &world));
    assert_int_equal(world, 7);
    assert_true(grz_scaled_poses(&large, &nothing, &plain, &nothing, &a, &b, &world));
    assert_int_equal(world, 50);
    assert_true(a.m[0] == 0x1p50 && b.m[0] == 0x1p-50);
}

static void leaves_are_seen_by_kernels_as_one_by_one(void **state)
{
    (void)state;
    test_random random = test_random_start("leaves_are_seen_by_kernels_as_one_by_one", 23);
    for (int round = 0; round < 2000; round++)
    {
        grz_tree_transform map = {.error = ldexp(1, -20 - random_below(&random, 60))};
        grz_triangles8 leaf = {.unit = ldexpf(1.25f, -16 - random_below(&random, 12))};
        for (int i = 0; i < 3; i++)
        {
            map.offset[i] = random_real(&random, -2, 2);
            leaf.centre[i] = (float)random_real(&random, -1, 1);
            for (int j = 0; j < 3; j++)
                map.matrix[i][j] = random_real(&random, -3, 3);
        }
        grz_leaf_placement expected;
        grz_leaf_transform turn;
        grz_corners8 seen;
        grz_leaf_placement_make(&map, &leaf, &expected);
        grz_leaf_transform_make(&map, &turn);
        grz_kernels_for(GRAZE_INSTRUCTIONS_BEST)->corners(&leaf, &turn, &seen);
        for (int k = 0; k < 4; k++)
        {
            assert_true(fabs(seen.centre[k] - expected.centre[k]) <= 0x1p-49);
            /* A thousandth more, and converted to float. */
            double error = 1.001 * expected.error[k];
            assert_true(fabs((double)seen.error[k] - error) <= 0x1p-22 * error);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_ways_are_as_near_as_claimed),
        cmocka_unit_test(what_is_no_rotation_is_not_taken_for_one),
        cmocka_unit_test(maps_between_trees_are_as_near_as_claimed),
        cmocka_unit_test(images_of_corners_are_as_near_as_claimed),
        cmocka_unit_test(maps_beyond_the_limit_are_refused),
        cmocka_unit_test(a_mesh_at_rest_is_one_at_the_identity),
        cmocka_unit_test(what_has_no_inverse_or_is_too_far_is_refused),
        cmocka_unit_test(what_is_flattened_to_a_point_is_not_scaled),
        cmocka_unit_test(leaves_are_seen_by_kernels_as_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
