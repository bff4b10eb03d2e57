/* SPDX-License-Identifier: MIT */
/*
 * Zachmann 1994: two bodies in a cage. Each flies straight and spins evenly; both are reversed when they collide, and
 * reflected at the walls, so that their centres stay in a cube. A flight is recorded once, with the engine's answers,
 * and replayed to every method. Steps are 0.02 and 0.05 rad; the thesis gives none. Reversed, a flight goes back the
 * way it came, to and fro between two collisions, so a new one begins every 250 frames.
 */
#include <math.h>
#include <stdlib.h>

#include "literature/literature.h"
#include "timing.h"
#include "workload.h"

enum
{
    FLIGHT = 250 /* frames */
};

typedef struct cage_frame
{
    graze_pose poses[2];
    bool collide;
} cage_frame;

typedef struct cage_body
{
    double place[3], velocity[3], axis[3], angle, spin;
} cage_body;

static cage_body start(grz_random *random, double half)
{
    cage_body body = {.angle = 0, .spin = 0.05};
    double length = 0, along = 0;
    for (int i = 0; i < 3; i++)
    {
        body.place[i] = grz_random_between(random, -half, half);
        body.velocity[i] = grz_random_between(random, -1, 1);
        body.axis[i] = grz_random_between(random, -1, 1);
        length += body.velocity[i] * body.velocity[i];
        along += body.axis[i] * body.axis[i];
    }
    for (int i = 0; i < 3; i++)
        body.velocity[i] *= 0.02 / sqrt(length);
    if (along < 1e-3)
        body.axis[0] = 1;
    return body;
}

static void move(cage_body *body, double half)
{
    body->angle += body->spin;
    for (int i = 0; i < 3; i++)
    {
        body->place[i] += body->velocity[i];
        if (fabs(body->place[i]) > half)
            body->velocity[i] = copysign(body->velocity[i], -body->place[i]);
    }
}

static void reverse(cage_body *body)
{
    body->spin = -body->spin;
    for (int i = 0; i < 3; i++)
        body->velocity[i] = -body->velocity[i];
}

/* Both bodies are one mesh of half side 1; `edge` is the side of the cage for their centres in body sides. */
static bool record(const graze_mesh *mesh, double edge, size_t count, cage_frame *frames)
{
    grz_random random = grz_random_make(1994);
    cage_body bodies[2];
    bool done = true, together = false;
    for (size_t f = 0; done && f < count; f++)
    {
        for (int side = 0; done && side < 2; side++)
        {
            if (f % FLIGHT == 0)
                bodies[side] = start(&random, edge);
            move(&bodies[side], edge);
            done = graze_pose_from_axis_angle(bodies[side].axis, bodies[side].angle, bodies[side].place,
                                              &frames[f].poses[side]) == GRAZE_STATUS_OK;
        }
        const graze_placed_mesh placed[2] = {{mesh, NULL, frames[f].poses[0]}, {mesh, NULL, frames[f].poses[1]}};
        graze_solid_answer answer;
        done = done && graze_pair_containment(NULL, &placed[0], &placed[1], NULL, &answer) == GRAZE_STATUS_OK;
        frames[f].collide = done && answer.collide;
        if (frames[f].collide && !together)
        {
            reverse(&bodies[0]);
            reverse(&bodies[1]);
        }
        together = frames[f].collide;
    }
    return done;
}

/* What a method made of a flight. */
typedef struct cage_result
{
    double seconds, false_collisions; /* per frame */
} cage_result;

static bool replay(const char *method, const graze_method_parameters *parameters, const graze_mesh *mesh,
                   const cage_frame *frames, size_t count, cage_result *out)
{
    graze_method_body *body = NULL;
    bool done = graze_method_body_create(NULL, method, mesh, parameters, &body) == GRAZE_STATUS_OK;
    size_t wrong = 0;
    double from = lab_cpu_now();
    for (size_t f = 0; done && f < count; f++)
    {
        graze_placed_method_body a = {body, frames[f].poses[0]}, b = {body, frames[f].poses[1]};
        graze_method_answer answer;
        done = graze_method_any(NULL, &a, &b, NULL, &answer) == GRAZE_STATUS_OK;
        wrong += done && answer.guess == GRAZE_VERDICT_YES && !frames[f].collide;
    }
    *out = (cage_result){(lab_cpu_now() - from) / (double)count, (double)wrong / (double)count};
    graze_method_body_destroy(body);
    return done;
}

/* 000 3.4.2: how often separating planes give up too early, by the limit of updates and where the search begins. */
bool lit_planes(lit_run *run)
{
    static const struct
    {
        uint32_t limit;
        double eta;
    } limits[] = {{10, .25}, {100, .03}, {1000, .007}};
    static const char *const starts[] = {"box centres", "centroids", "trivial"};
    size_t count = run->quick ? 10000 : 40000;
    cage_frame *frames = malloc(count * sizeof *frames);
    graze_mesh *cone = NULL;
    bool done = frames != NULL && graze_mesh_create_cone(NULL, 1, 2, 99, 1, &cone) == GRAZE_STATUS_OK &&
                record(cone, 1.5, count, frames);
    for (int l = 0; done && l < 3; l++)
        for (int s = 0; done && s < 3; s++)
        {
            graze_method_parameters parameters = graze_method_parameters_default();
            parameters.most_iterations = limits[l].limit;
            parameters.step = limits[l].eta;
            parameters.relaxation = 1;
            parameters.plane_start = (graze_plane_start)s;
            cage_result result;
            done = replay("perceptron", &parameters, cone, frames, count, &result);
            lit_measure(run, "000/planes-start", 100 * result.false_collisions, "%s, limit %u", starts[s],
                        (unsigned)limits[l].limit);
        }
    graze_mesh_destroy(cone);
    free(frames);
    return done;
}

/* The time of one method over that of another, on the same flight. */
static double compare(const char *method, const char *other, const graze_mesh *mesh, double edge, size_t count)
{
    cage_frame *frames = malloc(count * sizeof *frames);
    cage_result results[2] = {{0, 0}, {0, 0}};
    bool done = frames != NULL && record(mesh, edge, count, frames) &&
                replay(method, NULL, mesh, frames, count, &results[0]) &&
                replay(other, NULL, mesh, frames, count, &results[1]);
    free(frames);
    return done && results[1].seconds > 0 ? results[0].seconds / results[1].seconds : NAN;
}

/* The hull of a sphere's vertices: its quadrangles are not flat. */
static bool make_convex_sphere(uint32_t faces, graze_mesh **out_mesh)
{
    graze_mesh *sphere = NULL;
    uint32_t rings = (uint32_t)sqrt(faces / 2.0);
    bool done = graze_mesh_create_sphere(NULL, 1, faces / 2 / (rings - 1), rings, &sphere) == GRAZE_STATUS_OK &&
                graze_mesh_create_hull(NULL, graze_mesh_vertices(sphere), graze_mesh_vertex_count(sphere), NULL,
                                       out_mesh) == GRAZE_STATUS_OK;
    graze_mesh_destroy(sphere);
    return done;
}

/* 000 3.4.1: two bodies that collide nearly always, by clipping and by edges against faces. */
bool lit_clip(lit_run *run)
{
    static const uint32_t faces[] = {250, 120, 60};
    size_t count = run->quick ? 200 : 2000;
    bool done = true;
    for (int i = 0; done && i < 3; i++)
        for (int cone = 0; done && cone < 2; cone++)
        {
            graze_mesh *mesh = NULL;
            done = cone == 1 ? graze_mesh_create_cone(NULL, 1, 2, faces[i] - 1, 1, &mesh) == GRAZE_STATUS_OK
                             : make_convex_sphere(faces[i], &mesh);
            double ratio = done ? compare("cyrus-beck", "edges-faces", mesh, 0.5, count) : NAN;
            done = done && !isnan(ratio);
            lit_measure(run, "000/clip", ratio, "%s, %u faces, convex : arbitrary", cone == 1 ? "cones" : "spheres",
                        (unsigned)faces[i]);
            graze_mesh_destroy(mesh);
        }
    return done;
}

/* 000 3.6: edges against faces over box-trees. */
bool lit_box_tree(lit_run *run)
{
    static const uint32_t faces[] = {50, 100, 500, 1000};
    size_t count = run->quick ? 200 : 2000;
    bool done = true;
    for (int i = 0; done && i < 4; i++)
        for (int torus = 0; done && torus < 2; torus++)
        {
            graze_mesh *mesh = NULL;
            uint32_t rings = (uint32_t)sqrt(faces[i] / 2.0);
            done = (torus == 1 ? graze_mesh_create_torus(NULL, 0.7, 0.3, faces[i] / rings, rings, &mesh)
                               : graze_mesh_create_sphere(NULL, 1, faces[i] / rings, rings, &mesh)) == GRAZE_STATUS_OK;
            double ratio = done ? compare("edges-faces", "box-tree", mesh, 1, count) : NAN;
            done = done && !isnan(ratio);
            lit_measure(run, "000/box-tree", ratio, "%s, %u faces, conventional : box-tree",
                        torus == 1 ? "tori" : "spheres", (unsigned)faces[i]);
            graze_mesh_destroy(mesh);
        }
    return done;
}
