/* SPDX-License-Identifier: MIT */
/* A report as one JSON document (docs/clash-report.md). Each finding is one line, so that reports can be compared
 * line by line; baseline.c reads it back. */
#include "clash/write.h"

static void write_file(grz_json_writer *json, const graze_clash_input *file)
{
    grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
    grz_json_put_member_text(json, "path", file->path);
    grz_json_put_member_text(json, "hash", file->hash);
    grz_json_close(json);
}

static void write_header(grz_json_writer *json, const graze_clash_report *report)
{
    grz_json_put_member_text(json, "graze", "clash");
    grz_json_put_member_count(json, "version", 2);
    grz_json_put_member_text(json, "tool", graze_version_text());
    grz_json_put_key(json, "inputs");
    grz_json_open(json, GRZ_JSON_LONG_ARRAY);
    for (size_t i = 0; i < report->input_count; i++)
        write_file(json, &report->inputs[i]);
    grz_json_close(json);
    grz_json_put_member_text(json, "units", report->units);
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
    grz_json_put_key(json, "assume_closed");
    grz_json_put_bool(json, report->assume_closed);
    grz_json_close(json);
    grz_json_put_key(json, "rules");
    grz_json_open(json, GRZ_JSON_SHORT_ARRAY);
    for (size_t i = 0; i < report->rules_count; i++)
        write_file(json, &report->rules[i]);
    grz_json_close(json);
    grz_json_put_key(json, "baseline");
    if (report->baseline != NULL)
        write_file(json, report->baseline);
    else
        grz_json_put_null(json);
    grz_json_put_member_text(json, "fail_on", graze_clash_fail_on_name(report->fail_on));
    if (report->frame_count > 0)
    {
        grz_json_put_key(json, "through_time");
        grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
        grz_json_put_member_count(json, "frames", report->frame_count);
        grz_json_close(json);
    }
    grz_json_put_key(json, "complete");
    grz_json_put_bool(json, report->complete);
}

static void write_summary(grz_json_writer *json, const graze_clash_report *report)
{
    const graze_clash_counts *counts = &report->counts;
    graze_clash_tally tally = graze_clash_report_tally(report);
    grz_json_put_member_text(json, "outcome", grz_clash_outcome_name(graze_clash_report_outcome(report)));
    grz_json_put_key(json, "summary");
    grz_json_open(json, GRZ_JSON_LONG_OBJECT);
    grz_clash_json_counts(json, counts);
    grz_json_put_member_count(json, "selves_tested", counts->selves_tested);
    grz_json_put_member_count(json, "selves_ignored", counts->selves_ignored);
    grz_json_put_member_count(json, "findings", report->finding_count);
    grz_json_put_member_count(json, "failing", tally.failing);
    for (int i = GRAZE_CLASH_CRITICAL; i >= GRAZE_CLASH_INFO; i--)
        grz_json_put_member_count(json, graze_clash_severity_name((graze_clash_severity)i), tally.by_severity[i]);
    for (int i = GRAZE_CLASH_NEW; i <= GRAZE_CLASH_APPROVED; i++)
        grz_json_put_member_count(json, graze_clash_state_name((graze_clash_state)i), tally.by_state[i]);
    grz_json_put_key(json, "resolved");
    if (report->complete)
        grz_json_put_count(json, report->resolved_count);
    else
        grz_json_put_null(json); /* findings that are missing may just not have been tested */
    grz_json_put_member_count(json, "ignored_now", report->ignored_now_count);
    grz_json_put_member_count(json, "clusters", report->cluster_count);
    grz_json_close(json);
}

/* The grade of each number; counts are exact. */
static void write_grades(grz_json_writer *json, const graze_clash_finding *finding)
{
    grz_json_put_key(json, "grades");
    grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
    grz_json_put_member_text(json, "verdict", grz_clash_verdict_grade(finding));
    if (finding->has_depth)
    {
        grz_json_put_member_text(json, "depth", grz_clash_grade_of(finding->depth));
        grz_json_put_member_text(json, "way_out", grz_clash_grade_of(finding->way_out));
    }
    if (finding->has_gap)
        grz_json_put_member_text(json, "gap", grz_clash_grade_of(finding->gap));
    if (finding->touch_kind != NULL)
        grz_json_put_member_text(json, "area", "estimated");
    if (finding->details != NULL && finding->details->has_volume)
        grz_json_put_member_text(json, "volume", "bounded");
    if (finding->details != NULL && (finding->details->sagittas[0] > 0 || finding->details->sagittas[1] > 0))
        grz_json_put_member_text(json, "sagittas", "estimated");
    if (finding->has_time)
        grz_json_put_member_text(json, "time", grz_clash_grade_of(finding->time));
    grz_json_close(json);
}

/* Members that only some verdicts have. */
static void write_details(grz_json_writer *json, const graze_clash_report *report, const graze_clash_finding *finding)
{
    if (finding->verdict == GRAZE_CLASH_CONTAINS)
        grz_json_put_member_text(json, "contains", finding->a_in_b ? "a_in_b" : "b_in_a");
    if (finding->touch_kind != NULL)
    {
        grz_json_put_member_text(json, "touch", finding->touch_kind);
        grz_json_put_key(json, "area");
        grz_json_put_real(json, finding->area);
    }
    grz_clash_json_remarks(json, finding);
    if (finding->set == NULL)
        return;
    grz_json_put_key(json, "set");
    grz_json_open(json, GRZ_JSON_SHORT_ARRAY);
    for (size_t i = 0; i < finding->set_count; i++)
        grz_json_put_text(json, report->parts[finding->set[i]].name);
    grz_json_close(json);
}

static void write_locations(grz_json_writer *json, const graze_clash_finding *finding)
{
    graze_clash_location own;
    const graze_clash_location *locations;
    size_t count = grz_clash_locations(finding, &own, &locations);
    grz_json_put_key(json, "locations");
    grz_json_open(json, GRZ_JSON_SHORT_ARRAY);
    for (size_t i = 0; i < count; i++)
    {
        grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
        grz_clash_json_location(json, &locations[i]);
        grz_json_put_member_count(json, "curves", locations[i].curves);
        grz_json_close(json);
    }
    grz_json_close(json);
}

static void write_finding(grz_json_writer *json, const graze_clash_report *report, const graze_clash_finding *finding)
{
    grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
    grz_json_put_member_text(json, "id", finding->id);
    grz_json_put_member_text(json, "a", report->parts[finding->a].name);
    grz_json_put_member_text(json, "b", report->parts[finding->b].name);
    grz_json_put_member_text(json, "verdict", graze_clash_verdict_name(finding->verdict));
    grz_clash_json_pairs(json, finding);
    grz_clash_json_measures(json, finding);
    grz_clash_json_reals(json, "point", true, finding->point, 3);
    write_locations(json, finding);
    grz_json_put_member_text(json, "rule", finding->rule);
    grz_json_put_member_text(json, "severity", graze_clash_severity_name(finding->severity));
    grz_json_put_member_text(json, "state", graze_clash_state_name(finding->state));
    grz_json_put_member_text(json, "reason", finding->reason);
    if (finding->lapsed != NULL)
        grz_json_put_member_text(json, "lapsed", finding->lapsed);
    grz_json_put_member_count(json, "cluster", finding->cluster);
    grz_clash_json_review(json, finding->review, finding->review != NULL ? finding->review->state : NULL);
    write_details(json, report, finding);
    write_grades(json, finding);
    grz_json_close(json);
}

static void write_hits(grz_json_writer *json, const graze_clash_report *report)
{
    grz_json_put_key(json, "parts_hit");
    grz_json_open(json, GRZ_JSON_LONG_ARRAY);
    for (size_t i = 0; i < report->hit_count; i++)
    {
        grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
        grz_json_put_member_text(json, "part", report->parts[report->hits[i].part].name);
        grz_json_put_member_count(json, "findings", report->hits[i].findings);
        grz_json_put_member_count(json, "failing", report->hits[i].failing);
        grz_json_put_member_text(json, "severity", graze_clash_severity_name(report->hits[i].severity));
        grz_json_close(json);
    }
    grz_json_close(json);
}

static void write_matrix(grz_json_writer *json, const graze_clash_report *report)
{
    grz_json_put_key(json, "matrix");
    if (report->matrix == NULL)
    {
        grz_json_put_null(json);
        return;
    }
    grz_json_open(json, GRZ_JSON_LONG_OBJECT);
    grz_json_put_key(json, "groups");
    grz_json_open(json, GRZ_JSON_SHORT_ARRAY);
    for (size_t i = 0; i < report->group_count; i++)
        grz_json_put_text(json, report->group_names[i]);
    grz_json_close(json);
    grz_json_put_key(json, "findings");
    grz_json_open(json, GRZ_JSON_LONG_ARRAY);
    for (size_t i = 0; i < report->group_count; i++)
    {
        grz_json_open(json, GRZ_JSON_SHORT_ARRAY);
        for (size_t k = 0; k < report->group_count; k++)
            grz_json_put_count(json, report->matrix[i * report->group_count + k]);
        grz_json_close(json);
    }
    grz_json_close(json);
    grz_json_close(json);
}

static void write_undecided(grz_json_writer *json, const graze_clash_report *report)
{
    grz_json_put_key(json, "undecided");
    grz_json_open(json, GRZ_JSON_LONG_ARRAY);
    for (size_t i = 0; i < report->undecided_count; i++)
    {
        const graze_clash_undecided *pair = &report->undecided[i];
        grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
        grz_json_put_member_text(json, "id", pair->id);
        grz_json_put_member_text(json, "a", report->parts[pair->a].name);
        grz_json_put_member_text(json, "b", report->parts[pair->b].name);
        grz_json_put_member_text(json, "reason", pair->why);
        grz_json_close(json);
    }
    grz_json_close(json);
}

static void write_ignored(grz_json_writer *json, const graze_clash_report *report)
{
    grz_json_put_key(json, "ignored");
    grz_json_open(json, GRZ_JSON_LONG_ARRAY);
    for (size_t i = 0; i < report->ignored_count; i++)
    {
        grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
        grz_json_put_member_text(json, "rule", report->ignored[i].rule);
        grz_json_put_member_text(json, "reason", report->ignored[i].reason);
        grz_json_put_member_count(json, "pairs", report->ignored[i].count);
        if (report->ignored[i].selves > 0)
            grz_json_put_member_count(json, "selves", report->ignored[i].selves);
        grz_json_close(json);
    }
    grz_json_close(json);
}

/* Findings of the baseline that are gone, or hidden by a rule. */
static void write_missing(grz_json_writer *json, const char *key, const graze_clash_resolved *missing, size_t count)
{
    grz_json_put_key(json, key);
    grz_json_open(json, GRZ_JSON_LONG_ARRAY);
    for (size_t i = 0; i < count; i++)
    {
        grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
        grz_json_put_member_text(json, "id", missing[i].id);
        grz_json_put_member_text(json, "a", missing[i].a);
        grz_json_put_member_text(json, "b", missing[i].b);
        grz_json_put_member_text(json, "verdict", graze_clash_verdict_name(missing[i].verdict));
        if (missing[i].rule != NULL)
            grz_json_put_member_text(json, "rule", missing[i].rule);
        grz_json_close(json);
    }
    grz_json_close(json);
}

static void write_problems(grz_json_writer *json, const graze_clash_report *report)
{
    grz_json_put_key(json, "problems");
    grz_json_open(json, GRZ_JSON_LONG_ARRAY);
    for (size_t i = 0; i < report->problem_count; i++)
    {
        grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
        grz_json_put_member_text(json, "part", report->problems[i].part);
        grz_json_put_member_text(json, "what", report->problems[i].what);
        grz_json_close(json);
    }
    grz_json_close(json);
}

static bool write_document(const graze_clash_report *report, grz_sink *out)
{
    grz_json_writer json = grz_json_start(out);
    grz_json_open(&json, GRZ_JSON_LONG_OBJECT);
    write_header(&json, report);
    write_summary(&json, report);
    grz_json_put_key(&json, "findings");
    grz_json_open(&json, GRZ_JSON_LONG_ARRAY);
    for (size_t i = 0; i < report->finding_count; i++)
        write_finding(&json, report, &report->findings[i]);
    grz_json_close(&json);
    write_hits(&json, report);
    write_matrix(&json, report);
    write_undecided(&json, report);
    write_ignored(&json, report);
    write_missing(&json, "resolved", report->resolved, report->resolved_count);
    write_missing(&json, "ignored_now", report->ignored_now, report->ignored_now_count);
    write_problems(&json, report);
    grz_json_close(&json);
    return true;
}

graze_status graze_clash_write_json(const graze_clash_report *report, graze_clash_write_function write, void *user)
{
    return grz_clash_write(report, write, user, write_document);
}
