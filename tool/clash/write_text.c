/* SPDX-License-Identifier: MIT */
/* graze clash for terminals: the verdict in one line, the table of findings, and a summary of the run. */
#include <string.h>

#include "clash/output.h"
#include "shell/text_format.h"

enum
{
    LABEL_WIDTH = 12
};

/* "2 critical, 1 minor" */
static graze_clash_phrase severities(const graze_clash_tally *tally)
{
    graze_clash_phrase phrase = {""};
    for (int i = GRAZE_CLASH_CRITICAL; i >= GRAZE_CLASH_INFO; i--)
    {
        size_t used = strlen(phrase.text);
        if (tally->by_severity[i] > 0)
            snprintf(phrase.text + used, sizeof phrase.text - used, "%s%s %s", used > 0 ? ", " : "",
                     grz_grouped(tally->by_severity[i]).text, graze_clash_severity_name((graze_clash_severity)i));
    }
    return phrase;
}

/* "; 1 new, 3 known" if there is a baseline, or not all are new. */
static graze_clash_phrase states(const graze_clash_report *report, const graze_clash_tally *tally)
{
    graze_clash_phrase phrase = {""};
    bool tells_new = report->baseline != NULL || tally->by_state[GRAZE_CLASH_NEW] < report->finding_count;
    for (int i = GRAZE_CLASH_NEW; i <= GRAZE_CLASH_APPROVED && tells_new; i++)
    {
        size_t used = strlen(phrase.text);
        if (tally->by_state[i] > 0)
            snprintf(phrase.text + used, sizeof phrase.text - used, "%s%s %s", used > 0 ? ", " : "; ",
                     grz_grouped(tally->by_state[i]).text, graze_clash_state_name((graze_clash_state)i));
    }
    return phrase;
}

static void put_verdict(const graze_clash_report *report, const tool_console *console, FILE *out)
{
    static const char *const words[] = {"no clash", "passed", "clash", "incomplete", "nothing checked"};
    static const tool_tone tones[] = {TONE_GOOD, TONE_GOOD, TONE_BAD, TONE_BOLD, TONE_BOLD};
    graze_clash_outcome outcome = graze_clash_report_outcome(report);
    graze_clash_tally tally = graze_clash_report_tally(report);
    graze_clash_phrase shortfall = graze_clash_report_shortfall(report);
    fprintf(out, "%s%s%s: ", console_tone(console, tones[outcome]), words[outcome], console_tone(console, TONE_PLAIN));
    if (report->finding_count > 0)
        fprintf(out, "%s: %s%s", grz_counted(report->finding_count, "finding").text, severities(&tally).text,
                states(report, &tally).text);
    else if (outcome == GRAZE_CLASH_OUTCOME_CLEAN)
        fprintf(out, "%s, %s, nothing found", grz_counted(report->counts.parts, "part").text,
                grz_counted(report->counts.pairs_culled + report->counts.pairs_tested, "pair").text);
    else
        fputs("nothing found", out);
    if (shortfall.text[0] != '\0')
        fprintf(out, ", but %s", shortfall.text);
    putc('\n', out);
}

static void put_name(FILE *out, const char *name)
{
    char character[5];
    while (next_printable(&name, character))
        fputs(character, out);
}

static void put_label(FILE *out, const char *label)
{
    fprintf(out, "  %-*s", LABEL_WIDTH, label);
}

/* How many entries of a list to print; the rest is counted. */
static size_t listed(const clash_text_options *options, size_t count)
{
    return options->row_limit > 0 && count > options->row_limit ? options->row_limit : count;
}

static void put_rest(FILE *out, size_t shown, size_t count)
{
    if (shown == count)
        return;
    put_label(out, "");
    fprintf(out, "... and %s more\n", grz_grouped(count - shown).text);
}

static void put_ignored(const graze_clash_report *report, const clash_text_options *options, FILE *out)
{
    size_t shown = listed(options, report->ignored_count);
    for (size_t i = 0; i < shown; i++)
    {
        const graze_clash_ignored *ignored = &report->ignored[i];
        put_label(out, i == 0 ? "ignored" : "");
        fprintf(out, "%s by ", grz_grouped(ignored->count).text);
        put_name(out, ignored->rule);
        fputs(": ", out);
        put_name(out, ignored->reason != NULL ? ignored->reason : "");
        if (ignored->selves > 0)
            fprintf(out, " (also %s against itself)", grz_counted(ignored->selves, "part").text);
        putc('\n', out);
    }
    put_rest(out, shown, report->ignored_count);
}

/* Lists undecided pairs by name. */
static void put_undecided(const graze_clash_report *report, const clash_text_options *options, FILE *out)
{
    size_t shown = listed(options, report->undecided_count);
    for (size_t i = 0; i < shown; i++)
    {
        put_label(out, i == 0 ? "undecided" : "");
        put_name(out, report->parts[report->undecided[i].a].name);
        fputs(" + ", out);
        put_name(out, report->parts[report->undecided[i].b].name);
        fprintf(out, ": %s\n", report->undecided[i].why);
    }
    put_rest(out, shown, report->undecided_count);
}

/* Findings of the baseline that this run does not have, with the rule that hides them. */
static void put_missing(const graze_clash_resolved *missing, size_t count, const char *label,
                        const clash_text_options *options, FILE *out)
{
    size_t shown = listed(options, count);
    for (size_t i = 0; i < shown; i++)
    {
        put_label(out, i == 0 ? label : "");
        fprintf(out, "%-9s  ", clash_verdict_words(missing[i].verdict));
        put_name(out, missing[i].a);
        fputs(" + ", out);
        put_name(out, missing[i].b);
        if (missing[i].rule != NULL)
        {
            fputs(": ", out);
            put_name(out, missing[i].rule);
        }
        putc('\n', out);
    }
    put_rest(out, shown, count);
}

static void put_baseline(const graze_clash_report *report, const clash_text_options *options, FILE *out)
{
    graze_clash_tally tally = graze_clash_report_tally(report);
    if (report->baseline == NULL)
        return;
    put_label(out, "baseline");
    put_name(out, report->baseline->path);
    fprintf(out, ": %s new, %s worse, %s known, ", grz_grouped(tally.by_state[GRAZE_CLASH_NEW]).text,
            grz_grouped(tally.by_state[GRAZE_CLASH_WORSE]).text, grz_grouped(tally.by_state[GRAZE_CLASH_KNOWN]).text);
    if (report->complete)
        fprintf(out, "%s resolved\n", grz_grouped(report->resolved_count).text);
    else
        fputs("resolved ones are not known of a run that is incomplete\n", out);
    put_missing(report->resolved, report->resolved_count, "resolved", options, out);
    put_missing(report->ignored_now, report->ignored_now_count, "ignored now", options, out);
}

static void put_problems(const graze_clash_report *report, const clash_text_options *options, FILE *out)
{
    size_t shown = listed(options, report->problem_count);
    for (size_t i = 0; i < shown; i++)
    {
        put_label(out, i == 0 ? "problems" : "");
        put_name(out, report->problems[i].part);
        fputs(report->problems[i].part[0] != '\0' ? ": " : "", out);
        put_name(out, report->problems[i].what);
        putc('\n', out);
    }
    put_rest(out, shown, report->problem_count);
}

static void put_limits(const graze_clash_report *report, FILE *out)
{
    put_label(out, "tolerances");
    fprintf(out, "clearance %s, touching %s, depth up to %s", human_real(report->clearance).text,
            report->allow_touch ? "allowed" : "not allowed", human_real(report->max_depth).text);
    if (report->units != NULL)
    {
        fputs(", in ", out);
        put_name(out, report->units);
    }
    for (size_t i = 0; i < report->rules_count; i++)
    {
        fputs(i == 0 ? "; rules of " : ", ", out);
        put_name(out, report->rules[i].path);
    }
    putc('\n', out);
}

static void put_frames(const graze_clash_report *report, FILE *out)
{
    if (report->frame_count == 0)
        return;
    put_label(out, "frames");
    fprintf(out, "%s, and all moments between them\n", grz_grouped(report->frame_count).text);
}

/* How coordinates were taken, and what that changed. */
static void put_resolution(const graze_clash_report *report, FILE *out)
{
    uint64_t changed = report->counts.resolution_changed;
    put_label(out, "resolution");
    if (report->has_resolution && report->resolution == 0)
        fputs("0: coordinates are taken at face value\n", out);
    else if (report->has_resolution)
        fprintf(out, "%s for each part", human_real(report->resolution).text);
    else
        fputs("that of the numbers in each file", out);
    if (!report->has_resolution || report->resolution > 0)
        fprintf(out, "; %s changed by it\n", grz_counted(changed, "verdict").text);
}

/* The parts with most findings, if that tells more than the table. */
static void put_hits(const graze_clash_report *report, FILE *out)
{
    enum
    {
        MOST = 5
    };
    size_t shown = report->hit_count < MOST ? report->hit_count : MOST;
    if (report->hit_count < 3)
        return;
    put_label(out, "most hit");
    for (size_t i = 0; i < shown; i++)
    {
        fputs(i > 0 ? ", " : "", out);
        put_name(out, report->parts[report->hits[i].part].name);
        fprintf(out, " (%s)", grz_grouped(report->hits[i].findings).text);
    }
    if (shown < report->hit_count)
        fprintf(out, " and %s more", grz_grouped(report->hit_count - shown).text);
    fprintf(out, "; %s\n", grz_counted(report->cluster_count, "cluster").text);
}

static void put_summary(const graze_clash_report *report, const clash_text_options *options, FILE *out)
{
    const graze_clash_counts *counts = &report->counts;
    put_label(out, "parts");
    fprintf(out, "%s, %s free of clash; %s\n", grz_grouped(counts->parts).text, grz_grouped(counts->parts_free).text,
            grz_counted(counts->triangles, "triangle").text);
    put_hits(report, out);
    put_label(out, "pairs");
    fprintf(out, "%s possible: %s culled, %s tested, %s ignored, %s undecided\n",
            grz_grouped(counts->pairs_possible).text, grz_grouped(counts->pairs_culled).text,
            grz_grouped(counts->pairs_tested).text, grz_grouped(counts->pairs_ignored).text,
            grz_grouped(counts->pairs_undecided).text);
    if (counts->selves_tested + counts->selves_ignored > 0)
    {
        put_label(out, "selves");
        fprintf(out, "%s tested, %s ignored\n", grz_grouped(counts->selves_tested).text,
                grz_grouped(counts->selves_ignored).text);
    }
    put_undecided(report, options, out);
    put_ignored(report, options, out);
    put_limits(report, out);
    put_frames(report, out);
    put_resolution(report, out);
    put_baseline(report, options, out);
    put_problems(report, options, out);
    put_label(out, "time");
    fprintf(out, "%s to read, %s to prepare, %s to check\n", human_time(options->seconds_reading * 1e9).text,
            human_time(report->seconds_preparing * 1e9).text, human_time(report->seconds_checking * 1e9).text);
}

void clash_write_text(const graze_clash_report *report, const clash_text_options *options, FILE *out)
{
    put_verdict(report, options->console, out);
    if (options->quiet)
        return;
    putc('\n', out);
    clash_write_table(report, options, out);
    if (report->finding_count > 0)
        putc('\n', out);
    put_summary(report, options, out);
}
