/* SPDX-License-Identifier: MIT */
/* SHA-256 of texts and files, for rooms outside src/ too. */
#ifndef GRZ_TEXT_SHA256_H
#define GRZ_TEXT_SHA256_H

#include "base/sha256.h"

#endif
