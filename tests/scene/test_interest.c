/* SPDX-License-Identifier: MIT */
/*
 * Interest rules, changed one at a time: all objects coincide, so that exactly the pairs collide that the most specific
 * rule accepts. Objects are added and removed meanwhile, and the rules of their pairs with them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graze/generate.h"
#include "graze/interest.h"
#include "support/random.h"
#include "support/unit.h"

enum
{
    MOST = 9,
    LAYERS = 4,
    BEYOND = 3 /* not valid for layers and pairs: one more than the last */
};

static const uint32_t layers[LAYERS] = {0, 1, 31, 63};

typedef struct twin
{
    bool alive;
    graze_object name, former;
    int parent; /* -1: none */
    int layer;  /* in `layers` */
    uint32_t flags, assembly;
    graze_interest interest;
} twin;

typedef struct world
{
    graze_scene *scene;
    const graze_mesh *mesh;
    bool neighbours;
    twin twins[MOST];
    graze_interest pairs[MOST][MOST], layers[LAYERS][LAYERS], by_default;
    void *data[MOST][MOST];
    unsigned long wanted, unwanted;
} world;

static bool is_wanted(const world *w, int a, int b)
{
    const twin *x = &w->twins[a], *y = &w->twins[b];
    if (w->pairs[a][b] != GRAZE_INTEREST_UNSET)
        return w->pairs[a][b] == GRAZE_INTEREST_ANY;
    if ((x->flags & y->flags) != 0 || (x->assembly != 0 && x->assembly == y->assembly) ||
        (!w->neighbours && (x->parent == b || y->parent == a)))
        return false;
    bool none = false, any = false;
    for (int i = 0; i < 2; i++)
    {
        graze_interest interest = i == 0 ? x->interest : y->interest;
        none = none || interest == GRAZE_INTEREST_NONE;
        any = any || interest == GRAZE_INTEREST_ANY;
    }
    if (none || any)
        return !none;
    graze_interest of_layers = w->layers[x->layer][y->layer];
    return (of_layers != GRAZE_INTEREST_UNSET ? of_layers : w->by_default) == GRAZE_INTEREST_ANY;
}

static void add(world *w, test_random *random, int i)
{
    twin *t = &w->twins[i];
    graze_object_def def = graze_object_def_default();
    int parent = random_below(random, MOST);
    t->former = t->name;
    t->parent = random_once_in(random, 3) && w->twins[parent].alive ? parent : -1;
    t->layer = random_below(random, LAYERS);
    t->flags = random_once_in(random, 3) ? GRAZE_OBJECT_STATIC : random_once_in(random, 3) ? GRAZE_OBJECT_SENSOR : 0;
    t->assembly = random_once_in(random, 2) ? 0 : (uint32_t)random_between(random, 1, 2);
    t->interest = GRAZE_INTEREST_UNSET;
    def.mesh = w->mesh;
    def.flags = t->flags;
    def.layer = layers[t->layer];
    def.assembly = t->assembly;
    def.user = t;
    if (t->parent >= 0)
        def.parent = w->twins[t->parent].name;
    assert_int_equal(graze_scene_add(w->scene, &def, &t->name), GRAZE_STATUS_OK);
    t->alive = true;
}

/* An object is removed with its descendants. */
static void forget(world *w, int i)
{
    w->twins[i].alive = false;
    for (int other = 0; other < MOST; other++)
    {
        w->pairs[i][other] = w->pairs[other][i] = GRAZE_INTEREST_UNSET;
        w->data[i][other] = w->data[other][i] = NULL;
        if (w->twins[other].alive && w->twins[other].parent == i)
            forget(w, other);
    }
}

static void set_layers(world *w, test_random *random)
{
    int a = random_below(random, LAYERS), b = random_below(random, LAYERS);
    graze_interest interest = (graze_interest)random_below(random, 3);
    assert_int_equal(graze_interest_set_layers(w->scene, layers[a], layers[b], interest), GRAZE_STATUS_OK);
    w->layers[a][b] = w->layers[b][a] = interest;
}

static void set_pair(world *w, test_random *random)
{
    int a = random_below(random, MOST), b = random_below(random, MOST);
    graze_interest interest = (graze_interest)random_below(random, 3);
    const twin *x = &w->twins[a], *y = &w->twins[b];
    graze_status expected = !x->alive || !y->alive ? GRAZE_STATUS_BAD_INDEX
                            : a == b               ? GRAZE_STATUS_BAD_ARGUMENT
                                                   : GRAZE_STATUS_OK;
    bool data = random_once_in(random, 3);
    assert_int_equal(data ? graze_interest_set_pair_data(w->scene, x->name, y->name, NULL, NULL, &w->twins[b])
                          : graze_interest_set_pair(w->scene, x->name, y->name, interest),
                     expected);
    if (expected == GRAZE_STATUS_OK && data)
        w->data[a][b] = w->data[b][a] = &w->twins[b];
    else if (expected == GRAZE_STATUS_OK)
        w->pairs[a][b] = w->pairs[b][a] = interest;
}

static void change_something(world *w, test_random *random)
{
    int i = random_below(random, MOST), what = random_below(random, 8);
    twin *t = &w->twins[i];
    graze_interest interest = (graze_interest)random_below(random, 3);
    if (!t->alive)
        add(w, random, i);
    else if (what == 0)
    {
        assert_int_equal(graze_scene_remove(w->scene, t->name), GRAZE_STATUS_OK);
        forget(w, i);
    }
    else if (what < 3)
        set_layers(w, random);
    else if (what == 3)
    {
        w->by_default = random_once_in(random, 2) ? GRAZE_INTEREST_NONE : GRAZE_INTEREST_ANY;
        assert_int_equal(graze_interest_set_default(w->scene, w->by_default), GRAZE_STATUS_OK);
    }
    else if (what == 4)
    {
        t->interest = random_once_in(random, 2) ? GRAZE_INTEREST_UNSET : interest;
        assert_int_equal(graze_interest_set_object(w->scene, t->name, t->interest), GRAZE_STATUS_OK);
    }
    else
        set_pair(w, random);
}

/* Rejected calls change nothing. */
static void ask_for_nonsense(world *w, const twin *t, const twin *other)
{
    graze_scene *scene = w->scene;
    uint32_t beyond = GRAZE_LAYER_COUNT;
    graze_interest none = GRAZE_INTEREST_NONE, wrong = (graze_interest)BEYOND;
    assert_int_equal(graze_interest_set_layers(scene, 0, beyond, none), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_interest_set_layers(scene, beyond, 0, none), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_interest_set_layers(scene, 0, 1, wrong), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_interest_set_layers(NULL, 0, 1, none), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_interest_set_default(scene, GRAZE_INTEREST_UNSET), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_interest_set_default(scene, wrong), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_interest_set_default(NULL, none), GRAZE_STATUS_BAD_ARGUMENT);
    if (!t->alive || !other->alive || t == other)
        return;
    assert_int_equal(graze_interest_set_pair(scene, t->name, other->name, wrong), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_interest_set_object(scene, t->name, (graze_interest)3), GRAZE_STATUS_BAD_ARGUMENT);
    if (t->former.generation == 0)
        return;
    assert_int_equal(graze_interest_set_object(scene, t->former, GRAZE_INTEREST_NONE), GRAZE_STATUS_BAD_INDEX);
    assert_int_equal(graze_interest_set_pair(scene, t->former, other->name, none), GRAZE_STATUS_BAD_INDEX);
    assert_int_equal(graze_interest_set_pair(scene, other->name, t->former, none), GRAZE_STATUS_BAD_INDEX);
    assert_false(graze_interest_wants(scene, t->former, other->name));
}

/* The next update reports exactly the accepted pairs. */
static void expect_wanted(world *w)
{
    graze_frame frame;
    bool seen[MOST][MOST] = {{false}};
    size_t colliding = 0;
    assert_int_equal(graze_scene_update(w->scene, NULL, &frame), GRAZE_STATUS_OK);
    for (size_t i = 0; i < frame.event_count; i++)
    {
        long a = (const twin *)frame.events[i].user_a - w->twins, b = (const twin *)frame.events[i].user_b - w->twins;
        if (frame.events[i].kind == GRAZE_EVENT_END)
            continue;
        seen[a][b] = seen[b][a] = true;
        assert_ptr_equal(frame.events[i].user_pair, w->data[a][b]);
    }
    for (int a = 0; a < MOST; a++)
        for (int b = 0; b < MOST; b++)
        {
            bool wanted = w->twins[a].alive && w->twins[b].alive && a != b && is_wanted(w, a, b);
            assert_int_equal(graze_interest_wants(w->scene, w->twins[a].name, w->twins[b].name), wanted);
            assert_int_equal(seen[a][b], wanted);
            colliding += wanted && a < b;
            w->wanted += wanted;
            w->unwanted += !wanted;
        }
    assert_int_equal(frame.colliding, colliding);
}

static void the_most_specific_rule_decides(void **state)
{
    (void)state;
    test_random random = test_random_start("the_most_specific_rule_decides", 101);
    graze_mesh *mesh;
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 1, &mesh), GRAZE_STATUS_OK);
    for (int round = 0; round < 4; round++)
    {
        world *w = calloc(1, sizeof *w);
        graze_scene_def def = graze_scene_def_default();
        def.test_parent_child = w->neighbours = round % 2 == 1;
        w->mesh = mesh;
        w->by_default = GRAZE_INTEREST_ANY;
        assert_int_equal(graze_scene_create(NULL, &def, &w->scene), GRAZE_STATUS_OK);
        for (int step = 0; step < 1500; step++)
        {
            change_something(w, &random);
            if (step % 3 == 0)
                ask_for_nonsense(w, &w->twins[random_below(&random, MOST)], &w->twins[random_below(&random, MOST)]);
            if (round < 2 || step % 8 == 7)
                expect_wanted(w);
        }
        printf("%lu wanted, %lu not\n", w->wanted, w->unwanted);
        assert_true(w->wanted > 1000 && w->unwanted > 1000);
        graze_scene_destroy(w->scene);
        free(w);
    }
    graze_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_most_specific_rule_decides)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
