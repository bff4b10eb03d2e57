/* SPDX-License-Identifier: MIT */
/*
 * Cells said to have no local maximum of the depth, against hill climbing from points in them: it must leave the cell.
 * Bodies that meet themselves, nested shells of the same orientation, and bodies turned inside out are among them.
 * Winding numbers, which the rule needs.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "pair/depth/normal_cones.h"
#include "pair/depth/simplex_search.h"
#include "pair/distance/triangle_distance.h"
#include "support/bodies.h"
#include "support/placed_shapes.h"
#include "support/unit.h"

enum
{
    SEED = 3313,
    BODIES = 10,
    SOUPS = 4, /* the last of these bodies */
    TETRAHEDRA = 12,
    CRUMBS = 60,
    MOST_SAMPLES = 40
};

/* Two boxes in one mesh; turned over: with all triangles the other way round. */
static graze_mesh *two_boxes(const double first[6], const double second[6], bool turned_over)
{
    double vertices[16][3];
    uint32_t corners[48], sizes[12];
    body_box_vertices(vertices, first, first + 3);
    body_box_vertices(vertices + 8, second, second + 3);
    for (uint32_t face = 0; face < 12; face++)
    {
        sizes[face] = 4;
        for (uint32_t k = 0; k < 4; k++)
            corners[4 * face + (turned_over ? 3 - k : k)] = body_box_corners[4 * (face % 6) + k] + (face < 6 ? 0 : 8);
    }
    return body_of_polygons(vertices, 16, corners, sizes, 12);
}

static void winding_numbers_count_shells(void **state)
{
    (void)state;
    const double outer[6] = {0, 0, 0, 8, 8, 8}, inner[6] = {2, 2, 2, 6, 6, 6};
    const double points[3][3] = {{4, 4.5, 3.75}, {1, 4.5, 3.75}, {-1, 4.5, 3.75}};
    for (int turned_over = 0; turned_over < 2; turned_over++)
    {
        graze_mesh *mesh = two_boxes(outer, inner, turned_over != 0);
        graze_placed_mesh placed = {mesh, NULL, graze_pose_identity()};
        grz_placed_body body;
        assert_int_equal(grz_placed_body_make(NULL, &placed, NULL, NULL, &body), GRAZE_STATUS_OK);
        grz_body_view view = grz_placed_body_view(&body);
        for (int i = 0; i < 3; i++)
        {
            long winding = 7;
            assert_true(grz_winding_number(&view, points[i], &winding));
            assert_int_equal(winding, (2 - i) * (turned_over != 0 ? -1 : 1));
        }
        const double on_it[3] = {8, 4, 4};
        long winding;
        assert_false(grz_winding_number(&view, on_it, &winding));
        grz_placed_body_release(NULL, &body);
        graze_mesh_destroy(mesh);
    }
}

static double distance_of(const grz_simplex_space *space, const double point[3])
{
    grz_nearest_triangle nearest;
    grz_find_nearest_triangle(&space->surfaces[0], point, 0, UINT32_MAX, &nearest);
    return nearest.lower;
}

static bool is_inside(const grz_simplex_space *space, const double point[3])
{
    grz_body_view view = grz_placed_body_view(space->surfaces[0].body);
    return grz_locate_point(&view, point, NULL) == GRAZE_LOCATION_INSIDE;
}

/* Climbs from a point to where no step increases the distance, unless that leads out of the ball. */
static bool ends_in_ball(grz_random *random, const grz_simplex_space *space, const grz_simplex_ball *ball, double x[3])
{
    double height = distance_of(space, x), step = 0.25 * ball->radius;
    for (int failures = 0; step > 1e-4 * ball->radius;)
    {
        double next[3], square = 0;
        for (int axis = 0; axis < 3; axis++)
            next[axis] = x[axis] + step * grz_random_between(random, -1, 1);
        double there = distance_of(space, next);
        if (there > height)
        {
            memcpy(x, next, sizeof next);
            height = there;
            failures = 0;
        }
        else if (++failures > 60)
        {
            step *= 0.5;
            failures = 0;
        }
        for (int axis = 0; axis < 3; axis++)
            square += (x[axis] - ball->centre[axis]) * (x[axis] - ball->centre[axis]);
        if (sqrt(square) > 0.9 * ball->radius)
            return false;
    }
    return true;
}

/* Well inside: by volumes of the four tetrahedra with its faces. */
static bool is_in_cell(const grz_simplex_space *space, const grz_simplex *cell, v3 x)
{
    v3 p[4];
    bool in_cell = true;
    for (int i = 0; i < 4; i++)
        p[i] = grz_simplex_corner(space, cell, i);
    double whole = v3_dot(v3_sub(p[1], p[0]), v3_cross(v3_sub(p[2], p[0]), v3_sub(p[3], p[0])));
    for (int i = 0; i < 4; i++)
    {
        v3 r[4] = {p[0], p[1], p[2], p[3]};
        r[i] = x;
        double part = v3_dot(v3_sub(r[1], r[0]), v3_cross(v3_sub(r[2], r[0]), v3_sub(r[3], r[0])));
        in_cell = in_cell && part / whole > 0.02;
    }
    return in_cell;
}

/* Tetrahedra that meet one another in one mesh, of either orientation: winding numbers of both signs. */
static graze_mesh *soup_of_tetrahedra(grz_random *random)
{
    static const uint32_t faces[12] = {0, 2, 1, 0, 3, 2, 0, 1, 3, 1, 2, 3};
    double vertices[4 * TETRAHEDRA][3];
    uint32_t corners[12 * TETRAHEDRA];
    for (uint32_t i = 0; i < TETRAHEDRA; i++)
    {
        double at[3];
        for (int axis = 0; axis < 3; axis++)
            at[axis] = grz_random_between(random, -0.5, 0.5);
        for (uint32_t k = 0; k < 12; k++)
        {
            vertices[4 * i + k / 3][k % 3] = at[k % 3] + grz_random_between(random, -1, 1);
            corners[12 * i + k] = 4 * i + faces[k];
        }
    }
    return body_of_triangles(vertices, (size_t)4 * TETRAHEDRA, corners, (size_t)4 * TETRAHEDRA);
}

typedef struct climbs
{
    size_t none, some, climbed; /* cells without maximum, others, and climbs from points of the former */
    size_t behind;              /* of the cells without maximum: by normals and planes of leaves */
} climbs;

/* Bodies and cells are scaled by 2^exponent and the next three smaller powers. */
static climbs climb_from_cells(int rounds, int exponent)
{
    printf("seed %d\n", SEED);
    grz_random random = grz_random_make(SEED);
    const double one[6] = {0, 0, 0, 1, 1.25, 0.75}, across[6] = {0.5, 0.25, 0.125, 2, 1, 0.5};
    const double outer[6] = {0, 0, 0, 3, 2, 4}, inner[6] = {0.25, 0.25, 0.25, 2.75, 1.75, 3.75};
    placed_shapes *shapes = placed_shapes_create();
    graze_mesh *bodies[BODIES] = {two_boxes(one, across, false),
                                  two_boxes(outer, inner, false),
                                  two_boxes(one, across, true),
                                  two_boxes(outer, inner, true),
                                  shapes->meshes[0],
                                  shapes->meshes[1]};
    for (int i = BODIES - SOUPS; i < BODIES; i++)
        bodies[i] = soup_of_tetrahedra(&random);
    graze_tree *trees[BODIES] = {NULL};
    for (int i = 0; i < BODIES; i++)
        assert_int_equal(graze_tree_create(NULL, bodies[i], NULL, NULL, &trees[i]), GRAZE_STATUS_OK);
    climbs c = {0, 0, 0, 0};
    for (int round = 0; round < rounds; round++)
    {
        size_t which = (size_t)(round % BODIES);
        graze_placed_mesh placed = {bodies[which], NULL, placed_pose(&random, 1)};
        bool behind = round / BODIES % 3 == 2;
        double scale = ldexp(1, exponent - round / BODIES % 4);
        for (int i = 0; i < 12; i++)
            placed.pose.m[i] *= scale;
        if (which == 4 || which == 5)
            placed.tree = shapes->trees[which - 4][0];
        else if (behind)
            placed.tree = trees[which];
        grz_placed_body body;
        assert_int_equal(grz_placed_body_make(NULL, &placed, NULL, NULL, &body), GRAZE_STATUS_OK);
        assert_true(body.body->adjacency.closed && body.body->adjacency.oriented);
        static grz_simplex_space space;
        memset(&space, 0, sizeof space);
        space.reach = 4 * grz_coordinate_bound(placed.mesh, &placed.pose);
        space.facing[0] = which == 2 || which == 3 ? -1 : 1;
        space.surfaces[0] = grz_surface_make(&body, space.reach, NULL);
        if (behind)
            assert_true(grz_surface_make_leaves(NULL, &space.surfaces[0]) &&
                        grz_surface_make_cones(NULL, &space.surfaces[0]));
        else if (placed.tree != NULL && round / BODIES % 2 == 0) /* surfaces that do not meet themselves */
        {
            assert_true(grz_surface_make_cones(NULL, &space.surfaces[0]));
            space.near_facing[0] = graze_pose_handedness(&placed.pose);
            space.near_depth = INFINITY;
        }
        graze_box box = graze_mesh_bounds(placed.mesh);
        double size = scale * grz_random_between(&random, 0.02, 0.3), at[3], local[3];
        for (int axis = 0; axis < 3; axis++)
            local[axis] = grz_random_between(&random, box.lower[axis], box.upper[axis]);
        graze_pose_apply(&placed.pose, local, at);
        grz_simplex cell = {.owner = GRZ_SPACE};
        for (int k = 0; k < 4; k++)
        {
            double x[3];
            for (int axis = 0; axis < 3; axis++)
                x[axis] = at[axis] + size * grz_random_between(&random, -1, 1);
            assert_true(grz_simplex_vertex_add(&space, x, &cell.vertices[k]));
        }
        grz_simplex_ball ball = grz_simplex_ball_of(&space, &cell);
        double depth = round % 2 == 0 ? 0 : 0.05 * scale;
        if (behind)
        {
            depth = scale * grz_random_between(&random, 0.02, 0.3);
            space.facing[0] *= graze_pose_handedness(&placed.pose);
        }
        bool no_maximum =
            grz_has_no_maximum(&space, 0, behind && round % 2 == 0 ? NULL : &cell, &ball, INFINITY, depth);
        c.none += no_maximum;
        c.behind += behind && no_maximum;
        c.some += !no_maximum;
        for (int k = 0; k < 3 && no_maximum; k++)
        {
            double factors[4], sum = 0, x[3] = {0, 0, 0};
            for (int i = 0; i < 4; i++)
                sum += factors[i] = grz_random_between(&random, 0, 1);
            for (int i = 0; i < 4; i++)
                for (int axis = 0; axis < 3; axis++)
                    x[axis] += factors[i] / sum * space.vertices.data[cell.vertices[i]].x[axis];
            if (!is_inside(&space, x))
                continue;
            c.climbed++;
            if (!ends_in_ball(&random, &space, &ball, x) || !is_inside(&space, x) || distance_of(&space, x) <= depth)
                continue;
            bool in_cell = is_in_cell(&space, &cell, v3_load(x));
            if (in_cell)
                printf("round %d, body %zu: a maximum of %g\n", round, which, distance_of(&space, x));
            assert_false(in_cell);
        }
        grz_release(NULL, space.vertices.data);
        grz_release(NULL, space.normals.data);
        grz_surface_release(NULL, &space.surfaces[0]);
        grz_placed_body_release(NULL, &body);
    }
    printf("%zu cells without maximum, %zu of them by planes of leaves, %zu others, %zu climbs\n", c.none, c.behind,
           c.some, c.climbed);
    for (int i = 0; i < BODIES; i++)
        graze_tree_destroy(trees[i]);
    for (int i = 0; i < BODIES; i++)
        if (i != 4 && i != 5)
            graze_mesh_destroy(bodies[i]);
    placed_shapes_destroy(shapes);
    return c;
}

static void climbing_leaves_cells_without_maximum(void **state)
{
    (void)state;
    climbs c = climb_from_cells(8000, 0);
    assert_true(c.none > 300 && c.some > 300 && c.climbed > 300 && c.behind > 100);
}

/* Squares of the lengths of normals underflow: at 2^-267 cells with a maximum were said to have none. */
static void normals_that_underflow_prove_nothing(void **state)
{
    (void)state;
    climbs c = climb_from_cells(4000, -266);
    assert_true(c.some > 300);
    c = climb_from_cells(400, -238);
    assert_true(c.none > 20);
}

/* Many small tetrahedra of one orientation, which meet one another, in a few large ones: surfaces of other pieces just
   beyond the nearest points of a cell. */
static graze_mesh *crumbs(grz_random *random)
{
    static const uint32_t faces[12] = {0, 2, 1, 0, 3, 2, 0, 1, 3, 1, 2, 3};
    static double vertices[4 * CRUMBS][3];
    static uint32_t corners[12 * CRUMBS];
    for (uint32_t i = 0; i < CRUMBS; i++)
    {
        double at[3], size = i < 3 ? 1.5 : grz_random_between(random, 0.05, 0.4);
        v3 p[4];
        for (int axis = 0; axis < 3; axis++)
            at[axis] = grz_random_between(random, -0.6, 0.6);
        for (uint32_t k = 0; k < 12; k++)
            vertices[4 * i + k / 3][k % 3] = at[k % 3] + size * grz_random_between(random, -1, 1);
        for (uint32_t k = 0; k < 4; k++)
            p[k] = v3_load(vertices[4 * i + k]);
        bool turned = v3_dot(v3_sub(p[3], p[0]), v3_cross(v3_sub(p[1], p[0]), v3_sub(p[2], p[0]))) < 0;
        for (uint32_t k = 0; k < 12; k++)
            corners[12 * i + k] = 4 * i + faces[turned && k % 3 != 0 ? k + 3 - 2 * (k % 3) : k];
    }
    return body_of_triangles(vertices, (size_t)4 * CRUMBS, corners, (size_t)4 * CRUMBS);
}

/* Whether one vector agrees with all directions, by Rosenblatt's perceptron. */
static bool are_in_half_space(const v3 *directions, size_t count)
{
    v3 w = v3_make(0, 0, 0);
    for (size_t i = 0; i < count; i++)
        w = v3_add(w, directions[i]);
    for (int turn = 0; turn < 100000; turn++)
    {
        size_t worst = 0;
        for (size_t i = 1; i < count; i++)
            if (v3_dot(directions[i], w) < v3_dot(directions[worst], w))
                worst = i;
        if (count == 0 || v3_dot(directions[worst], w) > 0)
            return true;
        w = v3_add(w, directions[worst]);
    }
    return false;
}

/* A ball around a cell of this size that is said to have no maximum at all, by a cylinder, as no depth counts as
   settled: the directions to the nearest points of its points inside the body all agree with the axis of the cylinder.
 */
static void test_ball(grz_random *random, grz_simplex_space *space, const double at[3], double size, climbs *c)
{
    grz_simplex cell = {.owner = GRZ_SPACE};
    space->vertices.count = 0;
    for (int k = 0; k < 4; k++)
    {
        double x[3];
        for (int axis = 0; axis < 3; axis++)
            x[axis] = at[axis] + size * grz_random_between(random, -1, 1);
        assert_true(grz_simplex_vertex_add(space, x, &cell.vertices[k]));
    }
    grz_simplex_ball ball = grz_simplex_ball_of(space, &cell);
    bool no_maximum = grz_has_no_maximum(space, 0, &cell, &ball, INFINITY, -INFINITY);
    c->none += no_maximum;
    c->some += !no_maximum;
    v3 directions[MOST_SAMPLES];
    size_t count = 0;
    for (int k = 0; k < MOST_SAMPLES && no_maximum; k++)
    {
        double x[3], square = 0;
        for (int axis = 0; axis < 3; axis++)
        {
            x[axis] = ball.centre[axis] + ball.radius * grz_random_between(random, -1, 1);
            square += (x[axis] - ball.centre[axis]) * (x[axis] - ball.centre[axis]);
        }
        if (sqrt(square) > ball.radius || !is_inside(space, x))
            continue;
        grz_nearest_triangle nearest;
        grz_find_nearest_triangle(&space->surfaces[0], x, 0, UINT32_MAX, &nearest);
        directions[count++] = v3_scale(1 / nearest.upper, v3_sub(v3_load(nearest.point), v3_load(x)));
    }
    c->climbed += count > 1;
    if (!are_in_half_space(directions, count))
        fail_msg("directions to nearest points in a ball around %g, %g, %g of radius %g are in no half-space",
                 ball.centre[0], ball.centre[1], ball.centre[2], ball.radius);
}

static void start_space(grz_simplex_space *space, const graze_placed_mesh *placed, grz_placed_body *body)
{
    memset(space, 0, sizeof *space);
    assert_int_equal(grz_placed_body_make(NULL, placed, NULL, NULL, body), GRAZE_STATUS_OK);
    space->reach = 4 * grz_coordinate_bound(placed->mesh, &placed->pose);
    space->facing[0] = 1;
    space->surfaces[0] = grz_surface_make(body, space->reach, NULL);
}

static void end_space(grz_simplex_space *space, grz_placed_body *body)
{
    grz_release(NULL, space->vertices.data);
    grz_release(NULL, space->normals.data);
    grz_placed_body_release(NULL, body);
}

static void test_ball_in_crumbs(grz_random *random, grz_simplex_space *space, double scale, climbs *c)
{
    double size = scale * grz_random_between(random, 0.005, 0.08), at[3], s = grz_random_unit(random), t = 1 - s;
    v3 corners[3];
    grz_surface_corners(&space->surfaces[0], (uint32_t)grz_random_below(random, 4 * CRUMBS), corners);
    v3_store(v3_add(v3_scale(s, corners[0]), v3_add(v3_scale(0.6 * t, corners[1]), v3_scale(0.4 * t, corners[2]))), at);
    for (int axis = 0; axis < 3; axis++)
        at[axis] += 2 * size * grz_random_between(random, -1, 1);
    test_ball(random, space, at, size, c);
}

static void cylinders_between_crumbs_hold_no_maximum(void **state)
{
    (void)state;
    printf("seed %d\n", SEED + 1);
    grz_random random = grz_random_make(SEED + 1);
    climbs c = {0, 0, 0, 0};
    for (int round = 0; round < 200; round++)
    {
        graze_mesh *mesh = crumbs(&random);
        graze_tree *tree;
        assert_int_equal(graze_tree_create(NULL, mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
        double scale = ldexp(1, round % 2 == 0 ? 0 : 9);
        graze_placed_mesh placed = {mesh, tree, graze_pose_identity()};
        for (int axis = 0; axis < 3; axis++)
            placed.pose.m[5 * axis] = scale;
        grz_placed_body body;
        static grz_simplex_space space;
        start_space(&space, &placed, &body);
        for (int k = 0; k < 500; k++)
            test_ball_in_crumbs(&random, &space, scale, &c);
        end_space(&space, &body);
        graze_tree_destroy(tree);
        graze_mesh_destroy(mesh);
    }
    printf("%zu cells without maximum, %zu others, %zu with points inside\n", c.none, c.some, c.climbed);
    assert_true(c.none > 1500 && c.some > 10000 && c.climbed > 1000);
}

/* A box whose top is at z = 0, with four slender pyramids in it, as shells of their own: below the top, between their
   apexes, the depth has a maximum, though the normals of all triangles near it point up. Their bases are at -length;
   above the base, a ring of triangles of the given height is cut off from the sides. */
static graze_mesh *box_of_pyramids(grz_random *random, double length, double ring)
{
    static const uint32_t faces[42] = {0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 1, 5, 8, 7, 5, 7, 6, 1, 5, 6,
                                       1, 6, 2, 2, 6, 7, 2, 7, 3, 3, 7, 8, 3, 8, 4, 4, 8, 5, 4, 5, 1};
    static double vertices[8 + 9 * 4][3];
    static uint32_t corners[36 + 42 * 4];
    const double lower[3] = {-40, -40, -90}, upper[3] = {40, 40, 0};
    body_box_vertices(vertices, lower, upper);
    for (uint32_t i = 0; i < 36; i++)
    {
        static const uint32_t of_quad[6] = {0, 1, 2, 0, 2, 3};
        corners[i] = body_box_corners[i / 6 * 4 + of_quad[i % 6]];
    }
    for (uint32_t i = 0; i < 4; i++)
    {
        double x = i % 2 == 0 ? -4 : 4, y = i < 2 ? -4 : 4, z = -grz_random_between(random, 1, 5);
        double half = grz_random_between(random, 0.25, 1), slope = half / (length + z);
        const double apex[3] = {x, y, z};
        memcpy(vertices[8 + 9 * i], apex, sizeof apex);
        for (uint32_t k = 0; k < 8; k++)
        {
            double base = k < 4 ? ring - length : -length, wide = slope * (z - base);
            const double point[3] = {x + (k % 4 == 1 || k % 4 == 2 ? wide : -wide), y + (k % 4 < 2 ? -wide : wide),
                                     base};
            memcpy(vertices[8 + 9 * i + 1 + k], point, sizeof point);
        }
        for (uint32_t k = 0; k < 42; k++)
            corners[36 + 42 * i + k] = 8 + 9 * i + faces[k];
    }
    return body_of_triangles(vertices, 44, corners, 12 + 14 * 4);
}

static void cylinders_between_pyramids_hold_no_maximum(void **state)
{
    (void)state;
    printf("seed %d\n", SEED + 2);
    grz_random random = grz_random_make(SEED + 2);
    climbs c = {0, 0, 0, 0};
    for (int round = 0; round < 1500; round++)
    {
        double scale = ldexp(1, round % 3 * 3), turn = round % 2 == 0 ? 1 : -1;
        double length = grz_random_between(&random, 8, round % 4 < 2 ? 16 : 30);
        graze_mesh *mesh = box_of_pyramids(&random, length, grz_random_between(&random, 0.02, 0.25));
        const graze_pose pose = {{scale, 0, 0, scale * grz_random_between(&random, -90, 90), 0, turn * scale, 0,
                                  scale * grz_random_between(&random, -90, 90), 0, 0, turn * scale,
                                  scale * grz_random_between(&random, -90, 90)}};
        graze_placed_mesh placed = {mesh, NULL, pose};
        grz_placed_body body;
        static grz_simplex_space space;
        start_space(&space, &placed, &body);
        for (int k = 0; k < 10; k++)
        {
            const double wide = k % 2 == 0 ? 0.5 : 4;
            const double local[3] = {grz_random_between(&random, -wide, wide), grz_random_between(&random, -wide, wide),
                                     grz_random_between(&random, -8, -1)};
            double at[3];
            graze_pose_apply(&pose, local, at);
            test_ball(&random, &space, at, scale * grz_random_between(&random, 0.05, 0.8), &c);
        }
        end_space(&space, &body);
        graze_mesh_destroy(mesh);
    }
    printf("%zu cells without maximum, %zu others, %zu with points inside\n", c.none, c.some, c.climbed);
    assert_true(c.none > 100 && c.some > 1000 && c.climbed > 100);
}

/* A box in a box, both with outward normals: between their tops all normals agree, and the depth has a maximum of half
   the gap. Cells count as far in front of the lower one, unless only deeper maxima are asked for. */
static void maxima_between_sheets_count_up_to_their_depth(void **state)
{
    (void)state;
    const double outer[6] = {0, 0, 0, 10, 10, 10}, inner[6] = {1, 1, 1, 9, 9, 8};
    graze_mesh *mesh = two_boxes(outer, inner, false);
    graze_placed_mesh placed = {mesh, NULL, graze_pose_identity()};
    graze_tree *tree;
    grz_placed_body body;
    assert_int_equal(graze_tree_create(NULL, placed.mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
    placed.tree = tree;
    assert_int_equal(grz_placed_body_make(NULL, &placed, NULL, NULL, &body), GRAZE_STATUS_OK);
    static grz_simplex_space space;
    memset(&space, 0, sizeof space);
    space.reach = 40;
    space.facing[0] = 1;
    space.surfaces[0] = grz_surface_make(&body, space.reach, NULL);
    assert_true(grz_surface_make_leaves(NULL, &space.surfaces[0]) && grz_surface_make_cones(NULL, &space.surfaces[0]));
    for (int i = 0; i < 20; i++)
    {
        grz_simplex_ball ball = {.centre = {5, 5, 9}, .radius = 0.01 * (i + 1)};
        ball.nearest[0].triangle = GRZ_NO_TRIANGLE;
        double limit = 1 + ball.radius;
        assert_false(grz_has_no_maximum(&space, 0, NULL, &ball, INFINITY, 0.5));
        assert_false(grz_has_no_maximum(&space, 0, NULL, &ball, INFINITY, limit * (1 - 0x1p-20)));
        assert_true(grz_has_no_maximum(&space, 0, NULL, &ball, INFINITY, limit * (1 + 0x1p-20)));
    }
    grz_surface_release(NULL, &space.surfaces[0]);
    grz_placed_body_release(NULL, &body);
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
}

/* A face, and across it a tiny box, a shell of its own, whose sides agree with no direction. Of the face one triangle
   alone is within the radius, the first, which is as wide as the cylinder: so the cylinder is as wide as the ball of
   nearest points, and a box that reaches into it by a trillionth leaves no proof. A box beside it does no harm. */
static void what_meets_the_rim_of_a_cylinder_counts(void **state)
{
    (void)state;
    const double block[6] = {-4, -4, -8, 4, 4, 0}, tiny = 0x1p-24;
    const double shares[] = {0.8, 1 - 0x1p-43, 1 + 0x1p-18, 1.2}; /* of the radius, from the axis to the box */
    for (int i = 0; i < 4; i++)
    {
        grz_simplex_ball ball = {.centre = {1.6, -1.6, -1}, .radius = 0.25};
        ball.nearest[0].triangle = GRZ_NO_TRIANGLE;
        double radius = 1.5; /* the distance of the face, and twice that of the ball */
        for (int pass = 0; pass < 2;
             pass++) /* the box is where it is at the second, by the radius found at the first */
        {
            double x = ball.centre[0] - shares[i] * radius, y = ball.centre[1];
            const double box[6] = {x - tiny, y - tiny, -tiny, x, y + tiny, tiny};
            graze_mesh *mesh = two_boxes(block, box, false);
            graze_placed_mesh placed = {mesh, NULL, graze_pose_identity()};
            grz_placed_body body;
            static grz_simplex_space space;
            start_space(&space, &placed, &body);
            space.reach = 0.25 * space.reach;
            space.surfaces[0] = grz_surface_make(&body, space.reach, NULL);
            bool none = grz_has_no_maximum(&space, 0, NULL, &ball, INFINITY, -INFINITY);
            if (pass == 1)
                assert_int_equal(none, shares[i] > 1);
            size_t within = 0;
            for (size_t k = 0; k < space.normals.count; k++)
                within += space.normals.data[k].within;
            assert_int_equal(within, 1);
            assert_true(space.normals.data[0].within);
            radius = (ball.nearest[0].upper + ball.radius + ball.radius) * (1 + 16 * GRZ_U);
            end_space(&space, &body);
            graze_mesh_destroy(mesh);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(winding_numbers_count_shells),
        cmocka_unit_test(climbing_leaves_cells_without_maximum),
        cmocka_unit_test(maxima_between_sheets_count_up_to_their_depth),
        cmocka_unit_test(normals_that_underflow_prove_nothing),
        cmocka_unit_test(cylinders_between_crumbs_hold_no_maximum),
        cmocka_unit_test(cylinders_between_pyramids_hold_no_maximum),
        cmocka_unit_test(what_meets_the_rim_of_a_cylinder_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
