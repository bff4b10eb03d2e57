/* SPDX-License-Identifier: MIT */
/*
 * Convex decomposition: points of the body lie in a piece, exactly; pieces are convex; no sampled point of a piece is
 * farther from the body than its excess says; shapes whose pieces are known have those.
 */
#include <math.h>
#include <stdio.h>

#include "base/random.h"
#include "convex/outer_hull.h"
#include "decomposition/decomposition.h"
#include "graze/generate.h"
#include "graze/mesh_query.h"
#include "graze/topology.h"
#include "support/bodies.h"
#include "support/failing_allocator.h"
#include "support/meshes.h"
#include "support/unit.h"

enum
{
    SEED = 2718,
    LAST = TEST_ROUNDS(400) /* allocations */
};

static graze_decomposition *decompose(const graze_mesh *mesh, size_t pieces, double excess)
{
    graze_decomposition_options options = graze_decomposition_options_default();
    graze_decomposition *decomposition = NULL;
    options.most_pieces = pieces;
    options.excess = excess;
    assert_int_equal(graze_decomposition_create(NULL, mesh, &options, &decomposition), GRAZE_STATUS_OK);
    assert_true(graze_decomposition_piece_count(decomposition) >= 1);
    assert_true(graze_decomposition_piece_count(decomposition) <= pieces);
    return decomposition;
}

static double total_volume(const graze_decomposition *decomposition)
{
    double volume = 0;
    for (size_t i = 0; i < graze_decomposition_piece_count(decomposition); i++)
    {
        graze_mesh_facts facts;
        assert_int_equal(graze_mesh_examine(NULL, graze_decomposition_piece(decomposition, i), NULL, NULL, &facts),
                         GRAZE_STATUS_OK);
        volume += facts.volume;
    }
    return volume;
}

static double worst_excess(const graze_decomposition *decomposition)
{
    double worst = 0;
    for (size_t i = 0; i < graze_decomposition_piece_count(decomposition); i++)
        worst = fmax(worst, graze_decomposition_excess(decomposition, i).upper);
    return worst;
}

/* Pieces as hulls again, for exact containment. */
static size_t find_hulls(const graze_decomposition *decomposition, grz_hull **hulls)
{
    size_t count = graze_decomposition_piece_count(decomposition);
    for (size_t i = 0; i < count; i++)
    {
        const graze_mesh *piece = graze_decomposition_piece(decomposition, i);
        graze_mesh_facts facts;
        hulls[i] = NULL;
        assert_int_equal(
            grz_hull_create(NULL, graze_mesh_vertices(piece), graze_mesh_vertex_count(piece), NULL, &hulls[i]),
            GRAZE_STATUS_OK);
        assert_int_equal(graze_mesh_vertex_count(piece), hulls[i]->vertex_count); /* all of them are extreme */
        assert_int_equal(graze_mesh_examine(NULL, piece, NULL, NULL, &facts), GRAZE_STATUS_OK);
        assert_true(facts.convex || hulls[i]->dimension < 3);
    }
    return count;
}

static bool lies_in(grz_hull *const *hulls, size_t count, const double point[3])
{
    for (size_t i = 0; i < count; i++)
    {
        bool contains = false;
        assert_int_equal(grz_hull_contains(NULL, hulls[i], (const double(*)[3])point, 1, NULL, &contains),
                         GRAZE_STATUS_OK);
        if (contains)
            return true;
    }
    return false;
}

static double distance_to(const grz_body_view *view, const graze_placed_mesh *placed, const double point[3])
{
    graze_distance distance;
    if (grz_locate_point(view, point, NULL) != GRAZE_LOCATION_OUTSIDE)
        return 0;
    assert_int_equal(graze_placed_mesh_nearest_to_point(NULL, placed, point, NULL, &distance), GRAZE_STATUS_OK);
    return distance.lower;
}

/* Vertices of the body, points of its triangles and random points inside lie in pieces; random points of pieces are as
   near as the excess says. */
static void check_cover(grz_random *random, const graze_mesh *mesh, const graze_decomposition *decomposition)
{
    grz_hull *hulls[64];
    size_t count = find_hulls(decomposition, hulls), inside = 0;
    graze_tree *tree = NULL;
    assert_int_equal(graze_tree_create(NULL, mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
    const graze_placed_mesh placed = {mesh, tree, graze_pose_identity()};
    const graze_box bounds = graze_mesh_bounds(mesh);
    grz_placed_body side;
    assert_int_equal(grz_placed_body_make(NULL, &placed, NULL, NULL, &side), GRAZE_STATUS_OK);
    const grz_body_view view = grz_placed_body_view(&side);
    for (size_t v = 0; v < graze_mesh_vertex_count(mesh); v++)
        assert_true(lies_in(hulls, count, graze_mesh_vertices(mesh) + 3 * v));
    for (int i = 0; i < 500; i++)
    {
        double point[3];
        for (int axis = 0; axis < 3; axis++)
            point[axis] = grz_random_between(random, bounds.lower[axis], bounds.upper[axis]);
        if (grz_locate_point(&view, point, NULL) == GRAZE_LOCATION_OUTSIDE)
            continue;
        inside++;
        assert_true(lies_in(hulls, count, point));
    }
    assert_true(inside > 20);
    for (size_t i = 0; i < count; i++)
    {
        graze_piece_excess excess = graze_decomposition_excess(decomposition, i);
        double farthest = 0;
        assert_true(excess.lower <= excess.upper);
        for (int k = 0; k < 50; k++)
        {
            double point[3] = {0, 0, 0}, sum = 0;
            for (size_t v = 0; v < hulls[i]->vertex_count; v++)
            {
                double weight = -log(grz_random_between(random, 1e-9, 1)) * (k % 2 == 0 ? 1 : (v + (size_t)k) % 5 == 0);
                sum += weight;
                for (int axis = 0; axis < 3; axis++)
                    point[axis] += weight * hulls[i]->vertices[v][axis];
            }
            if (!(sum > 0))
                continue;
            for (int axis = 0; axis < 3; axis++)
                point[axis] /= sum;
            farthest = fmax(farthest, distance_to(&view, &placed, point));
        }
        assert_true(farthest <= excess.upper + 1e-12);
        grz_hull_destroy(hulls[i]);
    }
    grz_placed_body_release(NULL, &side);
    graze_tree_destroy(tree);
}

static graze_mesh *extrude(const double *points, uint32_t size)
{
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create_extrusion(NULL, points, &size, 1, 2, NULL, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

static void boxes_put_together_come_apart_again(void **state)
{
    (void)state;
    static const double l_shape[6][2] = {{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 4}, {0, 4}},
                        u_shape[8][2] = {{0, 0}, {5, 0}, {5, 4}, {4, 4}, {4, 1}, {1, 1}, {1, 4}, {0, 4}};
    grz_random random = grz_random_make(SEED);
    printf("seed %d\n", SEED);
    for (int i = 0; i < 2; i++)
    {
        graze_mesh *mesh = extrude(i == 0 ? l_shape[0] : u_shape[0], i == 0 ? 6 : 8);
        graze_decomposition *decomposition = decompose(mesh, 10, 1e-3);
        assert_int_equal(graze_decomposition_piece_count(decomposition), 2 + i);
        assert_true(worst_excess(decomposition) < 1e-14); /* where a diagonal was cut */
        assert_true(fabs(total_volume(decomposition) - (i == 0 ? 12 : 22)) < 1e-9);
        check_cover(&random, mesh, decomposition);
        graze_decomposition_destroy(decomposition);
        graze_mesh_destroy(mesh);
    }
}

static void convex_bodies_stay_whole(void **state)
{
    (void)state;
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 6, &mesh), GRAZE_STATUS_OK);
    graze_decomposition *decomposition = decompose(mesh, 10, 1e-9);
    assert_int_equal(graze_decomposition_piece_count(decomposition), 1);
    assert_true(worst_excess(decomposition) == 0);
    graze_decomposition_destroy(decomposition);
    graze_mesh_destroy(mesh);
}

/* The excess of a single piece: that of the hull. */
static void the_excess_of_a_hull_is_known(void **state)
{
    (void)state;
    static const double u_shape[8][2] = {{0, 0}, {6, 0}, {6, 9}, {5, 9}, {5, 1}, {1, 1}, {1, 9}, {0, 9}};
    graze_mesh *mesh = extrude(u_shape[0], 8);
    graze_decomposition *decomposition = decompose(mesh, 1, 0);
    graze_piece_excess excess = graze_decomposition_excess(decomposition, 0);
    assert_true(excess.lower <= 2 && excess.upper >= 2); /* the middle of the gap is 2 from both walls */
    assert_true(excess.upper < 1.2 * 2 && excess.lower > 2 / 1.2);
    graze_decomposition_destroy(decomposition);
    graze_mesh_destroy(mesh);
}

static void pieces_cover_the_body_and_reach_out_as_little_as_asked(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED + 1);
    graze_mesh *meshes[4] = {NULL, NULL, NULL, NULL};
    assert_int_equal(graze_mesh_create_torus(NULL, 1, 0.3, 32, 16, &meshes[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_hyperboloid(NULL, 0.5, 1, 2, 24, 8, &meshes[1]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_tetraflake(NULL, 1, 2, &meshes[2]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_gear(NULL, 10, 0.1, 0.2, 0.1, 0, &meshes[3]), GRAZE_STATUS_OK);
    for (int i = 0; i < 4; i++)
    {
        graze_mesh_facts facts;
        assert_int_equal(graze_mesh_examine(NULL, meshes[i], NULL, NULL, &facts), GRAZE_STATUS_OK);
        double before = INFINITY;
        for (size_t pieces = 1; pieces <= 16; pieces *= 4)
        {
            graze_decomposition *decomposition = decompose(meshes[i], pieces, 0.01);
            double volume = total_volume(decomposition);
            printf("shape %d: %zu pieces, volume %.4f of %.4f, excess %.4f\n", i,
                   graze_decomposition_piece_count(decomposition), volume, facts.volume, worst_excess(decomposition));
            assert_true(volume >= facts.volume * (1 - 1e-9) && volume < before);
            before = volume;
            check_cover(&random, meshes[i], decomposition);
            graze_decomposition_destroy(decomposition);
        }
        graze_mesh_destroy(meshes[i]);
    }
}

/* Overlapping, inverted and touching components; soups, which are surfaces. */
static void any_mesh_is_legal(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED + 2);
    test_random soup = test_random_start("soup", SEED);
    static test_mesh shape;
    const double lower[3] = {1, 1, 1}, upper[3] = {2, 2, 3};
    for (int round = 0; round < 8; round++)
    {
        shape = (test_mesh){0};
        mesh_add_cube(&shape, 0, 0, 0, 4);
        if (round == 0)
            mesh_add_box(&shape, lower, upper, true); /* a cavity */
        if (round == 1)
            mesh_add_cube(&shape, 3, 3, 3, 4);
        if (round == 2)
            mesh_add_bipyramid(&shape, 6, 6, 6, 3);
        if (round == 3)
            mesh_add_cube(&shape, 4, 0, 0, 2);
        if (round > 3)
            mesh_add_soup(&shape, &soup, 10, 20, 5);
        graze_mesh *mesh = mesh_create(&shape);
        graze_decomposition *decomposition = decompose(mesh, 12, 0.05);
        if (round < 4)
            check_cover(&random, mesh, decomposition);
        graze_decomposition_destroy(decomposition);
        graze_mesh_destroy(mesh);
    }
}

static void flat_meshes_are_covered(void **state)
{
    (void)state;
    static test_mesh shape;
    mesh_add_sheet(&shape, 2, 1, 5);
    graze_mesh *mesh = mesh_create(&shape);
    graze_decomposition *decomposition = decompose(mesh, 4, 0);
    assert_true(graze_decomposition_piece_count(decomposition) >= 1);
    graze_decomposition_destroy(decomposition);
    graze_mesh_destroy(mesh);
}

static bool stop(void *user, double share)
{
    int *calls = user;
    return share >= 0 && ++*calls < 40;
}

static void bad_options_budgets_and_progress(void **state)
{
    (void)state;
    graze_mesh *mesh = NULL;
    int calls = 0;
    assert_int_equal(graze_mesh_create_torus(NULL, 1, 0.3, 60, 30, &mesh), GRAZE_STATUS_OK);
    graze_decomposition *decomposition = NULL;
    graze_decomposition_options options = graze_decomposition_options_default();
    options.most_pieces = 0;
    assert_int_equal(graze_decomposition_create(NULL, mesh, &options, &decomposition), GRAZE_STATUS_BAD_ARGUMENT);
    options.most_pieces = 8;
    options.excess = -1;
    assert_int_equal(graze_decomposition_create(NULL, mesh, &options, &decomposition), GRAZE_STATUS_BAD_ARGUMENT);
    options.excess = 0;
    options.budget = (graze_budget){.progress = stop, .progress_user = &calls};
    assert_int_equal(graze_decomposition_create(NULL, mesh, &options, &decomposition), GRAZE_STATUS_CANCELLED);
    assert_int_equal(calls, 40);
    options.budget = (graze_budget){.seconds = 1e-3};
    assert_int_equal(graze_decomposition_create(NULL, mesh, &options, &decomposition), GRAZE_STATUS_UNFINISHED);
    assert_null(decomposition);
    graze_mesh_destroy(mesh);
}

/* Two squares across one another, a surface: the point of their hull, a wedge, that is farthest from them is in the
   middle of its third side. */
static void the_excess_of_a_surface_is_known(void **state)
{
    (void)state;
    static const double vertices[6][3] = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 0}, {0, 0, 1}, {0, 1, 1}};
    static const uint32_t corners[12] = {0, 2, 3, 0, 3, 1, 0, 1, 5, 0, 5, 4};
    graze_mesh *mesh = body_of_triangles((double(*)[3])vertices, 6, corners, 4);
    graze_decomposition *decomposition = decompose(mesh, 1, 0);
    graze_piece_excess excess = graze_decomposition_excess(decomposition, 0);
    assert_true(excess.lower <= 0.5 && excess.upper >= 0.5);
    assert_true(excess.lower > 0.45 && excess.upper < 0.55);
    graze_decomposition_destroy(decomposition);
    graze_mesh_destroy(mesh);
}

/* Whether a decomposition runs out of memory; else it succeeds. */
static bool fails_with(const graze_mesh *mesh, const graze_decomposition_options *options, failing_allocator *allocator)
{
    graze_context context = failing_allocator_context(allocator);
    graze_decomposition *decomposition = NULL;
    graze_status status = graze_decomposition_create(&context, mesh, options, &decomposition);
    graze_decomposition_destroy(decomposition);
    assert_int_equal(allocator->live, 0);
    assert_true(status == GRAZE_STATUS_OK || status == GRAZE_STATUS_OUT_OF_MEMORY);
    return status != GRAZE_STATUS_OK;
}

/* Thousands of allocations: a sample of them fails. */
static void allocations_of_cuts_may_fail(void **state)
{
    (void)state;
    static const double l_shape[6][2] = {{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 4}, {0, 4}};
    graze_mesh *mesh = extrude(l_shape[0], 6);
    graze_decomposition_options options = graze_decomposition_options_default();
    options.most_pieces = 2;
    int failed = 0;
    size_t all = 0;
    for (size_t allowed = 0; all == 0; allowed += 1 + allowed / 20)
    {
        failing_allocator allocator = {.allowed = allowed};
        failed += fails_with(mesh, &options, &allocator);
        all = allocator.requests <= allowed ? allocator.requests : 0;
    }
    for (size_t allowed = all - LAST; allowed < all; allowed++) /* one alone of the last ones, which make both halves */
    {
        failing_allocator allocator = {.allowed = allowed, .once = true};
        assert_true(fails_with(mesh, &options, &allocator));
    }
    printf("%d calls of up to %zu allocations failed\n", failed, all);
    assert_true(failed > 50);
    graze_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_put_together_come_apart_again),
        cmocka_unit_test(convex_bodies_stay_whole),
        cmocka_unit_test(the_excess_of_a_hull_is_known),
        cmocka_unit_test(pieces_cover_the_body_and_reach_out_as_little_as_asked),
        cmocka_unit_test(any_mesh_is_legal),
        cmocka_unit_test(flat_meshes_are_covered),
        cmocka_unit_test(bad_options_budgets_and_progress),
        cmocka_unit_test(allocations_of_cuts_may_fail),
        cmocka_unit_test(the_excess_of_a_surface_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
