/* SPDX-License-Identifier: MIT */
/* Queries run in threads with the smallest stack that graze/context.h allows. */
#include <pthread.h>

#include "graze/depth.h"
#include "graze/distance.h"
#include "graze/generate.h"
#include "support/unit.h"

enum
{
    STACK_BYTES = 512 << 10
};

typedef struct two_balls
{
    graze_placed_mesh a, b;
    int answered;
} two_balls;

static void *ask(void *argument)
{
    static graze_hit hits[4096];
    two_balls *t = argument;
    bool found = false;
    graze_pair_counts counts;
    graze_solid_answer solid;
    graze_depth depth;
    graze_distance distance;
    graze_proximity near;
    t->answered += graze_pair_any(NULL, &t->a, &t->b, NULL, &found, NULL) == GRAZE_STATUS_OK && found;
    t->answered +=
        graze_pair_gather(NULL, &t->a, &t->b, NULL, hits, 4096, &counts) == GRAZE_STATUS_OK && counts.pairs > 0;
    t->answered += graze_pair_containment(NULL, &t->a, &t->b, NULL, &solid) == GRAZE_STATUS_OK && solid.collide;
    t->answered += graze_pair_depth(NULL, &t->a, &t->b, NULL, &depth) == GRAZE_STATUS_OK && depth.lower > 0;
    t->b.pose = graze_pose_translation(0, 3, 0);
    t->answered += graze_pair_distance(NULL, &t->a, &t->b, NULL, &distance) == GRAZE_STATUS_OK && distance.lower > 0.9;
    t->answered += graze_pair_tolerance_any(NULL, &t->a, &t->b, 1.1, NULL, &found, &near) == GRAZE_STATUS_OK && found;
    return NULL;
}

static void queries_need_little_stack(void **state)
{
    (void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__OPTIMIZE__)
    print_message("what is watched, or not optimized, needs more\n");
    skip();
#endif
    graze_mesh *ball = NULL;
    graze_tree *tree = NULL;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 12, &ball), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, ball, NULL, NULL, &tree), GRAZE_STATUS_OK);
    two_balls balls = {{ball, tree, graze_pose_identity()}, {ball, tree, graze_pose_translation(1.5, 0.25, 0)}, 0};
    pthread_attr_t attributes;
    pthread_t thread;
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstacksize(&attributes, STACK_BYTES), 0);
    assert_int_equal(pthread_create(&thread, &attributes, ask, &balls), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    assert_int_equal(balls.answered, 6);
    graze_tree_destroy(tree);
    graze_mesh_destroy(ball);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queries_need_little_stack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
