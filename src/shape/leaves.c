/* SPDX-License-Identifier: MIT */
/* Leaves of placed shapes; see leaves.h. */
#include "shape/leaves.h"

#include <math.h>

#include "base/memory.h"
#include "shape/placed.h"
#include "shape/primitive_mesh.h"

/* Appends the leaves of a placed shape. Compounds are nested GRZ_SHAPE_DEPTH_LIMIT deep at most. */
static graze_status append(const graze_placed *placed, grz_leaves *leaves) /* NOLINT(misc-no-recursion) */
{
    graze_status status = GRAZE_STATUS_OK;
    if (placed->shape->form == GRZ_FORM_COMPOUND)
    {
        for (size_t i = 0; i < placed->shape->part_count && status == GRAZE_STATUS_OK; i++)
        {
            graze_placed part;
            status = grz_placed_part(placed, i, &part);
            if (status == GRAZE_STATUS_OK)
                status = append(&part, leaves);
        }
        return status;
    }
    grz_leaf_part *leaf = &leaves->parts[leaves->count];
    leaf->placed = *placed;
    leaf->number = (uint32_t)leaves->count++;
    return graze_placed_bounds(placed, &leaf->bounds);
}

static graze_box box_around(const grz_leaves *leaves)
{
    graze_box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (size_t i = 0; i < leaves->count; i++)
        for (int k = 0; k < 3; k++)
        {
            box.lower[k] = fmin(box.lower[k], leaves->parts[i].bounds.lower[k]);
            box.upper[k] = fmax(box.upper[k], leaves->parts[i].bounds.upper[k]);
        }
    return box;
}

graze_status grz_leaves_make(grz_shape_query *q, const graze_placed *placed, grz_leaves *out)
{
    bool compound = placed->shape->form == GRZ_FORM_COMPOUND;
    out->count = 0;
    out->parts = compound ? grz_allocate(q->context, placed->shape->leaf_count, sizeof *out->parts) : &out->single;
    if (out->parts == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    graze_status status = append(placed, out);
    if (status == GRAZE_STATUS_OK)
        out->bounds = box_around(out);
    else
        grz_leaves_release(q, out);
    return status;
}

void grz_leaves_release(grz_shape_query *q, grz_leaves *leaves)
{
    if (leaves->parts != &leaves->single)
        grz_release(q->context, leaves->parts);
}

/* A single leaf whose queries end at the first planes or boxes where it is far away, in less time than a box takes: no
   mesh whose tree would have to be made for that. */
static bool needs_no_box(const graze_placed *placed)
{
    const graze_shape *shape = placed != NULL ? placed->shape : NULL;
    if (shape == NULL || shape->form != GRZ_FORM_CORE)
        return shape != NULL && shape->form == GRZ_FORM_HALF_SPACE;
    return shape->hull != NULL || shape->tree != NULL ||
           atomic_load_explicit(&shape->derived.tree, memory_order_relaxed) != NULL;
}

bool grz_plain_pair_make(grz_shape_query *q, const graze_placed *a, const graze_placed *b, grz_plain_pair *out,
                         graze_status *out_status)
{
    if ((!needs_no_box(a) || !needs_no_box(b)) &&
        (a == NULL || b == NULL || a->shape == NULL || b->shape == NULL || !grz_is_primitive_at_mesh(a, b)))
        return false;
    graze_status status = graze_placed_check(a);
    *out_status = status == GRAZE_STATUS_OK ? graze_placed_check(b) : status;
    out->swapped = *out_status == GRAZE_STATUS_OK && grz_query_swaps(q, a, b);
    out->a = out->swapped ? b : a;
    out->b = out->swapped ? a : b;
    return true;
}

graze_status grz_leaf_pairs_make(grz_shape_query *q, const graze_placed *a, const graze_placed *b, grz_leaf_pairs *out)
{
    if (a == NULL || b == NULL || a->shape == NULL || b->shape == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    out->swapped = grz_query_swaps(q, a, b);
    graze_status status = grz_leaves_make(q, out->swapped ? b : a, &out->a);
    if (status != GRAZE_STATUS_OK)
        return status;
    status = grz_leaves_make(q, out->swapped ? a : b, &out->b);
    if (status != GRAZE_STATUS_OK)
        grz_leaves_release(q, &out->a);
    else if (out->a.count != 1 || out->b.count != 1)
        q->cache = NULL; /* it is of one pair */
    return status;
}

void grz_leaf_pairs_release(grz_shape_query *q, grz_leaf_pairs *pairs)
{
    grz_leaves_release(q, &pairs->a);
    grz_leaves_release(q, &pairs->b);
}

/* Gaps along the axes are rounded down by 4 u of themselves, and so is the length. */
double grz_box_gap(const graze_box *a, const graze_box *b)
{
    double sum = 0, largest = 0;
    for (int k = 0; k < 3; k++)
    {
        if (a->lower[k] > a->upper[k] || b->lower[k] > b->upper[k])
            return INFINITY;
        double gap = fmax(a->lower[k] - b->upper[k], b->lower[k] - a->upper[k]);
        gap = gap > 0 ? gap * (1 - 4 * GRZ_U) : 0;
        largest = fmax(largest, gap);
        sum += gap * gap;
    }
    /* shortcut: box-gap */
    /* Squares that leave the range of doubles say nothing, or less than the largest gap. */
    double length = sum < INFINITY ? sqrt(sum) * (1 - 8 * GRZ_U) : 0;
    return fmax(length, largest);
}
