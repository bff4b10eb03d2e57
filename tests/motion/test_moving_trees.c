/* SPDX-License-Identifier: MIT */
/* Triangles of leaves, seen from the other tree while both move, stay within their widened boxes, slabs and projections
 * along edges, and some come near the ends of these; what touches a leaf moves by its local velocity. */
#include <math.h>

#include "graze/generate.h"
#include "mesh/mesh.h"
#include "motion/space_time_trees.h"
#include "support/random.h"
#include "support/unit.h"

enum
{
    ROUNDS = TEST_ROUNDS(60),
    SAMPLES = 9
};

static graze_motion random_motion(test_random *random)
{
    graze_motion motion;
    graze_pose poses[2];
    for (int i = 0; i < 2; i++)
    {
        double q[4], shift[3];
        for (int k = 0; k < 4; k++)
            q[k] = random_real(random, -1, 1);
        for (int k = 0; k < 3; k++)
            shift[k] = random_real(random, -2, 2);
        assert_int_equal(graze_pose_from_quaternion(q, shift, &poses[i]), GRAZE_STATUS_OK);
    }
    if (random_once_in(random, 2)) /* a translation */
        for (int k = 0; k < 12; k++)
            poses[1].m[k] = k % 4 < 3 ? poses[0].m[k] : poses[1].m[k];
    assert_int_equal(graze_motion_between(&poses[0], &poses[1],
                                          random_once_in(random, 3) ? GRAZE_MOTION_BLEND : GRAZE_MOTION_TURN, &motion,
                                          NULL),
                     GRAZE_STATUS_OK);
    return motion;
}

/* The point of the mesh of a tree whose place is x, in coordinates of the tree. */
static void place_in_tree(const graze_pose *pose, const graze_tree *tree, const double x[3], double out[3])
{
    const double *m = pose->m;
    double d[3], cofactors[3][3], determinant = 0;
    for (int i = 0; i < 3; i++)
    {
        d[i] = x[i] - m[4 * i + 3];
        for (int j = 0; j < 3; j++)
        {
            int p = (i + 1) % 3, q = (i + 2) % 3, r = (j + 1) % 3, s = (j + 2) % 3;
            cofactors[i][j] = m[4 * p + r] * m[4 * q + s] - m[4 * p + s] * m[4 * q + r];
        }
    }
    for (int j = 0; j < 3; j++)
        determinant += m[j] * cofactors[0][j];
    for (int j = 0; j < 3; j++)
    {
        double v = (cofactors[0][j] * d[0] + cofactors[1][j] * d[1] + cofactors[2][j] * d[2]) / determinant;
        out[j] = (v - tree->origin[j]) * tree->inverse_scale;
    }
}

/* How much of a range is used: 1 at its ends, and certainly not more. */
static double used(double x, double lower, double upper)
{
    assert_true(x >= lower - 1e-9 && x <= upper + 1e-9);
    return fabs(2 * x - lower - upper) / (upper - lower);
}

/* Checks one triangle at a time; returns by how much it uses its ranges: of boxes, of edges. */
static void check_triangle(const grz_moving_facets *facets, const grz_edges8 *edges, uint32_t lane, double y[3][3],
                           double out_used[2])
{
    for (int corner = 0; corner < 3; corner++)
    {
        const double *x = y[corner];
        double height = 0;
        for (int k = 0; k < 3; k++)
        {
            out_used[0] =
                fmax(out_used[0], used(x[k], facets->transformed.lower[k][lane], facets->transformed.upper[k][lane]));
            out_used[0] = fmax(out_used[0], used(x[k], edges->lower[k][lane], edges->upper[k][lane]));
            height += facets->transformed.direction[k][lane] * x[k];
        }
        used(height, facets->transformed.slab_lower[lane], facets->transformed.slab_upper[lane]);
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++)
            {
                int p = (k + 1) % 3, q = (k + 2) % 3;
                double h = edges->edges[c][p][lane] * x[q] - edges->edges[c][q][lane] * x[p];
                double middle = edges->middle[c][k][lane], width = edges->width[c][k][lane];
                if (width > 1e-4)
                    out_used[1] = fmax(out_used[1], used(h, middle - width, middle + width));
            }
    }
}

static void check_leaf(const graze_moving_mesh moving[2], int side, const grz_moving_facets *facets,
                       const grz_edges8 *edges, const grz_leaf *leaf, const double times[2], double out_used[2])
{
    const graze_moving_mesh *own = &moving[side], *other = &moving[1 - side];
    for (int i = 0; i < SAMPLES; i++)
    {
        double t = times[0] + (times[1] - times[0]) * i / (SAMPLES - 1);
        graze_pose pose, there;
        assert_int_equal(graze_motion_pose(&own->motion, t, &pose, NULL), GRAZE_STATUS_OK);
        assert_int_equal(graze_motion_pose(&other->motion, t, &there, NULL), GRAZE_STATUS_OK);
        for (uint32_t lane = 0; lane < leaf->count; lane++)
        {
            double y[3][3];
            for (int corner = 0; corner < 3; corner++)
            {
                double x[3];
                uint32_t triangle = own->tree->order[leaf->first + lane];
                uint32_t vertex = own->mesh->triangles[3 * (size_t)triangle + (size_t)corner];
                graze_pose_apply(&pose, grz_mesh_vertex(own->mesh, vertex), x);
                place_in_tree(&there, other->tree, x, y[corner]);
            }
            check_triangle(facets, edges, lane, y, out_used);
        }
    }
}

static bool never(void *user, uint32_t a, uint32_t b, double t0, double t1)
{
    (void)user;
    (void)a;
    (void)b;
    (void)t0;
    (void)t1;
    return true;
}

static void moving_triangles_stay_within_their_bounds(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 41);
    graze_mesh *meshes[2];
    graze_tree *trees[2];
    int frames = 0;
    double most[2] = {0, 0};
    assert_int_equal(graze_mesh_create_box(NULL, 2, 1, 0.1, 1, &meshes[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_torus(NULL, 0.5, 0.1, 24, 6, &meshes[1]), GRAZE_STATUS_OK);
    for (int i = 0; i < 2; i++)
        assert_int_equal(graze_tree_create(NULL, meshes[i], NULL, NULL, &trees[i]), GRAZE_STATUS_OK);
    for (int round = 0; round < ROUNDS; round++)
    {
        graze_moving_mesh moving[2];
        double times[2];
        for (int i = 0; i < 2; i++)
            moving[i] = (graze_moving_mesh){meshes[i], NULL, trees[i], random_motion(&random)};
        int depth = random_below(&random, 8);
        times[0] = ldexp(random_below(&random, 1 << depth), -depth);
        times[1] = times[0] + ldexp(1, -depth);
        grz_space_time search = {
            .moving_a = &moving[0], .moving_b = &moving[1], .tree_a = trees[0], .tree_b = trees[1], .propose = never};
        assert_int_equal(grz_space_time_start(&search), GRAZE_STATUS_OK);
        search.side_a.known = grz_motion_span_make(&moving[0].motion, times[0], times[1], &search.side_a.span);
        search.side_b.known = grz_motion_span_make(&moving[1].motion, times[0], times[1], &search.side_b.span);
        if (grz_moving_trees_begin(search.trees, &search))
        {
            frames++;
            for (int side = 0; side < 2; side++)
                for (uint32_t leaf = 0; leaf < trees[side]->leaf_count; leaf++)
                {
                    grz_moving_trees *t = search.trees;
                    grz_moving_tree *tree = side == 0 ? &t->a : &t->b;
                    const grz_float_transform *back = side == 0 ? &t->b.transform : &t->a.transform;
                    grz_moving_facets *facets = grz_moving_facets_of(tree, t->kernels, trees[side], leaf, back);
                    const grz_edges8 *edges = grz_moving_edges_of(tree, t->kernels, trees[side], leaf, facets);
                    check_leaf(moving, side, facets, edges, &trees[side]->leaves[leaf], times, most);
                }
        }
        grz_space_time_end(&search);
    }
    print_message("%d frames; boxes are used up to %.4f, projections along edges up to %.4f\n", frames, most[0],
                  most[1]);
    assert_true(frames > ROUNDS / 2 && most[0] > 0.99 && most[1] > 0.97);
    for (int i = 0; i < 2; i++)
    {
        graze_tree_destroy(trees[i]);
        graze_mesh_destroy(meshes[i]);
    }
}

/* ---- local velocities ---- */

/* A point of a triangle of a leaf: a corner, or any. */
static void some_point(test_random *random, const graze_tree *tree, uint32_t leaf, double out[3])
{
    const grz_leaf *l = &tree->leaves[leaf];
    uint32_t triangle = tree->order[l->first + (uint32_t)random_below(random, (int)l->count)];
    double weights[3] = {0, 0, 0}, u = random_real(random, 0, 1), v = random_real(random, 0, 1 - u);
    bool corner = random_once_in(random, 2);
    weights[random_below(random, 3)] = 1;
    for (int k = 0; k < 3; k++)
    {
        out[k] = 0;
        for (int i = 0; i < 3; i++)
        {
            double weight = corner ? weights[i] : i == 0 ? u : i == 1 ? v : 1 - u - v;
            out[k] += weight * grz_mesh_vertex(tree->mesh, tree->mesh->triangles[3 * (size_t)triangle + (size_t)i])[k];
        }
    }
}

/* Moves the whole way of A so that its point p is at B's point q at time t. */
static void let_meet(graze_moving_mesh moving[2], const double p[3], const double q[3], double t)
{
    graze_pose poses[2];
    double places[2][3];
    for (int i = 0; i < 2; i++)
    {
        assert_int_equal(graze_motion_pose(&moving[i].motion, t, &poses[i], NULL), GRAZE_STATUS_OK);
        graze_pose_apply(&poses[i], i == 0 ? p : q, places[i]);
    }
    for (int k = 0; k < 3; k++)
    {
        moving[0].motion.path[0][k] += places[1][k] - places[0][k];
        moving[0].motion.start.m[4 * k + 3] += places[1][k] - places[0][k];
        moving[0].motion.end.m[4 * k + 3] += places[1][k] - places[0][k];
    }
}

/* How much of the error of a local velocity a contact of the points p and q at time t, s of half the frame after its
   middle, uses. */
static double use_velocity(const graze_moving_mesh moving[2], const double p[3], const double q[3], double middle,
                           double s, const float velocity[3], float error)
{
    graze_pose poses[2];
    double x[3], y[3], x_a[3], most = 0;
    for (int i = 0; i < 2; i++)
        assert_int_equal(graze_motion_pose(&moving[i].motion, middle, &poses[i], NULL), GRAZE_STATUS_OK);
    graze_pose_apply(&poses[1], q, x);
    place_in_tree(&poses[0], moving[0].tree, x, y);
    for (int k = 0; k < 3; k++)
    {
        x_a[k] = (p[k] - moving[0].tree->origin[k]) * moving[0].tree->inverse_scale;
        most = fmax(most, fabs(y[k] - x_a[k] - s * (double)velocity[k]));
    }
    return most / ((double)error + 1e-9);
}

static void what_touches_a_leaf_moves_by_its_local_velocity(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 43);
    graze_mesh *meshes[2];
    graze_tree *trees[2];
    int contacts = 0, local = 0;
    double most = 0;
    assert_int_equal(graze_mesh_create_box(NULL, 0.4, 0.4, 0.4, 1, &meshes[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 2, 1, 0.1, 1, &meshes[1]), GRAZE_STATUS_OK);
    for (int i = 0; i < 2; i++)
        assert_int_equal(graze_tree_create(NULL, meshes[i], NULL, NULL, &trees[i]), GRAZE_STATUS_OK);
    for (int round = 0; round < 40 * ROUNDS; round++)
    {
        graze_moving_mesh moving[2];
        double points[2][3];
        uint32_t leaves[2];
        int depth = 2 + random_below(&random, 8);
        double half = ldexp(0.5, -depth), start = ldexp(random_below(&random, 1 << depth), -depth);
        double s = random_once_in(&random, 2) ? (random_once_in(&random, 2) ? 1 : -1) : random_real(&random, -1, 1);
        for (int i = 0; i < 2; i++)
        {
            moving[i] = (graze_moving_mesh){meshes[i], NULL, trees[i], random_motion(&random)};
            leaves[i] = (uint32_t)random_below(&random, (int)trees[i]->leaf_count);
            some_point(&random, trees[i], leaves[i], points[i]);
        }
        let_meet(moving, points[0], points[1], start + half + s * half);
        grz_space_time search = {
            .moving_a = &moving[0], .moving_b = &moving[1], .tree_a = trees[0], .tree_b = trees[1], .propose = never};
        assert_int_equal(grz_space_time_start(&search), GRAZE_STATUS_OK);
        search.side_a.known = grz_motion_span_make(&moving[0].motion, start, start + 2 * half, &search.side_a.span);
        search.side_b.known = grz_motion_span_make(&moving[1].motion, start, start + 2 * half, &search.side_b.span);
        if (grz_moving_trees_begin(search.trees, &search))
        {
            float velocity[3], error;
            uint32_t slot = leaves[1] % GRZ_MOVING_LEAVES;
            (void)grz_moving_leaf_b(&search, search.trees, leaves[1]);
            grz_local_velocity(&search, search.trees, leaves[0], slot, velocity, &error);
            double used = use_velocity(moving, points[0], points[1], start + half, s, velocity, error);
            assert_true(used <= 1);
            contacts++;
            local += error < search.trees->b.error[slot];
            most = error < search.trees->b.error[slot] ? fmax(most, used) : most;
        }
        grz_space_time_end(&search);
    }
    print_message("%d contacts, %d of them with local velocities, whose errors are used up to %.4f\n", contacts, local,
                  most);
    assert_true(contacts > 20 * ROUNDS && local > contacts / 2 && most > 0.6);
    for (int i = 0; i < 2; i++)
    {
        graze_tree_destroy(trees[i]);
        graze_mesh_destroy(meshes[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(moving_triangles_stay_within_their_bounds),
                                       cmocka_unit_test(what_touches_a_leaf_moves_by_its_local_velocity)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
