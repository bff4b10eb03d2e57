/* SPDX-License-Identifier: MIT */
/*
 * Space-time traversal: finds the pairs of triangles of two moving meshes that may meet, with the interval of time in
 * which they may.
 *
 * An item is a pair of nodes and a dyadic interval of time. It is parted when boxes and slabs at the middle of the
 * interval are apart by more than the nodes move against each other in half of it. Else nodes are opened while they are
 * larger than that motion; then time is halved. So all items of one interval are treated together, as a *frame*: what
 * is left of them is the list of both halves. Frames are visited depth first, the earlier half first; what begins after
 * `latest`, which falls when an impact is found, is dropped.
 *
 * The frames yet to be visited, the node pairs yet to be opened in the current one and its candidates are the whole
 * state, so that a traversal may pause after any pair, and resume.
 */
#ifndef GRZ_MOTION_SPACE_TIME_H
#define GRZ_MOTION_SPACE_TIME_H

#include "base/budget_monitor.h"
#include "graze/motion_query.h"
#include "motion/moving_boxes.h"
#include "pair/hit/bvh_traversal.h"

enum
{
    GRZ_TIME_DEPTH = 40,         /* intervals are no shorter than 2^-40 */
    GRZ_MOST_INTERVALS = 1 << 14 /* after so many no interval is halved any more; see grz_space_time_may_halve */
};

/* The interval from index to index + 1, in units of 2^-depth, and its list in the pairs of the traversal. */
typedef struct grz_time_frame
{
    uint64_t index;
    unsigned depth;
    bool last;  /* no frame below uses its list */
    bool start; /* the time 0 alone */
    size_t first, count;
} grz_time_frame;

/* A pair of triangles that may meet within [t0, t1], closed at both ends, and has not met since the beginning of the
   frame before t0. Return false to stop. */
typedef bool (*grz_moving_pair_function)(void *user, uint32_t triangle_a, uint32_t triangle_b, double t0, double t1);

/* Whether a pair of triangles need not be proposed any more. */
typedef bool (*grz_settled_function)(void *user, uint32_t triangle_a, uint32_t triangle_b);

typedef struct grz_pair_list
{
    grz_node_pair *pairs;
    size_t count, capacity;
} grz_pair_list;

typedef struct grz_space_time
{
    /* set by the caller before the start; all else is zero then */
    const graze_context *context;
    const graze_moving_mesh *moving_a, *moving_b;
    const graze_tree *tree_a, *tree_b; /* of their meshes, usable */
    double margin;                     /* world length by which distances count as 0 */
    bool boxes_only;                   /* never transforms trees: the slow twin */
    grz_moving_pair_function propose;
    grz_settled_function settled; /* may be NULL */
    void *user;
    bool start_first;     /* the time 0 is a frame of its own, before all others: where they are likely to meet there */
    double from;          /* nothing meets from the start to this time */
    bool early;           /* pairs are proposed for longer intervals: where they are many and none ends the search */
    grz_monitor *monitor; /* may be NULL */

    double latest;         /* what begins after this is dropped: 1 at the start; `propose` may lower it */
    bool start_is_bounded; /* false at the start; the caller may set it right after: then, at the time 0, */
    uint32_t last_a;       /* only triangles of A up to this one are of use */
    graze_impact_stats stats;

    grz_time_frame frames[2 * GRZ_TIME_DEPTH + 3];
    size_t frame_count;
    grz_pair_list lists;      /* of all frames */
    grz_pair_list open;       /* of the current frame, not yet examined: a stack */
    grz_pair_list candidates; /* pairs of triangles of the current frame that may meet, */
    grz_pair_list waiting;    /* and the pairs of leaves they are from */
    struct
    {
        bool begun;      /* the candidates are being decided: those that are settled are left out; */
        size_t doubted;  /* of so many of them the time of doubt is known; */
        bool in_order;   /* of all, and they are in order; */
        size_t proposed; /* so many were proposed */
    } deciding;
    struct grz_moving_trees *trees;
    bool prepared; /* trees and end boxes exist */
    bool within;   /* a frame is begun */
    bool by_trees; /* the current frame is examined by the transforms of trees */
    grz_time_frame frame;
    double t0, t1;
    double done; /* all frames before the current one are, up to here */
    size_t kept; /* where its remaining pairs begin in `lists` */
    grz_moving_side side_a, side_b;
    grz_end_box *end_boxes_a, *end_boxes_b;
} grz_space_time;

/* Starts a search; after another one of the same meshes, which may have other motions by now, its memory is used again.
   OUT_OF_MEMORY leaves nothing to end. */
graze_status grz_space_time_start(grz_space_time *search);

/* Runs to the end, or until the monitor or `propose` stops it: OK, UNFINISHED, CANCELLED (by either), OUT_OF_MEMORY. */
graze_status grz_space_time_advance(grz_space_time *search);

/* All pairs that may meet before this time have been proposed. */
double grz_space_time_reached(const grz_space_time *search);

void grz_space_time_end(grz_space_time *search);

/* Internal: whether pairs may wait for the halves of the current frame, down to this depth. Bodies that are tiny beside
   their motion never part and are never large enough to be decided: two such would be halved 2^40 times, so after many
   intervals pairs are decided in whatever interval they are. */
static inline bool grz_space_time_may_halve(const grz_space_time *search, unsigned depth)
{
    return !search->frame.start && search->frame.depth < depth && search->stats.intervals < GRZ_MOST_INTERVALS;
}

/* Internal: proposes the candidates of the current frame, in order of the times at which they are in doubt
   (pair_doubt.h), and forgets them. UNFINISHED or CANCELLED: some are left; it goes on with them when it is called
   again. */
graze_status grz_space_time_decide(grz_space_time *search);

/* Internal: appends to a list. False when out of memory. */
bool grz_pair_list_add(const graze_context *context, grz_pair_list *list, grz_node_pair pair);

static inline uint32_t grz_tree_child(const graze_tree *tree, uint32_t ref)
{
    uint32_t node = ref / GRZ_TREE_WIDTH;
    return node == GRZ_ABOVE_ROOT ? 0 : tree->nodes[node].children[ref % GRZ_TREE_WIDTH];
}

#endif
