/* SPDX-License-Identifier: MIT */
/* Sorting points into a k-d tree; see kd_sort.h. */
#include "mesh/kd_sort.h"

size_t grz_kd_leaf_count(size_t point_count)
{
    size_t leaf_count = 1;
    while (leaf_count * GRZ_KD_LEAF_SIZE < point_count)
        leaf_count *= 2;
    return leaf_count;
}

static int longest_axis(const grz_kd_point *points, size_t count)
{
    int longest = 0;
    double largest = -1;
    for (int axis = 0; axis < 3; axis++)
    {
        double lower = points[0].position[axis], upper = lower;
        for (size_t p = 1; p < count; p++)
        {
            double x = points[p].position[axis];
            lower = x < lower ? x : lower;
            upper = x > upper ? x : upper;
        }
        if (upper - lower > largest)
        {
            longest = axis;
            largest = upper - lower;
        }
    }
    return longest;
}

/* Quickselect (Hoare's find): moves the points so that along the axis none before `middle` is greater than any from
   there on. The pivots come from a fixed sequence, so that no sorted input is slow and every run is the same. */
static void split(grz_kd_point *points, size_t count, size_t middle, int axis)
{
    size_t first = 0, end = count;
    uint64_t state = count;
    while (end - first > 1)
    {
        state = state * 6364136223846793005u + 1442695040888963407u;
        double pivot = points[first + (size_t)((state >> 33) % (end - first))].position[axis];
        /* Smaller ones to [first, low), equal ones to [low, high), larger ones to [high, end). */
        size_t low = first, high = end;
        for (size_t i = first; i < high;)
        {
            grz_kd_point point = points[i];
            if (point.position[axis] < pivot)
            {
                points[i++] = points[low];
                points[low++] = point;
            }
            else if (point.position[axis] > pivot)
            {
                points[i] = points[--high];
                points[high] = point;
            }
            else
                i++;
        }
        if (middle < low)
            end = low;
        else if (middle >= high)
            first = high;
        else
            return;
    }
}

static void sort_leaves(grz_kd_point *points, size_t count, size_t leaf_count)
{
    size_t middle = leaf_count / 2 * GRZ_KD_LEAF_SIZE;
    if (leaf_count == 1)
        return;
    if (count > middle)
    {
        split(points, count, middle, longest_axis(points, count));
        sort_leaves(points + middle, count - middle, leaf_count / 2);
        count = middle;
    }
    sort_leaves(points, count, leaf_count / 2);
}

void grz_kd_sort(grz_kd_point *points, size_t count)
{
    sort_leaves(points, count, grz_kd_leaf_count(count));
}
