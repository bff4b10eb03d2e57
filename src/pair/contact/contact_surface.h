/* SPDX-License-Identifier: MIT */
/* What contacts need to know of a mesh, made once: the kinds of its edges, faces of coplanar triangles, the edges
   around each vertex. Vertices are merged ones (mesh/twins.h). */
#ifndef GRZ_PAIR_CONTACT_CONTACT_SURFACE_H
#define GRZ_PAIR_CONTACT_CONTACT_SURFACE_H

#include <stdbool.h>

#include "graze/contact.h"
#include "mesh/identity.h"
#include "mesh/twins.h"

#define GRZ_CONTACT_SLACK 0.04362 /* sine of 2.5 degrees: how far a feature may be from supporting a direction */

typedef enum grz_edge_kind
{
    GRZ_EDGE_NONE, /* without length, or of a triangle with equal corners */
    GRZ_EDGE_FLAT,
    GRZ_EDGE_CONCAVE,
    GRZ_EDGE_CONVEX,
    GRZ_EDGE_BORDER /* does not have exactly two triangles */
} grz_edge_kind;

struct graze_contact_surface
{
    graze_context context;
    const graze_mesh *mesh;
    grz_identity identity;
    grz_twins adjacency;
    uint8_t *edges;        /* per half-edge 3 t + k, from corner k of triangle t to the next: its kind */
    uint32_t *faces;       /* per triangle: the first triangle of its face */
    uint32_t *ring_starts; /* per vertex, and the end: where the other ends of its edges begin in `rings` */
    uint32_t *rings;
    bool *sharp; /* per vertex: whether one of its edges makes contacts */
};

/* A surface that is not closed has two sides: an edge that is concave on one is convex on the other. */
static inline bool grz_edge_makes_contacts(const graze_contact_surface *surface, unsigned kind)
{
    return kind >= (surface->adjacency.closed ? GRZ_EDGE_CONVEX : GRZ_EDGE_CONCAVE);
}

/* As graze_contact_surface_create; the monitor may be NULL. */
graze_status grz_contact_surface_create(const graze_context *context, const graze_mesh *mesh, grz_monitor *monitor,
                                        graze_contact_surface **out_surface);

#endif
