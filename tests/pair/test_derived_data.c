/* SPDX-License-Identifier: MIT */
/*
 * Data derived from a mesh: made once, the same for all threads that request them, new after the vertices have moved,
 * absent when memory or budget run out, and counted to the byte.
 */
#include "pair/derived_data.h"

#include <stdio.h>
#include <string.h>

#include "graze/generate.h"
#include "graze/tasks.h"
#include "mesh/mesh.h"
#include "pair/solid/body.h"
#include "support/counting_allocator.h"
#include "support/failing_allocator.h"
#include "support/meshes.h"
#include "support/unit.h"

enum
{
    THREADS = 4,
    ROUNDS = 60,
    SPARE = 1024 /* bytes that trees allocate beyond what they tell: alignment, leaves not filled */
};

static graze_mesh *make_sphere(double radius, uint32_t level)
{
    graze_mesh *mesh;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, radius, level, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

static void grow(graze_mesh *mesh)
{
    static double vertices[3 * MOST_VERTICES];
    size_t count = graze_mesh_vertex_count(mesh);
    assert_true(count <= MOST_VERTICES);
    for (size_t i = 0; i < 3 * count; i++)
        vertices[i] = 1.125 * graze_mesh_vertices(mesh)[i];
    assert_int_equal(graze_mesh_move_vertices(mesh, vertices, 0, GRAZE_SCALAR_DOUBLE, NULL), GRAZE_STATUS_OK);
}

/* What each of several tasks got. */
typedef struct request
{
    grz_derived_data *derived;
    const graze_tree *trees[THREADS];
    const graze_body *bodies[THREADS];
    const grz_support_table *tables[THREADS];
    bool convex[THREADS];
    atomic_uint made, waiting;
} request;

/* Tasks wait for one another, so that they request at once: there are as many as threads. */
static void request_all(void *argument, size_t index)
{
    request *r = argument;
    atomic_fetch_sub(&r->waiting, 1);
    for (unsigned polls = 0; atomic_load(&r->waiting) > 0 && polls < 1000000; polls++)
        ;
    bool made = false;
    if (grz_derived_tree(r->derived, NULL, &r->trees[index]) == GRAZE_STATUS_OK)
        r->tables[index] = grz_derived_request_support_table(r->derived, r->trees[index], true, &made);
    atomic_fetch_add(&r->made, made);
    if (grz_derived_body(r->derived, NULL, &r->bodies[index]) == GRAZE_STATUS_OK)
        assert_int_equal(grz_body_is_convex(&r->derived->context, r->bodies[index], NULL, &r->convex[index]),
                         GRAZE_STATUS_OK);
}

static void threads_that_ask_at_once_get_the_same_data(void **state)
{
    (void)state;
    graze_pool *pool;
    assert_int_equal(graze_pool_create(NULL, THREADS, &pool), GRAZE_STATUS_OK);
    graze_tasks tasks = graze_pool_tasks(pool);
    graze_mesh *mesh = make_sphere(1, 2);
    for (int round = 0; round < ROUNDS; round++)
    {
        counting_allocator allocator = {0};
        graze_context context = counting_allocator_context(&allocator);
        grz_derived_data derived;
        grz_derived_data_init(&derived, &context, mesh);
        assert_null(grz_derived_support_table(&derived));
        assert_int_equal(grz_derived_data_memory(&derived), 0);
        request r = {.derived = &derived};
        atomic_init(&r.waiting, THREADS);
        tasks.run(tasks.user, THREADS, request_all, &r);
        for (size_t i = 0; i < THREADS; i++)
        {
            assert_non_null(r.trees[i]);
            assert_non_null(r.bodies[i]);
            assert_ptr_equal(r.trees[i], r.trees[0]);
            assert_ptr_equal(r.bodies[i], r.bodies[0]);
            assert_true(r.convex[i]);
        }
        bool made = false;
        const grz_support_table *table = grz_derived_request_support_table(&derived, r.trees[0], true, &made);
        assert_ptr_equal(table, grz_derived_support_table(&derived));
        assert_int_equal(atomic_load(&r.made), 1);
        assert_false(made);
        size_t told = grz_derived_data_memory(&derived), live = atomic_load(&allocator.bytes);
        assert_true(told <= live && live - told < SPARE);
        grz_derived_data_release(&derived);
        assert_int_equal(atomic_load(&allocator.live), 0);
    }
    graze_mesh_destroy(mesh);
    graze_pool_destroy(pool);
}

/* With every allocation failing in turn: the request fails, the next one does not. */
static void what_could_not_be_made_is_made_when_asked_again(void **state)
{
    (void)state;
    graze_mesh *mesh = make_sphere(1, 1);
    size_t failures = 0;
    bool done = false;
    for (size_t allowed = 0; !done; allowed++)
    {
        failing_allocator allocator = {.allowed = allowed, .once = true};
        graze_context context = failing_allocator_context(&allocator);
        grz_derived_data derived;
        grz_derived_data_init(&derived, &context, mesh);
        const graze_tree *tree = NULL;
        const graze_body *body = NULL;
        bool made = false;
        graze_status of_tree = grz_derived_tree(&derived, NULL, &tree);
        graze_status of_body = grz_derived_body(&derived, NULL, &body);
        assert_true((tree != NULL) == (of_tree == GRAZE_STATUS_OK) && (body != NULL) == (of_body == GRAZE_STATUS_OK));
        if (of_tree != GRAZE_STATUS_OK)
            assert_int_equal(grz_derived_tree(&derived, NULL, &tree), GRAZE_STATUS_OK);
        if (of_body != GRAZE_STATUS_OK)
            assert_int_equal(grz_derived_body(&derived, NULL, &body), GRAZE_STATUS_OK);
        const grz_support_table *table = grz_derived_request_support_table(&derived, tree, true, &made);
        assert_int_equal(made, table != NULL);
        if (table == NULL)
            assert_non_null(grz_derived_request_support_table(&derived, tree, true, &made));
        done = of_tree == GRAZE_STATUS_OK && of_body == GRAZE_STATUS_OK && table != NULL;
        failures += !done;
        assert_true(done == (allocator.requests <= allowed));
        grz_derived_data_release(&derived);
        assert_int_equal(allocator.live, 0);
    }
    printf("%zu failures\n", failures);
    assert_true(failures > 5 && failures < 200);
    graze_mesh_destroy(mesh);
}

static void a_budget_that_runs_out_leaves_nothing_half_made(void **state)
{
    (void)state;
    graze_mesh *mesh = make_sphere(1, 20);
    failing_allocator allocator = {.allowed = SIZE_MAX};
    graze_context context = failing_allocator_context(&allocator);
    grz_derived_data derived;
    grz_derived_data_init(&derived, &context, mesh);
    graze_budget budget = {.box_tests = 1};
    const graze_tree *tree = NULL;
    const graze_body *body = NULL;
    assert_int_equal(grz_derived_tree(&derived, &budget, &tree), GRAZE_STATUS_UNFINISHED);
    assert_int_equal(grz_derived_body(&derived, &budget, &body), GRAZE_STATUS_UNFINISHED);
    assert_true(tree == NULL && body == NULL && allocator.live == 0);
    assert_int_equal(grz_derived_tree(&derived, NULL, &tree), GRAZE_STATUS_OK);
    assert_int_equal(grz_derived_body(&derived, NULL, &body), GRAZE_STATUS_OK);
    const graze_tree *tree_again;
    const graze_body *body_again;
    assert_int_equal(grz_derived_tree(&derived, &budget, &tree_again), GRAZE_STATUS_OK);
    assert_int_equal(grz_derived_body(&derived, &budget, &body_again), GRAZE_STATUS_OK);
    assert_true(tree == tree_again && body == body_again);
    grz_derived_data_release(&derived);
    graze_mesh_destroy(mesh);
}

/* The first answer needs a topology; later ones need no memory at all. Bodies tell their size to the byte. */
static void convexity_is_examined_once(void **state)
{
    (void)state;
    for (int convex = 0; convex < 2; convex++)
    {
        graze_mesh *mesh;
        graze_body *body;
        if (convex)
            assert_int_equal(graze_mesh_create_box(NULL, 1, 2, 3, 1, &mesh), GRAZE_STATUS_OK);
        else
            assert_int_equal(graze_mesh_create_torus(NULL, 3, 1, 12, 12, &mesh), GRAZE_STATUS_OK);
        failing_allocator whole = {.allowed = SIZE_MAX};
        graze_context owner = failing_allocator_context(&whole);
        assert_int_equal(graze_body_create(&owner, mesh, NULL, &body), GRAZE_STATUS_OK);
        assert_int_equal(graze_body_memory_size(body), whole.bytes);
        bool answer = !convex;
        graze_status status = GRAZE_STATUS_OUT_OF_MEMORY;
        for (size_t allowed = 0; allowed < 200 && status != GRAZE_STATUS_OK; allowed++)
        {
            failing_allocator allocator = {.allowed = allowed};
            graze_context context = failing_allocator_context(&allocator);
            status = grz_body_is_convex(&context, body, NULL, &answer);
            assert_true(status == GRAZE_STATUS_OK ? allowed > 0 : status == GRAZE_STATUS_OUT_OF_MEMORY);
        }
        assert_true(status == GRAZE_STATUS_OK && answer == (convex != 0));
        failing_allocator none = {.allowed = 0};
        graze_context context = failing_allocator_context(&none);
        for (int again = 0; again < 2; again++)
        {
            answer = !convex;
            assert_int_equal(grz_body_is_convex(&context, body, NULL, &answer), GRAZE_STATUS_OK);
            assert_int_equal(answer, convex);
        }
        assert_int_equal(none.requests, 0);
        graze_body_destroy(body);
        assert_int_equal(whole.live, 0);
        graze_mesh_destroy(mesh);
    }
}

/* Boxes that are apart, or cross. The first answer needs memory, later ones none. */
static void self_contact_is_examined_once(void **state)
{
    (void)state;
    for (int cross = 0; cross < 2; cross++)
    {
        static test_mesh boxes;
        boxes.vertex_count = boxes.triangle_count = 0;
        const double start = cross ? 0.5 : 2, lower[2][3] = {{0, 0, 0}, {start, start, start}};
        const double upper[2][3] = {{1, 1, 1}, {start + 1, start + 1, start + 1}};
        mesh_add_box(&boxes, lower[0], upper[0], false);
        mesh_add_box(&boxes, lower[1], upper[1], false);
        graze_mesh *mesh = mesh_create(&boxes);
        graze_body *body;
        assert_int_equal(graze_body_create(NULL, mesh, NULL, &body), GRAZE_STATUS_OK);
        bool answer = !cross;
        failing_allocator none = {.allowed = 0};
        graze_context context = failing_allocator_context(&none);
        assert_int_equal(grz_body_meets_itself(&context, body, NULL, NULL, &answer), GRAZE_STATUS_OUT_OF_MEMORY);
        assert_int_equal(grz_body_meets_itself(NULL, body, NULL, NULL, &answer), GRAZE_STATUS_OK);
        assert_int_equal(answer, cross);
        none.requests = 0;
        for (int again = 0; again < 2; again++)
        {
            answer = !cross;
            assert_int_equal(grz_body_meets_itself(&context, body, NULL, NULL, &answer), GRAZE_STATUS_OK);
            assert_int_equal(answer, cross);
        }
        assert_int_equal(none.requests, 0);
        graze_body_destroy(body);
        graze_mesh_destroy(mesh);
    }
}

/* Requests a support table until there is one. Returns how often. */
static unsigned requests_until_there(grz_derived_data *derived, const graze_tree *tree)
{
    unsigned requests = 0;
    const grz_support_table *table = NULL;
    bool made = false;
    grz_support_table expected;
    while (table == NULL)
    {
        assert_null(grz_derived_request_support_table(derived, tree, false, &made)); /* without time */
        assert_false(made);
        table = grz_derived_request_support_table(derived, tree, true, &made);
        requests++;
        assert_int_equal(made, table != NULL);
    }
    made = false;
    assert_ptr_equal(grz_derived_request_support_table(derived, tree, requests % 2 == 0, &made), table);
    assert_false(made);
    memset(&expected, 0, sizeof expected);
    assert_true(grz_support_table_make(tree, &expected));
    assert_true(grz_identity_equal(table->identity, expected.identity) && table->radius == expected.radius);
    assert_memory_equal(table->table, expected.table, sizeof expected.table);
    return requests;
}

static void tables_of_meshes_that_keep_changing_are_made_less_often(void **state)
{
    (void)state;
    graze_mesh *mesh = make_sphere(2, 1);
    graze_tree *tree;
    assert_int_equal(graze_tree_create(NULL, mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
    grz_derived_data versions[2];
    grz_derived_data_init(&versions[0], NULL, mesh);
    assert_int_equal(requests_until_there(&versions[0], tree), 1);
    for (unsigned change = 0; change < 11; change++)
    {
        grz_derived_data *earlier = &versions[change % 2], *now = &versions[1 - change % 2];
        assert_true(grz_derived_data_is_current(earlier));
        grow(mesh);
        assert_int_equal(graze_tree_refit(NULL, tree, mesh), GRAZE_STATUS_OK);
        assert_false(grz_derived_data_is_current(earlier));
        grz_derived_data_init(now, NULL, mesh);
        grz_derived_data_succeed(now, earlier);
        grz_derived_data_release(earlier);
        assert_int_equal(requests_until_there(now, tree), change < 8 ? 1u << change : 256);
    }
    /* No table is built of data that the mesh has outgrown. */
    grz_derived_data stale;
    bool made = false;
    grz_derived_data_init(&stale, NULL, mesh);
    grow(mesh);
    assert_int_equal(graze_tree_refit(NULL, tree, mesh), GRAZE_STATUS_OK);
    assert_null(grz_derived_request_support_table(&stale, tree, true, &made));
    assert_false(made);
    grz_derived_data_release(&stale);
    grz_derived_data_release(&versions[1]);
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads_that_ask_at_once_get_the_same_data),
                                       cmocka_unit_test(what_could_not_be_made_is_made_when_asked_again),
                                       cmocka_unit_test(a_budget_that_runs_out_leaves_nothing_half_made),
                                       cmocka_unit_test(convexity_is_examined_once),
                                       cmocka_unit_test(self_contact_is_examined_once),
                                       cmocka_unit_test(tables_of_meshes_that_keep_changing_are_made_less_often)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
