/* SPDX-License-Identifier: MIT */
/* graze path: one answer per pose. Times are taken around each query alone, in the process, without reading. */
#define _POSIX_C_SOURCE 200809L

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "effort.h"
#include "graze/batch.h"
#include "json.h"
#include "load.h"
#include "numbers.h"
#include "poses.h"
#include "words.h"

enum
{
    OPTION_COUNT,
    OPTION_TIME,
    OPTION_REPEAT,
    OPTION_THREADS,
    OPTION_BUDGET,
    OPTION_STATS,
    OPTION_JSON
};

enum
{
    BATCH = 4096 /* poses answered at a time with several threads */
};

/* Stands for a number of pairs that is not known. */
#define UNKNOWN UINT64_MAX

typedef struct path_run
{
    const tool_request *request;
    graze_model *models[2];
    graze_tree *trees[2];
    pose_pair *poses;
    size_t pose_count;
    uint64_t passes;
    bool counts, times, json;
    tool_effort effort;
    graze_stats stats; /* of the first pass */

    uint64_t *pairs;      /* by pose; 0 or 1 unless counted, or UNKNOWN */
    uint64_t *times_now;  /* of the pass at hand, by pose */
    uint64_t *times_best; /* of the quickest pass */
    uint64_t total_best;  /* its sum */
    uint64_t hits, unknown, answered;
    struct path_step *step; /* room for the answers at hand */
    uint64_t next_progress; /* when to show it, on clock_now */
    bool shows_progress;
} path_run;

static const uint64_t second = UINT64_C(1000000000);

static graze_placed_mesh place(const path_run *run, int side, const graze_pose *pose)
{
    return (graze_placed_mesh){graze_model_mesh(run->models[side]), run->trees[side], *pose};
}

/* One pose. When its time is up the answer is UNKNOWN, and that is no failure. */
static graze_status ask(const path_run *run, size_t pose, graze_stats *stats, uint64_t *out_pairs)
{
    graze_placed_mesh a = place(run, 0, &run->poses[pose].a), b = place(run, 1, &run->poses[pose].b);
    graze_pair_options options = graze_pair_options_default();
    options.budget = run->effort.budget;
    options.stats = stats;
    bool found = false;
    graze_pair_counts counts = {0, 0, 0, 0};
    graze_status status = run->counts ? graze_pair_count(&run->effort.context, &a, &b, &options, &counts)
                                      : graze_pair_any(&run->effort.context, &a, &b, &options, &found, NULL);
    *out_pairs = status == GRAZE_STATUS_UNFINISHED ? UNKNOWN : run->counts ? counts.pairs : found;
    return status == GRAZE_STATUS_UNFINISHED ? GRAZE_STATUS_OK : status;
}

/* What one pose, or several at once, came to. */
typedef struct path_step
{
    size_t first, count;
    uint64_t ns;
    uint64_t pairs[BATCH];
    bool found[BATCH]; /* what the pairs are made from */
    graze_pair_counts counts[BATCH];
} path_step;

/* Many poses at once, shared out among the threads. */
static graze_status ask_many(const path_run *run, graze_stats *stats, path_step *step)
{
    const pose_pair *poses = run->poses + step->first;
    graze_placed_mesh a = place(run, 0, &poses->a), b = place(run, 1, &poses->b);
    graze_pose_batch batch = {&poses->a, &poses->b, sizeof *poses, sizeof *poses, step->count};
    graze_pair_options options = graze_pair_options_default();
    options.stats = stats;
    const graze_context *context = &run->effort.context;
    graze_status status = run->counts ? graze_pair_count_batch(context, &a, &b, &batch, &options, NULL, step->counts)
                                      : graze_pair_any_batch(context, &a, &b, &batch, &options, NULL, step->found);
    for (size_t i = 0; status == GRAZE_STATUS_OK && i < step->count; i++)
        step->pairs[i] = run->counts ? step->counts[i].pairs : step->found[i];
    return status;
}

static void show_progress(path_run *run, uint64_t pass, size_t pose)
{
    if (!run->shows_progress || clock_now() < run->next_progress)
        return;
    run->next_progress = clock_now() + second / 4;
    double share = ((double)pass + (double)pose / (double)run->pose_count) / (double)run->passes;
    fprintf(stderr, "\r%5.1f %%  pose %zu of %zu, pass %" PRIu64 " of %" PRIu64 " ", 100.0 * share, pose,
            run->pose_count, pass + 1, run->passes);
    fflush(stderr);
}

static void clear_progress(const path_run *run)
{
    if (run->shows_progress)
        fputs("\r\033[K", stderr);
}

static void say_answer(const path_run *run, size_t pose)
{
    if (run->pairs[pose] == UNKNOWN)
        printf(run->counts ? "%zu ? ?\n" : "%zu ?\n", pose);
    else if (run->counts)
        printf("%zu %d %" PRIu64 "\n", pose, run->pairs[pose] > 0, run->pairs[pose]);
    else
        printf("%zu %d\n", pose, run->pairs[pose] > 0);
}

static exit_code fail(const path_run *run, size_t pose, graze_status status)
{
    clear_progress(run);
    exit_code code = run->answered > 0 && status == GRAZE_STATUS_OUT_OF_MEMORY ? EXIT_INCOMPLETE : exit_code_of(status);
    return complain(run->request->console, code, "pose %zu: %s; %" PRIu64 " of %zu poses were answered", pose,
                    graze_status_text(status), run->answered, run->pose_count);
}

static graze_status take_step(const path_run *run, size_t pose, graze_stats *stats, path_step *step)
{
    bool many = run->effort.threads > 1 && !(run->effort.budget.seconds > 0);
    size_t left = run->pose_count - pose;
    step->first = pose;
    step->count = !many ? 1 : left < BATCH ? left : BATCH;
    uint64_t start = clock_now();
    graze_status status = many ? ask_many(run, stats, step) : ask(run, pose, stats, step->pairs);
    step->ns = clock_now() - start;
    return status;
}

static void add_stats(graze_stats *sum, const graze_stats *more)
{
    sum->box_tests += more->box_tests;
    sum->leaf_pairs += more->leaf_pairs;
    sum->triangle_tests += more->triangle_tests;
    sum->exact_signs += more->exact_signs;
}

/* The first pass keeps and prints the answers; later ones are for the clock, and must agree, but where time was up. */
static bool keep_answer(path_run *run, uint64_t pass, size_t pose, uint64_t pairs)
{
    if (pass > 0)
        return pairs == run->pairs[pose] || pairs == UNKNOWN || run->pairs[pose] == UNKNOWN;
    run->pairs[pose] = pairs;
    run->hits += pairs > 0 && pairs != UNKNOWN;
    run->unknown += pairs == UNKNOWN;
    run->answered++;
    if (!run->json)
        say_answer(run, pose);
    return true;
}

static exit_code run_pass(path_run *run, uint64_t pass)
{
    path_step *step = run->step;
    uint64_t total = 0;
    for (size_t pose = 0; pose < run->pose_count && !console_is_broken(); pose += step->count)
    {
        graze_stats stats = {0};
        graze_status status = take_step(run, pose, &stats, step);
        total += step->ns;
        if (pass == 0)
            add_stats(&run->stats, &stats);
        for (size_t i = 0; status == GRAZE_STATUS_OK && i < step->count; i++)
        {
            run->times_now[pose + i] = step->ns / step->count;
            if (!keep_answer(run, pass, pose + i, step->pairs[i]))
                status = GRAZE_STATUS_INTERNAL;
        }
        if (status != GRAZE_STATUS_OK)
            return fail(run, pose, status);
        show_progress(run, pass, pose);
    }
    if (pass == 0 || total < run->total_best)
    {
        uint64_t *best = run->times_now;
        run->times_now = run->times_best;
        run->times_best = best;
        run->total_best = total;
    }
    return 0;
}

typedef struct time_summary
{
    double min, mean, median, p99;
} time_summary;

static int compare_times(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The 99th percentile is the smallest time that at least 99 of 100 queries stay within. */
static time_summary summarize(path_run *run)
{
    uint64_t *times = run->times_best;
    size_t count = run->pose_count;
    qsort(times, count, sizeof *times, compare_times);
    size_t rank = count - count / 100;
    return (time_summary){.min = (double)times[0],
                          .mean = (double)run->total_best / (double)count,
                          .median = ((double)times[(count - 1) / 2] + (double)times[count / 2]) / 2.0,
                          .p99 = (double)times[rank - 1]};
}

static void write_times(json_writer *json, const time_summary *times)
{
    json_key(json, "ns");
    json_open(json, JSON_OBJECT);
    json_key(json, "min");
    json_real(json, times->min);
    json_key(json, "mean");
    json_real(json, times->mean);
    json_key(json, "median");
    json_real(json, times->median);
    json_key(json, "p99");
    json_real(json, times->p99);
    json_close(json);
}

static void write_known(json_writer *json, uint64_t pairs, uint64_t count)
{
    if (pairs == UNKNOWN)
        json_null(json);
    else
        json_count(json, count);
}

static void write_json(path_run *run)
{
    json_writer json = json_start(stdout);
    json_open(&json, JSON_OBJECT_LINES);
    json_key(&json, "queries");
    json_count(&json, run->pose_count);
    json_key(&json, "hits");
    json_count(&json, run->hits);
    json_key(&json, "collide");
    json_open(&json, JSON_ARRAY);
    for (size_t pose = 0; pose < run->pose_count; pose++)
        write_known(&json, run->pairs[pose], run->pairs[pose] > 0);
    json_close(&json);
    if (run->counts)
    {
        json_key(&json, "pairs");
        json_open(&json, JSON_ARRAY);
        for (size_t pose = 0; pose < run->pose_count; pose++)
            write_known(&json, run->pairs[pose], run->pairs[pose]);
        json_close(&json);
    }
    if (run->effort.budget.seconds > 0)
    {
        json_key(&json, "unknown");
        json_count(&json, run->unknown);
    }
    if (run->request->values[OPTION_STATS] != NULL)
        write_stats(&json, &run->stats);
    time_summary times = summarize(run);
    write_times(&json, &times);
    json_key(&json, "passes");
    json_count(&json, run->passes);
    json_close(&json);
}

static void say_times(path_run *run)
{
    time_summary times = summarize(run);
    remark(run->request->console, "%s, %s; time per query: min %s, mean %s, median %s, p99 %s (best of %s pass%s)",
           counted(run->pose_count, "pose").text, counted(run->hits, "hit").text, human_time(times.min).text,
           human_time(times.mean).text, human_time(times.median).text, human_time(times.p99).text,
           grouped(run->passes).text, run->passes == 1 ? "" : "es");
}

static void say_stats(const path_run *run)
{
    remark(run->request->console, "cost of all poses: %s, %s, %s, %s", counted(run->stats.box_tests, "box test").text,
           counted(run->stats.leaf_pairs, "leaf pair").text, counted(run->stats.triangle_tests, "triangle test").text,
           counted(run->stats.exact_signs, "exact sign").text);
}

static exit_code read_options(path_run *run)
{
    const tool_request *request = run->request;
    const char *repeat = request->values[OPTION_REPEAT];
    run->counts = request->values[OPTION_COUNT] != NULL;
    run->times = request->values[OPTION_TIME] != NULL || repeat != NULL;
    run->json = request->values[OPTION_JSON] != NULL;
    run->shows_progress = isatty(STDERR_FILENO) == 1 && (run->json || isatty(STDOUT_FILENO) != 1);
    run->next_progress = clock_now() + second;
    run->passes = 1;
    if (repeat != NULL && (!parse_count(repeat, &run->passes) || run->passes == 0))
        return complain(request->console, EXIT_USAGE, "--repeat takes a number of passes from 1, not '%s'", repeat);
    return effort_open(request->console, request->values[OPTION_THREADS], request->values[OPTION_BUDGET], &run->effort);
}

static exit_code load_everything(path_run *run)
{
    const tool_request *request = run->request;
    exit_code code = 0;
    for (int side = 0; side < 2 && code == 0; side++)
    {
        code = load_model(request->console, request->arguments[side], &run->models[side]);
        if (code == 0)
            code = build_tree(request->console, &run->effort.context, run->models[side], &run->trees[side]);
    }
    if (code == 0)
        code = load_poses(request->console, request->arguments[2], &run->poses, &run->pose_count);
    if (code != 0)
        return code;
    run->pairs = calloc(run->pose_count, sizeof *run->pairs);
    run->times_now = calloc(run->pose_count, sizeof *run->times_now);
    run->times_best = calloc(run->pose_count, sizeof *run->times_best);
    run->step = malloc(sizeof *run->step);
    if (run->step == NULL || run->pairs == NULL || run->times_now == NULL || run->times_best == NULL)
        return complain(request->console, EXIT_INTERNAL, "out of memory for the answers");
    return 0;
}

static exit_code end_path(path_run *run)
{
    clear_progress(run);
    if (run->json)
        write_json(run);
    else if (run->times && !console_is_broken())
        say_times(run);
    if (!run->json && run->request->values[OPTION_STATS] != NULL && !console_is_broken())
        say_stats(run);
    if (run->hits > 0)
        return EXIT_FOUND;
    if (run->unknown > 0)
        return complain(run->request->console, EXIT_INCOMPLETE, "the time was up for %s",
                        counted(run->unknown, "pose").text);
    return EXIT_NOTHING_FOUND;
}

static exit_code run_path(const tool_request *request)
{
    path_run run = {.request = request};
    exit_code code = read_options(&run);
    if (code == 0)
        code = load_everything(&run);
    for (uint64_t pass = 0; code == 0 && pass < run.passes && !console_is_broken(); pass++)
        code = run_pass(&run, pass);
    if (code == 0)
        code = end_path(&run);
    free(run.step);
    free(run.pairs);
    free(run.times_now);
    free(run.times_best);
    free(run.poses);
    for (int side = 0; side < 2; side++)
    {
        graze_tree_destroy(run.trees[side]);
        graze_model_destroy(run.models[side]);
    }
    effort_close(&run.effort);
    return code;
}

static const tool_argument arguments[] = {
    {"A", "A mesh file: STL, OBJ, PLY or OFF, also gzip-compressed; - is standard input."},
    {"B", "Another, or the same."},
    {"POSES", "A text file, one pose a line: 12 numbers, the rows of B's 3x4 matrix [R|t] (A then stands as its file "
              "says), or 24, A's matrix and then B's. Numbers are separated by blanks or commas; # begins a comment; "
              "- is standard input."},
};

static const tool_option options[] = {
    [OPTION_COUNT] = {.name = "count", .help = "Count the pairs of triangles that meet, instead of stopping at one."},
    [OPTION_TIME] = {.name = "time", .help = "Measure each query. As text, a summary goes to standard error."},
    [OPTION_REPEAT] = {.name = "repeat",
                       .value = "K",
                       .help = "Go through all poses K times and report the times of the quickest pass. Implies "
                               "--time."},
    [OPTION_THREADS] = EFFORT_THREADS_OPTION,
    [OPTION_BUDGET] = {.name = "budget-ms",
                       .value = "T",
                       .help = "Spend T milliseconds at most on a pose. Where that is not enough the answer is ? (null "
                               "in JSON): unknown."},
    [OPTION_STATS] = {.name = "stats", .help = "Say what all queries together cost. As text, on standard error."},
    [OPTION_JSON] = {.name = "json", .help = "Write one JSON document instead of a line per pose."},
};

static const tool_example examples[] = {
    {"graze path robot.stl cell.obj poses.txt", "Which poses of the cell, seen from the robot, collide?"},
    {"graze path pin.stl hole.stl poses.txt --count --json", "How many pairs of triangles meet in each?"},
    {"graze path a.ply b.ply poses.txt --repeat 5 --json", "And how long does a query take?"},
    {"graze path a.ply b.ply poses.txt --threads 0 --stats", "With all processors, and what did it cost?"},
};

const tool_command path_command = {
    .name = "path",
    .synopsis = "A B POSES [--count] [--time] [--repeat K] [--threads N] [--budget-ms T] [--stats] [--json]",
    .summary = "do two mesh files meet, pose by pose?",
    .description =
        "Reads both meshes once and answers for one pose after the other whether their surfaces meet. Prints a line "
        "per pose: its number, counted from 0, then 1 for a collision or 0 for none, and with --count the number of "
        "pairs of triangles that share a point.\n"
        "\n"
        "The JSON document has the keys queries, hits, collide (a list of 0 and 1), with --count pairs (a list), "
        "ns, the nanoseconds per query as min, mean, median and p99 (reading files and building meshes not included), "
        "passes, with --budget-ms unknown, the number of poses without an answer, and with --stats stats (box_tests, "
        "leaf_pairs, triangle_tests, exact_signs).\n"
        "\n"
        "With several threads and no budget, poses are answered many at a time, and the time of a query is the time "
        "for all of these divided by their number.\n"
        "\n"
        "The exit code is 1 when any pose collides, else 0; 4 when there is no pose in the file, or when no pose "
        "collides but some are unknown.",
    .arguments = arguments,
    .argument_count = COUNT_OF(arguments),
    .least_arguments = 3,
    .most_arguments = 3,
    .options = options,
    .option_count = COUNT_OF(options),
    .examples = examples,
    .example_count = COUNT_OF(examples),
    .run = run_path,
};
