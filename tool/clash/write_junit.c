/* SPDX-License-Identifier: MIT */
/*
 * graze clash as JUnit XML for build servers: one test case per part, which fails when one of its findings does, and
 * one for whether everything was tested. A test case per pair would be millions. Findings that do not fail are in the
 * output of their part.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "clash/output.h"
#include "graze/status.h"
#include "shell/json_writer.h"

/* Findings by part, most severe first. */
typedef struct finding_index
{
    size_t *starts; /* by part; one more than there are parts */
    size_t *findings;
    size_t *order; /* of parts, by name */
} finding_index;

/* XML 1.0 cannot hold most control characters and two other code points, not even escaped. */
static bool is_legal(const unsigned char *at, size_t length)
{
    if (length == 1)
        return *at >= 0x20 || *at == '\n' || *at == '\t' || *at == '\r';
    return !(length == 3 && at[0] == 0xef && at[1] == 0xbf && at[2] >= 0xbe);
}

/* Escapes for attributes and text: line ends become character references, since attributes would lose them. */
static void put_xml(FILE *out, const char *text)
{
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0';)
    {
        size_t length = utf8_length(at);
        if (length == 0)
            fputs("\xef\xbf\xbd", out);
        else if (is_legal(at, length))
        {
            if (length == 1 && strchr("&<>\"'\n\t\r", *at) != NULL)
                fprintf(out, "&#%d;", *at);
            else
                fwrite(at, 1, length, out);
        }
        at += length == 0 ? 1 : length;
    }
}

static void put_attribute(FILE *out, const char *name, const char *value)
{
    fprintf(out, " %s=\"", name);
    put_xml(out, value);
    putc('"', out);
}

static void put_property(FILE *out, const char *name, const char *value)
{
    fputs("      <property", out);
    put_attribute(out, "name", name);
    put_attribute(out, "value", value);
    fputs("/>\n", out);
}

static void put_count_property(FILE *out, const char *name, uint64_t count)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, count);
    put_property(out, name, text);
}

static void put_real_property(FILE *out, const char *name, double number)
{
    char text[32];
    print_real(text, number);
    put_property(out, name, text);
}

static void put_properties(FILE *out, const clash_report *report)
{
    const clash_counts *counts = &report->counts;
    fputs("    <properties>\n", out);
    put_property(out, "graze", graze_version_text());
    for (size_t i = 0; i < report->input_count; i++)
    {
        put_property(out, "input", report->inputs[i].path);
        put_property(out, "input_hash", report->inputs[i].hash);
    }
    if (report->units != NULL)
        put_property(out, "units", report->units);
    put_real_property(out, "clearance", report->clearance);
    put_property(out, "allow_touch", report->allow_touch ? "true" : "false");
    put_real_property(out, "max_depth", report->max_depth);
    if (report->rules_path != NULL)
    {
        put_property(out, "rules", report->rules_path);
        put_property(out, "rules_hash", report->rules_hash);
    }
    put_count_property(out, "parts", counts->parts);
    put_count_property(out, "parts_free", counts->parts_free);
    put_count_property(out, "triangles", counts->triangles);
    put_count_property(out, "pairs_possible", counts->pairs_possible);
    put_count_property(out, "pairs_culled", counts->pairs_culled);
    put_count_property(out, "pairs_tested", counts->pairs_tested);
    put_count_property(out, "pairs_ignored", counts->pairs_ignored);
    put_count_property(out, "pairs_undecided", counts->pairs_undecided);
    put_count_property(out, "findings", report->finding_count);
    fputs("    </properties>\n", out);
}

/* The parts of a finding: two, one for a self-intersection, or all of a set. */
static size_t part_of_finding(const clash_finding *finding, size_t place)
{
    return finding->set != NULL ? finding->set[place] : place == 0 ? finding->a : finding->b;
}

static size_t parts_of_finding(const clash_finding *finding)
{
    return finding->set != NULL ? finding->set_count : finding->a == finding->b ? 1 : 2;
}

typedef struct named_part
{
    const char *name;
    size_t part;
} named_part;

static int compare_names(const void *left, const void *right)
{
    const named_part *one = left, *other = right;
    int order = strcmp(one->name, other->name);
    return order != 0 ? order : one->part < other->part ? -1 : one->part > other->part;
}

static bool sort_parts(finding_index *index, const clash_report *report)
{
    size_t count = report->part_count;
    named_part *named = malloc((count + 1) * sizeof *named);
    index->order = malloc((count + 1) * sizeof *index->order);
    if (named == NULL || index->order == NULL)
    {
        free(named);
        return false;
    }
    for (size_t i = 0; i < count; i++)
        named[i] = (named_part){report->parts[i].name, i};
    qsort(named, count, sizeof *named, compare_names);
    for (size_t i = 0; i < count; i++)
        index->order[i] = named[i].part;
    free(named);
    return true;
}

static bool sort_findings(finding_index *index, const clash_report *report)
{
    size_t total = 0;
    index->starts = calloc(report->part_count + 2, sizeof *index->starts);
    if (index->starts == NULL)
        return false;
    size_t *ends = index->starts + 1; /* counts at first, then the current end of each part's findings */
    for (size_t i = 0; i < report->finding_count; i++)
        for (size_t k = 0; k < parts_of_finding(&report->findings[i]); k++)
            ends[part_of_finding(&report->findings[i], k)]++;
    for (size_t i = 0; i < report->part_count; i++)
    {
        size_t own = ends[i];
        ends[i] = total;
        total += own;
    }
    index->findings = malloc((total + 1) * sizeof *index->findings);
    if (index->findings == NULL)
        return false;
    for (size_t i = 0; i < report->finding_count; i++)
        for (size_t k = 0; k < parts_of_finding(&report->findings[i]); k++)
            index->findings[ends[part_of_finding(&report->findings[i], k)]++] = i;
    return true;
}

static void release_index(finding_index *index)
{
    free(index->starts);
    free(index->findings);
    free(index->order);
}

/* The verb between a part and the other part's name. */
static const char *relation_of(const clash_finding *finding, size_t part)
{
    switch (finding->verdict)
    {
    case CLASH_TOO_CLOSE:
        return "too close to";
    case CLASH_CONTAINS:
        return (finding->a == part) == finding->a_in_b ? "lies in" : "contains";
    case CLASH_DUPLICATE:
        return "duplicate of";
    default:
        return clash_verdict_name(finding->verdict);
    }
}

/* "critical: crosses 'housing', depth 0.5, by default [0123456789abcdef]" */
static void put_line(FILE *out, const clash_report *report, const clash_finding *finding, size_t part)
{
    size_t other = finding->a == part ? finding->b : finding->a;
    if (finding->verdict == CLASH_SELF)
        fprintf(out, "%s: crosses itself", clash_severity_name(finding->severity));
    else
    {
        fprintf(out, "%s: %s &#39;", clash_severity_name(finding->severity), relation_of(finding, part));
        put_xml(out, report->parts[other].name);
        fputs("&#39;", out);
    }
    if (finding->verdict != CLASH_CONTAINS)
    {
        fputs(", ", out);
        put_xml(out, clash_measure(finding).text);
    }
    fputs(", by ", out);
    put_xml(out, finding->rule != NULL ? finding->rule : "default");
    fprintf(out, " [%s]", finding->id);
    if (finding->state != CLASH_NEW)
        fprintf(out, " (%s)", clash_state_name(finding->state));
}

/* All findings of a part that fail, or all that do not. */
static void put_lines(FILE *out, const clash_report *report, const finding_index *index, size_t part, bool failing)
{
    for (size_t i = index->starts[part]; i < index->starts[part + 1]; i++)
    {
        const clash_finding *finding = &report->findings[index->findings[i]];
        if (clash_fails(report, finding) != failing)
            continue;
        put_line(out, report, finding, part);
        putc('\n', out);
    }
}

typedef struct part_findings
{
    size_t failing, others;
    const clash_finding *first; /* first that fails */
} part_findings;

static part_findings findings_of(const clash_report *report, const finding_index *index, size_t part)
{
    part_findings result = {0};
    for (size_t i = index->starts[part]; i < index->starts[part + 1]; i++)
    {
        const clash_finding *finding = &report->findings[index->findings[i]];
        if (!clash_fails(report, finding))
            result.others++;
        else if (result.failing++ == 0)
            result.first = finding;
    }
    return result;
}

static void put_part(FILE *out, const clash_report *report, const finding_index *index, size_t part)
{
    part_findings found = findings_of(report, index, part);
    fputs("    <testcase", out);
    put_attribute(out, "classname", report->parts[part].file);
    put_attribute(out, "name", report->parts[part].name);
    if (found.failing + found.others == 0)
    {
        fputs("/>\n", out);
        return;
    }
    fputs(">\n", out);
    if (found.first != NULL)
    {
        fprintf(out, "      <failure type=\"%s\" message=\"", clash_verdict_name(found.first->verdict));
        put_line(out, report, found.first, part);
        if (found.failing > 1)
            fprintf(out, ", and %zu more", found.failing - 1);
        fputs("\">", out);
        put_lines(out, report, index, part, true);
        fputs("</failure>\n", out);
    }
    if (found.others > 0)
    {
        fputs("      <system-out>", out);
        put_lines(out, report, index, part, false);
        fputs("</system-out>\n", out);
    }
    fputs("    </testcase>\n", out);
}

static void put_assembly(FILE *out, const clash_report *report)
{
    clash_phrase shortfall = clash_shortfall(report);
    fputs("    <testcase classname=\"graze clash\" name=\"everything was checked\">\n", out);
    if (shortfall.text[0] != '\0')
    {
        fputs("      <error type=\"incomplete\"", out);
        put_attribute(out, "message", shortfall.text);
        fputs("/>\n", out);
    }
    fputs("      <system-out>", out);
    for (size_t i = 0; i < report->problem_count; i++)
    {
        put_xml(out, report->problems[i].part);
        fputs(": ", out);
        put_xml(out, report->problems[i].what);
        putc('\n', out);
    }
    for (size_t i = 0; i < report->undecided_count; i++)
    {
        put_xml(out, report->parts[report->undecided[i].a].name);
        fputs(" + ", out);
        put_xml(out, report->parts[report->undecided[i].b].name);
        fprintf(out, ": undecided: %s\n", clash_undecided_reason);
    }
    for (size_t i = 0; i < report->ignored_count; i++)
    {
        put_xml(out, report->ignored[i].rule);
        fprintf(out, ": %" PRIu64 " ignored: ", report->ignored[i].count);
        put_xml(out, report->ignored[i].reason != NULL ? report->ignored[i].reason : "");
        putc('\n', out);
    }
    fputs("</system-out>\n    </testcase>\n", out);
}

bool clash_write_junit(const clash_report *report, FILE *out)
{
    finding_index index = {0};
    bool fits = sort_parts(&index, report) && sort_findings(&index, report);
    if (fits)
    {
        size_t failures = 0;
        for (size_t i = 0; i < report->part_count; i++)
            failures += findings_of(report, &index, i).failing > 0;
        char counts[128];
        snprintf(counts, sizeof counts, "name=\"graze clash\" tests=\"%zu\" failures=\"%zu\" errors=\"%d\"",
                 report->part_count + 1, failures, clash_shortfall(report).text[0] != '\0');
        fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites %s>\n  <testsuite %s>\n", counts, counts);
        put_properties(out, report);
        put_assembly(out, report);
        for (size_t i = 0; i < report->part_count; i++)
            put_part(out, report, &index, index.order[i]);
        fputs("  </testsuite>\n</testsuites>\n", out);
    }
    release_index(&index);
    return fits;
}
