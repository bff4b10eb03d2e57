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

/// Curved surfaces, by their parameters. Closed ones are surfaces, not bodies: one within another meets nothing.
typedef enum graze_curved_kind
{
    GRAZE_CURVED_SPHERE = 0, ///< sizes: radius
    GRAZE_CURVED_ELLIPSOID,  ///< sizes: three half axes
    GRAZE_CURVED_TORUS,      ///< sizes: radius of the circle about z, radius of the tube
    GRAZE_CURVED_BEZIER      ///< a patch by its control points
} graze_curved_kind;

typedef struct graze_curved_surface
{
    graze_curved_kind kind;
    double sizes[3];             ///< above 0
    const double (*points)[3];   ///< (degree_u + 1) (degree_v + 1) control points, those of one u in a row
    uint32_t degree_u, degree_v; ///< 1 to 8
} graze_curved_surface;

/// A curved surface that moves: by a kernel motion, one of the first four kinds.
typedef struct graze_moving_surface
{
    graze_curved_surface surface;
    graze_motion motion;
} graze_moving_surface;

/// When two curved surfaces meet for the first time, by the interval Newton method over their parameters and time
/// (Snyder et al. 1993, in 000 2.8). Counters: steps (boxes of parameters and time), features (Newton steps).
/// @param resolution  lower and upper need be no closer; 0: 2^-20
/// @param budget      box_tests are boxes; may be NULL: 50,000 boxes. Used up: the verdict may be unknown
/// Guarantee: bounded: what is proved is true; surfaces that touch at the start without crossing, or come to touch in
/// more than a point, are mostly unknown. Fails with BAD_ARGUMENT (NULL; sizes, degrees or the resolution out of
/// range), NOT_FINITE, UNSUPPORTED (enclosed motions), as graze_motion_check, OUT_OF_MEMORY and CANCELLED. Thread
/// safety: any number of threads.
GRAZE_API graze_status graze_curved_surface_impact(const graze_context *context, const graze_moving_surface *a,
                                                   const graze_moving_surface *b, double resolution,
                                                   const graze_budget *budget, graze_motion_method_answer *out_answer);

/// An upper bound of a field at all points that are at most `radius` from `point`, in the body's frame; a body is where
/// its field is below 0. A signed distance, for one, is f(point) + radius, with its own rounding added.
typedef double (*graze_implicit_field)(void *user, const double point[3], double radius);

/// A body given by a field, that moves.
typedef struct graze_implicit_body
{
    graze_implicit_field field;
    void *user;
    graze_motion motion;
} graze_implicit_body;

/// Whether vertices of a moving mesh come into a body given by a field, at times 0, 1/frames to 1 (Gascuel 1993, in 000
/// 2.8). Counters: frames, features (vertices asked).
/// @param deepest  may be NULL; the vertex that is asked first at the first time; becomes the deepest one of the last
/// Guarantee: yes is proved, at `upper`, as far as the field's bound is one; else UNKNOWN, with the guess that they
/// never meet. Fails with BAD_ARGUMENT (NULL, no frames), UNSUPPORTED (soft meshes, enclosed motions), as
/// graze_motion_check and graze_motion_pose, and CANCELLED. Thread safety: as the field.
GRAZE_API graze_status graze_implicit_body_impact(const graze_implicit_body *a, const graze_moving_mesh *b,
                                                  uint32_t frames, const graze_budget *budget, uint32_t *deepest,
                                                  graze_motion_method_answer *out_answer);

GRAZE_END_DECLS

#endif
