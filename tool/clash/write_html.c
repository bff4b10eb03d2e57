/* SPDX-License-Identifier: MIT */
/* graze clash as a report page (page/report.h): findings with their limits and rules. Parts in findings are stored in
 * full. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clash/output.h"
#include "graze/region.h"
#include "page/contour.h"
#include "page/report.h"
#include "shell/text_format.h"

enum
{
    MOST_CURVE_POINTS = 20000 /* of one finding */
};

/* --- header --- */

static void write_counts(json_writer *json, const clash_counts *counts)
{
    json_key(json, "counts");
    json_open(json, JSON_OBJECT);
    clash_json_counts(json, counts);
    json_member_count(json, "findings", counts->findings);
    json_close(json);
}

static void write_rules(json_writer *json, const clash_report *report)
{
    json_key(json, "rules");
    json_open(json, JSON_OBJECT);
    json_member_text(json, "path", report->rules_path);
    json_member_text(json, "sha256", report->rules_hash[0] != '\0' ? report->rules_hash : NULL);
    json_key(json, "ignored");
    json_open(json, JSON_ARRAY);
    for (size_t i = 0; i < report->ignored_count; i++)
    {
        json_open(json, JSON_OBJECT);
        json_member_text(json, "rule", report->ignored[i].rule);
        json_member_text(json, "reason", report->ignored[i].reason);
        json_member_count(json, "pairs", report->ignored[i].count);
        json_close(json);
    }
    json_close(json);
    json_close(json);
}

static void write_baseline(json_writer *json, const clash_report *report)
{
    if (report->baseline_path == NULL)
        return;
    json_key(json, "baseline");
    json_open(json, JSON_OBJECT);
    json_member_text(json, "path", report->baseline_path);
    json_member_text(json, "sha256", report->baseline_hash[0] != '\0' ? report->baseline_hash : NULL);
    json_member_text(json, "fail_on", clash_fail_on_name(report->fail_on));
    if (report->complete)
        json_member_count(json, "resolved", report->resolved_count);
    json_close(json);
}

/* The headline, where the page does not have the data to make it. */
static void write_verdict(json_writer *json, const clash_report *report)
{
    static const char *const results[] = {"clean", "clean", "clash", "incomplete", "nothing"};
    clash_outcome outcome = clash_outcome_of(report);
    clash_phrase shortfall = clash_shortfall(report);
    char text[256];
    if (outcome == CLASH_OUTCOME_CLEAN)
        snprintf(text, sizeof text, "No clash");
    else if (outcome == CLASH_OUTCOME_PASSED)
        snprintf(text, sizeof text, "Passed: %s, none of which fails", counted(report->finding_count, "finding").text);
    else if (outcome == CLASH_OUTCOME_NOTHING)
        snprintf(text, sizeof text, "Nothing checked");
    else if (shortfall.text[0] != '\0')
        snprintf(text, sizeof text, "%s, but %s", counted(report->finding_count, "finding").text, shortfall.text);
    else
        return;
    json_key(json, "verdict");
    json_open(json, JSON_OBJECT);
    json_member_text(json, "result", results[outcome]);
    json_member_text(json, "text", text);
    json_close(json);
}

static void write_header(json_writer *json, const void *user)
{
    const clash_report *report = user;
    write_verdict(json, report);
    if (!report->complete)
        json_member_text(json, "incomplete", clash_shortfall(report).text);
    json_key(json, "tolerances");
    json_open(json, JSON_OBJECT);
    page_real(json, "clearance", report->clearance);
    json_key(json, "allow_touch");
    json_bool(json, report->allow_touch);
    page_real(json, "max_depth", report->max_depth);
    json_close(json);
    write_rules(json, report);
    write_baseline(json, report);
    write_counts(json, &report->counts);
}

/* --- findings --- */

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

/* Writes the boundary of coincident faces. Returns how many lines exceed the limit. */
static size_t write_contour(json_writer *json, const graze_region *region, size_t *left)
{
    contour_lines lines;
    size_t left_out = 0;
    bool done = contour_of(region->polygon_points, region->polygon_starts, region->polygon_count, &lines);
    for (size_t i = 0; done && i < lines.count; i++)
    {
        size_t size = lines.starts[i + 1] - lines.starts[i];
        left_out += size > *left;
        if (size > *left)
            continue;
        *left -= size;
        json_reals(json, lines.points + 3 * lines.starts[i], 3 * size);
    }
    contour_release(&lines);
    return done ? left_out : region->polygon_count;
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
    left_out += write_contour(json, region, &left);
    json_close(json);
    if (left_out > 0)
        json_member_count(json, "curves_left_out", left_out);
    double box[6];
    memcpy(box, region->bounds.lower, sizeof region->bounds.lower);
    memcpy(box + 3, region->bounds.upper, sizeof region->bounds.upper);
    if (box[0] <= box[3])
    {
        json_key(json, "box");
        json_reals(json, box, 6);
    }
}

static const char *grade_of(const double interval[2])
{
    return interval[0] == interval[1] ? "exact" : "bounded";
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
        json_member_text(json, "depth_grade", grade_of(f->depth));
        if (isfinite(end[0]) && isfinite(end[1]) && isfinite(end[2]))
            write_points(json, "depth_line", f->point, end);
    }
    if (f->has_gap)
    {
        json_member_text(json, "gap_grade", grade_of(f->gap));
        write_points(json, "gap_points", f->gap_points[0], f->gap_points[1]);
    }
    if (f->touch_kind != NULL)
    {
        json_member_text(json, "contact", f->touch_kind);
        json_key(json, "area");
        json_real(json, f->area);
    }
}

static void write_finding(json_writer *json, const clash_finding *f)
{
    bool swapped = f->verdict == CLASH_CONTAINS && f->a_in_b; /* the page names the outer part first */
    json_open(json, JSON_OBJECT);
    json_member_text(json, "id", f->id);
    json_member_count(json, "a", swapped ? f->b : f->a);
    json_member_count(json, "b", swapped ? f->a : f->b);
    if (f->set != NULL)
    {
        json_key(json, "set");
        json_open(json, JSON_ARRAY);
        for (size_t k = 0; k < f->set_count; k++)
            json_count(json, f->set[k]);
        json_close(json);
    }
    json_member_text(json, "verdict", clash_verdict_name(f->verdict));
    json_member_count(json, "pairs", f->pairs);
    write_measures(json, f);
    json_key(json, "point");
    json_reals(json, f->point, 3);
    if (f->region != NULL)
        write_region(json, f->region);
    json_member_text(json, "rule", f->rule);
    json_member_text(json, "severity", clash_severity_name(f->severity));
    json_member_text(json, "state", f->state == CLASH_WORSE ? "known" : clash_state_name(f->state));
    json_member_text(json, "reason", f->reason);
    if (f->state == CLASH_WORSE)
        json_member_text(json, "change", "worse");
    json_close(json);
}

/* Writes an undecided pair as a problem of its first part; the text names the other. */
static void write_undecided(json_writer *json, const clash_report *report, const clash_undecided *pair)
{
    char text[256];
    const char *other = report->parts[pair->b].name;
    snprintf(text, sizeof text, "undecided against '%.120s%s': %s", other, strlen(other) > 120 ? "..." : "",
             clash_undecided_reason);
    page_problem(json, report->parts[pair->a].name, text);
}

static void write_body(json_writer *json, const void *user)
{
    const clash_report *report = user;
    json_key(json, "findings");
    json_open(json, JSON_ARRAY_LINES);
    for (size_t i = 0; i < report->finding_count; i++)
        write_finding(json, &report->findings[i]);
    json_close(json);
    json_key(json, "problems");
    json_open(json, JSON_ARRAY_LINES);
    for (size_t i = 0; i < report->problem_count; i++)
        page_problem(json, report->problems[i].part, report->problems[i].what);
    for (size_t i = 0; i < report->undecided_count; i++)
        write_undecided(json, report, &report->undecided[i]);
    json_close(json);
}

/* --- the page --- */

static void mark_findings(const clash_report *report, page_part *parts)
{
    for (size_t i = 0; i < report->undecided_count; i++)
        parts[report->undecided[i].a].matters = parts[report->undecided[i].b].matters = true;
    for (size_t i = 0; i < report->finding_count; i++)
    {
        const clash_finding *f = &report->findings[i];
        parts[f->a].matters = parts[f->b].matters = true;
        for (size_t k = 0; k < f->set_count; k++)
            parts[f->set[k]].matters = true;
    }
}

bool clash_write_html(const clash_report *report, FILE *out)
{
    page_part *parts = calloc(report->part_count + 1, sizeof *parts);
    page_input *inputs = calloc(report->input_count + 1, sizeof *inputs);
    bool done = parts != NULL && inputs != NULL;
    for (size_t i = 0; i < report->part_count && done; i++)
    {
        const clash_part *part = &report->parts[i];
        parts[i] = (page_part){.name = part->name,
                               .file = part->file,
                               .mesh = part->placed.mesh,
                               .pose = part->placed.pose,
                               .closed = part->closed};
    }
    for (size_t i = 0; i < report->input_count && done; i++)
        inputs[i] = (page_input){report->inputs[i].path, report->inputs[i].hash, report->inputs[i].size};
    if (done)
    {
        mark_findings(report, parts);
        page_report page = {.inputs = inputs,
                            .input_count = report->input_count,
                            .parts = parts,
                            .part_count = report->part_count,
                            .units = report->units,
                            .budget = report->page_budget,
                            .write_header = write_header,
                            .write_body = write_body,
                            .user = report};
        done = page_write(&page, out);
    }
    free(parts);
    free(inputs);
    return done;
}
