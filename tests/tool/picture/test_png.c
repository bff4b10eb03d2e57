/* SPDX-License-Identifier: MIT */
/* PNG files hold the pixels they were made of. */
#include "picture/png.h"

#include <stdlib.h>

#include "png_reader.h"
#include "support/random.h"

static void pixels_survive(void **state)
{
    (void)state;
    test_random random = test_random_start("pixels", 5);
    for (unsigned round = 0; round < 20; round++)
    {
        unsigned width = 1 + (unsigned)random_below(&random, 70), height = 1 + (unsigned)random_below(&random, 50);
        unsigned char *pixels = malloc((size_t)3 * width * height);
        assert_non_null(pixels);
        for (size_t i = 0; i < (size_t)3 * width * height; i++)
            pixels[i] = (unsigned char)random_next(&random);
        png_file file;
        assert_true(png_encode(pixels, width, height, &file));
        png_pixels read = png_read(file.bytes, file.size);
        assert_true(read.width == width && read.height == height);
        assert_memory_equal(read.pixels, pixels, (size_t)3 * width * height);
        free(read.pixels);
        free(file.bytes);
        free(pixels);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pixels_survive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
