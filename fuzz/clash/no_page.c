/* SPDX-License-Identifier: MIT */
/* The page of reports, which pieces of the tool refer to and no fuzzer writes: there is none. */
#include "page/viewer_page.h"

const unsigned char page_bytes[1] = {0};
const size_t page_size = 0;
