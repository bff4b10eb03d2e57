/* SPDX-License-Identifier: MIT */
/*
 * Kernels for oriented boxes, plain and rounded: no bound is above the distance, which exact queries measure triangle
 * by triangle, also where the box just touches a triangle; all instruction sets give the same bits.
 */
#include "pair/distance/oriented_box.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graze/generate.h"
#include "graze/shape_query.h"
#include "math/vector.h"
#include "mesh/mesh.h"
#include "pair/relative_pose.h"
#include "shape/query.h"
#include "support/environment.h"
#include "support/generators.h"
#include "support/unit.h"

enum
{
    ROUNDS = 240,
    MOST_TRIANGLES = 128
};

typedef struct counters
{
    int touching, apart, far, near, tight;
} counters;

typedef struct setting
{
    graze_mesh *mesh;
    graze_tree *tree;
    graze_shape *box, *triangles[MOST_TRIANGLES];
    double half[3];
    graze_pose mesh_pose, box_pose;
    double distance[MOST_TRIANGLES]; /* upper bounds, in the world */
    grz_tree_frame_box oriented;
    double unit, way[3], radius;
} setting;

/* Round and fine, coarse, or a box of flat faces. */
static void make_mesh(test_random *random, double scale, int kind, graze_mesh **out_mesh)
{
    uint32_t segments = kind == 0 ? 8 : 3;
    double size = scale * random_real(random, 1, 2);
    if (kind < 2)
        assert_int_equal(graze_mesh_create_torus(NULL, scale, 0.4 * scale, segments, segments, out_mesh),
                         GRAZE_STATUS_OK);
    else
        assert_int_equal(graze_mesh_create_box(NULL, size, 0.7 * size, 0.9 * size, 2, out_mesh), GRAZE_STATUS_OK);
}

static void make_setting(test_random *random, double scale, int kind, setting *s)
{
    double size[3];
    make_mesh(random, scale, kind, &s->mesh);
    assert_int_equal(graze_tree_create(NULL, s->mesh, NULL, NULL, &s->tree), GRAZE_STATUS_OK);
    for (int k = 0; k < 3; k++)
    {
        size[k] = scale * pow(2, kind == 2 ? random_real(random, 2, 7) : random_real(random, -5, 1));
        s->half[k] = size[k] / 2;
    }
    assert_int_equal(graze_shape_create_box(NULL, size, &s->box), GRAZE_STATUS_OK);
    for (size_t i = 0; i < graze_mesh_triangle_count(s->mesh); i++)
    {
        double corners[3][3];
        for (int c = 0; c < 3; c++)
            memcpy(corners[c],
                   graze_mesh_vertices(s->mesh) + 3 * (size_t)graze_mesh_triangles(s->mesh)[3 * i + (size_t)c],
                   sizeof corners[c]);
        assert_int_equal(graze_shape_create_triangle(NULL, (const double(*)[3])corners, &s->triangles[i]),
                         GRAZE_STATUS_OK);
    }
    s->mesh_pose = random_rotation(random);
    s->box_pose = kind == 2 ? s->mesh_pose : random_rotation(random); /* faces that are parallel */
    for (int k = 0; k < 3; k++)
    {
        s->mesh_pose.m[4 * k + 3] = random_real(random, -3, 3) * scale;
        s->box_pose.m[4 * k + 3] = s->mesh_pose.m[4 * k + 3] + random_real(random, -1.5, 1.5) * scale;
    }
    if (kind == 2) /* beside it */
    {
        int axis = random_below(random, 3);
        for (int k = 0; k < 3; k++)
            s->box_pose.m[4 * k + 3] += s->box_pose.m[4 * k + axis] * (s->half[axis] + 3 * scale);
    }
}

static void clear_setting(setting *s)
{
    for (size_t i = 0; i < graze_mesh_triangle_count(s->mesh); i++)
        graze_shape_destroy(s->triangles[i]);
    graze_shape_destroy(s->box);
    graze_tree_destroy(s->tree);
    graze_mesh_destroy(s->mesh);
}

static graze_shape_distance distance_to(const setting *s, size_t triangle)
{
    graze_shape_distance d;
    graze_shape_distance_options wanted = graze_shape_distance_options_default();
    grz_shape_query slow = {.slow = true};
    graze_placed a = {s->box, s->box_pose}, b = {s->triangles[triangle], s->mesh_pose};
    assert_int_equal(grz_core_core_distance(&slow, &a, &b, &wanted, &d), GRAZE_STATUS_OK);
    return d;
}

static graze_shape_distance find_nearest(const setting *s)
{
    graze_shape_distance nearest = distance_to(s, 0);
    for (size_t i = 1; i < graze_mesh_triangle_count(s->mesh); i++)
    {
        graze_shape_distance d = distance_to(s, i);
        nearest = d.distance < nearest.distance ? d : nearest;
    }
    return nearest;
}

/* Finds the direction to the nearest triangle, along which gaps are the distance but for their margins, and, if wanted,
   moves the box to it, so that it touches it up to roundings, with its radius. */
static void approach(setting *s, bool touch)
{
    graze_shape_distance nearest = find_nearest(s);
    if (nearest.distance == 0)
        return;
    for (int k = 0; k < 3; k++)
    {
        s->way[k] = nearest.point_b[k] - nearest.point_a[k];
        s->box_pose.m[4 * k + 3] += touch ? s->way[k] * (1 - s->radius / nearest.distance) : 0;
    }
}

/* The least distance of the triangles below a child. */
static double least_below(const setting *s, uint32_t child)
{
    double least = INFINITY;
    if ((child & GRZ_LEAF_FLAG) != 0)
    {
        const grz_leaf *leaf = &s->tree->leaves[child & ~GRZ_LEAF_FLAG];
        for (uint32_t i = 0; i < leaf->count; i++)
            least = fmin(least, s->distance[s->tree->order[leaf->first + i]]);
        return least;
    }
    for (int lane = 0; lane < GRZ_TREE_WIDTH && s->tree->nodes[child].children[lane] != GRZ_NO_CHILD; lane++)
        least = fmin(least, least_below(s, s->tree->nodes[child].children[lane]));
    return least;
}

/* What a kernel says of eight lanes, of which `count` are there, against the distances. */
static void check_lanes(const setting *s, const float gaps[GRZ_LANES], unsigned left, float least,
                        const double distances[GRZ_LANES], unsigned count, counters *c)
{
    double lowest = INFINITY;
    for (unsigned lane = 0; lane < count; lane++)
    {
        bool apart = (left >> lane & 1) == 0;
        assert_true(apart == (gaps[lane] > 0));
        if (apart)
            lowest = fmin(lowest, (double)gaps[lane]);
        assert_true(!apart || s->unit * (double)gaps[lane] <= distances[lane]);
        c->apart += apart;
        c->touching += fabs(distances[lane]) < 1e-9 * s->tree->scale;
        c->far += distances[lane] > 0.1 * s->tree->scale;
        c->tight += apart && s->unit * (double)gaps[lane] > distances[lane] - 1e-4 * s->tree->scale;
        c->near += apart && s->unit * (double)gaps[lane] > 0.5 * distances[lane];
    }
    assert_true((double)least == lowest);
}

/* The corners of triangles lie within their bounds: placed in doubles, in the box's axes and the tree's unit. */
static void check_bounds(const setting *s, const grz_leaf *leaf, const grz_leaf_bounds8 *bounds)
{
    for (uint32_t i = 0; i < leaf->count; i++)
        for (size_t c = 0; c < 3; c++)
        {
            uint32_t triangle = s->tree->order[leaf->first + i];
            double world[3], z[3], height = 0;
            graze_pose_apply(&s->mesh_pose,
                             graze_mesh_vertices(s->mesh) + 3 * (size_t)graze_mesh_triangles(s->mesh)[3 * triangle + c],
                             world);
            for (int k = 0; k < 3; k++)
            {
                z[k] = 0;
                for (int j = 0; j < 3; j++)
                    z[k] += s->box_pose.m[4 * j + k] * (world[j] - s->box_pose.m[4 * j + 3]);
                z[k] *= s->tree->inverse_scale;
                height += z[k] * (double)s->oriented.turned_axis[k];
                assert_true((double)bounds->lower[k][i] <= z[k] && z[k] <= (double)bounds->upper[k][i]);
            }
            assert_true((double)bounds->height[i] <= height);
        }
}

static void check_leaf(const setting *s, const grz_distance_kernels *kernels, const grz_leaf *leaf, counters *c)
{
    float gaps[2][GRZ_LANES], least[2] = {INFINITY, INFINITY};
    double distances[GRZ_LANES] = {0};
    const grz_distance_kernels *plain = grz_distance_kernels_for(GRAZE_INSTRUCTIONS_SCALAR);
    for (uint32_t i = 0; i < leaf->count; i++)
        distances[i] = s->distance[s->tree->order[leaf->first + i]];
    for (int with = 0; with < 2; with++)
    {
        grz_leaf_bounds8 bounds[2];
        least[0] = least[1] = INFINITY;
        unsigned left =
            kernels->box_leaf(&s->oriented, &leaf->triangles, gaps[0], &least[0], with != 0 ? &bounds[0] : NULL);
        assert_int_equal(
            left, plain->box_leaf(&s->oriented, &leaf->triangles, gaps[1], &least[1], with != 0 ? &bounds[1] : NULL));
        assert_memory_equal(gaps[0], gaps[1], sizeof gaps[0]);
        assert_true(least[0] == least[1]);
        check_lanes(s, gaps[0], left, least[0], distances, leaf->count, c);
        if (with == 0)
            continue;
        assert_memory_equal(&bounds[0], &bounds[1], sizeof bounds[0]);
        check_bounds(s, leaf, &bounds[0]);
    }
}

static void check_node(const setting *s, const grz_distance_kernels *kernels, const grz_node *node, counters *c)
{
    float gaps[2][GRZ_LANES], least[2] = {INFINITY, INFINITY};
    double distances[GRZ_LANES] = {0};
    unsigned count = 0;
    const grz_distance_kernels *plain = grz_distance_kernels_for(GRAZE_INSTRUCTIONS_SCALAR);
    for (; count < GRZ_LANES && node->children[count] != GRZ_NO_CHILD; count++)
        distances[count] = least_below(s, node->children[count]);
    unsigned left = kernels->box_nodes(&s->oriented, &node->boxes, gaps[0], &least[0]);
    assert_int_equal(left, plain->box_nodes(&s->oriented, &node->boxes, gaps[1], &least[1]));
    assert_memory_equal(gaps[0], gaps[1], sizeof gaps[0]);
    assert_int_equal(left >> count, 0); /* absent ones are apart */
    check_lanes(s, gaps[0], left, least[0], distances, count, c);
}

static void no_gap_is_above_the_distance(void **state)
{
    (void)state;
    test_random random = test_random_start("oriented boxes", 181);
    counters nodes = {0}, leaves = {0};
    for (int round = 0; round < TEST_ROUNDS(ROUNDS); round++)
    {
        setting s;
        make_setting(&random, round % 5 == 0 ? 0x1p-30 : round % 5 == 1 ? 1e6 : 1, round % 4 % 3, &s);
        s.radius = random_once_in(&random, 2) ? 0 : s.tree->scale * pow(2, random_real(&random, -6, 6));
        approach(&s, round % 3 != 0);
        for (size_t i = 0; i < graze_mesh_triangle_count(s.mesh); i++)
            s.distance[i] = distance_to(&s, i).upper - s.radius;
        assert_true(grz_tree_frame_box_make(s.tree, &s.mesh_pose, s.half, &s.box_pose, &s.oriented, &s.unit));
        assert_true(grz_tree_frame_box_set_radius(s.tree, s.radius, &s.oriented));
        if (round % 2 == 0)
            grz_tree_frame_box_set_axis(&s.mesh_pose, s.way, &s.oriented);
        for (int set = 0; set < GRAZE_INSTRUCTIONS_COUNT; set++)
        {
            const grz_distance_kernels *kernels = grz_distance_kernels_for((graze_instructions)set);
            for (size_t i = 0; i < s.tree->node_count; i++)
                check_node(&s, kernels, &s.tree->nodes[i], &nodes);
            for (size_t i = 0; i < s.tree->leaf_count; i++)
                check_leaf(&s, kernels, &s.tree->leaves[i], &leaves);
        }
        clear_setting(&s);
    }
    printf("children: %d touch, %d are far, %d apart, %d of them with half the distance or more, %d to 1e-4\n",
           nodes.touching, nodes.far, nodes.apart, nodes.near, nodes.tight);
    printf("triangles: %d touch, %d are far, %d apart, %d of them with half the distance or more, %d to 1e-4\n",
           leaves.touching, leaves.far, leaves.apart, leaves.near, leaves.tight);
    assert_true(nodes.tight > TEST_ROUNDS(ROUNDS) && leaves.tight > TEST_ROUNDS(ROUNDS));
    assert_true(nodes.touching > TEST_ROUNDS(ROUNDS) && leaves.touching > TEST_ROUNDS(ROUNDS) &&
                nodes.apart > nodes.far / 2);
    assert_true(leaves.apart > leaves.far && leaves.near > leaves.apart / 2 && nodes.near > 10 * TEST_ROUNDS(ROUNDS));
}

/* A tiny box above the middle of a thin triangle, whose normal has few bits: corners have different heights along it.
 */
static void gaps_above_needles_are_not_too_large(void **state)
{
    (void)state;
    test_random random = test_random_start("oriented boxes above needles", 189);
    graze_mesh mesh = {.exponent = 0};
    const graze_tree tree = {.mesh = &mesh, .scale = 1, .inverse_scale = 1};
    const graze_pose tree_pose = graze_pose_identity();
    const double half[3] = {0x1p-30, 0x1p-30, 0x1p-30};
    int near = 0;
    for (int round = 0; round < TEST_ROUNDS(4000); round++)
    {
        grz_triangles8 leaf = {.unit = 0x1p-15f};
        double p[3][3], unit, gap = pow(2, random_real(&random, -9, -3));
        /* Two corners m u apart, and one that is nearly on the line between them: their normal is about |u| units. */
        int steep = 1 << random_between(&random, 1, 6), m = 16000 / steep, first = random_below(&random, 3);
        int along = random_below(&random, m), beside = random_between(&random, -1, 1);
        const int corners[3][3] = {{-m / 2, -m / 2 * steep, 0},
                                   {m - m / 2, (m - m / 2) * steep, beside},
                                   {along - m / 2, (along - m / 2) * steep + 1, 0}};
        for (int k = 0; k < 3; k++)
            for (int c = 0; c < 3; c++)
            {
                int x = corners[(c + round) % 3][(k + first) % 3];
                p[c][k] = x * 0x1p-15;
                for (int lane = 0; lane < GRZ_LANES; lane++)
                    leaf.corners[c][k][lane] = (int16_t)x;
            }
        const v3 a = v3_load(p[0]), n = v3_cross(v3_sub(v3_load(p[1]), a), v3_sub(v3_load(p[2]), a));
        const v3 middle = v3_scale(1.0 / 3, v3_add(a, v3_add(v3_load(p[1]), v3_load(p[2]))));
        const v3 at = v3_add(middle, v3_scale((random_once_in(&random, 2) ? gap : -gap) / v3_length(n), n));
        graze_pose box_pose = random_rotation(&random);
        grz_tree_frame_box box;
        box_pose.m[3] = at.x;
        box_pose.m[7] = at.y;
        box_pose.m[11] = at.z;
        assert_true(grz_tree_frame_box_make(&tree, &tree_pose, half, &box_pose, &box, &unit));
        for (int set = 0; set < GRAZE_INSTRUCTIONS_COUNT; set++)
        {
            float gaps[GRZ_LANES], least = INFINITY;
            grz_distance_kernels_for((graze_instructions)set)->box_leaf(&box, &leaf, gaps, &least, NULL);
            assert_true(unit * (double)gaps[0] <= gap);
            near += (double)gaps[0] > 0.9 * gap;
        }
    }
    printf("%d of %d gaps are within a tenth of the distance\n", near, GRAZE_INSTRUCTIONS_COUNT * TEST_ROUNDS(4000));
    assert_true(near > GRAZE_INSTRUCTIONS_COUNT * TEST_ROUNDS(4000) / 4);
}

/* What the kernels count on: margins of the largest coordinates, and the error of the exact transform. Boxes and trees
   are far from their origins too, while they are near one another, and matrices are rotations up to roundings. */
static void check_margins(const graze_tree *tree, const graze_pose *tree_pose, const double half[3],
                          const graze_pose *box_pose, int *far)
{
    grz_tree_frame_box box;
    double unit, d[3], placed[3], sum = 0, sizes = 0, farthest = 0;
    assert_true(grz_tree_frame_box_make(tree, tree_pose, half, box_pose, &box, &unit));
    assert_true(unit == tree->scale * (1 - 0x1p-18));
    const double *r = tree_pose->m, *s = box_pose->m;
    for (int k = 0; k < 3; k++)
    {
        d[k] = s[4 * k + 3] - r[4 * k + 3];
        placed[k] = r[4 * k] * tree->origin[0] + r[4 * k + 1] * tree->origin[1] + r[4 * k + 2] * tree->origin[2] - d[k];
        sum += fabs(d[k]) + fabs(tree->origin[k]);
        sizes += half[k] / tree->scale;
    }
    double inverse_errors = grz_transposed_error(r) + grz_transposed_error(s);
    double error = (inverse_errors + 64 * 0x1p-52) * (2 * sum / tree->scale + 2 * sizes + 6);
    for (int k = 0; k < 3; k++)
    {
        double offset = 0, centre = -tree->origin[k], reach = error;
        for (int i = 0; i < 3; i++)
        {
            double turn = 0;
            offset += s[4 * i + k] * placed[i];
            centre += r[4 * i + k] * d[i];
            for (int j = 0; j < 3; j++)
                turn += s[4 * j + i] * r[4 * j + k];
            reach += fabs(turn) * half[i] / tree->scale;
        }
        offset /= tree->scale;
        centre /= tree->scale;
        farthest = fmax(farthest, fmax(fabs(offset), fabs(centre)));
        assert_true((double)box.upper[k] >= centre + reach * (1 - 0x1p-40) - 0.01 * error);
        assert_true((double)box.lower[k] <= centre - reach * (1 - 0x1p-40) + 0.01 * error);
        assert_true((double)box.half[k] >= half[k] / tree->scale);
        assert_true(fabs((double)box.offset[k] - offset) <= 0x1p-23 * fabs(offset) + error);
        assert_true(fabs((double)box.centre[k] - centre) <= 0x1p-23 * fabs(centre) + error);
    }
    assert_true((double)box.margin >= 1.77 * error + 0x1p-23 * (16 * farthest + 10 * sizes + 64));
    *far += 1.77 * error > 0x1p-25;
}

static void margins_are_those_that_kernels_need(void **state)
{
    (void)state;
    test_random random = test_random_start("oriented boxes, margins", 184);
    int far = 0;
    for (int round = 0; round < TEST_ROUNDS(400); round++)
    {
        graze_mesh mesh = {.exponent = 0};
        graze_tree tree = {.mesh = &mesh};
        double half[3], away = pow(2, random_real(&random, round % 2 == 0 ? 15 : -4, 18));
        tree.scale = ldexp(1, random_between(&random, -30, 30));
        tree.inverse_scale = 1 / tree.scale;
        graze_pose tree_pose = random_rotation(&random), box_pose = random_rotation(&random);
        for (int k = 0; k < 9; k++)
            box_pose.m[4 * (k / 3) + k % 3] *= 1 - random_between(&random, 0, 30) * 0x1p-52;
        for (int k = 0; k < 3; k++)
        {
            half[k] = tree.scale * pow(2, random_real(&random, -6, 6));
            tree.origin[k] = tree.scale * away * random_real(&random, -0.5, 0.5);
        }
        for (int k = 0; k < 3; k++)
        {
            double place = 0;
            for (int i = 0; i < 3; i++)
                place += tree_pose.m[4 * k + i] * tree.origin[i];
            box_pose.m[4 * k + 3] = random_real(&random, -3, 3) * tree.scale;
            tree_pose.m[4 * k + 3] = (round % 4 < 3 ? -place : 0) + random_real(&random, -3, 3) * tree.scale;
        }
        check_margins(&tree, &tree_pose, half, &box_pose, &far);
    }
    printf("%d of %d are so far away that the error of the transform counts\n", far, TEST_ROUNDS(400));
    assert_true(far > TEST_ROUNDS(400) / 16);
}

static void poses_that_do_not_turn_are_refused(void **state)
{
    (void)state;
    test_random random = test_random_start("oriented boxes, poses", 182);
    setting s;
    make_setting(&random, 1, 0, &s);
    graze_pose stretched = s.box_pose, far = s.box_pose;
    stretched.m[0] *= 1 + 0x1p-40;
    far.m[3] = 0x1p30;
    assert_true(grz_tree_frame_box_make(s.tree, &s.mesh_pose, s.half, &s.box_pose, &s.oriented, &s.unit));
    assert_false(grz_tree_frame_box_make(s.tree, &s.mesh_pose, s.half, &stretched, &s.oriented, &s.unit));
    assert_false(grz_tree_frame_box_make(s.tree, &stretched, s.half, &s.box_pose, &s.oriented, &s.unit));
    assert_false(grz_tree_frame_box_make(s.tree, &s.mesh_pose, s.half, &far, &s.oriented, &s.unit));
    for (int power = -401; power <= 401; power += 802)
    {
        graze_mesh mesh = {.exponent = 0};
        graze_tree tree = {.mesh = &mesh, .scale = ldexp(1, power), .inverse_scale = ldexp(1, -power)};
        const double half[3] = {tree.scale, tree.scale, tree.scale};
        graze_pose here = graze_pose_identity();
        assert_false(grz_tree_frame_box_make(&tree, &here, half, &here, &s.oriented, &s.unit));
    }
    far.m[3] = NAN;
    assert_false(grz_tree_frame_box_make(s.tree, &s.mesh_pose, s.half, &far, &s.oriented, &s.unit));
    assert_true(grz_tree_frame_box_set_radius(s.tree, 1, &s.oriented));
    assert_false(grz_tree_frame_box_set_radius(s.tree, 0x1p30, &s.oriented));
    assert_false(grz_tree_frame_box_set_radius(s.tree, NAN, &s.oriented));
    clear_setting(&s);
}

/* A normal whose length is just enough, while the squares of two of its components are flushed to zero. */
static void tiny_normals_are_not_taken_for_shorter_ones(void **state)
{
    (void)state;
    const int edges[2][3] = {{0, 1, -1}, {7, -64, 0}}; /* their product is (-64, -7, -7) */
    const double half[3] = {0x1p-40, 0x1p-40, 0x1p-40}, at[3] = {0x1.fp-10, 0x1.fp-10 * 7 / 64, 0x1.fp-10 * 7 / 64};
    graze_mesh mesh = {.exponent = 0};
    const graze_tree tree = {.mesh = &mesh, .scale = 1, .inverse_scale = 1};
    grz_tree_frame_box box;
    graze_pose box_pose = graze_pose_identity(), tree_pose = box_pose;
    double unit, distance = sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);
    int separated = 0;
    for (int k = 0; k < 3; k++)
        box_pose.m[4 * k + 3] = -at[k];
    assert_true(grz_tree_frame_box_make(&tree, &tree_pose, half, &box_pose, &box, &unit));
    for (int power = -40; power <= -26; power++)
    {
        grz_triangles8 leaf = {.unit = ldexpf(1, power)};
        for (int k = 0; k < 3; k++)
            for (int lane = 0; lane < GRZ_LANES; lane++)
            {
                leaf.corners[1][k][lane] = (int16_t)edges[0][k];
                leaf.corners[2][k][lane] = (int16_t)(edges[0][k] + edges[1][k]);
            }
        for (int environment = 0; environment < ENVIRONMENTS; environment++)
            for (int set = 0; set < GRAZE_INSTRUCTIONS_COUNT; set++)
            {
                float gaps[GRZ_LANES], least = INFINITY;
                saved_environment saved;
                environment_enter(&saved, environment);
                unsigned left =
                    grz_distance_kernels_for((graze_instructions)set)->box_leaf(&box, &leaf, gaps, &least, NULL);
                environment_leave(&saved);
                separated += left == 0;
                assert_true(unit * (double)gaps[0] <= distance);
            }
    }
    assert_true(separated > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_gap_is_above_the_distance),
        cmocka_unit_test(tiny_normals_are_not_taken_for_shorter_ones),
        cmocka_unit_test(gaps_above_needles_are_not_too_large),
        cmocka_unit_test(margins_are_those_that_kernels_need),
        cmocka_unit_test(poses_that_do_not_turn_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
