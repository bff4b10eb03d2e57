/* SPDX-License-Identifier: MIT */
/* 000 5.4.4, 5.5.2: a hundred boxes of side 1 that fly and spin in a cube of side 10, and their boxes of voxels. */
#ifndef LAB_LITERATURE_BOXES_IN_CAGE_H
#define LAB_LITERATURE_BOXES_IN_CAGE_H

#include "literature/cage.h"
#include "literature/fixed_octree.h"

enum
{
    CAGE_BOXES = 100
};

/* Origins stay so far from the walls that the boxes' middles are half a side away from them. Cleared by the caller. */
bool lit_record_boxes(size_t frames, graze_mesh **out_box, const graze_mesh *meshes[CAGE_BOXES], cage_flight *out);

/* The voxels of a cage of half side `half`, `size` on each axis, that the box around a placed body of half side 1
 * meets.
 */
voxel_box lit_voxels(const graze_pose *pose, double half, uint32_t size);

/* Pairs of objects that share a voxel, by comparing all. */
double lit_count_meeting(const voxel_box *boxes, uint32_t count);

#endif
