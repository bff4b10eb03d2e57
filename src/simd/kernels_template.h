/* SPDX-License-Identifier: MIT */
/*
 * The kernels themselves; included once by each kernels_<set>.c, which defines GRZ_KERNELS, the table's name,
 * GRZ_KERNELS_NAME, and GRZ_FUSED where the instruction set fuses (fused.h).
 */
#include "simd/boxes_template.h"
#include "simd/edges_template.h"
#include "simd/facets_template.h"
#include "simd/groups_template.h"
#include "simd/handful_template.h"
#include "simd/map_template.h"
#include "simd/pairs_template.h"
#include "simd/sort_template.h"
#include "simd/sweep_template.h"
#include "simd/triangles_template.h"

#if defined(GRZ_FUSED)
#define IS_FUSED true
#else
#define IS_FUSED false
#endif

const grz_kernels GRZ_KERNELS = {.name = GRZ_KERNELS_NAME,
                                 .fused = IS_FUSED,
                                 .map = map_kernel,
                                 .near = near_kernel,
                                 .meet = meet_kernel,
                                 .boxes = boxes_kernel,
                                 .facet_boxes = facet_boxes_kernel,
                                 .facet_edges = facet_edges_kernel,
                                 .edges = edges_kernel,
                                 .groups = groups_kernel,
                                 .group_leaf = group_leaf_kernel,
                                 .handful_add = handful_add_kernel,
                                 .handful = handful_kernel,
                                 .corners = corners_kernel,
                                 .pairs = pairs_kernel,
                                 .judge = judge_kernel,
                                 .sort = sort_kernel,
                                 .sweep = sweep_kernel};
