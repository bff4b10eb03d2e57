/* SPDX-License-Identifier: MIT */
/* Certificates for tests: moving meshes with room between them, binary forms changed on purpose, and what the checker
 * in Python says of them. */
#ifndef SUPPORT_CERTIFICATES_H
#define SUPPORT_CERTIFICATES_H

#include <stdbool.h>

#include "graze/certificate.h"
#include "support/random.h"

/* Two meshes and their motions. */
typedef struct moving_pair
{
    graze_mesh *meshes[2];
    graze_moving_mesh moving[2];
} moving_pair;

/* Two gears that mesh with some backlash, for part `part` of `parts` of a turn of the first. */
moving_pair moving_gears(double backlash, int part, int parts);

/* Two small boxes: one blended past the other, which turns in place. Their least gap is above 0.1. */
moving_pair moving_boxes(void);
void moving_pair_release(moving_pair *pair);

/* The binary form of a proof of this clearance, which must be found; free it with free. */
unsigned char *proof_of(const moving_pair *pair, double clearance, size_t *out_size);

/* Gives bytes of the binary form the seal that fits them. */
void proof_seal(unsigned char *bytes, size_t size);

/* What the library says of the binary form of one certificate: valid or not, also when it cannot be loaded. */
bool proof_is_valid(const unsigned char *bytes, size_t size, const moving_pair *pair);

/* Changes something in `bytes`, which have room for one cell more: numbers, cells, their order, motions, orders, the
   claim. Returns the new size, with a seal that fits, and names what was done. */
size_t proof_mutate(test_random *random, unsigned char *bytes, size_t size, const char **out_what);

#endif
