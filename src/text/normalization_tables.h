/* SPDX-License-Identifier: MIT */
/* Tables of normalization.c, made by scripts/make_unicode_tables.py. */
#ifndef GRZ_TEXT_NORMALIZATION_TABLES_H
#define GRZ_TEXT_NORMALIZATION_TABLES_H

#include <stddef.h>
#include <stdint.h>

/* A canonical decomposition in one step; `second` is 0 where there is none. Sorted by code. */
typedef struct grz_decomposition
{
    uint32_t code, first, second;
} grz_decomposition;

extern const grz_decomposition grz_decompositions[];
extern const size_t grz_decomposition_count;

/* Indices of the decompositions that are undone by composition, sorted by first, then second. */
extern const uint16_t grz_compositions[];
extern const size_t grz_composition_count;

/* Canonical combining classes other than 0. Sorted. */
typedef struct grz_class_range
{
    uint32_t first, last;
    uint32_t number;
} grz_class_range;

extern const grz_class_range grz_class_ranges[];
extern const size_t grz_class_range_count;

#endif
