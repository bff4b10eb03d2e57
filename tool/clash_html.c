/* SPDX-License-Identifier: MIT */
/*
 * graze clash as a page to look at: the viewer, followed by the report as JSON and the meshes as blocks
 * (viewer/README.md). Parts in findings carry their mesh; others do as long as the page stays small, and are boxes
 * otherwise. Nothing in it depends on clocks or threads.
 */
#include <stdlib.h>
#include <string.h>

#include "blocks.h"
#include "clash_output.h"
#include "graze/region.h"
#include "page.h"

enum
{
    MOST_OTHERS = 1000000,    /* triangles of parts without findings */
    MOST_CURVE_POINTS = 20000 /* of one finding */
};

/* Which meshes are in the page, in the order of their numbers. */
typedef struct page_meshes
{
    const graze_mesh **meshes;
    bool *closed;
    size_t count;
    size_t *of_part; /* number + 1; 0: a box only */
} page_meshes;

static void mark_findings(const clash_report *report, bool *found)
{
    for (size_t i = 0; i < report->finding_count; i++)
    {
        const clash_finding *f = &report->findings[i];
        found[f->a] = found[f->b] = true;
        for (size_t k = 0; k < f->set_count; k++)
            found[f->set[k]] = true;
    }
}

static void give_mesh(page_meshes *meshes, const clash_part *part, size_t index)
{
    size_t number = 0;
    while (number < meshes->count && meshes->meshes[number] != part->placed.mesh)
        number++;
    if (number == meshes->count)
    {
        meshes->meshes[number] = part->placed.mesh;
        meshes->closed[number] = part->closed;
        meshes->count++;
    }
    meshes->of_part[index] = number + 1;
}

static bool choose_meshes(const clash_report *report, page_meshes *out)
{
    size_t count = report->part_count, others = 0;
    bool *found = calloc(count + 1, sizeof *found);
    *out = (page_meshes){.meshes = calloc(count + 1, sizeof(graze_mesh *)),
                         .closed = calloc(count + 1, sizeof(bool)),
                         .of_part = calloc(count + 1, sizeof(size_t))};
    bool done = found != NULL && out->meshes != NULL && out->closed != NULL && out->of_part != NULL;
    if (done)
        mark_findings(report, found);
    for (size_t i = 0; i < count && done; i++)
    {
        if (!found[i])
            others += report->parts[i].triangle_count;
        if (found[i] || others <= MOST_OTHERS)
            give_mesh(out, &report->parts[i], i);
    }
    free(found);
    return done;
}

static void release_meshes(page_meshes *meshes)
{
    free(meshes->meshes);
    free(meshes->closed);
    free(meshes->of_part);
}

static void write_count(json_writer *json, const char *key, uint64_t count)
{
    json_key(json, key);
    json_count(json, count);
}

static void write_text(json_writer *json, const char *key, const char *text)
{
    json_key(json, key);
    if (text == NULL)
        json_null(json);
    else
        json_text(json, text);
}

static void write_counts(json_writer *json, const clash_counts *counts)
{
    json_key(json, "counts");
    json_open(json, JSON_OBJECT);
    write_count(json, "parts", counts->parts);
    write_count(json, "parts_free", counts->parts_free);
    write_count(json, "triangles", counts->triangles);
    write_count(json, "pairs_possible", counts->pairs_possible);
    write_count(json, "pairs_culled", counts->pairs_culled);
    write_count(json, "pairs_tested", counts->pairs_tested);
    write_count(json, "pairs_ignored", counts->pairs_ignored);
    write_count(json, "pairs_undecided", counts->pairs_undecided);
    write_count(json, "findings", counts->findings);
    json_close(json);
}

static void write_rules(json_writer *json, const clash_report *report)
{
    json_key(json, "rules");
    json_open(json, JSON_OBJECT);
    write_text(json, "path", report->rules_path);
    json_key(json, "ignored");
    json_open(json, JSON_ARRAY);
    for (size_t i = 0; i < report->ignored_count; i++)
    {
        json_open(json, JSON_OBJECT);
        write_text(json, "rule", report->ignored[i].rule);
        write_text(json, "reason", report->ignored[i].reason);
        write_count(json, "pairs", report->ignored[i].count);
        json_close(json);
    }
    json_close(json);
    json_close(json);
}

static void write_header(json_writer *json, const clash_report *report)
{
    char tool[64];
    snprintf(tool, sizeof tool, "graze %s", graze_version());
    json_key(json, "header");
    json_open(json, JSON_OBJECT);
    write_text(json, "tool", tool);
    write_text(json, "units", report->units);
    json_key(json, "incomplete");
    json_bool(json, !report->complete);
    json_key(json, "inputs");
    json_open(json, JSON_ARRAY);
    for (size_t i = 0; i < report->input_count; i++)
    {
        json_open(json, JSON_OBJECT);
        write_text(json, "path", report->inputs[i].path);
        json_close(json);
    }
    json_close(json);
    json_key(json, "tolerances");
    json_open(json, JSON_OBJECT);
    json_key(json, "clearance");
    json_real(json, report->clearance);
    json_key(json, "allow touch");
    json_bool(json, report->allow_touch);
    json_key(json, "max depth");
    json_real(json, report->max_depth);
    json_close(json);
    write_rules(json, report);
    write_counts(json, &report->counts);
    json_close(json);
}

/* The names between slashes. */
static void write_path(json_writer *json, const char *name)
{
    size_t size = strlen(name) + 1;
    char *copy = malloc(size);
    if (copy == NULL)
        return;
    memcpy(copy, name, size);
    json_key(json, "path");
    json_open(json, JSON_ARRAY);
    for (char *at = copy, *slash; at != NULL; at = slash)
    {
        slash = strchr(at, '/');
        if (slash != NULL)
            *slash++ = '\0';
        if (*at != '\0' || slash == NULL)
            json_text(json, *at != '\0' ? at : name);
    }
    json_close(json);
    free(copy);
}

static void write_parts(json_writer *json, const clash_report *report, const page_meshes *meshes)
{
    json_key(json, "parts");
    json_open(json, JSON_ARRAY_LINES);
    for (size_t i = 0; i < report->part_count; i++)
    {
        const clash_part *part = &report->parts[i];
        double box[6];
        memcpy(box, part->lower, sizeof part->lower);
        memcpy(box + 3, part->upper, sizeof part->upper);
        json_open(json, JSON_OBJECT);
        write_text(json, "name", part->name);
        write_path(json, part->name);
        write_count(json, "triangles", part->triangle_count);
        json_key(json, "box");
        json_reals(json, box, 6);
        json_key(json, "closed");
        json_bool(json, part->closed);
        json_key(json, "transform");
        json_reals(json, part->placed.pose.m, 12);
        if (meshes->of_part[i] != 0)
            write_count(json, "geometry", meshes->of_part[i] - 1);
        json_close(json);
    }
    json_close(json);
}

static void write_interval(json_writer *json, const char *key, bool given, const double interval[2])
{
    json_key(json, key);
    if (given)
        json_reals(json, interval, 2);
    else
        json_null(json);
}

static void write_points(json_writer *json, const char *key, const double first[3], const double second[3])
{
    json_key(json, key);
    json_open(json, JSON_ARRAY);
    json_reals(json, first, 3);
    json_reals(json, second, 3);
    json_close(json);
}

static void write_curve(json_writer *json, const graze_region *region, size_t curve)
{
    size_t first = region->curve_starts[curve], end = region->curve_starts[curve + 1];
    json_open(json, JSON_ARRAY);
    for (size_t i = first; i < end; i++)
        for (int axis = 0; axis < 3; axis++)
            json_real(json, region->curve_points[3 * i + (size_t)axis]);
    for (int axis = 0; axis < 3 && region->curve_closed[curve]; axis++)
        json_real(json, region->curve_points[3 * first + (size_t)axis]);
    json_close(json);
}

/* The outline of a polygon of faces that lie on one another. */
static void write_outline(json_writer *json, const graze_region *region, size_t polygon)
{
    size_t first = region->polygon_starts[polygon], end = region->polygon_starts[polygon + 1];
    json_open(json, JSON_ARRAY);
    for (size_t i = first; i <= end; i++)
        for (int axis = 0; axis < 3; axis++)
            json_real(json, region->polygon_points[3 * (i < end ? i : first) + (size_t)axis]);
    json_close(json);
}

static void write_region(json_writer *json, const graze_region *region)
{
    size_t left = MOST_CURVE_POINTS, left_out = 0;
    json_key(json, "curves");
    json_open(json, JSON_ARRAY);
    for (size_t i = 0; i < region->curve_count; i++)
    {
        size_t size = region->curve_starts[i + 1] - region->curve_starts[i];
        left_out += size > left;
        if (size > left || size < 2)
            continue;
        left -= size;
        write_curve(json, region, i);
    }
    for (size_t i = 0; i < region->polygon_count; i++)
    {
        size_t size = region->polygon_starts[i + 1] - region->polygon_starts[i];
        left_out += size > left;
        if (size > left)
            continue;
        left -= size;
        write_outline(json, region, i);
    }
    json_close(json);
    if (left_out > 0)
        write_count(json, "curves_left_out", left_out);
    double box[6];
    memcpy(box, region->lower, sizeof region->lower);
    memcpy(box + 3, region->upper, sizeof region->upper);
    if (box[0] <= box[3])
    {
        json_key(json, "box");
        json_reals(json, box, 6);
    }
}

static void write_measures(json_writer *json, const clash_finding *f)
{
    write_interval(json, "depth", f->has_depth, f->depth);
    write_interval(json, "gap", f->has_gap, f->gap);
    if (f->has_depth)
    {
        double end[3];
        for (int axis = 0; axis < 3; axis++)
            end[axis] = f->point[axis] + f->depth_translation[axis];
        write_text(json, "depth_grade", "bounded");
        write_points(json, "depth_line", f->point, end);
    }
    if (f->has_gap)
    {
        write_text(json, "gap_grade", "bounded");
        write_points(json, "gap_points", f->gap_points[0], f->gap_points[1]);
    }
    if (f->touch_kind != NULL)
    {
        write_text(json, "contact", f->touch_kind);
        json_key(json, "area");
        json_real(json, f->area);
    }
}

static void write_finding(json_writer *json, const clash_finding *f)
{
    bool swapped = f->verdict == CLASH_CONTAINS && f->a_in_b; /* the outer one comes first in the page */
    json_open(json, JSON_OBJECT);
    write_text(json, "id", f->id);
    write_count(json, "a", swapped ? f->b : f->a);
    write_count(json, "b", swapped ? f->a : f->b);
    if (f->set != NULL)
    {
        json_key(json, "set");
        json_open(json, JSON_ARRAY);
        for (size_t k = 0; k < f->set_count; k++)
            json_count(json, f->set[k]);
        json_close(json);
    }
    write_text(json, "verdict", clash_verdict_name(f->verdict));
    write_count(json, "pairs", f->pairs);
    write_measures(json, f);
    json_key(json, "point");
    json_reals(json, f->point, 3);
    if (f->region != NULL)
        write_region(json, f->region);
    write_text(json, "rule", f->rule);
    write_text(json, "severity", clash_severity_name(f->severity));
    write_text(json, "state", f->state == CLASH_WORSE ? "known" : clash_state_name(f->state));
    write_text(json, "reason", f->reason);
    if (f->state == CLASH_WORSE)
        write_text(json, "change", "worse");
    json_close(json);
}

static void write_report(json_writer *json, const clash_report *report, const page_meshes *meshes)
{
    json_open(json, JSON_OBJECT_LINES);
    write_text(json, "graze", "report");
    write_count(json, "version", 1);
    write_header(json, report);
    write_parts(json, report, meshes);
    json_key(json, "geometries");
    json_open(json, JSON_ARRAY_LINES);
    for (size_t i = 0; i < meshes->count; i++)
        block_describe(json, meshes->meshes[i], meshes->closed[i]);
    json_close(json);
    json_key(json, "findings");
    json_open(json, JSON_ARRAY_LINES);
    for (size_t i = 0; i < report->finding_count; i++)
        write_finding(json, &report->findings[i]);
    json_close(json);
    json_key(json, "problems");
    json_open(json, JSON_ARRAY_LINES);
    for (size_t i = 0; i < report->problem_count; i++)
    {
        json_open(json, JSON_OBJECT);
        write_text(json, "part", report->problems[i].part);
        write_text(json, "what", report->problems[i].what);
        json_close(json);
    }
    json_close(json);
    json_close(json);
}

/* JSON may hold "</script>" in a name, which would end the element: every "<" is written as an escape. */
static bool copy_safely(FILE *from, FILE *out)
{
    rewind(from);
    for (int c; (c = getc(from)) != EOF;)
    {
        if (c == '<')
            fputs("\\u003c", out);
        else
            putc(c, out);
    }
    return ferror(from) == 0;
}

bool clash_write_html(const clash_report *report, FILE *out)
{
    page_meshes meshes;
    bool done = choose_meshes(report, &meshes);
    FILE *json_file = done ? tmpfile() : NULL;
    done = json_file != NULL;
    if (done)
    {
        json_writer json = json_start(json_file);
        write_report(&json, report, &meshes);
        fwrite(page_bytes, 1, page_size, out);
        fprintf(out, "<script type=\"application/json\" id=\"graze-report\">");
        done = fflush(json_file) == 0 && copy_safely(json_file, out);
        fprintf(out, "</script>\n");
        fclose(json_file);
    }
    for (size_t i = 0; i < meshes.count && done; i++)
        done = block_write(out, meshes.meshes[i], i);
    release_meshes(&meshes);
    return done;
}
