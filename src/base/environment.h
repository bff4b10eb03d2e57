/* SPDX-License-Identifier: MIT */
/*
 * The usual floating-point environment for a while: rounding to nearest, denormals kept, no traps. For work that
 * compares coordinates many times and is not called often; see docs/environments.md. Queries of pairs do without: their
 * bounds hold in every environment.
 */
#ifndef GRZ_BASE_ENVIRONMENT_H
#define GRZ_BASE_ENVIRONMENT_H

#include <fenv.h>
#include <stdbool.h>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

typedef struct grz_environment
{
    fenv_t callers;
    bool switched; /* of those that are entered only where they are others */
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

/* Whether rounding and denormals are as usual; false where it cannot be told in a moment. */
static inline bool grz_environment_is_default(void)
{
#if defined(__SSE2__)
    /* shortcut: usual-environment */
    return (_mm_getcsr() & 0xe040u) == 0; /* the mode of rounding, results flushed, operands taken for zero */
#else
    return false;
#endif
}

/* For work that is called often: nothing is done where the environment is the usual one. */
static inline void grz_environment_enter_default(grz_environment *environment)
{
    environment->switched = !grz_environment_is_default();
    if (environment->switched)
        grz_environment_enter(environment);
}

static inline void grz_environment_leave_default(const grz_environment *environment)
{
    if (environment->switched)
        grz_environment_leave(environment);
}

#endif
