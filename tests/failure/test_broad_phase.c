/* SPDX-License-Identifier: MIT */
/* NULLs and failing allocations: broad phases. */
#include "graze/broad_phase.h"
#include "support/failure.h"
#include "support/unit.h"

enum
{
    BOXES = 20
};

static struct
{
    graze_broad_phase *broad;
    graze_broad_phase_def def;
    graze_box box;
    graze_oriented_box oriented;
} world;

static struct
{
    graze_broad_phase *broad;
    graze_broad_phase_method method;
    graze_broad_phase_changes changes;
    graze_box_pair pairs[BOXES];
    uint32_t ids[BOXES];
    size_t count, index;
} out;

static const double origin[3] = {-1, 0.5, 0.5}, direction[3] = {1, 0, 0};

static graze_box box_at(double x)
{
    return (graze_box){{x, 0, 0}, {x + 1.5, 1, 1}};
}

static bool take_all(void *user, uint32_t a, uint32_t b)
{
    (void)user;
    return a != b;
}

static const graze_broad_phase_def *def(void)
{
    world.def = graze_broad_phase_def_default();
    world.def.filter = MAY(INNER, take_all);
    world.def.filter_user = MAY(INNER + 1, &world);
    return &world.def;
}

/* A row of boxes, each of which overlaps the next. */
static void set_up(void)
{
    assert_int_equal(graze_broad_phase_create(&failure.context, NULL, &world.broad), GRAZE_STATUS_OK);
    for (uint32_t id = 0; id < BOXES; id++)
    {
        graze_box box = box_at(id);
        assert_int_equal(graze_broad_phase_insert(world.broad, id, &box), GRAZE_STATUS_OK);
    }
    assert_int_equal(graze_broad_phase_update(world.broad, NULL), GRAZE_STATUS_OK);
    world.box = box_at(0.25);
    world.oriented = (graze_oriented_box){{0.5, 0.5, 0.5}, {{0.5, 0, 0}, {0, 0.5, 0}, {0, 0, 0.5}}};
}

static void tear_down(void)
{
    graze_broad_phase_destroy(world.broad);
}

VALUE(const char *, graze_broad_phase_method_name, (GRAZE_BROAD_PHASE_HASH_GRID), result != NULL)
VALUE(bool, graze_broad_phase_method_from_name, (NEED(0, "grid"), NEED(1, &out.method)), result)
VALUE(graze_broad_phase_def, graze_broad_phase_def_default, (), result.margin > 0)
CALL(graze_broad_phase_create, (MAY(0, &failure.context), MAY(1, def()), NEED(2, &out.broad)),
     graze_broad_phase_destroy(out.broad))
CALL(graze_broad_phase_insert, (NEED(0, world.broad), 1000, NEED(1, &world.box)),
     failure.answer = (double)graze_broad_phase_box_count(world.broad))
CALL(graze_broad_phase_move, (NEED(0, world.broad), 7, NEED(1, &world.box)), (void)0)

static const uint32_t ids[1] = {5};
CALL(graze_broad_phase_move_many, (NEED(0, world.broad), NEED(1, ids), NEED(2, &world.box), 1, MAY(3, &out.index)),
     (void)0)
CALL(graze_broad_phase_set_oriented_box, (NEED(0, world.broad), 7, NEED(1, &world.oriented)), (void)0)
CALL(graze_broad_phase_remove, (NEED(0, world.broad), 7), (void)0)
CALL(graze_broad_phase_refilter, (NEED(0, world.broad), 7), (void)0)

/* Some boxes are new, some have moved. */
static graze_status call_graze_broad_phase_update(void)
{
    size_t allowed = failure.allocator.allowed, before = failure.allocator.requests;
    failure.allocator.allowed = SIZE_MAX;
    for (uint32_t id = 2 * BOXES; id < 8 * BOXES && graze_broad_phase_box_count(world.broad) < 7 * BOXES; id++)
    {
        graze_box box = box_at(id % BOXES + 0.25);
        assert_int_equal(graze_broad_phase_insert(world.broad, id, &box), GRAZE_STATUS_OK);
    }
    assert_int_equal(graze_broad_phase_move(world.broad, 7, &world.box), GRAZE_STATUS_OK);
    failure.allocator.allowed = allowed == SIZE_MAX ? allowed : allowed + failure.allocator.requests - before;
    graze_status status = graze_broad_phase_update(NEED(0, world.broad), MAY(1, &out.changes));
    if (status == GRAZE_STATUS_OK)
    {
        size_t count;
        graze_broad_phase_pairs(world.broad, &count);
        failure.answer = (double)count;
    }
    return status;
}

VALUE(const graze_box_pair *, graze_broad_phase_pairs, (NEED(0, world.broad), MAY(1, &out.count)), result != NULL)
CALL(graze_broad_phase_gather, (NEED(0, world.broad), NEED(1, out.pairs), BOXES, NEED(2, &out.count)),
     failure.answer = (double)out.count)
DOES(graze_broad_phase_set_tag, (NEED(0, world.broad), 3, 77), graze_broad_phase_pairs(world.broad, NULL)[3].tag == 77)
CALL(graze_broad_phase_collide_box,
     (NEED(0, world.broad), NEED(1, &world.box), NEED(2, out.ids), BOXES, NEED(3, &out.count)),
     failure.answer = (double)out.count)
CALL(graze_broad_phase_cast_ray,
     (NEED(0, world.broad), NEED(1, origin), NEED(2, direction), 10, NEED(3, out.ids), BOXES, NEED(4, &out.count)),
     failure.answer = (double)out.count)
VALUE(size_t, graze_broad_phase_box_count, (NEED(0, world.broad)), result == BOXES)
VALUE(graze_broad_phase_method, graze_broad_phase_method_used, (NEED(0, world.broad)), result != GRAZE_BROAD_PHASE_AUTO)
VALUE(size_t, graze_broad_phase_memory_size, (NEED(0, world.broad)), result > 0)
CALL(graze_broad_phase_validate, (NEED(0, world.broad)), (void)0)

static graze_status call_graze_broad_phase_destroy(void)
{
    graze_broad_phase_destroy(MAY(0, world.broad));
    if (failure.missing == NOTHING)
        world.broad = NULL;
    return GRAZE_STATUS_OK;
}

static const failure_row rows[] = {
    ROW(graze_broad_phase_method_name, 0, 0),
    ROW(graze_broad_phase_method_from_name, 2, 0),
    ROW(graze_broad_phase_def_default, 0, 0),
    ROW(graze_broad_phase_create, 3, ALLOCATES),
    ROW(graze_broad_phase_insert, 2, ALLOCATES),
    ROW(graze_broad_phase_move, 2, 0),
    ROW(graze_broad_phase_move_many, 4, 0),
    ROW(graze_broad_phase_set_oriented_box, 2, ALLOCATES),
    ROW(graze_broad_phase_remove, 1, 0),
    ROW(graze_broad_phase_refilter, 1, 0),
    ROW(graze_broad_phase_update, 2, ALLOCATES),
    ROW(graze_broad_phase_pairs, 2, WRITES),
    ROW(graze_broad_phase_gather, 3, ALLOCATES),
    ROW(graze_broad_phase_set_tag, 1, 0),
    ROW(graze_broad_phase_collide_box, 4, ALLOCATES),
    ROW(graze_broad_phase_cast_ray, 5, ALLOCATES),
    ROW(graze_broad_phase_box_count, 1, 0),
    ROW(graze_broad_phase_method_used, 1, 0),
    ROW(graze_broad_phase_memory_size, 1, 0),
    ROW(graze_broad_phase_validate, 1, 0),
    ROW(graze_broad_phase_destroy, 1, 0),
};

FAILURE_TESTS(rows, out, NULL, NULL)
