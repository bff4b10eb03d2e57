/* SPDX-License-Identifier: MIT */
/* UTF-8 characters in bytes that may hold anything. */
#ifndef GRZ_TEXT_UTF8_H
#define GRZ_TEXT_UTF8_H

#include <stddef.h>

/* The length of the UTF-8 character at `at` (RFC 3629: no overlong forms, no surrogates), or 0 if there is none. Reads
 * no further than the first byte that does not fit, such as a zero byte at the end. */
size_t grz_utf8_length(const unsigned char *at);

#endif
