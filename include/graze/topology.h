/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Connectivity of a mesh as a doubly-connected edge list (DCEL, half-edges), and the properties that follow from it:
 * closed, manifold, oriented, convex, components.
 *
 * Vertices are merged first when all three coordinates are equal, so that a triangle soup such as an STL file
 * can be closed. Merged vertices are numbered by their first appearance.
 */
#ifndef GRAZE_TOPOLOGY_H
#define GRAZE_TOPOLOGY_H

#include <stdbool.h>

#include "graze/budget.h"
#include "graze/mesh.h"

GRAZE_BEGIN_DECLS

typedef struct graze_topology graze_topology;

/// One side of an edge, running from `origin` along the border of `face`, the face to its left.
typedef struct graze_half_edge
{
    uint32_t origin; ///< merged vertex
    uint32_t next;   ///< half-edge that follows around the face
    uint32_t previous;
    uint32_t twin; ///< the opposite half-edge; GRAZE_NO_HALF_EDGE unless the edge has exactly two faces
    uint32_t edge; ///< undirected edge, shared by all half-edges over the same two vertices
    uint32_t face;
} graze_half_edge;

#define GRAZE_NO_HALF_EDGE UINT32_MAX
#define GRAZE_NO_VERTEX UINT32_MAX

/// A half-edge has no edge when it has no length, or when its loop has fewer than three half-edges of length: a
/// triangle with a repeated (merged) vertex, say. Such faces are ignored: they affect neither closedness nor
/// orientation.
#define GRAZE_NO_EDGE UINT32_MAX

/// Builds the edge list of a mesh's faces in linear time (expected; edges are found by hashing).
/// The mesh must outlive the topology. The caller owns *out_topology. Fails with OUT_OF_MEMORY, UNFINISHED or
/// CANCELLED.
GRAZE_API graze_status graze_topology_create(const graze_context *context, const graze_mesh *mesh,
                                             const graze_budget *budget, graze_topology **out_topology);
GRAZE_API void graze_topology_destroy(graze_topology *topology);

GRAZE_API size_t graze_topology_vertex_count(const graze_topology *topology);
GRAZE_API size_t graze_topology_edge_count(const graze_topology *topology);
GRAZE_API size_t graze_topology_half_edge_count(const graze_topology *topology);
GRAZE_API const graze_half_edge *graze_topology_half_edges(const graze_topology *topology);

/// The merged vertex of a mesh vertex. This and the following functions return GRAZE_NO_VERTEX or GRAZE_NO_HALF_EDGE
/// for an index out of range.
GRAZE_API uint32_t graze_topology_merged_vertex(const graze_topology *topology, uint32_t mesh_vertex);

/// A vertex of the mesh with the coordinates of a merged one.
GRAZE_API uint32_t graze_topology_mesh_vertex(const graze_topology *topology, uint32_t merged_vertex);

/// Some half-edge of the face's loop (0 is the outer one); follow `next` around it.
GRAZE_API uint32_t graze_topology_face_half_edge(const graze_topology *topology, size_t face, size_t loop);

/// Some half-edge that leaves the merged vertex, or GRAZE_NO_HALF_EDGE for one that no face uses.
/// At a boundary vertex it is the clockwise-most one, so that graze_topology_next_around_vertex reaches all outgoing
/// half-edges.
GRAZE_API uint32_t graze_topology_vertex_half_edge(const graze_topology *topology, uint32_t merged_vertex);

/// The next half-edge leaving the same vertex, counter-clockwise, or GRAZE_NO_HALF_EDGE at a boundary or where the next
/// face has the opposite orientation. A non-manifold vertex has several fans, each with its own first half-edge.
GRAZE_API uint32_t graze_topology_next_around_vertex(const graze_topology *topology, uint32_t half_edge);

/// Properties of a mesh. All counts and booleans are exact decisions. Properties of edges
/// and vertices of faces (components, closed to misoriented_edges) are those of the triangles: a diagonal of a polygon
/// counts where it coincides with another edge, as it does in the triangles.
typedef struct graze_mesh_facts
{
    uint64_t vertices;          ///< as given
    uint64_t distinct_vertices; ///< after merging equal coordinates, used or not
    uint64_t triangles;
    uint64_t faces;
    uint64_t edges;      ///< of the faces as given
    uint64_t components; ///< sets of faces connected through shared vertices

    bool closed;                   ///< there are faces, and every edge has exactly two of them
    bool manifold;                 ///< no edge has more than two faces (for vertices see nonmanifold_vertices)
    bool oriented;                 ///< every edge of exactly two faces is run through once in each direction
    uint64_t boundary_edges;       ///< edges of one face
    uint64_t nonmanifold_edges;    ///< edges of three faces or more
    uint64_t nonmanifold_vertices; ///< vertices with more than one fan of faces
    uint64_t misoriented_edges;    ///< edges whose two faces have opposite orientation

    bool flat_faces;   ///< every polygon is planar
    bool convex_faces; ///< every polygon is flat, and convex
    bool convex;       ///< closed, one component, and the boundary of a convex body
    uint64_t nonflat_face_count;
    uint64_t nonconvex_face_count;

    uint64_t degenerate;  ///< triangles with a repeated (merged) vertex
    uint64_t zero_area;   ///< triangles without area: degenerate, or with collinear corners
    uint64_t duplicates;  ///< triangles that repeat the three corners of an earlier one
    uint64_t t_junctions; ///< vertices in the interior of an edge that does not use them, counted once per edge

    graze_box bounds;         ///< exact bounds of the used vertices
    double area;              ///< estimated: double-double sum, relative error far below 1e-14 for well-scaled input
    double volume;            ///< signed, by the divergence theorem; meaningful when closed and oriented
    double centre_of_mass[3]; ///< of the solid when closed and oriented and of volume not zero, else of the surface
    double inertia[6]; ///< xx yy zz xy yz zx, density 1, about the centre of mass; of the solid, else the surface
    bool solid_mass;   ///< whether centre and inertia are those of the solid
} graze_mesh_facts;

/// Computes all properties. `topology` may be NULL: it is then built for the call. Fails with BAD_ARGUMENT (a topology
/// of another mesh), OUT_OF_MEMORY, UNFINISHED or CANCELLED.
GRAZE_API graze_status graze_mesh_examine(const graze_context *context, const graze_mesh *mesh,
                                          const graze_topology *topology, const graze_budget *budget,
                                          graze_mesh_facts *out_facts);

/// Two faces that share an edge but run through it in the same direction: one of them is flipped.
typedef struct graze_face_pair
{
    uint32_t first, second;
} graze_face_pair;

/// Fills `pairs` with up to `capacity` pairs of such faces, in order, and *out_count with how many there are.
GRAZE_API graze_status graze_topology_misoriented_faces(const graze_topology *topology, graze_face_pair *pairs,
                                                        size_t capacity, size_t *out_count);

/// The component of every face (of its first corner), numbered by first appearance in the corners; `out_components` has
/// room for every face. *out_count is graze_mesh_facts.components: it may exceed the number of faces, and some
/// components may be those of no face, since a face without edges (GRAZE_NO_EDGE) joins none of its corners. Fails with
/// OUT_OF_MEMORY, UNFINISHED or CANCELLED.
GRAZE_API graze_status graze_topology_components(const graze_context *context, const graze_topology *topology,
                                                 const graze_budget *budget, uint32_t *out_components,
                                                 size_t *out_count);

GRAZE_END_DECLS

#endif
