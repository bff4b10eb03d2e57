/* SPDX-License-Identifier: MIT */
/* Logging; see log.h. */
#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>

void grz_log(const graze_context *context, graze_log_level level, const char *format, ...)
{
    if (context == NULL || context->log == NULL)
        return;
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    context->log(context->log_user, level, text);
}
