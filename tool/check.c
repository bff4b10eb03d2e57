/* SPDX-License-Identifier: MIT */
/* graze check: do two mesh files meet? One visit of all pairs gives the counts, the witness and the list. */
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "graze/pair.h"
#include "json.h"
#include "load.h"
#include "numbers.h"
#include "words.h"

enum
{
    OPTION_POSE_A,
    OPTION_POSE_B,
    OPTION_PAIRS,
    OPTION_SOLID,
    OPTION_JSON
};

typedef struct listed_pair
{
    uint32_t a, b;
    uint8_t crossing, coplanar, feature_a, feature_b;
} listed_pair;

typedef struct check_run
{
    const tool_request *request;
    graze_model *models[2];
    graze_tree *trees[2];
    graze_placed_mesh placed[2];

    graze_pair_counts counts;
    graze_hit witness; /* the first hit, if there is any */
    double point[3];
    listed_pair *list;
    size_t list_count, list_capacity;
    uint64_t list_limit;
    bool list_failed;

    graze_solid_answer solid;
    bool collide;
} check_run;

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

static bool on_hit(void *user, const graze_hit *hit)
{
    check_run *run = user;
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

static graze_placed_triangle triangle_of(const graze_placed_mesh *placed, uint32_t triangle)
{
    const double *vertices = graze_mesh_vertices(placed->mesh);
    const uint32_t *corners = graze_mesh_triangles(placed->mesh) + 3 * (size_t)triangle;
    graze_placed_triangle result = {.pose = &placed->pose};
    for (int i = 0; i < 3; i++)
        result.corners[i] = vertices + 3 * (size_t)corners[i];
    return result;
}

/* The middle of what the witness pair shares; dividing first, since sums might overflow. */
static void find_point(check_run *run)
{
    graze_placed_triangle a = triangle_of(&run->placed[0], run->witness.triangle_a);
    graze_placed_triangle b = triangle_of(&run->placed[1], run->witness.triangle_b);
    graze_intersection shared = graze_triangle_intersection(&a, &b);
    if (shared.count == 1)
    {
        memcpy(run->point, shared.points[0], sizeof run->point);
        return;
    }
    for (int i = 0; i < shared.count; i++)
        for (int axis = 0; axis < 3; axis++)
            run->point[axis] += shared.points[i][axis] / shared.count;
}

static exit_code read_options(check_run *run)
{
    const tool_request *request = run->request;
    static const int places[2] = {OPTION_POSE_A, OPTION_POSE_B};
    char fault[FAULT_SIZE];
    for (int side = 0; side < 2; side++)
    {
        const char *text = request->values[places[side]];
        run->placed[side].pose = graze_pose_identity();
        if (text != NULL && !parse_pose(text, &run->placed[side].pose, fault))
            return complain(request->console, EXIT_USAGE, "--pose-%c: %s", "ab"[side], fault);
    }
    const char *pairs = request->values[OPTION_PAIRS];
    if (pairs != NULL && strcmp(pairs, "all") == 0)
        run->list_limit = UINT64_MAX;
    else if (pairs != NULL && !parse_count(pairs, &run->list_limit))
        return complain(request->console, EXIT_USAGE, "--pairs takes 'all' or a number of pairs, not '%s'", pairs);
    return 0;
}

static exit_code load_both(check_run *run)
{
    for (int side = 0; side < 2; side++)
    {
        exit_code code = load_model(run->request->console, run->request->arguments[side], &run->models[side]);
        if (code != 0)
            return code;
        run->placed[side].mesh = graze_model_mesh(run->models[side]);
        code = build_tree(run->request->console, run->models[side], &run->trees[side]);
        if (code != 0)
            return code;
        run->placed[side].tree = run->trees[side];
    }
    return 0;
}

static exit_code find_answers(check_run *run)
{
    const tool_console *console = run->request->console;
    const graze_placed_mesh *a = &run->placed[0], *b = &run->placed[1];
    graze_status status = graze_pair_visit(NULL, a, b, NULL, on_hit, run);
    if (run->list_failed)
        return complain(console, EXIT_INTERNAL, "no memory for a list of that many pairs; list fewer with --pairs N");
    if (status == GRAZE_STATUS_OK)
        status = graze_pair_solid(NULL, a, b, &run->solid);
    if (status != GRAZE_STATUS_OK)
        return complain(console, exit_code_of(status), "the check failed: %s", graze_status_text(status));
    if (run->counts.pairs > 0)
        find_point(run);
    run->collide = run->counts.pairs > 0;
    if (run->request->values[OPTION_SOLID] != NULL)
        run->collide = run->collide || run->solid.collide;
    return 0;
}

static const char *containment_name(graze_containment containment)
{
    switch (containment)
    {
    case GRAZE_CONTAINMENT_NONE:
        return "none";
    case GRAZE_CONTAINMENT_A_IN_B:
        return "a_in_b";
    case GRAZE_CONTAINMENT_B_IN_A:
        return "b_in_a";
    case GRAZE_CONTAINMENT_UNKNOWN:
        break;
    }
    return "unknown";
}

static const char *feature_name(unsigned feature)
{
    static const char *const names[] = {"nothing", "vertex", "edge", "face"};
    return feature < COUNT_OF(names) ? names[feature] : "nothing";
}

static const char *contact_name(bool crossing, bool coplanar)
{
    return crossing ? "crossing" : coplanar ? "coplanar" : "touching";
}

static const char *part_of(const check_run *run, int side, uint32_t face)
{
    const graze_model *model = run->models[side];
    return graze_model_part_name(model, graze_model_face_part(model, face));
}

static void write_witness(json_writer *json, const check_run *run)
{
    json_key(json, "witness");
    if (run->counts.pairs == 0)
    {
        json_null(json);
        return;
    }
    const graze_hit *hit = &run->witness;
    json_open(json, JSON_OBJECT);
    json_key(json, "a");
    json_count(json, hit->triangle_a);
    json_key(json, "b");
    json_count(json, hit->triangle_b);
    json_key(json, "point");
    json_reals(json, run->point, 3);
    json_key(json, "face_a");
    json_count(json, hit->face_a);
    json_key(json, "face_b");
    json_count(json, hit->face_b);
    json_key(json, "part_a");
    json_text(json, part_of(run, 0, hit->face_a));
    json_key(json, "part_b");
    json_text(json, part_of(run, 1, hit->face_b));
    json_key(json, "contact");
    json_text(json, contact_name(hit->contact.crossing, hit->contact.coplanar));
    json_key(json, "feature_a");
    json_text(json, feature_name(hit->contact.feature_a));
    json_key(json, "feature_b");
    json_text(json, feature_name(hit->contact.feature_b));
    json_key(json, "dimension");
    json_count(json, hit->contact.dimension);
    json_close(json);
}

static void write_mesh(json_writer *json, const check_run *run, int side)
{
    const graze_mesh *mesh = run->placed[side].mesh;
    json_key(json, side == 0 ? "a" : "b");
    json_open(json, JSON_OBJECT);
    json_key(json, "file");
    json_text(json, run->request->arguments[side]);
    json_key(json, "triangles");
    json_count(json, graze_mesh_triangle_count(mesh));
    json_key(json, "faces");
    json_count(json, graze_mesh_face_count(mesh));
    json_close(json);
}

static void write_json(const check_run *run)
{
    json_writer json = json_start(stdout);
    json_open(&json, JSON_OBJECT_LINES);
    json_key(&json, "collide");
    json_bool(&json, run->collide);
    json_key(&json, "pairs");
    json_count(&json, run->counts.pairs);
    json_key(&json, "touching");
    json_count(&json, run->counts.touching);
    json_key(&json, "crossing");
    json_count(&json, run->counts.crossing);
    json_key(&json, "coplanar");
    json_count(&json, run->counts.coplanar);
    json_key(&json, "contains");
    json_text(&json, containment_name(run->solid.containment));
    write_witness(&json, run);
    write_mesh(&json, run, 0);
    write_mesh(&json, run, 1);
    if (run->request->values[OPTION_PAIRS] != NULL)
    {
        json_key(&json, "pair_list");
        json_open(&json, JSON_ARRAY);
        for (size_t i = 0; i < run->list_count; i++)
        {
            json_open(&json, JSON_ARRAY);
            json_count(&json, run->list[i].a);
            json_count(&json, run->list[i].b);
            json_close(&json);
        }
        json_close(&json);
    }
    json_close(&json);
}

static void say_verdict(const check_run *run)
{
    const tool_console *console = run->request->console;
    const char *plain = console_tone(console, TONE_PLAIN);
    if (run->counts.pairs > 0)
        printf("%scollision%s: %s of triangles share a point\n", console_tone(console, TONE_BAD), plain,
               counted(run->counts.pairs, "pair").text);
    else if (run->collide)
        printf("%scollision%s: the surfaces are apart, but one body lies in the other\n",
               console_tone(console, TONE_BAD), plain);
    else
        printf("%sno collision%s: the surfaces share no point\n", console_tone(console, TONE_GOOD), plain);
}

static void say_mesh(const check_run *run, int side, int width)
{
    const graze_mesh *mesh = run->placed[side].mesh;
    size_t triangles = graze_mesh_triangle_count(mesh), faces = graze_mesh_face_count(mesh);
    printf("  %c         %-*s  %s", "ab"[side], width, run -> request -> arguments[side],
           counted(triangles, "triangle").text);
    if (faces != triangles)
        printf(" from %s", counted(faces, "face").text);
    putchar('\n');
}

static const char *containment_sentence(const check_run *run)
{
    switch (run->solid.containment)
    {
    case GRAZE_CONTAINMENT_NONE:
        return "neither lies in the other";
    case GRAZE_CONTAINMENT_A_IN_B:
        return "all of a lies in b";
    case GRAZE_CONTAINMENT_B_IN_A:
        return "all of b lies in a";
    case GRAZE_CONTAINMENT_UNKNOWN:
        break;
    }
    return run->counts.pairs > 0 ? "unknown" : "unknown: the outer surface is not closed, or overlaps itself";
}

static void say_containment(const check_run *run)
{
    graze_containment containment = run->solid.containment;
    bool is_inside = containment == GRAZE_CONTAINMENT_A_IN_B || containment == GRAZE_CONTAINMENT_B_IN_A;
    printf("  inside    %s%s\n", containment_sentence(run),
           is_inside && !run->collide ? " (--solid counts that as a collision)" : "");
}

static void say_side(const check_run *run, int side, uint32_t triangle, uint32_t face)
{
    const char *part = part_of(run, side, face);
    printf("triangle %u of %c", triangle, "ab"[side]);
    if (face != triangle)
        printf(" (face %u)", face);
    if (part[0] == '\0')
        return;
    printf(" in '");
    print_name(stdout, part);
    putchar('\'');
}

static void say_witness(const check_run *run)
{
    static const char *const shapes[] = {"a point", "a segment", "an area"};
    const graze_hit *hit = &run->witness;
    printf("  witness   ");
    say_side(run, 0, hit->triangle_a, hit->face_a);
    printf(" and ");
    say_side(run, 1, hit->triangle_b, hit->face_b);
    printf("\n            %s, %s against %s, in %s", hit->contact.crossing ? "crossing" : "touching",
           feature_name(hit->contact.feature_a), feature_name(hit->contact.feature_b),
           shapes[hit->contact.dimension % COUNT_OF(shapes)]);
    printf("\n            at ");
    print_point(stdout, run->point);
    putchar('\n');
}

static void say_list(const check_run *run)
{
    if (run->list_count == 0)
        return;
    printf("\n  %10s  %10s  %-8s  %s\n", "a", "b", "contact", "features");
    for (size_t i = 0; i < run->list_count; i++)
    {
        const listed_pair *pair = &run->list[i];
        printf("  %10u  %10u  %-8s  %s-%s\n", pair->a, pair->b, contact_name(pair->crossing, pair->coplanar),
               feature_name(pair->feature_a), feature_name(pair->feature_b));
    }
    if (run->list_count < run->counts.pairs)
        printf("  ... and %s more\n", grouped(run->counts.pairs - run->list_count).text);
}

static void say_everything(const check_run *run)
{
    size_t a_size = strlen(run->request->arguments[0]), b_size = strlen(run->request->arguments[1]);
    size_t size = a_size > b_size ? a_size : b_size;
    int width = size < 60 ? (int)size : 60;
    say_verdict(run);
    putchar('\n');
    say_mesh(run, 0, width);
    say_mesh(run, 1, width);
    printf("  crossing  %s\n", grouped(run->counts.crossing).text);
    printf("  touching  %s", grouped(run->counts.touching).text);
    if (run->counts.coplanar > 0)
        printf(", %s of them overlapping in a plane", grouped(run->counts.coplanar).text);
    putchar('\n');
    say_containment(run);
    if (run->counts.pairs > 0)
        say_witness(run);
    say_list(run);
}

static exit_code verdict_code(const check_run *run)
{
    if (run->collide)
        return EXIT_FOUND;
    if (run->request->values[OPTION_SOLID] != NULL && run->solid.containment == GRAZE_CONTAINMENT_UNKNOWN)
        return complain(
            run->request->console, EXIT_INCOMPLETE,
            "whether one body lies in the other is unknown: the outer surface is not closed, or overlaps itself");
    return EXIT_NOTHING_FOUND;
}

static exit_code run_check(const tool_request *request)
{
    check_run run = {.request = request};
    exit_code code = read_options(&run);
    if (code == 0)
        code = load_both(&run);
    if (code == 0)
        code = find_answers(&run);
    if (code == 0)
    {
        if (request->values[OPTION_JSON] != NULL)
            write_json(&run);
        else
            say_everything(&run);
        code = verdict_code(&run);
    }
    free(run.list);
    for (int side = 0; side < 2; side++)
    {
        graze_tree_destroy(run.trees[side]);
        graze_model_destroy(run.models[side]);
    }
    return code;
}

static const tool_argument arguments[] = {
    {"A", "A mesh file: STL, OBJ, PLY or OFF, also gzip-compressed; - is standard input."},
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
    [OPTION_JSON] = {.name = "json", .help = "Write one JSON document."},
};

static const tool_example examples[] = {
    {"graze check housing.stl shaft.stl", "Do the two parts meet as they are drawn?"},
    {"graze check housing.stl shaft.stl --pose-b \"1 0 0 5  0 1 0 0  0 0 1 0\"", "And with the shaft moved 5 along x?"},
    {"graze check crate.obj bolt.obj --solid --pairs 10 --json", "As solids, with the first ten pairs, for a program."},
};

const tool_command check_command = {
    .name = "check",
    .synopsis = "A B [--pose-a NUMBERS] [--pose-b NUMBERS] [--pairs all|N] [--solid] [--json]",
    .summary = "do two mesh files meet?",
    .description =
        "Finds all pairs of triangles, one of A and one of B, that share a point, and says of each whether they only "
        "touch or cross. Triangles are closed sets, so touching counts. The answer is exact for the numbers in the "
        "files and poses, taken at face value: there is no tolerance.\n"
        "\n"
        "The witness is the first pair, with a point that both triangles share. Triangles and faces are numbered from "
        "0 in the order of the file; a polygon with n corners is cut into n - 2 triangles.\n"
        "\n"
        "The JSON document has the keys collide, pairs, touching, crossing, coplanar (those of the touching pairs that "
        "overlap in a plane), contains (none, a_in_b, b_in_a or unknown), witness (null, or an object with a, b, point "
        "and more), a, b (the meshes), and with --pairs pair_list.\n"
        "\n"
        "The exit code is 1 for a collision and 0 for none; 4 with --solid when the surfaces are apart but the "
        "outer one is not closed, so that nobody can say.",
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
