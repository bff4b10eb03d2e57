/* SPDX-License-Identifier: MIT */
/* The kernels for AVX-512; compiled with the flags that the build sets for this file. */
#define GRZ_FUSED 1
#define GRZ_KERNELS grz_kernels_avx512
#define GRZ_KERNELS_NAME "avx512"
#include "simd/kernels_template.h"
