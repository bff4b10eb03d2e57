/* SPDX-License-Identifier: MIT */
/* Scene queries where objects or the query are shapes: the same as a query of each object. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graze/interest.h"
#include "graze/scene_query.h"
#include "support/random_shapes.h"
#include "support/unit.h"

enum
{
    OBJECTS = 48,
    ROUNDS = 6
};

typedef struct world
{
    random_shape shapes[OBJECTS];
    graze_shape *of_mesh[OBJECTS];
    graze_placed placed[OBJECTS];
    graze_object names[OBJECTS];
    graze_scene *scene;
} world;

/* Every fourth object has a mesh. */
static void make_world(test_random *random, world *w)
{
    memset(w, 0, sizeof *w);
    assert_int_equal(graze_scene_create(NULL, NULL, &w->scene), GRAZE_STATUS_OK);
    for (int i = 0; i < OBJECTS; i++)
    {
        graze_object_def def = graze_object_def_default();
        bool has_mesh = i % 4 == 1;
        random_shape_make(random, has_mesh ? GRAZE_SHAPE_MESH : (graze_shape_kind)(i % GRAZE_SHAPE_KIND_COUNT),
                          &w->shapes[i]);
        def.pose = random_pose_for(random, w->shapes[i].shape);
        def.shape = has_mesh ? NULL : w->shapes[i].shape;
        def.mesh = has_mesh ? w->shapes[i].mesh : NULL;
        def.layer = graze_shape_get_kind(w->shapes[i].shape) == GRAZE_SHAPE_HALF_SPACE;
        def.flags = has_mesh && graze_shape_is_solid(w->shapes[i].shape) ? GRAZE_OBJECT_SOLID : 0;
        w->placed[i] = (graze_placed){w->shapes[i].shape, def.pose};
        assert_int_equal(graze_scene_add(w->scene, &def, &w->names[i]), GRAZE_STATUS_OK);
    }
    assert_int_equal(graze_scene_update(w->scene, NULL, NULL), GRAZE_STATUS_OK);
}

static void clear_world(world *w)
{
    graze_scene_destroy(w->scene);
    for (int i = 0; i < OBJECTS; i++)
        random_shape_clear(&w->shapes[i]);
}

typedef struct counters
{
    int yes, no, unknown, hits;
} counters;

static graze_object_hit *find_hit(graze_object_hit *hits, size_t count, graze_object object)
{
    for (size_t i = 0; i < count; i++)
        if (hits[i].object.index == object.index)
            return &hits[i];
    return NULL;
}

/* Compares the hits of a query that is this shape. */
static void expect_hits(const world *w, const graze_placed *query, int leave_out, graze_object_hit *hits, size_t count,
                        counters *n)
{
    for (int i = 0; i < OBJECTS; i++)
    {
        graze_verdict truth;
        const graze_object_hit *hit = find_hit(hits, count, w->names[i]);
        assert_int_equal(graze_shape_pair_any(NULL, query, &w->placed[i], NULL, &truth, NULL), GRAZE_STATUS_OK);
        if (i == leave_out)
            truth = GRAZE_VERDICT_NO;
        if (truth == GRAZE_VERDICT_UNKNOWN)
        {
            assert_true(hit == NULL ||
                        hit->verdict != GRAZE_VERDICT_NO); /* boxes may be apart; forms of a box differ */
            n->unknown += hit != NULL && hit->verdict == truth;
            continue;
        }
        assert_true((hit != NULL) == (truth == GRAZE_VERDICT_YES));
        n->yes += hit != NULL;
        n->no += hit == NULL;
        if (hit != NULL && hit->has_shape_hit)
        {
            n->hits++;
            assert_true(hit->has_witness == (hit->shape_hit.triangle_a != GRAZE_NO_TRIANGLE &&
                                             hit->shape_hit.triangle_b != GRAZE_NO_TRIANGLE));
        }
        assert_true(hit == NULL || hit->has_shape_hit || i % 4 == 1);
    }
}

static void overlaps_are_those_of_each_object(void **state)
{
    (void)state;
    test_random random = test_random_start("overlaps_are_those_of_each_object", 61);
    static world w;
    static graze_object_hit hits[OBJECTS];
    counters n = {0};
    size_t count;
    for (int round = 0; round < ROUNDS; round++)
    {
        make_world(&random, &w);
        for (int i = 0; i < 2 * GRAZE_SHAPE_KIND_COUNT; i++)
        {
            random_shape query;
            random_shape_make(&random, (graze_shape_kind)(i % GRAZE_SHAPE_KIND_COUNT), &query);
            graze_placed placed = {query.shape, random_pose_for(&random, query.shape)};
            assert_int_equal(graze_scene_collide_shape(w.scene, &placed, NULL, NULL, hits, OBJECTS, &count),
                             GRAZE_STATUS_OK);
            expect_hits(&w, &placed, -1, hits, count, &n);
            if (query.mesh != NULL) /* as a surface */
            {
                graze_placed_mesh mesh = {query.mesh, NULL, placed.pose};
                graze_shape *surface;
                assert_int_equal(graze_shape_create_mesh(NULL, query.mesh, NULL, false, &surface), GRAZE_STATUS_OK);
                placed.shape = surface;
                assert_int_equal(graze_scene_collide_mesh(w.scene, &mesh, NULL, NULL, hits, OBJECTS, &count),
                                 GRAZE_STATUS_OK);
                expect_hits(&w, &placed, -1, hits, count, &n);
                graze_shape_destroy(surface);
            }
            random_shape_clear(&query);
        }
        for (int i = 0; i < OBJECTS; i++)
        {
            assert_int_equal(graze_scene_collide_object(w.scene, w.names[i], NULL, NULL, hits, OBJECTS, &count),
                             GRAZE_STATUS_OK);
            expect_hits(&w, &w.placed[i], i, hits, count, &n);
        }
        clear_world(&w);
    }
    printf("%d collide, %d do not, %d unknown; %d with a shape\n", n.yes, n.no, n.unknown, n.hits);
    assert_true(n.yes > 3000 && n.no > 3000 && n.unknown > 10 && n.hits > 2000);
}

static void boxes_and_points_are_shapes(void **state)
{
    (void)state;
    test_random random = test_random_start("boxes_and_points_are_shapes", 67);
    static world w;
    static graze_object_hit hits[OBJECTS];
    counters n = {0};
    size_t count;
    for (int round = 0; round < ROUNDS; round++)
    {
        make_world(&random, &w);
        for (int i = 0; i < 30; i++)
        {
            graze_box box;
            double corners[8][3], point[3];
            for (int k = 0; k < 3; k++)
            {
                box.lower[k] = point[k] = random_between(&random, -5, 5);
                box.upper[k] = box.lower[k] + random_between(&random, 0, 3);
                for (int c = 0; c < 8; c++)
                    corners[c][k] = (c >> k & 1) != 0 ? box.upper[k] : box.lower[k];
            }
            graze_shape *hull, *dot;
            assert_int_equal(graze_shape_create_hull(NULL, corners[0], 8, NULL, &hull), GRAZE_STATUS_OK);
            assert_int_equal(graze_shape_create_point(NULL, point, &dot), GRAZE_STATUS_OK);
            graze_placed placed = {hull, graze_pose_identity()};
            assert_int_equal(graze_scene_collide_box(w.scene, &box, NULL, NULL, hits, OBJECTS, &count),
                             GRAZE_STATUS_OK);
            expect_hits(&w, &placed, -1, hits, count, &n);
            placed.shape = dot;
            assert_int_equal(graze_scene_collide_point(w.scene, point, NULL, NULL, hits, OBJECTS, &count),
                             GRAZE_STATUS_OK);
            expect_hits(&w, &placed, -1, hits, count, &n);
            graze_shape_destroy(hull);
            graze_shape_destroy(dot);
        }
        clear_world(&w);
    }
    assert_true(n.yes > 500 && n.no > 3000);
}

static const graze_ray_hit *find_ray_hit(const graze_ray_hit *hits, size_t count, graze_object object)
{
    for (size_t i = 0; i < count; i++)
        if (hits[i].object.index == object.index)
            return &hits[i];
    return NULL;
}

static void rays_hit_shapes_where_each_is_hit(void **state)
{
    (void)state;
    test_random random = test_random_start("rays_hit_shapes_where_each_is_hit", 71);
    static world w;
    static graze_ray_hit hits[OBJECTS];
    int met = 0, unknown = 0;
    size_t count;
    for (int round = 0; round < ROUNDS; round++)
    {
        make_world(&random, &w);
        for (int i = 0; i < 24; i++)
        {
            double origin[3], direction[3];
            for (int k = 0; k < 3; k++)
            {
                origin[k] = random_between(&random, -6, 6);
                direction[k] = random_between(&random, -2, 2);
            }
            double limit = i % 3 == 0 ? INFINITY : 0.5 * random_between(&random, 1, 8);
            assert_int_equal(graze_scene_cast_ray(w.scene, origin, direction, limit, NULL, NULL, hits, OBJECTS, &count),
                             GRAZE_STATUS_OK);
            for (size_t k = 1; k < count; k++)
                assert_true(hits[k - 1].hit.t <= hits[k].hit.t);
            for (int k = 0; k < OBJECTS; k++)
            {
                graze_verdict truth;
                graze_shape_ray_hit fresh;
                const graze_ray_hit *hit = find_ray_hit(hits, count, w.names[k]);
                if (k % 4 == 1)
                    continue; /* a mesh: its surface counts, see test_scene_query.c */
                assert_int_equal(
                    graze_shape_cast_ray(NULL, &w.placed[k], origin, direction, limit, NULL, &truth, &fresh),
                    GRAZE_STATUS_OK);
                unknown += hit != NULL && hit->verdict == GRAZE_VERDICT_UNKNOWN;
                if (truth == GRAZE_VERDICT_UNKNOWN)
                    continue;
                assert_true((hit != NULL) == (truth == GRAZE_VERDICT_YES));
                met += hit != NULL;
                assert_true(hit == NULL || (hit->hit.t == fresh.t && hit->part == fresh.part &&
                                            hit->hit.triangle == fresh.triangle && hit->verdict == truth));
            }
        }
        clear_world(&w);
    }
    printf("%d hits, %d unknown\n", met, unknown);
    assert_true(met > 500);
}

/* The least distance is that of the nearest of all, up to what intervals leave open. */
static void the_nearest_shape_is_nearest(void **state)
{
    (void)state;
    test_random random = test_random_start("the_nearest_shape_is_nearest", 73);
    static world w;
    int apart = 0, inside = 0;
    for (int round = 0; round < ROUNDS; round++)
    {
        make_world(&random, &w);
        for (int i = 0; i < GRAZE_SHAPE_KIND_COUNT; i++)
        {
            random_shape query;
            graze_nearest_object nearest;
            graze_scene_filter filter = graze_scene_filter_default();
            bool bounded = i % 2 == 0;
            filter.layers = bounded ? 1 : filter.layers;
            random_shape_make(&random, (graze_shape_kind)i, &query);
            graze_placed placed = {query.shape, random_pose_for(&random, query.shape)};
            if (i != GRAZE_SHAPE_HALF_SPACE && !random_once_in(&random, 3))
                placed.pose.m[3] += 20;
            assert_int_equal(graze_scene_nearest_to_shape(w.scene, &placed, INFINITY, &filter, NULL, &nearest),
                             GRAZE_STATUS_OK);
            double least_upper = INFINITY, least_lower = INFINITY;
            for (int k = 0; k < OBJECTS; k++)
            {
                graze_shape_distance distance;
                if (bounded && graze_shape_get_kind(w.placed[k].shape) == GRAZE_SHAPE_HALF_SPACE)
                    continue;
                assert_int_equal(graze_shape_pair_distance(NULL, &placed, &w.placed[k], NULL, &distance),
                                 GRAZE_STATUS_OK);
                if (!distance.found)
                    continue;
                least_upper = fmin(least_upper, distance.upper);
                least_lower = fmin(least_lower, distance.lower);
            }
            assert_true(nearest.distance.found && nearest.distance.lower <= least_upper &&
                        nearest.distance.upper >= least_lower);
            apart += nearest.distance.lower > 0;
            inside += nearest.distance.distance == 0;
            random_shape_clear(&query);
        }
        clear_world(&w);
    }
    printf("%d apart, %d together\n", apart, inside);
    assert_true(apart > 10 && inside > 15);
}

static void close_pairs_are_those_of_tolerance_queries(void **state)
{
    (void)state;
    test_random random = test_random_start("close_pairs_are_those_of_tolerance_queries", 79);
    static world w;
    static graze_close_pair pairs[OBJECTS * OBJECTS];
    int close = 0, unknown = 0, shapes = 0;
    for (int round = 0; round < 2; round++)
    {
        size_t count, next = 0;
        double clearance = 0.5 * round;
        make_world(&random, &w);
        assert_int_equal(graze_scene_close_pairs(w.scene, clearance, NULL, pairs, OBJECTS * OBJECTS, &count),
                         GRAZE_STATUS_OK);
        for (int i = 0; i < OBJECTS; i++)
            for (int k = i + 1; k < OBJECTS; k++)
            {
                const graze_close_pair *pair = &pairs[next];
                bool listed = next < count && pair->a.index == w.names[i].index && pair->b.index == w.names[k].index;
                graze_verdict truth;
                next += listed;
                if (i % 4 == 1 && k % 4 == 1)
                    continue; /* surfaces of meshes: see test_scene_query.c */
                assert_int_equal(
                    graze_shape_pair_tolerance_any(NULL, &w.placed[i], &w.placed[k], clearance, NULL, &truth, NULL),
                    GRAZE_STATUS_OK);
                assert_true(truth == GRAZE_VERDICT_UNKNOWN || listed == (truth == GRAZE_VERDICT_YES));
                assert_true(!listed || pair->verdict == truth);
                unknown += listed && truth == GRAZE_VERDICT_UNKNOWN;
                close += listed;
                shapes += listed && pair->has_shape_hit;
            }
        assert_int_equal(next, count);
        clear_world(&w);
    }
    printf("%d close, %d of them unknown\n", close, unknown);
    assert_true(close > 400 && shapes == close - unknown);
}

/* An unbounded shape has an infinite box, and is found by any query; an empty one has none. */
static void unbounded_and_empty_shapes_have_their_boxes(void **state)
{
    (void)state;
    const double up[3] = {0, 0, 1}, far[3] = {1e300, -1e300, -5};
    graze_shape *half_space, *empty;
    graze_mesh *mesh;
    graze_scene *scene;
    graze_object objects[2];
    graze_box box;
    graze_object_hit hits[2];
    size_t count;
    graze_mesh_def no_triangles = graze_mesh_def_default();
    assert_int_equal(graze_mesh_create(NULL, &no_triangles, NULL, &mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_mesh(NULL, mesh, NULL, true, &empty), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_half_space(NULL, up, 0, &half_space), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
    for (int i = 0; i < 2; i++)
    {
        graze_object_def def = graze_object_def_default();
        def.shape = i == 0 ? half_space : empty;
        assert_int_equal(graze_scene_add(scene, &def, &objects[i]), GRAZE_STATUS_OK);
    }
    assert_int_equal(graze_scene_update(scene, NULL, NULL), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_placed_shape(scene, objects[0], NULL, &box), GRAZE_STATUS_OK);
    for (int k = 0; k < 3; k++)
        assert_true(box.lower[k] == -INFINITY && box.upper[k] == INFINITY);
    assert_int_equal(graze_scene_placed_shape(scene, objects[1], NULL, &box), GRAZE_STATUS_EMPTY);
    assert_int_equal(graze_scene_collide_point(scene, far, NULL, NULL, hits, 2, &count), GRAZE_STATUS_OK);
    assert_int_equal(count, 1);
    graze_scene_destroy(scene);
    graze_shape_destroy(half_space);
    graze_shape_destroy(empty);
    graze_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overlaps_are_those_of_each_object),
        cmocka_unit_test(boxes_and_points_are_shapes),
        cmocka_unit_test(rays_hit_shapes_where_each_is_hit),
        cmocka_unit_test(the_nearest_shape_is_nearest),
        cmocka_unit_test(close_pairs_are_those_of_tolerance_queries),
        cmocka_unit_test(unbounded_and_empty_shapes_have_their_boxes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
