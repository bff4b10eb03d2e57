/* SPDX-License-Identifier: MIT */
/*
 * Balls, capsules and curved bodies at meshes: shortest ways out, also slanted ones; triangles and contacts that hits
 * name; distances beyond the limit; single allocations that fail anywhere.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graze/exact.h"
#include "graze/generate.h"
#include "graze/pair.h"
#include "graze/shape_query.h"
#include "support/failing_allocator.h"
#include "support/unit.h"

static graze_shape *mesh_shape(const graze_context *context, const graze_mesh *mesh, bool solid)
{
    graze_shape *shape;
    assert_int_equal(graze_shape_create_mesh(context, mesh, NULL, solid, &shape), GRAZE_STATUS_OK);
    return shape;
}

static graze_shape_depth depth_of(const graze_placed *a, const graze_placed *b)
{
    graze_shape_depth depth;
    assert_int_equal(graze_shape_pair_depth(NULL, a, b, NULL, &depth), GRAZE_STATUS_OK);
    assert_int_equal(depth.overlap, GRAZE_VERDICT_YES);
    return depth;
}

static void check_way(const graze_shape_depth *depth, const double way[3], double error)
{
    double length = 0;
    for (int k = 0; k < 3; k++)
    {
        length = hypot(length, way[k]);
        assert_true(fabs(depth->translation[k] - way[k]) <= error);
    }
    assert_true(depth->lower <= length * (1 + 1e-12) && depth->upper >= length * (1 - 1e-12));
    assert_true(depth->upper <= length + error && depth->lower >= length - error);
}

/* A ball of radius 1 whose centre is 0.6 from a corner, along (2, 3, 6) / 7: the boxes around both are 0.48 deep at
   least. */
static void balls_leave_meshes_along_the_line_of_closest_points(void **state)
{
    (void)state;
    static const double along[3] = {2 / 7.0, 3 / 7.0, 6 / 7.0};
    double centre[3], way[3], back[3];
    graze_mesh *mesh;
    graze_shape *ball;
    assert_int_equal(graze_mesh_create_box(NULL, 8, 8, 8, 3, &mesh), GRAZE_STATUS_OK);
    graze_shape *box = mesh_shape(NULL, mesh, true);
    for (int k = 0; k < 3; k++)
    {
        centre[k] = 4 + 0.6 * along[k];
        way[k] = 0.4 * along[k];
        back[k] = -way[k];
    }
    assert_int_equal(graze_shape_create_sphere(NULL, centre, 1, &ball), GRAZE_STATUS_OK);
    const graze_placed a = {box, graze_pose_identity()}, b = {ball, graze_pose_identity()};
    graze_shape_depth depth = depth_of(&a, &b), turned = depth_of(&b, &a);
    check_way(&depth, way, 1e-9);
    check_way(&turned, back, 1e-9);
    graze_shape_destroy(ball);
    graze_shape_destroy(box);
    graze_mesh_destroy(mesh);
}

/* A capsule along an edge of a box that is turned by 45 degrees: its axis is 0.5 below a face. The boxes around both
   are deeper. */
static void capsules_leave_meshes_along_a_way_out_of_their_axis(void **state)
{
    (void)state;
    static const double quaternion[4] = {0.92387953251128674, 0, 0, 0.38268343236508978}, place[3] = {0, 0, 0};
    static const double ends[2][3] = {{3.5, 0, -1}, {3.5, 0, 1}};
    graze_mesh *mesh;
    graze_shape *capsule;
    graze_pose pose;
    assert_int_equal(graze_mesh_create_box(NULL, 8, 8, 8, 2, &mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_capsule(NULL, ends, 0.25, &capsule), GRAZE_STATUS_OK);
    assert_int_equal(graze_pose_from_quaternion(quaternion, place, &pose), GRAZE_STATUS_OK);
    graze_shape *box = mesh_shape(NULL, mesh, true);
    const graze_placed a = {box, pose}, b = {capsule, pose};
    graze_shape_depth depth = depth_of(&a, &b);
    double length = 0;
    for (int k = 0; k < 3; k++)
        length = hypot(length, depth.translation[k]);
    assert_true(depth.lower <= 0.75 && depth.upper >= 0.75 * (1 - 1e-9) && depth.upper < 0.9);
    assert_true(fabs(length - depth.upper) < 1e-9 && fabs(depth.translation[0] - depth.translation[1]) < 0.2);
    graze_shape_destroy(capsule);
    graze_shape_destroy(box);
    graze_mesh_destroy(mesh);
}

/* A ball that is one unit in the last place deep, and one whose way out is beyond the range of doubles. */
static void depths_of_balls_are_bounded_at_the_ends(void **state)
{
    (void)state;
    static const double origin[3] = {0, 0, 0};
    graze_mesh *mesh;
    graze_shape *balls[2];
    assert_int_equal(graze_mesh_create_box(NULL, 8, 8, 8, 2, &mesh), GRAZE_STATUS_OK);
    graze_shape *box = mesh_shape(NULL, mesh, true);
    assert_int_equal(graze_shape_create_sphere(NULL, origin, 1, &balls[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_sphere(NULL, origin, DBL_MAX, &balls[1]), GRAZE_STATUS_OK);
    const graze_placed a = {box, graze_pose_identity()};
    const graze_placed b = {balls[0], graze_pose_translation(0.25, 0.5, 5 - 0x1p-50)};
    const graze_placed c = {balls[1], graze_pose_translation(DBL_MAX, 0, 0)};
    graze_shape_depth depth = depth_of(&a, &b);
    int overlaps = 0;
    assert_true(depth.lower <= 0x1p-50 && depth.upper >= 0x1p-50 && depth.upper < 1e-9 && depth.depth_lower <= 0x1p-50);
    /* Beside a corner, by less than the rounding of a length. */
    for (int i = 1; i <= 16; i++)
    {
        double centre[3] = {4 + 0.1 * i, 4 + 0.3, 4 + 0.7}, square = 0;
        for (int k = 0; k < 3; k++)
            square += (centre[k] - 4) * (centre[k] - 4);
        graze_shape *ball;
        assert_int_equal(graze_shape_create_sphere(NULL, centre, sqrt(square), &ball), GRAZE_STATUS_OK);
        const graze_placed beside = {ball, graze_pose_identity()};
        assert_int_equal(graze_shape_pair_depth(NULL, &a, &beside, NULL, &depth), GRAZE_STATUS_OK);
        assert_true(depth.lower >= 0 && depth.lower < 1e-14 && depth.depth_lower < 1e-14);
        overlaps += depth.overlap == GRAZE_VERDICT_YES;
        graze_shape_destroy(ball);
    }
    assert_in_range(overlaps, 4, 12);
    depth = depth_of(&a, &c);
    assert_true(depth.upper == INFINITY);
    for (int k = 0; k < 3; k++)
        assert_true(depth.translation[k] == 0);
    graze_shape_destroy(balls[0]);
    graze_shape_destroy(balls[1]);
    graze_shape_destroy(box);
    graze_mesh_destroy(mesh);
}

static void corners_of(const graze_mesh *mesh, const graze_pose *pose, uint32_t triangle, graze_placed_triangle *out)
{
    assert_true(triangle < graze_mesh_triangle_count(mesh));
    for (size_t c = 0; c < 3; c++)
        out->corners[c] = graze_mesh_vertices(mesh) + 3 * (size_t)graze_mesh_triangles(mesh)[3 * (size_t)triangle + c];
    out->pose = pose;
}

static void check_named(const graze_mesh *mesh, const graze_pose *a, const graze_pose *b, const graze_shape_hit *hit)
{
    graze_placed_triangle x, y;
    corners_of(mesh, a, hit->triangle_a, &x);
    corners_of(mesh, b, hit->triangle_b, &y);
    graze_triangle_contact contact = graze_triangle_collide(&x, &y);
    assert_true(contact.found);
    assert_memory_equal(&contact, &hit->contact, sizeof contact);
}

static const graze_triangle_contact no_contact;

/* Two meshes that meet name a pair of triangles, also where corners lie inside; with a box there is no contact of
   triangles in either order. */
static void hits_name_triangles_of_meshes_only(void **state)
{
    (void)state;
    static const double size[3] = {2, 2, 2};
    graze_mesh *mesh;
    graze_shape *box;
    int hits = 0, listed = 0;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 3, &mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_box(NULL, size, &box), GRAZE_STATUS_OK);
    graze_shape *ball = mesh_shape(NULL, mesh, true);
    for (int step = 0; step < 9; step++)
    {
        const graze_pose pose = graze_pose_translation(0.25 * step, 0.125, 0);
        const graze_placed a = {ball, graze_pose_identity()}, b = {ball, pose}, c = {box, pose};
        const graze_placed_mesh x = {mesh, NULL, a.pose}, y = {mesh, NULL, pose};
        graze_verdict verdict;
        graze_shape_hit hit, many[64];
        graze_shape_counts counts;
        bool found;
        assert_int_equal(graze_shape_pair_any(NULL, &a, &b, NULL, &verdict, &hit), GRAZE_STATUS_OK);
        assert_int_equal(graze_pair_any(NULL, &x, &y, NULL, &found, NULL), GRAZE_STATUS_OK);
        if (found)
        {
            hits++;
            assert_int_equal(verdict, GRAZE_VERDICT_YES);
            check_named(mesh, &a.pose, &pose, &hit);
        }
        for (int round = 0; round < 4; round++) /* with a cache arguments keep their order */
        {
            const graze_placed *first = round % 2 == 0 ? &a : &c, *second = round % 2 == 0 ? &c : &a;
            graze_shape_cache cache = graze_shape_cache_default();
            graze_shape_options options = graze_shape_options_default();
            options.cache = round < 2 ? NULL : &cache;
            assert_int_equal(graze_shape_pair_any(NULL, first, second, &options, &verdict, &hit), GRAZE_STATUS_OK);
            if (verdict == GRAZE_VERDICT_YES)
                assert_memory_equal(&hit.contact, &no_contact, sizeof hit.contact);
            assert_int_equal(graze_shape_pair_gather(NULL, first, second, NULL, many, 64, &counts), GRAZE_STATUS_OK);
            for (uint64_t i = 0; i < counts.hits && i < 64; i++, listed++)
                assert_memory_equal(&many[i].contact, &no_contact, sizeof hit.contact);
        }
    }
    assert_true(hits > 5 && listed > 50);
    graze_shape_destroy(ball);
    graze_shape_destroy(box);
    graze_mesh_destroy(mesh);
}

/* What is found beyond a limit is what graze_pair_distance finds. */
static void bounds_beyond_the_limit_are_those_of_meshes(void **state)
{
    (void)state;
    static const double limits[4] = {0, 0.25, 0.3, 1};
    graze_mesh *mesh;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 3, &mesh), GRAZE_STATUS_OK);
    graze_shape *ball = mesh_shape(NULL, mesh, false);
    for (int i = 0; i < 4; i++)
    {
        const graze_placed a = {ball, graze_pose_identity()}, b = {ball, graze_pose_translation(3.5, 0, 0)};
        const graze_placed_mesh x = {mesh, NULL, a.pose}, y = {mesh, NULL, b.pose};
        graze_shape_distance_options options = graze_shape_distance_options_default();
        graze_distance_options plain = graze_distance_options_default();
        graze_shape_distance d;
        graze_distance expected;
        options.limit = plain.limit = limits[i];
        assert_int_equal(graze_shape_pair_distance(NULL, &a, &b, &options, &d), GRAZE_STATUS_OK);
        assert_int_equal(graze_pair_distance(NULL, &x, &y, &plain, &expected), GRAZE_STATUS_OK);
        assert_true(!d.found && !expected.found && d.lower == fmin(expected.lower, limits[i]));
    }
    graze_shape_destroy(ball);
    graze_mesh_destroy(mesh);
}

/* ---- memory ---- */

enum
{
    KINDS = 6,
    MOST_REQUESTS = 400
};

typedef struct outcome
{
    graze_verdict any, within, ray;
    graze_shape_distance distance;
    graze_shape_depth depth;
    graze_shape_counts counts;
} outcome;

static void make_kinds(const graze_context *context, const graze_mesh *mesh, graze_shape *shapes[KINDS])
{
    static const double ends[2][3] = {{-1, 0, 0}, {1, 0, 0}}, size[3] = {2, 1, 1}, up[3] = {0, 0, 1};
    shapes[0] = mesh_shape(context, mesh, true);
    assert_int_equal(graze_shape_create_capsule(context, ends, 0.5, &shapes[1]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_box(context, size, &shapes[2]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_cylinder(context, 1, 0.5, &shapes[3]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_half_space(context, up, 0.25, &shapes[4]), GRAZE_STATUS_OK);
    const graze_placed parts[2] = {{shapes[1], graze_pose_translation(0, 0, 0.5)}, {shapes[0], graze_pose_identity()}};
    assert_int_equal(graze_shape_create_compound(context, parts, 2, &shapes[5]), GRAZE_STATUS_OK);
}

static graze_status ask(const graze_context *context, const graze_placed *a, const graze_placed *b, int what,
                        outcome *out)
{
    static const double origin[3] = {0.1, 0.2, 9}, direction[3] = {0, 0.01, -1};
    graze_shape_depth_options options = graze_shape_depth_options_default();
    options.max_queries = 5;
    switch (what)
    {
    case 0:
        return graze_shape_pair_any(context, a, b, NULL, &out->any, NULL);
    case 1:
        return graze_shape_pair_tolerance_any(context, a, b, 0.125, NULL, &out->within, NULL);
    case 2:
        return graze_shape_pair_distance(context, a, b, NULL, &out->distance);
    case 3:
        return graze_shape_pair_depth(context, a, b, &options, &out->depth);
    case 4:
        return graze_shape_pair_count(context, a, b, NULL, &out->counts);
    default:
        return graze_shape_cast_ray(context, a, origin, direction, INFINITY, NULL, &out->ray, NULL);
    }
}

/* Fresh shapes make what they need in the query; the first `allowed` requests succeed, and the next one does not. */
static bool ask_without_memory(const graze_mesh *mesh, int kind_a, int kind_b, int what, size_t allowed, outcome *out)
{
    failing_allocator allocator = {.allowed = SIZE_MAX, .once = true};
    graze_context context = failing_allocator_context(&allocator);
    graze_shape *shapes[KINDS];
    make_kinds(&context, mesh, shapes);
    /* A capsule and a box reach the mesh, a cylinder lies inside, and so do they of each other. */
    const graze_placed a = {shapes[kind_a], graze_pose_identity()};
    const graze_placed b = {shapes[kind_b], graze_pose_translation(kind_b == 3 ? 0 : 1.75, 0, 0)};
    size_t made = allocator.requests;
    allocator.allowed = allowed == SIZE_MAX ? SIZE_MAX : made + allowed;
    size_t limit = allocator.allowed;
    memset(out, 0, sizeof *out);
    graze_status status = ask(&context, &a, &b, what, out);
    bool refused = allocator.requests > limit;
    static const outcome zeros;
    if (status != GRAZE_STATUS_OK)
    {
        assert_int_equal(status, GRAZE_STATUS_OUT_OF_MEMORY);
        assert_true(refused);
        assert_memory_equal(out, &zeros, sizeof zeros);
    }
    for (int i = KINDS - 1; i >= 0; i--)
        graze_shape_destroy(shapes[i]);
    assert_int_equal(allocator.live, 0);
    return status == GRAZE_STATUS_OK;
}

static void any_single_allocation_may_fail(void **state)
{
    (void)state;
    graze_mesh *mesh;
    int failed = 0, survived = 0;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 2, 1, &mesh), GRAZE_STATUS_OK);
    for (int kind_a = 0; kind_a < KINDS; kind_a++)
        for (int kind_b = 0; kind_b < KINDS; kind_b++)
            for (int what = 0; what < 6; what++)
            {
                outcome expected, got;
                if (what == 5 && kind_b > 0)
                    continue; /* rays ask for one shape */
                assert_true(ask_without_memory(mesh, kind_a, kind_b, what, SIZE_MAX, &expected));
                int in_a_row = 0;
                for (size_t allowed = 0; in_a_row < 4 && allowed < MOST_REQUESTS; allowed++)
                {
                    bool answered = ask_without_memory(mesh, kind_a, kind_b, what, allowed, &got);
                    in_a_row = answered ? in_a_row + 1 : 0;
                    failed += !answered;
                    survived += answered;
                    if (answered)
                        assert_memory_equal(&got, &expected, sizeof got);
                }
            }
    printf("%d queries failed, %d were answered all the same\n", failed, survived);
    assert_true(failed > 1000);
    graze_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls_leave_meshes_along_the_line_of_closest_points),
        cmocka_unit_test(capsules_leave_meshes_along_a_way_out_of_their_axis),
        cmocka_unit_test(depths_of_balls_are_bounded_at_the_ends),
        cmocka_unit_test(hits_name_triangles_of_meshes_only),
        cmocka_unit_test(bounds_beyond_the_limit_are_those_of_meshes),
        cmocka_unit_test(any_single_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
