/* SPDX-License-Identifier: MIT */
/*
 * glTF accessors: typed elements in a buffer view, some possibly replaced by sparse ones. An accessor is checked once
 * when it is found, so that reading an element cannot fail.
 */
#include <string.h>

#include "io/gltf.h"

static unsigned component_size(unsigned type)
{
    switch (type)
    {
    case GRZ_GLTF_INT8:
    case GRZ_GLTF_UINT8:
        return 1;
    case GRZ_GLTF_INT16:
    case GRZ_GLTF_UINT16:
        return 2;
    case GRZ_GLTF_UINT32:
    case GRZ_GLTF_FLOAT:
        return 4;
    default:
        return 0;
    }
}

static bool is_unsigned(unsigned type)
{
    return type == GRZ_GLTF_UINT8 || type == GRZ_GLTF_UINT16 || type == GRZ_GLTF_UINT32;
}

/* Whether `count` elements of `size` bytes, from `offset` on with `stride`, fit into `room` bytes. */
static bool fits(uint64_t room, uint64_t offset, uint64_t count, uint64_t stride, uint64_t size)
{
    if (stride == 0 || offset > room || size > room - offset)
        return false;
    return count - 1 <= (room - offset - size) / stride;
}

static graze_status fail(grz_gltf *gltf, graze_status status, uint64_t number, const char *what)
{
    return grz_fail(gltf->reader, status, "accessor %llu %s", (unsigned long long)number, what);
}

/* --- finding --- */

static graze_status read_shape(grz_gltf *gltf, uint64_t number, grz_gltf_accessor *accessor)
{
    uint32_t value = gltf->accessor_list.values[number], type = grz_json_member(&gltf->json, value, "type");
    uint64_t component;
    if (!grz_gltf_count(gltf, value, "componentType", 0, &component) ||
        !grz_gltf_count(gltf, value, "count", 0, &accessor->count))
        return fail(gltf, GRAZE_STATUS_BAD_FORMAT, number, "holds something that is no count");
    accessor->type = component <= GRZ_GLTF_FLOAT ? (unsigned)component : 0;
    if (component_size(accessor->type) == 0)
        return grz_fail(gltf->reader, GRAZE_STATUS_UNSUPPORTED,
                        "accessor %llu has components of type %llu, which is not supported", (unsigned long long)number,
                        (unsigned long long)component);
    if (accessor->count == 0)
        return fail(gltf, GRAZE_STATUS_BAD_FORMAT, number, "has no elements");
    if (accessor->count > UINT32_MAX)
        return fail(gltf, GRAZE_STATUS_TOO_LARGE, number, "has more elements than 32-bit indices can name");
    accessor->components = grz_json_is(&gltf->json, type, "VEC3")     ? 3
                           : grz_json_is(&gltf->json, type, "SCALAR") ? 1
                                                                      : 0;
    if (accessor->components == 0)
        return fail(gltf, GRAZE_STATUS_BAD_FORMAT, number, "is neither VEC3 nor SCALAR");
    accessor->normalized =
        grz_json_kind_of(&gltf->json, grz_json_member(&gltf->json, value, "normalized")) == GRZ_JSON_TRUE;
    return GRAZE_STATUS_OK;
}

/* Finds `count` elements in the view that the JSON object names. A stride of 0 means packed. */
static graze_status find_bytes(grz_gltf *gltf, uint64_t number, uint32_t object, uint64_t count, uint64_t size,
                               const char **out_bytes, uint64_t *out_stride)
{
    uint64_t view, offset, room, stride;
    const char *bytes;
    if (!grz_gltf_count(gltf, object, "bufferView", UINT64_MAX, &view) ||
        !grz_gltf_count(gltf, object, "byteOffset", 0, &offset))
        return fail(gltf, GRAZE_STATUS_BAD_FORMAT, number, "holds something that is no count");
    graze_status status = grz_gltf_view(gltf, view, &bytes, &room, &stride);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (out_stride == NULL || stride == 0)
        stride = size;
    if (stride < size)
        return fail(gltf, GRAZE_STATUS_BAD_FORMAT, number, "has elements larger than the byteStride of its view");
    if (!fits(room, offset, count, stride, size))
        return grz_fail(gltf->reader, GRAZE_STATUS_TRUNCATED,
                        "accessor %llu has %llu elements of %llu bytes from byte %llu on, but its view has %llu bytes",
                        (unsigned long long)number, (unsigned long long)count, (unsigned long long)size,
                        (unsigned long long)offset, (unsigned long long)room);
    *out_bytes = bytes + offset;
    if (out_stride != NULL)
        *out_stride = stride;
    return GRAZE_STATUS_OK;
}

static uint32_t decode_unsigned(const char *bytes, unsigned type)
{
    unsigned char b[4];
    switch (component_size(type)) /* constant sizes for the compiler */
    {
    case 1:
        memcpy(b, bytes, 1);
        return b[0];
    case 2:
        memcpy(b, bytes, 2);
        return (uint32_t)b[0] | (uint32_t)b[1] << 8;
    default:
        memcpy(b, bytes, 4);
        return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
    }
}

static uint32_t sparse_index(const grz_gltf_accessor *accessor, uint64_t i)
{
    return decode_unsigned(accessor->sparse_indices + i * component_size(accessor->sparse_type), accessor->sparse_type);
}

static graze_status check_sparse_order(grz_gltf *gltf, uint64_t number, const grz_gltf_accessor *accessor)
{
    graze_status status = grz_gltf_spend(gltf, accessor->sparse_count, 8);
    for (uint64_t i = 0; status == GRAZE_STATUS_OK && i < accessor->sparse_count && grz_read_elements(gltf->reader, 1);
         i++)
    {
        uint32_t index = sparse_index(accessor, i);
        if (index >= accessor->count)
            return grz_fail(gltf->reader, GRAZE_STATUS_BAD_INDEX,
                            "accessor %llu has %llu elements, but a sparse one is for number %lu",
                            (unsigned long long)number, (unsigned long long)accessor->count, (unsigned long)index);
        if (i > 0 && index <= sparse_index(accessor, i - 1))
            return fail(gltf, GRAZE_STATUS_BAD_FORMAT, number, "has sparse indices that do not ascend");
    }
    return grz_stopped(gltf->reader, status);
}

static graze_status read_sparse(grz_gltf *gltf, uint64_t number, uint32_t sparse, grz_gltf_accessor *accessor)
{
    const grz_json *json = &gltf->json;
    uint32_t indices = grz_json_member(json, sparse, "indices"), values = grz_json_member(json, sparse, "values");
    uint64_t type, size = (uint64_t)accessor->components * component_size(accessor->type);
    if (!grz_gltf_count(gltf, sparse, "count", 0, &accessor->sparse_count) ||
        !grz_gltf_count(gltf, indices, "componentType", 0, &type))
        return fail(gltf, GRAZE_STATUS_BAD_FORMAT, number, "holds something that is no count");
    if (accessor->sparse_count == 0)
        return GRAZE_STATUS_OK;
    accessor->sparse_type = type <= GRZ_GLTF_FLOAT ? (unsigned)type : 0;
    if (!is_unsigned(accessor->sparse_type) || accessor->sparse_count > accessor->count)
        return fail(gltf, GRAZE_STATUS_BAD_FORMAT, number, "has sparse indices of a wrong type or number");
    graze_status status = find_bytes(gltf, number, indices, accessor->sparse_count,
                                     component_size(accessor->sparse_type), &accessor->sparse_indices, NULL);
    if (status == GRAZE_STATUS_OK)
        status = find_bytes(gltf, number, values, accessor->sparse_count, size, &accessor->sparse_values, NULL);
    return status == GRAZE_STATUS_OK ? check_sparse_order(gltf, number, accessor) : status;
}

graze_status grz_gltf_find_accessor(grz_gltf *gltf, uint64_t number, grz_gltf_accessor **out_accessor)
{
    if (number >= gltf->accessor_list.count)
        return grz_fail(gltf->reader, GRAZE_STATUS_BAD_INDEX, "a primitive names accessor %llu, but there are %lu",
                        (unsigned long long)number, (unsigned long)gltf->accessor_list.count);
    if (gltf->accessors[number] != NULL)
    {
        *out_accessor = gltf->accessors[number];
        return GRAZE_STATUS_OK;
    }
    grz_gltf_accessor found = {0};
    uint32_t value = gltf->accessor_list.values[number], sparse = grz_json_member(&gltf->json, value, "sparse");
    graze_status status = read_shape(gltf, number, &found);
    if (status == GRAZE_STATUS_OK && grz_json_member(&gltf->json, value, "bufferView") != GRZ_JSON_NONE)
        status = find_bytes(gltf, number, value, found.count, (uint64_t)found.components * component_size(found.type),
                            &found.bytes, &found.stride);
    if (status == GRAZE_STATUS_OK && sparse != GRZ_JSON_NONE)
        status = read_sparse(gltf, number, sparse, &found);
    if (status != GRAZE_STATUS_OK)
        return status;
    grz_gltf_accessor *accessor = grz_arena_allocate(&gltf->arena, 1, sizeof *accessor);
    if (accessor == NULL)
        return grz_fail_memory(gltf->reader);
    *accessor = found;
    gltf->accessors[number] = accessor;
    *out_accessor = accessor;
    return GRAZE_STATUS_OK;
}

/* --- reading elements --- */

/* The bytes of an element; NULL if it is all zeros. */
static const char *element_bytes(const grz_gltf_accessor *accessor, uint64_t element)
{
    uint64_t low = 0, high = accessor->sparse_count;
    while (low < high)
    {
        uint64_t middle = low + (high - low) / 2;
        if (sparse_index(accessor, middle) < element)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < accessor->sparse_count && sparse_index(accessor, low) == element)
        return accessor->sparse_values + low * accessor->components * component_size(accessor->type);
    return accessor->bytes != NULL ? accessor->bytes + element * accessor->stride : NULL;
}

/* By the specification: -128 means -1, as does -127. */
static double decode_component(const char *bytes, unsigned type, bool normalized)
{
    uint32_t bits = decode_unsigned(bytes, type);
    double largest = 1.0, value;
    float single;
    switch (type)
    {
    case GRZ_GLTF_FLOAT:
        memcpy(&single, &bits, sizeof single);
        return single;
    case GRZ_GLTF_INT8:
        value = (double)bits - (bits >= 0x80 ? 256.0 : 0.0);
        largest = 127.0;
        break;
    case GRZ_GLTF_INT16:
        value = (double)bits - (bits >= 0x8000 ? 65536.0 : 0.0);
        largest = 32767.0;
        break;
    default:
        value = bits;
        largest = type == GRZ_GLTF_UINT8 ? 255.0 : type == GRZ_GLTF_UINT16 ? 65535.0 : 4294967295.0;
    }
    if (!normalized)
        return value;
    return value < -largest ? -1.0 : value / largest;
}

void grz_gltf_position(const grz_gltf_accessor *accessor, uint64_t element, double out_position[3])
{
    const char *bytes = element_bytes(accessor, element);
    unsigned size = component_size(accessor->type);
    for (size_t i = 0; i < 3; i++)
        out_position[i] =
            bytes != NULL ? decode_component(bytes + i * size, accessor->type, accessor->normalized) : 0.0;
}

uint32_t grz_gltf_integer(const grz_gltf_accessor *accessor, uint64_t element)
{
    const char *bytes = element_bytes(accessor, element);
    return bytes != NULL ? decode_unsigned(bytes, accessor->type) : 0;
}
