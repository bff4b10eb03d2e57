/* SPDX-License-Identifier: MIT */
/*
 * The interface of an engine for scene workloads, ours or a peer: takes all objects, then, frame by frame, gets the
 * positions of the moving ones and reports all colliding pairs. Objects are boxes, or meshes or primitives with poses.
 */
#ifndef LAB_PEERS_SCENE_PEER_H
#define LAB_PEERS_SCENE_PEER_H

#include "peer.h"

#ifdef __cplusplus
extern "C"
{
#endif

    typedef enum lab_primitive_kind
    {
        LAB_SPHERE,
        LAB_BOX,
        LAB_CAPSULE,
        LAB_CYLINDER,
        LAB_PRIMITIVE_KINDS
    } lab_primitive_kind;

    /* Centred at its origin, with axis z. */
    typedef struct lab_primitive
    {
        lab_primitive_kind kind;
        double radius;  /* but of boxes */
        double size[3]; /* of a box; size[2]: height of a cylinder, length of the segment of a capsule */
    } lab_primitive;

    /* The objects as an engine sees them: boxes (six doubles each, lower corner then upper) or poses of meshes or
     * primitives (twelve doubles each, see peer.h). All pointers, and the data they point to except `moved`, stay the
     * same from frame to frame. */
    typedef struct lab_scene_view
    {
        size_t count;
        const uint32_t *movers; /* indices of moving objects, ascending; the others never move */
        size_t mover_count;
        const double *first;   /* positions of all before the first frame */
        const double *moved;   /* current positions of the moving ones, in their order */
        const lab_soup *soups; /* NULL: boxes */
        size_t soup_count;
        const uint32_t *soup_of;   /* index of each object's soup */
        double lower[3], upper[3]; /* of the cage: nothing ever leaves it */

        /* Not 0: all pairs of triangles are wanted, not of objects; triangle t of object i has the number i *
         * most_triangles + t. */
        size_t most_triangles;
        const lab_primitive *primitives; /* of each object; NULL: meshes or boxes */
    } lab_scene_view;

    /* Receives the pairs that an engine reports, to store them for comparison or, in timing, only to count them. */
    typedef struct lab_tally
    {
        uint64_t count, hash;
        lab_pairs *list; /* NULL: they are not stored */
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
        bool has_threads;  /* then wall time counts, not CPU time */
        size_t most;       /* limit of objects: with more a pass takes too long. 0: any number */
        int variant;       /* defined by the file; passed to create */

        /* Takes all objects at their first positions: timed as building. NULL on failure. */
        void *(*create)(const lab_scene_view *scene, int variant);
        void (*destroy)(void *world);

        /* Moves objects, updates, and reports all colliding pairs. */
        void (*frame)(void *world, const lab_scene_view *scene, lab_tally *tally);

        bool names_triangles;  /* for views with most_triangles, and only those */
        bool takes_primitives; /* for views of primitives, and only those */
    } lab_scene_peer;

    /* As in peer.h. */
    extern const lab_scene_peer lab_broad_fcl[];
    extern const lab_scene_peer lab_scenes_fcl[];
    extern const lab_scene_peer lab_scenes_fcl_native[];
    extern const lab_scene_peer lab_primitives_fcl[];
    extern const lab_scene_peer lab_primitives_ode[];
    extern const lab_scene_peer lab_primitives_bullet[];
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
