/* SPDX-License-Identifier: MIT */
/*
 * Switches to the default floating-point environment: round to nearest, denormals kept, no traps. For work that
 * compares coordinates many times and is not called often; see docs/environments.md. Pair queries do not need it: their
 * error bounds hold in every environment.
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
    bool switched; /* only for grz_environment_enter_default, which may have nothing to restore */
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

/* Whether rounding mode and denormals are as by default; false where reading them is slow. */
static inline bool grz_environment_is_default(void)
{
#if defined(__SSE2__)
    /* shortcut: usual-environment */
    return (_mm_getcsr() & 0xe040u) == 0; /* rounding mode, flush-to-zero, denormals-are-zero */
#else
    return false;
#endif
}

/* For work that is called often: does nothing where the environment is the default one. */
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
