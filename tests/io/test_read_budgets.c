/* SPDX-License-Identifier: MIT */
/*
 * Reading under a budget, every format as a model and as an assembly, from memory and from files, packed and not, and
 * saved trees: cancelled at every call, with budgets that end anywhere, results unchanged then.
 */
#define _XOPEN_SOURCE 700

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "graze/assembly.h"
#include "graze/generate.h"
#include "graze/io.h"
#include "support/budget_calls.h"

typedef struct input
{
    counting_allocator *allocator;
    graze_context context;
    const void *bytes;
    size_t size;
    const char *name;
    const graze_mesh *mesh; /* of a saved tree */
} input;

static graze_status check_model(graze_status status, graze_model *model, const graze_error *error, uint64_t *answer)
{
    assert_true((model != NULL) == (status == GRAZE_STATUS_OK));
    if (status != GRAZE_STATUS_OK)
        assert_true(error->status == status && strstr(error->text, "stopped") != NULL);
    *answer = graze_mesh_triangle_count(graze_model_mesh(model));
    graze_model_destroy(model);
    return status;
}

static graze_status read_memory(const void *user, const graze_budget *budget, uint64_t *answer)
{
    const input *in = user;
    graze_model *model = NULL;
    graze_error error;
    graze_status status =
        graze_model_read_memory(&in->context, in->bytes, in->size, in->name, GRAZE_FORMAT_AUTO, budget, &error, &model);
    return check_model(status, model, &error, answer);
}

static graze_status read_file(const void *user, const graze_budget *budget, uint64_t *answer)
{
    const input *in = user;
    graze_model *model = NULL;
    graze_error error;
    graze_status status = graze_model_read_file(&in->context, in->name, GRAZE_FORMAT_AUTO, budget, &error, &model);
    return check_model(status, model, &error, answer);
}

static graze_status add(const void *user, const graze_budget *budget, uint64_t *answer)
{
    const input *in = user;
    graze_assembly *assembly = NULL;
    graze_error error;
    graze_assembly_options options = graze_assembly_options_default();
    options.name = in->name;
    assert_int_equal(graze_assembly_create(&in->context, &assembly), GRAZE_STATUS_OK);
    graze_status status = graze_assembly_add_memory(assembly, in->bytes, in->size, &options, budget, &error);
    *answer = graze_assembly_part_count(assembly) + 100 * graze_assembly_mesh_count(assembly);
    assert_int_equal(graze_assembly_problem_count(assembly), 0);
    if (status != GRAZE_STATUS_OK)
    {
        assert_true(error.status == status && strstr(error.text, "stopped") != NULL);
        assert_int_equal(*answer, 0);
        assert_int_equal(graze_assembly_file_count(assembly), 0);
    }
    graze_assembly_destroy(assembly);
    return status;
}

static graze_status map_tree_file(const void *user, const graze_budget *budget, uint64_t *answer)
{
    const input *in = user;
    graze_tree *tree = NULL;
    graze_error error;
    graze_status status = graze_tree_map_file(&in->context, in->mesh, in->name, budget, &error, &tree);
    assert_true((tree != NULL) == (status == GRAZE_STATUS_OK));
    if (status != GRAZE_STATUS_OK)
        assert_int_equal(error.status, status);
    *answer = graze_tree_examine(tree).nodes;
    graze_tree_destroy(tree);
    return status;
}

static void try_call(const input *in, graze_status (*run)(const void *, const graze_budget *, uint64_t *),
                     const char *how, uint64_t least_checks)
{
    char name[64];
    snprintf(name, sizeof name, "%s %s", how, in->name);
    const budget_call call = {name, run, in, least_checks, in->allocator};
    cancel_everywhere(&call);
    assert_true(end_anywhere(&call) > 5);
}

static graze_mesh *make_sphere(void)
{
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 24, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

static void every_format_may_be_cancelled_and_end_anywhere(void **state)
{
    (void)state;
    static const struct
    {
        graze_format format;
        const char *name;
    } formats[] = {
        {GRAZE_FORMAT_STL_BINARY, "a.stl"},
        {GRAZE_FORMAT_STL_ASCII, "text.stl"},
        {GRAZE_FORMAT_OBJ, "a.obj"},
        {GRAZE_FORMAT_PLY_ASCII, "text.ply"},
        {GRAZE_FORMAT_PLY_LITTLE_ENDIAN, "a.ply"},
        {GRAZE_FORMAT_PLY_BIG_ENDIAN, "big.ply"},
        {GRAZE_FORMAT_OFF, "a.off"},
    };
    graze_mesh *mesh = make_sphere();
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
    {
        counting_allocator allocator = {0};
        void *bytes;
        input in = {.allocator = &allocator, .context = counting_allocator_context(&allocator)};
        assert_int_equal(graze_mesh_write_memory(NULL, mesh, formats[f].format, &bytes, &in.size), GRAZE_STATUS_OK);
        in.bytes = bytes;
        in.name = formats[f].name;
        try_call(&in, read_memory, "read", 4);
        try_call(&in, add, "add", 4);
        graze_memory_release(NULL, bytes);
    }
    graze_mesh_destroy(mesh);
}

/* Appends a chunk of a GLB file, padded to four bytes. */
static size_t put_chunk(char *at, uint32_t type, const void *data, size_t size, char padding)
{
    size_t padded = (size + 3) / 4 * 4;
    uint32_t head[2] = {(uint32_t)padded, type};
    memcpy(at, head, sizeof head);
    memcpy(at + sizeof head, data, size);
    memset(at + sizeof head + size, padding, padded - size);
    return sizeof head + padded;
}

static void gltf_may_be_cancelled_and_end_anywhere(void **state)
{
    (void)state;
    graze_mesh *mesh = make_sphere();
    size_t vertices = graze_mesh_vertex_count(mesh), corners = 3 * graze_mesh_triangle_count(mesh);
    size_t index_size = corners * sizeof(uint32_t), data_size = index_size + vertices * 3 * sizeof(float);
    char json[1500], *data = malloc(data_size), *bytes = malloc(data_size + sizeof json + 64);
    memcpy(data, graze_mesh_triangles(mesh), index_size);
    for (size_t i = 0; i < 3 * vertices; i++)
    {
        float x = (float)graze_mesh_vertices(mesh)[i];
        memcpy(data + index_size + i * sizeof x, &x, sizeof x);
    }
    snprintf(json, sizeof json,
             "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0,1]}],"
             "\"nodes\":[{\"mesh\":0,\"name\":\"x\"},{\"mesh\":0,\"translation\":[2,0,0]}],"
             "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":1},\"indices\":0}]}],"
             "\"accessors\":[{\"bufferView\":0,\"componentType\":5125,\"count\":%zu,\"type\":\"SCALAR\"},"
             "{\"bufferView\":1,\"componentType\":5126,\"count\":%zu,\"type\":\"VEC3\"}],"
             "\"bufferViews\":[{\"buffer\":0,\"byteLength\":%zu},"
             "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}],\"buffers\":[{\"byteLength\":%zu}]}",
             corners, vertices, index_size, index_size, data_size - index_size, data_size);
    size_t size = 12;
    size += put_chunk(bytes + size, 0x4e4f534a, json, strlen(json), ' ');
    size += put_chunk(bytes + size, 0x004e4942, data, data_size, 0);
    const uint32_t head[3] = {0x46546c67, 2, (uint32_t)size};
    memcpy(bytes, head, sizeof head);
    counting_allocator allocator = {0};
    input in = {.allocator = &allocator, .context = counting_allocator_context(&allocator)};
    in.bytes = bytes;
    in.size = size;
    in.name = "a.glb";
    try_call(&in, read_memory, "read", 8);
    try_call(&in, add, "add", 4);
    free(bytes);
    free(data);
    graze_mesh_destroy(mesh);
}

static void store(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* Three megabytes of comments: what is read is loaded and unpacked megabyte by megabyte. */
static void loading_and_unpacking_may_be_cancelled(void **state)
{
    (void)state;
    static const char end[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    char folder[] = "/tmp/graze-budgets-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/long.obj", folder);
    size_t size = (3u << 20) + sizeof end - 1;
    char *text = malloc(size);
    for (size_t i = 0; i < 3u << 20; i++)
        text[i] = i % 64 == 0 ? '#' : i % 64 == 63 ? '\n' : (char)('a' + i * i % 23);
    memcpy(text + size - sizeof end + 1, end, sizeof end - 1);
    store(path, text, size);
    counting_allocator allocator = {0};
    input in = {.allocator = &allocator, .context = counting_allocator_context(&allocator), .name = path};
    const budget_call plain = {"file", read_file, &in, 8, &allocator};
    cancel_everywhere(&plain);
    assert_true(end_anywhere(&plain) > 5);
    uLongf packed_size = compressBound((uLong)size) + 64;
    char *packed = malloc(packed_size);
    z_stream stream = {.next_in = (Bytef *)text, .avail_in = (uInt)size};
    stream.next_out = (Bytef *)packed;
    stream.avail_out = (uInt)packed_size;
    assert_int_equal(deflateInit2(&stream, 1, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    deflateEnd(&stream);
    store(path, packed, stream.total_out);
    const budget_call unpacked = {"packed file", read_file, &in, 8, &allocator};
    cancel_everywhere(&unpacked);
    assert_true(end_anywhere(&unpacked) > 5);
    remove(path);
    rmdir(folder);
    free(packed);
    free(text);
}

static void mapping_tree_files_may_be_cancelled(void **state)
{
    (void)state;
    char folder[] = "/tmp/graze-budgets-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.tree", folder);
    graze_mesh *mesh = make_sphere();
    graze_tree *tree = NULL;
    assert_int_equal(graze_tree_create(NULL, mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_write_file(NULL, tree, path, NULL), GRAZE_STATUS_OK);
    counting_allocator allocator = {0};
    input in = {.allocator = &allocator, .context = counting_allocator_context(&allocator), .name = path};
    in.mesh = mesh;
    const budget_call call = {"tree file", map_tree_file, &in, 4, &allocator};
    cancel_everywhere(&call);
    assert_true(end_anywhere(&call) > 5);
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
    remove(path);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_may_be_cancelled_and_end_anywhere),
        cmocka_unit_test(gltf_may_be_cancelled_and_end_anywhere),
        cmocka_unit_test(loading_and_unpacking_may_be_cancelled),
        cmocka_unit_test(mapping_tree_files_may_be_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
