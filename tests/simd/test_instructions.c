/* SPDX-License-Identifier: MIT */
/* Kernels of every kind are those of the instruction set that was chosen, where the processor has it. */
#include <stdio.h>

#include "simd/distance.h"
#include "simd/fit.h"
#include "simd/instructions.h"
#include "simd/kernels.h"
#include "simd/wide_bvh.h"
#include "support/unit.h"

static bool has(graze_instructions choice)
{
#if defined(__x86_64__)
    if (choice == GRAZE_INSTRUCTIONS_AVX512)
        return __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi2") &&
               __builtin_cpu_supports("fma");
    return choice != GRAZE_INSTRUCTIONS_AVX2 || (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"));
#else
    return choice == GRAZE_INSTRUCTIONS_SCALAR;
#endif
}

static void what_is_chosen_is_used(void **state)
{
    (void)state;
    static const char *const names[GRAZE_INSTRUCTIONS_COUNT] = {"", "scalar", "sse2", "avx2", "avx512"};
    graze_instructions best = GRAZE_INSTRUCTIONS_BEST;
    for (int i = GRAZE_INSTRUCTIONS_SCALAR; i < GRAZE_INSTRUCTIONS_COUNT; i++)
    {
        graze_instructions choice = (graze_instructions)i;
        best = has(choice) ? choice : best;
        assert_int_equal(grz_instructions_for(choice), best);
        assert_string_equal(grz_kernels_for(choice)->name, names[best]);
        assert_int_equal(grz_kernels_for(choice)->fused, best >= GRAZE_INSTRUCTIONS_AVX2);
        assert_string_equal(grz_distance_kernels_for(choice)->name, names[best]);
        assert_string_equal(grz_fit_kernels_for(choice)->name, names[best]);
        assert_string_equal(grz_wide_kernels_for(choice)->name, names[best]);
    }
    assert_int_equal(grz_instructions_for(GRAZE_INSTRUCTIONS_BEST), best);
    printf("the best here: %s\n", names[best]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_chosen_is_used)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
