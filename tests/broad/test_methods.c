/* SPDX-License-Identifier: MIT */
/*
 * Broad-phase methods with more boxes than test_broad_phase.c: few of many move, so that state kept from update to
 * update is used; one box is as large as the world; boxes crowd in one place. Memory is proportional to the boxes.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graze/broad_phase.h"
#include "support/random.h"
#include "support/unit.h"

enum
{
    MANY = 2000,
    ENOUGH = 10000
};

static graze_broad_phase *broad_by(graze_broad_phase_method method, double margin)
{
    graze_broad_phase_def def = graze_broad_phase_def_default();
    def.method = method;
    def.margin = margin;
    graze_broad_phase *broad;
    assert_int_equal(graze_broad_phase_create(NULL, &def, &broad), GRAZE_STATUS_OK);
    return broad;
}

static graze_box box_at(test_random *random, double room, double size)
{
    graze_box box;
    for (int axis = 0; axis < 3; axis++)
    {
        box.lower[axis] = random_real(random, 0, room);
        box.upper[axis] = box.lower[axis] + size * random_real(random, 0.5, 1);
    }
    return box;
}

/* Asserts that both broad phases have the same pairs. Returns how many. */
static size_t expect_same_pairs(const graze_broad_phase *a, const graze_broad_phase *b)
{
    size_t count_a, count_b;
    graze_broad_phase_pairs(a, &count_a);
    graze_broad_phase_pairs(b, &count_b);
    assert_int_equal(count_a, count_b);
    graze_box_pair *pairs_a = calloc(count_a + 1, sizeof *pairs_a), *pairs_b = calloc(count_b + 1, sizeof *pairs_b);
    assert_int_equal(graze_broad_phase_gather(a, pairs_a, count_a, &count_a), GRAZE_STATUS_OK);
    assert_int_equal(graze_broad_phase_gather(b, pairs_b, count_b, &count_b), GRAZE_STATUS_OK);
    for (size_t i = 0; i < count_a; i++)
        assert_true(pairs_a[i].a == pairs_b[i].a && pairs_a[i].b == pairs_b[i].b);
    free(pairs_a);
    free(pairs_b);
    return count_a;
}

/* Few boxes move, are inserted and removed at a time; sometimes many jump. */
static void run_quietly(test_random *random, graze_broad_phase_method method, double margin)
{
    graze_broad_phase *broad = broad_by(method, margin), *oracle = broad_by(GRAZE_BROAD_PHASE_BRUTE_FORCE, 0);
    graze_box *boxes = calloc(MANY, sizeof *boxes);
    unsigned long pairs = 0, begun = 0;
    for (uint32_t id = 0; id < MANY; id++)
    {
        boxes[id] = box_at(random, 20, 1.5);
        assert_int_equal(graze_broad_phase_insert(broad, id, &boxes[id]), GRAZE_STATUS_OK);
        assert_int_equal(graze_broad_phase_insert(oracle, id, &boxes[id]), GRAZE_STATUS_OK);
    }
    for (int update = 0; update < 150; update++)
    {
        for (int i = 0; i < (update % 75 == 74 ? MANY / 2 : 4); i++)
        {
            uint32_t id = (uint32_t)random_below(random, MANY);
            bool gone = update % 75 > 20 && update % 75 < 60 && random_once_in(random, 4);
            double step = random_real(random, -0.3, 0.3);
            for (int axis = 0; axis < 3; axis++)
            {
                boxes[id].lower[axis] += step;
                boxes[id].upper[axis] += step;
            }
            if (random_once_in(random, 20) || update % 75 == 74)
                boxes[id] = box_at(random, 20, 1.5);
            if (gone)
            {
                assert_int_equal(graze_broad_phase_remove(broad, id), graze_broad_phase_remove(oracle, id));
                continue;
            }
            graze_status status = graze_broad_phase_move(broad, id, &boxes[id]);
            assert_int_equal(graze_broad_phase_move(oracle, id, &boxes[id]), status);
            if (status == GRAZE_STATUS_BAD_INDEX)
            {
                assert_int_equal(graze_broad_phase_insert(broad, id, &boxes[id]), GRAZE_STATUS_OK);
                assert_int_equal(graze_broad_phase_insert(oracle, id, &boxes[id]), GRAZE_STATUS_OK);
            }
        }
        graze_broad_phase_changes changes;
        assert_int_equal(graze_broad_phase_update(broad, &changes), GRAZE_STATUS_OK);
        assert_int_equal(graze_broad_phase_update(oracle, NULL), GRAZE_STATUS_OK);
        begun += changes.begun_count;
        pairs += expect_same_pairs(broad, oracle);
        if (update % 10 == 0)
            assert_int_equal(graze_broad_phase_validate(broad), GRAZE_STATUS_OK);
    }
    printf("%s, margin %g: %lu pairs, %lu begun\n", graze_broad_phase_method_name(method), margin, pairs, begun);
    assert_true(pairs > 10000 && begun > 500);
    graze_broad_phase_destroy(broad);
    graze_broad_phase_destroy(oracle);
    free(boxes);
}

static void few_moves_of_many_boxes_give_the_pairs_of_brute_force(void **state)
{
    (void)state;
    test_random random = test_random_start("few_moves_of_many_boxes_give_the_pairs_of_brute_force", 21);
    for (int method = GRAZE_BROAD_PHASE_AXIS_SORT; method < GRAZE_BROAD_PHASE_METHOD_COUNT; method++)
    {
        run_quietly(&random, (graze_broad_phase_method)method, 8);
        run_quietly(&random, (graze_broad_phase_method)method, 0);
    }
}

/* The first box is as large as the world; it moves, and so do some others. */
static void memory_stays_in_proportion_to_boxes_and_pairs(void **state)
{
    (void)state;
    test_random random = test_random_start("memory_stays_in_proportion_to_boxes_and_pairs", 22);
    graze_box *boxes = calloc(ENOUGH, sizeof *boxes);
    for (int method = GRAZE_BROAD_PHASE_AXIS_SORT; method < GRAZE_BROAD_PHASE_METHOD_COUNT; method++)
    {
        for (int crowd = 0; crowd < 2; crowd++)
        {
            graze_broad_phase *broad = broad_by((graze_broad_phase_method)method, 8);
            for (uint32_t id = 0; id < ENOUGH; id++)
            {
                boxes[id] = id == 0 ? (graze_box){{-1, -1, -1}, {101, 101, 101}} : box_at(&random, 100, 0.01);
                if (crowd && id % 4 != 0) /* most in a corner, a thousand times denser */
                    boxes[id] = box_at(&random, 1, 0.001);
                assert_int_equal(graze_broad_phase_insert(broad, id, &boxes[id]), GRAZE_STATUS_OK);
            }
            size_t count;
            for (int update = 0; update < 20; update++)
            {
                for (uint32_t id = 0; id < ENOUGH; id += (uint32_t)random_between(&random, 1, 50))
                {
                    boxes[id].lower[0] += 0.001;
                    boxes[id].upper[0] += 0.001;
                    assert_int_equal(graze_broad_phase_move(broad, id, &boxes[id]), GRAZE_STATUS_OK);
                }
                assert_int_equal(graze_broad_phase_update(broad, NULL), GRAZE_STATUS_OK);
            }
            graze_broad_phase_pairs(broad, &count);
            double each = (double)graze_broad_phase_memory_size(broad) / ENOUGH;
            printf("%s%s: %zu pairs, %.0f bytes a box\n",
                   graze_broad_phase_method_name((graze_broad_phase_method)method), crowd ? ", crowded" : "", count,
                   each);
            assert_true(count >= ENOUGH - 1 && each < 3000);
            graze_broad_phase_destroy(broad);
        }
    }
    free(boxes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(few_moves_of_many_boxes_give_the_pairs_of_brute_force),
                                       cmocka_unit_test(memory_stays_in_proportion_to_boxes_and_pairs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
