/* SPDX-License-Identifier: MIT */
/*
 * The first impact of two moving meshes: against the slow twin, all pairs of triangles through the test of two, against
 * static queries at exact poses, and its own symmetries.
 *
 * Poses at a time are exact where numbers are small: those of blends are doubles then; those of turns are once the
 * world is multiplied by both squared lengths of quaternions, which changes no contact.
 */
#include "graze/motion_query.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graze/generate.h"
#include "motion/pair_kernel.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/unit.h"

enum
{
    ROUNDS = TEST_ROUNDS(400),
    TIMES = 64 /* exact samples are at multiples of this part */
};

/* ---- small meshes and motions with few bits ---- */

static graze_mesh *small_mesh(test_random *random)
{
    static test_mesh mesh;
    mesh.vertex_count = mesh.triangle_count = 0;
    switch (random_below(random, 3))
    {
    case 0:
        mesh_add_cube(&mesh, random_between(random, -2, 0), random_between(random, -2, 0),
                      random_between(random, -2, 0), random_between(random, 1, 2));
        break;
    case 1:
        mesh_add_bipyramid(&mesh, 0, 0, 0, random_between(random, 1, 2));
        break;
    default:
        mesh_add_soup(&mesh, random, 6, 5, 3);
    }
    return mesh_create(&mesh);
}

static void small_pose(test_random *random, graze_pose *pose)
{
    for (int k = 0; k < 12; k++)
        pose->m[k] = k % 4 == 3 ? random_between(random, -6, 6) : (double)random_between(random, -2, 2) / 2;
}

static graze_motion small_motion(test_random *random)
{
    graze_motion motion = {.kind = GRAZE_MOTION_STILL};
    switch (random_below(random, 5))
    {
    case 0:
        motion.start = graze_pose_translation(random_between(random, -2, 2), random_between(random, -2, 2), 0);
        break;
    case 1: /* a translation: contacts at many places at once, degenerate ones */
        motion.kind = GRAZE_MOTION_BLEND;
        motion.start = graze_pose_translation(random_between(random, -8, 8), random_between(random, -2, 2),
                                              random_between(random, -2, 2));
        motion.end = graze_pose_translation(random_between(random, -8, 8), random_between(random, -2, 2),
                                            random_between(random, -2, 2));
        break;
    case 2:
        motion.kind = GRAZE_MOTION_BLEND;
        small_pose(random, &motion.start);
        small_pose(random, &motion.end);
        break;
    default:
        motion.kind = random_once_in(random, 3) ? GRAZE_MOTION_BALLISTIC_TURN : GRAZE_MOTION_TURN;
        do
            for (int i = 0; i < 8; i++)
                motion.quaternion[i / 4][i % 4] = random_between(random, -2, 2);
        while (graze_motion_check(&motion) != GRAZE_STATUS_OK);
        for (int k = 0; k < 3; k++)
        {
            motion.centre[k] = random_between(random, -1, 1);
            motion.path[0][k] = random_between(random, -5, 5);
            motion.path[1][k] = random_between(random, -8, 8);
            motion.path[2][k] = random_between(random, -4, 4);
        }
    }
    return motion;
}

/* The pose at t times `w`, both exact; *w is a squared length for a turn and 1 else. */
static void exact_pose(const graze_motion *motion, double t, graze_pose *pose, double *w)
{
    *w = 1;
    *pose = motion->start;
    if (motion->kind == GRAZE_MOTION_STILL)
        return;
    if (motion->kind == GRAZE_MOTION_BLEND)
    {
        for (int k = 0; k < 12; k++)
            pose->m[k] = (1 - t) * motion->start.m[k] + t * motion->end.m[k];
        return;
    }
    double q[4], x[3];
    for (int i = 0; i < 4; i++)
        q[i] = (1 - t) * motion->quaternion[0][i] + t * motion->quaternion[1][i];
    *w = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    for (int i = 0; i < 3; i++)
    {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        pose->m[4 * i + i] = q[0] * q[0] + q[i + 1] * q[i + 1] - q[j + 1] * q[j + 1] - q[k + 1] * q[k + 1];
        pose->m[4 * i + j] = 2 * (q[i + 1] * q[j + 1] - q[0] * q[k + 1]);
        pose->m[4 * j + i] = 2 * (q[i + 1] * q[j + 1] + q[0] * q[k + 1]);
        x[i] = motion->path[0][i] + motion->path[1][i] * t;
        if (motion->kind == GRAZE_MOTION_BALLISTIC_TURN)
            x[i] += motion->path[2][i] * t * t;
    }
    for (int i = 0; i < 3; i++)
        pose->m[4 * i + 3] = *w * x[i] - pose->m[4 * i] * motion->centre[0] - pose->m[4 * i + 1] * motion->centre[1] -
                             pose->m[4 * i + 2] * motion->centre[2];
}

static void scale(graze_pose *pose, double factor)
{
    for (int k = 0; k < 12; k++)
        pose->m[k] *= factor;
}

/* Whether the meshes meet at a time that is a multiple of 1/64, exactly. */
static bool meet_at(const graze_moving_mesh *a, const graze_moving_mesh *b, double t, graze_pair_counts *counts)
{
    graze_placed_mesh first = {a->mesh, NULL, {{0}}}, second = {b->mesh, NULL, {{0}}};
    double w_a, w_b;
    exact_pose(&a->motion, t, &first.pose, &w_a);
    exact_pose(&b->motion, t, &second.pose, &w_b);
    scale(&first.pose, w_b);
    scale(&second.pose, w_a);
    assert_int_equal(graze_pair_count(NULL, &first, &second, NULL, counts), GRAZE_STATUS_OK);
    return counts->pairs > 0;
}

/* ---- the slow twin ---- */

static grz_pair_time slow_first(const graze_moving_mesh *a, const graze_moving_mesh *b, bool crossing, bool *crosses)
{
    const grz_impact_question question = {.crossing = crossing, .details = true, .until = 1, .from = 0};
    grz_pair_time best = {.found = false};
    *crosses = false;
    for (uint32_t i = 0; i < graze_mesh_triangle_count(a->mesh); i++)
        for (uint32_t j = 0; j < graze_mesh_triangle_count(b->mesh); j++)
        {
            grz_pair_time time;
            int order = -1;
            assert_int_equal(grz_pair_first_time(NULL, a, b, i, j, &question, &time), GRAZE_STATUS_OK);
            if (!time.found)
                continue;
            if (best.found)
                assert_int_equal(grz_pair_times_compare(NULL, a, b, crossing, &time, &best, &order), GRAZE_STATUS_OK);
            *crosses = order < 0 ? time.contact.crosses : *crosses || (order == 0 && time.contact.crosses);
            if (order < 0)
                best = time;
        }
    return best;
}

typedef struct case_counts
{
    int hits, none, at_start, exact, crossing, touching;
} case_counts;

/* What is true of an impact by static queries at exact poses. */
static void check_by_samples(const graze_moving_mesh *a, const graze_moving_mesh *b, const graze_impact *impact)
{
    graze_pair_counts counts;
    for (int i = 0; i <= TIMES; i++)
    {
        double t = (double)i / TIMES;
        bool meet = meet_at(a, b, t, &counts);
        if (meet && (impact->verdict != GRAZE_IMPACT_AT || t < impact->lower))
            fail_msg("they meet at %g, but no impact by then is reported", t);
        if (!meet && impact->verdict == GRAZE_IMPACT_AT && impact->lower == t && impact->upper == t)
            fail_msg("an impact at %g, where they are apart", t);
    }
}

static void the_first_impact_is_that_of_all_pairs(void **state)
{
    (void)state;
    test_random random = test_random_start("the_first_impact_is_that_of_all_pairs", 1905);
    case_counts seen = {0};
    for (int round = 0; round < ROUNDS; round++)
    {
        graze_mesh *mesh_a = small_mesh(&random), *mesh_b = small_mesh(&random);
        const graze_moving_mesh a = {mesh_a, NULL, NULL, small_motion(&random)};
        const graze_moving_mesh b = {mesh_b, NULL, NULL, small_motion(&random)};
        graze_impact_options options = graze_impact_options_default();
        options.crossing = round % 4 == 3;
        graze_impact impact;
        assert_int_equal(graze_pair_impact(NULL, &a, &b, &options, &impact), GRAZE_STATUS_OK);
        bool crosses = false;
        grz_pair_time expected = slow_first(&a, &b, options.crossing, &crosses);
        assert_int_equal(impact.verdict, expected.found ? GRAZE_IMPACT_AT : GRAZE_IMPACT_NONE);
        if (expected.found)
        {
            assert_true(impact.lower == expected.contact.when.lower && impact.upper == expected.contact.when.upper);
            assert_int_equal(impact.hit.triangle_a, expected.a);
            assert_int_equal(impact.hit.triangle_b, expected.b);
            assert_int_equal(impact.crosses, crosses);
            assert_memory_equal(&impact.hit.contact, &expected.contact.contact, sizeof impact.hit.contact);
            assert_true(impact.upper == impact.lower || impact.upper == nextafter(impact.lower, 2));
            assert_int_equal(impact.at_start, impact.upper == 0);
        }
        if (!options.crossing)
            check_by_samples(&a, &b, &impact);
        seen.hits += expected.found;
        seen.none += !expected.found;
        seen.at_start += expected.found && impact.at_start;
        seen.exact += expected.found && impact.lower == impact.upper;
        seen.crossing += expected.found && crosses;
        seen.touching += expected.found && !crosses;
        graze_mesh_destroy(mesh_a);
        graze_mesh_destroy(mesh_b);
    }
    print_message("%d hits (%d at the start, %d at a double, %d crossing, %d touching), %d clear\n", seen.hits,
                  seen.at_start, seen.exact, seen.crossing, seen.touching, seen.none);
    assert_true(seen.hits > ROUNDS / 5 && seen.none > ROUNDS / 16 && seen.touching > 0);
    assert_true(seen.exact > seen.at_start ||
                SUPPORT_SANITIZED); /* a later time that is a double: too rare for few rounds */
}

/* ---- symmetries ---- */

static graze_impact impact_of(const graze_moving_mesh *a, const graze_moving_mesh *b)
{
    graze_impact impact;
    assert_int_equal(graze_pair_impact(NULL, a, b, NULL, &impact), GRAZE_STATUS_OK);
    return impact;
}

static void swapped_meshes_meet_at_the_same_time(void **state)
{
    (void)state;
    test_random random = test_random_start("swapped_meshes_meet_at_the_same_time", 77);
    int hits = 0;
    for (int round = 0; round < ROUNDS / 2; round++)
    {
        graze_mesh *mesh_a = small_mesh(&random), *mesh_b = small_mesh(&random);
        const graze_moving_mesh a = {mesh_a, NULL, NULL, small_motion(&random)};
        const graze_moving_mesh b = {mesh_b, NULL, NULL, small_motion(&random)};
        graze_impact there = impact_of(&a, &b), back = impact_of(&b, &a);
        assert_int_equal(there.verdict, back.verdict);
        assert_true(there.lower == back.lower && there.upper == back.upper && there.crosses == back.crosses);
        hits += there.verdict == GRAZE_IMPACT_AT;
        graze_mesh_destroy(mesh_a);
        graze_mesh_destroy(mesh_b);
    }
    assert_true(hits > ROUNDS / 8);
}

/* A blend from time t0 to t1, both multiples of a quarter. */
static graze_motion part_of(const graze_motion *motion, double t0, double t1)
{
    graze_motion part = *motion;
    double w;
    if (motion->kind == GRAZE_MOTION_STILL)
        return part;
    exact_pose(motion, t0, &part.start, &w);
    exact_pose(motion, t1, &part.end, &w);
    return part;
}

static void halves_and_reversals_of_blends_agree(void **state)
{
    (void)state;
    test_random random = test_random_start("halves_and_reversals_of_blends_agree", 5);
    int first = 0, second = 0;
    for (int round = 0; round < ROUNDS; round++)
    {
        graze_mesh *mesh_a = small_mesh(&random), *mesh_b = small_mesh(&random);
        graze_moving_mesh a = {mesh_a, NULL, NULL, small_motion(&random)};
        graze_moving_mesh b = {mesh_b, NULL, NULL, small_motion(&random)};
        graze_moving_mesh *both[2] = {&a, &b};
        graze_motion whole[2];
        for (int side = 0; side < 2; side++)
        {
            while (both[side]->motion.kind > GRAZE_MOTION_BLEND)
                both[side]->motion = small_motion(&random);
            whole[side] = both[side]->motion;
        }
        graze_impact all = impact_of(&a, &b), parts[3];
        static const double times[3][2] = {{0, 0.5}, {0.5, 1}, {1, 0}};
        for (int k = 0; k < 3; k++)
        {
            for (int side = 0; side < 2; side++)
                both[side]->motion = part_of(&whole[side], times[k][0], times[k][1]);
            parts[k] = impact_of(&a, &b);
        }
        assert_int_equal(parts[2].verdict, all.verdict);
        if (parts[0].verdict == GRAZE_IMPACT_AT)
            assert_true(all.lower == parts[0].lower / 2 && all.upper == parts[0].upper / 2);
        else if (parts[1].verdict == GRAZE_IMPACT_AT)
            assert_true(fabs(all.lower - (0.5 + parts[1].lower / 2)) < 1e-15);
        else
            assert_int_equal(all.verdict, GRAZE_IMPACT_NONE);
        first += parts[0].verdict == GRAZE_IMPACT_AT;
        second += parts[0].verdict != GRAZE_IMPACT_AT && parts[1].verdict == GRAZE_IMPACT_AT;
        graze_mesh_destroy(mesh_a);
        graze_mesh_destroy(mesh_b);
    }
    assert_true(first > ROUNDS / 40 && second > ROUNDS / 80);
}

/* ---- larger meshes ---- */

static void nothing_is_missed_between_a_thousand_samples(void **state)
{
    (void)state;
    test_random random = test_random_start("nothing_is_missed_between_a_thousand_samples", 11);
    int hits = 0, clear = 0;
    graze_mesh *mesh = NULL;
    graze_tree *tree = NULL;
    assert_int_equal(graze_mesh_create_torus(NULL, 1, 0.3, 24, 12, &mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
    for (int round = 0; round < TEST_ROUNDS(8); round++)
    {
        graze_moving_mesh a = {mesh, NULL, tree, {0}}, b = a;
        graze_moving_mesh *both[2] = {&a, &b};
        for (int side = 0; side < 2; side++)
        {
            graze_pose ends[2];
            for (int k = 0; k < 2; k++)
            {
                double q[4],
                    x[3] = {(side == k ? -1.6 : 1.6), random_real(&random, -1, 1), random_real(&random, -1, 1)};
                for (int i = 0; i < 4; i++)
                    q[i] = random_real(&random, -1, 1);
                assert_int_equal(graze_pose_from_quaternion(q, x, &ends[k]), GRAZE_STATUS_OK);
            }
            assert_int_equal(graze_motion_between(&ends[0], &ends[1], GRAZE_MOTION_TURN, &both[side]->motion, NULL),
                             GRAZE_STATUS_OK);
        }
        graze_impact impact = impact_of(&a, &b);
        double first = 2;
        for (int i = 0; i <= 1000 && first > 1; i++)
        {
            graze_placed_mesh p = {mesh, tree, {{0}}}, q = p;
            bool found = false;
            assert_int_equal(graze_motion_pose(&a.motion, i / 1000.0, &p.pose, NULL), GRAZE_STATUS_OK);
            assert_int_equal(graze_motion_pose(&b.motion, i / 1000.0, &q.pose, NULL), GRAZE_STATUS_OK);
            assert_int_equal(graze_pair_any(NULL, &p, &q, NULL, &found, NULL), GRAZE_STATUS_OK);
            if (found)
                first = i / 1000.0;
        }
        if (first <= 1)
            assert_true(impact.verdict == GRAZE_IMPACT_AT && impact.lower <= first + 1e-12);
        hits += impact.verdict == GRAZE_IMPACT_AT;
        clear += impact.verdict == GRAZE_IMPACT_NONE;
    }
    print_message("%d hits, %d clear\n", hits, clear);
    assert_true(hits > 0);
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
}

static void a_bullet_does_not_slip_through_a_sheet(void **state)
{
    (void)state;
    graze_mesh *bullet = NULL, *sheet = NULL;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 0.0005, 4, &bullet), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 0.00001, 8, &sheet), GRAZE_STATUS_OK);
    const graze_pose from = graze_pose_translation(0.01, 0.02, -5),
                     to = graze_pose_translation(0.01, 0.02, -5 + 1000.0 / 60);
    graze_moving_mesh a = {sheet, NULL, NULL, {0}}, b = {bullet, NULL, NULL, {0}};
    const graze_pose identity = graze_pose_identity();
    assert_int_equal(graze_motion_still(&identity, &a.motion), GRAZE_STATUS_OK);
    assert_int_equal(graze_motion_between(&from, &to, GRAZE_MOTION_TURN, &b.motion, NULL), GRAZE_STATUS_OK);
    graze_impact impact = impact_of(&a, &b);
    assert_int_equal(impact.verdict, GRAZE_IMPACT_AT);
    assert_true(impact.crosses && !impact.at_start);
    assert_true(fabs(impact.lower - (5 - 0.000505) / (1000.0 / 60)) < 1e-6);
    graze_mesh_destroy(bullet);
    graze_mesh_destroy(sheet);
}

/* ---- visits, tracks, budgets ---- */

typedef struct visited
{
    graze_pair_impact_hit hits[4096];
    size_t count, most;
} visited;

static bool note(void *user, const graze_pair_impact_hit *hit)
{
    visited *v = user;
    assert_true(v->count < 4096);
    v->hits[v->count++] = *hit;
    return v->count < v->most;
}

static void visits_give_each_pair_once_with_its_first_time(void **state)
{
    (void)state;
    test_random random = test_random_start("visits_give_each_pair_once_with_its_first_time", 8);
    static visited v;
    size_t total = 0;
    for (int round = 0; round < ROUNDS / 4; round++)
    {
        graze_mesh *mesh_a = small_mesh(&random), *mesh_b = small_mesh(&random);
        const graze_moving_mesh a = {mesh_a, NULL, NULL, small_motion(&random)};
        const graze_moving_mesh b = {mesh_b, NULL, NULL, small_motion(&random)};
        v.count = 0;
        v.most = SIZE_MAX;
        assert_int_equal(graze_pair_impact_visit(NULL, &a, &b, NULL, note, &v), GRAZE_STATUS_OK);
        const grz_impact_question question = {.crossing = false, .details = false, .until = 1, .from = 0};
        size_t expected = 0;
        for (uint32_t i = 0; i < graze_mesh_triangle_count(mesh_a); i++)
            for (uint32_t j = 0; j < graze_mesh_triangle_count(mesh_b); j++)
            {
                grz_pair_time time;
                assert_int_equal(grz_pair_first_time(NULL, &a, &b, i, j, &question, &time), GRAZE_STATUS_OK);
                expected += time.found;
                bool known = false;
                for (size_t k = 0; time.found && k < v.count; k++)
                    known = known || (v.hits[k].triangle_a == i && v.hits[k].triangle_b == j &&
                                      v.hits[k].interval.lower == time.contact.when.lower &&
                                      v.hits[k].interval.upper == time.contact.when.upper);
                assert_int_equal(known, time.found);
            }
        assert_int_equal(v.count, expected);
        for (size_t k = 1; k < v.count; k++)
            assert_true(v.hits[k - 1].interval.lower <= v.hits[k].interval.lower);
        total += v.count;
        graze_mesh_destroy(mesh_a);
        graze_mesh_destroy(mesh_b);
    }
    assert_true(total > ROUNDS);
}

static bool cancel(void *user, double share)
{
    (void)user;
    (void)share;
    return false;
}

static void budgets_and_callbacks_stop(void **state)
{
    (void)state;
    graze_mesh *mesh = NULL;
    graze_tree *tree = NULL;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 40, &mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
    graze_moving_mesh a = {mesh, NULL, tree, {0}}, b = a;
    const graze_pose identity = graze_pose_identity(), from = graze_pose_translation(-3, 1.5, 1.3),
                     to = graze_pose_translation(3, 1.5, 1.3);
    assert_int_equal(graze_motion_still(&identity, &a.motion), GRAZE_STATUS_OK);
    assert_int_equal(graze_motion_between(&from, &to, GRAZE_MOTION_BLEND, &b.motion, NULL), GRAZE_STATUS_OK);
    graze_impact_options options = graze_impact_options_default();
    graze_impact_stats stats = {0};
    options.stats = &stats;
    graze_impact impact, full = impact_of(&a, &b);
    assert_int_equal(full.verdict, GRAZE_IMPACT_AT);
    options.budget.box_tests = 1000;
    assert_int_equal(graze_pair_impact(NULL, &a, &b, &options, &impact), GRAZE_STATUS_OK);
    assert_int_equal(impact.verdict, GRAZE_IMPACT_UNKNOWN);
    assert_true(impact.lower <= full.lower && stats.box_tests >= 500);
    options.budget.box_tests = 0;
    options.budget.progress = cancel;
    impact.lower = 42;
    assert_int_equal(graze_pair_impact(NULL, &a, &b, &options, &impact), GRAZE_STATUS_CANCELLED);
    assert_true(impact.lower == 42);
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
}

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    graze_mesh *box = NULL, *other = NULL;
    graze_tree *tree = NULL;
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 1, &box), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 2, &other), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, other, NULL, NULL, &tree), GRAZE_STATUS_OK);
    const graze_motion still = {.kind = GRAZE_MOTION_STILL, .start = graze_pose_identity()};
    graze_moving_mesh a = {box, NULL, NULL, still}, b = {box, NULL, tree, still};
    graze_impact impact;
    assert_int_equal(graze_pair_impact(NULL, &a, &b, NULL, &impact), GRAZE_STATUS_BAD_ARGUMENT);
    b = (graze_moving_mesh){box, other, NULL, still};
    assert_int_equal(graze_pair_impact(NULL, &a, &b, NULL, &impact), GRAZE_STATUS_BAD_ARGUMENT);
    b = a;
    b.motion.start.m[3] = NAN;
    assert_int_equal(graze_pair_impact(NULL, &a, &b, NULL, &impact), GRAZE_STATUS_NOT_FINITE);
    graze_impact_options options = graze_impact_options_default();
    options.margin = -1;
    assert_int_equal(graze_pair_impact(NULL, &a, &a, &options, &impact), GRAZE_STATUS_BAD_ARGUMENT);
    graze_tree_destroy(tree);
    graze_mesh_destroy(box);
    graze_mesh_destroy(other);
}

/* A torus that wanders around another, threaded on it or beside it, in steps smaller than the gap or larger. */
static void flights_miss_nothing_between_a_thousand_samples(void **state)
{
    (void)state;
    enum
    {
        SEGMENTS = 40,
        SAMPLES = 1000
    };
    test_random random = test_random_start(__func__, 12);
    static graze_motion motions[2][SEGMENTS];
    static graze_impact impacts[SEGMENTS];
    graze_mesh *mesh = NULL;
    graze_tree *tree = NULL;
    int hits = 0, clear = 0, between_poses = 0;
    assert_int_equal(graze_mesh_create_torus(NULL, 1, 0.3, 24, 12, &mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
    graze_pose pose = {{1, 0, 0, 0.95, 0, 0, -1, 0, 0, 1, 0, 0}};
    const graze_pose still = graze_pose_identity();
    for (int i = 0; i < SEGMENTS; i++)
    {
        double step = i % 3 == 0 ? 0.3 : 0.05, angle = random_real(&random, -step, step), c = cos(angle),
               d = sin(angle);
        graze_pose next = pose;
        for (int k = 0; k < 3; k++)
        {
            next.m[k] = c * pose.m[k] - d * pose.m[4 + k];
            next.m[4 + k] = d * pose.m[k] + c * pose.m[4 + k];
            next.m[4 * k + 3] = fmax(-1.5, fmin(1.5, pose.m[4 * k + 3] + random_real(&random, -step, step)));
        }
        assert_int_equal(graze_motion_still(&still, &motions[0][i]), GRAZE_STATUS_OK);
        assert_int_equal(graze_motion_between(&pose, &next, GRAZE_MOTION_TURN, &motions[1][i], NULL), GRAZE_STATUS_OK);
        pose = next;
    }
    graze_moving_mesh a = {mesh, NULL, tree, {0}}, b = a;
    assert_int_equal(graze_track(NULL, &a, &b, motions[0], motions[1], SEGMENTS, NULL, impacts), GRAZE_STATUS_OK);
    for (int i = 0; i < SEGMENTS; i++)
    {
        graze_impact alone;
        a.motion = motions[0][i];
        b.motion = motions[1][i];
        assert_int_equal(graze_pair_impact(NULL, &a, &b, NULL, &alone), GRAZE_STATUS_OK);
        assert_memory_equal(&alone, &impacts[i], sizeof alone);
        bool hit = impacts[i].verdict == GRAZE_IMPACT_AT, at_ends = false;
        for (int k = 0; k <= SAMPLES; k++)
        {
            graze_placed_mesh p = {mesh, tree, still}, q = p;
            bool found = false;
            double t = (double)k / SAMPLES;
            assert_int_equal(graze_motion_pose(&b.motion, t, &q.pose, NULL), GRAZE_STATUS_OK);
            assert_int_equal(graze_pair_any(NULL, &p, &q, NULL, &found, NULL), GRAZE_STATUS_OK);
            if (found)
                assert_true(hit && impacts[i].lower <= t + 1e-12);
            at_ends = at_ends || (found && (k == 0 || k == SAMPLES));
        }
        hits += hit;
        clear += !hit;
        between_poses += hit && !at_ends;
    }
    print_message("%d hits, %d clear, %d between poses only\n", hits, clear, between_poses);
    assert_true(hits > 3 && clear > 3);
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
}

/* Bodies that go from place to place on a grid, often resting on one another: what is known from the motion before, and
   what is tried first because of it, changes no answer. */
static void motions_in_a_row_have_the_answers_of_single_ones(void **state)
{
    (void)state;
    enum
    {
        SEGMENTS = 60,
        ROWS = TEST_ROUNDS(24)
    };
    test_random random = test_random_start(__func__, 79);
    static graze_motion motions[2][SEGMENTS];
    static graze_impact impacts[SEGMENTS];
    int begin_in_contact = 0, begin_touching = 0, begin_apart = 0;
    for (int row = 0; row < ROWS; row++)
    {
        graze_mesh *a = small_mesh(&random), *b = small_mesh(&random);
        graze_moving_mesh moving_a = {a, NULL, NULL, {0}}, moving_b = {b, NULL, NULL, {0}};
        graze_impact_options options = graze_impact_options_default();
        options.crossing = row % 4 == 3;
        double x[3] = {2, 0, 0};
        for (int i = 0; i < SEGMENTS; i++)
        {
            const graze_pose still = graze_pose_identity(), from = graze_pose_translation(x[0], x[1], x[2]);
            for (int k = 0; k < 3; k++)
                x[k] = fmax(-3, fmin(3, x[k] + random_between(&random, -1, 1) * (i % 5 == 0 ? 3 : 0.5)));
            const graze_pose to = graze_pose_translation(x[0], x[1], x[2]);
            graze_motion_kind kind = random_once_in(&random, 2) ? GRAZE_MOTION_BLEND : GRAZE_MOTION_TURN;
            assert_int_equal(graze_motion_still(&still, &motions[0][i]), GRAZE_STATUS_OK);
            assert_int_equal(graze_motion_between(&from, &to, kind, &motions[1][i], NULL), GRAZE_STATUS_OK);
        }
        assert_int_equal(graze_track(NULL, &moving_a, &moving_b, motions[0], motions[1], SEGMENTS, &options, impacts),
                         GRAZE_STATUS_OK);
        for (int i = 0; i < SEGMENTS; i++)
        {
            graze_impact alone;
            moving_a.motion = motions[0][i];
            moving_b.motion = motions[1][i];
            assert_int_equal(graze_pair_impact(NULL, &moving_a, &moving_b, &options, &alone), GRAZE_STATUS_OK);
            assert_memory_equal(&alone, &impacts[i], sizeof alone);
            bool after_impact = i > 0 && impacts[i - 1].verdict == GRAZE_IMPACT_AT;
            begin_in_contact += after_impact && alone.at_start;
            begin_touching += after_impact && alone.at_start && !alone.crosses;
            begin_apart += after_impact && !alone.at_start && alone.verdict == GRAZE_IMPACT_AT;
        }
        graze_mesh_destroy(a);
        graze_mesh_destroy(b);
    }
    print_message("after an impact %d begin in contact, %d of them touching, %d apart\n", begin_in_contact,
                  begin_touching, begin_apart);
    assert_true(begin_in_contact > 4 * ROWS && begin_touching > ROWS / 4 && begin_apart > ROWS / 4);
}

/* Tasks run last to first: whoever runs them, answers are the same. */
static void run_backwards(void *user, size_t count, void (*task)(void *argument, size_t index), void *argument)
{
    ++*(int *)user;
    while (count-- > 0)
        task(argument, count);
}

static void threads_change_no_answer(void **state)
{
    (void)state;
    enum
    {
        SEGMENTS = 97
    };
    test_random random = test_random_start(__func__, 78);
    static graze_motion motions[2][SEGMENTS];
    static graze_impact impacts[2][SEGMENTS];
    int runs = 0;
    graze_mesh *a = small_mesh(&random), *b = small_mesh(&random);
    graze_moving_mesh moving_a = {a, NULL, NULL, {0}}, moving_b = {b, NULL, NULL, {0}};
    for (int i = 0; i < SEGMENTS; i++)
        for (int side = 0; side < 2; side++)
            motions[side][i] = small_motion(&random);
    graze_context context = graze_context_default();
    for (int threads = 0; threads < 2; threads++)
    {
        if (threads != 0)
            context.tasks = (graze_tasks){run_backwards, 3, &runs};
        assert_int_equal(
            graze_track(&context, &moving_a, &moving_b, motions[0], motions[1], SEGMENTS, NULL, impacts[threads]),
            GRAZE_STATUS_OK);
    }
    assert_true(runs > 0);
    assert_memory_equal(impacts[0], impacts[1], sizeof impacts[0]);
    graze_mesh_destroy(a);
    graze_mesh_destroy(b);
}

/* A small triangle far from the centre of its turn meets one that stands near where it starts: where straight lines
   from the middle of the turn do not lead. */
static void bodies_of_any_size_meet_at_the_same_time(void **state)
{
    (void)state;
    static const double corners[2][9] = {{0.98, -0.01, 0, 1, 0, 0, 0.98, 0.01, 0},
                                         {0.985, 0.05, -0.004, 0.993, 0.05, -0.004, 0.989, 0.05, 0.004}};
    static const uint32_t indices[3] = {0, 1, 2};
    const graze_pose identity = graze_pose_identity();
    graze_impact first;
    for (int exponent = 0; exponent >= -900; exponent -= 20)
    {
        graze_moving_mesh bodies[2] = {
            {.motion = {.kind = GRAZE_MOTION_TURN, .quaternion = {{1, 0, 0, 0}, {1, 0, 0, 1}}}}};
        graze_mesh *meshes[2];
        graze_impact impact;
        assert_int_equal(graze_motion_still(&identity, &bodies[1].motion), GRAZE_STATUS_OK);
        for (int side = 0; side < 2; side++)
        {
            double scaled[9];
            for (int i = 0; i < 9; i++)
                scaled[i] = ldexp(corners[side][i], exponent);
            graze_mesh_def def = graze_mesh_def_default();
            def.vertices = scaled;
            def.vertex_count = def.corner_count = 3;
            def.corners = indices;
            assert_int_equal(graze_mesh_create(NULL, &def, NULL, &meshes[side]), GRAZE_STATUS_OK);
            bodies[side].mesh = meshes[side];
        }
        assert_int_equal(graze_pair_impact(NULL, &bodies[0], &bodies[1], NULL, &impact), GRAZE_STATUS_OK);
        assert_int_equal(impact.verdict, GRAZE_IMPACT_AT);
        first = exponent == 0 ? impact : first;
        assert_true(impact.lower == first.lower && impact.upper == first.upper);
        for (int side = 0; side < 2; side++)
            graze_mesh_destroy(meshes[side]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flights_miss_nothing_between_a_thousand_samples),
        cmocka_unit_test(motions_in_a_row_have_the_answers_of_single_ones),
        cmocka_unit_test(threads_change_no_answer),
        cmocka_unit_test(bodies_of_any_size_meet_at_the_same_time),
        cmocka_unit_test(the_first_impact_is_that_of_all_pairs),
        cmocka_unit_test(swapped_meshes_meet_at_the_same_time),
        cmocka_unit_test(halves_and_reversals_of_blends_agree),
        cmocka_unit_test(nothing_is_missed_between_a_thousand_samples),
        cmocka_unit_test(a_bullet_does_not_slip_through_a_sheet),
        cmocka_unit_test(visits_give_each_pair_once_with_its_first_time),
        cmocka_unit_test(budgets_and_callbacks_stop),
        cmocka_unit_test(wrong_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
