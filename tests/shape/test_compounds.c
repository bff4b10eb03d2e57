/* SPDX-License-Identifier: MIT */
/*
 * Which of several pairs of leaves is named: swapped compounds swap the answer, whatever they differ in, also where two
 * pairs tie; triangles that a hit names collide; nothing is named where nothing is found.
 */
#include <math.h>
#include <string.h>

#include "graze/exact.h"
#include "graze/generate.h"
#include "graze/shape_query.h"
#include "support/unit.h"

enum
{
    MOST_PARTS = 4,
    COMPOUNDS = 8
};

typedef struct leaves
{
    graze_mesh *empty[2], *ball, *box;
    graze_shape *nothing[2], *planks[2], *cubes[2], *meshes[2];
} leaves;

static graze_shape *box_of(double x, double y, double z)
{
    const double size[3] = {x, y, z};
    graze_shape *shape;
    assert_int_equal(graze_shape_create_box(NULL, size, &shape), GRAZE_STATUS_OK);
    return shape;
}

static void make_leaves(leaves *l)
{
    graze_mesh_def none = graze_mesh_def_default();
    for (int i = 0; i < 2; i++)
    {
        assert_int_equal(graze_mesh_create(NULL, &none, NULL, &l->empty[i]), GRAZE_STATUS_OK);
        assert_int_equal(graze_shape_create_mesh(NULL, l->empty[i], NULL, false, &l->nothing[i]), GRAZE_STATUS_OK);
        l->planks[i] = i == 0 ? box_of(10, 1, 4) : box_of(1, 10, 4);
        l->cubes[i] = box_of(1 + i, 1 + i, 1 + i);
    }
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 2, &l->ball), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 2, 2, 2, 2, &l->box), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_mesh(NULL, l->ball, NULL, true, &l->meshes[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_mesh(NULL, l->box, NULL, false, &l->meshes[1]), GRAZE_STATUS_OK);
}

static void release_leaves(leaves *l)
{
    for (int i = 0; i < 2; i++)
    {
        graze_shape_destroy(l->nothing[i]);
        graze_shape_destroy(l->planks[i]);
        graze_shape_destroy(l->cubes[i]);
        graze_shape_destroy(l->meshes[i]);
        graze_mesh_destroy(l->empty[i]);
    }
    graze_mesh_destroy(l->ball);
    graze_mesh_destroy(l->box);
}

static graze_shape *join(const graze_placed *parts, size_t count)
{
    graze_shape *shape;
    assert_int_equal(graze_shape_create_compound(NULL, parts, count, &shape), GRAZE_STATUS_OK);
    return shape;
}

static graze_placed at(const graze_shape *shape, double x)
{
    return (graze_placed){shape, graze_pose_translation(x, 0, 0)};
}

/* Compounds whose leaves meet or tie in two pairs, of which each order of arguments comes upon another one first. They
   differ in a pose, in their number of parts, or in a part behind equal ones that are other objects. */
static void make_compounds(const leaves *l, graze_shape *out[COMPOUNDS])
{
    const graze_placed cross[MOST_PARTS] = {at(l->planks[0], 0), at(l->planks[1], 0), at(l->cubes[0], 90)};
    const graze_placed row[2] = {at(l->cubes[0], 0), at(l->cubes[0], 10)};
    const graze_placed turned[2] = {at(l->cubes[1], 10), at(l->cubes[1], 0)};
    const graze_placed copies[2][3] = {{at(l->nothing[0], 0), row[0], row[1]},
                                       {at(l->nothing[1], 0), turned[0], turned[1]}};
    const graze_placed solids[2][2] = {{at(l->meshes[0], 0), at(l->meshes[1], 10)},
                                       {at(l->meshes[1], 10), at(l->meshes[0], 0)}};
    out[0] = join(cross, 2);
    out[1] = join(cross, 3);
    out[2] = join(row, 2);
    out[3] = join(turned, 2);
    out[4] = join(copies[0], 3);
    out[5] = join(copies[1], 3);
    out[6] = join(solids[0], 2);
    out[7] = join(solids[1], 2);
}

static void check_swapped(const graze_placed *a, const graze_placed *b)
{
    graze_verdict verdicts[2];
    graze_shape_hit hits[2];
    graze_shape_distance d[2];
    graze_shape_depth depths[2];
    graze_shape_depth_options options = graze_shape_depth_options_default();
    options.max_queries = 10;
    for (int i = 0; i < 2; i++)
    {
        const graze_placed *x = i == 0 ? a : b, *y = i == 0 ? b : a;
        assert_int_equal(graze_shape_pair_any(NULL, x, y, NULL, &verdicts[i], &hits[i]), GRAZE_STATUS_OK);
        assert_int_equal(graze_shape_pair_distance(NULL, x, y, NULL, &d[i]), GRAZE_STATUS_OK);
        assert_int_equal(graze_shape_pair_depth(NULL, x, y, &options, &depths[i]), GRAZE_STATUS_OK);
    }
    assert_int_equal(verdicts[0], GRAZE_VERDICT_YES);
    assert_int_equal(verdicts[1], GRAZE_VERDICT_YES);
    assert_true(hits[0].part_a == hits[1].part_b && hits[0].part_b == hits[1].part_a);
    assert_true(hits[0].triangle_a == hits[1].triangle_b && hits[0].triangle_b == hits[1].triangle_a);
    assert_true(d[0].part_a == d[1].part_b && d[0].part_b == d[1].part_a && d[0].upper == 0 && d[1].upper == 0);
    assert_true(depths[0].part_a == depths[1].part_b && depths[0].part_b == depths[1].part_a);
    assert_true(depths[0].lower == depths[1].lower && depths[0].upper == depths[1].upper);
}

static void swapped_compounds_name_the_same_leaves(void **state)
{
    (void)state;
    leaves l;
    graze_shape *compounds[COMPOUNDS];
    make_leaves(&l);
    make_compounds(&l, compounds);
    for (int i = 0; i < COMPOUNDS; i++)
        for (int j = 0; j < COMPOUNDS; j++)
        {
            const graze_placed a = at(compounds[i], 0), b = at(compounds[j], 0);
            if (i != j)
                check_swapped(&a, &b);
        }
    for (int i = 0; i < COMPOUNDS; i++)
        graze_shape_destroy(compounds[i]);
    release_leaves(&l);
}

static void place(const graze_placed *compound, uint32_t part, graze_placed *out)
{
    const graze_placed *inner = &graze_shape_parts(compound->shape)[part];
    out->shape = inner->shape;
    assert_int_equal(graze_pose_compose(&compound->pose, &inner->pose, &out->pose, NULL), GRAZE_STATUS_OK);
}

static void corners_of(const graze_placed *placed, const graze_mesh *mesh, uint32_t triangle,
                       graze_placed_triangle *out)
{
    assert_true(triangle < graze_mesh_triangle_count(mesh));
    for (size_t c = 0; c < 3; c++)
        out->corners[c] = graze_mesh_vertices(mesh) + 3 * (size_t)graze_mesh_triangles(mesh)[3 * (size_t)triangle + c];
    out->pose = &placed->pose;
}

/* The leaves and triangles that a hit names have a common point. */
static void check_named(const leaves *l, const graze_placed *a, const graze_placed *b, const graze_shape_hit *hit)
{
    graze_placed x, y;
    graze_placed_triangle first, second;
    place(a, hit->part_a, &x);
    place(b, hit->part_b, &y);
    corners_of(&x, x.shape == l->meshes[0] ? l->ball : l->box, hit->triangle_a, &first);
    corners_of(&y, y.shape == l->meshes[0] ? l->ball : l->box, hit->triangle_b, &second);
    graze_triangle_contact contact = graze_triangle_collide(&first, &second);
    assert_true(contact.found);
    assert_memory_equal(&contact, &hit->contact, sizeof contact);
}

/* The order of two compounds is not that of their leaves, which have each their own. */
static void triangles_that_are_named_collide(void **state)
{
    (void)state;
    leaves l;
    int crossed = 0;
    make_leaves(&l);
    for (int order = 0; order < 4; order++)
        for (int step = -4; step <= 4; step++)
        {
            const graze_placed first[2] = {at(l.meshes[order % 2], 0), at(l.meshes[0], 90)};
            const graze_placed second[2] = {at(l.meshes[order / 2], 0.5 * step), at(l.meshes[1], -90)};
            graze_shape *joined[2] = {join(first, 2), join(second, 2)};
            graze_placed a = at(joined[0], 0), b = at(joined[1], 0.25);
            graze_verdict verdict;
            graze_shape_hit hit;
            for (int round = 0; round < 2; round++)
            {
                const graze_placed *x = round == 0 ? &a : &b, *y = round == 0 ? &b : &a;
                assert_int_equal(graze_shape_pair_any(NULL, x, y, NULL, &verdict, &hit), GRAZE_STATUS_OK);
                if (verdict == GRAZE_VERDICT_YES && hit.triangle_a != GRAZE_NO_TRIANGLE)
                {
                    check_named(&l, x, y, &hit);
                    crossed++;
                }
            }
            graze_shape_destroy(joined[0]);
            graze_shape_destroy(joined[1]);
        }
    assert_true(crossed > 30);
    release_leaves(&l);
}

/* Boxes around balls are nearer than the balls. */
static void nothing_is_named_beyond_the_limit(void **state)
{
    (void)state;
    graze_shape *ball;
    assert_int_equal(graze_shape_create_sphere(NULL, NULL, 1, &ball), GRAZE_STATUS_OK);
    const graze_placed parts[2] = {at(ball, 90), {ball, graze_pose_translation(2, 2, 0)}};
    graze_shape *joined = join(parts, 2);
    const graze_placed a = at(ball, 0), b = at(joined, 0);
    graze_shape_distance d;
    graze_shape_distance_options options = graze_shape_distance_options_default();
    for (int i = 0; i < 2; i++)
    {
        options.limit = i == 0 ? 0.5 : 1; /* the distance is 0.828 */
        assert_int_equal(graze_shape_pair_distance(NULL, &a, &b, &options, &d), GRAZE_STATUS_OK);
        assert_int_equal(d.found, i == 1);
        assert_true(d.part_a == 0 && d.part_b == (i == 0 ? 0 : 1) && d.triangle_a == GRAZE_NO_TRIANGLE);
        assert_true(i == 0 ? d.lower == 0.5 && d.distance == INFINITY : fabs(d.distance - (sqrt(8) - 2)) < 1e-12);
    }
    graze_shape_destroy(joined);
    graze_shape_destroy(ball);
}

/* Leaves are compared one by one: a query that may not compare all of them is unfinished, and says nothing. */
static void budgets_end_between_leaves(void **state)
{
    (void)state;
    graze_shape *box = box_of(1, 1, 1);
    const graze_placed row[3] = {at(box, 0), at(box, 10), at(box, 20)};
    graze_shape *joined = join(row, 3);
    const graze_placed a = at(joined, 0), b = at(joined, 0.5), c = at(joined, 60);
    for (uint64_t most = 1; most < 12; most++)
    {
        graze_shape_options options = graze_shape_options_default();
        graze_verdict verdict = GRAZE_VERDICT_UNKNOWN;
        options.budget.box_tests = most;
        graze_status status = graze_shape_pair_any(NULL, &a, &b, &options, &verdict, NULL);
        assert_true(status == GRAZE_STATUS_OK ? verdict == GRAZE_VERDICT_YES : verdict == GRAZE_VERDICT_UNKNOWN);
        assert_int_equal(status, most == 1 ? GRAZE_STATUS_UNFINISHED : GRAZE_STATUS_OK);
        graze_shape_tolerance_options near = graze_shape_tolerance_options_default();
        near.budget = options.budget;
        verdict = GRAZE_VERDICT_UNKNOWN;
        status = graze_shape_pair_tolerance_any(NULL, &a, &c, 39.5, &near, &verdict, NULL);
        assert_true(status == GRAZE_STATUS_OK ? verdict == GRAZE_VERDICT_YES : verdict == GRAZE_VERDICT_UNKNOWN);
    }
    graze_shape_destroy(joined);
    graze_shape_destroy(box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(swapped_compounds_name_the_same_leaves),
        cmocka_unit_test(triangles_that_are_named_collide),
        cmocka_unit_test(budgets_end_between_leaves),
        cmocka_unit_test(nothing_is_named_beyond_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
