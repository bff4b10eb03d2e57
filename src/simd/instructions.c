/* SPDX-License-Identifier: MIT */
/* Instruction sets of the processor; see instructions.h. */
#include "simd/instructions.h"

#include <stdbool.h>

graze_instructions grz_instructions_for(graze_instructions choice)
{
#if defined(GRAZE_X86)
    if (choice == GRAZE_INSTRUCTIONS_BEST)
        choice = GRAZE_INSTRUCTIONS_AVX512;
    bool fused = __builtin_cpu_supports("fma") != 0; /* every processor with AVX2 has it, but not every virtual one */
    if (choice >= GRAZE_INSTRUCTIONS_AVX512 && fused && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vbmi2"))
        return GRAZE_INSTRUCTIONS_AVX512;
    if (choice >= GRAZE_INSTRUCTIONS_AVX2 && fused && __builtin_cpu_supports("avx2"))
        return GRAZE_INSTRUCTIONS_AVX2;
    return choice >= GRAZE_INSTRUCTIONS_SSE2 ? GRAZE_INSTRUCTIONS_SSE2 : GRAZE_INSTRUCTIONS_SCALAR;
#else
    (void)choice;
    return GRAZE_INSTRUCTIONS_SCALAR;
#endif
}
