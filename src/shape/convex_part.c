/* SPDX-License-Identifier: MIT */
/* See convex_part.h. */
#include "shape/convex_part.h"

static grz_convex_kind kind_of(graze_shape_kind kind)
{
    return kind == GRAZE_SHAPE_CYLINDER ? GRZ_CONVEX_CYLINDER
           : kind == GRAZE_SHAPE_CONE   ? GRZ_CONVEX_CONE
                                        : GRZ_CONVEX_ELLIPSOID;
}

bool grz_shape_convex_body(const graze_placed *placed, grz_convex_body *out)
{
    const graze_shape *shape = placed->shape;
    grz_convex_body body = {.kind = GRZ_CONVEX_POLYTOPE, .radius = shape->radius, .pose = placed->pose};
    if (shape->form == GRZ_FORM_CURVED)
    {
        body.kind = kind_of(shape->kind);
        for (size_t i = 0; i < shape->number_count; i++)
            body.numbers[i] = shape->numbers[i];
    }
    else if (shape->hull != NULL)
    {
        body.vertices = (const double(*)[3])shape->hull->vertices;
        body.vertex_count = shape->hull->vertex_count;
        body.neighbour_starts = shape->hull->neighbour_starts;
        body.neighbours = shape->hull->neighbours;
    }
    else
        return false;
    *out = body;
    return true;
}
