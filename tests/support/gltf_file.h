/* SPDX-License-Identifier: MIT */
/* glTF files made by tests: bytes for a buffer, JSON written with printf, and both as GLB or as text with base64. */
#ifndef TESTS_SUPPORT_GLTF_FILE_H
#define TESTS_SUPPORT_GLTF_FILE_H

#include <stddef.h>
#include <stdint.h>

typedef struct gltf_bytes
{
    unsigned char *data;
    size_t size;
} gltf_bytes;

void gltf_put(gltf_bytes *bytes, const void *data, size_t size);
void gltf_put_floats(gltf_bytes *bytes, const float *numbers, size_t count);
void gltf_put_u8(gltf_bytes *bytes, const uint8_t *numbers, size_t count);
void gltf_put_u16(gltf_bytes *bytes, const uint16_t *numbers, size_t count);
void gltf_put_u32(gltf_bytes *bytes, const uint32_t *numbers, size_t count);

/* A GLB of this JSON and these bytes (NULL: no binary chunk). The caller frees data. */
gltf_bytes gltf_make_glb(const char *json, const gltf_bytes *chunk);

/* A data: URI of the bytes; the caller frees it. */
char *gltf_data_uri(const gltf_bytes *bytes);

/* The buffer of a box with corners at +-half: 8 positions (96 bytes), then 36 indices of 16 bits (72 bytes). */
gltf_bytes gltf_box_bytes(float half);

/* What belongs to that buffer in JSON: bufferViews 0 and 1, accessors 0 (positions) and 1 (indices), mesh 0. */
#define GLTF_ASSET "\"asset\":{\"version\":\"2.0\"}"
#define GLTF_BOX_VIEWS                                                                                                 \
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":96},{\"buffer\":0,\"byteOffset\":96,\"byteLength\":72}]"
#define GLTF_BOX_ACCESSORS                                                                                             \
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":8,\"type\":\"VEC3\"},"                          \
    "{\"bufferView\":1,\"componentType\":5123,\"count\":36,\"type\":\"SCALAR\"}]"
#define GLTF_BOX_MESHES                                                                                                \
    "\"meshes\":[{\"name\":\"Box\",\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}]"
#define GLTF_BOX                                                                                                       \
    GLTF_ASSET ",\"buffers\":[{\"byteLength\":168}]," GLTF_BOX_VIEWS "," GLTF_BOX_ACCESSORS "," GLTF_BOX_MESHES

#endif
