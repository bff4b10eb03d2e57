/* SPDX-License-Identifier: MIT */
/*
 * Poses of shapes: which are refused; boxes around placed shapes contain them, by exact vertices and by numbers of more
 * digits than a double, and are tight; in every floating-point environment.
 */
#include "shape/placed.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "graze/generate.h"
#include "support/environment.h"
#include "support/unit.h"

enum
{
    SEED = 1811
};

static graze_pose random_rotation(grz_random *random)
{
    graze_pose pose;
    double wxyz[4], offset[3];
    for (int i = 0; i < 4; i++)
        wxyz[i] = grz_random_between(random, -1, 1);
    for (int i = 0; i < 3; i++)
        offset[i] = grz_random_between(random, -10, 10);
    assert_int_equal(graze_pose_from_quaternion(wxyz, offset, &pose), GRAZE_STATUS_OK);
    return pose;
}

/* ---- poses ---- */

static graze_status check(const graze_shape *shape, const graze_pose *pose)
{
    graze_placed placed = {shape, *pose};
    graze_box box;
    graze_status status = graze_placed_check(&placed);
    assert_int_equal(graze_placed_bounds(&placed, &box), status);
    return status;
}

static void round_kinds_take_rotations_and_mirrored_ones_only(void **state)
{
    (void)state;
    static const double size[3] = {1, 2, 3}, ends[2][3] = {{0, 0, 0}, {1, 0, 0}};
    graze_shape *shapes[7];
    assert_int_equal(graze_shape_create_box(NULL, size, &shapes[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_sphere(NULL, NULL, 0, &shapes[1]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_capsule(NULL, ends, 1, &shapes[2]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_rounded(NULL, shapes[0], 1, &shapes[3]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_cylinder(NULL, 1, 1, &shapes[4]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_cone(NULL, 1, 1, &shapes[5]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_ellipsoid(NULL, size, &shapes[6]), GRAZE_STATUS_OK);
    grz_random random = grz_random_make(SEED);
    for (int round = 0; round < 100; round++)
    {
        graze_pose pose = random_rotation(&random);
        int row = (int)grz_random_below(&random, 3), column = (int)grz_random_below(&random, 3);
        for (int k = 0; k < 3; k++)
            pose.m[4 * k + column] *= round % 2 == 0 ? 1 : -1;
        static const double changes[] = {0, 1e-10, 1e-7, 0.5, 1e200};
        for (size_t c = 0; c < 5; c++)
        {
            graze_pose changed = pose;
            changed.m[4 * row + column] += changes[c];
            assert_int_equal(check(shapes[0], &changed), GRAZE_STATUS_OK);
            for (int k = 1; k < 7; k++)
                assert_int_equal(check(shapes[k], &changed), c < 2 ? GRAZE_STATUS_OK : GRAZE_STATUS_NOT_RIGID);
        }
    }
    for (int k = 6; k >= 0; k--)
        graze_shape_destroy(shapes[k]);
}

/* The limit itself, on the diagonal and beside it. */
static void rotations_are_those_within_a_billionth(void **state)
{
    (void)state;
    for (int number = 0; number < ENVIRONMENTS; number++)
        for (int entry = 0; entry < 2; entry++)
        {
            graze_pose within = graze_pose_identity(), beyond = within;
            within.m[entry] += entry == 0 ? 4.99999e-10 : 0.99999e-9;
            beyond.m[entry] += entry == 0 ? 5.00001e-10 : 1.00001e-9;
            saved_environment saved;
            environment_enter(&saved, number);
            bool first = grz_pose_is_rigid(&within), second = grz_pose_is_rigid(&beyond);
            environment_leave(&saved);
            assert_true(first);
            assert_false(second);
        }
}

static void poses_that_are_not_finite_are_refused(void **state)
{
    (void)state;
    static const double size[3] = {1, 2, 3};
    graze_shape *box;
    assert_int_equal(graze_shape_create_box(NULL, size, &box), GRAZE_STATUS_OK);
    for (int i = 0; i < 12; i++)
    {
        graze_pose pose = graze_pose_identity();
        pose.m[i] = i % 2 == 0 ? NAN : INFINITY;
        assert_int_equal(check(box, &pose), GRAZE_STATUS_NOT_FINITE);
    }
    graze_shape_destroy(box);
}

/* Decided exactly: also where the determinant is far below the smallest double. */
static void half_spaces_need_a_pose_with_an_inverse(void **state)
{
    (void)state;
    static const double normal[3] = {0, 0, 1};
    graze_shape *half_space;
    assert_int_equal(graze_shape_create_half_space(NULL, normal, 1, &half_space), GRAZE_STATUS_OK);
    graze_pose flat = {{1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0}},
               tiny = {{1e-300, 0, 0, 7, 0, 1e-300, 0, 7, 0, 0, 1e-300, 7}};
    graze_pose nearly = flat;
    nearly.m[10] = nextafter(9, 10);
    assert_int_equal(check(half_space, &flat), GRAZE_STATUS_SINGULAR);
    assert_int_equal(check(half_space, &tiny), GRAZE_STATUS_OK);
    assert_int_equal(check(half_space, &nearly), GRAZE_STATUS_OK);
    graze_placed placed = {half_space, nearly};
    graze_box box;
    assert_int_equal(graze_placed_bounds(&placed, &box), GRAZE_STATUS_OK);
    for (int axis = 0; axis < 3; axis++)
        assert_true(box.lower[axis] == -INFINITY && box.upper[axis] == INFINITY);
    graze_shape_destroy(half_space);
}

/* A part's pose in the world counts: also where two that are no rotations make one. */
static void poses_of_parts_are_checked_in_the_world(void **state)
{
    (void)state;
    graze_shape *sphere, *compound, *nested;
    assert_int_equal(graze_shape_create_sphere(NULL, NULL, 1, &sphere), GRAZE_STATUS_OK);
    graze_pose half = {{0.5, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0.5, 1}}, twice = {{2, 0, 0, 3, 0, 2, 0, 0, 0, 0, 2, 0}};
    graze_placed part = {sphere, half};
    assert_int_equal(graze_shape_create_compound(NULL, &part, 1, &compound), GRAZE_STATUS_OK);
    graze_placed outer = {compound, graze_pose_translation(1, 0, 0)};
    assert_int_equal(graze_shape_create_compound(NULL, &outer, 1, &nested), GRAZE_STATUS_OK);
    graze_pose identity = graze_pose_identity(), huge = {{DBL_MAX, 0, 0, 0, 0, 1, 0, 0, 0, 0, DBL_MAX, DBL_MAX}};
    assert_int_equal(check(compound, &identity), GRAZE_STATUS_NOT_RIGID);
    assert_int_equal(check(compound, &twice), GRAZE_STATUS_OK);
    assert_int_equal(check(nested, &identity), GRAZE_STATUS_NOT_RIGID);
    assert_int_equal(check(nested, &twice), GRAZE_STATUS_OK);
    assert_int_equal(check(compound, &huge), GRAZE_STATUS_NOT_FINITE);
    graze_placed placed = {nested, twice};
    graze_box box;
    assert_int_equal(graze_placed_bounds(&placed, &box), GRAZE_STATUS_OK);
    static const double centre[3] = {5, 0, 2}; /* 2 (1, 0, 1) + (3, 0, 0) */
    for (int axis = 0; axis < 3; axis++)
    {
        assert_true(box.lower[axis] <= centre[axis] - 1 && box.lower[axis] > centre[axis] - 1 - 1e-13);
        assert_true(box.upper[axis] >= centre[axis] + 1 && box.upper[axis] < centre[axis] + 1 + 1e-13);
    }
    graze_shape_destroy(nested);
    graze_shape_destroy(compound);
    graze_shape_destroy(sphere);
}

/* ---- bounds ---- */

/* How far a shape reaches along a world axis, upward or downward, in long doubles. */
static long double reach(const graze_shape *shape, const graze_pose *pose, int axis, int sign)
{
    const double *row = pose->m + 4 * axis;
    long double r[3] = {sign * (long double)row[0], sign * (long double)row[1], sign * (long double)row[2]};
    long double most = -INFINITY, disk = sqrtl(r[0] * r[0] + r[1] * r[1]);
    const double *n = shape->numbers;
    if (shape->kind == GRAZE_SHAPE_CYLINDER)
        most = fabsl(r[2]) * n[0] / 2 + disk * n[1];
    else if (shape->kind == GRAZE_SHAPE_CONE)
        most = fmaxl(r[2] * n[0] / 2, -r[2] * n[0] / 2 + disk * n[1]);
    else if (shape->kind == GRAZE_SHAPE_ELLIPSOID)
        most = sqrtl(r[0] * r[0] * n[0] * n[0] + r[1] * r[1] * n[1] * n[1] + r[2] * r[2] * n[2] * n[2]);
    else
        for (size_t i = 0; i < shape->hull->vertex_count; i++)
        {
            const double *v = shape->hull->vertices[i];
            most = fmaxl(most, r[0] * v[0] + r[1] * v[1] + r[2] * v[2] + shape->radius);
        }
    return most + sign * (long double)row[3];
}

static graze_shape *random_shape(grz_random *random, graze_shape_kind kind, double scale, graze_shape **core)
{
    double numbers[3], points[10][3];
    graze_shape *shape = NULL;
    *core = NULL;
    for (int i = 0; i < 3; i++)
        numbers[i] = scale * (double)grz_random_below(random, 4) * grz_random_unit(random);
    for (int i = 0; i < 10; i++)
        for (int axis = 0; axis < 3; axis++)
            points[i][axis] = scale * grz_random_between(random, -1, 1);
    graze_status status = GRAZE_STATUS_OK;
    if (kind == GRAZE_SHAPE_CYLINDER)
        status = graze_shape_create_cylinder(NULL, numbers[0], numbers[1], &shape);
    else if (kind == GRAZE_SHAPE_CONE)
        status = graze_shape_create_cone(NULL, numbers[0], numbers[1], &shape);
    else if (kind == GRAZE_SHAPE_ELLIPSOID)
        status = graze_shape_create_ellipsoid(NULL, numbers, &shape);
    else if (kind == GRAZE_SHAPE_SPHERE)
        status = graze_shape_create_sphere(NULL, points[0], numbers[0], &shape);
    else if (kind == GRAZE_SHAPE_BOX)
        status = graze_shape_create_box(NULL, numbers, &shape);
    else
    {
        assert_int_equal(graze_shape_create_hull(NULL, points[0], 10, NULL, core), GRAZE_STATUS_OK);
        status = graze_shape_create_rounded(NULL, *core, numbers[0], &shape);
    }
    assert_int_equal(status, GRAZE_STATUS_OK);
    return shape;
}

/* An end lies outside of the real number, at most some roundings away from it. The long doubles have 2^-63 of relative
   error themselves; ends rounded inward would be 2^-53 away, and do not pass. */
static void check_end(double end, long double real, long double size)
{
    assert_true(end >= real - size * 0x1p-60L);
    assert_true(end <= real + size * 0x1p-46L);
}

static void boxes_contain_placed_shapes_and_are_tight(void **state)
{
    (void)state;
    static const graze_shape_kind kinds[] = {GRAZE_SHAPE_CYLINDER, GRAZE_SHAPE_CONE, GRAZE_SHAPE_ELLIPSOID,
                                             GRAZE_SHAPE_SPHERE,   GRAZE_SHAPE_BOX,  GRAZE_SHAPE_ROUNDED};
    static const double scales[] = {1, 1e-150, 1e150, 1e-290, 1e300};
    grz_random random = grz_random_make(SEED);
    printf("seed %d\n", SEED);
    for (int round = 0; round < TEST_ROUNDS(3000); round++)
    {
        graze_pose pose = random_rotation(&random);
        if (round % 5 == 0) /* quarter turns */
            for (int i = 0; i < 9; i++)
                pose.m[4 * (i / 3) + i % 3] = i % 3 == (i / 3 + round / 5) % 3 ? (round % 2 == 0 ? 1 : -1) : 0;
        double scale = scales[round % 7 < 5 ? round % 7 : 0];
        for (int i = 0; i < 3; i++)
            pose.m[4 * i + 3] *= scale;
        graze_shape *core, *shape = random_shape(&random, kinds[round % 6], scale, &core);
        graze_placed placed = {shape, pose};
        graze_box box;
        saved_environment saved;
        environment_enter(&saved, round % ENVIRONMENTS);
        graze_status status = graze_placed_bounds(&placed, &box);
        environment_leave(&saved);
        assert_int_equal(status, GRAZE_STATUS_OK);
        for (int axis = 0; axis < 3; axis++)
        {
            check_end(box.upper[axis], reach(shape, &pose, axis, 1), 20 * (long double)scale);
            check_end(-box.lower[axis], reach(shape, &pose, axis, -1), 20 * (long double)scale);
        }
        graze_shape_destroy(shape);
        graze_shape_destroy(core);
    }
}

/* Factors that count for zero where denormals are flushed. */
static void denormal_entries_of_poses_are_not_lost(void **state)
{
    (void)state;
    graze_shape *shapes[3];
    static const double radii[3] = {1e307, 1e307, 1e307};
    assert_int_equal(graze_shape_create_cylinder(NULL, 1e307, 0, &shapes[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_cone(NULL, 1e307, 0, &shapes[1]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_ellipsoid(NULL, radii, &shapes[2]), GRAZE_STATUS_OK);
    graze_pose pose = {{1, 0, 1e-309, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
    for (int number = 0; number < ENVIRONMENTS; number++)
        for (int k = 0; k < 3; k++)
        {
            graze_placed placed = {shapes[k], pose};
            graze_box box;
            saved_environment saved;
            environment_enter(&saved, number);
            graze_status status = graze_placed_bounds(&placed, &box);
            environment_leave(&saved);
            assert_int_equal(status, GRAZE_STATUS_OK);
            assert_true(box.upper[0] >= 0.005 * (1 - 1e-12));
            assert_true(box.lower[0] <= -0.005 * (1 - 1e-12));
        }
    for (int k = 0; k < 3; k++)
        graze_shape_destroy(shapes[k]);
}

static void boxes_beyond_the_range_are_infinite(void **state)
{
    (void)state;
    graze_shape *sphere, *box;
    static const double size[3] = {DBL_MAX, 1, 1};
    assert_int_equal(graze_shape_create_sphere(NULL, NULL, DBL_MAX, &sphere), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_box(NULL, size, &box), GRAZE_STATUS_OK);
    graze_placed placed[2] = {{sphere, graze_pose_translation(DBL_MAX, 0, 0)},
                              {box, {{4, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}}}};
    for (int i = 0; i < 2; i++)
    {
        graze_box bounds;
        assert_int_equal(graze_placed_bounds(&placed[i], &bounds), GRAZE_STATUS_OK);
        assert_true(bounds.upper[0] == INFINITY && bounds.lower[0] <= (i == 0 ? 0 : -DBL_MAX));
    }
    graze_shape_destroy(box);
    graze_shape_destroy(sphere);
}

static void boxes_of_polytopes_at_the_identity_are_exact(void **state)
{
    (void)state;
    static const double size[3] = {0.3, 1e-300, 7};
    graze_shape *shape;
    graze_box box;
    assert_int_equal(graze_shape_create_box(NULL, size, &shape), GRAZE_STATUS_OK);
    graze_placed placed = {shape, graze_pose_identity()};
    assert_int_equal(graze_placed_bounds(&placed, &box), GRAZE_STATUS_OK);
    for (int axis = 0; axis < 3; axis++)
        assert_true(box.lower[axis] == -size[axis] / 2 && box.upper[axis] == size[axis] / 2);
    graze_shape_destroy(shape);
}

static void meshes_and_large_hulls_get_the_box_of_their_box(void **state)
{
    (void)state;
    static double many[400][3];
    graze_shape *hull, *rounded, *surface, *nothing, *both;
    graze_mesh *mesh, *empty;
    graze_mesh_def def = graze_mesh_def_default();
    for (int i = 0; i < 400; i++)
    {
        many[i][0] = cos(i);
        many[i][1] = sin(i);
    }
    assert_int_equal(graze_shape_create_hull(NULL, many[0], 400, NULL, &hull), GRAZE_STATUS_OK);
    assert_int_equal(hull->hull->vertex_count, 400);
    assert_int_equal(graze_shape_create_rounded(NULL, hull, 3, &rounded), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 2, 4, 6, 1, &mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &empty), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_mesh(NULL, mesh, NULL, false, &surface), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_mesh(NULL, empty, NULL, false, &nothing), GRAZE_STATUS_OK);
    graze_placed placed[3] = {{rounded, graze_pose_translation(10, 0, 0)},
                              {surface, graze_pose_translation(10, 0, 0)},
                              {nothing, graze_pose_translation(10, 0, 0)}};
    assert_int_equal(graze_shape_create_compound(NULL, placed + 1, 2, &both), GRAZE_STATUS_OK);
    graze_box box;
    assert_int_equal(graze_placed_bounds(&placed[0], &box), GRAZE_STATUS_OK);
    assert_true(box.upper[0] >= 14 && box.upper[0] < 14 + 1e-12 && box.lower[2] <= -3 && box.lower[2] > -3 - 1e-12);
    assert_int_equal(graze_placed_bounds(&placed[2], &box), GRAZE_STATUS_OK);
    assert_true(box.upper[0] == -INFINITY && box.lower[0] == INFINITY);
    graze_placed compound = {both, graze_pose_translation(1, 0, 0)};
    assert_int_equal(graze_placed_bounds(&compound, &box), GRAZE_STATUS_OK);
    assert_true(box.upper[0] >= 12 && box.upper[0] < 12 + 1e-12 && box.lower[2] <= -3 && box.lower[2] > -3 - 1e-12);
    graze_shape_destroy(both);
    graze_shape_destroy(nothing);
    graze_shape_destroy(surface);
    graze_mesh_destroy(empty);
    graze_mesh_destroy(mesh);
    graze_shape_destroy(rounded);
    graze_shape_destroy(hull);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_kinds_take_rotations_and_mirrored_ones_only),
        cmocka_unit_test(rotations_are_those_within_a_billionth),
        cmocka_unit_test(poses_that_are_not_finite_are_refused),
        cmocka_unit_test(half_spaces_need_a_pose_with_an_inverse),
        cmocka_unit_test(poses_of_parts_are_checked_in_the_world),
        cmocka_unit_test(boxes_contain_placed_shapes_and_are_tight),
        cmocka_unit_test(denormal_entries_of_poses_are_not_lost),
        cmocka_unit_test(boxes_beyond_the_range_are_infinite),
        cmocka_unit_test(boxes_of_polytopes_at_the_identity_are_exact),
        cmocka_unit_test(meshes_and_large_hulls_get_the_box_of_their_box),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
