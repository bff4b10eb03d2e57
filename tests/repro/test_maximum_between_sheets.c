/* SPDX-License-Identifier: MIT */
/*
 * The search for the deepest common point first asks whether the box around all common points holds a local maximum of
 * the depth. One rule wants the corners of a cell behind all planes, and was given two corners of the box. Between two
 * sheets that face the same way, which meet a strip along the other diagonal, lies a maximum: the depth was [0.499,
 * 0.5] where a common point is 0.562 deep.
 */
#include <math.h>
#include <stdio.h>

#include "graze/depth.h"
#include "graze/distance.h"
#include "graze/mesh_query.h"
#include "support/bodies.h"
#include "support/unit.h"

enum
{
    COLUMNS = 17,
    ROWS = 25,
    GRID = COLUMNS * ROWS,
    MOST_TRIANGLES = 4 * GRID + 4 * (COLUMNS + ROWS)
};

#define HALF_PI 1.57079632679489661923

typedef struct sheets
{
    double vertices[4 * GRID][3];
    uint32_t corners[2 * 3 * MOST_TRIANGLES];
    size_t vertex_count, triangle_count;
} sheets;

/* Lines of a grid: fine in the middle, the last ones far away. */
static double line(int index, int count, double far)
{
    int middle = count / 2, from = index - middle;
    if (index == 0 || index == count - 1)
        return from < 0 ? -far : far;
    if (index == 1 || index == count - 2)
        return from < 0 ? -3 : 3;
    return from * 0.125;
}

static double bump(double x, double y)
{
    if (fabs(x) >= 0.45 || fabs(y) >= 0.95)
        return 0;
    double a = cos(HALF_PI * x / 0.45), b = cos(HALF_PI * y / 0.95);
    return a * a * b * b;
}

static void add_quad(sheets *s, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    const uint32_t corners[6] = {a, b, c, a, c, d};
    for (int i = 0; i < 6; i++)
        s->corners[3 * s->triangle_count + (size_t)i] = corners[i];
    s->triangle_count += 2;
}

/* A block above a sheet with a bump, inside out: the normals of the sheet point up, into the block. */
static void add_block(sheets *s, double bottom, double height, double top, double far)
{
    uint32_t first = (uint32_t)s->vertex_count;
    for (int layer = 0; layer < 2; layer++)
        for (int row = 0; row < ROWS; row++)
            for (int column = 0; column < COLUMNS; column++)
            {
                double *v = s->vertices[s->vertex_count++];
                v[0] = line(column, COLUMNS, far);
                v[1] = line(row, ROWS, far);
                v[2] = layer == 0 ? bottom + height * bump(v[0], v[1]) : top;
            }
    for (uint32_t row = 0; row + 1 < ROWS; row++)
        for (uint32_t column = 0; column + 1 < COLUMNS; column++)
        {
            uint32_t a = first + row * COLUMNS + column, b = a + 1, c = b + COLUMNS, d = a + COLUMNS;
            add_quad(s, a, b, c, d);
            add_quad(s, a + GRID, d + GRID, c + GRID, b + GRID);
        }
    for (uint32_t column = 0; column + 1 < COLUMNS; column++)
    {
        uint32_t a = first + column, b = a + (ROWS - 1) * COLUMNS;
        add_quad(s, a, a + GRID, a + 1 + GRID, a + 1);
        add_quad(s, b, b + 1, b + 1 + GRID, b + GRID);
    }
    for (uint32_t row = 0; row + 1 < ROWS; row++)
    {
        uint32_t a = first + row * COLUMNS, b = a + COLUMNS - 1;
        add_quad(s, a, a + COLUMNS, a + COLUMNS + GRID, a + GRID);
        add_quad(s, b, b + GRID, b + COLUMNS + GRID, b + COLUMNS);
    }
}

/* The depth between the sheets, at points of the middle of the strip. */
static double sample(const graze_placed_mesh *a, const graze_placed_mesh *b)
{
    double deepest = 0;
    for (int i = 0; i < 40; i++)
    {
        const double local[3] = {0, 0, 0.04 * i - 0.4};
        double point[3];
        graze_location in_a, in_b;
        graze_distance distance;
        graze_pose_apply(&a->pose, local, point);
        assert_int_equal(graze_point_in_mesh(NULL, a, point, NULL, &in_a), GRAZE_STATUS_OK);
        assert_int_equal(graze_point_in_mesh(NULL, b, point, NULL, &in_b), GRAZE_STATUS_OK);
        assert_int_equal(graze_placed_mesh_nearest_to_point(NULL, a, point, NULL, &distance), GRAZE_STATUS_OK);
        if (in_a == GRAZE_LOCATION_INSIDE && in_b == GRAZE_LOCATION_INSIDE)
            deepest = fmax(deepest, distance.lower);
    }
    return deepest;
}

static void a_maximum_between_sheets_is_not_dropped(void **state)
{
    (void)state;
    static sheets s;
    const double lengths[2] = {12, 20}, axis[3] = {1, 0, 0}, there[3] = {0, 0, 0};
    graze_deepest_options options = graze_deepest_options_default();
    graze_tree *tree;
    add_block(&s, 0, -0.3, 60, 60);
    add_block(&s, 0.8, 0.3, 55, 55);
    graze_mesh *mesh = body_of_triangles(s.vertices, s.vertex_count, s.corners, s.triangle_count);
    assert_int_equal(graze_tree_create(NULL, mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
    options.max_cells = 1500;
    for (int i = 0; i < 2; i++)
        for (int turn = -1; turn <= 1; turn += 2)
        {
            const double lower[3] = {-0.5, -1, 1.2 - lengths[i]}, upper[3] = {0.5, 1, 1.2};
            graze_mesh *strip = body_box(lower, upper);
            graze_placed_mesh a = {mesh, tree, graze_pose_identity()}, b = {strip, NULL, graze_pose_identity()};
            graze_deepest_point deepest;
            assert_int_equal(graze_pose_from_axis_angle(axis, 0.5 * HALF_PI * turn, there, &a.pose), GRAZE_STATUS_OK);
            b.pose = a.pose;
            assert_int_equal(graze_pair_deepest_point(NULL, &a, &b, &options, &deepest), GRAZE_STATUS_OK);
            double depth = sample(&a, &b);
            if (!(depth <= deepest.upper))
                printf("[%.17g, %.17g] should hold %.17g\n", deepest.lower, deepest.upper, depth);
            assert_true(depth > 0.55 && depth <= deepest.upper);
            graze_mesh_destroy(strip);
        }
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_maximum_between_sheets_is_not_dropped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
