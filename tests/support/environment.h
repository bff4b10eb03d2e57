/* SPDX-License-Identifier: MIT */
/* Floating-point environments: rounding modes, and denormals flushed to zero. */
#ifndef SUPPORT_ENVIRONMENT_H
#define SUPPORT_ENVIRONMENT_H

#include <fenv.h>
#include <stdbool.h>

enum
{
    ROUNDING_MODES = 4,
    ENVIRONMENTS = 2 * ROUNDING_MODES /* each mode with denormals (even numbers) and with flushing (odd ones) */
};

typedef struct saved_environment
{
    fenv_t floating;
    unsigned control;
} saved_environment;

/* Environment 0 is the default. Where the machine cannot flush denormals the odd ones equal the even ones. */
void environment_enter(saved_environment *saved, int number);
void environment_leave(const saved_environment *saved);
const char *environment_name(int number);

#endif
