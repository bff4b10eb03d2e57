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

/*
 * The same by what sums give, for calls of some 100 ns: reading the control register waits for all arithmetic under
 * way. Denormal is only one result: no operand but that of the comparison, which takes no longer for it.
 *
 * With t = 2^-60: 1 + t is 1 unless rounded upwards, 1 - t unless rounded downwards or towards 0. The difference of
 * 1.5 2^-1022 and 2^-1022 is 2^-1023, or 0 where results are flushed; it equals 0 where operands are taken for zero.
 */
static inline bool grz_environment_sums_as_default(void)
{
#if defined(__SSE2__) && defined(__GNUC__)
    double one = 1, little = 0x1p-60, least = 0x1p-1022, more = 0x1.8p-1022;
    __asm__ volatile("" : "+x"(one), "+x"(little), "+x"(least), "+x"(more)); /* not to be computed by the compiler */
    /* shortcut: usual-sums */
    return one + little == one && one - little == one && more - least != 0;
#else
    return grz_environment_is_default();
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
