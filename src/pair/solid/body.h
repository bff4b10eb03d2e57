/* SPDX-License-Identifier: MIT */
/*
 * A mesh as a body: whether it is closed, how its triangles hang together, its components; and what is needed of it
 * at a place in the world to ask whether it overlaps another.
 */
#ifndef GRZ_PAIR_SOLID_BODY_H
#define GRZ_PAIR_SOLID_BODY_H

#include "graze/depth.h"
#include "mesh/twins.h"
#include "pair/solid/point_in_mesh.h"

struct graze_body
{
    graze_context context;
    const graze_mesh *mesh;
    grz_identity identity; /* of the mesh when it was examined */
    grz_twins adjacency;   /* how triangles hang together: half-edge 3 t + k leaves corner k of triangle t */
    uint32_t *corners;     /* of each component: a corner 3 t + k of one of its triangles, the first there is */
};

/* As graze_body_create; the monitor may be NULL. */
graze_status grz_body_create(const graze_context *context, const graze_mesh *mesh, grz_monitor *monitor,
                             graze_body **out_body);

/* How far a component surely reaches: some corner of it lies below `lower` or at it, another above `upper` or at it. */
typedef struct grz_component_extent
{
    double lower[3], upper[3];
} grz_component_extent;

/* How many bytes a body takes. */
size_t grz_body_memory(const graze_body *body);

/* A body in the world. */
typedef struct grz_placed_body
{
    const graze_placed_mesh *placed;
    const graze_body *body;
    graze_body *own; /* the body, when it was made for the call */
    grz_world_tree world;
    grz_placed_aabb *boxes;        /* around the placed triangles, in order; NULL with a tree */
    grz_placed_aabb hull;          /* around all of them */
    grz_component_extent *extents; /* of the components */
    grz_monitor *monitor;          /* of the call; may be NULL */
} grz_placed_body;

/* Examines the mesh unless `known` is its body. Fails with BAD_ARGUMENT when that is another mesh's, and as the
   monitor, which may be NULL, says. */
graze_status grz_placed_body_make(const graze_context *context, const graze_placed_mesh *placed,
                                  const graze_body *known, grz_monitor *monitor, grz_placed_body *out_side);
void grz_placed_body_release(const graze_context *context, grz_placed_body *side);

/* Whether a body is convex: closed, oriented, without triangles of no area, and mesh/convexity.c says so. Takes a
   while. Fails with OUT_OF_MEMORY. */
graze_status grz_body_is_convex(const graze_context *context, const graze_body *body, grz_monitor *monitor,
                                bool *out_convex);

/* For grz_locate_point and the like. */
grz_body_view grz_placed_body_view(const grz_placed_body *side);

/* Where a merged vertex is, in the frame of its mesh. */
static inline const double *grz_body_vertex(const graze_body *body, uint32_t merged_vertex)
{
    return grz_mesh_vertex(body->mesh, body->adjacency.mesh_vertex[merged_vertex]);
}

/* The place of a corner of a component, which tells where the component lies when no surface meets it. */
static inline const double *grz_body_component_corner(const graze_body *body, size_t component)
{
    return grz_mesh_vertex(body->mesh, body->mesh->triangles[body->corners[component]]);
}

/* A corner of a triangle. */
static inline const double *grz_triangle_corner(const graze_mesh *mesh, size_t triangle, size_t k)
{
    return grz_mesh_vertex(mesh, mesh->triangles[3 * triangle + k]);
}

#endif
