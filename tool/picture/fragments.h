/* SPDX-License-Identifier: MIT */
/*
 * Fragments: what covers a sample of the picture, all of it, not only the nearest (A-buffer: Carpenter 1984). A picture
 * is made in bands of rows, which bounds the memory. Triangles cover a sample by the top-left rule in integers, so that
 * a closed surface covers every sample an even number of times.
 */
#ifndef TOOL_PICTURE_FRAGMENTS_H
#define TOOL_PICTURE_FRAGMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "picture/view.h"

/* In the order of fragments at equal depths. */
typedef enum fragment_kind
{
    FRAGMENT_MARK, /* of the contact: curves, points, gaps */
    FRAGMENT_FACE, /* of the contact: faces that lie on one another */
    FRAGMENT_EDGE, /* of a part */
    FRAGMENT_SURFACE_A,
    FRAGMENT_SURFACE_B
} fragment_kind;

typedef struct fragment
{
    float w; /* 1 / distance */
    uint8_t kind, shade;
    uint32_t next; /* of the same sample; NO_FRAGMENT: none */
} fragment;

#define NO_FRAGMENT UINT32_MAX

/* What is drawn: a triangle, a segment with a width, or a disc. */
typedef struct primitive
{
    screen_point corners[3];
    float width; /* of a segment or disc, in samples */
    uint8_t kind, shade;
    uint8_t corner_count; /* 3: triangle, 2: segment, 1: disc */
} primitive;

typedef struct fragment_band
{
    unsigned width, top, rows; /* in samples */
    uint32_t *first;           /* by sample of the band */
    fragment *fragments;
    size_t count, capacity;
} fragment_band;

/* False when out of memory. Release in any case. */
bool band_create(fragment_band *band, unsigned width, unsigned rows);
void band_release(fragment_band *band);

/* Begins a band at a row. */
void band_clear(fragment_band *band, unsigned top);

/* Adds the fragments of a primitive; nothing if it is elsewhere. False when out of memory. */
bool band_draw(fragment_band *band, const primitive *drawn);

#endif
