/* SPDX-License-Identifier: MIT */
/* Groups of the leaves of a small tree; see leaf_groups.h. */
#include "tree/leaf_groups.h"

#include <string.h>

/* A leaf joins a group if the common box is larger than the group's by less than this factor, in the sum of extents. */
#define ALIKE_RATIO 1.1f

/* Triangles in boxes flatter than this are axis-aligned. */
#define FLAT_RATIO 0.06f

static float extent_of(const grz_boxes8 *boxes, int axis, unsigned lane)
{
    return boxes->upper[axis][lane] - boxes->lower[axis][lane];
}

static float extent_sum(const grz_boxes8 *boxes, unsigned lane)
{
    return extent_of(boxes, 0, lane) + extent_of(boxes, 1, lane) + extent_of(boxes, 2, lane);
}

/* The lane, of those in a set that is not empty, whose box has the largest sum of extents. */
static unsigned largest_of(const grz_boxes8 *boxes, unsigned lanes)
{
    unsigned largest = GRZ_LANES;
    for (unsigned lane = 0; lane < GRZ_LANES; lane++)
    {
        if ((lanes >> lane & 1) != 0 && (largest == GRZ_LANES || extent_sum(boxes, lane) > extent_sum(boxes, largest)))
            largest = lane;
    }
    return largest;
}

/* Extends the box of a lane of another set by the box in one lane. */
static void include(const grz_boxes8 *boxes, unsigned lane, grz_boxes8 *out, unsigned out_lane)
{
    for (int k = 0; k < 3; k++)
    {
        float lower = boxes->lower[k][lane], upper = boxes->upper[k][lane];
        out->lower[k][out_lane] = lower < out->lower[k][out_lane] ? lower : out->lower[k][out_lane];
        out->upper[k][out_lane] = upper > out->upper[k][out_lane] ? upper : out->upper[k][out_lane];
    }
}

/* Makes the next group, around the largest leaf of those left; returns the remaining ones. */
static unsigned form_group(const grz_node *node, unsigned left, grz_leaf_groups *groups)
{
    unsigned group = groups->count++, largest = largest_of(&node->boxes, left);
    include(&node->boxes, largest, &groups->boxes, group);
    float most = ALIKE_RATIO * extent_sum(&groups->boxes, group);
    for (unsigned lane = 0; lane < GRZ_LANES; lane++)
    {
        if ((left >> lane & 1) == 0)
            continue;
        grz_boxes8 joined = groups->boxes;
        include(&node->boxes, lane, &joined, group);
        if (lane != largest && !(extent_sum(&joined, group) <= most))
            continue;
        groups->boxes = joined;
        groups->lanes[group] |= 1u << lane;
    }
    return left & ~groups->lanes[group];
}

static bool is_slanted(const grz_triangles8 *triangles, unsigned index)
{
    int shortest = INT32_MAX, longest = 0;
    for (int k = 0; k < 3; k++)
    {
        int lowest = INT16_MAX, highest = INT16_MIN;
        for (int c = 0; c < 3; c++)
        {
            int x = triangles->corners[c][k][index];
            lowest = x < lowest ? x : lowest;
            highest = x > highest ? x : highest;
        }
        shortest = highest - lowest < shortest ? highest - lowest : shortest;
        longest = highest - lowest > longest ? highest - lowest : longest;
    }
    return (float)shortest > FLAT_RATIO * (float)longest;
}

static float middle_extent(const grz_boxes8 *boxes, unsigned lane)
{
    float x = extent_of(boxes, 0, lane), y = extent_of(boxes, 1, lane), z = extent_of(boxes, 2, lane);
    float smaller = x < y ? x : y, larger = x < y ? y : x;
    return z < smaller ? smaller : z < larger ? z : larger;
}

void grz_tree_form_groups(graze_tree *tree)
{
    grz_leaf_groups *groups = &tree->groups;
    memset(groups, 0, sizeof *groups);
    groups->boxes = grz_no_boxes();
    if (tree->node_count != 1)
        return;
    const grz_node *node = &tree->nodes[0];
    unsigned left = 0;
    for (unsigned lane = 0; lane < GRZ_LANES && node->children[lane] != GRZ_NO_CHILD; lane++)
    {
        const grz_leaf *leaf = &tree->leaves[node->children[lane] & ~GRZ_LEAF_FLAG];
        left |= 1u << lane;
        groups->present |= (uint64_t)((1u << leaf->count) - 1) << GRZ_LANES * lane;
        for (unsigned index = 0; index < leaf->count; index++)
            groups->slanted |= (unsigned)is_slanted(&leaf->triangles, index) << lane;
    }
    /* shortcut: leaf-groups */
    while (left != 0)
        left = form_group(node, left, groups);
    for (unsigned group = 0; group < groups->count; group++)
    {
        float thickness = middle_extent(&groups->boxes, group);
        groups->thickness = thickness > groups->thickness ? thickness : groups->thickness;
        for (unsigned lane = 0; lane < GRZ_LANES; lane++)
        {
            if ((groups->lanes[group] >> lane & 1) != 0)
                groups->members[group] |= groups->present & (uint64_t)0xff << GRZ_LANES * lane;
        }
    }
}
