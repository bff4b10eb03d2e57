/* SPDX-License-Identifier: MIT */
/* NULLs and failing allocations: contacts of meshes. */
#include "graze/contact.h"
#include "graze/generate.h"
#include "graze/shape_contact.h"
#include "support/failure.h"
#include "support/unit.h"

static struct
{
    graze_mesh *meshes[2];
    graze_tree *trees[2];
    graze_contact_surface *surfaces[2];
    graze_placed_mesh placed[2];
    graze_contact_options options;
    graze_budget budget;
    graze_shape *shapes[2];
    graze_placed shape_placed[2];
    graze_shape_contact_options shape_options;
} world;

static struct
{
    graze_contact_surface *surface;
    graze_contact_manifold manifolds[4];
    graze_shape_manifold shape_manifolds[4];
    size_t count;
} out;

/* Two boxes, one beside the other. */
static void set_up(void)
{
    for (int i = 0; i < 2; i++)
    {
        assert_int_equal(graze_mesh_create_box(&failure.context, 1, 1, 1, 3, &world.meshes[i]), GRAZE_STATUS_OK);
        assert_int_equal(graze_tree_create(&failure.context, world.meshes[i], NULL, NULL, &world.trees[i]),
                         GRAZE_STATUS_OK);
        assert_int_equal(graze_contact_surface_create(&failure.context, world.meshes[i], NULL, &world.surfaces[i]),
                         GRAZE_STATUS_OK);
        assert_int_equal(
            graze_shape_create_mesh(&failure.context, world.meshes[i], world.trees[i], true, &world.shapes[i]),
            GRAZE_STATUS_OK);
        world.placed[i] = (graze_placed_mesh){world.meshes[i], world.trees[i], graze_pose_translation(i, 0.25, 0)};
    }
}

static void tear_down(void)
{
    for (int i = 0; i < 2; i++)
    {
        graze_contact_surface_destroy(world.surfaces[i]);
        graze_shape_destroy(world.shapes[i]);
        graze_tree_destroy(world.trees[i]);
        graze_mesh_destroy(world.meshes[i]);
    }
}

static bool go_on(void *user, double share)
{
    (void)user;
    return share >= 0;
}

static const graze_placed_mesh *placed(int side)
{
    world.placed[side].mesh = NEED(INNER + 2 * side, world.meshes[side]);
    world.placed[side].tree = MAY(INNER + 2 * side + 1, world.trees[side]);
    return &world.placed[side];
}

static const graze_budget *budget(void)
{
    world.budget = (graze_budget){.progress = MAY(INNER, go_on), .progress_user = MAY(INNER + 1, &world)};
    return &world.budget;
}

static const graze_contact_options *options(void)
{
    world.options = graze_contact_options_default();
    world.options.surface_a = MAY(INNER + 4, world.surfaces[0]);
    world.options.surface_b = MAY(INNER + 5, world.surfaces[1]);
    world.options.budget.progress = MAY(INNER + 6, go_on);
    world.options.budget.progress_user = MAY(INNER + 7, &world);
    return &world.options;
}

static const graze_placed *shape_placed(int side)
{
    world.shape_placed[side].shape = NEED(INNER + side, world.shapes[side]);
    world.shape_placed[side].pose = graze_pose_translation(side, 0.25, 0);
    return &world.shape_placed[side];
}

static const graze_shape_contact_options *shape_options(void)
{
    world.shape_options = graze_shape_contact_options_default();
    world.shape_options.budget.progress = MAY(INNER + 6, go_on);
    world.shape_options.budget.progress_user = MAY(INNER + 7, &world);
    return &world.shape_options;
}

VALUE(graze_shape_contact_options, graze_shape_contact_options_default, (), result.most_points > 0)
VALUE(graze_contact_options, graze_contact_options_default, (), result.most_points > 0)
CALL(graze_contact_surface_create,
     (MAY(0, &failure.context), NEED(1, world.meshes[0]), MAY(2, budget()), NEED(3, &out.surface)),
     graze_contact_surface_destroy(out.surface))
CALL(graze_pair_contacts,
     (MAY(0, &failure.context), NEED(1, placed(0)), NEED(2, placed(1)), MAY(3, options()), NEED(4, out.manifolds), 4,
      NEED(5, &out.count)),
     failure.answer = (double)out.count)

CALL(graze_shape_pair_contacts,
     (MAY(0, &failure.context), NEED(1, shape_placed(0)), NEED(2, shape_placed(1)), MAY(3, shape_options()),
      NEED(4, out.shape_manifolds), 4, NEED(5, &out.count)),
     failure.answer = (double)out.count)

static graze_status call_graze_contact_surface_destroy(void)
{
    graze_contact_surface_destroy(MAY(0, world.surfaces[0]));
    if (failure.missing == NOTHING)
        world.surfaces[0] = NULL;
    return GRAZE_STATUS_OK;
}

static const failure_row rows[] = {
    ROW(graze_contact_options_default, 0, 0),       ROW(graze_contact_surface_create, 4, ALLOCATES),
    ROW(graze_contact_surface_destroy, 1, 0),       ROW(graze_pair_contacts, 6, ALLOCATES),
    ROW(graze_shape_contact_options_default, 0, 0), ROW(graze_shape_pair_contacts, 6, ALLOCATES),
};

FAILURE_TESTS(rows, out, NULL, NULL)
