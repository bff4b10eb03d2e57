/* SPDX-License-Identifier: MIT */
/* Internal data of an assembly, and functions that add to it; a file that fails is removed as a whole. */
#ifndef GRZ_IO_ASSEMBLY_H
#define GRZ_IO_ASSEMBLY_H

#include "base/arena.h"
#include "graze/assembly.h"
#include "io/reader.h"

typedef struct grz_owned_mesh
{
    graze_mesh *mesh;
} grz_owned_mesh;

struct graze_assembly
{
    graze_context context;
    grz_arena texts;
    GRZ_ARRAY(graze_part) parts;
    GRZ_ARRAY(grz_owned_mesh) meshes;
    GRZ_ARRAY(graze_assembly_file) files;
    GRZ_ARRAY(graze_problem) problems;
};

/* The file being added is the last one. All return false only when out of memory. The mesh belongs to the assembly from
 * the call on, also on failure; texts are copied. A part needs no file. */
bool grz_assembly_add_mesh(graze_assembly *assembly, graze_mesh *mesh);
bool grz_assembly_add_part(graze_assembly *assembly, const graze_part *part);
bool grz_assembly_add_problem(graze_assembly *assembly, const char *part, graze_status status, bool left_out,
                              const char *text);

/* Read one file: glTF, and all other formats. */
graze_status grz_assembly_read_gltf(graze_assembly *assembly, grz_reader *reader, bool binary, double scale);
graze_status grz_assembly_read_model(graze_assembly *assembly, grz_reader *reader, graze_format *format, double scale);

/* Makes the names of the parts from `first` on unique; unnamed ones are named after the file. False when out of
 * memory. */
bool grz_assembly_name_parts(graze_assembly *assembly, size_t first, const char *file_name);

#endif
