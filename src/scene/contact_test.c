/* SPDX-License-Identifier: MIT */
/*
 * Test of one contact in the narrow phase of a scene: the query of its two meshes (pair/hit/collide.c) or shapes
 * (shape_pairs.c), or more of one that was begun, within what the budget of the update leaves; then, of a continuous
 * update, what was in between (step_pairs.c). Bounding spheres and separating planes are tried before.
 */
#include <math.h>
#include <stdatomic.h>

#include "base/budget_monitor.h"
#include "base/clock.h"
#include "base/thread.h"
#include "mesh/mesh.h"
#include "scene/containment.h"
#include "scene/narrow_phase.h"

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

/* Only where the budget has a progress function: calls it on the caller's thread. Returns whether to go on. */
bool grz_narrow_phase_may_continue(void *user, double share)
{
    (void)share;
    grz_narrow_phase_work *w = user;
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

void grz_contact_begin_test(const graze_scene *scene, grz_contact *contact)
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
static bool share_budget(grz_narrow_phase_work *w, graze_budget *budget)
{
    uint64_t most = w->budget->box_tests;
    if (most > 0 && w->box_tests >= most)
        return false;
    if (most > 0 && (budget->box_tests == 0 || budget->box_tests > most - w->box_tests))
        budget->box_tests = most - w->box_tests;
    if (w->budget->progress != NULL)
    {
        budget->progress = grz_narrow_phase_may_continue;
        budget->progress_user = w;
    }
    return true;
}

/* After a query of two meshes: counts those that found nothing, after which support tables are worth their time. */
static void count_disjoint(grz_narrow_phase_work *w, grz_contact *contact, bool found)
{
    const grz_placed_shape *shapes = w->scene->shapes.data;
    contact->disjoint_count =
        found || contact->disjoint_count == GRZ_DISJOINT_ENOUGH ? 0 : (uint8_t)(contact->disjoint_count + 1);
    if (contact->disjoint_count == GRZ_DISJOINT_ENOUGH &&
        (grz_object_needs_support_table(&shapes[contact->a]) || grz_object_needs_support_table(&shapes[contact->b])))
        atomic_store_explicit(&w->wants_support_tables, true, memory_order_relaxed);
}

static graze_status test_meshes(grz_narrow_phase_work *w, grz_contact *contact, graze_budget budget, bool *out_found,
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
static graze_status next_budget(grz_narrow_phase_work *w, graze_budget *out_budget)
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

/* Whether a pair that begins now gets at least about half of what the first one does. Cut off within less, it has not
   had its turn: it would wait as long as the pair that left so little, which would come first again. */
static bool has_its_turn(const grz_narrow_phase_work *w, const graze_budget *budget)
{
    const graze_budget *all = w->budget;
    if (w->deadline == 0) /* without a budget */
        return true;
    return !(all->box_tests > 0 && w->box_tests > all->box_tests / 2) &&
           !(all->seconds > 0 && budget->seconds < fmin(all->seconds, 1e9) / 4); /* half of it at the begin, at least */
}

static void count_box_tests(grz_narrow_phase_work *w, uint64_t box_tests)
{
    if (w->deadline != 0 && w->budget->box_tests > 0)
        w->box_tests += box_tests;
}

/* Whether they collide where they are now. */
static graze_status test_placed(grz_narrow_phase_work *w, grz_contact *contact)
{
    graze_budget budget;
    graze_status status = next_budget(w, &budget);
    if (status != GRAZE_STATUS_OK)
        return status;
    bool has_turn = has_its_turn(w, &budget);
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
        !grz_contact_is_separated(w->scene, contact))
    {
        uint64_t box_tests = 0;
        graze_verdict verdict = GRAZE_VERDICT_NO;
        status = of_shapes ? grz_scene_test_shapes(w->scene, contact, &budget, &verdict, &box_tests)
                           : test_meshes(w, contact, budget, &found, &inside, &box_tests);
        count_box_tests(w, box_tests);
        contact->unknown = verdict == GRAZE_VERDICT_UNKNOWN;
        if ((has_turn && status == GRAZE_STATUS_UNFINISHED) || contact->unknown)
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
static graze_status test_step(grz_narrow_phase_work *w, grz_contact *contact)
{
    graze_budget budget;
    uint64_t box_tests = 0;
    graze_status status = next_budget(w, &budget);
    bool begun = status == GRAZE_STATUS_OK, has_turn = begun && has_its_turn(w, &budget);
    if (begun)
        status = grz_scene_test_step(w->scene, contact, &budget, &box_tests);
    count_box_tests(w, box_tests);
    if ((has_turn && status == GRAZE_STATUS_UNFINISHED) || (begun && contact->unknown))
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
static graze_status try_sleep(grz_narrow_phase_work *w, grz_contact *contact)
{
    graze_budget budget;
    graze_status status = next_budget(w, &budget);
    if (status == GRAZE_STATUS_OK)
        status = grz_contact_try_sleep(w->scene, contact, &budget);
    return status == GRAZE_STATUS_UNFINISHED ? GRAZE_STATUS_OK : status;
}

graze_status grz_contact_test(grz_narrow_phase_work *w, grz_contact *contact)
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
