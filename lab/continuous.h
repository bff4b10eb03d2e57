/* SPDX-License-Identifier: MIT */
#ifndef LAB_CONTINUOUS_H
#define LAB_CONTINUOUS_H

#include <stdbool.h>

/* graze-lab continuous [WORKLOAD] [--quick] [--json FILE] | --methods [--quick] | --plot FILE.svg; the exit code. */
int lab_continuous(int argument_count, char **arguments);

/* Two spheres that pass one another at ever smaller gaps: prints the times, and draws them. continuous_gap.c */
bool lab_continuous_gap(const char *svg);

/* The literature's methods for moving meshes: prints a table; false where one is wrong. continuous_methods.c */
bool lab_continuous_methods(bool quick);

#endif
