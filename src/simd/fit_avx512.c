/* SPDX-License-Identifier: MIT */
/* The fitting kernels for avx512; compiled with the flags that the build sets for this file. */
#define GRZ_KERNELS grz_fit_kernels_avx512
#define GRZ_KERNELS_NAME "avx512"
#include "simd/fit_template.h"
