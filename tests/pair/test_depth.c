/* SPDX-License-Identifier: MIT */
/*
 * How deep bodies are in one another: known depths come out, both ends of every interval are certified by asking again
 * in another way, and swapping the arguments swaps the answer.
 */
#include "graze/depth.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graze/distance.h"
#include "graze/shapes.h"
#include "graze/tasks.h"
#include "support/bodies.h"
#include "support/failing_allocator.h"
#include "support/oracle.h"
#include "support/oracle_distance.h"
#include "support/placed_shapes.h"
#include "support/unit.h"

static graze_depth depth_of(const graze_placed_mesh *a, const graze_placed_mesh *b)
{
    graze_depth depth;
    assert_int_equal(graze_pair_depth(NULL, a, b, NULL, &depth), GRAZE_STATUS_OK);
    return depth;
}

/* After a way out nothing crosses, no body reaches into the other, and the way is no longer than it says. */
static void check_way_out(const graze_placed_mesh *a, const graze_placed_mesh *b, const graze_depth *depth)
{
    for (int mover = 0; mover < 2; mover++)
    {
        graze_placed_mesh moved[2] = {*a, *b};
        double length_sq = 0;
        for (int axis = 0; axis < 3; axis++)
        {
            double step = mover == 1 ? depth->translation[axis] : -depth->translation[axis];
            double before = moved[mover].pose.m[4 * axis + 3];
            moved[mover].pose.m[4 * axis + 3] = before + step;
            length_sq += (before + step - before) * (before + step - before);
        }
        assert_true(sqrt(length_sq) <= depth->upper * (1 + 1e-14));
        graze_pair_counts counts;
        graze_verdict overlap;
        graze_solid_answer solid;
        assert_int_equal(graze_pair_count(NULL, &moved[0], &moved[1], NULL, &counts), GRAZE_STATUS_OK);
        assert_int_equal(counts.crossing, 0);
        assert_int_equal(graze_pair_overlap(NULL, &moved[0], &moved[1], NULL, &overlap), GRAZE_STATUS_OK);
        assert_int_equal(overlap, GRAZE_VERDICT_NO);
        assert_int_equal(graze_pair_solid(NULL, &moved[0], &moved[1], &solid), GRAZE_STATUS_OK);
        assert_true(solid.containment == GRAZE_CONTAINMENT_NONE || solid.containment == GRAZE_CONTAINMENT_UNKNOWN);
    }
}

/* The point that bounds the depth from below lies in the other body, in rationals, and as far from its surface. */
static void check_deep_point(oracle *judge, test_random *random, const graze_placed_mesh *a, const graze_placed_mesh *b,
                             const graze_depth *depth)
{
    const graze_placed_mesh *other = depth->inside_b ? b : a;
    const oracle_mesh mesh = {graze_mesh_vertices(other->mesh), graze_mesh_triangles(other->mesh),
                              graze_mesh_triangle_count(other->mesh), &other->pose};
    assert_int_equal(oracle_point_in_body(judge, &mesh, true, depth->point, random), GRAZE_LOCATION_INSIDE);
    const graze_placed_triangle point = {{depth->point, depth->point, depth->point}, NULL};
    mpq_t distance_sq;
    mpq_init(distance_sq);
    for (size_t t = 0; t < mesh.triangle_count; t++)
    {
        graze_placed_triangle triangle = {.pose = &other->pose};
        for (size_t k = 0; k < 3; k++)
            triangle.corners[k] = mesh.vertices + 3 * (size_t)mesh.triangles[3 * t + k];
        oracle_distance_sq(judge, &point, &triangle, distance_sq);
        assert_true(oracle_compare_distance(depth->lower, distance_sq) <= 0);
    }
    mpq_clear(distance_sq);
}

/* The point of A, or of B, lies in its own body or next to its surface. */
static void check_whose_point(const graze_placed_mesh *a, const graze_placed_mesh *b, const graze_depth *depth)
{
    const graze_placed_mesh *own = depth->inside_b ? a : b;
    uint32_t triangle = depth->inside_b ? depth->triangle_a : depth->triangle_b;
    graze_location location;
    double p[3][3];
    if (triangle == UINT32_MAX)
    {
        assert_int_equal(graze_point_in_mesh(NULL, own, depth->point, &location), GRAZE_STATUS_OK);
        assert_int_equal(location, GRAZE_LOCATION_INSIDE);
        return;
    }
    for (size_t k = 0; k < 3; k++)
        graze_pose_apply(&own->pose,
                         graze_mesh_vertices(own->mesh) +
                             3 * (size_t)graze_mesh_triangles(own->mesh)[3 * (size_t)triangle + k],
                         p[k]);
    const graze_placed_triangle at = {{depth->point, depth->point, depth->point}, NULL};
    const graze_placed_triangle on = {{p[0], p[1], p[2]}, NULL};
    oracle *judge = oracle_create();
    mpq_t distance_sq;
    mpq_init(distance_sq);
    oracle_distance_sq(judge, &at, &on, distance_sq);
    double size = 1;
    for (int k = 0; k < 3; k++)
        size = fmax(size, fmax(fabs(p[k][0]), fmax(fabs(p[k][1]), fabs(p[k][2]))));
    assert_true(oracle_compare_distance(size * 1e-13, distance_sq) >= 0);
    mpq_clear(distance_sq);
    oracle_destroy(judge);
}

static graze_mesh *box_of(double x0, double y0, double z0, double x1, double y1, double z1)
{
    const double lower[3] = {x0, y0, z0}, upper[3] = {x1, y1, z1};
    return body_box(lower, upper);
}

static graze_depth depth_of_boxes(const double first[6], const double second[6], const graze_pose *pose)
{
    graze_mesh *box_a = body_box(first, first + 3), *box_b = body_box(second, second + 3);
    graze_placed_mesh a = {box_a, NULL, *pose}, b = {box_b, NULL, *pose};
    graze_depth depth = depth_of(&a, &b);
    if (depth.upper > 0)
        check_way_out(&a, &b, &depth);
    graze_mesh_destroy(box_a);
    graze_mesh_destroy(box_b);
    return depth;
}

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        printf("%.17g is not %.17g\n", value, expected);
    assert_true(fabs(value - expected) <= tolerance);
}

static void boxes_have_the_depth_one_can_see(void **state)
{
    (void)state;
    const double block[6] = {0, 0, 0, 100, 100, 200};
    const struct
    {
        double box[6], lower, upper;
    } cases[] = {
        {{0, 0, 150, 100, 100, 350}, 50, 50}, /* coaxial, flush on four sides */
        {{10, 20, 190, 60, 70, 300}, 10, 10}, /* a smaller one sunk into an end */
        {{40, 40, 40, 60, 60, 60}, 50, 60},   /* within: as far as its farther side from the nearest wall */
        {{99, 99, 199, 200, 200, 300}, 1, 1}, /* corner in corner */
        {{-10, 40, 40, 110, 60, 60}, 50, 60}, /* a bar right through: its middle is 50 deep */
        {{0, 0, 0, 100, 100, 200}, 50, 100},  /* the same box again */
    };
    graze_pose still = graze_pose_identity(), far_off = graze_pose_translation(8e4, 1.2e6, -3e5), turned;
    const double axis[3] = {1, -2, 0.5}, there[3] = {7, 8, 9};
    assert_int_equal(graze_pose_from_axis_angle(axis, 0.8, there, &turned), GRAZE_STATUS_OK);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
        graze_depth depth = depth_of_boxes(block, cases[i].box, &still);
        assert_int_equal(depth.overlap, GRAZE_VERDICT_YES);
        assert_true(depth.lower <= cases[i].lower && depth.upper == cases[i].upper);
        assert_near(depth.lower, cases[i].lower, 0.01 * cases[i].lower);
        depth = depth_of_boxes(block, cases[i].box, &far_off);
        assert_near(depth.lower, cases[i].lower, 0.01 * cases[i].lower);
        assert_true(depth.upper == cases[i].upper);
        depth = depth_of_boxes(block, cases[i].box, &turned);
        assert_near(depth.lower, cases[i].lower, 0.01 * cases[i].lower);
        assert_near(depth.upper, cases[i].upper, 1e-9);
    }
}

static void what_touches_or_is_apart_has_no_depth(void **state)
{
    (void)state;
    const double block[6] = {0, 0, 0, 100, 100, 200};
    const double others[4][6] = {{0, 0, 200, 100, 100, 300},
                                 {100, 100, 50, 200, 200, 100},
                                 {100, 100, 200, 200, 200, 300},
                                 {0, 0, 201, 100, 100, 300}};
    graze_pose still = graze_pose_identity();
    for (int i = 0; i < 4; i++)
    {
        graze_depth depth = depth_of_boxes(block, others[i], &still);
        assert_int_equal(depth.overlap, GRAZE_VERDICT_NO);
        assert_true(depth.lower == 0 && depth.upper == 0 && depth.reached);
    }
}

static void spheres_are_as_deep_as_they_were_pushed(void **state)
{
    (void)state;
    const uint64_t seed = 71;
    printf("seed %d\n", (int)seed);
    grz_random random = grz_random_make(seed);
    graze_mesh *sphere = NULL;
    graze_tree *tree = NULL;
    size_t reached = 0;
    assert_int_equal(graze_make_geodesic(NULL, 1, 8, &sphere), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, sphere, NULL, &tree), GRAZE_STATUS_OK);
    for (int round = 0; round < 40; round++)
    {
        graze_placed_mesh a = {sphere, tree, placed_pose(&random, 5)}, b = {sphere, tree, placed_pose(&random, 1)};
        double scale = round % 2 == 0 ? 1 : grz_random_between(&random, 0.1, 10), push = 0, direction[3];
        for (int k = 0; k < 3; k++)
        {
            direction[k] = grz_random_between(&random, -1, 1);
            push += direction[k] * direction[k];
        }
        double depth_meant = scale * grz_random_between(&random, 0.05, 0.5);
        for (int k = 0; k < 12; k++)
        {
            a.pose.m[k] *= scale;
            b.pose.m[k] *= scale;
        }
        for (int k = 0; k < 3; k++)
            b.pose.m[4 * k + 3] = a.pose.m[4 * k + 3] + direction[k] / sqrt(push) * (2 * scale - depth_meant);
        graze_depth depth = depth_of(&a, &b);
        /* The sagitta of the triangles is 0.7 % of the radius. */
        assert_true(depth.lower <= depth_meant && depth.upper <= depth_meant * 1.001);
        assert_true(depth.lower >= depth_meant - 0.03 * scale);
        assert_true(depth.upper - depth.lower <= 0.01 * scale);
        reached += depth.reached;
        check_way_out(&a, &b, &depth);
    }
    printf("%zu reached\n", reached); /* an edge through an edge has no point as deep as the way out */
    assert_true(reached > 25);
    graze_tree_destroy(tree);
    graze_mesh_destroy(sphere);
}

static void a_bolt_too_thick_for_its_hole_comes_out_along_its_axis(void **state)
{
    (void)state;
    enum
    {
        CORNERS = 32
    };
    double plate_points[2 * (4 + CORNERS)] = {-5, -5, 5, -5, 5, 5, -5, 5};
    const uint32_t sizes[2] = {4, CORNERS};
    for (int i = 0; i < CORNERS; i++)
    {
        plate_points[8 + 2 * i] = cos(i * (3.14159265358979323846 / 16));
        plate_points[9 + 2 * i] = sin(i * (3.14159265358979323846 / 16));
    }
    graze_mesh *plate = NULL, *bolt = NULL;
    assert_int_equal(graze_make_extrusion(NULL, plate_points, sizes, 2, 1, NULL, &plate), GRAZE_STATUS_OK);
    assert_int_equal(graze_make_cylinder(NULL, 1.02, 6, CORNERS, 1, &bolt), GRAZE_STATUS_OK);
    graze_placed_mesh a = {plate, NULL, graze_pose_identity()}, b = {bolt, NULL, graze_pose_translation(0, 0, 0.75)};
    graze_depth depth = depth_of(&a, &b);
    assert_near(depth.lower, 0.02, 0.0005);
    assert_near(depth.upper, 3.25, 1e-9); /* from -2.25 up to 1 */
    assert_true(depth.translation[2] > 3);
    assert_false(depth.reached);
    check_way_out(&a, &b, &depth);
    graze_mesh_destroy(plate);
    graze_mesh_destroy(bolt);
}

static void assert_swapped(const graze_depth *x, const graze_depth *y)
{
    assert_int_equal(x->overlap, y->overlap);
    assert_true(x->lower == y->lower && x->upper == y->upper && x->queries == y->queries && x->reached == y->reached);
    for (int k = 0; k < 3; k++)
        assert_true(x->translation[k] == -y->translation[k]);
    if (x->lower > 0)
    {
        assert_int_equal(x->inside_b, !y->inside_b);
        assert_memory_equal(x->point, y->point, sizeof x->point);
        assert_memory_equal(x->nearest, y->nearest, sizeof x->nearest);
        assert_int_equal(x->triangle_a, y->triangle_b);
        assert_int_equal(x->triangle_b, y->triangle_a);
    }
}

static void both_ends_of_the_interval_are_certain(void **state)
{
    (void)state;
    const uint64_t seed = 72;
    printf("seed %d\n", (int)seed);
    grz_random random = grz_random_make(seed);
    test_random rays = {seed};
    placed_shapes *shapes = placed_shapes_create();
    oracle *judge = oracle_create();
    graze_pool *pool = NULL;
    assert_int_equal(graze_pool_create(NULL, 2, &pool), GRAZE_STATUS_OK);
    graze_context threaded = graze_context_default();
    threaded.tasks = graze_pool_tasks(pool);
    size_t deep = 0, reached = 0, within = 0, judged = 0;
    for (int round = 0; round < 80; round++)
    {
        /* the last of the shapes is not closed */
        size_t i = grz_random_below(&random, PLACED_SHAPES - 1), j = grz_random_below(&random, PLACED_SHAPES - 1);
        graze_placed_mesh a = {shapes->meshes[i], shapes->trees[i][0], placed_pose(&random, 0.7)};
        graze_placed_mesh b = {shapes->meshes[j], shapes->trees[j][1], placed_pose(&random, 0.7)};
        graze_depth depth = depth_of(&a, &b), swapped = depth_of(&b, &a), other;
        assert_swapped(&depth, &swapped);
        threaded.instructions = round % 2 == 0 ? GRAZE_INSTRUCTIONS_SCALAR : GRAZE_INSTRUCTIONS_SSE2;
        assert_int_equal(graze_pair_depth(&threaded, &a, &b, NULL, &other), GRAZE_STATUS_OK);
        assert_memory_equal(&depth, &other, sizeof depth);
        assert_true(depth.lower <= depth.upper);
        if (depth.overlap == GRAZE_VERDICT_NO)
            continue;
        assert_int_equal(depth.reached, depth.upper <= 1.01 * depth.lower);
        check_way_out(&a, &b, &depth);
        if (depth.lower > 0 && judged < 25)
        {
            check_deep_point(judge, &rays, &a, &b, &depth);
            check_whose_point(&a, &b, &depth);
            judged++;
        }
        deep += depth.lower > 0;
        reached += depth.reached;
        within += depth.triangle_a == UINT32_MAX || depth.triangle_b == UINT32_MAX;
    }
    printf("%zu deep, %zu reached, %zu within\n", deep, reached, within);
    assert_true(deep > 30 && reached > 5 && judged > 20);
    oracle_destroy(judge);
    graze_pool_destroy(pool);
    placed_shapes_destroy(shapes);
}

static void no_point_of_one_surface_is_deeper_in_the_other_than_the_way_out(void **state)
{
    (void)state;
    const uint64_t seed = 73;
    printf("seed %d\n", (int)seed);
    grz_random random = grz_random_make(seed);
    placed_shapes *shapes = placed_shapes_create();
    size_t compared = 0, close = 0;
    for (int round = 0; round < 20; round++)
    {
        size_t i = grz_random_below(&random, 2), j = 3 + grz_random_below(&random, 3);
        graze_placed_mesh a = {shapes->meshes[i], shapes->trees[i][0], placed_pose(&random, 0.7)};
        graze_placed_mesh b = {shapes->meshes[j], shapes->trees[j][0], placed_pose(&random, 0.7)};
        graze_depth depth = depth_of(&a, &b);
        double deepest = 0;
        for (size_t v = 0; v < graze_mesh_vertex_count(a.mesh); v++)
        {
            double point[3];
            graze_location location;
            graze_distance distance;
            graze_pose_apply(&a.pose, graze_mesh_vertices(a.mesh) + 3 * v, point);
            assert_int_equal(graze_point_in_mesh(NULL, &b, point, &location), GRAZE_STATUS_OK);
            if (location != GRAZE_LOCATION_INSIDE)
                continue;
            const uint32_t corners[3] = {0, 0, 0};
            graze_mesh *probe = body_of_triangles(&point, 1, corners, 1);
            graze_placed_mesh placed = {probe, NULL, graze_pose_identity()};
            assert_int_equal(graze_pair_distance(NULL, &placed, &b, NULL, &distance), GRAZE_STATUS_OK);
            deepest = fmax(deepest, distance.lower);
            graze_mesh_destroy(probe);
        }
        assert_true(deepest <= depth.upper);
        assert_true(deepest <= depth.lower * 1.02 + 1e-12 || !depth.reached); /* found, or something as deep */
        compared += deepest > 0;
        close += deepest > 0 && depth.lower >= 0.99 * deepest;
    }
    printf("%zu compared, %zu as deep\n", compared, close);
    assert_true(compared > 8 && close + 2 >= compared);
    placed_shapes_destroy(shapes);
}

static void surfaces_that_bound_nothing_have_a_way_apart(void **state)
{
    (void)state;
    double vertices[4][3] = {{-3, -3, 0}, {3, -3, 0}, {3, 3, 0}, {-3, 3, 0}};
    const uint32_t corners[6] = {0, 1, 2, 0, 2, 3};
    graze_mesh *sheet = body_of_triangles(vertices, 4, corners, 2), *box = box_of(-1, -1, -0.25, 1, 1, 2);
    graze_placed_mesh a = {sheet, NULL, graze_pose_identity()}, b = {box, NULL, graze_pose_identity()};
    graze_depth depth = depth_of(&a, &b);
    assert_int_equal(depth.overlap, GRAZE_VERDICT_YES);
    assert_near(depth.lower, 0.25, 0.0025); /* the sheet within the box */
    assert_true(depth.upper == 0.25);
    graze_pose_from_axis_angle((const double[3]){1, 0, 0}, 1, NULL, &b.pose);
    b.mesh = sheet; /* two sheets cross: nothing is inside anything */
    depth = depth_of(&a, &b);
    assert_int_equal(depth.overlap, GRAZE_VERDICT_YES);
    assert_true(depth.lower == 0 && depth.upper > 0 && depth.upper < 10);
    check_way_out(&a, &b, &depth);
    graze_mesh_destroy(sheet);
    graze_mesh_destroy(box);
}

static void a_budget_widens_the_interval_and_bodies_are_taken_when_at_hand(void **state)
{
    (void)state;
    graze_mesh *shell = NULL;
    graze_tree *tree = NULL;
    assert_int_equal(graze_make_bumpy_shell(NULL, 1, 0.2, 8, 3, &shell), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, shell, NULL, &tree), GRAZE_STATUS_OK);
    graze_placed_mesh a = {shell, tree, graze_pose_identity()}, b = {shell, tree, graze_pose_translation(1, 0.5, 0.3)};
    graze_depth_options options = graze_depth_options_default();
    graze_depth few, many, bodied;
    options.most_queries = 12;
    assert_int_equal(graze_pair_depth(NULL, &a, &b, &options, &few), GRAZE_STATUS_OK);
    options.most_queries = 2000;
    options.relative_error = 0.001;
    assert_int_equal(graze_pair_depth(NULL, &a, &b, &options, &many), GRAZE_STATUS_OK);
    assert_true(few.queries < 40 && many.queries > few.queries);
    assert_true(few.lower <= many.upper && many.lower <= few.upper && many.lower <= many.upper);
    graze_body *body = NULL;
    assert_int_equal(graze_body_create(NULL, shell, &body), GRAZE_STATUS_OK);
    assert_true(graze_body_is_closed(body));
    options.body_a = options.body_b = body;
    assert_int_equal(graze_pair_depth(NULL, &a, &b, &options, &bodied), GRAZE_STATUS_OK);
    assert_memory_equal(&many, &bodied, sizeof many);
    options.seconds = 1e-9;
    assert_int_equal(graze_pair_depth(NULL, &a, &b, &options, &bodied), GRAZE_STATUS_OK);
    assert_true(bodied.lower <= many.upper && bodied.upper >= many.lower);
    graze_body_destroy(body);
    graze_tree_destroy(tree);
    graze_mesh_destroy(shell);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    graze_mesh *first = box_of(0, 0, 0, 4, 4, 8), *second = box_of(0, 0, 6, 4, 4, 14),
               *third = box_of(1, 1, 1, 5, 5, 5);
    graze_placed_mesh a = {first, NULL, graze_pose_identity()}, b = a;
    for (int round = 0; round < 2; round++)
    {
        b.mesh = round == 0 ? second : third;
        graze_depth_options options = graze_depth_options_default();
        options.most_queries = 20;
        size_t failures = 0;
        for (size_t allowed = 0;; allowed++)
        {
            failing_allocator allocator = {.allowed = allowed};
            graze_context context = failing_allocator_context(&allocator);
            graze_depth depth = {.lower = -1};
            graze_status status = graze_pair_depth(&context, &a, &b, &options, &depth);
            assert_int_equal(allocator.live, 0);
            assert_int_equal(status == GRAZE_STATUS_OK, depth.lower >= 0);
            if (status == GRAZE_STATUS_OK)
                break;
            assert_int_equal(status, GRAZE_STATUS_OUT_OF_MEMORY);
            failures++;
        }
        assert_true(failures > 30);
    }
    graze_mesh_destroy(first);
    graze_mesh_destroy(second);
    graze_mesh_destroy(third);
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    graze_mesh *box = box_of(0, 0, 0, 1, 1, 1), *other = box_of(0, 0, 0, 2, 2, 2);
    graze_mesh_def nothing = graze_mesh_def_default();
    graze_mesh *empty = NULL;
    assert_int_equal(graze_mesh_create(NULL, &nothing, NULL, &empty), GRAZE_STATUS_OK);
    graze_body *body = NULL;
    assert_int_equal(graze_body_create(NULL, other, &body), GRAZE_STATUS_OK);
    graze_placed_mesh a = {box, NULL, graze_pose_identity()}, b = a;
    graze_depth depth = {.lower = -1};
    graze_depth_options options = graze_depth_options_default();
    assert_int_equal(graze_pair_depth(NULL, &a, NULL, NULL, &depth), GRAZE_STATUS_BAD_ARGUMENT);
    options.relative_error = -1;
    assert_int_equal(graze_pair_depth(NULL, &a, &b, &options, &depth), GRAZE_STATUS_BAD_ARGUMENT);
    options = graze_depth_options_default();
    options.body_a = body;
    assert_int_equal(graze_pair_depth(NULL, &a, &b, &options, &depth), GRAZE_STATUS_BAD_ARGUMENT);
    b.pose.m[3] = INFINITY;
    assert_int_equal(graze_pair_depth(NULL, &a, &b, NULL, &depth), GRAZE_STATUS_NOT_FINITE);
    assert_true(depth.lower == -1);
    assert_int_equal(graze_body_create(NULL, NULL, &body), GRAZE_STATUS_BAD_ARGUMENT);
    b = (graze_placed_mesh){empty, NULL, graze_pose_identity()};
    depth = depth_of(&a, &b);
    assert_int_equal(depth.overlap, GRAZE_VERDICT_NO);
    graze_body_destroy(body);
    graze_mesh_destroy(box);
    graze_mesh_destroy(other);
    graze_mesh_destroy(empty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_have_the_depth_one_can_see),
        cmocka_unit_test(what_touches_or_is_apart_has_no_depth),
        cmocka_unit_test(spheres_are_as_deep_as_they_were_pushed),
        cmocka_unit_test(a_bolt_too_thick_for_its_hole_comes_out_along_its_axis),
        cmocka_unit_test(both_ends_of_the_interval_are_certain),
        cmocka_unit_test(no_point_of_one_surface_is_deeper_in_the_other_than_the_way_out),
        cmocka_unit_test(surfaces_that_bound_nothing_have_a_way_apart),
        cmocka_unit_test(a_budget_widens_the_interval_and_bodies_are_taken_when_at_hand),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
