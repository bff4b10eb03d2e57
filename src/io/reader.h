/* SPDX-License-Identifier: MIT */
/*
 * The input of all formats: bytes with a cursor, a text scanner, and errors with file name, location and message. One
 * file per format.
 *
 * Line ends may be LF, CRLF or CR. `line` is always that of the cursor. No function reads past `end`.
 */
#ifndef GRZ_IO_READER_H
#define GRZ_IO_READER_H

#include "base/budget_monitor.h"
#include "base/error.h"
#include "io/builder.h"

typedef struct grz_reader
{
    const graze_context *context;
    const char *name;             /* of the file, for messages */
    const char *path;             /* of the file, to find others in its folder; NULL if it is none */
    const char *about;            /* prefix of the next messages: the element they are about, or NULL */
    graze_error *error;           /* may be NULL */
    const char *begin, *at, *end; /* the bytes, unpacked */
    uint64_t line;                /* of the cursor, from 1 */
    bool binary;                  /* locations are byte offsets instead of lines */
    bool lenient;                 /* errors of single parts are recorded as flaws (io/flaw.h) where that is possible */
    grz_monitor *monitor;         /* NULL: no budget */
    grz_builder builder;
} grz_reader;

enum
{
    GRZ_READ_SIZE = 1 << 20 /* bytes that are loaded or unpacked between two checks of the budget */
};

/* Counts elements (vertices, faces, lines, tokens) that were read up to the cursor. False when the budget stops the
   call: loops end then, and grz_stopped replaces what they report. */
bool grz_read_elements(grz_reader *reader, uint64_t count);

/* Checks the budget, after GRZ_READ_SIZE bytes; `part` of the current stage is done. */
bool grz_read_bytes(grz_reader *reader, double part);

/* The status of the call: `status`, unless the budget stopped it; then the error says so. */
graze_status grz_stopped(grz_reader *reader, graze_status status);

/* Makes a mesh with what is left of the budget. */
graze_status grz_make_mesh(grz_reader *reader, graze_mesh_def *def, graze_error *error, graze_mesh **out_mesh);

/* The formats. Each reads from the cursor to the end and leaves the faces in the builder. */
graze_status grz_stl_read_ascii(grz_reader *reader);
graze_status grz_stl_read_binary(grz_reader *reader);
graze_status grz_obj_read(grz_reader *reader);
graze_status grz_ply_read(grz_reader *reader, graze_format *out_format);
graze_status grz_off_read(grz_reader *reader);

/* Whether a word is a keyword of OBJ; whether one is OFF or a variant of it, and whether that has three plain
 * coordinates. */
bool grz_is_obj_keyword(grz_name keyword);
bool grz_is_off_keyword(grz_name word, bool *out_plain);

/* Fill in the error: the file's name, the location of the cursor (_here), then the message. All return `status`. */
graze_status grz_fail(grz_reader *reader, graze_status status, const char *format, ...) GRZ_PRINTF(3, 4);
graze_status grz_fail_here(grz_reader *reader, graze_status status, const char *format, ...) GRZ_PRINTF(3, 4);
graze_status grz_fail_memory(grz_reader *reader);

/* Sets the index of the invalid element, after a failure; returns `status`. */
graze_status grz_set_error_index(grz_reader *reader, graze_status status, uint64_t index);

/* A word quoted from the file, shortened and made printable, for messages. */
typedef struct grz_quote
{
    char text[32];
} grz_quote;
grz_quote grz_quote_word(grz_name word);

/* Blanks within a line, and line ends. */
static inline bool grz_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

static inline bool grz_is_newline(char c)
{
    return c == '\n' || c == '\r';
}

static inline bool grz_at_line_end(const grz_reader *reader)
{
    return reader->at == reader->end || grz_is_newline(*reader->at);
}

static inline void grz_skip_blanks(grz_reader *reader)
{
    while (reader->at < reader->end && grz_is_blank(*reader->at))
        reader->at++;
}

/* Moves to the start of the next line. */
void grz_next_line(grz_reader *reader);

/* Skips blanks and line ends; false at the end of the file. */
bool grz_skip_space(grz_reader *reader);

/* Moves to the first line that has more than blanks and a comment starting with `comment` ('\0': no comments). */
bool grz_skip_empty_lines(grz_reader *reader, char comment);

/* The bytes up to the next blank or line end; empty at the end of a line. */
grz_name grz_read_word(grz_reader *reader);

/* The rest of the line, without blanks around it. */
grz_name grz_read_rest_of_line(grz_reader *reader);

/* Whether the word is `keyword` (in lower case), ignoring case. */
bool grz_word_is(grz_name word, const char *keyword);

/* A coordinate or a count on this line. `what` names it in messages: "a coordinate". */
graze_status grz_read_coordinate(grz_reader *reader, double *out_value);
graze_status grz_read_integer(grz_reader *reader, const char *what, int64_t *out_value);

/* Checks a corner of a face against the number of vertices and adds it to the builder. */
graze_status grz_add_corner(grz_reader *reader, int64_t vertex, uint64_t vertex_count);

/* Ends the face, which needs three corners. */
graze_status grz_end_face(grz_reader *reader);

#endif
