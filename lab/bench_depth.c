/* SPDX-License-Identifier: MIT */
/*
 * Cost and width of depths over an assembly: parts of about 5,000 triangles near the points of a grid, all pairs that
 * overlap (docs/decisions/0006 and 0011). Prints a table; no pass or fail.
 *
 *     bench_depth [PARTS] [SPACING]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/random.h"
#include "graze/graze.h"

enum
{
    SEED = 5005,
    KINDS = 6
};

static const char *const names[KINDS] = {"sphere", "torus", "cylinder", "gear", "hyperboloid", "box"};

typedef struct part
{
    graze_mesh *mesh;
    graze_tree *tree;
    graze_body *body;
    graze_pose pose;
} part;

typedef struct tally
{
    size_t pairs, reached, translations;
    double deepest_seconds, slowest, depth_seconds, cells, depth_sum, upper_sum, way_sum;
} tally;

/* CPU time in nanoseconds: the machine may be busy. */
static uint64_t cpu_now(void)
{
    return (uint64_t)(1e9 * (double)clock() / CLOCKS_PER_SEC);
}

static graze_status make_mesh(grz_random *random, size_t i, graze_mesh **out_mesh)
{
    double s = grz_random_between(random, 0.8, 1.2);
    switch (i % KINDS)
    {
    case 0:
        return graze_mesh_create_geodesic_sphere(NULL, 0.9 * s, 16, out_mesh);
    case 1:
        return graze_mesh_create_torus(NULL, 0.7 * s, 0.3 * s, 50, 50, out_mesh);
    case 2:
        return graze_mesh_create_cylinder(NULL, 0.5 * s, 1.8 * s, 50, 49, out_mesh);
    case 3:
        return graze_mesh_create_gear(NULL, 64, 0.03 * s, 0.4 * s, 0.3 * s, 0.01 * s, out_mesh);
    case 4:
        return graze_mesh_create_hyperboloid(NULL, 0.3 * s, 0.6 * s, 1.6 * s, 50, 49, out_mesh);
    default:
        return graze_mesh_create_box(NULL, 1.6 * s, 0.9 * s, 0.5 * s, 20, out_mesh);
    }
}

static graze_pose random_pose(grz_random *random, const double at[3])
{
    double axis[3];
    for (int k = 0; k < 3; k++)
        axis[k] = grz_random_between(random, -1, 1);
    graze_pose pose = graze_pose_identity();
    graze_pose_from_axis_angle(axis, grz_random_between(random, 0, 6), at, &pose);
    return pose;
}

static bool make_parts(part *parts, size_t count, double spacing)
{
    grz_random random = grz_random_make(SEED);
    size_t side = (size_t)ceil(cbrt((double)count) - 1e-9);
    for (size_t i = 0; i < count; i++)
    {
        const size_t cell[3] = {i % side, i / side % side, i / side / side};
        double at[3];
        for (int k = 0; k < 3; k++)
            at[k] = spacing * (double)cell[k] + grz_random_between(&random, -0.3, 0.3);
        if (make_mesh(&random, i, &parts[i].mesh) != GRAZE_STATUS_OK ||
            graze_tree_create(NULL, parts[i].mesh, NULL, NULL, &parts[i].tree) != GRAZE_STATUS_OK ||
            graze_body_create(NULL, parts[i].mesh, NULL, &parts[i].body) != GRAZE_STATUS_OK)
            return false;
        parts[i].pose = random_pose(&random, at);
    }
    return true;
}

static void measure_pair(const part *a, const part *b, tally *t)
{
    graze_placed_mesh first = {a->mesh, a->tree, a->pose}, second = {b->mesh, b->tree, b->pose};
    graze_deepest_options deepest_options = graze_deepest_options_default();
    graze_depth_options depth_options = graze_depth_options_default();
    deepest_options.body_a = depth_options.body_a = a->body;
    deepest_options.body_b = depth_options.body_b = b->body;
    graze_deepest_point deepest;
    graze_depth depth;
    uint64_t start = cpu_now();
    if (graze_pair_deepest_point(NULL, &first, &second, &deepest_options, &deepest) != GRAZE_STATUS_OK)
        return;
    uint64_t middle = cpu_now();
    if (deepest.overlap != GRAZE_VERDICT_YES)
        return;
    if (graze_pair_depth(NULL, &first, &second, &depth_options, &depth) != GRAZE_STATUS_OK)
        return;
    t->pairs++;
    t->reached += deepest.reached;
    t->deepest_seconds += 1e-9 * (double)(middle - start);
    t->slowest = fmax(t->slowest, 1e-9 * (double)(middle - start));
    t->depth_seconds += 1e-9 * (double)(cpu_now() - middle);
    t->cells += deepest.cells;
    t->depth_sum += deepest.lower;
    t->upper_sum += deepest.upper;
    t->way_sum += depth.upper;
}

static void print_tally(const char *first, const char *second, const tally *t)
{
    double count = t->pairs > 0 ? (double)t->pairs : 1;
    printf("%-12s%-12s%6zu%9.1f %%%10.0f%12.3f%12.3f%12.3f%10.4f%10.4f%10.4f\n", first, second, t->pairs,
           100 * (double)t->reached / count, t->cells / count, 1e3 * t->deepest_seconds / count, 1e3 * t->slowest,
           1e3 * t->depth_seconds / count, t->depth_sum, t->upper_sum, t->way_sum);
}

int main(int count, char **arguments)
{
    size_t part_count = count > 1 ? (size_t)strtoul(arguments[1], NULL, 10) : 1000;
    double spacing = count > 2 ? strtod(arguments[2], NULL) : 2;
    part *parts = calloc(part_count, sizeof *parts);
    static tally kinds[KINDS][KINDS], all;
    if (parts == NULL || !make_parts(parts, part_count, spacing))
        return 1;
    for (size_t i = 0; i < part_count; i++)
        for (size_t k = i + 1; k < part_count; k++)
        {
            double square = 0;
            for (int axis = 0; axis < 3; axis++)
            {
                double gap = parts[i].pose.m[4 * axis + 3] - parts[k].pose.m[4 * axis + 3];
                square += gap * gap;
            }
            size_t less = i % KINDS < k % KINDS ? i % KINDS : k % KINDS, more = i % KINDS + k % KINDS - less;
            if (square < 2.6 * 2.6)
                measure_pair(&parts[i], &parts[k], &kinds[less][more]);
        }
    printf("%-24s%6s%11s%10s%12s%12s%12s%10s%10s%10s\n", "", "pairs", "closed", "cells", "deepest ms", "slowest ms",
           "depth ms", "lower", "upper", "way out");
    for (int i = 0; i < KINDS; i++)
        for (int k = i; k < KINDS; k++)
        {
            const tally *t = &kinds[i][k];
            print_tally(names[i], names[k], t);
            all.pairs += t->pairs;
            all.reached += t->reached;
            all.cells += t->cells;
            all.deepest_seconds += t->deepest_seconds;
            all.slowest = fmax(all.slowest, t->slowest);
            all.depth_seconds += t->depth_seconds;
            all.depth_sum += t->depth_sum;
            all.upper_sum += t->upper_sum;
            all.way_sum += t->way_sum;
        }
    print_tally("all", "", &all);
    for (size_t i = 0; i < part_count; i++)
    {
        graze_body_destroy(parts[i].body);
        graze_tree_destroy(parts[i].tree);
        graze_mesh_destroy(parts[i].mesh);
    }
    free(parts);
    return 0;
}
