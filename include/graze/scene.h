/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Scenes: many moving meshes and shapes; collision events (begin, stay, end) frame by frame, by broad phase and narrow
 * phase.
 *
 *     graze_scene *scene;
 *     graze_scene_create(NULL, NULL, &scene);
 *     graze_object_def def = graze_object_def_default();
 *     def.mesh = mesh;
 *     graze_object ball, wall;
 *     graze_scene_add(scene, &def, &ball);  ... another def ...  graze_scene_add(scene, &def, &wall);
 *     for (;;)
 *     {
 *         graze_scene_move(scene, ball, &pose);
 *         graze_frame frame;
 *         graze_scene_update(scene, NULL, &frame);
 *         for (size_t i = 0; i < frame.event_count; i++)
 *             ... frame.events[i]: begin, stay or end of a collision, with its witness ...
 *     }
 *
 * Changes are buffered: what is added, moved or removed takes effect at the next update, and queries see the state of
 * the last update (double buffering, Zachmann 1994, 6.4 and 7). Answers are exact under the contract of
 * graze/pose.h, for the meshes and shapes at their poses in the world. They and their order depend neither on the
 * broad phase nor on the number of threads. Pairs of curved shapes that are too near to touching to tell are reported
 * as undecided.
 *
 * **Through time.** A discrete update compares objects where they are after it, and misses what passes through between
 * two updates. A continuous one (graze_update_options) tests the whole *step* from the last update to this one: each
 * object moves by the motion given to graze_scene_move_along, or by one between its last pose in the world and the new
 * one; two moving objects count as well. Begin, stay and end are as in a discrete update; in addition they say when
 * within the step the first contact was, and the last one, as certified intervals, and GRAZE_EVENT_PASS reports
 * collisions that begin and end within the step.
 *
 * Thread safety: one thread at a time, except for the queries of graze/scene_query.h. The context's tasks are used.
 */
#ifndef GRAZE_SCENE_H
#define GRAZE_SCENE_H

#include "graze/broad_phase.h"
#include "graze/motion.h"
#include "graze/pair.h"
#include "graze/shape_contact.h"

GRAZE_BEGIN_DECLS

typedef struct graze_scene graze_scene;

/// Generational id of an object. All zeros means no object. Ids are never reused, so stale ones are detected.
typedef struct graze_object
{
    uint32_t index;
    uint32_t generation;
} graze_object;

/// Flags of an object, combined with |.
enum
{
    GRAZE_OBJECT_STATIC = 1, ///< seldom moves; two static objects are not tested, unless a rule of the pair says so
    GRAZE_OBJECT_SENSOR = 2, ///< sensor (trigger): its events are marked, and two sensors are not tested, unless a
                             ///< rule of the pair says so
    GRAZE_OBJECT_SOLID = 4   ///< a solid, not a surface: objects inside it that do not touch its surface collide too;
                             ///< for closed meshes. Shapes say it themselves
};

enum
{
    GRAZE_LAYER_COUNT = 64
};

/// Definition of an object. Start from graze_object_def_default().
typedef struct graze_object_def
{
    size_t struct_size;
    const graze_mesh *mesh; ///< shared, must live as long as the object; NULL, without a shape: a node without
                            ///< geometry, which only transforms its children
    const graze_tree *tree; ///< of the mesh; NULL: the scene builds one, for all objects with this mesh
    graze_pose pose;        ///< relative to the parent
    graze_object parent;    ///< none by default
    uint32_t flags;         ///< GRAZE_OBJECT_...
    uint32_t layer;         ///< below GRAZE_LAYER_COUNT: see graze/interest.h
    uint32_t assembly;      ///< parts of one assembly, with the same number other than 0, are not tested against each
                            ///< other
    void *user;
    const graze_shape *shape; ///< instead of a mesh: any kind; shared, must live as long as the object
} graze_object_def;

GRAZE_INLINE graze_object_def graze_object_def_default(void)
{
    graze_object_def def;
    memset(&def, 0, sizeof def);
    def.struct_size = sizeof def;
    def.pose = graze_pose_identity();
    return def;
}

/// Start from graze_scene_def_default().
typedef struct graze_scene_def
{
    size_t struct_size;
    graze_broad_phase_method broad_phase;
    double broad_phase_margin; ///< as graze_broad_phase_def.margin; default 16
    bool test_parent_child;    ///< test parents against their children; default: no
    bool leave_out_stays;      ///< do not report collisions that go on; default: do
} graze_scene_def;

GRAZE_INLINE graze_scene_def graze_scene_def_default(void)
{
    graze_scene_def def;
    memset(&def, 0, sizeof def);
    def.struct_size = sizeof def;
    def.broad_phase_margin = 16;
    return def;
}

/// Makes an empty scene; NULL means the defaults. The caller owns *out_scene. Fails as graze_broad_phase_create does.
GRAZE_API graze_status graze_scene_create(const graze_context *context, const graze_scene_def *def,
                                          graze_scene **out_scene);
GRAZE_API void graze_scene_destroy(graze_scene *scene);

/// Adds an object. Fails with NOT_FINITE (the pose), BAD_INDEX (the parent was removed), BAD_ARGUMENT (a tree of
/// another mesh, a mesh and a shape, a layer out of range, unknown flags), NOT_RIGID or SINGULAR (a pose that its shape
/// may not have: see graze_placed_check; of an object with a parent graze_scene_update says so) or OUT_OF_MEMORY.
GRAZE_API graze_status graze_scene_add(graze_scene *scene, const graze_object_def *def, graze_object *out_object);

/// Removes an object and all its descendants. Fails with BAD_INDEX.
GRAZE_API graze_status graze_scene_remove(graze_scene *scene, graze_object object);

/// Sets the pose of an object, relative to its parent; children follow. The last one given before an update counts.
/// Fails with BAD_INDEX, NOT_FINITE, and NOT_RIGID or SINGULAR as graze_scene_add.
GRAZE_API graze_status graze_scene_move(graze_scene *scene, graze_object object, const graze_pose *pose);

/// Moves an object without parent along a kernel motion (graze/motion.h) in the world: its pose becomes that at t = 1,
/// rounded as by graze_motion_pose, and a continuous update tests all of [0, 1]. It should begin where the object is;
/// where it does not, the object jumps to its start first. Any other update takes the pose at its end alone. Of this
/// and graze_scene_move the last call before an update counts. Fails with BAD_INDEX, as graze_motion_check does,
/// NOT_RIGID or SINGULAR as graze_scene_add, UNSUPPORTED for an object with a parent, or OUT_OF_MEMORY.
GRAZE_API graze_status graze_scene_move_along(graze_scene *scene, graze_object object, const graze_motion *motion);

/// What is promised of the motion of an object in the world: n updates after the one that takes the promise, and all
/// the time until then, each of its points is within speed n + acceleration n^2 / 2 of where it was, plus velocity n
/// (a space-time bound, Zachmann 1994, 2.7). A rotation by an angle a an update moves points by a times their distance
/// from the axis; leave room for rounding.
typedef struct graze_promise
{
    double velocity[3];         ///< units an update
    double speed, acceleration; ///< not negative: units an update, and per update squared
} graze_promise;

/// Makes a promise for an object; NULL withdraws it. A pair that is apart by more than both can come together sleeps:
/// it is not tested until then. Objects that do not move need no promise. A promise changes no answer: an object that
/// breaks it wakes its pairs, and the promise holds anew from there. Fails with BAD_INDEX, NOT_FINITE, BAD_ARGUMENT (a
/// negative bound) or OUT_OF_MEMORY.
GRAZE_API graze_status graze_scene_promise(graze_scene *scene, graze_object object, const graze_promise *promise);

/// Replaces the mesh or shape of an object by a mesh, or announces that its vertices have moved (call it for every
/// object with that mesh). The old one must live until the next update. NULLs as in graze_object_def. Fails with
/// BAD_INDEX, BAD_ARGUMENT or OUT_OF_MEMORY.
GRAZE_API graze_status graze_scene_set_mesh(graze_scene *scene, graze_object object, const graze_mesh *mesh,
                                            const graze_tree *tree);

/// Replaces the mesh or shape of an object by a shape; NULL: none. The old one must live until the next update. Fails
/// with BAD_INDEX, OUT_OF_MEMORY, and NOT_RIGID or SINGULAR where the object's pose does not suit the shape.
GRAZE_API graze_status graze_scene_set_shape(graze_scene *scene, graze_object object, const graze_shape *shape);

/// Gives an object other flags: GRAZE_OBJECT_... combined with |. This, and what the calls below change, counts from
/// the next update on: contacts begin and end there. Rules of interest (graze_interest_wants, graze_scene_close_pairs)
/// and filters of scene queries use it at once. Rules for pairs stay. Fails with BAD_INDEX or BAD_ARGUMENT (unknown
/// flags).
GRAZE_API graze_status graze_scene_set_flags(graze_scene *scene, graze_object object, uint32_t flags);

/// Gives an object another layer. Fails with BAD_INDEX or BAD_ARGUMENT (not below GRAZE_LAYER_COUNT).
GRAZE_API graze_status graze_scene_set_layer(graze_scene *scene, graze_object object, uint32_t layer);

/// Gives an object another assembly; 0: none. Fails with BAD_INDEX.
GRAZE_API graze_status graze_scene_set_assembly(graze_scene *scene, graze_object object, uint32_t assembly);

/// Gives an object another parent; all zeros: none. `pose` is relative to the new one; NULL: the numbers stay. What is
/// below the object stays below it. Fails with BAD_INDEX (either), NOT_FINITE, NOT_RIGID or SINGULAR as
/// graze_scene_add, or BAD_ARGUMENT where the parent is the object itself or below it.
GRAZE_API graze_status graze_scene_set_parent(graze_scene *scene, graze_object object, graze_object parent,
                                              const graze_pose *pose);

/// Gives an object another user pointer; events of the next update carry it. Fails with BAD_INDEX.
GRAZE_API graze_status graze_scene_set_user(graze_scene *scene, graze_object object, void *user);

/// What graze_scene_add and later calls gave an object: what the next update will see. `tree` is NULL where the scene
/// builds one. *out_def comes from graze_object_def_default(), which sets its size. Fails with BAD_INDEX, or
/// BAD_ARGUMENT (the size).
GRAZE_API graze_status graze_scene_object_def(const graze_scene *scene, graze_object object, graze_object_def *out_def);

/// Whether there is such an object.
GRAZE_API bool graze_scene_has(const graze_scene *scene, graze_object object);
GRAZE_API size_t graze_scene_object_count(const graze_scene *scene);

/// The broad phase at work as of the last update: never AUTO.
GRAZE_API graze_broad_phase_method graze_scene_broad_phase_method(const graze_scene *scene);

/// The object's user pointer; NULL for a stale id.
GRAZE_API void *graze_scene_user(const graze_scene *scene, graze_object object);

/// Where an object is as of the last update: its pose in the world and its box. The pose is the product of its own and
/// its parent's in the world, each entry rounded to nearest as by graze_pose_compose. Answers are exact for this
/// rounded pose. Both may be NULL. Fails with BAD_INDEX, also for one that was added after that update; EMPTY when the
/// box is asked for and there is no geometry, or an empty mesh. The mesh of an object with a shape is NULL; a
/// half-space has an infinite box.
GRAZE_API graze_status graze_scene_placed_mesh(const graze_scene *scene, graze_object object,
                                               graze_placed_mesh *out_placed, graze_box *out_box);

/// The same of an object with a shape; the shape of one without is NULL.
GRAZE_API graze_status graze_scene_placed_shape(const graze_scene *scene, graze_object object, graze_placed *out_placed,
                                                graze_box *out_box);

/// The motion of an object in the world during the step of the last update: still if that was not a continuous one or
/// failed. Fails with BAD_INDEX, also for an object that was added after that update.
GRAZE_API graze_status graze_scene_step_motion(const graze_scene *scene, graze_object object, graze_motion *out_motion);

typedef enum graze_event_kind
{
    GRAZE_EVENT_BEGIN, ///< they collide, and did not at the last update
    GRAZE_EVENT_STAY,
    GRAZE_EVENT_END, ///< they no longer collide, or one was removed
    GRAZE_EVENT_PASS ///< of a continuous update: they collide neither before nor after the step, but in between
} graze_event_kind;

/// A collision event of two objects. a.index < b.index.
typedef struct graze_event
{
    graze_event_kind kind;
    graze_object a, b;
    void *user_a, *user_b; ///< of the objects
    void *user_pair;       ///< of the pair: see graze_interest_set_pair_data
    bool sensor;           ///< one of them is a sensor
    bool has_witness;  ///< two triangles that share a point: of a pass when they meet first, else at the new poses; not
                       ///< for an end, nor for containment without contact
    graze_hit witness; ///< triangle_a is one of a
    uint64_t frame;    ///< the frame of the narrow-phase test: an earlier one when neither object has moved since
    const graze_shape_hit *shape_hit; ///< where they meet, if one of them has a shape: parts, triangles where there are
                                      ///< some, a common point; NULL for two meshes, and for an end
    bool has_contacts; ///< whether contacts for solvers were asked for (graze_update_options) and found in time
    const graze_shape_manifold *contacts; ///< from a to b
    size_t contact_count;
    bool has_time;                 ///< of a continuous update; not for an end by removal or by a rule of interest
    double time_lower, time_upper; ///< the first contact in the step, 0 at its start and 1 at its end: none before the
                                   ///< lower one, one until the upper one
    bool has_end_time;             ///< likewise: of an end and a pass
    double end_lower, end_upper;   ///< the last contact in the step
} graze_event;

typedef enum graze_undecided_reason
{
    GRAZE_UNDECIDED_BUDGET = 0, ///< the budget did not suffice
    GRAZE_UNDECIDED_CURVED,     ///< tested: curved shapes, nearer to touching than can be told
    GRAZE_UNDECIDED_MOTION      ///< tested: apart after the step of a continuous update; whether they met within it is
                                ///< not decided for these shapes
} graze_undecided_reason;

/// A pair of which this frame does not know whether it collides. Its last known state may be outdated.
typedef struct graze_undecided_pair
{
    graze_object a, b;
    bool collided;     ///< when it was last decided
    double lower;      ///< certified lower bound of their distance
    uint64_t since;    ///< the first frame that did not decide it
    double importance; ///< as the schedule computed it
    graze_undecided_reason reason;
} graze_undecided_pair;

/// Time of the stages of an update, in seconds.
typedef struct graze_frame_times
{
    double place;   ///< world transforms and AABBs
    double broad;   ///< broad phase; with several threads part of the narrow phase overlaps with it
    double examine; ///< narrow phase
    double report;  ///< events and callbacks
} graze_frame_times;

/// The report of a frame. Arrays belong to the scene and live until its next update.
typedef struct graze_frame
{
    uint64_t number;           ///< from 1
    const graze_event *events; ///< by a.index, then b.index
    size_t event_count;
    const graze_undecided_pair *undecided; ///< in the same order; empty without a budget and curved shapes
    size_t undecided_count;
    size_t object_count, moved_count;
    size_t box_pairs; ///< candidate pairs: AABBs overlap and the rules of interest accept them
    size_t examined;  ///< of these, pairs tested by the narrow phase in this frame
    size_t colliding; ///< pairs that collide now
    graze_frame_times times;
    size_t unknown_count; ///< how many of the undecided pairs are not GRAZE_UNDECIDED_BUDGET
    size_t pass_count;    ///< events that are GRAZE_EVENT_PASS
    size_t asleep_count;  ///< pairs with an object that moved that were not tested, because of promises
} graze_frame;

/// The order in which pairs are tested when there is a budget (Daneu, 4.1.4). Pairs left undecided come first, the
/// longest waiting first, so none starves. A pair that was tested without a decision goes to the end of that queue, so
/// that one expensive pair cannot block the others.
typedef enum graze_schedule
{
    GRAZE_SCHEDULE_SEQUENTIAL = 0, ///< by index
    GRAZE_SCHEDULE_ROUND_ROBIN,    ///< by index, but each frame goes on where the last one stopped
    GRAZE_SCHEDULE_SORTED,         ///< by importance
    GRAZE_SCHEDULE_PRIORITY        ///< by importance, in small pieces of work: one that takes long falls behind others
} graze_schedule;

/// How important a pair is: larger comes first.
typedef double (*graze_importance_function)(void *user, const graze_scene *scene, graze_object a, graze_object b);

/// Called with each event. The scene may be changed from within, but not updated or destroyed; what is changed counts
/// for the next frame.
typedef void (*graze_event_function)(void *user, graze_scene *scene, const graze_event *event);

/// Start from graze_update_options_default(); NULL means the same.
typedef struct graze_update_options
{
    size_t struct_size;
    graze_budget budget; ///< for the whole update. Transforms, broad phase and the one-time preprocessing of solids
                         ///< always complete; the rest is available to the narrow phase. Used up: pairs are undecided.
                         ///< The narrow phase gets half of `seconds` even where the rest took longer than all of it.
                         ///< A budget of box tests runs on one thread
    graze_schedule schedule;
    graze_importance_function importance; ///< NULL: the size of the boxes, by their distance from the viewpoint if any
    void *importance_user;
    const double *viewpoint;       ///< three doubles, or NULL
    graze_event_function on_event; ///< for all events, after that of the pair; may be NULL
    void *on_event_user;
    bool contacts;            ///< events of collisions carry contacts for solvers (graze/shape_contact.h), of meshes as
                              ///< well, but not those of sensors
    uint32_t contact_points;  ///< of a manifold, at most: as graze_shape_contact_options.most_points
    double contact_margin;    ///< as graze_shape_contact_options.margin
    bool continuous;          ///< tests the whole step from the last update to this one
    graze_motion_kind motion; ///< of a continuous update: how objects move that were given a pose, or follow their
                              ///< parents: by a turn (as graze_motion_between makes it; the default), by a blend, or
                              ///< not (still): they jump. What only translates moves along a line in either case
} graze_update_options;

GRAZE_INLINE graze_update_options graze_update_options_default(void)
{
    graze_update_options options;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.contact_points = 4;
    options.contact_margin = -1;
    options.motion = GRAZE_MOTION_TURN;
    return options;
}

/// Applies all buffered changes, runs broad and narrow phase, and reports events. Only pairs with an object that moved
/// are tested again.
/// Guarantee: exact. Events are those of comparing every pair of interest, and come in the same order for any number of
/// threads. (With a budget, or curved shapes: those that could be decided; the others are in `undecided`, and nothing
/// is dropped.)
/// @param out_frame  may be NULL
/// Of a continuous update: events of two meshes, or of polytopes, are those of comparing every pair of interest by
/// graze_pair_impact over the step. Of a pair that collides before and after it nothing in between is reported. An
/// object that is new stands at its pose during the step, and one with a new mesh or shape has it from the start. Of
/// pairs with a shape that is neither mesh nor polytope times are certified intervals; one that is apart after the step
/// and of which neither contact nor clearance within it can be proved is undecided (GRAZE_UNDECIDED_MOTION).
/// Fails with OUT_OF_MEMORY; NOT_FINITE when a pose in the world overflows; NOT_RIGID or SINGULAR when the pose of an
/// object in the world, or of a part of it, is none that its shape may have (then the object, or one above it, is to be
/// moved elsewhere), NOT_RIGID also when an object has no rotation before or after a step in which it is to turn;
/// BAD_ARGUMENT (options out of range, or called from within a callback); CANCELLED (budget). The
/// next update that succeeds reports what one that failed could not, but for contacts within the step of one that
/// failed with OUT_OF_MEMORY or was cancelled.
GRAZE_API graze_status graze_scene_update(graze_scene *scene, const graze_update_options *options,
                                          graze_frame *out_frame);

/// Bytes in use, without the caller's meshes and trees.
GRAZE_API size_t graze_scene_memory_size(const graze_scene *scene);

GRAZE_END_DECLS

#endif
