/* SPDX-License-Identifier: MIT */
/*
 * The contact region of two meshes: intersection curves of closed surfaces are closed, areas of face contacts equal
 * those computed by hand, and neither the order of the arguments nor trees or threads change a byte.
 */
#include "graze/region.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graze/generate.h"
#include "graze/tasks.h"
#include "support/bodies.h"
#include "support/failing_allocator.h"
#include "support/placed_shapes.h"
#include "support/unit.h"

enum
{
    RUNGS = 1500
};

static graze_region *region_of(const graze_context *context, const graze_placed_mesh *a, const graze_placed_mesh *b)
{
    graze_region *region = NULL;
    assert_int_equal(graze_region_create(context, a, b, NULL, &region), GRAZE_STATUS_OK);
    return region;
}

static void assert_same_numbers(const double *a, const double *b, size_t count)
{
    assert_true(count == 0 || memcmp(a, b, count * sizeof *a) == 0);
}

static void assert_same_regions(const graze_region *a, const graze_region *b)
{
    assert_memory_equal(&a->counts, &b->counts, sizeof a->counts);
    assert_int_equal(a->kind, b->kind);
    assert_memory_equal(&a->bounds, &b->bounds, sizeof a->bounds);
    assert_true(a->length == b->length && a->area == b->area);
    assert_int_equal(a->point_count, b->point_count);
    assert_same_numbers(a->points, b->points, 3 * a->point_count);
    assert_int_equal(a->curve_count, b->curve_count);
    assert_memory_equal(a->curve_starts, b->curve_starts, (a->curve_count + 1) * sizeof *a->curve_starts);
    for (size_t c = 0; c < a->curve_count; c++)
        assert_int_equal(a->curve_closed[c], b->curve_closed[c]);
    assert_same_numbers(a->curve_points, b->curve_points, 3 * a->curve_starts[a->curve_count]);
    assert_int_equal(a->polygon_count, b->polygon_count);
    assert_memory_equal(a->polygon_starts, b->polygon_starts, (a->polygon_count + 1) * sizeof *a->polygon_starts);
    assert_same_numbers(a->polygon_points, b->polygon_points, 3 * a->polygon_starts[a->polygon_count]);
    assert_int_equal(a->component_count, b->component_count);
    for (size_t c = 0; c < a->component_count; c++)
        assert_memory_equal(&a->components[c], &b->components[c], sizeof a->components[c]);
    for (size_t c = 0; c < a->curve_count; c++)
        assert_int_equal(a->curve_components[c], b->curve_components[c]);
}

static size_t open_curves(const graze_region *region)
{
    size_t count = 0;
    for (size_t c = 0; c < region->curve_count; c++)
        count += !region->curve_closed[c];
    return count;
}

static void closed_surfaces_in_general_position_meet_in_closed_curves_only(void **state)
{
    (void)state;
    const uint64_t seed = 51;
    printf("seed %d\n", (int)seed);
    grz_random random = grz_random_make(seed);
    placed_shapes *shapes = placed_shapes_create();
    size_t curves = 0, several = 0;
    for (int round = 0; round < 300; round++)
    {
        /* the last of the shapes is not closed */
        size_t i = grz_random_below(&random, PLACED_SHAPES - 1), j = grz_random_below(&random, PLACED_SHAPES - 1);
        graze_placed_mesh a = {shapes->meshes[i], shapes->trees[i][1], placed_pose(&random, 1)};
        graze_placed_mesh b = {shapes->meshes[j], shapes->trees[j][0], placed_pose(&random, 1)};
        graze_region *region = region_of(NULL, &a, &b);
        assert_int_equal(open_curves(region), 0);
        assert_int_equal(region->polygon_count, 0);
        assert_int_equal(region->point_count, 0);
        for (size_t c = 0; c < region->curve_count; c++)
            assert_true(region->curve_starts[c + 1] - region->curve_starts[c] >= 3);
        assert_int_equal(region->kind, region->counts.pairs > 0 ? GRAZE_CONTACT_EDGE : GRAZE_CONTACT_NONE);
        assert_int_equal(region->bounds.lower[0] <= region->bounds.upper[0], region->counts.pairs > 0);
        curves += region->curve_count;
        several += region->curve_count > 1;
        graze_region_destroy(region);
    }
    assert_true(curves > 100 && several > 20);
    placed_shapes_destroy(shapes);
}

static void swapping_trees_and_threads_change_no_byte(void **state)
{
    (void)state;
    const uint64_t seed = 52;
    printf("seed %d\n", (int)seed);
    grz_random random = grz_random_make(seed);
    placed_shapes *shapes = placed_shapes_create();
    graze_pool *pool = NULL;
    assert_int_equal(graze_pool_create(NULL, 2, &pool), GRAZE_STATUS_OK);
    graze_context threaded = graze_context_default();
    threaded.tasks = graze_pool_tasks(pool);
    size_t polygons = 0, curves = 0, points = 0;
    for (int round = 0; round < 200; round++)
    {
        size_t i = grz_random_below(&random, PLACED_SHAPES), j = grz_random_below(&random, PLACED_SHAPES);
        graze_placed_mesh a = {shapes->meshes[i], shapes->trees[i][0], graze_pose_identity()};
        graze_placed_mesh b = {shapes->meshes[j], shapes->trees[j][2], graze_pose_identity()};
        placed_poses(&random, (unsigned)round % POSE_KINDS, &a.pose, &b.pose);
        graze_region *region = region_of(NULL, &a, &b), *swapped = region_of(&threaded, &b, &a);
        assert_same_regions(region, swapped);
        graze_region_destroy(swapped);
        a.tree = NULL;
        graze_region *slow = region_of(NULL, &a, &b);
        assert_same_regions(region, slow);
        graze_region_destroy(slow);
        polygons += region->polygon_count;
        curves += region->curve_count;
        points += region->point_count;
        graze_region_destroy(region);
    }
    printf("polygons %zu curves %zu points %zu\n", polygons, curves, points);
    assert_true(polygons > 100 && curves > 100);
    graze_pool_destroy(pool);
    placed_shapes_destroy(shapes);
}

static graze_mesh *box_of(double x0, double y0, double z0, double x1, double y1, double z1)
{
    const double lower[3] = {x0, y0, z0}, upper[3] = {x1, y1, z1};
    return body_box(lower, upper);
}

/* A box given by its corners against a block of 100 x 100 x 200. */
static graze_region *against_block(double x0, double y0, double z0, double x1, double y1, double z1)
{
    graze_mesh *first = box_of(0, 0, 0, 100, 100, 200), *second = box_of(x0, y0, z0, x1, y1, z1);
    graze_placed_mesh a = {first, NULL, graze_pose_identity()}, b = {second, NULL, graze_pose_identity()};
    graze_region *region = region_of(NULL, &a, &b), *swapped = region_of(NULL, &b, &a);
    assert_same_regions(region, swapped);
    graze_region_destroy(swapped);
    graze_mesh_destroy(first);
    graze_mesh_destroy(second);
    return region;
}

static void boxes_that_share_a_face_give_its_area(void **state)
{
    (void)state;
    graze_region *region = against_block(0, 0, 200, 100, 100, 300);
    assert_int_equal(region->kind, GRAZE_CONTACT_FACE);
    assert_true(region->area == 10000);
    assert_int_equal(region->curve_count, 0);
    assert_int_equal(region->point_count, 0);
    assert_true(region->bounds.lower[2] == 200 && region->bounds.upper[2] == 200 && region->bounds.upper[0] == 100);
    graze_region_destroy(region);
    region = against_block(25, 50, 200, 175, 125, 300);
    assert_int_equal(region->kind, GRAZE_CONTACT_FACE);
    assert_true(region->area == 75 * 50);
    assert_int_equal(region->counts.crossing, 0);
    graze_region_destroy(region);
    region = against_block(0, 0, 150, 100, 100, 350); /* coaxial, overlapping by 50: four sides lie on one another */
    assert_int_equal(region->kind, GRAZE_CONTACT_FACE);
    assert_true(region->area == 4 * 100 * 50);
    graze_region_destroy(region);
}

static void boxes_that_share_an_edge_or_a_corner_say_so(void **state)
{
    (void)state;
    graze_region *region = against_block(100, 100, 50, 200, 200, 120);
    assert_int_equal(region->kind, GRAZE_CONTACT_EDGE);
    assert_int_equal(region->curve_count, 1);
    assert_false(region->curve_closed[0]);
    assert_true(region->length == 70 && region->area == 0);
    assert_int_equal(region->point_count, 0);
    graze_region_destroy(region);
    region = against_block(100, 100, 200, 200, 200, 220);
    assert_int_equal(region->kind, GRAZE_CONTACT_POINT);
    assert_int_equal(region->point_count, 1);
    assert_true(region->points[0] == 100 && region->points[2] == 200);
    assert_int_equal(region->curve_count, 0);
    graze_region_destroy(region);
    region = against_block(101, 100, 200, 200, 200, 220);
    assert_int_equal(region->kind, GRAZE_CONTACT_NONE);
    assert_int_equal(region->curve_count + region->point_count + region->polygon_count, 0);
    assert_true(region->bounds.lower[0] > region->bounds.upper[0]);
    graze_region_destroy(region);
}

static void a_bar_through_a_block_leaves_two_rings(void **state)
{
    (void)state;
    graze_region *region = against_block(25, 30, -50, 75, 60, 250);
    assert_int_equal(region->curve_count, 2);
    assert_int_equal(open_curves(region), 0);
    assert_true(fabs(region->length - 2 * 160) < 1e-12);
    assert_int_equal(region->kind, GRAZE_CONTACT_EDGE);
    assert_true(region->counts.crossing > 0);
    graze_region_destroy(region);
}

/* Walls along the given lines, each from z = -1 to 1, against the plane z = 0. */
static graze_region *walls_on_ground(double (*places)[2], const uint32_t (*lines)[2], size_t line_count)
{
    double vertices[8][3], ground_vertices[3][3] = {{-10, -10, 0}, {30, -10, 0}, {-10, 30, 0}};
    uint32_t corners[8 * 6];
    const uint32_t ground_corners[3] = {0, 1, 2};
    for (uint32_t v = 0; v < 8; v++)
    {
        memcpy(vertices[v], places[v / 2], sizeof places[0]);
        vertices[v][2] = v % 2 == 0 ? -1 : 1;
    }
    for (size_t w = 0; w < line_count; w++)
    {
        uint32_t p = 2 * lines[w][0], q = 2 * lines[w][1];
        const uint32_t wall[6] = {p, q, p + 1, q, q + 1, p + 1};
        memcpy(corners + 6 * w, wall, sizeof wall);
    }
    graze_mesh *walls = body_of_triangles(vertices, 8, corners, 2 * line_count);
    graze_mesh *ground = body_of_triangles(ground_vertices, 3, ground_corners, 1);
    graze_placed_mesh a = {walls, NULL, graze_pose_identity()}, b = {ground, NULL, graze_pose_identity()};
    graze_region *region = region_of(NULL, &a, &b);
    graze_mesh_destroy(walls);
    graze_mesh_destroy(ground);
    return region;
}

static void curves_end_where_a_surface_does_and_at_junctions(void **state)
{
    (void)state;
    double places[4][2] = {{0, 0}, {4, 0}, {4, 4}, {0, 6}};
    const uint32_t bent[2][2] = {{0, 1}, {1, 2}}, star[4][2] = {{0, 1}, {0, 2}, {0, 3}, {0, 1}};
    const uint32_t kite[4][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}};
    graze_region *region = walls_on_ground(places, bent, 2);
    assert_int_equal(region->curve_count, 1);
    assert_false(region->curve_closed[0]);
    assert_int_equal(region->curve_starts[1], 5); /* each wall is cut along its diagonal */
    assert_true(region->curve_points[0] == 0 && region->curve_points[1] == 0);
    assert_true(region->length == 8);
    graze_region_destroy(region);
    region = walls_on_ground(places, star, 4); /* one wall is there twice, and counts once */
    assert_int_equal(region->counts.pairs, 8);
    assert_int_equal(region->curve_count, 3);
    assert_int_equal(open_curves(region), 3);
    assert_true(fabs(region->length - (10 + sqrt(32))) < 1e-12);
    graze_region_destroy(region);
    region = walls_on_ground(places, kite, 4); /* a ring with a tail at its junction */
    assert_int_equal(region->curve_count, 2);
    assert_int_equal(open_curves(region), 1);
    graze_region_destroy(region);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    graze_mesh *first = box_of(0, 0, 0, 2, 2, 2), *second = box_of(1, 1, 2, 3, 3, 4), *third = box_of(1, 1, 1, 3, 3, 3);
    graze_placed_mesh a = {first, NULL, graze_pose_identity()}, b = {second, NULL, graze_pose_identity()};
    for (int round = 0; round < 2; round++)
    {
        b.mesh = round == 0 ? second : third;
        size_t failures = 0;
        for (size_t allowed = 0;; allowed++)
        {
            failing_allocator allocator = {.allowed = allowed};
            graze_context context = failing_allocator_context(&allocator);
            graze_region *region = NULL;
            graze_status status = graze_region_create(&context, &a, &b, NULL, &region);
            assert_int_equal(status == GRAZE_STATUS_OK, region != NULL);
            graze_region_destroy(region);
            assert_int_equal(allocator.live, 0);
            if (status == GRAZE_STATUS_OK)
                break;
            assert_int_equal(status, GRAZE_STATUS_OUT_OF_MEMORY);
            failures++;
        }
        assert_true(failures > 10);
    }
    graze_mesh_destroy(first);
    graze_mesh_destroy(second);
    graze_mesh_destroy(third);
}

/* Six feet of one mesh on a plate: six contacts of one area each. */
static void six_feet_on_a_plate_are_six_components(void **state)
{
    (void)state;
    double vertices[48][3];
    uint32_t corners[144], sizes[36];
    for (uint32_t foot = 0; foot < 6; foot++)
    {
        const double x = 3.0 * (foot % 3), y = 4.0 * (foot / 3), size = 1 + 0.125 * foot;
        const double lower[3] = {x, y, 1}, upper[3] = {x + size, y + size, 2};
        body_box_vertices(vertices + (size_t)8 * foot, lower, upper);
        for (uint32_t k = 0; k < 24; k++)
            corners[24 * foot + k] = body_box_corners[k] + 8 * foot;
        for (uint32_t k = 0; k < 6; k++)
            sizes[6 * foot + k] = body_box_sizes[k];
    }
    graze_mesh *feet = body_of_polygons(vertices, 48, corners, sizes, 36), *plate = box_of(-1, -1, 0, 10, 10, 1);
    graze_placed_mesh a = {plate, NULL, graze_pose_identity()}, b = {feet, NULL, graze_pose_identity()};
    graze_region *region = region_of(NULL, &a, &b);
    assert_int_equal(region->component_count, 6);
    bool seen[6] = {false};
    for (size_t c = 0; c < 6; c++)
    {
        const graze_region_component *component = &region->components[c];
        size_t foot = (size_t)lround(component->bounds.lower[0] / 3) + (component->bounds.lower[1] > 2 ? 3 : 0);
        double size = 1 + 0.125 * (double)foot;
        assert_true(!seen[foot] && component->kind == GRAZE_CONTACT_FACE && component->polygon_count > 0);
        assert_true(fabs(component->area - size * size) < 1e-12 && component->length == 0);
        assert_true(component->bounds.upper[0] == component->bounds.lower[0] + size);
        assert_true(component->point[2] == 1 && component->point[0] >= component->bounds.lower[0]);
        seen[foot] = true;
    }
    graze_region_destroy(region);
    graze_mesh_destroy(feet);
    graze_mesh_destroy(plate);
}

static bool share_a_point(const graze_region *r, size_t first, size_t second)
{
    for (size_t i = r->curve_starts[first]; i < r->curve_starts[first + 1]; i++)
        for (size_t k = r->curve_starts[second]; k < r->curve_starts[second + 1]; k++)
            if (memcmp(r->curve_points + 3 * i, r->curve_points + 3 * k, 3 * sizeof(double)) == 0)
                return true;
    return false;
}

/* Curves that share a point are in one component; boxes hold the points; lengths add up. */
static void components_agree_with_their_curves(void **state)
{
    (void)state;
    grz_random random = grz_random_make(52);
    placed_shapes *shapes = placed_shapes_create();
    size_t several = 0, joined = 0;
    for (int round = 0; round < 40; round++)
    {
        graze_placed_mesh pair[2];
        for (int k = 0; k < 2; k++)
        {
            size_t shape = grz_random_below(&random, PLACED_SHAPES);
            pair[k] = (graze_placed_mesh){shapes->meshes[shape], shapes->trees[shape][0], placed_pose(&random, 0.6)};
        }
        graze_region *r = region_of(NULL, &pair[0], &pair[1]);
        double length = 0;
        size_t curves = 0, points = 0, polygons = 0;
        for (size_t c = 0; c < r->component_count; c++)
        {
            length += r->components[c].length;
            curves += r->components[c].curve_count;
            points += r->components[c].point_count;
            polygons += r->components[c].polygon_count;
        }
        assert_true(curves == r->curve_count && points == r->point_count && polygons == r->polygon_count);
        assert_true(fabs(length - r->length) <= 1e-12 * r->length);
        for (size_t c = 0; c < r->curve_count; c++)
        {
            const graze_region_component *component = &r->components[r->curve_components[c]];
            for (size_t i = 3 * r->curve_starts[c]; i < 3 * r->curve_starts[c + 1]; i++)
                assert_true(r->curve_points[i] >= component->bounds.lower[i % 3] &&
                            r->curve_points[i] <= component->bounds.upper[i % 3]);
            for (size_t k = 0; k < c; k++)
                if (share_a_point(r, c, k))
                {
                    assert_int_equal(r->curve_components[c], r->curve_components[k]);
                    joined++;
                }
        }
        for (size_t c = 1; c < r->component_count; c++)
            assert_true(r->components[c].curve_count == 0 || r->components[c].length > 0);
        several += r->component_count > 1;
        graze_region_destroy(r);
    }
    placed_shapes_destroy(shapes);
    printf("%zu regions of several components, %zu curves joined\n", several, joined);
    assert_true(several > 3);
}

/* A strip of squares along an axis, from -1 to 1 across it. */
static graze_mesh *strip_along(int axis, int across, double from)
{
    static double vertices[2 * RUNGS + 2][3];
    static uint32_t corners[6 * RUNGS];
    memset(vertices, 0, sizeof vertices);
    for (uint32_t k = 0; k <= RUNGS; k++)
        for (uint32_t side = 0; side < 2; side++)
        {
            vertices[2 * k + side][axis] = k + from;
            vertices[2 * k + side][across] = side == 0 ? -1 : 1;
        }
    for (uint32_t k = 0; k < RUNGS; k++)
    {
        const uint32_t square[6] = {2 * k, 2 * k + 1, 2 * k + 2, 2 * k + 1, 2 * k + 3, 2 * k + 2};
        memcpy(corners + (size_t)6 * k, square, sizeof square);
    }
    return body_of_triangles(vertices, 2 * RUNGS + 2, corners, 2 * RUNGS);
}

/* Two strips cross along an axis: thousands of points that differ in one coordinate, every quarter of a rung. */
static void points_that_differ_in_one_coordinate_are_different(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++)
    {
        graze_mesh *first = strip_along(axis, (axis + 1) % 3, 0), *second = strip_along(axis, (axis + 2) % 3, 0.25);
        graze_placed_mesh a = {first, NULL, graze_pose_identity()}, b = {second, NULL, graze_pose_identity()};
        graze_region *region = region_of(NULL, &a, &b);
        assert_int_equal(region->curve_count, 1);
        assert_true(region->length == RUNGS - 0.25);
        assert_int_equal(region->curve_starts[1], 4 * RUNGS);
        graze_region_destroy(region);
        graze_mesh_destroy(first);
        graze_mesh_destroy(second);
    }
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    graze_mesh *box = box_of(0, 0, 0, 1, 1, 1);
    graze_placed_mesh a = {box, NULL, graze_pose_identity()}, b = a;
    graze_region *region = NULL;
    assert_int_equal(graze_region_create(NULL, &a, NULL, NULL, &region), GRAZE_STATUS_BAD_ARGUMENT);
    b.pose.m[3] = NAN;
    assert_int_equal(graze_region_create(NULL, &a, &b, NULL, &region), GRAZE_STATUS_NOT_FINITE);
    assert_null(region);
    graze_region_destroy(NULL);
    graze_mesh_destroy(box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_surfaces_in_general_position_meet_in_closed_curves_only),
        cmocka_unit_test(swapping_trees_and_threads_change_no_byte),
        cmocka_unit_test(boxes_that_share_a_face_give_its_area),
        cmocka_unit_test(boxes_that_share_an_edge_or_a_corner_say_so),
        cmocka_unit_test(a_bar_through_a_block_leaves_two_rings),
        cmocka_unit_test(curves_end_where_a_surface_does_and_at_junctions),
        cmocka_unit_test(six_feet_on_a_plate_are_six_components),
        cmocka_unit_test(components_agree_with_their_curves),
        cmocka_unit_test(points_that_differ_in_one_coordinate_are_different),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
