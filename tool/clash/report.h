/* SPDX-License-Identifier: MIT */
/*
 * The data of graze clash: parts, limits of a pair, and findings. commands/clash.c reads the command line, rules.c the
 * rules; engine.c finds clashes; baseline.c compares with an earlier report; write_text.c, write_json.c, write_csv.c,
 * write_junit.c and write_html.c write; report.c holds what they share.
 */
#ifndef TOOL_CLASH_REPORT_H
#define TOOL_CLASH_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "graze/pair.h"
#include "shell/command.h"
#include "shell/execution.h"
#include "shell/sha256.h"

/* Weakest first. */
typedef enum clash_verdict
{
    CLASH_CLEAR = 0,
    CLASH_TOO_CLOSE,
    CLASH_TOUCHES,
    CLASH_CROSSES,
    CLASH_CONTAINS,
    CLASH_DUPLICATE,
    CLASH_SELF
} clash_verdict;

/* "clear", "too_close", "touches", "crosses", "contains", "duplicate", "self". */
const char *clash_verdict_name(clash_verdict verdict);
bool clash_verdict_from_name(const char *name, clash_verdict *out_verdict);

/* Most severe first in every report. */
typedef enum clash_severity
{
    CLASH_INFO = 0,
    CLASH_MINOR,
    CLASH_MAJOR,
    CLASH_CRITICAL
} clash_severity;

const char *clash_severity_name(clash_severity severity);
bool clash_severity_from_name(const char *name, clash_severity *out_severity);

typedef struct clash_part
{
    const char *name;   /* unique in the run */
    const char *file;   /* path it was read from */
    const char *parent; /* path of the node above it in the file, "" when there is none */
    graze_placed_mesh placed;
    double lower[3], upper[3]; /* AABB in the world, rounded outward: */
    double slack[3];           /* by at most this, at each bound */
    size_t triangle_count;
    bool closed, oriented;
    const struct graze_body *body; /* graze/depth.h */
    bool in_a, in_b;               /* member of --a and --b; both true without them */
} clash_part;

/* The limits of a pair, each with the rule that states it ("default", "--clearance", "rules: limits[2]"...). */
typedef struct clash_limits
{
    bool ignored;
    size_t ignored_index; /* among the entries of "ignore" */
    const char *ignored_by, *reason;
    double clearance;
    bool allow_touch;
    double max_depth;
    const char *clearance_rule, *touch_rule, *depth_rule;
    clash_severity severity[CLASH_SELF + 1]; /* by verdict */
} clash_limits;

typedef enum clash_state
{
    CLASH_NEW = 0, /* not in the baseline, or there is none */
    CLASH_KNOWN,   /* in the baseline, no worse than there */
    CLASH_WORSE,   /* in the baseline, but now deeper, closer or of a stronger verdict */
    CLASH_APPROVED /* the rules approve it */
} clash_state;

/* "new", "known", "worse", "approved". */
const char *clash_state_name(clash_state state);

/* Which findings make the run fail. Approved ones never do. */
typedef enum clash_fail_on
{
    CLASH_FAIL_ON_ANY = 0,
    CLASH_FAIL_ON_NEW,  /* those that are not in the baseline */
    CLASH_FAIL_ON_WORSE /* those, and those that are worse than in the baseline */
} clash_fail_on;

/* "any", "new", "worse". */
const char *clash_fail_on_name(clash_fail_on fail_on);
bool clash_fail_on_from_name(const char *name, clash_fail_on *out_fail_on);

typedef struct clash_finding
{
    char id[17]; /* 16 hexadecimal digits: hash of the names, sorted; the same for any revision and load order */
    size_t a, b; /* parts, a's name before b's; for a set of duplicates the first two */
    size_t *set; /* of duplicates: all parts of the set, by name; else NULL */
    size_t set_count;
    clash_verdict verdict;
    bool a_in_b;    /* of contains: whether a lies in b */
    uint64_t pairs; /* of intersecting triangles */
    bool has_depth, has_gap;
    double depth[2], gap[2];
    double depth_translation[3]; /* of b, after which they no longer overlap */
    double gap_points[2][3];     /* on a and on b */
    double point[3];             /* a representative point in the world */
    struct graze_region *region; /* graze/region.h; NULL without intersection */
    const char *touch_kind;      /* "point", "edge", "face" or NULL */
    double area;
    const char *rule; /* that set the limit */
    clash_severity severity;
    clash_state state;
    const char *reason; /* of an approval */
    bool undecided;     /* the verdict may be a stronger one: CLASH_CLEAR then means nothing */
} clash_finding;

/* A pair whose verdict could not be decided. */
typedef struct clash_undecided
{
    char id[17]; /* as that of a finding */
    size_t a, b;
} clash_undecided;

/* The reason, for messages. */
extern const char clash_undecided_reason[];

typedef struct clash_ignored
{
    const char *rule, *reason;
    uint64_t count;  /* of pairs */
    uint64_t selves; /* self-intersection tests ignored */
} clash_ignored;

typedef struct clash_counts
{
    uint64_t parts, parts_free; /* parts_free: parts without findings */
    uint64_t triangles;
    uint64_t pairs_possible, pairs_culled, pairs_tested, pairs_ignored, pairs_undecided;
    uint64_t selves_tested, selves_ignored; /* self-intersection tests */
    uint64_t findings;
} clash_counts;

typedef struct clash_problem
{
    const char *part; /* or file */
    const char *what;
} clash_problem;

/* A file that was read. */
typedef struct clash_input
{
    const char *path;
    char hash[SHA256_TEXT_SIZE]; /* of its bytes; "" for what cannot be read twice */
    uint64_t size;
} clash_input;

/* A finding of the baseline that this run does not have. */
typedef struct clash_resolved
{
    const char *id, *a, *b;
    clash_verdict verdict;
} clash_resolved;

typedef struct clash_report
{
    const clash_part *parts;
    size_t part_count;
    const clash_input *inputs;
    size_t input_count;
    clash_finding *findings; /* by severity, then by names */
    size_t finding_count;
    clash_undecided *undecided; /* by names; of an interrupted run only the counts tell how many more there are */
    size_t undecided_count;
    clash_ignored *ignored; /* by rule */
    size_t ignored_count;
    clash_problem *problems;
    size_t problem_count;
    clash_resolved *resolved; /* by names; only known for a complete run */
    size_t resolved_count;
    clash_counts counts;
    double seconds_reading, seconds_preparing, seconds_checking;
    double clearance, max_depth; /* global */
    const char *units;           /* or NULL */
    const char *rules_path;      /* or NULL */
    const char *baseline_path;   /* or NULL */
    clash_fail_on fail_on;
    size_t page_budget; /* triangles of parts without findings, in the report page */
    bool allow_touch;
    bool complete;                     /* not interrupted, nothing undecided */
    char rules_hash[SHA256_TEXT_SIZE]; /* of the rules file's bytes, or "" */
    char baseline_hash[SHA256_TEXT_SIZE];
} clash_report;

/* The id of a finding about two parts, in any order; of a self-intersection the same name twice. */
void clash_make_id(const char *a, const char *b, char out_id[17]);

/* Sorts findings for the report: most severe first, then by names, bytewise. False when out of memory. */
bool clash_sort_findings(clash_report *report);

/* Sorts undecided pairs by names. False when out of memory. */
bool clash_sort_undecided(clash_report *report);

bool clash_fails(const clash_report *report, const clash_finding *finding);

/* Findings by severity, by state, and failing ones. */
typedef struct clash_tally
{
    uint64_t by_severity[CLASH_CRITICAL + 1], by_state[CLASH_APPROVED + 1], failing;
} clash_tally;

clash_tally clash_count_findings(const clash_report *report);

/* The outcome of a run. */
typedef enum clash_outcome
{
    CLASH_OUTCOME_CLEAN,      /* everything was tested, nothing was found */
    CLASH_OUTCOME_PASSED,     /* there are findings, but none that fails */
    CLASH_OUTCOME_FAILED,     /* at least one fails, even if not everything was checked */
    CLASH_OUTCOME_INCOMPLETE, /* nothing that fails was found, but the run is incomplete */
    CLASH_OUTCOME_NOTHING     /* there was no pair to test: not a pass either */
} clash_outcome;

clash_outcome clash_outcome_of(const clash_report *report);
exit_code clash_exit_code(const clash_report *report);

#endif
