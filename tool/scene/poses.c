/* SPDX-License-Identifier: MIT */
/* Poses and recorded tracks of scene files; see scene_file.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene/pose_file.h"
#include "scene/scene_file.h"

/* Cosine and sine of half the angle, up to a common factor. Multiples of 90 degrees get 0, 1 and -1, so that the
 * matrices about coordinate axes are exact. */
static void half_turn(double degrees, double *out_cosine, double *out_sine)
{
    static const double cosines[] = {1, 1, 0, -1, -1, -1, 0, 1}, sines[] = {0, 1, 1, 1, 0, -1, -1, -1};
    const double pi = 3.14159265358979323846;
    double turned = fmod(degrees, 720.0); /* exact */
    turned += turned < 0 ? 720.0 : 0.0;
    double quarters = turned / 90.0;
    bool is_whole = quarters == floor(quarters) && quarters * 90.0 == turned;
    /* shortcut: quarter-turns */
    int at = is_whole ? (int)quarters % 8 : 0;
    *out_cosine = is_whole ? cosines[at] : cos(turned * (pi / 360.0));
    *out_sine = is_whole ? sines[at] : sin(turned * (pi / 360.0));
}

bool pose_from_degrees(const double axis[3], double degrees, const double translation[3], graze_pose *out_pose)
{
    int exponent;
    double largest = fmax(fabs(axis[0]), fmax(fabs(axis[1]), fabs(axis[2]))), scaled[3], cosine, sine;
    if (largest == 0)
        return false;
    frexp(largest, &exponent);
    for (int i = 0; i < 3; i++)
        scaled[i] = ldexp(axis[i], 1 - exponent); /* so that no square overflows or underflows */
    double length = sqrt(scaled[0] * scaled[0] + scaled[1] * scaled[1] + scaled[2] * scaled[2]);
    half_turn(degrees, &cosine, &sine);
    double quaternion[4] = {cosine, scaled[0] / length * sine, scaled[1] / length * sine, scaled[2] / length * sine};
    return graze_pose_from_quaternion(quaternion, translation, out_pose) == GRAZE_STATUS_OK;
}

enum
{
    POSE_POSITION,
    POSE_QUATERNION,
    POSE_AXIS_ANGLE,
    POSE_MATRIX,
    POSE_KEYS
};

static const char *const pose_keys[POSE_KEYS] = {"position", "quaternion", "axis_angle", "matrix"};

static bool read_matrix(json_document *document, const grz_json_place *place, const grz_json_node *value,
                        graze_pose *out_pose)
{
    double numbers[16];
    bool is_square = value->kind == GRZ_JSON_ARRAY && (int)value->count == 16;
    if (value->kind == GRZ_JSON_ARRAY && !is_square && (int)value->count != 12)
        return document_refuse(document, place, "expected 12 or 16 numbers, not %d", (int)value->count);
    if (!grz_json_take_numbers(&document->json, place, value, numbers, is_square ? 16 : 12))
        return false;
    if (graze_pose_from_matrix(numbers, is_square ? 4 : 3, NULL, out_pose) != GRAZE_STATUS_OK)
        return document_refuse(document, place, "the last row of a 4x4 matrix must be 0 0 0 1");
    return true;
}

static bool read_quaternion(json_document *document, const grz_json_place *place, const grz_json_node *value,
                            const double position[3], graze_pose *out_pose)
{
    double numbers[4];
    if (!grz_json_take_numbers(&document->json, place, value, numbers, 4))
        return false;
    if (graze_pose_from_quaternion(numbers, position, out_pose) != GRAZE_STATUS_OK)
        return document_refuse(document, place, "a quaternion must not be zero");
    return true;
}

static bool read_axis_angle(json_document *document, const grz_json_place *place, const grz_json_node *value,
                            const double position[3], graze_pose *out_pose)
{
    double numbers[4];
    if (!grz_json_take_numbers(&document->json, place, value, numbers, 4))
        return false;
    if (!pose_from_degrees(numbers, numbers[3], position, out_pose))
        return document_refuse(document, place, "an axis must not be zero");
    return true;
}

bool scene_read_pose(json_document *document, const grz_json_place *place, const grz_json_node *value,
                     graze_pose *out_pose)
{
    const grz_json_node *items[POSE_KEYS];
    double position[3] = {0, 0, 0};
    if (!grz_json_take_members(&document->json, place, value, pose_keys, POSE_KEYS, items))
        return false;
    int turns = (items[POSE_QUATERNION] != NULL) + (items[POSE_AXIS_ANGLE] != NULL) + (items[POSE_MATRIX] != NULL);
    if (turns > 1)
        return document_refuse(document, place, "only one of quaternion, axis_angle and matrix can hold");
    if (items[POSE_MATRIX] != NULL && items[POSE_POSITION] != NULL)
        return document_refuse(document, place, "a matrix has its position in its last column; leave out 'position'");
    grz_json_place at = {.parent = place, .key = pose_keys[POSE_POSITION]};
    if (items[POSE_POSITION] != NULL && !grz_json_take_numbers(&document->json, &at, items[POSE_POSITION], position, 3))
        return false;
    *out_pose = graze_pose_translation(position[0], position[1], position[2]);
    at.key = pose_keys[POSE_MATRIX];
    if (items[POSE_MATRIX] != NULL)
        return read_matrix(document, &at, items[POSE_MATRIX], out_pose);
    at.key = pose_keys[POSE_QUATERNION];
    if (items[POSE_QUATERNION] != NULL)
        return read_quaternion(document, &at, items[POSE_QUATERNION], position, out_pose);
    at.key = pose_keys[POSE_AXIS_ANGLE];
    return items[POSE_AXIS_ANGLE] == NULL || read_axis_angle(document, &at, items[POSE_AXIS_ANGLE], position, out_pose);
}

/* The object owns the track at once, so that it is released with the object on any failure. */
static bool make_track(json_document *document, size_t count, scene_track **out_track)
{
    scene_track *track = calloc(1, sizeof *track);
    *out_track = track;
    if (track != NULL)
    {
        track->frames = calloc(count + 1, sizeof *track->frames);
        track->poses = calloc(count + 1, sizeof *track->poses);
        track->count = count;
    }
    if (track != NULL && track->frames != NULL && track->poses != NULL)
        return true;
    document_fail(document, EXIT_INTERNAL, "out of memory");
    return false;
}

enum
{
    STEP_FRAME,
    STEP_POSE,
    STEP_KEYS
};

static bool read_step(json_document *document, const grz_json_place *place, const grz_json_node *value,
                      scene_track *track, size_t step)
{
    static const char *const keys[STEP_KEYS] = {"frame", "pose"};
    const grz_json_node *items[STEP_KEYS];
    if (!grz_json_take_members(&document->json, place, value, keys, STEP_KEYS, items))
        return false;
    for (int i = 0; i < STEP_KEYS; i++)
        if (items[i] == NULL)
            return document_refuse(document, place, "'%s' is missing", keys[i]);
    grz_json_place at = {.parent = place, .key = keys[STEP_FRAME]};
    if (!grz_json_take_count(&document->json, &at, items[STEP_FRAME], 1, &track->frames[step]))
        return false;
    if (step > 0 && track->frames[step] <= track->frames[step - 1])
        return document_refuse(document, &at, "frames must ascend");
    at.key = keys[STEP_POSE];
    return scene_read_pose(document, &at, items[STEP_POSE], &track->poses[step]);
}

bool scene_read_track(json_document *document, const grz_json_place *place, const grz_json_node *value,
                      scene_track **out_track)
{
    if (!grz_json_take_array(&document->json, place, value))
        return false;
    size_t count = (size_t)value->count;
    if (count == 0)
        return document_refuse(document, place, "a track has at least one pose");
    if (!make_track(document, count, out_track))
        return false;
    grz_json_place entry = {.parent = place};
    for (const grz_json_node *item = value->child; item != NULL; item = item->next, entry.index++)
        if (!read_step(document, &entry, item, *out_track, entry.index))
            return false;
    return true;
}

/* Reads one pose per line, from frame 1 on. */
bool scene_read_track_file(json_document *document, const grz_json_place *place, const grz_json_node *value,
                           scene_track **out_track)
{
    const char *name = NULL;
    if (!grz_json_take_text(&document->json, place, value, &name))
        return false;
    graze_pose *poses = NULL;
    size_t count = 0;
    char *path = path_beside(document, name);
    document->code = path != NULL ? load_track(document->console, path, &poses, &count)
                                  : report_error(document->console, EXIT_INTERNAL, "out of memory");
    free(path);
    bool fits = document->code == 0 && make_track(document, count, out_track);
    for (size_t i = 0; fits && i < count; i++)
    {
        (*out_track)->frames[i] = i + 1;
        (*out_track)->poses[i] = poses[i];
    }
    free(poses);
    return fits;
}
