/* SPDX-License-Identifier: MIT */
/*
 * A scene from inside. Objects lie in an array by index; what was done to them since the last update is noted once
 * each (the back buffer). scene.c takes the calls, shared_trees.c shares trees between objects of one mesh,
 * world_transforms.c moves objects into the world, where world_bounds.c puts boxes around them, and tells the broad
 * phase, interest.c decides which pairs count, contacts.c keeps what is known of each pair whose boxes meet,
 * narrow_phase.c looks at the meshes, schedule.c in which order, events.c tells what came of it, frame.c puts an update
 * together.
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
#include "scene/containment.h"
#include "scene/support_cache.h"

#define GRZ_NO_OBJECT UINT32_MAX
#define GRZ_CACHE_LINE_SIZE 64 /* of the processor's cache: what several threads use lies in lines of its own */

typedef enum grz_object_state
{
    GRZ_OBJECT_FREE = 0, /* no object; the index may be used */
    GRZ_OBJECT_ALIVE,
    GRZ_OBJECT_REMOVED /* removed; takes part in the events of the next update for the last time */
} grz_object_state;

/* A ball in the world. */
typedef struct grz_world_sphere
{
    double centre[3], radius;
    double error; /* what the centre is off by along any axis; the radius makes up for it */
} grz_world_sphere;

typedef struct grz_object_record
{
    graze_pose pose;        /* relative to the parent, as given last: the back buffer */
    graze_box box;          /* in the world, around what was placed there */
    const graze_mesh *mesh; /* as given last */
    const graze_tree *tree;
    uint32_t parent, first_child, next_sibling, previous_sibling;
    uint32_t level; /* 0 for one without parent */
    uint32_t assembly;
    uint32_t shared_tree, placed_shared_tree; /* place + 1 in the scene's trees; 0: the caller's own, or none */
    uint8_t state, layer, interest;
    bool dirty;          /* is in the scene's list of changes */
    bool placed;         /* has a pose in the world: an update has seen it */
    bool in_broad_phase; /* has a box in the broad phase */
} grz_object_record;

/*
 * What threads need that look at contacts, or tell of them, lies apart from the records, which so remain with the
 * thread that moves and places objects: its world_state, which is another in every frame in which it moves, and its
 * shape, which seldom changes.
 */
typedef struct grz_world_state
{
    graze_pose world;        /* as of the last update: the front buffer */
    grz_world_sphere sphere; /* around what was placed there */
} grz_world_state;

typedef struct grz_placed_shape
{
    const graze_mesh *mesh; /* as of the last update; NULL: none, */
    const graze_tree *tree;
    const grz_support_table *support; /* and its table; NULL: unknown */
    bool solid;                       /* the object is a body, */
    bool removed;                     /* and was removed: the mesh may be gone */
} grz_placed_shape;

/* What events tell of an object, and what does not change as long as it lives. */
typedef struct grz_label
{
    void *user;
    uint32_t generation;
    uint8_t flags;
} grz_label;

/* A tree that the scene built, for all its objects with that mesh. */
typedef struct grz_shared_tree
{
    const graze_mesh *mesh; /* NULL: free */
    graze_tree *tree;
    grz_identity identity; /* of the mesh when it was built */
    uint32_t users;
} grz_shared_tree;

/* A rule for one pair. It holds as long as both names do. */
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
    uint64_t wants[GRAZE_LAYER_COUNT]; /* and what it says */
    grz_hash_map places;               /* of pairs of indices among the rules */
    GRZ_ARRAY(grz_pair_rule) pairs;
} grz_interest_rules;

/* Whether a contact is to be looked at in this frame. */
typedef enum grz_queue_state
{
    GRZ_NOT_QUEUED = 0,
    GRZ_QUEUED,
    GRZ_TESTED_AHEAD /* it was looked at while the broad phase had yet to say whether it goes on */
} grz_queue_state;

/* What became of a contact that was decided: in a list of their own, so that a report need not go through contacts, of
   which half are with another thread. */
enum
{
    GRZ_OUTCOME_EVENT = 1, /* there is something to report, */
    GRZ_OUTCOME_COLLIDES = 2
};

/* What is known of a pair whose boxes meet. */
typedef struct grz_contact
{
    uint32_t a, b;  /* indices, a < b; GRZ_NO_OBJECT: free, b is the next free one */
    bool colliding; /* when last decided */
    bool reported;  /* whether the last frame said that they collide */
    bool undecided; /* since they moved, or came together, there was no time to look */
    uint8_t queued; /* grz_queue_state */
    bool ending;    /* their boxes no longer meet, or one is gone */
    bool has_witness;
    bool seen;              /* scratch of contacts.c */
    uint8_t disjoint_count; /* queries in vain, one after the other, as far as it matters */
    uint64_t frame, since;  /* when it was decided, and the first frame that did not */
    uint64_t tried;         /* the last frame whose time ran out while it was looked at */
    double importance, lower;
    double separating_axis[3]; /* of a plane that parted them; all zeros: none did yet */
    graze_search *search;      /* one that was not finished, for these poses; or NULL */
    graze_hit witness;
    graze_pair_cache cache;
} grz_contact;

struct graze_scene
{
    graze_context context;
    graze_scene_def def;
    graze_broad_phase *broad;

    GRZ_ARRAY(grz_object_record) objects;
    GRZ_ARRAY(grz_world_state) world_states; /* of the objects, by index */
    GRZ_ARRAY(grz_placed_shape) shapes;
    GRZ_ARRAY(grz_label) labels;
    uint32_t free_object; /* the first free index, or GRZ_NO_OBJECT; the next is in `parent` */
    size_t count;
    GRZ_ARRAY(uint32_t) dirty; /* the back buffer: added, moved or otherwise changed, once each */
    GRZ_ARRAY(uint32_t) removed;
    size_t retiring_count;     /* of these, how many the update under way tells of */
    GRZ_ARRAY(uint32_t) level; /* scratch of world_transforms.c: objects of one level, and of the next */
    GRZ_ARRAY(uint32_t) next_level;
    GRZ_ARRAY(uint32_t) placed;        /* in this update, or about to be; there is always room for all */
    GRZ_ARRAY(uint32_t) placed_ranks;  /* by object: its place among these + 1; 0: it is not among them */
    GRZ_ARRAY(graze_pose) world_poses; /* where to, for those with a parent, in the same order */

    GRZ_ARRAY(grz_shared_tree) trees;
    uint32_t free_tree; /* as for objects */
    grz_hash_map tree_of_mesh;
    grz_interest_rules rules;
    grz_solid_cache solids;
    grz_support_cache support_cache;

    GRZ_ARRAY(grz_contact) contacts;
    uint32_t free_contact; /* as for objects */
    GRZ_ARRAY(uint32_t) ending;
    GRZ_ARRAY(uint32_t) list;      /* contacts to look at, in the order of the schedule, */
    size_t last_queue_count;       /* and, after so many places, those of the last frame, when it decided all of them */
    GRZ_ARRAY(uint8_t) outcomes;   /* GRZ_OUTCOME_... of those in the list, */
    GRZ_ARRAY(uint64_t) pair_keys; /* and both indices */
    GRZ_ARRAY(uint32_t) postponed; /* contacts that the last frame left undecided */
    bool out_of_sync;              /* contacts and pairs of boxes do not agree: the last update failed in between */

    uint64_t frame;
    uint64_t update;           /* counts those that failed as well */
    bool updating;             /* an update is under way: no other may begin */
    bool wants_support_tables; /* some contacts were apart often enough */
    bool has_solids;           /* there are, or were, objects that are bodies */
    uint64_t round_robin;      /* the key of the pair after which the next frame goes on */
    GRZ_ARRAY(graze_event) events;
    GRZ_ARRAY(graze_undecided_pair) undecided;
    GRZ_ARRAY(grz_key_value) keyed;
};

/* The record of a name, or NULL when it is stale. */
grz_object_record *grz_scene_find(const graze_scene *scene, graze_object object);
graze_object grz_scene_handle(const graze_scene *scene, uint32_t index);

/* A mesh where the last update placed it. */
static inline graze_placed_mesh grz_scene_placed_mesh(const graze_scene *scene, uint32_t index)
{
    const grz_placed_shape *shape = &scene->shapes.data[index];
    return (graze_placed_mesh){shape->mesh, shape->tree, scene->world_states.data[index].world};
}

/* Notes that something about an object has changed. There is always room: see graze_scene_add. */
void grz_scene_mark_dirty(graze_scene *scene, uint32_t index);

/* The scene's tree for a mesh, built when there is none yet; `users` goes up. shared_trees.c */
graze_status grz_scene_share_tree(graze_scene *scene, const graze_mesh *mesh, uint32_t *out_place);
void grz_scene_release_tree(graze_scene *scene, uint32_t place);

/* Lists what is to be placed and works out where; places it, and says how many of the list are, as it goes on; tells
   the broad phase. world_transforms.c */
graze_status grz_scene_list_moved(graze_scene *scene);
void grz_scene_place_objects(graze_scene *scene, atomic_size_t *out_placed);
graze_status grz_scene_update_boxes(graze_scene *scene);

/* Whether threads share the placing: then they have nothing to spare until it is done. */
bool grz_scene_places_in_parallel(const graze_scene *scene);

/* A box, and a ball, around a placed mesh that has triangles, rounded outward. world_bounds.c */
graze_box grz_world_aabb(const graze_mesh *mesh, const graze_pose *pose);
void grz_world_bounds(const graze_mesh *mesh, const graze_pose *pose, graze_box *out_box, grz_world_sphere *out_ball);

/* Whether two balls surely share no point. */
bool grz_world_spheres_disjoint(const grz_world_sphere *a, const grz_world_sphere *b);

/* The broad phase's filter. interest.c */
bool grz_interest_filter(void *scene, uint32_t a, uint32_t b);
const grz_pair_rule *grz_interest_rule(const graze_scene *scene, uint32_t a, uint32_t b);
void grz_interest_release(graze_scene *scene);

/* Makes contacts for pairs of boxes that began, sets those aside that ended, and lists those with an object that moved.
   False when out of memory. contacts.c */
bool grz_contacts_update(graze_scene *scene, const graze_broad_phase_changes *changes);
void grz_contacts_remove_ended(graze_scene *scene);
void grz_contacts_release(graze_scene *scene);

/* Both indices of a contact, in the order in which events are told. */
static inline uint64_t grz_pair_key(const grz_contact *contact)
{
    return (uint64_t)contact->a << 32 | contact->b;
}

/* Whether there is something to tell of a contact that was decided, and goes on. */
static inline bool grz_contact_has_event(const graze_scene *scene, const grz_contact *contact)
{
    return contact->colliding ? !scene->def.leave_out_stays || !contact->reported : contact->reported;
}

/* Whether an update takes such options. frame.c */
bool grz_update_options_are_valid(const graze_update_options *options);

/* Puts the list in the order in which it is to be looked at. False when out of memory. schedule.c */
bool grz_schedule(graze_scene *scene, const graze_update_options *options);

/* Looks at the meshes of all contacts in the list, until the deadline (0: none; grz_clock_now). narrow_phase.c */
graze_status grz_narrow_phase(graze_scene *scene, const graze_update_options *options, uint64_t deadline);

/* Calls first(argument) and returns what it does. Meanwhile other threads, if there are any to spare, look at contacts
   of the last frame with an object that moved, which will be in the list unless they end, as soon as *placed says that
   both objects are placed. */
graze_status grz_narrow_phase_ahead(graze_scene *scene, uint64_t deadline, const atomic_size_t *placed,
                                    graze_status (*first)(void *argument), void *argument);

/* Makes the events, and tells of undecided pairs, which the next frame will look at. False when out of memory, with
   nothing reported. events.c */
bool grz_report_events(graze_scene *scene, graze_frame *frame);

/* What was looked at ahead is to be looked at again: the update failed. */
void grz_narrow_phase_discard_ahead(graze_scene *scene);

#endif
