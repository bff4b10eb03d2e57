/* SPDX-License-Identifier: MIT */
/* The kernels for SSE2; compiled with the flags that the build sets for this file. */
#define GRZ_KERNELS grz_kernels_sse2
#define GRZ_KERNELS_NAME "sse2"
#include "simd/kernels_template.h"
