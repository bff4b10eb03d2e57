/* SPDX-License-Identifier: MIT */
/* A cylinder along z that is moved without turning, against a triangle. Exact. */
#ifndef GRZ_TOOL_PATH_SWEPT_CYLINDER_H
#define GRZ_TOOL_PATH_SWEPT_CYLINDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"

enum
{
    GRZ_MOST_PLACES = 8
};

typedef struct grz_swept_cylinder
{
    double radius, lower, upper; /* relative to its place; upper may be INFINITY */
    double places[GRZ_MOST_PLACES][3];
    int place_count; /* 2: the ends of a line; 8: corners of a box, whose bits tell which ends */
    const graze_context *context;
    void *scratch; /* for exact numbers; NULL until needed */
    uint64_t exact_checks;
    bool out_of_memory; /* an answer was not found for lack of it */
} grz_swept_cylinder;

/* Whether some point of the triangle is inside the cylinder (less its boundary) at some place. */
bool grz_swept_cylinder_meets(grz_swept_cylinder *cylinder, const double corners[3][3]);
void grz_swept_cylinder_release(grz_swept_cylinder *cylinder);

#endif
