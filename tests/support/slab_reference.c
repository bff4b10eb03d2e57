/* SPDX-License-Identifier: MIT */
/* Boxes with slabs in doubles; see slab_reference.h. */
#include "support/slab_reference.h"

#include <float.h>
#include <math.h>

double dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void cross3(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

double span_gap(span a, span b)
{
    return fmax(a.lowest - b.highest, b.lowest - a.highest);
}

void random_slab_boxes(grz_random *random, double extent, double half, grz_boxes8 *boxes)
{
    for (int lane = 0; lane < GRZ_LANES; lane++)
    {
        bool absent = grz_random_below(random, 16) == 0, slab = grz_random_below(random, 4) != 0;
        double normal[3];
        for (int k = 0; k < 3; k++)
        {
            double centre = grz_random_between(random, -extent, extent), size = grz_random_between(random, 0, half);
            size = grz_random_below(random, 8) == 0 ? 0 : size;
            boxes->lower[k][lane] = absent ? INFINITY : (float)(centre - size);
            boxes->upper[k][lane] = absent ? -INFINITY : (float)(centre + size);
            normal[k] = grz_random_between(random, -1, 1);
        }
        for (int k = 0; k < 3; k++)
            boxes->normal[k][lane] = slab ? (float)(normal[k] / sqrt(dot3(normal, normal))) : 0;
        double height = grz_random_between(random, -extent, extent), width = grz_random_between(random, 0, half);
        boxes->slab_lower[lane] = slab ? (float)(height - width) : -FLT_MAX;
        boxes->slab_upper[lane] = slab ? (float)(height + width) : FLT_MAX;
    }
}

bool is_absent(const grz_boxes8 *boxes, unsigned lane)
{
    return boxes->lower[0][lane] > boxes->upper[0][lane];
}

bool has_slab(const grz_boxes8 *boxes, unsigned lane)
{
    return boxes->slab_upper[lane] < FLT_MAX;
}

void random_margin_map(grz_random *random, double margin, grz_float_transform *map)
{
    for (int i = 0; i < 9; i++)
        map->matrix[i / 3][i % 3] = (float)grz_random_between(random, -1, 1);
    for (int k = 0; k < 3; k++)
    {
        map->offset[k] = (float)grz_random_between(random, -0.5, 0.5);
        map->margin[k] = (float)grz_random_between(random, 0, margin);
    }
    map->slab_margin = (float)grz_random_between(random, 0, margin);
}

span span_of_axis(const grz_boxes8 *boxes, unsigned lane, int axis)
{
    return (span){boxes->lower[axis][lane], boxes->upper[axis][lane]};
}

span span_along_direction(const grz_boxes8 *boxes, unsigned lane, const double w[3])
{
    double m[3], middle = 0, extent = 0;
    for (int i = 0; i < 3; i++)
        m[i] = boxes->normal[i][lane];
    double k = dot3(w, m);
    for (int i = 0; i < 3; i++)
    {
        span box = span_of_axis(boxes, lane, i);
        double rest = w[i] - k * m[i];
        middle += rest * 0.5 * (box.lowest + box.highest);
        extent += fabs(rest) * 0.5 * (box.highest - box.lowest);
    }
    double one = k * boxes->slab_lower[lane], other = k * boxes->slab_upper[lane];
    return (span){middle + fmin(one, other) - extent, middle + fmax(one, other) + extent};
}

span span_seen(const grz_boxes8 *boxes, unsigned lane, const grz_float_transform *map, int axis)
{
    double middle = map->offset[axis], extent = map->margin[axis];
    for (int j = 0; j < 3; j++)
    {
        span box = span_of_axis(boxes, lane, j);
        middle += map->matrix[axis][j] * 0.5 * (box.lowest + box.highest);
        extent += fabs((double)map->matrix[axis][j]) * 0.5 * (box.highest - box.lowest);
    }
    return (span){middle - extent, middle + extent};
}

double slab_gap_of(const grz_boxes8 *own, unsigned lane, const grz_float_transform *back, const grz_boxes8 *others,
                   unsigned other)
{
    double w[3] = {0, 0, 0}, shift = 0;
    if (!has_slab(own, lane))
        return -1;
    for (int k = 0; k < 3; k++)
    {
        double n = own->normal[k][lane];
        shift += n * back->offset[k];
        for (int j = 0; j < 3; j++)
            w[j] += back->matrix[k][j] * n;
    }
    span slab = {(double)own->slab_lower[lane] - shift - (double)back->slab_margin,
                 (double)own->slab_upper[lane] - shift + (double)back->slab_margin};
    return span_gap(slab, span_along_direction(others, other, w));
}

void leaf_corner(const grz_triangles8 *leaf, int c, unsigned lane, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = (double)leaf->unit * leaf->corners[c][k][lane];
}

void mapped_corner(const grz_triangles8 *leaf, int c, unsigned lane, const grz_float_transform *map, double out[3])
{
    double q[3];
    leaf_corner(leaf, c, lane, q);
    for (int k = 0; k < 3; k++)
    {
        out[k] = map->offset[k];
        for (int j = 0; j < 3; j++)
            out[k] += map->matrix[k][j] * (leaf->centre[j] + q[j]);
    }
}
