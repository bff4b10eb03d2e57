/* SPDX-License-Identifier: MIT */
/*
 * Parts as the engine sees them, limits of a pair, and what all steps need of reports: names, ids, order. engine.c
 * finds clashes; rules.h has the rules; baseline.h compares with an earlier report; write_*.c write.
 */
#ifndef GRZ_CLASH_REPORT_H
#define GRZ_CLASH_REPORT_H

#include "base/memory.h"
#include "graze/clash.h"

/* A part that is ready for tests. */
typedef struct grz_clash_part
{
    const char *name, *file, *parent; /* none is NULL */
    graze_placed_mesh placed;
    bool is_shape;               /* no mesh says all of it: it is tested as a shape, and the mesh above is empty */
    graze_placed placed_shape;   /* of such a part; of others, where a pair with one needs it; else without a shape */
    double lower[3], upper[3];   /* AABB in the world, rounded outward: */
    double slack[3];             /* by at most this, at each bound */
    const graze_motion *motions; /* from frame to frame, motion_count of them; NULL: it stays */
    uint32_t motion_count;
    uint32_t group;    /* parts of one group but 0 move as one rigid body */
    graze_box swept;   /* AABB over all frames */
    double resolution; /* of its coordinates; 0: they are taken at face value */
    bool is_surface;   /* meant to have no inside, by its flags, the rules or the options */
    size_t triangle_count;
    size_t own_triangles; /* of these, how many are the part's own: a box has none */
    bool closed;
    const struct graze_body *body; /* graze/depth.h */
    bool in_a, in_b;               /* member of the two sets; both true without them */
    uint32_t link;                 /* the part of its parent node + 1; 0: none. See hierarchy.h */
    uint32_t assembly;             /* number of its top node, from 1; 0: none */
} grz_clash_part;

/* The box of a finding without a contact. */
#define GRZ_CLASH_NO_BOX ((graze_box){{1, 0, 0}, {0, 0, 0}})

/* The limits of a pair, each with the rule that states it ("default", "--clearance", "rules.json: limits[2]"...). */
typedef struct grz_clash_limits
{
    bool ignored;
    size_t ignored_index; /* among the entries of "ignore" */
    const char *ignored_by, *reason;
    double clearance;
    bool allow_touch;
    double max_depth;
    const char *clearance_rule, *touch_rule, *depth_rule;
    graze_clash_severity severity[GRAZE_CLASH_VERDICT_COUNT]; /* by verdict */
    bool is_severity_ruled[GRAZE_CLASH_VERDICT_COUNT];        /* by an entry of the rules */
} grz_clash_limits;

bool grz_clash_verdict_from_name(const char *name, graze_clash_verdict *out_verdict);

/* "clean", "passed", "failed", "incomplete", "nothing". */
const char *grz_clash_outcome_name(graze_clash_outcome outcome);

/* The id of a finding about two parts, in any order; of a self-intersection the same name twice. */
void grz_clash_make_id(const char *a, const char *b, char out_id[17]);

/* Sorts findings for the report: most severe first, then deepest, closest, and by names, bytewise. False when out of
 * memory. */
bool grz_clash_sort_findings(const graze_context *context, graze_clash_report *report);

/* Sorts undecided pairs by names. False when out of memory. */
bool grz_clash_sort_undecided(const graze_context *context, graze_clash_report *report);

/* The details of a finding, made if there are none yet; NULL when out of memory. */
graze_clash_details *grz_clash_need_details(const graze_context *context, graze_clash_finding *finding);

/* Releases what a finding owns: region, set and details. */
void grz_clash_release_finding(const graze_context *context, graze_clash_finding *finding);

/* Releases findings and lists, not what the store owns. */
void grz_clash_report_release(const graze_context *context, graze_clash_report *report);

#endif
