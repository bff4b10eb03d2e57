/* SPDX-License-Identifier: MIT */
/*
 * What methods for convex bodies share: the hull of the mesh's vertices with its table for supports, and certificates
 * of what a method believes. Bodies that are apart are proved so by a plane with all vertices on their sides
 * (convex/gjk.h); what doubles leave open is decided by the engine's exact queries of solids.
 */
#ifndef GRZ_PAIR_METHOD_CONVEX_STATE_H
#define GRZ_PAIR_METHOD_CONVEX_STATE_H

#include "convex/convex_pair.h"
#include "convex/convex_table.h"
#include "convex/gjk.h"
#include "convex/hull.h"
#include "pair/method/method.h"

typedef struct grz_method_convex
{
    grz_hull *hull; /* of the vertices that faces use; these are all of them, as the mesh is convex */
    grz_convex_table table;
    grz_convex_body body;               /* without a pose */
    graze_method_parameters parameters; /* of the method's search */
    double centre[3], box_centre[3];    /* the mean of the vertices, the middle of their box */
} grz_method_convex;

/* BAD_ARGUMENT for a mesh that does not bound a convex body. */
graze_status grz_method_convex_prepare(void *opaque, const graze_context *context, const graze_mesh *mesh,
                                       const graze_method_parameters *parameters, grz_monitor *monitor);
void grz_method_convex_release(void *opaque, const graze_context *context);
size_t grz_method_convex_memory(const void *opaque);

/* Two placed bodies, ready for supports and certificates. */
typedef struct grz_convex_search
{
    const grz_method_convex *states[2];
    grz_convex_body bodies[2];
    grz_gjk gjk;
} grz_convex_search;

/* False where numbers are out of range: then the engine has decided the query. */
bool grz_convex_search_start(grz_method_query *query, grz_convex_search *out);

/* Whether the plane with this normal, from A to B, certainly separates them; the verdict is set then. */
bool grz_convex_search_separates(grz_method_query *query, grz_convex_search *search, const double normal[3]);

/* Decides the query for certain: by GJK with certificates, else by the engine. */
void grz_convex_search_decide(grz_method_query *query, grz_convex_search *search);

/* The unit vector from the middle of A's box to that of B's: where searches for a separating vector begin. */
v3 grz_convex_search_between(const grz_convex_search *search);

/* A separating vector that failed, reflected at the unit vector between the extreme vertices along it (Chung, Wang). */
static inline v3 grz_convex_reflect(v3 s, v3 r)
{
    v3 reflected = v3_sub(s, v3_scale(2 * v3_dot(r, s), r));
    return v3_scale(1 / v3_length(reflected), reflected);
}

/* A placed vertex, in the world relative to A's translation; rounded. */
static inline v3 grz_convex_search_point(const grz_convex_search *search, int side, uint32_t vertex)
{
    const grz_convex_operands *o = &search->gjk.operands;
    return grz_convex_of(side == 0 ? grz_convex_place(o, vertex, 0) : grz_convex_place(o, 0, vertex), side);
}

#endif
