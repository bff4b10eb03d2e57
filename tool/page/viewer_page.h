/* SPDX-License-Identifier: MIT */
/* The page that reports are written into: viewer/dist/report.html, as it was when the tool was built. */
#ifndef TOOL_PAGE_VIEWER_PAGE_H
#define TOOL_PAGE_VIEWER_PAGE_H

#include <stddef.h>

/* Without a viewer at hand the size is 0. */
extern const unsigned char page_bytes[];
extern const size_t page_size;

#endif
