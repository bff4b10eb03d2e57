/* SPDX-License-Identifier: MIT */
/* Typed access to values of JSON documents; see json_document.h. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "text/json_document.h"
#include "text/suggestion.h"

static const char *kind_of(const grz_json_node *value)
{
    static const char *const names[] = {"null",   "a truth value", "a truth value", "a number",
                                        "a text", "a list",        "an object"};
    return names[value->kind];
}

const grz_json_node *grz_json_find_member(const grz_json_node *object, const char *key)
{
    const grz_json_node *member = object->kind == GRZ_JSON_OBJECT ? object->child : NULL;
    while (member != NULL && strcmp(member->key, key) != 0)
        member = member->next;
    return member;
}

bool grz_json_find_key(grz_json_document *document, const grz_json_place *parent, const char *key,
                       const char *const *keys, size_t count, size_t *out_index)
{
    grz_suggestion best = {.wanted = key};
    *out_index = count;
    for (size_t i = 0; i < count; i++)
        if (strcmp(key, keys[i]) == 0)
        {
            *out_index = i;
            return true;
        }
    if (strncmp(key, "x-", 2) == 0 || strncmp(key, "comment", 7) == 0)
        return true;
    for (size_t i = 0; i < count; i++)
        grz_suggestion_offer(&best, keys[i]);
    const char *hint = grz_suggestion_name(&best);
    grz_json_place place = {.parent = parent, .key = key};
    return grz_json_refuse(document, &place, "there is no such key here%s%s%s", hint != NULL ? "; did you mean '" : "",
                           hint != NULL ? hint : "", hint != NULL ? "'?" : "");
}

bool grz_json_take_members(grz_json_document *document, const grz_json_place *place, const grz_json_node *object,
                           const char *const *keys, size_t count, const grz_json_node **items)
{
    for (size_t i = 0; i < count; i++)
        items[i] = NULL;
    if (object->kind != GRZ_JSON_OBJECT)
        return grz_json_refuse(document, place, "expected an object, not %s", kind_of(object));
    for (const grz_json_node *member = object->child; member != NULL; member = member->next)
    {
        size_t index;
        if (!grz_json_find_key(document, place, member->key, keys, count, &index))
            return false;
        if (index == count)
            continue;
        if (items[index] != NULL)
        {
            grz_json_place twice = {.parent = place, .key = member->key};
            return grz_json_refuse(document, &twice, "this key is there twice");
        }
        items[index] = member;
    }
    return true;
}

bool grz_json_take_number(grz_json_document *document, const grz_json_place *place, const grz_json_node *value,
                          double *out_number)
{
    if (value->kind != GRZ_JSON_NUMBER)
        return grz_json_refuse(document, place, "expected a number, not %s", kind_of(value));
    if (!isfinite(value->number))
        return grz_json_refuse(document, place, "this number is beyond the range of doubles");
    *out_number = value->number;
    return true;
}

bool grz_json_take_array(grz_json_document *document, const grz_json_place *place, const grz_json_node *value)
{
    return value->kind == GRZ_JSON_ARRAY || grz_json_refuse(document, place, "expected a list, not %s", kind_of(value));
}

bool grz_json_take_numbers(grz_json_document *document, const grz_json_place *place, const grz_json_node *value,
                           double *numbers, size_t count)
{
    if (value->kind != GRZ_JSON_ARRAY)
        return grz_json_refuse(document, place, "expected %zu numbers, not %s", count, kind_of(value));
    size_t found = value->count;
    if (found != count)
        return grz_json_refuse(document, place, "expected %zu numbers, not %zu", count, found);
    grz_json_place entry = {.parent = place};
    for (const grz_json_node *item = value->child; item != NULL; item = item->next, entry.index++)
        if (!grz_json_take_number(document, &entry, item, &numbers[entry.index]))
            return false;
    return true;
}

bool grz_json_take_count(grz_json_document *document, const grz_json_place *place, const grz_json_node *value,
                         uint64_t least, uint64_t *out_count)
{
    const double exact_limit = 9007199254740992.0; /* 2^53 */
    double number = 0;
    if (!grz_json_take_number(document, place, value, &number))
        return false;
    if (number != floor(number) || number < (double)least || number > exact_limit)
        return grz_json_refuse(document, place, "expected a whole number from %" PRIu64, least);
    *out_count = (uint64_t)number;
    return true;
}

bool grz_json_take_bool(grz_json_document *document, const grz_json_place *place, const grz_json_node *value,
                        bool *out_value)
{
    if (value->kind != GRZ_JSON_TRUE && value->kind != GRZ_JSON_FALSE)
        return grz_json_refuse(document, place, "expected true or false, not %s", kind_of(value));
    *out_value = value->kind == GRZ_JSON_TRUE;
    return true;
}

bool grz_json_take_text(grz_json_document *document, const grz_json_place *place, const grz_json_node *value,
                        const char **out_text)
{
    if (value->kind != GRZ_JSON_STRING)
        return grz_json_refuse(document, place, "expected a text, not %s", kind_of(value));
    if (value->text[0] == '\0')
        return grz_json_refuse(document, place, "this text must not be empty");
    *out_text = value->text;
    return true;
}

bool grz_json_take_word(grz_json_document *document, const grz_json_place *place, const grz_json_node *value,
                        const char *const *words, size_t count, size_t *out_index)
{
    const char *text = NULL;
    char list[128] = "";
    if (!grz_json_take_text(document, place, value, &text) || text == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
    {
        if (strcmp(text, words[i]) == 0)
        {
            *out_index = i;
            return true;
        }
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i == 0 ? "" : i + 1 < count ? ", " : " or ", words[i]);
    }
    return grz_json_refuse(document, place, "expected %s, not '%s'", list, text);
}
