/* SPDX-License-Identifier: MIT */
/*
 * Scaled vertices for trees and filters, in a range where products of several of them neither overflow nor underflow.
 *
 * Multiplying all of space by a power of two changes no decision. So where the largest coordinate in magnitude is 2^96
 * or more, or below 2^-96, filters see a copy of the vertices in which it is in [1/2, 1). In the copy, denormal results
 * have an error below 2^-1074. All error bounds allow for denormals flushed to zero, which changes a number by at most
 * 2^-1022: so they hold for the copy as well. Exact predicates use the vertices themselves.
 *
 * Why 2^96: with poses up to 2^100 coordinates and their sums stay far below 2^300, the limit of the filters. Why
 * 2^-96: the absolute terms of their bounds, 2^-600 for products of three differences (exact/predicates.c), then are
 * far below such products, even of differences 2^-90 times as large. And matrices of two poses that bring two such
 * meshes to one size are at most 2^192 apart, within what pair/relative_pose.c allows around their geometric mean.
 */
#include <math.h>

#include "base/bits.h"
#include "base/memory.h"
#include "mesh/mesh.h"

enum
{
    LARGEST_EXPONENT = 96,
    LEAST_EXPONENT = -95
};

/* Exponent of the largest coordinate, or 0 where nothing is to be scaled. */
static int choose_exponent(const graze_mesh *mesh)
{
    int largest = INT32_MIN;
    for (int axis = 0; axis < 3 && mesh->triangle_count > 0; axis++)
    {
        int lower = grz_exponent_of(mesh->lower[axis]), upper = grz_exponent_of(mesh->upper[axis]);
        largest = lower > largest ? lower : largest;
        largest = upper > largest ? upper : largest;
    }
    bool moderate = largest == INT32_MIN || (largest >= LEAST_EXPONENT && largest <= LARGEST_EXPONENT);
    return moderate ? 0 : largest;
}

bool grz_mesh_scale(graze_mesh *mesh, grz_monitor *monitor)
{
    size_t count = 3 * mesh->vertex_count;
    int exponent = choose_exponent(mesh);
    if (exponent != 0 && mesh->scaled_memory == NULL)
        mesh->scaled_memory = grz_allocate(&mesh->context, count, sizeof *mesh->scaled_memory);
    bool enough = exponent == 0 || mesh->scaled_memory != NULL;
    mesh->exponent = enough ? exponent : 0;
    mesh->scaled = mesh->exponent != 0 ? mesh->scaled_memory : mesh->vertices;
    mesh->scaled_exactly = true;
    /* shortcut: scaled-vertices */
    for (size_t i = 0; i < count && mesh->exponent != 0 && grz_monitor_elements(monitor, 1); i++)
    {
        double x = mesh->vertices[i], there = grz_scale(x, -mesh->exponent);
        mesh->scaled_exactly = mesh->scaled_exactly && (grz_is_zero(x) || grz_exponent_of(there) > -1000);
        mesh->scaled_memory[i] = there;
    }
    for (int axis = 0; axis < 3; axis++)
    {
        bool scales = mesh->exponent != 0;
        mesh->scaled_lower[axis] = scales ? grz_scale(mesh->lower[axis], -mesh->exponent) : mesh->lower[axis];
        mesh->scaled_upper[axis] = scales ? grz_scale(mesh->upper[axis], -mesh->exponent) : mesh->upper[axis];
    }
    return enough && grz_monitor_may_continue(monitor);
}
