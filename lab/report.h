/* SPDX-License-Identifier: MIT */
/*
 * Results: rows, one for each engine and workload; as a table on the terminal, as JSON, as plots.
 */
#ifndef LAB_REPORT_H
#define LAB_REPORT_H

#include <stdio.h>

#include "agreement.h"
#include "timing.h"

/* Whose time a row has. */
typedef enum lab_role
{
    LAB_PEER,   /* another library */
    LAB_GRAZE,  /* Graze with default settings: the reference of comparisons */
    LAB_VARIANT /* Graze with other settings: a chosen method, more threads */
} lab_role;

typedef struct lab_row
{
    char name[96]; /* of the workload, with its question */
    const char *what;
    double value; /* of the workload */
    lab_question question;
    const char *engine;
    lab_role role;
    double ns;                 /* of a query, a build or a frame; 0: not timed, since it gave up */
    double ratio_to_best_peer; /* the best peer's time / this one's; 0 without a peer */
    double build_ns, bytes_per_triangle;
    size_t triangles[2];
    lab_times times; /* queries only, as are the next four */
    bool *met;       /* Graze only: whether the meshes collide at each pose; owned, may be NULL */
    lab_agreement agreement;
    size_t swept;          /* poses at which the exact sweep was asked */
    graze_stats cost;      /* Graze only, summed over all poses */
    lab_tree_report tree;  /* Graze's builds only */
    size_t things, movers; /* frames only: number of objects, and of moving ones */
    double bytes_per_thing;
} lab_row;

typedef struct lab_report
{
    lab_row *rows;
    size_t count, capacity;
} lab_report;

/* Takes ownership of the row with its arrays; of an engine's rows for one workload the fastest is kept. False when out
 * of memory. */
bool lab_report_add(lab_report *report, const lab_row *row);
void lab_report_clear(lab_report *report);

bool lab_row_agrees(const lab_row *row);

/* The fastest peer of the workload with this name, or NULL. Only peers count that are right at every pose about whether
 * the meshes collide (whether they find all pairs is another matter), or miss no pair in any frame. */
const lab_row *lab_report_best_peer(const lab_report *report, const char *name);

/* The same among the peers whose names begin with `prefix`. */
const lab_row *lab_report_best_peer_of(const lab_report *report, const char *name, const char *prefix);

/* Computes the ratios of the workload with this name and prints its rows. */
void lab_report_print_workload(lab_report *report, const char *name);

/* One line for each workload: Graze against the best peer. */
void lab_report_print_summary(const lab_report *report);

/* Graze's row of the workload with this name, or NULL. */
const lab_row *lab_report_find_graze(const lab_report *report, const char *name);

/* 950 ns, 12.3 us, 4.56 ms: four digits at most. Returns `text`. */
const char *lab_print_time(double ns, char text[16]);

/* Time per pair of an `all` query. */
double lab_row_ns_per_pair(const lab_row *row);

/* Implemented in report_frames.c: its part of tables and JSON; `graze` is the row to compare with. */
void lab_print_frame_head(const lab_row *graze);
void lab_print_frame_row(const lab_row *row, const lab_row *graze);
void lab_write_frame_facts(FILE *file, const lab_row *row);

/* All of these print errors on stderr. */
bool lab_report_write_json(const lab_report *report, const char *path);
bool lab_report_write_table(const lab_report *report, const char *path);
bool lab_report_write_plots(const lab_report *report, const char *folder);

#endif
