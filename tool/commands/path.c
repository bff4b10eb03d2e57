/* SPDX-License-Identifier: MIT */
/* graze path: one answer per pose. Only the queries are timed, each alone; reading is not. */
#define _POSIX_C_SOURCE 200809L

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands/commands.h"
#include "commands/method_option.h"
#include "commands/path.h"
#include "graze/batch.h"
#include "graze/distance.h"
#include "shell/load.h"
#include "shell/parse_numbers.h"
#include "shell/text_format.h"

static const uint64_t second = UINT64_C(1000000000);

static graze_placed_mesh place(const path_run *run, int side, const graze_pose *pose)
{
    return (graze_placed_mesh){graze_model_mesh(run->models[side]), run->trees[side], *pose};
}

/* One pose. When its time is up the answer is UNKNOWN, which is no failure. */
static graze_status query(path_run *run, size_t pose, graze_stats *stats, uint64_t *out_pairs)
{
    graze_placed_mesh a = place(run, 0, &run->poses[pose].a), b = place(run, 1, &run->poses[pose].b);
    graze_pair_options options = graze_pair_options_default();
    graze_any_options any_options = graze_any_options_default();
    options.budget = any_options.budget = run->execution.budget;
    options.stats = any_options.stats = stats;
    any_options.cache = run->caches ? &run->cache : NULL;
    bool found = false;
    graze_pair_counts counts = {0, 0, 0, 0};
    graze_status status = run->counts ? graze_pair_count(&run->execution.context, &a, &b, &options, &counts)
                                      : graze_pair_any(&run->execution.context, &a, &b, &any_options, &found, NULL);
    *out_pairs = status == GRAZE_STATUS_UNFINISHED ? UNKNOWN : run->counts ? counts.pairs : found;
    return status == GRAZE_STATUS_UNFINISHED ? GRAZE_STATUS_OK : status;
}

/* The results of one pose, or of a batch. */
typedef struct path_step
{
    size_t first, count;
    uint64_t ns;
    uint64_t pairs[BATCH];
    bool found[BATCH]; /* converted to numbers of pairs */
    graze_pair_counts counts[BATCH];
} path_step;

/* A batch of poses, distributed over the threads. */
static graze_status query_batch(path_run *run, graze_stats *stats, path_step *step)
{
    const pose_pair *poses = run->poses + step->first;
    graze_placed_mesh a = place(run, 0, &poses->a), b = place(run, 1, &poses->b);
    graze_pose_batch batch = {&poses->a, &poses->b, sizeof *poses, sizeof *poses, step->count};
    graze_pair_options options = graze_pair_options_default();
    graze_any_options any_options = graze_any_options_default();
    options.stats = any_options.stats = stats;
    any_options.cache = run->caches ? &run->cache : NULL;
    const graze_context *context = &run->execution.context;
    graze_status status = run->counts ? graze_pair_count_batch(context, &a, &b, &batch, &options, NULL, step->counts)
                                      : graze_pair_any_batch(context, &a, &b, &batch, &any_options, NULL, step->found);
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

static exit_code fail(const path_run *run, size_t pose, graze_status status)
{
    clear_progress(run);
    exit_code code = run->answered > 0 && status == GRAZE_STATUS_OUT_OF_MEMORY ? EXIT_INCOMPLETE : exit_code_of(status);
    return report_error(run->request->console, code, "pose %zu: %s; %" PRIu64 " of %zu poses were answered", pose,
                        graze_status_text(status), run->answered, run->pose_count);
}

static graze_status measure(const path_run *run, size_t pose)
{
    graze_placed_mesh a = place(run, 0, &run->poses[pose].a), b = place(run, 1, &run->poses[pose].b);
    graze_status status = GRAZE_STATUS_OK;
    if (run->measures)
    {
        graze_distance distance = {.found = false};
        status = graze_pair_distance(&run->execution.context, &a, &b, NULL, &distance);
        run->distances[pose] = distance.found ? distance.distance : INFINITY;
    }
    if (status == GRAZE_STATUS_OK && run->tolerance >= 0)
    {
        bool within = false;
        status = graze_pair_tolerance_any(&run->execution.context, &a, &b, run->tolerance, NULL, &within, NULL);
        run->within[pose] = within ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO;
    }
    return status;
}

static graze_status take_step(path_run *run, size_t pose, graze_stats *stats, path_step *step)
{
    bool many = run->execution.threads > 1 && !(run->execution.budget.seconds > 0) && !run->measures &&
                run->tolerance < 0 && !run->by_shapes && run->method == NULL;
    size_t left = run->pose_count - pose;
    step->first = pose;
    step->count = !many ? 1 : left < BATCH ? left : BATCH;
    uint64_t start = clock_now();
    graze_status status = many                  ? query_batch(run, stats, step)
                          : run->method != NULL ? path_query_method(run, pose, step->pairs)
                          : run->by_shapes      ? path_query_shapes(run, pose, stats, step->pairs)
                                                : query(run, pose, stats, step->pairs);
    if (status == GRAZE_STATUS_OK && !many)
        status = run->by_shapes ? path_measure_shapes(run, pose) : measure(run, pose);
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

/* The first pass stores and prints the answers; later passes only measure time, and must agree unless the time was
 * up. */
static bool keep_answer(path_run *run, uint64_t pass, size_t pose, uint64_t pairs)
{
    if (pass > 0)
        return pairs == run->pairs[pose] || pairs == UNKNOWN || run->pairs[pose] == UNKNOWN;
    run->pairs[pose] = pairs;
    run->hits += pairs > 0 && pairs != UNKNOWN;
    run->unknown += pairs == UNKNOWN;
    run->answered++;
    if (!run->json)
        path_say_answer(run, pose);
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
        return report_error(request->console, EXIT_USAGE, "--repeat takes a number of passes from 1, not '%s'", repeat);
    run->measures = request->values[OPTION_DISTANCE] != NULL;
    run->caches = request->values[OPTION_NO_CACHE] == NULL && !run->counts;
    run->cache = graze_pair_cache_default();
    run->shape_cache = graze_shape_cache_default();
    run->tolerance = -1;
    const char *tolerance = request->values[OPTION_TOLERANCE];
    exit_code code = tolerance != NULL ? parse_tolerance(request->console, tolerance, &run->tolerance) : 0;
    if (code == 0)
        code = path_find_method(run);
    if (code != 0)
        return code;
    return execution_open(request->console, request->values[OPTION_THREADS], request->values[OPTION_BUDGET],
                          &run->execution);
}

/* A mesh is scaled by its poses. */
static exit_code scale_poses(path_run *run)
{
    for (size_t pose = 0; pose < run->pose_count; pose++)
    {
        pose_pair *pair = &run->poses[pose];
        const pose_pair given = *pair;
        if (!loaded_shape_place(&run->files[0], &given.a, &pair->a) ||
            !loaded_shape_place(&run->files[1], &given.b, &pair->b))
            return report_error(run->request->console, EXIT_INPUT,
                                "%s, pose %zu: with the scale of a file it leaves "
                                "the range of doubles",
                                run->request->arguments[2], pose);
    }
    return 0;
}

static exit_code load_everything(path_run *run)
{
    const tool_request *request = run->request;
    length_unit unit = UNIT_NONE;
    exit_code code = parse_units(request->console, request->values[OPTION_UNITS], &unit);
    for (int side = 0; side < 2 && code == 0; side++)
    {
        code = load_shape(request->console, &run->execution.context, request->arguments[side], unit, false,
                          &run->files[side]);
        run->models[side] = run->files[side].model;
        run->by_shapes = run->by_shapes || run->models[side] == NULL;
    }
    for (int side = 0; side < 2 && code == 0 && !run->by_shapes; side++)
        code = build_tree(request->console, &run->execution.context, run->models[side], &run->trees[side]);
    if (code == 0)
        code = load_poses(request->console, request->arguments[2], &run->poses, &run->pose_count);
    if (code == 0)
        code = scale_poses(run);
    if (code == 0)
        code = path_prepare_method(run);
    if (code == 0 && run->by_shapes)
        code = path_check_poses(run);
    if (code != 0)
        return code;
    run->pairs = calloc(run->pose_count, sizeof *run->pairs);
    run->times_now = calloc(run->pose_count, sizeof *run->times_now);
    run->times_best = calloc(run->pose_count, sizeof *run->times_best);
    run->step = malloc(sizeof *run->step);
    run->distances = calloc(run->pose_count, sizeof *run->distances);
    run->within = calloc(run->pose_count, sizeof *run->within);
    if (run->distances == NULL || run->within == NULL || run->step == NULL || run->pairs == NULL ||
        run->times_now == NULL || run->times_best == NULL)
        return report_error(request->console, EXIT_INTERNAL, "out of memory for the answers");
    return 0;
}

static exit_code end_path(path_run *run)
{
    clear_progress(run);
    if (run->json)
        path_write_json(run);
    else if (run->times && !console_is_broken())
        path_say_times(run);
    if (!run->json && run->request->values[OPTION_STATS] != NULL && !console_is_broken())
        path_say_stats(run);
    bool within = false;
    for (size_t pose = 0; run->tolerance >= 0 && pose < run->pose_count; pose++)
        within = within || run->within[pose] == GRAZE_VERDICT_YES;
    if (run->hits > 0 || within)
        return EXIT_FOUND;
    if (run->unknown > 0)
        return report_error(run->request->console, EXIT_INCOMPLETE,
                            run->execution.budget.seconds > 0 ? "the time was up for %s"
                            : run->method != NULL             ? "%s: unknown, as the method does not prove that answer"
                                                              : "%s: unknown, as shapes touch or nearly do",
                            grz_counted(run->unknown, "pose").text);
    return EXIT_NOTHING_FOUND;
}

/* What is asked of single poses has no meaning between them. */
static exit_code check_continuous(const tool_request *request)
{
    static const int of_poses[] = {OPTION_COUNT,  OPTION_DISTANCE, OPTION_TOLERANCE,
                                   OPTION_REPEAT, OPTION_TIME,     OPTION_METHOD};
    bool continuous = request->values[OPTION_CONTINUOUS] != NULL;
    static const int of_ways[] = {OPTION_MOTION, OPTION_MARGIN, OPTION_PROVE};
    for (size_t i = 0; !continuous && i < COUNT_OF(of_ways); i++)
        if (request->values[of_ways[i]] != NULL)
            return report_error(request->console, EXIT_USAGE, "--%s goes with --continuous",
                                request->command->options[of_ways[i]].name);
    if (continuous && request->values[OPTION_METHOD_OPTIONS] != NULL && request->values[OPTION_METHOD] == NULL)
        return report_error(request->console, EXIT_USAGE, "--method-options goes with --method");
    for (size_t i = 0; continuous && i < COUNT_OF(of_poses); i++)
        if (request->values[of_poses[i]] != NULL)
            return report_error(request->console, EXIT_USAGE, "--%s is about single poses, and not for --continuous",
                                request->command->options[of_poses[i]].name);
    return 0;
}

static exit_code run_path(const tool_request *request)
{
    path_run run = {.request = request};
    exit_code code = check_continuous(request);
    if (code == 0 && request->values[OPTION_CONTINUOUS] != NULL)
        return path_run_continuous(request);
    if (code == 0)
        code = read_options(&run);
    if (code == 0)
        code = load_everything(&run);
    for (uint64_t pass = 0; code == 0 && pass < run.passes && !console_is_broken(); pass++)
        code = run_pass(&run, pass);
    if (code == 0)
        code = end_path(&run);
    path_release_method(&run);
    free(run.step);
    free(run.distances);
    free(run.within);
    free(run.pairs);
    free(run.times_now);
    free(run.times_best);
    free(run.poses);
    for (int side = 0; side < 2; side++)
    {
        graze_tree_destroy(run.trees[side]);
        loaded_shape_release(&run.files[side]);
    }
    execution_close(&run.execution);
    return code;
}

static const tool_argument arguments[] = {
    {"A", "A mesh file (STL, OBJ, PLY, OFF or glTF) or a shape file (JSON), also gzip-compressed; - is standard input. "
          "It may end in :scale=FACTOR or :units=UNIT."},
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
    [OPTION_DISTANCE] = {.name = "distance", .help = "Measure in each pose how far the surfaces are apart."},
    [OPTION_TOLERANCE] = {.name = "tolerance",
                          .value = "D",
                          .help = "Say of each pose whether they are at most D apart as well. There being such a pose "
                                  "is then a reason for exit code 1."},
    [OPTION_METHOD] = {.name = "method", .value = "NAME", .help = METHOD_HELP},
    [OPTION_METHOD_OPTIONS] = {.name = "method-options", .value = "LIST", .help = METHOD_OPTIONS_HELP},
    [OPTION_UNITS] = SHAPE_UNITS_OPTION,
    [OPTION_THREADS] = THREADS_OPTION,
    [OPTION_BUDGET] = {.name = "budget-ms",
                       .value = "T",
                       .help = "Spend T milliseconds at most on a pose. Where that is not enough the answer is ? (null "
                               "in JSON): unknown."},
    [OPTION_NO_CACHE] = {.name = "no-cache",
                         .help =
                             "Answer each pose by itself. Otherwise what one pose showed may spare work in the next: "
                             "answers are the same, times are not."},
    [OPTION_STATS] = {.name = "stats", .help = "Say what all queries together cost. As text, on standard error."},
    [OPTION_JSON] = {.name = "json", .help = "Write one JSON document instead of a line per pose."},
    [OPTION_CONTINUOUS] = {.name = "continuous",
                           .help = "Go from each pose to the next through all times between them: when do they first "
                                   "meet on the way, exactly, or proved that they do not?"},
    [OPTION_MOTION] = {.name = "motion",
                       .value = "blend|turn|screw|slerp|spline",
                       .help = "How they move from pose to pose, as for graze sweep. Default: turn. A spline runs "
                               "smoothly through all poses (Catmull-Rom), so that the answer may be unknown."},
    [OPTION_MARGIN] = {.name = "margin",
                       .value = "C",
                       .help =
                           "What comes within C of the other has met it; with --prove: certificates prove that they "
                           "stay at least C apart."},
    [OPTION_PROVE] = {.name = "prove",
                      .value = "FILE",
                      .help = "With --continuous: where they do not meet, write certificates of it, one from pose to "
                              "pose, for graze verify. As JSON if FILE ends in .json."},
};

static const tool_example examples[] = {
    {"graze path robot.stl cell.obj poses.txt", "Which poses of the cell, seen from the robot, collide?"},
    {"graze path pin.stl hole.stl poses.txt --count --json", "How many pairs of triangles meet in each?"},
    {"graze path a.ply b.ply poses.txt --repeat 5 --json", "And how long does a query take?"},
    {"graze path a.ply b.ply poses.txt --threads 0 --stats", "With all processors, and what did it cost?"},
    {"graze path a.ply b.ply poses.txt --continuous --json", "Do they meet between the poses, and when first?"},
};

const tool_command path_command = {
    .name = "path",
    .synopsis =
        "A B POSES [--count] [--time] [--repeat K] [--distance] [--tolerance D] [--method NAME "
        "[--method-options LIST]] [--units UNIT] "
        "[--threads N] "
        "[--budget-ms T] "
        "[--no-cache] "
        "[--stats] [--continuous [--motion blend|turn|screw|slerp|spline] [--margin C] [--prove FILE]] [--json]",
    .summary = "do two meshes or shapes meet, pose by pose?",
    .description =
        "Reads both meshes once and answers for one pose after the other whether their surfaces meet. Prints a line "
        "per pose: its number, counted from 0, then 1 for a collision or 0 for none, with --count the number of "
        "pairs of triangles that share a point, with --distance the distance, and with --tolerance 1 or 0 again.\n"
        "\n"
        "The JSON document has the keys queries, hits, collide (a list of 0 and 1), with --count pairs (a list), "
        "with --distance distance (a list), with --tolerance within (a list of 0 and 1), "
        "ns, the nanoseconds per query as min, mean, median and p99 (reading files and building meshes not included), "
        "passes, with --budget-ms unknown, the number of poses without an answer, and with --stats stats (box_tests, "
        "leaf_pairs, triangle_tests, exact_signs).\n"
        "\n"
        "With --method the document names the method, stats has the sums of its counters over all passes, and an "
        "answer "
        "is ? (null in JSON) where the method proves nothing.\n"
        "\n"
        "Shapes (docs/shape-format.md) are solid and decided as by graze check; with curved ones an answer may be ? "
        "(null in JSON) where they touch or nearly do. There is no --count with them.\n"
        "\n"
        "With several threads and no budget, poses are answered many at a time, and the time of a query is the time "
        "for all of these divided by their number.\n"
        "\n"
        "With --continuous there is one answer for each two poses in a row, a segment: a line with its number, 1 for "
        "an "
        "impact with its time between 0 and 1, 0 where it is proved that nothing meets on the way, or ?. The JSON "
        "document is that of graze sweep; impact is that of the first segment that has one, with segment, its number, "
        "and segments is a list of all. A file with one pose moves nothing: exit code 4.\n"
        "\n"
        "The exit code is 1 when any pose collides or is within the tolerance, else 0; 4 when there is no pose in the "
        "file, or when no pose "
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
