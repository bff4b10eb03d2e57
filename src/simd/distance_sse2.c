/* SPDX-License-Identifier: MIT */
/* The distance kernels for sse2; compiled with the flags that the build sets for this file. */
#define GRZ_KERNELS grz_distance_kernels_sse2
#define GRZ_KERNELS_NAME "sse2"
#include "simd/distance_template.h"
