/* SPDX-License-Identifier: MIT */
/* Distance of two meshes with its closest points and certified bounds, and a tolerance query, which is decided exactly.
 */
#include "example.h"

int main(void)
{
    graze_mesh *cube = NULL;
    check(graze_mesh_create_box(NULL, 1, 1, 1, 8, &cube));
    graze_tree *tree = NULL; // optional; it makes queries of large meshes fast
    check(graze_tree_create(NULL, cube, NULL, NULL, &tree));
    graze_placed_mesh a = {cube, tree, graze_pose_identity()};
    graze_placed_mesh b = {cube, tree, graze_pose_translation(4, 5, 1)}; // gaps of 3, 4 and 0 along x, y and z

    graze_distance d;
    check(graze_pair_distance(NULL, &a, &b, NULL, &d));
    printf("distance %.12g, true value within [%.12g, %.12g]\n", d.distance, d.lower, d.upper);
    printf("closest points (%g, %g, %g) and (%g, %g, %g)\n", d.point_a[0], d.point_a[1], d.point_a[2], d.point_b[0],
           d.point_b[1], d.point_b[2]);

    // With a limit, meshes farther apart need not be measured.
    graze_distance_options options = graze_distance_options_default();
    options.limit = 2;
    check(graze_pair_distance(NULL, &a, &b, &options, &d));
    printf("within 2: %s\n", d.found ? "yes" : "no");

    // The distance is exactly 5, and the tolerance query knows 5 from its neighbours among the doubles.
    const double tolerances[] = {0x1.3ffffffffffffp2, 5.0, 0x1.4000000000001p2};
    for (int i = 0; i < 3; i++)
    {
        bool found = false;
        check(graze_pair_tolerance_any(NULL, &a, &b, tolerances[i], NULL, &found, NULL));
        printf("within %-18.17g %s\n", tolerances[i], found ? "yes" : "no");
    }
    graze_tree_destroy(tree);
    graze_mesh_destroy(cube);
    return 0;
}
