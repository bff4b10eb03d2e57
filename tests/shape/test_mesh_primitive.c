/* SPDX-License-Identifier: MIT */
/*
 * What is called certain of a primitive and a triangle, against the exact query of the same two: common points, and
 * gaps. Triangles across the primitive and beside it, and some that have a corner, an edge or their inside on its
 * boundary, a few units in the last place inside or outside.
 */
#include "shape/mesh_primitive.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "shape/curved_triangle.h"
#include "support/generators.h"
#include "support/unit.h"

enum
{
    ROUNDS = 1500, /* of each kind */
    KINDS = 4
};

typedef struct counters
{
    int collide, certain, apart, certainly, open, close, gaps;
} counters;

/* A primitive in its own axes: `numbers` are half sizes, or radius and half height, or radii. */
typedef struct body
{
    graze_shape_kind kind;
    double numbers[3];
    graze_shape *shape;
} body;

static body make_body(test_random *random, int kind)
{
    static const graze_shape_kind kinds[KINDS] = {GRAZE_SHAPE_CAPSULE, GRAZE_SHAPE_CYLINDER, GRAZE_SHAPE_ELLIPSOID,
                                                  GRAZE_SHAPE_BOX};
    body b = {.kind = kinds[kind]};
    double *n = b.numbers, ends[2][3] = {{0, 0, 0}, {0, 0, 0}}, size[3];
    for (int k = 0; k < 3; k++)
    {
        n[k] = random_real(random, 0.1, 1);
        size[k] = 2 * n[k];
    }
    ends[0][2] = -n[2];
    ends[1][2] = n[2];
    graze_status status = GRAZE_STATUS_OK;
    if (b.kind == GRAZE_SHAPE_CAPSULE)
        status = graze_shape_create_capsule(NULL, (const double(*)[3])ends, n[0], &b.shape);
    else if (b.kind == GRAZE_SHAPE_CYLINDER)
        status = graze_shape_create_cylinder(NULL, size[2], n[0], &b.shape);
    else if (b.kind == GRAZE_SHAPE_ELLIPSOID)
        status = graze_shape_create_ellipsoid(NULL, n, &b.shape);
    else
        status = graze_shape_create_box(NULL, size, &b.shape);
    assert_int_equal(status, GRAZE_STATUS_OK);
    return b;
}

/* A point of the boundary, and a direction that leads out of it: on sides, caps, rims, edges and corners. */
static void boundary_point(test_random *random, const body *b, double point[3], double out[3])
{
    const double *n = b->numbers;
    double turn = random_real(random, 0, 6.2), sum = 0;
    out[0] = cos(turn);
    out[1] = sin(turn);
    out[2] = random_once_in(random, 3) ? 0 : random_real(random, -1, 1);
    if (b->kind == GRAZE_SHAPE_BOX)
        for (int k = 0; k < 3; k++)
        {
            bool within = k == 0 && random_once_in(random, 2);
            point[k] = within ? random_real(random, -n[k], n[k]) : out[k] < 0 ? -n[k] : n[k];
            out[k] = within ? 0 : out[k];
        }
    else if (b->kind == GRAZE_SHAPE_ELLIPSOID)
    {
        for (int k = 0; k < 3; k++)
            sum += n[k] * out[k] * n[k] * out[k];
        for (int k = 0; k < 3; k++)
            point[k] = n[k] * n[k] * out[k] / sqrt(sum);
    }
    else
    {
        bool cap = b->kind == GRAZE_SHAPE_CYLINDER && random_once_in(random, 3);
        sum = sqrt(1 + (b->kind == GRAZE_SHAPE_CAPSULE ? out[2] * out[2] : 0));
        for (int k = 0; k < 2; k++)
            point[k] = n[0] * out[k] / sum * (cap ? random_real(random, 0, 1) : 1);
        point[2] = out[2] == 0 && !cap ? random_real(random, -n[2], n[2]) : out[2] < 0 ? -n[2] : n[2];
        if (b->kind == GRAZE_SHAPE_CAPSULE)
            point[2] += n[0] * out[2] / sum;
        for (int k = 0; k < 2 && cap; k++)
            out[k] = 0;
        out[2] = cap ? (point[2] < 0 ? -1 : 1) : out[2];
    }
}

/* A triangle in the plane across the direction, or farther out, that has the point as a corner, on an edge or inside.
 */
static void place_close(test_random *random, const body *b, double corners[3][3])
{
    double point[3], out[3], ways[2][3], square = 0, off = random_between(random, -40, 40) * 0x1p-53;
    boundary_point(random, b, point, out);
    if (b->kind == GRAZE_SHAPE_CYLINDER || b->kind == GRAZE_SHAPE_ELLIPSOID) /* exact queries know that much */
        off *= pow(2, random_between(random, 0, 14));
    for (int k = 0; k < 3; k++)
        square += out[k] * out[k];
    for (int i = 0; i < 2; i++) /* in the plane */
    {
        double along = 0;
        for (int k = 0; k < 3; k++)
        {
            ways[i][k] = random_real(random, -1, 1);
            along += ways[i][k] * out[k] / square;
        }
        for (int k = 0; k < 3; k++)
            ways[i][k] -= along * out[k];
    }
    int where = random_below(random, 3);
    double farther = where == 0 ? random_real(random, 0, 0.5) : 0;
    for (int k = 0; k < 3; k++)
    {
        double at = point[k] + off * out[k];
        corners[0][k] = at + (where == 0 ? 0 : ways[0][k]);
        corners[1][k] = where == 0 ? at + ways[0][k] + farther * out[k] : at - 0.7 * ways[0][k];
        if (where == 2)
            corners[1][k] += 0.3 * ways[1][k];
        corners[2][k] = where == 2 ? at - 0.9 * ways[1][k] : at + ways[1][k] + 0.3 * out[k];
    }
}

/* From the body's axes into the coordinates of the mesh. */
static void into_mesh(const graze_pose poses[2], const double point[3], double out[3])
{
    double world[3];
    graze_pose_apply(&poses[1], point, world);
    for (int k = 0; k < 3; k++)
    {
        out[k] = 0;
        for (int i = 0; i < 3; i++)
            out[k] += poses[0].m[4 * i + k] * (world[i] - poses[0].m[4 * i + 3]);
    }
}

/* How far inside of the body a point of the world is: not more than its distance from the boundary. */
static double depth_of(const body *b, const graze_pose *pose, const double point[3])
{
    const double *n = b->numbers;
    double z[3], around, sum = 0;
    for (int k = 0; k < 3; k++)
    {
        z[k] = 0;
        for (int i = 0; i < 3; i++)
            z[k] += pose->m[4 * i + k] * (point[i] - pose->m[4 * i + 3]);
        sum += z[k] * z[k] / (n[k] * n[k]);
    }
    around = sqrt(z[0] * z[0] + z[1] * z[1]);
    if (b->kind == GRAZE_SHAPE_CAPSULE)
        return n[0] - hypot(around, fmax(fabs(z[2]) - n[2], 0));
    if (b->kind == GRAZE_SHAPE_CYLINDER)
        return fmin(n[0] - around, n[2] - fabs(z[2]));
    if (b->kind == GRAZE_SHAPE_BOX)
        return fmin(fmin(n[0] - fabs(z[0]), n[1] - fabs(z[1])), n[2] - fabs(z[2]));
    return fmin(fmin(n[0], n[1]), n[2]) * (1 - sqrt(sum));
}

static void check(const body *b, const graze_placed *triangle, const graze_placed *placed, counters *c)
{
    static const uint32_t first = 0;
    grz_shape_query slow = {.slow = true};
    graze_shape_distance_options wanted = graze_shape_distance_options_default();
    graze_shape_distance distance;
    graze_verdict exact;
    grz_mesh_primitive primitive;
    grz_triangles_verdict found;
    assert_int_equal(grz_leaves_decide(&slow, triangle, placed, (grz_reach){0, false}, &exact, NULL), GRAZE_STATUS_OK);
    assert_int_equal(grz_leaves_distance(&slow, triangle, placed, &wanted, &distance), GRAZE_STATUS_OK);
    assert_true(grz_mesh_primitive_of(b->shape, &primitive));
    grz_primitive_triangles set = {.primitive = &primitive, .mesh = triangle, .placed = placed};
    grz_primitive_test_triangles(&set, &first, 1, &found);
    assert_true(!(found.depth > 0) || exact != GRAZE_VERDICT_NO);
    assert_true(!(found.gap > 0) || (exact != GRAZE_VERDICT_YES && found.gap <= distance.upper));
    if (found.depth > 0)
        assert_true(depth_of(b, &placed->pose, found.point) >= found.depth - 1e-12);
    c->collide += exact == GRAZE_VERDICT_YES;
    c->certain += found.depth > 0;
    c->apart += exact == GRAZE_VERDICT_NO;
    c->certainly += found.gap > 0;
    c->gaps += found.gap > 0.5 * distance.lower;
    c->open += !(found.gap > 0) && !(found.depth > 0);
}

static void what_is_certain_is_so(void **state)
{
    (void)state;
    test_random random = test_random_start("primitive and triangle", 185);
    for (int kind = 0; kind < KINDS; kind++)
    {
        counters free = {0}, close = {0};
        for (int round = 0; round < TEST_ROUNDS(ROUNDS); round++)
        {
            body b = make_body(&random, kind);
            graze_pose poses[2] = {random_rotation(&random), random_rotation(&random)};
            double corners[3][3], vertices[3][3];
            graze_shape *triangle;
            for (int i = 0; i < 9; i++)
                corners[i / 3][i % 3] = random_real(&random, -1.5, 1.5);
            if (round % 2 == 0)
                place_close(&random, &b, corners);
            for (int k = 0; k < 3; k++)
                poses[1].m[4 * k + 3] = round % 4 < 2 ? random_real(&random, -9, 9) : poses[1].m[4 * k + 3];
            for (int i = 0; i < 3; i++)
                into_mesh(poses, corners[i], vertices[i]);
            assert_int_equal(graze_shape_create_triangle(NULL, (const double(*)[3])vertices, &triangle),
                             GRAZE_STATUS_OK);
            graze_placed a = {triangle, poses[0]}, placed = {b.shape, poses[1]};
            check(&b, &a, &placed, round % 2 == 0 ? &close : &free);
            graze_shape_destroy(triangle);
            graze_shape_destroy(b.shape);
        }
        int half = TEST_ROUNDS(ROUNDS) / 2;
        printf("kind %d: %d collide, %d certainly; %d are apart, %d certainly, %d by half the distance\n", kind,
               free.collide, free.certain, free.apart, free.certainly, free.gaps);
        printf("close: %d collide, %d certainly; %d are apart, %d certainly, %d open\n", close.collide, close.certain,
               close.apart, close.certainly, close.open);
        assert_true(free.collide > half / 8 && free.certain > free.collide * 97 / 100);
        assert_true(free.apart > half / 8 && close.apart > half / 8 && close.collide > half / 8);
        assert_true(close.open > half / 8);
        if (kind < 3) /* of a box only common points are looked for */
            assert_true(free.certainly > free.apart * 97 / 100 && free.gaps > free.apart / 2);
    }
}

/* Numbers of 0 and other kinds are left to the exact queries; what is taken holds the shape. */
static void kinds_that_are_taken(void **state)
{
    (void)state;
    const double none[3] = {1, 0, 1}, some[3] = {1, 2, 3}, ends[2][3] = {{1, 2, 3}, {3, 1, 3}};
    double weights[4];
    graze_shape *shapes[6];
    grz_mesh_primitive primitive;
    graze_pose pose = graze_pose_identity(), centre;
    assert_int_equal(graze_shape_create_ellipsoid(NULL, none, &shapes[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_box(NULL, none, &shapes[1]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_sphere(NULL, NULL, 0, &shapes[2]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_cone(NULL, 1, 1, &shapes[3]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_cylinder(NULL, 0, 1, &shapes[4]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_capsule(NULL, ends, 0.5, &shapes[5]), GRAZE_STATUS_OK);
    for (int i = 0; i < 5; i++)
        assert_false(grz_mesh_primitive_of(shapes[i]->kind == GRAZE_SHAPE_CONE ? shapes[3] : shapes[i], &primitive));
    assert_true(grz_mesh_primitive_of(shapes[5], &primitive));
    grz_mesh_primitive_weights(&primitive, weights);
    assert_true(weights[0] == 3 && weights[1] == 2 && weights[2] == 3 && weights[3] == 1);
    pose.m[3] = 10;
    double radius = grz_mesh_primitive_pose(&primitive, &pose, &centre);
    assert_true(radius >= 0.5 && radius < 0.5 + 1e-13 && centre.m[3] == 12 && centre.m[7] == 1.5 && centre.m[11] == 3);
    assert_true(primitive.half[0] >= 1 && primitive.half[1] >= 0.5 && primitive.half[2] == 0);
    for (int i = 0; i < 6; i++)
        graze_shape_destroy(shapes[i]);
    assert_int_equal(graze_shape_create_ellipsoid(NULL, some, &shapes[0]), GRAZE_STATUS_OK);
    assert_true(grz_mesh_primitive_of(shapes[0], &primitive));
    grz_mesh_primitive_weights(&primitive, weights);
    assert_true(weights[0] == 1 && weights[1] == 2 && weights[2] == 3);
    graze_shape_destroy(shapes[0]);
}

/* Centres with coordinates of 0 and of very different sizes: where they are placed, in long double, is within what is
   added to the radius, and that is 16 u of the largest sum of magnitudes. */
static void centres_are_placed_within_the_margin(void **state)
{
    (void)state;
    test_random random = test_random_start("centres within the margin", 187);
    for (int round = 0; round < TEST_ROUNDS(2000); round++)
    {
        double ends[2][3], centre[3];
        grz_mesh_primitive primitive;
        graze_shape *capsule;
        graze_pose pose = random_rotation(&random), placed;
        for (int k = 0; k < 3; k++)
        {
            bool zero = (round >> k & 1) != 0;
            centre[k] = zero ? 0 : ldexp(random_real(&random, 1, 2), random_between(&random, 0, 30));
            ends[0][k] = centre[k] - (zero ? 1 : 0.25 * centre[k]);
            ends[1][k] = centre[k] + (zero ? 1 : 0.25 * centre[k]);
            pose.m[4 * k + 3] = random_once_in(&random, 2) ? 0 : random_real(&random, -9, 9);
        }
        assert_int_equal(graze_shape_create_capsule(NULL, (const double(*)[3])ends, 0.5, &capsule), GRAZE_STATUS_OK);
        assert_true(grz_mesh_primitive_of(capsule, &primitive));
        double margin = grz_mesh_primitive_pose(&primitive, &pose, &placed) - 0.5, most = 0;
        long double error_sq = 0;
        for (int k = 0; k < 12; k += 4)
        {
            const double *m = pose.m + k, *c = primitive.centre;
            long double at = (long double)m[0] * c[0] + (long double)m[1] * c[1] + (long double)m[2] * c[2] + m[3];
            error_sq += (at - placed.m[k + 3]) * (at - placed.m[k + 3]);
            most = fmax(most, fabs(m[0] * c[0]) + fabs(m[1] * c[1]) + fabs(m[2] * c[2]) + fabs(m[3]));
        }
        if (round % 8 == 7)
            assert_true(margin == 0 && error_sq == 0);
        else
            assert_true(sqrtl(error_sq) <= margin && fabs(margin - 16 * 0x1p-52 * most) <= 1e-9 * margin + 0x1p-52);
        graze_shape_destroy(capsule);
    }
}

/* Of a ball that is large beside its distance from a triangle, a certain depth is not rounded up. */
static void depths_in_large_balls_are_not_too_large(void **state)
{
    (void)state;
    static const uint32_t first = 0;
    for (int i = 0; i < 200; i++)
    {
        double radius = 1000 + i / 7.0, x = 1 + i % 13; /* the nearest corner is x from the centre */
        const double corners[3][3] = {{x, 0, 0}, {x + 1, 1, 0}, {x + 1, -1, 0}};
        graze_shape *ball, *triangle;
        grz_mesh_primitive primitive;
        grz_triangles_verdict found;
        assert_int_equal(graze_shape_create_sphere(NULL, NULL, radius, &ball), GRAZE_STATUS_OK);
        assert_int_equal(graze_shape_create_triangle(NULL, corners, &triangle), GRAZE_STATUS_OK);
        const graze_placed a = {triangle, graze_pose_identity()}, b = {ball, graze_pose_identity()};
        assert_true(grz_mesh_primitive_of(ball, &primitive));
        grz_primitive_triangles set = {.primitive = &primitive, .mesh = &a, .placed = &b};
        grz_primitive_test_triangles(&set, &first, 1, &found);
        assert_true(found.depth > (radius - x) * (1 - 1e-12));
        assert_true((long double)found.depth <= (long double)radius - x);
        graze_shape_destroy(triangle);
        graze_shape_destroy(ball);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_certain_is_so),
        cmocka_unit_test(kinds_that_are_taken),
        cmocka_unit_test(centres_are_placed_within_the_margin),
        cmocka_unit_test(depths_in_large_balls_are_not_too_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
