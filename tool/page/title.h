/* SPDX-License-Identifier: MIT */
/* Title and up axis of a page, from the names of its files. */
#ifndef TOOL_PAGE_TITLE_H
#define TOOL_PAGE_TITLE_H

#include "page/report.h"

/* The name of the only file, without extensions; of several, that of their common folder, if it has one, else that of
 * the first "and others". The caller frees it; NULL when out of memory. */
char *page_title(const page_input *inputs, size_t count);

/* Whether all files are glTF, where y points up; else it is z. */
bool page_has_y_up(const page_input *inputs, size_t count);

#endif
