/* SPDX-License-Identifier: MIT */
/*
 * Numbers that queries of shapes refuse, at the edges of what they take; counts of hits; swapped shapes that differ in
 * one number only; depths of compounds from those of their leaves.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graze/generate.h"
#include "graze/shape_contact.h"
#include "shape/depth.h"
#include "support/failing_allocator.h"
#include "support/random_shapes.h"
#include "support/unit.h"

typedef struct pair_of_boxes
{
    graze_shape *shapes[2];
    graze_placed a, b;
} pair_of_boxes;

static pair_of_boxes make_boxes(double at)
{
    static const double size[3] = {2, 2, 2};
    pair_of_boxes p;
    assert_int_equal(graze_shape_create_box(NULL, size, &p.shapes[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_box(NULL, size, &p.shapes[1]), GRAZE_STATUS_OK);
    p.a = (graze_placed){p.shapes[0], graze_pose_identity()};
    p.b = (graze_placed){p.shapes[1], graze_pose_translation(at, 0, 0)};
    return p;
}

static void release_boxes(pair_of_boxes *p)
{
    graze_shape_destroy(p->shapes[0]);
    graze_shape_destroy(p->shapes[1]);
}

/* A number and whether it is taken: lengths, and errors, which may not be infinite. */
typedef struct numeral
{
    double value;
    bool is_limit, is_finite_length;
} numeral;

static void check_numbers(const graze_placed *a, const graze_placed *b)
{
    static const numeral numbers[] = {{0, true, true},           {1, true, true},           {0x1p-1074, true, true},
                                      {0x1p1023, true, true},    {INFINITY, true, false},   {-0x1p-1074, false, false},
                                      {-1, false, false},        {-INFINITY, false, false}, {NAN, false, false},
                                      {-0x1p1023, false, false}, {1e-320, true, true},      {-1e-320, false, false}};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
    {
        const numeral *n = &numbers[i];
        graze_verdict verdict = GRAZE_VERDICT_UNKNOWN;
        graze_shape_distance d;
        graze_shape_depth depth;
        graze_status length = n->is_finite_length ? GRAZE_STATUS_OK : GRAZE_STATUS_BAD_ARGUMENT;
        graze_status limit = n->is_limit ? GRAZE_STATUS_OK : GRAZE_STATUS_BAD_ARGUMENT;
        assert_int_equal(graze_shape_pair_tolerance_any(NULL, a, b, n->value, NULL, &verdict, NULL), length);
        if (n->value != 1) /* of curved shapes that is not known */
            assert_int_equal(verdict, !n->is_finite_length ? GRAZE_VERDICT_UNKNOWN
                                      : n->value >= 1      ? GRAZE_VERDICT_YES
                                                           : GRAZE_VERDICT_NO);
        graze_shape_distance_options options = graze_shape_distance_options_default();
        options.limit = n->value;
        assert_int_equal(graze_shape_pair_distance(NULL, a, b, &options, &d), limit);
        options = graze_shape_distance_options_default();
        options.relative_error = n->value;
        assert_int_equal(graze_shape_pair_distance(NULL, a, b, &options, &d), length);
        options = graze_shape_distance_options_default();
        options.absolute_error = n->value;
        assert_int_equal(graze_shape_pair_distance(NULL, a, b, &options, &d), length);
        graze_shape_depth_options depth_options = graze_shape_depth_options_default();
        depth_options.relative_error = n->value;
        assert_int_equal(graze_shape_pair_depth(NULL, a, b, &depth_options, &depth), length);
    }
}

static void numbers_that_are_none_are_refused(void **state)
{
    (void)state;
    static const double down[3] = {0, 0, -1};
    pair_of_boxes p = make_boxes(3); /* all of them a distance of 1 apart */
    graze_shape *cylinder, *plane;
    assert_int_equal(graze_shape_create_cylinder(NULL, 2, 1, &cylinder), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_half_space(NULL, down, -2, &plane), GRAZE_STATUS_OK);
    graze_placed beside = {cylinder, graze_pose_translation(3, 0, 0)}, above = {plane, graze_pose_identity()};
    graze_placed below = {cylinder, graze_pose_identity()};
    check_numbers(&p.a, &p.b);
    check_numbers(&p.a, &above);
    check_numbers(&beside, &p.a);
    check_numbers(&above, &below);
    graze_shape_destroy(cylinder);
    graze_shape_destroy(plane);
    release_boxes(&p);
}

static void sizes_of_structs_and_capacities_are_checked(void **state)
{
    (void)state;
    pair_of_boxes p = make_boxes(1);
    graze_shape_counts counts;
    graze_shape_distance_options distance = graze_shape_distance_options_default();
    graze_shape_depth_options depth = graze_shape_depth_options_default();
    graze_shape_options options = graze_shape_options_default();
    graze_shape_tolerance_options tolerance = graze_shape_tolerance_options_default();
    graze_verdict verdict;
    graze_shape_distance d;
    graze_shape_depth e;
    assert_int_equal(graze_shape_pair_gather(NULL, &p.a, &p.b, NULL, NULL, 0, &counts), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_pair_gather(NULL, &p.a, &p.b, NULL, NULL, 1, &counts), GRAZE_STATUS_BAD_ARGUMENT);
    options.struct_size = distance.struct_size = depth.struct_size = tolerance.struct_size = 1;
    assert_int_equal(graze_shape_pair_any(NULL, &p.a, &p.b, &options, &verdict, NULL), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_shape_pair_count(NULL, &p.a, &p.b, &options, &counts), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_shape_pair_tolerance_any(NULL, &p.a, &p.b, 1, &tolerance, &verdict, NULL),
                     GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_shape_pair_distance(NULL, &p.a, &p.b, &distance, &d), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_shape_pair_depth(NULL, &p.a, &p.b, &depth, &e), GRAZE_STATUS_BAD_ARGUMENT);
    release_boxes(&p);
}

/* Hits are written where there are any; a new cache is empty. */
static void results_stay_where_nothing_is_found(void **state)
{
    (void)state;
    static const double origin[3] = {0, 9, 0}, direction[3] = {1, 0, 0};
    static const graze_shape_cache zeros;
    pair_of_boxes p = make_boxes(3);
    graze_shape_hit hit, old_hit;
    graze_shape_ray_hit ray, old_ray;
    graze_verdict verdict;
    memset(&old_hit, 0x5a, sizeof old_hit);
    memset(&old_ray, 0x5a, sizeof old_ray);
    hit = old_hit;
    ray = old_ray;
    assert_int_equal(graze_shape_pair_any(NULL, &p.a, &p.b, NULL, &verdict, &hit), GRAZE_STATUS_OK);
    assert_int_equal(verdict, GRAZE_VERDICT_NO);
    assert_int_equal(graze_shape_pair_tolerance_any(NULL, &p.a, &p.b, 0.5, NULL, &verdict, &hit), GRAZE_STATUS_OK);
    assert_int_equal(verdict, GRAZE_VERDICT_NO);
    assert_int_equal(graze_shape_cast_ray(NULL, &p.a, origin, direction, INFINITY, NULL, &verdict, &ray),
                     GRAZE_STATUS_OK);
    assert_int_equal(verdict, GRAZE_VERDICT_NO);
    assert_memory_equal(&hit, &old_hit, sizeof hit);
    assert_memory_equal(&ray, &old_ray, sizeof ray);
    graze_shape_cache cache = graze_shape_cache_default();
    assert_memory_equal(&cache, &zeros, sizeof cache);
    release_boxes(&p);
}

/* Half-spaces need memory in every query: what fails there is the status of the whole. */
static void statuses_of_leaves_are_told(void **state)
{
    (void)state;
    static const double up[3] = {0, 0, 1}, origin[3] = {0, 0, 5}, direction[3] = {0, 0, -1};
    failing_allocator allocator = {.allowed = 0};
    graze_context context = failing_allocator_context(&allocator);
    pair_of_boxes p = make_boxes(0);
    graze_shape *plane;
    assert_int_equal(graze_shape_create_half_space(NULL, up, 0, &plane), GRAZE_STATUS_OK);
    graze_placed floor = {plane, graze_pose_identity()};
    graze_verdict verdict;
    graze_shape_distance d;
    graze_shape_depth depth;
    graze_shape_hit hit;
    graze_shape_ray_hit ray;
    size_t count;
    graze_shape_manifold manifold;
    assert_int_equal(graze_shape_pair_any(&context, &p.a, &floor, NULL, &verdict, &hit), GRAZE_STATUS_OUT_OF_MEMORY);
    assert_int_equal(graze_shape_pair_any(&context, &floor, &floor, NULL, &verdict, &hit), GRAZE_STATUS_OUT_OF_MEMORY);
    assert_int_equal(graze_shape_pair_tolerance_any(&context, &p.a, &floor, 1, NULL, &verdict, &hit),
                     GRAZE_STATUS_OUT_OF_MEMORY);
    assert_int_equal(graze_shape_pair_distance(&context, &p.a, &floor, NULL, &d), GRAZE_STATUS_OUT_OF_MEMORY);
    assert_int_equal(graze_shape_pair_distance(&context, &floor, &floor, NULL, &d), GRAZE_STATUS_OUT_OF_MEMORY);
    assert_int_equal(graze_shape_pair_depth(&context, &p.a, &floor, NULL, &depth), GRAZE_STATUS_OUT_OF_MEMORY);
    assert_int_equal(graze_shape_pair_depth(&context, &floor, &floor, NULL, &depth), GRAZE_STATUS_OUT_OF_MEMORY);
    assert_int_equal(graze_shape_pair_contacts(&context, &p.a, &floor, NULL, &manifold, 1, &count),
                     GRAZE_STATUS_OUT_OF_MEMORY);
    assert_int_equal(graze_shape_cast_ray(&context, &floor, origin, direction, 9, NULL, &verdict, &ray),
                     GRAZE_STATUS_OUT_OF_MEMORY);
    graze_shape_destroy(plane);
    release_boxes(&p);
}

/* Counts of two meshes are those of graze_pair_count. */
static void kinds_of_hits_are_counted_as_of_meshes(void **state)
{
    (void)state;
    graze_mesh *box, *ball;
    graze_shape *shapes[2];
    uint64_t seen[3] = {0, 0, 0};
    assert_int_equal(graze_mesh_create_box(NULL, 2, 2, 2, 2, &box), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 2, &ball), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_mesh(NULL, box, NULL, true, &shapes[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_mesh(NULL, ball, NULL, false, &shapes[1]), GRAZE_STATUS_OK);
    for (int i = 0; i < 12; i++)
    {
        const graze_mesh *second = i % 3 == 2 ? ball : box;
        graze_pose pose = graze_pose_translation(0.25 * i, i % 2, 0);
        graze_placed a = {shapes[0], graze_pose_identity()}, b = {shapes[i % 3 == 2 ? 1 : 0], pose};
        graze_placed_mesh x = {box, NULL, a.pose}, y = {second, NULL, pose};
        graze_shape_counts counts;
        graze_pair_counts expected;
        assert_int_equal(graze_shape_pair_count(NULL, &a, &b, NULL, &counts), GRAZE_STATUS_OK);
        assert_int_equal(graze_pair_count(NULL, &x, &y, NULL, &expected), GRAZE_STATUS_OK);
        assert_true(counts.has_triangles && counts.unknown == 0 && counts.hits == expected.pairs);
        assert_true(counts.touching == expected.touching && counts.crossing == expected.crossing &&
                    counts.coplanar == expected.coplanar);
        seen[0] += counts.touching;
        seen[1] += counts.crossing;
        seen[2] += counts.coplanar;
    }
    assert_true(seen[0] > 0 && seen[1] > 0 && seen[2] > 0);
    for (int i = 0; i < 2; i++)
        graze_shape_destroy(shapes[i]);
    graze_mesh_destroy(box);
    graze_mesh_destroy(ball);
}

/* Shapes under one pose that differ in one number: swapped arguments must swap the answer all the same. */
static void swapped_shapes_of_one_kind_swap_the_answer(void **state)
{
    (void)state;
    static const double numbers[6][4] = {{1, 2, 3, 1}, {1, 2, 3, 2}, {1, 2, 4, 1},
                                         {1, 3, 3, 1}, {2, 2, 3, 1}, {1, 2, 3, -1}};
    graze_shape *shapes[4][6];
    for (int i = 0; i < 6; i++)
    {
        const double *n = numbers[i], ends[2][3] = {{0, 0, n[0]}, {n[1], n[2], 0}};
        assert_int_equal(graze_shape_create_half_space(NULL, n, n[3], &shapes[0][i]), GRAZE_STATUS_OK);
        assert_int_equal(graze_shape_create_ellipsoid(NULL, n, &shapes[1][i]), GRAZE_STATUS_OK);
        assert_int_equal(graze_shape_create_capsule(NULL, ends, fabs(n[3]), &shapes[2][i]), GRAZE_STATUS_OK);
        assert_int_equal(graze_shape_create_box(NULL, n, &shapes[3][i]), GRAZE_STATUS_OK);
    }
    for (int kind = 0; kind < 4; kind++)
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++)
            {
                graze_placed a = {shapes[kind][i], graze_pose_identity()}, b = {shapes[kind][j], a.pose};
                graze_shape_depth d, e;
                graze_shape_hit hit, turned;
                graze_verdict verdict;
                assert_int_equal(graze_shape_pair_any(NULL, &a, &b, NULL, &verdict, &hit), GRAZE_STATUS_OK);
                assert_int_equal(graze_shape_pair_any(NULL, &b, &a, NULL, &verdict, &turned), GRAZE_STATUS_OK);
                assert_int_equal(verdict, GRAZE_VERDICT_YES);
                assert_memory_equal(hit.point, turned.point, sizeof hit.point);
                assert_int_equal(graze_shape_pair_depth(NULL, &a, &b, NULL, &d), GRAZE_STATUS_OK);
                assert_int_equal(graze_shape_pair_depth(NULL, &b, &a, NULL, &e), GRAZE_STATUS_OK);
                assert_true(d.overlap == e.overlap && d.lower == e.lower && d.upper == e.upper);
                bool same = memcmp(numbers[i], numbers[j], 3 * sizeof(double)) == 0 &&
                            (kind == 1 || kind == 3 || fabs(numbers[i][3]) == fabs(numbers[j][3])) &&
                            (kind != 0 || i == j);
                for (int k = 0; k < 3 && !same; k++)
                    assert_true(d.translation[k] == -e.translation[k]);
            }
    for (int kind = 0; kind < 4; kind++)
        for (int i = 0; i < 6; i++)
            graze_shape_destroy(shapes[kind][i]);
}

enum
{
    MOST_PARTS = 3
};

static size_t list_parts(const graze_placed *placed, graze_placed parts[MOST_PARTS])
{
    size_t count = graze_shape_part_count(placed->shape);
    parts[0] = *placed;
    for (size_t i = 0; i < count; i++)
    {
        parts[i].shape = graze_shape_parts(placed->shape)[i].shape;
        assert_int_equal(
            graze_pose_compose(&placed->pose, &graze_shape_parts(placed->shape)[i].pose, &parts[i].pose, NULL),
            GRAZE_STATUS_OK);
    }
    return count > 0 ? count : 1;
}

/* The longest way out of any two leaves bounds that of compounds from below, the boxes around both from above. */
static double box_way(const graze_placed *a, const graze_placed *b)
{
    graze_box x, y;
    double least = INFINITY;
    assert_int_equal(graze_placed_bounds(a, &x), GRAZE_STATUS_OK);
    assert_int_equal(graze_placed_bounds(b, &y), GRAZE_STATUS_OK);
    for (int k = 0; k < 3; k++)
        least = fmin(least, fmin(x.upper[k] - y.lower[k], y.upper[k] - x.lower[k]));
    return least;
}

/* Whether compounds collide, and their distance, from all pairs of leaves. */
static void check_leaves(const graze_placed *a, const graze_placed *b)
{
    graze_placed parts_a[MOST_PARTS], parts_b[MOST_PARTS];
    size_t count_a = list_parts(a, parts_a), count_b = list_parts(b, parts_b);
    graze_verdict verdict, leaf, expected = GRAZE_VERDICT_NO;
    graze_shape_distance all, d;
    double least = INFINITY, lower = INFINITY;
    graze_shape_cache cache = graze_shape_cache_default();
    graze_shape_options options = graze_shape_options_default();
    options.cache = &cache;
    for (size_t i = 0; i < count_a; i++)
        for (size_t j = 0; j < count_b; j++)
        {
            assert_int_equal(graze_shape_pair_any(NULL, &parts_a[i], &parts_b[j], NULL, &leaf, NULL), GRAZE_STATUS_OK);
            expected = leaf == GRAZE_VERDICT_YES || expected == GRAZE_VERDICT_NO ? leaf : expected;
            assert_int_equal(graze_shape_pair_distance(NULL, &parts_a[i], &parts_b[j], NULL, &d), GRAZE_STATUS_OK);
            least = d.found ? fmin(least, d.distance) : least;
            lower = fmin(lower, d.lower);
            if (expected == GRAZE_VERDICT_YES && leaf == GRAZE_VERDICT_YES)
                i = count_a; /* ends both loops */
            if (i == count_a)
                break;
        }
    for (int round = 0; round < 2; round++)
    {
        assert_int_equal(graze_shape_pair_any(NULL, a, b, round == 0 ? NULL : &options, &verdict, NULL),
                         GRAZE_STATUS_OK);
        assert_int_equal(verdict, expected);
    }
    assert_int_equal(graze_shape_pair_distance(NULL, a, b, NULL, &all), GRAZE_STATUS_OK);
    if (expected == GRAZE_VERDICT_YES)
        assert_true(all.found && all.upper == 0);
    else if (expected == GRAZE_VERDICT_NO)
        assert_true(all.found == (least < INFINITY) &&
                    (!all.found || fabs(all.distance - least) <= 1e-9 * (1 + least)) &&
                    all.lower <= lower * (1 + 1e-9));
}

static void depths_of_compounds_come_from_their_leaves(void **state)
{
    (void)state;
    test_random random = test_random_start("depths of compounds", 9);
    int deep = 0, others = 0, rounds = TEST_ROUNDS(200);
    for (int round = 0; round < rounds; round++)
    {
        random_shape x, y;
        graze_shape_kind kind = random_once_in(&random, 2)
                                    ? GRAZE_SHAPE_COMPOUND
                                    : (graze_shape_kind)random_below(&random, GRAZE_SHAPE_KIND_COUNT);
        random_shape_make(&random, GRAZE_SHAPE_COMPOUND, &x);
        random_shape_make(&random, kind, &y);
        graze_placed a = {x.shape, random_rigid_pose(&random)}, b = {y.shape, random_rigid_pose(&random)};
        graze_placed parts_a[MOST_PARTS], parts_b[MOST_PARTS];
        size_t count_a = list_parts(&a, parts_a), count_b = list_parts(&b, parts_b);
        check_leaves(&a, &b);
        graze_shape_depth_options options = graze_shape_depth_options_default();
        graze_shape_depth all, found;
        double lower = 0, depth_lower = 0;
        uint32_t first[2] = {0, 0};
        options.max_queries = 30;
        assert_int_equal(graze_shape_pair_depth(NULL, &a, &b, &options, &all), GRAZE_STATUS_OK);
        bool any = false, certain = false;
        for (uint32_t i = 0; i < count_a; i++)
            for (uint32_t j = 0; j < count_b; j++)
            {
                assert_int_equal(graze_shape_pair_depth(NULL, &parts_a[i], &parts_b[j], &options, &found),
                                 GRAZE_STATUS_OK);
                if (found.lower > lower)
                {
                    first[0] = i;
                    first[1] = j;
                }
                lower = fmax(lower, found.lower);
                depth_lower = fmax(depth_lower, found.depth_lower);
                any = any || found.overlap != GRAZE_VERDICT_NO;
                certain = certain || found.overlap == GRAZE_VERDICT_YES;
            }
        assert_int_equal(all.overlap, certain ? GRAZE_VERDICT_YES : any ? GRAZE_VERDICT_UNKNOWN : GRAZE_VERDICT_NO);
        if (count_a * count_b > 1)
        {
            assert_true(all.lower == lower && all.depth_lower == depth_lower);
            assert_true(!(lower > 0) || lower == INFINITY || (all.part_a < count_a && all.part_b < count_b));
            if (lower > 0 && lower < INFINITY)
            {
                assert_int_equal(
                    graze_shape_pair_depth(NULL, &parts_a[all.part_a], &parts_b[all.part_b], &options, &found),
                    GRAZE_STATUS_OK);
                assert_true(found.lower == lower);
                others += first[0] + first[1] > 0;
            }
            double way = any ? box_way(&a, &b) : 0;
            assert_true(all.upper <= way * (1 + 1e-12) + 1e-12 || way == INFINITY);
            assert_true(way == INFINITY || all.upper >= way * (1 - 1e-12) - 1e-12);
            assert_true(all.depth_upper <= all.upper);
            deep += lower > 0;
        }
        random_shape_clear(&x);
        random_shape_clear(&y);
    }
    printf("%d of %d compounds are deep, %d not in their first leaves\n", deep, rounds, others);
    assert_true(deep > rounds / 10 && others > rounds / 40);
}

/* The length of what a pose really moved by, in long doubles. */
static void motions_are_bounded_from_above(void **state)
{
    (void)state;
    test_random random = test_random_start("motions", 12);
    pair_of_boxes p = make_boxes(0);
    for (int round = 0; round < 2000; round++)
    {
        int power = round % 4 == 0 ? random_between(&random, -560, -480) : random_between(&random, -3, 3);
        double way[3];
        long double sum = 0;
        graze_placed moved, at = p.a;
        for (int k = 0; k < 3; k++)
        {
            way[k] = ldexp(random_real(&random, -1, 1), power);
            at.pose.m[4 * k + 3] = power < -100 ? 0 : random_real(&random, -1, 1);
        }
        double length = grz_placed_move(&at, way, &moved);
        for (int k = 0; k < 3; k++)
        {
            assert_true(moved.pose.m[4 * k + 3] == at.pose.m[4 * k + 3] + way[k]);
            long double motion = (long double)moved.pose.m[4 * k + 3] - at.pose.m[4 * k + 3];
            sum += motion * motion;
        }
        assert_true(length >= sqrtl(sum));
        assert_true(length <= sqrtl(sum) * (1 + 1e-14L) + 0x1p-499L);
    }
    release_boxes(&p);
}

/* Radii below the least normal number: the interval of their sum begins below 0. */
static void depths_are_not_negative(void **state)
{
    (void)state;
    static const double points[2][3][3] = {
        {{0x1p-1070, 0x1p-1070, 0x1p-1070}, {0x1p-1070, 0x1p-1070, 0x1p-1070}, {0x1p-1070, 0x1p-1070, 0x1p-1070}},
        {{0x1p-1070, 0x1p-1070, 0x1p-1070}, {0x1p-1070, 0x1p-1070, 0x1p-1070}, {0x1p111, 0x1p-1070, 0x1p-1070}}};
    static const double turn[4] = {4, -3, -1.5, -3}, place[3] = {-1.75, 0.5, -2.25};
    graze_shape *cores[2], *rounded[2];
    graze_placed placed[2];
    graze_shape_depth depth;
    for (int i = 0; i < 2; i++)
    {
        assert_int_equal(graze_shape_create_triangle(NULL, points[i], &cores[i]), GRAZE_STATUS_OK);
        assert_int_equal(graze_shape_create_rounded(NULL, cores[i], 0x1p-1070, &rounded[i]), GRAZE_STATUS_OK);
        placed[i].shape = rounded[i];
        assert_int_equal(graze_pose_from_quaternion(turn, place, &placed[i].pose), GRAZE_STATUS_OK);
    }
    assert_int_equal(graze_shape_pair_depth(NULL, &placed[0], &placed[1], NULL, &depth), GRAZE_STATUS_OK);
    assert_true(depth.lower >= 0 && depth.lower <= depth.upper && depth.depth_lower >= 0);
    for (int i = 0; i < 2; i++)
    {
        graze_shape_destroy(rounded[i]);
        graze_shape_destroy(cores[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_that_are_none_are_refused),
        cmocka_unit_test(sizes_of_structs_and_capacities_are_checked),
        cmocka_unit_test(results_stay_where_nothing_is_found),
        cmocka_unit_test(statuses_of_leaves_are_told),
        cmocka_unit_test(kinds_of_hits_are_counted_as_of_meshes),
        cmocka_unit_test(swapped_shapes_of_one_kind_swap_the_answer),
        cmocka_unit_test(depths_of_compounds_come_from_their_leaves),
        cmocka_unit_test(motions_are_bounded_from_above),
        cmocka_unit_test(depths_are_not_negative),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
