/* SPDX-License-Identifier: MIT */
/* As much of JSON Schema (2020-12) as the project's own schemas use. A keyword that is not known fails the test, so
 * that none can go unchecked. */
#ifndef TESTS_SUPPORT_JSON_SCHEMA_H
#define TESTS_SUPPORT_JSON_SCHEMA_H

#include <cjson/cJSON.h>
#include <stdbool.h>

/* Reads a schema; release it with cJSON_Delete. */
cJSON *schema_load(const char *path);

/* Whether a value is what a schema, somewhere in the document `root`, asks for. */
bool schema_accepts(const cJSON *root, const cJSON *schema, const cJSON *value);

#endif
