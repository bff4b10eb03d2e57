/* SPDX-License-Identifier: MIT */
/*
 * graze clash where rounding could decide: parts that touch although their boxes, if rounded to nearest, are disjoint;
 * gaps just below and at the clearance; instances of one mesh whose poses differ in one number.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "clash_boxes.h"
#include "support/random.h"
#include "support/tool_process.h"

enum
{
    PAIRS = 200
};

static void put_object(FILE *file, const char *mesh, int pair, const char *side, double scale, double shift)
{
    fprintf(file,
            "%s{\"name\": \"%d%s\", \"mesh\": \"%s\", \"pose\": {\"matrix\": [%.17g, 0, 0, %.17g, 0, 1, 0, %d, 0, 0, "
            "1, 0]}}",
            pair == 0 && *side == 'a' ? "" : ", ", pair, side, mesh, scale, shift, 10 * pair);
}

static FILE *start_scene(void)
{
    WRITE_BOXES("near.obj", {"near", {0, 0, 0}, {1, 1, 1}});
    WRITE_BOXES("far.obj", {"far", {3, 0, 0}, {4, 1, 1}});
    FILE *file = fopen("scene.json", "w");
    assert_non_null(file);
    fprintf(file, "{\"graze\": \"scene\", \"version\": 1, \"meshes\": {\"near\": {\"file\": \"near.obj\"}, "
                  "\"far\": {\"file\": \"far.obj\"}}, \"objects\": [");
    return file;
}

static cJSON *clash(FILE *file, int code, const char *option, const char *value)
{
    fprintf(file, "]}\n");
    assert_int_equal(fclose(file), 0);
    tool_result result =
        option != NULL ? RUN("clash", "scene.json", "--json", option, value) : RUN("clash", "scene.json", "--json");
    assert_int_equal(result.code, code);
    cJSON *document = cJSON_Parse(result.out);
    assert_non_null(document);
    tool_release(&result);
    return document;
}

static int count_of(const cJSON *document, const char *verdict)
{
    int count = 0;
    const cJSON *each;
    cJSON_ArrayForEach(each, cJSON_GetObjectItem(document, "findings")) count +=
        strcmp(json_string(each, "verdict"), verdict) == 0;
    return count;
}

/* One ends at w + t, the other begins at 3 s + u, which are the same number; but one product more is rounded. */
static void parts_that_touch_are_found_though_boxes_are_rounded(void **state)
{
    (void)state;
    test_random random = test_random_start("parts_that_touch_are_found_though_boxes_are_rounded", 53);
    FILE *file = start_scene();
    int parted = 0;
    for (int pair = 0; pair < PAIRS; pair++)
    {
        double s = random_real(&random, 1, 2), u = random_real(&random, 1, 2);
        long double place = 3 * (long double)s + u; /* exact in 64 bits */
        double w = (double)place, t = (double)(place - w);
        parted += w + t < 3 * s + u;
        put_object(file, "near", pair, "a", w, t);
        put_object(file, "far", pair, "b", s, u);
    }
    cJSON *document = clash(file, 1, NULL, NULL);
    printf("%d of %d pairs have boxes that rounding would part\n", parted, PAIRS);
    assert_true(parted >= 10);
    assert_int_equal(count_of(document, "touches"), PAIRS);
    cJSON_Delete(document);
}

/* Gaps of one ulp less than the clearance, exactly it, and more. */
static void gaps_are_exact_at_the_clearance(void **state)
{
    (void)state;
    const double clearance = 0.1;
    FILE *file = start_scene();
    int expected = 0;
    for (int pair = 0; pair < PAIRS; pair++)
    {
        double gap = clearance, size = ldexp(1, -pair % 30);
        for (int steps = abs(pair % 5 - 2); steps > 0; steps--)
            gap = nextafter(gap, pair % 5 < 2 ? 0 : 1);
        put_object(file, "near", pair, "a", size, -size); /* ends at 0 */
        put_object(file, "near", pair, "b", size, gap);   /* begins there */
        expected += gap < clearance;
    }
    cJSON *document = clash(file, 1, "--clearance", "0.1");
    printf("%d of %d gaps are below the clearance\n", expected, PAIRS);
    assert_true(expected > PAIRS / 5 && expected < PAIRS);
    assert_int_equal(count_of(document, "too_close"), expected);
    cJSON_Delete(document);
}

/* Two instances of a mesh in one place are duplicates; moved by the smallest step, along any axis, they cross. */
static void instances_are_duplicates_only_where_they_are_the_same(void **state)
{
    (void)state;
    FILE *file = start_scene();
    for (int pair = 0; pair < 40; pair++)
    {
        double shift = pair % 4 == 0 ? 0 : pair % 4 == 2 ? 0x1p-40 : 0x1p-50; /* the smallest step that sums resolve */
        fprintf(file, "%s{\"name\": \"%da\", \"mesh\": \"near\", \"pose\": {\"position\": [0, %d, 0]}}, ",
                pair == 0 ? "" : ", ", pair, 10 * pair);
        fprintf(file, "{\"name\": \"%db\", \"mesh\": \"near\", \"pose\": {\"position\": [%.17g, %.17g, %.17g]}}", pair,
                pair % 4 == 1 ? shift : 0, 10 * pair + (pair % 4 == 2 ? shift : 0), pair % 4 == 3 ? shift : 0);
    }
    cJSON *document = clash(file, 1, NULL, NULL);
    assert_int_equal(count_of(document, "duplicate"), 10);
    assert_int_equal(count_of(document, "crosses"), 30);
    cJSON_Delete(document);
}

static void put_text(FILE *file, const char *text)
{
    assert_true(fputs(text, file) >= 0);
}

/* The same shape in the same place by other numbers, whose boxes are rounded differently: cubes, squares that bound no
 * body, and a cube that lies in another. */
static void numbers_that_round_otherwise_change_no_verdict(void **state)
{
    (void)state;
    WRITE_BOXES("near.obj", {"near", {0, 0, 0}, {1, 1, 1}});
    WRITE_BOXES("off.obj", {"off", {2000, 2000, 2000}, {2001, 2001, 2001}});
    WRITE_BOXES("half.obj", {"half", {2000, 2000.25, 2000.25}, {2000.5, 2000.75, 2000.75}});
    write_text("square.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
    write_text("crossed.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 2 4\n");
    write_text("halved.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n");
    write_text("other.obj", "v 2000 2000 0\nv 2001 2000 0\nv 2001 2001 0\nv 2000 2001 0\nf 1 2 3 4\n");
    FILE *file = fopen("scene.json", "w");
    assert_non_null(file);
    put_text(file, "{\"graze\": \"scene\", \"version\": 1, \"meshes\": {\"near\": {\"file\": \"near.obj\"}, "
                   "\"off\": {\"file\": \"off.obj\"}, \"half\": {\"file\": \"half.obj\"}, "
                   "\"square\": {\"file\": \"square.obj\"}, \"other\": {\"file\": \"other.obj\"}, "
                   "\"crossed\": {\"file\": \"crossed.obj\"}, \"halved\": {\"file\": \"halved.obj\"}}, \"objects\": [");
    put_text(file, "{\"name\": \"a\", \"mesh\": \"near\", \"pose\": {\"position\": [1000, 1000, 1000]}}, "
                   "{\"name\": \"b\", \"mesh\": \"off\", \"pose\": {\"position\": [-1000, -1000, -1000]}}, "
                   "{\"name\": \"c\", \"mesh\": \"near\", \"pose\": {\"position\": [1010, 1000, 1000]}}, "
                   "{\"name\": \"d\", \"mesh\": \"half\", \"pose\": {\"position\": [-990, -1000, -1000]}}, "
                   "{\"name\": \"e\", \"mesh\": \"square\", \"pose\": {\"position\": [1000, 1000, 0]}}, "
                   "{\"name\": \"f\", \"mesh\": \"other\", \"pose\": {\"position\": [-1000, -1000, 0]}}, "
                   "{\"name\": \"g\", \"mesh\": \"crossed\"}, {\"name\": \"h\", \"mesh\": \"halved\"}");
    cJSON *document = clash(file, 1, NULL, NULL);
    assert_int_equal(count_of(document, "duplicate"), 2);
    assert_int_equal(count_of(document, "contains"), 1);
    cJSON_Delete(document);
}

/* Differences of positions that are rounded to the same number, 1, and are different: cubes that touch, overlap or are
 * disjoint by less than the resolution of doubles near 1. */
static void pairs_repeat_only_where_their_places_do(void **state)
{
    (void)state;
    FILE *file = start_scene();
    for (int pair = 0; pair < 60; pair++)
    {
        put_object(file, "near", pair, "a", 1, 0x1p-54 * (pair % 3 - 1));
        put_object(file, "near", pair, "b", 1, 1);
    }
    cJSON *document = clash(file, 1, "--resolution", "0");
    assert_int_equal(count_of(document, "touches"), 20);
    assert_int_equal(count_of(document, "crosses"), 20);
    cJSON_Delete(document);
    /* Doubles do not resolve it. */
    document = expect_json(RUN("clash", "scene.json", "--json"), 1);
    assert_int_equal(count_of(document, "touches"), 60);
    assert_int_equal(json_number(cJSON_GetObjectItem(document, "summary"), "resolution_changed"), 40);
    cJSON_Delete(document);
}

/* Cubes rotated by quarter turns and placed side by side touch face to face: their matrices are exact. */
static void quarter_turns_are_exact(void **state)
{
    (void)state;
    static const double turns[6][3] = {{90, 2, 0}, {180, 2, 1}, {270, 1, 1}, {-90, 1, 1}, {450, 2, 0}, {-360, 1, 0}};
    FILE *file = start_scene();
    for (int i = 0; i < 6; i++)
    {
        fprintf(file, "%s{\"name\": \"%da\", \"mesh\": \"near\", \"pose\": {\"position\": [0, %d, 0]}}, ",
                i == 0 ? "" : ", ", i, 10 * i);
        fprintf(
            file,
            "{\"name\": \"%db\", \"mesh\": \"near\", \"pose\": {\"position\": [%g, %g, 0], \"axis_angle\": [0, 0, 3, "
            "%g]}}",
            i, turns[i][1], 10 * i + turns[i][2], turns[i][0]);
    }
    cJSON *document = clash(file, 1, NULL, NULL);
    assert_int_equal(count_of(document, "touches"), 6);
    for (int i = 0; i < 6; i++)
        assert_true(cJSON_GetObjectItem(finding(document, i), "area")->valuedouble == 1);
    cJSON_Delete(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(parts_that_touch_are_found_though_boxes_are_rounded),
                                       cmocka_unit_test(gaps_are_exact_at_the_clearance),
                                       cmocka_unit_test(numbers_that_round_otherwise_change_no_verdict),
                                       cmocka_unit_test(pairs_repeat_only_where_their_places_do),
                                       cmocka_unit_test(quarter_turns_are_exact),
                                       cmocka_unit_test(instances_are_duplicates_only_where_they_are_the_same)};
    return cmocka_run_group_tests(tests, enter_temporary_directory, leave_temporary_directory);
}
