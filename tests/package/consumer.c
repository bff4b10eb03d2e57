/* SPDX-License-Identifier: MIT */
/*
 * A user's program: two unit cubes that share a face, counted exactly; with libgraze_io, one of them goes to a file's
 * bytes and back first. Prints a line and returns 0 when the answers are right.
 */
#include <graze/graze.h>
#ifdef WITH_IO
#include <graze/io.h>
#endif
#include <stdio.h>
#include <string.h>

#ifdef WITH_IO
static int comes_back_from_bytes(const graze_mesh *mesh)
{
    void *bytes = NULL;
    size_t size = 0;
    graze_model *model = NULL;
    graze_error error;
    if (graze_mesh_write_memory(NULL, mesh, GRAZE_FORMAT_OFF, &bytes, &size) != GRAZE_STATUS_OK)
        return 0;
    graze_status status =
        graze_model_read_memory(NULL, bytes, size, "cube.off", GRAZE_FORMAT_AUTO, NULL, &error, &model);
    graze_memory_release(NULL, bytes);
    if (status != GRAZE_STATUS_OK)
        return 0;
    int same = graze_mesh_triangle_count(graze_model_mesh(model)) == graze_mesh_triangle_count(mesh);
    graze_model_destroy(model);
    return same;
}
#endif

int main(void)
{
    graze_mesh *cube = NULL;
    graze_pair_counts counts;
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", GRAZE_VERSION_MAJOR, GRAZE_VERSION_MINOR, GRAZE_VERSION_PATCH);
    if (strcmp(version, graze_version_text()) != 0 || graze_mesh_create_box(NULL, 1, 1, 1, 1, &cube) != GRAZE_STATUS_OK)
        return 1;
    graze_placed_mesh a = {.mesh = cube, .pose = graze_pose_identity()},
                      b = {.mesh = cube, .pose = graze_pose_translation(1, 0, 0)};
    int right = graze_pair_count(NULL, &a, &b, NULL, &counts) == GRAZE_STATUS_OK && counts.pairs > 0 &&
                counts.crossing == 0 && counts.coplanar == 2;
#ifdef WITH_IO
    right = right && comes_back_from_bytes(cube);
#endif
    graze_mesh_destroy(cube);
    printf("graze %s: two cubes share a face: %s\n", version, right ? "seen" : "MISSED");
    return right ? 0 : 1;
}
