/* SPDX-License-Identifier: MIT */
/*
 * Scenes report the same as queries of every pair of objects: over random scripts of adding, moving, removing and
 * changing objects in hierarchies, with interest rules, for every broad phase and number of threads.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graze/interest.h"
#include "graze/scene.h"
#include "graze/tasks.h"
#include "support/random.h"
#include "support/scene_meshes.h"
#include "support/unit.h"

enum
{
    MOST = 48,
    FRAMES = TEST_ROUNDS(60)
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

/* An object of the model. */
typedef struct twin
{
    bool alive;
    graze_object name;
    int mesh, parent; /* -1: none */
    graze_pose pose;
    uint32_t flags, layer, assembly;
    graze_interest interest;
} twin;

typedef struct world
{
    twin twins[MOST];
    bool collided[MOST][MOST];
    int rules[MOST][MOST]; /* graze_interest of a pair */
    bool unwanted_layers[3][3];
    uint64_t begins, stays, ends, carried;
    uint64_t hash; /* hash of all events in order */
} world;

static graze_pose world_pose(const world *w, int i)
{
    graze_pose pose = w->twins[i].pose, product;
    for (int parent = w->twins[i].parent; parent >= 0; parent = w->twins[parent].parent)
    {
        assert_true(w->twins[parent].alive);
        if (w->twins[parent].parent >= 0)
        {
            graze_pose above = world_pose(w, parent);
            assert_int_equal(graze_pose_compose(&above, &pose, &product, NULL), GRAZE_STATUS_OK);
            return product;
        }
        assert_int_equal(graze_pose_compose(&w->twins[parent].pose, &pose, &product, NULL), GRAZE_STATUS_OK);
        pose = product;
    }
    return pose;
}

static bool of_interest(const world *w, int a, int b)
{
    const twin *x = &w->twins[a], *y = &w->twins[b];
    if (w->rules[a][b] != GRAZE_INTEREST_UNSET)
        return w->rules[a][b] == GRAZE_INTEREST_ANY;
    if ((x->flags & y->flags & (GRAZE_OBJECT_STATIC | GRAZE_OBJECT_SENSOR)) != 0 || x->parent == b || y->parent == a ||
        (x->assembly != 0 && x->assembly == y->assembly))
        return false;
    if (x->interest == GRAZE_INTEREST_NONE || y->interest == GRAZE_INTEREST_NONE)
        return false;
    if (x->interest == GRAZE_INTEREST_ANY || y->interest == GRAZE_INTEREST_ANY)
        return true;
    return !w->unwanted_layers[x->layer][y->layer];
}

static bool should_collide(const fixture *f, const world *w, int a, int b)
{
    const twin *x = &w->twins[a], *y = &w->twins[b];
    if (!x->alive || !y->alive || x->mesh < 0 || y->mesh < 0 || !of_interest(w, a, b))
        return false;
    graze_placed_mesh first = {f->scene_meshes.meshes[x->mesh], f->scene_meshes.trees[x->mesh], world_pose(w, a)};
    graze_placed_mesh second = {f->scene_meshes.meshes[y->mesh], f->scene_meshes.trees[y->mesh], world_pose(w, b)};
    double away = 0;
    for (int k = 3; k < 12; k += 4)
        away += (first.pose.m[k] - second.pose.m[k]) * (first.pose.m[k] - second.pose.m[k]);
    if (away > 9) /* no mesh extends 1.5 from its origin */
        return false;
    bool found;
    assert_int_equal(graze_pair_any(NULL, &first, &second, NULL, &found, NULL), GRAZE_STATUS_OK);
    if (found || ((x->flags | y->flags) & GRAZE_OBJECT_SOLID) == 0)
        return found;
    graze_solid_answer answer;
    assert_int_equal(graze_pair_containment(NULL, &first, &second, NULL, &answer), GRAZE_STATUS_OK);
    return ((x->flags & GRAZE_OBJECT_SOLID) != 0 && answer.containment == GRAZE_CONTAINMENT_B_IN_A) ||
           ((y->flags & GRAZE_OBJECT_SOLID) != 0 && answer.containment == GRAZE_CONTAINMENT_A_IN_B);
}

static void add_one(test_random *random, const fixture *f, graze_scene *scene, world *w, int i)
{
    twin *t = &w->twins[i];
    *t = (twin){.alive = true,
                .mesh = random_once_in(random, 8) ? -1 : random_below(random, SCENE_MESHES),
                .parent = -1,
                .pose = scene_random_pose(random, 3),
                .flags = (uint32_t)random_below(random, 8),
                .layer = (uint32_t)random_below(random, 3),
                .assembly = random_once_in(random, 4) ? 1 + (uint32_t)random_below(random, 3) : 0};
    if (random_once_in(random, 2))
        t->flags &= ~(uint32_t)(GRAZE_OBJECT_STATIC | GRAZE_OBJECT_SENSOR);
    int parent = random_below(random, MOST);
    if (random_once_in(random, 3) && parent != i && w->twins[parent].alive)
    {
        t->parent = parent;
        t->pose = scene_random_pose(random, 1);
    }
    for (int other = 0; other < MOST; other++)
        w->rules[i][other] = w->rules[other][i] = GRAZE_INTEREST_UNSET;
    graze_object_def def = graze_object_def_default();
    def.mesh = t->mesh >= 0 ? f->scene_meshes.meshes[t->mesh] : NULL;
    def.pose = t->pose;
    def.flags = t->flags;
    def.layer = t->layer;
    def.assembly = t->assembly;
    def.user = t;
    if (t->parent >= 0)
        def.parent = w->twins[t->parent].name;
    assert_int_equal(graze_scene_add(scene, &def, &t->name), GRAZE_STATUS_OK);
}

static void remove_below(world *w, int i)
{
    w->twins[i].alive = false;
    for (int child = 0; child < MOST; child++)
        if (w->twins[child].alive && w->twins[child].parent == i)
            remove_below(w, child);
}

static void change_rules(test_random *random, graze_scene *scene, world *w, int i)
{
    int other = random_below(random, MOST);
    if (random_once_in(random, 3))
    {
        uint32_t a = (uint32_t)random_below(random, 3), b = (uint32_t)random_below(random, 3);
        bool none = random_once_in(random, 2);
        w->unwanted_layers[a][b] = w->unwanted_layers[b][a] = none;
        assert_int_equal(graze_interest_set_layers(scene, a, b, none ? GRAZE_INTEREST_NONE : GRAZE_INTEREST_UNSET),
                         GRAZE_STATUS_OK);
    }
    else if (random_once_in(random, 3))
    {
        w->twins[i].interest = (graze_interest)random_below(random, 3);
        assert_int_equal(graze_interest_set_object(scene, w->twins[i].name, w->twins[i].interest), GRAZE_STATUS_OK);
    }
    else if (other != i && w->twins[other].alive)
    {
        int rule = random_below(random, 3);
        w->rules[i][other] = w->rules[other][i] = rule;
        assert_int_equal(graze_interest_set_pair(scene, w->twins[i].name, w->twins[other].name, (graze_interest)rule),
                         GRAZE_STATUS_OK);
    }
}

static void change_something(test_random *random, const fixture *f, graze_scene *scene, world *w)
{
    int i = random_below(random, MOST), what = random_below(random, 20);
    twin *t = &w->twins[i];
    if (!t->alive)
    {
        assert_int_equal(graze_scene_move(scene, t->name, &t->pose), GRAZE_STATUS_BAD_INDEX);
        assert_int_equal(graze_scene_remove(scene, t->name), GRAZE_STATUS_BAD_INDEX);
        assert_null(graze_scene_user(scene, t->name));
        add_one(random, f, scene, w, i);
    }
    else if (what == 0)
    {
        assert_int_equal(graze_scene_remove(scene, t->name), GRAZE_STATUS_OK);
        remove_below(w, i);
    }
    else if (what == 1)
    {
        t->mesh = random_once_in(random, 6) ? -1 : random_below(random, SCENE_MESHES);
        assert_int_equal(
            graze_scene_set_mesh(scene, t->name, t->mesh >= 0 ? f->scene_meshes.meshes[t->mesh] : NULL, NULL),
            GRAZE_STATUS_OK);
    }
    else if (what < 5)
        change_rules(random, scene, w, i);
    else
    {
        if (what < 9)
            t->pose = scene_random_pose(random, t->parent >= 0 ? 1 : 3);
        else
            for (int k = 3; k < 12; k += 4)
                t->pose.m[k] += random_real(random, -0.1, 0.1);
        assert_int_equal(graze_scene_move(scene, t->name, &t->pose), GRAZE_STATUS_OK);
    }
}

static int place_of(const world *w, const void *user)
{
    return (int)((const twin *)user - w->twins);
}

static void stir(world *w, uint64_t word)
{
    w->hash = (w->hash ^ word) * UINT64_C(0x100000001b3);
}

/* Updates, and compares the events with queries of every pair. */
static void expect_frame(const fixture *f, graze_scene *scene, world *w)
{
    graze_frame frame;
    assert_int_equal(graze_scene_update(scene, NULL, &frame), GRAZE_STATUS_OK);
    static int kinds[MOST][MOST];
    memset(kinds, -1, sizeof kinds);
    for (size_t i = 0; i < frame.event_count; i++)
    {
        const graze_event *event = &frame.events[i];
        assert_true(event->a.index < event->b.index);
        if (i > 0)
            assert_true(
                frame.events[i - 1].a.index < event->a.index ||
                (frame.events[i - 1].a.index == event->a.index && frame.events[i - 1].b.index <= event->b.index));
        int a = place_of(w, event->user_a), b = place_of(w, event->user_b);
        stir(w, (uint64_t)event->kind * 1000003 + (uint64_t)a * 1009 + (uint64_t)b);
        if (event->has_witness)
            stir(w, (uint64_t)event->witness.triangle_a << 32 | event->witness.triangle_b);
        if (event->kind == GRAZE_EVENT_END)
        {
            assert_true(w->collided[a][b]);
            assert_false(event->has_witness);
            w->ends++;
            w->collided[a][b] = w->collided[b][a] = false;
            continue;
        }
        assert_int_equal(kinds[a][b], -1);
        kinds[a][b] = kinds[b][a] = (int)event->kind;
        assert_int_equal(event->frame <= frame.number, true);
        w->carried += event->frame < frame.number;
    }
    size_t colliding = 0;
    for (int a = 0; a < MOST; a++)
    {
        for (int b = a + 1; b < MOST; b++)
        {
            bool now = should_collide(f, w, a, b);
            colliding += now;
            assert_int_equal(kinds[a][b], !now ? -1 : (w->collided[a][b] ? GRAZE_EVENT_STAY : GRAZE_EVENT_BEGIN));
            w->begins += now && !w->collided[a][b];
            w->stays += now && w->collided[a][b];
            if (!now)
                assert_false(w->collided[a][b]); /* else its end was not reported */
            w->collided[a][b] = w->collided[b][a] = now;
        }
    }
    assert_int_equal(frame.colliding, colliding);
    assert_int_equal(frame.undecided_count, 0);
}

static uint64_t run_script(const fixture *f, graze_broad_phase_method method, bool threads, uint64_t seed, int frames)
{
    test_random random = {seed};
    graze_context context = graze_context_default();
    if (threads)
        context.tasks = graze_pool_tasks(f->pool);
    graze_scene_def def = graze_scene_def_default();
    def.broad_phase = method;
    graze_scene *scene;
    assert_int_equal(graze_scene_create(&context, &def, &scene), GRAZE_STATUS_OK);
    world *w = calloc(1, sizeof *w);
    for (int frame = 0; frame < frames; frame++)
    {
        int changes = frame == 0 ? 150 : (frame % 9 == 4 ? 0 : random_between(&random, 1, 25));
        for (int i = 0; i < changes; i++)
            change_something(&random, f, scene, w);
        expect_frame(f, scene, w);
    }
    printf("%s, %s: %llu begins, %llu stays (%llu of them carried over), %llu ends\n",
           graze_broad_phase_method_name(method), threads ? "3 threads" : "1 thread", (unsigned long long)w->begins,
           (unsigned long long)w->stays, (unsigned long long)w->carried, (unsigned long long)w->ends);
    assert_true(w->begins > (uint64_t)frames && w->ends > (uint64_t)frames / 2 && w->carried > (uint64_t)frames);
    assert_true(graze_scene_memory_size(scene) > sizeof(graze_frame));
    uint64_t hash = w->hash;
    graze_scene_destroy(scene);
    free(w);
    return hash;
}

static void events_are_those_of_asking_every_pair(void **state)
{
    test_random random = test_random_start("events_are_those_of_asking_every_pair", 5);
    for (int method = 0; method < GRAZE_BROAD_PHASE_METHOD_COUNT; method++)
    {
        uint64_t seed = method == 0 ? 99 : random_next(&random);
        uint64_t hash = run_script(*state, (graze_broad_phase_method)method, false, seed, FRAMES);
        assert_true(hash == run_script(*state, (graze_broad_phase_method)method, true, seed, FRAMES));
        assert_true(hash == run_script(*state, GRAZE_BROAD_PHASE_BRUTE_FORCE, false, seed, FRAMES));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(events_are_those_of_asking_every_pair)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
