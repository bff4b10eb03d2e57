/* SPDX-License-Identifier: MIT */
#ifndef LAB_CONTINUOUS_H
#define LAB_CONTINUOUS_H

#include <stdbool.h>

/* graze-lab continuous [WORKLOAD] [--quick] [--json FILE] | --plot FILE.svg; the exit code. */
int lab_continuous(int argument_count, char **arguments);

/* Two spheres that pass one another at ever smaller gaps: prints the times, and draws them. continuous_gap.c */
bool lab_continuous_gap(const char *svg);

#endif
