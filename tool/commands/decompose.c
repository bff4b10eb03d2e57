/* SPDX-License-Identifier: MIT */
/* graze decompose: divides the body of a mesh file into convex pieces. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/commands.h"
#include "graze/decomposition.h"
#include "graze/topology.h"
#include "shell/load_shape.h"
#include "shell/output.h"
#include "shell/parse_numbers.h"
#include "shell/shape_output.h"
#include "shell/text_format.h"
#include "text/json_writer.h"

enum
{
    OPTION_OUTPUT,
    OPTION_PIECES,
    OPTION_EXCESS,
    OPTION_JSON,
    MOST_PIECES = 100000
};

typedef struct decompose_report
{
    const char *path, *output; /* NULL: not written */
    graze_decomposition_options options;
    bool has_excess;
    graze_shape_set *set;   /* the file, */
    const graze_mesh *mesh; /* and its mesh */
    graze_mesh_facts facts;
    graze_decomposition *decomposition;
    graze_piece_excess worst;
    double volume; /* of all pieces */
} decompose_report;

static exit_code read_options(const tool_request *request, decompose_report *report)
{
    const char *pieces = request->values[OPTION_PIECES], *excess = request->values[OPTION_EXCESS];
    uint64_t count = 32;
    report->output = request->values[OPTION_OUTPUT];
    report->options = graze_decomposition_options_default();
    report->has_excess = excess != NULL;
    if (pieces != NULL && (!parse_count(pieces, &count) || count < 1 || count > MOST_PIECES))
        return report_error(request->console, EXIT_USAGE, "--pieces: '%s' is not a number from 1 to 100000", pieces);
    report->options.most_pieces = (size_t)count;
    char fault[FAULT_SIZE];
    size_t read = 0;
    if (excess != NULL && (!parse_numbers(excess, &report->options.excess, 1, &read, fault) || read != 1 ||
                           !(report->options.excess >= 0)))
        return report_error(request->console, EXIT_USAGE, "--excess: '%s' is not a number of at least 0", excess);
    if (report->output == NULL)
        return request->values[OPTION_JSON] != NULL ? 0
                                                    : report_error(request->console, EXIT_USAGE,
                                                                   "say where to write it: -o FILE.json, or -o - for "
                                                                   "standard output; or ask for --json alone");
    size_t length = strlen(report->output);
    if (strcmp(report->output, "-") == 0)
        return request->values[OPTION_JSON] == NULL
                   ? 0
                   : report_error(request->console, EXIT_USAGE, "-o - and --json both write to standard output");
    if (length > 5 && strcmp(report->output + length - 5, ".json") == 0)
        return 0;
    return report_error(request->console, EXIT_USAGE, "'%s' does not end in .json", report->output);
}

static graze_status decompose(decompose_report *report)
{
    const graze_mesh *mesh = report->mesh;
    graze_status status = graze_mesh_examine(NULL, mesh, NULL, NULL, &report->facts);
    if (status != GRAZE_STATUS_OK)
        return status;
    double diagonal = 0;
    for (int axis = 0; axis < 3; axis++)
        diagonal = hypot(diagonal, report->facts.bounds.upper[axis] - report->facts.bounds.lower[axis]);
    if (!report->has_excess)
        report->options.excess = isfinite(diagonal) ? 0.01 * diagonal : 0;
    status = graze_decomposition_create(NULL, mesh, &report->options, &report->decomposition);
    for (size_t i = 0; status == GRAZE_STATUS_OK && i < graze_decomposition_piece_count(report->decomposition); i++)
    {
        graze_mesh_facts facts;
        graze_piece_excess excess = graze_decomposition_excess(report->decomposition, i);
        status = graze_mesh_examine(NULL, graze_decomposition_piece(report->decomposition, i), NULL, NULL, &facts);
        if (status == GRAZE_STATUS_OK && facts.closed)
            report->volume += facts.volume;
        report->worst.lower = fmax(report->worst.lower, excess.lower);
        report->worst.upper = fmax(report->worst.upper, excess.upper);
    }
    return status;
}

static exit_code write_pieces(const tool_console *console, const decompose_report *report)
{
    size_t count = graze_decomposition_piece_count(report->decomposition);
    const graze_mesh **pieces = calloc(count + 1, sizeof(graze_mesh *));
    if (pieces == NULL)
        return report_error(console, EXIT_INTERNAL, "out of memory");
    for (size_t i = 0; i < count; i++)
        pieces[i] = graze_decomposition_piece(report->decomposition, i);
    exit_code code = shape_output_hulls(console, report->output, pieces, count);
    free(pieces);
    return code;
}

static exit_code make_report(const tool_console *console, decompose_report *report)
{
    exit_code code = load_faces(console, report->path, &report->set, &report->mesh);
    if (code != 0)
        return code;
    graze_status status = decompose(report);
    if (status != GRAZE_STATUS_OK)
        return report_error(console, exit_code_of(status), "%s: %s", report->path, graze_status_text(status));
    return report->output == NULL ? 0 : write_pieces(console, report);
}

static void write_excess(grz_json_writer *json, graze_piece_excess excess)
{
    const double ends[2] = {excess.lower, excess.upper};
    grz_json_put_key(json, "excess");
    grz_json_put_reals(json, ends, 2);
}

static void write_json(const decompose_report *report)
{
    grz_sink out = file_sink(stdout);
    grz_json_writer json = grz_json_start(&out);
    grz_json_open(&json, GRZ_JSON_LONG_OBJECT);
    grz_json_put_member_text(&json, "file", report->path);
    grz_json_put_key(&json, "closed");
    grz_json_put_bool(&json, report->facts.closed);
    grz_json_put_key(&json, "volume");
    if (report->facts.closed && report->facts.oriented)
        grz_json_put_real(&json, report->facts.volume);
    else
        grz_json_put_null(&json);
    grz_json_put_key(&json, "wanted_excess");
    grz_json_put_real(&json, report->options.excess);
    write_excess(&json, report->worst);
    grz_json_put_key(&json, "pieces_volume");
    grz_json_put_real(&json, report->volume);
    grz_json_put_key(&json, "pieces");
    grz_json_open(&json, GRZ_JSON_LONG_ARRAY);
    for (size_t i = 0; i < graze_decomposition_piece_count(report->decomposition); i++)
    {
        const graze_mesh *piece = graze_decomposition_piece(report->decomposition, i);
        grz_json_open(&json, GRZ_JSON_SHORT_OBJECT);
        grz_json_put_member_count(&json, "vertices", graze_mesh_vertex_count(piece));
        write_excess(&json, graze_decomposition_excess(report->decomposition, i));
        grz_json_close(&json);
    }
    grz_json_close(&json);
    grz_json_put_member_text(&json, "written", report->output);
    grz_json_close(&json);
}

static exit_code run_decompose(const tool_request *request)
{
    decompose_report report = {.path = request->arguments[0]};
    exit_code code = read_options(request, &report);
    if (code == 0)
        code = make_report(request->console, &report);
    if (code == 0 && request->values[OPTION_JSON] != NULL)
        write_json(&report);
    else if (code == 0)
    {
        print_note(request->console, "%s, none farther than %.4g from the body",
                   grz_counted(graze_decomposition_piece_count(report.decomposition), "piece").text,
                   report.worst.upper);
        if (!report.facts.closed)
            print_note(request->console, "the mesh is not closed: distances are those from its surface");
    }
    graze_decomposition_destroy(report.decomposition);
    graze_shape_set_destroy(report.set);
    return code;
}

static const tool_argument arguments[] = {
    {"FILE", "A mesh file: STL, OBJ, PLY, OFF or glTF, or a shape file of a hull, box or height field, also "
             "gzip-compressed; - is standard input."},
};

static const tool_option options[] = {
    [OPTION_OUTPUT] = {.name = "output",
                       .letter = 'o',
                       .value = "OUT.json",
                       .help = "Where to: a shape file with the compound of all pieces; - is standard output."},
    [OPTION_PIECES] = {.name = "pieces", .value = "N", .help = "At most N pieces (default 32)."},
    [OPTION_EXCESS] = {.name = "excess",
                       .value = "E",
                       .help = "Pieces that reach out of the body by at most E are not divided further (default: a "
                               "hundredth of the diagonal of the AABB)."},
    [OPTION_JSON] = {.name = "json", .help = "Write one JSON document about the pieces."},
};

static const tool_example examples[] = {
    {"graze decompose chair.stl -o chair.json", "Convex pieces of a chair,"},
    {"graze decompose chair.stl -o chair.json --pieces 8", "fewer of them,"},
    {"graze decompose chair.stl --excess 0.5 --json", "and how many it takes within half a millimetre."},
};

const tool_command decompose_command = {
    .name = "decompose",
    .synopsis = "FILE [-o OUT.json] [--pieces N] [--excess E] [--json]",
    .summary = "divides a body into convex pieces",
    .description =
        "Divides the body of a closed mesh into convex pieces, for programs that want convex shapes. The body is cut "
        "by "
        "planes across the axes; a piece is the convex hull of what lies between cuts. The piece that reaches farthest "
        "out of the body is cut first, where the hulls of both halves are smallest, until none reaches out by more "
        "than "
        "the excess or there are enough pieces.\n"
        "\n"
        "The pieces together contain the body, which is proved exactly. How far a piece reaches out of it is known "
        "between two bounds. A mesh that is not closed counts as a surface.\n"
        "\n"
        "The shape file is a compound of hulls (docs/shape-format.md).\n"
        "\n"
        "The JSON document has the keys file, closed, volume (null where the mesh is not closed and oriented), "
        "wanted_excess, excess (lower and upper bound of the largest), pieces_volume (their sum), pieces (each with "
        "vertices and excess) and written (a path or null).",
    .arguments = arguments,
    .argument_count = COUNT_OF(arguments),
    .least_arguments = 1,
    .most_arguments = 1,
    .options = options,
    .option_count = COUNT_OF(options),
    .examples = examples,
    .example_count = COUNT_OF(examples),
    .run = run_decompose,
};
