/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Mesh files: reads STL, OBJ, PLY, OFF and glTF 2.0, also gzip-compressed; writes STL, OBJ, PLY and OFF. This is a
 * library of its own (libgraze_io), so that the core needs nothing but libc, libm and POSIX threads.
 *
 * Files are untrusted: truncated data, wrong counts and non-finite numbers give a status, the line or byte offset, and
 * a message. Coordinates are read to the nearest double and written so that they read back the same. docs/formats.md
 * says what is read of each format, and what is refused.
 *
 * Thread safety: everything here is re-entrant; a model may be read from any number of threads.
 */
#ifndef GRAZE_IO_H
#define GRAZE_IO_H

#include "graze/mesh.h"
#include "graze/tree.h"

GRAZE_BEGIN_DECLS

typedef enum graze_format
{
    GRAZE_FORMAT_AUTO = 0, ///< by content, and by the name's ending where the content leaves it open
    GRAZE_FORMAT_STL_BINARY,
    GRAZE_FORMAT_STL_ASCII,
    GRAZE_FORMAT_OBJ,
    GRAZE_FORMAT_PLY_ASCII,
    GRAZE_FORMAT_PLY_LITTLE_ENDIAN,
    GRAZE_FORMAT_PLY_BIG_ENDIAN,
    GRAZE_FORMAT_OFF,
    GRAZE_FORMAT_GLTF, ///< glTF 2.0 as text; only read
    GRAZE_FORMAT_GLB,  ///< glTF 2.0 in one binary file; only read
    GRAZE_FORMAT_SHAPE ///< a shape, which is no mesh: graze/shape_file.h reads it, and nothing here does
} graze_format;

/// What a file holds: one mesh with its faces in file order, and the named parts they belong to.
typedef struct graze_model graze_model;

/// Reads a file. Triangles of an STL file share no vertices; topology and solids merge equal ones. Of glTF the scene is
/// read as one mesh in world coordinates, rounded, with a part for every node that shows a mesh; graze/assembly.h reads
/// it as it is, and other files part by part. The name "-" has no special meaning here. A `format` other than AUTO is
/// not checked against the content (any of the PLY ones means PLY, whose header says which). Gzip may unpack to 64 MiB
/// or 64 times its size, whichever is more. Fails with NOT_FOUND, UNREADABLE (also: a directory), EMPTY, BAD_FORMAT,
/// TRUNCATED, NOT_FINITE, BAD_INDEX, TOO_FEW_CORNERS, TOO_LARGE, OUT_OF_MEMORY, UNSUPPORTED, UNFINISHED or CANCELLED;
/// `error` (may be NULL) says what and where.
///
/// The budget is checked after every megabyte that is loaded or unpacked and at least every 2^14 vertices, faces or
/// lines; each of these counts as a box test. A pipe that delivers nothing is waited for, whatever the budget.
GRAZE_API graze_status graze_model_read_file(const graze_context *context, const char *path, graze_format format,
                                             const graze_budget *budget, graze_error *error, graze_model **out_model);

/// Reads from memory (gzip-compressed or not); glTF must hold all it needs. `name` stands in for the file's in messages
/// and its ending helps to tell the format; it may be NULL.
GRAZE_API graze_status graze_model_read_memory(const graze_context *context, const void *bytes, size_t size,
                                               const char *name, graze_format format, const graze_budget *budget,
                                               graze_error *error, graze_model **out_model);

GRAZE_API void graze_model_destroy(graze_model *model);

/// The format the file was found to have.
GRAZE_API graze_format graze_model_format(const graze_model *model);

/// All faces, in file order. Owned by the model.
GRAZE_API const graze_mesh *graze_model_mesh(const graze_model *model);

/// Parts: STL solids, OBJ objects and groups ("object/group"), glTF nodes ("node/node"); at least one. Names need not
/// differ and may be empty; of longer ones 255 bytes are kept. A part may be without faces (an empty solid).
GRAZE_API size_t graze_model_part_count(const graze_model *model);
GRAZE_API const char *graze_model_part_name(const graze_model *model, size_t part);
GRAZE_API uint32_t graze_model_face_part(const graze_model *model, size_t face);

/// One part as a mesh of its own: its faces in file order, over only the vertices they use. The caller owns it.
GRAZE_API graze_status graze_model_create_part_mesh(const graze_context *context, const graze_model *model, size_t part,
                                                    graze_mesh **out_mesh);

/// How a file writes coordinates.
typedef enum graze_number_format
{
    GRAZE_NUMBER_DOUBLE = 0, ///< 64 bits, or whole numbers in binary
    GRAZE_NUMBER_FLOAT,      ///< 32 bits
    GRAZE_NUMBER_DECIMAL     ///< text
} graze_number_format;

/// How closely coordinates of a file are known.
typedef struct graze_precision
{
    graze_number_format format;
    int finest_place; ///< of DECIMAL: the finest decimal place that a coordinate uses, as a power of ten: -3 for 0.125
                      ///< and for 2.000; else 0
} graze_precision;

/// The precision of a part's coordinates: those of the vertices that its faces use.
GRAZE_API graze_precision graze_model_part_precision(const graze_model *model, size_t part);

/// The resolution of coordinates: how far numbers of this precision may lie from what they stand for, as rounding to
/// nearest leaves it. That is 2^-24 of the largest coordinate for floats and 2^-53 of it for doubles; for text half of
/// the finest decimal place, times the scale, but between those two. An estimate: files may hold less than they write.
/// @param largest  the largest coordinate of the placed part, as a magnitude
/// @param scale    the factor between the file's unit and the world's
GRAZE_API double graze_precision_resolution(graze_precision precision, double largest, double scale);

/// The format a file name's ending stands for (".stl" is binary, ".ply" little endian), or AUTO when none. A ".gz"
/// behind it is passed over.
GRAZE_API graze_format graze_format_from_name(const char *path);

/// Writes a mesh. AUTO goes by the name's ending; ".gz", ".gltf" and ".glb" are UNSUPPORTED, they are only read. STL
/// holds only triangles, and STL_BINARY only floats: coordinates are rounded, and one beyond their range is
/// UNSUPPORTED; OBJ, PLY and OFF keep polygons (a face with holes is written as its triangles). Nothing is left behind
/// on failure, and a file that was there before is kept; a target that is no regular file (a pipe, a device) is written
/// to directly.
GRAZE_API graze_status graze_mesh_write_file(const graze_context *context, const graze_mesh *mesh, const char *path,
                                             graze_format format, graze_error *error);

/// Writes a mesh into memory, in a format that is not AUTO; release *out_bytes with graze_memory_release and the same
/// context.
GRAZE_API graze_status graze_mesh_write_memory(const graze_context *context, const graze_mesh *mesh,
                                               graze_format format, void **out_bytes, size_t *out_size);

/// Saves a tree; a file that was there before is kept when this fails, as with graze_mesh_write_file.
GRAZE_API graze_status graze_tree_write_file(const graze_context *context, const graze_tree *tree, const char *path,
                                             graze_error *error);

/// Maps a saved tree into memory for the mesh it was saved with; the file must not be changed in place while the tree
/// is there (writing it anew with graze_tree_write_file is fine). What cannot be mapped is read. Fails as
/// graze_tree_map does, or with NOT_FOUND or UNREADABLE.
GRAZE_API graze_status graze_tree_map_file(const graze_context *context, const graze_mesh *mesh, const char *path,
                                           const graze_budget *budget, graze_error *error, graze_tree **out_tree);

GRAZE_END_DECLS

#endif
