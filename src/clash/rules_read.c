/* SPDX-License-Identifier: MIT */
/* Reads one entry of rules; see rules_data.h. All four lists select pairs in the same way. */
#include <stdio.h>
#include <string.h>

#include "clash/rules_data.h"
#include "text/format.h"
#include "text/normalization.h"
#include "text/pattern.h"
#include "text/suggestion.h"

enum
{
    KEY_A,
    KEY_B,
    KEY_PAIR,
    KEY_GROUP,
    KEY_SAME,
    KEY_LINKED,
    KEY_REASON,
    KEY_OWN /* keys that only some lists have follow */
};

/* The keys of each list, after the common ones. */
enum
{
    KEY_CLEARANCE = KEY_OWN,
    KEY_ALLOW_TOUCH,
    KEY_MAX_DEPTH,
    KEY_VERDICT = KEY_OWN,
    KEY_SEVERITY,
    KEY_ID = KEY_OWN + 1,
    KEY_DEPTH,
    KEY_GAP,
    KEY_POINT,
    KEY_SET,
    KEY_LIMIT
};

#define PAIR_KEYS "a", "b", "pair", "group", "same", "linked", "reason"

static const char *const list_keys[GRZ_RULE_LISTS][KEY_LIMIT] = {
    {PAIR_KEYS},
    {PAIR_KEYS, "clearance", "allow_touch", "max_depth"},
    {PAIR_KEYS, "verdict", "severity"},
    {PAIR_KEYS, "verdict", "id", "depth", "gap", "point", "set"}};
static const size_t list_key_counts[GRZ_RULE_LISTS] = {KEY_OWN, KEY_MAX_DEPTH + 1, KEY_SEVERITY + 1, KEY_LIMIT};

/* An entry while it is read. */
typedef struct entry_reader
{
    grz_json_document *document;
    const graze_clash_rules *book;
    const grz_json_place *place;
    const grz_json_node *items[KEY_LIMIT];
    grz_clash_rule *rule;
} entry_reader;

static grz_json_place place_of(const entry_reader *reader, int key)
{
    return (grz_json_place){.parent = reader->place, .key = list_keys[reader->rule->list][key]};
}

static bool keep_text(entry_reader *reader, const char *text, char **out_text)
{
    *out_text = grz_copy_text(&reader->book->context, text);
    return *out_text != NULL || grz_json_fail_memory(reader->document);
}

/* A name or pattern, in normal form. */
static bool keep_name(entry_reader *reader, const char *text, char **out_text)
{
    *out_text = grz_nfc(&reader->book->context, text);
    return *out_text != NULL || grz_json_fail_memory(reader->document);
}

static bool take_group(entry_reader *reader, const grz_json_place *place, const char *name, grz_clash_rule_side *side)
{
    const grz_clash_rules_source *source = &reader->book->sources[reader->rule->source];
    uint32_t number = grz_names_find(&source->group_names, name);
    if (number == GRZ_NO_NAME)
        return grz_json_refuse(reader->document, place, "there is no group '%s'%s", name,
                               grz_suggest_name(&source->group_names, name).text);
    side->group = (uint32_t)source->first_group + number;
    return true;
}

/* A pattern, or "@group". */
static bool take_side(entry_reader *reader, int key, grz_clash_rule_side *side)
{
    grz_json_place place = place_of(reader, key);
    const char *text = "";
    if (!grz_json_take_text(reader->document, &place, reader->items[key], &text))
        return false;
    if (text[0] == '@')
        return take_group(reader, &place, text + 1, side);
    const char *fault = grz_pattern_fault(text);
    if (fault != NULL)
        return grz_json_refuse(reader->document, &place, "%s", fault);
    snprintf(side->where, sizeof side->where, "%s", place.key);
    if (!keep_name(reader, text, &side->text))
        return false;
    side->is_exact = grz_pattern_is_exact(text);
    if (side->is_exact)
        grz_pattern_to_name(side->text);
    return true;
}

static bool read_sides(entry_reader *reader)
{
    grz_clash_rule *rule = reader->rule;
    if (!take_side(reader, KEY_A, &rule->sides[0]) ||
        (reader->items[KEY_B] != NULL && !take_side(reader, KEY_B, &rule->sides[1])))
        return false;
    int names = rule->sides[0].is_exact + rule->sides[1].is_exact;
    rule->level = names == 2 ? GRZ_LEVEL_TWO_NAMES : names == 1 ? GRZ_LEVEL_ONE_NAME : GRZ_LEVEL_PATTERN;
    return true;
}

static bool read_pair(entry_reader *reader)
{
    grz_json_place place = place_of(reader, KEY_PAIR), entry = {.parent = &place};
    const grz_json_node *value = reader->items[KEY_PAIR];
    if (value->kind != GRZ_JSON_ARRAY || value->count != 2)
        return grz_json_refuse(reader->document, &place, "expected a list of 2 names");
    for (const grz_json_node *item = value->child; item != NULL; item = item->next, entry.index++)
    {
        grz_clash_rule_side *side = &reader->rule->sides[entry.index];
        const char *text = "";
        if (!grz_json_take_text(reader->document, &entry, item, &text) || !keep_name(reader, text, &side->text))
            return false;
        snprintf(side->where, sizeof side->where, "pair[%d]", (int)entry.index);
        side->is_exact = true;
    }
    reader->rule->level = GRZ_LEVEL_TWO_NAMES;
    return true;
}

static bool read_group(entry_reader *reader)
{
    grz_json_place place = place_of(reader, KEY_GROUP);
    const char *name = "";
    if (!grz_json_take_text(reader->document, &place, reader->items[KEY_GROUP], &name) ||
        !take_group(reader, &place, name, &reader->rule->sides[0]))
        return false;
    reader->rule->sides[1].group = reader->rule->sides[0].group;
    reader->rule->level = GRZ_LEVEL_PATTERN;
    return true;
}

static bool read_same(entry_reader *reader)
{
    static const char *const words[] = {"parent", "file", "assembly"};
    static const grz_clash_rule_kind kinds[] = {GRZ_RULE_OF_PARENT, GRZ_RULE_OF_FILE, GRZ_RULE_OF_ASSEMBLY};
    grz_json_place place = place_of(reader, KEY_SAME);
    size_t word = 0;
    if (!grz_json_take_word(reader->document, &place, reader->items[KEY_SAME], words, 3, &word))
        return false;
    reader->rule->kind = kinds[word];
    reader->rule->level = GRZ_LEVEL_SAME;
    return true;
}

static bool read_linked(entry_reader *reader)
{
    static const char *const words[] = {"parent"};
    grz_json_place place = place_of(reader, KEY_LINKED);
    size_t word = 0;
    if (!grz_json_take_word(reader->document, &place, reader->items[KEY_LINKED], words, 1, &word))
        return false;
    reader->rule->kind = GRZ_RULE_OF_LINK;
    reader->rule->level = GRZ_LEVEL_SAME;
    return true;
}

/* Reads which pairs the entry selects. */
static bool read_selection(entry_reader *reader)
{
    static const int ways[] = {KEY_A, KEY_PAIR, KEY_GROUP, KEY_SAME, KEY_LINKED};
    grz_clash_rule *rule = reader->rule;
    int found = -1;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
    {
        if (reader->items[ways[i]] == NULL)
            continue;
        if (found >= 0)
            return grz_json_refuse(reader->document, reader->place, "'%s' and '%s' cannot both hold",
                                   list_keys[rule->list][found], list_keys[rule->list][ways[i]]);
        found = ways[i];
    }
    if (reader->items[KEY_B] != NULL && found != KEY_A)
        return grz_json_refuse(reader->document, reader->place, "'b' needs an 'a'");
    if (found < 0 && (rule->list == GRZ_RULES_IGNORE || rule->list == GRZ_RULES_APPROVE))
        return grz_json_refuse(reader->document, reader->place, "this says of no pair that it is meant: there is no %s",
                               rule->list == GRZ_RULES_IGNORE ? "'a', 'pair', 'group', 'same' or 'linked'"
                                                              : "'id', 'a', 'pair', 'group', 'same' or 'linked'");
    rule->kind = found < 0 ? GRZ_RULE_OF_ALL : GRZ_RULE_OF_NAMES;
    rule->level = GRZ_LEVEL_FILE;
    switch (found)
    {
    case KEY_A:
        return read_sides(reader);
    case KEY_PAIR:
        return read_pair(reader);
    case KEY_GROUP:
        return read_group(reader);
    case KEY_SAME:
        return read_same(reader);
    case KEY_LINKED:
        return read_linked(reader);
    default:
        return true;
    }
}

static bool read_reason(entry_reader *reader)
{
    grz_json_place place = place_of(reader, KEY_REASON);
    const char *text = "";
    if (reader->items[KEY_REASON] != NULL)
        return grz_json_take_text(reader->document, &place, reader->items[KEY_REASON], &text) &&
               keep_text(reader, text, &reader->rule->reason);
    return (reader->rule->list != GRZ_RULES_IGNORE && reader->rule->list != GRZ_RULES_APPROVE) ||
           grz_json_refuse(reader->document, reader->place, "'reason' is missing");
}

static bool take_length(entry_reader *reader, int key, bool *out_is_there, double *out_length)
{
    grz_json_place place = place_of(reader, key);
    *out_is_there = reader->items[key] != NULL;
    if (!*out_is_there)
        return true;
    return grz_json_take_number(reader->document, &place, reader->items[key], out_length) &&
           (*out_length >= 0 || grz_json_refuse(reader->document, &place, "this must not be below zero"));
}

static bool read_limits(entry_reader *reader)
{
    grz_clash_rule *rule = reader->rule;
    grz_json_place place = place_of(reader, KEY_ALLOW_TOUCH);
    rule->has_allow_touch = reader->items[KEY_ALLOW_TOUCH] != NULL;
    if (!take_length(reader, KEY_CLEARANCE, &rule->has_clearance, &rule->clearance) ||
        !take_length(reader, KEY_MAX_DEPTH, &rule->has_max_depth, &rule->max_depth) ||
        (rule->has_allow_touch &&
         !grz_json_take_bool(reader->document, &place, reader->items[KEY_ALLOW_TOUCH], &rule->allow_touch)))
        return false;
    return rule->has_clearance || rule->has_max_depth || rule->has_allow_touch ||
           grz_json_refuse(reader->document, reader->place,
                           "this sets no limit: there is no 'clearance', 'allow_touch' or 'max_depth'");
}

static bool read_verdict(entry_reader *reader)
{
    enum
    {
        WORDS = GRAZE_CLASH_VERDICT_COUNT - 1 /* all but clear */
    };
    const char *words[WORDS];
    grz_json_place place = place_of(reader, KEY_VERDICT);
    size_t word = 0;
    for (int i = 0; i < WORDS; i++)
        words[i] = graze_clash_verdict_name((graze_clash_verdict)(i + 1));
    reader->rule->has_verdict = reader->items[KEY_VERDICT] != NULL;
    if (!reader->rule->has_verdict)
        return true;
    if (!grz_json_take_word(reader->document, &place, reader->items[KEY_VERDICT], words, WORDS, &word))
        return false;
    reader->rule->verdict = (graze_clash_verdict)(word + 1);
    return true;
}

/* The parts of a set of duplicates; null: none. Their number is compared, as in a baseline. */
static bool read_set(entry_reader *reader, grz_clash_measures *approved)
{
    grz_json_place place = place_of(reader, KEY_SET), entry = {.parent = &place};
    const grz_json_node *set = reader->items[KEY_SET];
    if (set == NULL || set->kind == GRZ_JSON_NULL)
        return true;
    if (set->kind != GRZ_JSON_ARRAY)
        return grz_json_refuse(reader->document, &place, "expected null or a list of names");
    for (const grz_json_node *item = set->child; item != NULL; item = item->next, entry.index++)
    {
        const char *name = NULL;
        if (!grz_json_take_text(reader->document, &entry, item, &name))
            return false;
    }
    approved->has_set = true;
    approved->set_count = (size_t)set->count;
    return true;
}

/* What was approved. The point is a note for people. */
static bool read_approved(entry_reader *reader, const grz_json_node *value)
{
    grz_clash_measures *approved = &reader->rule->approved;
    grz_json_place place = place_of(reader, KEY_POINT);
    const grz_json_node *point = reader->items[KEY_POINT];
    double numbers[3];
    if (!read_verdict(reader) || !read_set(reader, approved) ||
        !grz_clash_take_interval(reader->document, reader->place, value, "depth", &approved->has_depth,
                                 approved->depth) ||
        !grz_clash_take_interval(reader->document, reader->place, value, "gap", &approved->has_gap, approved->gap) ||
        (point != NULL && point->kind != GRZ_JSON_NULL &&
         !grz_json_take_numbers(reader->document, &place, point, numbers, 3)))
        return false;
    approved->has_verdict = reader->rule->has_verdict;
    approved->verdict = reader->rule->verdict;
    return true;
}

static bool read_severity(entry_reader *reader)
{
    const char *words[GRAZE_CLASH_CRITICAL + 1];
    grz_json_place place = place_of(reader, KEY_SEVERITY);
    size_t word = 0;
    for (int i = 0; i <= GRAZE_CLASH_CRITICAL; i++)
        words[i] = graze_clash_severity_name((graze_clash_severity)i);
    if (reader->items[KEY_SEVERITY] == NULL)
        return grz_json_refuse(reader->document, reader->place, "'severity' is missing");
    if (!grz_json_take_word(reader->document, &place, reader->items[KEY_SEVERITY], words, GRAZE_CLASH_CRITICAL + 1,
                            &word))
        return false;
    reader->rule->severity = (graze_clash_severity)word;
    return true;
}

bool grz_clash_check_id(grz_json_document *document, const grz_json_place *place, const char *text)
{
    return (strlen(text) == 16 && strspn(text, "0123456789abcdef") == 16) ||
           grz_json_refuse(document, place, "expected 16 hexadecimal digits, not '%s'", text);
}

/* With an id, the names beside it are notes for people, no patterns; a finding may have more than two parts. */
static bool read_id(entry_reader *reader)
{
    grz_json_place place = place_of(reader, KEY_ID);
    const char *text = "";
    if (!grz_json_take_text(reader->document, &place, reader->items[KEY_ID], &text))
        return false;
    if (!grz_clash_check_id(reader->document, &place, text))
        return false;
    memcpy(reader->rule->id, text, 17);
    reader->rule->kind = GRZ_RULE_OF_ID;
    for (int key = KEY_A; key <= KEY_LINKED; key++)
    {
        grz_json_place note = place_of(reader, key);
        if (reader->items[key] != NULL && key > KEY_B)
            return grz_json_refuse(reader->document, reader->place, "'id' and '%s' cannot both hold", note.key);
        if (reader->items[key] != NULL && !grz_json_take_text(reader->document, &note, reader->items[key], &text))
            return false;
    }
    return true;
}

bool grz_clash_rule_read(grz_json_document *document, const graze_clash_rules *book, const grz_json_place *place,
                         const grz_json_node *value, grz_clash_rule *rule)
{
    entry_reader reader = {.document = document, .book = book, .place = place, .rule = rule};
    rule->sides[0].group = rule->sides[1].group = GRZ_NO_NAME;
    if (!grz_json_take_members(document, place, value, list_keys[rule->list], list_key_counts[rule->list],
                               reader.items))
        return false;
    bool by_id = rule->list == GRZ_RULES_APPROVE && reader.items[KEY_ID] != NULL;
    if (!(by_id ? read_id(&reader) : read_selection(&reader)) || !read_reason(&reader))
        return false;
    switch (rule->list)
    {
    case GRZ_RULES_LIMITS:
        return read_limits(&reader);
    case GRZ_RULES_SEVERITY:
        return read_verdict(&reader) && read_severity(&reader);
    case GRZ_RULES_APPROVE:
        return read_approved(&reader, value);
    default:
        return true;
    }
}
