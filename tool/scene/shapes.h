/* SPDX-License-Identifier: MIT */
/* The shapes of graze make: a table of names, parameters with their defaults, and generators. */
#ifndef TOOL_SCENE_SHAPES_H
#define TOOL_SCENE_SHAPES_H

#include <stdint.h>

#include "graze/shape.h"
#include "shell/command.h"
#include "shell/parse_numbers.h"

/* All parameters of shapes. graze make has an option for each, at the same index of its table; each shape uses some. */
typedef enum shape_option
{
    SHAPE_SIZE,
    SHAPE_RADIUS,
    SHAPE_RING_RADIUS,
    SHAPE_TUBE_RADIUS,
    SHAPE_WAIST_RADIUS,
    SHAPE_RIM_RADIUS,
    SHAPE_PIPE_RADIUS,
    SHAPE_BORE_RADIUS,
    SHAPE_HEIGHT,
    SHAPE_LENGTH,
    SHAPE_THICKNESS,
    SHAPE_MODULE,
    SHAPE_CLEARANCE,
    SHAPE_BUMP,
    SHAPE_CURL,
    SHAPE_SEGMENTS,
    SHAPE_SIDES,
    SHAPE_RINGS,
    SHAPE_FREQUENCY,
    SHAPE_DEPTH,
    SHAPE_TEETH,
    SHAPE_MATE,
    SHAPE_COUNT,
    SHAPE_TRIANGLES,
    SHAPE_SEED,
    SHAPE_POINTS,
    SHAPE_POINTS_FILE,
    SHAPE_OPTION_COUNT
} shape_option;

/* Name and help of each parameter, by shape_option: the first rows of the options of graze make. Scene files spell the
 * names with underscores. */
#define SHAPE_OPTIONS                                                                                                  \
    [SHAPE_SIZE] = {.name = "size",                                                                                    \
                    .value = "NUMBER",                                                                                 \
                    .help = "Edge length; of a box also \"X Y Z\"; half the width of a scene."},                       \
    [SHAPE_RADIUS] = {.name = "radius", .value = "NUMBER", .help = "Radius."},                                         \
    [SHAPE_RING_RADIUS] = {.name = "ring-radius",                                                                      \
                           .value = "NUMBER",                                                                          \
                           .help = "From the axis to the middle of the tube."},                                        \
    [SHAPE_TUBE_RADIUS] = {.name = "tube-radius", .value = "NUMBER", .help = "Of the tube itself."},                   \
    [SHAPE_WAIST_RADIUS] = {.name = "waist-radius", .value = "NUMBER", .help = "At the narrowest place."},             \
    [SHAPE_RIM_RADIUS] = {.name = "rim-radius", .value = "NUMBER", .help = "At both ends."},                           \
    [SHAPE_PIPE_RADIUS] = {.name = "pipe-radius", .value = "NUMBER", .help = "Of each pipe."},                         \
    [SHAPE_BORE_RADIUS] = {.name = "bore-radius", .value = "NUMBER", .help = "Of the hole for the shaft."},            \
    [SHAPE_HEIGHT] = {.name = "height", .value = "NUMBER", .help = "Along z."},                                        \
    [SHAPE_LENGTH] = {.name = "length", .value = "NUMBER", .help = "From end to end."},                                \
    [SHAPE_THICKNESS] = {.name = "thickness", .value = "NUMBER", .help = "Along z."},                                  \
    [SHAPE_MODULE] = {.name = "module", .value = "NUMBER", .help = "Pitch diameter divided by the number of teeth."},  \
    [SHAPE_CLEARANCE] = {.name = "clearance", .value = "NUMBER", .help = "By how much every tooth is thinned."},       \
    [SHAPE_BUMP] = {.name = "bump", .value = "NUMBER", .help = "Height of the hills, relative to the radius."},        \
    [SHAPE_CURL] = {.name = "curl", .value = "NUMBER", .help = "From 0, a stretched hand, to 1, a fist."},             \
    [SHAPE_SEGMENTS] = {.name = "segments", .value = "N", .help = "Pieces around, or along each edge of a box."},      \
    [SHAPE_SIDES] = {.name = "sides", .value = "N", .help = "Sides of a tube."},                                       \
    [SHAPE_RINGS] = {.name = "rings", .value = "N", .help = "Bands from bottom to top."},                              \
    [SHAPE_FREQUENCY] = {.name = "frequency", .value = "N", .help = "Pieces along each edge of the icosahedron."},     \
    [SHAPE_DEPTH] = {.name = "depth", .value = "N", .help = "Generations."},                                           \
    [SHAPE_TEETH] = {.name = "teeth", .value = "N", .help = "Teeth."},                                                 \
    [SHAPE_MATE] = {.name = "mate", .value = "N", .help = "Teeth of the other gear, at the origin; 0 for none."},      \
    [SHAPE_COUNT] = {.name = "count", .value = "N", .help = "How many bodies."},                                       \
    [SHAPE_TRIANGLES] = {.name = "triangles", .value = "N", .help = "About how many triangles in all."},               \
    [SHAPE_SEED] = {.name = "seed", .value = "N", .help = "Another seed, another scene."},                             \
    [SHAPE_POINTS] = {.name = "points",                                                                                \
                      .value = "TEXT",                                                                                 \
                      .help = "The outline: \"x y, x y, ...\"; a semicolon begins a hole."},                           \
    [SHAPE_POINTS_FILE] = {.name = "points-file",                                                                      \
                           .value = "FILE",                                                                            \
                           .help = "The outline from a file, a point a line; an empty line begins a hole."}

extern const tool_option shape_options[SHAPE_OPTION_COUNT];

/* Allowed values of a parameter. */
typedef enum parameter_kind
{
    PARAMETER_END,      /* no more parameters */
    PARAMETER_REAL,     /* a finite number within bounds */
    PARAMETER_POSITIVE, /* one above zero */
    PARAMETER_SIZES,    /* one or three of those */
    PARAMETER_COUNT,    /* a whole number within bounds */
    PARAMETER_TEXT
} parameter_kind;

typedef struct shape_parameter
{
    shape_option option;
    parameter_kind kind;
    const char *fallback; /* default, as command-line text; NULL: none */
    double least, most;   /* bounds of a REAL or COUNT */
} shape_parameter;

enum
{
    PARAMETER_LIMIT = 7
};

typedef struct shape_values
{
    double reals[SHAPE_OPTION_COUNT][3];
    uint64_t counts[SHAPE_OPTION_COUNT];
    const char *texts[SHAPE_OPTION_COUNT];
} shape_values;

typedef struct tool_shape
{
    const char *name;
    const char *help;
    shape_parameter parameters[PARAMETER_LIMIT]; /* terminated by PARAMETER_END */
    graze_status (*make)(const shape_values *values, graze_error *error, graze_mesh **out_mesh);
    graze_status (*make_primitive)(const shape_values *values, graze_shape **out_shape); /* NULL: it is none */
} tool_shape;

extern const tool_shape all_shapes[];
extern const size_t shape_count;

/* Those that are no meshes, and only written as shape files. They have no `make`. */
extern const tool_shape primitive_shapes[];
extern const size_t primitive_shape_count;

/* Finds a shape by name, among all or among those; dashes, underscores and a plural "s" are ignored. */
const tool_shape *find_shape(const char *name);
const tool_shape *find_primitive(const char *name);

/* Parses one parameter from command-line text. False on failure; `fault` then has the message, to be printed after its
 * name. */
bool parse_parameter(const shape_parameter *parameter, const char *text, shape_values *values, char fault[FAULT_SIZE]);

/* Parses the shape's parameters from the request. Prints an error and returns EXIT_USAGE, or returns 0. */
exit_code read_parameters(const tool_request *request, const tool_shape *shape, shape_values *out_values);

#endif
