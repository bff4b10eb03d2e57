/* SPDX-License-Identifier: MIT */
/* Reads a rules file and sets the defaults; see rules.h. */
#include "clash/rules.h"

#include <stdlib.h>
#include <string.h>

#include "clash/pattern.h"
#include "clash/rules_data.h"

enum
{
    TOP_GRAZE,
    TOP_VERSION,
    TOP_GROUPS,
    TOP_LISTS, /* the four lists, in the order of rule_list */
    TOP_SCHEMA = TOP_LISTS + RULE_LISTS,
    TOP_UNITS,
    TOP_KEYS
};

static const char *const top_keys[TOP_KEYS] = {"graze",    "version", "groups",  "ignore", "limits",
                                               "severity", "approve", "$schema", "units"};

char *copy_text(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (copy != NULL)
        memcpy(copy, text, size);
    return copy;
}

static bool out_of_memory(json_document *document)
{
    return document_fail(document, EXIT_INTERNAL, "out of memory");
}

static json_place top_place(int key)
{
    return (json_place){.key = top_keys[key]};
}

static bool check_format(json_document *document, const cJSON *const *items)
{
    static const char *const words[] = {"rules"};
    json_place places[TOP_KEYS];
    double version = 0;
    size_t word;
    const char *text = "";
    for (int i = 0; i < TOP_KEYS; i++)
        places[i] = top_place(i);
    for (int i = TOP_GRAZE; i <= TOP_VERSION; i++)
        if (items[i] == NULL)
            return document_refuse(document, NULL, "'%s' is missing, so these are no rules", top_keys[i]);
    if (!take_word(document, &places[TOP_GRAZE], items[TOP_GRAZE], words, 1, &word) ||
        !take_number(document, &places[TOP_VERSION], items[TOP_VERSION], &version) ||
        (items[TOP_SCHEMA] != NULL && !take_text(document, &places[TOP_SCHEMA], items[TOP_SCHEMA], &text)) ||
        (items[TOP_UNITS] != NULL && !take_text(document, &places[TOP_UNITS], items[TOP_UNITS], &text)))
        return false;
    return version == 1 || document_refuse(document, &places[TOP_VERSION],
                                           "version %g is not known here; this program reads 1", version);
}

static bool read_group(json_document *document, const json_place *place, const cJSON *value, rule_group *group)
{
    json_place entry = {.parent = place};
    if (!take_array(document, place, value))
        return false;
    size_t count = (size_t)cJSON_GetArraySize(value);
    group->patterns = calloc(count + 1, sizeof *group->patterns);
    group->has_matches = calloc(count + 1, sizeof *group->has_matches);
    if (group->patterns == NULL || group->has_matches == NULL)
        return out_of_memory(document);
    for (const cJSON *item = value->child; item != NULL; item = item->next, entry.index++)
    {
        const char *text = "";
        if (!take_text(document, &entry, item, &text))
            return false;
        const char *fault = text[0] == '@' ? "a group is made of patterns, not of groups" : pattern_fault(text);
        if (fault != NULL)
            return document_refuse(document, &entry, "%s", fault);
        group->patterns[group->count] = copy_text(text);
        if (group->patterns[group->count++] == NULL)
            return out_of_memory(document);
    }
    return true;
}

static bool read_groups(json_document *document, clash_rules *rules, const cJSON *value)
{
    json_place place = top_place(TOP_GROUPS);
    if (value == NULL)
        return true;
    if (!cJSON_IsObject(value))
        return document_refuse(document, &place, "expected an object: lists of patterns by name");
    rules->groups = calloc((size_t)cJSON_GetArraySize(value) + 1, sizeof *rules->groups);
    if (rules->groups == NULL)
        return out_of_memory(document);
    for (const cJSON *item = value->child; item != NULL; item = item->next)
    {
        json_place entry = {.parent = &place, .key = item->string};
        if (item->string[0] == '\0')
            return document_refuse(document, &place, "a group must have a name");
        if (names_find(&rules->group_names, item->string) != NO_NAME)
            return document_refuse(document, &entry, "this key is there twice");
        uint32_t number = names_add(&rules->group_names, item->string);
        if (number == NO_NAME)
            return out_of_memory(document);
        if (!read_group(document, &entry, item, &rules->groups[number]))
            return false;
    }
    return true;
}

/* Counts all entries and finds where the lists begin. */
static bool count_rules(json_document *document, clash_rules *rules, const cJSON *const *items)
{
    size_t count = 0;
    for (int list = 0; list < RULE_LISTS; list++)
    {
        json_place place = top_place(TOP_LISTS + list);
        const cJSON *value = items[TOP_LISTS + list];
        rules->starts[list] = count;
        if (value != NULL && !take_array(document, &place, value))
            return false;
        count += value != NULL ? (size_t)cJSON_GetArraySize(value) : 0;
    }
    rules->starts[RULE_LISTS] = count;
    rules->rules = calloc(count + 1, sizeof *rules->rules);
    return rules->rules != NULL || out_of_memory(document);
}

static bool read_rules(json_document *document, clash_rules *rules, const cJSON *const *items)
{
    for (int list = 0; list < RULE_LISTS; list++)
    {
        json_place place = top_place(TOP_LISTS + list), entry = {.parent = &place};
        const cJSON *value = items[TOP_LISTS + list];
        for (const cJSON *item = value != NULL ? value->child : NULL; item != NULL; item = item->next, entry.index++)
        {
            char name[64];
            clash_rule *rule = &rules->rules[rules->rule_count++];
            rule->list = (rule_list)list;
            rule->index = entry.index;
            snprintf(name, sizeof name, "rules: %s[%zu]", place.key, entry.index);
            rule->name = copy_text(name);
            if (rule->name == NULL)
                return out_of_memory(document);
            if (!rule_read(document, rules, &entry, item, rule))
                return false;
        }
    }
    return true;
}

static bool read_file(json_document *document, clash_rules *rules, const cJSON *root)
{
    const cJSON *items[TOP_KEYS];
    return walk_out(document) && take_members(document, NULL, root, top_keys, TOP_KEYS, items) &&
           check_format(document, items) && read_groups(document, rules, items[TOP_GROUPS]) &&
           count_rules(document, rules, items) && read_rules(document, rules, items);
}

static exit_code load_file(const tool_console *console, const char *path, clash_rules *rules)
{
    json_document document;
    exit_code code = document_open(console, path, &document);
    if (code == 0)
    {
        sha256_text_of(document.text, document.size, rules->hash);
        cJSON *root = walk_value(&document);
        rules->path = copy_text(path);
        if (root != NULL && rules->path == NULL)
            out_of_memory(&document);
        else if (root != NULL)
            read_file(&document, rules, root);
        cJSON_Delete(root);
        code = document.code;
    }
    document_close(&document);
    return code;
}

/* Indexes approvals by id. Of several with one id the first counts. */
static bool index_ids(clash_rules *rules)
{
    size_t count = rules->starts[RULE_LISTS] - rules->starts[RULES_APPROVE];
    rules->id_rules = calloc(count + 1, sizeof *rules->id_rules);
    if (rules->id_rules == NULL)
        return false;
    for (size_t i = rules->starts[RULES_APPROVE]; i < rules->rule_count; i++)
    {
        size_t known = rules->ids.count;
        if (rules->rules[i].kind != RULE_OF_ID)
            continue;
        uint32_t number = names_add(&rules->ids, rules->rules[i].id);
        if (number == NO_NAME)
            return false;
        if (number == known)
            rules->id_rules[number] = (uint32_t)i;
        else
            rules->rules[i].is_used = true; /* the first one counts for it */
    }
    return true;
}

exit_code clash_rules_load(const tool_console *console, const char *path, const clash_tolerances *tolerances,
                           clash_rules **out_rules)
{
    clash_rules *rules = calloc(1, sizeof *rules);
    *out_rules = NULL;
    if (rules == NULL)
        return report_error(console, EXIT_INTERNAL, "out of memory");
    exit_code code = path != NULL ? load_file(console, path, rules) : 0;
    if (code == 0 && !index_ids(rules))
        code = report_error(console, EXIT_INTERNAL, "out of memory");
    if (code != 0)
    {
        clash_rules_release(rules);
        return code;
    }
    rules_set_base(rules, tolerances);
    *out_rules = rules;
    return 0;
}

static void release_rule(clash_rule *rule)
{
    free(rule->name);
    free(rule->reason);
    for (int side = 0; side < 2; side++)
    {
        free(rule->sides[side].text);
        free(rule->sides[side].hint);
    }
}

static void release_group(rule_group *group)
{
    for (size_t i = 0; i < group->count; i++)
        free(group->patterns[i]);
    free(group->patterns);
    free(group->has_matches);
}

void clash_rules_release(clash_rules *rules)
{
    if (rules == NULL)
        return;
    for (size_t i = 0; i < rules->rule_count; i++)
        release_rule(&rules->rules[i]);
    for (size_t i = 0; i < rules->group_names.count; i++)
        release_group(&rules->groups[i]);
    rule_matches_release(&rules->at);
    rules_release_problems(rules);
    names_release(&rules->group_names);
    names_release(&rules->ids);
    free(rules->id_rules);
    free(rules->groups);
    free(rules->rules);
    free(rules->path);
    free(rules);
}

const char *clash_rules_hash(const clash_rules *rules)
{
    return rules->hash;
}
