/* SPDX-License-Identifier: MIT */
/*
 * Graze's scene with several threads against one. Both run the same frames in turn, pass by pass, timed by the wall
 * clock; of each frame the least time of each counts, so that a slow period of the machine affects both.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "scene_workload.h"

enum
{
    LEAST_PASSES = 4,
    FIRST_FRAMES = 4 /* of a pass: objects jump there from their last positions */
};

/* One pass; `least` holds the times of its frames, from the second pass on the minimum so far. */
static bool time_pass(lab_scene *scene, const lab_scene_peer *peer, void *world, bool is_first, double *least)
{
    if (!scene->rewind(scene))
        return false;
    for (size_t i = 0; i < scene->period; i++)
    {
        if (!scene->next(scene))
            return false;
        lab_tally tally = {0};
        uint64_t start = grz_clock_now();
        peer->frame(world, &scene->view, &tally);
        double ns = (double)(grz_clock_now() - start);
        least[i] = is_first ? ns : fmin(least[i], ns);
    }
    return true;
}

static double mean(const double *least, size_t count)
{
    double sum = 0;
    for (size_t i = FIRST_FRAMES; i < count; i++)
        sum += least[i];
    return sum / (double)(count - FIRST_FRAMES);
}

static bool compare(lab_scene *scene, const lab_scene_peer *peers[2], void *worlds[2], double *least[2], double budget)
{
    double start = (double)grz_clock_now();
    size_t passes = 0;
    for (; passes < LEAST_PASSES || (double)grz_clock_now() - start < budget; passes++)
        for (int k = 0; k < 2; k++)
            if (!time_pass(scene, peers[k], worlds[k], passes == 0, least[k]))
                return false;
    double one = mean(least[0], scene->period), more = mean(least[1], scene->period);
    char one_text[16], more_text[16];
    printf("  %s in turn with %s, %zu passes, each frame at its best on the wall: %s and %s, %.2f times as fast\n",
           peers[1]->name, peers[0]->name, passes, lab_print_time(one, one_text), lab_print_time(more, more_text),
           one / more);
    return true;
}

bool lab_compare_threads(lab_scene *scene, const lab_scene_peer *one, const lab_scene_peer *more, double budget)
{
    if (scene->period <= FIRST_FRAMES)
        return true;
    const lab_scene_peer *peers[2] = {one, more};
    double *least[2] = {calloc(scene->period, sizeof(double)), calloc(scene->period, sizeof(double))};
    void *worlds[2] = {NULL, NULL};
    bool done = least[0] != NULL && least[1] != NULL && scene->rewind(scene);
    for (int k = 0; k < 2 && done; k++)
    {
        worlds[k] = peers[k]->create(&scene->view, peers[k]->variant);
        done = worlds[k] != NULL;
    }
    done = done && compare(scene, peers, worlds, least, budget);
    for (int k = 0; k < 2; k++)
    {
        if (worlds[k] != NULL)
            peers[k]->destroy(worlds[k]);
        free(least[k]);
    }
    return done;
}
