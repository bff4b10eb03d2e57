/* SPDX-License-Identifier: MIT */
#include "support/moving_surfaces.h"

#include "support/unit.h"

graze_moving_surface moving_surface_make(graze_curved_kind kind, double x, double y, double z)
{
    graze_moving_surface made = {.surface = {.kind = kind, .sizes = {x, y, z}}};
    made.motion.kind = GRAZE_MOTION_STILL;
    made.motion.start = graze_pose_identity();
    return made;
}

void moving_surface_shift(graze_moving_surface *surface, double x, double y, double z, double dx, double dy, double dz)
{
    surface->motion.kind = GRAZE_MOTION_BLEND;
    surface->motion.start = graze_pose_translation(x, y, z);
    surface->motion.end = graze_pose_translation(x + dx, y + dy, z + dz);
}

graze_motion_method_answer moving_surface_ask(const graze_moving_surface *a, const graze_moving_surface *b)
{
    graze_motion_method_answer answer;
    assert_int_equal(graze_curved_surface_impact(NULL, a, b, 0, NULL, &answer), GRAZE_STATUS_OK);
    assert_true(answer.verdict != GRAZE_IMPACT_AT || answer.lower <= answer.upper);
    return answer;
}

void moving_surface_expect(const graze_moving_surface *a, const graze_moving_surface *b, double time)
{
    graze_motion_method_answer answer = moving_surface_ask(a, b);
    print_message("[%.9g, %.9g]: %llu boxes, %llu steps\n", answer.lower, answer.upper,
                  (unsigned long long)answer.counters.steps, (unsigned long long)answer.counters.features);
    assert_int_equal(answer.verdict, GRAZE_IMPACT_AT);
    assert_true(answer.lower <= time + 1e-12 && answer.upper >= time - 1e-12);
    assert_true(answer.upper - answer.lower <= 0x1p-20);
}
