/* SPDX-License-Identifier: MIT */
/*
 * Boxes and rays of denormal numbers with denormals flushed to zero. A box that moved by 2^-1074 was taken for one that
 * had not moved, query boxes for others, and a ray with a denormal direction hit nothing.
 */
#include <math.h>
#include <stdio.h>

#include "graze/broad_phase.h"
#include "support/environment.h"
#include "support/random.h"
#include "support/unit.h"

enum
{
    BOXES = 12
};

typedef struct digits
{
    int lower[3], upper[3];
} digits;

static digits random_digits(test_random *random)
{
    digits d;
    for (int axis = 0; axis < 3; axis++)
    {
        d.lower[axis] = random_between(random, -3, 3);
        d.upper[axis] = d.lower[axis] + random_between(random, 0, 2);
    }
    return d;
}

static graze_box place(const digits *d)
{
    graze_box box;
    for (int axis = 0; axis < 3; axis++)
    {
        box.lower[axis] = ldexp(d->lower[axis], -1074);
        box.upper[axis] = ldexp(d->upper[axis], -1074);
    }
    return box;
}

static bool overlap(const digits *a, const digits *b)
{
    bool all = true;
    for (int axis = 0; axis < 3; axis++)
        all = all && a->lower[axis] <= b->upper[axis] && b->lower[axis] <= a->upper[axis];
    return all;
}

/* Whether a ray from 0 along one axis hits a box. */
static bool is_met(const digits *d, int axis, int way)
{
    bool met = way > 0 ? d->upper[axis] >= 0 : d->lower[axis] <= 0;
    for (int k = 0; k < 3; k++)
        met = met && (k == axis || (d->lower[k] <= 0 && d->upper[k] >= 0));
    return met;
}

static void expect_answers(test_random *random, const graze_broad_phase *broad, const digits *boxes, int environment)
{
    uint32_t in_box[BOXES], on_ray[BOXES];
    size_t in_count, ray_count, pair_count, expected_in = 0, expected_ray = 0, expected_pairs = 0;
    digits asked = random_digits(random);
    graze_box box = place(&asked);
    int axis = random_below(random, 3), way = random_once_in(random, 2) ? 1 : -1;
    double origin[3] = {0, 0, 0}, direction[3] = {0, 0, 0};
    direction[axis] = ldexp(way, -1074);
    saved_environment saved;
    environment_enter(&saved, environment);
    graze_status status_box = graze_broad_phase_collide_box(broad, &box, in_box, BOXES, &in_count);
    graze_status status_ray = graze_broad_phase_cast_ray(broad, origin, direction, INFINITY, on_ray, BOXES, &ray_count);
    environment_leave(&saved);
    assert_true(status_box == GRAZE_STATUS_OK && status_ray == GRAZE_STATUS_OK);
    graze_broad_phase_pairs(broad, &pair_count);
    for (int i = 0; i < BOXES; i++)
    {
        bool met = is_met(&boxes[i], axis, way), found = false;
        expected_in += overlap(&asked, &boxes[i]);
        expected_ray += met;
        for (size_t k = 0; k < ray_count; k++)
            found = found || on_ray[k] == (uint32_t)i;
        assert_true(found || !met);
        for (int k = 0; k < i; k++)
            expected_pairs += overlap(&boxes[i], &boxes[k]);
    }
    assert_int_equal(in_count, expected_in);
    assert_true(ray_count >= expected_ray);
    assert_int_equal(pair_count, expected_pairs);
}

static void denormal_boxes_are_no_points(void **state)
{
    (void)state;
    test_random random = test_random_start("denormal_boxes_are_no_points", 5);
    for (int method = 0; method < GRAZE_BROAD_PHASE_METHOD_COUNT; method++)
        for (int environment = 0; environment < ENVIRONMENTS; environment++)
        {
            graze_broad_phase_def def = graze_broad_phase_def_default();
            graze_broad_phase *broad;
            digits boxes[BOXES];
            def.method = (graze_broad_phase_method)method;
            def.margin = environment % 4 < 2 ? 0 : 8;
            assert_int_equal(graze_broad_phase_create(NULL, &def, &broad), GRAZE_STATUS_OK);
            for (int round = 0; round < 20; round++)
            {
                saved_environment saved;
                graze_status status = GRAZE_STATUS_OK;
                for (uint32_t id = 0; id < BOXES && status == GRAZE_STATUS_OK; id++)
                {
                    if (round > 0 && random_once_in(&random, 2))
                        continue;
                    boxes[id] = random_digits(&random);
                    graze_box box = place(&boxes[id]);
                    environment_enter(&saved, environment);
                    status = round == 0 ? graze_broad_phase_insert(broad, id, &box)
                                        : graze_broad_phase_move(broad, id, &box);
                    environment_leave(&saved);
                }
                assert_int_equal(status, GRAZE_STATUS_OK);
                environment_enter(&saved, environment);
                status = graze_broad_phase_update(broad, NULL);
                environment_leave(&saved);
                assert_int_equal(status, GRAZE_STATUS_OK);
                expect_answers(&random, broad, boxes, environment);
            }
            graze_broad_phase_destroy(broad);
        }
}

/* Lower bounds above upper ones are refused, by however little. */
static void denormal_boxes_may_be_inverted(void **state)
{
    (void)state;
    for (int environment = 0; environment < ENVIRONMENTS; environment++)
    {
        graze_broad_phase *broad;
        graze_box good = {{0, 0, 0}, {0x1p-1074, 0x1p-1074, 0x1p-1074}}, wrong = {{0, 0x1p-1074, 0}, {0, 0, 0}};
        saved_environment saved;
        size_t count;
        assert_int_equal(graze_broad_phase_create(NULL, NULL, &broad), GRAZE_STATUS_OK);
        environment_enter(&saved, environment);
        graze_status inserted = graze_broad_phase_insert(broad, 0, &wrong);
        graze_status right = graze_broad_phase_insert(broad, 0, &good);
        graze_status moved = graze_broad_phase_move(broad, 0, &wrong);
        graze_status asked = graze_broad_phase_collide_box(broad, &wrong, NULL, 0, &count);
        environment_leave(&saved);
        assert_int_equal(inserted, GRAZE_STATUS_BAD_ARGUMENT);
        assert_int_equal(right, GRAZE_STATUS_OK);
        assert_int_equal(moved, GRAZE_STATUS_BAD_ARGUMENT);
        assert_int_equal(asked, GRAZE_STATUS_BAD_ARGUMENT);
        graze_broad_phase_destroy(broad);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(denormal_boxes_are_no_points),
                                       cmocka_unit_test(denormal_boxes_may_be_inverted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
