/* SPDX-License-Identifier: MIT */
/* How long an application's calls to the concurrent detector take. */
#ifndef LAB_CONCURRENT_H
#define LAB_CONCURRENT_H

#include <stdbool.h>

/* Runs, prints, and writes JSON where a path is given. Returns the exit code. */
int lab_concurrent(bool quick, const char *json_path);

#endif
