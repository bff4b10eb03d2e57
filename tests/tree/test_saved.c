/* SPDX-License-Identifier: MIT */
/* Saved trees: mapped ones answer like built ones, and bytes that are cut, altered, foreign or forged do no harm. */
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "graze/generate.h"
#include "graze/pair.h"
#include "graze/tree.h"
#include "support/failing_allocator.h"
#include "support/unit.h"
#include "tree/blob.h"

enum
{
    SEED = 8127
};

typedef struct blob
{
    char *bytes; /* aligned */
    size_t size;
} blob;

static graze_mesh *ball(uint32_t frequency)
{
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, frequency, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

static graze_tree *tree_of(const graze_mesh *mesh)
{
    graze_tree *tree = NULL;
    assert_int_equal(graze_tree_create(NULL, mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
    return tree;
}

static blob save(const graze_tree *tree)
{
    blob b = {NULL, graze_tree_saved_size(tree)};
    b.bytes = aligned_alloc(64, b.size);
    assert_non_null(b.bytes);
    assert_int_equal(graze_tree_save(tree, b.bytes, b.size - 1), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_tree_save(tree, b.bytes, b.size), GRAZE_STATUS_OK);
    return b;
}

static blob saved_ball(graze_mesh **out_mesh, uint32_t frequency)
{
    *out_mesh = ball(frequency);
    graze_tree *tree = tree_of(*out_mesh);
    blob b = save(tree);
    graze_tree_destroy(tree);
    return b;
}

/* Corrects the checksum, as a forger would. */
static void seal(blob *b)
{
    grz_blob_header header;
    memcpy(&header, b->bytes, sizeof header);
    header.checksum = grz_blob_checksum(&header, b->bytes, NULL);
    memcpy(b->bytes, &header, sizeof header);
}

static graze_status map(const blob *b, const graze_mesh *mesh, graze_error *error, graze_tree **out_tree)
{
    *out_tree = NULL;
    return graze_tree_map(NULL, mesh, b->bytes, b->size, NULL, error, out_tree);
}

static size_t gather(const graze_mesh *a, const graze_tree *tree_a, const graze_mesh *b, const graze_tree *tree_b,
                     const graze_pose *pose, graze_hit *hits, size_t capacity)
{
    graze_placed_mesh first = {a, tree_a, graze_pose_identity()}, second = {b, tree_b, *pose};
    graze_pair_counts counts;
    assert_int_equal(graze_pair_gather(NULL, &first, &second, NULL, hits, capacity, &counts), GRAZE_STATUS_OK);
    return (size_t)counts.pairs;
}

/* Field by field: structs have padding. */
static void expect_same(const graze_hit *x, const graze_hit *y, size_t count)
{
    for (size_t i = 0; i < count; i++)
    {
        assert_int_equal(x[i].triangle_a, y[i].triangle_a);
        assert_int_equal(x[i].triangle_b, y[i].triangle_b);
        assert_int_equal(x[i].contact.crossing, y[i].contact.crossing);
        assert_int_equal(x[i].contact.coplanar, y[i].contact.coplanar);
    }
}

static graze_pose random_pose(grz_random *random)
{
    double axis[3], offset[3];
    for (int k = 0; k < 3; k++)
    {
        axis[k] = grz_random_between(random, -1, 1);
        offset[k] = grz_random_between(random, -0.9, 0.9);
    }
    graze_pose pose = graze_pose_identity();
    graze_pose_from_axis_angle(axis, grz_random_between(random, 0, 6), offset, &pose);
    return pose;
}

static void a_mapped_tree_answers_like_the_built_one(void **state)
{
    (void)state;
    printf("seed %d\n", SEED);
    grz_random random = grz_random_make(SEED);
    enum
    {
        CAPACITY = 20000
    };
    static graze_hit hits[2][CAPACITY];
    graze_mesh *mesh;
    blob b = saved_ball(&mesh, 12);
    graze_tree *built = tree_of(mesh), *mapped;
    assert_int_equal(map(&b, mesh, NULL, &mapped), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_validate(NULL, mapped), GRAZE_STATUS_OK);
    graze_tree_facts before = graze_tree_examine(built), after = graze_tree_examine(mapped);
    assert_int_equal(before.nodes, after.nodes);
    assert_int_equal(before.depth, after.depth);
    assert_int_equal(before.bytes, after.bytes);
    assert_true(before.cost == after.cost && before.quality == after.quality);
    size_t met = 0;
    for (int i = 0; i < 60; i++)
    {
        graze_pose pose = random_pose(&random);
        size_t count = gather(mesh, built, mesh, built, &pose, hits[0], CAPACITY);
        assert_int_equal(gather(mesh, mapped, mesh, mapped, &pose, hits[1], CAPACITY), count);
        assert_true(count <= CAPACITY);
        expect_same(hits[0], hits[1], count);
        met += count > 0;
    }
    assert_true(met > 40);
    graze_tree_destroy(built);
    graze_tree_destroy(mapped);
    graze_mesh_destroy(mesh);
    free(b.bytes);
}

static void aligned_bytes_are_used_where_they_are_and_others_copied(void **state)
{
    (void)state;
    graze_mesh *mesh;
    blob b = saved_ball(&mesh, 6);
    graze_tree *tree;
    assert_int_equal(map(&b, mesh, NULL, &tree), GRAZE_STATUS_OK);
    assert_true((char *)tree->nodes > b.bytes && (char *)tree->order < b.bytes + b.size);
    graze_tree_destroy(tree);
    char *room = aligned_alloc(64, b.size + 64);
    for (size_t shift = 1; shift < 64; shift += 7)
    {
        memcpy(room + shift, b.bytes, b.size);
        blob shifted = {room + shift, b.size};
        assert_int_equal(map(&shifted, mesh, NULL, &tree), GRAZE_STATUS_OK);
        assert_int_equal((uintptr_t)tree->nodes % 64, 0);
        memset(room, 0xff, b.size + 64);
        assert_int_equal(graze_tree_validate(NULL, tree), GRAZE_STATUS_OK);
        graze_tree_destroy(tree);
    }
    free(room);
    graze_mesh_destroy(mesh);
    free(b.bytes);
}

static void saving_what_was_mapped_gives_the_same_bytes(void **state)
{
    (void)state;
    graze_mesh *mesh;
    blob b = saved_ball(&mesh, 6);
    graze_tree *tree;
    assert_int_equal(map(&b, mesh, NULL, &tree), GRAZE_STATUS_OK);
    blob again = save(tree);
    assert_int_equal(again.size, b.size);
    assert_memory_equal(again.bytes, b.bytes, b.size);
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
    free(b.bytes);
    free(again.bytes);
}

static void every_cut_is_refused(void **state)
{
    (void)state;
    graze_mesh *mesh;
    blob b = saved_ball(&mesh, 4);
    for (size_t size = 0; size < b.size; size++)
    {
        /* From memory of exactly that size, so that sanitizers detect reads beyond it. */
        char *bytes = aligned_alloc(64, (size + 63) / 64 * 64 + 64);
        memcpy(bytes, b.bytes, size);
        blob part = {bytes, size};
        graze_tree *tree;
        graze_error error;
        assert_int_equal(map(&part, mesh, &error, &tree), GRAZE_STATUS_TRUNCATED);
        assert_int_equal(error.status, GRAZE_STATUS_TRUNCATED);
        assert_null(tree);
        free(bytes);
    }
    graze_mesh_destroy(mesh);
    free(b.bytes);
}

static void every_byte_that_is_altered_is_noticed(void **state)
{
    (void)state;
    graze_mesh *mesh;
    blob b = saved_ball(&mesh, 4);
    for (size_t i = 0; i < b.size; i++)
    {
        graze_tree *tree;
        b.bytes[i] = (char)(b.bytes[i] ^ (1 << i % 8));
        assert_int_not_equal(map(&b, mesh, NULL, &tree), GRAZE_STATUS_OK);
        assert_null(tree);
        b.bytes[i] = (char)(b.bytes[i] ^ (1 << i % 8));
    }
    graze_tree *tree;
    assert_int_equal(map(&b, mesh, NULL, &tree), GRAZE_STATUS_OK);
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
    free(b.bytes);
}

static void take_note(void *user, graze_log_level level, const char *text)
{
    (void)level;
    snprintf(user, 256, "%s", text);
}

static void expect_refusal(const blob *b, const graze_mesh *mesh, graze_status status, const char *words)
{
    char note[256] = "";
    graze_context context = graze_context_default();
    context.log = take_note;
    context.log_user = note;
    graze_tree *tree = NULL;
    graze_error error;
    assert_int_equal(graze_tree_map(&context, mesh, b->bytes, b->size, NULL, &error, &tree), status);
    assert_int_equal(error.status, status);
    assert_non_null(strstr(error.text, words));
    assert_string_equal(error.text, note);
    assert_null(tree);
}

static void each_kind_of_refusal_has_its_status_and_sentence(void **state)
{
    (void)state;
    graze_mesh *mesh, *other = ball(5), *moved = ball(4);
    blob b = saved_ball(&mesh, 4);
    grz_blob_header *header = (grz_blob_header *)(void *)b.bytes, kept = *header;
    expect_refusal(&b, other, GRAZE_STATUS_OTHER_MESH, "another mesh");
    double vertices[3 * 200];
    memcpy(vertices, graze_mesh_vertices(moved), 3 * graze_mesh_vertex_count(moved) * sizeof(double));
    vertices[7] = -vertices[7] * 0.99;
    assert_int_equal(graze_mesh_move_vertices(moved, vertices, 0, GRAZE_SCALAR_DOUBLE, NULL), GRAZE_STATUS_OK);
    expect_refusal(&b, moved, GRAZE_STATUS_OTHER_MESH, "another mesh");
    header->version++;
    seal(&b);
    expect_refusal(&b, mesh, GRAZE_STATUS_UNSUPPORTED, "version 2");
    *header = kept;
    header->byte_order = UINT32_C(0x04030201);
    seal(&b);
    expect_refusal(&b, mesh, GRAZE_STATUS_UNSUPPORTED, "byte order");
    *header = kept;
    header->magic[0] = 'G';
    expect_refusal(&b, mesh, GRAZE_STATUS_BAD_FORMAT, "not a saved tree");
    *header = kept;
    b.bytes[b.size / 2]++;
    expect_refusal(&b, mesh, GRAZE_STATUS_DAMAGED, "altered");
    b.bytes[b.size / 2]--;
    blob longer = {aligned_alloc(64, b.size + 64), b.size + 64};
    memset(longer.bytes, 0, longer.size);
    memcpy(longer.bytes, b.bytes, b.size);
    expect_refusal(&longer, mesh, GRAZE_STATUS_DAMAGED, "follow");
    b.size -= 64;
    expect_refusal(&b, mesh, GRAZE_STATUS_TRUNCATED, "ends after");
    free(longer.bytes);
    free(b.bytes);
    graze_mesh_destroy(mesh);
    graze_mesh_destroy(other);
    graze_mesh_destroy(moved);
}

/* One forgery each, under a correct checksum. */
static void tell_lie(blob *b, int lie)
{
    grz_blob_header *header = (grz_blob_header *)(void *)b->bytes;
    grz_tree_parts parts = grz_tree_parts_of(header->node_count, header->leaf_count, header->triangle_count);
    grz_node *nodes = (grz_node *)(void *)(b->bytes + sizeof *header);
    grz_leaf *leaves = (grz_leaf *)(void *)(b->bytes + sizeof *header + parts.leaves);
    uint32_t *order = (uint32_t *)(void *)(b->bytes + sizeof *header + parts.order);
    grz_node *sparse = nodes; /* one with an absent child */
    while (sparse->children[7] != GRZ_NO_CHILD)
        sparse++;
    switch (lie)
    {
    case 0: /* a cycle */
        nodes[1].children[0] = 0;
        break;
    case 1: /* a node twice: harmless once, but a chain of them doubles with each level */
        nodes[0].children[1] = nodes[0].children[0];
        break;
    case 2: /* beyond the nodes */
        nodes[0].children[0] = (uint32_t)header->node_count;
        break;
    case 3: /* beyond the leaves */
        nodes[1].children[0] = (uint32_t)header->leaf_count | GRZ_LEAF_FLAG;
        break;
    case 4: /* a box where there is no child */
        sparse->boxes.lower[0][7] = 0;
        break;
    case 5: /* an inverted box */
        nodes[1].boxes.lower[0][0] = -nodes[1].boxes.lower[0][0] / 0.0f;
        break;
    case 6: /* more triangles than a leaf has lanes */
        leaves[0].count = 9;
        break;
    case 7: /* another leaf's triangles */
        leaves[1].first = 0;
        break;
    case 8:
        order[3] = (uint32_t)header->triangle_count;
        break;
    case 9:
        leaves[0].triangles.unit = 0;
        break;
    case 10:
        header->depth++;
        break;
    case 11: /* counts whose sizes overflow */
        header->node_count = UINT64_MAX / sizeof(grz_node) + 2;
        break;
    case 12: /* the remaining bytes are something else */
        header->leaf_count--;
        break;
    case 13: /* unusable, and yet with nodes */
        header->usable = 0;
        break;
    case 14:
        header->origin[1] = 1e308 * 10;
        break;
    case 15:
        header->exponent = 5000;
        break;
    case 16: /* no nodes although there are triangles: a query would find nothing */
        header->node_count = header->leaf_count = 0;
        header->size = b->size = sizeof *header;
        break;
    case 17:
        nodes[1].boxes.slab_upper[0] = -1e30f;
        break;
    case 18: /* a triangle twice, and another not at all */
        order[3] = order[2];
        break;
    default:
        leaves[0].triangles.centre[2] = 1e10f;
        break;
    }
}

static void forged_structures_are_refused(void **state)
{
    (void)state;
    for (int lie = 0; lie <= 19; lie++)
    {
        graze_mesh *mesh;
        blob b = saved_ball(&mesh, 8);
        tell_lie(&b, lie);
        seal(&b);
        expect_refusal(&b, mesh, GRAZE_STATUS_DAMAGED, "");
        graze_mesh_destroy(mesh);
        free(b.bytes);
    }
}

/* Boxes that all overlap, and leaves without information: everything would have to be compared with everything. */
static void forge_boxes(blob *b)
{
    grz_blob_header *header = (grz_blob_header *)(void *)b->bytes;
    grz_tree_parts parts = grz_tree_parts_of(header->node_count, header->leaf_count, header->triangle_count);
    grz_node *nodes = (grz_node *)(void *)(b->bytes + sizeof *header);
    grz_leaf *leaves = (grz_leaf *)(void *)(b->bytes + sizeof *header + parts.leaves);
    for (size_t i = 0; i < 8 * header->node_count; i++)
    {
        grz_node *node = &nodes[i / 8];
        if (node->children[i % 8] == GRZ_NO_CHILD)
            continue;
        for (int axis = 0; axis < 3; axis++)
        {
            node->boxes.lower[axis][i % 8] = -1;
            node->boxes.upper[axis][i % 8] = 1;
            node->boxes.normal[axis][i % 8] = 0;
        }
        node->boxes.slab_lower[i % 8] = -FLT_MAX;
        node->boxes.slab_upper[i % 8] = FLT_MAX;
    }
    for (size_t i = 0; i < header->leaf_count; i++)
        leaves[i].triangles.unit = 0x1p-15f;
    seal(b);
}

/* Leaves of triangles from all over the mesh, with boxes that fit them. */
static void forge_order(blob *b)
{
    grz_blob_header *header = (grz_blob_header *)(void *)b->bytes;
    grz_tree_parts parts = grz_tree_parts_of(header->node_count, header->leaf_count, header->triangle_count);
    uint32_t *order = (uint32_t *)(void *)(b->bytes + sizeof *header + parts.order);
    grz_random random = grz_random_make(3);
    for (size_t i = header->triangle_count - 1; i > 0; i--)
    {
        size_t j = (size_t)grz_random_below(&random, i + 1);
        uint32_t other = order[i];
        order[i] = order[j];
        order[j] = other;
    }
    seal(b);
}

/* A tree without nodes, as of a mesh whose coordinates are too large for one. */
static void forge_nothing(blob *b)
{
    grz_blob_header *header = (grz_blob_header *)(void *)b->bytes;
    header->node_count = header->leaf_count = header->usable = 0;
    header->size = b->size = sizeof *header;
    seal(b);
}

static graze_stats count_with(const graze_mesh *mesh, const graze_tree *tree, graze_pair_counts *out_counts)
{
    graze_stats stats;
    graze_pair_options options = graze_pair_options_default();
    options.stats = &stats;
    graze_placed_mesh a = {.mesh = mesh, .tree = tree, .pose = graze_pose_identity()}, b = a;
    b.pose.m[3] = 0.5;
    assert_int_equal(graze_pair_count(NULL, &a, &b, &options, out_counts), GRAZE_STATUS_OK);
    return stats;
}

static void forged_trees_cost_nothing_and_change_no_answer(void **state)
{
    (void)state;
    void (*const forgeries[])(blob * b) = {forge_boxes, forge_order, forge_nothing};
    graze_mesh *mesh;
    blob original = saved_ball(&mesh, 16);
    graze_tree *built;
    assert_int_equal(map(&original, mesh, NULL, &built), GRAZE_STATUS_OK);
    assert_true(built->node_memory == NULL);
    graze_pair_counts expected, counts;
    graze_stats usual = count_with(mesh, built, &expected);
    printf("%llu hits, %llu box tests\n", (unsigned long long)expected.pairs, (unsigned long long)usual.box_tests);
    assert_true(expected.pairs > 0);
    for (size_t i = 0; i < sizeof forgeries / sizeof *forgeries; i++)
    {
        blob b = {aligned_alloc(64, original.size), original.size};
        memcpy(b.bytes, original.bytes, b.size);
        forgeries[i](&b);
        graze_tree *forged;
        assert_int_equal(map(&b, mesh, NULL, &forged), GRAZE_STATUS_OK);
        assert_true(forged->node_memory != NULL);
        graze_stats stats = count_with(mesh, forged, &counts);
        assert_memory_equal(&counts, &expected, sizeof counts);
        assert_int_equal(stats.box_tests, usual.box_tests);
        assert_int_equal(stats.triangle_tests, usual.triangle_tests);
        graze_tree_destroy(forged);
        free(b.bytes);
    }
    graze_tree_destroy(built);
    free(original.bytes);
    graze_mesh_destroy(mesh);
}

/* No accepted tree may let a query leave the bytes or loop forever; sanitizers watch. */
static void random_forgeries_do_no_harm(void **state)
{
    (void)state;
    printf("seed %d\n", SEED);
    grz_random random = grz_random_make(SEED);
    graze_mesh *mesh;
    blob original = saved_ball(&mesh, 5);
    blob forged = {aligned_alloc(64, original.size), original.size};
    int passed = 0, refused = 0;
    static graze_hit hits[1024];
    for (int i = 0; i < 4000; i++)
    {
        memcpy(forged.bytes, original.bytes, original.size);
        for (int k = 0; k < 1 + i % 3; k++)
        {
            size_t at = sizeof(grz_blob_header) + grz_random_below(&random, (uint32_t)(original.size - 192) / 4) * 4;
            static const uint32_t words[] = {0, 1, 2, 0x80000000, 0x7f800000, 0xffffffff, 0x7fc00000, 0x3f000000};
            uint32_t word = words[grz_random_below(&random, 8)];
            memcpy(forged.bytes + at, &word, sizeof word);
        }
        seal(&forged);
        graze_tree *tree;
        if (map(&forged, mesh, NULL, &tree) != GRAZE_STATUS_OK)
        {
            refused++;
            continue;
        }
        passed++;
        graze_pose pose = random_pose(&random);
        size_t found = gather(mesh, tree, mesh, tree, &pose, hits, 1024);
        for (size_t k = 0; k < found && k < 1024; k++)
            assert_true(hits[k].triangle_a < graze_mesh_triangle_count(mesh) &&
                        hits[k].triangle_b < graze_mesh_triangle_count(mesh));
        graze_tree_validate(NULL, tree);
        graze_tree_destroy(tree);
    }
    printf("%d passed, %d refused\n", passed, refused);
    assert_true(passed > 500 && refused > 500);
    free(original.bytes);
    free(forged.bytes);
    graze_mesh_destroy(mesh);
}

/* Trees without nodes: no triangles, or at the end of the range. */
static void trees_without_nodes_are_saved_too(void **state)
{
    (void)state;
    static const double far[9] = {0, 0, 0, 1e305, 0, 0, 0, 1e305, 0};
    static const uint32_t corners[3] = {0, 1, 2};
    for (int empty = 0; empty < 2; empty++)
    {
        graze_mesh_def def = graze_mesh_def_default();
        def.vertices = far;
        def.vertex_count = 3;
        def.corners = corners;
        def.corner_count = empty ? 0 : 3;
        graze_mesh *mesh = NULL;
        assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
        graze_tree *tree = tree_of(mesh), *mapped;
        blob b = save(tree);
        assert_int_equal(map(&b, mesh, NULL, &mapped), GRAZE_STATUS_OK);
        assert_int_equal(mapped->usable, tree->usable);
        assert_int_equal(graze_tree_validate(NULL, mapped), GRAZE_STATUS_OK);
        graze_tree_destroy(tree);
        graze_tree_destroy(mapped);
        graze_mesh_destroy(mesh);
        free(b.bytes);
    }
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    graze_mesh *mesh;
    blob b = saved_ball(&mesh, 6);
    char *room = aligned_alloc(64, b.size + 64);
    memcpy(room + 8, b.bytes, b.size);
    size_t failures = 0;
    for (size_t allowed = 0;; allowed++)
    {
        failing_allocator allocator = {.allowed = allowed};
        graze_context context = failing_allocator_context(&allocator);
        graze_tree *tree = NULL;
        graze_status status = graze_tree_map(&context, mesh, room + 8, b.size, NULL, NULL, &tree);
        graze_tree_destroy(tree);
        assert_int_equal(allocator.live, 0);
        if (status == GRAZE_STATUS_OK)
            break;
        assert_int_equal(status, GRAZE_STATUS_OUT_OF_MEMORY);
        failures++;
    }
    assert_int_equal(failures, 4);
    free(room);
    free(b.bytes);
    graze_mesh_destroy(mesh);
}

static void count_call(void *user)
{
    ++*(int *)user;
}

static void destroying_a_tree_calls_what_was_asked_for(void **state)
{
    (void)state;
    int calls = 0;
    graze_mesh *mesh = ball(2);
    graze_tree *tree = tree_of(mesh);
    graze_tree_set_on_destroy(tree, count_call, &calls);
    assert_int_equal(calls, 0);
    graze_tree_destroy(tree);
    assert_int_equal(calls, 1);
    graze_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mapped_tree_answers_like_the_built_one),
        cmocka_unit_test(aligned_bytes_are_used_where_they_are_and_others_copied),
        cmocka_unit_test(saving_what_was_mapped_gives_the_same_bytes),
        cmocka_unit_test(every_cut_is_refused),
        cmocka_unit_test(every_byte_that_is_altered_is_noticed),
        cmocka_unit_test(each_kind_of_refusal_has_its_status_and_sentence),
        cmocka_unit_test(forged_structures_are_refused),
        cmocka_unit_test(forged_trees_cost_nothing_and_change_no_answer),
        cmocka_unit_test(random_forgeries_do_no_harm),
        cmocka_unit_test(trees_without_nodes_are_saved_too),
        cmocka_unit_test(every_failing_allocation_is_survived),
        cmocka_unit_test(destroying_a_tree_calls_what_was_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
