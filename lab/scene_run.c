/* SPDX-License-Identifier: MIT */
/*
 * Runs a scene workload: the exact pairs of the first frames, then for each engine agreement in those frames, which
 * also warms it up, and the time of the frames that follow.
 *
 * A pass is a number of frames; the best pass counts, by its mean. Frames are timed one by one, since the next one is
 * generated in between: as in a program, the moved data is in the cache.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "scene_workload.h"

enum
{
    FRAMES_OF_A_PASS = 120,
    LEAST_FRAMES = 4, /* of a pass, where all would take longer than PASS_BUDGETS times the limit of a pass */
    PASS_BUDGETS = 20,
    CHECKED_FRAMES = 30,
    LEAST_CHECKED = 12,  /* more frames than fat AABBs stay unchanged */
    MOST_FRAMES = 100000 /* whose times are stored */
};

typedef struct scene_run
{
    const lab_scene_workload *workload;
    const lab_options *options;
    lab_report *report;
    lab_scene scene;
    lab_pairs exact[CHECKED_FRAMES]; /* of frame 1, 2, ... */
    size_t checked;
} scene_run;

/* Stops when the time is up, but not before the first few frames. */
static bool find_exact(scene_run *r)
{
    double start = lab_cpu_now(), limit = 3 * lab_pass_budget(r->options);
    for (r->checked = 0; r->checked < CHECKED_FRAMES; r->checked++)
    {
        if (r->checked >= LEAST_CHECKED && lab_cpu_now() - start > limit)
            break;
        lab_pairs *pairs = &r->exact[r->checked];
        if (!r->scene.next(&r->scene) || !r->scene.exact(&r->scene, pairs))
            return false;
        lab_pairs_sort(pairs);
    }
    return true;
}

static double now(const lab_scene_peer *peer)
{
    return peer->has_threads ? (double)grz_clock_now() : lab_cpu_now();
}

/* The minimal time of reading the clock twice: frames of a few boxes take little more. */
static double find_clock_ns(const lab_scene_peer *peer)
{
    double least = INFINITY;
    for (int i = 0; i < 200; i++)
    {
        double start = now(peer);
        least = fmin(least, now(peer) - start);
    }
    return least;
}

/* Whether a sorted list contains a pair. */
static bool contains_pair(const lab_pairs *pairs, lab_pair wanted)
{
    size_t first = 0, last = pairs->count;
    while (first < last)
    {
        size_t middle = first + (last - first) / 2;
        lab_pair pair = pairs->data[middle];
        if (pair.a == wanted.a && pair.b == wanted.b)
            return true;
        if (pair.a < wanted.a || (pair.a == wanted.a && pair.b < wanted.b))
            first = middle + 1;
        else
            last = middle;
    }
    return false;
}

static lab_pair objects_of(lab_pair pair, size_t most_triangles)
{
    return (lab_pair){(uint32_t)(pair.a / most_triangles), (uint32_t)(pair.b / most_triangles)};
}

/* Whether two objects collide and no pair of them is reported; if triangle pairs are asked for, any one of theirs
 * suffices. */
static bool misses_objects(const lab_pairs *exact, const lab_pairs *found, size_t most_triangles, bool misses_pairs)
{
    if (most_triangles == 0 || !misses_pairs)
        return misses_pairs;
    lab_pairs named = {0};
    lab_pair last = {UINT32_MAX, UINT32_MAX};
    bool misses = false;
    for (size_t i = 0; i < found->count; i++)
    {
        lab_pair pair = objects_of(found->data[i], most_triangles);
        misses = misses || !lab_pairs_push(&named, pair.a, pair.b);
    }
    lab_pairs_sort(&named);
    for (size_t i = 0; i < exact->count && !misses; i++)
    {
        lab_pair pair = objects_of(exact->data[i], most_triangles);
        if (pair.a == last.a && pair.b == last.b)
            continue;
        last = pair;
        misses = !contains_pair(&named, pair);
    }
    free(named.data);
    return misses;
}

/* Compares in the frames whose exact pairs are known, unless that takes too long. Returns the time of one frame. */
static bool check(scene_run *r, const lab_scene_peer *peer, void *world, lab_agreement *agreement, double *out_ns)
{
    lab_pairs pairs = {0};
    double used = 0;
    size_t least = lab_scene_role(peer) == LAB_PEER ? 2 : LEAST_CHECKED;
    for (size_t i = 0; i < r->checked && (i < least || used < 10 * lab_pass_budget(r->options)); i++)
    {
        if (!r->scene.next(&r->scene))
            return false;
        lab_agreement before = *agreement;
        pairs.count = 0;
        lab_tally tally = {.list = &pairs};
        double start = now(peer);
        peer->frame(world, &r->scene.view, &tally);
        used += now(peer) - start;
        lab_pairs_sort(&pairs);
        lab_pairs_compare(&r->exact[i], &pairs, agreement);
        agreement->checked++;
        agreement->hits += pairs.count > 0;
        agreement->pairs += pairs.count;
        agreement->wrong += agreement->missing != before.missing || agreement->extra != before.extra;
        agreement->misjudged +=
            misses_objects(&r->exact[i], &pairs, r->scene.view.most_triangles, agreement->missing != before.missing);
    }
    free(pairs.data);
    *out_ns = used / (double)agreement->checked;
    return true;
}

/* `each` receives the time of every frame, up to its capacity. */
static bool time_pass(scene_run *r, const lab_scene_peer *peer, void *world, lab_times *times, double *each,
                      size_t *each_count)
{
    double sum = 0, clock_ns = find_clock_ns(peer);
    for (size_t i = 0; i < times->poses; i++)
    {
        if (!r->scene.next(&r->scene))
            return false;
        lab_tally tally = {0};
        double start = now(peer);
        peer->frame(world, &r->scene.view, &tally);
        double ns = fmax(1, now(peer) - start - clock_ns);
        sum += ns;
        if (*each_count < MOST_FRAMES)
            each[(*each_count)++] = ns;
    }
    times->ns_per_query = fmin(times->ns_per_query, sum / (double)times->poses);
    times->passes++;
    return true;
}

/* At least two passes, or one where frames take very long. */
static bool time_frames(scene_run *r, const lab_scene_peer *peer, void *world, double estimate, lab_times *times)
{
    double budget = lab_pass_budget(r->options), used = 0, start = lab_cpu_now();
    double wanted = r->scene.period != 0 ? (double)r->scene.period : FRAMES_OF_A_PASS;
    double frames = fmin(wanted, fmax(LEAST_FRAMES, PASS_BUDGETS * budget / fmax(estimate, 1)));
    *times = (lab_times){.stride = 1, .poses = (size_t)frames, .ns_per_query = INFINITY};
    double *each = malloc(MOST_FRAMES * sizeof *each);
    size_t each_count = 0;
    bool done = each != NULL;
    while (done && (used < 2 * budget || (times->passes < 2 && used < 4 * budget)))
    {
        done = time_pass(r, peer, world, times, each, &each_count);
        used = lab_cpu_now() - start;
    }
    if (done)
        lab_times_summarize(times, each, each_count);
    free(each);
    return done;
}

static bool run_engine(scene_run *r, const lab_scene_peer *peer)
{
    const lab_scene_view *view = &r->scene.view;
    lab_row row = {.what = r->workload->what,
                   .value = r->workload->value,
                   .question = LAB_FRAME,
                   .engine = peer->name,
                   .role = lab_scene_role(peer),
                   .things = view->count,
                   .movers = view->mover_count,
                   .swept = r->checked};
    snprintf(row.name, sizeof row.name, "%s", r->workload->name);
    if (!r->scene.rewind(&r->scene))
        return false;
    double bytes = lab_held_bytes(), start = lab_cpu_now(), estimate;
    void *world = peer->create(view, peer->variant);
    row.build_ns = lab_cpu_now() - start;
    bool done = world != NULL && check(r, peer, world, &row.agreement, &estimate);
    row.bytes_per_thing = (lab_held_bytes() - bytes) / (double)view->count;
    done = done && time_frames(r, peer, world, estimate, &row.times);
    row.ns = row.times.ns_per_query + (r->workload->once ? row.build_ns : 0);
    if (world != NULL)
        peer->destroy(world);
    return done && lab_report_add(r->report, &row);
}

/* Chosen from runs with all of them. */
static bool is_contender(const lab_scene_peer *peer)
{
    return lab_is_among("embree-*,bullet-tree,bullet-sweep,cgal-boxes,fcl-tree,fcl-scene,fcl-native-scene,"
                        "fcl-assembly,fcl-native-assembly,bullet-primitives,fcl-primitives,ode-primitives",
                        peer->name);
}

/* Graze's variants take part unless peers are chosen by name; then they must be named, too. */
static bool is_wanted(const lab_scene_peer *peer, const scene_run *r)
{
    const char *peers = r->options->peers != NULL ? r->options->peers : r->options->quick ? "contenders" : "all";
    if (peer->takes_meshes != (r->scene.view.soups != NULL) ||
        peer->names_triangles != (r->scene.view.most_triangles != 0) ||
        peer->takes_primitives != (r->scene.view.primitives != NULL))
        return false;
    bool by_name = !lab_is_among("all,contenders,none", peers);
    lab_role role = lab_scene_role(peer);
    if (role == LAB_GRAZE || (role == LAB_VARIANT && !by_name))
        return true;
    if (role == LAB_PEER && r->workload->ours_only)
        return false;
    if (strcmp(peers, "contenders") == 0)
        return is_contender(peer);
    return strcmp(peers, "all") == 0 || lab_is_among(peers, peer->name);
}

static bool run_all(scene_run *r)
{
    const lab_scene_peer *peer;
    for (size_t i = 0; (peer = lab_scene_peer_at(i)) != NULL; i++)
    {
        if (!is_wanted(peer, r))
            continue;
        if (peer->most != 0 && r->scene.view.count > peer->most)
            printf("\n%s: %s is left out, as it takes minutes", r->workload->name, peer->name);
        else if (!run_engine(r, peer))
        {
            fprintf(stderr, "graze-lab: %s failed on %s\n", peer->name, r->workload->name);
            if (lab_scene_role(peer) == LAB_GRAZE)
                return false;
        }
    }
    return true;
}

/* Graze's variants with several threads against the one without, if both are wanted. */
static bool compare_threads(scene_run *r)
{
    const lab_scene_peer *peer, *one = NULL;
    bool done = true;
    for (size_t i = 0; (peer = lab_scene_peer_at(i)) != NULL && done; i++)
    {
        if (!is_wanted(peer, r))
            continue;
        if (lab_scene_role(peer) == LAB_GRAZE)
            one = peer;
        else if (peer->has_threads && lab_scene_role(peer) == LAB_VARIANT && one != NULL)
            done = lab_compare_threads(&r->scene, one, peer, 2 * lab_pass_budget(r->options));
    }
    return done;
}

bool lab_run_scene(const lab_scene_workload *workload, const lab_options *options, lab_report *report)
{
    scene_run r = {.workload = workload, .options = options, .report = report};
    bool done = workload->make(workload, &r.scene) && find_exact(&r);
    if (!done)
        fprintf(stderr, "graze-lab: %s could not be made\n", workload->name);
    done = done && run_all(&r);
    if (done)
        lab_report_print_workload(report, workload->name);
    done = done && compare_threads(&r);
    for (size_t i = 0; i < CHECKED_FRAMES; i++)
        free(r.exact[i].data);
    if (r.scene.clear != NULL)
        r.scene.clear(&r.scene);
    return done;
}
