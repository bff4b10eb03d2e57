/* SPDX-License-Identifier: MIT */
/* The table of findings for a terminal: columns as wide as their contents if that fits; else names are shortened at the
 * front, where they differ least. */
#include <string.h>

#include "clash/output.h"
#include "shell/text_format.h"

enum
{
    COLUMN_SEVERITY,
    COLUMN_VERDICT,
    COLUMN_STATE,
    COLUMN_A,
    COLUMN_B,
    COLUMN_MEASURE,
    COLUMN_RULE,
    COLUMNS,
    INDENT = 2,
    GAP = 2,
    LEAST_WIDTH = 80,
    MOST_PADDING = 64 /* without a width limit: longer cells overflow */
};

static const char *const column_titles[COLUMNS] = {"severity", "verdict", "state", "a", "b", "measure", "rule"};

/* Columns that may shrink, in steps: names first, which are longest. 0: not in this step. */
enum
{
    STEPS = 3
};
static const size_t least_widths[STEPS][COLUMNS] = {
    {[COLUMN_A] = 16, [COLUMN_B] = 16},
    {[COLUMN_A] = 16, [COLUMN_B] = 16, [COLUMN_RULE] = 9},
    {[COLUMN_A] = 10, [COLUMN_B] = 10, [COLUMN_RULE] = 7, [COLUMN_MEASURE] = 14}};

typedef struct table
{
    const graze_clash_report *report;
    FILE *out;
    size_t rows;
    bool has_states, is_limited;
    size_t widths[COLUMNS];
} table;

static size_t length_of(const char *text)
{
    char character[5];
    size_t length = 0;
    while (next_printable(&text, character))
        length++;
    return length;
}

/* "limits[2]" of a single file of rules, which the summary names. */
static const char *short_rule(const graze_clash_report *report, const char *rule)
{
    if (rule == NULL)
        return "default";
    const char *colon = report->rules_count == 1 ? strstr(rule, ": limits[") : NULL;
    return colon != NULL ? colon + 2 : rule;
}

/* The texts of a row. `measure` holds one of them. */
static void fill_row(const graze_clash_report *report, const graze_clash_finding *finding, graze_clash_phrase *measure,
                     const char *cells[COLUMNS])
{
    graze_clash_finding outer_first = *finding;
    if (finding->verdict == GRAZE_CLASH_CONTAINS && finding->a_in_b) /* as on the page */
    {
        outer_first.a = finding->b;
        outer_first.b = finding->a;
        outer_first.a_in_b = false;
    }
    *measure = graze_clash_finding_measure(&outer_first);
    cells[COLUMN_SEVERITY] = graze_clash_severity_name(finding->severity);
    cells[COLUMN_VERDICT] = clash_verdict_words(finding->verdict);
    cells[COLUMN_STATE] = graze_clash_state_name(finding->state);
    cells[COLUMN_A] = report->parts[outer_first.a].name;
    cells[COLUMN_B] = finding->verdict == GRAZE_CLASH_SELF ? "" : report->parts[outer_first.b].name;
    cells[COLUMN_MEASURE] = measure->text;
    cells[COLUMN_RULE] = short_rule(report, finding->rule);
}

static void measure_columns(table *at)
{
    for (int c = 0; c < COLUMNS; c++)
        at->widths[c] = strlen(column_titles[c]);
    for (size_t i = 0; i < at->rows; i++)
    {
        const char *cells[COLUMNS];
        graze_clash_phrase measure;
        fill_row(at->report, &at->report->findings[i], &measure, cells);
        for (int c = 0; c < COLUMNS; c++)
        {
            size_t length = length_of(cells[c]);
            if (!at->is_limited && length > MOST_PADDING)
                length = MOST_PADDING;
            if (length > at->widths[c])
                at->widths[c] = length;
        }
    }
    if (!at->has_states)
        at->widths[COLUMN_STATE] = 0;
}

static size_t total_width(const table *at)
{
    size_t total = INDENT - GAP;
    for (int c = 0; c < COLUMNS; c++)
        total += at->widths[c] > 0 ? at->widths[c] + GAP : 0;
    return total;
}

/* Shrinks the widest column that may shrink, until the table fits or none is left. */
static void shrink_columns(table *at, size_t width)
{
    int step = 0;
    for (size_t total = total_width(at); total > width && step < STEPS;)
    {
        int widest = -1;
        for (int c = 0; c < COLUMNS; c++)
            if (least_widths[step][c] > 0 && at->widths[c] > least_widths[step][c] &&
                (widest < 0 || at->widths[c] > at->widths[widest]))
                widest = c;
        if (widest < 0)
        {
            step++;
            continue;
        }
        at->widths[widest]--;
        total--;
    }
}

/* Names keep their end, other texts their beginning. */
static void put_cell(const table *at, int column, const char *text, bool is_last)
{
    size_t width = at->widths[column], length = length_of(text);
    size_t skipped = 0, shown = length;
    bool keeps_end = column == COLUMN_A || column == COLUMN_B, is_cut = at->is_limited && length > width;
    char character[5];
    if (is_cut)
    {
        shown = width - 2;
        skipped = keeps_end ? length - shown : 0;
    }
    if (is_cut && keeps_end)
        fputs("..", at->out);
    for (size_t i = 0; next_printable(&text, character); i++)
        if (i >= skipped && i < skipped + shown)
            fputs(character, at->out);
    if (is_cut && !keeps_end)
        fputs("..", at->out);
    size_t used = is_cut ? width : length;
    if (!is_last)
        fprintf(at->out, "%*s", (int)((used < width ? width - used : 0) + GAP), "");
}

static void put_row(const table *at, const char *const cells[COLUMNS])
{
    for (int c = 0; c < COLUMNS; c++)
        if (at->widths[c] > 0)
            put_cell(at, c, cells[c], c + 1 == COLUMNS);
}

static tool_tone tone_of(const graze_clash_report *report, const graze_clash_finding *finding)
{
    if (!graze_clash_finding_fails(report, finding) || finding->severity == GRAZE_CLASH_INFO)
        return TONE_DIM;
    return finding->severity >= GRAZE_CLASH_MAJOR ? TONE_BAD : TONE_BOLD;
}

void clash_write_table(const graze_clash_report *report, const clash_text_options *options, FILE *out)
{
    const tool_console *console = options->console;
    const char *plain = console_tone(console, TONE_PLAIN);
    size_t rows = report->finding_count;
    if (rows == 0)
        return;
    if (options->row_limit > 0 && rows > options->row_limit)
        rows = options->row_limit;
    table at = {.report = report, .out = out, .rows = rows, .is_limited = options->width > 0};
    at.has_states = report->baseline != NULL;
    for (size_t i = 0; i < rows; i++)
        at.has_states |= report->findings[i].state != GRAZE_CLASH_NEW;
    measure_columns(&at);
    if (at.is_limited)
        shrink_columns(&at, options->width > LEAST_WIDTH ? options->width : LEAST_WIDTH);
    fprintf(out, "%*s%s", INDENT, "", console_tone(console, TONE_BOLD));
    put_row(&at, column_titles);
    fprintf(out, "%s\n", plain);
    for (size_t i = 0; i < rows; i++)
    {
        const char *cells[COLUMNS];
        graze_clash_phrase measure;
        fill_row(report, &report->findings[i], &measure, cells);
        fprintf(out, "%*s%s", INDENT, "", console_tone(console, tone_of(report, &report->findings[i])));
        put_cell(&at, COLUMN_SEVERITY, cells[COLUMN_SEVERITY], false);
        fputs(plain, out);
        for (int c = COLUMN_SEVERITY + 1; c < COLUMNS; c++)
            if (at.widths[c] > 0)
                put_cell(&at, c, cells[c], c + 1 == COLUMNS);
        putc('\n', out);
    }
    if (rows < report->finding_count)
        fprintf(out, "%*s... and %s more\n", INDENT, "", grz_grouped(report->finding_count - rows).text);
}
