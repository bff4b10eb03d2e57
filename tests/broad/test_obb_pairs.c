/* SPDX-License-Identifier: MIT */
/*
 * With OBBs, every method finds the pairs whose AABBs and OBBs share a point: boxes of all shapes and directions, rods,
 * plates, segments and points, beside boxes without OBB, over scripts of moves, rotations, insertions and removals.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "broad/obb_cells.h"
#include "exact/oriented_boxes.h"
#include "graze/broad_phase.h"
#include "support/failing_allocator.h"
#include "support/random.h"
#include "support/unit.h"

enum
{
    MOST = 120
};

typedef enum world
{
    TURNED,    /* rotated boxes of everyday shapes */
    LATTICE,   /* small integers: many boxes touch */
    LOOSE,     /* OBBs unrelated to the AABBs */
    ALL_SIZES, /* rods and plates of many sizes */
    EXTREMES,
    WORLDS
} world;

typedef struct model
{
    bool present[MOST], oriented[MOST];
    graze_box boxes[MOST];
    graze_oriented_box turned[MOST];
    uint32_t count; /* of ids in use */
    unsigned long pairs, dropped;
} model;

static void unit_vector(test_random *random, double *out)
{
    double length = 0;
    while (!(length > 0.1 && length < 1))
    {
        length = 0;
        for (int k = 0; k < 3; k++)
        {
            out[k] = random_real(random, -1, 1);
            length += out[k] * out[k];
        }
    }
    for (int k = 0; k < 3; k++)
        out[k] /= sqrt(length);
}

static void cross(const double *a, const double *b, double *out)
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static graze_oriented_box random_oriented(test_random *random, world w)
{
    graze_oriented_box box;
    double size = w == ALL_SIZES ? ldexp(1, random_between(random, -12, 3)) : 1;
    unit_vector(random, box.axes[0]);
    unit_vector(random, box.axes[2]);
    cross(box.axes[0], box.axes[2], box.axes[1]);
    cross(box.axes[0], box.axes[1], box.axes[2]);
    for (int edge = 0; edge < 3; edge++)
    {
        double half = random_once_in(random, 10) ? 0 : size * random_real(random, 0.05, edge == 0 ? 1.5 : 0.3);
        for (int k = 0; k < 3; k++)
        {
            box.axes[edge][k] *= half;
            if (w == LATTICE)
                box.axes[edge][k] = random_between(random, -1, 1) * random_between(random, 0, 1);
            if (w == EXTREMES)
                box.axes[edge][k] = ldexp(random_real(random, -1, 1), random_between(random, -1060, 1022));
        }
    }
    for (int k = 0; k < 3; k++)
    {
        box.centre[k] = w == LATTICE ? random_between(random, -4, 4) : random_real(random, -2, 2);
        if (w == EXTREMES)
            box.centre[k] = ldexp(random_real(random, -1, 1), random_between(random, -1060, 1022));
    }
    return box;
}

/* The AABB of an OBB, or an unrelated one. */
static graze_box box_around(test_random *random, world w, const graze_oriented_box *turned)
{
    graze_box box;
    for (int k = 0; k < 3; k++)
    {
        double half = fabs(turned->axes[0][k]) + fabs(turned->axes[1][k]) + fabs(turned->axes[2][k]);
        half *= w == LOOSE ? random_real(random, 0.2, 1.5) : 1 + 1e-15;
        box.lower[k] = fmax(-DBL_MAX, turned->centre[k] - half);
        box.upper[k] = fmin(DBL_MAX, turned->centre[k] + half);
    }
    return box;
}

static grz_oriented_box slanted(const model *m, size_t id)
{
    return m->oriented[id] ? grz_oriented_box_from_axes(m->turned[id].centre, (const double(*)[3])m->turned[id].axes)
                           : grz_oriented_box_from_corners(m->boxes[id].lower, m->boxes[id].upper);
}

static bool should_meet(model *m, size_t a, size_t b)
{
    if (!m->present[a] || !m->present[b])
        return false;
    for (int k = 0; k < 3; k++)
        if (m->boxes[a].lower[k] > m->boxes[b].upper[k] || m->boxes[b].lower[k] > m->boxes[a].upper[k])
            return false;
    if (!m->oriented[a] && !m->oriented[b])
        return true;
    grz_oriented_box x = slanted(m, a), y = slanted(m, b);
    bool meet = grz_oriented_boxes_overlap(&x, &y, NULL);
    m->dropped += !meet;
    return meet;
}

static void change_something(test_random *random, world w, graze_broad_phase *broad, model *m)
{
    uint32_t id = (uint32_t)random_below(random, (int)m->count);
    if (m->present[id] && random_once_in(random, 10))
    {
        assert_int_equal(graze_broad_phase_remove(broad, id), GRAZE_STATUS_OK);
        m->present[id] = m->oriented[id] = false;
        return;
    }
    if (m->present[id] && !random_once_in(random, 4))
    {
        for (int k = 0; k < 3 && w != EXTREMES; k++)
        {
            double step = w == LATTICE ? random_between(random, -1, 1) : random_real(random, -0.1, 0.1);
            m->turned[id].centre[k] += step;
            m->boxes[id].lower[k] += step;
            m->boxes[id].upper[k] += step;
        }
    }
    else
    {
        m->turned[id] = random_oriented(random, w);
        m->boxes[id] = box_around(random, w, &m->turned[id]);
    }
    if (m->present[id])
        assert_int_equal(graze_broad_phase_move(broad, id, &m->boxes[id]), GRAZE_STATUS_OK);
    else
        assert_int_equal(graze_broad_phase_insert(broad, id, &m->boxes[id]), GRAZE_STATUS_OK);
    m->present[id] = true;
    m->oriented[id] = !random_once_in(random, 4);
    if (m->oriented[id])
        assert_int_equal(graze_broad_phase_set_oriented_box(broad, id, &m->turned[id]), GRAZE_STATUS_OK);
}

static void expect_pairs(const graze_broad_phase *broad, model *m)
{
    static bool now[MOST][MOST];
    memset(now, 0, sizeof now);
    size_t count;
    const graze_box_pair *pairs = graze_broad_phase_pairs(broad, &count);
    for (size_t i = 0; i < count; i++)
        now[pairs[i].a][pairs[i].b] = true;
    for (size_t a = 0; a < m->count; a++)
        for (size_t b = a + 1; b < m->count; b++)
            assert_int_equal(now[a][b], should_meet(m, a, b));
    m->pairs += count;
}

static void run_script(test_random *random, graze_broad_phase_method method, world w)
{
    graze_broad_phase_def def = graze_broad_phase_def_default();
    def.method = method;
    graze_broad_phase *broad;
    assert_int_equal(graze_broad_phase_create(NULL, &def, &broad), GRAZE_STATUS_OK);
    model *m = calloc(1, sizeof *m);
    m->count = w == EXTREMES ? 20 : MOST; /* at the ends of the range of doubles every pair takes a millisecond */
    for (int update = 0; update < (w == EXTREMES ? 8 : 40); update++)
    {
        for (int i = 0; i < (update % 5 == 0 ? 80 : 10); i++)
            change_something(random, w, broad, m);
        assert_int_equal(graze_broad_phase_update(broad, NULL), GRAZE_STATUS_OK);
        assert_int_equal(graze_broad_phase_validate(broad), GRAZE_STATUS_OK);
        expect_pairs(broad, m);
    }
    printf("%s, world %d: %lu pairs, %lu dropped\n", graze_broad_phase_method_name(method), (int)w, m->pairs,
           m->dropped);
    assert_true(w == EXTREMES ? m->pairs > 20 : m->pairs > 100 && m->dropped > 100);
    graze_broad_phase_destroy(broad);
    free(m);
}

static void every_method_gives_the_pairs_whose_oriented_boxes_meet(void **state)
{
    (void)state;
    test_random random = test_random_start("every_method_gives_the_pairs_whose_oriented_boxes_meet", 11);
    for (int method = 0; method < GRAZE_BROAD_PHASE_METHOD_COUNT; method++)
        for (int w = 0; w < WORLDS; w++)
            run_script(&random, (graze_broad_phase_method)method, (world)w);
}

/* Points of an OBB, its corners included, lie in cells that rasterisation finds; and it finds fewer than the AABB has.
 */
static void stabbing_misses_no_cell(void **state)
{
    (void)state;
    test_random random = test_random_start("stabbing_misses_no_cell", 12);
    grz_cell_list cells = {0};
    unsigned long found = 0, around = 0;
    for (int round = 0; round < 1200; round++)
    {
        graze_oriented_box box = random_oriented(&random, round % 2 ? TURNED : LATTICE);
        grz_cell_range range;
        uint32_t level = grz_obb_cell_level(&box, random_between(&random, 2, 12), &range);
        double per_unit = grz_cells_per_unit(level);
        cells.count = 0;
        assert_true(grz_obb_cells(NULL, &box, level, &range, &cells));
        found += cells.count;
        around += (unsigned long)grz_cell_count(&range);
        for (int point = 0; point < 60; point++)
        {
            int32_t at[3];
            double x[3];
            for (int edge = 0; edge < 3; edge++)
                x[edge] = point < 8 ? (point >> edge & 1 ? 1 : -1) : random_between(&random, -64, 64) / 64.0;
            for (int k = 0; k < 3; k++)
                at[k] = (int32_t)floor(
                    (box.centre[k] + x[0] * box.axes[0][k] + x[1] * box.axes[1][k] + x[2] * box.axes[2][k]) * per_unit);
            bool there = false;
            for (size_t i = 0; i < cells.count; i++)
                there = there || memcmp(cells.data[i].at, at, sizeof at) == 0;
            assert_true(there);
        }
    }
    printf("%lu cells of %lu\n", found, around);
    assert_true(10 * found < 8 * around);
    grz_release(NULL, cells.data);
}

static void nothing_is_lost_when_memory_runs_out(void **state)
{
    (void)state;
    bool survived = false;
    for (size_t allowed = 0; !survived && allowed < 400; allowed++)
    {
        test_random random = {5};
        failing_allocator allocator = {.allowed = allowed};
        graze_context context = failing_allocator_context(&allocator);
        graze_broad_phase_def def = graze_broad_phase_def_default();
        def.method = GRAZE_BROAD_PHASE_ORIENTED_GRID;
        graze_broad_phase *broad;
        if (graze_broad_phase_create(&context, &def, &broad) != GRAZE_STATUS_OK)
            continue;
        model *m = calloc(1, sizeof *m);
        m->count = 60;
        survived = true;
        for (uint32_t id = 0; id < 60; id++)
        {
            m->turned[id] = random_oriented(&random, TURNED);
            m->boxes[id] = box_around(&random, TURNED, &m->turned[id]);
            m->present[id] = graze_broad_phase_insert(broad, id, &m->boxes[id]) == GRAZE_STATUS_OK;
            m->oriented[id] =
                m->present[id] && graze_broad_phase_set_oriented_box(broad, id, &m->turned[id]) == GRAZE_STATUS_OK;
            survived = survived && m->oriented[id];
            if (id % 10 == 9 && graze_broad_phase_update(broad, NULL) != GRAZE_STATUS_OK)
                survived = false;
        }
        allocator.allowed = SIZE_MAX;
        assert_int_equal(graze_broad_phase_update(broad, NULL), GRAZE_STATUS_OK);
        assert_int_equal(graze_broad_phase_validate(broad), GRAZE_STATUS_OK);
        expect_pairs(broad, m);
        graze_broad_phase_destroy(broad);
        assert_int_equal(allocator.live, 0);
        free(m);
    }
    assert_true(survived);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_method_gives_the_pairs_whose_oriented_boxes_meet),
                                       cmocka_unit_test(stabbing_misses_no_cell),
                                       cmocka_unit_test(nothing_is_lost_when_memory_runs_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
