/* SPDX-License-Identifier: MIT */
/* graze clash --bcf and --pictures: files as promised, the same bytes twice and for any number of threads, refusals. */
#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>
#include <utime.h>

#include "clash_boxes.h"

#include "../../clash/zip_reader.h"
#include "../picture/png_reader.h"

enum
{
    MOST = 64
};

/* A crossing, a touch, a containment, a gap and duplicates. */
static void write_assembly(const char *path)
{
    WRITE_BOXES(path, {"a", {0, 0, 0}, {4, 4, 4}}, {"b", {1, 1, 1}, {2, 2, 2}}, {"c", {4, 0, 0}, {6, 4, 4}},
                {"d", {6.5, 0, 0}, {8, 4, 4}}, {"e", {7, 1, 1}, {9, 2, 2}}, {"x", {20, 0, 0}, {21, 1, 1}},
                {"y", {20, 0, 0}, {21, 1, 1}});
}

/* Runs, and checks that standard error says what was written. */
static void expect_written(tool_result result, const char *note)
{
    if (result.code != 1 || strstr(result.err, note) == NULL)
        fail_msg("exit code %d: %s", result.code, result.err);
    tool_release(&result);
}

static char *bytes_of(const char *path, size_t *out_size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *out_size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*out_size + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *out_size, file), *out_size);
    bytes[*out_size] = '\0';
    assert_int_equal(fclose(file), 0);
    return bytes;
}

static void expect_same_files(const char *one, const char *other)
{
    size_t sizes[2];
    char *bytes[2] = {bytes_of(one, &sizes[0]), bytes_of(other, &sizes[1])};
    assert_int_equal(sizes[0], sizes[1]);
    assert_memory_equal(bytes[0], bytes[1], sizes[0]);
    free(bytes[0]);
    free(bytes[1]);
}

/* Removes a folder of files. */
static void remove_folder(const char *folder)
{
    DIR *entries = opendir(folder);
    assert_non_null(entries);
    for (const struct dirent *entry; (entry = readdir(entries)) != NULL;)
    {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.')
            assert_int_equal(unlink(path), 0);
    }
    closedir(entries);
    assert_int_equal(rmdir(folder), 0);
}

static void a_bcf_file_has_topics_viewpoints_and_pictures(void **state)
{
    (void)state;
    zip_entry entries[MOST];
    size_t size;
    write_assembly("all.obj");
    assert_int_equal(setenv("SOURCE_DATE_EPOCH", "1700000000", 1), 0);
    expect_written(RUN("clash", "all.obj", "--clearance", "1", "--units", "mm", "--bcf", "one.bcf"),
                   "one.bcf: 5 topics written");
    char *bytes = bytes_of("one.bcf", &size);
    assert_int_equal(zip_read(bytes, size, entries, MOST), 1 + 3 * 5);
    for (size_t i = 0; i < 16; i++)
    {
        bool is_picture = strstr(entries[i].name, "/snapshot.png") != NULL;
        assert_int_equal(is_picture, i > 0 && i % 3 == 0);
        if (!is_picture)
        {
            expect_well_formed(entries[i].bytes, entries[i].size);
            continue;
        }
        png_pixels picture = png_read((const unsigned char *)entries[i].bytes, entries[i].size);
        assert_true(picture.width == 640 && picture.height == 480);
        free(picture.pixels);
    }
    assert_non_null(strstr(entries[1].bytes, "<CreationDate>2023-11-14T22:13:20Z</CreationDate>"));
    assert_int_equal(unsetenv("SOURCE_DATE_EPOCH"), 0);
    free(bytes);
}

static void bytes_repeat_for_any_number_of_threads(void **state)
{
    (void)state;
    write_assembly("all.obj");
    expect_written(RUN("clash", "all.obj", "--clearance", "1", "--bcf", "one.bcf"), "one.bcf: ");
    expect_written(RUN("clash", "all.obj", "--clearance", "1", "--bcf", "two.bcf", "--threads", "2"), "two.bcf: ");
    expect_same_files("one.bcf", "two.bcf");
    expect_written(RUN("clash", "all.obj", "--clearance", "1", "--pictures", "p1"), "p1: 5 pictures written");
    expect_written(RUN("clash", "all.obj", "--clearance", "1", "--pictures", "p2", "--threads", "3"), "p2: 5 pictures");
    cJSON *document = expect_json(RUN("clash", "all.obj", "--clearance", "1", "--json"), 1);
    for (int i = 0; i < 5; i++)
    {
        char paths[2][64];
        for (int k = 0; k < 2; k++)
            snprintf(paths[k], sizeof paths[k], "p%d/%03d-%s.png", k + 1, i + 1,
                     json_string(finding(document, i), "id"));
        expect_same_files(paths[0], paths[1]);
    }
    cJSON_Delete(document);
    remove_folder("p1");
    remove_folder("p2");
}

/* Without SOURCE_DATE_EPOCH the newest input counts. */
static void the_date_is_that_of_the_newest_input(void **state)
{
    (void)state;
    size_t size;
    write_assembly("all.obj");
    write_box_obj("other.obj", 0.5);
    const struct utimbuf older = {0, 86400}, newer = {1700000000, 1700000000};
    assert_true(utime("all.obj", &newer) == 0 && utime("other.obj", &older) == 0);
    expect_written(RUN("clash", "all.obj", "other.obj", "--bcf", "one.bcf"), "one.bcf: ");
    char *bytes = bytes_of("one.bcf", &size);
    zip_entry entries[MOST];
    zip_read(bytes, size, entries, MOST);
    char *end = strstr(entries[1].bytes, "</CreationDate>");
    assert_non_null(end);
    assert_memory_equal(end - 20, "2023-11-14T22:13:20Z", 20);
    free(bytes);
}

static void what_cannot_be_written_is_said(void **state)
{
    (void)state;
    write_assembly("all.obj");
    write_text("file", "no folder");
    tool_expect_refusal(RUN("clash", "all.obj", "--bcf", "nowhere/one.bcf"), 3, "nowhere/one.bcf cannot be written");
    tool_expect_refusal(RUN("clash", "all.obj", "--pictures", "nowhere/pictures"), 3, "No such file");
    tool_expect_refusal(RUN("clash", "all.obj", "--pictures", "file"), 3, "file: no folder");
    assert_int_equal(setenv("SOURCE_DATE_EPOCH", "yesterday", 1), 0);
    tool_expect_refusal(RUN("clash", "all.obj", "--bcf", "one.bcf"), 2, "SOURCE_DATE_EPOCH is 'yesterday'");
    assert_int_equal(setenv("SOURCE_DATE_EPOCH", "999999999999", 1), 0);
    tool_expect_refusal(RUN("clash", "all.obj", "--bcf", "one.bcf"), 2, "SOURCE_DATE_EPOCH");
    assert_int_equal(unsetenv("SOURCE_DATE_EPOCH"), 0);
}

/* Parts too large for a camera: topics without pictures, which is said. */
static void parts_too_large_for_a_picture_are_counted(void **state)
{
    (void)state;
    zip_entry entries[MOST];
    size_t size;
    WRITE_BOXES("huge.obj", {"a", {0, 0, 0}, {4e300, 4e300, 4e300}},
                {"b", {1e300, 1e300, 1e300}, {6e300, 6e300, 6e300}});
    expect_written(RUN("clash", "huge.obj", "--bcf", "huge.bcf"), "1 finding too large for a picture");
    char *bytes = bytes_of("huge.bcf", &size);
    assert_int_equal(zip_read(bytes, size, entries, MOST), 3);
    assert_null(strstr(entries[2].bytes, "PerspectiveCamera"));
    expect_written(RUN("clash", "huge.obj", "--pictures", "huge"), "huge: 0 pictures written");
    remove_folder("huge");
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bcf_file_has_topics_viewpoints_and_pictures),
        cmocka_unit_test(bytes_repeat_for_any_number_of_threads),
        cmocka_unit_test(the_date_is_that_of_the_newest_input),
        cmocka_unit_test(what_cannot_be_written_is_said),
        cmocka_unit_test(parts_too_large_for_a_picture_are_counted),
    };
    return cmocka_run_group_tests(tests, enter_temporary_directory, leave_temporary_directory);
}
