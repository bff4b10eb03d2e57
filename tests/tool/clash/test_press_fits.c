/* SPDX-License-Identifier: MIT */
/* What an engineer measures: pins in bushes, boxes end to end, mated cubes whose coordinates are rounded. */
#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdlib.h>

#include "clash_boxes.h"

enum
{
    FACETS = 48
};

static void put_circle(FILE *file, double radius, double x, double z)
{
    for (int i = 0; i < FACETS; i++)
    {
        double angle = 2 * 3.14159265358979 * i / FACETS;
        fprintf(file, "v %.17g %.17g %.17g\n", x + radius * cos(angle), radius * sin(angle), z);
    }
}

/* A quad per facet between two circles, given by the numbers of their first vertices. */
static void put_band(FILE *file, int lower, int upper)
{
    for (int i = 0; i < FACETS; i++)
    {
        int next = (i + 1) % FACETS;
        fprintf(file, "f %d %d %d %d\n", lower + i, lower + next, upper + next, upper + i);
    }
}

/* A bush of inner radius 10, outer radius 20, from z = 0 to 25, and a pin from -5 to 30. */
static void write_fit(const char *path, double radius, double x)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("o bush\n", file);
    put_circle(file, 20, 0, 0);
    put_circle(file, 20, 0, 25);
    put_circle(file, 10, 0, 25);
    put_circle(file, 10, 0, 0);
    for (int ring = 0; ring < 4; ring++)
        put_band(file, 1 + ring * FACETS, 1 + (ring + 1) % 4 * FACETS);
    fputs("o pin\n", file);
    put_circle(file, radius, x, -5);
    put_circle(file, radius, x, 30);
    int first = 1 + 4 * FACETS;
    put_band(file, first, first + FACETS);
    fputs("f", file);
    for (int i = FACETS - 1; i >= 0; i--)
        fprintf(file, " %d", first + i);
    fputs("\nf", file);
    for (int i = 0; i < FACETS; i++)
        fprintf(file, " %d", first + FACETS + i);
    fputs("\n", file);
    assert_int_equal(fclose(file), 0);
}

static void expect_interval(const cJSON *found, const char *key, double value)
{
    double lower = number_at(found, key, 0), upper = number_at(found, key, 1);
    if (!(lower <= value * (1 + 1e-9) && upper >= value * (1 - 1e-9) && upper <= 1.011 * lower))
        fail_msg("%s is %g to %g, not %g", key, lower, upper, value);
}

/* The depth is the interference, not the way out of the bush. */
static void a_pin_too_large_for_its_bush_is_as_deep_as_it_is_too_large(void **state)
{
    (void)state;
    write_fit("tight.obj", 10.02, 0);
    cJSON *document = expect_json(RUN("clash", "tight.obj", "--tessellation", "off", "--json"), 1);
    expect_finding(document, 0, "bush", "pin", "crosses");
    expect_interval(finding(document, 0), "depth", 0.02);
    assert_string_equal(json_string(finding(document, 0), "exact"), "crosses");
    assert_true(number_at(finding(document, 0), "way_out", 1) > 20);
    cJSON_Delete(document);
    document = expect_json(RUN("clash", "tight.obj", "--tessellation", "off", "--max-depth", "0.1", "--json"), 0);
    assert_int_equal(summary(document, "findings"), 0);
    cJSON_Delete(document);
}

static void a_worse_fit_is_worse_than_the_baseline(void **state)
{
    (void)state;
    write_fit("fit.obj", 10.02, 0);
    tool_result result = RUN("clash", "fit.obj", "--quiet", "--json", "then.json");
    tool_release(&result);
    write_fit("fit.obj", 12, 0);
    cJSON *document = expect_json(RUN("clash", "fit.obj", "--baseline", "then.json", "--json"), 1);
    assert_string_equal(json_string(finding(document, 0), "state"), "worse");
    expect_interval(finding(document, 0), "depth", 2);
    cJSON_Delete(document);
}

/* 9.97 and moved by 0.1: the way out is back to the middle, at most. */
static void a_pin_beside_its_axis_has_a_short_way_out(void **state)
{
    (void)state;
    write_fit("loose.obj", 9.97, 0.1);
    cJSON *document = expect_json(RUN("clash", "loose.obj", "--tessellation", "off", "--json"), 1);
    const cJSON *found = finding(document, 0);
    assert_true(number_at(found, "way_out", 1) < 0.1 && number_at(found, "depth", 1) < 0.1);
    double square = 0;
    for (int axis = 0; axis < 3; axis++)
        square += pow(number_at(found, "translation", axis), 2);
    assert_true(sqrt(square) <= number_at(found, "way_out", 1) * (1 + 1e-12));
    cJSON_Delete(document);
}

static void boxes_end_to_end_are_half_as_deep_as_thick(void **state)
{
    (void)state;
    WRITE_BOXES("bars.obj", {"a", {0, 0, 0}, {100, 5, 5}}, {"b", {95, 0, 0}, {195, 5, 5}});
    cJSON *document = expect_json(RUN("clash", "bars.obj", "--json"), 1);
    const cJSON *found = finding(document, 0);
    expect_interval(found, "depth", 2.5);
    expect_interval(found, "way_out", 5);
    const cJSON *volume = cJSON_GetObjectItem(found, "volume");
    assert_true(fabs(json_number(volume, "value") - 125) <= json_number(volume, "error") + 1e-9);
    cJSON_Delete(document);
}

/* A plate on three feet touches them in three places. */
static void each_place_of_a_contact_is_told(void **state)
{
    (void)state;
    WRITE_BOXES("feet.obj", {"feet", {0, 0, 0}, {1, 1, 1}}, {"feet", {4, 0, 0}, {5, 1, 1}},
                {"feet", {0, 4, 0}, {1, 6, 1}}, {"plate", {-1, -1, 1}, {9, 9, 2}});
    cJSON *document = expect_json(RUN("clash", "feet.obj", "--json"), 1);
    expect_finding(document, 0, "feet", "plate", "touches");
    const cJSON *locations = cJSON_GetObjectItem(finding(document, 0), "locations");
    assert_int_equal(cJSON_GetArraySize(locations), 3);
    double area = 0;
    for (int i = 0; i < 3; i++)
    {
        const cJSON *location = cJSON_GetArrayItem(locations, i);
        area += json_number(location, "area");
        assert_true(number_at(location, "box", 2) == 1 && number_at(location, "box", 5) == 1);
    }
    assert_true(area == 4 && json_number(finding(document, 0), "area") == 4);
    cJSON_Delete(document);
}

/* Cubes stacked in all directions, turned, each with coordinates rounded for itself. */
static void write_turned_cubes(const char *path)
{
    static const int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    static const double turn[3][3] = {{0.2919265817264289, -0.9444921592567143, 0.15113650837232},
                                      {0.8372224001502, 0.3303928535, 0.43585973}, /* about orthogonal */
                                      {-0.46160154, -0.00069, 0.88708}};
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int cube = 0; cube < 8; cube++)
    {
        const int corner[3] = {cube % 2, cube / 2 % 2, cube / 4};
        fprintf(file, "o c%02d\n", cube);
        for (int v = 0; v < 8; v++)
        {
            double p[3] = {0, 0, 0};
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                    p[i] += turn[i][j] * (corner[j] + 5);
            for (int i = 0; i < 3; i++)
            {
                double own = turn[i][0] * (v & 1) + turn[i][1] * (v >> 1 & 1) + turn[i][2] * (v >> 2);
                fprintf(file, "%s%.17g", i == 0 ? "v " : " ", p[i] + own);
            }
            fputs("\n", file);
        }
        for (int f = 0; f < 6; f++)
            fprintf(file, "f %d %d %d\nf %d %d %d\n", 8 * cube + faces[f][0] + 1, 8 * cube + faces[f][1] + 1,
                    8 * cube + faces[f][2] + 1, 8 * cube + faces[f][0] + 1, 8 * cube + faces[f][2] + 1,
                    8 * cube + faces[f][3] + 1);
    }
    assert_int_equal(fclose(file), 0);
}

static void rounded_mates_touch_and_the_exact_reading_is_told(void **state)
{
    (void)state;
    write_turned_cubes("cubes.obj");
    cJSON *document = expect_json(RUN("clash", "cubes.obj", "--json"), 1);
    int crossing = 0, apart = 0;
    const cJSON *found;
    cJSON_ArrayForEach(found, cJSON_GetObjectItem(document, "findings"))
    {
        const char *exact = json_string(found, "exact");
        bool changed = strcmp(exact, "touches") != 0;
        assert_string_equal(json_string(found, "verdict"), "touches");
        assert_int_equal(cJSON_IsTrue(cJSON_GetObjectItem(found, "within_resolution")), changed);
        crossing += strcmp(exact, "crosses") == 0;
        apart += strcmp(exact, "apart") == 0;
        assert_int_equal(cJSON_IsArray(cJSON_GetObjectItem(found, "depth")), strcmp(exact, "crosses") == 0);
        assert_int_equal(cJSON_IsArray(cJSON_GetObjectItem(found, "gap")), strcmp(exact, "apart") == 0);
    }
    printf("%d cross, %d are apart\n", crossing, apart);
    assert_true(crossing > 3 && apart > 1);
    assert_int_equal(summary(document, "critical"), 0);
    assert_int_equal(summary(document, "findings"), 28); /* all neighbours: by faces, edges and corners */
    assert_int_equal(summary(document, "resolution_changed"), crossing + apart);
    cJSON_Delete(document);
    document = expect_json(RUN("clash", "cubes.obj", "--allow-touch", "--json"), 0);
    assert_int_equal(summary(document, "findings"), 0);
    assert_int_equal(summary(document, "resolution_changed"), crossing + apart);
    cJSON_Delete(document);
    document = expect_json(RUN("clash", "cubes.obj", "--resolution", "0", "--json"), 1);
    assert_int_equal(summary(document, "critical"), crossing);
    assert_int_equal(summary(document, "findings"), 28 - apart);
    assert_int_equal(summary(document, "resolution_changed"), 0);
    cJSON_Delete(document);
}

static void a_resolution_is_that_of_both_parts_together(void **state)
{
    (void)state;
    WRITE_BOXES("gap.obj", {"a", {0, 0, 0}, {1, 1, 1}}, {"b", {1.25, 0, 0}, {2, 1, 1}});
    cJSON *document = expect_json(RUN("clash", "gap.obj", "--resolution", "0.125", "--json"), 1);
    expect_finding(document, 0, "a", "b", "touches");
    assert_string_equal(json_string(finding(document, 0), "exact"), "apart");
    assert_true(number_at(finding(document, 0), "gap", 0) <= 0.25 && number_at(finding(document, 0), "gap", 1) >= 0.25);
    cJSON_Delete(document);
    document = expect_json(RUN("clash", "gap.obj", "--resolution", "0.1249", "--json"), 0);
    assert_int_equal(summary(document, "findings"), 0);
    cJSON_Delete(document);
    /* Also where it is below the clearance; and touching may be allowed. */
    document = expect_json(RUN("clash", "gap.obj", "--resolution", "0.125", "--clearance", "0.5", "--json"), 1);
    expect_finding(document, 0, "a", "b", "touches");
    cJSON_Delete(document);
    document = expect_json(RUN("clash", "gap.obj", "--resolution", "0.125", "--allow-touch", "--json"), 0);
    assert_int_equal(summary(document, "resolution_changed"), 1);
    cJSON_Delete(document);
    tool_result result = RUN("clash", "gap.obj", "--resolution", "0.125");
    assert_non_null(strstr(result.out, "gap 0.25, within resolution"));
    assert_non_null(strstr(result.out, "  resolution  0.125 for each part; 1 verdict changed by it\n"));
    tool_release(&result);
    result = RUN("clash", "gap.obj", "--resolution", "-1");
    assert_int_equal(result.code, 2);
    tool_release(&result);
}

static void one_thread_and_two_write_the_same_bytes(void **state)
{
    (void)state;
    write_turned_cubes("cubes.obj");
    tool_result one = RUN("clash", "cubes.obj", "--threads", "1", "--json");
    tool_result two = RUN("clash", "cubes.obj", "--threads", "2", "--json");
    assert_string_equal(one.out, two.out);
    tool_release(&one);
    tool_release(&two);
}

/* Two cylinders side by side: nothing is measured, and the cell does not begin with a comma. */
static void curved_shapes_that_touch_say_no_more(void **state)
{
    (void)state;
    FILE *file = fopen("sides.json", "w");
    assert_non_null(file);
    fputs("{\"graze\": \"scene\", \"version\": 1, \"meshes\": {\"c\": {\"shape\": {\"kind\": \"cylinder\", \"height\": "
          "2, "
          "\"radius\": 1}}}, \"objects\": [{\"name\": \"one\", \"mesh\": \"c\"}, {\"name\": \"two\", \"mesh\": \"c\", "
          "\"pose\": {\"position\": [2, 0, 0]}}]}",
          file);
    fclose(file);
    tool_result result = RUN("clash", "sides.json");
    assert_int_equal(result.code, 1);
    assert_non_null(strstr(result.out, "  within resolution"));
    assert_null(strstr(result.out, ", within resolution"));
    tool_release(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_pin_too_large_for_its_bush_is_as_deep_as_it_is_too_large),
                                       cmocka_unit_test(a_worse_fit_is_worse_than_the_baseline),
                                       cmocka_unit_test(a_pin_beside_its_axis_has_a_short_way_out),
                                       cmocka_unit_test(boxes_end_to_end_are_half_as_deep_as_thick),
                                       cmocka_unit_test(each_place_of_a_contact_is_told),
                                       cmocka_unit_test(rounded_mates_touch_and_the_exact_reading_is_told),
                                       cmocka_unit_test(a_resolution_is_that_of_both_parts_together),
                                       cmocka_unit_test(curved_shapes_that_touch_say_no_more),
                                       cmocka_unit_test(one_thread_and_two_write_the_same_bytes)};
    return cmocka_run_group_tests(tests, enter_temporary_directory, leave_temporary_directory);
}
