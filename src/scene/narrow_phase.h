/* SPDX-License-Identifier: MIT */
/*
 * What the files of the narrow phase of a scene share: narrow_phase.c tests the contacts of a frame on several threads,
 * narrow_phase_ahead.c those of the last frame while the broad phase runs, contact_test.c one of them, and
 * support_tables.c has the support tables that separate meshes without a query.
 */
#ifndef GRZ_SCENE_NARROW_PHASE_H
#define GRZ_SCENE_NARROW_PHASE_H

#include "scene/scene.h"

enum
{
    GRZ_DISJOINT_ENOUGH = 3, /* queries without a hit after which support tables are built */
    GRZ_FEW_FOR_THREADS = 8  /* contacts that one thread tests faster than others wake up */
};

/* A counter from which threads take work, alone in its cache line (no false sharing). */
typedef struct grz_work_counter
{
    _Alignas(GRZ_CACHE_LINE_SIZE) atomic_size_t value;
    char alone[GRZ_CACHE_LINE_SIZE - sizeof(atomic_size_t)];
} grz_work_counter;

typedef struct grz_narrow_phase_work
{
    graze_scene *scene;
    uint64_t deadline;          /* 0: none */
    uint64_t piece;             /* box tests a contact may take in this round; 0: no limit */
    const graze_budget *budget; /* of the update */
    uint64_t box_tests;         /* done, where the budget limits them: then one thread works */
    size_t all;                 /* contacts */
    uint64_t unchecked_work;    /* of the caller's thread since it called the progress function */
    atomic_size_t decided;      /* contacts, where there is a progress function */
    atomic_bool cancelled;      /* it said so */
    bool again;                 /* not the first round */
    size_t chunk, chunk_count;
    uint64_t caller;                  /* thread id of the caller */
    atomic_int status;                /* first failure */
    atomic_bool undecided;            /* some contacts are */
    atomic_bool unknown;              /* some contacts of curved shapes are, though tested */
    atomic_bool wants_support_tables; /* some contacts were disjoint often enough */
    grz_work_counter taken;           /* chunks taken */
    grz_work_counter front, back;     /* of these, at either end */
} grz_narrow_phase_work;

/* Begins the test of a contact in this frame: what it was before is kept, and it is undecided. */
void grz_contact_begin_test(const graze_scene *scene, grz_contact *contact);

/* Tests a contact, or more of it. UNFINISHED: the budget did not suffice. */
graze_status grz_contact_test(grz_narrow_phase_work *w, grz_contact *contact);

/* Only where the budget has a progress function: calls it on the caller's thread. Returns whether to go on. */
bool grz_narrow_phase_may_continue(void *work, double share);

/* Whether a separating plane is found from the support tables. Contacts that collided the last time are not tried. */
bool grz_contact_is_separated(const graze_scene *scene, grz_contact *contact);

bool grz_object_needs_support_table(const grz_placed_shape *shape);

/* Builds support tables of meshes whose contacts were disjoint often, a few in each frame, since that takes time. With
   a deadline (not 0) only those for which there is time. */
void grz_scene_build_support_tables(graze_scene *scene, uint64_t deadline);

#endif
