/* SPDX-License-Identifier: MIT */
/* Writing shapes; see shape_output.h. */
#include "shell/shape_output.h"

#include <string.h>

#include "graze/io.h"
#include "shell/output.h"

static bool is_shape_file(const char *path)
{
    size_t length = strlen(path);
    return strcmp(path, "-") == 0 || (length > 5 && strcmp(path + length - 5, ".json") == 0);
}

exit_code shape_output_check(const tool_console *console, const char *path)
{
    if (is_shape_file(path) || graze_format_from_name(path) != GRAZE_FORMAT_AUTO)
        return 0;
    return report_error(console, EXIT_USAGE, "'%s' does not end in .stl, .obj, .ply, .off or .json", path);
}

static void put_hull(grz_json_writer *json, const graze_mesh *hull, grz_json_layout layout)
{
    const double *vertices = graze_mesh_vertices(hull);
    grz_json_open(json, layout);
    grz_json_put_member_text(json, "kind", "hull");
    grz_json_put_key(json, "points");
    grz_json_open(json, layout == GRZ_JSON_LONG_OBJECT ? GRZ_JSON_LONG_ARRAY : GRZ_JSON_SHORT_ARRAY);
    for (size_t i = 0; i < graze_mesh_vertex_count(hull); i++)
        grz_json_put_reals(json, vertices + 3 * i, 3);
    grz_json_close(json);
    grz_json_close(json);
}

static bool write_hull(const void *user, FILE *out)
{
    grz_sink sink = file_sink(out);
    grz_json_writer json = grz_json_start(&sink);
    put_hull(&json, user, GRZ_JSON_LONG_OBJECT);
    return true;
}

exit_code shape_output_hull(const tool_console *console, const char *path, const graze_mesh *hull)
{
    if (is_shape_file(path))
        return output_write(console, path, write_hull, hull);
    graze_error error = {.status = GRAZE_STATUS_OK};
    graze_status status = graze_mesh_write_file(NULL, hull, path, GRAZE_FORMAT_AUTO, &error);
    if (status == GRAZE_STATUS_OK)
        return 0;
    return report_error(console, exit_code_of(status), "%s", error.text);
}

typedef struct hull_list
{
    const graze_mesh *const *hulls;
    size_t count;
} hull_list;

static bool write_hulls(const void *user, FILE *out)
{
    const hull_list *list = user;
    grz_sink sink = file_sink(out);
    grz_json_writer json = grz_json_start(&sink);
    grz_json_open(&json, GRZ_JSON_LONG_OBJECT);
    grz_json_put_member_text(&json, "kind", "compound");
    grz_json_put_key(&json, "parts");
    grz_json_open(&json, GRZ_JSON_LONG_ARRAY);
    for (size_t i = 0; i < list->count; i++)
    {
        static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
        grz_json_open(&json, GRZ_JSON_SHORT_OBJECT);
        grz_json_put_key(&json, "shape");
        put_hull(&json, list->hulls[i], GRZ_JSON_SHORT_OBJECT);
        grz_json_put_key(&json, "pose");
        grz_json_put_reals(&json, identity, 12);
        grz_json_close(&json);
    }
    grz_json_close(&json);
    grz_json_close(&json);
    return true;
}

exit_code shape_output_hulls(const tool_console *console, const char *path, const graze_mesh *const *hulls,
                             size_t count)
{
    const hull_list list = {hulls, count};
    return output_write(console, path, write_hulls, &list);
}
