/* SPDX-License-Identifier: MIT */
/* Status texts, and errors with their position; see error.h. */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

const char *graze_status_text(graze_status status)
{
    static const char *const texts[GRAZE_STATUS_COUNT] = {
        [GRAZE_STATUS_OK] = "ok",
        [GRAZE_STATUS_OUT_OF_MEMORY] = "out of memory",
        [GRAZE_STATUS_BAD_ARGUMENT] = "bad argument",
        [GRAZE_STATUS_NOT_FINITE] = "a number is not finite",
        [GRAZE_STATUS_BAD_INDEX] = "an index is out of range",
        [GRAZE_STATUS_TOO_FEW_CORNERS] = "a polygon has fewer than three corners",
        [GRAZE_STATUS_TOO_LARGE] = "too large",
        [GRAZE_STATUS_NOT_FOUND] = "no such file",
        [GRAZE_STATUS_UNREADABLE] = "cannot be read or written",
        [GRAZE_STATUS_BAD_FORMAT] = "not in the expected format",
        [GRAZE_STATUS_TRUNCATED] = "ends too early",
        [GRAZE_STATUS_EMPTY] = "empty",
        [GRAZE_STATUS_UNSUPPORTED] = "not supported",
        [GRAZE_STATUS_DAMAGED] = "damaged",
        [GRAZE_STATUS_OTHER_MESH] = "belongs to another mesh",
        [GRAZE_STATUS_SINGULAR] = "the matrix is singular",
        [GRAZE_STATUS_CANCELLED] = "cancelled",
        [GRAZE_STATUS_UNFINISHED] = "budget used up before the end",
        [GRAZE_STATUS_ENVIRONMENT] = "unsuitable floating-point environment",
        [GRAZE_STATUS_INTERNAL] = "internal error",
        [GRAZE_STATUS_NOT_RIGID] = "the pose is no rotation",
    };
    unsigned number = (unsigned)status;
    return number < GRAZE_STATUS_COUNT ? texts[number] : "unknown status";
}

#define STRINGIZE_(x) #x
#define STRINGIZE(x) STRINGIZE_(x)

const char *graze_version_text(void)
{
    return STRINGIZE(GRAZE_VERSION_MAJOR) "." STRINGIZE(GRAZE_VERSION_MINOR) "." STRINGIZE(GRAZE_VERSION_PATCH);
}

static void fill(graze_error *error, graze_status status, const char *format, va_list arguments) GRZ_PRINTF(3, 0);

static void fill(graze_error *error, graze_status status, const char *format, va_list arguments)
{
    error->status = status;
    error->index = GRAZE_NO_INDEX;
    error->line = GRAZE_NO_INDEX;
    error->byte_offset = GRAZE_NO_INDEX;
    vsnprintf(error->text, sizeof error->text, format, arguments);
}

graze_status grz_error(graze_error *error, graze_status status, const char *format, ...)
{
    if (error != NULL)
    {
        va_list arguments;
        va_start(arguments, format);
        fill(error, status, format, arguments);
        va_end(arguments);
    }
    return status;
}

/* The three variants differ in the one field they set. */
#define DEFINE_ERROR_AT(name, field)                                                                                   \
    graze_status name(graze_error *error, graze_status status, uint64_t field, const char *format, ...)                \
    {                                                                                                                  \
        if (error != NULL)                                                                                             \
        {                                                                                                              \
            va_list arguments;                                                                                         \
            va_start(arguments, format);                                                                               \
            fill(error, status, format, arguments);                                                                    \
            va_end(arguments);                                                                                         \
            error->field = field;                                                                                      \
        }                                                                                                              \
        return status;                                                                                                 \
    }

DEFINE_ERROR_AT(grz_error_index, index)
DEFINE_ERROR_AT(grz_error_line, line)
DEFINE_ERROR_AT(grz_error_byte, byte_offset)
