/* SPDX-License-Identifier: MIT */
/*
 * The oracle: answers of graze/exact.h and graze/pair.h by plain exact arithmetic. It shares no code and no method with
 * src/exact: triangles are intersected by clipping a polygon against half-spaces, points are homogeneous integers,
 * nothing is filtered. An oracle holds only scratch numbers, so that many queries need no allocation; its answers
 * depend on the arguments alone.
 */
#ifndef SUPPORT_ORACLE_H
#define SUPPORT_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "graze/exact.h"
#include "support/random.h"

typedef struct oracle oracle;

oracle *oracle_create(void);
void oracle_destroy(oracle *judge);

/* Sets up to eight placed points; signs then refer to them by index, each as the function of the same name in
 * graze/exact.h. */
void oracle_load(oracle *judge, const graze_placed_point *points, int count);
int oracle_loaded_orient3d(oracle *judge, int a, int b, int c, int d);
int oracle_loaded_orient2d(oracle *judge, int a, int b, int c, int axis);
int oracle_loaded_compare(oracle *judge, int a, int b, int axis);

/* The sign of det R. */
int oracle_handedness(oracle *judge, const graze_pose *pose);

/* Triangle against triangle. A triangle that is a segment has its two extreme corners as vertices and the segment as
 * its edge; one that is a point has one vertex. Of coincident corners the lowest-numbered counts in masks. */
graze_triangle_contact oracle_triangle_triangle(oracle *judge, const graze_placed_triangle *a,
                                                const graze_placed_triangle *b);

/* Whether the placed triangle has no area. */
bool oracle_is_flat(oracle *judge, const graze_placed_triangle *triangle);

/* The same answer by another method, in plain rationals: candidates for the corners of the intersection are all
 * corners, edges against planes and edges against edges; those in both triangles span it. Slow. */
graze_triangle_contact oracle_rational_triangles(const graze_placed_triangle *a, const graze_placed_triangle *b);

/* The corners of the triangles' intersection, in order around it, each coordinate rounded to nearest. */
graze_intersection oracle_intersection(oracle *judge, const graze_placed_triangle *a, const graze_placed_triangle *b);

graze_feature oracle_point_in_triangle(oracle *judge, const graze_placed_point *point,
                                       const graze_placed_triangle *triangle);
bool oracle_segment_meets_triangle(oracle *judge, const graze_placed_point segment[2],
                                   const graze_placed_triangle *triangle);
graze_location oracle_point_in_polygon(oracle *judge, const double point[2], const double *points,
                                       const uint32_t *loop_sizes, size_t loop_count);

/* A mesh as plain arrays, under a pose (NULL: none). */
typedef struct oracle_mesh
{
    const double *vertices;
    const uint32_t *triangles; /* three vertices each */
    size_t triangle_count;
    const graze_pose *pose;
} oracle_mesh;

/* Fills the matrix of contacts, a row for every triangle of A. */
void oracle_mesh_contacts(oracle *judge, const oracle_mesh *a, const oracle_mesh *b, graze_triangle_contact *matrix);

/* Location of a point relative to the body of a closed mesh: on the surface, or by crossings of a ray whose direction
 * is redrawn until it meets no edge. Inside is a winding number other than zero, or an odd count if not oriented. */
graze_location oracle_point_in_body(oracle *judge, const oracle_mesh *mesh, bool oriented, const double point[3],
                                    test_random *random);
graze_location oracle_placed_point_in_body(oracle *judge, const oracle_mesh *mesh, bool oriented,
                                           const graze_placed_point *point, test_random *random);

#endif
