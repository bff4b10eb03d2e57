/* SPDX-License-Identifier: MIT */
/*
 * Dynamic BVH: refits, re-insertions and rebuilds, with the same pairs as brute force throughout; also with coincident
 * boxes, and boxes of very different sizes.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "broad/broad_phase.h"
#include "broad/dynamic_bvh.h"
#include "support/random.h"
#include "support/unit.h"

enum
{
    MANY = 2000
};

static graze_broad_phase *make(graze_broad_phase_method method, graze_instructions instructions)
{
    graze_broad_phase_def def = graze_broad_phase_def_default();
    graze_context context = graze_context_default();
    def.method = method;
    context.instructions = instructions;
    graze_broad_phase *broad;
    assert_int_equal(graze_broad_phase_create(&context, &def, &broad), GRAZE_STATUS_OK);
    return broad;
}

static const grz_dynamic_bvh *tree_of(const graze_broad_phase *broad)
{
    assert_int_equal(graze_broad_phase_method_used(broad), GRAZE_BROAD_PHASE_BVH);
    assert_non_null(broad->state);
    return broad->state;
}

static graze_box box_around(const double centre[3], double x, double y, double z)
{
    graze_box box = {{centre[0] - x, centre[1] - y, centre[2] - z}, {centre[0] + x, centre[1] + y, centre[2] + z}};
    return box;
}

static graze_box random_box(test_random *random, double reach, double size)
{
    double centre[3];
    for (int axis = 0; axis < 3; axis++)
        centre[axis] = random_real(random, -reach, reach);
    return box_around(centre, random_real(random, 0, size), random_real(random, 0, size), random_real(random, 0, size));
}

/* Asserts the same pairs in both. Returns how many. */
static size_t expect_same_pairs(const graze_broad_phase *a, const graze_broad_phase *b)
{
    size_t count, other_count;
    graze_broad_phase_pairs(a, &count);
    graze_broad_phase_pairs(b, &other_count);
    assert_int_equal(count, other_count);
    graze_box_pair *pairs = calloc(count + 1, sizeof *pairs), *others = calloc(count + 1, sizeof *others);
    assert_int_equal(graze_broad_phase_gather(a, pairs, count, &count), GRAZE_STATUS_OK);
    assert_int_equal(graze_broad_phase_gather(b, others, count, &other_count), GRAZE_STATUS_OK);
    assert_memory_equal(pairs, others, count * sizeof *pairs);
    free(pairs);
    free(others);
    return count;
}

/* Inserts, moves or removes a box in two broad phases. */
static void change(test_random *random, graze_broad_phase *both[2], graze_box *boxes, bool *present, uint32_t id,
                   bool jump)
{
    if (!present[id] || jump)
        boxes[id] = random_box(random, 10, 1);
    bool remove = present[id] && random_once_in(random, 20), insert = !present[id];
    for (int axis = 0; axis < 3 && !insert && !remove && !jump; axis++)
    {
        double step = random_real(random, -0.1, 0.1);
        boxes[id].lower[axis] += step;
        boxes[id].upper[axis] += step;
    }
    for (int i = 0; i < 2; i++)
    {
        graze_status status = remove   ? graze_broad_phase_remove(both[i], id)
                              : insert ? graze_broad_phase_insert(both[i], id, &boxes[id])
                                       : graze_broad_phase_move(both[i], id, &boxes[id]);
        assert_int_equal(status, GRAZE_STATUS_OK);
    }
    present[id] = !remove;
}

static void a_tree_that_is_refitted_and_rebuilt_gives_the_pairs_of_brute_force(void **state)
{
    (void)state;
    test_random random = test_random_start("a_tree_that_is_refitted_and_rebuilt_gives_the_pairs_of_brute_force", 53);
    graze_broad_phase *both[2] = {make(GRAZE_BROAD_PHASE_BVH, GRAZE_INSTRUCTIONS_BEST),
                                  make(GRAZE_BROAD_PHASE_BRUTE_FORCE, GRAZE_INSTRUCTIONS_BEST)};
    graze_box *boxes = calloc(MANY, sizeof *boxes);
    bool *present = calloc(MANY, sizeof *present);
    size_t pairs = 0;
    for (int update = 0; update < 120; update++)
    {
        /* Changes all, some or a few boxes; sometimes they jump. */
        int changes = update % 30 == 0 ? MANY : (update % 5 == 0 ? MANY / 3 : 20);
        for (int i = 0; i < changes; i++)
        {
            uint32_t id = (uint32_t)(changes == MANY ? i : random_below(&random, MANY));
            change(&random, both, boxes, present, id, update % 40 == 10 && random_once_in(&random, 4));
        }
        for (int i = 0; i < 2; i++)
            assert_int_equal(graze_broad_phase_update(both[i], NULL), GRAZE_STATUS_OK);
        assert_int_equal(graze_broad_phase_validate(both[0]), GRAZE_STATUS_OK);
        pairs += expect_same_pairs(both[0], both[1]);
    }
    const grz_dynamic_bvh_counts *counts = &tree_of(both[0])->counts;
    printf("%zu pairs, %llu builds, %llu refits, %llu insertions, %llu reinsertions\n", pairs,
           (unsigned long long)counts->builds, (unsigned long long)counts->refits,
           (unsigned long long)counts->insertions, (unsigned long long)counts->reinsertions);
    assert_true(pairs > 100000 && counts->builds > 2 && counts->builds < 60 && counts->refits > 1000);
    assert_true(counts->insertions > 100 && counts->reinsertions > 100);
    graze_broad_phase_destroy(both[0]);
    graze_broad_phase_destroy(both[1]);
    free(boxes);
    free(present);
}

static void boxes_that_coincide_do_not_degenerate(void **state)
{
    (void)state;
    graze_broad_phase *broad = make(GRAZE_BROAD_PHASE_BVH, GRAZE_INSTRUCTIONS_BEST);
    graze_box point = {{3, 3, 3}, {3, 3, 3}};
    uint32_t count = 0;
    size_t pairs;
    /* Inserts many at once, then few at a time, which fills nodes and adds nodes below. */
    for (int update = 0; update < 40; update++)
    {
        for (int i = 0; i < (update == 0 ? 300 : 8); i++)
            assert_int_equal(graze_broad_phase_insert(broad, count++, &point), GRAZE_STATUS_OK);
        assert_int_equal(graze_broad_phase_update(broad, NULL), GRAZE_STATUS_OK);
        assert_int_equal(graze_broad_phase_validate(broad), GRAZE_STATUS_OK);
        graze_broad_phase_pairs(broad, &pairs);
        assert_int_equal(pairs, (size_t)count * (count - 1) / 2);
    }
    const grz_dynamic_bvh *tree = tree_of(broad);
    assert_true(tree->counts.insertions > 100);
    unsigned deepest = 0;
    for (uint32_t number = 0; number < tree->node_count; number++)
    {
        unsigned depth = 0;
        for (uint32_t at = number; at != 0; at = tree->nodes[at].parent)
            depth++;
        deepest = depth > deepest ? depth : deepest;
    }
    printf("%u boxes in %u nodes, %u levels\n", count, tree->node_count, deepest + 1);
    assert_true(deepest < 12);
    graze_broad_phase_destroy(broad);
}

/* Sizes from 0 to nearly the whole world, a cluster with half of the boxes, and some at the ends of the range of
   doubles. */
static graze_box skewed_box(test_random *random, int i)
{
    static const double place[3] = {40, -7, 2};
    if (i == 0)
        return (graze_box){{-1e300, -1e300, -1e300}, {1e300, 1e300, 1e300}};
    if (i % 50 == 1)
        return random_box(random, 90, ldexp(1, random_between(random, -30, 6)));
    if (i % 50 == 2)
    {
        double far[3] = {ldexp(1, random_between(random, 0, 1000)), -ldexp(1, random_between(random, 0, 1000)), 1e200};
        return box_around(far, 1, 1e100, 0);
    }
    graze_box box = random_box(random, i % 2 == 0 ? 0.05 : 100, i % 2 == 0 ? 0.003 : 3);
    for (int axis = 0; axis < 3 && i % 2 == 0; axis++)
    {
        box.lower[axis] += place[axis];
        box.upper[axis] += place[axis];
    }
    return box;
}

static void sizes_and_places_beyond_measure_are_no_trouble(void **state)
{
    (void)state;
    test_random random = test_random_start("sizes_and_places_beyond_measure_are_no_trouble", 59);
    graze_broad_phase *both[2] = {make(GRAZE_BROAD_PHASE_BVH, GRAZE_INSTRUCTIONS_BEST),
                                  make(GRAZE_BROAD_PHASE_BRUTE_FORCE, GRAZE_INSTRUCTIONS_BEST)};
    size_t pairs = 0;
    for (int update = 0; update < 12; update++)
    {
        for (int id = 0; id < MANY; id++)
        {
            if (update > 0 && id % 12 != update)
                continue;
            graze_box box = skewed_box(&random, id);
            for (int i = 0; i < 2; i++)
                assert_int_equal(update == 0 ? graze_broad_phase_insert(both[i], (uint32_t)id, &box)
                                             : graze_broad_phase_move(both[i], (uint32_t)id, &box),
                                 GRAZE_STATUS_OK);
        }
        for (int i = 0; i < 2; i++)
            assert_int_equal(graze_broad_phase_update(both[i], NULL), GRAZE_STATUS_OK);
        assert_int_equal(graze_broad_phase_validate(both[0]), GRAZE_STATUS_OK);
        pairs += expect_same_pairs(both[0], both[1]);
    }
    printf("%zu pairs\n", pairs);
    assert_true(pairs > 12 * (MANY - 1));
    graze_broad_phase_destroy(both[0]);
    graze_broad_phase_destroy(both[1]);
}

static void every_instruction_set_gives_the_same_pairs_in_the_same_order(void **state)
{
    (void)state;
    graze_broad_phase *first = NULL;
    size_t count = 0, updates = 0;
    for (int set = GRAZE_INSTRUCTIONS_SCALAR; set < GRAZE_INSTRUCTIONS_COUNT; set++)
    {
        test_random random = {61};
        graze_broad_phase *broad = make(GRAZE_BROAD_PHASE_BVH, (graze_instructions)set);
        for (int update = 0; update < 10; update++, updates++)
        {
            for (uint32_t id = 0; id < MANY; id++)
            {
                graze_box box = random_box(&random, 10, 1);
                if (update == 0)
                    assert_int_equal(graze_broad_phase_insert(broad, id, &box), GRAZE_STATUS_OK);
                else if (random_once_in(&random, 1 + update * update))
                    assert_int_equal(graze_broad_phase_move(broad, id, &box), GRAZE_STATUS_OK);
            }
            assert_int_equal(graze_broad_phase_update(broad, NULL), GRAZE_STATUS_OK);
        }
        const graze_box_pair *pairs = graze_broad_phase_pairs(broad, &count);
        if (first == NULL)
        {
            first = broad;
            continue;
        }
        size_t first_count;
        const graze_box_pair *first_pairs = graze_broad_phase_pairs(first, &first_count);
        assert_int_equal(count, first_count);
        assert_memory_equal(pairs, first_pairs, count * sizeof *pairs);
        graze_broad_phase_destroy(broad);
    }
    printf("%zu pairs after %zu updates\n", count, updates);
    assert_true(count > 1000);
    graze_broad_phase_destroy(first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tree_that_is_refitted_and_rebuilt_gives_the_pairs_of_brute_force),
        cmocka_unit_test(boxes_that_coincide_do_not_degenerate),
        cmocka_unit_test(sizes_and_places_beyond_measure_are_no_trouble),
        cmocka_unit_test(every_instruction_set_gives_the_same_pairs_in_the_same_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
