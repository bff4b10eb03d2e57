/* SPDX-License-Identifier: MIT */
/*
 * Looking at the meshes of contacts. Threads take one contact after the other; each works in its own record, so that
 * results do not depend on who took it. A contact whose query is long is split further by the query itself, through
 * the same tasks. What a thread looked at in the last frame is in its cache: so the caller takes pieces of the list
 * from the front and all others from the back, and most contacts stay with their thread from frame to frame.
 *
 * While the caller places objects, and then the broad phase is at work, threads to spare begin with the contacts of the
 * last frame.
 *
 * With a budget, contacts that are reached before the deadline are given what is left of it. GRAZE_SCHEDULE_PRIORITY
 * gives each a small piece of work at first; those that need more fall behind all others and are given four times
 * as much in the next round.
 */
#include <math.h>
#include <stdatomic.h>

#include "base/clock.h"
#include "base/tasks.h"
#include "base/thread.h"
#include "mesh/mesh.h"
#include "scene/scene.h"

enum
{
    FIRST_PIECE = 4096, /* box tests */
    MORE_EACH_ROUND = 4,
    FEW_FOR_THREADS = 8,  /* contacts that are looked at faster than threads are woken */
    APART_ENOUGH = 3,     /* queries in vain after which tables are made, */
    MOST_TABLES = 8,      /* so many in a frame, */
    LEAST_TRIANGLES = 64, /* for meshes that large, */
    TABLE_NS = 200,   /* a triangle, at most, which half of the time left must suffice for where there is a budget */
    PLANES = 6,       /* that are tried between two meshes */
    MOST_GONE = 8,    /* bodies that are known beyond twice as many as there are objects */
    MOST_LATER = 64,  /* contacts whose objects are not placed yet that a thread keeps in mind, */
    MOST_LOOKS = 2000 /* and how often it looks whether they are, in vain, before it has something else to do */
};

/* A counter that threads take pieces by, in a line of the cache of its own: away from what all read. */
typedef struct counter
{
    _Alignas(GRZ_LINE_SIZE) atomic_size_t value;
    char alone[GRZ_LINE_SIZE - sizeof(atomic_size_t)];
} counter;

typedef struct work
{
    graze_scene *scene;
    uint64_t deadline; /* 0: none */
    uint64_t piece;    /* box tests a contact may take in this round; 0: any number */
    bool again;        /* a later round */
    size_t chunk, chunk_count;
    uint64_t caller;          /* the thread */
    atomic_int status;        /* the first failure */
    atomic_bool undecided;    /* some still are */
    atomic_bool wants_tables; /* some were apart often enough */
    counter taken;            /* chunks in all, */
    counter front, back;      /* and at either end */
} work;

/* What is done while the broad phase is at work. */
typedef struct ahead
{
    work w;
    graze_status (*first)(void *argument);
    void *argument;
    graze_status status;         /* of first */
    const atomic_size_t *placed; /* objects, so far */
    atomic_bool done;            /* so it is */
    counter taken;               /* contacts, from the end of the last frame's list */
} ahead;

/* Whether a body holds some of the other, their surfaces being apart. */
static graze_status look_inside(const graze_scene *scene, const grz_contact *contact, const graze_placed_mesh *a,
                                const graze_placed_mesh *b, bool *out_inside)
{
    graze_status status = GRAZE_STATUS_OK;
    *out_inside = false;
    if (scene->shapes.data[contact->a].solid)
        status =
            grz_solids_holds(&scene->context, &scene->solids, a, &scene->objects.data[contact->a].box, b, out_inside);
    if (status == GRAZE_STATUS_OK && !*out_inside && scene->shapes.data[contact->b].solid)
        status =
            grz_solids_holds(&scene->context, &scene->solids, b, &scene->objects.data[contact->b].box, a, out_inside);
    return status;
}

/* What bodies need to be known is found out before threads ask. What is known of meshes that are gone is forgotten with
   all the rest when it is too much. */
static graze_status learn_solids(graze_scene *scene)
{
    graze_status status = GRAZE_STATUS_OK;
    if (scene->solids.facts.count > 2 * scene->count + MOST_GONE)
        grz_solids_release(&scene->context, &scene->solids);
    for (size_t i = 0; i < scene->list.count && status == GRAZE_STATUS_OK; i++)
    {
        const grz_contact *contact = &scene->contacts.data[scene->list.data[i]];
        const grz_placed_shape *a = &scene->shapes.data[contact->a], *b = &scene->shapes.data[contact->b];
        if (!a->solid && !b->solid)
            continue;
        status = grz_solids_learn(&scene->context, &scene->solids, a->mesh);
        if (status == GRAZE_STATUS_OK)
            status = grz_solids_learn(&scene->context, &scene->solids, b->mesh);
    }
    return status;
}

static grz_reaching reaching(const grz_placed_shape *shape, const grz_stance *stance)
{
    return (grz_reaching){shape->reach, &stance->world, stance->ball.centre, stance->ball.error};
}

static bool has_reach(const grz_placed_shape *shape)
{
    return shape->reach != NULL && shape->reach->stamp == shape->mesh->stamp;
}

static bool lacks_reach(const grz_placed_shape *shape)
{
    return !has_reach(shape) && shape->tree != NULL && shape->mesh->triangle_count >= LEAST_TRIANGLES;
}

/* Whether a plane parts the two, where their tables can tell. Those that met the last time are not likely to be. */
static bool are_parted(const graze_scene *scene, grz_contact *contact)
{
    const grz_placed_shape *a = &scene->shapes.data[contact->a], *b = &scene->shapes.data[contact->b];
    if (contact->colliding || contact->search != NULL || !has_reach(a) || !has_reach(b))
        return false;
    grz_reaching first = reaching(a, &scene->stances.data[contact->a]);
    grz_reaching second = reaching(b, &scene->stances.data[contact->b]);
    /* shortcut: planes-between */
    return grz_reach_apart(&first, &second, PLANES, contact->normal);
}

/* The query, or more of one that was begun. */
static graze_status ask(graze_scene *scene, grz_contact *contact, const graze_placed_mesh *a,
                        const graze_placed_mesh *b, graze_budget budget, bool *out_found)
{
    graze_pair_options options = graze_pair_options_default();
    options.cache = &contact->cache;
    options.budget = budget;
    bool limited = budget.seconds > 0 || budget.box_tests > 0;
    if (contact->search == NULL)
    {
        graze_status status = graze_pair_any(&scene->context, a, b, &options, out_found, &contact->witness);
        if (status != GRAZE_STATUS_UNFINISHED || !limited)
            return status;
        /* It is a long one: from now on it is kept. */
        status = graze_search_create(&scene->context, a, b, GRAZE_SEARCH_ANY, &contact->search);
        return status == GRAZE_STATUS_OK ? GRAZE_STATUS_UNFINISHED : status;
    }
    options.cache = NULL;
    graze_status status = graze_search_run(contact->search, &options);
    graze_search_state state = graze_search_look(contact->search);
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

static void begin(const graze_scene *scene, grz_contact *contact)
{
    if (!contact->undecided)
        contact->since = scene->frame;
    contact->undecided = true;
    contact->lower = 0;
}

static graze_status examine(work *w, grz_contact *contact)
{
    graze_budget budget = {.box_tests = w->piece};
    if (w->deadline != 0)
    {
        uint64_t now = grz_clock_now();
        if (now >= w->deadline)
            return GRAZE_STATUS_UNFINISHED;
        budget.seconds = (double)(w->deadline - now) * 1e-9;
    }
    const grz_stance *stances = w->scene->stances.data;
    const grz_placed_shape *shapes = w->scene->shapes.data;
    bool found = false, inside = false;
    if (!grz_balls_apart(&stances[contact->a].ball, &stances[contact->b].ball) && !are_parted(w->scene, contact))
    {
        graze_placed_mesh a = grz_scene_placed_mesh(w->scene, contact->a);
        graze_placed_mesh b = grz_scene_placed_mesh(w->scene, contact->b);
        graze_status status = ask(w->scene, contact, &a, &b, budget, &found);
        if (status == GRAZE_STATUS_OK && !found)
            status = look_inside(w->scene, contact, &a, &b, &inside);
        if (status == GRAZE_STATUS_UNFINISHED)
            contact->tried = w->scene->frame;
        if (status != GRAZE_STATUS_OK)
            return status;
        contact->apart_count = found || contact->apart_count == APART_ENOUGH ? 0 : (uint8_t)(contact->apart_count + 1);
        if (contact->apart_count == APART_ENOUGH &&
            (lacks_reach(&shapes[contact->a]) || lacks_reach(&shapes[contact->b])))
            atomic_store_explicit(&w->wants_tables, true, memory_order_relaxed);
    }
    contact->undecided = false;
    contact->colliding = found || inside;
    contact->has_witness = found;
    contact->frame = w->scene->frame;
    return GRAZE_STATUS_OK;
}

/* The next chunk to do, if there is one. With a deadline what comes first is first. */
static bool take_chunk(work *w, size_t *out_chunk)
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

/* Where the objects of a contact stand may be with the thread that placed them. Lines from there take long to come, but
   many come together: so a thread asks for those of several contacts before it looks at the first. */
static void fetch_stances(const graze_scene *scene, const grz_contact *contact)
{
    const char *a = (const char *)&scene->stances.data[contact->a], *b = (const char *)&scene->stances.data[contact->b];
    for (size_t byte = 0; byte < sizeof(grz_stance); byte += GRZ_LINE_SIZE)
    {
        __builtin_prefetch(a + byte);
        __builtin_prefetch(b + byte);
    }
}

static void examine_chunk(work *w, size_t chunk)
{
    graze_scene *scene = w->scene;
    size_t first = chunk * w->chunk, end = first + w->chunk < scene->list.count ? first + w->chunk : scene->list.count;
    for (size_t i = first; i < end && w->chunk_count > 1; i++)
        fetch_stances(scene, &scene->contacts.data[scene->list.data[i]]);
    for (size_t i = first; i < end; i++)
    {
        grz_contact *contact = &scene->contacts.data[scene->list.data[i]];
        bool known = contact->listed == GRZ_DECIDED_AHEAD;
        if (!w->again && !known)
            begin(scene, contact);
        graze_status status = known ? GRAZE_STATUS_OK : examine(w, contact);
        contact->listed = contact->undecided ? GRZ_LISTED : GRZ_NOT_LISTED;
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

/* What one thread does: chunk after chunk, without the lock that taking a task each would need. */
static void examine_chunks(void *argument, size_t index)
{
    (void)index;
    size_t chunk;
    while (take_chunk(argument, &chunk))
        examine_chunk(argument, chunk);
}

/* Whether there is time for the table of a mesh before the deadline, if any. */
static bool has_time_for_table(const graze_mesh *mesh, uint64_t deadline)
{
    uint64_t now = deadline != 0 ? grz_clock_now() : 0;
    return deadline == 0 || (now < deadline && mesh->triangle_count <= (deadline - now) / 2 / TABLE_NS);
}

/* The table for an object's mesh. Returns how many were made: 0 or 1. */
static unsigned learn_reach(graze_scene *scene, uint32_t index, uint64_t deadline)
{
    grz_placed_shape *shape = &scene->shapes.data[index];
    bool made = false;
    if (lacks_reach(shape))
        shape->reach = grz_reaches_get(&scene->context, &scene->reaches, shape->tree,
                                       has_time_for_table(shape->mesh, deadline), &made);
    return made;
}

/* Tables of meshes that are gone are forgotten with all others when there are too many. */
static void forget_reaches(graze_scene *scene)
{
    if (scene->reaches.tables.count <= 2 * scene->count + MOST_TABLES)
        return;
    for (size_t i = 0; i < scene->objects.count; i++)
        scene->shapes.data[i].reach = NULL;
    grz_reaches_release(&scene->context, &scene->reaches);
}

/* Meshes that keep coming near others without meeting them get their tables, a few in each frame as that takes time. */
static void learn_reaches(graze_scene *scene, uint64_t deadline)
{
    unsigned made = 0;
    forget_reaches(scene);
    for (size_t i = 0; i < scene->list.count && made < MOST_TABLES; i++)
    {
        grz_contact *contact = &scene->contacts.data[scene->list.data[i]];
        if (contact->apart_count < APART_ENOUGH)
            continue;
        contact->apart_count = 0;
        made += learn_reach(scene, contact->a, deadline);
        made += learn_reach(scene, contact->b, deadline);
    }
    scene->wants_tables = false;
}

/* Keeps those in the list that are still undecided. */
static void keep_undecided(work *w)
{
    graze_scene *scene = w->scene;
    size_t kept = 0;
    for (size_t i = 0; i < scene->list.count && atomic_load(&w->undecided); i++)
        if (scene->contacts.data[scene->list.data[i]].undecided)
            scene->list.data[kept++] = scene->list.data[i];
    scene->list.count = kept;
}

/* All contacts in the list; those that are not decided stay in it. */
static void run_all(work *w)
{
    graze_scene *scene = w->scene;
    size_t threads = grz_concurrency(&scene->context), count = scene->list.count;
    /* Small pieces, so that one with much work does not end long after the others; but not so many as to cost. */
    w->chunk = threads > 1 && count >= FEW_FOR_THREADS ? count / (64 * threads) + 1 : (count > 0 ? count : 1);
    w->chunk_count = (count + w->chunk - 1) / w->chunk;
    atomic_store(&w->taken.value, 0);
    atomic_store(&w->front.value, 0);
    atomic_store(&w->back.value, 0);
    atomic_store(&w->undecided, false);
    grz_tasks_run(&scene->context, w->chunk_count < threads ? w->chunk_count : threads, examine_chunks, w);
    scene->wants_tables = scene->wants_tables || atomic_load(&w->wants_tables);
    atomic_store(&w->wants_tables, false);
    if (scene->wants_tables && w->deadline == 0)
        learn_reaches(scene, 0);
    keep_undecided(w);
    scene->listed_before = scene->list.count == 0 ? count : 0;
    w->again = true;
}

graze_status grz_examine(graze_scene *scene, const graze_update_options *options, uint64_t deadline)
{
    work w = {.scene = scene, .deadline = deadline, .caller = grz_thread_self()};
    atomic_init(&w.status, GRAZE_STATUS_OK);
    /* shortcut: bodies-known */
    graze_status learned = scene->has_solids ? learn_solids(scene) : GRAZE_STATUS_OK;
    for (size_t i = 0; i < scene->list.count && learned != GRAZE_STATUS_OK; i++)
        begin(scene, &scene->contacts.data[scene->list.data[i]]);
    if (learned != GRAZE_STATUS_OK)
        return learned;
    if (scene->wants_tables && deadline != 0) /* what the last frame would have liked, and had no time for at its end */
        learn_reaches(scene, deadline);
    bool in_pieces = deadline != 0 && options->schedule == GRAZE_SCHEDULE_PRIORITY;
    if (in_pieces)
        w.piece = FIRST_PIECE;
    run_all(&w);
    while (in_pieces && scene->list.count > 0 && grz_clock_now() < deadline &&
           atomic_load(&w.status) == GRAZE_STATUS_OK)
    {
        w.piece *= MORE_EACH_ROUND;
        run_all(&w);
    }
    return (graze_status)atomic_load(&w.status);
}

/* Contacts of the last frame that a thread has taken to look at ahead, as soon as their objects are placed. */
typedef struct later_list
{
    uint32_t contacts[MOST_LATER], needs[MOST_LATER]; /* and after how many objects they are */
    size_t count;
} later_list;

/* Whether a contact of the last frame will be looked at in this one, if its boxes still meet: one of its objects moved.
   Meshes of objects that were removed may be gone. */
static bool is_due(const graze_scene *scene, const grz_contact *contact)
{
    return contact->a != GRZ_NO_OBJECT && !contact->leaving && !contact->undecided &&
           (scene->turns.data[contact->a] | scene->turns.data[contact->b]) != 0 &&
           !scene->shapes.data[contact->a].dying && !scene->shapes.data[contact->b].dying;
}

/* One that is due, and whose objects are placed. */
static void examine_ahead(ahead *a, grz_contact *contact)
{
    graze_scene *scene = a->w.scene;
    if (scene->shapes.data[contact->a].mesh == NULL || scene->shapes.data[contact->b].mesh == NULL)
        return;
    begin(scene, contact);
    if (examine(&a->w, contact) == GRAZE_STATUS_OK)
        contact->listed = GRZ_DECIDED_AHEAD;
}

/* Takes contacts from the end of the last frame's list, as long as there is room. Returns whether there may be more. */
static bool take_later(ahead *a, later_list *later)
{
    graze_scene *scene = a->w.scene;
    while (later->count < MOST_LATER)
    {
        size_t taken = atomic_fetch_add_explicit(&a->taken.value, 1, memory_order_relaxed);
        if (taken >= scene->listed_before)
            return false;
        uint32_t place = scene->list.data[scene->listed_before - 1 - taken];
        const grz_contact *contact = &scene->contacts.data[place];
        if (!is_due(scene, contact))
            continue;
        uint32_t turn_a = scene->turns.data[contact->a], turn_b = scene->turns.data[contact->b];
        later->contacts[later->count] = place;
        later->needs[later->count++] = turn_a > turn_b ? turn_a : turn_b;
    }
    return true;
}

/* Looks at those that can be by now. Returns whether there were any. */
static bool examine_later(ahead *a, later_list *later)
{
    size_t kept = 0, count = later->count, placed = atomic_load_explicit(a->placed, memory_order_acquire);
    for (size_t i = 0; i < count && !atomic_load_explicit(&a->done, memory_order_relaxed); i++)
    {
        if (later->needs[i] <= placed)
            examine_ahead(a, &a->w.scene->contacts.data[later->contacts[i]]);
        else
        {
            later->contacts[kept] = later->contacts[i];
            later->needs[kept++] = later->needs[i];
        }
    }
    later->count = kept;
    return kept < count;
}

/* It does not wait for long: the caller's thread may have to stop, and tasks may run one after the other. */
static void look_ahead(void *argument, size_t index)
{
    ahead *a = argument;
    if (index == 0)
    {
        a->status = a->first(a->argument);
        atomic_store(&a->done, true);
        return;
    }
    later_list later = {.count = 0};
    bool more = true;
    for (size_t looks = 0; looks < MOST_LOOKS && (more || later.count > 0) && !atomic_load(&a->done);)
    {
        more = more && take_later(a, &later);
        if (examine_later(a, &later))
            looks = 0;
        else
        {
            grz_rest();
            looks++;
        }
    }
}

/*
 * Nothing a contact's answer depends on changes once objects are placed, so it may be found before the broad phase says
 * whether their boxes still meet: of those that do not, it is dropped. Only where all is as usual: without a budget,
 * undecided contacts, an update that failed, and bodies, of which more has to be known first.
 */
graze_status grz_examine_ahead(graze_scene *scene, uint64_t deadline, const atomic_size_t *placed,
                               graze_status (*first)(void *argument), void *argument)
{
    size_t threads = grz_concurrency(&scene->context);
    /* shortcut: looked-at-ahead */
    if (threads == 1 || deadline != 0 || scene->behind || scene->has_solids || scene->postponed.count > 0 ||
        scene->listed_before < FEW_FOR_THREADS)
        return first(argument);
    ahead a = {.w = {.scene = scene}, .first = first, .argument = argument, .placed = placed};
    grz_tasks_run(&scene->context, threads, look_ahead, &a);
    scene->wants_tables = scene->wants_tables || atomic_load(&a.w.wants_tables);
    return a.status;
}

void grz_examine_forget_ahead(graze_scene *scene)
{
    for (size_t i = 0; i < scene->contacts.count; i++)
        if (scene->contacts.data[i].listed == GRZ_DECIDED_AHEAD)
            scene->contacts.data[i].listed = GRZ_NOT_LISTED;
    scene->listed_before = 0;
}
