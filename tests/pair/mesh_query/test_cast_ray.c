/* SPDX-License-Identifier: MIT */
/* The t of a ray's first hit: the true one, a quotient of integers, lies between its bounds, and these are close. */
#include <math.h>
#include <stdio.h>

#include "graze/mesh_query.h"
#include "support/bodies.h"
#include "support/unit.h"

static const uint32_t one_triangle[3] = {0, 1, 2};

static graze_mesh_ray_hit cast(const graze_mesh *mesh, const double origin[3], const double direction[3], double limit)
{
    graze_placed_mesh placed = {mesh, NULL, graze_pose_identity()};
    graze_mesh_ray_hit hit;
    bool found = false;
    assert_int_equal(graze_placed_mesh_cast_ray(NULL, &placed, origin, direction, limit, NULL, &found, &hit),
                     GRAZE_STATUS_OK);
    assert_true(found);
    return hit;
}

/* The plane x = start + rise y / run; at y = height a ray along x meets it at start + rise height / run. */
typedef struct slope
{
    double start, rise, run, height;
    int axis; /* which axis of the world is x; y and z follow */
} slope;

static graze_mesh *slope_mesh(const slope *s, double scale)
{
    const double corners[3][3] = {{s->start, 0, -9}, {s->start, 0, 9}, {s->start + s->rise, s->run, 0}};
    double vertices[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            vertices[i][(s->axis + k) % 3] = scale * corners[i][k];
    return body_of_triangles(vertices, 3, one_triangle, 1);
}

/* The ray begins `before` in front of x = start, all of it scaled; its t is (before run + rise height) / (run step)
   times scale / direction_scale. Integers times powers of two, so that fma has the sign of the real difference. */
static void check_bounds(const slope *s, double before, double step, double scale, double direction_scale)
{
    double origin[3] = {0, 0, 0}, direction[3] = {0, 0, 0};
    origin[s->axis] = scale * (s->start - before);
    origin[(s->axis + 1) % 3] = scale * s->height;
    direction[s->axis] = direction_scale * step;
    graze_mesh *mesh = slope_mesh(s, scale);
    graze_mesh_ray_hit hit = cast(mesh, origin, direction, INFINITY);
    double numerator = (before * s->run + s->rise * s->height) * (scale / direction_scale);
    assert_true(fma(s->run * step, hit.t_lower, -numerator) <= 0);
    assert_true(fma(s->run * step, hit.t_upper, -numerator) >= 0);
    assert_true(hit.t_lower <= hit.t && hit.t <= hit.t_upper);
    if (scale == 1 && direction_scale == 1) /* 2 u of both coordinates by the direction, 4 u of t, each way */
    {
        double point = fabs(hit.point[s->axis]), gone = fabs(hit.point[s->axis] - origin[s->axis]);
        double bound = 0x1p-51 * (point + gone) / step + 0x1p-50 * hit.t + 0x1p-1000;
        assert_true(hit.t_upper - hit.t_lower <= 2.25 * bound); /* the ends are rounded too */
    }
    graze_mesh_destroy(mesh);
}

static void the_true_t_lies_between_its_bounds(void **state)
{
    (void)state;
    test_random random = test_random_start("the_true_t_lies_between_its_bounds", 1);
    /* Of coordinates and direction: usual numbers, t of any size, coordinates and t that are denormal. */
    static const double scales[][2] = {{1, 1},           {1, 1},          {0x1p-1070, 0x1p-1070},
                                       {0x1p-1070, 0.5}, {1, 0x1p-900},   {0x1p-1005, 0x1p60},
                                       {0x1p900, 0x1p9}, {0x1p-900, 1024}};
    for (int round = 0; round < 4000; round++)
    {
        const double *scale = scales[round % 8];
        slope s = {.run = random_between(&random, 2, 30), .rise = random_between(&random, 0, 30)};
        s.height = random_between(&random, 1, (int)s.run - 1);
        s.axis = random_below(&random, 3);
        s.start = random_between(&random, 0, 9);
        if (scale[0] > 0x1p-1000) /* close to the origin of the ray, and far from that of the world */
            s.start += random_once_in(&random, 2) ? 0 : ldexp(random_once_in(&random, 2) ? 1 : -1, 30);
        check_bounds(&s, random_between(&random, 0, 5), random_between(&random, 1, 9), scale[0], scale[1]);
    }
}

/* A mesh that is long on one axis and one side only: near the origin, and 100 away. A ray between leaves it there, with
   a direction of any length, and ends before where its limit says so. */
static void endless_rays_reach_the_far_end_of_every_axis(void **state)
{
    (void)state;
    static const double lengths[] = {1, 0x1p-40, 0x1p-1022, 0x1p-1074};
    static const uint32_t corners[6] = {0, 1, 2, 3, 4, 5};
    for (int number = 0; number < 24; number++)
    {
        int axis = number % 3, next = (axis + 1) % 3, other = (axis + 2) % 3;
        double far = number / 3 % 2 == 0 ? 100 : -100, length = lengths[number / 6];
        double vertices[6][3] = {{0}}, origin[3] = {0}, direction[3] = {0};
        for (int i = 0; i < 6; i++)
        {
            vertices[i][axis] = i < 3 ? 0 : far;
            vertices[i][next] = i % 3 == 0 ? -0.5 : i % 3 == 1 ? 1 : 0.5;
            vertices[i][other] = i % 3 == 2 ? 1 : -0.5;
        }
        origin[axis] = far / 200;
        origin[next] = 0.25;
        origin[other] = 0.125;
        direction[axis] = far > 0 ? length : -length;
        graze_mesh *mesh = body_of_triangles(vertices, 6, corners, 2);
        graze_mesh_ray_hit hit = cast(mesh, origin, direction, INFINITY);
        assert_int_equal(hit.triangle, 1);
        assert_true(hit.point[axis] == far && hit.point[next] == 0.25 && hit.point[other] == 0.125);
        assert_true(hit.t_lower <= 99.5 / length && 99.5 / length <= hit.t_upper);
        graze_placed_mesh placed = {mesh, NULL, graze_pose_identity()};
        bool found = true;
        assert_int_equal(graze_placed_mesh_cast_ray(NULL, &placed, origin, direction, 99, NULL, &found, NULL),
                         GRAZE_STATUS_OK);
        assert_false(found);
        graze_mesh_destroy(mesh);
    }
}

static void rays_that_begin_on_the_surface_have_a_t_of_zero(void **state)
{
    (void)state;
    slope s = {.start = 3, .rise = 4, .run = 4, .height = 2};
    graze_mesh *mesh = slope_mesh(&s, 1);
    const double origin[3] = {5, 2, 0}, beside[3] = {6, 2, 0}, along[3] = {0.5, 0.25, 0}, nowhere[3] = {0, 0, 0};
    graze_mesh_ray_hit hit = cast(mesh, origin, along, INFINITY);
    assert_true(hit.t == 0 && hit.t_lower == 0 && hit.t_upper >= 0 && hit.t_upper < 1e-12);
    for (int limited = 0; limited < 2; limited++) /* a direction of no length: the origin at any t, so at 0 */
    {
        double limit = limited != 0 ? 7 : INFINITY;
        hit = cast(mesh, origin, nowhere, limit);
        assert_true(hit.t == 0 && hit.t_lower == 0 && hit.t_upper == 0);
        graze_placed_mesh placed = {mesh, NULL, graze_pose_identity()};
        bool found = true;
        assert_int_equal(graze_placed_mesh_cast_ray(NULL, &placed, beside, nowhere, limit, NULL, &found, NULL),
                         GRAZE_STATUS_OK);
        assert_false(found);
    }
    graze_mesh_destroy(mesh);
}

static void of_triangles_at_the_same_t_the_least_index_counts(void **state)
{
    (void)state;
    double vertices[4][3] = {{4, 0, -2}, {4, 0, 2}, {4, 3, 0}, {4, -3, 0}};
    static const uint32_t sides[2][6] = {{0, 1, 2, 1, 0, 3}, {1, 0, 3, 0, 1, 2}};
    const double origin[3] = {0, 0, 0.5}, direction[3] = {1, 0, 0};
    for (int order = 0; order < 2; order++)
    {
        graze_mesh *mesh = body_of_triangles(vertices, 4, sides[order], 2);
        graze_mesh_ray_hit hit = cast(mesh, origin, direction, 8);
        assert_true(hit.t == 4);
        assert_int_equal(hit.triangle, 0);
        graze_mesh_destroy(mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_true_t_lies_between_its_bounds),
        cmocka_unit_test(endless_rays_reach_the_far_end_of_every_axis),
        cmocka_unit_test(rays_that_begin_on_the_surface_have_a_t_of_zero),
        cmocka_unit_test(of_triangles_at_the_same_t_the_least_index_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
