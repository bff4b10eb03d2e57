/* SPDX-License-Identifier: MIT */
/* The distance kernels for avx2; compiled with the flags that the build sets for this file. */
#define GRZ_KERNELS grz_distance_kernels_avx2
#define GRZ_KERNELS_NAME "avx2"
#include "simd/distance_template.h"
