/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Reports of clash detection (libgraze_clash): findings with their verdicts and measures, counts and problems; and
 * writers to JSON, CSV, JUnit and BCF. graze/clash.h makes reports.
 */
#ifndef GRAZE_CLASH_REPORT_H
#define GRAZE_CLASH_REPORT_H

#include <stdbool.h>
#include <string.h>

#include "graze/mesh.h"
#include "graze/region.h"
#include "graze/shape.h"

GRAZE_BEGIN_DECLS

/// Weakest first.
typedef enum graze_clash_verdict
{
    GRAZE_CLASH_CLEAR = 0,
    GRAZE_CLASH_TOO_CLOSE, ///< a gap strictly below the clearance
    GRAZE_CLASH_TOUCHES,   ///< surfaces meet, and the bodies share no interior point
    GRAZE_CLASH_CROSSES,   ///< the bodies share interior points
    GRAZE_CLASH_CONTAINS,  ///< one body lies in the other
    GRAZE_CLASH_DUPLICATE, ///< the same solid at the same place
    GRAZE_CLASH_SELF,      ///< a part crosses itself
    GRAZE_CLASH_UNDECIDED  ///< it cannot be decided: none of the others; it fails no run by itself
} graze_clash_verdict;

/// How many verdicts there are, for arrays by verdict.
#define GRAZE_CLASH_VERDICT_COUNT (GRAZE_CLASH_UNDECIDED + 1)

/// "clear", "too_close", "touches", "crosses", "contains", "duplicate", "self", "undecided"; "" for numbers that are no
/// verdict.
GRAZE_API const char *graze_clash_verdict_name(graze_clash_verdict verdict);

typedef enum graze_clash_severity
{
    GRAZE_CLASH_INFO = 0,
    GRAZE_CLASH_MINOR,
    GRAZE_CLASH_MAJOR,
    GRAZE_CLASH_CRITICAL
} graze_clash_severity;

/// "info", "minor", "major", "critical"; "" for other numbers.
GRAZE_API const char *graze_clash_severity_name(graze_clash_severity severity);

typedef enum graze_clash_state
{
    GRAZE_CLASH_NEW = 0, ///< not in the baseline, or there is none
    GRAZE_CLASH_KNOWN,   ///< in the baseline, no worse than there
    GRAZE_CLASH_WORSE,   ///< in the baseline, but now deeper, closer or of a stronger verdict
    GRAZE_CLASH_APPROVED ///< the rules approve it
} graze_clash_state;

/// "new", "known", "worse", "approved"; "" for other numbers.
GRAZE_API const char *graze_clash_state_name(graze_clash_state state);

/// Which findings make a run fail. Approved ones never do.
typedef enum graze_clash_fail_on
{
    GRAZE_CLASH_FAIL_ON_ANY = 0,
    GRAZE_CLASH_FAIL_ON_NEW,  ///< those that are not in the baseline
    GRAZE_CLASH_FAIL_ON_WORSE ///< those, and those that are worse than in the baseline
} graze_clash_fail_on;

/// "any", "new", "worse"; "" for other numbers.
GRAZE_API const char *graze_clash_fail_on_name(graze_clash_fail_on fail_on);

/// A part of an assembly, filled by the caller.
typedef struct graze_clash_part
{
    const char *name;       ///< unique in the assembly; any bytes
    const char *file;       ///< that it was read from; NULL: none
    const char *parent;     ///< path of the node above it in that file; NULL or "": none
    const graze_mesh *mesh; ///< parts may share meshes. Of a part with a shape: what cameras take it to look like, or
                            ///< NULL
    const graze_tree *tree; ///< of the mesh; NULL: built where a test needs it
    graze_pose pose;
    double resolution;        ///< of its coordinates in the world, at least 0: how far rounding may have moved them
    uint32_t flags;           ///< GRAZE_CLASH_PART_..., combined with |
    const graze_shape *shape; ///< what the part is, instead of its mesh; NULL: the mesh. Parts may share shapes
} graze_clash_part;

enum
{
    GRAZE_CLASH_PART_SURFACE = 1 ///< meant to be a surface: nothing is asked of its inside
};

/// What was found out about a part.
typedef struct graze_clash_part_facts
{
    size_t triangle_count;
    bool closed;     ///< it bounds a solid: each edge has exactly two triangles
    bool in_a, in_b; ///< it matches the patterns of the two sets; true without sets
    bool surface;    ///< it is meant to be a surface: by its flags, the rules or the options
} graze_clash_part_facts;

/// A connected piece of the space that two parts share, or of the contact of parts that touch.
typedef struct graze_clash_location
{
    double point[3]; ///< of the piece: the deepest that is known, or one of its contact
    graze_box box;   ///< of its contact; of the piece, if that has none
    bool has_depth;
    double depth[2]; ///< certified bounds of the interference at this place; valid if has_depth
    double area;     ///< of faces that lie on one another; estimated
    double length;   ///< of its curves; estimated
    uint32_t curves; ///< how many there are
} graze_clash_location;

/// What only some findings have; see graze_clash_finding.details.
typedef struct graze_clash_details
{
    double depth_line[2][3]; ///< of a depth: the deepest point that both hold, and the closest point of the surface
    double translation[3];   ///< of a way out: of b, after which they no longer overlap
    bool has_volume;
    double volume, volume_error; ///< of the overlap, and a bound of its error
    double gap_points[2][3];     ///< of a gap: on a and on b
    double sagittas[2];          ///< of the facets of a and b at the deepest point; estimated; 0 where not known
    double (*open_edges)[2][3];  ///< edges that leave it undecided, by their ends; NULL: none
    size_t open_edge_count;
    graze_clash_location *locations; ///< in the order of their lowest points; NULL: one, the finding's own
    size_t location_count;
    bool has_poses;      ///< of findings of a run through time, where they may be others than those of the parts
    graze_pose poses[2]; ///< of a and b when all this was measured; valid if has_poses
} graze_clash_details;

/// What people decided about a finding, as the rules have it.
typedef struct graze_clash_review
{
    const char *state;              ///< "open", "assigned", "fixed" or "approved"
    const char *assignee, *comment; ///< or NULL
} graze_clash_review;

typedef struct graze_clash_finding
{
    char id[17]; ///< 16 hexadecimal digits: hash of the names, sorted; the same for any revision and load order
    bool a_in_b; ///< of CONTAINS: whether a lies in b
    bool has_depth, has_gap;
    bool within_resolution;   ///< the resolution of the parts made it TOUCHES; `exact` is the reading without it
    bool within_tessellation; ///< a crossing no deeper than the sum of both sagittas
    bool undecided;           ///< the verdict may be a stronger one
    bool estimated;           ///< the verdict rests on an estimate of what is inside an open mesh
    bool no_pairs;            ///< neither part has triangles: `pairs` says nothing
    bool tolerated;           ///< it is within the tessellation, and no rule says that it fails all the same
    graze_clash_verdict verdict;
    graze_clash_verdict exact; ///< verdict for resolution 0; CLEAR: apart
    graze_clash_severity severity;
    graze_clash_state state;
    size_t a,
        b; ///< parts, a's name before b's; for a set of duplicates the first two; for a self-intersection the same
    uint32_t curves;      ///< of the contact: how many there are
    uint64_t pairs;       ///< of intersecting triangles; where a part is a shape without triangles, those of the other
                          ///< that meet it
    double depth[2];      ///< interference: how deep a common point lies below a surface; certified lower and upper
                          ///< bound; valid if has_depth
    double way_out[2];    ///< length of the shortest translation that separates them; likewise. An upper bound may be
                          ///< infinite
    double gap[2];        ///< certified bounds, too; valid if has_gap
    double point[3];      ///< a representative point in the world
    graze_box box;        ///< of the contact, and of the gap's points; lower > upper: there is none
    graze_region *region; ///< the contact, if regions were asked for; else NULL
    const char *touch_kind; ///< "point", "edge", "face"; NULL if it does not touch
    double area;            ///< of the contact; estimated
    const char *rule;       ///< that set the limit: "default", "--clearance", "rules.json: limits[2]"...
    const char *reason;     ///< of an approval, or NULL
    const char *why;        ///< it is undecided; NULL if it is not
    const size_t *set;      ///< of duplicates: all parts of the set, by name; else NULL
    size_t set_count;
    graze_clash_details *details; ///< NULL: none, as of touches in one place
    const char *lapsed;           ///< the rule that approved something less bad, "rules.json: approve[2]"; NULL: none
    const graze_clash_review *review; ///< NULL: none
    uint32_t cluster; ///< number of the cluster it belongs to, from 1: findings that share parts, also through others
    bool has_time, has_crossing_time; ///< has_time: of every finding of a run through time, and of no other
    double time[2]; ///< in frames: when they meet for the first time, touching only if that is no cause to pass it by;
                    ///< nothing meets before the first, something does by the second; certified
    double crossing_time[2]; ///< likewise, when they overlap for the first time; valid if has_crossing_time
    double measured_at;      ///< the frame, or time between frames, at whose pose all other measures are taken
} graze_clash_finding;

/// A pair whose verdict could not be decided.
typedef struct graze_clash_undecided
{
    char id[17]; ///< as that of a finding
    size_t a, b;
    const char *why; ///< as that of the finding
} graze_clash_undecided;

/// A rule that ignores pairs.
typedef struct graze_clash_ignored
{
    const char *rule, *reason;
    uint64_t count;  ///< of pairs
    uint64_t selves; ///< self-intersection tests ignored
} graze_clash_ignored;

typedef struct graze_clash_counts
{
    uint64_t parts, parts_free; ///< parts_free: parts without findings
    uint64_t triangles;
    uint64_t pairs_possible, pairs_culled, pairs_tested, pairs_ignored, pairs_undecided;
    uint64_t selves_tested, selves_ignored; ///< self-intersection tests
    uint64_t findings;
    uint64_t resolution_changed; ///< verdicts that are others for resolution 0, also where nothing is left to report
} graze_clash_counts;

/// A remark about an input or the rules.
typedef struct graze_clash_problem
{
    const char *part; ///< or file, or ""
    const char *what;
} graze_clash_problem;

/// A file that was read: an input, rules, or the baseline.
typedef struct graze_clash_input
{
    const char *path;
    char hash[65]; ///< SHA-256 of its bytes as hexadecimal digits; "" where it is not known
    uint64_t size; ///< in bytes
} graze_clash_input;

/// How often a part is in findings.
typedef struct graze_clash_part_hits
{
    size_t part;
    uint64_t findings, failing;
    graze_clash_severity severity; ///< of the most severe
} graze_clash_part_hits;

/// A finding of the baseline that this run does not have.
typedef struct graze_clash_resolved
{
    const char *id, *a, *b;
    graze_clash_verdict verdict;
    const char *rule; ///< the entry or option because of which it is no finding now; NULL: it is resolved
} graze_clash_resolved;

/// The result of a run. Read only; made by graze_clash_find. It refers to texts and meshes of the parts, rules,
/// baseline and options, which must outlive it. The same parts and rules give the same report, apart from seconds, for
/// any number of threads.
typedef struct graze_clash_report
{
    const graze_clash_part *parts; ///< a copy of the caller's array
    const graze_clash_part_facts *facts;
    size_t part_count;
    const graze_clash_input *inputs;
    size_t input_count;
    graze_clash_finding *findings; ///< most severe first, then deepest first, then smallest gap first, then by names
    size_t finding_count;
    graze_clash_undecided *undecided; ///< by names; of an interrupted run only the counts tell how many more there are
    size_t undecided_count;
    graze_clash_ignored *ignored; ///< by rule
    size_t ignored_count;
    graze_clash_problem *problems;
    size_t problem_count;
    graze_clash_resolved *resolved; ///< by names; only known for a complete run
    size_t resolved_count;
    graze_clash_resolved *ignored_now; ///< by names: findings of the baseline about pairs that are ignored, not asked
                                       ///< for, or allowed now; they are not resolved
    size_t ignored_now_count;
    graze_clash_part_hits *hits; ///< parts in findings: those with most failing ones first, then with most findings
    size_t hit_count;
    uint32_t cluster_count;
    const char **group_names; ///< groups of the rules, in their order
    size_t group_count;
    uint64_t *matrix; ///< of group_count rows and columns: findings between parts of two groups; NULL without groups
    graze_clash_counts counts;
    double seconds_preparing, seconds_checking;
    double clearance, max_depth; ///< of pairs to which no rule applies
    bool allow_touch;
    bool has_resolution; ///< one for all parts; else each has its own
    double resolution;
    bool tessellation;              ///< whether facets of curved surfaces are considered
    bool assume_closed;             ///< whether open meshes were taken for closed
    const char *units;              ///< or NULL
    const graze_clash_input *rules; ///< sources of the rules
    size_t rules_count;
    const graze_clash_input *baseline; ///< or NULL
    graze_clash_fail_on fail_on;
    bool complete;                   ///< not interrupted, nothing undecided, no input left out
    uint32_t frame_count;            ///< of a run through time; 0: it is none
    struct graze_clash_store *store; ///< what the library owns; not for callers
} graze_clash_report;

/// Part a or b of a finding, at the pose at which the finding was measured: that of the part, but in a run through
/// time.
/// All zeros where an argument is NULL.
GRAZE_INLINE graze_clash_part graze_clash_finding_part(const graze_clash_report *report,
                                                       const graze_clash_finding *finding, bool second)
{
    graze_clash_part part;
    memset(&part, 0, sizeof part);
    if (report == NULL || finding == NULL)
        return part;
    part = report->parts[second ? finding->b : finding->a];
    if (finding->details != NULL && finding->details->has_poses)
        part.pose = finding->details->poses[second ? 1 : 0];
    return part;
}

GRAZE_API void graze_clash_report_destroy(graze_clash_report *report);

/// Adds a problem of the caller's, such as an input that cannot be read. Those come before the library's, in the order
/// in which they are added. Texts are copied. `left_out`: a part is missing because of it, so that the report is not
/// complete. Fails with BAD_ARGUMENT or OUT_OF_MEMORY.
GRAZE_API graze_status graze_clash_report_add_problem(graze_clash_report *report, const char *part, const char *what,
                                                      bool left_out);

/// Whether a finding makes the run fail.
GRAZE_API bool graze_clash_finding_fails(const graze_clash_report *report, const graze_clash_finding *finding);

/// Findings by severity, by state, and failing ones.
typedef struct graze_clash_tally
{
    uint64_t by_severity[GRAZE_CLASH_CRITICAL + 1], by_state[GRAZE_CLASH_APPROVED + 1], failing;
} graze_clash_tally;

GRAZE_API graze_clash_tally graze_clash_report_tally(const graze_clash_report *report);

typedef enum graze_clash_outcome
{
    GRAZE_CLASH_OUTCOME_CLEAN = 0,  ///< everything was tested, nothing was found
    GRAZE_CLASH_OUTCOME_PASSED,     ///< there are findings, but none that fails
    GRAZE_CLASH_OUTCOME_FAILED,     ///< at least one fails, even if not everything was checked
    GRAZE_CLASH_OUTCOME_INCOMPLETE, ///< nothing that fails was found, but the run is incomplete
    GRAZE_CLASH_OUTCOME_NOTHING     ///< there was no pair to test: not a pass either
} graze_clash_outcome;

GRAZE_API graze_clash_outcome graze_clash_report_outcome(const graze_clash_report *report);

/// A text returned by value.
typedef struct graze_clash_phrase
{
    char text[160];
} graze_clash_phrase;

/// The measure of a finding in words: "depth 0.5", "gap 0.1 to 0.11", "face, area 2.5, 3 places", "outer, inner" (the
/// roles of a and b)...
GRAZE_API graze_clash_phrase graze_clash_finding_measure(const graze_clash_finding *finding);

/// Why a run is incomplete: "3 pairs are undecided", or "" when it is complete.
GRAZE_API graze_clash_phrase graze_clash_report_shortfall(const graze_clash_report *report);

/// Why pairs are undecided, as a sentence.
GRAZE_API const char *graze_clash_undecided_reason(void);

/// Takes the next bytes of a document. Return false to stop.
typedef bool (*graze_clash_write_function)(void *user, const char *bytes, size_t size);

/// Writers of whole documents, in UTF-8: docs/clash-report.md describes the JSON, which a baseline is read from; CSV is
/// RFC 4180 with a line per finding; JUnit XML has a test case per part. The same report gives the same bytes. Names
/// may hold any bytes and are escaped in every format. Fail with BAD_ARGUMENT, OUT_OF_MEMORY, or CANCELLED when `write`
/// returned false; then only a part was written.
GRAZE_API graze_status graze_clash_write_json(const graze_clash_report *report, graze_clash_write_function write,
                                              void *user);
GRAZE_API graze_status graze_clash_write_csv(const graze_clash_report *report, graze_clash_write_function write,
                                             void *user);
GRAZE_API graze_status graze_clash_write_junit(const graze_clash_report *report, graze_clash_write_function write,
                                               void *user);

/// The report's share of the data of a report page (viewer/README.md), as members of JSON objects that the caller has
/// begun and will end: those of "header", and those of the document itself, findings and problems. Each begins with a
/// comma. Fail as the writers above.
GRAZE_API graze_status graze_clash_write_page_header(const graze_clash_report *report, graze_clash_write_function write,
                                                     void *user);
GRAZE_API graze_status graze_clash_write_page_body(const graze_clash_report *report, graze_clash_write_function write,
                                                   void *user);

/// A perspective camera in the world.
typedef struct graze_clash_camera
{
    double position[3];
    double direction[3], up[3]; ///< unit vectors, at a right angle
    double field_of_view;       ///< the whole vertical angle, in degrees
    double distance;            ///< to the centre of what it shows
} graze_clash_camera;

/// A view of a finding, for pictures of 4:3 or wider: both parts, or, where the contact would be lost in them, as much
/// of them around it as lets one see it; from a side where neither part hides it, if there is one. Estimated: it
/// decides nothing. Depends on the finding and its parts alone.
/// @param y_up  whether y is up, as in glTF, not z
/// Fails with BAD_ARGUMENT; with NOT_FINITE when the parts are too large for coordinates of a camera.
GRAZE_API graze_status graze_clash_finding_camera(const graze_clash_report *report, const graze_clash_finding *finding,
                                                  bool y_up, graze_clash_camera *out_camera);

/// Yields the picture of a finding as a PNG file, whose bytes live until the next call; a size of 0: there is none. Any
/// status but OK stops the writer, which returns it.
typedef graze_status (*graze_clash_snapshot_function)(void *user, size_t finding, const void **out_png,
                                                      size_t *out_size);

/// Options of graze_clash_write_bcf. Start from graze_clash_bcf_options_default(); NULL means the same.
typedef struct graze_clash_bcf_options
{
    size_t struct_size;
    int64_t date;                           ///< of all topics: seconds since 1970-01-01, UTC; years from 1 to 9999
    bool y_up;                              ///< of the cameras
    graze_clash_snapshot_function snapshot; ///< NULL: no pictures
    void *snapshot_user;
} graze_clash_bcf_options;

GRAZE_INLINE graze_clash_bcf_options graze_clash_bcf_options_default(void)
{
    graze_clash_bcf_options options;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    return options;
}

/// Writes the findings as a BCF 2.1 file (buildingSMART BIM Collaboration Format), a zip archive: a topic with a
/// viewpoint per finding; docs/clash-report.md says what it holds. Identifiers follow from those of the findings, so
/// that tools recognise a topic they have. The same report, options and pictures give the same bytes. Fails as the
/// writers above, and with TOO_LARGE above 65,535 files (21,844 findings with pictures, before anything is written) or
/// 4 GiB.
GRAZE_API graze_status graze_clash_write_bcf(const graze_clash_report *report, const graze_clash_bcf_options *options,
                                             graze_clash_write_function write, void *user);

GRAZE_END_DECLS

#endif
