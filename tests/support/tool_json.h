/* SPDX-License-Identifier: MIT */
/* The tool's JSON documents, read by a parser that is not ours. */
#ifndef TESTS_SUPPORT_TOOL_JSON_H
#define TESTS_SUPPORT_TOOL_JSON_H

#include <cjson/cJSON.h>

#include "support/tool_process.h"

/* Checks the exit code, that stderr is empty and stdout exactly one document; releases the result. */
cJSON *expect_json(tool_result result, int code);

/* Members that must be there and of that kind. */
double json_number(const cJSON *document, const char *key);
const char *json_string(const cJSON *document, const char *key);
bool json_boolean(const cJSON *document, const char *key);

#endif
