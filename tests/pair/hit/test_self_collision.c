/* SPDX-License-Identifier: MIT */
/*
 * One mesh against itself: equal, pair by pair, to a reference that constructs the intersection of two triangles and
 * tests whether it is more than their common corners; nothing on clean surfaces; folds, duplicates and crossings found.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graze/generate.h"
#include "graze/search.h"
#include "graze/tasks.h"
#include "support/meshes.h"
#include "support/unit.h"

enum
{
    ROUNDS = 1500,
    MOST_PAIRS = 40 * 40,
    MOST_HITS = 100000
};

static bool same_point(const double *p, const double *q)
{
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

static bool is_common(const graze_mesh *mesh, uint32_t p, uint32_t q, bool merge)
{
    const double *vertices = graze_mesh_vertices(mesh);
    return p == q || (merge && same_point(vertices + 3 * (size_t)p, vertices + 3 * (size_t)q));
}

/* Whether triangles i and j collide, by construction: every shared point must be a common corner. */
static bool twin_collides(const graze_mesh *mesh, uint32_t i, uint32_t j, bool merge)
{
    const double *vertices = graze_mesh_vertices(mesh);
    const uint32_t *a = graze_mesh_triangles(mesh) + 3 * (size_t)i, *b = graze_mesh_triangles(mesh) + 3 * (size_t)j;
    graze_placed_triangle first = {.pose = NULL}, second = {.pose = NULL};
    for (int k = 0; k < 3; k++)
    {
        first.corners[k] = vertices + 3 * (size_t)a[k];
        second.corners[k] = vertices + 3 * (size_t)b[k];
    }
    graze_intersection shared = graze_triangle_intersection(&first, &second);
    bool used[3] = {false, false, false};
    uint32_t common[3];
    int common_count = 0;
    for (int k = 0; k < 3; k++)
    {
        for (int m = 0; m < 3; m++)
        {
            if (!used[m] && is_common(mesh, a[k], b[m], merge))
            {
                used[m] = true;
                common[common_count++] = a[k];
                break;
            }
        }
    }
    if (common_count == 3)
        return true;
    for (int k = 0; k < shared.count; k++)
    {
        bool known = false;
        for (int m = 0; m < common_count; m++)
            known = known || same_point(shared.points[k], vertices + 3 * (size_t)common[m]);
        if (!known)
            return true;
    }
    return false;
}

typedef struct tallies
{
    uint64_t hits, empty, coplanar;
} tallies;

static void expect_twin(const graze_mesh *mesh, const graze_self_subject *subject, tallies *sums)
{
    static graze_hit hits[MOST_PAIRS];
    graze_pair_counts counts, counted;
    assert_int_equal(graze_self_gather(NULL, subject, NULL, hits, MOST_PAIRS, &counts), GRAZE_STATUS_OK);
    assert_true(counts.pairs <= MOST_PAIRS);
    size_t next = 0, triangle_count = graze_mesh_triangle_count(mesh);
    for (uint32_t i = 0; i < triangle_count; i++)
    {
        for (uint32_t j = i + 1; j < triangle_count; j++)
        {
            bool listed = next < counts.pairs && hits[next].triangle_a == i && hits[next].triangle_b == j;
            assert_int_equal(listed, twin_collides(mesh, i, j, subject->merge_equal_vertices));
            if (listed)
                assert_true(hits[next].contact.found);
            next += listed;
        }
    }
    assert_int_equal(next, counts.pairs);
    assert_int_equal(graze_self_count(NULL, subject, NULL, &counted), GRAZE_STATUS_OK);
    assert_memory_equal(&counted, &counts, sizeof counts);
    bool any = false;
    assert_int_equal(graze_self_any(NULL, subject, NULL, &any, NULL), GRAZE_STATUS_OK);
    assert_int_equal(any, counts.pairs > 0);
    sums->hits += counts.pairs;
    sums->coplanar += counts.coplanar;
    sums->empty += counts.pairs == 0;
}

static void make_mesh(test_random *random, test_mesh *mesh)
{
    mesh->vertex_count = mesh->triangle_count = 0;
    switch (random_below(random, 5))
    {
    case 0:
        mesh_add_soup(mesh, random, random_between(random, 3, 9), random_between(random, 2, 20), 4);
        break;
    case 1: /* two cubes, which may touch, cross or coincide */
        mesh_add_cube(mesh, random_below(random, 3), random_below(random, 3), random_below(random, 3), 2);
        mesh_add_cube(mesh, random_below(random, 3), random_below(random, 3), random_below(random, 3), 2);
        break;
    case 2: /* sheets, some triangles twice */
        mesh_add_sheet(mesh, random_below(random, 3), random_below(random, 2), 2);
        mesh_add_sheet(mesh, random_below(random, 3), random_below(random, 2), 1);
        break;
    case 3:
        mesh_add_bipyramid(mesh, random_below(random, 4), random_below(random, 4), random_below(random, 4), 0.5);
        break;
    default: /* many triangles over few vertices: neighbours of every kind, folded and degenerate ones too */
        mesh_add_soup(mesh, random, random_between(random, 4, 7), random_between(random, 2, 14), 3);
        break;
    }
}

static void hits_are_those_of_the_twin(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 20260311);
    tallies sums = {0};
    for (int n = 0; n < ROUNDS; n++)
    {
        static const double factors[] = {1.0, 3.0, 0x1p-1050,
                                         0x1p500}; /* exact: the reference compares rounded points */
        test_mesh shape;
        make_mesh(&random, &shape);
        mesh_scale(&shape, factors[random_below(&random, 4)]);
        graze_mesh *mesh = mesh_create(&shape);
        graze_tree_def def = graze_tree_def_default();
        def.leaf_size = (uint32_t)random_between(&random, 1, 8);
        graze_tree *tree = NULL;
        assert_int_equal(graze_tree_create(NULL, mesh, &def, NULL, &tree), GRAZE_STATUS_OK);
        graze_self_subject subject = {mesh, n % 2 == 0 ? tree : NULL, n % 4 < 2};
        expect_twin(mesh, &subject, &sums);
        graze_tree_destroy(tree);
        graze_mesh_destroy(mesh);
    }
    printf("%llu hits, %llu coplanar, %llu empty\n", (unsigned long long)sums.hits, (unsigned long long)sums.coplanar,
           (unsigned long long)sums.empty);
    assert_true(sums.hits > 10000);
    assert_true(sums.coplanar > 1500);
    assert_true(sums.empty > 100);
}

static graze_pair_counts count_self(graze_mesh *mesh, bool merge)
{
    graze_tree *tree = NULL;
    assert_int_equal(graze_tree_create(NULL, mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
    graze_self_subject subject = {mesh, tree, merge};
    graze_pair_counts with, without;
    assert_int_equal(graze_self_count(NULL, &subject, NULL, &with), GRAZE_STATUS_OK);
    subject.tree = NULL;
    assert_int_equal(graze_self_count(NULL, &subject, NULL, &without), GRAZE_STATUS_OK);
    assert_memory_equal(&with, &without, sizeof with);
    graze_tree_destroy(tree);
    return with;
}

/* The same triangles with corners of their own, as an STL file has them. */
static graze_mesh *make_soup_of(const graze_mesh *mesh)
{
    size_t corner_count = 3 * graze_mesh_triangle_count(mesh);
    double *vertices = malloc(corner_count * 3 * sizeof *vertices);
    uint32_t *corners = malloc(corner_count * sizeof *corners);
    assert_true(vertices != NULL && corners != NULL);
    for (size_t i = 0; i < corner_count; i++)
    {
        size_t vertex = graze_mesh_triangles(mesh)[i];
        memcpy(vertices + 3 * i, graze_mesh_vertices(mesh) + 3 * vertex, 3 * sizeof *vertices);
        corners[i] = (uint32_t)i;
    }
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = corner_count;
    def.corners = corners;
    def.corner_count = corner_count;
    graze_mesh *soup = NULL;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &soup), GRAZE_STATUS_OK);
    free(vertices);
    free(corners);
    return soup;
}

static void clean_surfaces_do_not_collide_with_themselves(void **state)
{
    (void)state;
    graze_mesh *meshes[7] = {NULL};
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 12, &meshes[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_torus(NULL, 1, 0.3, 48, 24, &meshes[1]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 2, 1, 0.5, 7, &meshes[2]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_cylinder(NULL, 0.2, 3, 60, 2, &meshes[3]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_bumpy_shell(NULL, 1, 0.1, 12, 3, &meshes[4]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_tetrahedra(NULL, 1.2, 150, 7, &meshes[5]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_pipes(NULL, 1, 0.05, 8, 3000, 1, &meshes[6]), GRAZE_STATUS_OK);
    for (int i = 0; i < 7; i++)
    {
        assert_int_equal(count_self(meshes[i], false).pairs, 0);
        assert_int_equal(count_self(meshes[i], true).pairs, 0);
        graze_mesh *soup = make_soup_of(meshes[i]);
        assert_true(count_self(soup, false).pairs > graze_mesh_triangle_count(soup));
        assert_int_equal(count_self(soup, true).pairs, 0);
        graze_mesh_destroy(soup);
        graze_mesh_destroy(meshes[i]);
    }
}

static graze_pair_counts count_triangles(const double (*vertices)[3], size_t vertex_count, const uint32_t *corners,
                                         size_t corner_count)
{
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = vertex_count;
    def.corners = corners;
    def.corner_count = corner_count;
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    graze_pair_counts counts = count_self(mesh, false);
    graze_mesh_destroy(mesh);
    return counts;
}

static void neighbours_collide_only_beyond_what_they_share(void **state)
{
    (void)state;
    static const double vertices[][3] = {{0, 0, 0},  {4, 0, 0},  {0, 4, 0},   {4, 4, 0}, {1, 1, 0},
                                         {-4, 0, 0}, {0, -4, 0}, {1, 1, -2},  {1, 1, 2}, {2, 0, 0},
                                         {0, 0, 3},  {8, 0, 0},  {-1, -1, 5}, {2, 2, 0}};
    static const struct
    {
        uint32_t corners[6];
        uint64_t pairs, coplanar;
    } cases[] = {
        {{0, 1, 2, 1, 3, 2}, 0, 0},  /* flat, side by side */
        {{0, 1, 2, 0, 1, 6}, 0, 0},  /* flat, on both sides of the edge, flipped */
        {{0, 1, 2, 0, 1, 4}, 1, 1},  /* folded onto its neighbour */
        {{0, 1, 2, 0, 1, 10}, 0, 0}, /* at an angle */
        {{0, 1, 2, 0, 1, 2}, 1, 1},  /* a duplicate */
        {{0, 1, 2, 2, 0, 1}, 1, 1},  /* a duplicate, rotated */
        {{0, 1, 2, 0, 5, 6}, 0, 0},  /* flat, one corner in common */
        {{0, 1, 2, 0, 4, 13}, 1, 0}, /* a segment without area within the other */
        {{0, 1, 2, 0, 3, 9}, 1, 1},  /* flat, one corner in common and an area */
        {{0, 1, 2, 0, 7, 8}, 1, 0},  /* one corner in common, and through the interior */
        {{0, 1, 2, 0, 9, 10}, 1, 0}, /* one corner in common, and along the edge */
        {{0, 1, 2, 0, 5, 10}, 0, 0}, /* one corner in common, away from the other */
        {{0, 1, 9, 0, 9, 11}, 1, 0}, /* segments: [0, 4] and [0, 8] with 0 and 2 in common */
        {{0, 9, 11, 0, 9, 5}, 0, 0}, /* and [0, 8] and [-4, 2] */
        {{0, 1, 2, 4, 7, 12}, 1, 0}, /* no common corner: through the face, */
        {{0, 1, 2, 4, 8, 10}, 1, 0}, /* and a corner on it */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
        graze_pair_counts counts = count_triangles(vertices, sizeof vertices / sizeof *vertices, cases[i].corners, 6);
        assert_int_equal(counts.pairs, cases[i].pairs);
        assert_int_equal(counts.coplanar, cases[i].coplanar);
    }
}

/* Flat neighbours on each other's edge and one ulp beside it, in every coordinate plane and order of corners. */
static void neighbours_are_decided_to_the_ulp(void **state)
{
    (void)state;
    enum
    {
        ON_LINE,
        INSIDE,
        OUTSIDE
    };
    const double steps[3] = {1, nextafter(1, 2), nextafter(1, 0)};
    for (int where = ON_LINE; where <= OUTSIDE; where++)
        for (int plane = 0; plane < 3; plane++)
            for (uint32_t order = 0; order < 9; order++)
            {
                /* The first triangle fills the angle from (1, 1) to (-1, 1). The second starts at (1, s), and goes on
                   to (2, -1); another has (-1, 1) and (1, 1) in common with the first and its last corner near (0, 1).
                 */
                const double flat[6][2] = {{0, 0}, {1, 1}, {-1, 1}, {1, steps[where]}, {2, -1}, {0, 1}};
                double vertices[6][3] = {{0}};
                for (int i = 0; i < 6; i++)
                {
                    vertices[i][plane] = flat[i][0];
                    vertices[i][(plane + 1) % 3] = flat[i][1];
                }
                vertices[5][(plane + 1) % 3] = steps[where == ON_LINE ? 0 : 3 - where];
                uint32_t by_corner[6], by_edge[6];
                const uint32_t corner[6] = {0, 1, 2, 0, 3, 4}, edge[6] = {0, 1, 2, 1, 2, 5};
                for (uint32_t k = 0; k < 3; k++)
                {
                    by_corner[k] = corner[(k + order) % 3];
                    by_corner[3 + k] = corner[3 + (k + order / 3) % 3];
                    by_edge[k] = edge[(k + order) % 3];
                    by_edge[3 + k] = edge[3 + (k + order / 3) % 3];
                }
                graze_pair_counts counts = count_triangles((const double(*)[3])vertices, 6, by_corner, 6);
                assert_int_equal(counts.pairs, where != OUTSIDE);
                assert_int_equal(counts.coplanar, where == INSIDE);
                counts = count_triangles((const double(*)[3])vertices, 6, by_edge, 6);
                /* On the line the second is a segment, the common edge itself; inside it overlaps the first. */
                assert_int_equal(counts.pairs, where == INSIDE);
            }
}

/* The statements of graze/self.h on triangles with repeated corners. */
static void repeated_corners_are_shared_corner_by_corner(void **state)
{
    (void)state;
    static const struct
    {
        uint32_t first[3], second[3];
        bool collide;
    } cases[] = {
        {{0, 1, 0}, {0, 2, 0}, false}, /* two segments from one point, */
        {{0, 1, 0}, {0, 3, 0}, true},  /* and two that overlap */
        {{0, 1, 0}, {1, 0, 0}, true},  /* three corners in common */
        {{0, 1, 0}, {0, 1, 2}, false}, /* on the common edge, */
        {{0, 3, 0}, {0, 1, 2}, true},  /* and on half of it, with one corner in common */
        {{0, 0, 0}, {0, 1, 2}, false}, {{0, 0, 0}, {0, 0, 0}, true},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int merge = 0; merge < 2; merge++)
        {
            test_mesh parts = {0};
            mesh_add_vertex(&parts, 0, 0, 0);
            mesh_add_vertex(&parts, 2, 0, 0);
            mesh_add_vertex(&parts, 0, 2, 0);
            mesh_add_vertex(&parts, 1, 0, 0);
            mesh_add_triangle(&parts, cases[c].first[0], cases[c].first[1], cases[c].first[2]);
            mesh_add_triangle(&parts, cases[c].second[0], cases[c].second[1], cases[c].second[2]);
            graze_mesh *mesh = mesh_create(&parts);
            graze_self_subject subject = {mesh, NULL, merge != 0};
            bool found = false;
            assert_int_equal(graze_self_any(NULL, &subject, NULL, &found, NULL), GRAZE_STATUS_OK);
            assert_int_equal(found, cases[c].collide);
            graze_mesh_destroy(mesh);
        }
}

/* Two triangles with an edge in common, whose ends are written with zeros of either sign. */
static void zeros_of_both_signs_are_one_place(void **state)
{
    (void)state;
    for (int signs = 0; signs < 64; signs++)
    {
        double zeros[2][3];
        for (int i = 0; i < 6; i++)
            zeros[i / 3][i % 3] = (signs >> i & 1) != 0 ? -0.0 : 0.0;
        test_mesh parts = {.vertex_count = 0};
        mesh_add_vertex(&parts, zeros[0][0], zeros[0][1], zeros[0][2]);
        mesh_add_vertex(&parts, 2, 0, 0);
        mesh_add_vertex(&parts, 0, 2, 0);
        mesh_add_vertex(&parts, zeros[1][0], zeros[1][1], zeros[1][2]);
        mesh_add_vertex(&parts, 2, 0, 0);
        mesh_add_vertex(&parts, 0, -2, 1);
        mesh_add_triangle(&parts, 0, 1, 2);
        mesh_add_triangle(&parts, 3, 4, 5);
        graze_mesh *mesh = mesh_create(&parts);
        assert_int_equal(count_self(mesh, false).pairs, 1);
        assert_int_equal(count_self(mesh, true).pairs, 0);
        graze_mesh_destroy(mesh);
    }
}

static void threads_and_pieces_find_the_same(void **state)
{
    (void)state;
    static graze_hit expected[MOST_HITS], found[MOST_HITS];
    graze_mesh *mesh = NULL;
    graze_tree *tree = NULL;
    graze_pool *pool = NULL;
    assert_int_equal(graze_mesh_create_aircraft(NULL, 10, 20000, &mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
    assert_int_equal(graze_pool_create(NULL, 3, &pool), GRAZE_STATUS_OK);
    graze_context context = graze_context_default();
    context.tasks = graze_pool_tasks(pool);
    graze_self_subject subject = {mesh, NULL, true};
    graze_pair_counts without, with;
    assert_int_equal(graze_self_gather(NULL, &subject, NULL, expected, MOST_HITS, &without), GRAZE_STATUS_OK);
    assert_true(without.pairs > 100 && without.pairs <= MOST_HITS);
    subject.tree = tree;
    graze_stats stats;
    graze_pair_options options = graze_pair_options_default();
    options.stats = &stats;
    for (int threads = 0; threads < 2; threads++)
    {
        assert_int_equal(graze_self_gather(threads == 0 ? NULL : &context, &subject, &options, found, MOST_HITS, &with),
                         GRAZE_STATUS_OK);
        assert_memory_equal(&with, &without, sizeof with);
        for (size_t i = 0; i < with.pairs; i++)
            assert_true(found[i].triangle_a == expected[i].triangle_a && found[i].triangle_b == expected[i].triangle_b);
    }
    printf("%llu hits, %llu triangle tests, %llu exact signs\n", (unsigned long long)with.pairs,
           (unsigned long long)stats.triangle_tests, (unsigned long long)stats.exact_signs);
    /* A triangle has about twelve neighbours, each pair of them is tested once. */
    assert_true(stats.triangle_tests < 12 * graze_mesh_triangle_count(mesh));
    graze_search *search = NULL;
    assert_int_equal(graze_search_create_self(&context, &subject, GRAZE_SEARCH_COUNT, NULL, &search), GRAZE_STATUS_OK);
    options.budget.box_tests = 5000;
    unsigned pieces = 1;
    while (graze_search_run(search, &options.budget) == GRAZE_STATUS_UNFINISHED)
        pieces++;
    graze_search_state end = graze_search_examine(search);
    assert_memory_equal(&end.counts, &without, sizeof without);
    assert_true(pieces > 5);
    graze_search_destroy(search);
    graze_pool_destroy(pool);
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    graze_pair_counts counts;
    bool found;
    graze_self_subject nothing = {NULL, NULL, false};
    assert_int_equal(graze_self_count(NULL, NULL, NULL, &counts), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_self_any(NULL, &nothing, NULL, &found, NULL), GRAZE_STATUS_BAD_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hits_are_those_of_the_twin),
        cmocka_unit_test(clean_surfaces_do_not_collide_with_themselves),
        cmocka_unit_test(neighbours_collide_only_beyond_what_they_share),
        cmocka_unit_test(neighbours_are_decided_to_the_ulp),
        cmocka_unit_test(repeated_corners_are_shared_corner_by_corner),
        cmocka_unit_test(zeros_of_both_signs_are_one_place),
        cmocka_unit_test(threads_and_pieces_find_the_same),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
