/* SPDX-License-Identifier: MIT */
/*
 * glTF container and properties of the whole file; see gltf.h. GLB is a header of twelve bytes and chunks: first the
 * JSON, then optionally the bytes of the first buffer, then others. Required extensions are checked first: one that
 * changes geometry and is not supported is refused by its name.
 */
#include "io/gltf.h"

#include <stdio.h>
#include <string.h>

#include "base/log.h"

enum
{
    GLB_HEADER_SIZE = 12,
    CHUNK_HEADER_SIZE = 8,
    CHUNK_JSON = 0x4e4f534a,
    CHUNK_BINARY = 0x004e4942,
    GLTF_FREE_SIZE = 64 << 20,
    GLTF_LARGEST_RATIO = 64
};

graze_status grz_gltf_spend(grz_gltf *gltf, uint64_t count, uint64_t size)
{
    uint64_t limit =
        gltf->input_size > UINT64_MAX / GLTF_LARGEST_RATIO ? UINT64_MAX : gltf->input_size * GLTF_LARGEST_RATIO;
    if (limit < GLTF_FREE_SIZE)
        limit = GLTF_FREE_SIZE;
    uint64_t left = limit - gltf->spent;
    if (count > left / size)
    {
        gltf->fatal = true;
        return grz_fail(gltf->reader, GRAZE_STATUS_TOO_LARGE,
                        "what it asks for takes more than 64 MiB and %d times its size, which is refused",
                        GLTF_LARGEST_RATIO);
    }
    gltf->spent += count * size;
    return GRAZE_STATUS_OK;
}

bool grz_gltf_count(const grz_gltf *gltf, uint32_t object, const char *key, uint64_t fallback, uint64_t *out_count)
{
    uint32_t value = grz_json_member(&gltf->json, object, key);
    if (value != GRZ_JSON_NONE)
        return grz_json_index(&gltf->json, value, UINT64_MAX, out_count);
    *out_count = fallback;
    return true;
}

const char *grz_gltf_keep(grz_gltf *gltf, const char *text, size_t size)
{
    char *copy = grz_arena_allocate(&gltf->arena, size + 1, 1);
    if (copy == NULL)
        return NULL;
    memcpy(copy, text, size);
    copy[size] = '\0';
    return copy;
}

grz_gltf_label grz_gltf_label_of(const grz_gltf *gltf, uint32_t value)
{
    grz_gltf_label label = {""};
    grz_name name = grz_json_raw(&gltf->json, grz_json_member(&gltf->json, value, "name"));
    if (name.size > 0)
        snprintf(label.text, sizeof label.text, " '%.*s%s'", (int)(name.size < 40 ? name.size : 40), name.text,
                 name.size > 40 ? "..." : "");
    return label;
}

/* --- the container --- */

static uint32_t little_endian_32(const char *bytes)
{
    unsigned char b[4];
    memcpy(b, bytes, sizeof b);
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

/* Reads the chunk at the cursor and moves the cursor behind it and its padding. */
static graze_status next_chunk(grz_reader *reader, const char *end, uint32_t *out_type, grz_name *out_chunk)
{
    if (end - reader->at < CHUNK_HEADER_SIZE)
        return grz_fail_here(reader, GRAZE_STATUS_TRUNCATED, "the file ends within the header of a chunk");
    uint64_t size = little_endian_32(reader->at);
    *out_type = little_endian_32(reader->at + 4);
    if ((uint64_t)(end - reader->at - CHUNK_HEADER_SIZE) < size)
        return grz_fail_here(reader, GRAZE_STATUS_TRUNCATED,
                             "the chunk announces %llu bytes, but only %llu are left of the file",
                             (unsigned long long)size, (unsigned long long)(end - reader->at - CHUNK_HEADER_SIZE));
    *out_chunk = (grz_name){reader->at + CHUNK_HEADER_SIZE, size};
    reader->at += CHUNK_HEADER_SIZE + size;
    return GRAZE_STATUS_OK;
}

static graze_status read_glb_header(grz_reader *reader, const char **out_end)
{
    uint64_t size = (uint64_t)(reader->end - reader->at);
    if (size >= 4 && memcmp(reader->at, "glTF", 4) != 0)
        return grz_fail(reader, GRAZE_STATUS_BAD_FORMAT, "it does not begin with \"glTF\", as a GLB file does");
    if (size < GLB_HEADER_SIZE)
        return grz_fail(reader, GRAZE_STATUS_TRUNCATED, "the file ends within the header of a GLB file");
    uint32_t version = little_endian_32(reader->at + 4), length = little_endian_32(reader->at + 8);
    if (version != 2)
        return grz_fail(reader, GRAZE_STATUS_UNSUPPORTED, "this is GLB version %lu; only version 2 is supported",
                        (unsigned long)version);
    if (length > size)
        return grz_fail(reader, GRAZE_STATUS_TRUNCATED, "its header announces %lu bytes, but there are %llu",
                        (unsigned long)length, (unsigned long long)size);
    if (length < GLB_HEADER_SIZE)
        return grz_fail(reader, GRAZE_STATUS_BAD_FORMAT, "its header announces %lu bytes, fewer than a header has",
                        (unsigned long)length);
    if (length < size)
        grz_log(reader->context, GRAZE_LOG_WARNING, "%s: %llu bytes after the last chunk are ignored", reader->name,
                (unsigned long long)(size - length));
    *out_end = reader->at + length;
    reader->at += GLB_HEADER_SIZE;
    return GRAZE_STATUS_OK;
}

/* Sets cursor and end to the JSON. */
static graze_status open_container(grz_gltf *gltf)
{
    grz_reader *reader = gltf->reader;
    const char *end = NULL;
    grz_name chunk = {"", 0};
    uint32_t type = 0;
    reader->binary = true;
    graze_status status = read_glb_header(reader, &end);
    if (status == GRAZE_STATUS_OK)
        status = next_chunk(reader, end, &type, &chunk);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (type != CHUNK_JSON)
        return grz_fail(reader, GRAZE_STATUS_BAD_FORMAT, "its first chunk is not the JSON");
    if (reader->at < end)
    {
        grz_name more = {"", 0};
        status = next_chunk(reader, end, &type, &more);
        if (status != GRAZE_STATUS_OK)
            return status;
        if (type == CHUNK_BINARY)
        {
            gltf->chunk = more.text;
            gltf->chunk_size = more.size;
        }
    }
    reader->at = chunk.text;
    reader->end = chunk.text + chunk.size;
    while (reader->end > reader->at && reader->end[-1] == '\0') /* some writers pad with zeros instead of blanks */
        reader->end--;
    return GRAZE_STATUS_OK;
}

/* --- asset and extensions --- */

static graze_status check_version(grz_gltf *gltf)
{
    const grz_json *json = &gltf->json;
    uint32_t asset = grz_json_member(json, 0, "asset");
    if (grz_json_kind_of(json, asset) != GRZ_JSON_OBJECT)
        return grz_fail(gltf->reader, GRAZE_STATUS_BAD_FORMAT,
                        "this JSON is no glTF: it has no \"asset\"; nor a shape: it has no \"kind\"");
    grz_name version = grz_json_raw(json, grz_json_member(json, asset, "version"));
    uint32_t least = grz_json_member(json, asset, "minVersion");
    if (version.size < 3 || memcmp(version.text, "2.", 2) != 0)
        return grz_fail(gltf->reader, GRAZE_STATUS_UNSUPPORTED, "this is glTF \"%s\"; only version 2 is supported",
                        grz_quote_word(version).text);
    if (least != GRZ_JSON_NONE && !grz_json_is(json, least, "2.0"))
        return grz_fail(gltf->reader, GRAZE_STATUS_UNSUPPORTED, "it needs glTF \"%s\"; only 2.0 is supported",
                        grz_quote_word(grz_json_raw(json, least)).text);
    return GRAZE_STATUS_OK;
}

static bool begins_with(grz_name name, const char *beginning)
{
    size_t size = strlen(beginning);
    return name.size >= size && memcmp(name.text, beginning, size) == 0;
}

/* Extensions that are supported, or that change only appearance, sound or animation. */
static bool extension_is_harmless(grz_name name)
{
    static const char *const beginnings[] = {
        "KHR_mesh_quantization", "KHR_materials_",       "KHR_texture_",     "EXT_texture_", "MSFT_texture_",
        "KHR_lights_",           "EXT_lights_",          "KHR_animation_",   "KHR_xmp",      "KHR_audio",
        "KHR_physics",           "KHR_techniques_webgl", "ADOBE_materials_", "MSFT_packing_"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
    {
        if (begins_with(name, beginnings[i]))
            return true;
    }
    return false;
}

static graze_status check_extensions(grz_gltf *gltf)
{
    const grz_json *json = &gltf->json;
    uint32_t required = grz_json_member(json, 0, "extensionsRequired");
    for (uint32_t item = grz_json_first(json, required); item != GRZ_JSON_NONE;
         item = grz_json_next(json, required, item))
    {
        grz_name name = grz_json_raw(json, item);
        if (!extension_is_harmless(name))
            return grz_fail(gltf->reader, GRAZE_STATUS_UNSUPPORTED,
                            "it requires the extension %.*s, which is not supported",
                            (int)(name.size < 80 ? name.size : 80), name.text);
    }
    return GRAZE_STATUS_OK;
}

static graze_status list_elements(grz_gltf *gltf, const char *key, grz_gltf_list *list)
{
    const grz_json *json = &gltf->json;
    uint32_t array = grz_json_member(json, 0, key);
    list->key = key;
    if (array != GRZ_JSON_NONE && grz_json_kind_of(json, array) != GRZ_JSON_ARRAY)
        return grz_fail(gltf->reader, GRAZE_STATUS_BAD_FORMAT, "\"%s\" is not an array", key);
    list->values = grz_arena_allocate(&gltf->arena, grz_json_count(json, array) + (size_t)1, sizeof *list->values);
    if (list->values == NULL)
        return grz_fail_memory(gltf->reader);
    for (uint32_t item = grz_json_first(json, array); item != GRZ_JSON_NONE; item = grz_json_next(json, array, item))
    {
        if (grz_json_kind_of(json, item) != GRZ_JSON_OBJECT)
            return grz_fail(gltf->reader, GRAZE_STATUS_BAD_FORMAT, "element %lu of \"%s\" is not an object",
                            (unsigned long)list->count, key);
        list->values[list->count++] = item;
    }
    return GRAZE_STATUS_OK;
}

static graze_status list_everything(grz_gltf *gltf)
{
    static const char *const keys[] = {"buffers", "bufferViews", "accessors", "meshes", "nodes", "scenes"};
    grz_gltf_list *const lists[] = {&gltf->buffer_list, &gltf->view_list, &gltf->accessor_list,
                                    &gltf->mesh_list,   &gltf->node_list, &gltf->scene_list};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    {
        graze_status status = list_elements(gltf, keys[i], lists[i]);
        if (status != GRAZE_STATUS_OK)
            return status;
    }
    const graze_context *context = gltf->reader->context;
    gltf->buffers = grz_allocate_zeroed(context, gltf->buffer_list.count, sizeof *gltf->buffers);
    gltf->accessors = grz_allocate_zeroed(context, gltf->accessor_list.count, sizeof(grz_gltf_accessor *));
    gltf->meshes = grz_allocate_zeroed(context, gltf->mesh_list.count, sizeof *gltf->meshes);
    if (gltf->buffers == NULL || gltf->accessors == NULL || gltf->meshes == NULL)
        return grz_fail_memory(gltf->reader);
    return GRAZE_STATUS_OK;
}

/* Moves the cursor, for the line of an error. */
static void move_to(grz_reader *reader, const char *at)
{
    for (; reader->at < at; reader->at++)
        if (*reader->at == '\n' || (*reader->at == '\r' && (reader->at + 1 == reader->end || reader->at[1] != '\n')))
            reader->line++;
}

static graze_status read_json(grz_reader *reader, grz_json *json)
{
    grz_json_input input = {.context = reader->context,
                            .begin = reader->at,
                            .at = reader->at,
                            .end = reader->end,
                            .monitor = reader->monitor};
    graze_status status = grz_json_parse_all(&input, json);
    const grz_json_fault *fault = &input.fault;
    if (status == GRAZE_STATUS_OK)
        reader->at = input.at;
    if (status == GRAZE_STATUS_OUT_OF_MEMORY)
        return grz_fail_memory(reader);
    if (status == GRAZE_STATUS_TOO_LARGE)
        return grz_fail(reader, status, "its JSON is larger than 4 GiB");
    if (status == GRAZE_STATUS_OK)
        return status;
    move_to(reader, fault->at);
    if (fault->what != NULL)
        return grz_fail_here(reader, status, "%s", fault->what);
    if (fault->at == reader->end)
        return grz_fail_here(reader, status, "the JSON ends where %s should be", fault->expected);
    return grz_fail_here(reader, status, "\"%s\" stands where %s should be",
                         grz_quote_word((grz_name){fault->at, 1}).text, fault->expected);
}

graze_status grz_gltf_open(grz_reader *reader, bool binary, grz_gltf *gltf)
{
    *gltf = (grz_gltf){.reader = reader, .arena = grz_arena_make(reader->context)};
    gltf->input_size = (uint64_t)(reader->end - reader->at);
    graze_status status = binary ? open_container(gltf) : GRAZE_STATUS_OK;
    if (status == GRAZE_STATUS_OK)
        status = read_json(reader, &gltf->json);
    if (status == GRAZE_STATUS_OK)
        status = check_version(gltf);
    if (status == GRAZE_STATUS_OK)
        status = check_extensions(gltf);
    if (status == GRAZE_STATUS_OK)
        status = list_everything(gltf);
    if (status == GRAZE_STATUS_OK)
        status = grz_gltf_read_nodes(gltf);
    return status;
}

void grz_gltf_close(grz_gltf *gltf)
{
    const graze_context *context = gltf->reader->context;
    for (uint32_t i = 0; gltf->buffers != NULL && i < gltf->buffer_list.count; i++)
        grz_release(context, gltf->buffers[i].owned);
    for (uint32_t i = 0; gltf->accessors != NULL && i < gltf->accessor_list.count; i++)
    {
        if (gltf->accessors[i] != NULL)
            grz_release(context, gltf->accessors[i]->vertices);
    }
    for (uint32_t i = 0; gltf->meshes != NULL && i < gltf->mesh_list.count; i++)
        graze_mesh_destroy(gltf->meshes[i].mesh);
    grz_release(context, gltf->buffers);
    grz_release(context, gltf->accessors);
    grz_release(context, gltf->meshes);
    grz_release(context, gltf->from_files.data);
    grz_release(context, gltf->parts.data);
    grz_json_release(context, &gltf->json);
    grz_arena_release(&gltf->arena);
}
