/* SPDX-License-Identifier: MIT */
/*
 * A proximity search misses no pair that is as near as its bound, exactly: the bound is the distance of the closest
 * pair, rounded up to the next double, the distance itself is a rational. Sheets through the middle of a tree have
 * boxes hardly thicker than they are, and the small meshes on them have heights down to the errors of placing them:
 * there every margin counts. All three methods are used, in every rounding mode.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graze/distance.h"
#include "graze/generate.h"
#include "graze/tree.h"
#include "pair/distance/proximity.h"
#include "support/bodies.h"
#include "support/environment.h"
#include "support/failing_allocator.h"
#include "support/generators.h"
#include "support/meshes.h"
#include "support/oracle_distance.h"
#include "support/unit.h"

enum
{
    SQUARES = 4, /* along each side of a sheet */
    ROUNDS = 600,
    POSES = 6,
    BRANCHES = 850
};

typedef struct world
{
    test_mesh parts[2]; /* the small one, the large one */
    graze_placed_mesh placed[2];
    graze_tree *trees[2];
} world;

static graze_pose random_placement(test_random *random, int kind, double far)
{
    graze_pose pose = kind == 0 ? graze_pose_identity() : random_rotation(random);
    int axis = random_below(random, 3);
    double factor = ldexp(1, random_between(random, -12, 12));
    for (int k = 0; k < 12; k++)
    {
        if (kind == 2 && k % 4 != 3)
            pose.m[k] *= factor;
        if (kind == 3 && k % 4 == axis) /* one axis longer or shorter */
            pose.m[k] *= factor;
        if (kind == 4) /* the same, axes permuted */
            pose.m[k] = k % 4 == (k / 4 + axis) % 3 ? (k / 4 == 1 ? factor : 1) : 0;
        if (kind == 5 && k % 4 != 3)
            pose.m[k] += random_real(random, -0.3, 0.3);
        if (k % 4 == 3)
            pose.m[k] = far * random_real(random, -1, 1);
    }
    return pose;
}

/* x with R x + t = y, approximately. */
static void go_back(const graze_pose *pose, const double y[3], double out[3])
{
    long double m[3][3], d[3];
    for (int i = 0; i < 3; i++)
    {
        d[i] = (long double)y[i] - pose->m[4 * i + 3];
        for (int j = 0; j < 3; j++)
            m[i][j] = pose->m[4 * i + j];
    }
    long double determinant = 0;
    long double cofactors[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            cofactors[i][j] = m[(i + 1) % 3][(j + 1) % 3] * m[(i + 2) % 3][(j + 2) % 3] -
                              m[(i + 1) % 3][(j + 2) % 3] * m[(i + 2) % 3][(j + 1) % 3];
    for (int i = 0; i < 3; i++)
        determinant += m[i][0] * cofactors[i][0];
    for (int j = 0; j < 3; j++)
    {
        long double sum = 0;
        for (int i = 0; i < 3; i++)
            sum += cofactors[i][j] * d[i];
        out[j] = (double)(sum / determinant);
    }
}

/* Transforms a mesh from the common world, in which the sheet is, to the vertices of its own frame. */
static void take_home(test_mesh *mesh, const graze_pose *pose)
{
    for (size_t v = 0; v < mesh->vertex_count; v++)
        go_back(pose, mesh->vertices[v], mesh->vertices[v]);
}

/* A sheet across an axis through the origin, `size` wide; every other one is bent, so that it has slabs. */
static void make_sheet(test_random *random, test_mesh *mesh, int axis, double size, bool bent)
{
    mesh->vertex_count = mesh->triangle_count = 0;
    mesh_add_sheet(mesh, axis, 0, SQUARES);
    for (size_t v = 0; v < mesh->vertex_count; v++)
        for (int k = 0; k < 3; k++)
        {
            double *x = &mesh->vertices[v][k];
            *x = k != axis ? size * (*x / SQUARES - 0.5) : bent ? size * random_real(random, -0.01, 0.01) : 0;
        }
}

/* A point, a segment or a few triangles above a place of the sheet, at some height. */
static void make_small(test_random *random, test_mesh *mesh, int axis, double size, double height, double width)
{
    int triangles = random_below(random, 9), corners = triangles == 0 ? 1 : triangles == 1 ? 2 : 3;
    double foot[3];
    mesh->vertex_count = mesh->triangle_count = 0;
    for (int k = 0; k < 3; k++)
        foot[k] = k == axis ? height : size * random_real(random, -0.5, 0.5);
    for (int i = 0; i < (triangles == 0 ? 1 : triangles); i++)
    {
        uint32_t first = 0;
        for (int c = 0; c < corners; c++)
        {
            double at[3];
            for (int k = 0; k < 3; k++)
                at[k] = i == 0 && c == 0 ? foot[k] : foot[k] + width * random_real(random, k == axis ? 0 : -1, 1);
            uint32_t vertex = mesh_add_vertex(mesh, at[0], at[1], at[2]);
            first = c == 0 ? vertex : first;
        }
        mesh_add_triangle(mesh, first, first + (corners > 1), first + (corners > 2 ? 2 : 0));
    }
}

static void make_world(test_random *random, world *w)
{
    int axis = random_below(random, 3);
    double size = ldexp(1, random_between(random, -4, 4));
    double far[2] = {size * ldexp(1, random_between(random, 0, 40)), size * ldexp(1, random_between(random, 0, 40))};
    double height = size * ldexp(random_real(random, 1, 2), random_between(random, -30, 0));
    double width = size * ldexp(1, random_between(random, -30, -2));
    make_small(random, &w->parts[0], axis, size, height, width);
    make_sheet(random, &w->parts[1], axis, size, random_once_in(random, 3));
    graze_pose common = random_placement(random, random_below(random, 2), random_once_in(random, 2) ? far[0] : 0);
    for (int side = 0; side < 2; side++)
    {
        graze_pose pose =
            random_placement(random, random_below(random, POSES), random_once_in(random, 2) ? far[side] : 0);
        take_home(&w->parts[side], &pose);
        w->placed[side] = (graze_placed_mesh){mesh_create(&w->parts[side]), NULL, graze_pose_identity()};
        assert_int_equal(graze_pose_compose(&common, &pose, &w->placed[side].pose, NULL), GRAZE_STATUS_OK);
        graze_tree_def def = graze_tree_def_default();
        def.leaf_size = (uint32_t)random_between(random, 1, 8);
        assert_int_equal(graze_tree_create(NULL, w->placed[side].mesh, &def, NULL, &w->trees[side]), GRAZE_STATUS_OK);
    }
}

static void remove_world(world *w)
{
    for (int side = 0; side < 2; side++)
    {
        graze_tree_destroy(w->trees[side]);
        graze_mesh_destroy((graze_mesh *)(uintptr_t)w->placed[side].mesh);
    }
}

/* A closest pair and the square of its distance, by rationals. */
typedef struct nearest
{
    uint32_t triangles[2];
    mpq_t square;
} nearest;

static void find_nearest(oracle *judge, const world *w, nearest *out)
{
    mpq_t square;
    mpq_init(square);
    bool first = true;
    const test_mesh *small = &w->parts[0], *large = &w->parts[1];
    /* Pairs that doubles prove to be farther apart than another are skipped. */
    grz_measure_frame frame;
    grz_measure_frame_make(&frame, NULL, &w->placed[0], &w->placed[1]);
    size_t count = small->triangle_count * large->triangle_count;
    static grz_closest_pair gaps[9 * 2 * SQUARES * SQUARES + GRZ_LANES];
    double least = INFINITY;
    for (size_t n = 0; n < count; n++)
    {
        grz_closest_pair found[GRZ_LANES];
        grz_triangle_pair_batch pair = {
            .a = {(uint32_t)(n / large->triangle_count)}, .b = {(uint32_t)(n % large->triangle_count)}, .count = 1};
        grz_measure_pairs(&frame, &pair, found);
        gaps[n] = found[0];
        least = fmin(least, gaps[n].upper);
    }
    for (size_t n = 0; n < count; n++)
    {
        if (gaps[n].lower > least)
            continue;
        graze_placed_triangle sides[2];
        const uint32_t numbers[2] = {gaps[n].triangle_a, gaps[n].triangle_b};
        for (int side = 0; side < 2; side++)
        {
            sides[side].pose = &w->placed[side].pose;
            for (int c = 0; c < 3; c++)
                sides[side].corners[c] = w->parts[side].vertices[w->parts[side].triangles[numbers[side]][c]];
        }
        oracle_distance_sq(judge, &sides[0], &sides[1], square);
        if (first || mpq_cmp(square, out->square) < 0)
        {
            mpq_set(out->square, square);
            memcpy(out->triangles, numbers, sizeof numbers);
        }
        first = false;
    }
    assert_false(first);
    mpq_clear(square);
}

/* The least double that is not below the distance. */
static double round_up(const mpq_t square)
{
    mpf_t root;
    mpf_init2(root, 128);
    mpf_set_q(root, square);
    mpf_sqrt(root, root);
    double x = mpf_get_d(root);
    mpf_clear(root);
    while (oracle_compare_distance(x, square) < 0)
        x = nextafter(x, INFINITY);
    while (x > 0 && oracle_compare_distance(nextafter(x, 0), square) >= 0)
        x = nextafter(x, 0);
    return x;
}

/* Waits for one particular pair. */
typedef struct waiting
{
    uint32_t a, b;
    bool proposed;
} waiting;

static bool look_out(void *user, const grz_triangle_pair_batch *pairs, grz_distance_bound *bound)
{
    (void)bound;
    waiting *w = user;
    for (unsigned i = 0; i < pairs->count; i++)
        w->proposed = w->proposed || (pairs->a[i] == w->a && pairs->b[i] == w->b);
    return true;
}

typedef struct tally
{
    int ways[3], proximity, certain;
} tally;

static void check_ways(world *w, const nearest *least, int environment, bool swapped, tally *count)
{
    double distance = round_up(least->square);
    graze_placed_mesh a = w->placed[swapped], b = w->placed[!swapped];
    a.tree = w->trees[swapped];
    b.tree = w->trees[!swapped];
    for (int way = 0; way < 3; way++)
    {
        waiting wait = {least->triangles[swapped], least->triangles[!swapped], false};
        grz_proximity_search proximity = {.bound = {.distance = distance}, .propose = look_out, .user = &wait};
        saved_environment saved;
        environment_enter(&saved, environment);
        bool done = true;
        if (way == 0)
            done = grz_proximity_trees(&proximity, &a, &b);
        else if (way == 1)
            done = grz_proximity_sphere(&proximity, &a, &b);
        else
            grz_proximity_aabbs(&proximity, &a, &b);
        environment_leave(&saved);
        assert_true(!done || wait.proposed);
        count->ways[way] += done;
    }
    graze_distance found;
    saved_environment saved;
    environment_enter(&saved, environment);
    graze_status status = graze_pair_distance(NULL, &a, &b, NULL, &found);
    environment_leave(&saved);
    assert_int_equal(status, GRAZE_STATUS_OK);
    assert_true(oracle_compare_distance(found.lower, least->square) <= 0);
    assert_true(oracle_compare_distance(found.upper, least->square) >= 0);
    count->certain += found.upper - found.lower <= 0x1p-33 * found.upper;
}

static void what_is_as_near_as_the_bound_is_found(void **state)
{
    (void)state;
    test_random random = test_random_start("near search", 93);
    oracle *judge = oracle_create();
    nearest least;
    mpq_init(least.square);
    tally count = {{0}, 0, 0};
    for (int round = 0; round < ROUNDS; round++)
    {
        static world w;
        make_world(&random, &w);
        find_nearest(judge, &w, &least);
        check_ways(&w, &least, round % ENVIRONMENTS, round / ENVIRONMENTS % 2 == 1, &count);
        remove_world(&w);
    }
    mpq_clear(least.square);
    oracle_destroy(judge);
    printf("%d by trees, %d by a ball, %d by boxes; %d certain\n", count.ways[0], count.ways[1], count.ways[2],
           count.certain);
    assert_true(count.ways[0] > ROUNDS / 4 && count.ways[1] > ROUNDS / 2 && count.ways[2] == ROUNDS);
    assert_int_equal(count.certain, ROUNDS);
}

/* Triangles next to each other at distances of every size, one farther away than the other: squares of some would
   underflow, of others overflow. */
static void boxes_of_every_size_lose_nothing(void **state)
{
    (void)state;
    test_random random = test_random_start("boxes of every size", 94);
    oracle *judge = oracle_create();
    nearest least;
    mpq_init(least.square);
    for (int power = -1060; power <= 1010; power += random_between(&random, 3, 13))
    {
        static world w;
        for (int side = 0; side < 2; side++)
        {
            test_mesh *mesh = &w.parts[side];
            mesh->vertex_count = mesh->triangle_count = 0;
            for (uint32_t i = 0; i < 12; i++)
            {
                for (int c = 0; c < 3; c++)
                {
                    double at[3];
                    for (int k = 0; k < 3; k++) /* along the first axis the sides are separated */
                        at[k] = ldexp((k == 0 ? 2 * side - 1 : 1) * random_real(&random, k == 0 ? 0.01 : -1, 1), power);
                    mesh_add_vertex(mesh, at[0], at[1], at[2]);
                }
                mesh_add_triangle(mesh, 3 * i, 3 * i + 1, 3 * i + 2);
            }
            w.placed[side] = (graze_placed_mesh){mesh_create(mesh), NULL, graze_pose_identity()};
        }
        find_nearest(judge, &w, &least);
        waiting wait = {least.triangles[0], least.triangles[1], false};
        grz_proximity_search proximity = {
            .bound = {.distance = round_up(least.square)}, .propose = look_out, .user = &wait};
        saved_environment saved;
        environment_enter(&saved, random_below(&random, ENVIRONMENTS));
        grz_proximity_aabbs(&proximity, &w.placed[0], &w.placed[1]);
        environment_leave(&saved);
        assert_true(wait.proposed);
        for (int side = 0; side < 2; side++)
            graze_mesh_destroy((graze_mesh *)(uintptr_t)w.placed[side].mesh);
    }
    mpq_clear(least.square);
    oracle_destroy(judge);
}

/* Random triangles in a cube around a point. */
static void make_cloud(test_random *random, test_mesh *mesh, double x, int triangles, double size)
{
    mesh->vertex_count = mesh->triangle_count = 0;
    for (uint32_t i = 0; i < (uint32_t)triangles; i++)
    {
        double middle[3] = {x + random_real(random, -1, 1), random_real(random, -1, 1), random_real(random, -1, 1)};
        for (int c = 0; c < 3; c++)
            mesh_add_vertex(mesh, middle[0] + size * random_real(random, -1, 1),
                            middle[1] + size * random_real(random, -1, 1),
                            middle[2] + size * random_real(random, -1, 1));
        mesh_add_triangle(mesh, 3 * i, 3 * i + 1, 3 * i + 2);
    }
}

/* Two clouds that the same pose flattens, so that one unit along their shortest axis is very many along the others:
   coordinates in that unit do not fit into floats, or their squares do not. */
static void what_is_flattened_alike_is_found(void **state)
{
    (void)state;
    test_random random = test_random_start("flattened alike", 95);
    oracle *judge = oracle_create();
    nearest least;
    mpq_init(least.square);
    tally count = {{0}, 0, 0};
    for (int flat = 0; flat <= 50; flat += 2)
        for (int apart = 2; apart <= 24; apart += 11)
        {
            static world w;
            graze_pose pose = random_once_in(&random, 2) ? random_rotation(&random) : graze_pose_identity();
            for (int i = 0; i < 3; i++)
                pose.m[4 * i + 2] = ldexp(pose.m[4 * i + 2], -flat);
            for (int side = 0; side < 2; side++)
            {
                graze_tree_def def = graze_tree_def_default();
                def.leaf_size = 2;
                make_cloud(&random, &w.parts[side], ldexp(side, apart), 12, 0.1);
                w.placed[side] = (graze_placed_mesh){mesh_create(&w.parts[side]), NULL, pose};
                assert_int_equal(graze_tree_create(NULL, w.placed[side].mesh, &def, NULL, &w.trees[side]),
                                 GRAZE_STATUS_OK);
            }
            find_nearest(judge, &w, &least);
            check_ways(&w, &least, random_below(&random, ENVIRONMENTS), random_once_in(&random, 2), &count);
            remove_world(&w);
        }
    mpq_clear(least.square);
    oracle_destroy(judge);
    printf("%d by trees, %d certain\n", count.ways[0], count.certain);
    assert_true(count.ways[0] > 20 && count.certain > 60);
}

/* Triangles on both sides of the middle, ever closer to it, make a tree of one long branch; very many pairs of two of
   them are on the stack. */
static void pairs_of_long_branches_all_come(void **state)
{
    (void)state;
    test_random random = test_random_start("long branches", 96);
    static double vertices[3 * BRANCHES][3];
    static uint32_t corners[3 * BRANCHES];
    for (uint32_t i = 0; i < 3 * BRANCHES; i++)
    {
        corners[i] = i;
        double side = i / 3 == 0 ? -1 : 1, size = ldexp(1, -(int)(i / 3) / 12);
        for (int k = 0; k < 3; k++)
            vertices[i][k] = size * random_real(&random, 1, 1.2) * (k == 0 ? side : 0.001);
    }
    graze_tree_def def = graze_tree_def_default();
    def.leaf_size = 1;
    graze_tree *tree;
    graze_placed_mesh a = {body_of_triangles(vertices, 3 * BRANCHES, corners, BRANCHES), NULL, graze_pose_identity()};
    assert_int_equal(graze_tree_create(NULL, a.mesh, &def, NULL, &tree), GRAZE_STATUS_OK);
    a.tree = tree;
    graze_placed_mesh b = a;
    b.pose.m[11] = 0.125;
    uint64_t pairs = 0;
    failing_allocator memory = {.allowed = SIZE_MAX};
    graze_context context = failing_allocator_context(&memory);
    assert_int_equal(graze_pair_tolerance_count(&context, &a, &b, 9, NULL, &pairs), GRAZE_STATUS_OK);
    assert_int_equal(pairs, BRANCHES * BRANCHES);
    printf("%zu allocations\n", memory.requests);
    assert_true(memory.requests > 0);
    memory = (failing_allocator){.allowed = 0};
    assert_int_equal(graze_pair_tolerance_count(&context, &a, &b, 9, NULL, &pairs), GRAZE_STATUS_OUT_OF_MEMORY);
    graze_tree_destroy(tree);
    graze_mesh_destroy((graze_mesh *)(uintptr_t)a.mesh);
}

/* A needle that its pose stretches along one axis stands on a sheet, so that its centre is far from the closest points.
 */
static void needles_are_near_at_their_ends(void **state)
{
    (void)state;
    const double length = 0x1p12;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
        {
            test_mesh needle = {.vertex_count = 0};
            static test_mesh sheet;
            double end[3] = {0};
            end[column] = 1;
            mesh_add_vertex(&needle, 0, 0, 0);
            mesh_add_vertex(&needle, end[0], end[1], end[2]);
            mesh_add_triangle(&needle, 0, 1, 0);
            sheet.vertex_count = sheet.triangle_count = 0;
            mesh_add_sheet(&sheet, row, 0, SQUARES);
            graze_placed_mesh a = {mesh_create(&needle), NULL, graze_pose_identity()}, b = a;
            for (int k = 0; k < 3; k++)
            {
                for (int i = 0; i < 3; i++)
                    a.pose.m[4 * i + k] = (k + row) % 3 == (i + column) % 3 ? (k == column ? length : 1) : 0;
                for (size_t v = 0; v < sheet.vertex_count && k != row; v++)
                    sheet.vertices[v][k] = length * (sheet.vertices[v][k] - 0.5 * SQUARES);
            }
            graze_tree *tree;
            b.mesh = mesh_create(&sheet);
            assert_int_equal(graze_tree_create(NULL, b.mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
            b.tree = tree;
            b.pose.m[4 * row + 3] = -length / 16;
            uint64_t at = 0, below = 0;
            assert_int_equal(graze_pair_tolerance_count(NULL, &a, &b, length / 16, NULL, &at), GRAZE_STATUS_OK);
            assert_int_equal(graze_pair_tolerance_count(NULL, &b, &a, length / 17, NULL, &below), GRAZE_STATUS_OK);
            assert_true(at > 0 && below == 0);
            graze_tree_destroy(tree);
            graze_mesh_destroy((graze_mesh *)(uintptr_t)a.mesh);
            graze_mesh_destroy((graze_mesh *)(uintptr_t)b.mesh);
        }
}

static void a_point_at_zero_is_within_the_least_tolerance(void **state)
{
    (void)state;
    test_mesh point = {.vertex_count = 0}, sheet = {.vertex_count = 0};
    mesh_add_vertex(&point, 0, 0, 0);
    mesh_add_triangle(&point, 0, 0, 0);
    mesh_add_sheet(&sheet, 2, 0, SQUARES);
    for (size_t v = 0; v < sheet.vertex_count; v++)
        for (int k = 0; k < 2; k++)
            sheet.vertices[v][k] -= 0.5 * SQUARES;
    graze_placed_mesh a = {mesh_create(&point), NULL, graze_pose_identity()}, b = {mesh_create(&sheet), NULL, a.pose};
    graze_tree *tree;
    assert_int_equal(graze_tree_create(NULL, b.mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
    b.tree = tree;
    for (int power = -1074; power < 0; power += 50)
    {
        uint64_t count = 0;
        assert_int_equal(graze_pair_tolerance_count(NULL, &a, &b, ldexp(1, power), NULL, &count), GRAZE_STATUS_OK);
        assert_true(count > 0);
    }
    graze_tree_destroy(tree);
    graze_mesh_destroy((graze_mesh *)(uintptr_t)a.mesh);
    graze_mesh_destroy((graze_mesh *)(uintptr_t)b.mesh);
}

/* Triangles of very different sizes: few are long, and the closest pair need not be in the nearest boxes. */
static void make_uneven_cloud(test_random *random, test_mesh *mesh, double x, int triangles, double scale)
{
    make_cloud(random, mesh, x, triangles, random_real(random, 0.2, 1.5));
    for (size_t i = 0; i < mesh->triangle_count; i++)
    {
        double size = pow(random_real(random, 0, 1), 3);
        for (size_t c = 1; c < 3; c++)
            for (int k = 0; k < 3; k++)
                mesh->vertices[3 * i + c][k] =
                    mesh->vertices[3 * i][k] + size * (mesh->vertices[3 * i + c][k] - mesh->vertices[3 * i][k]);
    }
    mesh_scale(mesh, scale);
}

/* A lower bound does not exceed `enough`. */
static void a_gap_is_no_more_than_was_enough(void **state)
{
    (void)state;
    test_random random = test_random_start("gaps", 97);
    graze_mesh *ball, *empty;
    graze_tree *tree, *bare;
    graze_mesh_def nothing = graze_mesh_def_default();
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 4, &ball), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, ball, NULL, NULL, &tree), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create(NULL, &nothing, NULL, &empty), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, empty, NULL, NULL, &bare), GRAZE_STATUS_OK);
    for (int round = 0; round < 400; round++)
    {
        static world w;
        double scale = round % 2 == 0 ? 1 : exp2(random_real(&random, -8, 8));
        int count = 4 + (int)random_below(&random, 80);
        for (int side = 0; side < 2; side++)
        {
            if (round % 2 == 0) /* long triangles, whose edges are closest: their bounds are loose */
                make_cloud(&random, &w.parts[side], 3.5 * side, 12, 1);
            else
                make_uneven_cloud(&random, &w.parts[side], random_real(&random, 3.2, 5) * side, count, scale);
            w.placed[side] = (graze_placed_mesh){mesh_create(&w.parts[side]), NULL, graze_pose_identity()};
            assert_int_equal(graze_tree_create(NULL, w.placed[side].mesh, NULL, NULL, &w.trees[side]), GRAZE_STATUS_OK);
            w.placed[side].tree = w.trees[side];
        }
        graze_distance exact;
        assert_int_equal(graze_pair_distance(NULL, &w.placed[0], &w.placed[1], NULL, &exact), GRAZE_STATUS_OK);
        double enough =
            exact.distance * (round % 2 == 0 ? random_real(&random, 0.3, 1.5) : random_real(&random, 0.7, 1.05));
        double known =
            enough > 0 ? grz_distance_lower_bound(NULL, &w.placed[0], &w.placed[1], 0, enough, 100000, NULL) : 0;
        assert_true((known > 0 || enough == 0) && known <= enough && known <= exact.upper);
        remove_world(&w);
    }
    /* Empty meshes are near nothing. */
    for (int i = 0; i < 3; i++)
    {
        waiting wait = {0, 0, false};
        graze_placed_mesh full = {ball, tree, graze_pose_identity()}, void_one = {empty, bare, full.pose};
        grz_proximity_search proximity = {.bound = {.distance = 9}, .propose = look_out, .user = &wait};
        grz_proximity_trees(&proximity, i == 0 ? &full : &void_one, i == 1 ? &full : &void_one);
        grz_proximity_search_run(&proximity, i == 0 ? &full : &void_one, i == 1 ? &full : &void_one);
        assert_true(!wait.proposed && !proximity.out_of_memory);
    }
    graze_tree_destroy(tree);
    graze_mesh_destroy(ball);
    graze_tree_destroy(bare);
    graze_mesh_destroy(empty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_as_near_as_the_bound_is_found),
        cmocka_unit_test(boxes_of_every_size_lose_nothing),
        cmocka_unit_test(what_is_flattened_alike_is_found),
        cmocka_unit_test(pairs_of_long_branches_all_come),
        cmocka_unit_test(needles_are_near_at_their_ends),
        cmocka_unit_test(a_point_at_zero_is_within_the_least_tolerance),
        cmocka_unit_test(a_gap_is_no_more_than_was_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
