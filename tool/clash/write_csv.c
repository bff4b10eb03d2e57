/* SPDX-License-Identifier: MIT */
/*
 * graze clash as CSV: RFC 4180, a header line, a line per finding, and a line for each undecided pair, which has only
 * names and a verdict. Facts about the whole run are in the last columns of every line, so that each line is complete
 * also after lines of several reports were merged or sorted.
 */
#include <math.h>
#include <string.h>

#include "clash/output.h"
#include "graze/status.h"
#include "shell/digest.h"
#include "shell/json_writer.h"

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
                                     "gap_lower",
                                     "gap_upper",
                                     "x",
                                     "y",
                                     "z",
                                     "touch",
                                     "area",
                                     "set_size",
                                     "set",
                                     "rule",
                                     "reason",
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
                                     "findings"};

enum
{
    COLUMN_OF_CONTAINS = 6,
    COLUMN_OF_REASON = 20
};

/* A line while it is written. */
typedef struct csv_line
{
    FILE *out;
    bool filled;
} csv_line;

static void next_cell(csv_line *line)
{
    if (line->filled)
        putc(',', line->out);
    line->filled = true;
}

/* Writes characters that CSV may hold: of the control characters only tabs and line ends. */
static void put_characters(FILE *out, const char *text)
{
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0';)
    {
        size_t length = utf8_length(at);
        bool is_control = length == 1 && ((*at < 0x20 && *at != '\n' && *at != '\r' && *at != '\t') || *at == 0x7f);
        if (length == 0 || is_control)
            fputs("\xef\xbf\xbd", out);
        else if (*at == '"')
            fputs("\"\"", out);
        else
            fwrite(at, 1, length, out);
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
        putc('"', line->out);
    if (is_formula)
        putc('\'', line->out);
    put_characters(line->out, text);
    if (is_quoted)
        putc('"', line->out);
}

static void put_count(csv_line *line, uint64_t count)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%llu", (unsigned long long)count);
    next_cell(line);
    fputs(digits, line->out);
}

/* Empty if there is none. */
static void put_real(csv_line *line, bool is_there, double number)
{
    char text[32];
    next_cell(line);
    if (!is_there || !isfinite(number))
        return;
    print_real(text, number);
    fputs(text, line->out);
}

/* All names in one cell, one per line. */
static void put_set(csv_line *line, const clash_report *report, const clash_finding *finding)
{
    next_cell(line);
    if (finding->set == NULL)
        return;
    putc('"', line->out);
    for (size_t i = 0; i < finding->set_count; i++)
    {
        const char *name = report->parts[finding->set[i]].name;
        if (i > 0)
            putc('\n', line->out);
        else if (looks_like_formula(name))
            putc('\'', line->out);
        put_characters(line->out, name);
    }
    putc('"', line->out);
}

static void put_finding(csv_line *line, const clash_report *report, const clash_finding *finding)
{
    put_text(line, finding->id);
    put_text(line, clash_severity_name(finding->severity));
    put_text(line, clash_verdict_name(finding->verdict));
    put_text(line, clash_state_name(finding->state));
    put_text(line, report->parts[finding->a].name);
    put_text(line, report->parts[finding->b].name);
    put_text(line, finding->verdict != CLASH_CONTAINS ? NULL : finding->a_in_b ? "a_in_b" : "b_in_a");
    put_count(line, finding->pairs);
    for (int i = 0; i < 2; i++)
        put_real(line, finding->has_depth, finding->depth[i]);
    for (int i = 0; i < 2; i++)
        put_real(line, finding->has_gap, finding->gap[i]);
    for (int i = 0; i < 3; i++)
        put_real(line, true, finding->point[i]);
    put_text(line, finding->touch_kind);
    put_real(line, finding->touch_kind != NULL, finding->area);
    if (finding->set != NULL)
        put_count(line, finding->set_count);
    else
        put_text(line, NULL);
    put_set(line, report, finding);
    put_text(line, finding->rule);
    put_text(line, finding->reason);
}

static void put_undecided(csv_line *line, const clash_report *report, const clash_undecided *pair)
{
    put_text(line, pair->id);
    put_text(line, NULL); /* severity */
    put_text(line, "undecided");
    put_text(line, NULL); /* state */
    put_text(line, report->parts[pair->a].name);
    put_text(line, report->parts[pair->b].name);
    for (int i = COLUMN_OF_CONTAINS; i < COLUMN_OF_REASON; i++)
        put_text(line, NULL);
    put_text(line, clash_undecided_reason);
}

static void put_run(csv_line *line, const clash_report *report, const char *inputs_hash)
{
    const clash_counts *counts = &report->counts;
    put_text(line, graze_version_text());
    put_text(line, inputs_hash);
    put_text(line, report->rules_path != NULL ? report->rules_hash : NULL);
    put_text(line, report->units);
    put_real(line, true, report->clearance);
    put_text(line, report->allow_touch ? "true" : "false");
    put_real(line, true, report->max_depth);
    put_text(line, report->complete ? "true" : "false");
    const uint64_t numbers[] = {counts->parts,          counts->parts_free,      counts->triangles,
                                counts->pairs_possible, counts->pairs_culled,    counts->pairs_tested,
                                counts->pairs_ignored,  counts->pairs_undecided, report->finding_count};
    for (size_t i = 0; i < COUNT_OF(numbers); i++)
        put_count(line, numbers[i]);
}

bool clash_write_csv(const clash_report *report, FILE *out)
{
    char inputs_hash[DIGEST_TEXT_SIZE];
    digest hash = digest_start();
    for (size_t i = 0; i < report->input_count; i++)
        digest_add_text(&hash, report->inputs[i].hash);
    digest_end(&hash, inputs_hash);
    csv_line line = {.out = out};
    for (size_t i = 0; i < COUNT_OF(titles); i++)
        put_text(&line, titles[i]);
    fputs("\r\n", out);
    for (size_t i = 0; i < report->finding_count; i++)
    {
        line.filled = false;
        put_finding(&line, report, &report->findings[i]);
        put_run(&line, report, inputs_hash);
        fputs("\r\n", out);
    }
    for (size_t i = 0; i < report->undecided_count; i++)
    {
        line.filled = false;
        put_undecided(&line, report, &report->undecided[i]);
        put_run(&line, report, inputs_hash);
        fputs("\r\n", out);
    }
    return true;
}
