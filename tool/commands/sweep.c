/* SPDX-License-Identifier: MIT */
/* graze sweep: when do two moving files meet for the first time? */
#include "commands/sweep.h"

#include <string.h>

#include "commands/commands.h"
#include "commands/tool_path.h"
#include "shell/parse_numbers.h"

enum
{
    OPTION_FROM_A,
    OPTION_TO_A,
    OPTION_FROM_B,
    OPTION_TO_B,
    OPTION_MOTION,
    OPTION_CROSSING,
    OPTION_SOLID,
    OPTION_UNITS,
    OPTION_THREADS,
    OPTION_BUDGET,
    OPTION_MARGIN,
    OPTION_PROVE,
    OPTION_METHOD,
    OPTION_TOOL,
    OPTION_MOVES,
    OPTION_TIP,
    OPTION_RAPIDS,
    OPTION_CHORD_ERROR,
    OPTION_THRESHOLD,
    OPTION_SURFACE,
    OPTION_HTML,
    OPTION_JSON
};

static const char *const pose_names[2][2] = {{"--from-a", "--to-a"}, {"--from-b", "--to-b"}};

/* A side without --from stands as its file says at first; without --to it does not move. */
static exit_code read_poses(const tool_request *request, pose_pair poses[2])
{
    static const int places[2][2] = {{OPTION_FROM_A, OPTION_TO_A}, {OPTION_FROM_B, OPTION_TO_B}};
    for (int side = 0; side < 2; side++)
        for (int end = 0; end < 2; end++)
        {
            const char *text = request->values[places[side][end]];
            graze_pose *pose = side == 0 ? &poses[end].a : &poses[end].b;
            char fault[FAULT_SIZE];
            *pose = end == 0 ? graze_pose_identity() : side == 0 ? poses[0].a : poses[0].b;
            if (text != NULL && !parse_pose(text, pose, fault))
                return report_error(request->console, EXIT_USAGE, "%s: %s", pose_names[side][end], fault);
        }
    return 0;
}

static exit_code read_options(moving_files *run)
{
    const tool_request *request = run->request;
    run->options = graze_impact_options_default();
    run->options.crossing = request->values[OPTION_CROSSING] != NULL;
    run->options.clearance = true;
    run->options.solids = request->values[OPTION_SOLID] != NULL;
    exit_code code = moving_parse_kind(request->console, request->values[OPTION_MOTION], false, &run->kind);
    if (code == 0)
        code = moving_parse_margin(request->console, request->values[OPTION_MARGIN], &run->margin);
    if (request->values[OPTION_PROVE] == NULL)
        run->options.margin = run->margin;
    if (code != 0)
        return code;
    return execution_open(request->console, request->values[OPTION_THREADS], request->values[OPTION_BUDGET],
                          &run->execution);
}

/* Options that belong to moving files, and to tools. */
static const int of_files[] = {OPTION_FROM_A, OPTION_TO_A,    OPTION_FROM_B,   OPTION_TO_B,
                               OPTION_MOTION, OPTION_MARGIN,  OPTION_CROSSING, OPTION_SOLID,
                               OPTION_PROVE,  OPTION_THREADS, OPTION_METHOD};
static const int not_of_methods[] = {OPTION_MARGIN, OPTION_CROSSING, OPTION_SOLID, OPTION_PROVE};
static const int of_tools[] = {OPTION_MOVES,     OPTION_TIP,     OPTION_RAPIDS, OPTION_CHORD_ERROR,
                               OPTION_THRESHOLD, OPTION_SURFACE, OPTION_HTML};

static exit_code refuse_options(const tool_request *request, const int *places, size_t count, const char *why)
{
    for (size_t i = 0; i < count; i++)
        if (request->values[places[i]] != NULL)
            return report_error(request->console, EXIT_USAGE, "--%s %s", request->command->options[places[i]].name,
                                why);
    return 0;
}

/* The path --json names: "-" without a name, NULL without --json. */
static const char *json_path(const tool_request *request)
{
    const char *path = request->values[OPTION_JSON];
    return path == request->command->options[OPTION_JSON].name ? "-" : path;
}

static exit_code run_tool_path(const tool_request *request)
{
    const char *const *values = request->values;
    const tool_path_words words = {
        .part = request->arguments[0],
        .tool = values[OPTION_TOOL],
        .moves = values[OPTION_MOVES],
        .units = values[OPTION_UNITS],
        .rapids = values[OPTION_RAPIDS],
        .chord_error = values[OPTION_CHORD_ERROR],
        .threshold = values[OPTION_THRESHOLD],
        .budget = values[OPTION_BUDGET],
        .json = json_path(request),
        .html = values[OPTION_HTML],
        .tip = values[OPTION_TIP] != NULL,
        .surface = values[OPTION_SURFACE] != NULL,
    };
    exit_code code = refuse_options(request, of_files, COUNT_OF(of_files), "is about two files, and not for --tool");
    if (code != 0)
        return code;
    if (request->argument_count != 1)
        return report_error(request->console, EXIT_USAGE, "--tool takes one file, the part");
    return tool_path_run(request->console, &words);
}

static exit_code check_words(const tool_request *request)
{
    if (request->argument_count != 2)
        return report_error(request->console, EXIT_USAGE, "say which two files move, or which --tool moves");
    if (json_path(request) != NULL && strcmp(json_path(request), "-") != 0)
        return report_error(request->console, EXIT_USAGE, "--json takes a file with --tool only");
    const char *method = request->values[OPTION_METHOD];
    exit_code code = refuse_options(request, of_tools, COUNT_OF(of_tools), "goes with --tool");
    if (code == 0 && method != NULL)
        code = refuse_options(request, not_of_methods, COUNT_OF(not_of_methods), "does not go with --method");
    return code == 0 ? moving_check_method(request->console, method) : code;
}

static exit_code run_sweep(const tool_request *request)
{
    if (request->values[OPTION_TOOL] != NULL)
        return run_tool_path(request);
    moving_files run = {.request = request};
    pose_pair poses[2];
    exit_code code = check_words(request);
    if (code == 0)
        code = read_options(&run);
    if (code == 0)
        code = read_poses(request, poses);
    if (code == 0)
        code = moving_load(&run, request->values[OPTION_UNITS], run.options.solids);
    if (code == 0)
        code = moving_make_segments(&run, 1);
    for (int side = 0; code == 0 && side < 2; side++)
        code = moving_set_motion(&run, 0, side, poses,
                                 side == 0 ? "a pose of A (--from-a, --to-a)" : "a pose of B (--from-b, --to-b)");
    const char *method = request->values[OPTION_METHOD];
    if (code == 0 && method != NULL)
        code = moving_run_method(&run, method, request->values[OPTION_JSON] != NULL);
    if (code == 0 && method == NULL)
        code = moving_run(&run);
    if (code == 0 && method == NULL)
        code = moving_prove(&run, request->values[OPTION_PROVE]);
    if (code == 0 && method == NULL)
    {
        if (request->values[OPTION_JSON] != NULL)
            moving_write_json(&run);
        else
            moving_say(&run);
        code = moving_code(&run);
    }
    moving_release(&run);
    return code;
}

static const tool_argument arguments[] = {
    {"A", "A mesh file (STL, OBJ, PLY, OFF or glTF), or a shape file (JSON) of any kind; also gzip-compressed; - is "
          "standard input. It may end in :scale=FACTOR or :units=UNIT."},
    {"B", "Another, or the same. Not with --tool."},
};

static const tool_option options[] = {
    [OPTION_FROM_A] = {.name = "from-a",
                       .value = "NUMBERS",
                       .help = "Where A stands at t = 0: 12 numbers, the rows of a 3x4 matrix [R|t]. Without it as the "
                               "file says."},
    [OPTION_TO_A] = {.name = "to-a", .value = "NUMBERS", .help = "And at t = 1. Without it A does not move."},
    [OPTION_FROM_B] = {.name = "from-b", .value = "NUMBERS", .help = "Where B stands at t = 0, likewise."},
    [OPTION_TO_B] = {.name = "to-b", .value = "NUMBERS", .help = "And at t = 1."},
    [OPTION_MOTION] = {.name = "motion",
                       .value = "blend|turn|screw|slerp",
                       .help = "How they move between the two poses. A turn (default) rotates about one axis while the "
                               "origin of the mesh runs along a line; both poses must be rotations. A blend lets every "
                               "number of the matrix run evenly, and takes any poses. A slerp turns evenly and moves "
                               "the origin along a line; a screw turns and runs evenly along one axis. For these, and "
                               "with --margin, the answer may be unknown, and the bounds of the time are wider."},
    [OPTION_CROSSING] = {.name = "crossing",
                         .help = "Look for the first time from which on the surfaces cross; what only touches may "
                                 "pass, as mated parts do."},
    [OPTION_SOLID] = {.name = "solid",
                      .help = "One closed body inside the other at t = 0 is an impact as well. Later, it takes one."},
    [OPTION_UNITS] = SHAPE_UNITS_OPTION,
    [OPTION_THREADS] = THREADS_OPTION,
    [OPTION_BUDGET] = {.name = "budget-ms",
                       .value = "T",
                       .help = "Search for T milliseconds at most (reading files not included). Where that is not "
                               "enough the verdict is unknown, and it is said up to which time nothing meets."},
    [OPTION_MARGIN] = {.name = "margin",
                       .value = "C",
                       .help =
                           "What comes within C of the other has met it; with --prove: certificates prove that they "
                           "stay at least C apart."},
    [OPTION_PROVE] =
        {.name = "prove",
         .value = "FILE",
         .help = "Where they do not meet, write a certificate of it, for graze verify. As JSON if FILE ends in .json."},
    [OPTION_METHOD] = {.name = "method",
                       .value = "NAME",
                       .help = "Answer by a method of the literature instead, for study: mirtich, space-time-bounds or "
                               "moving-points (docs/methods.md). The JSON document then has the keys method, "
                               "guarantee, verdict, guess, lower, upper and stats."},
    [OPTION_TOOL] = {.name = "tool",
                     .value = "TOOL",
                     .help = "Check a tool path instead: A is the part, and TOOL is ball:R, flat:R or flat:R:H (R is "
                             "the radius, H the height; none: no end), or a JSON file of cutters."},
    [OPTION_MOVES] = {.name = "moves",
                      .value = "FILE",
                      .help = "The tool's moves: G-code with G0 to G3, G20, G21, G90, G91 and X Y Z I J R F T, in mm; "
                              "anything else is refused with its line. The first move begins where X, Y and Z have "
                              "all been given."},
    [OPTION_TIP] = {.name = "tip",
                    .help = "With ball:R, the moves are those of its lowest point. Otherwise of its centre."},
    [OPTION_RAPIDS] = {.name = "rapids",
                       .value = "straight|dog-leg",
                       .help = "How G0 moves: straight (default), or dog-leg, on any way within the box of both ends."},
    [OPTION_CHORD_ERROR] = {.name = "chord-error",
                            .value = "E",
                            .help = "Arcs are cut into chords at most E mm from them (default 0.001); gouges within E "
                                    "are unknown."},
    [OPTION_THRESHOLD] = {.name = "threshold",
                          .value = "D",
                          .help = "Only gouges of a tool smaller by D all around count."},
    [OPTION_SURFACE] = {.name = "surface", .help = "The part is its surface: for meshes that are not closed."},
    [OPTION_HTML] = {.name = "html",
                     .value = "FILE",
                     .help = "With --tool: write a page that shows part, tool and gouges in 3D on a slider of time, "
                             "a unit for each move; and the volume that the tool sweeps, estimated."},
    [OPTION_JSON] = {.name = "json",
                     .value = "FILE",
                     .optional = ".json",
                     .help = "Write one JSON document; with --tool to FILE.json if that follows, else to standard "
                             "output."},
};

static const tool_example examples[] = {
    {"graze sweep wall.stl ball.stl --from-b \"1 0 0 -5  0 1 0 0  0 0 1 0\" --to-b \"1 0 0 5  0 1 0 0  0 0 1 0\"",
     "When does the ball, on its way from -5 to 5 along x, meet the wall?"},
    {"graze sweep gear.stl pinion.stl --to-a \"0 -1 0 0  1 0 0 0  0 0 1 0\" --json",
     "A quarter of a turn of the gear: proved clear, or the first moment of contact."},
    {"graze sweep slot.stl key.stl --to-b \"1 0 0 20  0 1 0 0  0 0 1 0\" --crossing",
     "The key slides along the faces of its slot: when does it really run into something?"},
    {"graze sweep gear.stl pinion.stl --to-a \"0.8 -0.6 0 0  0.6 0.8 0 0  0 0 1 0\" --prove proof.json",
     "The same with a certificate, which graze verify proof.json gear.stl pinion.stl checks."},
    {"graze sweep part.stl --tool ball:3 --moves part.ngc --json", "Which moves of a ball end mill gouge the part?"},
    {"graze sweep part.stl --tool tool.json --moves part.ngc --html part.html",
     "The same for a tool with shank and holder, as a page to look at."},
    {"graze sweep a.obj b.obj --motion blend --to-b \"2 0 0 0  0 2 0 0  0 0 2 0\"", "B grows to twice its size."},
};

const tool_command sweep_command = {
    .name = "sweep",
    .synopsis = "A B [--from-a NUMBERS] [--to-a NUMBERS] [--from-b NUMBERS] [--to-b NUMBERS] "
                "[--motion blend|turn|screw|slerp] [--crossing] [--solid] [--margin C] [--prove FILE] [--method NAME] "
                "[--units UNIT] "
                "[--threads N] [--budget-ms T] [--json] | "
                "PART --tool TOOL --moves FILE [--tip] [--rapids straight|dog-leg] [--chord-error E] [--threshold D] "
                "[--surface] [--units UNIT] [--budget-ms T] [--json [FILE]] [--html FILE]",
    .summary = "when do two moving meshes or shapes meet?",
    .description =
        "Finds the first moment at which the surfaces of two moving meshes share a point, or proves that there is "
        "none, at any real time between t = 0 and t = 1: nothing slips through between two steps. The answer is exact "
        "for the numbers in the files and the motion: the time is given as two doubles, equal or neighbours, between "
        "which it lies.\n"
        "\n"
        "Shapes that are not made of triangles (spheres, capsules, cylinders, compounds and so on) are answered "
        "for certain or not at all: the time has wider bounds, and shapes that only graze one another are unknown. "
        "Their triangles and crosses are null in the JSON document, and they have no certificate.\n"
        "\n"
        "A turn made of two matrices is rounded once; the numbers of the motion are in the JSON document, and "
        "end_error says by how much it misses the poses.\n"
        "\n"
        "The JSON document has the keys verdict (yes, no or unknown), impact (null, or an object with lower and upper, "
        "the bounds of the time, at_start, crosses (whether the surfaces cross right after, or only touch), a and b, "
        "the first pair of triangles that meets then, point and normal, from A to B, estimated), clearance (a "
        "certified "
        "lower bound of the distance at all times, or 0), end_error, motion (a and b, each with kind and its doubles: "
        "quaternion, centre, path; or start and end), segments (one, with verdict and impact), unknown (how many "
        "segments are), certificate (the file of --prove, or null) and stats.\n"
        "\n"
        "With --tool, the part stands still and an upright tool of balls and cylinders follows a G-code program. A "
        "move gouges if some point of the part is inside the tool at any time of it; touching is no gouge. That is "
        "exact for the numbers given, for every move but arcs. A JSON tool is {\"cutters\": [{\"kind\": \"ball\", "
        "\"radius\": 3, \"z\": 3}, {\"kind\": \"cylinder\", \"radius\": 20, \"from\": 30, \"to\": 60, \"name\": "
        "\"holder\"}]}, with heights above the programmed point; without to a cylinder has no end. Other kinds are "
        "cone "
        "(radius at its lower end, top_radius at its upper one, from, to) and bull_nose (a cylinder with corner, the "
        "radius of its lower edge), which are decided by steps from inside and outside: unknown between them. The JSON "
        "document "
        "then has the keys part, tool, verdict, moves, gouging and unknown (numbers of moves), chord_error and gouges, "
        "a list with move (from 0), line, verdict, rapid, cutter, triangle (null: the tool is within the part), depth "
        "(bounds of how much smaller the tool would have to be), from and to.\n"
        "\n"
        "A tool that tilts (five axes) is a compound shape of spheres, cylinders and cones that goes from pose to "
        "pose: "
        "graze path PART TOOL.json POSES --continuous. There touching counts as well.\n"
        "\n"
        "The exit code is 0 when it is proved that nothing meets, 1 for an impact or a gouge, and 4 when it is "
        "unknown, or no certificate was found.",
    .arguments = arguments,
    .argument_count = COUNT_OF(arguments),
    .least_arguments = 1,
    .most_arguments = 2,
    .options = options,
    .option_count = COUNT_OF(options),
    .examples = examples,
    .example_count = COUNT_OF(examples),
    .run = run_sweep,
};
