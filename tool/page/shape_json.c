/* SPDX-License-Identifier: MIT */
/* Shapes in report pages; see shape_json.h. Keys are those of shape files. */
#include "page/shape_json.h"

static void put_real(grz_json_writer *json, const char *key, double number)
{
    grz_json_put_key(json, key);
    grz_json_put_real(json, number);
}

static void put_reals(grz_json_writer *json, const char *key, const double *numbers, size_t count)
{
    grz_json_put_key(json, key);
    grz_json_put_reals(json, numbers, count);
}

/* The core of a capsule: two points, which may be one. */
static void put_ends(grz_json_writer *json, const graze_mesh *core)
{
    const double *ends = graze_mesh_vertices(core);
    size_t last = graze_mesh_vertex_count(core) > 1 ? 3 : 0;
    grz_json_put_key(json, "ends");
    grz_json_open(json, GRZ_JSON_SHORT_ARRAY);
    grz_json_put_reals(json, ends, 3);
    grz_json_put_reals(json, ends + last, 3);
    grz_json_close(json);
}

static void put_numbers(grz_json_writer *json, const graze_shape *shape)
{
    double n[4] = {0, 0, 0, 0};
    graze_shape_numbers(shape, n, 4);
    switch (graze_shape_get_kind(shape))
    {
    case GRAZE_SHAPE_SPHERE:
        put_reals(json, "centre", graze_mesh_vertices(graze_shape_mesh(shape)), 3);
        put_real(json, "radius", graze_shape_radius(shape));
        break;
    case GRAZE_SHAPE_CAPSULE:
        put_ends(json, graze_shape_mesh(shape));
        put_real(json, "radius", graze_shape_radius(shape));
        break;
    case GRAZE_SHAPE_ELLIPSOID:
        put_reals(json, "radii", n, 3);
        break;
    case GRAZE_SHAPE_HALF_SPACE:
        put_reals(json, "normal", n, 3);
        put_real(json, "offset", n[3]);
        break;
    default:
        put_real(json, "height", n[0]);
        put_real(json, "radius", n[1]);
    }
}

void page_shape_describe(grz_json_writer *json, const graze_shape *shape)
{
    if (shape == NULL)
        return;
    graze_shape_kind kind = graze_shape_get_kind(shape);
    if (kind != GRAZE_SHAPE_SPHERE && kind != GRAZE_SHAPE_CAPSULE && kind != GRAZE_SHAPE_CYLINDER &&
        kind != GRAZE_SHAPE_CONE && kind != GRAZE_SHAPE_ELLIPSOID && kind != GRAZE_SHAPE_HALF_SPACE)
        return;
    grz_json_put_key(json, "shape");
    grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
    grz_json_put_member_text(json, "kind", graze_shape_kind_name(kind));
    put_numbers(json, shape);
    grz_json_close(json);
}
