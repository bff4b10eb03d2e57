/* SPDX-License-Identifier: MIT */
/*
 * The kernel table; included once by each kernels_<set>.c, which defines GRZ_KERNELS, the table's name,
 * GRZ_KERNELS_NAME, and GRZ_FUSED where the instruction set has fused multiply-add (fma.h).
 */
#include "simd/box_overlap_template.h"
#include "simd/contact_template.h"
#include "simd/edge_axes_template.h"
#include "simd/facets_template.h"
#include "simd/hit_list_template.h"
#include "simd/leaf_groups_template.h"
#include "simd/moving_sat_template.h"
#include "simd/pair_queue_template.h"
#include "simd/small_tree_template.h"
#include "simd/sort_template.h"
#include "simd/sweep_template.h"
#include "simd/transform_template.h"
#include "simd/triangle_sat_template.h"
#include "simd/untested_template.h"
#include "simd/widen_template.h"

#if defined(GRZ_FUSED)
#define IS_FUSED true
#else
#define IS_FUSED false
#endif

const grz_kernels GRZ_KERNELS = {.name = GRZ_KERNELS_NAME,
                                 .fused = IS_FUSED,
                                 .transform = transform_kernel,
                                 .widen = widen_kernel,
                                 .row_aabb_overlap = row_aabb_overlap_kernel,
                                 .row_slab_overlap = row_slab_overlap_kernel,
                                 .boxes = boxes_kernel,
                                 .facet_boxes = facet_boxes_kernel,
                                 .facet_edges = facet_edges_kernel,
                                 .edge_axes = edge_axes_kernel,
                                 .groups = groups_kernel,
                                 .group_leaf = group_leaf_kernel,
                                 .small_tree_add = small_tree_add_kernel,
                                 .small_tree = small_tree_kernel,
                                 .corners = corners_kernel,
                                 .queue_pairs = queue_pairs_kernel,
                                 .directions = directions_kernel,
                                 .list_untested = list_untested_kernel,
                                 .triangle_sat = triangle_sat_kernel,
                                 .moving_sat = moving_sat_kernel,
                                 .contacts = contacts_kernel,
                                 .list_hits = list_hits_kernel,
                                 .sort = sort_kernel,
                                 .sweep = sweep_kernel};
