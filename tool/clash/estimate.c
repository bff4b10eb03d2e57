/* SPDX-License-Identifier: MIT */
/* Estimates as text and JSON; see estimate.h. */
#include "clash/estimate.h"

#include "graze/status.h"
#include "shell/output.h"
#include "text/json_writer.h"

static void put_printable(FILE *out, const char *text)
{
    char character[5];
    while (next_printable(&text, character))
        fputs(character, out);
}

void clash_write_estimate_text(const clash_estimate *estimate, FILE *out)
{
    const graze_clash_report *report = estimate->report;
    const graze_clash_counts *counts = &report->counts;
    for (size_t i = 0; i < report->part_count; i++)
        fprintf(out, "%-40s %10zu triangles  %s\n", report->parts[i].name, report->facts[i].triangle_count,
                report->facts[i].closed ? "closed" : "open");
    fprintf(out, "%llu parts, %llu triangles; %llu pairs possible, %llu ignored, %llu culled by boxes, %llu to test\n",
            (unsigned long long)report->part_count, (unsigned long long)counts->triangles,
            (unsigned long long)counts->pairs_possible, (unsigned long long)counts->pairs_ignored,
            (unsigned long long)counts->pairs_culled, (unsigned long long)counts->pairs_tested);
    fprintf(out, "estimated time: %.3g s to check, after %.3g s to read and prepare\n", estimate->seconds,
            estimate->seconds_reading + report->seconds_preparing);
    for (size_t i = 0; i < report->problem_count; i++)
    {
        fputs(i == 0 ? "problems: " : "          ", out);
        put_printable(out, report->problems[i].part);
        fputs(report->problems[i].part[0] != '\0' ? ": " : "", out);
        put_printable(out, report->problems[i].what);
        putc('\n', out);
    }
}

static void put_parts(grz_json_writer *json, const graze_clash_report *report)
{
    grz_json_put_key(json, "parts");
    grz_json_open(json, GRZ_JSON_LONG_ARRAY);
    for (size_t i = 0; i < report->part_count; i++)
    {
        grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
        grz_json_put_member_text(json, "name", report->parts[i].name);
        grz_json_put_member_text(json, "file", report->parts[i].file);
        grz_json_put_member_count(json, "triangles", report->facts[i].triangle_count);
        grz_json_put_key(json, "closed");
        grz_json_put_bool(json, report->facts[i].closed);
        grz_json_put_key(json, "surface");
        grz_json_put_bool(json, report->facts[i].surface);
        grz_json_close(json);
    }
    grz_json_close(json);
}

static void put_counts(grz_json_writer *json, const graze_clash_counts *counts)
{
    grz_json_put_key(json, "summary");
    grz_json_open(json, GRZ_JSON_LONG_OBJECT);
    grz_json_put_member_count(json, "parts", counts->parts);
    grz_json_put_member_count(json, "triangles", counts->triangles);
    grz_json_put_member_count(json, "pairs_possible", counts->pairs_possible);
    grz_json_put_member_count(json, "pairs_ignored", counts->pairs_ignored);
    grz_json_put_member_count(json, "pairs_culled", counts->pairs_culled);
    grz_json_put_member_count(json, "pairs_to_test", counts->pairs_tested);
    grz_json_put_member_count(json, "selves_to_test", counts->selves_tested);
    grz_json_close(json);
}

static void put_problems(grz_json_writer *json, const graze_clash_report *report)
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

static bool write_json(const void *user, FILE *out)
{
    const clash_estimate *estimate = user;
    grz_sink sink = file_sink(out);
    grz_json_writer json = grz_json_start(&sink);
    grz_json_open(&json, GRZ_JSON_LONG_OBJECT);
    grz_json_put_member_text(&json, "graze", "clash-dry-run");
    grz_json_put_member_count(&json, "version", 1);
    grz_json_put_member_text(&json, "tool", graze_version_text());
    put_parts(&json, estimate->report);
    put_counts(&json, &estimate->report->counts);
    grz_json_put_key(&json, "seconds");
    grz_json_open(&json, GRZ_JSON_SHORT_OBJECT);
    grz_json_put_key(&json, "reading");
    grz_json_put_real(&json, estimate->seconds_reading);
    grz_json_put_key(&json, "preparing");
    grz_json_put_real(&json, estimate->report->seconds_preparing);
    grz_json_put_key(&json, "checking_estimated");
    grz_json_put_real(&json, estimate->seconds);
    grz_json_close(&json);
    grz_json_put_member_count(&json, "threads", estimate->threads);
    put_problems(&json, estimate->report);
    grz_json_close(&json);
    return true;
}

exit_code clash_write_estimate_json(const tool_console *console, const char *path, const clash_estimate *estimate)
{
    return output_write(console, path, write_json, estimate);
}
