/* SPDX-License-Identifier: MIT */
/* The part of JSON Schema (2020-12) that the project's schemas use. An unknown keyword fails the test, so that none
 * goes unchecked. */
#ifndef TESTS_SUPPORT_JSON_SCHEMA_H
#define TESTS_SUPPORT_JSON_SCHEMA_H

#include <cjson/cJSON.h>
#include <stdbool.h>

/* Reads a schema; release it with cJSON_Delete. */
cJSON *schema_load(const char *path);

/* Whether a value conforms to a schema within the document `root`. */
bool schema_accepts(const cJSON *root, const cJSON *schema, const cJSON *value);

#endif
