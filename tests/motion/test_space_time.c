/* SPDX-License-Identifier: MIT */
/* Space-time traversals, without the test of two moving triangles: what meets at some time is proposed with an interval
 * that contains it, by transforms of trees as well as by boxes, in every instruction set. */
#include "motion/space_time.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graze/generate.h"
#include "support/random.h"
#include "support/unit.h"

enum
{
    ROUNDS = TEST_ROUNDS(30),
    SAMPLES = 31 /* no power of two: not at the ends of intervals */
};

/* Of each pair of triangles a bit for each sampled time in an interval that was proposed. */
typedef struct proposals
{
    uint64_t *times;
    size_t triangles_b;
    uint64_t count;
} proposals;

static bool take(void *user, uint32_t a, uint32_t b, double t0, double t1)
{
    proposals *all = user;
    all->count++;
    for (int i = 0; i <= SAMPLES; i++)
        if (t0 <= (double)i / SAMPLES && (double)i / SAMPLES <= t1)
            all->times[a * all->triangles_b + b] |= UINT64_C(1) << i;
    return true;
}

static graze_pose random_pose(test_random *random, double reach)
{
    double q[4], shift[3];
    for (int k = 0; k < 4; k++)
        q[k] = random_real(random, -1, 1);
    for (int k = 0; k < 3; k++)
        shift[k] = random_real(random, -reach, reach);
    graze_pose pose;
    assert_int_equal(graze_pose_from_quaternion(q, shift, &pose), GRAZE_STATUS_OK);
    return pose;
}

static graze_motion random_motion(test_random *random)
{
    graze_pose from = random_pose(random, 2), to = random_pose(random, 2);
    graze_motion motion;
    int kind = random_below(random, 4);
    if (kind == 0)
        assert_int_equal(graze_motion_still(&from, &motion), GRAZE_STATUS_OK);
    else
        assert_int_equal(
            graze_motion_between(&from, &to, kind == 1 ? GRAZE_MOTION_BLEND : GRAZE_MOTION_TURN, &motion, NULL),
            GRAZE_STATUS_OK);
    if (kind == 3)
    {
        motion.kind = GRAZE_MOTION_BALLISTIC_TURN;
        for (int k = 0; k < 3; k++)
        {
            motion.centre[k] = random_real(random, -1, 1);
            motion.path[2][k] = random_real(random, -2, 2);
        }
    }
    return motion;
}

static graze_mesh *random_mesh(test_random *random)
{
    graze_mesh *mesh = NULL;
    switch (random_below(random, 4))
    {
    case 0:
        assert_int_equal(graze_mesh_create_box(NULL, 1, 0.5, 0.7, 1, &mesh), GRAZE_STATUS_OK);
        break;
    case 1:
        assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 0.6, 3, &mesh), GRAZE_STATUS_OK);
        break;
    case 2:
        assert_int_equal(graze_mesh_create_torus(NULL, 0.8, 0.2, 12, 8, &mesh), GRAZE_STATUS_OK);
        break;
    default:
        assert_int_equal(graze_mesh_create_tetrahedra(NULL, 0.8, 12, random_next(random), &mesh), GRAZE_STATUS_OK);
    }
    return mesh;
}

static void run(const graze_context *context, const graze_moving_mesh *a, const graze_moving_mesh *b, bool boxes_only,
                proposals *out)
{
    grz_space_time search = {.context = context,
                             .moving_a = a,
                             .moving_b = b,
                             .tree_a = a->tree,
                             .tree_b = b->tree,
                             .boxes_only = boxes_only,
                             .early = true,
                             .propose = take,
                             .user = out};
    size_t pairs = graze_mesh_triangle_count(a->mesh) * graze_mesh_triangle_count(b->mesh);
    out->triangles_b = graze_mesh_triangle_count(b->mesh);
    out->times = calloc(pairs, sizeof *out->times);
    out->count = 0;
    assert_non_null(out->times);
    assert_int_equal(grz_space_time_start(&search), GRAZE_STATUS_OK);
    assert_int_equal(grz_space_time_advance(&search), GRAZE_STATUS_OK);
    assert_true(grz_space_time_reached(&search) >= 1);
    grz_space_time_end(&search);
}

/* Compares with the hits at some times, and returns how many there were. */
static uint64_t compare(const proposals *all, const graze_moving_mesh *a, const graze_moving_mesh *b)
{
    graze_hit hits[512];
    uint64_t total = 0;
    for (int i = 0; i <= SAMPLES; i++)
    {
        double t = (double)i / SAMPLES;
        graze_placed_mesh first = {a->mesh, a->tree, {{0}}}, second = {b->mesh, b->tree, {{0}}};
        assert_int_equal(graze_motion_pose(&a->motion, t, &first.pose, NULL), GRAZE_STATUS_OK);
        assert_int_equal(graze_motion_pose(&b->motion, t, &second.pose, NULL), GRAZE_STATUS_OK);
        graze_pair_counts counts;
        assert_int_equal(graze_pair_gather(NULL, &first, &second, NULL, hits, 512, &counts), GRAZE_STATUS_OK);
        for (uint64_t k = 0; k < counts.pairs && k < 512; k++)
            assert_true(all->times[hits[k].triangle_a * all->triangles_b + hits[k].triangle_b] >> i & 1);
        total += counts.pairs;
    }
    return total;
}

static void what_meets_is_proposed(void **state)
{
    (void)state;
    test_random random = test_random_start("what_meets_is_proposed", 19);
    proposals all = {NULL, 0, 0};
    uint64_t hits = 0, proposed = 0, empty = 0;
    for (int round = 0; round < ROUNDS; round++)
    {
        graze_mesh *mesh_a = random_mesh(&random), *mesh_b = random_mesh(&random);
        graze_tree *tree_a = NULL, *tree_b = NULL;
        assert_int_equal(graze_tree_create(NULL, mesh_a, NULL, NULL, &tree_a), GRAZE_STATUS_OK);
        assert_int_equal(graze_tree_create(NULL, mesh_b, NULL, NULL, &tree_b), GRAZE_STATUS_OK);
        const graze_moving_mesh a = {mesh_a, NULL, tree_a, random_motion(&random)};
        const graze_moving_mesh b = {mesh_b, NULL, tree_b, random_motion(&random)};
        graze_context context = graze_context_default();
        context.instructions = (graze_instructions)(round % GRAZE_INSTRUCTIONS_COUNT);
        for (int boxes_only = 0; boxes_only < 2; boxes_only++)
        {
            run(&context, &a, &b, boxes_only != 0, &all);
            hits += compare(&all, &a, &b);
            proposed += all.count;
            empty += all.count == 0;
            free(all.times);
        }
        graze_tree_destroy(tree_a);
        graze_tree_destroy(tree_b);
        graze_mesh_destroy(mesh_a);
        graze_mesh_destroy(mesh_b);
    }
    print_message("%llu hits at sampled times, %llu proposals, %llu of %d runs without\n", (unsigned long long)hits,
                  (unsigned long long)proposed, (unsigned long long)empty, 2 * ROUNDS);
    assert_true(hits > 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_meets_is_proposed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
