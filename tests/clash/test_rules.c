/* SPDX-License-Identifier: MIT */
/* Rules of clash detection: patterns, precedence of entries, and limits of pairs compared with a plain loop over all
 * entries. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clash/rules.h"
#include "support/random.h"
#include "support/unit.h"
#include "text/pattern.h"

/* What the last rules were read from; freed by let_go. */
static graze_clash_rules *book;

#define HEAD "{\"graze\": \"rules\", \"version\": 1, "

static grz_clash_rules *load_with(const char *text, graze_clash_tolerances tolerances)
{
    graze_clash_source source = {"rules.json", text, text != NULL ? strlen(text) : 0};
    book = NULL;
    if (text != NULL)
        assert_int_equal(graze_clash_rules_create(NULL, &source, 1, NULL, &book), GRAZE_STATUS_OK);
    grz_clash_rules *rules = grz_clash_rules_make(NULL, book, &tolerances);
    assert_non_null(rules);
    return rules;
}

static void let_go(grz_clash_rules *rules)
{
    grz_clash_rules_release(rules);
    graze_clash_rules_destroy(book);
    book = NULL;
}

static grz_clash_rules *load(const char *text)
{
    return load_with(text, (graze_clash_tolerances){0});
}

static grz_clash_part part_of(const char *name, const char *file, const char *parent)
{
    return (grz_clash_part){.name = name, .file = file, .parent = parent};
}

static void patterns_match_whole_names(void **state)
{
    (void)state;
    static const struct
    {
        const char *pattern, *name;
        bool matches;
    } cases[] = {
        {"bolt", "bolt", true},
        {"bolt", "bolts", false},
        {"bolt", "Bolt", false},
        {"*", "", true},
        {"*", "anything/at all", true},
        {"bolt*", "bolt", true},
        {"bolt*", "a bolt", false},
        {"*bolt", "a/bolt", true},
        {"*bolt*", "abolts", true},
        {"*a*b*c*", "xxaxxbxxcxx", true},
        {"*a*b*c*", "xxaxxcxxbxx", false},
        {"*ab", "aab", true},
        {"*aab", "aaaab", true},
        {"screw_??", "screw_12", true},
        {"screw_??", "screw_1", false},
        {"screw_??", "screw_123", false},
        {"?", "\xc3\xa9", true},
        {"??", "\xc3\xa9", false},
        {"*?", "\xe2\x82\xac", true},
        {"?", "\xff", true},
        {"a\\*", "a*", true},
        {"a\\*", "ab", false},
        {"a\\?*", "a?b", true},
        {"\\\\", "\\", true},
        {"\\@x", "@x", true},
        {"**", "x", true},
        {"?*", "", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (grz_pattern_matches(cases[i].pattern, cases[i].name) != cases[i].matches)
            fail_msg("'%s' and '%s'", cases[i].pattern, cases[i].name);
    assert_true(grz_pattern_is_exact("a\\*b") && !grz_pattern_is_exact("a*b") && !grz_pattern_is_exact("\\\\?"));
    char name[] = "a\\*\\\\";
    grz_pattern_to_name(name);
    assert_string_equal(name, "a*\\");
    assert_null(grz_pattern_fault("a\\\\"));
    assert_non_null(grz_pattern_fault("a\\"));
}

/* By all ways to split the name. */
static bool matches_plainly(const char *pattern, const char *name)
{
    if (*pattern == '\0')
        return *name == '\0';
    if (*pattern == '*')
        return matches_plainly(pattern + 1, name) || (*name != '\0' && matches_plainly(pattern, name + 1));
    return *name != '\0' && (*pattern == '?' || *pattern == *name) && matches_plainly(pattern + 1, name + 1);
}

static void patterns_match_as_a_plain_search_says(void **state)
{
    (void)state;
    test_random random = test_random_start("patterns_match_as_a_plain_search_says", 5001);
    int hits = 0;
    for (int round = 0; round < 20000; round++)
    {
        char pattern[8] = "", name[10] = "";
        for (int i = random_below(&random, 7); i > 0; i--)
            pattern[strlen(pattern)] = "ab*?"[random_below(&random, 4)];
        for (int i = random_below(&random, 9); i > 0; i--)
            name[strlen(name)] = "ab"[random_below(&random, 2)];
        bool expected = matches_plainly(pattern, name);
        if (grz_pattern_matches(pattern, name) != expected)
            fail_msg("'%s' and '%s'", pattern, name);
        hits += expected;
    }
    printf("%d of 20000 match\n", hits);
    assert_true(hits > 2000 && hits < 18000);
}

static void without_a_file_the_command_line_and_defaults_hold(void **state)
{
    (void)state;
    grz_clash_part parts[] = {part_of("a", "f", ""), part_of("b", "f", "")};
    grz_clash_rules *rules = NULL;
    graze_clash_tolerances none = {0}, some = {.clearance = 2,
                                               .has_clearance = true,
                                               .allow_touch = true,
                                               .has_allow_touch = true,
                                               .max_depth = 0.5,
                                               .has_max_depth = true};
    rules = load_with(NULL, none);
    assert_true(grz_clash_rules_prepare(rules, parts, 2));
    grz_clash_limits limits = grz_clash_rules_limits(rules, 0, 1);
    assert_true(!limits.ignored && limits.clearance == 0 && !limits.allow_touch && limits.max_depth == 0);
    assert_string_equal(limits.clearance_rule, "default");
    assert_string_equal(limits.touch_rule, "default");
    assert_string_equal(limits.depth_rule, "default");
    assert_int_equal(limits.severity[GRAZE_CLASH_CROSSES], GRAZE_CLASH_CRITICAL);
    assert_int_equal(limits.severity[GRAZE_CLASH_CONTAINS], GRAZE_CLASH_CRITICAL);
    assert_int_equal(limits.severity[GRAZE_CLASH_DUPLICATE], GRAZE_CLASH_MAJOR);
    assert_int_equal(limits.severity[GRAZE_CLASH_TOO_CLOSE], GRAZE_CLASH_MAJOR);
    assert_int_equal(limits.severity[GRAZE_CLASH_TOUCHES], GRAZE_CLASH_MINOR);
    assert_int_equal(limits.severity[GRAZE_CLASH_SELF], GRAZE_CLASH_MINOR);
    let_go(rules);
    rules = load_with(NULL, some);
    assert_true(grz_clash_rules_prepare(rules, parts, 2));
    limits = grz_clash_rules_limits(rules, 1, 0);
    assert_true(limits.clearance == 2 && limits.allow_touch && limits.max_depth == 0.5);
    assert_string_equal(limits.clearance_rule, "--clearance");
    assert_string_equal(grz_clash_limits_rule(&limits, GRAZE_CLASH_TOUCHES), "--allow-touch");
    assert_string_equal(grz_clash_limits_rule(&limits, GRAZE_CLASH_CROSSES), "--max-depth");
    assert_string_equal(grz_clash_limits_rule(&limits, GRAZE_CLASH_CONTAINS), "default");
    assert_true(grz_clash_rules_largest_clearance(rules) == 2);
    let_go(rules);
}

static void the_most_specific_entry_wins(void **state)
{
    (void)state;
    grz_clash_part parts[] = {part_of("bolt1", "f", "top"), part_of("bolt2", "f", "top"), part_of("plate", "f", "top"),
                              part_of("nut", "g", "top"), part_of("cap", "g", "")};
    grz_clash_rules *rules = load_with(HEAD "\"groups\": {\"bolts\": [\"bolt?\"]}, \"limits\": ["
                                            "{\"clearance\": 9, \"max_depth\": 7},"
                                            "{\"same\": \"parent\", \"clearance\": 1},"
                                            "{\"a\": \"@bolts\", \"clearance\": 2},"
                                            "{\"a\": \"bolt1\", \"b\": \"*\", \"clearance\": 3},"
                                            "{\"a\": \"plate\", \"b\": \"bolt1\", \"clearance\": 0.5},"
                                            "{\"group\": \"bolts\", \"clearance\": 1.5, \"allow_touch\": true}]}",
                                       (graze_clash_tolerances){.clearance = 8, .has_clearance = true});
    assert_true(grz_clash_rules_prepare(rules, parts, 5));
    static const struct
    {
        size_t a, b;
        double clearance;
        const char *rule;
    } cases[] = {
        {0, 2, 0.5, "rules.json: limits[4]"}, /* two names, although others ask for more */
        {0, 1, 3, "rules.json: limits[3]"},   /* one name */
        {1, 2, 2, "rules.json: limits[2]"},   /* a group */
        {3, 4, 8, "--clearance"},             /* no parent is no common parent; before what the file says of all */
        {2, 3, 8, "--clearance"},             /* parents of two files */
        {0, 4, 3, "rules.json: limits[3]"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int swap = 0; swap < 2; swap++)
        {
            grz_clash_limits limits =
                grz_clash_rules_limits(rules, swap ? cases[i].b : cases[i].a, swap ? cases[i].a : cases[i].b);
            assert_true(limits.clearance == cases[i].clearance);
            assert_string_equal(limits.clearance_rule, cases[i].rule);
            assert_string_equal(limits.depth_rule, "rules.json: limits[0]");
            assert_true(limits.max_depth == 7);
        }
    grz_clash_limits bolts = grz_clash_rules_limits(rules, 0, 1);
    assert_true(bolts.allow_touch);
    assert_string_equal(bolts.touch_rule, "rules.json: limits[5]"); /* each limit by itself */
    assert_true(grz_clash_rules_largest_clearance(rules) == 8);
    assert_true(grz_clash_rules_global(rules).clearance == 8);
    let_go(rules);
    rules =
        load(HEAD "\"limits\": [{\"same\": \"parent\", \"clearance\": 1}, {\"same\": \"file\", \"clearance\": 2}]}");
    assert_true(grz_clash_rules_prepare(rules, parts, 5));
    assert_string_equal(grz_clash_rules_limits(rules, 0, 2).clearance_rule, "rules.json: limits[1]");
    assert_string_equal(grz_clash_rules_limits(rules, 2, 3).clearance_rule, "default");
    assert_string_equal(grz_clash_rules_limits(rules, 2, 2).clearance_rule, "default"); /* with itself */
    let_go(rules);
}

static void of_two_that_are_equally_specific_the_stricter_wins(void **state)
{
    (void)state;
    grz_clash_part parts[] = {part_of("aa", "f", ""), part_of("ab", "f", "")};
    grz_clash_rules *rules =
        load(HEAD "\"limits\": [{\"a\": \"a*\", \"clearance\": 1, \"allow_touch\": true, \"max_depth\": 1},"
                  "{\"a\": \"*\", \"b\": \"?b\", \"clearance\": 2, \"allow_touch\": false, \"max_depth\": 2},"
                  "{\"a\": \"*a\", \"clearance\": 2, \"allow_touch\": true, \"max_depth\": 0.5}],"
                  "\"severity\": [{\"verdict\": \"touches\", \"severity\": \"info\"},"
                  "{\"a\": \"a*\", \"severity\": \"minor\"}, {\"a\": \"*b\", \"verdict\": \"crosses\", \"severity\": "
                  "\"major\"}]}");
    assert_true(grz_clash_rules_prepare(rules, parts, 2));
    grz_clash_limits limits = grz_clash_rules_limits(rules, 0, 1);
    assert_true(limits.clearance == 2 && !limits.allow_touch && limits.max_depth == 0.5);
    assert_string_equal(limits.clearance_rule, "rules.json: limits[1]"); /* the first of the file */
    assert_string_equal(limits.touch_rule, "rules.json: limits[1]");
    assert_string_equal(limits.depth_rule, "rules.json: limits[2]");
    assert_int_equal(limits.severity[GRAZE_CLASH_TOUCHES], GRAZE_CLASH_MINOR);
    assert_int_equal(limits.severity[GRAZE_CLASH_CONTAINS], GRAZE_CLASH_MINOR);
    assert_int_equal(limits.severity[GRAZE_CLASH_CROSSES], GRAZE_CLASH_MAJOR);
    let_go(rules);
}

static void ignored_pairs_name_their_entry_and_reason(void **state)
{
    (void)state;
    grz_clash_part parts[] = {part_of("a", "f", "p"), part_of("b", "f", "p"), part_of("c*", "f", ""),
                              part_of("@d", "g", "")};
    grz_clash_rules *rules = load(HEAD "\"ignore\": [{\"same\": \"file\", \"reason\": \"one file\"},"
                                       "{\"a\": \"a\", \"reason\": \"not of interest\"},"
                                       "{\"pair\": [\"@d\", \"c*\"], \"reason\": \"glued\"},"
                                       "{\"pair\": [\"b\", \"a\"], \"reason\": \"welded\"},"
                                       "{\"pair\": [\"a\", \"b\"], \"reason\": \"again\"}],"
                                       "\"limits\": [{\"pair\": [\"a\", \"b\"], \"clearance\": 1}]}");
    assert_true(grz_clash_rules_prepare(rules, parts, 4));
    static const struct
    {
        size_t a, b;
        int index;
    } cases[] = {{0, 1, 3}, {1, 2, 0}, {0, 3, 1}, {2, 3, 2}, {1, 3, -1}, {0, 0, 1}, {1, 1, -1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
        grz_clash_limits limits = grz_clash_rules_limits(rules, cases[i].a, cases[i].b);
        size_t index = 99;
        assert_int_equal(limits.ignored, cases[i].index >= 0);
        assert_int_equal(grz_clash_rules_ignore(rules, cases[i].b, cases[i].a, &index), limits.ignored);
        if (!limits.ignored)
            continue;
        assert_int_equal(index, cases[i].index);
        assert_int_equal(limits.ignored_index, cases[i].index);
        assert_string_equal(limits.ignored_by, grz_clash_rules_ignore_entry(rules, index).rule);
        assert_string_equal(limits.reason, grz_clash_rules_ignore_entry(rules, index).reason);
    }
    assert_int_equal(grz_clash_rules_ignore_count(rules), 5);
    assert_string_equal(grz_clash_rules_ignore_entry(rules, 3).rule, "rules.json: ignore[3]");
    assert_string_equal(grz_clash_rules_ignore_entry(rules, 3).reason, "welded");
    let_go(rules);
}

static graze_clash_finding finding_of(size_t a, size_t b, graze_clash_verdict verdict, const char *id)
{
    graze_clash_finding finding = {.a = a, .b = b, .verdict = verdict};
    snprintf(finding.id, sizeof finding.id, "%s", id);
    return finding;
}

static void approvals_are_by_id_or_by_names(void **state)
{
    (void)state;
    grz_clash_part parts[] = {part_of("a", "f", ""), part_of("b", "f", ""), part_of("c", "f", "")};
    grz_clash_rules *rules =
        load(HEAD "\"approve\": [{\"id\": \"0123456789abcdef\", \"a\": \"@what*\\\\\", \"b\": \"b\", \"reason\": "
                  "\"by id\"},"
                  "{\"id\": \"ffffffffffffffff\", \"verdict\": \"touches\", \"reason\": \"gone\"},"
                  "{\"a\": \"?\", \"verdict\": \"duplicate\", \"reason\": \"spares\"},"
                  "{\"pair\": [\"b\", \"c\"], \"reason\": \"known to fit\"},"
                  "{\"id\": \"00000000000000ff\", \"reason\": \"gone\"}]}");
    assert_true(grz_clash_rules_prepare(rules, parts, 3));
    graze_clash_finding by_id = finding_of(0, 1, GRAZE_CLASH_CROSSES, "0123456789abcdef");
    assert_true(grz_clash_rules_approve(rules, &by_id));
    assert_int_equal(by_id.state, GRAZE_CLASH_APPROVED);
    assert_string_equal(by_id.reason, "by id");
    graze_clash_finding stronger = finding_of(0, 1, GRAZE_CLASH_CROSSES, "ffffffffffffffff");
    assert_false(grz_clash_rules_approve(rules, &stronger));
    assert_int_equal(stronger.state, GRAZE_CLASH_NEW);
    assert_string_equal(stronger.lapsed, "rules.json: approve[1]");
    graze_clash_finding by_pair = finding_of(1, 2, GRAZE_CLASH_DUPLICATE, "0000000000000000");
    assert_true(grz_clash_rules_approve(rules, &by_pair));
    assert_string_equal(by_pair.reason, "known to fit"); /* two names before a pattern */
    size_t all[] = {0, 1, 2};
    graze_clash_finding set = finding_of(1, 2, GRAZE_CLASH_DUPLICATE, "0000000000000000");
    set.set = all;
    set.set_count = 3;
    assert_true(grz_clash_rules_approve(rules, &set));
    assert_string_equal(set.reason, "spares"); /* the pair is not all of the set */
    const graze_clash_problem *problems;
    size_t count;
    assert_true(grz_clash_rules_problems(rules, true, &problems, &count));
    assert_int_equal(count, 1);
    assert_string_equal(problems[0].part, "rules.json");
    assert_string_equal(problems[0].what, "approve[4].id: there is no finding '00000000000000ff'");
    assert_true(grz_clash_rules_problems(rules, false, &problems, &count));
    assert_int_equal(count, 0);
    let_go(rules);
}

static void names_and_patterns_without_a_part_are_problems(void **state)
{
    (void)state;
    grz_clash_part parts[] = {part_of("housing", "f", ""), part_of("bolt_1", "f", "")};
    grz_clash_rules *rules = load(HEAD "\"groups\": {\"bolts\": [\"bolt_*\", \"screw*\"], \"none\": []}, \"ignore\": ["
                                       "{\"a\": \"houzing\", \"b\": \"@bolts\", \"reason\": \"r\"},"
                                       "{\"pair\": [\"bolt_1\", \"wheel and axle\"], \"reason\": \"r\"},"
                                       "{\"a\": \"nut*\", \"b\": \"@none\", \"reason\": \"r\"}]}");
    assert_true(grz_clash_rules_prepare(rules, parts, 2));
    static const char *const expected[] = {
        "groups.bolts[1]: no part matches 'screw*'", "ignore[0].a: there is no part 'houzing'; did you mean 'housing'?",
        "ignore[1].pair[1]: there is no part 'wheel and axle'", "ignore[2].a: no part matches 'nut*'"};
    const graze_clash_problem *problems;
    size_t count;
    assert_true(grz_clash_rules_problems(rules, true, &problems, &count));
    assert_int_equal(count, 4);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(problems[i].what, expected[i]);
    let_go(rules);
}

/* A rule in the form of the random test. */
typedef struct plain_rule
{
    char a[8], b[8]; /* patterns; b may be empty: anything; a empty: same file or parent or all */
    char kind;       /* 'n'ames, 'f'ile, 'p'arent */
    double clearance;
} plain_rule;

static int level_of(const plain_rule *rule)
{
    if (rule->kind != 'n')
        return 1;
    int names = (strpbrk(rule->a, "*?") == NULL) + (rule->b[0] != '\0' && strpbrk(rule->b, "*?") == NULL);
    return 2 + names;
}

static bool is_about(const plain_rule *rule, const grz_clash_part *a, const grz_clash_part *b)
{
    if (rule->kind == 'f')
        return a != b && strcmp(a->file, b->file) == 0;
    if (rule->kind == 'p')
        return a != b && strcmp(a->file, b->file) == 0 && a->parent[0] != '\0' && strcmp(a->parent, b->parent) == 0;
    const char *other = rule->b[0] != '\0' ? rule->b : "*";
    return (matches_plainly(rule->a, a->name) && matches_plainly(other, b->name)) ||
           (matches_plainly(rule->a, b->name) && matches_plainly(other, a->name));
}

static void random_pattern(test_random *random, char out[8])
{
    size_t size = 3;
    for (size_t i = 0; i < size; i++)
        out[i] = random_once_in(random, 4) ? '*' : random_once_in(random, 4) ? '?' : "01"[random_below(random, 2)];
    out[size] = '\0';
    if (random_once_in(random, 3))
        for (size_t i = 0; i < size; i++)
            out[i] = "01"[random_below(random, 2)];
}

enum
{
    PLAIN_PARTS = 8,
    PLAIN_RULES = 90
};

static void make_plain_rules(test_random *random, plain_rule *rules, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, HEAD "\"limits\": [");
    for (int i = 0; i < PLAIN_RULES; i++)
    {
        plain_rule *rule = &rules[i];
        *rule = (plain_rule){.kind = "nnnnnnfp"[random_below(random, 8)], .clearance = random_below(random, 5)};
        random_pattern(random, rule->a);
        if (random_once_in(random, 2))
            random_pattern(random, rule->b);
        used += (size_t)snprintf(text + used, size - used, "%s{", i > 0 ? ", " : "");
        if (rule->kind != 'n')
            used +=
                (size_t)snprintf(text + used, size - used, "\"same\": \"%s\", ", rule->kind == 'f' ? "file" : "parent");
        else
            used += (size_t)snprintf(text + used, size - used, "\"a\": \"%s\", %s%s%s", rule->a,
                                     rule->b[0] ? "\"b\": \"" : "", rule->b, rule->b[0] ? "\", " : "");
        used += (size_t)snprintf(text + used, size - used, "\"clearance\": %g}", rule->clearance);
    }
    snprintf(text + used, size - used, "]}");
}

static void limits_are_those_of_a_plain_walk_through_all_entries(void **state)
{
    (void)state;
    test_random random = test_random_start("limits_are_those_of_a_plain_walk_through_all_entries", 5002);
    static const char *const names[PLAIN_PARTS] = {"000", "001", "010", "011", "100", "101", "110", "111"};
    static char text[1 << 15];
    int levels[5] = {0};
    for (int round = 0; round < 60; round++)
    {
        static plain_rule plain[PLAIN_RULES];
        grz_clash_part parts[PLAIN_PARTS];
        make_plain_rules(&random, plain, text, sizeof text);
        size_t rule_count = (size_t)(1 + random_below(&random, round % 2 == 0 ? 6 : PLAIN_RULES));
        for (int i = 0; i < PLAIN_PARTS; i++)
            parts[i] = part_of(names[i], random_once_in(&random, 2) ? "f" : "g",
                               random_once_in(&random, 3)   ? ""
                               : random_once_in(&random, 2) ? "p"
                                                            : "q");
        /* Only so many: the text ends there. */
        char *end = text;
        for (size_t i = 0; i < rule_count; i++)
            end = strchr(end + 1, '}');
        strcpy(end, "}]}");
        grz_clash_rules *rules = load(text);
        assert_true(grz_clash_rules_prepare(rules, parts, PLAIN_PARTS));
        for (int a = 0; a < PLAIN_PARTS; a++)
            for (int b = 0; b < PLAIN_PARTS; b++)
            {
                int best = 0;
                char rule_name[48] = "default";
                double clearance = 0;
                for (size_t i = 0; i < rule_count; i++)
                {
                    int level = level_of(&plain[i]);
                    if (!is_about(&plain[i], &parts[a], &parts[b]) || level < best ||
                        (level == best && plain[i].clearance <= clearance))
                        continue;
                    best = level;
                    clearance = plain[i].clearance;
                    snprintf(rule_name, sizeof rule_name, "rules.json: limits[%zu]", i);
                }
                grz_clash_limits limits = grz_clash_rules_limits(rules, (size_t)a, (size_t)b);
                assert_string_equal(limits.clearance_rule, rule_name);
                assert_true(limits.clearance == clearance);
                levels[best]++;
            }
        let_go(rules);
    }
    printf("decided by level: %d %d %d %d %d\n", levels[0], levels[1], levels[2], levels[3], levels[4]);
    for (int i = 0; i < 5; i++)
        assert_true(levels[i] > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_match_whole_names),
        cmocka_unit_test(patterns_match_as_a_plain_search_says),
        cmocka_unit_test(without_a_file_the_command_line_and_defaults_hold),
        cmocka_unit_test(the_most_specific_entry_wins),
        cmocka_unit_test(of_two_that_are_equally_specific_the_stricter_wins),
        cmocka_unit_test(ignored_pairs_name_their_entry_and_reason),
        cmocka_unit_test(approvals_are_by_id_or_by_names),
        cmocka_unit_test(names_and_patterns_without_a_part_are_problems),
        cmocka_unit_test(limits_are_those_of_a_plain_walk_through_all_entries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
