/* SPDX-License-Identifier: MIT */
/* graze check: collision test of two mesh files. One visit of all hits (with a budget: a search that stops in time)
 * gives the counts, the witness and the list. */
#include <stdlib.h>
#include <string.h>

#include "commands/check.h"
#include "commands/commands.h"
#include "commands/method_option.h"
#include "shell/load.h"
#include "shell/parse_numbers.h"

static bool append(check_run *run, const graze_hit *hit)
{
    if (run->list_count == run->list_capacity)
    {
        size_t capacity = run->list_capacity == 0 ? 1024 : run->list_capacity * 2;
        listed_pair *list = capacity <= SIZE_MAX / sizeof *list ? realloc(run->list, capacity * sizeof *list) : NULL;
        if (list == NULL)
            return false;
        run->list = list;
        run->list_capacity = capacity;
    }
    run->list[run->list_count++] = (listed_pair){.a = hit->triangle_a,
                                                 .b = hit->triangle_b,
                                                 .crossing = hit->contact.crossing,
                                                 .coplanar = hit->contact.coplanar,
                                                 .feature_a = (uint8_t)hit->contact.feature_a,
                                                 .feature_b = (uint8_t)hit->contact.feature_b};
    return true;
}

bool check_take_hit(check_run *run, const graze_hit *hit)
{
    graze_pair_counts *counts = &run->counts;
    if (counts->pairs == 0)
        run->witness = *hit;
    counts->pairs++;
    counts->touching += !hit->contact.crossing;
    counts->crossing += hit->contact.crossing;
    counts->coplanar += hit->contact.coplanar;
    if (run->list_count < run->list_limit && !append(run, hit))
        run->list_failed = true;
    return !run->list_failed;
}

static bool on_hit(void *user, const graze_hit *hit)
{
    return check_take_hit(user, hit);
}

/* The centroid of the corners of the witness pair's intersection; divides before summing, since sums might overflow. */
graze_status check_find_point(check_run *run)
{
    graze_intersection shared;
    graze_status status = graze_hit_intersection(&run->placed[0], &run->placed[1], &run->witness, &shared);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (shared.count == 1)
    {
        memcpy(run->point, shared.points[0], sizeof run->point);
        return GRAZE_STATUS_OK;
    }
    for (int i = 0; i < shared.count; i++)
        for (int axis = 0; axis < 3; axis++)
            run->point[axis] += shared.points[i][axis] / shared.count;
    return GRAZE_STATUS_OK;
}

static exit_code read_options(check_run *run)
{
    const tool_request *request = run->request;
    static const int places[2] = {OPTION_POSE_A, OPTION_POSE_B};
    char fault[FAULT_SIZE];
    for (int side = 0; side < 2; side++)
    {
        const char *text = request->values[places[side]];
        run->poses[side] = graze_pose_identity();
        if (text != NULL && !parse_pose(text, &run->poses[side], fault))
            return report_error(request->console, EXIT_USAGE, "--pose-%c: %s", "ab"[side], fault);
    }
    const char *pairs = request->values[OPTION_PAIRS];
    if (pairs != NULL && strcmp(pairs, "all") == 0)
        run->list_limit = UINT64_MAX;
    else if (pairs != NULL && !parse_count(pairs, &run->list_limit))
        return report_error(request->console, EXIT_USAGE, "--pairs takes 'all' or a number of pairs, not '%s'", pairs);
    run->tolerance = -1;
    const char *tolerance = request->values[OPTION_TOLERANCE];
    exit_code code = tolerance != NULL ? parse_tolerance(request->console, tolerance, &run->tolerance) : 0;
    if (code == 0)
        code = check_read_margin(run);
    if (code != 0)
        return code;
    return execution_open(request->console, request->values[OPTION_THREADS], request->values[OPTION_BUDGET],
                          &run->execution);
}

static exit_code load_both(check_run *run)
{
    const tool_console *console = run->request->console;
    const graze_context *context = &run->execution.context;
    length_unit unit = UNIT_NONE;
    exit_code code = parse_units(console, run->request->values[OPTION_UNITS], &unit);
    for (int side = 0; code == 0 && side < 2; side++)
    {
        bool solid = run->request->values[OPTION_SOLID] != NULL;
        loaded_shape *file = &run->files[side];
        code = load_shape(console, context, run->request->arguments[side], unit, solid, file);
        run->models[side] = file->model;
        if (code == 0 && !loaded_shape_place(file, &run->poses[side], &run->placed[side].pose))
            code =
                report_error(console, EXIT_USAGE, "--pose-%c, with its scale, leaves the range of doubles", "ab"[side]);
    }
    return code;
}

static exit_code build_trees(check_run *run)
{
    exit_code code = 0;
    for (int side = 0; code == 0 && side < 2; side++)
    {
        run->placed[side].mesh = graze_model_mesh(run->models[side]);
        code = build_tree(run->request->console, &run->execution.context, run->models[side], &run->trees[side]);
        run->placed[side].tree = run->trees[side];
    }
    return code;
}

/* Processes the hits that a search has found, as if they had been visited. */
static graze_status take_hits(check_run *run, graze_search *search)
{
    size_t count = 0;
    graze_status status = graze_search_hits(search, NULL, 0, &count);
    graze_hit *hits = malloc((count + 1) * sizeof *hits);
    if (status == GRAZE_STATUS_OK && hits == NULL)
        status = GRAZE_STATUS_OUT_OF_MEMORY;
    if (status == GRAZE_STATUS_OK)
        status = graze_search_hits(search, hits, count, &count);
    for (size_t i = 0; status == GRAZE_STATUS_OK && i < count; i++)
        on_hit(run, &hits[i]);
    free(hits);
    return status;
}

/* With a budget: searches until the time is up, and stores what is known then. */
static graze_status search_in_time(check_run *run)
{
    graze_search *search = NULL;
    graze_status status = graze_search_create(&run->execution.context, &run->placed[0], &run->placed[1],
                                              GRAZE_SEARCH_HITS, NULL, &search);
    if (status == GRAZE_STATUS_OK)
        status = graze_search_run(search, &run->execution.budget);
    run->finished = status == GRAZE_STATUS_OK;
    if (run->finished || status == GRAZE_STATUS_UNFINISHED)
        status = take_hits(run, search);
    if (status == GRAZE_STATUS_OK)
    {
        run->state = graze_search_examine(search);
        run->stats = run->state.stats;
        status = graze_search_undecided(search, run->undecided, UNDECIDED_LISTED, &run->undecided_count);
        if (run->undecided_count > UNDECIDED_LISTED)
            run->undecided_count = UNDECIDED_LISTED;
    }
    graze_search_destroy(search);
    return status;
}

static graze_status search_all(check_run *run)
{
    graze_pair_options options = graze_pair_options_default();
    options.stats = &run->stats;
    run->finished = true;
    return graze_pair_visit(&run->execution.context, &run->placed[0], &run->placed[1], &options, on_hit, run);
}

static graze_status measure(check_run *run)
{
    const graze_context *context = &run->execution.context;
    const graze_placed_mesh *a = &run->placed[0], *b = &run->placed[1];
    graze_status status = GRAZE_STATUS_OK;
    if (run->request->values[OPTION_DISTANCE] != NULL)
        status = graze_pair_distance(context, a, b, NULL, &run->distance);
    if (status == GRAZE_STATUS_OK && run->tolerance >= 0)
        status = graze_pair_tolerance_count(context, a, b, run->tolerance, NULL, &run->within);
    if (status == GRAZE_STATUS_OK)
        status = check_measure_depth(run);
    return status == GRAZE_STATUS_OK ? check_find_contacts(run) : status;
}

/* Containment has no budget, so that with a budget it is tested only if asked for. */
static exit_code find_answers(check_run *run)
{
    const tool_console *console = run->request->console;
    bool limited = run->execution.budget.seconds > 0, solid = run->request->values[OPTION_SOLID] != NULL;
    graze_status status = limited ? search_in_time(run) : search_all(run);
    if (run->list_failed)
        return report_error(console, EXIT_INTERNAL,
                            "no memory for a list of that many pairs; list fewer with --pairs N");
    run->solid.containment = GRAZE_CONTAINMENT_UNKNOWN;
    run->contains_known = run->finished && (!limited || solid);
    if (status == GRAZE_STATUS_OK && run->contains_known)
    {
        const graze_known_pair known = {.counts = &run->counts};
        status = graze_pair_containment_known(&run->execution.context, &run->placed[0], &run->placed[1], &known, NULL,
                                              &run->solid);
    }
    if (status == GRAZE_STATUS_OK)
        status = measure(run);
    if (status == GRAZE_STATUS_OK && run->counts.pairs > 0)
        status = check_find_point(run);
    if (status != GRAZE_STATUS_OK)
        return report_error(console, exit_code_of(status), "the check failed: %s", graze_status_text(status));
    run->collide = run->counts.pairs > 0 || (solid && run->solid.collide);
    return 0;
}

/* Whether solids whose surfaces are apart may collide all the same, for all that is known. */
static bool is_inside_unknown(const check_run *run)
{
    return run->request->values[OPTION_SOLID] != NULL && run->solid.containment == GRAZE_CONTAINMENT_UNKNOWN;
}

graze_verdict check_verdict(const check_run *run)
{
    if (run->method != NULL)
        return run->method_answer.collide;
    if (run->collide)
        return GRAZE_VERDICT_YES;
    return run->finished && !is_inside_unknown(run) ? GRAZE_VERDICT_NO : GRAZE_VERDICT_UNKNOWN;
}

const char *feature_name(unsigned feature)
{
    static const char *const names[] = {"nothing", "vertex", "edge", "face"};
    return feature < COUNT_OF(names) ? names[feature] : "nothing";
}

const char *contact_name(bool crossing, bool coplanar)
{
    return crossing ? "crossing" : coplanar ? "coplanar" : "touching";
}

const char *part_of(const check_run *run, int side, uint32_t face)
{
    const graze_model *model = run->models[side];
    return graze_model_part_name(model, graze_model_face_part(model, face));
}

static exit_code verdict_code(const check_run *run)
{
    if (run->collide || run->within > 0)
        return EXIT_FOUND;
    if (!run->finished)
        return report_error(run->request->console, EXIT_INCOMPLETE,
                            "the time was up with %llu pairs of volumes undecided",
                            (unsigned long long)run->state.undecided);
    if (is_inside_unknown(run))
        return report_error(
            run->request->console, EXIT_INCOMPLETE,
            "whether one body lies in the other is unknown: the outer surface is not closed, or overlaps itself");
    return EXIT_NOTHING_FOUND;
}

static exit_code check_meshes(check_run *run)
{
    if (run->method != NULL)
        return check_by_method(run);
    exit_code code = build_trees(run);
    if (code == 0)
        code = find_answers(run);
    if (code != 0)
        return code;
    if (run->request->values[OPTION_JSON] != NULL)
        check_write_json(run);
    else
        check_say(run);
    return verdict_code(run);
}

static exit_code run_check(const tool_request *request)
{
    check_run run = {.request = request};
    exit_code code = read_options(&run);
    if (code == 0)
        code = check_find_method(&run);
    if (code == 0)
        code = load_both(&run);
    if (code == 0)
        code = check_method_files(&run);
    if (code == 0)
        code = run.models[0] != NULL && run.models[1] != NULL ? check_meshes(&run) : check_shapes(&run);
    free(run.list);
    free(run.manifolds);
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
};

static const tool_option options[] = {
    [OPTION_POSE_A] = {.name = "pose-a",
                       .value = "NUMBERS",
                       .help =
                           "Where A stands: 12 numbers, the rows of a 3x4 matrix [R|t]. It may also scale, shear or "
                           "mirror. Without it A stands as the file says."},
    [OPTION_POSE_B] = {.name = "pose-b", .value = "NUMBERS", .help = "Where B stands, likewise."},
    [OPTION_PAIRS] = {.name = "pairs",
                      .value = "all|N",
                      .help = "List the pairs of triangles that meet, or the first N of them, by triangle of A, then "
                              "of B. The counts always speak of all."},
    [OPTION_SOLID] = {.name = "solid", .help = "A closed body inside the other is a collision as well."},
    [OPTION_DISTANCE] = {.name = "distance", .help = "Measure how far the surfaces are apart, and where."},
    [OPTION_TOLERANCE] = {.name = "tolerance",
                          .value = "D",
                          .help = "Count the pairs of triangles at most D apart as well. There being one is then a "
                                  "reason for exit code 1."},
    [OPTION_DEPTH] = {.name = "depth",
                      .help = "Measure how deep they are in each other, as solids: the deepest common point, and the "
                              "shortest translation that separates them."},
    [OPTION_CONTACTS] = {.name = "contacts",
                         .help =
                             "List contact points with normals and signed gaps, as a solver takes them (estimated)."},
    [OPTION_MARGIN] = {.name = "margin",
                       .value = "D",
                       .help = "Contacts exist from this gap on. Without it, from a 200th of the smaller one's size."},
    [OPTION_METHOD] =
        {.name = "method",
         .value = "NAME",
         .help = "Answer by a method of the literature instead of the default engine, for study: kdop-18, "
                 "rapid, sphere-tree and others (docs/methods.md). Meshes only, and only whether they collide."},
    [OPTION_METHOD_OPTIONS] = {.name = "method-options", .value = "LIST", .help = METHOD_OPTIONS_HELP},
    [OPTION_UNITS] = SHAPE_UNITS_OPTION,
    [OPTION_THREADS] = THREADS_OPTION,
    [OPTION_BUDGET] = {.name = "budget-ms",
                       .value = "T",
                       .help = "Search for T milliseconds at most (reading files not included) and say what is known "
                               "then. Whether one lies in the other is looked for only with --solid, and like "
                               "--distance and --tolerance not limited."},
    [OPTION_NO_CACHE] = {.name = "no-cache", .help = "As for path. A single check has no use for a cache."},
    [OPTION_STATS] = {.name = "stats", .help = "Say what the search cost."},
    [OPTION_JSON] = {.name = "json", .help = "Write one JSON document."},
};

static const tool_example examples[] = {
    {"graze check housing.stl shaft.stl", "Do the two parts meet as they are drawn?"},
    {"graze check housing.stl shaft.stl --pose-b \"1 0 0 5  0 1 0 0  0 0 1 0\"", "And with the shaft moved 5 along x?"},
    {"graze check crate.obj bolt.obj --solid --pairs 10 --json", "As solids, with the first ten pairs, for a program."},
    {"graze check housing.stl shaft.stl --distance --tolerance 0.1", "How close, and anywhere closer than 0.1?"},
    {"graze check arm.json cell.stl --depth --json", "How deep is a shape of docs/shape-format.md in a mesh?"},
    {"graze check a.stl b.stl --method kdop-18 --stats", "By trees of 18-dops, with the number of overlap tests."},
    {"graze check plant.obj crane.obj --threads 0 --budget-ms 50", "With all processors, and for 50 ms at most."},
};

const tool_command check_command = {
    .name = "check",
    .synopsis = "A B [--pose-a NUMBERS] [--pose-b NUMBERS] [--pairs all|N] [--solid] [--distance] [--tolerance D] "
                "[--depth] [--contacts [--margin D]] [--method NAME [--method-options LIST]] [--units UNIT] [--threads "
                "N] [--budget-ms T] "
                "[--stats] [--json]",
    .summary = "do two meshes or shapes meet?",
    .description =
        "Finds all pairs of triangles, one of A and one of B, that share a point, and says of each whether they only "
        "touch or cross. Triangles are closed sets, so touching counts. The answer is exact for the numbers in the "
        "files and poses, taken at face value: there is no tolerance.\n"
        "\n"
        "The witness is the first pair, with a point that both triangles share. Triangles and faces are numbered from "
        "0 in the order of the file; a polygon with n corners is cut into n - 2 triangles.\n"
        "\n"
        "Shapes (docs/shape-format.md) are decided exactly, too: spheres, boxes, hulls and others, against each other "
        "and against meshes; only with cylinders, cones and ellipsoids an answer may be unknown, within a tiny width "
        "around touching. All but triangles, segments, points and height fields are solid; meshes are with --solid.\n"
        "\n"
        "The JSON document has the keys collide (true, false, or null when unknown), verdict (yes, no or unknown), "
        "pairs, touching, crossing, coplanar (those of the touching pairs that "
        "overlap in a plane), contains (none, a_in_b, b_in_a or unknown), witness (null, or an object with a, b, point "
        "and more), a, b (the meshes), with --pairs pair_list, and with --distance distance "
        "(null when a mesh is empty, or an object with distance, the bounds lower and upper of the true one, the "
        "points on A and B and their triangles), with --tolerance within (true or false) and within_pairs, with "
        "--depth depth and way_out "
        "(each a certified interval [lower, upper], where an unknown upper end is null; null when they do not "
        "overlap), "
        "translation (of B, which separates them) and depth_point, with --contacts contacts (a list of normal, from A "
        "to B, leaf_a, leaf_b and points, each with a, b, gap and feature), with "
        "--stats stats (box_tests, leaf_pairs, "
        "triangle_tests, exact_signs). When the time is up, counts are those of the hits found by then, and undecided "
        "tells how many pairs of volumes are left, which share is done, how far the meshes are apart at least "
        "(certified), and some points where the volumes left to look at overlap, in case a guess is better than "
        "nothing.\n"
        "\n"
        "With --method the document says method, guarantee (exact, yes-sure, no-sure or estimated) and guess (yes or "
        "no, also where the method proves nothing and verdict is unknown), contains is null, and stats has the "
        "method's counters: volumes, updates, primitives and others.\n"
        "\n"
        "With a shape, pairs, touching, crossing and coplanar are null where there are no triangles (a mesh and a "
        "sphere have pairs, of one triangle each, and neither touching nor crossing), contains is null, triangles of a "
        "witness or distance are null where there are none, leaf_a and leaf_b number the shapes of compounds that are "
        "no compounds, and within and overlap are null when unknown.\n"
        "\n"
        "The exit code is 1 for a collision, or for surfaces within the tolerance, and 0 for none; 4 with --solid when "
        "the surfaces are apart but the "
        "outer one is not closed, so that nobody can say, with --budget-ms when the time was up without a hit, and "
        "with curved shapes when it is unknown whether they meet.",
    .arguments = arguments,
    .argument_count = COUNT_OF(arguments),
    .least_arguments = 2,
    .most_arguments = 2,
    .options = options,
    .option_count = COUNT_OF(options),
    .examples = examples,
    .example_count = COUNT_OF(examples),
    .run = run_check,
};
