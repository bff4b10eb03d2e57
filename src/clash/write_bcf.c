/* SPDX-License-Identifier: MIT */
/*
 * A report as a BCF 2.1 file (buildingSMART BIM Collaboration Format, XML schemas of release 2.1): a zip archive with
 * a folder per finding, in which markup.bcf is the topic, viewpoint.bcfv the camera and the parts, snapshot.png the
 * picture. The order of elements is that of the schemas. Coordinates are metres.
 */
#include <stdio.h>
#include <string.h>

#include "base/struct_size.h"
#include "clash/bcf_text.h"
#include "clash/store.h"
#include "clash/write.h"
#include "clash/xml.h"
#include "clash/zip.h"
#include "text/number.h"

/* A document in memory, whose size and checksum the archive must know before it is written. */
typedef struct text_buffer
{
    const graze_context *context;
    GRZ_ARRAY(char) bytes;
} text_buffer;

/* The file as it is written. */
typedef struct bcf_file
{
    const graze_clash_report *report;
    const graze_clash_bcf_options *options;
    grz_zip zip;
    text_buffer text;
    char date[GRZ_DATE_SIZE];
} bcf_file;

/* A finding with its identifiers. */
typedef struct bcf_topic
{
    const graze_clash_finding *finding;
    size_t index;
    grz_guid guid, viewpoint;
    bool has_snapshot;
} bcf_topic;

static const char declaration[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
static const char system_name[] = "graze";

static bool append(void *user, const char *bytes, size_t size)
{
    text_buffer *text = user;
    if (!GRZ_RESERVE(text->context, &text->bytes, text->bytes.count + size))
        return false;
    memcpy(text->bytes.data + text->bytes.count, bytes, size);
    text->bytes.count += size;
    return true;
}

static grz_sink start_document(bcf_file *file)
{
    file->text.bytes.count = 0;
    grz_sink out = {.write = append, .user = &file->text};
    grz_sink_text(&out, declaration);
    return out;
}

static graze_status add_document(bcf_file *file, const grz_sink *out, const char *name)
{
    if (out->failed)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    return grz_zip_add(&file->zip, name, file->text.bytes.data, file->text.bytes.count);
}

static void put_element(grz_sink *out, int depth, const char *name, const char *text)
{
    grz_sink_format(out, "%*s<%s>", 2 * depth, "", name);
    grz_xml_put(out, text);
    grz_sink_format(out, "</%s>\n", name);
}

/* The parts of a finding: two, one for a self-intersection, or all of a set. */
static size_t part_at(const graze_clash_finding *finding, size_t place)
{
    return finding->set != NULL ? finding->set[place] : place == 0 ? finding->a : finding->b;
}

static size_t part_count_of(const graze_clash_finding *finding)
{
    return finding->set != NULL ? finding->set_count : finding->a == finding->b ? 1 : 2;
}

static const char *name_of(const bcf_file *file, size_t part)
{
    return file->report->parts[part].name;
}

/* "housing crosses shaft", "housing contains pin" */
static void put_title(grz_sink *out, const bcf_file *file, const graze_clash_finding *f)
{
    bool swapped = f->verdict == GRAZE_CLASH_CONTAINS && f->a_in_b;
    grz_xml_put(out, name_of(file, swapped ? f->b : f->a));
    switch (f->verdict)
    {
    case GRAZE_CLASH_SELF:
        grz_sink_text(out, " crosses itself");
        return;
    case GRAZE_CLASH_TOO_CLOSE:
        grz_sink_text(out, " is too close to ");
        break;
    case GRAZE_CLASH_DUPLICATE:
        grz_sink_text(out, " is a duplicate of ");
        break;
    case GRAZE_CLASH_UNDECIDED:
        grz_sink_text(out, " and ");
        break;
    default:
        grz_sink_format(out, " %s ", graze_clash_verdict_name(f->verdict));
        break;
    }
    grz_xml_put(out, name_of(file, swapped ? f->a : f->b));
    grz_sink_text(out, f->verdict == GRAZE_CLASH_UNDECIDED ? ": undecided" : "");
    if (f->set != NULL && f->set_count > 2)
        grz_sink_format(out, " and %zu more", f->set_count - 2);
}

static void put_line(grz_sink *out, const char *key, const char *text)
{
    grz_sink_format(out, "%s: ", key);
    grz_xml_put(out, text);
    grz_sink_text(out, "&#10;");
}

static void put_numbers(grz_sink *out, const char *key, const double *numbers, size_t count)
{
    char text[GRZ_NUMBER_SIZE];
    grz_sink_format(out, "%s:", key);
    for (size_t i = 0; i < count; i++)
    {
        grz_real_print(numbers[i], text);
        grz_sink_format(out, "%s %s", i > 0 ? "," : "", text);
    }
    grz_sink_text(out, "&#10;");
}

/* What was measured, and how the verdict came about. */
static void put_measures(grz_sink *out, const graze_clash_finding *f)
{
    put_line(out, "Measure", graze_clash_finding_measure(f).text);
    if (f->has_depth)
    {
        put_numbers(out, "Depth, from and to", f->depth, 2);
        put_numbers(out, "Way out, from and to", f->way_out, 2);
    }
    if (f->has_gap)
        put_numbers(out, "Gap, from and to", f->gap, 2);
    if (f->details != NULL && f->details->has_volume)
        put_numbers(out, "Volume", &f->details->volume, 1);
    put_numbers(out, "Point", f->point, 3);
    if (f->details != NULL && f->details->location_count > 1)
        grz_sink_format(out, "Locations: %zu&#10;", f->details->location_count);
    if (f->within_resolution)
        put_line(out, "Within the resolution of the files; exactly it",
                 f->exact == GRAZE_CLASH_CLEAR ? "is apart" : graze_clash_verdict_name(f->exact));
    if (f->within_tessellation)
        grz_sink_text(out, "Within the sagittas of the facets&#10;");
    if (f->why != NULL)
        put_line(out, "Undecided", f->why);
}

static void put_description(grz_sink *out, const bcf_file *file, const graze_clash_finding *f)
{
    grz_sink_text(out, "    <Description>");
    put_line(out, "Verdict", graze_clash_verdict_name(f->verdict));
    put_measures(out, f);
    if (file->report->units != NULL)
        put_line(out, "Units", file->report->units);
    put_line(out, "Severity", graze_clash_severity_name(f->severity));
    put_line(out, "State", graze_clash_state_name(f->state));
    put_line(out, "Rule", f->rule != NULL ? f->rule : "default");
    if (f->reason != NULL)
        put_line(out, "Reason", f->reason);
    for (size_t i = 0; i < part_count_of(f); i++)
        put_line(out, "Part", name_of(file, part_at(f, i)));
    grz_sink_format(out, "Finding: %s</Description>\n", f->id);
}

/* The files of the parts, each once. */
static void put_header(grz_sink *out, const bcf_file *file, const graze_clash_finding *f)
{
    bool begun = false;
    for (size_t i = 0; i < part_count_of(f); i++)
    {
        const char *path = file->report->parts[part_at(f, i)].file;
        bool known = path == NULL;
        for (size_t k = 0; k < i && !known; k++)
        {
            const char *other = file->report->parts[part_at(f, k)].file;
            known = other != NULL && strcmp(other, path) == 0;
        }
        if (known || i >= 16) /* sets of duplicates may be large */
            continue;
        const char *slash = strrchr(path, '/');
        grz_sink_text(out, begun ? "" : "  <Header>\n");
        grz_sink_text(out, "    <File isExternal=\"true\">\n");
        put_element(out, 3, "Filename", slash != NULL ? slash + 1 : path);
        put_element(out, 3, "Reference", path);
        grz_sink_text(out, "    </File>\n");
        begun = true;
    }
    grz_sink_text(out, begun ? "  </Header>\n" : "");
}

/* The words of the specification's examples. What people decided counts, unless their approval has lapsed; an approval
 * that holds closes in any case. */
static const char *status_of(const graze_clash_finding *f)
{
    static const char *const words[][2] = {{"approved", "Closed"}, {"fixed", "Resolved"}, {"assigned", "Assigned"}};
    if (f->state == GRAZE_CLASH_APPROVED)
        return "Closed";
    size_t first = f->lapsed != NULL ? 1 : 0;
    for (size_t i = first; i < sizeof words / sizeof *words && f->review != NULL && f->review->state != NULL; i++)
        if (strcmp(f->review->state, words[i][0]) == 0)
            return words[i][1];
    return "Open";
}

static void put_topic(grz_sink *out, const bcf_file *file, const bcf_topic *topic)
{
    const graze_clash_finding *f = topic->finding;
    grz_sink_format(out, "  <Topic Guid=\"%s\" TopicType=\"Clash\" TopicStatus=\"%s\">\n    <Title>", topic->guid.text,
                    status_of(f));
    put_title(out, file, f);
    grz_sink_text(out, "</Title>\n");
    put_element(out, 2, "Priority", graze_clash_severity_name(f->severity));
    grz_sink_format(out, "    <Index>%zu</Index>\n", topic->index);
    put_element(out, 2, "Labels", graze_clash_verdict_name(f->verdict));
    put_element(out, 2, "Labels", graze_clash_state_name(f->state));
    put_element(out, 2, "CreationDate", file->date);
    put_element(out, 2, "CreationAuthor", system_name);
    if (f->review != NULL && f->review->assignee != NULL)
        put_element(out, 2, "AssignedTo", f->review->assignee);
    put_description(out, file, f);
    grz_sink_text(out, "  </Topic>\n");
}

/* A comment, if there is one; `kind` tells their identifiers apart. */
static void put_comment(grz_sink *out, const bcf_file *file, const bcf_topic *topic, const char *kind, const char *text)
{
    if (text == NULL)
        return;
    grz_sink_format(out, "  <Comment Guid=\"%s\">\n", grz_guid_of(kind, topic->finding->id).text);
    put_element(out, 2, "Date", file->date);
    put_element(out, 2, "Author", system_name);
    put_element(out, 2, "Comment", text);
    grz_sink_format(out, "    <Viewpoint Guid=\"%s\"/>\n  </Comment>\n", topic->viewpoint.text);
}

static graze_status add_markup(bcf_file *file, const bcf_topic *topic, const char *name)
{
    const graze_clash_finding *f = topic->finding;
    grz_sink out = start_document(file);
    grz_sink_text(&out, "<Markup>\n");
    put_header(&out, file, f);
    put_topic(&out, file, topic);
    put_comment(&out, file, topic, "comment", f->reason);
    put_comment(&out, file, topic, "review", f->review != NULL ? f->review->comment : NULL);
    grz_sink_format(&out, "  <Viewpoints Guid=\"%s\">\n", topic->viewpoint.text);
    put_element(&out, 2, "Viewpoint", "viewpoint.bcfv");
    if (topic->has_snapshot)
        put_element(&out, 2, "Snapshot", "snapshot.png");
    grz_sink_text(&out, "  </Viewpoints>\n</Markup>\n");
    return add_document(file, &out, name);
}

static double metres_per_unit(const char *units)
{
    static const struct
    {
        const char *name;
        double metres;
    } known[] = {{"mm", 0.001}, {"cm", 0.01}, {"m", 1}, {"in", 0.0254}, {"ft", 0.3048}};
    for (size_t i = 0; i < sizeof known / sizeof *known && units != NULL; i++)
        if (strcmp(known[i].name, units) == 0)
            return known[i].metres;
    return 1;
}

static void put_vector(grz_sink *out, const char *name, const double vector[3], double scale)
{
    static const char axes[] = "XYZ";
    char number[GRZ_NUMBER_SIZE];
    grz_sink_format(out, "    <%s>\n", name);
    for (int i = 0; i < 3; i++)
    {
        grz_real_print(scale * vector[i], number);
        grz_sink_format(out, "      <%c>%s</%c>\n", axes[i], number, axes[i]);
    }
    grz_sink_format(out, "    </%s>\n", name);
}

/* A part has no IFC identifier; its name stands for it. */
static void put_component(grz_sink *out, const bcf_file *file, size_t part, int depth)
{
    grz_sink_format(out, "%*s<Component>\n", 2 * depth, "");
    put_element(out, depth + 1, "OriginatingSystem", system_name);
    put_element(out, depth + 1, "AuthoringToolId", name_of(file, part));
    grz_sink_format(out, "%*s</Component>\n", 2 * depth, "");
}

/* Both parts are selected, and have the colours of the report page. */
static void put_components(grz_sink *out, const bcf_file *file, const graze_clash_finding *f)
{
    static const char *const colors[] = {"EF8E25", "3C8BEA"};
    grz_sink_text(out, "  <Components>\n    <Selection>\n");
    for (size_t i = 0; i < part_count_of(f); i++)
        put_component(out, file, part_at(f, i), 3);
    grz_sink_text(out, "    </Selection>\n    <Visibility DefaultVisibility=\"true\"/>\n    <Coloring>\n");
    for (size_t i = 0; i < part_count_of(f) && i < 2; i++)
    {
        grz_sink_format(out, "      <Color Color=\"%s\">\n", colors[i]);
        put_component(out, file, part_at(f, i), 4);
        grz_sink_text(out, "      </Color>\n");
    }
    grz_sink_text(out, "    </Coloring>\n  </Components>\n");
}

/* A finding too large for a camera has a viewpoint without one, which the schema allows. */
static graze_status add_viewpoint(bcf_file *file, const bcf_topic *topic, const char *name)
{
    graze_clash_camera camera;
    graze_status status = graze_clash_finding_camera(file->report, topic->finding, file->options->y_up, &camera);
    if (status != GRAZE_STATUS_OK && status != GRAZE_STATUS_NOT_FINITE)
        return status;
    grz_sink out = start_document(file);
    grz_sink_format(&out, "<VisualizationInfo Guid=\"%s\">\n", topic->viewpoint.text);
    put_components(&out, file, topic->finding);
    if (status == GRAZE_STATUS_OK)
    {
        grz_sink_text(&out, "  <PerspectiveCamera>\n");
        put_vector(&out, "CameraViewPoint", camera.position, metres_per_unit(file->report->units));
        put_vector(&out, "CameraDirection", camera.direction, 1);
        put_vector(&out, "CameraUpVector", camera.up, 1);
        grz_sink_format(&out, "    <FieldOfView>%g</FieldOfView>\n  </PerspectiveCamera>\n", camera.field_of_view);
    }
    grz_sink_text(&out, "</VisualizationInfo>\n");
    return add_document(file, &out, name);
}

static graze_status add_topic(bcf_file *file, size_t index)
{
    const graze_clash_finding *f = &file->report->findings[index];
    const graze_clash_bcf_options *options = file->options;
    bcf_topic topic = {.finding = f,
                       .index = index,
                       .guid = grz_guid_of("topic", f->id),
                       .viewpoint = grz_guid_of("viewpoint", f->id)};
    char name[GRZ_ZIP_NAME_SIZE];
    const void *png = NULL;
    size_t size = 0;
    graze_status status = GRAZE_STATUS_OK;
    if (options->snapshot != NULL)
        status = options->snapshot(options->snapshot_user, index, &png, &size);
    topic.has_snapshot = png != NULL && size > 0;
    snprintf(name, sizeof name, "%s/markup.bcf", topic.guid.text);
    if (status == GRAZE_STATUS_OK)
        status = add_markup(file, &topic, name);
    snprintf(name, sizeof name, "%s/viewpoint.bcfv", topic.guid.text);
    if (status == GRAZE_STATUS_OK)
        status = add_viewpoint(file, &topic, name);
    snprintf(name, sizeof name, "%s/snapshot.png", topic.guid.text);
    if (status == GRAZE_STATUS_OK && topic.has_snapshot)
        status = grz_zip_add(&file->zip, name, png, size);
    return status;
}

static graze_status write_file(bcf_file *file)
{
    grz_sink out = start_document(file);
    grz_sink_text(&out, "<Version VersionId=\"2.1\">\n  <DetailedVersion>2.1</DetailedVersion>\n</Version>\n");
    graze_status status = add_document(file, &out, "bcf.version");
    for (size_t i = 0; i < file->report->finding_count && status == GRAZE_STATUS_OK && !file->zip.out->failed; i++)
        status = add_topic(file, i);
    return status == GRAZE_STATUS_OK ? grz_zip_end(&file->zip) : status;
}

graze_status graze_clash_write_bcf(const graze_clash_report *report, const graze_clash_bcf_options *options,
                                   graze_clash_write_function write, void *user)
{
    char buffer[GRZ_SINK_BUFFER];
    GRZ_FULL_STRUCT(graze_clash_bcf_options, options);
    if (report == NULL || write == NULL || !options_fits)
        return GRAZE_STATUS_BAD_ARGUMENT;
    const graze_clash_bcf_options plain = graze_clash_bcf_options_default();
    bcf_file file = {.report = report, .options = options != NULL ? options : &plain};
    size_t files = file.options->snapshot != NULL ? 3 : 2; /* of a finding */
    if (report->finding_count > (GRZ_ZIP_MOST_ENTRIES - 1) / files)
        return GRAZE_STATUS_TOO_LARGE;
    grz_sink sink = grz_sink_buffered(write, user, buffer);
    const graze_context *context = grz_clash_context(report);
    grz_date_time time = grz_date_time_of(file.options->date);
    grz_date_print(&time, file.date);
    file.text.context = context;
    file.zip = (grz_zip){.context = context, .out = &sink, .time = time};
    graze_status status = write_file(&file);
    if (!grz_sink_flush(&sink))
        status = GRAZE_STATUS_CANCELLED;
    grz_zip_release(&file.zip);
    grz_release(context, file.text.bytes.data);
    return status;
}
