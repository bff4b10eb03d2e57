/* SPDX-License-Identifier: MIT */
/* A scene: a ball flies through a solid tank; each frame reports which collisions begin, go on and end. */
#include "example.h"

static graze_object add(graze_scene *scene, const graze_mesh *mesh, uint32_t flags, const char *name)
{
    graze_object_def def = graze_object_def_default();
    def.mesh = mesh; // the scene builds a tree for it
    def.flags = flags;
    def.user = (void *)name;
    graze_object object;
    check(graze_scene_add(scene, &def, &object));
    return object;
}

int main(void)
{
    graze_mesh *tank_mesh = NULL, *ball_mesh = NULL;
    check(graze_mesh_create_box(NULL, 4, 4, 4, 1, &tank_mesh));
    check(graze_mesh_create_geodesic_sphere(NULL, 0.5, 8, &ball_mesh));
    graze_scene *scene = NULL;
    check(graze_scene_create(NULL, NULL, &scene));
    add(scene, tank_mesh, GRAZE_OBJECT_STATIC | GRAZE_OBJECT_SOLID, "tank");
    graze_object ball = add(scene, ball_mesh, 0, "ball");

    const char *kinds[] = {"begins", "goes on", "ends"};
    for (int x = -3; x <= 3; x++)
    {
        graze_pose pose = graze_pose_translation(x, 0, 0);
        check(graze_scene_move(scene, ball, &pose));
        graze_frame frame;
        check(graze_scene_update(scene, NULL, &frame));
        printf("x = %2d:", x);
        for (size_t i = 0; i < frame.event_count; i++)
        {
            const graze_event *event = &frame.events[i];
            printf(" collision of %s and %s %s%s", (const char *)event->user_a, (const char *)event->user_b,
                   kinds[event->kind], event->has_witness ? ", surfaces meet" : "");
        }
        printf("\n");
    }
    graze_scene_destroy(scene);
    graze_mesh_destroy(ball_mesh);
    graze_mesh_destroy(tank_mesh);
    return 0;
}
