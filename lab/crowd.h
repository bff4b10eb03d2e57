/* SPDX-License-Identifier: MIT */
/*
 * The second kind of workload: not two meshes at many poses, but many things that move, frame by frame, and the pairs
 * of them that meet in each. Frames are made as they are needed, and boxes' never come again, so that no engine can
 * learn them and motion stays smooth for as long as an engine is timed. Each engine sees the same frames from the first
 * one on.
 */
#ifndef LAB_CROWD_H
#define LAB_CROWD_H

#include "peers/crowd_peer.h"
#include "run.h"

typedef struct lab_crowd lab_crowd;
typedef struct lab_crowd_workload lab_crowd_workload;

struct lab_crowd
{
    lab_crowd_view view;
    void *state;   /* of the maker */
    size_t period; /* after so many frames they come again, which makes them a pass; 0: they never do */

    /* Back to before the first frame; on to the next one. False when out of memory. */
    bool (*rewind)(lab_crowd *crowd);
    bool (*next)(lab_crowd *crowd);

    /* All pairs that meet now, sorted, found in another way than any engine's. False when out of memory. */
    bool (*exact)(const lab_crowd *crowd, lab_pairs *out_pairs);
    void (*clear)(lab_crowd *crowd);
};

struct lab_crowd_workload
{
    const char *name;
    const char *what;
    bool (*make)(const lab_crowd_workload *workload, lab_crowd *out_crowd);
    size_t count;    /* of things */
    double share;    /* of them move */
    double overlaps; /* of a thing with others, on average */
    bool jumps;      /* anywhere in every frame */
    bool ours_only;  /* no peers: Graze's ways are compared with each other */
    double value;    /* what it is plotted against */
    bool once;       /* building counts, too: it is asked one time only */
    bool not_quick;  /* left out of quick runs, unless asked for by name */
};

/* Families, each ended by a workload without a name. */
extern const lab_crowd_workload lab_boxes[];
extern const lab_crowd_workload lab_crossovers[];
extern const lab_crowd_workload lab_cages[];
extern const lab_crowd_workload lab_assemblies[];

bool lab_boxes_make(const lab_crowd_workload *workload, lab_crowd *out_crowd);
bool lab_assembly_make(const lab_crowd_workload *workload, lab_crowd *out_crowd);
bool lab_cage_make(const lab_crowd_workload *workload, lab_crowd *out_crowd);

/* Engines by number, NULL after the last; Graze comes first. Its other ways are those whose names begin with "graze-".
 */
const lab_crowd_peer *lab_crowd_peer_at(size_t index);
lab_role lab_crowd_role(const lab_crowd_peer *peer);

/* Graze's broad phases, its scenes, and whole assemblies. */
extern const lab_crowd_peer lab_crowds_assembly[];
extern const lab_crowd_peer lab_crowds_broad[];
extern const lab_crowd_peer lab_crowds_scene[];

/* Times two engines in turn, pass by pass, for about so many nanoseconds, and prints how much faster the second is.
   Only where frames come again. False when something failed. crowd_threads.c */
bool lab_compare_threads(lab_crowd *crowd, const lab_crowd_peer *one, const lab_crowd_peer *more, double budget);

/* Runs a workload and prints its table; false, after saying so, when something failed. */
bool lab_run_crowd(const lab_crowd_workload *workload, const lab_options *options, lab_report *report);

#endif
