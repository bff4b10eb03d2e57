/* SPDX-License-Identifier: MIT */
/*
 * The interface of a collision library, ours or a peer: takes a triangle soup, then answers queries about two placed
 * soups.
 *
 * Each peer is one small C++ file behind this C interface, so that the lab itself depends on none of them. A peer may
 * round, move and rebuild as it likes: its answers are compared with the exact ones and printed.
 */
#ifndef LAB_PEERS_PEER_H
#define LAB_PEERS_PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

    typedef struct lab_soup
    {
        const double *vertices; /* x, y, z of each */
        size_t vertex_count;
        const uint32_t *triangles; /* three vertex indices of each */
        size_t triangle_count;
    } lab_soup;

    /* Two triangles that intersect, according to an engine. */
    typedef struct lab_pair
    {
        uint32_t a, b;
    } lab_pair;

    typedef struct lab_pairs
    {
        lab_pair *data;
        size_t count, capacity;
    } lab_pairs;

    /* False when out of memory. */
    bool lab_pairs_push(lab_pairs *pairs, uint32_t a, uint32_t b);

/* Result of `all` when the peer has given up. */
#define LAB_GAVE_UP UINT64_MAX

    /* Poses are twelve doubles, the rows of [R|t], with R a rotation. */
    typedef struct lab_peer
    {
        const char *name;
        const char *what;

        /* All work that needs no poses: timed as building. NULL on failure. */
        void *(*create)(const lab_soup *soup);
        void (*destroy)(void *mesh);

        /* Optional: work for a new pose that is excluded from the query's time. Only peers that stand for "poses are
         * not allowed" have it, and their name says so. */
        void (*place)(void *a, const double *pose_a, void *b, const double *pose_b);

        /* Whether the two collide. */
        bool (*any)(void *a, const double *pose_a, void *b, const double *pose_b);

        /* All pairs of intersecting triangles. They are collected in any case, and returned (in any order) if
         * `out_pairs` is not NULL. */
        uint64_t (*all)(void *a, const double *pose_a, void *b, const double *pose_b, lab_pairs *out_pairs);

        /* The distance, 0 if they collide. NULL if not supported. */
        double (*distance)(void *a, const double *pose_a, void *b, const double *pose_b);
    } lab_peer;

    /* The peers of one library, terminated by one without a name. Which of them exist is decided at build time. */
    extern const lab_peer lab_peers_fcl[];
    extern const lab_peer lab_peers_fcl_native[];
    extern const lab_peer lab_peers_ode[];
    extern const lab_peer lab_peers_bullet[];
    extern const lab_peer lab_peers_embree[];
    extern const lab_peer lab_peers_cgal[];

#ifdef __cplusplus
}
#endif

#endif
