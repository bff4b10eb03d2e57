/* SPDX-License-Identifier: MIT */
/*
 * Contacts of many pairs in doubles: every compilation gives the same bits, and what is decided is what exact
 * predicates say. Inputs sit on the edges of what proves a zero: lattices that are just coarse enough, corners that are
 * equal or an ulp apart, translations whose sums are exact or just not, rests that are known or lost in their error.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "exact/contact.h"
#include "simd/kernels.h"
#include "support/contacts.h"
#include "support/generators.h"
#include "support/unit.h"

typedef struct batch
{
    triangle_case cases[GRZ_CONTACT_PAIRS];
    unsigned count;
    grz_contact_frame frame;
    grz_contacts found;
} batch;

static grz_contact_frame frame_at(double x, double y, double z)
{
    graze_pose pose = graze_pose_translation(x, y, z);
    grz_contact_frame frame = {.translates = true, .error = 0x1p-40};
    memcpy(frame.pose, pose.m, sizeof frame.pose);
    return frame;
}

/* Runs all compilations, and sees that they agree. */
static void run(batch *b)
{
    const double *corners[2][3][GRZ_CONTACT_PAIRS];
    grz_contact_pairs pairs;
    for (int c = 0; c < 3; c++)
    {
        pairs.a[c] = corners[0][c];
        pairs.b[c] = corners[1][c];
    }
    for (unsigned i = 0; i < b->count || i % GRZ_LANES != 0; i++)
        for (int c = 0; c < 3; c++)
        {
            const triangle_case *given = &b->cases[i < b->count ? i : b->count - 1];
            corners[0][c][i] = given->corners[0][c];
            corners[1][c][i] = given->corners[1][c];
        }
    memset(&b->found, 0, sizeof b->found);
    grz_kernels_for(GRAZE_INSTRUCTIONS_SCALAR)->contacts(&pairs, b->count, &b->frame, &b->found);
    for (int choice = GRAZE_INSTRUCTIONS_SCALAR; choice < GRAZE_INSTRUCTIONS_COUNT; choice++)
    {
        grz_contacts again;
        memset(&again, 0, sizeof again);
        grz_kernels_for((graze_instructions)choice)->contacts(&pairs, b->count, &b->frame, &again);
        assert_memory_equal(&again, &b->found, sizeof again);
    }
}

static graze_triangle_contact contact_at(const batch *b, unsigned i)
{
    unsigned code = 0;
    for (unsigned k = 0; k < 8; k++)
        code |= (b->found.facts[k] >> i & 1) << k;
    return code == 0 ? (graze_triangle_contact){0} : grz_contact_from_code((uint8_t)code);
}

typedef struct tally
{
    int decided, undecided, found, coplanar;
} tally;

/* Compares with the exact contact of A and B, B moved by `pose`. */
static void check(const batch *b, const graze_pose *pose, tally *count)
{
    for (unsigned i = 0; i < b->count; i++)
    {
        const triangle_case *c = &b->cases[i];
        graze_placed_triangle first = {{c->corners[0][0], c->corners[0][1], c->corners[0][2]}, NULL};
        graze_placed_triangle second = {{c->corners[1][0], c->corners[1][1], c->corners[1][2]}, pose};
        graze_triangle_contact expected = graze_triangle_collide(&first, &second), given = contact_at(b, i);
        if ((b->found.decided >> i & 1) == 0)
        {
            count->undecided++;
            continue;
        }
        if (!contact_equal(&given, &expected))
        {
            case_print(c);
            contact_print("given   ", &given);
            contact_print("expected", &expected);
            fail_msg("the answer is wrong");
        }
        count->decided++;
        count->found += expected.found;
        count->coplanar += expected.coplanar;
    }
}

static void every_generator_without_poses_agrees_with_exact_contacts(void **state)
{
    (void)state;
    test_random random = test_random_start("every_generator_without_poses_agrees_with_exact_contacts", 311);
    tally all = {0};
    for (size_t g = 0; g < generator_count; g++)
    {
        tally count = {0};
        for (int round = 0; round < 60; round++)
        {
            batch b = {.count = 1 + (unsigned)random_below(&random, GRZ_CONTACT_PAIRS), .frame = frame_at(0, 0, 0)};
            for (unsigned i = 0; i < b.count; i++)
                generators[g].make(&random, &b.cases[i]);
            bool moderate = true;
            for (unsigned i = 0; i < b.count; i++)
                for (int k = 0; k < 18; k++)
                    moderate = moderate && fabs(b.cases[i].corners[k / 9][k / 3 % 3][k % 3]) <= 0x1p300;
            if (!moderate)
                continue;
            run(&b);
            check(&b, NULL, &count);
        }
        all.decided += count.decided;
        all.undecided += count.undecided;
        all.found += count.found;
        all.coplanar += count.coplanar;
    }
    printf("%d decided, %d not, %d found, %d coplanar\n", all.decided, all.undecided, all.found, all.coplanar);
    assert_true(all.decided > 10000 && all.undecided > 1000 && all.found > 3000 && all.coplanar > 300);
}

/* Both triangles in one plane that is not parallel to an axis, on integers of up to `size`. */
static void make_tilted(test_random *random, int size, triangle_case *out)
{
    int u[3], v[3], most = size / 8;
    for (int k = 0; k < 3; k++)
    {
        u[k] = random_between(random, 1, most);
        v[k] = random_between(random, 1, most);
    }
    for (int t = 0; t < 6; t++)
    {
        int i = random_between(random, 0, 3), j = random_between(random, 0, 3);
        for (int k = 0; k < 3; k++)
            out->corners[t / 3][t % 3][k] = i * u[k] + j * v[k];
    }
}

/* Both triangles in one plane or with a common edge, on integers of up to `size`; not degenerate. */
static void make_flush(test_random *random, int size, triangle_case *out)
{
    int normal = random_below(random, 3), kind = random_below(random, 3);
    for (int t = 0; t < 2; t++)
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++)
                out->corners[t][c][k] = k == normal && kind > 0 ? 3 : random_between(random, 0, size);
    out->corners[0][0][(normal + 1) % 3] = 0; /* so that the extent is just the size */
    out->corners[1][0][(normal + 1) % 3] = size;
    if (kind == 2)
        out->corners[1][1][normal] = random_between(random, 0, size);
}

static void lattices_decide_just_as_far_as_products_are_exact(void **state)
{
    (void)state;
    test_random random = test_random_start("lattices_decide_just_as_far_as_products_are_exact", 312);
    static const int sizes[] = {4, 1000, 65535, 65536, 131071, 1 << 20, 1 << 30};
    static const int powers[] = {0, -20, 40, -200};
    int open[7] = {0}, tilted[7] = {0};
    for (int round = 0; round < 1200; round++)
    {
        int which = round % 7;
        double unit = ldexp(1, powers[round / 7 % 4]), far = round % 3 == 0 ? ldexp(unit, 30) : 0;
        batch b = {.count = GRZ_CONTACT_PAIRS, .frame = frame_at(0, 0, 0)};
        for (unsigned i = 0; i < b.count; i++)
        {
            if (round % 2 == 0 && which > 0)
                make_tilted(&random, sizes[which], &b.cases[i]);
            else
                make_flush(&random, sizes[which], &b.cases[i]);
            for (int k = 0; k < 18; k++)
            {
                double *x = &b.cases[i].corners[k / 9][k / 3 % 3][k % 3];
                *x = *x * unit + far;
            }
        }
        tally count = {0};
        run(&b);
        check(&b, NULL, &count);
        if (round % 2 == 0 && which > 0)
            tilted[which] += count.decided;
        else
            open[which] += count.undecided;
    }
    printf("open: %d %d %d %d %d %d %d\n", open[0], open[1], open[2], open[3], open[4], open[5], open[6]);
    assert_true(open[1] == 0 && open[2] == 0); /* of 1,000 and of 2^16 - 1 units none; small ones may be degenerate */
    assert_true(open[5] > 500 && open[6] > 500);
    assert_true(tilted[1] > 1000 && tilted[2] > 1000 && tilted[6] < tilted[2]); /* the rest is degenerate */
}

/* The largest extent of all corners of a batch on an axis, B's moved by t. */
static double extent_of(const batch *b, const double t[3])
{
    double largest = 0;
    for (int k = 0; k < 3; k++)
    {
        double lower = INFINITY, upper = -INFINITY;
        for (unsigned i = 0; i < b->count; i++)
            for (int c = 0; c < 6; c++)
            {
                double x = b->cases[i].corners[c / 3][c % 3][k] + (c / 3 == 1 ? t[k] : 0);
                lower = fmin(lower, x);
                upper = fmax(upper, x);
            }
        largest = fmax(largest, upper - lower);
    }
    return largest;
}

/* With a lattice of all pairs, which is not tested for each, the same pairs are decided in the same way; coordinates of
   A and B and the translation have up to 50 bits, extents up to 2^16 - 1 units. */
static void a_common_lattice_decides_as_each_of_its_pairs_does(void **state)
{
    (void)state;
    test_random random = test_random_start("a_common_lattice_decides_as_each_of_its_pairs_does", 318);
    static const int sizes[] = {1, 4, 100, 5000, 65535};
    static const int powers[] = {0, -10, -250, 80};
    tally all = {0};
    int fewer = 0, far_ones = 0, full = 0;
    for (int round = 0; round < 1200; round++)
    {
        int size = sizes[round % 5];
        double unit = ldexp(1, powers[round / 5 % 4]), t[3], far = round % 3 == 0 ? ldexp(unit, 49) : 0;
        for (int k = 0; k < 3; k++)
            t[k] = round % 2 == 0 ? 0 : unit * random_between(&random, -size, size);
        batch b = {.count = 1 + (unsigned)random_below(&random, GRZ_CONTACT_PAIRS),
                   .frame = frame_at(t[0], t[1], t[2])};
        for (unsigned i = 0; i < b.count; i++)
        {
            if (round % 7 < 2 && size > 8)
                make_tilted(&random, size, &b.cases[i]);
            else
                make_flush(&random, size, &b.cases[i]);
            for (int k = 0; k < 18; k++)
            {
                double *x = &b.cases[i].corners[k / 9][k / 3 % 3][k % 3];
                *x = *x * unit + far - (k / 9 == 1 ? t[k % 3] : 0);
            }
        }
        run(&b);
        batch common = b;
        common.frame.lattice = extent_of(&b, t);
        assert_true(common.frame.lattice < 0x1p16 * unit);
        run(&common);
        graze_pose pose = graze_pose_translation(t[0], t[1], t[2]);
        check(&common, &pose, &all);
        assert_true((b.found.decided & ~common.found.decided) == 0); /* of all pairs, more are on a lattice */
        fewer += b.found.decided != common.found.decided;
        far_ones += far > 0;
        full += common.frame.lattice == 65535 * unit;
    }
    printf("%d decided, %d not, %d found, %d coplanar; %d batches with fewer decided each for itself, %d full\n",
           all.decided, all.undecided, all.found, all.coplanar, fewer, full);
    assert_true(all.decided > 30000 && all.found > 10000 && all.coplanar > 3000 && far_ones > 300 && full > 100);
}

/* A corner beside the other's plane by a power of two that is far below the lattice of the rest: it is rounded to 0
   there, and sums with it are rounded to the plane. */
static void a_power_of_two_may_be_off_the_lattice(void **state)
{
    (void)state;
    test_random random = test_random_start("a_power_of_two_may_be_off_the_lattice", 319);
    tally count = {0};
    for (int round = 0; round < 200; round++)
    {
        batch b = {.count = GRZ_CONTACT_PAIRS, .frame = frame_at(0, 0, 0)};
        for (unsigned i = 0; i < b.count; i++)
        {
            triangle_case *c = &b.cases[i];
            int side = random_below(&random, 2), axis = random_below(&random, 3);
            double tiny = ldexp(random_once_in(&random, 2) ? 1 : -1, -random_between(&random, 40, 90));
            for (int k = 0; k < 9; k++)
            {
                c->corners[side][k / 3][k % 3] = k / 3 == k % 3;
                c->corners[1 - side][k / 3][k % 3] = k < 3 ? 0.5 : random_between(&random, 1, 3);
            }
            c->corners[1 - side][0][axis] = tiny;
        }
        run(&b);
        check(&b, NULL, &count);
    }
    printf("%d decided, %d not\n", count.decided, count.undecided);
    assert_true(count.undecided > 10000);
}

/* Coordinates with all bits: zeros come from equal corners only. */
static void equal_corners_prove_zeros_and_others_do_not(void **state)
{
    (void)state;
    test_random random = test_random_start("equal_corners_prove_zeros_and_others_do_not", 313);
    tally equal = {0}, nearly = {0};
    for (int round = 0; round < 1000; round++)
    {
        batch b = {.count = GRZ_CONTACT_PAIRS, .frame = frame_at(0, 0, 0)};
        for (unsigned i = 0; i < b.count; i++)
        {
            triangle_case *c = &b.cases[i];
            int shared = 1 + random_below(&random, 3), turn = random_below(&random, 3);
            for (int k = 0; k < 18; k++)
                c->corners[k / 9][k / 3 % 3][k % 3] = random_real(&random, -1, 1);
            for (int k = 0; k < shared; k++)
                memcpy(c->corners[1][(k + turn) % 3], c->corners[0][k], sizeof c->corners[0][k]);
            for (int k = 0; shared == 3 && i % 4 == 0 && k < 3;
                 k++) /* flat up to rounding: the area is none, or noise */
                c->corners[1][turn][k] = c->corners[0][0][k] =
                    c->corners[0][1][k] + 0.3 * (c->corners[0][2][k] - c->corners[0][1][k]);
            if (round % 2 == 1)
            {
                double *x = &c->corners[1][turn][random_below(&random, 3)];
                *x = one_ulp(&random, *x);
            }
        }
        run(&b);
        check(&b, NULL, round % 2 == 1 ? &nearly : &equal);
    }
    printf("equal: %d decided, %d not; nearly: %d, %d\n", equal.decided, equal.undecided, nearly.decided,
           nearly.undecided);
    assert_true(equal.decided > 12000 && equal.undecided > 300 && equal.coplanar > 3000);
    assert_true(nearly.undecided > 5000);
}

/* Needles whose first corner alone is far away: products are not exact, as they would be for the other corners. Other
   corners lie in their plane, or one unit beside it. */
static void a_far_first_corner_counts_for_the_extent(void **state)
{
    (void)state;
    test_random random = test_random_start("a_far_first_corner_counts_for_the_extent", 317);
    tally count = {0};
    for (int round = 0; round < 600; round++)
    {
        batch b = {.count = GRZ_CONTACT_PAIRS, .frame = frame_at(0, 0, 0)};
        for (unsigned i = 0; i < b.count; i++)
        {
            triangle_case *c = &b.cases[i];
            int side = random_below(&random, 2), far = random_between(&random, 18, 34);
            make_tilted(&random, 1 << 13, c);
            for (int k = 0; k < 3; k++) /* along the needle's first edge */
                c->corners[side][0][k] += ldexp(c->corners[side][1][k] - c->corners[side][2][k], far);
            c->corners[1 - side][random_below(&random, 3)][random_below(&random, 3)] += random_between(&random, -1, 1);
        }
        run(&b);
        check(&b, NULL, &count);
    }
    printf("%d decided, %d not, %d found\n", count.decided, count.undecided, count.found);
    assert_true(count.undecided > 2000 && count.decided > 500);
}

/* Integers moved by a translation of few bits, or one that makes sums round. */
static void translations_are_exact_where_their_sums_are(void **state)
{
    (void)state;
    test_random random = test_random_start("translations_are_exact_where_their_sums_are", 314);
    tally exact = {0}, rounded = {0};
    for (int round = 0; round < 1000; round++)
    {
        double t[3], fine = round % 2 == 1 ? 0x1p-52 : 0;
        for (int k = 0; k < 3; k++)
            t[k] = 1000 * random_between(&random, -9, 9);
        if (fine > 0)
            for (int k = 0; k < 3; k++)
                t[k] = random_between(&random, -1, 1) * fine; /* 8 + t is a double, 16 + t is none */
        batch b = {.count = GRZ_CONTACT_PAIRS, .frame = frame_at(t[0], t[1], t[2])};
        graze_pose pose = graze_pose_translation(t[0], t[1], t[2]);
        for (unsigned i = 0; i < b.count; i++)
        {
            make_any_contact(&random, &b.cases[i]);
            for (int k = 0; k < 9; k++)
                b.cases[i].corners[1][k / 3][k % 3] += fine > 0 ? 16 : -t[k % 3];
            for (int k = 0; k < 9 && fine > 0; k++)
                b.cases[i].corners[0][k / 3][k % 3] += 16;
        }
        run(&b);
        check(&b, &pose, fine > 0 ? &rounded : &exact);
    }
    printf("exact: %d decided, %d not; rounded: %d, %d\n", exact.decided, exact.undecided, rounded.decided,
           rounded.undecided);
    assert_true(exact.decided > 10000 && exact.found > 5000 && rounded.undecided > 2000 && rounded.decided > 1000);
}

/* Integers moved by a rest, which is known exactly, or up to an error that may hide it. */
static void the_rest_of_a_translation_decides_zeros(void **state)
{
    (void)state;
    test_random random = test_random_start("the_rest_of_a_translation_decides_zeros", 315);
    tally known = {0}, hidden = {0};
    for (int round = 0; round < 1200; round++)
    {
        batch b = {.count = GRZ_CONTACT_PAIRS, .frame = frame_at(0, 0, 0)};
        double r[3], largest = 0;
        for (int k = 0; k < 3; k++)
        {
            r[k] = random_between(&random, -3, 3) * ldexp(1 + 0.25 * random_below(&random, 4), -44 + round % 40);
            largest = fmax(largest, fabs(r[k]));
        }
        if (largest == 0)
            continue;
        bool hides = round % 3 == 0;
        memcpy(b.frame.rest, r, sizeof r);
        b.frame.rest_error = hides ? largest / 2 : 0;
        for (int k = 0; k < 3 && hides; k++)
            b.frame.rest[k] += random_between(&random, -1, 1) * largest / 2;
        b.frame.rest_size = 1.6 * largest;
        graze_pose pose = graze_pose_translation(r[0], r[1], r[2]);
        for (unsigned i = 0; i < b.count; i++)
            make_any_contact(&random, &b.cases[i]);
        run(&b);
        check(&b, &pose, hides ? &hidden : &known);
    }
    printf("known: %d decided, %d not; hidden: %d, %d\n", known.decided, known.undecided, hidden.decided,
           hidden.undecided);
    assert_true(known.decided > 15000 && known.found > 2000 && hidden.undecided > 500 && hidden.decided > 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_generator_without_poses_agrees_with_exact_contacts),
        cmocka_unit_test(lattices_decide_just_as_far_as_products_are_exact),
        cmocka_unit_test(a_common_lattice_decides_as_each_of_its_pairs_does),
        cmocka_unit_test(a_power_of_two_may_be_off_the_lattice),
        cmocka_unit_test(equal_corners_prove_zeros_and_others_do_not),
        cmocka_unit_test(a_far_first_corner_counts_for_the_extent),
        cmocka_unit_test(translations_are_exact_where_their_sums_are),
        cmocka_unit_test(the_rest_of_a_translation_decides_zeros),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
