/* SPDX-License-Identifier: MIT */
/* Hits are sorted as by the C library's sort, however far apart their triangles' indices are. */
#include <stdlib.h>
#include <string.h>

#include "pair/hit/sort_hits.h"
#include "support/failing_allocator.h"
#include "support/random.h"
#include "support/unit.h"

enum
{
    MOST = 2000
};

static int by_triangles(const void *a, const void *b)
{
    const graze_hit *x = a, *y = b;
    if (x->triangle_a != y->triangle_a)
        return x->triangle_a < y->triangle_a ? -1 : 1;
    return x->triangle_b < y->triangle_b ? -1 : x->triangle_b > y->triangle_b;
}

/* Different pairs of triangles in random order: with all bits, so that they do not fit into one number together, or
   with few. */
static void make_hits(test_random *random, bool far, graze_hit *hits, size_t count)
{
    uint32_t factor = far ? UINT32_C(0x9e3779b1) : 1;
    memset(hits, 0, count * sizeof *hits);
    for (size_t i = 0; i < count; i++)
    {
        uint32_t place = (uint32_t)((i * 1237 + 5) % 2048); /* an odd factor permutes them */
        hits[i].triangle_a = factor * (place / 4);
        hits[i].triangle_b = factor * (place % 4 + 4 * (uint32_t)random_below(random, 500));
        hits[i].face_a = (uint32_t)i;
    }
}

static void hits_come_out_in_order(void **state)
{
    (void)state;
    test_random random = test_random_start("hits_come_out_in_order", 41);
    graze_hit *hits = calloc(MOST, sizeof *hits), *expected = calloc(MOST, sizeof *hits),
              *out = calloc(MOST, sizeof *hits);
    int wide = 0;
    for (int round = 0; round < 300; round++)
    {
        size_t count = (size_t)random_below(&random, round % 2 ? MOST : 200), capacity = count;
        make_hits(&random, round % 3 == 0, hits, count);
        wide += round % 3 == 0 && count > 100;
        memcpy(expected, hits, count * sizeof *hits);
        qsort(expected, count, sizeof *hits, by_triangles);
        if (round % 5 == 0)
            capacity = (size_t)random_below(&random, MOST + 100);
        memset(out, 0xff, MOST * sizeof *out);
        assert_true(grz_sort_hits_into(NULL, hits, count, out, capacity));
        assert_memory_equal(out, expected, (count < capacity ? count : capacity) * sizeof *hits);
        assert_true(capacity >= count || out[capacity].triangle_a == UINT32_MAX);
    }
    assert_true(wide > 40);
    free(hits);
    free(expected);
    free(out);
}

static void without_memory_nothing_is_written(void **state)
{
    (void)state;
    test_random random = test_random_start("without_memory_nothing_is_written", 42);
    static graze_hit hits[MOST], out[MOST], before[MOST];
    make_hits(&random, false, hits, MOST);
    memset(before, 0xff, sizeof before);
    memcpy(out, before, sizeof out);
    size_t failures = 0;
    for (size_t allowed = 0;; allowed++)
    {
        failing_allocator allocator = {.allowed = allowed};
        graze_context context = failing_allocator_context(&allocator);
        bool done = grz_sort_hits_into(&context, hits, MOST, out, MOST);
        assert_int_equal(allocator.live, 0);
        if (done)
            break;
        failures++;
        assert_memory_equal(out, before, sizeof out);
    }
    assert_true(failures > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(hits_come_out_in_order),
                                       cmocka_unit_test(without_memory_nothing_is_written)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
