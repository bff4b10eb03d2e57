/* SPDX-License-Identifier: MIT */
/*
 * 000 6.6: several threads. Coarse grain: pairs are taken from a list. Medium grain: one thread tests A's edges with
 * B's faces, the other B's with A's. Dual: edges and faces beside separating planes, which keep their planes. Times are
 * those of the clock, so that they are worth what the machine's idle processors are; the least of some passes counts.
 */
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "literature/bodies.h"
#include "literature/cage.h"
#include "literature/literature.h"
#include "literature/race.h"
#include "timing.h"

enum
{
    PASSES = 3
};

/* Two sets of bodies, one for each thread. */
typedef struct thread_bodies
{
    graze_method_body *sets[2][16];
    size_t count;
} thread_bodies;

static bool make_set(thread_bodies *b, int set, const char *method, const graze_method_parameters *parameters,
                     graze_mesh *const *meshes, size_t count)
{
    bool done = true;
    b->count = count;
    for (size_t i = 0; done && i < count; i++)
        done = graze_method_body_create(NULL, method, meshes[i], parameters, &b->sets[set][i]) == GRAZE_STATUS_OK;
    return done;
}

static void clear(thread_bodies *b)
{
    for (int set = 0; set < 2; set++)
        for (size_t i = 0; i < b->count; i++)
            graze_method_body_destroy(b->sets[set][i]);
}

/* What a flight of races costs: all pairs, one after the other. */
typedef struct race_cost
{
    double ns, late_ns;          /* of the clock, of the best pass */
    double second_wins, queries; /* share of the second set, in the best pass */
} race_cost;

static bool fly_races(const cage_flight *flight, const thread_bodies *b, const graze_tasks *tasks, bool caches,
                      race_cost *out)
{
    graze_method_cache *kept = calloc(flight->pairs, sizeof *kept);
    bool done = kept != NULL;
    *out = (race_cost){.ns = INFINITY};
    for (int pass = 0; done && pass < PASSES; pass++)
    {
        race_cost cost = {0, 0, 0, 0};
        double from = race_now();
        for (size_t f = 0; done && f < flight->frames; f++)
            for (size_t i = 0; done && i < flight->flying; i++)
                for (size_t k = i + 1; done && k < flight->bodies; k++)
                {
                    race_entry entries[2];
                    race_result result;
                    for (int set = 0; set < 2; set++)
                        entries[set] = (race_entry){{b->sets[set][i], *cage_pose(flight, f, i)},
                                                    {b->sets[set][k], *cage_pose(flight, f, k)},
                                                    caches && set == 1 ? &kept[cage_pair(flight, i, k)] : NULL};
                    done = race_run(tasks, entries, &result) && result.collide == cage_collide(flight, f, i, k);
                    cost.second_wins += result.winner == 1;
                    cost.late_ns += result.late_ns;
                    cost.queries++;
                }
        cost.ns = race_now() - from;
        if (cost.ns < out->ns)
            *out = cost;
    }
    free(kept);
    return done;
}

/* The same by one thread and one method: the clock's time of the best pass. */
static double fly_alone(const cage_flight *flight, const char *method, const graze_method_parameters *parameters)
{
    double best = INFINITY;
    for (int pass = 0; pass < PASSES; pass++)
    {
        cage_cost cost;
        double from = race_now();
        if (!cage_replay(flight, method, parameters, flight->frames, &cost))
            return NAN;
        best = fmin(best, race_now() - from);
    }
    return best;
}

static bool run_medium(lit_run *run, const graze_tasks *tasks, const char *method, const char *name, uint32_t faces,
                       uint32_t printed)
{
    graze_mesh *mesh = NULL;
    cage_flight flight = {0};
    thread_bodies b = {.count = 0};
    cage_cost alone, halves[2];
    race_cost cost;
    bool done = lit_make_body(LIT_SPHERE, faces, &mesh);
    graze_mesh *meshes[2] = {mesh, mesh};
    done = done && cage_record((const graze_mesh **)meshes, 2, 2, 1, run->quick ? 250 : 5000, CAGE_SURFACES, &flight) &&
           cage_replay(&flight, method, NULL, flight.frames, &alone);
    for (int set = 0; done && set < 2; set++)
    {
        graze_method_parameters parameters = graze_method_parameters_default();
        parameters.edges_of = set == 0 ? GRAZE_EDGES_OF_A : GRAZE_EDGES_OF_B;
        done = make_set(&b, set, method, &parameters, meshes, 2) &&
               cage_replay(&flight, method, &parameters, flight.frames, &halves[set]);
    }
    done = done && fly_races(&flight, &b, tasks, false, &cost);
    double serial = done ? fly_alone(&flight, method, NULL) : NAN;
    if (done)
    {
        lit_measure(run, "000/medium", serial / cost.ns, "%s, 2 x %u faces, speed-up", name, (unsigned)printed);
        lit_add(run, "000/medium", "CPU time of one thread : that of the longer direction",
                alone.mean / fmax(halves[0].mean, halves[1].mean), "%s, 2 x %u faces, most", name, (unsigned)printed);
    }
    clear(&b);
    cage_clear(&flight);
    graze_mesh_destroy(mesh);
    return done && !isnan(serial);
}

/* Separating planes know the hulls of bodies that are not convex: that they are apart is proved, too. */
static bool make_dual(thread_bodies *b, graze_mesh *const *meshes, graze_mesh **hulls, size_t count)
{
    bool done = true;
    for (size_t i = 0; done && i < count; i++)
        done = graze_mesh_create_hull(NULL, graze_mesh_vertices(meshes[i]), graze_mesh_vertex_count(meshes[i]), NULL,
                                      &hulls[i]) == GRAZE_STATUS_OK;
    graze_method_parameters parameters = graze_method_parameters_default();
    parameters.most_iterations = 100;
    parameters.step = 0.03;
    return done && make_set(b, 0, "edges-faces", NULL, meshes, count) &&
           make_set(b, 1, "perceptron", &parameters, hulls, count);
}

/* The speed-up over edges and faces alone, and the costs of the races. */
static double fly_dual(lit_run *run, const graze_tasks *tasks, graze_mesh **meshes, size_t count, double edge,
                       race_cost *out)
{
    graze_mesh *hulls[16] = {NULL};
    cage_flight flight = {0};
    thread_bodies b = {.count = 0};
    *out = (race_cost){.ns = INFINITY};
    size_t frames = (run->quick ? 250u : 5000u) / (count > 2 ? 10u : 1u);
    bool done = make_dual(&b, meshes, hulls, count) &&
                cage_record((const graze_mesh **)meshes, count, count, edge, frames, CAGE_SURFACES, &flight) &&
                fly_races(&flight, &b, tasks, true, out);
    double serial = done ? fly_alone(&flight, "edges-faces", NULL) : NAN;
    clear(&b);
    cage_clear(&flight);
    lit_destroy(hulls, count);
    return serial / out->ns;
}

static bool run_dual(lit_run *run, const graze_tasks *tasks)
{
    static const lit_shape shapes[] = {LIT_TORUS, LIT_HYPERBOLOID, LIT_SPHERE};
    race_cost cost;
    bool done = true;
    for (int s = 0; done && s < 3; s++)
        for (uint32_t faces = 100; done && faces <= 1000; faces *= 10)
        {
            graze_mesh *mesh = NULL;
            double ratio = NAN;
            if (lit_make_body(shapes[s], faces, &mesh))
            {
                graze_mesh *meshes[2] = {mesh, mesh};
                ratio = fly_dual(run, tasks, meshes, 2, 1, &cost);
            }
            done = !isnan(ratio);
            lit_measure(run, "000/dual", ratio, "%s, 2 x %u, speed-up", lit_shape_name(shapes[s]), (unsigned)faces);
            graze_mesh_destroy(mesh);
        }
    for (int small = 0; done && small < 2; small++)
    {
        graze_mesh *meshes[16] = {NULL};
        double ratio = NAN;
        done = small == 0 ? lit_make_ten(3, meshes) : true;
        for (int i = 0; done && small == 1 && i < 10; i++)
            done = lit_make_body(i % 2 == 0 ? LIT_SPHERE : LIT_TORUS, 70, &meshes[i]);
        if (done)
            ratio = fly_dual(run, tasks, meshes, 10, 3, &cost);
        done = !isnan(ratio);
        lit_measure(run, "000/dual", ratio, "cage, %d faces, with : without", small == 0 ? 4000 : 700);
        if (done && small == 0)
        {
            lit_measure(run, "000/dual", 100 * cost.second_wins / cost.queries, "planes first, %% of the queries");
            lit_measure(run, "000/dual", cost.late_ns * 1e-6 / cost.queries, "until the other hears it, ms");
        }
        lit_destroy(meshes, 16);
    }
    return done;
}

/* A frame of which threads take pairs. */
typedef struct coarse_frame
{
    const cage_flight *flight;
    graze_method_body *const *bodies;
    size_t frame;
    atomic_int failed;
} coarse_frame;

/* All pairs of one body and those after it. */
static void test_row(void *argument, size_t a)
{
    coarse_frame *c = argument;
    for (size_t b = a + 1; b < c->flight->bodies; b++)
    {
        const graze_placed_method_body placed[2] = {{c->bodies[a], *cage_pose(c->flight, c->frame, a)},
                                                    {c->bodies[b], *cage_pose(c->flight, c->frame, b)}};
        graze_method_answer answer;
        if (graze_method_any(NULL, &placed[0], &placed[1], NULL, &answer) != GRAZE_STATUS_OK ||
            (answer.guess == GRAZE_VERDICT_YES) != cage_collide(c->flight, c->frame, a, b))
            atomic_store(&c->failed, 1);
    }
}

/* The clock's time of the best pass; NaN after a failure. */
static double fly_coarse(const cage_flight *flight, graze_method_body *const *bodies, uint32_t threads)
{
    graze_pool *pool = NULL;
    coarse_frame c = {.flight = flight, .bodies = bodies};
    double best = INFINITY;
    if (graze_pool_create(NULL, threads, &pool) != GRAZE_STATUS_OK)
        return NAN;
    graze_tasks tasks = graze_pool_tasks(pool);
    for (int pass = 0; pass < PASSES; pass++)
    {
        double from = race_now();
        for (c.frame = 0; c.frame < flight->frames; c.frame++)
            tasks.run(tasks.user, flight->flying, test_row, &c);
        best = fmin(best, race_now() - from);
    }
    graze_pool_destroy(pool);
    return atomic_load(&c.failed) != 0 ? NAN : best;
}

static bool run_coarse(lit_run *run, const char *method, const char *name, graze_mesh *const *meshes, size_t count,
                       double edge, cage_question question)
{
    graze_method_body *bodies[100] = {NULL};
    cage_flight flight = {0};
    double alone = NAN;
    bool done = cage_record((const graze_mesh **)meshes, count, count, edge, run->quick ? 20 : 300, question, &flight);
    for (size_t i = 0; done && i < count; i++)
        done = graze_method_body_create(NULL, method, meshes[i], NULL, &bodies[i]) == GRAZE_STATUS_OK;
    for (uint32_t threads = 1; done && threads <= 4; threads++)
    {
        double ns = fly_coarse(&flight, bodies, threads);
        alone = threads == 1 ? ns : alone;
        done = !isnan(ns);
        lit_add(run, "000/coarse", "the axes of Fig 6.3, by the clock", alone / ns, "%s, %u threads, speed-up", name,
                (unsigned)threads);
    }
    for (size_t i = 0; i < count; i++)
        graze_method_body_destroy(bodies[i]);
    cage_clear(&flight);
    return done;
}

static bool run_all_coarse(lit_run *run)
{
    graze_mesh *ten[16] = {NULL}, *convex[2] = {NULL, NULL}, *tetrahedron = NULL, *many[100];
    bool done = lit_make_ten(3, ten) && lit_make_body(LIT_SPHERE, 240, &convex[0]) &&
                lit_make_body(LIT_CONE, 240, &convex[1]) && lit_make_body(LIT_FLAKE, 4, &tetrahedron);
    for (int i = 0; i < 100; i++)
        many[i] = i < 10 ? convex[i % 2] : NULL;
    done = done && run_coarse(run, "edges-faces", "arbitrary", ten, 10, 3, CAGE_SURFACES) &&
           run_coarse(run, "box-tree", "box-tree", ten, 10, 3, CAGE_SURFACES) &&
           run_coarse(run, "cyrus-beck", "convex", many, 10, 3, CAGE_BODIES);
    for (int i = 0; i < 100; i++)
        many[i] = tetrahedron;
    done = done && run_coarse(run, "cyrus-beck", "100 tetrahedra", many, 100, 4, CAGE_BODIES);
    lit_destroy(ten, 16);
    lit_destroy(convex, 2);
    graze_mesh_destroy(tetrahedron);
    return done;
}

bool lit_threads(lit_run *run)
{
    graze_pool *pool = NULL;
    if (graze_pool_create(NULL, 2, &pool) != GRAZE_STATUS_OK)
        return false;
    graze_tasks tasks = graze_pool_tasks(pool);
    bool done = run_medium(run, &tasks, "edges-faces", "arbitrary", 42, 42) &&
                run_medium(run, &tasks, "edges-faces", "arbitrary", 132, 132) &&
                run_medium(run, &tasks, "edges-faces", "arbitrary", 462, 442) &&
                run_medium(run, &tasks, "box-tree", "box-trees", 462, 442) && run_dual(run, &tasks);
    graze_pool_destroy(pool);
    return done && run_all_coarse(run);
}
