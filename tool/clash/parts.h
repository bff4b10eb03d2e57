/* SPDX-License-Identifier: MIT */
/* From what was read to parts ready to be checked: bodies, boxes, and which set they belong to; and, for those that a
 * pair needs them of, trees, which take most of the time. */
#ifndef TOOL_CLASH_PARTS_H
#define TOOL_CLASH_PARTS_H

#include "clash/report.h"
#include "graze/depth.h"
#include "scene/inputs.h"

typedef struct clash_parts
{
    clash_part *parts;
    size_t count;
    graze_tree **trees; /* by mesh of the inputs */
    graze_body **bodies;
    size_t mesh_count;
    char **parents; /* by part */
    size_t *meshes; /* by part: which of the inputs' */
} clash_parts;

/* Makes everything but trees, one mesh a task. `a` and `b` are name patterns with * and ?, or NULL. Says what is wrong
 * and returns the exit code, or 0; release in any case. */
exit_code clash_parts_make(const tool_console *console, const graze_context *context, const tool_inputs *inputs,
                           const char *a, const char *b, clash_parts *out_parts);

/* Builds the trees of the parts that are marked and have none yet, one mesh a task. */
exit_code clash_parts_build_trees(const tool_console *console, const graze_context *context, clash_parts *parts,
                                  const bool *marked);
void clash_parts_release(clash_parts *parts);

#endif
