/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Shape files: small JSON files that describe shapes (docs/shape-format.md). Part of libgraze_io. A mesh file of any
 * format that graze/io.h reads may stand in place of one: it is read as the shape of its mesh.
 *
 * Thread safety: everything here is re-entrant; a set may be read from any number of threads.
 */
#ifndef GRAZE_SHAPE_FILE_H
#define GRAZE_SHAPE_FILE_H

#include "graze/io.h"
#include "graze/shape.h"

GRAZE_BEGIN_DECLS

/// The shapes of one file: one, with all that it is made of.
typedef struct graze_shape_set graze_shape_set;

/// Reads a shape or mesh file, also gzip-compressed. `format` is that of graze_model_read_file; with
/// GRAZE_FORMAT_SHAPE anything but a shape is refused.
///
/// All lengths of a shape are multiplied by `scale`, and rounded once; it is finite and above 0. Coordinates of a mesh
/// stay: scale its pose. `solid` is for meshes: see graze_shape_create_mesh.
///
/// Fails as graze_model_read_file. What is wrong with a shape is BAD_FORMAT: unknown and missing keys, negative sizes,
/// lists of another length, empty hulls and compounds, zero normals, poses of parts that graze_placed_check refuses,
/// numbers beyond the range of doubles, more than 64 levels. `error` (may be NULL) names the key, as in
/// parts[2].shape.radius, and the line. The caller owns *out_set.
GRAZE_API graze_status graze_shape_set_read_file(const graze_context *context, const char *path, graze_format format,
                                                 double scale, bool solid, const graze_budget *budget,
                                                 graze_error *error, graze_shape_set **out_set);

/// Reads from memory; `name` as in graze_model_read_memory.
GRAZE_API graze_status graze_shape_set_read_memory(const graze_context *context, const void *bytes, size_t size,
                                                   const char *name, graze_format format, double scale, bool solid,
                                                   const graze_budget *budget, graze_error *error,
                                                   graze_shape_set **out_set);

/// Destroys the shape and all that it is made of.
GRAZE_API void graze_shape_set_destroy(graze_shape_set *set);

/// The shape. Belongs to the set, as all its parts do.
GRAZE_API const graze_shape *graze_shape_set_shape(const graze_shape_set *set);

/// The model of a mesh file; NULL where it was a shape file.
GRAZE_API const graze_model *graze_shape_set_model(const graze_shape_set *set);

/// Writes a shape, so that the same one is read. Meshes are UNSUPPORTED, also within a compound: see
/// graze_mesh_write_file. A file that was there before is kept on failure.
GRAZE_API graze_status graze_shape_write_file(const graze_context *context, const graze_shape *shape, const char *path,
                                              graze_error *error);

/// Writes into memory; release *out_bytes with graze_memory_release and the same context.
GRAZE_API graze_status graze_shape_write_memory(const graze_context *context, const graze_shape *shape,
                                                void **out_bytes, size_t *out_size);

GRAZE_END_DECLS

#endif
