/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The collision interest matrix of a scene (Zachmann, 7.0.1 and 7.2): which pairs of objects anybody wants to know
 * about. It is asked before any exact work. Symmetric; kept by rules and not by n x n cells.
 *
 * The most specific rule decides: that of the pair itself; else that of one of the two objects; else that of their
 * layers; else the default. Never examined, unless the rule of the pair says so, are parents and their children (see
 * graze_scene_def), parts of one assembly, two static objects and two sensors.
 */
#ifndef GRAZE_INTEREST_H
#define GRAZE_INTEREST_H

#include "graze/scene.h"

GRAZE_BEGIN_DECLS

typedef enum graze_interest
{
    GRAZE_INTEREST_UNSET = 0, ///< what a less specific rule says
    GRAZE_INTEREST_NONE,      ///< nobody wants to know
    GRAZE_INTEREST_ANY        ///< whether they collide
} graze_interest;

/// What an object wants of all others.
typedef enum graze_object_interest
{
    GRAZE_OBJECT_INTEREST_UNSET = 0, ///< what layers and the default say
    GRAZE_OBJECT_INTEREST_NONE,      ///< nothing, but for pairs that have a rule of their own
    GRAZE_OBJECT_INTEREST_ANY,       ///< everything, whatever layers and the default say
    GRAZE_OBJECT_INTEREST_ONLY       ///< the same as NONE: only pairs that have a rule of their own
} graze_object_interest;

/// All rules count from the next update on; pairs that collide and are no longer of interest end then.

/// For pairs that no other rule is about: ANY at first. UNSET is a BAD_ARGUMENT.
GRAZE_API graze_status graze_interest_set_default(graze_scene *scene, graze_interest interest);

/// For objects of two layers, or of one. Fails with BAD_ARGUMENT.
GRAZE_API graze_status graze_interest_set_layers(graze_scene *scene, uint32_t layer_a, uint32_t layer_b,
                                                 graze_interest interest);

/// For one object. NONE and ONLY of one object outweigh ANY of the other. Fails with BAD_INDEX or BAD_ARGUMENT.
GRAZE_API graze_status graze_interest_set_object(graze_scene *scene, graze_object object,
                                                 graze_object_interest interest);

/// For one pair. Goes when one of them goes. Fails with BAD_INDEX, BAD_ARGUMENT (an object with itself) or
/// OUT_OF_MEMORY.
GRAZE_API graze_status graze_interest_set_pair(graze_scene *scene, graze_object a, graze_object b,
                                               graze_interest interest);

/// Data of a pair, whatever its interest: a callback for its events (may be NULL) and a pointer that its events carry.
/// Set from within a callback, the new one is called for events of this frame that are still to come; the pointer that
/// these carry is the one before. Goes and fails as the rule of the pair.
GRAZE_API graze_status graze_interest_set_pair_data(graze_scene *scene, graze_object a, graze_object b,
                                                    graze_event_function on_event, void *on_event_user,
                                                    void *user_pair);

/// What the rules say about a pair now. False for stale names.
GRAZE_API bool graze_interest_wants(const graze_scene *scene, graze_object a, graze_object b);

GRAZE_END_DECLS

#endif
