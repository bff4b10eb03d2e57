/* SPDX-License-Identifier: MIT */
/* Motions of parts; see tracks.h. */
#include "clash/tracks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "scene/motion.h"
#include "shell/line_reader.h"

enum
{
    MOST_FRAMES = 1000000
};

/* A scene while its frames are run. */
typedef struct scene_frames
{
    const tool_console *console;
    const tool_inputs *inputs;
    const scene_file *file;
    const char *path;
    uint32_t frames, frame_count; /* of this scene; of all */
    graze_scene *scene;           /* poses alone: its objects have no meshes */
    graze_object *ids;
    scene_motion motion;
    graze_pose *locals, *worlds, *before; /* by object, of this frame, and worlds of the one before */
    uint32_t *roots;                      /* by object: itself or the ancestor that moves it, or GRZ_NO_NAME */
    uint32_t first_group;
    uint32_t *part_of; /* by object, or UINT32_MAX */
    clash_tracks *out;
} scene_frames;

static exit_code no_memory(const tool_console *console)
{
    return report_error(console, EXIT_INTERNAL, "there is not enough memory for the motion of all parts");
}

static bool moves_by_itself(const scene_object *object)
{
    return object->moves || object->track != NULL;
}

/* As many as the file says, else up to the last key frame. */
static uint64_t frames_of(const scene_file *file)
{
    uint64_t last = file->frames;
    for (size_t i = 0; i < file->object_count && file->frames <= 1; i++)
    {
        const scene_track *track = file->objects[i].track;
        if (track != NULL && track->count > 0 && track->frames[track->count - 1] > last)
            last = track->frames[track->count - 1];
    }
    return last;
}

static bool has_mover(const scene_file *file)
{
    for (size_t i = 0; i < file->object_count; i++)
        if (moves_by_itself(&file->objects[i]))
            return true;
    return false;
}

static exit_code count_frames(const tool_console *console, const tool_inputs *inputs, uint32_t *out_frames)
{
    uint64_t most = 0;
    bool moves = false;
    for (size_t s = 0; s < inputs->scene_count; s++)
    {
        const scene_file *file = &inputs->scenes[s].file;
        const char *path = display_name(inputs->paths.files[inputs->scenes[s].path].path);
        moves = moves || has_mover(file);
        most = frames_of(file) > most ? frames_of(file) : most;
        if (file->bounces || file->has_cage)
            return report_error(console, EXIT_USAGE,
                                "%s: its motion depends on collisions ('bounce' or 'cage'), so it is not known "
                                "beforehand; --through-time takes tracks, velocities and spins",
                                path);
    }
    if (inputs->scene_count == 0 && inputs->paths.count == 0 && inputs->paths.missing_count > 0)
        return report_error(console, EXIT_INPUT, "%s: %s", display_name(inputs->paths.missing[0].path),
                            inputs->paths.missing[0].what);
    if (inputs->scene_count == 0)
        return report_error(console, EXIT_USAGE,
                            "--through-time needs a scene file in which something moves; these inputs have no motion");
    if (!moves)
        return report_error(console, EXIT_USAGE,
                            "--through-time: nothing moves in this scene; an object needs a 'track', a 'track_file', "
                            "a 'velocity' or a 'spin'");
    if (most < 2)
        return report_error(console, EXIT_USAGE,
                            "--through-time: the scene has one frame; 'frames' says how many there are");
    if (most > MOST_FRAMES)
        return report_error(console, EXIT_USAGE, "--through-time takes up to %d frames, not %" PRIu64, MOST_FRAMES,
                            most);
    *out_frames = (uint32_t)most;
    return 0;
}

/* --- poses by frame --- */

static graze_status add_objects(scene_frames *run)
{
    graze_scene_def def = graze_scene_def_default();
    graze_status status = graze_scene_create(NULL, &def, &run->scene);
    for (size_t i = 0; status == GRAZE_STATUS_OK && i < run->file->object_count; i++)
    {
        graze_object_def object = graze_object_def_default();
        uint32_t at = run->file->order[i];
        object.pose = motion_first_pose(&run->file->objects[at]);
        status = graze_scene_add(run->scene, &object, &run->ids[at]);
    }
    if (status == GRAZE_STATUS_OK && !motion_open(run->file, run->scene, run->ids, &run->motion))
        status = GRAZE_STATUS_OUT_OF_MEMORY;
    return status;
}

static void find_roots(scene_frames *run)
{
    for (size_t i = 0; i < run->file->object_count; i++)
    {
        uint32_t at = run->file->order[i], parent = run->file->objects[at].parent;
        run->roots[at] = moves_by_itself(&run->file->objects[at]) ? at
                         : parent != GRZ_NO_NAME                  ? run->roots[parent]
                                                                  : GRZ_NO_NAME;
    }
}

static graze_status read_frame(scene_frames *run)
{
    graze_status status = GRAZE_STATUS_OK;
    for (size_t i = 0; status == GRAZE_STATUS_OK && i < run->file->object_count; i++)
    {
        uint32_t at = run->file->order[i], parent = run->file->objects[at].parent;
        graze_object_def def = graze_object_def_default();
        status = graze_scene_object_def(run->scene, run->ids[at], &def);
        run->locals[at] = run->worlds[at] = def.pose;
        if (status == GRAZE_STATUS_OK && parent != GRZ_NO_NAME)
            status = graze_pose_compose(&run->worlds[parent], &def.pose, &run->worlds[at], NULL);
    }
    return status;
}

/* The pose of an object in the frame of the one that moves it. */
static graze_status relative_pose(const scene_frames *run, uint32_t object, graze_pose *out_pose)
{
    graze_status status = GRAZE_STATUS_OK;
    *out_pose = graze_pose_identity();
    for (uint32_t at = object; at != run->roots[object] && status == GRAZE_STATUS_OK;
         at = run->file->objects[at].parent)
        status = graze_pose_compose(&run->locals[at], out_pose, out_pose, NULL);
    return status;
}

/* --- motions --- */

/* p q */
static void multiply(const double p[4], const double q[4], double out[4])
{
    out[0] = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3];
    out[1] = p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2];
    out[2] = p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1];
    out[3] = p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0];
}

/*
 * The turn of a part that is fixed to what makes another turn. With the fixed place x -> L x + l, its point x is at
 * R(t) (L x + l) + p(t), which is R(t) L (x - c) + p(t) for c = - L^T l. Quaternions multiply, so they stay linear in
 * t.
 */
static graze_status ride(const graze_motion *turn, const graze_pose *place, graze_motion *out_motion)
{
    graze_motion fixed;
    graze_status status = graze_motion_between(place, place, GRAZE_MOTION_TURN, &fixed, NULL);
    if (status != GRAZE_STATUS_OK)
        return status;
    *out_motion = *turn;
    for (int end = 0; end < 2; end++)
        multiply(turn->quaternion[end], fixed.quaternion[0], out_motion->quaternion[end]);
    const double *m = place->m;
    for (int axis = 0; axis < 3; axis++)
        out_motion->centre[axis] = -(m[axis] * m[3] + m[4 + axis] * m[7] + m[8 + axis] * m[11]);
    return graze_motion_check(out_motion);
}

static graze_status find_motion(const scene_frames *run, uint32_t object, graze_motion *out_motion)
{
    uint32_t root = run->roots[object];
    const graze_pose *from = &run->before[root], *to = &run->worlds[root];
    graze_motion turn;
    graze_pose place;
    if (memcmp(from->m, to->m, sizeof from->m) == 0)
        return graze_motion_still(&run->worlds[object], out_motion);
    graze_status status = graze_motion_between(from, to, GRAZE_MOTION_TURN, &turn, NULL);
    if (status == GRAZE_STATUS_OK && root != object)
        status = relative_pose(run, object, &place);
    if (status == GRAZE_STATUS_OK && root != object)
        return ride(&turn, &place, out_motion);
    *out_motion = turn;
    return status;
}

static exit_code refuse(const scene_frames *run, graze_status status, uint32_t object, uint32_t frame)
{
    const char *name = object != GRZ_NO_NAME ? run->file->objects[object].name : "";
    if (status == GRAZE_STATUS_OUT_OF_MEMORY)
        return no_memory(run->console);
    if (status == GRAZE_STATUS_NOT_RIGID)
        return report_error(run->console, EXIT_INPUT,
                            "%s: '%s' is scaled, sheared or mirrored and moves from frame %" PRIu32 " to %" PRIu32
                            "; --through-time turns parts, which takes rotations",
                            run->path, name, frame, frame + 1);
    if (status == GRAZE_STATUS_NOT_FINITE)
        return report_error(run->console, EXIT_INPUT, "%s: frame %" PRIu32 ": %s%s%s leaves the range of doubles",
                            run->path, frame + 1, object != GRZ_NO_NAME ? "'" : "an object", name,
                            object != GRZ_NO_NAME ? "'" : "");
    return report_error(run->console, exit_code_of(status), "%s: frame %" PRIu32 ": %s", run->path, frame + 1,
                        graze_status_text(status));
}

/* From frame - 1 to frame, counted from 0. */
static exit_code take_frame(scene_frames *run, uint32_t frame)
{
    for (uint32_t i = 0; i < run->file->object_count; i++)
    {
        uint32_t part = run->part_of[i];
        if (part == UINT32_MAX || run->roots[i] == GRZ_NO_NAME)
            continue;
        graze_motion *motions = (graze_motion *)(uintptr_t)run->out->tracks[part].motions;
        graze_status status = find_motion(run, i, &motions[frame - 1]);
        if (status != GRAZE_STATUS_OK)
            return refuse(run, status, i, frame);
    }
    return 0;
}

static exit_code run_frames(scene_frames *run)
{
    uint32_t object = GRZ_NO_NAME;
    graze_status status = read_frame(run);
    if (status != GRAZE_STATUS_OK)
        return refuse(run, status, GRZ_NO_NAME, 0);
    exit_code code = 0;
    for (uint32_t frame = 1; frame < run->frame_count && code == 0; frame++)
    {
        memcpy(run->before, run->worlds, run->file->object_count * sizeof *run->worlds);
        object = GRZ_NO_NAME;
        status = frame < run->frames ? motion_advance(&run->motion, frame + 1, &object) : GRAZE_STATUS_OK;
        if (status == GRAZE_STATUS_OK)
        {
            object = GRZ_NO_NAME;
            status = read_frame(run);
        }
        code = status == GRAZE_STATUS_OK ? take_frame(run, frame) : refuse(run, status, object, frame);
    }
    return code;
}

/* Gives a track to each part of the scene that moves. */
static exit_code start_tracks(scene_frames *run, size_t scene)
{
    for (size_t i = 0; i < run->inputs->part_count; i++)
    {
        const input_part *part = &run->inputs->parts[i];
        if (part->scene != (int)scene)
            continue;
        uint32_t root = run->roots[part->object];
        run->part_of[part->object] = (uint32_t)i;
        if (root == GRZ_NO_NAME)
            continue;
        if (memcmp(part->pose.m, run->worlds[part->object].m, sizeof part->pose.m) != 0)
            return report_error(run->console, EXIT_USAGE,
                                "%s: it is converted to another unit; --through-time takes it in its own", run->path);
        run->out->tracks[i].motions = calloc(run->frame_count, sizeof(graze_motion));
        run->out->tracks[i].group = run->first_group + root + 1;
        if (run->out->tracks[i].motions == NULL)
            return no_memory(run->console);
    }
    return 0;
}

static exit_code run_scene(scene_frames *run, size_t scene)
{
    graze_status status = add_objects(run);
    memset(run->part_of, 0xff, run->file->object_count * sizeof *run->part_of);
    find_roots(run);
    if (status == GRAZE_STATUS_OK)
        status = read_frame(run);
    exit_code code = status == GRAZE_STATUS_OK ? start_tracks(run, scene) : refuse(run, status, GRZ_NO_NAME, 0);
    return code == 0 ? run_frames(run) : code;
}

static exit_code take_scene(const tool_console *console, const tool_inputs *inputs, size_t scene, uint32_t first_group,
                            clash_tracks *out)
{
    const scene_file *file = &inputs->scenes[scene].file;
    size_t count = file->object_count + 1;
    scene_frames run = {.console = console,
                        .inputs = inputs,
                        .file = file,
                        .path = display_name(inputs->paths.files[inputs->scenes[scene].path].path),
                        .frames = (uint32_t)frames_of(file),
                        .frame_count = out->frame_count,
                        .ids = calloc(count, sizeof *run.ids),
                        .locals = calloc(count, sizeof *run.locals),
                        .worlds = calloc(count, sizeof *run.worlds),
                        .before = calloc(count, sizeof *run.before),
                        .roots = calloc(count, sizeof *run.roots),
                        .first_group = first_group,
                        .part_of = calloc(count, sizeof *run.part_of),
                        .out = out};
    bool has_room = run.ids != NULL && run.locals != NULL && run.worlds != NULL && run.before != NULL &&
                    run.roots != NULL && run.part_of != NULL;
    exit_code code = has_room ? run_scene(&run, scene) : no_memory(console);
    motion_release(&run.motion);
    graze_scene_destroy(run.scene);
    free(run.ids);
    free(run.locals);
    free(run.worlds);
    free(run.before);
    free(run.roots);
    free(run.part_of);
    return code;
}

exit_code clash_tracks_make(const tool_console *console, const tool_inputs *inputs, clash_tracks *out_tracks)
{
    *out_tracks = (clash_tracks){.count = inputs->part_count};
    exit_code code = count_frames(console, inputs, &out_tracks->frame_count);
    if (code != 0)
        return code;
    out_tracks->tracks = calloc(inputs->part_count + 1, sizeof *out_tracks->tracks);
    if (out_tracks->tracks == NULL)
        return no_memory(console);
    uint32_t groups = 0;
    for (size_t s = 0; s < inputs->scene_count && code == 0; s++)
    {
        code = take_scene(console, inputs, s, groups, out_tracks);
        groups += (uint32_t)inputs->scenes[s].file.object_count;
    }
    return code;
}

void clash_tracks_release(clash_tracks *tracks)
{
    for (size_t i = 0; i < tracks->count && tracks->tracks != NULL; i++)
        free((void *)(uintptr_t)tracks->tracks[i].motions);
    free(tracks->tracks);
    *tracks = (clash_tracks){0};
}
