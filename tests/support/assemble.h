/* SPDX-License-Identifier: MIT */
/* Assemblies of files written in the test itself. Include after cmocka. */
#ifndef TESTS_SUPPORT_ASSEMBLE_H
#define TESTS_SUPPORT_ASSEMBLE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graze/assembly.h"
#include "support/gltf_file.h"

static inline graze_assembly *new_assembly(void)
{
    graze_assembly *assembly = NULL;
    assert_int_equal(graze_assembly_create(NULL, &assembly), GRAZE_STATUS_OK);
    return assembly;
}

/* Adds bytes from memory of exactly their size, so that a sanitizer sees a read past their end. */
static inline graze_status add_bytes(graze_assembly *assembly, const char *name, const void *bytes, size_t size,
                                     graze_error *error)
{
    void *copy = malloc(size > 0 ? size : 1);
    assert_non_null(copy);
    if (size > 0)
        memcpy(copy, bytes, size);
    graze_assembly_options options = graze_assembly_options_default();
    options.name = name;
    graze_status status = graze_assembly_add_memory(assembly, copy, size, &options, NULL, error);
    free(copy);
    return status;
}

static inline graze_assembly *assemble_bytes(const char *name, const void *bytes, size_t size)
{
    graze_assembly *assembly = new_assembly();
    graze_error error = {0};
    if (add_bytes(assembly, name, bytes, size, &error) != GRAZE_STATUS_OK)
        fail_msg("%s", error.text);
    return assembly;
}

static inline graze_assembly *assemble_text(const char *name, const char *text)
{
    return assemble_bytes(name, text, strlen(text));
}

/* A GLB of this JSON with the chunk, which is released. */
static inline graze_assembly *assemble_glb(const char *json, gltf_bytes chunk)
{
    gltf_bytes file = gltf_make_glb(json, chunk.data != NULL ? &chunk : NULL);
    graze_assembly *assembly = assemble_bytes("test.glb", file.data, file.size);
    free(file.data);
    free(chunk.data);
    return assembly;
}

static inline const char *part_name(const graze_assembly *assembly, size_t part)
{
    assert_true(part < graze_assembly_part_count(assembly));
    return graze_assembly_part_at(assembly, part)->name;
}

static inline const graze_mesh *part_mesh(const graze_assembly *assembly, size_t part)
{
    assert_true(part < graze_assembly_part_count(assembly));
    return graze_assembly_mesh_at(assembly, graze_assembly_part_at(assembly, part)->mesh);
}

#endif
