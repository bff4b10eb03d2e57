/* SPDX-License-Identifier: MIT */
/*
 * Contacts of convex shapes a hair apart, whose closest points give no direction in doubles: there were none, whatever
 * the margin was, where the search for that direction ended at once.
 */
#include <math.h>

#include "graze/graze.h"
#include "support/generators.h"
#include "support/random_shapes.h"
#include "support/unit.h"

static size_t count_contacts(const graze_placed *a, const graze_placed *b, double margin, graze_shape_manifold *out)
{
    graze_shape_contact_options options = graze_shape_contact_options_default();
    size_t count = 0;
    options.margin = margin;
    assert_int_equal(graze_shape_pair_contacts(NULL, a, b, &options, out, 1, &count), GRAZE_STATUS_OK);
    return count;
}

/* An edge and a corner, 2.2e-13 apart. */
static void an_edge_over_a_corner_has_a_contact(void **state)
{
    (void)state;
    static const double corners[2][3][3] = {{{1, 3, 1}, {3, 1, 2}, {1, 2, 1}}, {{1, -1, -3}, {-3, -1, -3}, {0, -2, 0}}};
    static const graze_pose poses[2] = {
        {{0x1.ffffffcd2fdc3p-1, -0x1.e7a186937b2e8p-22, -0x1.c8357e074abf7p-14, -0x1.7404ed1e017ap-16,
          0x1.00bac5e2ae47cp-21, 0x1.ffffff2df0accp-1, 0x1.cfc9ffd9351b8p-13, 0x1.3573a040ff97cp-18,
          0x1.c83561b0afea7p-14, -0x1.cfca06d1372d1p-13, 0x1.fffffefb21034p-1, -0x1.7ffbb5c41b5d5p+1}},
        {{0x1.ffffffa63df12p-1, 0x1.1fab9da1b9b2bp-16, 0x1.2d07bced6c14bp-13, 0x1.7ff940ddcfe09p+1,
          -0x1.1f4fff8d3ab1dp-16, 0x1.ffffff9fe4039p-1, -0x1.37a690818a687p-13, 0x1.800eb0a2a2456p+1,
          -0x1.2d091ae99256cp-13, 0x1.37a53e712922dp-13, 0x1.ffffff48a7ab7p-1, -0x1.ffba1c11a22dp-1}}};
    graze_placed placed[2];
    graze_shape *shapes[2];
    graze_shape_manifold manifold;
    for (int side = 0; side < 2; side++)
    {
        assert_int_equal(graze_shape_create_triangle(NULL, corners[side], &shapes[side]), GRAZE_STATUS_OK);
        placed[side] = (graze_placed){shapes[side], poses[side]};
    }
    for (double margin = 1; margin > 1e-11; margin /= 10)
    {
        assert_int_equal(count_contacts(&placed[0], &placed[1], margin, &manifold), 1);
        assert_true(fabs(manifold.contacts.points[0].gap) < 1e-11);
        assert_int_equal(count_contacts(&placed[1], &placed[0], margin, &manifold), 1);
    }
    graze_shape_destroy(shapes[0]);
    graze_shape_destroy(shapes[1]);
}

/* Random triangles, segments and hulls, moved together. */
static void shapes_a_hair_apart_have_contacts(void **state)
{
    (void)state;
    static const graze_shape_kind kinds[] = {GRAZE_SHAPE_TRIANGLE, GRAZE_SHAPE_SEGMENT, GRAZE_SHAPE_HULL};
    test_random random = test_random_start("contacts of tiny gaps", 31);
    unsigned tiny = 0;
    for (unsigned round = 0; round < TEST_ROUNDS(600u); round++)
    {
        random_shape shapes[2];
        graze_placed placed[2];
        graze_shape_distance distance;
        graze_shape_manifold manifold;
        for (int side = 0; side < 2; side++)
        {
            random_shape_make(&random, kinds[random_below(&random, 3)], &shapes[side]);
            placed[side] = (graze_placed){shapes[side].shape, random_rotation(&random)};
        }
        for (int k = 0; k < 3; k++)
            placed[1].pose.m[4 * k + 3] = random_real(&random, -8, 8);
        double left = ldexp(1, -random_between(&random, 30, 48));
        for (int i = 0; i < 2; i++)
        {
            assert_int_equal(graze_shape_pair_distance(NULL, &placed[0], &placed[1], NULL, &distance), GRAZE_STATUS_OK);
            for (int k = 0; k < 3 && i == 0; k++)
                placed[1].pose.m[4 * k + 3] -= (distance.point_b[k] - distance.point_a[k]) * (1 - left);
        }
        if (distance.lower > 0 && distance.upper < 1e-8)
        {
            tiny++;
            assert_int_equal(count_contacts(&placed[0], &placed[1], 1e-3, &manifold), 1);
            assert_true(fabs(manifold.contacts.points[0].gap) < 1e-6);
        }
        random_shape_clear(&shapes[0]);
        random_shape_clear(&shapes[1]);
    }
    print_message("%u pairs with tiny gaps\n", tiny);
    assert_true(tiny > TEST_ROUNDS(600u) / 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_edge_over_a_corner_has_a_contact),
        cmocka_unit_test(shapes_a_hair_apart_have_contacts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
