/* SPDX-License-Identifier: MIT */
/* Determines which entries of a rules file apply to which parts, once for all parts; see rule_matches in rules_data.h
 * for the data structure. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clash/part_kinds.h"
#include "clash/pattern.h"
#include "clash/rules_data.h"
#include "shell/suggestion.h"

enum
{
    WORD_BITS = 64
};

/* Temporary data of the matching. */
typedef struct matcher
{
    clash_rules *rules;
    const clash_part *parts;
    size_t count;
    name_table names;  /* of parts */
    uint32_t *part_of; /* by number of the name */
    bool *members;     /* by group, then part */
} matcher;

void rule_matches_release(rule_matches *matches)
{
    free(matches->rules);
    free(matches->matches[0]);
    free(matches->matches[1]);
    free(matches->of_parent);
    free(matches->of_file);
    free(matches->parents);
    free(matches->files);
    free(matches->pairs);
    free(matches->has_pairs);
    *matches = (rule_matches){0};
}

static bool is_about_two_names(const clash_rule *rule)
{
    return rule->kind == RULE_OF_NAMES && rule->level == LEVEL_TWO_NAMES;
}

static bool has_bit(const clash_rule *rule)
{
    return rule->kind != RULE_OF_ALL && rule->kind != RULE_OF_ID && !is_about_two_names(rule);
}

static bool make_room(clash_rules *rules, size_t count)
{
    rule_matches *at = &rules->at;
    at->part_count = count;
    for (size_t i = 0; i < rules->rule_count; i++)
    {
        at->bit_count += has_bit(&rules->rules[i]);
        at->pair_count += is_about_two_names(&rules->rules[i]);
    }
    at->word_count = (at->bit_count + WORD_BITS - 1) / WORD_BITS;
    at->rules = calloc(at->bit_count + 1, sizeof *at->rules);
    at->of_parent = calloc(at->word_count + 1, sizeof *at->of_parent);
    at->of_file = calloc(at->word_count + 1, sizeof *at->of_file);
    at->matches[0] = calloc(at->word_count * count + 1, sizeof *at->matches[0]);
    at->matches[1] = calloc(at->word_count * count + 1, sizeof *at->matches[1]);
    at->parents = calloc(count + 1, sizeof *at->parents);
    at->files = calloc(count + 1, sizeof *at->files);
    at->pairs = calloc(at->pair_count + 1, sizeof *at->pairs);
    at->has_pairs = calloc(count + 1, sizeof *at->has_pairs);
    at->pair_count = 0;
    return at->rules != NULL && at->of_parent != NULL && at->of_file != NULL && at->matches[0] != NULL &&
           at->matches[1] != NULL && at->parents != NULL && at->files != NULL && at->pairs != NULL &&
           at->has_pairs != NULL;
}

static bool number_names(matcher *work)
{
    work->part_of = calloc(work->count + 1, sizeof *work->part_of);
    if (work->part_of == NULL)
        return false;
    for (size_t i = 0; i < work->count; i++)
    {
        size_t known = work->names.count;
        uint32_t number = names_add(&work->names, work->parts[i].name);
        if (number == NO_NAME)
            return false;
        if (number == known)
            work->part_of[number] = (uint32_t)i;
    }
    return true;
}

/* A number for "file, parent" of a part; parents of the same name in two files are different. */
static uint32_t parent_number(name_table *table, uint32_t file, const char *parent)
{
    size_t size = strlen(parent) + 16;
    char *key = malloc(size);
    if (key == NULL)
        return NO_NAME;
    snprintf(key, size, "%u:%s", (unsigned)file, parent);
    uint32_t number = names_add(table, key);
    free(key);
    return number;
}

static bool number_parents(matcher *work)
{
    name_table files = {0}, parents = {0};
    rule_matches *at = &work->rules->at;
    bool fits = true;
    for (size_t i = 0; i < work->count && fits; i++)
    {
        const clash_part *part = &work->parts[i];
        bool has_parent = part->parent != NULL && part->parent[0] != '\0';
        at->files[i] = names_add(&files, part->file);
        at->parents[i] = has_parent ? parent_number(&parents, at->files[i], part->parent) : NO_NAME;
        fits = at->files[i] != NO_NAME && (!has_parent || at->parents[i] != NO_NAME);
    }
    names_release(&files);
    names_release(&parents);
    return fits;
}

static bool match_groups(matcher *work)
{
    size_t count = work->rules->group_names.count;
    work->members = calloc(count * work->count + 1, sizeof *work->members);
    if (work->members == NULL)
        return false;
    for (size_t g = 0; g < count; g++)
    {
        rule_group *group = &work->rules->groups[g];
        for (size_t k = 0; k < group->count; k++)
            for (size_t i = 0; i < work->count; i++)
            {
                if (!pattern_matches(group->patterns[k], work->parts[i].name))
                    continue;
                work->members[g * work->count + i] = true;
                group->has_matches[k] = true;
            }
    }
    return true;
}

/* The part of that name, or NO_NAME and a suggestion. False when out of memory. */
static bool find_part(const matcher *work, rule_side *side, uint32_t *out_part)
{
    uint32_t number = names_find(&work->names, side->text);
    *out_part = number != NO_NAME ? work->part_of[number] : NO_NAME;
    side->has_matches = number != NO_NAME;
    if (side->has_matches)
        return true;
    suggestion best = {.wanted = side->text};
    for (size_t i = 0; i < work->names.count; i++)
        suggestion_offer(&best, work->names.names[i]);
    const char *name = suggestion_name(&best);
    side->hint = name != NULL ? copy_text(name) : NULL;
    return name == NULL || side->hint != NULL;
}

static bool side_matches(const matcher *work, const rule_side *side, size_t part)
{
    if (side->group != NO_NAME)
        return work->members[side->group * work->count + part];
    return side->text == NULL || pattern_matches(side->text, work->parts[part].name);
}

/* Sets the bit of an entry for all parts that one side of it matches. */
static bool set_bits(const matcher *work, size_t bit, rule_side *side, uint64_t *rows)
{
    size_t words = work->rules->at.word_count;
    uint64_t mask = UINT64_C(1) << (bit % WORD_BITS);
    rows += bit / WORD_BITS;
    if (side->is_exact)
    {
        uint32_t part;
        if (!find_part(work, side, &part))
            return false;
        if (part != NO_NAME)
            rows[part * words] |= mask;
        return true;
    }
    for (size_t i = 0; i < work->count; i++)
        if (side_matches(work, side, i))
        {
            rows[i * words] |= mask;
            side->has_matches = true;
        }
    return true;
}

static bool add_pair(const matcher *work, uint32_t number)
{
    rule_matches *at = &work->rules->at;
    clash_rule *rule = &work->rules->rules[number];
    uint32_t parts[2];
    for (int side = 0; side < 2; side++)
        if (!find_part(work, &rule->sides[side], &parts[side]))
            return false;
    if (parts[0] == NO_NAME || parts[1] == NO_NAME)
        return true;
    bool swapped = parts[0] > parts[1];
    at->pairs[at->pair_count++] = (rule_pair){parts[swapped], parts[!swapped], number};
    at->has_pairs[parts[0]] = at->has_pairs[parts[1]] = true;
    return true;
}

static int compare_pairs(const void *left, const void *right)
{
    const rule_pair *one = left, *other = right;
    if (one->lower != other->lower)
        return one->lower < other->lower ? -1 : 1;
    if (one->upper != other->upper)
        return one->upper < other->upper ? -1 : 1;
    return one->rule < other->rule ? -1 : one->rule > other->rule;
}

static bool match_rules(matcher *work)
{
    rule_matches *at = &work->rules->at;
    size_t bit = 0;
    for (uint32_t i = 0; i < work->rules->rule_count; i++)
    {
        clash_rule *rule = &work->rules->rules[i];
        if (is_about_two_names(rule) && !add_pair(work, i))
            return false;
        if (!has_bit(rule))
            continue;
        uint64_t *same = rule->kind == RULE_OF_PARENT ? at->of_parent : rule->kind == RULE_OF_FILE ? at->of_file : NULL;
        at->rules[bit] = i;
        if (same != NULL)
            same[bit / WORD_BITS] |= UINT64_C(1) << (bit % WORD_BITS);
        else if (!set_bits(work, bit, &rule->sides[0], at->matches[0]) ||
                 !set_bits(work, bit, &rule->sides[1], at->matches[1]))
            return false;
        bit++;
    }
    qsort(at->pairs, at->pair_count, sizeof *at->pairs, compare_pairs);
    return true;
}

bool clash_rules_prepare(clash_rules *rules, const clash_part *parts, size_t count)
{
    matcher work = {.rules = rules, .parts = parts, .count = count};
    bool fits = make_room(rules, count) && number_names(&work) && number_parents(&work) && match_groups(&work) &&
                match_rules(&work);
    names_release(&work.names);
    free(work.part_of);
    free(work.members);
    return fits;
}

static size_t lowest_bit(uint64_t word)
{
#if defined(__GNUC__)
    return (size_t)__builtin_ctzll(word);
#else
    size_t bit = 0;
    while ((word >> bit & 1) == 0)
        bit++;
    return bit;
#endif
}

/* The first entry that names exactly these two parts, or the position after smaller ones. */
static size_t find_pair(const rule_matches *at, uint32_t lower, uint32_t upper)
{
    const rule_pair wanted = {lower, upper, 0};
    size_t first = 0, last = at->pair_count;
    while (first < last)
    {
        size_t middle = first + (last - first) / 2;
        if (compare_pairs(&at->pairs[middle], &wanted) < 0)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

static void visit_pairs(const clash_rules *rules, uint32_t lower, uint32_t upper, size_t first, size_t last,
                        rule_visitor visit, void *user)
{
    const rule_matches *at = &rules->at;
    for (size_t i = find_pair(at, lower, upper); i < at->pair_count; i++)
    {
        const rule_pair *pair = &at->pairs[i];
        if (pair->lower != lower || pair->upper != upper)
            return;
        if (pair->rule >= first && pair->rule < last)
            visit(user, rules, pair->rule);
    }
}

void rules_visit_unnamed(const clash_rules *rules, size_t a, size_t b, size_t first, size_t last, rule_visitor visit,
                         void *user)
{
    const rule_matches *at = &rules->at;
    size_t words = at->word_count;
    const uint64_t *a0 = at->matches[0] + a * words, *a1 = at->matches[1] + a * words;
    const uint64_t *b0 = at->matches[0] + b * words, *b1 = at->matches[1] + b * words;
    bool same_parent = a != b && at->parents[a] == at->parents[b] && at->parents[a] != NO_NAME;
    bool same_file = a != b && at->files[a] == at->files[b];
    for (size_t w = 0; w < words; w++)
    {
        uint64_t word = (a0[w] & b1[w]) | (b0[w] & a1[w]);
        word |= (same_parent ? at->of_parent[w] : 0) | (same_file ? at->of_file[w] : 0);
        for (; word != 0; word &= word - 1)
        {
            uint32_t rule = at->rules[w * WORD_BITS + lowest_bit(word)];
            if (rule >= first && rule < last)
                visit(user, rules, rule);
        }
    }
}

void rules_visit(const clash_rules *rules, size_t a, size_t b, size_t first, size_t last, rule_visitor visit,
                 void *user)
{
    rules_visit_unnamed(rules, a, b, first, last, visit, user);
    if (rules->at.has_pairs[a] && rules->at.has_pairs[b])
        visit_pairs(rules, (uint32_t)(a < b ? a : b), (uint32_t)(a < b ? b : a), first, last, visit, user);
}

bool clash_rules_named_pairs(const clash_rules *rules, clash_part_pairs *pairs)
{
    bool done = true;
    for (size_t i = 0; i < rules->at.pair_count && done; i++)
        done = clash_part_pairs_add(pairs, rules->at.pairs[i].lower, rules->at.pairs[i].upper);
    return done;
}

size_t clash_rules_key_size(const clash_rules *rules)
{
    return 2 * rules->at.word_count * sizeof(uint64_t) + 2 * sizeof(uint32_t);
}

static bool any_bit(const uint64_t *words, size_t count)
{
    uint64_t all = 0;
    for (size_t i = 0; i < count; i++)
        all |= words[i];
    return all != 0;
}

void clash_rules_key(const clash_rules *rules, size_t part, unsigned char *out_key)
{
    const rule_matches *at = &rules->at;
    size_t size = at->word_count * sizeof(uint64_t);
    uint32_t groups[2] = {NO_NAME, NO_NAME}; /* only if entries ask for them */
    if (any_bit(at->of_parent, at->word_count))
        groups[0] = at->parents[part];
    if (any_bit(at->of_file, at->word_count))
        groups[1] = at->files[part];
    memcpy(out_key, at->matches[0] + part * at->word_count, size);
    memcpy(out_key + size, at->matches[1] + part * at->word_count, size);
    memcpy(out_key + 2 * size, groups, sizeof groups);
}

static void note_visit(void *user, const clash_rules *rules, uint32_t rule)
{
    (void)rules;
    (void)rule;
    *(bool *)user = true;
}

bool rule_covers(const clash_rules *rules, uint32_t rule, size_t a, size_t b)
{
    bool found = false;
    rules_visit(rules, a, b, rule, (size_t)rule + 1, note_visit, &found);
    return found;
}

/* The bit of an entry, which must have one. */
static size_t bit_of(const rule_matches *at, uint32_t rule)
{
    size_t first = 0, last = at->bit_count;
    while (first + 1 < last)
    {
        size_t middle = first + (last - first) / 2;
        if (at->rules[middle] <= rule)
            first = middle;
        else
            last = middle;
    }
    return first;
}

static bool all_equal(const uint32_t *numbers, const size_t *parts, size_t count)
{
    size_t same = 0;
    while (same < count && numbers[parts[same]] == numbers[parts[0]])
        same++;
    return same == count && numbers[parts[0]] != NO_NAME;
}

/* A part that neither side matches is in no pair of the entry. Two parts that only the same side matches are no pair of
 * it either; all others are. */
bool rule_covers_all(const clash_rules *rules, uint32_t rule, const size_t *parts, size_t count)
{
    const rule_matches *at = &rules->at;
    const clash_rule *entry = &rules->rules[rule];
    if (!has_bit(entry))
        return false; /* it names two parts, or none */
    if (entry->kind == RULE_OF_PARENT || entry->kind == RULE_OF_FILE)
        return all_equal(entry->kind == RULE_OF_PARENT ? at->parents : at->files, parts, count);
    size_t bit = bit_of(at, rule), only[2] = {0, 0};
    uint64_t mask = UINT64_C(1) << (bit % WORD_BITS);
    for (size_t i = 0; i < count; i++)
    {
        size_t word = parts[i] * at->word_count + bit / WORD_BITS;
        bool a = (at->matches[0][word] & mask) != 0, b = (at->matches[1][word] & mask) != 0;
        if (!a && !b)
            return false;
        only[0] += a && !b;
        only[1] += b && !a;
    }
    return only[0] < 2 && only[1] < 2;
}
