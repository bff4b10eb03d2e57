/* SPDX-License-Identifier: MIT */
/* Typed access to values of JSON documents; see json_document.h. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "shell/json_document.h"
#include "shell/suggestion.h"

static const char *kind_of(const cJSON *value)
{
    if (cJSON_IsObject(value))
        return "an object";
    if (cJSON_IsArray(value))
        return "a list";
    if (cJSON_IsString(value))
        return "a text";
    if (cJSON_IsNumber(value))
        return "a number";
    return cJSON_IsBool(value) ? "a truth value" : "null";
}

bool find_key(json_document *document, const json_place *parent, const char *key, const char *const *keys, size_t count,
              size_t *out_index)
{
    suggestion best = {.wanted = key};
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
        suggestion_offer(&best, keys[i]);
    const char *hint = suggestion_name(&best);
    json_place place = {.parent = parent, .key = key};
    return document_refuse(document, &place, "there is no such key here%s%s%s", hint != NULL ? "; did you mean '" : "",
                           hint != NULL ? hint : "", hint != NULL ? "'?" : "");
}

bool take_members(json_document *document, const json_place *place, const cJSON *object, const char *const *keys,
                  size_t count, const cJSON **items)
{
    for (size_t i = 0; i < count; i++)
        items[i] = NULL;
    if (!cJSON_IsObject(object))
        return document_refuse(document, place, "expected an object, not %s", kind_of(object));
    for (const cJSON *member = object->child; member != NULL; member = member->next)
    {
        size_t index;
        if (!find_key(document, place, member->string, keys, count, &index))
            return false;
        if (index == count)
            continue;
        if (items[index] != NULL)
        {
            json_place twice = {.parent = place, .key = member->string};
            return document_refuse(document, &twice, "this key is there twice");
        }
        items[index] = member;
    }
    return true;
}

bool take_number(json_document *document, const json_place *place, const cJSON *value, double *out_number)
{
    if (!cJSON_IsNumber(value))
        return document_refuse(document, place, "expected a number, not %s", kind_of(value));
    if (!isfinite(value->valuedouble))
        return document_refuse(document, place, "this number is beyond the range of doubles");
    *out_number = value->valuedouble;
    return true;
}

bool take_array(json_document *document, const json_place *place, const cJSON *value)
{
    return cJSON_IsArray(value) || document_refuse(document, place, "expected a list, not %s", kind_of(value));
}

bool take_numbers(json_document *document, const json_place *place, const cJSON *value, double *numbers, size_t count)
{
    if (!cJSON_IsArray(value))
        return document_refuse(document, place, "expected %zu numbers, not %s", count, kind_of(value));
    size_t found = (size_t)cJSON_GetArraySize(value);
    if (found != count)
        return document_refuse(document, place, "expected %zu numbers, not %zu", count, found);
    json_place entry = {.parent = place};
    for (const cJSON *item = value->child; item != NULL; item = item->next, entry.index++)
        if (!take_number(document, &entry, item, &numbers[entry.index]))
            return false;
    return true;
}

bool take_count(json_document *document, const json_place *place, const cJSON *value, uint64_t least,
                uint64_t *out_count)
{
    const double exact_limit = 9007199254740992.0; /* 2^53 */
    double number = 0;
    if (!take_number(document, place, value, &number))
        return false;
    if (number != floor(number) || number < (double)least || number > exact_limit)
        return document_refuse(document, place, "expected a whole number from %" PRIu64, least);
    *out_count = (uint64_t)number;
    return true;
}

bool take_bool(json_document *document, const json_place *place, const cJSON *value, bool *out_value)
{
    if (!cJSON_IsBool(value))
        return document_refuse(document, place, "expected true or false, not %s", kind_of(value));
    *out_value = cJSON_IsTrue(value) != 0;
    return true;
}

bool take_text(json_document *document, const json_place *place, const cJSON *value, const char **out_text)
{
    if (!cJSON_IsString(value))
        return document_refuse(document, place, "expected a text, not %s", kind_of(value));
    if (value->valuestring[0] == '\0')
        return document_refuse(document, place, "this text must not be empty");
    *out_text = value->valuestring;
    return true;
}

bool take_word(json_document *document, const json_place *place, const cJSON *value, const char *const *words,
               size_t count, size_t *out_index)
{
    const char *text = NULL;
    char list[128] = "";
    if (!take_text(document, place, value, &text) || text == NULL)
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
    return document_refuse(document, place, "expected %s, not '%s'", list, text);
}
