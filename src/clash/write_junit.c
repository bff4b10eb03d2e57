/* SPDX-License-Identifier: MIT */
/*
 * A report as JUnit XML for build servers: one test case per part, which fails when one of its findings does, and
 * one for whether everything was tested. A test case per pair would be millions. Findings that do not fail are in the
 * output of their part.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clash/store.h"
#include "clash/write.h"
#include "clash/xml.h"
#include "text/number.h"

/* Findings by part, most severe first. */
typedef struct finding_index
{
    size_t *starts; /* by part; one more than there are parts */
    size_t *findings;
    size_t *order; /* of parts, by name */
} finding_index;

static void put_property(grz_sink *out, const char *name, const char *value)
{
    grz_sink_text(out, "      <property");
    grz_xml_put_attribute(out, "name", name);
    grz_xml_put_attribute(out, "value", value);
    grz_sink_text(out, "/>\n");
}

static void put_count_property(grz_sink *out, const char *name, uint64_t count)
{
    char text[GRZ_NUMBER_SIZE];
    text[grz_integer_print(count, text)] = '\0';
    put_property(out, name, text);
}

static void put_real_property(grz_sink *out, const char *name, double number)
{
    char text[32];
    grz_real_print(number, text);
    put_property(out, name, text);
}

static void put_properties(grz_sink *out, const graze_clash_report *report)
{
    const graze_clash_counts *counts = &report->counts;
    grz_sink_text(out, "    <properties>\n");
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
    for (size_t i = 0; i < report->rules_count; i++)
    {
        put_property(out, "rules", report->rules[i].path);
        put_property(out, "rules_hash", report->rules[i].hash);
    }
    put_count_property(out, "parts", counts->parts);
    put_count_property(out, "parts_free", counts->parts_free);
    put_count_property(out, "triangles", counts->triangles);
    put_count_property(out, "pairs_possible", counts->pairs_possible);
    put_count_property(out, "pairs_culled", counts->pairs_culled);
    put_count_property(out, "pairs_tested", counts->pairs_tested);
    put_count_property(out, "pairs_ignored", counts->pairs_ignored);
    put_count_property(out, "pairs_undecided", counts->pairs_undecided);
    put_count_property(out, "resolution_changed", counts->resolution_changed);
    put_count_property(out, "findings", report->finding_count);
    grz_sink_text(out, "    </properties>\n");
}

/* The parts of a finding: two, one for a self-intersection, or all of a set. */
static size_t part_of_finding(const graze_clash_finding *finding, size_t place)
{
    return finding->set != NULL ? finding->set[place] : place == 0 ? finding->a : finding->b;
}

static size_t parts_of_finding(const graze_clash_finding *finding)
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

static bool sort_parts(finding_index *index, const graze_clash_report *report)
{
    const graze_context *context = grz_clash_context(report);
    size_t count = report->part_count;
    named_part *named = grz_allocate(context, count + 1, sizeof *named);
    index->order = grz_allocate(context, count + 1, sizeof *index->order);
    if (named == NULL || index->order == NULL)
    {
        grz_release(context, named);
        return false;
    }
    for (size_t i = 0; i < count; i++)
        named[i] = (named_part){report->parts[i].name, i};
    qsort(named, count, sizeof *named, compare_names);
    for (size_t i = 0; i < count; i++)
        index->order[i] = named[i].part;
    grz_release(context, named);
    return true;
}

static bool sort_findings(finding_index *index, const graze_clash_report *report)
{
    const graze_context *context = grz_clash_context(report);
    size_t total = 0;
    index->starts = grz_allocate_zeroed(context, report->part_count + 2, sizeof *index->starts);
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
    index->findings = grz_allocate(context, total + 1, sizeof *index->findings);
    if (index->findings == NULL)
        return false;
    for (size_t i = 0; i < report->finding_count; i++)
        for (size_t k = 0; k < parts_of_finding(&report->findings[i]); k++)
            index->findings[ends[part_of_finding(&report->findings[i], k)]++] = i;
    return true;
}

static void release_index(const graze_context *context, finding_index *index)
{
    grz_release(context, index->starts);
    grz_release(context, index->findings);
    grz_release(context, index->order);
}

/* The verb between a part and the other part's name. */
static const char *relation_of(const graze_clash_finding *finding, size_t part)
{
    switch (finding->verdict)
    {
    case GRAZE_CLASH_TOO_CLOSE:
        return "too close to";
    case GRAZE_CLASH_CONTAINS:
        return (finding->a == part) == finding->a_in_b ? "lies in" : "contains";
    case GRAZE_CLASH_DUPLICATE:
        return "duplicate of";
    case GRAZE_CLASH_UNDECIDED:
        return "undecided against";
    default:
        return graze_clash_verdict_name(finding->verdict);
    }
}

/* "critical: crosses 'housing', depth 0.5, by default [0123456789abcdef]" */
static void put_line(grz_sink *out, const graze_clash_report *report, const graze_clash_finding *finding, size_t part)
{
    size_t other = finding->a == part ? finding->b : finding->a;
    if (finding->verdict == GRAZE_CLASH_SELF)
        grz_sink_format(out, "%s: crosses itself", graze_clash_severity_name(finding->severity));
    else
    {
        grz_sink_format(out, "%s: %s &#39;", graze_clash_severity_name(finding->severity), relation_of(finding, part));
        grz_xml_put(out, report->parts[other].name);
        grz_sink_text(out, "&#39;");
    }
    if (finding->verdict != GRAZE_CLASH_CONTAINS)
    {
        grz_sink_text(out, ", ");
        grz_xml_put(out, graze_clash_finding_measure(finding).text);
    }
    grz_sink_text(out, ", by ");
    grz_xml_put(out, finding->rule != NULL ? finding->rule : "default");
    grz_sink_format(out, " [%s]", finding->id);
    if (finding->state != GRAZE_CLASH_NEW)
        grz_sink_format(out, " (%s)", graze_clash_state_name(finding->state));
}

/* All findings of a part that fail, or all that do not. */
static void put_lines(grz_sink *out, const graze_clash_report *report, const finding_index *index, size_t part,
                      bool failing)
{
    for (size_t i = index->starts[part]; i < index->starts[part + 1]; i++)
    {
        const graze_clash_finding *finding = &report->findings[index->findings[i]];
        if (graze_clash_finding_fails(report, finding) != failing)
            continue;
        put_line(out, report, finding, part);
        grz_sink_byte(out, '\n');
    }
}

typedef struct part_findings
{
    size_t failing, others;
    const graze_clash_finding *first; /* first that fails */
} part_findings;

static part_findings findings_of(const graze_clash_report *report, const finding_index *index, size_t part)
{
    part_findings result = {0};
    for (size_t i = index->starts[part]; i < index->starts[part + 1]; i++)
    {
        const graze_clash_finding *finding = &report->findings[index->findings[i]];
        if (!graze_clash_finding_fails(report, finding))
            result.others++;
        else if (result.failing++ == 0)
            result.first = finding;
    }
    return result;
}

static void put_part(grz_sink *out, const graze_clash_report *report, const finding_index *index, size_t part)
{
    part_findings found = findings_of(report, index, part);
    grz_sink_text(out, "    <testcase");
    grz_xml_put_attribute(out, "classname", report->parts[part].file != NULL ? report->parts[part].file : "");
    grz_xml_put_attribute(out, "name", report->parts[part].name);
    if (found.failing + found.others == 0)
    {
        grz_sink_text(out, "/>\n");
        return;
    }
    grz_sink_text(out, ">\n");
    if (found.first != NULL)
    {
        grz_sink_format(out, "      <failure type=\"%s\" message=\"", graze_clash_verdict_name(found.first->verdict));
        put_line(out, report, found.first, part);
        if (found.failing > 1)
            grz_sink_format(out, ", and %zu more", found.failing - 1);
        grz_sink_text(out, "\">");
        put_lines(out, report, index, part, true);
        grz_sink_text(out, "</failure>\n");
    }
    if (found.others > 0)
    {
        grz_sink_text(out, "      <system-out>");
        put_lines(out, report, index, part, false);
        grz_sink_text(out, "</system-out>\n");
    }
    grz_sink_text(out, "    </testcase>\n");
}

static void put_assembly(grz_sink *out, const graze_clash_report *report)
{
    graze_clash_phrase shortfall = graze_clash_report_shortfall(report);
    grz_sink_text(out, "    <testcase classname=\"graze clash\" name=\"everything was checked\">\n");
    if (shortfall.text[0] != '\0')
    {
        grz_sink_text(out, "      <error type=\"incomplete\"");
        grz_xml_put_attribute(out, "message", shortfall.text);
        grz_sink_text(out, "/>\n");
    }
    grz_sink_text(out, "      <system-out>");
    for (size_t i = 0; i < report->problem_count; i++)
    {
        grz_xml_put(out, report->problems[i].part);
        grz_sink_text(out, ": ");
        grz_xml_put(out, report->problems[i].what);
        grz_sink_byte(out, '\n');
    }
    for (size_t i = 0; i < report->undecided_count; i++)
    {
        grz_xml_put(out, report->parts[report->undecided[i].a].name);
        grz_sink_text(out, " + ");
        grz_xml_put(out, report->parts[report->undecided[i].b].name);
        grz_sink_format(out, ": undecided: %s\n", report->undecided[i].why);
    }
    for (size_t i = 0; i < report->ignored_count; i++)
    {
        grz_xml_put(out, report->ignored[i].rule);
        grz_sink_format(out, ": %" PRIu64 " ignored: ", report->ignored[i].count);
        grz_xml_put(out, report->ignored[i].reason != NULL ? report->ignored[i].reason : "");
        grz_sink_byte(out, '\n');
    }
    grz_sink_text(out, "</system-out>\n    </testcase>\n");
}

static bool write_document(const graze_clash_report *report, grz_sink *out)
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
                 report->part_count + 1, failures, graze_clash_report_shortfall(report).text[0] != '\0');
        grz_sink_format(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites %s>\n  <testsuite %s>\n", counts,
                        counts);
        put_properties(out, report);
        put_assembly(out, report);
        for (size_t i = 0; i < report->part_count; i++)
            put_part(out, report, &index, index.order[i]);
        grz_sink_text(out, "  </testsuite>\n</testsuites>\n");
    }
    release_index(grz_clash_context(report), &index);
    return fits;
}

graze_status graze_clash_write_junit(const graze_clash_report *report, graze_clash_write_function write, void *user)
{
    return grz_clash_write(report, write, user, write_document);
}
