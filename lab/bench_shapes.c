/* SPDX-License-Identifier: MIT */
/*
 * Queries of shapes through the public interface, in coherent motion: two convex ones near contact, boxes at small
 * gaps, a primitive along the surface of a mesh of 100,000 triangles, near pairs of triangles
 * (docs/decisions/0013). Prints nanoseconds of CPU time a query, the least of several passes, for Graze with a cache
 * and without, and for the peers that are built; net: less what the same loop takes around functions that do nothing.
 * No pass or fail.
 *
 *     bench_shapes [STEPS] [PASSES] [ONLY] [alone]
 */
#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/random.h"
#include "graze/generate.h"
#include "graze/shape_contact.h"
#include "graze/shape_query.h"
#include "shape_peers.h"

enum
{
    SEED = 1318,
    MOST_STEPS = 20000,
    MOST_POINTS = 1000,
    MOST_PAIRS = 1 << 16
};

static graze_pose poses[2][MOST_STEPS];
static double answers[MOST_STEPS];

#if defined(LAB_HAS_BULLET)
extern const lab_shape_peer lab_shape_bullet;
extern const lab_box_peer lab_box_bullet;
#endif
#if defined(LAB_HAS_FCL)
extern const lab_shape_peer lab_shape_fcl;
#endif
static const lab_shape_peer *const peers[] = {
#if defined(LAB_HAS_BULLET)
    &lab_shape_bullet,
#endif
#if defined(LAB_HAS_FCL)
    &lab_shape_fcl,
#endif
    NULL};

static double cpu_now(void)
{
    return 1e9 * (double)clock() / CLOCKS_PER_SEC;
}

static void fail(const char *what)
{
    fprintf(stderr, "bench_shapes: %s failed\n", what);
    exit(1);
}

static void must(graze_status status, const char *what)
{
    if (status != GRAZE_STATUS_OK)
        fail(what);
}

/* ---- queries ---- */

typedef enum query
{
    ANY,
    DISTANCE,
    DEPTH,
    CONTACTS,
    QUERIES
} query;

static const char *const query_names[QUERIES] = {"collide", "distance", "depth", "contacts"};

/* The library, or functions that do nothing: with them the same loop shows what the benchmark itself costs, its clock,
   copies of poses, options and calls, which are no part of a query. */
typedef struct functions
{
    graze_status (*any)(const graze_context *, const graze_placed *, const graze_placed *, const graze_shape_options *,
                        graze_verdict *, graze_shape_hit *);
    graze_status (*distance)(const graze_context *, const graze_placed *, const graze_placed *,
                             const graze_shape_distance_options *, graze_shape_distance *);
    graze_status (*depth)(const graze_context *, const graze_placed *, const graze_placed *,
                          const graze_shape_depth_options *, graze_shape_depth *);
    graze_status (*contacts)(const graze_context *, const graze_placed *, const graze_placed *,
                             const graze_shape_contact_options *, graze_shape_manifold *, size_t, size_t *);
} functions;

static const functions library = {graze_shape_pair_any, graze_shape_pair_distance, graze_shape_pair_depth,
                                  graze_shape_pair_contacts};

static graze_status no_any(const graze_context *context, const graze_placed *a, const graze_placed *b,
                           const graze_shape_options *options, graze_verdict *out_verdict, graze_shape_hit *out_hit)
{
    (void)context, (void)a, (void)b, (void)options, (void)out_hit;
    *out_verdict = GRAZE_VERDICT_NO;
    return GRAZE_STATUS_OK;
}

static graze_status no_distance(const graze_context *context, const graze_placed *a, const graze_placed *b,
                                const graze_shape_distance_options *options, graze_shape_distance *out_distance)
{
    (void)context, (void)a, (void)b, (void)options;
    out_distance->distance = 0;
    return GRAZE_STATUS_OK;
}

static graze_status no_depth(const graze_context *context, const graze_placed *a, const graze_placed *b,
                             const graze_shape_depth_options *options, graze_shape_depth *out_depth)
{
    (void)context, (void)a, (void)b, (void)options;
    out_depth->upper = 0;
    return GRAZE_STATUS_OK;
}

static graze_status no_contacts(const graze_context *context, const graze_placed *a, const graze_placed *b,
                                const graze_shape_contact_options *options, graze_shape_manifold *out, size_t capacity,
                                size_t *out_count)
{
    (void)context, (void)a, (void)b, (void)options, (void)out, (void)capacity;
    *out_count = 0;
    return GRAZE_STATUS_OK;
}

static const functions nothing = {no_any, no_distance, no_depth, no_contacts};
static const functions *volatile chosen; /* volatile: no call of them is inlined */

static double ask(const functions *f, query q, const graze_placed *a, const graze_placed *b, graze_shape_cache *cache)
{
    graze_status status = GRAZE_STATUS_OK;
    double answer = 0;
    if (q == ANY)
    {
        graze_shape_options options = graze_shape_options_default();
        graze_verdict verdict = GRAZE_VERDICT_UNKNOWN;
        options.cache = cache;
        status = f->any(NULL, a, b, &options, &verdict, NULL);
        answer = verdict == GRAZE_VERDICT_YES;
    }
    else if (q == DISTANCE)
    {
        graze_shape_distance_options options = graze_shape_distance_options_default();
        graze_shape_distance distance;
        options.cache = cache;
        status = f->distance(NULL, a, b, &options, &distance);
        answer = distance.distance;
    }
    else if (q == DEPTH)
    {
        graze_shape_depth_options options = graze_shape_depth_options_default();
        graze_shape_depth depth;
        options.cache = cache;
        options.relative_error = 1e-6;
        status = f->depth(NULL, a, b, &options, &depth);
        answer = depth.upper;
    }
    else
    {
        graze_shape_contact_options options = graze_shape_contact_options_default();
        graze_shape_manifold manifold;
        size_t count;
        options.margin = 0.02;
        options.cache = cache;
        status = f->contacts(NULL, a, b, &options, &manifold, 1, &count);
        answer = count > 0 ? (double)manifold.contacts.count : 0;
    }
    must(status, query_names[q]);
    return answer;
}

static double time_functions(const functions *f, query q, const graze_shape *a, const graze_shape *b, size_t steps,
                             int passes, bool warm)
{
    double best = INFINITY;
    chosen = f;
    for (int pass = 0; pass < passes; pass++)
    {
        graze_shape_cache cache = graze_shape_cache_default();
        double start = cpu_now();
        for (size_t i = 0; i < steps; i++)
        {
            graze_placed first = {a, poses[0][i]}, second = {b, poses[1][i]};
            answers[i] = ask(chosen, q, &first, &second, warm ? &cache : NULL);
        }
        best = fmin(best, (cpu_now() - start) / (double)steps);
    }
    return best;
}

static double time_graze(query q, const graze_shape *a, const graze_shape *b, size_t steps, int passes, bool warm)
{
    return time_functions(&library, q, a, b, steps, passes, warm);
}

static void print_graze(query q, const graze_shape *a, const graze_shape *b, size_t steps, int passes)
{
    double own = time_functions(&nothing, q, a, b, steps, passes, true);
    double cold = time_graze(q, a, b, steps, passes, false), warm = time_graze(q, a, b, steps, passes, true), sum = 0;
    for (size_t i = 0; i < steps; i++)
        sum += answers[i];
    printf("    %-14s%10.1f ns, net %.1f   cold %.1f ns, net %.1f   mean answer %g\n", "graze", warm, warm - own, cold,
           cold - own, sum / (double)steps);
}

/* ---- two convex shapes: B circles A slowly and turns, at gaps from low to high ---- */

typedef struct convex
{
    graze_shape *shape;
    double points[MOST_POINTS][3];
    size_t count;
} convex;

static void make_hull(grz_random *random, size_t count, convex *out)
{
    for (size_t i = 0; i < count; i++)
    {
        double *p = out->points[i], square;
        do
        {
            square = 0;
            for (int k = 0; k < 3; k++)
            {
                p[k] = grz_random_between(random, -1, 1);
                square += p[k] * p[k];
            }
        } while (square > 1 || square < 0.01);
        for (int k = 0; k < 3; k++)
            p[k] /= sqrt(square);
    }
    out->count = count;
    must(graze_shape_create_hull(NULL, out->points[0], count, NULL, &out->shape), "hull");
}

static void make_box(const double size[3], convex *out)
{
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
            out->points[i][k] = (i >> k & 1) != 0 ? size[k] / 2 : -size[k] / 2;
    out->count = 8;
    must(graze_shape_create_box(NULL, size, &out->shape), "box");
}

static double reach(const convex *body, const graze_pose *pose, const double d[3], double sign)
{
    double most = -INFINITY;
    for (size_t v = 0; v < body->count; v++)
    {
        double p[3];
        graze_pose_apply(pose, body->points[v], p);
        most = fmax(most, sign * (d[0] * p[0] + d[1] * p[1] + d[2] * p[2]));
    }
    return most;
}

static void place_pair(const convex *a, const convex *b, size_t step, double low, double high)
{
    double s = (double)step * 0.01;
    const double axis_a[3] = {0.3, 1, 0.2}, axis_b[3] = {1, -0.4, 0.5}, origin[3] = {5, -3, 2};
    double d[3] = {cos(0.31 * s), sin(0.31 * s) * cos(0.17 * s), sin(0.31 * s) * sin(0.17 * s)};
    double gap = low + (high - low) * (0.5 + 0.5 * sin(0.7 * s));
    graze_pose *pa = &poses[0][step], *pb = &poses[1][step];
    graze_pose_from_axis_angle(axis_a, 0.9 * s, origin, pa);
    graze_pose_from_axis_angle(axis_b, -0.7 * s, origin, pb);
    double way = reach(a, pa, d, 1) + reach(b, pb, d, -1) + gap;
    for (int k = 0; k < 3; k++)
        pb->m[4 * k + 3] += d[k] * way;
}

static void run_convex(const char *name, const convex *a, const convex *b, size_t steps, int passes, const char *only)
{
    static const double gaps[QUERIES][2] = {{-0.05, 0.1}, {0.01, 0.3}, {-0.4, -0.1}, {-0.05, 0.01}};
    for (int q = 0; q < QUERIES; q++)
    {
        char title[60];
        snprintf(title, sizeof title, "%s, %s", name, query_names[q]);
        if (strstr(title, only) == NULL)
            continue;
        for (size_t i = 0; i < steps; i++)
            place_pair(a, b, i, gaps[q][0], gaps[q][1]);
        printf("%s\n", title);
        print_graze((query)q, a->shape, b->shape, steps, passes);
    }
}

/* ---- boxes at rest on each other, rocking a little: manifolds of faces ---- */

static void run_manifolds(size_t steps, int passes, const char *only)
{
    static const char *const title = "boxes that rock on a face, contacts";
    const double size_a[3] = {2, 2, 1}, size_b[3] = {1, 1.5, 0.8};
    convex *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    if (strstr(title, only) == NULL || a == NULL || b == NULL)
    {
        free(a);
        free(b);
        return;
    }
    make_box(size_a, a);
    make_box(size_b, b);
    for (size_t i = 0; i < steps; i++)
    {
        double s = (double)i * 0.01;
        const double axis[3] = {sin(s), cos(1.3 * s), 20},
                     at[3] = {0.3 * sin(0.3 * s), 0.3 * cos(0.2 * s), 0.9 + 0.005 * sin(3 * s)};
        poses[0][i] = graze_pose_identity();
        graze_pose_from_axis_angle(axis, 0.2 * s, at, &poses[1][i]);
    }
    printf("%s\n", title);
    print_graze(CONTACTS, a->shape, b->shape, steps, passes);
#if defined(LAB_HAS_BULLET)
    const double half_a[3] = {1, 1, 0.5}, half_b[3] = {0.5, 0.75, 0.4};
    double best = INFINITY, sum = 0;
    void *pair = lab_box_bullet.create(half_a, half_b);
    for (int pass = 0; pass < passes; pass++)
    {
        double start = cpu_now();
        sum = 0;
        for (size_t i = 0; i < steps; i++)
            sum += lab_box_bullet.contacts(pair, poses[0][i].m, poses[1][i].m);
        best = fmin(best, (cpu_now() - start) / (double)steps);
    }
    lab_box_bullet.destroy(pair);
    printf("    %-14s%10.1f ns   mean answer %g\n", lab_box_bullet.name, best, sum / (double)steps);
#endif
    graze_shape_destroy(a->shape);
    graze_shape_destroy(b->shape);
    free(a);
    free(b);
}

/* ---- unit boxes at small gaps ---- */

typedef struct mesh_pair
{
    graze_mesh *meshes[2];
    graze_tree *trees[2];
} mesh_pair;

static double time_mesh_distance(const mesh_pair *m, size_t steps, int passes, double absolute_error)
{
    double best = INFINITY;
    graze_distance_options options = graze_distance_options_default();
    options.absolute_error = absolute_error;
    for (int pass = 0; pass < passes; pass++)
    {
        double start = cpu_now();
        for (size_t i = 0; i < steps; i++)
        {
            graze_placed_mesh a = {m->meshes[0], m->trees[0], poses[0][i]},
                              b = {m->meshes[1], m->trees[1], poses[1][i]};
            graze_distance distance;
            must(graze_pair_distance(NULL, &a, &b, &options, &distance), "distance");
        }
        best = fmin(best, (cpu_now() - start) / (double)steps);
    }
    return best;
}

/* Turned at random; a face of B parallel to one of A where `parallel`. */
static void place_boxes(size_t step, double gap, bool parallel)
{
    double s = (double)step * 0.01, turn;
    const double axis[3] = {0.3, 1, 0.2}, up[3] = {0, 0, 1}, tilt[3] = {0.4, 0.3, 1}, origin[3] = {5, -3, 2};
    graze_pose relative, *pa = &poses[0][step], *pb = &poses[1][step];
    graze_pose_from_axis_angle(axis, 0.9 * s, origin, pa);
    turn = 0.7 * s;
    const double above[3] = {0.1, 0.2, 1 + gap};
    graze_pose_from_axis_angle(parallel ? up : tilt, turn, above, &relative);
    if (!parallel)
    {
        double lowest = 0;
        for (int k = 0; k < 3; k++)
            lowest += fabs(relative.m[8 + k]) / 2;
        relative.m[11] = 0.5 + gap + lowest;
    }
    graze_pose_compose(pa, &relative, pb, NULL);
}

static void run_gaps(size_t steps, int passes, const char *only)
{
    static const double gaps[] = {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9};
    const double size[3] = {1, 1, 1};
    mesh_pair m;
    graze_shape *box;
    if (strstr("unit boxes at small gaps, distance", only) == NULL)
        return;
    must(graze_shape_create_box(NULL, size, &box), "box");
    for (int i = 0; i < 2; i++)
    {
        must(graze_mesh_create_box(NULL, 1, 1, 1, 1, &m.meshes[i]), "mesh");
        must(graze_tree_create(NULL, m.meshes[i], NULL, NULL, &m.trees[i]), "tree");
    }
    steps = steps < 1000 ? steps : 1000;
    printf("unit boxes at small gaps, distance, ns: shapes warm, cold; meshes, with absolute error 1e-6\n");
    for (int parallel = 0; parallel < 2; parallel++)
        for (size_t g = 0; g < sizeof gaps / sizeof gaps[0]; g++)
        {
            for (size_t i = 0; i < steps; i++)
                place_boxes(i, gaps[g], parallel != 0);
            double warm = time_graze(DISTANCE, box, box, steps, passes, true);
            double cold = time_graze(DISTANCE, box, box, steps, passes, false);
            double mesh = time_mesh_distance(&m, steps, passes, 0), rough = time_mesh_distance(&m, steps, passes, 1e-6);
            printf("    %-10s gap %.0e  %10.1f %10.1f %12.1f %10.1f\n", parallel ? "parallel" : "turned", gaps[g], warm,
                   cold, mesh, rough);
        }
    for (int i = 0; i < 2; i++)
    {
        graze_tree_destroy(m.trees[i]);
        graze_mesh_destroy(m.meshes[i]);
    }
    graze_shape_destroy(box);
}

/* ---- near pairs of triangles ---- */

static void time_near_pairs(const char *name, const mesh_pair *m, size_t steps, int passes, double tolerance)
{
    static graze_proximity found[MOST_PAIRS];
    double best = INFINITY;
    uint64_t pairs = 0;
    for (int pass = 0; pass < passes; pass++)
    {
        double start = cpu_now();
        pairs = 0;
        for (size_t i = 0; i < steps; i++)
        {
            graze_placed_mesh a = {m->meshes[0], m->trees[0], poses[0][i]},
                              b = {m->meshes[1], m->trees[1], poses[1][i]};
            uint64_t count;
            must(graze_pair_tolerance_gather(NULL, &a, &b, tolerance, NULL, found, MOST_PAIRS, &count), "gather");
            pairs += count;
        }
        best = fmin(best, (cpu_now() - start) / (double)steps);
    }
    printf("    %-24s%10.1f ns a query, %.1f pairs, %.1f ns a pair\n", name, best, (double)pairs / (double)steps,
           best * (double)steps / (double)pairs);
}

static void release_pair(mesh_pair *m)
{
    for (int i = 0; i < 2; i++)
    {
        graze_tree_destroy(m->trees[i]);
        graze_mesh_destroy(m->meshes[i]);
    }
}

/* A torus around the other's tube, in contact or nearly so, by the distance of random poses. */
static void place_near(const mesh_pair *m, size_t step, double gap)
{
    double s = (double)step * 0.01;
    const double axis[3] = {0.3, 1, 0.2}, other[3] = {1, -0.4, 0.5};
    const double origin[3] = {0, 0, 0}, far[3] = {20 * cos(0.31 * s), 20 * sin(0.31 * s), 3 * sin(0.17 * s)};
    graze_pose_from_axis_angle(axis, 0.9 * s, origin, &poses[0][step]);
    graze_pose_from_axis_angle(other, 0.7 * s, far, &poses[1][step]);
    for (int i = 0; i < 60; i++) /* towards each other by a share of the distance */
    {
        graze_placed_mesh a = {m->meshes[0], m->trees[0], poses[0][step]},
                          b = {m->meshes[1], m->trees[1], poses[1][step]};
        graze_distance d;
        graze_distance_options options = graze_distance_options_default();
        options.absolute_error = gap / 100;
        must(graze_pair_distance(NULL, &a, &b, &options, &d), "distance");
        double left = d.distance - gap, length = sqrt(far[0] * far[0] + far[1] * far[1] + far[2] * far[2]);
        if (left < gap / 10)
            break;
        for (int k = 0; k < 3; k++)
            poses[1][step].m[4 * k + 3] -= far[k] / length * left;
    }
}

static void run_near_pairs(size_t steps, int passes, const char *only)
{
    steps = steps < 500 ? steps : 500;
    for (int kind = 0; kind < 4; kind++)
    {
        static const char *const names[] = {"boxes, parallel", "gears of 1,600", "tori of 1,024", "tori of 4,096"};
        char title[80];
        mesh_pair m;
        snprintf(title, sizeof title, "near pairs of triangles, gap 5e-4, tolerance 2e-3, %s", names[kind]);
        if (strstr(title, only) == NULL)
            continue;
        printf("%s\n", title);
        for (int i = 0; i < 2; i++)
        {
            uint32_t segments = kind == 2 ? 32 : 64;
            if (kind == 0)
                must(graze_mesh_create_box(NULL, 1, 1, 1, 1, &m.meshes[i]), "mesh");
            else if (kind == 1)
                must(graze_mesh_create_gear(NULL, 40, 0.05, 0.3, 0.5, 0, &m.meshes[i]), "mesh");
            else
                must(graze_mesh_create_torus(NULL, 1, 0.3, segments, segments / 2, &m.meshes[i]), "mesh");
            must(graze_tree_create(NULL, m.meshes[i], NULL, NULL, &m.trees[i]), "tree");
        }
        for (size_t i = 0; i < steps; i++)
            if (kind == 0)
                place_boxes(i, 5e-4, true);
            else
                place_near(&m, i, 5e-4);
        time_near_pairs(names[kind], &m, steps, passes, 2e-3);
        release_pair(&m);
    }
}

/* ---- primitives along the surface of a mesh ---- */

static graze_shape *make_primitive(const lab_primitive *p)
{
    graze_shape *shape = NULL;
    const double ends[2][3] = {{0, 0, -p->height / 2}, {0, 0, p->height / 2}};
    if (p->kind == LAB_SPHERE)
        must(graze_shape_create_sphere(NULL, NULL, p->radius, &shape), "sphere");
    else if (p->kind == LAB_CAPSULE)
        must(graze_shape_create_capsule(NULL, ends, p->radius, &shape), "capsule");
    else if (p->kind == LAB_CYLINDER)
        must(graze_shape_create_cylinder(NULL, p->height, p->radius, &shape), "cylinder");
    else
        must(graze_shape_create_box(NULL, p->size, &shape), "box");
    return shape;
}

/* Around a torus of radii 1 and 0.4 near its surface: centres at heights around the extent of the primitive. */
static void place_primitive(size_t step, double low, double high)
{
    double s = (double)step * 0.01, u = 0.37 * s, v = 0.23 * s;
    double height = 0.4 + low + (high - low) * (0.5 + 0.5 * sin(2.1 * s)), r = 1 + height * cos(v);
    const double axis[3] = {0.3, 1, 0.2}, at[3] = {r * cos(u), r * sin(u), height * sin(v)};
    poses[0][step] = graze_pose_identity();
    graze_pose_from_axis_angle(axis, 0.9 * s, at, &poses[1][step]);
}

static void time_peer(const lab_shape_peer *peer, query q, const lab_mesh *mesh, const lab_primitive *p, size_t steps,
                      int passes)
{
    double (*function)(void *, const double *) = q == ANY ? peer->collide : peer->distance;
    if (function == NULL)
        return;
    double best = INFINITY, worst = 0;
    size_t wrong = 0;
    void *pair = peer->create(mesh, p);
    for (int pass = 0; pass < passes; pass++)
    {
        double *own = malloc(steps * sizeof *own), start = cpu_now();
        for (size_t i = 0; i < steps && own != NULL; i++)
            own[i] = function(pair, poses[1][i].m);
        best = fmin(best, (cpu_now() - start) / (double)steps);
        wrong = 0;
        for (size_t i = 0; i < steps && own != NULL; i++)
        {
            wrong += (own[i] != 0) != (answers[i] != 0);
            worst = fmax(worst, q == ANY ? 0 : fabs(fmax(own[i], 0) - answers[i]));
        }
        free(own);
    }
    peer->destroy(pair);
    printf("    %-14s%10.1f ns   ", peer->name, best);
    if (q == ANY)
        printf("%zu of %zu verdicts differ\n", wrong, steps);
    else
        printf("differs by up to %.1e\n", worst);
}

static void run_primitives(size_t steps, int passes, const char *only, bool alone)
{
    static const lab_primitive primitives[LAB_PRIMITIVES] = {{LAB_SPHERE, 0.1, 0, {0}},
                                                             {LAB_CAPSULE, 0.05, 0.2, {0}},
                                                             {LAB_BOX, 0, 0, {0.2, 0.1, 0.15}},
                                                             {LAB_CYLINDER, 0.06, 0.2, {0}}};
    static const char *const names[LAB_PRIMITIVES] = {"sphere", "capsule", "box", "cylinder"};
    graze_mesh *mesh;
    graze_shape *surface;
    must(graze_mesh_create_torus(NULL, 1, 0.4, 320, 160, &mesh), "mesh");
    must(graze_shape_create_mesh(NULL, mesh, NULL, false, &surface), "mesh");
    const lab_mesh lab = {graze_mesh_vertex_count(mesh), graze_mesh_triangle_count(mesh), graze_mesh_vertices(mesh),
                          graze_mesh_triangles(mesh)};
    for (int p = 0; p < LAB_PRIMITIVES; p++)
        for (int q = 0; q <= DISTANCE; q++)
        {
            char title[80];
            snprintf(title, sizeof title, "%s along a torus of %zu triangles, %s", names[p], lab.triangle_count,
                     query_names[q]);
            if (strstr(title, only) == NULL)
                continue;
            graze_shape *primitive = make_primitive(&primitives[p]);
            for (size_t i = 0; i < steps; i++)
                place_primitive(i, q == ANY ? 0.02 : 0.15, q == ANY ? 0.15 : 0.4);
            printf("%s\n", title);
            print_graze((query)q, surface, primitive, steps, passes);
            for (int k = 0; peers[k] != NULL && !alone; k++)
                time_peer(peers[k], (query)q, &lab, &primitives[p], steps, passes);
            graze_shape_destroy(primitive);
        }
    graze_shape_destroy(surface);
    graze_mesh_destroy(mesh);
}

static void run_hulls(size_t steps, int passes, const char *only)
{
    static const size_t sizes[] = {20, 100, 1000};
    const double size_a[3] = {1.2, 1, 0.8}, size_b[3] = {0.6, 1.4, 0.9};
    grz_random random = grz_random_make(SEED);
    convex *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    for (int s = 0; s < 4 && a != NULL && b != NULL; s++)
    {
        char name[40];
        snprintf(name, sizeof name, s < 3 ? "hulls of %zu" : "boxes", sizes[s % 3]);
        if (s < 3)
        {
            make_hull(&random, sizes[s], a);
            make_hull(&random, sizes[s], b);
        }
        else
        {
            make_box(size_a, a);
            make_box(size_b, b);
        }
        run_convex(name, a, b, steps, passes, only);
        graze_shape_destroy(a->shape);
        graze_shape_destroy(b->shape);
    }
    free(a);
    free(b);
}

int main(int count, char **arguments)
{
    size_t steps = count > 1 ? (size_t)strtoul(arguments[1], NULL, 10) : 4000;
    int passes = count > 2 ? (int)strtol(arguments[2], NULL, 10) : 5;
    const char *only = count > 3 ? arguments[3] : "";
    steps = steps < MOST_STEPS ? steps : MOST_STEPS;
    run_hulls(steps, passes, only);
    run_manifolds(steps, passes, only);
    run_gaps(steps, passes, only);
    run_near_pairs(steps, passes, only);
    run_primitives(steps, passes, only, count > 4);
    return 0;
}
