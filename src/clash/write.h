/* SPDX-License-Identifier: MIT */
/* Shared by all report writers (write_*.c). The same report gives the same bytes: documents do not depend on clocks or
 * threads. Names may hold any bytes and are escaped in every format. */
#ifndef GRZ_CLASH_WRITE_H
#define GRZ_CLASH_WRITE_H

#include "clash/report.h"
#include "text/json_writer.h"

/* Writes a document. Returns false when out of memory. */
typedef bool (*grz_clash_writer)(const graze_clash_report *report, grz_sink *out);

/* Runs a writer with the caller's function behind a buffer. */
graze_status grz_clash_write(const graze_clash_report *report, graze_clash_write_function write, void *user,
                             grz_clash_writer writer);

/* A member with numbers, or null if they are not there. */
void grz_clash_json_reals(grz_json_writer *json, const char *key, bool is_there, const double *numbers, size_t count);

/* A member with a list of two points. */
void grz_clash_json_points(grz_json_writer *json, const char *key, const double first[3], const double second[3]);

/* Measures that JSON and page write alike: depth, way out, gap, translation, volume, how resolution and tessellation
 * were considered, and times. */
void grz_clash_json_measures(grz_json_writer *json, const graze_clash_finding *finding);

/* "pairs": how many triangles are concerned, or null where there are none. */
void grz_clash_json_pairs(grz_json_writer *json, const graze_clash_finding *finding);

/* Reason, sagittas and open edges of the findings that have them. */
void grz_clash_json_remarks(grz_json_writer *json, const graze_clash_finding *finding);

/* The review of a finding with a state, or null without one. */
void grz_clash_json_review(grz_json_writer *json, const graze_clash_review *review, const char *state);

/* The name of the verdict that holds for resolution 0: that of the verdict, "apart" for none. */
const char *grz_clash_exact_name(const graze_clash_finding *finding);

/* The locations of a finding: those of its details, or one that is made from the finding, or none. */
size_t grz_clash_locations(const graze_clash_finding *finding, graze_clash_location *own,
                           const graze_clash_location **out_locations);

/* A location's members, into the open object. */
void grz_clash_json_location(grz_json_writer *json, const graze_clash_location *location);

/* Counts of parts and pairs, as members of the open object. */
void grz_clash_json_counts(grz_json_writer *json, const graze_clash_counts *counts);

/* "exact", "bounded" where it may be a stronger one, or "estimated". */
const char *grz_clash_verdict_grade(const graze_clash_finding *finding);

/* "exact" if both bounds are equal, else "bounded". */
const char *grz_clash_grade_of(const double interval[2]);

#endif
