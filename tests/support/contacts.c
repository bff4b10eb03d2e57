/* SPDX-License-Identifier: MIT */
/* Contacts of triangles; see contacts.h. */
#include "support/contacts.h"

#include <stdio.h>
#include <string.h>

bool contact_equal(const graze_triangle_contact *a, const graze_triangle_contact *b)
{
    return a->found == b->found && a->crossing == b->crossing && a->coplanar == b->coplanar &&
           a->dimension == b->dimension && a->feature_a == b->feature_a && a->feature_b == b->feature_b &&
           a->mask_a == b->mask_a && a->mask_b == b->mask_b;
}

graze_triangle_contact contact_mirror(graze_triangle_contact contact)
{
    graze_triangle_contact mirrored = contact;
    mirrored.feature_a = contact.feature_b;
    mirrored.feature_b = contact.feature_a;
    mirrored.mask_a = contact.mask_b;
    mirrored.mask_b = contact.mask_a;
    return mirrored;
}

unsigned char mask_permute(unsigned char mask, const int order[3])
{
    unsigned permuted = 0;
    for (int i = 0; i < 3; i++)
        if ((mask >> i & 1) != 0)
            permuted |= 1u << order[i];
    return (unsigned char)permuted;
}

void contact_print(const char *label, const graze_triangle_contact *contact)
{
    printf("%s: found %d crossing %d coplanar %d dimension %d features %d %d masks %d %d\n", label, contact->found,
           contact->crossing, contact->coplanar, contact->dimension, (int)contact->feature_a, (int)contact->feature_b,
           contact->mask_a, contact->mask_b);
}

bool intersection_identical(const graze_intersection *a, const graze_intersection *b)
{
    return a->count == b->count && memcmp(a->points, b->points, (size_t)a->count * sizeof a->points[0]) == 0;
}

void random_order(test_random *random, int order[3])
{
    static const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    memcpy(order, orders[random_below(random, 6)], sizeof orders[0]);
}

graze_placed_triangle triangle_permute(const graze_placed_triangle *triangle, const int order[3])
{
    graze_placed_triangle permuted = *triangle;
    for (int i = 0; i < 3; i++)
        permuted.corners[order[i]] = triangle->corners[i];
    return permuted;
}
