/* SPDX-License-Identifier: MIT */
/*
 * src/mesh: meshes and what can be known of them: triangulation, topology, classification, mass, generated shapes.
 * May use base, math and exact.
 *
 * The mesh itself. A triangle mesh keeps only its triangles; a polygon mesh keeps its loops beside the triangles
 * cut from them. Only vertices may move after creation (graze_mesh_move_vertices).
 */
#ifndef GRZ_MESH_MESH_H
#define GRZ_MESH_MESH_H

#include <stdbool.h>

#include "graze/mesh.h"
#include "mesh/identity.h"

struct graze_mesh
{
    graze_context context;

    double *vertices; /* x, y, z each */
    size_t vertex_count;

    uint32_t *triangles; /* three corners each, in the order of their faces */
    size_t triangle_count;
    uint32_t *triangle_faces; /* NULL: triangles are the faces */

    /* Polygons only, NULL otherwise. Loop l has the corners from loop_starts[l] to loop_starts[l + 1], face f the
     * loops from face_starts[f] to face_starts[f + 1]; face_starts is NULL when every face is one loop. */
    uint32_t *corners;
    uint32_t *loop_starts;
    uint32_t *face_starts;
    size_t face_count;
    size_t irregular_face_count;

    double lower[3], upper[3];

    /* What trees and filters work on: vertices and bounds times 2^-exponent, see grz_mesh_scale. Elsewhere than at the
     * far ends of the range the exponent is 0, and these are the numbers above. Exact decisions never use them. */
    int exponent;
    bool scaled_exactly; /* whether nothing was cut off among the denormals */
    const double *scaled;
    double scaled_lower[3], scaled_upper[3];
    double *scaled_memory; /* NULL where there is nothing to scale */

    double centre[3], radius; /* a ball around the same vertices: none is farther from the centre, as it stands here */

    grz_identity identity; /* changes with vertices that move */

    /* Of a mapped mesh all arrays lie in one block: the caller's bytes (borrowed) or blob_memory. Once its vertices
     * have moved, blob_memory holds those, and the rest stays where it is. */
    bool mapped, borrowed;
    void *blob_memory;
    void (*release)(void *user); /* called last, may be NULL */
    void *release_user;
};

/* Sets what follows from vertices and triangles. False when there is no memory for scaled vertices: then nothing is
   scaled, which costs time only. mesh.c */
bool grz_mesh_derive(graze_mesh *mesh);

static inline const double *grz_mesh_vertex(const graze_mesh *mesh, uint32_t vertex)
{
    return mesh->vertices + 3 * (size_t)vertex;
}

/* The same for trees and filters. */
static inline const double *grz_mesh_scaled(const graze_mesh *mesh, uint32_t vertex)
{
    return mesh->scaled + 3 * (size_t)vertex;
}

/* Chooses the exponent from the bounds and fills what depends on it. False when out of memory: then nothing is scaled,
   which is right, but queries are slow. */
bool grz_mesh_scale(graze_mesh *mesh);

/* The face a triangle was cut from. */
static inline uint32_t grz_mesh_face(const graze_mesh *mesh, uint32_t triangle)
{
    return mesh->triangle_faces != NULL ? mesh->triangle_faces[triangle] : triangle;
}

#endif
