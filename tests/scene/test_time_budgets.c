/* SPDX-License-Identifier: MIT */
/*
 * A scene reports only true results wherever its time budget ends. The clock is that of the test: it hardly moves until
 * it was read a given number of times, and is past every deadline from then on. So the budget ends between any two
 * pairs and in the middle of any search, on every machine alike. Between frames objects move, alone or with their
 * parents, change their meshes, are removed and added. After each frame every pair that is not reported as undecided is
 * compared with a search without trees at the poses of that frame, and every witness with the two triangles it names.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "graze/generate.h"
#include "graze/tasks.h"
#include "scene/scene.h"
#include "support/scene_meshes.h"
#include "support/unit.h"

enum
{
    THINGS = 20,
    SHELLS = 3, /* the first of them: nested, close but disjoint, so that searches take long */
    FRAMES = 40,
    MOST_LOOKS = 60
};

#define SECOND UINT64_C(1000000000)

static struct
{
    _Atomic uint64_t looks, strikes; /* clock reads in this frame, and after how many the budget ends */
    _Atomic uint64_t start;
} fake_clock;

/* Replaces the function of the library. */
uint64_t grz_clock_now(void)
{
    uint64_t start = atomic_load(&fake_clock.start);
    uint64_t looks = atomic_fetch_add(&fake_clock.looks, 1);
    return start + looks + (looks < atomic_load(&fake_clock.strikes) ? 0 : 2 * SECOND);
}

static void set_clock(uint64_t strikes)
{
    atomic_fetch_add(&fake_clock.start, 4 * SECOND);
    atomic_store(&fake_clock.strikes, strikes);
    atomic_store(&fake_clock.looks, 0);
}

static scene_meshes shared;
static graze_mesh *shell;

static int set_up(void **state)
{
    (void)state;
    scene_meshes_make(&shared);
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1.2, 6, &shell), GRAZE_STATUS_OK);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    graze_mesh_destroy(shell);
    scene_meshes_release(&shared);
    return 0;
}

typedef struct thing
{
    graze_object name;
    graze_placed_mesh placed; /* as of the last frame, without a tree */
    bool moved;               /* in that frame, or new */
} thing;

typedef struct drama
{
    graze_scene *scene;
    test_random random;
    uint32_t flags;
    graze_object carrier; /* of the shells */
    thing things[THINGS];
    bool truth[THINGS][THINGS], told[THINGS][THINGS]; /* whether they collide, and what events reported */
    bool undecided[THINGS][THINGS];
    size_t witnesses, ends, late, kept; /* late: pairs reported as undecided; kept: searches */
} drama;

/* At its nested position, or beside it: then it crosses the others. */
static graze_pose shell_pose(size_t i, double beside)
{
    graze_pose pose = graze_pose_translation(beside, 0, 0);
    for (int k = 0; k < 3; k++)
        pose.m[5 * k] = 1 - 0.004 * (double)i;
    return pose;
}

static void add_thing(drama *d, size_t i)
{
    graze_object_def def = graze_object_def_default();
    def.mesh = i < SHELLS ? shell : shared.meshes[i % SCENE_MESHES];
    def.flags = d->flags;
    def.user = &d->things[i];
    if (i < SHELLS)
        def.parent = d->carrier;
    def.pose = i < SHELLS ? shell_pose(i, 0) : scene_random_pose(&d->random, 1.8);
    assert_int_equal(graze_scene_add(d->scene, &def, &d->things[i].name), GRAZE_STATUS_OK);
}

/* One random change between two frames. */
static void change(drama *d)
{
    size_t i = (size_t)random_between(&d->random, SHELLS, THINGS - 1);
    graze_pose pose = scene_random_pose(&d->random, 1.8);
    int what = random_below(&d->random, 9);
    if (what < 4)
        assert_int_equal(graze_scene_move(d->scene, d->things[i].name, &pose), GRAZE_STATUS_OK);
    else if (what < 5)
    {
        for (int k = 3; k < 12; k += 4)
            pose.m[k] *= 0.1;
        assert_int_equal(graze_scene_move(d->scene, d->carrier, &pose), GRAZE_STATUS_OK);
    }
    else if (what < 6)
    {
        const graze_mesh *mesh = shared.meshes[random_below(&d->random, SCENE_MESHES)];
        assert_int_equal(graze_scene_set_mesh(d->scene, d->things[i].name, mesh, NULL), GRAZE_STATUS_OK);
    }
    else if (what < 7)
    {
        assert_int_equal(graze_scene_remove(d->scene, d->things[i].name), GRAZE_STATUS_OK);
        add_thing(d, i);
    }
    else
    {
        pose = shell_pose(i % SHELLS, random_once_in(&d->random, 2) ? 0 : 0.03);
        assert_int_equal(graze_scene_move(d->scene, d->things[i % SHELLS].name, &pose), GRAZE_STATUS_OK);
    }
}

static bool collide(const drama *d, const graze_placed_mesh *a, const graze_placed_mesh *b)
{
    bool found;
    graze_solid_answer answer;
    assert_int_equal(graze_pair_any(NULL, a, b, NULL, &found, NULL), GRAZE_STATUS_OK);
    if (found || d->flags == 0)
        return found;
    assert_int_equal(graze_pair_containment(NULL, a, b, NULL, &answer), GRAZE_STATUS_OK);
    return answer.collide;
}

/* Computes the true results where something moved. */
static void find_truth(drama *d)
{
    for (size_t i = 0; i < THINGS; i++)
    {
        thing *t = &d->things[i];
        graze_placed_mesh placed;
        assert_int_equal(graze_scene_placed_mesh(d->scene, t->name, &placed, NULL), GRAZE_STATUS_OK);
        placed.tree = NULL;
        t->moved = placed.mesh != t->placed.mesh || memcmp(&placed.pose, &t->placed.pose, sizeof placed.pose) != 0;
        t->placed = placed;
    }
    for (size_t i = 0; i < THINGS; i++)
        for (size_t j = i + 1; j < THINGS; j++)
            if (d->things[i].moved || d->things[j].moved)
                d->truth[i][j] = d->truth[j][i] = collide(d, &d->things[i].placed, &d->things[j].placed);
}

static bool is_named(graze_object a, graze_object b)
{
    return a.index == b.index && a.generation == b.generation;
}

static void check_event(drama *d, const graze_event *event)
{
    const thing *a = event->user_a, *b = event->user_b;
    bool *told = &d->told[a - d->things][b - d->things];
    assert_int_equal(event->kind == GRAZE_EVENT_BEGIN, !*told);
    *told = d->told[b - d->things][a - d->things] = event->kind != GRAZE_EVENT_END;
    d->ends += event->kind == GRAZE_EVENT_END;
    if (event->kind == GRAZE_EVENT_END)
        return;
    assert_true(is_named(event->a, a->name) && is_named(event->b, b->name));
    assert_true(event->has_witness || d->flags != 0);
    graze_intersection shared_points;
    if (!event->has_witness)
        return;
    assert_int_equal(graze_hit_intersection(&a->placed, &b->placed, &event->witness, &shared_points), GRAZE_STATUS_OK);
    assert_true(shared_points.count > 0);
    d->witnesses++;
}

static size_t thing_named(const drama *d, graze_object name)
{
    size_t i = 0;
    while (i < THINGS && !is_named(d->things[i].name, name))
        i++;
    assert_true(i < THINGS);
    return i;
}

static void check_frame(drama *d, const graze_frame *frame)
{
    size_t colliding = 0;
    memset(d->undecided, 0, sizeof d->undecided);
    find_truth(d);
    for (size_t i = 0; i < frame->event_count; i++) /* ends first: an object added again has another handle */
        if (frame->events[i].kind == GRAZE_EVENT_END)
            check_event(d, &frame->events[i]);
    for (size_t i = 0; i < frame->event_count; i++)
        if (frame->events[i].kind != GRAZE_EVENT_END)
            check_event(d, &frame->events[i]);
    for (size_t i = 0; i < frame->undecided_count; i++)
    {
        size_t a = thing_named(d, frame->undecided[i].a), b = thing_named(d, frame->undecided[i].b);
        assert_false(d->undecided[a][b]);
        assert_int_equal(frame->undecided[i].collided, d->told[a][b]);
        assert_true(frame->undecided[i].lower == 0 || !d->truth[a][b] || d->flags == GRAZE_OBJECT_SOLID);
        d->undecided[a][b] = d->undecided[b][a] = true;
    }
    for (size_t i = 0; i < THINGS; i++)
        for (size_t j = i + 1; j < THINGS; j++)
        {
            if (d->undecided[i][j])
                continue;
            assert_int_equal(d->told[i][j], d->truth[i][j]);
            colliding += d->truth[i][j];
        }
    assert_int_equal(frame->colliding, colliding);
    d->late += frame->undecided_count;
    for (size_t i = 0; i < d->scene->contacts.count; i++)
        d->kept += d->scene->contacts.data[i].a != GRZ_NO_OBJECT && d->scene->contacts.data[i].search != NULL;
}

static void play(drama *d, graze_schedule schedule, bool alone)
{
    graze_update_options options = graze_update_options_default();
    options.schedule = schedule;
    graze_object_def carrier = graze_object_def_default();
    assert_int_equal(graze_scene_add(d->scene, &carrier, &d->carrier), GRAZE_STATUS_OK);
    for (size_t i = 0; i < THINGS; i++)
        add_thing(d, i);
    for (int k = 0; k < FRAMES; k++)
    {
        graze_frame frame;
        for (int changes = random_below(&d->random, 3); changes > 0; changes--)
            change(d);
        options.budget.seconds = random_once_in(&d->random, 4) ? 0 : 1;
        uint64_t strikes = 1 + (uint64_t)random_below(&d->random, MOST_LOOKS);
        set_clock(strikes);
        assert_int_equal(graze_scene_update(d->scene, &options, &frame), GRAZE_STATUS_OK);
        if (!(options.budget.seconds > 0) || (alone && atomic_load(&fake_clock.looks) <= strikes))
            assert_int_equal(frame.undecided_count, 0);
        check_frame(d, &frame);
    }
}

static void a_budget_that_ends_anywhere_leaves_only_the_truth(void **state)
{
    (void)state;
    size_t witnesses = 0, ends = 0, late = 0, kept[4] = {0}; /* by schedule, on one thread */
    for (int play_number = 0; play_number < 16; play_number++)
    {
        drama d = {.random = test_random_start("a_budget_that_ends_anywhere", 81 + (uint64_t)play_number),
                   .flags = play_number / 4 % 2 != 0 ? GRAZE_OBJECT_SOLID : 0};
        graze_context context = graze_context_default();
        graze_pool *pool = NULL;
        if (play_number >= 8)
            assert_int_equal(graze_pool_create(NULL, 2, &pool), GRAZE_STATUS_OK);
        if (pool != NULL)
            context.tasks = graze_pool_tasks(pool);
        assert_int_equal(graze_scene_create(&context, NULL, &d.scene), GRAZE_STATUS_OK);
        play(&d, (graze_schedule)(play_number % 4), play_number < 8);
        graze_scene_destroy(d.scene);
        graze_pool_destroy(pool);
        witnesses += d.witnesses;
        ends += d.ends;
        late += d.late;
        kept[play_number % 4] += play_number < 8 ? d.kept : 0;
    }
    printf("%zu witnesses, %zu ends, %zu pairs undecided\n", witnesses, ends, late);
    assert_true(witnesses > 8000 && ends > 300 && late > 1500);
    for (int schedule = 0; schedule < 4; schedule++)
    {
        printf("%zu searches kept by schedule %d\n", kept[schedule], schedule);
        assert_true(kept[schedule] > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_budget_that_ends_anywhere_leaves_only_the_truth)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
