/* SPDX-License-Identifier: MIT */
/* Crossings buffered as keys and hits buffered with a byte are written together, in order, as if all were whole. */
#include <stdlib.h>
#include <string.h>

#include "pair/hit/hit_buffer.h"
#include "support/failing_allocator.h"
#include "support/random.h"
#include "support/unit.h"

enum
{
    MOST = 1200,
    TRIANGLES = 300
};

static graze_mesh *mesh; /* its faces are quadrilaterals, so that triangles and faces differ */

static int set_up(void **state)
{
    (void)state;
    double corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    uint32_t sizes[TRIANGLES / 2], indices[2 * TRIANGLES];
    for (size_t i = 0; i < TRIANGLES / 2; i++)
    {
        sizes[i] = 4;
        for (uint32_t k = 0; k < 4; k++)
            indices[4 * i + k] = k;
    }
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = corners[0];
    def.vertex_count = 4;
    def.loop_sizes = sizes;
    def.loop_count = TRIANGLES / 2;
    def.corners = indices;
    def.corner_count = (size_t)2 * TRIANGLES;
    return graze_mesh_create(NULL, &def, NULL, &mesh) == GRAZE_STATUS_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    graze_mesh_destroy(mesh);
    return 0;
}

static int by_triangles(const void *a, const void *b)
{
    const graze_hit *x = a, *y = b;
    if (x->triangle_a != y->triangle_a)
        return x->triangle_a < y->triangle_a ? -1 : 1;
    return x->triangle_b < y->triangle_b ? -1 : x->triangle_b > y->triangle_b;
}

/* Different pairs in random order, spread or, all but one, close together; `touching` of each hundred touch. */
static void make_hits(test_random *random, graze_hit *hits, size_t count, int touching)
{
    uint32_t first = (uint32_t)random_below(random, 65536), pairs = random_below(random, 3) == 0 ? 2048 : 65536;
    for (size_t i = 0; i < count; i++)
    {
        uint32_t pair = (uint32_t)(((first + i) * 40503) % pairs); /* an odd factor permutes them */
        uint32_t a = i == 0 ? TRIANGLES - 1 : pair / 256, b = pair % 256;
        hits[i] = (graze_hit){a, b, graze_mesh_triangle_face(mesh, a), graze_mesh_triangle_face(mesh, b),
                              grz_crossing_contact};
        if (random_below(random, 100) < touching)
            hits[i].contact = grz_contact_make(random_below(random, 3), 1u + (unsigned)random_below(random, 7),
                                               1u + (unsigned)random_below(random, 6));
    }
}

/* Adds hits one by one, or crossings in a batch, to one buffer or to two that are merged. */
static bool keep(const graze_context *context, const graze_hit *hits, size_t count, grz_hit_buffer *out)
{
    grz_hit_buffer more = {0};
    bool enough = true;
    for (size_t i = 0; i < count && enough; i++)
    {
        uint64_t numbers[2] = {(uint64_t)hits[i].triangle_a << 32 | hits[i].triangle_b, 0};
        grz_hit_buffer *found = i % 3 == 0 ? &more : out;
        bool two = i + 1 < count && hits[i].contact.mask_b == 7 && hits[i + 1].contact.mask_b == 7;
        if (!two)
        {
            enough = grz_hit_buffer_add(found, context, numbers[0], grz_contact_code(&hits[i].contact));
            continue;
        }
        i++;
        numbers[1] = (uint64_t)hits[i].triangle_a << 32 | hits[i].triangle_b;
        enough = grz_hit_buffer_add_crossings(found, context, numbers, 2);
    }
    enough = enough && grz_hit_buffer_merge(out, context, &more);
    grz_hit_buffer_release(&more, context);
    return enough;
}

static void all_hits_come_out_in_order(void **state)
{
    (void)state;
    test_random random = test_random_start("all_hits_come_out_in_order", 51);
    static graze_hit hits[MOST], expected[MOST], out[MOST + 1];
    static const int shares[] = {0, 3, 50, 100};
    int both = 0, cut = 0;
    for (int round = 0; round < 600; round++)
    {
        size_t count = (size_t)random_below(&random, round % 3 ? 140 : MOST);
        size_t capacity = round % 4 == 0 ? (size_t)random_below(&random, (int)count + 1) : count;
        graze_context context = graze_context_default();
        context.instructions = (graze_instructions)(round % 5);
        make_hits(&random, hits, count, shares[round / 5 % 4]);
        grz_hit_buffer found = {0};
        assert_true(keep(&context, hits, count, &found));
        assert_int_equal(grz_hit_buffer_count(&found), count);
        both += found.crossings.count > 0 && found.others.count > 0;
        cut += capacity < count;
        memcpy(expected, hits, count * sizeof *hits);
        qsort(expected, count, sizeof *hits, by_triangles);
        memset(out, 0xff, sizeof out);
        assert_true(grz_hit_buffer_write(&found, &context, mesh, mesh, out, capacity));
        assert_memory_equal(out, expected, capacity * sizeof *out);
        assert_int_equal(out[capacity].triangle_a, UINT32_MAX);
        grz_hit_buffer_release(&found, &context);
    }
    assert_true(both > 200 && cut > 100);
}

/* Buffers some hits from a key on, in one buffer or two that are merged; none below the end is dropped. */
static void the_first_hits_from_a_number_on_are_kept(void **state)
{
    (void)state;
    test_random random = test_random_start("the_first_hits_from_a_number_on_are_kept", 53);
    static graze_hit hits[MOST], expected[MOST], out[MOST];
    int dropped = 0, whole = 0;
    for (int round = 0; round < 400; round++)
    {
        size_t count = (size_t)random_below(&random, MOST),
               most = round / 4 % 4 == 0 ? 1 : 1 + (size_t)random_below(&random, 300);
        graze_context context = graze_context_default();
        make_hits(&random, hits, count, round % 3 * 50);
        memcpy(expected, hits, count * sizeof *hits);
        qsort(expected, count, sizeof *hits, by_triangles);
        size_t skipped = count > 0 && round % 2 ? (size_t)random_below(&random, (int)count) : 0;
        uint64_t first = skipped > 0 ? grz_hit_key(expected[skipped].triangle_a, expected[skipped].triangle_b) : 0;
        grz_hit_buffer buffered = {.most = most, .first = first, .end = UINT64_MAX}, more = buffered;
        for (size_t i = 0; i < count; i++)
            assert_true(grz_hit_buffer_add(round % 4 > 1 && i % 3 == 0 ? &more : &buffered, &context,
                                           grz_hit_key(hits[i].triangle_a, hits[i].triangle_b),
                                           grz_contact_code(&hits[i].contact)));
        assert_true(grz_hit_buffer_merge(&buffered, &context, &more));
        size_t found = grz_hit_buffer_count(&buffered), left = count - skipped, least = most < left ? most : left;
        assert_true(found >= least && found <= left && found < 2 * (most < 64 ? 64 : most));
        assert_true(grz_hit_buffer_write(&buffered, &context, mesh, mesh, out, found));
        assert_memory_equal(out, expected + skipped, found * sizeof *out);
        if (buffered.end == UINT64_MAX)
            assert_int_equal(found, left);
        else
            assert_int_equal(buffered.end,
                             grz_hit_key(expected[skipped + found].triangle_a, expected[skipped + found].triangle_b));
        dropped += buffered.end != UINT64_MAX;
        whole += buffered.end == UINT64_MAX && left > 0;
        grz_hit_buffer_release(&buffered, &context);
        grz_hit_buffer_release(&more, &context);
    }
    assert_true(dropped > 50 && whole > 50);
}

static void a_contact_is_its_code(void **state)
{
    (void)state;
    int crossings = 0;
    for (int dimension = 0; dimension < 3; dimension++)
        for (unsigned mask = 0; mask < 64; mask++)
        {
            if (mask % 8 == 0 || mask / 8 == 0)
                continue;
            graze_triangle_contact contact = grz_contact_make(dimension, mask % 8, mask / 8), again;
            uint8_t code = grz_contact_code(&contact);
            again = grz_contact_from_code(code);
            assert_true(code != 0);
            assert_memory_equal(&again, &contact, sizeof contact);
            assert_true((code == GRZ_CROSSING_CODE) == contact.crossing);
            crossings += contact.crossing;
        }
    assert_int_equal(crossings, 1);
    graze_triangle_contact crossing = grz_contact_from_code(GRZ_CROSSING_CODE);
    assert_memory_equal(&crossing, &grz_crossing_contact, sizeof crossing);
}

/* Adding many at a time is adding one after the other. */
static void hits_may_be_added_many_at_a_time(void **state)
{
    (void)state;
    test_random random = test_random_start("hits_may_be_added_many_at_a_time", 54);
    static graze_hit hits[MOST], one_by_one[MOST], together[MOST];
    int dropped = 0;
    for (int round = 0; round < 200; round++)
    {
        size_t count = 1 + (size_t)random_below(&random, MOST - 1),
               most = round % 2 == 0 ? 0 : (size_t)random_below(&random, 300);
        grz_hit_buffer first = {.most = most, .end = UINT64_MAX}, second = first;
        make_hits(&random, hits, count, 60);
        for (size_t i = 0; i < count; i += 64)
        {
            uint64_t keys[64];
            uint8_t codes[64];
            size_t taken = 0;
            for (size_t k = 0; k < 64 && i + k < count; k++)
            {
                keys[taken] = grz_hit_key(hits[i + k].triangle_a, hits[i + k].triangle_b);
                codes[taken] = grz_contact_code(&hits[i + k].contact);
                if (codes[taken] == GRZ_CROSSING_CODE)
                    continue;
                assert_true(grz_hit_buffer_add(&first, NULL, keys[taken], codes[taken]));
                taken++;
            }
            assert_true(grz_hit_buffer_add_others(&second, NULL, keys, codes, taken));
        }
        size_t found = grz_hit_buffer_count(&first);
        assert_int_equal(found, grz_hit_buffer_count(&second));
        assert_true(grz_hit_buffer_write(&first, NULL, mesh, mesh, one_by_one, MOST));
        assert_true(grz_hit_buffer_write(&second, NULL, mesh, mesh, together, MOST));
        assert_memory_equal(one_by_one, together, found * sizeof *together);
        dropped += first.end != UINT64_MAX;
        grz_hit_buffer_release(&first, NULL);
        grz_hit_buffer_release(&second, NULL);
    }
    assert_true(dropped > 30);
}

static void without_memory_nothing_is_lost_or_written(void **state)
{
    (void)state;
    test_random random = test_random_start("without_memory_nothing_is_lost_or_written", 52);
    static graze_hit hits[MOST], out[MOST], untouched[MOST];
    make_hits(&random, hits, MOST, 30);
    memset(untouched, 0xff, sizeof untouched);
    memcpy(out, untouched, sizeof out);
    size_t failures = 0;
    bool done = false;
    for (size_t allowed = 0; !done; allowed++)
    {
        failing_allocator allocator = {.allowed = allowed};
        graze_context context = failing_allocator_context(&allocator);
        grz_hit_buffer found = {0};
        done = keep(&context, hits, MOST, &found) && grz_hit_buffer_write(&found, &context, mesh, mesh, out, MOST);
        grz_hit_buffer_release(&found, &context);
        assert_int_equal(allocator.live, 0);
        if (!done)
            assert_memory_equal(out, untouched, sizeof out);
        failures += !done;
    }
    assert_true(failures > 5);
}

/* Where only some hits are wanted: any single allocation fails, or all from one on. */
static void merging_without_memory_says_so(void **state)
{
    (void)state;
    const graze_triangle_contact touching = grz_contact_make(1, 3, 5);
    int failures = 0;
    for (int once = 0; once < 2; once++)
        for (size_t allowed = 0, done = 0; done == 0; allowed++)
        {
            failing_allocator allocator = {.allowed = SIZE_MAX, .once = once == 1};
            graze_context context = failing_allocator_context(&allocator);
            grz_hit_buffer first = {.most = 100, .end = UINT64_MAX}, more = first;
            for (uint32_t k = 0; k < 40; k++)
                assert_true(grz_hit_buffer_add(&more, &context, grz_hit_key(k, k),
                                               grz_contact_code(k % 2 == 0 ? &touching : &grz_crossing_contact)));
            size_t limit = allocator.allowed = allocator.requests + allowed;
            bool enough = grz_hit_buffer_merge(&first, &context, &more);
            assert_true(enough == (allocator.requests <= limit));
            assert_true(!enough || grz_hit_buffer_count(&first) == 40);
            failures += !enough;
            done = enough;
            grz_hit_buffer_release(&first, &context);
            assert_int_equal(allocator.live, 0);
        }
    assert_true(failures >= 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_hits_come_out_in_order),
                                       cmocka_unit_test(the_first_hits_from_a_number_on_are_kept),
                                       cmocka_unit_test(a_contact_is_its_code),
                                       cmocka_unit_test(hits_may_be_added_many_at_a_time),
                                       cmocka_unit_test(without_memory_nothing_is_lost_or_written),
                                       cmocka_unit_test(merging_without_memory_says_so)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
