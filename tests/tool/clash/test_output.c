/* SPDX-License-Identifier: MIT */
/* Handmade reports of graze clash: every document contains the report's data, with the same bytes each time, and
 * hostile names are escaped. */
#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clash/baseline.h"
#include "clash/clash_sample.h"
#include "clash/output.h"
#include "support/captured_errors.h"
#include "support/tool_json.h"
#include "support/unit.h"
#include "text/utf8.h"

static const tool_console console = {false, false};

/* A document in memory; the caller frees it. */
static char *written_by(clash_writer write, const graze_clash_report *report)
{
    static char *text;
    static size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_true(write(&(clash_document){.report = report}, out));
    fclose(out);
    assert_int_equal(strlen(text), size);
    return text;
}

static clash_text_options text_options;

static bool write_as_text(const clash_document *document, FILE *out)
{
    clash_write_text(document->report, &text_options, out);
    return true;
}

static char *text_of(const graze_clash_report *report, clash_text_options options)
{
    text_options = options;
    return written_by(write_as_text, report);
}

static cJSON *parsed(const graze_clash_report *report)
{
    char *text = written_by(clash_write_json, report);
    cJSON *document = cJSON_Parse(text);
    assert_non_null(document);
    free(text);
    return document;
}

static const cJSON *at(const cJSON *document, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(document, key);
    if (item == NULL)
        fail_msg("no '%s'", key);
    return item;
}

static void json_has_the_header_and_the_summary(void **state)
{
    (void)state;
    sample_report sample = sample_create();
    cJSON *document = parsed(&sample.report);
    assert_string_equal(json_string(document, "graze"), "clash");
    assert_int_equal(json_number(document, "version"), 2);
    assert_string_equal(json_string(document, "tool"), graze_version_text());
    assert_int_equal(cJSON_GetArraySize(at(document, "inputs")), 2);
    assert_string_equal(json_string(cJSON_GetArrayItem(at(document, "inputs"), 1), "hash"), "00000000000000b2");
    assert_string_equal(json_string(document, "units"), "mm");
    assert_true(json_number(at(document, "tolerances"), "clearance") == 0.1);
    assert_false(json_boolean(at(document, "tolerances"), "allow_touch"));
    assert_string_equal(json_string(cJSON_GetArrayItem(at(document, "rules"), 0), "hash"), sample.report.rules[0].hash);
    assert_true(cJSON_IsNull(at(document, "baseline")));
    assert_true(json_boolean(document, "complete"));
    assert_string_equal(json_string(document, "outcome"), "failed");
    static const struct
    {
        const char *key;
        int value;
    } numbers[] = {{"parts", 6},        {"parts_free", 0},   {"triangles", 72},    {"pairs_possible", 15},
                   {"pairs_culled", 5}, {"pairs_tested", 8}, {"pairs_ignored", 2}, {"pairs_undecided", 0},
                   {"findings", 6},     {"failing", 5},      {"critical", 2},      {"major", 2},
                   {"minor", 2},        {"info", 0},         {"new", 5},           {"known", 0},
                   {"worse", 0},        {"approved", 1},     {"resolved", 0}};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (json_number(at(document, "summary"), numbers[i].key) != numbers[i].value)
            fail_msg("summary.%s", numbers[i].key);
    assert_int_equal(json_number(cJSON_GetArrayItem(at(document, "ignored"), 0), "pairs"), 2);
    assert_string_equal(json_string(cJSON_GetArrayItem(at(document, "problems"), 0), "part"), "cap.stl");
    cJSON_Delete(document);
    sample_release(&sample);
}

static void json_findings_have_their_keys(void **state)
{
    (void)state;
    sample_report sample = sample_create();
    cJSON *document = parsed(&sample.report);
    const cJSON *findings = at(document, "findings");
    static const char *const verdicts[] = {"contains", "crosses", "duplicate", "too_close", "touches", "self"};
    static const char *const severities[] = {"critical", "critical", "major", "major", "minor", "minor"};
    assert_int_equal(cJSON_GetArraySize(findings), 6);
    for (int i = 0; i < 6; i++)
    {
        const cJSON *finding = cJSON_GetArrayItem(findings, i);
        const graze_clash_finding *known = &sample.report.findings[i];
        assert_string_equal(json_string(finding, "verdict"), verdicts[i]);
        assert_string_equal(json_string(finding, "severity"), severities[i]);
        assert_string_equal(json_string(finding, "id"), known->id);
        assert_string_equal(json_string(finding, "a"), sample.parts[known->a].name);
        assert_string_equal(json_string(finding, "b"), sample.parts[known->b].name);
        assert_string_equal(json_string(finding, "rule"), known->rule);
        assert_int_equal(json_number(finding, "pairs"), known->pairs);
        assert_int_equal(cJSON_GetArraySize(at(finding, "point")), 3);
        assert_int_equal(cJSON_IsNull(at(finding, "depth")), !known->has_depth);
        assert_int_equal(cJSON_IsNull(at(finding, "gap")), !known->has_gap);
    }
    const cJSON *contains = cJSON_GetArrayItem(findings, 0), *crosses = cJSON_GetArrayItem(findings, 1);
    assert_string_equal(json_string(contains, "contains"), "b_in_a");
    assert_true(cJSON_GetArrayItem(at(crosses, "depth"), 0)->valuedouble == 0.1 + 0.2); /* to the last bit */
    assert_true(cJSON_GetArrayItem(at(crosses, "depth"), 1)->valuedouble == 0.31);
    assert_string_equal(json_string(at(crosses, "grades"), "depth"), "bounded");
    assert_int_equal(cJSON_GetArraySize(at(cJSON_GetArrayItem(findings, 2), "set")), 3);
    assert_string_equal(json_string(at(cJSON_GetArrayItem(findings, 3), "grades"), "gap"), "exact");
    assert_string_equal(json_string(cJSON_GetArrayItem(findings, 4), "touch"), "face");
    assert_string_equal(json_string(cJSON_GetArrayItem(findings, 4), "state"), "approved");
    assert_string_equal(json_string(cJSON_GetArrayItem(findings, 4), "reason"), "it is bolted");
    cJSON_Delete(document);
    sample_release(&sample);
}

static void the_same_report_gives_the_same_bytes(void **state)
{
    (void)state;
    static const clash_writer writers[] = {clash_write_json, clash_write_csv, clash_write_junit};
    sample_report sample = sample_create();
    for (size_t i = 0; i < 3; i++)
    {
        char *first = written_by(writers[i], &sample.report);
        sample.report.seconds_checking += 1.5;
        char *second = written_by(writers[i], &sample.report);
        assert_string_equal(first, second);
        free(first);
        free(second);
    }
    sample_release(&sample);
}

/* Parses CSV by RFC 4180 into `cells`; returns the number of lines, each of `width` cells. */
static size_t read_csv(char *text, char **cells, size_t capacity, size_t *out_width)
{
    size_t count = 0, lines = 0, width = 0;
    char *in = text;
    while (*in != '\0')
    {
        char *out = in;
        bool quoted = *in == '"';
        assert_true(count < capacity);
        cells[count++] = out;
        for (in += quoted; quoted ? *in != '"' || in[1] == '"' : *in != ',' && *in != '\r'; in++)
        {
            assert_true(*in != '\0' && (quoted || (*in != '"' && *in != '\n')));
            in += quoted && *in == '"';
            *out++ = *in;
        }
        in += quoted;
        bool ends = *in == '\r';
        assert_true(ends ? in[1] == '\n' : *in == ',');
        *out = '\0';
        in += ends ? 2 : 1;
        if (!ends)
            continue;
        lines++;
        width = lines == 1 ? count : width;
        assert_int_equal(count, lines * width);
    }
    *out_width = width;
    return lines;
}

static const char *cell_at(char **cells, size_t width, size_t line, const char *title)
{
    for (size_t c = 0; c < width; c++)
        if (strcmp(cells[c], title) == 0)
            return cells[line * width + c];
    fail_msg("no column '%s'", title);
    return NULL;
}

static void csv_has_a_line_a_finding(void **state)
{
    (void)state;
    static char *cells[1024];
    size_t width;
    sample_report sample = sample_create();
    char *text = written_by(clash_write_csv, &sample.report);
    assert_int_equal(read_csv(text, cells, 1024, &width), 7);
    for (size_t i = 0; i < 6; i++)
    {
        const graze_clash_finding *known = &sample.report.findings[i];
        assert_string_equal(cell_at(cells, width, i + 1, "id"), known->id);
        assert_string_equal(cell_at(cells, width, i + 1, "verdict"), graze_clash_verdict_name(known->verdict));
        assert_string_equal(cell_at(cells, width, i + 1, "a"), sample.parts[known->a].name);
        assert_string_equal(cell_at(cells, width, i + 1, "rules_hash"), sample.report.rules[0].hash);
        assert_string_equal(cell_at(cells, width, i + 1, "tool"), graze_version_text());
        assert_string_equal(cell_at(cells, width, i + 1, "pairs_possible"), "15");
    }
    assert_true(strtod(cell_at(cells, width, 2, "depth_lower"), NULL) == 0.1 + 0.2);
    assert_string_equal(cell_at(cells, width, 1, "gap_lower"), "");
    assert_string_equal(cell_at(cells, width, 3, "set"), "pin 1\npin 2\npin 3");
    assert_string_equal(cell_at(cells, width, 5, "reason"), "it is bolted");
    free(text);
    sample.report.finding_count = 0;
    text = written_by(clash_write_csv, &sample.report);
    assert_int_equal(read_csv(text, cells, 1024, &width), 1);
    free(text);
    sample_release(&sample);
}

static size_t occurrences(const char *text, const char *word)
{
    size_t count = 0;
    for (const char *found = strstr(text, word); found != NULL; found = strstr(found + 1, word))
        count++;
    return count;
}

/* Well-formed for our own documents: elements close in order, attributes are quoted, nothing illegal. */
static void expect_xml(const char *text)
{
    char open[16][32];
    int depth = 0;
    const char *in = text;
    assert_int_equal(strncmp(in, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", 39), 0);
    for (in += 38; *in != '\0';)
    {
        size_t length = grz_utf8_length((const unsigned char *)in);
        assert_true(length > 0 && ((unsigned char)*in >= 0x20 || *in == '\n'));
        if (*in == '&')
            assert_true(in[1] == '#' && strchr("0123456789", in[2]) != NULL && strchr(in, ';') - in < 6);
        if (*in != '<')
        {
            in += length;
            continue;
        }
        bool closes = in[1] == '/';
        in += 1 + closes;
        size_t size = strspn(in, "abcdefghijklmnopqrstuvwxyz-");
        assert_true(size > 0 && size < 32 && depth < 16);
        depth -= closes;
        assert_true(depth >= 0);
        if (closes)
            assert_true(strncmp(open[depth], in, size) == 0 && open[depth][size] == '\0' && in[size] == '>');
        else
            snprintf(open[depth], sizeof open[depth], "%.*s", (int)size, in);
        for (in += size; *in == ' ';)
        {
            in += 1 + strspn(in + 1, "abcdefghijklmnopqrstuvwxyz");
            assert_int_equal(strncmp(in, "=\"", 2), 0);
            const char *end = strchr(in + 2, '"');
            assert_non_null(end);
            for (in += 2; in < end; in++)
                assert_true(*in != '<' && *in != '\n' && (*in != '&' || in[1] == '#'));
            in++;
        }
        bool is_empty = *in == '/';
        in += is_empty;
        assert_int_equal(*in, '>');
        in++;
        depth += !closes && !is_empty;
    }
    assert_int_equal(depth, 0);
}

static void junit_has_a_case_a_part_and_one_for_the_whole(void **state)
{
    (void)state;
    sample_report sample = sample_create();
    char *text = written_by(clash_write_junit, &sample.report);
    expect_xml(text);
    assert_int_equal(occurrences(text, "<testcase"), 7);
    assert_int_equal(occurrences(text, "<failure"), 6);
    assert_int_equal(occurrences(text, "tests=\"7\" failures=\"6\" errors=\"0\""), 2);
    assert_non_null(strstr(text, "critical: crosses &#39;shaft&#39;, depth 0.3 to 0.31, by default ["));
    assert_non_null(strstr(text, "critical: lies in &#39;housing&#39;, by default ["));
    assert_non_null(strstr(text, "critical: contains &#39;pin 1&#39;"));
    assert_non_null(strstr(text, "duplicate of &#39;pin 1&#39;, 3 parts the same"));
    assert_non_null(strstr(text, "minor: crosses itself, 4 pairs"));
    assert_int_equal(occurrences(text, "(approved)"), 2);
    assert_non_null(strstr(text, "<property name=\"rules_hash\" value=\"00000000000000aa\"/>"));
    free(text);
    sample.report.complete = false;
    sample.report.counts.pairs_undecided = 3;
    text = written_by(clash_write_junit, &sample.report);
    expect_xml(text);
    assert_non_null(strstr(text, "<error type=\"incomplete\" message=\"3 pairs are undecided\"/>"));
    assert_int_equal(occurrences(text, "errors=\"1\""), 2);
    free(text);
    sample_release(&sample);
}

static void hostile_names_stay_in_their_place(void **state)
{
    (void)state;
    static const char *const names[] = {"\"},{\"id\":\"x",
                                        "a\",\"b\r\n=1+1",
                                        "=cmd|' /C calc'!A0",
                                        "]]></failure><x a=\"1\">&amp;",
                                        "\x1b[2J\x01\x7f",
                                        "\xff\xfe\xc0\x80",
                                        "line\nline",
                                        "\xc2\x9b"
                                        "31m",
                                        "\xe2\x80\xae"
                                        "txt",
                                        "\xef\xbf\xbf"
                                        "x",
                                        "\\\\",
                                        ",;\t"};
    static char *cells[1024];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    {
        size_t width;
        sample_report sample = sample_create();
        sample.parts[0].name = sample.parts[0].file = names[i];
        graze_clash_input rules = {names[i], "00000000000000aa", 0};
        sample.report.rules = &rules;
        sample.problems[0].what = sample.ignored[0].reason = names[i];
        cJSON *document = parsed(&sample.report);
        assert_int_equal(cJSON_GetArraySize(at(document, "findings")), 6);
        if (i != 5)
            assert_string_equal(json_string(cJSON_GetArrayItem(at(document, "findings"), 0), "a"), names[i]);
        cJSON_Delete(document);
        char *text = written_by(clash_write_csv, &sample.report);
        assert_int_equal(read_csv(text, cells, 1024, &width), 7);
        const char *cell = cell_at(cells, width, 1, "a");
        assert_null(strchr("=+-@", cell[0]));
        if (i < 2)
            assert_string_equal(cell, names[i]);
        free(text);
        text = written_by(clash_write_junit, &sample.report);
        expect_xml(text);
        assert_int_equal(occurrences(text, "<testcase"), 7);
        free(text);
        text = text_of(&sample.report, (clash_text_options){.console = &console});
        for (const char *c = text; *c != '\0'; c++)
            assert_true(((unsigned char)*c >= 0x20 && *c != 0x7f) || *c == '\n');
        for (const char *c = text; *c != '\0'; c += grz_utf8_length((const unsigned char *)c))
            assert_true(grz_utf8_length((const unsigned char *)c) > 0 && strncmp(c, "\xc2\x9b", 2) != 0 &&
                        strncmp(c, "\xe2\x80\xae", 3) != 0);
        assert_int_equal(occurrences(text, "\n"), 17);
        free(text);
        sample_release(&sample);
    }
}

static void text_says_verdict_table_and_summary(void **state)
{
    (void)state;
    sample_report sample = sample_create();
    char *text = text_of(&sample.report, (clash_text_options){.console = &console});
    static const char *const words[] = {"clash: 6 findings: 2 critical, 2 major, 2 minor; 5 new, 1 approved\n",
                                        "severity  verdict    state     a ",
                                        "critical  contains   new       housing",
                                        "depth 0.3 to 0.31",
                                        "gap 0.05",
                                        "face, area 2.5",
                                        "parts       6, 0 free of clash; 72 triangles\n",
                                        "15 possible: 5 culled, 8 tested, 2 ignored, 0 undecided\n",
                                        "ignored     2 by rules: ignore[0]: threads\n",
                                        "problems    cap.stl: vertex 3 is not finite\n",
                                        "clearance 0.1, touching not allowed, depth up to 0, in mm; rules of r.json\n",
                                        "to read, "};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strstr(text, words[i]) == NULL)
            fail_msg("no '%s' in\n%s", words[i], text);
    free(text);
    text = text_of(&sample.report, (clash_text_options){.console = &console, .quiet = true});
    assert_string_equal(text, words[0]);
    free(text);
    text = text_of(&sample.report, (clash_text_options){.console = &console, .row_limit = 2});
    assert_non_null(strstr(text, "... and 4 more\n"));
    assert_null(strstr(text, "gap 0.05"));
    free(text);
    const tool_console colours = {true, true};
    text = text_of(&sample.report, (clash_text_options){.console = &colours, .quiet = true});
    assert_int_equal(strncmp(text, "\033[1;31mclash\033[0m: 6", 19), 0);
    free(text);
    sample_release(&sample);
}

static void tables_fit_the_terminal(void **state)
{
    (void)state;
    sample_report sample = sample_create();
    char longer[301];
    memset(longer, 'x', 300);
    memcpy(longer + 294, "\xc3\xa9nd\xc3\xa9", 6);
    longer[300] = '\0';
    sample.parts[0].name = longer;
    sample.parts[1].name = longer + 100;
    for (size_t width = 10; width < 400; width += 13)
    {
        char *text = text_of(&sample.report, (clash_text_options){.console = &console, .width = width});
        char *line = strstr(text, "  severity");
        size_t least = width > 80 ? width : 80, rows = 0;
        for (; *line != '\n'; line = strchr(line, '\n') + 1, rows++)
        {
            size_t length = 0;
            for (const char *c = line; *c != '\n'; c++)
                length += ((unsigned char)*c & 0xc0) != 0x80;
            if (length > least)
                fail_msg("%zu characters in %zu: %.*s", length, least, (int)length, line);
        }
        assert_int_equal(rows, 7);
        assert_non_null(strstr(text, "\xc3\xa9nd\xc3\xa9  ")); /* the end of a name stays */
        free(text);
    }
    char *text = text_of(&sample.report, (clash_text_options){.console = &console});
    assert_non_null(strstr(text, longer)); /* in full where no terminal limits it */
    free(text);
    sample_release(&sample);
}

static void runs_end_as_their_findings_do(void **state)
{
    (void)state;
    sample_report sample = sample_create();
    graze_clash_report *report = &sample.report;
    assert_int_equal(clash_exit_code(report), EXIT_FOUND);
    report->complete = false;
    assert_int_equal(clash_exit_code(report), EXIT_FOUND); /* findings remain findings */
    for (size_t i = 0; i < 6; i++)
        report->findings[i].state = GRAZE_CLASH_APPROVED;
    assert_int_equal(clash_exit_code(report), EXIT_INCOMPLETE);
    report->complete = true;
    assert_int_equal(clash_exit_code(report), EXIT_NOTHING_FOUND);
    assert_int_equal(graze_clash_report_outcome(report), GRAZE_CLASH_OUTCOME_PASSED);
    report->finding_count = 0;
    assert_int_equal(graze_clash_report_outcome(report), GRAZE_CLASH_OUTCOME_CLEAN);
    char *text = text_of(report, (clash_text_options){.console = &console, .quiet = true});
    assert_string_equal(text, "no clash: 6 parts, 13 pairs, nothing found\n");
    free(text);
    report->counts.pairs_culled = report->counts.pairs_tested = 0;
    assert_int_equal(clash_exit_code(report), EXIT_INCOMPLETE); /* a run without tests does not pass */
    text = text_of(report, (clash_text_options){.console = &console, .quiet = true});
    assert_string_equal(text, "nothing checked: nothing found, but there was no pair to check\n");
    free(text);
    sample_release(&sample);
}

static void findings_are_sorted_and_ids_do_not_depend_on_order(void **state)
{
    (void)state;
    sample_report sample = sample_create();
    graze_clash_finding reversed[6];
    for (size_t i = 0; i < 6; i++)
        reversed[i] = sample.report.findings[5 - i];
    sample.report.findings = reversed;
    assert_true(grz_clash_sort_findings(NULL, &sample.report));
    for (size_t i = 0; i < 6; i++)
        assert_string_equal(reversed[i].id, sample.findings[i].id);
    char one[17], other[17], third[17];
    grz_clash_make_id("a", "b", one);
    grz_clash_make_id("b", "a", other);
    grz_clash_make_id("ab", "", third);
    assert_string_equal(one, other);
    assert_string_not_equal(one, third);
    assert_string_equal(one, "9ee055ea1a8ec313"); /* ids of earlier reports must not change */
    sample_release(&sample);
}

static void text_tells_what_changed_since_the_baseline(void **state)
{
    (void)state;
    sample_report sample = sample_create();
    char *json = written_by(clash_write_json, &sample.report);
    graze_clash_source source = {"old.json", json, strlen(json)};
    graze_clash_baseline *baseline = NULL;
    assert_int_equal(graze_clash_baseline_create(NULL, &source, NULL, &baseline), GRAZE_STATUS_OK);
    free(json);
    sample.report.findings++;
    sample.report.finding_count--;
    sample.findings[1].depth[0] = sample.findings[1].depth[1] = 2;
    assert_true(grz_clash_baseline_apply(NULL, baseline, NULL, &sample.report));
    sample.report.fail_on = GRAZE_CLASH_FAIL_ON_WORSE;
    char *text = text_of(&sample.report, (clash_text_options){.console = &console});
    static const char *const words[] = {"baseline    old.json: 0 new, 1 worse, 3 known, 1 resolved\n",
                                        "resolved    contains   housing + pin 1\n",
                                        "5 findings: 1 critical, 2 major, 2 minor; 3 known, 1 worse, 1 approved"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strstr(text, words[i]) == NULL)
            fail_msg("no '%s' in\n%s", words[i], text);
    free(text);
    free(sample.report.ignored_now);
    free(sample.report.resolved);
    graze_clash_baseline_destroy(baseline);
    sample_release(&sample);
}

static void files_that_cannot_be_written_are_named(void **state)
{
    (void)state;
    sample_report sample = sample_create();
    assert_int_equal(
        clash_write_file(&console, "out.json", clash_write_json, &(clash_document){.report = &sample.report}), 0);
    FILE *file = fopen("out.json", "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    char *text = written_by(clash_write_json, &sample.report);
    assert_int_equal(ftell(file), strlen(text));
    fclose(file);
    free(text);
    capture_errors();
    assert_int_equal(
        clash_write_file(&console, "no/out.json", clash_write_json, &(clash_document){.report = &sample.report}),
        EXIT_INPUT);
    assert_non_null(strstr(captured_errors(), "no/out.json cannot be written: "));
    file = fopen("/dev/full", "wb");
    if (file != NULL)
    {
        fclose(file);
        capture_errors();
        assert_int_equal(
            clash_write_file(&console, "/dev/full", clash_write_csv, &(clash_document){.report = &sample.report}),
            EXIT_INPUT);
        assert_non_null(strstr(captured_errors(), "/dev/full cannot be written: "));
    }
    sample_release(&sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_has_the_header_and_the_summary),
        cmocka_unit_test(json_findings_have_their_keys),
        cmocka_unit_test(the_same_report_gives_the_same_bytes),
        cmocka_unit_test(csv_has_a_line_a_finding),
        cmocka_unit_test(junit_has_a_case_a_part_and_one_for_the_whole),
        cmocka_unit_test(hostile_names_stay_in_their_place),
        cmocka_unit_test(text_says_verdict_table_and_summary),
        cmocka_unit_test(tables_fit_the_terminal),
        cmocka_unit_test(runs_end_as_their_findings_do),
        cmocka_unit_test(findings_are_sorted_and_ids_do_not_depend_on_order),
        cmocka_unit_test(text_tells_what_changed_since_the_baseline),
        cmocka_unit_test(files_that_cannot_be_written_are_named),
    };
    return cmocka_run_group_tests(tests, enter_temporary_directory, leave_temporary_directory);
}
