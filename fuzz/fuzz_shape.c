/* SPDX-License-Identifier: MIT */
/* Fuzz target: the bytes as a shape, with and without a scale, and with automatic detection. What is read is whole and
   survives a round trip. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz_model.h"
#include "graze/shape_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition, const char *promise)
{
    if (!condition)
    {
        fprintf(stderr, "broken promise: %s\n", promise);
        abort();
    }
}

static void walk(const graze_shape *shape)
{
    const graze_placed *parts = graze_shape_parts(shape);
    require(graze_shape_kind_name(graze_shape_get_kind(shape)) != NULL, "shapes have a kind");
    for (size_t i = 0; i < graze_shape_part_count(shape); i++)
    {
        require(graze_placed_check(&parts[i]) == GRAZE_STATUS_OK, "parts have poses they may have");
        walk(parts[i].shape);
    }
    double numbers[4];
    size_t count = graze_shape_numbers(shape, numbers, 4);
    for (size_t i = 0; i < count; i++)
        require(numbers[i] - numbers[i] == 0, "numbers are finite");
    require(graze_shape_radius(shape) >= 0, "radii are not negative");
}

static graze_shape_set *read_shape(const void *bytes, size_t size, double scale)
{
    graze_shape_set *set = NULL;
    graze_error error = {0};
    const graze_budget budget = {.box_tests = 1000000};
    graze_status status = graze_shape_set_read_memory(NULL, bytes, size, "fuzz.json", GRAZE_FORMAT_SHAPE, scale, 0,
                                                      &budget, &error, &set);
    require((status == GRAZE_STATUS_OK) == (set != NULL), "there is a shape, or an error");
    require(set != NULL || (error.status == status && error.text[0] != '\0'), "a refusal says why");
    return set;
}

/* The same text after a second round. */
static void round_trip(const graze_shape *shape)
{
    void *texts[2] = {NULL, NULL};
    size_t sizes[2] = {0, 0};
    require(graze_shape_write_memory(NULL, shape, &texts[0], &sizes[0]) == GRAZE_STATUS_OK, "shapes can be written");
    graze_shape_set *again = read_shape(texts[0], sizes[0], 1);
    require(again != NULL, "what was written is read");
    graze_status status = graze_shape_write_memory(NULL, graze_shape_set_shape(again), &texts[1], &sizes[1]);
    require(status == GRAZE_STATUS_OK && sizes[0] == sizes[1] && memcmp(texts[0], texts[1], sizes[0]) == 0,
            "it is the same shape");
    graze_shape_set_destroy(again);
    graze_memory_release(NULL, texts[0]);
    graze_memory_release(NULL, texts[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    graze_shape_set *set = read_shape(data, size, 1);
    if (set != NULL)
    {
        walk(graze_shape_set_shape(set));
        round_trip(graze_shape_set_shape(set));
    }
    graze_shape_set_destroy(set);
    set = read_shape(data, size, 1e200);
    if (set != NULL)
        walk(graze_shape_set_shape(set));
    graze_shape_set_destroy(set);
    fuzz_model(data, size, "fuzz.json", GRAZE_FORMAT_AUTO);
    return 0;
}
