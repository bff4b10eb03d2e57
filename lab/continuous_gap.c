/* SPDX-License-Identifier: MIT */
/*
 * Time against gap: two spheres of 98,000 triangles pass one another at ever smaller gaps, in one motion. Each gap is
 * proved clear here; peers that sample or advance are asked the same, in the same run.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "continuous.h"
#include "continuous_peers.h"
#include "graze/graze.h"
#include "plot.h"
#include "timing.h"
#include "workload.h"

enum
{
    GAPS = 7,
    REPEATS = 5,
    MOST_SERIES = 5
};

static const double gaps[GAPS] = {1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1};

typedef struct gap_run
{
    graze_mesh *mesh;
    graze_tree *tree;
    double times[MOST_SERIES][GAPS];
    lab_series series[MOST_SERIES];
    size_t series_count;
} gap_run;

/* From x = 3 to -3, with a small rotation; the way of the centre passes the other at the distance that leaves the gap.
 */
static void make_poses(double gap, graze_pose *start, graze_pose *end)
{
    double shift = 2 + gap;
    *start = (graze_pose){{0.8, -0.6, 0, 3, 0.6, 0.8, 0, 0.6 * shift, 0, 0, 1, 0.8 * shift}};
    *end = *start;
    end->m[3] = -3;
}

static lab_series *add_series(gap_run *run, const char *name)
{
    lab_series *series = &run->series[run->series_count];
    *series = (lab_series){.name = name, .x = gaps, .y = run->times[run->series_count], .count = GAPS};
    run->series_count++;
    return series;
}

static bool time_graze(gap_run *run)
{
    double *times = run->times[run->series_count];
    add_series(run, "Graze (proof)");
    for (int i = 0; i < GAPS; i++)
    {
        const graze_pose stand = graze_pose_identity();
        graze_pose start, end;
        graze_impact impact;
        graze_moving_mesh a = {.mesh = run->mesh, .tree = run->tree}, b = a;
        make_poses(gaps[i], &start, &end);
        if (graze_motion_still(&stand, &a.motion) != GRAZE_STATUS_OK ||
            graze_motion_between(&start, &end, GRAZE_MOTION_TURN, &b.motion, NULL) != GRAZE_STATUS_OK)
            return false;
        times[i] = INFINITY;
        for (int k = 0; k < REPEATS; k++)
        {
            double began = lab_cpu_now();
            if (graze_pair_impact(NULL, &a, &b, NULL, &impact) != GRAZE_STATUS_OK)
                return false;
            times[i] = fmin(times[i], lab_cpu_now() - began);
        }
        printf("%-24s gap %.0e %12.1f us%s\n", "Graze", gaps[i], times[i] * 1e-3,
               impact.verdict == GRAZE_IMPACT_NONE ? "" : ", an impact");
    }
    return true;
}

static void time_peer(gap_run *run, const lab_continuous_peer *peer)
{
    const graze_pose stand = graze_pose_identity();
    const lab_soup soup = lab_soup_of(run->mesh);
    void *pair = peer->create(&soup, &soup);
    if (pair == NULL || run->series_count == MOST_SERIES)
        return;
    double *times = run->times[run->series_count];
    add_series(run, peer->name);
    for (int i = 0; i < GAPS; i++)
    {
        graze_pose start, end;
        double t = 0, began = lab_cpu_now();
        make_poses(gaps[i], &start, &end);
        bool hit = peer->impact(pair, stand.m, stand.m, start.m, end.m, &t);
        times[i] = lab_cpu_now() - began;
        printf("%-24s gap %.0e %12.1f us%s\n", peer->name, gaps[i], times[i] * 1e-3, hit ? ", a false impact" : "");
    }
    peer->destroy(pair);
}

static void time_peers(gap_run *run)
{
    const lab_continuous_peer *const tables[] = {
#ifdef LAB_HAS_FCL
        lab_continuous_fcl,
#endif
        NULL};
    for (size_t i = 0; tables[i] != NULL; i++)
        for (const lab_continuous_peer *peer = tables[i]; peer->name != NULL; peer++)
            if (!peer->convex_only)
                time_peer(run, peer);
}

bool lab_continuous_gap(const char *svg)
{
    gap_run run = {0};
    bool done = graze_mesh_create_geodesic_sphere(NULL, 1, 70, &run.mesh) == GRAZE_STATUS_OK &&
                graze_tree_create(NULL, run.mesh, NULL, NULL, &run.tree) == GRAZE_STATUS_OK && time_graze(&run);
    if (done)
        time_peers(&run);
    const lab_plot plot = {.title = "Time against gap",
                           .subtitle =
                               "two spheres of 98,000 triangles pass one another; no impact is proved, or guessed",
                           .x_label = "gap, of a radius of 1 (fcl-naive looks at 100 poses)",
                           .log_x = true,
                           .series = run.series,
                           .series_count = run.series_count};
    done = done && lab_plot_write(&plot, svg);
    graze_tree_destroy(run.tree);
    graze_mesh_destroy(run.mesh);
    return done;
}
