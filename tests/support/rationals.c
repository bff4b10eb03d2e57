/* SPDX-License-Identifier: MIT */
/* Rationals to check doubles against; see rationals.h. */
#include "support/rationals.h"

bool rational_within(double given, const mpq_t exact, double bound)
{
    mpq_t difference, limit;
    mpq_inits(difference, limit, NULL);
    rational_set_double(difference, given);
    mpq_sub(difference, difference, exact);
    mpq_abs(difference, difference);
    rational_set_double(limit, bound);
    bool inside = mpq_cmp(difference, limit) <= 0;
    mpq_clears(difference, limit, NULL);
    return inside;
}

void rational_matrix_init(mpq_t matrix[12])
{
    for (int i = 0; i < 12; i++)
        mpq_init(matrix[i]);
}

void rational_matrix_clear(mpq_t matrix[12])
{
    for (int i = 0; i < 12; i++)
        mpq_clear(matrix[i]);
}

void rational_matrix_set(mpq_t matrix[12], const graze_pose *pose)
{
    for (int i = 0; i < 12; i++)
        rational_set_double(matrix[i], pose->m[i]);
}
