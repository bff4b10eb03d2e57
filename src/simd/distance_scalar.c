/* SPDX-License-Identifier: MIT */
/* The distance kernels for scalar; compiled with the flags that the build sets for this file. */
#define GRZ_SIMD_SCALAR 1
#define GRZ_KERNELS grz_distance_kernels_scalar
#define GRZ_KERNELS_NAME "scalar"
#include "simd/distance_template.h"
