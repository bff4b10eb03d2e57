/* SPDX-License-Identifier: MIT */
/* Building: the same tree for any number of threads in any order, and the assumptions of splitting. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "graze/generate.h"
#include "graze/tasks.h"
#include "graze/tree.h"
#include "simd/i16x8.h"
#include "support/failing_allocator.h"
#include "support/unit.h"
#include "tree/build.h"

enum
{
    SEED = 9301
};

/* Tasks one after the other, the last one first. */
static void run_backwards(void *user, size_t count, void (*task)(void *argument, size_t index), void *argument)
{
    *(size_t *)user += count;
    while (count > 0)
        task(argument, --count);
}

static char *saved(const graze_context *context, const graze_mesh *mesh, bool quick, bool refit, size_t *out_size)
{
    graze_tree_def def = graze_tree_def_default();
    def.quick = quick;
    graze_tree *tree = NULL;
    assert_int_equal(graze_tree_create(context, mesh, &def, NULL, &tree), GRAZE_STATUS_OK);
    if (refit)
        assert_int_equal(graze_tree_refit(context, tree, mesh), GRAZE_STATUS_OK);
    else
        assert_int_equal(graze_tree_validate(NULL, tree), GRAZE_STATUS_OK);
    *out_size = graze_tree_saved_size(tree);
    char *bytes = malloc(*out_size);
    assert_int_equal(graze_tree_save(tree, bytes, *out_size), GRAZE_STATUS_OK);
    graze_tree_destroy(tree);
    return bytes;
}

static void expect_same_tree(const graze_mesh *mesh, const graze_context *context)
{
    size_t size, other_size;
    for (int quick = 0; quick < 2; quick++)
    {
        char *serial = saved(NULL, mesh, quick, false, &size);
        for (int refit = 0; refit < 2; refit++)
        {
            char *other = saved(context, mesh, quick, refit, &other_size);
            assert_int_equal(size, other_size);
            assert_memory_equal(serial, other, size);
            free(other);
        }
        free(serial);
    }
}

/* Triangles in many small clusters, so that cells of the grid are fuller than a subtree may be. */
static graze_mesh *clusters(size_t triangle_count, uint32_t cluster_count)
{
    grz_random random = grz_random_make(SEED);
    double *vertices = malloc(9 * triangle_count * sizeof *vertices);
    uint32_t *corners = malloc(3 * triangle_count * sizeof *corners);
    for (size_t i = 0; i < 3 * triangle_count; i++)
    {
        uint32_t cluster = (uint32_t)(i / 3) % cluster_count;
        for (int k = 0; k < 3; k++)
            vertices[3 * i + (size_t)k] =
                (double)cluster * (k + 1) * 0.37 + 1e-7 * grz_random_between(&random, -1, 1) * (k == 2 ? 1e-6 : 1);
        corners[i] = (uint32_t)i;
    }
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 3 * triangle_count;
    def.corners = corners;
    def.corner_count = 3 * triangle_count;
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    free(vertices);
    free(corners);
    return mesh;
}

static graze_mesh *stack_of_equals(size_t triangle_count)
{
    static const double vertices[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    uint32_t *corners = malloc(3 * triangle_count * sizeof *corners);
    for (size_t i = 0; i < 3 * triangle_count; i++)
        corners[i] = (uint32_t)(i % 3);
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 3;
    def.corners = corners;
    def.corner_count = 3 * triangle_count;
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    free(corners);
    return mesh;
}

/* A mesh of each kind; NULL after the last. */
static graze_mesh *mesh_of_kind(int kind)
{
    graze_mesh *mesh = NULL;
    switch (kind)
    {
    case 0:
        assert_int_equal(graze_mesh_create_bumpy_shell(NULL, 1, 0.1, 40, 3, &mesh), GRAZE_STATUS_OK);
        return mesh;
    case 1:
        assert_int_equal(graze_mesh_create_tetrahedra(NULL, 1, 6000, 5, &mesh), GRAZE_STATUS_OK);
        return mesh;
    case 2:
        assert_int_equal(graze_mesh_create_aircraft(NULL, 30, 14646, &mesh), GRAZE_STATUS_OK);
        return mesh;
    case 3:
        return clusters(40000, 3);
    case 4:
        return clusters(30000, 1000);
    case 5:
        return stack_of_equals(30000);
    case 6:
        assert_int_equal(graze_mesh_create_box(NULL, 1, 2, 3, 1, &mesh), GRAZE_STATUS_OK);
        return mesh;
    default:
        return NULL;
    }
}

static void the_tree_does_not_depend_on_threads_or_their_order(void **state)
{
    (void)state;
    printf("seed %d\n", SEED);
    size_t tasks = 0;
    graze_mesh *mesh;
    for (int kind = 0; (mesh = mesh_of_kind(kind)) != NULL; kind++)
    {
        graze_context context = graze_context_default();
        for (uint32_t concurrency = 2; concurrency < TEST_ROUNDS(40); concurrency = concurrency * 3 - 1)
        {
            context.tasks = (graze_tasks){run_backwards, concurrency, &tasks};
            expect_same_tree(mesh, &context);
        }
        graze_pool *pool = NULL;
        assert_int_equal(graze_pool_create(NULL, 3, &pool), GRAZE_STATUS_OK);
        context.tasks = graze_pool_tasks(pool);
        expect_same_tree(mesh, &context);
        graze_pool_destroy(pool);
        graze_mesh_destroy(mesh);
    }
    printf("%zu tasks\n", tasks);
    assert_true(tasks > TEST_ROUNDS(500));
}

static void the_tree_does_not_depend_on_the_instructions(void **state)
{
    (void)state;
    size_t trees = 0;
    graze_mesh *mesh;
    for (int kind = 0; (mesh = mesh_of_kind(kind)) != NULL; kind++)
    {
        for (int set = GRAZE_INSTRUCTIONS_SCALAR; set < GRAZE_INSTRUCTIONS_COUNT; set++)
        {
            graze_context context = graze_context_default();
            context.instructions = (graze_instructions)set;
            expect_same_tree(mesh, &context);
            trees++;
        }
        graze_mesh_destroy(mesh);
    }
    assert_int_equal(trees, 7 * 4);
}

static void a_tree_may_outlive_the_threads_that_built_it(void **state)
{
    (void)state;
    graze_mesh *mesh = mesh_of_kind(0);
    graze_context context = graze_context_default();
    graze_pool *pool = NULL;
    graze_tree *tree = NULL;
    assert_int_equal(graze_pool_create(NULL, 2, &pool), GRAZE_STATUS_OK);
    context.tasks = graze_pool_tasks(pool);
    assert_int_equal(graze_tree_create(&context, mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
    graze_pool_destroy(pool);
    assert_int_equal(graze_tree_refit(NULL, tree, mesh), GRAZE_STATUS_OK);
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
}

static void every_failing_allocation_of_a_large_build_is_survived(void **state)
{
    (void)state;
    graze_mesh *mesh = mesh_of_kind(3);
    graze_tree_def def = graze_tree_def_default();
    size_t failures = 0, tasks = 0;
    for (size_t allowed = 0;; allowed++)
    {
        failing_allocator allocator = {.allowed = allowed};
        graze_context context = failing_allocator_context(&allocator);
        context.tasks = (graze_tasks){run_backwards, 4, &tasks};
        graze_tree *tree = NULL;
        graze_status status = graze_tree_create(&context, mesh, &def, NULL, &tree);
        /* Fitting continues without threads when there is no memory for them, so the last failures are none. */
        if (status == GRAZE_STATUS_OK)
            assert_int_equal(graze_tree_validate(NULL, tree), GRAZE_STATUS_OK);
        graze_tree_destroy(tree);
        assert_int_equal(allocator.live, 0);
        if (status != GRAZE_STATUS_OK)
            assert_int_equal(status, GRAZE_STATUS_OUT_OF_MEMORY);
        failures += status != GRAZE_STATUS_OK;
        if (status != GRAZE_STATUS_OK || allocator.requests > allowed)
            continue;
        if (def.quick)
            break;
        def.quick = true; /* once more */
        allowed = SIZE_MAX;
    }
    printf("%zu failures\n", failures);
    assert_true(failures > 40);
    graze_mesh_destroy(mesh);
}

/* The first and the last centre fall into the first and the last of 16 bins, for every spread that is split. */
static void outermost_bins_are_never_empty(void **state)
{
    (void)state;
    for (uint32_t spread = 16; spread <= 65535; spread++)
    {
        uint32_t scale = (16u << 16) / (spread + 1);
        assert_true(scale <= 65535);
        assert_int_equal((spread * scale) >> 16, 15);
    }
}

/* As splitting computes it, four at a time: equal to integer arithmetic, for all counts of a subtree. */
static void leaves_are_counted_right_in_floats(void **state)
{
    (void)state;
    for (uint32_t leaf_size = 1; leaf_size <= GRZ_TREE_WIDTH; leaf_size++)
    {
        f32x4 round = f32x4_splat((float)leaf_size - 0.5f), inverse = f32x4_splat(1 / (float)leaf_size);
        for (uint32_t count = 0; count <= 2 * GRZ_SUBTREE_SIZE; count += 4)
        {
            _Alignas(16) uint32_t counts[4] = {count, count + 1, count + 2, count + 3};
            _Alignas(16) float leaves[4];
            f32x4_store(leaves, f32x4_trunc(f32x4_mul(f32x4_add(f32x4_from_u32(counts), round), inverse)));
            for (int i = 0; i < 4; i++)
                assert_int_equal((uint32_t)leaves[i], (counts[i] + leaf_size - 1) / leaf_size);
        }
    }
}

/* Prefix sums, the least of four and its lane. */
static void four_floats_are_summed_and_compared_as_by_hand(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED + 2);
    size_t ties = 0;
    for (int round = 0; round < 1000; round++)
    {
        _Alignas(16) uint32_t counts[4];
        _Alignas(16) float numbers[4], sums[4], last[4], least[4];
        for (int i = 0; i < 4; i++)
            counts[i] = (uint32_t)grz_random_below(&random, 6);
        f32x4 four = f32x4_from_u32(counts);
        f32x4_store(numbers, four);
        f32x4_store(sums, f32x4_prefix_sum(four));
        f32x4_store(last, f32x4_splat_last(four));
        f32x4_store(least, f32x4_splat_min(four));
        unsigned equal = f32x4_eq_bits(four, f32x4_splat_min(four));
        uint32_t sum = 0, lowest = UINT32_MAX;
        for (int i = 0; i < 4; i++)
            lowest = counts[i] < lowest ? counts[i] : lowest;
        for (int i = 0; i < 4; i++)
        {
            sum += counts[i];
            assert_true(numbers[i] == (float)counts[i] && sums[i] == (float)sum);
            assert_true(last[i] == (float)counts[3] && least[i] == (float)lowest);
            assert_int_equal(equal >> i & 1, counts[i] == lowest);
        }
        ties += (equal & (equal - 1)) != 0;
    }
    printf("%zu ties\n", ties);
    assert_true(ties > 100);
}

/* One minimum is the union, and centre and area are those of the box. */
static void boxes_on_a_grid_are_computed_as_by_hand(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED);
    for (int i = 0; i < 10000; i++)
    {
        _Alignas(16) int16_t box[2][8] = {{0}}, sum[8], centre[8];
        for (int b = 0; b < 2; b++)
        {
            for (int axis = 0; axis < 3; axis++)
            {
                int x = (int)grz_random_below(&random, 65501) - 32750,
                    y = (int)grz_random_below(&random, 65501) - 32750;
                box[b][axis] = (int16_t)(x < y ? x : y);
                box[b][axis + 4] = (int16_t)(x < y ? -y : -x);
            }
        }
        i16x8_store(sum, i16x8_min(i16x8_load(box[0]), i16x8_load(box[1])));
        i16x8_store(centre, i16x8_centre(i16x8_load(box[0])));
        float size[3];
        for (int axis = 0; axis < 3; axis++)
        {
            int lower = box[0][axis] < box[1][axis] ? box[0][axis] : box[1][axis];
            int upper = -box[0][axis + 4] > -box[1][axis + 4] ? -box[0][axis + 4] : -box[1][axis + 4];
            assert_int_equal(sum[axis], lower);
            assert_int_equal(-sum[axis + 4], upper);
            assert_int_equal(centre[axis], -centre[axis + 4]);
            assert_true(abs(2 * centre[axis] - (box[0][axis] - box[0][axis + 4])) <= 2);
            size[axis] = (float)(upper - lower);
        }
        assert_true(i16x8_half_area(i16x8_load(sum)) == size[0] * size[1] + size[1] * size[2] + size[2] * size[0]);
    }
}

static void thousands_are_halved_as_often_as_they_must_be(void **state)
{
    (void)state;
    assert_int_equal(grz_median_depth(1), 0);
    for (uint32_t k = 1; k < 31; k++)
    {
        assert_int_equal(grz_median_depth((size_t)1 << k), k);
        assert_int_equal(grz_median_depth(((size_t)1 << k) + 1), k + 1);
    }
}

static graze_mesh *mesh_of(const double (*vertices)[3], size_t vertex_count)
{
    uint32_t corners[3 * 64];
    for (size_t i = 0; i < vertex_count; i++)
        corners[i] = (uint32_t)i;
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = vertex_count;
    def.corners = corners;
    def.corner_count = vertex_count;
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

/* Bar i runs along axis i: its triangles are 8 i to 8 i + 7, two on each long face. */
static graze_mesh *make_crossed_bars(void)
{
    static const double across[4][2] = {{-0.1, -0.1}, {0.1, -0.1}, {0.1, 0.1}, {-0.1, 0.1}};
    double vertices[72][3];
    for (int i = 0; i < 72; i++)
    {
        int bar = i / 24, face = i / 6 % 4, corner = i % 6;
        bool next = corner == 1 || corner == 2 || corner == 4, far = corner == 2 || corner == 4 || corner == 5;
        vertices[i][bar] = far ? 1 : -1;
        vertices[i][(bar + 1) % 3] = across[(face + next) % 4][0];
        vertices[i][(bar + 2) % 3] = across[(face + next) % 4][1];
    }
    return mesh_of((const double(*)[3])vertices, 72);
}

static void crossed_bars_do_not_share_leaves(void **state)
{
    (void)state;
    graze_mesh *mesh = make_crossed_bars();
    graze_tree *tree = NULL;
    assert_int_equal(graze_tree_create(NULL, mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_validate(NULL, tree), GRAZE_STATUS_OK);
    for (size_t i = 0; i < tree->leaf_count; i++)
    {
        for (uint32_t k = 1; k < tree->leaves[i].count; k++)
            assert_int_equal(tree->order[tree->leaves[i].first + k] / 8, tree->order[tree->leaves[i].first] / 8);
    }
    assert_true(tree->leaf_count <= 6);
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
}

/* All of them in one position, each half the size of the one before, in a row, anywhere; for all counts that are
   clustered. */
static void small_meshes_of_any_kind_are_clustered(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED + 1);
    size_t leaves = 0, triangles = 0;
    printf("seed %d\n", SEED + 1);
    for (size_t round = 0; round < 4 * (GRZ_AGGLOMERATIVE_SIZE - 1); round++)
    {
        double vertices[3 * 64][3];
        size_t count = round / 4 + 2;
        for (size_t i = 0; i < 9 * count; i++)
        {
            double x = grz_random_between(&random, -1, 1), corner = (double)(i % 9 == 0 || i % 9 == 4);
            const double kinds[4] = {corner, corner / (double)(UINT64_C(1) << i / 9 % 63),
                                     corner + (i % 3 == 0 ? (double)(i / 9) : 0), x};
            vertices[i / 3][i % 3] = kinds[round % 4];
        }
        graze_mesh *mesh = mesh_of((const double(*)[3])vertices, 3 * count);
        graze_tree *tree = NULL;
        assert_int_equal(graze_tree_create(NULL, mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
        assert_int_equal(graze_tree_validate(NULL, tree), GRAZE_STATUS_OK);
        leaves += round % 4 == 0 ? tree->leaf_count : 0;
        triangles += round % 4 == 0 ? count : 0;
        graze_tree_destroy(tree);
        graze_mesh_destroy(mesh);
    }
    printf("%zu leaves for %zu triangles that coincide\n", leaves, triangles);
    assert_true(5 * leaves < triangles);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tree_does_not_depend_on_threads_or_their_order),
        cmocka_unit_test(the_tree_does_not_depend_on_the_instructions),
        cmocka_unit_test(a_tree_may_outlive_the_threads_that_built_it),
        cmocka_unit_test(every_failing_allocation_of_a_large_build_is_survived),
        cmocka_unit_test(outermost_bins_are_never_empty),
        cmocka_unit_test(leaves_are_counted_right_in_floats),
        cmocka_unit_test(four_floats_are_summed_and_compared_as_by_hand),
        cmocka_unit_test(boxes_on_a_grid_are_computed_as_by_hand),
        cmocka_unit_test(crossed_bars_do_not_share_leaves),
        cmocka_unit_test(small_meshes_of_any_kind_are_clustered),
        cmocka_unit_test(thousands_are_halved_as_often_as_they_must_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
