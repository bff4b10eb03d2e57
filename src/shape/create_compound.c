/* SPDX-License-Identifier: MIT */
/* Compounds of placed shapes. */
#include <string.h>

#include "base/memory.h"
#include "shape/create.h"

static graze_status check_part(const graze_placed *part)
{
    if (part->shape == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    return graze_pose_check(&part->pose, NULL);
}

/* Counts leaves and levels, which must stay within what queries can walk through. */
static graze_status count_levels(const graze_placed *parts, size_t count, size_t *out_leaf_count, int *out_depth)
{
    size_t leaf_count = 0;
    int depth = 0;
    for (size_t i = 0; i < count; i++)
    {
        leaf_count += parts[i].shape->leaf_count; /* both below 2^32 */
        depth = parts[i].shape->depth > depth ? parts[i].shape->depth : depth;
        if (leaf_count >= UINT32_MAX || depth >= GRZ_SHAPE_DEPTH_LIMIT)
            return GRAZE_STATUS_TOO_LARGE;
    }
    *out_leaf_count = leaf_count;
    *out_depth = depth + 1;
    return GRAZE_STATUS_OK;
}

graze_status graze_shape_create_compound(const graze_context *context, const graze_placed *parts, size_t count,
                                         graze_shape **out_shape)
{
    if ((parts == NULL && count > 0) || out_shape == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (count == 0)
        return GRAZE_STATUS_EMPTY;
    graze_status status = GRAZE_STATUS_OK;
    for (size_t i = 0; i < count && status == GRAZE_STATUS_OK; i++)
        status = check_part(&parts[i]);
    size_t leaf_count = 0;
    int depth = 0;
    if (status == GRAZE_STATUS_OK)
        status = count_levels(parts, count, &leaf_count, &depth);
    graze_shape *shape = grz_shape_start(context, GRAZE_SHAPE_COMPOUND, GRZ_FORM_COMPOUND, status);
    if (shape != NULL)
    {
        shape->parts = grz_allocate(context, count, sizeof *parts);
        status = shape->parts != NULL ? GRAZE_STATUS_OK : GRAZE_STATUS_OUT_OF_MEMORY;
        if (shape->parts != NULL)
            memcpy(shape->parts, parts, count * sizeof *parts);
        shape->part_count = count;
        shape->solid = true;
        for (size_t i = 0; i < count; i++)
            shape->solid = shape->solid && graze_shape_is_solid(parts[i].shape);
        shape->leaf_count = leaf_count;
        shape->depth = depth;
    }
    return grz_shape_finish_with(shape, status, out_shape);
}
