/* SPDX-License-Identifier: MIT */
/*
 * Entry points of the narrow phase for hits: what they count, write and report where there are more hits than asked
 * for, where a budget ends at once, and where arguments are missing. What is a hit, test_pairs.c tells.
 */
#include <stdio.h>
#include <string.h>

#include "graze/generate.h"
#include "graze/pair.h"
#include "graze/self.h"
#include "support/unit.h"

enum
{
    COPIES = 440,   /* of a triangle, in both meshes: 193,600 hits are visited in two passes */
    MOST = 1 << 16, /* reports of progress that are kept */
    FEW = 8
};

static graze_mesh *copies_of_a_triangle(uint32_t count)
{
    static const double vertices[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static uint32_t corners[3 * COPIES];
    graze_mesh_def def = graze_mesh_def_default();
    graze_mesh *mesh;
    for (uint32_t i = 0; i < 3 * count; i++)
        corners[i] = i % 3;
    def.vertices = vertices;
    def.vertex_count = 3;
    def.corners = corners;
    def.corner_count = 3 * (size_t)count;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

typedef struct watch
{
    double shares[MOST];
    size_t count, visits, before; /* before: reports before the first visit */
} watch;

static bool note_share(void *user, double share)
{
    watch *w = user;
    assert_true(share >= 0 && share <= 1 && (w->count == 0 || share >= w->shares[w->count - 1]));
    assert_true(w->count < MOST);
    w->shares[w->count++] = share;
    w->before += w->visits == 0;
    return true;
}

static bool note_hit(void *user, const graze_hit *hit)
{
    (void)hit;
    ((watch *)user)->visits++;
    return true;
}

/* Each pass is so much of the whole as it is hits, and goes on evenly. */
static void progress_of_a_visit_goes_on_in_each_pass(void **state)
{
    (void)state;
    static watch w;
    graze_mesh *mesh = copies_of_a_triangle(COPIES);
    graze_tree *tree;
    assert_int_equal(graze_tree_create(NULL, mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
    const graze_placed_mesh placed = {mesh, tree, graze_pose_identity()};
    graze_pair_options options = graze_pair_options_default();
    options.budget.progress = note_share;
    options.budget.progress_user = &w;
    assert_int_equal(graze_pair_visit(NULL, &placed, &placed, &options, note_hit, &w), GRAZE_STATUS_OK);
    assert_int_equal(w.visits, COPIES * COPIES);
    size_t after = w.count - w.before;
    double first = w.before > 0 ? w.shares[w.before - 1] : 0, middle = w.shares[w.before + after / 2];
    printf("%zu reports in the first pass, up to %g; %zu later, %g in their middle\n", w.before, first, after, middle);
    assert_true(w.before > 4 && after > 4);
    assert_true(first > 0.5 && first < 0.9 && middle > first + 0.02 && w.shares[w.count - 1] > 0.9);
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
}

static void hits_beyond_the_capacity_are_counted(void **state)
{
    (void)state;
    graze_mesh *mesh = copies_of_a_triangle(COPIES);
    const graze_placed_mesh placed = {mesh, NULL, graze_pose_identity()};
    graze_hit hits[FEW];
    graze_pair_counts all, counts;
    assert_int_equal(graze_pair_count(NULL, &placed, &placed, NULL, &all), GRAZE_STATUS_OK);
    assert_int_equal(all.pairs, COPIES * COPIES);
    for (size_t capacity = 0; capacity <= FEW; capacity += FEW / 2)
    {
        assert_int_equal(graze_pair_gather(NULL, &placed, &placed, NULL, hits, capacity, &counts), GRAZE_STATUS_OK);
        assert_memory_equal(&counts, &all, sizeof all);
    }
    for (uint32_t i = 0; i < FEW; i++)
        assert_true(hits[i].triangle_a == 0 && hits[i].triangle_b == i);
    graze_mesh_destroy(mesh);
}

static bool never(void *user, double share)
{
    (void)user;
    (void)share;
    return false;
}

/* Meshes without trees, whose boxes are sorted first: a budget that ends meanwhile leaves no counts of work behind. */
static void what_ends_before_it_begins_has_done_nothing(void **state)
{
    (void)state;
    graze_mesh *mesh;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 40, &mesh), GRAZE_STATUS_OK);
    const graze_placed_mesh placed = {mesh, NULL, graze_pose_identity()};
    for (int kind = 0; kind < 2; kind++)
    {
        graze_stats stats;
        graze_pair_counts counts;
        graze_pair_options options = graze_pair_options_default();
        memset(&stats, 0x55, sizeof stats);
        options.stats = &stats;
        options.budget.seconds = kind == 0 ? 1e-9 : 0;
        options.budget.progress = kind == 0 ? NULL : never;
        assert_int_equal(graze_pair_count(NULL, &placed, &placed, &options, &counts),
                         kind == 0 ? GRAZE_STATUS_UNFINISHED : GRAZE_STATUS_CANCELLED);
        assert_true(stats.box_tests == 0 && stats.leaf_pairs == 0 && stats.triangle_tests == 0 &&
                    stats.exact_signs == 0);
    }
    graze_mesh_destroy(mesh);
}

static void what_is_missing_is_refused(void **state)
{
    (void)state;
    graze_mesh *mesh = copies_of_a_triangle(2);
    const graze_placed_mesh placed = {mesh, NULL, graze_pose_identity()}, none = {NULL, NULL, graze_pose_identity()};
    const graze_self_subject subject = {.mesh = mesh};
    graze_pair_options options = graze_pair_options_default();
    graze_any_options any = graze_any_options_default();
    graze_pair_counts counts;
    graze_intersection shared;
    graze_hit hit = {.triangle_a = 0};
    bool found;
    options.struct_size--;
    any.struct_size--;
    for (int i = 0; i < 2; i++)
    {
        const graze_placed_mesh *b = i == 0 ? &placed : NULL;
        assert_int_equal(graze_pair_any(NULL, &placed, b, i == 0 ? &any : NULL, &found, NULL),
                         GRAZE_STATUS_BAD_ARGUMENT);
        assert_int_equal(graze_pair_count(NULL, &placed, b, i == 0 ? &options : NULL, &counts),
                         GRAZE_STATUS_BAD_ARGUMENT);
        assert_int_equal(graze_pair_gather(NULL, &placed, b, i == 0 ? &options : NULL, &hit, 1, &counts),
                         GRAZE_STATUS_BAD_ARGUMENT);
        assert_int_equal(graze_pair_visit(NULL, &placed, b, i == 0 ? &options : NULL, note_hit, NULL),
                         GRAZE_STATUS_BAD_ARGUMENT);
    }
    assert_int_equal(graze_pair_any(NULL, &placed, &placed, NULL, NULL, NULL), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_pair_count(NULL, &placed, &placed, NULL, NULL), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_pair_gather(NULL, &placed, &placed, NULL, NULL, 1, &counts), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_pair_visit(NULL, &placed, &placed, NULL, NULL, NULL), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_self_any(NULL, &subject, NULL, NULL, NULL), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_self_count(NULL, &subject, &options, &counts), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_hit_intersection(NULL, &placed, &hit, &shared), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_hit_intersection(&placed, NULL, &hit, &shared), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_hit_intersection(&none, &placed, &hit, &shared), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_hit_intersection(&placed, &none, &hit, &shared), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_hit_intersection(&placed, &placed, NULL, &shared), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_hit_intersection(&placed, &placed, &hit, NULL), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_hit_intersection(&placed, &placed, &hit, &shared), GRAZE_STATUS_OK);
    assert_int_equal(shared.count, 3);
    for (int i = 0; i < 3; i++) /* its corners */
        assert_true((shared.points[i][0] == 0 || shared.points[i][0] == 1) && shared.points[i][2] == 0 &&
                    shared.points[i][0] + shared.points[i][1] <= 1);
    graze_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(progress_of_a_visit_goes_on_in_each_pass),
        cmocka_unit_test(hits_beyond_the_capacity_are_counted),
        cmocka_unit_test(what_ends_before_it_begins_has_done_nothing),
        cmocka_unit_test(what_is_missing_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
