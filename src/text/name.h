/* SPDX-License-Identifier: MIT */
/* A name as bytes of a text, without a zero byte at the end. */
#ifndef GRZ_TEXT_NAME_H
#define GRZ_TEXT_NAME_H

#include <stddef.h>

typedef struct grz_name
{
    const char *text;
    size_t size;
} grz_name;

#endif
