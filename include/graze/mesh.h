/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Meshes: vertices and the triangles or polygons over them. A mesh is immutable except through
 * graze_mesh_move_vertices; otherwise any number of threads may use it at once.
 *
 * All finite input is accepted: holes, duplicate faces, self-intersections and triangle soup.
 */
#ifndef GRAZE_MESH_H
#define GRAZE_MESH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "graze/box.h"
#include "graze/budget.h"
#include "graze/context.h"
#include "graze/export.h"
#include "graze/status.h"

GRAZE_BEGIN_DECLS

typedef struct graze_mesh graze_mesh;

typedef enum graze_scalar
{
    GRAZE_SCALAR_DOUBLE = 0,
    GRAZE_SCALAR_FLOAT = 1
} graze_scalar;

/// Definition of a mesh. Start from graze_mesh_def_default().
///
/// Faces come in one of two forms.
/// - Triangles: `corners` holds three vertex indices a triangle; leave `loop_sizes` NULL.
/// - Polygons: `corners` holds all corners one after the other; `loop_sizes[l]` says how many belong to loop l.
///   A face is one loop, or, when `face_loop_counts` is given, that many loops: first the outer one, then its holes.
typedef struct graze_mesh_def
{
    size_t struct_size;
    const void *vertices; ///< three scalars a vertex
    size_t vertex_count;
    size_t vertex_stride; ///< bytes from one vertex to the next; 0 means tightly packed
    graze_scalar vertex_scalar;

    const uint32_t *corners; ///< vertex indices, from 0
    size_t corner_count;
    size_t triangle_stride; ///< triangles only: bytes from one triangle's first corner to the next's; 0 means packed

    const uint32_t *loop_sizes; ///< NULL: triangles
    size_t loop_count;
    const uint32_t *face_loop_counts; ///< NULL: every loop is a face
    size_t face_count;                ///< length of face_loop_counts

    graze_budget budget; ///< what making the mesh may cost; no limit by default
} graze_mesh_def;

GRAZE_INLINE graze_mesh_def graze_mesh_def_default(void)
{
    graze_mesh_def def;
    memset(&def, 0, sizeof def);
    def.struct_size = sizeof def;
    return def;
}

/// Copies and checks the arrays, and triangulates polygons.
///
/// A polygon is triangulated exactly: its corners are projected along the coordinate axis closest to its Newell normal,
/// and every decision is made by exact signs. A simple polygon of n corners and h holes gives n + 2h - 2 triangles
/// covering it once (with each hole's corners counted in n). A self-intersecting polygon is triangulated into the same
/// number of triangles over its corners and counted by graze_mesh_irregular_face_count. Triangles come in the order of
/// their faces.
///
/// @param error  may be NULL; error->index is the vertex (NOT_FINITE), corner (BAD_INDEX) or face (TOO_FEW_CORNERS)
/// A mesh without faces is legal. The caller owns *out_mesh. A used-up budget is UNFINISHED, or CANCELLED.
GRAZE_API graze_status graze_mesh_create(const graze_context *context, const graze_mesh_def *def, graze_error *error,
                                         graze_mesh **out_mesh);

GRAZE_API void graze_mesh_destroy(graze_mesh *mesh);

/// Replaces the coordinates of all vertices; faces and triangles stay. For deforming meshes. Trees of the mesh are
/// wrong until graze_tree_refit. Allocates when a mapped mesh is first moved, and when all coordinates first exceed
/// 2^96 or fall below 2^-96; without memory for the latter queries are slower, and nothing fails.
///
/// `vertices` holds as many as the mesh has, `stride` bytes apart (0: packed). On failure, BAD_ARGUMENT, NOT_FINITE
/// with the vertex in `error` (may be NULL) or OUT_OF_MEMORY (mapped meshes only), the mesh is as it was.
/// Thread safety: not while anything else uses the mesh; this is the one function that changes a mesh.
GRAZE_API graze_status graze_mesh_move_vertices(graze_mesh *mesh, const void *vertices, size_t stride,
                                                graze_scalar scalar, graze_error *error);

GRAZE_API size_t graze_mesh_vertex_count(const graze_mesh *mesh);
GRAZE_API size_t graze_mesh_triangle_count(const graze_mesh *mesh);
GRAZE_API size_t graze_mesh_face_count(const graze_mesh *mesh);

/// x, y, z of every vertex, packed.
GRAZE_API const double *graze_mesh_vertices(const graze_mesh *mesh);

/// Three vertex indices of every triangle, packed.
GRAZE_API const uint32_t *graze_mesh_triangles(const graze_mesh *mesh);

/// The face a triangle came from; 0 for an index out of range.
GRAZE_API uint32_t graze_mesh_triangle_face(const graze_mesh *mesh, size_t triangle);

/// How many loops a face has: 1, plus its holes.
GRAZE_API size_t graze_mesh_face_loop_count(const graze_mesh *mesh, size_t face);

/// The corners of one loop of a face (loop 0 is the outer one); *out_count (may be NULL) gets their number. NULL and 0
/// for an index out of range.
GRAZE_API const uint32_t *graze_mesh_face_loop(const graze_mesh *mesh, size_t face, size_t loop, size_t *out_count);

/// How many faces could not be triangulated without overlap (self-intersecting, or degenerate in projection).
GRAZE_API size_t graze_mesh_irregular_face_count(const graze_mesh *mesh);

/// The smallest box around all vertices that a face uses. Exact. An empty box (lower > upper) when no face uses a
/// vertex, or without a mesh.
GRAZE_API graze_box graze_mesh_bounds(const graze_mesh *mesh);

/// How many bytes graze_mesh_save writes.
GRAZE_API size_t graze_mesh_saved_size(const graze_mesh *mesh);

/// Writes a mesh into a buffer of at least that size: one block without pointers, with version and checksum.
/// docs/formats.md describes it. BAD_ARGUMENT when the buffer is too small.
GRAZE_API graze_status graze_mesh_save(const graze_mesh *mesh, void *buffer, size_t size);

/// Makes a mesh from what graze_mesh_save wrote: the same vertices, faces and triangles, bit for bit. Polygons are not
/// triangulated again. Bytes aligned to 64 are used where they are: they must stay there unchanged as long as the mesh;
/// others are copied. graze_mesh_move_vertices copies the vertices first.
///
/// All bytes are checked. Fails with BAD_FORMAT (not a saved mesh), UNSUPPORTED (another version, or written by a
/// machine with another byte order), TRUNCATED, DAMAGED, OUT_OF_MEMORY, UNFINISHED or CANCELLED; `error` (may be
/// NULL) and the log say why. The caller owns *out_mesh.
GRAZE_API graze_status graze_mesh_map(const graze_context *context, const void *bytes, size_t size,
                                      const graze_budget *budget, graze_error *error, graze_mesh **out_mesh);

typedef void (*graze_destroy_function)(void *user);

/// Has `release` (may be NULL: nothing) called with `user` when the mesh is destroyed, after its last use of mapped
/// bytes. One function a mesh; a later call replaces it.
GRAZE_API void graze_mesh_set_on_destroy(graze_mesh *mesh, graze_destroy_function release, void *user);

GRAZE_END_DECLS

#endif
