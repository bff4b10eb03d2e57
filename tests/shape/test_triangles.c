/* SPDX-License-Identifier: MIT */
/*
 * Triangles of meshes that collide with any other shape, against each triangle as a shape of its own, and pairs of
 * triangles against the exact predicate. Count, gather and visit agree.
 */
#include <stdio.h>
#include <string.h>

#include "graze/shape_query.h"
#include "shape/placed.h"
#include "support/random_shapes.h"
#include "support/unit.h"

enum
{
    ROUNDS = 40,
    MOST_LEAVES = 3,
    MOST_HITS = 400
};

typedef struct counters
{
    int pairs, hits, singles, without;
} counters;

static size_t list_leaves(const graze_placed *placed, graze_placed leaves[MOST_LEAVES])
{
    size_t count = graze_shape_part_count(placed->shape);
    leaves[0] = *placed;
    for (size_t i = 0; i < count; i++)
        assert_int_equal(grz_placed_part(placed, i, &leaves[i]), GRAZE_STATUS_OK);
    return count == 0 ? 1 : count;
}

static graze_placed_triangle triangle_of(const graze_placed *placed, size_t triangle)
{
    const graze_mesh *mesh = graze_shape_mesh(placed->shape);
    graze_placed_triangle t = {.pose = &placed->pose};
    for (size_t c = 0; c < 3; c++)
        t.corners[c] = graze_mesh_vertices(mesh) + 3 * (size_t)graze_mesh_triangles(mesh)[3 * triangle + c];
    return t;
}

static graze_verdict decide_triangle(const graze_placed *mesh, size_t triangle, const graze_placed *other)
{
    graze_placed_triangle t = triangle_of(mesh, triangle);
    double points[3][3];
    graze_shape *shape;
    graze_verdict verdict;
    for (int c = 0; c < 3; c++)
        memcpy(points[c], t.corners[c], sizeof points[c]);
    assert_int_equal(graze_shape_create_triangle(NULL, (const double(*)[3])points, &shape), GRAZE_STATUS_OK);
    graze_placed placed = {shape, mesh->pose};
    assert_int_equal(graze_shape_pair_any(NULL, &placed, other, NULL, &verdict, NULL), GRAZE_STATUS_OK);
    graze_shape_destroy(shape);
    return verdict;
}

typedef struct expectation
{
    graze_shape_hit hits[MOST_HITS];
    size_t count;
    uint64_t unknown;
    bool has_triangles;
} expectation;

static void expect(expectation *e, size_t part_a, size_t part_b, size_t triangle_a, size_t triangle_b)
{
    graze_shape_hit *hit = &e->hits[e->count++];
    assert_true(e->count < MOST_HITS);
    hit->part_a = (uint32_t)part_a;
    hit->part_b = (uint32_t)part_b;
    hit->triangle_a = (uint32_t)triangle_a;
    hit->triangle_b = (uint32_t)triangle_b;
}

static void expect_leaves(expectation *e, const graze_placed *a, const graze_placed *b, size_t i, size_t j)
{
    bool has_a = graze_shape_has_triangles(a->shape), has_b = graze_shape_has_triangles(b->shape);
    size_t count_a = has_a ? graze_mesh_triangle_count(graze_shape_mesh(a->shape)) : 1;
    size_t count_b = has_b ? graze_mesh_triangle_count(graze_shape_mesh(b->shape)) : 1;
    e->has_triangles = e->has_triangles || has_a || has_b;
    for (size_t s = 0; s < count_a && (has_a || has_b); s++)
        for (size_t t = 0; t < count_b; t++)
        {
            if (has_a && has_b)
            {
                graze_placed_triangle x = triangle_of(a, s), y = triangle_of(b, t);
                if (graze_triangle_collide(&x, &y).found)
                    expect(e, i, j, s, t);
                continue;
            }
            graze_verdict verdict = has_a ? decide_triangle(a, s, b) : decide_triangle(b, t, a);
            e->unknown += verdict == GRAZE_VERDICT_UNKNOWN;
            if (verdict == GRAZE_VERDICT_YES)
                expect(e, i, j, has_a ? s : GRAZE_NO_TRIANGLE, has_b ? t : GRAZE_NO_TRIANGLE);
        }
}

typedef struct visitor
{
    const expectation *e;
    size_t seen, stop;
} visitor;

static bool compare_hit(void *user, const graze_shape_hit *hit)
{
    visitor *v = user;
    const graze_shape_hit *x = &v->e->hits[v->seen++];
    assert_true(x->part_a == hit->part_a && x->part_b == hit->part_b && x->triangle_a == hit->triangle_a &&
                x->triangle_b == hit->triangle_b);
    return v->seen != v->stop;
}

static void check_pair(const graze_placed *a, const graze_placed *b, counters *c)
{
    graze_placed leaves_a[MOST_LEAVES], leaves_b[MOST_LEAVES];
    size_t count_a = list_leaves(a, leaves_a), count_b = list_leaves(b, leaves_b);
    static expectation e; /* large */
    e.count = 0;
    e.unknown = 0;
    e.has_triangles = false;
    for (size_t i = 0; i < count_a; i++)
        for (size_t j = 0; j < count_b; j++)
            expect_leaves(&e, &leaves_a[i], &leaves_b[j], i, j);
    graze_shape_counts counts, gathered;
    graze_shape_hit hits[8];
    assert_int_equal(graze_shape_pair_count(NULL, a, b, NULL, &counts), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_pair_gather(NULL, a, b, NULL, hits, 8, &gathered), GRAZE_STATUS_OK);
    assert_true(counts.hits == e.count && counts.unknown == e.unknown && counts.has_triangles == e.has_triangles);
    assert_memory_equal(&counts, &gathered, sizeof counts);
    visitor all = {&e, 0, 0}, first = {&e, 0, 1}, start = {&e, 0, 0};
    assert_int_equal(graze_shape_pair_visit(NULL, a, b, NULL, compare_hit, &all), GRAZE_STATUS_OK);
    assert_int_equal(all.seen, e.count);
    assert_int_equal(graze_shape_pair_visit(NULL, a, b, NULL, compare_hit, &first),
                     e.count > 0 ? GRAZE_STATUS_CANCELLED : GRAZE_STATUS_OK);
    for (size_t i = 0; i < e.count && i < 8; i++)
        compare_hit(&start, &hits[i]);
    c->pairs++;
    c->hits += (int)e.count;
    c->without += !e.has_triangles;
    for (size_t i = 0; i < e.count; i++)
        c->singles += e.hits[i].triangle_a == GRAZE_NO_TRIANGLE || e.hits[i].triangle_b == GRAZE_NO_TRIANGLE;
}

static void triangles_that_collide_are_listed(void **state)
{
    (void)state;
    static const graze_shape_kind kinds[] = {GRAZE_SHAPE_MESH, GRAZE_SHAPE_HEIGHT_FIELD, GRAZE_SHAPE_COMPOUND,
                                             GRAZE_SHAPE_BOX};
    test_random random = test_random_start("triangles of shapes", 21);
    counters c = {0};
    for (int k = 0; k < 4; k++)
        for (int kind = 0; kind < GRAZE_SHAPE_KIND_COUNT; kind++)
            for (int round = 0; round < TEST_ROUNDS(ROUNDS); round++)
            {
                random_shape x, y;
                random_shape_make(&random, kinds[k], &x);
                random_shape_make(&random, (graze_shape_kind)kind, &y);
                graze_placed a = {x.shape, random_rigid_pose(&random)}, b = {y.shape, random_rigid_pose(&random)};
                check_pair(&a, &b, &c);
                check_pair(&b, &a, &c);
                random_shape_clear(&x);
                random_shape_clear(&y);
            }
    printf("%d pairs, %d hits, %d of one triangle, %d without triangles\n", c.pairs, c.hits, c.singles, c.without);
    assert_true(c.hits > c.pairs / 4 && c.singles > c.pairs / 8 && c.without > c.pairs / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triangles_that_collide_are_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
