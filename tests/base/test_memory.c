/* SPDX-License-Identifier: MIT */
/* Memory through the context's hooks, arrays and arenas: sizes that overflow, and failure that costs nothing. */
#include <stdalign.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/memory.h"
#include "support/failing_allocator.h"
#include "support/unit.h"

static void sizes_that_overflow_are_refused_before_the_allocator_is_asked(void **state)
{
    (void)state;
    failing_allocator allocator = {.allowed = 100};
    graze_context context = failing_allocator_context(&allocator);
    assert_null(grz_allocate(&context, SIZE_MAX, 2));
    assert_null(grz_allocate(&context, SIZE_MAX / 2 + 2, 2));
    assert_null(grz_allocate(&context, (size_t)1 << 40, (size_t)1 << 40));
    assert_null(grz_allocate_zeroed(&context, SIZE_MAX, SIZE_MAX));
    assert_int_equal(allocator.requests, 0);
    void *memory = grz_allocate(&context, 4, 4);
    assert_non_null(memory);
    assert_null(grz_reallocate(&context, memory, SIZE_MAX, 8));
    assert_int_equal(allocator.requests, 1);
    grz_release(&context, memory);
    assert_int_equal(allocator.live, 0);
}

static void nothing_can_be_allocated_and_released(void **state)
{
    (void)state;
    void *memory = grz_allocate(NULL, 0, 8);
    assert_non_null(memory);
    grz_release(NULL, memory);
    memory = grz_allocate(NULL, 8, 0);
    assert_non_null(memory);
    grz_release(NULL, memory);
    grz_release(NULL, NULL);
    graze_memory_release(NULL, NULL);
}

static void zeroed_memory_is_zero(void **state)
{
    (void)state;
    unsigned char *memory = grz_allocate_zeroed(NULL, 100, 3);
    assert_non_null(memory);
    for (int i = 0; i < 300; i++)
        assert_int_equal(memory[i], 0);
    grz_release(NULL, memory);
}

static void a_context_with_only_a_log_still_allocates(void **state)
{
    (void)state;
    graze_context context;
    memset(&context, 0, sizeof context);
    void *memory = grz_allocate(&context, 10, 10);
    assert_non_null(memory);
    memory = grz_reallocate(&context, memory, 20, 10);
    assert_non_null(memory);
    graze_memory_release(&context, memory);
    graze_context copy = grz_context_copy(&context);
    assert_non_null(copy.allocator.allocate);
}

static void an_array_survives_a_push_that_fails(void **state)
{
    (void)state;
    for (size_t allowed = 0; allowed < 6; allowed++)
    {
        failing_allocator allocator = {.allowed = allowed};
        graze_context context = failing_allocator_context(&allocator);
        GRZ_ARRAY(uint32_t) array = {0};
        uint32_t pushed = 0;
        while (pushed < 1000 && GRZ_PUSH(&context, &array, pushed * 3))
            pushed++;
        assert_true(pushed < 1000);
        assert_int_equal(array.count, pushed);
        for (uint32_t i = 0; i < pushed; i++)
            assert_int_equal(array.data[i], i * 3);
        allocator.allowed = 1000; /* memory is available again: the push succeeds */
        assert_true(GRZ_PUSH(&context, &array, 77));
        assert_int_equal(array.data[pushed], 77);
        grz_release(&context, array.data);
        assert_int_equal(allocator.live, 0);
    }
}

static void an_array_never_asks_for_more_than_memory_can_hold(void **state)
{
    (void)state;
    GRZ_ARRAY(double) array = {0};
    assert_true(GRZ_PUSH(NULL, &array, 1.5));
    assert_false(GRZ_RESERVE(NULL, &array, SIZE_MAX / 4));
    assert_int_equal(array.count, 1);
    assert_true(array.data[0] == 1.5);
    assert_true(GRZ_RESERVE(NULL, &array, 1));
    grz_release(NULL, array.data);
}

static void an_arena_keeps_everything_where_it_is(void **state)
{
    (void)state;
    failing_allocator allocator = {.allowed = 1000};
    graze_context context = failing_allocator_context(&allocator);
    grz_arena arena = grz_arena_make(&context);
    unsigned char *pieces[300];
    for (int i = 0; i < 300; i++)
    {
        pieces[i] = grz_arena_allocate(&arena, (size_t)i * 7, 1);
        assert_non_null(pieces[i]);
        assert_int_equal((uintptr_t)pieces[i] % alignof(max_align_t), 0);
        memset(pieces[i], i & 0xff, (size_t)i * 7);
    }
    for (int i = 0; i < 300; i++)
        for (int k = 0; k < i * 7; k++)
            assert_int_equal(pieces[i][k], i & 0xff);
    assert_true(allocator.requests < 12); /* blocks grow */
    grz_arena_reset(&arena);
    assert_int_equal(allocator.live, 1);
    size_t before = allocator.requests;
    assert_non_null(grz_arena_allocate(&arena, 1000, 1));
    assert_int_equal(allocator.requests, before);
    grz_arena_release(&arena);
    assert_int_equal(allocator.live, 0);
}

static void an_arena_stays_usable_after_a_refusal(void **state)
{
    (void)state;
    failing_allocator allocator = {.allowed = 1};
    graze_context context = failing_allocator_context(&allocator);
    grz_arena arena = grz_arena_make(&context);
    assert_null(grz_arena_allocate(&arena, SIZE_MAX, 16));
    assert_null(grz_arena_allocate(&arena, SIZE_MAX, 1));
    assert_int_equal(allocator.requests, 0);
    double *kept = grz_arena_allocate(&arena, 1, sizeof *kept);
    assert_non_null(kept);
    *kept = 2.5;
    assert_null(grz_arena_allocate(&arena, 1 << 20, 1));
    assert_non_null(grz_arena_allocate(&arena, 16, 1));
    assert_true(*kept == 2.5);
    grz_arena_release(&arena);
    grz_arena_release(&arena);
    assert_int_equal(allocator.live, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_that_overflow_are_refused_before_the_allocator_is_asked),
        cmocka_unit_test(nothing_can_be_allocated_and_released),
        cmocka_unit_test(zeroed_memory_is_zero),
        cmocka_unit_test(a_context_with_only_a_log_still_allocates),
        cmocka_unit_test(an_array_survives_a_push_that_fails),
        cmocka_unit_test(an_array_never_asks_for_more_than_memory_can_hold),
        cmocka_unit_test(an_arena_keeps_everything_where_it_is),
        cmocka_unit_test(an_arena_stays_usable_after_a_refusal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
