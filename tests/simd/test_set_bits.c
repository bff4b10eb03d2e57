/* SPDX-License-Identifier: MIT */
/* Masks as lists of their bits. */
#include <stdint.h>

#include "simd/set_bits.h"
#include "support/unit.h"

static void the_table_lists_the_bits_of_every_byte(void **state)
{
    (void)state;
    for (unsigned mask = 0; mask < 256; mask++)
    {
        uint8_t list[8 + 8] = {0};
        unsigned count = grz_append_set_bits(list, 3, 5, mask), expected = 3;
        for (unsigned bit = 0; bit < 8; bit++)
        {
            if ((mask >> bit & 1) != 0)
                assert_int_equal(list[expected++], 5 * 8 + bit);
        }
        assert_int_equal(count, expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_table_lists_the_bits_of_every_byte)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
