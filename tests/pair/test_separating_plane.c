/* SPDX-License-Identifier: MIT */
/*
 * Separating planes of two placed meshes: separated meshes are farther apart than asked, with all vertices on their
 * side of the plane, under poses of every kind, in every environment, and at the far ends of the range.
 */
#include "pair/separating_plane.h"

#include <math.h>
#include <stdio.h>

#include "base/random.h"
#include "graze/distance.h"
#include "graze/generate.h"
#include "support/bodies.h"
#include "support/environment.h"
#include "support/placed_shapes.h"
#include "support/rationals.h"
#include "support/unit.h"

/* Poses that are not finite are refused. */
static bool is_separated(const graze_placed_mesh *a, const graze_placed_mesh *b, double distance)
{
    bool found = false;
    graze_status status = graze_pair_find_separating_plane(a, b, distance, &found, NULL);
    bool finite =
        graze_pose_check(&a->pose, NULL) == GRAZE_STATUS_OK && graze_pose_check(&b->pose, NULL) == GRAZE_STATUS_OK;
    assert_int_equal(status, finite ? GRAZE_STATUS_OK : GRAZE_STATUS_NOT_FINITE);
    return found;
}

static graze_placed_mesh any_shape(const placed_shapes *shapes, grz_random *random, const graze_pose *pose)
{
    uint32_t shape = (uint32_t)grz_random_below(random, PLACED_SHAPES);
    return (graze_placed_mesh){shapes->meshes[shape], shapes->trees[shape][0], *pose};
}

static void separated_meshes_are_farther_than_asked(void **state)
{
    (void)state;
    const uint64_t seed = 20261116;
    printf("seed %llu\n", (unsigned long long)seed);
    grz_random random = grz_random_make(seed);
    placed_shapes *shapes = placed_shapes_create();
    unsigned parted = 0, apart = 0, met = 0, near = 0;
    for (unsigned round = 0; round < 3000; round++)
    {
        graze_pose poses[2];
        placed_poses(&random, round % POSE_KINDS, &poses[0], &poses[1]);
        graze_placed_mesh a = any_shape(shapes, &random, &poses[0]), b = any_shape(shapes, &random, &poses[1]);
        graze_distance distance;
        assert_int_equal(graze_pair_distance(NULL, &a, &b, NULL, &distance), GRAZE_STATUS_OK);
        /* Zero, the whole distance, or half of it. */
        double asked = round % 3 == 0 ? 0 : round % 3 == 1 ? distance.upper : 0.5 * distance.lower;
        saved_environment saved;
        environment_enter(&saved, (int)(round % ENVIRONMENTS));
        bool is_apart = is_separated(&a, &b, asked);
        assert_int_equal(is_separated(&b, &a, asked) && round % 3 == 1, 0);
        environment_leave(&saved);
        assert_false(is_apart && (distance.upper == 0 || round % 3 == 1));
        met += distance.upper == 0;
        apart += distance.lower > 0 && round % 3 != 1;
        parted += is_apart;
        near += is_apart && round % 3 == 2;
    }
    printf("%u met, %u of %u apart were parted, %u by half their distance\n", met, parted, apart, near);
    assert_true(met > 300 && 2 * parted > apart && near > 100);
    placed_shapes_destroy(shapes);
}

/* The largest sign * n . (R v + t) over all vertices, without rounding. */
static void exact_support(const graze_placed_mesh *placed, const double normal[3], int sign, mpq_t out_support)
{
    mpq_t matrix[12], height, term, factor;
    rational_matrix_init(matrix);
    rational_matrix_set(matrix, &placed->pose);
    mpq_inits(height, term, factor, NULL);
    for (size_t v = 0; v < graze_mesh_vertex_count(placed->mesh); v++)
    {
        const double *vertex = graze_mesh_vertices(placed->mesh) + 3 * v;
        mpq_set_ui(height, 0, 1);
        for (int entry = 0; entry < 12; entry++)
        {
            mpq_set_d(factor, sign * normal[entry / 4]);
            mpq_mul(term, matrix[entry], factor);
            mpq_set_d(factor, entry % 4 < 3 ? vertex[entry % 4] : 1);
            mpq_mul(term, term, factor);
            mpq_add(height, height, term);
        }
        if (v == 0 || mpq_cmp(height, out_support) > 0)
            mpq_set(out_support, height);
    }
    mpq_clears(height, term, factor, NULL);
    rational_matrix_clear(matrix);
}

static void the_normal_leads_from_one_mesh_to_the_other(void **state)
{
    (void)state;
    const uint64_t seed = 20261118;
    printf("seed %llu\n", (unsigned long long)seed);
    grz_random random = grz_random_make(seed);
    placed_shapes *shapes = placed_shapes_create();
    mpq_t up, down;
    mpq_inits(up, down, NULL);
    unsigned found_count = 0;
    for (unsigned round = 0; round < 400; round++)
    {
        graze_pose poses[2];
        placed_poses(&random, round % POSE_KINDS, &poses[0], &poses[1]);
        graze_placed_mesh a = any_shape(shapes, &random, &poses[0]), b = any_shape(shapes, &random, &poses[1]);
        bool found = false;
        double normal[3] = {NAN, NAN, NAN};
        assert_int_equal(graze_pair_find_separating_plane(&a, &b, 0, &found, normal), GRAZE_STATUS_OK);
        assert_int_equal(found, !isnan(normal[0]));
        if (!found)
            continue;
        found_count++;
        exact_support(&a, normal, 1, up);
        exact_support(&b, normal, -1, down);
        mpq_add(up, up, down); /* the highest of A less the lowest of B */
        assert_true(mpq_sgn(up) < 0);
    }
    printf("%u planes\n", found_count);
    assert_true(found_count > 100);
    mpq_clears(up, down, NULL);
    placed_shapes_destroy(shapes);
}

/* Gaps that doubles represent: one of exactly the clearance is not larger, and touching is no gap. */
static void a_gap_of_just_the_clearance_is_not_more(void **state)
{
    (void)state;
    bool found;
    graze_mesh *mesh;
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 1, &mesh), GRAZE_STATUS_OK);
    graze_placed_mesh a = {mesh, NULL, graze_pose_identity()}, b = a;
    b.pose = graze_pose_translation(1.5, 0.25, 0);
    assert_true(is_separated(&a, &b, 0) && is_separated(&a, &b, 0.4999));
    assert_false(is_separated(&a, &b, 0.5));
    b.pose = graze_pose_translation(1, 0.25, 0);
    assert_false(is_separated(&a, &b, 0));
    b.pose = graze_pose_translation(1e300, 0, 0); /* too far for the error bound of heights */
    assert_false(is_separated(&a, &b, 0));
    assert_int_equal(graze_pair_find_separating_plane(&a, &b, -1, &found, NULL), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_pair_find_separating_plane(&a, &b, NAN, &found, NULL), GRAZE_STATUS_BAD_ARGUMENT);
    assert_false(is_separated(&a, &b, INFINITY));
    graze_mesh_def def = graze_mesh_def_default();
    graze_mesh *empty;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &empty), GRAZE_STATUS_OK);
    graze_placed_mesh none = {empty, NULL, graze_pose_identity()};
    assert_false(is_separated(&a, &none, 0));
    graze_mesh_destroy(empty);
    graze_mesh_destroy(mesh);
}

/* ---- the far ends of the range ---- */

/* Boxes with corners at integers times 2^low, and poses of 2^high with reflections: in the world they are at integers
 * times 2^(low + high), however far both powers are from 1. */
typedef struct grid_box
{
    graze_mesh *mesh;
    graze_placed_mesh placed;
    int lower[3], upper[3];
} grid_box;

static grid_box make_grid_box(grz_random *random, int low, int high)
{
    static const uint32_t corners[36] = {0, 1, 3, 0, 3, 2, 4, 7, 5, 4, 6, 7, 0, 4, 5, 0, 5, 1,
                                         2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3};
    grid_box made;
    double vertices[24];
    graze_pose pose = {{0}};
    for (int axis = 0; axis < 3; axis++)
    {
        int from = (int)grz_random_below(random, 7), to = from + (int)grz_random_below(random, 4);
        int turn = grz_random_below(random, 2) == 0 ? 1 : -1;
        int shift = (int)grz_random_below(random, 5) + (turn > 0 ? 0 : 9);
        for (int corner = 0; corner < 8; corner++)
            vertices[3 * corner + axis] = ldexp((corner >> axis & 1) != 0 ? to : from, low);
        pose.m[5 * axis] = ldexp(turn, high);
        pose.m[4 * axis + 3] = ldexp(shift, low + high);
        made.lower[axis] = shift + (turn > 0 ? from : -to);
        made.upper[axis] = shift + (turn > 0 ? to : -from);
    }
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 8;
    def.corners = corners;
    def.corner_count = 36;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &made.mesh), GRAZE_STATUS_OK);
    made.placed = (graze_placed_mesh){made.mesh, NULL, pose};
    return made;
}

/* The square of their distance, in steps of the grid. */
static int square_gap(const grid_box *a, const grid_box *b)
{
    int sum = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        int above = a->lower[axis] - b->upper[axis], below = b->lower[axis] - a->upper[axis];
        int gap = above > below ? above : below;
        sum += gap > 0 ? gap * gap : 0;
    }
    return sum;
}

static void planes_are_right_at_the_far_ends_of_the_range_as_well(void **state)
{
    (void)state;
    const uint64_t seed = 20261117;
    printf("seed %llu\n", (unsigned long long)seed);
    grz_random random = grz_random_make(seed);
    unsigned parted = 0, close = 0;
    for (unsigned round = 0; round < 40000; round++)
    {
        /* Their world position, and the pose of each. */
        int where =
            round % 2 == 0 ? (int)grz_random_below(&random, 41) - 20 : (int)grz_random_below(&random, 1801) - 900;
        int lows[2];
        for (int i = 0; i < 2; i++)
        {
            int least = where - 1000 > -1074 ? where - 1000 : -1074, most = where + 1074 < 1000 ? where + 1074 : 1000;
            lows[i] = least + (int)grz_random_below(&random, (uint32_t)(most - least + 1));
            if (round % 4 > 1)
                lows[i] = (int)grz_random_below(&random, 401) - 200;
        }
        grid_box a = make_grid_box(&random, lows[0], where - lows[0]);
        grid_box b = make_grid_box(&random, lows[1], where - lows[1]);
        unsigned asked = (unsigned)grz_random_below(&random, 5);
        saved_environment saved;
        environment_enter(&saved, (int)(round / 4 % ENVIRONMENTS));
        bool is_apart = is_separated(&a.placed, &b.placed, ldexp(asked, where));
        environment_leave(&saved);
        bool is_close = square_gap(&a, &b) <= (int)(asked * asked);
        assert_false(is_apart && is_close);
        parted += is_apart;
        close += is_close;
        graze_mesh_destroy(a.mesh);
        graze_mesh_destroy(b.mesh);
    }
    printf("%u parted, %u too close\n", parted, close);
    assert_true(parted > 8000 && close > 8000);
}

/* The separation test itself, with supports that are given: true below the error bound, false at it. */
static double given_support(const void *shape, const double direction[3], double out_point[3])
{
    (void)direction;
    (void)out_point;
    return *(const double *)shape;
}

static void a_plane_separates_by_more_than_all_errors_only(void **state)
{
    (void)state;
    const double n[3] = {1, 0, 0}, origin[3] = {0, 0, 0}, far[3] = {1024, 0, 0}, none = 0;
    double unused[3], bound = 8 * GRZ_U * 1024, support = 1024;
    grz_supported a = {&support, origin, 0}, b = {&none, far, 0};
    assert_false(grz_plane_separates(&a, &b, given_support, n, 0, unused)); /* they touch */
    support = 1024 - 1.75 * bound; /* the error bound of this sum is twice that of one term */
    assert_false(grz_plane_separates(&a, &b, given_support, n, 0, unused));
    support = 1024 - 4 * bound;
    assert_true(grz_plane_separates(&a, &b, given_support, n, 0, unused));
    assert_false(grz_plane_separates(&a, &b, given_support, n, 4 * bound, unused));
    a.error = 2 * bound; /* of the reference */
    assert_false(grz_plane_separates(&a, &b, given_support, n, 0, unused));
    a.error = 0;
    support = -INFINITY;
    assert_false(grz_plane_separates(&a, &b, given_support, n, 0, unused));
    support = NAN;
    assert_false(grz_plane_separates(&a, &b, given_support, n, 0, unused));
    support = 512;
    const double twice[3] = {2, 0, 0}; /* its length counts: the gap is 1024 - 512 / 2 */
    assert_true(grz_plane_separates(&a, &b, given_support, twice, 767, unused));
    assert_false(grz_plane_separates(&a, &b, given_support, twice, 768, unused));
}

/* Two corners cut off a cube: their boxes overlap along all axes, so that only their vertices tell; at three sizes. */
static void vertices_separate_where_boxes_do_not(void **state)
{
    (void)state;
    const double sizes[3] = {1, 0x1p-60, 0x1p60}, axis[3] = {1, -2, 3};
    static const uint32_t faces[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    for (int i = 0; i < 3; i++)
    {
        double size = sizes[i], there[3] = {5 * size, -3 * size, 2 * size};
        double lower[4][3] = {{0, 0, 0}, {size, 0, 0}, {0, size, 0}, {0, 0, size}}, upper[4][3];
        for (int k = 0; k < 12; k++)
            upper[k / 3][k % 3] = size - 0.875 * lower[k / 3][k % 3];
        graze_mesh *a = body_of_triangles(lower, 4, faces, 4), *b = body_of_triangles(upper, 4, faces, 4);
        graze_pose poses[2] = {graze_pose_identity()};
        assert_int_equal(graze_pose_from_axis_angle(axis, 0.7, there, &poses[1]), GRAZE_STATUS_OK);
        for (int k = 0; k < 2; k++)
        {
            graze_placed_mesh placed_a = {a, NULL, poses[k]}, placed_b = {b, NULL, poses[k]};
            assert_true(is_separated(&placed_a, &placed_b, 0) && is_separated(&placed_b, &placed_a, 0.25 * size));
            assert_false(is_separated(&placed_a, &placed_b, size));
        }
        graze_mesh_destroy(a);
        graze_mesh_destroy(b);
    }
}

static void negative_distances_are_refused_in_every_environment(void **state)
{
    (void)state;
    const double negative[3] = {-1, -0x1p-1074, NAN};
    graze_mesh *box;
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 1, &box), GRAZE_STATUS_OK);
    graze_placed_mesh a = {box, NULL, graze_pose_identity()}, b = {box, NULL, graze_pose_translation(3, 0, 0)};
    for (int number = 0; number < ENVIRONMENTS; number++)
        for (int i = 0; i < 3; i++)
        {
            bool found = true;
            saved_environment saved;
            environment_enter(&saved, number);
            graze_status status = graze_pair_find_separating_plane(&a, &b, negative[i], &found, NULL);
            environment_leave(&saved);
            assert_int_equal(status, GRAZE_STATUS_BAD_ARGUMENT);
        }
    graze_mesh_destroy(box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(separated_meshes_are_farther_than_asked),
        cmocka_unit_test(the_normal_leads_from_one_mesh_to_the_other),
        cmocka_unit_test(a_gap_of_just_the_clearance_is_not_more),
        cmocka_unit_test(planes_are_right_at_the_far_ends_of_the_range_as_well),
        cmocka_unit_test(a_plane_separates_by_more_than_all_errors_only),
        cmocka_unit_test(vertices_separate_where_boxes_do_not),
        cmocka_unit_test(negative_distances_are_refused_in_every_environment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
