/* SPDX-License-Identifier: MIT */
/* Parses the parameters of a shape, from the command line or from text that scene files are converted to; see
 * shapes.h. */
#include <math.h>

#include "scene/shapes.h"
#include "shell/parse_numbers.h"

const tool_option shape_options[SHAPE_OPTION_COUNT] = {SHAPE_OPTIONS};

static exit_code refuse_foreign(const tool_request *request, const tool_shape *shape)
{
    for (size_t option = 0; option < SHAPE_OPTION_COUNT; option++)
    {
        bool is_own = request->values[option] == NULL;
        for (size_t i = 0; shape->parameters[i].kind != PARAMETER_END; i++)
            is_own = is_own || shape->parameters[i].option == option;
        if (!is_own)
            return report_error(request->console, EXIT_USAGE, "%s has no --%s; graze make --list shows what it has",
                                shape->name, shape_options[option].name);
    }
    return 0;
}

/* Writes the message, to be printed after the parameter's name. */
static bool refuse(char fault[FAULT_SIZE], const char *format, double number)
{
    snprintf(fault, FAULT_SIZE, format, number);
    return false;
}

/* Puts a colon before the message of parse_numbers. */
static bool parse_reals(const char *text, double *numbers, size_t capacity, size_t *out_count, char fault[FAULT_SIZE])
{
    char reason[FAULT_SIZE];
    if (parse_numbers(text, numbers, capacity, out_count, reason))
        return true;
    snprintf(fault, FAULT_SIZE, ": %.*s", FAULT_SIZE - 3, reason);
    return false;
}

static bool parse_sizes(const char *text, double out_sizes[3], char fault[FAULT_SIZE])
{
    size_t count = 0;
    if (!parse_reals(text, out_sizes, 3, &count, fault))
        return false;
    if (count != 1 && count != 3)
        return refuse(fault, " takes one number, or three for x, y and z", 0);
    if (count == 1)
        out_sizes[1] = out_sizes[2] = out_sizes[0];
    for (int axis = 0; axis < 3; axis++)
        if (!(out_sizes[axis] > 0.0))
            return refuse(fault, " must be above zero", 0);
    return true;
}

static bool parse_real(const shape_parameter *parameter, const char *text, double *out_number, char fault[FAULT_SIZE])
{
    size_t count = 0;
    if (!parse_reals(text, out_number, 1, &count, fault))
        return false;
    if (count != 1)
        return refuse(fault, " takes one number", 0);
    if (parameter->kind == PARAMETER_POSITIVE && !(*out_number > 0.0))
        return refuse(fault, " must be above zero", 0);
    if (parameter->kind == PARAMETER_REAL && *out_number < parameter->least)
        return refuse(fault, " must be at least %g", parameter->least);
    if (parameter->kind == PARAMETER_REAL && *out_number > parameter->most)
        return refuse(fault, " must be at most %g", parameter->most);
    return true;
}

static bool parse_whole(const shape_parameter *parameter, const char *text, uint64_t *out_count, char fault[FAULT_SIZE])
{
    if (!parse_count(text, out_count) || (double)*out_count < parameter->least)
    {
        snprintf(fault, FAULT_SIZE, " takes a whole number from %.0f, not '%.80s'", parameter->least, text);
        return false;
    }
    return (double)*out_count <= parameter->most || refuse(fault, " must be at most %.0f", parameter->most);
}

bool parse_parameter(const shape_parameter *parameter, const char *text, shape_values *values, char fault[FAULT_SIZE])
{
    shape_option option = parameter->option;
    switch (parameter->kind)
    {
    case PARAMETER_SIZES:
        return parse_sizes(text, values->reals[option], fault);
    case PARAMETER_POSITIVE:
    case PARAMETER_REAL:
        return parse_real(parameter, text, values->reals[option], fault);
    case PARAMETER_COUNT:
        return parse_whole(parameter, text, &values->counts[option], fault);
    case PARAMETER_TEXT:
        values->texts[option] = text;
        break;
    case PARAMETER_END:
        break;
    }
    return true;
}

exit_code read_parameters(const tool_request *request, const tool_shape *shape, shape_values *out_values)
{
    *out_values = (shape_values){0};
    exit_code code = refuse_foreign(request, shape);
    for (size_t i = 0; code == 0 && shape->parameters[i].kind != PARAMETER_END; i++)
    {
        const shape_parameter *parameter = &shape->parameters[i];
        const char *typed = request->values[parameter->option];
        char fault[FAULT_SIZE];
        if (!parse_parameter(parameter, typed != NULL ? typed : parameter->fallback, out_values, fault))
            code = report_error(request->console, EXIT_USAGE, "--%s%s", shape_options[parameter->option].name, fault);
    }
    return code;
}
