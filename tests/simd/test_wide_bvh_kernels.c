/* SPDX-License-Identifier: MIT */
/* Every compilation of the wide BVH traversals reports the same pairs in the same order: those of brute force. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "simd/wide_bvh.h"
#include "support/unit.h"

enum
{
    ROUNDS = 18,
    MOST_NODES = 600,
    MOST_BOXES = 1024
};

/* A random tree, and its boxes by number. */
typedef struct world
{
    grz_wide_node nodes[MOST_NODES];
    uint32_t node_count;
    grz_wide_box now[MOST_BOXES], before[MOST_BOXES];
    bool changed[MOST_BOXES];
    uint32_t box_count;
    int reach;
} world;

/* Corners on small integers, so that many boxes touch. */
static grz_wide_box random_box(grz_random *random, int reach)
{
    grz_wide_box box;
    for (int axis = 0; axis < 3; axis++)
    {
        box.lower[axis] = (float)grz_random_below(random, (uint64_t)reach);
        box.upper[axis] = box.lower[axis] + (float)grz_random_below(random, 3);
    }
    return box;
}

static void put(grz_wide_node *node, unsigned place, const grz_wide_box *box)
{
    for (int axis = 0; axis < 3; axis++)
    {
        node->lower[axis][place] = box->lower[axis];
        node->upper[axis][place] = box->upper[axis];
    }
}

static uint32_t grow(grz_random *random, world *w, uint32_t parent, unsigned place, int level)
{
    uint32_t number = w->node_count++;
    grz_wide_node *node = &w->nodes[number];
    *node = (grz_wide_node){.parent = parent, .slot = (uint8_t)place};
    for (unsigned i = 0; i < GRZ_WIDE; i++)
    {
        grz_wide_box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
        uint64_t kind = grz_random_below(random, 8);
        node->child[i] = UINT32_MAX;
        if (kind > 1 && level < 3)
        {
            uint32_t child = grow(random, w, number, i, level + 1);
            node->child[i] = child;
            node->inner |= (uint8_t)(1u << i);
            for (unsigned k = 0; k < GRZ_WIDE; k++)
                for (int axis = 0; axis < 3; axis++)
                {
                    box.lower[axis] = fminf(box.lower[axis], w->nodes[child].lower[axis][k]);
                    box.upper[axis] = fmaxf(box.upper[axis], w->nodes[child].upper[axis][k]);
                }
            node->changed |= (uint8_t)((w->nodes[child].changed != 0) << i);
        }
        else if (kind > 0 && w->box_count < MOST_BOXES)
        {
            uint32_t id = w->box_count++;
            box = w->now[id] = random_box(random, w->reach);
            w->changed[id] = grz_random_below(random, 3) == 0;
            w->before[id] = w->changed[id] ? random_box(random, w->reach) : box;
            node->child[i] = id;
            node->changed |= (uint8_t)(w->changed[id] << i);
        }
        node->used |= (uint8_t)((node->child[i] != UINT32_MAX) << i);
        put(node, i, &box);
    }
    return number;
}

static bool overlap(const grz_wide_box *a, const grz_wide_box *b)
{
    for (int axis = 0; axis < 3; axis++)
        if (a->lower[axis] > b->upper[axis] || b->lower[axis] > a->upper[axis])
            return false;
    return true;
}

static bool grow_pairs(grz_wide_pairs *pairs)
{
    size_t capacity = pairs->count + pairs->count / 2 + GRZ_WIDE * GRZ_WIDE;
    uint64_t *data = realloc(pairs->data, capacity * sizeof *data);
    if (data == NULL)
        return false;
    pairs->data = data;
    pairs->capacity = capacity;
    return true;
}

static grz_wide_pairs ask_all(const grz_wide_kernels *kernels, const world *w)
{
    grz_wide_pairs pairs = {.grow = grow_pairs};
    grz_wide_query questions[GRZ_WIDE_QUERIES];
    unsigned count = 0;
    for (uint32_t id = 0; id < w->box_count; id++)
    {
        if (w->changed[id])
            questions[count++] = (grz_wide_query){w->now[id], w->before[id], id};
        if (count == GRZ_WIDE_QUERIES || (count > 0 && id + 1 == w->box_count))
        {
            kernels->query(w->nodes, questions, count, &pairs);
            count = 0;
        }
    }
    return pairs;
}

/* Marks the pairs in a table, each at most once, and counts those in `expected`. */
static void compare_with_all(const world *w, const grz_wide_pairs *pairs, bool near)
{
    bool *named = calloc((size_t)MOST_BOXES * MOST_BOXES, 1);
    assert_false(pairs->failed);
    for (size_t i = 0; i < pairs->count; i++)
    {
        uint32_t a = (uint32_t)(pairs->data[i] >> 32), b = (uint32_t)pairs->data[i];
        size_t place = (size_t)(a < b ? a : b) * MOST_BOXES + (a < b ? b : a);
        assert_false(named[place]);
        named[place] = true;
    }
    for (uint32_t a = 0; a < w->box_count; a++)
        for (uint32_t b = a + 1; b < w->box_count; b++)
        {
            bool wanted = (w->changed[a] || w->changed[b]) && overlap(&w->now[a], &w->now[b]);
            if (near && w->changed[a] != w->changed[b])
                wanted = wanted && !overlap(w->changed[a] ? &w->before[a] : &w->now[a],
                                            w->changed[b] ? &w->before[b] : &w->now[b]);
            assert_int_equal(named[(size_t)a * MOST_BOXES + b], wanted);
        }
    free(named);
}

static void ways_through_wide_trees_agree_with_comparing_all_boxes(void **state)
{
    (void)state;
    grz_random random = grz_random_make(43);
    printf("seed 43\n");
    world *w = aligned_alloc(64, (sizeof *w + 63) / 64 * 64);
    size_t named = 0, searched = 0;
    for (int round = 0; round < ROUNDS; round++)
    {
        w->node_count = w->box_count = 0;
        w->reach = round % 3 == 0 ? 2 : 4 + round;
        grow(&random, w, 0, 0, 0);
        grz_wide_pairs all[GRAZE_INSTRUCTIONS_COUNT], near[GRAZE_INSTRUCTIONS_COUNT];
        for (int set = GRAZE_INSTRUCTIONS_SCALAR; set < GRAZE_INSTRUCTIONS_COUNT; set++)
        {
            const grz_wide_kernels *kernels = grz_wide_kernels_for((graze_instructions)set);
            all[set] = (grz_wide_pairs){.grow = grow_pairs};
            kernels->self_pairs(w->nodes, &all[set]);
            near[set] = ask_all(kernels, w);
            assert_int_equal(all[set].count, all[GRAZE_INSTRUCTIONS_SCALAR].count);
            assert_int_equal(near[set].count, near[GRAZE_INSTRUCTIONS_SCALAR].count);
            if (all[set].count > 0)
                assert_memory_equal(all[set].data, all[GRAZE_INSTRUCTIONS_SCALAR].data, all[set].count * 8);
            if (near[set].count > 0)
                assert_memory_equal(near[set].data, near[GRAZE_INSTRUCTIONS_SCALAR].data, near[set].count * 8);
        }
        compare_with_all(w, &all[GRAZE_INSTRUCTIONS_SCALAR], false);
        compare_with_all(w, &near[GRAZE_INSTRUCTIONS_SCALAR], true);
        named += all[GRAZE_INSTRUCTIONS_SCALAR].count;
        searched += near[GRAZE_INSTRUCTIONS_SCALAR].count;
        for (int set = GRAZE_INSTRUCTIONS_SCALAR; set < GRAZE_INSTRUCTIONS_COUNT; set++)
        {
            free(all[set].data);
            free(near[set].data);
        }
    }
    printf("%zu pairs of all, %zu new ones\n", named, searched);
    assert_true(named > 100000 && searched > 50000);
    free(w);
}

/* Room for one batch of pairs or none, and then no more. */
static bool grow_no_more(grz_wide_pairs *pairs)
{
    (void)pairs;
    return false;
}

static void searches_without_memory_end_and_say_so(void **state)
{
    (void)state;
    enum
    {
        ROOM = GRZ_WIDE * GRZ_WIDE
    };
    grz_random random = grz_random_make(48);
    printf("seed 48\n");
    world *w = aligned_alloc(64, (sizeof *w + 63) / 64 * 64);
    w->node_count = w->box_count = 0;
    w->reach = 2;
    grow(&random, w, 0, 0, 0);
    for (int set = GRAZE_INSTRUCTIONS_SCALAR; set < GRAZE_INSTRUCTIONS_COUNT; set++)
        for (int i = 0; i < 4; i++)
        {
            uint64_t data[2 * ROOM];
            grz_wide_pairs pairs = {.data = data, .capacity = i < 2 ? ROOM : 0, .grow = grow_no_more};
            memset(data, 0xff, sizeof data);
            const grz_wide_kernels *kernels = grz_wide_kernels_for((graze_instructions)set);
            grz_wide_query question = {.now = w->now[0], .id = 0};
            for (int axis = 0; axis < 3; axis++)
            {
                question.before.lower[axis] = INFINITY;
                question.before.upper[axis] = -INFINITY;
            }
            if (i % 2 != 0)
                kernels->self_pairs(w->nodes, &pairs);
            else
                kernels->query(w->nodes, &question, 1, &pairs);
            assert_true(pairs.failed && pairs.count <= pairs.capacity && (pairs.count > 0) == (i < 2));
            for (size_t place = pairs.count; place < 2 * ROOM; place++)
                assert_true(data[place] == UINT64_MAX);
        }
    free(w);
}

static void bounds_and_masks_agree(void **state)
{
    (void)state;
    grz_random random = grz_random_make(47);
    printf("seed 47\n");
    unsigned long met = 0;
    for (int round = 0; round < 2000; round++)
    {
        grz_wide_node node = {.used = 255};
        grz_wide_box box = random_box(&random, 6);
        unsigned expected = 0;
        grz_wide_box all = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
        for (unsigned place = 0; place < GRZ_WIDE; place++)
        {
            grz_wide_box other = random_box(&random, 6);
            put(&node, place, &other);
            expected |= (unsigned)overlap(&box, &other) << place;
            for (int axis = 0; axis < 3; axis++)
            {
                all.lower[axis] = fminf(all.lower[axis], other.lower[axis]);
                all.upper[axis] = fmaxf(all.upper[axis], other.upper[axis]);
            }
        }
        for (int set = GRAZE_INSTRUCTIONS_SCALAR; set < GRAZE_INSTRUCTIONS_COUNT; set++)
        {
            const grz_wide_kernels *kernels = grz_wide_kernels_for((graze_instructions)set);
            grz_wide_box around;
            kernels->bounds(&node, &around);
            assert_memory_equal(&around, &all, sizeof all);
            assert_int_equal(kernels->overlap(&node, &box), expected);
        }
        met += (unsigned long)__builtin_popcount(expected);
    }
    assert_true(met > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ways_through_wide_trees_agree_with_comparing_all_boxes),
                                       cmocka_unit_test(searches_without_memory_end_and_say_so),
                                       cmocka_unit_test(bounds_and_masks_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
