/* SPDX-License-Identifier: MIT */
/* Internal data of rules.h, for rules*.c only. */
#ifndef TOOL_CLASH_RULES_DATA_H
#define TOOL_CLASH_RULES_DATA_H

#include "clash/rules.h"
#include "shell/json_document.h"
#include "shell/name_table.h"

typedef enum rule_list
{
    RULES_IGNORE,
    RULES_LIMITS,
    RULES_SEVERITY,
    RULES_APPROVE,
    RULE_LISTS
} rule_list;

/* Precedence of entries; later ones override. */
typedef enum rule_level
{
    LEVEL_DEFAULT,
    LEVEL_FILE, /* an entry of the file that applies to all pairs */
    LEVEL_COMMAND_LINE,
    LEVEL_SAME,    /* same parent, same file */
    LEVEL_PATTERN, /* patterns and groups */
    LEVEL_ONE_NAME,
    LEVEL_TWO_NAMES
} rule_level;

typedef enum rule_kind
{
    RULE_OF_ALL,
    RULE_OF_NAMES,
    RULE_OF_PARENT,
    RULE_OF_FILE,
    RULE_OF_ID
} rule_kind;

/* One side of a pair. All zeros: matches any part. */
typedef struct rule_side
{
    char *text;    /* pattern, or name when it is exact */
    char where[8]; /* the key in the file, for messages */
    bool is_exact;
    uint32_t group;   /* NO_NAME, or the index of a group; then there is no text */
    bool has_matches; /* set by clash_rules_prepare, */
    char *hint;       /* the closest name, if there is no match, or NULL */
} rule_side;

typedef struct clash_rule
{
    rule_list list;
    size_t index; /* in its list */
    char *name;   /* "rules: limits[2]" */
    char *reason; /* or NULL */
    rule_kind kind;
    rule_level level;
    rule_side sides[2];
    char id[17];

    bool has_clearance, has_allow_touch, has_max_depth;
    double clearance, max_depth;
    bool allow_touch;

    bool has_verdict;
    clash_verdict verdict;
    clash_severity severity;
    bool is_used; /* it approves a finding */
} clash_rule;

typedef struct rule_group
{
    char **patterns;
    bool *has_matches; /* by pattern */
    size_t count;
} rule_group;

/* An entry that names exactly two parts, lower < upper. */
typedef struct rule_pair
{
    uint32_t lower, upper, rule;
} rule_pair;

/*
 * Entries that name two parts are looked up by these parts. Each other entry has a bit: row p of `matches[0]` has the
 * entries whose side a matches part p, row p of `matches[1]` those whose side b does. The entries that apply to p and q
 * are then a few bitwise operations per word.
 */
typedef struct rule_matches
{
    size_t part_count, word_count; /* words per row */
    uint32_t *rules;               /* by bit; ascending */
    size_t bit_count;
    uint64_t *matches[2];
    uint64_t *of_parent, *of_file; /* bits of the entries about equal parents and files */
    uint32_t *parents, *files;     /* by part: equal numbers for equal parents or files; NO_NAME: no parent */
    rule_pair *pairs;              /* sorted */
    size_t pair_count;
    bool *has_pairs; /* by part */
} rule_matches;

struct clash_rules
{
    char *path; /* or NULL */
    char hash[SHA256_TEXT_SIZE];
    name_table group_names;
    rule_group *groups; /* by number of the name */
    clash_rule *rules;  /* by list, then by index in the list */
    size_t rule_count;
    size_t starts[RULE_LISTS + 1]; /* of the lists in `rules` */
    clash_limits base;             /* of pairs to which no entry applies; their levels follow */
    rule_level clearance_level, touch_level, depth_level, severity_levels[CLASH_SELF + 1];
    rule_matches at;
    name_table ids;     /* of approvals */
    uint32_t *id_rules; /* by number of the id */
    clash_problem *problems;
    size_t problem_count;
};

/* Reads one entry. Prints an error through the document and returns false. */
bool rule_read(json_document *document, const clash_rules *rules, const json_place *place, const cJSON *value,
               clash_rule *rule);

/* Calls `visit` for each entry that applies to two parts and whose index is at least `first` and below `last`, in any
 * order. */
typedef void (*rule_visitor)(void *user, const clash_rules *rules, uint32_t rule);
void rules_visit(const clash_rules *rules, size_t a, size_t b, size_t first, size_t last, rule_visitor visit,
                 void *user);

/* The same without entries that name two parts. */
void rules_visit_unnamed(const clash_rules *rules, size_t a, size_t b, size_t first, size_t last, rule_visitor visit,
                         void *user);

/* Whether an entry applies to two parts. */
bool rule_covers(const clash_rules *rules, uint32_t rule, size_t a, size_t b);

/* Whether it applies to each pair of three or more parts. */
bool rule_covers_all(const clash_rules *rules, uint32_t rule, const size_t *parts, size_t count);

void rule_matches_release(rule_matches *matches);
void rules_release_problems(clash_rules *rules);

/* Sets the limits of pairs to which no entry applies. */
void rules_set_base(clash_rules *rules, const clash_tolerances *tolerances);

/* A copy to be freed; NULL when out of memory. */
char *copy_text(const char *text);

#endif
