/* SPDX-License-Identifier: MIT */
/*
 * Margins of soft meshes: sampled meshes never contradict the answers, few of which are unknown; a mesh that is soft in
 * name alone is answered as the rigid one; all pairs that samples find are visited.
 */
#include "motion/soft_margin.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graze/distance.h"
#include "graze/generate.h"
#include "graze/tree.h"
#include "support/failing_allocator.h"
#include "support/random.h"
#include "support/unit.h"

enum
{
    ROUNDS = TEST_ROUNDS(60),
    TIMES = 40,
    MOST_VERTICES = 400
};

typedef struct soft_bodies
{
    graze_mesh *ring, *ring_end, *box, *box_end;
} soft_bodies;

/* The same triangles, with vertices that are elsewhere. */
static graze_mesh *moved(test_random *random, graze_mesh *copy, double most)
{
    double vertices[MOST_VERTICES][3];
    size_t count = graze_mesh_vertex_count(copy);
    assert_true(count <= MOST_VERTICES);
    memcpy(vertices, graze_mesh_vertices(copy), count * sizeof vertices[0]);
    for (size_t i = 0; i < 3 * count; i++)
        vertices[i / 3][i % 3] += random_real(random, -most, most);
    assert_int_equal(graze_mesh_move_vertices(copy, vertices, 0, GRAZE_SCALAR_DOUBLE, NULL), GRAZE_STATUS_OK);
    return copy;
}

static soft_bodies make_bodies(test_random *random, double most)
{
    soft_bodies made;
    for (int i = 0; i < 2; i++)
    {
        graze_mesh **ring = i == 0 ? &made.ring : &made.ring_end, **box = i == 0 ? &made.box : &made.box_end;
        assert_int_equal(graze_mesh_create_torus(NULL, 1, 0.25, 14, 8, ring), GRAZE_STATUS_OK);
        assert_int_equal(graze_mesh_create_box(NULL, 1.2, 0.3, 0.3, 1, box), GRAZE_STATUS_OK);
    }
    moved(random, made.ring_end, most);
    moved(random, made.box_end, most);
    return made;
}

static void release(soft_bodies *made)
{
    graze_mesh_destroy(made->ring);
    graze_mesh_destroy(made->ring_end);
    graze_mesh_destroy(made->box);
    graze_mesh_destroy(made->box_end);
}

static graze_motion random_motion(test_random *random, graze_motion_kind kind, double reach)
{
    graze_motion motion = {.kind = kind, .start = graze_pose_identity(), .end = graze_pose_identity()};
    do
        for (int i = 0; i < 8; i++)
            motion.quaternion[i / 4][i % 4] = random_real(random, -1, 1);
    while (kind == GRAZE_MOTION_TURN && graze_motion_check(&motion) != GRAZE_STATUS_OK);
    for (int k = 0; k < 3; k++)
    {
        motion.path[0][k] = random_real(random, -reach, reach);
        motion.path[1][k] = random_real(random, -reach, reach);
        motion.start.m[4 * k + 3] = random_real(random, -reach, reach);
        motion.end.m[4 * k + 3] = random_real(random, -reach, reach);
    }
    return motion;
}

/* The mesh as it is in the world at a time, up to rounding. */
static graze_mesh *mesh_at(const graze_moving_mesh *m, const graze_mesh *triangles, double t)
{
    double vertices[MOST_VERTICES][3];
    size_t count = graze_mesh_vertex_count(m->mesh);
    const graze_pose *end = m->motion.kind == GRAZE_MOTION_STILL ? &m->motion.start : &m->motion.end;
    graze_pose pose;
    assert_int_equal(graze_motion_pose(&m->motion, t, &pose, NULL), GRAZE_STATUS_OK);
    for (size_t i = 0; i < count; i++)
    {
        const double *p = graze_mesh_vertices(m->mesh) + 3 * i;
        double from[3], to[3];
        if (m->end_mesh == NULL)
        {
            graze_pose_apply(&pose, p, vertices[i]);
            continue;
        }
        graze_pose_apply(&m->motion.start, p, from);
        graze_pose_apply(end, graze_mesh_vertices(m->end_mesh) + 3 * i, to);
        for (int k = 0; k < 3; k++)
            vertices[i][k] = from[k] + t * (to[k] - from[k]);
    }
    graze_mesh *mesh;
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = count;
    def.corners = graze_mesh_triangles(triangles);
    def.corner_count = 3 * graze_mesh_triangle_count(triangles);
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

static double distance_at(const graze_moving_mesh sides[2], double t)
{
    graze_placed_mesh placed[2];
    graze_mesh *meshes[2];
    graze_distance distance;
    for (int i = 0; i < 2; i++)
    {
        meshes[i] = mesh_at(&sides[i], sides[i].mesh, t);
        placed[i] = (graze_placed_mesh){meshes[i], NULL, graze_pose_identity()};
    }
    assert_int_equal(graze_pair_distance(NULL, &placed[0], &placed[1], NULL, &distance), GRAZE_STATUS_OK);
    for (int i = 0; i < 2; i++)
        graze_mesh_destroy(meshes[i]);
    return distance.distance;
}

static void check(const graze_moving_mesh sides[2], double margin, const graze_impact *impact)
{
    for (int i = 0; i <= TIMES; i++)
    {
        double t = (double)i / TIMES;
        if (impact->verdict == GRAZE_IMPACT_NONE || t < impact->lower)
            assert_true(distance_at(sides, t) > margin - 1e-12);
    }
    if (impact->verdict == GRAZE_IMPACT_AT)
        assert_true(distance_at(sides, impact->upper) < margin + 1e-12);
    if (impact->verdict == GRAZE_IMPACT_NONE)
        assert_true(impact->clearance_lower >= margin);
}

/* Both soft, or one of them beside one that stands, blends or turns. */
static void random_sides(test_random *random, const soft_bodies *made, graze_moving_mesh sides[2])
{
    static const graze_motion_kind kinds[] = {GRAZE_MOTION_STILL, GRAZE_MOTION_BLEND, GRAZE_MOTION_TURN};
    int soft = random_below(random, 3); /* 2: both */
    for (int i = 0; i < 2; i++)
    {
        bool is_soft = soft == 2 || soft == i;
        graze_motion_kind kind = kinds[random_below(random, is_soft ? 2 : 3)];
        sides[i] = (graze_moving_mesh){.mesh = i == 0 ? made->ring : made->box,
                                       .motion = random_motion(random, kind, i == 0 ? 0.2 : 1.8)};
        sides[i].end_mesh = !is_soft ? NULL : i == 0 ? made->ring_end : made->box_end;
    }
}

static void margins_of_soft_meshes_fit_samples(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 71);
    int verdicts[3] = {0}, wide = 0, started = 0;
    for (int round = 0; round < ROUNDS; round++)
    {
        soft_bodies made = make_bodies(&random, 0.125);
        graze_moving_mesh sides[2];
        graze_impact_options options = graze_impact_options_default();
        graze_impact impact;
        random_sides(&random, &made, sides);
        options.margin = random_real(&random, 0, 0.25);
        assert_int_equal(graze_pair_impact(NULL, &sides[0], &sides[1], &options, &impact), GRAZE_STATUS_OK);
        check(sides, options.margin, &impact);
        verdicts[impact.verdict]++;
        started += impact.at_start;
        wide += impact.verdict == GRAZE_IMPACT_AT && impact.upper - impact.lower > 1e-5;
        release(&made);
    }
    printf("%d none, %d at (%d at the start), %d unknown; %d wide\n", verdicts[0], verdicts[1], started, verdicts[2],
           wide);
    assert_true(verdicts[0] > ROUNDS / 10 && verdicts[1] - started > ROUNDS / 10);
    assert_true(verdicts[2] <= ROUNDS / 50 && wide <= ROUNDS / 50);
}

static void meshes_soft_in_name_are_as_rigid_ones(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 72);
    soft_bodies made = make_bodies(&random, 0);
    int met = 0, none = 0;
    for (int round = 0; round < ROUNDS; round++)
    {
        graze_moving_mesh a = {.mesh = made.ring, .motion = random_motion(&random, GRAZE_MOTION_TURN, 0.2)};
        graze_moving_mesh b = {.mesh = made.box, .motion = random_motion(&random, GRAZE_MOTION_BLEND, 1.8)};
        graze_impact_options options = graze_impact_options_default();
        graze_impact rigid, soft;
        options.margin = 0.125;
        assert_int_equal(graze_pair_impact(NULL, &a, &b, &options, &rigid), GRAZE_STATUS_OK);
        b.end_mesh = made.box_end;
        assert_int_equal(graze_pair_impact(NULL, &a, &b, &options, &soft), GRAZE_STATUS_OK);
        assert_int_equal(soft.verdict, rigid.verdict);
        assert_true(soft.lower <= rigid.upper && rigid.lower <= soft.upper);
        assert_int_equal(soft.at_start, rigid.at_start);
        met += soft.verdict == GRAZE_IMPACT_AT && !soft.at_start;
        none += soft.verdict == GRAZE_IMPACT_NONE;
    }
    printf("%d met, %d did not\n", met, none);
    assert_true(met > ROUNDS / 8 && none > ROUNDS / 8);
    release(&made);
}

/* A triangle across the x axis at a place on it, all in the unit. */
static graze_mesh *small_triangle(double place, double unit)
{
    const double vertices[3][3] = {{place * unit, -0.25 * unit, -0.25 * unit},
                                   {place * unit, 0.25 * unit, -0.25 * unit},
                                   {place * unit, 0, 0.25 * unit}};
    const uint32_t corners[3] = {0, 1, 2};
    graze_mesh_def def = graze_mesh_def_default();
    graze_mesh *mesh;
    def.vertices = vertices;
    def.vertex_count = 3;
    def.corners = corners;
    def.corner_count = 3;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

/* One triangle turns halfway around the z axis and comes close to the other, whatever the unit of length. */
static void units_do_not_matter_where_squares_underflow(void **state)
{
    (void)state;
    for (int exponent = 0; exponent >= -640; exponent -= 20)
    {
        double unit = ldexp(1, exponent);
        graze_mesh *meshes[3] = {small_triangle(-2.0625, unit), small_triangle(-2.0625, unit), small_triangle(2, unit)};
        graze_moving_mesh soft = {.mesh = meshes[0], .end_mesh = meshes[1]}, turns = {.mesh = meshes[2]};
        soft.motion = (graze_motion){.kind = GRAZE_MOTION_STILL, .start = graze_pose_identity()};
        turns.motion = (graze_motion){.kind = GRAZE_MOTION_TURN, .quaternion = {{1, 0, 0, 0}, {0, 0, 0, 1}}};
        graze_impact_options options = graze_impact_options_default();
        graze_impact impact;
        options.margin = 0.125 * unit;
        assert_int_equal(graze_pair_impact(NULL, &soft, &turns, &options, &impact), GRAZE_STATUS_OK);
        if (impact.verdict != GRAZE_IMPACT_AT || !(impact.lower > 0.75 && impact.upper < 1))
            printf("unit 2^%d: %d, %.17g to %.17g\n", exponent, impact.verdict, impact.lower, impact.upper);
        assert_int_equal(impact.verdict, GRAZE_IMPACT_AT);
        assert_true(impact.lower > 0.75 && impact.upper < 1);
        for (int i = 0; i < 3; i++)
            graze_mesh_destroy(meshes[i]);
    }
}

typedef struct pair_list
{
    graze_pair_impact_hit hits[8192];
    size_t count;
} pair_list;

static bool note(void *user, const graze_pair_impact_hit *hit)
{
    pair_list *list = user;
    if (list->count < 8192)
        list->hits[list->count++] = *hit;
    return true;
}

static void all_pairs_within_the_margin_are_visited(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 73);
    pair_list *list = malloc(sizeof *list);
    size_t found = 0, proved = 0, visited = 0;
    assert_non_null(list);
    for (int round = 0; round < ROUNDS / 4; round++)
    {
        soft_bodies made = make_bodies(&random, 0.125);
        graze_moving_mesh sides[2];
        graze_impact_options options = graze_impact_options_default();
        random_sides(&random, &made, sides);
        options.margin = 0.0625;
        list->count = 0;
        assert_int_equal(graze_pair_impact_visit(NULL, &sides[0], &sides[1], &options, note, list), GRAZE_STATUS_OK);
        visited += list->count;
        for (size_t i = 0; i < list->count; i++)
        {
            proved += list->hits[i].interval.verdict == GRAZE_IMPACT_AT;
            assert_true(i == 0 || list->hits[i].interval.lower >= list->hits[i - 1].interval.lower);
        }
        for (int i = 0; i <= 8; i++)
        {
            graze_mesh *meshes[2] = {mesh_at(&sides[0], sides[0].mesh, i / 8.0),
                                     mesh_at(&sides[1], sides[1].mesh, i / 8.0)};
            graze_placed_mesh placed[2] = {{meshes[0], NULL, graze_pose_identity()},
                                           {meshes[1], NULL, graze_pose_identity()}};
            static graze_proximity near[8192];
            uint64_t count = 0;
            assert_int_equal(graze_pair_tolerance_gather(NULL, &placed[0], &placed[1], options.margin * (1 - 1e-9),
                                                         NULL, near, 8192, &count),
                             GRAZE_STATUS_OK);
            for (size_t n = 0; n < count && n < 8192; n++)
            {
                size_t at = 0;
                while (at < list->count && (list->hits[at].triangle_a != near[n].triangle_a ||
                                            list->hits[at].triangle_b != near[n].triangle_b))
                    at++;
                assert_true(at < list->count && list->hits[at].interval.lower <= i / 8.0 + 1e-9);
                found++;
            }
            graze_mesh_destroy(meshes[0]);
            graze_mesh_destroy(meshes[1]);
        }
        release(&made);
    }
    printf("%zu of samples, %zu visited, %zu proved\n", found, visited, proved);
    assert_true(found > 20 * (size_t)ROUNDS && proved > visited * 3 / 4);
    free(list);
}

static bool stop(void *user, double share)
{
    (void)share;
    return --*(int *)user > 0;
}

static void soft_margins_take_budgets_and_fail_cleanly(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 74);
    soft_bodies made = make_bodies(&random, 0.125);
    graze_moving_mesh a = {
        .mesh = made.ring, .end_mesh = made.ring_end, .motion = random_motion(&random, GRAZE_MOTION_STILL, 0)};
    graze_moving_mesh b = {.mesh = made.box, .motion = {.kind = GRAZE_MOTION_BLEND}};
    b.motion.start = graze_pose_translation(4, 0, 0);
    b.motion.end = graze_pose_translation(-4, 0, 0);
    graze_impact_options options = graze_impact_options_default();
    graze_impact impact = {0};
    int left = 1, failed = 0;
    options.margin = 0.125;
    options.budget = (graze_budget){.progress = stop, .progress_user = &left};
    assert_int_equal(graze_pair_impact(NULL, &a, &b, &options, &impact), GRAZE_STATUS_CANCELLED);
    graze_tree *trees[2];
    assert_int_equal(graze_tree_create(NULL, made.ring, NULL, NULL, &trees[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, made.box, NULL, NULL, &trees[1]), GRAZE_STATUS_OK);
    a.tree = trees[0];
    b.tree = trees[1];
    options.budget = (graze_budget){.box_tests = 8};
    assert_int_equal(graze_pair_impact(NULL, &a, &b, &options, &impact), GRAZE_STATUS_OK);
    assert_int_equal(impact.verdict, GRAZE_IMPACT_UNKNOWN);
    options.budget = (graze_budget){0};
    for (size_t allowed = 0;; allowed++)
    {
        failing_allocator allocator = {.allowed = allowed};
        graze_context context = failing_allocator_context(&allocator);
        graze_status status = graze_pair_impact(&context, &a, &b, &options, &impact);
        assert_int_equal(allocator.live, 0);
        if (status == GRAZE_STATUS_OK)
            break;
        assert_int_equal(status, GRAZE_STATUS_OUT_OF_MEMORY);
        failed++;
    }
    assert_true(failed > 3 && impact.verdict == GRAZE_IMPACT_AT && impact.lower > 0.2 && impact.upper < 0.5);
    assert_true(fabs(impact.normal[0]) > 0.25);
    graze_tree_destroy(trees[0]);
    graze_tree_destroy(trees[1]);
    release(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(margins_of_soft_meshes_fit_samples),
        cmocka_unit_test(meshes_soft_in_name_are_as_rigid_ones),
        cmocka_unit_test(units_do_not_matter_where_squares_underflow),
        cmocka_unit_test(all_pairs_within_the_margin_are_visited),
        cmocka_unit_test(soft_margins_take_budgets_and_fail_cleanly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
