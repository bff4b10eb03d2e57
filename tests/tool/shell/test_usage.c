/* SPDX-License-Identifier: MIT */
/* Shared by all commands: help, version, options in any order, suggestions, the manual, and errors of stdout. */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "graze/status.h"
#include "support/tool_process.h"
#include "support/unit.h"

static void without_a_command_it_says_what_there_is(void **state)
{
    (void)state;
    tool_result result = tool_run(&(tool_setting){0}, (const char *const[]){GRAZE_TOOL_PATH, NULL});
    tool_expect_refusal(result, 2,
                        "graze check, path, sweep, clash, view, scene, info, tree, make, hull, decompose, "
                        "verify or help; see graze --help");
}

static void version_is_the_librarys(void **state)
{
    (void)state;
    char expected[64];
    snprintf(expected, sizeof expected, "graze %s\n", graze_version_text());
    tool_result result = RUN("--version");
    assert_int_equal(result.code, 0);
    assert_string_equal(result.out, expected);
    assert_string_equal(result.err, "");
    tool_release(&result);
}

static void help_names_every_command(void **state)
{
    (void)state;
    tool_result result = RUN("--help");
    assert_int_equal(result.code, 0);
    assert_string_equal(result.err, "");
    static const char *const words[] = {"check", "path", "scene",      "info",     "tree",
                                        "make",  "help", "Exit codes", "Examples", "NO_COLOR"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        assert_non_null(strstr(result.out, words[i]));
    tool_result same = RUN("help");
    assert_string_equal(same.out, result.out);
    tool_release(&same);
    tool_release(&result);
}

typedef struct documented
{
    const char *command;
    const char *options[40];
} documented;

static const documented commands[] = {
    {"check", {"--pose-a", "--pose-b", "--pairs", "--solid", "--json", "--help", "--no-color", "--version"}},
    {"path", {"--count", "--time", "--repeat", "--json", "--help", "--no-color", "--version"}},
    {"scene",
     {"--frames", "--broad", "--threads", "--budget-ms", "--schedule", "--stays", "--quiet", "--no-times", "--json",
      "--make-cage", "--seed", "--help", "--no-color", "--version"}},
    {"info", {"--json", "--help", "--no-color", "--version"}},
    {"tree", {"--save", "--leaf-size", "--threads", "--json", "--help", "--no-color", "--version"}},
    {"make", {"-o",           "--output",      "--format",      "--pose",        "--list",
              "--size",       "--radius",      "--ring-radius", "--tube-radius", "--waist-radius",
              "--rim-radius", "--pipe-radius", "--bore-radius", "--height",      "--length",
              "--thickness",  "--module",      "--clearance",   "--bump",        "--curl",
              "--segments",   "--sides",       "--rings",       "--frequency",   "--depth",
              "--teeth",      "--mate",        "--count",       "--triangles",   "--seed",
              "--points",     "--points-file", "--help"}},
    {"help", {"--man", "--help"}},
};

static void each_commands_help_has_every_option_and_examples(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
    {
        tool_result result = RUN(commands[i].command, "--help");
        assert_int_equal(result.code, 0);
        assert_string_equal(result.err, "");
        for (size_t k = 0; commands[i].options[k] != NULL; k++)
            assert_non_null(strstr(result.out, commands[i].options[k]));
        assert_non_null(strstr(result.out, "Examples\n  graze "));
        tool_result same = RUN("help", commands[i].command);
        assert_string_equal(same.out, result.out);
        tool_release(&same);
        tool_release(&result);
    }
}

static void the_manual_has_every_option_too(void **state)
{
    (void)state;
    tool_result result = RUN("help", "--man");
    assert_int_equal(result.code, 0);
    assert_string_equal(result.err, "");
    assert_int_equal(strncmp(result.out, ".TH GRAZE 1", 11), 0);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        for (size_t k = 0; commands[i].options[k] != NULL; k++)
        {
            char escaped[64];
            size_t size = 0;
            for (const char *at = commands[i].options[k]; *at != '\0'; at++)
                size += (size_t)snprintf(escaped + size, sizeof escaped - size, *at == '-' ? "\\-" : "%c", *at);
            assert_non_null(strstr(result.out, escaped));
        }
    tool_release(&result);
}

static void the_manual_renders_without_a_warning(void **state)
{
    (void)state;
    if (system("groff --version > .groff 2>&1") != 0)
        skip();
    tool_result result = RUN("help", "--man");
    write_text("graze.1", result.out);
    tool_release(&result);
    assert_int_equal(system("groff -man -Tascii -ww graze.1 > rendered.txt 2> warnings.txt"), 0);
    assert_int_equal(system("test ! -s warnings.txt && grep -q 'pose.* NUMBERS' rendered.txt"), 0);
}

static void names_that_come_near_are_hinted_at(void **state)
{
    (void)state;
    tool_expect_refusal(RUN("chekc"), 2, "'check'");
    tool_expect_refusal(RUN("collide"), 2, "graze --help");
    tool_expect_refusal(RUN("check", "a", "b", "--slid"), 2, "'--solid'");
    tool_expect_refusal(RUN("check", "a", "b", "--zzzzzz"), 2, "graze check --help");
    tool_expect_refusal(RUN("--verison"), 2, "'--version'");
    tool_expect_refusal(RUN("make", "spheer", "-o", "x.stl"), 2, "'sphere'");
    tool_expect_refusal(RUN("make", "teapot", "-o", "x.stl"), 2, "--list");
    tool_expect_refusal(RUN("help", "inof"), 2, "'info'");
    tool_expect_refusal(RUN("check", "-q"), 2, "'-q'");
}

static void what_is_missing_or_too_much_is_named(void **state)
{
    (void)state;
    tool_expect_refusal(RUN("check"), 2, "A is missing");
    tool_expect_refusal(RUN("check", "a.obj"), 2, "B is missing");
    tool_expect_refusal(RUN("check", "a.obj", "b.obj", "c.obj"), 2, "'c.obj'");
    tool_expect_refusal(RUN("path", "a.obj", "b.obj"), 2, "POSES is missing");
    tool_expect_refusal(RUN("info"), 2, "FILE is missing");
    tool_expect_refusal(RUN("check", "a.obj", "b.obj", "--pairs"), 2, "needs a value");
    tool_expect_refusal(RUN("check", "a.obj", "b.obj", "--pairs", "--json"), 2, "needs a value");
    tool_expect_refusal(RUN("check", "a.obj", "b.obj", "--json=yes"), 2, "takes no value");
    tool_expect_refusal(RUN("check", "a.obj", "b.obj", "--pairs="), 2, "needs a value");
    tool_expect_refusal(RUN("clash", "a.obj", "b.obj", "--json="), 2, "needs a value");
    tool_expect_refusal(RUN("check", "a.obj", ""), 3, "");
}

static void options_stand_anywhere_and_in_both_forms(void **state)
{
    (void)state;
    write_box_obj("a.obj", 1.0);
    write_box_obj("--b.obj", 1.0);
    const char *far = "1 0 0 -5  0 1 0 0  0 0 1 0", *far_joined = "--pose-b=1 0 0 -5  0 1 0 0  0 0 1 0";
    tool_result results[] = {
        RUN("check", "--json", "--pose-b", far, "a.obj", "--", "--b.obj"),
        RUN("check", "a.obj", "--pose_b", far, "--json", "--", "--b.obj"),
        RUN("check", "a.obj", far_joined, "--json", "./--b.obj"),
        RUN("--no-color", "check", "--json", far_joined, "--", "a.obj", "--b.obj"),
    };
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++)
    {
        assert_int_equal(results[i].code, 0);
        assert_non_null(strstr(results[i].out, "\"collide\": false"));
        assert_string_equal(results[i].err, "");
        tool_release(&results[i]);
    }
}

static void there_are_no_colours_in_files(void **state)
{
    (void)state;
    write_box_obj("a.obj", 1.0);
    setenv("TERM", "xterm", 1);
    tool_result results[] = {RUN("check", "a.obj", "a.obj"), RUN("info", "a.obj"), RUN("--help"), RUN("nonsense")};
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++)
    {
        assert_null(strchr(results[i].out, '\033'));
        assert_null(strchr(results[i].err, '\033'));
        tool_release(&results[i]);
    }
}

static void control_characters_never_reach_the_terminal(void **state)
{
    (void)state;
    write_text("a.obj", "g \033[31mred\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\ng two\nf 3 2 1\n");
    tool_result results[] = {RUN("check", "a.obj", "a.obj"), RUN("check", "a.obj", "a.obj", "--json"),
                             RUN("info", "a.obj"), RUN("info", "a.obj", "--json"), RUN("info", "\033[31m.obj")};
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++)
    {
        assert_null(strchr(results[i].out, '\033'));
        assert_null(strchr(results[i].err, '\033'));
        tool_release(&results[i]);
    }
}

static void a_full_disk_is_reported(void **state)
{
    (void)state;
    if (access("/dev/full", W_OK) != 0)
        skip();
    write_box_obj("a.obj", 1.0);
    const tool_setting full = {.output = "/dev/full"};
    static const char *const lines[][8] = {{GRAZE_TOOL_PATH, "check", "a.obj", "a.obj", "--pairs", "all", "--json"},
                                           {GRAZE_TOOL_PATH, "info", "a.obj"},
                                           {GRAZE_TOOL_PATH, "--help"},
                                           {GRAZE_TOOL_PATH, "make", "geodesic", "-o", "-", "--format", "stl"}};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
    {
        tool_result result = tool_run(&full, lines[i]);
        assert_int_equal(result.code, 5);
        assert_non_null(strstr(result.err, "standard output cannot be written"));
        tool_release(&result);
    }
}

static void a_reader_that_leaves_is_no_crash(void **state)
{
    (void)state;
    write_box_obj("a.obj", 1.0);
    const tool_setting pipe_without_reader = {.reader_leaves = true};
    static const char *const lines[][8] = {{GRAZE_TOOL_PATH, "check", "a.obj", "a.obj", "--pairs", "all"},
                                           {GRAZE_TOOL_PATH, "info", "a.obj", "--json"},
                                           {GRAZE_TOOL_PATH, "make", "geodesic", "-o", "-", "--format", "obj"}};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
    {
        tool_result result = tool_run(&pipe_without_reader, lines[i]);
        assert_int_equal(result.code, 4);
        assert_null(strstr(result.err, "written"));
        tool_release(&result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_command_it_says_what_there_is),
        cmocka_unit_test(version_is_the_librarys),
        cmocka_unit_test(help_names_every_command),
        cmocka_unit_test(each_commands_help_has_every_option_and_examples),
        cmocka_unit_test(the_manual_has_every_option_too),
        cmocka_unit_test(the_manual_renders_without_a_warning),
        cmocka_unit_test(names_that_come_near_are_hinted_at),
        cmocka_unit_test(what_is_missing_or_too_much_is_named),
        cmocka_unit_test(options_stand_anywhere_and_in_both_forms),
        cmocka_unit_test(there_are_no_colours_in_files),
        cmocka_unit_test(control_characters_never_reach_the_terminal),
        cmocka_unit_test(a_full_disk_is_reported),
        cmocka_unit_test(a_reader_that_leaves_is_no_crash),
    };
    return cmocka_run_group_tests(tests, enter_temporary_directory, leave_temporary_directory);
}
