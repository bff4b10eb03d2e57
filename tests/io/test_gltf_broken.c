/* SPDX-License-Identifier: MIT */
/*
 * Broken and hostile glTF: each error has its status and a message that names the element; an error in one mesh does
 * not affect the others; small files that demand much are refused early. Also buffers in other files.
 */
#define _POSIX_C_SOURCE 200809L

#include "support/unit.h"

#include <math.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "support/assemble.h"
#include "support/tool_process.h"

#define NODES "\"nodes\":[{\"name\":\"Good\",\"mesh\":0},{\"name\":\"Bad\",\"mesh\":1}]"
#define GOOD "{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}"

static graze_status add_json(graze_assembly *assembly, const char *json, graze_error *error)
{
    gltf_bytes chunk = gltf_box_bytes(1), file = gltf_make_glb(json, &chunk);
    graze_status status = add_bytes(assembly, "test.glb", file.data, file.size, error);
    free(chunk.data);
    free(file.data);
    return status;
}

/* --- the whole file --- */

static void files_that_cannot_be_used_say_why(void **state)
{
    (void)state;
    static const struct
    {
        const char *json;
        graze_status status;
        const char *words;
    } cases[] = {
        {"", GRAZE_STATUS_TRUNCATED, "a value"},
        {"{", GRAZE_STATUS_TRUNCATED, "a key in quotes or }"},
        {"{\"a\":[1,2", GRAZE_STATUS_TRUNCATED, "a comma or ]"},
        {"{\"a\":1]", GRAZE_STATUS_BAD_FORMAT, "a comma or }"},
        {"{\"a\":[1,]}", GRAZE_STATUS_BAD_FORMAT, "a value"},
        {"{\"a\" 1}", GRAZE_STATUS_BAD_FORMAT, "a colon"},
        {"{a:1}", GRAZE_STATUS_BAD_FORMAT, "a key in quotes"},
        {"{\"a\":01}", GRAZE_STATUS_BAD_FORMAT, "number"},
        {"{\"a\":1.}", GRAZE_STATUS_BAD_FORMAT, "number"},
        {"{\"a\":-}", GRAZE_STATUS_BAD_FORMAT, "number"},
        {"{\"a\":1e}", GRAZE_STATUS_BAD_FORMAT, "number"},
        {"{\"a\":nan}", GRAZE_STATUS_BAD_FORMAT, "a value"},
        {"{\"a\":\"\\x\"}", GRAZE_STATUS_BAD_FORMAT, "escape"},
        {"{\"a\":\"\\u12\"}", GRAZE_STATUS_BAD_FORMAT, "escape"},
        {"{\"a\":\"b\nc\"}", GRAZE_STATUS_BAD_FORMAT, "control character"},
        {"{\"a\":\"b", GRAZE_STATUS_TRUNCATED, "within a string"},
        {"{} {}", GRAZE_STATUS_BAD_FORMAT, "nothing more"},
        {"[]", GRAZE_STATUS_BAD_FORMAT, "no \"asset\""},
        {"{\"objects\":[]}", GRAZE_STATUS_BAD_FORMAT, "no \"asset\""},
        {"{\"asset\":{}}", GRAZE_STATUS_UNSUPPORTED, "version 2"},
        {"{\"asset\":{\"version\":\"1.0\"}}", GRAZE_STATUS_UNSUPPORTED, "\"1.0\""},
        {"{\"asset\":{\"version\":\"2.0\",\"minVersion\":\"2.1\"}}", GRAZE_STATUS_UNSUPPORTED, "\"2.1\""},
        {"{" GLTF_ASSET ",\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]}", GRAZE_STATUS_UNSUPPORTED,
         "KHR_draco_mesh_compression"},
        {"{" GLTF_ASSET ",\"extensionsRequired\":[\"KHR_materials_unlit\",\"EXT_meshopt_compression\"]}",
         GRAZE_STATUS_UNSUPPORTED, "EXT_meshopt_compression"},
        {"{" GLTF_ASSET ",\"extensionsRequired\":[\"ACME_teapots\"]}", GRAZE_STATUS_UNSUPPORTED, "ACME_teapots"},
        {"{" GLTF_ASSET "}", GRAZE_STATUS_EMPTY, "no meshes"},
        {"{" GLTF_ASSET ",\"meshes\":{}}", GRAZE_STATUS_BAD_FORMAT, "\"meshes\" is not an array"},
        {"{" GLTF_ASSET ",\"buffers\":[{\"byteLength\":169}]," GLTF_BOX_VIEWS "," GLTF_BOX_ACCESSORS "," GLTF_BOX_MESHES
         ",\"nodes\":[{\"mesh\":0}]}",
         GRAZE_STATUS_TRUNCATED, "buffer 0 announces 169 bytes, but there are 168"},
        {"{" GLTF_ASSET ",\"buffers\":[{\"byteLength\":-1}]," GLTF_BOX_VIEWS "," GLTF_BOX_ACCESSORS "," GLTF_BOX_MESHES
         ",\"nodes\":[{\"mesh\":0}]}",
         GRAZE_STATUS_BAD_FORMAT, "byteLength"},
        {"{" GLTF_ASSET ",\"buffers\":[{\"byteLength\":168,\"uri\":\"data:;base64,AA*A\"}]," GLTF_BOX_VIEWS
         "," GLTF_BOX_ACCESSORS "," GLTF_BOX_MESHES ",\"nodes\":[{\"mesh\":0}]}",
         GRAZE_STATUS_BAD_FORMAT, "base64"},
        {"{" GLTF_ASSET ",\"buffers\":[{\"byteLength\":168,\"uri\":\"data:text/plain,abc\"}]," GLTF_BOX_VIEWS
         "," GLTF_BOX_ACCESSORS "," GLTF_BOX_MESHES ",\"nodes\":[{\"mesh\":0}]}",
         GRAZE_STATUS_UNSUPPORTED, "base64"},
        {"{" GLTF_ASSET ",\"buffers\":[{\"byteLength\":168,\"uri\":\"a.bin\"}]," GLTF_BOX_VIEWS "," GLTF_BOX_ACCESSORS
         "," GLTF_BOX_MESHES ",\"nodes\":[{\"mesh\":0}]}",
         GRAZE_STATUS_UNSUPPORTED, "not read from a file"},
        {"{" GLTF_ASSET ",\"buffers\":[{\"byteLength\":168,\"uri\":\"https://x.y/a.bin\"}]," GLTF_BOX_VIEWS
         "," GLTF_BOX_ACCESSORS "," GLTF_BOX_MESHES ",\"nodes\":[{\"mesh\":0}]}",
         GRAZE_STATUS_UNSUPPORTED, "https://x.y/a.bin"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
        graze_assembly *assembly = new_assembly();
        graze_error error = {0};
        graze_status status = add_json(assembly, cases[i].json, &error);
        if (status != cases[i].status || strstr(error.text, cases[i].words) == NULL)
            fail_msg("case %zu: status %d: %s", i, (int)status, error.text);
        assert_memory_equal(error.text, "test.glb", 8);
        graze_assembly_destroy(assembly);
    }
}

static void places_in_text_are_lines(void **state)
{
    (void)state;
    graze_assembly *assembly = new_assembly();
    graze_error error = {0};
    static const char text[] = "{\n\"asset\":{\"version\":\"2.0\"},\n\"nodes\":[,]}";
    assert_int_equal(add_bytes(assembly, "a.gltf", text, sizeof text - 1, &error), GRAZE_STATUS_BAD_FORMAT);
    assert_int_equal(error.line, 3);
    graze_assembly_destroy(assembly);
}

static void a_glb_cut_anywhere_is_refused(void **state)
{
    (void)state;
    gltf_bytes chunk = gltf_box_bytes(1);
    gltf_bytes file = gltf_make_glb("{" GLTF_BOX ",\"nodes\":[{\"mesh\":0}]}", &chunk);
    for (size_t cut = 4; cut < file.size; cut++)
    {
        graze_assembly *assembly = new_assembly();
        graze_error error = {0};
        assert_int_equal(add_bytes(assembly, "a.glb", file.data, cut, &error), GRAZE_STATUS_TRUNCATED);
        graze_assembly_destroy(assembly);
    }
    /* The header matches: the missing bytes are found further in. */
    for (size_t cut = 12; cut < file.size; cut++)
    {
        graze_assembly *assembly = new_assembly();
        graze_error error = {0};
        for (int i = 0; i < 4; i++)
            file.data[8 + i] = (unsigned char)(cut >> (8 * i) & 0xff);
        graze_status status = add_bytes(assembly, "a.glb", file.data, cut, &error);
        assert_true(status == GRAZE_STATUS_TRUNCATED || status == GRAZE_STATUS_BAD_FORMAT);
        graze_assembly_destroy(assembly);
    }
    file.data[4] = 1;
    graze_assembly *assembly = new_assembly();
    graze_error error = {0};
    assert_int_equal(add_bytes(assembly, "a.glb", file.data, file.size, &error), GRAZE_STATUS_UNSUPPORTED);
    graze_assembly_destroy(assembly);
    free(chunk.data);
    free(file.data);
}

/* --- one mesh --- */

static void a_bad_mesh_is_named_and_the_rest_is_there(void **state)
{
    (void)state;
    static const struct
    {
        const char *mesh, *accessors, *views;
        graze_status status;
        const char *words;
    } cases[] = {
        {"{\"attributes\":{\"POSITION\":0},\"indices\":1,\"targets\":[{}]}", "", "", GRAZE_STATUS_UNSUPPORTED,
         "mesh 1 'M', primitive 0: morph targets are not supported"},
        {"{\"attributes\":{}}", "", "", GRAZE_STATUS_BAD_FORMAT, "no positions"},
        {"{\"attributes\":{\"POSITION\":99}}", "", "", GRAZE_STATUS_BAD_INDEX, "accessor 99, but there are 2"},
        {"{\"attributes\":{\"POSITION\":1}}", "", "", GRAZE_STATUS_BAD_FORMAT, "positions"},
        {"{\"attributes\":{\"POSITION\":0},\"indices\":0}", "", "", GRAZE_STATUS_BAD_FORMAT, "indices"},
        {"{\"attributes\":{\"POSITION\":0},\"mode\":7}", "", "", GRAZE_STATUS_BAD_FORMAT, "mode"},
        {"{\"attributes\":{\"POSITION\":0}}", "", "", GRAZE_STATUS_BAD_FORMAT, "no whole number of triangles"},
        {"{\"attributes\":{\"POSITION\":0},\"indices\":2}",
         ",{\"bufferView\":0,\"componentType\":5121,\"count\":3,\"type\":\"SCALAR\"}", "", GRAZE_STATUS_BAD_INDEX,
         "index 2 names vertex 128, but there are 8"},
        {"{\"attributes\":{\"POSITION\":2}}",
         ",{\"bufferView\":0,\"componentType\":5126,\"count\":9,\"type\":\"VEC3\"}", "", GRAZE_STATUS_TRUNCATED,
         "accessor 2 has 9 elements of 12 bytes from byte 0 on, but its view has 96"},
        {"{\"attributes\":{\"POSITION\":2}}",
         ",{\"bufferView\":0,\"byteOffset\":88,\"componentType\":5126,\"count\":1,\"type\":\"VEC3\"}", "",
         GRAZE_STATUS_TRUNCATED, "accessor 2"},
        {"{\"attributes\":{\"POSITION\":2}}",
         ",{\"bufferView\":0,\"byteOffset\":9007199254740992,\"componentType\":5126,\"count\":1,\"type\":\"VEC3\"}", "",
         GRAZE_STATUS_TRUNCATED, "accessor 2"},
        {"{\"attributes\":{\"POSITION\":2}}",
         ",{\"bufferView\":0,\"componentType\":5126,\"count\":4294967295,\"type\":\"VEC3\"}", "",
         GRAZE_STATUS_TRUNCATED, "accessor 2"},
        {"{\"attributes\":{\"POSITION\":2}}",
         ",{\"bufferView\":0,\"componentType\":5126,\"count\":4294967296,\"type\":\"VEC3\"}", "",
         GRAZE_STATUS_TOO_LARGE, "accessor 2"},
        {"{\"attributes\":{\"POSITION\":2}}",
         ",{\"bufferView\":0,\"componentType\":5126,\"count\":0,\"type\":\"VEC3\"}", "", GRAZE_STATUS_BAD_FORMAT,
         "no elements"},
        {"{\"attributes\":{\"POSITION\":2}}",
         ",{\"bufferView\":0,\"componentType\":5130,\"count\":3,\"type\":\"VEC3\"}", "", GRAZE_STATUS_UNSUPPORTED,
         "type 5130"},
        {"{\"attributes\":{\"POSITION\":2}}",
         ",{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC4\"}", "", GRAZE_STATUS_BAD_FORMAT,
         "neither VEC3 nor SCALAR"},
        {"{\"attributes\":{\"POSITION\":2}}",
         ",{\"bufferView\":7,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}", "", GRAZE_STATUS_BAD_INDEX,
         "buffer view 7, but there are 2"},
        {"{\"attributes\":{\"POSITION\":2}}",
         ",{\"bufferView\":2,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}",
         ",{\"buffer\":0,\"byteOffset\":100,\"byteLength\":69}", GRAZE_STATUS_TRUNCATED,
         "buffer view 2 takes 69 bytes from byte 100 on, but buffer 0 has 168"},
        {"{\"attributes\":{\"POSITION\":2}}",
         ",{\"bufferView\":2,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}",
         ",{\"buffer\":3,\"byteLength\":36}", GRAZE_STATUS_BAD_INDEX, "buffer 3, but there are 1"},
        {"{\"attributes\":{\"POSITION\":2}}",
         ",{\"bufferView\":2,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}",
         ",{\"buffer\":0,\"byteLength\":96,\"byteStride\":8}", GRAZE_STATUS_BAD_FORMAT, "byteStride"},
        {"{\"attributes\":{\"POSITION\":2}}",
         ",{\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"sparse\":{\"count\":4,\"indices\":{\"bufferView\":0,"
         "\"componentType\":5121},\"values\":{\"bufferView\":0}}}",
         "", GRAZE_STATUS_BAD_FORMAT, "sparse"},
        {"{\"attributes\":{\"POSITION\":2}}",
         ",{\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"sparse\":{\"count\":2,\"indices\":{\"bufferView\":0,"
         "\"componentType\":5121},\"values\":{\"bufferView\":0}}}",
         "", GRAZE_STATUS_BAD_FORMAT, "ascend"},
        {"{\"attributes\":{\"POSITION\":2}}",
         ",{\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"sparse\":{\"count\":1,\"indices\":{\"bufferView\":0,"
         "\"byteOffset\":2,\"componentType\":5121},\"values\":{\"bufferView\":0}}}",
         "", GRAZE_STATUS_BAD_INDEX, "number 128"},
        {"{\"attributes\":{\"POSITION\":2},\"extensions\":{\"KHR_draco_mesh_compression\":{}}}",
         ",{\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}", "", GRAZE_STATUS_UNSUPPORTED,
         "KHR_draco_mesh_compression"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
        char json[4000];
        snprintf(json, sizeof json,
                 "{" GLTF_ASSET ",\"buffers\":[{\"byteLength\":168}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":96},"
                 "{\"buffer\":0,\"byteOffset\":96,\"byteLength\":72}%s],\"accessors\":[{\"bufferView\":0,"
                 "\"componentType\":5126,\"count\":8,\"type\":\"VEC3\"},{\"bufferView\":1,\"componentType\":5123,"
                 "\"count\":36,\"type\":\"SCALAR\"}%s],\"meshes\":[" GOOD
                 ",{\"name\":\"M\",\"primitives\":[%s]}]," NODES "}",
                 cases[i].views, cases[i].accessors, cases[i].mesh);
        graze_assembly *assembly = new_assembly();
        graze_error error = {0};
        graze_status status = add_json(assembly, json, &error);
        if (status != GRAZE_STATUS_OK || graze_assembly_part_count(assembly) != 1 ||
            graze_assembly_problem_count(assembly) != 1)
            fail_msg("case %zu: %s", i, error.text);
        assert_string_equal(part_name(assembly, 0), "Good");
        const graze_problem *problem = graze_assembly_problem_at(assembly, 0);
        if (problem->status != cases[i].status || strstr(problem->text, cases[i].words) == NULL)
            fail_msg("case %zu: status %d: %s", i, (int)problem->status, problem->text);
        assert_string_equal(problem->part, "Bad");
        assert_memory_equal(problem->text, "test.glb: mesh 1 'M', primitive 0: ", 35);
        assert_true(problem->left_out);
        graze_assembly_destroy(assembly);

        gltf_bytes chunk = gltf_box_bytes(1), file = gltf_make_glb(json, &chunk);
        graze_model *model = NULL; /* which accepts all or nothing */
        assert_int_equal(
            graze_model_read_memory(NULL, file.data, file.size, "test.glb", GRAZE_FORMAT_AUTO, NULL, &error, &model),
            cases[i].status);
        assert_non_null(strstr(error.text, "(Bad)"));
        free(chunk.data);
        free(file.data);
    }
}

static void a_position_that_is_not_finite_names_vertex_and_node(void **state)
{
    (void)state;
    gltf_bytes chunk = gltf_box_bytes(1);
    static const float nan_position[3] = {0, NAN, 0};
    gltf_bytes bad = {0};
    gltf_put_floats(&bad, nan_position, 3);
    memcpy(chunk.data + 5 * 12, bad.data, 12);
    gltf_bytes file = gltf_make_glb("{" GLTF_BOX ",\"nodes\":[{\"name\":\"Shaft\",\"mesh\":0}]}", &chunk);
    graze_assembly *assembly = assemble_bytes("a.glb", file.data, file.size);
    assert_int_equal(graze_assembly_part_count(assembly), 0);
    const graze_problem *problem = graze_assembly_problem_at(assembly, 0);
    assert_string_equal(problem->part, "Shaft");
    assert_int_equal(problem->status, GRAZE_STATUS_NOT_FINITE);
    assert_string_equal(problem->text, "a.glb: mesh 0 'Box', primitive 0: the position of vertex 5 is not finite");
    graze_assembly_destroy(assembly);
    free(chunk.data);
    free(bad.data);
    free(file.data);
}

/* --- hostile --- */

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void small_files_that_ask_for_much_are_refused(void **state)
{
    (void)state;
    static const char zeros[] = "{" GLTF_ASSET ",\"accessors\":[{\"componentType\":5126,\"count\":4294967295,\"type\":"
                                "\"VEC3\"}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
                                "\"nodes\":[{\"mesh\":0}]}";
    graze_assembly *assembly = new_assembly();
    graze_error error = {0};
    assert_int_equal(add_json(assembly, zeros, &error), GRAZE_STATUS_TOO_LARGE);

    /* A hundred thousand primitives over the same box. */
    enum
    {
        COPIES = 100000
    };
    char *json = malloc(COPIES * 48 + 2000);
    assert_non_null(json);
    size_t used =
        (size_t)sprintf(json, "{" GLTF_ASSET ",\"buffers\":[{\"byteLength\":168}]," GLTF_BOX_VIEWS
                              "," GLTF_BOX_ACCESSORS ",\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[");
    for (int i = 0; i < COPIES; i++)
        used += (size_t)sprintf(json + used, "%s{\"attributes\":{\"POSITION\":0},\"indices\":1}", i > 0 ? "," : "");
    sprintf(json + used, "]}]}");
    double start = seconds();
    graze_status status = add_json(assembly, json, &error); /* 4.4 MB may cost 280 MB: this stays just below */
    assert_int_equal(status, GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_vertex_count(part_mesh(assembly, 0)), 8);
    assert_true(seconds() - start < 20);
    graze_assembly_destroy(assembly);

    /* A hundred thousand nodes fit an assembly, which shares their mesh of ten boxes; a model would have to copy it. */
    used = (size_t)sprintf(json, "{" GLTF_ASSET ",\"buffers\":[{\"byteLength\":168}]," GLTF_BOX_VIEWS
                                 "," GLTF_BOX_ACCESSORS ",\"meshes\":[{\"primitives\":[");
    for (int i = 0; i < 10; i++)
        used += (size_t)sprintf(json + used, "%s{\"attributes\":{\"POSITION\":0},\"indices\":1}", i > 0 ? "," : "");
    used += (size_t)sprintf(json + used, "]}],\"nodes\":[");
    for (int i = 0; i < COPIES; i++)
        used += (size_t)sprintf(json + used, "%s{\"mesh\":0}", i > 0 ? "," : "");
    sprintf(json + used, "]}");
    assembly = assemble_glb(json, gltf_box_bytes(1));
    assert_int_equal(graze_assembly_part_count(assembly), COPIES);
    graze_assembly_destroy(assembly);
    gltf_bytes chunk = gltf_box_bytes(1), file = gltf_make_glb(json, &chunk);
    graze_model *model = NULL;
    assert_int_equal(graze_model_read_memory(NULL, file.data, file.size, NULL, GRAZE_FORMAT_AUTO, NULL, &error, &model),
                     GRAZE_STATUS_TOO_LARGE);
    free(chunk.data);
    free(file.data);
    free(json);
}

/* --- files beside it --- */

static void write_gltf(const char *path, const char *uri)
{
    char json[2000];
    snprintf(json, sizeof json,
             "{" GLTF_ASSET ",\"buffers\":[{\"byteLength\":168,\"uri\":\"%s\"}]," GLTF_BOX_VIEWS "," GLTF_BOX_ACCESSORS
             "," GLTF_BOX_MESHES ",\"nodes\":[{\"mesh\":0}]}",
             uri);
    write_text(path, json);
}

static void buffers_lie_beside_the_file(void **state)
{
    (void)state;
    gltf_bytes chunk = gltf_box_bytes(1);
    assert_int_equal(mkdir("deep", 0777), 0);
    write_bytes("deep/my box.bin", chunk.data, chunk.size);
    write_bytes("up.bin", chunk.data, chunk.size);
    write_bytes("deep/short.bin", chunk.data, 100);
    assert_int_equal(mkfifo("deep/pipe.bin", 0666), 0);
    free(chunk.data);
    static const struct
    {
        const char *uri;
        graze_status status;
        const char *words;
    } cases[] = {
        {"my%20box.bin", GRAZE_STATUS_OK, ""},
        {"my box.bin", GRAZE_STATUS_OK, ""},
        {"./my%20b%6Fx.bin", GRAZE_STATUS_OK, ""},
        {"../up.bin", GRAZE_STATUS_OK, ""},
        {"my\\u0020box.bin", GRAZE_STATUS_OK, ""},
        {"missing.bin", GRAZE_STATUS_NOT_FOUND, "deep/missing.bin"},
        {"short.bin", GRAZE_STATUS_TRUNCATED, "announces 168 bytes, but there are 100"},
        {"pipe.bin", GRAZE_STATUS_UNREADABLE, "no file"},
        {"../deep", GRAZE_STATUS_UNREADABLE, "no file"},
        {"/up.bin", GRAZE_STATUS_UNSUPPORTED, "absolute"},
        {"%2fup.bin", GRAZE_STATUS_UNSUPPORTED, "absolute"},
        {"a%00b", GRAZE_STATUS_BAD_FORMAT, "no name"},
        {"", GRAZE_STATUS_BAD_FORMAT, "no name"},
        {"file:///up.bin", GRAZE_STATUS_UNSUPPORTED, "file:///up.bin"},
        {"http://a/b", GRAZE_STATUS_UNSUPPORTED, "http://a/b"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
        write_gltf("deep/a.gltf", cases[i].uri);
        graze_assembly *assembly = new_assembly();
        graze_error error = {0};
        graze_status status = graze_assembly_add_file(assembly, "deep/a.gltf", NULL, NULL, &error);
        if (status != cases[i].status || (status != GRAZE_STATUS_OK && strstr(error.text, cases[i].words) == NULL))
            fail_msg("case %zu: status %d: %s", i, (int)status, error.text);
        if (status == GRAZE_STATUS_OK)
            assert_int_equal(graze_mesh_triangle_count(part_mesh(assembly, 0)), 12);
        graze_assembly_destroy(assembly);
    }
    static const char *const files[] = {"deep/a.gltf", "deep/my box.bin", "deep/short.bin", "deep/pipe.bin"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        assert_int_equal(unlink(files[i]), 0);
    assert_int_equal(rmdir("deep"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_that_cannot_be_used_say_why),
        cmocka_unit_test(places_in_text_are_lines),
        cmocka_unit_test(a_glb_cut_anywhere_is_refused),
        cmocka_unit_test(a_bad_mesh_is_named_and_the_rest_is_there),
        cmocka_unit_test(a_position_that_is_not_finite_names_vertex_and_node),
        cmocka_unit_test(small_files_that_ask_for_much_are_refused),
        cmocka_unit_test(buffers_lie_beside_the_file),
    };
    return cmocka_run_group_tests(tests, enter_temporary_directory, leave_temporary_directory);
}
