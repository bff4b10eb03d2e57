/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Clash detection between the parts of an assembly (libgraze_clash): which parts cross, contain one another, touch,
 * come too close or are duplicates, under rules, and compared with an earlier report. Opens no file: parts, rules and
 * baseline come from memory.
 *
 *     graze_clash_part parts[2] = {{.name = "housing", .mesh = housing, .pose = graze_pose_identity()},
 *                                  {.name = "shaft", .mesh = shaft, .pose = graze_pose_identity()}};
 *     graze_clash_report *report;
 *     if (graze_clash_find(NULL, parts, 2, NULL, NULL, &report) == GRAZE_STATUS_OK)
 *     {
 *         for (size_t i = 0; i < report->finding_count; i++)
 *             tell(report->parts[report->findings[i].a].name, report->parts[report->findings[i].b].name,
 *                  graze_clash_verdict_name(report->findings[i].verdict));
 *         graze_clash_report_destroy(report);
 *     }
 */
#ifndef GRAZE_CLASH_H
#define GRAZE_CLASH_H

#include <string.h>

#include "graze/budget.h"
#include "graze/clash_report.h"
#include "graze/interest.h"
#include "graze/motion.h"

GRAZE_BEGIN_DECLS

/// A document in memory.
typedef struct graze_clash_source
{
    const char *name; ///< for messages and reports
    const char *text; ///< UTF-8; need not end with a zero byte
    size_t size;      ///< in bytes
} graze_clash_source;

/// Rules (docs/clash-rules.md): pairs to ignore, limits, severities, approvals, reviews, surfaces. Immutable: any
/// number of runs and threads may use the same rules.
typedef struct graze_clash_rules graze_clash_rules;

/// Reads rules from one or several sources, whose entries count as if they stood in one: the most specific one decides.
/// Groups belong to their source. The sources may be freed afterwards. Fails with BAD_ARGUMENT, OUT_OF_MEMORY, EMPTY,
/// TOO_LARGE or BAD_FORMAT; error->index is then the number of the source, and the text says where in it; it begins
/// with the line where error->line is set.
GRAZE_API graze_status graze_clash_rules_create(const graze_context *context, const graze_clash_source *sources,
                                                size_t source_count, graze_error *error, graze_clash_rules **out_rules);
GRAZE_API void graze_clash_rules_destroy(graze_clash_rules *rules);

/// An earlier JSON report to compare with. Immutable, as rules.
///
/// Worse means certainly worse: a stronger verdict (duplicate, contains, crosses, touches, too_close, in this order);
/// for the same verdict, a depth interval above the earlier one, a gap interval below it, or a set of duplicates with
/// more parts. Overlapping intervals prove nothing, so that a tighter bound alone fails no run.
typedef struct graze_clash_baseline graze_clash_baseline;

/// Reads a report that graze_clash_write_json wrote. The source may be freed afterwards. Fails as
/// graze_clash_rules_create.
GRAZE_API graze_status graze_clash_baseline_create(const graze_context *context, const graze_clash_source *source,
                                                   graze_error *error, graze_clash_baseline **out_baseline);
GRAZE_API void graze_clash_baseline_destroy(graze_clash_baseline *baseline);

/// Limits of all pairs. They outweigh entries of rules that apply to all pairs; more specific entries outweigh them.
typedef struct graze_clash_tolerances
{
    double clearance, max_depth; ///< at least 0
    bool allow_touch;
    bool has_clearance, has_max_depth, has_allow_touch; ///< whether each is given; else that of the rules, or the
                                                        ///< default: 0, 0 and false
} graze_clash_tolerances;

#define GRAZE_CLASH_NO_PART UINT32_MAX

/// How a scene, or the nodes of a file, describe one of the parts; see graze/interest.h. Layer, flags and assembly
/// count in scenes only.
typedef struct graze_clash_member
{
    uint32_t scene;    ///< index of its scene; UINT32_MAX: of none
    uint32_t layer;    ///< below GRAZE_LAYER_COUNT
    uint32_t flags;    ///< GRAZE_OBJECT_STATIC, GRAZE_OBJECT_SENSOR
    uint32_t parent;   ///< the part it is attached to, or GRAZE_CLASH_NO_PART
    uint32_t assembly; ///< 0: none
    uint32_t top;      ///< number of the top node it belongs to, over all files; 0: not known. For rules about parts of
                       ///< the same assembly; parts that parents connect belong to one, too
} graze_clash_member;

/// Rules about pairs of parts or of layers, and about single parts. A part may be GRAZE_CLASH_NO_PART: such a rule is
/// about nothing here.
typedef struct graze_clash_pair_interest
{
    uint32_t a, b;
    graze_interest interest;
} graze_clash_pair_interest;

typedef struct graze_clash_part_interest
{
    uint32_t part;
    graze_interest interest;
} graze_clash_part_interest;

/// Interest rules of a scene, with the precedence of graze/interest.h. Of several rules about the same the last counts.
typedef struct graze_clash_scene
{
    const char *name; ///< for reports: "NAME: interest.pairs[2]"
    graze_interest otherwise;
    bool test_parent_child;
    const graze_clash_pair_interest *pairs, *layers;
    size_t pair_count, layer_count;
    const graze_clash_part_interest *parts;
    size_t part_count;
} graze_clash_scene;

/// How a part moves from frame to frame.
typedef struct graze_clash_track
{
    const graze_motion
        *motions;   ///< kernel motions of its mesh, frame_count - 1 of them: motions[0] leads from frame 1,
                    ///< where the part is at its pose, to frame 2; as of graze_motion_between. NULL: still
    uint32_t group; ///< parts of one group, other than 0, move as one rigid body: they are tested at frame 1 alone
} graze_clash_track;

/// Called after each test of a pair or of a part against itself. Called from any thread, never from two at once.
typedef void (*graze_clash_progress_function)(void *user, uint64_t done, uint64_t all);

/// Options of a run. Start from graze_clash_options_default(); NULL means the same. What pointers lead to must outlive
/// the report.
typedef struct graze_clash_options
{
    size_t struct_size;
    const graze_clash_rules *rules;       ///< NULL: none
    const graze_clash_baseline *baseline; ///< NULL: none
    graze_clash_tolerances tolerances;
    graze_clash_fail_on fail_on;
    const char *set_a, *set_b; ///< patterns of names with * and ?: only pairs of a part of one set and one of the
                               ///< other; both or none
    const graze_clash_member *members; ///< by part; NULL: no scenes, and nodes are known by the paths of parts
    const graze_clash_scene *scenes;
    size_t scene_count;
    const graze_clash_input *inputs; ///< files of the parts, for reports
    size_t input_count;
    const char *units; ///< of all lengths, for reports; may be NULL
    bool self;         ///< test parts for self-intersection, too
    bool regions;      ///< compute the contact of crossing and touching parts as geometry, for report pages
    graze_clash_progress_function on_progress; ///< may be NULL
    void *on_progress_user;
    graze_budget budget; ///< checked between tests; each test counts as one box test. Used up or cancelled: the report
                         ///< of what is known by then, which is not complete
    bool has_resolution; ///< whether `resolution` stands for that of each part; 0 is the pure exact reading
    double resolution;   ///< at least 0
    bool tessellation_off;       ///< do not consider the facets of curved surfaces
    bool assume_closed;          ///< decide what is inside an open mesh by its winding number; estimated
    const char *const *surfaces; ///< patterns of names of parts that are meant to be surfaces, without an inside
    size_t surface_count;
    const graze_clash_track *tracks; ///< by part: find what meets at any time between the first and the last frame; see
                                     ///< graze_clash_find. NULL: nothing moves
    uint32_t frame_count;            ///< at least 1 with tracks
} graze_clash_options;

GRAZE_INLINE graze_clash_options graze_clash_options_default(void)
{
    graze_clash_options options;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    return options;
}

/// Finds all clashes.
///
/// With options->tracks it finds the pairs that meet at any real time between the first and the last frame: each has
/// the time of its first contact, certified, and of its first overlap. Verdicts are the strongest over that time; a
/// pair that never meets is no finding. All else is measured at the frame that is worst, or, where they overlap between
/// frames only, at a time right after they begin to. A clearance is refused; that of rules does not count, which is
/// told as a problem. Between frames, `max_depth` and resolutions let pass only what is proved to be within them all
/// the while. Two parts of which one is a shape without triangles, and that may meet while they move, are undecided.
///
/// Guarantee: verdicts are exact under the contract of graze/pose.h, or the pair is listed as
/// undecided; depth and gap are certified intervals.
/// @param parts  names must differ; the array may be freed afterwards, what its pointers lead to must outlive the
/// report. Fails with BAD_ARGUMENT, NOT_FINITE, TOO_LARGE or OUT_OF_MEMORY. The caller owns *out_report. Thread safety:
/// any number of threads may use the same meshes, trees, rules and baseline.
GRAZE_API graze_status graze_clash_find(const graze_context *context, const graze_clash_part *parts, size_t part_count,
                                        const graze_clash_options *options, graze_error *error,
                                        graze_clash_report **out_report);

/// Counts pairs as graze_clash_find does, and tests a sample of them to estimate the seconds that all take on one
/// thread. The report has counts and facts of the parts, but no findings.
GRAZE_API graze_status graze_clash_estimate(const graze_context *context, const graze_clash_part *parts,
                                            size_t part_count, const graze_clash_options *options, graze_error *error,
                                            graze_clash_report **out_report, double *out_seconds);

GRAZE_END_DECLS

#endif
