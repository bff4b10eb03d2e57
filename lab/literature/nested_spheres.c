/* SPDX-License-Identifier: MIT */
/* 001, Tables 6 and 7: overlap tests for concentric spheres of radius 1 and 1 - a, a scaled copy, in the same pose;
 * splatter, mean, one triangle a leaf. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "literature/literature.h"

static const char *const gaps[] = {".55", ".1", ".055", ".01", ".0055", ".001", ".00055", ".0001"};
static const char *const methods[][2] = {
    {"kdop-6", "6-dop"}, {"kdop-14", "14-dop"}, {"kdop-18", "18-dop"}, {"kdop-26", "26-dop"}, {"rapid", "RAPID"}};

static graze_method_body *prepare(const char *method, const graze_mesh *mesh)
{
    graze_method_parameters parameters = graze_method_parameters_default();
    parameters.leaf_size = 1;
    graze_method_body *body = NULL;
    return graze_method_body_create(NULL, method, mesh, &parameters, &body) == GRAZE_STATUS_OK ? body : NULL;
}

/* Overlap tests of two meshes; negative after a failure. */
static double count_tests(const char *method, const graze_mesh *outer, const graze_mesh *inner)
{
    graze_method_body *bodies[2] = {prepare(method, outer), prepare(method, inner)};
    graze_placed_method_body a = {bodies[0], graze_pose_identity()}, b = {bodies[1], graze_pose_identity()};
    graze_method_counters counters;
    graze_method_options options = graze_method_options_default();
    options.counters = &counters;
    if (strncmp(method, "kdop", 4) == 0)
        options.order = GRAZE_TRAVERSAL_ENVIRONMENT_FIRST; /* Algorithm 1; RAPID opens the larger */
    graze_method_answer answer;
    bool done = bodies[0] != NULL && bodies[1] != NULL &&
                graze_method_any(NULL, &a, &b, &options, &answer) == GRAZE_STATUS_OK &&
                answer.collide == GRAZE_VERDICT_NO;
    graze_method_body_destroy(bodies[0]);
    graze_method_body_destroy(bodies[1]);
    return done ? (double)counters.volumes : -1;
}

/* One column of a table. The inner sphere is the outer one scaled: its facets are parallel. */
static bool measure_gap(lit_run *run, const char *table, const char *facets, const graze_mesh *outer, const char *gap)
{
    size_t count = graze_mesh_vertex_count(outer);
    double *vertices = malloc(3 * count * sizeof *vertices);
    graze_mesh *inner = NULL;
    bool done = vertices != NULL;
    for (size_t i = 0; done && i < 3 * count; i++)
        vertices[i] = graze_mesh_vertices(outer)[i] * (1 - strtod(gap, NULL));
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = count;
    def.corners = graze_mesh_triangles(outer);
    def.corner_count = 3 * graze_mesh_triangle_count(outer);
    done = done && graze_mesh_create(NULL, &def, NULL, &inner) == GRAZE_STATUS_OK;
    for (size_t m = 0; done && m < sizeof methods / sizeof methods[0]; m++)
    {
        double tests = count_tests(methods[m][0], outer, inner);
        done = tests >= 0;
        lit_measure(run, table, tests, "%s, %s, a %s", methods[m][1], facets, gap);
    }
    graze_mesh_destroy(inner);
    free(vertices);
    return done;
}

bool lit_nested_spheres(lit_run *run)
{
    static const struct
    {
        const char *table, *facets;
        uint32_t frequency;
    } tables[] = {{"001/table-6", "2000", 10}, {"001/table-7", "20000", 32}};
    bool done = true;
    for (int t = 0; done && t < 2; t++)
    {
        graze_mesh *outer = NULL;
        done = graze_mesh_create_geodesic_sphere(NULL, 1, tables[t].frequency, &outer) == GRAZE_STATUS_OK;
        for (size_t g = 0; done && g < sizeof gaps / sizeof gaps[0]; g++)
            done = measure_gap(run, tables[t].table, tables[t].facets, outer, gaps[g]);
        graze_mesh_destroy(outer);
    }
    return done;
}
