/* SPDX-License-Identifier: MIT */
/* Motions around a time and boxes of what moves: points are where they say, at sampled times of spans of any length. */
#include "motion/motion_span.h"

#include <math.h>

#include "base/memory.h"
#include "graze/generate.h"
#include "motion/moving_boxes.h"
#include "pair/transformed_nodes.h"
#include "support/random.h"
#include "support/unit.h"

enum
{
    ROUNDS = TEST_ROUNDS(4000),
    SAMPLES = 9
};

static graze_motion random_motion(test_random *random)
{
    graze_motion motion = {.kind = GRAZE_MOTION_BLEND};
    for (int k = 0; k < 12; k++)
    {
        motion.start.m[k] = random_real(random, -2, 2);
        motion.end.m[k] = random_real(random, -2, 2);
    }
    if (random_once_in(random, 4))
        return motion;
    motion.kind = random_once_in(random, 2) ? GRAZE_MOTION_TURN : GRAZE_MOTION_BALLISTIC_TURN;
    do
        for (int i = 0; i < 8; i++)
            motion.quaternion[i / 4][i % 4] = random_real(random, -1, 1);
    while (graze_motion_check(&motion) != GRAZE_STATUS_OK);
    for (int k = 0; k < 3; k++)
    {
        motion.centre[k] = random_real(random, -1, 1);
        for (int i = 0; i < 3; i++)
            motion.path[i][k] = random_real(random, -3, 3);
    }
    return motion;
}

/* From 2^-depth i to the next. */
static void random_span(test_random *random, double *t0, double *t1)
{
    int depth = random_below(random, 12);
    double index = random_below(random, 1 << depth);
    *t0 = ldexp(index, -depth);
    *t1 = ldexp(index + 1, -depth);
}

static double component(double m[3][3], const double offset[3], const double p[3], int k)
{
    return m[k][0] * p[0] + m[k][1] * p[1] + m[k][2] * p[2] + offset[k];
}

static void points_are_where_their_span_says(void **state)
{
    (void)state;
    test_random random = test_random_start("points_are_where_their_span_says", 3);
    int known = 0;
    double tightest = 0;
    for (int round = 0; round < ROUNDS; round++)
    {
        graze_motion motion = random_motion(&random);
        grz_motion_span span;
        double t0, t1, p[3], squares = 0;
        random_span(&random, &t0, &t1);
        if (!grz_motion_span_make(&motion, t0, t1, &span))
            continue;
        known++;
        for (int k = 0; k < 3; k++)
        {
            p[k] = random_real(&random, -2, 2);
            squares += (p[k] - span.centre[k]) * (p[k] - span.centre[k]);
        }
        double rest = span.bend * sqrt(squares) + span.bend_offset;
        for (int i = 0; i < SAMPLES; i++)
        {
            double t = t0 + (t1 - t0) * i / (SAMPLES - 1), x[3], off = 0;
            graze_pose pose;
            assert_int_equal(graze_motion_pose(&motion, t, &pose, NULL), GRAZE_STATUS_OK);
            graze_pose_apply(&pose, p, x);
            for (int k = 0; k < 3; k++)
            {
                double by = x[k] - component(span.matrix, span.offset, p, k) -
                            (t - span.middle) * component(span.rate, span.drift, p, k);
                off += by * by;
            }
            assert_true(sqrt(off) <= rest + 1e-12);
            if (rest > 1e-6)
                tightest = fmax(tightest, sqrt(off) / rest);
        }
    }
    print_message("%d of %d spans known; rests are used up to %.2f\n", known, ROUNDS, tightest);
    assert_true(known > ROUNDS / 2 && tightest > 0.5);
}

static void boxes_contain_their_points_at_all_times(void **state)
{
    (void)state;
    test_random random = test_random_start("boxes_contain_their_points_at_all_times", 4);
    graze_mesh *mesh = NULL, *end = NULL;
    graze_tree *tree = NULL;
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 1, &mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 2, 1, 1.5, 1, &end), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
    grz_end_box *end_boxes = grz_end_boxes_make(NULL, tree, end);
    assert_non_null(end_boxes);
    int soft_ones = 0;
    for (int round = 0; round < ROUNDS / 8; round++)
    {
        graze_motion motion = random_motion(&random);
        bool soft = motion.kind == GRAZE_MOTION_BLEND;
        grz_moving_side side = {.mesh = mesh,
                                .end_mesh = soft ? end : NULL,
                                .tree = tree,
                                .end_boxes = soft ? end_boxes : NULL,
                                .start = motion.start,
                                .end = motion.end};
        double t0, t1;
        random_span(&random, &t0, &t1);
        side.known = grz_motion_span_make(&motion, t0, t1, &side.span);
        soft_ones += soft;
        grz_moving_box boxes[2];
        uint32_t triangle = (uint32_t)random_below(&random, (int)graze_mesh_triangle_count(mesh));
        grz_moving_box_of_child(&side, GRZ_ABOVE_ROOT, 0, &boxes[0]);
        grz_moving_box_of_triangle(&side, triangle, &boxes[1]);
        for (int i = 0; i < SAMPLES * 3; i++)
        {
            double t = t0 + (t1 - t0) * (i / 3) / (SAMPLES - 1), x[3];
            uint32_t vertex = graze_mesh_triangles(mesh)[3 * triangle + (uint32_t)i % 3];
            const double *v = graze_mesh_vertices(mesh) + 3 * (size_t)vertex;
            const double *w = graze_mesh_vertices(end) + 3 * (size_t)vertex;
            graze_pose pose;
            assert_int_equal(graze_motion_pose(&motion, t, &pose, NULL), GRAZE_STATUS_OK);
            graze_pose_apply(&pose, v, x);
            if (soft)
            {
                double from[3], to[3];
                graze_pose_apply(&motion.start, v, from);
                graze_pose_apply(&motion.end, w, to);
                for (int k = 0; k < 3; k++)
                    x[k] = (1 - t) * from[k] + t * to[k];
            }
            for (int k = 0; k < 6; k++)
            {
                const grz_moving_box *box = &boxes[k / 3];
                double by = fabs(x[k % 3] - box->centre[k % 3] - (t - side.span.middle) * box->speed[k % 3]);
                double most = box->half[k % 3] + fabs(t - side.span.middle) * box->spread[k % 3];
                assert_true(!side.known || by <= most * (1 + 1e-12));
            }
        }
    }
    assert_true(soft_ones > ROUNDS / 64);
    grz_release(NULL, end_boxes);
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
    graze_mesh_destroy(end);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_where_their_span_says),
        cmocka_unit_test(boxes_contain_their_points_at_all_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
