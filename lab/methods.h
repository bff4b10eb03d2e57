/* SPDX-License-Identifier: MIT */
#ifndef LAB_METHODS_H
#define LAB_METHODS_H

#include <stdbool.h>

/* graze-lab methods [--json FILE] [--plots FOLDER]; the exit code. */
int lab_methods(int argument_count, char **arguments);

/* Times against sizes, into plot-methods-surfaces.svg and plot-methods-convex.svg; method_plots.c. */
bool lab_plot_methods(const char *folder);

#endif
