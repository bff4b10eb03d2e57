/* SPDX-License-Identifier: MIT */
/*
 * A pair that takes longer than any frame's budget left a little of it, and a pair cut off within that rest counted as
 * tested: in the next frame both had waited as long, the first came first again, and the other was never decided,
 * though a frame has time for it.
 */
#include <stdio.h>

#include "graze/generate.h"
#include "graze/scene.h"
#include "support/unit.h"

enum
{
    FRAMES = 13
};

typedef struct side
{
    const graze_mesh *mesh;
    double aside[2]; /* from one to the other, in x and y */
    graze_pose turn; /* in every other frame */
    double step;     /* to and fro, in z */
} side;

/* Two pairs that move in each frame, each far from the other. Returns how often the one at `second` was decided; the
   other never is. */
static int decided_count(const side *long_pair, const side *short_pair, int second, uint64_t box_tests)
{
    graze_scene *scene;
    graze_object objects[4];
    graze_frame frame;
    graze_object_def def = graze_object_def_default();
    graze_update_options options = graze_update_options_default();
    int decided = 0;
    options.continuous = true;
    assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
    for (int i = 0; i < FRAMES; i++)
    {
        for (int k = 0; k < 4; k++)
        {
            const side *s = k / 2 == second ? short_pair : long_pair;
            def.mesh = s->mesh;
            def.pose = k % 2 != 0 && i % 2 == 0 ? s->turn : graze_pose_identity();
            def.pose.m[3] = 10 * (k / 2) + (k % 2 != 0 ? s->aside[0] : 0);
            def.pose.m[7] = k % 2 != 0 ? s->aside[1] : 0;
            def.pose.m[11] = k % 2 == 0 ? 0 : i % 2 == 0 ? s->step : -s->step;
            assert_int_equal(i == 0 ? graze_scene_add(scene, &def, &objects[k])
                                    : graze_scene_move(scene, objects[k], &def.pose),
                             GRAZE_STATUS_OK);
        }
        options.budget.box_tests = i == 0 ? 0 : box_tests;
        assert_int_equal(graze_scene_update(scene, &options, &frame), GRAZE_STATUS_OK);
        bool open[2] = {false, false};
        for (size_t k = 0; k < frame.undecided_count; k++)
            open[frame.undecided[k].a.index != objects[0].index] = true;
        assert_true(open[1 - second] || i == 0);
        decided += i > 0 && !open[second];
    }
    graze_scene_destroy(scene);
    return decided;
}

/* A ball turns past another, close by, and a box passes through a box, which takes 350 box tests. */
static void a_step_cut_off_within_a_rest_comes_first_in_the_next_frame(void **state)
{
    (void)state;
    graze_mesh *ball, *box;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 12, &ball), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 1, &box), GRAZE_STATUS_OK);
    const side balls = {ball, {1.2, 1.62}, {{-1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 0}}, 4};
    const side boxes = {box, {0.9, 0.3}, {{0.96, -0.28, 0, 0, 0.28, 0.96, 0, 0, 0, 0, 1, 0}}, 4};
    for (int second = 0; second < 2; second++)
    {
        int decided = decided_count(&balls, &boxes, second, 1000);
        printf("decided in %d frames of %d\n", decided, FRAMES - 1);
        assert_true(decided >= (FRAMES - 1) / 3);
    }
    graze_mesh_destroy(ball);
    graze_mesh_destroy(box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_cut_off_within_a_rest_comes_first_in_the_next_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
