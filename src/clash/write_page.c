/* SPDX-License-Identifier: MIT */
/* The share of a report in the data of its page (viewer/README.md): findings with their limits and rules. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "clash/contour.h"
#include "clash/store.h"
#include "clash/write.h"
#include "text/format.h"

enum
{
    MOST_CURVE_POINTS = 20000 /* of one finding */
};

/* --- header --- */

static void write_counts(grz_json_writer *json, const graze_clash_counts *counts)
{
    grz_json_put_key(json, "counts");
    grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
    grz_clash_json_counts(json, counts);
    grz_json_put_member_count(json, "findings", counts->findings);
    grz_json_close(json);
}

static void write_rules(grz_json_writer *json, const graze_clash_report *report)
{
    grz_json_put_key(json, "rules");
    grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
    const graze_clash_input *first = report->rules_count > 0 ? &report->rules[0] : NULL;
    grz_json_put_member_text(json, "path", first != NULL ? first->path : NULL);
    grz_json_put_member_text(json, "sha256", first != NULL && first->hash[0] != '\0' ? first->hash : NULL);
    grz_json_put_key(json, "ignored");
    grz_json_open(json, GRZ_JSON_SHORT_ARRAY);
    for (size_t i = 0; i < report->ignored_count; i++)
    {
        grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
        grz_json_put_member_text(json, "rule", report->ignored[i].rule);
        grz_json_put_member_text(json, "reason", report->ignored[i].reason);
        grz_json_put_member_count(json, "pairs", report->ignored[i].count);
        grz_json_close(json);
    }
    grz_json_close(json);
    grz_json_close(json);
}

static void write_baseline(grz_json_writer *json, const graze_clash_report *report)
{
    const graze_clash_input *baseline = report->baseline;
    if (baseline == NULL)
        return;
    grz_json_put_key(json, "baseline");
    grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
    grz_json_put_member_text(json, "path", baseline->path);
    grz_json_put_member_text(json, "sha256", baseline->hash[0] != '\0' ? baseline->hash : NULL);
    grz_json_put_member_text(json, "fail_on", graze_clash_fail_on_name(report->fail_on));
    if (report->complete)
        grz_json_put_member_count(json, "resolved", report->resolved_count);
    grz_json_put_member_count(json, "ignored_now", report->ignored_now_count);
    grz_json_close(json);
}

/* The headline, where the page does not have the data to make it. */
static void write_verdict(grz_json_writer *json, const graze_clash_report *report)
{
    static const char *const results[] = {"clean", "clean", "clash", "incomplete", "nothing"};
    graze_clash_outcome outcome = graze_clash_report_outcome(report);
    graze_clash_phrase shortfall = graze_clash_report_shortfall(report);
    char text[256];
    if (outcome == GRAZE_CLASH_OUTCOME_CLEAN)
        snprintf(text, sizeof text, "No clash");
    else if (outcome == GRAZE_CLASH_OUTCOME_PASSED)
        snprintf(text, sizeof text, "Passed: %s, none of which fails",
                 grz_counted(report->finding_count, "finding").text);
    else if (outcome == GRAZE_CLASH_OUTCOME_NOTHING)
        snprintf(text, sizeof text, "Nothing checked");
    else if (shortfall.text[0] != '\0')
        snprintf(text, sizeof text, "%s, but %s", grz_counted(report->finding_count, "finding").text, shortfall.text);
    else
        return;
    grz_json_put_key(json, "verdict");
    grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
    grz_json_put_member_text(json, "result", results[outcome]);
    grz_json_put_member_text(json, "text", text);
    grz_json_close(json);
}

static bool write_header(const graze_clash_report *report, grz_sink *out)
{
    grz_json_writer header = grz_json_continue(out, GRZ_JSON_SHORT_OBJECT, 2), *json = &header;
    write_verdict(json, report);
    if (!report->complete)
        grz_json_put_member_text(json, "incomplete", graze_clash_report_shortfall(report).text);
    grz_json_put_key(json, "tolerances");
    grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
    grz_json_put_key(json, "clearance");
    grz_json_put_real(json, report->clearance);
    grz_json_put_key(json, "allow_touch");
    grz_json_put_bool(json, report->allow_touch);
    grz_json_put_key(json, "max_depth");
    grz_json_put_real(json, report->max_depth);
    grz_json_put_key(json, "resolution");
    if (report->has_resolution)
        grz_json_put_real(json, report->resolution);
    else
        grz_json_put_text(json, "auto");
    grz_json_put_member_text(json, "tessellation", report->tessellation ? "on" : "off");
    grz_json_close(json);
    write_rules(json, report);
    write_baseline(json, report);
    write_counts(json, &report->counts);
    return true;
}

/* --- findings --- */

static void write_curve(grz_json_writer *json, const graze_region *region, size_t curve)
{
    size_t first = region->curve_starts[curve], end = region->curve_starts[curve + 1];
    grz_json_open(json, GRZ_JSON_SHORT_ARRAY);
    for (size_t i = first; i < end; i++)
        for (int axis = 0; axis < 3; axis++)
            grz_json_put_real(json, region->curve_points[3 * i + (size_t)axis]);
    for (int axis = 0; axis < 3 && region->curve_closed[curve]; axis++)
        grz_json_put_real(json, region->curve_points[3 * first + (size_t)axis]);
    grz_json_close(json);
}

/* Writes the boundary of coincident faces. Returns how many lines exceed the limit. */
static size_t write_contour(const graze_context *context, grz_json_writer *json, const graze_region *region,
                            size_t *left)
{
    grz_contour_lines lines;
    size_t left_out = 0;
    bool done = grz_contour_of(context, region->polygon_points, region->polygon_starts, region->polygon_count, &lines);
    for (size_t i = 0; done && i < lines.count; i++)
    {
        size_t size = lines.starts[i + 1] - lines.starts[i];
        left_out += size > *left;
        if (size > *left)
            continue;
        *left -= size;
        grz_json_put_reals(json, lines.points + 3 * lines.starts[i], 3 * size);
    }
    grz_contour_release(context, &lines);
    return done ? left_out : region->polygon_count;
}

static void write_region(const graze_context *context, grz_json_writer *json, const graze_region *region)
{
    size_t left = MOST_CURVE_POINTS, left_out = 0;
    grz_json_put_key(json, "curves");
    grz_json_open(json, GRZ_JSON_SHORT_ARRAY);
    for (size_t i = 0; i < region->curve_count; i++)
    {
        size_t size = region->curve_starts[i + 1] - region->curve_starts[i];
        left_out += size > left;
        if (size > left || size < 2)
            continue;
        left -= size;
        write_curve(json, region, i);
    }
    left_out += write_contour(context, json, region, &left);
    grz_json_close(json);
    if (left_out > 0)
        grz_json_put_member_count(json, "curves_left_out", left_out);
    double box[6];
    memcpy(box, region->bounds.lower, sizeof region->bounds.lower);
    memcpy(box + 3, region->bounds.upper, sizeof region->bounds.upper);
    if (box[0] <= box[3])
    {
        grz_json_put_key(json, "box");
        grz_json_put_reals(json, box, 6);
    }
}

static void write_measures(grz_json_writer *json, const graze_clash_finding *f)
{
    grz_clash_json_measures(json, f);
    grz_clash_json_remarks(json, f);
    if (f->has_depth)
    {
        grz_json_put_member_text(json, "depth_grade", grz_clash_grade_of(f->depth));
        grz_json_put_member_text(json, "way_out_grade", grz_clash_grade_of(f->way_out));
    }
    if (f->has_gap)
        grz_json_put_member_text(json, "gap_grade", grz_clash_grade_of(f->gap));
    if (f->touch_kind != NULL)
    {
        grz_json_put_member_text(json, "contact", f->touch_kind);
        grz_json_put_key(json, "area");
        grz_json_put_real(json, f->area);
    }
}

static void write_locations(grz_json_writer *json, const graze_clash_finding *f)
{
    size_t count = f->details != NULL ? f->details->location_count : 0;
    if (count < 2) /* one is the finding itself */
        return;
    grz_json_put_key(json, "locations");
    grz_json_open(json, GRZ_JSON_SHORT_ARRAY);
    for (size_t i = 0; i < count; i++)
    {
        const graze_clash_location *location = &f->details->locations[i];
        grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
        grz_clash_json_location(json, location);
        grz_json_put_key(json, "length");
        grz_json_put_real(json, location->length);
        grz_json_close(json);
    }
    grz_json_close(json);
}

/* The page shows as approved what its review says; but a review approves nothing, and approvals lapse. */
static const char *review_state(const graze_clash_finding *f)
{
    return strcmp(f->review->state, "approved") == 0 && f->state != GRAZE_CLASH_APPROVED ? "open" : f->review->state;
}

static void write_finding(const graze_context *context, grz_json_writer *json, const graze_clash_finding *f)
{
    bool swapped = f->verdict == GRAZE_CLASH_CONTAINS && f->a_in_b; /* the page names the outer part first */
    grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
    grz_json_put_member_text(json, "id", f->id);
    grz_json_put_member_count(json, "a", swapped ? f->b : f->a);
    grz_json_put_member_count(json, "b", swapped ? f->a : f->b);
    if (f->set != NULL)
    {
        grz_json_put_key(json, "set");
        grz_json_open(json, GRZ_JSON_SHORT_ARRAY);
        for (size_t k = 0; k < f->set_count; k++)
            grz_json_put_count(json, f->set[k]);
        grz_json_close(json);
    }
    grz_json_put_member_text(json, "verdict", graze_clash_verdict_name(f->verdict));
    grz_clash_json_pairs(json, f);
    write_measures(json, f);
    grz_json_put_key(json, "point");
    grz_json_put_reals(json, f->point, 3);
    write_locations(json, f);
    if (f->region != NULL)
        write_region(context, json, f->region);
    grz_json_put_member_text(json, "rule", f->rule);
    grz_json_put_member_text(json, "severity", graze_clash_severity_name(f->severity));
    grz_json_put_member_text(json, "state", f->state == GRAZE_CLASH_WORSE ? "known" : graze_clash_state_name(f->state));
    grz_json_put_member_text(json, "reason", f->reason);
    if (f->review != NULL)
        grz_clash_json_review(json, f->review, review_state(f));
    if (f->state == GRAZE_CLASH_WORSE)
        grz_json_put_member_text(json, "change", "worse");
    grz_json_close(json);
}

static void write_problem(grz_json_writer *json, const char *part, const char *what)
{
    grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
    grz_json_put_member_text(json, "part", part != NULL && part[0] != '\0' ? part : NULL);
    grz_json_put_member_text(json, "what", what);
    grz_json_close(json);
}

static bool write_body(const graze_clash_report *report, grz_sink *out)
{
    grz_json_writer body = grz_json_continue(out, GRZ_JSON_LONG_OBJECT, 1), *json = &body;
    const graze_context *context = grz_clash_context(report);
    grz_json_put_key(json, "findings");
    grz_json_open(json, GRZ_JSON_LONG_ARRAY);
    for (size_t i = 0; i < report->finding_count; i++)
        write_finding(context, json, &report->findings[i]);
    grz_json_close(json);
    grz_json_put_key(json, "problems");
    grz_json_open(json, GRZ_JSON_LONG_ARRAY);
    for (size_t i = 0; i < report->problem_count; i++)
        write_problem(json, report->problems[i].part, report->problems[i].what);
    grz_json_close(json);
    return true;
}

graze_status graze_clash_write_page_header(const graze_clash_report *report, graze_clash_write_function write,
                                           void *user)
{
    return grz_clash_write(report, write, user, write_header);
}

graze_status graze_clash_write_page_body(const graze_clash_report *report, graze_clash_write_function write, void *user)
{
    return grz_clash_write(report, write, user, write_body);
}
