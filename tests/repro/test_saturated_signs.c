/* SPDX-License-Identifier: MIT */
/*
 * Products that overflow give the largest double instead of infinity when rounding goes toward zero, and denormals
 * times large numbers vanish when they are flushed: the handedness of a pose, oriented boxes and boxes of placed
 * triangles took the result for certain. The exact answer is expected in every environment.
 */
#include <math.h>
#include <stdio.h>

#include "exact/oriented_boxes.h"
#include "graze/pair.h"
#include "graze/search.h"
#include "support/environment.h"
#include "support/meshes.h"
#include "support/oracle.h"
#include "support/unit.h"

typedef struct handed
{
    const char *text;
    graze_pose pose;
} handed;

static const handed poses[] = {
    {"both products of a minor beyond the range",
     {{0x1p-900, 0x1p-900, 0, 0, 1, 0x1p600, 0x1p601, 0, 0, 0x1p599, 0x1.8p601, 0}}},
    {"one product beyond the range, another row makes up for it",
     {{0x1p-1000, 1, 0, 0, 0x1p-20, 0x1p800, 0, 0, 0, 0x1p700, 0x1p800, 0}}},
    {"a denormal that counts", {{1, 0x1p-960, 0, 0, 0x1p-30, 0x1p-1030, 0, 0, 0, 0, 0x1p1000, 0}}},
    {"a denormal that counts, mirrored", {{1, -0x1p-960, 0, 0, 0x1p-30, -0x1p-1030, 0, 0, 0, 0, 0x1p1000, 0}}},
    {"a denormal in the first row", {{0x1p-1040, 0x1p-30, 0, 0, 0x1p-300, 0x1p900, 0, 0, 0, 0, 0x1p200, 0}}},
};

static void handedness_is_that_of_real_numbers_in_every_environment(void **state)
{
    (void)state;
    oracle *judge = oracle_create();
    for (size_t i = 0; i < sizeof poses / sizeof *poses; i++)
    {
        int expected = oracle_handedness(judge, &poses[i].pose);
        for (int environment = 0; environment < ENVIRONMENTS; environment++)
        {
            saved_environment saved;
            environment_enter(&saved, environment);
            int given = graze_pose_handedness(&poses[i].pose);
            environment_leave(&saved);
            if (given != expected)
                fail_msg("%s (%s): %d, not %d", poses[i].text, environment_name(environment), given, expected);
        }
    }
    oracle_destroy(judge);
}

typedef struct slanted
{
    const char *text;
    double centres[2][3], axes[2][3][3];
    bool meet;
} slanted;

/* Long edges, and a denormal one whose product with them decides whether the boxes are disjoint. */
static const slanted boxes[] = {
    {"flat boxes in planes that a denormal tilts",
     {{0, 0, 0}, {0, 0x1p500, 0}},
     {{{0x1p1000, 0x1p-1030, 0}, {0, 0, 1}, {0, 0, 0}}, {{0x1p1000, 0x1p-1030, 0}, {0, 0, 1}, {0, 0, 0}}},
     false},
    {"a denormal edge that reaches", {{0, 0, 0}, {0x1p-1040, 0, 0}}, {{{0x1p-1040, 0, 0}}, {{0}}}, true},
    {"a denormal edge that just does not reach", {{0, 0, 0}, {0x1p-1040, 0, 0}}, {{{0x1p-1041, 0, 0}}, {{0}}}, false},
    {"equal but for a denormal", {{0, 0, 0}, {0x1p-1070, 0, 0}}, {{{0}}, {{0}}}, false},
    {"long ones beside each other",
     {{0, 0, 0}, {0, 0x1p602, 0}},
     {{{0x1p600, 0x1p600, 0}, {0, 0, 0x1p300}, {0, 0, 0}}, {{0x1p600, 0x1p600, 0}, {0, 0, 0x1p300}, {0, 0, 0}}},
     false},
    {"a product beyond the range",
     {{0, 0, 0}, {0x1.8p200, 0x1.8p1000, 0}},
     {{{0x1p200, 0, 0}, {0, 0x1p1000, 0}, {0, 0, 0x1p1000}}, {{0x1p199, 0x1p999, 0}, {0, 0, 0x1p1000}, {0, 0, 0}}},
     true},
};

static void boxes_meet_as_real_numbers_say_in_every_environment(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++)
        for (int environment = 0; environment < ENVIRONMENTS; environment++)
        {
            saved_environment saved;
            environment_enter(&saved, environment);
            grz_oriented_box a = grz_oriented_box_from_axes(boxes[i].centres[0], boxes[i].axes[0]);
            grz_oriented_box b = grz_oriented_box_from_axes(boxes[i].centres[1], boxes[i].axes[1]);
            bool given = grz_oriented_boxes_overlap(&a, &b, NULL), swapped = grz_oriented_boxes_overlap(&b, &a, NULL);
            environment_leave(&saved);
            if (given != boxes[i].meet || swapped != boxes[i].meet)
                fail_msg("%s (%s)", boxes[i].text, environment_name(environment));
        }
}

/* Three denormal entries times the largest vertices sum up to nearly 12, the position of the other triangle. */
static void denormal_poses_of_huge_meshes_lose_no_contact(void **state)
{
    (void)state;
    const double tiny = 0x0.fffffffp-1022, huge = 0x1.fffffp1023;
    static test_mesh parts[2];
    for (int i = 0; i < 2; i++)
        mesh_add_triangle(&parts[i], 0, 1, 2);
    mesh_add_vertex(&parts[0], huge, huge, huge);
    mesh_add_vertex(&parts[0], huge, huge, 0.99 * huge);
    mesh_add_vertex(&parts[0], huge, 0.99 * huge, huge);
    mesh_add_vertex(&parts[1], 11, 0, 0);
    mesh_add_vertex(&parts[1], 12, 1, 0);
    mesh_add_vertex(&parts[1], 12, -1, 0);
    graze_mesh *meshes[2] = {mesh_create(&parts[0]), mesh_create(&parts[1])};
    graze_placed_mesh a = {meshes[0], NULL, {{tiny, tiny, tiny, 0, 0, 0, 0, 0, 0, 0, 0, 0}}};
    graze_placed_mesh b = {meshes[1], NULL, graze_pose_identity()};
    for (int environment = 0; environment < ENVIRONMENTS; environment++)
    {
        graze_pair_counts counts;
        saved_environment saved;
        environment_enter(&saved, environment);
        graze_status status = graze_pair_count(NULL, &a, &b, NULL, &counts);
        graze_search *search = NULL;
        graze_status created = graze_search_create(NULL, &a, &b, GRAZE_SEARCH_ANY, NULL, &search);
        graze_search_state before = graze_search_examine(search);
        environment_leave(&saved);
        graze_search_destroy(search);
        assert_int_equal(status, GRAZE_STATUS_OK);
        assert_int_equal(created, GRAZE_STATUS_OK);
        if (before.distance_lower_bound > 0)
            fail_msg("%s: %g apart", environment_name(environment), before.distance_lower_bound);
        if (counts.pairs != 1)
            fail_msg("%s: %d pairs", environment_name(environment), (int)counts.pairs);
    }
    graze_mesh_destroy(meshes[0]);
    graze_mesh_destroy(meshes[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(handedness_is_that_of_real_numbers_in_every_environment),
        cmocka_unit_test(boxes_meet_as_real_numbers_say_in_every_environment),
        cmocka_unit_test(denormal_poses_of_huge_meshes_lose_no_contact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
