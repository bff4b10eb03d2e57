/* SPDX-License-Identifier: MIT */
/*
 * Groups of triangles; see build.h. Files mostly list triangles in an order in which neighbours follow one another: the
 * two halves of a quadrangle, a strip, a fan. Triangles that would share a leaf anyway need not be separated by
 * splitting, which then has a third of the items to read and move (decision 0003). Where triangles are in no such
 * order, each is a group of its own, which changes nothing.
 *
 * A group is compact: the areas of its triangles' boxes sum to more than that of the box around it. For the two halves
 * of a quadrangle that is twice as much, for a row of them nearly so; for two triangles that merely touch it is less.
 */
#include "simd/f32x4.h"
#include "tree/build.h"

#define COMPACT 1.2f

/* Writes the group of some triangles that follow each other, if they are compact. */
static bool make_group(const grz_reference *first, uint32_t count, grz_reference *out)
{
    f32x4 low = f32x4_load(first->lower), high = f32x4_load(first->upper);
    float sum = f32x4_half_area(f32x4_sub(high, low));
    for (uint32_t i = 1; i < count; i++)
    {
        f32x4 lower = f32x4_load(first[i].lower), upper = f32x4_load(first[i].upper);
        low = f32x4_min(low, lower);
        high = f32x4_max(high, upper);
        sum += f32x4_half_area(f32x4_sub(upper, lower));
    }
    if (sum < COMPACT * f32x4_half_area(f32x4_sub(high, low)))
        return false;
    _Alignas(16) float box[2][4];
    f32x4_store(box[0], low);
    f32x4_store(box[1], high);
    for (int axis = 0; axis < 3; axis++)
    {
        out->lower[axis] = box[0][axis];
        out->upper[axis] = box[1][axis];
    }
    return true;
}

uint32_t grz_groups_make(const grz_reference *references, uint32_t count, uint32_t most, grz_reference *groups,
                         grz_quantized_reference *items)
{
    uint32_t made = 0;
    for (uint32_t i = 0; i < count; made++)
    {
        uint32_t size = most;
        while (size > 1 && (size > count - i || !make_group(&references[i], size, &groups[made])))
            size /= 2;
        if (size <= 1)
        {
            size = 1;
            groups[made] = references[i];
        }
        groups[made].triangle = i;
        groups[made].weight = size;
        items[made].index = (uint16_t)made;
        items[made].bin = 0;
        items[made].weight = (uint8_t)size;
        i += size;
    }
    return made;
}
