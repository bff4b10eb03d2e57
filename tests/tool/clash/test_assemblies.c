/* SPDX-License-Identifier: MIT */
/* Small assemblies as engineers have them, with known answers: bolts in a plate, parts in parts, folders with files of
 * all kinds, thin overlaps. */
#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clash_boxes.h"

/* A value lies in an interval that is closed to this share of it. */
static void expect_within(const cJSON *object, const char *key, double value, double share)
{
    double lower = number_at(object, key, 0), upper = number_at(object, key, 1);
    if (!(lower <= value * (1 + 1e-9) && upper >= value * (1 - 1e-9) && upper <= (1 + share) * lower))
        fail_msg("%s is %g to %g, not %g", key, lower, upper, value);
}

static void write_plate(const char *path, double thickness)
{
    box boxes[7] = {{"plate", {0, 0, 0}, {60, 40, thickness}}};
    for (int i = 0; i < 6; i++)
    {
        double x = 5 + 20 * (i % 3), y = 5 + 20 * (i / 3);
        boxes[1 + i] = (box){"bolts", {x, y, -10}, {x + 4, y + 4, 20}};
    }
    write_boxes(path, boxes, 7);
}

/* Each bolt has a contour on both sides of the plate, and is one place all the same. */
static void six_bolts_of_a_part_are_six_places(void **state)
{
    (void)state;
    write_plate("plate.obj", 3);
    cJSON *document = expect_json(RUN("clash", "plate.obj", "--json"), 1);
    expect_finding(document, 0, "bolts", "plate", "crosses");
    expect_within(finding(document, 0), "depth", 2, 0.011); /* from the middle of a bolt to its sides */
    const cJSON *locations = cJSON_GetObjectItem(finding(document, 0), "locations");
    assert_int_equal(cJSON_GetArraySize(locations), 6);
    for (int i = 0; i < 6; i++)
    {
        const cJSON *location = cJSON_GetArrayItem(locations, i);
        expect_within(location, "depth", 2, 0.02);
        assert_int_equal((int)json_number(location, "curves"), 2);
        double x = 5 + 20 * (i / 2), y = 5 + 20 * (i % 2);
        const double expected[6] = {x, y, 0, x + 4, y + 4, 3};
        for (int k = 0; k < 6; k++)
            assert_true(number_at(location, "box", k) == expected[k]);
        for (int k = 0; k < 3; k++)
            assert_true(number_at(location, "point", k) >= expected[k] &&
                        number_at(location, "point", k) <= expected[3 + k]);
    }
    cJSON_Delete(document);
    tool_result result = RUN("clash", "plate.obj");
    assert_non_null(strstr(result.out, ", 6 places"));
    tool_release(&result);
    result = RUN("clash", "plate.obj", "--quiet", "--junit", "plate.xml");
    assert_int_equal(result.code, 1);
    tool_release(&result);
    char text[8192];
    FILE *file = fopen("plate.xml", "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_non_null(strstr(text, ", 6 places"));
}

/* What is allowed decides what is told, not what is measured. */
static void places_do_not_depend_on_what_is_allowed(void **state)
{
    (void)state;
    write_plate("plate.obj", 3);
    cJSON *document = expect_json(RUN("clash", "plate.obj", "--json"), 1);
    cJSON *allowed = expect_json(RUN("clash", "plate.obj", "--allow-touch", "--json"), 1);
    char *one = cJSON_Print(cJSON_GetObjectItem(finding(document, 0), "locations"));
    char *other = cJSON_Print(cJSON_GetObjectItem(finding(allowed, 0), "locations"));
    assert_string_equal(one, other);
    cJSON_free(one);
    cJSON_free(other);
    cJSON_Delete(document);
    cJSON_Delete(allowed);
}

/* A magnet in a block: the middle of the block is in it, 5 from top and bottom; out it goes by 6. It comes before what
 * crosses deeper. */
static void parts_in_parts_have_depth_way_out_and_volume(void **state)
{
    (void)state;
    WRITE_BOXES("magnet.obj", {"block", {0, 0, 0}, {30, 30, 10}}, {"magnet", {10, 10, 4}, {14, 16, 8}},
                {"deep", {-50, -50, -90}, {100, 100, 9.5}});
    cJSON *document = expect_json(RUN("clash", "magnet.obj", "--a", "block", "--b", "*", "--json"), 1);
    expect_finding(document, 0, "block", "magnet", "contains");
    expect_within(finding(document, 0), "depth", 5, 0.011);
    expect_within(finding(document, 0), "way_out", 6, 1);
    assert_string_equal(json_string(finding(document, 0), "contains"), "b_in_a");
    const cJSON *volume = cJSON_GetObjectItem(finding(document, 0), "volume");
    assert_true(fabs(json_number(volume, "value") - 4 * 6 * 4) <= json_number(volume, "error") + 1e-9);
    assert_true(json_number(volume, "error") < 1);
    const cJSON *locations = cJSON_GetObjectItem(finding(document, 0), "locations");
    assert_int_equal(cJSON_GetArraySize(locations), 1);
    expect_finding(document, 1, "block", "deep", "crosses");
    assert_true(number_at(finding(document, 1), "depth", 0) >= 5);
    cJSON_Delete(document);
}

/* Turned cubes whose faces are rounded: what they share has hardly a volume, and the report says so. */
static void thin_overlaps_have_small_volumes(void **state)
{
    (void)state;
    FILE *file = fopen("thin.obj", "w");
    assert_non_null(file);
    const double c = cos(0.3), s = sin(0.3), d = cos(0.7), t = sin(0.7);
    for (int part = 0; part < 2; part++)
    {
        double lower[3] = {10.0 * part, part, part}, upper[3] = {10 + 10.0 * part, 10 - part, 10 - part};
        static const int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                        {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
        fprintf(file, "o part%d\n", part);
        for (int i = 0; i < 8; i++)
        {
            double x = i & 1 ? upper[0] : lower[0], y = i & 2 ? upper[1] : lower[1], z = i & 4 ? upper[2] : lower[2];
            double turned = s * x + c * y;
            fprintf(file, "v %.17g %.17g %.17g\n", c * x - s * y, d * turned - t * z, t * turned + d * z);
        }
        for (int i = 0; i < 6; i++)
            fprintf(file, "f %d %d %d %d\n", 1 + 8 * part + faces[i][0], 1 + 8 * part + faces[i][1],
                    1 + 8 * part + faces[i][2], 1 + 8 * part + faces[i][3]);
    }
    assert_int_equal(fclose(file), 0);
    cJSON *document = expect_json(RUN("clash", "thin.obj", "--resolution", "0", "--json"), 1);
    expect_finding(document, 0, "part0", "part1", "crosses");
    const cJSON *volume = cJSON_GetObjectItem(finding(document, 0), "volume");
    assert_true(json_number(volume, "value") <= 1e-9 && json_number(volume, "error") <= 1e-9);
    cJSON_Delete(document);
    document = expect_json(RUN("clash", "thin.obj", "--json"), 1);
    expect_finding(document, 0, "part0", "part1", "touches");
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(finding(document, 0), "volume")));
    cJSON_Delete(document);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* Nothing in a folder is left out without a word, and what could not be read is no pass. */
static void folders_name_what_they_leave_out(void **state)
{
    (void)state;
    static const char *const expected[] = {"STEP files are not read", "3MF files are not read", "leads nowhere"};
    assert_int_equal(mkdir("folder", 0777), 0);
    WRITE_BOXES("folder/one.obj", {"one", {0, 0, 0}, {1, 1, 1}});
    WRITE_BOXES("folder/two.obj", {"two", {5, 0, 0}, {6, 1, 1}});
    write_file("folder/housing.step", "ISO-10303-21;\n");
    write_file("folder/lid.3mf", "PK");
    assert_int_equal(symlink("gone.stl", "folder/link.stl"), 0);
    tool_result result = RUN("clash", "folder", "--json");
    assert_int_equal(result.code, 4);
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        assert_non_null(strstr(result.out, expected[i]));
    tool_release(&result);
    cJSON *document = expect_json(RUN("clash", "folder", "--json"), 4);
    assert_true(cJSON_IsFalse(cJSON_GetObjectItem(document, "complete")));
    assert_string_equal(json_string(document, "outcome"), "incomplete");
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(document, "problems")), 3);
    cJSON_Delete(document);
    unlink("folder/one.obj");
    unlink("folder/two.obj");
    unlink("folder/housing.step");
    unlink("folder/lid.3mf");
    unlink("folder/link.stl");
    rmdir("folder");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(six_bolts_of_a_part_are_six_places),
        cmocka_unit_test(places_do_not_depend_on_what_is_allowed),
        cmocka_unit_test(parts_in_parts_have_depth_way_out_and_volume),
        cmocka_unit_test(thin_overlaps_have_small_volumes),
        cmocka_unit_test(folders_name_what_they_leave_out),
    };
    return cmocka_run_group_tests(tests, enter_temporary_directory, leave_temporary_directory);
}
