/* SPDX-License-Identifier: MIT */
/* The tool's JSON documents, read by an independent parser (cJSON). */
#ifndef TESTS_SUPPORT_TOOL_JSON_H
#define TESTS_SUPPORT_TOOL_JSON_H

#include <cjson/cJSON.h>

#include "support/tool_process.h"

/* Checks the exit code, that stderr is empty and stdout is exactly one document; releases the result. */
cJSON *expect_json(tool_result result, int code);

/* Members that must exist with that type. */
double json_number(const cJSON *document, const char *key);
const char *json_string(const cJSON *document, const char *key);
bool json_boolean(const cJSON *document, const char *key);

#endif
