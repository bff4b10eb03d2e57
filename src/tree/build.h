/* SPDX-License-Identifier: MIT */
/*
 * The two halves of building a tree: splitting triangles into a hierarchy by the surface area heuristic
 * (build_split.c), and writing nodes and leaves in their final layout (build.c).
 */
#ifndef GRZ_TREE_BUILD_H
#define GRZ_TREE_BUILD_H

#include <stddef.h>
#include <stdint.h>

#include "base/strict.h"

/* A triangle's box in tree coordinates, rounded outward. Two 16-byte halves, so that each moves as one. */
typedef struct grz_reference
{
    _Alignas(16) float lower[3];
    uint32_t triangle;
    float upper[3];
    uint32_t unused;
} grz_reference;

/* A run of references and the box around them. */
typedef struct grz_range
{
    size_t first, count;
    float lower[3], upper[3];
    int scattered; /* few triangles in a box that is mostly empty: worth splitting although they would fit a leaf */
} grz_range;

grz_range grz_range_make(const grz_reference *references, size_t first, size_t count);

/* Half the surface of the range's box. */
float grz_range_area(const grz_range *range);

/* Splits a range in two, reordering its references. `balanced` asks for equal halves, which bounds the depth.
   Deterministic: depends only on the references and their order. */
void grz_range_split(grz_reference *references, const grz_range *range, uint32_t leaf_size, int balanced,
                     grz_range out_halves[2]);

#endif
