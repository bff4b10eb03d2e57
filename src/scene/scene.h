/* SPDX-License-Identifier: MIT */
/*
 * src/scene: many objects. See README.md.
 *
 * Internals of a scene. Objects are an array by index; an object changed since the last update is listed once as dirty
 * (the back buffer). scene.c and object_properties.c implement the calls on objects, shared_data.c shares what is
 * derived from a mesh between its objects, world_transforms.c computes world poses, with the bounds of world_bounds.c,
 * and updates the broad phase, interest.c is its collision filter, contacts.c keeps a contact for each pair whose boxes
 * overlap, schedule.c orders the contacts to test, narrow_phase.h says which files test them, shape_pairs.c tests those
 * with a shape, event_contacts.c finds contacts for solvers, events.c reports the results, frame.c runs an update. Of
 * continuous updates step_motions.c makes and bounds the motions of the step, step_pairs.c tests pairs over it (where
 * it begins: step_start.c), step_shapes.c those with a shape that is not made of triangles. promises.c lets pairs
 * sleep.
 */
#ifndef GRZ_SCENE_SCENE_H
#define GRZ_SCENE_SCENE_H

#include <stdatomic.h>

#include "base/array.h"
#include "base/hash_map.h"
#include "base/sort.h"
#include "graze/cache.h"
#include "graze/interest.h"
#include "graze/scene.h"
#include "graze/search.h"
#include "pair/derived_data.h"
#include "shape/quick_body.h"

#define GRZ_NO_OBJECT UINT32_MAX
#define GRZ_ALL_OBJECT_FLAGS (GRAZE_OBJECT_STATIC | GRAZE_OBJECT_SENSOR | GRAZE_OBJECT_SOLID)
#define GRZ_CACHE_LINE_SIZE 64 /* data that several threads write is aligned to cache lines */

typedef enum grz_object_state
{
    GRZ_OBJECT_FREE = 0, /* no object; the index can be reused */
    GRZ_OBJECT_ALIVE,
    GRZ_OBJECT_REMOVED /* removed; the next update reports its last events */
} grz_object_state;

/* A bounding sphere in world coordinates. */
typedef struct grz_world_sphere
{
    double centre[3], radius;
    double error; /* error bound of the centre along any axis; the radius includes it */
} grz_world_sphere;

/* Which poses a shape may have, so that the shape need not be read at every move. */
typedef enum grz_pose_rule
{
    GRZ_POSE_ANY = 0,
    GRZ_POSE_RIGID,
    GRZ_POSE_ASK /* graze_placed_check */
} grz_pose_rule;

/* What a move and the listing of moved objects need comes first, in two cache lines. */
typedef struct grz_object_record
{
    graze_pose pose; /* relative to the parent, as last set: the back buffer */
    uint32_t parent, first_child;
    uint32_t level; /* depth in the hierarchy; 0: no parent */
    float defect;   /* grz_pose_defect of `pose`, or GRZ_DEFECT_UNKNOWN */
    uint8_t state, layer, interest;
    uint8_t pose_rule;   /* grz_pose_rule of the shape */
    bool solid;          /* is a solid body, as last set */
    bool dirty;          /* is in scene->dirty */
    bool placed;         /* has a world pose: an update has placed it */
    bool in_broad_phase; /* has a box in the broad phase */
    bool has_own_tree;   /* `tree` is the caller's */
    bool along;          /* the next step is along a motion of scene->pending, */
    bool swept;          /* the box in the broad phase is that of a step */
    bool reshaped;       /* mesh, shape or `solid` were set since the last update */
    uint32_t pending;    /* with this index + 1; 0: it has no place there */
    uint32_t assembly;
    graze_box box;                            /* world AABB of the placed mesh */
    const graze_mesh *mesh;                   /* as last set */
    const graze_tree *tree;                   /* the caller's, or the shared one */
    const graze_shape *shape;                 /* as last set, instead of a mesh */
    uint32_t shared_data, placed_shared_data; /* index + 1 in scene->shared_data; 0: no mesh */
    uint32_t next_sibling, previous_sibling;
    uint32_t promise; /* index + 1 in scene->promises; 0: none */
    uint32_t epoch;   /* another one whenever what its pairs' sleep relies on may have changed */
} grz_object_record;

/* Whether an object has geometry: a mesh with triangles, or a shape. */
static inline bool grz_record_has_geometry(const grz_object_record *record)
{
    return record->shape != NULL || (record->mesh != NULL && graze_mesh_triangle_count(record->mesh) > 0);
}

/*
 * Data that the narrow phase and event threads read is stored apart from the records, which so stay in the cache of the
 * thread that moves and places objects: the world state, which changes in every frame in which the object moves, and
 * the mesh or shape, which seldom changes.
 */
typedef struct grz_world_state
{
    graze_pose world;        /* as of the last update: the front buffer */
    grz_world_sphere sphere; /* around the placed mesh */
} grz_world_state;

typedef struct grz_placed_shape
{
    const graze_mesh *mesh; /* as of the last update; NULL: none */
    const graze_tree *tree;
    const graze_shape *shape;         /* instead of a mesh; NULL: none */
    const grz_support_table *support; /* support table of the mesh; NULL: unknown */
    bool solid;                       /* the object is a solid body, as of the last update */
    bool removed;                     /* the object was removed: mesh and shape may be destroyed */
} grz_placed_shape;

static inline bool grz_has_geometry(const grz_placed_shape *placed)
{
    return placed->mesh != NULL || placed->shape != NULL;
}

/* Data of an object that events contain; user and flags as last set. */
typedef struct grz_label
{
    void *user;
    uint32_t generation;
    uint8_t flags;
} grz_label;

/* What is derived from a mesh, for all objects with that mesh. */
typedef struct grz_shared_data
{
    grz_derived_data *derived;        /* NULL: free */
    _Atomic(graze_shape *) shapes[2]; /* the mesh as a surface and as a solid; made when a shape is first met */
    uint32_t users;
} grz_shared_data;

/* Interest rule of one pair, valid as long as both handles are. */
typedef struct grz_pair_rule
{
    graze_object a, b; /* a.index < b.index */
    graze_interest interest;
    graze_event_function on_event;
    void *on_event_user, *user_pair;
} grz_pair_rule;

typedef struct grz_interest_rules
{
    bool by_default;
    uint64_t set[GRAZE_LAYER_COUNT];   /* bit b of a: there is a rule for layers a and b */
    uint64_t wants[GRAZE_LAYER_COUNT]; /* bit b of a: the rule for layers a and b is to test them */
    grz_hash_map places;               /* index in `pairs`, by pair of object indices */
    GRZ_ARRAY(grz_pair_rule) pairs;
} grz_interest_rules;

/* Whether a contact is to be tested in this frame. */
typedef enum grz_queue_state
{
    GRZ_NOT_QUEUED = 0,
    GRZ_QUEUED,
    GRZ_TESTED_AHEAD /* it was tested before the broad phase decided whether its boxes still overlap */
} grz_queue_state;

/* Result of a contact that was tested. Results are stored in an array of their own, so that events.c need not read the
   contacts, half of which are in the cache of another thread. */
enum
{
    GRZ_OUTCOME_EVENT = 1, /* there is an event to report */
    GRZ_OUTCOME_COLLIDES = 2
};

/* What is known of a pair at the start of a step. */
typedef enum grz_pair_state
{
    GRZ_PAIR_UNKNOWN = 0,
    GRZ_PAIR_APART,
    GRZ_PAIR_COLLIDING
} grz_pair_state;

/* The step of an object in a continuous update. Every point of it is at each t within `radius` of the point between
   `from` and `to`; the box is around it all the time, before and after the step included. */
typedef struct grz_step
{
    graze_motion motion;
    graze_box box;
    double from[3], to[3], radius;
    double bend; /* how far a point may be from its chord */
    bool jumps;  /* it may begin elsewhere than where the object was, or with another shape */
} grz_step;

/* A promise, and from where it counts. */
typedef struct grz_promise_entry
{
    graze_promise promise;
    uint32_t object;
    bool fresh; /* from the next update on */
    graze_pose base;
    uint64_t base_frame;
} grz_promise_entry;

/* A pair of objects whose boxes overlap. Contacts are read in any order, so what tests of primitives need comes first,
   up to the hit. */
typedef struct grz_contact
{
    uint32_t a, b;  /* indices, a < b; GRZ_NO_OBJECT: free, b is the next free one */
    bool colliding; /* result of the last test */
    bool reported;  /* whether the last frame reported a collision */
    bool undecided; /* not tested since they moved or their boxes began to overlap */
    uint8_t queued; /* grz_queue_state */
    bool ending;    /* their boxes no longer overlap, or one is removed */
    bool has_witness;
    bool of_shapes;            /* one of them had a shape when they were last tested: which of the union counts */
    bool unknown;              /* tested, and curved shapes are too near to touching to tell: undecided */
    bool seen;                 /* scratch of contacts.c */
    bool settled;              /* its state after the step is known; not what was in between */
    uint8_t before;            /* grz_pair_state at the start of the step, when its test began */
    bool passed;               /* apart before and after the step, but not within it; as of frame `stepped` */
    uint8_t disjoint_count;    /* consecutive queries without a hit, up to DISJOINT_ENOUGH */
    uint32_t manifold_request; /* number of the request they answer, at these poses; 0: none */
    uint64_t frame, since;     /* frame of the last test, and the first frame that left it undecided */
    double lower;
    double separating_axis[3]; /* normal of the last separating plane; all zeros: none found yet */
    union
    {
        graze_pair_cache cache;    /* of two meshes */
        graze_shape_hit shape_hit; /* where they met, if they collide */
    };
    graze_hit witness;
    uint64_t tried; /* the last frame whose budget ran out during its test */
    double importance;
    graze_search *search;            /* unfinished query at these poses; or NULL */
    graze_shape_cache *shape_cache;  /* where it may save time; or NULL */
    graze_shape_manifold *manifolds; /* contacts for solvers, or NULL */
    uint32_t manifold_count, manifold_capacity;
    uint64_t stepped;         /* the frame whose step was tested last */
    double first[2], last[2]; /* bounds of the first and last contact in that step */
    uint64_t asleep_until;    /* no test is needed until after this frame, */
    uint32_t epochs[2];       /* while both objects have these */
    uint64_t next_nap;        /* the frame from which on to try to sleep */
    uint8_t naps_in_vain;
} grz_contact;

struct graze_scene
{
    graze_context context;
    graze_scene_def def;
    graze_broad_phase *broad;

    GRZ_ARRAY(grz_object_record) objects;
    GRZ_ARRAY(grz_world_state) world_states; /* by object index */
    GRZ_ARRAY(grz_placed_shape) shapes;
    GRZ_ARRAY(grz_quick_body) quick; /* by object index, as placed; no memory until an object has a shape */
    GRZ_ARRAY(grz_label) labels;
    uint32_t free_object; /* the first free index, or GRZ_NO_OBJECT; `parent` is the next one */
    size_t count;
    GRZ_ARRAY(uint32_t) dirty; /* the back buffer: added, moved or otherwise changed, once each */
    GRZ_ARRAY(uint32_t) removed;
    size_t retiring_count;     /* how many of these the current update reports */
    GRZ_ARRAY(uint32_t) level; /* scratch of world_transforms.c: objects of one level, and of the next */
    GRZ_ARRAY(uint32_t) next_level;
    GRZ_ARRAY(uint32_t) placed;        /* objects placed in this update; capacity for all objects */
    GRZ_ARRAY(uint32_t) placed_ranks;  /* by object: index + 1 in `placed`; 0: not in it */
    GRZ_ARRAY(graze_pose) world_poses; /* new world poses of objects with a parent, by index in `placed` */

    GRZ_ARRAY(graze_motion) pending; /* of graze_scene_move_along, for the next update */
    GRZ_ARRAY(grz_step) steps;       /* by index in `placed` */
    GRZ_ARRAY(uint32_t) swept;       /* objects whose box in the broad phase is that of a step */
    GRZ_ARRAY(grz_promise_entry) promises;
    size_t asleep_count; /* contacts not queued in this update since they sleep */

    GRZ_ARRAY(grz_shared_data) shared_data;
    uint32_t free_shared_data; /* the first free index, or GRZ_NO_OBJECT; `users` is the next one */
    grz_hash_map shared_data_of_mesh;
    grz_interest_rules rules;

    GRZ_ARRAY(grz_contact) contacts;
    uint32_t free_contact;       /* the first free index, or GRZ_NO_OBJECT; `b` is the next one */
    graze_motion_kind step_kind; /* in a continuous update, of objects without a motion of their own */
    GRZ_ARRAY(uint32_t) ending;
    GRZ_ARRAY(uint32_t) list;      /* contacts to test, in the order of the schedule */
    size_t last_queue_count;       /* size of the list in the last frame, if it decided all of them; else 0 */
    GRZ_ARRAY(uint8_t) outcomes;   /* of the contacts in the list */
    GRZ_ARRAY(uint64_t) pair_keys; /* grz_pair_key of the contacts in the list */
    GRZ_ARRAY(uint32_t) postponed; /* contacts that the last frame left undecided */

    uint64_t frame;
    uint64_t update;           /* number of updates, failed ones included */
    bool has_shapes;           /* an object has, or had, a shape: `quick` has room for all */
    bool has_parents;          /* an object has, or had, a parent */
    bool out_of_sync;          /* contacts and box pairs may disagree: the last update failed in between */
    bool stepping;             /* the current update, or else the last one, is continuous */
    bool stepped;              /* and succeeded */
    bool updating;             /* an update is running: no other may begin */
    bool wants_support_tables; /* some contacts were disjoint often enough */
    uint64_t round_robin;      /* key of the pair with which the next frame begins */
    GRZ_ARRAY(graze_event) events;
    GRZ_ARRAY(graze_undecided_pair) undecided;
    GRZ_ARRAY(grz_key_value) keyed;

    bool wants_manifolds; /* contacts for solvers are asked for, in these words: */
    double manifold_margin;
    uint32_t manifold_points;
    uint32_t manifold_request; /* a number for them, from 1 on */
};

/* The record of a handle, or NULL when it is stale. */
grz_object_record *grz_scene_find(const graze_scene *scene, graze_object object);
graze_object grz_scene_handle(const graze_scene *scene, uint32_t index);

/* A mesh at its pose as of the last update. */
static inline graze_placed_mesh grz_scene_placed_mesh(const graze_scene *scene, uint32_t index)
{
    const grz_placed_shape *shape = &scene->shapes.data[index];
    return (graze_placed_mesh){shape->mesh, shape->tree, scene->world_states.data[index].world};
}

/* A placed shape as of the last update, of an object that has one. */
static inline graze_placed grz_scene_placed_shape(const graze_scene *scene, uint32_t index)
{
    return (graze_placed){scene->shapes.data[index].shape, scene->world_states.data[index].world};
}

/* Marks an object as dirty. Cannot fail: graze_scene_add reserves memory. */
void grz_scene_mark_dirty(graze_scene *scene, uint32_t index);

/* Puts an object below a parent (GRZ_NO_OBJECT: none) with which it has no link yet, and sets its level; its children
   stay. And the reverse. scene.c */
void grz_scene_attach(graze_scene *scene, uint32_t index, uint32_t parent);
void grz_scene_detach(graze_scene *scene, uint32_t index);

/* The data derived from a mesh, new if there are none of it as it is now; counts a user. And the reverse: without users
   they are destroyed. shared_data.c */
graze_status grz_scene_share_data(graze_scene *scene, const graze_mesh *mesh, uint32_t *out_place);
void grz_scene_release_data(graze_scene *scene, uint32_t place);

/* Of the mesh of an object as of the last update, which must have one. Any number of threads may use them. */
grz_derived_data *grz_scene_placed_data(const graze_scene *scene, uint32_t index);

/* An object with geometry as a placed shape, also where it has a mesh. False when out of memory. Thread-safe. */
bool grz_scene_as_shape(const graze_scene *scene, uint32_t index, graze_placed *out_placed);

size_t grz_scene_shared_data_memory(const graze_scene *scene);
void grz_scene_shared_data_release(graze_scene *scene);

/* Lists the objects to place and computes their world poses; places them, storing in *out_placed how many are placed so
   far; updates the broad phase. world_transforms.c */
graze_status grz_scene_list_moved(graze_scene *scene);
void grz_scene_place_objects(graze_scene *scene, atomic_size_t *out_placed);
graze_status grz_scene_update_boxes(graze_scene *scene);

/* Makes the steps of the objects to be placed. Fails with NOT_RIGID, NOT_FINITE or OUT_OF_MEMORY. step_motions.c */
graze_status grz_scene_make_steps(graze_scene *scene);

/* Bounds a step; `before` is the box before it, or NULL. The object is placed. */
void grz_step_bound(const grz_object_record *record, const grz_world_state *placed, const graze_box *before,
                    grz_step *step);

/* The step of an object as of this update: it may stand still. */
void grz_scene_step_motion(const graze_scene *scene, uint32_t index, graze_motion *out_motion);

/* Whether two objects certainly share no point during the step, between the two frames. */
bool grz_steps_apart(const graze_scene *scene, uint32_t a, uint32_t b);

/* Finds out whether and when a contact, whose state after the step is known, met within the step. UNFINISHED: the
   budget did not suffice; contact->unknown: it cannot be told. step_pairs.c */
graze_status grz_scene_test_step(const graze_scene *scene, grz_contact *contact, const graze_budget *budget,
                                 uint64_t *out_box_tests);

/* Checks all promises, once objects are placed: those that were broken hold anew. promises.c */
void grz_promises_check(graze_scene *scene);
bool grz_contact_sleeps(const graze_scene *scene, const grz_contact *contact);

/* Lets a contact that is apart sleep as long as promises allow. */
graze_status grz_contact_try_sleep(const graze_scene *scene, grz_contact *contact, const graze_budget *budget);

/* Whether, where the step begins, one solid lies in the other, whose surface is apart from its own; uncertain: it may.
   Fails with OUT_OF_MEMORY and TOO_LARGE. step_start.c */
graze_status grz_step_begins_inside(const graze_scene *scene, const grz_contact *contact, const graze_moving_mesh *a,
                                    const graze_moving_mesh *b, bool *out_inside, bool *out_certain);

/* The same for a pair with a shape that is not made of triangles. step_shapes.c */
graze_status grz_step_advance(const graze_scene *scene, grz_contact *contact, const graze_budget *budget,
                              uint64_t *out_box_tests);

static inline bool grz_contact_passed(const graze_scene *scene, const grz_contact *contact)
{
    return contact->passed && contact->stepped == scene->frame;
}

/* Whether placing uses all threads, so that none is free for the narrow phase meanwhile. */
bool grz_scene_places_in_parallel(const graze_scene *scene);

/* World AABB and bounding sphere of a placed mesh that has triangles, rounded outward. world_bounds.c */
graze_box grz_world_aabb(const graze_mesh *mesh, const graze_pose *pose);
void grz_world_bounds(const graze_mesh *mesh, const graze_pose *pose, graze_box *out_box, grz_world_sphere *out_ball);

/* The same of a placed shape, whose pose was checked. Boxes are finite: what is unbounded has the largest one. The box
   of what is empty has its lower end above the upper one. */
void grz_world_bounds_of_shape(const graze_shape *shape, const graze_pose *pose, graze_box *out_box,
                               grz_world_sphere *out_ball);

/* Whether an object may have a pose in the world: graze_placed_check, or that of a pose alone. */
graze_status grz_scene_check_pose(const graze_shape *shape, const graze_pose *pose);

/* The same, by its rule. *out_defect is grz_pose_defect, if it was needed. */
graze_status grz_scene_check_world_pose(const grz_object_record *record, const graze_pose *pose, float *out_defect);

/* Whether two spheres are disjoint; conservative: false when unsure. */
bool grz_world_spheres_disjoint(const grz_world_sphere *a, const grz_world_sphere *b);

/* The filter of the broad phase. interest.c */
bool grz_interest_filter(void *scene, uint32_t a, uint32_t b);

/* Has the next update filter all pairs of an object again. */
void grz_interest_refilter(graze_scene *scene, uint32_t index);
const grz_pair_rule *grz_interest_rule(const graze_scene *scene, uint32_t a, uint32_t b);
void grz_interest_release(graze_scene *scene);

/* Adds contacts for box pairs that began, marks those that ended, and queues those with an object that moved. False
   when out of memory. contacts.c */
bool grz_contacts_update(graze_scene *scene, const graze_broad_phase_changes *changes);
void grz_contacts_remove_ended(graze_scene *scene);

/* Forgets what is known of a contact but its state: cache, search and manifolds. */
void grz_contact_clear(const graze_scene *scene, grz_contact *contact);
size_t grz_contacts_memory(const graze_scene *scene);
void grz_contacts_release(graze_scene *scene);

/* Both indices of a contact: the key by which events are sorted. */
static inline uint64_t grz_pair_key(const grz_contact *contact)
{
    return (uint64_t)contact->a << 32 | contact->b;
}

/* Whether a contact that was tested, and whose boxes overlap, has an event to report. */
static inline bool grz_contact_has_event(const graze_scene *scene, const grz_contact *contact)
{
    return contact->colliding ? !scene->def.leave_out_stays || !contact->reported
                              : contact->reported || grz_contact_passed(scene, contact);
}

/* Completes the options of an update (struct_size.h), NULL: the defaults. False when they are not valid. frame.c */
bool grz_update_options_take(const graze_update_options *options, graze_update_options *out_options);

/* Sorts the list of contacts to test by the schedule. False when out of memory. schedule.c */
bool grz_schedule(graze_scene *scene, const graze_update_options *options);

/* Tests the meshes of all contacts in the list, until the deadline (0: none; grz_clock_now). narrow_phase.c */
graze_status grz_narrow_phase(graze_scene *scene, const graze_update_options *options, uint64_t deadline);

/* Whether both are primitives in a few numbers. */
static inline bool grz_contact_is_quick(const graze_scene *scene, const grz_contact *contact)
{
    return scene->has_shapes && grz_quick_body_is_placed(&scene->quick.data[contact->a]) &&
           grz_quick_body_is_placed(&scene->quick.data[contact->b]);
}

/* Tests a contact of two primitives quickly; UNKNOWN: it is not one, or this does not decide it. The contact gets the
   hit. shape_pairs.c */
graze_verdict grz_scene_test_quick(const graze_scene *scene, grz_contact *contact);

/* Tests a contact of which one object has a shape. The contact gets the hit. */
graze_status grz_scene_test_shapes(const graze_scene *scene, grz_contact *contact, const graze_budget *budget,
                                   graze_verdict *out_verdict, uint64_t *out_box_tests);

/* Calls first(argument) and returns its status. Meanwhile other threads, if any are free, test contacts of the last
   frame with an object that moved (these will be in the list unless they end), as soon as *placed says that both
   objects are placed. */
graze_status grz_narrow_phase_ahead(graze_scene *scene, uint64_t deadline, const atomic_size_t *placed,
                                    graze_status (*first)(void *argument), void *argument);

/* Writes the events and the undecided pairs, which the next frame tests. On failure nothing is reported. events.c */
graze_status grz_report_events(graze_scene *scene, uint64_t deadline, graze_frame *frame);

/* Takes what the options say of contacts for solvers. event_contacts.c */
void grz_contact_request_take(graze_scene *scene, const graze_update_options *options);

/* Finds the contacts for solvers of the listed contacts that collide and have none yet, on several threads; after the
   deadline (0: none) the rest goes without. */
graze_status grz_find_event_contacts(graze_scene *scene, const grz_key_value *listed, size_t count, uint64_t deadline);

/* Whether the contacts for solvers of a contact are known as they are asked for. */
static inline bool grz_contact_has_manifolds(const graze_scene *scene, const grz_contact *contact)
{
    return scene->wants_manifolds && contact->manifold_request == scene->manifold_request;
}

/* Discards the results of tests ahead: the update failed. */
void grz_narrow_phase_discard_ahead(graze_scene *scene);

#endif
