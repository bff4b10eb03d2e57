/* SPDX-License-Identifier: MIT */
/*
 * Seeded random numbers: the same seed gives the same sequence everywhere. The generator is SplitMix64 (Steele, Lea and
 * Flood, "Fast splittable pseudorandom number generators", 2014): a Weyl sequence whose terms are mixed. All seeds are
 * equally good; not for cryptography.
 */
#ifndef GRZ_BASE_RANDOM_H
#define GRZ_BASE_RANDOM_H

#include <stdint.h>

typedef struct grz_random
{
    uint64_t state;
} grz_random;

grz_random grz_random_make(uint64_t seed);

/* 64 random bits. */
uint64_t grz_random_next(grz_random *random);

/* Every number below `limit` with the same probability; `limit` is not 0. */
uint64_t grz_random_below(grz_random *random, uint64_t limit);

/* A multiple of 2^-53 in [0, 1). */
double grz_random_unit(grz_random *random);

/* A number between `lower` and `upper`. */
double grz_random_between(grz_random *random, double lower, double upper);

#endif
