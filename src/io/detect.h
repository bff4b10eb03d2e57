/* SPDX-License-Identifier: MIT */
/* Telling the format of a file from its bytes, or, where they leave it open, from its name. */
#ifndef GRZ_IO_DETECT_H
#define GRZ_IO_DETECT_H

#include "io/reader.h"

/* Finds the format; fails with a sentence when nothing fits. PLY is reported as PLY_ASCII; its header says the rest. */
graze_status grz_detect(grz_reader *reader, graze_format *out_format);

/* Whether the name ends as those of gzip files do. */
bool grz_name_says_gzip(const char *path);

#endif
