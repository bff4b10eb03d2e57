/* SPDX-License-Identifier: MIT */
/* From the world to the picture: camera, perspective, clipping. Depths are kept as w = 1 / distance, which is linear in
 * the picture; a larger w is nearer. Points in the picture are in samples (several per pixel), y downward. */
#ifndef TOOL_PICTURE_VIEW_H
#define TOOL_PICTURE_VIEW_H

#include "graze/clash_report.h"

/* A point before the camera: to the right, up, and forward. */
typedef struct eye_point
{
    double x, y, z;
} eye_point;

typedef struct screen_point
{
    double x, y, w;
} screen_point;

typedef struct view
{
    double origin[3], right[3], up[3], forward[3];
    double near_plane;
    double scale;              /* samples per tangent */
    double center_x, center_y; /* of the picture */
    double side[2];            /* tangents of the planes that clip, across and up: somewhat outside of the picture */
} view;

enum
{
    CLIPPED_MOST = 9 /* corners of a triangle after five planes, and one more */
};

view view_make(const graze_clash_camera *camera, unsigned width, unsigned height);

eye_point view_from_world(const view *from, const double point[3]);
screen_point view_project(const view *from, eye_point point);

/* Clips a triangle, and writes the corners of what is left; returns how many, 0 if nothing is. */
size_t view_clip_triangle(const view *from, const eye_point corners[3], screen_point out[CLIPPED_MOST]);

/* Clips a segment; false if nothing is left. */
bool view_clip_segment(const view *from, const eye_point ends[2], screen_point out[2]);

#endif
