/* SPDX-License-Identifier: MIT */
/* Selects the instruction set. */
#ifndef GRZ_SIMD_INSTRUCTIONS_H
#define GRZ_SIMD_INSTRUCTIONS_H

#include "graze/context.h"

/* The choice, or the best below it that this machine and this build support: never GRAZE_INSTRUCTIONS_BEST. */
graze_instructions grz_instructions_for(graze_instructions choice);

#endif
