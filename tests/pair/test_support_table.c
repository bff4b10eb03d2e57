/* SPDX-License-Identifier: MIT */
/*
 * Support tables: no vertex exceeds their bounds, under poses of every kind and in every rounding mode; and meshes that
 * their planes separate are disjoint.
 */
#include "pair/support_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "graze/generate.h"
#include "mesh/mesh.h"
#include "scene/scene.h"
#include "support/bodies.h"
#include "support/environment.h"
#include "support/placed_shapes.h"
#include "support/unit.h"

typedef struct world
{
    placed_shapes *shapes;
    grz_support_table reaches[PLACED_SHAPES];
} world;

static int set_up(void **state)
{
    world *w = malloc(sizeof *w);
    w->shapes = placed_shapes_create();
    for (int i = 0; i < PLACED_SHAPES; i++)
        if (!grz_support_table_make(w->shapes->trees[i][0], &w->reaches[i]))
            return 1;
    *state = w;
    return 0;
}

static int tear_down(void **state)
{
    world *w = *state;
    placed_shapes_destroy(w->shapes);
    free(w);
    return 0;
}

static void random_direction(grz_random *random, double d[3])
{
    for (int k = 0; k < 3; k++)
        d[k] = grz_random_between(random, -1, 1);
    if (grz_random_below(random, 4) == 0) /* on lines and points of the grid, under poses that rotate nothing */
        for (int k = 0; k < 3; k++)
            d[k] = round(4 * d[k]) / 4;
    if (d[0] == 0 && d[1] == 0 && d[2] == 0)
        d[1] = 1;
}

/* The largest direction . (x - centre), in long doubles. */
static long double farthest(const graze_mesh *mesh, const graze_pose *pose, const double d[3])
{
    long double most = -INFINITY;
    for (size_t v = 0; v < graze_mesh_vertex_count(mesh); v++)
    {
        const double *vertex = graze_mesh_vertices(mesh) + 3 * v;
        long double sum = 0;
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                sum += (long double)d[i] * pose->m[4 * i + k] * ((long double)vertex[k] - mesh->centre[k]);
        most = fmaxl(most, sum);
    }
    return most;
}

static void no_vertex_reaches_farther_than_the_table_says(void **state)
{
    world *w = *state;
    const uint64_t seed = 20261115;
    printf("seed %llu\n", (unsigned long long)seed);
    grz_random random = grz_random_make(seed);
    unsigned known = 0, close = 0;
    for (unsigned round = 0; round < 4000; round++)
    {
        unsigned shape = (unsigned)grz_random_below(&random, PLACED_SHAPES), kind = round % POSE_KINDS;
        const graze_mesh *mesh = w->shapes->meshes[shape];
        graze_pose pose, other;
        placed_poses(&random, kind, &pose, &other);
        if (round % 7 == 0)
            pose = graze_pose_identity();
        double direction[3], point[3];
        random_direction(&random, direction);
        graze_box box;
        grz_world_sphere ball;
        saved_environment saved;
        environment_enter(&saved, (int)(round % ENVIRONMENTS));
        grz_world_bounds(mesh, &pose, &box, &ball);
        grz_placed_support placed = {&w->reaches[shape], &pose, ball.centre, ball.error};
        double bound = grz_support_bound(&placed, direction, point);
        environment_leave(&saved);
        long double most = farthest(mesh, &pose, direction);
        assert_true((long double)bound >= most);
        known += isfinite(bound) != 0;
        double length = sqrt(direction[0] * direction[0] + direction[1] * direction[1] + direction[2] * direction[2]);
        close += (double)(bound - most) < 0.05 * ball.radius * length;
    }
    printf("%u known, %u within 5 %% of the radius\n", known, close);
    assert_true(known > 3500 && close > 3400);
}

/* The table of one point seen from a centre, without any slack: its entries are multiples of 1/64. */
static void make_point_table(grz_random *random, double point[3], grz_support_table *out_table)
{
    double length_sq = 0;
    for (int k = 0; k < 3; k++)
    {
        point[k] = (double)grz_random_below(random, 33) / 16 - 1;
        length_sq += point[k] * point[k];
    }
    out_table->radius = sqrt(length_sq);
    for (int n = 0; n < 6 * (GRZ_SUPPORT_CELLS + 1) * (GRZ_SUPPORT_CELLS + 1); n++)
    {
        int side = n % 6, i = n / 6 % (GRZ_SUPPORT_CELLS + 1), k = n / 6 / (GRZ_SUPPORT_CELLS + 1), axis = side / 2;
        double first = 2.0 * i / GRZ_SUPPORT_CELLS - 1, second = 2.0 * k / GRZ_SUPPORT_CELLS - 1;
        out_table->table[side][i][k] = (float)((side % 2 == 0 ? point[axis] : -point[axis]) +
                                               first * point[(axis + 1) % 3] + second * point[(axis + 2) % 3]);
    }
}

/* With a table without slack, the bound itself has to cover its rounding; two such points at one place are never
   separated. */
static void bounds_pay_for_their_own_rounding(void **state)
{
    (void)state;
    const uint64_t seed = 815;
    printf("seed %llu\n", (unsigned long long)seed);
    grz_random random = grz_random_make(seed);
    unsigned tight = 0;
    for (unsigned round = 0; round < 4000; round++)
    {
        grz_support_table reaches[2];
        graze_pose poses[2];
        double points[2][3], direction[3], normal[3] = {0}, about[3], centres[2][3];
        placed_poses(&random, round % POSE_KINDS == POSE_FAR ? 0 : round % POSE_KINDS, &poses[0], &poses[1]);
        random_direction(&random, direction);
        grz_placed_support placed[2];
        for (int side = 0; side < 2; side++)
        {
            make_point_table(&random, points[side], &reaches[side]);
            for (int i = 0; i < 3; i++) /* B's centre is chosen such that its point is about that of A */
            {
                centres[side][i] = side == 0 ? grz_random_between(&random, -9, 9) : centres[0][i];
                for (int k = 0; k < 3 && side == 1; k++)
                    centres[1][i] += poses[0].m[4 * i + k] * points[0][k] - poses[1].m[4 * i + k] * points[1][k];
            }
            placed[side] = (grz_placed_support){&reaches[side], &poses[side], centres[side], 0x1p-45};
        }
        saved_environment saved;
        environment_enter(&saved, (int)(round % ENVIRONMENTS));
        double bound = grz_support_bound(&placed[0], direction, about);
        bool apart = grz_find_separating_plane(&placed[0], &placed[1], 8, normal);
        environment_leave(&saved);
        long double exact = 0, size = 0;
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
            {
                long double term = (long double)direction[i] * poses[0].m[4 * i + k] * points[0][k];
                exact += term;
                size += fabsl(term);
            }
        assert_false(apart);
        assert_true((long double)bound >= exact);
        tight += (long double)bound < exact + 0x1p-40L * size;
    }
    printf("%u tight\n", tight);
    assert_true(tight > 1000);
}

/* Whether a plane separates the two; if so, asserts that they are disjoint. */
static bool check_separated(const world *w, const unsigned shapes[2], const graze_pose poses[2], bool *out_meet)
{
    graze_placed_mesh placed[2];
    grz_placed_support supports[2];
    grz_world_sphere balls[2];
    for (int i = 0; i < 2; i++)
    {
        graze_box box;
        placed[i] = (graze_placed_mesh){w->shapes->meshes[shapes[i]], w->shapes->trees[shapes[i]][0], poses[i]};
        grz_world_bounds(placed[i].mesh, &poses[i], &box, &balls[i]);
        supports[i] = (grz_placed_support){&w->reaches[shapes[i]], &poses[i], balls[i].centre, balls[i].error};
    }
    double normal[3] = {0};
    bool separated = grz_find_separating_plane(&supports[0], &supports[1], 8, normal);
    assert_int_equal(graze_pair_any(NULL, &placed[0], &placed[1], NULL, out_meet, NULL), GRAZE_STATUS_OK);
    assert_false(separated && *out_meet);
    /* The separating plane found is tried first the next time. */
    assert_true(!separated || grz_find_separating_plane(&supports[0], &supports[1], 1, normal));
    return separated;
}

static void what_a_plane_parts_is_apart(void **state)
{
    world *w = *state;
    const uint64_t seed = 4711;
    printf("seed %llu\n", (unsigned long long)seed);
    grz_random random = grz_random_make(seed);
    unsigned separated = 0, apart = 0, met = 0;
    for (unsigned round = 0; round < 6000; round++)
    {
        unsigned shapes[2] = {(unsigned)grz_random_below(&random, PLACED_SHAPES),
                              (unsigned)grz_random_below(&random, PLACED_SHAPES)};
        graze_pose poses[2];
        placed_poses(&random, round % POSE_KINDS, &poses[0], &poses[1]);
        bool meet = false;
        separated += check_separated(w, shapes, poses, &meet);
        met += meet;
        apart += !meet;
    }
    printf("%u met, %u apart, %u of these parted\n", met, apart, separated);
    assert_true(met > 800 && apart > 800 && 2 * separated > apart);
}

/* There is no bound for a singular pose, or for numbers out of range. */
static void nothing_is_known_beyond_the_range(void **state)
{
    world *w = *state;
    static const double factors[] = {0, 0x1p-210, 0x1p210, 0x1p-190, 0x1p190};
    for (int i = 0; i < 5; i++)
    {
        graze_pose pose = graze_pose_identity();
        for (int k = 0; k < 3; k++)
            pose.m[5 * k] = factors[i];
        const double centre[3] = {0}, direction[3] = {0.5, 1, -0.25};
        double point[3];
        grz_placed_support placed = {&w->reaches[0], &pose, centre, 0};
        double bound = grz_support_bound(&placed, direction, point);
        assert_int_equal(bound == INFINITY, i < 3);
        assert_true(i < 3 || (long double)bound >= farthest(w->shapes->meshes[0], &pose, direction));
    }
}

/* Boxes whose faces coincide, and boxes with a gap of one unit in the last place of their coordinates. */
static void what_touches_is_not_parted(void **state)
{
    (void)state;
    graze_mesh *mesh;
    graze_tree *tree;
    grz_support_table reach;
    assert_int_equal(graze_mesh_create_box(NULL, 2, 2, 2, 1, &mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
    assert_true(grz_support_table_make(tree, &reach));
    unsigned separated = 0;
    for (int ulps = -1; ulps < 12; ulps++)
    {
        graze_pose poses[2] = {graze_pose_identity(), graze_pose_translation(2 + ldexp(ulps, -12), 1, 0)};
        const double centres[2][3] = {{0, 0, 0}, {poses[1].m[3], 1, 0}};
        grz_placed_support a = {&reach, &poses[0], centres[0], 0}, b = {&reach, &poses[1], centres[1], 0};
        double normal[3] = {1, 0, 0};
        bool apart = grz_find_separating_plane(&a, &b, 8, normal);
        assert_false(apart && ulps <= 0);
        separated += apart;
    }
    assert_true(separated >= 10);
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_vertex_reaches_farther_than_the_table_says),
        cmocka_unit_test(bounds_pay_for_their_own_rounding),
        cmocka_unit_test(what_a_plane_parts_is_apart),
        cmocka_unit_test(what_touches_is_not_parted),
        cmocka_unit_test(nothing_is_known_beyond_the_range),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
