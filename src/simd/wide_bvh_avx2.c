/* SPDX-License-Identifier: MIT */
/* The kernels of wide trees for avx2; compiled with the flags that the build sets for this file. */
#define GRZ_KERNELS grz_wide_kernels_avx2
#define GRZ_KERNELS_NAME "avx2"
#include "simd/wide_bvh_template.h"
