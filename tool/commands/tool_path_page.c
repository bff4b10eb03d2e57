/* SPDX-License-Identifier: MIT */
/*
 * A tool path as a page (page/report.h): the part, the cutters of the tool, which go along the moves, a unit of time
 * for each, and a finding for each move that gouges. The swept volume is for show: estimated, as hulls of what each
 * cutter looks like at both ends of a move.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/tool_path.h"
#include "graze/distance.h"
#include "graze/hull.h"
#include "page/report.h"
#include "scene/cutter_stack.h"
#include "scene/shape_look.h"
#include "shell/file_hash.h"
#include "shell/line_reader.h"
#include "text/format.h"

enum
{
    MOST_FINDINGS = 5000,
    MOST_SWEPT = 400, /* moves whose swept volume is shown */
    ENDLESS = 8,      /* radii that a cutter without end is shown long */
    SIDES = 24,       /* of circles in the swept volume, */
    RINGS = 9         /* and circles of a ball */
};

typedef struct path_page
{
    const tool_path_answer *answer;
    page_part *parts; /* the part, the cutters, the swept volume */
    size_t part_count;
    graze_shape *shapes[MOST_CUTTERS];
    graze_mesh *looks[MOST_CUTTERS];
    graze_motion *motions[MOST_CUTTERS];
    char names[MOST_CUTTERS][CUTTER_NAME_SIZE + 32];
    graze_mesh *swept;
    size_t swept_count; /* moves in it */
} path_page;

/* The place of a cutter's own middle above that of the tool. */
static double middle_of(const graze_cutter *cutter)
{
    double upper = fmin(cutter->upper, cutter->lower + ENDLESS * cutter->radius);
    return cutter->kind == GRAZE_CUTTER_BALL ? cutter->lower : 0.5 * (cutter->lower + upper);
}

/* Points of a cutter's surface about its place, whose hull looks like it. Returns how many. */
static size_t cutter_points(const cutting_tool *tool, size_t i, double points[SIDES * RINGS][3])
{
    const graze_cutter *cutter = &tool->cutters[i];
    const cutter_profile *profile = &tool->profiles[i];
    double top = fmin(cutter->upper, cutter->lower + ENDLESS * cutter->radius), circle = 6.283185307179586 / SIDES;
    bool is_ball = cutter->kind == GRAZE_CUTTER_BALL, is_round = is_ball || profile->kind == PROFILE_BULL_NOSE;
    size_t rings = is_round ? RINGS : 2, count = 0;
    for (size_t ring = 0; ring < rings; ring++)
    {
        double share = (double)ring / (double)(is_ball ? RINGS - 1 : RINGS - 2), angle = share * SIDES * circle;
        double z = ring == 0 ? cutter->lower : top;
        if (is_ball)
            z = cutter->lower - cutter->radius * cos(0.5 * angle);
        else if (is_round && ring < RINGS - 1)
            z = cutter->lower + profile->corner * (1 - cos(0.25 * angle));
        double radius = is_ball ? cutter->radius * sin(0.5 * angle) : cutter_radius_at(tool, i, z);
        for (size_t k = 0; k < SIDES; k++, count++)
        {
            points[count][0] = radius * cos(circle * (double)k);
            points[count][1] = radius * sin(circle * (double)k);
            points[count][2] = z;
        }
    }
    return count;
}

/* What a cone or bull nose looks like, about its middle. */
static bool make_profile(path_page *page, size_t i)
{
    double points[SIDES * RINGS][3];
    size_t count = cutter_points(page->answer->tool, i, points);
    for (size_t k = 0; k < count; k++)
        points[k][2] -= middle_of(&page->answer->tool->cutters[i]);
    return graze_mesh_create_hull(NULL, points[0], count, NULL, &page->looks[i]) == GRAZE_STATUS_OK;
}

static bool make_cutter(path_page *page, size_t i)
{
    const graze_cutter *cutter = &page->answer->tool->cutters[i];
    const double centre[3] = {0, 0, 0};
    const graze_box around = {{-1, -1, -1}, {1, 1, 1}};
    double upper = fmin(cutter->upper, cutter->lower + ENDLESS * cutter->radius);
    if (page->answer->tool->profiles[i].kind != PROFILE_NONE)
        return make_profile(page, i);
    graze_status status =
        cutter->kind == GRAZE_CUTTER_BALL
            ? graze_shape_create_sphere(NULL, centre, cutter->radius, &page->shapes[i])
            : graze_shape_create_cylinder(NULL, upper - cutter->lower, cutter->radius, &page->shapes[i]);
    if (status != GRAZE_STATUS_OK)
        return false;
    const graze_placed placed = {page->shapes[i], graze_pose_identity()};
    return shape_look(&placed, &around, &page->looks[i]) == GRAZE_STATUS_OK;
}

static bool make_motions(path_page *page, size_t i)
{
    const gcode_program *program = page->answer->program;
    double middle = middle_of(&page->answer->tool->cutters[i]);
    page->motions[i] = calloc(program->count, sizeof *page->motions[i]);
    for (size_t k = 0; k < program->count && page->motions[i] != NULL; k++)
    {
        const graze_tool_move *move = &program->moves[k].move;
        graze_motion *motion = &page->motions[i][k];
        motion->kind = GRAZE_MOTION_TURN;
        motion->quaternion[0][0] = motion->quaternion[1][0] = 1;
        for (int axis = 0; axis < 3; axis++)
        {
            motion->path[0][axis] = move->start[axis] + (axis == 2 ? middle : 0);
            motion->path[1][axis] = move->end[axis] - move->start[axis];
        }
    }
    return page->motions[i] != NULL;
}

/* --- the swept volume --- */

typedef struct growing_mesh
{
    double *vertices;
    uint32_t *corners;
    size_t vertex_count, corner_count;
} growing_mesh;

static bool append(growing_mesh *all, const graze_mesh *mesh)
{
    size_t vertices = graze_mesh_vertex_count(mesh), corners = 3 * graze_mesh_triangle_count(mesh);
    double *points = realloc(all->vertices, (all->vertex_count + vertices + 1) * 3 * sizeof *points);
    all->vertices = points != NULL ? points : all->vertices;
    uint32_t *indices = realloc(all->corners, (all->corner_count + corners + 1) * sizeof *indices);
    all->corners = indices != NULL ? indices : all->corners;
    if (points == NULL || indices == NULL)
        return false;
    memcpy(points + 3 * all->vertex_count, graze_mesh_vertices(mesh), 3 * vertices * sizeof *points);
    for (size_t i = 0; i < corners; i++)
        indices[all->corner_count + i] = graze_mesh_triangles(mesh)[i] + (uint32_t)all->vertex_count;
    all->vertex_count += vertices;
    all->corner_count += corners;
    return true;
}

/* The hull of a cutter at both ends of a move, or at the corners of the box of a dog leg. */
static bool sweep_cutter(const path_page *page, size_t cutter, size_t move, growing_mesh *all)
{
    static const size_t most = (size_t)8 * SIDES * RINGS;
    const graze_tool_move *way = &page->answer->program->moves[move].move;
    double own[SIDES * RINGS][3];
    size_t count = cutter_points(page->answer->tool, cutter, own), places = way->dog_leg ? 8 : 2;
    double *points = malloc(most * 3 * sizeof *points);
    graze_mesh *hull = NULL;
    for (size_t k = 0; k < places * count && points != NULL; k++)
        for (size_t axis = 0; axis < 3; axis++)
        {
            size_t place = k / count;
            bool at_end = way->dog_leg ? (place >> axis & 1) != 0 : place == 1;
            points[3 * k + axis] = own[k % count][axis] + (at_end ? way->end[axis] : way->start[axis]);
        }
    bool done = points != NULL &&
                graze_mesh_create_hull(NULL, points, places * count, NULL, &hull) == GRAZE_STATUS_OK &&
                append(all, hull);
    graze_mesh_destroy(hull);
    free(points);
    return done;
}

/* Of all moves, or, where they are too many, of the first that gouge. */
static bool sweep_tool(path_page *page)
{
    const tool_path_answer *answer = page->answer;
    growing_mesh all = {0};
    bool done = true, chooses = answer->program->count > MOST_SWEPT;
    for (size_t i = 0; i < answer->program->count && page->swept_count < MOST_SWEPT && done; i++)
    {
        if (chooses && answer->gouges[i].verdict == GRAZE_VERDICT_NO)
            continue;
        for (size_t k = 0; k < answer->tool->count && done; k++)
            done = sweep_cutter(page, k, i, &all);
        page->swept_count++;
    }
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = all.vertices;
    def.vertex_count = all.vertex_count;
    def.corners = all.corners;
    def.corner_count = all.corner_count;
    if (done && all.corner_count > 0)
        done = graze_mesh_create(NULL, &def, NULL, &page->swept) == GRAZE_STATUS_OK;
    free(all.vertices);
    free(all.corners);
    return done;
}

/* --- findings --- */

/* A triangle as a mesh of its own; NULL when out of memory. */
static graze_mesh *triangle_of(const double *a, const double *b, const double *c)
{
    static const uint32_t corners[3] = {0, 1, 2};
    double points[9];
    graze_mesh *mesh = NULL;
    memcpy(points, a, 3 * sizeof *points);
    memcpy(points + 3, b, 3 * sizeof *points);
    memcpy(points + 6, c, 3 * sizeof *points);
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = points;
    def.vertex_count = 3;
    def.corners = corners;
    def.corner_count = 3;
    return graze_mesh_create(NULL, &def, NULL, &mesh) == GRAZE_STATUS_OK ? mesh : NULL;
}

/* The point of the gouged triangle next to the way of the cutter's middle; of a cutter within the part the start of
 * that way. For display. */
static void point_of(const path_page *page, size_t move, double out_point[3])
{
    const graze_gouge *gouge = &page->answer->gouges[move];
    const graze_tool_move *way = &page->answer->program->moves[move].move;
    const graze_mesh *part = page->answer->part;
    const graze_cutter *cutter = &page->answer->tool->cutters[gouge->cutter];
    double lowest = cutter->kind == GRAZE_CUTTER_BALL ? middle_of(cutter) : cutter->lower;
    const double ends[2][3] = {{way->start[0], way->start[1], way->start[2] + lowest},
                               {way->end[0], way->end[1], way->end[2] + lowest}};
    memcpy(out_point, ends[0], sizeof ends[0]);
    if (gouge->triangle >= graze_mesh_triangle_count(part))
        return;
    const uint32_t *corners = graze_mesh_triangles(part) + 3 * (size_t)gouge->triangle;
    const double *vertices = graze_mesh_vertices(part);
    graze_placed_mesh line = {triangle_of(ends[0], ends[1], ends[1]), NULL, graze_pose_identity()};
    graze_placed_mesh triangle = {triangle_of(vertices + 3 * (size_t)corners[0], vertices + 3 * (size_t)corners[1],
                                              vertices + 3 * (size_t)corners[2]),
                                  NULL, graze_pose_identity()};
    graze_distance near;
    if (line.mesh != NULL && triangle.mesh != NULL &&
        graze_pair_distance(NULL, &line, &triangle, NULL, &near) == GRAZE_STATUS_OK && near.found)
        memcpy(out_point, near.point_b, sizeof near.point_b);
    graze_mesh_destroy((graze_mesh *)(uintptr_t)line.mesh);
    graze_mesh_destroy((graze_mesh *)(uintptr_t)triangle.mesh);
}

/* When the tool is closest to a point in a move, from 0 to 1. */
static double time_at(const graze_tool_move *move, const double point[3])
{
    double along = 0, length = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        double way = move->end[axis] - move->start[axis];
        along += way * (point[axis] - move->start[axis]);
        length += way * way;
    }
    return length > 0 ? fmin(fmax(along / length, 0), 1) : 0;
}

static void write_finding(grz_json_writer *json, const path_page *page, size_t i)
{
    const graze_gouge *gouge = &page->answer->gouges[i];
    const gcode_move *move = &page->answer->program->moves[i];
    bool is_certain = gouge->verdict == GRAZE_VERDICT_YES;
    char id[32], rule[64];
    double point[3];
    point_of(page, i, point);
    snprintf(id, sizeof id, "move-%zu", i + 1);
    snprintf(rule, sizeof rule, "line %llu%s", (unsigned long long)move->line, move->rapid ? ", rapid" : "");
    grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
    grz_json_put_member_text(json, "id", id);
    grz_json_put_member_count(json, "a", 0);
    grz_json_put_member_count(json, "b", 1 + gouge->cutter);
    grz_json_put_member_text(json, "verdict", is_certain ? "crosses" : "undecided");
    grz_json_put_key(json, "pairs");
    grz_json_put_null(json);
    if (is_certain)
    {
        grz_json_put_key(json, "depth");
        grz_json_put_reals(json, (const double[2]){gouge->depth_lower, gouge->depth_upper}, 2);
        grz_json_put_member_text(json, "depth_grade", "bounded");
    }
    else
        grz_json_put_member_text(json, "why", "the real tool may be as far from the chords of an arc as that");
    grz_json_put_key(json, "time");
    grz_json_put_reals(json, (const double[2]){(double)i + 1, (double)i + 2}, 2);
    page_real(json, "measured_at", (double)i + 1 + time_at(&move->move, point));
    grz_json_put_key(json, "point");
    grz_json_put_reals(json, point, 3);
    grz_json_put_key(json, "curves"); /* the tool's way */
    grz_json_open(json, GRZ_JSON_SHORT_ARRAY);
    grz_json_open(json, GRZ_JSON_SHORT_ARRAY);
    for (int axis = 0; axis < 3; axis++)
        grz_json_put_real(json, move->move.start[axis]);
    for (int axis = 0; axis < 3; axis++)
        grz_json_put_real(json, move->move.end[axis]);
    grz_json_close(json);
    grz_json_close(json);
    grz_json_put_member_text(json, "rule", rule);
    grz_json_put_member_text(json, "severity", is_certain ? "critical" : "minor");
    grz_json_close(json);
}

static void write_body(grz_json_writer *json, const void *user)
{
    const path_page *page = user;
    const tool_path_answer *answer = page->answer;
    size_t found = answer->counts[GRAZE_VERDICT_YES] + answer->counts[GRAZE_VERDICT_UNKNOWN], written = 0;
    char what[160];
    grz_json_put_key(json, "findings");
    grz_json_open(json, GRZ_JSON_LONG_ARRAY);
    for (size_t i = 0; i < answer->program->count && written < MOST_FINDINGS; i++)
        if (answer->gouges[i].verdict != GRAZE_VERDICT_NO)
        {
            write_finding(json, page, i);
            written++;
        }
    grz_json_close(json);
    grz_json_put_key(json, "problems");
    grz_json_open(json, GRZ_JSON_LONG_ARRAY);
    snprintf(what, sizeof what, "the page shows the first %s; --json lists all %zu", grz_counted(written, "gouge").text,
             found);
    if (written < found)
        page_problem(json, NULL, what);
    snprintf(what, sizeof what, "the swept volume is that of %s, of %zu; it is estimated, for show",
             grz_counted(page->swept_count, "move").text, answer->program->count);
    if (page->swept != NULL)
        page_problem(json, NULL, what);
    grz_json_close(json);
}

static void write_header(grz_json_writer *json, const void *user)
{
    const tool_path_answer *answer = ((const path_page *)user)->answer;
    size_t gouging = answer->counts[GRAZE_VERDICT_YES], unknown = answer->counts[GRAZE_VERDICT_UNKNOWN];
    char text[160];
    snprintf(text, sizeof text, "%zu of %s gouge", gouging, grz_counted(answer->program->count, "move").text);
    if (gouging + unknown == 0)
        snprintf(text, sizeof text, "No gouge in %s", grz_counted(answer->program->count, "move").text);
    else if (unknown > 0)
        snprintf(text, sizeof text, "%zu of %s gouge, %zu unknown", gouging,
                 grz_counted(answer->program->count, "move").text, unknown);
    grz_json_put_key(json, "verdict");
    grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
    grz_json_put_member_text(json, "result", gouging > 0 ? "clash" : unknown > 0 ? "incomplete" : "clean");
    grz_json_put_member_text(json, "text", text);
    grz_json_close(json);
}

/* --- the page --- */

static void name_cutter(path_page *page, size_t i)
{
    const cutting_tool *tool = page->answer->tool;
    size_t same = 0;
    for (size_t k = 0; k < i; k++)
        same += strcmp(tool->names[k], tool->names[i]) == 0;
    if (same > 0)
        snprintf(page->names[i], sizeof page->names[i], "tool/%s#%zu", tool->names[i], same + 1);
    else
        snprintf(page->names[i], sizeof page->names[i], "tool/%s", tool->names[i]);
}

static bool make_parts(path_page *page)
{
    const tool_path_answer *answer = page->answer;
    size_t cutters = answer->tool->count;
    page->parts = calloc(cutters + 2, sizeof *page->parts);
    if (page->parts == NULL)
        return false;
    page->parts[0] = (page_part){.name = display_name(answer->words->part),
                                 .file = display_name(answer->words->part),
                                 .mesh = answer->part,
                                 .pose = graze_pose_identity(),
                                 .closed = answer->closed,
                                 .matters = true};
    for (size_t i = 0; i < cutters; i++)
    {
        name_cutter(page, i);
        if (!make_cutter(page, i) || !make_motions(page, i))
            return false;
        graze_pose pose = graze_pose_translation(page->motions[i][0].path[0][0], page->motions[i][0].path[0][1],
                                                 page->motions[i][0].path[0][2]);
        page->parts[1 + i] = (page_part){.name = page->names[i],
                                         .file = display_name(answer->words->moves),
                                         .mesh = page->looks[i],
                                         .shape = page->shapes[i],
                                         .pose = pose,
                                         .closed = true,
                                         .matters = true,
                                         .motions = page->motions[i]};
    }
    page->part_count = 1 + cutters;
    if (!sweep_tool(page))
        return false;
    if (page->swept != NULL)
        page->parts[page->part_count++] = (page_part){.name = "swept volume",
                                                      .file = display_name(answer->words->moves),
                                                      .mesh = page->swept,
                                                      .pose = graze_pose_identity(),
                                                      .matters = true,
                                                      .hidden = true};
    return true;
}

static void release(path_page *page)
{
    for (size_t i = 0; i < page->answer->tool->count; i++)
    {
        graze_shape_destroy(page->shapes[i]);
        graze_mesh_destroy(page->looks[i]);
        free(page->motions[i]);
    }
    graze_mesh_destroy(page->swept);
    free(page->parts);
    free(page);
}

bool tool_path_write_page(const void *user, FILE *out)
{
    const tool_path_answer *answer = user;
    path_page *page = calloc(1, sizeof *page);
    if (page == NULL)
        return false;
    page->answer = answer;
    const char *paths[2] = {answer->words->part, answer->words->moves};
    char hashes[2][GRZ_SHA256_TEXT_SIZE];
    page_input inputs[2];
    for (int i = 0; i < 2; i++)
    {
        inputs[i] = (page_input){.path = paths[i], .sha256 = hashes[i]};
        sha256_file(paths[i], hashes[i], &inputs[i].size);
    }
    bool done = make_parts(page);
    const page_report report = {.inputs = inputs,
                                .input_count = 2,
                                .parts = page->parts,
                                .part_count = page->part_count,
                                .units = "mm",
                                .budget = PAGE_BUDGET,
                                .frames = (uint32_t)answer->program->count + 1,
                                .step = "move",
                                .write_header = write_header,
                                .write_body = write_body,
                                .user = page};
    done = done && page_write(&report, out);
    release(page);
    return done;
}
