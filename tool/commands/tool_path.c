/* SPDX-License-Identifier: MIT */
/* Gouges of a tool path; see tool_path.h. */
#include "commands/tool_path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "page/viewer_page.h"
#include "scene/cutter_stack.h"
#include "shell/execution.h"
#include "shell/load.h"
#include "shell/load_shape.h"
#include "shell/output.h"
#include "shell/parse_numbers.h"
#include "shell/text_format.h"
#include "text/json_writer.h"

enum
{
    MOST_LINES = 50 /* of gouges on a terminal */
};

typedef struct tool_path
{
    const tool_console *console;
    const tool_path_words *words;
    cutting_tool tool;
    gcode_program program;
    graze_tool_move *moves; /* of the program, in a row */
    graze_gouge *gouges;
    cutter_stack outer; /* of the tool, and */
    cutter_stack inner; /* if that is another one */
    loaded_shape part;
    graze_mesh *scaled;     /* of the part, where its file has a scale; NULL: its own mesh */
    const graze_mesh *mesh; /* whichever of both it is */
    graze_tree *tree;
    double chord_error, threshold;
    size_t counts[3]; /* of moves, by verdict */
} tool_path;

/* A number of the command line; `absent` where it is not given. */
static exit_code take_number(const tool_console *console, const char *option, const char *text, double absent,
                             bool may_be_zero, double *out)
{
    char fault[FAULT_SIZE];
    size_t count = 0;
    *out = absent;
    if (text == NULL)
        return 0;
    if (parse_numbers(text, out, 1, &count, fault) && count == 1 && (*out > 0 || (may_be_zero && *out == 0)))
        return 0;
    return report_error(console, EXIT_USAGE, "%s takes a number %s 0, not '%s'", option, may_be_zero ? "from" : "above",
                        text);
}

static exit_code read_inputs(tool_path *path)
{
    const tool_path_words *words = path->words;
    bool dog_legs = words->rapids != NULL && strcmp(words->rapids, "dog-leg") == 0;
    if (words->rapids != NULL && !dog_legs && strcmp(words->rapids, "straight") != 0)
        return report_error(path->console, EXIT_USAGE, "--rapids takes straight or dog-leg, not '%s'", words->rapids);
    if (words->moves == NULL)
        return report_error(path->console, EXIT_USAGE, "--tool needs --moves FILE, a G-code program");
    exit_code code = take_number(path->console, "--chord-error", words->chord_error, 0.001, false, &path->chord_error);
    if (code == 0)
        code = take_number(path->console, "--threshold", words->threshold, 0, true, &path->threshold);
    if (code == 0)
        code = cutting_tool_read(path->console, words->tool, words->tip, &path->tool);
    if (code == 0)
        code = gcode_read(path->console, words->moves, path->chord_error, &path->program);
    size_t count = path->program.count;
    if (code != 0)
        return code;
    if (count == 0)
        return report_error(path->console, EXIT_INCOMPLETE, "%s: there is no move", words->moves);
    path->moves = malloc(count * sizeof *path->moves);
    path->gouges = calloc(count, sizeof *path->gouges);
    bool has_stacks = cutter_stack_make(&path->tool, true, path->threshold, &path->outer) &&
                      cutter_stack_make(&path->tool, false, path->threshold + path->chord_error, &path->inner);
    if (path->moves == NULL || path->gouges == NULL || !has_stacks)
        return report_error(path->console, EXIT_INTERNAL, "out of memory for the moves");
    for (size_t i = 0; i < count; i++)
    {
        gcode_move *move = &path->program.moves[i];
        move->move.dog_leg = dog_legs && move->rapid;
        path->moves[i] = move->move;
    }
    return 0;
}

/* A copy of the part's mesh with its coordinates scaled, rounded once. */
static exit_code scale_part(tool_path *path)
{
    const graze_mesh *mesh = graze_model_mesh(path->part.model);
    size_t count = 3 * graze_mesh_vertex_count(mesh);
    double *vertices = malloc((count + 1) * sizeof *vertices);
    graze_mesh_def def = graze_mesh_def_default();
    graze_status status = GRAZE_STATUS_OUT_OF_MEMORY;
    for (size_t i = 0; vertices != NULL && i < count; i++)
        vertices[i] = graze_mesh_vertices(mesh)[i] * path->part.scale;
    def.vertices = vertices;
    def.vertex_count = count / 3;
    def.corners = graze_mesh_triangles(mesh);
    def.corner_count = 3 * graze_mesh_triangle_count(mesh);
    if (vertices != NULL)
        status = graze_mesh_create(NULL, &def, NULL, &path->scaled);
    free(vertices);
    return status == GRAZE_STATUS_OK ? 0
                                     : report_error(path->console, exit_code_of(status), "%s: with its scale: %s",
                                                    path->words->part, graze_status_text(status));
}

static exit_code load_part(tool_path *path, const graze_mesh **out_mesh)
{
    length_unit unit = UNIT_NONE;
    exit_code code = parse_units(path->console, path->words->units, &unit);
    if (code == 0)
        code = load_shape(path->console, NULL, path->words->part, unit, false, &path->part);
    if (code != 0)
        return code;
    if (path->part.model == NULL)
        return report_error(path->console, EXIT_INPUT, "%s: a part is a mesh, not a shape", path->words->part);
    *out_mesh = graze_model_mesh(path->part.model);
    if (path->part.scale != 1)
    {
        code = scale_part(path);
        *out_mesh = path->scaled;
    }
    if (code != 0)
        return code;
    graze_status status = graze_tree_create(NULL, *out_mesh, NULL, NULL, &path->tree);
    return status == GRAZE_STATUS_OK ? 0
                                     : report_error(path->console, exit_code_of(status), "%s: %s", path->words->part,
                                                    graze_status_text(status));
}

/* Moves that gouge with one cutter, which is a cone or bull nose. */
typedef struct gouging_moves
{
    cutting_tool one; /* that cutter alone */
    graze_tool_move *moves;
    size_t *of; /* by those: the move of the path */
    graze_gouge *gouges;
    size_t count;
} gouging_moves;

/* Whether a cutter that is smaller by `depth` gouges in these moves: certainly, with its inner steps; certainly not,
 * with its outer ones. Bounds of depths get narrower. */
static graze_status try_depth(tool_path *path, const graze_tool_path_options *options, gouging_moves *these, bool outer,
                              double depth)
{
    cutter_stack stack;
    graze_tool_path_options smaller = *options;
    smaller.threshold = depth;
    smaller.depth_steps = 0;
    bool done = cutter_stack_make(&these->one, outer, depth + path->chord_error, &stack);
    graze_status status = done ? graze_tool_path_check(NULL, path->mesh, path->tree, stack.cutters, stack.count,
                                                       these->moves, these->count, &smaller, these->gouges)
                               : GRAZE_STATUS_OUT_OF_MEMORY;
    for (size_t i = 0; status == GRAZE_STATUS_OK && i < these->count; i++)
    {
        graze_gouge *gouge = &path->gouges[these->of[i]];
        if (!outer && these->gouges[i].verdict == GRAZE_VERDICT_YES)
            gouge->depth_lower = fmax(gouge->depth_lower, depth);
        if (outer && these->gouges[i].verdict == GRAZE_VERDICT_NO)
            gouge->depth_upper = fmin(gouge->depth_upper, depth);
    }
    cutter_stack_release(&stack);
    return status;
}

/* Depths of gouges of a cone or bull nose, as far as its steps tell: whether they exceed half of its radius, a quarter
 * and so on. */
static graze_status measure_profile(tool_path *path, const graze_tool_path_options *options, uint32_t cutter)
{
    enum
    {
        HALVINGS = 8
    };
    gouging_moves *these = calloc(1, sizeof *these);
    size_t count = path->program.count;
    graze_status status = these != NULL ? GRAZE_STATUS_OK : GRAZE_STATUS_OUT_OF_MEMORY;
    if (these == NULL)
        return status;
    these->one.count = 1;
    these->one.cutters[0] = path->tool.cutters[cutter];
    these->one.profiles[0] = path->tool.profiles[cutter];
    these->moves = calloc(count + 1, sizeof *these->moves);
    these->of = calloc(count + 1, sizeof *these->of);
    these->gouges = calloc(count + 1, sizeof *these->gouges);
    bool has_room = these->moves != NULL && these->of != NULL && these->gouges != NULL;
    for (size_t i = 0; has_room && i < count; i++)
        if (path->gouges[i].verdict == GRAZE_VERDICT_YES && path->gouges[i].cutter == cutter)
        {
            these->of[these->count] = i;
            these->moves[these->count++] = path->moves[i];
        }
    status = has_room ? GRAZE_STATUS_OK : GRAZE_STATUS_OUT_OF_MEMORY;
    double depth = path->tool.cutters[cutter].radius;
    for (int k = 0; k < HALVINGS && these->count > 0 && status == GRAZE_STATUS_OK; k++)
    {
        depth *= 0.5;
        status = try_depth(path, options, these, true, depth);
        if (status == GRAZE_STATUS_OK)
            status = try_depth(path, options, these, false, depth);
    }
    free(these->moves);
    free(these->of);
    free(these->gouges);
    free(these);
    return status;
}

/* Of a tool with cones or bull noses: what its outer stack gouges is certain where the inner one does so too. How deep
 * a step is bounds how deep its cutter is from below alone. */
static graze_status check_inner(tool_path *path, const graze_tool_path_options *options)
{
    graze_gouge *inner = calloc(path->program.count + 1, sizeof *inner);
    graze_status status =
        inner != NULL ? graze_tool_path_check(NULL, path->mesh, path->tree, path->inner.cutters, path->inner.count,
                                              path->moves, path->program.count, options, inner)
                      : GRAZE_STATUS_OUT_OF_MEMORY;
    for (size_t i = 0; status == GRAZE_STATUS_OK && i < path->program.count; i++)
    {
        graze_gouge *gouge = &path->gouges[i];
        if (gouge->verdict == GRAZE_VERDICT_NO)
            continue;
        if (inner[i].verdict != GRAZE_VERDICT_YES)
        {
            *gouge = (graze_gouge){GRAZE_VERDICT_UNKNOWN, gouge->cutter, GRAZE_NO_INDEX, 0, 0};
            continue;
        }
        *gouge = inner[i];
        gouge->cutter = path->inner.owners[gouge->cutter];
        if (path->tool.profiles[gouge->cutter].kind != PROFILE_NONE)
            gouge->depth_upper = path->tool.cutters[gouge->cutter].radius;
    }
    free(inner);
    for (uint32_t i = 0; status == GRAZE_STATUS_OK && i < path->tool.count; i++)
        if (path->tool.profiles[i].kind != PROFILE_NONE)
            status = measure_profile(path, options, i);
    return status;
}

static exit_code check(tool_path *path)
{
    exit_code code = load_part(path, &path->mesh);
    tool_execution execution = {0};
    if (code == 0)
        code = execution_open(path->console, NULL, path->words->budget, &execution);
    if (code != 0)
        return code;
    graze_tool_path_options options = graze_tool_path_options_default();
    options.threshold = path->threshold;
    options.surface = path->words->surface;
    options.budget = execution.budget;
    graze_status status = graze_tool_path_check(NULL, path->mesh, path->tree, path->outer.cutters, path->outer.count,
                                                path->moves, path->program.count, &options, path->gouges);
    for (size_t i = 0; status == GRAZE_STATUS_OK && i < path->program.count; i++)
        path->gouges[i].cutter = path->outer.owners[path->gouges[i].cutter];
    if (status == GRAZE_STATUS_OK && cutting_tool_has_profile(&path->tool))
        status = check_inner(path, &options);
    execution_close(&execution);
    for (size_t i = 0; status == GRAZE_STATUS_OK && i < path->program.count; i++)
        path->counts[path->gouges[i].verdict]++;
    if (status == GRAZE_STATUS_BAD_ARGUMENT)
        return report_error(path->console, EXIT_INPUT,
                            "%s: it is not closed, so what is within it is not known; --surface takes it as its "
                            "surface alone",
                            path->words->part);
    return status == GRAZE_STATUS_OK ? 0
                                     : report_error(path->console, exit_code_of(status), "%s: %s", path->words->part,
                                                    graze_status_text(status));
}

static const char *verdict_word(graze_verdict verdict)
{
    return verdict == GRAZE_VERDICT_YES ? "yes" : verdict == GRAZE_VERDICT_NO ? "no" : "unknown";
}

static graze_verdict verdict_of(const tool_path *path)
{
    return path->counts[GRAZE_VERDICT_YES] > 0       ? GRAZE_VERDICT_YES
           : path->counts[GRAZE_VERDICT_UNKNOWN] > 0 ? GRAZE_VERDICT_UNKNOWN
                                                     : GRAZE_VERDICT_NO;
}

static void write_move(grz_json_writer *json, const tool_path *path, size_t i)
{
    const graze_gouge *gouge = &path->gouges[i];
    const gcode_move *move = &path->program.moves[i];
    grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
    grz_json_put_member_count(json, "move", i);
    grz_json_put_member_count(json, "line", move->line);
    grz_json_put_member_text(json, "verdict", verdict_word(gouge->verdict));
    grz_json_put_key(json, "rapid");
    grz_json_put_bool(json, move->rapid);
    grz_json_put_member_text(json, "cutter", path->tool.names[gouge->cutter]);
    grz_json_put_key(json, "triangle");
    if (gouge->triangle == GRAZE_NO_INDEX)
        grz_json_put_null(json);
    else
        grz_json_put_count(json, gouge->triangle);
    grz_json_put_key(json, "depth");
    if (gouge->verdict == GRAZE_VERDICT_YES)
        grz_json_put_reals(json, (const double[2]){gouge->depth_lower, gouge->depth_upper}, 2);
    else
        grz_json_put_null(json);
    grz_json_put_key(json, "from");
    grz_json_put_reals(json, move->move.start, 3);
    grz_json_put_key(json, "to");
    grz_json_put_reals(json, move->move.end, 3);
    grz_json_close(json);
}

static bool write_json(const void *user, FILE *file)
{
    const tool_path *path = user;
    grz_sink out = file_sink(file);
    grz_json_writer json = grz_json_start(&out);
    grz_json_open(&json, GRZ_JSON_LONG_OBJECT);
    grz_json_put_member_text(&json, "part", path->words->part);
    grz_json_put_member_text(&json, "tool", path->words->tool);
    grz_json_put_member_text(&json, "verdict", verdict_word(verdict_of(path)));
    grz_json_put_member_count(&json, "moves", path->program.count);
    grz_json_put_member_count(&json, "gouging", path->counts[GRAZE_VERDICT_YES]);
    grz_json_put_member_count(&json, "unknown", path->counts[GRAZE_VERDICT_UNKNOWN]);
    grz_json_put_key(&json, "chord_error");
    grz_json_put_real(&json, path->chord_error);
    grz_json_put_key(&json, "gouges");
    grz_json_open(&json, GRZ_JSON_LONG_ARRAY);
    for (size_t i = 0; i < path->program.count; i++)
        if (path->gouges[i].verdict != GRAZE_VERDICT_NO)
            write_move(&json, path, i);
    grz_json_close(&json);
    grz_json_close(&json);
    return true;
}

static void say_move(const tool_path *path, size_t i)
{
    const graze_gouge *gouge = &path->gouges[i];
    const gcode_move *move = &path->program.moves[i];
    printf("  line %llu: %s%s", (unsigned long long)move->line, move->rapid ? "rapid, " : "",
           path->tool.names[gouge->cutter]);
    if (gouge->verdict != GRAZE_VERDICT_YES)
        printf(": unknown within the chord error%s\n",
               path->tool.profiles[gouge->cutter].kind != PROFILE_NONE ? " and the steps of the cutter" : "");
    else if (gouge->triangle == GRAZE_NO_INDEX)
        printf(": within the part\n");
    else
        printf(": %.6g to %.6g deep, at triangle %llu\n", gouge->depth_lower, gouge->depth_upper,
               (unsigned long long)gouge->triangle);
}

static void say_everything(const tool_path *path)
{
    size_t said = 0, found = path->counts[GRAZE_VERDICT_YES] + path->counts[GRAZE_VERDICT_UNKNOWN];
    if (found == 0)
    {
        printf("no gouge in %s\n", grz_counted(path->program.count, "move").text);
        return;
    }
    printf("%s of %s gouge%s", grz_grouped(path->counts[GRAZE_VERDICT_YES]).text,
           grz_counted(path->program.count, "move").text, path->counts[GRAZE_VERDICT_UNKNOWN] > 0 ? "" : "\n");
    if (path->counts[GRAZE_VERDICT_UNKNOWN] > 0)
        printf("; %s unknown\n", grz_grouped(path->counts[GRAZE_VERDICT_UNKNOWN]).text);
    for (size_t i = 0; i < path->program.count && said < MOST_LINES; i++)
        if (path->gouges[i].verdict != GRAZE_VERDICT_NO)
        {
            say_move(path, i);
            said++;
        }
    if (said < found)
        printf("  and %s more; --json lists them all\n", grz_grouped(found - said).text);
}

static exit_code write_page(const tool_path *path)
{
    const tool_path_answer answer = {.words = path->words,
                                     .part = path->mesh,
                                     .closed = !path->words->surface,
                                     .tool = &path->tool,
                                     .program = &path->program,
                                     .gouges = path->gouges,
                                     .counts = path->counts};
    return output_write(path->console, path->words->html, tool_path_write_page, &answer);
}

exit_code tool_path_run(const tool_console *console, const tool_path_words *words)
{
    if (words->html != NULL && page_size == 0)
        return report_error(console, EXIT_USAGE,
                            "this graze was built without the viewer that --html needs; with npm at hand, build it "
                            "again");
    tool_path path = {.console = console, .words = words};
    exit_code code = read_inputs(&path);
    if (code == 0)
        code = check(&path);
    if (code == 0 && words->json != NULL)
        code = output_write(console, words->json, write_json, &path);
    if (code == 0 && words->html != NULL)
        code = write_page(&path);
    if (code == 0 && (words->json == NULL || strcmp(words->json, "-") != 0))
        say_everything(&path);
    if (code == 0)
        code = verdict_of(&path) == GRAZE_VERDICT_YES  ? EXIT_FOUND
               : verdict_of(&path) == GRAZE_VERDICT_NO ? EXIT_NOTHING_FOUND
                                                       : EXIT_INCOMPLETE;
    graze_tree_destroy(path.tree);
    graze_mesh_destroy(path.scaled);
    loaded_shape_release(&path.part);
    gcode_release(&path.program);
    cutter_stack_release(&path.outer);
    cutter_stack_release(&path.inner);
    free(path.moves);
    free(path.gouges);
    return code;
}
