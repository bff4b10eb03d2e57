/* SPDX-License-Identifier: MIT */
/*
 * Scenes at the limits of the preconditions of shortcuts: spheres that just touch, matrices that stretch along no axis,
 * a mesh that changes while a separating plane is cached, solids while threads test ahead, gaps of exactly the
 * clearance.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "graze/generate.h"
#include "graze/scene_query.h"
#include "scene/scene.h"
#include "support/random.h"
#include "support/unit.h"

__extension__ typedef unsigned __int128 wide;

/* The square of a double between 2 and 2^40, times 2^102. */
static wide square_of(double x)
{
    wide mantissa = (wide)(x * 0x1p22);
    assert_true((double)mantissa * 0x1p-22 == x);
    return mantissa * mantissa;
}

/* Centres have coordinates of about 30 bits, so that their squared distance is exact; radii come from its root, some
   ulps more or less. */
static void balls_that_touch_are_not_apart(void **state)
{
    (void)state;
    test_random random = test_random_start("balls_that_touch_are_not_apart", 31);
    size_t just_touch = 0, just_apart = 0, apart = 0;
    for (int round = 0; round < 100000; round++)
    {
        grz_world_sphere a = {{0}, 0, 0}, b = {{0}, 0, 0};
        wide sum = 0;
        for (int axis = 0; axis < 3; axis++)
        {
            a.centre[axis] = random_between(&random, -(1 << 28), 1 << 28);
            b.centre[axis] = random_between(&random, -(1 << 28), 1 << 28);
            int64_t way = (int64_t)(a.centre[axis] - b.centre[axis]);
            sum = sum + (wide)(uint64_t)(way * way);
        }
        double reach = floor(sqrt((double)sum) * 0x1p22) * 0x1p-22;
        reach += 0x1p-22 * random_between(&random, -64, 64);
        a.radius = floor(reach * random_unit(&random));
        b.radius = reach - a.radius; /* exact */
        bool touch = sum << 44 <= square_of(reach);
        apart += grz_world_spheres_disjoint(&a, &b);
        just_touch += touch;
        just_apart += !touch;
        assert_false(touch && grz_world_spheres_disjoint(&a, &b));
    }
    printf("%zu just touch, %zu are just apart, %zu of which are seen to be\n", just_touch, just_apart, apart);
    assert_true(just_touch > 30000 && just_apart > 30000 && apart > 10000);
}

/* A matrix with nearly parallel rows stretches some unit vector by more than the length of any row. */
static void balls_hold_what_is_stretched_along_no_axis(void **state)
{
    (void)state;
    test_random random = test_random_start("balls_hold_what_is_stretched_along_no_axis", 37);
    size_t slanted = 0;
    graze_mesh *mesh;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 3, &mesh), GRAZE_STATUS_OK);
    const double *vertices = graze_mesh_vertices(mesh);
    for (int round = 0; round < 2000; round++)
    {
        graze_pose pose;
        long double longest = 0, farthest = 0;
        double spread = ldexp(1, -random_below(&random, 20));
        for (int i = 0; i < 12; i++)
            pose.m[i] = i % 4 == 3 ? random_real(&random, -9, 9) : 1 + spread * random_real(&random, -1, 1);
        graze_box box;
        grz_world_sphere ball;
        grz_world_bounds(mesh, &pose, &box, &ball);
        for (size_t v = 0; v < graze_mesh_vertex_count(mesh); v++)
        {
            long double square = 0;
            for (int axis = 0; axis < 3; axis++)
            {
                const double *m = pose.m + 4 * axis, *p = vertices + 3 * v;
                long double x = (long double)m[0] * p[0] + (long double)m[1] * p[1] + (long double)m[2] * p[2];
                square += (x + m[3] - ball.centre[axis]) * (x + m[3] - ball.centre[axis]);
                assert_true(box.lower[axis] <= x + m[3] && x + m[3] <= box.upper[axis]);
            }
            farthest = fmaxl(farthest, sqrtl(square));
        }
        for (int axis = 0; axis < 3; axis++)
            longest = fmaxl(longest, hypot(hypot(pose.m[4 * axis], pose.m[4 * axis + 1]), pose.m[4 * axis + 2]));
        slanted += farthest > 1.2L * longest;
        assert_true(farthest <= ball.radius);
    }
    printf("%zu of 2000 were longer than any row by a fifth\n", slanted);
    assert_true(slanted > 1000);
    graze_mesh_destroy(mesh);
}

static graze_object add(graze_scene *scene, const graze_mesh *mesh, const graze_tree *tree, double x, uint32_t flags)
{
    graze_object_def def = graze_object_def_default();
    graze_object name;
    def.mesh = mesh;
    def.tree = tree;
    def.flags = flags;
    def.pose = graze_pose_translation(x, 0, 0);
    assert_int_equal(graze_scene_add(scene, &def, &name), GRAZE_STATUS_OK);
    return name;
}

static size_t colliding(graze_scene *scene)
{
    graze_frame frame;
    assert_int_equal(graze_scene_update(scene, NULL, &frame), GRAZE_STATUS_OK);
    return frame.colliding;
}

/* The AABBs and spheres of two cubes on a diagonal overlap, the cubes do not: a separating plane is found. Then one
   grows in place, its tree refitted in place, so that only its stamp changes. */
static void grow_behind_a_plane(bool is_told)
{
    graze_mesh *mesh, *still;
    graze_tree *tree;
    graze_scene *scene;
    double vertices[3 * 200];
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 4, &mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 4, &still), GRAZE_STATUS_OK);
    size_t count = 3 * graze_mesh_vertex_count(mesh);
    assert_true(count <= sizeof vertices / sizeof *vertices);
    assert_int_equal(graze_tree_create(NULL, mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
    graze_object moving = add(scene, mesh, tree, 0, 0);
    add(scene, still, NULL, 0, 0);
    double quaternion[4] = {0.92388, 0, 0, 0.38268}; /* a rotation by 45 degrees */
    for (int frame = 0; frame < 12; frame++)
    {
        const double at[3] = {0.95 + 1e-4 * frame, 0.95, 0};
        graze_pose moved;
        assert_int_equal(graze_pose_from_quaternion(quaternion, at, &moved), GRAZE_STATUS_OK);
        assert_int_equal(graze_scene_move(scene, moving, &moved), GRAZE_STATUS_OK);
        assert_int_equal(colliding(scene), 0);
    }
    for (int i = 0; i < 2; i++) /* else nothing is tested */
        assert_non_null(grz_derived_support_table(scene->shared_data.data[i].derived));
    for (size_t i = 0; i < count; i++)
        vertices[i] = 1.5 * graze_mesh_vertices(mesh)[i];
    assert_int_equal(graze_mesh_move_vertices(mesh, vertices, 0, GRAZE_SCALAR_DOUBLE, NULL), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_refit(NULL, tree, mesh), GRAZE_STATUS_OK);
    const double place[3] = {0.95, 0.95, 0};
    graze_pose pose;
    assert_int_equal(graze_pose_from_quaternion(quaternion, place, &pose), GRAZE_STATUS_OK);
    assert_int_equal(is_told ? graze_scene_set_mesh(scene, moving, mesh, tree) : graze_scene_move(scene, moving, &pose),
                     GRAZE_STATUS_OK);
    assert_int_equal(colliding(scene), 1);
    graze_scene_destroy(scene);
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
    graze_mesh_destroy(still);
}

/* Also where the scene is not told that the mesh has changed, only moves it. */
static void planes_of_a_mesh_that_changed_are_not_believed(void **state)
{
    (void)state;
    grow_behind_a_plane(true);
    grow_behind_a_plane(false);
}

/* Gaps of two cubes: just below the clearance, exactly it, just above, where neither sum nor difference is a double. */
static void close_pairs_are_exact_at_the_clearance(void **state)
{
    (void)state;
    test_random random = test_random_start("close_pairs_are_exact_at_the_clearance", 41);
    graze_mesh *mesh;
    size_t close = 0, apart = 0;
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 1, &mesh), GRAZE_STATUS_OK);
    for (int round = 0; round < 3000; round++)
    {
        graze_scene *scene;
        graze_close_pair pair;
        size_t count;
        double shift = ldexp(random_real(&random, 1, 2), random_between(&random, 1, 50));
        double clearance = ldexp(random_real(&random, 1, 2), random_between(&random, -20, 20));
        double other = shift + 1 + clearance;
        for (int steps = random_between(&random, -2, 2); steps != 0; steps += steps < 0 ? 1 : -1)
            other = nextafter(other, steps < 0 ? 0 : DBL_MAX);
        assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
        add(scene, mesh, NULL, -shift, 0);
        add(scene, mesh, NULL, -other, 0);
        colliding(scene);
        assert_int_equal(graze_scene_close_pairs(scene, clearance, NULL, &pair, 1, &count), GRAZE_STATUS_OK);
        /* The gap other - shift - 1, as a sum of doubles without rounding: these are at most 2^51 apart. */
        long double gap = (long double)other - shift - 1;
        assert_int_equal(count, gap <= clearance);
        close += count;
        apart += count == 0;
        graze_scene_destroy(scene);
    }
    printf("%zu within the clearance, %zu beyond\n", close, apart);
    assert_true(close > 800 && apart > 800);
    graze_mesh_destroy(mesh);
}

/* A cube of twelve triangles without shared vertices, closed only by equal coordinates. */
static graze_mesh *make_soup(double half)
{
    static const uint32_t corners[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                         2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    double vertices[108];
    uint32_t own[36];
    for (uint32_t c = 0; c < 36; c++)
    {
        own[c] = c;
        for (int axis = 0; axis < 3; axis++)
            vertices[3 * c + (uint32_t)axis] = (corners[c] >> axis & 1) != 0 ? half : -half;
    }
    graze_mesh_def def = graze_mesh_def_default();
    graze_mesh *mesh;
    def.vertices = vertices;
    def.vertex_count = 36;
    def.corners = own;
    def.corner_count = 36;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

/* A tiny mesh approaches the surface of a solid from both sides; then one vertex of the solid moves, and it is no
   longer closed. */
static void bodies_hold_what_lies_in_them_up_to_the_surface(void **state)
{
    (void)state;
    graze_mesh *cube = make_soup(4), *speck = make_soup(0x1p-40);
    graze_scene *scene;
    assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
    graze_object body = add(scene, cube, NULL, 0, GRAZE_OBJECT_SOLID), small = add(scene, speck, NULL, 0, 0);
    for (int axis = 0; axis < 3; axis++)
        for (int step = -4; step <= 4; step++)
            for (int side = -1; side <= 1; side++)
            {
                graze_pose pose = graze_pose_identity();
                pose.m[4 * axis + 3] = side * (4 + step * 0x1p-40);
                assert_int_equal(graze_scene_move(scene, small, &pose), GRAZE_STATUS_OK);
                assert_int_equal(colliding(scene), side == 0 || step <= 1); /* from -1 to 1 it touches the surface */
            }
    graze_pose pose = graze_pose_translation(1, 1, 1);
    assert_int_equal(graze_scene_move(scene, small, &pose), GRAZE_STATUS_OK);
    assert_int_equal(colliding(scene), 1);
    double vertices[108];
    for (int i = 0; i < 108; i++)
        vertices[i] = graze_mesh_vertices(cube)[i];
    vertices[0] = nextafter(vertices[0], 9);
    assert_int_equal(graze_mesh_move_vertices(cube, vertices, 0, GRAZE_SCALAR_DOUBLE, NULL), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_set_mesh(scene, body, cube, NULL), GRAZE_STATUS_OK);
    assert_int_equal(colliding(scene), 0);
    graze_scene_destroy(scene);
    graze_mesh_destroy(cube);
    graze_mesh_destroy(speck);
}

static void run_backwards(void *user, size_t count, void (*task)(void *argument, size_t index), void *argument)
{
    (void)user;
    for (size_t i = count; i-- > 0;)
        task(argument, i);
}

enum
{
    OTHERS = 4200 /* without a mesh: so many that placing runs in parallel, before tests ahead */
};

/* Pairs with solids are tested ahead too: the bodies of meshes that are new in this frame are made then. */
static void bodies_are_made_while_pairs_are_tested_ahead(void **state)
{
    (void)state;
    graze_context context = {0};
    context.tasks.run = run_backwards;
    context.tasks.concurrency = 2;
    graze_mesh *large, *larger, *small;
    static graze_object others[OTHERS];
    graze_object body = {0, 0};
    graze_scene *scene;
    graze_object name = {0, 0};
    assert_int_equal(graze_mesh_create_box(NULL, 8, 8, 8, 1, &large), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 9, 9, 9, 1, &larger), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 0.1, 0.1, 0.1, 1, &small), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_create(&context, NULL, &scene), GRAZE_STATUS_OK);
    for (int i = 0; i < 12; i++)
        name = add(scene, small, NULL, 0.2 * i, 0);
    for (int i = 0; i < OTHERS; i++)
        others[i] = add(scene, NULL, NULL, 0, 0);
    for (int frame = 0; frame < 4; frame++)
    {
        graze_pose pose = graze_pose_translation(2.3 + 0.001 * frame, 0, 0);
        assert_int_equal(graze_scene_move(scene, name, &pose), GRAZE_STATUS_OK);
        for (int i = 0; i < OTHERS; i++)
            assert_int_equal(graze_scene_move(scene, others[i], &pose), GRAZE_STATUS_OK);
        if (frame == 1)
            body = add(scene, large, NULL, 0, GRAZE_OBJECT_SOLID);
        if (frame == 2) /* a mesh without a body yet */
            assert_int_equal(graze_scene_set_mesh(scene, body, larger, NULL), GRAZE_STATUS_OK);
        graze_frame report;
        assert_int_equal(graze_scene_update(scene, NULL, &report), GRAZE_STATUS_OK);
        assert_int_equal(report.colliding, frame == 0 ? 0 : 12);
    }
    graze_scene_destroy(scene);
    graze_mesh_destroy(large);
    graze_mesh_destroy(larger);
    graze_mesh_destroy(small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(balls_that_touch_are_not_apart),
                                       cmocka_unit_test(balls_hold_what_is_stretched_along_no_axis),
                                       cmocka_unit_test(planes_of_a_mesh_that_changed_are_not_believed),
                                       cmocka_unit_test(close_pairs_are_exact_at_the_clearance),
                                       cmocka_unit_test(bodies_hold_what_lies_in_them_up_to_the_surface),
                                       cmocka_unit_test(bodies_are_made_while_pairs_are_tested_ahead)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
