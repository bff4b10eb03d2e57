/* SPDX-License-Identifier: MIT */
/* See convex_part.h. */
#include "shape/convex_part.h"

#include "base/memory.h"
#include "convex/convex_table.h"

static grz_convex_kind kind_of(graze_shape_kind kind)
{
    return kind == GRAZE_SHAPE_CYLINDER ? GRZ_CONVEX_CYLINDER
           : kind == GRAZE_SHAPE_CONE   ? GRZ_CONVEX_CONE
                                        : GRZ_CONVEX_ELLIPSOID;
}

static grz_convex_body body_of(const graze_shape *shape)
{
    const grz_hull *hull = shape->hull;
    return (grz_convex_body){.kind = GRZ_CONVEX_POLYTOPE,
                             .vertices = (const double(*)[3])hull->vertices,
                             .vertex_count = hull->vertex_count,
                             .neighbour_starts = hull->neighbour_starts,
                             .neighbours = hull->neighbours,
                             .radius = shape->radius};
}

/* The first that is finished stays. NULL where there is no memory: queries are slower then. */
static const grz_convex_part *make_part(const graze_shape *shape)
{
    graze_shape *owner = (graze_shape *)(uintptr_t)shape; /* what is derived of a shape changes nothing others see */
    grz_convex_part *part = grz_allocate(&shape->context, 1, sizeof *part), *first = NULL;
    if (part == NULL)
        return NULL;
    part->body = body_of(shape);
    grz_convex_table_make(&part->body, &part->table);
    part->body.table = &part->table;
    part->is_box = part->table.is_box && shape->radius == 0 && shape->hull->face_count == 6;
    if (part->is_box)
        grz_box_features_make(shape->hull, &part->table, &part->box);
    if (atomic_compare_exchange_strong(&owner->convex_part, &first, part))
        return part;
    grz_release(&shape->context, part);
    return first;
}

const grz_convex_part *grz_shape_make_convex_part(const graze_shape *shape)
{
    const grz_convex_part *part = grz_shape_convex_part(shape);
    return part != NULL ? part : make_part(shape);
}

bool grz_shape_convex_body(const graze_placed *placed, grz_convex_body *out)
{
    const graze_shape *shape = placed->shape;
    if (shape->form != GRZ_FORM_CURVED && shape->hull == NULL)
        return false;
    if (shape->form == GRZ_FORM_CURVED)
    {
        *out = (grz_convex_body){.kind = kind_of(shape->kind), .radius = shape->radius};
        for (size_t i = 0; i < shape->number_count; i++)
            out->numbers[i] = shape->numbers[i];
    }
    else
    {
        const grz_convex_part *part = grz_shape_make_convex_part(shape);
        *out = part != NULL ? part->body : body_of(shape);
    }
    out->pose = placed->pose;
    return true;
}
