/* SPDX-License-Identifier: MIT */
/* The page template of reports: viewer/dist/report.html, embedded when the tool was built. */
#ifndef TOOL_PAGE_VIEWER_PAGE_H
#define TOOL_PAGE_VIEWER_PAGE_H

#include <stddef.h>

/* The size is 0 if the viewer was not built. */
extern const unsigned char page_bytes[];
extern const size_t page_size;

#endif
