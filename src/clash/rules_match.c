/* SPDX-License-Identifier: MIT */
/* Determines which entries of rules apply to which parts, once for all parts; see grz_clash_rule_matches in
 * rules_data.h for the data structure, which rules_visit.c uses. */
#include <stdlib.h>

#include "clash/rules_data.h"
#include "text/format.h"
#include "text/normalization.h"
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
    uint32_t *part_of;    /* by number of the name: its first part, */
    uint32_t *next;       /* and by part: the next one of that name, or GRZ_NO_NAME */
    char **normal;        /* by part: its name in normal form, where it may differ; else NULL */
} rule_matcher;

void grz_clash_rule_matches_release(const graze_context *context, grz_clash_rule_matches *matches)
{
    grz_release(context, matches->rules);
    grz_release(context, matches->matches[0]);
    grz_release(context, matches->matches[1]);
    for (int k = 0; k < GRZ_RULE_SAMES; k++)
    {
        grz_release(context, matches->of_same[k]);
        grz_release(context, matches->sames[k]);
    }
    grz_release(context, matches->pairs);
    grz_release(context, matches->has_pairs);
    *matches = (grz_clash_rule_matches){0};
}

static bool is_about_two_names(const grz_clash_rule *rule)
{
    return rule->kind == GRZ_RULE_OF_NAMES && rule->level == GRZ_LEVEL_TWO_NAMES;
}

bool grz_clash_rule_has_bit(const grz_clash_rule *rule)
{
    return rule->kind != GRZ_RULE_OF_ALL && rule->kind != GRZ_RULE_OF_ID && rule->kind != GRZ_RULE_OF_LINK &&
           !is_about_two_names(rule);
}

bool grz_clash_rule_is_about_same(const grz_clash_rule *rule)
{
    return rule->kind >= GRZ_RULE_OF_PARENT && rule->kind < GRZ_RULE_OF_PARENT + GRZ_RULE_SAMES;
}

static bool make_room(grz_clash_rules *rules, size_t count)
{
    grz_clash_rule_matches *at = &rules->at;
    const graze_context *context = rules->context;
    at->part_count = count;
    for (size_t i = 0; i < rules->rule_count; i++)
        at->bit_count += grz_clash_rule_has_bit(&rules->rules[i]);
    at->word_count = (at->bit_count + WORD_BITS - 1) / WORD_BITS;
    at->rules = grz_allocate_zeroed(context, at->bit_count + 1, sizeof *at->rules);
    at->has_pairs = grz_allocate_zeroed(context, count + 1, sizeof *at->has_pairs);
    bool fits = at->rules != NULL && at->has_pairs != NULL;
    for (int side = 0; side < 2 && fits; side++)
    {
        at->matches[side] = grz_allocate_zeroed(context, at->word_count * count + 1, sizeof *at->matches[side]);
        fits = at->matches[side] != NULL;
    }
    for (int k = 0; k < GRZ_RULE_SAMES && fits; k++)
    {
        at->of_same[k] = grz_allocate_zeroed(context, at->word_count + 1, sizeof *at->of_same[k]);
        at->sames[k] = grz_allocate_zeroed(context, count + 1, sizeof *at->sames[k]);
        fits = at->of_same[k] != NULL && at->sames[k] != NULL;
    }
    return fits;
}

/* Names of parts are compared in normal form C, so that a letter with an accent is the same however it is encoded. */
static bool normalize_names(rule_matcher *work)
{
    work->normal = grz_allocate_zeroed(work->context, work->count + 1, sizeof(char *));
    bool fits = work->normal != NULL;
    for (size_t i = 0; i < work->count && fits; i++)
    {
        if (grz_is_surely_nfc(work->parts[i].name))
            continue;
        work->normal[i] = grz_nfc(work->context, work->parts[i].name);
        fits = work->normal[i] != NULL;
    }
    return fits;
}

static const char *name_of(const rule_matcher *work, size_t part)
{
    return work->normal[part] != NULL ? work->normal[part] : work->parts[part].name;
}

static bool number_names(rule_matcher *work)
{
    work->part_of = grz_allocate_zeroed(work->context, work->count + 1, sizeof *work->part_of);
    work->next = grz_allocate_zeroed(work->context, work->count + 1, sizeof *work->next);
    if (work->part_of == NULL || work->next == NULL)
        return false;
    for (size_t i = work->count; i-- > 0;)
    {
        size_t known = work->names.count;
        uint32_t number = grz_names_add(work->context, &work->names, name_of(work, i));
        if (number == GRZ_NO_NAME)
            return false;
        work->next[i] = number == known ? GRZ_NO_NAME : work->part_of[number];
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

static bool number_sames(rule_matcher *work)
{
    const graze_context *context = work->context;
    grz_name_table files = {0}, parents = {0};
    uint32_t *const *sames = work->rules->at.sames;
    bool fits = true;
    for (size_t i = 0; i < work->count && fits; i++)
    {
        const grz_clash_part *part = &work->parts[i];
        bool has_parent = part->parent[0] != '\0';
        uint32_t file = grz_names_add(context, &files, part->file);
        uint32_t parent = has_parent ? parent_number(context, &parents, file, part->parent) : GRZ_NO_NAME;
        fits = file != GRZ_NO_NAME && (!has_parent || parent != GRZ_NO_NAME);
        sames[0][i] = parent;
        sames[GRZ_RULE_OF_FILE - GRZ_RULE_OF_PARENT][i] = file;
        sames[GRZ_RULE_OF_ASSEMBLY - GRZ_RULE_OF_PARENT][i] = part->assembly != 0 ? part->assembly - 1 : GRZ_NO_NAME;
    }
    grz_names_release(context, &files);
    grz_names_release(context, &parents);
    return fits;
}

static bool match_groups(rule_matcher *work)
{
    const graze_clash_rules *book = work->rules->book;
    bool *members = grz_allocate_zeroed(work->context, book->group_count * work->count + 1, sizeof *members);
    work->rules->members = members;
    if (members == NULL)
        return false;
    for (size_t g = 0; g < book->group_count; g++)
    {
        const grz_clash_rule_group *group = &book->groups[g];
        for (size_t k = 0; k < group->count; k++)
            for (size_t i = 0; i < work->count; i++)
            {
                if (!grz_pattern_matches(group->patterns[k], name_of(work, i)))
                    continue;
                members[g * work->count + i] = true;
                work->rules->pattern_matches[group->first + k] = true;
            }
    }
    return true;
}

bool grz_clash_rules_is_member(const grz_clash_rules *rules, size_t group, size_t part)
{
    return rules->members[group * rules->at.part_count + part];
}

/* The first part that a side of an entry names, or GRZ_NO_NAME and a suggestion. False when out of memory. */
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
        return grz_clash_rules_is_member(work->rules, side->group, part);
    return side->text == NULL || grz_pattern_matches(side->text, name_of(work, part));
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
        for (; part != GRZ_NO_NAME; part = work->next[part])
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

static bool add_pair(const rule_matcher *work, uint32_t a, uint32_t b, uint32_t rule)
{
    grz_clash_rule_matches *at = &work->rules->at;
    if (!grz_array_reserve(work->context, &at->pairs, &at->pair_capacity, at->pair_count + 1, sizeof *at->pairs))
        return false;
    at->pairs[at->pair_count++] = (grz_clash_rule_pair){a < b ? a : b, a < b ? b : a, rule};
    at->has_pairs[a] = at->has_pairs[b] = true;
    return true;
}

/* The pairs of an entry that names two parts: one, unless several names have the same normal form. */
static bool add_named(const rule_matcher *work, uint32_t rule)
{
    uint32_t first, second;
    if (!find_part(work, rule, 0, &first) || !find_part(work, rule, 1, &second))
        return false;
    for (uint32_t a = first; a != GRZ_NO_NAME; a = work->next[a])
        for (uint32_t b = second; b != GRZ_NO_NAME; b = work->next[b])
            if (!add_pair(work, a, b, rule))
                return false;
    return true;
}

/* The pairs of an entry about links. */
static bool add_links(const rule_matcher *work, uint32_t rule)
{
    for (uint32_t i = 0; i < work->count; i++)
        if (work->parts[i].link != 0 && !add_pair(work, i, work->parts[i].link - 1, rule))
            return false;
    return true;
}

int grz_clash_rule_pair_compare(const void *left, const void *right)
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
        if ((is_about_two_names(rule) && !add_named(work, i)) ||
            (rule->kind == GRZ_RULE_OF_LINK && !add_links(work, i)))
            return false;
        if (!grz_clash_rule_has_bit(rule))
            continue;
        at->rules[bit] = i;
        if (grz_clash_rule_is_about_same(rule))
            at->of_same[rule->kind - GRZ_RULE_OF_PARENT][bit / WORD_BITS] |= UINT64_C(1) << (bit % WORD_BITS);
        else if (!set_bits(work, bit, i, 0) || !set_bits(work, bit, i, 1))
            return false;
        bit++;
    }
    if (at->pair_count > 0)
        qsort(at->pairs, at->pair_count, sizeof *at->pairs, grz_clash_rule_pair_compare);
    return true;
}

/* Marks the parts that entries of "surfaces" name. */
static void match_surfaces(rule_matcher *work, grz_clash_part *parts)
{
    const graze_clash_rules *book = work->rules->book;
    for (size_t s = 0; s < book->surfaces.count; s++)
    {
        const grz_clash_surface *surface = &book->surfaces.data[s];
        const grz_clash_rule_side side = {.text = surface->pattern, .group = surface->group};
        for (size_t i = 0; i < work->count; i++)
            if (side_matches(work, &side, i))
                work->rules->surface_matches[s] = parts[i].is_surface = true;
    }
}

bool grz_clash_rules_prepare(grz_clash_rules *rules, grz_clash_part *parts, size_t count)
{
    rule_matcher work = {.context = rules->context, .rules = rules, .parts = parts, .count = count};
    bool fits = make_room(rules, count) && normalize_names(&work) && number_names(&work) && number_sames(&work) &&
                match_groups(&work) && match_rules(&work);
    if (fits)
        match_surfaces(&work, parts);
    for (size_t i = 0; i < count && work.normal != NULL; i++)
        grz_release(rules->context, work.normal[i]);
    grz_release(rules->context, work.normal);
    grz_names_release(rules->context, &work.names);
    grz_release(rules->context, work.part_of);
    grz_release(rules->context, work.next);
    return fits;
}
