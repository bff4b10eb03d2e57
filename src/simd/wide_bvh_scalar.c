/* SPDX-License-Identifier: MIT */
/* The kernels of wide trees for scalar; compiled with the flags that the build sets for this file. */
#define GRZ_SIMD_SCALAR 1
#define GRZ_KERNELS grz_wide_kernels_scalar
#define GRZ_KERNELS_NAME "scalar"
#include "simd/wide_bvh_template.h"
