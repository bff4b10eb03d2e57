/* SPDX-License-Identifier: MIT */
/*
 * A small writer of line plots as SVG.
 */
#ifndef LAB_PLOT_H
#define LAB_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct lab_series
{
    const char *name;
    const double *x, *y;
    size_t count;
    bool is_guide; /* dashed and grey: not measured, for comparison */
} lab_series;

typedef struct lab_plot
{
    const char *title, *subtitle, *x_label;
    const char *y_label; /* NULL: the time of a query */
    bool log_x;          /* all x must be positive then */
    bool is_plain;       /* y are numbers, not times */
    const lab_series *series;
    size_t series_count; /* at most LAB_MOST_SERIES */
    const double *marks; /* x of marks along the upper edge */
    size_t mark_count;
    const char *mark_name;
} lab_plot;

enum
{
    LAB_MOST_SERIES = 20
};

/* y are times in nanoseconds, or plain numbers, all positive, on a logarithmic axis. */
void lab_plot_draw(const lab_plot *plot, FILE *file);

/* The same into a file of its own. False when the file cannot be written; errno has the reason. */
bool lab_plot_write(const lab_plot *plot, const char *path);

#endif
