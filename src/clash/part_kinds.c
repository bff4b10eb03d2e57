/* SPDX-License-Identifier: MIT */
/* Equivalence classes of parts; see part_kinds.h. Each part has a key: bytes that are equal for parts of the same
 * kind. */
#include "clash/part_kinds.h"

#include <stdlib.h>
#include <string.h>

bool grz_clash_part_pairs_add(const graze_context *context, grz_clash_part_pairs *pairs, size_t a, size_t b)
{
    if (a == b)
        return true;
    if (pairs->count == pairs->capacity)
    {
        size_t capacity = pairs->capacity == 0 ? 64 : 2 * pairs->capacity;
        grz_clash_part_pair *larger = grz_reallocate(context, pairs->data, capacity, sizeof *larger);
        if (larger == NULL)
            return false;
        pairs->data = larger;
        pairs->capacity = capacity;
    }
    pairs->data[pairs->count++] = (grz_clash_part_pair){(uint32_t)(a < b ? a : b), (uint32_t)(a < b ? b : a)};
    return true;
}

static int compare_pairs(const void *left, const void *right)
{
    const grz_clash_part_pair *one = left, *other = right;
    if (one->a != other->a)
        return one->a < other->a ? -1 : 1;
    return one->b < other->b ? -1 : one->b > other->b;
}

static bool list_named(const grz_clash_request *request, grz_clash_kinds *kinds)
{
    grz_clash_part_pairs *named = &kinds->named;
    if (!grz_clash_rules_named_pairs(request->context, request->rules, named) ||
        !grz_clash_interest_named_pairs(request->context, request->interest, named))
        return false;
    if (named->count > 0)
        qsort(named->data, named->count, sizeof *named->data, compare_pairs);
    size_t kept = 0;
    for (size_t i = 0; i < named->count; i++)
    {
        if (kept > 0 && compare_pairs(&named->data[kept - 1], &named->data[i]) == 0)
            continue;
        kinds->is_named[named->data[i].a] = kinds->is_named[named->data[i].b] = true;
        named->data[kept++] = named->data[i];
    }
    named->count = kept;
    return true;
}

/* --- keys --- */

typedef struct part_keys
{
    unsigned char *data;
    size_t size, rules_size; /* of a key, and of the part of it that comes from the rules */
} part_keys;

static void make_key(const grz_clash_request *request, const part_keys *k, bool commons, size_t part)
{
    unsigned char *key = k->data + k->size * part;
    grz_clash_interest_key of_interest;
    grz_clash_rules_key(request->rules, part, commons, key);
    grz_clash_interest_key_of(request->interest, part, &of_interest);
    memcpy(key + k->rules_size, &of_interest, sizeof of_interest);
    key[k->size - 1] = (unsigned char)(2 * request->parts[part].in_a + request->parts[part].in_b);
}

static size_t hash_of(const unsigned char *bytes, size_t size)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
    return (size_t)(hash ^ (hash >> 32));
}

/* Numbers the kinds in order of first appearance. `slots` is a hash table of a power of two slots, at least twice the
 * part count. */
static void number_kinds(grz_clash_kinds *kinds, const part_keys *k, size_t part_count, uint32_t *slots,
                         size_t slot_count)
{
    for (size_t i = 0; i < part_count; i++)
    {
        const unsigned char *key = k->data + k->size * i;
        size_t slot = hash_of(key, k->size) & (slot_count - 1);
        while (slots[slot] != 0 && memcmp(k->data + k->size * kinds->members[slots[slot] - 1][0], key, k->size) != 0)
            slot = (slot + 1) & (slot_count - 1);
        if (slots[slot] == 0)
        {
            kinds->members[kinds->count][0] = (uint32_t)i;
            slots[slot] = (uint32_t)++kinds->count;
        }
        uint32_t kind = slots[slot] - 1;
        kinds->of[i] = kind;
        if (++kinds->sizes[kind] == 2)
            kinds->members[kind][1] = (uint32_t)i;
    }
}

/* Without `commons`, parts of a kind may differ in what they have in common with others. */
static bool make_kinds(const grz_clash_request *request, bool commons, grz_clash_kinds *kinds)
{
    size_t count = request->part_count, slot_count = 2;
    part_keys k = {.rules_size = grz_clash_rules_key_size(request->rules)};
    k.size = k.rules_size + sizeof(grz_clash_interest_key) + 1;
    while (slot_count < 2 * count)
        slot_count *= 2;
    *kinds = (grz_clash_kinds){.of = grz_allocate_zeroed(request->context, count + 1, sizeof *kinds->of),
                               .sizes = grz_allocate_zeroed(request->context, count + 1, sizeof *kinds->sizes),
                               .members = grz_allocate_zeroed(request->context, count + 1, sizeof *kinds->members),
                               .is_named = grz_allocate_zeroed(request->context, count + 1, sizeof *kinds->is_named)};
    k.data = grz_allocate_zeroed(request->context, count + 1, k.size);
    uint32_t *slots = grz_allocate_zeroed(request->context, slot_count, sizeof *slots);
    bool done = kinds->of != NULL && kinds->sizes != NULL && kinds->members != NULL && kinds->is_named != NULL &&
                k.data != NULL && slots != NULL;
    for (size_t i = 0; i < count && done; i++)
        make_key(request, &k, commons, i);
    if (done)
        number_kinds(kinds, &k, count, slots, slot_count);
    grz_release(request->context, k.data);
    grz_release(request->context, slots);
    return done;
}

bool grz_clash_kinds_make(const grz_clash_request *request, grz_clash_kinds *out_kinds)
{
    return make_kinds(request, true, out_kinds) && list_named(request, out_kinds);
}

void grz_clash_kinds_release(const graze_context *context, grz_clash_kinds *kinds)
{
    grz_release(context, kinds->of);
    grz_release(context, kinds->sizes);
    grz_release(context, kinds->members);
    grz_release(context, kinds->named.data);
    grz_release(context, kinds->is_named);
    *kinds = (grz_clash_kinds){0};
}

/* --- ignored pairs --- */

bool grz_clash_is_possible(const grz_clash_part *a, const grz_clash_part *b)
{
    return (a->in_a && b->in_b) || (a->in_b && b->in_a);
}

bool grz_clash_is_ignored(const grz_clash_request *request, size_t a, size_t b, size_t *out_entry)
{
    if (grz_clash_rules_ignore(request->rules, a, b, out_entry))
        return true;
    if (!grz_clash_interest_ignores(request->interest, a, b, out_entry))
        return false;
    *out_entry += grz_clash_rules_ignore_count(request->rules);
    return true;
}

/* The same without entries that name the two parts. */
static bool is_ignored_by_kind(const grz_clash_request *request, size_t a, size_t b, size_t *out_entry)
{
    if (grz_clash_rules_ignore_unnamed(request->rules, a, b, out_entry))
        return true;
    if (!grz_clash_interest_ignores_unnamed(request->interest, a, b, out_entry))
        return false;
    *out_entry += grz_clash_rules_ignore_count(request->rules);
    return true;
}

/* --- counting them --- */

/* A part in a class: parts that have the same in common. */
typedef struct class_member
{
    uint32_t numbers[GRZ_CLASH_COMMONS]; /* of its parent, file and assembly; 0 where they do not matter */
    uint32_t kind;
} class_member;

typedef struct pair_counter
{
    const grz_clash_request *request;
    grz_clash_kinds coarse; /* kinds that differ in more than what parts have in common */
    class_member *class_members;
    graze_clash_ignored *ignored;
    uint64_t total;
} pair_counter;

static bool is_ignored_as(const grz_clash_request *request, size_t a, size_t b, unsigned commons, size_t *out_entry)
{
    if (grz_clash_rules_ignore_as(request->rules, a, b, commons, out_entry))
        return true;
    if (!grz_clash_interest_ignores_unnamed(request->interest, a, b, out_entry))
        return false;
    *out_entry += grz_clash_rules_ignore_count(request->rules);
    return true;
}

/*
 * Let f(S) be the entry that ignores pairs of two kinds with S in common, as a vector with one 1. By Moebius inversion
 * f(T) is the sum over S in T of d(S), with d(S) the sum over R in S of (-1)^|S - R| f(R). So each pair is counted
 * right if d(S) is added for each S that it has in common, be it with more. Adds `pairs` times d(commons); differences
 * of unsigned numbers are right modulo 2^64, and so are the sums.
 */
static void add_pairs(pair_counter *counter, size_t i, size_t k, uint64_t pairs, unsigned commons)
{
    const grz_clash_request *request = counter->request;
    size_t a = counter->coarse.members[i][0], b = counter->coarse.members[k][k == i], entry;
    if (pairs == 0 || !grz_clash_is_possible(&request->parts[a], &request->parts[b]))
        return;
    for (unsigned part = commons;; part = (part - 1) & commons)
    {
        unsigned rest = commons ^ part;
        bool is_odd = ((rest ^ rest >> 1 ^ rest >> 2) & 1) != 0; /* of three bits */
        if (is_ignored_as(request, a, b, part, &entry))
        {
            counter->ignored[entry].count += is_odd ? 0 - pairs : pairs;
            counter->total += is_odd ? 0 - pairs : pairs;
        }
        if (part == 0)
            return;
    }
}

static uint64_t pairs_of(uint64_t size, uint64_t other_size, bool is_same)
{
    return is_same ? size * (size - 1) / 2 : size * other_size;
}

static int compare_members(const void *left, const void *right)
{
    const class_member *one = left, *other = right;
    int order = memcmp(one->numbers, other->numbers, sizeof one->numbers);
    return order != 0 ? order : (one->kind > other->kind) - (one->kind < other->kind);
}

/* The end of the run of members from `first` on that are of the same class, and with `of_kind` of the same kind. */
static size_t end_of_run(const class_member *members, size_t first, size_t last, bool of_kind)
{
    size_t end = first + 1;
    while (end < last && memcmp(members[end].numbers, members[first].numbers, sizeof members->numbers) == 0 &&
           (!of_kind || members[end].kind == members[first].kind))
        end++;
    return end;
}

/* Counts the pairs of parts that have `commons` in common, class by class. */
static void count_classes(pair_counter *counter, unsigned commons)
{
    const grz_clash_request *request = counter->request;
    class_member *members = counter->class_members;
    size_t count = 0;
    for (size_t i = 0; i < request->part_count; i++)
    {
        class_member member = {.kind = counter->coarse.of[i]};
        bool has_all = true;
        for (int k = 0; k < GRZ_CLASH_COMMONS; k++)
            if ((commons >> k & 1) != 0)
            {
                member.numbers[k] = grz_clash_rules_common(request->rules, k, i);
                has_all = has_all && member.numbers[k] != UINT32_MAX;
            }
        if (has_all)
            members[count++] = member;
    }
    if (count > 0)
        qsort(members, count, sizeof *members, compare_members);
    for (size_t first = 0; first < count;)
    {
        size_t last = end_of_run(members, first, count, false);
        for (size_t i = first; i < last; i = end_of_run(members, i, last, true))
            for (size_t k = i; k < last; k = end_of_run(members, k, last, true))
                add_pairs(
                    counter, members[i].kind, members[k].kind,
                    pairs_of(end_of_run(members, i, last, true) - i, end_of_run(members, k, last, true) - k, i == k),
                    commons);
        first = last;
    }
}

/* Pairs of kinds as if entries that name two parts did not exist. */
static void count_by_kinds(pair_counter *counter)
{
    const grz_clash_kinds *coarse = &counter->coarse;
    for (size_t i = 0; i < coarse->count; i++)
        for (size_t k = i; k < coarse->count; k++)
            add_pairs(counter, i, k, pairs_of(coarse->sizes[i], coarse->sizes[k], k == i), 0);
    unsigned asked = grz_clash_rules_asked_commons(counter->request->rules);
    for (unsigned commons = asked; commons != 0; commons = (commons - 1) & asked)
        count_classes(counter, commons);
}

/* shortcut: clash-kinds */
bool grz_clash_kinds_count_ignored(const grz_clash_kinds *kinds, const grz_clash_request *request,
                                   graze_clash_ignored *ignored, uint64_t *out_total)
{
    pair_counter counter = {.request = request, .ignored = ignored};
    counter.class_members = grz_allocate(request->context, request->part_count + 1, sizeof *counter.class_members);
    bool fits = counter.class_members != NULL && make_kinds(request, false, &counter.coarse);
    size_t entry;
    if (fits)
        count_by_kinds(&counter);
    for (size_t i = 0; i < kinds->named.count && fits; i++)
    {
        size_t a = kinds->named.data[i].a, b = kinds->named.data[i].b;
        if (!grz_clash_is_possible(&request->parts[a], &request->parts[b]))
            continue;
        if (is_ignored_by_kind(request, a, b, &entry))
        {
            ignored[entry].count--;
            counter.total--;
        }
        if (grz_clash_is_ignored(request, a, b, &entry))
        {
            ignored[entry].count++;
            counter.total++;
        }
    }
    grz_clash_kinds_release(request->context, &counter.coarse);
    grz_release(request->context, counter.class_members);
    *out_total = counter.total;
    return fits;
}
