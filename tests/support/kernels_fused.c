/* SPDX-License-Identifier: MIT */
/* The plain C kernels with fused multiply-add, as those for AVX2 and AVX-512; see kernels.h. */
#define GRZ_SIMD_SCALAR 1
#define GRZ_FUSED 1
#define GRZ_KERNELS grz_kernels_fused
#define GRZ_KERNELS_NAME "scalar, fused"
#include "simd/kernels_template.h"
