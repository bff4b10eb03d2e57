/* SPDX-License-Identifier: MIT */
/* graze clash as one JSON document (docs/clash-report.md). Each finding is one line, so that reports can be compared
 * line by line; --baseline reads it back (baseline.c). */
#include "clash/output.h"
#include "graze/status.h"
#include "shell/json_writer.h"

static void write_file(json_writer *json, const char *key, const char *path, const char *hash)
{
    json_key(json, key);
    if (path == NULL)
    {
        json_null(json);
        return;
    }
    json_open(json, JSON_OBJECT);
    json_member_text(json, "path", path);
    json_member_text(json, "hash", hash);
    json_close(json);
}

static void write_header(json_writer *json, const clash_report *report)
{
    json_member_text(json, "graze", "clash");
    json_member_count(json, "version", 1);
    json_member_text(json, "tool", graze_version_text());
    json_key(json, "inputs");
    json_open(json, JSON_ARRAY_LINES);
    for (size_t i = 0; i < report->input_count; i++)
    {
        json_open(json, JSON_OBJECT);
        json_member_text(json, "path", report->inputs[i].path);
        json_member_text(json, "hash", report->inputs[i].hash);
        json_close(json);
    }
    json_close(json);
    json_member_text(json, "units", report->units);
    json_key(json, "tolerances");
    json_open(json, JSON_OBJECT);
    json_key(json, "clearance");
    json_real(json, report->clearance);
    json_key(json, "allow_touch");
    json_bool(json, report->allow_touch);
    json_key(json, "max_depth");
    json_real(json, report->max_depth);
    json_close(json);
    write_file(json, "rules", report->rules_path, report->rules_hash);
    write_file(json, "baseline", report->baseline_path, report->baseline_hash);
    json_member_text(json, "fail_on", clash_fail_on_name(report->fail_on));
    json_key(json, "complete");
    json_bool(json, report->complete);
}

static const char *outcome_name(clash_outcome outcome)
{
    static const char *const names[] = {"clean", "passed", "failed", "incomplete", "nothing"};
    return names[outcome];
}

void clash_json_counts(json_writer *json, const clash_counts *counts)
{
    json_member_count(json, "parts", counts->parts);
    json_member_count(json, "parts_free", counts->parts_free);
    json_member_count(json, "triangles", counts->triangles);
    json_member_count(json, "pairs_possible", counts->pairs_possible);
    json_member_count(json, "pairs_culled", counts->pairs_culled);
    json_member_count(json, "pairs_tested", counts->pairs_tested);
    json_member_count(json, "pairs_ignored", counts->pairs_ignored);
    json_member_count(json, "pairs_undecided", counts->pairs_undecided);
}

static void write_summary(json_writer *json, const clash_report *report)
{
    const clash_counts *counts = &report->counts;
    clash_tally tally = clash_count_findings(report);
    json_member_text(json, "outcome", outcome_name(clash_outcome_of(report)));
    json_key(json, "summary");
    json_open(json, JSON_OBJECT_LINES);
    clash_json_counts(json, counts);
    json_member_count(json, "selves_tested", counts->selves_tested);
    json_member_count(json, "selves_ignored", counts->selves_ignored);
    json_member_count(json, "findings", report->finding_count);
    json_member_count(json, "failing", tally.failing);
    for (int i = CLASH_CRITICAL; i >= CLASH_INFO; i--)
        json_member_count(json, clash_severity_name((clash_severity)i), tally.by_severity[i]);
    for (int i = CLASH_NEW; i <= CLASH_APPROVED; i++)
        json_member_count(json, clash_state_name((clash_state)i), tally.by_state[i]);
    json_key(json, "resolved");
    if (report->complete)
        json_count(json, report->resolved_count);
    else
        json_null(json); /* findings that are missing may just not have been tested */
    json_close(json);
}

static void write_reals(json_writer *json, const char *key, bool is_there, const double *numbers, size_t count)
{
    json_key(json, key);
    if (is_there)
        json_reals(json, numbers, count);
    else
        json_null(json);
}

static const char *grade_of(const double interval[2])
{
    return interval[0] == interval[1] ? "exact" : "bounded";
}

/* The grade of each number; counts are exact, and so are verdicts, unless undecided: then they may be stronger. */
static void write_grades(json_writer *json, const clash_finding *finding)
{
    json_key(json, "grades");
    json_open(json, JSON_OBJECT);
    json_member_text(json, "verdict", finding->undecided ? "bounded" : "exact");
    if (finding->has_depth)
        json_member_text(json, "depth", grade_of(finding->depth));
    if (finding->has_gap)
        json_member_text(json, "gap", grade_of(finding->gap));
    if (finding->touch_kind != NULL)
        json_member_text(json, "area", "estimated");
    json_close(json);
}

/* Members that only some verdicts have. */
static void write_details(json_writer *json, const clash_report *report, const clash_finding *finding)
{
    if (finding->verdict == CLASH_CONTAINS)
        json_member_text(json, "contains", finding->a_in_b ? "a_in_b" : "b_in_a");
    if (finding->touch_kind != NULL)
    {
        json_member_text(json, "touch", finding->touch_kind);
        json_key(json, "area");
        json_real(json, finding->area);
    }
    if (finding->has_depth)
        write_reals(json, "translation", true, finding->depth_translation, 3);
    if (finding->has_gap)
    {
        json_key(json, "gap_points");
        json_open(json, JSON_ARRAY);
        json_reals(json, finding->gap_points[0], 3);
        json_reals(json, finding->gap_points[1], 3);
        json_close(json);
    }
    if (finding->set == NULL)
        return;
    json_key(json, "set");
    json_open(json, JSON_ARRAY);
    for (size_t i = 0; i < finding->set_count; i++)
        json_text(json, report->parts[finding->set[i]].name);
    json_close(json);
}

static void write_finding(json_writer *json, const clash_report *report, const clash_finding *finding)
{
    json_open(json, JSON_OBJECT);
    json_member_text(json, "id", finding->id);
    json_member_text(json, "a", report->parts[finding->a].name);
    json_member_text(json, "b", report->parts[finding->b].name);
    json_member_text(json, "verdict", clash_verdict_name(finding->verdict));
    json_member_count(json, "pairs", finding->pairs);
    write_reals(json, "depth", finding->has_depth, finding->depth, 2);
    write_reals(json, "gap", finding->has_gap, finding->gap, 2);
    write_reals(json, "point", true, finding->point, 3);
    json_member_text(json, "rule", finding->rule);
    json_member_text(json, "severity", clash_severity_name(finding->severity));
    json_member_text(json, "state", clash_state_name(finding->state));
    json_member_text(json, "reason", finding->reason);
    write_details(json, report, finding);
    write_grades(json, finding);
    json_close(json);
}

static void write_undecided(json_writer *json, const clash_report *report)
{
    json_key(json, "undecided");
    json_open(json, JSON_ARRAY_LINES);
    for (size_t i = 0; i < report->undecided_count; i++)
    {
        const clash_undecided *pair = &report->undecided[i];
        json_open(json, JSON_OBJECT);
        json_member_text(json, "id", pair->id);
        json_member_text(json, "a", report->parts[pair->a].name);
        json_member_text(json, "b", report->parts[pair->b].name);
        json_member_text(json, "reason", clash_undecided_reason);
        json_close(json);
    }
    json_close(json);
}

static void write_ignored(json_writer *json, const clash_report *report)
{
    json_key(json, "ignored");
    json_open(json, JSON_ARRAY_LINES);
    for (size_t i = 0; i < report->ignored_count; i++)
    {
        json_open(json, JSON_OBJECT);
        json_member_text(json, "rule", report->ignored[i].rule);
        json_member_text(json, "reason", report->ignored[i].reason);
        json_member_count(json, "pairs", report->ignored[i].count);
        if (report->ignored[i].selves > 0)
            json_member_count(json, "selves", report->ignored[i].selves);
        json_close(json);
    }
    json_close(json);
}

static void write_resolved(json_writer *json, const clash_report *report)
{
    json_key(json, "resolved");
    json_open(json, JSON_ARRAY_LINES);
    for (size_t i = 0; i < report->resolved_count; i++)
    {
        json_open(json, JSON_OBJECT);
        json_member_text(json, "id", report->resolved[i].id);
        json_member_text(json, "a", report->resolved[i].a);
        json_member_text(json, "b", report->resolved[i].b);
        json_member_text(json, "verdict", clash_verdict_name(report->resolved[i].verdict));
        json_close(json);
    }
    json_close(json);
}

static void write_problems(json_writer *json, const clash_report *report)
{
    json_key(json, "problems");
    json_open(json, JSON_ARRAY_LINES);
    for (size_t i = 0; i < report->problem_count; i++)
    {
        json_open(json, JSON_OBJECT);
        json_member_text(json, "part", report->problems[i].part);
        json_member_text(json, "what", report->problems[i].what);
        json_close(json);
    }
    json_close(json);
}

bool clash_write_json(const clash_report *report, FILE *out)
{
    json_writer json = json_start(out);
    json_open(&json, JSON_OBJECT_LINES);
    write_header(&json, report);
    write_summary(&json, report);
    json_key(&json, "findings");
    json_open(&json, JSON_ARRAY_LINES);
    for (size_t i = 0; i < report->finding_count; i++)
        write_finding(&json, report, &report->findings[i]);
    json_close(&json);
    write_undecided(&json, report);
    write_ignored(&json, report);
    write_resolved(&json, report);
    write_problems(&json, report);
    json_close(&json);
    return true;
}
