// SPDX-License-Identifier: MIT
//
// A triangle test in plain double arithmetic, without error bounds: for peers that find pairs of boxes and leave the
// triangles to their user. It rounds, and so it may be wrong.
#ifndef LAB_PEERS_TRIANGLE_H
#define LAB_PEERS_TRIANGLE_H

#include <algorithm>

namespace lab
{

struct Point
{
    double x, y, z;
};

inline Point operator-(Point a, Point b)
{
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}

inline Point cross(Point a, Point b)
{
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

inline double dot(Point a, Point b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

// The sides of the first triangle's plane on which the other's corners are; false when all are on one.
inline bool reaches_plane(const Point *triangle, const Point *other, double sides[3])
{
    Point normal = cross(triangle[1] - triangle[0], triangle[2] - triangle[0]);
    for (int i = 0; i < 3; i++)
        sides[i] = dot(normal, other[i] - triangle[0]);
    return !(sides[0] > 0 && sides[1] > 0 && sides[2] > 0) && !(sides[0] < 0 && sides[1] < 0 && sides[2] < 0);
}

// Whether an edge that meets the plane of a triangle does so inside it: its line passes all three sides with the same
// orientation.
inline bool edge_pierces(Point from, Point to, const Point *triangle)
{
    Point direction = to - from, c[3] = {triangle[0] - from, triangle[1] - from, triangle[2] - from};
    double s0 = dot(direction, cross(c[0], c[1])), s1 = dot(direction, cross(c[1], c[2])),
           s2 = dot(direction, cross(c[2], c[0]));
    return (s0 >= 0 && s1 >= 0 && s2 >= 0) || (s0 <= 0 && s1 <= 0 && s2 <= 0);
}

inline bool separated_along(Point axis, const Point *a, const Point *b)
{
    double pa[3], pb[3];
    for (int i = 0; i < 3; i++)
    {
        pa[i] = dot(axis, a[i]);
        pb[i] = dot(axis, b[i]);
    }
    return *std::max_element(pa, pa + 3) < *std::min_element(pb, pb + 3) ||
           *std::max_element(pb, pb + 3) < *std::min_element(pa, pa + 3);
}

// For triangles with corners in each other's planes: all separating axis candidates.
inline bool meet_by_axes(const Point *a, const Point *b)
{
    Point normal_a = cross(a[1] - a[0], a[2] - a[0]), normal_b = cross(b[1] - b[0], b[2] - b[0]);
    for (int i = 0; i < 3; i++)
    {
        Point edge_a = a[(i + 1) % 3] - a[i], edge_b = b[(i + 1) % 3] - b[i];
        if (separated_along(cross(normal_a, edge_a), a, b) || separated_along(cross(normal_b, edge_b), a, b))
            return false;
        for (int j = 0; j < 3; j++)
        {
            if (separated_along(cross(edge_a, b[(j + 1) % 3] - b[j]), a, b))
                return false;
        }
    }
    return true;
}

inline bool triangles_meet(const Point *a, const Point *b)
{
    double of_b[3], of_a[3];
    if (!reaches_plane(a, b, of_b) || !reaches_plane(b, a, of_a))
        return false;
    for (int i = 0; i < 3; i++)
    {
        if (of_a[i] == 0 || of_b[i] == 0)
            return meet_by_axes(a, b);
    }
    for (int i = 0; i < 3; i++)
    {
        int j = (i + 1) % 3;
        if ((of_b[i] * of_b[j] < 0 && edge_pierces(b[i], b[j], a)) ||
            (of_a[i] * of_a[j] < 0 && edge_pierces(a[i], a[j], b)))
            return true;
    }
    return false;
}

} // namespace lab

#endif
