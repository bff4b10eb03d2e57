/* SPDX-License-Identifier: MIT */
/* The kernels of wide trees for avx512; compiled with the flags that the build sets for this file. */
#define GRZ_KERNELS grz_wide_kernels_avx512
#define GRZ_KERNELS_NAME "avx512"
#include "simd/wide_bvh_template.h"
