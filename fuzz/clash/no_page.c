/* SPDX-License-Identifier: MIT */
/* The embedded viewer page, which the tool's sources refer to and no fuzzer needs: empty. */
#include "page/viewer_page.h"

const unsigned char page_bytes[1] = {0};
const size_t page_size = 0;
