/* SPDX-License-Identifier: MIT */
/* Determines which entries of rules apply to which parts, once for all parts; see grz_clash_rule_matches in
 * rules_data.h for the data structure. */
#include <stdlib.h>
#include <string.h>

#include "clash/part_kinds.h"
#include "clash/rules_data.h"
#include "text/format.h"
#include "text/pattern.h"
#include "text/suggestion.h"

enum
{
    WORD_BITS = 64
};

/* Temporary data of the matching. */
typedef struct rule_matcher
{
    const graze_context *context;
    grz_clash_rules *rules;
    const grz_clash_part *parts;
    size_t count;
    grz_name_table names; /* of parts */
    uint32_t *part_of;    /* by number of the name */
    bool *members;        /* by group, then part */
} rule_matcher;

void grz_clash_rule_matches_release(const graze_context *context, grz_clash_rule_matches *matches)
{
    grz_release(context, matches->rules);
    grz_release(context, matches->matches[0]);
    grz_release(context, matches->matches[1]);
    grz_release(context, matches->of_parent);
    grz_release(context, matches->of_file);
    grz_release(context, matches->parents);
    grz_release(context, matches->files);
    grz_release(context, matches->pairs);
    grz_release(context, matches->has_pairs);
    *matches = (grz_clash_rule_matches){0};
}

static bool is_about_two_names(const grz_clash_rule *rule)
{
    return rule->kind == GRZ_RULE_OF_NAMES && rule->level == GRZ_LEVEL_TWO_NAMES;
}

static bool has_bit(const grz_clash_rule *rule)
{
    return rule->kind != GRZ_RULE_OF_ALL && rule->kind != GRZ_RULE_OF_ID && !is_about_two_names(rule);
}

static bool make_room(grz_clash_rules *rules, size_t count)
{
    grz_clash_rule_matches *at = &rules->at;
    const graze_context *context = rules->context;
    at->part_count = count;
    for (size_t i = 0; i < rules->rule_count; i++)
    {
        at->bit_count += has_bit(&rules->rules[i]);
        at->pair_count += is_about_two_names(&rules->rules[i]);
    }
    at->word_count = (at->bit_count + WORD_BITS - 1) / WORD_BITS;
    at->rules = grz_allocate_zeroed(context, at->bit_count + 1, sizeof *at->rules);
    at->of_parent = grz_allocate_zeroed(context, at->word_count + 1, sizeof *at->of_parent);
    at->of_file = grz_allocate_zeroed(context, at->word_count + 1, sizeof *at->of_file);
    at->matches[0] = grz_allocate_zeroed(context, at->word_count * count + 1, sizeof *at->matches[0]);
    at->matches[1] = grz_allocate_zeroed(context, at->word_count * count + 1, sizeof *at->matches[1]);
    at->parents = grz_allocate_zeroed(context, count + 1, sizeof *at->parents);
    at->files = grz_allocate_zeroed(context, count + 1, sizeof *at->files);
    at->pairs = grz_allocate_zeroed(context, at->pair_count + 1, sizeof *at->pairs);
    at->has_pairs = grz_allocate_zeroed(context, count + 1, sizeof *at->has_pairs);
    at->pair_count = 0;
    return at->rules != NULL && at->of_parent != NULL && at->of_file != NULL && at->matches[0] != NULL &&
           at->matches[1] != NULL && at->parents != NULL && at->files != NULL && at->pairs != NULL &&
           at->has_pairs != NULL;
}

static bool number_names(rule_matcher *work)
{
    work->part_of = grz_allocate_zeroed(work->context, work->count + 1, sizeof *work->part_of);
    if (work->part_of == NULL)
        return false;
    for (size_t i = 0; i < work->count; i++)
    {
        size_t known = work->names.count;
        uint32_t number = grz_names_add(work->context, &work->names, work->parts[i].name);
        if (number == GRZ_NO_NAME)
            return false;
        if (number == known)
            work->part_of[number] = (uint32_t)i;
    }
    return true;
}

/* A number for "file, parent" of a part; parents of the same name in two files are different. */
static uint32_t parent_number(const graze_context *context, grz_name_table *table, uint32_t file, const char *parent)
{
    char *key = grz_format_text(context, "%u:%s", (unsigned)file, parent);
    uint32_t number = key != NULL ? grz_names_add(context, table, key) : GRZ_NO_NAME;
    grz_release(context, key);
    return number;
}

static bool number_parents(rule_matcher *work)
{
    const graze_context *context = work->context;
    grz_name_table files = {0}, parents = {0};
    grz_clash_rule_matches *at = &work->rules->at;
    bool fits = true;
    for (size_t i = 0; i < work->count && fits; i++)
    {
        const grz_clash_part *part = &work->parts[i];
        bool has_parent = part->parent[0] != '\0';
        at->files[i] = grz_names_add(context, &files, part->file);
        at->parents[i] = has_parent ? parent_number(context, &parents, at->files[i], part->parent) : GRZ_NO_NAME;
        fits = at->files[i] != GRZ_NO_NAME && (!has_parent || at->parents[i] != GRZ_NO_NAME);
    }
    grz_names_release(context, &files);
    grz_names_release(context, &parents);
    return fits;
}

static bool match_groups(rule_matcher *work)
{
    const graze_clash_rules *book = work->rules->book;
    work->members = grz_allocate_zeroed(work->context, book->group_count * work->count + 1, sizeof *work->members);
    if (work->members == NULL)
        return false;
    for (size_t g = 0; g < book->group_count; g++)
    {
        const grz_clash_rule_group *group = &book->groups[g];
        for (size_t k = 0; k < group->count; k++)
            for (size_t i = 0; i < work->count; i++)
            {
                if (!grz_pattern_matches(group->patterns[k], work->parts[i].name))
                    continue;
                work->members[g * work->count + i] = true;
                work->rules->pattern_matches[group->first + k] = true;
            }
    }
    return true;
}

/* The part that a side of an entry names, or GRZ_NO_NAME and a suggestion. False when out of memory. */
static bool find_part(const rule_matcher *work, uint32_t rule, int s, uint32_t *out_part)
{
    const char *text = work->rules->rules[rule].sides[s].text;
    size_t side = 2 * (size_t)rule + (size_t)s;
    uint32_t number = grz_names_find(&work->names, text);
    *out_part = number != GRZ_NO_NAME ? work->part_of[number] : GRZ_NO_NAME;
    work->rules->side_matches[side] = number != GRZ_NO_NAME;
    if (number != GRZ_NO_NAME)
        return true;
    grz_suggestion best = {.wanted = text};
    for (size_t i = 0; i < work->names.count; i++)
        grz_suggestion_offer(&best, work->names.names[i]);
    const char *name = grz_suggestion_name(&best);
    work->rules->hints[side] = name != NULL ? grz_copy_text(work->context, name) : NULL;
    return name == NULL || work->rules->hints[side] != NULL;
}

static bool side_matches(const rule_matcher *work, const grz_clash_rule_side *side, size_t part)
{
    if (side->group != GRZ_NO_NAME)
        return work->members[side->group * work->count + part];
    return side->text == NULL || grz_pattern_matches(side->text, work->parts[part].name);
}

/* Sets the bit of an entry for all parts that one side of it matches. */
static bool set_bits(const rule_matcher *work, size_t bit, uint32_t rule, int s)
{
    const grz_clash_rule_side *side = &work->rules->rules[rule].sides[s];
    size_t words = work->rules->at.word_count;
    uint64_t mask = UINT64_C(1) << (bit % WORD_BITS), *rows = work->rules->at.matches[s] + bit / WORD_BITS;
    if (side->is_exact)
    {
        uint32_t part;
        if (!find_part(work, rule, s, &part))
            return false;
        if (part != GRZ_NO_NAME)
            rows[part * words] |= mask;
        return true;
    }
    for (size_t i = 0; i < work->count; i++)
        if (side_matches(work, side, i))
        {
            rows[i * words] |= mask;
            work->rules->side_matches[2 * (size_t)rule + (size_t)s] = true;
        }
    return true;
}

static bool add_pair(const rule_matcher *work, uint32_t number)
{
    grz_clash_rule_matches *at = &work->rules->at;
    uint32_t parts[2];
    for (int side = 0; side < 2; side++)
        if (!find_part(work, number, side, &parts[side]))
            return false;
    if (parts[0] == GRZ_NO_NAME || parts[1] == GRZ_NO_NAME)
        return true;
    bool swapped = parts[0] > parts[1];
    at->pairs[at->pair_count++] = (grz_clash_rule_pair){parts[swapped], parts[!swapped], number};
    at->has_pairs[parts[0]] = at->has_pairs[parts[1]] = true;
    return true;
}

static int compare_pairs(const void *left, const void *right)
{
    const grz_clash_rule_pair *one = left, *other = right;
    if (one->lower != other->lower)
        return one->lower < other->lower ? -1 : 1;
    if (one->upper != other->upper)
        return one->upper < other->upper ? -1 : 1;
    return one->rule < other->rule ? -1 : one->rule > other->rule;
}

static bool match_rules(rule_matcher *work)
{
    grz_clash_rule_matches *at = &work->rules->at;
    size_t bit = 0;
    for (uint32_t i = 0; i < work->rules->rule_count; i++)
    {
        const grz_clash_rule *rule = &work->rules->rules[i];
        if (is_about_two_names(rule) && !add_pair(work, i))
            return false;
        if (!has_bit(rule))
            continue;
        uint64_t *same = rule->kind == GRZ_RULE_OF_PARENT ? at->of_parent
                         : rule->kind == GRZ_RULE_OF_FILE ? at->of_file
                                                          : NULL;
        at->rules[bit] = i;
        if (same != NULL)
            same[bit / WORD_BITS] |= UINT64_C(1) << (bit % WORD_BITS);
        else if (!set_bits(work, bit, i, 0) || !set_bits(work, bit, i, 1))
            return false;
        bit++;
    }
    qsort(at->pairs, at->pair_count, sizeof *at->pairs, compare_pairs);
    return true;
}

bool grz_clash_rules_prepare(grz_clash_rules *rules, const grz_clash_part *parts, size_t count)
{
    rule_matcher work = {.context = rules->context, .rules = rules, .parts = parts, .count = count};
    bool fits = make_room(rules, count) && number_names(&work) && number_parents(&work) && match_groups(&work) &&
                match_rules(&work);
    grz_names_release(rules->context, &work.names);
    grz_release(rules->context, work.part_of);
    grz_release(rules->context, work.members);
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
static size_t find_pair(const grz_clash_rule_matches *at, uint32_t lower, uint32_t upper)
{
    const grz_clash_rule_pair wanted = {lower, upper, 0};
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

static void visit_pairs(const grz_clash_rules *rules, uint32_t lower, uint32_t upper, size_t first, size_t last,
                        grz_clash_rule_visitor visit, void *user)
{
    const grz_clash_rule_matches *at = &rules->at;
    for (size_t i = find_pair(at, lower, upper); i < at->pair_count; i++)
    {
        const grz_clash_rule_pair *pair = &at->pairs[i];
        if (pair->lower != lower || pair->upper != upper)
            return;
        if (pair->rule >= first && pair->rule < last)
            visit(user, rules, pair->rule);
    }
}

void grz_clash_rules_visit_unnamed(const grz_clash_rules *rules, size_t a, size_t b, size_t first, size_t last,
                                   grz_clash_rule_visitor visit, void *user)
{
    const grz_clash_rule_matches *at = &rules->at;
    size_t words = at->word_count;
    const uint64_t *a0 = at->matches[0] + a * words, *a1 = at->matches[1] + a * words;
    const uint64_t *b0 = at->matches[0] + b * words, *b1 = at->matches[1] + b * words;
    bool same_parent = a != b && at->parents[a] == at->parents[b] && at->parents[a] != GRZ_NO_NAME;
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

void grz_clash_rules_visit(const grz_clash_rules *rules, size_t a, size_t b, size_t first, size_t last,
                           grz_clash_rule_visitor visit, void *user)
{
    grz_clash_rules_visit_unnamed(rules, a, b, first, last, visit, user);
    if (rules->at.has_pairs[a] && rules->at.has_pairs[b])
        visit_pairs(rules, (uint32_t)(a < b ? a : b), (uint32_t)(a < b ? b : a), first, last, visit, user);
}

bool grz_clash_rules_named_pairs(const graze_context *context, const grz_clash_rules *rules,
                                 grz_clash_part_pairs *pairs)
{
    bool done = true;
    for (size_t i = 0; i < rules->at.pair_count && done; i++)
        done = grz_clash_part_pairs_add(context, pairs, rules->at.pairs[i].lower, rules->at.pairs[i].upper);
    return done;
}

size_t grz_clash_rules_key_size(const grz_clash_rules *rules)
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

void grz_clash_rules_key(const grz_clash_rules *rules, size_t part, unsigned char *out_key)
{
    const grz_clash_rule_matches *at = &rules->at;
    size_t size = at->word_count * sizeof(uint64_t);
    uint32_t groups[2] = {GRZ_NO_NAME, GRZ_NO_NAME}; /* only if entries ask for them */
    if (any_bit(at->of_parent, at->word_count))
        groups[0] = at->parents[part];
    if (any_bit(at->of_file, at->word_count))
        groups[1] = at->files[part];
    memcpy(out_key, at->matches[0] + part * at->word_count, size);
    memcpy(out_key + size, at->matches[1] + part * at->word_count, size);
    memcpy(out_key + 2 * size, groups, sizeof groups);
}

static void note_visit(void *user, const grz_clash_rules *rules, uint32_t rule)
{
    (void)rules;
    (void)rule;
    *(bool *)user = true;
}

bool grz_clash_rule_covers(const grz_clash_rules *rules, uint32_t rule, size_t a, size_t b)
{
    bool found = false;
    grz_clash_rules_visit(rules, a, b, rule, (size_t)rule + 1, note_visit, &found);
    return found;
}

/* The bit of an entry, which must have one. */
static size_t bit_of(const grz_clash_rule_matches *at, uint32_t rule)
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
    return same == count && numbers[parts[0]] != GRZ_NO_NAME;
}

/* A part that neither side matches is in no pair of the entry. Two parts that only the same side matches are no pair of
 * it either; all others are. */
bool grz_clash_rule_covers_all(const grz_clash_rules *rules, uint32_t rule, const size_t *parts, size_t count)
{
    const grz_clash_rule_matches *at = &rules->at;
    const grz_clash_rule *entry = &rules->rules[rule];
    if (!has_bit(entry))
        return false; /* it names two parts, or none */
    if (entry->kind == GRZ_RULE_OF_PARENT || entry->kind == GRZ_RULE_OF_FILE)
        return all_equal(entry->kind == GRZ_RULE_OF_PARENT ? at->parents : at->files, parts, count);
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
