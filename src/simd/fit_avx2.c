/* SPDX-License-Identifier: MIT */
/* The fitting kernels for avx2; compiled with the flags that the build sets for this file. */
#define GRZ_KERNELS grz_fit_kernels_avx2
#define GRZ_KERNELS_NAME "avx2"
#include "simd/fit_template.h"
