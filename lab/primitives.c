/* SPDX-License-Identifier: MIT */
/*
 * W12: spheres, boxes, capsules and cylinders of random sizes fly and turn in a cage, straight on but for its walls,
 * and through each other. Their flight is recorded beforehand, as that of the cage is (cage.c), and replayed forwards
 * and backwards.
 *
 * All primitives lie in balls of radius 1 around their origins, so candidate pairs follow from the distance of origins
 * alone. Exact pairs are fresh queries of all of these.
 */
#include <math.h>
#include <stdlib.h>

#include "base/sort.h"
#include "scene_workload.h"

enum
{
    SEED = 1212,
    FRAME_COUNT = 60 /* recorded */
};

static const double most_speed = 0.04, most_spin = 0.06;

typedef struct flyer
{
    double position[3], velocity[3];
    double turn[4], spin[4]; /* quaternions: orientation, and rotation per frame */
} flyer;

typedef struct crowd
{
    double side;
    lab_primitive *primitives;
    graze_shape **shapes;
    uint32_t *movers;
    graze_pose *poses; /* frame by frame; frame 0 is the initial one */
    size_t frame;      /* the current one */
    bool goes_back;
} crowd;

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

/* Within a ball of radius 1. */
static lab_primitive choose(grz_random *random)
{
    lab_primitive p = {.kind = (lab_primitive_kind)grz_random_below(random, LAB_PRIMITIVE_KINDS)};
    if (p.kind == LAB_BOX)
    {
        for (int k = 0; k < 3; k++)
            p.size[k] = grz_random_between(random, 0.5, 1.15);
        return p;
    }
    p.radius = grz_random_between(random, p.kind == LAB_SPHERE ? 0.5 : 0.25, p.kind == LAB_SPHERE ? 1 : 0.5);
    p.size[2] = p.kind == LAB_SPHERE ? 0 : grz_random_between(random, 0.4, p.kind == LAB_CAPSULE ? 1 : 1.7);
    return p;
}

static graze_status make_shape(const lab_primitive *p, graze_shape **out_shape)
{
    const double ends[2][3] = {{0, 0, -0.5 * p->size[2]}, {0, 0, 0.5 * p->size[2]}};
    switch (p->kind)
    {
    case LAB_SPHERE:
        return graze_shape_create_sphere(NULL, NULL, p->radius, out_shape);
    case LAB_BOX:
        return graze_shape_create_box(NULL, p->size, out_shape);
    case LAB_CAPSULE:
        return graze_shape_create_capsule(NULL, ends, p->radius, out_shape);
    default:
        return graze_shape_create_cylinder(NULL, p->size[2], p->radius, out_shape);
    }
}

static bool record(crowd *c, size_t count)
{
    grz_random random = grz_random_make(SEED);
    flyer *flyers = malloc(count * sizeof *flyers);
    bool done = flyers != NULL;
    for (size_t i = 0; done && i < count; i++)
    {
        c->primitives[i] = choose(&random);
        c->movers[i] = (uint32_t)i;
        start(&flyers[i], &random, c->side);
        done = make_shape(&c->primitives[i], &c->shapes[i]) == GRAZE_STATUS_OK;
    }
    for (size_t frame = 0; done && frame <= FRAME_COUNT; frame++)
    {
        for (size_t i = 0; i < count; i++)
        {
            graze_pose_from_quaternion(flyers[i].turn, flyers[i].position, &c->poses[frame * count + i]);
            step(&flyers[i], c->side);
        }
    }
    free(flyers);
    return done;
}

static void show(lab_scene *scene, size_t frame)
{
    crowd *c = scene->state;
    c->frame = frame;
    scene->view.moved = c->poses[frame * scene->view.count].m;
}

static bool rewind_crowd(lab_scene *scene)
{
    crowd *c = scene->state;
    c->goes_back = false;
    show(scene, 0);
    return true;
}

static bool next_frame(lab_scene *scene)
{
    crowd *c = scene->state;
    if (c->goes_back ? c->frame == 0 : c->frame == FRAME_COUNT)
        c->goes_back = !c->goes_back;
    show(scene, c->goes_back ? c->frame - 1 : c->frame + 1);
    return true;
}

static bool meet(const crowd *c, const graze_pose *poses, size_t i, size_t k)
{
    graze_placed a = {c->shapes[i], poses[i]}, b = {c->shapes[k], poses[k]};
    graze_verdict verdict = GRAZE_VERDICT_NO;
    return graze_shape_pair_any(NULL, &a, &b, NULL, &verdict, NULL) == GRAZE_STATUS_OK && verdict == GRAZE_VERDICT_YES;
}

/* Of those that are at most 2 apart along x, and a little more for rounding. */
static bool find_exact(const lab_scene *scene, lab_pairs *out_pairs)
{
    const crowd *c = scene->state;
    size_t count = scene->view.count;
    const graze_pose *poses = c->poses + c->frame * count;
    grz_key_value *order = malloc(2 * count * sizeof *order);
    bool done = order != NULL;
    for (size_t i = 0; done && i < count; i++)
        order[i] = (grz_key_value){(uint64_t)((poses[i].m[3] + 10) * 0x1p40), i};
    if (done)
        grz_sort_keyed(order, order + count, count);
    for (size_t i = 0; done && i < count; i++)
        for (size_t k = i + 1; done && k < count; k++)
        {
            size_t a = order[i].value, b = order[k].value;
            double sum = 0;
            for (int axis = 0; axis < 3; axis++)
                sum += pow(poses[a].m[4 * axis + 3] - poses[b].m[4 * axis + 3], 2);
            if (poses[b].m[3] - poses[a].m[3] > 2.001)
                break;
            if (sum < 4.001 && meet(c, poses, a, b))
                done = lab_pairs_push(out_pairs, (uint32_t)(a < b ? a : b), (uint32_t)(a < b ? b : a));
        }
    free(order);
    return done;
}

static void clear_crowd(lab_scene *scene)
{
    crowd *c = scene->state;
    for (size_t i = 0; i < scene->view.count; i++)
        graze_shape_destroy(c->shapes[i]);
    free(c->primitives);
    free(c->shapes);
    free(c->movers);
    free(c->poses);
    free(c);
    *scene = (lab_scene){0};
}

/* `overlaps` of the workload is the mean number of neighbours of an object, as balls of radius 1. */
bool lab_primitives_make(const lab_scene_workload *workload, lab_scene *out_scene)
{
    size_t count = workload->count;
    crowd *c = calloc(1, sizeof *c);
    if (c == NULL)
        return false;
    *out_scene =
        (lab_scene){.state = c, .rewind = rewind_crowd, .next = next_frame, .exact = find_exact, .clear = clear_crowd};
    c->side = cbrt(33.5 * (double)count / workload->overlaps);
    c->primitives = calloc(count, sizeof *c->primitives);
    c->shapes = calloc(count, sizeof(graze_shape *));
    c->movers = malloc(count * sizeof *c->movers);
    c->poses = malloc((FRAME_COUNT + 1) * count * sizeof *c->poses);
    if (c->primitives == NULL || c->shapes == NULL || c->movers == NULL || c->poses == NULL || !record(c, count))
        return false;
    out_scene->view = (lab_scene_view){
        .count = count, .movers = c->movers, .mover_count = count, .first = c->poses[0].m, .primitives = c->primitives};
    out_scene->period = 2 * FRAME_COUNT;
    for (int k = 0; k < 3; k++)
    {
        out_scene->view.lower[k] = -1 - most_speed;
        out_scene->view.upper[k] = c->side + 1 + most_speed;
    }
    return rewind_crowd(out_scene);
}
