/* SPDX-License-Identifier: MIT */
/*
 * Parts of edges within cells; see box_intervals.h.
 *
 * Rounding. Let x + t d be the computed coordinate of an edge's point on an axis of the other's frame, t at most the
 * edge's length. From B to A it errs by less than the query's slack s. From A to B the transposed matrix stands for the
 * inverse: M^T M differs from the identity by 2^-40 an entry (the map is rigid), so M^T from the inverse of M by
 * 3.1 * 2^-40 in the sum of a row, which moves a point by less than 4 s, since s is 2^-40 of all magnitudes; that and
 * the roundings are below 8 s. A bound of t at a plane c, (c - x) / d, has 3 roundings and is clamped to the length L:
 * it errs by 4 u L |d| in the coordinate; a shift of lengths after a split, of which a branch has at most 256 one after
 * another, by u L each, which 2^-50 L outweighs; together below s. So planes are moved outward by 10 s. Edges with |d|
 * < 2^-20 are not cut but dropped where all of them lies beyond. shortcut: box-tree-intervals
 */
#include "pair/method/box_intervals.h"

#include "math/matrix.h"

static const int other_axes[3][2] = {{1, 2}, {0, 2}, {0, 1}};

static const grz_edge_part nothing = {1, 0};

grz_cell_frame grz_cell_frame_make(const grz_method_query *query)
{
    grz_cell_frame frame = {.slack = 10 * query->slack};
    for (int family = 0; family < 3; family++)
        for (int axis = 0; axis < 3; axis++)
        {
            frame.directions[0][family][axis] = query->map[family][axis];
            frame.directions[1][family][axis] = query->map[axis][family];
        }
    for (int axis = 0; axis < 3; axis++)
    {
        frame.origins[1][axis] = query->map[axis][3];
        frame.origins[0][axis] = 0;
        for (int k = 0; k < 3; k++)
            frame.origins[0][axis] -= query->map[k][axis] * query->map[k][3];
    }
    for (int side = 0; side < 2; side++)
        for (int family = 0; family < 3; family++)
            for (int axis = 0; axis < 3; axis++)
            {
                double d = frame.directions[side][family][axis];
                frame.inverse[side][family][axis] = fabs(d) < 0x1p-20 ? 0 : 1 / d;
            }
    return frame;
}

/* The low end of an edge on an axis of the other's frame. */
static double low_end(const grz_cell_frame *frame, const grz_tree_cell *cell, int side, int edge, int axis)
{
    int family = edge / 4, corner[3];
    corner[family] = 0;
    corner[other_axes[family][0]] = edge & 1;
    corner[other_axes[family][1]] = edge >> 1 & 1;
    double x = frame->origins[side][axis];
    for (int k = 0; k < 3; k++)
        x += (corner[k] == 1 ? cell->upper[k] : cell->lower[k]) * frame->directions[side][k][axis];
    return x;
}

static double length_of(const grz_tree_cell *cell, int family)
{
    return cell->upper[family] - cell->lower[family];
}

/* What is left of a part below a plane, and above it; x is the edge's low end. */
static void cut_at(const grz_cell_frame *frame, const grz_tree_cell *cell, int side, int edge, int axis, double x,
                   double at, const grz_edge_part *part, grz_edge_part *below, grz_edge_part *above)
{
    int family = edge / 4;
    double d = frame->directions[side][family][axis];
    double inverse = frame->inverse[side][family][axis];
    double t_low = (at - frame->slack - x) * inverse, t_high = (at + frame->slack - x) * inverse;
    *below = *above = *part;
    if (inverse == 0)
    {
        double bend = 0x1p-20 * length_of(cell, family) + frame->slack;
        *below = x - bend > at ? nothing : *part;
        *above = x + bend < at ? nothing : *part;
    }
    else if (d > 0)
    {
        below->upper = t_high < part->upper ? t_high : part->upper;
        above->lower = t_low > part->lower ? t_low : part->lower;
    }
    else
    {
        below->lower = t_high > part->lower ? t_high : part->lower;
        above->upper = t_low < part->upper ? t_low : part->upper;
    }
}

static bool is_empty(const grz_edge_part *part)
{
    return part->lower > part->upper;
}

/* An edge's part within the other cell, from nothing. */
static grz_edge_part part_of(const grz_cell_frame *frame, const grz_cell_pair *pair, int side, int edge,
                             graze_method_counters *counters)
{
    grz_edge_part part = {0, length_of(&pair->cells[side], edge / 4)}, unused;
    for (int axis = 0; axis < 3 && !is_empty(&part); axis++)
    {
        grz_edge_part before = part;
        double x = low_end(frame, &pair->cells[side], side, edge, axis);
        cut_at(frame, &pair->cells[side], side, edge, axis, x, pair->cells[1 - side].lower[axis], &before, &unused,
               &part);
        before = part;
        cut_at(frame, &pair->cells[side], side, edge, axis, x, pair->cells[1 - side].upper[axis], &before, &part,
               &unused);
        counters->half_spaces += 2;
    }
    return part;
}

void grz_cell_pair_start(const grz_cell_frame *frame, grz_cell_pair *pair, graze_method_counters *counters)
{
    for (int side = 0; side < 2; side++)
        for (int edge = 0; edge < GRZ_CELL_EDGES; edge++)
            pair->parts[side][edge] = part_of(frame, pair, side, edge, counters);
}

/* Edges of the other side's cell: cut at the plane. */
static void split_other(const grz_cell_frame *frame, const grz_cell_pair *pair, int side, int axis, double at,
                        grz_cell_pair halves[2], graze_method_counters *counters)
{
    for (int edge = 0; edge < GRZ_CELL_EDGES; edge++)
    {
        const grz_edge_part *part = &pair->parts[side][edge];
        grz_edge_part *below = &halves[0].parts[side][edge], *above = &halves[1].parts[side][edge];
        *below = *above = *part;
        counters->empty_intervals += is_empty(part);
        if (is_empty(part) && !frame->cut_empty)
            continue;
        cut_at(frame, &pair->cells[side], side, edge, axis, low_end(frame, &pair->cells[side], side, edge, axis), at,
               part, below, above);
        counters->half_spaces++;
    }
}

/* Edges of the cell itself: those along the axis are divided, four are new, the others stay on their side. */
static void split_own(const grz_cell_frame *frame, const grz_cell_pair *pair, int side, int axis, double at,
                      grz_cell_pair halves[2], graze_method_counters *counters)
{
    double low_length = at - pair->cells[side].lower[axis];
    for (int edge = 0; edge < GRZ_CELL_EDGES; edge++)
    {
        const grz_edge_part *part = &pair->parts[side][edge];
        int family = edge / 4;
        if (family == axis)
        {
            grz_edge_part *low = &halves[0].parts[side][edge], *high = &halves[1].parts[side][edge];
            *low = *high = *part;
            if (is_empty(part))
                continue;
            low->upper = part->upper < low_length ? part->upper : low_length;
            high->lower = matrix_max(part->lower - low_length, 0);
            high->upper = part->upper - low_length + 0x1p-50 * length_of(&pair->cells[side], family);
            continue;
        }
        int bit = other_axes[family][0] == axis ? 1 : 2; /* of the number, for the high end of this axis */
        if ((edge & bit) == 0)
            halves[0].parts[side][edge] = *part;
        else
        {
            halves[1].parts[side][edge] = *part;
            grz_edge_part fresh = part_of(frame, &halves[0], side, edge, counters);
            halves[0].parts[side][edge] = fresh;
            halves[1].parts[side][edge & ~bit] = fresh;
        }
    }
}

void grz_cell_pair_split(const grz_cell_frame *frame, const grz_cell_pair *pair, int side, int axis, double at,
                         grz_cell_pair out_halves[2], graze_method_counters *counters)
{
    for (int half = 0; half < 2; half++)
        memcpy(out_halves[half].cells, pair->cells, sizeof pair->cells);
    out_halves[0].cells[side].upper[axis] = at;
    out_halves[1].cells[side].lower[axis] = at;
    split_own(frame, pair, side, axis, at, out_halves, counters);
    split_other(frame, pair, 1 - side, axis, at, out_halves, counters);
}

bool grz_cell_pair_meets(const grz_cell_pair *pair)
{
    for (int side = 0; side < 2; side++)
        for (int edge = 0; edge < GRZ_CELL_EDGES; edge++)
            if (!is_empty(&pair->parts[side][edge]))
                return true;
    return false;
}
