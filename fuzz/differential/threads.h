/* SPDX-License-Identifier: MIT */
/* The threads of a few inputs. */
#ifndef FUZZ_THREADS_H
#define FUZZ_THREADS_H

#include "graze/tasks.h"

/* Two threads, made when they are first needed. With GRAZE_FUZZ_ONE_THREAD in the environment the calling one alone:
 * what is covered does not depend on chance then. */
graze_tasks fuzz_threads(void);

#endif
