/* SPDX-License-Identifier: MIT */
/* Shared by the examples: a status that is not OK ends the program with a message. A library would return it instead.
 */
#ifndef EXAMPLE_H
#define EXAMPLE_H

#include <graze/graze.h>
#include <stdio.h>
#include <stdlib.h>

static inline void check(graze_status status)
{
    if (status == GRAZE_STATUS_OK)
        return;
    fprintf(stderr, "%s\n", graze_status_text(status));
    exit(1);
}

#endif
