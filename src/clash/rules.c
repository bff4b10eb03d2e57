/* SPDX-License-Identifier: MIT */
/* Reads documents of rules, and makes the rules of a run; see rules.h. */
#include "clash/rules.h"

#include <stdio.h>
#include <string.h>

#include "clash/document.h"
#include "clash/rules_data.h"
#include "text/format.h"
#include "text/normalization.h"
#include "text/pattern.h"

enum
{
    TOP_GRAZE,
    TOP_VERSION,
    TOP_GROUPS,
    TOP_LISTS, /* the four lists, in the order of grz_clash_rule_list */
    TOP_SCHEMA = TOP_LISTS + GRZ_RULE_LISTS,
    TOP_UNITS,
    TOP_REVIEW,
    TOP_SURFACES,
    TOP_KEYS
};

static const char *const top_keys[TOP_KEYS] = {"graze",   "version", "groups", "ignore", "limits",  "severity",
                                               "approve", "$schema", "units",  "review", "surfaces"};

static grz_json_place top_place(int key)
{
    return (grz_json_place){.key = top_keys[key]};
}

static bool check_format(grz_json_document *document, const grz_json_node *const *items)
{
    static const char *const words[] = {"rules"};
    grz_json_place places[TOP_KEYS];
    double version = 0;
    size_t word;
    const char *text = "";
    for (int i = 0; i < TOP_KEYS; i++)
        places[i] = top_place(i);
    for (int i = TOP_GRAZE; i <= TOP_VERSION; i++)
        if (items[i] == NULL)
            return grz_json_refuse(document, NULL, "'%s' is missing, so these are no rules", top_keys[i]);
    if (!grz_json_take_word(document, &places[TOP_GRAZE], items[TOP_GRAZE], words, 1, &word) ||
        !grz_json_take_number(document, &places[TOP_VERSION], items[TOP_VERSION], &version) ||
        (items[TOP_SCHEMA] != NULL && !grz_json_take_text(document, &places[TOP_SCHEMA], items[TOP_SCHEMA], &text)) ||
        (items[TOP_UNITS] != NULL && !grz_json_take_text(document, &places[TOP_UNITS], items[TOP_UNITS], &text)))
        return false;
    return version == 1 || grz_json_refuse(document, &places[TOP_VERSION],
                                           "version %g is not known here; this program reads 1", version);
}

static bool read_group(grz_json_document *document, const grz_json_place *place, const grz_json_node *value,
                       grz_clash_rule_group *group)
{
    grz_json_place entry = {.parent = place};
    if (!grz_json_take_array(document, place, value))
        return false;
    group->patterns = grz_allocate_zeroed(document->context, (size_t)value->count + 1, sizeof *group->patterns);
    if (group->patterns == NULL)
        return grz_json_fail_memory(document);
    for (const grz_json_node *item = value->child; item != NULL; item = item->next, entry.index++)
    {
        const char *text = "";
        if (!grz_json_take_text(document, &entry, item, &text))
            return false;
        const char *fault = text[0] == '@' ? "a group is made of patterns, not of groups" : grz_pattern_fault(text);
        if (fault != NULL)
            return grz_json_refuse(document, &entry, "%s", fault);
        group->patterns[group->count] = grz_nfc(document->context, text);
        if (group->patterns[group->count++] == NULL)
            return grz_json_fail_memory(document);
    }
    return true;
}

static bool read_groups(grz_json_document *document, graze_clash_rules *book, grz_clash_rules_source *source,
                        const grz_json_node *value)
{
    grz_json_place place = top_place(TOP_GROUPS);
    source->first_group = book->group_count;
    if (value == NULL)
        return true;
    if (value->kind != GRZ_JSON_OBJECT)
        return grz_json_refuse(document, &place, "expected an object: lists of patterns by name");
    size_t most = book->group_count + value->count;
    grz_clash_rule_group *groups = grz_reallocate(&book->context, book->groups, most + 1, sizeof *groups);
    if (groups == NULL)
        return grz_json_fail_memory(document);
    book->groups = groups;
    for (const grz_json_node *item = value->child; item != NULL; item = item->next)
    {
        grz_json_place entry = {.parent = &place, .key = item->key};
        if (item->key[0] == '\0')
            return grz_json_refuse(document, &place, "a group must have a name");
        if (grz_names_find(&source->group_names, item->key) != GRZ_NO_NAME)
            return grz_json_refuse(document, &entry, "this key is there twice");
        if (grz_names_add(&book->context, &source->group_names, item->key) == GRZ_NO_NAME)
            return grz_json_fail_memory(document);
        grz_clash_rule_group *group = &book->groups[book->group_count++];
        *group = (grz_clash_rule_group){.first = book->pattern_count};
        if (!read_group(document, &entry, item, group))
            return false;
        book->pattern_count += group->count;
    }
    return true;
}

/* Counts the entries of a document, and makes room for them. */
static bool make_room(grz_json_document *document, graze_clash_rules *book, const grz_json_node *const *items)
{
    size_t count = book->rule_count;
    for (int list = 0; list < GRZ_RULE_LISTS; list++)
    {
        grz_json_place place = top_place(TOP_LISTS + list);
        const grz_json_node *value = items[TOP_LISTS + list];
        if (value != NULL && !grz_json_take_array(document, &place, value))
            return false;
        count += value != NULL ? (size_t)value->count : 0;
    }
    if (count >= GRZ_NO_NAME)
        return grz_json_refuse(document, NULL, "there are too many entries");
    grz_clash_rule *rules = grz_reallocate(&book->context, book->rules, count + 1, sizeof *rules);
    if (rules == NULL)
        return grz_json_fail_memory(document);
    book->rules = rules;
    return true;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

/* What a source is called in names of rules: its base name, or its whole name where another has the same base name. */
static const char *source_name(const graze_clash_rules *book, size_t source)
{
    const char *base = base_name(book->sources[source].name);
    for (size_t i = 0; i < book->source_count; i++)
        if (i != source && strcmp(base_name(book->sources[i].name), base) == 0)
            return book->sources[source].name;
    return base;
}

/* "FILE: limits[2]" */
static bool name_rule(graze_clash_rules *book, grz_clash_rule *rule, const char *list, size_t index)
{
    const char *source = source_name(book, rule->source);
    rule->name = grz_format_text(&book->context, "%s: %s[%zu]", source, list, index);
    rule->place = rule->name != NULL ? rule->name + strlen(source) + 2 : NULL;
    return rule->name != NULL;
}

static bool read_rules(grz_json_document *document, graze_clash_rules *book, size_t source,
                       const grz_json_node *const *items)
{
    for (int list = 0; list < GRZ_RULE_LISTS; list++)
    {
        grz_json_place place = top_place(TOP_LISTS + list), entry = {.parent = &place};
        const grz_json_node *value = items[TOP_LISTS + list];
        for (const grz_json_node *item = value != NULL ? value->child : NULL; item != NULL;
             item = item->next, entry.index++)
        {
            grz_clash_rule *rule = &book->rules[book->rule_count++];
            *rule = (grz_clash_rule){.list = (grz_clash_rule_list)list, .source = source};
            if (!name_rule(book, rule, place.key, entry.index))
                return grz_json_fail_memory(document);
            if (!grz_clash_rule_read(document, book, &entry, item, rule))
                return false;
        }
    }
    return true;
}

static bool read_document(grz_json_document *document, graze_clash_rules *book, size_t source)
{
    const grz_json_node *items[TOP_KEYS], *root = grz_json_walk_value(document, true);
    return root != NULL && grz_json_walk_out(document) &&
           grz_json_take_members(document, NULL, root, top_keys, TOP_KEYS, items) && check_format(document, items) &&
           read_groups(document, book, &book->sources[source], items[TOP_GROUPS]) && make_room(document, book, items) &&
           read_rules(document, book, source, items) &&
           grz_clash_reviews_read(document, book, source, items[TOP_REVIEW]) &&
           grz_clash_surfaces_read(document, book, source, items[TOP_SURFACES]);
}

static graze_status read_source(graze_clash_rules *book, size_t number, const graze_clash_source *source,
                                graze_error *error)
{
    grz_clash_document document;
    if (grz_clash_document_open(&book->context, source, &book->inputs[number], &document))
        read_document(&document.json, book, number);
    return grz_clash_document_close(&document, number, error);
}

/* Puts entries of all sources in the order of the lists, each list in the order of the sources. */
static bool sort_rules(graze_clash_rules *book)
{
    grz_clash_rule *sorted = grz_allocate(&book->context, book->rule_count + 1, sizeof *sorted);
    size_t count = 0;
    if (sorted == NULL)
        return false;
    for (int list = 0; list < GRZ_RULE_LISTS; list++)
    {
        book->starts[list] = count;
        for (size_t i = 0; i < book->rule_count; i++)
            if ((int)book->rules[i].list == list)
            {
                sorted[count] = book->rules[i];
                sorted[count].index = count - book->starts[list];
                count++;
            }
    }
    book->starts[GRZ_RULE_LISTS] = count;
    grz_release(&book->context, book->rules);
    book->rules = sorted;
    return true;
}

/* Indexes approvals by id; those with the same id form a list, in their order. */
static bool index_ids(graze_clash_rules *book)
{
    size_t count = book->starts[GRZ_RULE_LISTS] - book->starts[GRZ_RULES_APPROVE];
    book->id_rules = grz_allocate_zeroed(&book->context, count + 1, sizeof *book->id_rules);
    uint32_t *last = grz_allocate_zeroed(&book->context, count + 1, sizeof *last);
    if (book->id_rules == NULL || last == NULL)
    {
        grz_release(&book->context, last);
        return false;
    }
    for (size_t i = book->starts[GRZ_RULES_APPROVE]; i < book->rule_count; i++)
    {
        size_t known = book->ids.count;
        book->rules[i].next_of_id = GRZ_NO_NAME;
        if (book->rules[i].kind != GRZ_RULE_OF_ID)
            continue;
        uint32_t number = grz_names_add(&book->context, &book->ids, book->rules[i].id);
        if (number == GRZ_NO_NAME)
        {
            grz_release(&book->context, last);
            return false;
        }
        if (number == known)
            book->id_rules[number] = (uint32_t)i;
        else
        {
            book->rules[i].is_repeated = true;
            book->rules[last[number]].next_of_id = (uint32_t)i;
        }
        last[number] = (uint32_t)i;
    }
    grz_release(&book->context, last);
    return true;
}

graze_status graze_clash_rules_create(const graze_context *context, const graze_clash_source *sources,
                                      size_t source_count, graze_error *error, graze_clash_rules **out_rules)
{
    if (out_rules == NULL || !grz_clash_are_sources(sources, source_count))
        return grz_error(error, GRAZE_STATUS_BAD_ARGUMENT, "rules need sources with names and texts, and a result");
    graze_clash_rules *book = grz_allocate_zeroed(context, 1, sizeof *book);
    if (book == NULL)
        return grz_error(error, GRAZE_STATUS_OUT_OF_MEMORY, "out of memory");
    book->context = grz_context_copy(context);
    book->inputs = grz_allocate_zeroed(context, source_count + 1, sizeof *book->inputs);
    book->sources = grz_allocate_zeroed(context, source_count + 1, sizeof *book->sources);
    bool has_room = book->inputs != NULL && book->sources != NULL;
    graze_status status = has_room ? GRAZE_STATUS_OK : grz_error(error, GRAZE_STATUS_OUT_OF_MEMORY, "out of memory");
    book->source_count = has_room ? source_count : 0;
    for (size_t i = 0; i < book->source_count; i++)
        book->sources[i].name = sources[i].name;
    for (size_t i = 0; i < source_count && status == GRAZE_STATUS_OK; i++)
        status = read_source(book, i, &sources[i], error);
    if (status == GRAZE_STATUS_OK && !(sort_rules(book) && index_ids(book)))
        status = grz_error(error, GRAZE_STATUS_OUT_OF_MEMORY, "out of memory");
    if (status == GRAZE_STATUS_OK)
        *out_rules = book;
    else
        graze_clash_rules_destroy(book);
    return status;
}

static void release_rule(const graze_context *context, grz_clash_rule *rule)
{
    grz_release(context, rule->name);
    grz_release(context, rule->reason);
    for (int side = 0; side < 2; side++)
        grz_release(context, rule->sides[side].text);
}

static void release_group(const graze_context *context, grz_clash_rule_group *group)
{
    for (size_t i = 0; i < group->count; i++)
        grz_release(context, group->patterns[i]);
    grz_release(context, group->patterns);
}

void graze_clash_rules_destroy(graze_clash_rules *rules)
{
    if (rules == NULL)
        return;
    const graze_context context = rules->context;
    for (size_t i = 0; i < rules->rule_count; i++)
        release_rule(&context, &rules->rules[i]);
    for (size_t i = 0; i < rules->group_count; i++)
        release_group(&context, &rules->groups[i]);
    for (size_t i = 0; i < rules->source_count; i++)
    {
        grz_release(&context, (char *)rules->inputs[i].path);
        grz_names_release(&context, &rules->sources[i].group_names);
    }
    grz_clash_reviews_release(rules);
    grz_names_release(&context, &rules->ids);
    grz_release(&context, rules->inputs);
    grz_release(&context, rules->sources);
    grz_release(&context, rules->id_rules);
    grz_release(&context, rules->groups);
    grz_release(&context, rules->rules);
    grz_release(&context, rules);
}

/* --- rules of a run --- */

grz_clash_rules *grz_clash_rules_make(const graze_context *context, const graze_clash_rules *book,
                                      const graze_clash_tolerances *tolerances)
{
    static const graze_clash_rules nothing = {.rule_count = 0};
    grz_clash_rules *rules = grz_allocate_zeroed(context, 1, sizeof *rules);
    if (rules == NULL)
        return NULL;
    book = book != NULL ? book : &nothing;
    *rules = (grz_clash_rules){
        .context = context, .book = book, .rules = book->rules, .rule_count = book->rule_count, .starts = book->starts};
    rules->side_matches = grz_allocate_zeroed(context, 2 * book->rule_count + 1, sizeof *rules->side_matches);
    rules->hints = grz_allocate_zeroed(context, 2 * book->rule_count + 1, sizeof *rules->hints);
    rules->pattern_matches = grz_allocate_zeroed(context, book->pattern_count + 1, sizeof *rules->pattern_matches);
    rules->is_used = grz_allocate_zeroed(context, book->rule_count + 1, sizeof *rules->is_used);
    rules->is_reviewed = grz_allocate_zeroed(context, book->reviews.count + 1, sizeof *rules->is_reviewed);
    rules->surface_matches = grz_allocate_zeroed(context, book->surfaces.count + 1, sizeof *rules->surface_matches);
    if (rules->side_matches == NULL || rules->hints == NULL || rules->pattern_matches == NULL ||
        rules->is_used == NULL || rules->is_reviewed == NULL || rules->surface_matches == NULL)
    {
        grz_clash_rules_release(rules);
        return NULL;
    }
    grz_clash_rules_set_base(rules, tolerances);
    return rules;
}

void grz_clash_rules_release(grz_clash_rules *rules)
{
    if (rules == NULL)
        return;
    const graze_context *context = rules->context;
    for (size_t i = 0; i < 2 * rules->rule_count && rules->hints != NULL; i++)
        grz_release(context, rules->hints[i]);
    grz_clash_rule_matches_release(context, &rules->at);
    grz_clash_rules_release_problems(rules);
    grz_release(context, rules->side_matches);
    grz_release(context, rules->hints);
    grz_release(context, rules->pattern_matches);
    grz_release(context, rules->is_used);
    grz_release(context, rules->is_reviewed);
    grz_release(context, rules->surface_matches);
    grz_release(context, rules->members);
    grz_release(context, rules);
}
