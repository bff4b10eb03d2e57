/* SPDX-License-Identifier: MIT */
/* Detects the format of a file from its bytes, or, where they are ambiguous, from its name. */
#ifndef GRZ_IO_DETECT_H
#define GRZ_IO_DETECT_H

#include "io/reader.h"

/* Finds the format; fails with a message if none fits. PLY is reported as PLY_ASCII; its header has the details. */
graze_status grz_detect(grz_reader *reader, graze_format *out_format);

/* Whether the name ends like those of gzip files. */
bool grz_name_says_gzip(const char *path);

#endif
