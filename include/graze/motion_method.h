/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The literature's methods for moving meshes, side by side, for study and comparison. graze_pair_impact
 * (graze/motion_query.h) is faster and answers more; docs/methods.md says what each one is.
 *
 * A method whose one answer is proved and whose other is a guess returns GRAZE_IMPACT_UNKNOWN for the latter, with the
 * guess beside it, never a silent one.
 */
#ifndef GRAZE_MOTION_METHOD_H
#define GRAZE_MOTION_METHOD_H

#include "graze/budget.h"
#include "graze/context.h"
#include "graze/method.h"
#include "graze/motion_query.h"

GRAZE_BEGIN_DECLS

/// A method, by its name. All strings are constants.
typedef struct graze_motion_method_info
{
    const char *name;    ///< in kebab-case: "mirtich"
    const char *summary; ///< one sentence
    const char *source;  ///< document and section: "004 5.3"
    graze_method_guarantee guarantee;
    bool soft; ///< takes stills and blends, also of soft meshes; false: rigid meshes with any kernel motion
} graze_motion_method_info;

/// How many methods there are.
GRAZE_API size_t graze_motion_method_count(void);

/// A method by its number, in a fixed order; NULL for a number out of range.
GRAZE_API const graze_motion_method_info *graze_motion_method_at(size_t index);

/// A method by its name; NULL when there is none.
GRAZE_API const graze_motion_method_info *graze_motion_method_find(const char *name);

/// What a query cost. Counters that a method does not have stay 0.
typedef struct graze_motion_method_counters
{
    uint64_t steps;     ///< of time
    uint64_t distances; ///< measured between both meshes
    uint64_t bounds;    ///< space-time bounds compared
    uint64_t frames;    ///< times at which the meshes were tested as they stand
    uint64_t boxes;     ///< pairs of swept boxes that overlap
    uint64_t features;  ///< vertices against faces, edges against edges
} graze_motion_method_counters;

/// What a method says.
typedef struct graze_motion_method_answer
{
    graze_impact_verdict verdict; ///< proved, or UNKNOWN
    graze_impact_verdict guess;   ///< if unknown: what the method takes for true; NONE or AT, or UNKNOWN
    double lower, upper;          ///< nothing meets before lower; AT: something does up to upper
    graze_motion_method_counters counters;
} graze_motion_method_answer;

/// Asks a method when two moving meshes meet for the first time, as surfaces.
/// @param budget  may be NULL; used up: the verdict is unknown
/// Guarantee: what graze_motion_method_info says. Fails as graze_pair_impact; BAD_ARGUMENT (no such method);
/// UNSUPPORTED for motions or meshes that the method does not take. Thread safety: as graze_pair_impact.
GRAZE_API graze_status graze_motion_method_impact(const graze_context *context, const char *method,
                                                  const graze_moving_mesh *a, const graze_moving_mesh *b,
                                                  const graze_budget *budget, graze_motion_method_answer *out_answer);

GRAZE_END_DECLS

#endif
