/* SPDX-License-Identifier: MIT */
/* A scene through time: a bullet flies through a sheet within one step; a continuous update says when. */
#include "example.h"

static graze_object add(graze_scene *scene, const graze_mesh *mesh, graze_pose pose, const char *name)
{
    graze_object_def def = graze_object_def_default();
    def.mesh = mesh;
    def.pose = pose;
    def.user = (void *)name;
    graze_object object;
    check(graze_scene_add(scene, &def, &object));
    return object;
}

static void update(graze_scene *scene, bool continuous)
{
    const char *kinds[] = {"begins", "goes on", "ends", "passes"};
    graze_update_options options = graze_update_options_default();
    options.continuous = continuous;
    graze_frame frame;
    check(graze_scene_update(scene, &options, &frame));
    printf("%s: %d events\n", continuous ? "continuous" : "discrete", (int)frame.event_count);
    for (size_t i = 0; i < frame.event_count; i++)
    {
        const graze_event *event = &frame.events[i];
        printf("  %s and %s: contact %s", (const char *)event->user_a, (const char *)event->user_b, kinds[event->kind]);
        if (event->has_time)
            printf(", from %.6f", event->time_lower);
        if (event->has_end_time)
            printf(" to %.6f of the step", event->end_upper);
        printf("\n");
    }
}

int main(void)
{
    graze_mesh *bullet_mesh = NULL, *sheet_mesh = NULL;
    check(graze_mesh_create_box(NULL, 0.001, 0.001, 0.001, 1, &bullet_mesh));
    check(graze_mesh_create_box(NULL, 0.00001, 1, 1, 1, &sheet_mesh));
    graze_scene *scene = NULL;
    check(graze_scene_create(NULL, NULL, &scene));
    graze_pose start = graze_pose_translation(-8, 0, 0), end = graze_pose_translation(9, 0, 0);
    add(scene, sheet_mesh, graze_pose_identity(), "sheet");
    graze_object bullet = add(scene, bullet_mesh, start, "bullet");
    update(scene, false);

    check(graze_scene_move(scene, bullet, &end)); // a discrete update sees both ends of the way alone
    update(scene, false);
    check(graze_scene_move(scene, bullet, &start)); // back through the sheet
    update(scene, true);

    graze_motion motion; // the way itself may be given, too: here it turns
    graze_pose turned = end;
    turned.m[0] = turned.m[5] = 0;
    turned.m[1] = -1;
    turned.m[4] = 1;
    check(graze_motion_between(&start, &turned, GRAZE_MOTION_TURN, &motion, NULL));
    check(graze_scene_move_along(scene, bullet, &motion));
    update(scene, true);
    graze_scene_destroy(scene);
    graze_mesh_destroy(sheet_mesh);
    graze_mesh_destroy(bullet_mesh);
    return 0;
}
