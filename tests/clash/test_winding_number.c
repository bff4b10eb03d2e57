/* SPDX-License-Identifier: MIT */
/* The generalised winding number, and what is assumed of open parts with it. */
#include "clash/winding_number.h"

#include <math.h>
#include <stdio.h>

#include "base/random.h"
#include "graze/generate.h"
#include "graze/pair.h"
#include "support/unit.h"

#include "open_parts.h"

static void it_is_the_winding_number_of_a_closed_mesh(void **state)
{
    (void)state;
    unsigned long long seed = 9;
    printf("seed %llu\n", seed);
    grz_random random = grz_random_make(seed);
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create_torus(NULL, 6, 2, 24, 12, &mesh), GRAZE_STATUS_OK);
    grz_clash_part torus = ready_part(mesh);
    int inside = 0;
    for (int i = 0; i < 300; i++)
    {
        const double point[3] = {grz_random_between(&random, -8, 8), grz_random_between(&random, -8, 8),
                                 grz_random_between(&random, -2, 2)};
        graze_location location = GRAZE_LOCATION_OUTSIDE;
        assert_int_equal(graze_point_in_mesh(NULL, &torus.placed, point, NULL, &location), GRAZE_STATUS_OK);
        double expected = location == GRAZE_LOCATION_INSIDE ? 1 : 0;
        assert_true(fabs(grz_clash_winding_number(&torus, point) - expected) < 1e-9);
        inside += location == GRAZE_LOCATION_INSIDE;
    }
    assert_true(inside > 50 && inside < 250);
    release_part(&torus);
}

static void a_missing_face_takes_its_solid_angle(void **state)
{
    (void)state;
    grz_clash_part open = ready_part(box_without_lower_x(0, 0, 0, 10, 10, 10));
    const double centre[3] = {5, 5, 5};
    assert_true(fabs(grz_clash_winding_number(&open, centre) - 5.0 / 6) < 1e-12);
    release_part(&open);
}

static grz_clash_assumed assume(grz_clash_part *a, grz_clash_part *b)
{
    grz_clash_assumed one, other;
    assert_int_equal(grz_clash_assume_closed(NULL, a, b, &one), GRAZE_STATUS_OK);
    assert_int_equal(grz_clash_assume_closed(NULL, b, a, &other), GRAZE_STATUS_OK);
    assert_int_equal(one.overlap, other.overlap);
    assert_int_equal(one.a_in_b, other.b_in_a);
    assert_int_equal(one.b_in_a, other.a_in_b);
    release_part(a);
    release_part(b);
    return one;
}

/* The missing face is the one inside the other cube, so that the surfaces only touch. */
static void cubes_that_overlap_by_half_cross(void **state)
{
    (void)state;
    grz_clash_part cube = ready_part(box_between(0, 0, 0, 10, 10, 10));
    grz_clash_part open = ready_part(box_without_lower_x(5, 0, 0, 15, 10, 10));
    grz_clash_assumed assumed = assume(&cube, &open);
    assert_true(assumed.overlap && !assumed.a_in_b && !assumed.b_in_a);
    assert_true(assumed.point[0] > 5 && assumed.point[0] < 10);
}

static void a_part_in_an_open_box_is_contained(void **state)
{
    (void)state;
    grz_clash_part inner = ready_part(box_between(4, 4, 4, 5, 5, 5));
    grz_clash_part open = ready_part(box_without_lower_x(0, 0, 0, 10, 10, 10));
    grz_clash_assumed assumed = assume(&inner, &open);
    assert_true(assumed.overlap && assumed.a_in_b && !assumed.b_in_a);
}

/* A torus without some of its triangles; a small box in its tube, and one in its hole. */
static void large_parts_are_decided_as_small_ones(void **state)
{
    (void)state;
    for (int in_tube = 0; in_tube < 2; in_tube++)
    {
        graze_mesh *torus = NULL, *open = NULL;
        assert_int_equal(graze_mesh_create_torus(NULL, 6, 2, 24, 12, &torus), GRAZE_STATUS_OK);
        graze_mesh_def def = graze_mesh_def_default();
        def.vertices = graze_mesh_vertices(torus);
        def.vertex_count = graze_mesh_vertex_count(torus);
        def.corners = graze_mesh_triangles(torus);
        def.corner_count = 3 * (graze_mesh_triangle_count(torus) - 5);
        assert_int_equal(graze_mesh_create(NULL, &def, NULL, &open), GRAZE_STATUS_OK);
        graze_mesh_destroy(torus);
        grz_clash_part inner = ready_part(in_tube ? box_between(5.5, -0.5, -0.5, 6.5, 0.5, 0.5)
                                                  : box_between(-0.5, -0.5, -0.5, 0.5, 0.5, 0.5));
        grz_clash_part outer = ready_part(open);
        grz_clash_assumed assumed = assume(&inner, &outer);
        assert_int_equal(assumed.overlap, in_tube);
        assert_int_equal(assumed.a_in_b, in_tube);
    }
}

static void parts_that_touch_from_outside_do_not_overlap(void **state)
{
    (void)state;
    grz_clash_part beside = ready_part(box_between(10, 0, 0, 15, 10, 10));
    grz_clash_part open = ready_part(box_without_lower_x(0, 0, 0, 10, 10, 10));
    assert_false(assume(&beside, &open).overlap);
    grz_clash_part before = ready_part(box_between(-5, 0, 0, 0, 10, 10)); /* where the face is missing */
    open = ready_part(box_without_lower_x(0, 0, 0, 10, 10, 10));
    assert_false(assume(&before, &open).overlap);
}

static void the_same_solid_without_a_face_is_contained(void **state)
{
    (void)state;
    grz_clash_part whole = ready_part(box_between(0, 0, 0, 10, 10, 10));
    grz_clash_part open = ready_part(box_without_lower_x(0, 0, 0, 10, 10, 10));
    assert_true(assume(&whole, &open).overlap);
}

static void surfaces_have_no_inside(void **state)
{
    (void)state;
    grz_clash_part inner = ready_part(box_between(4, 4, 4, 5, 5, 5));
    grz_clash_part open = ready_part(box_without_lower_x(0, 0, 0, 10, 10, 10));
    open.is_surface = true;
    assert_false(assume(&inner, &open).overlap);
    inner = ready_part(box_between(4, 4, 4, 5, 5, 5));
    open = ready_part(box_without_lower_x(0, 0, 0, 10, 10, 10));
    inner.is_surface = true;
    assert_true(assume(&inner, &open).a_in_b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_the_winding_number_of_a_closed_mesh),
        cmocka_unit_test(a_missing_face_takes_its_solid_angle),
        cmocka_unit_test(cubes_that_overlap_by_half_cross),
        cmocka_unit_test(a_part_in_an_open_box_is_contained),
        cmocka_unit_test(large_parts_are_decided_as_small_ones),
        cmocka_unit_test(parts_that_touch_from_outside_do_not_overlap),
        cmocka_unit_test(the_same_solid_without_a_face_is_contained),
        cmocka_unit_test(surfaces_have_no_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
