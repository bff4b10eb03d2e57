/* SPDX-License-Identifier: MIT */
/*
 * Connected pieces of the common space: of sets of boxes, where each two boxes that meet are one piece of known depth;
 * of pins, pipes and shells in plates; bounds of each piece; the same answers for swapped arguments.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "graze/depth.h"
#include "graze/generate.h"
#include "graze/mesh_query.h"
#include "graze/region.h"
#include "support/bodies.h"
#include "support/placed_shapes.h"
#include "support/unit.h"

enum
{
    SEED = 1917,
    MOST_BOXES = 6,
    ROUNDS = 60
};

typedef struct box_set
{
    graze_box boxes[MOST_BOXES];
    size_t count;
} box_set;

/* Joins meshes into one, and destroys them. `turned` ones are inside out. */
static graze_mesh *join(graze_mesh **meshes, size_t count, const double (*shifts)[3], bool last_turned)
{
    size_t vertex_count = 0, triangle_count = 0;
    for (size_t i = 0; i < count; i++)
    {
        vertex_count += graze_mesh_vertex_count(meshes[i]);
        triangle_count += graze_mesh_triangle_count(meshes[i]);
    }
    double(*vertices)[3] = calloc(vertex_count, sizeof *vertices);
    uint32_t *corners = calloc(3 * triangle_count, sizeof *corners);
    assert_true(vertices != NULL && corners != NULL);
    vertex_count = triangle_count = 0;
    for (size_t i = 0; i < count; i++)
    {
        const double *from = graze_mesh_vertices(meshes[i]);
        const uint32_t *triangles = graze_mesh_triangles(meshes[i]);
        size_t own = graze_mesh_triangle_count(meshes[i]);
        for (size_t k = 0; k < 3 * own; k++)
        {
            size_t turned = last_turned && i + 1 == count && k % 3 > 0 ? k - k % 3 + 3 - k % 3 : k;
            corners[3 * triangle_count + k] = (uint32_t)vertex_count + triangles[turned];
        }
        for (size_t v = 0; v < graze_mesh_vertex_count(meshes[i]); v++)
            for (int axis = 0; axis < 3; axis++)
                vertices[vertex_count + v][axis] = from[3 * v + (size_t)axis] + (shifts != NULL ? shifts[i][axis] : 0);
        vertex_count += graze_mesh_vertex_count(meshes[i]);
        triangle_count += own;
        graze_mesh_destroy(meshes[i]);
    }
    graze_mesh *joined = body_of_triangles(vertices, vertex_count, corners, triangle_count);
    free(vertices);
    free(corners);
    return joined;
}

static graze_interference measure(const graze_placed_mesh *a, const graze_placed_mesh *b)
{
    graze_interference_options options = graze_interference_options_default();
    graze_interference found;
    options.pieces = true;
    options.max_cells = 300;
    options.max_queries = 20;
    assert_int_equal(graze_pair_interference(NULL, a, b, &options, &found), GRAZE_STATUS_OK);
    assert_true((found.region != NULL) == (found.deepest.overlap == GRAZE_VERDICT_YES));
    return found;
}

/* Every piece has valid bounds and a common point of its depth, or a point of its contact. Returns whether one has
 * those of the pair. */
static bool check_pieces(const graze_placed_mesh *a, const graze_placed_mesh *b, const graze_interference *found)
{
    const graze_region *region = found->region;
    double best = 0;
    for (size_t i = 0; i < region->overlap_count; i++)
    {
        const graze_overlap_piece *piece = &region->overlaps[i];
        assert_true(piece->lower >= 0 && piece->lower <= piece->upper && piece->upper <= found->deepest.upper);
        best = fmax(best, piece->lower);
        for (int side = 0; side < 2; side++)
        {
            const graze_placed_mesh *mesh = side == 0 ? a : b;
            graze_mesh *probe_mesh = body_of_triangles(&(double[3]){0, 0, 0}, 1, (uint32_t[3]){0, 0, 0}, 1);
            graze_placed_mesh probe = {probe_mesh, NULL,
                                       graze_pose_translation(piece->point[0], piece->point[1], piece->point[2])};
            graze_location location;
            graze_distance distance;
            assert_int_equal(graze_pair_distance(NULL, mesh, &probe, NULL, &distance), GRAZE_STATUS_OK);
            assert_int_equal(graze_point_in_mesh(NULL, mesh, piece->point, NULL, &location), GRAZE_STATUS_OK);
            assert_true((piece->lower > 0 && location != GRAZE_LOCATION_OUTSIDE) || distance.upper < 1e-9);
            graze_mesh_destroy(probe_mesh);
        }
    }
    for (size_t i = 0; i < region->component_count && region->overlap_count > 0; i++)
        assert_true(region->component_overlaps[i] < region->overlap_count);
    return region->overlap_count == 0 || best == found->deepest.lower;
}

/* ---- sets of boxes ---- */

static bool are_apart(const graze_box *a, const graze_box *b)
{
    for (int axis = 0; axis < 3; axis++)
        if (a->lower[axis] > b->upper[axis] || b->lower[axis] > a->upper[axis])
            return true;
    return false;
}

static box_set random_boxes(grz_random *random, double offset)
{
    box_set set = {.count = 0};
    for (int tries = 0; tries < 12 && set.count < MOST_BOXES; tries++)
    {
        graze_box box;
        bool fits = true;
        for (int axis = 0; axis < 3; axis++)
        {
            box.lower[axis] = (double)grz_random_below(random, 12) + offset;
            box.upper[axis] = box.lower[axis] + 1 + (double)grz_random_below(random, 7);
        }
        for (size_t i = 0; i < set.count && fits; i++)
            fits = are_apart(&box, &set.boxes[i]);
        if (fits)
            set.boxes[set.count++] = box;
    }
    return set;
}

static graze_mesh *mesh_of(const box_set *set, uint32_t segments)
{
    graze_mesh *meshes[MOST_BOXES];
    double shifts[MOST_BOXES][3];
    for (size_t i = 0; i < set->count; i++)
    {
        const graze_box *box = &set->boxes[i];
        for (int axis = 0; axis < 3; axis++)
            shifts[i][axis] = 0.5 * (box->lower[axis] + box->upper[axis]);
        assert_int_equal(graze_mesh_create_box(NULL, box->upper[0] - box->lower[0], box->upper[1] - box->lower[1],
                                               box->upper[2] - box->lower[2], segments, &meshes[i]),
                         GRAZE_STATUS_OK);
    }
    return join(meshes, set->count, (const double(*)[3])shifts, false);
}

/* How deep the deepest point of the intersection of two boxes lies in one of them. */
static double depth_in(const graze_box *common, const graze_box *box)
{
    double depth = INFINITY;
    for (int axis = 0; axis < 3; axis++)
    {
        double centre = 0.5 * (box->lower[axis] + box->upper[axis]);
        double x = fmin(fmax(centre, common->lower[axis]), common->upper[axis]);
        depth = fmin(depth, fmin(x - box->lower[axis], box->upper[axis] - x));
    }
    return depth;
}

/* The piece of two boxes that meet, by its box: NULL if it has been split. */
static const graze_overlap_piece *piece_of(const graze_region *region, const graze_box *common)
{
    for (size_t i = 0; i < region->overlap_count; i++)
    {
        double most = 0;
        for (int axis = 0; axis < 3; axis++)
            most = fmax(most, fmax(fabs(region->overlaps[i].bounds.lower[axis] - common->lower[axis]),
                                   fabs(region->overlaps[i].bounds.upper[axis] - common->upper[axis])));
        if (most < 1e-9)
            return &region->overlaps[i];
    }
    return NULL;
}

/* Compares each two boxes that share interior points with a piece; returns the number of pairs that share a point. */
static size_t compare(const box_set *a, const box_set *b, const graze_interference *found, size_t *crossing,
                      size_t *missing, size_t *bounded)
{
    size_t count = 0;
    for (size_t i = 0; i < a->count; i++)
        for (size_t k = 0; k < b->count; k++)
        {
            graze_box common;
            double least = INFINITY;
            for (int axis = 0; axis < 3; axis++)
            {
                common.lower[axis] = fmax(a->boxes[i].lower[axis], b->boxes[k].lower[axis]);
                common.upper[axis] = fmin(a->boxes[i].upper[axis], b->boxes[k].upper[axis]);
                least = fmin(least, common.upper[axis] - common.lower[axis]);
            }
            count += least >= 0;
            if (!(least > 0) || found->region == NULL || found->region->overlap_count == 0)
                continue;
            const graze_overlap_piece *piece = piece_of(found->region, &common);
            double depth = fmax(depth_in(&common, &a->boxes[i]), depth_in(&common, &b->boxes[k]));
            ++*crossing;
            *missing += piece == NULL;
            *bounded += piece != NULL && piece->upper < 0.9 * found->deepest.upper;
            if (piece != NULL)
                assert_true(piece->lower <= depth * (1 + 1e-12) && piece->upper >= depth * (1 - 1e-12));
        }
    return count;
}

static void sets_of_boxes_share_the_pieces_that_their_boxes_do(void **state)
{
    (void)state;
    printf("seed %d\n", SEED);
    grz_random random = grz_random_make(SEED);
    for (int degenerate = 0; degenerate < 2; degenerate++)
    {
        size_t several = 0, crossing = 0, missing = 0, different = 0, lost = 0, bounded = 0;
        for (int round = 0; round < ROUNDS; round++)
        {
            box_set boxes[2] = {random_boxes(&random, 0), random_boxes(&random, degenerate != 0 ? 0 : 0.5)};
            graze_mesh *meshes[2] = {mesh_of(&boxes[0], 1 + (uint32_t)(round % 3)), mesh_of(&boxes[1], 1)};
            graze_placed_mesh a = {meshes[0], NULL, graze_pose_identity()}, b = {meshes[1], NULL, a.pose};
            graze_interference found = measure(&a, &b), swapped = measure(&b, &a);
            size_t expected = compare(&boxes[0], &boxes[1], &found, &crossing, &missing, &bounded);
            if (found.region != NULL)
            {
                lost += !check_pieces(&a, &b, &found);
                assert_true(expected >= 1);
                size_t count = found.region->overlap_count > 0 ? found.region->overlap_count : 1;
                different += count != expected;
                several += count > 1;
                assert_true(count >= expected);
                assert_int_equal(swapped.region->overlap_count, found.region->overlap_count);
                for (size_t i = 0; i < found.region->overlap_count; i++)
                    assert_memory_equal(&swapped.region->overlaps[i], &found.region->overlaps[i],
                                        sizeof(graze_overlap_piece));
            }
            graze_region_destroy(found.region);
            graze_region_destroy(swapped.region);
            graze_mesh_destroy(meshes[0]);
            graze_mesh_destroy(meshes[1]);
        }
        printf("%s: %zu with several pieces, %zu crossing boxes, %zu of them not one piece, %zu other counts, %zu "
               "without the deepest point, %zu shallow\n",
               degenerate != 0 ? "on a grid" : "generic", several, crossing, missing, different, lost, bounded);
        assert_true(bounded > crossing / 8);
        assert_true(several > ROUNDS / 4 && crossing > ROUNDS);
        assert_true(missing == 0 && different == 0 && lost == 0);
    }
}

/* ---- pins, pipes and shells in a plate ---- */

static size_t pieces_of(graze_mesh *a, graze_mesh *b, const graze_pose *pose)
{
    graze_placed_mesh first = {a, NULL, *pose}, second = {b, NULL, *pose};
    graze_interference found = measure(&first, &second);
    assert_non_null(found.region);
    assert_true(check_pieces(&first, &second, &found));
    size_t count = found.region->overlap_count;
    graze_region_destroy(found.region);
    return count;
}

static graze_mesh *six_tubes(double inner, double outer)
{
    graze_mesh *meshes[6];
    double shifts[6][3];
    for (int i = 0; i < 6; i++)
    {
        meshes[i] = body_tube(inner, outer, -5, 10, 24, 0.3);
        shifts[i][0] = 20 * (i % 3) - 20.0;
        shifts[i][1] = 20 * (i / 3) - 10.0;
        shifts[i][2] = 0.25;
    }
    return join(meshes, 6, (const double(*)[3])shifts, false);
}

static void a_pin_through_a_plate_is_one_piece_and_six_are_six(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED);
    for (int round = 0; round < 4; round++)
    {
        graze_mesh *plate;
        graze_pose pose = round < 2 ? graze_pose_identity() : placed_pose(&random, 10);
        assert_int_equal(graze_mesh_create_box(NULL, 100, 60, 5, round % 2 == 0 ? 1 : 9, &plate), GRAZE_STATUS_OK);
        graze_mesh *pin = body_tube(0, 4, -5, 10, 24, 0.3), *pipe = body_tube(3, 4, -5, 10, 24, 0.3);
        graze_mesh *pins = six_tubes(0, 4), *pipes = six_tubes(3, 4);
        assert_int_equal(pieces_of(plate, pin, &pose), 1);
        assert_int_equal(pieces_of(plate, pipe, &pose), 1);
        assert_int_equal(pieces_of(pins, plate, &pose), 6);
        assert_int_equal(pieces_of(plate, pipes, &pose), 6);
        graze_mesh_destroy(plate);
        graze_mesh_destroy(pin);
        graze_mesh_destroy(pipe);
        graze_mesh_destroy(pins);
        graze_mesh_destroy(pipes);
    }
}

/* Which of two meshes comes first depends on the number of triangles. Here the plate has the more, those of a ball far
   away, and pins and pipes still pass through the middle of its triangles. */
static void plates_of_many_triangles_have_the_same_pieces(void **state)
{
    (void)state;
    graze_pose pose = graze_pose_identity();
    static const double shifts[2][3] = {{0, 0, 0}, {0, 0, 200}};
    graze_mesh *parts[2], *pins = six_tubes(0, 4), *pipes = six_tubes(3, 4);
    assert_int_equal(graze_mesh_create_box(NULL, 100, 60, 5, 1, &parts[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 12, &parts[1]), GRAZE_STATUS_OK);
    graze_mesh *plate = join(parts, 2, shifts, false);
    assert_true(graze_mesh_triangle_count(plate) > graze_mesh_triangle_count(pipes));
    assert_int_equal(pieces_of(plate, pins, &pose), 6);
    assert_int_equal(pieces_of(plate, pipes, &pose), 6);
    /* No vertex of a pipe is in the plate, and the middle of its piece is in the hole: points between contacts are. */
    graze_placed_mesh first = {plate, NULL, pose}, second = {pipes, NULL, pose};
    graze_interference_options options = graze_interference_options_default();
    graze_interference found;
    options.pieces = true;
    assert_int_equal(graze_pair_interference(NULL, &first, &second, &options, &found), GRAZE_STATUS_OK);
    assert_true(found.deepest.lower > 0 && found.region->overlap_count == 6);
    for (size_t i = 0; i < 6; i++)
        assert_true(found.region->overlaps[i].lower > 0);
    graze_region_destroy(found.region);
    graze_mesh_destroy(pins);
    graze_mesh_destroy(pipes);
    graze_mesh_destroy(plate);
}

static graze_mesh *cube(double x, double y, double z, double half)
{
    const double lower[3] = {x - half, y - half, z - half}, upper[3] = {x + half, y + half, z + half};
    return body_box(lower, upper);
}

static void shells_inside_are_pieces_and_cavities_are_none(void **state)
{
    (void)state;
    graze_pose pose = graze_pose_identity();
    graze_mesh *block = cube(0, 0, 0, 10);
    graze_mesh *two = join((graze_mesh *[]){cube(10, 0, 0, 2), cube(-3, 0, 0, 2)}, 2, NULL, false);
    graze_mesh *hollow = join((graze_mesh *[]){cube(10, 0, 0, 6), cube(7, 0, 0, 2)}, 2, NULL, true);
    assert_int_equal(pieces_of(block, two, &pose), 2);
    assert_int_equal(pieces_of(block, hollow, &pose), 1);
    graze_mesh_destroy(two);
    graze_mesh_destroy(hollow);
    graze_mesh_destroy(block);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_of_boxes_share_the_pieces_that_their_boxes_do),
        cmocka_unit_test(a_pin_through_a_plate_is_one_piece_and_six_are_six),
        cmocka_unit_test(plates_of_many_triangles_have_the_same_pieces),
        cmocka_unit_test(shells_inside_are_pieces_and_cavities_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
