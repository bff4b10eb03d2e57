/* SPDX-License-Identifier: MIT */
/*
 * Continuous updates report what comparing every pair over the step does: the slow twin asks graze_pair_impact for each
 * pair, and graze_pair_any at both ends. Random motions of all kernel kinds, for every broad phase and number of
 * threads, each update in another floating-point environment; bullets through sheets; a thousand samples of each step.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graze/generate.h"
#include "graze/motion_query.h"
#include "graze/scene.h"
#include "graze/tasks.h"
#include "support/environment.h"
#include "support/random.h"
#include "support/scene_meshes.h"
#include "support/unit.h"

enum
{
    COUNT = 12,
    FRAMES = 1 + TEST_ROUNDS(5),
    SAMPLES = TEST_ROUNDS(1000),
    SAMPLED = 9 /* objects */
};

typedef struct fixture
{
    scene_meshes scene_meshes;
    graze_pool *pool;
} fixture;

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    scene_meshes_make(&f->scene_meshes);
    assert_int_equal(graze_pool_create(NULL, 3, &f->pool), GRAZE_STATUS_OK);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    scene_meshes_release(&f->scene_meshes);
    graze_pool_destroy(f->pool);
    free(f);
    return 0;
}

typedef struct world
{
    graze_scene *scene;
    graze_object names[COUNT];
    graze_placed_mesh placed[COUNT]; /* as of the last update */
    int parents[COUNT];              /* -1: none */
    bool collides[COUNT][COUNT];
    uint64_t begins, ends, passes, stays, sampled;
    uint64_t hash;
    int environment; /* of the next update */
} world;

static void stir(world *w, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++)
        w->hash = (w->hash ^ bytes[i]) * UINT64_C(0x100000001b3);
}

/* A motion of any kernel kind from about where the object is. */
static graze_motion random_motion(test_random *random, const graze_pose *from)
{
    graze_pose to = scene_random_pose(random, 3);
    graze_motion motion;
    int kind = random_below(random, 4);
    if (random_once_in(random, 2))
        for (int k = 0; k < 12; k++)
            to.m[k] = k % 4 == 3 ? from->m[k] + random_real(random, -2, 2) : from->m[k];
    assert_int_equal(graze_motion_between(from, &to, kind == 0 ? GRAZE_MOTION_BLEND : GRAZE_MOTION_TURN, &motion, NULL),
                     GRAZE_STATUS_OK);
    if (kind == 3)
    {
        motion.kind = GRAZE_MOTION_BALLISTIC_TURN;
        for (int k = 0; k < 3; k++)
            motion.path[2][k] = random_real(random, -1, 1);
    }
    return motion;
}

static void move_one(test_random *random, world *w, int i)
{
    int what = random_below(random, 8);
    graze_pose pose = w->placed[i].pose;
    if (w->parents[i] >= 0)
        pose = scene_random_pose(random, 1);
    else if (what < 3)
        pose = scene_random_pose(random, 3);
    else
        for (int k = 3; k < 12; k += 4)
            pose.m[k] += random_real(random, -3, 3);
    if (what < 5)
        assert_int_equal(graze_scene_move(w->scene, w->names[i], &pose), GRAZE_STATUS_OK);
    else if (w->parents[i] >= 0)
    {
        graze_motion motion = random_motion(random, &w->placed[i].pose);
        assert_int_equal(graze_scene_move_along(w->scene, w->names[i], &motion), GRAZE_STATUS_UNSUPPORTED);
    }
    else if (what < 7)
    {
        graze_motion motion = random_motion(random, &w->placed[i].pose);
        assert_int_equal(graze_scene_move_along(w->scene, w->names[i], &motion), GRAZE_STATUS_OK);
    }
}

static bool are_colliding(const world *w, int a, int b)
{
    bool found;
    assert_int_equal(graze_pair_any(NULL, &w->placed[a], &w->placed[b], NULL, &found, NULL), GRAZE_STATUS_OK);
    return found;
}

static graze_moving_mesh moving(const world *w, int i)
{
    graze_moving_mesh mesh = {.mesh = w->placed[i].mesh, .tree = w->placed[i].tree};
    assert_int_equal(graze_scene_step_motion(w->scene, w->names[i], &mesh.motion), GRAZE_STATUS_OK);
    return mesh;
}

/* The event that a pair should have; returns false if none. */
static bool expected_event(world *w, int a, int b, graze_event *out)
{
    bool before = w->collides[a][b], now = are_colliding(w, a, b);
    *out = (graze_event){.has_time = true};
    w->collides[a][b] = now;
    out->kind = before ? (now ? GRAZE_EVENT_STAY : GRAZE_EVENT_END) : (now ? GRAZE_EVENT_BEGIN : GRAZE_EVENT_PASS);
    if (before)
        return true;
    graze_moving_mesh first = moving(w, a), second = moving(w, b);
    graze_impact impact;
    assert_int_equal(graze_pair_impact(NULL, &first, &second, NULL, &impact), GRAZE_STATUS_OK);
    out->time_lower = impact.verdict == GRAZE_IMPACT_AT ? impact.lower : 1;
    out->time_upper = impact.verdict == GRAZE_IMPACT_AT ? impact.upper : 1;
    if (!now)
        out->witness = impact.hit;
    return now || impact.verdict == GRAZE_IMPACT_AT;
}

static void check_event(world *w, const graze_event *event, const graze_event *expected, int a, int b)
{
    assert_int_equal(event->a.index, w->names[a].index);
    assert_int_equal(event->b.index, w->names[b].index);
    assert_int_equal(event->kind, expected->kind);
    assert_true(event->has_time);
    assert_true(event->time_lower == expected->time_lower && event->time_upper == expected->time_upper);
    bool ends = event->kind == GRAZE_EVENT_END || event->kind == GRAZE_EVENT_PASS;
    assert_int_equal(event->has_end_time, ends);
    if (ends)
        assert_true(event->time_lower <= event->end_lower && event->end_lower <= event->end_upper &&
                    event->end_upper <= 1 && event->end_upper - event->end_lower < 0x1p-50);
    assert_int_equal(event->has_witness, event->kind != GRAZE_EVENT_END);
    if (event->kind == GRAZE_EVENT_PASS)
        assert_memory_equal(&event->witness, &expected->witness, sizeof event->witness);
    w->begins += event->kind == GRAZE_EVENT_BEGIN;
    w->stays += event->kind == GRAZE_EVENT_STAY;
    w->ends += event->kind == GRAZE_EVENT_END;
    w->passes += event->kind == GRAZE_EVENT_PASS;
    const double times[] = {event->time_lower, event->time_upper, event->end_lower, event->end_upper};
    stir(w, &event->kind, sizeof event->kind);
    stir(w, times, sizeof times);
}

/* Motions begin and end where the objects were and are. */
static void check_motions(world *w, const graze_placed_mesh *before)
{
    for (int i = 0; i < COUNT; i++)
    {
        graze_moving_mesh mesh = moving(w, i);
        graze_pose start, end;
        assert_int_equal(graze_motion_pose(&mesh.motion, 0, &start, NULL), GRAZE_STATUS_OK);
        assert_int_equal(graze_motion_pose(&mesh.motion, 1, &end, NULL), GRAZE_STATUS_OK);
        for (int k = 0; k < 12; k++)
        {
            assert_true(fabs(end.m[k] - w->placed[i].pose.m[k]) < 1e-12);
            if (before[i].mesh != NULL)
                assert_true(fabs(start.m[k] - before[i].pose.m[k]) < 1e-12);
        }
    }
}

static void expect_frame(world *w, const graze_update_options *options)
{
    graze_frame frame;
    graze_placed_mesh before[COUNT];
    saved_environment saved;
    memcpy(before, w->placed, sizeof before);
    environment_enter(&saved, w->environment++ % ENVIRONMENTS);
    graze_status status = graze_scene_update(w->scene, options, &frame);
    environment_leave(&saved);
    assert_int_equal(status, GRAZE_STATUS_OK);
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(graze_scene_placed_mesh(w->scene, w->names[i], &w->placed[i], NULL), GRAZE_STATUS_OK);
    check_motions(w, before);
    size_t next = 0, passes = 0;
    for (int a = 0; a < COUNT; a++)
        for (int b = a + 1; b < COUNT; b++)
        {
            graze_event expected;
            if (w->parents[b] == a || !expected_event(w, a, b, &expected))
                continue;
            assert_true(next < frame.event_count);
            check_event(w, &frame.events[next], &expected, a, b);
            passes += frame.events[next++].kind == GRAZE_EVENT_PASS;
        }
    assert_int_equal(next, frame.event_count);
    assert_int_equal(passes, frame.pass_count);
    assert_int_equal(frame.undecided_count, 0);
}

static void make_world(const fixture *f, test_random *random, const graze_scene_def *def, const graze_context *context,
                       world *w)
{
    *w = (world){.scene = NULL};
    assert_int_equal(graze_scene_create(context, def, &w->scene), GRAZE_STATUS_OK);
    for (int i = 0; i < COUNT; i++)
    {
        graze_object_def object = graze_object_def_default();
        w->parents[i] = i % 5 == 4 ? i - 1 : -1;
        object.mesh = f->scene_meshes.meshes[i % SCENE_MESHES];
        object.tree = f->scene_meshes.trees[i % SCENE_MESHES];
        object.pose = scene_random_pose(random, w->parents[i] >= 0 ? 1 : 3);
        if (w->parents[i] >= 0)
            object.parent = w->names[w->parents[i]];
        assert_int_equal(graze_scene_add(w->scene, &object, &w->names[i]), GRAZE_STATUS_OK);
    }
}

static uint64_t run_script(const fixture *f, graze_broad_phase_method method, bool threads, uint64_t seed,
                           uint64_t *out_passes)
{
    test_random random = {seed};
    graze_context context = graze_context_default();
    graze_scene_def def = graze_scene_def_default();
    graze_update_options options = graze_update_options_default();
    world w;
    def.broad_phase = method;
    options.continuous = true;
    if (threads)
        context.tasks = graze_pool_tasks(f->pool);
    make_world(f, &random, &def, &context, &w);
    for (int frame = 0; frame < FRAMES; frame++)
    {
        for (int i = 0; i < COUNT && frame > 0; i++)
            if (random_once_in(&random, 2))
                move_one(&random, &w, i);
        if (frame % 5 == 4) /* one that is not: its events are checked elsewhere */
        {
            assert_int_equal(graze_scene_update(w.scene, NULL, NULL), GRAZE_STATUS_OK);
            for (int i = 0; i < COUNT; i++)
                assert_int_equal(graze_scene_placed_mesh(w.scene, w.names[i], &w.placed[i], NULL), GRAZE_STATUS_OK);
            for (int a = 0; a < COUNT; a++)
                for (int b = a + 1; b < COUNT; b++)
                    w.collides[a][b] = are_colliding(&w, a, b);
            continue;
        }
        expect_frame(&w, &options);
    }
    printf("%s, %s: %d begins, %d stays, %d ends, %d passes\n", graze_broad_phase_method_name(method),
           threads ? "3 threads" : "1 thread", (int)w.begins, (int)w.stays, (int)w.ends, (int)w.passes);
    assert_true(w.begins > 0);
    *out_passes += w.passes;
    graze_scene_destroy(w.scene);
    return w.hash;
}

static void events_are_those_of_every_pair_over_the_step(void **state)
{
    test_random random = test_random_start("events_are_those_of_every_pair_over_the_step", 19);
    uint64_t passes = 0;
    for (int method = 0; method < GRAZE_BROAD_PHASE_METHOD_COUNT; method++)
    {
        uint64_t seed = random_next(&random);
        uint64_t hash = run_script(*state, (graze_broad_phase_method)method, false, seed, &passes);
        if (method < 1)
            assert_true(hash == run_script(*state, (graze_broad_phase_method)method, true, seed, &passes));
    }
    assert_true(passes > 4 * FRAMES);
}

/* Whether a sample of the step shows a contact. */
static bool sample_collides(const graze_moving_mesh *a, const graze_moving_mesh *b, int samples, double *out_time)
{
    for (int i = 0; i <= samples; i++)
    {
        graze_placed_mesh x = {a->mesh, a->tree, graze_pose_identity()}, y = {b->mesh, b->tree, graze_pose_identity()};
        bool found;
        *out_time = i / (double)samples;
        assert_int_equal(graze_motion_pose(&a->motion, *out_time, &x.pose, NULL), GRAZE_STATUS_OK);
        assert_int_equal(graze_motion_pose(&b->motion, *out_time, &y.pose, NULL), GRAZE_STATUS_OK);
        assert_int_equal(graze_pair_any(NULL, &x, &y, NULL, &found, NULL), GRAZE_STATUS_OK);
        if (found)
            return true;
    }
    return false;
}

static void a_thousand_samples_find_nothing_that_was_missed(void **state)
{
    test_random random = test_random_start("a_thousand_samples_find_nothing_that_was_missed", 4);
    graze_update_options options = graze_update_options_default();
    options.continuous = true;
    world w;
    int passes = 0, found = 0;
    make_world(*state, &random, NULL, NULL, &w);
    for (int frame = 0; frame < 2; frame++)
    {
        graze_frame report;
        for (int i = 0; i < COUNT && frame > 0; i++)
            move_one(&random, &w, i);
        assert_int_equal(graze_scene_update(w.scene, &options, &report), GRAZE_STATUS_OK);
        for (int i = 0; i < COUNT; i++)
            assert_int_equal(graze_scene_placed_mesh(w.scene, w.names[i], &w.placed[i], NULL), GRAZE_STATUS_OK);
        passes += (int)report.pass_count;
        size_t next = 0;
        for (int a = 0; a < COUNT; a++)
            for (int b = a + 1; b < COUNT; b++)
            {
                const graze_event *event = next < report.event_count ? &report.events[next] : NULL;
                bool has_event =
                    event != NULL && event->a.index == w.names[a].index && event->b.index == w.names[b].index;
                next += has_event;
                graze_moving_mesh x = moving(&w, a), y = moving(&w, b);
                double time;
                if (frame == 0 || b >= SAMPLED || w.parents[b] == a || !sample_collides(&x, &y, SAMPLES, &time))
                    continue;
                found++;
                assert_true(has_event);
                assert_true(event->time_lower <= time); /* an end too: at its start */
            }
        assert_int_equal(next, report.event_count);
    }
    printf("%d contacts in samples, %d passes\n", found, passes);
    assert_true(found > 4 && passes > 2);
    graze_scene_destroy(w.scene);
}

/* About a millimetre, at 1 km/s, through a hundredth of a millimetre in one step of 1/60 s; and past its edge. */
static void a_bullet_does_not_fly_through_a_sheet(void **state)
{
    (void)state;
    graze_mesh *bullet, *sheet;
    graze_scene *scene;
    graze_object flying, standing;
    graze_frame frame;
    graze_update_options options = graze_update_options_default();
    assert_int_equal(graze_mesh_create_box(NULL, 0x1p-10, 0x1p-10, 0x1p-10, 1, &bullet), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 0.00001, 1, 1, 1, &sheet), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
    graze_object_def def = graze_object_def_default();
    def.mesh = sheet;
    assert_int_equal(graze_scene_add(scene, &def, &standing), GRAZE_STATUS_OK);
    def.mesh = bullet;
    def.pose = graze_pose_translation(-8, 0.25, 0.125);
    assert_int_equal(graze_scene_add(scene, &def, &flying), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_update(scene, &options, &frame), GRAZE_STATUS_OK);
    for (int y = 0; y < 3; y++) /* within the sheet, touching its edge from outside, and past it */
    {
        double height = y == 0 ? 0.25 : 0.5 + 0x1p-11 + (y == 1 ? 0 : 0x1p-50);
        for (int discrete = 0; discrete < 2; discrete++)
        {
            graze_pose from = graze_pose_translation(-8, height, 0.125);
            graze_pose to = graze_pose_translation(-8 + 1000.0 / 60, height, 0.125);
            options.continuous = false;
            assert_int_equal(graze_scene_move(scene, flying, &from), GRAZE_STATUS_OK);
            assert_int_equal(graze_scene_update(scene, &options, &frame), GRAZE_STATUS_OK);
            assert_int_equal(frame.event_count, 0);
            options.continuous = discrete == 0;
            assert_int_equal(graze_scene_move(scene, flying, &to), GRAZE_STATUS_OK);
            assert_int_equal(graze_scene_update(scene, &options, &frame), GRAZE_STATUS_OK);
            assert_int_equal(frame.event_count, discrete == 0 && y < 2);
            if (frame.event_count == 0)
                continue;
            assert_int_equal(frame.events[0].kind, GRAZE_EVENT_PASS);
            double time = (8 - 0x1p-11 - 0.000005) / (1000.0 / 60); /* its front at the front of the sheet */
            assert_true(fabs(frame.events[0].time_lower - time) < 1e-12);
            assert_true(nextafter(frame.events[0].time_lower, 1) >= frame.events[0].time_upper);
        }
    }
    graze_scene_destroy(scene);
    graze_mesh_destroy(bullet);
    graze_mesh_destroy(sheet);
}

/* Whatever the budget: what collides after the step has an event once that is known, if not its time; what is apart is
   undecided until the step is known. Later updates decide where they stand. */
static void a_budget_that_ends_within_the_step_is_said(void **state)
{
    (void)state;
    graze_mesh *box;
    int undecided[2] = {0, 0}, unknown_times = 0, known_times = 0, none = 0;
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 10, &box), GRAZE_STATUS_OK);
    for (int round = 0; round < 400; round++)
    {
        int far = round % 2;
        graze_scene *scene;
        graze_object object;
        graze_frame frame;
        graze_object_def def = graze_object_def_default();
        graze_update_options options = graze_update_options_default();
        graze_pose moved = graze_pose_translation(far ? 1.22 : 0.5, 0.25, 0.125);
        moved.m[0] = moved.m[5] = moved.m[4] = sqrt(0.5); /* spheres around the boxes meet in any case */
        moved.m[1] = -sqrt(0.5);
        options.continuous = true;
        def.mesh = box;
        assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
        assert_int_equal(graze_scene_add(scene, &def, &object), GRAZE_STATUS_OK);
        def.pose = graze_pose_translation(far ? 2 : -2, 0.25, 0.125);
        assert_int_equal(graze_scene_add(scene, &def, &object), GRAZE_STATUS_OK);
        assert_int_equal(graze_scene_update(scene, &options, NULL), GRAZE_STATUS_OK);
        assert_int_equal(graze_scene_move(scene, object, &moved), GRAZE_STATUS_OK);
        options.budget.box_tests = round < 390 ? 1 + (uint64_t)(round / 2) * (uint64_t)(round / 2) : 1000000;
        assert_int_equal(graze_scene_update(scene, &options, &frame), GRAZE_STATUS_OK);
        undecided[far] += (int)frame.undecided_count;
        if (frame.undecided_count > 0)
            assert_true(frame.undecided[0].reason == GRAZE_UNDECIDED_BUDGET && frame.event_count == 0);
        else if (far)
            none += frame.event_count == 0;
        else
        {
            const graze_event *event = &frame.events[0];
            assert_true(frame.event_count == 1 && event->kind == GRAZE_EVENT_BEGIN && event->has_time);
            known_times += nextafter(event->time_lower, 1) >= event->time_upper;
            unknown_times += event->time_upper == 1;
        }
        bool reported = frame.event_count > 0;
        options.budget.box_tests = 0;
        assert_int_equal(graze_scene_update(scene, &options, &frame), GRAZE_STATUS_OK);
        assert_int_equal(frame.undecided_count, 0);
        assert_int_equal(frame.event_count, 1 - far);
        assert_true(far || frame.events[0].kind == (reported ? GRAZE_EVENT_STAY : GRAZE_EVENT_BEGIN));
        graze_scene_destroy(scene);
    }
    printf("%d and %d undecided, %d times known, %d not; %d without event\n", undecided[0], undecided[1], known_times,
           unknown_times, none);
    assert_true(undecided[0] > 0 && undecided[1] > 0 && none > 0 && unknown_times > 0 && known_times > 0);
    graze_mesh_destroy(box);
}

static bool cancel(void *user, double share)
{
    (void)user;
    (void)share;
    return false;
}

static void a_cancelled_step_leaves_a_scene_that_goes_on(void **state)
{
    test_random random = test_random_start("a_cancelled_step_leaves_a_scene_that_goes_on", 6);
    graze_update_options options = graze_update_options_default();
    graze_frame frame;
    world w;
    int cancelled = 0;
    make_world(*state, &random, NULL, NULL, &w);
    options.continuous = true;
    for (int i = 0; i < 10; i++)
    {
        for (int k = 0; k < COUNT && i > 0; k++)
            move_one(&random, &w, k);
        options.budget.progress = i % 2 == 0 ? NULL : cancel;
        graze_status status = graze_scene_update(w.scene, &options, &frame);
        cancelled += status == GRAZE_STATUS_CANCELLED;
        assert_true(status == GRAZE_STATUS_OK || (i % 2 == 1 && status == GRAZE_STATUS_CANCELLED));
        for (int k = 0; k < COUNT; k++)
            assert_int_equal(graze_scene_placed_mesh(w.scene, w.names[k], &w.placed[k], NULL), GRAZE_STATUS_OK);
        if (status != GRAZE_STATUS_OK)
            continue;
        size_t colliding = 0;
        for (int a = 0; a < COUNT; a++)
            for (int b = a + 1; b < COUNT; b++)
                colliding += w.parents[b] != a && are_colliding(&w, a, b);
        assert_int_equal(frame.colliding, colliding);
    }
    assert_true(cancelled > 0);
    graze_scene_destroy(w.scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(events_are_those_of_every_pair_over_the_step),
                                       cmocka_unit_test(a_thousand_samples_find_nothing_that_was_missed),
                                       cmocka_unit_test(a_bullet_does_not_fly_through_a_sheet),
                                       cmocka_unit_test(a_budget_that_ends_within_the_step_is_said),
                                       cmocka_unit_test(a_cancelled_step_leaves_a_scene_that_goes_on)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
