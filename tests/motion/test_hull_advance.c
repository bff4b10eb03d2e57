/* SPDX-License-Identifier: MIT */
/* Advancement by planes between hulls: never beyond the first impact of all pairs, and of convex bodies nearly to it.
 */
#include "motion/hull_advance.h"

#include <math.h>

#include "graze/generate.h"
#include "graze/mesh.h"
#include "motion/pair_kernel.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/unit.h"

static graze_mesh *convex_mesh(test_random *random)
{
    static test_mesh mesh;
    graze_mesh *made = NULL;
    mesh.vertex_count = mesh.triangle_count = 0;
    if (random_once_in(random, 3))
    {
        assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 1, &made), GRAZE_STATUS_OK);
        return made;
    }
    if (random_once_in(random, 2))
        mesh_add_cube(&mesh, -1, -1, -1, 2);
    else
        mesh_add_bipyramid(&mesh, 0, 0, 0, 1);
    return mesh_create(&mesh);
}

static graze_pose shifted(test_random *random, double x)
{
    return graze_pose_translation(x, random_real(random, -2, 2), random_real(random, -2, 2));
}

/* From one side to the other, mostly. */
static graze_motion passing_motion(test_random *random)
{
    graze_motion motion = {.kind = GRAZE_MOTION_STILL};
    double side = random_once_in(random, 2) ? 1 : -1;
    motion.start = shifted(random, 0);
    switch (random_below(random, 4))
    {
    case 0:
        break;
    case 1:
        motion.kind = GRAZE_MOTION_BLEND;
        motion.start = shifted(random, -4 * side);
        motion.end = shifted(random, 4 * side);
        for (int k = 0; k < 12; k++)
            if (k % 4 < 3)
                motion.end.m[k] += random_real(random, -0.5, 0.5);
        break;
    default:
        motion.kind = random_once_in(random, 3) ? GRAZE_MOTION_BALLISTIC_TURN : GRAZE_MOTION_TURN;
        do
            for (int i = 0; i < 8; i++)
                motion.quaternion[i / 4][i % 4] = random_real(random, -1, 1);
        while (graze_motion_check(&motion) != GRAZE_STATUS_OK);
        for (int k = 0; k < 3; k++)
        {
            motion.centre[k] = random_real(random, -0.5, 0.5);
            motion.path[0][k] = k == 0 ? -4 * side : random_real(random, -2, 2);
            motion.path[1][k] = k == 0 ? 8 * side : random_real(random, -2, 2);
            motion.path[2][k] = random_real(random, -2, 2);
        }
    }
    return motion;
}

/* The first impact of all pairs of triangles, from below; 2: none. */
static double first_of_all(const graze_moving_mesh *a, const graze_moving_mesh *b)
{
    double first = 2;
    for (uint32_t i = 0; i < graze_mesh_triangle_count(a->mesh); i++)
        for (uint32_t j = 0; j < graze_mesh_triangle_count(b->mesh); j++)
        {
            const grz_impact_question question = {.until = 1};
            grz_pair_time time;
            assert_int_equal(grz_pair_first_time(NULL, a, b, i, j, &question, &time), GRAZE_STATUS_OK);
            first = time.found ? fmin(first, time.contact.when.lower) : first;
        }
    return first;
}

static void it_ends_before_the_first_impact_of_all_pairs(void **state)
{
    (void)state;
    test_random random = test_random_start("it_ends_before_the_first_impact_of_all_pairs", 2011);
    enum
    {
        ROUNDS = TEST_ROUNDS(400)
    };
    int hits = 0, starts = 0, near = 0, clear = 0, passes = 0;
    for (int round = 0; round < ROUNDS; round++)
    {
        graze_mesh *mesh_a = convex_mesh(&random), *mesh_b = convex_mesh(&random);
        const graze_moving_mesh a = {mesh_a, NULL, NULL, passing_motion(&random)};
        const graze_moving_mesh b = {mesh_b, NULL, NULL, passing_motion(&random)};
        double first = first_of_all(&a, &b), from = random_once_in(&random, 4) ? random_unit(&random) : 0;
        double time = grz_hull_advance(&a, &b, from);
        assert_true(time >= from && time <= 1);
        if (first >= from)
            assert_true(time < first || time == from);
        hits += first > from && first < 2;
        starts += first == 0 && from == 0;
        near += first > from && first < 2 && time > first - 1e-3;
        clear += first == 2;
        passes += first == 2 && time == 1;
        graze_mesh_destroy(mesh_a);
        graze_mesh_destroy(mesh_b);
    }
    print_message("%d hits, %d of them nearly reached, %d at the start; %d passes, %d of them clear\n", hits, near,
                  starts, clear, passes);
    assert_true(hits > ROUNDS / 8 && near > hits * 3 / 4 && starts > 0);
    assert_true(clear > ROUNDS / 8 && passes > clear * 3 / 4);
}

static graze_mesh *mesh_of(const void *vertices, size_t count, const uint32_t *corners, size_t corner_count)
{
    graze_mesh_def def = graze_mesh_def_default();
    graze_mesh *mesh = NULL;
    def.vertices = vertices;
    def.vertex_count = count;
    def.corners = corners;
    def.corner_count = corner_count;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

/* A triangle on a parabola that dips below a wall between its ends, by `depth`: y = (1 - 2 t)^2 - depth. */
static double time_of_dip(double depth)
{
    const double wall[3][3] = {{-9, 0, -9}, {9, 0, -9}, {0, 0, 9}},
                 small[3][3] = {{0, 0, 0}, {0.1, 0.1, 0}, {0, 0.1, 0.1}};
    const uint32_t corners[3] = {0, 1, 2};
    graze_moving_mesh a = {mesh_of(wall, 3, corners, 3), NULL, NULL, {0}},
                      b = {mesh_of(small, 3, corners, 3), NULL, NULL, {0}};
    const graze_pose identity = graze_pose_identity();
    assert_int_equal(graze_motion_still(&identity, &a.motion), GRAZE_STATUS_OK);
    b.motion = (graze_motion){.kind = GRAZE_MOTION_BALLISTIC_TURN,
                              .quaternion = {{1, 0, 0, 0}, {1, 0, 0, 0}},
                              .path = {{0, 1 - depth, 0}, {0, -4, 0}, {0, 4, 0}}};
    double time = grz_hull_advance(&a, &b, 0);
    graze_mesh_destroy((graze_mesh *)(uintptr_t)a.mesh);
    graze_mesh_destroy((graze_mesh *)(uintptr_t)b.mesh);
    return time;
}

static void what_dips_between_two_times_is_not_passed(void **state)
{
    (void)state;
    for (int k = -20; k < 0; k++)
    {
        double depth = ldexp(1, k);
        double contact = 0.5 - 0.5 * sqrt(depth), time = time_of_dip(depth);
        assert_true(time <= contact);
        assert_true(time > contact - 2e-3);
    }
    assert_true(time_of_dip(-0.5) == 1);
}

/* Two bodies that have one point in common, exactly: A's corner times its pose, a product of 60 bits, is B's corner,
   its first 53 bits, and B's translation, the others. In doubles they are about as often apart as not. */
static void bodies_that_touch_within_rounding_stay_at_the_start(void **state)
{
    (void)state;
    test_random random = test_random_start("bodies_that_touch_within_rounding_stay_at_the_start", 5);
    const uint32_t corners[3] = {0, 1, 2};
    int apart = 0;
    for (int round = 0; round < TEST_ROUNDS(400); round++)
    {
        double of_a[3][3], of_b[3][3];
        graze_pose pose_a = graze_pose_identity(), pose_b = graze_pose_identity();
        for (int k = 0; k < 3; k++)
        {
            double m = 1 + ldexp(random_below(&random, 1 << 30), -30),
                   x = 1 + ldexp(random_below(&random, 1 << 30), -30);
            pose_a.m[5 * k] = m;
            of_b[0][k] = m * x;
            pose_b.m[4 * k + 3] = fma(m, x, -of_b[0][k]);
            for (int i = 0; i < 3; i++) /* A below the point, B above it */
            {
                of_a[i][k] = i == 0 ? x : x - random_real(&random, 0.5, 1);
                of_b[i][k] = i == 0 ? of_b[0][k] : of_b[0][k] + random_real(&random, 0.5, 1);
            }
        }
        graze_moving_mesh a = {mesh_of(of_a, 3, corners, 3), NULL, NULL, {0}},
                          b = {mesh_of(of_b, 3, corners, 3), NULL, NULL, {0}};
        assert_int_equal(graze_motion_still(&pose_a, &a.motion), GRAZE_STATUS_OK);
        assert_int_equal(graze_motion_still(&pose_b, &b.motion), GRAZE_STATUS_OK);
        assert_true(grz_hull_advance(&a, &b, 0) == 0);
        pose_b.m[3] += 0x1p-30; /* apart by more than rounding */
        pose_b.m[7] += 0x1p-30;
        pose_b.m[11] += 0x1p-30;
        assert_int_equal(graze_motion_still(&pose_b, &b.motion), GRAZE_STATUS_OK);
        apart += grz_hull_advance(&a, &b, 0) == 1;
        graze_mesh_destroy((graze_mesh *)(uintptr_t)a.mesh);
        graze_mesh_destroy((graze_mesh *)(uintptr_t)b.mesh);
    }
    assert_true(apart > TEST_ROUNDS(400) * 3 / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(it_ends_before_the_first_impact_of_all_pairs),
                                       cmocka_unit_test(what_dips_between_two_times_is_not_passed),
                                       cmocka_unit_test(bodies_that_touch_within_rounding_stay_at_the_start)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
