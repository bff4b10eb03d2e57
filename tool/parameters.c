/* SPDX-License-Identifier: MIT */
/* Reads the parameters of a shape from the command line; see shapes.h. */
#include <math.h>

#include "numbers.h"
#include "shapes.h"

static exit_code refuse_foreign(const tool_request *request, const tool_shape *shape)
{
    for (size_t option = 0; option < SHAPE_OPTION_COUNT; option++)
    {
        bool is_own = request->values[option] == NULL;
        for (size_t i = 0; shape->parameters[i].kind != PARAMETER_END; i++)
            is_own = is_own || shape->parameters[i].option == option;
        if (!is_own)
            return complain(request->console, EXIT_USAGE, "%s has no --%s; graze make --list shows what it has",
                            shape->name, request->command->options[option].name);
    }
    return 0;
}

static exit_code read_sizes(const tool_request *request, const char *name, const char *text, double out_sizes[3])
{
    char fault[FAULT_SIZE];
    size_t count = 0;
    if (!parse_numbers(text, out_sizes, 3, &count, fault))
        return complain(request->console, EXIT_USAGE, "--%s: %s", name, fault);
    if (count != 1 && count != 3)
        return complain(request->console, EXIT_USAGE, "--%s takes one number, or three for x, y and z", name);
    if (count == 1)
        out_sizes[1] = out_sizes[2] = out_sizes[0];
    for (int axis = 0; axis < 3; axis++)
        if (!(out_sizes[axis] > 0.0))
            return complain(request->console, EXIT_USAGE, "--%s must be above zero", name);
    return 0;
}

static exit_code read_real(const tool_request *request, const shape_parameter *parameter, const char *name,
                           const char *text, double *out_number)
{
    char fault[FAULT_SIZE];
    size_t count = 0;
    if (!parse_numbers(text, out_number, 1, &count, fault))
        return complain(request->console, EXIT_USAGE, "--%s: %s", name, fault);
    if (count != 1)
        return complain(request->console, EXIT_USAGE, "--%s takes one number", name);
    if (parameter->kind == PARAMETER_POSITIVE && !(*out_number > 0.0))
        return complain(request->console, EXIT_USAGE, "--%s must be above zero", name);
    if (parameter->kind == PARAMETER_REAL && *out_number < parameter->least)
        return complain(request->console, EXIT_USAGE, "--%s must be at least %g", name, parameter->least);
    if (parameter->kind == PARAMETER_REAL && *out_number > parameter->most)
        return complain(request->console, EXIT_USAGE, "--%s must be at most %g", name, parameter->most);
    return 0;
}

static exit_code read_count(const tool_request *request, const shape_parameter *parameter, const char *name,
                            const char *text, uint64_t *out_count)
{
    if (!parse_count(text, out_count) || (double)*out_count < parameter->least)
        return complain(request->console, EXIT_USAGE, "--%s takes a whole number from %.0f, not '%s'", name,
                        parameter->least, text);
    if ((double)*out_count > parameter->most)
        return complain(request->console, EXIT_USAGE, "--%s must be at most %.0f", name, parameter->most);
    return 0;
}

static exit_code read_parameter(const tool_request *request, const shape_parameter *parameter, shape_values *values)
{
    shape_option option = parameter->option;
    const char *name = request->command->options[option].name;
    const char *text = request->values[option] != NULL ? request->values[option] : parameter->fallback;
    switch (parameter->kind)
    {
    case PARAMETER_SIZES:
        return read_sizes(request, name, text, values->reals[option]);
    case PARAMETER_POSITIVE:
    case PARAMETER_REAL:
        return read_real(request, parameter, name, text, values->reals[option]);
    case PARAMETER_COUNT:
        return read_count(request, parameter, name, text, &values->counts[option]);
    case PARAMETER_TEXT:
        values->texts[option] = text;
        break;
    case PARAMETER_END:
        break;
    }
    return 0;
}

exit_code read_parameters(const tool_request *request, const tool_shape *shape, shape_values *out_values)
{
    *out_values = (shape_values){0};
    exit_code code = refuse_foreign(request, shape);
    for (size_t i = 0; code == 0 && shape->parameters[i].kind != PARAMETER_END; i++)
        code = read_parameter(request, &shape->parameters[i], out_values);
    return code;
}
