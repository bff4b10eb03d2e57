/* SPDX-License-Identifier: MIT */
/*
 * Scene queries and the data derived from meshes: bodies of solids are made once, by the first query or update that
 * needs them, for any number of threads; and a mesh that has changed is not taken for what it was.
 */
#include <stdatomic.h>
#include <stdint.h>

#include "graze/graze.h"
#include "support/failing_allocator.h"
#include "support/unit.h"

enum
{
    SOLIDS = 3, /* nested */
    THREADS = 4,
    ROUNDS = 8,
    SMALL_BLOCK = 65536 /* bytes: no array of a body is that small */
};

typedef struct world
{
    graze_mesh *spheres[SOLIDS], *speck;
    graze_tree *speck_tree;
    graze_scene *scene;
    graze_object names[SOLIDS];
} world;

static void start(world *w, const graze_context *context)
{
    assert_int_equal(graze_scene_create(context, NULL, &w->scene), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 0.01, 1, &w->speck), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, w->speck, NULL, NULL, &w->speck_tree), GRAZE_STATUS_OK);
    for (int i = 0; i < SOLIDS; i++)
    {
        graze_object_def def = graze_object_def_default();
        assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1 + i, 50, &w->spheres[i]), GRAZE_STATUS_OK);
        def.mesh = w->spheres[i];
        def.flags = GRAZE_OBJECT_SOLID;
        def.layer = 1; /* updates do not test them against each other */
        assert_int_equal(graze_scene_add(w->scene, &def, &w->names[i]), GRAZE_STATUS_OK);
    }
    assert_int_equal(graze_interest_set_layers(w->scene, 1, 1, GRAZE_INTEREST_NONE), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_update(w->scene, NULL, NULL), GRAZE_STATUS_OK);
}

static void end(world *w)
{
    graze_scene_destroy(w->scene);
    for (int i = 0; i < SOLIDS; i++)
        graze_mesh_destroy(w->spheres[i]);
    graze_tree_destroy(w->speck_tree);
    graze_mesh_destroy(w->speck);
}

enum
{
    BY_POINT,
    BY_BOX,
    BY_MESH,
    BY_OBJECT,
    QUERIES
};

/* How many solids contain a point, box or mesh at x, or contain or are contained in the smallest sphere. */
static graze_status count_solids(const world *w, int query, double x, size_t *out_count)
{
    const double point[3] = {x, 0, 0};
    graze_box box = {{x - 0.01, -0.01, -0.01}, {x + 0.01, 0.01, 0.01}};
    graze_placed_mesh placed = {w->speck, w->speck_tree, graze_pose_translation(x, 0, 0)};
    switch (query)
    {
    case BY_POINT:
        return graze_scene_collide_point(w->scene, point, NULL, NULL, NULL, 0, out_count);
    case BY_BOX:
        return graze_scene_collide_box(w->scene, &box, NULL, NULL, NULL, 0, out_count);
    case BY_MESH:
        return graze_scene_collide_mesh(w->scene, &placed, NULL, NULL, NULL, 0, out_count);
    default:
        return graze_scene_collide_object(w->scene, w->names[0], NULL, NULL, NULL, 0, out_count);
    }
}

static size_t expected_count(int query, double x)
{
    return query == BY_OBJECT ? SOLIDS - 1 : x < 1 ? 3 : x < 2 ? 2 : x < 3 ? 1 : 0;
}

/* After the first query no block as large as the arrays of a body is allocated. */
static void bodies_are_made_by_the_first_query_alone(void **state)
{
    (void)state;
    for (int query = 0; query < QUERIES; query++)
    {
        failing_allocator allocator = {.allowed = SIZE_MAX};
        graze_context context = failing_allocator_context(&allocator);
        world w;
        size_t count = 0;
        start(&w, &context);
        size_t before = graze_scene_memory_size(w.scene), live = allocator.live;
        allocator.largest = SMALL_BLOCK;
        assert_int_equal(count_solids(&w, query, 0.5, &count), GRAZE_STATUS_OUT_OF_MEMORY);
        assert_true(graze_scene_memory_size(w.scene) == before && allocator.live == live);
        allocator.largest = 0;
        assert_int_equal(count_solids(&w, query, 0.5, &count), GRAZE_STATUS_OK);
        assert_int_equal(count, expected_count(query, 0.5));
        size_t after = graze_scene_memory_size(w.scene);
        assert_true(after > before + SOLIDS * SMALL_BLOCK);
        allocator.largest = SMALL_BLOCK;
        for (int other = 0; other < QUERIES; other++)
            for (double x = 0.25; x < 4; x += 0.5)
            {
                assert_int_equal(count_solids(&w, other, x, &count), GRAZE_STATUS_OK);
                assert_int_equal(count, expected_count(other, x));
            }
        assert_int_equal(graze_scene_memory_size(w.scene), after);
        allocator.largest = 0;
        end(&w);
        assert_int_equal(allocator.live, 0);
    }
}

typedef struct asking
{
    const world *w;
    atomic_size_t wrong, asked;
} asking;

static void ask(void *argument, size_t index)
{
    asking *a = argument;
    for (int i = 0; i < 2 * QUERIES; i++)
    {
        int query = (i + (int)index) % QUERIES;
        double x = 0.25 + 0.5 * ((i + 3 * (int)index) % 8);
        size_t count = SIZE_MAX;
        bool right = count_solids(a->w, query, x, &count) == GRAZE_STATUS_OK && count == expected_count(query, x);
        atomic_fetch_add(&a->wrong, !right);
        atomic_fetch_add(&a->asked, 1);
        if (graze_scene_memory_size(a->w->scene) == 0)
            atomic_fetch_add(&a->wrong, 1);
    }
}

static void queries_of_many_threads_share_the_bodies(void **state)
{
    (void)state;
    graze_pool *pool;
    assert_int_equal(graze_pool_create(NULL, THREADS, &pool), GRAZE_STATUS_OK);
    graze_tasks tasks = graze_pool_tasks(pool);
    for (int round = 0; round < ROUNDS; round++)
    {
        world w;
        start(&w, NULL);
        asking a = {.w = &w};
        tasks.run(tasks.user, THREADS, ask, &a);
        assert_int_equal(atomic_load(&a.wrong), 0);
        assert_int_equal(atomic_load(&a.asked), THREADS * 2 * QUERIES);
        end(&w);
    }
    graze_pool_destroy(pool);
}

/* A closed tetrahedron is opened, and closed again, by moving a vertex that two triangles have each of their own. */
static void a_mesh_that_has_changed_is_another_solid(void **state)
{
    (void)state;
    double vertices[5][3] = {{-4, -4, -4}, {8, 0, 0}, {0, 8, 0}, {0, 0, 8}, {0, 0, 8}};
    const uint32_t corners[12] = {0, 2, 1, 0, 1, 3, 0, 4, 2, 1, 2, 3};
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 5;
    def.corners = corners;
    def.corner_count = 12;
    graze_mesh *mesh;
    graze_scene *scene;
    graze_object name;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
    graze_object_def object = graze_object_def_default();
    object.mesh = mesh;
    object.flags = GRAZE_OBJECT_SOLID;
    assert_int_equal(graze_scene_add(scene, &object, &name), GRAZE_STATUS_OK);
    for (int change = 0; change < 6; change++)
    {
        size_t count = 0;
        const double point[3] = {0.5, 0.5, 0.5};
        assert_int_equal(graze_scene_update(scene, NULL, NULL), GRAZE_STATUS_OK);
        assert_int_equal(graze_scene_collide_point(scene, point, NULL, NULL, NULL, 0, &count), GRAZE_STATUS_OK);
        assert_int_equal(count, change % 2 == 0);
        vertices[4][0] = change % 2 == 0 ? 0x1p-40 : 0;
        assert_int_equal(graze_mesh_move_vertices(mesh, vertices, 0, GRAZE_SCALAR_DOUBLE, NULL), GRAZE_STATUS_OK);
        /* Before the scene is told, too. */
        assert_int_equal(graze_scene_collide_point(scene, point, NULL, NULL, NULL, 0, &count), GRAZE_STATUS_OK);
        assert_int_equal(count, change % 2 != 0);
        assert_int_equal(graze_scene_set_mesh(scene, name, mesh, NULL), GRAZE_STATUS_OK);
    }
    graze_scene_destroy(scene);
    graze_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bodies_are_made_by_the_first_query_alone),
                                       cmocka_unit_test(queries_of_many_threads_share_the_bodies),
                                       cmocka_unit_test(a_mesh_that_has_changed_is_another_solid)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
