/* SPDX-License-Identifier: MIT */
/* From inputs to parts ready for the engine: bodies, AABBs and membership in --a and --b; and trees, which take most of
 * the time, only for parts of pairs that need them. */
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
    size_t *meshes; /* by part: index of its mesh in the inputs */
} clash_parts;

/* Prepares everything but trees, one mesh per task. `a` and `b` are name patterns with * and ?, or NULL. Prints an
 * error and returns the exit code, or returns 0; release in any case. */
exit_code clash_parts_make(const tool_console *console, const graze_context *context, const tool_inputs *inputs,
                           const char *a, const char *b, clash_parts *out_parts);

/* Builds the trees of the marked parts that have none yet, one mesh per task. */
exit_code clash_parts_build_trees(const tool_console *console, const graze_context *context, clash_parts *parts,
                                  const bool *marked);
void clash_parts_release(clash_parts *parts);

#endif
