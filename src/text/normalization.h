/* SPDX-License-Identifier: MIT */
/* Unicode normal form C (NFC, Unicode Standard Annex 15): one encoding of what may be written in several ways, such as
 * a letter with an accent, which some file systems decompose. */
#ifndef GRZ_TEXT_NORMALIZATION_H
#define GRZ_TEXT_NORMALIZATION_H

#include <stdbool.h>

#include "base/memory.h"

/* Whether a text is in normal form for a simple reason: all of it is below U+0300. False proves nothing. */
bool grz_is_surely_nfc(const char *text);

/* The normal form of a text in UTF-8; bytes that are no UTF-8 stay as they are. Takes time linear in its length. To be
 * released; NULL when out of memory. */
char *grz_nfc(const graze_context *context, const char *text);

#endif
