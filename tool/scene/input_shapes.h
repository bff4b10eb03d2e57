/* SPDX-License-Identifier: MIT */
/* Shape files among the inputs, and shapes of scene files at another scale. */
#ifndef TOOL_SCENE_INPUT_SHAPES_H
#define TOOL_SCENE_INPUT_SHAPES_H

#include "graze/shape_file.h"
#include "scene/inputs.h"

/* Whether the text is that of a shape file: an object with the key "kind", and none "graze". */
bool is_shape_text(const char *text, size_t size);

/* Whether a path is that of a compressed shape file, by its ending: .json.gz. */
bool is_packed_shape(const char *path);

/* How closely the numbers of a shape are known: by the finest decimal place in its text. */
graze_precision shape_precision(const char *text, size_t size);

/* The same of a shape file; of a compressed one that of doubles. Prints an error and returns the exit code, or returns
 * 0. */
exit_code shape_file_precision(const tool_console *console, const char *path, graze_precision *out_precision);

/* Reads a shape file, or `text` if it is not NULL, with its lengths times `scale`. Prints an error and returns the exit
 * code, or returns 0. */
exit_code input_shape_read(const tool_console *console, const char *path, const char *text, size_t size, double scale,
                           graze_shape_set **out_set, graze_precision *out_precision);

/* The same shape, its lengths times `scale`. The caller owns it. */
graze_status shape_scale(const graze_shape *shape, double scale, graze_shape_set **out_set);

/* Replaces compounds among the parts by their pieces, at any depth. Fails as graze_pose_compose, or with OUT_OF_MEMORY.
 */
graze_status inputs_split_compounds(tool_inputs *inputs);

/* Makes the meshes that shapes among the parts look like. */
graze_status inputs_make_looks(tool_inputs *inputs);

/* The placed bounds of a part, roughly; infinite of half-spaces. */
graze_box input_bounds(const tool_inputs *inputs, const input_part *part);

#endif
