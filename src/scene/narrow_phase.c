/* SPDX-License-Identifier: MIT */
/*
 * Narrow phase of a scene: tests the meshes of contacts (the narrow phase of two meshes is pair/hit/collide.c, that of
 * shapes shape_pairs.c). Threads
 * take one contact after the other; each writes only to its contact, so that results do not depend on the thread. A
 * long query is split further by the query itself, through the same task system. A contact tested in the last frame is
 * in the cache of its thread: so the caller takes chunks of the list from the front and all other threads from the
 * back, and most contacts stay with their thread from frame to frame.
 *
 * While the caller places objects and runs the broad phase, free threads begin with the contacts of the last frame.
 *
 * With a time budget, each contact reached before the deadline gets the remaining time. GRAZE_SCHEDULE_PRIORITY gives
 * each a small number of box tests at first; those that need more are postponed after all others and get four times as
 * many in the next round.
 */
#include <math.h>
#include <stdatomic.h>

#include "base/budget_monitor.h"
#include "base/clock.h"
#include "base/tasks.h"
#include "base/thread.h"
#include "mesh/mesh.h"
#include "scene/containment.h"
#include "scene/scene.h"

enum
{
    FIRST_PIECE = 4096, /* box tests */
    CONTACT_WORK = 64,  /* of a contact beside its query, in box tests */
    MORE_EACH_ROUND = 4,
    FEW_FOR_THREADS = 8,   /* contacts that one thread tests faster than others wake up */
    DISJOINT_ENOUGH = 3,   /* queries without a hit after which support tables are built */
    MOST_TABLES = 8,       /* support tables built in a frame, at most */
    LEAST_TRIANGLES = 64,  /* triangles of a mesh that gets a support table, at least */
    TABLE_NS = 200,        /* time per triangle, at most; with a deadline, half of the time left must suffice */
    SEPARATING_PLANES = 6, /* candidates for a separating plane that are tried */
    PREFETCHED = 8,        /* contacts whose objects are prefetched */
    MOST_DEFERRED = 64,    /* contacts that a thread holds until their objects are placed */
    MOST_IDLE_POLLS = 2000 /* polls without success after which a thread stops */
};

/* A counter from which threads take work, alone in its cache line (no false sharing). */
typedef struct work_counter
{
    _Alignas(GRZ_CACHE_LINE_SIZE) atomic_size_t value;
    char alone[GRZ_CACHE_LINE_SIZE - sizeof(atomic_size_t)];
} work_counter;

typedef struct narrow_phase_work
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
    work_counter taken;               /* chunks taken */
    work_counter front, back;         /* of these, at either end */
} narrow_phase_work;

/* Work done ahead, while the broad phase runs. */
typedef struct ahead_work
{
    narrow_phase_work w;
    graze_status (*first)(void *argument);
    void *argument;
    graze_status status;         /* result of first */
    const atomic_size_t *placed; /* objects placed so far */
    atomic_bool done;            /* first has returned */
    work_counter taken;          /* contacts taken, from the end of the list of the last frame */
} ahead_work;

/* Whether a solid contains a component of the other mesh, where their surfaces are disjoint. */
static graze_status test_containment(const graze_scene *scene, const grz_contact *contact, const graze_placed_mesh *a,
                                     const graze_placed_mesh *b, bool *out_inside)
{
    bool a_is_solid = scene->shapes.data[contact->a].solid, b_is_solid = scene->shapes.data[contact->b].solid;
    *out_inside = false;
    if (!a_is_solid && !b_is_solid)
        return GRAZE_STATUS_OK;
    grz_placed_data data_a = {a, grz_scene_placed_data(scene, contact->a), &scene->objects.data[contact->a].box};
    grz_placed_data data_b = {b, grz_scene_placed_data(scene, contact->b), &scene->objects.data[contact->b].box};
    graze_status status = GRAZE_STATUS_OK;
    if (a_is_solid)
        status = grz_solid_contains(&scene->context, &data_a, &data_b, out_inside);
    if (status == GRAZE_STATUS_OK && !*out_inside && b_is_solid)
        status = grz_solid_contains(&scene->context, &data_b, &data_a, out_inside);
    return status;
}

static grz_placed_support placed_support(const grz_placed_shape *shape, const grz_world_state *world_state)
{
    return (grz_placed_support){shape->support, &world_state->world, world_state->sphere.centre,
                                world_state->sphere.error};
}

static bool has_support_table(const grz_placed_shape *shape)
{
    return shape->support != NULL && grz_identity_equal(shape->support->identity, shape->mesh->identity);
}

static bool needs_support_table(const grz_placed_shape *shape)
{
    return !has_support_table(shape) && shape->tree != NULL && shape->mesh->triangle_count >= LEAST_TRIANGLES;
}

/* Whether a separating plane is found from the support tables. Contacts that collided the last time are not tried. */
static bool are_separated(const graze_scene *scene, grz_contact *contact)
{
    const grz_placed_shape *a = &scene->shapes.data[contact->a], *b = &scene->shapes.data[contact->b];
    if (contact->colliding || contact->search != NULL || !has_support_table(a) || !has_support_table(b))
        return false;
    grz_placed_support first = placed_support(a, &scene->world_states.data[contact->a]);
    grz_placed_support second = placed_support(b, &scene->world_states.data[contact->b]);
    /* shortcut: planes-between */
    return grz_find_separating_plane(&first, &second, SEPARATING_PLANES, contact->separating_axis);
}

/* Only where the budget has a progress function: calls it on the caller's thread. Returns whether to go on. */
static bool may_continue(void *user, double share)
{
    (void)share;
    narrow_phase_work *w = user;
    double decided = (double)atomic_load_explicit(&w->decided, memory_order_relaxed) / (double)w->all;
    if (grz_thread_self() == w->caller)
    {
        w->unchecked_work = 0;
        if (!w->budget->progress(w->budget->progress_user, decided))
            atomic_store(&w->cancelled, true);
    }
    return !atomic_load_explicit(&w->cancelled, memory_order_relaxed);
}

/* The query, or more of one that was begun. *out_box_tests gets what it took. */
static graze_status query_pair(graze_scene *scene, grz_contact *contact, const graze_placed_mesh *a,
                               const graze_placed_mesh *b, graze_budget budget, bool *out_found,
                               uint64_t *out_box_tests)
{
    bool limited = budget.seconds > 0 || budget.box_tests > 0 || budget.progress != NULL;
    if (contact->search == NULL)
    {
        graze_any_options options = graze_any_options_default();
        graze_stats stats = {0};
        options.cache = &contact->cache;
        options.budget = budget;
        options.stats = limited ? &stats : NULL;
        graze_status status = graze_pair_any(&scene->context, a, b, &options, out_found, &contact->witness);
        *out_box_tests = stats.box_tests;
        if (status != GRAZE_STATUS_UNFINISHED || !limited)
            return status;
        /* A long query: kept as a resumable search. */
        status = graze_search_create(&scene->context, a, b, GRAZE_SEARCH_ANY, NULL, &contact->search);
        return status == GRAZE_STATUS_OK ? GRAZE_STATUS_UNFINISHED : status;
    }
    uint64_t before = graze_search_examine(contact->search).stats.box_tests;
    graze_status status = graze_search_run(contact->search, &budget);
    graze_search_state state = graze_search_examine(contact->search);
    *out_box_tests = state.stats.box_tests - before;
    contact->lower = state.distance_lower_bound;
    if (status != GRAZE_STATUS_OK)
        return status;
    *out_found = state.verdict == GRAZE_VERDICT_YES;
    size_t count = 0;
    if (*out_found)
        status = graze_search_hits(contact->search, &contact->witness, 1, &count);
    graze_search_destroy(contact->search);
    contact->search = NULL;
    return status;
}

static void begin_test(const graze_scene *scene, grz_contact *contact)
{
    contact->before = contact->undecided ? GRZ_PAIR_UNKNOWN : contact->colliding ? GRZ_PAIR_COLLIDING : GRZ_PAIR_APART;
    contact->settled = contact->passed = false;
    contact->asleep_until = 0;
    if (!contact->undecided)
        contact->since = scene->frame;
    contact->undecided = true;
    contact->unknown = false;
    contact->manifold_request = 0;
    contact->lower = 0;
}

/* What one query may cost, of what the update may; false when nothing is left. */
static bool share_budget(narrow_phase_work *w, graze_budget *budget)
{
    uint64_t most = w->budget->box_tests;
    if (most > 0 && w->box_tests >= most)
        return false;
    if (most > 0 && (budget->box_tests == 0 || budget->box_tests > most - w->box_tests))
        budget->box_tests = most - w->box_tests;
    if (w->budget->progress != NULL)
    {
        budget->progress = may_continue;
        budget->progress_user = w;
    }
    return true;
}

/* After a query of two meshes: counts those that found nothing, after which support tables are worth their time. */
static void count_disjoint(narrow_phase_work *w, grz_contact *contact, bool found)
{
    const grz_placed_shape *shapes = w->scene->shapes.data;
    contact->disjoint_count =
        found || contact->disjoint_count == DISJOINT_ENOUGH ? 0 : (uint8_t)(contact->disjoint_count + 1);
    if (contact->disjoint_count == DISJOINT_ENOUGH &&
        (needs_support_table(&shapes[contact->a]) || needs_support_table(&shapes[contact->b])))
        atomic_store_explicit(&w->wants_support_tables, true, memory_order_relaxed);
}

static graze_status test_meshes(narrow_phase_work *w, grz_contact *contact, graze_budget budget, bool *out_found,
                                bool *out_inside, uint64_t *out_box_tests)
{
    graze_placed_mesh a = grz_scene_placed_mesh(w->scene, contact->a);
    graze_placed_mesh b = grz_scene_placed_mesh(w->scene, contact->b);
    graze_status status = query_pair(w->scene, contact, &a, &b, budget, out_found, out_box_tests);
    if (status == GRAZE_STATUS_OK && !*out_found)
        status = test_containment(w->scene, contact, &a, &b, out_inside);
    if (status == GRAZE_STATUS_OK)
        count_disjoint(w, contact, *out_found);
    return status;
}

/* What is known of a contact is of two meshes, or not. */
static void set_kind(const graze_scene *scene, grz_contact *contact, bool of_shapes)
{
    if (contact->of_shapes == of_shapes)
        return;
    grz_contact_clear(scene, contact);
    contact->of_shapes = of_shapes;
}

/* What the next query of a contact may cost; UNFINISHED when nothing is left. */
static graze_status next_budget(narrow_phase_work *w, graze_budget *out_budget)
{
    *out_budget = (graze_budget){.box_tests = w->piece};
    if (w->deadline == 0)
        return GRAZE_STATUS_OK;
    if (!share_budget(w, out_budget))
        return GRAZE_STATUS_UNFINISHED;
    if (w->budget->progress != NULL && atomic_load_explicit(&w->cancelled, memory_order_relaxed))
        return GRAZE_STATUS_CANCELLED;
    uint64_t now = grz_clock_now();
    if (now >= w->deadline)
        return GRAZE_STATUS_UNFINISHED;
    out_budget->seconds = (double)(w->deadline - now) * 1e-9;
    return GRAZE_STATUS_OK;
}

static void count_box_tests(narrow_phase_work *w, uint64_t box_tests)
{
    if (w->deadline != 0 && w->budget->box_tests > 0)
        w->box_tests += box_tests;
}

/* Whether they collide where they are now. */
static graze_status test_placed(narrow_phase_work *w, grz_contact *contact)
{
    graze_budget budget;
    graze_status status = next_budget(w, &budget);
    if (status != GRAZE_STATUS_OK)
        return status;
    const grz_world_state *world_states = w->scene->world_states.data;
    const grz_placed_shape *shapes = w->scene->shapes.data;
    bool found = false, inside = false;
    bool of_shapes =
        grz_contact_is_quick(w->scene, contact) || shapes[contact->a].shape != NULL || shapes[contact->b].shape != NULL;
    set_kind(w->scene, contact, of_shapes);
    graze_verdict quick = of_shapes ? grz_scene_test_quick(w->scene, contact) : GRAZE_VERDICT_UNKNOWN;
    found = quick == GRAZE_VERDICT_YES;
    if (quick == GRAZE_VERDICT_UNKNOWN &&
        !grz_world_spheres_disjoint(&world_states[contact->a].sphere, &world_states[contact->b].sphere) &&
        !are_separated(w->scene, contact))
    {
        uint64_t box_tests = 0;
        graze_verdict verdict = GRAZE_VERDICT_NO;
        status = of_shapes ? grz_scene_test_shapes(w->scene, contact, &budget, &verdict, &box_tests)
                           : test_meshes(w, contact, budget, &found, &inside, &box_tests);
        count_box_tests(w, box_tests);
        contact->unknown = verdict == GRAZE_VERDICT_UNKNOWN;
        if (status == GRAZE_STATUS_UNFINISHED || contact->unknown)
            contact->tried = w->scene->frame; /* not so where no time was left to begin */
        if (status != GRAZE_STATUS_OK || contact->unknown)
            return status;
        found = found || verdict == GRAZE_VERDICT_YES;
    }
    contact->settled = true;
    contact->colliding = found || inside;
    contact->has_witness = found;
    return GRAZE_STATUS_OK;
}

/* What was in between the frames. */
static graze_status test_step(narrow_phase_work *w, grz_contact *contact)
{
    graze_budget budget;
    uint64_t box_tests = 0;
    graze_status status = next_budget(w, &budget);
    bool begun = status == GRAZE_STATUS_OK;
    if (begun)
        status = grz_scene_test_step(w->scene, contact, &budget, &box_tests);
    count_box_tests(w, box_tests);
    if (begun && (status == GRAZE_STATUS_UNFINISHED || contact->unknown))
        contact->tried = w->scene->frame;
    if (status != GRAZE_STATUS_UNFINISHED || !(contact->colliding || contact->reported))
        return status;
    /* It has an event in any case: only the times are not known. */
    contact->stepped = w->scene->frame;
    contact->first[0] = contact->last[0] = 0;
    contact->first[1] = contact->last[1] = 1;
    return GRAZE_STATUS_OK;
}

/* Of a contact that is decided: it needs no time that is left. */
static graze_status try_sleep(narrow_phase_work *w, grz_contact *contact)
{
    graze_budget budget;
    graze_status status = next_budget(w, &budget);
    if (status == GRAZE_STATUS_OK)
        status = grz_contact_try_sleep(w->scene, contact, &budget);
    return status == GRAZE_STATUS_UNFINISHED ? GRAZE_STATUS_OK : status;
}

static graze_status test_pair(narrow_phase_work *w, grz_contact *contact)
{
    graze_status status = contact->settled ? GRAZE_STATUS_OK : test_placed(w, contact);
    if (status == GRAZE_STATUS_OK && w->scene->stepping && !contact->unknown)
        status = test_step(w, contact);
    if (status != GRAZE_STATUS_OK || contact->unknown)
        return status;
    contact->undecided = false;
    contact->frame = w->scene->frame;
    return w->scene->promises.count > 0 && !contact->colliding ? try_sleep(w, contact) : GRAZE_STATUS_OK;
}

/* Takes the next chunk, if any. With a deadline chunks are taken in the order of the list. */
static bool take_chunk(narrow_phase_work *w, size_t *out_chunk)
{
    size_t order = atomic_fetch_add_explicit(&w->taken.value, 1, memory_order_relaxed);
    if (order >= w->chunk_count)
        return false;
    if (w->deadline != 0)
        *out_chunk = order;
    else if (grz_thread_self() == w->caller)
        *out_chunk = atomic_fetch_add_explicit(&w->front.value, 1, memory_order_relaxed);
    else
        *out_chunk = w->chunk_count - 1 - atomic_fetch_add_explicit(&w->back.value, 1, memory_order_relaxed);
    return true;
}

/* The world states of a contact may be in the cache of the thread that placed its objects. Such cache lines have a long
   latency, but many can be in flight: so a thread prefetches those of several contacts before it tests the first. */
static void prefetch_objects(const graze_scene *scene, const grz_contact *contact)
{
    if (scene->has_shapes)
    {
        const grz_quick_body *first = &scene->quick.data[contact->a], *second = &scene->quick.data[contact->b];
        __builtin_prefetch(first);
        __builtin_prefetch((const char *)(first + 1) - 1); /* it may begin in one line and end in the next */
        __builtin_prefetch(second);
        __builtin_prefetch((const char *)(second + 1) - 1);
    }
    const char *a = (const char *)&scene->world_states.data[contact->a],
               *b = (const char *)&scene->world_states.data[contact->b];
    for (size_t byte = 0; byte < sizeof(grz_world_state); byte += GRZ_CACHE_LINE_SIZE)
    {
        __builtin_prefetch(a + byte);
        __builtin_prefetch(b + byte);
    }
}

/* For the progress function. */
static void count_contact(narrow_phase_work *w, const grz_contact *contact)
{
    if (!contact->undecided || contact->unknown)
        atomic_fetch_add_explicit(&w->decided, 1, memory_order_relaxed);
    if (grz_thread_self() != w->caller)
        return;
    w->unchecked_work += CONTACT_WORK;
    if (w->unchecked_work >= GRZ_WORK_PER_CHECK)
        may_continue(w, 0);
}

/* In a long list: the objects of a contact that comes a little later, and the contact of one that comes later still. */
static void prefetch_ahead(const graze_scene *scene, size_t i, size_t end)
{
    if (i + 2 * PREFETCHED >= end)
        return;
    const char *later = (const char *)&scene->contacts.data[scene->list.data[i + 2 * PREFETCHED]];
    for (size_t byte = 0; byte < offsetof(grz_contact, cache) + sizeof(graze_shape_hit); byte += GRZ_CACHE_LINE_SIZE)
        __builtin_prefetch(later + byte);
    prefetch_objects(scene, &scene->contacts.data[scene->list.data[i + PREFETCHED]]);
}

static void test_chunk(narrow_phase_work *w, size_t chunk)
{
    graze_scene *scene = w->scene;
    size_t first = chunk * w->chunk, end = first + w->chunk < scene->list.count ? first + w->chunk : scene->list.count;
    bool at_once = w->chunk_count > 1;
    for (size_t i = first; i < end && at_once; i++)
        prefetch_objects(scene, &scene->contacts.data[scene->list.data[i]]);
    for (size_t i = first; i < end; i++)
    {
        grz_contact *contact = &scene->contacts.data[scene->list.data[i]];
        if (!at_once)
            prefetch_ahead(scene, i, end);
        bool known = contact->queued == GRZ_TESTED_AHEAD;
        if (!w->again && !known)
            begin_test(scene, contact);
        graze_status status = known ? GRAZE_STATUS_OK : test_pair(w, contact);
        if (w->budget->progress != NULL)
            count_contact(w, contact);
        contact->queued = contact->undecided && !contact->unknown ? GRZ_QUEUED : GRZ_NOT_QUEUED;
        if (contact->unknown)
            atomic_store_explicit(&w->unknown, true, memory_order_relaxed);
        scene->pair_keys.data[i] = grz_pair_key(contact);
        scene->outcomes.data[i] = (uint8_t)((grz_contact_has_event(scene, contact) ? GRZ_OUTCOME_EVENT : 0) |
                                            (contact->colliding ? GRZ_OUTCOME_COLLIDES : 0));
        int none = GRAZE_STATUS_OK;
        if (status != GRAZE_STATUS_OK)
            atomic_store_explicit(&w->undecided, true, memory_order_relaxed);
        if (status != GRAZE_STATUS_OK && status != GRAZE_STATUS_UNFINISHED)
            atomic_compare_exchange_strong(&w->status, &none, (int)status);
    }
}

/* Loop of one thread over chunks; taking each as a task would need a lock. */
static void test_chunks(void *argument, size_t index)
{
    (void)index;
    size_t chunk;
    while (take_chunk(argument, &chunk))
        test_chunk(argument, chunk);
}

/* Whether there is time to build the support table of a mesh before the deadline, if any. */
static bool has_time_for_table(const graze_mesh *mesh, uint64_t deadline)
{
    uint64_t now = deadline != 0 ? grz_clock_now() : 0;
    return deadline == 0 || (now < deadline && mesh->triangle_count <= (deadline - now) / 2 / TABLE_NS);
}

/* Gets the support table of the mesh of an object. Returns how many were built: 0 or 1. */
static unsigned build_support_table(graze_scene *scene, uint32_t index, uint64_t deadline)
{
    grz_placed_shape *shape = &scene->shapes.data[index];
    bool made = false;
    if (needs_support_table(shape))
        shape->support = grz_derived_request_support_table(grz_scene_placed_data(scene, index), shape->tree,
                                                           has_time_for_table(shape->mesh, deadline), &made);
    return made;
}

/* Builds support tables of meshes whose contacts were disjoint often, a few in each frame, since that takes time. */
static void build_support_tables(graze_scene *scene, uint64_t deadline)
{
    unsigned made = 0;
    for (size_t i = 0; i < scene->list.count && made < MOST_TABLES; i++)
    {
        grz_contact *contact = &scene->contacts.data[scene->list.data[i]];
        if (contact->disjoint_count < DISJOINT_ENOUGH)
            continue;
        contact->disjoint_count = 0;
        made += build_support_table(scene, contact->a, deadline);
        made += build_support_table(scene, contact->b, deadline);
    }
    scene->wants_support_tables = false;
}

/* Removes decided contacts from the list, and those that cannot be decided. */
static void keep_undecided(narrow_phase_work *w)
{
    graze_scene *scene = w->scene;
    size_t kept = 0;
    for (size_t i = 0; i < scene->list.count && atomic_load(&w->undecided); i++)
        if (scene->contacts.data[scene->list.data[i]].queued == GRZ_QUEUED)
            scene->list.data[kept++] = scene->list.data[i];
    scene->list.count = kept;
}

/* Tests all contacts in the list; those left undecided stay in it. */
static void run_all(narrow_phase_work *w)
{
    graze_scene *scene = w->scene;
    size_t threads = w->budget->box_tests > 0 ? 1 : grz_concurrency(&scene->context), count = scene->list.count;
    /* Small chunks, for load balance; but not so many that taking them costs time. */
    w->chunk = threads > 1 && count >= FEW_FOR_THREADS ? count / (64 * threads) + 1 : (count > 0 ? count : 1);
    w->chunk_count = (count + w->chunk - 1) / w->chunk;
    atomic_store(&w->taken.value, 0);
    atomic_store(&w->front.value, 0);
    atomic_store(&w->back.value, 0);
    atomic_store(&w->undecided, false);
    grz_parallel_for(&scene->context, w->chunk_count < threads ? w->chunk_count : threads, test_chunks, w);
    scene->wants_support_tables = scene->wants_support_tables || atomic_load(&w->wants_support_tables);
    atomic_store(&w->wants_support_tables, false);
    if (scene->wants_support_tables && w->deadline == 0)
        build_support_tables(scene, 0);
    keep_undecided(w);
    scene->last_queue_count = scene->list.count == 0 && !atomic_load(&w->unknown) ? count : 0;
    w->again = true;
}

static bool has_box_tests_left(const narrow_phase_work *w)
{
    return w->budget->box_tests == 0 || w->box_tests < w->budget->box_tests;
}

graze_status grz_narrow_phase(graze_scene *scene, const graze_update_options *options, uint64_t deadline)
{
    narrow_phase_work w = {.scene = scene,
                           .deadline = deadline,
                           .budget = &options->budget,
                           .all = scene->list.count,
                           .caller = grz_thread_self()};
    atomic_init(&w.status, GRAZE_STATUS_OK);
    atomic_init(&w.decided, 0);
    atomic_init(&w.cancelled, false);
    atomic_init(&w.unknown, false);
    if (scene->wants_support_tables && deadline != 0) /* wanted by the last frame, which had no time left */
        build_support_tables(scene, deadline);
    bool in_pieces = deadline != 0 && options->schedule == GRAZE_SCHEDULE_PRIORITY;
    if (in_pieces)
        w.piece = FIRST_PIECE;
    run_all(&w);
    while (in_pieces && scene->list.count > 0 && grz_clock_now() < deadline && has_box_tests_left(&w) &&
           atomic_load(&w.status) == GRAZE_STATUS_OK)
    {
        w.piece *= MORE_EACH_ROUND;
        run_all(&w);
    }
    return (graze_status)atomic_load(&w.status);
}

/* Contacts of the last frame that a thread has taken to test ahead, as soon as their objects are placed. */
typedef struct deferred_list
{
    uint32_t contacts[MOST_DEFERRED], needs[MOST_DEFERRED]; /* needs: how many objects must be placed */
    size_t count;
} deferred_list;

/* Whether a contact of the last frame is to be tested in this one if its boxes still overlap: one of its objects moved.
   Meshes of removed objects may be destroyed. */
static bool is_due(const graze_scene *scene, const grz_contact *contact)
{
    return contact->a != GRZ_NO_OBJECT && !contact->ending && !contact->undecided &&
           (scene->placed_ranks.data[contact->a] | scene->placed_ranks.data[contact->b]) != 0 &&
           !scene->shapes.data[contact->a].removed && !scene->shapes.data[contact->b].removed;
}

/* Tests a contact that is due and whose objects are placed. */
static void test_pair_ahead(ahead_work *a, grz_contact *contact)
{
    graze_scene *scene = a->w.scene;
    if (!grz_has_geometry(&scene->shapes.data[contact->a]) || !grz_has_geometry(&scene->shapes.data[contact->b]))
        return;
    begin_test(scene, contact);
    if (test_pair(&a->w, contact) == GRAZE_STATUS_OK)
        contact->queued = GRZ_TESTED_AHEAD;
}

/* Takes contacts from the end of the list of the last frame, while there is room. Returns whether there may be more. */
static bool take_deferred(ahead_work *a, deferred_list *deferred)
{
    graze_scene *scene = a->w.scene;
    while (deferred->count < MOST_DEFERRED)
    {
        size_t taken = atomic_fetch_add_explicit(&a->taken.value, 1, memory_order_relaxed);
        if (taken >= scene->last_queue_count)
            return false;
        uint32_t place = scene->list.data[scene->last_queue_count - 1 - taken];
        const grz_contact *contact = &scene->contacts.data[place];
        if (!is_due(scene, contact))
            continue;
        uint32_t rank_a = scene->placed_ranks.data[contact->a], rank_b = scene->placed_ranks.data[contact->b];
        deferred->contacts[deferred->count] = place;
        deferred->needs[deferred->count++] = rank_a > rank_b ? rank_a : rank_b;
    }
    return true;
}

/* Tests those whose objects are placed by now. Returns whether there were any. */
static bool test_deferred(ahead_work *a, deferred_list *deferred)
{
    size_t kept = 0, count = deferred->count, placed = atomic_load_explicit(a->placed, memory_order_acquire);
    for (size_t i = 0; i < count && !atomic_load_explicit(&a->done, memory_order_relaxed); i++)
    {
        if (deferred->needs[i] <= placed)
            test_pair_ahead(a, &a->w.scene->contacts.data[deferred->contacts[i]]);
        else
        {
            deferred->contacts[kept] = deferred->contacts[i];
            deferred->needs[kept++] = deferred->needs[i];
        }
    }
    deferred->count = kept;
    return kept < count;
}

/* Polling is bounded: tasks may run one after the other, and then the caller would never be reached. */
static void run_ahead(void *argument, size_t index)
{
    ahead_work *a = argument;
    if (index == 0)
    {
        a->status = a->first(a->argument);
        atomic_store(&a->done, true);
        return;
    }
    deferred_list deferred = {.count = 0};
    bool more = true;
    for (size_t looks = 0; looks < MOST_IDLE_POLLS && (more || deferred.count > 0) && !atomic_load(&a->done);)
    {
        more = more && take_deferred(a, &deferred);
        if (test_deferred(a, &deferred))
            looks = 0;
        else
        {
            grz_cpu_pause();
            looks++;
        }
    }
}

/*
 * The result of a contact does not change once its objects are placed, so it can be computed before the broad phase
 * decides whether their boxes still overlap: if they do not, it is dropped. Not with a time budget, undecided contacts,
 * or a failed update before.
 */
graze_status grz_narrow_phase_ahead(graze_scene *scene, uint64_t deadline, const atomic_size_t *placed,
                                    graze_status (*first)(void *argument), void *argument)
{
    size_t threads = grz_concurrency(&scene->context);
    /* shortcut: looked-at-ahead */
    if (threads == 1 || deadline != 0 || scene->stepping || scene->promises.count > 0 || scene->out_of_sync ||
        scene->postponed.count > 0 || scene->last_queue_count < FEW_FOR_THREADS)
        return first(argument);
    ahead_work a = {.w = {.scene = scene}, .first = first, .argument = argument, .placed = placed};
    grz_parallel_for(&scene->context, threads, run_ahead, &a);
    scene->wants_support_tables = scene->wants_support_tables || atomic_load(&a.w.wants_support_tables);
    return a.status;
}

void grz_narrow_phase_discard_ahead(graze_scene *scene)
{
    for (size_t i = 0; i < scene->contacts.count; i++)
        if (scene->contacts.data[i].queued == GRZ_TESTED_AHEAD)
            scene->contacts.data[i].queued = GRZ_NOT_QUEUED;
    scene->last_queue_count = 0;
}
