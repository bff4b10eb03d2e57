/* SPDX-License-Identifier: MIT */
#include <graze/graze.h>
#include <stdio.h>

int main(void)
{
    graze_mesh *cube = NULL; // a unit cube, placed twice: one rests, the other approaches along x
    graze_status status = graze_mesh_create_box(NULL, 1, 1, 1, 1, &cube);
    const double steps[] = {0x1.0000000000001p0, 1.0, 0x0.fffffffffffff8p0}; // neighbours among the doubles
    for (int i = 0; status == GRAZE_STATUS_OK && i < 3; i++)
    {
        graze_placed_mesh a = {cube, NULL, graze_pose_identity()}; // mesh, tree (optional), pose
        graze_placed_mesh b = {cube, NULL, graze_pose_translation(steps[i], 0.25, 0.25)};
        graze_pair_counts counts;
        status = graze_pair_count(NULL, &a, &b, NULL, &counts);
        if (status == GRAZE_STATUS_OK)
            printf("at %-20.17g %s\n", steps[i], counts.crossing ? "crossing" : counts.pairs ? "touching" : "apart");
    }
    graze_mesh_destroy(cube);
    return status == GRAZE_STATUS_OK ? 0 : 1;
}
