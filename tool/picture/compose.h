/* SPDX-License-Identifier: MIT */
/* Colours of samples: fragments sorted by depth and composed from front to back. Between surfaces of closed parts the
 * number of those passed says what is inside, so the volume that both parts share is known along each line of sight
 * (as in rendering of CSG: Goldfeather et al. 1986). */
#ifndef TOOL_PICTURE_COMPOSE_H
#define TOOL_PICTURE_COMPOSE_H

#include "picture/fragments.h"

typedef struct compose_style
{
    float nearest[2], others[2]; /* opacity of each part's nearest surface, and of those behind it */
    bool shows_common;           /* the volume in both parts */
    bool has_stripes;            /* of both colours: duplicates */
} compose_style;

/* Averages samples x samples of the band for each pixel, and writes its rows: 3 bytes a pixel. `height` is that of the
 * picture in samples, for the background. */
void compose_band(const fragment_band *band, const compose_style *style, unsigned height, unsigned samples,
                  unsigned char *out_pixels);

#endif
