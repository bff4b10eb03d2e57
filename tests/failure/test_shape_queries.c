/* SPDX-License-Identifier: MIT */
/* NULLs and failing allocations: queries of two shapes, and rays. */
#include "graze/generate.h"
#include "graze/shape_batch.h"
#include "graze/shape_query.h"
#include "support/failure.h"
#include "support/unit.h"

enum
{
    PARTS = 5,
    HITS = 400,
    POSES = 3
};

static struct
{
    graze_mesh *meshes[2];
    graze_shape *parts[PARTS], *compound, *solid;
    graze_placed placed[2];
    graze_shape_options options;
    graze_shape_distance_options distance_options;
    graze_shape_tolerance_options tolerance_options;
    graze_shape_depth_options depth_options;
    graze_shape_cache cache;
    graze_stats stats;
    double visited;
    graze_pose poses[POSES];
    graze_pose_batch batch;
    graze_error error;
} world;

static struct
{
    graze_verdict verdict, verdicts[POSES];
    graze_shape_hit hit, hits[HITS];
    graze_shape_distance distance;
    graze_shape_depth depth;
    graze_shape_counts counts;
    graze_shape_ray_hit ray_hit;
    graze_shape_cast_hit cast_hit;
} out;

static const double up[3] = {0, 0, 1}, corner[3] = {-3, 0.25, 0.125}, along[3] = {1, 0, 0}, to[3] = {3, 1, 0.5};

/* A compound of one leaf of each form, the last of which meets a solid. */
static void set_up(void)
{
    const graze_context *context = &failure.context;
    graze_placed parts[PARTS];
    for (int i = 0; i < 2; i++)
        assert_int_equal(graze_mesh_create_geodesic_sphere(context, 1, 2, &world.meshes[i]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_half_space(context, up, -1.5, &world.parts[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_cylinder(context, 0.5, 0.5, &world.parts[1]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_sphere(context, NULL, 0.5, &world.parts[2]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_box(context, (const double[3]){1, 1, 1}, &world.parts[3]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_mesh(context, world.meshes[0], NULL, false, &world.parts[4]), GRAZE_STATUS_OK);
    for (int i = 0; i < PARTS; i++)
        parts[i] = (graze_placed){world.parts[i], graze_pose_translation(i < 4 ? 2 : 1, i == 4 ? 0 : 2 * i - 4, 0)};
    assert_int_equal(graze_shape_create_compound(context, parts, PARTS, &world.compound), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_mesh(context, world.meshes[1], NULL, true, &world.solid), GRAZE_STATUS_OK);
    world.placed[0] = (graze_placed){world.compound, graze_pose_translation(0.125, 0, 0)};
    world.placed[1] = (graze_placed){world.solid, graze_pose_identity()};
    world.cache = graze_shape_cache_default();
    world.visited = 0;
    for (int i = 0; i < POSES; i++)
        world.poses[i] = graze_pose_translation(0.5 * i, 0, 0);
    world.batch = (graze_pose_batch){.poses_b = world.poses, .count = POSES};
}

static void tear_down(void)
{
    graze_shape_destroy(world.compound);
    graze_shape_destroy(world.solid);
    for (int i = 0; i < PARTS; i++)
        graze_shape_destroy(world.parts[i]);
    for (int i = 0; i < 2; i++)
        graze_mesh_destroy(world.meshes[i]);
}

static bool go_on(void *user, double share)
{
    (void)user;
    return share >= 0;
}

static const graze_placed *placed(int side)
{
    world.placed[side].shape = NEED(INNER + side, side == 0 ? world.compound : world.solid);
    return &world.placed[side];
}

static graze_budget budget(void)
{
    return (graze_budget){.progress = MAY(INNER + 4, go_on), .progress_user = MAY(INNER + 5, &world)};
}

static const graze_shape_options *options(void)
{
    world.options = graze_shape_options_default();
    world.options.stats = MAY(INNER + 2, &world.stats);
    world.options.cache = MAY(INNER + 3, &world.cache);
    world.options.budget = budget();
    return &world.options;
}

static const graze_shape_distance_options *distance_options(void)
{
    world.distance_options = graze_shape_distance_options_default();
    world.distance_options.stats = MAY(INNER + 2, &world.stats);
    world.distance_options.cache = MAY(INNER + 3, &world.cache);
    world.distance_options.budget = budget();
    return &world.distance_options;
}

static const graze_shape_tolerance_options *tolerance_options(void)
{
    world.tolerance_options = graze_shape_tolerance_options_default();
    world.tolerance_options.stats = MAY(INNER + 2, &world.stats);
    world.tolerance_options.cache = MAY(INNER + 3, &world.cache);
    world.tolerance_options.budget = budget();
    return &world.tolerance_options;
}

static const graze_shape_depth_options *depth_options(void)
{
    world.depth_options = graze_shape_depth_options_default();
    world.depth_options.max_queries = 5;
    world.depth_options.stats = MAY(INNER + 2, &world.stats);
    world.depth_options.cache = MAY(INNER + 3, &world.cache);
    world.depth_options.budget = budget();
    return &world.depth_options;
}

static bool visit(void *user, const graze_shape_hit *hit)
{
    (void)user;
    world.visited += hit->part_a + 1;
    return true;
}

/* The hits visited by a call that failed are not compared. */
static double visited(void)
{
    double sum = world.visited;
    world.visited = 0;
    return sum;
}

#define PAIR MAY(0, &failure.context), NEED(1, placed(0)), NEED(2, placed(1))

VALUE(graze_shape_options, graze_shape_options_default, (), result.struct_size > 0)
VALUE(graze_shape_distance_options, graze_shape_distance_options_default, (), result.limit > 0)
VALUE(graze_shape_tolerance_options, graze_shape_tolerance_options_default, (), !result.strict)
VALUE(graze_shape_depth_options, graze_shape_depth_options_default, (), result.max_queries > 0)
VALUE(graze_shape_cache, graze_shape_cache_default, (), result.meshes.queries == 0)
CALL(graze_shape_pair_any, (PAIR, MAY(3, options()), NEED(4, &out.verdict), MAY(5, &out.hit)),
     failure.answer = out.verdict)
CALL(graze_shape_pair_distance, (PAIR, MAY(3, distance_options()), NEED(4, &out.distance)),
     failure.answer = out.distance.upper)
CALL(graze_shape_pair_tolerance_any,
     (PAIR, 0.125, MAY(3, tolerance_options()), NEED(4, &out.verdict), MAY(5, &out.hit)), failure.answer = out.verdict)
CALL(graze_shape_pair_depth, (PAIR, MAY(3, depth_options()), NEED(4, &out.depth)), failure.answer = out.depth.overlap)
CALL(graze_shape_pair_count, (PAIR, MAY(3, options()), NEED(4, &out.counts)), failure.answer = (double)out.counts.hits)
CALL(graze_shape_pair_gather, (PAIR, MAY(3, options()), NEED(4, out.hits), HITS, NEED(5, &out.counts)),
     failure.answer = (double)out.counts.hits)
CALL(graze_shape_pair_visit, (PAIR, MAY(3, options()), NEED(4, visit), MAY(5, &world)), failure.answer = visited())
CALL(graze_shape_cast_ray,
     (MAY(0, &failure.context), NEED(1, placed(0)), NEED(2, corner), NEED(3, along), 64, MAY(4, options()),
      NEED(5, &out.verdict), MAY(6, &out.ray_hit)),
     failure.answer = out.verdict)
CALL(graze_shape_pair_cast, (PAIR, NEED(3, to), MAY(4, options()), NEED(5, &out.verdict), MAY(6, &out.cast_hit)),
     failure.answer = out.verdict)

CALL(graze_shape_pair_any_batch,
     (PAIR, NEED(3, &world.batch), MAY(4, options()), MAY(5, &world.error), NEED(6, out.verdicts)),
     failure.answer = out.verdicts[0])

static const failure_row rows[] = {
    ROW(graze_shape_options_default, 0, 0),
    ROW(graze_shape_distance_options_default, 0, 0),
    ROW(graze_shape_tolerance_options_default, 0, 0),
    ROW(graze_shape_depth_options_default, 0, 0),
    ROW(graze_shape_cache_default, 0, 0),
    ROW(graze_shape_pair_any, 6, ALLOCATES),
    ROW(graze_shape_pair_any_batch, 7, ALLOCATES),
    ROW(graze_shape_pair_distance, 5, ALLOCATES),
    ROW(graze_shape_pair_tolerance_any, 6, ALLOCATES),
    ROW(graze_shape_pair_depth, 5, ALLOCATES),
    ROW(graze_shape_pair_count, 5, ALLOCATES),
    ROW(graze_shape_pair_gather, 6, ALLOCATES),
    ROW(graze_shape_pair_visit, 6, ALLOCATES),
    ROW(graze_shape_cast_ray, 7, ALLOCATES),
    ROW(graze_shape_pair_cast, 7, ALLOCATES),
};

FAILURE_TESTS(rows, out, NULL, NULL)
