/* SPDX-License-Identifier: MIT */
/*
 * The experiments of the literature, regenerated: `graze-lab literature`. printed.c has what the documents print;
 * experiments measure the same cells with Graze's methods (graze/method.h), and a cell that none measures is said to be
 * lost or waiting. To add an experiment: its cells in printed.c, a file like nested_spheres.c, a line in literature.c.
 */
#ifndef LAB_LITERATURE_H
#define LAB_LITERATURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "graze/graze.h"

/* What a cell is and how it is compared: counts of the same definition, error rates over poses of the same kind, bytes
   by formula, or ratios of times within one run; times themselves never. Lost: there is no printed number, or none that
   ours could be compared with. */
typedef enum lit_compare
{
    LIT_COUNT,
    LIT_ERROR,
    LIT_BYTES,
    LIT_RATIO,
    LIT_LOST
} lit_compare;

typedef struct lit_printed
{
    const char *id, *cell;
    double printed; /* NaN: the number is lost */
    lit_compare compare;
    double low, high; /* ours : printed must lie between these; 0 and 0: no tolerance is stated */
    const char
        *base; /* of a ratio: the cell of the same experiment that both are divided by; NULL: the number is one */
    const char *note;
} lit_printed;

extern const lit_printed lit_printed_cells[];
extern const size_t lit_printed_count;

/* A number that the documents do not print, or whose curve is lost. */
typedef struct lit_own
{
    char cell[96];
    const char *id, *note;
    double ours;
} lit_own;

enum
{
    LIT_MOST_OWN = 512
};

/* What was measured. */
typedef struct lit_run
{
    bool quick, failed;
    double *measured; /* by printed cell; NaN: not yet */
    lit_own *own;
    size_t own_count;
} lit_run;

/* Enters the number of a cell, whose name is formatted. A cell that printed.c does not have is a mistake of the
 * experiment: the run fails. */
void lit_measure(lit_run *run, const char *id, double ours, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Enters a number beside which nothing is printed: the axes of a lost curve, or counts of ours. */
void lit_add(lit_run *run, const char *id, const char *note, double ours, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

typedef struct lit_experiment
{
    const char *ids;  /* separated by blanks */
    const char *what; /* one paragraph for the page */
    bool (*run)(lit_run *run);
} lit_experiment;

bool lit_nested_spheres(lit_run *run); /* nested_spheres.c: 001/table-6, table-7 */
bool lit_memory(lit_run *run);         /* memory.c: 001/memory, 003/flops */
bool lit_flight_costs(lit_run *run);   /* flight_costs.c: 001/table-1, formula, prose */
bool lit_flights(lit_run *run);        /* flights.c: 001/table-2 to 5, figure-3 */
bool lit_planes(lit_run *run);         /* planes.c: 000/planes-start, planes-eta, planes-relax */
bool lit_clip(lit_run *run);           /* clip.c: 000/clip, clip-checks */
bool lit_box_tree(lit_run *run);       /* box_tree.c: 000/box-tree, box-tree-depth */
bool lit_pre_checks(lit_run *run);     /* pre_checks.c: 000/pre-checks */
bool lit_point_in_polygon(lit_run *run);
bool lit_monte_carlo(lit_run *run);
bool lit_edge_list(lit_run *run);
bool lit_octree(lit_run *run);      /* octree.c: 000/octree-pointers, octree-memory, octree-time */
bool lit_octree_dops(lit_run *run); /* octree_dops.c: 000/octree-dops */
bool lit_grid(lit_run *run);        /* grid.c: 000/grid-time, grid-memory, grid-oriented */
bool lit_grid_tetrahedra(lit_run *run);
bool lit_grid_exact(lit_run *run);
bool lit_grid_one_mover(lit_run *run); /* grid_exact.c */
bool lit_threads(lit_run *run);        /* threads.c: 000/coarse, medium, dual */
bool lit_fine_grain(lit_run *run);     /* fine_grain.c: 000/fine */
bool lit_cars(lit_run *run);           /* cars.c: 002/table-2 */
bool lit_patch_limits(lit_run *run);   /* patch_limits.c: 002/table-3 */
bool lit_slides(lit_run *run);         /* slides.c: 003/box-trees, time-error */

/* plots.c: the plots of some experiments into a page, and all of them into files plot-NAME.svg of a folder. */
void lit_draw_plots(const lit_run *run, const char *ids, FILE *file);
bool lit_write_plots(const lit_run *run, const char *folder);

/* graze-lab literature [ID...] [--quick] [--json FILE] [--html FILE] [--plots FOLDER]; the exit code. */
int lab_literature(int argument_count, char **arguments);

#endif
