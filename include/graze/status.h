/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Status codes and errors, and the rules that all headers share.
 *
 * Functions that can fail return a graze_status. Result parameters come last in the parameter list and are left
 * unchanged on failure. Functions that take input from outside also fill a graze_error, which says which element is at
 * fault.
 *
 * NULL. A pointer must not be NULL unless its comment allows it; this includes pointers inside structs. Always allowed
 * to be NULL: `context`, `error`, `options`, `budget`, `user` pointers of callbacks, and arrays whose count or capacity
 * is 0. A function that returns a status answers any other NULL with GRAZE_STATUS_BAD_ARGUMENT. A function without a
 * status does nothing and returns a neutral value: 0, false, NULL, GRAZE_NO_..., or a zeroed struct. Destroy and
 * release functions ignore NULL.
 *
 * Growth. Options and definition structs begin with `struct_size`, which their default functions set. These are inline,
 * so that the size is that of the headers a program was compiled with. Fields may be appended in later versions; the
 * library gives fields a caller does not have their defaults, and answers GRAZE_STATUS_BAD_ARGUMENT to a size it does
 * not know: one below that of the struct's first version (0: no default function was called), or a larger struct whose
 * additional bytes are not all zero. All other structs keep their layout as long as the library keeps its SONAME.
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
    GRAZE_STATUS_BAD_ARGUMENT,    ///< NULL where it is not allowed, or a value out of range
    GRAZE_STATUS_NOT_FINITE,      ///< a coordinate or pose entry is NaN or infinite
    GRAZE_STATUS_BAD_INDEX,       ///< an index is out of range: a corner of a face, or an object that no longer exists
    GRAZE_STATUS_TOO_FEW_CORNERS, ///< a polygon with fewer than three corners
    GRAZE_STATUS_TOO_LARGE,       ///< more elements than 32-bit indices can name
    GRAZE_STATUS_NOT_FOUND,       ///< no such file
    GRAZE_STATUS_UNREADABLE,      ///< the file exists but cannot be opened, read or written
    GRAZE_STATUS_BAD_FORMAT,      ///< the bytes are not what their format says
    GRAZE_STATUS_TRUNCATED,       ///< the data ends too early
    GRAZE_STATUS_EMPTY,           ///< nothing in it: no bytes, or no faces
    GRAZE_STATUS_UNSUPPORTED,     ///< valid input that this version does not support
    GRAZE_STATUS_DAMAGED,         ///< checksum mismatch: the bytes have changed since they were written
    GRAZE_STATUS_OTHER_MESH,      ///< the saved tree belongs to a different mesh
    GRAZE_STATUS_SINGULAR,        ///< a matrix without inverse
    GRAZE_STATUS_CANCELLED,       ///< the caller's callback asked to stop
    GRAZE_STATUS_UNFINISHED,      ///< the budget was used up before the answer was known
    GRAZE_STATUS_ENVIRONMENT,     ///< reserved: no function returns it today (docs/environments.md)
    GRAZE_STATUS_INTERNAL,        ///< a bug in Graze; please report it
    GRAZE_STATUS_NOT_RIGID,       ///< a pose that is no rotation or mirrored rotation, for a shape that needs one
    GRAZE_STATUS_COUNT
} graze_status;

/// An answer that may be unknown.
typedef enum graze_verdict
{
    GRAZE_VERDICT_UNKNOWN = 0,
    GRAZE_VERDICT_NO,
    GRAZE_VERDICT_YES
} graze_verdict;

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
