/* SPDX-License-Identifier: MIT */
/*
 * Pairs of triangles with coordinates for which the triangle-triangle kernel rounds nothing, with a gap or an overlap
 * equal to the error bounds that simd/triangle_sat_template.h derives: within them the kernel may not decide, however
 * exact the numbers happen to be, and slightly beyond the constants used there it must.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/kernels.h"
#include "support/unit.h"

/* Bound on one rounding, in any rounding mode. */
static const double f = 0x1p-23;

typedef struct triangle
{
    double x[3][3], err; /* and the error bound of its coordinates */
} triangle;

typedef struct pair
{
    triangle a, b;
} pair;

/* The largest coordinate of an edge, and L, as in the template; D of both. */
static double extent_of(const triangle *t)
{
    double size = 0;
    for (int k = 0; k < 3; k++)
        size =
            fmax(size, fmax(fmax(t->x[0][k], t->x[1][k]), t->x[2][k]) - fmin(fmin(t->x[0][k], t->x[1][k]), t->x[2][k]));
    return size;
}

static double size_of(const triangle *t)
{
    return extent_of(t) + 2 * t->err;
}

static double distance_of(const pair *p)
{
    return size_of(&p->a) + size_of(&p->b) + p->a.err + p->b.err + 512 * p->a.err;
}

/* Puts a pair into a queue with its axes and corners permuted, which changes no size. */
static void put_pair(const pair *p, int turn, grz_pair_queue *queue, unsigned place)
{
    int axes = turn % 3, corners_a = turn / 3 % 3, corners_b = turn / 9 % 3;
    for (int k = 0; k < 3; k++)
    {
        const double *start_a = p->a.x[corners_a], *start_b = p->b.x[corners_b];
        int to = (k + axes) % 3;
        for (int edge = 0; edge < 2; edge++)
        {
            queue->a[edge][to][place] = (float)(p->a.x[(corners_a + edge + 1) % 3][k] - start_a[k]);
            queue->b[edge][to][place] = (float)(p->b.x[(corners_b + edge + 1) % 3][k] - start_b[k]);
        }
        queue->between[to][place] = (float)(start_b[k] - start_a[k]);
    }
    queue->size_a[place] = (float)extent_of(&p->a);
    queue->size_b[place] = (float)extent_of(&p->b);
    queue->leaves[place] = (uint8_t)place;
    queue->error_a[place] = (float)p->a.err;
    queue->error_b[place] = (float)p->b.err;
}

enum
{
    TURNS = 27
};

/* Makes a pair with a gap of that size, or an overlap where it is negative. */
typedef void (*maker)(pair *p, double gap);

/* Results of the kernels for the pair in all permutations: may it meet, does it certainly cross. Every other entry of
   the queue is a pair far apart. */
static void verdicts_are(const pair *given, bool meet, bool cross)
{
    static grz_pair_queue queue;
    pair far = *given;
    for (int i = 0; i < 9; i++)
        far.b.x[i / 3][i % 3] += 1024;
    far.a.err = far.b.err = 0;
    queue.count = 2 * TURNS;
    for (int turn = 0; turn < TURNS; turn++)
    {
        put_pair(given, turn, &queue, 2 * (unsigned)turn);
        put_pair(&far, turn, &queue, 2 * (unsigned)turn + 1);
    }
    for (int set = 0; set < KERNEL_VARIANTS; set++)
    {
        grz_pair_sat_results verdicts;
        const uint64_t every = UINT64_C(0x5555555555555555) >> (64 - 2 * TURNS);
        kernel_variant(set)->triangle_sat(&queue, &verdicts);
        assert_true(verdicts.meet[0] == (meet ? every : 0));
        assert_true(verdicts.cross[0] == (cross ? every : 0));
        for (int word = 1; word < GRZ_QUEUE_WORDS; word++)
            assert_true(verdicts.meet[word] == 0 && verdicts.cross[word] == 0);
    }
}

static const double errs[][2] = {{0, 0}, {0x1p-12, 0}, {0, 0x1p-12}, {0x1p-12, 0x1p-11}, {0x1p-18, 0x1p-20}};

enum
{
    ERRORS = sizeof errs / sizeof *errs
};

/* One above the other's plane, parallel to it. */
static void make_parallel(pair *p, double gap, bool swapped)
{
    const double large[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const double small[3][3] = {{0.25, 0.25, gap}, {0.5, 0.25, gap}, {0.25, 0.5, gap}};
    memcpy(p->a.x, swapped ? small : large, sizeof large);
    memcpy(p->b.x, swapped ? large : small, sizeof large);
}

/* L^2 over |n| for a right triangle with equal legs along axes. */
static double square_over_normal(const triangle *t)
{
    double ratio = size_of(t) / extent_of(t);
    return ratio * ratio;
}

static void heights_within_their_error_separate_nothing(void **state)
{
    (void)state;
    for (int i = 0; i < 4 * ERRORS; i++)
    {
        pair p = {.a = {.err = errs[i / 4][0]}, .b = {.err = errs[i / 4][1]}};
        double err_ab = p.a.err + p.b.err, sign = i % 2 == 0 ? 1 : -1;
        bool swapped = i % 4 >= 2;
        make_parallel(&p, 0, swapped);
        /* Either plane may separate, so that the smaller bound decides. */
        double least = fmin(square_over_normal(&p.a), square_over_normal(&p.b)) * distance_of(&p);
        make_parallel(&p, sign * (double)(float)(0.999 * (err_ab + 138 * f * least)), swapped);
        verdicts_are(&p, true, false);
        make_parallel(&p, sign * (double)(float)(1.002 * (err_ab + 145 * f * least)), swapped);
        verdicts_are(&p, false, false);
    }
}

/* A lies in z = 0 and B in x = 0, edges meeting at right angles on the y axis, where both end; all other corners are
   well away from the other's plane, so that the order on the common line decides. */
static void make_on_line(pair *p, double gap)
{
    const double a[3][3] = {{-1, 0, 0}, {1, 0, 0}, {0.5, -1, 0}};
    const double b[3][3] = {{0, gap, -1}, {0, gap, 1}, {0, 1 + gap, 0.5}};
    memcpy(p->a.x, a, sizeof a);
    memcpy(p->b.x, b, sizeof b);
}

/* The same with third corners in the other's plane, so that cross products of edges decide. */
static void make_at_edges(pair *p, double gap)
{
    make_on_line(p, gap);
    p->a.x[2][0] = 0;
    p->b.x[2][2] = 0;
}

/* Error bound of a determinant of the edges, both of length 2. */
static double tilt_of(const pair *p)
{
    return distance_of(p) * (p->a.err * size_of(&p->b) + p->b.err * size_of(&p->a));
}

static void no_verdict_within(maker make, pair *p, double derived, double taken)
{
    for (int sign = -1; sign < 2; sign += 2)
    {
        make(p, sign * (double)(float)(0.999 * derived / 4));
        verdicts_are(p, true, false);
        make(p, sign * (double)(float)(1.02 * taken / 4));
        verdicts_are(p, sign < 0, sign < 0);
    }
}

static void an_order_on_the_line_within_its_error_is_none(void **state)
{
    (void)state;
    for (int i = 0; i < ERRORS; i++)
    {
        pair p = {.a = {.err = errs[i][0]}, .b = {.err = errs[i][1]}};
        double err_ab = p.a.err + p.b.err;
        make_on_line(&p, 0);
        double edges = size_of(&p.a) * size_of(&p.b), distance = distance_of(&p), tilt = tilt_of(&p);
        no_verdict_within(make_on_line, &p, edges * (6 * err_ab + 78 * f * distance) + 12 * tilt,
                          edges * (6.5 * err_ab + 88 * f * distance) + 12.5 * tilt);
    }
}

/* Both normals have one coordinate, of length 2. */
static void products_of_edges_within_their_error_decide_nothing(void **state)
{
    (void)state;
    for (int i = 0; i < ERRORS; i++)
    {
        pair p = {.a = {.err = errs[i][0]}, .b = {.err = errs[i][1]}};
        double err_ab = p.a.err + p.b.err;
        make_at_edges(&p, 0);
        double l_a = size_of(&p.a), l_b = size_of(&p.b), distance = distance_of(&p), tilt = tilt_of(&p);
        double roundings = 132 * distance + 48 * (l_a + l_b);
        no_verdict_within(make_at_edges, &p, l_a * l_b * (30 * err_ab + f * roundings) + 12 * tilt + 2 * 2 * err_ab,
                          l_a * l_b * (31 * err_ab + 320 * f * distance) + 12.5 * tilt + 2.1 * 2 * err_ab);
    }
}

/* Where the error bound is a good part of the edges' length, edges may be longer than computed: the error of products
   of two follows the mean of both lengths, one error bound more than computed. */
static void edges_may_be_longer_than_they_seem(void **state)
{
    (void)state;
    const double err = 0x1p-3, err_ab = 2 * err, length = 2 + err, distance = 2 * length + err_ab + 512 * err;
    double derived = length * length * 30 * err_ab + 12 * distance * 2 * err * length + 2 * 2 * err_ab;
    pair p = {.a = {.err = err}, .b = {.err = err}};
    make_at_edges(&p, (double)(float)(0.999 * derived / 4));
    verdicts_are(&p, true, false);
}

/* A corner in the other's interior, from above: only the plane separates them, and no cross product of edges does. */
static void a_corner_on_a_face_crosses_nothing(void **state)
{
    (void)state;
    const double face[3][3] = {{-1, -1, 0}, {3, -1, 0}, {-1, 3, 0}};
    const double above[3][3] = {{0, 0, 0}, {0.25, 0.5, 1}, {-0.5, 0.25, 0.5}};
    for (int i = 0; i < 2 * ERRORS; i++)
    {
        pair p = {.a = {.err = errs[i / 2][0]}, .b = {.err = errs[i / 2][1]}};
        memcpy(p.a.x, i % 2 == 0 ? face : above, sizeof face);
        memcpy(p.b.x, i % 2 == 0 ? above : face, sizeof face);
        verdicts_are(&p, true, false);
    }
}

/* So small that all products of three numbers underflow: nothing is certain of such pairs, wherever they are. */
static void minute_pairs_are_left_in_doubt(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++)
    {
        static grz_pair_queue queue;
        pair p = {.a = {.err = 0}, .b = {.err = 0}};
        make_on_line(&p, i - 1);
        for (int k = 0; k < 9; k++)
        {
            p.a.x[k / 3][k % 3] *= 0x1p-45;
            p.b.x[k / 3][k % 3] *= 0x1p-45;
        }
        queue.count = TURNS;
        for (int turn = 0; turn < TURNS; turn++)
            put_pair(&p, turn, &queue, (unsigned)turn);
        for (int set = 0; set < KERNEL_VARIANTS; set++)
        {
            grz_pair_sat_results verdicts;
            kernel_variant(set)->triangle_sat(&queue, &verdicts);
            assert_true(verdicts.meet[0] == (1u << TURNS) - 1 && verdicts.cross[0] == 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heights_within_their_error_separate_nothing),
        cmocka_unit_test(an_order_on_the_line_within_its_error_is_none),
        cmocka_unit_test(products_of_edges_within_their_error_decide_nothing),
        cmocka_unit_test(edges_may_be_longer_than_they_seem),
        cmocka_unit_test(a_corner_on_a_face_crosses_nothing),
        cmocka_unit_test(minute_pairs_are_left_in_doubt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
