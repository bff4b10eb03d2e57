/* SPDX-License-Identifier: MIT */
/*
 * Soft meshes with a margin: three-valued. A space-time traversal with the margin proposes pairs of triangles; each
 * advances by planes until it is as near as the margin for all that is known, and there that is proved.
 */
#ifndef GRZ_MOTION_SOFT_MARGIN_H
#define GRZ_MOTION_SOFT_MARGIN_H

#include "motion/enclosed_impact.h"

/* As grz_enclosed_impact and grz_enclosed_visit, for kernel motions where one mesh or both are soft, and a margin. */
graze_status grz_soft_margin_impact(const grz_moving_meshes *meshes, const graze_impact_options *options,
                                    grz_monitor *monitor, graze_impact_stats *stats, graze_impact *out);
graze_status grz_soft_margin_visit(const grz_moving_meshes *meshes, const graze_impact_options *options,
                                   grz_monitor *monitor, graze_impact_stats *stats, grz_enclosed_hits *hits);

#endif
