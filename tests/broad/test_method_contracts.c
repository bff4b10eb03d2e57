/* SPDX-License-Identifier: MIT */
/*
 * Broad-phase methods against the contract of method.h: with float boxes at small integers, many of which touch, and
 * some that are huge, tiny or far away, the pairs of each changed box are reported, no others, and by most methods only
 * once; queries report all boxes that overlap or are hit; and validation detects every damage.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "broad/axis_sweep.h"
#include "broad/dynamic_bvh.h"
#include "broad/fat_aabb.h"
#include "support/failing_allocator.h"
#include "support/random.h"
#include "support/unit.h"

enum
{
    MOST = 260,
    LEAST = 24
};

typedef struct method_case
{
    const char *name;
    const grz_broad_method *method;
    bool once;       /* reports a pair only once in an update */
    bool keeps_ends; /* validation detects a change of any coordinate */
} method_case;

static const method_case methods[] = {{"brute force", &grz_brute_force_method, false, false},
                                      {"axis", &grz_sort_and_sweep_method, true, false},
                                      {"sweep and prune", &grz_sweep_and_prune_method, true, true},
                                      {"grid", &grz_hash_grid_method, true, false},
                                      {"oriented grid", &grz_oriented_grid_method, false, false},
                                      {"octree", &grz_octree_method, true, false},
                                      {"box tree", &grz_dynamic_bvh_method, true, true}};

enum
{
    METHODS = sizeof methods / sizeof methods[0]
};

typedef struct boxes
{
    grz_fat_aabb fat[MOST + 1], before[MOST + 1];
    uint8_t present[MOST + 1];
    uint8_t changed[MOST]; /* GRZ_BOX_FAT_CHANGED or 0 */
    uint8_t named[MOST][MOST];
    uint32_t limit;
    size_t count;
    int world;                   /* largest coordinate of most boxes */
    failing_allocator allocator; /* never fails here, but fills blocks with garbage and checks for overruns */
    graze_context context;
    unsigned long pairs, known;
} boxes;

static grz_aabb_view view_of(const boxes *b)
{
    return (grz_aabb_view){.context = &b->context,
                           .fat = b->fat,
                           .before = b->before,
                           .present = b->present,
                           .dirty_flags = b->changed,
                           .limit = b->limit,
                           .count = b->count};
}

/* Mostly small integer coordinates; zeros have either sign. */
static grz_fat_aabb random_box(test_random *random, int world, bool all_sizes)
{
    grz_fat_aabb box = {{0}, {0}};
    int kind = all_sizes ? random_below(random, 24) : 23;
    for (int axis = 0; axis < 3; axis++)
    {
        int from = random_between(random, -world, world), to = from + random_between(random, 0, 1);
        float unit = kind == 0 ? 0x1p-126f : kind == 1 ? 0x1p100f : kind == 2 ? 0x1p-20f : kind == 3 ? 0x1p6f : 1;
        box.lower[axis] = (float)from * unit;
        box.upper[axis] = (float)to * unit;
        if (kind == 4)
            box.lower[axis] = -FLT_MAX;
        if (kind == 4 || kind == 5)
            box.upper[axis] = FLT_MAX;
        if (box.lower[axis] == 0 && random_once_in(random, 2))
            box.lower[axis] = -0.0f;
        if (box.upper[axis] == 0 && random_once_in(random, 2))
            box.upper[axis] = -0.0f;
    }
    return box;
}

/* Moves a box by one along an axis. */
static void step_aside(boxes *b, test_random *random, uint32_t id)
{
    int axis = random_below(random, 3);
    float step = random_once_in(random, 2) ? 1 : -1;
    b->changed[id] = GRZ_BOX_FAT_CHANGED;
    if (fabsf(b->fat[id].lower[axis]) >= (float)b->world || fabsf(b->fat[id].upper[axis]) >= (float)b->world)
        return;
    b->fat[id].lower[axis] += step;
    b->fat[id].upper[axis] += step;
}

static void change(boxes *b, test_random *random, uint32_t id, bool all_sizes)
{
    if (b->present[id] && random_once_in(random, 6))
    {
        b->present[id] = 0;
        b->count--;
    }
    else if (b->present[id] && random_once_in(random, 2))
        step_aside(b, random, id);
    else
    {
        b->count += !b->present[id];
        b->before[id] = b->present[id] ? b->before[id] : grz_fat_aabb_empty();
        b->present[id] = 1;
        b->fat[id] = random_box(random, b->world, all_sizes);
    }
    b->changed[id] = GRZ_BOX_FAT_CHANGED;
}

/* Every new pair of a changed box is reported, no pair that does not overlap, and no duplicates where that is promised.
 */
static void expect_named(boxes *b, const method_case *m, const grz_pair_sink *sink)
{
    memset(b->named, 0, sizeof b->named);
    for (size_t i = 0; i < sink->pairs.count; i++)
    {
        uint32_t x = (uint32_t)(sink->pairs.data[i] >> 32), y = (uint32_t)sink->pairs.data[i];
        uint8_t *named = &b->named[x < y ? x : y][x < y ? y : x];
        assert_true(x < b->limit && y < b->limit && x != y && (b->changed[x] || b->changed[y]));
        assert_true(b->present[x] && b->present[y] && grz_fat_aabb_overlap(&b->fat[x], &b->fat[y]));
        assert_true(!*named || !m->once);
        *named = 1;
    }
    for (uint32_t x = 0; x < b->limit; x++)
        for (uint32_t y = x + 1; y < b->limit; y++)
        {
            if (!b->present[x] || !b->present[y] || !(b->changed[x] || b->changed[y]) ||
                !grz_fat_aabb_overlap(&b->fat[x], &b->fat[y]))
                continue;
            bool known = grz_fat_aabb_overlap(&b->before[x], &b->before[y]);
            assert_true(b->named[x][y] || known);
            b->pairs++;
            b->known += known;
        }
}

/* Returns whether there was enough memory; then the results are checked. */
static bool try_update(boxes *b, const method_case *m, void *state, grz_pair_sink *sink)
{
    uint32_t changed[MOST];
    size_t changed_count = 0;
    for (uint32_t id = 0; id < b->limit; id++)
        if (b->changed[id])
            changed[changed_count++] = id;
    grz_aabb_view view = view_of(b);
    sink->pairs.count = 0;
    if (!m->method->update(state, &view, changed, changed_count, sink))
        return false;
    expect_named(b, m, sink);
    for (uint32_t id = 0; id < b->limit; id++)
    {
        b->before[id] = b->present[id] ? b->fat[id] : grz_fat_aabb_empty();
        b->changed[id] = 0;
    }
    assert_true(m->method->validate(state, &view));
    return true;
}

static void run_update(boxes *b, const method_case *m, void *state, grz_pair_sink *sink)
{
    assert_true(try_update(b, m, state, sink));
}

static void expect_queries(const boxes *b, test_random *random, const method_case *m, const void *state)
{
    grz_aabb_view view = view_of(b);
    grz_id_sink sink = {.context = &b->context};
    grz_fat_aabb box = random_box(random, b->world, random_once_in(random, 4));
    grz_ray ray = {.limit = random_once_in(random, 2) ? (double)INFINITY : random_between(random, 0, 4)};
    for (int axis = 0; axis < 3; axis++)
    {
        ray.origin[axis] = random_between(random, -b->world - 2, b->world + 2);
        ray.direction[axis] = random_between(random, -2, 2);
        if (random_once_in(random, 8))
            ray.origin[axis] *= 1e300;
    }
    for (int by_ray = 0; by_ray < 2; by_ray++)
    {
        unsigned seen[MOST] = {0};
        sink.ids.count = 0;
        if (by_ray)
            m->method->on_ray(state, &view, &ray, &sink);
        else
            m->method->in_box(state, &view, &box, &sink);
        for (size_t i = 0; i < sink.ids.count; i++)
        {
            assert_true(sink.ids.data[i] < b->limit);
            seen[sink.ids.data[i]]++;
        }
        for (uint32_t id = 0; id < b->limit; id++)
        {
            bool meets = by_ray ? grz_ray_hits_fat_aabb(&ray, &b->fat[id]) : grz_fat_aabb_overlap(&box, &b->fat[id]);
            assert_int_equal(seen[id], b->present[id] && meets);
        }
    }
    grz_release(&b->context, sink.ids.data);
}

static bool is_everyday(const grz_fat_aabb *box)
{
    bool everyday = true;
    for (int axis = 0; axis < 3; axis++)
        everyday = everyday && box->lower[axis] > -64 && box->upper[axis] < 64;
    return everyday;
}

/* Validation compares the structure with the view: any difference is detected, in any box. */
static void expect_differences_noticed(boxes *b, const method_case *m, const void *state, bool all_sizes)
{
    const grz_fat_aabb world = {{-0x1p100f, -0x1p100f, -0x1p100f, 0}, {0x1p100f, 0x1p100f, 0x1p100f, 0}};
    grz_aabb_view view = view_of(b), other;
    other = view;
    for (int more = -1; more <= 1 && m->method != &grz_octree_method; more += 2) /* which does not compare counts */
    {
        other.count = more < 0 ? b->count - 1 : b->count + 1;
        assert_false(m->method->validate(state, &other));
    }
    for (uint32_t id = 0; id < b->limit; id++)
    {
        b->present[id] ^= 1;
        other.count = b->present[id] ? b->count + 1 : b->count - 1;
        assert_false(m->method->validate(state, &other));
        other.count = b->count;
        assert_true(b->present[id] || !m->method->validate(state, &other));
        b->present[id] ^= 1;
        grz_fat_aabb kept = b->fat[id];
        if (!b->present[id] || !is_everyday(&kept) ||
            (all_sizes && m->method == &grz_octree_method)) /* where voxels are too large to notice */
            continue;
        b->fat[id] = world;
        assert_false(m->method->validate(state, &view));
        for (int end = 0; end < 6 && m->keeps_ends; end++)
        {
            b->fat[id] = kept;
            if (end < 3)
                b->fat[id].lower[end] -= 0.25f;
            else
                b->fat[id].upper[end - 3] += 0.25f;
            assert_false(m->method->validate(state, &view));
        }
        b->fat[id] = kept;
    }
    assert_true(m->method->validate(state, &view));
}

/* Except for alignment and padding, which do not grow with the boxes. */
static void expect_memory_told(const boxes *b, const method_case *m, const void *state, const grz_pair_sink *sink)
{
    size_t taken = b->allocator.bytes - sink->pairs.capacity * sizeof *sink->pairs.data;
    size_t told = grz_method_memory(m->method, state);
    assert_true(told <= taken && taken - told < (b->limit > 0 ? 400 : 1));
}

/* The box at the limit itself must not be read; reading it would be detected. */
static void set_limit(boxes *b, uint32_t limit)
{
    const grz_fat_aabb all = {{-FLT_MAX, -FLT_MAX, -FLT_MAX, 0}, {FLT_MAX, FLT_MAX, FLT_MAX, 0}};
    for (uint32_t id = b->limit; id < limit; id++)
        b->present[id] = 0;
    b->limit = limit;
    b->present[limit] = 1;
    b->fat[limit] = b->before[limit] = all;
}

/* Updates with few and with many changes, while the limit grows. At the end, few changes for so long that sweep and
   prune sorts its axes. */
static void run_script(test_random *random, const method_case *m, uint32_t limit, bool all_sizes)
{
    boxes *b = calloc(1, sizeof *b);
    b->allocator.allowed = SIZE_MAX;
    b->context = failing_allocator_context(&b->allocator);
    b->world = limit <= LEAST ? 1 : limit < MOST ? 2 : 3;
    void *state = grz_method_create(m->method, &b->context);
    grz_pair_sink sink = {.context = &b->context};
    assert_non_null(state);
    expect_queries(b, random, m, state);
    expect_memory_told(b, m, state, &sink);
    for (int update = 0; update < 60; update++)
    {
        set_limit(b, update < 10 ? limit / 2 : limit);
        int changes = random_between(random, update < 30 ? 0 : 1, 2);
        if (update == 0 || update == 10 || update % 20 == 19)
            changes = 3 * (int)b->limit;
        else if (update % 20 < 7)
            changes = update % 20 < 5 ? (int)b->limit / 5 : (int)b->limit;
        for (int i = 0; i < changes; i++)
            change(b, random, (uint32_t)random_below(random, (int)b->limit), all_sizes);
        run_update(b, m, state, &sink);
        expect_queries(b, random, m, state);
    }
    for (int update = 0; update < 60; update++)
    {
        step_aside(b, random, (uint32_t)random_below(random, (int)b->limit));
        run_update(b, m, state, &sink);
    }
    expect_memory_told(b, m, state, &sink);
    if (m->method != &grz_brute_force_method)
        expect_differences_noticed(b, m, state, all_sizes);
    printf("%s, %u boxes: %lu pairs of changed boxes, %lu of them known\n", m->name, limit, b->pairs, b->known);
    assert_true(b->pairs > 3 * limit && b->known > limit / 2);
    while (b->limit > 0 && b->count > 0) /* then all are removed, a few at a time */
    {
        for (int i = 0; i < 40; i++)
        {
            uint32_t id = (uint32_t)random_below(random, (int)b->limit);
            b->count -= b->present[id];
            b->changed[id] |= b->present[id] ? GRZ_BOX_FAT_CHANGED : 0;
            b->present[id] = 0;
        }
        run_update(b, m, state, &sink);
    }
    expect_queries(b, random, m, state);
    grz_method_destroy(m->method, state);
    grz_release(&b->context, sink.pairs.data);
    assert_int_equal(b->allocator.live, 0);
    free(b);
}

static void every_method_names_the_pairs_of_changed_boxes(void **state)
{
    (void)state;
    test_random random = test_random_start("every_method_names_the_pairs_of_changed_boxes", 81);
    for (int m = 0; m < METHODS; m++)
    {
        for (int round = 0; round < 10; round++)
            run_script(&random, &methods[m], 8, false); /* all in one node of the BVH */
        run_script(&random, &methods[m], LEAST, false);
        run_script(&random, &methods[m], 60, true);
        run_script(&random, &methods[m], MOST, false);
        run_script(&random, &methods[m], MOST, true);
    }
}

static void put(boxes *b, uint32_t id, grz_fat_aabb box)
{
    b->count += !b->present[id];
    b->before[id] = b->present[id] ? b->before[id] : grz_fat_aabb_empty();
    b->present[id] = 1;
    b->changed[id] = GRZ_BOX_FAT_CHANGED;
    b->fat[id] = box;
}

/* Updates with many and with few changes, with so many allocations, or all but one; stops at the first that fails. */
static bool run_with(const method_case *m, size_t allowed, bool once)
{
    test_random random = {7};
    boxes *b = calloc(1, sizeof *b);
    b->allocator.allowed = allowed;
    b->allocator.once = once;
    b->context = failing_allocator_context(&b->allocator);
    b->world = 2;
    void *state = grz_method_create(m->method, &b->context);
    grz_pair_sink sink = {.context = &b->context};
    bool enough = state != NULL;
    for (int update = 0; update < 60 && enough; update++)
    {
        set_limit(b, update < 4 ? 30 : update < 28 ? 90 : update < 58 ? 90 + 4 * (uint32_t)(update - 28) : MOST);
        for (int i = 0; i < (update % 4 == 0 && update < 9 ? 2 * (int)b->limit : 2); i++)
        {
            uint32_t id = (uint32_t)random_below(&random, (int)b->limit);
            if (update < 10)
                change(b, &random, id, update > 2);
            else
                step_aside(b, &random, id);
        }
        if (update >= 28) /* one with the last id, near others */
            put(b, b->limit - 1, (grz_fat_aabb){{-1, 0, 1, 0}, {0, 0, 1, 0}});
        for (uint32_t id = 0; id < 200 && update == 58; id++) /* a floor, */
        {
            float x = (float)(id % 14), y = (float)(id / 14);
            put(b, id, (grz_fat_aabb){{x, y, 0, 0}, {x + 1.5f, y + 1.5f, 0, 0}});
        }
        if (update == 59) /* and a plate on it, with more cells than any box had */
            put(b, MOST - 1, (grz_fat_aabb){{0, 0, 0, 0}, {13, 13, 0, 0}});
        enough = try_update(b, m, state, &sink);
    }
    assert_true(enough || b->allocator.requests > allowed);
    if (state != NULL)
        grz_method_destroy(m->method, state);
    grz_release(&b->context, sink.pairs.data);
    assert_int_equal(b->allocator.live, 0);
    free(b);
    return enough;
}

/* Boxes in a row, sorted after a while; then the first pair begins by a step down or up, without memory for it. */
static void no_pair_is_lost_with_the_order(void **state)
{
    (void)state;
    for (int round = 0; round < 6; round++)
    {
        int axis = round % 3;
        float step = round < 3 ? -3.5f : 3.5f;
        boxes *b = calloc(1, sizeof *b);
        b->allocator = (failing_allocator){.allowed = SIZE_MAX, .once = true};
        b->context = failing_allocator_context(&b->allocator);
        void *order = grz_method_create(&grz_sweep_and_prune_method, &b->context);
        grz_pair_sink sink = {.context = &b->context};
        set_limit(b, 20);
        assert_true(GRZ_RESERVE(&b->context, &sink.pairs, 50));
        for (int update = 0; update < 31; update++)
        {
            for (uint32_t id = 0; id < (update == 0 ? b->limit : 1); id++)
            {
                grz_fat_aabb box = {{0}, {1, 1, 1, 0}};
                box.lower[axis] = 4 * (float)id;
                box.upper[axis] = 4 * (float)id + 1 + (update % 2 == 0 ? 0.0f : 0.125f);
                put(b, id, box);
            }
            if (update == 30)
            {
                b->fat[10].lower[axis] += step;
                b->fat[10].upper[axis] += step;
                b->changed[10] = GRZ_BOX_FAT_CHANGED;
                b->allocator.allowed = b->allocator.requests;
            }
            run_update(b, &methods[2], order, &sink);
        }
        assert_true(sink.pairs.count == 1 && b->allocator.allowed == SIZE_MAX);
        grz_method_destroy(&grz_sweep_and_prune_method, order);
        grz_release(&b->context, sink.pairs.data);
        assert_int_equal(b->allocator.live, 0);
        free(b);
    }
}

static void methods_that_run_out_of_memory_say_so(void **state)
{
    (void)state;
    for (int m = 0; m < METHODS; m++)
    {
        size_t allowed = 0;
        while (!run_with(&methods[m], allowed, false))
            run_with(&methods[m], allowed++, true);
        printf("%s: %zu allocations\n", methods[m].name, allowed);
        assert_true(allowed > 4 && allowed < 400);
    }
}

static boxes *still_boxes(test_random *random, uint32_t limit)
{
    boxes *b = calloc(1, sizeof *b);
    b->allocator.allowed = SIZE_MAX;
    b->context = failing_allocator_context(&b->allocator);
    b->limit = limit;
    b->world = 4;
    for (uint32_t id = 0; id < limit; id++)
        while (!b->present[id])
            change(b, random, id, false);
    b->present[limit / 2] = 0;
    b->count--;
    return b;
}

/* Damages a tree, expects validation to fail, and repairs it. */
#define EXPECT_DAMAGE_NOTICED(place, value)                                                                            \
    do                                                                                                                 \
    {                                                                                                                  \
        __typeof__(place) kept_ = (place);                                                                             \
        (place) = (__typeof__(place))(value);                                                                          \
        assert_false(grz_dynamic_bvh_method.validate(tree, &view));                                                    \
        (place) = kept_;                                                                                               \
        assert_true(grz_dynamic_bvh_method.validate(tree, &view));                                                     \
    } while (0)

static void damaged_nodes_of_a_tree_are_noticed(void **state)
{
    (void)state;
    test_random random = test_random_start("damaged_nodes_of_a_tree_are_noticed", 82);
    boxes *b = still_boxes(&random, 200);
    grz_dynamic_bvh *tree = grz_method_create(&grz_dynamic_bvh_method, &b->context);
    grz_pair_sink sink = {.context = &b->context};
    run_update(b, &methods[METHODS - 1], tree, &sink);
    grz_aabb_view view = view_of(b);
    unsigned inner = 0, leaves = 0, vacant = 0;
    assert_true(tree->node_count > 10);
    for (uint32_t number = 0; number < tree->node_count; number++)
    {
        grz_wide_node *node = &tree->nodes[number];
        EXPECT_DAMAGE_NOTICED(node->changed, 1);
        for (unsigned place = 0; place < GRZ_WIDE; place++)
        {
            uint32_t child = node->child[place];
            EXPECT_DAMAGE_NOTICED(node->used, node->used ^ 1u << place);
            EXPECT_DAMAGE_NOTICED(node->inner, node->inner ^ 1u << place);
            EXPECT_DAMAGE_NOTICED(node->lower[0][place], child == UINT32_MAX ? -INFINITY : 77);
            if (child == UINT32_MAX)
            {
                EXPECT_DAMAGE_NOTICED(node->child[place], 0);
                vacant++;
                continue;
            }
            EXPECT_DAMAGE_NOTICED(node->upper[2][place], 77);
            EXPECT_DAMAGE_NOTICED(node->child[place], UINT32_MAX);
            EXPECT_DAMAGE_NOTICED(node->child[place], child + 1);
            if ((node->inner >> place & 1) != 0)
            {
                EXPECT_DAMAGE_NOTICED(tree->nodes[child].parent, child);
                EXPECT_DAMAGE_NOTICED(tree->nodes[child].slot, place ^ 1u);
                EXPECT_DAMAGE_NOTICED(node->child[place], number);
                inner++;
            }
            else
            {
                EXPECT_DAMAGE_NOTICED(tree->leaf_slot[child], tree->leaf_slot[child] + 1);
                EXPECT_DAMAGE_NOTICED(tree->leaf_slot[child], GRZ_NOT_IN_TREE);
                leaves++;
            }
        }
    }
    EXPECT_DAMAGE_NOTICED(tree->box_count, tree->box_count + 1);
    EXPECT_DAMAGE_NOTICED(tree->leaf_slot[b->limit / 2], 3);
    assert_true(inner > 9 && leaves == 199 && vacant > 0);
    grz_method_destroy(&grz_dynamic_bvh_method, tree);
    grz_release(&b->context, sink.pairs.data);
    assert_int_equal(b->allocator.live, 0);
    free(b);
}

static void damaged_rows_of_a_sweep_are_noticed(void **state)
{
    (void)state;
    test_random random = test_random_start("damaged_rows_of_a_sweep_are_noticed", 83);
    boxes *b = still_boxes(&random, 50);
    grz_axis_sweep sweep = {0};
    grz_pair_sink sink = {.context = &b->context};
    grz_aabb_view view = view_of(b);
    const uint32_t chosen[] = {3, 7, 25, 49};
    assert_true(grz_axis_sweep_pairs(&b->context, &sweep, &view, chosen, 4, &sink));
    assert_true(grz_axis_sweep_validate(&sweep, &view));
    assert_int_equal(sweep.all.count, 49);
    assert_int_equal(sweep.chosen.count, 3);
    for (int row_number = 0; row_number < 2; row_number++)
    {
        grz_axis_sweep_boxes *row = row_number == 0 ? &sweep.all : &sweep.chosen;
        for (size_t place = 0; place < row->count; place++)
        {
            uint32_t id = row->ids[place];
            float lower = row->ends[0][place], upper = row->ends[3][place];
            row->ends[0][place] = lower - 0.25f;
            assert_false(grz_axis_sweep_validate(&sweep, &view));
            row->ends[0][place] = lower;
            row->ends[3][place] = upper + 0.25f;
            assert_false(grz_axis_sweep_validate(&sweep, &view));
            row->ends[3][place] = upper;
            sweep.is_chosen[id] = 1;
            assert_false(grz_axis_sweep_validate(&sweep, &view));
            sweep.is_chosen[id] = 0;
            row->ids[place] = b->limit;
            assert_false(grz_axis_sweep_validate(&sweep, &view));
            row->ids[place] = b->limit / 2; /* is not present */
            assert_false(grz_axis_sweep_validate(&sweep, &view));
            row->ids[place] = id;
            assert_true(grz_axis_sweep_validate(&sweep, &view));
        }
        /* The first and the last box swapped: each is valid by itself, but they are not sorted. */
        size_t last = row->count - 1;
        for (int turn = 0; turn < 2; turn++)
        {
            float lower = row->ends[0][0], upper = row->ends[3][0];
            uint32_t id = row->ids[0];
            row->ends[0][0] = row->ends[0][last];
            row->ends[3][0] = row->ends[3][last];
            row->ids[0] = row->ids[last];
            row->ends[0][last] = lower;
            row->ends[3][last] = upper;
            row->ids[last] = id;
            assert_int_equal(grz_axis_sweep_validate(&sweep, &view), turn == 1);
        }
    }
    sweep.all.count--;
    assert_false(grz_axis_sweep_validate(&sweep, &view));
    grz_axis_sweep_release(&b->context, &sweep);
    grz_release(&b->context, sink.pairs.data);
    assert_int_equal(b->allocator.live, 0);
    free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_names_the_pairs_of_changed_boxes),
        cmocka_unit_test(methods_that_run_out_of_memory_say_so), cmocka_unit_test(no_pair_is_lost_with_the_order),
        cmocka_unit_test(damaged_nodes_of_a_tree_are_noticed), cmocka_unit_test(damaged_rows_of_a_sweep_are_noticed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
