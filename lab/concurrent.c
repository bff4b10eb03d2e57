/* SPDX-License-Identifier: MIT */
/*
 * The concurrent detector under full load: an application that moves 1,000 objects in every frame, publishes the poses
 * and takes reports, 10,000 frames without a pause, while the detector updates as fast as it can. Measured is the wall
 * time of each of the application's calls: none may wait for the detector.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/random.h"
#include "concurrent.h"
#include "graze/graze.h"

enum
{
    OBJECTS = 1000,
    FRAMES = 10000,
    QUICK_FRAMES = 2000
};

/* Times of one kind of call. */
typedef struct call_times
{
    const char *name;
    uint32_t *ns;
    size_t count;
} call_times;

typedef struct flight
{
    graze_mesh *mesh;
    graze_scene *scene;
    graze_object objects[OBJECTS];
    double positions[OBJECTS][3], velocities[OBJECTS][3], side;
    uint64_t reports, events, commits_seen;
} flight;

static bool take_off(flight *f)
{
    grz_random random = grz_random_make(61);
    f->side = 1.3 * cbrt(OBJECTS);
    if (graze_mesh_create_geodesic_sphere(NULL, 0.5, 8, &f->mesh) != GRAZE_STATUS_OK ||
        graze_scene_create(NULL, NULL, &f->scene) != GRAZE_STATUS_OK)
        return false;
    for (size_t i = 0; i < OBJECTS; i++)
    {
        for (int axis = 0; axis < 3; axis++)
        {
            f->positions[i][axis] = grz_random_between(&random, 0, f->side);
            f->velocities[i][axis] = grz_random_between(&random, -0.02, 0.02);
        }
        graze_object_def def = graze_object_def_default();
        def.mesh = f->mesh;
        def.pose = graze_pose_translation(f->positions[i][0], f->positions[i][1], f->positions[i][2]);
        if (graze_scene_add(f->scene, &def, &f->objects[i]) != GRAZE_STATUS_OK)
            return false;
    }
    return true;
}

static graze_pose fly_on(flight *f, size_t i)
{
    for (int axis = 0; axis < 3; axis++)
    {
        f->positions[i][axis] += f->velocities[i][axis];
        if (f->positions[i][axis] < 0 || f->positions[i][axis] > f->side)
            f->velocities[i][axis] = -f->velocities[i][axis];
    }
    return graze_pose_translation(f->positions[i][0], f->positions[i][1], f->positions[i][2]);
}

static void note(call_times *times, uint64_t begin)
{
    times->ns[times->count++] = (uint32_t)(grz_clock_now() - begin);
}

static bool fly(flight *f, size_t frames, call_times times[3])
{
    graze_detector *detector;
    if (graze_detector_create(NULL, f->scene, NULL, &detector) != GRAZE_STATUS_OK)
        return false;
    for (size_t frame = 0; frame < frames; frame++)
    {
        for (size_t i = 0; i < OBJECTS; i++)
        {
            graze_pose pose = fly_on(f, i);
            uint64_t begin = grz_clock_now();
            graze_detector_move(detector, f->objects[i], &pose);
            note(&times[0], begin);
        }
        uint64_t begin = grz_clock_now();
        graze_detector_commit(detector);
        note(&times[1], begin);
        begin = grz_clock_now();
        graze_report *report = graze_detector_take(detector);
        note(&times[2], begin);
        for (; report != NULL; report = graze_detector_take(detector))
        {
            f->reports++;
            f->events += graze_report_frame(report)->event_count;
            f->commits_seen = graze_report_commit(report);
            graze_report_destroy(report);
        }
    }
    graze_detector_destroy(detector);
    return true;
}

static int compare(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static double share_within(const call_times *times, uint32_t ns)
{
    size_t within = times->count;
    while (within > 0 && times->ns[within - 1] >= ns)
        within--;
    return (double)within / (double)times->count;
}

static void print_times(call_times *times, FILE *json, bool last)
{
    qsort(times->ns, times->count, sizeof *times->ns, compare);
    size_t count = times->count;
    uint32_t median = times->ns[count / 2], p99 = times->ns[count - 1 - count / 100];
    uint32_t p999 = times->ns[count - 1 - count / 1000], most = times->ns[count - 1];
    double within = share_within(times, 20000);
    printf("  %-8s %10zu calls   median %7.3f us   99 %% %7.3f us   99.9 %% %7.3f us   most %9.1f us   under 20 us: "
           "%.4f %%\n",
           times->name, count, 1e-3 * median, 1e-3 * p99, 1e-3 * p999, 1e-3 * most, 100 * within);
    if (json != NULL)
        fprintf(json,
                "  {\"workload\": \"concurrent/%d\", \"engine\": \"graze\", \"call\": \"%s\", \"calls\": %zu, "
                "\"median_ns\": %u, "
                "\"p99_ns\": %u, \"p999_ns\": %u, \"most_ns\": %u, \"share_under_20_us\": %.6f}%s\n",
                OBJECTS, times->name, count, median, p99, p999, most, within, last ? "" : ",");
}

int lab_concurrent(bool quick, const char *json_path)
{
    size_t frames = quick ? QUICK_FRAMES : FRAMES;
    call_times times[3] = {{.name = "move"}, {.name = "commit"}, {.name = "take"}};
    flight *f = calloc(1, sizeof *f);
    bool done = f != NULL && take_off(f);
    for (int i = 0; i < 3; i++)
    {
        times[i].ns = calloc(i == 0 ? frames * OBJECTS : frames, sizeof *times[i].ns);
        done = done && times[i].ns != NULL;
    }
    FILE *json = done && json_path != NULL ? fopen(json_path, "w") : NULL;
    done = done && (json_path == NULL || json != NULL) && fly(f, frames, times);
    if (done)
    {
        printf("concurrent/%d: %zu frames of the application; the detector made %llu reports, with %llu events\n",
               OBJECTS, frames, (unsigned long long)f->reports, (unsigned long long)f->events);
        if (json != NULL)
            fprintf(json, "[\n");
        for (int i = 0; i < 3; i++)
            print_times(&times[i], json, i == 2);
        if (json != NULL)
            fprintf(json, "]\n");
    }
    else
        fprintf(stderr, "graze-lab: the concurrent run failed\n");
    if (json != NULL && fclose(json) != 0)
        done = false;
    for (int i = 0; i < 3; i++)
        free(times[i].ns);
    if (f != NULL)
    {
        graze_scene_destroy(f->scene);
        graze_mesh_destroy(f->mesh);
    }
    free(f);
    return done ? 0 : 1;
}
