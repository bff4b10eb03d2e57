/* SPDX-License-Identifier: MIT */
/*
 * Objects that change flags, layer, assembly, parent and user pointer while they are in a scene: contacts begin and end
 * by it, with and without a budget; and after any sequence of such calls the scene reports what one reports that was
 * built anew with the same state.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graze/generate.h"
#include "graze/interest.h"
#include "graze/scene_query.h"
#include "graze/tasks.h"
#include "support/scene_meshes.h"
#include "support/unit.h"

static const graze_object no_object;

/* Two unit boxes that overlap, and a small one in the middle of the first. */
typedef struct fixture
{
    graze_mesh *mesh;
    graze_scene *scene;
    graze_object first, second, small;
    int users[3];
} fixture;

static graze_object add(fixture *f, double x, double scale, void *user)
{
    graze_object_def def = graze_object_def_default();
    def.mesh = f->mesh;
    def.pose = graze_pose_translation(x, 0, 0);
    for (int axis = 0; axis < 3; axis++)
        def.pose.m[5 * axis] = scale;
    def.user = user;
    graze_object name;
    assert_int_equal(graze_scene_add(f->scene, &def, &name), GRAZE_STATUS_OK);
    return name;
}

static int set_up(void **state)
{
    static fixture f;
    memset(&f, 0, sizeof f);
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 1, &f.mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_create(NULL, NULL, &f.scene), GRAZE_STATUS_OK);
    f.first = add(&f, 0, 1, &f.users[0]);
    f.second = add(&f, 0.75, 1, &f.users[1]);
    f.small = add(&f, 0, 0.0625, &f.users[2]);
    graze_frame frame;
    assert_int_equal(graze_scene_update(f.scene, NULL, &frame), GRAZE_STATUS_OK);
    assert_int_equal(frame.event_count, 1);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    graze_scene_destroy(f->scene);
    graze_mesh_destroy(f->mesh);
    return 0;
}

/* The one event that is due, or none (kind < 0). */
static graze_event expect(const fixture *f, int kind, graze_object a, graze_object b)
{
    graze_frame frame;
    graze_event found = {.kind = GRAZE_EVENT_STAY};
    size_t count = 0;
    assert_int_equal(graze_scene_update(f->scene, NULL, &frame), GRAZE_STATUS_OK);
    for (size_t i = 0; i < frame.event_count; i++)
        if (frame.events[i].kind != GRAZE_EVENT_STAY)
        {
            found = frame.events[i];
            count++;
        }
    assert_int_equal(count, kind >= 0);
    if (kind >= 0)
    {
        assert_int_equal(found.kind, kind);
        assert_int_equal(found.a.index, a.index);
        assert_int_equal(found.b.index, b.index);
    }
    return found;
}

static void flags_begin_and_end_contacts(void **state)
{
    const fixture *f = *state;
    static const uint32_t flags[2] = {GRAZE_OBJECT_STATIC, GRAZE_OBJECT_SENSOR};
    for (int i = 0; i < 2; i++)
    {
        assert_int_equal(graze_scene_set_flags(f->scene, f->first, flags[i]), GRAZE_STATUS_OK);
        expect(f, -1, no_object, no_object);
        assert_int_equal(graze_scene_set_flags(f->scene, f->second, flags[i]), GRAZE_STATUS_OK);
        assert_false(graze_interest_wants(f->scene, f->first, f->second));
        assert_int_equal(expect(f, GRAZE_EVENT_END, f->first, f->second).sensor, i);
        assert_int_equal(graze_scene_set_flags(f->scene, f->first, 0), GRAZE_STATUS_OK);
        assert_int_equal(expect(f, GRAZE_EVENT_BEGIN, f->first, f->second).sensor, i);
        assert_int_equal(graze_scene_set_flags(f->scene, f->second, 0), GRAZE_STATUS_OK);
        expect(f, -1, no_object, no_object);
    }
    /* A body: what lies in it begins, and ends. Questions see it from the update on. */
    size_t count;
    graze_object_hit hits[3];
    const double inside[3] = {0.125, 0.25, 0.25};
    assert_int_equal(graze_scene_set_flags(f->scene, f->first, GRAZE_OBJECT_SOLID), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_collide_point(f->scene, inside, NULL, NULL, hits, 3, &count), GRAZE_STATUS_OK);
    assert_int_equal(count, 0);
    assert_false(expect(f, GRAZE_EVENT_BEGIN, f->first, f->small).has_witness);
    assert_int_equal(graze_scene_collide_point(f->scene, inside, NULL, NULL, hits, 3, &count), GRAZE_STATUS_OK);
    assert_int_equal(count, 1);
    assert_int_equal(graze_scene_set_flags(f->scene, f->first, GRAZE_OBJECT_SENSOR), GRAZE_STATUS_OK);
    assert_true(expect(f, GRAZE_EVENT_END, f->first, f->small).sensor);
}

static void layers_assemblies_and_parents_begin_and_end_contacts(void **state)
{
    const fixture *f = *state;
    assert_int_equal(graze_interest_set_layers(f->scene, 3, 0, GRAZE_INTEREST_NONE), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_set_layer(f->scene, f->second, 3), GRAZE_STATUS_OK);
    expect(f, GRAZE_EVENT_END, f->first, f->second);
    assert_int_equal(graze_scene_set_layer(f->scene, f->first, 3), GRAZE_STATUS_OK);
    expect(f, GRAZE_EVENT_BEGIN, f->first, f->second);

    assert_int_equal(graze_scene_set_assembly(f->scene, f->second, 7), GRAZE_STATUS_OK);
    expect(f, -1, no_object, no_object);
    assert_int_equal(graze_scene_set_assembly(f->scene, f->first, 7), GRAZE_STATUS_OK);
    expect(f, GRAZE_EVENT_END, f->first, f->second);
    /* A rule for the pair comes first, and survives all of this. */
    assert_int_equal(graze_interest_set_pair(f->scene, f->first, f->second, GRAZE_INTEREST_ANY), GRAZE_STATUS_OK);
    expect(f, GRAZE_EVENT_BEGIN, f->first, f->second);
    assert_int_equal(graze_scene_set_assembly(f->scene, f->second, 8), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_set_flags(f->scene, f->second, GRAZE_OBJECT_SOLID), GRAZE_STATUS_OK);
    expect(f, -1, no_object, no_object);
    assert_int_equal(graze_interest_set_pair(f->scene, f->first, f->second, GRAZE_INTEREST_UNSET), GRAZE_STATUS_OK);
    expect(f, -1, no_object, no_object);

    assert_int_equal(graze_scene_set_parent(f->scene, f->second, f->first, NULL), GRAZE_STATUS_OK);
    expect(f, GRAZE_EVENT_END, f->first, f->second);
    assert_int_equal(graze_scene_set_parent(f->scene, f->second, no_object, NULL), GRAZE_STATUS_OK);
    expect(f, GRAZE_EVENT_BEGIN, f->first, f->second);
    /* It stands where its parent takes it. */
    graze_pose pose = graze_pose_translation(8, 0, 0);
    assert_int_equal(graze_scene_set_parent(f->scene, f->second, f->small, &pose), GRAZE_STATUS_OK);
    graze_placed_mesh placed;
    expect(f, -1, no_object, no_object);
    assert_int_equal(graze_scene_placed_mesh(f->scene, f->second, &placed, NULL), GRAZE_STATUS_OK);
    assert_true(placed.pose.m[3] == 0.5 && placed.pose.m[0] == 0.0625);
    pose = graze_pose_translation(-99, 0, 0);
    assert_int_equal(graze_scene_move(f->scene, f->small, &pose), GRAZE_STATUS_OK);
    expect(f, GRAZE_EVENT_END, f->first, f->second);
    /* And goes with it. */
    assert_int_equal(graze_scene_remove(f->scene, f->small), GRAZE_STATUS_OK);
    assert_false(graze_scene_has(f->scene, f->second));
    assert_int_equal(graze_scene_object_count(f->scene), 1);
}

static void user_pointers_go_with_the_next_events(void **state)
{
    fixture *f = *state;
    int other = 0;
    assert_int_equal(graze_scene_set_user(f->scene, f->second, &other), GRAZE_STATUS_OK);
    assert_ptr_equal(graze_scene_user(f->scene, f->second), &other);
    assert_int_equal(graze_scene_set_flags(f->scene, f->first, GRAZE_OBJECT_STATIC), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_set_flags(f->scene, f->second, GRAZE_OBJECT_STATIC), GRAZE_STATUS_OK);
    graze_event event = expect(f, GRAZE_EVENT_END, f->first, f->second);
    assert_ptr_equal(event.user_a, &f->users[0]);
    assert_ptr_equal(event.user_b, &other);
}

static void what_makes_no_sense_is_refused(void **state)
{
    const fixture *f = *state;
    graze_object_def before = graze_object_def_default(), after = before;
    graze_object gone = {f->first.index, f->first.generation + 1};
    graze_pose bad = graze_pose_translation(NAN, 0, 0);
    assert_int_equal(graze_scene_set_parent(f->scene, f->second, f->first, NULL), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_set_parent(f->scene, f->small, f->second, NULL), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_object_def(f->scene, f->first, &before), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_set_parent(f->scene, f->first, f->first, NULL), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_scene_set_parent(f->scene, f->first, f->second, NULL), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_scene_set_parent(f->scene, f->first, f->small, NULL), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_scene_set_parent(f->scene, f->first, gone, NULL), GRAZE_STATUS_BAD_INDEX);
    assert_int_equal(graze_scene_set_parent(f->scene, gone, f->second, NULL), GRAZE_STATUS_BAD_INDEX);
    assert_int_equal(graze_scene_set_parent(f->scene, f->first, no_object, &bad), GRAZE_STATUS_NOT_FINITE);
    assert_int_equal(graze_scene_set_flags(f->scene, f->first, 8), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_scene_set_flags(f->scene, gone, 0), GRAZE_STATUS_BAD_INDEX);
    assert_int_equal(graze_scene_set_layer(f->scene, f->first, GRAZE_LAYER_COUNT), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_scene_set_layer(f->scene, gone, 0), GRAZE_STATUS_BAD_INDEX);
    assert_int_equal(graze_scene_set_assembly(f->scene, gone, 0), GRAZE_STATUS_BAD_INDEX);
    assert_int_equal(graze_scene_set_user(f->scene, gone, NULL), GRAZE_STATUS_BAD_INDEX);
    assert_int_equal(graze_scene_object_def(f->scene, gone, &after), GRAZE_STATUS_BAD_INDEX);
    assert_int_equal(graze_scene_object_def(f->scene, f->first, &after), GRAZE_STATUS_OK);
    assert_memory_equal(&before, &after, sizeof before);
    assert_int_equal(graze_scene_set_parent(f->scene, f->small, no_object, NULL), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_set_parent(f->scene, f->first, f->small, NULL), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_update(f->scene, NULL, NULL), GRAZE_STATUS_OK);
}

/* ---- against a scene built anew ---- */

enum
{
    SLOTS = 16,
    FRAMES = 60,
    WORLDS = TEST_ROUNDS(120),
    LAYERS = 3
};

typedef struct slot
{
    bool there;
    bool waits; /* removed since the last update */
    graze_object name;
    graze_object_def def; /* `parent` is not used: */
    int parent;           /* a slot, or -1 */
} slot;

typedef struct world
{
    test_random random;
    const scene_meshes *meshes;
    graze_context context;
    graze_scene_def scene_def;
    graze_scene *scene;
    slot slots[SLOTS];
    int rules[SLOTS][SLOTS]; /* graze_interest */
    bool reported[SLOTS][SLOTS];
    int users[2 * SLOTS];
    bool bodies, budgets; /* whether there are any; without both, threads look ahead */
    size_t begun, ended, undecided, cycles, set, budgeted;
} world;

static graze_pose any_pose(world *w)
{
    graze_pose pose = scene_random_pose(&w->random, 1.5);
    if (random_once_in(&w->random, 3))
        for (int i = 0; i < 12; i++)
            pose.m[i] *= i % 4 == 3 ? 0.1 : 0.2; /* so small that it may lie in another */
    return pose;
}

static uint32_t any_flags(world *w)
{
    static const uint32_t flags[6] = {0,
                                      GRAZE_OBJECT_SOLID,
                                      GRAZE_OBJECT_SOLID,
                                      GRAZE_OBJECT_STATIC,
                                      GRAZE_OBJECT_SENSOR,
                                      GRAZE_OBJECT_SENSOR | GRAZE_OBJECT_SOLID};
    return flags[random_below(&w->random, 6)] & (w->bodies ? UINT32_MAX : ~(uint32_t)GRAZE_OBJECT_SOLID);
}

static bool is_below(const world *w, int i, int top)
{
    while (i >= 0 && i != top)
        i = w->slots[i].parent;
    return i == top;
}

static void add_slot(world *w, int i)
{
    slot *s = &w->slots[i];
    int k = random_below(&w->random, SLOTS), mesh = random_below(&w->random, SCENE_MESHES);
    s->def = graze_object_def_default();
    s->def.mesh = random_once_in(&w->random, 10) ? NULL : w->meshes->meshes[mesh];
    s->def.tree = s->def.mesh != NULL && random_once_in(&w->random, 2) ? w->meshes->trees[mesh] : NULL;
    s->def.pose = any_pose(w);
    s->def.flags = any_flags(w);
    s->def.layer = (uint32_t)random_below(&w->random, LAYERS);
    s->def.assembly = (uint32_t)random_below(&w->random, 4);
    s->def.user = &w->users[i];
    s->parent = random_once_in(&w->random, 3) && w->slots[k].there ? k : -1;
    s->def.parent = s->parent >= 0 ? w->slots[s->parent].name : no_object;
    assert_int_equal(graze_scene_add(w->scene, &s->def, &s->name), GRAZE_STATUS_OK);
    s->there = true;
}

static void remove_slot(world *w, int i)
{
    bool goes[SLOTS];
    assert_int_equal(graze_scene_remove(w->scene, w->slots[i].name), GRAZE_STATUS_OK);
    for (int k = 0; k < SLOTS; k++)
        goes[k] = w->slots[k].there && is_below(w, k, i);
    for (int k = 0; k < SLOTS; k++)
    {
        w->slots[k].there = w->slots[k].there && !goes[k];
        w->slots[k].waits = w->slots[k].waits || goes[k];
        for (int other = 0; other < SLOTS && goes[k]; other++)
            w->rules[k][other] = w->rules[other][k] = GRAZE_INTEREST_UNSET;
    }
}

static void set_parent(world *w, int i)
{
    slot *s = &w->slots[i];
    int k = random_below(&w->random, SLOTS);
    int parent = random_once_in(&w->random, 3) || !w->slots[k].there ? -1 : k;
    graze_pose pose = any_pose(w);
    bool keeps = random_once_in(&w->random, 2);
    graze_status status = graze_scene_set_parent(w->scene, s->name, parent >= 0 ? w->slots[parent].name : no_object,
                                                 keeps ? NULL : &pose);
    if (parent >= 0 && is_below(w, parent, i))
    {
        assert_int_equal(status, GRAZE_STATUS_BAD_ARGUMENT);
        w->cycles++;
        return;
    }
    assert_int_equal(status, GRAZE_STATUS_OK);
    s->parent = parent;
    s->def.pose = keeps ? s->def.pose : pose;
}

static void set_pair(world *w, int i)
{
    int k = random_below(&w->random, SLOTS), rule = random_below(&w->random, 3);
    if (i == k || !w->slots[k].there)
        return;
    w->rules[i][k] = w->rules[k][i] = rule;
    assert_int_equal(graze_interest_set_pair(w->scene, w->slots[i].name, w->slots[k].name, (graze_interest)rule),
                     GRAZE_STATUS_OK);
}

static void act(world *w)
{
    int i = random_below(&w->random, SLOTS);
    slot *s = &w->slots[i];
    if (!s->there)
    {
        if (!s->waits)
            add_slot(w, i);
        return;
    }
    w->set++;
    switch (random_below(&w->random, 12))
    {
    case 0:
        if (random_once_in(&w->random, 3))
            remove_slot(w, i);
        break;
    case 1:
    case 2:
    case 3:
        s->def.flags = any_flags(w);
        assert_int_equal(graze_scene_set_flags(w->scene, s->name, s->def.flags), GRAZE_STATUS_OK);
        break;
    case 4:
        s->def.layer = (uint32_t)random_below(&w->random, LAYERS);
        assert_int_equal(graze_scene_set_layer(w->scene, s->name, s->def.layer), GRAZE_STATUS_OK);
        break;
    case 5:
        s->def.assembly = (uint32_t)random_below(&w->random, 4);
        assert_int_equal(graze_scene_set_assembly(w->scene, s->name, s->def.assembly), GRAZE_STATUS_OK);
        break;
    case 6:
    case 7:
        set_parent(w, i);
        break;
    case 8:
        s->def.user = &w->users[random_below(&w->random, 2 * SLOTS)];
        assert_int_equal(graze_scene_set_user(w->scene, s->name, s->def.user), GRAZE_STATUS_OK);
        break;
    case 9:
        set_pair(w, i);
        break;
    default:
        s->def.pose = any_pose(w);
        assert_int_equal(graze_scene_move(w->scene, s->name, &s->def.pose), GRAZE_STATUS_OK);
    }
}

static void set_layer_rules(graze_scene *scene)
{
    assert_int_equal(graze_interest_set_layers(scene, 0, 2, GRAZE_INTEREST_NONE), GRAZE_STATUS_OK);
}

static void add_anew(const world *w, graze_scene *scene, graze_object names[SLOTS], int i)
{
    if (!w->slots[i].there || names[i].generation != 0)
        return;
    graze_object_def def = w->slots[i].def;
    def.parent = no_object;
    if (w->slots[i].parent >= 0)
    {
        add_anew(w, scene, names, w->slots[i].parent);
        def.parent = names[w->slots[i].parent];
    }
    assert_int_equal(graze_scene_add(scene, &def, &names[i]), GRAZE_STATUS_OK);
}

static int slot_of(const graze_object names[SLOTS], graze_object name)
{
    for (int i = 0; i < SLOTS; i++)
        if (names[i].index == name.index && names[i].generation == name.generation)
            return i;
    return -1;
}

/* A scene with the same state: which pairs collide, and where its objects stand. */
static void build_anew(const world *w, bool collide[SLOTS][SLOTS])
{
    graze_scene *scene;
    graze_object names[SLOTS] = {{0, 0}};
    graze_frame frame;
    assert_int_equal(graze_scene_create(NULL, &w->scene_def, &scene), GRAZE_STATUS_OK);
    set_layer_rules(scene);
    for (int i = 0; i < SLOTS; i++)
        add_anew(w, scene, names, i);
    for (int i = 0; i < SLOTS; i++)
        for (int k = 0; k < i; k++)
            if (names[i].generation != 0 && names[k].generation != 0)
            {
                assert_int_equal(graze_interest_set_pair(scene, names[i], names[k], (graze_interest)w->rules[i][k]),
                                 GRAZE_STATUS_OK);
                assert_int_equal(graze_interest_wants(scene, names[i], names[k]),
                                 graze_interest_wants(w->scene, w->slots[i].name, w->slots[k].name));
            }
    assert_int_equal(graze_scene_update(scene, NULL, &frame), GRAZE_STATUS_OK);
    memset(collide, 0, sizeof(bool) * SLOTS * SLOTS);
    for (size_t e = 0; e < frame.event_count; e++)
    {
        int i = slot_of(names, frame.events[e].a), k = slot_of(names, frame.events[e].b);
        collide[i][k] = collide[k][i] = true;
    }
    for (int i = 0; i < SLOTS; i++)
    {
        graze_placed_mesh given, expected;
        graze_object_def def = graze_object_def_default();
        if (!w->slots[i].there)
            continue;
        assert_int_equal(graze_scene_placed_mesh(scene, names[i], &expected, NULL), GRAZE_STATUS_OK);
        assert_int_equal(graze_scene_placed_mesh(w->scene, w->slots[i].name, &given, NULL), GRAZE_STATUS_OK);
        assert_memory_equal(&given.pose, &expected.pose, sizeof given.pose);
        assert_int_equal(graze_scene_object_def(w->scene, w->slots[i].name, &def), GRAZE_STATUS_OK);
        assert_memory_equal(&def.pose, &w->slots[i].def.pose, sizeof def.pose);
        assert_true(def.mesh == w->slots[i].def.mesh && def.tree == w->slots[i].def.tree &&
                    def.flags == w->slots[i].def.flags && def.layer == w->slots[i].def.layer &&
                    def.assembly == w->slots[i].def.assembly && def.user == w->slots[i].def.user);
        assert_int_equal(w->slots[i].parent < 0 ? 0 : w->slots[w->slots[i].parent].name.generation,
                         def.parent.generation);
    }
    graze_scene_destroy(scene);
}

static void take_event(world *w, const graze_object names[SLOTS], const graze_event *event)
{
    int i = slot_of(names, event->a), k = slot_of(names, event->b);
    assert_true(i >= 0 && k >= 0);
    assert_int_equal(w->reported[i][k], event->kind != GRAZE_EVENT_BEGIN);
    w->reported[i][k] = w->reported[k][i] = event->kind != GRAZE_EVENT_END;
    w->begun += event->kind == GRAZE_EVENT_BEGIN;
    w->ended += event->kind == GRAZE_EVENT_END;
    if (!w->slots[i].there || !w->slots[k].there)
        return;
    assert_true(event->user_a == w->slots[i].def.user && event->user_b == w->slots[k].def.user);
    assert_int_equal(event->sensor, ((w->slots[i].def.flags | w->slots[k].def.flags) & GRAZE_OBJECT_SENSOR) != 0);
}

static void update(world *w, bool budget)
{
    graze_update_options options = graze_update_options_default();
    graze_frame frame;
    graze_object names[SLOTS];
    bool collide[SLOTS][SLOTS], undecided[SLOTS][SLOTS] = {{false}};
    if (budget)
    {
        options.budget.seconds = random_once_in(&w->random, 2) ? 1e-9 : 2e-5;
        options.schedule = (graze_schedule)random_below(&w->random, 4);
    }
    assert_int_equal(graze_scene_update(w->scene, &options, &frame), GRAZE_STATUS_OK);
    for (int i = 0; i < SLOTS; i++)
        names[i] = w->slots[i].name;
    for (size_t e = 0; e < frame.event_count; e++)
        take_event(w, names, &frame.events[e]);
    for (size_t u = 0; u < frame.undecided_count; u++)
    {
        int i = slot_of(names, frame.undecided[u].a), k = slot_of(names, frame.undecided[u].b);
        undecided[i][k] = undecided[k][i] = true;
        w->undecided++;
    }
    assert_true(budget || frame.undecided_count == 0);
    build_anew(w, collide);
    for (int i = 0; i < SLOTS; i++)
        for (int k = 0; k < SLOTS; k++)
            assert_true(undecided[i][k] || w->reported[i][k] == collide[i][k]);
    for (int i = 0; i < SLOTS; i++)
        w->slots[i].waits = false;
    w->budgeted += budget;
}

static void live(world *w)
{
    w->scene_def = graze_scene_def_default();
    w->scene_def.test_parent_child = random_once_in(&w->random, 3);
    graze_scene_def def = w->scene_def;
    def.broad_phase = (graze_broad_phase_method)random_below(&w->random, GRAZE_BROAD_PHASE_METHOD_COUNT);
    assert_int_equal(graze_scene_create(&w->context, &def, &w->scene), GRAZE_STATUS_OK);
    set_layer_rules(w->scene);
    for (int i = 0; i < SLOTS; i++)
        add_slot(w, i);
    for (int frame = 0; frame < FRAMES; frame++)
    {
        update(w, w->budgets && frame % 3 == 1);
        for (int actions = random_below(&w->random, 8); actions > 0; actions--)
            act(w);
    }
    update(w, false);
    graze_scene_destroy(w->scene);
}

static void any_changes_give_what_a_scene_built_anew_gives(void **state)
{
    (void)state;
    test_random random = test_random_start("any_changes_give_what_a_scene_built_anew_gives", 2026);
    world sums = {0};
    scene_meshes meshes;
    graze_pool *pool;
    scene_meshes_make(&meshes);
    assert_int_equal(graze_pool_create(NULL, 3, &pool), GRAZE_STATUS_OK);
    for (int i = 0; i < WORLDS; i++)
    {
        static world w;
        w = (world){.random = {random_next(&random)}, .meshes = &meshes, .context = graze_context_default()};
        w.bodies = i % 2 == 0;
        w.budgets = i % 3 != 0;
        if (i % 3 == 0 || i % 5 == 0)
            w.context.tasks = graze_pool_tasks(pool);
        live(&w);
        sums.begun += w.begun;
        sums.ended += w.ended;
        sums.undecided += w.undecided;
        sums.cycles += w.cycles;
        sums.set += w.set;
    }
    printf("%zu changes; %zu contacts begun, %zu ended, %zu undecided in a frame, %zu cycles refused\n", sums.set,
           sums.begun, sums.ended, sums.undecided, sums.cycles);
    assert_true(sums.set > TEST_ROUNDS(10000) && sums.begun > TEST_ROUNDS(4000) && sums.ended > TEST_ROUNDS(4000) &&
                sums.undecided > TEST_ROUNDS(500) && sums.cycles > TEST_ROUNDS(50));
    graze_pool_destroy(pool);
    scene_meshes_release(&meshes);
}

/* Callbacks may change the scene: the events at hand stay as they are, and the changes count for the next frame. */
static void swap_user(void *user, graze_scene *scene, const graze_event *event)
{
    assert_int_equal(graze_scene_set_user(scene, event->a, user), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_set_parent(scene, event->b, event->a, NULL), GRAZE_STATUS_OK);
}

static void callbacks_may_change_objects(void **state)
{
    fixture *f = *state;
    int other = 0;
    graze_update_options options = graze_update_options_default();
    options.on_event = swap_user;
    options.on_event_user = &other;
    graze_frame frame;
    assert_int_equal(graze_scene_update(f->scene, &options, &frame), GRAZE_STATUS_OK);
    assert_int_equal(frame.event_count, 1);
    assert_int_equal(frame.events[0].kind, GRAZE_EVENT_STAY);
    assert_ptr_equal(frame.events[0].user_a, &f->users[0]);
    graze_event event = expect(f, GRAZE_EVENT_END, f->first, f->second);
    assert_ptr_equal(event.user_a, &other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(flags_begin_and_end_contacts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(layers_assemblies_and_parents_begin_and_end_contacts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(user_pointers_go_with_the_next_events, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_makes_no_sense_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(callbacks_may_change_objects, set_up, tear_down),
        cmocka_unit_test(any_changes_give_what_a_scene_built_anew_gives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
