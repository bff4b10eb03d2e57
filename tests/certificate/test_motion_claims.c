/* SPDX-License-Identifier: MIT */
/*
 * What a certificate says of itself: motions that it may have, number by number, and as they are kept; its facts;
 * certificates for which there is no memory.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "certificate/certificate.h"
#include "graze/certificate.h"
#include "support/certificates.h"
#include "support/failing_allocator.h"
#include "support/unit.h"

static graze_motion turn_of(graze_motion_kind kind)
{
    graze_motion m;
    memset(&m, 0, sizeof m);
    m.kind = kind;
    for (int i = 0; i < 2; i++)
        m.quaternion[i][0] = 1;
    for (int i = 0; i < 9; i++)
        m.path[i / 3][i % 3] = i;
    m.start = m.end = graze_pose_identity();
    return m;
}

/* Each number in turn is not finite: refused where the motion has it, and not looked at where it has not. */
static void every_number_of_a_motion_is_finite(void **state)
{
    (void)state;
    static const graze_motion_kind kinds[4] = {GRAZE_MOTION_STILL, GRAZE_MOTION_BLEND, GRAZE_MOTION_TURN,
                                               GRAZE_MOTION_BALLISTIC_TURN};
    static const double bad[3] = {NAN, INFINITY, -INFINITY};
    for (int k = 0; k < 4; k++)
    {
        graze_motion m = turn_of(kinds[k]);
        assert_null(grz_certificate_motion_flaw(&m));
        double *const groups[5] = {m.start.m, m.end.m, m.quaternion[0], m.centre, m.path[0]};
        static const int sizes[5] = {12, 12, 8, 3, 9};
        static const int used[4][5] = {{12, 0, 0, 0, 0}, {12, 12, 0, 0, 0}, {0, 0, 8, 3, 6}, {0, 0, 8, 3, 9}};
        for (int group = 0; group < 5; group++)
            for (int i = 0; i < sizes[group]; i++)
            {
                double old = groups[group][i];
                groups[group][i] = bad[i % 3];
                const char *flaw = grz_certificate_motion_flaw(&m);
                assert_int_equal(flaw != NULL, i < used[k][group]);
                groups[group][i] = old;
                assert_null(grz_certificate_motion_flaw(&m));
            }
    }
}

static void quaternions_are_not_zero_and_not_opposite(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 4; k++)
        {
            graze_motion m = turn_of(GRAZE_MOTION_TURN);
            m.quaternion[i][0] = 0;
            assert_non_null(grz_certificate_motion_flaw(&m)); /* zero */
            m.quaternion[i][k] = 0x1p-1074;
            assert_null(grz_certificate_motion_flaw(&m)); /* an inner product of 0, or above */
            m.quaternion[i][0] -= 0x1p-1074;
            m.quaternion[1 - i][0] = 0x1p-1074;
            assert_int_equal(grz_certificate_motion_flaw(&m) != NULL, true); /* zero again, or opposite */
        }
    graze_motion m = turn_of(GRAZE_MOTION_TURN);
    m.quaternion[1][0] = -1;
    assert_non_null(grz_certificate_motion_flaw(&m));
    m.kind = (graze_motion_kind)77;
    assert_non_null(grz_certificate_motion_flaw(&m));
}

/* Numbers that a motion has are kept, others are 0, and no zero has a sign. */
static void motions_are_kept_as_they_are(void **state)
{
    (void)state;
    graze_motion m = turn_of(GRAZE_MOTION_TURN);
    m.centre[0] = -0.0;
    m.centre[2] = 7;
    m.quaternion[1][3] = -2;
    graze_motion kept = grz_certificate_motion(&m), all = grz_certificate_motion(&kept);
    assert_memory_equal(&kept, &all, sizeof kept);
    assert_memory_equal(kept.quaternion, m.quaternion, sizeof m.quaternion);
    assert_true(kept.centre[0] == 0 && !signbit(kept.centre[0]) && kept.centre[1] == 0 && kept.centre[2] == 7);
    for (int i = 0; i < 9; i++)
        assert_true(kept.path[i / 3][i % 3] == (i < 6 ? i : 0));
    for (int i = 0; i < 12; i++)
        assert_true(kept.start.m[i] == 0 && !signbit(kept.start.m[i]) && kept.end.m[i] == 0);
    m.kind = GRAZE_MOTION_BALLISTIC_TURN;
    kept = grz_certificate_motion(&m);
    for (int i = 0; i < 9; i++)
        assert_true(kept.path[i / 3][i % 3] == i);
    m.kind = GRAZE_MOTION_BLEND;
    kept = grz_certificate_motion(&m);
    assert_memory_equal(kept.end.m, m.end.m, sizeof m.end.m);
    assert_true(kept.quaternion[0][0] == 0 && kept.path[0][1] == 0);
    m.kind = GRAZE_MOTION_STILL;
    kept = grz_certificate_motion(&m);
    assert_true(kept.start.m[5] == 1 && kept.end.m[5] == 0);
}

static void facts_are_those_of_the_certificate(void **state)
{
    (void)state;
    moving_pair pair = moving_gears(0.02, 0, 24);
    graze_certificate_facts facts;
    graze_certificate *certificate;
    char text[65];
    size_t size, taken;
    unsigned char *bytes = proof_of(&pair, 0.005, &size);
    assert_int_equal(graze_certificate_load(NULL, bytes, size, NULL, &certificate, &taken), GRAZE_STATUS_OK);
    assert_int_equal(graze_certificate_describe(NULL, &facts), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_certificate_describe(certificate, NULL), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_mesh_sha256(NULL, text), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_mesh_sha256(pair.meshes[0], NULL), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_certificate_describe(certificate, &facts), GRAZE_STATUS_OK);
    assert_true(facts.triangles_a == graze_mesh_triangle_count(pair.meshes[0]));
    assert_true(facts.triangles_b == graze_mesh_triangle_count(pair.meshes[1]));
    assert_memory_equal(&facts.motion_a, &certificate->sides[0].motion, sizeof facts.motion_a);
    assert_memory_equal(&facts.motion_b, &certificate->sides[1].motion, sizeof facts.motion_b);
    /* A binary tree: one plane more than there are splits. */
    assert_true(facts.cells > 10 && facts.planes == (facts.cells + 1) / 2);
    assert_int_equal(graze_mesh_sha256(pair.meshes[0], text), GRAZE_STATUS_OK);
    assert_string_equal(text, facts.sha256_a);
    for (int i = 0; i < 64; i++)
        assert_non_null(strchr("0123456789abcdef", text[i]));
    assert_int_equal(strlen(text), 64);
    graze_certificate_destroy(certificate);
    free(bytes);
    moving_pair_release(&pair);
}

static void there_is_no_certificate_without_memory(void **state)
{
    (void)state;
    const size_t counts[2] = {4, 5};
    for (size_t allowed = 0; allowed <= 3; allowed++)
    {
        failing_allocator allocator = {.allowed = allowed, .once = true};
        graze_context context = failing_allocator_context(&allocator);
        graze_certificate *certificate = grz_certificate_make(&context, counts);
        assert_int_equal(certificate != NULL, allowed == 3);
        graze_certificate_destroy(certificate);
        assert_int_equal(allocator.live, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_of_a_motion_is_finite),
        cmocka_unit_test(quaternions_are_not_zero_and_not_opposite),
        cmocka_unit_test(motions_are_kept_as_they_are),
        cmocka_unit_test(facts_are_those_of_the_certificate),
        cmocka_unit_test(there_is_no_certificate_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
