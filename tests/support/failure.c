/* SPDX-License-Identifier: MIT */
/* Calls with NULL pointers and failing allocations; see failure.h. */
#include "support/failure.h"

#include <stdio.h>
#include <string.h>

#include "support/unit.h"

/* Outputs are filled with this before a call: no valid pointer, count or coordinate. */
#define UNTOUCHED 0xA5

failure_state failure;

bool failure_given(int pointer, bool may_be_null)
{
    uint32_t bit = (uint32_t)1 << pointer;
    failure.seen |= bit;
    if (may_be_null)
        failure.free |= bit;
    return failure.missing != pointer;
}

static void enter(const failure_table *table, int missing)
{
    failure.allocator = (failing_allocator){.allowed = SIZE_MAX};
    failure.context = failing_allocator_context(&failure.allocator);
    failure.missing = NOTHING;
    table->set_up();
    failure.missing = missing;
    failure.seen = failure.free = 0;
    failure.answer = 0;
    memset(table->outputs, UNTOUCHED, table->outputs_size);
}

static void leave(const failure_table *table)
{
    failure.missing = NOTHING;
    table->tear_down();
    assert_int_equal(failure.allocator.live, 0);
}

static bool outputs_untouched(const failure_table *table)
{
    const unsigned char *bytes = table->outputs;
    for (size_t i = 0; i < table->outputs_size; i++)
        if (bytes[i] != UNTOUCHED)
            return false;
    return true;
}

static int count_bits(uint32_t bits)
{
    int count = 0;
    for (; bits != 0; bits &= bits - 1)
        count++;
    return count;
}

static void expect(const failure_row *row, int missing, bool holds, const char *what)
{
    if (!holds)
        fail_msg("%s without pointer %d: %s", row->function, missing, what);
}

static void call_without(const failure_table *table, const failure_row *row, int missing, bool may_be_null)
{
    enter(table, missing);
    graze_status status = row->call();
    expect(row, missing, status == (may_be_null ? GRAZE_STATUS_OK : GRAZE_STATUS_BAD_ARGUMENT),
           graze_status_text(status));
    if (!may_be_null && (row->flags & WRITES) == 0)
        expect(row, missing, outputs_untouched(table), "outputs were written");
    leave(table);
}

void failure_check_nulls(const failure_table *table)
{
    size_t refused = 0, taken = 0;
    for (size_t i = 0; i < table->row_count; i++)
    {
        const failure_row *row = &table->rows[i];
        enter(table, NOTHING);
        graze_status status = row->call();
        expect(row, NOTHING, status == GRAZE_STATUS_OK, graze_status_text(status));
        uint32_t seen = failure.seen, free = failure.free;
        leave(table);
        assert_int_equal(count_bits(seen & (((uint32_t)1 << INNER) - 1)), row->pointer_count);
        for (int pointer = 0; pointer < 32; pointer++)
            if ((seen >> pointer & 1) != 0)
                call_without(table, row, pointer, (free >> pointer & 1) != 0);
        taken += (size_t)count_bits(free);
        refused += (size_t)count_bits(seen & ~free);
    }
    printf("%zu functions, %zu pointers that may be NULL, %zu that may not\n", table->row_count, taken, refused);
    assert_true(refused > 0);
}

/* Calls with a limited number of allocations, and again without limit if those did not suffice. Returns whether they
 * did. */
static bool call_with(const failure_table *table, const failure_row *row, int missing, size_t allowed, double answer)
{
    enter(table, missing);
    failure.allocator.allowed = failure.allocator.requests + allowed;
    graze_status status = row->call();
    failure.allocator.allowed = SIZE_MAX;
    bool enough = status == GRAZE_STATUS_OK;
    if (!enough)
    {
        if (status != GRAZE_STATUS_OUT_OF_MEMORY)
            fail_msg("%s with %zu allocations: %s", row->function, allowed, graze_status_text(status));
        if (!outputs_untouched(table))
            fail_msg("%s with %zu allocations: outputs were written", row->function, allowed);
        status = (row->flags & ONCE) != 0 ? GRAZE_STATUS_OK : row->call();
        if (status != GRAZE_STATUS_OK)
            fail_msg("%s after failing with %zu allocations: %s", row->function, allowed, graze_status_text(status));
    }
    if ((enough || (row->flags & ONCE) == 0) && failure.answer != answer)
        fail_msg("%s after failing with %zu allocations: the answer is %g, not %g", row->function, allowed,
                 failure.answer, answer);
    leave(table);
    return enough;
}

/* Returns how often a call with all pointers, or without one that may be NULL, ran out of memory. */
static size_t count_failures(const failure_table *table, const failure_row *row, int missing)
{
    enter(table, missing);
    assert_int_equal(row->call(), GRAZE_STATUS_OK);
    double answer = failure.answer;
    leave(table);
    size_t allowed = 0;
    while (!call_with(table, row, missing, allowed, answer))
        allowed++;
    return allowed;
}

void failure_check_allocations(const failure_table *table)
{
    size_t failures = 0, functions = 0;
    for (size_t i = 0; i < table->row_count; i++)
    {
        const failure_row *row = &table->rows[i];
        size_t count = count_failures(table, row, NOTHING);
        uint32_t free = failure.free;
        for (int pointer = INNER; pointer < 32;
             pointer++) /* without a tree or a body, the function may have to make one */
            if ((free >> pointer & 1) != 0)
                count += count_failures(table, row, pointer);
        if ((count > 0) != ((row->flags & ALLOCATES) != 0))
            fail_msg("%s failed for want of memory %zu times", row->function, count);
        failures += count;
        functions += count > 0;
    }
    printf("%zu functions failed for want of memory, %zu times in all\n", functions, failures);
    assert_true(functions > 0);
}
