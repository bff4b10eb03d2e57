/* SPDX-License-Identifier: MIT */
/*
 * Parametric surfaces under motions, in interval jets: where the points of a part of a surface may be in a span of
 * time, and their derivatives. Closed surfaces are covered by charts that overlap and have no poles: an ellipsoid by
 * the six faces of a cube, D w / |w| with w = (1, u, v) turned; a torus by four pairs of halves of circles,
 * ((1 - u^2) / (1 + u^2), 2 u / (1 + u^2)). A Bezier patch is its own chart, evaluated by de Casteljau's scheme.
 */
#ifndef GRZ_MOTION_METHOD_CURVED_SURFACE_H
#define GRZ_MOTION_METHOD_CURVED_SURFACE_H

#include "graze/motion_method.h"
#include "motion/method/interval_jet.h"

enum
{
    GRZ_CURVED_MOST_DEGREE = 8
};

/* What may be asked: BAD_ARGUMENT, NOT_FINITE, UNSUPPORTED (an enclosed motion), or what graze_motion_check says. */
graze_status grz_moving_surface_check(const graze_moving_surface *moving);

int grz_curved_chart_count(const graze_curved_surface *surface);

/* The range of u and of v in each chart. */
interval grz_curved_domain(const graze_curved_surface *surface);

/* Whether the surface ends at the ends of its domain. */
static inline bool grz_curved_has_border(const graze_curved_surface *surface)
{
    return surface->kind == GRAZE_CURVED_BEZIER;
}

/* The points of a chart for (u, v, t) in a box, with derivatives up to an order. */
void grz_curved_place(const graze_moving_surface *moving, int chart, const interval box[GRZ_JET_VARIABLES], int order,
                      grz_jet out[3]);

#endif
