/* SPDX-License-Identifier: MIT */
/*
 * Reads a shape from JSON: docs/shape-format.md says what is accepted. The text is parsed as one value; then each kind
 * takes its keys from its object. What is wrong is refused here, with its place, before a shape is made of it.
 */
#include <string.h>

#include "io/shape_numbers.h"
#include "text/suggestion.h"

enum
{
    MESSAGE_TAIL = 140, /* bytes of a message, from its end, that leave room for the name of a file */
    MOST_LEVELS = 64    /* of shapes within shapes */
};

static bool read_shape(grz_shape_reader *reader, const grz_json_place *place, const grz_json_node *value,
                       const graze_shape **out_shape);

/* ---- kind_readers ---- */

/* Takes a new shape over, whatever comes. */
static bool take(grz_shape_reader *reader, const grz_shape_description *d, graze_status status, graze_shape *shape)
{
    if (status == GRAZE_STATUS_OK && grz_shape_set_add(reader->set, shape))
        return true;
    if (status == GRAZE_STATUS_OK || status == GRAZE_STATUS_OUT_OF_MEMORY)
        return grz_json_fail_memory(&reader->document);
    if (status == GRAZE_STATUS_UNFINISHED || status == GRAZE_STATUS_CANCELLED)
        return grz_json_fail(&reader->document, status, "reading was stopped");
    return grz_json_refuse(&reader->document, d->place, "this is no shape: %s", graze_status_text(status));
}

static bool read_sphere(grz_shape_reader *reader, const grz_shape_description *d)
{
    double centre[3] = {0, 0, 0}, radius = 0;
    grz_json_place place = grz_shape_place_of(d, 1);
    if (!grz_shape_read_size(reader, d, 0, &radius) ||
        (d->values[1] != NULL && !grz_shape_read_lengths(reader, &place, d->values[1], centre, 3)))
        return false;
    graze_shape *shape = NULL;
    graze_status status = graze_shape_create_sphere(reader->context, centre, radius, &shape);
    return take(reader, d, status, shape);
}

static bool read_capsule(grz_shape_reader *reader, const grz_shape_description *d)
{
    double ends[2][3], radius = 0;
    if (!grz_shape_read_points(reader, d, 0, 2, ends[0]) || !grz_shape_read_size(reader, d, 1, &radius))
        return false;
    graze_shape *shape = NULL;
    graze_status status = graze_shape_create_capsule(reader->context, (const double(*)[3])ends, radius, &shape);
    return take(reader, d, status, shape);
}

static bool read_box(grz_shape_reader *reader, const grz_shape_description *d)
{
    double size[3];
    if (!grz_shape_read_sizes(reader, d, 0, size, 3))
        return false;
    graze_shape *shape = NULL;
    graze_status status = graze_shape_create_box(reader->context, size, &shape);
    return take(reader, d, status, shape);
}

static bool read_hull(grz_shape_reader *reader, const grz_shape_description *d)
{
    grz_number_list points = {0};
    bool read = grz_shape_read_list(reader, d, 0, &points);
    if (read)
    {
        graze_budget budget = {0};
        graze_shape *shape = NULL;
        if (reader->monitor != NULL)
            budget = grz_monitor_budget(reader->monitor);
        graze_status status = graze_shape_create_hull(reader->context, points.numbers, points.count, &budget, &shape);
        if (reader->monitor != NULL)
            grz_monitor_end_step(reader->monitor, status, points.count);
        read = take(reader, d, status, shape);
    }
    grz_release(reader->context, points.numbers);
    return read;
}

static bool read_cylinder(grz_shape_reader *reader, const grz_shape_description *d)
{
    double height = 0, radius = 0;
    if (!grz_shape_read_size(reader, d, 0, &height) || !grz_shape_read_size(reader, d, 1, &radius))
        return false;
    graze_shape *shape = NULL;
    graze_status status = graze_shape_create_cylinder(reader->context, height, radius, &shape);
    return take(reader, d, status, shape);
}

static bool read_cone(grz_shape_reader *reader, const grz_shape_description *d)
{
    double height = 0, radius = 0;
    if (!grz_shape_read_size(reader, d, 0, &height) || !grz_shape_read_size(reader, d, 1, &radius))
        return false;
    graze_shape *shape = NULL;
    graze_status status = graze_shape_create_cone(reader->context, height, radius, &shape);
    return take(reader, d, status, shape);
}

static bool read_ellipsoid(grz_shape_reader *reader, const grz_shape_description *d)
{
    double radii[3];
    if (!grz_shape_read_sizes(reader, d, 0, radii, 3))
        return false;
    graze_shape *shape = NULL;
    graze_status status = graze_shape_create_ellipsoid(reader->context, radii, &shape);
    return take(reader, d, status, shape);
}

/* A normal has no length: the offset alone is scaled. */
static bool read_half_space(grz_shape_reader *reader, const grz_shape_description *d)
{
    double normal[3] = {0, 0, 0}, offset = 0;
    grz_json_place normal_place = grz_shape_place_of(d, 0), offset_place = grz_shape_place_of(d, 1);
    if (!grz_json_take_numbers(&reader->document, &normal_place, d->values[0], normal, 3) ||
        !grz_json_take_number(&reader->document, &offset_place, d->values[1], &offset) ||
        !grz_shape_scale_number(reader, &offset_place, &offset))
        return false;
    if (normal[0] == 0 && normal[1] == 0 && normal[2] == 0)
        return grz_json_refuse(&reader->document, &normal_place, "a normal must not be zero");
    graze_shape *shape = NULL;
    graze_status status = graze_shape_create_half_space(reader->context, normal, offset, &shape);
    return take(reader, d, status, shape);
}

static bool read_triangle(grz_shape_reader *reader, const grz_shape_description *d)
{
    double points[3][3];
    if (!grz_shape_read_points(reader, d, 0, 3, points[0]))
        return false;
    graze_shape *shape = NULL;
    graze_status status = graze_shape_create_triangle(reader->context, (const double(*)[3])points, &shape);
    return take(reader, d, status, shape);
}

static bool read_segment(grz_shape_reader *reader, const grz_shape_description *d)
{
    double points[2][3];
    if (!grz_shape_read_points(reader, d, 0, 2, points[0]))
        return false;
    graze_shape *shape = NULL;
    graze_status status = graze_shape_create_segment(reader->context, (const double(*)[3])points, &shape);
    return take(reader, d, status, shape);
}

static bool read_point(grz_shape_reader *reader, const grz_shape_description *d)
{
    double point[3];
    if (!grz_shape_read_points(reader, d, 0, 1, point))
        return false;
    graze_shape *shape = NULL;
    graze_status status = graze_shape_create_point(reader->context, point, &shape);
    return take(reader, d, status, shape);
}

/* ---- height fields ---- */

/* Reads the rows, which have as many heights as the first one. */
static bool read_heights(grz_shape_reader *reader, const grz_json_place *place, const grz_json_node *value,
                         double *heights, size_t columns)
{
    grz_json_place row = {.parent = place};
    for (const grz_json_node *item = value->child; item != NULL; item = item->next, row.index++)
        if (!grz_shape_read_lengths(reader, &row, item, heights + row.index * columns, columns) ||
            !grz_shape_may_continue(reader, columns))
            return false;
    return true;
}

/* At least two columns and rows. */
static bool check_grid(grz_shape_reader *reader, const grz_json_place *place, const grz_json_node *value)
{
    grz_json_place first = {.parent = place};
    if (!grz_json_take_array(&reader->document, place, value))
        return false;
    if (value->count < 2)
        return grz_json_refuse(&reader->document, place, "there must be two rows at least");
    if (!grz_json_take_array(&reader->document, &first, value->child))
        return false;
    return value->child->count >= 2 ||
           grz_json_refuse(&reader->document, &first, "there must be two heights a row at least");
}

static bool read_height_field(grz_shape_reader *reader, const grz_shape_description *d)
{
    double size[2];
    const grz_json_node *rows = d->values[1];
    grz_json_place size_place = grz_shape_place_of(d, 0), place = grz_shape_place_of(d, 1),
                   entry = {.parent = &size_place};
    if (!grz_shape_read_sizes(reader, d, 0, size, 2) || !check_grid(reader, &place, rows))
        return false;
    for (; entry.index < 2; entry.index++)
        if (size[entry.index] == 0)
            return grz_json_refuse(&reader->document, &entry, "this must be above 0");
    size_t columns = rows->child->count;
    if (columns > SIZE_MAX / rows->count)
        return grz_json_fail_memory(&reader->document);
    double *heights = grz_allocate(reader->context, columns * rows->count, sizeof *heights);
    if (heights == NULL)
        return grz_json_fail_memory(&reader->document);
    bool read = read_heights(reader, &place, rows, heights, columns);
    if (read)
    {
        graze_shape *shape = NULL;
        graze_status status =
            graze_shape_create_height_field(reader->context, size, heights, columns, rows->count, &shape);
        read = take(reader, d, status, shape);
    }
    grz_release(reader->context, heights);
    return read;
}

/* ---- shapes of shapes ---- */

static bool read_rounded(grz_shape_reader *reader, const grz_shape_description *d)
{
    const graze_shape *core = NULL;
    double radius = 0;
    grz_json_place place = grz_shape_place_of(d, 0);
    if (!grz_shape_read_size(reader, d, 1, &radius) || !read_shape(reader, &place, d->values[0], &core))
        return false;
    graze_shape *shape = NULL;
    graze_status status = graze_shape_create_rounded(reader->context, core, radius, &shape);
    if (status == GRAZE_STATUS_BAD_ARGUMENT)
        return grz_json_refuse(&reader->document, &place, "only a box, hull, triangle, segment or point is rounded");
    return take(reader, d, status, shape);
}

static bool refuse_pose(grz_shape_reader *reader, const grz_json_place *place, graze_status status)
{
    const char *what = status == GRAZE_STATUS_NOT_RIGID
                           ? "a shape with a radius or a curved one takes a rotation or mirrored rotation only"
                       : status == GRAZE_STATUS_SINGULAR ? "a half-space takes a matrix with an inverse only"
                                                         : graze_status_text(status);
    return grz_json_refuse(&reader->document, place, "%s", what);
}

/* 12 numbers; the identity if there are none. The translation has lengths. */
static bool read_pose(grz_shape_reader *reader, const grz_json_place *place, const grz_json_node *value,
                      graze_pose *out_pose)
{
    *out_pose = graze_pose_identity();
    if (value != NULL && !grz_json_take_numbers(&reader->document, place, value, out_pose->m, 12))
        return false;
    grz_json_place entry = {.parent = place};
    for (entry.index = 3; entry.index < 12; entry.index += 4)
        if (!grz_shape_scale_number(reader, &entry, &out_pose->m[entry.index]))
            return false;
    return true;
}

static bool read_part(grz_shape_reader *reader, const grz_json_place *place, const grz_json_node *value,
                      graze_placed *out_part)
{
    static const char *const keys[] = {"shape", "pose"};
    const grz_json_node *items[2];
    grz_json_place shape_place = {.parent = place, .key = keys[0]}, pose_place = {.parent = place, .key = keys[1]};
    if (!grz_json_take_members(&reader->document, place, value, keys, 2, items))
        return false;
    if (items[0] == NULL)
        return grz_json_refuse(&reader->document, place, "'shape' is missing");
    if (!read_shape(reader, &shape_place, items[0], &out_part->shape) ||
        !read_pose(reader, &pose_place, items[1], &out_part->pose))
        return false;
    graze_status status = graze_placed_check(out_part);
    return status == GRAZE_STATUS_OK || refuse_pose(reader, &pose_place, status);
}

static bool read_compound(grz_shape_reader *reader, const grz_shape_description *d)
{
    const grz_json_node *value = d->values[0];
    grz_json_place place = grz_shape_place_of(d, 0), entry = {.parent = &place};
    if (!grz_json_take_array(&reader->document, &place, value))
        return false;
    if (value->count == 0)
        return grz_json_refuse(&reader->document, &place, "there must be a part at least");
    graze_placed *parts = grz_allocate(reader->context, value->count, sizeof *parts);
    if (parts == NULL)
        return grz_json_fail_memory(&reader->document);
    bool read = true;
    for (const grz_json_node *item = value->child; read && item != NULL; item = item->next, entry.index++)
        read = read_part(reader, &entry, item, &parts[entry.index]);
    if (read)
    {
        graze_shape *shape = NULL;
        graze_status status = graze_shape_create_compound(reader->context, parts, value->count, &shape);
        read = take(reader, d, status, shape);
    }
    grz_release(reader->context, parts);
    return read;
}

/* ---- any shape ---- */

typedef struct kind_reader
{
    graze_shape_kind kind;
    bool (*read)(grz_shape_reader *reader, const grz_shape_description *d);
    const char *keys[GRZ_SHAPE_KEYS];
    size_t needed, known; /* how many keys it must and may have */
} kind_reader;

static const kind_reader kind_readers[] = {
    {GRAZE_SHAPE_HULL, read_hull, {"points"}, 1, 1},
    {GRAZE_SHAPE_SPHERE, read_sphere, {"radius", "centre"}, 1, 2},
    {GRAZE_SHAPE_CAPSULE, read_capsule, {"ends", "radius"}, 2, 2},
    {GRAZE_SHAPE_BOX, read_box, {"size"}, 1, 1},
    {GRAZE_SHAPE_CYLINDER, read_cylinder, {"height", "radius"}, 2, 2},
    {GRAZE_SHAPE_CONE, read_cone, {"height", "radius"}, 2, 2},
    {GRAZE_SHAPE_ELLIPSOID, read_ellipsoid, {"radii"}, 1, 1},
    {GRAZE_SHAPE_HALF_SPACE, read_half_space, {"normal", "offset"}, 2, 2},
    {GRAZE_SHAPE_TRIANGLE, read_triangle, {"points"}, 1, 1},
    {GRAZE_SHAPE_SEGMENT, read_segment, {"points"}, 1, 1},
    {GRAZE_SHAPE_POINT, read_point, {"points"}, 1, 1},
    {GRAZE_SHAPE_HEIGHT_FIELD, read_height_field, {"size", "heights"}, 2, 2},
    {GRAZE_SHAPE_COMPOUND, read_compound, {"parts"}, 1, 1},
    {GRAZE_SHAPE_ROUNDED, read_rounded, {"core", "radius"}, 2, 2},
};

enum
{
    KIND_COUNT = sizeof kind_readers / sizeof kind_readers[0]
};

static const kind_reader *find_kind(grz_shape_reader *reader, const grz_json_place *parent, const grz_json_node *value)
{
    const grz_json_node *kind = grz_json_find_member(value, "kind");
    const char *name = NULL;
    if (kind == NULL)
    {
        if (value->kind == GRZ_JSON_OBJECT)
            grz_json_refuse(&reader->document, parent, "'kind' is missing");
        else
            grz_json_refuse(&reader->document, parent, "expected an object that describes a shape");
        return NULL;
    }
    grz_json_place place = {.parent = parent, .key = "kind"};
    if (!grz_json_take_text(&reader->document, &place, kind, &name) || name == NULL)
        return NULL;
    grz_suggestion best = {.wanted = name};
    for (size_t i = 0; i < KIND_COUNT; i++)
    {
        const char *known = graze_shape_kind_name(kind_readers[i].kind);
        if (strcmp(name, known) == 0)
            return &kind_readers[i];
        grz_suggestion_offer(&best, known);
    }
    const char *hint = grz_suggestion_name(&best);
    grz_json_refuse(&reader->document, &place, "there is no shape '%s'%s%s%s", name,
                    hint != NULL ? "; did you mean '" : "", hint != NULL ? hint : "", hint != NULL ? "'?" : "");
    return NULL;
}

/* Assigns the members. "kind" has been read, and "$schema" is for editors. */
static bool take_members(grz_shape_reader *reader, const kind_reader *kind, const grz_json_place *place,
                         const grz_json_node *value, grz_shape_description *d)
{
    const char *keys[GRZ_SHAPE_KEYS + 2] = {"kind", "$schema"};
    const grz_json_node *items[GRZ_SHAPE_KEYS + 2];
    for (size_t i = 0; i < kind->known; i++)
        keys[2 + i] = kind->keys[i];
    if (!grz_json_take_members(&reader->document, place, value, keys, 2 + kind->known, items))
        return false;
    *d = (grz_shape_description){.place = place, .keys = kind->keys};
    for (size_t i = 0; i < kind->known; i++)
    {
        d->values[i] = items[2 + i];
        if (d->values[i] == NULL && i < kind->needed)
            return grz_json_refuse(&reader->document, place, "'%s' is missing", kind->keys[i]);
    }
    return true;
}

static bool read_shape(grz_shape_reader *reader, const grz_json_place *place, const grz_json_node *value,
                       const graze_shape **out_shape)
{
    if (reader->level == MOST_LEVELS)
        return grz_json_refuse(&reader->document, place, "shapes are nested too deep: at most %d levels are read",
                               MOST_LEVELS);
    const kind_reader *kind = find_kind(reader, place, value);
    grz_shape_description d;
    if (kind == NULL || !take_members(reader, kind, place, value, &d) || !grz_shape_may_continue(reader, 1))
        return false;
    reader->level++;
    if (!kind->read(reader, &d))
        return false;
    reader->level--;
    *out_shape = graze_shape_set_shape(reader->set);
    return true;
}

static bool read_document(grz_shape_reader *reader)
{
    grz_json_document *document = &reader->document;
    const graze_shape *shape;
    const grz_json_node *root = grz_json_walk_value(document, true);
    if (root == NULL || !grz_json_walk_out(document))
        return false;
    document->root = root;
    return read_shape(reader, NULL, root, &shape);
}

/* The text of a document ends with a zero byte. */
static char *copy_text(grz_reader *reader, size_t size)
{
    char *text = grz_allocate(reader->context, size + 1, 1);
    if (text != NULL)
    {
        memcpy(text, reader->at, size);
        text[size] = '\0';
    }
    return text;
}

static graze_status report(grz_reader *reader, const grz_json_document *document)
{
    graze_status status = document->status;
    if (document->line == GRAZE_NO_INDEX)
        return grz_fail(reader, status, "%s", document->message);
    /* The message begins with the line. Of a long one the end counts: the last keys, and what is wrong. */
    const char *colon = strchr(document->message, ':'), *message = colon != NULL ? colon + 2 : document->message;
    size_t size = strlen(message);
    bool cut = size > MESSAGE_TAIL;
    message += cut ? size - MESSAGE_TAIL : 0;
    while (cut && (*message & 0xc0) == 0x80) /* not in the middle of a UTF-8 character */
        message++;
    reader->line = document->line;
    return grz_fail_here(reader, status, "%s%s", cut ? "..." : "", message);
}

graze_status grz_shape_read(grz_reader *reader, double scale, graze_shape_set *set)
{
    size_t size = (size_t)(reader->end - reader->at);
    char *text = copy_text(reader, size);
    if (text == NULL)
        return grz_fail_memory(reader);
    grz_shape_reader shapes = {.context = reader->context, .monitor = reader->monitor, .scale = scale, .set = set};
    grz_json_document *document = &shapes.document;
    bool read = grz_json_document_open(reader->context, text, size, document);
    document->monitor = reader->monitor;
    read = read && read_document(&shapes);
    graze_status status = read ? GRAZE_STATUS_OK : report(reader, document);
    grz_json_document_close(document);
    grz_release(reader->context, text);
    return status;
}
