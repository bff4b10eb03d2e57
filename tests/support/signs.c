/* SPDX-License-Identifier: MIT */
/* All signs of six placed points; see signs.h. */
#include "support/signs.h"

#include "exact/predicates.h"

/* The source of signs: exactly one of them. */
typedef struct source
{
    oracle *judge;
    grz_points *points;
    const graze_placed_point *placed;
} source;

static int ask_orient3d(const source *from, int a, int b, int c, int d)
{
    if (from->judge != NULL)
        return oracle_loaded_orient3d(from->judge, a, b, c, d);
    if (from->points != NULL)
        return grz_orient3d(from->points, a, b, c, d);
    const graze_placed_point four[4] = {from->placed[a], from->placed[b], from->placed[c], from->placed[d]};
    if (four[0].pose == NULL && four[1].pose == NULL && four[2].pose == NULL && four[3].pose == NULL)
        return graze_point_orient3d(four[0].point, four[1].point, four[2].point, four[3].point);
    return graze_point_orient3d_placed(four);
}

static int ask_orient2d(const source *from, int a, int b, int c, int axis)
{
    if (from->judge != NULL)
        return oracle_loaded_orient2d(from->judge, a, b, c, axis);
    if (from->points != NULL)
        return grz_orient2d(from->points, a, b, c, axis);
    const graze_placed_point three[3] = {from->placed[a], from->placed[b], from->placed[c]};
    if (axis == 2 && three[0].pose == NULL && three[1].pose == NULL && three[2].pose == NULL)
        return graze_point_orient2d(three[0].point, three[1].point, three[2].point);
    return graze_point_orient2d_placed(three, axis);
}

static int ask_compare(const source *from, int a, int b, int axis)
{
    if (from->judge != NULL)
        return oracle_loaded_compare(from->judge, a, b, axis);
    if (from->points != NULL)
        return grz_compare(from->points, a, b, axis);
    return graze_point_compare_placed(&from->placed[a], &from->placed[b], axis);
}

static void fill(const source *from, sign_table *out)
{
    int n = 0;
    for (int a = 0; a < 6; a++)
        for (int b = a + 1; b < 6; b++)
        {
            for (int axis = 0; axis < 3; axis++)
                out->signs[n++] = (signed char)ask_compare(from, a, b, axis);
            for (int c = b + 1; c < 6; c++)
            {
                for (int axis = 0; axis < 3; axis++)
                    out->signs[n++] = (signed char)ask_orient2d(from, a, b, c, axis);
                for (int d = c + 1; d < 6; d++)
                    out->signs[n++] = (signed char)ask_orient3d(from, a, b, c, d);
            }
        }
}

static void place_all(const triangle_case *points, graze_placed_point placed[6])
{
    for (int i = 0; i < 6; i++)
    {
        placed[i].point = points->corners[i / 3][i % 3];
        placed[i].pose = points->placed[i / 3] ? &points->poses[i / 3] : NULL;
    }
}

void signs_by_oracle(oracle *judge, const triangle_case *points, sign_table *out)
{
    graze_placed_point placed[6];
    place_all(points, placed);
    oracle_load(judge, placed, 6);
    source from = {judge, NULL, NULL};
    fill(&from, out);
}

void signs_by_library(const triangle_case *points, grz_filter_stats *stages, sign_table *out)
{
    graze_placed_point placed[6];
    place_all(points, placed);
    grz_points set;
    grz_points_start(&set, stages);
    for (int i = 0; i < 6; i++)
        grz_points_add(&set, placed[i].point, placed[i].pose);
    source from = {NULL, &set, NULL};
    fill(&from, out);
}

void signs_by_public(const triangle_case *points, sign_table *out)
{
    graze_placed_point placed[6];
    place_all(points, placed);
    source from = {NULL, NULL, placed};
    fill(&from, out);
}

int signs_differ(const sign_table *a, const sign_table *b)
{
    for (int i = 0; i < SIGNS_PER_CASE; i++)
        if (a->signs[i] != b->signs[i])
            return i;
    return -1;
}

int signs_zero(const sign_table *table)
{
    int zero = 0;
    for (int i = 0; i < SIGNS_PER_CASE; i++)
        zero += table->signs[i] == 0;
    return zero;
}
