/* SPDX-License-Identifier: MIT */
/*
 * What all fuzz targets of the file formats do with their bytes: read them, walk over what came out, and see that
 * small meshes survive writing and reading back in every format. A broken promise aborts, which the fuzzer reports.
 */
#ifndef GRAZE_FUZZ_MODEL_H
#define GRAZE_FUZZ_MODEL_H

#include <stddef.h>
#include <stdint.h>

#include "graze/io.h"

void fuzz_model(const void *bytes, size_t size, const char *name, graze_format format);

#endif
