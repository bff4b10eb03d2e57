/* SPDX-License-Identifier: MIT */
/*
 * Cells of the search for the deepest common point: the heap hands out the largest bound first; children of a split
 * fill the cell and lie on one side of the zero plane; every edge is split once; errors; failing allocations.
 */
#include "pair/depth/simplex_search.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "support/failing_allocator.h"
#include "support/unit.h"

enum
{
    SEED = 1732,
    CELLS = 300
};

static void the_largest_bound_comes_first(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED);
    grz_simplex_heap heap = {{NULL, 0, 0}};
    double last = INFINITY;
    for (uint32_t i = 0; i < CELLS; i++)
    {
        grz_simplex cell = {.bound = (double)grz_random_below(&random, 50), .vertices = {i}};
        assert_true(grz_simplex_heap_push(NULL, &heap, &cell));
        if (i % 3 == 0)
            assert_true(grz_simplex_heap_pop(&heap).bound >= 0);
    }
    size_t left = heap.cells.count;
    bool seen[CELLS] = {false};
    assert_int_equal(left, CELLS - CELLS / 3);
    for (size_t i = 0; i < left; i++)
    {
        grz_simplex cell = grz_simplex_heap_pop(&heap);
        assert_true(cell.bound <= last && !seen[cell.vertices[0]]);
        seen[cell.vertices[0]] = true;
        last = cell.bound;
    }
    assert_int_equal(heap.cells.count, 0);
    grz_release(NULL, heap.cells.data);
}

static double size_of(const grz_simplex_space *space, const grz_simplex *cell)
{
    v3 e = v3_sub(grz_simplex_corner(space, cell, 1), grz_simplex_corner(space, cell, 0)),
       f = v3_sub(grz_simplex_corner(space, cell, 2), grz_simplex_corner(space, cell, 0)), n = v3_cross(e, f);
    if (grz_simplex_size(cell) == 3)
        return v3_length(n);
    return fabs(v3_dot(n, v3_sub(grz_simplex_corner(space, cell, 3), grz_simplex_corner(space, cell, 0))));
}

/* The affine function with these values at the vertices of the cell has some at the vertices of a child: by solving for
   them along the edges that were split. */
static double value_at(const grz_simplex_space *space, const grz_simplex *cell, const double values[4], uint32_t vertex)
{
    int size = grz_simplex_size(cell);
    v3 x = v3_load(space->vertices.data[vertex].x);
    for (int i = 0; i < size; i++)
        if (cell->vertices[i] == vertex)
            return values[i];
    for (int i = 0; i < size; i++)
        for (int k = 0; k < i; k++)
        {
            v3 from = grz_simplex_corner(space, cell, i), along = v3_sub(grz_simplex_corner(space, cell, k), from);
            double share = v3_dot(along, v3_sub(x, from)) / v3_dot(along, along);
            if (v3_length(v3_sub(v3_sub(x, from), v3_scale(share, along))) <= 1e-14)
                return values[i] + share * (values[k] - values[i]);
        }
    fail_msg("a new vertex is on no edge");
    return 0;
}

static void children_fill_their_cell(void **state)
{
    (void)state;
    printf("seed %d\n", SEED);
    grz_random random = grz_random_make(SEED + 1);
    size_t counts[7] = {0};
    for (int round = 0; round < 2000; round++)
    {
        grz_simplex_space space = {.reach = 4};
        grz_simplex cell = {.owner = round % 2 == 0 ? 0 : GRZ_SPACE, .splits = 3}, children[6];
        double values[4], sum = 0;
        int size = grz_simplex_size(&cell), above = 0, below = 0;
        for (int k = 0; k < 4; k++)
        {
            double x[3];
            for (int axis = 0; axis < 3; axis++)
                x[axis] = grz_random_between(&random, -1, 1);
            assert_true(grz_simplex_vertex_add(&space, x, &cell.vertices[k]));
            values[k] = grz_random_below(&random, 4) == 0 ? 0 : grz_random_between(&random, -1, 1);
            above += k < size && values[k] > 0;
            below += k < size && values[k] < 0;
        }
        if (above > 0 && below > 0)
        {
            int count = grz_simplex_split(&space, &cell, values, children);
            assert_true(count >= 2 && count <= 6);
            counts[count]++;
            assert_int_equal(space.vertices.count, 4 + above * below); /* an edge is split once */
            for (int i = 0; i < count; i++)
            {
                sum += size_of(&space, &children[i]);
                assert_true(children[i].splits > cell.splits && children[i].splits <= cell.splits + 5);
                double lowest = 0, highest = 0;
                for (int k = 0; k < size; k++)
                {
                    double value = value_at(&space, &cell, values, children[i].vertices[k]);
                    lowest = fmin(lowest, value);
                    highest = fmax(highest, value);
                }
                assert_true(lowest > -1e-13 || highest < 1e-13);
            }
            assert_true(fabs(sum - size_of(&space, &cell)) <= 1e-13);
        }
        int halves = grz_simplex_bisect(&space, &cell, children);
        assert_int_equal(halves, 2);
        assert_true(fabs(size_of(&space, &children[0]) - size_of(&space, &children[1])) <= 1e-13);
        grz_release(NULL, space.vertices.data);
    }
    printf("%zu into 2, %zu into 3, %zu into 4, %zu into 6\n", counts[2], counts[3], counts[4], counts[6]);
    assert_true(counts[2] > 50 && counts[3] > 50 && counts[6] > 50);
}

/* A corner of a surface, 14 u reach; a centre, 7 u reach; 9 u reach for every split: simplex_search.c. */
static void errors_grow_with_splits(void **state)
{
    (void)state;
    for (int exponent = -300; exponent <= 300; exponent += 100)
    {
        const grz_simplex_space space = {.reach = ldexp(1, exponent)};
        for (uint8_t splits = 0; splits <= GRZ_MOST_SPLITS; splits++)
        {
            double error = grz_simplex_error(&space, &(grz_simplex){.splits = splits});
            assert_true(error >= (9.0 * splits + 21) * GRZ_U * space.reach);
            assert_true(error <= (9.0 * splits + 32) * GRZ_U * space.reach);
        }
    }
}

static void a_split_without_memory_has_no_children(void **state)
{
    (void)state;
    size_t failures = 0;
    for (size_t allowed = 0;; allowed++)
    {
        failing_allocator allocator = {.allowed = allowed};
        graze_context context = failing_allocator_context(&allocator);
        grz_simplex_space space = {.context = &context, .reach = 1};
        grz_simplex cell = {.owner = GRZ_SPACE}, children[6];
        const double values[4] = {1, 1, -1, -1};
        bool added = true;
        for (int k = 0; k < 4; k++)
        {
            const double x[3] = {k == 1, k == 2, k == 3};
            added = added && grz_simplex_vertex_add(&space, x, &cell.vertices[k]);
        }
        while (added && space.vertices.count < space.vertices.capacity - 2) /* so that the array grows in between */
            added = grz_simplex_vertex_add(&space, (const double[3]){0, 0, 0}, &(uint32_t){0});
        int count = added ? grz_simplex_split(&space, &cell, values, children) : 0;
        failures += added && count == 0;
        grz_release(&context, space.vertices.data);
        assert_int_equal(allocator.live, 0);
        if (count > 0)
        {
            assert_int_equal(count, 6);
            break;
        }
    }
    assert_true(failures > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_largest_bound_comes_first),
        cmocka_unit_test(children_fill_their_cell),
        cmocka_unit_test(errors_grow_with_splits),
        cmocka_unit_test(a_split_without_memory_has_no_children),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
