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
#include "graze/tasks.h"
#include "scene/containment.h"
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
        grz_derived_data derived[2];
        grz_derived_data_init(&derived[0], &context, outer);
        grz_derived_data_init(&derived[1], &context, inner);
        grz_placed_data data_a = {&a, &derived[0], &box}, data_b = {&b, &derived[1], NULL};
        for (int again = 0; again < 2; again++)
        {
            assert_int_equal(grz_solid_contains(&context, &data_a, &data_b, &holds), GRAZE_STATUS_OK);
            assert_int_equal(holds, expected);
        }
        held += holds;
        free_of += !holds;
        /* Everything moves far away: the body made before is not used. */
        for (size_t i = 0; i < inner_shape.vertex_count; i++)
            inner_shape.vertices[i][2] += 100;
        assert_int_equal(graze_mesh_move_vertices(inner, inner_shape.vertices, 0, GRAZE_SCALAR_DOUBLE, NULL),
                         GRAZE_STATUS_OK);
        assert_int_equal(grz_solid_contains(&context, &data_a, &data_b, &holds), GRAZE_STATUS_OK);
        assert_false(holds);
        grz_derived_data_release(&derived[0]);
        grz_derived_data_release(&derived[1]);
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
        size_t allowed = round / 4;
        failing_allocator allocator = {.allowed = allowed, .once = round % 2 == 0};
        graze_context context = failing_allocator_context(&allocator);
        grz_derived_data derived[2];
        grz_derived_data_init(&derived[0], &context, outer);
        grz_derived_data_init(&derived[1], &context, inner);
        if (round % 4 >= 2) /* both have changed, as far as the data know: bodies are made for the call */
            derived[0].identity.words[0] = derived[1].identity.words[0] = 0;
        grz_placed_data data_a = {&a, &derived[0], &box}, data_b = {&b, &derived[1], NULL};
        bool holds = false;
        graze_status status = grz_solid_contains(&context, &data_a, &data_b, &holds);
        assert_int_equal(holds, status == GRAZE_STATUS_OK);
        done = round % 4 == 3 && status == GRAZE_STATUS_OK;
        assert_true(status == (allocator.requests > allowed ? GRAZE_STATUS_OUT_OF_MEMORY : GRAZE_STATUS_OK));
        grz_derived_data_release(&derived[0]);
        grz_derived_data_release(&derived[1]);
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

enum
{
    SPECKS = 60,
    SPECK_MESHES = 5,
    NEST_FRAMES = 12
};

/* Many small solids in a large one, whose mesh is another in every frame: threads that test ahead, and those that test
   the rest, come to meshes without a body at once. */
static void bodies_are_made_by_whichever_thread_needs_them_first(void **state)
{
    (void)state;
    graze_pool *pool;
    graze_context context = graze_context_default();
    assert_int_equal(graze_pool_create(NULL, 4, &pool), GRAZE_STATUS_OK);
    context.tasks = graze_pool_tasks(pool);
    graze_mesh *larges[NEST_FRAMES], *specks[SPECK_MESHES];
    graze_object names[SPECKS + 1];
    graze_scene *scene;
    assert_int_equal(graze_scene_create(&context, NULL, &scene), GRAZE_STATUS_OK);
    for (int i = 0; i < NEST_FRAMES; i++)
        assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 30 + i, 6, &larges[i]), GRAZE_STATUS_OK);
    for (int i = 0; i < SPECK_MESHES; i++)
        assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 0.1 + 0.01 * i, 3, &specks[i]), GRAZE_STATUS_OK);
    for (int i = 0; i <= SPECKS; i++)
    {
        graze_object_def def = graze_object_def_default();
        def.mesh = i == 0 ? larges[0] : specks[i % SPECK_MESHES];
        def.flags = GRAZE_OBJECT_SOLID;
        assert_int_equal(graze_scene_add(scene, &def, &names[i]), GRAZE_STATUS_OK);
    }
    for (int frame = 0; frame < NEST_FRAMES; frame++)
    {
        graze_frame report;
        assert_int_equal(graze_scene_set_mesh(scene, names[0], larges[frame], NULL), GRAZE_STATUS_OK);
        for (int i = 1; i <= SPECKS; i++)
        {
            /* A row of specks, half a unit apart; every seventh is outside of the large one. */
            graze_pose pose = graze_pose_translation(0.5 * i - 15, 0.01 * frame, i % 7 == 0 ? 99 : 0);
            assert_int_equal(graze_scene_move(scene, names[i], &pose), GRAZE_STATUS_OK);
        }
        assert_int_equal(graze_scene_update(scene, NULL, &report), GRAZE_STATUS_OK);
        assert_int_equal(report.colliding, SPECKS - SPECKS / 7);
    }
    graze_scene_destroy(scene);
    for (int i = 0; i < NEST_FRAMES; i++)
        graze_mesh_destroy(larges[i]);
    for (int i = 0; i < SPECK_MESHES; i++)
        graze_mesh_destroy(specks[i]);
    graze_pool_destroy(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bodies_hold_what_has_a_part_in_them),
                                       cmocka_unit_test(what_cannot_be_found_out_is_not_known),
                                       cmocka_unit_test(bodies_are_made_by_whichever_thread_needs_them_first),
                                       cmocka_unit_test(scenes_of_bodies_recover_when_memory_runs_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
