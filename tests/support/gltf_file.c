/* SPDX-License-Identifier: MIT */
/* Making glTF files; see gltf_file.h. */
#include "support/gltf_file.h"

#include <stdlib.h>
#include <string.h>

#include "support/unit.h"

void gltf_put(gltf_bytes *bytes, const void *data, size_t size)
{
    bytes->data = realloc(bytes->data, bytes->size + size + 1);
    assert_non_null(bytes->data);
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

static void put_little_endian(gltf_bytes *bytes, uint32_t number, size_t size)
{
    for (size_t i = 0; i < size; i++)
    {
        unsigned char byte = (unsigned char)(number >> (8 * i) & 0xff);
        gltf_put(bytes, &byte, 1);
    }
}

void gltf_put_floats(gltf_bytes *bytes, const float *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
    {
        uint32_t bits;
        memcpy(&bits, &numbers[i], sizeof bits);
        put_little_endian(bytes, bits, 4);
    }
}

void gltf_put_u8(gltf_bytes *bytes, const uint8_t *numbers, size_t count)
{
    gltf_put(bytes, numbers, count);
}

void gltf_put_u16(gltf_bytes *bytes, const uint16_t *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        put_little_endian(bytes, numbers[i], 2);
}

void gltf_put_u32(gltf_bytes *bytes, const uint32_t *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        put_little_endian(bytes, numbers[i], 4);
}

static void pad(gltf_bytes *bytes, char with)
{
    while (bytes->size % 4 != 0)
        gltf_put(bytes, &with, 1);
}

gltf_bytes gltf_make_glb(const char *json, const gltf_bytes *chunk)
{
    gltf_bytes text = {0}, binary = {0}, file = {0};
    gltf_put(&text, json, strlen(json));
    pad(&text, ' ');
    if (chunk != NULL)
    {
        gltf_put(&binary, chunk->data, chunk->size);
        pad(&binary, '\0');
    }
    size_t size = 12 + 8 + text.size + (chunk != NULL ? 8 + binary.size : 0);
    put_little_endian(&file, 0x46546c67, 4);
    put_little_endian(&file, 2, 4);
    put_little_endian(&file, (uint32_t)size, 4);
    put_little_endian(&file, (uint32_t)text.size, 4);
    put_little_endian(&file, 0x4e4f534a, 4);
    gltf_put(&file, text.data, text.size);
    if (chunk != NULL)
    {
        put_little_endian(&file, (uint32_t)binary.size, 4);
        put_little_endian(&file, 0x004e4942, 4);
        gltf_put(&file, binary.data, binary.size);
    }
    free(text.data);
    free(binary.data);
    return file;
}

char *gltf_data_uri(const gltf_bytes *bytes)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    static const char head[] = "data:application/octet-stream;base64,";
    char *uri = malloc(sizeof head + bytes->size * 2 + 8), *out = uri;
    assert_non_null(uri);
    memcpy(out, head, sizeof head - 1);
    out += sizeof head - 1;
    for (size_t i = 0; i < bytes->size; i += 3)
    {
        uint32_t bits = 0;
        size_t left = bytes->size - i < 3 ? bytes->size - i : 3;
        for (size_t k = 0; k < 3; k++)
            bits = bits << 8 | (k < left ? bytes->data[i + k] : 0u);
        for (size_t k = 0; k < 4; k++)
            *out++ = k <= left ? digits[bits >> (18 - 6 * k) & 63] : '=';
    }
    *out = '\0';
    return uri;
}

gltf_bytes gltf_box_bytes(float half)
{
    static const uint16_t faces[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                       2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    gltf_bytes bytes = {0};
    for (int corner = 0; corner < 8; corner++)
    {
        float position[3];
        for (int axis = 0; axis < 3; axis++)
            position[axis] = (corner >> axis & 1) != 0 ? half : -half;
        gltf_put_floats(&bytes, position, 3);
    }
    gltf_put_u16(&bytes, faces, 36);
    return bytes;
}
