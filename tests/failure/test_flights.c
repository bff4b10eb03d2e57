/* SPDX-License-Identifier: MIT */
/* NULLs and failing allocations: flights. */
#include "graze/enclosed_motion.h"
#include "support/failure.h"
#include "support/unit.h"

static struct
{
    graze_flight_def def;
    graze_flight *flight;
} world;

static struct
{
    graze_flight *flight;
} out;

static void set_up(void)
{
    world.def = graze_flight_def_default();
    assert_int_equal(graze_flight_create(NULL, &world.def, &world.flight), GRAZE_STATUS_OK);
}

static void tear_down(void)
{
    graze_flight_destroy(world.flight);
}

VALUE(graze_flight_def, graze_flight_def_default, (), result.inertia[0] > 0)
CALL(graze_flight_create, (MAY(0, &failure.context), NEED(1, &world.def), NEED(2, &out.flight)),
     failure.answer = graze_flight_speed_bound(out.flight);
     graze_flight_destroy(out.flight))
VALUE(double, graze_flight_speed_bound, (MAY(0, world.flight)), result >= 0)

static graze_status call_graze_flight_destroy(void)
{
    graze_flight_destroy(MAY(0, world.flight));
    if (failure.missing == NOTHING)
        world.flight = NULL;
    return GRAZE_STATUS_OK;
}

static const failure_row rows[] = {
    ROW(graze_flight_def_default, 0, 0),
    ROW(graze_flight_create, 3, ALLOCATES),
    ROW(graze_flight_speed_bound, 1, 0),
    ROW(graze_flight_destroy, 1, 0),
};

FAILURE_TESTS(rows, out, NULL, NULL)
