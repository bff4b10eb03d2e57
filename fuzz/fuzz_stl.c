/* SPDX-License-Identifier: MIT */
/* Fuzz target: the bytes as STL, and with automatic detection. */
#include "fuzz_model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_model(data, size, "fuzz.stl", GRAZE_FORMAT_STL_BINARY);
    fuzz_model(data, size, "fuzz.stl", GRAZE_FORMAT_STL_ASCII);
    fuzz_model(data, size, "fuzz.stl", GRAZE_FORMAT_AUTO);
    return 0;
}
