/* SPDX-License-Identifier: MIT */
/* JSON Schema; see json_schema.h. */
#define _POSIX_C_SOURCE 200809L

#include "support/json_schema.h"

#include <math.h>
#include <regex.h>
#include <stdio.h>
#include <string.h>

#include "support/unit.h"

cJSON *schema_load(const char *path)
{
    static char text[1 << 16];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    cJSON *schema = cJSON_Parse(text);
    assert_non_null(schema);
    return schema;
}

static const cJSON *member(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

/* "#/$defs/a/b", from the root. */
static const cJSON *resolve(const cJSON *root, const char *reference)
{
    assert_int_equal(strncmp(reference, "#/", 2), 0);
    const cJSON *at = root;
    for (const char *name = reference + 2; *name != '\0';)
    {
        char key[64];
        size_t size = strcspn(name, "/");
        assert_true(size < sizeof key);
        memcpy(key, name, size);
        key[size] = '\0';
        at = member(at, key);
        assert_non_null(at);
        name += size + (name[size] == '/');
    }
    return at;
}

static bool has_type(const cJSON *value, const char *type)
{
    if (strcmp(type, "object") == 0)
        return cJSON_IsObject(value);
    if (strcmp(type, "array") == 0)
        return cJSON_IsArray(value);
    if (strcmp(type, "string") == 0)
        return cJSON_IsString(value);
    if (strcmp(type, "boolean") == 0)
        return cJSON_IsBool(value);
    if (strcmp(type, "null") == 0)
        return cJSON_IsNull(value);
    if (strcmp(type, "number") == 0)
        return cJSON_IsNumber(value);
    assert_string_equal(type, "integer");
    return cJSON_IsNumber(value) && value->valuedouble == floor(value->valuedouble);
}

static bool matches(const char *pattern, const char *text)
{
    regex_t compiled;
    assert_int_equal(regcomp(&compiled, pattern, REG_EXTENDED | REG_NOSUB), 0);
    bool found = regexec(&compiled, text, 0, NULL, 0) == 0;
    regfree(&compiled);
    return found;
}

/* properties, patternProperties and additionalProperties at once. */
static bool accepts_members(const cJSON *root, const cJSON *schema, const cJSON *value)
{
    const cJSON *item, *pattern, *others = member(schema, "additionalProperties");
    cJSON_ArrayForEach(item, value)
    {
        const cJSON *own = member(member(schema, "properties"), item->string);
        bool is_known = own != NULL;
        if (own != NULL && !schema_accepts(root, own, item))
            return false;
        cJSON_ArrayForEach(pattern, member(schema, "patternProperties"))
        {
            if (!matches(pattern->string, item->string))
                continue;
            is_known = true;
            if (!schema_accepts(root, pattern, item))
                return false;
        }
        if (!is_known && others != NULL && !schema_accepts(root, others, item))
            return false;
    }
    return true;
}

static bool accepts_items(const cJSON *root, const cJSON *schema, const cJSON *value)
{
    const cJSON *items = member(schema, "items"), *first = member(schema, "prefixItems"), *item;
    int index = 0;
    cJSON_ArrayForEach(item, value)
    {
        const cJSON *own = first != NULL ? cJSON_GetArrayItem(first, index) : items;
        if (own != NULL && !schema_accepts(root, own, item))
            return false;
        for (int i = 0; i < index && member(schema, "uniqueItems") != NULL; i++)
            if (cJSON_Compare(cJSON_GetArrayItem(value, i), item, 1))
                return false;
        index++;
    }
    return true;
}

static int count_accepting(const cJSON *root, const cJSON *list, const cJSON *value)
{
    const cJSON *schema;
    int count = 0;
    cJSON_ArrayForEach(schema, list) count += schema_accepts(root, schema, value);
    return count;
}

static bool has_all(const cJSON *value, const cJSON *names)
{
    const cJSON *name;
    cJSON_ArrayForEach(name, names)
    {
        if (member(value, name->valuestring) == NULL)
            return false;
    }
    return true;
}

static bool is_one_of(const cJSON *value, const cJSON *list)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, list)
    {
        if (cJSON_Compare(item, value, 1))
            return true;
    }
    return false;
}

/* Limits of numbers and lengths, which apply to one type only. */
static bool accepts_limits(const char *key, const cJSON *limit, const cJSON *value)
{
    double number = limit->valuedouble;
    if (strcmp(key, "minimum") == 0)
        return !cJSON_IsNumber(value) || value->valuedouble >= number;
    if (strcmp(key, "maximum") == 0)
        return !cJSON_IsNumber(value) || value->valuedouble <= number;
    if (strcmp(key, "exclusiveMinimum") == 0)
        return !cJSON_IsNumber(value) || value->valuedouble > number;
    if (strcmp(key, "minItems") == 0)
        return !cJSON_IsArray(value) || cJSON_GetArraySize(value) >= number;
    if (strcmp(key, "maxItems") == 0)
        return !cJSON_IsArray(value) || cJSON_GetArraySize(value) <= number;
    if (strcmp(key, "minLength") == 0)
        return !cJSON_IsString(value) || (double)strlen(value->valuestring) >= number;
    static const char *const notes[] = {"$schema", "title", "description", "$defs"};
    for (size_t i = 0; i < sizeof notes / sizeof notes[0]; i++)
        if (strcmp(key, notes[i]) == 0)
            return true;
    fail_msg("the schema uses '%s', which this test does not know", key);
    return false;
}

static bool accepts_keyword(const cJSON *root, const cJSON *schema, const cJSON *keyword, const cJSON *value)
{
    const char *key = keyword->string;
    if (strcmp(key, "$ref") == 0)
        return schema_accepts(root, resolve(root, keyword->valuestring), value);
    if (strcmp(key, "type") == 0)
        return has_type(value, keyword->valuestring);
    if (strcmp(key, "const") == 0)
        return cJSON_Compare(keyword, value, 1) != 0;
    if (strcmp(key, "enum") == 0)
        return is_one_of(value, keyword);
    if (strcmp(key, "required") == 0)
        return !cJSON_IsObject(value) || has_all(value, keyword);
    if (strcmp(key, "properties") == 0 || strcmp(key, "patternProperties") == 0 ||
        strcmp(key, "additionalProperties") == 0)
        return !cJSON_IsObject(value) || accepts_members(root, schema, value);
    if (strcmp(key, "items") == 0 || strcmp(key, "prefixItems") == 0 || strcmp(key, "uniqueItems") == 0)
        return !cJSON_IsArray(value) || accepts_items(root, schema, value);
    if (strcmp(key, "oneOf") == 0)
        return count_accepting(root, keyword, value) == 1;
    if (strcmp(key, "anyOf") == 0)
        return count_accepting(root, keyword, value) > 0;
    if (strcmp(key, "allOf") == 0)
        return count_accepting(root, keyword, value) == cJSON_GetArraySize(keyword);
    if (strcmp(key, "not") == 0)
        return !schema_accepts(root, keyword, value);
    if (strcmp(key, "pattern") == 0)
        return !cJSON_IsString(value) || matches(keyword->valuestring, value->valuestring);
    return accepts_limits(key, keyword, value);
}

bool schema_accepts(const cJSON *root, const cJSON *schema, const cJSON *value)
{
    if (cJSON_IsBool(schema))
        return cJSON_IsTrue(schema) != 0;
    const cJSON *keyword;
    cJSON_ArrayForEach(keyword, schema)
    {
        if (!accepts_keyword(root, schema, keyword, value))
            return false;
    }
    return true;
}
