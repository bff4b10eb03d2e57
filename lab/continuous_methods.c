/* SPDX-License-Identifier: MIT */
/*
 * The literature's methods for moving meshes (docs/methods.md) against the engine, one segment after the other: how
 * many answers are proved, how many guesses are right, what contradicts the engine, and what a segment costs.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "case.h"
#include "continuous.h"
#include "graze/graze.h"
#include "timing.h"

enum
{
    SEGMENTS = 400,
    QUICK_SEGMENTS = 40
};

/* Pairs of meshes, and how B moves past A, which stands or drifts. */
typedef struct method_workload
{
    const char *name;
    bool tori;      /* else balls of 320 triangles: convex */
    bool ballistic; /* turns that fall; else blends by exact translations */
    double reach;   /* of the ways */
} method_workload;

static const method_workload method_workloads[] = {{"balls/shift", false, false, 2.5},
                                                   {"balls/fall", false, true, 2.5},
                                                   {"tori/shift", true, false, 2},
                                                   {"tori/fall", true, true, 2}};

static double eighth(grz_random *random, double reach)
{
    return floor(8 * grz_random_between(random, -reach, reach)) / 8;
}

static void draw_motion(const method_workload *w, grz_random *random, graze_motion *out)
{
    *out = (graze_motion){.kind = w->ballistic ? GRAZE_MOTION_BALLISTIC_TURN : GRAZE_MOTION_BLEND};
    out->start = out->end = graze_pose_identity();
    out->quaternion[0][0] = out->quaternion[1][0] = 1;
    for (int k = 0; k < 3; k++)
    {
        out->quaternion[1][1 + k] = grz_random_between(random, -0.2, 0.2);
        out->path[0][k] = out->start.m[4 * k + 3] = eighth(random, w->reach);
        out->path[1][k] = eighth(random, w->reach);
        out->end.m[4 * k + 3] = out->path[0][k] + out->path[1][k];
    }
    out->path[2][2] = -0.5;
}

/* The same triangles with vertices on a grid of 2^-20, so that shifts by eighths place them without a rounding. */
static bool make_mesh(const method_workload *w, graze_mesh **out)
{
    graze_mesh *mesh = NULL;
    graze_status status = w->tori ? graze_mesh_create_torus(NULL, 1, 0.3, 24, 12, &mesh)
                                  : graze_mesh_create_geodesic_sphere(NULL, 1, 4, &mesh);
    if (status != GRAZE_STATUS_OK)
        return false;
    size_t count = 3 * graze_mesh_vertex_count(mesh);
    double *vertices = malloc(count * sizeof *vertices);
    for (size_t i = 0; vertices != NULL && i < count; i++)
        vertices[i] = ldexp(nearbyint(ldexp(graze_mesh_vertices(mesh)[i], 20)), -20);
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = count / 3;
    def.corners = graze_mesh_triangles(mesh);
    def.corner_count = 3 * graze_mesh_triangle_count(mesh);
    bool made = vertices != NULL && graze_mesh_create(NULL, &def, NULL, out) == GRAZE_STATUS_OK;
    free(vertices);
    graze_mesh_destroy(mesh);
    return made;
}

typedef struct method_score
{
    size_t taken, proved, right, wrong;
    double ns;
    uint64_t steps;
} method_score;

static bool score_method(const char *name, const graze_moving_mesh *a, const graze_moving_mesh *b,
                         const graze_impact *truth, method_score *score)
{
    graze_motion_method_answer answer;
    double start = lab_cpu_now();
    graze_status status = graze_motion_method_impact(NULL, name, a, b, NULL, &answer);
    if (status == GRAZE_STATUS_UNSUPPORTED)
        return true;
    if (status != GRAZE_STATUS_OK)
        return false;
    score->ns += lab_cpu_now() - start;
    score->taken++;
    score->steps += answer.counters.steps;
    bool proved = answer.verdict != GRAZE_IMPACT_UNKNOWN;
    score->proved += proved;
    score->wrong +=
        proved ? answer.verdict != truth->verdict : truth->verdict == GRAZE_IMPACT_AT && answer.lower > truth->upper;
    score->right += (proved ? answer.verdict : answer.guess) == truth->verdict;
    return true;
}

static bool run_workload(const method_workload *w, size_t segments, size_t *wrong)
{
    static const char *const guarantees[] = {"exact", "yes-sure", "no-sure", "estimated"};
    graze_mesh *mesh = NULL;
    graze_tree *tree = NULL;
    method_score engine = {0}, scores[8] = {{0}};
    size_t methods = graze_motion_method_count(), impacts = 0;
    bool done =
        make_mesh(w, &mesh) && graze_tree_create(NULL, mesh, NULL, NULL, &tree) == GRAZE_STATUS_OK && methods <= 8;
    grz_random random = grz_random_make(19);
    for (size_t i = 0; done && i < segments; i++)
    {
        graze_moving_mesh a = {mesh, NULL, tree, {.kind = GRAZE_MOTION_STILL}}, b = a;
        graze_impact truth;
        a.motion.start = graze_pose_identity();
        draw_motion(w, &random, &b.motion);
        double start = lab_cpu_now();
        done = graze_pair_impact(NULL, &a, &b, NULL, &truth) == GRAZE_STATUS_OK;
        engine.ns += lab_cpu_now() - start;
        impacts += done && truth.verdict == GRAZE_IMPACT_AT;
        for (size_t k = 0; done && k < methods; k++)
            done = score_method(graze_motion_method_at(k)->name, &a, &b, &truth, &scores[k]);
    }
    printf("%-14s %-18s %-9s %8zu %8zu %8zu %8d %12.1f\n", w->name, "(engine)", "exact", segments, segments, segments,
           0, engine.ns / (double)segments * 1e-3);
    for (size_t k = 0; done && k < methods; k++)
    {
        const graze_motion_method_info *info = graze_motion_method_at(k);
        const method_score *s = &scores[k];
        *wrong += s->wrong;
        if (s->taken > 0)
            printf("%-14s %-18s %-9s %8zu %8zu %8zu %8zu %12.1f %8.1f\n", "", info->name, guarantees[info->guarantee],
                   s->taken, s->proved, s->right, s->wrong, s->ns / (double)s->taken * 1e-3,
                   (double)s->steps / (double)s->taken);
    }
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
    return done && impacts > 0 && impacts < segments;
}

bool lab_continuous_methods(bool quick)
{
    bool done = true;
    size_t wrong = 0;
    printf("%-14s %-18s %-9s %8s %8s %8s %8s %12s %8s\n", "workload", "method", "guarantee", "segments", "proved",
           "right", "wrong", "us a segment", "steps");
    for (size_t i = 0; i < sizeof method_workloads / sizeof method_workloads[0]; i++)
        done = run_workload(&method_workloads[i], quick ? QUICK_SEGMENTS : SEGMENTS, &wrong) && done;
    return done && wrong == 0;
}
