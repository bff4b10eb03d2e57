/* SPDX-License-Identifier: MIT */
/*
 * W9: the cage of Zachmann's thesis. Spheres, tori and tetra-flakes of 500 to 5,000 triangles fly and rotate in a cage,
 * reflected by its walls and by each other. Their flight is recorded beforehand, with exact answers, so that every
 * engine sees the same poses; engines replay the record forwards and backwards while they are timed.
 *
 * All shapes have radius 1 around their origin, so candidate pairs follow from the distance of origins alone: the
 * record and the exact pairs need no broad phase. Two objects that begin to collide exchange their velocities along the
 * line of their origins, as equal masses do, unless they are separating already. At this density they overlap for a
 * while; that is what the workload is about.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene_workload.h"

enum
{
    SEED = 9009,
    SHAPE_COUNT = 8,
    FRAME_COUNT = 60, /* recorded */
    SWEEP_EVERY =
        20 /* one of so many nearby pairs is decided without trees for the exact pairs, others in each frame */
};

static const double most_speed = 0.04, most_spin = 0.06;

typedef struct flyer
{
    double position[3], velocity[3];
    double turn[4], spin[4]; /* quaternions: orientation, and rotation per frame */
} flyer;

typedef struct cage
{
    double side;
    graze_mesh *meshes[SHAPE_COUNT];
    graze_tree *trees[SHAPE_COUNT];
    lab_soup soups[SHAPE_COUNT];
    uint32_t *shape_of, *movers;
    graze_pose *poses; /* frame by frame; frame 0 is the initial one */
    size_t frame;      /* the current one */
    bool goes_back;
} cage;

static graze_placed_mesh place(const cage *c, size_t count, size_t frame, size_t i, bool with_tree)
{
    uint32_t shape = c->shape_of[i];
    return (graze_placed_mesh){c->meshes[shape], with_tree ? c->trees[shape] : NULL, c->poses[frame * count + i]};
}

static bool meet(const cage *c, size_t count, size_t frame, size_t i, size_t k, bool with_trees)
{
    graze_placed_mesh a = place(c, count, frame, i, with_trees), b = place(c, count, frame, k, with_trees);
    bool found = false;
    return graze_pair_any(NULL, &a, &b, NULL, &found, NULL) == GRAZE_STATUS_OK && found;
}

/* Whether two shapes may collide, by their origins: the radii are 1, and rounding errors are far below the slack. */
static bool are_near(const graze_pose *a, const graze_pose *b)
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
    {
        double apart = a->m[4 * k + 3] - b->m[4 * k + 3];
        sum += apart * apart;
    }
    return sum < 4.001;
}

static bool find_pairs(const cage *c, size_t count, size_t frame, bool with_sweeps, lab_pairs *out_pairs)
{
    const graze_pose *poses = c->poses + frame * count;
    size_t near_count = frame;
    for (size_t i = 0; i < count; i++)
    {
        for (size_t k = i + 1; k < count; k++)
        {
            if (!are_near(&poses[i], &poses[k]))
                continue;
            bool with_trees = !with_sweeps || near_count++ % SWEEP_EVERY != 0;
            if (meet(c, count, frame, i, k, with_trees) && !lab_pairs_push(out_pairs, (uint32_t)i, (uint32_t)k))
                return false;
        }
    }
    return true;
}

static void start(flyer *f, grz_random *random, double side)
{
    double axis[3], speed = grz_random_between(random, 0.25 * most_speed, most_speed),
                    half = 0.5 * grz_random_between(random, 0, most_spin), turn = grz_random_between(random, 0, 3.14);
    lab_random_direction(random, f->velocity);
    lab_random_direction(random, axis);
    f->spin[0] = cos(half);
    f->turn[0] = cos(turn);
    for (int k = 0; k < 3; k++)
    {
        f->position[k] = grz_random_between(random, 0, side);
        f->velocity[k] *= speed;
        f->spin[k + 1] = sin(half) * axis[k];
    }
    lab_random_direction(random, axis);
    for (int k = 0; k < 3; k++)
        f->turn[k + 1] = sin(turn) * axis[k];
}

static void step(flyer *f, double side)
{
    for (int k = 0; k < 3; k++)
    {
        f->position[k] += f->velocity[k];
        if ((f->position[k] < 0 && f->velocity[k] < 0) || (f->position[k] > side && f->velocity[k] > 0))
            f->velocity[k] = -f->velocity[k];
    }
    lab_multiply_quaternions(f->spin, f->turn, f->turn);
}

static void bounce(flyer *a, flyer *b)
{
    double line[3], length_sq = 0, approach = 0;
    for (int k = 0; k < 3; k++)
    {
        line[k] = b->position[k] - a->position[k];
        length_sq += line[k] * line[k];
        approach += (a->velocity[k] - b->velocity[k]) * line[k];
    }
    if (!(length_sq > 0) || approach <= 0)
        return;
    for (int k = 0; k < 3; k++)
    {
        a->velocity[k] -= approach / length_sq * line[k];
        b->velocity[k] += approach / length_sq * line[k];
    }
}

/* Reflects the pairs that collide now and did not before; both lists are sorted. */
static void bounce_new(flyer *flyers, const lab_pairs *now, const lab_pairs *before)
{
    size_t k = 0;
    for (size_t i = 0; i < now->count; i++)
    {
        lab_pair pair = now->data[i];
        while (k < before->count &&
               (before->data[k].a < pair.a || (before->data[k].a == pair.a && before->data[k].b < pair.b)))
            k++;
        if (k == before->count || before->data[k].a != pair.a || before->data[k].b != pair.b)
            bounce(&flyers[pair.a], &flyers[pair.b]);
    }
}

static bool record(cage *c, size_t count)
{
    grz_random random = grz_random_make(SEED);
    flyer *flyers = malloc(count * sizeof *flyers);
    lab_pairs now = {0}, before = {0};
    bool done = flyers != NULL;
    for (size_t i = 0; done && i < count; i++)
    {
        c->shape_of[i] = (uint32_t)grz_random_below(&random, SHAPE_COUNT);
        c->movers[i] = (uint32_t)i;
        start(&flyers[i], &random, c->side);
    }
    for (size_t frame = 0; done && frame <= FRAME_COUNT; frame++)
    {
        for (size_t i = 0; i < count; i++)
        {
            graze_pose_from_quaternion(flyers[i].turn, flyers[i].position, &c->poses[frame * count + i]);
            step(&flyers[i], c->side);
        }
        lab_pairs swapped = before;
        before = now;
        now = swapped;
        now.count = 0;
        done = find_pairs(c, count, frame, false, &now);
        if (done)
            bounce_new(flyers, &now, &before);
    }
    free(now.data);
    free(before.data);
    free(flyers);
    return done;
}

static void show(lab_scene *scene, size_t frame)
{
    cage *c = scene->state;
    c->frame = frame;
    scene->view.moved = c->poses[frame * scene->view.count].m;
}

static bool rewind_cage(lab_scene *scene)
{
    cage *c = scene->state;
    c->goes_back = false;
    show(scene, 0);
    return true;
}

static bool next_frame(lab_scene *scene)
{
    cage *c = scene->state;
    if (c->goes_back ? c->frame == 0 : c->frame == FRAME_COUNT)
        c->goes_back = !c->goes_back;
    show(scene, c->goes_back ? c->frame - 1 : c->frame + 1);
    return true;
}

static bool find_exact(const lab_scene *scene, lab_pairs *out_pairs)
{
    const cage *c = scene->state;
    return find_pairs(c, scene->view.count, c->frame, true, out_pairs);
}

static void clear_cage(lab_scene *scene)
{
    cage *c = scene->state;
    for (int i = 0; i < SHAPE_COUNT; i++)
    {
        graze_tree_destroy(c->trees[i]);
        graze_mesh_destroy(c->meshes[i]);
    }
    free(c->shape_of);
    free(c->movers);
    free(c->poses);
    free(c);
    *scene = (lab_scene){0};
}

static bool make_shapes(cage *c)
{
    const double flake_size = 2 / sqrt(3); /* of the cube around the flake: half its diagonal is 1 */
    graze_mesh **m = c->meshes;
    bool done = graze_mesh_create_geodesic_sphere(NULL, 1, 5, &m[0]) == GRAZE_STATUS_OK &&
                graze_mesh_create_geodesic_sphere(NULL, 1, 10, &m[1]) == GRAZE_STATUS_OK &&
                graze_mesh_create_geodesic_sphere(NULL, 1, 15, &m[2]) == GRAZE_STATUS_OK &&
                graze_mesh_create_torus(NULL, 0.75, 0.25, 20, 13, &m[3]) == GRAZE_STATUS_OK &&
                graze_mesh_create_torus(NULL, 0.7, 0.3, 50, 20, &m[4]) == GRAZE_STATUS_OK &&
                graze_mesh_create_torus(NULL, 0.8, 0.2, 100, 24, &m[5]) == GRAZE_STATUS_OK &&
                graze_mesh_create_tetraflake(NULL, flake_size, 4, &m[6]) == GRAZE_STATUS_OK &&
                graze_mesh_create_tetraflake(NULL, flake_size, 5, &m[7]) == GRAZE_STATUS_OK;
    for (int i = 0; done && i < SHAPE_COUNT; i++)
    {
        c->soups[i] = lab_soup_of(m[i]);
        done = graze_tree_create(NULL, m[i], NULL, NULL, &c->trees[i]) == GRAZE_STATUS_OK;
    }
    return done;
}

/* `overlaps` of the workload is the mean number of neighbours of an object, as balls of radius 1. */
bool lab_cage_make(const lab_scene_workload *workload, lab_scene *out_scene)
{
    size_t count = workload->count;
    cage *c = calloc(1, sizeof *c);
    if (c == NULL)
        return false;
    *out_scene =
        (lab_scene){.state = c, .rewind = rewind_cage, .next = next_frame, .exact = find_exact, .clear = clear_cage};
    c->side = cbrt(33.5 * (double)count / workload->overlaps);
    c->shape_of = malloc(count * sizeof *c->shape_of);
    c->movers = malloc(count * sizeof *c->movers);
    c->poses = malloc((FRAME_COUNT + 1) * count * sizeof *c->poses);
    if (c->shape_of == NULL || c->movers == NULL || c->poses == NULL || !make_shapes(c) || !record(c, count))
        return false;
    out_scene->view = (lab_scene_view){.count = count,
                                       .movers = c->movers,
                                       .mover_count = count,
                                       .first = c->poses[0].m,
                                       .soups = c->soups,
                                       .soup_count = SHAPE_COUNT,
                                       .soup_of = c->shape_of};
    out_scene->period = 2 * FRAME_COUNT;
    for (int k = 0; k < 3; k++)
    {
        out_scene->view.lower[k] = -1 - most_speed;
        out_scene->view.upper[k] = c->side + 1 + most_speed;
    }
    return rewind_cage(out_scene);
}
