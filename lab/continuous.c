/* SPDX-License-Identifier: MIT */
/*
 * W13, through time: the flights of W2 from pose to pose as turns, against the same flights asked pose by pose (with
 * the cache between frames, as `graze path` asks); and two bodies of about 100,000 triangles head-on, and in a near
 * miss.
 *
 * Every segment between two disjoint poses whose answer is "no impact" is compared with a dense sampling of the motion
 * (not timed); a segment whose ends differ must have an impact.
 */
#include "continuous.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "continuous_peers.h"
#include "graze/graze.h"
#include "run.h"
#include "timing.h"
#include "workload.h"

enum
{
    SAMPLES = 16,
    PASSES = 5,
    QUICK_PASSES = 2,
    MOST_PEERS = 4
};

static const double peer_ns = 2e9; /* that a peer may take for a workload */

/* How a peer answers the same segments, as many of them as fit into its time. */
typedef struct peer_row
{
    const char *name;
    size_t segments, missed, false_hits, off; /* off: a right verdict with a time more than 1e-3 off */
    double ns;
} peer_row;

typedef struct continuous_row
{
    const char *name;
    size_t segments, impacts, wrong;
    double discrete_ns, continuous_ns; /* a pose, a segment */
    graze_impact_stats stats;
    peer_row peers[MOST_PEERS];
    size_t peer_count;
} continuous_row;

/* One flight with its trees and motions. */
typedef struct flight
{
    lab_case path;
    graze_tree *trees[2];
    graze_motion *motions[2];
    graze_impact *impacts;
    size_t segments;
} flight;

static void clear_flight(flight *f)
{
    for (int side = 0; side < 2; side++)
    {
        graze_tree_destroy(f->trees[side]);
        free(f->motions[side]);
    }
    free(f->impacts);
    lab_case_clear(&f->path);
}

static bool between(const graze_pose *start, const graze_pose *end, graze_motion *out)
{
    return memcmp(start, end, sizeof *start) == 0
               ? graze_motion_still(start, out) == GRAZE_STATUS_OK
               : graze_motion_between(start, end, GRAZE_MOTION_TURN, out, NULL) == GRAZE_STATUS_OK;
}

static bool open_flight(flight *f)
{
    f->segments = f->path.count - 1;
    f->impacts = calloc(f->path.count, sizeof *f->impacts);
    for (int side = 0; side < 2; side++)
    {
        const graze_mesh *mesh = side == 0 ? f->path.a : f->path.b;
        const graze_pose *poses = side == 0 ? f->path.poses_a : f->path.poses_b;
        f->motions[side] = calloc(f->path.count, sizeof *f->motions[side]);
        if (f->motions[side] == NULL || graze_tree_create(NULL, mesh, NULL, NULL, &f->trees[side]) != GRAZE_STATUS_OK)
            return false;
        for (size_t i = 0; i < f->segments; i++)
            if (!between(&poses[i], &poses[i + 1], &f->motions[side][i]))
                return false;
    }
    return f->impacts != NULL;
}

static bool meets(const flight *f, const graze_pose *a, const graze_pose *b, graze_pair_cache *cache)
{
    const graze_placed_mesh placed[2] = {{f->path.a, f->trees[0], *a}, {f->path.b, f->trees[1], *b}};
    graze_any_options options = graze_any_options_default();
    options.cache = cache;
    bool found = false;
    return graze_pair_any(NULL, &placed[0], &placed[1], &options, &found, NULL) == GRAZE_STATUS_OK && found;
}

/* Segments whose answer a sampling of the motion contradicts. */
static size_t count_wrong(const flight *f)
{
    size_t wrong = 0;
    for (size_t i = 0; i < f->segments; i++)
    {
        bool hit = false;
        for (int k = 0; k <= SAMPLES && !hit; k++)
        {
            graze_pose poses[2];
            for (int side = 0; side < 2; side++)
                if (graze_motion_pose(&f->motions[side][i], (double)k / SAMPLES, &poses[side], NULL) != GRAZE_STATUS_OK)
                    return f->segments;
            hit = meets(f, &poses[0], &poses[1], NULL);
        }
        /* A sampled hit proves one up to rounding of the pose; a sampled miss proves nothing. */
        wrong += hit && f->impacts[i].verdict != GRAZE_IMPACT_AT;
    }
    return wrong;
}

static bool measure(flight *f, int passes, continuous_row *row)
{
    const graze_moving_mesh a = {f->path.a, NULL, f->trees[0], f->motions[0][0]};
    const graze_moving_mesh b = {f->path.b, NULL, f->trees[1], f->motions[1][0]};
    graze_impact_options options = graze_impact_options_default();
    options.stats = &row->stats;
    row->discrete_ns = row->continuous_ns = 1e300;
    for (int pass = 0; pass < passes; pass++)
    {
        graze_pair_cache cache = graze_pair_cache_default();
        double start = lab_cpu_now();
        for (size_t i = 0; i < f->path.count; i++)
            meets(f, &f->path.poses_a[i], &f->path.poses_b[i], &cache);
        double taken = (lab_cpu_now() - start) / (double)f->path.count;
        row->discrete_ns = taken < row->discrete_ns ? taken : row->discrete_ns;
        start = lab_cpu_now();
        if (graze_track(NULL, &a, &b, f->motions[0], f->motions[1], f->segments, &options, f->impacts) !=
            GRAZE_STATUS_OK)
            return false;
        taken = (lab_cpu_now() - start) / (double)f->segments;
        row->continuous_ns = taken < row->continuous_ns ? taken : row->continuous_ns;
    }
    row->segments = f->segments;
    for (size_t i = 0; i < f->segments; i++)
        row->impacts += f->impacts[i].verdict == GRAZE_IMPACT_AT;
    row->wrong = count_wrong(f);
    return true;
}

static void ask_peer(const flight *f, const lab_continuous_peer *peer, continuous_row *row)
{
    lab_soup a = lab_soup_of(f->path.a), b = lab_soup_of(f->path.b);
    void *pair = peer->create(&a, &b);
    peer_row *p = &row->peers[row->peer_count++];
    *p = (peer_row){.name = peer->name};
    if (pair == NULL)
        return;
    double start = lab_cpu_now(), taken = 0;
    for (size_t i = 0; i < f->segments && taken < peer_ns; i++)
    {
        double t = 0;
        bool hit = peer->impact(pair, f->path.poses_a[i].m, f->path.poses_a[i + 1].m, f->path.poses_b[i].m,
                                f->path.poses_b[i + 1].m, &t);
        const graze_impact *truth = &f->impacts[i];
        bool really = truth->verdict == GRAZE_IMPACT_AT;
        p->missed += really && !hit;
        p->false_hits += hit && !really;
        p->off += hit && really && (t < truth->lower - 1e-3 || t > truth->upper + 1e-3);
        p->segments++;
        taken = lab_cpu_now() - start;
    }
    p->ns = taken / (double)p->segments;
    peer->destroy(pair);
}

static void ask_peers(const flight *f, bool convex, continuous_row *row)
{
    const lab_continuous_peer *const tables[] = {
#ifdef LAB_HAS_FCL
        lab_continuous_fcl,
#endif
#ifdef LAB_HAS_BULLET
        lab_continuous_bullet,
#endif
        NULL};
    for (size_t i = 0; tables[i] != NULL; i++)
        for (const lab_continuous_peer *peer = tables[i]; peer->name != NULL; peer++)
            if ((convex || !peer->convex_only) && row->peer_count < MOST_PEERS)
                ask_peer(f, peer, row);
}

static bool run_flight(const lab_workload *workload, bool quick, continuous_row *row)
{
    flight f = {0};
    *row = (continuous_row){.name = workload->name};
    bool done = workload->make(workload, quick, &f.path) && open_flight(&f);
    done = done && measure(&f, quick ? QUICK_PASSES : PASSES, row);
    if (done)
        ask_peers(&f, false, row);
    clear_flight(&f);
    return done;
}

/* Convex bodies that fly past each other: from place to place with a small rotation. */
static bool run_hulls(const char *name, uint32_t frequency, int passes, continuous_row *row)
{
    enum
    {
        COUNT = 1000
    };
    flight f = {0};
    *row = (continuous_row){.name = name};
    bool done = graze_mesh_create_geodesic_sphere(NULL, 0.5, frequency, &f.path.a) == GRAZE_STATUS_OK &&
                graze_mesh_create_geodesic_sphere(NULL, 0.5, frequency, &f.path.b) == GRAZE_STATUS_OK &&
                lab_case_poses(&f.path, COUNT);
    grz_random random = grz_random_make(13);
    for (size_t i = 0; done && i < COUNT; i++)
    {
        double angle = grz_random_between(&random, -0.1, 0.1), c = cos(angle), s = sin(angle);
        double x = i % 2 == 0 ? -2 : 2;
        f.path.poses_b[i] = (graze_pose){{c, -s, 0, x, s, c, 0, grz_random_between(&random, -1.5, 1.5), 0, 0, 1,
                                          grz_random_between(&random, -1.5, 1.5)}};
    }
    done = done && open_flight(&f) && measure(&f, passes, row);
    if (done)
        ask_peers(&f, true, row);
    clear_flight(&f);
    return done;
}

/* Two bodies of 98,000 triangles that fly past each other or into each other: tori that turn, whose planes are `shift`
   apart; or spheres of radius 1 whose ways are. */
static bool run_pass(const char *name, bool spheres, double shift, int passes, continuous_row *row)
{
    flight f = {0};
    *row = (continuous_row){.name = name};
    bool done = lab_case_poses(&f.path, 2);
    for (int side = 0; done && side < 2; side++)
    {
        graze_mesh **mesh = side == 0 ? &f.path.a : &f.path.b;
        done = (spheres ? graze_mesh_create_geodesic_sphere(NULL, 1, 70, mesh)
                        : graze_mesh_create_torus(NULL, 1, 0.3, 350, 140, mesh)) == GRAZE_STATUS_OK;
    }
    if (done)
    {
        f.path.poses_b[0] = f.path.poses_b[1] = (graze_pose){{0.8, -0.6, 0, 3, 0.6, 0.8, 0, 0.1, 0, 0, 1, shift}};
        f.path.poses_b[1].m[3] = -3;
        if (spheres)
            for (int i = 0; i < 2; i++)
            {
                f.path.poses_b[i].m[7] = 0.6 * shift;
                f.path.poses_b[i].m[11] = 0.8 * shift;
            }
    }
    done = done && open_flight(&f) && measure(&f, passes, row);
    if (done)
        ask_peers(&f, false, row);
    clear_flight(&f);
    return done;
}

static void print_row(const continuous_row *row)
{
    printf("%-18s %8zu %8zu %6zu %12.2f %14.2f %8.1f %10.1f %8.1f %8.1f\n", row->name, row->segments, row->impacts,
           row->wrong, row->discrete_ns * 1e-3, row->continuous_ns * 1e-3, row->continuous_ns / row->discrete_ns,
           (double)row->stats.box_tests / (double)row->segments, (double)row->stats.intervals / (double)row->segments,
           (double)row->stats.triangle_tests / (double)row->segments);
    for (size_t i = 0; i < row->peer_count; i++)
    {
        const peer_row *p = &row->peers[i];
        printf("  %-16s %8zu  missed %zu, false %zu, time off %zu %17.2f %8.1fx\n", p->name, p->segments, p->missed,
               p->false_hits, p->off, p->ns * 1e-3, p->ns / row->continuous_ns);
    }
}

static bool write_rows(const char *path, const continuous_row *rows, size_t count)
{
    FILE *out = fopen(path, "w");
    if (out == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
    {
        fprintf(out,
                "%s\n{\"name\":\"%s\",\"segments\":%zu,\"impacts\":%zu,\"wrong\":%zu,\"discrete_ns\":%.1f,"
                "\"continuous_ns\":%.1f,\"peers\":[",
                i == 0 ? "[" : ",", rows[i].name, rows[i].segments, rows[i].impacts, rows[i].wrong, rows[i].discrete_ns,
                rows[i].continuous_ns);
        for (size_t k = 0; k < rows[i].peer_count; k++)
        {
            const peer_row *p = &rows[i].peers[k];
            fprintf(out, "%s{\"name\":\"%s\",\"segments\":%zu,\"missed\":%zu,\"false\":%zu,\"off\":%zu,\"ns\":%.1f}",
                    k == 0 ? "" : ",", p->name, p->segments, p->missed, p->false_hits, p->off, p->ns);
        }
        fputs("]}", out);
    }
    fputs("\n]\n", out);
    return fclose(out) == 0;
}

static const struct
{
    const char *name;
    bool spheres;
    double shift;
} passes_by[] = {{"pass/head-on", false, 0.05}, {"pass/near-miss", true, 2.001}};

static const struct
{
    const char *name;
    uint32_t frequency;
} hulls[] = {{"hulls/12", 1}, {"hulls/42", 2}, {"hulls/162", 4}};

static bool is_wanted(const char *only, const char *name)
{
    return only == NULL || lab_matches(only, name);
}

int lab_continuous(int argument_count, char **arguments)
{
    bool quick = false, done = true, methods = false;
    const char *json = NULL, *only = NULL, *plot = NULL;
    for (int i = 0; i < argument_count; i++)
    {
        if (strcmp(arguments[i], "--quick") == 0)
            quick = true;
        else if (strcmp(arguments[i], "--methods") == 0)
            methods = true;
        else if (strcmp(arguments[i], "--json") == 0 && i + 1 < argument_count)
            json = arguments[++i];
        else if (strcmp(arguments[i], "--plot") == 0 && i + 1 < argument_count)
            plot = arguments[++i];
        else if (arguments[i][0] != '-' && only == NULL)
            only = arguments[i];
        else
        {
            fprintf(stderr,
                    "graze-lab: continuous [WORKLOAD] [--quick] [--json FILE] | --methods [--quick] | --plot FILE.svg, "
                    "not %s\n",
                    arguments[i]);
            return 2;
        }
    }
    if (plot != NULL)
        return lab_continuous_gap(plot) ? 0 : 1;
    if (methods)
        return lab_continuous_methods(quick) ? 0 : 1;
    continuous_row rows[16];
    size_t count = 0;
    printf("%-18s %8s %8s %6s %12s %14s %8s %10s %8s %8s\n", "workload", "segments", "impacts", "wrong", "us a pose",
           "us a segment", "ratio", "boxes", "frames", "pairs");
    for (const lab_workload *w = lab_flights; w->name != NULL && count < 14; w++)
    {
        if (!is_wanted(only, w->name))
            continue;
        done = run_flight(w, quick, &rows[count]) && done;
        print_row(&rows[count++]);
    }
    int passes = quick ? QUICK_PASSES : 4 * PASSES;
    for (size_t i = 0; i < sizeof passes_by / sizeof passes_by[0]; i++)
    {
        if (!is_wanted(only, passes_by[i].name))
            continue;
        done = run_pass(passes_by[i].name, passes_by[i].spheres, passes_by[i].shift, passes, &rows[count]) && done;
        print_row(&rows[count++]);
    }
    for (size_t i = 0; i < sizeof hulls / sizeof hulls[0]; i++)
    {
        if (!is_wanted(only, hulls[i].name))
            continue;
        done = run_hulls(hulls[i].name, hulls[i].frequency, passes, &rows[count]) && done;
        print_row(&rows[count++]);
    }
    for (size_t i = 0; i < count; i++)
        done = done && rows[i].wrong == 0;
    if (json != NULL)
        done = write_rows(json, rows, count) && done;
    return done ? 0 : 1;
}
