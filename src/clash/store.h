/* SPDX-License-Identifier: MIT */
/* What a report owns besides its lists: the context, copies of the parts, texts. A report made by hand has no store. */
#ifndef GRZ_CLASH_STORE_H
#define GRZ_CLASH_STORE_H

#include "base/array.h"
#include "clash/interest.h"
#include "clash/parts.h"

typedef struct graze_clash_store
{
    graze_context context;
    graze_clash_part *parts;
    graze_clash_part_facts *facts;
    grz_clash_interest *interest; /* texts of ignored entries */
    GRZ_ARRAY(char *) texts;      /* of problems */
    size_t problem_capacity;
    size_t added; /* problems of the caller, which come first */
} graze_clash_store;

/* The context of a report, NULL without a store. */
const graze_context *grz_clash_context(const graze_clash_report *report);

/* Creates a report with a store; NULL when out of memory. */
graze_clash_report *grz_clash_report_create(const graze_context *context, const graze_clash_part *parts,
                                            size_t part_count);

/* Notes what was found out about the parts. */
void grz_clash_report_note_facts(graze_clash_report *report, const grz_clash_parts *parts);

/* Adds a problem at the end, with copies of its texts. False when out of memory. */
bool grz_clash_report_append_problem(graze_clash_report *report, const graze_clash_problem *problem);

#endif
