/* SPDX-License-Identifier: MIT */
/* Candidate pairs and the lists of their boxes, where the memory for one of the two lists is missing. */
#include "broad/candidates.h"
#include "support/failing_allocator.h"
#include "support/unit.h"

enum
{
    BOXES = 64
};

/* Asserts that every list has exactly the candidates of its box, each at the position that the candidate says. */
static void expect_lists(const grz_candidates *c, const grz_pooled_list *lists)
{
    size_t entries = 0;
    for (uint32_t box = 0; box < BOXES; box++)
        entries += lists[box].count;
    assert_int_equal(entries, 2 * c->entries.count);
    for (size_t i = 0; i < c->entries.count; i++)
    {
        const grz_candidate *each = &c->entries.data[i];
        assert_true(each->at_a < lists[each->a].count && each->at_b < lists[each->b].count);
        const grz_list_entry *in_a = &grz_list_entries(&c->links, &lists[each->a])[each->at_a];
        const grz_list_entry *in_b = &grz_list_entries(&c->links, &lists[each->b])[each->at_b];
        assert_true(in_a->other == each->b && in_a->candidate == i);
        assert_true(in_b->other == each->a && in_b->candidate == i);
    }
}

/* Box 0 gets one candidate after the other; the list of its partner finds no memory at first, sometimes when that of
   box 0 has just been filled, and the block of another list follows. */
static void a_candidate_that_finds_no_memory_changes_no_list(void **state)
{
    (void)state;
    failing_allocator allocator = {.allowed = SIZE_MAX};
    graze_context context = failing_allocator_context(&allocator);
    grz_candidates candidates = {0};
    grz_pooled_list lists[BOXES] = {0};
    int failed = 0, failed_with_full_list = 0;
    for (uint32_t other = 1; other < BOXES; other++)
    {
        uint32_t before = lists[0].count;
        allocator.allowed = allocator.requests;
        bool added = grz_candidates_add(&context, &candidates, lists, other, 0);
        expect_lists(&candidates, lists);
        allocator.allowed = SIZE_MAX;
        if (added)
            continue;
        failed++;
        failed_with_full_list += before + 1 == grz_list_capacity_for(before);
        assert_int_equal(lists[0].count, before);
        assert_int_equal(lists[other].count, 0);
        assert_true(grz_candidates_add(&context, &candidates, lists, other, 0));
        expect_lists(&candidates, lists);
    }
    assert_int_equal(candidates.entries.count, BOXES - 1);
    assert_true(failed > 3 && failed_with_full_list > 0);
    grz_candidates_release(&context, &candidates);
    assert_int_equal(allocator.live, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_candidate_that_finds_no_memory_changes_no_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
