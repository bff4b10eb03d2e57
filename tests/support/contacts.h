/* SPDX-License-Identifier: MIT */
/* Contacts of triangles: comparing, mirroring and printing them. */
#ifndef SUPPORT_CONTACTS_H
#define SUPPORT_CONTACTS_H

#include "graze/exact.h"
#include "support/generators.h"

bool contact_equal(const graze_triangle_contact *a, const graze_triangle_contact *b);

/* The contact with A and B exchanged. */
graze_triangle_contact contact_mirror(graze_triangle_contact contact);

/* The mask after corner i of the triangle has become corner order[i]. */
unsigned char mask_permute(unsigned char mask, const int order[3]);

void contact_print(const char *label, const graze_triangle_contact *contact);

/* The same points, bit by bit, in the same order. */
bool intersection_identical(const graze_intersection *a, const graze_intersection *b);

/* One of the six orders of three corners. */
void random_order(test_random *random, int order[3]);

/* The triangle whose corner order[i] is corner i of the given one. */
graze_placed_triangle triangle_permute(const graze_placed_triangle *triangle, const int order[3]);

#endif
