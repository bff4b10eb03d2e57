/* SPDX-License-Identifier: MIT */
/*
 * Supports of placed polytopes: few vertices by a linear scan, many by hill climbing along edges; see convex_support.h.
 *
 * Hill climbing is right because the graph of a convex polytope's edges has no local maximum of a linear function that
 * is not global; q = R^T w is one, whatever R. In doubles: a vertex whose neighbours are all certainly lower is the
 * highest. Otherwise let P have it and, with each of its vertices, all neighbours that may be as high: the really
 * highest vertex of P has no higher neighbour, in P or not, so it is the highest of all.
 */
#include "convex/convex_support.h"

enum
{
    MOST_TIES = 24
};

static grz_convex_vertex scan_blocks(const grz_convex_side *side, v3 q)
{
    const grz_convex_table *t = side->body->table;
    double heights[GRZ_CONVEX_SCAN_LIMIT], most[GRZ_CONVEX_BLOCK];
    for (int k = 0; k < GRZ_CONVEX_BLOCK; k++)
        most[k] = -INFINITY;
    for (size_t i = 0; i < t->block_count; i++)
        for (int k = 0; k < GRZ_CONVEX_BLOCK; k++)
        {
            double height = q.x * t->blocks[i][0][k] + q.y * t->blocks[i][1][k] + q.z * t->blocks[i][2][k];
            heights[GRZ_CONVEX_BLOCK * i + (size_t)k] = height;
            most[k] = height > most[k] ? height : most[k];
        }
    for (int width = GRZ_CONVEX_BLOCK / 2; width > 0; width /= 2)
        for (int k = 0; k < width; k++)
            most[k] = most[k + width] > most[k] ? most[k + width] : most[k];
    uint32_t vertex = 0;
    while (vertex + 1 < side->body->vertex_count && heights[vertex] < most[0])
        vertex++;
    return (grz_convex_vertex){vertex, most[0], INFINITY};
}

/* Polytopes of many vertices whose neighbours are unknown. */
static grz_convex_vertex scan_all(const grz_convex_side *side, v3 q)
{
    grz_convex_vertex found = {0, -INFINITY, INFINITY};
    for (size_t v = 0; v < side->body->vertex_count; v++)
    {
        double height = grz_convex_height(q, side->body->vertices[v]);
        if (height > found.height)
            found = (grz_convex_vertex){(uint32_t)v, height, INFINITY};
    }
    return found;
}

static grz_convex_vertex climb(const grz_convex_side *side, v3 q, uint32_t start)
{
    const grz_convex_body *body = side->body;
    const double(*vertices)[3] = body->vertices;
    grz_convex_vertex found = {start, grz_convex_height(q, vertices[start]), 0};
    for (;;)
    {
        uint32_t best = found.vertex;
        double highest = -INFINITY;
        const uint32_t *n = body->neighbours + body->neighbour_starts[found.vertex],
                       *end = body->neighbours + body->neighbour_starts[found.vertex + 1];
        for (; n < end; n++)
        {
            double height = grz_convex_height(q, vertices[*n]);
            best = height > highest ? *n : best;
            highest = height > highest ? height : highest;
        }
        if (!(highest > found.height))
        {
            found.margin = found.height - highest;
            return found;
        }
        found.vertex = best;
        found.height = highest;
    }
}

grz_convex_vertex grz_convex_support(const grz_convex_side *side, v3 q, uint32_t start)
{
    if (side->body->table->block_count > 0)
        return scan_blocks(side, q);
    if (side->body->neighbour_starts == NULL)
        return scan_all(side, q);
    return climb(side, q, start);
}

static bool is_listed(const uint32_t *list, uint32_t count, uint32_t vertex)
{
    for (uint32_t i = 0; i < count; i++)
        if (list[i] == vertex)
            return true;
    return false;
}

double grz_convex_highest(const grz_convex_side *side, v3 q, const grz_convex_vertex *found, double error)
{
    /* shortcut: convex-local-maximum */
    if (found->margin > 2 * error)
        return found->height;
    const grz_convex_body *body = side->body;
    uint32_t ties[MOST_TIES] = {found->vertex}, count = 1;
    double highest = found->height;
    for (uint32_t i = 0; i < count; i++)
    {
        double height = grz_convex_height(q, body->vertices[ties[i]]);
        highest = height > highest ? height : highest;
        for (uint32_t k = body->neighbour_starts[ties[i]]; k < body->neighbour_starts[ties[i] + 1]; k++)
        {
            uint32_t n = body->neighbours[k];
            /* shortcut: convex-ties */
            if (grz_convex_height(q, body->vertices[n]) < height - 2 * error || is_listed(ties, count, n))
                continue;
            if (count == MOST_TIES)
                return scan_all(side, q).height;
            ties[count++] = n;
        }
    }
    return highest;
}

/* Adds |R| |v| to the size; returns the sum of |R_ij|. */
static double add_size(const double *m, const double largest[3], v3 *size)
{
    double r[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            r[i][j] = fabs(m[4 * i + j]);
    size->x += r[0][0] * largest[0] + r[0][1] * largest[1] + r[0][2] * largest[2];
    size->y += r[1][0] * largest[0] + r[1][1] * largest[1] + r[1][2] * largest[2];
    size->z += r[2][0] * largest[0] + r[2][1] * largest[1] + r[2][2] * largest[2];
    return r[0][0] + r[0][1] + r[0][2] + (r[1][0] + r[1][1] + r[1][2]) + (r[2][0] + r[2][1] + r[2][2]);
}

bool grz_convex_prepare(const grz_convex_body *a, const grz_convex_body *b, grz_convex_operands *out_operands)
{
    const double *x = a->pose.m, *y = b->pose.m, *largest_a = a->table->largest, *largest_b = b->table->largest;
    v3 between = v3_make(y[3] - x[3], y[7] - x[7], y[11] - x[11]);
    v3 size = v3_make(fabs(between.x), fabs(between.y), fabs(between.z));
    double rows = add_size(x, largest_a, &size) + add_size(y, largest_b, &size);
    double total = size.x + size.y + size.z;
    double vertices = largest_a[0] + largest_a[1] + largest_a[2] + (largest_b[0] + largest_b[1] + largest_b[2]);
    out_operands->a = (grz_convex_side){a, x, 0};
    out_operands->b = (grz_convex_side){b, y, 0};
    out_operands->between = between;
    out_operands->size = size;
    /* shortcut: convex-range */
    return total > 0x1p-99 && total < 0x1p100 && rows < 0x1p400 && vertices < 0x1p400;
}
