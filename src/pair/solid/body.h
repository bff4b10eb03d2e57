/* SPDX-License-Identifier: MIT */
/*
 * A mesh as a solid body: its adjacency, whether it is closed, its connected components; and a placed body, with the
 * world-space bounds that point location and overlap tests need.
 */
#ifndef GRZ_PAIR_SOLID_BODY_H
#define GRZ_PAIR_SOLID_BODY_H

#include <stdatomic.h>
#include <string.h>

#include "graze/depth.h"
#include "mesh/twins.h"
#include "pair/solid/point_in_mesh.h"

/* Whether a body is convex, as far as known. */
enum
{
    GRZ_CONVEXITY_UNKNOWN = 0,
    GRZ_CONVEXITY_NO,
    GRZ_CONVEXITY_YES
};

/* Whether a surface meets itself, as far as known. */
enum
{
    GRZ_SELF_CONTACT_UNKNOWN = 0,
    GRZ_SELF_CONTACT_NONE,
    GRZ_SELF_CONTACT_FOUND
};

struct graze_body
{
    graze_context context;
    const graze_mesh *mesh;
    grz_identity identity; /* of the mesh when the body was created */
    grz_twins adjacency;   /* half-edge 3 t + k starts at corner k of triangle t */
    uint32_t *corners;     /* per component: its first triangle corner 3 t + k */
    uint32_t *shells;      /* per triangle: the shell it belongs to, numbered in the order of their first triangles */
    size_t shell_count;    /* parts of the surface that are connected by edges */
    size_t memory_size;    /* in bytes; not computed from the mesh, which may be gone before the body */
    /* Kept by grz_body_is_convex, grz_body_meets_itself and grz_shell_interior_side, also of a const body: the fields
       that change. */
    atomic_int convexity, self_contact;
    atomic_schar *interior_sides; /* per shell: where the interior is, in the frame of the mesh; 0: not known */
};

/* As graze_body_create; the monitor may be NULL. */
graze_status grz_body_create(const graze_context *context, const graze_mesh *mesh, grz_monitor *monitor,
                             graze_body **out_body);

/* Inner bounds of the extent of a placed component: on each axis, a vertex lies at or below `lower` and a vertex at or
   above `upper`. */
typedef struct grz_component_extent
{
    double lower[3], upper[3];
} grz_component_extent;

/* A body with a pose. */
typedef struct grz_placed_body
{
    const graze_placed_mesh *placed;
    const graze_body *body;
    graze_body *own; /* the body, when it was created for this call; else NULL */
    grz_world_tree world;
    grz_placed_aabb *boxes;        /* AABBs of the placed triangles, in order; NULL with a tree */
    grz_placed_aabb hull;          /* AABB of all placed triangles */
    grz_component_extent *extents; /* one per component */
    grz_monitor *monitor;          /* of the call; may be NULL */
} grz_placed_body;

/* Creates the body of the mesh unless `known` is given. Fails with BAD_ARGUMENT when `known` belongs to another mesh,
   with OUT_OF_MEMORY, and with the status of the monitor, which may be NULL. */
graze_status grz_placed_body_make(const graze_context *context, const graze_placed_mesh *placed,
                                  const graze_body *known, grz_monitor *monitor, grz_placed_body *out_side);
void grz_placed_body_release(const graze_context *context, grz_placed_body *side);

/* Whether a body is convex: closed, oriented, no degenerate triangles, and convex by mesh/convexity.c. Slow when
   first asked: builds a topology; the answer is kept. Thread-safe. Fails with OUT_OF_MEMORY and as the monitor, which
   may be NULL, says. */
graze_status grz_body_is_convex(const graze_context *context, const graze_body *body, grz_monitor *monitor,
                                bool *out_convex);

/* Whether two triangles of a body's mesh share more than common corners and edges; corners at the same place count as
   common. Slow when first asked; the answer is kept. Thread-safe. Fails as graze_self_any. `tree` may be NULL. */
graze_status grz_body_meets_itself(const graze_context *context, const graze_body *body, const graze_tree *tree,
                                   grz_monitor *monitor, bool *out_meets);

/* The view that grz_locate_point and the grz_body_* functions of point_in_mesh.h take. */
grz_body_view grz_placed_body_view(const grz_placed_body *side);

/* The coordinates of a merged vertex, in the frame of its mesh. */
static inline const double *grz_body_vertex(const graze_body *body, uint32_t merged_vertex)
{
    return grz_mesh_vertex(body->mesh, body->adjacency.mesh_vertex[merged_vertex]);
}

/* The coordinates of one vertex of a component. Its location is that of the whole component where the component does
   not meet the other surface. */
static inline const double *grz_body_component_corner(const graze_body *body, size_t component)
{
    return grz_mesh_vertex(body->mesh, body->mesh->triangles[body->corners[component]]);
}

/* The coordinates of corner k of a triangle. */
static inline const double *grz_triangle_corner(const graze_mesh *mesh, size_t triangle, size_t k)
{
    return grz_mesh_vertex(mesh, mesh->triangles[3 * triangle + k]);
}

/* Whether its three corners are one point, by their bytes. */
static inline bool grz_triangle_is_point(const graze_mesh *mesh, size_t triangle)
{
    const double *first = grz_triangle_corner(mesh, triangle, 0);
    return memcmp(first, grz_triangle_corner(mesh, triangle, 1), 3 * sizeof *first) == 0 &&
           memcmp(first, grz_triangle_corner(mesh, triangle, 2), 3 * sizeof *first) == 0;
}

#endif
