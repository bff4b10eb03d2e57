/* SPDX-License-Identifier: MIT */
/* A detector: a scene updated by a thread of its own. The application hands over poses and takes reports, never
 * waiting. */
#include "example.h"

static void print_reports(graze_detector *detector)
{
    graze_report *report;
    while ((report = graze_detector_take(detector)) != NULL)
    {
        check(graze_report_status(report));
        const graze_frame *frame = graze_report_frame(report);
        printf("poses of commit %llu:", (unsigned long long)graze_report_commit(report));
        for (size_t i = 0; i < frame->event_count; i++)
            printf(" collision %s", frame->events[i].kind == GRAZE_EVENT_BEGIN  ? "begins"
                                    : frame->events[i].kind == GRAZE_EVENT_STAY ? "goes on"
                                                                                : "ends");
        printf("%s\n", frame->event_count ? "" : " no collision");
        graze_report_destroy(report);
    }
}

int main(void)
{
    graze_mesh *cube = NULL;
    graze_scene *scene = NULL;
    graze_detector *detector = NULL;
    check(graze_mesh_create_box(NULL, 1, 1, 1, 1, &cube));
    check(graze_scene_create(NULL, NULL, &scene));
    graze_object_def def = graze_object_def_default();
    graze_object resting, moving;
    def.mesh = cube;
    check(graze_scene_add(scene, &def, &resting));
    def.pose = graze_pose_translation(-2, 0, 0);
    check(graze_scene_add(scene, &def, &moving));

    check(graze_detector_create(NULL, scene, NULL, &detector)); // from here on the scene belongs to the detector
    for (int step = 0; step < 5; step++)
    {
        graze_pose pose = graze_pose_translation(-1.5 + 0.75 * step, 0, 0);
        check(graze_detector_move(detector, moving, &pose));
        graze_detector_commit(detector);
        // An application goes on here and takes whatever reports are there. This one waits, so that each commit gets a
        // report of its own: several commits may otherwise share one.
        graze_detector_drain(detector);
        print_reports(detector);
    }
    graze_detector_destroy(detector); // the scene is the application's again
    graze_scene_destroy(scene);
    graze_mesh_destroy(cube);
    return 0;
}
