/* SPDX-License-Identifier: MIT */
/* A mesh of polygons: a square plate with a square hole, as one face of two loops. Do pegs of three sizes fit the hole?
 */
#include "example.h"

int main(void)
{
    const double vertices[] = {
        -2, -2, 0, 2, -2, 0, 2, 2, 0, -2, 2, 0, // outer loop
        -1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0, // hole
    };
    const uint32_t corners[] = {0, 1, 2, 3, 4, 5, 6, 7};
    const uint32_t loop_sizes[] = {4, 4}, face_loop_counts[] = {2};
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 8;
    def.corners = corners;
    def.corner_count = 8;
    def.loop_sizes = loop_sizes;
    def.loop_count = 2;
    def.face_loop_counts = face_loop_counts;
    def.face_count = 1;
    graze_mesh *plate = NULL;
    graze_error error;
    if (graze_mesh_create(NULL, &def, &error, &plate) != GRAZE_STATUS_OK)
    {
        fprintf(stderr, "%s\n", error.text); // names the vertex, corner or face at fault
        return 1;
    }
    printf("plate: %zu face with a hole, cut into %zu triangles\n", graze_mesh_face_count(plate),
           graze_mesh_triangle_count(plate));

    const double sizes[] = {1.9, 2.0, 2.1};
    for (int i = 0; i < 3; i++)
    {
        graze_mesh *peg = NULL;
        check(graze_mesh_create_box(NULL, sizes[i], sizes[i], 3, 1, &peg));
        graze_placed_mesh a = {plate, NULL, graze_pose_identity()}, b = {peg, NULL, graze_pose_identity()};
        graze_pair_counts counts;
        check(graze_pair_count(NULL, &a, &b, NULL, &counts));
        printf("peg of %.1f: %s\n", sizes[i], counts.crossing ? "crosses" : counts.pairs ? "touches" : "passes");
        graze_mesh_destroy(peg);
    }
    graze_mesh_destroy(plate);
    return 0;
}
