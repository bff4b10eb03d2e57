/* SPDX-License-Identifier: MIT */
/* graze tree: builds the BVH of a mesh file, prints its statistics, and saves it. */
#include <string.h>

#include "commands/commands.h"
#include "shell/execution.h"
#include "shell/load.h"
#include "shell/output.h"
#include "shell/parse_numbers.h"
#include "shell/text_format.h"
#include "text/json_writer.h"

enum
{
    OPTION_SAVE,
    OPTION_LEAF_SIZE,
    OPTION_THREADS,
    OPTION_JSON
};

typedef struct tree_report
{
    const char *path, *saved; /* NULL: not saved */
    uint64_t leaf_size;
    tool_execution execution;
    graze_model *model;
    graze_tree *tree;
    double build_ms;
    graze_tree_facts facts;
    double bytes_each, bytes_each_with_mesh;
} tree_report;

static exit_code read_options(const tool_request *request, tree_report *report)
{
    const char *leaf_size = request->values[OPTION_LEAF_SIZE];
    report->leaf_size = graze_tree_def_default().leaf_size;
    if (leaf_size != NULL &&
        (!parse_count(leaf_size, &report->leaf_size) || report->leaf_size < 1 || report->leaf_size > 8))
        return report_error(request->console, EXIT_USAGE, "--leaf-size: '%s' is not a number from 1 to 8", leaf_size);
    report->saved = request->values[OPTION_SAVE];
    return execution_open(request->console, request->values[OPTION_THREADS], NULL, &report->execution);
}

/* Measures only the build, with the threads already started. */
static graze_status build(tree_report *report)
{
    graze_tree_def def = graze_tree_def_default();
    def.leaf_size = (uint32_t)report->leaf_size;
    uint64_t start = clock_now();
    graze_status status =
        graze_tree_create(&report->execution.context, graze_model_mesh(report->model), &def, NULL, &report->tree);
    report->build_ms = (double)(clock_now() - start) * 1e-6;
    return status;
}

static void measure(tree_report *report)
{
    const graze_mesh *mesh = graze_model_mesh(report->model);
    report->facts = graze_tree_examine(report->tree);
    double mesh_bytes = 24.0 * (double)graze_mesh_vertex_count(mesh) + 12.0 * (double)graze_mesh_triangle_count(mesh);
    double count = (double)report->facts.triangles;
    report->bytes_each = (double)report->facts.bytes / count;
    report->bytes_each_with_mesh = ((double)report->facts.bytes + mesh_bytes) / count;
}

static exit_code make_report(const tool_request *request, tree_report *report)
{
    exit_code code = load_model(request->console, report->path, &report->model);
    if (code != 0)
        return code;
    graze_status status = build(report);
    if (status != GRAZE_STATUS_OK)
        return report_error(request->console, exit_code_of(status), "%s: %s", report->path, graze_status_text(status));
    measure(report);
    if (report->saved == NULL)
        return 0;
    graze_error error = {.status = GRAZE_STATUS_OK};
    status = graze_tree_write_file(NULL, report->tree, report->saved, &error);
    return status == GRAZE_STATUS_OK ? 0 : report_error(request->console, exit_code_of(status), "%s", error.text);
}

static void write_json(const tree_report *report)
{
    const graze_tree_facts *facts = &report->facts;
    grz_sink out = file_sink(stdout);
    grz_json_writer json = grz_json_start(&out);
    grz_json_open(&json, GRZ_JSON_LONG_OBJECT);
    grz_json_put_key(&json, "file");
    grz_json_put_text(&json, report->path);
    grz_json_put_key(&json, "triangles");
    grz_json_put_count(&json, facts->triangles);
    grz_json_put_key(&json, "nodes");
    grz_json_put_count(&json, facts->nodes);
    grz_json_put_key(&json, "leaves");
    grz_json_put_count(&json, facts->leaves);
    grz_json_put_key(&json, "depth");
    grz_json_put_count(&json, facts->depth);
    const struct
    {
        const char *key;
        double value;
    } reals[] = {{"fill", facts->fill},
                 {"cost", facts->cost},
                 {"quality", facts->quality},
                 {"bytes_per_triangle", report->bytes_each},
                 {"bytes_per_triangle_with_mesh", report->bytes_each_with_mesh},
                 {"ms", report->build_ms}};
    for (size_t i = 0; i < COUNT_OF(reals); i++)
    {
        grz_json_put_key(&json, reals[i].key);
        grz_json_put_real(&json, reals[i].value);
    }
    grz_json_put_key(&json, "bytes");
    grz_json_put_count(&json, facts->bytes);
    grz_json_put_key(&json, "leaf_size");
    grz_json_put_count(&json, report->leaf_size);
    grz_json_put_key(&json, "threads");
    grz_json_put_count(&json, report->execution.threads);
    grz_json_put_key(&json, "saved");
    if (report->saved != NULL)
        grz_json_put_text(&json, report->saved);
    else
        grz_json_put_null(&json);
    grz_json_close(&json);
}

static void say_row(const char *label, const char *text)
{
    printf("  %-20s  %s\n", label, text);
}

static void say_everything(const tool_console *console, const tree_report *report)
{
    const graze_tree_facts *facts = &report->facts;
    printf("%s%s%s\n", console_tone(console, TONE_BOLD), report->path, console_tone(console, TONE_PLAIN));
    say_row("triangles", grz_grouped(facts->triangles).text);
    say_row("built in", human_time(report->build_ms * 1e6).text);
    say_row("nodes", grz_grouped(facts->nodes).text);
    say_row("leaves", grz_grouped(facts->leaves).text);
    say_row("depth", grz_grouped(facts->depth).text);
    printf("  %-20s  %.0f %% of the leaves' places\n", "fill", 100 * facts->fill);
    printf("  %-20s  %.2f\n", "cost", facts->cost);
    printf("  %-20s  %.2f\n", "quality", facts->quality);
    printf("  %-20s  %s, %.1f a triangle, %.1f with the mesh\n", "bytes", grz_grouped(facts->bytes).text,
           report->bytes_each, report->bytes_each_with_mesh);
    if (report->saved != NULL)
    {
        printf("  %-20s  ", "saved as");
        print_name(stdout, report->saved);
        putchar('\n');
    }
}

static exit_code run_tree(const tool_request *request)
{
    tree_report report = {.path = request->arguments[0]};
    exit_code code = read_options(request, &report);
    if (code == 0)
        code = make_report(request, &report);
    if (code == 0 && request->values[OPTION_JSON] != NULL)
        write_json(&report);
    else if (code == 0)
        say_everything(request->console, &report);
    graze_tree_destroy(report.tree);
    graze_model_destroy(report.model);
    execution_close(&report.execution);
    return code;
}

static const tool_argument arguments[] = {
    {"FILE", "A mesh file: STL, OBJ, PLY, OFF or glTF, also gzip-compressed; - is standard input."},
};

static const tool_option options[] = {
    [OPTION_SAVE] = {.name = "save", .value = "OUT", .help = "Save the tree, to be mapped by graze_tree_map_file."},
    [OPTION_LEAF_SIZE] = {.name = "leaf-size", .value = "N", .help = "Triangles a leaf may hold, 1 to 8 (default 8)."},
    [OPTION_THREADS] = THREADS_OPTION,
    [OPTION_JSON] = {.name = "json", .help = "Write one JSON document."},
};

static const tool_example examples[] = {
    {"graze tree part.stl", "How large is it, how long does it take?"},
    {"graze tree part.stl --save part.tree", "Keep it for a program that maps it."},
};

const tool_command tree_command = {
    .name = "tree",
    .synopsis = "FILE [--save OUT] [--leaf-size N] [--threads N] [--json]",
    .summary = "builds, measures and saves the search tree of a mesh",
    .description =
        "Builds the tree that queries search a mesh by, and says how long that took and what it is like. Nodes have up "
        "to eight children, leaves hold up to eight triangles. Fill is the share of the leaves' places in use. Cost "
        "is the sum of the surfaces of all boxes over that of the outermost one, as the surface area heuristic has it: "
        "of two trees over one mesh the cheaper one is mostly the faster. Quality compares the cost with that when the "
        "tree was built, which is 1 here.\n"
        "\n"
        "A saved tree has a checksum and the fingerprint of its mesh: it is refused when it was cut or altered, and "
        "for "
        "any other mesh. It depends on the version of Graze that wrote it; docs/formats.md says more.\n"
        "\n"
        "The JSON document has the keys file, triangles, nodes, leaves, depth, fill, cost, quality, bytes, "
        "bytes_per_triangle, bytes_per_triangle_with_mesh, ms (of building), leaf_size, threads and saved (a path or "
        "null).",
    .arguments = arguments,
    .argument_count = COUNT_OF(arguments),
    .least_arguments = 1,
    .most_arguments = 1,
    .options = options,
    .option_count = COUNT_OF(options),
    .examples = examples,
    .example_count = COUNT_OF(examples),
    .run = run_tree,
};
