/* SPDX-License-Identifier: MIT */
/* BCF files: a zip archive of well-formed XML with a topic per finding, the same bytes every time. */
#include "graze/clash.h"

#include <stdio.h>
#include <string.h>

#include "support/unit.h"

#include "clash_meshes.h"
#include "clash_sample.h"
#include "written.h"
#include "zip_reader.h"

enum
{
    MOST = 64
};

typedef struct bcf_content
{
    written_text all;
    zip_entry entries[MOST];
    size_t count;
} bcf_content;

static bcf_content written_bcf(const graze_clash_report *report, const graze_clash_bcf_options *options)
{
    bcf_content content = {.count = 0};
    assert_int_equal(graze_clash_write_bcf(report, options, append_bytes, &content.all), GRAZE_STATUS_OK);
    content.count = zip_read(content.all.text, content.all.size, content.entries, MOST);
    for (size_t i = 0; i < content.count; i++)
        if (strstr(content.entries[i].name, ".png") == NULL)
            expect_well_formed(content.entries[i].bytes, content.entries[i].size);
    return content;
}

/* Whether an entry holds a text, which has no zero bytes. */
static bool holds(const zip_entry *entry, const char *text)
{
    size_t size = strlen(text);
    for (size_t i = 0; i + size <= entry->size; i++)
        if (memcmp(entry->bytes + i, text, size) == 0)
            return true;
    return false;
}

static size_t place_of(const zip_entry *entry, const char *text)
{
    size_t size = strlen(text);
    for (size_t i = 0; i + size <= entry->size; i++)
        if (memcmp(entry->bytes + i, text, size) == 0)
            return i;
    fail_msg("no %s in %s", text, entry->name);
    return 0;
}

/* The elements come in the order of the schema. */
static void expect_order(const zip_entry *entry, const char *const *elements, size_t count)
{
    for (size_t i = 1; i < count; i++)
        assert_true(place_of(entry, elements[i - 1]) < place_of(entry, elements[i]));
}

static void every_verdict_becomes_a_topic(void **state)
{
    (void)state;
    static const char *const titles[SAMPLE_FINDINGS] = {
        "<Title>housing contains pin 1</Title>",
        "<Title>housing crosses shaft</Title>",
        "<Title>pin 1 is a duplicate of pin 2 and 1 more</Title>",
        "<Title>pin 1 is too close to shaft</Title>",
        "<Title>housing touches lid</Title>",
        "<Title>lid crosses itself</Title>",
    };
    sample_report sample = sample_create();
    bcf_content content = written_bcf(&sample.report, NULL);
    assert_int_equal(content.count, 1 + 2 * SAMPLE_FINDINGS);
    assert_string_equal(content.entries[0].name, "bcf.version");
    assert_true(holds(&content.entries[0], "<Version VersionId=\"2.1\">"));
    assert_true(holds(&content.entries[0], "<DetailedVersion>2.1</DetailedVersion>"));
    for (size_t i = 0; i < SAMPLE_FINDINGS; i++)
    {
        const zip_entry *markup = &content.entries[1 + 2 * i];
        char text[128];
        assert_true(holds(markup, titles[i]));
        snprintf(text, sizeof text, "<Index>%zu</Index>", i);
        assert_true(holds(markup, text));
        snprintf(text, sizeof text, "<Topic Guid=\"%.36s\" TopicType=\"Clash\"", markup->name);
        assert_true(holds(markup, text));
        assert_string_equal(markup->name + 36, "/markup.bcf");
        assert_string_equal(content.entries[2 + 2 * i].name + 36, "/viewpoint.bcfv");
        assert_memory_equal(content.entries[2 + 2 * i].name, markup->name, 36);
        snprintf(text, sizeof text, "Finding: %s", sample.findings[i].id);
        assert_true(holds(markup, text));
        assert_false(holds(markup, "Snapshot"));
        assert_true(holds(markup, "<Labels>"));
    }
    free(content.all.text);
    sample_release(&sample);
}

static void topics_have_state_priority_reason_and_date(void **state)
{
    (void)state;
    static const char *const order[] = {
        "<Header>",       "<Topic ",          "<Title>",         "<Priority>",   "<Index>",    "<Labels>",
        "<CreationDate>", "<CreationAuthor>", "<Description>",   "</Topic>",     "<Comment ",  "<Date>",
        "<Author>",       "<Comment>",        "<Viewpoint Guid", "<Viewpoints ", "<Viewpoint>"};
    sample_report sample = sample_create();
    graze_clash_bcf_options options = graze_clash_bcf_options_default();
    options.date = 1700000000;
    bcf_content content = written_bcf(&sample.report, &options);
    const zip_entry *open = &content.entries[1], *closed = &content.entries[9];
    assert_true(holds(open, "TopicStatus=\"Open\"") && holds(closed, "TopicStatus=\"Closed\""));
    assert_true(holds(open, "<Priority>critical</Priority>") && holds(closed, "<Priority>minor</Priority>"));
    assert_true(holds(closed, "<Comment>it is bolted</Comment>") && !holds(open, "<Comment"));
    assert_true(holds(open, "<CreationDate>2023-11-14T22:13:20Z</CreationDate>"));
    assert_true(holds(open, "<CreationAuthor>graze</CreationAuthor>"));
    assert_true(holds(open, "<Filename>housing.obj</Filename>"));
    assert_true(holds(&content.entries[7], "Rule: rules: limits[1]&#10;"));
    expect_order(closed, order, sizeof order / sizeof *order);
    free(content.all.text);
    sample_release(&sample);
}

static void reviews_set_status_assignee_and_comment(void **state)
{
    (void)state;
    static const char *const states[][2] = {
        {"open", "Open"}, {"assigned", "Assigned"}, {"fixed", "Resolved"}, {"approved", "Closed"}};
    for (int i = 0; i < 4; i++)
    {
        const graze_clash_review review = {states[i][0], i == 1 ? "ann <a@b>" : NULL, i == 2 ? "moved & gone" : NULL};
        sample_report sample = sample_create();
        sample.findings[1].review = sample.findings[4].review = &review;
        bcf_content content = written_bcf(&sample.report, NULL);
        const zip_entry *markup = &content.entries[3];
        char text[64];
        snprintf(text, sizeof text, "TopicStatus=\"%s\"", states[i][1]);
        assert_true(holds(markup, text));
        assert_int_equal(holds(markup, "<AssignedTo>ann &#60;a@b&#62;</AssignedTo>"), i == 1);
        assert_int_equal(holds(markup, "<Comment>moved &#38; gone</Comment>"), i == 2);
        assert_true(holds(&content.entries[9], "TopicStatus=\"Closed\"")); /* the rules approve it */
        assert_true(holds(&content.entries[9], "<Comment>it is bolted</Comment>"));
        free(content.all.text);
        sample_release(&sample);
    }
}

/* Two boxes that cross by half their size. */
static graze_clash_report *crossing_boxes(graze_mesh *meshes[2], const char *units)
{
    meshes[0] = box_between(0, 0, 0, 1000, 1000, 1000);
    meshes[1] = box_between(500, 0, 0, 1500, 1000, 1000);
    const graze_clash_part parts[2] = {part_of("a & <b>\x01\xff\n", meshes[0]), part_of("\xc3\xa9", meshes[1])};
    graze_clash_options options = graze_clash_options_default();
    graze_clash_report *report = NULL;
    options.regions = true;
    options.units = units;
    assert_int_equal(graze_clash_find(NULL, parts, 2, &options, NULL, &report), GRAZE_STATUS_OK);
    assert_int_equal(report->finding_count, 1);
    return report;
}

static double number_in(const zip_entry *entry, const char *element, const char *axis)
{
    size_t at = place_of(entry, element);
    const zip_entry rest = {.bytes = entry->bytes + at, .size = entry->size - at};
    return strtod(rest.bytes + place_of(&rest, axis) + strlen(axis), NULL);
}

static void viewpoints_select_both_parts_and_have_a_camera_in_metres(void **state)
{
    (void)state;
    static const char *const units[] = {"mm", "cm", "m", "in", "ft", NULL};
    static const double metres[] = {0.001, 0.01, 1, 0.0254, 0.3048, 1};
    static const char *const order[] = {
        "<VisualizationInfo Guid", "<Components>",      "<Selection>",       "<Visibility ",     "<Coloring>",
        "<PerspectiveCamera>",     "<CameraViewPoint>", "<CameraDirection>", "<CameraUpVector>", "<FieldOfView>45<"};
    for (int i = 0; i < 6; i++)
    {
        graze_mesh *meshes[2];
        graze_clash_camera camera;
        graze_clash_report *report = crossing_boxes(meshes, units[i]);
        bcf_content content = written_bcf(report, NULL);
        const zip_entry *view = &content.entries[2];
        assert_int_equal(content.count, 3);
        expect_order(view, order, sizeof order / sizeof *order);
        assert_true(holds(view, "<AuthoringToolId>a &#38; &#60;b&#62;\xef\xbf\xbd&#10;</AuthoringToolId>"));
        assert_true(holds(view, "<AuthoringToolId>\xc3\xa9</AuthoringToolId>"));
        assert_int_equal(graze_clash_finding_camera(report, report->findings, false, &camera), GRAZE_STATUS_OK);
        assert_true(number_in(view, "<CameraViewPoint>", "<X>") == metres[i] * camera.position[0]);
        assert_true(number_in(view, "<CameraViewPoint>", "<Z>") == metres[i] * camera.position[2]);
        assert_true(number_in(view, "<CameraDirection>", "<Y>") == camera.direction[1]);
        assert_true(number_in(view, "<CameraUpVector>", "<Z>") == camera.up[2]);
        free(content.all.text);
        graze_clash_report_destroy(report);
        graze_mesh_destroy(meshes[0]);
        graze_mesh_destroy(meshes[1]);
    }
}

/* Pictures of odd findings; a status for one of them. */
typedef struct fake_pictures
{
    char bytes[16];
    size_t asked, fails_at;
} fake_pictures;

static graze_status fake_picture(void *user, size_t finding, const void **out_png, size_t *out_size)
{
    fake_pictures *pictures = user;
    assert_int_equal(finding, pictures->asked++);
    if (finding == pictures->fails_at)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    memset(pictures->bytes, (int)finding, sizeof pictures->bytes);
    *out_png = pictures->bytes;
    *out_size = finding % 2 == 1 ? sizeof pictures->bytes : 0;
    return GRAZE_STATUS_OK;
}

static void pictures_come_from_the_caller(void **state)
{
    (void)state;
    sample_report sample = sample_create();
    fake_pictures pictures = {.fails_at = SIZE_MAX};
    graze_clash_bcf_options options = graze_clash_bcf_options_default();
    options.snapshot = fake_picture;
    options.snapshot_user = &pictures;
    bcf_content content = written_bcf(&sample.report, &options);
    assert_int_equal(content.count, 1 + 2 * SAMPLE_FINDINGS + SAMPLE_FINDINGS / 2);
    assert_int_equal(pictures.asked, SAMPLE_FINDINGS);
    assert_false(holds(&content.entries[1], "Snapshot"));
    assert_true(holds(&content.entries[3], "<Snapshot>snapshot.png</Snapshot>"));
    assert_string_equal(content.entries[5].name + 36, "/snapshot.png");
    assert_int_equal(content.entries[5].size, 16);
    assert_int_equal(content.entries[5].bytes[7], 1);
    free(content.all.text);
    pictures = (fake_pictures){.fails_at = 2};
    written_text part = {NULL, 0};
    assert_int_equal(graze_clash_write_bcf(&sample.report, &options, append_bytes, &part), GRAZE_STATUS_OUT_OF_MEMORY);
    free(part.text);
    sample_release(&sample);
}

static void the_same_report_gives_the_same_bytes_and_identifiers(void **state)
{
    (void)state;
    sample_report one = sample_create(), other = sample_create();
    graze_clash_bcf_options later = graze_clash_bcf_options_default();
    later.date = 86400;
    bcf_content first = written_bcf(&one.report, NULL), second = written_bcf(&other.report, NULL);
    bcf_content third = written_bcf(&other.report, &later);
    assert_int_equal(first.all.size, second.all.size);
    assert_memory_equal(first.all.text, second.all.text, first.all.size);
    for (size_t i = 0; i < first.count; i++)
        assert_string_equal(first.entries[i].name, third.entries[i].name);
    assert_false(holds(&first.entries[1], "1970-01-02T00:00:00Z"));
    assert_true(holds(&third.entries[1], "1970-01-02T00:00:00Z"));
    free(first.all.text);
    free(second.all.text);
    free(third.all.text);
    sample_release(&one);
    sample_release(&other);
}

static bool refuse(void *user, const char *bytes, size_t size)
{
    (void)user;
    (void)bytes;
    (void)size;
    return false;
}

static void what_cannot_be_written_is_refused(void **state)
{
    (void)state;
    sample_report sample = sample_create();
    graze_clash_bcf_options options = graze_clash_bcf_options_default();
    written_text none = {NULL, 0};
    assert_int_equal(graze_clash_write_bcf(&sample.report, NULL, refuse, NULL), GRAZE_STATUS_CANCELLED);
    sample.report.finding_count = 32768; /* none of them is looked at */
    assert_int_equal(graze_clash_write_bcf(&sample.report, NULL, append_bytes, &none), GRAZE_STATUS_TOO_LARGE);
    sample.report.finding_count = 21845;
    options.snapshot = fake_picture;
    assert_int_equal(graze_clash_write_bcf(&sample.report, &options, append_bytes, &none), GRAZE_STATUS_TOO_LARGE);
    assert_null(none.text);
    options.struct_size = 0;
    sample.report.finding_count = SAMPLE_FINDINGS;
    assert_int_equal(graze_clash_write_bcf(&sample.report, &options, append_bytes, &none), GRAZE_STATUS_BAD_ARGUMENT);
    sample_release(&sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_verdict_becomes_a_topic),
        cmocka_unit_test(topics_have_state_priority_reason_and_date),
        cmocka_unit_test(reviews_set_status_assignee_and_comment),
        cmocka_unit_test(viewpoints_select_both_parts_and_have_a_camera_in_metres),
        cmocka_unit_test(pictures_come_from_the_caller),
        cmocka_unit_test(the_same_report_gives_the_same_bytes_and_identifiers),
        cmocka_unit_test(what_cannot_be_written_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
