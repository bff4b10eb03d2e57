/* SPDX-License-Identifier: MIT */
/*
 * Cylinders along lines and in boxes against triangles, in two ways of rational arithmetic: the same section with its
 * convex hull by a monotone chain; and single places, where the triangle is clipped between the planes.
 */
#include "tool_path/swept_cylinder.h"

#include <gmp.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/lattice.h"
#include "support/random.h"
#include "support/unit.h"

enum
{
    ROUNDS = 6000,
    MOST = 160,
    SAMPLES = 5
};

typedef struct point
{
    mpq_t c[3]; /* x, y, height */
} point;

static point corners[MOST], hull[MOST], section[MOST], spare;
static mpq_t a, b, d, square;

static int begin(void **state)
{
    (void)state;
    for (int i = 0; i < MOST; i++)
        for (int k = 0; k < 3; k++)
            mpq_inits(corners[i].c[k], hull[i].c[k], section[i].c[k], NULL);
    for (int k = 0; k < 3; k++)
        mpq_init(spare.c[k]);
    mpq_inits(a, b, d, square, NULL);
    return 0;
}

static int finish(void **state)
{
    (void)state;
    for (int i = 0; i < MOST; i++)
        for (int k = 0; k < 3; k++)
            mpq_clears(corners[i].c[k], hull[i].c[k], section[i].c[k], NULL);
    for (int k = 0; k < 3; k++)
        mpq_clear(spare.c[k]);
    mpq_clears(a, b, d, square, NULL);
    return 0;
}

static void copy(point *to, const point *from)
{
    for (int k = 0; k < 3; k++)
        mpq_set(to->c[k], from->c[k]);
}

/* out = p + (q - p) (height - p.z) / (q.z - p.z). */
static void cut(point *out, const point *p, const point *q, const mpq_t height)
{
    mpq_sub(a, height, p->c[2]);
    mpq_sub(b, q->c[2], p->c[2]);
    mpq_div(a, a, b);
    for (int k = 0; k < 3; k++)
    {
        mpq_sub(b, q->c[k], p->c[k]);
        mpq_mul(b, b, a);
        mpq_add(out->c[k], p->c[k], b);
    }
}

/* The sign of (q - p) x (s - p). */
static int turn(const point *p, const point *q, const point *s)
{
    mpq_sub(a, q->c[0], p->c[0]);
    mpq_sub(b, s->c[1], p->c[1]);
    mpq_mul(d, a, b);
    mpq_sub(a, q->c[1], p->c[1]);
    mpq_sub(b, s->c[0], p->c[0]);
    mpq_mul(a, a, b);
    return mpq_cmp(d, a);
}

static int order(const point *p, const point *q)
{
    int x = mpq_cmp(p->c[0], q->c[0]);
    return x != 0 ? x : mpq_cmp(p->c[1], q->c[1]);
}

/* The convex hull, counterclockwise (Andrew 1979); its points are moved to `hull`. */
static int make_hull(int count)
{
    for (int i = 1; i < count; i++)
        for (int k = i; k > 0 && order(&section[k - 1], &section[k]) > 0; k--)
        {
            copy(&spare, &section[k]);
            copy(&section[k], &section[k - 1]);
            copy(&section[k - 1], &spare);
        }
    int size = 0;
    for (int i = 0; i < count; i++)
    {
        while (size > 1 && turn(&hull[size - 2], &hull[size - 1], &section[i]) <= 0)
            size--;
        copy(&hull[size++], &section[i]);
    }
    for (int i = count - 2, lower = size + 1; i >= 0; i--)
    {
        while (size >= lower && turn(&hull[size - 2], &hull[size - 1], &section[i]) <= 0)
            size--;
        copy(&hull[size++], &section[i]);
    }
    return count > 1 ? size - 1 : size;
}

/* square = the squared distance of 0 from the segment p q. */
static void segment_distance(const point *p, const point *q)
{
    mpq_t along, length;
    mpq_inits(along, length, NULL);
    for (int k = 0; k < 2; k++)
    {
        mpq_sub(a, q->c[k], p->c[k]);
        mpq_mul(b, a, a);
        mpq_add(length, length, b);
        mpq_mul(b, a, p->c[k]);
        mpq_sub(along, along, b);
    }
    if (mpq_sgn(length) > 0)
        mpq_div(along, along, length);
    if (mpq_sgn(along) < 0)
        mpq_set_ui(along, 0, 1);
    if (mpq_cmp_ui(along, 1, 1) > 0)
        mpq_set_ui(along, 1, 1);
    mpq_set_ui(square, 0, 1);
    for (int k = 0; k < 2; k++)
    {
        mpq_sub(a, q->c[k], p->c[k]);
        mpq_mul(a, a, along);
        mpq_add(a, a, p->c[k]);
        mpq_mul(a, a, a);
        mpq_add(square, square, a);
    }
    mpq_clears(along, length, NULL);
}

/* Whether the hull of the section is closer to 0 than r; *out_equal: as far. */
static bool is_closer(int count, double r, bool *out_equal)
{
    int size = make_hull(count);
    bool within = size > 2, closer = false;
    point zero;
    mpq_t limit;
    mpq_init(limit);
    for (int k = 0; k < 3; k++)
        mpq_init(zero.c[k]);
    rational_set_double(limit, r);
    mpq_mul(limit, limit, limit);
    for (int i = 0; i < size; i++)
    {
        within = within && turn(&hull[i], &hull[(i + 1) % size], &zero) >= 0;
        segment_distance(&hull[i], &hull[(i + 1) % size]);
        int compared = mpq_cmp(square, limit);
        closer = closer || compared < 0;
        *out_equal = *out_equal || compared == 0;
    }
    for (int k = 0; k < 3; k++)
        mpq_clear(zero.c[k]);
    mpq_clear(limit);
    *out_equal = *out_equal && !closer && !within;
    return closer || within;
}

/* The part between the planes of the hull of `count` corners and the edges given by pairs; false where nothing is
   strictly between. The result is in `section`. */
static bool clip(int count, const int (*edges)[2], int edge_count, double lower, double upper, int *out_count)
{
    mpq_t planes[2];
    bool above = false, below = false;
    mpq_inits(planes[0], planes[1], NULL);
    rational_set_double(planes[0], lower);
    rational_set_double(planes[1], isinf(upper) ? 1e300 : upper);
    int n = 0;
    for (int i = 0; i < count; i++)
    {
        int low = mpq_cmp(corners[i].c[2], planes[0]), high = mpq_cmp(corners[i].c[2], planes[1]);
        above = above || low > 0;
        below = below || high < 0;
        if (low >= 0 && high <= 0)
            copy(&section[n++], &corners[i]);
    }
    for (int i = 0; i < edge_count; i++)
        for (int plane = 0; plane < 2; plane++)
        {
            const point *p = &corners[edges[i][0]], *q = &corners[edges[i][1]];
            if (mpq_cmp(p->c[2], planes[plane]) * mpq_cmp(q->c[2], planes[plane]) < 0)
                cut(&section[n++], p, q, planes[plane]);
        }
    mpq_clears(planes[0], planes[1], NULL);
    *out_count = n;
    return above && below;
}

typedef struct cylinder_case
{
    double triangle[3][3], radius, lower, upper, start[3], end[3];
    bool dog_leg;
} cylinder_case;

/* corners = triangle - place, with place = start + (end - start) share of each axis in 16ths. */
static void set_corners(const cylinder_case *c, int first, const int shares[3])
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
        {
            rational_set_double(a, c->start[k]);
            rational_set_double(b, c->end[k]);
            mpq_sub(b, b, a);
            mpq_set_si(d, shares[k], 16);
            mpq_canonicalize(d);
            mpq_mul(b, b, d);
            mpq_add(a, a, b);
            rational_set_double(b, c->triangle[i][k]);
            mpq_sub(corners[first + i].c[k], b, a);
        }
}

/* The answer by the whole section: all pairs of points are taken for edges, which adds points of the hull only. */
static bool by_section(const cylinder_case *c, bool *out_equal)
{
    int places = c->dog_leg ? 8 : 2, count = 0, edges[MOST * MOST][2], edge_count = 0;
    for (int i = 0; i < places; i++)
    {
        const int shares[3] = {(c->dog_leg ? i & 1 : i) * 16, (c->dog_leg ? i >> 1 & 1 : i) * 16,
                               (c->dog_leg ? i >> 2 & 1 : i) * 16};
        set_corners(c, 3 * i, shares);
    }
    int corner_count = 3 * places;
    for (int i = 0; i < corner_count; i++)
        for (int k = 0; k < i; k++)
        {
            /* Edges of T x S: one of both factors stays. */
            int changed = (i / 3) ^ (k / 3);
            bool of_triangle = changed == 0, of_places = i % 3 == k % 3 && (changed & (changed - 1)) == 0;
            if (of_triangle || of_places)
            {
                edges[edge_count][0] = i;
                edges[edge_count++][1] = k;
            }
        }
    return clip(corner_count, (const int(*)[2])edges, edge_count, c->lower, c->upper, &count) &&
           is_closer(count, c->radius, out_equal);
}

/* At one place. */
static bool at_place(const cylinder_case *c, const int shares[3])
{
    static const int edges[3][2] = {{0, 1}, {1, 2}, {2, 0}};
    int count = 0;
    bool equal = false;
    set_corners(c, 0, shares);
    return clip(3, edges, 3, c->lower, c->upper, &count) && is_closer(count, c->radius, &equal);
}

static double number(test_random *random, int style)
{
    return style == 0   ? random_between(random, -6, 6)
           : style == 1 ? random_real(random, -6, 6)
                        : random_between(random, -60, 60) / 10.0;
}

/* A wall through (3, 4) m along (4, -3), and a move along it: its distance is 5 m. */
static void touch_a_wall(test_random *random, cylinder_case *c)
{
    int m = random_between(random, 1, 3), shift = random_between(random, -2, 2);
    for (int i = 0; i < 3; i++)
    {
        int along = random_between(random, -2, 2);
        c->triangle[i][0] = 3 * m + 4 * along;
        c->triangle[i][1] = 4 * m - 3 * along;
    }
    c->start[0] = 4 * shift;
    c->start[1] = -3 * shift;
    c->end[0] = c->start[0] + 4;
    c->end[1] = c->start[1] - 3;
    c->radius = 5 * m;
    c->dog_leg = false;
}

static cylinder_case random_case(test_random *random)
{
    static const double radii[] = {1, 2, 3, 5, 0.5, 2.5};
    cylinder_case c;
    int style = random_below(random, 3);
    for (int i = 0; i < 9; i++)
        c.triangle[i / 3][i % 3] = number(random, style);
    for (int k = 0; k < 3; k++)
    {
        c.start[k] = number(random, style);
        c.end[k] = random_once_in(random, 3) ? c.start[k] : number(random, style);
    }
    if (random_once_in(random, 4)) /* a wall or a floor */
        for (int i = 0; i < 3; i++)
            c.triangle[i][random_once_in(random, 2) ? 2 : 0] = c.triangle[0][0];
    c.radius = radii[random_below(random, 6)];
    c.lower = number(random, style == 1 ? 0 : style);
    c.upper = random_once_in(random, 4) ? INFINITY : c.lower + 0.5 * random_between(random, 1, 12);
    c.dog_leg = random_once_in(random, 8);
    if (style != 1 && random_once_in(random, 3))
        touch_a_wall(random, &c);
    if (random_once_in(random, 8))
        c.radius = nextafter(c.radius, random_once_in(random, 2) ? 0 : 10);
    return c;
}

static bool library_answer(const cylinder_case *c, uint64_t *out_exact)
{
    grz_swept_cylinder cylinder = {.radius = c->radius, .lower = c->lower, .upper = c->upper};
    cylinder.place_count = c->dog_leg ? 8 : 2;
    for (int i = 0; i < cylinder.place_count; i++)
        for (int k = 0; k < 3; k++)
            cylinder.places[i][k] = (c->dog_leg ? i >> k & 1 : i) != 0 ? c->end[k] : c->start[k];
    bool meets = grz_swept_cylinder_meets(&cylinder, c->triangle);
    assert_false(cylinder.out_of_memory);
    *out_exact = cylinder.exact_checks;
    grz_swept_cylinder_release(&cylinder);
    return meets;
}

static void swept_cylinders_meet_triangles_exactly_where_rationals_say_so(void **state)
{
    (void)state;
    test_random random = test_random_start("swept_cylinders_meet_triangles_exactly_where_rationals_say_so", 1909);
    int met = 0, sampled = 0, exact = 0, touched = 0, rounds = TEST_ROUNDS(ROUNDS);
    for (int round = 0; round < rounds; round++)
    {
        const cylinder_case c = random_case(&random);
        uint64_t exact_checks = 0;
        bool equal = false, meets = library_answer(&c, &exact_checks), sample = false;
        bool expected = by_section(&c, &equal);
        for (int i = 0; i < SAMPLES && !sample; i++)
        {
            int share = 16 * i / (SAMPLES - 1);
            const int shares[3] = {share, c.dog_leg ? random_below(&random, 17) : share,
                                   c.dog_leg ? random_below(&random, 17) : share};
            sample = at_place(&c, shares);
        }
        if (meets != expected || (sample && !meets))
            printf("round %d: %d, expected %d, at some place %d\n", round, meets, expected, sample);
        assert_int_equal(meets, expected);
        assert_true(meets || !sample);
        met += meets;
        sampled += sample;
        exact += exact_checks > 0;
        touched += equal && !meets;
    }
    printf("%d meet, %d of them at a sampled place; %d exact, %d touch\n", met, sampled, exact, touched);
    assert_true(met > rounds / 5 && met < rounds - rounds / 5 && sampled > met * 3 / 4);
    assert_true(exact > rounds / 100 && touched > rounds / 200);
}

/* The least radius that meets, by halving: `most` does. */
static double least_meeting_radius(cylinder_case *c, double most, int *out_exact)
{
    uint64_t bits[2] = {0, 0}, exact;
    memcpy(&bits[1], &most, sizeof most);
    while (bits[1] - bits[0] > 1)
    {
        uint64_t middle = bits[0] + (bits[1] - bits[0]) / 2;
        memcpy(&c->radius, &middle, sizeof middle);
        bits[library_answer(c, &exact)] = middle;
        *out_exact += exact > 0;
    }
    memcpy(&c->radius, &bits[1], sizeof bits[1]);
    return c->radius;
}

/* Far up and far away, so that differences of coordinates and cuts have errors of many units in the last place. */
static void the_least_radius_that_meets_is_found_to_the_last_bit(void **state)
{
    (void)state;
    test_random random = test_random_start("the_least_radius_that_meets_is_found_to_the_last_bit", 1511);
    static const double offsets[] = {0, 0.1, 1000.3, 123456.7};
    int found = 0, exact = 0, rounds = TEST_ROUNDS(500);
    for (int round = 0; round < rounds; round++)
    {
        cylinder_case c = random_case(&random);
        double aside = offsets[random_below(&random, 4)], up = offsets[random_below(&random, 4)];
        c.dog_leg = random_once_in(&random, 16);
        for (int i = 0; i < 3; i++)
        {
            for (int k = 0; k < 3; k++)
                c.triangle[i][k] += (k == 2 ? up : aside) + random_real(&random, -0.1, 0.1);
            c.start[i] += i == 2 ? 0.3 : aside;
            c.end[i] += i == 2 ? 0.3 : aside;
        }
        c.lower += up;
        c.upper += up;
        c.radius = 64;
        bool equal = false;
        if (!by_section(&c, &equal))
            continue;
        double least = least_meeting_radius(&c, 64, &exact);
        assert_true(by_section(&c, &equal));
        c.radius = nextafter(least, 0);
        if (c.radius > 0)
            assert_false(by_section(&c, &equal));
        found += c.radius > 0;
    }
    printf("%d radii, %d exact decisions\n", found, exact);
    assert_true(found > rounds / 10 && exact > found);
}

/* The axis passes an edge of the hull by less than doubles can tell: numbers of Fibonacci next to each other, whose
   cross products are 1. The edge is no nearer than the radius, so that only the other points tell. */
static void an_axis_beside_an_edge_is_within_or_not(void **state)
{
    (void)state;
    test_random random = test_random_start("an_axis_beside_an_edge_is_within_or_not", 1512);
    int within = 0, outside = 0, exact = 0;
    for (int round = 0; round < TEST_ROUNDS(400); round++)
    {
        double f[3] = {1, 1, 2}, sign = random_once_in(&random, 2) ? 1 : -1;
        for (int n = random_between(&random, 50, 56); n > 0; n--)
        {
            f[0] = f[1];
            f[1] = f[2];
            f[2] = f[0] + f[1];
        }
        const double p[2] = {f[1], f[0]}, q[2] = {-f[2], -f[1]}; /* p x q is 1 or -1 */
        const double third[2] = {sign * q[1] + random_between(&random, -9, 9), -sign * q[0]};
        cylinder_case c = {.radius = 0x1p-60, .lower = 0, .upper = 2, .dog_leg = false};
        int first = random_below(&random, 3);
        for (int k = 0; k < 2; k++)
        {
            c.triangle[first][k] = p[k];
            c.triangle[(first + 1) % 3][k] = q[k];
            c.triangle[(first + 2) % 3][k] = third[k];
            c.end[k] = random_once_in(&random, 2) ? 0 : k == 0 ? -sign * q[1] : sign * q[0];
        }
        for (int i = 0; i < 3; i++)
            c.triangle[i][2] = 1;
        uint64_t checks = 0;
        bool equal = false, expected = by_section(&c, &equal);
        assert_int_equal(library_answer(&c, &checks), expected);
        within += expected;
        outside += !expected;
        exact += checks > 0;
    }
    printf("%d within, %d outside, %d exact\n", within, outside, exact);
    assert_true(within > TEST_ROUNDS(20) && outside > TEST_ROUNDS(20) && exact > TEST_ROUNDS(100));
}

/* Nothing exact is needed where nothing is near to touching. */
static void doubles_decide_what_is_clear(void **state)
{
    (void)state;
    uint64_t exact = 0, all = 0;
    for (int k = 0; k < 16; k++)
    {
        cylinder_case c = {.triangle = {{k - 8.5, -3.1, 0.7}, {k - 8.5, 4.3, 1.1}, {k - 7.9, 0.3, 1.7}},
                           .radius = 2.26,
                           .lower = 0.1,
                           .upper = 3.3,
                           .end = {0.25, 0.1, 0}};
        bool equal = false;
        assert_int_equal(library_answer(&c, &exact), by_section(&c, &equal));
        all += exact;
    }
    assert_int_equal(all, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(swept_cylinders_meet_triangles_exactly_where_rationals_say_so),
        cmocka_unit_test(the_least_radius_that_meets_is_found_to_the_last_bit),
        cmocka_unit_test(an_axis_beside_an_edge_is_within_or_not),
        cmocka_unit_test(doubles_decide_what_is_clear),
    };
    return cmocka_run_group_tests(tests, begin, finish);
}
