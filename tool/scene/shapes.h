/* SPDX-License-Identifier: MIT */
/* The shapes that graze make offers: a table of names, parameters with their defaults, and makers. */
#ifndef TOOL_SCENE_SHAPES_H
#define TOOL_SCENE_SHAPES_H

#include <stdint.h>

#include "graze/mesh.h"
#include "shell/command.h"
#include "shell/parse_numbers.h"

/* Parameters are options of the command, which puts them at these places of its table; each shape picks some. */
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

/* What one may type for a parameter. */
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
    const char *fallback; /* the default, as one would type it; NULL: none */
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
    shape_parameter parameters[PARAMETER_LIMIT]; /* up to PARAMETER_END */
    graze_status (*make)(const shape_values *values, graze_error *error, graze_mesh **out_mesh);
} tool_shape;

extern const tool_shape all_shapes[];
extern const size_t shape_count;

/* By name; dashes, underscores and a plural's "s" do not matter. */
const tool_shape *find_shape(const char *name);

/* Reads one parameter as one would type it. False when it cannot be; `fault` then says why, to stand after its name. */
bool parse_parameter(const shape_parameter *parameter, const char *text, shape_values *values, char fault[FAULT_SIZE]);

/* Reads the shape's parameters from the request. Says what is wrong and returns EXIT_USAGE, or 0. */
exit_code read_parameters(const tool_request *request, const tool_shape *shape, shape_values *out_values);

#endif
