/* SPDX-License-Identifier: MIT */
/* NULLs and failing allocations: queries about two meshes, one mesh against itself, and searches. */
#include "graze/batch.h"
#include "graze/cache.h"
#include "graze/depth.h"
#include "graze/distance.h"
#include "graze/generate.h"
#include "graze/region.h"
#include "graze/search.h"
#include "graze/self.h"
#include "support/failure.h"
#include "support/unit.h"

enum
{
    POSES = 3,
    HITS = 2000
};

static struct
{
    graze_mesh *meshes[2];
    graze_tree *trees[2];
    graze_body *bodies[2];
    graze_search *search;
    graze_placed_mesh placed[2];
    graze_self_subject subject;
    graze_pair_options options;
    graze_any_options any_options;
    graze_budget budget;
    graze_pair_cache cache;
    graze_distance_options distance_options;
    graze_tolerance_options tolerance_options;
    graze_depth_options depth_options;
    graze_overlap_options overlap_options;
    graze_deepest_options deepest_options;
    graze_interference_options interference_options;
    graze_known_pair known;
    graze_pose poses[POSES];
    graze_pose_batch batch;
    graze_stats stats;
    graze_error error;
    graze_hit hit;
    double visited;
} world;

static struct
{
    bool found, founds[POSES];
    graze_hit hit, hits[HITS];
    graze_pair_counts counts, all_counts[POSES];
    graze_intersection intersection;
    graze_solid_answer solid;
    graze_location location;
    graze_body *body;
    graze_depth depth;
    graze_deepest_point deepest;
    graze_interference interference;
    graze_verdict verdict;
    graze_region *region;
    graze_search *search;
    graze_undecided_volumes undecided[8];
    graze_distance distance;
    double normal[3];
    graze_proximity near, proximities[HITS];
    uint64_t count;
    size_t size;
} out;

static const double middle[3] = {0, 0, 0};

/* Two spheres that intersect each other; the first has no self-intersection. */
static void set_up(void)
{
    for (int i = 0; i < 2; i++)
    {
        assert_int_equal(graze_mesh_create_geodesic_sphere(&failure.context, 1, 2, &world.meshes[i]), GRAZE_STATUS_OK);
        assert_int_equal(graze_tree_create(&failure.context, world.meshes[i], NULL, NULL, &world.trees[i]),
                         GRAZE_STATUS_OK);
        assert_int_equal(graze_body_create(&failure.context, world.meshes[i], NULL, &world.bodies[i]), GRAZE_STATUS_OK);
        world.placed[i] = (graze_placed_mesh){world.meshes[i], world.trees[i], graze_pose_translation(i, 0.25, 0)};
    }
    for (int i = 0; i < POSES; i++)
        world.poses[i] = graze_pose_translation(i, 0, 0.5);
    assert_int_equal(graze_pair_any(NULL, &world.placed[0], &world.placed[1], NULL, &out.found, &world.hit),
                     GRAZE_STATUS_OK);
    assert_int_equal(graze_search_create(&failure.context, &world.placed[0], &world.placed[1], GRAZE_SEARCH_HITS, NULL,
                                         &world.search),
                     GRAZE_STATUS_OK);
    world.cache = graze_pair_cache_default();
    world.visited = 0;
}

static void tear_down(void)
{
    graze_search_destroy(world.search);
    for (int i = 0; i < 2; i++)
    {
        graze_body_destroy(world.bodies[i]);
        graze_tree_destroy(world.trees[i]);
        graze_mesh_destroy(world.meshes[i]);
    }
}

static const graze_placed_mesh *placed(int side)
{
    world.placed[side].mesh = NEED(INNER + 2 * side, world.meshes[side]);
    world.placed[side].tree = MAY(INNER + 2 * side + 1, world.trees[side]);
    return &world.placed[side];
}

static bool go_on(void *user, double share)
{
    (void)user;
    return share >= 0;
}

static const graze_pair_options *options(void)
{
    world.options = graze_pair_options_default();
    world.options.stats = MAY(INNER + 4, &world.stats);
    world.options.budget.progress = MAY(INNER + 6, go_on);
    world.options.budget.progress_user = MAY(INNER + 7, &world);
    return &world.options;
}

static const graze_any_options *any_options(void)
{
    world.any_options = graze_any_options_default();
    world.any_options.stats = MAY(INNER + 4, &world.stats);
    world.any_options.cache = MAY(INNER + 5, &world.cache);
    world.any_options.budget.progress = MAY(INNER + 6, go_on);
    world.any_options.budget.progress_user = MAY(INNER + 7, &world);
    return &world.any_options;
}

static const graze_budget *budget(void)
{
    world.budget = (graze_budget){.progress = MAY(INNER + 4, go_on), .progress_user = MAY(INNER + 5, &world)};
    return &world.budget;
}

static const graze_pose_batch *batch(void)
{
    world.batch = (graze_pose_batch){MAY(INNER + 8, world.poses), MAY(INNER + 9, world.poses), 0, 0, POSES};
    return &world.batch;
}

static const graze_self_subject *subject(void)
{
    world.subject = (graze_self_subject){NEED(INNER, world.meshes[0]), MAY(INNER + 1, world.trees[0]), true};
    return &world.subject;
}

static const graze_known_pair *known(void)
{
    world.known.body_a = MAY(INNER + 8, world.bodies[0]);
    world.known.body_b = MAY(INNER + 9, world.bodies[1]);
    return &world.known;
}

static const graze_distance_options *distance_options(void)
{
    world.distance_options = graze_distance_options_default();
    world.distance_options.stats = MAY(INNER + 4, &world.stats);
    world.distance_options.budget.progress = MAY(INNER + 5, go_on);
    world.distance_options.budget.progress_user = MAY(INNER + 6, &world);
    return &world.distance_options;
}

static const graze_tolerance_options *tolerance_options(void)
{
    world.tolerance_options = graze_tolerance_options_default();
    world.tolerance_options.stats = MAY(INNER + 4, &world.stats);
    world.tolerance_options.budget.progress = MAY(INNER + 5, go_on);
    world.tolerance_options.budget.progress_user = MAY(INNER + 6, &world);
    return &world.tolerance_options;
}

static const graze_overlap_options *overlap_options(void)
{
    world.overlap_options = graze_overlap_options_default();
    world.overlap_options.body_a = MAY(INNER + 4, world.bodies[0]);
    world.overlap_options.body_b = MAY(INNER + 5, world.bodies[1]);
    world.overlap_options.budget.progress = MAY(INNER + 6, go_on);
    world.overlap_options.budget.progress_user = MAY(INNER + 7, &world);
    return &world.overlap_options;
}

static const graze_depth_options *depth_options(void)
{
    world.depth_options = graze_depth_options_default();
    world.depth_options.max_queries = 5;
    world.depth_options.body_a = MAY(INNER + 4, world.bodies[0]);
    world.depth_options.body_b = MAY(INNER + 5, world.bodies[1]);
    world.depth_options.budget.progress = MAY(INNER + 6, go_on);
    world.depth_options.budget.progress_user = MAY(INNER + 7, &world);
    return &world.depth_options;
}

static const graze_deepest_options *deepest_options(void)
{
    world.deepest_options = graze_deepest_options_default();
    world.deepest_options.max_cells = 5;
    world.deepest_options.body_a = MAY(INNER + 4, world.bodies[0]);
    world.deepest_options.body_b = MAY(INNER + 5, world.bodies[1]);
    world.deepest_options.budget.progress = MAY(INNER + 6, go_on);
    world.deepest_options.budget.progress_user = MAY(INNER + 7, &world);
    return &world.deepest_options;
}

static const graze_interference_options *interference_options(void)
{
    world.interference_options = graze_interference_options_default();
    world.interference_options.max_cells = world.interference_options.max_queries = 5;
    world.interference_options.region = world.interference_options.volume = world.interference_options.pieces = true;
    world.interference_options.body_a = MAY(INNER + 4, world.bodies[0]);
    world.interference_options.body_b = MAY(INNER + 5, world.bodies[1]);
    world.interference_options.budget.progress = MAY(INNER + 6, go_on);
    world.interference_options.budget.progress_user = MAY(INNER + 7, &world);
    return &world.interference_options;
}

static bool visit(void *user, const graze_hit *hit)
{
    (void)user;
    world.visited += hit->triangle_a + 1;
    return true;
}

static bool visit_near(void *user, const graze_proximity *near)
{
    (void)user;
    world.visited += near->triangle_a + 1;
    return true;
}

/* The hits visited by a call that failed are not compared. */
static double visited(void)
{
    double sum = world.visited;
    world.visited = 0;
    return sum;
}

#define CONTEXT MAY(0, &failure.context)
#define PAIR CONTEXT, NEED(1, placed(0)), NEED(2, placed(1))

VALUE(graze_pair_options, graze_pair_options_default, (), result.struct_size > 0)
VALUE(graze_any_options, graze_any_options_default, (), result.struct_size > 0)
VALUE(graze_tolerance_options, graze_tolerance_options_default, (), !result.strict)
VALUE(graze_overlap_options, graze_overlap_options_default, (), result.body_a == NULL)
VALUE(graze_pair_cache, graze_pair_cache_default, (), result.queries == 0)
VALUE(graze_distance_options, graze_distance_options_default, (), result.limit > 0)
VALUE(graze_deepest_options, graze_deepest_options_default, (), result.relative_error > 0)
VALUE(graze_interference_options, graze_interference_options_default, (), result.relative_error > 0)
VALUE(graze_depth_options, graze_depth_options_default, (), result.max_queries > 0)

CALL(graze_pair_any, (PAIR, MAY(3, any_options()), NEED(4, &out.found), MAY(5, &out.hit)), failure.answer = out.found)
CALL(graze_pair_any_dual, (PAIR, MAY(3, any_options()), NEED(4, &out.found), MAY(5, &out.hit)),
     failure.answer = out.found)
CALL(graze_pair_count, (PAIR, MAY(3, options()), NEED(4, &out.counts)), failure.answer = (double)out.counts.pairs)
CALL(graze_pair_gather, (PAIR, MAY(3, options()), NEED(4, out.hits), HITS, NEED(5, &out.counts)),
     failure.answer = (double)out.counts.pairs)
CALL(graze_pair_visit, (PAIR, MAY(3, options()), NEED(4, visit), MAY(5, &world)), failure.answer = visited())
CALL(graze_hit_intersection, (NEED(0, placed(0)), NEED(1, placed(1)), NEED(2, &world.hit), NEED(3, &out.intersection)),
     failure.answer = out.intersection.count)
CALL(graze_pair_containment, (PAIR, MAY(3, options()), NEED(4, &out.solid)), failure.answer = out.solid.collide)
CALL(graze_pair_containment_known, (PAIR, MAY(3, known()), MAY(4, options()), NEED(5, &out.solid)),
     failure.answer = out.solid.collide)
CALL(graze_point_in_mesh, (CONTEXT, NEED(1, placed(0)), NEED(2, middle), MAY(3, budget()), NEED(4, &out.location)),
     failure.answer = out.location)

CALL(graze_pair_any_batch, (PAIR, NEED(3, batch()), MAY(4, any_options()), MAY(5, &world.error), NEED(6, out.founds)),
     failure.answer = out.founds[0] + 2 * out.founds[1] + 4 * out.founds[2])
CALL(graze_pair_count_batch, (PAIR, NEED(3, batch()), MAY(4, options()), MAY(5, &world.error), NEED(6, out.all_counts)),
     failure.answer = (double)out.all_counts[1].pairs)

CALL(graze_body_create, (CONTEXT, NEED(1, world.meshes[0]), MAY(2, budget()), NEED(3, &out.body)),
     failure.answer = graze_body_is_closed(out.body);
     graze_body_destroy(out.body))
CALL(graze_body_create_surface, (CONTEXT, NEED(1, world.meshes[0]), MAY(2, budget()), NEED(3, &out.body)),
     failure.answer = graze_body_is_closed(out.body);
     graze_body_destroy(out.body))
VALUE(bool, graze_body_is_closed, (NEED(0, world.bodies[0])), result)
VALUE(const uint32_t *, graze_body_twins, (NEED(0, world.bodies[0])), result != NULL)
VALUE(size_t, graze_body_memory_size, (NEED(0, world.bodies[0])), result > 0)
VALUE(size_t, graze_search_memory_size, (NEED(0, world.search)), result > 0)
CALL(graze_pair_depth, (PAIR, MAY(3, depth_options()), NEED(4, &out.depth)), failure.answer = out.depth.upper)
CALL(graze_pair_deepest_point, (PAIR, MAY(3, deepest_options()), NEED(4, &out.deepest)),
     failure.answer = out.deepest.upper)
CALL(graze_pair_interference, (PAIR, MAY(3, interference_options()), NEED(4, &out.interference)),
     failure.answer = out.interference.deepest.upper;
     graze_region_destroy(out.interference.region))
CALL(graze_pair_overlap, (PAIR, MAY(3, overlap_options()), NEED(4, &out.verdict)), failure.answer = out.verdict)

CALL(graze_region_create, (PAIR, MAY(3, options()), NEED(4, &out.region)), failure.answer = out.region->length;
     graze_region_destroy(out.region))

CALL(graze_self_any, (CONTEXT, NEED(1, subject()), MAY(2, options()), NEED(3, &out.found), MAY(4, &out.hit)),
     failure.answer = out.found)
CALL(graze_self_count, (CONTEXT, NEED(1, subject()), MAY(2, options()), NEED(3, &out.counts)),
     failure.answer = (double)out.counts.pairs)
CALL(graze_self_gather, (CONTEXT, NEED(1, subject()), MAY(2, options()), NEED(3, out.hits), HITS, NEED(4, &out.counts)),
     failure.answer = (double)out.counts.pairs)
CALL(graze_self_visit, (CONTEXT, NEED(1, subject()), MAY(2, options()), NEED(3, visit), MAY(4, &world)),
     failure.answer = visited())

CALL(graze_pair_distance, (PAIR, MAY(3, distance_options()), NEED(4, &out.distance)),
     failure.answer = out.distance.distance)
CALL(graze_pair_find_separating_plane,
     (NEED(0, &world.placed[0]), NEED(1, &world.placed[1]), 0, NEED(2, &out.found), MAY(3, out.normal)),
     failure.answer = out.found)
CALL(graze_pair_tolerance_any, (PAIR, 0.1, MAY(3, tolerance_options()), NEED(4, &out.found), MAY(5, &out.near)),
     failure.answer = out.found)
CALL(graze_pair_tolerance_count, (PAIR, 0.1, MAY(3, tolerance_options()), NEED(4, &out.count)),
     failure.answer = (double)out.count)
CALL(graze_pair_tolerance_gather,
     (PAIR, 0.1, MAY(3, tolerance_options()), NEED(4, out.proximities), HITS, NEED(5, &out.count)),
     failure.answer = (double)out.count)
CALL(graze_pair_tolerance_visit, (PAIR, 0.1, MAY(3, tolerance_options()), NEED(4, visit_near), MAY(5, &world)),
     failure.answer = visited())

CALL(graze_search_create, (PAIR, GRAZE_SEARCH_ANY, MAY(3, budget()), NEED(4, &out.search)),
     graze_search_destroy(out.search))
CALL(graze_search_create_self,
     (CONTEXT, NEED(1, subject()), GRAZE_SEARCH_COUNT, MAY(2, budget()), NEED(3, &out.search)),
     graze_search_destroy(out.search))
CALL(graze_search_run, (NEED(0, world.search), MAY(1, budget())),
     failure.answer = (double)graze_search_examine(world.search).counts.pairs)

static graze_status call_graze_search_examine(void)
{
    graze_search_state state = graze_search_examine(NEED(0, world.search));
    bool empty = !state.finished && state.undecided == 0 && state.counts.pairs == 0;
    return empty ? GRAZE_STATUS_BAD_ARGUMENT : GRAZE_STATUS_OK;
}

static graze_status call_graze_search_hits(void)
{
    size_t allowed = failure.allocator.allowed, before = failure.allocator.requests;
    failure.allocator.allowed = SIZE_MAX;
    assert_int_equal(graze_search_run(world.search, NULL), GRAZE_STATUS_OK);
    failure.allocator.allowed = allowed == SIZE_MAX ? allowed : allowed + failure.allocator.requests - before;
    graze_status status = graze_search_hits(NEED(0, world.search), NEED(1, out.hits), HITS, NEED(2, &out.size));
    if (status == GRAZE_STATUS_OK)
        failure.answer = (double)out.size;
    return status;
}

CALL(graze_search_undecided, (NEED(0, world.search), NEED(1, out.undecided), 8, NEED(2, &out.size)),
     failure.answer = (double)out.size)

static graze_status call_graze_search_destroy(void)
{
    graze_search_destroy(MAY(0, world.search));
    if (failure.missing == NOTHING)
        world.search = NULL;
    return GRAZE_STATUS_OK;
}

static graze_status call_graze_body_destroy(void)
{
    graze_body_destroy(MAY(0, world.bodies[0]));
    if (failure.missing == NOTHING)
        world.bodies[0] = NULL;
    return GRAZE_STATUS_OK;
}

static graze_status call_graze_region_destroy(void)
{
    graze_region *region;
    assert_int_equal(graze_region_create(NULL, &world.placed[0], &world.placed[1], NULL, &region), GRAZE_STATUS_OK);
    graze_region_destroy(MAY(0, region));
    if (failure.missing == 0)
        graze_region_destroy(region);
    return GRAZE_STATUS_OK;
}

static const failure_row rows[] = {
    ROW(graze_pair_options_default, 0, 0),
    ROW(graze_any_options_default, 0, 0),
    ROW(graze_tolerance_options_default, 0, 0),
    ROW(graze_overlap_options_default, 0, 0),
    ROW(graze_pair_cache_default, 0, 0),
    ROW(graze_distance_options_default, 0, 0),
    ROW(graze_depth_options_default, 0, 0),
    ROW(graze_deepest_options_default, 0, 0),
    ROW(graze_interference_options_default, 0, 0),
    ROW(graze_pair_any, 6, ALLOCATES),
    ROW(graze_pair_any_dual, 6, ALLOCATES),
    ROW(graze_pair_count, 5, ALLOCATES),
    ROW(graze_pair_gather, 6, ALLOCATES),
    ROW(graze_pair_visit, 6, ALLOCATES),
    ROW(graze_hit_intersection, 4, 0),
    ROW(graze_pair_containment, 5, ALLOCATES),
    ROW(graze_pair_containment_known, 6, ALLOCATES),
    ROW(graze_point_in_mesh, 5, ALLOCATES),
    ROW(graze_pair_any_batch, 7, ALLOCATES),
    ROW(graze_pair_count_batch, 7, ALLOCATES),
    ROW(graze_body_create, 4, ALLOCATES),
    ROW(graze_body_create_surface, 4, ALLOCATES),
    ROW(graze_body_is_closed, 1, 0),
    ROW(graze_body_twins, 1, 0),
    ROW(graze_body_memory_size, 1, 0),
    ROW(graze_search_memory_size, 1, 0),
    ROW(graze_pair_depth, 5, ALLOCATES),
    ROW(graze_pair_deepest_point, 5, ALLOCATES),
    ROW(graze_pair_interference, 5, ALLOCATES),
    ROW(graze_pair_overlap, 5, ALLOCATES),
    ROW(graze_region_create, 5, ALLOCATES),
    ROW(graze_self_any, 5, ALLOCATES),
    ROW(graze_self_count, 4, ALLOCATES),
    ROW(graze_self_gather, 5, ALLOCATES),
    ROW(graze_self_visit, 5, ALLOCATES),
    ROW(graze_pair_distance, 5, ALLOCATES),
    ROW(graze_pair_find_separating_plane, 4, 0),
    ROW(graze_pair_tolerance_any, 6, ALLOCATES),
    ROW(graze_pair_tolerance_count, 5, ALLOCATES),
    ROW(graze_pair_tolerance_gather, 6, ALLOCATES),
    ROW(graze_pair_tolerance_visit, 6, ALLOCATES),
    ROW(graze_search_create, 5, ALLOCATES),
    ROW(graze_search_create_self, 4, ALLOCATES),
    ROW(graze_search_run, 2, ALLOCATES | ONCE),
    ROW(graze_search_examine, 1, 0),
    ROW(graze_search_hits, 3, ALLOCATES),
    ROW(graze_search_undecided, 3, 0),
    ROW(graze_search_destroy, 1, 0),
    ROW(graze_body_destroy, 1, 0),
    ROW(graze_region_destroy, 1, 0),
};

FAILURE_TESTS(rows, out, NULL, NULL)
