/* SPDX-License-Identifier: MIT */
/*
 * An assembly tested as a whole: 1,000 parts of about 5,000 triangles each, every one a mesh of its own (balls, tori,
 * cylinders, gears, hyperboloids, blocks, all of different sizes); all pairs of intersecting triangles are wanted.
 * Parts are near the points of a grid, with random rotations; each frame is another such assembly of the same parts, so
 * that no engine is asked the same twice in a row.
 *
 * Triangle t of part i has the number i * most_triangles + t, so that agreement is about pairs of triangles.
 */
#include <math.h>
#include <stdlib.h>

#include "scene_workload.h"

enum
{
    SEED = 5005,
    FRAME_COUNT = 4,
    SWEEP_EVERY = 400 /* one of so many nearby pairs is decided without trees for the exact pairs */
};

static const double spacing = 2.0, jitter = 0.3;

typedef struct assembly
{
    size_t count;
    graze_mesh **meshes;
    graze_tree **trees;
    lab_soup *soups;
    uint32_t *numbers; /* 0, 1, ... */
    double *radii;     /* around the origins of the parts */
    graze_pose *poses; /* frame by frame; frame 0 is the initial one */
    size_t frame;
} assembly;

/* About 5,000 triangles within a radius of about one. */
static graze_status make_part(grz_random *random, size_t i, graze_mesh **out_mesh)
{
    double s = grz_random_between(random, 0.8, 1.2);
    switch (i % 6)
    {
    case 0:
        return graze_mesh_create_geodesic_sphere(NULL, 0.9 * s, 16, out_mesh);
    case 1:
        return graze_mesh_create_torus(NULL, 0.7 * s, 0.3 * s, 50, 50, out_mesh);
    case 2:
        return graze_mesh_create_cylinder(NULL, 0.5 * s, 1.8 * s, 50, 49, out_mesh);
    case 3:
        return graze_mesh_create_gear(NULL, 64, 0.03 * s, 0.4 * s, 0.3 * s, 0.01 * s, out_mesh);
    case 4:
        return graze_mesh_create_hyperboloid(NULL, 0.3 * s, 0.6 * s, 1.6 * s, 50, 49, out_mesh);
    default:
        return graze_mesh_create_box(NULL, 1.6 * s, 0.9 * s, 0.5 * s, 20, out_mesh);
    }
}

static double find_radius(const graze_mesh *mesh)
{
    double most = 0;
    const double *v = graze_mesh_vertices(mesh);
    for (size_t i = 0; i < graze_mesh_vertex_count(mesh); i++, v += 3)
        most = fmax(most, v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    return sqrt(most) * 1.0001; /* more than any rounding error */
}

static bool make_parts(assembly *a, grz_random *random, size_t *out_most)
{
    *out_most = 0;
    for (size_t i = 0; i < a->count; i++)
    {
        if (make_part(random, i, &a->meshes[i]) != GRAZE_STATUS_OK ||
            graze_tree_create(NULL, a->meshes[i], NULL, NULL, &a->trees[i]) != GRAZE_STATUS_OK)
            return false;
        a->soups[i] = lab_soup_of(a->meshes[i]);
        a->radii[i] = find_radius(a->meshes[i]);
        a->numbers[i] = (uint32_t)i;
        if (a->soups[i].triangle_count > *out_most)
            *out_most = a->soups[i].triangle_count;
    }
    return true;
}

static void place_parts(assembly *a, grz_random *random)
{
    size_t side = (size_t)ceil(cbrt((double)a->count) - 1e-9);
    for (size_t n = 0; n < (FRAME_COUNT + 1) * a->count; n++)
    {
        size_t i = n % a->count, cell[3] = {i % side, i / side % side, i / side / side};
        double position[3];
        for (int k = 0; k < 3; k++)
            position[k] = spacing * (double)cell[k] + grz_random_between(random, -jitter, jitter);
        a->poses[n] = lab_random_pose(random, position);
    }
}

static bool are_near(const assembly *a, size_t i, size_t k)
{
    const double *p = a->poses[a->frame * a->count + i].m, *q = a->poses[a->frame * a->count + k].m;
    double x = p[3] - q[3], y = p[7] - q[7], z = p[11] - q[11], radii_sum = a->radii[i] + a->radii[k];
    return x * x + y * y + z * z <= radii_sum * radii_sum;
}

typedef struct taking
{
    lab_pairs *pairs;
    uint32_t first_a, first_b;
    bool failed;
} taking;

static bool add_hit(void *user, const graze_hit *hit)
{
    taking *t = user;
    t->failed = !lab_pairs_push(t->pairs, t->first_a + hit->triangle_a, t->first_b + hit->triangle_b);
    return !t->failed;
}

static bool find_exact(const lab_scene *scene, lab_pairs *out_pairs)
{
    const assembly *a = scene->state;
    const graze_pose *poses = a->poses + a->frame * a->count;
    size_t near_count = a->frame;
    taking t = {.pairs = out_pairs};
    for (size_t i = 0; i < a->count && !t.failed; i++)
    {
        for (size_t k = i + 1; k < a->count && !t.failed; k++)
        {
            if (!are_near(a, i, k))
                continue;
            bool with_trees = near_count++ % SWEEP_EVERY != 0;
            graze_placed_mesh first = {a->meshes[i], with_trees ? a->trees[i] : NULL, poses[i]};
            graze_placed_mesh second = {a->meshes[k], with_trees ? a->trees[k] : NULL, poses[k]};
            t.first_a = (uint32_t)(i * scene->view.most_triangles);
            t.first_b = (uint32_t)(k * scene->view.most_triangles);
            t.failed = graze_pair_visit(NULL, &first, &second, NULL, add_hit, &t) != GRAZE_STATUS_OK;
        }
    }
    return !t.failed;
}

static void show(lab_scene *scene, size_t frame)
{
    assembly *a = scene->state;
    a->frame = frame;
    scene->view.moved = a->poses[frame * a->count].m;
}

static bool rewind_assembly(lab_scene *scene)
{
    show(scene, 0);
    return true;
}

static bool next_frame(lab_scene *scene)
{
    const assembly *a = scene->state;
    show(scene, a->frame % FRAME_COUNT + 1);
    return true;
}

static void clear_assembly(lab_scene *scene)
{
    assembly *a = scene->state;
    for (size_t i = 0; i < a->count; i++)
    {
        graze_tree_destroy(a->trees != NULL ? a->trees[i] : NULL);
        graze_mesh_destroy(a->meshes != NULL ? a->meshes[i] : NULL);
    }
    free(a->meshes);
    free(a->trees);
    free(a->soups);
    free(a->numbers);
    free(a->radii);
    free(a->poses);
    free(a);
    *scene = (lab_scene){0};
}

bool lab_assembly_make(const lab_scene_workload *workload, lab_scene *out_scene)
{
    assembly *a = calloc(1, sizeof *a);
    if (a == NULL)
        return false;
    *out_scene = (lab_scene){
        .state = a, .rewind = rewind_assembly, .next = next_frame, .exact = find_exact, .clear = clear_assembly};
    grz_random random = grz_random_make(SEED);
    size_t most = 0;
    a->count = workload->count;
    a->meshes = calloc(a->count, sizeof(graze_mesh *));
    a->trees = calloc(a->count, sizeof(graze_tree *));
    a->soups = calloc(a->count, sizeof *a->soups);
    a->numbers = calloc(a->count, sizeof *a->numbers);
    a->radii = calloc(a->count, sizeof *a->radii);
    a->poses = calloc((FRAME_COUNT + 1) * a->count, sizeof *a->poses);
    if (a->meshes == NULL || a->trees == NULL || a->soups == NULL || a->numbers == NULL || a->radii == NULL ||
        a->poses == NULL || !make_parts(a, &random, &most))
        return false;
    place_parts(a, &random);
    out_scene->period = FRAME_COUNT;
    out_scene->view = (lab_scene_view){.count = a->count,
                                       .movers = a->numbers,
                                       .mover_count = a->count,
                                       .first = a->poses[0].m,
                                       .soups = a->soups,
                                       .soup_count = a->count,
                                       .soup_of = a->numbers,
                                       .most_triangles = most};
    for (int k = 0; k < 3; k++)
    {
        out_scene->view.lower[k] = -3;
        out_scene->view.upper[k] = spacing * ceil(cbrt((double)a->count)) + 3;
    }
    return rewind_assembly(out_scene);
}
