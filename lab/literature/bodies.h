/* SPDX-License-Identifier: MIT */
/*
 * Bodies of Zachmann 1994 with polygons as faces, in [-1, 1]^3: surfaces of revolution and tetra-flakes. Their faces
 * are exactly flat: radii, sines and cosines have so few bits that a product of two is exact, and so the two parallel
 * sides of a quadrangle are multiples of one vector.
 */
#ifndef LAB_LITERATURE_BODIES_H
#define LAB_LITERATURE_BODIES_H

#include <stdbool.h>
#include <stddef.h>

#include "graze/graze.h"

typedef enum lit_shape
{
    LIT_SPHERE,
    LIT_CONE,
    LIT_TORUS,
    LIT_HYPERBOLOID,
    LIT_FLAKE
} lit_shape;

/* A body of about as many faces: spheres and tori (x + 1)(x + 2), hyperboloids x^2 + 2, cones any number, flakes
   6 * 3^depth - 2. */
bool lit_make_body(lit_shape shape, uint32_t faces, graze_mesh **out_mesh);

const char *lit_shape_name(lit_shape shape); /* "spheres", "cones", ... */

/* The walls of a cage whose inner sides lie `half` from the middle: six boxes of six faces, with `thickness`. */
bool lit_make_walls(double half, double thickness, graze_mesh *walls[6]);

/* Ten bodies of 132 to 1456 faces and the six walls of their cage, 4,121 faces in all; `edge` as in cage_record. */
bool lit_make_ten(double edge, graze_mesh *meshes[16]);

/* Destroys meshes, NULL ones too. */
void lit_destroy(graze_mesh **meshes, size_t count);

#endif
