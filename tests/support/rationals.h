/* SPDX-License-Identifier: MIT */
/* Rationals as a reference for doubles, and 3x4 matrices of them. */
#ifndef SUPPORT_RATIONALS_H
#define SUPPORT_RATIONALS_H

#include <stdbool.h>

#include "graze/pose.h"
#include "support/lattice.h"

/* Whether |given - exact| <= bound. */
bool rational_within(double given, const mpq_t exact, double bound);

void rational_matrix_init(mpq_t matrix[12]);
void rational_matrix_clear(mpq_t matrix[12]);
void rational_matrix_set(mpq_t matrix[12], const graze_pose *pose);

#endif
