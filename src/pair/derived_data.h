/* SPDX-License-Identifier: MIT */
/*
 * Data derived from one mesh and used by many queries: BVH, body (adjacency, components, whether it is closed and
 * convex) and support table. Each is made when it is first requested, and stays until the release. Bounds are not here:
 * the mesh has its AABB and bounding sphere itself.
 *
 * The data belong to the mesh as it was when they were made for it, which its identity tells (mesh/identity.h). A mesh
 * whose vertices have moved needs new derived data; the old ones stay valid memory for those who still use them.
 *
 * Thread safety: any number of threads may request data of one mesh at once. What is finished is published by a
 * compare-exchange; a thread that comes second destroys its own and takes the first.
 */
#ifndef GRZ_PAIR_DERIVED_DATA_H
#define GRZ_PAIR_DERIVED_DATA_H

#include <stdatomic.h>

#include "graze/depth.h"
#include "graze/tree.h"
#include "mesh/identity.h"
#include "pair/support_table.h"

typedef struct grz_derived_data
{
    graze_context context;
    const graze_mesh *mesh;
    grz_identity identity; /* of the mesh when this was made for it */
    _Atomic(graze_tree *) tree;
    _Atomic(graze_body *) body;
    _Atomic(grz_support_table *) support_table;
    atomic_uint requests; /* of a support table since the last one was built, of this mesh or its earlier versions */
    atomic_uint patience; /* how many requests cause a build; 0: none was built yet, and the first does */
} grz_derived_data;

/* For a mesh, which must outlive the data. Allocates nothing: data are made when requested. */
void grz_derived_data_init(grz_derived_data *derived, const graze_context *context, const graze_mesh *mesh);

/* For the mesh of `earlier` after its vertices have moved: nothing is taken over but how many requests a support table
   needs. */
void grz_derived_data_succeed(grz_derived_data *derived, const grz_derived_data *earlier);

/* Whether the mesh is still the one the data are of. */
bool grz_derived_data_is_current(const grz_derived_data *derived);

/* The BVH, and the body. Fail as graze_tree_create and graze_body_create do; the next request tries again. `budget` may
   be NULL. */
graze_status grz_derived_tree(grz_derived_data *derived, const graze_budget *budget, const graze_tree **out_tree);
graze_status grz_derived_body(grz_derived_data *derived, const graze_budget *budget, const graze_body **out_body);

/* The support table if there is one, else NULL. */
const grz_support_table *grz_derived_support_table(const grz_derived_data *derived);

/*
 * Requests the support table. It is built from `tree`, any tree of the mesh, if there is none and there is time; then
 * *out_made is set. A mesh that has changed may change again, and tables cost time: after each change, twice as many
 * requests are needed before one is built. NULL when there is none, when the mesh cannot have one, when it keeps
 * changing, and when out of memory: support tables only save time.
 */
const grz_support_table *grz_derived_request_support_table(grz_derived_data *derived, const graze_tree *tree,
                                                           bool has_time, bool *out_made);

/* Bytes of all that was made so far, without the struct itself. */
size_t grz_derived_data_memory(const grz_derived_data *derived);

/* Destroys all that was made. Nobody may use it any more. */
void grz_derived_data_release(grz_derived_data *derived);

#endif
