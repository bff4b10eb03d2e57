/* SPDX-License-Identifier: MIT */
/* Tables of polytopes; see convex_table.h. */
#include "convex/convex_table.h"

#include <math.h>

static double height_of(const double v[3], const double q[3])
{
    return q[0] * v[0] + q[1] * v[1] + q[2] * v[2];
}

static void find_bounds(const grz_convex_body *body, grz_convex_table *t)
{
    for (int axis = 0; axis < 3; axis++)
    {
        double lower = INFINITY, upper = -INFINITY;
        for (size_t v = 0; v < body->vertex_count; v++)
        {
            double x = body->vertices[v][axis];
            lower = x < lower ? x : lower;
            upper = x > upper ? x : upper;
        }
        t->lower[axis] = lower;
        t->upper[axis] = upper;
        double largest = fmax(fabs(lower), fabs(upper));
        t->largest[axis] = largest > 0x1p400 ? INFINITY : fmax(largest, 0x1p-400);
    }
}

/* Different vertices, each coordinate at an end: eight of them are all corners. */
static bool is_box(const grz_convex_body *body, const grz_convex_table *t)
{
    unsigned corners = 0;
    if (body->vertex_count != 8)
        return false;
    for (size_t v = 0; v < 8; v++)
    {
        unsigned corner = 0;
        for (int axis = 0; axis < 3; axis++)
        {
            double x = body->vertices[v][axis];
            if (x != t->lower[axis] && x != t->upper[axis])
                return false;
            corner |= (unsigned)(x == t->upper[axis]) << axis;
        }
        corners |= 1u << corner;
    }
    return corners == 0xff;
}

static void fill_blocks(const grz_convex_body *body, grz_convex_table *t)
{
    t->block_count = (body->vertex_count + GRZ_CONVEX_BLOCK - 1) / GRZ_CONVEX_BLOCK;
    for (size_t i = 0; i < t->block_count * GRZ_CONVEX_BLOCK; i++)
    {
        size_t v = i < body->vertex_count ? i : body->vertex_count - 1;
        for (int axis = 0; axis < 3; axis++)
            t->blocks[i / GRZ_CONVEX_BLOCK][axis][i % GRZ_CONVEX_BLOCK] = body->vertices[v][axis];
    }
}

static uint32_t highest_neighbour(const grz_convex_body *body, uint32_t vertex, const double q[3])
{
    double best = height_of(body->vertices[vertex], q);
    for (bool better = true; better;)
    {
        uint32_t from = vertex;
        better = false;
        for (uint32_t i = body->neighbour_starts[from]; i < body->neighbour_starts[from + 1]; i++)
        {
            double height = height_of(body->vertices[body->neighbours[i]], q);
            if (height > best)
            {
                best = height;
                vertex = body->neighbours[i];
                better = true;
            }
        }
    }
    return vertex;
}

/* They only guide: a start that is not near costs steps. */
static void fill_starts(const grz_convex_body *body, grz_convex_table *t)
{
    uint32_t vertex = 0;
    for (int side = 0; side < 6; side++)
        for (int i = 0; i < GRZ_CONVEX_CELLS; i++)
            for (int k = 0; k < GRZ_CONVEX_CELLS; k++)
            {
                double q[3];
                int axis = side / 2;
                q[axis] = side % 2 == 0 ? 1 : -1;
                q[(axis + 1) % 3] = (2 * i + 1) * (1.0 / GRZ_CONVEX_CELLS) - 1;
                q[(axis + 2) % 3] = (2 * k + 1) * (1.0 / GRZ_CONVEX_CELLS) - 1;
                if (body->neighbour_starts != NULL)
                    vertex = highest_neighbour(body, vertex, q);
                t->starts[side][i][k] = vertex;
            }
}

void grz_convex_table_make(const grz_convex_body *body, grz_convex_table *out_table)
{
    find_bounds(body, out_table);
    out_table->is_box = is_box(body, out_table);
    out_table->block_count = 0;
    if (body->vertex_count <= GRZ_CONVEX_SCAN_LIMIT)
        fill_blocks(body, out_table);
    fill_starts(body, out_table);
}
