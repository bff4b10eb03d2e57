/* SPDX-License-Identifier: MIT */
/* Internal data of rules.h, for rules*.c only. */
#ifndef GRZ_CLASH_RULES_DATA_H
#define GRZ_CLASH_RULES_DATA_H

#include "base/array.h"
#include "clash/comparison.h"
#include "clash/rules.h"
#include "text/json_document.h"
#include "text/name_table.h"

typedef enum grz_clash_rule_list
{
    GRZ_RULES_IGNORE,
    GRZ_RULES_LIMITS,
    GRZ_RULES_SEVERITY,
    GRZ_RULES_APPROVE,
    GRZ_RULE_LISTS
} grz_clash_rule_list;

/* Precedence of entries; later ones override. */
typedef enum grz_clash_rule_level
{
    GRZ_LEVEL_DEFAULT,
    GRZ_LEVEL_FILE, /* an entry of the file that applies to all pairs */
    GRZ_LEVEL_COMMAND_LINE,
    GRZ_LEVEL_SAME,    /* same parent, file or assembly, or a link between the two */
    GRZ_LEVEL_PATTERN, /* patterns and groups */
    GRZ_LEVEL_ONE_NAME,
    GRZ_LEVEL_TWO_NAMES
} grz_clash_rule_level;

typedef enum grz_clash_rule_kind
{
    GRZ_RULE_OF_ALL,
    GRZ_RULE_OF_NAMES,
    GRZ_RULE_OF_PARENT,
    GRZ_RULE_OF_FILE,
    GRZ_RULE_OF_ASSEMBLY,
    GRZ_RULE_OF_LINK,
    GRZ_RULE_OF_ID
} grz_clash_rule_kind;

/* One side of a pair. All zeros: matches any part. */
typedef struct grz_clash_rule_side
{
    char *text;    /* pattern, or name when it is exact */
    char where[8]; /* the key in the file, for messages */
    bool is_exact;
    uint32_t group; /* GRZ_NO_NAME, or the index of a group; then there is no text */
} grz_clash_rule_side;

typedef struct grz_clash_rule
{
    grz_clash_rule_list list;
    size_t index;      /* in its list, over all sources */
    size_t source;     /* that it stands in */
    char *name;        /* "FILE: limits[2]" */
    const char *place; /* in its source, "limits[2]": the end of the name */
    char *reason;      /* or NULL */
    grz_clash_rule_kind kind;
    grz_clash_rule_level level;
    grz_clash_rule_side sides[2];
    char id[17];

    bool has_clearance, has_allow_touch, has_max_depth;
    double clearance, max_depth;
    bool allow_touch;

    bool has_verdict;
    graze_clash_verdict verdict;
    graze_clash_severity severity;
    bool is_repeated;            /* an earlier entry approves the same id */
    uint32_t next_of_id;         /* the next entry that approves the same id, or GRZ_NO_NAME */
    grz_clash_measures approved; /* by an entry of "approve"; an entry by id lapses when the verdict is stronger */
} grz_clash_rule;

typedef struct grz_clash_rule_group
{
    char **patterns;
    size_t count;
    size_t first; /* number of its first pattern among those of all groups */
} grz_clash_rule_group;

/* What two parts may have in common, in the order of the kinds of rules. */
enum
{
    GRZ_RULE_SAMES = GRZ_CLASH_COMMONS /* from GRZ_RULE_OF_PARENT to GRZ_RULE_OF_ASSEMBLY */
};

/* An entry that names exactly two parts, or is about the link between them; lower < upper. */
typedef struct grz_clash_rule_pair
{
    uint32_t lower, upper, rule;
} grz_clash_rule_pair;

/*
 * Entries that name two parts, or are about links, are looked up by these parts. Each other entry has a bit: row p of
 * `matches[0]` has the entries whose side a matches part p, row p of `matches[1]` those whose side b does. The entries
 * that apply to p and q are then a few bitwise operations per word.
 */
typedef struct grz_clash_rule_matches
{
    size_t part_count, word_count; /* words per row */
    uint32_t *rules;               /* by bit; ascending */
    size_t bit_count;
    uint64_t *matches[2];
    uint64_t *of_same[GRZ_RULE_SAMES]; /* bits of the entries about equal parents, files and assemblies */
    uint32_t *sames[GRZ_RULE_SAMES];   /* by part: equal numbers for equal ones; GRZ_NO_NAME: it has none */
    grz_clash_rule_pair *pairs;        /* sorted */
    size_t pair_count, pair_capacity;
    bool *has_pairs; /* by part */
} grz_clash_rule_matches;

/* A document that rules were read from. */
typedef struct grz_clash_rules_source
{
    const char *name; /* of the caller; only while it is read */
    grz_name_table group_names;
    size_t first_group; /* number of the group with the first name */
} grz_clash_rules_source;

enum
{
    GRZ_REVIEW_OPEN,
    GRZ_REVIEW_ASSIGNED,
    GRZ_REVIEW_FIXED,
    GRZ_REVIEW_APPROVED,
    GRZ_REVIEW_STATES
};

extern const char *const grz_clash_review_states[GRZ_REVIEW_STATES];

/* An entry of "review". */
typedef struct grz_clash_review
{
    size_t source, index; /* where it stands */
    char id[17];
    graze_clash_review what; /* the state is one of grz_clash_review_states; texts are owned */
} grz_clash_review;

/* An entry of "surfaces": a pattern or a group. */
typedef struct grz_clash_surface
{
    size_t source, index;
    char *pattern;
    uint32_t group; /* GRZ_NO_NAME, or the index of a group; then there is no pattern */
} grz_clash_surface;

struct graze_clash_rules
{
    graze_context context;
    graze_clash_input *inputs;       /* by source: name and hash */
    grz_clash_rules_source *sources; /* by source */
    size_t source_count;
    grz_clash_rule_group *groups; /* of all sources */
    size_t group_count, pattern_count;
    grz_clash_rule *rules; /* by list, then by index in the list */
    size_t rule_count;
    size_t starts[GRZ_RULE_LISTS + 1]; /* of the lists in `rules` */
    grz_name_table ids;                /* of approvals */
    uint32_t *id_rules;                /* by number of the id */
    GRZ_ARRAY(grz_clash_review) reviews;
    grz_name_table review_ids;
    GRZ_ARRAY(uint32_t) review_of; /* by number of the id: the review that counts */
    GRZ_ARRAY(grz_clash_surface) surfaces;
};

/* An approval that the finding which was compared last has outgrown. */
typedef struct grz_clash_lapse
{
    uint32_t rule;
    const char *why;
} grz_clash_lapse;

struct grz_clash_rules
{
    const graze_context *context;
    const graze_clash_rules *book;
    const grz_clash_rule *rules; /* of the book */
    size_t rule_count;
    const size_t *starts;
    grz_clash_limits base; /* of pairs to which no entry applies; their levels follow */
    grz_clash_rule_level clearance_level, touch_level, depth_level, severity_levels[GRAZE_CLASH_VERDICT_COUNT];
    grz_clash_rule_matches at;
    bool *side_matches;    /* by side, two for each rule: whether it matches a part */
    char **hints;          /* by side: the closest name, if there is no match, or NULL */
    bool *pattern_matches; /* by pattern of groups */
    bool *is_used;         /* by rule: it approves a finding, or has lapsed */
    bool *is_reviewed;     /* by review: a finding has it */
    bool *surface_matches; /* by entry of "surfaces" */
    bool *members;         /* by group, then part */
    grz_clash_lapse last_lapse;
    graze_clash_problem *problems;
    size_t problem_count, problem_capacity;
};

/* Reads one entry, which knows its list and source. False after an error, which the document has. */
bool grz_clash_rule_read(grz_json_document *document, const graze_clash_rules *book, const grz_json_place *place,
                         const grz_json_node *value, grz_clash_rule *rule);

/* Calls `visit` for each entry that applies to two parts and whose index is at least `first` and below `last`, in any
 * order. */
typedef void (*grz_clash_rule_visitor)(void *user, const grz_clash_rules *rules, uint32_t rule);
void grz_clash_rules_visit(const grz_clash_rules *rules, size_t a, size_t b, size_t first, size_t last,
                           grz_clash_rule_visitor visit, void *user);

/* The same without entries that name two parts. */
void grz_clash_rules_visit_unnamed(const grz_clash_rules *rules, size_t a, size_t b, size_t first, size_t last,
                                   grz_clash_rule_visitor visit, void *user);

/* The same as if the parts had in common what the bits of `commons` say; and what they really have. */
void grz_clash_rules_visit_as(const grz_clash_rules *rules, size_t a, size_t b, unsigned commons, size_t first,
                              size_t last, grz_clash_rule_visitor visit, void *user);
unsigned grz_clash_rules_commons_of(const grz_clash_rules *rules, size_t a, size_t b);

/* Whether a group has a part. */
bool grz_clash_rules_is_member(const grz_clash_rules *rules, size_t group, size_t part);

/* Whether an entry has a bit in grz_clash_rule_matches, and whether it is about what two parts have in common. */
bool grz_clash_rule_has_bit(const grz_clash_rule *rule);
bool grz_clash_rule_is_about_same(const grz_clash_rule *rule);

/* By parts, then by entry; for qsort. */
int grz_clash_rule_pair_compare(const void *left, const void *right);

/* Whether an entry applies to two parts. */
bool grz_clash_rule_covers(const grz_clash_rules *rules, uint32_t rule, size_t a, size_t b);

/* Whether it applies to each pair of three or more parts. */
bool grz_clash_rule_covers_all(const grz_clash_rules *rules, uint32_t rule, const size_t *parts, size_t count);

void grz_clash_rule_matches_release(const graze_context *context, grz_clash_rule_matches *matches);
void grz_clash_rules_release_problems(grz_clash_rules *rules);

/* Reads the lists "review" and "surfaces" of a source; the values may be NULL. False after an error. */
bool grz_clash_reviews_read(grz_json_document *document, graze_clash_rules *book, size_t source,
                            const grz_json_node *value);
bool grz_clash_surfaces_read(grz_json_document *document, graze_clash_rules *book, size_t source,
                             const grz_json_node *value);
void grz_clash_reviews_release(graze_clash_rules *book);

/* Refuses a text that is no id of a finding. */
bool grz_clash_check_id(grz_json_document *document, const grz_json_place *place, const char *text);

/* Sets the limits of pairs to which no entry applies. */
void grz_clash_rules_set_base(grz_clash_rules *rules, const graze_clash_tolerances *tolerances);

#endif
