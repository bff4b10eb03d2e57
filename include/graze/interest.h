/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Collision filtering: which pairs of objects are tested at all (collision interest matrix, Zachmann 1994, 7.0.1 and
 * 7.2). Applied before the narrow phase. Symmetric; stored as rules, not as an n x n matrix.
 *
 * The most specific rule decides: that of the pair itself; else that of one of the two objects; else that of their
 * layers; else the default. Not tested, unless a rule of the pair itself says ANY: a parent and its child (see
 * graze_scene_def), parts of one assembly, two static objects, two sensors.
 *
 * All rules count from the next update on; pairs that collide and are no longer of interest end then.
 */
#ifndef GRAZE_INTEREST_H
#define GRAZE_INTEREST_H

#include "graze/scene.h"

GRAZE_BEGIN_DECLS

typedef enum graze_interest
{
    GRAZE_INTEREST_UNSET = 0, ///< what a less specific rule says
    GRAZE_INTEREST_NONE,      ///< not tested
    GRAZE_INTEREST_ANY        ///< tested
} graze_interest;

/// For pairs that no other rule is about: ANY at first. UNSET is a BAD_ARGUMENT.
GRAZE_API graze_status graze_interest_set_default(graze_scene *scene, graze_interest interest);

/// For objects of two layers, or of one. Fails with BAD_ARGUMENT.
GRAZE_API graze_status graze_interest_set_layers(graze_scene *scene, uint32_t layer_a, uint32_t layer_b,
                                                 graze_interest interest);

/// For all pairs of one object that have no rule of their own. NONE of one object outweighs ANY of the other. Fails
/// with BAD_INDEX or BAD_ARGUMENT.
GRAZE_API graze_status graze_interest_set_object(graze_scene *scene, graze_object object, graze_interest interest);

/// For one pair. Removed with either object. Fails with BAD_INDEX, BAD_ARGUMENT (an object with itself) or
/// OUT_OF_MEMORY.
GRAZE_API graze_status graze_interest_set_pair(graze_scene *scene, graze_object a, graze_object b,
                                               graze_interest interest);

/// Data of a pair, whatever its interest: a callback for its events (may be NULL) and a pointer that its events carry.
/// Set from within a callback, the new one is called for events of this frame that are still to come; the pointer that
/// these carry is the one before. Removed with either object; fails like
/// graze_interest_set_pair.
GRAZE_API graze_status graze_interest_set_pair_data(graze_scene *scene, graze_object a, graze_object b,
                                                    graze_event_function on_event, void *on_event_user,
                                                    void *user_pair);

/// Whether a pair is tested under the current rules. False for stale ids.
GRAZE_API bool graze_interest_wants(const graze_scene *scene, graze_object a, graze_object b);

GRAZE_END_DECLS

#endif
