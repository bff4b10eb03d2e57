/* SPDX-License-Identifier: MIT */
/* Boxes of parts that move: over one motion, and over all of them. */
#ifndef GRZ_CLASH_SWEPT_BOX_H
#define GRZ_CLASH_SWEPT_BOX_H

#include "clash/parts.h"

/* A box around all places that points of a box have at times of [0, 1] under a kernel motion: certainly around, not the
 * least. Bounds of the box may be infinite. */
graze_box grz_clash_sweep_box(const graze_box *box, const graze_motion *motion);

/* The box of a part between two frames, from 0 on; of one without a track that at its pose. */
graze_box grz_clash_swept_box(const grz_clash_part *part, uint32_t frame);

/* Sets the swept boxes of all parts, over all frames. */
void grz_clash_sweep_parts(grz_clash_parts *parts);

/* The box of a part over all frames. */
graze_box grz_clash_reach_box(const grz_clash_part *part);

/* Whether two boxes have a common point. */
bool grz_clash_do_boxes_meet(const graze_box *a, const graze_box *b);

#endif
