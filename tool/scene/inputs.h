/* SPDX-License-Identifier: MIT */
/* All inputs of a command line as parts: from files, folders, patterns, standard input (input_paths.h) and scene files.
 * An input that cannot be used becomes a problem, and reading continues; only an invalid scene file, invalid words and
 * lack of memory end it. */
#ifndef TOOL_SCENE_INPUTS_H
#define TOOL_SCENE_INPUTS_H

#include "graze/assembly.h"
#include "scene/scene_file.h"
#include "shell/input_paths.h"
#include "text/name_table.h"
#include "text/sha256.h"

/* Help text of arguments that name inputs. */
#define INPUTS_ARGUMENT                                                                                                \
    {                                                                                                                  \
        "PATH...",                                                                                                     \
            "Mesh files (STL, OBJ, PLY, OFF, glTF, GLB; also .gz), folders of them, patterns in quotes, scene files, " \
            "shape files (.json, docs/shape-format.md), or - for standard input. Any may end in :scale=FACTOR or "     \
            ":units=UNIT."                                                                                             \
    }

enum
{
    NO_SCENE = -1
};

#define NO_MESH SIZE_MAX

typedef struct input_part
{
    const char *name; /* unique */
    const char *file; /* as it was named, or found */
    size_t mesh;      /* index of its mesh; parts may share meshes. Of a shape that is not shown NO_MESH */
    graze_pose pose;
    graze_format format;       /* of the file; AUTO for scenes */
    graze_precision precision; /* of the mesh's coordinates, in a file where they were */
    double mesh_scale;         /* this large. The pose scales them further */
    int scene;                 /* index of its scene file, or NO_SCENE, */
    uint32_t object;           /* and index of its object there */
    size_t source;             /* of files: the index of its part in the assembly; else unused */
    const graze_shape *shape;  /* what it is, instead of the mesh, which is what it looks like; NULL: the mesh */
    size_t piece;              /* its number in a compound, from 1; 0: it is no piece */
} input_part;

typedef struct input_problem
{
    const char *part; /* its name, or the base name of the file where the file has one part or cannot be read */
    const char *what; /* the message, as a sentence */
    bool left_out;    /* a part or a file is missing because of it; else it is a remark */
} input_problem;

typedef struct input_scene
{
    scene_file file;
    size_t path; /* index of the path it was read from */
} input_scene;

typedef struct tool_inputs
{
    input_part *parts;
    size_t part_count;
    const graze_mesh **meshes;
    size_t mesh_count;
    input_problem *problems;
    size_t problem_count;
    length_unit unit; /* of all coordinates, or UNIT_NONE: as asked for, else as scene files state it */
    char standard_input_hash[GRZ_SHA256_TEXT_SIZE]; /* of its bytes, or "" */
    uint64_t standard_input_size;

    /* Memory that the above refers to. */
    graze_shape_set **shapes; /* of shape files, and scaled ones of scenes */
    size_t shape_count;
    graze_mesh **looks; /* meshes that shapes look like */
    size_t look_count;
    graze_assembly *assembly;
    input_paths paths;
    input_scene *scenes;
    size_t scene_count;
    grz_name_table names;
    char **texts;
    size_t text_count, text_capacity;
} tool_inputs;

/*
 * Reads all inputs. `unit` is that of files which state none, and of all results: glTF, whose unit is the metre, and
 * scene files that state another are converted to it. Without a unit it is the one that the scene files state, who must
 * agree; if none does, all coordinates are taken as they are. A scale factor goes into the pose, so that it is exact.
 * Prints an error and returns the exit code, or returns 0; release in any case.
 *
 * Names are those of graze/assembly.h, and of objects in scene files. Parts of different files with the same name are
 * called "file:name", or just the file where the part is named after it; names that are still equal get "#2" and so on.
 */
exit_code inputs_read(const tool_console *console, const graze_context *context, const char *const *words,
                      size_t word_count, length_unit unit, tool_inputs *out_inputs);

/* The same with a part for each piece of a compound, called "name/piece 3", and meshes that shapes look like. */
exit_code inputs_read_pieces(const tool_console *console, const graze_context *context, const char *const *words,
                             size_t word_count, length_unit unit, tool_inputs *out_inputs);
void inputs_release(tool_inputs *inputs);

/* Makes meshes that shapes look like, for pictures and pages. Prints an error and returns the exit code, or returns 0.
 */
exit_code inputs_show_shapes(const tool_console *console, tool_inputs *inputs);

/* The mesh of a part; NULL: it has none. */
const graze_mesh *inputs_mesh(const tool_inputs *inputs, const input_part *part);

/* Warnings about likely mistakes, as sentences. */
typedef struct input_warnings
{
    char **texts;
    size_t count, capacity;
} input_warnings;

/*
 * Warns of files about 1000 or 25.4 times as large as the others; of glTF among files without unit when no unit is
 * given; of parts whose float coordinates are too far from the origin for their size; and, unless `closed` is NULL
 * (containment is not asked), of parts that are not closed. False when out of memory. Release in any case.
 */
bool inputs_warn(const tool_inputs *inputs, const bool *closed, input_warnings *out_warnings);
/* Adds one warning and takes ownership of the text in any case; false when it is NULL or memory is exhausted. */
bool warnings_add(input_warnings *warnings, char *text);
void warnings_release(input_warnings *warnings);

/* A formatted text, owned by the caller; NULL when out of memory. */
char *format_text(const char *format, ...) TOOL_PRINTF(1, 2);

/* The last component of a path. */
const char *base_name(const char *path);

/* Whether text is a JSON object with that top-level key, in quotes: "graze" in scenes, "kind" in shapes, neither in
 * glTF. Only brackets and strings are parsed; errors are left to the reader. */
bool has_json_key(const char *text, size_t size, const char *key);

/* Makes the names of all parts unique; false when out of memory. */
bool inputs_name_parts(tool_inputs *inputs);

/* Keeps a text until the inputs are released, and takes ownership in any case; NULL when out of memory, or `text` is
 * NULL. */
const char *inputs_keep(tool_inputs *inputs, char *text);

#endif
