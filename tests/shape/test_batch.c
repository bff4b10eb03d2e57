/* SPDX-License-Identifier: MIT */
/* Batches of two shapes give for each pose the answer of a single query, on one thread and on several; and fail as a
 * whole. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graze/shape_batch.h"
#include "graze/tasks.h"
#include "support/random_shapes.h"
#include "support/unit.h"

enum
{
    POSES = 150
};

typedef struct strided_pose
{
    graze_pose pose;
    double unused;
} strided_pose;

static strided_pose poses_a[POSES];
static graze_pose poses_b[POSES];
static graze_verdict verdicts[POSES], fresh[POSES];

static void take_poses(test_random *random, const graze_placed *a, const graze_placed *b)
{
    for (int i = 0; i < POSES; i++)
    {
        poses_a[i].pose = random_pose_for(random, a->shape);
        poses_b[i] = random_pose_for(random, b->shape);
        graze_placed x = {a->shape, poses_a[i].pose}, y = {b->shape, poses_b[i]};
        assert_int_equal(graze_shape_pair_any(NULL, &x, &y, NULL, &fresh[i], NULL), GRAZE_STATUS_OK);
    }
}

static void batches_answer_as_single_queries_do(void **state)
{
    (void)state;
    test_random random = test_random_start("batches_answer_as_single_queries_do", 17);
    graze_pool *pool;
    graze_context context = graze_context_default();
    int seen[3] = {0};
    assert_int_equal(graze_pool_create(NULL, 3, &pool), GRAZE_STATUS_OK);
    context.tasks = graze_pool_tasks(pool);
    for (int round = 0; round < 2 * GRAZE_SHAPE_KIND_COUNT; round++)
    {
        random_shape shapes[2];
        random_shape_make(&random, (graze_shape_kind)(round % GRAZE_SHAPE_KIND_COUNT), &shapes[0]);
        random_shape_make(&random, (graze_shape_kind)random_below(&random, GRAZE_SHAPE_KIND_COUNT), &shapes[1]);
        graze_placed a = {shapes[0].shape, graze_pose_identity()}, b = {shapes[1].shape, graze_pose_identity()};
        take_poses(&random, &a, &b);
        const graze_pose_batch batch = {&poses_a[0].pose, poses_b, sizeof(strided_pose), 0, POSES};
        graze_shape_cache cache = graze_shape_cache_default();
        graze_shape_options options = graze_shape_options_default();
        graze_stats stats = {0};
        options.cache = round % 2 == 0 ? &cache : NULL;
        options.stats = &stats;
        assert_int_equal(
            graze_shape_pair_any_batch(round % 3 == 0 ? NULL : &context, &a, &b, &batch, &options, NULL, verdicts),
            GRAZE_STATUS_OK);
        for (int i = 0; i < POSES; i++)
        {
            assert_int_equal(verdicts[i], fresh[i]);
            seen[fresh[i]]++;
        }
        random_shape_clear(&shapes[0]);
        random_shape_clear(&shapes[1]);
    }
    graze_pool_destroy(pool);
    printf("%d no, %d yes, %d unknown\n", seen[GRAZE_VERDICT_NO], seen[GRAZE_VERDICT_YES], seen[GRAZE_VERDICT_UNKNOWN]);
    assert_true(seen[GRAZE_VERDICT_NO] > 500 && seen[GRAZE_VERDICT_YES] > 500);
}

static bool stop_at_once(void *user, double share)
{
    (void)user;
    (void)share;
    return false;
}

static void batches_fail_as_a_whole(void **state)
{
    (void)state;
    graze_shape *ball, *box;
    const double size[3] = {1, 1, 1};
    graze_pose poses[4] = {graze_pose_identity(), graze_pose_identity(), graze_pose_identity(), graze_pose_identity()};
    graze_verdict answers[4] = {7, 7, 7, 7};
    graze_error error = {.status = GRAZE_STATUS_OK};
    assert_int_equal(graze_shape_create_sphere(NULL, NULL, 1, &ball), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_box(NULL, size, &box), GRAZE_STATUS_OK);
    graze_placed a = {ball, graze_pose_identity()}, b = {box, graze_pose_identity()};
    graze_pose_batch batch = {.poses_a = poses, .count = 4};
    poses[2].m[0] = 2;
    assert_int_equal(graze_shape_pair_any_batch(NULL, &a, &b, &batch, NULL, &error, answers), GRAZE_STATUS_NOT_RIGID);
    assert_int_equal(error.index, 2);
    batch.poses_a = NULL;
    batch.poses_b = poses; /* a box may be wide */
    assert_int_equal(graze_shape_pair_any_batch(NULL, &a, &b, &batch, NULL, &error, answers), GRAZE_STATUS_OK);
    for (int i = 0; i < 4; i++)
    {
        assert_int_equal(answers[i], GRAZE_VERDICT_YES);
        answers[i] = (graze_verdict)7;
    }
    poses[3].m[3] = NAN;
    assert_int_equal(graze_shape_pair_any_batch(NULL, &a, &b, &batch, NULL, &error, answers), GRAZE_STATUS_NOT_FINITE);
    assert_int_equal(error.index, 3);
    poses[3].m[3] = 0;
    graze_shape_options options = graze_shape_options_default();
    options.budget.progress = stop_at_once;
    batch.count = 4;
    options.budget.box_tests = 1;
    graze_status status = graze_shape_pair_any_batch(NULL, &a, &b, &batch, &options, NULL, answers);
    assert_true(status == GRAZE_STATUS_UNFINISHED || status == GRAZE_STATUS_CANCELLED);
    batch.stride_b = 8;
    assert_int_equal(graze_shape_pair_any_batch(NULL, &a, &b, &batch, NULL, &error, answers),
                     GRAZE_STATUS_BAD_ARGUMENT);
    for (int i = 0; i < 4; i++)
        assert_int_equal(answers[i], 7);
    graze_shape_destroy(ball);
    graze_shape_destroy(box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches_answer_as_single_queries_do),
        cmocka_unit_test(batches_fail_as_a_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
