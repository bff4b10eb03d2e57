/* SPDX-License-Identifier: MIT */
/* Seeded random numbers; see random.h. */
#include "base/random.h"

grz_random grz_random_make(uint64_t seed)
{
    grz_random random = {seed};
    return random;
}

uint64_t grz_random_next(grz_random *random)
{
    random->state += 0x9E3779B97F4A7C15u; /* the golden ratio's fraction, made odd */
    uint64_t mixed = random->state;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
    return mixed ^ (mixed >> 31);
}

uint64_t grz_random_below(grz_random *random, uint64_t limit)
{
    /* The lowest 2^64 mod limit numbers would make the small remainders more likely; they are drawn again. */
    uint64_t excess = (UINT64_MAX - limit + 1) % limit;
    uint64_t drawn = grz_random_next(random);
    while (drawn < excess)
        drawn = grz_random_next(random);
    return drawn % limit;
}

double grz_random_unit(grz_random *random)
{
    return (double)(grz_random_next(random) >> 11) * 0x1p-53;
}

double grz_random_between(grz_random *random, double lower, double upper)
{
    return lower + (upper - lower) * grz_random_unit(random);
}
