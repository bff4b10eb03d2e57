/* SPDX-License-Identifier: MIT */
/* Inputs of a command as parts and scenes of graze/clash.h. */
#ifndef TOOL_CLASH_ASSEMBLY_H
#define TOOL_CLASH_ASSEMBLY_H

#include "graze/clash.h"
#include "scene/inputs.h"

typedef struct clash_assembly
{
    graze_clash_part *parts;
    size_t part_count;
    graze_clash_member *members; /* by part */
    graze_clash_scene *scenes;
    size_t scene_count;

    char **parents; /* memory of the parts; that of the scenes follows */
    graze_clash_pair_interest **pairs, **layers;
    graze_clash_part_interest **objects;
} clash_assembly;

/* The inputs must outlive it. False when out of memory. Release in any case. */
bool clash_assembly_make(const tool_inputs *inputs, clash_assembly *out_assembly);
void clash_assembly_release(clash_assembly *assembly);

#endif
