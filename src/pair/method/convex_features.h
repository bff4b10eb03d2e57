/* SPDX-License-Identifier: MIT */
/*
 * Vertices, edges and faces of placed convex bodies, and the planes that bound their Voronoi regions: the points
 * outside a body that are nearest to one feature. For methods that walk from feature to feature (literature: M. Lin,
 * J. Canny 1991; B. Mirtich 1998). All in doubles: a walk only proposes a plane, which is certified afterwards.
 */
#ifndef GRZ_PAIR_METHOD_CONVEX_FEATURES_H
#define GRZ_PAIR_METHOD_CONVEX_FEATURES_H

#include "pair/method/convex_state.h"

typedef enum grz_feature_kind
{
    GRZ_FEATURE_VERTEX,
    GRZ_FEATURE_EDGE, /* by one of its half-edges */
    GRZ_FEATURE_FACE
} grz_feature_kind;

typedef struct grz_feature
{
    grz_feature_kind kind;
    uint32_t index;
} grz_feature;

enum
{
    GRZ_DIRECTION_ROWS = 16, /* of the look-up by directions */
    GRZ_DIRECTION_COLUMNS = 2 * GRZ_DIRECTION_ROWS
};

typedef struct grz_feature_state
{
    grz_method_convex convex; /* first: this is the state that convex_state.h knows */
    uint32_t *faces;          /* per half-edge: the face on its left */
    uint32_t *leaving;        /* half-edges by the vertex where they start, as hull->neighbour_starts counts them */
    uint32_t lookup[GRZ_DIRECTION_ROWS][GRZ_DIRECTION_COLUMNS]; /* per cell of directions: the face seen there */
} grz_feature_state;

graze_status grz_feature_state_prepare(void *opaque, const graze_context *context, const graze_mesh *mesh,
                                       const graze_method_parameters *parameters, grz_monitor *monitor);
void grz_feature_state_release(void *opaque, const graze_context *context);
size_t grz_feature_state_memory(const void *opaque);

/* One body of a search. */
typedef struct grz_feature_body
{
    const grz_convex_search *search;
    const grz_feature_state *state;
    const grz_hull *hull;
    int side;
    double handedness; /* -1: the pose mirrors */
} grz_feature_body;

grz_feature_body grz_feature_body_make(const grz_convex_search *search, int side);

/* A placed vertex. */
static inline v3 grz_feature_vertex(const grz_feature_body *body, uint32_t vertex)
{
    return grz_convex_search_point(body->search, body->side, vertex);
}

/* A placed edge: from `tail`, along `along`. */
typedef struct grz_feature_edge
{
    uint32_t ends[2];
    v3 tail, along;
} grz_feature_edge;

grz_feature_edge grz_feature_edge_of(const grz_feature_body *body, uint32_t half_edge);

/* The outward normal of a placed face, of any length. */
v3 grz_feature_face_normal(const grz_feature_body *body, uint32_t face);

/* A plane between the Voronoi regions of two neighbouring features: the region of `neighbour` lies where
   normal . (x - point) > 0. The normal is a unit vector, or 0 where a feature is degenerate. */
typedef struct grz_voronoi_plane
{
    v3 normal, point;
    grz_feature neighbour;
} grz_voronoi_plane;

/* How many planes bound the region of a feature, and one of them. The plane below a face is not among them. */
uint32_t grz_voronoi_plane_count(const grz_feature_body *body, grz_feature feature);
grz_voronoi_plane grz_voronoi_plane_at(const grz_feature_body *body, grz_feature feature, uint32_t i);

static inline double grz_voronoi_height(const grz_voronoi_plane *plane, v3 x)
{
    return v3_dot(plane->normal, v3_sub(x, plane->point));
}

/* Whether a point lies beyond a plane of the region; then the feature across the plane that it is farthest beyond. */
bool grz_voronoi_leaves(const grz_feature_body *body, grz_feature feature, v3 x, grz_feature *out_neighbour);

/* The face that a point is highest above, and that height; below 0: the point lies inside. */
double grz_feature_highest_face(const grz_feature_body *body, v3 x, uint32_t *out_face);

/* A feature of the body in this direction of the world, by the look-up. */
grz_feature grz_feature_towards(const grz_feature_body *body, v3 direction);

/* The last pair of features, kept in the numbers of a cache; false: there is none that fits. */
bool grz_feature_recall(const graze_method_cache *cache, const grz_feature_body bodies[2], grz_feature out[2]);
void grz_feature_keep(graze_method_cache *cache, const grz_feature features[2]);

#endif
