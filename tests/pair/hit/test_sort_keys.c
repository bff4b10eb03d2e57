/* SPDX-License-Identifier: MIT */
/* Keys of hits are sorted as by the C library's sort, however far apart their triangles' indices are. */
#include <stdlib.h>
#include <string.h>

#include "pair/hit/sort_keys.h"
#include "support/failing_allocator.h"
#include "support/random.h"
#include "support/unit.h"

enum
{
    MOST = 60000
};

static int by_size(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Different keys in random order: with all bits, so that they do not fit into one number with a byte; with few; or all
   but one close together. */
static void make_keys(test_random *random, int kind, uint64_t *keys, size_t count)
{
    uint32_t factor = kind == 0 ? UINT32_C(0x9e3779b1) : 1;
    for (size_t i = 0; i < count; i++)
    {
        uint32_t place = (uint32_t)((i * 40503 + 5) % 65536); /* an odd factor permutes them */
        uint64_t a = factor * (place / 4) & 0x7fffffff,
                 b = factor * (place % 4 + 4 * (uint32_t)random_below(random, 500));
        keys[i] = a << 32 | b;
    }
    if (kind == 2 && count > 0)
        keys[0] = UINT64_C(1) << 53;
}

static uint8_t byte_of(uint64_t key)
{
    return (uint8_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 56);
}

static void keys_come_out_in_order_with_their_bytes(void **state)
{
    (void)state;
    test_random random = test_random_start("keys_come_out_in_order_with_their_bytes", 41);
    static uint64_t keys[MOST], expected[MOST], sorted[2 * MOST];
    static uint8_t bytes[MOST];
    int wide = 0, packed_ones = 0;
    for (int round = 0; round < 120; round++)
    {
        size_t count = (size_t)random_below(&random, round % 4 == 0 ? MOST : round % 4 == 1 ? 200 : 5000);
        graze_context context = graze_context_default();
        context.instructions = (graze_instructions)(round % 5);
        make_keys(&random, round % 3, keys, count);
        for (size_t i = 0; i < count; i++)
            bytes[i] = byte_of(keys[i]);
        memcpy(expected, keys, count * sizeof *keys);
        qsort(expected, count, sizeof *keys, by_size);
        if (count > 0)
        {
            grz_sort_keys(&context, keys, count, sorted);
            assert_memory_equal(sorted, expected, count * sizeof *keys);
        }
        grz_packed_keys packed;
        assert_true(grz_packed_keys_make(&context, keys, bytes, count, &packed));
        wide += packed.keys != NULL;
        packed_ones += packed.keys == NULL;
        for (size_t i = 0; i < count; i++)
        {
            assert_true(grz_packed_key(&packed, i) == expected[i]);
            assert_int_equal(grz_packed_byte(&packed, i), byte_of(expected[i]));
        }
        grz_packed_keys_release(&context, &packed);
    }
    assert_true(wide > 20 && packed_ones > 60);
}

static void without_memory_nothing_is_leaked(void **state)
{
    (void)state;
    test_random random = test_random_start("without_memory_nothing_is_leaked", 42);
    static uint64_t keys[MOST];
    static uint8_t bytes[MOST];
    size_t failures = 0;
    for (int kind = 0; kind < 2; kind++)
    {
        make_keys(&random, kind, keys, 1000);
        bool done = false;
        for (size_t allowed = 0; !done; allowed++)
        {
            failing_allocator allocator = {.allowed = allowed};
            graze_context context = failing_allocator_context(&allocator);
            grz_packed_keys packed;
            done = grz_packed_keys_make(&context, keys, bytes, 1000, &packed);
            grz_packed_keys_release(&context, &packed);
            assert_int_equal(allocator.live, 0);
            failures += !done;
        }
    }
    assert_true(failures >= 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(keys_come_out_in_order_with_their_bytes),
                                       cmocka_unit_test(without_memory_nothing_is_leaked)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
