/* SPDX-License-Identifier: MIT */
/* The oracle's scratch numbers and signs: each determinant written out over integers. See oracle.h. */
#include <stdlib.h>

#include "support/oracle_internal.h"

oracle *oracle_create(void)
{
    oracle *judge = malloc(sizeof *judge);
    judge->grid = lattice_create(8);
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < MOST_CORNERS; i++)
            for (int c = 0; c < 4; c++)
                mpz_init(judge->polygons[side].corners[i][c]);
    for (int i = 0; i < MOST_SPACES; i++)
        for (int c = 0; c < 4; c++)
            mpz_init(judge->spaces[i][c]);
    vector_init(judge->u);
    vector_init(judge->v);
    vector_init(judge->w);
    vector_init(judge->normal);
    mpz_inits(judge->s, judge->t, judge->p, judge->q, NULL);
    return judge;
}

void oracle_destroy(oracle *judge)
{
    lattice_destroy(judge->grid);
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < MOST_CORNERS; i++)
            for (int c = 0; c < 4; c++)
                mpz_clear(judge->polygons[side].corners[i][c]);
    for (int i = 0; i < MOST_SPACES; i++)
        for (int c = 0; c < 4; c++)
            mpz_clear(judge->spaces[i][c]);
    vector_clear(judge->u);
    vector_clear(judge->v);
    vector_clear(judge->w);
    vector_clear(judge->normal);
    mpz_clears(judge->s, judge->t, judge->p, judge->q, NULL);
    free(judge);
}

void oracle_load(oracle *judge, const graze_placed_point *points, int count)
{
    lattice_begin(judge->grid);
    for (int i = 0; i < count; i++)
        lattice_add(judge->grid, points[i].point, points[i].pose);
    lattice_align(judge->grid);
}

int oracle_loaded_orient3d(oracle *judge, int a, int b, int c, int d)
{
    vector3 *x = judge->grid->points;
    vector_subtract(judge->u, x[a], x[d]);
    vector_subtract(judge->v, x[b], x[d]);
    vector_subtract(judge->w, x[c], x[d]);
    vector_cross(judge->normal, judge->v, judge->w);
    vector_dot(judge->s, judge->u, judge->normal);
    return mpz_sgn(judge->s);
}

int oracle_loaded_orient2d(oracle *judge, int a, int b, int c, int axis)
{
    vector3 *x = judge->grid->points;
    int i = (axis + 1) % 3, j = (axis + 2) % 3;
    vector_subtract(judge->u, x[b], x[a]);
    vector_subtract(judge->v, x[c], x[a]);
    mpz_mul(judge->s, judge->u[i], judge->v[j]);
    mpz_submul(judge->s, judge->u[j], judge->v[i]);
    return mpz_sgn(judge->s);
}

int oracle_loaded_compare(oracle *judge, int a, int b, int axis)
{
    int order = mpz_cmp(judge->grid->points[a][axis], judge->grid->points[b][axis]);
    return (order > 0) - (order < 0);
}

int oracle_handedness(oracle *judge, const graze_pose *pose)
{
    lattice_begin(judge->grid);
    for (int row = 0; row < 3; row++)
        lattice_add(judge->grid, &pose->m[4 * row], NULL);
    lattice_align(judge->grid);
    vector3 *x = judge->grid->points;
    vector_cross(judge->normal, x[1], x[2]);
    vector_dot(judge->s, x[0], judge->normal);
    return mpz_sgn(judge->s);
}
