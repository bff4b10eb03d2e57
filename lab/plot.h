/* SPDX-License-Identifier: MIT */
/*
 * A small writer of line plots as SVG.
 */
#ifndef LAB_PLOT_H
#define LAB_PLOT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct lab_series
{
    const char *name;
    const double *x, *y;
    size_t count;
} lab_series;

typedef struct lab_plot
{
    const char *title, *x_label, *y_label;
    bool log_x, log_y; /* all values must be positive then */
    const lab_series *series;
    size_t series_count;
} lab_plot;

/* False when the file cannot be written; errno says why. */
bool lab_plot_write(const lab_plot *plot, const char *path);

#endif
