/* SPDX-License-Identifier: MIT */
/*
 * Compounds in compounds: every query of a nested one against a shape of any kind, or another nested one, gives what
 * the flat compound of the same leaves gives, with the same numbers of parts. Poses are on the grid, so that their
 * products are exact.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graze/shape_contact.h"
#include "graze/shape_query.h"
#include "support/random_shapes.h"
#include "support/unit.h"

enum
{
    ROUNDS = 40,
    LEAVES = 4,
    HITS = 64
};

/* The same four leaves twice: ((l0, l1), l2, (l3)) at poses below poses, and flat. */
typedef struct twins
{
    random_shape leaves[LEAVES];
    graze_shape *inner[3], *nested, *flat;
} twins;

static graze_pose grid_pose(test_random *random, int reach)
{
    graze_pose pose = graze_pose_identity();
    int shift = random_below(random, 3);
    for (int i = 0; i < 9; i++)
        pose.m[4 * (i / 3) + i % 3] = i % 3 != (i / 3 + shift) % 3 ? 0 : random_once_in(random, 2) ? 1 : -1;
    for (int k = 0; k < 3; k++)
        pose.m[4 * k + 3] = random_between(random, -reach, reach);
    return pose;
}

static graze_pose product(const graze_pose *outer, const graze_pose *inner)
{
    graze_pose pose;
    assert_int_equal(graze_pose_compose(outer, inner, &pose, NULL), GRAZE_STATUS_OK);
    return pose;
}

static graze_shape *compound(const graze_placed *parts, size_t count)
{
    graze_shape *shape;
    assert_int_equal(graze_shape_create_compound(NULL, parts, count, &shape), GRAZE_STATUS_OK);
    return shape;
}

static void make_twins(test_random *random, twins *t)
{
    graze_placed leaves[LEAVES], flat[LEAVES];
    graze_pose outer[2] = {grid_pose(random, 3), grid_pose(random, 3)}, middle = grid_pose(random, 2);
    for (int i = 0; i < LEAVES; i++)
    {
        graze_shape_kind kind;
        do
            kind = (graze_shape_kind)random_below(random, GRAZE_SHAPE_KIND_COUNT);
        while (kind == GRAZE_SHAPE_COMPOUND || kind == GRAZE_SHAPE_HALF_SPACE);
        random_shape_make(random, kind, &t->leaves[i]);
        leaves[i] = (graze_placed){t->leaves[i].shape, grid_pose(random, 2)};
    }
    t->inner[0] = compound(leaves, 2);
    t->inner[1] = compound(&leaves[3], 1);
    graze_placed deeper = {t->inner[1], middle};
    t->inner[2] = compound(&deeper, 1);
    graze_placed parts[3] = {{t->inner[0], outer[0]}, leaves[2], {t->inner[2], outer[1]}};
    t->nested = compound(parts, 3);
    graze_pose last = product(&outer[1], &middle);
    flat[0] = (graze_placed){leaves[0].shape, product(&outer[0], &leaves[0].pose)};
    flat[1] = (graze_placed){leaves[1].shape, product(&outer[0], &leaves[1].pose)};
    flat[2] = leaves[2];
    flat[3] = (graze_placed){leaves[3].shape, product(&last, &leaves[3].pose)};
    t->flat = compound(flat, LEAVES);
}

static void clear_twins(twins *t)
{
    graze_shape_destroy(t->nested);
    graze_shape_destroy(t->flat);
    for (int i = 2; i >= 0; i--)
        graze_shape_destroy(t->inner[i]);
    for (int i = 0; i < LEAVES; i++)
        random_shape_clear(&t->leaves[i]);
}

typedef struct answers
{
    graze_verdict any, within, cast;
    graze_shape_hit hit, near, hits[HITS];
    graze_shape_distance distance;
    graze_shape_depth depth;
    graze_shape_counts counts;
    graze_shape_cast_hit cast_hit;
    graze_shape_manifold manifolds[2];
    size_t manifold_count;
} answers;

static void ask(const graze_placed *a, const graze_placed *b, const double to[3], answers *out)
{
    graze_shape_contact_options contacts = graze_shape_contact_options_default();
    contacts.margin = 0.25;
    memset(out, 0, sizeof *out);
    assert_int_equal(graze_shape_pair_any(NULL, a, b, NULL, &out->any, &out->hit), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_pair_tolerance_any(NULL, a, b, 0.5, NULL, &out->within, &out->near), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_pair_distance(NULL, a, b, NULL, &out->distance), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_pair_depth(NULL, a, b, NULL, &out->depth), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_pair_gather(NULL, a, b, NULL, out->hits, HITS, &out->counts), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_pair_cast(NULL, a, b, to, NULL, &out->cast, &out->cast_hit), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_pair_contacts(NULL, a, b, &contacts, out->manifolds, 2, &out->manifold_count),
                     GRAZE_STATUS_OK);
}

static void check_same(const answers *x, const answers *y)
{
    assert_true(x->any == y->any && x->within == y->within && x->cast == y->cast);
    assert_true(x->hit.part_a == y->hit.part_a && x->hit.part_b == y->hit.part_b);
    assert_true(x->near.part_a == y->near.part_a && x->near.part_b == y->near.part_b);
    assert_true(x->distance.lower == y->distance.lower && x->distance.upper == y->distance.upper);
    assert_true(x->distance.part_a == y->distance.part_a && x->distance.part_b == y->distance.part_b);
    assert_true(x->depth.overlap == y->depth.overlap && x->depth.lower == y->depth.lower &&
                x->depth.upper == y->depth.upper);
    assert_true(x->counts.hits == y->counts.hits && x->counts.touching == y->counts.touching &&
                x->counts.unknown == y->counts.unknown);
    for (size_t i = 0; i < x->counts.hits && i < HITS; i++)
        assert_true(x->hits[i].part_a == y->hits[i].part_a && x->hits[i].triangle_a == y->hits[i].triangle_a &&
                    x->hits[i].part_b == y->hits[i].part_b && x->hits[i].triangle_b == y->hits[i].triangle_b);
    assert_true(x->cast_hit.t_lower == y->cast_hit.t_lower && x->cast_hit.t_upper == y->cast_hit.t_upper &&
                x->cast_hit.part_a == y->cast_hit.part_a && x->cast_hit.part_b == y->cast_hit.part_b);
    assert_int_equal(x->manifold_count, y->manifold_count);
    assert_memory_equal(x->manifolds, y->manifolds, sizeof x->manifolds);
}

static void nested_compounds_are_the_union_of_their_leaves(void **state)
{
    (void)state;
    test_random random = test_random_start("nested compounds", 64);
    int collide = 0, apart = 0, triangles = 0, contacts = 0;
    for (int round = 0; round < TEST_ROUNDS(ROUNDS); round++)
    {
        static answers nested, flat, both;
        twins t, other;
        random_shape x;
        make_twins(&random, &t);
        make_twins(&random, &other);
        random_shape_make(&random, (graze_shape_kind)random_below(&random, GRAZE_SHAPE_KIND_COUNT), &x);
        graze_pose pose = grid_pose(&random, 6), end = grid_pose(&random, 8);
        const double to[3] = {end.m[3], end.m[7], end.m[11]};
        graze_placed a = {t.nested, grid_pose(&random, 6)}, flat_a = {t.flat, a.pose};
        graze_placed b = {x.shape, pose}, c = {other.nested, pose}, flat_c = {other.flat, pose};
        ask(&a, &b, to, &nested);
        ask(&flat_a, &b, to, &flat);
        check_same(&nested, &flat);
        ask(&b, &a, to, &nested);
        ask(&b, &flat_a, to, &flat);
        check_same(&nested, &flat);
        ask(&a, &c, to, &both);
        ask(&flat_a, &flat_c, to, &flat);
        check_same(&both, &flat);
        collide += both.any == GRAZE_VERDICT_YES;
        apart += both.any == GRAZE_VERDICT_NO;
        triangles += both.counts.hits > 0;
        contacts += both.manifold_count > 0;
        random_shape_clear(&x);
        clear_twins(&other);
        clear_twins(&t);
    }
    printf("%d collide, %d apart, %d with triangles, %d with contacts\n", collide, apart, triangles, contacts);
    assert_true(collide > TEST_ROUNDS(ROUNDS) / 8 && apart > TEST_ROUNDS(ROUNDS) / 8 && triangles > 0 && contacts > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nested_compounds_are_the_union_of_their_leaves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
