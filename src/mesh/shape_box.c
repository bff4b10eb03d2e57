/* SPDX-License-Identifier: MIT */
/*
 * The box. Its vertices are the points of a lattice of (segments + 1)^3 that lie on the surface, numbered layer by
 * layer from below: the bottom in full, of every layer between only its border, then the top in full.
 */
#include "graze/generate.h"
#include "mesh/shape_builder.h"

typedef struct lattice
{
    uint32_t segments;
    double size[3];
} lattice;

static void add_point(grz_shape *shape, const lattice *box, uint32_t i, uint32_t j, uint32_t k)
{
    uint32_t at[3] = {i, j, k};
    double p[3];
    for (int axis = 0; axis < 3; axis++)
        p[axis] = box->size[axis] * ((2.0 * at[axis] - box->segments) / (2.0 * box->segments));
    grz_shape_vertex(shape, v3_load(p));
}

static void add_points(grz_shape *shape, const lattice *box)
{
    uint32_t n = box->segments;
    for (uint32_t k = 0; k <= n; k++)
    {
        if (k == 0 || k == n)
        {
            for (uint32_t j = 0; j <= n; j++)
                for (uint32_t i = 0; i <= n; i++)
                    add_point(shape, box, i, j, k);
            continue;
        }
        for (uint32_t i = 0; i < n; i++)
            add_point(shape, box, i, 0, k);
        for (uint32_t j = 0; j < n; j++)
            add_point(shape, box, n, j, k);
        for (uint32_t i = n; i > 0; i--)
            add_point(shape, box, i, n, k);
        for (uint32_t j = n; j > 0; j--)
            add_point(shape, box, 0, j, k);
    }
}

/* The number that add_points gave to a point of the surface. */
static uint32_t number_of(const lattice *box, const uint32_t at[3])
{
    uint32_t n = box->segments, i = at[0], j = at[1], k = at[2];
    if (k == 0)
        return j * (n + 1) + i;
    uint32_t start = (n + 1) * (n + 1) + (k - 1) * 4 * n;
    if (k == n)
        return start + j * (n + 1) + i;
    if (j == 0 && i < n)
        return start + i;
    if (i == n && j < n)
        return start + n + j;
    if (j == n && i > 0)
        return start + 2 * n + (n - i);
    return start + 3 * n + (n - j);
}

/* One side: all points whose coordinate `axis` is `level`, which is 0 or segments. */
static void add_side(grz_shape *shape, const lattice *box, int axis, uint32_t level)
{
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    uint32_t at[3];
    at[axis] = level;
    for (uint32_t b = 0; b < box->segments; b++)
        for (uint32_t a = 0; a < box->segments; a++)
        {
            uint32_t corners[4];
            for (uint32_t c = 0; c < 4; c++)
            {
                at[u] = a + (c == 1 || c == 2);
                at[v] = b + (c >= 2);
                corners[c] = number_of(box, at);
            }
            if (level == 0)
                grz_shape_quad(shape, corners[0], corners[3], corners[2], corners[1]);
            else
                grz_shape_quad(shape, corners[0], corners[1], corners[2], corners[3]);
        }
}

graze_status graze_mesh_create_box(const graze_context *context, double size_x, double size_y, double size_z,
                                   uint32_t segments, graze_mesh **out_mesh)
{
    if (out_mesh == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (!grz_size_valid(size_x) || !grz_size_valid(size_y) || !grz_size_valid(size_z) || segments == 0)
        return GRAZE_STATUS_BAD_ARGUMENT;
    uint64_t squares = grz_count_times(6, grz_count_times(segments, segments));
    grz_shape shape;
    graze_status status = grz_shape_begin(&shape, context, squares + 2, 2 * squares);
    if (status != GRAZE_STATUS_OK)
        return status;
    lattice box = {segments, {size_x, size_y, size_z}};
    add_points(&shape, &box);
    for (int axis = 0; axis < 3; axis++)
    {
        add_side(&shape, &box, axis, 0);
        add_side(&shape, &box, axis, segments);
    }
    return grz_shape_finish(&shape, NULL, out_mesh);
}
