/* SPDX-License-Identifier: MIT */
/*
 * The double filter decides only what exact predicates decide the same way, in every rounding mode and with denormals
 * flushed: on pairs of every generator, on pairs that nearly touch, and where the error of transformed corners is as
 * large as allowed. It decides nearly all pairs in general position.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "exact/contact.h"
#include "math/interval.h"
#include "pair/hit/hit_buffer.h"
#include "pair/hit/triangle_filter.h"
#include "pair/relative_pose.h"
#include "support/contacts.h"
#include "support/environment.h"
#include "support/unit.h"

enum
{
    CASES_PER_GENERATOR = 300, /* in each environment */
    NEAR_CASES = 40000,        /* likewise */
    CLEAR_CASES = 20000
};

static const uint32_t corner_numbers[3] = {0, 1, 2};

typedef struct tally
{
    int verdicts[3];       /* by grz_filter_verdict */
    int asked, met, sides; /* sides: signs found for uncertain pairs */
} tally;

/* The error bound of the transformed corners of B, as in pair/hit/query.c; false where the filter may not be used. */
static bool find_error(const triangle_case *pair, const grz_relative_pose *map, double *out_error)
{
    double reach = 0, own_reach = 0;
    for (int i = 0; i < 9; i++)
    {
        reach = fmax(reach, fabs(pair->corners[1][i / 3][i % 3]));
        own_reach = fmax(own_reach, fabs(pair->corners[0][i / 3][i % 3]));
    }
    const double *m = map->pose.m;
    double magnitude = map->norm * 3 * reach + (fabs(m[3]) + fabs(m[7]) + fabs(m[11]));
    *out_error = map->matrix_error * 3 * reach + map->offset_error + 6 * GRZ_U * magnitude + 0x1p-700;
    return magnitude <= 0x1p300 && own_reach <= 0x1p300 && *out_error <= 0x1p300;
}

static grz_filter_verdict judge(const triangle_case *pair, const graze_pose *map, double error,
                                grz_filter_signs *out_doubt)
{
    return grz_filter_triangles((grz_indexed_triangle){pair->corners[0][0], corner_numbers},
                                (grz_indexed_triangle){pair->corners[1][0], corner_numbers}, map, error, out_doubt);
}

/* The signs found for an uncertain pair must be right, and must lead to the contact. */
static void check_signs(const triangle_case *truth, const grz_filter_signs *signs,
                        const graze_triangle_contact *expected, tally *t)
{
    grz_points points;
    grz_points_start(&points, NULL);
    for (int i = 0; i < 6; i++)
        grz_points_add(&points, truth->corners[i / 3][i % 3], truth->placed[i / 3] ? &truth->poses[i / 3] : NULL);
    int mirrored = truth->placed[0] ? graze_pose_handedness(&truth->poses[0]) : 1, sides[2][3];
    for (int i = 0; i < 6; i++)
    {
        int side = i < 3 ? signs->sides_a[i] : signs->sides_b[i - 3];
        sides[i / 3][i % 3] = side;
        if (side == GRZ_UNCERTAIN)
            continue;
        sides[i / 3][i % 3] = mirrored * side;
        assert_int_equal(mirrored * side, grz_orient3d(&points, i < 3 ? 3 : 0, i < 3 ? 4 : 1, i < 3 ? 5 : 2, i));
        t->sides++;
    }
    graze_triangle_contact contact = grz_triangle_triangle_from(&points, sides[0], sides[1]);
    assert_true(contact_equal(&contact, expected));
}

/* Compares with the exact contact of `truth`. */
static void check(const triangle_case *truth, grz_filter_verdict given, const grz_filter_signs *signs, const char *what,
                  tally *t)
{
    graze_placed_triangle a = case_triangle(truth, 0), b = case_triangle(truth, 1);
    graze_triangle_contact expected = graze_triangle_collide(&a, &b);
    t->asked++;
    t->met += expected.found;
    t->verdicts[given]++;
    if (given == GRZ_FILTER_UNCERTAIN)
        check_signs(truth, signs, &expected, t);
    if (given == GRZ_FILTER_UNCERTAIN || (given == GRZ_FILTER_DISJOINT && !expected.found) ||
        (given == GRZ_FILTER_CROSSING && contact_equal(&expected, &grz_crossing_contact)))
        return;
    case_print(truth);
    contact_print("expected", &expected);
    fail_msg("%s: verdict %d", what, (int)given);
}

/* Under the poses of the case, in an environment. */
static void ask(const triangle_case *pair, int environment, const char *what, tally *t)
{
    const graze_pose *pose_a = pair->placed[0] ? &pair->poses[0] : NULL;
    const graze_pose *pose_b = pair->placed[1] ? &pair->poses[1] : NULL;
    grz_relative_pose map, back;
    double error;
    grz_filter_verdict verdict = GRZ_FILTER_UNCERTAIN;
    grz_filter_signs signs;
    saved_environment saved;
    environment_enter(&saved, environment);
    bool usable = grz_relative_pose_make_both(pose_a, pose_b, &map, &back) && find_error(pair, &map, &error);
    if (usable)
        verdict = judge(pair, &map.pose, error, &signs);
    environment_leave(&saved);
    if (usable)
        check(pair, verdict, &signs, what, t);
}

static void verdicts_agree_with_exact_signs_on_every_generator(void **state)
{
    (void)state;
    test_random random = test_random_start("every generator", 31);
    tally t = {0};
    for (int environment = 0; environment < ENVIRONMENTS; environment++)
        for (size_t g = 0; g < generator_count; g++)
            for (int k = 0; k < CASES_PER_GENERATOR; k++)
            {
                triangle_case pair;
                memset(&pair, 0, sizeof pair);
                generators[g].make(&random, &pair);
                ask(&pair, environment, generators[g].name, &t);
            }
    printf("%d asked, %d meet: %d in doubt, %d apart, %d cross\n", t.asked, t.met, t.verdicts[GRZ_FILTER_UNCERTAIN],
           t.verdicts[GRZ_FILTER_DISJOINT], t.verdicts[GRZ_FILTER_CROSSING]);
    assert_true(t.asked > 80000 && t.met > 30000);
    assert_true(t.verdicts[GRZ_FILTER_DISJOINT] > 10000 && t.verdicts[GRZ_FILTER_CROSSING] > 5000 &&
                t.verdicts[GRZ_FILTER_UNCERTAIN] > 20000);
}

/* Anywhere, or with corners near those of a cube around the first one: then nearly equal products cancel, and roundings
   matter most. */
static void make_triangles(test_random *random, triangle_case *out)
{
    bool cubic = random_once_in(random, 2);
    memset(out, 0, sizeof *out);
    for (int i = 0; i < 18; i++)
    {
        double x = random_real(random, -1, 1);
        if (cubic)
            x = i % 9 < 3 ? x / 16 : copysign(1 - x * x / 16, x);
        out->corners[i / 9][i / 3 % 3][i % 3] = x;
    }
}

/* Moves B so that one sign becomes nearly zero: of a corner of one to the other's plane, or of two edges. */
static void bring_near(test_random *random, triangle_case *pair)
{
    int side = random_below(random, 2), i = random_below(random, 3), j = random_below(random, 3);
    bool edges = random_once_in(random, 2);
    double s = random_unit(random), r = random_unit(random) * (1 - s), shift[3];
    const double(*own)[3] = (const double(*)[3])pair->corners[side];
    const double(*other)[3] = (const double(*)[3])pair->corners[1 - side];
    for (int k = 0; k < 3; k++)
    {
        double on_other = edges ? other[j][k] + s * (other[(j + 1) % 3][k] - other[j][k])
                                : other[0][k] + s * (other[1][k] - other[0][k]) + r * (other[2][k] - other[0][k]);
        double on_own = edges ? own[i][k] + r * (own[(i + 1) % 3][k] - own[i][k]) : own[i][k];
        shift[k] = side == 1 ? on_other - on_own : on_own - on_other;
    }
    for (int c = 0; c < 9; c++)
        pair->corners[1][c / 3][c % 3] += shift[c % 3];
}

/* Moves the corners of B by up to `most` along each axis. */
static void scatter(test_random *random, triangle_case *pair, double most)
{
    for (int c = 0; c < 9; c++)
        pair->corners[1][c / 3][c % 3] += random_real(random, -most, most);
}

/* Moves them by that much along each axis, each on its own or all alike. */
static void push_off(test_random *random, triangle_case *pair, double by)
{
    bool alike = random_once_in(random, 2);
    double signs[3];
    for (int c = 0; c < 9; c++)
    {
        if (c < 3 || !alike)
            signs[c % 3] = random_once_in(random, 2) ? 1 : -1;
        pair->corners[1][c / 3][c % 3] += signs[c % 3] * by;
    }
}

/* Also with extreme aspect ratios, and at the far ends of the range. */
static void stretch(test_random *random, triangle_case *pair)
{
    for (int k = 0; k < 3; k++)
    {
        double factor = random_once_in(random, 2) ? 1 : ldexp(1, random_between(random, -12, 0));
        for (int c = 0; c < 6; c++)
            pair->corners[c / 3][c % 3][k] *= factor;
    }
    if (!random_once_in(random, 4))
        return;
    double factor = ldexp(1, random_between(random, -700, 298));
    for (int c = 0; c < 18; c++)
        pair->corners[c / 9][c / 3 % 3][c % 3] *= factor;
}

/* Without poses transformed corners are exact, and errors of signs come from the roundings of the determinants alone.
 */
static void pairs_that_nearly_touch_are_not_misjudged(void **state)
{
    (void)state;
    test_random random = test_random_start("nearly touching", 32);
    tally t = {0};
    const graze_pose identity = graze_pose_identity();
    for (int environment = 0; environment < ENVIRONMENTS; environment++)
        for (int k = 0; k < NEAR_CASES; k++)
        {
            triangle_case pair;
            make_triangles(&random, &pair);
            bring_near(&random, &pair);
            scatter(&random, &pair, ldexp(1, random_between(&random, -60, -38)));
            stretch(&random, &pair);
            saved_environment saved;
            environment_enter(&saved, environment);
            grz_filter_signs signs;
            grz_filter_verdict verdict = judge(&pair, &identity, 0x1p-700, &signs);
            environment_leave(&saved);
            check(&pair, verdict, &signs, "nearly touching", &t);
        }
    printf("%d meet: %d in doubt, %d apart, %d cross; %d sides told\n", t.met, t.verdicts[GRZ_FILTER_UNCERTAIN],
           t.verdicts[GRZ_FILTER_DISJOINT], t.verdicts[GRZ_FILTER_CROSSING], t.sides);
    assert_true(t.verdicts[GRZ_FILTER_UNCERTAIN] > t.asked / 3 && t.verdicts[GRZ_FILTER_DISJOINT] > t.asked / 1000 &&
                t.verdicts[GRZ_FILTER_CROSSING] > t.asked / 20);
}

/* Slivers that are coplanar but for roundings, whose first corners are close together and whose one edge is tiny: the
   other edge determines the error bound. */
static void slivers_in_one_plane_are_not_misjudged(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 3141);
    tally t = {0};
    for (int round = 0; round < 4000; round++)
    {
        triangle_case pair = {0};
        double axes[2][3];
        int tiny = random_between(&random, -40, -1), short_edge = random_below(&random, 2);
        for (int k = 0; k < 6; k++)
            axes[k / 3][k % 3] = random_real(&random, -1, 1);
        for (int i = 0; i < 6; i++)
        {
            double size = i % 3 == 0 || i % 3 == 1 + short_edge ? ldexp(1, tiny) : 1;
            double x = size * random_real(&random, -1, 1), y = size * random_real(&random, -1, 1);
            for (int k = 0; k < 3; k++)
                pair.corners[i / 3][i % 3][k] = x * axes[0][k] + y * axes[1][k];
        }
        ask(&pair, round % ENVIRONMENTS, "slivers", &t);
    }
    assert_true(t.asked > 2000);
}

/* The transformed corners have the largest allowed error on every axis; pairs are near, or not, by some of that. */
static void images_may_be_off_by_the_error_given(void **state)
{
    (void)state;
    test_random random = test_random_start("images off", 33);
    tally t = {0};
    const graze_pose identity = graze_pose_identity();
    for (int k = 0; k < ENVIRONMENTS * NEAR_CASES; k++)
    {
        triangle_case truth, seen;
        make_triangles(&random, &truth);
        bring_near(&random, &truth);
        double error = ldexp(1, random_between(&random, -40, -8));
        scatter(&random, &truth, ldexp(error, random_between(&random, -2, 12)));
        seen = truth;
        push_off(&random, &seen, error);
        /* The rounding of the sum is far less than a thousandth of it. */
        grz_filter_signs signs;
        grz_filter_verdict verdict = judge(&seen, &identity, error * 1.001, &signs);
        check(&truth, verdict, &signs, "images off", &t);
    }
    printf("%d meet: %d in doubt, %d apart, %d cross; %d sides told\n", t.met, t.verdicts[GRZ_FILTER_UNCERTAIN],
           t.verdicts[GRZ_FILTER_DISJOINT], t.verdicts[GRZ_FILTER_CROSSING], t.sides);
    assert_true(t.verdicts[GRZ_FILTER_UNCERTAIN] > t.asked / 10 && t.verdicts[GRZ_FILTER_DISJOINT] > t.asked / 50 &&
                t.verdicts[GRZ_FILTER_CROSSING] > t.asked / 50);
}

static void pairs_of_no_special_kind_are_decided(void **state)
{
    (void)state;
    test_random random = test_random_start("no special kind", 34);
    tally t = {0};
    for (int k = 0; k < CLEAR_CASES; k++)
    {
        triangle_case pair;
        make_triangles(&random, &pair);
        for (int side = 0; side < 2; side++)
        {
            pair.placed[side] = k % 3 != side;
            pair.poses[side] = random_rotation(&random);
            for (int axis = 0; axis < 3; axis++)
                pair.poses[side].m[4 * axis + 3] = 1000 + random_real(&random, -0.5, 0.5);
            for (int axis = 0; axis < 3 && k % 3 != 2; axis++)
                pair.poses[side].m[4 * axis + 3] -= 1000;
        }
        ask(&pair, k % ENVIRONMENTS, "no special kind", &t);
    }
    printf("%d asked: %d in doubt, %d apart, %d cross\n", t.asked, t.verdicts[GRZ_FILTER_UNCERTAIN],
           t.verdicts[GRZ_FILTER_DISJOINT], t.verdicts[GRZ_FILTER_CROSSING]);
    assert_int_equal(t.asked, CLEAR_CASES);
    assert_true(t.verdicts[GRZ_FILTER_UNCERTAIN] < CLEAR_CASES / 1000);
    assert_true(t.verdicts[GRZ_FILTER_DISJOINT] > CLEAR_CASES / 4 &&
                t.verdicts[GRZ_FILTER_CROSSING] > CLEAR_CASES / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_agree_with_exact_signs_on_every_generator),
        cmocka_unit_test(pairs_that_nearly_touch_are_not_misjudged),
        cmocka_unit_test(slivers_in_one_plane_are_not_misjudged),
        cmocka_unit_test(images_may_be_off_by_the_error_given),
        cmocka_unit_test(pairs_of_no_special_kind_are_decided),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
