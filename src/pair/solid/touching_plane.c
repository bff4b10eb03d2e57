/* SPDX-License-Identifier: MIT */
/*
 * Separating planes of bodies that touch: whether the plane of a touching triangle has one body on each side, see
 * overlap.h. Both may touch it, so exact signs of all vertices decide, not the supports with error bounds of
 * pair/separating_plane.h, which never prove that of meshes that touch.
 *
 * Three vertices at a time: by the floating-point filter, then in fixed point, where vertices on the plane are decided,
 * then by integers of any width.
 */
#include "exact/fixed_point.h"
#include "pair/fixed_cache.h"
#include "pair/solid/overlap.h"

enum
{
    PLANES_TRIED = 12 /* candidate planes of each side */
};

typedef struct plane_search
{
    const grz_placed_pair *pair;
    bool usable; /* whether fixed point is */
    int unit;
    grz_fixed_pose poses[2];
    const graze_pose *pose_of[2]; /* NULL for the identity */
} plane_search;

static plane_search start_search(const grz_placed_pair *p)
{
    plane_search search = {.pair = p};
    for (int i = 0; i < 2; i++)
    {
        search.pose_of[i] = grz_pose_or_null(&p->placed[i].pose);
        grz_fixed_pose_make(search.pose_of[i], &search.poses[i]);
    }
    search.usable = grz_fixed_unit_of_meshes(p->placed[0].mesh, search.pose_of[0], p->placed[1].mesh, search.pose_of[1],
                                             &search.unit);
    return search;
}

/* The plane of a triangle. */
typedef struct candidate_plane
{
    const double *corners[3];
    const graze_pose *pose;
    grz_points points; /* the corners, and three vertices after them */
    bool converted;
    grz_fixed_triangle fixed; /* valid if `converted` */
} candidate_plane;

static void take_plane(const plane_search *search, int side, uint32_t triangle, candidate_plane *out)
{
    grz_points_start(&out->points, NULL);
    out->pose = search->pose_of[side];
    out->converted = false;
    for (size_t k = 0; k < 3; k++)
    {
        out->corners[k] = grz_triangle_corner(search->pair->placed[side].mesh, triangle, k);
        grz_points_add(&out->points, out->corners[k], out->pose);
    }
}

/* What the filter leaves uncertain. */
static void find_exact_sides(const plane_search *search, int plane_side, candidate_plane *plane, int side,
                             const double *const vertices[3], int sides[3])
{
    if (search->usable)
    {
        grz_fixed_triangle converted;
        if (!plane->converted)
            grz_fixed_triangle_make(plane->corners, &search->poses[plane_side], search->unit, &plane->fixed);
        plane->converted = true;
        grz_fixed_triangle_make(vertices, &search->poses[side], search->unit, &converted);
        grz_fixed_sides(&plane->fixed, &converted, sides);
    }
    graze_placed_point points[4] = {
        {plane->corners[0], plane->pose}, {plane->corners[1], plane->pose}, {plane->corners[2], plane->pose}};
    for (int i = 0; i < 3; i++)
    {
        points[3] = (graze_placed_point){vertices[i], search->pose_of[side]};
        if (sides[i] == GRZ_UNCERTAIN)
            sides[i] = graze_point_orient3d_placed(points);
    }
}

/* Whether the vertices of one side of the pair are all on the plane or on the side `*allowed` of it; where that is 0,
   it becomes the side of the first vertex off the plane. `factor` is -1 for the side of the pair that is to lie beyond.
 */
static bool are_on_one_side(const plane_search *search, int plane_side, candidate_plane *plane, int side, int factor,
                            int *allowed)
{
    const graze_body *body = search->pair->body_pair->sides[side].body;
    uint32_t next = 0, vertex_count = (uint32_t)body->adjacency.vertex_count;
    while (next < vertex_count)
    {
        const double *vertices[3] = {NULL, NULL, NULL};
        int count = 0, sides[3];
        for (; next < vertex_count && count < 3; next++)
            if (body->adjacency.components[next] != GRAZE_NO_HALF_EDGE)
                vertices[count++] = grz_body_vertex(body, next);
        if (count == 0)
            break;
        plane->points.count = 3;
        for (int i = 0; i < 3; i++)
        {
            vertices[i] = i < count ? vertices[i] : vertices[0];
            grz_points_add(&plane->points, vertices[i], search->pose_of[side]);
        }
        if (!grz_monitor_exact_tests(search->pair->body_pair->monitor, (uint64_t)count))
            return false;
        if (!grz_sides_filter(&plane->points, 0, 3, sides))
            find_exact_sides(search, plane_side, plane, side, vertices, sides);
        for (int i = 0; i < 3; i++)
        {
            int sign = factor * sides[i];
            *allowed = *allowed == 0 ? sign : *allowed;
            /* shortcut: plane-between */
            if (sign != 0 && sign != *allowed)
                return false;
        }
    }
    return true;
}

/* Whether the plane of a triangle separates the meshes. While no vertex is off it, the triangle may be degenerate and
   have no plane. */
static bool is_separating_plane(const plane_search *search, int side, uint32_t triangle)
{
    candidate_plane plane;
    int allowed = 0;
    take_plane(search, side, triangle, &plane);
    return are_on_one_side(search, side, &plane, 0, 1, &allowed) &&
           are_on_one_side(search, side, &plane, 1, -1, &allowed) && allowed != 0;
}

/* A sample of one side's touching triangles, without repetition: those with the smallest hashes. It depends on the set
   of hits alone, so swapping the sides swaps the samples. */
typedef struct plane_sample
{
    uint64_t triangles[PLANES_TRIED]; /* hash in the upper half, triangle in the lower; ascending */
    size_t count;
} plane_sample;

static void take_triangle(plane_sample *sample, uint32_t triangle)
{
    uint64_t scrambled = (uint64_t)(uint32_t)(triangle * UINT32_C(0x9e3779b1)) << 32 | triangle;
    size_t at = sample->count;
    while (at > 0 && scrambled < sample->triangles[at - 1])
        at--;
    if (at == PLANES_TRIED || (at > 0 && scrambled == sample->triangles[at - 1]))
        return;
    sample->count += sample->count < PLANES_TRIED;
    for (size_t i = sample->count - 1; i > at; i--)
        sample->triangles[i] = sample->triangles[i - 1];
    sample->triangles[at] = scrambled;
}

bool grz_is_separated_by_plane(const grz_placed_pair *p, const grz_hits *hits)
{
    plane_search search = start_search(p);
    plane_sample samples[2] = {{.count = 0}, {.count = 0}};
    for (size_t i = 0; i < hits->count; i++)
    {
        take_triangle(&samples[0], hits->data[i].triangle_a);
        take_triangle(&samples[1], hits->data[i].triangle_b);
    }
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < samples[side].count && grz_monitor_may_continue(p->body_pair->monitor); i++)
            if (is_separating_plane(&search, side, (uint32_t)samples[side].triangles[i]))
                return true;
    return false;
}
