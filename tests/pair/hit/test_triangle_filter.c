/* SPDX-License-Identifier: MIT */
/*
 * The double filter decides only what exact predicates decide the same way, in every rounding mode and with denormals
 * flushed: on pairs of every generator, on pairs that nearly touch, on the pairs with the largest rounding errors
 * known, and where the error of transformed corners is as large as allowed. It decides nearly all pairs in general
 * position.
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

/* A pair whose determinant of two edges, from an apex of A to a foot and from one of B, has the wrong sign by so many
   u M^3 in an environment and in that with denormals flushed. They were found by climbing: first where the roundings
   could add up to most, then among the last bits, by steps that keep the determinant zero but for roundings. These are
   the worst of 385 million steps. */
typedef struct worst_pair
{
    int environment;
    double least;
    int ends[4]; /* apex and foot of A, apex and foot of B */
    double corners[2][3][3];
} worst_pair;

static const worst_pair worst_pairs[] = {
    {0,
     90,
     {1, 2, 1, 2},
     {{{-0x1.69bcb4fb997e5p+1, 0x1.119a0550397b4p+3, -0x1.349b931b0ec0ap+2},
       {0x1.ed2e6465a1454p-9, 0x1.6c0979ad7b721p+3, -0x1.e9909f02f2b0bp+2},
       {-0x1.69ccf9b1aafd8p+2, 0x1.6e3aff35c2567p+2, -0x1.fddffca2df22ap+0}},
      {{-0x1.507638f4fe272p+2, 0x1.7184c37782361p+2, -0x1.31a1a96fb98e9p+1},
       {-0x1.02bf2309ef8f1p+3, 0x1.13566501a0da1p+3, 0x1.c505e257747e3p-2},
       {-0x1.36db71056d33ep+1, 0x1.78ea4f65e3266p+1, -0x1.4df27b5c04d31p+2}}}},
    {0,
     90,
     {1, 2, 1, 2},
     {{{-0x1.69359377abfedp-1, -0x1.c10bfdf831216p+0, 0x1.691fb8646d731p-1},
       {-0x1.0f2429f54d482p+0, -0x1.0dcaa872f5f74p+1, 0x1.0f18813a42828p+0},
       {-0x1.6867dec238167p-2, -0x1.668f28103029ap+0, 0x1.683f160b86efp-2}},
      {{-0x1.6a22fc999008dp-2, -0x1.0dc4ff3ca2e68p+1, 0x1.6a27d588bf2ddp-2},
       {0x1.44a5a716f4a36p-16, -0x1.3b13e8c93285ep+1, 0x1.68e9e16dbbfc4p-15},
       {-0x1.6a231d74e8e4bp-1, -0x1.c0ffaca60b34dp+0, 0x1.6a0d36b9834a1p-1}}}},
    {2,
     135,
     {2, 1, 1, 2},
     {{{0x1.6957c30b02289p-1, -0x1.ecbf736394e5p+3, -0x1.4df84b31af6a1p+0},
       {0x1.69c4b3df6bccap+0, -0x1.d61b153065a9ep+3, -0x1.31b96b2993cacp-1},
       {-0x1.b1c3caa741f0dp-11, -0x1.01b1e8cdd715ep+4, -0x1.01868ff3acc1cp+1}},
      {{0x1.4e0ea08d37c1fp+0, -0x1.d68215cf8e71ep+3, -0x1.6926362bee4cp-1},
       {0x1.019659b212e26p+1, -0x1.ed2064fe32f98p+3, 0x1.b7d94a19c0233p-10},
       {0x1.31e987cc3f54ep-1, -0x1.bfe600e1915e3p+3, -0x1.698ff8c404514p+0}}}},
    {2,
     135,
     {1, 2, 1, 2},
     {{{0x1.510a7dbb877d3p-1, 0x1.085f569e8f7e4p-3, -0x1.50eeef03ad8bcp-1},
       {0x1.032149809f44cp+0, 0x1.ee1d56a6dcc2ep-2, -0x1.02e8ace50093ep+0},
       {0x1.37a07e202cfe8p-2, -0x1.c987d9423362ap-3, -0x1.381486eb66ca6p-2}},
      {{0x1.6a6996f4a4f2cp-2, 0x1.e847a5cbfc31fp-2, -0x1.6a2bfab709e8cp-2},
       {0x1.67bd4a906c91ap-14, 0x1.a8e37a1a88c1cp-1, -0x1.2138c9cf7fde8p-13},
       {0x1.6a5bac8ecc047p-1, 0x1.f76bc64ee0a75p-4, -0x1.6a394192e62c7p-1}}}},
    {4,
     135,
     {1, 2, 1, 2},
     {{{-0x1.a1059380bced9p+3, 0x1.69b9658ba1571p-2, -0x1.68552302a0b82p-1},
       {-0x1.95b3a6f520432p+3, -0x1.73781745a30cp-17, -0x1.0eb99c502a9dcp+0},
       {-0x1.ac5692305edb3p+3, 0x1.69e392423a01fp-1, -0x1.66b2e9a59fb6cp-2}},
      {{-0x1.ac53f6a398329p+3, 0x1.68f4b6b684b34p-1, -0x1.68908efffeeb1p-2},
       {-0x1.a1023075137c5p+3, 0x1.0f0893fea2a0fp+0, 0x1.3ca7434311eb3p-10},
       {-0x1.b7a3bf72a002ap+3, 0x1.67aba55578eeep-2, -0x1.69315c3ea6c48p-1}}}},
    {4,
     132,
     {2, 1, 1, 2},
     {{{0x1.347ba119e0973p-1, 0x1.4b36c70050c4fp+0, -0x1.14d6ac14a05f7p+3},
       {0x1.4f33376c2dff3p+0, 0x1.2c37e0dd02c06p-1, -0x1.2b73c1db7a3f8p+3},
       {-0x1.aba678899941fp-4, 0x1.002a3865fcd4ep+1, -0x1.fc6efe9f44f2p+2}},
      {{0x1.308b0749b1fc4p+0, 0x1.69f06c38f72abp-1, -0x1.fc93b13b9bbbcp+2},
       {0x1.e5806fbccb5aap+0, -0x1.c7f5d902aad1p-12, -0x1.cf501188b5c4ep+2},
       {0x1.edb5ba3c2e867p-2, 0x1.6a0b2ce8bd6d4p+0, -0x1.14ed4ea19c7a3p+3}}}},
    {6,
     90,
     {2, 1, 1, 2},
     {{{0x1.6c19681050e81p+0, 0x1.987815ff24feep+1, -0x1.b985bff480dd2p-2},
       {0x1.6b49a68bdb672p+1, 0x1.26c00596e154fp+2, -0x1.d7b1f9f8c6b81p+0},
       {0x1.aa359dd96506ap-8, 0x1.c6883ab3f9763p+0, 0x1.f5c86610da548p-1}},
      {{0x1.5306647778964p+1, 0x1.c681a335d7853p+0, -0x1.a91cf85c56b06p+0},
       {0x1.04210a048c642p+2, 0x1.70236e679bf61p-2, -0x1.89c457bd31012p+1},
       {0x1.3c74f08e50206p+0, 0x1.9860c35543734p+1, -0x1.f657485731474p-3}}}},
    {6,
     88,
     {2, 1, 2, 1},
     {{{-0x1.e3f79166762e2p-2, -0x1.4895e1b16ac5cp-1, -0x1.4c089a3575ac9p-2},
       {-0x1.df376382cf85ap-4, -0x1.24c34a91100aep-2, -0x1.57c2d761cf1p-1},
       {-0x1.a847fde869f65p-1, -0x1.fe80e3e5c473ap-1, 0x1.fe1ff4eda5de9p-6}},
      {{-0x1.3811c913ab354p-3, -0x1.6966b244a25eap-2, -0x1.35c45597a316ep-1},
       {0x1.a01cfc4de8763p-3, -0x1.6ae91888fcaf1p-1, -0x1.fee0b7c057f8ep-3},
       {-0x1.043a9ff41a0bdp-1, 0x1.8037aca0a85d4p-9, -0x1.ebceb64b07de9p-1}}}},
};

/* As pair/hit/triangle_filter.c computes it. */
static double multiply_edges(const double a[3], const double b[3], const double p[3], const double q[3])
{
    double d[3], e[3], f[3];
    for (int k = 0; k < 3; k++)
    {
        d[k] = p[k] - a[k];
        e[k] = b[k] - a[k];
        f[k] = q[k] - p[k];
    }
    double x = e[1] * f[2] - e[2] * f[1], y = e[2] * f[0] - e[0] * f[2], z = e[0] * f[1] - e[1] * f[0];
    return d[0] * x + d[1] * y + d[2] * z;
}

static double (*volatile multiply_here)(const double a[3], const double b[3], const double p[3],
                                        const double q[3]) = multiply_edges;

/* By how many u M^3 the determinant has the wrong sign; negative where it has the right one. */
static double find_wrong(const triangle_case *pair, const int ends[4], int environment)
{
    saved_environment saved;
    environment_enter(&saved, environment);
    volatile double det = multiply_here(pair->corners[0][ends[0]], pair->corners[0][ends[1]], pair->corners[1][ends[2]],
                                        pair->corners[1][ends[3]]);
    environment_leave(&saved);
    double m = 0;
    for (int k = 0; k < 3; k++)
    {
        m = fmax(m, fabs(pair->corners[1][0][k] - pair->corners[0][0][k]));
        for (int i = 0; i < 4; i++)
            m = fmax(m, fabs(pair->corners[i / 2][1 + i % 2][k] - pair->corners[i / 2][0][k]));
    }
    grz_points points;
    grz_points_start(&points, NULL);
    for (int i = 0; i < 4; i++)
        grz_points_add(&points, pair->corners[i / 2][ends[i]], NULL);
    return -grz_orient3d(&points, 0, 1, 2, 3) * det / (GRZ_U * m * m * m);
}

/* Signs that are wrong by up to a fifth of the bound are not taken for certain. */
static void the_worst_pairs_known_stay_in_doubt(void **state)
{
    (void)state;
    tally t = {0};
    double largest[ROUNDING_MODES] = {0};
    const graze_pose identity = graze_pose_identity();
    for (size_t w = 0; w < sizeof worst_pairs / sizeof *worst_pairs; w++)
        for (int k = 0; k < 10; k++)
        {
            const worst_pair *worst = &worst_pairs[w];
            triangle_case pair = {0};
            int environment = worst->environment + k % 2;
            for (int i = 0; i < 18; i++)
                pair.corners[i / 9][i / 3 % 3][i % 3] =
                    ldexp(worst->corners[i / 9][i / 3 % 3][i % 3], 60 * (k / 2 - 2));
            double wrong = find_wrong(&pair, worst->ends, environment);
            assert_true(wrong > worst->least);
            largest[environment / 2] = fmax(largest[environment / 2], wrong);
            saved_environment saved;
            environment_enter(&saved, environment);
            grz_filter_signs doubt;
            grz_filter_verdict verdict = judge(&pair, &identity, 0x1p-700, &doubt);
            environment_leave(&saved);
            check(&pair, verdict, &doubt, "worst known", &t);
        }
    printf("%d asked, %d meet; wrong by %.1f u M^3 to nearest, %.1f upward, %.1f downward, %.1f toward zero\n", t.asked,
           t.met, largest[0], largest[1], largest[2], largest[3]);
    assert_true(t.verdicts[GRZ_FILTER_UNCERTAIN] == t.asked && t.met == t.asked / 2);
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
        cmocka_unit_test(the_worst_pairs_known_stay_in_doubt),
        cmocka_unit_test(images_may_be_off_by_the_error_given),
        cmocka_unit_test(pairs_of_no_special_kind_are_decided),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
