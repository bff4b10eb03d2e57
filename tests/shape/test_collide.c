/* SPDX-License-Identifier: MIT */
/*
 * Queries of any two kinds of shapes against the rational oracle: all entries of the table of kinds, on inputs that
 * touch, are an ulp apart or inside each other. Collision, tolerance, distance; swapped arguments.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graze/shape_query.h"
#include "shape/placed.h"
#include "support/environment.h"
#include "support/lattice.h"
#include "support/oracle_shapes.h"
#include "support/random_shapes.h"
#include "support/unit.h"

enum
{
    ROUNDS = 40, /* of all pairs of kinds */
    MOST_LEAVES = 3
};

static const double tolerances[] = {0, 1, 2, 0.5, 5, 0.1, 0x1.fffffffffffffp0, 0x1p-60};

/* What is true of two leaves: the order of their distance and a tolerance, where that is known. */
typedef struct truth
{
    bool known;
    int order; /* -1: nearer, 0, 1: farther */
} truth;

typedef struct counters
{
    int yes, no, touching, unknown, bounded, nested, pairs;
    graze_shape_cache cache;
} counters;

static bool is_core(const graze_placed *p)
{
    return graze_shape_mesh(p->shape) != NULL;
}

static bool is_half_space(const graze_placed *p)
{
    return graze_shape_get_kind(p->shape) == GRAZE_SHAPE_HALF_SPACE;
}

/* Two leaves; the distance of two cores is computed once. */
typedef struct leaf_pair
{
    const graze_placed *a, *b;
    bool of_cores;
    core_distance distance;
} leaf_pair;

static truth compare(const leaf_pair *pair, double tolerance)
{
    const graze_placed *a = pair->a, *b = pair->b;
    const double terms[3] = {graze_shape_radius(a->shape), graze_shape_radius(b->shape), tolerance};
    if (is_half_space(a) && is_half_space(b))
        return (truth){true, oracle_compare_half_spaces(a, b, tolerance)};
    if (is_half_space(a) || is_half_space(b))
    {
        const graze_placed *other = is_half_space(a) ? b : a;
        if (!is_core(other) && tolerance > 0)
            return (truth){false, 0};
        return (truth){true, oracle_compare_height(other, is_half_space(a) ? a : b, tolerance)};
    }
    if (!pair->of_cores)
        return (truth){false, 0};
    truth t = {true, oracle_compare_core_distance(&pair->distance, terms, 3)};
    if (!pair->distance.empty && pair->distance.nested)
        t.order = -1;
    return t;
}

static void print_placed(const graze_placed *p)
{
    const graze_mesh *mesh = graze_shape_mesh(p->shape);
    double numbers[4] = {0};
    graze_shape_numbers(p->shape, numbers, 4);
    printf("%s, solid %d, radius %a, numbers %a %a %a %a, pose", graze_shape_kind_name(graze_shape_get_kind(p->shape)),
           graze_shape_is_solid(p->shape), graze_shape_radius(p->shape), numbers[0], numbers[1], numbers[2],
           numbers[3]);
    for (int k = 0; k < 12; k++)
        printf(" %a", p->pose.m[k]);
    printf("\n");
    for (size_t i = 0; i < 3 * graze_mesh_triangle_count(mesh); i++)
    {
        const double *v = graze_mesh_vertices(mesh) + 3 * (size_t)graze_mesh_triangles(mesh)[i];
        printf("  (%g, %g, %g)%s", v[0], v[1], v[2], i % 3 == 2 ? "\n" : "");
    }
}

/* A verdict against the truth of touching things. */
static void check_verdict(const graze_placed *a, const graze_placed *b, graze_verdict verdict, truth t, bool strict)
{
    if (!t.known)
        return;
    bool within = strict ? t.order < 0 : t.order <= 0;
    if (verdict == (within ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO))
        return;
    print_placed(a);
    print_placed(b);
    fail_msg("verdict %d, strict %d, order %d", (int)verdict, strict, t.order);
}

static bool same_hits(const graze_shape_hit *x, const graze_shape_hit *y)
{
    return x->part_a == y->part_b && x->part_b == y->part_a && x->triangle_a == y->triangle_b &&
           x->triangle_b == y->triangle_a && x->face_a == y->face_b && x->face_b == y->face_a &&
           x->has_point == y->has_point && memcmp(x->point, y->point, sizeof x->point) == 0;
}

/* The same with a cache, which still holds what it learned of other shapes. */
static void check_cached(const graze_placed *a, const graze_placed *b, graze_verdict verdict, counters *c)
{
    graze_shape_options options = graze_shape_options_default();
    graze_verdict cached;
    options.cache = &c->cache;
    for (int i = 0; i < 2; i++)
    {
        assert_int_equal(graze_shape_pair_any(NULL, a, b, &options, &cached, NULL), GRAZE_STATUS_OK);
        assert_int_equal(cached, verdict);
    }
}

static void check_collision(const graze_placed *a, const graze_placed *b, truth t, counters *c)
{
    graze_verdict verdict, swapped;
    graze_shape_hit hit, other;
    assert_int_equal(graze_shape_pair_any(NULL, a, b, NULL, &verdict, &hit), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_pair_any(NULL, b, a, NULL, &swapped, &other), GRAZE_STATUS_OK);
    check_verdict(a, b, verdict, t, false);
    assert_int_equal(verdict, swapped);
    if (verdict == GRAZE_VERDICT_YES && !same_hits(&hit, &other))
        fail_msg("swapped arguments give another hit");
    check_cached(a, b, verdict, c);
    c->yes += verdict == GRAZE_VERDICT_YES;
    c->no += verdict == GRAZE_VERDICT_NO;
    c->unknown += verdict == GRAZE_VERDICT_UNKNOWN;
    c->touching += t.known && t.order == 0;
}

static void check_tolerance(const graze_placed *a, const graze_placed *b, double tolerance, truth t)
{
    for (int strict = 0; strict < 2; strict++)
    {
        graze_verdict verdict, swapped;
        graze_shape_tolerance_options options = graze_shape_tolerance_options_default();
        options.strict = strict != 0;
        assert_int_equal(graze_shape_pair_tolerance_any(NULL, a, b, tolerance, &options, &verdict, NULL),
                         GRAZE_STATUS_OK);
        assert_int_equal(graze_shape_pair_tolerance_any(NULL, b, a, tolerance, &options, &swapped, NULL),
                         GRAZE_STATUS_OK);
        assert_int_equal(verdict, swapped);
        if (strict && tolerance == 0)
            assert_int_equal(verdict, GRAZE_VERDICT_NO);
        else
            check_verdict(a, b, verdict, t, strict);
    }
}

static void check_distance(const leaf_pair *pair, counters *c)
{
    const graze_placed *a = pair->a, *b = pair->b;
    graze_shape_distance d, other;
    assert_int_equal(graze_shape_pair_distance(NULL, a, b, NULL, &d), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_pair_distance(NULL, b, a, NULL, &other), GRAZE_STATUS_OK);
    assert_true(d.found == other.found && d.distance == other.distance && d.lower == other.lower &&
                d.upper == other.upper);
    assert_true(memcmp(d.point_a, other.point_b, sizeof d.point_a) == 0 &&
                memcmp(d.point_b, other.point_a, sizeof d.point_a) == 0);
    truth t = compare(pair, 0);
    if (!t.known || !d.found)
        return;
    assert_true((d.distance == 0) == (t.order <= 0));
    assert_true(d.lower <= d.distance && d.distance <= d.upper);
    if (t.order <= 0)
        return;
    if (d.lower > 0 && compare(pair, d.lower).known)
        assert_true(compare(pair, d.lower).order >= 0);
    if (compare(pair, d.upper).known)
        assert_true(compare(pair, d.upper).order <= 0);
    if (d.upper - d.lower > 1e-9)
        fail_msg("kinds %d, %d: distance in [%a, %a]", (int)graze_shape_get_kind(a->shape),
                 (int)graze_shape_get_kind(b->shape), d.lower, d.upper);
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += (d.point_a[k] - d.point_b[k]) * (d.point_a[k] - d.point_b[k]);
    if (!(is_half_space(a) && is_half_space(b)))
        assert_true(fabs(sqrt(sum) - d.distance) <= 1e-8);
    c->bounded++;
}

static void check_leaves(oracle *judge, test_random *random, const graze_placed *a, const graze_placed *b, counters *c)
{
    double tolerance = tolerances[random_below(random, 8)];
    leaf_pair pair = {.a = a, .b = b, .of_cores = is_core(a) && is_core(b)};
    core_distance_init(&pair.distance);
    if (pair.of_cores)
    {
        oracle_cores(judge, random, a, b, &pair.distance);
        c->nested += !pair.distance.empty && pair.distance.nested;
    }
    check_collision(a, b, compare(&pair, 0), c);
    check_tolerance(a, b, tolerance, compare(&pair, tolerance));
    if (random_once_in(random, 4))
        check_distance(&pair, c);
    core_distance_clear(&pair.distance);
}

/* A compound collides where a leaf of it does. */
static size_t list_leaves(const graze_placed *placed, graze_placed leaves[MOST_LEAVES])
{
    size_t count = graze_shape_part_count(placed->shape);
    if (count == 0)
    {
        leaves[0] = *placed;
        return 1;
    }
    for (size_t i = 0; i < count; i++)
        assert_int_equal(grz_placed_part(placed, i, &leaves[i]), GRAZE_STATUS_OK);
    return count;
}

static void check_compounds(const graze_placed *a, const graze_placed *b, double tolerance)
{
    graze_placed leaves_a[MOST_LEAVES], leaves_b[MOST_LEAVES];
    size_t count_a = list_leaves(a, leaves_a), count_b = list_leaves(b, leaves_b);
    graze_verdict verdict, swapped, expected = GRAZE_VERDICT_NO, found;
    graze_shape_hit hit, other;
    double least = INFINITY;
    for (size_t i = 0; i < count_a; i++)
        for (size_t j = 0; j < count_b; j++)
        {
            graze_shape_distance d;
            assert_int_equal(
                graze_shape_pair_tolerance_any(NULL, &leaves_a[i], &leaves_b[j], tolerance, NULL, &found, NULL),
                GRAZE_STATUS_OK);
            assert_int_equal(graze_shape_pair_distance(NULL, &leaves_a[i], &leaves_b[j], NULL, &d), GRAZE_STATUS_OK);
            least = d.found ? fmin(least, d.distance) : least;
            if (found == GRAZE_VERDICT_YES || (found == GRAZE_VERDICT_UNKNOWN && expected == GRAZE_VERDICT_NO))
                expected = found;
        }
    assert_int_equal(graze_shape_pair_tolerance_any(NULL, a, b, tolerance, NULL, &verdict, &hit), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_pair_tolerance_any(NULL, b, a, tolerance, NULL, &swapped, &other), GRAZE_STATUS_OK);
    assert_int_equal(verdict, expected);
    assert_int_equal(swapped, expected);
    if (verdict == GRAZE_VERDICT_YES)
    {
        assert_true(same_hits(&hit, &other));
        assert_true(hit.part_a < count_a && hit.part_b < count_b);
        assert_int_equal(graze_shape_pair_tolerance_any(NULL, &leaves_a[hit.part_a], &leaves_b[hit.part_b], tolerance,
                                                        NULL, &found, NULL),
                         GRAZE_STATUS_OK);
        assert_int_equal(found, GRAZE_VERDICT_YES);
    }
    graze_shape_distance d;
    assert_int_equal(graze_shape_pair_distance(NULL, a, b, NULL, &d), GRAZE_STATUS_OK);
    assert_true(d.found ? d.distance <= least * (1 + 1e-9) + 1e-9 && d.distance >= least * (1 - 1e-9) - 1e-9
                        : !(least < INFINITY));
}

/* A curved body lies between two polytopes: what meets the inner one meets it, what misses the outer one misses it. */
static void check_curved(const random_shape *x, const graze_placed *a, const random_shape *y, const graze_placed *b,
                         counters *c)
{
    graze_placed inner_a = *a, outer_a = *a, inner_b = *b, outer_b = *b;
    graze_verdict verdict, inner, outer;
    if (x->inside != NULL)
    {
        inner_a.shape = x->inside;
        outer_a.shape = x->around;
    }
    if (y->inside != NULL)
    {
        inner_b.shape = y->inside;
        outer_b.shape = y->around;
    }
    assert_int_equal(graze_shape_pair_any(NULL, a, b, NULL, &verdict, NULL), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_pair_any(NULL, &inner_a, &inner_b, NULL, &inner, NULL), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_pair_any(NULL, &outer_a, &outer_b, NULL, &outer, NULL), GRAZE_STATUS_OK);
    if ((inner == GRAZE_VERDICT_YES && verdict == GRAZE_VERDICT_NO) ||
        (outer == GRAZE_VERDICT_NO && verdict == GRAZE_VERDICT_YES))
        fail_msg("kinds %d, %d: verdict %d, inner %d, outer %d", (int)graze_shape_get_kind(a->shape),
                 (int)graze_shape_get_kind(b->shape), (int)verdict, (int)inner, (int)outer);
    graze_shape_distance d;
    assert_int_equal(graze_shape_pair_distance(NULL, a, b, NULL, &d), GRAZE_STATUS_OK);
    if (d.found)
        assert_true(verdict == GRAZE_VERDICT_YES ? d.upper == 0 : verdict == GRAZE_VERDICT_UNKNOWN || d.distance > 0);
    c->bounded++;
}

static void test_pair(oracle *judge, test_random *random, graze_shape_kind kind_a, graze_shape_kind kind_b, counters *c)
{
    random_shape x, y;
    random_shape_make(random, kind_a, &x);
    random_shape_make(random, kind_b, &y);
    graze_placed a = {x.shape, random_pose_for(random, x.shape)}, b = {y.shape, random_pose_for(random, y.shape)};
    bool compound = kind_a == GRAZE_SHAPE_COMPOUND || kind_b == GRAZE_SHAPE_COMPOUND;
    if (random_once_in(random, 3)) /* as neighbours have it */
        memcpy(b.pose.m, a.pose.m, sizeof b.pose.m);
    if (graze_placed_check(&a) == GRAZE_STATUS_OK && graze_placed_check(&b) == GRAZE_STATUS_OK)
    {
        c->pairs++;
        if (compound)
            check_compounds(&a, &b, tolerances[random_below(random, 8)]);
        else
            check_leaves(judge, random, &a, &b, c);
        if (x.inside != NULL || y.inside != NULL)
            check_curved(&x, &a, &y, &b, c);
    }
    random_shape_clear(&x);
    random_shape_clear(&y);
}

static void every_two_kinds_agree_with_rationals(void **state)
{
    (void)state;
    test_random random = test_random_start("pairs of shapes", 18);
    oracle *judge = oracle_create();
    counters all = {0};
    for (int kind_a = 0; kind_a < GRAZE_SHAPE_KIND_COUNT; kind_a++)
        for (int kind_b = 0; kind_b < GRAZE_SHAPE_KIND_COUNT; kind_b++)
        {
            counters c = {.cache = graze_shape_cache_default()};
            for (int round = 0; round < TEST_ROUNDS(ROUNDS); round++)
                test_pair(judge, &random, (graze_shape_kind)kind_a, (graze_shape_kind)kind_b, &c);
            assert_true(c.pairs > TEST_ROUNDS(ROUNDS) / 2);
            all.pairs += c.pairs;
            all.yes += c.yes;
            all.no += c.no;
            all.touching += c.touching;
            all.unknown += c.unknown;
            all.bounded += c.bounded;
            all.nested += c.nested;
        }
    printf("%d pairs: %d collide, %d are apart, %d touch, %d unknown; %d nested, %d distances\n", all.pairs, all.yes,
           all.no, all.touching, all.unknown, all.nested, all.bounded);
    assert_true(all.yes > all.pairs / 8 && all.no > all.pairs / 8 && all.touching > all.pairs / 60);
    assert_true(all.nested > all.pairs / 500 && all.bounded > all.pairs / 20);
    oracle_destroy(judge);
}

/* Times powers of two up to where squares leave the range of doubles. */
static void shapes_of_every_size_agree_with_rationals(void **state)
{
    (void)state;
    static const int powers[] = {-1000, -540, -300, -60, 80, 300, 540, 1000};
    test_random random = test_random_start("shapes of every size", 22);
    oracle *judge = oracle_create();
    counters c = {.cache = graze_shape_cache_default()};
    for (int kind_a = 0; kind_a < GRAZE_SHAPE_KIND_COUNT; kind_a++)
        for (int round = 0; round < TEST_ROUNDS(ROUNDS) * 3; round++)
        {
            graze_shape_kind kind_b = (graze_shape_kind)random_below(&random, GRAZE_SHAPE_KIND_COUNT);
            if (kind_a == GRAZE_SHAPE_COMPOUND || kind_b == GRAZE_SHAPE_COMPOUND)
                continue;
            double scale = ldexp(1, powers[random_below(&random, 8)]);
            random_shape x, y;
            random_shape_make_scaled(&random, (graze_shape_kind)kind_a, scale, &x);
            random_shape_make_scaled(&random, kind_b, scale, &y);
            graze_placed a = {x.shape, random_rigid_pose(&random)}, b = {y.shape, random_rigid_pose(&random)};
            for (int k = 3; k < 12; k += 4)
            {
                a.pose.m[k] *= scale;
                b.pose.m[k] *= scale;
            }
            double tolerance = tolerances[random_below(&random, 8)] * scale;
            leaf_pair pair = {.a = &a, .b = &b, .of_cores = is_core(&a) && is_core(&b)};
            core_distance_init(&pair.distance);
            if (pair.of_cores)
                oracle_cores(judge, &random, &a, &b, &pair.distance);
            check_collision(&a, &b, compare(&pair, 0), &c);
            check_tolerance(&a, &b, tolerance, compare(&pair, tolerance));
            core_distance_clear(&pair.distance);
            random_shape_clear(&x);
            random_shape_clear(&y);
            c.pairs++;
        }
    printf("%d pairs: %d collide, %d are apart, %d touch, %d unknown\n", c.pairs, c.yes, c.no, c.touching, c.unknown);
    assert_true(c.yes > c.pairs / 8 && c.no > c.pairs / 8 && c.touching > c.pairs / 120);
    oracle_destroy(judge);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_two_kinds_agree_with_rationals),
        cmocka_unit_test(shapes_of_every_size_agree_with_rationals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
