/* SPDX-License-Identifier: MIT */
/* Many poses of one pair in a single call: a map of the positions at which the surfaces of a cube and of a torus meet.
   Within the tube of the torus they do not. */
#include "example.h"

enum
{
    COLUMNS = 41,
    ROWS = 21
};

int main(void)
{
    graze_mesh *torus = NULL, *cube = NULL;
    graze_tree *torus_tree = NULL, *cube_tree = NULL;
    check(graze_mesh_create_torus(NULL, 2, 0.5, 64, 32, &torus));
    check(graze_mesh_create_box(NULL, 0.5, 0.5, 0.5, 1, &cube));
    check(graze_tree_create(NULL, torus, NULL, NULL, &torus_tree));
    check(graze_tree_create(NULL, cube, NULL, NULL, &cube_tree));
    graze_placed_mesh a = {torus, torus_tree, graze_pose_identity()}, b = {cube, cube_tree, graze_pose_identity()};

    static graze_pose poses[ROWS * COLUMNS];
    static bool found[ROWS * COLUMNS];
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++)
            poses[row * COLUMNS + column] =
                graze_pose_translation((column - COLUMNS / 2) / 6.0, (row - ROWS / 2) / 3.0, 0);

    // Poses of A: none, it rests; poses of B; strides (0: packed); how many.
    graze_pose_batch batch = {NULL, poses, 0, 0, ROWS * COLUMNS};
    graze_error error; // names the first pose at fault
    check(graze_pair_any_batch(NULL, &a, &b, &batch, NULL, &error, found));
    for (int row = 0; row < ROWS; row++)
    {
        for (int column = 0; column < COLUMNS; column++)
            putchar(found[row * COLUMNS + column] ? '#' : '.');
        putchar('\n');
    }
    graze_tree_destroy(cube_tree);
    graze_tree_destroy(torus_tree);
    graze_mesh_destroy(cube);
    graze_mesh_destroy(torus);
    return 0;
}
