/* SPDX-License-Identifier: MIT */
/* Assemblies of shapes of all kinds, and meshes among them, for the engine of graze clash. */
#ifndef FUZZ_SHAPE_ASSEMBLY_H
#define FUZZ_SHAPE_ASSEMBLY_H

#include "graze/clash.h"
#include "leaves.h"

/* Checks the findings of one. */
void check_shape_assembly(fuzz_bytes *bytes, const graze_clash_tolerances *tolerances);

#endif
