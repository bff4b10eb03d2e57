/* SPDX-License-Identifier: MIT */
/* G-code programs and cutting tools, as graze sweep reads them. */
#include "scene/gcode.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scene/cutting_tool.h"
#include "support/tool_process.h"
#include "support/unit.h"

static const tool_console console = {false, false};

static gcode_program program_of(const char *text)
{
    gcode_program program;
    write_text("program.ngc", text);
    assert_int_equal(gcode_read(&console, "program.ngc", 0.01, &program), 0);
    return program;
}

static void assert_place(const double place[3], double x, double y, double z)
{
    assert_true(fabs(place[0] - x) < 1e-12 && fabs(place[1] - y) < 1e-12 && fabs(place[2] - z) < 1e-12);
}

static void lines_become_moves(void **state)
{
    (void)state;
    gcode_program program = program_of("% a comment\nN10 G21 G90 (metric; absolute)\ng0 x1 Y2\nZ 10 ; the first place\n"
                                       "T1\nF300\nG1 Z-.5\nX4\nG91 X1 Y+1\nG20 G90 X1\n\nG00 Z1 F5\n");
    assert_int_equal(program.count, 5);
    const gcode_move *moves = program.moves;
    assert_place(moves[0].move.start, 1, 2, 10);
    assert_place(moves[0].move.end, 1, 2, -0.5);
    assert_place(moves[1].move.end, 4, 2, -0.5);
    assert_place(moves[2].move.end, 5, 3, -0.5);
    assert_place(moves[3].move.end, 25.4, 3, -0.5);
    assert_place(moves[4].move.end, 25.4, 3, 25.4);
    assert_true(!moves[3].rapid && moves[4].rapid);
    assert_int_equal(moves[0].line, 7);
    assert_int_equal(moves[4].line, 12);
    for (size_t i = 0; i < program.count; i++)
    {
        assert_true(moves[i].move.deviation == 0);
        assert_true(i == 0 || memcmp(moves[i].move.start, moves[i - 1].move.end, sizeof moves[i].move.end) == 0);
    }
    gcode_release(&program);
}

/* Every arc here is of radius 10 about the origin; points of its chords are on the circle, and their middles near. */
static void arcs_become_chords_within_their_error(void **state)
{
    (void)state;
    static const struct
    {
        const char *arc;
        double x, y, angle;
    } cases[] = {
        {"G3 X0 Y10 I-10 J0", 0, 10, 90},   {"G2 X0 Y10 I-10", 0, 10, 270},   {"G3 X10 Y0 I-10", 10, 0, 360},
        {"G3 X0 Y10 R10", 0, 10, 90},       {"G3 X0 Y-10 R-10", 0, -10, 270}, {"G2 X0 Y-10 R10 Z7", 0, -10, 90},
        {"G2 X0 Y10 R-10 Z-7", 0, 10, 270}, {"G2 X-10 Y0 R10", -10, 0, 180},  {"G91 G3 X-10 Y10 I-10", 0, 10, 90},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
        char text[100];
        snprintf(text, sizeof text, "G0 X10 Y0 Z0\n%s\n", cases[i].arc);
        gcode_program program = program_of(text);
        double length = 0;
        assert_true(program.count > 10);
        for (size_t k = 0; k < program.count; k++)
        {
            const graze_tool_move *move = &program.moves[k].move;
            double x = 0.5 * (move->start[0] + move->end[0]), y = 0.5 * (move->start[1] + move->end[1]);
            assert_true(fabs(hypot(move->end[0], move->end[1]) - 10) < 1e-12);
            assert_true(hypot(x, y) > 10 - 0.5 * 0.01 - 1e-12 && move->deviation >= 0.01 && move->deviation < 0.0101);
            length += hypot(move->end[0] - move->start[0], move->end[1] - move->start[1]);
        }
        assert_place(program.moves[program.count - 1].move.end, cases[i].x, cases[i].y,
                     program.moves[program.count - 1].move.end[2]);
        assert_true(fabs(length - 10 * cases[i].angle * acos(-1) / 180) < 0.05);
        gcode_release(&program);
    }
}

static void what_is_not_understood_is_refused_with_its_line(void **state)
{
    (void)state;
    static const struct
    {
        const char *text, *words;
    } cases[] = {
        {"G0 X0 Y0 Z0\nM3 S1000\n", "line 2: M is not understood"},
        {"G0 X0 Y0 Z0\n\nG41 X1\n", "line 3: G41 is not understood"},
        {"G0 X0 Y0 Z0\nG1.5 X1\n", "line 2: G1.5 is not understood"},
        {"X1 Y1 Z1\n", "line 1: which motion is not known"},
        {"G0 X1 X2\n", "line 1: there are two X"},
        {"G0 X1 Y\n", "line 1: 'Y' is no letter with a number"},
        {"G0 X1 Ynan\n", "is no letter with a number"},
        {"G0 X1e999\n", "is not finite"},
        {"G91\nG0 X1\n", "line 2: X is relative"},
        {"G0 X0 Y0\nG2 X1 Y1 R5\n", "line 2: an arc begins where"},
        {"G0 X0 Y0 Z0\nG2 X1 Y1\n", "line 2: an arc needs I and J, or R"},
        {"G0 X0 Y0 Z0\nG2 X1 Y1 I1 R1\n", "not both"},
        {"G0 X0 Y0 Z0\nG2 X9 Y0 R1\n", "no arc of this R"},
        {"G0 X0 Y0 Z0\nG2 X9 Y0 I1 J0\n", "away from its centre"},
        {"G0 X0 Y0 Z0\nG1 X9 I1\n", "belong to arcs"},
        {"G0 X0 Y0 Z0\n(never ends\n", "line 2: a comment does not end"},
        {"G0 X0 Y0 Z0\nG3 X0 Y0 I1e12\n", "too large"},
    };
    write_box_obj("part.obj", 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
        write_text("bad.ngc", cases[i].text);
        tool_expect_refusal(RUN("sweep", "part.obj", "--tool", "ball:1", "--moves", "bad.ngc"), 3, cases[i].words);
    }
}

static void tools_are_read(void **state)
{
    (void)state;
    cutting_tool tool;
    assert_int_equal(cutting_tool_read(&console, "ball:3", false, &tool), 0);
    assert_true(tool.count == 1 && tool.cutters[0].kind == GRAZE_CUTTER_BALL && tool.cutters[0].radius == 3 &&
                tool.cutters[0].lower == 0);
    assert_int_equal(cutting_tool_read(&console, "ball:2.5", true, &tool), 0);
    assert_true(tool.cutters[0].lower == 2.5);
    assert_int_equal(cutting_tool_read(&console, "flat:3", false, &tool), 0);
    assert_true(tool.cutters[0].kind == GRAZE_CUTTER_CYLINDER && tool.cutters[0].upper == INFINITY);
    assert_int_equal(cutting_tool_read(&console, "flat:3:20", false, &tool), 0);
    assert_true(tool.cutters[0].upper == 20);
    write_text("tool.json", "{\"cutters\": [{\"kind\": \"ball\", \"radius\": 3, \"z\": 3},\n"
                            "{\"kind\": \"cylinder\", \"radius\": 3, \"from\": 3, \"to\": 30, \"name\": \"shank\"},\n"
                            "{\"kind\": \"cylinder\", \"radius\": 20, \"from\": 30, \"name\": \"holder\"}]}");
    assert_int_equal(cutting_tool_read(&console, "tool.json", false, &tool), 0);
    assert_int_equal(tool.count, 3);
    assert_true(tool.cutters[1].lower == 3 && tool.cutters[1].upper == 30 && tool.cutters[2].upper == INFINITY);
    assert_string_equal(tool.names[0], "ball");
    assert_string_equal(tool.names[2], "holder");
}

static void tools_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    static const struct
    {
        const char *text, *words;
    } cases[] = {
        {"{\"cutters\": []}", "a tool needs a list of cutters"},
        {"{}", "a tool needs a list of cutters"},
        {"{\"cutters\": [{\"kind\": \"cone\", \"radius\": 1}]}", "cutters[0].kind"},
        {"{\"cutters\": [{\"kind\": \"ball\"}]}", "needs kind and radius"},
        {"{\"cutters\": [{\"kind\": \"ball\", \"radius\": 0}]}", "a radius is above 0"},
        {"{\"cutters\": [{\"kind\": \"ball\", \"radius\": 1, \"to\": 4}]}", "a ball has z"},
        {"{\"cutters\": [{\"kind\": \"cylinder\", \"radius\": 1, \"z\": 4}]}", "a cylinder has no z"},
        {"{\"cutters\": [{\"kind\": \"cylinder\", \"radius\": 1, \"from\": 4, \"to\": 4}]}", "from is below to"},
    };
    write_box_obj("part.obj", 1);
    write_text("good.ngc", "G0 X0 Y0 Z9\nG1 X1\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
        write_text("bad.json", cases[i].text);
        tool_expect_refusal(RUN("sweep", "part.obj", "--tool", "bad.json", "--moves", "good.ngc"), 3, cases[i].words);
    }
    tool_expect_refusal(RUN("sweep", "part.obj", "--tool", "ball:x", "--moves", "good.ngc"), 2, "ball:RADIUS");
    tool_expect_refusal(RUN("sweep", "part.obj", "--tool", "flat:1:0", "--moves", "good.ngc"), 2, "flat:RADIUS:HEIGHT");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_become_moves),
        cmocka_unit_test(arcs_become_chords_within_their_error),
        cmocka_unit_test(what_is_not_understood_is_refused_with_its_line),
        cmocka_unit_test(tools_are_read),
        cmocka_unit_test(tools_that_make_no_sense_are_refused),
    };
    return cmocka_run_group_tests(tests, enter_temporary_directory, leave_temporary_directory);
}
