/* SPDX-License-Identifier: MIT */
/* Reads reports of earlier runs; see baseline.h. Findings are read one by one during the traversal of the file; unknown
 * keys, which later versions may add, are ignored. */
#include "clash/baseline.h"

#include <stdlib.h>
#include <string.h>

#include "clash/comparison.h"
#include "clash/document.h"
#include "text/format.h"
#include "text/name_table.h"

typedef struct old_finding
{
    char *a, *b;
    grz_clash_measures measures;
} old_finding;

struct graze_clash_baseline
{
    graze_context context;
    graze_clash_input input; /* name and hash */
    bool complete, says_graze, says_version;
    double version; /* in 1 the depth was the way out */
    grz_name_table ids;
    old_finding *findings; /* by number of the id */
    size_t capacity;
};

/* A string member that is required. */
static bool take_member(grz_json_document *document, const grz_json_place *parent, const grz_json_node *value,
                        const char *key, const char **out_text)
{
    grz_json_place place = {.parent = parent, .key = key};
    const grz_json_node *item = grz_json_find_member(value, key);
    if (item == NULL)
        return grz_json_refuse(document, parent, "'%s' is missing", key);
    return grz_json_take_text(document, &place, item, out_text);
}

static bool fill_finding(grz_json_document *document, const grz_json_place *place, const grz_json_node *value,
                         old_finding *finding)
{
    const char *a = "", *b = "", *verdict = "";
    grz_clash_measures *then = &finding->measures;
    const grz_json_node *set = grz_json_find_member(value, "set");
    if (!take_member(document, place, value, "a", &a) || !take_member(document, place, value, "b", &b) ||
        !take_member(document, place, value, "verdict", &verdict) ||
        !grz_clash_take_interval(document, place, value, "depth", &then->has_depth, then->depth) ||
        !grz_clash_take_interval(document, place, value, "gap", &then->has_gap, then->gap))
        return false;
    if (!grz_clash_verdict_from_name(verdict, &then->verdict) || then->verdict == GRAZE_CLASH_CLEAR)
        return grz_json_refuse(document, place, "there is no verdict '%s'", verdict);
    then->has_verdict = then->has_set = true;
    then->set_count = set != NULL && set->kind == GRZ_JSON_ARRAY ? (size_t)set->count : 0;
    finding->a = grz_copy_text(document->context, a);
    finding->b = grz_copy_text(document->context, b);
    return (finding->a != NULL && finding->b != NULL) || grz_json_fail_memory(document);
}

static bool read_finding(grz_json_document *document, graze_clash_baseline *baseline, const grz_json_place *place,
                         const grz_json_node *value)
{
    const char *id = "";
    if (value->kind != GRZ_JSON_OBJECT)
        return grz_json_refuse(document, place, "expected an object");
    if (!take_member(document, place, value, "id", &id))
        return false;
    if (grz_names_find(&baseline->ids, id) != GRZ_NO_NAME)
        return grz_json_refuse(document, place, "there is a finding '%s' already", id);
    if (baseline->ids.count == baseline->capacity)
    {
        size_t capacity = baseline->capacity == 0 ? 64 : 2 * baseline->capacity;
        old_finding *larger = grz_reallocate(&baseline->context, baseline->findings, capacity, sizeof *larger);
        if (larger == NULL)
            return grz_json_fail_memory(document);
        baseline->findings = larger;
        baseline->capacity = capacity;
    }
    uint32_t number = grz_names_add(&baseline->context, &baseline->ids, id);
    if (number == GRZ_NO_NAME)
        return grz_json_fail_memory(document);
    baseline->findings[number] = (old_finding){0};
    return fill_finding(document, place, value, &baseline->findings[number]);
}

static bool read_findings(grz_json_document *document, graze_clash_baseline *baseline)
{
    grz_json_place place = {.key = "findings"}, entry = {.parent = &place};
    bool is_there = false;
    if (!grz_json_walk_into(document, '[') || !grz_json_walk_on(document, ']', true, &is_there))
        return false;
    for (; is_there; entry.index++)
    {
        const grz_json_node *value = grz_json_walk_value(document, false);
        if (value == NULL || !read_finding(document, baseline, &entry, value) ||
            !grz_json_walk_on(document, ']', false, &is_there))
            return false;
    }
    return true;
}

static bool read_member(grz_json_document *document, graze_clash_baseline *baseline, const char *key,
                        const grz_json_node *value)
{
    static const char *const words[] = {"clash"};
    grz_json_place place = {.key = key};
    size_t word;
    if (strcmp(key, "graze") == 0)
        return baseline->says_graze = grz_json_take_word(document, &place, value, words, 1, &word);
    if (strcmp(key, "complete") == 0)
        return grz_json_take_bool(document, &place, value, &baseline->complete);
    if (strcmp(key, "version") != 0)
        return true;
    baseline->says_version = grz_json_take_number(document, &place, value, &baseline->version);
    return baseline->says_version &&
           (baseline->version == 1 || baseline->version == 2 ||
            grz_json_refuse(document, &place, "version %g is not known here; this program reads 1 and 2",
                            baseline->version));
}

static bool walk_member(grz_json_document *document, graze_clash_baseline *baseline, bool *has_findings)
{
    const char *key = grz_json_walk_key(document);
    if (key == NULL)
        return false;
    if (strcmp(key, "findings") == 0 && !*has_findings)
    {
        *has_findings = true;
        return read_findings(document, baseline);
    }
    const grz_json_node *value = grz_json_walk_value(document, false);
    return value != NULL && read_member(document, baseline, key, value);
}

static bool walk(grz_json_document *document, graze_clash_baseline *baseline)
{
    bool is_there = false, has_findings = false;
    if (!grz_json_walk_into(document, '{') || !grz_json_walk_on(document, '}', true, &is_there))
        return false;
    while (is_there)
        if (!walk_member(document, baseline, &has_findings) || !grz_json_walk_on(document, '}', false, &is_there))
            return false;
    if (!grz_json_walk_out(document))
        return false;
    if (!baseline->says_graze || !baseline->says_version || !has_findings)
        return grz_json_refuse(document, NULL, "'%s' is missing, so this is no report of graze clash --json",
                               !baseline->says_graze     ? "graze"
                               : !baseline->says_version ? "version"
                                                         : "findings");
    return true;
}

graze_status graze_clash_baseline_create(const graze_context *context, const graze_clash_source *source,
                                         graze_error *error, graze_clash_baseline **out_baseline)
{
    if (source == NULL || out_baseline == NULL || !grz_clash_are_sources(source, 1))
        return grz_error(error, GRAZE_STATUS_BAD_ARGUMENT,
                         "a baseline needs a source with name and text, and a result");
    graze_clash_baseline *baseline = grz_allocate_zeroed(context, 1, sizeof *baseline);
    if (baseline == NULL)
        return grz_error(error, GRAZE_STATUS_OUT_OF_MEMORY, "out of memory");
    baseline->context = grz_context_copy(context);
    grz_clash_document document;
    if (grz_clash_document_open(&baseline->context, source, &baseline->input, &document))
        walk(&document.json, baseline);
    graze_status status = grz_clash_document_close(&document, 0, error);
    for (size_t i = 0; i < baseline->ids.count; i++) /* the version may stand after the findings */
        baseline->findings[i].measures.depth_is_way_out = baseline->version < 2;
    if (status == GRAZE_STATUS_OK)
        *out_baseline = baseline;
    else
        graze_clash_baseline_destroy(baseline);
    return status;
}

void graze_clash_baseline_destroy(graze_clash_baseline *baseline)
{
    if (baseline == NULL)
        return;
    const graze_context context = baseline->context;
    for (size_t i = 0; i < baseline->ids.count; i++)
    {
        grz_release(&context, baseline->findings[i].a);
        grz_release(&context, baseline->findings[i].b);
    }
    grz_names_release(&context, &baseline->ids);
    grz_release(&context, baseline->findings);
    grz_release(&context, (char *)baseline->input.path);
    grz_release(&context, baseline);
}

bool grz_clash_baseline_is_complete(const graze_clash_baseline *baseline)
{
    return baseline->complete;
}

static int compare_resolved(const void *left, const void *right)
{
    const graze_clash_resolved *one = left, *other = right;
    int order = strcmp(one->a, other->a);
    if (order == 0)
        order = strcmp(one->b, other->b);
    return order != 0 ? order : strcmp(one->id, other->id);
}

/* A finding that is worse than an approval allows is not known. */
static graze_clash_state state_of(const graze_clash_baseline *baseline, uint32_t number,
                                  const graze_clash_finding *finding)
{
    if (number == GRZ_NO_NAME)
        return GRAZE_CLASH_NEW;
    bool is_worse = finding->lapsed != NULL || grz_clash_worse(&baseline->findings[number].measures, finding) != NULL;
    return is_worse ? GRAZE_CLASH_WORSE : GRAZE_CLASH_KNOWN;
}

/* Lists findings of the baseline that are missing: those that are hidden now, and, of a complete run, those that are
 * resolved. Both lists have room for all. */
static void list_missing(const graze_clash_baseline *baseline, const grz_clash_hidden_pairs *hidden,
                         const bool *is_there, graze_clash_report *report)
{
    report->resolved_count = report->ignored_now_count = 0;
    for (size_t i = 0; i < baseline->ids.count; i++)
    {
        const old_finding *then = &baseline->findings[i];
        if (is_there[i])
            continue;
        const char *rule = hidden != NULL ? grz_clash_hidden_by(hidden, then->a, then->b, &then->measures) : NULL;
        graze_clash_resolved missing = {baseline->ids.names[i], then->a, then->b, then->measures.verdict, rule};
        if (rule != NULL)
            report->ignored_now[report->ignored_now_count++] = missing;
        else if (report->complete)
            report->resolved[report->resolved_count++] = missing;
    }
    qsort(report->resolved, report->resolved_count, sizeof *report->resolved, compare_resolved);
    qsort(report->ignored_now, report->ignored_now_count, sizeof *report->ignored_now, compare_resolved);
}

bool grz_clash_baseline_apply(const graze_context *context, const graze_clash_baseline *baseline,
                              const grz_clash_hidden_pairs *hidden, graze_clash_report *report)
{
    size_t count = baseline->ids.count;
    bool *is_there = grz_allocate_zeroed(context, count + 1, sizeof *is_there);
    report->resolved = grz_allocate_zeroed(context, count + 1, sizeof *report->resolved);
    report->ignored_now = grz_allocate_zeroed(context, count + 1, sizeof *report->ignored_now);
    if (is_there == NULL || report->resolved == NULL || report->ignored_now == NULL)
    {
        grz_release(context, is_there);
        return false;
    }
    for (size_t i = 0; i < report->finding_count; i++)
    {
        graze_clash_finding *finding = &report->findings[i];
        uint32_t number = grz_names_find(&baseline->ids, finding->id);
        if (number != GRZ_NO_NAME)
            is_there[number] = true;
        if (finding->state != GRAZE_CLASH_APPROVED)
            finding->state = state_of(baseline, number, finding);
    }
    list_missing(baseline, hidden, is_there, report);
    grz_release(context, is_there);
    report->baseline = &baseline->input;
    return true;
}
