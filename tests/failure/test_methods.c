/* SPDX-License-Identifier: MIT */
/* NULLs and failing allocations: the literature's methods. */
#include "graze/generate.h"
#include "graze/method.h"
#include "support/failure.h"
#include "support/unit.h"

enum
{
    HITS = 400
};

static struct
{
    graze_mesh *mesh;
    graze_method_body *body, *swift;
    graze_placed_method_body placed[2];
    graze_method_parameters parameters;
    graze_method_options options;
    graze_method_counters counters;
    unsigned char saved[1 << 17], bytes[1 << 17]; /* written by a call; saved before */
    size_t size;
} world;

static struct
{
    graze_method_body *body;
    graze_method_answer answer;
    graze_pair_counts counts;
    graze_hit hits[HITS];
    graze_near_contact contacts[4];
    size_t count;
} out;

static void set_up(void)
{
    assert_int_equal(graze_mesh_create_torus(NULL, 1, 0.3, 12, 8, &world.mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_method_body_create(NULL, "kdop-18", world.mesh, NULL, &world.body), GRAZE_STATUS_OK);
    assert_int_equal(graze_method_body_create(NULL, "swift", world.mesh, NULL, &world.swift), GRAZE_STATUS_OK);
    world.size = graze_method_body_saved_size(world.body);
    assert_int_equal(graze_method_body_save(world.body, world.bytes, sizeof world.bytes), GRAZE_STATUS_OK);
    world.parameters = graze_method_parameters_default();
    world.options = graze_method_options_default();
    world.placed[0] = (graze_placed_method_body){world.body, graze_pose_identity()};
    world.placed[1] = (graze_placed_method_body){world.body, graze_pose_translation(0.4, 0.3, 0.2)};
}

static void tear_down(void)
{
    graze_method_body_destroy(world.body);
    graze_method_body_destroy(world.swift);
    graze_mesh_destroy(world.mesh);
}

static const graze_placed_method_body *placed(int side)
{
    world.placed[side].body = NEED(INNER + side, world.body);
    return &world.placed[side];
}

static const graze_placed_method_body *swift_placed(int side)
{
    world.placed[side].body = NEED(INNER + side, world.swift);
    return &world.placed[side];
}

static const graze_method_options *options(void)
{
    world.options.counters = MAY(INNER + 2, &world.counters);
    return &world.options;
}

VALUE(size_t, graze_method_count, (), result > 0)
VALUE(const graze_method_info *, graze_method_at, (0), result != NULL)
VALUE(const graze_method_info *, graze_method_find, (NEED(0, "kdop-18")), result != NULL)
VALUE(graze_method_parameters, graze_method_parameters_default, (), result.struct_size > 0)
VALUE(graze_method_options, graze_method_options_default, (), result.struct_size > 0)
CALL(graze_method_body_create,
     (MAY(0, &failure.context), NEED(1, "kdop-18"), NEED(2, world.mesh), MAY(3, &world.parameters), NEED(4, &out.body)),
     failure.answer = (double)graze_method_body_memory_size(out.body);
     graze_method_body_destroy(out.body))
VALUE(size_t, graze_method_body_saved_size, (NEED(0, world.body)), result > 0)
CALL(graze_method_body_save, (NEED(0, world.body), NEED(1, world.saved), sizeof world.saved),
     failure.answer = world.saved[0])
CALL(graze_method_body_load,
     (MAY(0, &failure.context), NEED(1, "kdop-18"), NEED(2, world.mesh), NEED(3, world.bytes), world.size,
      NEED(4, &out.body)),
     failure.answer = (double)graze_method_body_memory_size(out.body);
     graze_method_body_destroy(out.body))
VALUE(size_t, graze_method_body_memory_size, (NEED(0, world.body)), result > 0)
CALL(graze_method_any,
     (MAY(0, &failure.context), NEED(1, placed(0)), NEED(2, placed(1)), MAY(3, options()), NEED(4, &out.answer)),
     failure.answer = out.answer.collide)
CALL(graze_method_gather,
     (MAY(0, &failure.context), NEED(1, placed(0)), NEED(2, placed(1)), MAY(3, options()), NEED(4, out.hits), HITS,
      NEED(5, &out.counts)),
     failure.answer = (double)out.counts.pairs)

CALL(graze_method_disjoint_contacts,
     (MAY(0, &failure.context), NEED(1, swift_placed(0)), NEED(2, swift_placed(1)), 0.5, MAY(3, options()),
      NEED(4, out.contacts), 4, NEED(5, &out.count)),
     failure.answer = (double)out.count)

static graze_status call_graze_method_body_destroy(void)
{
    graze_method_body_destroy(MAY(0, world.body));
    if (failure.missing == NOTHING)
        world.body = NULL;
    return GRAZE_STATUS_OK;
}

static const failure_row rows[] = {
    ROW(graze_method_count, 0, 0),
    ROW(graze_method_at, 0, 0),
    ROW(graze_method_find, 1, 0),
    ROW(graze_method_parameters_default, 0, 0),
    ROW(graze_method_options_default, 0, 0),
    ROW(graze_method_body_create, 5, ALLOCATES),
    ROW(graze_method_body_memory_size, 1, 0),
    ROW(graze_method_body_saved_size, 1, 0),
    ROW(graze_method_body_save, 2, 0),
    ROW(graze_method_body_load, 5, ALLOCATES),
    ROW(graze_method_any, 5, ALLOCATES),
    ROW(graze_method_gather, 6, ALLOCATES),
    ROW(graze_method_disjoint_contacts, 6, ALLOCATES),
    ROW(graze_method_body_destroy, 1, 0),
};

FAILURE_TESTS(rows, out, NULL, NULL)
