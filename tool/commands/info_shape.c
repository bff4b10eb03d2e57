/* SPDX-License-Identifier: MIT */
/* graze info of shape files. */
#include <math.h>

#include "commands/info.h"
#include "commands/shape_volume.h"
#include "shell/output.h"
#include "shell/text_format.h"

enum
{
    SHOWN_PARTS = 20, /* in a table; JSON lists all */
    MOST_LEVELS = 1   /* of compounds whose parts JSON describes: the writer has a limit of open brackets */
};

/* Numbers of a kind (graze_shape_numbers), one or a list, by their key in shape files. */
typedef struct shape_number
{
    const char *key; /* NULL: no more */
    size_t count;
} shape_number;

static const shape_number *numbers_of(graze_shape_kind kind)
{
    static const shape_number box[] = {{"size", 3}, {NULL, 0}};
    static const shape_number round[] = {{"height", 1}, {"radius", 1}, {NULL, 0}};
    static const shape_number ellipsoid[] = {{"radii", 3}, {NULL, 0}};
    static const shape_number half_space[] = {{"normal", 3}, {"offset", 1}, {NULL, 0}};
    static const shape_number field[] = {{"size", 2}, {"columns", 1}, {"rows", 1}, {NULL, 0}};
    static const shape_number none[] = {{NULL, 0}};
    switch (kind)
    {
    case GRAZE_SHAPE_BOX:
        return box;
    case GRAZE_SHAPE_CYLINDER:
    case GRAZE_SHAPE_CONE:
        return round;
    case GRAZE_SHAPE_ELLIPSOID:
        return ellipsoid;
    case GRAZE_SHAPE_HALF_SPACE:
        return half_space;
    case GRAZE_SHAPE_HEIGHT_FIELD:
        return field;
    default:
        return none;
    }
}

static bool has_radius(graze_shape_kind kind)
{
    return kind == GRAZE_SHAPE_SPHERE || kind == GRAZE_SHAPE_CAPSULE || kind == GRAZE_SHAPE_ROUNDED;
}

static graze_box bounds_of(const graze_shape *shape)
{
    const graze_placed placed = {shape, graze_pose_identity()};
    graze_box box = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    graze_placed_bounds(&placed, &box);
    return box;
}

/* ---- JSON ---- */

static void write_members(grz_json_writer *json, const graze_shape *shape, int level);

/* What few points a shape was made of, by their key in shape files. */
static void write_points(grz_json_writer *json, graze_shape_kind kind, const graze_mesh *mesh)
{
    const double *points = graze_mesh_vertices(mesh);
    size_t count = graze_mesh_vertex_count(mesh), last = count > 1 ? 1 : 0;
    bool is_list = kind == GRAZE_SHAPE_TRIANGLE || kind == GRAZE_SHAPE_SEGMENT || kind == GRAZE_SHAPE_POINT;
    if (kind == GRAZE_SHAPE_SPHERE)
    {
        grz_json_put_key(json, "centre");
        grz_json_put_reals(json, points, 3);
    }
    if (kind != GRAZE_SHAPE_CAPSULE && !is_list)
        return;
    grz_json_put_key(json, is_list ? "points" : "ends");
    grz_json_open(json, GRZ_JSON_SHORT_ARRAY);
    for (size_t i = 0; i < (is_list ? count : 2); i++)
        grz_json_put_reals(json, points + 3 * (is_list || i == 0 ? i : last), 3);
    grz_json_close(json);
}

static void write_volume(grz_json_writer *json, const graze_shape *shape)
{
    double volume;
    grz_json_put_key(json, "volume");
    if (shape_volume(shape, &volume))
        grz_json_put_real(json, volume);
    else
        grz_json_put_null(json);
}

static void write_numbers(grz_json_writer *json, const graze_shape *shape)
{
    graze_shape_kind kind = graze_shape_get_kind(shape);
    double numbers[4] = {0}, *next = numbers;
    graze_shape_numbers(shape, numbers, 4);
    for (const shape_number *number = numbers_of(kind); number->key != NULL; next += number->count, number++)
    {
        grz_json_put_key(json, number->key);
        if (number->count == 1)
            grz_json_put_real(json, *next);
        else
            grz_json_put_reals(json, next, number->count);
    }
    if (has_radius(kind))
    {
        grz_json_put_key(json, "radius");
        grz_json_put_real(json, graze_shape_radius(shape));
    }
    const graze_mesh *mesh = graze_shape_mesh(shape);
    write_points(json, kind, mesh);
    if (mesh != NULL)
        grz_json_put_member_count(json, "vertices", graze_mesh_vertex_count(mesh));
    if (graze_shape_has_triangles(shape))
        grz_json_put_member_count(json, "triangles", graze_mesh_triangle_count(mesh));
}

static void write_parts(grz_json_writer *json, const graze_shape *shape, int level)
{
    size_t count = graze_shape_part_count(shape);
    if (count == 0)
        return;
    grz_json_put_member_count(json, "part_count", count);
    if (level == MOST_LEVELS)
        return;
    grz_json_put_key(json, "parts");
    grz_json_open(json, level == 0 ? GRZ_JSON_LONG_ARRAY : GRZ_JSON_SHORT_ARRAY);
    for (size_t i = 0; i < count; i++)
    {
        const graze_placed *part = &graze_shape_parts(shape)[i];
        grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
        write_members(json, part->shape, level + 1);
        grz_json_put_key(json, "pose");
        grz_json_put_reals(json, part->pose.m, 12);
        grz_json_close(json);
    }
    grz_json_close(json);
}

static void write_members(grz_json_writer *json, const graze_shape *shape, int level)
{
    graze_box box = bounds_of(shape);
    grz_json_put_member_text(json, "kind", graze_shape_kind_name(graze_shape_get_kind(shape)));
    grz_json_put_key(json, "solid");
    grz_json_put_bool(json, graze_shape_is_solid(shape));
    grz_json_put_key(json, "bounds");
    grz_json_open(json, GRZ_JSON_SHORT_ARRAY);
    grz_json_put_reals(json, box.lower, 3);
    grz_json_put_reals(json, box.upper, 3);
    grz_json_close(json);
    write_volume(json, shape);
    write_numbers(json, shape);
    if (graze_shape_core(shape) != NULL)
    {
        grz_json_put_key(json, "core");
        grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
        write_members(json, graze_shape_core(shape), level);
        grz_json_close(json);
    }
    write_parts(json, shape, level);
}

void info_write_shape(grz_json_writer *json, const char *path, const graze_shape *shape)
{
    grz_json_open(json, GRZ_JSON_LONG_OBJECT);
    grz_json_put_member_text(json, "file", path);
    grz_json_put_member_text(json, "format", "shape");
    write_members(json, shape, 0);
    grz_json_close(json);
}

/* ---- text ---- */

static void say_row(const char *label, const char *text)
{
    printf("  %-20s  %s\n", label, text);
}

static void say_vector(const char *label, const double *numbers, size_t count)
{
    if (count == 1)
    {
        say_row(label, human_real(*numbers).text);
        return;
    }
    printf("  %-20s ", label);
    for (size_t i = 0; i < count; i++)
        printf(" %14s", human_real(numbers[i]).text);
    putchar('\n');
}

static void say_numbers(const graze_shape *shape)
{
    graze_shape_kind kind = graze_shape_get_kind(shape);
    double numbers[4] = {0}, *next = numbers;
    graze_shape_numbers(shape, numbers, 4);
    for (const shape_number *number = numbers_of(kind); number->key != NULL; next += number->count, number++)
        say_vector(number->key, next, number->count);
    if (has_radius(kind))
        say_row("radius", human_real(graze_shape_radius(shape)).text);
    if (graze_shape_core(shape) != NULL)
        say_row("core", graze_shape_kind_name(graze_shape_get_kind(graze_shape_core(shape))));
    const graze_mesh *mesh = graze_shape_mesh(shape);
    if (mesh != NULL)
        say_row("vertices", grz_grouped(graze_mesh_vertex_count(mesh)).text);
    if (graze_shape_has_triangles(shape))
        say_row("triangles", grz_grouped(graze_mesh_triangle_count(mesh)).text);
}

static void say_parts(const graze_shape *shape)
{
    size_t count = graze_shape_part_count(shape);
    if (count == 0)
        return;
    say_row("parts", grz_grouped(count).text);
    for (size_t i = 0; i < count && i < SHOWN_PARTS; i++)
    {
        const graze_placed *part = &graze_shape_parts(shape)[i];
        const double position[3] = {part->pose.m[3], part->pose.m[7], part->pose.m[11]};
        printf("  %20s  %s at ", "", graze_shape_kind_name(graze_shape_get_kind(part->shape)));
        print_point(stdout, position);
        putchar('\n');
    }
    if (count > SHOWN_PARTS)
        printf("  %20s  ... and %s more\n", "", grz_grouped(count - SHOWN_PARTS).text);
}

void info_say_shape(const tool_console *console, const char *path, const graze_shape *shape)
{
    graze_box box = bounds_of(shape);
    printf("%s%s%s\n", console_tone(console, TONE_BOLD), path, console_tone(console, TONE_PLAIN));
    say_row("format", "shape");
    say_row("kind", graze_shape_kind_name(graze_shape_get_kind(shape)));
    say_row("solid", graze_shape_is_solid(shape) ? "yes" : "no");
    say_numbers(shape);
    say_vector("lower", box.lower, 3);
    say_vector("upper", box.upper, 3);
    double volume;
    if (shape_volume(shape, &volume))
        say_row("volume", human_real(volume).text);
    say_parts(shape);
}
