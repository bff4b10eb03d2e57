/* SPDX-License-Identifier: MIT */
/* Reads reports of earlier runs; see baseline.h. Findings are read one by one during the traversal of the file; unknown
 * keys, which later versions may add, are ignored. */
#include "clash/baseline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "shell/json_document.h"
#include "shell/name_table.h"

typedef struct old_finding
{
    char *a, *b;
    clash_verdict verdict;
    bool has_depth, has_gap;
    double depth[2], gap[2];
    size_t set_count;
} old_finding;

struct clash_baseline
{
    char *path;
    char hash[SHA256_TEXT_SIZE];
    bool complete, says_graze, says_version;
    name_table ids;
    old_finding *findings; /* by number of the id */
    size_t capacity;
};

static bool out_of_memory(json_document *document)
{
    return document_fail(document, EXIT_INTERNAL, "out of memory");
}

static char *copy_of(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (copy != NULL)
        memcpy(copy, text, size);
    return copy;
}

/* A string member that is required. */
static bool take_member(json_document *document, const json_place *parent, const cJSON *value, const char *key,
                        const char **out_text)
{
    json_place place = {.parent = parent, .key = key};
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(value, key);
    if (item == NULL)
        return document_refuse(document, parent, "'%s' is missing", key);
    return take_text(document, &place, item, out_text);
}

/* [lower, upper], null, or missing; a bound that is null is missing. */
static bool take_interval(json_document *document, const json_place *parent, const cJSON *value, const char *key,
                          bool *out_is_there, double out_interval[2])
{
    json_place place = {.parent = parent, .key = key}, entry = {.parent = &place};
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(value, key), *bound;
    *out_is_there = item != NULL && !cJSON_IsNull(item);
    if (!*out_is_there)
        return true;
    if (!cJSON_IsArray(item) || cJSON_GetArraySize(item) != 2)
        return document_refuse(document, &place, "expected null or a list of 2 numbers");
    cJSON_ArrayForEach(bound, item)
    {
        out_interval[entry.index] = entry.index == 0 ? 0 : INFINITY;
        if (!cJSON_IsNull(bound) && !take_number(document, &entry, bound, &out_interval[entry.index]))
            return false;
        entry.index++;
    }
    return true;
}

static bool fill_finding(json_document *document, const json_place *place, const cJSON *value, old_finding *finding)
{
    const char *a = "", *b = "", *verdict = "";
    const cJSON *set = cJSON_GetObjectItemCaseSensitive(value, "set");
    if (!take_member(document, place, value, "a", &a) || !take_member(document, place, value, "b", &b) ||
        !take_member(document, place, value, "verdict", &verdict) ||
        !take_interval(document, place, value, "depth", &finding->has_depth, finding->depth) ||
        !take_interval(document, place, value, "gap", &finding->has_gap, finding->gap))
        return false;
    if (!clash_verdict_from_name(verdict, &finding->verdict) || finding->verdict == CLASH_CLEAR)
        return document_refuse(document, place, "there is no verdict '%s'", verdict);
    finding->set_count = cJSON_IsArray(set) ? (size_t)cJSON_GetArraySize(set) : 0;
    finding->a = copy_of(a);
    finding->b = copy_of(b);
    return (finding->a != NULL && finding->b != NULL) || out_of_memory(document);
}

static bool read_finding(json_document *document, clash_baseline *baseline, const json_place *place, const cJSON *value)
{
    const char *id = "";
    if (!cJSON_IsObject(value))
        return document_refuse(document, place, "expected an object");
    if (!take_member(document, place, value, "id", &id))
        return false;
    if (names_find(&baseline->ids, id) != NO_NAME)
        return document_refuse(document, place, "there is a finding '%s' already", id);
    if (baseline->ids.count == baseline->capacity)
    {
        size_t capacity = baseline->capacity == 0 ? 64 : 2 * baseline->capacity;
        old_finding *larger = realloc(baseline->findings, capacity * sizeof *larger);
        if (larger == NULL)
            return out_of_memory(document);
        baseline->findings = larger;
        baseline->capacity = capacity;
    }
    uint32_t number = names_add(&baseline->ids, id);
    if (number == NO_NAME)
        return out_of_memory(document);
    baseline->findings[number] = (old_finding){0};
    return fill_finding(document, place, value, &baseline->findings[number]);
}

static bool read_findings(json_document *document, clash_baseline *baseline)
{
    json_place place = {.key = "findings"}, entry = {.parent = &place};
    bool is_there = false;
    if (!walk_into(document, '[') || !walk_on(document, ']', true, &is_there))
        return false;
    for (; is_there; entry.index++)
    {
        cJSON *value = walk_value(document);
        bool fits = value != NULL && read_finding(document, baseline, &entry, value);
        cJSON_Delete(value);
        if (!fits || !walk_on(document, ']', false, &is_there))
            return false;
    }
    return true;
}

static bool read_member(json_document *document, clash_baseline *baseline, const char *key, const cJSON *value)
{
    static const char *const words[] = {"clash"};
    json_place place = {.key = key};
    size_t word;
    double version = 0;
    if (strcmp(key, "graze") == 0)
        return baseline->says_graze = take_word(document, &place, value, words, 1, &word);
    if (strcmp(key, "complete") == 0)
        return take_bool(document, &place, value, &baseline->complete);
    if (strcmp(key, "version") != 0)
        return true;
    baseline->says_version = take_number(document, &place, value, &version);
    return baseline->says_version && (version == 1 || document_refuse(document, &place,
                                                                      "version %g is not known here; this program "
                                                                      "reads 1",
                                                                      version));
}

static bool walk_member(json_document *document, clash_baseline *baseline, bool *has_findings)
{
    cJSON *key = walk_key(document);
    if (key == NULL)
        return false;
    bool fits;
    if (strcmp(key->valuestring, "findings") == 0 && !*has_findings)
    {
        *has_findings = true;
        fits = read_findings(document, baseline);
    }
    else
    {
        cJSON *value = walk_value(document);
        fits = value != NULL && read_member(document, baseline, key->valuestring, value);
        cJSON_Delete(value);
    }
    cJSON_Delete(key);
    return fits;
}

static bool walk(json_document *document, clash_baseline *baseline)
{
    bool is_there = false, has_findings = false;
    if (!walk_into(document, '{') || !walk_on(document, '}', true, &is_there))
        return false;
    while (is_there)
        if (!walk_member(document, baseline, &has_findings) || !walk_on(document, '}', false, &is_there))
            return false;
    if (!walk_out(document))
        return false;
    if (!baseline->says_graze || !baseline->says_version || !has_findings)
        return document_refuse(document, NULL, "'%s' is missing, so this is no report of graze clash --json",
                               !baseline->says_graze     ? "graze"
                               : !baseline->says_version ? "version"
                                                         : "findings");
    return true;
}

exit_code clash_baseline_load(const tool_console *console, const char *path, clash_baseline **out_baseline)
{
    json_document document;
    clash_baseline *baseline = calloc(1, sizeof *baseline);
    *out_baseline = NULL;
    if (baseline == NULL)
        return report_error(console, EXIT_INTERNAL, "out of memory");
    exit_code code = document_open(console, path, &document);
    if (code == 0)
    {
        sha256_text_of(document.text, document.size, baseline->hash);
        baseline->path = copy_of(path);
        if (baseline->path == NULL)
            out_of_memory(&document);
        else
            walk(&document, baseline);
        code = document.code;
    }
    document_close(&document);
    if (code != 0)
        clash_baseline_release(baseline);
    else
        *out_baseline = baseline;
    return code;
}

void clash_baseline_release(clash_baseline *baseline)
{
    if (baseline == NULL)
        return;
    for (size_t i = 0; i < baseline->ids.count; i++)
    {
        free(baseline->findings[i].a);
        free(baseline->findings[i].b);
    }
    names_release(&baseline->ids);
    free(baseline->findings);
    free(baseline->path);
    free(baseline);
}

bool clash_baseline_is_complete(const clash_baseline *baseline)
{
    return baseline->complete;
}

static bool is_worse(const old_finding *then, const clash_finding *now)
{
    if (now->verdict != then->verdict)
        return now->verdict > then->verdict;
    if (now->has_depth && then->has_depth && now->depth[0] > then->depth[1])
        return true;
    if (now->has_gap && then->has_gap && now->gap[1] < then->gap[0])
        return true;
    return now->set_count > then->set_count;
}

static int compare_resolved(const void *left, const void *right)
{
    const clash_resolved *one = left, *other = right;
    int order = strcmp(one->a, other->a);
    if (order == 0)
        order = strcmp(one->b, other->b);
    return order != 0 ? order : strcmp(one->id, other->id);
}

bool clash_baseline_apply(const clash_baseline *baseline, clash_report *report)
{
    size_t count = baseline->ids.count;
    bool *is_there = calloc(count + 1, sizeof *is_there);
    clash_resolved *resolved = calloc(count + 1, sizeof *resolved);
    if (is_there == NULL || resolved == NULL)
    {
        free(is_there);
        free(resolved);
        return false;
    }
    for (size_t i = 0; i < report->finding_count; i++)
    {
        clash_finding *finding = &report->findings[i];
        uint32_t number = names_find(&baseline->ids, finding->id);
        if (number != NO_NAME)
            is_there[number] = true;
        if (finding->state != CLASH_APPROVED)
            finding->state = number == NO_NAME                                ? CLASH_NEW
                             : is_worse(&baseline->findings[number], finding) ? CLASH_WORSE
                                                                              : CLASH_KNOWN;
    }
    report->resolved_count = 0;
    for (size_t i = 0; i < count && report->complete; i++)
    {
        const old_finding *then = &baseline->findings[i];
        if (!is_there[i])
            resolved[report->resolved_count++] =
                (clash_resolved){baseline->ids.names[i], then->a, then->b, then->verdict};
    }
    qsort(resolved, report->resolved_count, sizeof *resolved, compare_resolved);
    free(is_there);
    report->resolved = resolved;
    report->baseline_path = baseline->path;
    memcpy(report->baseline_hash, baseline->hash, sizeof report->baseline_hash);
    return true;
}
