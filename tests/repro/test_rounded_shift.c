/* SPDX-License-Identifier: MIT */
/*
 * Meshes that are only translated. The difference of their translations was taken for exact although it was rounded,
 * and all decisions used it: of translations with one decimal, one in ten near contact was answered wrongly, with
 * trees, in one order of the arguments.
 */
#include <math.h>
#include <stdio.h>

#include "graze/pair.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/unit.h"

static uint64_t count_pairs(const graze_placed_mesh *a, const graze_placed_mesh *b)
{
    graze_pair_counts counts = {0};
    assert_int_equal(graze_pair_count(NULL, a, b, NULL, &counts), GRAZE_STATUS_OK);
    return counts.pairs;
}

static uint64_t count_by_oracle(const test_mesh *a, const graze_pose *pose_a, const test_mesh *b,
                                const graze_pose *pose_b)
{
    static graze_triangle_contact contacts[MOST_TRIANGLES * 4];
    oracle *judge = oracle_create();
    oracle_mesh first = mesh_for_oracle(a, pose_a), second = mesh_for_oracle(b, pose_b);
    oracle_mesh_contacts(judge, &first, &second, contacts);
    oracle_destroy(judge);
    uint64_t pairs = 0;
    for (size_t i = 0; i < a->triangle_count * b->triangle_count; i++)
        pairs += contacts[i].found;
    return pairs;
}

/* Two sheets, each at a level of its own, tested with trees in both orders. */
typedef struct sheets
{
    test_mesh parts[2];
    graze_mesh *meshes[2];
    graze_tree *trees[2];
} sheets;

static void make_sheets(sheets *s, double level_a, double level_b)
{
    *s = (sheets){0};
    mesh_add_sheet(&s->parts[0], 2, level_a, 1);
    mesh_add_sheet(&s->parts[1], 2, level_b, 1);
    for (int i = 0; i < 2; i++)
    {
        s->meshes[i] = mesh_create(&s->parts[i]);
        assert_int_equal(graze_tree_create(NULL, s->meshes[i], NULL, NULL, &s->trees[i]), GRAZE_STATUS_OK);
    }
}

static void release_sheets(sheets *s)
{
    for (int i = 0; i < 2; i++)
    {
        graze_tree_destroy(s->trees[i]);
        graze_mesh_destroy(s->meshes[i]);
    }
}

/* Returns the number of intersecting pairs. */
static uint64_t check(const sheets *s, const double move_a[3], const double move_b[3])
{
    graze_placed_mesh a = {s->meshes[0], s->trees[0], graze_pose_translation(move_a[0], move_a[1], move_a[2])};
    graze_placed_mesh b = {s->meshes[1], s->trees[1], graze_pose_translation(move_b[0], move_b[1], move_b[2])};
    uint64_t expected = count_by_oracle(&s->parts[0], &a.pose, &s->parts[1], &b.pose);
    if (count_pairs(&a, &b) != expected || count_pairs(&b, &a) != expected)
        fail_msg("moved by %a %a %a and %a %a %a", move_a[0], move_a[1], move_a[2], move_b[0], move_b[1], move_b[2]);
    return expected;
}

static void squares_less_than_a_digit_apart_do_not_touch(void **state)
{
    (void)state;
    sheets s;
    make_sheets(&s, 0, -3);
    assert_int_equal(check(&s, (double[3]){0, 0, -3.5}, (double[3]){0, 0, -0.5000000000000001}), 0);
    assert_int_equal(check(&s, (double[3]){0, 0, -3.5}, (double[3]){0, 0, -0.5}), 4);
    release_sheets(&s);
}

static void translations_with_one_decimal_are_decided_as_they_are(void **state)
{
    (void)state;
    test_random random = test_random_start("rounded shift", 20260402);
    size_t meet = 0, apart = 0;
    for (int k = 0; k < 400; k++)
    {
        /* B's level is a whole number, its translation brings it to A's or one digit past. */
        int level = random_between(&random, -8, 8);
        double move = 0.1 * random_between(&random, -80, 80), lift = move - level;
        if (random_once_in(&random, 3))
            lift = nextafter(lift, random_once_in(&random, 2) ? INFINITY : -INFINITY);
        sheets s;
        make_sheets(&s, 0, level);
        double side = 0.5 * random_between(&random, -1, 1);
        uint64_t pairs = check(&s, (double[3]){side, 0, move}, (double[3]){0, 0.25, lift});
        meet += pairs > 0;
        apart += pairs == 0;
        release_sheets(&s);
    }
    printf("%zu meet, %zu lie apart\n", meet, apart);
    assert_true(meet > 40 && apart > 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(squares_less_than_a_digit_apart_do_not_touch),
        cmocka_unit_test(translations_with_one_decimal_are_decided_as_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
