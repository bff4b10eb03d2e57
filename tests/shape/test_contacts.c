/* SPDX-License-Identifier: MIT */
/*
 * Contacts of shapes: every kind near every other, where the least gap is the distance; convex ones in each other,
 * where it is minus the way out; resting on half-spaces; balls that roll over meshes; compounds by leaf.
 */
#include "graze/shape_contact.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "graze/generate.h"
#include "support/unit.h"

enum
{
    SEED = 8128,
    MOST = 64
};

static graze_shape *shapes[GRAZE_SHAPE_KIND_COUNT], *part;
static graze_mesh *mesh;
static graze_placed parts[2];
static graze_shape_manifold found[MOST];

static int make_shapes(void **state)
{
    (void)state;
    static const double cloud[6][3] = {{1, 0, 0},     {-0.5, 0.8, 0.1}, {-0.4, -0.7, 0},
                                       {0, 0.1, 0.9}, {0.2, 0, -1},     {0, 0, 0}};
    static const double ends[2][3] = {{-0.5, 0, 0.25}, {0.5, 0.25, 0}}, size[3] = {1, 0.5, 0.75},
                        point[3] = {0.1, 0, 0};
    static const double corners[3][3] = {{-0.5, -0.5, 0}, {0.75, 0, 0}, {0, 0.75, 0.25}}, radii[3] = {0.5, 0.75, 1};
    static const double normal[3] = {0.5, 0.25, 1}, extent[2] = {2, 2};
    static const double heights[9] = {0, 0.1, 0, 0.2, 0.3, 0.1, 0, 0, -0.1};
    graze_status s = graze_mesh_create_torus(NULL, 0.75, 0.25, 16, 8, &mesh);
    s = s | graze_shape_create_mesh(NULL, mesh, NULL, true, &shapes[GRAZE_SHAPE_MESH]);
    s = s | graze_shape_create_hull(NULL, cloud[0], 6, NULL, &shapes[GRAZE_SHAPE_HULL]);
    s = s | graze_shape_create_sphere(NULL, NULL, 0.5, &shapes[GRAZE_SHAPE_SPHERE]);
    s = s | graze_shape_create_capsule(NULL, ends, 0.25, &shapes[GRAZE_SHAPE_CAPSULE]);
    s = s | graze_shape_create_box(NULL, size, &shapes[GRAZE_SHAPE_BOX]);
    s = s | graze_shape_create_cylinder(NULL, 1, 0.5, &shapes[GRAZE_SHAPE_CYLINDER]);
    s = s | graze_shape_create_cone(NULL, 1, 0.5, &shapes[GRAZE_SHAPE_CONE]);
    s = s | graze_shape_create_ellipsoid(NULL, radii, &shapes[GRAZE_SHAPE_ELLIPSOID]);
    s = s | graze_shape_create_half_space(NULL, normal, -0.25, &shapes[GRAZE_SHAPE_HALF_SPACE]);
    s = s | graze_shape_create_triangle(NULL, corners, &shapes[GRAZE_SHAPE_TRIANGLE]);
    s = s | graze_shape_create_segment(NULL, ends, &shapes[GRAZE_SHAPE_SEGMENT]);
    s = s | graze_shape_create_point(NULL, point, &shapes[GRAZE_SHAPE_POINT]);
    s = s | graze_shape_create_height_field(NULL, extent, heights, 3, 3, &shapes[GRAZE_SHAPE_HEIGHT_FIELD]);
    s = s | graze_shape_create_sphere(NULL, ends[1], 0.25, &part);
    parts[0] = (graze_placed){shapes[GRAZE_SHAPE_BOX], graze_pose_translation(-0.5, 0, 0)};
    parts[1] = (graze_placed){part, graze_pose_translation(0.5, 0, 0)};
    s = s | graze_shape_create_compound(NULL, parts, 2, &shapes[GRAZE_SHAPE_COMPOUND]);
    s = s | graze_shape_create_rounded(NULL, shapes[GRAZE_SHAPE_TRIANGLE], 0.125, &shapes[GRAZE_SHAPE_ROUNDED]);
    return s == GRAZE_STATUS_OK ? 0 : -1;
}

static int destroy_shapes(void **state)
{
    (void)state;
    graze_shape_destroy(shapes[GRAZE_SHAPE_ROUNDED]); /* those that refer to others first */
    graze_shape_destroy(shapes[GRAZE_SHAPE_COMPOUND]);
    shapes[GRAZE_SHAPE_ROUNDED] = shapes[GRAZE_SHAPE_COMPOUND] = NULL;
    for (int kind = 0; kind < GRAZE_SHAPE_KIND_COUNT; kind++)
        graze_shape_destroy(shapes[kind]);
    graze_shape_destroy(part);
    graze_mesh_destroy(mesh);
    return 0;
}

static graze_pose turned(grz_random *random, double away)
{
    double axis[3], to[3];
    graze_pose pose;
    for (int k = 0; k < 3; k++)
    {
        axis[k] = grz_random_between(random, -1, 1);
        to[k] = away * grz_random_between(random, -1, 1);
    }
    assert_int_equal(graze_pose_from_axis_angle(axis, grz_random_between(random, 0, 6), to, &pose), GRAZE_STATUS_OK);
    return pose;
}

static size_t contacts_of(const graze_placed *a, const graze_placed *b, double margin)
{
    graze_shape_contact_options options = graze_shape_contact_options_default();
    options.margin = margin;
    size_t count = 0;
    assert_int_equal(graze_shape_pair_contacts(NULL, a, b, &options, found, MOST, &count), GRAZE_STATUS_OK);
    assert_true(count <= MOST);
    return count;
}

static double least_gap(size_t count)
{
    double least = INFINITY;
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < found[i].contacts.count; k++)
        {
            const graze_contact_point *p = &found[i].contacts.points[k];
            double along = 0;
            for (int axis = 0; axis < 3; axis++)
                along += found[i].contacts.normal[axis] * (p->point_b[axis] - p->point_a[axis]);
            assert_true(fabs(along - p->gap) < 2e-3 * fabs(p->gap) + 1e-9); /* the gap is that of the points */
            least = fmin(least, p->gap);
        }
    return least;
}

/* Moves B along the line of the closest points until a gap is left. False where they are not apart. */
static bool bring_near(const graze_placed *a, graze_placed *b, double gap)
{
    for (int step = 0; step < 3; step++)
    {
        graze_shape_distance d;
        assert_int_equal(graze_shape_pair_distance(NULL, a, b, NULL, &d), GRAZE_STATUS_OK);
        if (!d.found || !(d.lower > 1e-6))
            return false;
        for (int k = 0; k < 3; k++)
            b->pose.m[4 * k + 3] += (d.point_a[k] - d.point_b[k]) * (1 - gap / d.distance);
    }
    return true;
}

static void every_kind_near_every_other_has_the_gap_of_its_distance(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED);
    printf("seed %d\n", SEED);
    size_t compared = 0, skipped = 0;
    for (int i = 0; i < GRAZE_SHAPE_KIND_COUNT; i++)
        for (int k = 0; k < GRAZE_SHAPE_KIND_COUNT; k++)
        {
            size_t here = 0;
            for (int round = 0; round < 6; round++)
            {
                graze_placed a = {shapes[i], turned(&random, 1)}, b = {shapes[k], turned(&random, 6)};
                graze_shape_distance d;
                if (!bring_near(&a, &b, 0.01))
                    continue;
                assert_int_equal(graze_shape_pair_distance(NULL, &a, &b, NULL, &d), GRAZE_STATUS_OK);
                size_t count = contacts_of(&a, &b, 0.02);
                double least = least_gap(count);
                if (i == GRAZE_SHAPE_HALF_SPACE && k == GRAZE_SHAPE_HALF_SPACE)
                {
                    assert_int_equal(count, 0);
                    continue;
                }
                if (!(fabs(least - d.distance) < 1e-7))
                    fail_msg("%s and %s: gap %g, distance %g", graze_shape_kind_name((graze_shape_kind)i),
                             graze_shape_kind_name((graze_shape_kind)k), least, d.distance);
                size_t swapped = contacts_of(&b, &a, 0.02);
                assert_int_equal(swapped > 0, count > 0);
                assert_true(fabs(least_gap(swapped) - least) < 1e-7);
                assert_int_equal(contacts_of(&a, &b, 0.5 * d.lower), 0);
                here++;
            }
            compared += here;
            skipped += here == 0;
        }
    printf("%zu compared, %zu of %d pairs of kinds never apart\n", compared, skipped, 225);
    assert_true(compared > 900 && skipped <= 1);
}

static bool is_convex(int kind)
{
    return kind != GRAZE_SHAPE_MESH && kind != GRAZE_SHAPE_HEIGHT_FIELD && kind != GRAZE_SHAPE_COMPOUND;
}

static void convex_shapes_in_each_other_have_the_gap_of_the_way_out(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED + 1);
    size_t compared = 0;
    for (int i = 0; i < GRAZE_SHAPE_KIND_COUNT; i++)
        for (int k = 0; k < GRAZE_SHAPE_KIND_COUNT; k++)
            for (int round = 0; round < 4 && is_convex(i) && is_convex(k); round++)
            {
                graze_placed a = {shapes[i], turned(&random, 0.2)}, b = {shapes[k], turned(&random, 0.2)};
                graze_shape_depth d;
                assert_int_equal(graze_shape_pair_depth(NULL, &a, &b, NULL, &d), GRAZE_STATUS_OK);
                if (d.overlap != GRAZE_VERDICT_YES || !(d.lower > 0.01) || !(d.upper < 1.02 * d.lower))
                    continue;
                size_t count = contacts_of(&a, &b, 0.01);
                assert_int_equal(count, 1);
                double least = least_gap(count);
                if (!(-least > 0.97 * d.lower && -least < 1.03 * d.upper))
                    fail_msg("%s and %s: gap %g, way out [%g, %g]", graze_shape_kind_name((graze_shape_kind)i),
                             graze_shape_kind_name((graze_shape_kind)k), least, d.lower, d.upper);
                compared++;
            }
    printf("%zu compared\n", compared);
    assert_true(compared > 100);
}

static void boxes_rest_on_boxes_and_planes_with_four_points(void **state)
{
    (void)state;
    static const double up[3] = {0, 0, 1}, sizes[3] = {1, 1, 1};
    graze_shape *plane, *cube;
    assert_int_equal(graze_shape_create_half_space(NULL, up, 0, &plane), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_box(NULL, sizes, &cube), GRAZE_STATUS_OK);
    const graze_shape *floors[2] = {plane, cube};
    uint64_t first[2][4];
    for (int step = 0; step < 30; step++)
        for (int kind = 0; kind < 2; kind++)
        {
            double top = kind == 0 ? 0 : 0.5, gap = step % 3 == 0 ? 0 : step % 3 == 1 ? 0.001 : -0.001;
            graze_placed below = {floors[kind], graze_pose_identity()}, above = {cube, graze_pose_identity()};
            assert_int_equal(
                graze_pose_from_axis_angle(up, 0.001 * step, (double[3]){0.1, 0.05, top + 0.5 + gap}, &above.pose),
                GRAZE_STATUS_OK);
            assert_int_equal(contacts_of(&below, &above, 0.01), 1);
            const graze_contact_manifold *m = &found[0].contacts;
            assert_int_equal(m->count, 4);
            assert_true(m->normal[2] > 1 - 1e-12);
            for (uint32_t i = 0, kept = 0; i < 4; i++)
            {
                assert_true(fabs(m->points[i].gap - gap) < 1e-12);
                for (uint32_t k = 0; k < 4; k++)
                    kept += step > 0 && m->points[i].feature == first[kind][k];
                assert_true(step == 0 || kept == i + 1);
            }
            for (uint32_t i = 0; i < 4 && step == 0; i++)
                first[kind][i] = m->points[i].feature;
        }
    graze_shape_destroy(plane);
    graze_shape_destroy(cube);
}

/* A plate cut into triangles, and round shapes that roll over it. */
static void round_shapes_feel_no_inner_edge_of_a_plate(void **state)
{
    (void)state;
    static const int kinds[4] = {GRAZE_SHAPE_SPHERE, GRAZE_SHAPE_CAPSULE, GRAZE_SHAPE_ELLIPSOID, GRAZE_SHAPE_CONE};
    grz_random random = grz_random_make(SEED + 2);
    graze_mesh *plate;
    graze_shape *ground;
    size_t touched = 0;
    assert_int_equal(graze_mesh_create_box(NULL, 8, 8, 1, 13, &plate), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_mesh(NULL, plate, NULL, true, &ground), GRAZE_STATUS_OK);
    for (int step = 0; step < 120; step++)
    {
        graze_placed below = {ground, graze_pose_identity()}, ball = {shapes[kinds[step % 4]], turned(&random, 2)};
        graze_box box;
        assert_int_equal(graze_placed_bounds(&ball, &box), GRAZE_STATUS_OK);
        ball.pose.m[11] += 0.502 - box.lower[2]; /* 0.002 above the plate */
        size_t count = contacts_of(&below, &ball, 0.01);
        assert_int_equal(count, 1);
        assert_true(found[0].contacts.normal[2] > 1 - 1e-6);
        touched += fabs(least_gap(count) - 0.002) < 1e-6;
    }
    assert_int_equal(touched, 120);
    graze_shape_destroy(ground);
    graze_mesh_destroy(plate);
}

/* A ball in a corner between two walls touches both: contacts of different normals are not joined. */
/* A plate of 2 by 8 by 8 squares, and a cylinder that slides over it: upright, and on its side. */
static void cylinders_on_a_plate_keep_points_around_their_middle(void **state)
{
    (void)state;
    graze_mesh *squares;
    graze_shape *plate, *cylinder;
    assert_int_equal(graze_mesh_create_box(NULL, 4, 4, 1, 8, &squares), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_mesh(NULL, squares, NULL, true, &plate), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_cylinder(NULL, 1, 0.4, &cylinder), GRAZE_STATUS_OK);
    for (int lies = 0; lies < 2; lies++)
    {
        uint64_t before[4] = {0};
        uint32_t most = lies != 0 ? 2 : 4;
        for (int step = 0; step < 40; step++)
        {
            const double x = 0.013 * step, y = 0.37 + 0.007 * step, z = 0.5 + (lies != 0 ? 0.4 : 0.5) - 0.002;
            graze_placed below = {plate, graze_pose_identity()}, above = {cylinder, graze_pose_translation(x, y, z)};
            if (lies != 0)
                above.pose = (graze_pose){{0, 0, 1, x, 1, 0, 0, y, 0, 1, 0, z}};
            assert_int_equal(contacts_of(&below, &above, 0.01), 1);
            const graze_contact_manifold *m = &found[0].contacts;
            assert_true(m->normal[2] > 1 - 1e-9 && m->count == most);
            double middle[2] = {0, 0};
            for (uint32_t i = 0; i < m->count; i++)
            {
                bool kept = step == 0;
                for (uint32_t k = 0; k < m->count; k++)
                    kept = kept || m->points[i].feature == before[k];
                assert_true(kept);
                assert_true(fabs(m->points[i].gap + 0.002) < 1e-8);
                middle[0] += (m->points[i].point_b[0] - x) / m->count;
                middle[1] += (m->points[i].point_b[1] - y) / m->count;
            }
            assert_true(hypot(middle[0], middle[1]) < 1e-6);
            for (uint32_t i = 0; i < m->count; i++)
                before[i] = m->points[i].feature;
        }
    }
    graze_shape_destroy(cylinder);
    graze_shape_destroy(plate);
    graze_mesh_destroy(squares);
}

static void a_ball_in_a_corner_touches_both_walls(void **state)
{
    (void)state;
    static const double vertices[6][3] = {{0, -4, 0}, {0, 4, 0}, {4, -4, 0}, {4, 4, 0}, {0, -4, 4}, {0, 4, 4}};
    static const uint32_t corners[4][3] = {{0, 2, 1}, {1, 2, 3}, {0, 1, 4}, {1, 5, 4}};
    graze_mesh *walls;
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 6;
    def.corners = corners[0];
    def.corner_count = 12;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &walls), GRAZE_STATUS_OK);
    graze_shape *ground, *ball;
    assert_int_equal(graze_shape_create_mesh(NULL, walls, NULL, false, &ground), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_ellipsoid(NULL, (const double[3]){0.5, 0.5, 0.5}, &ball), GRAZE_STATUS_OK);
    for (int i = 0; i < 2; i++)
    {
        graze_placed below = {ground, graze_pose_identity()};
        graze_placed above = {i == 0 ? shapes[GRAZE_SHAPE_SPHERE] : ball, graze_pose_translation(0.502, 0, 0.503)};
        assert_int_equal(contacts_of(&below, &above, 0.01), 2);
        double x = found[0].contacts.normal[0], z = found[0].contacts.normal[2];
        assert_true(fabs(x * x + z * z - 1) < 1e-9 && fabs(x * z) < 1e-6);
        assert_true(fabs(found[0].contacts.normal[0] * found[1].contacts.normal[0]) < 1e-6);
    }
    graze_shape_destroy(ball);
    graze_shape_destroy(ground);
    graze_mesh_destroy(walls);
}

/* The extent of a placed shape on the axis on which it is longest. */
static double size_of(const graze_placed *placed)
{
    graze_box box;
    double size = 0;
    assert_int_equal(graze_placed_bounds(placed, &box), GRAZE_STATUS_OK);
    for (int k = 0; k < 3; k++)
        size = fmax(size, box.upper[k] - box.lower[k]);
    return size;
}

static void the_default_margin_is_a_200th_of_the_smaller_size(void **state)
{
    (void)state;
    static const graze_shape_kind kinds[] = {GRAZE_SHAPE_BOX,     GRAZE_SHAPE_HULL,    GRAZE_SHAPE_SPHERE,
                                             GRAZE_SHAPE_CAPSULE, GRAZE_SHAPE_ROUNDED, GRAZE_SHAPE_MESH};
    grz_random random = grz_random_make(SEED + 1);
    int near = 0, beyond = 0;
    printf("seed %d\n", SEED + 1);
    for (int round = 0; round < 600; round++)
    {
        graze_placed a = {shapes[kinds[round % 5]], turned(&random, 1)},
                     b = {shapes[kinds[grz_random_below(&random, 6)]], turned(&random, 1)};
        double margin = 0.005 * fmin(size_of(&a), size_of(&b));
        if (!bring_near(&a, &b, margin * (round % 2 == 0 ? 0.999 : 1.001)))
            continue;
        size_t few = contacts_of(&a, &b, margin * (1 - 1e-9)), many = contacts_of(&a, &b, margin * (1 + 1e-9));
        size_t count = contacts_of(&a, &b, -1);
        if (few != many) /* within rounding of the margin */
            continue;
        assert_int_equal(count, many);
        near += count > 0;
        beyond += count == 0;
    }
    printf("%d near, %d beyond the margin\n", near, beyond);
    assert_true(near > 50 && beyond > 50);
}

static void poses_that_are_not_finite_are_refused(void **state)
{
    (void)state;
    graze_shape *box = shapes[GRAZE_SHAPE_BOX];
    for (int entry = 0; entry < 24; entry++)
        for (int i = 0; i < 6; i++) /* near one another, or far */
        {
            graze_placed placed[2] = {{box, graze_pose_identity()}, {box, graze_pose_translation(0, 0.125, i / 2)}};
            size_t count = 0;
            placed[entry / 12].pose.m[entry % 12] = i % 2 == 0 ? NAN : INFINITY;
            assert_int_equal(graze_shape_pair_contacts(NULL, &placed[0], &placed[1], NULL, found, MOST, &count),
                             GRAZE_STATUS_NOT_FINITE);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_near_every_other_has_the_gap_of_its_distance),
        cmocka_unit_test(convex_shapes_in_each_other_have_the_gap_of_the_way_out),
        cmocka_unit_test(boxes_rest_on_boxes_and_planes_with_four_points),
        cmocka_unit_test(round_shapes_feel_no_inner_edge_of_a_plate),
        cmocka_unit_test(cylinders_on_a_plate_keep_points_around_their_middle),
        cmocka_unit_test(a_ball_in_a_corner_touches_both_walls),
        cmocka_unit_test(the_default_margin_is_a_200th_of_the_smaller_size),
        cmocka_unit_test(poses_that_are_not_finite_are_refused),
    };
    return cmocka_run_group_tests(tests, make_shapes, destroy_shapes);
}
