/* SPDX-License-Identifier: MIT */
/*
 * What was measured: rows, one for each engine and workload; as a table on the terminal, as JSON, as plots.
 */
#ifndef LAB_REPORT_H
#define LAB_REPORT_H

#include <stdio.h>

#include "agreement.h"
#include "timing.h"

/* Whose time a row tells. */
typedef enum lab_role
{
    LAB_PEER,   /* somebody else's */
    LAB_GRAZE,  /* Graze's, as it is by default: what the others are compared with */
    LAB_VARIANT /* Graze's in another way: a method that was chosen, more threads */
} lab_role;

typedef struct lab_row
{
    char name[96]; /* of the workload, with its question */
    const char *what;
    double value; /* of the workload */
    lab_question question;
    const char *engine;
    lab_role role;
    double ns;                 /* of a query, a build or a frame; 0: not timed, as it gave up */
    double ratio_to_best_peer; /* the best peer's time / this one's; 0 when there is no peer */
    double build_ns, bytes_per_triangle;
    size_t triangles[2];
    lab_times times; /* queries only, as are the next four */
    bool *met;       /* Graze only: whether the meshes meet at each pose; owned, may be NULL */
    lab_agreement agreement;
    size_t swept;          /* poses at which the exact sweep was asked */
    graze_stats cost;      /* Graze only, in sum over all poses */
    lab_tree_report tree;  /* Graze's builds only */
    size_t things, movers; /* frames only: how many there are, and how many of them move */
    double bytes_per_thing;
} lab_row;

typedef struct lab_report
{
    lab_row *rows;
    size_t count, capacity;
} lab_report;

/* Takes the row over, with the arrays in it; of an engine's rows for one workload the fastest stays. False when out of
   memory. */
bool lab_report_add(lab_report *report, const lab_row *row);
void lab_report_clear(lab_report *report);

bool lab_row_agrees(const lab_row *row);

/* The fastest peer of the workload that has this name, or NULL. Only those count that are right about whether the
   meshes meet at every pose (whether they also find all pairs is another matter), or miss no pair in any frame. */
const lab_row *lab_report_best_peer(const lab_report *report, const char *name);

/* The same among the peers whose names begin with `prefix`. */
const lab_row *lab_report_best_peer_of(const lab_report *report, const char *name, const char *prefix);

/* Works out the ratios of the workload with this name and prints its rows. */
void lab_report_print_workload(lab_report *report, const char *name);

/* One line for each workload: Graze against the best peer. */
void lab_report_print_summary(const lab_report *report);

/* Graze's row of the workload that has this name, or NULL. */
const lab_row *lab_report_find_graze(const lab_report *report, const char *name);

/* 950 ns, 12.3 us, 4.56 ms: four digits at most. Gives `text`. */
const char *lab_print_time(double ns, char text[16]);

/* The time of one pair in a query for all of them. */
double lab_row_ns_per_pair(const lab_row *row);

/* What report_frames.c does of the tables and the JSON; `graze` is the row they are compared with. */
void lab_print_frame_head(const lab_row *graze);
void lab_print_frame_row(const lab_row *row, const lab_row *graze);
void lab_write_frame_facts(FILE *file, const lab_row *row);

/* All of these say on stderr what went wrong. */
bool lab_report_write_json(const lab_report *report, const char *path);
bool lab_report_write_table(const lab_report *report, const char *path);
bool lab_report_write_plots(const lab_report *report, const char *folder);

#endif
