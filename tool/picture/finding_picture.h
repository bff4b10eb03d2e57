/* SPDX-License-Identifier: MIT */
/* Pictures of findings: part a orange, part b blue, the volume in both red, curves and points of the contact magenta,
 * faces that touch red; the camera is that of graze_clash_finding_camera. */
#ifndef TOOL_PICTURE_FINDING_PICTURE_H
#define TOOL_PICTURE_FINDING_PICTURE_H

#include "picture/fragments.h"
#include "picture/png.h"

enum
{
    PICTURE_WIDTH = 640,
    PICTURE_HEIGHT = 480
};

/* Makes pictures one after another, on one thread, keeping its memory. */
typedef struct picture_maker
{
    fragment_band band;
    primitive *primitives;
    size_t count, capacity;
    unsigned char *pixels;
} picture_maker;

/* False when out of memory. Release in any case. */
bool picture_maker_create(picture_maker *maker);
void picture_maker_release(picture_maker *maker);

/* Draws a finding; the file is to be freed. Fails with OUT_OF_MEMORY, or NOT_FINITE when the parts are too large for a
 * camera. */
graze_status picture_of_finding(picture_maker *maker, const graze_clash_report *report,
                                const graze_clash_finding *finding, bool y_up, png_file *out_file);

#endif
