/* SPDX-License-Identifier: MIT */
/* graze clash ignores just those pairs of a scene file that a scene made from it is not interested in: random objects
 * and rules of every kind, pair by pair. */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>

#include "clash_interest.h"
#include "scene_run.h"
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

/* Compares all pairs; gives how many are ignored. */
static size_t compare(const scene_run *run, const tool_inputs *inputs, const clash_interest *interest, size_t *counts)
{
    size_t ignored = 0, entry = 0;
    for (size_t a = 0; a < inputs->part_count; a++)
        for (size_t b = 0; b < inputs->part_count; b++)
        {
            if (a == b)
                continue;
            bool ignores = clash_interest_ignores(interest, a, b, &entry);
            assert_int_equal(ignores, !graze_interest_wants(run->scene, run->ids[inputs->parts[a].object],
                                                            run->ids[inputs->parts[b].object]));
            assert_true(!ignores || entry < clash_interest_count(interest));
            ignored += ignores;
            if (ignores)
                counts[entry]++;
        }
    return ignored;
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
        clash_interest *interest;
        tool_request request = {.console = &console};
        scene_run run = {.request = &request, .effort = {.context = graze_context_default()}};
        run.def = graze_scene_def_default();
        assert_int_equal(inputs_read(&console, NULL, (const char *const[]){"scene.json"}, 1, UNIT_NONE, &inputs), 0);
        assert_true(clash_interest_create(&inputs, &interest));
        assert_int_equal(scene_file_load(&console, "scene.json", &run.file), 0);
        assert_int_equal(scene_build(&run), 0);
        assert_int_equal(clash_interest_count(interest), entry_count);
        ignored += compare(&run, &inputs, interest, counts);
        pairs += OBJECTS * (OBJECTS - 1);
        motion_release(&run.motion);
        graze_scene_destroy(run.scene);
        free(run.ids);
        scene_file_release(&run.file);
        clash_interest_release(interest);
        inputs_release(&inputs);
    }
    printf("%zu of %zu pairs ignored\n", ignored, pairs);
    assert_true(ignored > pairs / 4 && ignored < 9 * pairs / 10);
    for (size_t i = 0; i < entry_count; i++) /* every way of ignoring was named */
        assert_true(counts[i] > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_a_scene_is_not_interested_in_is_ignored)};
    return cmocka_run_group_tests(tests, enter_temporary_directory, leave_temporary_directory);
}
