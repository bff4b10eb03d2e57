/* SPDX-License-Identifier: MIT */
/*
 * The floating-point environment is the caller's: in every rounding mode, and with denormals flushed to zero where the
 * machine can do that, all answers are those of the oracle. Inputs are made, and answers compared, in the default
 * environment.
 */
#include <stdio.h>
#include <string.h>

#include "support/contacts.h"
#include "support/environment.h"
#include "support/oracle.h"
#include "support/signs.h"
#include "support/unit.h"

enum
{
    CASES_PER_GENERATOR = TEST_ROUNDS(60)
};

/* All answers of the library about a pair. */
typedef struct answers
{
    graze_triangle_contact contact;
    graze_intersection shared;
    graze_feature corner;
    bool segment;
    int handedness;
    sign_table signs;
} answers;

static void ask_library(const triangle_case *pair, answers *out)
{
    graze_placed_triangle a = case_triangle(pair, 0), b = case_triangle(pair, 1);
    graze_placed_point segment[2] = {{a.corners[0], a.pose}, {a.corners[1], a.pose}};
    out->contact = graze_triangle_collide(&a, &b);
    out->shared = graze_triangle_intersection(&a, &b);
    out->corner = graze_point_in_triangle(&segment[0], &b);
    out->segment = graze_segment_meets_triangle(segment, &b);
    out->handedness = graze_pose_handedness(&pair->poses[0]);
    signs_by_public(pair, &out->signs);
}

static void check_answers(oracle *judge, const triangle_case *pair, const answers *given, const answers *usual)
{
    graze_placed_triangle a = case_triangle(pair, 0), b = case_triangle(pair, 1);
    graze_placed_point segment[2] = {{a.corners[0], a.pose}, {a.corners[1], a.pose}};
    graze_triangle_contact contact = oracle_triangle_triangle(judge, &a, &b);
    sign_table signs;
    signs_by_oracle(judge, pair, &signs);
    bool right = contact_equal(&given->contact, &contact) && signs_differ(&given->signs, &signs) < 0 &&
                 given->corner == oracle_point_in_triangle(judge, &segment[0], &b) &&
                 given->segment == oracle_segment_meets_triangle(judge, segment, &b) &&
                 given->handedness == oracle_handedness(judge, &pair->poses[0]) &&
                 intersection_identical(&given->shared, &usual->shared);
    if (right)
        return;
    case_print(pair);
    contact_print("given   ", &given->contact);
    contact_print("expected", &contact);
    printf("first wrong sign %d\n", signs_differ(&given->signs, &signs));
    fail_msg("wrong in this environment");
}

static void every_environment_gives_the_same_answers(void **state)
{
    (void)state;
    test_random random = test_random_start("environments", 11);
    oracle *judge = oracle_create();
    for (int environment = 0; environment < ENVIRONMENTS; environment++)
    {
        printf("%s\n", environment_name(environment));
        for (size_t g = 0; g < generator_count; g++)
            for (int k = 0; k < CASES_PER_GENERATOR; k++)
            {
                triangle_case pair;
                answers given, usual;
                memset(&pair, 0, sizeof pair);
                generators[g].make(&random, &pair);
                ask_library(&pair, &usual);
                saved_environment saved;
                environment_enter(&saved, environment);
                ask_library(&pair, &given);
                environment_leave(&saved);
                check_answers(judge, &pair, &given, &usual);
            }
    }
    oracle_destroy(judge);
}

static void points_in_polygons_do_not_depend_on_the_environment(void **state)
{
    (void)state;
    /* A triangle of denormals: its interior and its border collapse when they are flushed. */
    static const double points[] = {0, 0, 0x8p-1074, 0, 0, 0x8p-1074};
    static const double queries[][2] = {{0x1p-1074, 0x1p-1074}, {0x4p-1074, 0x4p-1074}, {0x5p-1074, 0x4p-1074}};
    static const graze_location expected[] = {GRAZE_LOCATION_INSIDE, GRAZE_LOCATION_BOUNDARY, GRAZE_LOCATION_OUTSIDE};
    static const uint32_t loop = 3;
    for (int environment = 0; environment < ENVIRONMENTS; environment++)
        for (int i = 0; i < 3; i++)
        {
            saved_environment saved;
            environment_enter(&saved, environment);
            graze_location given = graze_point_in_polygon(queries[i], points, &loop, 1);
            environment_leave(&saved);
            assert_int_equal(given, expected[i]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_environment_gives_the_same_answers),
        cmocka_unit_test(points_in_polygons_do_not_depend_on_the_environment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
