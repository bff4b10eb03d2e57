/* SPDX-License-Identifier: MIT */
/* graze check, through the real program: answers, exit codes, JSON, poses, and files that are not meshes. */
#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "support/tool_json.h"
#include "support/unit.h"

static const char shift_x_2[] = "1 0 0 2  0 1 0 0  0 0 1 0", shift_x_1[] = "1,0,0,1,0,1,0,0,0,0,1,0";

static void write_meshes(void)
{
    write_box_obj("box.obj", 1.0);
    write_box_obj("small.obj", 0.25);
    write_open_box_obj("open.obj", 1.0);
}

static void boxes_side_by_side_touch_in_a_plane(void **state)
{
    (void)state;
    cJSON *document = expect_json(RUN("check", "box.obj", "box.obj", "--pose-b", shift_x_2, "--json"), 1);
    assert_true(json_boolean(document, "collide"));
    assert_true(json_number(document, "pairs") > 0);
    assert_true(json_number(document, "pairs") == json_number(document, "touching"));
    assert_true(json_number(document, "crossing") == 0);
    assert_true(json_number(document, "coplanar") >= 2);
    assert_string_equal(json_string(document, "contains"), "none");
    assert_null(cJSON_GetObjectItem(document, "pair_list"));
    const cJSON *witness = cJSON_GetObjectItem(document, "witness");
    const cJSON *point = cJSON_GetObjectItem(witness, "point");
    assert_int_equal(cJSON_GetArraySize(point), 3);
    assert_true(cJSON_GetArrayItem(point, 0)->valuedouble == 1.0);
    assert_true(json_number(witness, "a") < 12 && json_number(witness, "b") < 12);
    assert_true(json_number(cJSON_GetObjectItem(document, "a"), "triangles") == 12);
    assert_true(json_number(cJSON_GetObjectItem(document, "b"), "faces") == 6);
    cJSON_Delete(document);
}

static void boxes_that_overlap_cross(void **state)
{
    (void)state;
    cJSON *document = expect_json(RUN("check", "box.obj", "small.obj", "--pose-b", shift_x_1, "--json"), 1);
    assert_true(json_number(document, "crossing") > 0);
    assert_true(json_number(document, "pairs") ==
                json_number(document, "touching") + json_number(document, "crossing"));
    cJSON_Delete(document);
}

static void a_gap_of_one_ulp_is_a_gap(void **state)
{
    (void)state;
    cJSON *document = expect_json(
        RUN("check", "box.obj", "box.obj", "--json", "--pose-b", "1 0 0 0x1.0000000000001p1 0 1 0 0 0 0 1 0"), 0);
    assert_false(json_boolean(document, "collide"));
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(document, "witness")));
    assert_true(json_number(document, "pairs") == 0);
    cJSON_Delete(document);
    tool_result result = RUN("check", "box.obj", "box.obj", "--pose-b", "1 0 0 0x1p1 0 1 0 0 0 0 1 0");
    assert_int_equal(result.code, 1);
    tool_release(&result);
}

/* The swapped and sorted pairs of one document are those of the other. */
static void swapped_arguments_give_the_same_pairs(void **state)
{
    (void)state;
    static const char turned[] = "0.8 -0.6 0 0.5  0.6 0.8 0 0.25  0 0 1 1.125";
    cJSON *one = expect_json(RUN("check", "box.obj", "small.obj", "--pose-a", turned, "--pairs", "all", "--json"), 1);
    cJSON *two = expect_json(RUN("check", "small.obj", "box.obj", "--pose-b", turned, "--pairs", "all", "--json"), 1);
    static const char *const keys[] = {"pairs", "touching", "crossing", "coplanar"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        assert_true(json_number(one, keys[i]) == json_number(two, keys[i]));
    bool meets[12][12] = {{false}};
    int count = 0, last = -1;
    const cJSON *pair;
    cJSON_ArrayForEach(pair, cJSON_GetObjectItem(one, "pair_list"))
    {
        int a = cJSON_GetArrayItem(pair, 0)->valueint, b = cJSON_GetArrayItem(pair, 1)->valueint;
        assert_true(12 * a + b > last);
        last = 12 * a + b;
        meets[a][b] = true;
        count++;
    }
    assert_int_equal(count, (int)json_number(one, "pairs"));
    cJSON_ArrayForEach(pair, cJSON_GetObjectItem(two, "pair_list"))
    {
        assert_true(meets[cJSON_GetArrayItem(pair, 1)->valueint][cJSON_GetArrayItem(pair, 0)->valueint]);
        count--;
    }
    assert_int_equal(count, 0);
    cJSON_Delete(one);
    cJSON_Delete(two);
}

static void a_short_list_leaves_the_counts_full(void **state)
{
    (void)state;
    cJSON *all = expect_json(RUN("check", "box.obj", "box.obj", "--pairs", "all", "--json"), 1);
    cJSON *some = expect_json(RUN("check", "box.obj", "box.obj", "--pairs", "3", "--json"), 1);
    cJSON *none = expect_json(RUN("check", "box.obj", "box.obj", "--pairs=0", "--json"), 1);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(some, "pair_list")), 3);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(none, "pair_list")), 0);
    assert_true(json_number(all, "pairs") == json_number(some, "pairs") && json_number(all, "pairs") > 3);
    cJSON_Delete(all);
    cJSON_Delete(some);
    cJSON_Delete(none);
}

static void a_body_inside_another_collides_only_as_a_solid(void **state)
{
    (void)state;
    cJSON *document = expect_json(RUN("check", "box.obj", "small.obj", "--json"), 0);
    assert_false(json_boolean(document, "collide"));
    assert_string_equal(json_string(document, "contains"), "b_in_a");
    cJSON_Delete(document);
    document = expect_json(RUN("check", "box.obj", "small.obj", "--json", "--solid"), 1);
    assert_true(json_boolean(document, "collide"));
    assert_string_equal(json_string(document, "contains"), "b_in_a");
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(document, "witness")));
    cJSON_Delete(document);
    document = expect_json(RUN("check", "small.obj", "box.obj", "--json", "--solid"), 1);
    assert_string_equal(json_string(document, "contains"), "a_in_b");
    cJSON_Delete(document);
}

static void an_open_box_may_hold_it_or_not(void **state)
{
    (void)state;
    tool_result result = RUN("check", "open.obj", "small.obj", "--solid", "--json");
    assert_int_equal(result.code, 4);
    assert_non_null(strstr(result.out, "\"contains\": \"unknown\""));
    assert_non_null(strstr(result.err, "not closed"));
    assert_non_null(strstr(result.out, "\"collide\": null"));
    assert_non_null(strstr(result.out, "\"verdict\": \"unknown\""));
    tool_release(&result);
    result = RUN("check", "open.obj", "small.obj", "--solid");
    assert_int_equal(result.code, 4);
    assert_non_null(strstr(result.out, "unknown: the surfaces share no point"));
    tool_release(&result);
    cJSON *document = expect_json(RUN("check", "open.obj", "small.obj", "--json"), 0);
    assert_false(json_boolean(document, "collide"));
    assert_string_equal(json_string(document, "contains"), "unknown");
    cJSON_Delete(document);
}

static void the_witness_point_reads_back_to_the_same_double(void **state)
{
    (void)state;
    const double base[9] = {0.1, 0.7, 1.0 / 3.0, 5, 5, 5, 6, 5, 7};
    const double touching[9] = {0.1, 0.7, 1.0 / 3.0, -5, -5, -5, -6, -5, -7};
    write_triangle_obj("one.obj", base);
    write_triangle_obj("two.obj", touching);
    cJSON *document = expect_json(RUN("check", "one.obj", "two.obj", "--json"), 1);
    const cJSON *witness = cJSON_GetObjectItem(document, "witness"), *point = cJSON_GetObjectItem(witness, "point");
    for (int i = 0; i < 3; i++)
        assert_true(cJSON_GetArrayItem(point, i)->valuedouble == base[i]);
    assert_string_equal(json_string(witness, "contact"), "touching");
    assert_string_equal(json_string(witness, "feature_a"), "vertex");
    assert_string_equal(json_string(witness, "feature_b"), "vertex");
    cJSON_Delete(document);
}

static void poses_come_in_many_forms(void **state)
{
    (void)state;
    static const char *const same[] = {
        "1 0 0 2.5 0 1 0 0 0 0 1 0",         " 1, 0,\t0 ,2.5\n0 1 0 0\n0 0 1 -0 ", "1e0 0 0 25e-1 0 1.0 0 0 .0 0 1. 0",
        "0x1p0 0 0 0x1.4p1 0 1 0 0 0 0 1 0", "1 0 0 2.5 0 1 0 0 0 0 1 0 0 0 0 1",
    };
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
    {
        tool_result result = RUN("check", "box.obj", "box.obj", "--pose-a", same[i]);
        assert_int_equal(result.code, 0);
        tool_release(&result);
    }
}

static void bad_poses_are_named(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"1 0 0 nan 0 1 0 0 0 0 1 0", "entry 4"},
        {"1 0 0 0 0 1 0 0 0 0 1 inf", "entry 12"},
        {"1 0 0 0 0 1 0 0 0 0 1 1e400", "entry 12"},
        {"1 0 0 0 0 1 0 zero 0 0 1 0", "'zero'"},
        {"1 0 0 0 0 1 0 0 0 0 1 0x", "entry 12"},
        {"1 0 0 0 0 1 0 0 0 0 1", "11"},
        {"1 0 0 0 0 1 0 0 0 0 1 0 0", "13"},
        {"1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 2", "0 0 0 1"},
        {"1,,0 0 0 1 0 0 0 0 1 0", "entry 2 is missing"},
        {"1 0 0 0 0 1 0 0 0 0 1 0,", "entry 13 is missing"},
        {"", "12 numbers"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    {
        tool_expect_refusal(RUN("check", "box.obj", "box.obj", "--pose-a", bad[i][0]), 2, bad[i][1]);
        tool_expect_refusal(RUN("check", "box.obj", "box.obj", "--pose-b", bad[i][0]), 2, "--pose-b");
    }
    tool_expect_refusal(RUN("check", "box.obj", "box.obj", "--pairs", "some"), 2, "'some'");
    tool_expect_refusal(RUN("check", "box.obj", "box.obj", "--pairs", "-1"), 2, "'-1'");
}

static void what_is_no_mesh_is_refused_with_one_sentence(void **state)
{
    (void)state;
    char blob[4096];
    for (size_t i = 0; i < sizeof blob; i++)
        blob[i] = (char)(i * i * 31 + i / 7);
    write_bytes("blob.stl", blob, sizeof blob);
    write_bytes("blob", blob, sizeof blob);
    write_text("empty.stl", "");
    write_text("empty.obj", "");
    write_text("nan.obj", "v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    write_text("index.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n");
    write_text("cut.off", "OFF\n3 1 0\n0 0 0\n1 0");
    write_text("prose.txt", "Dear reader, this is no mesh.\n");
    mkdir("folder", 0700);
    static const char *const paths[] = {"missing.stl", "folder",    "empty.stl", "empty.obj", "blob.stl",      "blob",
                                        "nan.obj",     "index.obj", "cut.off",   "prose.txt", "missing/a.stl", "/"};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
    {
        tool_expect_refusal(RUN("check", "box.obj", paths[i]), 3, paths[i]);
        tool_expect_refusal(RUN("check", paths[i], "box.obj", "--json"), 3, paths[i]);
    }
}

static void a_mesh_may_come_through_standard_input(void **state)
{
    (void)state;
    cJSON *document =
        expect_json(RUN_WITH_INPUT("OFF\n3 1 0\n0 0 0\n9 0 0\n0 9 0\n3 0 1 2\n", "check", "-", "box.obj", "--json"), 1);
    assert_true(json_number(cJSON_GetObjectItem(document, "a"), "triangles") == 1);
    cJSON_Delete(document);
    tool_expect_refusal(RUN("check", "-", "box.obj"), 3, "standard input");
}

static void people_get_a_summary(void **state)
{
    (void)state;
    write_text("parts.obj", "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\ng lid\nf 1 2 3 4\n");
    tool_result result = RUN("check", "parts.obj", "box.obj", "--pairs", "2");
    assert_int_equal(result.code, 1);
    assert_string_equal(result.err, "");
    static const char *const words[] = {"collision: ", "pairs of triangles", "parts.obj", "box.obj",
                                        "crossing",    "touching",           "'lid'",     "witness",
                                        "more"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strstr(result.out, words[i]) == NULL)
            fail_msg("no '%s' in\n%s", words[i], result.out);
    tool_release(&result);
    result = RUN("check", "box.obj", "small.obj");
    assert_int_equal(strncmp(result.out, "no collision", 12), 0);
    assert_non_null(strstr(result.out, "--solid"));
    tool_release(&result);
}

static void extreme_numbers_are_decided(void **state)
{
    (void)state;
    const double tiny[9] = {0, 0, 0, 5e-324, 0, 0, 0, 5e-324, 0},
                 huge[9] = {-1e308, 0, 0, 1e308, 0, 0, 0, 1e308, 1e308};
    write_triangle_obj("tiny.obj", tiny);
    write_triangle_obj("huge.obj", huge);
    cJSON *document = expect_json(RUN("check", "tiny.obj", "huge.obj", "--json"), 1);
    assert_true(json_number(document, "pairs") == 1);
    cJSON_Delete(document);
    document = expect_json(
        RUN("check", "tiny.obj", "huge.obj", "--json", "--pose-a", "1 0 0 0 0 1 0 -5e-324 0 0 1 5e-324"), 0);
    cJSON_Delete(document);
}

static int enter(void **state)
{
    int failed = enter_temporary_directory(state);
    if (failed == 0)
        write_meshes();
    return failed;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_side_by_side_touch_in_a_plane),
        cmocka_unit_test(boxes_that_overlap_cross),
        cmocka_unit_test(a_gap_of_one_ulp_is_a_gap),
        cmocka_unit_test(swapped_arguments_give_the_same_pairs),
        cmocka_unit_test(a_short_list_leaves_the_counts_full),
        cmocka_unit_test(a_body_inside_another_collides_only_as_a_solid),
        cmocka_unit_test(an_open_box_may_hold_it_or_not),
        cmocka_unit_test(the_witness_point_reads_back_to_the_same_double),
        cmocka_unit_test(poses_come_in_many_forms),
        cmocka_unit_test(bad_poses_are_named),
        cmocka_unit_test(what_is_no_mesh_is_refused_with_one_sentence),
        cmocka_unit_test(a_mesh_may_come_through_standard_input),
        cmocka_unit_test(people_get_a_summary),
        cmocka_unit_test(extreme_numbers_are_decided),
    };
    return cmocka_run_group_tests(tests, enter, leave_temporary_directory);
}
