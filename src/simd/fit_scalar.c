/* SPDX-License-Identifier: MIT */
/* The fitting kernels for scalar; compiled with the flags that the build sets for this file. */
#define GRZ_SIMD_SCALAR 1
#define GRZ_KERNELS grz_fit_kernels_scalar
#define GRZ_KERNELS_NAME "scalar"
#include "simd/fit_template.h"
