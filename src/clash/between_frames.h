/* SPDX-License-Identifier: MIT */
/* Two parts from one frame to the next: where they are, when they meet, and whether they could be separated all the
 * while by a short translation. Frames are counted from 0. */
#ifndef GRZ_CLASH_BETWEEN_FRAMES_H
#define GRZ_CLASH_BETWEEN_FRAMES_H

#include "clash/engine.h"
#include "graze/motion_query.h"

typedef struct grz_clash_moving_pair
{
    const grz_clash_request *request;
    const grz_clash_part *parts[2];
    graze_impact_cache *cache; /* from frame to frame; may be NULL */
} grz_clash_moving_pair;

/* The motion of a part from a frame to the next. */
graze_motion grz_clash_motion_of(const grz_clash_part *part, uint32_t frame);

/* The part as it is at time t, from 0 to 1, between a frame and the next. Fails as graze_motion_pose. */
graze_status grz_clash_place_part(const grz_clash_part *part, uint32_t frame, double t, grz_clash_part *out_part);

/* CONTACT: surfaces share a point; CROSSING: they cross; SOLIDS: as CONTACT, or one lies in the other at t = 0. */
typedef enum grz_clash_meeting
{
    GRZ_CLASH_CONTACT,
    GRZ_CLASH_CROSSING,
    GRZ_CLASH_SOLIDS
} grz_clash_meeting;

/* The first time from a frame to the next at which they meet so. Fails as graze_pair_impact, and with CANCELLED when
 * the budget has stopped the run. */
graze_status grz_clash_find_impact(const grz_clash_moving_pair *pair, uint32_t frame, grz_clash_meeting how,
                                   graze_impact *out_impact);

/* The first contact of a pair with a shape, by the queries of graze/shape_motion.h: unknown where it is not certain.
 * Fails as grz_clash_find_impact. */
graze_status grz_clash_find_shape_impact(const grz_clash_moving_pair *pair, uint32_t frame, graze_impact *out_impact);

/* How far a point of either part may be, between a frame and the next, from where its rounded pose has it. */
double grz_clash_rounding_at(const grz_clash_moving_pair *pair, uint32_t frame, double t);

/* Whether it is proved that one translation no longer than `limit` separates the parts all the time from a frame to the
 * next, in which they meet: exactly, for some directions that are only guesses. `way_out` is another guess; NULL: none.
 * Fails as grz_clash_find_impact. */
graze_status grz_clash_is_shallow(const grz_clash_moving_pair *pair, uint32_t frame, const graze_impact *impact,
                                  double limit, const double *way_out, bool *out_shallow);

#endif
