/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Assemblies: named parts of one or many files, each a mesh with a pose. Part of libgraze_io.
 *
 * An assembly takes files of every format that graze/io.h reads. glTF gives a part for every node that has a mesh, at
 * the node's place in the world, and nodes that show the same mesh share it. OBJ objects and groups and STL solids
 * are parts; PLY and OFF files are one part each. A faulty part is recorded as a problem; the
 * other parts are still loaded. docs/formats.md says what is read of each format.
 *
 * Thread safety: adding is for one thread at a time; everything else may be read from any number of threads.
 */
#ifndef GRAZE_ASSEMBLY_H
#define GRAZE_ASSEMBLY_H

#include <stdbool.h>

#include "graze/io.h"
#include "graze/pose.h"

GRAZE_BEGIN_DECLS

typedef struct graze_assembly graze_assembly;

#define GRAZE_NO_NODE UINT32_MAX

/// Owned by the assembly, as everything its pointers lead to.
typedef struct graze_part
{
    const char *name;          ///< unique within its file, never empty; at most some 270 bytes
    size_t file;               ///< which file it comes from
    size_t mesh;               ///< which mesh it shows
    graze_pose pose;           ///< where
    graze_precision precision; ///< of its coordinates in the file
    uint32_t node;             ///< of glTF: index of its node in the file; else GRAZE_NO_NODE, as the next two
    uint32_t parent, top;      ///< the node above it, or GRAZE_NO_NODE; and the node at the top of its tree
} graze_part;

typedef struct graze_assembly_file
{
    const char *path;
    graze_format format;
    size_t first_part, part_count;
    double scale; ///< factor applied to its coordinates
} graze_assembly_file;

/// Something a user should know. Either a part is missing because of it, or it is a remark.
typedef struct graze_problem
{
    size_t file;
    const char *part; ///< its name; empty when it concerns the file
    const char *text; ///< a sentence
    graze_status status;
    bool left_out; ///< the part is not in the assembly
} graze_problem;

/// How a file is taken. Start from graze_assembly_options_default().
typedef struct graze_assembly_options
{
    size_t struct_size;
    graze_format format; ///< AUTO
    double scale;        ///< for files without a unit: factor applied to coordinates; 1
    double metre;        ///< for glTF (unit: metre): length of one metre in your unit; 1
    const char *name;    ///< what the file is called in names and messages; NULL: its path
} graze_assembly_options;

GRAZE_INLINE graze_assembly_options graze_assembly_options_default(void)
{
    graze_assembly_options options;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.scale = options.metre = 1;
    return options;
}

/// An assembly without parts. The caller owns it.
GRAZE_API graze_status graze_assembly_create(const graze_context *context, graze_assembly **out_assembly);
GRAZE_API void graze_assembly_destroy(graze_assembly *assembly);

/// Adds the parts of a file, in the order of the file. glTF may name further files, which are looked for beside it.
///
/// Names are those the file gives: path of node names ("Gearbox/Shaft"), "object/group", solid; where there is none,
/// "node 7" or the file's name without folders. Duplicate names within a file get a suffix:
/// "name#2" and so on. Names longer than 255 bytes are truncated: at the front for glTF, at the end otherwise.
///
/// A scale goes into the pose, so that it is exact and shared meshes stay shared; where a node of glTF has a pose, the
/// product is rounded as graze_pose_compose does.
///
/// A part that cannot be used (a number that is not finite, a face over a vertex that does not exist, something
/// unsupported) becomes a problem, and the others are added. Fails as graze_model_read_file does where the file as a
/// whole cannot be used or the budget stops it, or BAD_ARGUMENT when a scale is not finite and positive; then nothing
/// is added. A file that is added may be one without parts, all of them being problems.
GRAZE_API graze_status graze_assembly_add_file(graze_assembly *assembly, const char *path,
                                               const graze_assembly_options *options, const graze_budget *budget,
                                               graze_error *error);

/// The same from memory; glTF that names further files is refused.
GRAZE_API graze_status graze_assembly_add_memory(graze_assembly *assembly, const void *bytes, size_t size,
                                                 const graze_assembly_options *options, const graze_budget *budget,
                                                 graze_error *error);

GRAZE_API size_t graze_assembly_part_count(const graze_assembly *assembly);
GRAZE_API size_t graze_assembly_mesh_count(const graze_assembly *assembly);
GRAZE_API size_t graze_assembly_file_count(const graze_assembly *assembly);
GRAZE_API size_t graze_assembly_problem_count(const graze_assembly *assembly);

/// Indices must be below the counts (NULL otherwise). Pointers are valid until the next addition, meshes until the
/// assembly is destroyed.
GRAZE_API const graze_part *graze_assembly_part_at(const graze_assembly *assembly, size_t part);
GRAZE_API const graze_mesh *graze_assembly_mesh_at(const graze_assembly *assembly, size_t mesh);
GRAZE_API const graze_assembly_file *graze_assembly_file_at(const graze_assembly *assembly, size_t file);
GRAZE_API const graze_problem *graze_assembly_problem_at(const graze_assembly *assembly, size_t problem);

GRAZE_END_DECLS

#endif
