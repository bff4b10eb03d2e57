/* SPDX-License-Identifier: MIT */
/*
 * Collects a mesh; see builder.h. Two arrays stay empty as long as possible: the sizes of the faces while all are
 * triangles, and their parts while there is only one.
 */
#include "io/builder.h"

#include <string.h>

void grz_builder_release(grz_builder *builder)
{
    grz_release(builder->context, builder->coordinates.data);
    grz_release(builder->context, builder->float_coordinates.data);
    grz_release(builder->context, builder->finest_places.data);
    grz_release(builder->context, builder->corners.data);
    grz_release(builder->context, builder->loop_sizes.data);
    grz_release(builder->context, builder->face_parts.data);
    grz_release(builder->context, builder->parts.data);
    grz_release(builder->context, builder->vertex_flaws.data);
    grz_release(builder->context, builder->face_flaws.data);
    grz_release(builder->context, builder->names);
}

size_t grz_builder_vertex_count(const grz_builder *builder)
{
    return builder->coordinates.count / 3 + builder->float_coordinates.count / 3;
}

bool grz_builder_add_vertex(grz_builder *builder, const double position[3])
{
    if (!GRZ_RESERVE(builder->context, &builder->coordinates, builder->coordinates.count + 3) ||
        (builder->numbers == GRAZE_NUMBER_DECIMAL &&
         !GRZ_PUSH(builder->context, &builder->finest_places, builder->open_place)))
        return false;
    builder->open_place = INT16_MAX;
    memcpy(builder->coordinates.data + builder->coordinates.count, position, 3 * sizeof *position);
    builder->coordinates.count += 3;
    return true;
}

void grz_builder_note_place(grz_builder *builder, int64_t place)
{
    builder->numbers = GRAZE_NUMBER_DECIMAL;
    if (place < builder->open_place)
        builder->open_place = (int16_t)(place < INT16_MIN ? INT16_MIN : place);
}

bool grz_builder_add_corner(grz_builder *builder, uint32_t vertex)
{
    return GRZ_PUSH(builder->context, &builder->corners, vertex);
}

size_t grz_builder_open_corner_count(const grz_builder *builder)
{
    return builder->corners.count - builder->face_start;
}

bool grz_builder_end_face(grz_builder *builder)
{
    const graze_context *context = builder->context;
    size_t size = grz_builder_open_corner_count(builder);
    if (size != 3 || builder->loop_sizes.count > 0)
    {
        if (!GRZ_RESERVE(context, &builder->loop_sizes, builder->face_count + 1))
            return false;
        while (builder->loop_sizes.count < builder->face_count)
            builder->loop_sizes.data[builder->loop_sizes.count++] = 3;
        builder->loop_sizes.data[builder->loop_sizes.count++] = (uint32_t)size;
    }
    if (builder->parts.count > 1)
    {
        if (!GRZ_RESERVE(context, &builder->face_parts, builder->face_count + 1))
            return false;
        while (builder->face_parts.count < builder->face_count)
            builder->face_parts.data[builder->face_parts.count++] = 0;
        builder->face_parts.data[builder->face_parts.count++] = (uint32_t)(builder->parts.count - 1);
    }
    builder->face_start = builder->corners.count;
    builder->face_count++;
    return true;
}

static grz_name clipped(grz_name name)
{
    if (name.size > GRZ_PART_NAME_SIZE)
        name.size = GRZ_PART_NAME_SIZE;
    return name;
}

bool grz_builder_add_part(grz_builder *builder, grz_name object, grz_name group)
{
    grz_builder_part part = {clipped(object), clipped(group), (uint32_t)builder->parts.count};
    return GRZ_PUSH(builder->context, &builder->parts, part);
}

static int compare_names(grz_name a, grz_name b)
{
    size_t common = a.size < b.size ? a.size : b.size;
    int order = a.text == b.text || common == 0 ? 0 : memcmp(a.text, b.text, common);
    return order != 0 ? order : (a.size > b.size) - (a.size < b.size);
}

static int compare_parts(const grz_builder_part *a, const grz_builder_part *b)
{
    int order = compare_names(a->object, b->object);
    return order != 0 ? order : compare_names(a->group, b->group);
}

/* Stable bottom-up merge sort of part indices by name. */
static void sort_by_name(const grz_builder_part *parts, uint32_t *order, uint32_t *scratch, size_t count)
{
    for (size_t width = 1; width < count; width *= 2)
    {
        for (size_t start = 0; start < count; start += 2 * width)
        {
            size_t middle = start + width < count ? start + width : count;
            size_t end = middle + width < count ? middle + width : count;
            size_t left = start, right = middle;
            for (size_t i = start; i < end; i++)
            {
                bool take_left =
                    left < middle && (right == end || compare_parts(&parts[order[left]], &parts[order[right]]) <= 0);
                scratch[i] = order[take_left ? left++ : right++];
            }
        }
        memcpy(order, scratch, count * sizeof *order);
    }
}

bool grz_builder_merge_parts(grz_builder *builder)
{
    size_t count = builder->parts.count;
    if (count < 2)
        return true;
    grz_builder_part *parts = builder->parts.data;
    uint32_t *order = grz_allocate(builder->context, 2 * count, sizeof *order);
    if (order == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        order[i] = (uint32_t)i;
    sort_by_name(parts, order, order + count, count);
    for (size_t i = 1; i < count; i++) /* the sort is stable: the first part of each name gives the others its number */
    {
        if (compare_parts(&parts[order[i - 1]], &parts[order[i]]) == 0)
            parts[order[i]].number = parts[order[i - 1]].number;
    }
    grz_release(builder->context, order);

    /* Each first part of a name keeps itself; compact the numbers, then assign the others. */
    size_t kept = 0;
    uint32_t *face_parts = builder->face_parts.data;
    for (size_t i = 0; i < count; i++)
        parts[i].number = parts[i].number == i ? (uint32_t)kept++ : parts[parts[i].number].number;
    for (size_t f = 0; f < builder->face_parts.count; f++)
        face_parts[f] = parts[face_parts[f]].number;
    for (size_t i = 0, next = 0; i < count; i++)
    {
        if (parts[i].number == next)
            parts[next++] = parts[i];
    }
    builder->parts.count = kept;
    return true;
}
