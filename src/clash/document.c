/* SPDX-License-Identifier: MIT */
/* Documents in memory; see document.h. */
#include "clash/document.h"

#include <string.h>

#include "text/format.h"
#include "text/sha256.h"

bool grz_clash_are_sources(const graze_clash_source *sources, size_t count)
{
    for (size_t i = 0; i < count && sources != NULL; i++)
        if (sources[i].name == NULL || (sources[i].text == NULL && sources[i].size > 0))
            return false;
    return sources != NULL || count == 0;
}

bool grz_clash_document_open(const graze_context *context, const graze_clash_source *source,
                             graze_clash_input *out_input, grz_clash_document *out_document)
{
    *out_document = (grz_clash_document){.json = {.context = context}};
    out_input->path = grz_copy_text(context, source->name);
    char *text = grz_allocate(context, source->size + 1, 1);
    if (out_input->path == NULL || text == NULL)
    {
        grz_release(context, text);
        return grz_json_fail_memory(&out_document->json);
    }
    if (source->size > 0)
        memcpy(text, source->text, source->size);
    text[source->size] = '\0';
    grz_sha256_text_of(text, source->size, out_input->hash);
    out_input->size = source->size;
    out_document->text = text;
    return grz_json_document_open(context, text, source->size, &out_document->json);
}

graze_status grz_clash_document_close(grz_clash_document *document, size_t source_number, graze_error *error)
{
    grz_json_document *json = &document->json;
    graze_status status = json->status;
    if (status != GRAZE_STATUS_OK)
        grz_error_index(error, status, source_number, "%s", json->message);
    if (status != GRAZE_STATUS_OK && error != NULL)
        error->line = json->line;
    grz_release(json->context, document->text);
    grz_json_document_close(json);
    return status;
}
