/* SPDX-License-Identifier: MIT */
/* Floating-point environments; see environment.h. */
#include "support/environment.h"

#if defined(__SSE2__)
#include <xmmintrin.h>

enum
{
    FLUSH_RESULTS = 0x8000, /* bits of MXCSR */
    OPERANDS_ARE_ZERO = 0x0040
};
#endif

static const int rounding_modes[ROUNDING_MODES] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

void environment_enter(saved_environment *saved, int number)
{
    fegetenv(&saved->floating);
    saved->control = 0;
    fesetround(rounding_modes[number / 2 % ROUNDING_MODES]);
#if defined(__SSE2__)
    saved->control = _mm_getcsr();
    if (number % 2 != 0)
        _mm_setcsr(saved->control | FLUSH_RESULTS | OPERANDS_ARE_ZERO);
#endif
}

void environment_leave(const saved_environment *saved)
{
#if defined(__SSE2__)
    _mm_setcsr(saved->control);
#endif
    fesetenv(&saved->floating);
}

const char *environment_name(int number)
{
    static const char *const names[ENVIRONMENTS] = {
        "to nearest", "to nearest, flushing", "upward",      "upward, flushing",
        "downward",   "downward, flushing",   "toward zero", "toward zero, flushing"};
    return names[number % ENVIRONMENTS];
}
