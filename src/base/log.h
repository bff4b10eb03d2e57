/* SPDX-License-Identifier: MIT */
/* Messages to the context's log hook; nothing happens without one. */
#ifndef GRZ_BASE_LOG_H
#define GRZ_BASE_LOG_H

#include "base/error.h"
#include "graze/context.h"

void grz_log(const graze_context *context, graze_log_level level, const char *format, ...) GRZ_PRINTF(3, 4);

#endif
