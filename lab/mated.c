/* SPDX-License-Identifier: MIT */
/*
 * W10: mated parts, whose faces coincide exactly, so that every decision is degenerate: every other brick of a wall of
 * 1,000 against the rest, and 1,000 pins in the holes of a plate.
 *
 * At grid poses the parts have different integer translations. At arbitrary poses both have the same pose. "rounded"
 * gives them an arbitrary rotation and different translations, whose rounding separates the faces or makes them overlap
 * by an ulp: almost degenerate.
 */
#include <math.h>
#include <stdlib.h>

#include "workload.h"

typedef enum placing
{
    GRID,
    POSED,
    ROUNDED
} placing;

static const double own_offset[3] = {100, -30, 7};

/* B's vertices are shifted by minus this, which its pose compensates. */
static graze_pose offset_of(placing how, double sign)
{
    if (how == POSED)
        return graze_pose_identity();
    return graze_pose_translation(sign * own_offset[0], sign * own_offset[1], sign * own_offset[2]);
}

static bool place(lab_case *c, placing how, bool quick)
{
    grz_random random = grz_random_make(81);
    if (c->a == NULL || c->b == NULL || !lab_case_poses(c, quick ? 2 : 6))
        return false;
    graze_pose back = offset_of(how, 1);
    for (size_t i = 0; i < c->count; i++)
    {
        double position[3];
        for (int k = 0; k < 3; k++)
            position[k] = (double)grz_random_below(&random, 1000) - 500;
        c->poses_a[i] = how == GRID ? graze_pose_translation(position[0], position[1], position[2])
                                    : lab_random_pose(&random, position);
        graze_pose_compose(&c->poses_a[i], &back, &c->poses_b[i], NULL);
    }
    return true;
}

/* Twenty courses of fifty bricks, each course shifted by half a brick. */
static bool make_bricks(const lab_workload *workload, bool quick, lab_case *out_case)
{
    placing how = (placing)workload->value;
    lab_builder parts[2] = {{0}, {0}};
    graze_pose away = offset_of(how, -1);
    for (int course = 0; course < 20; course++)
    {
        for (int i = 0; i < 50; i++)
        {
            int which = (i + course) % 2;
            graze_mesh *brick = NULL;
            graze_status status = graze_mesh_create_box(NULL, 4, 2, 2, 1, &brick);
            graze_pose pose = graze_pose_translation(4 * i + course % 2 * 2, 0, 2 * course);
            if (which == 1)
                graze_pose_compose(&away, &pose, &pose, NULL);
            lab_builder_add(&parts[which], status, brick, 1, &pose);
        }
    }
    out_case->a = lab_builder_finish(&parts[0]);
    out_case->b = lab_builder_finish(&parts[1]);
    return place(out_case, how, quick);
}

enum
{
    PINS_X = 40,
    PINS_Y = 25,
    PIN_CORNERS = 12
};

/* A pin's outline, on a lattice fine enough to be round and coarse enough to be translated without rounding. */
static void draw_pin(double x, double y, double out[2 * PIN_CORNERS])
{
    for (int i = 0; i < PIN_CORNERS; i++)
    {
        double angle = 6.283185307179586 * i / PIN_CORNERS;
        out[2 * i] = x + round(1024 * 0.3 * cos(angle)) / 1024;
        out[2 * i + 1] = y + round(1024 * 0.3 * sin(angle)) / 1024;
    }
}

static graze_mesh *make_plate(void)
{
    const double outline[8] = {-1, -1, PINS_X, -1, PINS_X, PINS_Y, -1, PINS_Y};
    const size_t loop_count = 1 + PINS_X * PINS_Y;
    double *points = malloc((8 + (loop_count - 1) * 2 * PIN_CORNERS) * sizeof *points);
    uint32_t *sizes = malloc(loop_count * sizeof *sizes);
    graze_mesh *plate = NULL;
    if (points != NULL && sizes != NULL)
    {
        for (int i = 0; i < 8; i++)
            points[i] = outline[i];
        sizes[0] = 4;
        for (int i = 0; i < PINS_X * PINS_Y; i++)
        {
            draw_pin(i % PINS_X, i / PINS_X, points + 8 + i * 2 * PIN_CORNERS);
            sizes[i + 1] = PIN_CORNERS;
        }
        if (graze_mesh_create_extrusion(NULL, points, sizes, loop_count, 0.5, NULL, &plate) != GRAZE_STATUS_OK)
            plate = NULL;
    }
    free(points);
    free(sizes);
    return plate;
}

static bool make_pins(const lab_workload *workload, bool quick, lab_case *out_case)
{
    placing how = (placing)workload->value;
    lab_builder pins = {0};
    graze_pose away = offset_of(how, -1);
    for (int i = 0; i < PINS_X * PINS_Y; i++)
    {
        const uint32_t size = PIN_CORNERS;
        double outline[2 * PIN_CORNERS];
        graze_mesh *pin = NULL;
        draw_pin(i % PINS_X, i / PINS_X, outline);
        graze_status status = graze_mesh_create_extrusion(NULL, outline, &size, 1, 0.5, NULL, &pin);
        lab_builder_add(&pins, status, pin, 1, &away);
    }
    out_case->a = make_plate();
    out_case->b = lab_builder_finish(&pins);
    return place(out_case, how, quick);
}

#define MATED(which, text, maker, how, only_full)                                                                      \
    {                                                                                                                  \
        .name = "mated/" which, .what = text, .questions = LAB_ALL, .make = maker, .value = how,                       \
        .not_quick = only_full                                                                                         \
    }

const lab_workload lab_mated[] = {
    MATED("bricks/grid", "every other brick of a wall against the rest, moved by whole numbers", make_bricks, GRID,
          false),
    MATED("bricks/posed", "every other brick of a wall against the rest, at one arbitrary pose", make_bricks, POSED,
          false),
    MATED("bricks/rounded", "every other brick of a wall against the rest, at poses that fit up to rounding",
          make_bricks, ROUNDED, false),
    MATED("pins/grid", "1,000 pins in the holes of a plate, moved by whole numbers", make_pins, GRID, true),
    MATED("pins/posed", "1,000 pins in the holes of a plate, at one arbitrary pose", make_pins, POSED, true),
    MATED("pins/rounded", "1,000 pins in the holes of a plate, at poses that fit up to rounding", make_pins, ROUNDED,
          true),
    {0}};
