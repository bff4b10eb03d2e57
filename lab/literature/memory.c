/* SPDX-License-Identifier: MIT */
/* 001, section 5: bytes per triangle of the environment. Nodes are measured: what twice the triangles cost more. And
 * the operations of overlap tests in the slides (003), counted in Graze's own tests. */
#include <stdio.h>

#include "literature/literature.h"

static double body_size(const char *method, const graze_mesh *mesh)
{
    graze_method_parameters parameters = graze_method_parameters_default();
    parameters.leaf_size = 1;
    graze_method_body *body = NULL;
    if (graze_method_body_create(NULL, method, mesh, &parameters, &body) != GRAZE_STATUS_OK)
        return -1;
    double size = (double)graze_method_body_memory_size(body);
    graze_method_body_destroy(body);
    return size;
}

/*
 * Multiplications, additions and comparisons of a test that finds an overlap, counted by hand in the code:
 * - re-alignment (restricted_boxes.c, restrict_b): 3 products, 3 sums and 6 comparisons = 12
 * - SAT (volume/oriented_box.h, grz_boxes_overlap): of A 3 (3 products, 4 sums, 1 comparison) = 24; of B 3 (6, 6, 1) =
 *   39; of cross products 9 (6, 5, 1) = 108; in all 171
 * - SAT lite, those of faces: 63. The slides count 24, with terms that successive boxes share computed once
 * - spheres (volume/sphere.h): moving the centre 9 products and 9 sums, test 4 products, 7 sums, 1 comparison = 30
 */
bool lit_memory(lit_run *run)
{
    static const int dops[] = {6, 14, 18, 26};
    graze_mesh *small = NULL, *large = NULL;
    bool done = graze_mesh_create_geodesic_sphere(NULL, 1, 10, &small) == GRAZE_STATUS_OK &&
                graze_mesh_create_geodesic_sphere(NULL, 1, 20, &large) == GRAZE_STATUS_OK;
    for (int i = 0; done && i < 4; i++)
    {
        char method[16];
        snprintf(method, sizeof method, "kdop-%d", dops[i]);
        double sizes[2] = {body_size(method, small), body_size(method, large)};
        double more = (double)(graze_mesh_triangle_count(large) - graze_mesh_triangle_count(small));
        double nodes =
            (sizes[1] - sizes[0]) / more - sizeof(uint32_t); /* beside the nodes, the order of the triangles */
        done = sizes[0] >= 0 && sizes[1] >= 0;
        lit_measure(run, "001/memory", nodes + 3 * 3 * sizeof(double) + 3 * sizeof(uint32_t),
                    "%d-dop, bytes a triangle", dops[i]);
    }
    lit_measure(run, "003/flops", 12, "restricted boxes, re-alignment");
    lit_measure(run, "003/flops", 171, "SAT");
    lit_measure(run, "003/flops", 63, "SAT lite");
    lit_measure(run, "003/flops", 30, "spheres");
    graze_mesh_destroy(small);
    graze_mesh_destroy(large);
    return done;
}
