/* SPDX-License-Identifier: MIT */
/*
 * What the lab asks of a collision library, ours or a peer: take a triangle soup, then answer for two placed soups.
 *
 * Each peer is one small C++ file behind this C interface, so that the lab itself knows none of them. A peer may round,
 * move and rebuild as it likes: what it then answers is compared with the exact answer and printed.
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

    /* Two triangles that meet, according to somebody. */
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

/* What `all` gives when the peer has given up. */
#define LAB_GAVE_UP UINT64_MAX

    /* Poses are twelve doubles, the rows of [R|t], with R a rotation. */
    typedef struct lab_peer
    {
        const char *name;
        const char *what;

        /* Everything that can be done before poses are known: this is timed as building. NULL on failure. */
        void *(*create)(const lab_soup *soup);
        void (*destroy)(void *mesh);

        /* Optional: work that a new pose makes necessary and that is left out of the query's time. Only peers that
           stand for "poses are not allowed" have it, and say so in their name. */
        void (*place)(void *a, const double *pose_a, void *b, const double *pose_b);

        /* Whether the two meet. */
        bool (*any)(void *a, const double *pose_a, void *b, const double *pose_b);

        /* All pairs of triangles that meet. They are collected in any case, and handed out when `out_pairs` is not NULL
           (in any order). */
        uint64_t (*all)(void *a, const double *pose_a, void *b, const double *pose_b, lab_pairs *out_pairs);

        /* The distance, 0 when they meet. NULL where it is not offered. */
        double (*distance)(void *a, const double *pose_a, void *b, const double *pose_b);
    } lab_peer;

    /* The peers of one library, ended by one without a name. Which of them exist is decided when the lab is built. */
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
