/* SPDX-License-Identifier: MIT */
/* What is inside an assembly, and adding to it piece by piece; a file that fails half way is taken back as a whole. */
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

/* The file being added is the last one. All false only for want of memory. The mesh belongs to the assembly from the
 * call on, whether it succeeds or not; texts are copied. */
bool grz_assembly_add_mesh(graze_assembly *assembly, graze_mesh *mesh);
bool grz_assembly_add_part(graze_assembly *assembly, const char *name, size_t mesh, const graze_pose *pose);
bool grz_assembly_add_problem(graze_assembly *assembly, const char *part, graze_status status, bool left_out,
                              const char *text);

/* The pieces of one file: of glTF, and of everything else. */
graze_status grz_assembly_read_gltf(graze_assembly *assembly, grz_reader *reader, bool binary, double scale);
graze_status grz_assembly_read_model(graze_assembly *assembly, grz_reader *reader, graze_format *format, double scale);

/* Gives parts from `first` on that have the same name, or none, names of their own. False for want of memory. */
bool grz_assembly_name_parts(graze_assembly *assembly, size_t first, const char *file_name);

#endif
