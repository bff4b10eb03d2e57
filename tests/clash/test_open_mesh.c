/* SPDX-License-Identifier: MIT */
/* Open parts: where their unknown inside matters and where it certainly does not; their open edges. */
#include "clash/open_mesh.h"

#include <stdio.h>

#include "base/random.h"
#include "support/unit.h"

#include "open_parts.h"

static bool matters(const grz_clash_part *a, const grz_clash_part *b)
{
    bool one = false, other = false;
    assert_int_equal(grz_clash_inside_matters(NULL, a, b, &one), GRAZE_STATUS_OK);
    assert_int_equal(grz_clash_inside_matters(NULL, b, a, &other), GRAZE_STATUS_OK);
    assert_int_equal(one, other);
    return one;
}

static void the_inside_of_closed_parts_and_surfaces_is_not_in_doubt(void **state)
{
    (void)state;
    grz_clash_part outer = ready_part(box_between(0, 0, 0, 10, 10, 10)),
                   inner = ready_part(box_between(4, 4, 4, 5, 5, 5));
    assert_false(matters(&outer, &inner));
    release_part(&outer);
    outer = ready_part(box_without_lower_x(0, 0, 0, 10, 10, 10));
    assert_true(matters(&outer, &inner));
    outer.is_surface = true;
    assert_false(matters(&outer, &inner));
    release_part(&outer);
    release_part(&inner);
}

static void parts_beside_an_open_part_are_clear(void **state)
{
    (void)state;
    grz_clash_part open = ready_part(box_without_lower_x(0, 0, 0, 10, 10, 10));
    const double starts[4] = {-2, -1.001, 10.001, 30};
    for (int i = 0; i < 4; i++)
    {
        grz_clash_part beside = ready_part(box_between(starts[i], 2, 2, starts[i] + 1, 3, 3));
        assert_false(matters(&open, &beside));
        release_part(&beside);
    }
    release_part(&open);
}

/* A large closed frame around an open part, made of two boxes: their hull holds the open part, but no triangle of them
 * reaches its AABB. */
static void a_small_open_part_among_closed_ones_is_clear(void **state)
{
    (void)state;
    grz_clash_part open = ready_part(box_without_lower_x(4, 4, 4, 5, 5, 5));
    double vertices[48];
    uint32_t corners[72];
    graze_mesh *sides[2] = {box_between(0, 0, 0, 1, 10, 10), box_between(9, 0, 0, 10, 10, 10)};
    for (int i = 0; i < 2; i++)
    {
        memcpy(vertices + 24 * i, graze_mesh_vertices(sides[i]), 24 * sizeof *vertices);
        for (uint32_t k = 0; k < 36; k++)
            corners[36 * i + (int)k] = graze_mesh_triangles(sides[i])[k] + 8 * (uint32_t)i;
        graze_mesh_destroy(sides[i]);
    }
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 16;
    def.corners = corners;
    def.corner_count = 72;
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    grz_clash_part frame = ready_part(mesh);
    assert_true(frame.closed);
    assert_false(matters(&frame, &open));
    frame.closed = false; /* were it open, its inside might be between the boxes */
    assert_true(matters(&frame, &open));
    release_part(&frame);
    release_part(&open);
}

/* Random boxes, one without a face, surfaces disjoint: where the closed box lies in the open one it must matter. */
static void what_may_lie_inside_is_never_clear(void **state)
{
    (void)state;
    unsigned long long seed = 77;
    printf("seed %llu\n", seed);
    grz_random random = grz_random_make(seed);
    int held = 0, clear = 0;
    for (int round = 0; round < 400; round++)
    {
        double at[3];
        bool inside = true;
        for (int axis = 0; axis < 3; axis++)
        {
            at[axis] = (double)grz_random_below(&random, 13) - 1.5;
            inside = inside && at[axis] > 0 && at[axis] < 10;
        }
        graze_mesh *box = box_between(0, 0, 0, 10, 10, 10);
        grz_clash_part open = ready_part(without_triangles(box, (size_t)grz_random_below(&random, 12), 1));
        grz_clash_part small = ready_part(box_between(at[0], at[1], at[2], at[0] + 0.4, at[1] + 0.4, at[2] + 0.4));
        graze_mesh_destroy(box);
        assert_false(open.closed);
        assert_int_equal(matters(&open, &small), inside);
        held += inside;
        clear += !inside;
        release_part(&small);
        release_part(&open);
    }
    assert_true(held > 50 && clear > 50);
}

static void open_edges_are_listed_nearest_first(void **state)
{
    (void)state;
    grz_clash_part open = ready_part(box_without_lower_x(0, 0, 0, 10, 20, 30));
    grz_clash_edge edges[8];
    const double at[3] = {0, 20, 15};
    size_t all = 0, count = grz_clash_open_edges(&open, at, edges, 8, &all);
    assert_int_equal(count, 4);
    assert_int_equal(all, 4);
    for (size_t i = 0; i < count; i++)
        for (int end = 0; end < 2; end++)
            assert_true(edges[i].ends[end][0] == 0);
    assert_true(edges[0].ends[0][1] == 20 && edges[0].ends[1][1] == 20); /* along z at y = 20 */
    assert_true(edges[3].ends[0][1] == 0 && edges[3].ends[1][1] == 0);
    assert_int_equal(grz_clash_open_edges(&open, at, edges, 2, &all), 2);
    assert_int_equal(all, 4);
    assert_true(edges[0].ends[0][1] == 20 && edges[0].ends[1][1] == 20);
    assert_int_equal(grz_clash_open_edges(&open, at, NULL, 0, &all), 0);
    open.placed.pose.m[3] = 100;
    assert_int_equal(grz_clash_open_edges(&open, at, edges, 8, &all), 4);
    assert_true(edges[0].ends[0][0] == 100);
    release_part(&open);
    grz_clash_part closed = ready_part(box_between(0, 0, 0, 1, 1, 1));
    assert_int_equal(grz_clash_open_edges(&closed, at, edges, 8, &all), 0);
    assert_int_equal(all, 0);
    release_part(&closed);
}

/* Three triangles at one edge: it is listed once, and with it the edges of one triangle. */
static void an_edge_of_three_triangles_is_listed_once(void **state)
{
    (void)state;
    static const double vertices[15] = {0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, -1, -1, 0};
    static const uint32_t corners[12] = {0, 1, 2, 0, 1, 3, 0, 1, 4, 2, 2, 3};
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 5;
    def.corners = corners;
    def.corner_count = 12;
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    grz_clash_part part = ready_part(mesh);
    grz_clash_edge edges[16];
    size_t all = 0;
    assert_int_equal(grz_clash_open_edges(&part, vertices, edges, 16, &all), 7);
    assert_int_equal(all, 9);
    release_part(&part);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_inside_of_closed_parts_and_surfaces_is_not_in_doubt),
        cmocka_unit_test(parts_beside_an_open_part_are_clear),
        cmocka_unit_test(a_small_open_part_among_closed_ones_is_clear),
        cmocka_unit_test(what_may_lie_inside_is_never_clear),
        cmocka_unit_test(open_edges_are_listed_nearest_first),
        cmocka_unit_test(an_edge_of_three_triangles_is_listed_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
