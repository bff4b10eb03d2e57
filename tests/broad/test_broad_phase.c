/* SPDX-License-Identifier: MIT */
/*
 * Every broad-phase method finds exactly the pairs that brute force finds, and the pairs begun and ended between
 * updates, over long random scripts: insertions, moves, jumps and removals of boxes that are similar, identical,
 * nested, huge, tiny, flat or points, near the origin and at the ends of the range of doubles.
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
    MOST = 160 /* boxes at a time */
};

/* Reference model. */
typedef struct model
{
    bool present[MOST];
    graze_box boxes[MOST];
    bool met[MOST][MOST];      /* at the last update */
    uint32_t tags[MOST][MOST]; /* tags of pairs that overlapped then */
    bool fresh[MOST];          /* inserted since the last update */
    uint32_t next_tag;
    uint64_t begun, ended, pairs; /* seen over all updates */
    const bool (*unwanted)[MOST];
} model;

typedef enum world
{
    EVERYDAY,
    LATTICE,   /* corners on small integers: many boxes touch or coincide */
    ALL_SIZES, /* from points to boxes around everything */
    EXTREMES,  /* up to the ends of the range of doubles */
    WORLDS
} world;

static double coordinate(test_random *random, world w)
{
    if (w == LATTICE)
        return random_between(random, -5, 5);
    if (w == EXTREMES)
        return ldexp(random_real(random, -1, 1), random_between(random, -1060, 1023));
    return random_real(random, -3, 3);
}

static graze_box random_box(test_random *random, world w)
{
    graze_box box;
    double size = w == ALL_SIZES ? ldexp(1, random_between(random, -20, 5)) : 1.5;
    for (int axis = 0; axis < 3; axis++)
    {
        double from = coordinate(random, w), to;
        if (w == LATTICE)
            to = from + random_between(random, 0, 2);
        else if (w == EXTREMES)
            to = coordinate(random, w);
        else
            to = random_once_in(random, 12) ? from : from + random_real(random, 0, size);
        box.lower[axis] = fmin(from, to);
        box.upper[axis] = fmax(from, to);
    }
    return box;
}

static graze_box moved_a_little(test_random *random, world w, graze_box box)
{
    for (int axis = 0; axis < 3; axis++)
    {
        double step = w == LATTICE ? random_between(random, -1, 1) : random_real(random, -0.15, 0.15);
        if (isfinite(box.lower[axis] + step) && isfinite(box.upper[axis] + step))
        {
            box.lower[axis] += step;
            box.upper[axis] += step;
        }
    }
    return box;
}

static bool overlap(const graze_box *a, const graze_box *b)
{
    for (int axis = 0; axis < 3; axis++)
        if (a->lower[axis] > b->upper[axis] || b->lower[axis] > a->upper[axis])
            return false;
    return true;
}

static bool should_meet(const model *m, size_t a, size_t b)
{
    return m->present[a] && m->present[b] && overlap(&m->boxes[a], &m->boxes[b]) &&
           (m->unwanted == NULL || !m->unwanted[a][b]);
}

static void change_something(test_random *random, world w, graze_broad_phase *broad, model *m, uint32_t count)
{
    uint32_t id = (uint32_t)random_below(random, (int)count);
    if (!m->present[id])
    {
        m->boxes[id] = random_once_in(random, 10) ? m->boxes[(id + 1) % count] : random_box(random, w);
        assert_int_equal(graze_broad_phase_move(broad, id, &m->boxes[id]), GRAZE_STATUS_BAD_INDEX);
        assert_int_equal(graze_broad_phase_insert(broad, id, &m->boxes[id]), GRAZE_STATUS_OK);
        m->present[id] = m->fresh[id] = true;
    }
    else if (random_once_in(random, 12))
    {
        assert_int_equal(graze_broad_phase_insert(broad, id, &m->boxes[id]), GRAZE_STATUS_BAD_ARGUMENT);
        assert_int_equal(graze_broad_phase_remove(broad, id), GRAZE_STATUS_OK);
        m->present[id] = false;
    }
    else
    {
        m->boxes[id] = random_once_in(random, 10) ? random_box(random, w) : moved_a_little(random, w, m->boxes[id]);
        assert_int_equal(graze_broad_phase_move(broad, id, &m->boxes[id]), GRAZE_STATUS_OK);
    }
}

/* Compares all pairs, and those begun and ended, with the model, and updates the model. */
static void expect_update(graze_broad_phase *broad, model *m, uint32_t count)
{
    static bool now[MOST][MOST];
    static uint32_t tags[MOST][MOST];
    graze_broad_phase_changes changes;
    assert_int_equal(graze_broad_phase_update(broad, &changes), GRAZE_STATUS_OK);
    assert_int_equal(graze_broad_phase_validate(broad), GRAZE_STATUS_OK);
    memset(now, 0, sizeof now);
    size_t pair_count, expected = 0, expected_begun = 0, expected_ended = 0;
    for (size_t i = 0; i < changes.begun_count; i++)
    {
        size_t ignored;
        const graze_box_pair *pair = &graze_broad_phase_pairs(broad, &ignored)[changes.begun[i]];
        assert_true(!m->met[pair->a][pair->b] || m->fresh[pair->a] || m->fresh[pair->b]);
        assert_int_equal(pair->tag, 0);
        graze_broad_phase_set_tag(broad, changes.begun[i], ++m->next_tag);
        const graze_box_pair *last = i > 0 ? &graze_broad_phase_pairs(broad, &ignored)[changes.begun[i - 1]] : NULL;
        assert_true(last == NULL || last->a < pair->a || (last->a == pair->a && last->b < pair->b));
    }
    const graze_box_pair *pairs = graze_broad_phase_pairs(broad, &pair_count);
    for (size_t i = 0; i < pair_count; i++)
    {
        assert_true(pairs[i].a < pairs[i].b && pairs[i].b < count);
        assert_false(now[pairs[i].a][pairs[i].b]);
        now[pairs[i].a][pairs[i].b] = true;
        tags[pairs[i].a][pairs[i].b] = pairs[i].tag;
    }
    for (size_t i = 0; i < changes.ended_count; i++)
    {
        graze_box_pair pair = changes.ended[i];
        assert_true(m->met[pair.a][pair.b]);
        assert_int_equal(pair.tag, m->tags[pair.a][pair.b]);
        assert_true(i == 0 || changes.ended[i - 1].a < pair.a ||
                    (changes.ended[i - 1].a == pair.a && changes.ended[i - 1].b < pair.b));
    }
    for (size_t a = 0; a < count; a++)
    {
        for (size_t b = a + 1; b < count; b++)
        {
            bool meet = should_meet(m, a, b), renewed = m->fresh[a] || m->fresh[b];
            assert_int_equal(now[a][b], meet);
            expected += meet;
            expected_begun += meet && (!m->met[a][b] || renewed);
            expected_ended += m->met[a][b] && (!meet || renewed);
            if (meet && m->met[a][b] && !renewed)
                assert_int_equal(tags[a][b], m->tags[a][b]);
            m->met[a][b] = meet;
            m->tags[a][b] = tags[a][b];
        }
        m->fresh[a] = false;
    }
    memset(m->fresh, 0, sizeof m->fresh);
    assert_int_equal(pair_count, expected);
    assert_int_equal(changes.begun_count, expected_begun);
    assert_int_equal(changes.ended_count, expected_ended);
    m->pairs += expected;
    m->begun += expected_begun;
    m->ended += expected_ended;
}

static void expect_queries(test_random *random, world w, const graze_broad_phase *broad, const model *m, uint32_t count)
{
    uint32_t ids[MOST];
    size_t found, expected = 0;
    graze_box box = random_box(random, w);
    assert_int_equal(graze_broad_phase_collide_box(broad, &box, ids, MOST, &found), GRAZE_STATUS_OK);
    for (uint32_t id = 0; id < count; id++)
    {
        if (!m->present[id] || !overlap(&m->boxes[id], &box))
            continue;
        assert_true(expected < found);
        assert_int_equal(ids[expected], id);
        expected++;
    }
    assert_int_equal(found, expected);

    /* A ray through a point of a box hits the box; and rays along an axis through all boxes. */
    uint32_t target = (uint32_t)random_below(random, (int)count);
    double origin[3], direction[3];
    for (int axis = 0; axis < 3; axis++)
    {
        origin[axis] = random_real(random, -10, 10);
        direction[axis] = 0.5 * m->boxes[target].lower[axis] + 0.5 * m->boxes[target].upper[axis] - origin[axis];
    }
    assert_int_equal(graze_broad_phase_cast_ray(broad, origin, direction, 1.0001, ids, MOST, &found), GRAZE_STATUS_OK);
    bool there = false;
    for (size_t i = 0; i < found; i++)
    {
        there = there || ids[i] == target;
        assert_true(m->present[ids[i]] && (i == 0 || ids[i - 1] < ids[i]));
    }
    if (w != EXTREMES)
        assert_true(there || !m->present[target]);
    double along[3] = {0, 0, -1};
    assert_int_equal(graze_broad_phase_cast_ray(broad, origin, along, INFINITY, ids, MOST, &found), GRAZE_STATUS_OK);
    expected = 0;
    for (uint32_t id = 0; id < count; id++)
    {
        const graze_box *b = &m->boxes[id];
        expected += m->present[id] && b->lower[0] <= origin[0] && origin[0] <= b->upper[0] &&
                    b->lower[1] <= origin[1] && origin[1] <= b->upper[1] && b->lower[2] <= origin[2];
    }
    assert_int_equal(found, expected);
}

static bool is_wanted(void *user, uint32_t a, uint32_t b)
{
    const bool(*unwanted)[MOST] = user;
    assert_true(a < b);
    return !unwanted[a][b];
}

static void run_script(test_random *random, graze_broad_phase_method method, world w, uint32_t count, int updates,
                       int changes_each, double margin, bool filtered)
{
    static bool unwanted[MOST][MOST];
    for (size_t a = 0; a < MOST; a++)
        for (size_t b = 0; b < MOST; b++)
            unwanted[a][b] = filtered && random_once_in(random, 2);
    graze_broad_phase_def def = graze_broad_phase_def_default();
    def.method = method;
    def.margin = margin;
    def.filter = filtered ? is_wanted : NULL;
    def.filter_user = unwanted;
    graze_broad_phase *broad;
    assert_int_equal(graze_broad_phase_create(NULL, &def, &broad), GRAZE_STATUS_OK);
    model *m = calloc(1, sizeof *m);
    m->unwanted = filtered ? (const bool(*)[MOST])unwanted : NULL;
    for (int update = 0; update < updates; update++)
    {
        int changes = update % 7 == 0 ? 4 * changes_each : (update % 11 == 3 ? 0 : changes_each);
        for (int i = 0; i < changes; i++)
            change_something(random, w, broad, m, count);
        if (filtered && random_once_in(random, 3))
        {
            uint32_t id = (uint32_t)random_below(random, (int)count);
            for (uint32_t other = 0; other < count; other++)
                unwanted[id < other ? id : other][id < other ? other : id] = random_once_in(random, 2);
            assert_int_equal(graze_broad_phase_refilter(broad, id),
                             m->present[id] ? GRAZE_STATUS_OK : GRAZE_STATUS_BAD_INDEX);
        }
        expect_update(broad, m, count);
        expect_queries(random, w, broad, m, count);
    }
    printf("%s, world %d, %u boxes: %llu pairs, %llu begun, %llu ended\n", graze_broad_phase_method_name(method),
           (int)w, count, (unsigned long long)m->pairs, (unsigned long long)m->begun, (unsigned long long)m->ended);
    if (w != EXTREMES)
        assert_true(m->begun > (uint64_t)updates / 8 && m->ended > (uint64_t)updates / 16);
    assert_true(graze_broad_phase_memory_size(broad) > 0);
    graze_broad_phase_destroy(broad);
    free(m);
}

static void every_method_gives_the_pairs_of_brute_force(void **state)
{
    (void)state;
    test_random random = test_random_start("every_method_gives_the_pairs_of_brute_force", 41);
    for (int method = 0; method < GRAZE_BROAD_PHASE_METHOD_COUNT; method++)
        for (int w = 0; w < WORLDS; w++)
        {
            run_script(&random, (graze_broad_phase_method)method, (world)w, 24, 200, 6, 8, false);
            run_script(&random, (graze_broad_phase_method)method, (world)w, 90, 100, 30, 0, false);
            run_script(&random, (graze_broad_phase_method)method, (world)w, MOST, 100, 40, 8, w == EVERYDAY);
        }
}

/* Filter: accepts pairs whose ids are congruent modulo a divisor that changes. */
static bool has_same_rest(void *user, uint32_t a, uint32_t b)
{
    const uint32_t *divisor = user;
    return a % *divisor == b % *divisor;
}

/* All boxes coincide, so that every pair is a candidate: the results of the filter change for all at once. */
static void the_filter_is_asked_again_about_boxes_in_one_place(void **state)
{
    (void)state;
    const uint32_t count = 400, divisors[] = {1, 2, 1, 7, 3, 1};
    for (int method = 0; method < GRAZE_BROAD_PHASE_METHOD_COUNT; method++)
    {
        uint32_t divisor = 1;
        graze_broad_phase_def def = graze_broad_phase_def_default();
        def.method = (graze_broad_phase_method)method;
        def.filter = has_same_rest;
        def.filter_user = &divisor;
        graze_broad_phase *broad;
        assert_int_equal(graze_broad_phase_create(NULL, &def, &broad), GRAZE_STATUS_OK);
        graze_box box = {{0, 0, 0}, {1, 1, 1}};
        for (uint32_t id = 0; id < count; id++)
            assert_int_equal(graze_broad_phase_insert(broad, id, &box), GRAZE_STATUS_OK);
        size_t before = 0;
        for (size_t round = 0; round < sizeof divisors / sizeof divisors[0]; round++)
        {
            divisor = divisors[round];
            for (uint32_t id = 0; id < count && round > 0; id++)
                if (round % 2 == 0 || id % 5 != 0) /* some are refiltered only through their partners */
                    assert_int_equal(graze_broad_phase_refilter(broad, id), GRAZE_STATUS_OK);
            graze_broad_phase_changes changes;
            assert_int_equal(graze_broad_phase_update(broad, &changes), GRAZE_STATUS_OK);
            size_t pair_count, expected = 0;
            graze_broad_phase_pairs(broad, &pair_count);
            for (uint32_t a = 0; a < count; a++)
                for (uint32_t b = a + 1; b < count; b++)
                {
                    bool asked = round % 2 == 0 || a % 5 != 0 || b % 5 != 0;
                    expected +=
                        asked ? has_same_rest(&divisor, a, b) : a % divisors[round - 1] == b % divisors[round - 1];
                }
            assert_int_equal(pair_count, expected);
            assert_int_equal(pair_count, before + changes.begun_count - changes.ended_count);
            assert_int_equal(graze_broad_phase_validate(broad), GRAZE_STATUS_OK);
            before = pair_count;
        }
        graze_broad_phase_destroy(broad);
    }
}

static void names_and_methods_agree(void **state)
{
    (void)state;
    for (int method = 0; method < GRAZE_BROAD_PHASE_METHOD_COUNT; method++)
    {
        graze_broad_phase_method found = GRAZE_BROAD_PHASE_METHOD_COUNT;
        assert_true(graze_broad_phase_method_from_name(graze_broad_phase_method_name((graze_broad_phase_method)method),
                                                       &found));
        assert_int_equal(found, method);
    }
    graze_broad_phase_method untouched = GRAZE_BROAD_PHASE_HASH_GRID;
    assert_false(graze_broad_phase_method_from_name("bush", &untouched));
    assert_int_equal(untouched, GRAZE_BROAD_PHASE_HASH_GRID);
    assert_null(graze_broad_phase_method_name(GRAZE_BROAD_PHASE_METHOD_COUNT));
}

static void bad_input_has_a_status(void **state)
{
    (void)state;
    graze_broad_phase *broad = NULL;
    graze_broad_phase_def def = graze_broad_phase_def_default();
    def.margin = NAN;
    assert_int_equal(graze_broad_phase_create(NULL, &def, &broad), GRAZE_STATUS_BAD_ARGUMENT);
    def = graze_broad_phase_def_default();
    def.method = GRAZE_BROAD_PHASE_METHOD_COUNT;
    assert_int_equal(graze_broad_phase_create(NULL, &def, &broad), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_broad_phase_create(NULL, NULL, &broad), GRAZE_STATUS_OK);
    graze_box good = {{0, 0, 0}, {1, 1, 1}}, inverted = {{0, 2, 0}, {1, 1, 1}}, endless = {{0, 0, 0}, {1, INFINITY, 1}};
    assert_int_equal(graze_broad_phase_insert(broad, 3, &inverted), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_broad_phase_insert(broad, 3, &endless), GRAZE_STATUS_NOT_FINITE);
    assert_int_equal(graze_broad_phase_insert(broad, UINT32_MAX, &good), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_broad_phase_remove(broad, 3), GRAZE_STATUS_BAD_INDEX);
    assert_int_equal(graze_broad_phase_insert(broad, 3, &good), GRAZE_STATUS_OK);
    assert_int_equal(graze_broad_phase_move(broad, 2, &good), GRAZE_STATUS_BAD_INDEX);
    assert_int_equal(graze_broad_phase_move(broad, 3, &endless), GRAZE_STATUS_NOT_FINITE);
    assert_int_equal(graze_broad_phase_refilter(broad, 4), GRAZE_STATUS_BAD_INDEX);
    assert_int_equal(graze_broad_phase_update(broad, NULL), GRAZE_STATUS_OK);
    graze_broad_phase_destroy(broad);
    graze_broad_phase_destroy(NULL);
}

/* Some updates with an allocator that fails from some request on, then works again: no pair is lost. */
static void nothing_is_lost_when_memory_runs_out(void **state)
{
    (void)state;
    for (int method = 1; method < GRAZE_BROAD_PHASE_METHOD_COUNT; method++)
    {
        bool survived = false;
        for (size_t allowed = 0; !survived && allowed < 400; allowed++)
        {
            test_random random = {77};
            failing_allocator allocator = {.allowed = allowed};
            graze_context context = failing_allocator_context(&allocator);
            graze_broad_phase_def def = graze_broad_phase_def_default();
            def.method = (graze_broad_phase_method)method;
            graze_broad_phase *broad;
            if (graze_broad_phase_create(&context, &def, &broad) != GRAZE_STATUS_OK)
                continue;
            model *m = calloc(1, sizeof *m);
            survived = true;
            for (uint32_t id = 0; id < 60; id++)
            {
                m->boxes[id] = random_box(&random, EVERYDAY);
                graze_status status = graze_broad_phase_insert(broad, id, &m->boxes[id]);
                m->present[id] = status == GRAZE_STATUS_OK;
                if (id % 10 == 9 && graze_broad_phase_update(broad, NULL) != GRAZE_STATUS_OK)
                    survived = false;
                survived = survived && m->present[id];
            }
            allocator.allowed = SIZE_MAX;
            assert_int_equal(graze_broad_phase_update(broad, NULL), GRAZE_STATUS_OK);
            size_t count, expected = 0;
            graze_broad_phase_pairs(broad, &count);
            for (size_t a = 0; a < 60; a++)
                for (size_t b = a + 1; b < 60; b++)
                    expected += should_meet(m, a, b);
            assert_int_equal(count, expected);
            assert_int_equal(graze_broad_phase_validate(broad), GRAZE_STATUS_OK);
            graze_broad_phase_destroy(broad);
            assert_int_equal(allocator.live, 0);
            free(m);
        }
        assert_true(survived);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_gives_the_pairs_of_brute_force),
        cmocka_unit_test(the_filter_is_asked_again_about_boxes_in_one_place), cmocka_unit_test(names_and_methods_agree),
        cmocka_unit_test(bad_input_has_a_status), cmocka_unit_test(nothing_is_lost_when_memory_runs_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
