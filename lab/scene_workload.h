/* SPDX-License-Identifier: MIT */
/*
 * Scene workloads: many moving objects, frame by frame, and the pairs of them that collide in each, instead of two
 * meshes at many poses. Frames are generated as needed, and those of boxes never repeat, so that no engine can learn
 * them and motion stays smooth for as long as an engine is timed. Each engine sees the same frames from the first one
 * on.
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
    void *state;   /* of the generator */
    size_t period; /* number of frames after which they repeat, which makes them a pass; 0: they never repeat */

    /* Back to before the first frame; on to the next one. False when out of memory. */
    bool (*rewind)(lab_scene *scene);
    bool (*next)(lab_scene *scene);

    /* All pairs that collide now, sorted, found by a method that no engine uses. False when out of memory. */
    bool (*exact)(const lab_scene *scene, lab_pairs *out_pairs);
    void (*clear)(lab_scene *scene);
};

struct lab_scene_workload
{
    const char *name;
    const char *what;
    bool (*make)(const lab_scene_workload *workload, lab_scene *out_scene);
    size_t count;    /* number of objects */
    double share;    /* share of them that move */
    double overlaps; /* mean number of others that an object overlaps */
    bool jumps;      /* to random positions in every frame */
    bool ours_only;  /* no peers: Graze's variants are compared with each other */
    double value;    /* x coordinate in plots */
    bool once;       /* building counts, too: there is only one query */
    bool not_quick;  /* skipped in quick runs, unless named */
};

/* Families, each terminated by a workload without a name. */
extern const lab_scene_workload lab_boxes[];
extern const lab_scene_workload lab_crossovers[];
extern const lab_scene_workload lab_cages[];
extern const lab_scene_workload lab_assemblies[];
extern const lab_scene_workload lab_primitives[];

bool lab_boxes_make(const lab_scene_workload *workload, lab_scene *out_scene);
bool lab_assembly_make(const lab_scene_workload *workload, lab_scene *out_scene);
bool lab_primitives_make(const lab_scene_workload *workload, lab_scene *out_scene);
bool lab_cage_make(const lab_scene_workload *workload, lab_scene *out_scene);

/* Engines by index, NULL after the last; Graze comes first. Its variants have names that begin with "graze-". */
const lab_scene_peer *lab_scene_peer_at(size_t index);
lab_role lab_scene_role(const lab_scene_peer *peer);

/* Graze's broad phases, its scenes, and whole assemblies. */
extern const lab_scene_peer lab_assemblies_graze[];
extern const lab_scene_peer lab_broad_graze[];
extern const lab_scene_peer lab_scenes_graze[];
extern const lab_scene_peer lab_primitives_graze[];

/* Times two engines in turn, pass by pass, for about `budget` nanoseconds, and prints how much faster the second is.
 * Only for frames that repeat. False when something failed. scene_threads.c */
bool lab_compare_threads(lab_scene *scene, const lab_scene_peer *one, const lab_scene_peer *more, double budget);

/* Runs a workload and prints its table; prints errors and returns false when something failed. */
bool lab_run_scene(const lab_scene_workload *workload, const lab_options *options, lab_report *report);

#endif
