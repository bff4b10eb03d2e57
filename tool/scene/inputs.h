/* SPDX-License-Identifier: MIT */
/* Everything a command line names, as parts: from files, folders, patterns, standard input (input_paths.h) and scene
 * files. What cannot be used becomes a problem, and the rest goes on; only a scene file that is wrong, words that make
 * no sense and a lack of memory end it. */
#ifndef TOOL_SCENE_INPUTS_H
#define TOOL_SCENE_INPUTS_H

#include "graze/assembly.h"
#include "scene/scene_file.h"
#include "shell/input_paths.h"
#include "shell/name_table.h"
#include "shell/sha256.h"

/* How commands explain what they read. */
#define INPUTS_ARGUMENT                                                                                                \
    {                                                                                                                  \
        "PATH...",                                                                                                     \
            "Mesh files (STL, OBJ, PLY, OFF, glTF, GLB; also .gz), folders of them, patterns in quotes, scene files, " \
            "or - for standard input. Any may end in :scale=FACTOR or :units=UNIT."                                    \
    }

enum
{
    NO_SCENE = -1
};

typedef struct input_part
{
    const char *name; /* no other part has it */
    const char *file; /* as it was named, or found */
    size_t mesh;      /* which one; parts may share them */
    graze_pose pose;
    graze_format format; /* of the file; AUTO for scenes */
    int scene;           /* which scene file it comes from, or NO_SCENE, */
    uint32_t object;     /* and which object of it it is */
} input_part;

typedef struct input_problem
{
    const char *part; /* its name; that of the file, without folders, where the file has one part or cannot be read */
    const char *what; /* a sentence */
    bool left_out;    /* a part or a file is not there because of it; else it is only a remark */
} input_problem;

typedef struct input_scene
{
    scene_file file;
    size_t path; /* which one it was read from */
} input_scene;

typedef struct tool_inputs
{
    input_part *parts;
    size_t part_count;
    const graze_mesh **meshes;
    size_t mesh_count;
    input_problem *problems;
    size_t problem_count;
    length_unit unit;                           /* of all numbers, or UNIT_NONE */
    char standard_input_hash[SHA256_TEXT_SIZE]; /* of its bytes, or "" */
    uint64_t standard_input_size;

    /* What all this stands on. */
    graze_assembly *assembly;
    input_paths paths;
    input_scene *scenes;
    size_t scene_count;
    name_table names;
    char **texts;
    size_t text_count, text_capacity;
} tool_inputs;

/*
 * Reads everything. `unit` is that of files which state none, and of all results: glTF, whose unit is the metre, is
 * taken times what one has of them; without a unit all numbers are taken as they are. A scale goes into the pose, so
 * that it is exact. Says what is wrong and returns the exit code, or 0; release in any case.
 *
 * Names are those of graze/assembly.h, and of objects in scene files. Where files have parts of the same name, each
 * such part is called "file:name", and the file alone where it is named after it; should that still be the same, "#2"
 * and so on follow.
 */
exit_code inputs_read(const tool_console *console, const graze_context *context, const char *const *words,
                      size_t word_count, length_unit unit, tool_inputs *out_inputs);
void inputs_release(tool_inputs *inputs);

/* What usually is a mistake, as sentences. */
typedef struct input_warnings
{
    char **texts;
    size_t count, capacity;
} input_warnings;

/*
 * Warns of files about 1000 or 25.4 times as large as the others; of glTF among files without unit while no unit is
 * said; of parts whose floats are too far from the origin for their size; and, unless `closed` is NULL (containment is
 * not asked), of parts that are not closed. False when memory ends. Release in any case.
 */
bool inputs_warn(const tool_inputs *inputs, const bool *closed, input_warnings *out_warnings);
/* Adds one more, and takes the text over in any case; false when it is NULL or memory ends. */
bool warnings_add(input_warnings *warnings, char *text);
void warnings_release(input_warnings *warnings);

/* A text formatted into memory of its own; NULL when that ends. */
char *format_text(const char *format, ...) TOOL_PRINTF(1, 2);

/* The last name of a path. */
const char *base_name(const char *path);

/* Gives every part a name of its own; false when memory ends. */
bool inputs_name_parts(tool_inputs *inputs);

/* Keeps a text until the inputs are released; NULL when memory ends, or `text` is NULL. Takes it over in any case. */
const char *inputs_keep(tool_inputs *inputs, char *text);

#endif
