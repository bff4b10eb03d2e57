/* SPDX-License-Identifier: MIT */
/* Two files that move, for graze sweep and graze path --continuous; see sweep.h. */
#include <stdlib.h>
#include <string.h>

#include "commands/sweep.h"
#include "shell/load.h"

exit_code moving_parse_kind(const tool_console *console, const char *text, bool in_a_row, graze_motion_kind *out_kind)
{
    static const struct
    {
        const char *name;
        graze_motion_kind kind;
    } kinds[] = {{"turn", GRAZE_MOTION_TURN},
                 {"blend", GRAZE_MOTION_BLEND},
                 {"screw", GRAZE_MOTION_SCREW},
                 {"slerp", GRAZE_MOTION_SLERP},
                 {"spline", GRAZE_MOTION_SPLINE}};
    *out_kind = GRAZE_MOTION_TURN;
    if (text == NULL)
        return 0;
    for (size_t i = 0; i < COUNT_OF(kinds); i++)
        if (strcmp(text, kinds[i].name) == 0 && (in_a_row || kinds[i].kind != GRAZE_MOTION_SPLINE))
        {
            *out_kind = kinds[i].kind;
            return 0;
        }
    return report_error(console, EXIT_USAGE,
                        in_a_row ? "--motion takes blend, turn, screw, slerp or spline, not '%s'"
                                 : "--motion takes blend, turn, screw or slerp, not '%s'",
                        text);
}

/* A mesh of the same triangles with all vertices times a factor, rounded. */
static graze_status make_scaled(const graze_context *context, const graze_mesh *mesh, double scale, graze_mesh **out)
{
    size_t count = 3 * graze_mesh_vertex_count(mesh);
    double *vertices = malloc((count + 1) * sizeof *vertices);
    if (vertices == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    for (size_t i = 0; i < count; i++)
        vertices[i] = graze_mesh_vertices(mesh)[i] * scale;
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = count / 3;
    def.corners = graze_mesh_triangles(mesh);
    def.corner_count = 3 * graze_mesh_triangle_count(mesh);
    graze_status status = graze_mesh_create(context, &def, NULL, out);
    free(vertices);
    return status;
}

static exit_code load_side(moving_files *run, int side, length_unit unit, bool solids)
{
    const tool_console *console = run->request->console;
    const graze_context *context = &run->execution.context;
    const char *word = run->request->arguments[side];
    loaded_shape *file = &run->files[side];
    exit_code code = load_shape(console, context, word, unit, solids, file);
    if (code != 0)
        return code;
    const graze_mesh *mesh = file->model != NULL ? graze_model_mesh(file->model) : graze_shape_mesh(file->shape);
    if (mesh == NULL || graze_shape_radius(file->shape) > 0)
        return 0;
    graze_status status = GRAZE_STATUS_OK;
    if (file->scale != 1)
    {
        status = make_scaled(context, mesh, file->scale, &run->own[side]);
        mesh = run->own[side];
    }
    if (status == GRAZE_STATUS_OK)
        status = graze_tree_create(context, mesh, NULL, NULL, &run->trees[side]);
    if (status != GRAZE_STATUS_OK)
        return report_error(console, exit_code_of(status), "%s: %s", word, graze_status_text(status));
    run->moving[side].mesh = mesh;
    run->moving[side].tree = run->trees[side];
    return 0;
}

exit_code moving_load(moving_files *run, const char *units, bool solids)
{
    length_unit unit = UNIT_NONE;
    exit_code code = parse_units(run->request->console, units, &unit);
    for (int side = 0; code == 0 && side < 2; side++)
        code = load_side(run, side, unit, solids);
    return code;
}

bool moving_are_meshes(const moving_files *run)
{
    return run->moving[0].mesh != NULL && run->moving[1].mesh != NULL;
}

exit_code moving_make_segments(moving_files *run, size_t count)
{
    run->count = count;
    run->impacts = calloc(count + 1, sizeof *run->impacts);
    bool made = run->impacts != NULL;
    for (int side = 0; side < 2; side++)
    {
        run->motions[side] = calloc(count + 1, sizeof *run->motions[side]);
        if (run->kind == GRAZE_MOTION_SPLINE)
            run->splines[side] = calloc(count + 1, sizeof *run->splines[side]);
        made = made && run->motions[side] != NULL && (run->kind != GRAZE_MOTION_SPLINE || run->splines[side] != NULL);
    }
    if (!made)
        return report_error(run->request->console, EXIT_INTERNAL, "out of memory for the motions");
    return 0;
}

exit_code moving_set_motion(moving_files *run, size_t segment, int side, const pose_pair *poses, const char *what)
{
    const graze_pose *start = side == 0 ? &poses[0].a : &poses[0].b, *end = side == 0 ? &poses[1].a : &poses[1].b;
    graze_motion *motion = &run->motions[side][segment];
    double error = 0;
    graze_status status = memcmp(start, end, sizeof *start) == 0
                              ? graze_motion_still(start, motion)
                              : graze_motion_between(start, end, run->kind, motion, &error);
    run->end_error = error > run->end_error ? error : run->end_error;
    if (status == GRAZE_STATUS_OK)
        return 0;
    if (status == GRAZE_STATUS_NOT_RIGID)
        return report_error(run->request->console, EXIT_USAGE,
                            "%s is no rotation, as a turn needs it; --motion blend takes any pose", what);
    if (status == GRAZE_STATUS_UNSUPPORTED || status == GRAZE_STATUS_BAD_ARGUMENT)
        return report_error(run->request->console, EXIT_USAGE, "%s: no such motion between these poses", what);
    return report_error(run->request->console, exit_code_of(status), "%s: %s", what, graze_status_text(status));
}

static const graze_pose *pose_of(const pose_pair *pair, int side)
{
    return side == 0 ? &pair->a : &pair->b;
}

exit_code moving_set_spline(moving_files *run, size_t segment, int side, const pose_pair *poses, const char *what)
{
    const graze_pose *knots[4] = {NULL}, *start = pose_of(&poses[segment], side);
    bool moves = false;
    for (size_t i = 0; i < 4; i++)
        if (segment + i > 0 && segment + i <= run->count + 1)
        {
            knots[i] = pose_of(&poses[segment + i - 1], side);
            moves = moves || memcmp(knots[i], start, sizeof *start) != 0;
        }
    graze_motion *motion = &run->motions[side][segment];
    graze_motion_spline *spline = &run->splines[side][segment];
    double error = 0;
    graze_status status = moves ? graze_motion_spline_through(knots[0], knots[1], knots[2], knots[3], spline, &error)
                                : graze_motion_still(start, motion);
    run->end_error = error > run->end_error ? error : run->end_error;
    if (status == GRAZE_STATUS_OK && moves)
        *motion = (graze_motion){.kind = GRAZE_MOTION_SPLINE, .spline = spline};
    if (status == GRAZE_STATUS_NOT_RIGID)
        return report_error(run->request->console, EXIT_USAGE,
                            "%s, or one next to them, is no rotation, as a spline needs it", what);
    if (status == GRAZE_STATUS_BAD_ARGUMENT)
        return report_error(run->request->console, EXIT_USAGE,
                            "%s are half a turn apart: a spline needs one between them", what);
    return status == GRAZE_STATUS_OK
               ? 0
               : report_error(run->request->console, exit_code_of(status), "%s: %s", what, graze_status_text(status));
}

exit_code moving_run(moving_files *run)
{
    run->options.budget = run->execution.budget;
    run->options.stats = &run->stats;
    graze_status status = moving_are_meshes(run)
                              ? graze_track(&run->execution.context, &run->moving[0], &run->moving[1], run->motions[0],
                                            run->motions[1], run->count, &run->options, run->impacts)
                              : moving_track_shapes(run);
    if (status == GRAZE_STATUS_OK && moving_are_meshes(run))
        status = moving_find_inside(run);
    if (status == GRAZE_STATUS_OK)
        return 0;
    if (!moving_are_meshes(run) && status == GRAZE_STATUS_UNSUPPORTED)
        return report_error(
            run->request->console, EXIT_USAGE,
            run->options.crossing
                ? "--crossing is for meshes and other shapes made of triangles; one of these files is none"
                : "cylinders, cones, ellipsoids, half-spaces and compounds move by --motion turn or "
                  "blend only");
    if (status == GRAZE_STATUS_NOT_RIGID)
        return report_error(run->request->console, EXIT_USAGE,
                            "round and curved shapes take rotations only: no poses that scale, and no blends that "
                            "turn them");
    if (status == GRAZE_STATUS_UNSUPPORTED)
        return report_error(run->request->console, EXIT_USAGE,
                            "--margin does not go with --crossing: within the margin nothing need cross");
    return report_error(run->request->console, exit_code_of(status), "the query failed: %s", graze_status_text(status));
}

void moving_release(moving_files *run)
{
    for (int side = 0; side < 2; side++)
    {
        free(run->motions[side]);
        free(run->splines[side]);
        graze_tree_destroy(run->trees[side]);
        graze_mesh_destroy(run->own[side]);
        loaded_shape_release(&run->files[side]);
    }
    free(run->impacts);
    execution_close(&run->execution);
}

graze_impact_verdict moving_verdict(const moving_files *run, size_t *out_segment)
{
    graze_impact_verdict verdict = GRAZE_IMPACT_NONE;
    *out_segment = 0;
    for (size_t i = 0; i < run->count; i++)
    {
        graze_impact_verdict of_segment = run->impacts[i].verdict;
        if (of_segment == GRAZE_IMPACT_AT || (of_segment == GRAZE_IMPACT_UNKNOWN && verdict == GRAZE_IMPACT_NONE))
        {
            verdict = of_segment;
            *out_segment = i;
        }
        if (of_segment == GRAZE_IMPACT_AT)
            break;
    }
    return verdict;
}

exit_code moving_code(const moving_files *run)
{
    size_t segment = 0;
    switch (moving_verdict(run, &segment))
    {
    case GRAZE_IMPACT_NONE:
        return EXIT_NOTHING_FOUND;
    case GRAZE_IMPACT_AT:
        return EXIT_FOUND;
    case GRAZE_IMPACT_UNKNOWN:
        break;
    }
    return report_error(run->request->console, EXIT_INCOMPLETE,
                        run->execution.budget.seconds > 0 ? "unknown from t = %.17g of segment %zu on: the time was up"
                                                          : "unknown from t = %.17g of segment %zu on",
                        run->impacts[segment].lower, segment);
}
