/* SPDX-License-Identifier: MIT */
/*
 * Common points of a box and a triangle that are called certain, against the exact query of the same two: triangles
 * across the box, through its edges only, and a few units in the last place inside or outside of a face, an edge or a
 * corner of it.
 */
#include "shape/box_triangle.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "shape/query.h"
#include "support/generators.h"
#include "support/unit.h"

enum
{
    ROUNDS = 4000
};

typedef struct counters
{
    int collide, certain, close, outside;
} counters;

static void random_point(test_random *random, double reach, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = random_real(random, -reach, reach);
}

/* A triangle in the box's own axes: one corner on the boundary of the box, about, and the others beyond that face. */
static void place_close(test_random *random, const double half[3], double corners[3][3])
{
    int axis = random_below(random, 3);
    double side = random_once_in(random, 2) ? 1 : -1;
    for (int c = 0; c < 3; c++)
    {
        random_point(random, 1, corners[c]);
        corners[c][axis] = side * (half[axis] + random_real(random, 0.1, 1));
    }
    for (int k = 0; k < 3; k++)
        corners[0][k] = k == axis || random_once_in(random, 3) ? side * half[k] : 0.9 * corners[0][k] * half[k];
    corners[0][axis] += side * half[axis] * (random_between(random, -30, 30) * 0x1p-53);
}

static void common_points_are_certain(void **state)
{
    (void)state;
    test_random random = test_random_start("box and triangle", 183);
    counters c = {0};
    for (int round = 0; round < TEST_ROUNDS(ROUNDS); round++)
    {
        double size[3], half[3], corners[3][3], vertices[3][3], point[3];
        graze_shape *box, *triangle;
        graze_pose poses[2] = {random_rotation(&random), random_rotation(&random)};
        bool close = round % 2 == 0;
        for (int k = 0; k < 3; k++)
        {
            size[k] = random_real(&random, 0.2, 2);
            half[k] = size[k] / 2;
            poses[1].m[4 * k + 3] = random_real(&random, -9, 9);
        }
        for (int i = 0; i < 3; i++)
            random_point(&random, 2, corners[i]);
        if (close)
            place_close(&random, half, corners);
        for (int i = 0; i < 3; i++) /* into the mesh's coordinates: its pose is a rotation */
        {
            double world[3];
            graze_pose_apply(&poses[1], corners[i], world);
            for (int k = 0; k < 3; k++)
                vertices[i][k] = poses[0].m[k] * world[0] + poses[0].m[4 + k] * world[1] + poses[0].m[8 + k] * world[2];
        }
        assert_int_equal(graze_shape_create_box(NULL, size, &box), GRAZE_STATUS_OK);
        assert_int_equal(graze_shape_create_triangle(NULL, (const double(*)[3])vertices, &triangle), GRAZE_STATUS_OK);
        graze_placed a = {triangle, poses[0]}, b = {box, poses[1]};
        grz_shape_query slow = {.slow = true};
        graze_verdict exact;
        grz_box_frame frame;
        assert_int_equal(grz_core_core_decide(&slow, &a, &b, (grz_reach){0, false}, &exact, NULL), GRAZE_STATUS_OK);
        grz_box_frame_make(&frame, triangle->mesh, &poses[0], half, &poses[1]);
        double depth = grz_box_triangle_depth(&frame, 0, point);
        assert_true(!(depth > 0) || exact == GRAZE_VERDICT_YES);
        if (depth > 0) /* the point is there, about: as deep as it says */
            for (int k = 0; k < 3; k++)
            {
                double at = 0;
                for (int i = 0; i < 3; i++)
                    at += poses[1].m[4 * i + k] * (point[i] - poses[1].m[4 * i + 3]);
                assert_true(fabs(at) <= half[k] - depth + 1e-12);
            }
        c.collide += exact == GRAZE_VERDICT_YES;
        c.certain += depth > 0;
        c.close += close;
        c.outside += close && exact == GRAZE_VERDICT_NO;
        graze_shape_destroy(box);
        graze_shape_destroy(triangle);
    }
    printf("%d collide, %d certainly; %d close, %d of them outside\n", c.collide, c.certain, c.close, c.outside);
    assert_true(c.certain > TEST_ROUNDS(ROUNDS) / 5 && c.outside > c.close / 4 && c.collide - c.certain > c.close / 8);
}

/* A corner on a face of the box, the others so far away that their coordinates along its axes overflow. */
static void nothing_is_certain_where_numbers_overflow(void **state)
{
    (void)state;
    static const double vertices[3][3] = {{0, 0, 0}, {1, 1, 1}, {1, 1, 1.0625}};
    const double half[3] = {1, 1e300, 1e300};
    graze_shape *triangle;
    graze_pose far = graze_pose_identity(), turned = far;
    double point[3];
    assert_int_equal(graze_shape_create_triangle(NULL, vertices, &triangle), GRAZE_STATUS_OK);
    for (int sign = -1; sign <= 1; sign += 2)
    {
        grz_box_frame frame;
        for (int k = 0; k < 3; k++)
            far.m[5 * k] = sign * 1.1e308;
        /* The box's first axis goes along (1, 1, 1). */
        const double third = 0.57735026918962573, sixth = 0.40824829046386302, half_root = 0.70710678118654757;
        const double rows[3][3] = {{third, half_root, sixth}, {third, -half_root, sixth}, {third, 0, -2 * sixth}};
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                turned.m[4 * i + k] = rows[i][k];
        grz_box_frame_make(&frame, triangle->mesh, &far, half, &turned);
        assert_true(grz_box_triangle_depth(&frame, 0, point) <= 1);
    }
    graze_shape_destroy(triangle);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(common_points_are_certain),
        cmocka_unit_test(nothing_is_certain_where_numbers_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
