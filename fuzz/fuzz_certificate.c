/* SPDX-License-Identifier: MIT */
/*
 * Certificates of clearance: reads the bytes as a file of them, in both forms. Then the bytes are taken for a binary
 * one about two small meshes: hashes, counts and seal are made to fit, and it is verified. If it is valid, the meshes
 * may not meet where the motions can be placed exactly: at both ends of still and blended ones.
 */
#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"
#include "graze/certificate_file.h"
#include "graze/pair.h"

enum
{
    HEADER = 528,
    SIDE = 240,
    SEAL = 32
};

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size);

/* A tetrahedron, and a triangle. */
static graze_mesh *make_mesh(int side)
{
    static const double vertices[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const uint32_t corners[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    graze_mesh_def def = graze_mesh_def_default();
    graze_mesh *mesh = NULL;
    def.vertices = vertices;
    def.vertex_count = 4;
    def.corners = corners;
    def.corner_count = side == 0 ? 12 : 3;
    if (graze_mesh_create(NULL, &def, NULL, &mesh) != GRAZE_STATUS_OK)
        abort();
    return mesh;
}

static void put_hash(const graze_mesh *mesh, unsigned char *out)
{
    char text[65];
    if (graze_mesh_sha256(mesh, text) != GRAZE_STATUS_OK)
        abort();
    for (size_t i = 0; i < 32; i++)
    {
        const char digits[3] = {text[2 * i], text[2 * i + 1], '\0'};
        out[i] = (unsigned char)strtoul(digits, NULL, 16);
    }
}

/* Places both at an end of their motions. False where that is not exact. */
static bool place(const graze_motion *motion, int end, graze_pose *out)
{
    *out = motion->kind == GRAZE_MOTION_BLEND && end == 1 ? motion->end : motion->start;
    return motion->kind <= GRAZE_MOTION_BLEND;
}

static void check_claim(const graze_certificate *certificate, graze_mesh *const meshes[2])
{
    graze_certificate_facts facts;
    if (graze_certificate_describe(certificate, &facts) != GRAZE_STATUS_OK)
        abort();
    for (int end = 0; end < 2; end++)
    {
        graze_placed_mesh a = {meshes[0], NULL, {{0}}}, b = {meshes[1], NULL, {{0}}};
        bool found = false;
        if (place(&facts.motion_a, end, &a.pose) && place(&facts.motion_b, end, &b.pose) &&
            graze_pair_any(NULL, &a, &b, NULL, &found, NULL) == GRAZE_STATUS_OK && found)
            abort();
    }
}

static void verify(unsigned char *bytes, size_t size)
{
    graze_mesh *meshes[2] = {make_mesh(0), make_mesh(1)};
    graze_certificate *certificate = NULL;
    graze_certificate_check check;
    size_t taken;
    memcpy(bytes, "grazecrt\1\0\0\0\0\0\0", 16);
    for (size_t side = 0; side < 2; side++)
    {
        put_hash(meshes[side], bytes + 16 + SIDE * side);
        memset(bytes + 504 + 8 * side, 0, 8);
        bytes[504 + 8 * side] = side == 0 ? 4 : 1;
    }
    grz_sha256 seal = grz_sha256_start();
    grz_sha256_add(&seal, bytes, size - SEAL);
    grz_sha256_end_bytes(&seal, bytes + size - SEAL);
    if (graze_certificate_load(NULL, bytes, size, NULL, &certificate, &taken) == GRAZE_STATUS_OK &&
        graze_certificate_verify(NULL, certificate, meshes[0], meshes[1], NULL, &check) == GRAZE_STATUS_OK &&
        check.valid)
        check_claim(certificate, meshes);
    graze_certificate_destroy(certificate);
    graze_mesh_destroy(meshes[0]);
    graze_mesh_destroy(meshes[1]);
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size)
{
    graze_certificate_set *set = NULL;
    graze_error error;
    if (graze_certificate_set_read_memory(NULL, bytes, size, "input", NULL, &error, &set) == GRAZE_STATUS_OK)
        for (size_t i = 0; i < graze_certificate_set_count(set); i++)
        {
            const graze_certificate *one = graze_certificate_set_get(set, i);
            void *text;
            size_t text_size;
            if (graze_certificate_write_memory(NULL, &one, 1, GRAZE_CERTIFICATE_JSON, &text, &text_size) ==
                GRAZE_STATUS_OK)
                graze_memory_release(NULL, text);
        }
    graze_certificate_set_destroy(set);
    unsigned char *copy = malloc(size + 1);
    if (copy != NULL && size >= HEADER + SEAL)
    {
        memcpy(copy, bytes, size);
        verify(copy, size);
    }
    free(copy);
    return 0;
}
