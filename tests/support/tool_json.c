/* SPDX-License-Identifier: MIT */
/* The tool's JSON documents; see tool_json.h. */
#include "support/tool_json.h"

#include "support/unit.h"

cJSON *expect_json(tool_result result, int code)
{
    if (result.code != code || result.err[0] != '\0')
        fail_msg("expected code %d, got code %d and '%s'", code, result.code, result.err);
    const char *end = NULL;
    cJSON *document = cJSON_ParseWithOpts(result.out, &end, 0);
    assert_non_null(document);
    assert_string_equal(end, "\n");
    tool_release(&result);
    return document;
}

double json_number(const cJSON *document, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(document, key);
    if (!cJSON_IsNumber(item))
        fail_msg("no number '%s'", key);
    return item->valuedouble;
}

const char *json_string(const cJSON *document, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(document, key);
    if (!cJSON_IsString(item))
        fail_msg("no text '%s'", key);
    return item->valuestring;
}

bool json_boolean(const cJSON *document, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(document, key);
    if (!cJSON_IsBool(item))
        fail_msg("no truth value '%s'", key);
    return cJSON_IsTrue(item);
}
