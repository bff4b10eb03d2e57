/* SPDX-License-Identifier: MIT */
/*
 * Workloads: what is measured. Each family is one file with a table; a workload is a maker of a case with its
 * numbers, and the questions asked of it.
 */
#ifndef LAB_WORKLOAD_H
#define LAB_WORKLOAD_H

#include "case.h"

typedef enum lab_question
{
    LAB_ANY = 1,      /* whether they meet */
    LAB_ALL = 2,      /* all pairs of triangles that meet */
    LAB_BUILD = 4,    /* how long making the tree of mesh a takes, and how large it is */
    LAB_DISTANCE = 8, /* how far they are apart, in LAB_DISTANCE_UNIT */
    LAB_CACHED = 16,  /* whether they meet, where Graze may remember what it found before */
    LAB_FRAME = 32    /* many things: moving what moves and naming all pairs that meet; see scene_workload.h */
} lab_question;

/* Those asked of two meshes. */
enum
{
    LAB_QUESTION_COUNT = 5
};

extern const lab_question lab_questions[LAB_QUESTION_COUNT];

/* "any", "all", ... */
const char *lab_question_name(lab_question question);

#define LAB_DISTANCE_UNIT 1e-9
#define LAB_DISTANCE_SLACK 1000 /* units that a distance may be off by: peers do not promise more */

typedef struct lab_workload lab_workload;

struct lab_workload
{
    const char *name; /* without the question, which follows after a slash where there are several */
    const char *what;
    unsigned questions; /* of lab_question */
    bool (*make)(const lab_workload *workload, bool quick, lab_case *out_case);
    double size, value; /* of the maker */
    bool one_frame;     /* peers without poses may take part, their placing not timed */
    bool not_quick;     /* left out of quick runs, unless asked for by name */
};

/* Families, each ended by a workload without a name. */
extern const lab_workload lab_flights[];
extern const lab_workload lab_spheres[];
extern const lab_workload lab_shells[];
extern const lab_workload lab_meshes[];
extern const lab_workload lab_mated[];
extern const lab_workload lab_builds[];
extern const lab_workload lab_distances[];

#endif
