/* SPDX-License-Identifier: MIT */
/* Fuzz target: the bytes as OBJ, and with automatic detection. */
#include "fuzz_model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_model(data, size, "fuzz.obj", GRAZE_FORMAT_OBJ);
    fuzz_model(data, size, "fuzz.obj", GRAZE_FORMAT_AUTO);
    return 0;
}
