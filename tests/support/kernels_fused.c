/* SPDX-License-Identifier: MIT */
/* See kernels_fused.h. */
#include "support/kernels_fused.h"

#define GRZ_SIMD_SCALAR 1
#define GRZ_FUSED 1
#define GRZ_KERNELS kernels_fused
#define GRZ_KERNELS_NAME "scalar, fused"
#include "simd/kernels_template.h"
