/* SPDX-License-Identifier: MIT */
/* First impacts of moving shapes of all kinds, against distances and depths at many times. */
#include <math.h>
#include <string.h>

#include "graze/shape_motion.h"
#include "leaves.h"
#include "motion_case.h"

enum
{
    SAMPLES = 7
};

typedef struct moving_shapes
{
    case_side sides[2];
    graze_moving_shape a, b;
    double sizes[2]; /* the largest coordinates of the shapes, before they are moved */
} moving_shapes;

/* What is known of two shapes at a time: poses are known within bounds, by which points may be off. */
typedef struct shapes_at
{
    bool known;
    double least, most; /* of their distance; below 0 where they overlap by so much */
} shapes_at;

static shapes_at look(const moving_shapes *c, double t)
{
    const graze_moving_shape *moving[2] = {&c->a, &c->b};
    graze_placed placed[2];
    double slack = 0;
    shapes_at at = {.known = false};
    for (int s = 0; s < 2; s++)
    {
        double error;
        placed[s].shape = moving[s]->shape;
        EXPECT_OK(graze_motion_pose(&moving[s]->motion, t, &placed[s].pose, &error));
        slack += error > 0 ? 4 * error * (3 * c->sizes[s] + 1) : 0;
        if (graze_placed_check(&placed[s]) != GRAZE_STATUS_OK)
            return at;
    }
    graze_shape_distance d;
    EXPECT_OK(graze_shape_pair_distance(NULL, &placed[0], &placed[1], NULL, &d));
    at.known = isfinite(slack);
    at.least = d.found ? d.lower - slack : INFINITY;
    at.most = d.found ? d.upper + slack : INFINITY;
    if (d.found && d.upper == 0)
    {
        graze_shape_depth depth;
        graze_shape_depth_options options = graze_shape_depth_options_default();
        options.max_queries = 20;
        EXPECT_OK(graze_shape_pair_depth(NULL, &placed[0], &placed[1], &options, &depth));
        at.most = depth.overlap == GRAZE_VERDICT_YES ? slack - depth.lower : slack;
    }
    return at;
}

/* At times before `until` they are at least so far apart. */
static void expect_clear(const moving_shapes *c, double distance, double until, const char *what)
{
    for (int i = 0; i < SAMPLES; i++)
    {
        double t = (double)i / (SAMPLES - 1);
        if (!(t < until))
            continue;
        shapes_at at = look(c, t);
        EXPECT(!at.known || at.most >= distance, "%s: %a clear until %a, but at %a they are within %a", what, distance,
               until, t, at.most);
    }
}

static double size_of(const graze_box *box)
{
    double size = 0;
    for (int k = 0; k < 3; k++)
        size = fmax(size, fmax(fabs(box->lower[k]), fabs(box->upper[k])));
    return size;
}

/* Shapes with ordinary numbers; false where one has others, or a pose is refused. */
static bool take_shapes(fuzz_bytes *bytes, const graze_context *context, moving_shapes *c)
{
    graze_moving_shape *moving[2] = {&c->a, &c->b};
    bool good = true;
    finding_start();
    for (int s = 0; s < 2; s++)
    {
        side_make(bytes, context, &c->sides[s]);
        moving[s]->shape = c->sides[s].placed.shape;
        take_motion(bytes, false, &moving[s]->motion);
        const graze_placed here = {moving[s]->shape, graze_pose_identity()};
        graze_box box;
        c->sizes[s] = INFINITY;
        if (graze_placed_bounds(&here, &box) != GRAZE_STATUS_OK)
            good = false;
        else if (box.lower[0] <= box.upper[0])
            c->sizes[s] = size_of(&box);
        good = good && (!(c->sizes[s] < INFINITY) || c->sizes[s] < 0x1p40);
        for (uint32_t i = 0; i < c->sides[s].leaf_count; i++)
        {
            leaf_note(s == 0 ? 'a' : 'b', &c->sides[s].leaves[i]);
            if (c->sides[s].leaves[i].has_core)
                finding_note_mesh(s == 0 ? "a" : "b", &c->sides[s].leaves[i].core);
        }
        finding_note_pose(s == 0 ? "start_a" : "start_b", &moving[s]->motion.start);
        finding_note_pose(s == 0 ? "end_a" : "end_b", &moving[s]->motion.end);
        note_motion(s == 0 ? "motion a" : "motion b", &moving[s]->motion);
    }
    finding_show();
    return good;
}

static void check_taken(fuzz_bytes *bytes, const graze_context *context, moving_shapes *c)
{
    graze_impact_options options = graze_impact_options_default();
    graze_shape_impact impact, swapped;
    graze_status status;
    uint8_t form = take_byte(bytes);
    int environment = (form & 0x80) != 0 ? form >> 4 & 7 : 0;
    options.clearance = (form & 1) != 0;
    options.margin = (form & 6) == 6 ? fabs(take_place(bytes)) : 0;
    options.resolution = 0x1p-10;
    options.budget.box_tests = 5000;
    finding_note_text("/* margin %a */\n", options.margin);
    IN_ENVIRONMENT(environment, status, graze_shape_pair_impact(context, &c->a, &c->b, &options, &impact));
    if (status == GRAZE_STATUS_NOT_RIGID || status == GRAZE_STATUS_SINGULAR || status == GRAZE_STATUS_NOT_FINITE)
        return;
    EXPECT(status == GRAZE_STATUS_OK, "shapes: %s", graze_status_text(status));
    EXPECT(impact.lower >= 0 && impact.lower <= impact.upper && impact.upper <= 1, "shapes: [%a, %a]", impact.lower,
           impact.upper);
    if (impact.verdict == GRAZE_IMPACT_NONE)
    {
        EXPECT(impact.clearance_lower >= options.margin, "clearance %a, below the margin", impact.clearance_lower);
        expect_clear(c, fmax(options.margin, impact.clearance_lower), 2, "none");
    }
    else
        expect_clear(c, options.margin, impact.lower, "before the impact");
    if (impact.verdict == GRAZE_IMPACT_AT)
    {
        shapes_at at = look(c, impact.upper);
        EXPECT(!at.known || at.least <= options.margin, "within %a at %a, but %a apart", options.margin, impact.upper,
               at.least);
    }
    EXPECT_OK(graze_shape_pair_impact(NULL, &c->b, &c->a, &options, &swapped));
    EXPECT(impact.verdict == GRAZE_IMPACT_UNKNOWN || swapped.verdict == GRAZE_IMPACT_UNKNOWN ||
               impact.verdict == swapped.verdict,
           "shapes, swapped: %d, not %d", (int)swapped.verdict, (int)impact.verdict);
    EXPECT(impact.verdict != GRAZE_IMPACT_AT || swapped.verdict != GRAZE_IMPACT_AT ||
               (impact.lower <= swapped.upper && swapped.lower <= impact.upper),
           "shapes, swapped: [%a, %a], not [%a, %a]", swapped.lower, swapped.upper, impact.lower, impact.upper);
}

void check_shapes(fuzz_bytes *bytes)
{
    static moving_shapes c;
    graze_context context = graze_context_default();
    context.instructions = (graze_instructions)(take_byte(bytes) % GRAZE_INSTRUCTIONS_COUNT);
    if (take_shapes(bytes, &context, &c))
        check_taken(bytes, &context, &c);
    side_release(&c.sides[0]);
    side_release(&c.sides[1]);
}
