/* SPDX-License-Identifier: MIT */
/* Files of reports, and names with unprintable characters replaced; see output.h. */
#include "clash/output.h"

#include <string.h>

#include "shell/output.h"
#include "text/utf8.h"

typedef struct document_writer
{
    clash_writer write;
    const clash_document *document;
} document_writer;

static bool write_document(const void *user, FILE *out)
{
    const document_writer *writer = user;
    return writer->write(writer->document, out);
}

exit_code clash_write_file(const tool_console *console, const char *path, clash_writer write,
                           const clash_document *document)
{
    return output_write(console, path, write_document, &(document_writer){write, document});
}

/* Writing that fails is noticed by the file. */
bool clash_write_json(const clash_document *document, FILE *out)
{
    return graze_clash_write_json(document->report, write_to_file, out) != GRAZE_STATUS_OUT_OF_MEMORY;
}

bool clash_write_csv(const clash_document *document, FILE *out)
{
    return graze_clash_write_csv(document->report, write_to_file, out) != GRAZE_STATUS_OUT_OF_MEMORY;
}

bool clash_write_junit(const clash_document *document, FILE *out)
{
    return graze_clash_write_junit(document->report, write_to_file, out) != GRAZE_STATUS_OUT_OF_MEMORY;
}

exit_code clash_exit_code(const graze_clash_report *report)
{
    switch (graze_clash_report_outcome(report))
    {
    case GRAZE_CLASH_OUTCOME_CLEAN:
    case GRAZE_CLASH_OUTCOME_PASSED:
        return EXIT_NOTHING_FOUND;
    case GRAZE_CLASH_OUTCOME_FAILED:
        return EXIT_FOUND;
    case GRAZE_CLASH_OUTCOME_INCOMPLETE:
    case GRAZE_CLASH_OUTCOME_NOTHING:
        break;
    }
    return EXIT_INCOMPLETE;
}

const char *clash_verdict_words(graze_clash_verdict verdict)
{
    return verdict == GRAZE_CLASH_TOO_CLOSE ? "too close"
           : verdict == GRAZE_CLASH_SELF    ? "self"
                                            : graze_clash_verdict_name(verdict);
}

/* Code points that terminals interpret: C1 controls and bidirectional formatting. */
static bool is_terminal_control(const unsigned char *at, size_t length)
{
    if (length == 1)
        return at[0] < 0x20 || at[0] == 0x7f;
    if (length == 2)
        return at[0] == 0xc2 && at[1] < 0xa0;
    return length == 3 && at[0] == 0xe2 &&
           ((at[1] == 0x80 && at[2] >= 0xa8 && at[2] <= 0xae) || (at[1] == 0x81 && at[2] >= 0xa6 && at[2] <= 0xa9));
}

bool next_printable(const char **at, char out_character[5])
{
    const unsigned char *bytes = (const unsigned char *)*at;
    if (bytes[0] == '\0')
        return false;
    size_t length = grz_utf8_length(bytes);
    bool is_fine = length > 0 && !is_terminal_control(bytes, length);
    memset(out_character, 0, 5);
    if (is_fine)
        memcpy(out_character, bytes, length);
    else
        out_character[0] = '?';
    *at += length > 0 ? length : 1;
    return true;
}
