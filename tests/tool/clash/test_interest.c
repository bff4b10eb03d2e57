/* SPDX-License-Identifier: MIT */
/* graze clash ignores exactly those pairs of a scene file that a scene made from it excludes: random objects and rules
 * of every kind, pair by pair. */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>

#include "clash/assembly.h"
#include "clash/engine.h"
#include "clash/hierarchy.h"
#include "clash/interest.h"
#include "clash/part_kinds.h"
#include "clash/parts.h"
#include "scene/run.h"
#include "support/random.h"
#include "support/tool_process.h"
#include "support/unit.h"

enum
{
    OBJECTS = 12,
    RULES = 5
};

static const tool_console console = {0};
static const char *const words[] = {"none", "any", "only"};
static const char *const layers[] = {"default", "k", "l"};

static void put_object(FILE *file, test_random *random, int i)
{
    fprintf(file, "%s{\"name\": \"o%d\", \"mesh\": \"m\", \"layer\": \"%s\"", i > 0 ? "," : "", i,
            layers[random_below(random, 3)]);
    if (random_once_in(random, 3))
        fprintf(file, ", \"static\": true");
    if (random_once_in(random, 4))
        fprintf(file, ", \"sensor\": true");
    if (random_once_in(random, 4))
        fprintf(file, ", \"assembly\": \"q%d\"", random_below(random, 2));
    if (i > 0 && random_once_in(random, 3))
        fprintf(file, ", \"parent\": \"o%d\"", random_below(random, i));
    fprintf(file, "}");
}

static void put_rules(FILE *file, test_random *random)
{
    fprintf(file, "\"interest\": {\"default\": \"%s\", \"neighbours\": \"%s\", \"pairs\": [",
            words[random_below(random, 2)], words[random_below(random, 2)]);
    for (int i = 0; i < RULES; i++)
    {
        int a = random_below(random, OBJECTS), b = (a + random_between(random, 1, OBJECTS - 1)) % OBJECTS;
        fprintf(file, "%s[\"o%d\", \"o%d\", \"%s\"]", i > 0 ? "," : "", a, b, words[random_below(random, 2)]);
    }
    fprintf(file, "], \"objects\": [");
    for (int i = 0; i < 3; i++)
        fprintf(file, "%s[\"o%d\", \"%s\"]", i > 0 ? "," : "", random_below(random, OBJECTS),
                words[random_below(random, 3)]);
    fprintf(file, "], \"layers\": [");
    for (int i = 0; i < 3; i++)
        fprintf(file, "%s[\"%s\", \"%s\", \"%s\"]", i > 0 ? "," : "", layers[random_below(random, 3)],
                layers[random_below(random, 3)], words[random_below(random, 2)]);
    fprintf(file, "]}");
}

static void write_scene(test_random *random)
{
    FILE *file = fopen("scene.json", "w");
    assert_non_null(file);
    fprintf(file, "{\"graze\": \"scene\", \"version\": 1, \"layers\": [\"k\", \"l\"], ");
    fprintf(file, "\"meshes\": {\"m\": {\"shape\": \"box\"}}, \"objects\": [");
    for (int i = 0; i < OBJECTS; i++)
        put_object(file, random, i);
    fprintf(file, "], ");
    put_rules(file, random);
    fprintf(file, "}\n");
    assert_int_equal(fclose(file), 0);
}

/* Compares all pairs; returns how many are ignored. */
static size_t compare(const scene_run *run, const tool_inputs *inputs, const grz_clash_interest *interest,
                      size_t *counts)
{
    size_t ignored = 0, entry = 0;
    for (size_t a = 0; a < inputs->part_count; a++)
        for (size_t b = 0; b < inputs->part_count; b++)
        {
            if (a == b)
                continue;
            bool ignores = grz_clash_interest_ignores(interest, a, b, &entry);
            assert_int_equal(ignores, !graze_interest_wants(run->scene, run->ids[inputs->parts[a].object],
                                                            run->ids[inputs->parts[b].object]));
            assert_true(!ignores || entry < grz_clash_interest_count(interest));
            ignored += ignores;
            if (ignores)
                counts[entry]++;
        }
    return ignored;
}

static void take_scenes(const clash_assembly *assembly, graze_clash_options *options)
{
    options->members = assembly->members;
    options->scenes = assembly->scenes;
    options->scene_count = assembly->scene_count;
}

static void what_a_scene_is_not_interested_in_is_ignored(void **state)
{
    (void)state;
    test_random random = test_random_start("what_a_scene_is_not_interested_in_is_ignored", 404);
    const size_t entry_count = RULES + 3 + 3 + 5;
    size_t ignored = 0, pairs = 0, counts[64] = {0};
    for (int n = 0; n < 150; n++)
    {
        write_scene(&random);
        tool_inputs inputs;
        grz_clash_interest *interest;
        tool_request request = {.console = &console};
        scene_run run = {.request = &request, .execution = {.context = graze_context_default()}};
        run.def = graze_scene_def_default();
        assert_int_equal(inputs_read(&console, NULL, (const char *const[]){"scene.json"}, 1, UNIT_NONE, &inputs), 0);
        clash_assembly assembly;
        graze_clash_options options = graze_clash_options_default();
        assert_true(clash_assembly_make(&inputs, &assembly));
        take_scenes(&assembly, &options);
        assert_true(grz_clash_interest_create(NULL, &options, assembly.part_count, &interest));
        assert_int_equal(scene_file_load(&console, "scene.json", &run.file), 0);
        assert_int_equal(scene_build(&run), 0);
        assert_int_equal(grz_clash_interest_count(interest), entry_count);
        ignored += compare(&run, &inputs, interest, counts);
        pairs += OBJECTS * (OBJECTS - 1);
        motion_release(&run.motion);
        graze_scene_destroy(run.scene);
        free(run.ids);
        scene_file_release(&run.file);
        grz_clash_interest_release(NULL, interest);
        clash_assembly_release(&assembly);
        inputs_release(&inputs);
    }
    printf("%zu of %zu pairs ignored\n", ignored, pairs);
    assert_true(ignored > pairs / 4 && ignored < 9 * pairs / 10);
    for (size_t i = 0; i < entry_count; i++) /* every kind of entry was used */
        assert_true(counts[i] > 0);
}

/* --- counts by kinds and sets --- */

static const char *pattern(test_random *random, char out[16])
{
    static const char *const some[] = {"*", "o1*", "*1", "o?", "@g", "*"};
    int which = random_below(random, 8);
    if (which < 6)
        return some[which];
    snprintf(out, 16, "o%d", random_below(random, OBJECTS));
    return out;
}

/* Rules of every kind; severities show which pairs of a set count. */
static void write_rules(test_random *random)
{
    char a[16], b[16];
    FILE *file = fopen("rules.json", "w");
    assert_non_null(file);
    fputs("{\"graze\": \"rules\", \"version\": 1, \"groups\": {\"g\": [\"o2\", \"*3\", \"o1?\"]}, \"ignore\": [", file);
    int count = random_below(random, 4);
    for (int i = 0; i < count; i++)
        fprintf(file, "%s{\"a\": \"%s\", \"b\": \"%s\", \"reason\": \"r\"}", i > 0 ? ", " : "", pattern(random, a),
                random_once_in(random, 2) ? pattern(random, b) : "o4");
    static const char *const relations[] = {"same\": \"file", "same\": \"assembly", "same\": \"parent",
                                            "linked\": \"parent"};
    for (int i = 0; i < 4; i++)
        if (random_once_in(random, 6))
            fprintf(file, "%s{\"%s\", \"reason\": \"r\"}", count++ > 0 ? ", " : "", relations[i]);
    fputs("], \"severity\": [", file);
    for (int i = 0; i < 3; i++)
        fprintf(file, "%s{\"a\": \"%s\", \"b\": \"%s\", \"severity\": \"%s\"}", i > 0 ? ", " : "", pattern(random, a),
                pattern(random, b), graze_clash_severity_name((graze_clash_severity)random_below(random, 4)));
    fputs("]}", file);
    assert_int_equal(fclose(file), 0);
}

/* Counts by enumerating all pairs; joins[i] is the smallest part that wanted pairs connect with i. */
typedef struct plain_counts
{
    uint64_t ignored[128], all_ignored, asked;
    size_t joins[OBJECTS];
    graze_clash_severity severities[OBJECTS]; /* by smallest part */
} plain_counts;

static void join(plain_counts *plain, size_t a, size_t b, graze_clash_severity severity)
{
    size_t x = plain->joins[a], y = plain->joins[b], least = x < y ? x : y;
    graze_clash_severity most =
        plain->severities[x] > plain->severities[y] ? plain->severities[x] : plain->severities[y];
    for (size_t i = 0; i < OBJECTS; i++)
        if (plain->joins[i] == x || plain->joins[i] == y)
            plain->joins[i] = least;
    plain->severities[least] = severity > most ? severity : most;
}

static plain_counts count_plainly(const grz_clash_request *request)
{
    plain_counts plain = {0};
    size_t entry;
    for (size_t i = 0; i < OBJECTS; i++)
        plain.joins[i] = i;
    for (size_t a = 0; a < request->part_count; a++)
        for (size_t b = a + 1; b < request->part_count; b++)
        {
            if (!grz_clash_is_possible(&request->parts[a], &request->parts[b]))
                continue;
            bool ignored = grz_clash_is_ignored(request, a, b, &entry);
            plain.all_ignored += ignored;
            plain.asked += !ignored;
            if (ignored)
                plain.ignored[entry]++;
            else
                join(&plain, a, b, grz_clash_rules_limits(request->rules, a, b).severity[GRAZE_CLASH_DUPLICATE]);
        }
    return plain;
}

/* All parts are at the same place: sets of duplicates are the connected wanted pairs. Returns their number. */
static size_t compare_sets(const graze_clash_report *report, const plain_counts *plain)
{
    size_t sets = 0;
    for (size_t i = 0; i < OBJECTS; i++)
        for (size_t k = i + 1; k < OBJECTS; k++)
            if (plain->joins[i] == i && plain->joins[k] == i)
            {
                sets++;
                break;
            }
    assert_int_equal(report->finding_count, sets);
    for (size_t i = 0; i < sets; i++)
    {
        const graze_clash_finding *f = &report->findings[i];
        size_t least = plain->joins[f->set[0]], size = 0;
        for (size_t k = 0; k < OBJECTS; k++)
            size += plain->joins[k] == least;
        assert_int_equal(f->set_count, size);
        for (size_t k = 0; k < f->set_count; k++)
            assert_int_equal(plain->joins[f->set[k]], least);
        assert_int_equal(f->severity, plain->severities[least]);
    }
    return sets;
}

static graze_clash_rules *read_rules(void)
{
    static char text[4096];
    FILE *file = fopen("rules.json", "rb");
    assert_non_null(file);
    graze_clash_source source = {"rules.json", text, fread(text, 1, sizeof text, file)};
    fclose(file);
    graze_clash_rules *book = NULL;
    assert_int_equal(graze_clash_rules_create(NULL, &source, 1, NULL, &book), GRAZE_STATUS_OK);
    return book;
}

static size_t check_counts(test_random *random)
{
    tool_inputs inputs;
    clash_assembly assembly;
    grz_clash_parts parts;
    grz_clash_interest *interest;
    grz_clash_kinds kinds;
    graze_clash_options options = graze_clash_options_default();
    graze_context context = graze_context_default();
    const char *const sets[] = {"*", "o*", "*1", "o1*"};
    bool chooses = random_once_in(random, 2);
    const char *a = chooses ? sets[random_below(random, 4)] : NULL, *b = chooses ? sets[random_below(random, 4)] : NULL;
    assert_int_equal(inputs_read(&console, NULL, (const char *const[]){"scene.json"}, 1, UNIT_NONE, &inputs), 0);
    assert_true(clash_assembly_make(&inputs, &assembly));
    take_scenes(&assembly, &options);
    options.set_a = a;
    options.set_b = b;
    assert_int_equal(grz_clash_parts_make(&context, assembly.parts, assembly.part_count, &options, NULL, &parts), 0);
    assert_true(grz_clash_find_hierarchy(&context, options.members, parts.parts, parts.count));
    for (size_t i = 0; i < parts.count; i++) /* commons that no scene would have together */
    {
        static const char *const paths[] = {"", "p", "q", "r"};
        parts.parts[i].parent = paths[random_below(random, 4)];
        parts.parts[i].file = paths[1 + random_below(random, 2)];
        if (random_once_in(random, 2))
            parts.parts[i].assembly = (uint32_t)random_below(random, 4);
    }
    assert_true(grz_clash_interest_create(&context, &options, parts.count, &interest));
    graze_clash_rules *book = read_rules();
    grz_clash_rules *rules = grz_clash_rules_make(&context, book, &options.tolerances);
    assert_true(rules != NULL && grz_clash_rules_prepare(rules, parts.parts, parts.count));
    grz_clash_request request = {.context = &context,
                                 .parts = parts.parts,
                                 .part_count = parts.count,
                                 .owner = &parts,
                                 .rules = rules,
                                 .interest = interest};
    plain_counts plain = count_plainly(&request);
    graze_clash_ignored ignored[128] = {{0}};
    assert_true(grz_clash_kinds_make(&request, &kinds));
    uint64_t all_ignored = 0;
    assert_true(grz_clash_kinds_count_ignored(&kinds, &request, ignored, &all_ignored));
    assert_int_equal(all_ignored, plain.all_ignored);
    for (size_t i = 0; i < 128; i++)
        assert_int_equal(ignored[i].count, plain.ignored[i]);
    graze_clash_report report = {.parts = assembly.parts, .part_count = assembly.part_count};
    assert_int_equal(grz_clash_find(&request, &report), 0);
    assert_int_equal(report.counts.pairs_tested, plain.asked);
    assert_int_equal(report.counts.pairs_possible, plain.asked + plain.all_ignored);
    assert_int_equal(report.counts.pairs_culled, 0);
    size_t found = compare_sets(&report, &plain);
    grz_clash_report_release(&context, &report);
    grz_clash_kinds_release(&context, &kinds);
    grz_clash_rules_release(rules);
    graze_clash_rules_destroy(book);
    grz_clash_interest_release(&context, interest);
    grz_clash_parts_release(&context, &parts);
    clash_assembly_release(&assembly);
    inputs_release(&inputs);
    return found;
}

static void counts_by_kinds_and_sets_are_those_of_a_walk_through_all_pairs(void **state)
{
    (void)state;
    test_random random = test_random_start("counts_by_kinds_and_sets_are_those_of_a_walk_through_all_pairs", 50);
    size_t sets = 0, several = 0;
    for (int n = 0; n < 300; n++)
    {
        write_scene(&random);
        write_rules(&random);
        size_t found = check_counts(&random);
        sets += found;
        several += found > 1;
    }
    printf("%zu sets, %zu times several\n", sets, several);
    assert_true(sets > 150 && several > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_scene_is_not_interested_in_is_ignored),
        cmocka_unit_test(counts_by_kinds_and_sets_are_those_of_a_walk_through_all_pairs)};
    return cmocka_run_group_tests(tests, enter_temporary_directory, leave_temporary_directory);
}
