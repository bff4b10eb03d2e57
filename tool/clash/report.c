/* SPDX-License-Identifier: MIT */
/* Names, ids, order and outcome of reports; see report.h. */
#include <stdlib.h>
#include <string.h>

#include "clash/report.h"
#include "shell/digest.h"

const char clash_undecided_reason[] =
    "whether they cross, or one contains the other, cannot be decided for these meshes";

static const char *const verdict_names[] = {"clear",    "too_close", "touches", "crosses",
                                            "contains", "duplicate", "self"};
static const char *const severity_names[] = {"info", "minor", "major", "critical"};
static const char *const state_names[] = {"new", "known", "worse", "approved"};
static const char *const fail_on_names[] = {"any", "new", "worse"};

/* The index of a name, or `count`. */
static size_t index_of(const char *name, const char *const *names, size_t count)
{
    size_t index = 0;
    while (index < count && strcmp(name, names[index]) != 0)
        index++;
    return index;
}

const char *clash_verdict_name(clash_verdict verdict)
{
    return verdict_names[verdict];
}

bool clash_verdict_from_name(const char *name, clash_verdict *out_verdict)
{
    size_t index = index_of(name, verdict_names, COUNT_OF(verdict_names));
    if (index < COUNT_OF(verdict_names))
        *out_verdict = (clash_verdict)index;
    return index < COUNT_OF(verdict_names);
}

const char *clash_severity_name(clash_severity severity)
{
    return severity_names[severity];
}

bool clash_severity_from_name(const char *name, clash_severity *out_severity)
{
    size_t index = index_of(name, severity_names, COUNT_OF(severity_names));
    if (index < COUNT_OF(severity_names))
        *out_severity = (clash_severity)index;
    return index < COUNT_OF(severity_names);
}

const char *clash_state_name(clash_state state)
{
    return state_names[state];
}

const char *clash_fail_on_name(clash_fail_on fail_on)
{
    return fail_on_names[fail_on];
}

bool clash_fail_on_from_name(const char *name, clash_fail_on *out_fail_on)
{
    size_t index = index_of(name, fail_on_names, COUNT_OF(fail_on_names));
    if (index < COUNT_OF(fail_on_names))
        *out_fail_on = (clash_fail_on)index;
    return index < COUNT_OF(fail_on_names);
}

void clash_make_id(const char *a, const char *b, char out_id[17])
{
    bool swapped = strcmp(a, b) > 0;
    digest at = digest_start();
    digest_add_text(&at, swapped ? b : a);
    digest_add_text(&at, swapped ? a : b);
    digest_end(&at, out_id);
}

typedef struct sort_entry
{
    const char *a, *b;
    size_t index;
    clash_severity severity;
    clash_verdict verdict;
} sort_entry;

static int compare_entries(const void *left, const void *right)
{
    const sort_entry *one = left, *other = right;
    if (one->severity != other->severity)
        return one->severity > other->severity ? -1 : 1;
    int order = strcmp(one->a, other->a);
    if (order == 0)
        order = strcmp(one->b, other->b);
    return order != 0 ? order : (int)other->verdict - (int)one->verdict;
}

/* Moves the findings of one cycle of the permutation in place: a second list of all would be large. */
static void move_cycle(clash_finding *findings, sort_entry *entries, size_t start)
{
    clash_finding first = findings[start];
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

bool clash_sort_findings(clash_report *report)
{
    size_t count = report->finding_count;
    sort_entry *entries = malloc((count + 1) * sizeof *entries);
    if (entries == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
    {
        const clash_finding *finding = &report->findings[i];
        entries[i] = (sort_entry){report->parts[finding->a].name, report->parts[finding->b].name, i, finding->severity,
                                  finding->verdict};
    }
    qsort(entries, count, sizeof *entries, compare_entries);
    for (size_t i = 0; i < count; i++)
        move_cycle(report->findings, entries, i);
    free(entries);
    return true;
}

typedef struct undecided_entry
{
    const char *a, *b;
    clash_undecided pair;
} undecided_entry;

static int compare_undecided(const void *left, const void *right)
{
    const undecided_entry *one = left, *other = right;
    int order = strcmp(one->a, other->a);
    return order != 0 ? order : strcmp(one->b, other->b);
}

bool clash_sort_undecided(clash_report *report)
{
    size_t count = report->undecided_count;
    undecided_entry *entries = malloc((count + 1) * sizeof *entries);
    if (entries == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
    {
        const clash_undecided *pair = &report->undecided[i];
        entries[i] = (undecided_entry){report->parts[pair->a].name, report->parts[pair->b].name, *pair};
    }
    qsort(entries, count, sizeof *entries, compare_undecided);
    for (size_t i = 0; i < count; i++)
        report->undecided[i] = entries[i].pair;
    free(entries);
    return true;
}

bool clash_fails(const clash_report *report, const clash_finding *finding)
{
    if (finding->state == CLASH_APPROVED)
        return false;
    switch (report->fail_on)
    {
    case CLASH_FAIL_ON_NEW:
        return finding->state == CLASH_NEW;
    case CLASH_FAIL_ON_WORSE:
        return finding->state == CLASH_NEW || finding->state == CLASH_WORSE;
    case CLASH_FAIL_ON_ANY:
        break;
    }
    return true;
}

clash_tally clash_count_findings(const clash_report *report)
{
    clash_tally tally = {0};
    for (size_t i = 0; i < report->finding_count; i++)
    {
        const clash_finding *finding = &report->findings[i];
        tally.by_severity[finding->severity]++;
        tally.by_state[finding->state]++;
        tally.failing += clash_fails(report, finding);
    }
    return tally;
}

clash_outcome clash_outcome_of(const clash_report *report)
{
    if (clash_count_findings(report).failing > 0)
        return CLASH_OUTCOME_FAILED;
    const clash_counts *counts = &report->counts;
    if (counts->pairs_culled + counts->pairs_tested + counts->pairs_undecided + counts->selves_tested == 0)
        return CLASH_OUTCOME_NOTHING;
    if (!report->complete)
        return CLASH_OUTCOME_INCOMPLETE;
    return report->finding_count > 0 ? CLASH_OUTCOME_PASSED : CLASH_OUTCOME_CLEAN;
}

exit_code clash_exit_code(const clash_report *report)
{
    switch (clash_outcome_of(report))
    {
    case CLASH_OUTCOME_CLEAN:
    case CLASH_OUTCOME_PASSED:
        return EXIT_NOTHING_FOUND;
    case CLASH_OUTCOME_FAILED:
        return EXIT_FOUND;
    case CLASH_OUTCOME_INCOMPLETE:
    case CLASH_OUTCOME_NOTHING:
        break;
    }
    return EXIT_INCOMPLETE;
}
