/* SPDX-License-Identifier: MIT */
/*
 * The usual floating-point environment for a while: rounding to nearest, denormals kept, no traps. For work that
 * compares coordinates many times and is not called often; see docs/environments.md. Queries of pairs do without: their
 * bounds hold in every environment.
 */
#ifndef GRZ_BASE_ENVIRONMENT_H
#define GRZ_BASE_ENVIRONMENT_H

#include <fenv.h>

typedef struct grz_environment
{
    fenv_t callers;
} grz_environment;

static inline void grz_environment_enter(grz_environment *environment)
{
    fegetenv(&environment->callers);
    fesetenv(FE_DFL_ENV);
}

static inline void grz_environment_leave(const grz_environment *environment)
{
    fesetenv(&environment->callers);
}

#endif
