/* SPDX-License-Identifier: MIT */
/* Fuzz target: the bytes as PLY, and with automatic detection. */
#include "fuzz_model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_model(data, size, "fuzz.ply", GRAZE_FORMAT_PLY_ASCII);
    fuzz_model(data, size, "fuzz.ply", GRAZE_FORMAT_AUTO);
    return 0;
}
