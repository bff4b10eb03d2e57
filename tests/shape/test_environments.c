/* SPDX-License-Identifier: MIT */
/*
 * Every query of shapes in every floating-point environment: the same answers, byte by byte; of coordinates that are
 * denormal, too. So are convex hulls and convex patches; outer hulls and decompositions hold what they must.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graze/decomposition.h"
#include "graze/exact.h"
#include "graze/generate.h"
#include "graze/hull.h"
#include "graze/shape_contact.h"
#include "support/environment.h"
#include "support/random_shapes.h"
#include "support/unit.h"

enum
{
    HITS = 64,
    MANIFOLDS = 16
};

/* What queries wrote, as bytes: zeros elsewhere. */
typedef struct answers
{
    graze_verdict verdicts[2], found;
    graze_shape_hit hits[2];
    graze_shape_distance distance;
    graze_shape_depth depth;
    graze_shape_counts counts;
    graze_shape_hit listed[HITS];
    graze_shape_ray_hit ray;
    graze_shape_manifold manifolds[MANIFOLDS];
    size_t manifold_count;
    graze_box bounds[2];
    graze_status checks[2];
} answers;

/* Numbers of queries, made in the usual environment. */
typedef struct numbers
{
    double scale, margin, limit, origin[3], direction[3];
} numbers;

static void ask_all(const graze_placed *a, const graze_placed *b, const numbers *n, answers *out)
{
    graze_shape_depth_options depth = graze_shape_depth_options_default();
    graze_shape_contact_options contact = graze_shape_contact_options_default();
    graze_shape_distance_options distance = graze_shape_distance_options_default();
    depth.max_queries = 10;
    contact.margin = n->margin;
    distance.limit = n->limit;
    memset(out, 0, sizeof *out);
    assert_int_equal(graze_shape_pair_any(NULL, a, b, NULL, &out->verdicts[0], &out->hits[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_pair_tolerance_any(NULL, a, b, n->scale, NULL, &out->verdicts[1], &out->hits[1]),
                     GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_pair_distance(NULL, a, b, &distance, &out->distance), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_pair_depth(NULL, a, b, &depth, &out->depth), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_pair_gather(NULL, a, b, NULL, out->listed, HITS, &out->counts), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_cast_ray(NULL, a, n->origin, n->direction, 8, NULL, &out->found, &out->ray),
                     GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_pair_contacts(NULL, a, b, &contact, out->manifolds, MANIFOLDS, &out->manifold_count),
                     GRAZE_STATUS_OK);
    out->checks[0] = graze_placed_check(a);
    out->checks[1] = graze_placed_check(b);
    assert_int_equal(graze_placed_bounds(a, &out->bounds[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_placed_bounds(b, &out->bounds[1]), GRAZE_STATUS_OK);
}

static void compare(const graze_placed *a, const graze_placed *b, double scale, int *met)
{
    static answers usual, other; /* large */
    const numbers n = {
        scale, 0.5 * scale, 20 * scale, {-4 * scale, 0.5 * scale, 0.25 * scale}, {scale, 0, 0.125 * scale}};
    ask_all(a, b, &n, &usual);
    *met += usual.verdicts[0] == GRAZE_VERDICT_YES;
    for (int number = 1; number < ENVIRONMENTS; number++)
    {
        saved_environment saved;
        environment_enter(&saved, number);
        ask_all(a, b, &n, &other);
        environment_leave(&saved);
        if (memcmp(&usual, &other, sizeof usual) != 0)
            fail_msg("kinds %d, %d, scale %a: other answers %s", (int)graze_shape_get_kind(a->shape),
                     (int)graze_shape_get_kind(b->shape), scale, environment_name(number));
    }
}

static void shapes_have_the_same_answers_everywhere(void **state)
{
    (void)state;
    static const int powers[3] = {0, -1060, -540};
    test_random random = test_random_start("environments of shapes", 4);
    int met = 0, pairs = 0;
    for (int kind_a = 0; kind_a < GRAZE_SHAPE_KIND_COUNT; kind_a++)
        for (int kind_b = 0; kind_b <= kind_a; kind_b++)
        {
            double scale = ldexp(1, powers[random_once_in(&random, 3) ? 1 + random_below(&random, 2) : 0]);
            random_shape x, y;
            random_shape_make_scaled(&random, (graze_shape_kind)kind_a, scale, &x);
            random_shape_make_scaled(&random, (graze_shape_kind)kind_b, scale, &y);
            graze_placed a = {x.shape, random_rigid_pose(&random)}, b = {y.shape, random_rigid_pose(&random)};
            for (int k = 3; k < 12; k += 4)
            {
                a.pose.m[k] *= scale;
                b.pose.m[k] *= scale;
            }
            compare(&a, &b, scale, &met);
            pairs++;
            random_shape_clear(&x);
            random_shape_clear(&y);
        }
    printf("%d pairs, %d collide\n", pairs, met);
    assert_true(met > pairs / 10);
}

/* ---- convex bodies made of meshes ---- */

static void expect_same(const graze_mesh *x, const graze_mesh *y, const char *what, int number)
{
    size_t vertices = graze_mesh_vertex_count(x), triangles = graze_mesh_triangle_count(x);
    if (vertices != graze_mesh_vertex_count(y) || triangles != graze_mesh_triangle_count(y) ||
        memcmp(graze_mesh_vertices(x), graze_mesh_vertices(y), vertices * 3 * sizeof(double)) != 0 ||
        memcmp(graze_mesh_triangles(x), graze_mesh_triangles(y), triangles * 3 * sizeof(uint32_t)) != 0)
        fail_msg("another %s %s", what, environment_name(number));
}

enum
{
    POINTS = 30
};

/* Whether no face of a convex mesh has the point outside of it. */
static bool holds(const graze_mesh *mesh, const double *point)
{
    const double *v = graze_mesh_vertices(mesh);
    const uint32_t *t = graze_mesh_triangles(mesh);
    for (size_t i = 0; i < graze_mesh_triangle_count(mesh); i++, t += 3)
        if (graze_point_orient3d(v + 3 * (size_t)t[0], v + 3 * (size_t)t[1], v + 3 * (size_t)t[2], point) < 0)
            return false;
    return true;
}

static void check_hulls(test_random *random, double scale)
{
    double points[POINTS][3];
    graze_mesh *usual;
    for (int i = 0; i < 3 * POINTS; i++)
        points[i / 3][i % 3] = random_between(random, -9, 9) * scale;
    assert_int_equal(graze_mesh_create_hull(NULL, points[0], POINTS, NULL, &usual), GRAZE_STATUS_OK);
    for (int number = 0; number < ENVIRONMENTS; number++)
    {
        graze_mesh *other[2];
        saved_environment saved;
        environment_enter(&saved, number);
        assert_int_equal(graze_mesh_create_hull(NULL, points[0], POINTS, NULL, &other[0]), GRAZE_STATUS_OK);
        assert_int_equal(graze_mesh_create_outer_hull(NULL, points[0], POINTS, 8, NULL, &other[1]), GRAZE_STATUS_OK);
        environment_leave(&saved);
        expect_same(usual, other[0], "hull", number);
        for (int i = 0; i < POINTS; i++)
            if (!holds(other[1], points[i]))
                fail_msg("a point lies outside of the outer hull %s", environment_name(number));
        graze_mesh_destroy(other[0]);
        graze_mesh_destroy(other[1]);
    }
    graze_mesh_destroy(usual);
}

/* Every vertex lies in a piece, and the pieces are convex. */
static void check_cover(const graze_mesh *mesh, const graze_decomposition *pieces, const char *environment)
{
    for (size_t i = 0; i < graze_mesh_vertex_count(mesh); i++)
    {
        bool held = false;
        for (size_t k = 0; k < graze_decomposition_piece_count(pieces); k++)
            held = held || holds(graze_decomposition_piece(pieces, k), graze_mesh_vertices(mesh) + 3 * i);
        if (!held)
            fail_msg("vertex %zu is in no piece %s", i, environment);
    }
    for (size_t k = 0; k < graze_decomposition_piece_count(pieces); k++)
    {
        const graze_mesh *piece = graze_decomposition_piece(pieces, k);
        graze_piece_excess excess = graze_decomposition_excess(pieces, k);
        assert_true(excess.lower >= 0 && excess.lower <= excess.upper);
        for (size_t i = 0; i < graze_mesh_vertex_count(piece); i++)
            if (!holds(piece, graze_mesh_vertices(piece) + 3 * i))
                fail_msg("piece %zu is not convex %s", k, environment);
    }
}

static void check_pieces(const graze_mesh *mesh)
{
    static uint32_t usual[4096], other[4096];
    graze_decomposition_options options = graze_decomposition_options_default();
    graze_decomposition *again;
    size_t count, other_count;
    assert_true(graze_mesh_triangle_count(mesh) <= 4096);
    options.most_pieces = 2;
    assert_int_equal(graze_mesh_find_convex_patches(NULL, mesh, NULL, usual, &count), GRAZE_STATUS_OK);
    for (int number = 0; number < ENVIRONMENTS; number += 3)
    {
        saved_environment saved;
        environment_enter(&saved, number);
        assert_int_equal(graze_mesh_find_convex_patches(NULL, mesh, NULL, other, &other_count), GRAZE_STATUS_OK);
        assert_int_equal(graze_decomposition_create(NULL, mesh, &options, &again), GRAZE_STATUS_OK);
        environment_leave(&saved);
        if (count != other_count || memcmp(usual, other, graze_mesh_triangle_count(mesh) * sizeof *usual) != 0)
            fail_msg("other patches %s", environment_name(number));
        check_cover(mesh, again, environment_name(number));
        graze_decomposition_destroy(again);
    }
}

static void convex_bodies_are_made_the_same_everywhere(void **state)
{
    (void)state;
    static const int powers[4] = {-1060, 0, -1070, 200};
    test_random random = test_random_start("environments of hulls", 2);
    for (int i = 0; i < 8; i++)
        check_hulls(&random, ldexp(1, powers[i % 4]));
    for (int i = 0; i < 2; i++)
    {
        graze_mesh *torus;
        double scale = ldexp(1, powers[i]);
        assert_int_equal(graze_mesh_create_torus(NULL, scale, 0.25 * scale, 6, 4, &torus), GRAZE_STATUS_OK);
        check_pieces(torus);
        graze_mesh_destroy(torus);
    }
}

/* A cube on another one: four points. */
static void contacts_of_meshes_are_found_everywhere(void **state)
{
    (void)state;
    static const int powers[3] = {0, -200, 200};
    for (int i = 0; i < 3; i++)
        for (int number = 0; number < ENVIRONMENTS; number++)
        {
            double size = ldexp(2, powers[i]);
            graze_mesh *cube;
            graze_contact_manifold manifolds[4];
            graze_contact_options options = graze_contact_options_default();
            size_t count = 0;
            assert_int_equal(graze_mesh_create_box(NULL, size, size, size, 1, &cube), GRAZE_STATUS_OK);
            graze_placed_mesh a = {cube, NULL, graze_pose_identity()};
            graze_placed_mesh b = {cube, NULL, graze_pose_translation(0.25 * size, 0, size)};
            options.margin = size / 64;
            saved_environment saved;
            environment_enter(&saved, number);
            graze_status status = graze_pair_contacts(NULL, &a, &b, &options, manifolds, 4, &count);
            environment_leave(&saved);
            assert_int_equal(status, GRAZE_STATUS_OK);
            if (count != 1 || manifolds[0].count != 4 || !(manifolds[0].normal[2] > 0.999))
                fail_msg("size %a, %s: %zu manifolds", size, environment_name(number), count);
            graze_mesh_destroy(cube);
        }
}

/* A negative number is refused also where flushing makes it -0, and a denormal one taken. */
static void negative_numbers_are_refused_everywhere(void **state)
{
    (void)state;
    static const double tried[4] = {-0x1p-1074, -1e-310, 0x1p-1074, 0}, size[3] = {2, 2, 2};
    graze_shape *box;
    assert_int_equal(graze_shape_create_box(NULL, size, &box), GRAZE_STATUS_OK);
    const graze_placed a = {box, graze_pose_identity()}, b = {box, graze_pose_translation(3, 0, 0)};
    for (int number = 0; number < ENVIRONMENTS; number++)
        for (int i = 0; i < 4; i++)
        {
            graze_shape_distance_options options[3];
            graze_shape_depth_options depth_options = graze_shape_depth_options_default();
            graze_verdict verdict;
            graze_shape_distance d;
            graze_shape_depth depth;
            graze_status statuses[5];
            for (int k = 0; k < 3; k++)
                options[k] = graze_shape_distance_options_default();
            memcpy(&options[0].limit, &tried[i], sizeof tried[i]);
            memcpy(&options[1].relative_error, &tried[i], sizeof tried[i]);
            memcpy(&options[2].absolute_error, &tried[i], sizeof tried[i]);
            memcpy(&depth_options.relative_error, &tried[i], sizeof tried[i]);
            saved_environment saved;
            environment_enter(&saved, number);
            statuses[0] = graze_shape_pair_tolerance_any(NULL, &a, &b, tried[i], NULL, &verdict, NULL);
            for (int k = 0; k < 3; k++)
                statuses[1 + k] = graze_shape_pair_distance(NULL, &a, &b, &options[k], &d);
            statuses[4] = graze_shape_pair_depth(NULL, &a, &b, &depth_options, &depth);
            environment_leave(&saved);
            for (int k = 0; k < 5; k++)
                if (statuses[k] != (i < 2 ? GRAZE_STATUS_BAD_ARGUMENT : GRAZE_STATUS_OK))
                    fail_msg("query %d, %a, %s: status %d", k, tried[i], environment_name(number), (int)statuses[k]);
        }
    graze_shape_destroy(box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_have_the_same_answers_everywhere),
        cmocka_unit_test(convex_bodies_are_made_the_same_everywhere),
        cmocka_unit_test(contacts_of_meshes_are_found_everywhere),
        cmocka_unit_test(negative_numbers_are_refused_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
