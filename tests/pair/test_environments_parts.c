/* SPDX-License-Identifier: MIT */
/*
 * The promises of docs/environments.md for answers with several parts: visits, batches, regions, depths, points of
 * hits, hits of searches, and trees that were refitted or mapped. Each in every environment against the usual one.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "graze/batch.h"
#include "graze/depth.h"
#include "graze/distance.h"
#include "graze/pair.h"
#include "graze/region.h"
#include "graze/search.h"
#include "graze/self.h"
#include "graze/tree.h"
#include "support/environment.h"
#include "support/meshes.h"
#include "support/unit.h"

enum
{
    MOST_HITS = 256,
    POSES = 5
};

/* All values that must be equal to the last bit, in the order in which they were answered. */
typedef struct answers
{
    graze_hit visited[MOST_HITS], self[MOST_HITS], searched[MOST_HITS], refitted[MOST_HITS], mapped[MOST_HITS];
    size_t visited_count, self_count, searched_count;
    uint64_t near_count;
    uint32_t near[MOST_HITS][2];
    graze_pair_counts refitted_counts, mapped_counts, batch_counts[POSES];
    bool batch_any[POSES], dual;
    double points[MOST_HITS][6][3];
    graze_pair_counts region_counts;
    graze_contact_kind region_kind;
    size_t point_count, curve_count, polygon_count;
    double region_sums[3]; /* sums of the bits of all coordinates, as numbers */
    graze_verdict overlap;
    bool known_valid;
} answers;

/* Values that are certified, but may differ in their last digits. */
typedef struct bounds
{
    double lower, upper, length, area;
} bounds;

typedef struct world
{
    const test_mesh *first, *second;
    graze_pose pose;
    int power;
} world;

typedef struct listing
{
    graze_hit *hits;
    size_t count;
} listing;

static bool list_hit(void *user, const graze_hit *hit)
{
    listing *list = user;
    if (list->count < MOST_HITS)
        list->hits[list->count] = *hit;
    list->count++;
    return true;
}

static graze_pose pose_of(int kind, int power)
{
    graze_pose pose = graze_pose_identity();
    if (kind == 1)
        pose.m[3] = grz_scale(1, power);
    if (kind == 2)
        pose.m[7] = 0x1p-1074;
    if (kind == 3)
    {
        pose.m[0] = pose.m[5] = 0.8;
        pose.m[1] = -0.6;
        pose.m[4] = 0.6;
    }
    if (kind == 4)
        pose.m[11] = grz_scale(-1.5, power);
    return pose;
}

static void add_bits(const double *numbers, size_t count, double *sum)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < count; i++)
        bits = 31 * bits + grz_bits(numbers[i]);
    *sum = (double)(bits >> 11);
}

static void ask_region(const graze_placed_mesh *a, const graze_placed_mesh *b, answers *out, bounds *measures)
{
    graze_region *region = NULL;
    if (graze_region_create(NULL, a, b, NULL, &region) != GRAZE_STATUS_OK)
        return;
    out->region_counts = region->counts;
    out->region_kind = region->kind;
    out->point_count = region->point_count;
    out->curve_count = region->curve_count;
    out->polygon_count = region->polygon_count;
    add_bits(region->points, 3 * region->point_count, &out->region_sums[0]);
    add_bits(region->curve_points, 3 * region->curve_starts[region->curve_count], &out->region_sums[1]);
    add_bits(region->polygon_points, 3 * region->polygon_starts[region->polygon_count], &out->region_sums[2]);
    measures->length = region->length;
    measures->area = region->area;
    graze_region_destroy(region);
}

static void ask_batch(const graze_placed_mesh *a, const graze_placed_mesh *b, int power, answers *out)
{
    graze_pose poses[POSES];
    for (int kind = 0; kind < POSES; kind++)
        poses[kind] = pose_of(kind, power);
    graze_pose_batch batch = {.poses_b = poses, .count = POSES};
    graze_pair_any_batch(NULL, a, b, &batch, NULL, NULL, out->batch_any);
    graze_pair_count_batch(NULL, a, b, &batch, NULL, NULL, out->batch_counts);
}

/* Moves A's vertices there and back again, and saves B's tree to map it. */
static void ask_changed_trees(const world *w, graze_placed_mesh a, graze_placed_mesh b, answers *out)
{
    double *given = malloc(sizeof w->first->vertices);
    memcpy(given, graze_mesh_vertices(a.mesh), 3 * sizeof(double) * w->first->vertex_count);
    graze_mesh *moved = mesh_create_scaled(w->second, w->power);
    graze_tree *tree = NULL, *mapped = NULL;
    if (w->second->vertex_count == w->first->vertex_count &&
        memcmp(w->second->triangles, w->first->triangles, sizeof w->first->triangles) == 0)
    {
        graze_tree_create(NULL, moved, NULL, NULL, &tree);
        graze_mesh_move_vertices(moved, given, 0, GRAZE_SCALAR_DOUBLE, NULL);
        out->known_valid = graze_tree_refit(NULL, tree, moved) == GRAZE_STATUS_OK &&
                           graze_tree_validate(NULL, tree) == GRAZE_STATUS_OK;
        a.mesh = moved;
        a.tree = tree;
    }
    graze_pair_gather(NULL, &a, &b, NULL, out->refitted, MOST_HITS, &out->refitted_counts);
    size_t size = graze_tree_saved_size(b.tree);
    void *bytes = aligned_alloc(64, (size + 63) / 64 * 64);
    graze_tree_save(b.tree, bytes, size);
    if (graze_tree_map(NULL, b.mesh, bytes, size, NULL, NULL, &mapped) == GRAZE_STATUS_OK)
    {
        b.tree = mapped;
        graze_pair_gather(NULL, &a, &b, NULL, out->mapped, MOST_HITS, &out->mapped_counts);
    }
    graze_tree_destroy(mapped);
    free(bytes);
    graze_tree_destroy(tree);
    graze_mesh_destroy(moved);
    free(given);
}

static void ask_lists(const graze_placed_mesh *a, const graze_placed_mesh *b, int power, answers *out)
{
    listing visited = {out->visited, 0}, self = {out->self, 0};
    graze_pair_visit(NULL, a, b, NULL, list_hit, &visited);
    out->visited_count = visited.count;
    for (size_t i = 0; i < visited.count && i < MOST_HITS; i++)
    {
        graze_intersection shared = {0};
        graze_hit_intersection(a, b, &out->visited[i], &shared);
        memcpy(out->points[i], shared.points, 3 * sizeof(double) * (size_t)shared.count);
    }
    graze_self_subject subject = {.mesh = a->mesh, .tree = a->tree};
    graze_self_visit(NULL, &subject, NULL, list_hit, &self);
    out->self_count = self.count;
    graze_search *search = NULL;
    graze_search_create(NULL, a, b, GRAZE_SEARCH_HITS, NULL, &search);
    graze_search_run(search, NULL);
    graze_search_hits(search, out->searched, MOST_HITS, &out->searched_count);
    graze_search_destroy(search);
    graze_proximity near[MOST_HITS];
    graze_pair_tolerance_gather(NULL, a, b, grz_scale(0.5, power), NULL, near, MOST_HITS, &out->near_count);
    for (size_t i = 0; i < out->near_count && i < MOST_HITS; i++)
    {
        out->near[i][0] = near[i].triangle_a;
        out->near[i][1] = near[i].triangle_b;
    }
}

static void ask(const world *w, answers *out, bounds *measures)
{
    memset(out, 0, sizeof *out);
    memset(measures, 0, sizeof *measures);
    graze_mesh *mesh_a = mesh_create_scaled(w->first, w->power), *mesh_b = mesh_create_scaled(w->second, w->power);
    graze_tree *tree_a = NULL, *tree_b = NULL;
    graze_tree_create(NULL, mesh_a, NULL, NULL, &tree_a);
    graze_tree_create(NULL, mesh_b, NULL, NULL, &tree_b);
    graze_placed_mesh a = {.mesh = mesh_a, .tree = tree_a, .pose = graze_pose_identity()},
                      b = {.mesh = mesh_b, .tree = tree_b, .pose = w->pose};
    ask_lists(&a, &b, w->power, out);
    ask_batch(&a, &b, w->power, out);
    ask_region(&a, &b, out, measures);
    graze_hit hit;
    graze_pair_any_dual(NULL, &a, &b, NULL, &out->dual, &hit);
    graze_depth depth;
    graze_depth_options few = graze_depth_options_default();
    few.max_queries = 60;
    graze_pair_depth(NULL, &a, &b, &few, &depth);
    out->overlap = depth.overlap;
    measures->lower = depth.lower;
    measures->upper = depth.upper;
    ask_changed_trees(w, a, b, out);
    graze_tree_destroy(tree_a);
    graze_tree_destroy(tree_b);
    graze_mesh_destroy(mesh_a);
    graze_mesh_destroy(mesh_b);
}

/* The name of what differs, or NULL. */
static const char *difference(const answers *x, const answers *y)
{
#define DIFFER(field) (memcmp(&x->field, &y->field, sizeof x->field) != 0)
    return DIFFER(visited_count) || DIFFER(visited)         ? "visit"
           : DIFFER(points)                                 ? "points of hits"
           : DIFFER(self_count) || DIFFER(self)             ? "self"
           : DIFFER(searched_count) || DIFFER(searched)     ? "search"
           : DIFFER(near_count) || DIFFER(near)             ? "tolerance"
           : DIFFER(batch_any) || DIFFER(batch_counts)      ? "batch"
           : DIFFER(dual)                                   ? "dual"
           : DIFFER(region_counts) || DIFFER(region_kind)   ? "region"
           : DIFFER(point_count) || DIFFER(curve_count)     ? "points and curves"
           : DIFFER(polygon_count) || DIFFER(region_sums)   ? "coordinates of a region"
           : DIFFER(overlap)                                ? "depth"
           : DIFFER(known_valid) || DIFFER(refitted_counts) ? "refitted"
           : DIFFER(refitted)                               ? "hits of a refitted tree"
           : DIFFER(mapped_counts) || DIFFER(mapped)        ? "mapped"
                                                            : NULL;
#undef DIFFER
}

static bool agree(const bounds *x, const bounds *y)
{
    if (!(x->lower <= x->upper && x->lower <= y->upper && y->lower <= x->upper))
        return false; /* both intervals contain the depth */
    return fabs(x->length - y->length) <= 1e-9 * fabs(y->length) && fabs(x->area - y->area) <= 1e-9 * fabs(y->area);
}

static void check(const world *w, int kind, uint64_t *hits, unsigned *refits)
{
    static answers usual, given;
    bounds usual_bounds, given_bounds;
    ask(w, &usual, &usual_bounds);
    *hits += usual.visited_count + usual.self_count + usual.polygon_count + usual.curve_count;
    *refits += usual.known_valid;
    for (int number = 1; number < ENVIRONMENTS; number++)
    {
        saved_environment saved;
        environment_enter(&saved, number);
        ask(w, &given, &given_bounds);
        environment_leave(&saved);
        const char *wrong = difference(&given, &usual);
        if (wrong != NULL)
            fail_msg("%s: pose %d, power %d, in %s", wrong, kind, w->power, environment_name(number));
        if (w->power == 0 && !agree(&given_bounds, &usual_bounds))
            fail_msg("bounds: pose %d in %s", kind, environment_name(number));
    }
}

static void parts_of_answers_are_the_same_in_every_environment(void **state)
{
    (void)state;
    test_random random = test_random_start("parts_of_answers_are_the_same_in_every_environment", 5);
    static const int powers[] = {0, -1074, -540, 330};
    uint64_t hits = 0;
    unsigned refits = 0;
    for (int round = 0; round < 3; round++)
    {
        test_mesh first = {0}, second = {0};
        if (round == 0)
        {
            mesh_add_soup(&first, &random, 10, 9, 4);
            mesh_add_soup(&second, &random, 10, 9, 4);
        }
        else
        {
            mesh_add_cube(&first, 0, 0, 0, 2);
            mesh_add_cube(&second, round == 1 ? 1 : 2, 0, 1, 2);
        }
        for (int kind = 0; kind < POSES; kind++)
            for (size_t i = 0; i < sizeof powers / sizeof *powers; i++)
            {
                world w = {&first, &second, pose_of(kind, powers[i]), powers[i]};
                check(&w, kind, &hits, &refits);
            }
    }
    printf("%llu hits and pieces\n", (unsigned long long)hits);
    assert_true(hits > 300);
    assert_int_equal(refits, 2 * POSES * (sizeof powers / sizeof *powers));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_of_answers_are_the_same_in_every_environment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
