/* SPDX-License-Identifier: MIT */
/*
 * Fat AABBs contain their boxes, tightly; and a ray hits a box that it touches in a single point, anywhere in the range
 * of doubles. Rays and boxes are small integers times powers of two, so that fractions decide.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "broad/fat_aabb.h"
#include "support/random.h"
#include "support/unit.h"

enum
{
    MOST_DIGIT = 5
};

/* In units of 2^place, the direction in units of 2^way, t in units of 2^(place - way). */
typedef struct small_ray
{
    int origin[3], direction[3], lower[3], upper[3];
    int limit; /* -1: none */
} small_ray;

/* The box is near the point of the ray at some t. */
static small_ray random_ray(test_random *random)
{
    small_ray r;
    int t = random_between(random, 0, 3);
    for (int axis = 0; axis < 3; axis++)
    {
        r.origin[axis] = random_between(random, -MOST_DIGIT, MOST_DIGIT);
        r.direction[axis] = random_once_in(random, 6) ? 0 : random_between(random, -MOST_DIGIT, MOST_DIGIT);
        r.lower[axis] = r.origin[axis] + t * r.direction[axis] - random_between(random, -1, 2);
        r.upper[axis] = r.lower[axis] + random_between(random, 0, 2);
    }
    r.limit = random_once_in(random, 2) ? -1 : random_between(random, 0, 3);
    return r;
}

/* A fraction with a positive denominator. */
typedef struct fraction
{
    int over, under;
} fraction;

static bool is_less(fraction a, fraction b)
{
    return a.over * b.under < b.over * a.under;
}

/* Whether the ray hits the box; *out_touches: only at its end, its beginning or an edge, so that a shorter ray or a
   smaller box would be missed. */
static bool truly_meets(const small_ray *r, bool *out_touches)
{
    fraction enter = {0, 1}, leave = {r->limit < 0 ? 1000000 : r->limit, 1};
    for (int axis = 0; axis < 3; axis++)
    {
        int way = r->direction[axis], down = r->lower[axis] - r->origin[axis], up = r->upper[axis] - r->origin[axis];
        if (way == 0 && (down > 0 || up < 0))
            return false;
        if (way == 0)
            continue;
        fraction near = way > 0 ? (fraction){down, way} : (fraction){-up, -way};
        fraction far = way > 0 ? (fraction){up, way} : (fraction){-down, -way};
        enter = is_less(enter, near) ? near : enter;
        leave = is_less(far, leave) ? far : leave;
    }
    *out_touches = !is_less(enter, leave);
    return !is_less(leave, enter);
}

static void place_ray(const small_ray *r, int place, int way, grz_ray *out_ray, grz_tight_aabb *out_box)
{
    *out_box = (grz_tight_aabb){{0}, {0}};
    for (int axis = 0; axis < 3; axis++)
    {
        out_ray->origin[axis] = ldexp(r->origin[axis], place);
        out_ray->direction[axis] = ldexp(r->direction[axis], way);
        out_box->lower[axis] = ldexp(r->lower[axis], place);
        out_box->upper[axis] = ldexp(r->upper[axis], place);
    }
    out_ray->limit = r->limit < 0 ? INFINITY : ldexp(r->limit, place - way);
}

/* Units: in the middle of the range, at both ends, and where quotients are as small or large as possible. */
static void choose_units(test_random *random, int *out_place, int *out_way)
{
    static const int places[][2] = {{0, 0},         {-1074, -1074}, {-1074, -1060}, {-1060, -1074}, {-1022, -1022},
                                    {-1074, 0},     {-1022, 52},    {1015, 1015},   {1015, 0},      {-500, 572},
                                    {-1073, -1073}, {-1023, 0},     {-1074, -52},   {300, -700}};
    int which = random_below(random, (int)(sizeof places / sizeof places[0]));
    *out_place = places[which][0] + (places[which][0] < 1000 ? random_between(random, 0, 2) : 0);
    *out_way = places[which][1] + (places[which][1] < 1000 ? random_between(random, 0, 2) : 0);
}

static void a_ray_meets_what_it_touches_in_a_point(void **state)
{
    (void)state;
    test_random random = test_random_start("a_ray_meets_what_it_touches_in_a_point", 71);
    unsigned long met = 0, touched = 0, missed = 0;
    for (int round = 0; round < 100000; round++)
    {
        small_ray r = random_ray(&random);
        int place, way;
        bool touches = false;
        bool truth = truly_meets(&r, &touches);
        grz_ray ray;
        grz_tight_aabb box;
        choose_units(&random, &place, &way);
        place_ray(&r, place, way, &ray, &box);
        bool told = grz_ray_hits_tight_aabb(&ray, &box);
        assert_true(told || !truth);
        if (place > -900 && place - way > -900) /* below that, some ulps are a large relative error */
            assert_int_equal(told, truth);
        met += truth;
        touched += truth && touches;
        missed += !told;
    }
    printf("%lu met, %lu of them in a point, %lu missed\n", met, touched, missed);
    assert_true(met > 10000 && touched > 5000 && missed > 30000);
}

/* The ray enters on one axis where it leaves on another, at t = p / q, and the distances p a of origin and box need one
   bit more than doubles have: their halves are rounded, with the largest possible error. */
static void a_ray_meets_an_edge_far_away(void **state)
{
    (void)state;
    test_random random = test_random_start("a_ray_meets_an_edge_far_away", 72);
    for (int round = 0; round < 20000; round++)
    {
        int64_t p = (INT64_C(1) << 50) + 2 * random_below(&random, 1 << 30) + 1;
        int q = random_once_in(&random, 2) ? 1 << random_below(&random, 5) : 2 * random_below(&random, 500) + 1;
        int first = random_below(&random, 3), second = (first + random_between(&random, 1, 2)) % 3;
        grz_ray ray = {.limit = INFINITY};
        grz_tight_aabb box = {{0}, {0}};
        for (int axis = 0; axis < 3; axis++)
        {
            int64_t factor = 9 + 2 * random_below(&random, 4), distance = p * factor, from = distance / 2;
            int sign = random_once_in(&random, 2) ? 1 : -1;
            double at = (double)(sign * (distance - from)), thick = (double)(1 + random_below(&random, 1 << 20));
            ray.origin[axis] = (double)(-sign * from);
            ray.direction[axis] = (double)(sign * factor * q);
            if (axis == first) /* begins here, */
            {
                box.lower[axis] = sign > 0 ? at : at - thick;
                box.upper[axis] = sign > 0 ? at + thick : at;
            }
            else if (axis == second) /* ends here, */
            {
                box.lower[axis] = sign > 0 ? at - thick : at;
                box.upper[axis] = sign > 0 ? at : at + thick;
            }
            else /* and goes on here */
            {
                box.lower[axis] = at - thick;
                box.upper[axis] = at + thick;
            }
        }
        assert_true(grz_ray_hits_tight_aabb(&ray, &box));
        if ((q & (q - 1)) == 0) /* then t is a double: a ray that ends there hits it too, a shorter one does not */
        {
            ray.limit = (double)p / q;
            assert_true(grz_ray_hits_tight_aabb(&ray, &box));
            ray.limit *= 1 - 0x1p-46;
            assert_false(grz_ray_hits_tight_aabb(&ray, &box));
        }
    }
}

/* From a point on the surface, outward. */
static void a_ray_meets_the_box_it_leaves(void **state)
{
    (void)state;
    test_random random = test_random_start("a_ray_meets_the_box_it_leaves", 73);
    for (int round = 0; round < 20000; round++)
    {
        int axis = random_below(&random, 3), sign = random_once_in(&random, 2) ? 1 : -1;
        grz_ray ray = {.limit = random_once_in(&random, 2) ? INFINITY : 0};
        grz_tight_aabb box = {{0}, {0}};
        for (int k = 0; k < 3; k++)
        {
            double x = ldexp(random_real(&random, -1, 1), random_between(&random, -1074, 1020));
            ray.origin[k] = x;
            ray.direction[k] = ldexp(random_real(&random, -1, 1), random_between(&random, -1060, 1020));
            box.lower[k] = k == axis && sign < 0 ? x : x - 0.5 * fabs(x) - 0x1p-1074;
            box.upper[k] = k == axis && sign > 0 ? x : x + 0.5 * fabs(x) + 0x1p-1074;
        }
        ray.direction[axis] = sign * fabs(ray.direction[axis]);
        assert_true(grz_ray_hits_tight_aabb(&ray, &box));
    }
}

static graze_box random_box(test_random *random, int least, int most)
{
    graze_box box;
    for (int axis = 0; axis < 3; axis++)
    {
        double x = ldexp(random_real(random, -1, 1), random_between(random, least, most));
        double y =
            random_once_in(random, 3) ? x : ldexp(random_real(random, -1, 1), random_between(random, least, most));
        box.lower[axis] = fmin(x, y);
        box.upper[axis] = fmax(x, y);
    }
    return box;
}

/* Coordinates beyond the range of floats are clamped. */
static double within_floats(double x)
{
    return fmin(fmax(x, -(double)FLT_MAX), (double)FLT_MAX);
}

static void expect_around(const grz_fat_aabb *fat, int axis, double lower, double upper)
{
    lower = within_floats(lower);
    upper = within_floats(upper);
    assert_true((double)fat->lower[axis] <= lower && (double)fat->upper[axis] >= upper);
    assert_true((double)fat->lower[axis] >= lower - 0x1p-20 * fabs(lower) - 0x1p-123);
    assert_true((double)fat->upper[axis] <= upper + 0x1p-20 * fabs(upper) + 0x1p-123);
    assert_true(isfinite(fat->lower[axis]) && isfinite(fat->upper[axis]));
}

static void floats_lie_closely_around_boxes(void **state)
{
    (void)state;
    test_random random = test_random_start("floats_lie_closely_around_boxes", 74);
    for (int round = 0; round < 20000; round++)
    {
        graze_box box = random_box(&random, round % 2 ? -1074 : -130, round % 2 ? 1023 : 130);
        grz_tight_aabb tight = grz_tight_aabb_from_box(&box);
        grz_fat_aabb fat = grz_fat_aabb_around(&tight);
        for (int axis = 0; axis < 3; axis++)
            expect_around(&fat, axis, box.lower[axis], box.upper[axis]);
        assert_true(fat.lower[3] == 0 && fat.upper[3] == 0);
        assert_int_equal(grz_aabb_check(&box), GRAZE_STATUS_OK);
        assert_true(grz_aabb_is_valid(&box));
        int axis = random_below(&random, 3);
        graze_box wrong = box;
        wrong.lower[axis] = nextafter(wrong.upper[axis], INFINITY);
        graze_status status = isfinite(wrong.lower[axis]) ? GRAZE_STATUS_BAD_ARGUMENT : GRAZE_STATUS_NOT_FINITE;
        assert_int_equal(grz_aabb_check(&wrong), status);
        assert_false(grz_aabb_is_valid(&wrong));
        wrong = box;
        *(random_once_in(&random, 2) ? &wrong.lower[axis] : &wrong.upper[axis]) =
            random_once_in(&random, 2) ? NAN : INFINITY;
        assert_int_equal(grz_aabb_check(&wrong), GRAZE_STATUS_NOT_FINITE);
        assert_false(grz_aabb_is_valid(&wrong));
    }
}

static grz_tight_aabb shifted(const grz_tight_aabb *box, const double step[3], double times)
{
    grz_tight_aabb moved = *box;
    for (int axis = 0; axis < 3; axis++)
    {
        moved.lower[axis] += times * step[axis];
        moved.upper[axis] += times * step[axis];
    }
    return moved;
}

/* Steps that are small fractions of the box's size, so that sums are exact. */
static void what_moves_has_room_for_more_steps(void **state)
{
    (void)state;
    test_random random = test_random_start("what_moves_has_room_for_more_steps", 75);
    for (int round = 0; round < 5000; round++)
    {
        grz_tight_aabb before = {{0}, {0}};
        double step[3], steps = random_between(&random, 2, 12), size = 0, largest = 0;
        for (int axis = 0; axis < 3; axis++)
        {
            before.lower[axis] = random_between(&random, -1000, 1000);
            before.upper[axis] = before.lower[axis] + random_between(&random, 0, 400);
            step[axis] = random_once_in(&random, 3) ? 0 : random_between(&random, -40, 40);
            size = fmax(size, before.upper[axis] - before.lower[axis]);
            largest = fmax(largest, fabs(step[axis]));
        }
        grz_tight_aabb now = shifted(&before, step, 1);
        grz_fat_aabb fat = grz_fat_aabb_around_moving(&now, &before, steps);
        bool jumps = largest > 0.5 * size;
        for (int axis = 0; axis < 3; axis++)
        {
            double ahead = jumps ? 0 : fmin(steps * fabs(step[axis]), 0.5 * size);
            double behind = jumps ? 0 : fmin(steps * fabs(step[axis]) / 8, 0.5 * size);
            bool up = step[axis] > 0;
            expect_around(&fat, axis, now.lower[axis] - (up ? behind : ahead), now.upper[axis] + (up ? ahead : behind));
        }
        if (largest * steps <= 0.5 * size)
        {
            grz_tight_aabb last = shifted(&now, step, steps), back = shifted(&now, step, -steps / 8);
            assert_true(grz_fat_aabb_contains(&fat, &last) && grz_fat_aabb_contains(&fat, &back));
        }
    }
    grz_tight_aabb far = {{-DBL_MAX, 0, 0}, {DBL_MAX, 1, 1}}, near = {{0}, {1, 1, 1}};
    grz_fat_aabb fat = grz_fat_aabb_around_moving(&far, &near, 16);
    assert_true(grz_fat_aabb_contains(&fat, &near) && fat.lower[0] == -FLT_MAX && fat.upper[0] == FLT_MAX);
    expect_around(&fat, 1, 0, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ray_meets_what_it_touches_in_a_point), cmocka_unit_test(a_ray_meets_an_edge_far_away),
        cmocka_unit_test(a_ray_meets_the_box_it_leaves), cmocka_unit_test(floats_lie_closely_around_boxes),
        cmocka_unit_test(what_moves_has_room_for_more_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
