/* SPDX-License-Identifier: MIT */
/* Every compilation of the fitting kernels gives the bits of the scalar one, and the bounds contain the triangles. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "simd/fit.h"
#include "support/unit.h"

enum
{
    SEED = 47,
    ROUNDS = 4000,
    VERTICES = 60,
    TRIANGLES = 40,
    LEAVES = 24
};

typedef struct world
{
    double vertices[VERTICES * 3];
    uint32_t triangles[TRIANGLES * 3];
    grz_fit_source source;
} world;

typedef struct fitted
{
    grz_triangles8 grid;
    grz_fit_floats floats;
    grz_fit_box box;
} fitted;

/* Tree coordinates within [-1, 1]: all of it, a tiny part, a plane, or a single point. */
static void random_world(grz_random *random, world *w)
{
    int exponent = (int)grz_random_below(random, 120) - 60;
    double size = ldexp(1, -(int)grz_random_below(random, 2) * (int)grz_random_below(random, 70));
    uint64_t kind = grz_random_below(random, 8);
    bool around_zero = grz_random_below(random, 2) == 0; /* where grids may be finest */
    w->source = (grz_fit_source){w->vertices, w->triangles, ldexp(1, -exponent), {0}};
    for (int axis = 0; axis < 3; axis++)
    {
        bool flat = kind == 0 || (kind == 1 && axis == 1);
        w->source.origin[axis] = grz_random_between(random, -0.1, 0.1);
        double middle = w->source.origin[axis] + (around_zero ? 0 : grz_random_between(random, -0.4, 0.4));
        for (int i = 0; i < VERTICES; i++)
        {
            double offset = flat ? 0 : 0.5 * size * grz_random_between(random, -1, 1);
            w->vertices[3 * i + axis] = ldexp(middle + offset, exponent);
        }
    }
    for (int i = 0; i < 3 * TRIANGLES; i++)
        w->triangles[i] = (uint32_t)grz_random_below(random, VERTICES);
}

static void fit(const grz_fit_kernels *kernels, const world *w, const uint32_t *order, uint32_t count, fitted *out)
{
    memset(out, 0, sizeof *out);
    kernels->leaf(&w->source, order, count, &out->grid, &out->floats, &out->box);
}

static double coordinate(const world *w, uint32_t triangle, int corner, int axis)
{
    double x = w->vertices[3 * w->triangles[3 * triangle + (uint32_t)corner] + (uint32_t)axis];
    return x * w->source.scale - w->source.origin[axis];
}

/* Box, quantised corners and floats against the corners, one number at a time. */
static void check_leaf(const world *w, const uint32_t *order, uint32_t count, const fitted *f)
{
    for (int i = 0; i < 3 * 3 * GRZ_LANES; i++)
    {
        int corner = i / (3 * GRZ_LANES), axis = i / GRZ_LANES % 3, place = i % GRZ_LANES;
        double x = coordinate(w, order[(uint32_t)place < count ? place : 0], corner, axis),
               centre = f->grid.centre[axis];
        double unit = f->grid.unit, steps = f->grid.corners[corner][axis][place];
        assert_true(f->box.lower[axis] < x && x < f->box.upper[axis]);
        assert_true(fabs(centre + unit * steps - x) <= (double)GRZ_QUANTIZATION_ERROR * unit);
        assert_true(f->floats.corners[corner][axis][place] == (float)(x - centre));
        assert_true(f->floats.centre[axis] == f->grid.centre[axis]);
    }
    double reach = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        double lower = f->box.lower[axis], upper = f->box.upper[axis], centre = f->grid.centre[axis];
        assert_true(fabs(centre - 0.5 * (lower + upper)) <= 0x1p-23 * (fabs(lower) + fabs(upper)));
        reach = fmax(reach, fmax(upper - centre, centre - lower));
    }
    /* The grid is as fine as 15 bits allow, but no finer than this. */
    assert_true(f->grid.unit >= 0x1p-60f && f->grid.unit <= fmax(2 * reach / 32766, 0x1p-60));
}

static void check_normal(const fitted *f, uint32_t count)
{
    for (int axis = 0; axis < 3; axis++)
    {
        double sum = 0;
        for (uint32_t place = 0; place < count; place++)
        {
            float edges[2][3];
            for (int k = 0; k < 6; k++)
                edges[k / 3][k % 3] = f->floats.corners[k / 3 + 1][k % 3][place] - f->floats.corners[0][k % 3][place];
            int next = (axis + 1) % 3, last = (axis + 2) % 3;
            sum += edges[0][next] * edges[1][last] - edges[0][last] * edges[1][next];
        }
        assert_true(sum == f->box.normal[axis]);
    }
}

static void fitted_leaves_agree_bit_for_bit_and_hold_their_triangles(void **state)
{
    (void)state;
    static world w;
    grz_random random = grz_random_make(SEED);
    unsigned long full = 0, flat = 0, finest = 0;
    for (int round = 0; round < ROUNDS; round++)
    {
        uint32_t order[GRZ_LANES], count = 1 + (uint32_t)grz_random_below(&random, GRZ_LANES);
        fitted plain, other;
        random_world(&random, &w);
        for (uint32_t i = 0; i < count; i++)
            order[i] = (uint32_t)grz_random_below(&random, TRIANGLES);
        fit(grz_fit_kernels_for(GRAZE_INSTRUCTIONS_SCALAR), &w, order, count, &plain);
        check_leaf(&w, order, count, &plain);
        check_normal(&plain, count);
        for (int set = GRAZE_INSTRUCTIONS_SCALAR; set < GRAZE_INSTRUCTIONS_COUNT; set++)
        {
            fit(grz_fit_kernels_for((graze_instructions)set), &w, order, count, &other);
            assert_memory_equal(&other, &plain, sizeof plain);
        }
        full += count == GRZ_LANES;
        flat += plain.box.normal[0] == 0 && plain.box.normal[2] == 0;
        finest += plain.grid.unit < 0x1p-40f;
    }
    printf("seed %d: %d leaves, %lu full, %lu flat, %lu with a fine grid\n", SEED, ROUNDS, full, flat, finest);
    assert_true(full > ROUNDS / 16 && flat > ROUNDS / 16 && finest > ROUNDS / 16);
}

/* The heights in doubles; error bound of their extremes: 2^-20 of the largest possible. */
static void check_span(const grz_fit_floats *leaves, uint32_t count, const float direction[3], float lower, float upper)
{
    double lowest = INFINITY, highest = -INFINITY, reach = 0;
    for (uint32_t i = 0; i < count * 3 * GRZ_LANES; i++)
    {
        const grz_fit_floats *leaf = &leaves[i / (3 * GRZ_LANES)];
        double height = 0, limit = 0;
        for (int axis = 0; axis < 3; axis++)
        {
            double x = (double)leaf->corners[i / GRZ_LANES % 3][axis][i % GRZ_LANES] + leaf->centre[axis] -
                       leaves[0].centre[axis];
            height += direction[axis] * x;
            limit += fabs((double)direction[axis]) * (fabs(x) + fabs((double)leaf->centre[axis]));
        }
        lowest = fmin(lowest, height);
        highest = fmax(highest, height);
        reach = fmax(reach, limit);
    }
    assert_true(fabs(lowest - lower) <= 0x1p-20 * reach && fabs(highest - upper) <= 0x1p-20 * reach);
}

static void spans_agree_bit_for_bit_and_are_those_of_the_corners(void **state)
{
    (void)state;
    static world w;
    static fitted leaves[LEAVES];
    static grz_fit_floats floats[LEAVES];
    grz_random random = grz_random_make(SEED + 1);
    unsigned long wide = 0;
    for (int round = 0; round < ROUNDS / 8; round++)
    {
        uint32_t order[GRZ_LANES], count = 1 + (uint32_t)grz_random_below(&random, LEAVES);
        float direction[3], plain[2], other[2];
        random_world(&random, &w);
        for (uint32_t leaf = 0; leaf < count; leaf++)
        {
            for (int i = 0; i < GRZ_LANES; i++)
                order[i] = (uint32_t)grz_random_below(&random, TRIANGLES);
            fit(grz_fit_kernels_for(GRAZE_INSTRUCTIONS_BEST), &w, order, GRZ_LANES, &leaves[leaf]);
            floats[leaf] = leaves[leaf].floats;
        }
        for (int axis = 0; axis < 3; axis++)
            direction[axis] = (float)grz_random_between(&random, -1, 1);
        grz_fit_kernels_for(GRAZE_INSTRUCTIONS_SCALAR)->span(floats, count, direction, &plain[0], &plain[1]);
        check_span(floats, count, direction, plain[0], plain[1]);
        for (int set = GRAZE_INSTRUCTIONS_SCALAR; set < GRAZE_INSTRUCTIONS_COUNT; set++)
        {
            grz_fit_kernels_for((graze_instructions)set)->span(floats, count, direction, &other[0], &other[1]);
            assert_true(other[0] == plain[0] && other[1] == plain[1]);
        }
        wide += plain[0] < plain[1];
    }
    printf("seed %d: %d spans, %lu of them wide\n", SEED + 1, ROUNDS / 8, wide);
    assert_true(wide > ROUNDS / 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fitted_leaves_agree_bit_for_bit_and_hold_their_triangles),
                                       cmocka_unit_test(spans_agree_bit_for_bit_and_are_those_of_the_corners)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
