/* SPDX-License-Identifier: MIT */
/* Certificates of clearance: what is proved, what is refused, and that both checkers agree. */
#include "graze/certificate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graze/generate.h"
#include "graze/io.h"
#include "support/certificates.h"
#include "support/tool_process.h"
#include "support/unit.h"

static graze_motion still_at(double x, double y, double z)
{
    graze_motion motion;
    graze_pose pose = graze_pose_translation(x, y, z);
    assert_int_equal(graze_motion_still(&pose, &motion), GRAZE_STATUS_OK);
    return motion;
}

static graze_motion blend_along(const double from[3], const double to[3])
{
    graze_motion motion = still_at(from[0], from[1], from[2]);
    motion.kind = GRAZE_MOTION_BLEND;
    motion.end = graze_pose_translation(to[0], to[1], to[2]);
    return motion;
}

static void a_pair_of_gears_is_proved_clear_over_a_turn(void **state)
{
    (void)state;
    enum
    {
        PARTS = 12
    };
    for (int part = 0; part < TEST_ROUNDS(PARTS); part++)
    {
        moving_pair gears = moving_gears(0.02, part, PARTS);
        size_t size;
        unsigned char *bytes = proof_of(&gears, 0.005, &size);
        assert_true(proof_is_valid(bytes, size, &gears));
        free(bytes);
        moving_pair_release(&gears);
    }
}

static void gears_that_jam_are_not_proved_clear(void **state)
{
    (void)state;
    moving_pair gears = moving_gears(0.02, 0, 12);
    gears.moving[1].motion.path[0][0] -= 0.0625; /* too near, so that tips touch roots */
    gears.moving[1].motion.path[1][1] = 0.25;    /* and flanks, in the end */
    graze_prove_failure failure = {GRAZE_PROVE_STARTED, 0, 0, 0, 0};
    graze_prove_stats stats;
    graze_prove_options options = graze_prove_options_default();
    options.failure = &failure;
    options.stats = &stats;
    graze_certificate *certificate = NULL;
    assert_int_equal(graze_pair_prove_clear(NULL, &gears.moving[0], &gears.moving[1], 0, &options, &certificate),
                     GRAZE_STATUS_UNFINISHED);
    assert_null(certificate);
    assert_int_equal(failure.reason, GRAZE_PROVE_TOO_NEAR);
    assert_true(failure.lower >= 0 && failure.lower < failure.upper && failure.upper <= 1);
    assert_true(stats.pairs > 0);
    moving_pair_release(&gears);
}

/* A ball between two sheets would pass from one end to the other between two frames. */
static void what_meets_only_between_the_ends_is_not_proved(void **state)
{
    (void)state;
    moving_pair pair = moving_boxes();
    const double from[3] = {-3, 0.25, 0}, to[3] = {3, 0.25, 0};
    pair.moving[0].motion = blend_along(from, to);
    graze_prove_failure failure;
    graze_prove_options options = graze_prove_options_default();
    options.failure = &failure;
    graze_certificate *certificate = NULL;
    assert_int_equal(graze_pair_prove_clear(NULL, &pair.moving[0], &pair.moving[1], 0, &options, &certificate),
                     GRAZE_STATUS_UNFINISHED);
    assert_int_equal(failure.reason, GRAZE_PROVE_TOO_NEAR);
    moving_pair_release(&pair);
}

static bool proves(const moving_pair *pair, double clearance)
{
    graze_certificate *certificate = NULL;
    graze_status status =
        graze_pair_prove_clear(NULL, &pair->moving[0], &pair->moving[1], clearance, NULL, &certificate);
    assert_true(status == GRAZE_STATUS_OK || status == GRAZE_STATUS_UNFINISHED);
    graze_certificate_destroy(certificate);
    return status == GRAZE_STATUS_OK;
}

static void a_clearance_is_proved_up_to_the_distance_itself(void **state)
{
    (void)state;
    moving_pair pair = moving_boxes();
    pair.moving[1].motion = still_at(0, 0, 0);
    pair.moving[0].motion = still_at(1.5, 0, 0);
    assert_true(proves(&pair, 0.5));
    assert_false(proves(&pair, nextafter(0.5, 1)));
    const double from[3] = {1.5, -4, 0.25}, to[3] = {1.5, 4, 0};
    pair.moving[0].motion = blend_along(from, to);
    assert_true(proves(&pair, 0.5));
    assert_false(proves(&pair, nextafter(0.5, 1)));
    pair.moving[0].motion = still_at(1, 0, 0); /* touching */
    assert_false(proves(&pair, 0));
    pair.moving[0].motion = still_at(nextafter(1, 2), 0, 0);
    assert_true(proves(&pair, 0));
    moving_pair_release(&pair);
}

/* Boxes whose exact distance is 1, a plane in the world, and everything that may be exact about it. */
static void the_last_bit_of_a_claim_is_checked(void **state)
{
    (void)state;
    moving_pair pair = moving_boxes();
    pair.moving[0].motion = still_at(0, 0, 0);
    pair.moving[1].motion = still_at(2, 0, 0);
    size_t size;
    unsigned char *bytes = proof_of(&pair, 1, &size);
    assert_true(proof_is_valid(bytes, size, &pair));
    double clearance = nextafter(1, 2);
    memcpy(bytes + 496, &clearance, 8);
    proof_seal(bytes, size);
    assert_false(proof_is_valid(bytes, size, &pair));
    clearance = 1;
    memcpy(bytes + 496, &clearance, 8);
    double deviation = 0x1p-1074; /* the sum counts, not its rounding */
    memcpy(bytes + 56, &deviation, 8);
    proof_seal(bytes, size);
    assert_false(proof_is_valid(bytes, size, &pair));
    free(bytes);
    moving_pair_release(&pair);
}

static void deviations_are_part_of_the_distance(void **state)
{
    (void)state;
    moving_pair pair = moving_boxes();
    pair.moving[0].motion = still_at(0, 0, 0);
    pair.moving[1].motion = still_at(2, 0, 0);
    graze_prove_options options = graze_prove_options_default();
    graze_certificate *certificate = NULL;
    graze_certificate_facts facts;
    options.deviation_a = 0.25;
    options.deviation_b = 0.5;
    assert_int_equal(graze_pair_prove_clear(NULL, &pair.moving[0], &pair.moving[1], 0.375, &options, &certificate),
                     GRAZE_STATUS_UNFINISHED);
    assert_int_equal(graze_pair_prove_clear(NULL, &pair.moving[0], &pair.moving[1], 0.25, &options, &certificate),
                     GRAZE_STATUS_OK);
    assert_int_equal(graze_certificate_describe(certificate, &facts), GRAZE_STATUS_OK);
    assert_true(facts.clearance == 0.25 && facts.deviation_a == 0.25 && facts.deviation_b == 0.5);
    assert_int_equal(facts.planes, 1);
    graze_certificate_destroy(certificate);
    moving_pair_release(&pair);
}

/* Every kind of motion against every other, seen from every frame. */
static void motions_of_all_kinds_are_proved(void **state)
{
    (void)state;
    const double from[3] = {0.25, -1, 3}, to[3] = {-0.25, 1, 3};
    graze_motion turn = still_at(0, 0, 0), motions[4];
    turn.kind = GRAZE_MOTION_TURN;
    turn.quaternion[0][0] = turn.quaternion[1][0] = turn.quaternion[1][1] = 1;
    turn.quaternion[1][2] = 0.5;
    turn.centre[0] = 0.5;
    turn.path[0][2] = turn.path[2][2] = 3;
    turn.path[1][0] = 1;
    motions[0] = still_at(0, 0, 3);
    motions[1] = blend_along(from, to);
    motions[2] = motions[3] = turn;
    motions[3].kind = GRAZE_MOTION_BALLISTIC_TURN;
    moving_pair pair = moving_boxes();
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++)
        {
            pair.moving[0].motion = motions[i];
            pair.moving[1].motion = motions[k];
            graze_motion *other = &pair.moving[1].motion; /* 3 below */
            other->start.m[11] -= 3;
            other->end.m[11] -= 3;
            other->path[0][2] -= 3;
            other->path[2][2] *= -1;
            size_t size;
            unsigned char *bytes = proof_of(&pair, 0.125, &size);
            assert_true(proof_is_valid(bytes, size, &pair));
            free(bytes);
        }
    moving_pair_release(&pair);
}

static void meshes_without_triangles_need_no_cells(void **state)
{
    (void)state;
    moving_pair pair = moving_boxes();
    graze_mesh *empty;
    graze_mesh_def def = graze_mesh_def_default();
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &empty), GRAZE_STATUS_OK);
    graze_mesh_destroy(pair.meshes[1]);
    pair.meshes[1] = empty;
    pair.moving[1].mesh = empty;
    size_t size;
    unsigned char *bytes = proof_of(&pair, 5, &size);
    assert_true(proof_is_valid(bytes, size, &pair));
    assert_int_equal(bytes[520], 0);
    free(bytes);
    moving_pair_release(&pair);
}

static bool cancel(void *user, double share)
{
    (void)user;
    (void)share;
    return false;
}

static void budgets_end_proofs_and_checks(void **state)
{
    (void)state;
    moving_pair gears = moving_gears(0.02, 0, 12);
    graze_prove_failure failure = {GRAZE_PROVE_STARTED, 0, 0, 0, 0};
    graze_prove_options options = graze_prove_options_default();
    graze_certificate *certificate = NULL;
    options.failure = &failure;
    options.budget.box_tests = 100;
    assert_int_equal(graze_pair_prove_clear(NULL, &gears.moving[0], &gears.moving[1], 0, &options, &certificate),
                     GRAZE_STATUS_UNFINISHED);
    assert_int_equal(failure.reason, GRAZE_PROVE_BUDGET);
    options.budget = (graze_budget){.progress = cancel};
    assert_int_equal(graze_pair_prove_clear(NULL, &gears.moving[0], &gears.moving[1], 0, &options, &certificate),
                     GRAZE_STATUS_CANCELLED);
    assert_null(certificate);
    assert_int_equal(graze_pair_prove_clear(NULL, &gears.moving[0], &gears.moving[1], 0, NULL, &certificate),
                     GRAZE_STATUS_OK);
    graze_certificate_check check = {.valid = false};
    options.budget = (graze_budget){.box_tests = 100};
    assert_int_equal(
        graze_certificate_verify(NULL, certificate, gears.meshes[0], gears.meshes[1], &options.budget, &check),
        GRAZE_STATUS_UNFINISHED);
    assert_false(check.valid);
    graze_certificate_destroy(certificate);
    moving_pair_release(&gears);
}

static void arguments_are_checked(void **state)
{
    (void)state;
    moving_pair pair = moving_boxes();
    graze_certificate *certificate = NULL;
    const graze_moving_mesh *a = &pair.moving[0], *b = &pair.moving[1];
    assert_int_equal(graze_pair_prove_clear(NULL, a, b, -1, NULL, &certificate), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_pair_prove_clear(NULL, a, b, NAN, NULL, &certificate), GRAZE_STATUS_NOT_FINITE);
    pair.moving[1].motion.path[1][0] = INFINITY;
    assert_int_equal(graze_pair_prove_clear(NULL, a, b, 0, NULL, &certificate), GRAZE_STATUS_NOT_FINITE);
    pair.moving[1].motion.path[1][0] = 0;
    pair.moving[0].end_mesh = pair.meshes[0];
    assert_int_equal(graze_pair_prove_clear(NULL, a, b, 0, NULL, &certificate), GRAZE_STATUS_UNSUPPORTED);
    pair.moving[0].end_mesh = NULL;
    assert_null(certificate);
    moving_pair_release(&pair);
}

/* Another mesh, by one bit of one coordinate; meshes exchanged. */
static void certificates_are_about_their_meshes_only(void **state)
{
    (void)state;
    moving_pair pair = moving_boxes(), other = moving_gears(0.02, 0, 12);
    size_t size;
    unsigned char *bytes = proof_of(&pair, 0, &size);
    double vertices[24];
    memcpy(vertices, graze_mesh_vertices(pair.meshes[1]), sizeof vertices);
    assert_int_equal(graze_mesh_vertex_count(pair.meshes[1]), 8);
    vertices[7] = nextafter(vertices[7], 0);
    assert_true(proof_is_valid(bytes, size, &pair));
    assert_int_equal(graze_mesh_move_vertices(pair.meshes[1], vertices, 0, GRAZE_SCALAR_DOUBLE, NULL), GRAZE_STATUS_OK);
    assert_false(proof_is_valid(bytes, size, &pair));
    assert_false(proof_is_valid(bytes, size, &other));
    free(bytes);
    moving_pair_release(&pair);
    moving_pair_release(&other);
}

static void a_changed_byte_is_refused(void **state)
{
    (void)state;
    test_random random = test_random_start("a_changed_byte_is_refused", 1907);
    moving_pair pair = moving_boxes();
    size_t size;
    unsigned char *bytes = proof_of(&pair, 0.03125, &size);
    for (int round = 0; round < TEST_ROUNDS(1000); round++)
    {
        size_t at = (size_t)random_below(&random, (int)size);
        unsigned char change = (unsigned char)(1 + random_below(&random, 255));
        bytes[at] ^= change;
        assert_false(proof_is_valid(bytes, size, &pair));
        bytes[at] ^= change;
    }
    for (size_t cut = 1; cut < 40; cut++)
    {
        assert_false(proof_is_valid(bytes, cut, &pair));
        assert_false(proof_is_valid(bytes, size - cut, &pair));
    }
    assert_true(proof_is_valid(bytes, size, &pair));
    free(bytes);
    moving_pair_release(&pair);
}

/* One verdict a file by the checker in Python: 1 for valid, 0 for refused. */
static const char driver[] =
    "import sys; sys.path.insert(0, sys.argv[1] + '/scripts'); import verify_certificate as v\n"
    "meshes = [v.read_mesh('a.obj'), v.read_mesh('b.obj')]\n"
    "for i in range(int(sys.argv[2])):\n"
    "    try:\n"
    "        v.verify('mutant%d' % i, meshes)\n"
    "        print(1, end='')\n"
    "    except v.Refused:\n"
    "        print(0, end='')\n";

static void both_checkers_agree_on_changed_certificates(void **state)
{
    (void)state;
    enum
    {
        MUTANTS = TEST_ROUNDS(240)
    };
    test_random random = test_random_start("both_checkers_agree_on_changed_certificates", 1908);
    moving_pair pair = moving_boxes();
    bool verdicts[MUTANTS];
    const char *names[MUTANTS], *genuine = "nothing";
    size_t size;
    unsigned char *bytes = proof_of(&pair, 0.15625, &size), *copy = malloc(size + 64);
    for (int i = 0; i < 2; i++)
        assert_int_equal(
            graze_mesh_write_file(NULL, pair.meshes[i], i == 0 ? "a.obj" : "b.obj", GRAZE_FORMAT_OBJ, NULL),
            GRAZE_STATUS_OK);
    int refused = 0;
    for (int i = 0; i < MUTANTS; i++)
    {
        char path[32];
        size_t its_size = size;
        memcpy(copy, bytes, size);
        names[i] = genuine;
        if (i % 20 > 0)
            its_size = proof_mutate(&random, copy, size, &names[i]);
        verdicts[i] = proof_is_valid(copy, its_size, &pair);
        assert_true(verdicts[i] || names[i] != genuine);
        refused += !verdicts[i];

        snprintf(path, sizeof path, "mutant%d", i);
        write_bytes(path, copy, its_size);
    }
    char count[16];
    snprintf(count, sizeof count, "%d", (int)MUTANTS);
    const tool_setting setting = {0};
    const char *const words[] = {"/usr/bin/env", "python3", "-c", driver, GRAZE_SOURCE_PATH, count, NULL};
    tool_result result = tool_run(&setting, words);
    assert_int_equal(result.code, 0);
    assert_int_equal(result.out_size, MUTANTS);
    for (int i = 0; i < MUTANTS; i++)
    {
        if ((result.out[i] == '1') != verdicts[i])
            printf("certificate %d (%s): the library says %d\n", i, names[i], verdicts[i]);
        assert_int_equal(result.out[i] == '1', verdicts[i]);
    }
    printf("%d of %d refused by both\n", refused, (int)MUTANTS);
    assert_true(refused > MUTANTS / 2 && refused < MUTANTS);
    tool_release(&result);
    free(copy);
    free(bytes);
    moving_pair_release(&pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pair_of_gears_is_proved_clear_over_a_turn),
        cmocka_unit_test(gears_that_jam_are_not_proved_clear),
        cmocka_unit_test(what_meets_only_between_the_ends_is_not_proved),
        cmocka_unit_test(a_clearance_is_proved_up_to_the_distance_itself),
        cmocka_unit_test(the_last_bit_of_a_claim_is_checked),
        cmocka_unit_test(deviations_are_part_of_the_distance),
        cmocka_unit_test(motions_of_all_kinds_are_proved),
        cmocka_unit_test(meshes_without_triangles_need_no_cells),
        cmocka_unit_test(budgets_end_proofs_and_checks),
        cmocka_unit_test(arguments_are_checked),
        cmocka_unit_test(certificates_are_about_their_meshes_only),
        cmocka_unit_test(a_changed_byte_is_refused),
        cmocka_unit_test(both_checkers_agree_on_changed_certificates),
    };
    return cmocka_run_group_tests(tests, enter_temporary_directory, leave_temporary_directory);
}
