/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: the bytes as GLB, as glTF text and with automatic detection, as a model and as parts of an assembly.
 * Bytes that begin like JSON are also combined with a buffer of small numbers, so that the fuzzer need not get lengths
 * right.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz_model.h"
#include "graze/assembly.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition, const char *promise)
{
    if (!condition)
    {
        fprintf(stderr, "broken promise: %s\n", promise);
        abort();
    }
}

static void walk(const graze_assembly *assembly)
{
    for (size_t p = 0; p < graze_assembly_part_count(assembly); p++)
    {
        const graze_part *part = graze_assembly_part_at(assembly, p);
        require(part->mesh < graze_assembly_mesh_count(assembly), "parts show meshes that exist");
        require(part->name[0] != '\0' && strlen(part->name) < 300, "parts have names of bounded length");
        require(graze_pose_check(&part->pose, NULL) == GRAZE_STATUS_OK, "poses are finite");
    }
    for (size_t m = 0; m < graze_assembly_mesh_count(assembly); m++)
        require(graze_mesh_triangle_count(graze_assembly_mesh_at(assembly, m)) > 0, "meshes have triangles");
    for (size_t i = 0; i < graze_assembly_problem_count(assembly); i++)
        require(graze_assembly_problem_at(assembly, i)->text[0] != '\0', "problems say what");
}

static void assemble(const void *bytes, size_t size, graze_format format)
{
    graze_assembly *assembly = NULL;
    graze_error error = {0};
    graze_assembly_options options = graze_assembly_options_default();
    options.format = format;
    options.metre = 1000;
    require(graze_assembly_create(NULL, &assembly) == GRAZE_STATUS_OK, "there is memory");
    graze_status status = graze_assembly_add_memory(assembly, bytes, size, &options, NULL, &error);
    if (status == GRAZE_STATUS_OK)
        require(graze_assembly_part_count(assembly) + graze_assembly_problem_count(assembly) > 0,
                "something comes of it");
    else
        require(error.text[0] != '\0' && graze_assembly_file_count(assembly) == 0,
                "a refusal says why, and adds nothing");
    walk(assembly);
    graze_assembly_destroy(assembly);
}

static void put_32(unsigned char *out, size_t number)
{
    for (int i = 0; i < 4; i++)
        out[i] = (unsigned char)(number >> (8 * i) & 0xff);
}

/* Puts the JSON into a GLB with a chunk of small numbers. */
static void as_json(const uint8_t *json, size_t size)
{
    enum
    {
        CHUNK = 168,
        HEAD = 20
    };
    size_t total = HEAD + size + 8 + CHUNK;
    unsigned char *file = malloc(total);
    if (file == NULL)
        return;
    memcpy(file, "glTF\2\0\0\0", 8);
    put_32(file + 8, total);
    put_32(file + 12, size);
    memcpy(file + 16, "JSON", 4);
    if (size > 0)
        memcpy(file + HEAD, json, size);
    put_32(file + HEAD + size, CHUNK);
    memcpy(file + HEAD + size + 4, "BIN\0", 4);
    for (size_t i = 0; i < CHUNK; i++)
        file[HEAD + size + 8 + i] =
            i < 96 ? (i % 4 == 3 ? 0x3f : (unsigned char)(i % 5)) : (unsigned char)(i % 2 == 0 ? i % 7 : 0);
    assemble(file, total, GRAZE_FORMAT_AUTO);
    fuzz_model(file, total, "fuzz.glb", GRAZE_FORMAT_AUTO);
    free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 0 && data[0] == '{')
        as_json(data, size);
    assemble(data, size, GRAZE_FORMAT_GLB);
    assemble(data, size, GRAZE_FORMAT_GLTF);
    assemble(data, size, GRAZE_FORMAT_AUTO);
    fuzz_model(data, size, "fuzz.gltf", GRAZE_FORMAT_AUTO);
    return 0;
}
