/* SPDX-License-Identifier: MIT */
/* What the names of files say about a page: how to call it, and which way is up. */
#ifndef TOOL_PAGE_TITLE_H
#define TOOL_PAGE_TITLE_H

#include "page/report.h"

/* The name of the one file, without its ending; of several, that of the folder they all are in, if it has one, else
 * that of the first "and others". The caller frees it; NULL when memory ends. */
char *page_title(const page_input *inputs, size_t count);

/* Whether all files are glTF, where y points up; else it is z. */
bool page_has_y_up(const page_input *inputs, size_t count);

#endif
