/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Tool paths: which moves of a cutting tool gouge a part. A tool is a set of cutters, balls and cylinders along z, that
 * moves without turning along straight lines: a ball end mill, a flat end mill, or both with shank and holder.
 *
 * A move **gouges** if some point of the part, taken as its surface and all within it, lies in the inside of some
 * cutter at some time of the move. Touching is no gouge. Guarantee: exact for the doubles given, at every real time.
 * Heights of balls (`lower`) other than 0 are added to the z of the move and rounded, once; so are cutters that are
 * made smaller or larger by the options or by a move's deviation.
 *
 * Thread safety: any number of threads may use the same mesh and tree.
 */
#ifndef GRAZE_TOOL_PATH_H
#define GRAZE_TOOL_PATH_H

#include <stdbool.h>
#include <string.h>

#include "graze/budget.h"
#include "graze/context.h"
#include "graze/mesh.h"
#include "graze/status.h"
#include "graze/tree.h"

GRAZE_BEGIN_DECLS

typedef enum graze_cutter_kind
{
    GRAZE_CUTTER_BALL = 0, ///< its centre is `lower` above the place of the tool
    GRAZE_CUTTER_CYLINDER  ///< from `lower` to `upper` above it, about the z axis; `upper` may be INFINITY
} graze_cutter_kind;

typedef struct graze_cutter
{
    graze_cutter_kind kind;
    double radius; ///< above 0
    double lower, upper;
} graze_cutter;

/// A straight move of the tool from place to place.
typedef struct graze_tool_move
{
    double start[3], end[3];
    double deviation; ///< the real tool may be this far from the line, as where an arc was cut into chords; then a
                      ///< verdict may be unknown. 0: exact
    bool dog_leg; ///< the tool may take any way between the places on which no coordinate turns back: what counts is
                  ///< the box of both
} graze_tool_move;

/// What is known of one move.
typedef struct graze_gouge
{
    graze_verdict verdict; ///< YES: it gouges; UNKNOWN: within its deviation, or the part is not closed
    uint32_t cutter;       ///< the first that gouges, or that is unknown
    uint64_t triangle;     ///< one that lies in it in part, for YES; GRAZE_NO_INDEX where the cutter is within the part
    double depth_lower,
        depth_upper; ///< for YES: a tool smaller by the lower one all around gouges, by the upper one not
} graze_gouge;

/// Options. Start from graze_tool_path_options_default(); NULL means the same.
typedef struct graze_tool_path_options
{
    size_t struct_size;
    double threshold; ///< gouges count where a tool smaller by this all around gouges; from 0
    bool surface;     ///< the part is its surface: a cutter within it, without contact, does not gouge. For open meshes
    uint32_t depth_steps; ///< halvings of the depth of each gouge; 0: depths are [0, radius]
    graze_budget budget;  ///< box_tests counts triangles near the path
} graze_tool_path_options;

GRAZE_INLINE graze_tool_path_options graze_tool_path_options_default(void)
{
    graze_tool_path_options options;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.depth_steps = 10;
    return options;
}

/// Decides for each move whether it gouges.
/// @param tree   BVH of the part; NULL: every triangle is tried for every move
/// @param out_gouges  `move_count` of them
/// Fails with NOT_FINITE; BAD_ARGUMENT (a radius or height that makes no sense, a tree of another mesh, a part that is
/// not closed without options->surface); OUT_OF_MEMORY; UNFINISHED or CANCELLED (options).
GRAZE_API graze_status graze_tool_path_check(const graze_context *context, const graze_mesh *part,
                                             const graze_tree *tree, const graze_cutter *cutters, size_t cutter_count,
                                             const graze_tool_move *moves, size_t move_count,
                                             const graze_tool_path_options *options, graze_gouge *out_gouges);

GRAZE_END_DECLS

#endif
