/* SPDX-License-Identifier: MIT */
/*
 * The tetra-flake: on every free face of a tetrahedron T grows a smaller one C, on C's three free faces again smaller
 * ones, and so on. With W = 15/32, C's corners on the face a, b, c are the three points W(a + b) + (1 - 2W)c, strictly
 * inside it, and its tip is W(a + b + c) - (3W - 1)d, where d is T's fourth corner: C is T mirrored at the face's
 * centre g and shrunk by r = 3W - 1 = 13/32. All weights are multiples of 1/32, so down to depth 10 the flake is exact
 * in doubles before it is scaled, and its faces are exactly flat when `size` is a power of two.
 *
 * Why it never touches itself: T is inscribed in a cube; the part of the cube beyond a face is that face's cap. The
 * four caps of T share only edges of T. Take T's cube as [-1, 1]^3 and the face x + y + z = -1. C's cube reaches down
 * to -1/3 - 4r/3 in each coordinate, above -1 as r < 1/2, and the caps of C's free faces have their tips at x + y + z =
 * -1 - 2r, so these caps lie in the cap of the face, meeting its border only in the edges of C's base. Whatever grows
 * on C stays in C's caps, by induction, hence away from C's edges and from the border of T's cap.
 */
#include "graze/generate.h"
#include "mesh/shape_builder.h"

static const double weight = 15.0 / 32;

static v3 point_of(const grz_shape *shape, uint32_t vertex)
{
    return v3_load(shape->vertices + 3 * (size_t)vertex);
}

/* Adds the flake on one face, still in the cube [-1, 1]^3. */
static void grow(grz_shape *shape, const uint32_t face[3], uint32_t opposite, uint32_t depth)
{
    if (depth == 0)
    {
        grz_shape_triangle(shape, face[0], face[1], face[2]);
        return;
    }
    v3 corners[3], sum = {0, 0, 0};
    for (int k = 0; k < 3; k++)
    {
        corners[k] = point_of(shape, face[k]);
        sum = v3_add(sum, corners[k]);
    }
    /* child[k] is the corner near the side that face[k] does not belong to. */
    uint32_t child[4];
    for (int k = 0; k < 3; k++)
        child[k] = grz_shape_vertex(
            shape, v3_add(v3_scale(weight, v3_sub(sum, corners[k])), v3_scale(1 - 2 * weight, corners[k])));
    child[3] =
        grz_shape_vertex(shape, v3_sub(v3_scale(weight, sum), v3_scale(3 * weight - 1, point_of(shape, opposite))));
    for (int k = 0; k < 3; k++)
    {
        int next = (k + 1) % 3, last = (k + 2) % 3;
        grz_shape_triangle(shape, face[next], face[last], child[k]);
        grz_shape_triangle(shape, face[k], child[last], child[next]);
    }
    for (int k = 0; k < 3; k++)
    {
        uint32_t side[3] = {child[k], child[(k + 1) % 3], child[3]};
        grow(shape, side, child[(k + 2) % 3], depth - 1);
    }
}

graze_status graze_mesh_create_tetraflake(const graze_context *context, double size, uint32_t depth,
                                          graze_mesh **out_mesh)
{
    if (out_mesh == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (!grz_size_valid(size))
        return GRAZE_STATUS_BAD_ARGUMENT;
    uint64_t power = 1; /* of three */
    for (uint32_t level = 0; level < depth && power < UINT32_MAX; level++)
        power *= 3;
    grz_shape shape;
    graze_status status = grz_shape_begin(&shape, context, 8 * power - 4, 16 * power - 12);
    if (status != GRAZE_STATUS_OK)
        return status;
    grz_shape_vertex(&shape, v3_make(1, 1, 1));
    grz_shape_vertex(&shape, v3_make(1, -1, -1));
    grz_shape_vertex(&shape, v3_make(-1, 1, -1));
    grz_shape_vertex(&shape, v3_make(-1, -1, 1));
    static const uint32_t faces[4][4] = {{1, 3, 2, 0}, {0, 2, 3, 1}, {0, 3, 1, 2}, {0, 1, 2, 3}};
    for (int face = 0; face < 4; face++)
        grow(&shape, faces[face], faces[face][3], depth);
    for (size_t i = 0; i < 3 * shape.vertex_count; i++)
        shape.vertices[i] *= size / 2;
    return grz_shape_finish(&shape, NULL, out_mesh);
}
