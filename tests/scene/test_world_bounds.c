/* SPDX-License-Identifier: MIT */
/*
 * World AABBs and bounding spheres contain their placed meshes, in every rounding mode, with denormals flushed to zero,
 * and where the numbers of a mesh and of its pose are at opposite ends of the range.
 */
#include <float.h>
#include <gmp.h>
#include <math.h>
#include <stdio.h>

#include "base/random.h"
#include "mesh/mesh.h"
#include "scene/scene.h"
#include "support/environment.h"
#include "support/unit.h"

/* A box with corners at integers times 2^low under a pose of 2^high and reflections: its world corners are integers
   times 2^(low + high). */
typedef struct grid_object
{
    graze_mesh *mesh;
    graze_pose pose;
    int lower[3], upper[3];
    graze_box box;
    grz_world_sphere ball;
} grid_object;

static grid_object make_object(grz_random *random, int low, int high)
{
    static const uint32_t corners[12] = {0, 1, 2, 3, 2, 1, 4, 5, 6, 7, 6, 5};
    grid_object object = {.pose = {{0}}};
    double vertices[24];
    for (int axis = 0; axis < 3; axis++)
    {
        int from = (int)grz_random_below(random, 5) - 2, to = from + (int)grz_random_below(random, 4);
        int turn = grz_random_below(random, 2) == 0 ? 1 : -1, shift = (int)grz_random_below(random, 4);
        for (int corner = 0; corner < 8; corner++)
            vertices[3 * corner + axis] = ldexp((corner >> axis & 1) != 0 ? to : from, low);
        object.pose.m[5 * axis] = ldexp(turn, high);
        object.pose.m[4 * axis + 3] = ldexp(shift, low + high);
        object.lower[axis] = shift + (turn > 0 ? from : -to);
        object.upper[axis] = shift + (turn > 0 ? to : -from);
    }
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 8;
    def.corners = corners;
    def.corner_count = 12;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &object.mesh), GRAZE_STATUS_OK);
    return object;
}

static bool do_meet(const grid_object *a, const grid_object *b)
{
    bool meet = true;
    for (int axis = 0; axis < 3; axis++)
        meet = meet && a->lower[axis] <= b->upper[axis] && b->lower[axis] <= a->upper[axis];
    return meet;
}

static void boxes_and_balls_hold_what_is_placed_also_at_the_far_ends(void **state)
{
    (void)state;
    const uint64_t seed = 20261118;
    printf("seed %llu\n", (unsigned long long)seed);
    grz_random random = grz_random_make(seed);
    unsigned met = 0, apart = 0, far = 0;
    for (unsigned round = 0; round < 40000; round++)
    {
        int where = (int)grz_random_below(&random, round % 2 == 0 ? 41 : 1801) - (round % 2 == 0 ? 20 : 900);
        int least = where - 1000 > -1074 ? where - 1000 : -1074, most = where + 1074 < 1000 ? where + 1074 : 1000;
        grid_object objects[2];
        bool are_apart;
        for (int i = 0; i < 2; i++)
        {
            int low = least + (int)grz_random_below(&random, (uint32_t)(most - least + 1));
            low = round % 4 < 2 ? (int)grz_random_below(&random, 41) - 20 : low;
            objects[i] = make_object(&random, low, where - low);
            far += where - low > 400 || low > 400;
        }
        saved_environment saved;
        environment_enter(&saved, (int)(round / 4 % ENVIRONMENTS));
        for (int i = 0; i < 2; i++)
            grz_world_bounds(objects[i].mesh, &objects[i].pose, &objects[i].box, &objects[i].ball);
        are_apart = grz_world_spheres_disjoint(&objects[0].ball, &objects[1].ball);
        environment_leave(&saved);
        assert_false(are_apart && do_meet(&objects[0], &objects[1]));
        met += do_meet(&objects[0], &objects[1]);
        apart += are_apart;
        for (int i = 0; i < 2; i++)
        {
            for (int axis = 0; axis < 3; axis++)
                assert_true(objects[i].box.lower[axis] <= ldexp(objects[i].lower[axis], where) &&
                            objects[i].box.upper[axis] >= ldexp(objects[i].upper[axis], where));
            graze_mesh_destroy(objects[i].mesh);
        }
    }
    printf("%u met, %u balls were apart, %u at the far ends\n", met, apart, far);
    assert_true(met > 3000 && apart > 1000 && far > 10000);
}

/* x, y, z and the length of that vector, all integers. */
static const int quadruples[][4] = {{1, 2, 2, 3},  {2, 3, 6, 7},  {1, 4, 8, 9},   {4, 4, 7, 9},
                                    {2, 6, 9, 11}, {6, 6, 7, 11}, {3, 4, 12, 13}, {2, 5, 14, 15}};

static const int *random_quadruple(grz_random *random)
{
    return quadruples[grz_random_below(random, sizeof quadruples / sizeof quadruples[0])];
}

__extension__ typedef __int128 wide;

/* Two doubles whose difference needs many more bits than a double has. */
static void split(wide difference, double *out_first, double *out_second)
{
    wide first = difference >> 28;
    *out_first = (double)(int64_t)first * 0x1p28;
    *out_second = -(double)(int64_t)(difference - first * (1 << 28));
}

static double scaled(double x, int exponent)
{
    return ldexp(x, exponent - 80);
}

/* Spheres that touch in a point, though neither their distance nor the sum of their radii is a double; and some whose
   gap is a little larger than rounding can hide. */
static void balls_that_touch_are_not_apart(void **state)
{
    (void)state;
    grz_random random = grz_random_make(20261119);
    static const int scales[] = {0, -300, -470, 300, -100, 0, 0};
    for (unsigned round = 0; round < 200000; round++)
    {
        const int *q = random_quadruple(&random);
        int scale = scales[round % (sizeof scales / sizeof scales[0])], sign = grz_random_below(&random, 2) ? 1 : -1;
        wide unit =
            ((wide)grz_random_below(&random, UINT64_C(1) << 46) << 30) + (wide)grz_random_below(&random, 1 << 30);
        grz_world_sphere a = {{0}, 0, 0}, b = {{0}, 0, 0};
        for (int axis = 0; axis < 3; axis++)
        {
            split(sign * unit * q[axis], &a.centre[axis], &b.centre[axis]);
            a.centre[axis] = scaled(a.centre[axis], scale);
            b.centre[axis] = scaled(b.centre[axis], scale);
        }
        split(unit * q[3], &a.radius, &b.radius);
        a.radius = scaled(a.radius, scale);
        b.radius = scaled(-b.radius, scale);
        saved_environment saved;
        environment_enter(&saved, (int)(round % ENVIRONMENTS));
        bool touch_apart = grz_world_spheres_disjoint(&a, &b);
        environment_leave(&saved);
        assert_false(touch_apart);
        a.radius *= 1 - 0x1p-40;
        b.radius *= 1 - 0x1p-40;
        assert_true(grz_world_spheres_disjoint(&a, &b) || scale < -300);
    }
}

/* A point of a mesh, placed exactly. */
static void place_exactly(const double v[3], const graze_pose *pose, mpq_t out[3])
{
    mpq_t term, factor;
    mpq_inits(term, factor, NULL);
    for (int axis = 0; axis < 3; axis++)
    {
        mpq_set_d(out[axis], pose->m[4 * axis + 3]);
        for (int k = 0; k < 3; k++)
        {
            mpq_set_d(term, pose->m[4 * axis + k]);
            mpq_set_d(factor, v[k]);
            mpq_mul(term, term, factor);
            mpq_add(out[axis], out[axis], term);
        }
    }
    mpq_clears(term, factor, NULL);
}

static void expect_held(const double v[3], const graze_pose *pose, const graze_box *box, const grz_world_sphere *ball)
{
    mpq_t p[3], number, sum;
    mpq_inits(p[0], p[1], p[2], number, sum, NULL);
    place_exactly(v, pose, p);
    for (int axis = 0; axis < 3; axis++)
    {
        mpq_set_d(number, box->lower[axis]);
        assert_true(mpq_cmp(number, p[axis]) <= 0);
        mpq_set_d(number, box->upper[axis]);
        assert_true(mpq_cmp(number, p[axis]) >= 0);
        mpq_set_d(number, ball->centre[axis]);
        mpq_sub(p[axis], p[axis], number);
        mpq_mul(p[axis], p[axis], p[axis]);
        mpq_add(sum, sum, p[axis]);
    }
    mpq_set_d(number, ball->radius);
    mpq_mul(number, number, number);
    assert_true(mpq_cmp(sum, number) <= 0);
    mpq_clears(p[0], p[1], p[2], number, sum, NULL);
}

/* A rounded rotation, sometimes times a factor. */
static graze_pose random_pose(grz_random *random, double *out_longest)
{
    graze_pose pose;
    double axis[3], angle = grz_random_unit(random) * 6.3, away = ldexp(1, (int)grz_random_below(random, 41) - 20);
    double c = cos(angle), s = sin(angle), length = 0, factor = grz_random_below(random, 3) == 0 ? 3.7 : 1;
    for (int k = 0; k < 3; k++)
    {
        axis[k] = grz_random_unit(random) - 0.5;
        length += axis[k] * axis[k];
    }
    for (int i = 0; i < 3; i++)
    {
        for (int k = 0; k < 3; k++)
            pose.m[4 * i + k] = factor * ((1 - c) * axis[i] * axis[k] / length + (i == k ? c : 0));
        pose.m[4 * i + (i + 1) % 3] -= factor * s * axis[(i + 2) % 3] / sqrt(length);
        pose.m[4 * i + (i + 2) % 3] += factor * s * axis[(i + 1) % 3] / sqrt(length);
        pose.m[4 * i + 3] = (grz_random_unit(random) - 0.5) * away;
    }
    *out_longest = factor;
    return pose;
}

/* Orthogonal rows of the same integer length: an integer rotation times that length. */
static const int rotations[][3][3] = {{{1, 2, 2}, {2, 1, -2}, {2, -2, 1}},
                                      {{2, 3, 6}, {3, -6, 2}, {6, 2, -3}},
                                      {{1, 4, 8}, {4, 7, -4}, {8, -4, 1}},
                                      {{2, 6, 9}, {6, 7, -6}, {9, -6, 2}}};
static const int lengths[] = {3, 7, 9, 11};

/* A mesh that has only an AABB and a sphere, its pose, and points on the surface of both. */
typedef struct placed_shape
{
    graze_mesh mesh;
    graze_pose pose;
    double points[8][3], longest;
    int point_count;
} placed_shape;

static double random_digits(grz_random *random, uint64_t most)
{
    return (double)grz_random_below(random, most) - 0.5 * (double)most;
}

/* A box whose corners are on the sphere, in any pose: its bounds end at a corner on every side. */
static void make_box(grz_random *random, double unit, placed_shape *out)
{
    const int *q = random_quadruple(random);
    out->mesh.radius = unit * q[3];
    out->pose = random_pose(random, &out->longest);
    out->point_count = 8;
    for (int axis = 0; axis < 3; axis++)
    {
        out->mesh.lower[axis] = out->mesh.centre[axis] - unit * q[axis];
        out->mesh.upper[axis] = out->mesh.centre[axis] + unit * q[axis];
        for (int corner = 0; corner < 8; corner++)
            out->points[corner][axis] = corner >> axis & 1 ? out->mesh.upper[axis] : out->mesh.lower[axis];
    }
}

/* A cube around a sphere, with the points that are extreme along the world axes: its bounds are those of the sphere,
   and end at these. */
static void make_ball(grz_random *random, double unit, placed_shape *out)
{
    unsigned which = (unsigned)grz_random_below(random, 4);
    double factor = ldexp(1 + (double)grz_random_below(random, UINT64_C(1) << 48), -48);
    out->mesh.radius = unit * lengths[which];
    out->longest = factor * lengths[which];
    out->point_count = 6;
    for (int axis = 0; axis < 3; axis++)
    {
        out->mesh.lower[axis] = out->mesh.centre[axis] - out->mesh.radius;
        out->mesh.upper[axis] = out->mesh.centre[axis] + out->mesh.radius;
        for (int k = 0; k < 3; k++)
        {
            out->pose.m[4 * axis + k] = factor * rotations[which][axis][k];
            out->points[axis][k] = out->mesh.centre[k] + unit * rotations[which][axis][k];
            out->points[3 + axis][k] = out->mesh.centre[k] - unit * rotations[which][axis][k];
        }
        out->pose.m[4 * axis + 3] =
            random_digits(random, UINT64_C(1) << 53) * ldexp(1, -(int)grz_random_below(random, 60));
    }
}

static void expect_close(const placed_shape *s, const graze_box *box, const grz_world_sphere *ball)
{
    double size = s->mesh.radius * s->longest, slack = 1e-9 * size;
    for (int axis = 0; axis < 3; axis++)
        slack += 1e-12 * (fabs(s->pose.m[4 * axis + 3]) + 8 * s->longest * fabs(s->mesh.centre[axis]));
    assert_true(ball->radius <= size + slack && ball->error <= slack);
    for (int axis = 0; axis < 3; axis++)
        assert_true(box->upper[axis] - box->lower[axis] <= 2 * (size + slack));
}

static void bounds_of_turned_meshes_hold_points_on_them(void **state)
{
    (void)state;
    grz_random random = grz_random_make(20261120);
    for (unsigned round = 0; round < 16000; round++)
    {
        placed_shape s = {.mesh = {.triangle_count = 1}};
        double unit =
            ldexp(1, (int)grz_random_below(&random, 9) - 4) * (double)(1 + grz_random_below(&random, 1 << 24));
        bool off = grz_random_below(&random, 2) != 0;
        for (int axis = 0; axis < 3; axis++)
            s.mesh.centre[axis] = off ? unit * random_digits(&random, 1 << 22) : 0;
        if (grz_random_below(&random, 2) == 0)
            make_box(&random, unit, &s);
        else
            make_ball(&random, unit, &s);
        graze_box box, only_box;
        grz_world_sphere ball;
        saved_environment saved;
        environment_enter(&saved, (int)(round % ENVIRONMENTS));
        grz_world_bounds(&s.mesh, &s.pose, &box, &ball);
        only_box = grz_world_aabb(&s.mesh, &s.pose);
        environment_leave(&saved);
        for (int axis = 0; axis < 3; axis++)
            assert_true(box.lower[axis] == only_box.lower[axis] && box.upper[axis] == only_box.upper[axis]);
        for (int point = 0; point < s.point_count; point++)
            expect_held(s.points[point], &s.pose, &box, &ball);
        expect_close(&s, &box, &ball);
    }
}

/* Spheres that touch are not called disjoint when squares overflow. */
static void balls_whose_squares_overflow_are_not_apart(void **state)
{
    (void)state;
    const grz_world_sphere first = {{0x1p549, 0, 0}, 0x1p550, 0}, second = {{0, 0, 0}, 0x1p550, 0};
    const grz_world_sphere far_away = {{0x1p600, 0x1p600, 0}, 1, 0}, endless = {{0, 0, 0}, INFINITY, 0};
    assert_false(grz_world_spheres_disjoint(&first, &second));
    assert_false(grz_world_spheres_disjoint(&far_away, &endless));
    assert_false(grz_world_spheres_disjoint(&endless, &endless));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(boxes_and_balls_hold_what_is_placed_also_at_the_far_ends),
                                       cmocka_unit_test(balls_that_touch_are_not_apart),
                                       cmocka_unit_test(bounds_of_turned_meshes_hold_points_on_them),
                                       cmocka_unit_test(balls_whose_squares_overflow_are_not_apart)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
