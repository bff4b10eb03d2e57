/* SPDX-License-Identifier: MIT */
/* Invalid rules: each is refused with one message and its location; reader and schema agree; and reading ends
 * properly for any modified bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clash/rules.h"
#include "support/json_schema.h"
#include "support/random.h"
#include "support/unit.h"

#define HEAD "{\"graze\": \"rules\", \"version\": 1, "

/* All keys that a file may have. */
static const char everything[] = HEAD
    "\"$schema\": \"rules.schema.json\", \"units\": \"mm\", \"comment\": \"caf\\u00e9\", \"x-y\": [1],\n"
    " \"groups\": {\"bolts\": [\"bolt*\", \"screw_??\"], \"rest\": []},\n"
    " \"ignore\": [{\"a\": \"@bolts\", \"b\": \"nut*\", \"reason\": \"threads\"},\n"
    "  {\"pair\": [\"a*\", \"b\"], \"reason\": \"glued\"}, {\"same\": \"parent\", \"reason\": \"r\"},\n"
    "  {\"a\": \"label\", \"reason\": \"r\", \"comment\": 1}, {\"group\": \"rest\", \"reason\": \"r\"}],\n"
    " \"limits\": [{\"clearance\": 1}, {\"a\": \"x\", \"b\": \"@bolts\", \"max_depth\": 0.5, \"reason\": \"r\"},\n"
    "  {\"pair\": [\"a\", \"b\"], \"allow_touch\": true}, {\"group\": \"bolts\", \"clearance\": 2},\n"
    "  {\"same\": \"file\", \"clearance\": 0, \"allow_touch\": false, \"max_depth\": 0}],\n"
    " \"severity\": [{\"severity\": \"info\"}, {\"verdict\": \"touches\", \"a\": \"x\", \"severity\": \"major\"}],\n"
    " \"approve\": [{\"id\": \"0123456789abcdef\", \"a\": \"a\", \"b\": \"b\", \"reason\": \"r\"},\n"
    "  {\"a\": \"p\", \"b\": \"q*\", \"verdict\": \"crosses\", \"reason\": \"r\"},\n"
    "  {\"id\": \"0123456789abcde0\", \"verdict\": \"crosses\", \"depth\": [0.5, null], \"gap\": null,"
    " \"point\": [1, 2, 3], \"reason\": \"r\"},\n"
    "  {\"linked\": \"parent\", \"depth\": [0, 1], \"gap\": [0.5, 1], \"reason\": \"r\"},"
    " {\"same\": \"assembly\", \"reason\": \"r\"},\n"
    "  {\"pair\": [\"a\", \"b\"], \"reason\": \"r\"}],\n"
    " \"review\": [{\"id\": \"0123456789abcdef\", \"state\": \"assigned\", \"assignee\": \"Ada\", \"comment\": "
    "\"c\"},\n"
    "  {\"id\": \"0123456789abcdee\", \"state\": \"fixed\", \"assignee\": \"\", \"a\": \"p\", \"b\": \"q\"}],\n"
    " \"surfaces\": [\"terrain*\", \"@bolts\"]}\n";

static graze_status load_bytes(const char *bytes, size_t size, graze_error *error)
{
    graze_clash_source source = {"rules.json", bytes, size};
    graze_clash_rules *book = NULL;
    graze_status status = graze_clash_rules_create(NULL, &source, 1, error, &book);
    assert_int_equal(status == GRAZE_STATUS_OK, book != NULL);
    if (book != NULL)
    {
        graze_clash_tolerances tolerances = {0};
        grz_clash_rules *rules = grz_clash_rules_make(NULL, book, &tolerances);
        grz_clash_part parts[] = {{.name = "bolt1", .file = "f", .parent = ""},
                                  {.name = "a", .file = "f", .parent = ""}};
        assert_non_null(rules);
        assert_true(grz_clash_rules_prepare(rules, parts, 2));
        grz_clash_rules_limits(rules, 0, 1);
        grz_clash_rules_release(rules);
    }
    graze_clash_rules_destroy(book);
    return status;
}

static void each_fault_is_refused_with_its_place(void **state)
{
    (void)state;
    static const struct
    {
        const char *text, *words;
    } faults[] = {
        {"{}", "'graze' is missing, so these are no rules"},
        {"[]", "expected an object, not a list"},
        {"{\"graze\": \"rules\"}", "'version' is missing"},
        {"{\"graze\": \"scene\", \"version\": 1}", "graze: expected rules, not 'scene'"},
        {"{\"graze\": \"rules\", \"version\": 2}", "version: version 2 is not known here"},
        {HEAD "\"ignored\": []}", "ignored: there is no such key here; did you mean 'ignore'?"},
        {HEAD "\"ignore\": [], \"ignore\": []}", "ignore: this key is there twice"},
        {HEAD "\"ignore\": {}}", "ignore: expected a list, not an object"},
        {HEAD "\"ignore\": [1]}", "ignore[0]: expected an object, not a number"},
        {HEAD "\"ignore\": []} x", "expected the end, not 'x'"},
        {HEAD "\"ignore\": [}", "line 1"},
        {HEAD "\"ignore\": [{\"reason\": \"r\"}]}", "ignore[0]: this says of no pair that it is meant"},
        {HEAD "\"ignore\": [{\"a\": \"x\"}]}", "ignore[0]: 'reason' is missing"},
        {HEAD "\"ignore\": [{\"a\": \"x\", \"reason\": \"\"}]}", "ignore[0].reason: this text must not be empty"},
        {HEAD "\"ignore\": [{\"b\": \"x\", \"reason\": \"r\"}]}", "ignore[0]: 'b' needs an 'a'"},
        {HEAD "\"ignore\": [{\"b\": \"x\", \"same\": \"file\", \"reason\": \"r\"}]}", "ignore[0]: 'b' needs an 'a'"},
        {HEAD "\"ignore\": [{\"a\": \"x\", \"pair\": [\"a\", \"b\"], \"reason\": \"r\"}]}",
         "ignore[0]: 'a' and 'pair' cannot both hold"},
        {HEAD "\"ignore\": [{\"pair\": [\"a\"], \"reason\": \"r\"}]}", "ignore[0].pair: expected a list of 2 names"},
        {HEAD "\"ignore\": [{\"pair\": [\"a\", 1], \"reason\": \"r\"}]}", "ignore[0].pair[1]: expected a text"},
        {HEAD "\"ignore\": [{\"same\": \"folder\", \"reason\": \"r\"}]}", "same: expected parent, file or assembly"},
        {HEAD "\"ignore\": [{\"a\": \"x\\\\\", \"reason\": \"r\"}]}", "a: a pattern must not end with a single"},
        {HEAD "\"ignore\": [{\"a\": \"x\", \"clearance\": 1, \"reason\": \"r\"}]}", "clearance: there is no such key"},
        {HEAD "\"groups\": {\"bolts\": []}, \"ignore\": [{\"a\": \"@bots\", \"reason\": \"r\"}]}",
         "ignore[0].a: there is no group 'bots'; did you mean 'bolts'?"},
        {HEAD "\"limits\": [{\"group\": \"g\", \"clearance\": 1}]}", "limits[0].group: there is no group 'g'"},
        {HEAD "\"groups\": {\"g\": [\"@h\"]}}", "groups.g[0]: a group is made of patterns, not of groups"},
        {HEAD "\"groups\": {\"g\": \"x\"}}", "groups.g: expected a list, not a text"},
        {HEAD "\"groups\": {\"g\": [], \"g\": []}}", "groups.g: this key is there twice"},
        {HEAD "\"groups\": []}", "groups: expected an object"},
        {HEAD "\"limits\": [{\"a\": \"x\"}]}", "limits[0]: this sets no limit"},
        {HEAD "\"limits\": [{\"clearance\": -1}]}", "limits[0].clearance: this must not be below zero"},
        {HEAD "\"limits\": [{\"clearance\": 1e999}]}", "limits[0].clearance: this number is beyond the range"},
        {HEAD "\"limits\": [{\"allow_touch\": 1}]}", "limits[0].allow_touch: expected true or false"},
        {HEAD "\"severity\": [{\"a\": \"x\"}]}", "severity[0]: 'severity' is missing"},
        {HEAD "\"severity\": [{\"severity\": \"bad\"}]}", "expected info, minor, major or critical, not 'bad'"},
        {HEAD "\"severity\": [{\"verdict\": \"clear\", \"severity\": \"info\"}]}",
         "verdict: expected too_close, touches"},
        {HEAD "\"approve\": [{\"reason\": \"r\"}]}", "approve[0]: this says of no pair"},
        {HEAD "\"approve\": [{\"id\": \"12\", \"reason\": \"r\"}]}", "id: expected 16 hexadecimal digits, not '12'"},
        {HEAD "\"approve\": [{\"id\": \"0123456789abcdef\"}]}", "approve[0]: 'reason' is missing"},
        {HEAD "\"approve\": [{\"id\": \"0123456789abcdef\", \"same\": \"file\", \"reason\": \"r\"}]}",
         "'id' and 'same' cannot both hold"},
        {HEAD "\"approve\": [{\"id\": \"0123456789abcdef\", \"depth\": [1], \"reason\": \"r\"}]}",
         "approve[0].depth: expected null or a list of 2 numbers"},
        {HEAD "\"approve\": [{\"id\": \"0123456789abcdef\", \"point\": [1, 2], \"reason\": \"r\"}]}",
         "approve[0].point: expected"},
        {HEAD "\"ignore\": [{\"linked\": \"child\", \"reason\": \"r\"}]}", "linked: expected parent, not 'child'"},
        {HEAD "\"review\": [{\"id\": \"0123456789abcdef\"}]}", "review[0]: 'state' is missing"},
        {HEAD "\"review\": [{\"state\": \"open\"}]}", "review[0]: 'id' is missing"},
        {HEAD "\"review\": [{\"id\": \"0\", \"state\": \"open\"}]}", "review[0].id: expected 16 hexadecimal digits"},
        {HEAD "\"review\": [{\"id\": \"0123456789abcdef\", \"state\": \"done\"}]}",
         "review[0].state: expected open, assigned, fixed or approved, not 'done'"},
        {HEAD "\"review\": [{\"id\": \"0123456789abcdef\", \"state\": \"open\", \"comment\": 1}]}",
         "review[0].comment: expected a text"},
        {HEAD "\"surfaces\": \"x\"}", "surfaces: expected a list"},
        {HEAD "\"surfaces\": [\"@x\"]}", "surfaces[0]: there is no group 'x'"},
        {HEAD "\"surfaces\": [\"x\\\\\"]}", "surfaces[0]: a pattern must not end"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
    {
        graze_error error = {0};
        graze_status status = load_bytes(faults[i].text, strlen(faults[i].text), &error);
        bool is_placed = error.line == GRAZE_NO_INDEX || strncmp(error.text, "line ", 5) == 0;
        if (status != GRAZE_STATUS_BAD_FORMAT || error.index != 0 || !is_placed ||
            strstr(error.text, faults[i].words) == NULL)
            fail_msg("status %d and '%s' for %s", (int)status, error.text, faults[i].text);
    }
}

/* Entries of several sources count as if they stood in one; each has its own groups, and messages name it. */
static void several_sources_are_read_together(void **state)
{
    (void)state;
    static const char one[] = HEAD "\"groups\": {\"g\": [\"a\"]}, \"limits\": [{\"clearance\": 1}],"
                                   "\"ignore\": [{\"a\": \"@g\", \"b\": \"b\", \"reason\": \"r\"}]}";
    static const char two[] = HEAD "\"groups\": {\"g\": [\"c\"]}, \"limits\": [{\"a\": \"@g\", \"clearance\": 3}],"
                                   "\"ignore\": [{\"a\": \"b\", \"b\": \"c\", \"reason\": \"s\"},"
                                   "{\"a\": \"quite another\", \"reason\": \"t\"}]}";
    graze_clash_source sources[] = {{"one", one, sizeof one - 1}, {"two", two, sizeof two - 1}};
    graze_clash_rules *book = NULL;
    assert_int_equal(graze_clash_rules_create(NULL, sources, 2, NULL, &book), GRAZE_STATUS_OK);
    graze_clash_tolerances tolerances = {0};
    grz_clash_rules *rules = grz_clash_rules_make(NULL, book, &tolerances);
    grz_clash_part parts[] = {{.name = "a", .file = "f", .parent = ""},
                              {.name = "b", .file = "f", .parent = ""},
                              {.name = "c", .file = "f", .parent = ""},
                              {.name = "d", .file = "f", .parent = ""}};
    assert_true(rules != NULL && grz_clash_rules_prepare(rules, parts, 4));
    assert_int_equal(grz_clash_rules_ignore_count(rules), 3);
    grz_clash_limits ab = grz_clash_rules_limits(rules, 0, 1), bc = grz_clash_rules_limits(rules, 2, 1);
    assert_true(ab.ignored && bc.ignored && ab.clearance == 1);
    assert_string_equal(ab.ignored_by, "one: ignore[0]");
    assert_string_equal(bc.ignored_by, "two: ignore[0]");
    assert_int_equal(bc.ignored_index, 1);
    grz_clash_limits cd = grz_clash_rules_limits(rules, 2, 3);
    assert_true(!cd.ignored && cd.clearance == 3);
    assert_string_equal(cd.clearance_rule, "two: limits[0]");
    const graze_clash_problem *problems;
    size_t count;
    assert_true(grz_clash_rules_problems(rules, true, &problems, &count));
    assert_int_equal(count, 1);
    assert_string_equal(problems[0].part, "two");
    assert_string_equal(problems[0].what, "ignore[1].a: there is no part 'quite another'");
    grz_clash_rules_release(rules);
    graze_clash_rules_destroy(book);

    graze_error error = {0};
    sources[1] = (graze_clash_source){"two", "{", 1};
    book = NULL;
    assert_int_equal(graze_clash_rules_create(NULL, sources, 2, &error, &book), GRAZE_STATUS_BAD_FORMAT);
    assert_true(book == NULL && error.index == 1 && error.line == 1);
}

/* All values below an item, with their parents. */
typedef struct gathered
{
    cJSON *items[512], *parents[512];
    size_t count;
} gathered;

static void gather(gathered *all, cJSON *item)
{
    cJSON *child;
    cJSON_ArrayForEach(child, item)
    {
        assert_true(all->count < 512);
        all->items[all->count] = child;
        all->parents[all->count++] = item;
        gather(all, child);
    }
}

/* Replaces a value, or removes it, or misspells or changes a key. */
static void mutate(test_random *random, cJSON *document)
{
    static const char *const values[] = {
        "null",     "true",     "0",  "-1",      "2.5", "\"\"",      "\"a\"",          "\"@rest\"",
        "\"file\"", "\"info\"", "[]", "[\"a\"]", "{}",  "\"bolts\"", "[\"a\", \"b\"]", "\"touches\""};
    static const char *const keys[] = {"a",       "b",  "pair",      "group", "same", "reason",
                                       "verdict", "id", "clearance", "depth", "state"};
    static gathered all;
    all.count = 0;
    gather(&all, document);
    size_t chosen = (size_t)random_below(random, (int)all.count);
    cJSON *item = all.items[chosen], *parent = all.parents[chosen];
    if (random_once_in(random, 5))
        cJSON_Delete(cJSON_DetachItemViaPointer(parent, item));
    else if (item->string != NULL && random_once_in(random, 4))
        cJSON_AddItemToObject(parent, keys[random_below(random, 11)], cJSON_Duplicate(item, 1));
    else if (item->string != NULL && random_once_in(random, 6))
        item->string[0]++;
    else if (item->string != NULL)
        cJSON_ReplaceItemInObjectCaseSensitive(parent, item->string, cJSON_Parse(values[random_below(random, 16)]));
    else
        cJSON_ReplaceItemViaPointer(parent, item, cJSON_Parse(values[random_below(random, 16)]));
}

/* Files that the reader accepts, the schema accepts; files that the schema refuses, the reader refuses. */
static void reader_and_schema_agree_about_changed_files(void **state)
{
    (void)state;
    test_random random = test_random_start("reader_and_schema_agree_about_changed_files", 5003);
    cJSON *schema = schema_load(GRAZE_SOURCE_PATH "/docs/rules.schema.json");
    int taken = 0, refused = 0, stricter = 0;
    char wrong[8192] = "";
    for (int round = 0; round < 500; round++)
    {
        cJSON *document = cJSON_Parse(everything);
        for (int i = random_below(&random, 2); i >= 0; i--)
            mutate(&random, document);
        char *text = cJSON_PrintUnformatted(document);
        bool fits = schema_accepts(schema, schema, document);
        graze_status status = load_bytes(text, strlen(text), NULL);
        if (status != GRAZE_STATUS_OK && status != GRAZE_STATUS_BAD_FORMAT)
            snprintf(wrong, sizeof wrong, "status %d for %s", (int)status, text);
        if (status == GRAZE_STATUS_OK && !fits)
            snprintf(wrong, sizeof wrong, "taken, but not by the schema: %s", text);
        taken += status == GRAZE_STATUS_OK;
        refused += !fits;
        stricter += status != GRAZE_STATUS_OK && fits;
        cJSON_free(text);
        cJSON_Delete(document);
    }
    if (wrong[0] != '\0')
        fail_msg("%s", wrong);
    printf("%d taken, %d refused by the schema too, %d by the reader alone\n", taken, refused, stricter);
    assert_true(taken > 50 && refused > 200 && stricter > 5 && stricter < refused);
    cJSON *good = cJSON_Parse(everything);
    assert_true(schema_accepts(schema, schema, good));
    assert_int_equal(load_bytes(everything, strlen(everything), NULL), GRAZE_STATUS_OK);
    cJSON_Delete(good);
    cJSON_Delete(schema);
}

static void cut_and_altered_bytes_do_no_harm(void **state)
{
    (void)state;
    test_random random = test_random_start("cut_and_altered_bytes_do_no_harm", 5004);
    const size_t size = sizeof everything - 1;
    static char bytes[sizeof everything];
    int taken = 0, refused = 0, wrong = 0;
    for (size_t i = 0; i < 300; i++)
    {
        bool cuts = i % 2 == 0;
        size_t kept = cuts ? i * (size - 2) / 300 : size;
        memcpy(bytes, everything, size);
        for (int k = random_below(&random, 2); k >= 0 && !cuts; k--)
            bytes[random_below(&random, (int)size)] = random_once_in(&random, 3)
                                                          ? (char)random_below(&random, 256)
                                                          : everything[random_below(&random, (int)size)];
        graze_status status = load_bytes(bytes, kept, NULL);
        if (cuts && status == GRAZE_STATUS_OK)
            wrong++;
        taken += status == GRAZE_STATUS_OK;
        refused += status != GRAZE_STATUS_OK;
    }
    assert_int_equal(wrong, 0);
    printf("%d taken, %d refused\n", taken, refused);
    assert_true(taken > 5 && refused > 200);
}

/* The example of the manual is valid. */
static void the_example_of_the_documents_is_taken(void **state)
{
    (void)state;
    static char text[1 << 15];
    FILE *file = fopen(GRAZE_SOURCE_PATH "/docs/clash-rules.md", "rb");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    char *start = strstr(text, "```json\n"), *end = start != NULL ? strstr(start + 8, "```") : NULL;
    assert_non_null(end);
    *end = '\0';
    assert_int_equal(load_bytes(start + 8, (size_t)(end - start - 8), NULL), GRAZE_STATUS_OK);
    cJSON *schema = schema_load(GRAZE_SOURCE_PATH "/docs/rules.schema.json"), *example = cJSON_Parse(start + 8);
    assert_true(schema_accepts(schema, schema, example));
    cJSON_Delete(example);
    cJSON_Delete(schema);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_fault_is_refused_with_its_place),
        cmocka_unit_test(several_sources_are_read_together),
        cmocka_unit_test(reader_and_schema_agree_about_changed_files),
        cmocka_unit_test(the_example_of_the_documents_is_taken),
        cmocka_unit_test(cut_and_altered_bytes_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
