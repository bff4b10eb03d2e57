/* SPDX-License-Identifier: MIT */
/* Approvals with what was approved, which lapse when findings get worse; reviews; surfaces; names in other normal
 * forms. */
#include <stdio.h>
#include <string.h>

#include "graze/clash.h"
#include "support/unit.h"

#include "clash_meshes.h"

#define HEAD "{\"graze\": \"rules\", \"version\": 1, "

/* A box, and one that crosses it by `overlap` in x, or touches it at 0. */
typedef struct bench
{
    graze_mesh *meshes[2];
    graze_clash_part parts[2];
    graze_clash_rules *rules;
    graze_clash_report *report;
} bench;

static bench run(double overlap, const char *first_name, const char *text)
{
    bench b = {.meshes = {box_between(0, 0, 0, 8, 8, 8), box_between(8 - overlap, 1, 1, 16, 7, 7)}};
    b.parts[0] = (graze_clash_part){.name = first_name, .mesh = b.meshes[0], .pose = graze_pose_identity()};
    b.parts[1] = (graze_clash_part){.name = "b", .mesh = b.meshes[1], .pose = graze_pose_identity()};
    graze_clash_options options = graze_clash_options_default();
    graze_clash_source source = {"review/rules.json", text, strlen(text)};
    graze_error error;
    if (graze_clash_rules_create(NULL, &source, 1, &error, &b.rules) != GRAZE_STATUS_OK)
        fail_msg("%s", error.text);
    options.rules = b.rules;
    assert_int_equal(graze_clash_find(NULL, b.parts, 2, &options, NULL, &b.report), GRAZE_STATUS_OK);
    return b;
}

static void end(bench *b)
{
    graze_clash_report_destroy(b->report);
    graze_clash_rules_destroy(b->rules);
    graze_mesh_destroy(b->meshes[0]);
    graze_mesh_destroy(b->meshes[1]);
}

static void expect(double overlap, const char *approval, graze_clash_state state, const char *problem)
{
    char text[400];
    bench first = run(overlap, "a", HEAD "\"limits\": []}");
    snprintf(text, sizeof text, HEAD "\"approve\": [{\"id\": \"%s\", %s \"reason\": \"fits\"}]}",
             first.report->findings[0].id, approval);
    end(&first);
    bench b = run(overlap, "a", text);
    assert_int_equal(b.report->finding_count, 1);
    const graze_clash_finding *finding = &b.report->findings[0];
    assert_int_equal(finding->state, state);
    assert_int_equal(b.report->problem_count, problem != NULL);
    if (problem != NULL)
    {
        assert_string_equal(b.report->problems[0].part, "review/rules.json");
        assert_string_equal(b.report->problems[0].what, problem);
        assert_string_equal(finding->lapsed, "rules.json: approve[0]");
        assert_null(finding->reason);
    }
    else
        assert_null(finding->lapsed);
    assert_int_equal(graze_clash_finding_fails(b.report, finding), state != GRAZE_CLASH_APPROVED);
    end(&b);
}

static void approvals_lapse_when_the_finding_is_worse(void **state)
{
    (void)state;
    expect(0, "", GRAZE_CLASH_APPROVED, NULL);
    expect(6, "", GRAZE_CLASH_APPROVED, NULL); /* by id alone: for ever */
    expect(0, "\"verdict\": \"touches\",", GRAZE_CLASH_APPROVED, NULL);
    expect(6, "\"verdict\": \"touches\", \"point\": [8, 4, 4],", GRAZE_CLASH_NEW,
           "approve[0]: the approval of 'a' and 'b' has lapsed: its verdict is stronger than approved");
    expect(0, "\"verdict\": \"crosses\", \"depth\": [1, 1],", GRAZE_CLASH_APPROVED, NULL); /* it got better */
    expect(2, "\"verdict\": \"crosses\", \"depth\": [1.9, 4],", GRAZE_CLASH_APPROVED, NULL);
    expect(2, "\"verdict\": \"crosses\", \"depth\": [0.1, 0.25], \"gap\": null,", GRAZE_CLASH_NEW,
           "approve[0]: the approval of 'a' and 'b' has lapsed: it is deeper than approved");
    expect(2, "\"depth\": [0, null],", GRAZE_CLASH_APPROVED, NULL);
    expect(0, "\"gap\": [0.5, 1],", GRAZE_CLASH_NEW,
           "approve[0]: the approval of 'a' and 'b' has lapsed: the gap is smaller than approved");
}

static void another_entry_may_approve_what_has_lapsed(void **state)
{
    (void)state;
    bench b = run(2, "a",
                  HEAD "\"approve\": [{\"a\": \"a\", \"b\": \"b\", \"depth\": [0, 0.1], \"reason\": \"one\"},"
                       "{\"a\": \"*\", \"reason\": \"other\"}]}");
    assert_int_equal(b.report->findings[0].state, GRAZE_CLASH_APPROVED);
    assert_string_equal(b.report->findings[0].reason, "other");
    assert_true(b.report->findings[0].lapsed == NULL && b.report->problem_count == 0);
    end(&b);
    /* A verdict beside a pair selects; it does not lapse. */
    b = run(2, "a", HEAD "\"approve\": [{\"pair\": [\"a\", \"b\"], \"verdict\": \"touches\", \"reason\": \"one\"}]}");
    assert_true(b.report->findings[0].state == GRAZE_CLASH_NEW && b.report->findings[0].lapsed == NULL);
    end(&b);
}

/* Reviews of different days, each exported as rules: what the first approved has become worse, and the second approves
 * it as it is now. */
static void another_entry_with_the_same_id_may_approve_what_has_lapsed(void **state)
{
    (void)state;
    static const char *const earlier = "\"verdict\": \"touches\", \"reason\": \"first\"";
    static const char *const later = "\"verdict\": \"crosses\", \"depth\": [1.9, 2.1], \"reason\": \"second\"";
    char text[400];
    bench first = run(2, "a", HEAD "\"limits\": []}");
    for (int turn = 0; turn < 2; turn++)
    {
        snprintf(text, sizeof text, HEAD "\"approve\": [{\"id\": \"%s\", %s}, {\"id\": \"%s\", %s}]}",
                 first.report->findings[0].id, turn ? later : earlier, first.report->findings[0].id,
                 turn ? earlier : later);
        bench b = run(2, "a", text);
        assert_int_equal(b.report->findings[0].state, GRAZE_CLASH_APPROVED);
        assert_string_equal(b.report->findings[0].reason, "second");
        assert_true(b.report->findings[0].lapsed == NULL && b.report->problem_count == 0);
        end(&b);
    }
    snprintf(text, sizeof text, HEAD "\"approve\": [{\"id\": \"%s\", %s}, {\"id\": \"%s\", %s}]}",
             first.report->findings[0].id, earlier, first.report->findings[0].id, earlier);
    bench b = run(2, "a", text);
    assert_int_equal(b.report->findings[0].state, GRAZE_CLASH_NEW);
    assert_string_equal(b.report->findings[0].lapsed, "rules.json: approve[0]");
    assert_int_equal(b.report->problem_count, 1);
    end(&b);
    end(&first);
}

/* One box `count` times, under rules; the state of the only finding, a set of duplicates. */
static graze_clash_state duplicates_under(const char *text, size_t count, char out_id[17])
{
    static const char *const names[4] = {"a", "b", "c", "d"};
    graze_mesh *mesh = box_between(0, 0, 0, 1, 1, 1);
    graze_clash_part parts[4];
    for (size_t i = 0; i < count; i++)
        parts[i] = part_of(names[i], mesh);
    graze_clash_source source = {"rules.json", text, strlen(text)};
    graze_clash_rules *rules = NULL;
    graze_clash_report *report = NULL;
    graze_error error;
    if (graze_clash_rules_create(NULL, &source, 1, &error, &rules) != GRAZE_STATUS_OK)
        fail_msg("%s", error.text);
    graze_clash_options options = graze_clash_options_default();
    options.rules = rules;
    assert_int_equal(graze_clash_find(NULL, parts, count, &options, NULL, &report), GRAZE_STATUS_OK);
    assert_int_equal(report->finding_count, 1);
    assert_int_equal(report->findings[0].set_count, count);
    memcpy(out_id, report->findings[0].id, 17);
    graze_clash_state result = report->findings[0].state;
    assert_int_equal(report->findings[0].lapsed != NULL,
                     result != GRAZE_CLASH_APPROVED && strstr(text, "approve") != NULL);
    graze_clash_report_destroy(report);
    graze_clash_rules_destroy(rules);
    graze_mesh_destroy(mesh);
    return result;
}

static void approvals_of_duplicates_lapse_when_there_are_more(void **state)
{
    (void)state;
    char id[17], text[300];
    duplicates_under(HEAD "\"limits\": []}", 3, id);
    static const struct
    {
        const char *set;
        size_t count;
        graze_clash_state expected;
    } cases[] = {
        {"\"set\": [\"a\", \"b\", \"c\"],", 3, GRAZE_CLASH_APPROVED},
        {"\"set\": [\"a\", \"b\", \"c\"],", 2, GRAZE_CLASH_APPROVED}, /* it got better */
        {"\"set\": [\"a\", \"b\"],", 3, GRAZE_CLASH_NEW},
        {"\"set\": [\"a\", \"b\", \"c\"],", 4, GRAZE_CLASH_NEW},
        {"\"set\": null,", 4, GRAZE_CLASH_APPROVED},
        {"", 4, GRAZE_CLASH_APPROVED},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
        snprintf(text, sizeof text,
                 HEAD "\"approve\": [{\"id\": \"%s\", \"verdict\": \"duplicate\", %s \"reason\": \"same\"}]}", id,
                 cases[i].set);
        assert_int_equal(duplicates_under(text, cases[i].count, id), cases[i].expected);
    }
}

static void reviews_are_kept_and_silence_nothing(void **state)
{
    (void)state;
    char text[600];
    bench first = run(2, "a", HEAD "\"limits\": []}");
    const char *id = first.report->findings[0].id;
    assert_null(first.report->findings[0].review);
    snprintf(text, sizeof text,
             HEAD
             "\"review\": [{\"id\": \"%s\", \"state\": \"open\"}, {\"id\": \"%s\", \"state\": \"approved\","
             "\"assignee\": \"Ada\", \"comment\": \"press fit\"}, {\"id\": \"0123456789abcdef\", \"state\": \"open\"},"
             "{\"id\": \"0123456789abcdee\", \"state\": \"fixed\"}]}",
             id, id);
    bench b = run(2, "a", text);
    const graze_clash_finding *finding = &b.report->findings[0];
    assert_string_equal(finding->review->state, "approved"); /* of two the last */
    assert_string_equal(finding->review->assignee, "Ada");
    assert_string_equal(finding->review->comment, "press fit");
    assert_true(finding->state == GRAZE_CLASH_NEW && graze_clash_finding_fails(b.report, finding));
    assert_int_equal(b.report->problem_count, 1);
    assert_string_equal(b.report->problems[0].what, "review[2].id: there is no finding '0123456789abcdef'");
    end(&b);
    snprintf(text, sizeof text, HEAD "\"review\": [{\"id\": \"%s\", \"state\": \"fixed\", \"comment\": \"\"}]}", id);
    b = run(2, "a", text);
    assert_string_equal(b.report->findings[0].review->state, "fixed");
    assert_null(b.report->findings[0].review->comment);
    assert_int_equal(b.report->problem_count, 1);
    assert_string_equal(b.report->problems[0].what,
                        "review[0]: 'a' and 'b' are said to be fixed, but are still a finding (crosses)");
    end(&b);
    end(&first);
}

static void surfaces_are_marked_by_rules_and_options(void **state)
{
    (void)state;
    bench b = run(2, "terrain", HEAD "\"groups\": {\"g\": [\"terr*\"]}, \"surfaces\": [\"@g\", \"x*\"]}");
    assert_true(b.report->facts[0].surface && !b.report->facts[1].surface);
    assert_int_equal(b.report->problem_count, 1);
    assert_string_equal(b.report->problems[0].what, "surfaces[1]: no part matches 'x*'");
    graze_clash_options options = graze_clash_options_default();
    const char *const surfaces[] = {"z", "?"};
    options.surfaces = surfaces;
    options.surface_count = 2;
    graze_clash_report *report = NULL;
    assert_int_equal(graze_clash_find(NULL, b.parts, 2, &options, NULL, &report), GRAZE_STATUS_OK);
    assert_true(!report->facts[0].surface && report->facts[1].surface);
    graze_clash_report_destroy(report);
    options.surfaces = NULL;
    assert_int_equal(graze_clash_find(NULL, b.parts, 2, &options, NULL, &report), GRAZE_STATUS_BAD_ARGUMENT);
    end(&b);
}

/* The same letter, composed in the rules and decomposed in the name, and the other way round. */
static void names_are_compared_in_normal_form(void **state)
{
    (void)state;
    static const char *const names[] = {"geh\u00e4use", "geha\u0308use"};
    static const char *const selections[3][2] = {
        {"\"a\": \"geh\u00e4use\"", "\"a\": \"geha\u0308use\""},
        {"\"a\": \"g*\u00e4us?\"", "\"a\": \"g*a\u0308us?\""},
        {"\"pair\": [\"b\", \"geh\u00e4use\"]", "\"pair\": [\"b\", \"geha\u0308use\"]"}};
    for (int n = 0; n < 2; n++)
        for (int r = 0; r < 2; r++)
            for (size_t s = 0; s < 3; s++)
            {
                char text[200];
                snprintf(text, sizeof text, HEAD "\"ignore\": [{%s, \"reason\": \"r\"}]}", selections[s][r]);
                bench b = run(2, names[n], text);
                assert_int_equal(b.report->counts.pairs_ignored, 1);
                assert_int_equal(b.report->problem_count, 0);
                end(&b);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(approvals_lapse_when_the_finding_is_worse),
        cmocka_unit_test(another_entry_may_approve_what_has_lapsed),
        cmocka_unit_test(another_entry_with_the_same_id_may_approve_what_has_lapsed),
        cmocka_unit_test(approvals_of_duplicates_lapse_when_there_are_more),
        cmocka_unit_test(reviews_are_kept_and_silence_nothing),
        cmocka_unit_test(surfaces_are_marked_by_rules_and_options),
        cmocka_unit_test(names_are_compared_in_normal_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
