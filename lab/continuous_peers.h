/* SPDX-License-Identifier: MIT */
/* The interface of a peer that answers whether two soups meet between two poses each, and when. */
#ifndef LAB_CONTINUOUS_PEERS_H
#define LAB_CONTINUOUS_PEERS_H

#include "peers/peer.h"

#ifdef __cplusplus
extern "C"
{
#endif

    typedef struct lab_continuous_peer
    {
        const char *name;
        const char *what;
        bool convex_only; /* it takes no other meshes */

        /* NULL on failure. */
        void *(*create)(const lab_soup *a, const lab_soup *b);
        void (*destroy)(void *pair);

        /* Whether they meet, and a time in [0, 1]. Poses are twelve doubles, the rows of [R|t]. */
        bool (*impact)(void *pair, const double *start_a, const double *end_a, const double *start_b,
                       const double *end_b, double *out_time);
    } lab_continuous_peer;

    /* Tables, each ended by a peer without a name; only those of installed libraries exist. */
    extern const lab_continuous_peer lab_continuous_fcl[];
    extern const lab_continuous_peer lab_continuous_bullet[];

#ifdef __cplusplus
}
#endif

#endif
