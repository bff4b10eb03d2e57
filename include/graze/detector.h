/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Concurrent detection (Zachmann, 6.4): a scene that is updated by a thread of its own, while the application goes on.
 * The application submits poses and takes reports; no call waits for the detector, except graze_detector_drain and
 * graze_detector_destroy, which wait for it to finish. Poses are passed through a lock-free triple buffer; reports come
 * back through a lock-free queue.
 *
 * An object that is moved several times before the next update has its last pose. Each report carries the number of the
 * last commit it includes, and each event the poses of its objects.
 *
 *     graze_detector_create(NULL, scene, NULL, &detector);      // from now on the scene belongs to the detector
 *     for (each frame of the application)
 *     {
 *         graze_detector_move(detector, object, &pose); ...
 *         graze_detector_commit(detector);
 *         graze_report *report;
 *         while ((report = graze_detector_take(detector)) != NULL)
 *         {
 *             ... graze_report_frame(report) ...
 *             graze_report_destroy(report);
 *         }
 *     }
 *     graze_detector_destroy(detector);                            // the scene is the application's again
 */
#ifndef GRAZE_DETECTOR_H
#define GRAZE_DETECTOR_H

#include "graze/scene.h"

GRAZE_BEGIN_DECLS

typedef struct graze_detector graze_detector;

/// Starts a thread that updates the scene whenever poses are committed. Until graze_detector_destroy the scene must
/// not be used otherwise; callbacks of its events are called from that thread. The options (NULL: defaults) are copied.
/// Fails with OUT_OF_MEMORY (also when the system gives no thread) or BAD_ARGUMENT (also for options that
/// graze_scene_update would not take).
GRAZE_API graze_status graze_detector_create(const graze_context *context, graze_scene *scene,
                                             const graze_update_options *options, graze_detector **out_detector);

/// Sets a pose for the next commit. Fails with BAD_INDEX (stale id, or added after graze_detector_create), NOT_FINITE,
/// and NOT_RIGID or SINGULAR as graze_scene_move. Never allocates. Thread safety: graze_detector_move, _commit and
/// _take must be called from one and the same thread. None of them waits.
GRAZE_API graze_status graze_detector_move(graze_detector *detector, graze_object object, const graze_pose *pose);

/// Submits all poses set since the last commit. Returns the commit number, from 1.
GRAZE_API uint64_t graze_detector_commit(graze_detector *detector);

/// A report of an update; whoever takes it destroys it.
typedef struct graze_report graze_report;

/// Takes the oldest report not yet taken; NULL when there is none.
GRAZE_API graze_report *graze_detector_take(graze_detector *detector);

/// The frame, with arrays that live as long as the report.
GRAZE_API const graze_frame *graze_report_frame(const graze_report *report);

/// The last commit that the frame includes.
GRAZE_API uint64_t graze_report_commit(const graze_report *report);

/// The world transforms of the two objects of an event, by its index in the frame. Both may be NULL. Fails with
/// BAD_INDEX.
GRAZE_API graze_status graze_report_poses(const graze_report *report, size_t event, graze_pose *out_pose_a,
                                          graze_pose *out_pose_b);

/// OK, or why the update failed; then the frame is empty. OUT_OF_MEMORY may also mean that there was none for the
/// report itself: see graze_detector_status.
GRAZE_API graze_status graze_report_status(const graze_report *report);
GRAZE_API void graze_report_destroy(graze_report *report);

/// OUT_OF_MEMORY while a report is pending because it could not be allocated; else OK. Nothing is lost: the frame is
/// kept and updates pause until a later commit, which may be empty, succeeds in allocating its report. Thread safety:
/// any thread.
GRAZE_API graze_status graze_detector_status(const graze_detector *detector);

/// Waits until everything that was committed has been reported, or could not be because memory ran out
/// (graze_detector_status).
GRAZE_API void graze_detector_drain(graze_detector *detector);

/// Ends the thread, after the update under way, and releases the detector and the reports not taken. Poses not yet
/// processed are applied to the scene and count from its next update on. Collisions of a frame that could not be
/// reported are then reported as GRAZE_EVENT_STAY. NULL is fine.
GRAZE_API void graze_detector_destroy(graze_detector *detector);

GRAZE_END_DECLS

#endif
