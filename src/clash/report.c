/* SPDX-License-Identifier: MIT */
/* Names, ids, order and outcome of reports; see report.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clash/report.h"
#include "text/digest.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static const char *const verdict_names[] = {"clear",    "too_close", "touches", "crosses",
                                            "contains", "duplicate", "self",    "undecided"};
static const char *const severity_names[] = {"info", "minor", "major", "critical"};
static const char *const state_names[] = {"new", "known", "worse", "approved"};
static const char *const fail_on_names[] = {"any", "new", "worse"};
static const char *const outcome_names[] = {"clean", "passed", "failed", "incomplete", "nothing"};

const char *graze_clash_undecided_reason(void)
{
    return "whether they cross, or one contains the other, cannot be decided for these meshes";
}

/* The name of a number, or "" if it has none. */
static const char *name_of(int number, const char *const *names, size_t count)
{
    return number >= 0 && (size_t)number < count ? names[number] : "";
}

const char *graze_clash_verdict_name(graze_clash_verdict verdict)
{
    return name_of((int)verdict, verdict_names, COUNT_OF(verdict_names));
}

bool grz_clash_verdict_from_name(const char *name, graze_clash_verdict *out_verdict)
{
    size_t index = 0;
    while (index < COUNT_OF(verdict_names) && strcmp(name, verdict_names[index]) != 0)
        index++;
    if (index < COUNT_OF(verdict_names))
        *out_verdict = (graze_clash_verdict)index;
    return index < COUNT_OF(verdict_names);
}

const char *graze_clash_severity_name(graze_clash_severity severity)
{
    return name_of((int)severity, severity_names, COUNT_OF(severity_names));
}

const char *graze_clash_state_name(graze_clash_state state)
{
    return name_of((int)state, state_names, COUNT_OF(state_names));
}

const char *graze_clash_fail_on_name(graze_clash_fail_on fail_on)
{
    return name_of((int)fail_on, fail_on_names, COUNT_OF(fail_on_names));
}

const char *grz_clash_outcome_name(graze_clash_outcome outcome)
{
    return name_of((int)outcome, outcome_names, COUNT_OF(outcome_names));
}

void grz_clash_make_id(const char *a, const char *b, char out_id[17])
{
    bool swapped = strcmp(a, b) > 0;
    grz_digest at = grz_digest_start();
    grz_digest_add_text(&at, swapped ? b : a);
    grz_digest_add_text(&at, swapped ? a : b);
    grz_digest_end(&at, out_id);
}

typedef struct finding_entry
{
    const char *a, *b;
    size_t index;
    graze_clash_severity severity;
    graze_clash_verdict verdict;
    double depth, gap; /* see depth_of; upper bound of the gap, 0 without one */
    bool nested;       /* one contains the other, or they are the same: before all that cross */
} finding_entry;

static int compare_entries(const void *left, const void *right)
{
    const finding_entry *one = left, *other = right;
    if (one->severity != other->severity)
        return one->severity > other->severity ? -1 : 1;
    if (one->nested != other->nested)
        return one->nested ? -1 : 1;
    if (one->depth != other->depth)
        return one->depth > other->depth ? -1 : 1;
    if (one->gap != other->gap)
        return one->gap < other->gap ? -1 : 1;
    int order = strcmp(one->a, other->a);
    if (order == 0)
        order = strcmp(one->b, other->b);
    return order != 0 ? order : (int)other->verdict - (int)one->verdict;
}

static bool is_nested(const graze_clash_finding *finding)
{
    return finding->verdict == GRAZE_CLASH_CONTAINS || finding->verdict == GRAZE_CLASH_DUPLICATE;
}

/* The certain depth; what has none, of bodies in one another, comes first. */
static double depth_of(const graze_clash_finding *finding)
{
    if (finding->has_depth)
        return finding->depth[0];
    return is_nested(finding) ? INFINITY : 0;
}

/* Moves the findings of one cycle of the permutation in place: a second list of all would be large. */
static void move_cycle(graze_clash_finding *findings, finding_entry *entries, size_t start)
{
    graze_clash_finding first = findings[start];
    size_t at = start;
    while (entries[at].index != start)
    {
        size_t from = entries[at].index;
        findings[at] = findings[from];
        entries[at].index = at;
        at = from;
    }
    findings[at] = first;
    entries[at].index = at;
}

bool grz_clash_sort_findings(const graze_context *context, graze_clash_report *report)
{
    size_t count = report->finding_count;
    finding_entry *entries = grz_allocate(context, count + 1, sizeof *entries);
    if (entries == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
    {
        const graze_clash_finding *finding = &report->findings[i];
        entries[i] = (finding_entry){report->parts[finding->a].name,
                                     report->parts[finding->b].name,
                                     i,
                                     finding->severity,
                                     finding->verdict,
                                     depth_of(finding),
                                     finding->has_gap ? finding->gap[1] : 0,
                                     is_nested(finding)};
    }
    qsort(entries, count, sizeof *entries, compare_entries);
    for (size_t i = 0; i < count; i++)
        move_cycle(report->findings, entries, i);
    grz_release(context, entries);
    return true;
}

typedef struct undecided_entry
{
    const char *a, *b;
    graze_clash_undecided pair;
} undecided_entry;

static int compare_undecided(const void *left, const void *right)
{
    const undecided_entry *one = left, *other = right;
    int order = strcmp(one->a, other->a);
    return order != 0 ? order : strcmp(one->b, other->b);
}

bool grz_clash_sort_undecided(const graze_context *context, graze_clash_report *report)
{
    size_t count = report->undecided_count;
    undecided_entry *entries = grz_allocate(context, count + 1, sizeof *entries);
    if (entries == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
    {
        const graze_clash_undecided *pair = &report->undecided[i];
        entries[i] = (undecided_entry){report->parts[pair->a].name, report->parts[pair->b].name, *pair};
    }
    qsort(entries, count, sizeof *entries, compare_undecided);
    for (size_t i = 0; i < count; i++)
        report->undecided[i] = entries[i].pair;
    grz_release(context, entries);
    return true;
}

bool graze_clash_finding_fails(const graze_clash_report *report, const graze_clash_finding *finding)
{
    if (report == NULL || finding == NULL || finding->state == GRAZE_CLASH_APPROVED ||
        finding->verdict == GRAZE_CLASH_UNDECIDED || finding->tolerated)
        return false;
    switch (report->fail_on)
    {
    case GRAZE_CLASH_FAIL_ON_NEW:
        return finding->state == GRAZE_CLASH_NEW;
    case GRAZE_CLASH_FAIL_ON_WORSE:
        return finding->state == GRAZE_CLASH_NEW || finding->state == GRAZE_CLASH_WORSE;
    case GRAZE_CLASH_FAIL_ON_ANY:
        break;
    }
    return true;
}

graze_clash_tally graze_clash_report_tally(const graze_clash_report *report)
{
    graze_clash_tally tally = {0};
    for (size_t i = 0; report != NULL && i < report->finding_count; i++)
    {
        const graze_clash_finding *finding = &report->findings[i];
        tally.by_severity[finding->severity]++;
        tally.by_state[finding->state]++;
        tally.failing += graze_clash_finding_fails(report, finding);
    }
    return tally;
}

graze_clash_outcome graze_clash_report_outcome(const graze_clash_report *report)
{
    if (report == NULL)
        return GRAZE_CLASH_OUTCOME_NOTHING;
    if (graze_clash_report_tally(report).failing > 0)
        return GRAZE_CLASH_OUTCOME_FAILED;
    const graze_clash_counts *counts = &report->counts;
    if (counts->pairs_culled + counts->pairs_tested + counts->pairs_undecided + counts->selves_tested == 0)
        return GRAZE_CLASH_OUTCOME_NOTHING;
    if (!report->complete)
        return GRAZE_CLASH_OUTCOME_INCOMPLETE;
    return report->finding_count > 0 ? GRAZE_CLASH_OUTCOME_PASSED : GRAZE_CLASH_OUTCOME_CLEAN;
}

graze_clash_details *grz_clash_need_details(const graze_context *context, graze_clash_finding *finding)
{
    if (finding->details == NULL)
        finding->details = grz_allocate_zeroed(context, 1, sizeof *finding->details);
    return finding->details;
}

void grz_clash_release_finding(const graze_context *context, graze_clash_finding *finding)
{
    graze_region_destroy(finding->region);
    grz_release(context, (size_t *)finding->set);
    if (finding->details != NULL)
    {
        grz_release(context, finding->details->open_edges);
        grz_release(context, finding->details->locations);
    }
    grz_release(context, finding->details);
    finding->region = NULL;
    finding->set = NULL;
    finding->details = NULL;
}

void grz_clash_report_release(const graze_context *context, graze_clash_report *report)
{
    for (size_t i = 0; i < report->finding_count; i++)
        grz_clash_release_finding(context, &report->findings[i]);
    grz_release(context, report->findings);
    grz_release(context, report->ignored);
    grz_release(context, report->undecided);
    grz_release(context, report->resolved);
    grz_release(context, report->ignored_now);
    grz_release(context, report->hits);
    grz_release(context, (void *)report->group_names);
    grz_release(context, report->matrix);
    *report = (graze_clash_report){0};
}
