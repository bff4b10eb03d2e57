/* SPDX-License-Identifier: MIT */
/* Gouges of tool paths, on parts where they are known, and against every triangle by itself. */
#include "graze/tool_path.h"

#include <math.h>
#include <string.h>

#include "graze/distance.h"
#include "graze/generate.h"
#include "support/random.h"
#include "support/unit.h"
#include "tool_path/swept_cylinder.h"

static struct
{
    graze_mesh *box; /* from -1 to 1 */
    graze_tree *tree;
} world;

static int begin(void **state)
{
    (void)state;
    assert_int_equal(graze_mesh_create_box(NULL, 2, 2, 2, 3, &world.box), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, world.box, NULL, NULL, &world.tree), GRAZE_STATUS_OK);
    return 0;
}

static int finish(void **state)
{
    (void)state;
    graze_tree_destroy(world.tree);
    graze_mesh_destroy(world.box);
    return 0;
}

static graze_gouge check(graze_cutter cutter, graze_tool_move move, const graze_tool_path_options *options)
{
    graze_gouge gouges[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(graze_tool_path_check(NULL, world.box, i == 0 ? world.tree : NULL, &cutter, 1, &move, 1,
                                               options, &gouges[i]),
                         GRAZE_STATUS_OK);
    assert_int_equal(gouges[0].verdict, gouges[1].verdict);
    return gouges[0];
}

static const graze_cutter ball = {GRAZE_CUTTER_BALL, 0.5, 0, 0}, flat = {GRAZE_CUTTER_CYLINDER, 0.5, 0, INFINITY};

static graze_tool_move along_x(double y, double z)
{
    return (graze_tool_move){{-3, y, z}, {3, y, z}, 0, false};
}

static void touching_is_no_gouge(void **state)
{
    (void)state;
    assert_int_equal(check(ball, along_x(0, 1.5), NULL).verdict, GRAZE_VERDICT_NO);
    assert_int_equal(check(ball, along_x(0, nextafter(1.5, 0)), NULL).verdict, GRAZE_VERDICT_YES);
    assert_int_equal(check(flat, along_x(0, 1), NULL).verdict, GRAZE_VERDICT_NO);
    assert_int_equal(check(flat, along_x(0, nextafter(1, 0)), NULL).verdict, GRAZE_VERDICT_YES);
    assert_int_equal(check(flat, along_x(1.5, -4), NULL).verdict, GRAZE_VERDICT_NO);
    assert_int_equal(check(flat, along_x(nextafter(1.5, 0), -4), NULL).verdict, GRAZE_VERDICT_YES);
    const graze_cutter plate = {GRAZE_CUTTER_CYLINDER, 0.5, 1, 2}; /* below the box */
    assert_int_equal(check(plate, along_x(0, -3), NULL).verdict, GRAZE_VERDICT_NO);
    assert_int_equal(check(plate, along_x(0, nextafter(-3, 0)), NULL).verdict, GRAZE_VERDICT_YES);
    assert_int_equal(check(plate, along_x(0, 0), NULL).verdict, GRAZE_VERDICT_NO);
    assert_int_equal(check(plate, along_x(0, -1), NULL).verdict, GRAZE_VERDICT_YES); /* from 0 to 1 */
}

static void a_cutter_within_the_part_gouges(void **state)
{
    (void)state;
    const graze_cutter small = {GRAZE_CUTTER_BALL, 0.125, 0, 0}, rod = {GRAZE_CUTTER_CYLINDER, 0.125, 0, 0.25};
    const graze_tool_move inside = {{-0.5, 0, 0}, {0.5, 0.25, 0}, 0, false};
    graze_tool_path_options surface = graze_tool_path_options_default();
    surface.surface = true;
    for (int i = 0; i < 2; i++)
    {
        const graze_gouge gouge = check(i == 0 ? small : rod, inside, NULL);
        assert_int_equal(gouge.verdict, GRAZE_VERDICT_YES);
        assert_true(gouge.triangle == GRAZE_NO_INDEX);
        assert_true(gouge.depth_upper <= 0.125 && gouge.depth_lower > 0.124);
        assert_int_equal(check(i == 0 ? small : rod, inside, &surface).verdict, GRAZE_VERDICT_NO);
    }
}

static void depths_are_bounded(void **state)
{
    (void)state;
    graze_gouge gouge = check(ball, along_x(0, 1.375), NULL);
    assert_true(gouge.depth_lower <= 0.125 && gouge.depth_upper >= 0.125 &&
                gouge.depth_upper - gouge.depth_lower < 1e-9);
    gouge = check(flat, along_x(0, 0.75), NULL);
    assert_true(gouge.depth_lower <= 0.25 && gouge.depth_upper >= 0.25 && gouge.depth_upper - gouge.depth_lower < 1e-3);
    graze_tool_path_options options = graze_tool_path_options_default();
    options.threshold = 0.125;
    assert_int_equal(check(ball, along_x(0, 1.375), &options).verdict, GRAZE_VERDICT_NO);
    assert_int_equal(check(ball, along_x(0, 1.25), &options).verdict, GRAZE_VERDICT_YES);
}

static void deviations_leave_verdicts_unknown(void **state)
{
    (void)state;
    graze_tool_move move = along_x(0, 1.5);
    move.deviation = 0.0625;
    assert_int_equal(check(ball, move, NULL).verdict, GRAZE_VERDICT_UNKNOWN);
    move.start[2] = move.end[2] = 1.5625;
    assert_int_equal(check(ball, move, NULL).verdict, GRAZE_VERDICT_NO);
    move.start[2] = move.end[2] = 1.4375;
    assert_int_equal(check(ball, move, NULL).verdict, GRAZE_VERDICT_UNKNOWN);
    move.start[2] = move.end[2] = 1.375;
    assert_int_equal(check(ball, move, NULL).verdict, GRAZE_VERDICT_YES);
}

/* From one corner outside of the box to the opposite one: straight over it, or on any way. */
static void dog_legs_count_as_their_box(void **state)
{
    (void)state;
    graze_tool_move move = {{-3, -3, 0}, {-1, 3, 0}, 0, false};
    assert_int_equal(check(ball, move, NULL).verdict, GRAZE_VERDICT_NO);
    move.dog_leg = true;
    assert_int_equal(check(ball, move, NULL).verdict, GRAZE_VERDICT_YES);
    move.end[0] = -1.5;
    assert_int_equal(check(ball, move, NULL).verdict, GRAZE_VERDICT_NO);
    assert_int_equal(check(flat, move, NULL).verdict, GRAZE_VERDICT_NO);
    move.end[0] = nextafter(-1.5, 0);
    assert_int_equal(check(ball, move, NULL).verdict, GRAZE_VERDICT_YES);
    assert_int_equal(check(flat, move, NULL).verdict, GRAZE_VERDICT_YES);
    const graze_tool_move around = {{-9, -9, -9}, {9, 9, 9}, 0, true}; /* the part is within the box */
    assert_int_equal(check(ball, around, NULL).verdict, GRAZE_VERDICT_YES);
    assert_int_equal(check(flat, around, NULL).verdict, GRAZE_VERDICT_YES);
}

/* Long random paths: every move alone, without what the moves before it have shown, and balls by their distance. */
static void moves_in_a_row_are_those_alone(void **state)
{
    (void)state;
    enum
    {
        MOVES = 400
    };
    test_random random = test_random_start("moves_in_a_row_are_those_alone", 1910);
    const graze_cutter cutters[2] = {{GRAZE_CUTTER_BALL, 0.25, 0, 0}, {GRAZE_CUTTER_CYLINDER, 0.125, 0, 0.5}};
    graze_tool_move moves[MOVES];
    graze_gouge all[MOVES];
    double at[3];
    for (int i = 0; i < MOVES; i++)
    {
        for (int k = 0; k < 3 && i % 40 == 0; k++) /* every other walk begins within the part */
            at[k] = i % 80 == 0 ? -1.75 : 0.25;
        memcpy(moves[i].start, at, sizeof at);
        for (int k = 0; k < 3; k++)
            at[k] = fmin(fmax(at[k] + random_real(&random, -0.2, 0.2), -2), 2);
        memcpy(moves[i].end, at, sizeof at);
        moves[i].deviation = 0;
        moves[i].dog_leg = false;
    }
    int counts[2] = {0}, within = 0;
    assert_int_equal(graze_tool_path_check(NULL, world.box, world.tree, cutters, 2, moves, MOVES, NULL, all),
                     GRAZE_STATUS_OK);
    for (int i = 0; i < MOVES; i++)
    {
        graze_gouge alone;
        assert_int_equal(graze_tool_path_check(NULL, world.box, world.tree, cutters, 2, &moves[i], 1, NULL, &alone),
                         GRAZE_STATUS_OK);
        assert_memory_equal(&alone, &all[i], sizeof alone);
        counts[alone.verdict == GRAZE_VERDICT_YES]++;
        within += alone.verdict == GRAZE_VERDICT_YES && alone.triangle == GRAZE_NO_INDEX;
    }
    assert_true(counts[0] > 50 && counts[1] > 50 && within > 10);
}

static void arguments_are_checked(void **state)
{
    (void)state;
    graze_tool_move move = along_x(0, 5);
    graze_gouge gouge;
    graze_cutter cutter = ball;
    graze_mesh *open;
    static const double corner[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = corner;
    def.vertex_count = 3;
    def.corners = (const uint32_t[]){0, 1, 2};
    def.corner_count = 3;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &open), GRAZE_STATUS_OK);
    cutter.radius = 0;
    assert_int_equal(graze_tool_path_check(NULL, world.box, NULL, &cutter, 1, &move, 1, NULL, &gouge),
                     GRAZE_STATUS_BAD_ARGUMENT);
    cutter = flat;
    cutter.upper = cutter.lower;
    assert_int_equal(graze_tool_path_check(NULL, world.box, NULL, &cutter, 1, &move, 1, NULL, &gouge),
                     GRAZE_STATUS_BAD_ARGUMENT);
    for (int i = 0; i < 2; i++) /* a tree of another mesh; not closed */
        assert_int_equal(
            graze_tool_path_check(NULL, open, i == 0 ? world.tree : NULL, &ball, 1, &move, 1, NULL, &gouge),
            GRAZE_STATUS_BAD_ARGUMENT);
    move.end[1] = NAN;
    assert_int_equal(graze_tool_path_check(NULL, world.box, NULL, &ball, 1, &move, 1, NULL, &gouge),
                     GRAZE_STATUS_NOT_FINITE);
    graze_mesh_destroy(open);
    graze_tool_path_options options = graze_tool_path_options_default();
    options.budget.box_tests = 1;
    assert_int_equal(
        graze_tool_path_check(NULL, world.box, NULL, &flat, 1, (graze_tool_move[]){along_x(0, 0)}, 1, &options, &gouge),
        GRAZE_STATUS_UNFINISHED);
}

static graze_status status_of(const graze_cutter *cutter, const graze_tool_move *moves, size_t count)
{
    graze_gouge gouges[2];
    return graze_tool_path_check(NULL, world.box, world.tree, cutter, 1, moves, count, NULL, gouges);
}

/* Each number of a cutter and of a move in turn, also of the second move. */
static void every_number_must_be_finite(void **state)
{
    (void)state;
    static const double bad[3] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++)
    {
        graze_cutter cutters[2] = {ball, flat};
        graze_tool_move moves[2] = {along_x(0, 3), along_x(0, 4)};
        for (int kind = 0; kind < 2; kind++)
        {
            assert_int_equal(status_of(&cutters[kind], moves, 2), GRAZE_STATUS_OK);
            graze_cutter broken = cutters[kind];
            broken.radius = bad[i];
            assert_int_equal(status_of(&broken, moves, 2), GRAZE_STATUS_NOT_FINITE);
            broken = cutters[kind];
            broken.lower = bad[i];
            assert_int_equal(status_of(&broken, moves, 2), GRAZE_STATUS_NOT_FINITE);
        }
        cutters[1].upper = bad[i]; /* a cylinder may have no upper end */
        assert_int_equal(status_of(&cutters[1], moves, 2), i == 0   ? GRAZE_STATUS_NOT_FINITE
                                                           : i == 1 ? GRAZE_STATUS_OK
                                                                    : GRAZE_STATUS_BAD_ARGUMENT);
        for (int k = 0; k < 14; k++)
        {
            graze_tool_move broken[2] = {moves[0], moves[1]};
            double *const numbers[7] = {&broken[k / 7].start[0], &broken[k / 7].start[1], &broken[k / 7].start[2],
                                        &broken[k / 7].end[0],   &broken[k / 7].end[1],   &broken[k / 7].end[2],
                                        &broken[k / 7].deviation};
            *numbers[k % 7] = bad[i];
            assert_int_equal(status_of(&ball, broken, 2), GRAZE_STATUS_NOT_FINITE);
        }
        moves[1].deviation = -0.5;
        assert_int_equal(status_of(&ball, moves, 2), GRAZE_STATUS_BAD_ARGUMENT);
    }
}

/* A ball that is 0.3 deep, moved off its path by up to 0.1: at least 0.2 and at most 0.4 deep. */
static void deviations_widen_depths(void **state)
{
    (void)state;
    graze_tool_path_options options = graze_tool_path_options_default();
    options.depth_steps = 20;
    for (int dog_leg = 0; dog_leg < 2; dog_leg++)
    {
        graze_tool_move move = along_x(0, 1.2);
        move.deviation = 0.1;
        move.dog_leg = dog_leg == 1;
        graze_gouge gouge = check(ball, move, &options);
        assert_int_equal(gouge.verdict, GRAZE_VERDICT_YES);
        assert_true(gouge.depth_lower <= 0.2 + 1e-9 && gouge.depth_upper >= 0.4 - 1e-9);
        assert_true(gouge.depth_lower >= 0 && gouge.depth_lower < gouge.depth_upper);
    }
}

/* Soups of triangles: cylinders by each triangle by itself. */
static void cylinders_gouge_where_some_triangle_is_met(void **state)
{
    (void)state;
    enum
    {
        TRIANGLES = 40,
        MOVES = 60
    };
    test_random random = test_random_start("cylinders_gouge_where_some_triangle_is_met", 1513);
    static const graze_cutter cutters[] = {{GRAZE_CUTTER_CYLINDER, 0.25, -4, 0.5},
                                           {GRAZE_CUTTER_CYLINDER, 0.5, 1, 5},
                                           {GRAZE_CUTTER_CYLINDER, 0.125, -1, INFINITY}};
    graze_tool_path_options options = graze_tool_path_options_default();
    options.surface = true;
    int counts[2] = {0};
    for (int round = 0; round < TEST_ROUNDS(20); round++)
    {
        double vertices[9 * TRIANGLES];
        uint32_t corners[3 * TRIANGLES];
        graze_tool_move moves[MOVES];
        graze_gouge gouges[MOVES];
        graze_mesh_def def = graze_mesh_def_default();
        graze_mesh *part;
        graze_tree *tree;
        for (int i = 0; i < 3 * TRIANGLES; i++)
        {
            corners[i] = (uint32_t)i;
            for (int k = 0; k < 3; k++)
                vertices[3 * i + k] = i % 3 == 0 ? random_real(&random, -6, 6)
                                                 : vertices[3 * (i - i % 3) + k] + random_real(&random, -1, 1);
        }
        def.vertices = vertices;
        def.vertex_count = def.corner_count = sizeof corners / sizeof *corners;
        def.corners = corners;
        assert_int_equal(graze_mesh_create(NULL, &def, NULL, &part), GRAZE_STATUS_OK);
        assert_int_equal(graze_tree_create(NULL, part, NULL, NULL, &tree), GRAZE_STATUS_OK);
        for (int i = 0; i < MOVES; i++)
        {
            moves[i] = (graze_tool_move){.deviation = 0, .dog_leg = random_once_in(&random, 6)};
            for (int k = 0; k < 3; k++)
            {
                moves[i].start[k] = random_real(&random, -6, 6);
                moves[i].end[k] = moves[i].start[k] + random_real(&random, -1, 1);
            }
        }
        const graze_cutter *cutter = &cutters[round % 3];
        assert_int_equal(
            graze_tool_path_check(NULL, part, round % 2 == 0 ? tree : NULL, cutter, 1, moves, MOVES, &options, gouges),
            GRAZE_STATUS_OK);
        for (int i = 0; i < MOVES; i++)
        {
            grz_swept_cylinder cylinder = {.radius = cutter->radius, .lower = cutter->lower, .upper = cutter->upper};
            bool meets[TRIANGLES], any = false;
            cylinder.place_count = moves[i].dog_leg ? 8 : 2;
            for (int p = 0; p < cylinder.place_count; p++)
                for (int k = 0; k < 3; k++)
                    cylinder.places[p][k] = (moves[i].dog_leg ? p >> k & 1 : p) ? moves[i].end[k] : moves[i].start[k];
            for (int t = 0; t < TRIANGLES; t++)
            {
                double at[3][3];
                memcpy(at, vertices + 9 * t, sizeof at);
                meets[t] = grz_swept_cylinder_meets(&cylinder, (const double(*)[3])at);
                any = any || meets[t];
            }
            grz_swept_cylinder_release(&cylinder);
            assert_int_equal(gouges[i].verdict, any ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO);
            assert_true(!any || meets[gouges[i].triangle]);
            counts[any]++;
        }
        graze_tree_destroy(tree);
        graze_mesh_destroy(part);
    }
    assert_true(counts[0] > TEST_ROUNDS(100) && counts[1] > TEST_ROUNDS(100));
}

/* A point of the cutter tells whether it is within: one of it, however long it is. */
static void a_long_rod_within_the_part_gouges(void **state)
{
    (void)state;
    const graze_cutter rods[] = {{GRAZE_CUTTER_CYLINDER, 0.125, 0, 0.75}, {GRAZE_CUTTER_CYLINDER, 0.125, -0.75, 0}};
    const graze_tool_move inside = {{0.25, 0, 0}, {0.5, 0.25, 0}, 0, false};
    for (int i = 0; i < 2; i++)
    {
        const graze_gouge gouge = check(rods[i], inside, NULL);
        assert_int_equal(gouge.verdict, GRAZE_VERDICT_YES);
        assert_true(gouge.triangle == GRAZE_NO_INDEX);
    }
}

/* Also where the places differ by the least that bytes can. */
static void a_move_that_begins_elsewhere_does_not_follow(void **state)
{
    (void)state;
    graze_mesh *part, *box;
    graze_mesh_def def = graze_mesh_def_default();
    double vertices[24];
    assert_int_equal(graze_mesh_create_box(NULL, 0.5, 2, 2, 1, &box), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_vertex_count(box), 8);
    memcpy(vertices, graze_mesh_vertices(box), sizeof vertices);
    for (int i = 0; i < 8; i++)
        vertices[3 * i] += 8.5;
    def.vertices = vertices;
    def.vertex_count = 8;
    def.corners = graze_mesh_triangles(box);
    def.corner_count = 3 * graze_mesh_triangle_count(box);
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &part), GRAZE_STATUS_OK);
    const graze_cutter small = {GRAZE_CUTTER_BALL, 0.125, 0, 0};
    for (int back = 0; back < 2; back++) /* 8, 8.5 and 9 differ in one byte, by one each */
    {
        double from = back == 0 ? 8 : 9;
        const graze_tool_move moves[2] = {{{from, 0, 0}, {from, 0, 0}, 0, false}, {{8.5, 0, 0}, {8.5, 0, 0}, 0, false}};
        graze_gouge gouges[2];
        assert_int_equal(graze_tool_path_check(NULL, part, NULL, &small, 1, moves, 2, NULL, gouges), GRAZE_STATUS_OK);
        assert_int_equal(gouges[0].verdict, GRAZE_VERDICT_NO);
        assert_int_equal(gouges[1].verdict, GRAZE_VERDICT_YES);
    }
    graze_mesh_destroy(part);
    graze_mesh_destroy(box);
}

/* A slanted triangle passes the box of a dog leg, which its own box meets; its first corner is beside in one axis. */
static void triangles_that_pass_a_dog_leg_do_not_gouge(void **state)
{
    (void)state;
    graze_tool_path_options options = graze_tool_path_options_default();
    options.surface = true;
    for (size_t axis = 0; axis < 3; axis++)
    {
        double vertices[9];
        static const double corners[3][3] = {{5, 0.5, 0.5}, {-5, 50, 0.5}, {-5, 50, 1}};
        static const uint32_t triangle[3] = {0, 1, 2};
        graze_mesh_def def = graze_mesh_def_default();
        graze_mesh *part;
        for (size_t i = 0; i < 9; i++)
            vertices[i / 3 * 3 + (i + axis) % 3] = corners[i / 3][i % 3];
        def.vertices = vertices;
        def.vertex_count = def.corner_count = 3;
        def.corners = triangle;
        assert_int_equal(graze_mesh_create(NULL, &def, NULL, &part), GRAZE_STATUS_OK);
        const graze_tool_move move = {{0, 0, 0}, {1, 1, 1}, 0, true};
        graze_gouge gouge;
        assert_int_equal(graze_tool_path_check(NULL, part, NULL, &ball, 1, &move, 1, &options, &gouge),
                         GRAZE_STATUS_OK);
        assert_int_equal(gouge.verdict, GRAZE_VERDICT_NO);
        graze_mesh_destroy(part);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(touching_is_no_gouge),
        cmocka_unit_test(a_cutter_within_the_part_gouges),
        cmocka_unit_test(depths_are_bounded),
        cmocka_unit_test(deviations_leave_verdicts_unknown),
        cmocka_unit_test(dog_legs_count_as_their_box),
        cmocka_unit_test(moves_in_a_row_are_those_alone),
        cmocka_unit_test(arguments_are_checked),
        cmocka_unit_test(every_number_must_be_finite),
        cmocka_unit_test(deviations_widen_depths),
        cmocka_unit_test(cylinders_gouge_where_some_triangle_is_met),
        cmocka_unit_test(a_long_rod_within_the_part_gouges),
        cmocka_unit_test(a_move_that_begins_elsewhere_does_not_follow),
        cmocka_unit_test(triangles_that_pass_a_dog_leg_do_not_gouge),
    };
    return cmocka_run_group_tests(tests, begin, finish);
}
