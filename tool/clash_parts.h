/* SPDX-License-Identifier: MIT */
/* From what was read to parts ready to be checked: trees, bodies, boxes, and which set they belong to. */
#ifndef TOOL_CLASH_PARTS_H
#define TOOL_CLASH_PARTS_H

#include "clash.h"
#include "graze/depth.h"
#include "inputs.h"

typedef struct clash_parts
{
    clash_part *parts;
    size_t count;
    graze_tree **trees; /* by mesh of the inputs */
    graze_body **bodies;
    size_t mesh_count;
    char **parents; /* by part */
} clash_parts;

/* Builds everything, one mesh a task. `a` and `b` are name patterns with * and ?, or NULL. Says what is wrong and
 * returns the exit code, or 0; release in any case. */
exit_code clash_parts_make(const tool_console *console, const graze_context *context, const tool_inputs *inputs,
                           const char *a, const char *b, clash_parts *out_parts);
void clash_parts_release(clash_parts *parts);

#endif
