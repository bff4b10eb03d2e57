/* SPDX-License-Identifier: MIT */
/* Documents that callers pass in memory: rules and baselines. */
#ifndef GRZ_CLASH_DOCUMENT_H
#define GRZ_CLASH_DOCUMENT_H

#include "graze/clash.h"
#include "text/json_document.h"

/* A document of a source with a copy of its text. */
typedef struct grz_clash_document
{
    grz_json_document json;
    char *text;
} grz_clash_document;

/* Opens a source and notes its name, hash and size; the name is a copy, to be released by the caller. Close in any
 * case. */
bool grz_clash_document_open(const graze_context *context, const graze_clash_source *source,
                             graze_clash_input *out_input, grz_clash_document *out_document);

/* Returns the status of the first error, or OK, and says in `error` where it is. */
graze_status grz_clash_document_close(grz_clash_document *document, size_t source_number, graze_error *error);

/* Whether these are sources: a name each, and a text unless it is empty. */
bool grz_clash_are_sources(const graze_clash_source *sources, size_t count);

#endif
