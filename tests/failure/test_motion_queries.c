/* SPDX-License-Identifier: MIT */
/* NULLs and failing allocations: queries about two moving meshes or shapes. */
#include "graze/generate.h"
#include "graze/motion_method.h"
#include "graze/motion_query.h"
#include "graze/shape_motion.h"
#include "support/failure.h"
#include "support/unit.h"

enum
{
    SEGMENTS = 2
};

static struct
{
    graze_mesh *mesh;
    graze_tree *tree;
    graze_moving_mesh a, b;
    graze_motion motions_a[SEGMENTS], motions_b[SEGMENTS];
    graze_impact_options options;
    graze_impact_stats stats;
    graze_impact_cache cache;
    graze_shape *ball, *can;
    graze_moving_shape rolling, lying;
    size_t visited;
} world;

static struct
{
    graze_impact impact, impacts[SEGMENTS];
    graze_shape_impact of_shapes;
    graze_motion_method_answer answer;
    uint32_t deepest;
} out;

/* A tetrahedron that runs into another; the second has no tree. */
static void set_up(void)
{
    const graze_pose identity = graze_pose_identity(), from = graze_pose_translation(-3, 0.2, 0.1),
                     to = graze_pose_translation(3, 0.2, 0.1);
    assert_int_equal(graze_mesh_create_tetrahedra(&failure.context, 1, 1, 3, &world.mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(&failure.context, world.mesh, NULL, NULL, &world.tree), GRAZE_STATUS_OK);
    world.a = (graze_moving_mesh){.mesh = world.mesh, .tree = world.tree};
    world.b = (graze_moving_mesh){.mesh = world.mesh};
    assert_int_equal(graze_motion_still(&identity, &world.a.motion), GRAZE_STATUS_OK);
    assert_int_equal(graze_motion_between(&from, &to, GRAZE_MOTION_TURN, &world.b.motion, NULL), GRAZE_STATUS_OK);
    for (int i = 0; i < SEGMENTS; i++)
    {
        world.motions_a[i] = world.a.motion;
        world.motions_b[i] = world.b.motion;
    }
    world.options = graze_impact_options_default();
    world.options.stats = &world.stats;
    world.cache = graze_impact_cache_default();
    world.options.cache = &world.cache;
    world.options.solids = true;
    world.visited = 0;
    const double centre[3] = {0, 0, 0};
    assert_int_equal(graze_shape_create_sphere(&failure.context, centre, 0.5, &world.ball), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_cylinder(&failure.context, 1, 0.5, &world.can), GRAZE_STATUS_OK);
    world.rolling = (graze_moving_shape){world.ball, world.b.motion};
    world.lying = (graze_moving_shape){world.can, world.a.motion};
}

static void tear_down(void)
{
    graze_shape_destroy(world.can);
    graze_shape_destroy(world.ball);
    graze_tree_destroy(world.tree);
    graze_mesh_destroy(world.mesh);
}

static bool count(void *user, const graze_pair_impact_hit *hit)
{
    (void)hit;
    if (user != NULL)
        ++*(size_t *)user;
    return true;
}

#define CONTEXT MAY(0, &failure.context)

CALL(graze_pair_impact, (CONTEXT, NEED(1, &world.a), NEED(2, &world.b), MAY(3, &world.options), NEED(4, &out.impact)),
     (void)0)
CALL(graze_pair_impact_visit,
     (CONTEXT, NEED(1, &world.a), NEED(2, &world.b), MAY(3, &world.options), failure_given(4, false) ? count : NULL,
      MAY(5, &world.visited)),
     (void)0)
CALL(graze_track,
     (CONTEXT, NEED(1, &world.a), NEED(2, &world.b), NEED(3, world.motions_a), NEED(4, world.motions_b), SEGMENTS,
      MAY(5, &world.options), NEED(6, out.impacts)),
     (void)0)

CALL(graze_shape_pair_impact,
     (CONTEXT, NEED(1, &world.rolling), NEED(2, &world.lying), MAY(3, &world.options), NEED(4, &out.of_shapes)),
     (void)0)

CALL(graze_motion_method_impact,
     (CONTEXT, NEED(1, "mirtich"), NEED(2, &world.a), NEED(3, &world.b), MAY(4, &world.options.budget),
      NEED(5, &out.answer)),
     (void)0)
/* Two balls at rest, and an empty field. */
static double nowhere(void *user, const double point[3], double radius)
{
    (void)user;
    (void)point;
    return 1 + radius;
}

static const graze_moving_surface *surface(void)
{
    static graze_moving_surface ball = {.surface = {.kind = GRAZE_CURVED_SPHERE, .sizes = {1, 0, 0}}};
    ball.motion.start = graze_pose_identity();
    return &ball;
}

static const graze_implicit_body *implicit(void)
{
    static graze_implicit_body body;
    body.field = NEED(INNER, nowhere);
    body.motion = surface()->motion;
    return &body;
}

static const graze_moving_surface *second_surface(void)
{
    static graze_moving_surface ball;
    ball = *surface();
    ball.motion.start.m[3] = 3;
    return &ball;
}

CALL(graze_curved_surface_impact,
     (CONTEXT, NEED(1, surface()), NEED(2, second_surface()), 0, MAY(3, &world.options.budget), NEED(4, &out.answer)),
     (void)0)
CALL(graze_implicit_body_impact,
     (NEED(0, implicit()), NEED(1, &world.b), 2, MAY(2, &world.options.budget), MAY(3, &out.deepest),
      NEED(4, &out.answer)),
     (void)0)
VALUE(size_t, graze_motion_method_count, (), result > 0)
VALUE(const graze_motion_method_info *, graze_motion_method_at, (0), result != NULL)
VALUE(const graze_motion_method_info *, graze_motion_method_find, (MAY(0, "mirtich")),
      (result != NULL) == (failure.missing == NOTHING))

VALUE(graze_impact_options, graze_impact_options_default, (), result.struct_size == sizeof result)
VALUE(graze_impact_cache, graze_impact_cache_default, (), result.queries == 0)

static const failure_row rows[] = {
    ROW(graze_impact_cache_default, 0, 0),
    ROW(graze_impact_options_default, 0, 0),
    ROW(graze_pair_impact, 5, ALLOCATES),
    ROW(graze_pair_impact_visit, 6, ALLOCATES),
    ROW(graze_track, 7, ALLOCATES),
    ROW(graze_shape_pair_impact, 5, ALLOCATES),
    ROW(graze_motion_method_impact, 6, ALLOCATES),
    ROW(graze_curved_surface_impact, 5, ALLOCATES),
    ROW(graze_implicit_body_impact, 5, 0),
    ROW(graze_motion_method_count, 0, 0),
    ROW(graze_motion_method_at, 0, 0),
    ROW(graze_motion_method_find, 1, 0),
};

FAILURE_TESTS(rows, out, NULL, NULL)
