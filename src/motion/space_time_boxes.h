/* SPDX-License-Identifier: MIT */
/* The current frame of a space-time traversal, by boxes in the world; see moving_boxes.h. */
#ifndef GRZ_MOTION_SPACE_TIME_BOXES_H
#define GRZ_MOTION_SPACE_TIME_BOXES_H

#include "motion/space_time.h"

/* Examines all open pairs of the frame. OK; else UNFINISHED or CANCELLED, after which it may be called again, or
   OUT_OF_MEMORY. */
graze_status grz_space_time_boxes(grz_space_time *search);

#endif
