/* SPDX-License-Identifier: MIT */
/* What methods for closed bodies share: exact tests of points, and what follows once surfaces are known to be apart. */
#ifndef GRZ_PAIR_METHOD_CLOSED_BODIES_H
#define GRZ_PAIR_METHOD_CLOSED_BODIES_H

#include "graze/depth.h"
#include "pair/method/method.h"

typedef struct grz_closed_state
{
    graze_body *body;
    graze_method_parameters parameters;
} grz_closed_state;

/* BAD_ARGUMENT for a mesh that is not closed. */
graze_status grz_closed_state_prepare(void *opaque, const graze_context *context, const graze_mesh *mesh,
                                      const graze_method_parameters *parameters, grz_monitor *monitor);
void grz_closed_state_release(void *opaque, const graze_context *context);
size_t grz_closed_state_memory(const void *opaque);

/* Whether a point of the world lies in the body of that side, exactly. */
bool grz_method_holds_point(grz_method_query *query, int side, const double point[3]);

/* Tests a point of A's frame in both bodies; in both: the verdict is yes. Where the point lies there is rounded, and
   only that makes no difference: the rounded one is what is tested. */
void grz_method_try_point(grz_method_query *query, const double point[3]);

/* The surfaces certainly share no point: then one body is in the other, or they are apart. The bodies are those of the
   states. */
void grz_method_decide_surfaces_apart(grz_method_query *query, const grz_closed_state *a, const grz_closed_state *b);

/* False when the query is over. */
static inline bool grz_method_goes_on(const grz_method_query *query)
{
    return !query->out_of_memory && grz_monitor_may_continue(&query->monitor) && query->verdict != GRAZE_VERDICT_YES;
}

#endif
