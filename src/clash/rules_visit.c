/* SPDX-License-Identifier: MIT */
/* Looks up which entries of rules apply to two parts, in what rules_match.c has determined; see grz_clash_rule_matches
 * in rules_data.h for the data structure. */
#include <string.h>

#include "clash/part_kinds.h"
#include "clash/rules_data.h"

enum
{
    WORD_BITS = 64
};

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
        if (grz_clash_rule_pair_compare(&at->pairs[middle], &wanted) < 0)
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

unsigned grz_clash_rules_commons_of(const grz_clash_rules *rules, size_t a, size_t b)
{
    const grz_clash_rule_matches *at = &rules->at;
    unsigned commons = 0;
    for (int k = 0; k < GRZ_RULE_SAMES && a != b; k++)
        if (at->sames[k][a] == at->sames[k][b] && at->sames[k][a] != GRZ_NO_NAME)
            commons |= 1U << k;
    return commons;
}

void grz_clash_rules_visit_as(const grz_clash_rules *rules, size_t a, size_t b, unsigned commons, size_t first,
                              size_t last, grz_clash_rule_visitor visit, void *user)
{
    const grz_clash_rule_matches *at = &rules->at;
    size_t words = at->word_count;
    const uint64_t *a0 = at->matches[0] + a * words, *a1 = at->matches[1] + a * words;
    const uint64_t *b0 = at->matches[0] + b * words, *b1 = at->matches[1] + b * words;
    for (size_t w = 0; w < words; w++)
    {
        uint64_t word = (a0[w] & b1[w]) | (b0[w] & a1[w]);
        for (int k = 0; k < GRZ_RULE_SAMES; k++)
            word |= (commons >> k & 1) != 0 ? at->of_same[k][w] : 0;
        for (; word != 0; word &= word - 1)
        {
            uint32_t rule = at->rules[w * WORD_BITS + lowest_bit(word)];
            if (rule >= first && rule < last)
                visit(user, rules, rule);
        }
    }
}

void grz_clash_rules_visit_unnamed(const grz_clash_rules *rules, size_t a, size_t b, size_t first, size_t last,
                                   grz_clash_rule_visitor visit, void *user)
{
    grz_clash_rules_visit_as(rules, a, b, grz_clash_rules_commons_of(rules, a, b), first, last, visit, user);
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
    return 2 * rules->at.word_count * sizeof(uint64_t) + GRZ_RULE_SAMES * sizeof(uint32_t);
}

static bool any_bit(const uint64_t *words, size_t count)
{
    uint64_t all = 0;
    for (size_t i = 0; i < count; i++)
        all |= words[i];
    return all != 0;
}

unsigned grz_clash_rules_asked_commons(const grz_clash_rules *rules)
{
    unsigned commons = 0;
    for (size_t i = 0; i < rules->starts[GRZ_RULES_LIMITS]; i++)
        if (grz_clash_rule_is_about_same(&rules->rules[i]))
            commons |= 1U << (rules->rules[i].kind - GRZ_RULE_OF_PARENT);
    return commons;
}

uint32_t grz_clash_rules_common(const grz_clash_rules *rules, int common, size_t part)
{
    return rules->at.sames[common][part];
}

void grz_clash_rules_key(const grz_clash_rules *rules, size_t part, bool commons, unsigned char *out_key)
{
    const grz_clash_rule_matches *at = &rules->at;
    size_t size = at->word_count * sizeof(uint64_t);
    uint32_t groups[GRZ_RULE_SAMES]; /* only if entries ask for them */
    for (int k = 0; k < GRZ_RULE_SAMES; k++)
        groups[k] = commons && any_bit(at->of_same[k], at->word_count) ? at->sames[k][part] : GRZ_NO_NAME;
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
    if (!grz_clash_rule_has_bit(entry))
        return false; /* it names two parts, or none */
    if (grz_clash_rule_is_about_same(entry))
        return all_equal(at->sames[entry->kind - GRZ_RULE_OF_PARENT], parts, count);
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
