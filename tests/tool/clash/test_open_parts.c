/* SPDX-License-Identifier: MIT */
/* graze clash on parts that are not closed: what is undecided, why and where; surfaces, --assume-closed, gaps. */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <string.h>

#include "support/tool_json.h"
#include "support/unit.h"

#define CLASH(code, ...) expect_json(RUN("clash", __VA_ARGS__, "--json"), code)

/* A box as an object of an OBJ file, whose first vertex has number `first`, without some of its twelve triangles. */
static void put_box(FILE *file, const char *name, const double lower[3], double size, int first, unsigned missing)
{
    static const int corners[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                       {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    fprintf(file, "o %s\n", name);
    for (int i = 0; i < 8; i++)
        fprintf(file, "v %g %g %g\n", lower[0] + (i & 1 ? size : 0), lower[1] + (i & 2 ? size : 0),
                lower[2] + (i & 4 ? size : 0));
    for (int i = 0; i < 12; i++)
        if ((missing >> i & 1) == 0)
            fprintf(file, "f %d %d %d\n", first + corners[i][0], first + corners[i][1], first + corners[i][2]);
}

/* Two cubes that overlap by 5, of which one lacks the face inside the other. */
static void write_cubes(void)
{
    FILE *file = fopen("cubes.obj", "w");
    assert_non_null(file);
    put_box(file, "closed", (const double[3]){0, 0, 0}, 10, 1, 0);
    put_box(file, "open", (const double[3]){5, 0, 0}, 10, 9, 0x300);
    assert_int_equal(fclose(file), 0);
}

/* A magnet in a housing, one of whose triangles is missing. */
static void write_housing(void)
{
    FILE *file = fopen("housing.obj", "w");
    assert_non_null(file);
    put_box(file, "housing", (const double[3]){0, 0, 0}, 50, 1, 0x8);
    put_box(file, "magnet", (const double[3]){20, 20, 20}, 10, 9, 0);
    assert_int_equal(fclose(file), 0);
}

static const cJSON *only_finding(const cJSON *document)
{
    const cJSON *findings = cJSON_GetObjectItem(document, "findings");
    assert_int_equal(cJSON_GetArraySize(findings), 1);
    return cJSON_GetArrayItem(findings, 0);
}

static double summary(const cJSON *document, const char *key)
{
    return json_number(cJSON_GetObjectItem(document, "summary"), key);
}

static void expect_undecided(cJSON *document, int edges, const char *why)
{
    const cJSON *finding = only_finding(document), *open_edges = cJSON_GetObjectItem(finding, "open_edges");
    assert_string_equal(json_string(finding, "verdict"), "undecided");
    assert_non_null(strstr(json_string(finding, "why"), why));
    assert_int_equal(cJSON_GetArraySize(open_edges), edges);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetArrayItem(open_edges, 0)), 2);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetArrayItem(cJSON_GetArrayItem(open_edges, 0), 0)), 3);
    assert_true(cJSON_IsFalse(cJSON_GetObjectItem(document, "complete")));
    assert_string_equal(json_string(document, "outcome"), "incomplete");
    assert_true(summary(document, "pairs_undecided") == 1 && summary(document, "pairs_tested") == 0);
    assert_true(summary(document, "failing") == 0);
    cJSON_Delete(document);
}

static void a_missing_face_or_triangle_leaves_a_pair_undecided(void **state)
{
    (void)state;
    write_cubes();
    write_housing();
    expect_undecided(CLASH(4, "cubes.obj"), 4, "part b is not closed");
    expect_undecided(CLASH(4, "cubes.obj", "--allow-touch"), 4, "part b is not closed");
    expect_undecided(CLASH(4, "housing.obj"), 3, "part a is not closed");
    expect_undecided(CLASH(4, "housing.obj", "--allow-touch"), 3, "part a is not closed");
    tool_result result = RUN("clash", "housing.obj");
    assert_int_equal(result.code, 4);
    assert_non_null(strstr(result.out, "housing + magnet: part a is not closed"));
    tool_release(&result);
}

static void what_fails_decides_the_exit_code(void **state)
{
    (void)state;
    write_housing();
    FILE *file = fopen("crossing.obj", "w");
    assert_non_null(file);
    put_box(file, "one", (const double[3]){100, 0, 0}, 10, 1, 0);
    put_box(file, "other", (const double[3]){105, 0, 0}, 10, 9, 0);
    assert_int_equal(fclose(file), 0);
    cJSON *document = CLASH(1, "crossing.obj", "housing.obj");
    assert_true(cJSON_IsFalse(cJSON_GetObjectItem(document, "complete")));
    assert_true(summary(document, "pairs_undecided") == 1 && summary(document, "failing") == 1);
    cJSON_Delete(document);
}

static void nothing_is_asked_of_the_inside_of_surfaces(void **state)
{
    (void)state;
    write_housing();
    cJSON *document = CLASH(0, "housing.obj", "--surface", "hous*");
    assert_true(summary(document, "findings") == 0 && summary(document, "pairs_tested") == 1);
    cJSON_Delete(document);
    write_text("rules.json", "{\"graze\": \"rules\", \"version\": 1, \"surfaces\": [\"housing\"]}");
    document = CLASH(0, "housing.obj", "--rules", "rules.json");
    assert_true(summary(document, "findings") == 0);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(document, "problems")), 0);
    cJSON_Delete(document);
}

static void open_parts_may_be_assumed_to_be_closed(void **state)
{
    (void)state;
    write_cubes();
    write_housing();
    cJSON *document = CLASH(1, "cubes.obj", "--assume-closed");
    const cJSON *finding = only_finding(document);
    assert_string_equal(json_string(finding, "verdict"), "crosses");
    assert_string_equal(json_string(cJSON_GetObjectItem(finding, "grades"), "verdict"), "estimated");
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(document, "complete")));
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(cJSON_GetObjectItem(document, "tolerances"), "assume_closed")));
    cJSON_Delete(document);
    document = CLASH(1, "housing.obj", "--assume-closed");
    finding = only_finding(document);
    assert_string_equal(json_string(finding, "verdict"), "contains");
    assert_string_equal(json_string(finding, "contains"), "b_in_a");
    assert_string_equal(json_string(cJSON_GetObjectItem(finding, "grades"), "verdict"), "estimated");
    cJSON_Delete(document);
}

/* An open part that lies beside the others leaves nothing undecided. */
static void open_parts_beside_others_are_clear(void **state)
{
    (void)state;
    FILE *file = fopen("beside.obj", "w");
    assert_non_null(file);
    put_box(file, "closed", (const double[3]){0, 0, 0}, 10, 1, 0);
    put_box(file, "open", (const double[3]){11, 0, 0}, 10, 9, 0x300);
    put_box(file, "on top", (const double[3]){0, 0, 10}, 10, 17, 0x300);
    assert_int_equal(fclose(file), 0);
    cJSON *document = CLASH(0, "beside.obj", "--allow-touch", "--clearance", "0.5");
    assert_true(summary(document, "pairs_undecided") == 0);
    cJSON_Delete(document);
}

/* A housing whose lid is a little above its walls, and a magnet in it. */
static void narrow_gaps_are_closed_and_counted(void **state)
{
    (void)state;
    FILE *file = fopen("lid.obj", "w");
    assert_non_null(file);
    put_box(file, "housing", (const double[3]){0, 0, 0}, 50, 1, 0xc);
    for (int i = 0; i < 4; i++)
        fprintf(file, "v %d %d 50.00001\n", i % 2 * 50, i / 2 * 50);
    fputs("f 9 10 12\nf 9 12 11\n", file);
    put_box(file, "magnet", (const double[3]){20, 20, 20}, 10, 13, 0);
    assert_int_equal(fclose(file), 0);
    expect_undecided(CLASH(4, "lid.obj", "--resolution", "0"), 8, "part a is not closed");
    expect_undecided(CLASH(4, "lid.obj", "--resolution", "1e-6"), 8, "part a is not closed");
    cJSON *document = CLASH(1, "lid.obj", "--resolution", "1e-5");
    assert_string_equal(json_string(only_finding(document), "verdict"), "contains");
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(document, "complete")));
    const cJSON *problem = cJSON_GetArrayItem(cJSON_GetObjectItem(document, "problems"), 0);
    assert_non_null(problem);
    assert_string_equal(json_string(problem, "part"), "housing");
    assert_string_equal(json_string(problem, "what"), "4 gaps no wider than the resolution were closed");
    cJSON_Delete(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_missing_face_or_triangle_leaves_a_pair_undecided),
        cmocka_unit_test(what_fails_decides_the_exit_code),
        cmocka_unit_test(nothing_is_asked_of_the_inside_of_surfaces),
        cmocka_unit_test(open_parts_may_be_assumed_to_be_closed),
        cmocka_unit_test(open_parts_beside_others_are_clear),
        cmocka_unit_test(narrow_gaps_are_closed_and_counted),
    };
    return cmocka_run_group_tests(tests, enter_temporary_directory, leave_temporary_directory);
}
