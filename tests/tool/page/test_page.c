/* SPDX-License-Identifier: MIT */
/* Parts of report pages: selection of meshes, simplified meshes, titles, hashes. None needs the viewer itself;
 * viewer/test tests whole pages in a browser. */
#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graze/generate.h"
#include "page/mesh_selection.h"
#include "page/title.h"
#include "page/vertex_clustering.h"
#include "support/random.h"
#include "support/tool_json.h"
#include "support/unit.h"
#include "text/sha256.h"

enum
{
    PARTS = 7
};

static void hashes_are_those_of_the_standard(void **state)
{
    (void)state;
    static const struct
    {
        const char *text, *hash;
    } known[] = {{"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
                 {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
                 {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"}};
    char text[GRZ_SHA256_TEXT_SIZE];
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    {
        grz_sha256_text_of(known[i].text, strlen(known[i].text), text);
        assert_string_equal(text, known[i].hash);
    }
    static char million[1000000];
    memset(million, 'a', sizeof million);
    grz_sha256 at = grz_sha256_start(); /* in pieces of every size */
    for (size_t from = 0, size = 1; from < sizeof million; from += size, size = (size + 7) % 200)
        grz_sha256_add(&at, million + from, size < sizeof million - from ? size : sizeof million - from);
    grz_sha256_end(&at, text);
    assert_string_equal(text, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

static int compare_edges(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Whether every edge is used equally often in both directions. */
static bool is_cycle(const graze_mesh *mesh)
{
    size_t count = 3 * graze_mesh_triangle_count(mesh);
    const uint32_t *corners = graze_mesh_triangles(mesh);
    uint64_t *there = calloc(count + 1, sizeof *there), *back = calloc(count + 1, sizeof *back);
    assert_true(there != NULL && back != NULL);
    for (size_t i = 0; i < count; i++)
    {
        uint64_t u = corners[i], v = corners[i % 3 == 2 ? i - 2 : i + 1];
        there[i] = u << 32 | v;
        back[i] = v << 32 | u;
    }
    qsort(there, count, sizeof *there, compare_edges);
    qsort(back, count, sizeof *back, compare_edges);
    bool same = memcmp(there, back, count * sizeof *there) == 0;
    free(there);
    free(back);
    return same;
}

static double volume_of(const graze_mesh *mesh)
{
    const double *v = graze_mesh_vertices(mesh);
    const uint32_t *c = graze_mesh_triangles(mesh);
    double sum = 0;
    for (size_t t = 0; t < graze_mesh_triangle_count(mesh); t++)
    {
        const double *p = v + 3 * (size_t)c[3 * t], *q = v + 3 * (size_t)c[3 * t + 1],
                     *r = v + 3 * (size_t)c[3 * t + 2];
        sum += p[0] * (q[1] * r[2] - q[2] * r[1]) + p[1] * (q[2] * r[0] - q[0] * r[2]) +
               p[2] * (q[0] * r[1] - q[1] * r[0]);
    }
    return sum / 6;
}

static void simplified_meshes_keep_their_limit_their_shape_and_stay_closed(void **state)
{
    (void)state;
    graze_mesh *torus = NULL;
    assert_int_equal(graze_mesh_create_torus(NULL, 3, 1, 300, 150, &torus), GRAZE_STATUS_OK);
    static const size_t limits[] = {100, 1000, 2500, 20000, 80000};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
    {
        graze_mesh *reduced = NULL;
        assert_true(cluster_vertices(torus, limits[i], &reduced));
        size_t count = graze_mesh_triangle_count(reduced);
        assert_true(count <= limits[i] && 3 * count >= limits[i]);
        assert_true(is_cycle(reduced));
        assert_true(fabs(volume_of(reduced) / volume_of(torus) - 1) < (limits[i] < 1000 ? 0.6 : 0.1));
        graze_box box = graze_mesh_bounds(reduced), before = graze_mesh_bounds(torus);
        for (int axis = 0; axis < 3; axis++)
            assert_true(box.lower[axis] >= before.lower[axis] && box.upper[axis] <= before.upper[axis]);
        graze_mesh_destroy(reduced);
    }
    graze_mesh_destroy(torus);
}

static graze_mesh *soup_of(test_random *random, size_t triangles, double scale)
{
    double *vertices = calloc(9 * triangles + 1, sizeof *vertices);
    uint32_t *corners = calloc(3 * triangles + 1, sizeof *corners);
    assert_true(vertices != NULL && corners != NULL);
    for (size_t i = 0; i < 9 * triangles; i++)
        vertices[i] = scale * (2 * random_unit(random) - 1);
    for (size_t i = 0; i < 3 * triangles; i++)
        corners[i] = (uint32_t)i;
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 3 * triangles;
    def.corners = corners;
    def.corner_count = 3 * triangles;
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    free(vertices);
    free(corners);
    return mesh;
}

static void any_mesh_can_be_simplified(void **state)
{
    (void)state;
    test_random random = test_random_start("any_mesh_can_be_simplified", 5);
    static const double scales[] = {0, 1e-310, 1, 1e150, 1.7e308};
    size_t tried = 0;
    for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++)
        for (size_t triangles = 0; triangles < 400; triangles += 57)
            for (size_t most = 0; most < 300; most += 99)
            {
                graze_mesh *mesh = soup_of(&random, triangles, scales[i]), *reduced = NULL;
                assert_true(cluster_vertices(mesh, most, &reduced));
                assert_true(graze_mesh_triangle_count(reduced) <= most);
                tried += graze_mesh_triangle_count(reduced) > 0;
                graze_mesh_destroy(reduced);
                graze_mesh_destroy(mesh);
            }
    assert_true(tried > 50);
}

/* Seven parts: a ball of 8,000 triangles twice, a box, four tori of 5,000; the last torus matters. */
static void make_parts(graze_mesh *meshes[6], page_part parts[PARTS])
{
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 20, &meshes[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 1, &meshes[1]), GRAZE_STATUS_OK);
    for (size_t i = 2; i < 6; i++)
        assert_int_equal(graze_mesh_create_torus(NULL, 3, 1, 50, 50, &meshes[i]), GRAZE_STATUS_OK);
    static const size_t mesh_of[PARTS] = {0, 1, 2, 3, 0, 4, 5};
    for (size_t i = 0; i < PARTS; i++)
        parts[i] = (page_part){.name = "part",
                               .file = "file",
                               .mesh = meshes[mesh_of[i]],
                               .pose = graze_pose_identity(),
                               .closed = true,
                               .matters = i == 6};
}

static void what_matters_is_there_in_full_and_the_rest_by_budget(void **state)
{
    (void)state;
    graze_mesh *meshes[6];
    page_part parts[PARTS];
    make_parts(meshes, parts);
    static const struct
    {
        size_t budget;
        char is[PARTS + 1]; /* F full, r reduced, b box */
    } expected[] = {{1000000, "FFFFFFF"}, {23012, "FFFFFFF"}, {23011, "rFFFrFF"}, {5012, "rFFrrrF"},
                    {12, "bFbbbbF"},      {0, "bbbbbbF"},     {1000, "rFrrrrF"}};
    for (size_t k = 0; k < sizeof expected / sizeof expected[0]; k++)
    {
        page_report page = {.parts = parts, .part_count = PARTS, .budget = expected[k].budget};
        page_meshes chosen;
        assert_true(page_meshes_select(&page, &chosen));
        size_t simplified = 0;
        for (size_t i = 0; i < PARTS; i++)
        {
            char is = chosen.full[i] != 0 ? 'F' : chosen.reduced[i] != 0 ? 'r' : 'b';
            if (is != expected[k].is[i])
                fail_msg("budget %zu: part %zu is %c", expected[k].budget, i, is);
            if (is == 'F')
                assert_ptr_equal(chosen.blocks[chosen.full[i] - 1].mesh, parts[i].mesh);
        }
        for (size_t i = 0; i < chosen.count; i++)
            simplified += chosen.blocks[i].own != NULL ? graze_mesh_triangle_count(chosen.blocks[i].own) : 0;
        assert_true(simplified <= expected[k].budget);
        assert_int_equal(chosen.full[0], chosen.full[4]); /* they share a mesh */
        assert_int_equal(chosen.reduced[0], chosen.reduced[4]);
        page_meshes_release(&chosen);
    }
    for (size_t i = 0; i < 6; i++)
        graze_mesh_destroy(meshes[i]);
}

static void expect_title(const char *title, bool y_up, size_t count, const page_input *inputs)
{
    char *text = page_title(inputs, count);
    assert_non_null(text);
    assert_string_equal(text, title);
    assert_int_equal(page_has_y_up(inputs, count), y_up);
    free(text);
}

#define TITLE(title, y_up, ...)                                                                                        \
    expect_title(title, y_up, sizeof((page_input[]){__VA_ARGS__}) / sizeof(page_input), (page_input[]){__VA_ARGS__})

static void titles_come_from_the_names_of_files(void **state)
{
    (void)state;
    TITLE("gear", false, {"gear.stl", "", 0});
    TITLE("gear.v2", false, {"/some/where/gear.v2.stl.gz", "", 0});
    TITLE(".hidden", false, {"parts/.hidden", "", 0});
    TITLE("standard input", false, {"-", "", 0});
    TITLE("parts", false, {"parts/a.stl", "", 0}, {"parts/b/c.glb", "", 0});
    TITLE("b", true, {"../parts/b/a.glb", "", 0}, {"../parts/b/c.gltf.gz", "", 0});
    TITLE("a and others", false, {"parts/a.stl", "", 0}, {"partsb/c.stl", "", 0});
    TITLE("a and others", false, {"./a.stl", "", 0}, {"./b.stl", "", 0});
    TITLE("a and others", false, {"../a.stl", "", 0}, {"../x/b.stl", "", 0});
    TITLE("a and others", false, {"a.stl", "", 0}, {"x/b.stl", "", 0});
    TITLE("x", true, {"x.glb", "", 0});
    expect_title("graze", false, 0, NULL);
}

/* The page after the viewer's own bytes; the caller frees it. */
static char *written(const page_report *page)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_true(page_write(page, out));
    fclose(out);
    char *copy = strdup(strstr(text, "<script type=\"application/json\""));
    free(text);
    assert_non_null(copy);
    return copy;
}

static void names_cannot_end_the_script_they_stand_in(void **state)
{
    (void)state;
    graze_mesh *box = NULL;
    assert_int_equal(graze_mesh_create_box(NULL, 2, 4, 6, 1, &box), GRAZE_STATUS_OK);
    page_part part = {.name = "a/</script><script>alert(1)//",
                      .file = "in <b>.stl",
                      .mesh = box,
                      .pose = graze_pose_translation(10, 0, 0),
                      .closed = true,
                      .matters = true};
    page_input input = {"in <b>.stl", "", 0};
    page_report page = {.inputs = &input, .input_count = 1, .parts = &part, .part_count = 1, .units = "mm"};
    char *text = written(&page), *end = strstr(text, "</script>");
    assert_non_null(end);
    assert_true(strncmp(end, "</script>\n<script type=\"text/plain\" id=\"graze-geometry-0\">", 58) == 0);
    *end = '\0';
    cJSON *document = cJSON_Parse(strchr(text, '{'));
    assert_non_null(document);
    const cJSON *shown = cJSON_GetArrayItem(cJSON_GetObjectItem(document, "parts"), 0);
    assert_string_equal(json_string(shown, "name"), part.name);
    assert_int_equal(json_number(shown, "file"), 0);
    const cJSON *corners = cJSON_GetObjectItem(shown, "box");
    static const double expected[6] = {9, -2, -3, 11, 2, 3};
    for (int i = 0; i < 6; i++)
        assert_true(cJSON_GetArrayItem(corners, i)->valuedouble == expected[i]);
    const cJSON *header = cJSON_GetObjectItem(document, "header");
    assert_string_equal(json_string(header, "units"), "mm");
    assert_true(
        cJSON_IsNull(cJSON_GetObjectItem(cJSON_GetArrayItem(cJSON_GetObjectItem(header, "inputs"), 0), "sha256")));
    assert_null(cJSON_GetObjectItem(document, "findings"));
    cJSON_Delete(document);
    free(text);
    graze_mesh_destroy(box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hashes_are_those_of_the_standard),
        cmocka_unit_test(simplified_meshes_keep_their_limit_their_shape_and_stay_closed),
        cmocka_unit_test(any_mesh_can_be_simplified),
        cmocka_unit_test(what_matters_is_there_in_full_and_the_rest_by_budget),
        cmocka_unit_test(titles_come_from_the_names_of_files),
        cmocka_unit_test(names_cannot_end_the_script_they_stand_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
