/* SPDX-License-Identifier: MIT */
/*
 * From the units and the frame of a prepared pair back to the world.
 */
#ifndef GRZ_CONVEX_CURVED_WORLD_H
#define GRZ_CONVEX_CURVED_WORLD_H

#include "convex/curved_pair.h"

/* Bounds of lengths that are 0 or more, rounded outward where the range ends; an upper one may be infinite. */
double grz_curved_lower_to_world(double length, int exponent);
double grz_curved_upper_to_world(double length, int exponent);

/* The same of numbers with a sign. */
double grz_curved_signed_lower_to_world(double value, int exponent);
double grz_curved_signed_upper_to_world(double value, int exponent);

/* Rounded. */
double grz_curved_length_to_world(double length, int exponent);

/* A point, rounded; `first` is the first body of the pair. */
void grz_curved_point_to_world(const grz_curved_pair *pair, const grz_convex_body *first, v3 point, double out[3]);

#endif
