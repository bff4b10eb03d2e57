/* SPDX-License-Identifier: MIT */
/* What a camera shows of a finding: spheres around the contact and around both parts (framing.c), and the side from
 * which neither part hides the contact (camera.c). Estimated in plain doubles: pictures decide nothing. */
#ifndef GRZ_CLASH_CAMERA_H
#define GRZ_CLASH_CAMERA_H

#include "clash/report.h"

typedef struct grz_vector
{
    double x[3];
} grz_vector;

typedef struct grz_sphere
{
    grz_vector center;
    double radius;
} grz_sphere;

/* What is to be seen of a finding. */
typedef struct grz_framing
{
    grz_sphere contact; /* with a little of the parts around it */
    grz_sphere view;    /* what the picture shows */
    bool whole;         /* both parts are in view as a whole */
} grz_framing;

/* a + scale b */
static inline grz_vector grz_vector_add(grz_vector a, double scale, grz_vector b)
{
    for (int i = 0; i < 3; i++)
        a.x[i] += scale * b.x[i];
    return a;
}

static inline double grz_vector_dot(grz_vector a, grz_vector b)
{
    return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2];
}

static inline grz_vector grz_vector_cross(grz_vector a, grz_vector b)
{
    return (grz_vector){
        {a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2], a.x[0] * b.x[1] - a.x[1] * b.x[0]}};
}

/* Of length 1; zero stays zero. */
grz_vector grz_vector_unit(grz_vector a);

/* A corner of a part in the world, by the vertices of its mesh. */
static inline grz_vector grz_placed_vertex(const graze_clash_part *part, const double *vertices, size_t vertex)
{
    const double *v = vertices + 3 * vertex, *m = part->pose.m;
    grz_vector placed;
    for (int i = 0; i < 3; i++, m += 4)
        placed.x[i] = m[0] * v[0] + m[1] * v[1] + m[2] * v[2] + m[3];
    return placed;
}

/* The ends of a gap, on a and on b, or NULL. */
const double (*grz_gap_points(const graze_clash_finding *finding))[3];

grz_framing grz_framing_of(const graze_clash_report *report, const graze_clash_finding *finding);

/* The distance from which a camera with these axes (right, up, toward the viewer) shows all corners of both parts, and
 * the point it looks at. `tangent` is that of half the vertical angle; pictures are 4:3. */
double grz_framing_fit(const graze_clash_report *report, const graze_clash_finding *finding, const grz_vector axes[3],
                       double tangent, grz_vector *center);

#endif
