/* SPDX-License-Identifier: MIT */
/* Edges along an axis; see upright_edges.h. */
#include "motion/upright_edges.h"

static bool is_zero(double x)
{
    return !(x < 0 || x > 0);
}

static int sign_of(double x)
{
    return (x > 0) - (x < 0);
}

/* The sign by which a pose stretches the axis; 0 where it turns it. */
static int stretch(const graze_pose *pose, int axis)
{
    for (int i = 0; i < 3; i++)
        if (i != axis && !is_zero(pose->m[4 * i + axis]))
            return 0;
    return sign_of(pose->m[5 * axis]);
}

int grz_motion_stretch(const graze_motion *motion, int axis)
{
    if (motion->kind == GRAZE_MOTION_TURN || motion->kind == GRAZE_MOTION_BALLISTIC_TURN)
    {
        for (int i = 0; i < 3; i++)
            if (i != axis && !(is_zero(motion->quaternion[0][i + 1]) && is_zero(motion->quaternion[1][i + 1])))
                return 0;
        return 1;
    }
    /* shortcut: axis-that-is-kept */
    int start = stretch(&motion->start, axis);
    return motion->kind == GRAZE_MOTION_STILL || start == stretch(&motion->end, axis) ? start : 0;
}

/* The only edge of a triangle along the axis. */
static bool find_edge(const graze_moving_triangle *triangle, int side, int axis, grz_upright_edges *out)
{
    int count = 0, stretched = grz_motion_stretch(triangle->motion, axis);
    if (stretched == 0 || triangle->end_corners[0] != NULL)
        return false;
    for (int edge = 0; edge < 3; edge++)
    {
        const double *p = triangle->corners[edge], *q = triangle->corners[(edge + 1) % 3];
        int i = (axis + 1) % 3, j = (axis + 2) % 3;
        if (p[i] < q[i] || p[i] > q[i] || p[j] < q[j] || p[j] > q[j])
            continue;
        count++;
        for (int k = 0; k < 3; k++)
            out->corners[side][k] = 3 * side + (edge + k) % 3;
        out->up[side] = stretched * ((q[axis] > p[axis]) - (q[axis] < p[axis]));
    }
    return count == 1 && out->up[side] != 0;
}

bool grz_upright_edges_find(const graze_moving_triangle *a, const graze_moving_triangle *b, grz_upright_edges *out)
{
    for (out->axis = 0; out->axis < 3; out->axis++)
        if (find_edge(a, 0, out->axis, out) && find_edge(b, 1, out->axis, out))
            return true;
    return false;
}

/* The first corner of the edge for both of its corners. */
static int seen(const grz_upright_edges *u, int corner)
{
    const int *own = u->corners[corner / 3];
    return corner == own[1] ? own[0] : corner;
}

bool grz_upright_are_one(const grz_upright_edges *u, int a, int b)
{
    return a != b && seen(u, a) == seen(u, b);
}

/* The sign of the permutation that sorts three numbers; 0 where two are equal. */
static int parity(int a, int b, int c)
{
    return sign_of((double)(b - a)) * sign_of((double)(c - b)) * sign_of((double)(c - a));
}

grz_upright_class grz_upright_area(const grz_upright_edges *u, int a, int b, int c)
{
    int e = u->corners[0][0], f = u->corners[1][0], x = 0;
    a = seen(u, a);
    b = seen(u, b);
    c = seen(u, c);
    if (a == b || b == c || c == a)
        return (grz_upright_class){GRZ_UPRIGHT_NEVER, 0};
    x = a + b + c - e - f; /* if e and f are among them, the third */
    bool has_e = a == e || b == e || c == e, has_f = a == f || b == f || c == f;
    if (!has_e || !has_f)
        return (grz_upright_class){GRZ_UPRIGHT_OTHER, 0};
    int sign = parity(a, b, c) * parity(e, f, x);
    return (grz_upright_class){x < 3 ? GRZ_UPRIGHT_OF_A : GRZ_UPRIGHT_OF_B, sign};
}

grz_upright_class grz_upright_volume(const grz_upright_edges *u, const int corners[4])
{
    for (int i = 0; i < 4; i++)
        for (int k = i + 1; k < 4; k++)
        {
            if (!grz_upright_are_one(u, corners[i], corners[k]))
                continue;
            /* orient3d(P', r, s, P): the corner at i comes first, the one at k last, r and s stay in order */
            int rest[2], count = 0;
            for (int j = 0; j < 4; j++)
                if (j != i && j != k)
                    rest[count++] = corners[j];
            grz_upright_class area = grz_upright_area(u, rest[0], rest[1], corners[k]);
            const int *own = u->corners[corners[i] / 3];
            int up = corners[i] == own[1] ? u->up[corners[i] / 3] : -u->up[corners[i] / 3];
            area.sign *= (i + 3 - k) % 2 == 0 ? up : -up;
            return area;
        }
    return (grz_upright_class){GRZ_UPRIGHT_OTHER, 0};
}
