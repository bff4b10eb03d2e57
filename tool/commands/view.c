/* SPDX-License-Identifier: MIT */
/* graze view: writes models as a report page, without checking them. */
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <string.h>

#include "commands/commands.h"
#include "graze/depth.h"
#include "page/report.h"
#include "page/title.h"
#include "page/viewer_page.h"
#include "scene/inputs.h"
#include "shell/execution.h"
#include "shell/file_hash.h"
#include "shell/output.h"
#include "shell/text_format.h"

enum
{
    OPTION_OUTPUT,
    OPTION_UNITS,
    OPTION_FULL_TRIANGLES,
    OPTION_THREADS,
    OPTION_QUIET
};

enum
{
    VIEW_BUDGET = 3000000 /* no part matters more than others here, so all may be stored in full */
};

/* The state of one run. */
typedef struct view_run
{
    const tool_request *request;
    tool_execution execution;
    length_unit unit;
    size_t budget;
    tool_inputs inputs;
    input_warnings warnings;
    graze_status *statuses; /* by mesh */
    bool *closed;
    page_input *files;
    char (*hashes)[GRZ_SHA256_TEXT_SIZE];
    page_part *parts;
} view_run;

static exit_code read_options(view_run *run)
{
    const tool_request *request = run->request;
    const char *units = request->values[OPTION_UNITS], *budget = request->values[OPTION_FULL_TRIANGLES];
    run->unit = units != NULL ? unit_named(units) : UNIT_NONE;
    if (units != NULL && run->unit == UNIT_NONE)
        return report_error(request->console, EXIT_USAGE, "--units takes mm, cm, m, in or ft, not '%s'", units);
    run->budget = VIEW_BUDGET;
    if (budget != NULL && !page_budget_from(budget, &run->budget))
        return report_error(request->console, EXIT_USAGE, "--full-triangles takes a number from 0, not '%s'", budget);
    if (page_size == 0)
        return report_error(request->console, EXIT_USAGE,
                            "this graze was built without the viewer; with npm at hand, build it again");
    return execution_open(request->console, request->values[OPTION_THREADS], NULL, &run->execution);
}

/* Whether a mesh is closed decides whether the viewer fills its cross-sections. */
static void examine_mesh(void *argument, size_t mesh)
{
    view_run *run = argument;
    graze_body *body = NULL;
    run->statuses[mesh] = graze_body_create(&run->execution.context, run->inputs.meshes[mesh], NULL, &body);
    run->closed[mesh] = run->statuses[mesh] == GRAZE_STATUS_OK && graze_body_is_closed(body);
    graze_body_destroy(body);
}

static exit_code examine(view_run *run)
{
    size_t count = run->inputs.mesh_count;
    run_tasks(&run->execution.context, count, examine_mesh, run);
    for (size_t i = 0; i < count; i++)
        if (run->statuses[i] != GRAZE_STATUS_OK)
            return report_error(run->request->console, exit_code_of(run->statuses[i]),
                                "the parts could not be prepared: %s", graze_status_text(run->statuses[i]));
    return 0;
}

static exit_code prepare(view_run *run)
{
    const tool_inputs *inputs = &run->inputs;
    run->statuses = calloc(inputs->mesh_count + 1, sizeof *run->statuses);
    run->closed = calloc(inputs->mesh_count + 1, sizeof *run->closed);
    run->files = calloc(inputs->paths.count + 1, sizeof *run->files);
    run->hashes = calloc(inputs->paths.count + 1, sizeof *run->hashes);
    run->parts = calloc(inputs->part_count + 1, sizeof *run->parts);
    if (run->statuses == NULL || run->closed == NULL || run->files == NULL || run->hashes == NULL ||
        run->parts == NULL || !inputs_warn(inputs, NULL, &run->warnings))
        return report_error(run->request->console, EXIT_INTERNAL, "out of memory");
    exit_code code = examine(run);
    for (size_t i = 0; i < inputs->paths.count; i++)
    {
        run->files[i].path = inputs->paths.files[i].path;
        run->files[i].sha256 = run->hashes[i];
        if (strcmp(run->files[i].path, "-") == 0)
        {
            memcpy(run->hashes[i], inputs->standard_input_hash, sizeof run->hashes[i]);
            run->files[i].size = inputs->standard_input_size;
        }
        else
            sha256_file(run->files[i].path, run->hashes[i], &run->files[i].size);
    }
    for (size_t i = 0; i < inputs->part_count; i++)
    {
        const input_part *part = &inputs->parts[i];
        run->parts[i] = (page_part){.name = part->name,
                                    .file = part->file,
                                    .mesh = inputs_mesh(inputs, part),
                                    .pose = part->pose,
                                    .shape = part->shape,
                                    .piece = part->piece,
                                    .closed = run->closed[part->mesh]};
    }
    return code;
}

static void write_problems(grz_json_writer *json, const void *user)
{
    const view_run *run = user;
    grz_json_put_key(json, "problems");
    grz_json_open(json, GRZ_JSON_LONG_ARRAY);
    for (size_t i = 0; i < run->inputs.problem_count; i++)
        page_problem(json, run->inputs.problems[i].part, run->inputs.problems[i].what);
    for (size_t i = 0; i < run->warnings.count; i++)
        page_problem(json, NULL, run->warnings.texts[i]);
    grz_json_close(json);
}

static bool write_page(const void *user, FILE *out)
{
    const view_run *run = user;
    page_report page = {.inputs = run->files,
                        .input_count = run->inputs.paths.count,
                        .parts = run->parts,
                        .part_count = run->inputs.part_count,
                        .units = run->inputs.unit != UNIT_NONE ? unit_name(run->inputs.unit) : NULL,
                        .budget = run->budget,
                        .write_body = write_problems,
                        .user = run};
    return page_write(&page, out);
}

/* Whether a file that the user did not name may be overwritten: it does not exist, or is a page of graze view. In pages
 * of graze clash, "findings" begins a line of the JSON that follows the viewer. */
static bool is_replaceable(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return true;
    bool is_page = false, has_findings = false, ended = false;
    char *line = NULL;
    size_t room = 0;
    while (!ended && getline(&line, &room, file) > 0)
    {
        is_page = is_page || strstr(line, "id=\"graze-report\">{") != NULL;
        has_findings = has_findings || (is_page && strncmp(line, "  \"findings\"", 12) == 0);
        ended = is_page && strstr(line, "</script>") != NULL;
    }
    free(line);
    fclose(file);
    return is_page && !has_findings;
}

static exit_code write_output(view_run *run)
{
    const tool_console *console = run->request->console;
    const char *output = run->request->values[OPTION_OUTPUT];
    char *title = page_title(run->files, run->inputs.paths.count);
    char *name = title != NULL ? format_text("%s.html", title) : NULL;
    free(title);
    if (name == NULL)
        return report_error(console, EXIT_INTERNAL, "out of memory");
    exit_code code;
    if (output == NULL && !is_replaceable(name))
        code = report_error(console, EXIT_INPUT,
                            "%s is there already, and is not a page of models alone; say where to write with -o", name);
    else
        code = output_write(console, output != NULL ? output : name, write_page, run);
    bool says_it = run->request->values[OPTION_QUIET] == NULL && (output == NULL || strcmp(output, "-") != 0);
    uint64_t triangles = 0;
    for (size_t i = 0; i < run->inputs.part_count; i++)
        if (run->parts[i].shape == NULL || graze_shape_has_triangles(run->parts[i].shape))
            triangles += graze_mesh_triangle_count(run->parts[i].mesh);
    if (code == 0 && says_it)
    {
        print_name(stdout, output != NULL ? output : name);
        printf(": %s, %s\n", grz_counted(run->inputs.part_count, "part").text, grz_counted(triangles, "triangle").text);
    }
    free(name);
    return code;
}

/* Reports inputs that are not shown, and warnings. Returns whether anything is missing. */
static bool tell_problems(const view_run *run)
{
    const tool_console *console = run->request->console;
    bool left_out = false;
    for (size_t i = 0; i < run->inputs.problem_count; i++)
    {
        const input_problem *problem = &run->inputs.problems[i];
        print_note(console, "%s: %s", problem->part, problem->what);
        left_out = left_out || problem->left_out;
    }
    for (size_t i = 0; i < run->warnings.count && run->request->values[OPTION_QUIET] == NULL; i++)
        print_note(console, "%s", run->warnings.texts[i]);
    return left_out;
}

static exit_code show(view_run *run)
{
    const tool_request *request = run->request;
    exit_code code =
        inputs_read_pieces(request->console, &run->execution.context, (const char *const *)request->arguments,
                           request->argument_count, run->unit, &run->inputs);
    if (code == 0)
        code = prepare(run);
    if (code != 0)
        return code;
    bool left_out = tell_problems(run);
    if (run->inputs.part_count == 0)
        return left_out ? EXIT_INPUT : report_error(request->console, EXIT_INCOMPLETE, "there is nothing to show");
    code = write_output(run);
    return code == 0 && left_out ? EXIT_INCOMPLETE : code;
}

static exit_code run_view(const tool_request *request)
{
    view_run run = {.request = request};
    exit_code code = read_options(&run);
    if (code == 0)
        code = show(&run);
    free(run.statuses);
    free(run.closed);
    free(run.files);
    free(run.hashes);
    free(run.parts);
    warnings_release(&run.warnings);
    inputs_release(&run.inputs);
    execution_close(&run.execution);
    return code;
}

static const tool_argument arguments[] = {
    INPUTS_ARGUMENT,
};

static const tool_option options[] = {
    [OPTION_OUTPUT] = {.name = "output",
                       .letter = 'o',
                       .value = "FILE",
                       .help = "Where to; - is standard output. Default: the name of the file, or of the folder the "
                               "files are in, with .html, in the current folder."},
    [OPTION_UNITS] = {.name = "units",
                      .value = "UNIT",
                      .help = "The unit of files that state none, and of the page: mm, cm, m, in or ft. glTF, in "
                              "metres, is converted. Without, numbers are taken as they are."},
    [OPTION_FULL_TRIANGLES] = {.name = "full-triangles",
                               .value = "N",
                               .help = "How many triangles the page holds in full, small meshes first; what is above "
                                       "is simplified to as many once more. Default: 3000000."},
    [OPTION_THREADS] = THREADS_OPTION,
    [OPTION_QUIET] = {.name = "quiet", .help = "Say nothing but what is left out."},
};

static const tool_example examples[] = {
    {"graze view gear.stl", "Writes gear.html, to be opened in any browser."},
    {"graze view parts/ bracket.obj -o all.html", "Several, in one page."},
    {"graze view gearbox.glb --units mm", "Lengths in millimetres."},
    {"graze view scan.ply.gz --full-triangles 500000", "A large scan, light enough for a phone."},
};

const tool_command view_command = {
    .name = "view",
    .synopsis = "PATH... [-o FILE] [--units UNIT] [--full-triangles N] [--threads N] [--quiet]",
    .summary = "models as a page to look at",
    .description =
        "Writes one HTML file that holds everything: the parts as a tree, to be shown and hidden, and a view in 3D "
        "with sections, wireframe and explosion. Shapes are drawn as what they are, the pieces of a compound in "
        "different "
        "colours. It opens from disk, on a phone too, without network. Parts that "
        "cannot be read are named, and the rest is shown.\n"
        "\n"
        "The exit code is 0 when everything is shown, 4 when parts are left out or there was nothing to show, 3 when "
        "no input could be read or the page cannot be written.",
    .arguments = arguments,
    .argument_count = COUNT_OF(arguments),
    .least_arguments = 1,
    .most_arguments = ANY_NUMBER,
    .options = options,
    .option_count = COUNT_OF(options),
    .examples = examples,
    .example_count = COUNT_OF(examples),
    .run = run_view,
};
