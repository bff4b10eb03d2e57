/* SPDX-License-Identifier: MIT */
#include "support/curved_bodies.h"

#include <math.h>
#include <string.h>

void test_body_turn(test_random *random, test_body *out)
{
    double *m = out->body.pose.m;
    graze_pose pose = graze_pose_identity();
    if (random_once_in(random, 4))
    {
        int first = random_below(random, 3), step = 1 + random_below(random, 2);
        memset(pose.m, 0, sizeof pose.m);
        for (int i = 0; i < 3; i++)
            pose.m[4 * i + (first + i * step) % 3] = random_once_in(random, 2) ? 1 : -1;
    }
    else
    {
        double q[4];
        for (int i = 0; i < 4; i++)
            q[i] = random_real(random, -1, 1);
        graze_pose_from_quaternion(q, NULL, &pose);
        if (random_once_in(random, 4))
            for (int i = 0; i < 3; i++)
                pose.m[4 * i] = -pose.m[4 * i];
    }
    for (int i = 0; i < 12; i++)
        if (i % 4 != 3)
            m[i] = pose.m[i];
}

void test_body_move(test_body *body, const double to[3])
{
    for (int i = 0; i < 3; i++)
        body->body.pose.m[4 * i + 3] = to[i];
}

static void make_polytope(test_random *random, test_body_kind kind, test_body *out)
{
    static const size_t counts[TEST_BODY_KINDS] = {0, 0, 0, 8, 3, 2, 1, 2, TEST_BODY_VERTICES};
    size_t count = counts[kind];
    double half[3];
    for (int k = 0; k < 3; k++)
        half[k] = random_real(random, 0.1, 0.9);
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
        {
            double *x = &out->vertices[i][k];
            *x = kind == TEST_BOX ? (i >> k & 1 ? half[k] : -half[k]) : random_real(random, -0.7, 0.7);
        }
    for (int k = 0; k < 3; k++) /* the origin belongs to all */
    {
        if (kind == TEST_TRIANGLE)
            out->vertices[2][k] = -out->vertices[0][k] - out->vertices[1][k];
        if (kind == TEST_SEGMENT || kind == TEST_CAPSULE)
            out->vertices[1][k] = -out->vertices[0][k];
        if (kind == TEST_BALL)
            out->vertices[0][k] = 0;
    }
    out->body.vertices = (const double(*)[3])out->vertices;
    out->body.vertex_count = count;
    out->body.radius = kind == TEST_BALL || kind == TEST_CAPSULE ? random_real(random, 0.1, 0.9) : 0;
}

void test_body_make(test_random *random, test_body_kind kind, test_body *out)
{
    memset(out, 0, sizeof *out);
    out->body.pose = graze_pose_identity();
    test_body_turn(random, out);
    if (kind >= TEST_CURVED_KINDS)
    {
        make_polytope(random, kind, out);
        return;
    }
    out->body.kind = (grz_convex_kind)(GRZ_CONVEX_CYLINDER + (int)kind);
    for (int k = 0; k < 3; k++)
        out->body.numbers[k] = random_real(random, 0.2, 1.2);
}

static long double dot(const long double a[3], const long double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The farthest point of a curved body in its own frame. */
static void local_point(const grz_convex_body *body, const long double c[3], long double y[3])
{
    const double *n = body->numbers;
    long double across = sqrtl(c[0] * c[0] + c[1] * c[1]);
    if (body->kind == GRZ_CONVEX_ELLIPSOID)
    {
        long double q[3] = {n[0] * c[0], n[1] * c[1], n[2] * c[2]}, length = sqrtl(dot(q, q));
        for (int i = 0; i < 3; i++)
            y[i] = length > 0 ? n[i] * q[i] / length : 0;
        return;
    }
    long double half = n[0] / 2.0L, radius = n[1];
    y[2] = c[2] >= 0 ? half : -half;
    if (body->kind == GRZ_CONVEX_CONE)
    {
        bool tip = half * c[2] >= radius * across - half * c[2];
        y[2] = tip ? half : -half;
        radius = tip ? 0 : radius;
    }
    y[0] = across > 0 ? radius * c[0] / across : 0;
    y[1] = across > 0 ? radius * c[1] / across : 0;
}

static void place(const graze_pose *pose, const long double y[3], long double x[3])
{
    for (int i = 0; i < 3; i++)
        x[i] = pose->m[4 * i] * y[0] + pose->m[4 * i + 1] * y[1] + pose->m[4 * i + 2] * y[2] + pose->m[4 * i + 3];
}

long double reference_support(const grz_convex_body *body, const long double w[3], long double point[3])
{
    const double *m = body->pose.m;
    long double c[3], y[3], x[3], best[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++)
        c[k] = m[k] * w[0] + m[4 + k] * w[1] + m[8 + k] * w[2];
    if (body->kind == GRZ_CONVEX_POLYTOPE)
    {
        for (size_t i = 0; i < body->vertex_count; i++)
        {
            for (int k = 0; k < 3; k++)
                y[k] = body->vertices[i][k];
            place(&body->pose, y, x);
            if (i == 0 || dot(w, x) > dot(w, best))
                memcpy(best, x, sizeof best);
        }
        long double length = sqrtl(dot(w, w));
        for (int k = 0; k < 3; k++)
            best[k] += body->radius * w[k] / length;
    }
    else
    {
        local_point(body, c, y);
        place(&body->pose, y, best);
    }
    if (point)
        memcpy(point, best, sizeof best);
    return dot(w, best);
}

double reference_size(const grz_convex_body *a, const grz_convex_body *b)
{
    double size = 0;
    for (int k = 0; k < 3; k++)
    {
        long double up[3] = {k == 0, k == 1, k == 2}, down[3] = {-up[0], -up[1], -up[2]};
        long double upper = fmaxl(reference_support(a, up, NULL), reference_support(b, up, NULL));
        long double lower = fmaxl(reference_support(a, down, NULL), reference_support(b, down, NULL));
        size = fmax(size, (double)(upper + lower));
    }
    return size;
}

void reference_direction(test_random *random, long double out[3])
{
    long double length = 0;
    while (!(length > 0.01L && length < 1))
    {
        for (int i = 0; i < 3; i++)
            out[i] = random_real(random, -1, 1);
        length = sqrtl(dot(out, out));
    }
    for (int i = 0; i < 3; i++)
        out[i] /= length;
}

long double reference_width(const grz_convex_body *a, const grz_convex_body *b, const long double w[3])
{
    long double back[3] = {-w[0], -w[1], -w[2]};
    return reference_support(a, w, NULL) + reference_support(b, back, NULL);
}

/* Moves w to the best of eight directions around it until none is better, with ever smaller steps. */
static long double descend(test_random *random, const grz_convex_body *a, const grz_convex_body *b, long double w[3])
{
    long double best = reference_width(a, b, w);
    for (long double step = 0.1L; step > 1e-9L;)
    {
        bool better = false;
        for (int i = 0; i < 8; i++)
        {
            long double d[3], other[3], length = 0;
            reference_direction(random, d);
            for (int k = 0; k < 3; k++)
            {
                other[k] = w[k] + step * d[k];
                length += other[k] * other[k];
            }
            for (int k = 0; k < 3; k++)
                other[k] /= sqrtl(length);
            long double width = reference_width(a, b, other);
            if (width < best)
            {
                best = width;
                memcpy(w, other, sizeof other);
                better = true;
            }
        }
        step *= better ? 1.5L : 0.6L;
    }
    return best;
}

long double reference_gap(test_random *random, const grz_convex_body *a, const grz_convex_body *b)
{
    long double best = 0, least[3][3], widths[3];
    for (int i = 0; i < 300; i++)
    {
        long double w[3];
        reference_direction(random, w);
        long double width = reference_width(a, b, w);
        int place_of = i < 3 ? i : 0;
        for (int k = 1; i >= 3 && k < 3; k++)
            if (widths[k] > widths[place_of])
                place_of = k;
        if (i < 3 || width < widths[place_of])
        {
            widths[place_of] = width;
            memcpy(least[place_of], w, sizeof w);
        }
    }
    for (int i = 0; i < 3; i++)
    {
        long double width = descend(random, a, b, least[i]);
        best = i == 0 ? width : fminl(best, width);
    }
    return -best;
}

double reference_outside(test_random *random, const grz_convex_body *body, const double point[3])
{
    long double outside = -INFINITY, p[3] = {point[0], point[1], point[2]};
    for (int i = 0; i < 100; i++)
    {
        long double w[3];
        reference_direction(random, w);
        outside = fmaxl(outside, dot(w, p) - reference_support(body, w, NULL));
    }
    return (double)outside;
}

void reference_touch(const grz_convex_body *a, test_body *b, const long double w[3], double gap)
{
    long double back[3] = {-w[0], -w[1], -w[2]}, p[3], q[3];
    double zero[3] = {0, 0, 0}, to[3];
    test_body_move(b, zero);
    reference_support(a, w, p);
    reference_support(&b->body, back, q);
    for (int i = 0; i < 3; i++)
        to[i] = (double)(p[i] - q[i] + gap * w[i]);
    test_body_move(b, to);
}
