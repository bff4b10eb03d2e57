/* SPDX-License-Identifier: MIT */
/*
 * Graze as an engine of the lab, through its public headers like any other user: with trees, and without.
 */
#include <stdlib.h>
#include <string.h>

#include "engine.h"

typedef struct model
{
    graze_mesh *mesh;
    graze_tree *tree; /* NULL: the sweep */
    double tree_ns;
    graze_hit *hits; /* buffer of gathered hits; grows as needed */
    size_t capacity;
    graze_pair_cache cache; /* of queries between this and another */
} model;

static void destroy(void *user)
{
    model *m = user;
    graze_tree_destroy(m->tree);
    graze_mesh_destroy(m->mesh);
    free(m->hits);
    free(m);
}

static void *create_without_tree(const lab_soup *soup)
{
    model *m = calloc(1, sizeof *m);
    if (m == NULL)
        return NULL;
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = soup->vertices;
    def.vertex_count = soup->vertex_count;
    def.corners = soup->triangles;
    def.corner_count = 3 * soup->triangle_count;
    if (graze_mesh_create(NULL, &def, NULL, &m->mesh) == GRAZE_STATUS_OK)
        return m;
    destroy(m);
    return NULL;
}

static void *create(const lab_soup *soup)
{
    model *m = create_without_tree(soup);
    if (m == NULL)
        return NULL;
    double start = lab_cpu_now();
    if (graze_tree_create(NULL, m->mesh, NULL, NULL, &m->tree) != GRAZE_STATUS_OK)
    {
        destroy(m);
        return NULL;
    }
    m->tree_ns = lab_cpu_now() - start;
    return m;
}

static graze_placed_mesh place(const model *m, const double *pose)
{
    graze_placed_mesh placed = {m->mesh, m->tree, {{0}}};
    memcpy(placed.pose.m, pose, sizeof placed.pose.m);
    return placed;
}

static bool any(void *a, const double *pose_a, void *b, const double *pose_b)
{
    graze_placed_mesh first = place(a, pose_a), second = place(b, pose_b);
    bool found = false;
    graze_hit hit;
    graze_pair_any(NULL, &first, &second, NULL, &found, &hit);
    return found;
}

bool lab_graze_any_cached(const lab_engine *engine, const double *pose_a, const double *pose_b)
{
    model *m = engine->a;
    graze_placed_mesh first = place(m, pose_a), second = place(engine->b, pose_b);
    graze_any_options options = graze_any_options_default();
    options.cache = &m->cache;
    bool found = false;
    graze_hit hit;
    graze_pair_any(NULL, &first, &second, &options, &found, &hit);
    return found;
}

static double distance(void *a, const double *pose_a, void *b, const double *pose_b)
{
    graze_placed_mesh first = place(a, pose_a), second = place(b, pose_b);
    graze_distance result = {0};
    graze_pair_distance(NULL, &first, &second, NULL, &result);
    return result.distance;
}

/* Gathers into the buffer, and again if it was too small. */
static uint64_t all(void *a, const double *pose_a, void *b, const double *pose_b, lab_pairs *out_pairs)
{
    model *m = a;
    graze_placed_mesh first = place(a, pose_a), second = place(b, pose_b);
    graze_pair_counts counts = {0, 0, 0, 0};
    graze_pair_gather(NULL, &first, &second, NULL, m->hits, m->capacity, &counts);
    if (counts.pairs > m->capacity)
    {
        free(m->hits);
        m->hits = malloc(counts.pairs * sizeof *m->hits);
        m->capacity = m->hits != NULL ? counts.pairs : 0;
        graze_pair_gather(NULL, &first, &second, NULL, m->hits, m->capacity, &counts);
    }
    for (uint64_t i = 0; out_pairs != NULL && i < counts.pairs && i < m->capacity; i++)
        lab_pairs_push(out_pairs, m->hits[i].triangle_a, m->hits[i].triangle_b);
    return counts.pairs;
}

const lab_peer lab_graze = {"graze", "this library", create, destroy, NULL, any, all, distance};
const lab_peer lab_graze_sweep = {"graze-sweep", "exact, without trees", create_without_tree, destroy, NULL, any, all,
                                  distance};

graze_stats lab_graze_cost(const lab_engine *engine, const lab_case *c, lab_question question)
{
    graze_stats sum = {0, 0, 0, 0};
    for (size_t i = 0; i < c->count; i++)
    {
        graze_placed_mesh first = place(engine->a, c->poses_a[i].m), second = place(engine->b, c->poses_b[i].m);
        graze_stats one = {0, 0, 0, 0};
        graze_pair_options options = graze_pair_options_default();
        graze_any_options any_options = graze_any_options_default();
        options.stats = any_options.stats = &one;
        graze_pair_counts counts;
        bool found;
        graze_distance_options distances = graze_distance_options_default();
        distances.stats = &one;
        graze_distance apart;
        if (question == LAB_DISTANCE)
            graze_pair_distance(NULL, &first, &second, &distances, &apart);
        else if (question == LAB_ANY || question == LAB_CACHED)
            graze_pair_any(NULL, &first, &second, &any_options, &found, NULL);
        else
            graze_pair_count(NULL, &first, &second, &options, &counts);
        sum.box_tests += one.box_tests;
        sum.leaf_pairs += one.leaf_pairs;
        sum.triangle_tests += one.triangle_tests;
        sum.exact_signs += one.exact_signs;
    }
    return sum;
}

/* Saves to memory and maps from there, so that no disk is timed. */
static bool time_saving(const model *m, lab_tree_report *report)
{
    size_t size = graze_tree_saved_size(m->tree);
    void *bytes = aligned_alloc(64, size);
    graze_tree *mapped = NULL;
    if (bytes == NULL)
        return false;
    double start = lab_cpu_now();
    bool done = graze_tree_save(m->tree, bytes, size) == GRAZE_STATUS_OK;
    report->save_ns = lab_cpu_now() - start;
    start = lab_cpu_now();
    done = done && graze_tree_map(NULL, m->mesh, bytes, size, NULL, NULL, &mapped) == GRAZE_STATUS_OK;
    report->map_ns = lab_cpu_now() - start;
    done = done && graze_tree_validate(NULL, mapped) == GRAZE_STATUS_OK;
    graze_tree_destroy(mapped);
    free(bytes);
    return done;
}

lab_tree_report lab_graze_examine(const lab_engine *engine)
{
    const model *m = engine->a;
    lab_tree_report report = {.ns = m->tree_ns, .facts = graze_tree_examine(m->tree)};
    double start = lab_cpu_now();
    bool refitted = graze_tree_refit(NULL, m->tree, m->mesh) == GRAZE_STATUS_OK;
    report.refit_ns = lab_cpu_now() - start;
    report.valid = refitted && graze_tree_validate(NULL, m->tree) == GRAZE_STATUS_OK && time_saving(m, &report);
    return report;
}
