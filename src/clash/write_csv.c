/* SPDX-License-Identifier: MIT */
/*
 * A report as CSV: RFC 4180, a header line and a line per finding. Facts about the whole run are in the last columns of
 * every line, so that each line is complete also after lines of several reports were merged or sorted.
 */
#include <math.h>
#include <string.h>

#include "clash/write.h"
#include "text/digest.h"
#include "text/number.h"
#include "text/utf8.h"

static const char *const titles[] = {"id",
                                     "severity",
                                     "verdict",
                                     "state",
                                     "a",
                                     "b",
                                     "contains",
                                     "pairs",
                                     "depth_lower",
                                     "depth_upper",
                                     "way_out_lower",
                                     "way_out_upper",
                                     "gap_lower",
                                     "gap_upper",
                                     "x",
                                     "y",
                                     "z",
                                     "touch",
                                     "area",
                                     "volume",
                                     "volume_error",
                                     "locations",
                                     "exact",
                                     "within_resolution",
                                     "within_tessellation",
                                     "set_size",
                                     "set",
                                     "rule",
                                     "reason",
                                     "why",
                                     "lapsed",
                                     "review",
                                     "assignee",
                                     "comment",
                                     "time_lower",
                                     "time_upper",
                                     "crossing_lower",
                                     "crossing_upper",
                                     "measured_at",
                                     "tool",
                                     "inputs_hash",
                                     "rules_hash",
                                     "units",
                                     "clearance",
                                     "allow_touch",
                                     "max_depth",
                                     "complete",
                                     "parts",
                                     "parts_free",
                                     "triangles",
                                     "pairs_possible",
                                     "pairs_culled",
                                     "pairs_tested",
                                     "pairs_ignored",
                                     "pairs_undecided",
                                     "resolution_changed",
                                     "findings"};

enum
{
    FIRST_TIME = 34, /* columns of runs through time, which other reports leave out */
    END_OF_TIMES = 39
};

/* A line while it is written. */
typedef struct csv_line
{
    grz_sink *out;
    bool filled;
} csv_line;

static void next_cell(csv_line *line)
{
    if (line->filled)
        grz_sink_byte(line->out, ',');
    line->filled = true;
}

/* Writes characters that CSV may hold: of the control characters only tabs and line ends. */
static void put_characters(grz_sink *out, const char *text)
{
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0';)
    {
        size_t length = grz_utf8_length(at);
        bool is_control = length == 1 && ((*at < 0x20 && *at != '\n' && *at != '\r' && *at != '\t') || *at == 0x7f);
        if (length == 0 || is_control)
            grz_sink_text(out, "\xef\xbf\xbd");
        else if (*at == '"')
            grz_sink_text(out, "\"\"");
        else
            grz_sink_bytes(out, (const char *)at, length);
        at += length == 0 ? 1 : length;
    }
}

/* Spreadsheets execute a text that begins with one of these as a formula; an apostrophe before it prevents that. */
static bool looks_like_formula(const char *text)
{
    return text[0] != '\0' && strchr("=+-@\t\r\n", text[0]) != NULL;
}

static void put_text(csv_line *line, const char *text)
{
    next_cell(line);
    if (text == NULL)
        return;
    bool is_formula = looks_like_formula(text);
    bool is_quoted = strpbrk(text, "\",\r\n\t") != NULL || text[0] == ' ';
    if (is_quoted)
        grz_sink_byte(line->out, '"');
    if (is_formula)
        grz_sink_byte(line->out, '\'');
    put_characters(line->out, text);
    if (is_quoted)
        grz_sink_byte(line->out, '"');
}

static void put_count(csv_line *line, uint64_t count)
{
    char digits[GRZ_NUMBER_SIZE];
    next_cell(line);
    grz_sink_bytes(line->out, digits, grz_integer_print(count, digits));
}

/* Empty if there is none. */
static void put_real(csv_line *line, bool is_there, double number)
{
    char text[32];
    next_cell(line);
    if (!is_there || !isfinite(number))
        return;
    grz_real_print(number, text);
    grz_sink_text(line->out, text);
}

/* All names in one cell, one per line. */
static void put_set(csv_line *line, const graze_clash_report *report, const graze_clash_finding *finding)
{
    next_cell(line);
    if (finding->set == NULL)
        return;
    grz_sink_byte(line->out, '"');
    for (size_t i = 0; i < finding->set_count; i++)
    {
        const char *name = report->parts[finding->set[i]].name;
        if (i > 0)
            grz_sink_byte(line->out, '\n');
        else if (looks_like_formula(name))
            grz_sink_byte(line->out, '\'');
        put_characters(line->out, name);
    }
    grz_sink_byte(line->out, '"');
}

static void put_finding(csv_line *line, const graze_clash_report *report, const graze_clash_finding *finding)
{
    put_text(line, finding->id);
    put_text(line, graze_clash_severity_name(finding->severity));
    put_text(line, graze_clash_verdict_name(finding->verdict));
    put_text(line, graze_clash_state_name(finding->state));
    put_text(line, report->parts[finding->a].name);
    put_text(line, report->parts[finding->b].name);
    put_text(line, finding->verdict != GRAZE_CLASH_CONTAINS ? NULL : finding->a_in_b ? "a_in_b" : "b_in_a");
    if (!finding->no_pairs)
        put_count(line, finding->pairs);
    for (int i = 0; i < 2; i++)
        put_real(line, finding->has_depth, finding->depth[i]);
    for (int i = 0; i < 2; i++)
        put_real(line, finding->has_depth, finding->way_out[i]);
    for (int i = 0; i < 2; i++)
        put_real(line, finding->has_gap, finding->gap[i]);
    for (int i = 0; i < 3; i++)
        put_real(line, true, finding->point[i]);
    put_text(line, finding->touch_kind);
    put_real(line, finding->touch_kind != NULL, finding->area);
    const graze_clash_details *details = finding->details;
    bool has_volume = details != NULL && details->has_volume;
    put_real(line, has_volume, has_volume ? details->volume : 0);
    put_real(line, has_volume, has_volume ? details->volume_error : 0);
    graze_clash_location own;
    const graze_clash_location *locations;
    put_count(line, grz_clash_locations(finding, &own, &locations));
    put_text(line, grz_clash_exact_name(finding));
    put_text(line, finding->within_resolution ? "true" : "false");
    put_text(line, finding->within_tessellation ? "true" : "false");
    if (finding->set != NULL)
        put_count(line, finding->set_count);
    else
        put_text(line, NULL);
    put_set(line, report, finding);
    put_text(line, finding->rule);
    put_text(line, finding->reason);
    put_text(line, finding->why);
    const graze_clash_review *review = finding->review;
    put_text(line, finding->lapsed);
    put_text(line, review != NULL ? review->state : NULL);
    put_text(line, review != NULL ? review->assignee : NULL);
    put_text(line, review != NULL ? review->comment : NULL);
    if (report->frame_count == 0)
        return;
    for (int i = 0; i < 2; i++)
        put_real(line, finding->has_time, finding->time[i]);
    for (int i = 0; i < 2; i++)
        put_real(line, finding->has_crossing_time, finding->crossing_time[i]);
    put_real(line, finding->has_time, finding->measured_at);
}

static void put_run(csv_line *line, const graze_clash_report *report, const char *inputs_hash, const char *rules_hash)
{
    const graze_clash_counts *counts = &report->counts;
    put_text(line, graze_version_text());
    put_text(line, inputs_hash);
    put_text(line, rules_hash);
    put_text(line, report->units);
    put_real(line, true, report->clearance);
    put_text(line, report->allow_touch ? "true" : "false");
    put_real(line, true, report->max_depth);
    put_text(line, report->complete ? "true" : "false");
    const uint64_t numbers[] = {counts->parts,          counts->parts_free,      counts->triangles,
                                counts->pairs_possible, counts->pairs_culled,    counts->pairs_tested,
                                counts->pairs_ignored,  counts->pairs_undecided, counts->resolution_changed,
                                report->finding_count};
    for (size_t i = 0; i < (sizeof numbers / sizeof *numbers); i++)
        put_count(line, numbers[i]);
}

/* One hash of the hashes of several files. */
static void hash_files(const graze_clash_input *files, size_t count, char out_hash[GRZ_DIGEST_TEXT_SIZE])
{
    grz_digest hash = grz_digest_start();
    for (size_t i = 0; i < count; i++)
        grz_digest_add_text(&hash, files[i].hash);
    grz_digest_end(&hash, out_hash);
}

static bool write_document(const graze_clash_report *report, grz_sink *out)
{
    char inputs_hash[GRZ_DIGEST_TEXT_SIZE], all_rules_hash[GRZ_DIGEST_TEXT_SIZE];
    hash_files(report->inputs, report->input_count, inputs_hash);
    hash_files(report->rules, report->rules_count, all_rules_hash);
    const char *rules_hash = report->rules_count == 0   ? NULL
                             : report->rules_count == 1 ? report->rules[0].hash
                                                        : all_rules_hash;
    csv_line line = {.out = out};
    for (size_t i = 0; i < (sizeof titles / sizeof *titles); i++)
        if (report->frame_count > 0 || i < FIRST_TIME || i >= END_OF_TIMES)
            put_text(&line, titles[i]);
    grz_sink_text(out, "\r\n");
    for (size_t i = 0; i < report->finding_count; i++)
    {
        line.filled = false;
        put_finding(&line, report, &report->findings[i]);
        put_run(&line, report, inputs_hash, rules_hash);
        grz_sink_text(out, "\r\n");
    }
    return true;
}

graze_status graze_clash_write_csv(const graze_clash_report *report, graze_clash_write_function write, void *user)
{
    return grz_clash_write(report, write, user, write_document);
}
