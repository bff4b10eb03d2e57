/* SPDX-License-Identifier: MIT */
/* The parts of graze_mesh_examine; each fills some of the facts. */
#ifndef GRZ_MESH_EXAMINE_H
#define GRZ_MESH_EXAMINE_H

#include "mesh/topology.h"

/* As graze_mesh_examine; the monitor may be NULL, here and below. Results mean nothing once it has stopped the call. */
graze_status grz_mesh_examine(const graze_context *context, const graze_mesh *mesh, const graze_topology *topology,
                              grz_monitor *monitor, graze_mesh_facts *out_facts);

/* Planar and convex polygons. */
void grz_face_properties(const graze_mesh *mesh, grz_monitor *monitor, graze_mesh_facts *facts);

/* Triangles that are degenerate, without area, or repeated. */
graze_status grz_triangle_properties(const graze_context *context, const graze_topology *topology, grz_monitor *monitor,
                                     graze_mesh_facts *facts);

/* T-junctions: vertices inside edges. */
graze_status grz_count_t_junctions(const graze_context *context, const graze_topology *topology, grz_monitor *monitor,
                                   graze_mesh_facts *facts);

/* Whether the triangles of a closed and oriented surface, none of them without area, bound a convex body. */
bool grz_is_convex_body(const graze_topology *triangles, grz_monitor *monitor);

/* Area, volume, centre and inertia; `facts` says whether the surface is closed and oriented. */
void grz_mass_properties(const graze_mesh *mesh, grz_monitor *monitor, graze_mesh_facts *facts);

/* The three coordinate axes in descending order of the area of the triangle's projection along them. Rounded: for speed
   only. */
void grz_order_views(const double *a, const double *b, const double *c, int out_axes[3]);

/* The sign of the area of three points projected along an axis, exact. */
int grz_view_orient(const double *a, const double *b, const double *c, int axis);

/* An axis along which three points span an area, or -1 when they are collinear. Exact. */
int grz_view_with_area(const double *a, const double *b, const double *c);

#endif
