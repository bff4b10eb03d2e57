/* SPDX-License-Identifier: MIT */
/* Disjoint contacts: one for each place where surfaces are nearest, at known places, and beside the distance. */
#include <math.h>
#include <string.h>

#include "graze/distance.h"
#include "graze/generate.h"
#include "graze/graze.h"
#include "support/environment.h"
#include "support/meshes.h"
#include "support/placed_shapes.h"
#include "support/unit.h"

enum
{
    MOST_CONTACTS = 256,
    SIDE = 3 /* tips in a row */
};

static graze_near_contact contacts[MOST_CONTACTS];

static graze_method_body *make_swift(const graze_mesh *mesh)
{
    graze_method_body *body = NULL;
    assert_int_equal(graze_method_body_create(NULL, "swift", mesh, NULL, &body), GRAZE_STATUS_OK);
    return body;
}

/* What is read without being set is nonsense then. */
static void fill_stack(void)
{
    volatile unsigned char stack[1 << 16];
    for (size_t i = 0; i < sizeof stack; i++)
        stack[i] = 0x41;
}

static size_t find(const graze_method_body *a, const graze_pose *pose_a, const graze_method_body *b,
                   const graze_pose *pose_b, double tolerance)
{
    const graze_placed_method_body first = {a, *pose_a}, second = {b, *pose_b};
    size_t count = 0;
    assert_int_equal(
        graze_method_disjoint_contacts(NULL, &first, &second, tolerance, NULL, contacts, MOST_CONTACTS, &count),
        GRAZE_STATUS_OK);
    assert_true(count <= MOST_CONTACTS);
    for (size_t i = 0; i < count; i++)
    {
        double square = 0;
        for (int k = 0; k < 3 && contacts[i].upper > 0; k++)
            square +=
                (contacts[i].point_a[k] - contacts[i].point_b[k]) * (contacts[i].point_a[k] - contacts[i].point_b[k]);
        assert_true(contacts[i].lower <= contacts[i].upper && contacts[i].lower <= tolerance);
        assert_true(fabs(sqrt(square) - contacts[i].upper) < 1e-9 * fmax(1, contacts[i].upper));
        assert_true(contacts[i].upper > 0 || isnan(contacts[i].point_a[0]));
        assert_true(i == 0 || contacts[i - 1].triangle_a < contacts[i].triangle_a ||
                    (contacts[i - 1].triangle_a == contacts[i].triangle_a &&
                     contacts[i - 1].triangle_b < contacts[i].triangle_b));
    }
    return count;
}

/* The same surface with three vertices of its own for each triangle, as from STL. */
static graze_mesh *unshared(const graze_mesh *mesh)
{
    size_t count = 3 * graze_mesh_triangle_count(mesh);
    static double vertices[3 * MOST_TRIANGLES][3];
    static uint32_t triangles[3 * MOST_TRIANGLES];
    assert_true(count <= 3 * (size_t)MOST_TRIANGLES);
    for (size_t i = 0; i < count; i++)
    {
        memcpy(vertices[i], graze_mesh_vertices(mesh) + 3 * (size_t)graze_mesh_triangles(mesh)[i], sizeof vertices[i]);
        triangles[i] = (uint32_t)i;
    }
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = count;
    def.corners = triangles;
    def.corner_count = count;
    graze_mesh *made = NULL;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &made), GRAZE_STATUS_OK);
    return made;
}

/* Double pyramids of various heights over a plate: every lower tip is a minimum, at its height. */
static void every_tip_over_a_plate_is_one_contact(void **state)
{
    (void)state;
    grz_random random = grz_random_make(3);
    for (unsigned round = 0; round < 12; round++)
    {
        test_mesh plate = {0}, tips = {0};
        double heights[SIDE * SIDE], tolerance = 0.4;
        size_t within = 0, found = 0;
        const double lower[3] = {-20, -20, -1}, upper[3] = {60, 60, 0};
        mesh_add_box(&plate, lower, upper, false);
        for (int i = 0; i < SIDE * SIDE; i++)
        {
            heights[i] = grz_random_between(&random, 0.05, 0.8);
            within += heights[i] <= tolerance;
            mesh_add_bipyramid(&tips, 10.0 * (i % SIDE), 10.0 * (i / SIDE), 3 + heights[i], 1);
        }
        graze_mesh *meshes[2] = {mesh_create(&plate), mesh_create(&tips)};
        if (round % 3 == 2)
        {
            graze_mesh *soup = unshared(meshes[1]);
            graze_mesh_destroy(meshes[1]);
            meshes[1] = soup;
        }
        graze_method_body *bodies[2] = {make_swift(meshes[0]), make_swift(meshes[1])};
        graze_pose pose = graze_pose_identity();
        if (round % 3 > 0)
            pose = placed_pose(&random, 0);
        size_t count = round % 2 == 0 ? find(bodies[0], &pose, bodies[1], &pose, tolerance)
                                      : find(bodies[1], &pose, bodies[0], &pose, tolerance);
        assert_int_equal(count, within);
        for (int i = 0; i < SIDE * SIDE; i++)
            for (size_t k = 0; k < count; k++)
                found += fabs(contacts[k].upper - heights[i]) < 1e-9;
        assert_int_equal(found, within);
        assert_true(within > 0);
        for (int side = 0; side < 2; side++)
        {
            graze_method_body_destroy(bodies[side]);
            graze_mesh_destroy(meshes[side]);
        }
    }
}

/* Two cubes: face over face, edge over edge (parallel and crossed), and vertex over face have one place each. */
static void parallel_faces_and_edges_are_one_contact(void **state)
{
    (void)state;
    test_mesh cube = {0};
    mesh_add_cube(&cube, -1, -1, -1, 2);
    graze_mesh *mesh = mesh_create(&cube);
    graze_method_body *body = make_swift(mesh);
    grz_random random = grz_random_make(5);
    const double quarter = acos(-1) / 4, diagonal = sqrt(2);
    const struct
    {
        double axis[3], angle, height;
    } turns[4] = {
        {{0, 0, 1}, 0, 1}, {{1, 0, 0}, quarter, diagonal}, {{0, 0, 1}, quarter, 1}, {{0, 1, 0}, quarter, diagonal}};
    for (int i = 0; i < 16; i++)
    {
        double gap = 0.01 * (i + 1);
        graze_pose poses[2], turn = placed_pose(&random, 0);
        for (int side = 0; side < 2; side++)
        {
            int which = side == 0 ? i % 4 : i / 4;
            /* Parallel edges lie over one another. */
            const double at[3] = {i == 15 ? 0 : 0.1 * side, i == 5 ? 0 : 0.2 * side,
                                  side == 0 ? 0 : turns[i % 4].height + turns[i / 4].height + gap};
            graze_pose own;
            assert_int_equal(graze_pose_from_axis_angle(turns[which].axis, turns[which].angle, at, &own),
                             GRAZE_STATUS_OK);
            assert_int_equal(graze_pose_compose(&turn, &own, &poses[side], NULL), GRAZE_STATUS_OK);
        }
        assert_int_equal(find(body, &poses[0], body, &poses[1], 0.5), 1);
        assert_true(fabs(contacts[0].upper - gap) < 1e-9);
        assert_int_equal(find(body, &poses[0], body, &poses[1], gap / 2), 0);
    }
    graze_method_body_destroy(body);
    graze_mesh_destroy(mesh);
}

/* Over a plate, a box tilted by about the size of a rounding, or up to a million of them: one contact, and never none.
 */
static void faces_that_are_nearly_parallel_are_one_contact(void **state)
{
    (void)state;
    grz_random random = grz_random_make(7);
    graze_mesh *meshes[2] = {NULL, NULL};
    assert_int_equal(graze_mesh_create_box(NULL, 8, 8, 1, 1, &meshes[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 2, 1.5, 1, 2, &meshes[1]), GRAZE_STATUS_OK);
    graze_method_body *bodies[2] = {make_swift(meshes[0]), make_swift(meshes[1])};
    const graze_pose pose = graze_pose_identity();
    for (int round = 0; round < 110; round++)
    {
        double tilt = ldexp(1, -30 - round % 22), q[4] = {1, 0, 0, 0};
        for (int k = 1; k < 4; k++)
            q[k] = tilt * grz_random_between(&random, -1, 1);
        const double at[3] = {grz_random_between(&random, -1, 1), grz_random_between(&random, -1, 1), 1.25};
        graze_pose tilted;
        assert_int_equal(graze_pose_from_quaternion(q, at, &tilted), GRAZE_STATUS_OK);
        assert_int_equal(find(bodies[0], &pose, bodies[1], &tilted, 0.5), 1);
        assert_true(fabs(contacts[0].upper - 0.25) < 4 * tilt + 1e-9);
    }
    for (int side = 0; side < 2; side++)
    {
        graze_method_body_destroy(bodies[side]);
        graze_mesh_destroy(meshes[side]);
    }
}

/* A torus through another one's tube meets it in two places. */
static void parts_that_meet_are_told_once_each(void **state)
{
    (void)state;
    graze_mesh *torus = NULL;
    assert_int_equal(graze_mesh_create_torus(NULL, 1, 0.25, 24, 12, &torus), GRAZE_STATUS_OK);
    graze_method_body *body = make_swift(torus);
    const graze_pose pose = graze_pose_identity(), aside = graze_pose_translation(1, 0.01, 0.02);
    assert_int_equal(find(body, &pose, body, &aside, 0), 2);
    assert_true(contacts[0].upper == 0 && contacts[1].upper == 0);
    graze_method_body_destroy(body);
    graze_mesh_destroy(torus);
}

static void the_nearest_contact_has_the_distance(void **state)
{
    (void)state;
    graze_mesh *torus = NULL;
    assert_int_equal(graze_mesh_create_torus(NULL, 1, 0.3, 20, 12, &torus), GRAZE_STATUS_OK);
    graze_method_body *body = make_swift(torus);
    grz_random random = grz_random_make(11);
    unsigned apart = 0, several = 0;
    for (unsigned round = 0; round < TEST_ROUNDS(60u); round++)
    {
        const double at[3] = {grz_random_between(&random, -2, 2), grz_random_between(&random, -2, 2),
                              grz_random_between(&random, 0.5, 2)};
        const graze_pose pose = graze_pose_identity();
        graze_pose other = placed_pose(&random, 0);
        for (int k = 0; k < 3; k++)
            other.m[4 * k + 3] = at[k];
        const graze_placed_mesh meshes[2] = {{torus, NULL, pose}, {torus, NULL, other}};
        graze_distance distance;
        assert_int_equal(graze_pair_distance(NULL, &meshes[0], &meshes[1], NULL, &distance), GRAZE_STATUS_OK);
        size_t count = find(body, &pose, body, &other, 0.5);
        assert_int_equal(count > 0, distance.lower <= 0.5);
        if (distance.lower > 0.5)
            continue;
        double least = INFINITY;
        for (size_t i = 0; i < count; i++)
            least = fmin(least, contacts[i].upper);
        assert_true(least >= distance.lower && fabs(least - distance.upper) < 1e-9);
        apart += least > 0;
        several += count > 1;
        /* A smaller tolerance leaves out those that are farther. */
        size_t nearer = 0;
        for (size_t i = 0; i < count; i++)
            nearer += contacts[i].upper < 0.25;
        assert_int_equal(find(body, &pose, body, &other, 0.25), nearer);
    }
    print_message("%u apart, %u with several contacts\n", apart, several);
    assert_true(apart > TEST_ROUNDS(60u) / 8 && several > TEST_ROUNDS(60u) / 8);
    graze_method_body_destroy(body);
    graze_mesh_destroy(torus);
}

/* Two rings and what is near of them, at a scale: the number of contacts; of their distances, in units, the least and
   the sum. */
static size_t find_at_scale(int exponent, const graze_pose *turned, double out_distances[2])
{
    double unit = ldexp(1, exponent);
    graze_mesh *torus = NULL;
    assert_int_equal(graze_mesh_create_torus(NULL, unit, 0.3 * unit, 10, 6, &torus), GRAZE_STATUS_OK);
    graze_method_body *body = make_swift(torus);
    const graze_pose pose = graze_pose_identity();
    graze_pose other = *turned;
    for (int k = 3; k < 12; k += 4)
        other.m[k] *= unit;
    size_t count = find(body, &pose, body, &other, 0.7 * unit);
    out_distances[0] = INFINITY;
    out_distances[1] = 0;
    for (size_t i = 0; i < count; i++)
    {
        out_distances[0] = fmin(out_distances[0], contacts[i].upper / unit);
        out_distances[1] += contacts[i].upper / unit;
    }
    graze_method_body_destroy(body);
    graze_mesh_destroy(torus);
    return count;
}

static void contacts_do_not_depend_on_the_scale(void **state)
{
    (void)state;
    static const int exponents[] = {-900, -450, 400};
    grz_random random = grz_random_make(17);
    size_t found = 0;
    for (int round = 0; round < 4; round++)
    {
        graze_pose other = placed_pose(&random, 0);
        double expected[2], distances[2];
        for (int k = 3; k < 12; k += 4)
            other.m[k] = grz_random_between(&random, 0.6, 1.6);
        size_t count = find_at_scale(0, &other, expected);
        found += count;
        for (size_t e = 0; e < sizeof exponents / sizeof *exponents; e++)
        {
            assert_int_equal(find_at_scale(exponents[e], &other, distances), count);
            assert_true(count == 0 || fabs(distances[0] - expected[0]) < 1e-9);
            assert_true(fabs(distances[1] - expected[1]) < 1e-9);
        }
    }
    assert_true(found > 2);
}

/* Tiny and huge gaps and tolerances, with denormals flushed to zero and in every rounding mode. */
static void check_environments(double unit)
{
    const double tolerances[3] = {0, 4 * unit, 40 * unit};
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create_box(NULL, 16 * unit, 16 * unit, 16 * unit, 1, &mesh), GRAZE_STATUS_OK);
    graze_method_body *body = make_swift(mesh);
    for (int gap = -1; gap < 7; gap += 2)
        for (int t = 0; t < 3; t++)
            for (int number = 0; number < ENVIRONMENTS; number++)
            {
                graze_placed_method_body a = {body, graze_pose_identity()}, b = a;
                saved_environment saved;
                size_t count = 99, refused = 99;
                b.pose.m[3] = (16 + gap) * unit;
                fill_stack();
                environment_enter(&saved, number);
                graze_status status =
                    graze_method_disjoint_contacts(NULL, &a, &b, tolerances[t], NULL, contacts, MOST_CONTACTS, &count);
                graze_status negative = graze_method_disjoint_contacts(NULL, &a, &b, -unit, NULL, NULL, 0, &refused);
                environment_leave(&saved);
                assert_int_equal(status, GRAZE_STATUS_OK);
                assert_int_equal(negative, GRAZE_STATUS_BAD_ARGUMENT);
                assert_int_equal(count > 0, gap * unit <= tolerances[t]);
            }
    graze_method_body_destroy(body);
    graze_mesh_destroy(mesh);
}

static void tiny_contacts_are_the_same_in_every_environment(void **state)
{
    (void)state;
    check_environments(0x1p-1060);
}

static void huge_contacts_are_the_same_in_every_environment(void **state)
{
    (void)state;
    check_environments(0x1p400);
}

static void what_cannot_be_told_is_refused(void **state)
{
    (void)state;
    graze_mesh *sphere = NULL;
    graze_method_body *dops = NULL;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 2, &sphere), GRAZE_STATUS_OK);
    assert_int_equal(graze_method_body_create(NULL, "kdop-18", sphere, NULL, &dops), GRAZE_STATUS_OK);
    graze_method_body *swift = make_swift(sphere);
    const graze_placed_method_body a = {dops, graze_pose_identity()}, b = {swift, graze_pose_identity()};
    const graze_placed_method_body far = {swift, graze_pose_translation(0x1p900, 0, 0)};
    size_t count = 77;
    assert_int_equal(graze_method_disjoint_contacts(NULL, &a, &a, 1, NULL, NULL, 0, &count), GRAZE_STATUS_UNSUPPORTED);
    assert_int_equal(graze_method_disjoint_contacts(NULL, &b, &far, 1, NULL, NULL, 0, &count),
                     GRAZE_STATUS_UNSUPPORTED);
    assert_int_equal(graze_method_disjoint_contacts(NULL, &a, &b, 1, NULL, NULL, 0, &count), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_method_disjoint_contacts(NULL, &b, &b, -1, NULL, NULL, 0, &count),
                     GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_method_disjoint_contacts(NULL, &b, &b, INFINITY, NULL, NULL, 0, &count),
                     GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_method_disjoint_contacts(NULL, &b, &b, 1, NULL, NULL, 1, &count), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(count, 77);
    graze_method_options options = graze_method_options_default();
    graze_method_counters counters = {0};
    options.budget.box_tests = 1;
    options.counters = &counters;
    assert_int_equal(graze_method_disjoint_contacts(NULL, &b, &b, 1, &options, NULL, 0, &count),
                     GRAZE_STATUS_UNFINISHED);
    assert_int_equal(count, 77);
    assert_true(counters.volumes > 0);
    graze_method_body_destroy(dops);
    graze_method_body_destroy(swift);
    graze_mesh_destroy(sphere);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_tip_over_a_plate_is_one_contact),
        cmocka_unit_test(parallel_faces_and_edges_are_one_contact),
        cmocka_unit_test(faces_that_are_nearly_parallel_are_one_contact),
        cmocka_unit_test(parts_that_meet_are_told_once_each),
        cmocka_unit_test(the_nearest_contact_has_the_distance),
        cmocka_unit_test(contacts_do_not_depend_on_the_scale),
        cmocka_unit_test(tiny_contacts_are_the_same_in_every_environment),
        cmocka_unit_test(huge_contacts_are_the_same_in_every_environment),
        cmocka_unit_test(what_cannot_be_told_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
