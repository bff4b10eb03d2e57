/* SPDX-License-Identifier: MIT */
/*
 * Billiard paths: see case.h. After a hit the object goes back the way it came, and some steps later continues in a
 * random direction with a random axis. The path depends on exact answers only, so that it is the same everywhere.
 */
#include <math.h>
#include <string.h>

#include "case.h"

enum
{
    START_ATTEMPTS = 10000
};

typedef struct flyer
{
    const lab_billiard *path;
    grz_random random;
    graze_placed_mesh standing, flying;
    double position[3], velocity[3];
    double turn[4], spin[4]; /* quaternions: orientation, and rotation per step */
    bool going_back;
    uint64_t steps_to_turn; /* 0: no change of direction is planned */
} flyer;

void lab_multiply_quaternions(const double p[4], const double q[4], double out[4])
{
    double r[4] = {
        p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3], p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
        p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1], p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]};
    double length = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);
    for (int i = 0; i < 4; i++)
        out[i] = r[i] / length;
}

static void take_direction(flyer *f)
{
    double axis[3];
    lab_random_direction(&f->random, f->velocity);
    lab_random_direction(&f->random, axis);
    f->spin[0] = cos(0.5 * f->path->spin);
    for (int k = 0; k < 3; k++)
    {
        f->velocity[k] *= f->path->step;
        f->spin[k + 1] = sin(0.5 * f->path->spin) * axis[k];
    }
}

static void go_back(flyer *f)
{
    for (int k = 0; k < 3; k++)
    {
        f->velocity[k] = -f->velocity[k];
        f->spin[k + 1] = -f->spin[k + 1];
    }
}

static bool meets(flyer *f)
{
    bool found = false;
    graze_pose_from_quaternion(f->turn, f->position, &f->flying.pose);
    graze_pair_any(NULL, &f->standing, &f->flying, NULL, &found, NULL);
    return found;
}

/* A random position without collision, or any position if hits are allowed. */
static bool start(flyer *f)
{
    for (int attempt = 0; attempt < START_ATTEMPTS; attempt++)
    {
        for (int k = 0; k < 3; k++)
            f->position[k] = grz_random_between(&f->random, f->path->lower[k], f->path->upper[k]);
        double axis[3], angle = grz_random_between(&f->random, 0, 3.14);
        lab_random_direction(&f->random, axis);
        f->turn[0] = cos(angle);
        for (int k = 0; k < 3; k++)
            f->turn[k + 1] = sin(angle) * axis[k];
        if (!f->path->turns_at_hits || !meets(f))
            return true;
    }
    return false;
}

static void step(flyer *f)
{
    for (int k = 0; k < 3; k++)
    {
        f->position[k] += f->velocity[k];
        if ((f->position[k] < f->path->lower[k] && f->velocity[k] < 0) ||
            (f->position[k] > f->path->upper[k] && f->velocity[k] > 0))
            f->velocity[k] = -f->velocity[k];
    }
    lab_multiply_quaternions(f->spin, f->turn, f->turn);
    if (!f->path->turns_at_hits)
        return;
    bool hit = meets(f);
    if (hit && !f->going_back)
    {
        go_back(f);
        f->going_back = true;
    }
    else if (!hit && f->going_back)
    {
        f->going_back = false;
        f->steps_to_turn = 2 + grz_random_below(&f->random, 8);
    }
    else if (f->steps_to_turn > 0 && --f->steps_to_turn == 0)
        take_direction(f);
}

bool lab_fly(lab_case *c, const lab_billiard *path)
{
    flyer f = {.path = path, .random = grz_random_make(path->seed)};
    graze_tree *tree_a = NULL, *tree_b = NULL;
    bool ready = lab_case_poses(c, path->count) &&
                 graze_tree_create(NULL, c->a, NULL, NULL, &tree_a) == GRAZE_STATUS_OK &&
                 graze_tree_create(NULL, c->b, NULL, NULL, &tree_b) == GRAZE_STATUS_OK;
    f.standing = (graze_placed_mesh){c->a, tree_a, graze_pose_identity()};
    f.flying = (graze_placed_mesh){c->b, tree_b, graze_pose_identity()};
    ready = ready && start(&f);
    take_direction(&f);
    for (size_t i = 0; ready && i < path->count; i++)
    {
        graze_pose_from_quaternion(f.turn, f.position, &c->poses_b[i]);
        step(&f);
    }
    graze_tree_destroy(tree_a);
    graze_tree_destroy(tree_b);
    return ready;
}
