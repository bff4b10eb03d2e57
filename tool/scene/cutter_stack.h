/* SPDX-License-Identifier: MIT */
/*
 * Cones and bull noses as stacks of cylinders (graze/tool_path.h knows balls and cylinders alone): an inner one, which
 * the cutter contains, and an outer one, which contains it. What the inner one gouges is gouged, what the outer one
 * does not gouge is not, and between them it is unknown.
 */
#ifndef TOOL_SCENE_CUTTER_STACK_H
#define TOOL_SCENE_CUTTER_STACK_H

#include "scene/cutting_tool.h"

typedef struct cutter_stack
{
    graze_cutter *cutters;
    uint32_t *owners; /* by cutter: of which one of the tool it is a step */
    size_t count;
} cutter_stack;

/* The radius of a cutter at a height above the place of the tool, rounded; a ball has its own at all heights. */
double cutter_radius_at(const cutting_tool *tool, size_t cutter, double height);

/* Balls and cylinders are themselves. An outer stack stays one when all its cutters are made smaller by up to
 * `threshold`; an inner one always does, and is thin no sooner than at that. False when out of memory; release in any
 * case. */
bool cutter_stack_make(const cutting_tool *tool, bool outer, double threshold, cutter_stack *out_stack);
void cutter_stack_release(cutter_stack *stack);

/* Whether some cutter is neither ball nor cylinder. */
bool cutting_tool_has_profile(const cutting_tool *tool);

#endif
