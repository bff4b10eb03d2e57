/* SPDX-License-Identifier: MIT */
/*
 * Meshes whose poses have equal rotations: with trees, where contacts are decided many at a time by the rest of the
 * translation, the hits are those without trees, where exact predicates decide in the world. Translations fit exactly,
 * up to rounding, up to some ulps, or not at all; rotations differ by an ulp, mirror, scale, or have no inverse.
 */
#include <gmp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graze/generate.h"
#include "graze/pair.h"
#include "graze/tree.h"
#include "pair/hit/contact_frame.h"
#include "support/generators.h"
#include "support/unit.h"

enum
{
    TRIANGLES = 60,
    MOST_HITS = TRIANGLES * TRIANGLES
};

/* Triangles on a small lattice, minus an offset. */
static graze_mesh *make_soup(test_random *random, double unit, const double offset[3])
{
    double vertices[3 * TRIANGLES][3];
    uint32_t corners[3 * TRIANGLES];
    for (uint32_t i = 0; i < 3 * TRIANGLES; i++)
    {
        corners[i] = i;
        for (int k = 0; k < 3; k++)
            vertices[i][k] = unit * random_between(random, 0, 5) - offset[k];
    }
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices[0];
    def.vertex_count = def.corner_count = 3 * TRIANGLES;
    def.corners = corners;
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

typedef enum fit
{
    EXACTLY, /* whole numbers, no rotation */
    ROUNDED,
    NUDGED,   /* by some ulps */
    MIRRORED, /* and scaled */
    TURNED,   /* one entry of the matrix differs by an ulp */
    FLATTENED,
    SLIPPED, /* whole numbers, but for an ulp of one: no common lattice */
    FITS
} fit;

static void place(test_random *random, fit how, const double offset[3], graze_pose *a, graze_pose *b)
{
    bool whole = how == EXACTLY || how == SLIPPED;
    *a = whole ? graze_pose_identity() : random_rotation(random);
    for (int k = 0; k < 3; k++)
        a->m[4 * k + 3] = whole ? random_between(random, -9, 9) : random_real(random, -300, 300);
    for (int k = 0; how == MIRRORED && k < 3; k++)
        a->m[4 * k] *= -1.5;
    for (int k = 0; how == FLATTENED && k < 3; k++)
        a->m[4 * k + 1] = a->m[4 * k];
    graze_pose back = graze_pose_translation(offset[0], offset[1], offset[2]);
    assert_int_equal(graze_pose_compose(a, &back, b, NULL), GRAZE_STATUS_OK);
    for (int k = 0; k < 3; k++)
        memcpy(b->m + 4 * k, a->m + 4 * k, 3 * sizeof *b->m);
    for (int k = 0; how == NUDGED && k < 3; k++)
        for (int n = random_below(random, 4); n > 0; n--)
            b->m[4 * k + 3] = one_ulp(random, b->m[4 * k + 3]);
    if (how == SLIPPED)
        b->m[7] = one_ulp(random, b->m[7]);
    if (how == TURNED)
        b->m[5] = one_ulp(random, b->m[5]);
}

static void hits_are_those_of_the_world_however_parts_fit(void **state)
{
    (void)state;
    test_random random = test_random_start("hits_are_those_of_the_world_however_parts_fit", 321);
    static graze_hit expected[MOST_HITS], found[MOST_HITS];
    uint64_t touching[FITS] = {0}, crossing[FITS] = {0};
    for (int round = 0; round < 180; round++)
    {
        fit how = (fit)(round % FITS);
        double unit = round % 5 == 0 ? 0.1 : 0.25, offset[3] = {100, -30, 7}, nowhere[3] = {0, 0, 0};
        graze_mesh *a = make_soup(&random, unit, nowhere), *b = make_soup(&random, unit, offset);
        graze_tree *tree_a = NULL, *tree_b = NULL;
        assert_int_equal(graze_tree_create(NULL, a, NULL, NULL, &tree_a), GRAZE_STATUS_OK);
        assert_int_equal(graze_tree_create(NULL, b, NULL, NULL, &tree_b), GRAZE_STATUS_OK);
        graze_placed_mesh first = {a, NULL, {{0}}}, second = {b, NULL, {{0}}};
        graze_pair_counts counts, again;
        place(&random, how, offset, &first.pose, &second.pose);
        assert_int_equal(graze_pair_gather(NULL, &first, &second, NULL, expected, MOST_HITS, &counts), GRAZE_STATUS_OK);
        first.tree = tree_a;
        second.tree = tree_b;
        for (int choice = GRAZE_INSTRUCTIONS_SCALAR; choice < GRAZE_INSTRUCTIONS_COUNT; choice++)
        {
            graze_context context = graze_context_default();
            context.instructions = (graze_instructions)choice;
            assert_int_equal(graze_pair_gather(&context, &first, &second, NULL, found, MOST_HITS, &again),
                             GRAZE_STATUS_OK);
            assert_memory_equal(&again, &counts, sizeof counts);
            assert_memory_equal(found, expected, counts.pairs * sizeof *found);
        }
        touching[how] += counts.touching;
        crossing[how] += counts.crossing;
        graze_tree_destroy(tree_a);
        graze_tree_destroy(tree_b);
        graze_mesh_destroy(a);
        graze_mesh_destroy(b);
    }
    for (int how = 0; how < FITS; how++)
        printf("%d: %llu touch, %llu cross\n", how, (unsigned long long)touching[how],
               (unsigned long long)crossing[how]);
    assert_true(touching[EXACTLY] > 5000 && crossing[ROUNDED] > 1000 && crossing[NUDGED] > 1000);
    assert_true(crossing[MIRRORED] > 1000 && crossing[TURNED] > 1000);
    assert_true(crossing[SLIPPED] > 1000);
}

/* The frame of a query between two boxes. */
static grz_contact_frame frame_of(const graze_placed_mesh *a, const graze_placed_mesh *b)
{
    grz_query query = {.a = a, .b = b};
    grz_contact_frame frame = {0};
    assert_int_equal(grz_query_start(&query), GRAZE_STATUS_OK);
    assert_true(query.uses_trees && grz_contact_frame_make(&query, &frame));
    return frame;
}

/* B is moved by an offset along A's axes; s = t + r must be that up to the rounding of translations, and r known better
   than that. */
static void the_rest_is_found_where_rotations_are_equal(void **state)
{
    (void)state;
    test_random random = test_random_start("the_rest_is_found_where_rotations_are_equal", 322);
    const double offset[3] = {100, -30, 7};
    graze_mesh *box = NULL;
    graze_tree *tree = NULL;
    assert_int_equal(graze_mesh_create_box(NULL, 4, 2, 2, 1, &box), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, box, NULL, NULL, &tree), GRAZE_STATUS_OK);
    int found[FITS] = {0};
    for (int round = 0; round < 300; round++)
    {
        fit how = (fit)(round % FLATTENED);
        graze_placed_mesh a = {box, tree, {{0}}}, b = a;
        place(&random, how, offset, &a.pose, &b.pose);
        grz_contact_frame frame = frame_of(&a, &b);
        found[how] += frame.translates;
        assert_true(frame.translates == (how != TURNED));
        for (int k = 0; k < 3 && frame.translates; k++)
        {
            assert_true(frame.pose[4 * k + 3] == offset[k] && frame.pose[5 * k] == 1);
            assert_true(fabs(frame.rest[k]) + frame.rest_error <= frame.rest_size && frame.rest_size < 1e-11);
            assert_true(frame.rest_error <= 1e-9 * frame.rest_size || how == EXACTLY);
        }
    }
    assert_true(found[ROUNDED] > 20 && found[NUDGED] > 20 && found[MIRRORED] > 20);
    graze_tree_destroy(tree);
    graze_mesh_destroy(box);
}

/* A tetrahedron with a corner at `first` and edges of the given lengths along the axes. */
static graze_mesh *make_corner(const double first[3], const double lengths[3])
{
    double vertices[4][3];
    const uint32_t corners[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            vertices[i][k] = first[k] + (i == k + 1 ? lengths[k] : 0);
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices[0];
    def.vertex_count = 4;
    def.corners = corners;
    def.corner_count = 12;
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

/* The lattice of two tetrahedra's frame: A at the origin, B at `first` and moved by t. */
static double lattice_of(const double lengths_a[3], const double first[3], const double lengths_b[3], const double t[3])
{
    const double nowhere[3] = {0, 0, 0};
    graze_placed_mesh a = {make_corner(nowhere, lengths_a), NULL, graze_pose_identity()};
    graze_placed_mesh b = {make_corner(first, lengths_b), NULL, graze_pose_translation(t[0], t[1], t[2])};
    assert_int_equal(graze_tree_create(NULL, a.mesh, NULL, NULL, (graze_tree **)&a.tree), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, b.mesh, NULL, NULL, (graze_tree **)&b.tree), GRAZE_STATUS_OK);
    grz_contact_frame frame = frame_of(&a, &b);
    graze_tree_destroy((graze_tree *)a.tree);
    graze_tree_destroy((graze_tree *)b.tree);
    graze_mesh_destroy((graze_mesh *)a.mesh);
    graze_mesh_destroy((graze_mesh *)b.mesh);
    assert_true(frame.lattice == 0 || (frame.translates && frame.rest_size == 0));
    return frame.lattice;
}

/* In units of A: what B's place, size, lattice and translation may be, and may just not be. */
static void both_meshes_have_a_lattice_where_it_is_coarse_against_both(void **state)
{
    (void)state;
    const double nowhere[3] = {0, 0, 0};
    for (int power = -100; power <= 40; power += 10) /* meshes beyond are scaled */
    {
        double u = ldexp(1, power), thousand = 1000 * u, full = 65535 * u;
        const double lengths[3] = {thousand, 3 * u, 7 * u}, finer[3] = {thousand, 3 * u, 7.5 * u};
        const double coarse[3] = {1024 * u, 2 * u, 8 * u}, first[3] = {64535 * u, 0, 0}, t[3] = {-64535 * u, 0, 0};
        assert_true(lattice_of(lengths, nowhere, lengths, nowhere) == thousand);
        assert_true(lattice_of(lengths, first, lengths, nowhere) == full);
        assert_true(lattice_of(lengths, nowhere, lengths, t) == full);
        assert_true(lattice_of(lengths, first, lengths, t) == thousand);
        assert_true(lattice_of(lengths, first, finer, nowhere) == 0);
        assert_true(lattice_of(finer, first, lengths, nowhere) == 0);
        assert_true(lattice_of(coarse, nowhere, coarse, (double[3]){-129000 * u, 0, 0}) == 130024 * u);
        assert_true(lattice_of(coarse, nowhere, coarse, (double[3]){-129001 * u, 0, 0}) == 0);
        assert_true(lattice_of(lengths, (double[3]){64536 * u, 0, 0}, lengths, nowhere) == 0);
        assert_true(lattice_of(lengths, nowhere, lengths, (double[3]){0, 0.5 * u, 0}) == thousand);
        assert_true(lattice_of(lengths, first, lengths, (double[3]){0, 0.5 * u, 0}) == 0);
        assert_true(lattice_of(lengths, (double[3]){0x1p49 * u, 0, 0}, lengths, (double[3]){-0x1p49 * u, 0, 0}) == 0);
        assert_true(lattice_of(lengths, (double[3]){0x1p47 * u, 0, 0}, lengths, (double[3]){-0x1p47 * u, 0, 0}) ==
                    thousand);
    }
}

/* The row of cofactors of entry (i, .) of the inverse of a pose's matrix, and its determinant. */
static void find_cofactors(const graze_pose *pose, int i, mpq_t out[3], mpq_t determinant)
{
    mpq_t p, q;
    mpq_inits(p, q, NULL);
    mpq_set_ui(determinant, 0, 1);
    for (int j = 0; j < 3; j++)
    {
        int row = (j + 1) % 3, next_row = (j + 2) % 3, column = (i + 1) % 3, next_column = (i + 2) % 3;
        mpq_set_d(p, pose->m[4 * row + column]);
        mpq_set_d(q, pose->m[4 * next_row + next_column]);
        mpq_mul(out[j], p, q);
        mpq_set_d(p, pose->m[4 * row + next_column]);
        mpq_set_d(q, pose->m[4 * next_row + column]);
        mpq_mul(p, p, q);
        mpq_sub(out[j], out[j], p);
        mpq_set_d(p, pose->m[4 * j + i]);
        mpq_mul(p, p, out[j]);
        mpq_add(determinant, determinant, p);
    }
    mpq_clears(p, q, NULL);
}

/* The i-th coordinate of R^-1 (t_B - t_A), less t + r of the frame, in magnitude. */
static double find_rest_error(const graze_pose *a, const graze_pose *b, const grz_contact_frame *frame, int i)
{
    mpq_t cofactors[3], determinant, sum, x;
    mpq_inits(cofactors[0], cofactors[1], cofactors[2], determinant, sum, x, NULL);
    find_cofactors(a, i, cofactors, determinant);
    for (int j = 0; j < 3; j++)
    {
        mpq_t y;
        mpq_init(y);
        mpq_set_d(x, b->m[4 * j + 3]);
        mpq_set_d(y, a->m[4 * j + 3]);
        mpq_sub(x, x, y);
        mpq_mul(x, x, cofactors[j]);
        mpq_add(sum, sum, x);
        mpq_clear(y);
    }
    mpq_div(sum, sum, determinant);
    mpq_set_d(x, frame->pose[4 * i + 3]);
    mpq_sub(sum, sum, x);
    mpq_set_d(x, frame->rest[i]);
    mpq_sub(sum, sum, x);
    double error = fabs(mpq_get_d(sum));
    mpq_clears(cofactors[0], cofactors[1], cofactors[2], determinant, sum, x, NULL);
    return error;
}

/* Matrices that are nearly singular, so that the inverse is known badly, and rests along the worst direction: the error
   of the rest is below its bound, and sometimes not far below. */
static void the_error_of_the_rest_is_bounded_for_matrices_that_are_nearly_singular(void **state)
{
    (void)state;
    test_random random = test_random_start("the_error_of_the_rest_is_bounded", 323);
    graze_mesh *box = NULL;
    graze_tree *tree = NULL;
    assert_int_equal(graze_mesh_create_box(NULL, 4, 2, 2, 1, &box), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, box, NULL, NULL, &tree), GRAZE_STATUS_OK);
    double closest = 0;
    int found = 0;
    for (int round = 0; round < 3000; round++)
    {
        graze_placed_mesh a = {box, tree, random_rotation(&random)}, b;
        int squeezed = random_below(&random, 3), onto = (squeezed + 1) % 3;
        double share = ldexp(1, -random_between(&random, 8, 24));
        b = a;
        for (int k = 0; k < 3; k++) /* one column is nearly another: along their difference, places are hardly moved */
        {
            double *row = a.pose.m + 4 * k, moved = share * row[squeezed];
            row[squeezed] = row[onto] + moved;
            row[3] = 0;
            memcpy(b.pose.m + 4 * k, row, 3 * sizeof *row);
            b.pose.m[4 * k + 3] = ldexp(moved, -46);
        }
        grz_contact_frame frame = frame_of(&a, &b);
        if (!frame.translates || frame.rest_size == 0)
            continue;
        found++;
        assert_true(frame.error >= frame.rest_size + 0x1p-52 * 2);
        for (int i = 0; i < 3; i++)
        {
            double error = find_rest_error(&a.pose, &b.pose, &frame, i);
            assert_true(error <= frame.rest_error);
            closest = fmax(closest, error / frame.rest_error);
        }
    }
    printf("%d found, errors of up to %g of their bounds\n", found, closest);
    assert_true(found > 500 && closest > 0.05);
    graze_tree_destroy(tree);
    graze_mesh_destroy(box);
}

/* One column is much longer than the others: its product with the inverse's rows is known badly, whichever it is. */
static void matrices_with_a_long_column_are_not_inverted(void **state)
{
    (void)state;
    test_random random = test_random_start("matrices_with_a_long_column_are_not_inverted", 324);
    graze_mesh *box = NULL;
    graze_tree *tree = NULL;
    assert_int_equal(graze_mesh_create_box(NULL, 4, 2, 2, 1, &box), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, box, NULL, NULL, &tree), GRAZE_STATUS_OK);
    for (int round = 0; round < 90; round++)
    {
        int power = round / 3 % 2 == 0 ? 10 : 40;
        graze_placed_mesh a = {box, tree, random_rotation(&random)}, b;
        for (int k = 0; k < 3; k++)
            a.pose.m[4 * k + round % 3] *= ldexp(1, power);
        b = a;
        for (int k = 0; k < 3; k++) /* equal poses need no inverse */
            b.pose.m[4 * k + 3] = ldexp(a.pose.m[4 * k + round % 3], -46);
        grz_contact_frame frame = frame_of(&a, &b);
        assert_true(frame.translates == (power == 10));
    }
    graze_tree_destroy(tree);
    graze_mesh_destroy(box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hits_are_those_of_the_world_however_parts_fit),
        cmocka_unit_test(both_meshes_have_a_lattice_where_it_is_coarse_against_both),
        cmocka_unit_test(the_rest_is_found_where_rotations_are_equal),
        cmocka_unit_test(the_error_of_the_rest_is_bounded_for_matrices_that_are_nearly_singular),
        cmocka_unit_test(matrices_with_a_long_column_are_not_inverted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
