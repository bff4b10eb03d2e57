/* SPDX-License-Identifier: MIT */
/*
 * Changes reported by broad phases: pairs that begin and end, hundreds in one update, are sorted by ids, with their
 * tags; ids may be small or large. And whichever allocation fails, the next update recovers, with filters that change
 * and with OBBs.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graze/broad_phase.h"
#include "support/failing_allocator.h"
#include "support/random.h"
#include "support/unit.h"

enum
{
    CROWD = 64, /* coincident boxes: 2,016 pairs, which fit the initial capacity */
    MOST = 48
};

static uint32_t tag_of(uint32_t a, uint32_t b)
{
    return a * 31 + b;
}

static bool is_before(const graze_box_pair *x, const graze_box_pair *y)
{
    return x->a < y->a || (x->a == y->a && x->b < y->b);
}

/* All boxes begin to overlap, stay, and separate. */
static void meet_and_part(graze_broad_phase_method method, uint32_t step)
{
    graze_broad_phase_def def = graze_broad_phase_def_default();
    graze_broad_phase_changes changes;
    graze_broad_phase *broad;
    size_t count;
    def.method = method;
    assert_int_equal(graze_broad_phase_create(NULL, &def, &broad), GRAZE_STATUS_OK);
    for (uint32_t i = 0; i < CROWD; i++)
    {
        graze_box box = {{0, 0, 0}, {1, 1, 1}};
        assert_int_equal(graze_broad_phase_insert(broad, step * ((17 * i) % CROWD), &box), GRAZE_STATUS_OK);
    }
    assert_int_equal(graze_broad_phase_update(broad, &changes), GRAZE_STATUS_OK);
    const graze_box_pair *pairs = graze_broad_phase_pairs(broad, &count);
    assert_int_equal(count, CROWD * (CROWD - 1) / 2);
    assert_int_equal(changes.begun_count, count);
    assert_int_equal(changes.moved_count, count);
    for (size_t i = 0; i < count; i++)
    {
        const graze_box_pair *pair = &pairs[changes.begun[i]];
        assert_true(pair->a < pair->b && pair->a % step == 0 && pair->b % step == 0);
        assert_true(i == 0 || is_before(&pairs[changes.begun[i - 1]], pair));
        graze_broad_phase_set_tag(broad, changes.begun[i], tag_of(pair->a, pair->b));
    }
    for (uint32_t i = 0; i < CROWD; i++)
    {
        graze_box box = {{3.0 * i, 0, 0}, {3.0 * i + 1, 1, 1}};
        assert_int_equal(graze_broad_phase_move(broad, step * i, &box), GRAZE_STATUS_OK);
    }
    assert_int_equal(graze_broad_phase_update(broad, &changes), GRAZE_STATUS_OK);
    assert_int_equal(changes.ended_count, count);
    assert_int_equal(changes.begun_count + changes.moved_count, 0);
    for (size_t i = 0; i < count; i++)
    {
        const graze_box_pair *pair = &changes.ended[i];
        assert_int_equal(pair->tag, tag_of(pair->a, pair->b));
        assert_true(pair->a < pair->b && pair->b < step * CROWD && (i == 0 || is_before(pair - 1, pair)));
    }
    graze_broad_phase_destroy(broad);
}

static void hundreds_of_pairs_begin_and_end_in_order(void **state)
{
    (void)state;
    for (int method = 0; method < GRAZE_BROAD_PHASE_METHOD_COUNT; method++)
    {
        meet_and_part((graze_broad_phase_method)method, 1);
        meet_and_part((graze_broad_phase_method)method, 65535 / (CROWD - 1));
        meet_and_part((graze_broad_phase_method)method, 70000 / CROWD);
    }
}

/* Two of many boxes begin to overlap, and separate. */
static void the_only_pair_ends(void **state)
{
    (void)state;
    for (int method = 0; method < GRAZE_BROAD_PHASE_METHOD_COUNT; method++)
    {
        graze_broad_phase_def def = graze_broad_phase_def_default();
        graze_broad_phase_changes changes;
        graze_broad_phase *broad;
        def.method = (graze_broad_phase_method)method;
        assert_int_equal(graze_broad_phase_create(NULL, &def, &broad), GRAZE_STATUS_OK);
        for (int round = 0; round < 6; round++)
        {
            for (uint32_t i = 0; i < (round == 0 ? CROWD : 1); i++)
            {
                double x = i == 0 && round % 2 != 0 ? 9 : 3.0 * i;
                graze_box box = {{x, 0, 0}, {x + 1, 1, 1}};
                assert_int_equal(round == 0 ? graze_broad_phase_insert(broad, i, &box)
                                            : graze_broad_phase_move(broad, i, &box),
                                 GRAZE_STATUS_OK);
            }
            assert_int_equal(graze_broad_phase_update(broad, &changes), GRAZE_STATUS_OK);
            assert_int_equal(changes.begun_count, round % 2 != 0);
            assert_int_equal(changes.ended_count, round > 0 && round % 2 == 0);
        }
        graze_broad_phase_destroy(broad);
    }
}

/* Reference model. */
typedef struct model
{
    bool present[MOST];
    graze_box boxes[MOST];
    uint32_t divisor; /* the filter accepts pairs whose ids are congruent modulo this */
} model;

static bool is_wanted(void *user, uint32_t a, uint32_t b)
{
    const model *m = user;
    return a % m->divisor == b % m->divisor;
}

static bool overlap(const graze_box *a, const graze_box *b)
{
    bool all = true;
    for (int axis = 0; axis < 3; axis++)
        all = all && a->lower[axis] <= b->upper[axis] && b->lower[axis] <= a->upper[axis];
    return all;
}

static graze_box random_box(test_random *random)
{
    graze_box box;
    for (int axis = 0; axis < 3; axis++)
    {
        box.lower[axis] = random_between(random, 0, 3);
        box.upper[axis] = box.lower[axis] + random_between(random, 0, 1);
    }
    return box;
}

/* The AABB as an OBB, so that the same pairs overlap. */
static graze_oriented_box along_axes(const graze_box *box)
{
    graze_oriented_box out = {{0}, {{0}}};
    for (int axis = 0; axis < 3; axis++)
    {
        out.centre[axis] = 0.5 * (box->lower[axis] + box->upper[axis]);
        out.axes[axis][axis] = 0.5 * (box->upper[axis] - box->lower[axis]);
    }
    return out;
}

/* False when a box could not be inserted. */
static bool change_something(graze_broad_phase *broad, model *m, test_random *random, bool oriented)
{
    uint32_t id = (uint32_t)random_below(random, MOST);
    graze_box box = random_box(random);
    graze_status status = GRAZE_STATUS_OK;
    if (m->present[id] && random_once_in(random, 5))
    {
        assert_int_equal(graze_broad_phase_remove(broad, id), GRAZE_STATUS_OK);
        m->present[id] = false;
        return true;
    }
    status = m->present[id] ? graze_broad_phase_move(broad, id, &box) : graze_broad_phase_insert(broad, id, &box);
    if (status != GRAZE_STATUS_OK)
        return false;
    m->present[id] = true;
    m->boxes[id] = box;
    graze_oriented_box turned = along_axes(&box);
    if (oriented && random_once_in(random, 2))
        graze_broad_phase_set_oriented_box(broad, id, &turned); /* or not, when out of memory: the AABB remains */
    return true;
}

static void change_mind(graze_broad_phase *broad, model *m, test_random *random)
{
    m->divisor = (uint32_t)random_between(random, 1, 3);
    for (uint32_t id = 0; id < MOST; id++)
        if (m->present[id])
            assert_int_equal(graze_broad_phase_refilter(broad, id), GRAZE_STATUS_OK);
}

/* `met`, updated by the begun and ended pairs, equals the overlapping pairs. */
static void expect_pairs(const graze_broad_phase *broad, const model *m)
{
    bool now[MOST][MOST] = {{false}};
    size_t count, expected = 0;
    const graze_box_pair *pairs = graze_broad_phase_pairs(broad, &count);
    for (size_t i = 0; i < count; i++)
        now[pairs[i].a][pairs[i].b] = true;
    for (uint32_t a = 0; a < MOST; a++)
        for (uint32_t b = a + 1; b < MOST; b++)
        {
            bool meet = m->present[a] && m->present[b] && a % m->divisor == b % m->divisor &&
                        overlap(&m->boxes[a], &m->boxes[b]);
            assert_int_equal(now[a][b], meet);
            expected += meet;
        }
    assert_int_equal(count, expected);
}

/* Ways to run out of memory: permanently, once, and for large blocks. */
typedef struct shortage
{
    size_t allowed;
    bool once;
    size_t largest;
} shortage;

static bool run_with(graze_broad_phase_method method, bool filtered, bool oriented, shortage of_memory)
{
    test_random random = {9};
    failing_allocator allocator = {.allowed = of_memory.allowed, .once = of_memory.once, .largest = of_memory.largest};
    graze_context context = failing_allocator_context(&allocator);
    model m = {.divisor = 1};
    graze_broad_phase_def def = graze_broad_phase_def_default();
    graze_broad_phase *broad = NULL;
    bool enough = true;
    def.method = method;
    def.filter = filtered ? is_wanted : NULL;
    def.filter_user = &m;
    if (graze_broad_phase_create(&context, &def, &broad) != GRAZE_STATUS_OK)
        return false;
    for (int update = 0; update < 16; update++)
    {
        for (int i = 0; i < (update % 4 == 0 ? MOST : 3); i++)
            enough = change_something(broad, &m, &random, oriented) && enough;
        if (filtered && update % 3 == 2)
            change_mind(broad, &m, &random);
        graze_status status = graze_broad_phase_update(broad, NULL);
        if (status == GRAZE_STATUS_OK)
            expect_pairs(broad, &m);
        else if (!of_memory.once) /* the next may fail too, or not */
            allocator.allowed = update % 2 == 0 ? SIZE_MAX : allocator.requests + 2;
        enough = enough && status == GRAZE_STATUS_OK;
    }
    allocator.allowed = SIZE_MAX;
    allocator.largest = 0;
    assert_int_equal(graze_broad_phase_update(broad, NULL), GRAZE_STATUS_OK);
    expect_pairs(broad, &m);
    assert_int_equal(graze_broad_phase_validate(broad), GRAZE_STATUS_OK);
    graze_broad_phase_destroy(broad);
    assert_int_equal(allocator.live, 0);
    return enough && allocator.requests <= of_memory.allowed;
}

static void the_next_update_makes_good_for_one_that_failed(void **state)
{
    (void)state;
    for (int method = 1; method < GRAZE_BROAD_PHASE_METHOD_COUNT; method++)
        for (int kind = 0; kind < (method == GRAZE_BROAD_PHASE_ORIENTED_GRID ? 3 : 2); kind++)
        {
            graze_broad_phase_method by = (graze_broad_phase_method)method;
            size_t allowed = 0;
            while (!run_with(by, kind > 0, kind > 1, (shortage){.allowed = allowed}))
                run_with(by, kind > 0, kind > 1, (shortage){.allowed = allowed++, .once = true});
            printf("%s, %d: %zu allocations\n", graze_broad_phase_method_name(by), kind, allowed);
            assert_true(allowed > 20 && allowed < 600);
            size_t largest = 1000;
            while (!run_with(by, kind > 0, kind > 1, (shortage){.allowed = SIZE_MAX, .largest = largest}))
                largest += largest / 8;
            assert_true(largest > 1000 && largest < 1000000);
        }
}

/* There is memory for everything but the list of pairs itself. */
static void an_update_without_room_for_its_pairs_fails(void **state)
{
    (void)state;
    const size_t pairs = CROWD * (CROWD - 1) / 2;
    failing_allocator allocator = {.allowed = SIZE_MAX, .refused = pairs * sizeof(graze_box_pair)};
    graze_context context = failing_allocator_context(&allocator);
    graze_broad_phase *broad;
    graze_broad_phase_changes changes;
    size_t count;
    assert_int_equal(graze_broad_phase_create(&context, NULL, &broad), GRAZE_STATUS_OK);
    for (uint32_t id = 0; id < CROWD; id++)
    {
        graze_box box = {{0, 0, 0}, {1, 1, 1}};
        assert_int_equal(graze_broad_phase_insert(broad, id, &box), GRAZE_STATUS_OK);
    }
    for (int again = 0; again < 2; again++)
        assert_int_equal(graze_broad_phase_update(broad, &changes), GRAZE_STATUS_OUT_OF_MEMORY);
    allocator.refused = 0;
    assert_int_equal(graze_broad_phase_update(broad, &changes), GRAZE_STATUS_OK);
    graze_broad_phase_pairs(broad, &count);
    assert_true(count == pairs && changes.begun_count == pairs);
    graze_broad_phase_destroy(broad);
    assert_int_equal(allocator.live, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(hundreds_of_pairs_begin_and_end_in_order),
                                       cmocka_unit_test(the_only_pair_ends),
                                       cmocka_unit_test(the_next_update_makes_good_for_one_that_failed),
                                       cmocka_unit_test(an_update_without_room_for_its_pairs_fails)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
