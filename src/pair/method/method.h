/* SPDX-License-Identifier: MIT */
/*
 * The interface of the literature's methods (literature: Zachmann 1994, Klosowski et al. 1998 and those they compare
 * with). A method prepares a state of each mesh, and then answers queries of two placed ones in run(): it tests what it
 * tests, and proposes pairs of triangles, which are decided exactly here, once for all methods; or it settles the query
 * by a verdict of its own. Budgets, counters, statuses and poses that no method takes are handled by the caller.
 *
 * The frame. Methods work with the scaled vertices of both meshes (mesh/mesh.h) in the coordinates of A: `map` places
 * B's there. Every coordinate that a method computes has an error below `slack`, which its tests must allow for.
 */
#ifndef GRZ_PAIR_METHOD_METHOD_H
#define GRZ_PAIR_METHOD_METHOD_H

#include "base/array.h"
#include "base/budget_monitor.h"
#include "base/hash_map.h"
#include "graze/method.h"
#include "pair/hit/query.h"

typedef struct grz_method_query grz_method_query;

typedef GRZ_ARRAY(graze_near_contact) grz_near_contacts;

typedef struct grz_method
{
    graze_method_info info;
    size_t state_size; /* of a mesh; the state is all zeros before prepare() */

    /* Fills the state. After a failure release() is called. */
    graze_status (*prepare)(void *state, const graze_context *context, const graze_mesh *mesh,
                            const graze_method_parameters *parameters, grz_monitor *monitor);

    /* Frees what the state owns, but not the state. NULL: it owns nothing. */
    void (*release)(void *state, const graze_context *context);

    /* Bytes that the state owns. NULL: none. */
    size_t (*memory)(const void *state);

    /* What graze_method_body_save and load do; NULL: they cannot. load() fills a state of zeros; after a failure
       release() is called. */
    size_t (*saved_size)(const void *state);
    void (*save)(const void *state, void *buffer);
    graze_status (*load)(void *state, const graze_context *context, const graze_mesh *mesh, const void *bytes,
                         size_t size);

    /* Answers the query: proposes pairs until that says stop, or sets the verdict. */
    void (*run)(grz_method_query *query);

    /* Pushes the places where both surfaces are nearest, within a tolerance; NULL: it does not tell. The query has no
       hits. */
    graze_status (*find_contacts)(grz_method_query *query, double tolerance, grz_near_contacts *out);
} grz_method;

struct grz_method_query
{
    const graze_context *context;
    const void *a, *b; /* states */
    const graze_mesh *mesh_a, *mesh_b;
    bool first_only;
    bool once;  /* the method may propose a pair several times: it is decided once */
    bool rigid; /* the map is a rotation, perhaps mirrored, up to the slack */
    bool out_of_memory;
    graze_traversal_order order; /* of trees, where the caller wishes one */
    graze_edge_chunks chunks;    /* of edges and faces: the caller's */

    double map[3][4]; /* from scaled coordinates of B to those of A */
    double slack;

    graze_method_counters counters;
    graze_method_cache *cache; /* may be NULL */
    grz_monitor monitor;
    graze_verdict verdict, guess; /* set by methods that propose no pairs; else UNKNOWN */

    /* The caller's: how pairs are decided. */
    graze_placed_mesh placed[2];
    grz_hash_map seen; /* pairs that were proposed, with `once` */
    grz_query engine;
    grz_query_part part; /* last: it is large, and not cleared as a whole */
};

/* Decides a pair of triangles. False when the query is over: a hit is all that was asked for, the budget is used up, or
   memory ran out. */
bool grz_method_propose(grz_method_query *query, uint32_t triangle_a, uint32_t triangle_b);

/* Decides whether two solids collide by the engine, exactly, where a method's own arithmetic leaves it open. */
void grz_method_decide_bodies(grz_method_query *query);

/* Counts tests of pairs of volumes. False when the budget is used up. */
static inline bool grz_method_count_volumes(grz_method_query *query, uint64_t count)
{
    query->counters.volumes += count;
    return grz_monitor_box_tests(&query->monitor, count);
}

/* A point of B in A's coordinates. */
static inline void grz_method_place(const grz_method_query *query, const double point[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] =
            query->map[i][0] * point[0] + query->map[i][1] * point[1] + query->map[i][2] * point[2] + query->map[i][3];
}

/* The table of methods. */
extern const grz_method *const grz_methods[];
extern const size_t grz_method_table_size;

const grz_method *grz_method_of_name(const char *name);

/* A body: a method's state behind its mesh. */
struct graze_method_body
{
    graze_context context;
    const grz_method *method;
    const graze_mesh *mesh;
    void *state;
};

#endif
