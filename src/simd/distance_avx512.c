/* SPDX-License-Identifier: MIT */
/* The distance kernels for avx512; compiled with the flags that the build sets for this file. */
#define GRZ_KERNELS grz_distance_kernels_avx512
#define GRZ_KERNELS_NAME "avx512"
#include "simd/distance_template.h"
