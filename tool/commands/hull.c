/* SPDX-License-Identifier: MIT */
/* graze hull: the convex hull of a mesh file, or a simpler one around it. */
#include <stdlib.h>
#include <string.h>

#include "commands/commands.h"
#include "graze/hull.h"
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
    OPTION_VERTICES,
    OPTION_JSON
};

typedef struct hull_report
{
    const char *path, *output;  /* NULL: not written */
    uint64_t most_vertices;     /* 0: no limit */
    graze_shape_set *set;       /* the file, */
    const graze_mesh *mesh;     /* and its mesh */
    graze_mesh *hull, *simpler; /* simpler: NULL without a limit */
    graze_mesh_facts model_facts, hull_facts, simpler_facts;
} hull_report;

static exit_code read_options(const tool_request *request, hull_report *report)
{
    const char *vertices = request->values[OPTION_VERTICES];
    report->output = request->values[OPTION_OUTPUT];
    if (vertices != NULL && (!parse_count(vertices, &report->most_vertices) || report->most_vertices < 4))
        return report_error(request->console, EXIT_USAGE, "--vertices: '%s' is not a number of at least 4", vertices);
    if (report->output == NULL)
        return request->values[OPTION_JSON] != NULL
                   ? 0
                   : report_error(request->console, EXIT_USAGE,
                                  "say where to write it: -o FILE, or -o - for standard "
                                  "output; or ask for --json alone");
    if (strcmp(report->output, "-") == 0 && request->values[OPTION_JSON] != NULL)
        return report_error(request->console, EXIT_USAGE, "-o - and --json both write to standard output");
    return shape_output_check(request->console, report->output);
}

/* The vertices that faces use. NULL when out of memory. */
static double *used_vertices(const graze_mesh *mesh, size_t *out_count)
{
    size_t corners = 3 * graze_mesh_triangle_count(mesh), count = 0;
    const uint32_t *triangles = graze_mesh_triangles(mesh);
    const double *vertices = graze_mesh_vertices(mesh);
    bool *used = calloc(graze_mesh_vertex_count(mesh) + 1, sizeof *used);
    double *points = malloc((3 * graze_mesh_vertex_count(mesh) + 1) * sizeof *points);
    for (size_t i = 0; used != NULL && i < corners; i++)
        used[triangles[i]] = true;
    for (size_t v = 0; used != NULL && points != NULL && v < graze_mesh_vertex_count(mesh); v++)
        if (used[v])
            memcpy(points + 3 * count++, vertices + 3 * v, 3 * sizeof *points);
    free(used);
    *out_count = count;
    return points;
}

static graze_status make_hulls(hull_report *report)
{
    size_t count = 0;
    double *points = used_vertices(report->mesh, &count);
    graze_status status = GRAZE_STATUS_OUT_OF_MEMORY;
    if (points != NULL)
        status = graze_mesh_create_hull(NULL, points, count, NULL, &report->hull);
    if (status == GRAZE_STATUS_OK && report->most_vertices > 0)
        status =
            graze_mesh_create_outer_hull(NULL, points, count, (size_t)report->most_vertices, NULL, &report->simpler);
    free(points);
    return status;
}

static exit_code make_report(const tool_console *console, hull_report *report)
{
    exit_code code = load_faces(console, report->path, &report->set, &report->mesh);
    if (code != 0)
        return code;
    graze_status status = make_hulls(report);
    if (status == GRAZE_STATUS_NOT_FINITE)
        return report_error(console, EXIT_INPUT, "%s: the numbers are too large for a hull of %s vertices around them",
                            report->path, grz_grouped(report->most_vertices).text);
    if (status == GRAZE_STATUS_OK)
        status = graze_mesh_examine(NULL, report->mesh, NULL, NULL, &report->model_facts);
    if (status == GRAZE_STATUS_OK)
        status = graze_mesh_examine(NULL, report->hull, NULL, NULL, &report->hull_facts);
    if (status == GRAZE_STATUS_OK && report->simpler != NULL)
        status = graze_mesh_examine(NULL, report->simpler, NULL, NULL, &report->simpler_facts);
    if (status != GRAZE_STATUS_OK)
        return report_error(console, exit_code_of(status), "%s: %s", report->path, graze_status_text(status));
    return report->output == NULL
               ? 0
               : shape_output_hull(console, report->output, report->simpler != NULL ? report->simpler : report->hull);
}

static void write_hull(grz_json_writer *json, const char *key, const graze_mesh_facts *facts)
{
    grz_json_put_key(json, key);
    grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
    grz_json_put_member_count(json, "vertices", facts->vertices);
    grz_json_put_member_count(json, "faces", facts->faces);
    grz_json_put_key(json, "volume");
    grz_json_put_real(json, facts->closed ? facts->volume : 0);
    grz_json_put_key(json, "area");
    grz_json_put_real(json, facts->area);
    grz_json_close(json);
}

static void write_json(const hull_report *report)
{
    grz_sink out = file_sink(stdout);
    grz_json_writer json = grz_json_start(&out);
    grz_json_open(&json, GRZ_JSON_LONG_OBJECT);
    grz_json_put_member_text(&json, "file", report->path);
    grz_json_put_member_count(&json, "vertices", report->model_facts.vertices);
    grz_json_put_key(&json, "volume");
    if (report->model_facts.closed && report->model_facts.oriented)
        grz_json_put_real(&json, report->model_facts.volume);
    else
        grz_json_put_null(&json);
    grz_json_put_key(&json, "convex");
    grz_json_put_bool(&json, report->model_facts.convex);
    write_hull(&json, "hull", &report->hull_facts);
    if (report->simpler != NULL)
        write_hull(&json, "simplified", &report->simpler_facts);
    else
    {
        grz_json_put_key(&json, "simplified");
        grz_json_put_null(&json);
    }
    grz_json_put_member_text(&json, "written", report->output);
    grz_json_close(&json);
}

static void say_everything(const tool_console *console, const hull_report *report)
{
    const graze_mesh_facts *facts = report->simpler != NULL ? &report->simpler_facts : &report->hull_facts;
    print_note(console, "hull: %s %s, %s", grz_grouped(facts->vertices).text,
               facts->vertices == 1 ? "vertex" : "vertices", grz_counted(facts->faces, "face").text);
    if (report->simpler != NULL && report->hull_facts.volume > 0)
        print_note(console, "the exact hull has %s vertices; this one is %.3g %% larger",
                   grz_grouped(report->hull_facts.vertices).text,
                   100 * (report->simpler_facts.volume / report->hull_facts.volume - 1));
}

static exit_code run_hull(const tool_request *request)
{
    hull_report report = {.path = request->arguments[0]};
    exit_code code = read_options(request, &report);
    if (code == 0)
        code = make_report(request->console, &report);
    if (code == 0 && request->values[OPTION_JSON] != NULL)
        write_json(&report);
    else if (code == 0)
        say_everything(request->console, &report);
    graze_mesh_destroy(report.hull);
    graze_mesh_destroy(report.simpler);
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
                       .value = "OUT",
                       .help = "Where to: a mesh file (.stl, .obj, .ply, .off) or a shape file (.json); - is standard "
                               "output, as a shape file. Binary STL rounds coordinates to float."},
    [OPTION_VERTICES] = {.name = "vertices",
                         .value = "K",
                         .help = "A hull of at most K vertices, 4 or more, that contains every vertex of the file; "
                                 "larger than the hull itself."},
    [OPTION_JSON] = {.name = "json", .help = "Write one JSON document about it."},
};

static const tool_example examples[] = {
    {"graze hull part.stl -o hull.obj", "The convex hull, with polygons as faces,"},
    {"graze hull part.stl -o hull.json --vertices 32", "a simpler one around it, as a shape file,"},
    {"graze hull part.stl --json", "and how large it would be."},
};

const tool_command hull_command = {
    .name = "hull",
    .synopsis = "FILE [-o OUT] [--vertices K] [--json]",
    .summary = "the convex hull of a mesh",
    .description =
        "Makes the convex hull of the vertices that faces use. It is exact: its vertices are vertices of the file as "
        "they are, its faces the real ones, with polygons where triangles are coplanar. A flat hull is a polygon with "
        "two faces, back to back; a segment or a point is one triangle.\n"
        "\n"
        "With --vertices, faces are left out, first those that add the least volume, until few enough vertices are "
        "left. Their coordinates are rounded, and it is proved by exact signs that every vertex of the file lies in "
        "the result.\n"
        "\n"
        "A shape file is {\"kind\":\"hull\",\"points\":[...]}: the vertices.\n"
        "\n"
        "The JSON document has the keys file, vertices (of the file), volume (null where the file is not closed), "
        "convex, hull and simplified (null without --vertices), each with vertices, faces, volume and area, and "
        "written (a path or null).",
    .arguments = arguments,
    .argument_count = COUNT_OF(arguments),
    .least_arguments = 1,
    .most_arguments = 1,
    .options = options,
    .option_count = COUNT_OF(options),
    .examples = examples,
    .example_count = COUNT_OF(examples),
    .run = run_hull,
};
