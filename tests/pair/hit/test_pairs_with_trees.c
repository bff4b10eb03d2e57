/* SPDX-License-Identifier: MIT */
/*
 * Queries with trees give exactly the hits of queries without: set against set, for every instruction set and leaf
 * size, on meshes that touch, cross, coincide and miss, under poses that rotate, scale, mirror, flatten and are far
 * away.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"
#include "graze/generate.h"
#include "graze/pair.h"
#include "support/failing_allocator.h"
#include "support/unit.h"

enum
{
    SHAPE_COUNT = 8,
    MOST_HITS = 400000,
    UNIT_BOX = 6,
    PROGRESSION = 7,
    FLATTENED = 6 /* the kind of poses without inverse, below */
};

typedef struct fixture
{
    graze_mesh *meshes[SHAPE_COUNT];
    graze_tree *trees[SHAPE_COUNT][3];
    graze_hit *expected, *found;
} fixture;

static const uint32_t leaf_sizes[3] = {8, 4, 1};

/* Corners of ever smaller triangles around the origin, each half the size of the one before. */
static graze_mesh *make_progression(void)
{
    static double vertices[600][3];
    static uint32_t corners[600];
    for (size_t i = 0; i < 600; i++)
    {
        double size = ldexp(1.0, -(int)(i / 3));
        vertices[i][0] = size * (i % 3 == 1 ? 1 : -0.25);
        vertices[i][1] = size * (i % 3 == 2 ? 1 : -0.25);
        vertices[i][2] = size * (i / 3 % 2 == 0 ? 0.1 : -0.2) * (double)(i % 3);
        corners[i] = (uint32_t)i;
    }
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 600;
    def.corners = corners;
    def.corner_count = 600;
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 6, &f->meshes[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_torus(NULL, 1, 0.3, 24, 12, &f->meshes[1]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_tetrahedra(NULL, 1.2, 150, 7, &f->meshes[2]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_bumpy_shell(NULL, 1, 0.1, 6, 3, &f->meshes[3]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 2, 1, 0.5, 3, &f->meshes[4]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_cylinder(NULL, 0.2, 3, 60, 1, &f->meshes[5]), GRAZE_STATUS_OK); /* slivers */
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 1, &f->meshes[6]), GRAZE_STATUS_OK);
    f->meshes[PROGRESSION] = make_progression();
    for (int i = 0; i < SHAPE_COUNT; i++)
    {
        for (int k = 0; k < 3; k++)
        {
            graze_tree_def def = graze_tree_def_default();
            def.leaf_size = leaf_sizes[k];
            def.quick = (i + k) % 2 == 1;
            assert_int_equal(graze_tree_create(NULL, f->meshes[i], &def, NULL, &f->trees[i][k]), GRAZE_STATUS_OK);
        }
    }
    f->expected = malloc(MOST_HITS * sizeof *f->expected);
    f->found = malloc(MOST_HITS * sizeof *f->found);
    assert_true(f->expected != NULL && f->found != NULL);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    for (int i = 0; i < SHAPE_COUNT; i++)
    {
        for (int k = 0; k < 3; k++)
            graze_tree_destroy(f->trees[i][k]);
        graze_mesh_destroy(f->meshes[i]);
    }
    free(f->expected);
    free(f->found);
    free(f);
    return 0;
}

static graze_pose random_pose(grz_random *random, double reach)
{
    double quaternion[4], translation[3];
    for (int k = 0; k < 4; k++)
        quaternion[k] = grz_random_between(random, -1, 1);
    for (int k = 0; k < 3; k++)
        translation[k] = grz_random_between(random, -reach, reach);
    graze_pose pose;
    assert_int_equal(graze_pose_from_quaternion(quaternion, translation, &pose), GRAZE_STATUS_OK);
    return pose;
}

static void scale_columns(graze_pose *pose, double x, double y, double z)
{
    for (int row = 0; row < 3; row++)
    {
        pose->m[4 * row] *= x;
        pose->m[4 * row + 1] *= y;
        pose->m[4 * row + 2] *= z;
    }
}

/* Poses for both, by kind: generic, grids, common, scaled, mirrored, sheared, flattened, far away. */
static void choose_poses(grz_random *random, unsigned kind, graze_pose *a, graze_pose *b)
{
    *a = random_pose(random, 0.7);
    *b = random_pose(random, 0.7);
    switch (kind % 9)
    {
    case 1: /* integer and half steps: everything touches */
        *a = graze_pose_translation(0.5 * (double)grz_random_below(random, 3), 0, 0);
        *b = graze_pose_translation(0, 0.5 * (double)grz_random_below(random, 3),
                                    0.25 * (double)grz_random_below(random, 3));
        break;
    case 2:
        *b = *a;
        break;
    case 3:
        scale_columns(b, 1.7, 1.7, 1.7);
        break;
    case 4:
        scale_columns(a, -1, 1, 1);
        break;
    case 5:
        scale_columns(b, 0.5, 2, 1);
        b->m[1] += 0.3;
        break;
    case FLATTENED: /* no inverse: trees cannot be used */
        scale_columns(a, 1, 1, 0);
        break;
    case 7:
        for (int row = 0; row < 3; row++)
        {
            a->m[4 * row + 3] += 1e7;
            b->m[4 * row + 3] += 1e7;
        }
        break;
    case 8:
        scale_columns(a, 1e-9, 1e-9, 1e-9);
        scale_columns(b, 1e-9, 1e-9, 1e-9);
        for (int row = 0; row < 3; row++)
        {
            a->m[4 * row + 3] *= 1e-9;
            b->m[4 * row + 3] *= 1e-9;
        }
        break;
    default:
        break;
    }
}

static bool same_hits(const graze_hit *x, const graze_hit *y, size_t count)
{
    for (size_t i = 0; i < count; i++)
    {
        const graze_triangle_contact *p = &x[i].contact, *q = &y[i].contact;
        if (x[i].triangle_a != y[i].triangle_a || x[i].triangle_b != y[i].triangle_b || x[i].face_a != y[i].face_a ||
            x[i].face_b != y[i].face_b || p->found != q->found || p->crossing != q->crossing ||
            p->coplanar != q->coplanar || p->dimension != q->dimension || p->mask_a != q->mask_a ||
            p->mask_b != q->mask_b)
            return false;
    }
    return true;
}

/* Steps whose sums with the corners are exact, are rounded a little, and are rounded completely. */
static double random_step(grz_random *random)
{
    static const double units[] = {0.5, 0.1, 0.5 + 0x1p-52, 0x1p-54, 1e16, 0x1p-1030};
    return units[grz_random_below(random, 6)] * ((double)grz_random_below(random, 5) - 2);
}

static void meshes_that_are_only_shifted_find_the_same_hits(void **state)
{
    fixture *f = *state;
    const uint64_t seed = 20261115;
    printf("seed %llu\n", (unsigned long long)seed);
    grz_random random = grz_random_make(seed);
    uint64_t touching = 0, empty = 0;
    for (unsigned n = 0; n < 300; n++)
    {
        size_t i = 4 + grz_random_below(&random, 3), j = n % 3 == 0 ? i : 4 + grz_random_below(&random, 3);
        graze_placed_mesh a = {.mesh = f->meshes[i], .pose = graze_pose_identity()}, b = a;
        b.mesh = f->meshes[j];
        for (int axis = 0; axis < 3; axis++)
        {
            a.pose.m[4 * axis + 3] = n % 2 == 0 ? 0 : random_step(&random);
            b.pose.m[4 * axis + 3] = n % 5 == 0 ? a.pose.m[4 * axis + 3] : random_step(&random);
        }
        graze_pair_counts expected, found;
        assert_int_equal(graze_pair_gather(NULL, &a, &b, NULL, f->expected, MOST_HITS, &expected), GRAZE_STATUS_OK);
        a.tree = f->trees[i][n % 3];
        b.tree = f->trees[j][n % 3];
        assert_int_equal(graze_pair_gather(NULL, &a, &b, NULL, f->found, MOST_HITS, &found), GRAZE_STATUS_OK);
        assert_int_equal(found.pairs, expected.pairs);
        assert_true(same_hits(f->found, f->expected, (size_t)found.pairs));
        touching += expected.touching;
        empty += expected.pairs == 0;
    }
    assert_true(touching > 10000);
    assert_true(empty > 50);
}

static void trees_and_sweep_find_the_same_hits(void **state)
{
    fixture *f = *state;
    const uint64_t seed = 20260203;
    printf("seed %llu\n", (unsigned long long)seed);
    grz_random random = grz_random_make(seed);
    uint64_t hits = 0, empty = 0, coplanar = 0;
    for (unsigned n = 0; n < 270; n++)
    {
        size_t i = grz_random_below(&random, SHAPE_COUNT), j = grz_random_below(&random, SHAPE_COUNT), k = n / 9 % 3;
        if (n % 9 == FLATTENED) /* everything in one plane meets everything: two unit boxes are enough */
            i = j = UNIT_BOX;
        graze_placed_mesh a = {.mesh = f->meshes[i]}, b = {.mesh = f->meshes[j]};
        choose_poses(&random, n, &a.pose, &b.pose);
        graze_pair_counts expected, found;
        assert_int_equal(graze_pair_gather(NULL, &a, &b, NULL, f->expected, MOST_HITS, &expected), GRAZE_STATUS_OK);
        assert_true(expected.pairs <= MOST_HITS);
        a.tree = f->trees[i][k];
        b.tree = f->trees[j][k];
        graze_hit first = {0}, witness = {0};
        for (int set = GRAZE_INSTRUCTIONS_BEST; set < GRAZE_INSTRUCTIONS_COUNT; set++)
        {
            graze_context context = graze_context_default();
            context.instructions = (graze_instructions)set;
            assert_int_equal(graze_pair_gather(&context, &a, &b, NULL, f->found, MOST_HITS, &found), GRAZE_STATUS_OK);
            assert_int_equal(found.pairs, expected.pairs);
            assert_int_equal(found.crossing, expected.crossing);
            assert_int_equal(found.coplanar, expected.coplanar);
            assert_true(same_hits(f->found, f->expected, (size_t)found.pairs));
            bool any = false;
            assert_int_equal(graze_pair_any(&context, &a, &b, NULL, &any, &witness), GRAZE_STATUS_OK);
            assert_int_equal(any, expected.pairs > 0);
            first = set == GRAZE_INSTRUCTIONS_BEST ? witness : first;
            assert_true(same_hits(&witness, &first, 1)); /* the same first hit, whichever boxes a kernel culls */
        }
        hits += expected.pairs;
        coplanar += expected.coplanar;
        empty += expected.pairs == 0;
    }
    printf("%llu hits, %llu coplanar, %llu empty\n", (unsigned long long)hits, (unsigned long long)coplanar,
           (unsigned long long)empty);
    assert_true(hits > 20000);
    assert_true(coplanar > 1000);
    assert_true(empty > 10);
}

static void trees_spare_nearly_all_work(void **state)
{
    fixture *f = *state;
    graze_placed_mesh a = {.mesh = f->meshes[1], .tree = f->trees[1][0], .pose = graze_pose_identity()};
    graze_placed_mesh b = a;
    b.pose = graze_pose_translation(1.31, 0.02, 0.03);
    graze_stats with, without;
    graze_pair_options options = graze_pair_options_default();
    options.stats = &with;
    graze_pair_counts counts;
    assert_int_equal(graze_pair_count(NULL, &a, &b, &options, &counts), GRAZE_STATUS_OK);
    a.tree = b.tree = NULL;
    options.stats = &without;
    assert_int_equal(graze_pair_count(NULL, &a, &b, &options, &counts), GRAZE_STATUS_OK);
    assert_true(counts.pairs > 0);
    assert_true(with.leaf_pairs > 0 && without.leaf_pairs == 0);
    assert_true(with.triangle_tests < 4 * counts.pairs);
    assert_true(with.box_tests < without.box_tests);
}

static bool is_about(uint64_t x, uint64_t y)
{
    return x <= y + y / 16 + 2 && y <= x + x / 16 + 2;
}

/* Without rotations both sides are treated alike, and so is the work; approximately so for triangles of very different
   sizes, most of which are opened one by one. */
static void swapped_meshes_take_the_same_work(void **state)
{
    fixture *f = *state;
    uint64_t work = 0;
    for (int n = 0; n < 3 * PROGRESSION; n++)
    {
        int shape = n / 3, leaves = n % 3;
        graze_placed_mesh a = {f->meshes[PROGRESSION], f->trees[PROGRESSION][leaves], graze_pose_identity()};
        graze_placed_mesh b = {f->meshes[shape], f->trees[shape][leaves], graze_pose_identity()};
        graze_stats there, back;
        graze_pair_options options = graze_pair_options_default();
        graze_pair_counts counts, swapped;
        options.stats = &there;
        assert_int_equal(graze_pair_count(NULL, &a, &b, &options, &counts), GRAZE_STATUS_OK);
        options.stats = &back;
        assert_int_equal(graze_pair_count(NULL, &b, &a, &options, &swapped), GRAZE_STATUS_OK);
        assert_memory_equal(&counts, &swapped, sizeof counts);
        assert_true(is_about(there.box_tests, back.box_tests) && is_about(there.leaf_pairs, back.leaf_pairs));
        work += there.box_tests;
    }
    assert_true(work > 10000);
}

static void every_failing_allocation_is_survived(void **state)
{
    fixture *f = *state;
    graze_placed_mesh a = {.mesh = f->meshes[2], .tree = f->trees[2][0], .pose = graze_pose_identity()};
    graze_placed_mesh b = {.mesh = f->meshes[3], .tree = f->trees[3][0], .pose = graze_pose_identity()};
    size_t failures = 0;
    for (size_t allowed = 0;; allowed++)
    {
        failing_allocator allocator = {.allowed = allowed};
        graze_context context = failing_allocator_context(&allocator);
        graze_pair_counts counts;
        graze_status status = graze_pair_gather(&context, &a, &b, NULL, f->found, MOST_HITS, &counts);
        assert_int_equal(allocator.live, 0);
        if (status == GRAZE_STATUS_OK)
            break;
        assert_int_equal(status, GRAZE_STATUS_OUT_OF_MEMORY);
        failures++;
    }
    assert_true(failures > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_and_sweep_find_the_same_hits),
        cmocka_unit_test(meshes_that_are_only_shifted_find_the_same_hits),
        cmocka_unit_test(trees_spare_nearly_all_work),
        cmocka_unit_test(swapped_meshes_take_the_same_work),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
