/* SPDX-License-Identifier: MIT */
/*
 * The common volume by crossings of edges and triangles: the same as by splitting triangles, for coarse and fine
 * bodies, mirrored and inside out; known volumes, at all scales; degenerate contacts are refused.
 */
#include "pair/depth/crossing_volume.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "graze/generate.h"
#include "pair/depth/overlap_volume.h"
#include "pair/depth/penetration_work.h"
#include "pair/distance/triangle_distance.h"
#include "support/bodies.h"
#include "support/failing_allocator.h"
#include "support/placed_shapes.h"
#include "support/unit.h"

enum
{
    SEED = 5772,
    SHAPES = 5,
    MOST_CELLS = 20000
};

static void make_shapes(graze_mesh *shapes[SHAPES])
{
    assert_int_equal(graze_mesh_create_torus(NULL, 0.7, 0.3, 9, 7, &shapes[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 0.8, 2, &shapes[1]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_cylinder(NULL, 0.4, 1.8, 11, 3, &shapes[2]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1.5, 0.7, 1, &shapes[3]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_torus(NULL, 0.6, 0.25, 40, 30, &shapes[4]), GRAZE_STATUS_OK);
}

/* By crossings, where every allocation fails in turn: all of them fail from then on, or that one alone. */
static grz_crossing_volume crossing_volume(grz_body_pair *pair, const grz_hits *hits,
                                           const grz_located_surfaces *located, int8_t *const sides[2], double reach)
{
    grz_crossing_volume volume, first;
    int failures = 0;
    assert_int_equal(grz_find_crossing_volume(pair, hits, located->of, sides, reach, &volume), GRAZE_STATUS_OK);
    for (int alone = 0; alone < 2; alone++)
        for (size_t allowed = 0;; allowed++, failures++)
        {
            failing_allocator allocator = {.allowed = allowed, .once = alone == 1};
            graze_context context = failing_allocator_context(&allocator);
            grz_body_pair failing = *pair;
            failing.context = &context;
            graze_status status = grz_find_crossing_volume(&failing, hits, located->of, sides, reach, &first);
            assert_int_equal(allocator.live, 0);
            if (status == GRAZE_STATUS_OK)
                break;
            assert_int_equal(status, GRAZE_STATUS_OUT_OF_MEMORY);
        }
    assert_true(failures >= 2 * 5);
    return volume;
}

/* By crossings, with the sides that the bodies have; and by splitting. */
static grz_crossing_volume both_volumes(const graze_placed_mesh *a, const graze_placed_mesh *b, double relative_error,
                                        grz_overlap_volume *out_split)
{
    grz_pair_hits hits;
    grz_crossing_volume volume;
    int8_t *sides[2];
    double reach = 0;
    assert_int_equal(grz_pair_hits_make(NULL, a, b, NULL, NULL, NULL, &hits), GRAZE_STATUS_OK);
    grz_located_surfaces located = grz_locate_surfaces(&hits.body_pair, &hits.hits);
    assert_int_equal(located.status, GRAZE_STATUS_OK);
    for (int i = 0; i < 2; i++)
    {
        const graze_placed_mesh *placed = hits.body_pair.sides[i].placed;
        size_t count = graze_mesh_triangle_count(placed->mesh);
        grz_body_view view = grz_placed_body_view(&hits.body_pair.sides[i]);
        int interior = grz_body_interior_side(&view, 0);
        assert_int_not_equal(interior, 0);
        sides[i] = malloc(count);
        assert_non_null(sides[i]);
        memset(sides[i], -interior, count);
        reach = fmax(reach, grz_coordinate_bound(placed->mesh, &placed->pose));
    }
    volume = crossing_volume(&hits.body_pair, &hits.hits, &located, sides, reach);
    assert_int_equal(
        grz_split_overlap_volume(&hits.body_pair, &hits.hits, &located, relative_error, MOST_CELLS, out_split),
        GRAZE_STATUS_OK);
    free(sides[0]);
    free(sides[1]);
    grz_located_surfaces_release(NULL, &located);
    grz_pair_hits_release(&hits);
    return volume;
}

static void crossings_give_the_volume_that_splitting_gives(void **state)
{
    (void)state;
    printf("seed %d\n", SEED);
    grz_random random = grz_random_make(SEED);
    graze_mesh *shapes[SHAPES], *turned[SHAPES];
    size_t found = 0, overlapping = 0;
    make_shapes(shapes);
    for (int i = 0; i < SHAPES; i++)
        turned[i] = body_inside_out(shapes[i]);
    for (int round = 0; round < 48; round++)
    {
        size_t i = grz_random_below(&random, SHAPES), j = grz_random_below(&random, SHAPES);
        graze_placed_mesh a = {(round & 1) != 0 ? turned[i] : shapes[i], NULL, placed_pose(&random, 0.6)};
        graze_placed_mesh b = {(round & 2) != 0 ? turned[j] : shapes[j], NULL, placed_pose(&random, 0.6)};
        for (int k = 0; k < 12 && (round & 4) != 0; k += 4) /* mirrored */
            a.pose.m[k] = -a.pose.m[k];
        grz_overlap_volume split;
        grz_crossing_volume volume = both_volumes(&a, &b, 1e-3, &split);
        found += volume.found;
        overlapping += volume.found && volume.value > 1e-3;
        if (!volume.found)
            continue;
        if (!(fabs(volume.value - split.value) <= volume.error + split.error))
            printf("round %d: %.17g +- %g, split %.17g +- %g\n", round, volume.value, volume.error, split.value,
                   split.error);
        assert_true(fabs(volume.value - split.value) <= volume.error + split.error);
        assert_true(volume.error <= 1e-9);
    }
    for (int i = 0; i < SHAPES; i++)
    {
        graze_mesh_destroy(shapes[i]);
        graze_mesh_destroy(turned[i]);
    }
    printf("%zu found, %zu overlap\n", found, overlapping);
    assert_true(found >= 46 && overlapping > 30);
}

/* A bar through a block, turned about its axis, so that every crossing is in general position; and far away. */
static void known_volumes_lie_within_the_error(void **state)
{
    (void)state;
    const double block[6] = {-1, -1, -1, 1, 1, 1}, bar[6] = {-0.25, -0.125, -3, 0.25, 0.125, 3};
    const double axis[3] = {0, 0, 1}, there[3] = {0.1, 0.2, 0.3};
    graze_mesh *first = body_box(block, block + 3), *second = body_box(bar, bar + 3);
    for (int k = 0; k < 3; k++)
    {
        double far = k == 0 ? 0 : k == 1 ? 1e3 : 1e6;
        graze_placed_mesh a = {first, NULL, graze_pose_translation(far, -far, far)}, b = {second, NULL, a.pose};
        assert_int_equal(graze_pose_from_axis_angle(axis, 0.3, there, &b.pose), GRAZE_STATUS_OK);
        for (int row = 0; row < 3; row++)
            b.pose.m[4 * row + 3] += a.pose.m[4 * row + 3];
        grz_overlap_volume split;
        grz_crossing_volume volume = both_volumes(&a, &b, 1e-6, &split);
        assert_true(volume.found);
        assert_true(fabs(volume.value - 0.25) <= volume.error + 4e-15); /* the rotation is rounded */
        printf("far %g: %.17g +- %g\n", far, volume.value, volume.error);
        assert_true(volume.error <= 1e-9 * (1 + far));
    }
    graze_mesh_destroy(first);
    graze_mesh_destroy(second);
}

/* The error is as small as it is for any unit of length. */
static void volumes_are_accurate_at_all_scales(void **state)
{
    (void)state;
    const double block[6] = {-1, -1, -1, 1, 1, 1}, bar[6] = {-0.25, -0.125, -3, 0.25, 0.125, 3};
    const double axis[3] = {0, 0, 1}, there[3] = {0.1, 0.2, 0.3};
    graze_mesh *first = body_box(block, block + 3), *second = body_box(bar, bar + 3);
    for (int exponent = -60; exponent <= 60; exponent += 30)
    {
        graze_placed_mesh a = {first, NULL, graze_pose_identity()}, b = {second, NULL, graze_pose_identity()};
        assert_int_equal(graze_pose_from_axis_angle(axis, 0.3, there, &b.pose), GRAZE_STATUS_OK);
        for (int i = 0; i < 12; i++)
        {
            a.pose.m[i] = ldexp(a.pose.m[i], exponent);
            b.pose.m[i] = ldexp(b.pose.m[i], exponent);
        }
        grz_overlap_volume split;
        grz_crossing_volume volume = both_volumes(&a, &b, 0.3, &split);
        assert_true(volume.found);
        double value = ldexp(volume.value, -3 * exponent), error = ldexp(volume.error, -3 * exponent);
        assert_true(fabs(value - 0.25) <= error + 4e-15); /* the rotation is rounded */
        assert_true(error <= 2e-10);
        assert_true(split.error <= 0.3 * split.value && split.error > 1e-3 * split.value); /* it stops early */
    }
    graze_mesh_destroy(first);
    graze_mesh_destroy(second);
}

enum
{
    SPIKE_VERTICES = 6 + 4,
    SPIKE_TRIANGLES = 8 + 4
};

/* A tetrahedron near x = far. */
static void add_tetrahedron(double far, double lift, double vertices[4][3], uint32_t first, uint32_t corners[12])
{
    static const double unit[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const uint32_t faces[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            vertices[i][k] = 0.01 * (unit[i][k] + (k + 1) * lift) + (k == 0 ? far : 0);
    for (int i = 0; i < 12; i++)
        corners[i] = first + faces[i];
}

/* A spike from a square at x = 0 to x = -far, and a tetrahedron at x = far. The corner `turn` of triangles is first. */
static graze_mesh *make_spike(double far, uint32_t turn)
{
    double vertices[SPIKE_VERTICES][3] = {{-far, 0.01, 0.02}, {1, 0.03, 0.04}, {0, 1, 0},
                                          {0, 0, 1},          {0, -1, 0},      {0, 0, -1}};
    uint32_t corners[3 * SPIKE_TRIANGLES], turned[3 * SPIKE_TRIANGLES];
    for (uint32_t i = 0; i < 4; i++)
    {
        const uint32_t side[6] = {0, 2 + (i + 1) % 4, 2 + i, 1, 2 + i, 2 + (i + 1) % 4};
        memcpy(corners + 6 * (size_t)i, side, sizeof side);
    }
    add_tetrahedron(far, 0, vertices + 6, 6, corners + 24);
    for (uint32_t i = 0; i < 3 * SPIKE_TRIANGLES; i++)
        turned[i] = corners[i / 3 * 3 + (i + turn) % 3];
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices[0];
    def.vertex_count = SPIKE_VERTICES;
    def.corners = turned;
    def.corner_count = 3 * SPIKE_TRIANGLES;
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

/* A box around the spike, and a tetrahedron that crosses the other one. */
static graze_mesh *make_sheath(double far)
{
    const double lower[3] = {-far - 10, -2, -2}, upper[3] = {10, 2, 2};
    graze_mesh *box = body_box(lower, upper), *mesh = NULL;
    double vertices[8 + 4][3];
    uint32_t corners[36 + 12];
    assert_int_equal(graze_mesh_vertex_count(box), 8);
    memcpy(vertices, graze_mesh_vertices(box), 8 * sizeof vertices[0]);
    memcpy(corners, graze_mesh_triangles(box), 36 * sizeof corners[0]);
    add_tetrahedron(far, 0.07, vertices + 8, 8, corners + 36);
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices[0];
    def.vertex_count = 8 + 4;
    def.corners = corners;
    def.corner_count = 36 + 12;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    graze_mesh_destroy(box);
    return mesh;
}

/* Triangles with one corner far from the middle: its height counts whichever corner it is. */
static void the_error_hardly_depends_on_which_corner_is_first(void **state)
{
    (void)state;
    const double far = 1000;
    graze_mesh *sheath = make_sheath(far);
    grz_crossing_volume volumes[3];
    for (uint32_t turn = 0; turn < 3; turn++)
    {
        graze_mesh *spike = make_spike(far, turn);
        graze_placed_mesh a = {spike, NULL, graze_pose_identity()}, b = {sheath, NULL, graze_pose_identity()};
        grz_overlap_volume split;
        volumes[turn] = both_volumes(&a, &b, 0.3, &split);
        assert_true(volumes[turn].found);
        assert_true(fabs(volumes[turn].value - 2 * (far + 1) / 3) <= volumes[turn].error + 1e-6); /* the tetrahedra */
        printf("corner %u: %.17g +- %g\n", (unsigned)turn, volumes[turn].value, volumes[turn].error);
        graze_mesh_destroy(spike);
    }
    for (int turn = 0; turn < 3; turn++)
        assert_true(volumes[turn].error <= 2 * volumes[(turn + 1) % 3].error);
    graze_mesh_destroy(sheath);
}

static void degenerate_contacts_are_refused(void **state)
{
    (void)state;
    const double block[6] = {0, 0, 0, 2, 2, 2},
                 boxes[3][6] = {{0, 0, 1, 2, 2, 3}, {1, 1, 2, 3, 3, 4}, {1, 1, 1, 3, 3, 3}};
    graze_mesh *first = body_box(block, block + 3);
    for (int i = 0; i < 3; i++)
    {
        graze_mesh *second = body_box(boxes[i], boxes[i] + 3);
        graze_placed_mesh a = {first, NULL, graze_pose_identity()}, b = {second, NULL, graze_pose_identity()};
        grz_overlap_volume split;
        grz_crossing_volume volume = both_volumes(&a, &b, 1e-6, &split);
        assert_false(volume.found && !(fabs(volume.value - 1) <= volume.error));
        assert_true(i == 2 || !volume.found); /* two faces lie on one another */
        graze_mesh_destroy(second);
    }
    graze_mesh_destroy(first);
}

/* The second of two boxes of a body begins in the first: an edge that enters both is in the body twice, and what is
   inside is no matter of counting crossings. */
static void bodies_that_overlap_themselves_are_refused(void **state)
{
    (void)state;
    double vertices[16][3];
    uint32_t corners[72];
    static const double boxes[2][2][3] = {{{0, 0, 0}, {4, 4, 4}}, {{2, 0.5, 0.5}, {6, 3.5, 3.25}}};
    for (uint32_t k = 0; k < 2; k++)
    {
        graze_mesh *box = body_box(boxes[k][0], boxes[k][1]);
        assert_int_equal(graze_mesh_triangle_count(box), 12);
        memcpy(vertices[8 * k], graze_mesh_vertices(box), 8 * sizeof *vertices);
        for (uint32_t i = 0; i < 36; i++)
            corners[36 * k + i] = 8 * k + graze_mesh_triangles(box)[i];
        graze_mesh_destroy(box);
    }
    graze_mesh *twice = body_of_triangles(vertices, 16, corners, 24);
    for (int ends_inside = 0; ends_inside < 2; ends_inside++) /* beyond the first box, or in both */
    {
        const double lower[3] = {-3, 1.1, 1.2}, upper[3] = {ends_inside ? 3 : 1, 2.3, 2.4};
        graze_mesh *bar = body_box(lower, upper);
        graze_placed_mesh a = {twice, NULL, graze_pose_identity()}, b = {bar, NULL, graze_pose_identity()};
        grz_overlap_volume split;
        grz_crossing_volume volume = both_volumes(&a, &b, 1e-6, &split);
        assert_true(volume.found == !ends_inside);
        graze_mesh_destroy(bar);
    }
    graze_mesh_destroy(twice);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(crossings_give_the_volume_that_splitting_gives),
                                       cmocka_unit_test(known_volumes_lie_within_the_error),
                                       cmocka_unit_test(volumes_are_accurate_at_all_scales),
                                       cmocka_unit_test(the_error_hardly_depends_on_which_corner_is_first),
                                       cmocka_unit_test(degenerate_contacts_are_refused),
                                       cmocka_unit_test(bodies_that_overlap_themselves_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
