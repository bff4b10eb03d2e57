/* SPDX-License-Identifier: MIT */
/*
 * A mesh as a body: whether it is closed, how its triangles hang together, its components; and what is needed of it
 * at a place in the world to ask whether it overlaps another.
 */
#ifndef GRZ_PAIR_BODY_H
#define GRZ_PAIR_BODY_H

#include "graze/depth.h"
#include "mesh/twins.h"
#include "pair/locate.h"

struct graze_body
{
    graze_context context;
    const graze_mesh *mesh;
    uint64_t stamp;    /* of the mesh when it was examined */
    grz_twins links;   /* how triangles hang together: half-edge 3 t + k leaves corner k of triangle t */
    uint32_t *corners; /* a vertex of each component */
};

/* How far a component surely reaches: some corner of it lies below `lower` or at it, another above `upper` or at it. */
typedef struct grz_extent
{
    double lower[3], upper[3];
} grz_extent;

/* A body in the world. */
typedef struct grz_side
{
    const graze_placed_mesh *placed;
    const graze_body *body;
    graze_body *own; /* the body, when it was made for the call */
    grz_world_tree world;
    grz_box *boxes;      /* around the placed triangles, in order; NULL with a tree */
    grz_box hull;        /* around all of them */
    grz_extent *extents; /* of the components */
    grz_watch *watch;    /* of the call; may be NULL */
} grz_side;

/* Examines the mesh unless `known` is its body. Fails with BAD_ARGUMENT when that is another mesh's, and as the watch,
   which may be NULL, says. */
graze_status grz_side_make(const graze_context *context, const graze_placed_mesh *placed, const graze_body *known,
                           grz_watch *watch, grz_side *out_side);
void grz_side_release(const graze_context *context, grz_side *side);

/* For grz_body_locate and the like. */
grz_body grz_side_body(const grz_side *side);

/* Where a merged vertex is, in the frame of its mesh. */
static inline const double *grz_body_place(const graze_body *body, uint32_t merged_vertex)
{
    return grz_mesh_vertex(body->mesh, body->links.mesh_vertex[merged_vertex]);
}

/* A corner of a triangle. */
static inline const double *grz_corner(const graze_mesh *mesh, size_t triangle, size_t k)
{
    return grz_mesh_vertex(mesh, mesh->triangles[3 * triangle + k]);
}

#endif
