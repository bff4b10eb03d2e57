/* SPDX-License-Identifier: MIT */
/* graze clash called pairs touching, with grade exact, for which the library answers UNKNOWN about overlap; and clear
 * where a component of one body lies in the other and no surfaces meet. */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/tool_json.h"
#include "support/unit.h"

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 16);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 16) - 1, file) > 0);
    fclose(file);
    return text;
}

/* Two tetrahedra on a common edge, as one mesh, and a third on the same edge: around it there are four faces. Far away
 * a box that nothing touches, and, in the second file, one that crosses it. */
#define FINS                                                                                                           \
    "o fins\nv 0 0 0\nv 0 0 1\nv 1 0 0.5\nv 0.5 1 0.5\nv -1 0 0.5\nv -0.5 -1 0.5\n"                                    \
    "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\nf 1 5 2\nf 1 2 6\nf 1 6 5\nf 2 5 6\n"                                         \
    "o third\nv 0 0 0\nv 0 0 1\nv 0.1 1 0.5\nv -0.1 1 0.5\nf 7 9 8\nf 7 8 10\nf 7 10 9\nf 8 9 10\n"                    \
    "o far\nv 9 9 9\nv 10 9 9\nv 9 10 9\nv 9 9 10\nf 11 13 12\nf 11 12 14\nf 11 14 13\nf 12 13 14\n"
#define CROSSING                                                                                                       \
    "o other\nv 9 9 9.1\nv 10 9 9.1\nv 9 10 9.1\nv 9 9 10.1\nf 15 17 16\nf 15 16 18\nf 15 18 17\nf 16 17 18\n"

static double summary(const cJSON *document, const char *key)
{
    return json_number(cJSON_GetObjectItem(document, "summary"), key);
}

static void expect_undecided(const cJSON *document)
{
    const cJSON *list = cJSON_GetObjectItem(document, "undecided"), *pair = cJSON_GetArrayItem(list, 0);
    assert_int_equal(cJSON_GetArraySize(list), 1);
    assert_string_equal(json_string(pair, "a"), "fins");
    assert_string_equal(json_string(pair, "b"), "third");
    assert_int_equal(strlen(json_string(pair, "id")), 16);
    assert_true(summary(document, "pairs_undecided") == 1);
    assert_true(summary(document, "pairs_possible") == summary(document, "pairs_culled") +
                                                           summary(document, "pairs_tested") +
                                                           summary(document, "pairs_undecided"));
    assert_true(cJSON_IsFalse(cJSON_GetObjectItem(document, "complete")));
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(cJSON_GetObjectItem(document, "summary"), "resolved")));
}

static void what_is_unknown_is_undecided_whatever_is_allowed(void **state)
{
    (void)state;
    write_text("fins.obj", FINS);
    cJSON *document = expect_json(RUN("clash", "fins.obj", "--json"), 4);
    expect_undecided(document);
    assert_true(summary(document, "findings") == 1 && summary(document, "failing") == 0);
    const cJSON *finding = cJSON_GetArrayItem(cJSON_GetObjectItem(document, "findings"), 0);
    assert_string_equal(json_string(finding, "verdict"), "undecided");
    assert_string_equal(json_string(finding, "exact"), "undecided");
    assert_non_null(strstr(json_string(finding, "why"), "cannot be decided"));
    assert_string_equal(json_string(document, "outcome"), "incomplete");
    cJSON_Delete(document);
    document = expect_json(RUN("clash", "fins.obj", "--allow-touch", "--clearance", "0.1", "--json"), 4);
    expect_undecided(document);
    cJSON_Delete(document);
    /* Also as the only pair. */
    document = expect_json(RUN("clash", "fins.obj", "--a", "fins", "--b", "third", "--allow-touch", "--json"), 4);
    expect_undecided(document);
    assert_string_equal(json_string(document, "outcome"), "incomplete");
    cJSON_Delete(document);
}

static void what_fails_beside_it_fails(void **state)
{
    (void)state;
    write_text("fins_and_more.obj", FINS CROSSING);
    cJSON *document = expect_json(RUN("clash", "fins_and_more.obj", "--allow-touch", "--json"), 1);
    expect_undecided(document);
    assert_true(summary(document, "findings") == 2 && summary(document, "failing") == 1);
    assert_string_equal(json_string(document, "outcome"), "failed");
    cJSON_Delete(document);
}

/* Neither an earlier report nor an approval makes it pass; a rule that ignores the pair does. */
static void baselines_and_approvals_do_not_make_it_pass(void **state)
{
    (void)state;
    write_text("fins.obj", FINS);
    cJSON_Delete(expect_json(RUN("clash", "fins.obj", "--json"), 4));
    tool_result result = RUN("clash", "fins.obj", "--json", "then.json", "--quiet");
    assert_int_equal(result.code, 4);
    assert_non_null(strstr(result.out, "1 pair is undecided"));
    tool_release(&result);
    cJSON *document =
        expect_json(RUN("clash", "fins.obj", "--baseline", "then.json", "--fail-on", "worse", "--json"), 4);
    expect_undecided(document);
    cJSON_Delete(document);
    write_text("approve.json", "{\"graze\":\"rules\",\"version\":1,\"approve\":[{\"a\":\"*\",\"reason\":\"all\"}]}");
    document = expect_json(RUN("clash", "fins.obj", "--rules", "approve.json", "--json"), 4);
    expect_undecided(document);
    cJSON_Delete(document);
    write_text("ignore.json", "{\"graze\":\"rules\",\"version\":1,\"ignore\":[{\"a\":\"third\",\"reason\":\"it\"}]}");
    document = expect_json(RUN("clash", "fins.obj", "--rules", "ignore.json", "--json"), 0);
    assert_true(summary(document, "pairs_undecided") == 0);
    cJSON_Delete(document);
}

static void every_report_names_it(void **state)
{
    (void)state;
    write_text("fins.obj", FINS);
    tool_result result = RUN("clash", "fins.obj", "--allow-touch", "--csv", "fins.csv", "--junit", "fins.xml");
    assert_int_equal(result.code, 4);
    assert_non_null(strstr(result.out, "incomplete: 1 finding: 1 major, but 1 pair is undecided"));
    assert_non_null(strstr(result.out, "  undecided   fins + third: "));
    tool_release(&result);
    char *csv = read_text("fins.csv"), *junit = read_text("fins.xml");
    assert_non_null(strstr(csv, ",major,undecided,new,fins,third,"));
    assert_non_null(strstr(junit, "<error type=\"incomplete\" message=\"1 pair is undecided\"/>"));
    assert_non_null(strstr(junit, "fins + third: undecided: "));
    free(csv);
    free(junit);
}

static void put_box(FILE *file, double x, double y, double z, double size, int first)
{
    static const int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    for (int i = 0; i < 8; i++)
        fprintf(file, "v %g %g %g\n", x + (i & 1 ? size : 0), y + (i & 2 ? size : 0), z + (i & 4 ? size : 0));
    for (int i = 0; i < 6; i++)
        fprintf(file, "f %d %d %d %d\n", first + faces[i][0], first + faces[i][1], first + faces[i][2],
                first + faces[i][3]);
}

static void a_piece_of_one_within_the_other_crosses(void **state)
{
    (void)state;
    FILE *file = fopen("pieces.obj", "w");
    assert_non_null(file);
    fputs("o big\n", file);
    put_box(file, 0, 0, 0, 10, 1);
    fputs("o pieces\n", file);
    put_box(file, 1, 1, 1, 1, 9);
    put_box(file, 11, 1, 1, 1, 17);
    assert_int_equal(fclose(file), 0);
    cJSON *document = expect_json(RUN("clash", "pieces.obj", "--json"), 1);
    const cJSON *found = cJSON_GetArrayItem(cJSON_GetObjectItem(document, "findings"), 0);
    assert_non_null(found);
    assert_string_equal(json_string(found, "verdict"), "crosses");
    assert_true(json_number(found, "pairs") == 0 && summary(document, "pairs_undecided") == 0);
    const cJSON *depth = cJSON_GetObjectItem(found, "depth");
    double lower = cJSON_GetArrayItem(depth, 0)->valuedouble, upper = cJSON_GetArrayItem(depth, 1)->valuedouble;
    assert_true(lower > 0 && lower <= 2 && upper >= 2); /* separated by x + 2 or y - 2 */
    cJSON_Delete(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_unknown_is_undecided_whatever_is_allowed),
        cmocka_unit_test(what_fails_beside_it_fails), cmocka_unit_test(baselines_and_approvals_do_not_make_it_pass),
        cmocka_unit_test(every_report_names_it), cmocka_unit_test(a_piece_of_one_within_the_other_crosses)};
    return cmocka_run_group_tests(tests, enter_temporary_directory, leave_temporary_directory);
}
