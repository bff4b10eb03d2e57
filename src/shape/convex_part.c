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

/* The table of a convex core: the first that is finished stays. NULL where there is no memory: queries are slower then.
 */
static const grz_convex_table *table_of(const graze_shape *shape, const grz_convex_body *body)
{
    graze_shape *owner = (graze_shape *)(uintptr_t)shape; /* what is derived of a shape changes nothing others see */
    grz_convex_table *table = atomic_load_explicit(&owner->convex_table, memory_order_acquire), *first = NULL;
    if (table != NULL)
        return table;
    table = grz_allocate(&shape->context, 1, sizeof *table);
    if (table == NULL)
        return NULL;
    grz_convex_table_make(body, table);
    if (atomic_compare_exchange_strong(&owner->convex_table, &first, table))
        return table;
    grz_release(&shape->context, table);
    return first;
}

bool grz_shape_convex_body(const graze_placed *placed, grz_convex_body *out)
{
    const graze_shape *shape = placed->shape;
    *out = (grz_convex_body){.kind = GRZ_CONVEX_POLYTOPE, .radius = shape->radius, .pose = placed->pose};
    if (shape->form == GRZ_FORM_CURVED)
    {
        out->kind = kind_of(shape->kind);
        for (size_t i = 0; i < shape->number_count; i++)
            out->numbers[i] = shape->numbers[i];
        return true;
    }
    if (shape->hull == NULL)
        return false;
    out->vertices = (const double(*)[3])shape->hull->vertices;
    out->vertex_count = shape->hull->vertex_count;
    out->neighbour_starts = shape->hull->neighbour_starts;
    out->neighbours = shape->hull->neighbours;
    out->table = table_of(shape, out);
    return true;
}
