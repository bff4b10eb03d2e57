/* SPDX-License-Identifier: MIT */
/*
 * graze-lab: measures Graze against its peers on generated workloads. Prints, and writes JSON and plots; no pass or
 * fail.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "concurrent.h"
#include "continuous.h"
#include "literature/literature.h"
#include "methods.h"
#include "scene_workload.h"

static const lab_workload *const families[] = {lab_flights, lab_spheres, lab_shells,   lab_meshes,
                                               lab_mated,   lab_builds,  lab_distances};
static const lab_scene_workload *const scene_families[] = {lab_boxes, lab_cages, lab_primitives, lab_assemblies,
                                                           lab_crossovers};

static const char *const usage =
    "usage: graze-lab list\n"
    "       graze-lab run [WORKLOAD...] [--quick] [--peers NAME,...|contenders|all|none] [--seconds S]\n"
    "                     [--rounds N] [--json FILE] [--table FILE] [--plots FOLDER]\n"
    "       graze-lab concurrent [--quick] [--json FILE]\n"
    "       graze-lab methods [--json FILE]\n"
    "       graze-lab continuous [WORKLOAD] [--quick] [--json FILE] | --methods [--quick] | --plot FILE.svg\n"
    "       graze-lab literature [ID...] [--quick] [--json FILE] [--html FILE]\n"
    "\n"
    "Workloads and peers are named as `graze-lab list` prints them; * stands for anything. Without a name, all run.\n"
    "--quick     fewer poses, less time, the contenders among the peers, and without a name some workloads only\n"
    "--seconds   how long a pass of a slow engine over the poses may take: 1.5, or 0.2 with --quick\n"
    "--rounds    how often everything is run; each engine's best round counts, as noise comes in bursts: 1\n"
    "--table     writes Markdown\n"
    "`concurrent` measures the calls of an application while a detector runs in a thread of its own.\n"
    "`methods` lists the methods of the literature with their guarantees and costs, `literature` measures what the\n"
    "documents print again: 001/table-6, 001 or nothing (all) say which. `continuous` flies through time: from pose "
    "to\n"
    "pose, against pose by pose.\n";

typedef struct request
{
    lab_options options;
    const char *json, *table, *plots;
    char **patterns;
    int pattern_count;
    long rounds;
} request;

/* The questions of a workload that a pattern selects. */
static unsigned wanted_questions(const lab_workload *workload, const request *wanted)
{
    bool left_out = wanted->options.quick && workload->not_quick;
    unsigned questions = wanted->pattern_count == 0 && !left_out ? workload->questions : 0;
    for (int i = 0; i < LAB_QUESTION_COUNT; i++)
    {
        char name[96];
        lab_workload_name(workload, lab_questions[i], name);
        for (int k = 0; k < wanted->pattern_count && (workload->questions & lab_questions[i]) != 0; k++)
        {
            if (lab_matches(wanted->patterns[k], name) || lab_matches(wanted->patterns[k], workload->name))
                questions |= lab_questions[i];
        }
    }
    return questions;
}

static bool is_wanted_scene(const lab_scene_workload *workload, const request *wanted)
{
    bool found = wanted->pattern_count == 0 && !(wanted->options.quick && workload->not_quick);
    for (int k = 0; k < wanted->pattern_count; k++)
        found = found || lab_matches(wanted->patterns[k], workload->name);
    return found;
}

static void list_scenes(void)
{
    printf("scene workloads\n");
    for (size_t f = 0; f < sizeof scene_families / sizeof scene_families[0]; f++)
    {
        for (const lab_scene_workload *workload = scene_families[f]; workload->name != NULL; workload++)
            printf("  %-26s %s\n", workload->name, workload->what);
    }
    printf("engines for scene workloads\n");
    const lab_scene_peer *peer;
    for (size_t i = 0; (peer = lab_scene_peer_at(i)) != NULL; i++)
        printf("  %-26s %s\n", peer->name, peer->what);
}

static int list(void)
{
    printf("workloads of two meshes\n");
    for (size_t f = 0; f < sizeof families / sizeof families[0]; f++)
    {
        for (const lab_workload *workload = families[f]; workload->name != NULL; workload++)
        {
            for (int i = 0; i < LAB_QUESTION_COUNT; i++)
            {
                char name[96];
                lab_workload_name(workload, lab_questions[i], name);
                if ((workload->questions & lab_questions[i]) != 0)
                    printf("  %-26s %s\n", name, workload->what);
            }
        }
    }
    printf("peers for two meshes\n");
    const lab_peer *peer;
    for (size_t i = 0; (peer = lab_peer_at(i)) != NULL; i++)
        printf("  %-26s %s\n", peer->name, peer->what);
    list_scenes();
    return 0;
}

/* Returns how many ran; *done becomes false when one failed. */
static size_t run_scenes(const request *wanted, lab_report *report, bool *done)
{
    size_t ran = 0;
    for (size_t f = 0; f < sizeof scene_families / sizeof scene_families[0]; f++)
    {
        for (const lab_scene_workload *workload = scene_families[f]; workload->name != NULL; workload++)
        {
            if (!is_wanted_scene(workload, wanted))
                continue;
            *done = lab_run_scene(workload, &wanted->options, report) && *done;
            ran++;
        }
    }
    return ran;
}

/* The same for all workloads. */
static size_t run_round(const request *wanted, lab_report *report, bool *done)
{
    size_t ran = 0;
    for (size_t f = 0; f < sizeof families / sizeof families[0]; f++)
    {
        for (const lab_workload *workload = families[f]; workload->name != NULL; workload++)
        {
            unsigned questions = wanted_questions(workload, wanted);
            if (questions == 0)
                continue;
            *done = lab_run_workload(workload, questions, &wanted->options, report) && *done;
            ran++;
        }
    }
    return ran + run_scenes(wanted, report, done);
}

static int run(const request *wanted)
{
    lab_report report = {0};
    bool done = true;
    size_t ran = 0;
    printf("One thread; the best of several passes over the whole sequence of poses or frames, in CPU time of this "
           "process.\n");
    for (long round = 0; round < wanted->rounds; round++)
        ran += run_round(wanted, &report, &done);
    if (ran == 0)
        fprintf(stderr, "graze-lab: no workload has that name; `graze-lab list` says which there are\n");
    else
        lab_report_print_summary(&report);
    if (wanted->json != NULL)
        done = lab_report_write_json(&report, wanted->json) && done;
    if (wanted->table != NULL)
        done = lab_report_write_table(&report, wanted->table) && done;
    if (wanted->plots != NULL)
        done = lab_report_write_plots(&report, wanted->plots) && done;
    lab_report_clear(&report);
    return done && ran > 0 ? 0 : 1;
}

static int refuse(const char *why, const char *what)
{
    fprintf(stderr, "graze-lab: %s%s\n%s", why, what, usage);
    return 2;
}

/* The variable of an option's value; NULL for an option without a value. */
static const char **find_value(request *wanted, const char **seconds, const char **rounds, const char *option)
{
    const struct
    {
        const char *name;
        const char **value;
    } options[] = {{"--peers", &wanted->options.peers}, {"--seconds", seconds},      {"--rounds", rounds},
                   {"--json", &wanted->json},           {"--table", &wanted->table}, {"--plots", &wanted->plots}};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
    {
        if (strcmp(option, options[i].name) == 0)
            return options[i].value;
    }
    return NULL;
}

static int run_with(int argument_count, char **arguments)
{
    request wanted = {.patterns = arguments};
    const char *seconds = NULL, *rounds = NULL;
    for (int i = 0; i < argument_count; i++)
    {
        const char *argument = arguments[i], **value = find_value(&wanted, &seconds, &rounds, argument);
        if (value != NULL && i + 1 == argument_count)
            return refuse("something must follow after ", argument);
        if (value != NULL)
            *value = arguments[++i];
        else if (strcmp(argument, "--quick") == 0)
            wanted.options.quick = true;
        else if (argument[0] == '-')
            return refuse("no such option: ", argument);
        else
            wanted.patterns[wanted.pattern_count++] = arguments[i];
    }
    char *end = NULL;
    wanted.options.seconds = seconds != NULL ? strtod(seconds, &end) : 0;
    if (seconds != NULL && (*end != '\0' || !(wanted.options.seconds > 0) || !(wanted.options.seconds < 1e6)))
        return refuse("--seconds takes a number above 0, not ", seconds);
    wanted.rounds = rounds != NULL ? strtol(rounds, &end, 10) : 1;
    if (rounds != NULL && (*end != '\0' || wanted.rounds < 1 || wanted.rounds > 1000))
        return refuse("--rounds takes a whole number from 1 to 1000, not ", rounds);
    return run(&wanted);
}

static int run_concurrent(int argument_count, char **arguments)
{
    bool quick = false;
    const char *json = NULL;
    for (int i = 0; i < argument_count; i++)
    {
        if (strcmp(arguments[i], "--quick") == 0)
            quick = true;
        else if (strcmp(arguments[i], "--json") == 0 && i + 1 < argument_count)
            json = arguments[++i];
        else
            return refuse("no such option: ", arguments[i]);
    }
    return lab_concurrent(quick, json);
}

int main(int argument_count, char **arguments)
{
    if (argument_count == 2 && strcmp(arguments[1], "list") == 0)
        return list();
    if (argument_count == 2 && strcmp(arguments[1], "--help") == 0)
        return printf("%s", usage) < 0;
    if (argument_count >= 2 && strcmp(arguments[1], "concurrent") == 0)
        return run_concurrent(argument_count - 2, arguments + 2);
    if (argument_count >= 2 && strcmp(arguments[1], "methods") == 0)
        return lab_methods(argument_count - 2, arguments + 2);
    if (argument_count >= 2 && strcmp(arguments[1], "continuous") == 0)
        return lab_continuous(argument_count - 2, arguments + 2);
    if (argument_count >= 2 && strcmp(arguments[1], "literature") == 0)
        return lab_literature(argument_count - 2, arguments + 2);
    if (argument_count < 2 || strcmp(arguments[1], "run") != 0)
        return refuse("say `list`, `run`, `concurrent`, `methods`, `continuous` or `literature`", "");
    return run_with(argument_count - 2, arguments + 2);
}
