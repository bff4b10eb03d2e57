/* SPDX-License-Identifier: MIT */
/*
 * Hash grid cells: boxes get the lowest level with few enough cells; corners of OBBs that lie exactly on cell corners,
 * far from the origin, are in the cells that rasterisation finds; and validation detects every inconsistency of the
 * lists of boxes by cell.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "broad/obb_cells.h"
#include "support/random.h"
#include "support/unit.h"

enum
{
    UNIT_LEVEL = -GRZ_GRID_LEAST_EXPONENT / GRZ_GRID_LEVEL_STEP, /* cells with sides of 1 */
    FAR = 1 << 27,
    BOXES = 40
};

static bool is_wider(const grz_cell_range *range, int most)
{
    bool wider = false;
    for (int axis = 0; axis < 3; axis++)
        wider = wider || (int64_t)range->upper[axis] - range->lower[axis] + 1 > most;
    return wider;
}

/* At most so many cells, and more at the level below, unless coordinates or levels are limited. */
static void expect_lowest(const grz_cell_range *range, const grz_cell_range *below, uint32_t level, int most,
                          double size, double reach)
{
    double side = 1 / grz_cells_per_unit(level);
    assert_true(level < GRZ_GRID_LEVELS);
    assert_false(is_wider(range, most));
    if (level < GRZ_GRID_LEVELS - 1)
        for (int axis = 0; axis < 3; axis++)
            assert_true(range->lower[axis] > -(1 << 30) && range->upper[axis] < 1 << 30);
    bool could_be_lower = side > 0x1p-160 && side > 0x1p-26 * reach && size > 0;
    assert_true(!could_be_lower || is_wider(below, most));
}

static void boxes_get_the_lowest_level_with_few_cells(void **state)
{
    (void)state;
    test_random random = test_random_start("boxes_get_the_lowest_level_with_few_cells", 91);
    for (int round = 0; round < 20000; round++)
    {
        int most = random_between(&random, 2, 6), exponent = random_between(&random, -120, 120);
        grz_fat_aabb box = {{0}, {0}};
        graze_oriented_box turned = {{0}, {{0}}};
        double size = 0, reach = 0, turned_size = 0, turned_reach = 0;
        for (int axis = 0; axis < 3; axis++)
        {
            double from = ldexp(random_real(&random, -1, 1), exponent + random_between(&random, -2, 4));
            double length = ldexp(random_real(&random, 0, 1), exponent - random_between(&random, 0, 12)), half = 0;
            box.lower[axis] = (float)from;
            box.upper[axis] = fmaxf(box.lower[axis], (float)(from + length));
            size = fmax(size, (double)box.upper[axis] - (double)box.lower[axis]);
            reach = fmax(reach, fmax(fabs((double)box.lower[axis]), fabs((double)box.upper[axis])));
            turned.centre[axis] = from;
            for (int edge = 0; edge < 3; edge++)
            {
                turned.axes[edge][axis] = random_real(&random, -1, 1) * length;
                half += fabs(turned.axes[edge][axis]);
            }
            turned_size = fmax(turned_size, 2 * half);
            turned_reach = fmax(turned_reach, fabs(from) + half);
        }
        grz_cell_range range, below;
        uint32_t level = grz_cell_level_of_box(&box, most, &range);
        below = grz_cells_of_box(&box, level > 0 ? level - 1 : 0);
        expect_lowest(&range, &below, level, most, size, reach);
        level = grz_obb_cell_level(&turned, most, &range);
        below = grz_obb_cell_range(&turned, level > 0 ? level - 1 : 0);
        expect_lowest(&range, &below, level, most, turned_size, turned_reach);
    }
}

static bool has_cell(const grz_cell_list *cells, const double point[3])
{
    bool there = false;
    for (size_t i = 0; i < cells->count; i++)
        there = there || (cells->data[i].at[0] == floor(point[0]) && cells->data[i].at[1] == floor(point[1]) &&
                          cells->data[i].at[2] == floor(point[2]));
    return there;
}

/* Edges are multiples of 2^-16, so that all eight corners are doubles, and their products with coordinates are not. One
   corner is a cell corner, and no other point of the box is in that cell: no bound has slack there. */
static void stabbing_misses_no_cell_that_a_corner_touches(void **state)
{
    (void)state;
    test_random random = test_random_start("stabbing_misses_no_cell_that_a_corner_touches", 92);
    grz_cell_list cells = {0};
    unsigned long found = 0, around = 0;
    for (int round = 0; round < 20000; round++)
    {
        graze_oriented_box box;
        int largest = random_once_in(&random, 2) ? 1 << 14 : 1 << 17;
        for (int axis = 0; axis < 3; axis++)
        {
            box.centre[axis] = random_between(&random, -FAR, FAR) / (round % 4 == 0 ? 1 << 20 : 1);
            for (int edge = 0; edge < 3; edge++)
            {
                box.axes[edge][axis] = 0x1p-16 * random_between(&random, -largest, largest);
                box.axes[edge][axis] *= random_once_in(&random, 12) ? 0 : 1;
                box.centre[axis] += box.axes[edge][axis];
            }
        }
        grz_cell_range range = grz_obb_cell_range(&box, UNIT_LEVEL);
        cells.count = 0;
        assert_true(grz_obb_cells(NULL, &box, UNIT_LEVEL, &range, &cells));
        found += cells.count;
        around += (unsigned long)grz_cell_count(&range);
        for (int corner = 0; corner < 8; corner++)
        {
            double point[3];
            for (int axis = 0; axis < 3; axis++)
            {
                point[axis] = box.centre[axis];
                for (int edge = 0; edge < 3; edge++)
                    point[axis] += (corner >> edge & 1 ? 1 : -1) * box.axes[edge][axis];
            }
            assert_true(has_cell(&cells, point));
        }
    }
    printf("%lu cells of %lu\n", found, around);
    assert_true(4 * found < 3 * around);
    grz_release(NULL, cells.data);
}

/* Boxes so large that numbers overflow, or so small that they underflow, touch the cells of their range. */
static void stabbing_misses_no_cell_at_the_ends_of_the_range(void **state)
{
    (void)state;
    test_random random = test_random_start("stabbing_misses_no_cell_at_the_ends_of_the_range", 93);
    grz_cell_list cells = {0};
    for (int round = 0; round < 4000; round++)
    {
        static const int exponents[] = {-1060, -700, -350, -170, 100, 126, 130, 170, 350, 700, 1015};
        int exponent = exponents[random_below(&random, (int)(sizeof exponents / sizeof exponents[0]))];
        graze_oriented_box box;
        for (int axis = 0; axis < 3; axis++)
        {
            box.centre[axis] = ldexp(random_between(&random, -40, 40), exponent);
            for (int edge = 0; edge < 3; edge++)
                box.axes[edge][axis] = ldexp(random_between(&random, -8, 8), exponent - random_between(&random, 0, 4));
        }
        grz_cell_range range;
        uint32_t level = grz_obb_cell_level(&box, random_between(&random, 2, 8), &range);
        cells.count = 0;
        assert_true(grz_obb_cells(NULL, &box, level, &range, &cells));
        for (int corner = 0; corner < 8; corner++)
        {
            double point[3];
            for (int axis = 0; axis < 3; axis++)
            {
                point[axis] = box.centre[axis];
                for (int edge = 0; edge < 3; edge++)
                    point[axis] += (corner >> edge & 1 ? 1 : -1) * box.axes[edge][axis];
                /* Coordinates beyond the range of floats are clamped. */
                point[axis] = fmin(fmax(point[axis], -(double)FLT_MAX), (double)FLT_MAX) * grz_cells_per_unit(level);
            }
            assert_true(has_cell(&cells, point));
        }
    }
    grz_release(NULL, cells.data);
}

typedef struct model
{
    grz_hash_grid cells;
    uint8_t present[BOXES];
    uint32_t hashes[BOXES][4]; /* hashes of the cells that each box is in */
    size_t count;
} model;

static grz_aabb_view view_of(const model *m)
{
    return (grz_aabb_view){.present = m->present, .limit = BOXES, .count = m->count};
}

static void toggle(model *m, test_random *random, uint32_t id)
{
    if (m->present[id])
    {
        for (int i = 0; i < 4; i++)
            grz_hash_grid_remove(&m->cells, id, m->hashes[id][i]);
        grz_hash_grid_remove_from_level(&m->cells, id);
        m->count--;
    }
    else
    {
        grz_cell_range range = {{0}, {0}};
        grz_hash_grid_add_to_level(&m->cells, id, (uint32_t)random_below(random, 3) * 70, &range);
        for (int i = 0; i < 4; i++)
        {
            m->hashes[id][i] = (uint32_t)random_next(random);
            assert_true(grz_hash_grid_insert(NULL, &m->cells, id, m->hashes[id][i]));
        }
        m->count++;
    }
    m->present[id] ^= 1;
}

static bool is_in_bucket(const model *m, uint32_t id, uint32_t hash)
{
    const grz_pooled_list *list = grz_hash_grid_bucket(&m->cells, hash);
    const grz_list_entry *links = grz_list_entries(&m->cells.links, list);
    bool there = false;
    for (uint32_t i = 0; i < list->count; i++)
        there = there || (links[i].other == id && links[i].candidate == hash);
    return there;
}

#define EXPECT_DAMAGE_NOTICED(place, value)                                                                            \
    do                                                                                                                 \
    {                                                                                                                  \
        __typeof__(place) kept_ = (place);                                                                             \
        (place) = (__typeof__(place))(value);                                                                          \
        assert_false(grz_hash_grid_validate(cells, &view));                                                            \
        (place) = kept_;                                                                                               \
        assert_true(grz_hash_grid_validate(cells, &view));                                                             \
    } while (0)

static void expect_damage_noticed(model *m)
{
    grz_hash_grid *cells = &m->cells;
    grz_aabb_view view = view_of(m);
    EXPECT_DAMAGE_NOTICED(cells->entry_count, cells->entry_count + 1);
    EXPECT_DAMAGE_NOTICED(view.count, view.count + 1);
    for (uint32_t level = 0; level < GRZ_GRID_LEVELS; level++)
    {
        EXPECT_DAMAGE_NOTICED(cells->counts[level], cells->counts[level] + 1);
        EXPECT_DAMAGE_NOTICED(cells->occupied[level / 64], cells->occupied[level / 64] ^ UINT64_C(1) << level % 64);
        if (cells->counts[level] == 0)
            continue;
        EXPECT_DAMAGE_NOTICED(cells->counts[level], cells->counts[level] - 1);
        EXPECT_DAMAGE_NOTICED(cells->level_lists[level], 0);
    }
    for (uint32_t id = 0; id < BOXES; id++)
    {
        grz_hash_grid_box *box = &cells->boxes.data[id];
        EXPECT_DAMAGE_NOTICED(m->present[id], m->present[id] ^ 1);
        EXPECT_DAMAGE_NOTICED(box->level, m->present[id] ? GRZ_GRID_LEVELS : 0);
        if (!m->present[id])
            continue;
        EXPECT_DAMAGE_NOTICED(box->level, box->level + 1);
        EXPECT_DAMAGE_NOTICED(box->previous, box->previous + 1);
        EXPECT_DAMAGE_NOTICED(box->next, id + 1); /* in a cycle */
        if (box->next != 0)
            EXPECT_DAMAGE_NOTICED(box->next, 0);
    }
    for (size_t bucket = 0; bucket <= cells->mask; bucket++)
        if (cells->buckets[bucket].count > 0)
        {
            grz_list_entry *first = grz_list_entries(&cells->links, &cells->buckets[bucket]);
            EXPECT_DAMAGE_NOTICED(first->candidate, first->candidate ^ 1);
        }
}

static void damaged_cells_are_noticed(void **state)
{
    (void)state;
    test_random random = test_random_start("damaged_cells_are_noticed", 94);
    model m = {.count = 0};
    assert_true(grz_hash_grid_reserve(NULL, &m.cells, BOXES, 1));
    for (int round = 0; round < 400; round++)
    {
        if (round == 100) /* all entries move to more buckets */
            assert_true(grz_hash_grid_reserve(NULL, &m.cells, BOXES, 4 * (size_t)BOXES));
        toggle(&m, &random, (uint32_t)random_below(&random, BOXES));
        grz_aabb_view view = view_of(&m);
        assert_true(grz_hash_grid_validate(&m.cells, &view));
        for (uint32_t id = 0; id < BOXES; id++)
            for (int i = 0; i < 4 && m.present[id]; i++)
                assert_true(is_in_bucket(&m, id, m.hashes[id][i]));
        if (round % 50 == 49)
            expect_damage_noticed(&m);
    }
    assert_true(m.cells.mask + 1 == 1024 && m.count > 5);
    grz_hash_grid_release(NULL, &m.cells);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(boxes_get_the_lowest_level_with_few_cells),
                                       cmocka_unit_test(stabbing_misses_no_cell_that_a_corner_touches),
                                       cmocka_unit_test(stabbing_misses_no_cell_at_the_ends_of_the_range),
                                       cmocka_unit_test(damaged_cells_are_noticed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
