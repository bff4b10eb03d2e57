/* SPDX-License-Identifier: MIT */
/*
 * W4: many boxes in a cage, over their number, density and moving share.
 *
 * Sides are between 0.5 and 1.5, 1 on average. Two boxes overlap along an axis when their centres are nearer than half
 * the sum of their sides, so in a cage of side L, away from its walls, two boxes overlap with probability (2/L)^3, and
 * each of n overlaps 8 n / L^3 others: L follows from the wanted number. (At the walls there are fewer.) Which boxes
 * have which numbers is random. Moving boxes go straight on, each at a speed of its own up to 2.5 % of the mean side
 * per frame, and are reflected where their centre leaves the cage.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene_workload.h"

static const double least_side = 0.5, most_side = 1.5, most_speed = 0.025;

enum
{
    SEED = 4004
};

typedef struct boxes
{
    const lab_scene_workload *workload;
    double side; /* of the cage */
    grz_random random;
    double *all;     /* current; six doubles each */
    double *first;   /* the same before the first frame */
    double *moved;   /* of the moving ones; `all` if all move */
    double *centres; /* of the moving ones, as are the next two; three doubles each */
    double *halves, *velocities;
    uint32_t *movers;
} boxes;

static void put(const double centre[3], const double half[3], double box[6])
{
    for (int k = 0; k < 3; k++)
    {
        box[k] = centre[k] - half[k];
        box[3 + k] = centre[k] + half[k];
    }
}

static void take_velocity(grz_random *random, double out[3])
{
    double speed = grz_random_between(random, 0, most_speed);
    lab_random_direction(random, out);
    for (int k = 0; k < 3; k++)
        out[k] *= speed;
}

/* Generated from the seed, so that it is always the same. */
static bool rewind_boxes(lab_scene *scene)
{
    boxes *b = scene->state;
    b->random = grz_random_make(SEED);
    size_t next = 0;
    for (size_t i = 0; i < scene->view.count; i++)
    {
        double centre[3], half[3], velocity[3];
        for (int k = 0; k < 3; k++)
        {
            centre[k] = grz_random_between(&b->random, 0, b->side);
            half[k] = 0.5 * grz_random_between(&b->random, least_side, most_side);
        }
        take_velocity(&b->random, velocity);
        put(centre, half, b->first + 6 * i);
        if (next == scene->view.mover_count || b->movers[next] != i)
            continue;
        memcpy(b->centres + 3 * next, centre, sizeof centre);
        memcpy(b->halves + 3 * next, half, sizeof half);
        memcpy(b->velocities + 3 * next, velocity, sizeof velocity);
        next++;
    }
    memcpy(b->all, b->first, 6 * scene->view.count * sizeof *b->all);
    return true;
}

static void step(boxes *b, size_t mover)
{
    double *centre = b->centres + 3 * mover, *velocity = b->velocities + 3 * mover;
    for (int k = 0; k < 3; k++)
    {
        if (b->workload->jumps)
            centre[k] = grz_random_between(&b->random, 0, b->side);
        else
            centre[k] += velocity[k];
        if ((centre[k] < 0 && velocity[k] < 0) || (centre[k] > b->side && velocity[k] > 0))
            velocity[k] = -velocity[k];
    }
}

static bool next_boxes(lab_scene *scene)
{
    boxes *b = scene->state;
    for (size_t i = 0; i < scene->view.mover_count; i++)
    {
        step(b, i);
        put(b->centres + 3 * i, b->halves + 3 * i, b->moved + 6 * i);
        if (b->moved != b->all)
            memcpy(b->all + 6 * (size_t)b->movers[i], b->moved + 6 * i, 6 * sizeof *b->moved);
    }
    return true;
}

typedef struct entry
{
    double box[6];
    uint32_t id;
} entry;

static int compare_entries(const void *first, const void *second)
{
    const entry *x = first, *y = second;
    return (x->box[0] > y->box[0]) - (x->box[0] < y->box[0]);
}

/* Overlap along the other two axes. */
static bool overlap(const double *a, const double *b)
{
    return (int)(a[1] <= b[4]) & (int)(b[1] <= a[4]) & (int)(a[2] <= b[5]) & (int)(b[2] <= a[5]);
}

/* Sort and sweep along one axis, in the given doubles. */
static bool find_exact(const lab_scene *scene, lab_pairs *out_pairs)
{
    const boxes *b = scene->state;
    size_t count = scene->view.count;
    entry *entries = malloc(count * sizeof *entries);
    bool done = entries != NULL;
    for (size_t i = 0; done && i < count; i++)
    {
        memcpy(entries[i].box, b->all + 6 * i, sizeof entries[i].box);
        entries[i].id = (uint32_t)i;
    }
    if (done)
        qsort(entries, count, sizeof *entries, compare_entries);
    for (size_t i = 0; done && i < count; i++)
    {
        const double *box = entries[i].box;
        uint32_t x = entries[i].id;
        for (size_t k = i + 1; done && k < count && entries[k].box[0] <= box[3]; k++)
        {
            uint32_t y = entries[k].id;
            if (overlap(box, entries[k].box))
                done = lab_pairs_push(out_pairs, x < y ? x : y, x < y ? y : x);
        }
    }
    free(entries);
    return done;
}

static void clear_boxes(lab_scene *scene)
{
    boxes *b = scene->state;
    if (b->moved != b->all)
        free(b->moved);
    free(b->all);
    free(b->first);
    free(b->centres);
    free(b->halves);
    free(b->velocities);
    free(b->movers);
    free(b);
    *scene = (lab_scene){0};
}

/* A uniformly random subset of `count` out of `among`. */
static void choose_movers(uint32_t *movers, size_t count, size_t among)
{
    grz_random random = grz_random_make(SEED + 1);
    size_t chosen = 0;
    for (size_t i = 0; i < among; i++)
    {
        if (grz_random_below(&random, among - i) < count - chosen)
            movers[chosen++] = (uint32_t)i;
    }
}

bool lab_boxes_make(const lab_scene_workload *workload, lab_scene *out_scene)
{
    size_t count = workload->count, movers = (size_t)fmax(1, round(workload->share * (double)count));
    boxes *b = calloc(1, sizeof *b);
    if (b == NULL)
        return false;
    *out_scene =
        (lab_scene){.state = b, .rewind = rewind_boxes, .next = next_boxes, .exact = find_exact, .clear = clear_boxes};
    b->workload = workload;
    b->side = cbrt(8 * (double)count / workload->overlaps);
    b->all = malloc(6 * count * sizeof *b->all);
    b->first = malloc(6 * count * sizeof *b->first);
    b->moved = movers == count ? b->all : malloc(6 * movers * sizeof *b->moved);
    b->centres = malloc(3 * movers * sizeof *b->centres);
    b->halves = malloc(3 * movers * sizeof *b->halves);
    b->velocities = malloc(3 * movers * sizeof *b->velocities);
    b->movers = malloc(movers * sizeof *b->movers);
    if (b->all == NULL || b->first == NULL || b->moved == NULL || b->centres == NULL || b->halves == NULL ||
        b->velocities == NULL || b->movers == NULL)
        return false;
    choose_movers(b->movers, movers, count);
    out_scene->view = (lab_scene_view){
        .count = count, .movers = b->movers, .mover_count = movers, .first = b->first, .moved = b->moved};
    for (int k = 0; k < 3; k++)
    {
        out_scene->view.lower[k] = -0.5 * most_side - most_speed;
        out_scene->view.upper[k] = b->side + 0.5 * most_side + most_speed;
    }
    return rewind_boxes(out_scene);
}
