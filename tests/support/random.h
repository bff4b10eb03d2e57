/* SPDX-License-Identifier: MIT */
/*
 * Seeded random numbers for tests (Steele, Lea, Flood: SplitMix64, 2014). The same seed gives the same tests on every
 * machine. GRAZE_TEST_SEED in the environment replaces the built-in seed; every test prints the one it used.
 */
#ifndef SUPPORT_RANDOM_H
#define SUPPORT_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct test_random
{
    uint64_t state;
} test_random;

/* Reads the environment, prints the seed together with the name of the test. */
test_random test_random_start(const char *test_name, uint64_t default_seed);

uint64_t random_next(test_random *random);

/* From 0 to bound - 1. */
int random_below(test_random *random, int bound);

/* From low to high, both included. */
int random_between(test_random *random, int low, int high);

/* True once in `odds` times. */
bool random_once_in(test_random *random, int odds);

/* Uniform in [0, 1), and in [low, high). */
double random_unit(test_random *random);
double random_real(test_random *random, double low, double high);

/* Any finite double: every bit pattern is equally likely. */
double random_bits_double(test_random *random);

#endif
