/* SPDX-License-Identifier: MIT */
/* Warnings about likely mistakes in the inputs; see inputs.h. They change no verdict, and their thresholds are rough on
 * purpose. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene/input_shapes.h"
#include "shell/text_format.h"

/* A ratio of sizes is taken for inches within 2 percent of 25.4. Ratios near 1000 are so rare among parts of one
 * assembly that a factor of two either way still means metres and millimetres. */
static const struct
{
    double factor, slack;
    const char *what;
} mistakes[] = {{1000.0, 2.0, "metres and millimetres"}, {25.4, 1.02, "inches and millimetres"}};

enum
{
    SHOWN_NAMES = 5
};

/* Warn when the rounding of floats exceeds this share of the part's size: mated faces may then be displaced by a
 * ten-thousandth of the part's size, which shows in clearances. */
static const double coarse = 1e-4;

bool warnings_add(input_warnings *warnings, char *text)
{
    if (text != NULL && warnings->count == warnings->capacity)
    {
        size_t capacity = warnings->capacity == 0 ? 8 : 2 * warnings->capacity;
        char **larger = realloc(warnings->texts, capacity * sizeof *larger);
        if (larger == NULL)
        {
            free(text);
            return false;
        }
        warnings->texts = larger;
        warnings->capacity = capacity;
    }
    if (text != NULL)
        warnings->texts[warnings->count++] = text;
    return text != NULL;
}

void warnings_release(input_warnings *warnings)
{
    for (size_t i = 0; i < warnings->count; i++)
        free(warnings->texts[i]);
    free(warnings->texts);
    *warnings = (input_warnings){0};
}

/* --- sizes of files --- */

typedef struct file_size
{
    const char *file;
    double lower[3], upper[3];
    double size; /* the longest side */
} file_size;

/* Adds the AABB of a placed part, rounded to nearest; accurate enough for sizes. */
static void add_box(const tool_inputs *inputs, const input_part *part, file_size *file)
{
    graze_box box = input_bounds(inputs, part);
    for (int axis = 0; axis < 3; axis++)
    {
        if (!isfinite(box.lower[axis]) || !isfinite(box.upper[axis])) /* a half-space has no size */
            return;
    }
    for (int axis = 0; axis < 3; axis++)
    {
        file->lower[axis] = fmin(file->lower[axis], box.lower[axis]);
        file->upper[axis] = fmax(file->upper[axis], box.upper[axis]);
    }
    for (int axis = 0; axis < 3; axis++)
        file->size = fmax(file->size, file->upper[axis] - file->lower[axis]);
}

/* Parts of a file are contiguous. */
static size_t measure_files(const tool_inputs *inputs, file_size *files)
{
    size_t count = 0;
    for (size_t p = 0; p < inputs->part_count; p++)
    {
        if (count == 0 || strcmp(files[count - 1].file, inputs->parts[p].file) != 0)
            files[count++] = (file_size){
                inputs->parts[p].file, {INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, 0.0};
        add_box(inputs, &inputs->parts[p], &files[count - 1]);
    }
    return count;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The typical size: of two files the larger one's, of more the median. */
static double usual_size(const file_size *files, size_t count, double *scratch)
{
    for (size_t i = 0; i < count; i++)
        scratch[i] = files[i].size;
    qsort(scratch, count, sizeof *scratch, by_size);
    return scratch[count / 2];
}

static bool warn_of_size(input_warnings *warnings, const file_size *file, double usual)
{
    for (size_t m = 0; m < sizeof mistakes / sizeof *mistakes; m++)
    {
        double ratio = file->size / usual, larger = ratio >= 1.0 ? ratio : 1.0 / ratio;
        if (!(larger >= mistakes[m].factor / mistakes[m].slack && larger <= mistakes[m].factor * mistakes[m].slack))
            continue;
        return warnings_add(warnings,
                            format_text("%s is about %.4g times as %s as the other files; are %s mixed up?", file->file,
                                        larger, ratio >= 1.0 ? "large" : "small", mistakes[m].what));
    }
    return true;
}

static bool warn_of_sizes(const tool_inputs *inputs, input_warnings *warnings)
{
    file_size *files = calloc(inputs->part_count + 1, sizeof *files);
    double *scratch = calloc(inputs->part_count + 1, sizeof *scratch);
    bool good = files != NULL && scratch != NULL;
    size_t count = good ? measure_files(inputs, files) : 0;
    double usual = count > 1 ? usual_size(files, count, scratch) : 0.0;
    for (size_t i = 0; good && usual > 0.0 && i < count; i++)
        good = !(files[i].size > 0.0) || warn_of_size(warnings, &files[i], usual);
    free(files);
    free(scratch);
    return good;
}

/* --- units --- */

static bool is_gltf(graze_format format)
{
    return format == GRAZE_FORMAT_GLTF || format == GRAZE_FORMAT_GLB;
}

static bool warn_of_units(const tool_inputs *inputs, input_warnings *warnings)
{
    const input_part *metric = NULL, *other = NULL;
    for (size_t p = 0; p < inputs->part_count; p++)
    {
        const input_part *part = &inputs->parts[p];
        if (is_gltf(part->format) && metric == NULL)
            metric = part;
        if (!is_gltf(part->format) && other == NULL)
            other = part;
    }
    if (inputs->unit != UNIT_NONE || metric == NULL || other == NULL)
        return true;
    return warnings_add(warnings,
                        format_text("%s is in metres, as glTF is, but %s states no unit; --units says which it has",
                                    metric->file, other->file));
}

/* --- floats far from the origin --- */

/* Whether the coordinates are floats: by the format, or where that does not tell, by testing all of them. */
static bool has_only_floats(const graze_mesh *mesh, graze_format format)
{
    bool maybe = format == GRAZE_FORMAT_PLY_LITTLE_ENDIAN || format == GRAZE_FORMAT_PLY_BIG_ENDIAN;
    const double *numbers = graze_mesh_vertices(mesh);
    for (size_t i = 0; maybe && i < 3 * graze_mesh_vertex_count(mesh); i++)
        if (fabs(numbers[i]) > FLT_MAX || (double)(float)numbers[i] != numbers[i])
            return false;
    return maybe || format == GRAZE_FORMAT_STL_BINARY || is_gltf(format);
}

/* Rounding error of the mesh's float coordinates as a share of its size; 0 for a mesh without extent. A float of
 * magnitude below 2^e lies within 2^(e-25) of the number it was rounded from. */
static double rounding_share(const graze_mesh *mesh)
{
    graze_box box = graze_mesh_bounds(mesh);
    double largest = 0.0, size = 0.0;
    for (int axis = 0; axis < 3; axis++)
    {
        largest = fmax(largest, fmax(fabs(box.lower[axis]), fabs(box.upper[axis])));
        size = fmax(size, box.upper[axis] - box.lower[axis]);
    }
    int exponent;
    frexp(largest, &exponent);
    return size > 0.0 ? ldexp(1.0, exponent - 25) / size : 0.0;
}

/* "a, b and 3 more" of the marked parts. */
static char *list_names(const tool_inputs *inputs, const bool *marked, size_t count)
{
    char *text = format_text("%s", "");
    size_t shown = 0;
    for (size_t p = 0; text != NULL && shown < SHOWN_NAMES && p < inputs->part_count; p++)
    {
        if (!marked[p])
            continue;
        char *longer = format_text("%s%s'%s'", text, shown > 0 ? ", " : "", inputs->parts[p].name);
        free(text);
        text = longer;
        shown++;
    }
    if (text != NULL && count > shown)
    {
        char *longer = format_text("%s and %s more", text, grz_grouped(count - shown).text);
        free(text);
        text = longer;
    }
    return text;
}

static bool warn_of_parts(const tool_inputs *inputs, const bool *marked, const char *sentence, input_warnings *warnings)
{
    size_t count = 0;
    for (size_t p = 0; p < inputs->part_count; p++)
        count += marked[p];
    if (count == 0)
        return true;
    char *names = list_names(inputs, marked, count);
    bool good = names != NULL &&
                warnings_add(warnings, format_text("%s %s: %s", sentence, grz_counted(count, "part").text, names));
    free(names);
    return good;
}

static bool warn_of_distance(const tool_inputs *inputs, bool *marked, input_warnings *warnings)
{
    for (size_t p = 0; p < inputs->part_count; p++)
    {
        const input_part *part = &inputs->parts[p];
        const graze_mesh *mesh = inputs_mesh(inputs, part);
        marked[p] = part->shape == NULL && rounding_share(mesh) > coarse && has_only_floats(mesh, part->format);
    }
    return warn_of_parts(inputs, marked, "far from the origin, floats round by over 0.01 % of the size of", warnings);
}

bool inputs_warn(const tool_inputs *inputs, const bool *closed, input_warnings *out_warnings)
{
    *out_warnings = (input_warnings){0};
    bool *marked = calloc(inputs->part_count + 1, sizeof *marked);
    bool good = marked != NULL && warn_of_sizes(inputs, out_warnings) && warn_of_units(inputs, out_warnings) &&
                warn_of_distance(inputs, marked, out_warnings);
    for (size_t p = 0; good && closed != NULL && p < inputs->part_count; p++)
        marked[p] = !closed[p];
    if (good && closed != NULL)
        good = warn_of_parts(inputs, marked, "what lies inside cannot be told where a surface is not closed, as in",
                             out_warnings);
    free(marked);
    return good;
}
