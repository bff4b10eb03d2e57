/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What can go wrong, and how Graze says so.
 *
 * Whatever can fail returns a graze_status; results are written last and stay untouched on failure.
 * Functions that take input from outside also fill a graze_error, which names the culprit.
 *
 * NULL. A pointer must lead somewhere unless its comment says what NULL means or that it may be NULL; so must pointers
 * within structures. These may be NULL everywhere: `context`, `error`, `options`, `user` pointers of callbacks,
 * and arrays of which 0 elements are given or asked for. A function with a status refuses other NULLs with
 * GRAZE_STATUS_BAD_ARGUMENT. One without does nothing then, and returns what stands for nothing: 0, false, NULL,
 * GRAZE_NO_..., a structure of zeros. What destroys or releases does nothing for NULL.
 */
#ifndef GRAZE_STATUS_H
#define GRAZE_STATUS_H

#include <stdint.h>

#include "graze/export.h"

GRAZE_BEGIN_DECLS

typedef enum graze_status
{
    GRAZE_STATUS_OK = 0,
    GRAZE_STATUS_OUT_OF_MEMORY,   ///< the allocator returned NULL
    GRAZE_STATUS_BAD_ARGUMENT,    ///< a NULL where none may be, a number out of its range
    GRAZE_STATUS_NOT_FINITE,      ///< a coordinate or pose entry is NaN or infinite
    GRAZE_STATUS_BAD_INDEX,       ///< a corner names a vertex that does not exist
    GRAZE_STATUS_TOO_FEW_CORNERS, ///< a polygon with fewer than three corners
    GRAZE_STATUS_TOO_LARGE,       ///< more elements than 32-bit indices can name
    GRAZE_STATUS_NOT_FOUND,       ///< no such file
    GRAZE_STATUS_UNREADABLE,      ///< the file exists but cannot be opened, read or written
    GRAZE_STATUS_BAD_FORMAT,      ///< the bytes are not what their format says
    GRAZE_STATUS_TRUNCATED,       ///< the data ends too early
    GRAZE_STATUS_EMPTY,           ///< nothing in it: no bytes, or no faces
    GRAZE_STATUS_UNSUPPORTED,     ///< legal, but this build cannot do it
    GRAZE_STATUS_DAMAGED,         ///< the bytes are not those that were written
    GRAZE_STATUS_OTHER_MESH,      ///< a saved tree that belongs to another mesh
    GRAZE_STATUS_SINGULAR,        ///< a matrix without inverse
    GRAZE_STATUS_CANCELLED,       ///< the caller's callback asked to stop
    GRAZE_STATUS_UNFINISHED,      ///< the budget is used up; what is known so far may be asked for
    GRAZE_STATUS_ENVIRONMENT,     ///< the floating-point environment makes the answer impossible
    GRAZE_STATUS_INTERNAL,        ///< a bug in Graze; please report it
    GRAZE_STATUS_COUNT
} graze_status;

#define GRAZE_NO_INDEX UINT64_MAX
#define GRAZE_ERROR_TEXT_SIZE 256

/// What went wrong and where. Numbers that do not apply are GRAZE_NO_INDEX.
typedef struct graze_error
{
    graze_status status;
    uint64_t index;                   ///< of the vertex, corner, face or pose entry at fault
    uint64_t line;                    ///< in a text file, from 1
    uint64_t byte_offset;             ///< in a binary file, from 0
    char text[GRAZE_ERROR_TEXT_SIZE]; ///< one sentence for a person, without trailing newline
} graze_error;

/// A short English phrase for a status; never NULL, also for numbers that are no status.
GRAZE_API const char *graze_status_text(graze_status status);

/// The version of the library that runs, as "major.minor.patch".
GRAZE_API const char *graze_version_text(void);

GRAZE_END_DECLS

#endif
