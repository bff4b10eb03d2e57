/* SPDX-License-Identifier: MIT */
/*
 * The second kind of workload: not two meshes at many poses, but many things that move, frame by frame, and the pairs
 * of them that meet in each. Frames are made as they are needed, and boxes' never come again, so that no engine can
 * learn them and motion stays smooth for as long as an engine is timed. Each engine sees the same frames from the first
 * one on.
 */
#ifndef LAB_SCENE_WORKLOAD_H
#define LAB_SCENE_WORKLOAD_H

#include "peers/scene_peer.h"
#include "run.h"

typedef struct lab_scene lab_scene;
typedef struct lab_scene_workload lab_scene_workload;

struct lab_scene
{
    lab_scene_view view;
    void *state;   /* of the maker */
    size_t period; /* after so many frames they come again, which makes them a pass; 0: they never do */

    /* Back to before the first frame; on to the next one. False when out of memory. */
    bool (*rewind)(lab_scene *scene);
    bool (*next)(lab_scene *scene);

    /* All pairs that meet now, sorted, found in another way than any engine's. False when out of memory. */
    bool (*exact)(const lab_scene *scene, lab_pairs *out_pairs);
    void (*clear)(lab_scene *scene);
};

struct lab_scene_workload
{
    const char *name;
    const char *what;
    bool (*make)(const lab_scene_workload *workload, lab_scene *out_scene);
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
extern const lab_scene_workload lab_boxes[];
extern const lab_scene_workload lab_crossovers[];
extern const lab_scene_workload lab_cages[];
extern const lab_scene_workload lab_assemblies[];

bool lab_boxes_make(const lab_scene_workload *workload, lab_scene *out_scene);
bool lab_assembly_make(const lab_scene_workload *workload, lab_scene *out_scene);
bool lab_cage_make(const lab_scene_workload *workload, lab_scene *out_scene);

/* Engines by number, NULL after the last; Graze comes first. Its other ways are those whose names begin with "graze-".
 */
const lab_scene_peer *lab_scene_peer_at(size_t index);
lab_role lab_scene_role(const lab_scene_peer *peer);

/* Graze's broad phases, its scenes, and whole assemblies. */
extern const lab_scene_peer lab_assemblies_graze[];
extern const lab_scene_peer lab_broad_graze[];
extern const lab_scene_peer lab_scenes_graze[];

/* Times two engines in turn, pass by pass, for about so many nanoseconds, and prints how much faster the second is.
   Only where frames come again. False when something failed. scene_threads.c */
bool lab_compare_threads(lab_scene *scene, const lab_scene_peer *one, const lab_scene_peer *more, double budget);

/* Runs a workload and prints its table; false, after saying so, when something failed. */
bool lab_run_scene(const lab_scene_workload *workload, const lab_options *options, lab_report *report);

#endif
