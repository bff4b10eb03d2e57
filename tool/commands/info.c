/* SPDX-License-Identifier: MIT */
/* graze info: properties of mesh files, as a table or as JSON; of shapes: info_shape.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/commands.h"
#include "commands/info.h"
#include "graze/topology.h"
#include "shell/load.h"
#include "shell/load_shape.h"
#include "shell/output.h"
#include "shell/text_format.h"
#include "text/json_writer.h"

enum
{
    OPTION_JSON,
    SHOWN_PARTS = 20, /* in a table; JSON lists all */
    SHOWN_PAIRS = 8
};

typedef struct mesh_report
{
    const char *path;
    loaded_shape file;
    const graze_model *model; /* of the file; NULL: a shape */
    graze_mesh_facts facts;
    size_t irregular_faces;
    graze_face_pair misoriented[SHOWN_PAIRS];
    size_t misoriented_count;
    size_t *part_triangles;
    size_t part_count;
} mesh_report;

static graze_status count_parts(mesh_report *report)
{
    const graze_mesh *mesh = graze_model_mesh(report->model);
    report->part_count = graze_model_part_count(report->model);
    report->part_triangles = calloc(report->part_count + 1, sizeof *report->part_triangles);
    if (report->part_triangles == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    for (size_t i = 0; i < graze_mesh_triangle_count(mesh); i++)
        report->part_triangles[graze_model_face_part(report->model, graze_mesh_triangle_face(mesh, i))]++;
    return GRAZE_STATUS_OK;
}

static graze_status examine(mesh_report *report)
{
    const graze_mesh *mesh = graze_model_mesh(report->model);
    graze_topology *topology = NULL;
    graze_status status = graze_topology_create(NULL, mesh, NULL, &topology);
    if (status == GRAZE_STATUS_OK)
        status = graze_mesh_examine(NULL, mesh, topology, NULL, &report->facts);
    if (status == GRAZE_STATUS_OK)
        status =
            graze_topology_misoriented_faces(topology, report->misoriented, SHOWN_PAIRS, &report->misoriented_count);
    graze_topology_destroy(topology);
    report->irregular_faces = graze_mesh_irregular_face_count(mesh);
    return status == GRAZE_STATUS_OK ? count_parts(report) : status;
}

static exit_code make_report(const tool_console *console, const char *path, mesh_report *report)
{
    *report = (mesh_report){.path = path};
    exit_code code = load_shape(console, NULL, path, UNIT_NONE, false, &report->file);
    report->model = report->file.model;
    if (code != 0 || report->model == NULL)
        return code;
    graze_status status = examine(report);
    if (status != GRAZE_STATUS_OK)
        return report_error(console, exit_code_of(status), "%s: %s", path, graze_status_text(status));
    return 0;
}

static void release_report(mesh_report *report)
{
    free(report->part_triangles);
    loaded_shape_release(&report->file);
}

/* Only a closed and oriented surface has a volume. */
static bool has_volume(const graze_mesh_facts *facts)
{
    return facts->closed && facts->oriented && isfinite(facts->volume);
}

typedef struct named_count
{
    const char *key;
    uint64_t count;
} named_count;

typedef struct named_bool
{
    const char *key;
    bool value;
} named_bool;

static void write_counts(grz_json_writer *json, const mesh_report *report)
{
    const graze_mesh_facts *facts = &report->facts;
    const named_count counts[] = {
        {"triangles", facts->triangles},
        {"faces", facts->faces},
        {"vertices", facts->vertices},
        {"distinct_vertices", facts->distinct_vertices},
        {"edges", facts->edges},
        {"components", facts->components},
        {"boundary_edges", facts->boundary_edges},
        {"nonmanifold_edges", facts->nonmanifold_edges},
        {"nonmanifold_vertices", facts->nonmanifold_vertices},
        {"misoriented_edges", facts->misoriented_edges},
        {"degenerate", facts->degenerate},
        {"zero_area", facts->zero_area},
        {"duplicates", facts->duplicates},
        {"t_junctions", facts->t_junctions},
        {"nonflat_faces", facts->nonflat_face_count},
        {"nonconvex_faces", facts->nonconvex_face_count},
        {"irregular_faces", report->irregular_faces},
    };
    for (size_t i = 0; i < COUNT_OF(counts); i++)
    {
        grz_json_put_key(json, counts[i].key);
        grz_json_put_count(json, counts[i].count);
    }
}

static void write_booleans(grz_json_writer *json, const graze_mesh_facts *facts)
{
    const named_bool booleans[] = {
        {"closed", facts->closed},         {"manifold", facts->manifold},     {"oriented", facts->oriented},
        {"convex", facts->convex},         {"flat_faces", facts->flat_faces}, {"convex_faces", facts->convex_faces},
        {"solid_mass", facts->solid_mass},
    };
    for (size_t i = 0; i < COUNT_OF(booleans); i++)
    {
        grz_json_put_key(json, booleans[i].key);
        grz_json_put_bool(json, booleans[i].value);
    }
}

static void write_measures(grz_json_writer *json, const graze_mesh_facts *facts)
{
    grz_json_put_key(json, "area");
    grz_json_put_real(json, facts->area);
    grz_json_put_key(json, "volume");
    if (has_volume(facts))
        grz_json_put_real(json, facts->volume);
    else
        grz_json_put_null(json);
    grz_json_put_key(json, "bounds");
    grz_json_open(json, GRZ_JSON_SHORT_ARRAY);
    grz_json_put_reals(json, facts->bounds.lower, 3);
    grz_json_put_reals(json, facts->bounds.upper, 3);
    grz_json_close(json);
    grz_json_put_key(json, "centre_of_mass");
    grz_json_put_reals(json, facts->centre_of_mass, 3);
    grz_json_put_key(json, "inertia");
    grz_json_put_reals(json, facts->inertia, 6);
}

static void write_lists(grz_json_writer *json, const mesh_report *report)
{
    grz_json_put_key(json, "misoriented_faces");
    grz_json_open(json, GRZ_JSON_SHORT_ARRAY);
    for (size_t i = 0; i < report->misoriented_count && i < SHOWN_PAIRS; i++)
    {
        grz_json_open(json, GRZ_JSON_SHORT_ARRAY);
        grz_json_put_count(json, report->misoriented[i].first);
        grz_json_put_count(json, report->misoriented[i].second);
        grz_json_close(json);
    }
    grz_json_close(json);
    grz_json_put_key(json, "parts");
    grz_json_open(json, GRZ_JSON_LONG_ARRAY);
    for (size_t part = 0; part < report->part_count; part++)
    {
        grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
        grz_json_put_key(json, "name");
        grz_json_put_text(json, graze_model_part_name(report->model, part));
        grz_json_put_key(json, "triangles");
        grz_json_put_count(json, report->part_triangles[part]);
        grz_json_close(json);
    }
    grz_json_close(json);
}

static void write_json(grz_json_writer *json, const mesh_report *report)
{
    grz_json_open(json, GRZ_JSON_LONG_OBJECT);
    grz_json_put_key(json, "file");
    grz_json_put_text(json, report->path);
    grz_json_put_key(json, "format");
    grz_json_put_text(json, format_name(graze_model_format(report->model)));
    write_counts(json, report);
    write_booleans(json, &report->facts);
    write_measures(json, &report->facts);
    write_lists(json, report);
    grz_json_close(json);
}

/* With several files, one that cannot be read keeps its entry in the document. */
static void write_failure(grz_json_writer *json, const char *path, exit_code code)
{
    grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
    grz_json_put_key(json, "file");
    grz_json_put_text(json, path);
    grz_json_put_key(json, "error");
    grz_json_put_count(json, (uint64_t)code);
    grz_json_close(json);
}

static void say_row(const char *label, const char *text)
{
    printf("  %-20s  %s\n", label, text);
}

static void say_count(const char *label, uint64_t count)
{
    say_row(label, grz_grouped(count).text);
}

/* Prints a line only if there is something wrong. */
static void say_trouble(const char *label, uint64_t count)
{
    if (count > 0)
        say_count(label, count);
}

static void say_size(const mesh_report *report)
{
    const graze_mesh_facts *facts = &report->facts;
    say_row("format", format_name(graze_model_format(report->model)));
    say_count("triangles", facts->triangles);
    if (facts->faces != facts->triangles)
        say_count("faces", facts->faces);
    if (facts->vertices != facts->distinct_vertices)
        printf("  %-20s  %s, %s of them distinct\n", "vertices", grz_grouped(facts->vertices).text,
               grz_grouped(facts->distinct_vertices).text);
    else
        say_count("vertices", facts->vertices);
    say_count("edges", facts->edges);
    say_count("components", facts->components);
}

static const char *yes_no(bool value)
{
    return value ? "yes" : "no";
}

static void say_nature(const mesh_report *report)
{
    const graze_mesh_facts *facts = &report->facts;
    say_row("closed", yes_no(facts->closed));
    say_row("manifold", yes_no(facts->manifold));
    say_row("oriented", yes_no(facts->oriented));
    say_row("convex", yes_no(facts->convex));
    if (facts->faces != facts->triangles)
    {
        say_row("flat faces", yes_no(facts->flat_faces));
        say_row("convex faces", yes_no(facts->convex_faces));
    }
    say_trouble("boundary edges", facts->boundary_edges);
    say_trouble("nonmanifold edges", facts->nonmanifold_edges);
    say_trouble("nonmanifold vertices", facts->nonmanifold_vertices);
    say_trouble("T-junctions", facts->t_junctions);
    say_trouble("degenerate", facts->degenerate);
    say_trouble("zero area", facts->zero_area);
    say_trouble("duplicates", facts->duplicates);
    say_trouble("nonflat faces", facts->nonflat_face_count);
    say_trouble("nonconvex faces", facts->nonconvex_face_count);
    say_trouble("irregular faces", report->irregular_faces);
    say_trouble("misoriented edges", facts->misoriented_edges);
    for (size_t i = 0; i < report->misoriented_count && i < SHOWN_PAIRS; i++)
        printf("  %-20s  faces %u and %u run through their edge in the same direction\n", "",
               report->misoriented[i].first, report->misoriented[i].second);
    if (report->misoriented_count > SHOWN_PAIRS)
        printf("  %-20s  ... and %s more\n", "", grz_grouped(report->misoriented_count - SHOWN_PAIRS).text);
}

static void say_vector(const char *label, const double *numbers, size_t count)
{
    printf("  %-20s ", label);
    for (size_t i = 0; i < count; i++)
        printf(" %14s", human_real(numbers[i]).text);
    putchar('\n');
}

static void say_measures(const graze_mesh_facts *facts)
{
    double size[3];
    for (int axis = 0; axis < 3; axis++)
        size[axis] = facts->bounds.upper[axis] - facts->bounds.lower[axis];
    say_row("area", human_real(facts->area).text);
    say_row("volume", has_volume(facts) ? human_real(facts->volume).text : "none: not closed and oriented");
    say_vector("lower", facts->bounds.lower, 3);
    say_vector("upper", facts->bounds.upper, 3);
    say_vector("size", size, 3);
    say_vector(facts->solid_mass ? "centre of mass" : "centre of area", facts->centre_of_mass, 3);
    say_vector("inertia xx yy zz", facts->inertia, 3);
    say_vector("inertia xy yz zx", facts->inertia + 3, 3);
}

static void say_parts(const mesh_report *report)
{
    if (report->part_count < 2)
        return;
    say_count("parts", report->part_count);
    for (size_t part = 0; part < report->part_count && part < SHOWN_PARTS; part++)
    {
        printf("  %20s  '", "");
        print_name(stdout, graze_model_part_name(report->model, part));
        printf("', %s\n", grz_counted(report->part_triangles[part], "triangle").text);
    }
    if (report->part_count > SHOWN_PARTS)
        printf("  %20s  ... and %s more\n", "", grz_grouped(report->part_count - SHOWN_PARTS).text);
}

static void say_everything(const tool_console *console, const mesh_report *report)
{
    printf("%s%s%s\n", console_tone(console, TONE_BOLD), report->path, console_tone(console, TONE_PLAIN));
    say_size(report);
    say_nature(report);
    say_measures(&report->facts);
    say_parts(report);
}

/* One file gives an object, several give an array. A file that fails does not stop the others. */
static exit_code run_info(const tool_request *request)
{
    bool as_json = request->values[OPTION_JSON] != NULL, several = request->argument_count > 1;
    exit_code worst = 0;
    grz_sink out = file_sink(stdout);
    grz_json_writer json = grz_json_start(&out);
    if (as_json && several)
        grz_json_open(&json, GRZ_JSON_LONG_ARRAY);
    for (size_t i = 0; i < request->argument_count; i++)
    {
        mesh_report report;
        exit_code code = make_report(request->console, request->arguments[i], &report);
        if (code == 0 && as_json && report.model == NULL)
            info_write_shape(&json, report.path, report.file.shape);
        else if (code == 0 && as_json)
            write_json(&json, &report);
        else if (code == 0)
        {
            printf("%s", i > 0 ? "\n" : "");
            if (report.model == NULL)
                info_say_shape(request->console, report.path, report.file.shape);
            else
                say_everything(request->console, &report);
        }
        else if (as_json && several)
            write_failure(&json, request->arguments[i], code);
        release_report(&report);
        worst = code > worst ? code : worst;
    }
    if (as_json && several)
        grz_json_close(&json);
    return worst;
}

static const tool_argument arguments[] = {
    {"FILE",
     "Mesh files (STL, OBJ, PLY, OFF or glTF) or shape files (JSON), also gzip-compressed; - is standard input."},
};

static const tool_option options[] = {
    [OPTION_JSON] = {.name = "json", .help = "Write one JSON document: an object, or for several files an array."},
};

static const tool_example examples[] = {
    {"graze info part.stl", "What is this?"},
    {"graze info part.obj --json", "For a program."},
};

const tool_command info_command = {
    .name = "info",
    .synopsis = "FILE... [--json]",
    .summary = "what is in a mesh or shape file?",
    .description =
        "Says how many triangles, faces, vertices and edges there are and how they hang together. Vertices are merged "
        "when all three coordinates are equal, so that an STL file can be closed. Counts and yes-or-no answers are "
        "exact.\n"
        "\n"
        "Closed: every edge has exactly two triangles. Manifold: no edge has more than two (vertices where several "
        "fans of triangles meet are counted apart). Oriented: triangles that share an edge agree which side is out. "
        "Convex: one closed body that contains the segment between any two of its points. Boundary edges have one "
        "triangle, nonmanifold edges three or more. Degenerate triangles repeat a vertex; duplicates repeat the "
        "corners "
        "of an earlier triangle. A T-junction is a vertex inside an edge it does not belong to.\n"
        "\n"
        "The JSON document has at least the keys triangles, faces, vertices, distinct_vertices, edges, components, "
        "closed, manifold, oriented, convex, boundary_edges, nonmanifold_edges, degenerate, duplicates, area, volume "
        "(null unless closed and oriented), bounds (two corners), centre_of_mass, inertia (xx, yy, zz, xy, yz, zx for "
        "density 1) and parts. Of a shape file (docs/shape-format.md) it has kind, solid, bounds (rounded outward, "
        "with "
        "null for what has no end), the numbers of its kind, vertices and faces of hulls and boxes, the core of a "
        "rounded shape, and the parts of a compound, each with its pose.",
    .arguments = arguments,
    .argument_count = COUNT_OF(arguments),
    .least_arguments = 1,
    .most_arguments = ANY_NUMBER,
    .options = options,
    .option_count = COUNT_OF(options),
    .examples = examples,
    .example_count = COUNT_OF(examples),
    .run = run_info,
};
