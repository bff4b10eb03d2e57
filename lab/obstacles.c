/* SPDX-License-Identifier: MIT */
/*
 * The "Swept" flight: random obstacles close to the surface of the flying object at a random step; those that it ever
 * touches are dropped, until there are enough.
 */
#include <stdlib.h>

#include "environments.h"

graze_mesh *lab_make_axis_figure(double half_length, double half_width)
{
    lab_builder builder = {0};
    graze_pose still = graze_pose_identity();
    for (int axis = 0; axis < 3; axis++)
    {
        double size[3] = {2 * half_width, 2 * half_width, 2 * half_width};
        size[axis] = 2 * half_length;
        graze_mesh *bar = NULL;
        graze_status status = graze_mesh_create_box(NULL, size[0], size[1], size[2], 1, &bar);
        lab_builder_add(&builder, status, bar, 1, &still);
    }
    return lab_builder_finish(&builder);
}

/* A point on the surface of B at a random step. */
static void point_on_way(const lab_case *c, grz_random *random, double out[3])
{
    lab_soup soup = lab_soup_of(c->b);
    const uint32_t *corners = soup.triangles + 3 * grz_random_below(random, soup.triangle_count);
    double u = grz_random_unit(random), v = grz_random_unit(random);
    if (u + v > 1)
    {
        u = 1 - u;
        v = 1 - v;
    }
    double point[3];
    for (int k = 0; k < 3; k++)
        point[k] = (1 - u - v) * soup.vertices[3 * corners[0] + (uint32_t)k] +
                   u * soup.vertices[3 * corners[1] + (uint32_t)k] + v * soup.vertices[3 * corners[2] + (uint32_t)k];
    graze_pose_apply(&c->poses_b[grz_random_below(random, c->count)], point, out);
}

/* A tetrahedron at most three tenths away from that point, as three coordinates for each corner. */
static void draw_tetrahedron(const lab_case *c, grz_random *random, double out[12])
{
    double centre[3], direction[3];
    point_on_way(c, random, centre);
    lab_random_direction(random, direction);
    double away = grz_random_between(random, 0.03, 0.3), size = grz_random_between(random, 0.02, 0.06);
    for (int i = 0; i < 4; i++)
    {
        double corner[3];
        lab_random_direction(random, corner);
        for (int k = 0; k < 3; k++)
            out[3 * i + k] = centre[k] + away * direction[k] + size * corner[k];
    }
}

static void add_tetrahedron(lab_builder *builder, const double corners[12])
{
    uint32_t v[4];
    for (int i = 0; i < 4; i++)
        v[i] = lab_builder_vertex(builder, corners[3 * i], corners[3 * i + 1], corners[3 * i + 2]);
    lab_builder_triangle(builder, v[0], v[2], v[1]);
    lab_builder_triangle(builder, v[0], v[1], v[3]);
    lab_builder_triangle(builder, v[0], v[3], v[2]);
    lab_builder_triangle(builder, v[1], v[2], v[3]);
}

static bool mark_hit(void *user, const graze_hit *hit)
{
    bool *is_hit = user;
    is_hit[hit->triangle_a / 4] = true;
    return true;
}

/* Marks the tetrahedra that B touches at any step. */
static bool find_touched(const lab_case *c, const double *drawn, size_t count, bool *is_hit)
{
    lab_builder builder = {0};
    for (size_t i = 0; i < count; i++)
        add_tetrahedron(&builder, drawn + 12 * i);
    graze_mesh *mesh = lab_builder_finish(&builder);
    graze_tree *tree = NULL, *tree_b = NULL;
    bool ready = mesh != NULL && graze_tree_create(NULL, mesh, NULL, NULL, &tree) == GRAZE_STATUS_OK &&
                 graze_tree_create(NULL, c->b, NULL, NULL, &tree_b) == GRAZE_STATUS_OK;
    for (size_t i = 0; ready && i < c->count; i++)
    {
        graze_placed_mesh standing = {mesh, tree, graze_pose_identity()}, flying = {c->b, tree_b, c->poses_b[i]};
        ready = graze_pair_visit(NULL, &standing, &flying, NULL, mark_hit, is_hit) == GRAZE_STATUS_OK;
    }
    graze_tree_destroy(tree);
    graze_tree_destroy(tree_b);
    graze_mesh_destroy(mesh);
    return ready;
}

graze_mesh *lab_make_obstacles(const lab_case *c, size_t count, uint64_t seed)
{
    grz_random random = grz_random_make(seed);
    lab_builder builder = {0};
    double *drawn = malloc(12 * count * sizeof *drawn);
    bool *is_hit = malloc(count * sizeof *is_hit);
    size_t made = 0;
    builder.failed = drawn == NULL || is_hit == NULL;
    while (!builder.failed && made < count)
    {
        for (size_t i = 0; i < count; i++)
        {
            draw_tetrahedron(c, &random, drawn + 12 * i);
            is_hit[i] = false;
        }
        builder.failed = !find_touched(c, drawn, count, is_hit);
        for (size_t i = 0; i < count && made < count; i++)
        {
            if (is_hit[i])
                continue;
            add_tetrahedron(&builder, drawn + 12 * i);
            made++;
        }
    }
    free(drawn);
    free(is_hit);
    return lab_builder_finish(&builder);
}
