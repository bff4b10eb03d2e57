/* SPDX-License-Identifier: MIT */
/* Camera, perspective and clipping; see view.h. Polygons are clipped plane by plane (Sutherland and Hodgman 1974). */
#include "picture/view.h"

#include <math.h>

enum
{
    PLANES = 5
};

static const double degree = 0.017453292519943295;
static const double guard = 1.5; /* the planes at the sides, in half pictures */

view view_make(const graze_clash_camera *camera, unsigned width, unsigned height)
{
    view made = {.near_plane = 0.02 * camera->distance, .center_x = 0.5 * width, .center_y = 0.5 * height};
    const double *d = camera->direction, *u = camera->up;
    const double right[3] = {d[1] * u[2] - d[2] * u[1], d[2] * u[0] - d[0] * u[2], d[0] * u[1] - d[1] * u[0]};
    for (int i = 0; i < 3; i++)
    {
        made.origin[i] = camera->position[i];
        made.forward[i] = d[i];
        made.up[i] = u[i];
        made.right[i] = right[i];
    }
    double tangent = tan(0.5 * degree * camera->field_of_view);
    made.scale = 0.5 * height / tangent;
    made.side[0] = guard * tangent * width / height;
    made.side[1] = guard * tangent;
    return made;
}

eye_point view_from_world(const view *from, const double point[3])
{
    double d[3];
    for (int i = 0; i < 3; i++)
        d[i] = point[i] - from->origin[i];
    return (eye_point){from->right[0] * d[0] + from->right[1] * d[1] + from->right[2] * d[2],
                       from->up[0] * d[0] + from->up[1] * d[1] + from->up[2] * d[2],
                       from->forward[0] * d[0] + from->forward[1] * d[1] + from->forward[2] * d[2]};
}

screen_point view_project(const view *from, eye_point point)
{
    double w = 1 / point.z;
    return (screen_point){from->center_x + from->scale * point.x * w, from->center_y - from->scale * point.y * w, w};
}

/* Whether a clipped point is about in the picture: coordinates near the largest double may overflow on their way. */
static bool is_near(const view *from, screen_point p)
{
    return fabs(p.x) <= 8 * from->center_x && fabs(p.y) <= 8 * from->center_y && p.w >= 0;
}

/* How far inside of a plane a point is: in front of the near one, between those at the sides. */
static double height_over(const view *from, int plane, eye_point p)
{
    switch (plane)
    {
    case 0:
        return p.z - from->near_plane;
    case 1:
        return from->side[0] * p.z - p.x;
    case 2:
        return from->side[0] * p.z + p.x;
    case 3:
        return from->side[1] * p.z - p.y;
    default:
        return from->side[1] * p.z + p.y;
    }
}

/* Where a segment meets the plane; the same point whichever end comes first, so that neighbours stay together. */
static eye_point meet(eye_point p, double height_p, eye_point q, double height_q)
{
    if (height_p < height_q)
    {
        eye_point other = p;
        double height = height_p;
        p = q, height_p = height_q;
        q = other, height_q = height;
    }
    double t = height_p / (height_p - height_q);
    return (eye_point){p.x + t * (q.x - p.x), p.y + t * (q.y - p.y), p.z + t * (q.z - p.z)};
}

static size_t clip_by_plane(const view *from, int plane, const eye_point *in, size_t count, eye_point *out)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
    {
        eye_point p = in[i], q = in[i + 1 < count ? i + 1 : 0];
        double height_p = height_over(from, plane, p), height_q = height_over(from, plane, q);
        if (height_p >= 0)
            out[kept++] = p;
        if ((height_p >= 0) != (height_q >= 0))
            out[kept++] = meet(p, height_p, q, height_q);
    }
    return kept;
}

size_t view_clip_triangle(const view *from, const eye_point corners[3], screen_point out[CLIPPED_MOST])
{
    eye_point polygons[2][CLIPPED_MOST] = {{corners[0], corners[1], corners[2]}};
    size_t count = 3;
    int at = 0;
    for (int plane = 0; plane < PLANES && count > 0; plane++)
    {
        bool inside = true;
        for (size_t i = 0; i < count && inside; i++)
            inside = height_over(from, plane, polygons[at][i]) >= 0;
        if (inside)
            continue;
        count = clip_by_plane(from, plane, polygons[at], count, polygons[1 - at]);
        at = 1 - at;
    }
    for (size_t i = 0; i < count; i++)
    {
        out[i] = view_project(from, polygons[at][i]);
        if (!is_near(from, out[i]))
            return 0;
    }
    return count;
}

bool view_clip_segment(const view *from, const eye_point ends[2], screen_point out[2])
{
    eye_point p = ends[0], q = ends[1];
    for (int plane = 0; plane < PLANES; plane++)
    {
        double height_p = height_over(from, plane, p), height_q = height_over(from, plane, q);
        if (!(height_p >= 0) && !(height_q >= 0))
            return false;
        if (height_p < 0)
            p = meet(p, height_p, q, height_q);
        else if (height_q < 0)
            q = meet(p, height_p, q, height_q);
    }
    out[0] = view_project(from, p);
    out[1] = view_project(from, q);
    return is_near(from, out[0]) && is_near(from, out[1]);
}
