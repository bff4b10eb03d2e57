/* SPDX-License-Identifier: MIT */
/*
 * Shared by all fuzz targets of file formats: reads the bytes, visits the result, and checks that small meshes survive
 * writing and reading back in every format. A violated guarantee aborts, which the fuzzer reports.
 */
#ifndef GRAZE_FUZZ_MODEL_H
#define GRAZE_FUZZ_MODEL_H

#include <stddef.h>
#include <stdint.h>

#include "graze/io.h"

void fuzz_model(const void *bytes, size_t size, const char *name, graze_format format);

#endif
