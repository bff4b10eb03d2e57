/* SPDX-License-Identifier: MIT */
/*
 * Boxes, spheres, capsules, cylinders and ellipsoids at a surface, quickly, against the slow twin: the exact queries.
 * Flights of many frames with one cache that stays from pair to pair, without one, swapped, by every instruction set;
 * on surfaces fine and coarse, solid or not, from far away to exactly touching.
 */
#include "shape/primitive_mesh.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graze/generate.h"
#include "support/generators.h"
#include "support/random_shapes.h"
#include "support/unit.h"

enum
{
    FLIGHTS = 60, /* of each kind */
    FRAMES = 40,
    KINDS = 5
};

static const graze_shape_kind kinds[KINDS] = {GRAZE_SHAPE_BOX, GRAZE_SHAPE_SPHERE, GRAZE_SHAPE_CAPSULE,
                                              GRAZE_SHAPE_CYLINDER, GRAZE_SHAPE_ELLIPSOID};

typedef struct counters
{
    int frames, collide, quick, recalled, witnesses, open, unknown;
} counters;

typedef struct test_surface
{
    graze_mesh *mesh;
    graze_shape *shape;
} test_surface;

static test_surface make_surface(test_random *random, int kind)
{
    static const double heights[9] = {0, 0.25, 0, -0.125, 0.5, 0, 0, 0.25, 0};
    const double size[2] = {2, 2};
    test_surface s = {NULL, NULL};
    if (kind == 0)
        assert_int_equal(graze_mesh_create_torus(NULL, 1, 0.4, 32, 16, &s.mesh), GRAZE_STATUS_OK);
    else if (kind == 1)
        assert_int_equal(graze_mesh_create_box(NULL, 2, 2, 2, 1, &s.mesh), GRAZE_STATUS_OK);
    else if (kind == 2)
        assert_int_equal(graze_mesh_create_box(NULL, 2, 1, 1, 4, &s.mesh), GRAZE_STATUS_OK);
    if (s.mesh != NULL)
        assert_int_equal(graze_shape_create_mesh(NULL, s.mesh, NULL, random_once_in(random, 2), &s.shape),
                         GRAZE_STATUS_OK);
    else
        assert_int_equal(graze_shape_create_height_field(NULL, size, heights, 3, 3, &s.shape), GRAZE_STATUS_OK);
    return s;
}

static void clear_surface(test_surface *s)
{
    graze_shape_destroy(s->shape);
    graze_mesh_destroy(s->mesh);
}

/* The quick query, which may not know; where it does, it is right. */
static bool check_quick(const graze_placed *a, const graze_placed *b, graze_verdict exact, grz_shape_query *q)
{
    graze_status status;
    graze_verdict verdict;
    graze_shape_hit hit, swapped;
    memset(&hit, 0, sizeof hit);
    if (!grz_primitive_mesh_collide(q, a, b, &status, &verdict, &hit))
        return false;
    assert_int_equal(status, GRAZE_STATUS_OK);
    assert_int_equal(verdict, exact);
    grz_shape_query other = {.context = q->context};
    if (verdict == GRAZE_VERDICT_YES && q->cache == NULL)
    {
        assert_true(grz_primitive_mesh_collide(&other, b, a, &status, &verdict, &swapped));
        assert_true(hit.has_point && hit.triangle_a == swapped.triangle_b && hit.triangle_b == swapped.triangle_a);
        assert_memory_equal(hit.point, swapped.point, sizeof hit.point);
    }
    return true;
}

static graze_verdict decide(grz_shape_query *q, const graze_placed *a, const graze_placed *b)
{
    graze_verdict verdict;
    assert_int_equal(grz_leaves_decide(q, a, b, (grz_reach){0, false}, &verdict, NULL), GRAZE_STATUS_OK);
    return verdict;
}

static void check_frame(test_random *random, const graze_placed *a, const graze_placed *b, graze_shape_cache *cache,
                        counters *c)
{
    graze_context context = graze_context_default();
    context.instructions = (graze_instructions)random_below(random, GRAZE_INSTRUCTIONS_COUNT);
    grz_shape_query slow = {.slow = true}, cold = {.context = &context}, warm = {.context = &context, .cache = cache};
    graze_verdict verdict, exact = decide(&slow, a, b);
    graze_status status;
    c->frames++;
    if (exact == GRAZE_VERDICT_UNKNOWN) /* the quick query may know, and be right */
    {
        c->unknown++;
        return;
    }
    graze_verdict recalled = grz_primitive_mesh_recall(cache, a, b);
    assert_true(recalled == GRAZE_VERDICT_UNKNOWN || recalled == exact);
    bool quick = check_quick(a, b, exact, &cold);
    if (random_once_in(random, 4))
        (void)check_quick(a, b, exact, &warm);
    else if (grz_primitive_mesh_collide(&warm, a, b, &status, &verdict, NULL))
    {
        assert_int_equal(status, GRAZE_STATUS_OK);
        assert_int_equal(verdict, exact);
        bool remembered = warm.stats.box_tests == 0 && warm.stats.triangle_tests == 0;
        assert_true(remembered == (recalled != GRAZE_VERDICT_UNKNOWN));
        c->recalled += remembered;
        c->witnesses += warm.stats.box_tests == 0 && warm.stats.triangle_tests == 1;
    }
    assert_int_equal(decide(&warm, a, b), exact);
    c->collide += exact == GRAZE_VERDICT_YES;
    c->quick += quick;
    c->open += !quick;
}

/* Past each other, or on the grid, where they touch. */
static void fly(test_random *random, const graze_placed *surface, const graze_shape *body, bool on_grid,
                graze_shape_cache *cache, counters *c)
{
    graze_placed a = *surface, b = {body, random_rotation(random)};
    double at[3], step[3], speed = pow(2, random_real(random, -8, -3));
    const double axis[3] = {0.3, 1, 0.2};
    if (on_grid)
    {
        a.pose = graze_pose_identity();
        b.pose = graze_pose_identity();
    }
    for (int k = 0; k < 3; k++)
    {
        at[k] = on_grid ? random_between(random, -5, 5) * 0.25 : random_real(random, -1.5, 1.5);
        step[k] = on_grid ? random_between(random, -1, 1) * 0.25 : random_real(random, -1, 1) * speed;
    }
    for (int frame = 0; frame < FRAMES; frame++)
    {
        if (!on_grid)
            graze_pose_from_axis_angle(axis, 0.5 * speed * frame, at, &b.pose);
        for (int k = 0; k < 3; k++)
            b.pose.m[4 * k + 3] = a.pose.m[4 * k + 3] + at[k] + frame * step[k];
        bool swapped = random_once_in(random, 2);
        check_frame(random, swapped ? &b : &a, swapped ? &a : &b, cache, c);
    }
}

static graze_shape *make_primitive(test_random *random, graze_shape_kind kind, bool on_grid)
{
    double n[3], ends[2][3] = {{0, 0, 0}, {0, 0, 0}};
    graze_shape *shape = NULL;
    for (int k = 0; k < 3; k++)
    {
        n[k] = on_grid ? 0.5 * random_between(random, 1, 3) : pow(2, random_real(random, -3, 0.5));
        ends[1][k] = on_grid ? 0.25 * random_between(random, -2, 2) : random_real(random, -1, 1) * n[0];
    }
    graze_status status = GRAZE_STATUS_OK;
    if (kind == GRAZE_SHAPE_BOX)
        status = graze_shape_create_box(NULL, n, &shape);
    else if (kind == GRAZE_SHAPE_SPHERE)
        status = graze_shape_create_sphere(NULL, random_once_in(random, 2) ? NULL : ends[1], n[1] / 2, &shape);
    else if (kind == GRAZE_SHAPE_CAPSULE)
        status = graze_shape_create_capsule(NULL, (const double(*)[3])ends, n[1] / 2, &shape);
    else if (kind == GRAZE_SHAPE_CYLINDER)
        status = graze_shape_create_cylinder(NULL, n[0], n[1] / 2, &shape);
    else
        status = graze_shape_create_ellipsoid(NULL, n, &shape);
    assert_int_equal(status, GRAZE_STATUS_OK);
    return shape;
}

static void quick_and_exact_verdicts_agree(void **state)
{
    (void)state;
    test_random random = test_random_start("primitives at a surface", 184);
    graze_shape_cache cache = graze_shape_cache_default(); /* stays from pair to pair */
    int frames = 0, witnesses = 0, touching = 0;
    for (int kind = 0; kind < KINDS; kind++)
    {
        counters free = {0}, grid = {0};
        for (int flight = 0; flight < TEST_ROUNDS(FLIGHTS); flight++)
        {
            test_surface s = make_surface(&random, flight % 4);
            bool on_grid = flight % 3 == 2;
            graze_shape *body = make_primitive(&random, kinds[kind], on_grid);
            graze_placed placed = {s.shape, random_rotation(&random)};
            fly(&random, &placed, body, on_grid, &cache, on_grid ? &grid : &free);
            graze_shape_destroy(body);
            clear_surface(&s);
        }
        printf("kind %d: %d frames, %d collide, %d quick; of the cache %d by motion, %d by the last triangle\n", kind,
               free.frames, free.collide, free.quick, free.recalled, free.witnesses);
        printf("on the grid %d frames, %d collide, %d quick, %d open, %d unknown\n", grid.frames, grid.collide,
               grid.quick, grid.open, grid.unknown);
        assert_true(free.collide > free.frames / 30 && free.quick > free.frames * 19 / 20);
        assert_true(free.recalled > free.frames / 5 && grid.quick > grid.frames / 2);
        frames += free.frames;
        witnesses += free.witnesses;
        touching += grid.open + grid.unknown;
    }
    assert_true(witnesses > frames / 80 && touching > 0);
}

/* Centres so far from the origin of their own coordinates that placing them costs more than floats do. */
static void centres_far_from_their_origin_are_placed_with_care(void **state)
{
    (void)state;
    test_random random = test_random_start("centres far away", 186);
    graze_mesh *mesh;
    graze_shape *surface;
    int collide = 0, apart = 0, rounds = TEST_ROUNDS(400);
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 1, &mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_mesh(NULL, mesh, NULL, false, &surface), GRAZE_STATUS_OK);
    for (int round = 0; round < rounds; round++)
    {
        double centre[3], gap = random_real(&random, -4e-4, 4e-4);
        graze_shape *ball;
        graze_placed a = {surface, graze_pose_identity()}, b = {NULL, random_rotation(&random)};
        for (int k = 0; k < 3; k++)
            centre[k] = random_real(&random, -1e13, 1e13);
        assert_int_equal(graze_shape_create_sphere(NULL, centre, 0.5, &ball), GRAZE_STATUS_OK);
        b.shape = ball;
        for (int k = 0; k < 3; k++)
            b.pose.m[4 * k + 3] =
                (k == 0 ? 1 + gap : 0) -
                (b.pose.m[4 * k] * centre[0] + b.pose.m[4 * k + 1] * centre[1] + b.pose.m[4 * k + 2] * centre[2]);
        grz_shape_query slow = {.slow = true}, quick = {.context = NULL};
        graze_verdict exact = decide(&slow, &a, &b);
        assert_int_equal(decide(&quick, &a, &b), exact);
        collide += exact == GRAZE_VERDICT_YES;
        apart += exact == GRAZE_VERDICT_NO;
        graze_shape_destroy(ball);
    }
    printf("%d collide, %d are apart\n", collide, apart);
    assert_true(collide > rounds / 4 && apart > rounds / 4);
    graze_shape_destroy(surface);
    graze_mesh_destroy(mesh);
}

/* The cache must not take a changed mesh, a box of another size or another mesh for the one it knows. */
static void a_cache_of_other_shapes_is_not_believed(void **state)
{
    (void)state;
    graze_shape_cache cache = graze_shape_cache_default();
    grz_shape_query q = {.cache = &cache};
    graze_status status;
    graze_verdict verdict;
    static const double vertices[3][3] = {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}},
                        low[3][3] = {{-1, -1, -9}, {1, -1, -9}, {0, 1, -9}};
    static const uint32_t corners[3] = {0, 1, 2};
    const double small[3] = {0.5, 0.5, 0.5}, large[3] = {4, 4, 4};
    graze_mesh_def def = graze_mesh_def_default();
    graze_mesh *mesh;
    graze_shape *surface, *boxes[2];
    def.vertices = &vertices[0][0];
    def.vertex_count = 3;
    def.corners = corners;
    def.corner_count = 3;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_mesh(NULL, mesh, NULL, false, &surface), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_box(NULL, small, &boxes[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_box(NULL, large, &boxes[1]), GRAZE_STATUS_OK);
    graze_placed a = {surface, graze_pose_identity()}, b = {boxes[0], graze_pose_identity()};
    b.pose.m[11] = 1;
    assert_true(grz_primitive_mesh_collide(&q, &a, &b, &status, &verdict, NULL));
    assert_int_equal(verdict, GRAZE_VERDICT_NO);
    b.shape = boxes[1];
    assert_true(grz_primitive_mesh_collide(&q, &a, &b, &status, &verdict, NULL));
    assert_int_equal(verdict, GRAZE_VERDICT_YES);
    grz_shape_query again = {.cache = &cache};
    /* Another mesh at the address of the old one. */
    b.shape = boxes[1];
    assert_true(grz_primitive_mesh_collide(&again, &a, &b, &status, &verdict, NULL));
    assert_int_equal(verdict, GRAZE_VERDICT_YES);
    graze_shape_destroy(surface);
    graze_mesh_destroy(mesh);
    def.vertices = &low[0][0];
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_mesh(NULL, mesh, NULL, false, &surface), GRAZE_STATUS_OK);
    a.shape = surface;
    ((uint64_t *)cache.state)[0] = (uint64_t)(uintptr_t)mesh;
    assert_true(grz_primitive_mesh_collide(&again, &a, &b, &status, &verdict, NULL));
    assert_int_equal(verdict, GRAZE_VERDICT_NO);
    graze_shape_destroy(surface);
    graze_mesh_destroy(mesh);
    graze_shape_destroy(boxes[0]);
    graze_shape_destroy(boxes[1]);
}

/* The same mesh may be a surface in one shape and a solid in another: a box inside is apart from the first one only. */
static void a_cache_of_a_surface_is_not_believed_of_its_solid(void **state)
{
    (void)state;
    graze_mesh *mesh;
    graze_shape *shapes[2], *box;
    const double size[3] = {0.5, 0.5, 0.5};
    graze_shape_cache cache = graze_shape_cache_default();
    graze_shape_options options = graze_shape_options_default();
    assert_int_equal(graze_mesh_create_sphere(NULL, 10, 24, 12, &mesh), GRAZE_STATUS_OK);
    for (int solid = 0; solid < 2; solid++)
        assert_int_equal(graze_shape_create_mesh(NULL, mesh, NULL, solid != 0, &shapes[solid]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_box(NULL, size, &box), GRAZE_STATUS_OK);
    options.cache = &cache;
    for (int i = 0; i < 4; i++)
    {
        graze_placed a = {shapes[i % 2], graze_pose_identity()}, b = {box, graze_pose_identity()};
        graze_verdict verdict;
        assert_int_equal(graze_shape_pair_any(NULL, &a, &b, &options, &verdict, NULL), GRAZE_STATUS_OK);
        assert_int_equal(verdict, i % 2 == 0 ? GRAZE_VERDICT_NO : GRAZE_VERDICT_YES);
    }
    graze_shape_destroy(box);
    graze_shape_destroy(shapes[0]);
    graze_shape_destroy(shapes[1]);
    graze_mesh_destroy(mesh);
}

/* What is recalled is checked as what is not. */
static void recalled_verdicts_are_of_legal_poses(void **state)
{
    (void)state;
    graze_shape_cache cache = graze_shape_cache_default();
    graze_shape_options options = graze_shape_options_default();
    graze_mesh *mesh;
    graze_shape *surface, *ball;
    graze_verdict verdict = GRAZE_VERDICT_UNKNOWN;
    options.cache = &cache;
    assert_int_equal(graze_mesh_create_box(NULL, 2, 2, 2, 1, &mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_mesh(NULL, mesh, NULL, false, &surface), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_sphere(NULL, NULL, 0.25, &ball), GRAZE_STATUS_OK);
    graze_placed a = {surface, graze_pose_identity()}, b = {ball, graze_pose_identity()};
    assert_int_equal(graze_shape_pair_any(NULL, &a, &b, &options, &verdict, NULL), GRAZE_STATUS_OK);
    b.pose.m[3] = 0.01;
    assert_int_equal(grz_primitive_mesh_recall(&cache, &a, &b), GRAZE_VERDICT_NO);
    assert_int_equal(grz_primitive_mesh_recall(&cache, &b, &a), GRAZE_VERDICT_NO);
    const graze_placed nothing = {NULL, graze_pose_identity()};
    assert_int_equal(grz_primitive_mesh_recall(&cache, &a, NULL), GRAZE_VERDICT_UNKNOWN);
    assert_int_equal(grz_primitive_mesh_recall(&cache, &a, &nothing), GRAZE_VERDICT_UNKNOWN);
    assert_int_equal(grz_primitive_mesh_recall(&cache, &nothing, &b), GRAZE_VERDICT_UNKNOWN);
    b.pose.m[0] = 1 + 1e-6;
    assert_int_equal(graze_shape_pair_any(NULL, &a, &b, &options, &verdict, NULL), GRAZE_STATUS_NOT_RIGID);
    b.pose = graze_pose_identity();
    b.pose.m[3] = NAN;
    assert_int_equal(graze_shape_pair_any(NULL, &a, &b, &options, &verdict, NULL), GRAZE_STATUS_NOT_FINITE);
    graze_shape_destroy(ball);
    graze_shape_destroy(surface);
    graze_mesh_destroy(mesh);
}

/* A budget of box tests ends the search, and the same query without one is answered. */
static void budgets_end_the_search(void **state)
{
    (void)state;
    graze_mesh *mesh;
    graze_shape *surface, *box;
    const double size[3] = {0.1, 0.1, 0.1};
    graze_shape_options options = graze_shape_options_default();
    graze_verdict verdict;
    assert_int_equal(graze_mesh_create_torus(NULL, 1, 0.4, 64, 32, &mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_mesh(NULL, mesh, NULL, false, &surface), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_box(NULL, size, &box), GRAZE_STATUS_OK);
    graze_placed a = {surface, graze_pose_identity()}, b = {box, graze_pose_identity()};
    b.pose.m[3] = 1.4;
    options.budget.box_tests = 8;
    assert_int_equal(graze_shape_pair_any(NULL, &a, &b, &options, &verdict, NULL), GRAZE_STATUS_UNFINISHED);
    options.budget.box_tests = 0;
    assert_int_equal(graze_shape_pair_any(NULL, &a, &b, &options, &verdict, NULL), GRAZE_STATUS_OK);
    assert_int_equal(verdict, GRAZE_VERDICT_YES);
    graze_shape_destroy(box);
    graze_shape_destroy(surface);
    graze_mesh_destroy(mesh);
}

/* A matrix that is a rotation up to roundings may shrink the box: a common point is less deep in the world than in the
   box's own axes, and so the verdict lasts less. */
static void verdicts_last_for_depths_in_the_world(void **state)
{
    (void)state;
    static const double vertices[3][3] = {{0, 0, 0}, {0x1p-4, 0x1p-4, 0}, {0x1p-4, -0x1p-4, 0}};
    static const uint32_t corners[3] = {0, 1, 2};
    const double size[3] = {2048, 2048, 2048};
    graze_mesh_def def = graze_mesh_def_default();
    graze_mesh *mesh;
    graze_shape *triangle, *box;
    int held = 0, left = 0;
    def.vertices = &vertices[0][0];
    def.vertex_count = 3;
    def.corners = corners;
    def.corner_count = 3;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_mesh(NULL, mesh, NULL, false, &triangle), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_box(NULL, size, &box), GRAZE_STATUS_OK);
    for (int units = 0; units < 2048; units++)
    {
        graze_shape_cache cache = graze_shape_cache_default();
        grz_shape_query q = {.cache = &cache}, slow = {.slow = true};
        graze_status status;
        graze_verdict verdict, exact;
        graze_placed a = {triangle, graze_pose_identity()}, b = {box, graze_pose_identity()};
        for (int k = 0; k < 3; k++)
            b.pose.m[5 * k] = 1 - 54 * 0x1p-52;
        assert_true(grz_primitive_mesh_collide(&q, &a, &b, &status, &verdict, NULL));
        assert_int_equal(verdict, GRAZE_VERDICT_YES);
        a.pose.m[3] = 1024 * (1 - units * 0x1p-52);
        assert_int_equal(grz_core_core_decide(&slow, &a, &b, (grz_reach){0, false}, &exact, NULL), GRAZE_STATUS_OK);
        assert_int_equal(exact, units < 54 ? GRAZE_VERDICT_NO : GRAZE_VERDICT_YES);
        graze_shape_cache before = cache;
        if (grz_primitive_mesh_collide(&q, &a, &b, &status, &verdict, NULL))
        {
            assert_int_equal(verdict, exact);
            held += memcmp(&before, &cache, sizeof cache) == 0;
        }
        left += exact == GRAZE_VERDICT_NO;
    }
    assert_true(left == 54 && held > 512 && held < 2048 - left);
    graze_shape_destroy(box);
    graze_shape_destroy(triangle);
    graze_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quick_and_exact_verdicts_agree),
        cmocka_unit_test(centres_far_from_their_origin_are_placed_with_care),
        cmocka_unit_test(recalled_verdicts_are_of_legal_poses),
        cmocka_unit_test(a_cache_of_other_shapes_is_not_believed),
        cmocka_unit_test(a_cache_of_a_surface_is_not_believed_of_its_solid),
        cmocka_unit_test(budgets_end_the_search),
        cmocka_unit_test(verdicts_last_for_depths_in_the_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
