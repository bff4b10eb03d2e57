/* SPDX-License-Identifier: MIT */
/* Scene files: meshes, objects with their motion, layers and interest rules (docs/scene-format.md). The whole file:
 * scene_file.c; objects: objects.c; poses and tracks: poses.c; meshes: meshes.c; rules: interest_rules.c. */
#ifndef TOOL_SCENE_SCENE_FILE_H
#define TOOL_SCENE_SCENE_FILE_H

#include "graze/interest.h"
#include "graze/shape_file.h"
#include "shell/json_document.h"
#include "shell/length_units.h"
#include "text/name_table.h"
#include "text/suggestion.h"

/* Key frames: each pose holds from its frame until the next one. */
typedef struct scene_track
{
    size_t count;
    uint64_t *frames; /* ascending, from 1 */
    graze_pose *poses;
} scene_track;

typedef struct scene_object
{
    const char *name;
    char *parent_name;
    uint32_t parent; /* GRZ_NO_NAME: none; likewise the mesh */
    uint32_t mesh;
    graze_shape_set *shape;    /* instead of a mesh, or NULL */
    bool shares_shape;         /* which then belongs to one of the file's meshes */
    graze_precision precision; /* of the numbers of the shape in the file */
    double shape_scale;        /* between those and the shape */
    uint32_t layer, assembly, flags;
    bool moves; /* has a velocity or a spin */
    graze_pose pose;
    double velocity[3];                /* units a second, in the parent's frame */
    double spin_axis[3], spin_degrees; /* per second, about its own origin */
    scene_track *track;                /* or NULL */
} scene_object;

/* What objects name as their mesh: a mesh, or a shape. */
typedef struct scene_mesh
{
    graze_shape_set *set;      /* read from a file, */
    graze_mesh *own;           /* or generated, or scaled */
    const graze_mesh *mesh;    /* NULL: a shape */
    uint32_t rank;             /* among those that are no shapes */
    graze_precision precision; /* of its coordinates in the file */
    double scale;              /* between those and the mesh */
} scene_mesh;

typedef struct scene_rule
{
    uint32_t a, b;
    graze_interest interest;
} scene_rule;

typedef struct scene_object_rule
{
    uint32_t object;
    graze_interest interest;
} scene_object_rule;

typedef struct scene_interest
{
    graze_interest otherwise;
    bool test_parent_child;
    scene_rule *layers, *pairs;
    scene_object_rule *objects;
    size_t layer_count, pair_count, object_count;
} scene_interest;

typedef struct scene_file
{
    grz_name_table object_names, mesh_names, layer_names, assembly_names;
    scene_object *objects; /* by number of the name */
    size_t object_count, object_capacity;
    uint32_t *order; /* topological order: parents before children */
    scene_mesh *meshes;
    size_t mesh_count;
    scene_interest interest;
    length_unit unit;      /* of all lengths, if it states one that is known */
    char unknown_unit[40]; /* what it states instead, perhaps cut short; or "" */
    uint64_t frames;       /* number of frames unless an option says otherwise */
    double seconds_per_frame;
    bool has_cage, bounces;
    double cage_lower[3], cage_upper[3];
} scene_file;

/* Reads a scene with everything it refers to; "-" is standard input. Prints an error and returns the exit code, or
 * returns 0. A scene without a mesh is EXIT_INCOMPLETE: there is nothing to check. */
exit_code scene_file_load(const tool_console *console, const char *path, scene_file *out_file);

/* The same with text already in memory, as document_take. */
exit_code scene_file_take(const tool_console *console, const char *path, char *text, size_t size, scene_file *out_file);

/* Valid for all zeros and for a file that was read only in part. */
void scene_file_release(scene_file *file);

/* Readers of the members. Each prints an error through the document and returns false. */

bool scene_read_object(json_document *document, scene_file *file, size_t index, const grz_json_node *value);

/* After all objects are read: finds parents, refuses cycles, fills `order`. */
bool scene_link_objects(json_document *document, scene_file *file);

bool scene_read_pose(json_document *document, const grz_json_place *place, const grz_json_node *value,
                     graze_pose *out_pose);
bool scene_read_track(json_document *document, const grz_json_place *place, const grz_json_node *value,
                      scene_track **out_track);
/* The shape that an object has instead of a mesh. */
bool scene_read_shape(json_document *document, const grz_json_place *place, const grz_json_node *value,
                      graze_shape_set **out_shape);

bool scene_read_track_file(json_document *document, const grz_json_place *place, const grz_json_node *value,
                           scene_track **out_track);

/* Rotation by degrees; quarter turns about a coordinate axis are exact. The axis is not zero. */
bool pose_from_degrees(const double axis[3], double degrees, const double translation[3], graze_pose *out_pose);

/* Loads and generates all meshes, and checks that those which objects name exist. `value` may be NULL. */
bool scene_read_meshes(json_document *document, scene_file *file, const grz_json_node *value);

bool scene_read_layers(json_document *document, scene_file *file, const grz_json_node *value);
bool scene_read_interest(json_document *document, scene_file *file, const grz_json_node *value);

/* A path relative to the document's folder, unless it is absolute. To be freed; NULL when out of memory. */
char *path_beside(const json_document *document, const char *path);

#endif
