/* SPDX-License-Identifier: MIT */
/*
 * Engines: Graze and its peers behind one interface, each with the two meshes of a case.
 */
#ifndef LAB_ENGINE_H
#define LAB_ENGINE_H

#include "workload.h"

/* Graze with trees, and its brute-force sweep without: slow, and the reference. */
extern const lab_peer lab_graze, lab_graze_sweep;

/* Methods of the literature, terminated by one without a name. */
extern const lab_peer lab_peers_methods[];

typedef struct lab_engine
{
    const lab_peer *peer;
    void *a, *b;
    double build_ns;           /* CPU time, for both meshes */
    double bytes_per_triangle; /* all memory, including its own copy of the meshes */
} lab_engine;

/* False when the engine cannot take the meshes. */
bool lab_engine_open(lab_engine *engine, const lab_peer *peer, const lab_case *c);
void lab_engine_close(lab_engine *engine);

/* Places the meshes (if that is a separate step), so that only the query follows. */
void lab_engine_place(const lab_engine *engine, const lab_case *c, size_t pose);

/* Queries one pose; returns the number of pairs, or 0 and 1. `out_pairs` (may be NULL) receives them, if all are asked
 * for. */
uint64_t lab_engine_query(const lab_engine *engine, const lab_case *c, size_t pose, lab_question question,
                          lab_pairs *out_pairs);

/* The same for `any`, with a cache that persists between calls; `engine` is one of lab_graze. */
bool lab_graze_any_cached(const lab_engine *engine, const double *pose_a, const double *pose_b);

/* Statistics of Graze's queries, summed over all poses of a case; `engine` is one of lab_graze. */
graze_stats lab_graze_cost(const lab_engine *engine, const lab_case *c, lab_question question);

/* Of mesh a; `engine` is one of lab_graze. */
typedef struct lab_tree_report
{
    double ns; /* of building the tree alone */
    double refit_ns, save_ns, map_ns;
    bool valid;
    graze_tree_facts facts;
} lab_tree_report;

lab_tree_report lab_graze_examine(const lab_engine *engine);

/* Peers by index, NULL after the last. */
const lab_peer *lab_peer_at(size_t index);

/* Bytes allocated by malloc; 0 where it does not report them. */
double lab_held_bytes(void);

/* CPU time of this process in nanoseconds: the load of other programs does not count. */
double lab_cpu_now(void);

#endif
