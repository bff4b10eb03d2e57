/* SPDX-License-Identifier: MIT */
/*
 * Supporting features. Of a polytope: the vertex that is farthest along the direction, then, of the faces around it,
 * the one whose normal is nearest to the direction; where no face is turned towards it, as of a flat body seen from its
 * border, the edge that is most nearly at right angles to it, or the vertex alone.
 */
#include "convex/facet.h"

#include <stdbool.h>

#include "convex/convex_table.h"

/* Thresholds of features, as cosines between the direction and a face's normal or an edge. */
#define LEAST_FACE_COSINE 0.05
#define MOST_EDGE_COSINE 0.95
#define CAP_COSINE 0.7 /* from here on, a disk supports a cylinder, below it a line on its side */

enum
{
    RIM_POINTS = 8,
    TIP = RIM_POINTS, /* the number of a cone's tip */
    FARTHEST,         /* of the rim's farthest point */
    SIDE = 16,
    OTHER_CAP = 32
};

static v3 place(const graze_pose *pose, v3 p)
{
    const double *m = pose->m;
    return v3_make(m[0] * p.x + m[1] * p.y + m[2] * p.z + m[3], m[4] * p.x + m[5] * p.y + m[6] * p.z + m[7],
                   m[8] * p.x + m[9] * p.y + m[10] * p.z + m[11]);
}

/* The direction in the frame of the body: R^T d. */
static v3 turn_back(const graze_pose *pose, v3 d)
{
    const double *m = pose->m;
    return v3_make(m[0] * d.x + m[4] * d.y + m[8] * d.z, m[1] * d.x + m[5] * d.y + m[9] * d.z,
                   m[2] * d.x + m[6] * d.y + m[10] * d.z);
}

static v3 unit(v3 a)
{
    double length = v3_length(a);
    return length > 0 ? v3_scale(1 / length, a) : v3_make(0, 0, 0);
}

static void add(grz_facet *facet, v3 point, uint32_t number)
{
    facet->points[facet->count] = point;
    facet->numbers[facet->count++] = number;
}

/* ---- polytopes ---- */

static uint32_t farthest_vertex(const grz_convex_body *body, v3 direction)
{
    uint32_t best = 0;
    double most = -INFINITY;
    for (uint32_t i = 0; i < body->vertex_count; i++)
    {
        double height = v3_dot(direction, v3_load(body->vertices[i]));
        best = height > most ? i : best;
        most = height > most ? height : most;
    }
    return best;
}

/* The normal of a face in the world, turned outward: Newell's sum over its edges. */
static v3 face_normal(const grz_convex_body *body, const grz_hull *hull, uint32_t face, double handedness)
{
    uint32_t start = hull->face_starts[face], end = hull->face_starts[face + 1];
    v3 first = place(&body->pose, v3_load(hull->vertices[hull->origins[start]])), sum = v3_make(0, 0, 0);
    v3 last = v3_make(0, 0, 0);
    for (uint32_t h = start + 1; h < end; h++)
    {
        v3 next = v3_sub(place(&body->pose, v3_load(hull->vertices[hull->origins[h]])), first);
        sum = v3_add(sum, v3_cross(last, next));
        last = next;
    }
    return unit(v3_scale(handedness, sum));
}

static double handedness_of(const graze_pose *pose)
{
    const double *m = pose->m;
    v3 x = v3_make(m[0], m[4], m[8]), y = v3_make(m[1], m[5], m[9]), z = v3_make(m[2], m[6], m[10]);
    return v3_dot(v3_cross(x, y), z) < 0 ? -1 : 1;
}

/* Takes the polygon of a face; of very many vertices every n-th one. */
static void take_face(const grz_convex_body *body, const grz_hull *hull, uint32_t face, v3 normal, grz_facet *facet)
{
    uint32_t start = hull->face_starts[face], count = hull->face_starts[face + 1] - start;
    uint32_t kept = count < GRZ_FACET_MOST ? count : GRZ_FACET_MOST;
    facet->count = 0;
    facet->face = face;
    facet->normal = normal;
    for (uint32_t i = 0; i < kept; i++)
    {
        uint32_t vertex = hull->origins[start + (uint32_t)((uint64_t)i * count / kept)];
        add(facet, place(&body->pose, v3_load(hull->vertices[vertex])), vertex);
    }
}

static bool find_face(const grz_convex_body *body, const grz_hull *hull, uint32_t vertex, v3 direction,
                      grz_facet *facet)
{
    double best = LEAST_FACE_COSINE, handedness = handedness_of(&body->pose);
    uint32_t face = 0;
    v3 face_direction = direction;
    bool found = false;
    for (uint32_t h = 0; h < hull->half_edge_count; h++)
    {
        if (hull->origins[h] != vertex)
            continue;
        uint32_t low = 0, high = (uint32_t)hull->face_count; /* the face of the half-edge */
        while (high - low > 1)
        {
            uint32_t middle = low + (high - low) / 2;
            if (hull->face_starts[middle] <= h)
                low = middle;
            else
                high = middle;
        }
        v3 normal = face_normal(body, hull, low, handedness);
        double cosine = v3_dot(normal, direction);
        if (cosine > best)
        {
            best = cosine;
            found = true;
            face = low;
            face_direction = normal;
        }
    }
    if (found)
        take_face(body, hull, face, face_direction, facet);
    return found;
}

static void find_edge(const grz_convex_body *body, const grz_hull *hull, uint32_t vertex, v3 direction,
                      grz_facet *facet)
{
    v3 point = place(&body->pose, v3_load(body->vertices[vertex]));
    double least = MOST_EDGE_COSINE;
    facet->count = 0;
    facet->face = vertex;
    add(facet, point, vertex);
    for (uint32_t i = hull->neighbour_starts[vertex]; i < hull->neighbour_starts[vertex + 1]; i++)
    {
        uint32_t other = hull->neighbours[i];
        v3 end = place(&body->pose, v3_load(body->vertices[other]));
        double cosine = fabs(v3_dot(unit(v3_sub(end, point)), direction));
        if (cosine >= least)
            continue;
        least = cosine;
        facet->count = 1;
        add(facet, end, other);
    }
    if (facet->count == 2 && facet->numbers[1] < vertex) /* the same edge has the same order, from either end */
    {
        facet->points[0] = facet->points[1];
        facet->points[1] = point;
        facet->numbers[0] = facet->numbers[1];
        facet->numbers[1] = vertex;
    }
    facet->face = facet->numbers[0];
}

/* ---- curved bodies ---- */

/* The point of the rim along a direction of the body's frame. */
static v3 rim_point(v3 direction, double radius, double z)
{
    double length = sqrt(direction.x * direction.x + direction.y * direction.y);
    return length > 0 ? v3_make(radius * direction.x / length, radius * direction.y / length, z)
                      : v3_make(radius, 0, z);
}

/* A disk of the axis z at height z, as a polygon around the axis: points that stay, and the one that is farthest along
   the direction, which is given in the body's frame. */
static void take_disk(const grz_convex_body *body, v3 d, double z, double radius, uint32_t first, grz_facet *facet)
{
    static const double rim[RIM_POINTS][2] = {{1, 0},  {0x1.6a09e667f3bcdp-1, 0x1.6a09e667f3bcdp-1},
                                              {0, 1},  {-0x1.6a09e667f3bcdp-1, 0x1.6a09e667f3bcdp-1},
                                              {-1, 0}, {-0x1.6a09e667f3bcdp-1, -0x1.6a09e667f3bcdp-1},
                                              {0, -1}, {0x1.6a09e667f3bcdp-1, -0x1.6a09e667f3bcdp-1}};
    v3 farthest = rim_point(d, radius, z);
    for (uint32_t i = 0; i < RIM_POINTS; i++)
    {
        const double *here = rim[i], *next = rim[(i + 1) % RIM_POINTS];
        add(facet, place(&body->pose, v3_make(radius * here[0], radius * here[1], z)), first + i);
        bool between = here[0] * d.y - here[1] * d.x > 0 && d.x * next[1] - d.y * next[0] > 0;
        if (between)
            add(facet, place(&body->pose, farthest), first + FARTHEST);
    }
    const double *m = body->pose.m;
    facet->normal = unit(v3_scale(z < 0 ? -1 : 1, v3_make(m[2], m[6], m[10])));
    facet->face = first;
}

/* A cylinder is a cone whose top has a radius too. */
static void find_of_cone(const grz_convex_body *body, v3 inner, double top, grz_facet *facet)
{
    double half = 0.5 * body->numbers[0], base = body->numbers[1];
    v3 d = unit(inner);
    if (d.z < -CAP_COSINE)
        take_disk(body, d, -half, base, OTHER_CAP, facet);
    else if (d.z > CAP_COSINE && top > 0)
        take_disk(body, d, half, top, 0, facet);
    else
    {
        v3 low = rim_point(d, base, -half), high = rim_point(d, top, half);
        double rise = v3_dot(d, v3_sub(high, low)), length = v3_length(v3_sub(high, low));
        facet->face = SIDE;
        if (rise <= MOST_EDGE_COSINE * length)
            add(facet, place(&body->pose, low), SIDE);
        if (rise >= -MOST_EDGE_COSINE * length)
            add(facet, place(&body->pose, high), top > 0 ? SIDE + 1 : TIP);
    }
}

/* The point of an ellipsoid with this normal: (r_i^2 d_i) / |(r_i d_i)|. */
static void find_of_ellipsoid(const grz_convex_body *body, v3 inner, grz_facet *facet)
{
    const double *r = body->numbers;
    v3 d = unit(inner), stretched = v3_make(r[0] * d.x, r[1] * d.y, r[2] * d.z);
    v3 on_sphere = unit(stretched);
    facet->face = 0;
    add(facet, place(&body->pose, v3_make(r[0] * on_sphere.x, r[1] * on_sphere.y, r[2] * on_sphere.z)), 0);
}

/* ---- boxes ---- */

static bool is_rotation(const graze_pose *pose)
{
    const double *m = pose->m;
    double most = 0;
    for (int i = 0; i < 3; i++)
        for (int k = i; k < 3; k++)
        {
            double entry = fabs(m[i] * m[k] + m[4 + i] * m[4 + k] + m[8 + i] * m[8 + k] - (i == k ? 1 : 0));
            most = entry > most ? entry : most;
        }
    return most < 1e-9;
}

/* The face whose vertices have `value` as their coordinate on an axis. */
static uint32_t face_at(const grz_hull *hull, int axis, double value)
{
    uint32_t face = 0;
    for (; face + 1 < hull->face_count; face++)
    {
        const uint32_t *origins = hull->origins + hull->face_starts[face];
        if (hull->vertices[origins[0]][axis] == value && hull->vertices[origins[1]][axis] == value &&
            hull->vertices[origins[2]][axis] == value)
            break;
    }
    return face;
}

/* Of a box that is turned, faces have the axes as normals: the direction's largest component names the nearest. */
static bool find_of_box(const grz_convex_body *body, const grz_hull *hull, v3 inner, grz_facet *facet)
{
    const grz_convex_table *t = body->table;
    const double d[3] = {inner.x, inner.y, inner.z}, *m = body->pose.m;
    if (t == NULL || !t->is_box || !is_rotation(&body->pose))
        return false;
    int axis = fabs(d[0]) >= fabs(d[1]) ? 0 : 1;
    axis = fabs(d[axis]) >= fabs(d[2]) ? axis : 2;
    double side = d[axis] < 0 ? -1 : 1;
    uint32_t face = face_at(hull, axis, side < 0 ? t->lower[axis] : t->upper[axis]);
    take_face(body, hull, face, v3_make(side * m[axis], side * m[4 + axis], side * m[8 + axis]), facet);
    return true;
}

void grz_facet_find(const grz_convex_body *body, const grz_hull *hull, v3 direction, grz_facet *out_facet)
{
    v3 inner = turn_back(&body->pose, direction);
    out_facet->count = 0;
    switch (body->kind)
    {
    case GRZ_CONVEX_CYLINDER:
        find_of_cone(body, inner, body->numbers[1], out_facet);
        return;
    case GRZ_CONVEX_CONE:
        find_of_cone(body, inner, 0, out_facet);
        return;
    case GRZ_CONVEX_ELLIPSOID:
        find_of_ellipsoid(body, inner, out_facet);
        return;
    case GRZ_CONVEX_POLYTOPE:
        break;
    }
    if (find_of_box(body, hull, inner, out_facet))
        return;
    uint32_t vertex = farthest_vertex(body, inner);
    if (hull->face_count == 0 || !find_face(body, hull, vertex, direction, out_facet))
        find_edge(body, hull, vertex, direction, out_facet);
}
