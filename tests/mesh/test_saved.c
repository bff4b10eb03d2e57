/* SPDX-License-Identifier: MIT */
/* Saved meshes: mapped ones are the same mesh, and bytes that are cut, altered, foreign or forged do no harm. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graze/generate.h"
#include "graze/pair.h"
#include "graze/topology.h"
#include "mesh/blob.h"
#include "support/bodies.h"
#include "support/environment.h"
#include "support/failing_allocator.h"
#include "support/polygons.h"
#include "support/unit.h"

typedef struct blob
{
    char *bytes; /* aligned */
    size_t size;
} blob;

static blob save(const graze_mesh *mesh)
{
    blob b = {NULL, graze_mesh_saved_size(mesh)};
    assert_int_equal(b.size % 64, 0);
    b.bytes = aligned_alloc(64, b.size);
    assert_non_null(b.bytes);
    memset(b.bytes, 0xa5, b.size);
    assert_int_equal(graze_mesh_save(mesh, b.bytes, b.size - 1), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_mesh_save(mesh, b.bytes, b.size), GRAZE_STATUS_OK);
    return b;
}

static graze_status map(const blob *b, graze_error *error, graze_mesh **out_mesh)
{
    *out_mesh = NULL;
    return graze_mesh_map(NULL, b->bytes, b->size, NULL, error, out_mesh);
}

/* Makes the checksum right again, as a forger would. */
static void seal(blob *b)
{
    grz_mesh_blob_header header;
    memcpy(&header, b->bytes, sizeof header);
    header.checksum = grz_mesh_blob_checksum(&header, b->bytes, NULL);
    memcpy(b->bytes, &header, sizeof header);
}

/* Two squares, one with a square hole; a vertex that no face uses. */
static graze_mesh *frame(void)
{
    static const double vertices[13][3] = {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}, {1, 1, 0}, {1, 3, 0}, {3, 3, 0},
                                           {3, 1, 0}, {0, 0, 9}, {4, 0, 9}, {4, 4, 9}, {0, 4, 9}, {7, 7, 7}};
    static const uint32_t corners[12] = {8, 9, 10, 11, 0, 1, 2, 3, 4, 5, 6, 7}, loop_sizes[3] = {4, 4, 4};
    static const uint32_t face_loop_counts[2] = {1, 2};
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 13;
    def.corners = corners;
    def.corner_count = 12;
    def.loop_sizes = loop_sizes;
    def.loop_count = 3;
    def.face_loop_counts = face_loop_counts;
    def.face_count = 2;
    graze_mesh *mesh;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

static void expect_same(const graze_mesh *a, const graze_mesh *b)
{
    assert_int_equal(graze_mesh_vertex_count(a), graze_mesh_vertex_count(b));
    assert_int_equal(graze_mesh_triangle_count(a), graze_mesh_triangle_count(b));
    assert_int_equal(graze_mesh_face_count(a), graze_mesh_face_count(b));
    assert_int_equal(graze_mesh_irregular_face_count(a), graze_mesh_irregular_face_count(b));
    assert_memory_equal(graze_mesh_vertices(a), graze_mesh_vertices(b),
                        graze_mesh_vertex_count(a) * 3 * sizeof(double));
    assert_memory_equal(graze_mesh_triangles(a), graze_mesh_triangles(b),
                        graze_mesh_triangle_count(a) * 3 * sizeof(uint32_t));
    for (size_t t = 0; t < graze_mesh_triangle_count(a); t++)
        assert_int_equal(graze_mesh_triangle_face(a, t), graze_mesh_triangle_face(b, t));
    for (size_t f = 0; f < graze_mesh_face_count(a); f++)
    {
        assert_int_equal(graze_mesh_face_loop_count(a, f), graze_mesh_face_loop_count(b, f));
        for (size_t l = 0; l < graze_mesh_face_loop_count(a, f); l++)
        {
            size_t count_a, count_b;
            const uint32_t *loop_a = graze_mesh_face_loop(a, f, l, &count_a);
            const uint32_t *loop_b = graze_mesh_face_loop(b, f, l, &count_b);
            assert_int_equal(count_a, count_b);
            assert_memory_equal(loop_a, loop_b, count_a * sizeof *loop_a);
        }
    }
    graze_box box_a = graze_mesh_bounds(a), box_b = graze_mesh_bounds(b);
    assert_memory_equal(&box_a, &box_b, sizeof box_a);
    assert_memory_equal(a->centre, b->centre, sizeof a->centre);
    assert_true(a->radius == b->radius && a->exponent == b->exponent);
    if (graze_mesh_triangle_count(a) > 0)
        assert_memory_equal(a->scaled, b->scaled, graze_mesh_vertex_count(a) * 3 * sizeof(double));
}

/* Saves, maps and compares; what was mapped is saved as the same bytes. */
static void expect_kept(graze_mesh *mesh)
{
    blob b = save(mesh);
    graze_mesh *mapped;
    assert_int_equal(map(&b, NULL, &mapped), GRAZE_STATUS_OK);
    expect_same(mesh, mapped);
    blob again = save(mapped);
    assert_int_equal(again.size, b.size);
    assert_memory_equal(again.bytes, b.bytes, b.size);
    free(again.bytes);
    graze_mesh_destroy(mapped);
    graze_mesh_destroy(mesh);
    free(b.bytes);
}

static void a_mapped_mesh_is_the_same_mesh(void **state)
{
    (void)state;
    test_random random = test_random_start("a_mapped_mesh_is_the_same_mesh", 1);
    static test_polygon polygon;
    graze_mesh *mesh;
    graze_mesh_def def = graze_mesh_def_default();
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    expect_kept(mesh);
    uint32_t none = 0;
    def.loop_sizes = &none; /* polygons, but none */
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    expect_kept(mesh);
    assert_int_equal(graze_mesh_create_gear(NULL, 12, 1, 2, 1, 0, &mesh), GRAZE_STATUS_OK);
    expect_kept(mesh);
    expect_kept(frame());
    size_t holes = 0;
    for (int round = 0; round < 200; round++)
    {
        polygon_of_squares(&polygon, &random, random_between(&random, 5, 14), random_below(&random, 3),
                           random_below(&random, 4));
        holes += polygon.loop_count > 1;
        expect_kept(polygon_mesh(&polygon, NULL, round % 3, 1, round % 5, round % 3));
    }
    assert_true(holes > 20);
    for (int power = -1000; power <= 1000; power += 100) /* also where vertices are scaled for filters */
    {
        double vertices[30][3];
        uint32_t corners[60];
        for (int i = 0; i < 90; i++)
            vertices[i / 3][i % 3] = ldexp(random_real(&random, -1, 1), power);
        for (int i = 0; i < 60; i++)
            corners[i] = (uint32_t)random_below(&random, 30);
        expect_kept(body_of_triangles(vertices, 30, corners, 20));
    }
}

static void queries_and_saved_trees_take_a_mapped_mesh_for_the_original(void **state)
{
    (void)state;
    graze_mesh *mesh, *mapped;
    graze_tree *tree, *mapped_tree;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 12, &mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
    blob b = save(mesh);
    size_t tree_size = graze_tree_saved_size(tree);
    void *tree_bytes = aligned_alloc(64, (tree_size + 63) / 64 * 64);
    assert_int_equal(graze_tree_save(tree, tree_bytes, tree_size), GRAZE_STATUS_OK);
    assert_int_equal(map(&b, NULL, &mapped), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_map(NULL, mapped, tree_bytes, tree_size, NULL, NULL, &mapped_tree), GRAZE_STATUS_OK);
    graze_placed_mesh a = {mesh, tree, graze_pose_identity()}, x = {mapped, mapped_tree, a.pose};
    graze_placed_mesh second = {mesh, tree, graze_pose_translation(0.5, 0.25, 0.125)};
    graze_pair_counts counts, expected;
    assert_int_equal(graze_pair_count(NULL, &a, &second, NULL, &expected), GRAZE_STATUS_OK);
    assert_int_equal(graze_pair_count(NULL, &x, &second, NULL, &counts), GRAZE_STATUS_OK);
    assert_memory_equal(&counts, &expected, sizeof counts);
    assert_true(counts.pairs > 50);
    graze_mesh_facts facts, expected_facts;
    memset(&facts, 0, sizeof facts);
    memset(&expected_facts, 0, sizeof facts);
    assert_int_equal(graze_mesh_examine(NULL, mesh, NULL, NULL, &expected_facts), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_examine(NULL, mapped, NULL, NULL, &facts), GRAZE_STATUS_OK);
    assert_true(facts.closed && facts.convex == expected_facts.convex && facts.volume == expected_facts.volume);
    graze_tree_destroy(mapped_tree);
    graze_tree_destroy(tree);
    graze_mesh_destroy(mapped);
    graze_mesh_destroy(mesh);
    free(tree_bytes);
    free(b.bytes);
}

static void aligned_bytes_are_used_where_they_are_and_others_copied(void **state)
{
    (void)state;
    graze_mesh *mesh = frame(), *mapped;
    blob b = save(mesh);
    assert_int_equal(map(&b, NULL, &mapped), GRAZE_STATUS_OK);
    assert_ptr_equal(graze_mesh_vertices(mapped), b.bytes + sizeof(grz_mesh_blob_header));
    assert_true((const char *)mapped->face_starts < b.bytes + b.size);
    graze_mesh_destroy(mapped);
    char *room = aligned_alloc(64, b.size + 64);
    for (size_t shift = 1; shift < 64; shift += 7)
    {
        memcpy(room + shift, b.bytes, b.size);
        assert_int_equal(graze_mesh_map(NULL, room + shift, b.size, NULL, NULL, &mapped), GRAZE_STATUS_OK);
        memset(room, 0xff, b.size + 64);
        expect_same(mesh, mapped);
        graze_mesh_destroy(mapped);
    }
    free(room);
    free(b.bytes);
    graze_mesh_destroy(mesh);
}

static void moving_vertices_of_a_mapped_mesh_leaves_its_bytes_alone(void **state)
{
    (void)state;
    graze_mesh *mesh = frame(), *mapped;
    blob b = save(mesh);
    char *kept = malloc(b.size);
    memcpy(kept, b.bytes, b.size);
    double vertices[39], *more = malloc(39 * sizeof *more);
    for (int shift = 0; shift < 2; shift++)
        for (size_t allowed = 0;; allowed++)
        {
            failing_allocator allocator = {.allowed = 10};
            graze_context context = failing_allocator_context(&allocator);
            char *room = aligned_alloc(64, b.size + 64);
            memcpy(room + 8 * shift, b.bytes, b.size);
            assert_int_equal(graze_mesh_map(&context, room + 8 * shift, b.size, NULL, NULL, &mapped), GRAZE_STATUS_OK);
            allocator.allowed = allocator.requests + allowed;
            for (int i = 0; i < 39; i++)
                vertices[i] = graze_mesh_vertices(mapped)[i] + i;
            graze_error error;
            graze_status status = graze_mesh_move_vertices(mapped, vertices, 0, GRAZE_SCALAR_DOUBLE, &error);
            if (status == GRAZE_STATUS_OK)
            {
                assert_int_equal(allowed, shift == 0); /* a copy has room of its own */
                assert_memory_equal(graze_mesh_vertices(mapped), vertices, sizeof vertices);
                assert_true(graze_mesh_bounds(mapped).upper[2] == 9 + 35);
                assert_int_equal(graze_mesh_move_vertices(mapped, more, 8, GRAZE_SCALAR_DOUBLE, NULL),
                                 GRAZE_STATUS_BAD_ARGUMENT);
                vertices[0] = NAN;
                assert_int_equal(graze_mesh_move_vertices(mapped, vertices, 0, GRAZE_SCALAR_DOUBLE, NULL),
                                 GRAZE_STATUS_NOT_FINITE);
            }
            else
            {
                assert_int_equal(status, GRAZE_STATUS_OUT_OF_MEMORY);
                expect_same(mesh, mapped);
            }
            if (shift == 0)
                assert_memory_equal(room, kept, b.size);
            graze_mesh_destroy(mapped);
            assert_int_equal(allocator.live, 0);
            free(room);
            if (status == GRAZE_STATUS_OK)
                break;
        }
    free(more);
    free(kept);
    free(b.bytes);
    graze_mesh_destroy(mesh);
}

static void every_cut_is_refused(void **state)
{
    (void)state;
    graze_mesh *mesh = frame(), *mapped;
    blob b = save(mesh);
    for (size_t size = 0; size < b.size; size++)
    {
        /* From memory of just that size, so that sanitizers see a step too far. */
        char *bytes = aligned_alloc(64, (size + 63) / 64 * 64 + 64);
        memcpy(bytes, b.bytes, size);
        blob part = {bytes, size};
        graze_error error;
        assert_int_equal(map(&part, &error, &mapped), GRAZE_STATUS_TRUNCATED);
        assert_int_equal(error.status, GRAZE_STATUS_TRUNCATED);
        assert_null(mapped);
        free(bytes);
    }
    graze_mesh_destroy(mesh);
    free(b.bytes);
}

static void every_byte_that_is_altered_is_noticed(void **state)
{
    (void)state;
    graze_mesh *mesh = frame(), *mapped;
    blob b = save(mesh);
    for (size_t i = 0; i < b.size; i++)
    {
        b.bytes[i] = (char)(b.bytes[i] ^ (1 << i % 8));
        assert_int_not_equal(map(&b, NULL, &mapped), GRAZE_STATUS_OK);
        assert_null(mapped);
        b.bytes[i] = (char)(b.bytes[i] ^ (1 << i % 8));
    }
    assert_int_equal(map(&b, NULL, &mapped), GRAZE_STATUS_OK);
    graze_mesh_destroy(mapped);
    graze_mesh_destroy(mesh);
    free(b.bytes);
}

static void take_note(void *user, graze_log_level level, const char *text)
{
    assert_int_equal(level, GRAZE_LOG_WARNING);
    snprintf(user, 256, "%s", text);
}

static void expect_refusal(const blob *b, graze_status status, const char *words)
{
    char note[256] = "";
    graze_context context = graze_context_default();
    context.log = take_note;
    context.log_user = note;
    graze_mesh *mesh = NULL;
    graze_error error;
    assert_int_equal(graze_mesh_map(&context, b->bytes, b->size, NULL, &error, &mesh), status);
    assert_int_equal(error.status, status);
    assert_non_null(strstr(error.text, words));
    assert_string_equal(error.text, note);
    assert_null(mesh);
}

static void each_kind_of_refusal_has_its_status_and_sentence(void **state)
{
    (void)state;
    graze_mesh *mesh = frame();
    blob b = save(mesh);
    grz_mesh_blob_header *header = (grz_mesh_blob_header *)(void *)b.bytes, kept = *header;
    header->version++;
    seal(&b);
    expect_refusal(&b, GRAZE_STATUS_UNSUPPORTED, "version 2");
    *header = kept;
    header->byte_order = UINT32_C(0x04030201);
    seal(&b);
    expect_refusal(&b, GRAZE_STATUS_UNSUPPORTED, "byte order");
    *header = kept;
    memcpy(header->magic, "graze\ntr", 8);
    expect_refusal(&b, GRAZE_STATUS_BAD_FORMAT, "not a saved mesh");
    *header = kept;
    b.bytes[b.size / 2]++;
    expect_refusal(&b, GRAZE_STATUS_DAMAGED, "altered");
    b.bytes[b.size / 2]--;
    blob longer = {aligned_alloc(64, b.size + 64), b.size + 64};
    memset(longer.bytes, 0, longer.size);
    memcpy(longer.bytes, b.bytes, b.size);
    expect_refusal(&longer, GRAZE_STATUS_DAMAGED, "follow");
    b.size -= 64;
    expect_refusal(&b, GRAZE_STATUS_TRUNCATED, "ends after");
    b.size = 100;
    expect_refusal(&b, GRAZE_STATUS_TRUNCATED, "too few");
    free(longer.bytes);
    free(b.bytes);
    graze_mesh_destroy(mesh);
}

/* One lie each, under a checksum that is right. Returns false after the last. */
static bool tell_lie(blob *b, int lie)
{
    grz_mesh_blob_header *header = (grz_mesh_blob_header *)(void *)b->bytes;
    grz_mesh_blob_parts parts = grz_mesh_blob_parts_of(header);
    char *base = b->bytes + sizeof *header;
    double *vertices = (double *)(void *)base;
    uint32_t *triangles = (uint32_t *)(void *)(base + parts.triangles);
    uint32_t *faces = (uint32_t *)(void *)(base + parts.triangle_faces);
    uint32_t *corners = (uint32_t *)(void *)(base + parts.corners);
    uint32_t *loops = (uint32_t *)(void *)(base + parts.loop_starts);
    uint32_t *starts = (uint32_t *)(void *)(base + parts.face_starts);
    switch (lie)
    {
    case 0:
        vertices[4] = NAN;
        break;
    case 1:
        vertices[38] = INFINITY; /* of a vertex that no face uses */
        break;
    case 2:
        triangles[5] = 13;
        break;
    case 3:
        corners[3] = UINT32_MAX;
        break;
    case 4: /* of another face */
        triangles[0] = 0;
        break;
    case 5: /* of no face */
        triangles[0] = 12;
        break;
    case 6: /* one that no triangle has: boxes would not hold it */
        corners[0] = 12;
        break;
    case 7: /* a corner of the face that is in no triangle any more */
        for (uint32_t k = 0; k < 6; k++)
            triangles[k] = triangles[k] == 8 ? 9 : triangles[k];
        break;
    case 8:
        faces[0] = 1;
        break;
    case 9: /* beyond the faces */
        faces[9] = 2;
        break;
    case 10:
        loops[0] = 1;
        break;
    case 11: /* down */
        loops[1] = 9;
        break;
    case 12: /* two corners */
        loops[1] = 6;
        loops[2] = 9;
        break;
    case 13: /* beyond the corners */
        loops[3] = 13;
        break;
    case 14: /* a face without loops */
        starts[1] = 0;
        break;
    case 15:
        starts[2] = 2;
        break;
    case 16: /* sums that overflow */
        header->vertex_count = UINT64_MAX / 24 + 2;
        break;
    case 17:
        header->triangle_count = UINT64_MAX / 12 + 2;
        break;
    case 18:
        header->loop_count = UINT64_MAX;
        break;
    case 19: /* the rest of the bytes are something else */
        header->vertex_count -= 5;
        break;
    case 20:
        header->polygons = 2;
        break;
    case 21:
        header->has_holes = 0;
        break;
    case 22: /* triangles, and yet with holes */
        header->polygons = 0;
        break;
    case 23:
        header->irregular_face_count = 3;
        break;
    case 24:
        header->face_count = 1;
        break;
    case 25: /* fewer bytes than a header */
        header->size = b->size = sizeof *header;
        header->vertex_count = header->triangle_count = header->face_count = 0;
        break;
    case 26: /* loops swap their faces: one has as many triangles as the other had */
        starts[1] = 2;
        break;
    default:
        return false;
    }
    return true;
}

static void forged_parts_are_refused(void **state)
{
    (void)state;
    graze_mesh *mesh = frame();
    int lies = 0;
    for (bool more = true; more; lies += more)
    {
        blob b = save(mesh);
        more = tell_lie(&b, lies);
        grz_mesh_blob_header header;
        memcpy(&header, b.bytes, sizeof header);
        if (header.size >= sizeof header)
            seal(&b);
        graze_mesh *mapped;
        if (more)
            expect_refusal(&b, GRAZE_STATUS_DAMAGED, "");
        else
        {
            assert_int_equal(map(&b, NULL, &mapped), GRAZE_STATUS_OK);
            graze_mesh_destroy(mapped);
        }
        free(b.bytes);
    }
    assert_int_equal(lies, 27);
    graze_mesh_destroy(mesh);
}

/* Whatever passes must not take a query out of the bytes; sanitizers watch. */
static void random_forgeries_do_no_harm(void **state)
{
    (void)state;
    test_random random = test_random_start("random_forgeries_do_no_harm", 2);
    graze_mesh *mesh = frame();
    blob original = save(mesh);
    blob forged = {aligned_alloc(64, original.size), original.size};
    int passed = 0, refused = 0;
    for (int i = 0; i < 20000; i++)
    {
        memcpy(forged.bytes, original.bytes, original.size);
        for (int k = 0; k < 1 + i % 3; k++)
        {
            size_t at = 32 + 4 * (size_t)random_below(&random, (int)(original.size - 32) / 4);
            static const uint32_t words[] = {0, 1, 2, 3, 4, 8, 12, 13, 0x7ff00000, 0xffffffff, 0x40000000};
            memcpy(forged.bytes + at, &words[random_below(&random, 11)], 4);
        }
        seal(&forged);
        graze_mesh *mapped;
        if (map(&forged, NULL, &mapped) != GRAZE_STATUS_OK)
        {
            refused++;
            continue;
        }
        passed++;
        graze_placed_mesh a = {mapped, NULL, graze_pose_identity()}, b = {mesh, NULL, graze_pose_translation(0, 1, 0)};
        graze_pair_counts counts;
        graze_mesh_facts facts;
        assert_int_equal(graze_pair_count(NULL, &a, &b, NULL, &counts), GRAZE_STATUS_OK);
        assert_int_equal(graze_mesh_examine(NULL, mapped, NULL, NULL, &facts), GRAZE_STATUS_OK);
        graze_mesh_destroy(mapped);
    }
    printf("%d passed, %d refused\n", passed, refused);
    assert_true(passed > 1000 && refused > 1000);
    free(forged.bytes);
    free(original.bytes);
    graze_mesh_destroy(mesh);
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    graze_mesh *mesh = frame();
    blob b = save(mesh);
    char *room = aligned_alloc(64, b.size + 64);
    memcpy(room + 8, b.bytes, b.size);
    size_t failures = 0;
    for (size_t allowed = 0;; allowed++)
    {
        failing_allocator allocator = {.allowed = allowed};
        graze_context context = failing_allocator_context(&allocator);
        graze_mesh *mapped = NULL;
        graze_error error;
        graze_status status = graze_mesh_map(&context, room + 8, b.size, NULL, &error, &mapped);
        graze_mesh_destroy(mapped);
        assert_int_equal(allocator.live, 0);
        if (status == GRAZE_STATUS_OK)
            break;
        assert_int_equal(status, GRAZE_STATUS_OUT_OF_MEMORY);
        assert_non_null(strstr(error.text, "no memory"));
        failures++;
    }
    assert_int_equal(failures, 3);
    free(room);
    free(b.bytes);
    graze_mesh_destroy(mesh);
}

static void meshes_are_saved_and_mapped_alike_in_every_environment(void **state)
{
    (void)state;
    double vertices[4][3] = {{0x1p-1074, 0, 1}, {1, 0x1p-1070, 0}, {0, 1, -0x1p-1074}, {0.1, 0.2, 0.3}};
    static const uint32_t corners[6] = {0, 1, 2, 1, 2, 3};
    graze_mesh *mesh = body_of_triangles(vertices, 4, corners, 2);
    blob usual = save(mesh);
    for (int number = 0; number < ENVIRONMENTS; number++)
    {
        saved_environment saved;
        environment_enter(&saved, number);
        graze_mesh *mapped = NULL;
        graze_status status = graze_mesh_map(NULL, usual.bytes, usual.size, NULL, NULL, &mapped);
        blob again = save(mapped);
        environment_leave(&saved);
        assert_int_equal(status, GRAZE_STATUS_OK);
        assert_memory_equal(again.bytes, usual.bytes, usual.size);
        expect_same(mesh, mapped);
        graze_mesh_destroy(mapped);
        free(again.bytes);
    }
    free(usual.bytes);
    graze_mesh_destroy(mesh);
}

static void count_call(void *user)
{
    ++*(int *)user;
}

static void destroying_a_mesh_calls_what_was_asked_for(void **state)
{
    (void)state;
    int calls = 0;
    graze_mesh *mesh = frame();
    graze_mesh_set_on_destroy(mesh, count_call, &calls);
    graze_mesh_set_on_destroy(NULL, count_call, &calls);
    assert_int_equal(calls, 0);
    graze_mesh_destroy(mesh);
    assert_int_equal(calls, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mapped_mesh_is_the_same_mesh),
        cmocka_unit_test(queries_and_saved_trees_take_a_mapped_mesh_for_the_original),
        cmocka_unit_test(aligned_bytes_are_used_where_they_are_and_others_copied),
        cmocka_unit_test(moving_vertices_of_a_mapped_mesh_leaves_its_bytes_alone),
        cmocka_unit_test(every_cut_is_refused),
        cmocka_unit_test(every_byte_that_is_altered_is_noticed),
        cmocka_unit_test(each_kind_of_refusal_has_its_status_and_sentence),
        cmocka_unit_test(forged_parts_are_refused),
        cmocka_unit_test(random_forgeries_do_no_harm),
        cmocka_unit_test(every_failing_allocation_is_survived),
        cmocka_unit_test(meshes_are_saved_and_mapped_alike_in_every_environment),
        cmocka_unit_test(destroying_a_mesh_calls_what_was_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
