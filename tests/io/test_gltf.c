/* SPDX-License-Identifier: MIT */
/* glTF: containers, accessors of every kind, primitives, and meshes as models. The files are made here. */
#include "support/unit.h"

#include <math.h>

#include "graze/topology.h"
#include "support/assemble.h"
#include "support/failing_allocator.h"

#define ONE_NODE "\"nodes\":[{\"name\":\"Part\",\"mesh\":0}]"

static void expect_box(const graze_mesh *mesh, double half)
{
    graze_topology *topology = NULL;
    graze_mesh_facts facts;
    assert_int_equal(graze_topology_create(NULL, mesh, NULL, &topology), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_examine(NULL, mesh, topology, NULL, &facts), GRAZE_STATUS_OK);
    assert_int_equal(facts.triangles, 12);
    assert_int_equal(facts.distinct_vertices, 8);
    assert_true(facts.closed && facts.oriented && facts.convex);
    assert_true(facts.volume == 8 * half * half * half);
    graze_topology_destroy(topology);
}

static void expect_corners(const graze_mesh *mesh, const char *expected)
{
    char text[400] = "";
    size_t used = 0;
    for (size_t t = 0; t < graze_mesh_triangle_count(mesh); t++)
    {
        for (size_t c = 0; c < 3; c++)
        {
            const double *p = graze_mesh_vertices(mesh) + 3 * (size_t)graze_mesh_triangles(mesh)[3 * t + c];
            used += (size_t)snprintf(text + used, sizeof text - used, "%g", p[0]);
        }
        used += (size_t)snprintf(text + used, sizeof text - used, " ");
    }
    assert_string_equal(text, expected);
}

static void a_box_is_a_box_in_every_container(void **state)
{
    (void)state;
    graze_assembly *assembly = assemble_glb("{" GLTF_BOX "," ONE_NODE "}", gltf_box_bytes(2));
    assert_int_equal(graze_assembly_part_count(assembly), 1);
    assert_int_equal(graze_assembly_file_at(assembly, 0)->format, GRAZE_FORMAT_GLB);
    assert_string_equal(part_name(assembly, 0), "Part");
    expect_box(part_mesh(assembly, 0), 2);
    graze_assembly_destroy(assembly);

    gltf_bytes bytes = gltf_box_bytes(3);
    char *uri = gltf_data_uri(&bytes), json[2000];
    snprintf(json, sizeof json,
             "\xef\xbb\xbf \r\n{" GLTF_ASSET ",\"buffers\":[{\"byteLength\":168,\"uri\":\"%s\"}]," GLTF_BOX_VIEWS
             "," GLTF_BOX_ACCESSORS "," GLTF_BOX_MESHES "," ONE_NODE "}\n",
             uri);
    assembly = assemble_text("test.gltf", json);
    assert_int_equal(graze_assembly_file_at(assembly, 0)->format, GRAZE_FORMAT_GLTF);
    expect_box(part_mesh(assembly, 0), 3);
    graze_assembly_destroy(assembly);
    free(uri);
    free(bytes.data);
}

/* One mesh of a triangle list, with indices in components of the given type. */
static void expect_square(const gltf_bytes *indices, int type)
{
    static const float positions[12] = {0, 0, 0, 1, 0, 0, 2, 1, 0, 3, 1, 0};
    char json[1000];
    gltf_bytes chunk = {0};
    gltf_put_floats(&chunk, positions, 12);
    gltf_put(&chunk, indices->data, indices->size);
    snprintf(json, sizeof json,
             "{" GLTF_ASSET ",\"buffers\":[{\"byteLength\":%zu}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":%zu}],"
             "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},"
             "{\"bufferView\":0,\"byteOffset\":48,\"componentType\":%d,\"count\":6,\"type\":\"SCALAR\"}],"
             "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}]," ONE_NODE "}",
             chunk.size, chunk.size, type);
    graze_assembly *assembly = assemble_glb(json, chunk);
    expect_corners(part_mesh(assembly, 0), "012 321 ");
    assert_int_equal(graze_mesh_vertex_count(part_mesh(assembly, 0)), 4);
    graze_assembly_destroy(assembly);
}

static void indices_of_8_16_and_32_bits_say_the_same(void **state)
{
    (void)state;
    gltf_bytes indices = {0};
    gltf_put_u8(&indices, (const uint8_t[]){0, 1, 2, 3, 2, 1}, 6);
    expect_square(&indices, 5121);
    indices.size = 0;
    gltf_put_u16(&indices, (const uint16_t[]){0, 1, 2, 3, 2, 1}, 6);
    expect_square(&indices, 5123);
    indices.size = 0;
    gltf_put_u32(&indices, (const uint32_t[]){0, 1, 2, 3, 2, 1}, 6);
    expect_square(&indices, 5125);
    free(indices.data);
}

/* Positions 0 to 6 along x in two views with a stride of 16 bytes; the test gives the primitives. */
static graze_assembly *assemble_primitives(const char *primitives, const char *more_accessors)
{
    gltf_bytes chunk = {0};
    static const uint8_t indices[] = {0, 1, 2, 2, 3, 3, 4, 5};
    for (int i = 0; i < 7; i++)
    {
        float numbers[4] = {(float)i, (float)(i * i), 0, -99};
        gltf_put_floats(&chunk, numbers, 4);
    }
    gltf_put_u8(&chunk, indices, sizeof indices);
    char json[2000];
    snprintf(json, sizeof json,
             "{" GLTF_ASSET ",\"buffers\":[{\"byteLength\":%zu}],\"bufferViews\":["
             "{\"buffer\":0,\"byteLength\":108,\"byteStride\":16},{\"buffer\":0,\"byteOffset\":112,\"byteLength\":8}],"
             "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":6,\"type\":\"VEC3\"},"
             "{\"bufferView\":0,\"byteOffset\":16,\"componentType\":5126,\"count\":6,\"type\":\"VEC3\"},"
             "{\"bufferView\":1,\"componentType\":5121,\"count\":8,\"type\":\"SCALAR\"}%s],"
             "\"meshes\":[{\"primitives\":[%s]}]," ONE_NODE "}",
             chunk.size, more_accessors, primitives);
    return assemble_glb(json, chunk);
}

static void lists_strips_and_fans_become_triangles(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"{\"attributes\":{\"POSITION\":0}}", "012 345 "},
        {"{\"attributes\":{\"POSITION\":0},\"mode\":5}", "012 132 234 354 "},
        {"{\"attributes\":{\"POSITION\":0},\"mode\":6}", "120 230 340 450 "},
        {"{\"attributes\":{\"POSITION\":1},\"mode\":4}", "123 456 "},
        {"{\"attributes\":{\"POSITION\":0}},{\"attributes\":{\"POSITION\":1}}", "012 345 123 456 "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
        graze_assembly *assembly = assemble_primitives(cases[i][0], "");
        expect_corners(part_mesh(assembly, 0), cases[i][1]);
        graze_assembly_destroy(assembly);
    }
}

static void stitches_of_strips_are_left_out(void **state)
{
    (void)state;
    graze_assembly *assembly = assemble_primitives("{\"attributes\":{\"POSITION\":0},\"indices\":2,\"mode\":5}", "");
    expect_corners(part_mesh(assembly, 0), "012 354 ");
    graze_assembly_destroy(assembly);
}

static void primitives_over_the_same_positions_share_vertices(void **state)
{
    (void)state;
    graze_assembly *assembly =
        assemble_primitives("{\"attributes\":{\"POSITION\":0}},{\"attributes\":{\"POSITION\":0},\"mode\":5}", "");
    expect_corners(part_mesh(assembly, 0), "012 345 012 132 234 354 ");
    assert_int_equal(graze_mesh_vertex_count(part_mesh(assembly, 0)), 6);
    graze_assembly_destroy(assembly);
}

static void points_and_lines_are_left_out_and_said_so(void **state)
{
    (void)state;
    graze_assembly *assembly = assemble_primitives("{\"attributes\":{\"POSITION\":0},\"mode\":0},{\"attributes\":{"
                                                   "\"POSITION\":0}},{\"attributes\":{\"POSITION\":0},\"mode\":3}",
                                                   "");
    expect_corners(part_mesh(assembly, 0), "012 345 ");
    assert_int_equal(graze_assembly_problem_count(assembly), 1);
    const graze_problem *problem = graze_assembly_problem_at(assembly, 0);
    assert_string_equal(problem->text, "2 primitives are points or lines, and left out");
    assert_false(problem->left_out);
    graze_assembly_destroy(assembly);
    assembly = assemble_primitives("{\"attributes\":{\"POSITION\":0},\"mode\":1}", "");
    assert_int_equal(graze_assembly_part_count(assembly), 0);
    assert_true(graze_assembly_problem_at(assembly, 0)->left_out);
    assert_string_equal(graze_assembly_problem_at(assembly, 0)->part, "Part");
    graze_assembly_destroy(assembly);
}

static void sparse_accessors_replace_elements(void **state)
{
    (void)state;
    /* Elements 1 and 3 of accessor 0 become 6 and 5; then the same without a base view, which means zeros. */
    static const char sparse[] = "\"sparse\":{\"count\":2,\"indices\":{\"bufferView\":1,\"byteOffset\":1,"
                                 "\"componentType\":5121},\"values\":{\"bufferView\":0,\"byteOffset\":64}}}";
    char accessors[800];
    snprintf(accessors, sizeof accessors,
             ",{\"bufferView\":0,\"componentType\":5126,\"count\":6,\"type\":\"VEC3\",%s,"
             "{\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",%s",
             sparse, sparse);
    graze_assembly *assembly = assemble_primitives("{\"attributes\":{\"POSITION\":3}}", accessors);
    /* values are packed: (4 16 0) and (-99 5 25) */
    expect_corners(part_mesh(assembly, 0), "04-99 345 ");
    graze_assembly_destroy(assembly);
    assembly = assemble_primitives("{\"attributes\":{\"POSITION\":4}}", accessors);
    expect_corners(part_mesh(assembly, 0), "04-99 ");
    graze_assembly_destroy(assembly);
}

/* A triangle whose x are the given bytes as components of a type; y and z are zero. */
static void expect_quantized(int type, bool normalized, const void *bytes, size_t size, const double expected[3])
{
    gltf_bytes chunk = {0};
    static const char zeros[8] = {0};
    for (size_t v = 0; v < 3; v++)
    {
        gltf_put(&chunk, (const char *)bytes + v * size, size);
        gltf_put(&chunk, zeros, 2 * size);
    }
    char json[1000];
    snprintf(json, sizeof json,
             "{" GLTF_ASSET ",\"extensionsRequired\":[\"KHR_mesh_quantization\"],\"extensionsUsed\":[\"KHR_mesh_"
             "quantization\"],\"buffers\":[{\"byteLength\":%zu}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":%zu}],"
             "\"accessors\":[{\"bufferView\":0,\"componentType\":%d,\"normalized\":%s,\"count\":3,\"type\":\"VEC3\"}],"
             "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]," ONE_NODE "}",
             chunk.size, chunk.size, type, normalized ? "true" : "false");
    graze_assembly *assembly = assemble_glb(json, chunk);
    for (size_t v = 0; v < 3; v++)
        assert_true(graze_mesh_vertices(part_mesh(assembly, 0))[3 * v] == expected[v]);
    graze_assembly_destroy(assembly);
}

static void quantized_positions_are_read(void **state)
{
    (void)state;
    static const unsigned char words[6] = {0x00, 0x80, 0xff, 0x7f, 0x34, 0x12};
    expect_quantized(5120, false, "\x80\x7f\xff", 1, (const double[]){-128, 127, -1});
    expect_quantized(5120, true, "\x80\x81\x7f", 1, (const double[]){-1, -1, 1});
    expect_quantized(5121, false, "\x80\x7f\xff", 1, (const double[]){128, 127, 255});
    expect_quantized(5121, true, "\x33\x80\xff", 1, (const double[]){0.2, 128 / 255.0, 1});
    expect_quantized(5122, false, words, 2, (const double[]){-32768, 32767, 0x1234});
    expect_quantized(5122, true, words, 2, (const double[]){-1, 1, 0x1234 / 32767.0});
    expect_quantized(5123, false, words, 2, (const double[]){32768, 32767, 0x1234});
    expect_quantized(5123, true, words, 2, (const double[]){32768 / 65535.0, 32767 / 65535.0, 0x1234 / 65535.0});
}

static void only_vertices_that_are_used_matter(void **state)
{
    (void)state;
    /* 1000 vertices, all of them NaN but the last three. */
    gltf_bytes chunk = {0};
    for (int i = 0; i < 1000; i++)
    {
        float x = i < 997 ? NAN : (float)i;
        gltf_put_floats(&chunk, (float[]){x, (float)(i % 2), 0}, 3);
    }
    gltf_put_u16(&chunk, (const uint16_t[]){997, 998, 999}, 3);
    graze_assembly *assembly = assemble_glb(
        "{" GLTF_ASSET ",\"buffers\":[{\"byteLength\":12006}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":12006}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":1000,\"type\":\"VEC3\"},"
        "{\"bufferView\":0,\"byteOffset\":12000,\"componentType\":5123,\"count\":3,\"type\":\"SCALAR\"}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}]," ONE_NODE "}",
        chunk);
    expect_corners(part_mesh(assembly, 0), "997998999 ");
    assert_int_equal(graze_mesh_vertex_count(part_mesh(assembly, 0)), 3);
    graze_assembly_destroy(assembly);
}

static void a_model_holds_all_parts_in_world_coordinates(void **state)
{
    (void)state;
    static const char json[] = "{" GLTF_BOX ",\"nodes\":[{\"name\":\"A\",\"children\":[1,2],\"translation\":[10,0,0]},"
                               "{\"name\":\"B\",\"mesh\":0},{\"mesh\":0,\"translation\":[0,5,0],\"scale\":[2,2,2]}]}";
    gltf_bytes chunk = gltf_box_bytes(1), file = gltf_make_glb(json, &chunk);
    graze_model *model = NULL;
    graze_error error;
    assert_int_equal(
        graze_model_read_memory(NULL, file.data, file.size, "a.glb", GRAZE_FORMAT_AUTO, NULL, &error, &model),
        GRAZE_STATUS_OK);
    assert_int_equal(graze_model_format(model), GRAZE_FORMAT_GLB);
    assert_int_equal(graze_model_part_count(model), 2);
    assert_string_equal(graze_model_part_name(model, 0), "A/B");
    assert_string_equal(graze_model_part_name(model, 1), "A/node 2");
    assert_int_equal(graze_mesh_face_count(graze_model_mesh(model)), 24);
    assert_int_equal(graze_model_face_part(model, 11), 0);
    assert_int_equal(graze_model_face_part(model, 12), 1);
    graze_box box = graze_mesh_bounds(graze_model_mesh(model));
    assert_true(box.lower[0] == 8 && box.upper[0] == 12 && box.lower[1] == -1 && box.upper[1] == 7);
    graze_model_destroy(model);
    assert_int_equal(graze_mesh_write_file(NULL, NULL, "x.glb", GRAZE_FORMAT_AUTO, &error), GRAZE_STATUS_BAD_ARGUMENT);
    free(chunk.data);
    free(file.data);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    static const char json[] =
        "{" GLTF_BOX ",\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"name\":\"A\",\"children\":[1,2],\"mesh\":0},"
        "{\"name\":\"B\",\"mesh\":0,\"skin\":0},{\"name\":\"B\",\"mesh\":0,\"rotation\":[0,0,0,0]},{\"mesh\":0}]}";
    gltf_bytes chunk = gltf_box_bytes(1), file = gltf_make_glb(json, &chunk);
    size_t failures = 0;
    for (size_t allowed = 0;; allowed++, failures++)
    {
        failing_allocator allocator = {.allowed = allowed};
        graze_context context = failing_allocator_context(&allocator);
        graze_assembly *assembly = NULL;
        graze_error error = {0};
        graze_status status = graze_assembly_create(&context, &assembly);
        if (status == GRAZE_STATUS_OK)
            status = graze_assembly_add_memory(assembly, file.data, file.size, NULL, NULL, &error);
        if (status == GRAZE_STATUS_OK)
            assert_int_equal(graze_assembly_part_count(assembly), 2);
        else if (assembly != NULL)
            assert_int_equal(graze_assembly_part_count(assembly) + graze_assembly_problem_count(assembly) +
                                 graze_assembly_file_count(assembly) + graze_assembly_mesh_count(assembly),
                             0);
        graze_assembly_destroy(assembly);
        assert_int_equal(allocator.live, 0);
        if (status == GRAZE_STATUS_OK)
            break;
        assert_int_equal(status, GRAZE_STATUS_OUT_OF_MEMORY);
    }
    assert_true(failures > 15);
    gltf_bytes good = gltf_make_glb("{" GLTF_BOX "," ONE_NODE "}", &chunk);
    for (size_t allowed = 0;; allowed++)
    {
        failing_allocator allocator = {.allowed = allowed};
        graze_context context = failing_allocator_context(&allocator);
        graze_model *model = NULL;
        graze_status status =
            graze_model_read_memory(&context, good.data, good.size, NULL, GRAZE_FORMAT_AUTO, NULL, NULL, &model);
        graze_model_destroy(model);
        assert_int_equal(allocator.live, 0);
        if (status == GRAZE_STATUS_OK)
            break;
        assert_int_equal(status, GRAZE_STATUS_OUT_OF_MEMORY);
    }
    free(good.data);
    free(chunk.data);
    free(file.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_is_a_box_in_every_container),
        cmocka_unit_test(indices_of_8_16_and_32_bits_say_the_same),
        cmocka_unit_test(lists_strips_and_fans_become_triangles),
        cmocka_unit_test(stitches_of_strips_are_left_out),
        cmocka_unit_test(primitives_over_the_same_positions_share_vertices),
        cmocka_unit_test(points_and_lines_are_left_out_and_said_so),
        cmocka_unit_test(sparse_accessors_replace_elements),
        cmocka_unit_test(quantized_positions_are_read),
        cmocka_unit_test(only_vertices_that_are_used_matter),
        cmocka_unit_test(a_model_holds_all_parts_in_world_coordinates),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
