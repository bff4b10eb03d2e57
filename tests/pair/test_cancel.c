/* SPDX-License-Identifier: MIT */
/*
 * Every query, cancelled at every call of its progress function and with budgets of any size: it reports that, leaves
 * its results unchanged, releases everything, and gives the right answer when it is run again. And how often it checks:
 * after 2^14 box tests or 1,000 exact tests at the latest.
 */
#include <stdio.h>
#include <string.h>

#include "graze/batch.h"
#include "graze/depth.h"
#include "graze/distance.h"
#include "graze/generate.h"
#include "graze/region.h"
#include "graze/search.h"
#include "graze/self.h"
#include "graze/tasks.h"
#include "graze/topology.h"
#include "support/counting_allocator.h"
#include "support/unit.h"

enum
{
    CAPACITY = 40,
    POSES = 3
};

/* Everything that any of the queries writes. */
typedef struct results
{
    bool found, found_batch[POSES];
    graze_hit hit, hits[CAPACITY];
    graze_proximity near, proximities[CAPACITY];
    graze_pair_counts counts, counts_batch[POSES];
    uint64_t count;
    graze_distance distance;
    graze_solid_answer solid;
    graze_depth depth;
    graze_verdict verdict;
    double length, area;
    size_t points;
    graze_location location;
} results;

typedef struct subject
{
    graze_context context;
    graze_placed_mesh a, b;
    graze_self_subject self;
    graze_pair_options options;
} subject;

static graze_distance_options distance_options(const subject *s)
{
    graze_distance_options options = graze_distance_options_default();
    options.budget = s->options.budget;
    options.stats = s->options.stats;
    return options;
}

static graze_depth_options depth_options(const subject *s)
{
    graze_depth_options options = graze_depth_options_default();
    options.max_queries = 8;
    options.budget.progress = s->options.budget.progress;
    options.budget.progress_user = s->options.budget.progress_user;
    return options;
}

static graze_tolerance_options tolerance_options(const subject *s)
{
    graze_tolerance_options options = graze_tolerance_options_default();
    options.budget = s->options.budget;
    options.stats = s->options.stats;
    return options;
}

static graze_status ask_any(const subject *s, results *r)
{
    graze_any_options options = graze_any_options_default();
    options.budget = s->options.budget;
    options.stats = s->options.stats;
    return graze_pair_any(&s->context, &s->a, &s->b, &options, &r->found, &r->hit);
}

static graze_status ask_count(const subject *s, results *r)
{
    return graze_pair_count(&s->context, &s->a, &s->b, &s->options, &r->counts);
}

static graze_status ask_gather(const subject *s, results *r)
{
    return graze_pair_gather(&s->context, &s->a, &s->b, &s->options, r->hits, CAPACITY, &r->counts);
}

/* Visited hits are compared only when all were visited. */
typedef struct tally
{
    uint64_t count, sum;
} tally;

static bool add_hit(void *user, const graze_hit *hit)
{
    tally *t = user;
    t->sum = t->sum * 31 + hit->triangle_a + 7 * (uint64_t)hit->triangle_b;
    t->count++;
    return true;
}

static bool add_near(void *user, const graze_proximity *near)
{
    tally *t = user;
    t->sum = t->sum * 31 + near->triangle_a + 7 * (uint64_t)near->triangle_b;
    t->count++;
    return true;
}

static graze_status keep_tally(graze_status status, const tally *t, results *r)
{
    if (status == GRAZE_STATUS_OK)
        r->count = t->count ^ t->sum;
    return status;
}

static graze_status ask_visit(const subject *s, results *r)
{
    tally t = {0};
    return keep_tally(graze_pair_visit(&s->context, &s->a, &s->b, &s->options, add_hit, &t), &t, r);
}

static graze_status ask_self_any(const subject *s, results *r)
{
    return graze_self_any(&s->context, &s->self, &s->options, &r->found, &r->hit);
}

static graze_status ask_self_visit(const subject *s, results *r)
{
    tally t = {0};
    return keep_tally(graze_self_visit(&s->context, &s->self, &s->options, add_hit, &t), &t, r);
}

static graze_status ask_solid(const subject *s, results *r)
{
    return graze_pair_containment(&s->context, &s->a, &s->b, &s->options, &r->solid);
}

static graze_status ask_region(const subject *s, results *r)
{
    graze_region *region = NULL;
    graze_status status = graze_region_create(&s->context, &s->a, &s->b, &s->options, &region);
    if (status == GRAZE_STATUS_OK)
    {
        r->counts = region->counts;
        r->length = region->length;
        r->area = region->area;
        r->points = region->curve_starts[region->curve_count];
    }
    graze_region_destroy(region);
    return status;
}

static graze_status ask_distance(const subject *s, results *r)
{
    graze_distance_options options = distance_options(s);
    graze_placed_mesh apart = s->b;
    apart.pose.m[3] += 4;
    return graze_pair_distance(&s->context, &s->a, &apart, &options, &r->distance);
}

static graze_status ask_tolerance_any(const subject *s, results *r)
{
    graze_tolerance_options options = tolerance_options(s);
    graze_placed_mesh apart = s->b;
    apart.pose.m[3] += 4;
    return graze_pair_tolerance_any(&s->context, &s->a, &apart, 1e-3, &options, &r->found, &r->near);
}

static graze_status ask_tolerance_count(const subject *s, results *r)
{
    graze_tolerance_options options = tolerance_options(s);
    return graze_pair_tolerance_count(&s->context, &s->a, &s->b, 0.01, &options, &r->count);
}

static graze_status ask_tolerance_gather(const subject *s, results *r)
{
    graze_tolerance_options options = tolerance_options(s);
    return graze_pair_tolerance_gather(&s->context, &s->a, &s->b, 0.01, &options, r->proximities, CAPACITY, &r->count);
}

static graze_status ask_tolerance_visit(const subject *s, results *r)
{
    tally t = {0};
    graze_tolerance_options options = tolerance_options(s);
    return keep_tally(graze_pair_tolerance_visit(&s->context, &s->a, &s->b, 0.01, &options, add_near, &t), &t, r);
}

static graze_status ask_depth(const subject *s, results *r)
{
    graze_depth_options options = depth_options(s);
    return graze_pair_depth(&s->context, &s->a, &s->b, &options, &r->depth);
}

static graze_status ask_overlap(const subject *s, results *r)
{
    graze_overlap_options options = graze_overlap_options_default();
    options.budget = s->options.budget;
    return graze_pair_overlap(&s->context, &s->a, &s->b, &options, &r->verdict);
}

static graze_status ask_batch(const subject *s, results *r)
{
    const graze_pose poses[POSES] = {s->b.pose, graze_pose_translation(0.2, 0.1, 0), graze_pose_translation(0, 1, 0)};
    const graze_pose_batch batch = {.poses_b = poses, .count = POSES};
    return graze_pair_count_batch(&s->context, &s->a, &s->b, &batch, &s->options, NULL, r->counts_batch);
}

static graze_status ask_point(const subject *s, results *r)
{
    const double point[3] = {0.125, 0.25, 0.0625};
    return graze_point_in_mesh(&s->context, &s->a, point, &s->options.budget, &r->location);
}

static graze_status ask_examine(const subject *s, results *r)
{
    graze_mesh_facts facts;
    graze_status status = graze_mesh_examine(&s->context, s->a.mesh, NULL, &s->options.budget, &facts);
    if (status == GRAZE_STATUS_OK)
    {
        r->count = facts.edges + facts.components + facts.t_junctions + facts.convex;
        r->area = facts.area;
        r->length = facts.volume;
    }
    return status;
}

static graze_status ask_topology(const subject *s, results *r)
{
    graze_topology *topology = NULL;
    graze_status status = graze_topology_create(&s->context, s->a.mesh, &s->options.budget, &topology);
    if (status == GRAZE_STATUS_OK)
        r->points = graze_topology_edge_count(topology);
    graze_topology_destroy(topology);
    return status;
}

static graze_status ask_tree(const subject *s, results *r)
{
    graze_tree *tree = NULL;
    graze_status status = graze_tree_create(&s->context, s->a.mesh, NULL, &s->options.budget, &tree);
    if (status == GRAZE_STATUS_OK)
    {
        assert_int_equal(graze_tree_validate(NULL, tree), GRAZE_STATUS_OK);
        r->count = graze_tree_examine(tree).leaves;
        r->area = graze_tree_examine(tree).cost;
    }
    graze_tree_destroy(tree);
    return status;
}

static graze_status ask_body(const subject *s, results *r)
{
    graze_body *body = NULL;
    graze_status status = graze_body_create(&s->context, s->a.mesh, &s->options.budget, &body);
    if (status == GRAZE_STATUS_OK)
        r->found = graze_body_is_closed(body);
    graze_body_destroy(body);
    return status;
}

/* Creating a search sorts the AABBs of meshes without trees; running it has no limit here. */
static graze_status ask_search(const subject *s, results *r)
{
    graze_search *search = NULL;
    graze_status status =
        graze_search_create(&s->context, &s->a, &s->b, GRAZE_SEARCH_COUNT, &s->options.budget, &search);
    assert_true((search != NULL) == (status == GRAZE_STATUS_OK));
    if (status == GRAZE_STATUS_OK)
        status = graze_search_run(search, NULL);
    if (status == GRAZE_STATUS_OK)
        r->counts = graze_search_examine(search).counts;
    graze_search_destroy(search);
    return status;
}

static graze_status ask_search_self(const subject *s, results *r)
{
    graze_search *search = NULL;
    graze_status status =
        graze_search_create_self(&s->context, &s->self, GRAZE_SEARCH_COUNT, &s->options.budget, &search);
    assert_true((search != NULL) == (status == GRAZE_STATUS_OK));
    if (status == GRAZE_STATUS_OK)
        status = graze_search_run(search, NULL);
    if (status == GRAZE_STATUS_OK)
        r->counts = graze_search_examine(search).counts;
    graze_search_destroy(search);
    return status;
}

typedef struct query
{
    const char *name;
    graze_status (*ask)(const subject *s, results *r);
    bool has_boxes; /* whether it accepts a budget of box tests */
    bool has_stats;
} query;

static const query queries[] = {
    {"any", ask_any, true, true},
    {"count", ask_count, true, true},
    {"gather", ask_gather, true, true},
    {"visit", ask_visit, true, true},
    {"self any", ask_self_any, true, true},
    {"self visit", ask_self_visit, true, true},
    {"solid", ask_solid, true, true},
    {"region", ask_region, true, true},
    {"distance", ask_distance, true, true},
    {"tolerance any", ask_tolerance_any, true, true},
    {"tolerance count", ask_tolerance_count, true, true},
    {"tolerance gather", ask_tolerance_gather, true, true},
    {"tolerance visit", ask_tolerance_visit, true, true},
    {"depth", ask_depth, false, false},
    {"overlap", ask_overlap, true, false},
    {"batch", ask_batch, true, true},
    {"point in mesh", ask_point, true, false},
    {"examine", ask_examine, true, false},
    {"topology", ask_topology, true, false},
    {"tree", ask_tree, true, false},
    {"body", ask_body, true, false},
    {"search", ask_search, true, false},
    {"search self", ask_search_self, true, false},
};

enum
{
    QUERIES = sizeof queries / sizeof *queries
};

typedef struct shapes
{
    graze_mesh *sphere, *small;
    graze_tree *sphere_tree, *small_tree;
} shapes;

static int set_up(void **state)
{
    static shapes made;
    bool fine = graze_mesh_create_sphere(NULL, 1, 48, 36, &made.sphere) == GRAZE_STATUS_OK &&
                graze_mesh_create_sphere(NULL, 1, 10, 8, &made.small) == GRAZE_STATUS_OK &&
                graze_tree_create(NULL, made.sphere, NULL, NULL, &made.sphere_tree) == GRAZE_STATUS_OK &&
                graze_tree_create(NULL, made.small, NULL, NULL, &made.small_tree) == GRAZE_STATUS_OK;
    *state = &made;
    return fine ? 0 : -1;
}

static int tear_down(void **state)
{
    shapes *made = *state;
    graze_tree_destroy(made->sphere_tree);
    graze_tree_destroy(made->small_tree);
    graze_mesh_destroy(made->sphere);
    graze_mesh_destroy(made->small);
    return 0;
}

/* Two spheres that cross, with trees or without. */
static subject choose(const shapes *made, bool trees, bool large, counting_allocator *allocator)
{
    subject s = {.context = counting_allocator_context(allocator), .options = graze_pair_options_default()};
    graze_mesh *mesh = large ? made->sphere : made->small;
    graze_tree *tree = !trees ? NULL : large ? made->sphere_tree : made->small_tree;
    s.a = (graze_placed_mesh){mesh, tree, graze_pose_identity()};
    s.b = (graze_placed_mesh){mesh, tree, graze_pose_translation(0.5, 0.25, 0.125)};
    s.self = (graze_self_subject){mesh, tree, true};
    return s;
}

typedef struct canceller
{
    uint64_t calls, allowed;
    double share;
} canceller;

static bool cancel_later(void *user, double share)
{
    canceller *c = user;
    assert_true(share >= c->share && share <= 1);
    c->share = share;
    return c->calls++ < c->allowed;
}

static void assert_untouched(const results *r)
{
    const unsigned char *bytes = (const unsigned char *)r;
    for (size_t i = 0; i < sizeof *r; i++)
        assert_int_equal(bytes[i], 0xa5);
}

/* Clears padding bytes between fields. */
#define CLEAR_GAP(structure, type, field, next)                                                                        \
    memset((char *)(structure) + offsetof(type, field) + sizeof(structure)->field, 0,                                  \
           offsetof(type, next) - offsetof(type, field) - sizeof(structure)->field)

static void clear_gaps(results *r)
{
    CLEAR_GAP(&r->near, graze_proximity, meet, lower);
    for (size_t i = 0; i < CAPACITY; i++)
        CLEAR_GAP(&r->proximities[i], graze_proximity, meet, lower);
    CLEAR_GAP(&r->distance, graze_distance, found, distance);
    CLEAR_GAP(&r->depth, graze_depth, overlap, counts);
    CLEAR_GAP(&r->depth, graze_depth, reached, translation);
    CLEAR_GAP(&r->depth, graze_depth, inside_b, point);
    memset((char *)&r->depth + offsetof(graze_depth, unfinished) + sizeof(bool), 0,
           sizeof r->depth - offsetof(graze_depth, unfinished) - sizeof(bool));
    CLEAR_GAP(&r->solid, graze_solid_answer, collide, containment);
}

static void assert_same(results *r, const results *expected)
{
    clear_gaps(r);
    assert_memory_equal(r, expected, sizeof *r);
}

/* Runs the query without limits. */
static results expect(const query *q, subject s)
{
    results r;
    memset(&r, 0xa5, sizeof r);
    s.options = graze_pair_options_default();
    assert_int_equal(q->ask(&s, &r), GRAZE_STATUS_OK);
    clear_gaps(&r);
    return r;
}

/* Cancels one query at every call, or, where these are many, at ever more distant ones; returns how often. */
static unsigned cancel_everywhere(const query *q, subject s, const counting_allocator *allocator)
{
    const results expected = expect(q, s);
    unsigned cancelled = 0;
    for (uint64_t allowed = 0;; allowed += 1 + allowed / 4)
    {
        canceller c = {0, allowed, 0};
        results r;
        memset(&r, 0xa5, sizeof r);
        s.options.budget.progress = cancel_later;
        s.options.budget.progress_user = &c;
        graze_status status = q->ask(&s, &r);
        assert_int_equal(allocator->live, 0);
        if (status == GRAZE_STATUS_OK)
        {
            assert_same(&r, &expected);
            return cancelled;
        }
        assert_int_equal(status, GRAZE_STATUS_CANCELLED);
        assert_int_equal(c.calls, allowed + 1);
        assert_untouched(&r);
        cancelled++;
    }
}

static void every_query_may_be_cancelled_at_every_call(void **state)
{
    for (size_t i = 0; i < QUERIES; i++)
    {
        for (int trees = 0; trees < 2; trees++)
        {
            counting_allocator allocator;
            subject s = choose(*state, trees != 0, true, &allocator);
            unsigned cancelled = cancel_everywhere(&queries[i], s, &allocator);
            print_message("%s %s trees: cancelled %u times\n", queries[i].name, trees ? "with" : "without", cancelled);
            assert_true(cancelled > 0 || strstr(queries[i].name, "any") != NULL || trees != 0);
        }
    }
}

static void budgets_may_end_anywhere(void **state)
{
    unsigned unfinished = 0;
    for (size_t i = 0; i < QUERIES; i++)
    {
        for (int trees = 0; trees < 2 && queries[i].has_boxes; trees++)
        {
            counting_allocator allocator;
            subject s = choose(*state, trees != 0, false, &allocator);
            const results expected = expect(&queries[i], s);
            graze_status status = GRAZE_STATUS_UNFINISHED;
            for (uint64_t boxes = 1; status != GRAZE_STATUS_OK; boxes += 1 + boxes / 16)
            {
                results r;
                memset(&r, 0xa5, sizeof r);
                s.options.budget.box_tests = boxes;
                status = queries[i].ask(&s, &r);
                assert_int_equal(allocator.live, 0);
                if (status == GRAZE_STATUS_OK)
                {
                    assert_same(&r, &expected);
                    break;
                }
                assert_int_equal(status, GRAZE_STATUS_UNFINISHED);
                assert_untouched(&r);
                unfinished++;
            }
        }
    }
    print_message("unfinished %u times\n", unfinished);
    assert_true(unfinished > 500);
}

/* A time limit that has passed before the query starts. Small queries may end before the first check. */
static void a_time_that_is_used_up_ends_every_query(void **state)
{
    unsigned unfinished = 0;
    for (size_t i = 0; i < QUERIES; i++)
    {
        counting_allocator allocator;
        subject s = choose(*state, false, true, &allocator);
        const results expected = expect(&queries[i], s);
        results r;
        memset(&r, 0xa5, sizeof r);
        s.options.budget.seconds = 1e-9;
        graze_status status = queries[i].ask(&s, &r);
        assert_int_equal(allocator.live, 0);
        if (status == GRAZE_STATUS_OK)
            assert_same(&r, &expected);
        else
        {
            assert_int_equal(status, GRAZE_STATUS_UNFINISHED);
            assert_untouched(&r);
            unfinished++;
        }
    }
    print_message("unfinished %u times\n", unfinished);
    assert_true(unfinished > QUERIES / 2);
}

static void queries_look_often_enough(void **state)
{
    for (size_t i = 0; i < QUERIES; i++)
    {
        for (int trees = 0; trees < 2 && queries[i].has_stats; trees++)
        {
            counting_allocator allocator;
            subject s = choose(*state, trees != 0, true, &allocator);
            canceller c = {0, UINT64_MAX, 0};
            graze_stats stats = {0};
            results r;
            s.options.budget.progress = cancel_later;
            s.options.budget.progress_user = &c;
            s.options.stats = &stats;
            assert_int_equal(queries[i].ask(&s, &r), GRAZE_STATUS_OK);
            assert_true(c.calls >= stats.box_tests >> 14 && c.calls >= stats.triangle_tests / 1000);
        }
    }
}

/* Calls that prepare a mesh: how many elements their passes go over at least, for each triangle. */
typedef struct mesh_call
{
    graze_status (*ask)(const subject *s, results *r);
    uint64_t passes;
} mesh_call;

static void calls_that_prepare_a_mesh_look_often_enough(void **state)
{
    (void)state;
    static const mesh_call calls[] = {
        {ask_point, 3}, {ask_examine, 30}, {ask_topology, 18}, {ask_tree, 8}, {ask_body, 3}};
    graze_mesh *mesh = NULL;
    graze_tree *tree = NULL;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 60, &mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
    graze_pool *pool = NULL;
    assert_int_equal(graze_pool_create(NULL, 3, &pool), GRAZE_STATUS_OK);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    {
        counting_allocator allocator;
        subject s = {.context = counting_allocator_context(&allocator), .options = graze_pair_options_default()};
        s.a = (graze_placed_mesh){mesh, tree, graze_pose_identity()};
        canceller c = {0, UINT64_MAX, 0};
        results r;
        s.options.budget.progress = cancel_later;
        s.options.budget.progress_user = &c;
        assert_int_equal(calls[i].ask(&s, &r), GRAZE_STATUS_OK);
        uint64_t expected = calls[i].passes * graze_mesh_triangle_count(mesh) >> 14;
        print_message("call %zu: %llu looks, at least %llu, up to a share of %g\n", i, (unsigned long long)c.calls,
                      (unsigned long long)expected, c.share);
        assert_true(c.calls >= expected && c.share > 0.5);
        s.context.tasks = graze_pool_tasks(pool);
        for (uint64_t allowed = 0; allowed < 8; allowed++)
        {
            c = (canceller){0, allowed, 0};
            graze_status status = calls[i].ask(&s, &r);
            assert_true(status == GRAZE_STATUS_CANCELLED || c.calls <= allowed);
            assert_int_equal(allocator.live, 0);
        }
    }
    graze_pool_destroy(pool);
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
}

/* A used-up budget makes the interval wider, and never wrong. */
static void a_depth_is_certain_within_any_budget(void **state)
{
    unsigned unfinished = 0, wider = 0;
    counting_allocator allocator;
    subject s = choose(*state, true, false, &allocator);
    graze_depth_options options = graze_depth_options_default();
    graze_depth whole, depth = {0};
    options.max_queries = 40;
    assert_int_equal(graze_pair_depth(&s.context, &s.a, &s.b, &options, &whole), GRAZE_STATUS_OK);
    for (uint64_t boxes = 1; boxes == 1 || depth.queries < whole.queries; boxes += 1 + boxes / 8)
    {
        options.budget.box_tests = boxes;
        assert_int_equal(graze_pair_depth(&s.context, &s.a, &s.b, &options, &depth), GRAZE_STATUS_OK);
        assert_int_equal(allocator.live, 0);
        assert_true(depth.lower <= whole.upper && depth.upper >= whole.lower);
        unfinished += depth.unfinished;
        wider += !depth.unfinished && depth.upper - depth.lower > whole.upper - whole.lower;
    }
    print_message("unfinished %u times, wider %u times\n", unfinished, wider);
    assert_true(unfinished > 3 && wider > 3 && memcmp(&depth.upper, &whole.upper, sizeof whole.upper) == 0);
}

/* Compares the work done when one call cancels with that when the next one does: the difference is the work between two
   checks. */
static void no_gap_between_two_looks_is_long(void **state)
{
    uint64_t most_boxes = 0, most_triangles = 0;
    for (size_t i = 0; i < QUERIES; i++)
    {
        for (int trees = 0; trees < 2 && queries[i].has_stats; trees++)
        {
            graze_stats before = {0}, stats = {0};
            graze_status status = GRAZE_STATUS_CANCELLED;
            for (uint64_t allowed = 0; allowed < 24 && status != GRAZE_STATUS_OK; allowed++)
            {
                counting_allocator allocator;
                subject s = choose(*state, trees != 0, true, &allocator);
                canceller c = {0, allowed, 0};
                results r;
                s.options.budget.progress = cancel_later;
                s.options.budget.progress_user = &c;
                s.options.stats = &stats;
                status = queries[i].ask(&s, &r);
                uint64_t boxes = stats.box_tests - before.box_tests;
                uint64_t triangles = stats.triangle_tests - before.triangle_tests;
                if (boxes > (1 << 14) + 64 || triangles > 1000 + 64)
                    fail_msg("%s %s trees: %llu box tests and %llu triangle tests before look %llu", queries[i].name,
                             trees ? "with" : "without", (unsigned long long)boxes, (unsigned long long)triangles,
                             (unsigned long long)allowed);
                most_boxes = boxes > most_boxes ? boxes : most_boxes;
                most_triangles = triangles > most_triangles ? triangles : most_triangles;
                before = stats;
            }
        }
    }
    print_message("at most %llu box tests and %llu triangle tests\n", (unsigned long long)most_boxes,
                  (unsigned long long)most_triangles);
    assert_true(most_boxes > 1000 && most_triangles > 100);
}

static void threads_cancel_too(void **state)
{
    graze_pool *pool = NULL;
    assert_int_equal(graze_pool_create(NULL, 3, &pool), GRAZE_STATUS_OK);
    unsigned cancelled = 0;
    for (size_t i = 0; i < QUERIES; i++)
    {
        counting_allocator allocator;
        subject s = choose(*state, true, true, &allocator);
        const results expected = expect(&queries[i], s);
        for (uint64_t allowed = 0; allowed < 3; allowed++)
        {
            canceller c = {0, allowed, 0};
            results r;
            memset(&r, 0xa5, sizeof r);
            s.context.tasks = graze_pool_tasks(pool);
            s.options.budget.progress = cancel_later;
            s.options.budget.progress_user = &c;
            graze_status status = queries[i].ask(&s, &r);
            assert_int_equal(allocator.live, 0);
            if (status == GRAZE_STATUS_OK)
                assert_same(&r, &expected);
            else
            {
                assert_int_equal(status, GRAZE_STATUS_CANCELLED);
                assert_untouched(&r);
                cancelled++;
            }
        }
    }
    print_message("cancelled %u times\n", cancelled);
    assert_true(cancelled > 5);
    graze_pool_destroy(pool);
}

/* While boxes are sorted, before any is tested. */
static void the_cost_of_queries_cancelled_at_once_is_nothing(void **state)
{
    const shapes *made = *state;
    counting_allocator allocator = {0};
    canceller c = {0, 0, 0};
    graze_pair_counts counts;
    graze_stats stats, none = {0};
    subject s = choose(made, false, true, &allocator);
    memset(&stats, 0xa5, sizeof stats);
    s.options.stats = &stats;
    s.options.budget.progress = cancel_later;
    s.options.budget.progress_user = &c;
    assert_int_equal(graze_pair_count(&s.context, &s.a, &s.b, &s.options, &counts), GRAZE_STATUS_CANCELLED);
    assert_memory_equal(&stats, &none, sizeof stats);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_query_may_be_cancelled_at_every_call),
        cmocka_unit_test(budgets_may_end_anywhere),
        cmocka_unit_test(a_time_that_is_used_up_ends_every_query),
        cmocka_unit_test(queries_look_often_enough),
        cmocka_unit_test(no_gap_between_two_looks_is_long),
        cmocka_unit_test(threads_cancel_too),
        cmocka_unit_test(calls_that_prepare_a_mesh_look_often_enough),
        cmocka_unit_test(a_depth_is_certain_within_any_budget),
        cmocka_unit_test(the_cost_of_queries_cancelled_at_once_is_nothing),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
