/* SPDX-License-Identifier: MIT */
/*
 * docs/environments.md, for broad phases, scenes and their queries. All coordinates are integers times a power of two,
 * so that every answer is computed with integers; at 2^-1074 each of them is denormal, and flushing would lose it. Each
 * frame runs in another floating-point environment than the one before.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/bits.h"
#include "graze/broad_phase.h"
#include "graze/scene.h"
#include "graze/scene_query.h"
#include "support/environment.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/unit.h"

enum
{
    COUNT = 24,
    SIDE = 2,
    ROOM = 9,
    FRAMES = 5,
    MOST_PAIRS = COUNT * COUNT
};

typedef struct whole_box
{
    int lower[3], upper[3];
} whole_box;

static double scaled(int value, int power)
{
    return grz_scale(value, power);
}

static graze_box box_of(const whole_box *box, int power)
{
    graze_box out;
    for (int axis = 0; axis < 3; axis++)
    {
        out.lower[axis] = scaled(box->lower[axis], power);
        out.upper[axis] = scaled(box->upper[axis], power);
    }
    return out;
}

static graze_pose pose_of(const whole_box *box, int power)
{
    graze_pose pose = graze_pose_identity();
    for (int axis = 0; axis < 3; axis++)
        pose.m[4 * axis + 3] = scaled(box->lower[axis], power);
    return pose;
}

/* Squared distance of two boxes. */
static int gap_sq(const whole_box *x, const whole_box *y)
{
    int sum = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        int gap = x->lower[axis] > y->upper[axis]   ? x->lower[axis] - y->upper[axis]
                  : y->lower[axis] > x->upper[axis] ? y->lower[axis] - x->upper[axis]
                                                    : 0;
        sum += gap * gap;
    }
    return sum;
}

/* Cubes, or boxes with sides from 0 to 2 * SIDE. */
static void place(test_random *random, bool cubes, whole_box *box)
{
    for (int axis = 0; axis < 3; axis++)
    {
        box->lower[axis] = (int)random_below(random, 2 * ROOM + 1) - ROOM;
        box->upper[axis] = box->lower[axis] + (cubes ? SIDE : (int)random_below(random, 2 * SIDE + 1));
    }
}

static void check_boxes(graze_broad_phase *broad, const whole_box *boxes, int power, const char *where)
{
    static graze_box_pair pairs[MOST_PAIRS];
    size_t count = 0, expected = 0;
    graze_broad_phase_gather(broad, pairs, MOST_PAIRS, &count);
    for (uint32_t a = 0; a < COUNT; a++)
    {
        for (uint32_t b = a + 1; b < COUNT; b++)
        {
            if (gap_sq(&boxes[a], &boxes[b]) > 0)
                continue;
            if (expected >= count || pairs[expected].a != a || pairs[expected].b != b)
                fail_msg("%s: pair %u %u, power %d, %s",
                         graze_broad_phase_method_name(graze_broad_phase_method_used(broad)), a, b, power, where);
            expected++;
        }
    }
    assert_int_equal(count, expected);
}

static void check_in_box(graze_broad_phase *broad, const whole_box *boxes, const whole_box *asked, int power,
                         int number)
{
    uint32_t ids[COUNT];
    size_t count = 0, expected = 0;
    saved_environment saved;
    environment_enter(&saved, number);
    graze_box box = box_of(asked, power);
    graze_broad_phase_collide_box(broad, &box, ids, COUNT, &count);
    environment_leave(&saved);
    for (uint32_t id = 0; id < COUNT; id++)
        if (gap_sq(&boxes[id], asked) == 0 && (expected >= count || ids[expected++] != id))
            fail_msg("in box: %s, power %d, %s", graze_broad_phase_method_name(graze_broad_phase_method_used(broad)),
                     power, environment_name(number));
    assert_int_equal(count, expected);
}

static void run_boxes(test_random *random, graze_broad_phase_method method, int power, int number)
{
    graze_broad_phase_def def = graze_broad_phase_def_default();
    def.method = method;
    graze_broad_phase *broad;
    assert_int_equal(graze_broad_phase_create(NULL, &def, &broad), GRAZE_STATUS_OK);
    whole_box boxes[COUNT], asked;
    for (int frame = 0; frame < FRAMES; frame++)
    {
        int now = (number + 3 * frame) % ENVIRONMENTS;
        saved_environment saved;
        environment_enter(&saved, now);
        for (uint32_t id = 0; id < COUNT; id++)
        {
            if (frame > 0 && !random_once_in(random, 3))
                continue;
            place(random, false, &boxes[id]);
            graze_box box = box_of(&boxes[id], power);
            if (frame == 0)
                graze_broad_phase_insert(broad, id, &box);
            else
                graze_broad_phase_move(broad, id, &box);
        }
        graze_status status = graze_broad_phase_update(broad, NULL);
        environment_leave(&saved);
        assert_int_equal(status, GRAZE_STATUS_OK);
        check_boxes(broad, boxes, power, environment_name(now));
        place(random, false, &asked);
        check_in_box(broad, boxes, &asked, power, (now + 5) % ENVIRONMENTS);
    }
    graze_broad_phase_destroy(broad);
}

static void broad_phases_find_the_same_pairs_in_every_environment(void **state)
{
    (void)state;
    test_random random = test_random_start("broad_phases_find_the_same_pairs_in_every_environment", 31);
    static const int powers[] = {0, -1074, -1060, 900};
    for (size_t i = 0; i < sizeof powers / sizeof *powers; i++)
        for (int method = GRAZE_BROAD_PHASE_BRUTE_FORCE; method < GRAZE_BROAD_PHASE_METHOD_COUNT; method++)
            for (int number = 0; number < ENVIRONMENTS; number++)
                run_boxes(&random, (graze_broad_phase_method)method, powers[i], number);
}

/* Checks a scene of cubes, and its queries. */
typedef struct answers
{
    size_t colliding, met_box, met_point, met_ray, close;
    graze_nearest_object nearest;
} answers;

static whole_box point_box(const whole_box *box)
{
    whole_box point = *box;
    for (int axis = 0; axis < 3; axis++)
        point.upper[axis] = point.lower[axis];
    return point;
}

static void ask(graze_scene *scene, const whole_box *asked, int power, answers *out)
{
    static graze_object_hit object_hits[COUNT];
    static graze_ray_hit hits[COUNT];
    static graze_close_pair pairs[MOST_PAIRS];
    graze_box box = box_of(asked, power);
    const double along_y[3] = {0, scaled(1, power), 0};
    graze_scene_collide_box(scene, &box, NULL, NULL, object_hits, COUNT, &out->met_box);
    graze_scene_collide_point(scene, box.lower, NULL, NULL, object_hits, COUNT, &out->met_point);
    graze_scene_cast_ray(scene, box.lower, along_y, INFINITY, NULL, NULL, hits, COUNT, &out->met_ray);
    graze_scene_close_pairs(scene, scaled(1, power), NULL, pairs, MOST_PAIRS, &out->close);
    graze_scene_nearest_to_point(scene, box.lower, INFINITY, NULL, NULL, &out->nearest);
}

/* Squared distance of a point from the surface of a cube. */
static int surface_sq(const whole_box *cube, const whole_box *point)
{
    int least = SIDE, apart = gap_sq(cube, point);
    for (int axis = 0; axis < 3; axis++)
    {
        int below = point->lower[axis] - cube->lower[axis], above = cube->upper[axis] - point->lower[axis];
        least = below < least ? below : least;
        least = above < least ? above : least;
    }
    return apart > 0 ? apart : least * least;
}

static bool meets_ray(const whole_box *cube, const whole_box *from)
{
    for (int axis = 0; axis < 3; axis += 2)
        if (from->lower[axis] < cube->lower[axis] || from->lower[axis] > cube->upper[axis])
            return false;
    return from->lower[1] <= cube->upper[1];
}

static void check_answers(const whole_box *cubes, const whole_box *asked, int power, const answers *given)
{
    size_t colliding = 0, met_box = 0, met_point = 0, met_ray = 0, close = 0;
    whole_box point = point_box(asked);
    int nearest = 1 << 20;
    for (int a = 0; a < COUNT; a++)
    {
        met_box += gap_sq(&cubes[a], asked) == 0;
        met_point += gap_sq(&cubes[a], &point) == 0;
        met_ray += meets_ray(&cubes[a], &point);
        nearest = surface_sq(&cubes[a], &point) < nearest ? surface_sq(&cubes[a], &point) : nearest;
        for (int b = a + 1; b < COUNT; b++)
        {
            colliding += gap_sq(&cubes[a], &cubes[b]) == 0;
            close += gap_sq(&cubes[a], &cubes[b]) <= 1;
        }
    }
    assert_int_equal(given->colliding, colliding);
    assert_int_equal(given->met_box, met_box);
    assert_int_equal(given->met_point, met_point);
    assert_int_equal(given->met_ray, met_ray);
    assert_int_equal(given->close, close);
    /* Bounds in units of the least coordinate: exact, since there is room for them; the ends may differ by one
       denormal. */
    double off = power < -1060 ? 1 : 0, lower = grz_scale(given->nearest.distance.lower, -power) - off,
           upper = grz_scale(given->nearest.distance.upper, -power) + off;
    assert_true(given->nearest.distance.found);
    assert_true((lower <= 0 || lower * lower <= nearest) && upper * upper >= nearest);
    assert_true(upper - lower <= 4 * off + 1e-6);
}

static void run_scene(test_random *random, graze_broad_phase_method method, int power, int number)
{
    test_mesh cube = {0};
    mesh_add_cube(&cube, 0, 0, 0, SIDE);
    graze_scene_def def = graze_scene_def_default();
    def.broad_phase = method;
    graze_scene *scene;
    assert_int_equal(graze_scene_create(NULL, &def, &scene), GRAZE_STATUS_OK);
    graze_object names[COUNT];
    whole_box cubes[COUNT], asked;
    graze_mesh *mesh = mesh_create_scaled(&cube, power);
    for (int frame = 0; frame < FRAMES; frame++)
    {
        saved_environment saved;
        environment_enter(&saved, (number + 3 * frame) % ENVIRONMENTS);
        for (int i = 0; i < COUNT; i++)
        {
            if (frame > 0 && !random_once_in(random, 3))
                continue;
            place(random, true, &cubes[i]);
            graze_object_def object = graze_object_def_default();
            object.mesh = mesh;
            object.pose = pose_of(&cubes[i], power);
            object.flags = GRAZE_OBJECT_SOLID;
            if (frame == 0)
                graze_scene_add(scene, &object, &names[i]);
            else
                graze_scene_move(scene, names[i], &object.pose);
        }
        graze_frame found;
        graze_status status = graze_scene_update(scene, NULL, &found);
        answers given = {.colliding = found.colliding};
        place(random, false, &asked);
        ask(scene, &asked, power, &given);
        environment_leave(&saved);
        assert_int_equal(status, GRAZE_STATUS_OK);
        check_answers(cubes, &asked, power, &given);
    }
    graze_scene_destroy(scene);
    graze_mesh_destroy(mesh);
}

static void scenes_answer_the_same_in_every_environment(void **state)
{
    (void)state;
    test_random random = test_random_start("scenes_answer_the_same_in_every_environment", 32);
    static const int powers[] = {0, -1074, 400};
    for (size_t i = 0; i < sizeof powers / sizeof *powers; i++)
        for (int number = 0; number < ENVIRONMENTS; number++)
            run_scene(&random, GRAZE_BROAD_PHASE_AUTO, powers[i], number);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(broad_phases_find_the_same_pairs_in_every_environment),
        cmocka_unit_test(scenes_answer_the_same_in_every_environment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
