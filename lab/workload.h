/* SPDX-License-Identifier: MIT */
/*
 * Workloads. Each family is one file with a table; a workload is a generator of a case with its parameters, and the
 * questions asked of it.
 */
#ifndef LAB_WORKLOAD_H
#define LAB_WORKLOAD_H

#include "case.h"

typedef enum lab_question
{
    LAB_ANY = 1,      /* whether the meshes collide */
    LAB_ALL = 2,      /* all pairs of intersecting triangles */
    LAB_BUILD = 4,    /* time to build the tree of mesh a, and its size */
    LAB_DISTANCE = 8, /* distance, in LAB_DISTANCE_UNIT */
    LAB_CACHED = 16,  /* whether they collide, with Graze's cache from pose to pose */
    LAB_FRAME = 32    /* scene workloads: moves objects and reports all colliding pairs; see scene_workload.h */
} lab_question;

/* The questions about two meshes. */
enum
{
    LAB_QUESTION_COUNT = 5
};

extern const lab_question lab_questions[LAB_QUESTION_COUNT];

/* "any", "all", ... */
const char *lab_question_name(lab_question question);

#define LAB_DISTANCE_UNIT 1e-9
#define LAB_DISTANCE_SLACK 1000 /* allowed error of a distance, in units: peers do not promise more */

typedef struct lab_workload lab_workload;

struct lab_workload
{
    const char *name; /* without the question, which follows after a slash where there are several */
    const char *what;
    unsigned questions; /* of lab_question */
    bool (*make)(const lab_workload *workload, bool quick, lab_case *out_case);
    double size, value; /* parameters of the generator */
    bool one_frame;     /* peers without poses may take part; their placing is not timed */
    bool not_quick;     /* skipped in quick runs, unless named */
};

/* Families, each terminated by a workload without a name. */
extern const lab_workload lab_flights[];
extern const lab_workload lab_spheres[];
extern const lab_workload lab_shells[];
extern const lab_workload lab_meshes[];
extern const lab_workload lab_mated[];
extern const lab_workload lab_builds[];
extern const lab_workload lab_distances[];

#endif
