/* SPDX-License-Identifier: MIT */
/* Latency of an application's calls to the concurrent detector. */
#ifndef LAB_CONCURRENT_H
#define LAB_CONCURRENT_H

#include <stdbool.h>

/* Runs, prints, and writes JSON if a path is given. Returns the exit code. */
int lab_concurrent(bool quick, const char *json_path);

#endif
