/* SPDX-License-Identifier: MIT */
/*
 * Height fields: a grid of heights as a mesh of triangles. The coordinate of column i of n is size (2 i - (n - 1)) /
 * (2 (n - 1)): computed in integers and rounded once, to nearest, so it is the same everywhere, columns that mirror
 * each other have opposite coordinates, and the outer ones are half the size.
 */
#include <string.h>

#include "base/bits.h"
#include "base/memory.h"
#include "exact/integer.h"
#include "shape/create.h"

/* Magnitude of a positive number as mantissa * 2^exponent. */
static uint64_t split(double x, int *out_exponent)
{
    uint64_t bits = grz_bits(x), fraction = bits & GRZ_FRACTION_BITS;
    int biased = (int)(bits >> 52 & 0x7ff);
    *out_exponent = (biased != 0 ? biased : 1) - 1075;
    return biased != 0 ? fraction | UINT64_C(1) << 52 : fraction;
}

static double coordinate(double size, size_t i, size_t count)
{
    size_t twice = 2 * i, last = count - 1;
    if (twice == last)
        return 0;
    int exponent;
    grz_u128 product = (grz_u128)split(size, &exponent) * (twice > last ? twice - last : last - twice);
    uint64_t limbs[2] = {(uint64_t)product, (uint64_t)(product >> 64)}, divisor = 2 * (uint64_t)last;
    grz_integer numerator = {limbs, limbs[1] != 0 ? 2 : 1, twice > last ? 1 : -1}, denominator = {&divisor, 1, 1};
    return grz_integer_quotient(&numerator, &denominator, exponent);
}

static void write_vertices(const double size[2], const double *heights, size_t columns, size_t rows, double *vertices)
{
    for (size_t column = 0; column < columns; column++)
    {
        double x = coordinate(size[0], column, columns);
        for (size_t row = 0; row < rows; row++)
            vertices[3 * (row * columns + column)] = x;
    }
    for (size_t row = 0; row < rows; row++)
    {
        double y = coordinate(size[1], row, rows);
        for (size_t i = row * columns; i < (row + 1) * columns; i++)
        {
            vertices[3 * i + 1] = y;
            vertices[3 * i + 2] = heights[i];
        }
    }
}

/* Triangles are counter-clockwise as seen from above. */
static void write_corners(size_t columns, size_t rows, uint32_t *corners)
{
    for (size_t row = 0; row + 1 < rows; row++)
        for (size_t column = 0; column + 1 < columns; column++)
        {
            uint32_t least = (uint32_t)(row * columns + column), beside = least + 1;
            uint32_t above = least + (uint32_t)columns, opposite = above + 1;
            const uint32_t cell[6] = {least, beside, opposite, least, opposite, above};
            memcpy(corners, cell, sizeof cell);
            corners += 6;
        }
}

static graze_status make_mesh(graze_shape *shape, const double size[2], const double *heights, size_t columns,
                              size_t rows)
{
    size_t vertex_count = columns * rows, triangle_count = 2 * (columns - 1) * (rows - 1);
    double *vertices = grz_allocate(&shape->context, vertex_count, 3 * sizeof *vertices);
    uint32_t *corners = grz_allocate(&shape->context, triangle_count, 3 * sizeof *corners);
    graze_status status = GRAZE_STATUS_OUT_OF_MEMORY;
    if (vertices != NULL && corners != NULL)
    {
        write_vertices(size, heights, columns, rows, vertices);
        write_corners(columns, rows, corners);
        graze_mesh_def def = graze_mesh_def_default();
        def.vertices = vertices;
        def.vertex_count = vertex_count;
        def.corners = corners;
        def.corner_count = 3 * triangle_count;
        status = grz_shape_set_mesh(shape, &def);
    }
    grz_release(&shape->context, vertices);
    grz_release(&shape->context, corners);
    return status;
}

static graze_status check(const double size[2], const double *heights, size_t columns, size_t rows)
{
    if (columns < 2 || rows < 2)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (columns > UINT32_MAX / 6 / rows) /* six corners a cell */
        return GRAZE_STATUS_TOO_LARGE;
    graze_status status = grz_check_sizes(size, 2);
    if (status == GRAZE_STATUS_OK && (grz_is_zero(size[0]) || grz_is_zero(size[1])))
        status = GRAZE_STATUS_BAD_ARGUMENT;
    return status == GRAZE_STATUS_OK ? grz_check_numbers(heights, columns * rows) : status;
}

graze_status graze_shape_create_height_field(const graze_context *context, const double size[2], const double *heights,
                                             size_t columns, size_t rows, graze_shape **out_shape)
{
    if (size == NULL || heights == NULL || out_shape == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_status status = check(size, heights, columns, rows);
    graze_shape *shape = grz_shape_start(context, GRAZE_SHAPE_HEIGHT_FIELD, GRZ_FORM_CORE, status);
    if (shape != NULL)
    {
        const double numbers[4] = {size[0], size[1], (double)columns, (double)rows};
        memcpy(shape->numbers, numbers, sizeof numbers);
        shape->number_count = 4;
        status = make_mesh(shape, size, heights, columns, rows);
    }
    return grz_shape_finish_with(shape, status, out_shape);
}
