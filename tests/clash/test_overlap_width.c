/* SPDX-License-Identifier: MIT */
/* The overlap width of mated parts, against rational arithmetic. */
#include <gmp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/unit.h"

#include "clash/overlap_width.h"
#include "clash_meshes.h"
#include "graze/generate.h"
#include "support/environment.h"
#include "support/random.h"

/* n . (R v + t) of a vertex. */
static void height_of(const graze_placed_mesh *placed, const double *v, const double n[3], mpq_t out)
{
    mpq_t term, factor;
    mpq_inits(term, factor, NULL);
    mpq_set_ui(out, 0, 1);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
        {
            mpq_set_d(term, placed->pose.m[4 * i + j]);
            mpq_set_d(factor, j < 3 ? v[j] : 1);
            mpq_mul(term, term, factor);
            mpq_set_d(factor, n[i]);
            mpq_mul(term, term, factor);
            mpq_add(out, out, term);
        }
    mpq_clears(term, factor, NULL);
}

/* The largest height, or the smallest. */
static void extreme_height(const graze_placed_mesh *placed, const double n[3], bool largest, mpq_t out)
{
    mpq_t height;
    mpq_init(height);
    for (size_t v = 0; v < graze_mesh_vertex_count(placed->mesh); v++)
    {
        height_of(placed, graze_mesh_vertices(placed->mesh) + 3 * v, n, height);
        if (v == 0 || (largest ? mpq_cmp(height, out) > 0 : mpq_cmp(height, out) < 0))
            mpq_set(out, height);
    }
    mpq_clear(height);
}

/* Compares the true width along n with a number: the sign of the difference of their squares. */
static int compare_width(const graze_placed_mesh *a, const graze_placed_mesh *b, const double n[3], double width)
{
    mpq_t high, low, square, number;
    mpq_inits(high, low, square, number, NULL);
    extreme_height(a, n, true, high);
    extreme_height(b, n, false, low);
    mpq_sub(high, high, low);
    int sign = mpq_sgn(high);
    mpq_mul(high, high, high);
    mpq_set_ui(square, 0, 1);
    for (int i = 0; i < 3; i++)
    {
        mpq_set_d(number, n[i]);
        mpq_mul(number, number, number);
        mpq_add(square, square, number);
    }
    mpq_set_d(number, width);
    mpq_mul(square, square, number);
    mpq_mul(square, square, number);
    int order = sign <= 0 ? -1 : mpq_cmp(high, square);
    mpq_clears(high, low, square, number, NULL);
    return order;
}

/* A rotation with rounded entries, and a translation. */
static graze_pose random_pose(test_random *random)
{
    double q[4], square = 0;
    for (int i = 0; i < 4; i++)
    {
        q[i] = random_real(random, -1, 1);
        square += q[i] * q[i];
    }
    double s = 2 / square, w = q[0], x = q[1], y = q[2], z = q[3];
    return (graze_pose){{1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y), random_real(random, -9, 9),
                         s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x), random_real(random, -9, 9),
                         s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y),
                         random_real(random, -9, 9)}};
}

/* B is placed on A's face, where rounding puts it, or a little lower. */
static void no_width_is_below_that_of_rational_arithmetic(void **state)
{
    (void)state;
    test_random random = test_random_start("no_width_is_below_that_of_rational_arithmetic", 1704);
    graze_mesh *mesh = box_between(0, 0, 0, 1, 1, 1);
    graze_tree *tree = NULL;
    assert_int_equal(graze_tree_create(NULL, mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
    int found = 0, refused = 0, positive = 0;
    for (int i = 0; i < 400; i++)
    {
        graze_placed_mesh a = {mesh, tree, random_pose(&random)}, b = a;
        double depth = i % 4 < 2 ? ldexp(random_real(&random, 1, 2), -30) : 0;
        for (int axis = 0; axis < 3; axis++)
            b.pose.m[4 * axis + 3] += (1 - depth) * a.pose.m[4 * axis + i % 3];
        double limit = i % 2 == 0 ? 1e-14 : 1e-8;
        grz_clash_overlap_width width;
        assert_int_equal(grz_clash_find_overlap_width(NULL, &a, &b, NULL, limit, limit, &width), GRAZE_STATUS_OK);
        bool meet = false;
        graze_hit hit;
        assert_int_equal(graze_pair_any(NULL, &a, &b, NULL, &meet, &hit), GRAZE_STATUS_OK);
        if (!meet)
            continue; /* rounding has left a gap, and there are no triangles to take normals of */
        grz_clash_overlap_width from_hit;
        assert_int_equal(grz_clash_find_overlap_width(NULL, &a, &b, &hit, limit, limit, &from_hit), GRAZE_STATUS_OK);
        assert_true(from_hit.found == width.found);
        assert_true(width.found == (depth < limit));
        refused += !width.found;
        if (!width.found)
            continue;
        found++;
        assert_true(width.width <= limit && compare_width(&a, &b, width.normal, width.width) <= 0);
        positive += width.width > 0x1p-58;
        /* Not much larger than it is. */
        assert_true(width.width < 0x1p-58 || compare_width(&a, &b, width.normal, width.width * (1 - 0x1p-20)) > 0);
    }
    printf("%d found, %d of them positive, %d refused\n", found, positive, refused);
    assert_true(found > 150 && positive > 80 && refused > 40);
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
}

/* Two boxes overlap by a thin layer, at an edge: any of their hits overlaps by that or less, and refuses no larger
 * limit. Where boxes cross deeply most hits alone tell that no width is below the limit. */
static void hits_refuse_no_width_that_exists(void **state)
{
    (void)state;
    test_random random = test_random_start("hits_refuse_no_width_that_exists", 1706);
    graze_mesh *mesh = box_between(0, 0, 0, 1, 1, 1);
    int found = 0, refused = 0;
    for (int i = 0; i < 300; i++)
    {
        graze_placed_mesh a = {mesh, NULL, random_pose(&random)}, b = a;
        double shift[3] = {random_real(&random, -0.5, 0.5), random_real(&random, -0.5, 0.5), 0};
        double depth = ldexp(random_real(&random, 1, 2), -random_between(&random, 3, 40));
        shift[2] = 1 - depth;
        for (int axis = 0; axis < 3; axis++)
            for (int k = 0; k < 3; k++)
                b.pose.m[4 * axis + 3] += shift[k] * a.pose.m[4 * axis + (i + k) % 3];
        graze_hit hits[400];
        graze_pair_counts counts;
        assert_int_equal(graze_pair_gather(NULL, &a, &b, NULL, hits, 400, &counts), GRAZE_STATUS_OK);
        assert_true(counts.pairs > 0 && counts.pairs <= 400);
        for (size_t k = 0; k < counts.pairs; k++)
        {
            grz_clash_overlap_width width;
            double limit = depth * (1 + 0x1p-8) + 0x1p-44;
            assert_int_equal(grz_clash_find_overlap_width(NULL, &a, &b, &hits[k], limit, limit, &width),
                             GRAZE_STATUS_OK);
            assert_true(width.found);
            found++;
            limit = depth * (1 - 0x1p-8) - 0x1p-44;
            if (!(limit > 0))
                continue;
            assert_int_equal(grz_clash_find_overlap_width(NULL, &a, &b, &hits[k], limit, limit, &width),
                             GRAZE_STATUS_OK);
            assert_false(width.found);
            refused++;
        }
    }
    printf("%d found, %d refused\n", found, refused);
    assert_true(found > 3000 && refused > 3000);
    graze_mesh_destroy(mesh);
}

/* An entry of a pose: of any magnitude, often 0, sometimes a denormal number. */
static double random_entry(test_random *random, int range)
{
    if (random_once_in(random, 12))
        return ldexp(random_real(random, -1, 1), -1030);
    return random_once_in(random, 4) ? 0 : ldexp(random_real(random, -1, 1), random_between(random, -range, range));
}

/* Sheared, scaled and far away, with sums that cancel: bounds of errors are all there is. Limits are so large that some
   direction is always good enough. */
static void widths_of_awkward_poses_hold_in_every_environment(void **state)
{
    (void)state;
    test_random random = test_random_start("widths_of_awkward_poses_hold_in_every_environment", 1705);
    int found = 0, zero = 0;
    for (int i = 0; i < 3000; i++)
    {
        int range = i % 3 == 0 ? 2 : i % 3 == 1 ? 30 : 90;
        double size = ldexp(1, random_between(&random, -range, range));
        graze_mesh *mesh = box_between(0, 0, 0, size, random_real(&random, 1, 2), random_real(&random, 0, 1));
        graze_placed_mesh a = {mesh, NULL, graze_pose_identity()}, b = a;
        for (int k = 0; k < 12; k++)
        {
            a.pose.m[k] = random_entry(&random, range);
            b.pose.m[k] = random_once_in(&random, 3) ? a.pose.m[k] : random_entry(&random, range);
        }
        for (int axis = 0; axis < 3; axis++) /* often just beside A: its translation and a column, rounded */
            if (random_once_in(&random, 2))
                b.pose.m[4 * axis + 3] = a.pose.m[4 * axis + 3] + a.pose.m[4 * axis] * size;
        grz_clash_overlap_width width;
        saved_environment saved;
        environment_enter(&saved, i % ENVIRONMENTS);
        graze_status status =
            grz_clash_find_overlap_width(NULL, &a, &b, NULL, ldexp(1, 3 * range), ldexp(1, 3 * range), &width);
        environment_leave(&saved);
        assert_int_equal(status, GRAZE_STATUS_OK);
        if (width.found && compare_width(&a, &b, width.normal, width.width) > 0)
            fail_msg("round %d: too small, %s", i, environment_name(i % ENVIRONMENTS));
        found += width.found;
        zero += width.found && width.width < 0x1p-800;
        graze_mesh_destroy(mesh);
    }
    printf("%d found, %d of them zero\n", found, zero);
    assert_true(found > 2000 && zero > 200);
}

/* A box of many small triangles, moved by a pose, each vertex rounded. */
static graze_mesh *rounded_box(const graze_pose *pose, double x)
{
    graze_mesh *box = NULL, *moved = NULL;
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 12, &box), GRAZE_STATUS_OK);
    size_t count = graze_mesh_vertex_count(box);
    double *vertices = malloc(count * 3 * sizeof *vertices);
    assert_non_null(vertices);
    for (size_t v = 0; v < count; v++)
    {
        const double *p = graze_mesh_vertices(box) + 3 * v, there[3] = {p[0] + x, p[1], p[2]};
        graze_pose_apply(pose, there, vertices + 3 * v);
    }
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = count;
    def.corners = graze_mesh_triangles(box);
    def.corner_count = 3 * graze_mesh_triangle_count(box);
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &moved), GRAZE_STATUS_OK);
    free(vertices);
    graze_mesh_destroy(box);
    return moved;
}

/* Mated faces of many small triangles, each rounded: the normal of no triangle is good enough, that of the face is. */
static void faces_of_small_triangles_are_mated(void **state)
{
    (void)state;
    test_random random = test_random_start("faces_of_small_triangles_are_mated", 1706);
    int met = 0, found = 0;
    for (int i = 0; i < 60; i++)
    {
        graze_pose pose = random_pose(&random);
        graze_placed_mesh a = {rounded_box(&pose, 0), NULL, graze_pose_identity()};
        graze_placed_mesh b = {rounded_box(&pose, 1), NULL, graze_pose_identity()};
        bool meet = false;
        assert_int_equal(graze_pair_any(NULL, &a, &b, NULL, &meet, NULL), GRAZE_STATUS_OK);
        grz_clash_overlap_width width;
        assert_int_equal(grz_clash_find_overlap_width(NULL, &a, &b, NULL, 0x1p-49, 0x1p-49, &width), GRAZE_STATUS_OK);
        assert_true(!width.found || compare_width(&a, &b, width.normal, width.width) <= 0);
        met += meet;
        found += meet && width.found;
        graze_mesh_destroy((graze_mesh *)a.mesh);
        graze_mesh_destroy((graze_mesh *)b.mesh);
    }
    printf("%d meet, %d found\n", met, found);
    assert_true(met == 60 && found > 45); /* without normals of whole faces 23 */
}

/* B stands on A, far above the ground, or both are slanted steeply, so that heights are differences of large numbers:
   their error bounds count all terms, those of the translation and those of every column. */
static void widths_between_large_heights_are_bounds(void **state)
{
    (void)state;
    test_random random = test_random_start("widths_between_large_heights_are_bounds", 1707);
    int far_small = 0, slanted_small = 0;
    for (int i = 0; i < 1000; i++)
    {
        bool far = i % 2 == 0;
        double x = random_real(&random, 1, 2), y = random_real(&random, 1, 2), z = random_real(&random, 1, 2);
        graze_mesh *lower = box_between(0, 0, 0, x, y, far ? z : 0x1p-40 * z);
        graze_mesh *upper = box_between(far ? 0 : x, 0, 0, far ? x : 2 * x, y, far ? z : 0x1p-40 * z);
        graze_placed_mesh a = {lower, NULL, random_pose(&random)}, b;
        double *row = a.pose.m + 8;
        row[far ? 3 : 0] = ldexp(random_real(&random, 1, 2), 40);
        if (!far)
            row[1] = ldexp(random_real(&random, 1, 2), -30);
        b = (graze_placed_mesh){upper, NULL, a.pose};
        if (far)
            b.pose.m[11] += fabs(row[0]) * x + fabs(row[1]) * y + fabs(row[2]) * z;
        grz_clash_overlap_width width;
        assert_int_equal(grz_clash_find_overlap_width(NULL, &a, &b, NULL, 0x1p-8, 0x1p-8, &width), GRAZE_STATUS_OK);
        assert_true(width.found && compare_width(&a, &b, width.normal, width.width) <= 0);
        bool small = width.width > 0x1p-40 && width.width < 0x1p-16; /* so that the last factor hides no error */
        far_small += far && small;
        slanted_small += !far && small;
        graze_mesh_destroy(lower);
        graze_mesh_destroy(upper);
    }
    printf("small widths: %d far away, %d slanted\n", far_small, slanted_small);
    assert_true(far_small > 20 && slanted_small > 400);
}

/* A tetrahedron with two corners at a height of 0 along x, but for rounding; `far` is far from the other. */
static graze_mesh *tetrahedron_with_far_corner(const graze_pose *pose, int far)
{
    static const double corners[4][3] = {{0, 0x1p30, 0}, {0, 0, 0}, {-1, 1, 0}, {-1, 0, 1}};
    static const uint32_t triangles[12] = {0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2};
    double vertices[4][3] = {{0}};
    for (int v = 0; v < 4; v++)
        for (int j = 0; j < 3; j++)
            for (int i = 0; i < 3; i++)
                vertices[v][j] += pose->m[4 * i + j] * corners[(v - far + 4) % 4][i];
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices[0];
    def.vertex_count = 4;
    def.corners = triangles;
    def.corner_count = 12;
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

/* Heights of a single far vertex are the least certain: it counts in the bound, whichever it is. */
static void any_vertex_may_be_far(void **state)
{
    (void)state;
    test_random random = test_random_start("any_vertex_may_be_far", 1709);
    graze_mesh *box = box_between(-0x1p-20, -1, -1, 1, 1, 1);
    int longer[4] = {0};
    for (int i = 0; i < 400; i++)
    {
        graze_placed_mesh part = {NULL, NULL, random_pose(&random)}, other = {box, NULL, graze_pose_identity()};
        for (int axis = 0; axis < 3; axis++)
            part.pose.m[4 * axis + 3] = 0;
        part.mesh = tetrahedron_with_far_corner(&part.pose, i % 4);
        grz_clash_overlap_width width;
        assert_int_equal(grz_clash_find_overlap_width(NULL, &part, &other, NULL, 0x1p-10, 0x1p-10, &width),
                         GRAZE_STATUS_OK);
        assert_true(width.found && compare_width(&part, &other, width.normal, width.width) <= 0);
        longer[i % 4] += width.width > 0x1p-20 * (1 + 0x1p-20);
        graze_mesh_destroy((graze_mesh *)part.mesh);
    }
    graze_mesh_destroy(box);
    for (int far = 0; far < 4; far++)
        assert_true(longer[far] > 30); /* rounding is what decides them */
}

/* A triangle of a unit box beside its face x = 1: with a corner on it, and one that is not. */
static uint32_t find_triangle_beside_face(const graze_mesh *mesh)
{
    uint32_t triangle = 0;
    for (int on_face = 0; triangle < graze_mesh_triangle_count(mesh); triangle++)
    {
        const uint32_t *corners = graze_mesh_triangles(mesh) + 3 * (size_t)triangle;
        on_face = 0;
        for (size_t k = 0; k < 3; k++)
            on_face += graze_mesh_vertices(mesh)[3 * (size_t)corners[k]] == 1;
        if (on_face == 1 || on_face == 2)
            break;
    }
    assert_true(triangle < graze_mesh_triangle_count(mesh));
    return triangle;
}

/* A small box, turned in any way, above the face x = 1 of the unit box: only that face separates them. */
static graze_placed_mesh place_above_face(const graze_placed_mesh *unit_box, const graze_mesh *small, double gap,
                                          test_random *random)
{
    graze_placed_mesh placed = {small, NULL, random_pose(random)};
    const double middle[3] = {1, 0.5, 0.5};
    const double *m = unit_box->pose.m, normal[3] = {m[0], m[4], m[8]};
    double at[3], lowest = INFINITY;
    graze_pose_apply(&unit_box->pose, middle, at);
    for (int axis = 0; axis < 3; axis++)
        placed.pose.m[4 * axis + 3] = 0;
    for (size_t v = 0; v < graze_mesh_vertex_count(small); v++)
    {
        double x[3];
        graze_pose_apply(&placed.pose, graze_mesh_vertices(small) + 3 * v, x);
        lowest = fmin(lowest, x[0] * normal[0] + x[1] * normal[1] + x[2] * normal[2]);
    }
    for (int axis = 0; axis < 3; axis++)
        placed.pose.m[4 * axis + 3] = at[axis] + (gap - lowest) * normal[axis];
    return placed;
}

/* The parts do not meet, so nothing but the hit given leads to the face, whose neighbour it names. */
static void faces_next_to_the_first_hit_are_found(void **state)
{
    (void)state;
    test_random random = test_random_start("faces_next_to_the_first_hit_are_found", 1708);
    graze_mesh *mesh = box_between(0, 0, 0, 1, 1, 1), *small = box_between(0, 0, 0, 0.1, 0.1, 0.1);
    for (int i = 0; i < 100; i++)
    {
        graze_placed_mesh box = {mesh, NULL, random_pose(&random)};
        graze_placed_mesh other = place_above_face(&box, small, 0x1p-30, &random);
        const graze_placed_mesh *a = i % 2 == 0 ? &box : &other, *b = i % 2 == 0 ? &other : &box;
        graze_hit first = {0};
        *(i % 2 == 0 ? &first.triangle_a : &first.triangle_b) = find_triangle_beside_face(mesh);
        grz_clash_overlap_width width;
        assert_int_equal(grz_clash_find_overlap_width(NULL, a, b, NULL, 0, 0x1p-40, &width), GRAZE_STATUS_OK);
        assert_false(width.found);
        assert_int_equal(grz_clash_find_overlap_width(NULL, a, b, &first, 0, 0x1p-40, &width), GRAZE_STATUS_OK);
        assert_true(width.found && width.width == 0);
    }
    graze_mesh_destroy(small);
    graze_mesh_destroy(mesh);
}

static void numbers_beyond_the_range_are_not_found(void **state)
{
    (void)state;
    graze_mesh *mesh = box_between(0, 0, 0, 1e300, 1, 1);
    graze_placed_mesh a = {mesh, NULL, graze_pose_identity()}, b = {mesh, NULL, graze_pose_translation(0, 1, 0)};
    grz_clash_overlap_width width;
    assert_int_equal(grz_clash_find_overlap_width(NULL, &a, &b, NULL, 1, 1, &width), GRAZE_STATUS_OK);
    assert_false(width.found);
    graze_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_width_is_below_that_of_rational_arithmetic),
                                       cmocka_unit_test(faces_of_small_triangles_are_mated),
                                       cmocka_unit_test(hits_refuse_no_width_that_exists),
                                       cmocka_unit_test(widths_of_awkward_poses_hold_in_every_environment),
                                       cmocka_unit_test(widths_between_large_heights_are_bounds),
                                       cmocka_unit_test(any_vertex_may_be_far),
                                       cmocka_unit_test(faces_next_to_the_first_hit_are_found),
                                       cmocka_unit_test(numbers_beyond_the_range_are_not_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
