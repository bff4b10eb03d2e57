/* SPDX-License-Identifier: MIT */
/* graze sweep and graze path --continuous, through the real program. */
#include <math.h>
#include <string.h>

#include "support/tool_json.h"
#include "support/unit.h"

#define AT(x, y, z) "1 0 0 " #x "  0 1 0 " #y "  0 0 1 " #z

static int enter(void **state)
{
    int failed = enter_temporary_directory(state);
    if (failed == 0)
    {
        write_box_obj("box.obj", 1.0);
        write_box_obj("small.obj", 0.5);
        write_text("poses.txt", AT(-8, 0, 0) "\n" AT(-4, 0, 0) "\n" AT(4, 0, 0) "\n" AT(4, 9, 0) "\n");
        write_text("one.txt", AT(-8, 0, 0) "\n");
    }
    return failed;
}

static const cJSON *member(const cJSON *object, const char *key)
{
    const cJSON *value = cJSON_GetObjectItem(object, key);
    assert_non_null(value);
    return value;
}

static void a_box_that_comes_meets_at_its_time(void **state)
{
    (void)state;
    cJSON *document = expect_json(
        RUN("sweep", "box.obj", "box.obj", "--from-b", AT(-6, 0.5, 0), "--to-b", AT(2, 0.5, 0), "--json"), 1);
    assert_string_equal(json_string(document, "verdict"), "yes");
    const cJSON *impact = member(document, "impact");
    assert_true(json_number(impact, "lower") == 0.5 && json_number(impact, "upper") == 0.5);
    assert_false(json_boolean(impact, "at_start"));
    assert_true(json_boolean(impact, "crosses"));
    assert_true(json_number(impact, "a") >= 0 && json_number(impact, "b") >= 0);
    assert_true(cJSON_GetArraySize(member(impact, "point")) == 3);
    assert_true(fabs(cJSON_GetArrayItem(member(impact, "point"), 0)->valuedouble + 1) < 1e-9);
    assert_true(fabs(cJSON_GetArrayItem(member(impact, "normal"), 0)->valuedouble + 1) < 1e-9);
    const cJSON *segments = member(document, "segments");
    assert_int_equal(cJSON_GetArraySize(segments), 1);
    assert_string_equal(json_string(cJSON_GetArrayItem(segments, 0), "verdict"), "yes");
    assert_string_equal(json_string(member(member(document, "motion"), "b"), "kind"), "turn");
    assert_true(json_number(document, "unknown") == 0);
    assert_true(cJSON_IsNull(member(document, "certificate")));
    assert_true(json_number(document, "end_error") < 1e-12);
    assert_non_null(member(document, "stats"));
    cJSON_Delete(document);
}

static void one_that_passes_is_proved_clear(void **state)
{
    (void)state;
    cJSON *document = expect_json(
        RUN("sweep", "box.obj", "box.obj", "--from-b", AT(-6, 2.25, 0), "--to-b", AT(6, 2.25, 0), "--json"), 0);
    assert_string_equal(json_string(document, "verdict"), "no");
    assert_true(cJSON_IsNull(member(document, "impact")));
    assert_true(json_number(document, "clearance") > 0.1 && json_number(document, "clearance") <= 0.25);
    cJSON_Delete(document);
    tool_result result = RUN("sweep", "box.obj", "box.obj", "--from-b", AT(-6, 2.25, 0), "--to-b", AT(6, 2.25, 0));
    assert_int_equal(result.code, 0);
    assert_non_null(strstr(result.out, "no impact"));
    tool_release(&result);
}

static void both_may_move_and_turn(void **state)
{
    (void)state;
    cJSON *document = expect_json(RUN("sweep", "box.obj", "small.obj", "--to-a", "0 -1 0 0  1 0 0 0  0 0 1 0",
                                      "--from-b", AT(1.75, 0, 0), "--to-b", AT(1.75, 0, 0), "--json"),
                                  1);
    const cJSON *impact = member(document, "impact");
    /* the face x = 1, turned by a, meets the edge at (1.25, -0.5): 1.25 cos a - 0.5 sin a = 1 */
    double a = acos(1 / sqrt(1.8125)) - atan(0.4), t = json_number(impact, "lower");
    double turned = 2 * atan2(t * sin(atan(1)), 1 - t + t * cos(atan(1)));
    assert_true(fabs(turned - a) < 1e-12);
    cJSON_Delete(document);
}

static void screws_and_margins_are_answered_with_bounds(void **state)
{
    (void)state;
    /* a quarter of a turn while b rises by 1: even, so that it meets at the angle of the turn's contact */
    cJSON *document =
        expect_json(RUN("sweep", "box.obj", "small.obj", "--to-a", "0 -1 0 0  1 0 0 0  0 0 1 0", "--from-b",
                        AT(1.75, 0, 0), "--to-b", AT(1.75, 0, 0), "--motion", "slerp", "--json"),
                    1);
    const cJSON *impact = member(document, "impact");
    double t = (acos(1 / sqrt(1.8125)) - atan(0.4)) / (2 * atan(1));
    assert_true(json_number(impact, "lower") <= t && json_number(impact, "upper") >= t);
    assert_true(json_number(impact, "upper") - json_number(impact, "lower") < 1e-5);
    assert_string_equal(json_string(member(member(document, "motion"), "a"), "kind"), "slerp");
    assert_non_null(member(member(member(document, "motion"), "a"), "quaternion"));
    cJSON_Delete(document);
    document = expect_json(RUN("sweep", "box.obj", "box.obj", "--from-b", AT(-6, 2.25, 0), "--to-b", AT(6, 2.25, 0),
                               "--motion", "screw", "--margin", "0.2", "--json"),
                           0);
    assert_true(json_number(document, "clearance") >= 0.2 && json_number(document, "clearance") <= 0.25);
    cJSON_Delete(document);
    /* within 0.5 of each other from x = -2 - sqrt(0.25 - 0.0625) on */
    document = expect_json(RUN("sweep", "box.obj", "box.obj", "--from-b", AT(-6, 2.25, 0), "--to-b", AT(6, 2.25, 0),
                               "--margin", "0.5", "--json"),
                           1);
    t = (4 - sqrt(0.1875)) / 12;
    impact = member(document, "impact");
    assert_true(json_number(impact, "lower") <= t && json_number(impact, "upper") >= t);
    assert_true(json_number(impact, "upper") - json_number(impact, "lower") < 1e-5);
    cJSON_Delete(document);
}

static void touching_may_pass(void **state)
{
    (void)state;
    cJSON *document =
        expect_json(RUN("sweep", "box.obj", "box.obj", "--from-b", AT(-6, 2, 0), "--to-b", AT(6, 2, 0), "--json"), 1);
    assert_false(json_boolean(member(document, "impact"), "crosses"));
    assert_true(fabs(json_number(member(document, "impact"), "lower") - 1.0 / 3) < 1e-15);
    cJSON_Delete(document);
    document = expect_json(
        RUN("sweep", "box.obj", "box.obj", "--from-b", AT(-6, 2, 0), "--to-b", AT(6, 2, 0), "--crossing", "--json"), 0);
    cJSON_Delete(document);
}

static void one_inside_the_other_counts_for_solids(void **state)
{
    (void)state;
    cJSON *document = expect_json(RUN("sweep", "box.obj", "small.obj", "--to-b", AT(0.25, 0, 0), "--json"), 0);
    cJSON_Delete(document);
    document = expect_json(RUN("sweep", "box.obj", "small.obj", "--to-b", AT(0.25, 0, 0), "--solid", "--json"), 1);
    const cJSON *impact = member(document, "impact");
    assert_true(json_boolean(impact, "at_start") && json_number(impact, "upper") == 0);
    assert_true(cJSON_IsNull(member(impact, "a")));
    cJSON_Delete(document);
}

static void blends_take_any_pose_and_turns_refuse(void **state)
{
    (void)state;
    static const char grown[] = "3 0 0 0  0 3 0 0  0 0 3 0";
    tool_expect_refusal(RUN("sweep", "box.obj", "small.obj", "--to-b", grown), 2, "--motion blend");
    cJSON *document =
        expect_json(RUN("sweep", "box.obj", "small.obj", "--to-b", grown, "--motion", "blend", "--json"), 1);
    assert_true(json_number(member(document, "impact"), "lower") == 0.5);
    cJSON_Delete(document);
    tool_expect_refusal(RUN("sweep", "box.obj", "small.obj", "--motion", "jump"), 2, "blend, turn, screw or slerp");
    tool_expect_refusal(RUN("sweep", "box.obj", "small.obj", "--to-b", "1 2 3"), 2, "--to-b");
}

static void a_path_has_an_answer_for_each_two_poses(void **state)
{
    (void)state;
    tool_result result = RUN("path", "box.obj", "box.obj", "poses.txt", "--continuous");
    assert_int_equal(result.code, 1);
    assert_string_equal(result.out, "0 0\n1 1 0.25\n2 0\n");
    tool_release(&result);
    cJSON *document = expect_json(RUN("path", "box.obj", "box.obj", "poses.txt", "--continuous", "--json"), 1);
    assert_string_equal(json_string(document, "verdict"), "yes");
    const cJSON *segments = member(document, "segments");
    assert_int_equal(cJSON_GetArraySize(segments), 3);
    static const char *const verdicts[] = {"no", "yes", "no"};
    for (int i = 0; i < 3; i++)
        assert_string_equal(json_string(cJSON_GetArrayItem(segments, i), "verdict"), verdicts[i]);
    assert_true(cJSON_IsNull(member(cJSON_GetArrayItem(segments, 0), "impact")));
    assert_true(json_number(member(document, "impact"), "lower") == 0.25);
    assert_true(json_number(member(document, "impact"), "segment") == 1);
    cJSON_Delete(document);
    tool_expect_refusal(RUN("path", "box.obj", "box.obj", "one.txt", "--continuous"), 4, "only one pose");
    tool_expect_refusal(RUN("path", "box.obj", "box.obj", "poses.txt", "--motion", "turn"), 2, "--continuous");
    tool_expect_refusal(RUN("path", "box.obj", "box.obj", "poses.txt", "--continuous", "--count"), 2, "--count");
}

static void methods_answer_with_their_guarantee(void **state)
{
    (void)state;
    static const char *const names[] = {"mirtich", "space-time-bounds", "moving-points"};
    for (int i = 0; i < 3; i++)
    {
        cJSON *document = expect_json(RUN("sweep", "box.obj", "box.obj", "--from-b", AT(-5, 3, 0), "--to-b",
                                          AT(5, 4, 0), "--motion", "blend", "--json", "--method", names[i]),
                                      0);
        assert_string_equal(json_string(document, "method"), names[i]);
        assert_string_equal(json_string(document, "verdict"), "no");
        assert_string_equal(json_string(document, "guarantee"), i == 2 ? "exact" : "no-sure");
        cJSON_Delete(document);
        tool_result answer = RUN("sweep", "box.obj", "box.obj", "--from-b", AT(-5, 0, 0), "--to-b", AT(5, 0, 0),
                                 "--motion", "blend", "--json", "--method", names[i]);
        assert_int_equal(answer.code, i == 2 ? 1 : 4);
        document = cJSON_Parse(answer.out);
        tool_release(&answer);
        assert_string_equal(json_string(document, i == 2 ? "verdict" : "guess"), "yes");
        assert_true(json_number(document, "lower") <= 0.3 && json_number(document, "lower") > (i == 1 ? 0.1 : 0.299));
        assert_true(json_number(member(document, "stats"), "steps") > 0);
        cJSON_Delete(document);
    }
    tool_result result = RUN("sweep", "box.obj", "box.obj", "--from-b", AT(-5, 0, 0), "--to-b", AT(5, 0, 0), "--method",
                             "moving-points", "--motion", "blend");
    assert_int_equal(result.code, 1);
    assert_non_null(strstr(result.out, "proved by moving-points\n"));
    tool_release(&result);
    tool_expect_refusal(RUN("sweep", "box.obj", "box.obj", "--method", "horn"), 2, "mirtich, space-time-bounds");
    tool_expect_refusal(RUN("sweep", "box.obj", "box.obj", "--method", "mirtich", "--solid"), 2, "--solid");
    tool_expect_refusal(
        RUN("sweep", "box.obj", "box.obj", "--method", "mirtich", "--motion", "screw", "--to-b", AT(5, 0, 0)), 2,
        "turns and blends only");
    tool_expect_refusal(RUN("sweep", "box.obj", "box.obj", "--method", "moving-points", "--to-b", AT(5, 0, 0)), 2,
                        "blend only");
    write_text("disc.json", "{\"kind\":\"sphere\",\"radius\":0.5}");
    tool_expect_refusal(RUN("sweep", "disc.json", "box.obj", "--method", "mirtich"), 2, "triangles");
}

/* A spline through four poses bulges beyond the line between the middle two, where a turn passes. */
static void splines_run_smoothly_through_poses(void **state)
{
    (void)state;
    write_text("bulge.txt", AT(3, -6, 0) "\n" AT(2.05, -2, 0) "\n" AT(2.05, 2, 0) "\n" AT(3, 6, 0) "\n");
    write_text("scaled.txt", AT(3, -6, 0) "\n2 0 0 3  0 2 0 6  0 0 2 0\n");
    tool_result result = RUN("path", "box.obj", "box.obj", "bulge.txt", "--continuous");
    assert_int_equal(result.code, 0);
    tool_release(&result);
    cJSON *document =
        expect_json(RUN("path", "box.obj", "box.obj", "bulge.txt", "--continuous", "--motion", "spline", "--json"), 1);
    const cJSON *segments = member(document, "segments"), *impact = member(document, "impact");
    static const char *const verdicts[] = {"no", "yes", "no"};
    for (int i = 0; i < 3; i++)
        assert_string_equal(json_string(cJSON_GetArrayItem(segments, i), "verdict"), verdicts[i]);
    assert_true(json_number(impact, "upper") - json_number(impact, "lower") < 1e-4);
    assert_true(json_number(document, "end_error") < 1e-12);
    const cJSON *motion = member(cJSON_GetArrayItem(member(document, "motion"), 1), "b");
    assert_string_equal(json_string(motion, "kind"), "spline");
    assert_int_equal(cJSON_GetArraySize(member(motion, "quaternion")), 4);
    assert_int_equal(cJSON_GetArraySize(member(motion, "path")), 4);
    motion = member(cJSON_GetArrayItem(member(document, "motion"), 1), "a");
    assert_string_equal(json_string(motion, "kind"), "still");
    cJSON_Delete(document);
    tool_expect_refusal(RUN("path", "box.obj", "box.obj", "scaled.txt", "--continuous", "--motion", "spline"), 2,
                        "no rotation");
    tool_expect_refusal(RUN("path", "box.obj", "box.obj", "bulge.txt", "--continuous", "--motion", "spine"), 2,
                        "slerp or spline");
    tool_expect_refusal(RUN("sweep", "box.obj", "small.obj", "--motion", "spline"), 2, "blend, turn, screw or slerp");
    tool_expect_refusal(
        RUN("path", "box.obj", "small.obj", "bulge.txt", "--continuous", "--motion", "spline", "--prove", "p.json"), 2,
        "splines");
}

/* A ball and a can, which are not made of triangles: bounds of the time, and nothing about triangles. */
static void shapes_of_any_kind_may_move(void **state)
{
    (void)state;
    write_text("ball.json", "{\"kind\":\"sphere\",\"radius\":0.5}");
    write_text("can.json", "{\"kind\":\"cylinder\",\"height\":1,\"radius\":0.5}");
    static const char *const files[] = {"ball.json", "can.json", "box.obj"};
    for (int i = 0; i < 9; i++)
    {
        const char *a = files[i % 3], *b = files[i / 3];
        double reach = (i % 3 == 2 ? 1 : 0.5) + (i / 3 == 2 ? 1 : 0.5), expected = (5 - reach) / 10;
        cJSON *document = expect_json(RUN("sweep", a, b, "--from-b", AT(-5, 0, 0), "--to-b", AT(5, 0, 0), "--json"), 1);
        const cJSON *impact = member(document, "impact");
        assert_string_equal(json_string(document, "verdict"), "yes");
        assert_true(json_number(impact, "lower") <= expected && json_number(impact, "upper") >= expected - 1e-12);
        assert_true(json_number(impact, "upper") - json_number(impact, "lower") < 1e-5);
        assert_int_equal(cJSON_IsNull(member(impact, "a")), i % 3 != 2);
        assert_int_equal(cJSON_IsNull(member(impact, "b")), i / 3 != 2);
        assert_int_equal(cJSON_IsNull(member(impact, "crosses")), i != 8);
        assert_true(fabs(cJSON_GetArrayItem(member(impact, "normal"), 0)->valuedouble + 1) < 1e-6);
        cJSON_Delete(document);
    }
    tool_result result = RUN("path", "ball.json", "can.json:scale=2", "poses.txt", "--continuous");
    assert_int_equal(result.code, 1);
    assert_memory_equal(result.out, "0 0\n1 1 0.3", 11); /* (4 - 1.5) / 8 = 0.3125 */
    tool_release(&result);
    tool_expect_refusal(RUN("sweep", "ball.json", "box.obj", "--crossing", "--to-b", AT(5, 0, 0)), 2, "--crossing");
    tool_expect_refusal(
        RUN("sweep", "ball.json", "box.obj", "--prove", "x.json", "--from-b", AT(4, 0, 0), "--to-b", AT(5, 0, 0)), 2,
        "--prove");
    tool_expect_refusal(
        RUN("sweep", "ball.json", "box.obj", "--motion", "blend", "--to-a", "2 0 0 0  0 1 0 0  0 0 1 0"), 2,
        "rotations");
    write_text("stretched.txt", AT(0, 0, 0) "\n2 0 0 0  0 1 0 0  0 0 1 0\n");
    tool_expect_refusal(RUN("path", "box.obj", "ball.json", "stretched.txt", "--continuous"), 3,
                        "stretched.txt, pose 1 of ball.json: ");
    write_text("dot.json", "{\"kind\":\"sphere\",\"radius\":0}"); /* swept as the point it is */
    write_text("crate.json", "{\"kind\":\"box\",\"size\":[1,1,1]}");
    tool_expect_refusal(RUN("sweep", "crate.json", "dot.json", "--from-b", "2 0 0 0  0 1 0 0  0 0 1 0", "--to-b",
                            "2 0 0 0  0 1 0 0  0 0 1 0"),
                        2, "rotations");
}

/* Shapes are solid, meshes are surfaces; what begins inside collides from the start, also where it comes out. */
static void a_shape_within_another_is_met_from_the_start(void **state)
{
    (void)state;
    write_text("large.json", "{\"kind\":\"box\",\"size\":[2,2,2]}");
    write_text("little.json", "{\"kind\":\"box\",\"size\":[0.5,0.5,0.5]}");
    cJSON *document = expect_json(RUN("sweep", "large.json", "little.json", "--to-b", AT(0.25, 0, 0), "--json"), 1);
    const cJSON *impact = member(document, "impact");
    assert_true(json_boolean(impact, "at_start") && cJSON_IsNull(member(impact, "a")));
    assert_true(json_number(impact, "lower") == 0 && json_number(impact, "upper") == 0);
    cJSON_Delete(document);
    cJSON_Delete(expect_json(RUN("sweep", "box.obj", "little.json", "--to-b", AT(0.25, 0, 0), "--json"), 0));
    write_text("out.txt", AT(0, 0, 0) "\n" AT(0.125, 0, 0) "\n" AT(0.25, 0, 0) "\n" AT(4, 0, 0) "\n" AT(5, 0, 0) "\n");
    tool_result result = RUN("path", "large.json", "little.json", "out.txt", "--continuous");
    assert_int_equal(result.code, 1);
    assert_memory_equal(result.out, "0 1 0\n1 1 0\n2 1 0\n3 0\n", 22);
    tool_release(&result);
}

/* Five axes: a ball, a shank and a holder that tilt while they go along a box, and dip into it once. */
static void a_tool_that_tilts_is_a_compound(void **state)
{
    (void)state;
    write_text("tool.json",
               "{\"kind\":\"compound\",\"parts\":["
               "{\"shape\":{\"kind\":\"sphere\",\"radius\":0.25},\"pose\":[1,0,0,0,0,1,0,0,0,0,1,0]},"
               "{\"shape\":{\"kind\":\"cylinder\",\"height\":2,\"radius\":0.25},\"pose\":[1,0,0,0,0,1,0,0,0,0,1,1]},"
               "{\"shape\":{\"kind\":\"cylinder\",\"height\":1,\"radius\":1},\"pose\":[1,0,0,0,0,1,0,0,0,0,1,2.5]}]}");
    write_text("tilts.txt", "1 0 0 -0.5  0 1 0 0  0 0 1 1.375\n"
                            "0.8 0 0.6 0  0 1 0 0  -0.6 0 0.8 1.375\n"
                            "0.8 0 -0.6 0.5  0 1 0 0  0.6 0 0.8 1.375\n"
                            "1 0 0 0.5  0 1 0 0  0 0 1 1.125\n");
    tool_result result = RUN("path", "box.obj", "tool.json", "tilts.txt", "--continuous");
    assert_int_equal(result.code, 1);
    assert_memory_equal(result.out, "0 0\n1 0\n2 1 0.", 12);
    tool_release(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_that_comes_meets_at_its_time),
        cmocka_unit_test(one_that_passes_is_proved_clear),
        cmocka_unit_test(both_may_move_and_turn),
        cmocka_unit_test(screws_and_margins_are_answered_with_bounds),
        cmocka_unit_test(touching_may_pass),
        cmocka_unit_test(one_inside_the_other_counts_for_solids),
        cmocka_unit_test(blends_take_any_pose_and_turns_refuse),
        cmocka_unit_test(a_path_has_an_answer_for_each_two_poses),
        cmocka_unit_test(methods_answer_with_their_guarantee),
        cmocka_unit_test(splines_run_smoothly_through_poses),
        cmocka_unit_test(shapes_of_any_kind_may_move),
        cmocka_unit_test(a_shape_within_another_is_met_from_the_start),
        cmocka_unit_test(a_tool_that_tilts_is_a_compound),
    };
    return cmocka_run_group_tests(tests, enter, leave_temporary_directory);
}
