/* SPDX-License-Identifier: MIT */
/* Scene queries give the same as a query of each object: meshes, boxes, rays, points, the nearest object, clearances.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "graze/generate.h"
#include "graze/interest.h"
#include "graze/scene_query.h"
#include "support/scene_meshes.h"
#include "support/unit.h"

enum
{
    OBJECTS = 60
};

typedef struct fixture
{
    scene_meshes scene_meshes;
    graze_scene *scene;
    graze_object names[OBJECTS];
    graze_pose poses[OBJECTS];
} fixture;

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    test_random random = {12};
    scene_meshes_make(&f->scene_meshes);
    assert_int_equal(graze_scene_create(NULL, NULL, &f->scene), GRAZE_STATUS_OK);
    scene_meshes_fill(&f->scene_meshes, &random, f->scene, OBJECTS, 3, GRAZE_OBJECT_SOLID, f->names, f->poses);
    assert_int_equal(graze_scene_update(f->scene, NULL, NULL), GRAZE_STATUS_OK);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    graze_scene_destroy(f->scene);
    scene_meshes_release(&f->scene_meshes);
    free(f);
    return 0;
}

static graze_placed_mesh placed(const fixture *f, size_t i)
{
    return (graze_placed_mesh){f->scene_meshes.meshes[i % SCENE_MESHES], f->scene_meshes.trees[i % SCENE_MESHES],
                               f->poses[i]};
}

/* Compares the hits with a query of each object. */
static size_t expect_object_hits(const fixture *f, const graze_object_hit *object_hits, size_t count,
                                 const graze_placed_mesh *query, bool query_is_body, size_t leave_out)
{
    size_t next = 0, insides = 0;
    for (size_t i = 0; i < OBJECTS; i++)
    {
        if (i == leave_out)
            continue;
        graze_placed_mesh object = placed(f, i);
        bool found;
        graze_solid_answer answer = {false, GRAZE_CONTAINMENT_NONE};
        assert_int_equal(graze_pair_any(NULL, query, &object, NULL, &found, NULL), GRAZE_STATUS_OK);
        if (!found)
            assert_int_equal(graze_pair_containment(NULL, query, &object, NULL, &answer), GRAZE_STATUS_OK);
        bool inside = answer.containment == GRAZE_CONTAINMENT_A_IN_B ||
                      (query_is_body && answer.containment == GRAZE_CONTAINMENT_B_IN_A);
        if (!found && !inside)
            continue;
        assert_true(next < count);
        assert_int_equal(object_hits[next].object.index, f->names[i].index);
        assert_int_equal(object_hits[next].has_witness, found);
        insides += inside;
        next++;
    }
    assert_int_equal(next, count);
    return insides;
}

static void meshes_and_objects_meet_what_they_meet(void **state)
{
    const fixture *f = *state;
    test_random random = test_random_start("meshes_and_objects_meet_what_they_meet", 3);
    graze_object_hit object_hits[OBJECTS];
    size_t count, hits = 0, insides = 0;
    for (int round = 0; round < 60; round++)
    {
        size_t i = (size_t)random_below(&random, OBJECTS);
        graze_placed_mesh mesh = placed(f, i);
        assert_int_equal(graze_scene_collide_object(f->scene, f->names[i], NULL, NULL, object_hits, OBJECTS, &count),
                         GRAZE_STATUS_OK);
        insides += expect_object_hits(f, object_hits, count, &mesh, true, i);
        mesh.pose = scene_random_pose(&random, 3);
        if (random_once_in(&random, 2))
            for (int k = 0; k < 12; k++)
                mesh.pose.m[k] *= k % 4 == 3 ? 1 : 0.1; /* so small that it may lie inside another */
        assert_int_equal(graze_scene_collide_mesh(f->scene, &mesh, NULL, NULL, object_hits, OBJECTS, &count),
                         GRAZE_STATUS_OK);
        insides += expect_object_hits(f, object_hits, count, &mesh, false, OBJECTS);
        hits += count;
        size_t cut;
        assert_int_equal(graze_scene_collide_mesh(f->scene, &mesh, NULL, NULL, NULL, 0, &cut), GRAZE_STATUS_OK);
        assert_int_equal(cut, count);
    }
    printf("%zu hits, %zu of them inside\n", hits, insides);
    assert_true(hits > 50 && insides > 3);
}

static void boxes_and_points_meet_what_they_meet(void **state)
{
    const fixture *f = *state;
    test_random random = test_random_start("boxes_and_points_meet_what_they_meet", 4);
    graze_object_hit object_hits[OBJECTS];
    size_t count, hits = 0;
    for (int round = 0; round < 60; round++)
    {
        graze_box box;
        double point[3], size = random_once_in(&random, 3) ? 4 : 0.3;
        for (int axis = 0; axis < 3; axis++)
        {
            point[axis] = box.lower[axis] = random_real(&random, -3, 3);
            box.upper[axis] = box.lower[axis] + random_real(&random, 0, size);
        }
        assert_int_equal(graze_scene_collide_box(f->scene, &box, NULL, NULL, object_hits, OBJECTS, &count),
                         GRAZE_STATUS_OK);
        graze_mesh *mesh;
        assert_int_equal(graze_mesh_create_box(NULL, 2, 2, 2, 1, &mesh), GRAZE_STATUS_OK);
        graze_placed_mesh query = {mesh, NULL, graze_pose_identity()};
        for (int axis = 0; axis < 3; axis++) /* the same box up to rounding, to which random numbers are insensitive */
        {
            query.pose.m[5 * axis] = 0.5 * (box.upper[axis] - box.lower[axis]);
            query.pose.m[4 * axis + 3] = 0.5 * (box.upper[axis] + box.lower[axis]);
        }
        expect_object_hits(f, object_hits, count, &query, true, OBJECTS);
        graze_mesh_destroy(mesh);
        hits += count;
        assert_int_equal(graze_scene_collide_point(f->scene, point, NULL, NULL, object_hits, OBJECTS, &count),
                         GRAZE_STATUS_OK);
        size_t next = 0;
        for (size_t i = 0; i < OBJECTS; i++)
        {
            graze_placed_mesh object = placed(f, i);
            graze_location location = GRAZE_LOCATION_OUTSIDE;
            graze_status status = graze_point_in_mesh(NULL, &object, point, NULL, &location);
            if (status != GRAZE_STATUS_OK || location == GRAZE_LOCATION_OUTSIDE)
                continue;
            assert_true(next < count);
            assert_int_equal(object_hits[next++].object.index, f->names[i].index);
        }
        assert_int_equal(next, count);
        hits += count;
    }
    assert_true(hits > 100);
}

/* A vertex of a box is exactly on the box. */
static void a_point_on_a_surface_meets_it(void **state)
{
    const fixture *f = *state;
    graze_scene *scene;
    assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
    graze_object_def def = graze_object_def_default();
    def.mesh = f->scene_meshes.meshes[1]; /* 1 x 1.5 x 0.7 */
    def.pose = graze_pose_translation(4, 0, 0);
    graze_object name;
    assert_int_equal(graze_scene_add(scene, &def, &name), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_update(scene, NULL, NULL), GRAZE_STATUS_OK);
    double on[3] = {4.5, 0.75, 0.35}, off[3] = {nextafter(4.5, 5), 0.75, 0.35}, inside[3] = {4, 0, 0};
    size_t count;
    graze_object_hit met;
    assert_int_equal(graze_scene_collide_point(scene, on, NULL, NULL, &met, 1, &count), GRAZE_STATUS_OK);
    assert_int_equal(count, 1);
    assert_true(met.has_witness);
    assert_int_equal(graze_scene_collide_point(scene, off, NULL, NULL, NULL, 0, &count), GRAZE_STATUS_OK);
    assert_int_equal(count, 0);
    assert_int_equal(graze_scene_collide_point(scene, inside, NULL, NULL, NULL, 0, &count), GRAZE_STATUS_OK);
    assert_int_equal(count, 0); /* a surface, not a solid */
    /* Along an edge; beside it by one ulp; and up to just before it. */
    double origin[3] = {0, 0.75, 0.35}, past[3] = {0, nextafter(0.75, 1), 0.35}, way[3] = {0.5, 0, 0};
    graze_ray_hit hit;
    assert_int_equal(graze_scene_cast_ray(scene, origin, way, INFINITY, NULL, NULL, &hit, 1, &count), GRAZE_STATUS_OK);
    assert_int_equal(count, 1);
    assert_true(hit.hit.t == 7 && hit.hit.t_lower <= 7 && hit.hit.t_upper >= 7 && hit.hit.point[0] == 3.5);
    assert_int_equal(graze_scene_cast_ray(scene, past, way, INFINITY, NULL, NULL, NULL, 0, &count), GRAZE_STATUS_OK);
    assert_int_equal(count, 0);
    assert_int_equal(graze_scene_cast_ray(scene, origin, way, 7, NULL, NULL, NULL, 0, &count), GRAZE_STATUS_OK);
    assert_int_equal(count, 1);
    assert_int_equal(graze_scene_cast_ray(scene, origin, way, nextafter(7, 0), NULL, NULL, NULL, 0, &count),
                     GRAZE_STATUS_OK);
    assert_int_equal(count, 0);
    double still[3] = {0, 0, 0};
    assert_int_equal(graze_scene_cast_ray(scene, on, still, INFINITY, NULL, NULL, &hit, 1, &count), GRAZE_STATUS_OK);
    assert_int_equal(count, 1);
    assert_true(hit.hit.t == 0);
    graze_scene_destroy(scene);
}

static void rays_meet_what_long_segments_meet(void **state)
{
    const fixture *f = *state;
    test_random random = test_random_start("rays_meet_what_long_segments_meet", 5);
    graze_ray_hit hits[OBJECTS];
    size_t count, all = 0;
    for (int round = 0; round < 80; round++)
    {
        double origin[3], direction[3], limit = random_once_in(&random, 2) ? INFINITY : random_real(&random, 0, 20);
        double scale = ldexp(1, random_between(&random, -30, 30));
        for (int axis = 0; axis < 3; axis++)
        {
            origin[axis] = random_real(&random, -5, 5);
            direction[axis] = (random_real(&random, -3, 3) - origin[axis]) * scale;
        }
        limit /= scale;
        assert_int_equal(graze_scene_cast_ray(f->scene, origin, direction, limit, NULL, NULL, hits, OBJECTS, &count),
                         GRAZE_STATUS_OK);
        bool met[OBJECTS] = {false};
        for (size_t i = 0; i < count; i++)
        {
            met[hits[i].object.index] = true;
            assert_true(i == 0 || hits[i - 1].hit.t <= hits[i].hit.t);
            assert_true(hits[i].hit.t_lower <= hits[i].hit.t && hits[i].hit.t <= hits[i].hit.t_upper &&
                        hits[i].hit.t <= limit);
            for (int axis = 0; axis < 3; axis++)
                assert_true(fabs(origin[axis] + hits[i].hit.t * direction[axis] - hits[i].hit.point[axis]) < 1e-12);
        }
        double start[3] = {0, 0, 0}, end[3] = {fmin(limit, 100 / scale), 0, 0};
        graze_pose pose = {{0}};
        for (int axis = 0; axis < 3; axis++)
        {
            pose.m[4 * axis] = direction[axis];
            pose.m[4 * axis + 3] = origin[axis];
        }
        graze_placed_point segment[2] = {{start, &pose}, {end, &pose}};
        for (size_t i = 0; i < OBJECTS; i++)
        {
            graze_placed_mesh object = placed(f, i);
            bool meets = false;
            const uint32_t *corners = graze_mesh_triangles(object.mesh);
            for (size_t t = 0; t < graze_mesh_triangle_count(object.mesh) && !meets; t++)
            {
                graze_placed_triangle triangle = {.pose = &object.pose};
                for (size_t k = 0; k < 3; k++)
                    triangle.corners[k] = graze_mesh_vertices(object.mesh) + 3 * (size_t)corners[3 * t + k];
                meets = graze_segment_meets_triangle(segment, &triangle);
            }
            assert_int_equal(meets, met[f->names[i].index]);
        }
        all += count;
    }
    assert_true(all > 100);
}

static void the_nearest_is_the_nearest(void **state)
{
    const fixture *f = *state;
    test_random random = test_random_start("the_nearest_is_the_nearest", 6);
    size_t apart = 0;
    for (int round = 0; round < 60; round++)
    {
        double point[3];
        for (int axis = 0; axis < 3; axis++)
            point[axis] = random_real(&random, -8, 8);
        graze_nearest_object nearest;
        assert_int_equal(graze_scene_nearest_to_point(f->scene, point, INFINITY, NULL, NULL, &nearest),
                         GRAZE_STATUS_OK);
        assert_true(nearest.distance.found);
        static const uint32_t corners[3] = {0, 0, 0};
        graze_mesh_def def = graze_mesh_def_default();
        def.vertices = point;
        def.vertex_count = 1;
        def.corners = corners;
        def.corner_count = 3;
        graze_mesh *mesh;
        assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
        graze_placed_mesh query = {mesh, NULL, graze_pose_identity()};
        double least = INFINITY;
        for (size_t i = 0; i < OBJECTS; i++)
        {
            graze_placed_mesh object = placed(f, i);
            graze_distance distance;
            assert_int_equal(graze_pair_distance(NULL, &query, &object, NULL, &distance), GRAZE_STATUS_OK);
            least = fmin(least, distance.distance);
            if (f->names[i].index == nearest.object.index)
                assert_true(fabs(distance.distance - nearest.distance.distance) <= 1e-13);
        }
        assert_true(fabs(least - nearest.distance.distance) <= 1e-13);
        apart += least > 0;
        assert_int_equal(graze_scene_nearest_to_point(f->scene, point, 0.5 * least, NULL, NULL, &nearest),
                         GRAZE_STATUS_OK);
        assert_int_equal(nearest.distance.found, least == 0);
        graze_mesh_destroy(mesh);
    }
    assert_true(apart > 40);
}

/* Many small objects, in clusters of all sizes, and queries with and without limits: the candidates of the broad phase
   must include the nearest object. */
static void the_nearest_of_many_is_the_nearest(void **state)
{
    (void)state;
    enum
    {
        MANY = 700
    };
    test_random random = test_random_start("the_nearest_of_many_is_the_nearest", 16);
    graze_mesh *mesh;
    graze_scene *scene;
    graze_object names[MANY];
    graze_pose poses[MANY];
    assert_int_equal(graze_mesh_create_box(NULL, 0.1, 0.2, 0.3, 1, &mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
    for (size_t i = 0; i < MANY; i++)
    {
        graze_object_def def = graze_object_def_default();
        def.mesh = mesh;
        def.layer = (uint8_t)(i % 5 == 0);
        def.pose = poses[i] = scene_random_pose(&random, ldexp(1, random_between(&random, -3, 6)));
        assert_int_equal(graze_scene_add(scene, &def, &names[i]), GRAZE_STATUS_OK);
    }
    assert_int_equal(graze_scene_update(scene, NULL, NULL), GRAZE_STATUS_OK);
    size_t found = 0, none = 0;
    for (int round = 0; round < 60; round++)
    {
        graze_placed_mesh query = {mesh, NULL, scene_random_pose(&random, ldexp(1, random_between(&random, -3, 8)))};
        double limit = round % 2 == 0 ? INFINITY : ldexp(1, random_between(&random, -6, 5)), least = INFINITY;
        graze_scene_filter filter = graze_scene_filter_default();
        filter.layers = round % 3 == 0 ? 2 : UINT64_MAX;
        graze_nearest_object nearest;
        if (round == 30) /* boxes that no update has processed yet do not mislead */
            assert_int_equal(graze_scene_move(scene, names[0], &poses[1]), GRAZE_STATUS_OK);
        assert_int_equal(graze_scene_nearest_to_mesh(scene, &query, limit, &filter, NULL, &nearest), GRAZE_STATUS_OK);
        for (size_t i = 0; i < MANY; i++)
        {
            graze_placed_mesh object = {mesh, NULL, poses[i]};
            graze_distance distance;
            if (round % 3 == 0 && i % 5 != 0)
                continue;
            assert_int_equal(graze_pair_distance(NULL, &query, &object, NULL, &distance), GRAZE_STATUS_OK);
            least = fmin(least, distance.distance);
        }
        assert_int_equal(nearest.distance.found, least <= limit);
        if (nearest.distance.found)
            assert_true(fabs(least - nearest.distance.distance) <= 1e-12 * (1 + least));
        found += nearest.distance.found;
        none += !nearest.distance.found;
    }
    assert_true(found > 30 && none > 3);
    graze_scene_destroy(scene);
    graze_mesh_destroy(mesh);
}

static void close_pairs_are_those_within_the_clearance(void **state)
{
    fixture *f = *state;
    graze_close_pair pairs[OBJECTS * OBJECTS / 2];
    for (int step = 0; step < 3; step++)
    {
        double clearance = 0.1 * step;
        size_t count, next = 0;
        assert_int_equal(graze_scene_close_pairs(f->scene, clearance, NULL, pairs, OBJECTS * OBJECTS / 2, &count),
                         GRAZE_STATUS_OK);
        for (size_t i = 0; i < OBJECTS; i++)
        {
            for (size_t j = i + 1; j < OBJECTS; j++)
            {
                graze_placed_mesh a = placed(f, i), b = placed(f, j);
                bool close;
                assert_int_equal(graze_pair_tolerance_any(NULL, &a, &b, clearance, NULL, &close, NULL),
                                 GRAZE_STATUS_OK);
                if (!close)
                    continue;
                assert_true(next < count);
                assert_int_equal(pairs[next].a.index, f->names[i].index);
                assert_int_equal(pairs[next].b.index, f->names[j].index);
                next++;
            }
        }
        assert_int_equal(next, count);
        assert_true(count > 20);
    }
}

static void filters_leave_out_layers_and_families(void **state)
{
    const fixture *f = *state;
    graze_scene *scene;
    assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
    graze_object_def def = graze_object_def_default();
    def.mesh = f->scene_meshes.meshes[3];
    graze_object names[3];
    for (uint32_t i = 0; i < 3; i++)
    {
        def.layer = i;
        assert_int_equal(graze_scene_add(scene, &def, &names[i]), GRAZE_STATUS_OK);
        if (i == 0)
            def.parent = names[0];
        else
            def.parent = (graze_object){0, 0};
    }
    graze_placed_mesh query = {f->scene_meshes.meshes[3], NULL, graze_pose_translation(0.5, 0, 0)};
    size_t count;
    assert_int_equal(graze_scene_collide_mesh(scene, &query, NULL, NULL, NULL, 0, &count), GRAZE_STATUS_OK);
    assert_int_equal(count, 0); /* nothing is placed before the first update */
    assert_int_equal(graze_scene_collide_object(scene, names[0], NULL, NULL, NULL, 0, &count), GRAZE_STATUS_BAD_INDEX);
    assert_int_equal(graze_scene_update(scene, NULL, NULL), GRAZE_STATUS_OK);
    graze_scene_filter filter = graze_scene_filter_default();
    assert_int_equal(graze_scene_collide_mesh(scene, &query, &filter, NULL, NULL, 0, &count), GRAZE_STATUS_OK);
    assert_int_equal(count, 3);
    filter.layers = 4;
    assert_int_equal(graze_scene_collide_mesh(scene, &query, &filter, NULL, NULL, 0, &count), GRAZE_STATUS_OK);
    assert_int_equal(count, 1);
    filter = graze_scene_filter_default();
    filter.except = names[0];
    assert_int_equal(graze_scene_collide_mesh(scene, &query, &filter, NULL, NULL, 0, &count), GRAZE_STATUS_OK);
    assert_int_equal(count, 1);
    graze_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(meshes_and_objects_meet_what_they_meet),
                                       cmocka_unit_test(boxes_and_points_meet_what_they_meet),
                                       cmocka_unit_test(a_point_on_a_surface_meets_it),
                                       cmocka_unit_test(rays_meet_what_long_segments_meet),
                                       cmocka_unit_test(the_nearest_is_the_nearest),
                                       cmocka_unit_test(the_nearest_of_many_is_the_nearest),
                                       cmocka_unit_test(close_pairs_are_those_within_the_clearance),
                                       cmocka_unit_test(filters_leave_out_layers_and_families)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
