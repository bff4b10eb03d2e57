/* SPDX-License-Identifier: MIT */
/*
 * Which components of a contact region, and which vertices of two bodies, bound the same piece of their common space.
 * See overlap_links.c for edges and vertices, overlap_faces.c for what lies within a triangle.
 */
#ifndef GRZ_PAIR_DEPTH_OVERLAP_LINKS_H
#define GRZ_PAIR_DEPTH_OVERLAP_LINKS_H

#include "pair/depth/simplex_search.h"
#include "pair/region/region.h"

/* What is known of a set of vertices that no surface separates. */
typedef enum grz_link_state
{
    GRZ_LINK_UNKNOWN = 0,
    GRZ_LINK_OUTSIDE, /* the other body */
    GRZ_LINK_INSIDE   /* it: linked to a component */
} grz_link_state;

/* A point of the boundary of the common space: a lower bound of its depth in the other body. */
typedef struct grz_common_point
{
    double point[3], depth;
    uint32_t node; /* that it is connected with */
} grz_common_point;

/* Points of the region on each triangle of a side, sorted, and the hits of each triangle. */
typedef struct grz_met_triangles
{
    size_t *hit_starts, *point_starts; /* triangle t has the entries from starts[t] to starts[t + 1] */
    uint32_t *hits, *points;
} grz_met_triangles;

/* Union-find over nodes: the components of the region, then the vertices of each side, merged ones. */
typedef struct grz_overlap_links
{
    grz_body_pair *pair;
    const grz_hits *hits;
    const grz_hit_pieces *found;
    size_t component_count;
    uint32_t first_vertex[3]; /* node of the first vertex of each side; the last entry is the number of nodes */
    uint32_t *parents;
    uint8_t *states; /* of roots: grz_link_state */
    grz_met_triangles met[2];
    grz_simplex_space space;
    double error;  /* of points of the region, of vertices, and of points between them */
    bool certain;  /* whether every link that may exist was decided */
    uint64_t work; /* segments compared by overlap_faces.c */
    GRZ_ARRAY(uint32_t) edge_points;
    GRZ_ARRAY(grz_common_point) common;
    graze_status status;
} grz_overlap_links;

/* Links all nodes that are certainly connected. Both bodies are closed. The pieces must stay; release in any case.
   Fails with OUT_OF_MEMORY and with the monitor's status. */
graze_status grz_overlap_links_make(grz_body_pair *pair, const grz_hits *hits, const grz_hit_pieces *found,
                                    size_t component_count, grz_overlap_links *out_links);
void grz_overlap_links_release(grz_overlap_links *links);

uint32_t grz_link_root(const grz_overlap_links *links, uint32_t node);
void grz_link_join(grz_overlap_links *links, uint32_t first, uint32_t second);

/* The node of corner k of a triangle, and its rounded position. */
uint32_t grz_link_corner(const grz_overlap_links *links, int side, uint32_t triangle, size_t k);
void grz_link_position(const grz_overlap_links *links, int side, uint32_t triangle, size_t k, double out[3]);

/* Links two nodes of a side's surface, if the segment between two points at them, which meets the other surface in its
   ends at most, lies in the other body. */
void grz_link_between(grz_overlap_links *links, int side, const uint32_t nodes[2], const double *first,
                      const double *second);

/* Points of the region on the edge of a half-edge, in order from its start, into `edge_points`. */
bool grz_link_edge_points(grz_overlap_links *links, int side, uint32_t half_edge);

/* ---- overlap_faces.c ---- */

/* Links what lies within a triangle, without a point on its edges, to what is around it. */
void grz_link_islands(grz_overlap_links *links, int side, uint32_t triangle);

/* A node that is connected with a point of a triangle of a side, which lies in the other body. False: not certain. */
bool grz_link_node_of_point(grz_overlap_links *links, int side, uint32_t triangle, const double point[3],
                            uint32_t *out_node);

#endif
