/* SPDX-License-Identifier: MIT */
/*
 * Stacks of cylinders; see cutter_stack.h. A profile grows or shrinks with the height throughout, so that its least and
 * largest radius between two heights are those at the ends; their rounding errors are below 8 * 2^-52 of the largest
 * radius. Outer steps overlap, since a cylinder is open: what touches the plane between two of them alone would be in
 * neither.
 */
#include "scene/cutter_stack.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum
{
    STEPS = 32
};

double cutter_radius_at(const cutting_tool *tool, size_t cutter, double height)
{
    const graze_cutter *it = &tool->cutters[cutter];
    const cutter_profile *profile = &tool->profiles[cutter];
    double above = fmax(height - it->lower, 0);
    if (profile->kind == PROFILE_CONE)
        return profile->bottom + (profile->top - profile->bottom) * fmin(above / (it->upper - it->lower), 1);
    if (profile->kind == PROFILE_BULL_NOSE && above < profile->corner)
        return it->radius - profile->corner + sqrt(above * (2 * profile->corner - above));
    return it->radius;
}

bool cutting_tool_has_profile(const cutting_tool *tool)
{
    for (size_t i = 0; i < tool->count; i++)
        if (tool->profiles[i].kind != PROFILE_NONE)
            return true;
    return false;
}

static void add(cutter_stack *stack, size_t owner, double radius, double lower, double upper)
{
    if (!(radius > 0) || !(lower < upper))
        return;
    stack->owners[stack->count] = (uint32_t)owner;
    stack->cutters[stack->count++] =
        (graze_cutter){.kind = GRAZE_CUTTER_CYLINDER, .radius = radius, .lower = lower, .upper = upper};
}

static void add_steps(const cutting_tool *tool, size_t i, bool outer, double threshold, cutter_stack *stack)
{
    const graze_cutter *cutter = &tool->cutters[i];
    bool is_bull = tool->profiles[i].kind == PROFILE_BULL_NOSE;
    double end = is_bull ? fmin(cutter->lower + tool->profiles[i].corner, cutter->upper) : cutter->upper;
    double step = (end - cutter->lower) / STEPS, error = 16 * DBL_EPSILON * cutter->radius;
    /* shortcut: cutter-steps */
    for (int k = 0; k < STEPS; k++)
    {
        double from = k == 0 ? cutter->lower : cutter->lower + k * step;
        double to = k == STEPS - 1 ? end : cutter->lower + (k + 1) * step;
        if (outer)
        {
            double below = fmax(from - 0.25 * step, cutter->lower), above = fmin(to + 0.25 * step, cutter->upper);
            double radius = fmax(cutter_radius_at(tool, i, below), cutter_radius_at(tool, i, above)) + error;
            radius = fmin(radius, cutter->radius); /* which nothing exceeds */
            add(stack, i, radius, fmax(below - threshold, cutter->lower), fmin(above + threshold, cutter->upper));
        }
        else /* longer by the threshold at both ends, so that something is left when it is made smaller */
        {
            double below = fmax(from - threshold, cutter->lower), above = fmin(to + threshold, cutter->upper);
            double radius = fmin(cutter_radius_at(tool, i, below), cutter_radius_at(tool, i, above)) - error;
            add(stack, i, radius, below, above);
        }
    }
    if (is_bull) /* its shank; an outer one from a little lower, as far as the threshold makes it shorter */
        add(stack, i, cutter->radius, outer ? fmax(end - threshold - step, cutter->lower) : end, cutter->upper);
}

bool cutter_stack_make(const cutting_tool *tool, bool outer, double threshold, cutter_stack *out_stack)
{
    size_t most = tool->count * (STEPS + 1) + 1;
    *out_stack = (cutter_stack){.cutters = calloc(most, sizeof *out_stack->cutters),
                                .owners = calloc(most, sizeof *out_stack->owners)};
    if (out_stack->cutters == NULL || out_stack->owners == NULL)
        return false;
    for (size_t i = 0; i < tool->count; i++)
    {
        if (tool->profiles[i].kind != PROFILE_NONE)
        {
            add_steps(tool, i, outer, threshold, out_stack);
            continue;
        }
        out_stack->owners[out_stack->count] = (uint32_t)i;
        out_stack->cutters[out_stack->count++] = tool->cutters[i];
    }
    return true;
}

void cutter_stack_release(cutter_stack *stack)
{
    free(stack->cutters);
    free(stack->owners);
    *stack = (cutter_stack){0};
}
