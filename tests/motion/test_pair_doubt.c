/* SPDX-License-Identifier: MIT */
/* Separating planes over intervals of time: what bulges out between two times is seen, and what meets is in doubt
 * little before it does. */
#include "motion/pair_doubt.h"

#include <math.h>

#include "base/bits.h"
#include "graze/mesh.h"
#include "motion/pair_kernel.h"
#include "support/random.h"
#include "support/unit.h"

enum
{
    ROUNDS = TEST_ROUNDS(4000)
};

static graze_mesh *mesh_of(const double *triangle)
{
    const uint32_t corners[3] = {0, 1, 2};
    graze_mesh_def def = graze_mesh_def_default();
    graze_mesh *mesh = NULL;
    def.vertices = triangle;
    def.vertex_count = def.corner_count = 3;
    def.corners = corners;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

static double doubt_between(const graze_moving_mesh *a, const graze_moving_mesh *b)
{
    grz_space_time search = {.moving_a = a, .moving_b = b, .latest = 1, .t0 = 0, .t1 = 1};
    search.side_a = (grz_moving_side){.mesh = a->mesh};
    search.side_b = (grz_moving_side){.mesh = b->mesh};
    search.side_a.known = grz_motion_span_make(&a->motion, 0, 1, &search.side_a.span);
    search.side_b.known = grz_motion_span_make(&b->motion, 0, 1, &search.side_b.span);
    assert_true(search.side_a.known && search.side_b.known);
    grz_node_pair pair = {grz_join_halves(0, 0), 0};
    grz_pair_doubts(&search, &pair, 1);
    return grz_from_bits(pair.masks);
}

/* A triangle on a parabola that dips below a wall between its ends, by `depth`, and goes so far along the wall. */
static double doubt_of(double depth, double along)
{
    const double wall[3][3] = {{-9000, 0, -9000}, {9000, 0, -9000}, {0, 0, 9000}},
                 small[3][3] = {{0, 0, 0}, {0.1, 0.1, 0}, {0, 0.1, 0.1}};
    graze_mesh *a = mesh_of(wall[0]), *b = mesh_of(small[0]);
    graze_moving_mesh moving_a = {a, NULL, NULL, {0}}, moving_b = {b, NULL, NULL, {0}};
    const graze_pose identity = graze_pose_identity();
    assert_int_equal(graze_motion_still(&identity, &moving_a.motion), GRAZE_STATUS_OK);
    /* y = (1 - 2 t)^2 - depth */
    moving_b.motion = (graze_motion){.kind = GRAZE_MOTION_BALLISTIC_TURN,
                                     .quaternion = {{1, 0, 0, 0}, {1, 0, 0, 0}},
                                     .path = {{0, 1 - depth, 0}, {along, -4, 0}, {0, 4, 0}}};
    double doubt = doubt_between(&moving_a, &moving_b);
    graze_mesh_destroy(a);
    graze_mesh_destroy(b);
    return doubt;
}

static void what_dips_between_two_times_is_in_doubt(void **state)
{
    (void)state;
    for (double depth = 0x1p-30; depth < 1; depth *= 2)
    {
        double contact = 0.5 - 0.5 * sqrt(depth), doubt = doubt_of(depth, 0);
        assert_true(doubt <= contact);
        assert_true(doubt > contact - 1e-3);
    }
    assert_true(doubt_of(-0x1p-20, 0) > 1);
}

/* The same where the frame is cut into 32 to 2 parts, since what is missed by chords is little beside the way. */
static void what_dips_within_a_part_of_the_frame_is_in_doubt(void **state)
{
    (void)state;
    for (double along = 0x1p4; along < 0x1p14; along *= 4)
    {
        double missed = 0x1p-14 * along; /* by chords of a part, at most */
        for (double depth = 0x1p-30; depth < 1; depth *= 1.7)
        {
            double contact = 0.5 - 0.5 * sqrt(depth), doubt = doubt_of(depth, 0x1p-4 * along);
            assert_true(doubt <= contact);
            doubt = doubt_of(depth, along);
            assert_true(doubt <= contact);
            assert_true(doubt > 0.5 - 0.5 * sqrt(depth + missed) - 1e-3);
        }
        assert_true(doubt_of(-2 * missed, along) > 1 || missed > 0.5);
    }
}

static graze_motion random_motion(test_random *random, double angle, double way)
{
    graze_motion motion;
    graze_pose poses[2];
    double q[2][4], shift[3];
    for (int k = 0; k < 4; k++)
    {
        q[0][k] = random_real(random, -1, 1);
        q[1][k] = q[0][k] + random_real(random, -angle, angle);
    }
    for (int i = 0; i < 2; i++)
    {
        for (int k = 0; k < 3; k++)
            shift[k] = (i == 0 ? 0 : shift[k]) + random_real(random, -way, way);
        assert_int_equal(graze_pose_from_quaternion(q[i], shift, &poses[i]), GRAZE_STATUS_OK);
    }
    assert_int_equal(graze_motion_between(&poses[0], &poses[1], GRAZE_MOTION_TURN, &motion, NULL), GRAZE_STATUS_OK);
    return motion;
}

static void pairs_that_meet_are_in_doubt_shortly_before(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 29);
    int hits = 0, close = 0, clear = 0, missed = 0;
    for (int round = 0; round < ROUNDS; round++)
    {
        double triangles[2][3][3], way = random_once_in(&random, 2) ? 0.5 : 0.1;
        double angle = way * ldexp(1, -random_below(&random, 8));
        for (int k = 0; k < 18; k++)
            triangles[k / 9][k / 3 % 3][k % 3] = random_real(&random, -0.4, 0.4);
        graze_mesh *meshes[2] = {mesh_of(triangles[0][0]), mesh_of(triangles[1][0])};
        const graze_moving_mesh a = {meshes[0], NULL, NULL, random_motion(&random, angle, way)};
        const graze_moving_mesh b = {meshes[1], NULL, NULL, random_motion(&random, angle, way)};
        const grz_impact_question question = {.until = 1};
        grz_pair_time time;
        assert_int_equal(grz_pair_first_time(NULL, &a, &b, 0, 0, &question, &time), GRAZE_STATUS_OK);
        double doubt = doubt_between(&a, &b);
        if (time.found && time.contact.when.lower > 0)
        {
            assert_true(doubt <= time.contact.when.lower);
            hits++;
            close += doubt > time.contact.when.lower - 0x1p-9;
        }
        clear += !time.found && doubt > 1;
        missed += !time.found && doubt <= 1;
        graze_mesh_destroy(meshes[0]);
        graze_mesh_destroy(meshes[1]);
    }
    print_message("%d pairs meet after the start, %d of these are in doubt shortly before; %d are clear, %d clear ones "
                  "in doubt\n",
                  hits, close, clear, missed);
    assert_true(hits > ROUNDS / 20 && close > hits * 9 / 10 && missed < clear / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_dips_between_two_times_is_in_doubt),
                                       cmocka_unit_test(what_dips_within_a_part_of_the_frame_is_in_doubt),
                                       cmocka_unit_test(pairs_that_meet_are_in_doubt_shortly_before)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
