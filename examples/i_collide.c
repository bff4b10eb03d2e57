/* SPDX-License-Identifier: MIT */
/* I-COLLIDE and V-COLLIDE, two systems of the literature, put together from their parts: a sweep and prune over boxes
 * finds the pairs that may collide, and a method decides each (Cohen, Lin, Manocha, Ponamgi 1995: closest features of
 * convex bodies, kept from frame to frame; Hudson et al. 1997: trees of oriented boxes). Frame by frame, both find what
 * comparing all bodies exactly finds. */
#include <math.h>

#include "example.h"

enum
{
    BODIES = 24,
    FRAMES = 40
};

// A system: a method of graze/method.h behind the broad phase.
typedef struct collision_system
{
    const char *name;
    graze_mesh *mesh; // of all bodies
    graze_method_body *body;
    graze_broad_phase *broad;
    graze_method_cache caches[BODIES][BODIES]; // by pair: what the last frame leaves for the next
    unsigned candidates, collisions, differences;
} collision_system;

// A body circles around a point of its own and spins.
static graze_pose pose_at(int body, int frame)
{
    double time = 0.05 * frame, turn = 0.7 * body + (body % 3 + 1) * time, c = cos(turn), s = sin(turn);
    double x = 2.1 * (body % 4) + 0.9 * sin(1.3 * body + 2 * time),
           y = 2.1 * (body / 4 % 3) + 0.9 * cos(2.1 * body + time);
    graze_pose pose = {{c, -s, 0, x, s, c, 0, y, 0, 0, 1, 1.7 * (body / 12) + 0.4 * sin(turn)}};
    return pose;
}

// A box around the moved mesh: its corners, and a little more than their rounding.
static graze_box box_at(const graze_mesh *mesh, const graze_pose *pose)
{
    graze_box own = graze_mesh_bounds(mesh), box;
    for (int i = 0; i < 3; i++)
    {
        double middle = pose->m[4 * i + 3], reach = 1e-9;
        for (int k = 0; k < 3; k++)
        {
            middle += pose->m[4 * i + k] * (own.lower[k] + own.upper[k]) / 2;
            reach += fabs(pose->m[4 * i + k]) * (own.upper[k] - own.lower[k]) / 2;
        }
        box.lower[i] = middle - reach;
        box.upper[i] = middle + reach;
    }
    return box;
}

static void start(collision_system *system, const char *method)
{
    graze_broad_phase_def def = graze_broad_phase_def_default();
    def.method = GRAZE_BROAD_PHASE_SWEEP_AND_PRUNE;
    check(graze_method_body_create(NULL, method, system->mesh, NULL, &system->body));
    check(graze_broad_phase_create(NULL, &def, &system->broad));
    for (int i = 0; i < BODIES; i++)
    {
        graze_pose pose = pose_at(i, 0);
        graze_box box = box_at(system->mesh, &pose);
        check(graze_broad_phase_insert(system->broad, (uint32_t)i, &box));
    }
}

// Marks the pairs that collide in a frame.
static void find_collisions(collision_system *system, int frame, bool found[BODIES][BODIES])
{
    size_t count = 0;
    for (int i = 0; i < BODIES; i++)
    {
        graze_pose pose = pose_at(i, frame);
        graze_box box = box_at(system->mesh, &pose);
        check(graze_broad_phase_move(system->broad, (uint32_t)i, &box));
    }
    check(graze_broad_phase_update(system->broad, NULL));
    const graze_box_pair *pairs = graze_broad_phase_pairs(system->broad, &count);
    for (size_t p = 0; p < count; p++)
    {
        graze_placed_method_body a = {system->body, pose_at((int)pairs[p].a, frame)};
        graze_placed_method_body b = {system->body, pose_at((int)pairs[p].b, frame)};
        graze_method_options options = graze_method_options_default();
        graze_method_answer answer;
        options.cache = &system->caches[pairs[p].a][pairs[p].b];
        check(graze_method_any(NULL, &a, &b, &options, &answer));
        found[pairs[p].a][pairs[p].b] = answer.collide == GRAZE_VERDICT_YES;
    }
    system->candidates += (unsigned)count;
}

// All pairs by the exact engine; bodies as solids for a method that takes them so.
static bool collide_exactly(const collision_system *system, int a, int b, int frame, bool solids)
{
    graze_placed_mesh first = {system->mesh, NULL, pose_at(a, frame)}, second = {system->mesh, NULL, pose_at(b, frame)};
    graze_solid_answer solid;
    bool collide = false;
    if (solids)
    {
        check(graze_pair_containment(NULL, &first, &second, NULL, &solid));
        return solid.collide;
    }
    check(graze_pair_any(NULL, &first, &second, NULL, &collide, NULL));
    return collide;
}

static void run(collision_system *system, const char *name, const char *method)
{
    system->name = name;
    start(system, method);
    bool solids = graze_method_find(method)->subject == GRAZE_METHOD_BODIES;
    for (int frame = 0; frame < FRAMES; frame++)
    {
        bool found[BODIES][BODIES] = {{false}};
        find_collisions(system, frame, found);
        for (int a = 0; a < BODIES; a++)
            for (int b = a + 1; b < BODIES; b++)
            {
                system->collisions += found[a][b];
                system->differences += found[a][b] != collide_exactly(system, a, b, frame, solids);
            }
    }
    printf("%s: %u candidates of %d pairs, %u collisions, %u differ from comparing all pairs exactly\n", system->name,
           system->candidates, FRAMES * BODIES * (BODIES - 1) / 2, system->collisions, system->differences);
    graze_broad_phase_destroy(system->broad);
    graze_method_body_destroy(system->body);
    graze_mesh_destroy(system->mesh);
}

int main(void)
{
    static collision_system convex, any;
    check(graze_mesh_create_geodesic_sphere(NULL, 1, 2, &convex.mesh));
    run(&convex, "I-COLLIDE", "closest-features");
    check(graze_mesh_create_torus(NULL, 0.8, 0.3, 16, 8, &any.mesh));
    run(&any, "V-COLLIDE", "rapid");
    return convex.differences + any.differences > 0;
}
