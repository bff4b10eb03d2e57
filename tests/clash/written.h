/* SPDX-License-Identifier: MIT */
/* Documents of reports in memory. Include after cmocka. */
#ifndef TESTS_CLASH_WRITTEN_H
#define TESTS_CLASH_WRITTEN_H

#include <stdlib.h>
#include <string.h>

#include "graze/clash.h"

typedef struct written_text
{
    char *text; /* terminated by a zero byte; to be freed */
    size_t size;
} written_text;

static inline bool append_bytes(void *user, const char *bytes, size_t size)
{
    written_text *all = user;
    all->text = realloc(all->text, all->size + size + 1);
    assert_non_null(all->text);
    memcpy(all->text + all->size, bytes, size);
    all->size += size;
    all->text[all->size] = '\0';
    return true;
}

typedef graze_status (*report_writer)(const graze_clash_report *report, graze_clash_write_function write, void *user);

static inline written_text written_by(report_writer write, const graze_clash_report *report)
{
    written_text all = {NULL, 0};
    assert_int_equal(write(report, append_bytes, &all), GRAZE_STATUS_OK);
    assert_non_null(all.text);
    return all;
}

#endif
