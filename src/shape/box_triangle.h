/* SPDX-License-Identifier: MIT */
/* Certified common points of a placed box and triangles of a placed mesh, in doubles. */
#ifndef GRZ_SHAPE_BOX_TRIANGLE_H
#define GRZ_SHAPE_BOX_TRIANGLE_H

#include "graze/shape.h"
#include "mesh/mesh.h"

/* The box reaches from -half to half on each axis of its own. */
typedef struct grz_box_frame
{
    const graze_mesh *mesh;
    const graze_pose *mesh_pose, *box_pose;
    double half[3];
    double error; /* error bound of a triangle's point in the box's own axes */
    double unit;  /* lower bound of the length in the world of a depth of 1 in these axes */
} grz_box_frame;

/* The box must be placed by a rotation (grz_transposed_error). */
void grz_box_frame_make(grz_box_frame *frame, const graze_mesh *mesh, const graze_pose *mesh_pose, const double half[3],
                        const graze_pose *box_pose);

/* The corners of a triangle in the box's own axes, but for that error, as is any mixture of them. */
void grz_box_frame_corners(const grz_box_frame *frame, uint32_t triangle, double out[3][3]);

/* A point of the box's own axes in the world, rounded. */
void grz_box_frame_to_world(const grz_box_frame *frame, const double point[3], double out_point[3]);

/* How deep some point of the triangle certainly lies in the box, along the box's axes; 0 where none was found that
   does. The point is given in the world, rounded. */
double grz_box_triangle_depth(const grz_box_frame *frame, uint32_t triangle, double out_point[3]);

#endif
