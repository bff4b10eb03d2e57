/* SPDX-License-Identifier: MIT */
/*
 * The promises of docs/environments.md: in every rounding mode, and with denormals flushed to zero, all public queries
 * that are exact give the answers of the usual environment; also when meshes, trees and searches were made in one
 * environment and are queried in another. Sizes go down to the denormals, where flushing would be noticed first.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/bits.h"
#include "graze/cache.h"
#include "graze/depth.h"
#include "graze/distance.h"
#include "graze/search.h"
#include "graze/self.h"
#include "graze/topology.h"
#include "graze/tree.h"
#include "support/environment.h"
#include "support/meshes.h"
#include "support/unit.h"

enum
{
    MOST_HITS = 512,
    POSES = 5
};

typedef struct answers
{
    graze_pair_counts counts, plain, self, searched;
    graze_hit hits[MOST_HITS];
    uint64_t near[4], strict[4];
    bool any, cached[2], within[4];
    graze_solid_answer solid;
    graze_location location;
    graze_verdict overlap, depth;
} answers;

typedef struct things
{
    graze_mesh *a, *b;
    graze_tree *tree_a, *tree_b;
    graze_placed_mesh first, second;
    graze_search *search;
} things;

/* Integer multiples of 2^power, and one of half the smallest step there is next to it. */
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
        pose.m[11] = -0x1p-1022 + 0x1p-1074;
    return pose;
}

/* The vertices are given as numbers, so that no environment changes them. */
static void make(things *t, const test_mesh *first, const test_mesh *second, int kind, int power)
{
    memset(t, 0, sizeof *t);
    t->a = mesh_create_scaled(first, power);
    t->b = mesh_create_scaled(second, power);
    graze_tree_create(NULL, t->a, NULL, NULL, &t->tree_a);
    graze_tree_create(NULL, t->b, NULL, NULL, &t->tree_b);
    t->first = (graze_placed_mesh){.mesh = t->a, .tree = t->tree_a, .pose = graze_pose_identity()};
    t->second = (graze_placed_mesh){.mesh = t->b, .tree = t->tree_b, .pose = pose_of(kind, power)};
    graze_search_create(NULL, &t->first, &t->second, GRAZE_SEARCH_COUNT, NULL, &t->search);
}

static void release(things *t)
{
    graze_search_destroy(t->search);
    graze_tree_destroy(t->tree_a);
    graze_tree_destroy(t->tree_b);
    graze_mesh_destroy(t->a);
    graze_mesh_destroy(t->b);
}

static void ask_near(const things *t, int power, answers *out)
{
    const double tolerances[4] = {0, 0x1p-1074, grz_scale(1, power), grz_scale(1.5, power)};
    graze_tolerance_options strict = graze_tolerance_options_default();
    graze_distance_options limited = graze_distance_options_default();
    strict.strict = true;
    for (int i = 0; i < 4; i++)
    {
        graze_distance distance;
        graze_pair_tolerance_count(NULL, &t->first, &t->second, tolerances[i], NULL, &out->near[i]);
        graze_pair_tolerance_count(NULL, &t->first, &t->second, tolerances[i], &strict, &out->strict[i]);
        limited.limit = tolerances[i];
        graze_pair_distance(NULL, &t->first, &t->second, &limited, &distance);
        out->within[i] = distance.found;
    }
}

static void ask(const things *t, int power, answers *out)
{
    memset(out, 0, sizeof *out);
    graze_hit hit;
    graze_placed_mesh plain_a = t->first, plain_b = t->second;
    plain_a.tree = plain_b.tree = NULL;
    graze_pair_any(NULL, &t->first, &t->second, NULL, &out->any, &hit);
    graze_pair_gather(NULL, &t->first, &t->second, NULL, out->hits, MOST_HITS, &out->counts);
    graze_pair_count(NULL, &plain_a, &plain_b, NULL, &out->plain);
    graze_self_subject subject = {.mesh = t->a, .tree = t->tree_a, .merge_equal_vertices = true};
    graze_self_count(NULL, &subject, NULL, &out->self);
    graze_search_run(t->search, NULL);
    out->searched = graze_search_examine(t->search).counts;
    graze_pair_cache cache = graze_pair_cache_default();
    graze_any_options options = graze_any_options_default();
    options.cache = &cache;
    for (int i = 0; i < 2; i++)
        graze_pair_any(NULL, &t->first, &t->second, &options, &out->cached[i], &hit);
    graze_pair_containment(NULL, &t->first, &t->second, NULL, &out->solid);
    const double point[3] = {grz_scale(1, power), grz_scale(1, power), grz_scale(1, power)};
    graze_point_in_mesh(NULL, &t->first, point, NULL, &out->location);
    graze_pair_overlap(NULL, &t->first, &t->second, NULL, &out->overlap);
    if (power < 1000) /* there every distance is computed in wide integers */
        ask_near(t, power, out);
}

/* The name of what differs, or NULL. */
static const char *difference(const answers *x, const answers *y)
{
    if (memcmp(&x->counts, &y->counts, sizeof x->counts) != 0 || memcmp(x->hits, y->hits, sizeof x->hits) != 0)
        return "hits";
    if (memcmp(&x->plain, &x->counts, sizeof x->plain) != 0)
        return "without trees";
    if (memcmp(&x->self, &y->self, sizeof x->self) != 0)
        return "self";
    if (memcmp(&x->searched, &x->counts, sizeof x->searched) != 0)
        return "search";
    if (x->any != y->any || x->cached[0] != x->any || x->cached[1] != x->any)
        return "any";
    if (x->solid.collide != y->solid.collide || x->solid.containment != y->solid.containment ||
        x->location != y->location)
        return "solid";
    if (x->overlap != y->overlap)
        return "overlap";
    if (memcmp(x->near, y->near, sizeof x->near) != 0 || memcmp(x->strict, y->strict, sizeof x->strict) != 0)
        return "tolerance";
    return memcmp(x->within, y->within, sizeof x->within) != 0 ? "distance" : NULL;
}

/* Made and queried in each environment, and made in one and queried in another, `turn` further on: over all calls every
   pair of environments occurs. */
static void check(const test_mesh *first, const test_mesh *second, int kind, int power, int turn, uint64_t *hits)
{
    static answers usual, given;
    things t;
    make(&t, first, second, kind, power);
    ask(&t, power, &usual);
    release(&t);
    *hits += usual.counts.pairs + usual.near[3] + usual.self.pairs;
    for (int made = 0; made < ENVIRONMENTS; made++)
    {
        for (int i = 0; i < 2; i++)
        {
            int asked = (made + i * turn) % ENVIRONMENTS;
            saved_environment saved;
            environment_enter(&saved, made);
            make(&t, first, second, kind, power);
            environment_leave(&saved);
            environment_enter(&saved, asked);
            ask(&t, power, &given);
            environment_leave(&saved);
            const char *wrong = difference(&given, &usual);
            if (wrong != NULL)
                fail_msg("%s: pose %d, power %d, made in %s, asked in %s", wrong, kind, power, environment_name(made),
                         environment_name(asked));
            release(&t);
        }
    }
}

static void every_query_is_the_same_in_every_environment(void **state)
{
    (void)state;
    test_random random = test_random_start("every_query_is_the_same_in_every_environment", 4);
    static const int powers[] = {0, -1074, 1000};
    uint64_t hits = 0;
    int turn = 0;
    for (int round = 0; round < 2; round++)
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
            mesh_add_cube(&second, 1, 0, 3, 1);
            mesh_add_cube(&second, 5, 5, 5, 1);
        }
        for (int kind = 0; kind < POSES; kind++)
            for (size_t i = 0; i < sizeof powers / sizeof *powers; i++)
                check(&first, &second, kind, powers[i], 1 + turn++ % (ENVIRONMENTS - 1), &hits);
    }
    printf("%llu hits\n", (unsigned long long)hits);
    assert_true(hits > 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_query_is_the_same_in_every_environment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
