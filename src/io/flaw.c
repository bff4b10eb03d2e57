/* SPDX-License-Identifier: MIT */
/* Removes flawed parts; see flaw.h. Linear in the size of the file. */
#include "io/flaw.h"

#include <string.h>

bool grz_flaw_vertex(grz_reader *reader)
{
    grz_builder *builder = &reader->builder;
    uint32_t vertex = (uint32_t)grz_builder_vertex_count(builder);
    size_t count = builder->vertex_flaws.count;
    if (count > 0 && builder->vertex_flaws.data[count - 1].element == vertex)
        return true;
    grz_flaw flaw = {vertex, GRAZE_STATUS_NOT_FINITE, reader->line};
    return GRZ_PUSH(builder->context, &builder->vertex_flaws, flaw);
}

bool grz_flaw_face(grz_reader *reader, graze_status status)
{
    grz_builder *builder = &reader->builder;
    uint32_t face = (uint32_t)builder->face_count;
    size_t count = builder->face_flaws.count;
    if (count > 0 && builder->face_flaws.data[count - 1].element == face)
        return true;
    grz_flaw flaw = {face, status, reader->line};
    return GRZ_PUSH(builder->context, &builder->face_flaws, flaw);
}

typedef struct flaw_search
{
    grz_reader *reader;
    grz_faults *faults;
    uint32_t *vertex_flaw;   /* by vertex: 0, or the index of its flaw + 1 */
    unsigned char *used;     /* by flaw of a vertex */
    unsigned char *part_bad; /* by part */
    size_t next_face_flaw;
} flaw_search;

static uint32_t part_of(const grz_builder *builder, size_t face)
{
    return builder->face_parts.count > 0 ? builder->face_parts.data[face] : 0;
}

static size_t size_of(const grz_builder *builder, size_t face)
{
    return builder->loop_sizes.count > 0 ? builder->loop_sizes.data[face] : 3;
}

/* Writes the message about a part's first flaw. */
static graze_status add_fault(flaw_search *search, uint32_t part, const grz_flaw *flaw, uint32_t corner)
{
    grz_reader *reader = search->reader;
    if (search->part_bad[part])
        return GRAZE_STATUS_OK;
    graze_error *outer = reader->error, error;
    uint64_t line = reader->line;
    reader->error = &error;
    reader->line = flaw != NULL ? flaw->line : 0;
    graze_status status = flaw != NULL ? flaw->status : GRAZE_STATUS_BAD_INDEX;
    if (flaw == NULL)
        grz_fail(reader, status, "a face corner names vertex %llu, but the file holds %zu",
                 (unsigned long long)corner + 1, grz_builder_vertex_count(&reader->builder));
    else if (status == GRAZE_STATUS_NOT_FINITE)
        grz_fail_here(reader, status, "a coordinate is not a finite double");
    else if (status == GRAZE_STATUS_TOO_FEW_CORNERS)
        grz_fail_here(reader, status, "the face has fewer than three corners");
    else
        grz_fail_here(reader, status, "the face names a vertex that does not exist");
    reader->error = outer;
    reader->line = line;
    grz_fault fault = {part, status, ""};
    memcpy(fault.text, error.text, sizeof fault.text);
    search->part_bad[part] = 1;
    return GRZ_PUSH(reader->context, search->faults, fault) ? GRAZE_STATUS_OK : grz_fail_memory(reader);
}

static graze_status examine_face(flaw_search *search, size_t face, size_t first_corner)
{
    const grz_builder *builder = &search->reader->builder;
    uint32_t part = part_of(builder, face);
    size_t vertex_count = grz_builder_vertex_count(builder);
    graze_status status = GRAZE_STATUS_OK;
    if (search->next_face_flaw < builder->face_flaws.count &&
        builder->face_flaws.data[search->next_face_flaw].element == face)
        status = add_fault(search, part, &builder->face_flaws.data[search->next_face_flaw++], 0);
    for (size_t c = 0; status == GRAZE_STATUS_OK && c < size_of(builder, face); c++)
    {
        uint32_t corner = builder->corners.data[first_corner + c];
        if (corner >= vertex_count)
            status = add_fault(search, part, NULL, corner);
        else if (search->vertex_flaw[corner] != 0)
        {
            size_t flaw = search->vertex_flaw[corner] - 1;
            search->used[flaw] = 1;
            status = add_fault(search, part, &builder->vertex_flaws.data[flaw], corner);
        }
    }
    return status;
}

static void remove_faces(grz_builder *builder, const unsigned char *part_bad)
{
    size_t kept = 0, kept_corners = 0, corner = 0;
    for (size_t face = 0; face < builder->face_count; face++)
    {
        size_t size = size_of(builder, face);
        uint32_t part = part_of(builder, face);
        if (!part_bad[part])
        {
            memmove(builder->corners.data + kept_corners, builder->corners.data + corner,
                    size * sizeof *builder->corners.data);
            if (builder->loop_sizes.count > 0)
                builder->loop_sizes.data[kept] = (uint32_t)size;
            if (builder->face_parts.count > 0)
                builder->face_parts.data[kept] = part;
            kept++;
            kept_corners += size;
        }
        corner += size;
    }
    builder->face_count = kept;
    builder->corners.count = builder->face_start = kept_corners;
    if (builder->loop_sizes.count > kept)
        builder->loop_sizes.count = kept;
    if (builder->face_parts.count > kept)
        builder->face_parts.count = kept;
}

static graze_status search_all(flaw_search *search)
{
    grz_builder *builder = &search->reader->builder;
    for (size_t i = 0; i < builder->vertex_flaws.count; i++)
        search->vertex_flaw[builder->vertex_flaws.data[i].element] = (uint32_t)i + 1;
    graze_status status = GRAZE_STATUS_OK;
    size_t corner = 0;
    for (size_t face = 0; status == GRAZE_STATUS_OK && face < builder->face_count; face++)
    {
        status = examine_face(search, face, corner);
        corner += size_of(builder, face);
    }
    if (status == GRAZE_STATUS_OK && search->faults->count > 0)
        remove_faces(builder, search->part_bad);
    return status;
}

graze_status grz_drop_flawed_parts(grz_reader *reader, grz_faults *faults, size_t *out_unused)
{
    const grz_builder *builder = &reader->builder;
    *out_unused = 0;
    if (builder->vertex_flaws.count == 0 && builder->face_flaws.count == 0 && !builder->dangling)
        return GRAZE_STATUS_OK;
    size_t flaw_count = builder->vertex_flaws.count;
    flaw_search search = {.reader = reader, .faults = faults};
    search.vertex_flaw =
        grz_allocate_zeroed(reader->context, grz_builder_vertex_count(builder), sizeof *search.vertex_flaw);
    search.used = grz_allocate_zeroed(reader->context, flaw_count, 1);
    search.part_bad = grz_allocate_zeroed(reader->context, builder->parts.count + 1, 1);
    graze_status status = GRAZE_STATUS_OUT_OF_MEMORY;
    if (search.vertex_flaw != NULL && search.used != NULL && search.part_bad != NULL)
    {
        status = search_all(&search);
        for (size_t i = 0; i < flaw_count; i++)
            *out_unused += !search.used[i];
    }
    else
        grz_fail_memory(reader);
    grz_release(reader->context, search.vertex_flaw);
    grz_release(reader->context, search.used);
    grz_release(reader->context, search.part_bad);
    return status;
}
