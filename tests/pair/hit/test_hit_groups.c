/* SPDX-License-Identifier: MIT */
/*
 * Many hits grouped by their triangle of A come out as sorting whole hits gives them: groups of one and of more than
 * the kernel sorts, triangles without hits, crossings among others, short arrays, memory that fails.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pair/hit/hit_groups.h"
#include "simd/kernels.h"
#include "support/failing_allocator.h"
#include "support/random.h"
#include "support/unit.h"

enum
{
    MOST = 4000,
    TRIANGLES = 3000
};

static graze_mesh *mesh;

static int set_up(void **state)
{
    (void)state;
    const double corners[3][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}};
    uint32_t indices[3 * TRIANGLES];
    for (uint32_t i = 0; i < 3 * TRIANGLES; i++)
        indices[i] = i % 3;
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = corners[0];
    def.vertex_count = 3;
    def.corners = indices;
    def.corner_count = (size_t)3 * TRIANGLES;
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

/* Different pairs in random order, of `range` triangles of A from some first one on, each with up to `most` hits. */
static size_t make_hits(test_random *random, uint32_t range, size_t most, graze_hit *out, grz_hit_buffer *buffered)
{
    uint32_t first = (uint32_t)random_below(random, (int)(TRIANGLES - range + 1));
    size_t count = range * most, kept = 0, step = 7919; /* a prime that divides no count here */
    for (size_t i = 0; i < count; i++)
    {
        size_t pair = i * step % count;
        uint32_t a = first + (uint32_t)(pair % range), b = (uint32_t)(pair / range * 3 % TRIANGLES);
        if (random_below(random, 4) == 0)
            continue;
        graze_triangle_contact contact =
            random_below(random, 3) == 0 ? grz_crossing_contact : grz_contact_make(1, 3, 5);
        out[kept++] = (graze_hit){a, b, graze_mesh_triangle_face(mesh, a), graze_mesh_triangle_face(mesh, b), contact};
        assert_true(grz_hit_buffer_add(buffered, NULL, grz_hit_key(a, b), grz_contact_code(&contact)));
    }
    return kept;
}

static void groups_come_out_in_order(void **state)
{
    (void)state;
    test_random random = test_random_start("groups_come_out_in_order", 331);
    static graze_hit hits[MOST], out[MOST + 1];
    static const uint32_t ranges[] = {1, 5, 40, 400, 1500, 2900};
    int suited = 0, large = 0, wide = 0;
    for (int round = 0; round < 240; round++)
    {
        uint32_t range = ranges[round % 6];
        size_t most = 1 + (size_t)random_below(&random, range == 1 ? 900 : (int)(MOST / range));
        grz_hit_buffer buffered = {0};
        graze_context context = graze_context_default();
        context.instructions = (graze_instructions)(round % GRAZE_INSTRUCTIONS_COUNT);
        size_t count = make_hits(&random, range, most, hits, &buffered);
        size_t capacity = round % 5 == 0 ? (size_t)random_below(&random, (int)count + 1) : count;
        grz_hit_range found;
        qsort(hits, count, sizeof *hits, by_triangles);
        bool suits = grz_hit_groups_suit(&buffered, mesh, &found);
        assert_false(suits && count < range / 2);
        memset(out, 0xff, sizeof out);
        if (suits)
        {
            assert_true(found.lowest_a <= hits[0].triangle_a &&
                        hits[count - 1].triangle_a < found.lowest_a + found.count && found.count <= count);
            assert_true(grz_hit_groups_write(&buffered, &found, &context, mesh, mesh, out, capacity));
            assert_memory_equal(out, hits, capacity * sizeof *out);
            assert_int_equal(out[capacity].triangle_a, UINT32_MAX);
        }
        suited += suits;
        large += suits && range <= 5;
        wide += suits && range >= 400;
        grz_hit_buffer_release(&buffered, NULL);
    }
    printf("%d suit, %d of few triangles, %d of many\n", suited, large, wide);
    assert_true(suited > 100 && suited < 240 && large > 25 && wide > 30);
}

/* Groups of as many hits as the kernel sorts, none larger; of one less, and of one more. */
static void groups_of_the_size_of_the_kernel_come_out_in_order(void **state)
{
    (void)state;
    static graze_hit out[MOST];
    const uint32_t groups = 25;
    for (uint32_t size = GRZ_SORT_MOST - 1; size <= GRZ_SORT_MOST + 1; size++)
    {
        grz_hit_buffer buffered = {0};
        grz_hit_range range;
        for (uint32_t i = 0; i < size; i++)
            for (uint32_t a = 0; a < groups; a++)
                assert_true(grz_hit_buffer_add(&buffered, NULL, grz_hit_key(a, (i * 7 + a) % size),
                                               grz_contact_code(&grz_crossing_contact)));
        assert_true(size % 7 != 0 && grz_hit_groups_suit(&buffered, mesh, &range));
        assert_true(grz_hit_groups_write(&buffered, &range, NULL, mesh, mesh, out, (size_t)groups * size));
        for (uint32_t i = 0; i < groups * size; i++)
            assert_true(out[i].triangle_a == i / size && out[i].triangle_b == i % size);
        grz_hit_buffer_release(&buffered, NULL);
    }
}

static void without_memory_nothing_is_written(void **state)
{
    (void)state;
    test_random random = test_random_start("without_memory_nothing_is_written", 332);
    static graze_hit hits[MOST], out[MOST];
    grz_hit_buffer buffered = {0};
    grz_hit_range range;
    size_t count = make_hits(&random, 5, 700, hits, &buffered), allowed = 0;
    assert_true(grz_hit_groups_suit(&buffered, mesh, &range));
    for (bool enough = false; !enough; allowed++)
    {
        failing_allocator allocator = {.allowed = allowed};
        graze_context context = failing_allocator_context(&allocator);
        memset(out, 0xff, sizeof out);
        enough = grz_hit_groups_write(&buffered, &range, &context, mesh, mesh, out, count);
        assert_true(enough || out[0].triangle_a == UINT32_MAX);
        assert_int_equal(allocator.live, 0);
    }
    assert_int_equal(allowed, 4); /* ends of groups, entries, and room for large groups */
    grz_hit_buffer_release(&buffered, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_come_out_in_order),
        cmocka_unit_test(groups_of_the_size_of_the_kernel_come_out_in_order),
        cmocka_unit_test(without_memory_nothing_is_written),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
