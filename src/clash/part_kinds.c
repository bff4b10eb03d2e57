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

static void make_key(const grz_clash_request *request, const part_keys *k, size_t part)
{
    unsigned char *key = k->data + k->size * part;
    grz_clash_interest_key of_interest;
    grz_clash_rules_key(request->rules, part, key);
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

bool grz_clash_kinds_make(const grz_clash_request *request, grz_clash_kinds *out_kinds)
{
    grz_clash_kinds *kinds = out_kinds;
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
        make_key(request, &k, i);
    if (done)
        number_kinds(kinds, &k, count, slots, slot_count);
    grz_release(request->context, k.data);
    grz_release(request->context, slots);
    return done && list_named(request, kinds);
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

/* shortcut: clash-kinds */
uint64_t grz_clash_kinds_count_ignored(const grz_clash_kinds *kinds, const grz_clash_request *request,
                                       graze_clash_ignored *ignored)
{
    uint64_t total = 0;
    size_t entry;
    for (size_t i = 0; i < kinds->count; i++)
        for (size_t k = i; k < kinds->count; k++)
        {
            size_t a = kinds->members[i][0], b = kinds->members[k][k == i];
            uint64_t pairs = k != i ? (uint64_t)kinds->sizes[i] * kinds->sizes[k]
                                    : (uint64_t)kinds->sizes[i] * (kinds->sizes[i] - 1) / 2;
            if (pairs == 0 || !grz_clash_is_possible(&request->parts[a], &request->parts[b]) ||
                !is_ignored_by_kind(request, a, b, &entry))
                continue;
            ignored[entry].count += pairs;
            total += pairs;
        }
    for (size_t i = 0; i < kinds->named.count; i++)
    {
        size_t a = kinds->named.data[i].a, b = kinds->named.data[i].b;
        if (!grz_clash_is_possible(&request->parts[a], &request->parts[b]))
            continue;
        if (is_ignored_by_kind(request, a, b, &entry))
        {
            ignored[entry].count--;
            total--;
        }
        if (grz_clash_is_ignored(request, a, b, &entry))
        {
            ignored[entry].count++;
            total++;
        }
    }
    return total;
}
