/* SPDX-License-Identifier: MIT */
/*
 * Pieces of surfaces: for random points inside a body, the nearest point of the surface lies in a piece, and the
 * direction to it is one of those the piece allows. Also for bodies inside out and mirrored.
 */
#include "pair/depth/surface_pieces.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "graze/generate.h"
#include "pair/depth/normal_cones.h"
#include "pair/distance/triangle_distance.h"
#include "support/bodies.h"
#include "support/placed_shapes.h"
#include "support/unit.h"

enum
{
    SEED = 2236,
    BODIES = 8,
    POINTS = 400
};

static v3 closest_on_segment(v3 a, v3 b, v3 x)
{
    v3 along = v3_sub(b, a);
    double share = v3_dot(along, v3_sub(x, a)) / v3_dot(along, along);
    return v3_add(a, v3_scale(fmin(fmax(share, 0), 1), along));
}

static v3 closest_on_triangle(const v3 c[3], v3 x)
{
    v3 n = v3_cross(v3_sub(c[1], c[0]), v3_sub(c[2], c[0])), best = c[0];
    bool within = true;
    for (int k = 0; k < 3; k++)
    {
        v3 edge = v3_sub(c[(k + 1) % 3], c[k]), on_edge = closest_on_segment(c[k], c[(k + 1) % 3], x);
        within = within && v3_dot(v3_cross(edge, v3_sub(x, c[k])), n) >= 0;
        best = v3_length(v3_sub(x, on_edge)) < v3_length(v3_sub(x, best)) ? on_edge : best;
    }
    return within ? v3_sub(x, v3_scale(v3_dot(n, v3_sub(x, c[0])) / v3_dot(n, n), n)) : best;
}

static v3 closest_on_surface(const grz_surface *surface, v3 x)
{
    v3 best = v3_make(INFINITY, 0, 0);
    for (uint32_t t = 0; t < surface->body->placed->mesh->triangle_count; t++)
    {
        v3 corners[3];
        grz_surface_corners(surface, t, corners);
        v3 here = closest_on_triangle(corners, x);
        best = v3_length(v3_sub(x, here)) < v3_length(v3_sub(x, best)) ? here : best;
    }
    return best;
}

/* Vertices of a sphere, pulled in and out: edges and vertices of every kind, deep pits as well. */
static graze_mesh *star(grz_random *random)
{
    graze_mesh *sphere, *mesh;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 2, &sphere), GRAZE_STATUS_OK);
    double *vertices = malloc(3 * graze_mesh_vertex_count(sphere) * sizeof *vertices);
    assert_non_null(vertices);
    for (size_t i = 0; i < graze_mesh_vertex_count(sphere); i++)
    {
        double factor = i % 6 == 5 ? 0.1 : grz_random_between(random, 0.4, 1.2);
        for (size_t axis = 0; axis < 3; axis++)
            vertices[3 * i + axis] = factor * graze_mesh_vertices(sphere)[3 * i + axis];
    }
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = graze_mesh_vertex_count(sphere);
    def.corners = graze_mesh_triangles(sphere);
    def.corner_count = 3 * graze_mesh_triangle_count(sphere);
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    free(vertices);
    graze_mesh_destroy(sphere);
    return mesh;
}

static graze_mesh *make_body(grz_random *random, int which)
{
    static const double bracket[12] = {0, 0, 1, 0, 1, 0.4, 0.4, 0.4, 0.4, 1, 0, 1};
    static const uint32_t loop[1] = {6};
    graze_mesh *mesh = NULL;
    switch (which)
    {
    case 0:
        assert_int_equal(graze_mesh_create_box(NULL, 2, 1.5, 0.3, 3, &mesh), GRAZE_STATUS_OK);
        break;
    case 1:
        assert_int_equal(graze_mesh_create_torus(NULL, 1, 0.4, 5, 4, &mesh), GRAZE_STATUS_OK);
        break;
    case 2:
        assert_int_equal(graze_mesh_create_gear(NULL, 8, 0.2, 0.6, 0.5, 0.02, &mesh), GRAZE_STATUS_OK);
        break;
    case 3:
        assert_int_equal(graze_mesh_create_hyperboloid(NULL, 0.3, 0.6, 1.6, 7, 4, &mesh), GRAZE_STATUS_OK);
        break;
    case 4:
        assert_int_equal(graze_mesh_create_extrusion(NULL, bracket, loop, 1, 1, NULL, &mesh), GRAZE_STATUS_OK);
        break;
    case 5:
        assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 0.8, 3, &mesh), GRAZE_STATUS_OK);
        break;
    default:
        return star(random);
    }
    return mesh;
}

typedef struct scene
{
    graze_tree *tree;
    graze_placed_mesh placed;
    grz_body_pair pair;
    grz_deepest_search search;
    grz_common_box box;
    grz_critical_search q;
} scene;

static void make_scene(scene *c, const graze_mesh *mesh, graze_pose pose)
{
    memset(c, 0, sizeof *c);
    assert_int_equal(graze_tree_create(NULL, mesh, NULL, NULL, &c->tree), GRAZE_STATUS_OK);
    c->placed = (graze_placed_mesh){mesh, c->tree, pose};
    assert_int_equal(grz_placed_body_make(NULL, &c->placed, NULL, NULL, &c->pair.sides[0]), GRAZE_STATUS_OK);
    double reach = grz_coordinate_bound(mesh, &pose);
    c->search.pair = &c->pair;
    c->search.space.reach = reach;
    c->search.space.surfaces[0] = grz_surface_make(&c->pair.sides[0], reach, NULL);
    assert_true(grz_surface_make_cones(NULL, &c->search.space.surfaces[0]));
    c->box = (grz_common_box){{v3_make(1, 0, 0), v3_make(0, 1, 0), v3_make(0, 0, 1)},
                              {{-reach, reach}, {-reach, reach}, {-reach, reach}}};
    size_t count = mesh->triangle_count;
    c->q = (grz_critical_search){.s = &c->search,
                                 .surface = &c->search.space.surfaces[0],
                                 .body = c->pair.sides[0].body,
                                 .box = &c->box,
                                 .most = 4 * reach,
                                 .error = 4 * c->search.space.surfaces[0].error + 64 * GRZ_U * reach,
                                 .rings = grz_allocate_zeroed(NULL, count, sizeof *c->q.rings),
                                 .marks = grz_allocate_zeroed(NULL, count, sizeof *c->q.marks),
                                 .sides = grz_allocate(NULL, count, sizeof *c->q.sides),
                                 .queue = grz_allocate(NULL, count, sizeof *c->q.queue)};
    grz_gather_near_leaves(&c->q);
    grz_gather_surface_pieces(&c->q);
    assert_false(c->q.failed);
}

static void release_scene(scene *c)
{
    grz_release(NULL, c->q.rings);
    grz_release(NULL, c->q.marks);
    grz_release(NULL, c->q.sides);
    grz_release(NULL, c->q.queue);
    grz_release(NULL, c->q.leaves.data);
    grz_release(NULL, c->q.pieces.data);
    grz_embedding_end(NULL, &c->q.embedding);
    grz_surface_release(NULL, &c->search.space.surfaces[0]);
    grz_placed_body_release(NULL, &c->pair.sides[0]);
    graze_tree_destroy(c->tree);
}

static bool allows(const grz_surface_piece *p, v3 at, v3 u)
{
    if (v3_length(v3_sub(at, p->centre)) > p->radius * (1 + 1e-12) + 1e-12)
        return false;
    return ((p->signs & GRZ_ALONG) != 0 && v3_length(v3_sub(u, p->axis)) <= p->spread + 1e-9) ||
           ((p->signs & GRZ_AGAINST) != 0 && v3_length(v3_add(u, p->axis)) <= p->spread + 1e-9);
}

/* The number of points that were inside. */
static size_t check_nearest_points(grz_random *random, scene *c)
{
    grz_body_view view = grz_placed_body_view(&c->pair.sides[0]);
    const interval *axes = c->pair.sides[0].hull.axes;
    size_t inside = 0;
    for (int n = 0; n < POINTS; n++)
    {
        double x[3];
        for (int axis = 0; axis < 3; axis++)
            x[axis] = grz_random_between(random, axes[axis].lower, axes[axis].upper);
        if (grz_locate_point(&view, x, NULL) != GRAZE_LOCATION_INSIDE)
            continue;
        v3 at = closest_on_surface(c->q.surface, v3_load(x)), way = v3_sub(at, v3_load(x));
        double length = v3_length(way);
        if (!(length > 1e-3))
            continue;
        inside++;
        bool found = false;
        for (size_t i = 0; i < c->q.pieces.count && !found; i++)
            found = allows(&c->q.pieces.data[i], at, v3_scale(1 / length, way));
        assert_true(found);
    }
    return inside;
}

static void nearest_points_are_in_pieces(void **state)
{
    (void)state;
    printf("seed %d\n", SEED);
    grz_random random = grz_random_make(SEED);
    size_t inside = 0;
    for (int round = 0; round < 6 * BODIES; round++)
    {
        static scene c;
        graze_mesh *mesh = make_body(&random, round % BODIES), *turned = body_inside_out(mesh);
        graze_pose pose = placed_pose(&random, 1);
        for (int k = 0; k < 12 && round / BODIES % 3 == 1; k += 4) /* mirrored */
            pose.m[k] = -pose.m[k];
        make_scene(&c, round / BODIES % 2 == 0 ? mesh : turned, pose);
        assert_true(c.q.facing == (round / BODIES % 2 == 0 ? 1 : -1) * (round / BODIES % 3 == 1 ? -1 : 1));
        inside += check_nearest_points(&random, &c);
        release_scene(&c);
        graze_mesh_destroy(mesh);
        graze_mesh_destroy(turned);
    }
    printf("%zu points\n", inside);
    assert_true(inside > 3000);
}

static bool has_vertex_piece(const grz_critical_search *q, v3 at)
{
    for (size_t i = 0; i < q->pieces.count; i++)
    {
        const grz_surface_piece *p = &q->pieces.data[i];
        if (p->end_count == 1 && p->ends[0].x == at.x && p->ends[0].y == at.y && p->ends[0].z == at.z)
            return true;
    }
    return false;
}

/* Where normals point into the body, balls touch it against the axes: at the same sharp vertices, also those with edges
   that go up and down from the axis, which random points do not find. */
static void bodies_inside_out_have_pieces_at_the_same_vertices(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED);
    size_t count = 0;
    for (int round = 0; round < 2 * BODIES; round++)
    {
        static scene c, d;
        graze_mesh *mesh = make_body(&random, round % BODIES), *turned = body_inside_out(mesh);
        graze_pose pose = placed_pose(&random, 1);
        make_scene(&c, mesh, pose);
        make_scene(&d, turned, pose);
        for (size_t i = 0; i < c.q.pieces.count; i++)
            if (c.q.pieces.data[i].end_count == 1)
            {
                assert_true(has_vertex_piece(&d.q, c.q.pieces.data[i].ends[0]));
                count++;
            }
        release_scene(&c);
        release_scene(&d);
        graze_mesh_destroy(mesh);
        graze_mesh_destroy(turned);
    }
    printf("%zu vertices\n", count);
    assert_true(count > 200);
}

static uint8_t signs_of_edge(const grz_critical_search *q, v3 from, v3 to)
{
    for (size_t i = 0; i < q->pieces.count; i++)
    {
        const grz_surface_piece *p = &q->pieces.data[i];
        if (p->end_count == 2 &&
            ((memcmp(&p->ends[0], &from, sizeof from) == 0 && memcmp(&p->ends[1], &to, sizeof to) == 0) ||
             (memcmp(&p->ends[0], &to, sizeof to) == 0 && memcmp(&p->ends[1], &from, sizeof from) == 0)))
            return p->signs;
    }
    return 0;
}

/* A block with a notch of depth w along it. The corner `turn` of triangles is first: normals are worst from their tips.
 */
static graze_mesh *notched_block(double w, uint32_t turn)
{
    static const uint32_t loop[1] = {7};
    const double outline[14] = {0, 0, 1, 0, 1, 1, 0.5 + w, 1, 0.5, 1 - w, 0.5 - w, 1, 0, 1};
    uint32_t corners[3 * 64];
    graze_mesh *block = NULL, *mesh = NULL;
    assert_int_equal(graze_mesh_create_extrusion(NULL, outline, loop, 1, 1, NULL, &block), GRAZE_STATUS_OK);
    size_t count = 3 * graze_mesh_triangle_count(block);
    assert_true(count <= 3 * 64);
    for (size_t i = 0; i < count; i++)
        corners[i] = graze_mesh_triangles(block)[i / 3 * 3 + (i + turn) % 3];
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = graze_mesh_vertices(block);
    def.vertex_count = graze_mesh_vertex_count(block);
    def.corners = corners;
    def.corner_count = count;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    graze_mesh_destroy(block);
    return mesh;
}

/* A block with a notch along it, of triangles so narrow that rounding tilts their planes by more than the notch is
   deep: a ball in the block may touch the bottom of the notch, whatever the computed heights say. */
static void bottoms_of_narrow_notches_are_touched(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED);
    int edges = 0;
    for (int round = 0; round < 240; round++)
    {
        static scene c;
        double w = ldexp(1, -24 - round % 8);
        graze_mesh *mesh = notched_block(w, (uint32_t)round / 8 % 3);
        make_scene(&c, mesh, placed_pose(&random, 1));
        for (uint32_t h = 0; h < 3 * mesh->triangle_count; h++)
        {
            v3 corners[3];
            uint32_t next = h % 3 == 2 ? h - 2 : h + 1;
            const double *from = graze_mesh_vertices(mesh) + 3 * (size_t)mesh->triangles[h],
                         *to = graze_mesh_vertices(mesh) + 3 * (size_t)mesh->triangles[next];
            if (from[0] != 0.5 || from[1] != 1 - w || to[0] != 0.5 || to[1] != 1 - w)
                continue;
            grz_surface_corners(c.q.surface, h / 3, corners);
            assert_true((signs_of_edge(&c.q, corners[h % 3], corners[next % 3]) & GRZ_ALONG) != 0);
            edges++;
        }
        release_scene(&c);
        graze_mesh_destroy(mesh);
    }
    assert_int_equal(edges, 2 * 240);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nearest_points_are_in_pieces),
                                       cmocka_unit_test(bodies_inside_out_have_pieces_at_the_same_vertices),
                                       cmocka_unit_test(bottoms_of_narrow_notches_are_touched)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
