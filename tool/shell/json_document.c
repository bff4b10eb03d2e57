/* SPDX-License-Identifier: MIT */
/* JSON files; see json_document.h. */
#include "shell/json_document.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "shell/line_reader.h"
#include "shell/load.h"

static exit_code print_fault(const tool_console *console, exit_code code, const char *path, const char *what)
{
    return report_error(console, code, "%s: %s", display_name(path), what);
}

exit_code read_text_file(const tool_console *console, const char *path, char **out_text, size_t *out_size)
{
    bool is_input = strcmp(path, "-") == 0;
    *out_text = NULL;
    *out_size = 0;
    FILE *file = is_input ? stdin : fopen(path, "rb");
    if (file == NULL)
        return print_fault(console, EXIT_INPUT, path, strerror(errno));
    errno = 0;
    char *text = read_stream(file, out_size);
    int reason = ferror(file) ? errno : 0;
    if (!is_input)
        fclose(file);
    if (reason == 0 && text != NULL && *out_size > 0)
    {
        *out_text = text;
        return 0;
    }
    bool is_empty = text != NULL;
    free(text);
    if (reason != 0)
        return print_fault(console, EXIT_INPUT, path, strerror(reason));
    return is_empty ? print_fault(console, EXIT_INPUT, path, "there is nothing in it")
                    : print_fault(console, EXIT_INTERNAL, path, "out of memory");
}

bool document_take(const tool_console *console, const char *path, char *text, size_t size, json_document *out_document)
{
    *out_document = (json_document){.console = console, .path = path, .text = text};
    return grz_json_document_open(NULL, text, size, &out_document->json);
}

bool document_open(const tool_console *console, const char *path, json_document *out_document)
{
    char *text;
    size_t size;
    exit_code code = read_text_file(console, path, &text, &size);
    if (code == 0)
        return document_take(console, path, text, size, out_document);
    *out_document = (json_document){.console = console, .path = path, .code = code};
    return false;
}

exit_code print_document_error(const tool_console *console, exit_code code, const char *path, const char *message,
                               bool has_line)
{
    return report_error(console, code, "%s%s%s", display_name(path), has_line ? ", " : ": ", message);
}

exit_code document_close(json_document *document)
{
    const grz_json_document *json = &document->json;
    if (json->status != GRAZE_STATUS_OK)
    {
        exit_code code = document->code != 0                          ? document->code
                         : json->status == GRAZE_STATUS_OUT_OF_MEMORY ? EXIT_INTERNAL
                                                                      : EXIT_INPUT;
        document->code =
            print_document_error(document->console, code, document->path, json->message, json->line != GRAZE_NO_INDEX);
    }
    grz_json_document_close(&document->json);
    free(document->text);
    document->text = NULL;
    return document->code;
}

bool document_refuse(json_document *document, const grz_json_place *place, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    grz_json_refuse_list(&document->json, place, format, arguments);
    va_end(arguments);
    return false;
}

bool document_fail(json_document *document, exit_code code, const char *what)
{
    document->code = code;
    return grz_json_fail(&document->json, GRAZE_STATUS_INTERNAL, what);
}
