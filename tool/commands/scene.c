/* SPDX-License-Identifier: MIT */
/* graze scene: collisions between many moving objects, frame by frame. */
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands/commands.h"
#include "scene/run.h"
#include "shell/parse_numbers.h"
#include "text/suggestion.h"

static exit_code unknown_word(const tool_console *console, const char *option, const grz_suggestion *best,
                              const char *words)
{
    const char *hint = grz_suggestion_name(best);
    if (hint != NULL)
        return report_error(console, EXIT_USAGE, "--%s: there is no '%s'; did you mean '%s'?", option, best->wanted,
                            hint);
    return report_error(console, EXIT_USAGE, "--%s takes %s, not '%s'", option, words, best->wanted);
}

static exit_code read_broad(scene_run *run)
{
    const char *name = run->request->values[OPTION_BROAD];
    run->def = graze_scene_def_default();
    if (name == NULL || graze_broad_phase_method_from_name(name, &run->def.broad_phase))
        return 0;
    grz_suggestion best = {.wanted = name};
    for (int i = 0; i < GRAZE_BROAD_PHASE_METHOD_COUNT; i++)
        grz_suggestion_offer(&best, graze_broad_phase_method_name((graze_broad_phase_method)i));
    return unknown_word(run->request->console, "broad", &best, "the name of a broad phase");
}

static exit_code read_schedule(scene_run *run)
{
    static const char *const names[] = {"sequential", "round-robin", "sorted", "priority"};
    static const graze_schedule schedules[] = {GRAZE_SCHEDULE_SEQUENTIAL, GRAZE_SCHEDULE_ROUND_ROBIN,
                                               GRAZE_SCHEDULE_SORTED, GRAZE_SCHEDULE_PRIORITY};
    const char *name = run->request->values[OPTION_SCHEDULE];
    if (name == NULL)
        return 0;
    grz_suggestion best = {.wanted = name};
    for (size_t i = 0; i < COUNT_OF(names); i++)
    {
        if (strcmp(name, names[i]) == 0)
        {
            run->options.schedule = schedules[i];
            return 0;
        }
        grz_suggestion_offer(&best, names[i]);
    }
    return unknown_word(run->request->console, "schedule", &best, "sequential, round-robin, sorted or priority");
}

static exit_code read_margin(scene_run *run)
{
    const char *text = run->request->values[OPTION_MARGIN];
    char fault[FAULT_SIZE];
    size_t count = 0;
    double *margin = &run->options.contact_margin;
    if (text == NULL || (parse_numbers(text, margin, 1, &count, fault) && count == 1 && *margin >= 0))
        return 0;
    return report_error(run->request->console, EXIT_USAGE, "--margin takes a finite length, 0 or more, not '%s'", text);
}

static exit_code read_motion(scene_run *run)
{
    static const char *const names[] = {"turn", "blend"};
    static const graze_motion_kind kinds[] = {GRAZE_MOTION_TURN, GRAZE_MOTION_BLEND};
    const char *name = run->request->values[OPTION_MOTION];
    run->options.continuous = run->request->values[OPTION_CONTINUOUS] != NULL;
    if (name == NULL)
        return 0;
    if (!run->options.continuous)
        return report_error(run->request->console, EXIT_USAGE, "--motion is for --continuous");
    grz_suggestion best = {.wanted = name};
    for (size_t i = 0; i < COUNT_OF(names); i++)
    {
        if (strcmp(name, names[i]) == 0)
        {
            run->options.motion = kinds[i];
            return 0;
        }
        grz_suggestion_offer(&best, names[i]);
    }
    return unknown_word(run->request->console, "motion", &best, "turn or blend");
}

static exit_code read_options(scene_run *run)
{
    const tool_request *request = run->request;
    const char *const *values = request->values;
    run->json = values[OPTION_JSON] != NULL;
    run->quiet = values[OPTION_QUIET] != NULL;
    run->lists_stays = values[OPTION_STAYS] != NULL;
    run->times = values[OPTION_NO_TIMES] == NULL;
    run->shows_progress = isatty(STDERR_FILENO) == 1 && (run->json || run->quiet || isatty(STDOUT_FILENO) != 1);
    run->next_progress = clock_now() + UINT64_C(1000000000);
    run->options = graze_update_options_default();
    run->options.contacts = values[OPTION_CONTACTS] != NULL;
    exit_code read = read_margin(run);
    if (read == 0)
        read = read_motion(run);
    if (read != 0)
        return read;
    const char *frames = values[OPTION_FRAMES];
    if (frames != NULL && (!parse_count(frames, &run->frame_limit) || run->frame_limit == 0))
        return report_error(request->console, EXIT_USAGE, "--frames takes a number of frames from 1, not '%s'", frames);
    exit_code code = read_broad(run);
    if (code == 0)
        code = read_schedule(run);
    if (code == 0)
        code = execution_open(request->console, values[OPTION_THREADS], values[OPTION_BUDGET], &run->execution);
    run->options.budget.seconds = run->execution.budget.seconds;
    return code;
}

static exit_code make_cage(const tool_request *request)
{
    const char *count_text = request->values[OPTION_MAKE_CAGE], *seed_text = request->values[OPTION_SEED];
    uint64_t count = 0, seed = 1;
    if (!parse_count(count_text, &count) || count == 0 || count > 100000000)
        return report_error(request->console, EXIT_USAGE, "--make-cage takes a number of objects from 1, not '%s'",
                            count_text);
    if (seed_text != NULL && !parse_count(seed_text, &seed))
        return report_error(request->console, EXIT_USAGE, "--seed takes a whole number, not '%s'", seed_text);
    if (request->argument_count > 0)
        return report_error(request->console, EXIT_USAGE, "--make-cage writes a scene and reads none; leave out '%s'",
                            request->arguments[0]);
    write_cage(count, seed);
    return 0;
}

static exit_code run_scene(const tool_request *request)
{
    if (request->values[OPTION_MAKE_CAGE] != NULL)
        return make_cage(request);
    if (request->argument_count == 0)
        return report_error(request->console, EXIT_USAGE, "FILE is missing; usage: graze scene %s",
                            request->command->synopsis);
    scene_run run = {.request = request};
    exit_code code = read_options(&run);
    if (code == 0)
        code = scene_file_load(request->console, request->arguments[0], &run.file);
    if (code == 0 && run.frame_limit == 0)
        run.frame_limit = run.file.frames;
    if (code == 0)
        code = scene_build(&run);
    if (code == 0)
        code = scene_run_frames(&run);
    graze_scene_destroy(run.scene);
    motion_release(&run.motion);
    free(run.ids);
    scene_file_release(&run.file);
    execution_close(&run.execution);
    return code;
}

static const tool_argument arguments[] = {
    {"FILE", "A scene file: JSON with meshes, objects (of meshes or shapes), their poses and motion, and rules "
             "(docs/scene-format.md); - is "
             "standard input."},
};

static const tool_option options[] = {
    [OPTION_FRAMES] = {.name = "frames",
                       .value = "N",
                       .help = "Run N frames. Frame 1 has the objects where the file puts them. Default: what the file "
                               "says, else 1."},
    [OPTION_BROAD] = {.name = "broad",
                      .value = "NAME",
                      .help = "How pairs of boxes are found: auto, brute, axis, sweep, grid, oriented-grid, octree or "
                              "tree. Answers do not depend on it. Default: auto."},
    [OPTION_THREADS] = THREADS_OPTION,
    [OPTION_BUDGET] = {.name = "budget-ms",
                       .value = "T",
                       .help = "Spend T milliseconds at most on a frame. Pairs that it does not suffice for are "
                               "undecided, and come first in the next frame."},
    [OPTION_SCHEDULE] = {.name = "schedule",
                         .value = "NAME",
                         .help = "With a budget, the order in which pairs are looked at: sequential, round-robin, "
                                 "sorted (by size) or priority (by size, in small pieces of work)."},
    [OPTION_STAYS] = {.name = "stays", .help = "List collisions that go on as well, instead of counting them."},
    [OPTION_CONTACTS] = {.name = "contacts",
                         .help = "With --json, events of collisions carry contacts for solvers: manifolds of points "
                                 "with normals and gaps, of meshes and shapes."},
    [OPTION_MARGIN] = {.name = "margin",
                       .value = "D",
                       .help = "With --contacts, points up to D apart. Default: a 200th of the smaller object's size."},
    [OPTION_CONTINUOUS] = {.name = "continuous",
                           .help = "Look at what happens between the frames too: from one frame to the next each "
                                   "object makes one motion from its pose in the world to the next. Events say when, "
                                   "and what begins and ends in between is a pass."},
    [OPTION_MOTION] = {.name = "motion",
                       .value = "KIND",
                       .help = "With --continuous, turn (default: a rotation about a fixed axis while the origin moves "
                               "along a line) or blend (each number of the pose runs linearly; for poses that scale)."},
    [OPTION_QUIET] = {.name = "quiet", .help = "Leave out the frames: only the summary."},
    [OPTION_NO_TIMES] = {.name = "no-times", .help = "Leave out times, so that the same scene gives the same bytes."},
    [OPTION_JSON] = {.name = "json", .help = "Write one JSON document."},
    [OPTION_MAKE_CAGE] = {.name = "make-cage",
                          .value = "N",
                          .help = "Write a scene file instead: N spheres, tori and tetra-flakes that fly about in a "
                                  "cage and turn back when they collide."},
    [OPTION_SEED] = {.name = "seed", .value = "N", .help = "Another seed, another cage."},
};

static const tool_example examples[] = {
    {"graze scene cell.json --frames 500", "What collides along 500 frames?"},
    {"graze scene cell.json --frames 500 --threads 0 --json", "With all processors, as JSON."},
    {"graze scene cell.json --continuous", "Also what flies through between two frames, and when."},
    {"graze scene --make-cage 1000 > cage.json", "A scene to try,"},
    {"graze scene cage.json --frames 100 --quiet", "and how long its frames take."},
};

const tool_command scene_command = {
    .name = "scene",
    .synopsis = "FILE [--frames N] [--broad NAME] [--threads N] [--budget-ms T] [--schedule NAME] [--stays] "
                "[--contacts [--margin D]] [--continuous [--motion KIND]] [--quiet] [--no-times] [--json]",
    .summary = "which of many moving objects collide, frame by frame?",
    .description =
        "Loads the objects of a scene file, meshes and shapes, moves them frame by frame by their velocities or along "
        "recorded tracks, "
        "and says which collisions begin and end. Prints a line for each frame in which something does, such as\n"
        "\n"
        "  frame 12: begin ball + wall; end ball + floor; 3 stay\n"
        "\n"
        "and a summary. Answers are exact, and the same for any number of threads and any broad phase.\n"
        "\n"
        "With --continuous the line says when, in frames:\n"
        "\n"
        "  frame 12: begin ball + wall at 11.25; pass bullet + sheet at 11.4797\n"
        "\n"
        "The JSON document has the keys frames, a list with frame, moved, box_pairs, examined, colliding, events (each "
        "with event (begin, stay, end or pass), a, b, triangles (of a and of b, that meet, or null; of one alone where "
        "the "
        "other "
        "has none), sensor where one of them is one, where one is a shape leaf_a, leaf_b (the leaves of compounds that "
        "meet) and point (a common one, or null), and with --contacts contacts, as graze check writes them; with "
        "--continuous "
        "time, [lower, upper] of the first contact in frames (of an end: of the last one), impact with lower and "
        "upper, "
        "the same within the step from one frame to the next, from 0 to 1 (not of an end), and of an end or a pass "
        "end_time, of the last contact), undecided "
        "(each with a, b, lower (they are at least this far apart), since (the frame) and reason (budget, or curved: "
        "curved shapes too near to touching to tell, or motion: whether such shapes met between the frames)) and "
        "milliseconds (by stage: place, broad, examine, report), and summary, with objects, triangles, frames, broad, "
        "begins, stays, ends, passes (with --continuous), colliding and undecided (in the last frame), undecided_sum "
        "(over all frames), "
        "unknown_sum (of these, curved shapes), milliseconds (mean of a frame) and milliseconds_max.\n"
        "\n"
        "The exit code is 1 when anything collides in any frame or passes between two, else 4 when pairs were left "
        "undecided, in the last "
        "frame or before they moved on, or there is nothing to check, else 0.",
    .arguments = arguments,
    .argument_count = COUNT_OF(arguments),
    .least_arguments = 0,
    .most_arguments = 1,
    .options = options,
    .option_count = COUNT_OF(options),
    .examples = examples,
    .example_count = COUNT_OF(examples),
    .run = run_scene,
};
