/* SPDX-License-Identifier: MIT */
/*
 * Solids that contain components of others: closed meshes of all kinds, and meshes of several components at known
 * positions inside or outside of them, among these single triangles, and degenerate ones that are segments. No surfaces
 * touch.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graze/generate.h"
#include "graze/scene.h"
#include "scene/containment.h"
#include "scene/support_cache.h"
#include "support/failing_allocator.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/unit.h"

enum
{
    SIDE = 9,
    MOST_PARTS = 5
};

typedef enum body
{
    CUBE,
    HOLLOW,      /* with a cavity from 3 to 6 */
    TWICE,       /* with another one from 3 to 6 inside, of the same orientation: inside, by winding numbers */
    DISORIENTED, /* the same, but with some triangles inverted: then odd crossing numbers are inside */
    OPEN,
    BODIES
} body;

static void make_body(body kind, test_mesh *out)
{
    out->vertex_count = out->triangle_count = 0;
    mesh_add_cube(out, 0, 0, 0, SIDE);
    if (kind == HOLLOW)
        mesh_add_box(out, (double[3]){3, 3, 3}, (double[3]){6, 6, 6}, true);
    else if (kind != CUBE && kind != OPEN)
        mesh_add_cube(out, 3, 3, 3, 3);
    if (kind == DISORIENTED)
        mesh_disorient(out);
    if (kind == OPEN)
        out->triangle_count--;
}

static bool is_in_cube(const double p[3], double lower, double upper)
{
    bool in = true;
    for (int axis = 0; axis < 3; axis++)
        in = in && p[axis] > lower && p[axis] < upper;
    return in;
}

static bool is_inside(body kind, const double p[3])
{
    bool in = is_in_cube(p, 0, SIDE), in_core = is_in_cube(p, 3, 6);
    return kind != OPEN && in && (kind == CUBE || kind == TWICE || !in_core);
}

/* Components are small and lie between integers, so that they touch no surface. Returns whether the solid contains one.
 */
static bool make_parts(test_random *random, body kind, int count, test_mesh *out)
{
    bool held = false;
    out->vertex_count = out->triangle_count = 0;
    for (int part = 0; part < count; part++)
    {
        double p[3];
        for (int axis = 0; axis < 3; axis++)
            p[axis] = random_between(random, random_once_in(random, 3) ? -3 : 1, SIDE - 2) + 0.25;
        held = held || is_inside(kind, p);
        int what = random_below(random, 4);
        if (what == 0)
        {
            mesh_add_cube(out, p[0], p[1], p[2], 0.5);
            continue;
        }
        uint32_t first = mesh_add_vertex(out, p[0], p[1], p[2]);
        mesh_add_vertex(out, p[0], p[1] + 0.5, p[2]);
        if (what == 1)
            mesh_add_triangle(out, first, first + 1, first);
        else
            mesh_add_triangle(out, first, first + 1, mesh_add_vertex(out, p[0] + 0.5, p[1], p[2]));
    }
    return held;
}

static graze_placed_mesh placed(const graze_mesh *mesh, const graze_tree *tree, double shift)
{
    return (graze_placed_mesh){mesh, tree, graze_pose_translation(shift, -shift, 0)};
}

static void bodies_hold_what_has_a_part_in_them(void **state)
{
    (void)state;
    test_random random = test_random_start("bodies_hold_what_has_a_part_in_them", 111);
    static test_mesh outer_shape, inner_shape;
    unsigned long held = 0, free_of = 0;
    for (int round = 0; round < 2000; round++)
    {
        failing_allocator allocator = {.allowed = SIZE_MAX}; /* fills blocks with garbage */
        graze_context context = failing_allocator_context(&allocator);
        body kind = (body)(round % BODIES);
        make_body(kind, &outer_shape);
        bool expected = make_parts(&random, kind, random_between(&random, 1, MOST_PARTS), &inner_shape),
             holds = !expected;
        graze_mesh *outer = mesh_create(&outer_shape), *inner = mesh_create(&inner_shape);
        graze_tree *tree = NULL;
        double shift = random_between(&random, -2, 2);
        graze_box box = {{shift, -shift, 0}, {SIDE + shift, SIDE - shift, SIDE}};
        if (random_once_in(&random, 2))
            assert_int_equal(graze_tree_create(NULL, outer, NULL, NULL, &tree), GRAZE_STATUS_OK);
        graze_placed_mesh a = placed(outer, tree, shift), b = placed(inner, NULL, shift);
        grz_solid_cache solids = {.bodies = {0}};
        assert_int_equal(grz_solid_cache_add(&context, &solids, outer), GRAZE_STATUS_OK);
        assert_int_equal(grz_solid_cache_add(&context, &solids, inner), GRAZE_STATUS_OK);
        assert_int_equal(grz_solid_cache_add(&context, &solids, outer), GRAZE_STATUS_OK);
        assert_int_equal(solids.bodies.count, 2);
        assert_int_equal(grz_solid_contains(&context, &solids, &a, &box, &b, &holds), GRAZE_STATUS_OK);
        assert_int_equal(holds, expected);
        held += holds;
        free_of += !holds;
        /* Everything moves far away: bodies are made anew. */
        for (size_t i = 0; i < inner_shape.vertex_count; i++)
            inner_shape.vertices[i][2] += 100;
        assert_int_equal(graze_mesh_move_vertices(inner, inner_shape.vertices, 0, GRAZE_SCALAR_DOUBLE, NULL),
                         GRAZE_STATUS_OK);
        assert_int_equal(grz_solid_cache_add(&context, &solids, inner), GRAZE_STATUS_OK);
        assert_int_equal(grz_solid_contains(&context, &solids, &a, &box, &b, &holds), GRAZE_STATUS_OK);
        assert_false(holds);
        grz_solid_cache_release(&context, &solids);
        assert_int_equal(allocator.live, 0);
        graze_tree_destroy(tree);
        graze_mesh_destroy(outer);
        graze_mesh_destroy(inner);
    }
    printf("%lu held something, %lu did not\n", held, free_of);
    assert_true(held > 500 && free_of > 500);
}

/* With every allocation failing in turn: then nothing is cached, and nothing has leaked. */
static void what_cannot_be_found_out_is_not_known(void **state)
{
    (void)state;
    static test_mesh outer_shape, inner_shape;
    test_random random = test_random_start("what_cannot_be_found_out_is_not_known", 112);
    make_body(HOLLOW, &outer_shape);
    while (!make_parts(&random, HOLLOW, MOST_PARTS, &inner_shape))
        ;
    graze_mesh *outer = mesh_create(&outer_shape), *inner = mesh_create(&inner_shape);
    graze_box box = {{0, 0, 0}, {SIDE, SIDE, SIDE}};
    graze_placed_mesh a = placed(outer, NULL, 0), b = placed(inner, NULL, 0);
    bool done = false;
    for (size_t round = 0; !done; round++)
    {
        size_t allowed = round / 2;
        failing_allocator allocator = {.allowed = allowed, .once = round % 2 == 0};
        graze_context context = failing_allocator_context(&allocator);
        grz_solid_cache solids = {.bodies = {0}};
        bool holds = false;
        graze_status status = grz_solid_cache_add(&context, &solids, outer);
        assert_int_equal(solids.bodies.count, status == GRAZE_STATUS_OK);
        if (status == GRAZE_STATUS_OK)
            status = grz_solid_cache_add(&context, &solids, inner);
        if (status == GRAZE_STATUS_OK)
            status = grz_solid_contains(&context, &solids, &a, &box, &b, &holds);
        done = status == GRAZE_STATUS_OK;
        assert_int_equal(holds, done);
        assert_true(status == (allocator.requests > allowed ? GRAZE_STATUS_OUT_OF_MEMORY : GRAZE_STATUS_OK));
        grz_solid_cache_release(&context, &solids);
        assert_int_equal(allocator.live, 0);
        assert_true(allowed < 200);
    }
    graze_mesh_destroy(outer);
    graze_mesh_destroy(inner);
}

enum
{
    SHELLS = 6
};

/* Nested shells, the largest first or last; none touches, and every pair collides as solids. The first `mercy`
   allocations of the first update succeed. Returns whether that was enough. */
static bool nest(graze_mesh **shells, size_t mercy, bool once, bool upward, size_t *failures)
{
    failing_allocator allocator = {.allowed = SIZE_MAX};
    graze_context context = failing_allocator_context(&allocator);
    graze_object_def def = graze_object_def_default();
    graze_object name;
    graze_scene *scene;
    graze_frame frame;
    assert_int_equal(graze_scene_create(&context, NULL, &scene), GRAZE_STATUS_OK);
    def.flags = GRAZE_OBJECT_SOLID;
    for (int i = 0; i < SHELLS; i++)
    {
        def.mesh = shells[upward ? i : SHELLS - 1 - i];
        assert_int_equal(graze_scene_add(scene, &def, &name), GRAZE_STATUS_OK);
    }
    size_t allowed = allocator.requests + mercy;
    allocator.allowed = allowed;
    allocator.once = once;
    graze_status status = graze_scene_update(scene, NULL, &frame);
    bool enough = allocator.requests <= allowed;
    assert_true(status == GRAZE_STATUS_OK || (status == GRAZE_STATUS_OUT_OF_MEMORY && !enough));
    *failures += status != GRAZE_STATUS_OK;
    allocator.allowed = SIZE_MAX;
    for (int again = 0; again < 2; again++)
    {
        if (again > 0 || status != GRAZE_STATUS_OK)
            assert_int_equal(graze_scene_update(scene, NULL, &frame), GRAZE_STATUS_OK);
        assert_int_equal(frame.colliding, SHELLS * (SHELLS - 1) / 2);
        assert_int_equal(frame.event_count, SHELLS * (SHELLS - 1) / 2);
    }
    graze_scene_destroy(scene);
    assert_int_equal(allocator.live, 0);
    return enough;
}

/* Also so far away that trees cannot be used for containment, and triangles need boxes. */
static void scenes_of_bodies_recover_when_memory_runs_out(void **state)
{
    (void)state;
    graze_mesh *shells[SHELLS];
    for (int far = 0; far < 2; far++)
    {
        size_t failures = 0;
        for (int i = 0; i < SHELLS; i++)
            assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, ldexp(1 + i, 200 * far), 1, &shells[i]),
                             GRAZE_STATUS_OK);
        for (int way = 0; way < 4; way++)
        {
            size_t mercy = 0;
            while (!nest(shells, mercy, way % 2 != 0, way < 2, &failures))
                mercy++;
            assert_true(mercy > 20 && mercy < 500);
        }
        printf("%zu updates failed\n", failures);
        assert_true(failures > 100);
        for (int i = 0; i < SHELLS; i++)
            graze_mesh_destroy(shells[i]);
    }
}

static void grow(graze_mesh *mesh, graze_tree *tree)
{
    double vertices[3 * MOST_VERTICES];
    size_t count = graze_mesh_vertex_count(mesh);
    assert_true(count <= MOST_VERTICES);
    for (size_t i = 0; i < 3 * count; i++)
        vertices[i] = 1.125 * graze_mesh_vertices(mesh)[i];
    assert_int_equal(graze_mesh_move_vertices(mesh, vertices, 0, GRAZE_SCALAR_DOUBLE, NULL), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_refit(NULL, tree, mesh), GRAZE_STATUS_OK);
}

/* Requests a support table until there is one. Returns how often. */
static unsigned asks_until_there(const graze_context *context, grz_support_cache *support_cache, const graze_tree *tree)
{
    unsigned asks = 0;
    const grz_support_table *reach = NULL;
    bool made = false;
    grz_support_table expected;
    while (reach == NULL)
    {
        assert_null(grz_support_cache_get(context, support_cache, tree, false, &made)); /* without time */
        assert_false(made);
        reach = grz_support_cache_get(context, support_cache, tree, true, &made);
        asks++;
        assert_int_equal(made, reach != NULL);
    }
    made = false;
    assert_ptr_equal(grz_support_cache_get(context, support_cache, tree, asks % 2 == 0, &made), reach);
    assert_false(made);
    memset(&expected, 0, sizeof expected);
    assert_true(grz_support_table_make(tree, &expected));
    assert_true(grz_identity_equal(reach->identity, expected.identity) && reach->radius == expected.radius);
    assert_memory_equal(reach->table, expected.table, sizeof expected.table);
    return asks;
}

static void tables_of_meshes_that_keep_changing_are_made_less_often(void **state)
{
    (void)state;
    failing_allocator allocator = {.allowed = SIZE_MAX};
    graze_context context = failing_allocator_context(&allocator);
    graze_mesh *meshes[3];
    graze_tree *trees[3];
    grz_support_cache support_cache = {.tables = {0}};
    for (int i = 0; i < 3; i++)
    {
        assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1 + i, 1, &meshes[i]), GRAZE_STATUS_OK);
        assert_int_equal(graze_tree_create(NULL, meshes[i], NULL, NULL, &trees[i]), GRAZE_STATUS_OK);
        assert_int_equal(asks_until_there(&context, &support_cache, trees[i]), 1);
        assert_int_equal(grz_support_cache_memory(&support_cache), allocator.bytes);
    }
    for (unsigned change = 0; change < 11; change++)
    {
        grow(meshes[1], trees[1]);
        assert_int_equal(asks_until_there(&context, &support_cache, trees[1]), change < 8 ? 1u << change : 256);
    }
    bool made = false;
    for (int i = 0; i < 3; i++)
        assert_non_null(grz_support_cache_get(&context, &support_cache, trees[i], false, &made));
    assert_false(made);
    grz_support_cache_release(&context, &support_cache);
    assert_int_equal(allocator.live, 0);
    assert_int_equal(support_cache.tables.count + support_cache.tables.capacity, 0);
    /* When out of memory there is none, and existing ones stay. */
    bool all = false;
    for (size_t allowed = 0; !all; allowed++)
    {
        allocator = (failing_allocator){.allowed = allowed};
        all = true;
        for (int i = 0; i < 3; i++)
        {
            made = false;
            const grz_support_table *reach = grz_support_cache_get(&context, &support_cache, trees[i], true, &made);
            all = all && reach != NULL;
            assert_int_equal(made, reach != NULL);
            assert_true(grz_support_cache_get(&context, &support_cache, trees[i], false, &made) == reach);
        }
        grz_support_cache_release(&context, &support_cache);
        assert_int_equal(allocator.live, 0);
        assert_true(allowed < 50);
    }
    for (int i = 0; i < 3; i++)
    {
        graze_tree_destroy(trees[i]);
        graze_mesh_destroy(meshes[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bodies_hold_what_has_a_part_in_them),
                                       cmocka_unit_test(what_cannot_be_found_out_is_not_known),
                                       cmocka_unit_test(scenes_of_bodies_recover_when_memory_runs_out),
                                       cmocka_unit_test(tables_of_meshes_that_keep_changing_are_made_less_often)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
