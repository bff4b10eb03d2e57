/* SPDX-License-Identifier: MIT */
/* Assemblies of boxes for graze clash, and access to its findings. */
#ifndef TESTS_TOOL_CLASH_CLASH_BOXES_H
#define TESTS_TOOL_CLASH_CLASH_BOXES_H

#include <stdio.h>
#include <string.h>

#include "support/tool_json.h"
#include "support/unit.h"

/* Writes a box as an OBJ object; `first` is the number of its first vertex. */
static inline void put_box(FILE *file, const char *name, const double lower[3], const double upper[3], int first)
{
    static const int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    fprintf(file, "o %s\n", name);
    for (int i = 0; i < 8; i++)
        fprintf(file, "v %.17g %.17g %.17g\n", i & 1 ? upper[0] : lower[0], i & 2 ? upper[1] : lower[1],
                i & 4 ? upper[2] : lower[2]);
    for (int i = 0; i < 6; i++)
        fprintf(file, "f %d %d %d %d\n", first + faces[i][0], first + faces[i][1], first + faces[i][2],
                first + faces[i][3]);
}

typedef struct box
{
    const char *name;
    double lower[3], upper[3];
} box;

static inline void write_boxes(const char *path, const box *boxes, size_t count)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (size_t i = 0; i < count; i++)
        put_box(file, boxes[i].name, boxes[i].lower, boxes[i].upper, 1 + 8 * (int)i);
    assert_int_equal(fclose(file), 0);
}

#define WRITE_BOXES(path, ...)                                                                                         \
    do                                                                                                                 \
    {                                                                                                                  \
        const box boxes_[] = {__VA_ARGS__};                                                                            \
        write_boxes(path, boxes_, sizeof boxes_ / sizeof boxes_[0]);                                                   \
    } while (0)

static inline const cJSON *finding(const cJSON *document, int place)
{
    const cJSON *found = cJSON_GetArrayItem(cJSON_GetObjectItem(document, "findings"), place);
    assert_non_null(found);
    return found;
}

static inline void expect_finding(const cJSON *document, int place, const char *a, const char *b, const char *verdict)
{
    const cJSON *found = finding(document, place);
    assert_string_equal(json_string(found, "a"), a);
    assert_string_equal(json_string(found, "b"), b);
    assert_string_equal(json_string(found, "verdict"), verdict);
    assert_int_equal(strlen(json_string(found, "id")), 16);
}

static inline double summary(const cJSON *document, const char *key)
{
    return json_number(cJSON_GetObjectItem(document, "summary"), key);
}

static inline double number_at(const cJSON *object, const char *key, int place)
{
    return cJSON_GetArrayItem(cJSON_GetObjectItem(object, key), place)->valuedouble;
}

#endif
