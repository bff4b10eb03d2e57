/* SPDX-License-Identifier: MIT */
/* Models from text within tests of src/io. Include after cmocka. */
#ifndef GRAZE_TESTS_READ_TEXT_H
#define GRAZE_TESTS_READ_TEXT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graze/io.h"

/* Reads valid bytes; fails the test with the error's text if they are refused. The copy has exactly the right size, so
 * that a sanitizer detects a read past its end. */
static inline graze_model *read_bytes(const char *name, const void *bytes, size_t size)
{
    void *copy = malloc(size > 0 ? size : 1);
    assert_non_null(copy);
    if (size > 0)
        memcpy(copy, bytes, size);
    graze_error error = {0};
    graze_model *model = NULL;
    graze_status status = graze_model_read_memory(NULL, copy, size, name, GRAZE_FORMAT_AUTO, NULL, &error, &model);
    free(copy);
    if (status != GRAZE_STATUS_OK)
        fail_msg("%s", error.text);
    return model;
}

static inline graze_model *read_text(const char *name, const char *text)
{
    return read_bytes(name, text, strlen(text));
}

/* Reads invalid bytes, and returns the error. */
static inline graze_error read_bad_bytes(const char *name, const void *bytes, size_t size)
{
    void *copy = malloc(size > 0 ? size : 1);
    assert_non_null(copy);
    if (size > 0)
        memcpy(copy, bytes, size);
    graze_error error = {0};
    graze_model *model = NULL;
    graze_status status = graze_model_read_memory(NULL, copy, size, name, GRAZE_FORMAT_AUTO, NULL, &error, &model);
    free(copy);
    if (status == GRAZE_STATUS_OK)
    {
        graze_model_destroy(model);
        fail_msg("%s was read although it is broken", name);
    }
    assert_null(model);
    assert_int_equal(status, error.status);
    assert_true(strlen(error.text) > 10);
    return error;
}

static inline graze_error read_bad_text(const char *name, const char *text)
{
    return read_bad_bytes(name, text, strlen(text));
}

/* The corners of a face, as text such as "0 1 2", in a buffer that the next call overwrites. */
static inline const char *face_text(const graze_model *model, size_t face)
{
    static char text[1000];
    size_t count = 0, used = 0;
    const uint32_t *corners = graze_mesh_face_loop(graze_model_mesh(model), face, 0, &count);
    text[0] = '\0';
    for (size_t c = 0; c < count; c++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%lu", c > 0 ? " " : "", (unsigned long)corners[c]);
    return text;
}

#endif
