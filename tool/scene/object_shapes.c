/* SPDX-License-Identifier: MIT */
/* Shapes of objects of scene files; see scene_file.h and docs/shape-format.md. */
#include <string.h>

#include "scene/scene_file.h"

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
