/* SPDX-License-Identifier: MIT */
/* Shapes of objects of scene files; see scene_file.h and docs/shape-format.md. */
#include <string.h>

#include "scene/scene_file.h"
#include "shell/line_reader.h"

bool scene_read_shape(json_document *document, const grz_json_place *place, const grz_json_node *value,
                      graze_shape_set **out_shape)
{
    if (value->kind != GRZ_JSON_OBJECT)
        return document_refuse(document, place, "expected an object that describes a shape");
    grz_name text = grz_json_source(&document->json, value);
    graze_error error = {.status = GRAZE_STATUS_OK};
    graze_status status = graze_shape_set_read_memory(NULL, text.text, text.size, "", GRAZE_FORMAT_SHAPE, 1, false,
                                                      NULL, &error, out_shape);
    if (status == GRAZE_STATUS_OK)
        return true;
    if (status != GRAZE_STATUS_BAD_FORMAT)
        return document_fail(document, exit_code_of(status), graze_status_text(status));
    /* The message begins with an empty name and the line within the shape. */
    const char *what = strstr(error.text, ": ");
    return document_refuse(document, place, "%s", what != NULL ? what + 2 : error.text);
}

exit_code scene_refuse_shapes(const tool_console *console, const scene_file *file, const char *path,
                              const char *command)
{
    for (size_t i = 0; i < file->object_count; i++)
        if (file->objects[i].shape != NULL)
            return report_error(console, EXIT_INPUT, "%s: objects[%zu].shape: shapes are not taken by graze %s yet",
                                display_name(path), i, command);
    return 0;
}
