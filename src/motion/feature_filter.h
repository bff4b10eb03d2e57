/* SPDX-License-Identifier: MIT */
/* Moving features that certainly stay apart, decided in doubles: the first stage of feature_impact.c. */
#ifndef GRZ_MOTION_FEATURE_FILTER_H
#define GRZ_MOTION_FEATURE_FILTER_H

#include <stdbool.h>

/* Whether a vertex (point 0) and a face (1 to 3), or an edge (0, 1) and an edge (2, 3), certainly have no point in
   common at any time in [0, 1]; places[i][t] is point i at t = 0 and t = 1. In the default environment. */
bool grz_vertex_face_apart(double places[4][2][3]);
bool grz_edge_edge_apart(double places[4][2][3]);

#endif
