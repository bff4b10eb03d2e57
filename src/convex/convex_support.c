/* SPDX-License-Identifier: MIT */
/* The rarer parts of supports; see convex_support.h. */
#include "convex/convex_support.h"

enum
{
    MOST_TIES = 24
};

grz_convex_vertex grz_convex_scan_all(const grz_convex_body *body, v3 q)
{
    grz_convex_vertex found = {0, -INFINITY, INFINITY};
    for (size_t v = 0; v < body->vertex_count; v++)
    {
        double height = grz_convex_height(q, body->vertices[v]);
        if (height > found.height)
            found = (grz_convex_vertex){(uint32_t)v, height, INFINITY};
    }
    return found;
}

/* The same heights again, up to the first that is the highest. The last vertex fills its block. */
uint32_t grz_convex_found(const grz_convex_body *body, v3 q, const grz_convex_vertex *found)
{
    if (found->vertex != GRZ_CONVEX_NOT_YET)
        return found->vertex;
    f64x2 highest = f64x2_splat(found->height);
    for (size_t i = 0; i < body->table->block_count; i++)
        for (int k = 0; k < GRZ_CONVEX_BLOCK; k += 2)
        {
            unsigned lower = f64x2_gt_bits(highest, grz_convex_block_heights(body->table->blocks[i], k, q));
            if (lower == 3)
                continue;
            size_t vertex = GRZ_CONVEX_BLOCK * i + (size_t)k + (lower & 1);
            return (uint32_t)(vertex < body->vertex_count ? vertex : body->vertex_count - 1);
        }
    return 0;
}

static bool is_listed(const uint32_t *list, uint32_t count, uint32_t vertex)
{
    for (uint32_t i = 0; i < count; i++)
        if (list[i] == vertex)
            return true;
    return false;
}

double grz_convex_highest_of_ties(const grz_convex_body *body, v3 q, const grz_convex_vertex *found, double error)
{
    uint32_t ties[MOST_TIES] = {found->vertex}, count = 1;
    double highest = found->height, double_error = 2 * error;
    for (uint32_t i = 0; i < count; i++)
    {
        double height = grz_convex_height(q, body->vertices[ties[i]]);
        highest = height > highest ? height : highest;
        for (uint32_t k = body->neighbour_starts[ties[i]]; k < body->neighbour_starts[ties[i] + 1]; k++)
        {
            uint32_t n = body->neighbours[k];
            /* shortcut: convex-ties */
            if (grz_convex_height(q, body->vertices[n]) < height - double_error || is_listed(ties, count, n))
                continue;
            if (count == MOST_TIES)
                return grz_convex_scan_all(body, q).height;
            ties[count++] = n;
        }
    }
    return highest;
}
