/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Concurrent detection (Zachmann, 6.4): a scene that is updated by a thread of its own, while the application goes on.
 * The application hands over poses and takes back reports; none of its calls waits for the detector, however long
 * an update takes. The hand-over is lock-free: two buffers go back and forth between the threads.
 *
 * What is moved several times before the detector comes to it counts once, with the last pose. Every report says which
 * hand-over it is about, and every event at which poses.
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

/// Starts a thread that updates the scene whenever poses are handed over. Until graze_detector_destroy the scene must
/// not be used otherwise; callbacks of its events are called from that thread. The options (NULL: defaults) are copied.
/// Fails with OUT_OF_MEMORY (also when the system gives no thread) or BAD_ARGUMENT (also for options that
/// graze_scene_update would not take).
GRAZE_API graze_status graze_detector_create(const graze_context *context, graze_scene *scene,
                                             const graze_update_options *options, graze_detector **out_detector);

/// Notes a pose for the next hand-over. Fails with BAD_INDEX (a stale name), NOT_FINITE or OUT_OF_MEMORY (once an
/// object has been moved, moving it again does not allocate). Thread safety: these three from one thread of the
/// application, the same for all. None of them waits.
GRAZE_API graze_status graze_detector_move(graze_detector *detector, graze_object object, const graze_pose *pose);

/// Hands all noted poses over. Returns the number of the hand-over, from 1.
GRAZE_API uint64_t graze_detector_commit(graze_detector *detector);

/// A report of an update, to be released by whoever takes it.
typedef struct graze_report graze_report;

/// Takes the oldest report not yet taken; NULL when there is none.
GRAZE_API graze_report *graze_detector_take(graze_detector *detector);

/// The frame, with arrays that live as long as the report.
GRAZE_API const graze_frame *graze_report_frame(const graze_report *report);

/// The last hand-over that the frame knows of.
GRAZE_API uint64_t graze_report_commit(const graze_report *report);

/// The poses in the world of the two objects of an event, by its place in the frame. Both may be NULL.
GRAZE_API void graze_report_poses(const graze_report *report, size_t event, graze_pose *out_pose_a,
                                  graze_pose *out_pose_b);

/// OK, or why the update failed; then the frame is empty. OUT_OF_MEMORY may also mean that there was none for the
/// report itself: see graze_detector_status.
GRAZE_API graze_status graze_report_status(const graze_report *report);
GRAZE_API void graze_report_destroy(graze_report *report);

/// OUT_OF_MEMORY while a frame could not be reported for want of memory, OK otherwise. Nothing is lost then: the frame
/// is kept, and the scene is not updated, until a later hand-over (which may be an empty one) finds memory for its
/// report; poses gather meanwhile. Thread safety: any thread.
GRAZE_API graze_status graze_detector_status(const graze_detector *detector);

/// Waits until everything that was handed over has been reported, or could not be for want of memory
/// (graze_detector_status).
GRAZE_API void graze_detector_drain(graze_detector *detector);

/// Ends the thread, after the update under way, and releases the detector and the reports not taken. Poses that were
/// noted or handed over and not yet looked at are in the scene's back buffer, for its next update. So are, as pairs
/// that collide, events of a frame that could not be reported; they will be told of as staying. NULL is fine.
GRAZE_API void graze_detector_destroy(graze_detector *detector);

GRAZE_END_DECLS

#endif
