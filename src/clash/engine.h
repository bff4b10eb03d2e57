/* SPDX-License-Identifier: MIT */
/* From parts and rules to findings: broad phase, separating planes and narrow phase, on any number of threads. */
#ifndef GRZ_CLASH_ENGINE_H
#define GRZ_CLASH_ENGINE_H

#include "base/shared_monitor.h"
#include "clash/interest.h"
#include "clash/parts.h"
#include "clash/rules.h"

typedef struct grz_clash_request
{
    const graze_context *context;
    graze_error *error; /* may be NULL */
    const grz_clash_part *parts;
    size_t part_count;
    grz_clash_parts
        *owner; /* owner of the parts, which builds the trees that are needed; NULL: the parts are complete */
    const grz_clash_rules *rules;
    const grz_clash_interest *interest; /* of scenes; NULL: none */
    bool regions;                       /* compute the intersection of parts that meet as geometry */
    bool self;                          /* test parts for self-intersection */
    bool tessellation;                  /* tell crossings that are no deeper than the sagittas of facets */
    bool assume_closed;                 /* decide what is inside an open part by its winding number */
    uint32_t frame_count;               /* of a run through time; 0: nothing moves */
    grz_shared_monitor *monitor;        /* NULL: no budget */
    graze_clash_progress_function progress;
    void *progress_user;
} grz_clash_request;

/* Counts possible, ignored, culled and remaining pairs, and runs a sample of them to estimate the seconds that all take
 * on one thread. `report` has its parts. */
graze_status grz_clash_estimate(const grz_clash_request *request, graze_clash_report *report, double *out_seconds);

/* Finds all clashes; fills counts, findings and ignored entries of the report, which has its parts. Release in any
 * case. */
graze_status grz_clash_find(const grz_clash_request *request, graze_clash_report *report);

/* What open parts and facets make of a finding, and its severity. */
graze_status grz_clash_judge(const grz_clash_request *request, const grz_clash_part *a, const grz_clash_part *b,
                             const grz_clash_limits *limits, graze_clash_finding *finding);

#endif
