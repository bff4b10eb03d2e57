/* SPDX-License-Identifier: MIT */
/*
 * The floating-point environment is the caller's: in every rounding mode, and with denormals flushed to zero where the
 * machine can do that, all answers are those of the oracle. Inputs are made, and answers compared, in the default
 * environment.
 */
#include <fenv.h>
#include <stdio.h>
#include <string.h>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#include "support/contacts.h"
#include "support/oracle.h"
#include "support/signs.h"
#include "support/unit.h"

enum
{
    CASES_PER_GENERATOR = 150,
    PLAIN = 0,
    FLUSHING = 1 /* results to zero (bit 15 of MXCSR) and operands as zero (bit 6) */
};

static const int rounding_modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
static const char *const rounding_names[] = {"to nearest", "upward", "downward", "toward zero"};

typedef struct saved_environment
{
    fenv_t floating;
    unsigned control;
} saved_environment;

static void enter(saved_environment *saved, int rounding, int flushing)
{
    fegetenv(&saved->floating);
    fesetround(rounding);
#if defined(__SSE2__)
    saved->control = _mm_getcsr();
    if (flushing == FLUSHING)
        _mm_setcsr(saved->control | 0x8040u);
#else
    saved->control = 0;
    (void)flushing;
#endif
}

static void leave(const saved_environment *saved)
{
#if defined(__SSE2__)
    _mm_setcsr(saved->control);
#endif
    fesetenv(&saved->floating);
}

/* Everything the library says about a pair. */
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
    out->contact = graze_triangle_triangle(&a, &b);
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

static void run_environment(int mode, int flushing)
{
    test_random random = test_random_start(rounding_names[mode], 11 + (uint64_t)mode);
    printf("rounding %s, %s\n", rounding_names[mode], flushing == FLUSHING ? "denormals flushed" : "denormals kept");
    oracle *judge = oracle_create();
    for (size_t g = 0; g < generator_count; g++)
        for (int k = 0; k < CASES_PER_GENERATOR; k++)
        {
            triangle_case pair;
            answers given, usual;
            memset(&pair, 0, sizeof pair);
            generators[g].make(&random, &pair);
            ask_library(&pair, &usual);
            saved_environment saved;
            enter(&saved, rounding_modes[mode], flushing);
            ask_library(&pair, &given);
            leave(&saved);
            check_answers(judge, &pair, &given, &usual);
        }
    oracle_destroy(judge);
}

static void every_rounding_mode_gives_the_same_answers(void **state)
{
    (void)state;
    for (int mode = 0; mode < 4; mode++)
        run_environment(mode, PLAIN);
}

static void flushing_denormals_to_zero_changes_no_answer(void **state)
{
    (void)state;
#if !defined(__SSE2__)
    skip();
#endif
    for (int mode = 0; mode < 4; mode++)
        run_environment(mode, FLUSHING);
}

static void points_in_polygons_do_not_depend_on_the_environment(void **state)
{
    (void)state;
    /* A triangle of denormals: its inside and its border collapse when they are flushed. */
    static const double points[] = {0, 0, 0x8p-1074, 0, 0, 0x8p-1074};
    static const double queries[][2] = {{0x1p-1074, 0x1p-1074}, {0x4p-1074, 0x4p-1074}, {0x5p-1074, 0x4p-1074}};
    static const graze_location expected[] = {GRAZE_LOCATION_INSIDE, GRAZE_LOCATION_BOUNDARY, GRAZE_LOCATION_OUTSIDE};
    static const uint32_t loop = 3;
    for (int mode = 0; mode < 4; mode++)
        for (int i = 0; i < 3; i++)
        {
            saved_environment saved;
            enter(&saved, rounding_modes[mode], FLUSHING);
            graze_location given = graze_point_in_polygon(queries[i], points, &loop, 1);
            leave(&saved);
            assert_int_equal(given, expected[i]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_rounding_mode_gives_the_same_answers),
        cmocka_unit_test(flushing_denormals_to_zero_changes_no_answer),
        cmocka_unit_test(points_in_polygons_do_not_depend_on_the_environment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
