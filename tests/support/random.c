/* SPDX-License-Identifier: MIT */
/* Seeded random numbers; see random.h. */
#include "support/random.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

test_random test_random_start(const char *test_name, uint64_t default_seed)
{
    const char *wish = getenv("GRAZE_TEST_SEED");
    test_random random = {wish != NULL ? strtoull(wish, NULL, 0) : default_seed};
    printf("%s: seed %" PRIu64 "\n", test_name, random.state);
    return random;
}

uint64_t random_next(test_random *random)
{
    uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

int random_below(test_random *random, int bound)
{
    return (int)(random_next(random) % (uint64_t)bound);
}

int random_between(test_random *random, int low, int high)
{
    return low + random_below(random, high - low + 1);
}

bool random_once_in(test_random *random, int odds)
{
    return random_below(random, odds) == 0;
}

double random_unit(test_random *random)
{
    return (double)(random_next(random) >> 11) * 0x1p-53;
}

double random_real(test_random *random, double low, double high)
{
    return low + (high - low) * random_unit(random);
}

double random_bits_double(test_random *random)
{
    double value;
    do
    {
        uint64_t bits = random_next(random);
        memcpy(&value, &bits, sizeof value);
    } while (!isfinite(value));
    return value;
}
