/* SPDX-License-Identifier: MIT */
/* The lattice of a mesh; see lattice.h. */
#include "mesh/lattice.h"

/* The exponent of the finest unit of which the largest extent is less than 2^16. An extent is rounded by less than
   itself, so the result may be too low by one, which costs time only: callers compare extents again. */
static int find_least_exponent(const double lower[3], const double upper[3])
{
    int largest = INT32_MIN;
    for (int axis = 0; axis < 3; axis++)
    {
        int exponent = grz_exponent_of(upper[axis] - lower[axis]);
        largest = exponent > largest ? exponent : largest;
    }
    return largest == INT32_MIN ? INT32_MIN : largest - GRZ_LATTICE_BITS;
}

int grz_find_lattice(const double *coordinates, size_t count, const double lower[3], const double upper[3])
{
    if (!(lower[0] <= upper[0]))
        return GRZ_NO_LATTICE;
    int least = find_least_exponent(lower, upper), exponent = INT32_MAX;
    for (size_t i = 0; i < count && exponent >= least; i++)
    {
        int lowest = grz_lowest_bit_exponent(coordinates[i]);
        exponent = lowest < exponent ? lowest : exponent;
    }
    return exponent == INT32_MAX || exponent < least ? GRZ_NO_LATTICE : exponent;
}
