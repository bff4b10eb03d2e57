/* SPDX-License-Identifier: MIT */
/*
 * Distances in twice the precision against those of integers: boxes, hulls, triangles, segments and points at gaps from
 * 1e-2 to 1e-14 of their size, face to face, edge over edge and at random; from any simplex, at all scales, in every
 * environment. The intervals overlap and are narrow; bodies that meet have no distance.
 */
#include "convex/wide_distance.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "shape/convex_part.h"
#include "shape/pair_hull.h"
#include "support/environment.h"
#include "support/random_shapes.h"
#include "support/unit.h"

enum
{
    PAIRS = 500
};

typedef struct counters
{
    int apart, narrow, together, none;
} counters;

/* Places B over A's upper side, as far as their extents along z say, with a gap. */
static void place_above(const graze_placed *a, graze_placed *b, double gap)
{
    graze_box x, y;
    assert_int_equal(graze_placed_bounds(a, &x), GRAZE_STATUS_OK);
    assert_int_equal(graze_placed_bounds(b, &y), GRAZE_STATUS_OK);
    b->pose.m[11] += x.upper[2] - y.lower[2] + gap;
}

static void place_vertex(const grz_convex_body *body, size_t v, double out[3])
{
    const double *m = body->pose.m;
    for (int i = 0; i < 3; i++)
        out[i] = m[4 * i] * body->vertices[v][0] + m[4 * i + 1] * body->vertices[v][1] +
                 m[4 * i + 2] * body->vertices[v][2] + m[4 * i + 3];
}

/* No vertex of A is beyond its point along the way to B's, and none of B before its own, where that can be told. */
static void check_points(const grz_convex_body *a, const grz_convex_body *b, const grz_wide_distance *d, double scale)
{
    double way[3], length = 0;
    for (int k = 0; k < 3; k++)
    {
        way[k] = d->points[1][k] - d->points[0][k];
        length = hypot(length, way[k]);
    }
    if (!(length > 1e-4 * scale))
        return;
    for (int side = 0; side < 2; side++)
    {
        const grz_convex_body *body = side == 0 ? a : b;
        for (size_t v = 0; v < body->vertex_count; v++)
        {
            double at[3], height = 0;
            place_vertex(body, v, at);
            for (int k = 0; k < 3; k++)
                height += way[k] / length * (at[k] - d->points[side][k]);
            assert_true(side == 0 ? height <= 1e-9 * scale : height >= -1e-9 * scale);
        }
    }
}

static void check_pair(test_random *random, const graze_placed *a, const graze_placed *b, double scale, counters *c)
{
    graze_shape_distance_options wanted = graze_shape_distance_options_default();
    grz_shape_query slow = {.slow = true};
    graze_shape_distance exact;
    grz_convex_body x, y;
    grz_wide_distance d, other;
    saved_environment saved;
    assert_true(grz_shape_convex_body(a, &x) && grz_shape_convex_body(b, &y));
    assert_int_equal(grz_core_core_distance(&slow, a, b, &wanted, &exact), GRAZE_STATUS_OK);
    uint32_t start[4][2];
    int count = random_between(random, 1, 4);
    for (int i = 0; i < count; i++)
    {
        start[i][0] = (uint32_t)random_below(random, (int)x.vertex_count);
        start[i][1] = (uint32_t)random_below(random, (int)y.vertex_count);
    }
    bool found = grz_convex_wide_distance(&x, &y, (const uint32_t(*)[2])start, count, &d);
    environment_enter(&saved, random_below(random, ENVIRONMENTS));
    bool again = grz_convex_wide_distance(&x, &y, (const uint32_t(*)[2])start, count, &other);
    environment_leave(&saved);
    assert_true(found == again && (!found || memcmp(&d, &other, sizeof d) == 0));
    c->none += !found;
    c->together += exact.distance == 0;
    if (exact.distance == 0)
    {
        assert_false(found);
        return;
    }
    c->apart++;
    if (!found)
        return;
    if (!(d.lower <= exact.upper && d.upper >= exact.lower && d.lower <= d.upper))
        fail_msg("[%.20g, %.20g], exactly [%.20g, %.20g]", d.lower, d.upper, exact.lower, exact.upper);
    c->narrow += d.upper - d.lower <= 0x1p-33 * d.upper;
    double length = 0;
    for (int k = 0; k < 3; k++)
        length = hypot(length, d.points[1][k] - d.points[0][k]);
    assert_true(fabs(length - exact.distance) <= 1e-12 * scale);
    check_points(&x, &y, &d, scale);
}

static graze_pose turned(test_random *random, double x, double y)
{
    graze_pose pose;
    const double axis[3] = {random_real(random, -1, 1), random_real(random, -1, 1), random_real(random, -1, 1)},
                 offset[3] = {x, y, 0};
    assert_int_equal(graze_pose_from_axis_angle(axis, random_real(random, -3, 3), offset, &pose), GRAZE_STATUS_OK);
    return pose;
}

static void intervals_hold_the_distance(void **state)
{
    (void)state;
    static const graze_shape_kind kinds[] = {GRAZE_SHAPE_BOX,      GRAZE_SHAPE_BOX,     GRAZE_SHAPE_HULL,
                                             GRAZE_SHAPE_TRIANGLE, GRAZE_SHAPE_SEGMENT, GRAZE_SHAPE_POINT};
    static const int powers[] = {0, 0, 0, -90, 80, -300};
    test_random random = test_random_start("wide distances", 42);
    counters c = {0}, out_of_range = {0};
    for (int round = 0; round < TEST_ROUNDS(PAIRS); round++)
    {
        random_shape x, y;
        int power = powers[random_below(&random, 6)];
        double scale = ldexp(1, power), gap = pow(10, random_real(&random, -14, -2));
        random_shape_make_scaled(&random, kinds[random_below(&random, 6)], scale, &x);
        random_shape_make_scaled(&random, kinds[random_below(&random, 6)], scale, &y);
        graze_placed a = {x.shape, graze_pose_identity()}, b = {y.shape, graze_pose_identity()};
        if (round % 3 == 1) /* edges over faces and edges; else flat on each other */
            b.pose = turned(&random, 0.25, 0.125);
        if (round % 3 == 2)
            a.pose = turned(&random, 0, 0);
        for (int k = 3; k < 12; k += 4)
            b.pose.m[k] *= scale;
        place_above(&a, &b, random_once_in(&random, 8) ? 0 : gap * scale);
        if (round % 2 == 0) /* both together, rounded: faces that are parallel but for that */
        {
            graze_pose common = turned(&random, 0, 0);
            for (int k = 3; k < 12; k += 4)
                common.m[k] = scale * random_real(&random, -3, 3);
            assert_int_equal(graze_pose_compose(&common, &a.pose, &a.pose, NULL), GRAZE_STATUS_OK);
            assert_int_equal(graze_pose_compose(&common, &b.pose, &b.pose, NULL), GRAZE_STATUS_OK);
        }
        check_pair(&random, &a, &b, scale, power < -200 ? &out_of_range : &c);
        random_shape_clear(&x);
        random_shape_clear(&y);
    }
    printf("%d apart, %d with narrow intervals; %d together; %d without an answer\n", c.apart, c.narrow, c.together,
           c.none);
    assert_true(c.apart > TEST_ROUNDS(PAIRS) / 2 && c.narrow > c.apart - c.apart / 20 && c.together > 0);
    assert_true(out_of_range.none == out_of_range.apart + out_of_range.together);
}

/* Tetrahedra and their mirror images beyond one of their faces: heights of the corners that face each other differ by
   less than doubles resolve. */
static void mirrored_faces_are_told_apart(void **state)
{
    (void)state;
    test_random random = test_random_start("mirrored faces", 43);
    counters c = {0};
    for (int round = 0; round < TEST_ROUNDS(PAIRS); round++)
    {
        double points[4][3], n[3], length, offset, inside, gap = pow(10, random_real(&random, -13, -3));
        graze_shape *shape;
        for (int i = 0; i < 12; i++)
            points[i / 3][i % 3] = random_real(&random, -3, 3);
        for (int k = 0; k < 3; k++)
        {
            int i = (k + 1) % 3, j = (k + 2) % 3;
            n[k] = (points[1][i] - points[0][i]) * (points[2][j] - points[0][j]) -
                   (points[1][j] - points[0][j]) * (points[2][i] - points[0][i]);
        }
        length = hypot(hypot(n[0], n[1]), n[2]);
        for (int k = 0; k < 3; k++)
            n[k] /= length;
        offset = n[0] * points[0][0] + n[1] * points[0][1] + n[2] * points[0][2];
        inside = n[0] * points[3][0] + n[1] * points[3][1] + n[2] * points[3][2] - offset;
        if (!(length > 1 && fabs(inside) > 0.5))
            continue;
        graze_pose mirror = graze_pose_identity();
        for (int i = 0; i < 3; i++)
        {
            for (int k = 0; k < 3; k++)
                mirror.m[4 * i + k] -= 2 * n[i] * n[k];
            mirror.m[4 * i + 3] = (2 * offset + (inside > 0 ? -gap : gap)) * n[i];
        }
        assert_int_equal(graze_shape_create_hull(NULL, points[0], 4, NULL, &shape), GRAZE_STATUS_OK);
        graze_placed a = {shape, graze_pose_identity()}, b = {shape, mirror};
        check_pair(&random, &a, &b, 1, &c);
        graze_shape_destroy(shape);
    }
    printf("%d apart, %d with narrow intervals; %d together\n", c.apart, c.narrow, c.together);
    assert_true(c.apart > TEST_ROUNDS(PAIRS) / 3 && c.narrow > c.apart - c.apart / 20);
}

/* Bodies whose vertices are apart, under one pose. */
static void bodies_under_one_pose_are_measured(void **state)
{
    (void)state;
    double points[2][4][3] = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                              {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    static const uint32_t start[1][2] = {{0, 0}};
    graze_shape *shapes[2];
    grz_convex_body bodies[2];
    for (int v = 0; v < 4; v++)
        points[1][v][0] += 1.25;
    for (int i = 0; i < 2; i++)
    {
        assert_int_equal(graze_shape_create_hull(NULL, points[i][0], 4, NULL, &shapes[i]), GRAZE_STATUS_OK);
        const graze_placed placed = {shapes[i], graze_pose_identity()};
        assert_true(grz_shape_convex_body(&placed, &bodies[i]));
    }
    grz_wide_distance d;
    assert_true(grz_convex_wide_distance(&bodies[0], &bodies[1], start, 1, &d));
    assert_true(d.lower <= 0.25 && d.upper >= 0.25 && d.upper - d.lower < 1e-14);
    graze_shape_destroy(shapes[0]);
    graze_shape_destroy(shapes[1]);
}

/* Faces with edges of 2^-220 that are 2^-90 apart: weights are some 2^-880, and what they are multiplied with would
   underflow. */
static void bounds_of_tiny_faces_far_apart_hold(void **state)
{
    (void)state;
    const double edge = 0x1p-220, gap = 0x1p-90;
    const double points[2][3][3] = {{{0, 0, 0}, {edge, 0, 0}, {0, edge, 0}},
                                    {{edge / 4, edge / 4, gap}, {edge, 0, 2 * gap}, {0, edge, 2 * gap}}};
    static const uint32_t start[3][2] = {{0, 0}, {1, 0}, {2, 0}}, corner[1][2] = {{0, 0}};
    grz_convex_body bodies[2];
    grz_wide_distance d;
    for (int i = 0; i < 2; i++)
        bodies[i] = (grz_convex_body){
            .kind = GRZ_CONVEX_POLYTOPE, .vertices = points[i], .vertex_count = 3, .pose = graze_pose_identity()};
    assert_true(grz_convex_wide_distance(&bodies[0], &bodies[1], start, 3, &d));
    assert_true(d.lower <= gap && gap <= d.upper && d.upper - d.lower <= 0x1p-36 * gap);
    assert_true(grz_convex_wide_upper(&bodies[0], &bodies[1], start, 3, &d));
    assert_true(d.corner_count == 3 && gap <= d.upper && d.upper <= gap * (1 + 0x1p-40));
    assert_true(grz_convex_wide_upper(&bodies[0], &bodies[1], corner, 1, &d));
    assert_true(d.corner_count == 1 && d.corners[0][0] == 0 && gap <= d.upper && d.upper <= gap * (1 + 0x1p-40));
    assert_true(d.points[0][2] == 0 && d.points[1][2] == gap);
    bodies[1].pose.m[0] = 0x1p400; /* out of range */
    assert_false(grz_convex_wide_upper(&bodies[0], &bodies[1], corner, 1, &d));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_hold_the_distance),
        cmocka_unit_test(mirrored_faces_are_told_apart),
        cmocka_unit_test(bodies_under_one_pose_are_measured),
        cmocka_unit_test(bounds_of_tiny_faces_far_apart_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
