/* SPDX-License-Identifier: MIT */
/* Volumes of shapes, estimated: by their formulas, in doubles. */
#ifndef TOOL_COMMANDS_SHAPE_VOLUME_H
#define TOOL_COMMANDS_SHAPE_VOLUME_H

#include "graze/shape.h"

/* The volume of a shape in its own frame; 0 of surfaces, lines and points. False where it is infinite, as of
 * half-spaces, or not known, as of compounds whose pieces may overlap, or when out of memory. */
bool shape_volume(const graze_shape *shape, double *out_volume);

#endif
