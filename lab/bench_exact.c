/* SPDX-License-Identifier: MIT */
/*
 * Cost of one exact triangle pair test, and how many signs reach each stage. Prints a table; no pass or fail.
 *
 * Each row is a kind of input. Pairs are generated beforehand and tested in sequence, so that the branch predictor
 * cannot learn a single pair; the best of several passes counts. One of the few programs outside the library that uses
 * its internals: the stages are not public.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/random.h"
#include "exact/contact.h"

enum
{
    PAIR_COUNT = 20000,
    PASS_COUNT = 7
};

typedef struct pair
{
    double corners[6][3];
    graze_pose poses[2];
} pair;

typedef struct kind
{
    const char *name;
    void (*make)(grz_random *random, pair *out);
    bool posed;
} kind;

static double uniform(grz_random *random)
{
    return grz_random_between(random, -1, 1);
}

static void random_corners(grz_random *random, pair *out, double size)
{
    for (int i = 0; i < 6; i++)
    {
        for (int k = 0; k < 3; k++)
            out->corners[i][k] = size * uniform(random);
    }
}

static void random_poses(grz_random *random, pair *out)
{
    for (int i = 0; i < 2; i++)
    {
        const double quaternion[4] = {uniform(random), uniform(random), uniform(random), 1.5};
        const double translation[3] = {0.3 * uniform(random), 0.3 * uniform(random), 0.3 * uniform(random)};
        graze_pose_from_quaternion(quaternion, translation, &out->poses[i]);
    }
}

static void make_generic(grz_random *random, pair *out)
{
    random_corners(random, out, 1.0);
    random_poses(random, out);
}

static void make_grid(grz_random *random, pair *out)
{
    random_corners(random, out, 4.0);
    for (int i = 0; i < 6; i++)
    {
        for (int k = 0; k < 3; k++)
            out->corners[i][k] = floor(out->corners[i][k]);
    }
}

static void make_coplanar(grz_random *random, pair *out)
{
    random_corners(random, out, 1.0);
    for (int i = 0; i < 6; i++)
        out->corners[i][2] = 0.7;
    random_poses(random, out);
    out->poses[1] = out->poses[0];
}

/* Coplanar mated faces under different poses: B is rotated by a quarter turn about z and shifted. */
static void make_mated(grz_random *random, pair *out)
{
    random_corners(random, out, 1.0);
    for (int i = 0; i < 6; i++)
        out->corners[i][2] = 0.7;
    out->poses[0] = graze_pose_translation(uniform(random), uniform(random), 1.25);
    const graze_pose quarter = {{6.123233995736766e-17, -1, 0, 0.1, 1, 6.123233995736766e-17, 0, 0.2, 0, 0, 1, 1.25}};
    out->poses[1] = quarter;
}

static void measure(const kind *k, pair *pairs, grz_points *workspace)
{
    grz_random random = grz_random_make(20260101);
    for (int i = 0; i < PAIR_COUNT; i++)
        k->make(&random, &pairs[i]);
    uint64_t best = UINT64_MAX;
    long hits = 0;
    grz_filter_stats stages = {0, 0};
    for (int pass = 0; pass < PASS_COUNT; pass++)
    {
        hits = 0;
        stages = (grz_filter_stats){0, 0};
        uint64_t start = grz_clock_now();
        for (int i = 0; i < PAIR_COUNT; i++)
        {
            grz_points_start(workspace, &stages);
            for (int c = 0; c < 6; c++)
                grz_points_add(workspace, pairs[i].corners[c], k->posed ? &pairs[i].poses[c / 3] : NULL);
            hits += grz_triangle_triangle(workspace).found;
        }
        uint64_t time = grz_clock_now() - start;
        best = time < best ? time : best;
    }
    double signs = (double)(stages.filtered + stages.exact);
    printf("%-34s %8.1f %8.1f%% %10.2f %12.4f%%\n", k->name, (double)best / PAIR_COUNT,
           100.0 * (double)hits / PAIR_COUNT, signs / PAIR_COUNT, 100.0 * (double)stages.exact / signs);
}

int main(void)
{
    static const kind kinds[] = {
        {"generic, unposed", make_generic, false},
        {"generic, two rotations", make_generic, true},
        {"integer grid, unposed", make_grid, false},
        {"coplanar, unposed", make_coplanar, false},
        {"coplanar, one common rotation", make_coplanar, true},
        {"coplanar, different poses", make_mated, true},
    };
    pair *pairs = malloc(PAIR_COUNT * sizeof *pairs);
    grz_points *workspace = malloc(sizeof *workspace);
    bool ready = pairs != NULL && workspace != NULL;
    printf("Exact triangle pairs, best of %d passes over %d pairs\n\n", PASS_COUNT, PAIR_COUNT);
    printf("%-34s %8s %9s %10s %13s\n", "input", "ns/pair", "hits", "signs/pair", "exact signs");
    for (size_t i = 0; ready && i < sizeof kinds / sizeof kinds[0]; i++)
        measure(&kinds[i], pairs, workspace);
    free(pairs);
    free(workspace);
    return ready ? 0 : 1;
}
