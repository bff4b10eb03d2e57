/* SPDX-License-Identifier: MIT */
/*
 * What the lab asks of an engine that takes many moving things at once, ours or a peer: take them all, then, frame by
 * frame, be told where the moving ones are and name all pairs that meet. Things are boxes, or meshes with poses.
 */
#ifndef LAB_PEERS_SCENE_PEER_H
#define LAB_PEERS_SCENE_PEER_H

#include "peer.h"

#ifdef __cplusplus
extern "C"
{
#endif

    /* Many things, as an engine sees them: boxes (six doubles each, lower corner then upper) or poses of meshes (twelve
       doubles each, see peer.h). All pointers stay the same from frame to frame, and what they point to does, but for
       `moved`. */
    typedef struct lab_scene_view
    {
        size_t count;
        const uint32_t *movers; /* the numbers of those that move, ascending; the others never do */
        size_t mover_count;
        const double *first;   /* where all are before the first frame */
        const double *moved;   /* where the movers are now, in their order */
        const lab_soup *soups; /* NULL: boxes */
        size_t soup_count;
        const uint32_t *soup_of;   /* which of the soups each thing is */
        double lower[3], upper[3]; /* of the cage: nothing ever leaves it */

        /* Not 0: all pairs of triangles are asked for, not of things; triangle t of thing i has the number
           i * most_triangles + t. */
        size_t most_triangles;
    } lab_scene_view;

    /* Takes the pairs that an engine names. Every engine's walk over its pairs ends here, whether they are kept for
       comparison or, in timing, only counted. */
    typedef struct lab_tally
    {
        uint64_t count, hash;
        lab_pairs *list; /* NULL: they are not kept */
    } lab_tally;

    /* In either order, each pair once. */
    static inline void lab_tally_add(lab_tally *tally, uint32_t a, uint32_t b)
    {
        uint32_t lower = a < b ? a : b, upper = a < b ? b : a;
        tally->count++;
        tally->hash ^= ((uint64_t)lower << 32 | upper) * UINT64_C(0x9e3779b97f4a7c15);
        if (tally->list != NULL)
            lab_pairs_push(tally->list, lower, upper);
    }

    typedef struct lab_scene_peer
    {
        const char *name;
        const char *what;
        bool takes_meshes; /* otherwise boxes */
        bool has_threads;  /* then time on the wall counts, not that of the processor */
        size_t most;       /* things: with more a pass takes longer than anyone waits. 0: any number */
        int variant;       /* of the file's own; given to create */

        /* Takes all things where they are first: this is timed as building. NULL on failure. */
        void *(*create)(const lab_scene_view *scene, int variant);
        void (*destroy)(void *world);

        /* Moves what moves, brings everything up to date and names all pairs that meet. */
        void (*frame)(void *world, const lab_scene_view *scene, lab_tally *tally);

        bool names_triangles; /* for views with most_triangles, and only those */
    } lab_scene_peer;

    /* As in peer.h. */
    extern const lab_scene_peer lab_broad_fcl[];
    extern const lab_scene_peer lab_scenes_fcl[];
    extern const lab_scene_peer lab_scenes_fcl_native[];
    extern const lab_scene_peer lab_scenes_ode[];
    extern const lab_scene_peer lab_scenes_bullet[];
    extern const lab_scene_peer lab_broad_ode[];
    extern const lab_scene_peer lab_broad_bullet[];
    extern const lab_scene_peer lab_broad_embree[];
    extern const lab_scene_peer lab_broad_cgal[];

#ifdef __cplusplus
}
#endif

#endif
