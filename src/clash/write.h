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

/* Counts of parts and pairs, as members of the open object. */
void grz_clash_json_counts(grz_json_writer *json, const graze_clash_counts *counts);

/* "exact" if both bounds are equal, else "bounded". */
const char *grz_clash_grade_of(const double interval[2]);

#endif
