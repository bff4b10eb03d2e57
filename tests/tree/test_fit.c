/* SPDX-License-Identifier: MIT */
/*
 * Quality of a fitted tree, beyond containing its triangles: its mesh fills its frame, and it has slabs where they are
 * worth testing, and only there.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "mesh/mesh.h"
#include "support/meshes.h"
#include "support/unit.h"
#include "tree/tree.h"

static graze_tree *tree_of(const graze_mesh *mesh)
{
    graze_tree *tree = NULL;
    assert_int_equal(graze_tree_create(NULL, mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
    return tree;
}

static graze_mesh *random_soup(test_random *random, double scale, const double offset[3])
{
    test_mesh mesh = {0};
    for (uint32_t i = 0; i < 80; i++)
    {
        double x[3][3];
        for (int k = 0; k < 9; k++)
            x[k / 3][k % 3] = offset[k % 3] + scale * random_real(random, -1, 1);
        for (int c = 0; c < 3; c++)
            mesh_add_vertex(&mesh, x[c][0], x[c][1], x[c][2]);
        mesh_add_triangle(&mesh, 3 * i, 3 * i + 1, 3 * i + 2);
    }
    return mesh_create(&mesh);
}

/* In tree coordinates the largest of a mesh are between 1/4 and 1/2, wherever it lies. */
static void a_mesh_fills_the_frame_of_its_tree(void **state)
{
    (void)state;
    static const double scales[] = {1, 0.013, 1e-9, 1e-40, 3e7, 1e40}, distances[] = {0, 1, -7, 1e4};
    test_random random = test_random_start("frames", 31);
    for (size_t s = 0; s < sizeof scales / sizeof *scales; s++)
        for (size_t d = 0; d < sizeof distances / sizeof *distances; d++)
        {
            double far = scales[s] * distances[d];
            const double offset[3] = {far, -far, far / 2};
            graze_mesh *mesh = random_soup(&random, scales[s], offset);
            graze_tree *tree = tree_of(mesh);
            double largest = 0;
            for (uint32_t v = 0; v < mesh->vertex_count; v++)
                for (int k = 0; k < 3; k++)
                    largest = fmax(largest, fabs(grz_mesh_scaled(mesh, v)[k] - tree->origin[k]) * tree->inverse_scale);
            assert_true(tree->usable && tree->scale * tree->inverse_scale == 1);
            assert_true(largest > 0.2499 && largest < 0.5001);
            graze_tree_destroy(tree);
            graze_mesh_destroy(mesh);
        }
}

static bool has_slab(const grz_boxes8 *boxes, int lane)
{
    bool none = boxes->normal[0][lane] == 0 && boxes->normal[1][lane] == 0 && boxes->normal[2][lane] == 0;
    assert_int_equal(none, boxes->slab_lower[lane] == -FLT_MAX && boxes->slab_upper[lane] == FLT_MAX);
    return !none;
}

/* A slab's width as a fraction of the extent of its box in its direction. */
static double share_of(const grz_boxes8 *boxes, int lane)
{
    double width = 0, slab = (double)boxes->slab_upper[lane] - boxes->slab_lower[lane];
    for (int k = 0; k < 3; k++)
        width += fabs((double)boxes->normal[k][lane]) * ((double)boxes->upper[k][lane] - boxes->lower[k][lane]);
    return slab / width;
}

typedef struct tally
{
    int places, slabs;
    double widest; /* fraction */
} tally;

static void count_slabs(const graze_tree *tree, tally *count)
{
    for (size_t n = 0; n < tree->node_count; n++)
        for (int lane = 0; lane < GRZ_TREE_WIDTH && tree->nodes[n].children[lane] != GRZ_NO_CHILD; lane++)
        {
            const grz_boxes8 *boxes = &tree->nodes[n].boxes;
            count->places++;
            if (!has_slab(boxes, lane))
                continue;
            count->slabs++;
            count->widest = fmax(count->widest, share_of(boxes, lane));
        }
}

static void every_place_of_a_tilted_plane_has_a_thin_slab(void **state)
{
    (void)state;
    test_mesh sheet = {0};
    mesh_add_sheet(&sheet, 2, 0, 10);
    for (size_t v = 0; v < sheet.vertex_count; v++)
        sheet.vertices[v][2] = 0.7 * sheet.vertices[v][0] - 0.6 * sheet.vertices[v][1];
    graze_mesh *mesh = mesh_create(&sheet);
    graze_tree *tree = tree_of(mesh);
    tally count = {0};
    count_slabs(tree, &count);
    assert_true(count.places > 10 && count.slabs == count.places && count.widest < 0.01);
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
}

static void slabs_that_span_most_of_their_box_are_left_out(void **state)
{
    (void)state;
    test_random random = test_random_start("slabs of soups", 32);
    tally count = {0};
    for (int k = 0; k < 20; k++)
    {
        graze_mesh *mesh = random_soup(&random, 1, (const double[3]){0, 0, 0});
        graze_tree *tree = tree_of(mesh);
        count_slabs(tree, &count);
        graze_tree_destroy(tree);
        graze_mesh_destroy(mesh);
    }
    printf("%d places, %d slabs, of up to %.2f of their boxes\n", count.places, count.slabs, count.widest);
    assert_in_range(count.slabs, count.places / 8, count.places / 2);
    assert_true(count.widest > 0.5 && count.widest < 0.601);
}

/* A child that had a slab and no longer has one keeps nothing of it. */
static void refitting_clears_slabs(void **state)
{
    (void)state;
    test_random random = test_random_start("slabs after refitting", 33);
    test_mesh given = {0};
    mesh_add_sheet(&given, 0, 0, 10);
    for (size_t v = 0; v < given.vertex_count; v++)
        given.vertices[v][0] = 0.7 * given.vertices[v][1] - 0.6 * given.vertices[v][2];
    graze_mesh *plane = mesh_create(&given);
    for (size_t v = 0; v < given.vertex_count; v++)
        for (int k = 0; k < 3; k++)
            given.vertices[v][k] = random_real(&random, -1, 1);
    graze_mesh *crumpled = mesh_create(&given);
    graze_tree *tree = tree_of(plane);
    tally before = {0}, after = {0};
    count_slabs(tree, &before);
    assert_int_equal(graze_tree_refit(NULL, tree, crumpled), GRAZE_STATUS_OK);
    count_slabs(tree, &after);
    assert_true(after.slabs < before.slabs / 2);
    graze_tree_destroy(tree);
    graze_mesh_destroy(crumpled);
    graze_mesh_destroy(plane);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mesh_fills_the_frame_of_its_tree),
        cmocka_unit_test(every_place_of_a_tilted_plane_has_a_thin_slab),
        cmocka_unit_test(slabs_that_span_most_of_their_box_are_left_out),
        cmocka_unit_test(refitting_clears_slabs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
