/* SPDX-License-Identifier: MIT */
/*
 * Tetrahedra that certainly enclose the origin: they still do when each coordinate is moved by its error in the worst
 * way, wherever the largest coordinates are.
 */
#include "convex/gjk.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/random.h"
#include "support/unit.h"

enum
{
    ROUNDS = TEST_ROUNDS(3000)
};

/* The determinant of three corners, and how far it changes when each coordinate moves by e on its axis. */
static long double determinant(const double p[3][3], const double e[3], long double *out_change)
{
    long double change = 0, det = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
        {
            const double *q = p[(i + 1) % 3], *r = p[(i + 2) % 3];
            int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
            long double cofactor = (long double)q[k1] * r[k2] - (long double)q[k2] * r[k1];
            change += fabsl(cofactor) * e[k];
            det += i == 0 ? p[0][k] * cofactor : 0;
        }
    *out_change = change;
    return det;
}

/* Whether moving the coordinates of three corners may let the origin out of the tetrahedron. */
static bool may_be_outside(const double p[4][3], const double e[3])
{
    static const int faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
    int above = 0, below = 0;
    for (int f = 0; f < 4; f++)
    {
        double q[3][3];
        long double change;
        for (int i = 0; i < 3; i++)
            memcpy(q[i], p[faces[f][i]], sizeof q[i]);
        long double det = determinant((const double(*)[3])q, e, &change);
        above += det > 0.999L * change;
        below += det < -0.999L * change;
    }
    return above < 4 && below < 4;
}

static void set_corner(grz_gjk *g, int i, const double p[3])
{
    g->corners[i] = v3_make(p[0], p[1], p[2]);
}

/* Three corners whose plane passes the origin at some errors' distance, of which one is far along an axis, and the
   cofactors of all others as large as they may be; the fourth is opposite. */
static void what_encloses_the_origin_does_so_with_all_errors(void **state)
{
    (void)state;
    test_random random = test_random_start("what_encloses_the_origin_does_so_with_all_errors", 1516);
    int enclosed = 0, near = 0;
    for (int round = 0; round < ROUNDS; round++)
    {
        int y = random_below(&random, 3), x = (y + 1) % 3, z = (y + 2) % 3, first = random_below(&random, 4);
        double p[4][3], size[3], e[3], far = ldexp(1, random_below(&random, 20));
        double *q = p[first], *r = p[(first + 1) % 4], *s = p[(first + 2) % 4], *t = p[(first + 3) % 4];
        double wanted = random_real(&random, 4, round % 4 < 2 ? 24 : 100) * 8 * GRZ_U * far;
        size[x] = size[z] = 1;
        size[y] = far;
        q[x] = q[z] = 1;
        q[y] = r[y] = -0x1p-10;
        r[x] = -1;
        s[x] = 1;
        s[y] = far;
        s[z] = -1;
        t[x] = t[z] = t[y] = 0;
        /* The determinant of q, r and s is far (r.z + 1), and 2^-9 (r.z - 1) s.x and such: solved for r.z. */
        r[z] = -1;
        long double change;
        for (int step = 0; step < 3; step++)
        {
            double face[3][3], other[3][3];
            memcpy(face[0], q, sizeof face[0]);
            memcpy(face[1], r, sizeof face[1]);
            memcpy(face[2], s, sizeof face[2]);
            memcpy(other, face, sizeof face);
            other[1][z] = 0;
            for (int k = 0; k < 3; k++)
                e[k] = 8 * GRZ_U * size[k];
            long double here = determinant((const double(*)[3])face, e, &change);
            long double there = determinant((const double(*)[3])other, e, &change);
            r[z] += (double)((wanted - here) / ((there - here) / (0 - r[z])));
        }
        const v3 normal = v3_cross(v3_make(q[0], q[1], q[2]), v3_make(s[0], s[1], s[2]));
        const double n[3] = {normal.x, normal.y, normal.z};
        for (int k = 0; k < 3; k++) /* on the other side of the plane */
            t[k] = (round % 2 == 0 ? 0.5 : -0.5) * n[k] / far;
        grz_gjk g;
        memset(&g, 0, sizeof g);
        g.operands.size = v3_make(size[0], size[1], size[2]);
        for (int i = 0; i < 4; i++)
            set_corner(&g, i, p[i]);
        bool told = grz_gjk_encloses(&g), doubtful = may_be_outside((const double(*)[3])p, e);
        assert_false(told && doubtful);
        enclosed += told;
        near += doubtful;
    }
    printf("%d enclosed, %d doubtful\n", enclosed, near);
    assert_true(enclosed > ROUNDS / 30 && near > ROUNDS / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_encloses_the_origin_does_so_with_all_errors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
