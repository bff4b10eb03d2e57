/* SPDX-License-Identifier: MIT */
/* NULLs and failing allocations: shapes. */
#include "graze/generate.h"
#include "support/failure.h"
#include "support/unit.h"

static const double points[8] = {0, 0, 4, 0, 4, 4, 0, 4};
static const uint32_t loop_sizes[1] = {4};
static graze_error error;

static struct
{
    graze_mesh *mesh;
} out;

static void set_up(void)
{
}

static void tear_down(void)
{
}

static void count_and_destroy(void)
{
    failure.answer = (double)graze_mesh_triangle_count(out.mesh);
    graze_mesh_destroy(out.mesh);
}

#define MAKE(function, ...)                                                                                            \
    CALL(function, (MAY(0, &failure.context), __VA_ARGS__, NEED(1, &out.mesh)), count_and_destroy())

MAKE(graze_mesh_create_box, 1, 2, 3, 2)
MAKE(graze_mesh_create_sphere, 1, 6, 4)
MAKE(graze_mesh_create_geodesic_sphere, 1, 2)
MAKE(graze_mesh_create_torus, 2, 1, 6, 5)
MAKE(graze_mesh_create_cylinder, 1, 2, 6, 2)
MAKE(graze_mesh_create_cone, 1, 2, 6, 2)
MAKE(graze_mesh_create_hyperboloid, 1, 2, 2, 6, 2)
MAKE(graze_mesh_create_tetraflake, 1, 2)
MAKE(graze_mesh_create_gear, 12, 1, 1, 1, 0.1)
MAKE(graze_mesh_create_pipes, 10, 1, 6, 500, 7)
MAKE(graze_mesh_create_stalagmites, 10, 4, 200, 7)
MAKE(graze_mesh_create_tetrahedra, 10, 20, 7)
MAKE(graze_mesh_create_bumpy_shell, 1, 0.2, 2, 7)
MAKE(graze_mesh_create_aircraft, 10, 1000)
MAKE(graze_mesh_create_hand, 10, 0.5, 400)
CALL(graze_mesh_create_extrusion,
     (MAY(0, &failure.context), NEED(1, points), NEED(2, loop_sizes), 1, 2, MAY(3, &error), NEED(4, &out.mesh)),
     count_and_destroy())

static const failure_row rows[] = {
    ROW(graze_mesh_create_box, 2, ALLOCATES),
    ROW(graze_mesh_create_sphere, 2, ALLOCATES),
    ROW(graze_mesh_create_geodesic_sphere, 2, ALLOCATES),
    ROW(graze_mesh_create_torus, 2, ALLOCATES),
    ROW(graze_mesh_create_cylinder, 2, ALLOCATES),
    ROW(graze_mesh_create_cone, 2, ALLOCATES),
    ROW(graze_mesh_create_hyperboloid, 2, ALLOCATES),
    ROW(graze_mesh_create_tetraflake, 2, ALLOCATES),
    ROW(graze_mesh_create_gear, 2, ALLOCATES),
    ROW(graze_mesh_create_pipes, 2, ALLOCATES),
    ROW(graze_mesh_create_stalagmites, 2, ALLOCATES),
    ROW(graze_mesh_create_tetrahedra, 2, ALLOCATES),
    ROW(graze_mesh_create_bumpy_shell, 2, ALLOCATES),
    ROW(graze_mesh_create_aircraft, 2, ALLOCATES),
    ROW(graze_mesh_create_hand, 2, ALLOCATES),
    ROW(graze_mesh_create_extrusion, 5, ALLOCATES),
};

FAILURE_TESTS(rows, out, NULL, NULL)
