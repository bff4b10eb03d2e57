/* SPDX-License-Identifier: MIT */
/* Fuzz target: the bytes as OFF, and with automatic detection. */
#include "fuzz_model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_model(data, size, "fuzz.off", GRAZE_FORMAT_OFF);
    fuzz_model(data, size, "fuzz.off", GRAZE_FORMAT_AUTO);
    return 0;
}
