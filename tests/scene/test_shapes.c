/* SPDX-License-Identifier: MIT */
/*
 * Scenes of shapes of all kinds, meshes and nodes, frame by frame against fresh queries of every pair: with all broad
 * phases, one and two threads, in both orders of the objects, under budgets; contacts for solvers; poses that a shape
 * may not have.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graze/detector.h"
#include "graze/scene.h"
#include "graze/tasks.h"
#include "support/random_shapes.h"
#include "support/unit.h"

enum
{
    OBJECTS = 36,
    FRAMES = 12,
    LOG_SIZE = 1 << 20
};

/* What an event says, without pointers. */
typedef struct logged_event
{
    uint32_t kind, a, b, has_hit, has_witness;
    graze_shape_hit hit;
} logged_event;

/* A scene and what is known of it apart from it. */
typedef struct world
{
    random_shape shapes[OBJECTS];
    graze_shape *of_mesh[OBJECTS]; /* what an object with a mesh is for queries of shapes */
    bool has_mesh[OBJECTS], is_node[OBJECTS];
    graze_object names[OBJECTS];
    bool before[OBJECTS][OBJECTS];
    graze_scene *scene;
    logged_event *log;
    size_t logged;
} world;

static graze_pose pose_of(test_random *random, const world *w, int i, bool is_free)
{
    return is_free ? random_pose_for(random, w->shapes[i].shape) : random_rigid_pose(random);
}

static void make_shapes(test_random *random, world *w)
{
    memset(w, 0, sizeof *w);
    w->log = calloc(LOG_SIZE, 1);
    for (int i = 0; i < OBJECTS; i++)
    {
        random_shape_make(random, (graze_shape_kind)(i % GRAZE_SHAPE_KIND_COUNT), &w->shapes[i]);
        w->is_node[i] = i == OBJECTS - 1;
        w->has_mesh[i] = w->shapes[i].mesh != NULL && i >= GRAZE_SHAPE_KIND_COUNT;
        if (w->has_mesh[i])
            assert_int_equal(graze_shape_create_mesh(NULL, w->shapes[i].mesh, NULL,
                                                     graze_shape_is_solid(w->shapes[i].shape), &w->of_mesh[i]),
                             GRAZE_STATUS_OK);
    }
}

static void clear_world(world *w)
{
    for (int i = 0; i < OBJECTS; i++)
    {
        graze_shape_destroy(w->of_mesh[i]);
        random_shape_clear(&w->shapes[i]);
    }
    free(w->log);
}

/* Adds all objects, the last one first if `backward`; every seventh is the child of a node or of the one before. */
static void add_objects(test_random *random, const graze_context *context, graze_broad_phase_method method,
                        bool backward, world *w)
{
    graze_scene_def scene_def = graze_scene_def_default();
    graze_pose poses[OBJECTS];
    scene_def.broad_phase = method;
    scene_def.test_parent_child = true;
    assert_int_equal(graze_scene_create(context, &scene_def, &w->scene), GRAZE_STATUS_OK);
    for (int i = 0; i < OBJECTS; i++)
        poses[i] = pose_of(random, w, i, i % 7 != 3);
    for (int k = 0; k < OBJECTS; k++)
    {
        int i = backward ? OBJECTS - 1 - k : k;
        graze_object_def def = graze_object_def_default();
        if (w->has_mesh[i])
            def.mesh = w->shapes[i].mesh;
        else if (!w->is_node[i])
            def.shape = w->shapes[i].shape;
        def.flags = w->has_mesh[i] && graze_shape_is_solid(w->shapes[i].shape) ? GRAZE_OBJECT_SOLID : 0;
        def.pose = poses[i];
        def.user = (void *)(uintptr_t)i;
        assert_int_equal(graze_scene_add(w->scene, &def, &w->names[i]), GRAZE_STATUS_OK);
    }
    for (int i = 3; i < OBJECTS; i += 7) /* below an object whose poses are rotations */
        if (i + 7 < OBJECTS)
            assert_int_equal(graze_scene_set_parent(w->scene, w->names[i + 7], w->names[i], NULL), GRAZE_STATUS_OK);
}

/* Some objects move, in some frames none. */
static void move_some(test_random *random, world *w)
{
    int most = random_below(random, 3) * OBJECTS / 4;
    for (int k = 0; k < most; k++)
    {
        int i = random_below(random, OBJECTS);
        graze_pose pose = pose_of(random, w, i, i % 7 != 3);
        assert_int_equal(graze_scene_move(w->scene, w->names[i], &pose), GRAZE_STATUS_OK);
    }
}

static bool get_placed(const world *w, int i, graze_placed *out)
{
    if (w->is_node[i])
        return false;
    assert_int_equal(graze_scene_placed_shape(w->scene, w->names[i], out, NULL), GRAZE_STATUS_OK);
    assert_true((out->shape == NULL) == w->has_mesh[i]);
    if (w->has_mesh[i])
        out->shape = w->of_mesh[i];
    return true;
}

typedef struct counters
{
    int begins, stays, ends, unknown, separated, parts, triangles, manifolds;
} counters;

static const graze_event *find_event(const graze_frame *frame, graze_object a, graze_object b)
{
    for (size_t i = 0; i < frame->event_count; i++)
        if (frame->events[i].a.index == a.index && frame->events[i].b.index == b.index)
            return &frame->events[i];
    return NULL;
}

static const graze_undecided_pair *find_undecided(const graze_frame *frame, graze_object a, graze_object b)
{
    for (size_t i = 0; i < frame->undecided_count; i++)
        if (frame->undecided[i].a.index == a.index && frame->undecided[i].b.index == b.index)
            return &frame->undecided[i];
    return NULL;
}

static void check_hit(const world *w, int a, int b, const graze_event *event, counters *n)
{
    const graze_shape_hit *hit = event->shape_hit;
    if (w->has_mesh[a] && w->has_mesh[b])
    {
        assert_null(hit);
        return;
    }
    assert_non_null(hit);
    assert_true(hit->part_a == 0 || graze_shape_part_count(w->shapes[a].shape) > hit->part_a);
    assert_true(hit->part_b == 0 || graze_shape_part_count(w->shapes[b].shape) > hit->part_b);
    n->parts += hit->part_a + hit->part_b > 0;
    n->triangles += (hit->triangle_a == GRAZE_NO_TRIANGLE) != (hit->triangle_b == GRAZE_NO_TRIANGLE);
    assert_true(event->has_witness == (hit->triangle_a != GRAZE_NO_TRIANGLE && hit->triangle_b != GRAZE_NO_TRIANGLE));
    if (event->has_witness)
        assert_true(event->witness.triangle_a == hit->triangle_a && event->witness.triangle_b == hit->triangle_b);
    if (graze_shape_get_kind(w->shapes[a].shape) <= GRAZE_SHAPE_POINT && !graze_shape_has_triangles(w->shapes[a].shape))
        assert_int_equal(hit->triangle_a, GRAZE_NO_TRIANGLE);
}

static void check_contacts(const graze_placed *a, const graze_placed *b, const graze_event *event, counters *n)
{
    static graze_shape_manifold fresh[256];
    size_t count;
    assert_true(event->has_contacts);
    assert_int_equal(graze_shape_pair_contacts(NULL, a, b, NULL, fresh, 256, &count), GRAZE_STATUS_OK);
    assert_int_equal(event->contact_count, count);
    assert_true(count == 0 || memcmp(fresh, event->contacts, count * sizeof *fresh) == 0);
    n->manifolds += (int)count;
}

/* One pair, which the scene has in the order a, b. */
static void check_pair(world *w, int a, int b, const graze_frame *frame, bool contacts, counters *n)
{
    graze_placed placed[2];
    graze_verdict truth;
    if (!get_placed(w, a, &placed[0]) || !get_placed(w, b, &placed[1]))
        return;
    const graze_event *event = find_event(frame, w->names[a], w->names[b]);
    const graze_undecided_pair *undecided = find_undecided(frame, w->names[a], w->names[b]);
    assert_int_equal(graze_shape_pair_any(NULL, &placed[0], &placed[1], NULL, &truth, NULL), GRAZE_STATUS_OK);
    bool before = w->before[a][b];
    if (truth == GRAZE_VERDICT_UNKNOWN && undecided != NULL)
    {
        assert_true(undecided->reason == GRAZE_UNDECIDED_CURVED && undecided->collided == before && event == NULL);
        n->unknown++;
        return;
    }
    bool now = truth == GRAZE_VERDICT_YES; /* boxes may decide what the query leaves open */
    assert_null(undecided);
    assert_true((event != NULL) == (now || before));
    w->before[a][b] = now;
    if (event == NULL)
        return;
    assert_int_equal(event->kind, !now ? GRAZE_EVENT_END : before ? GRAZE_EVENT_STAY : GRAZE_EVENT_BEGIN);
    n->begins += event->kind == GRAZE_EVENT_BEGIN;
    n->stays += event->kind == GRAZE_EVENT_STAY;
    n->ends += event->kind == GRAZE_EVENT_END;
    if (now)
        check_hit(w, a, b, event, n);
    else
        assert_true(event->shape_hit == NULL && !event->has_contacts);
    if (now && contacts)
        check_contacts(&placed[0], &placed[1], event, n);
}

static void check_frame(world *w, const graze_frame *frame, bool contacts, counters *n)
{
    size_t unknown = 0;
    for (int i = 0; i < OBJECTS; i++)
        for (int k = 0; k < OBJECTS; k++)
            if (w->names[i].index < w->names[k].index)
                check_pair(w, i, k, frame, contacts, n);
    for (size_t i = 0; i < frame->undecided_count; i++)
        unknown += frame->undecided[i].reason == GRAZE_UNDECIDED_CURVED;
    assert_true(frame->unknown_count == unknown && unknown == frame->undecided_count);
}

static void log_frame(world *w, const graze_frame *frame)
{
    for (size_t i = 0; i < frame->event_count; i++)
    {
        const graze_event *event = &frame->events[i];
        logged_event entry;
        memset(&entry, 0, sizeof entry);
        entry.kind = event->kind;
        entry.a = event->a.index;
        entry.b = event->b.index;
        entry.has_witness = event->has_witness;
        if (event->shape_hit != NULL)
        {
            entry.has_hit = 1;
            entry.hit = *event->shape_hit;
        }
        assert_true((w->logged + 1) * sizeof entry <= LOG_SIZE);
        w->log[w->logged++] = entry;
    }
}

/* Runs frames from a seed; checks them where `n` is not NULL, and logs them. */
static void run_frames(uint64_t seed, const graze_context *context, graze_broad_phase_method method, bool backward,
                       counters *n, world *w)
{
    test_random random = {seed};
    graze_update_options options = graze_update_options_default();
    graze_frame frame;
    make_shapes(&random, w);
    add_objects(&random, context, method, backward, w);
    for (int i = 0; i < FRAMES; i++)
    {
        if (i > 0)
            move_some(&random, w);
        options.contacts = n != NULL && i % 2 == 1;
        assert_int_equal(graze_scene_update(w->scene, &options, &frame), GRAZE_STATUS_OK);
        if (n != NULL)
            check_frame(w, &frame, options.contacts, n);
        log_frame(w, &frame);
    }
    assert_true(graze_scene_memory_size(w->scene) > OBJECTS * 100);
    graze_scene_destroy(w->scene);
}

static void events_are_those_of_fresh_queries(void **state)
{
    (void)state;
    test_random random = test_random_start("events_are_those_of_fresh_queries", 11);
    static world w;
    counters n = {0};
    for (int round = 0; round < 4; round++)
    {
        run_frames(random.state + (uint64_t)round, NULL, GRAZE_BROAD_PHASE_BRUTE_FORCE, round % 2 == 1, &n, &w);
        clear_world(&w);
    }
    printf("%d begin, %d stay, %d end, %d unknown; %d in parts, %d of one triangle, %d manifolds\n", n.begins, n.stays,
           n.ends, n.unknown, n.parts, n.triangles, n.manifolds);
    assert_true(n.begins > 500 && n.stays > 500 && n.ends > 300 && n.unknown > 0);
    assert_true(n.parts > 20 && n.triangles > 50 && n.manifolds > 500);
}

static void broad_phases_and_threads_change_nothing(void **state)
{
    (void)state;
    static world first, other;
    graze_pool *pool;
    graze_context context = graze_context_default();
    assert_int_equal(graze_pool_create(NULL, 2, &pool), GRAZE_STATUS_OK);
    context.tasks = graze_pool_tasks(pool);
    run_frames(23, NULL, GRAZE_BROAD_PHASE_BRUTE_FORCE, false, NULL, &first);
    for (int threads = 1; threads <= 2; threads++)
        for (int method = 0; method < GRAZE_BROAD_PHASE_METHOD_COUNT; method++)
        {
            run_frames(23, threads == 2 ? &context : NULL, (graze_broad_phase_method)method, false, NULL, &other);
            assert_true(first.logged == other.logged && first.logged > 1000);
            assert_memory_equal(first.log, other.log, first.logged * sizeof *first.log);
            clear_world(&other);
        }
    clear_world(&first);
    graze_pool_destroy(pool);
}

/* Under budgets of box tests the rest is undecided for that reason, and nothing is dropped in the end. */
static void budgets_leave_pairs_undecided_and_drop_none(void **state)
{
    (void)state;
    static world w;
    test_random random = test_random_start("budgets_leave_pairs_undecided_and_drop_none", 5);
    size_t budgeted = 0;
    for (int schedule = GRAZE_SCHEDULE_SEQUENTIAL; schedule <= GRAZE_SCHEDULE_PRIORITY; schedule++)
    {
        counters n = {0};
        graze_update_options options = graze_update_options_default();
        options.schedule = (graze_schedule)schedule;
        make_shapes(&random, &w);
        add_objects(&random, NULL, GRAZE_BROAD_PHASE_BVH, false, &w);
        size_t events = 0;
        for (int i = 0; i < 3; i++)
        {
            graze_frame frame;
            options.budget.box_tests = 200;
            assert_int_equal(graze_scene_update(w.scene, &options, &frame), GRAZE_STATUS_OK);
            for (size_t k = 0; k < frame.undecided_count; k++)
                budgeted += frame.undecided[k].reason == GRAZE_UNDECIDED_BUDGET;
            for (size_t k = 0; k < frame.event_count; k++)
            {
                const graze_event *event = &frame.events[k];
                bool *known = &w.before[(uintptr_t)event->user_a][(uintptr_t)event->user_b];
                assert_true(event->kind == (*known ? GRAZE_EVENT_STAY : GRAZE_EVENT_BEGIN));
                *known = true;
                events++;
            }
        }
        graze_frame frame;
        assert_int_equal(graze_scene_update(w.scene, NULL, &frame), GRAZE_STATUS_OK);
        check_frame(&w, &frame, false, &n);
        printf("schedule %d: %zu events, then %d begin, %d stay\n", schedule, events, n.begins, n.stays);
        assert_true(events > 0 && n.begins > 0 && n.stays > 0);
        graze_scene_destroy(w.scene);
        clear_world(&w);
    }
    assert_true(budgeted > 100);
}

static graze_object add_shape(graze_scene *scene, const graze_shape *shape, graze_object parent, const graze_pose *pose,
                              graze_status expected)
{
    graze_object_def def = graze_object_def_default();
    graze_object object = {0, 0};
    def.shape = shape;
    def.parent = parent;
    def.pose = *pose;
    assert_int_equal(graze_scene_add(scene, &def, &object), expected);
    return object;
}

/* Its shape may be destroyed when it was removed. */
static void objects_moved_and_removed_are_not_placed(void **state)
{
    (void)state;
    const graze_object none = {0, 0};
    graze_pose pose = graze_pose_identity();
    graze_shape *ball;
    graze_scene *scene;
    graze_frame frame;
    assert_int_equal(graze_shape_create_sphere(NULL, NULL, 1, &ball), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
    graze_object one = add_shape(scene, ball, none, &pose, GRAZE_STATUS_OK);
    graze_object two = add_shape(scene, ball, none, &pose, GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_update(scene, NULL, &frame), GRAZE_STATUS_OK);
    assert_int_equal(frame.moved_count, 2);
    pose.m[3] = 0.5;
    assert_int_equal(graze_scene_move(scene, one, &pose), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_move(scene, two, &pose), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_remove(scene, one), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_update(scene, NULL, &frame), GRAZE_STATUS_OK);
    assert_int_equal(frame.moved_count, 1);
    assert_int_equal(frame.event_count, 1);
    assert_int_equal(frame.events[0].kind, GRAZE_EVENT_END);
    graze_scene_destroy(scene);
    graze_shape_destroy(ball);
}

/* Each entry in turn, whatever the shape. */
static void poses_that_are_not_finite_are_refused(void **state)
{
    (void)state;
    static const double wrong[] = {NAN, INFINITY, -INFINITY};
    const double normal[3] = {0, 0, 1}, size[3] = {1, 1, 1};
    const graze_object none = {0, 0};
    const graze_pose identity = graze_pose_identity();
    graze_shape *shapes[4] = {NULL};
    graze_object objects[4];
    graze_scene *scene;
    assert_int_equal(graze_shape_create_sphere(NULL, NULL, 1, &shapes[1]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_half_space(NULL, normal, 0, &shapes[2]), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_box(NULL, size, &shapes[3]), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
    for (int s = 0; s < 4; s++)
        objects[s] = add_shape(scene, shapes[s], none, &identity, GRAZE_STATUS_OK);
    for (int i = 0; i < 4 * 12 * 3; i++)
    {
        int s = i % 4;
        graze_pose pose = identity;
        pose.m[i / 4 % 12] = wrong[i / 48];
        assert_int_equal(graze_scene_move(scene, objects[s], &pose), GRAZE_STATUS_NOT_FINITE);
        assert_int_equal(graze_scene_set_parent(scene, objects[s], none, &pose), GRAZE_STATUS_NOT_FINITE);
        add_shape(scene, shapes[s], none, &pose, GRAZE_STATUS_NOT_FINITE);
    }
    assert_int_equal(graze_scene_update(scene, NULL, NULL), GRAZE_STATUS_OK);
    graze_scene_destroy(scene);
    for (int s = 0; s < 4; s++)
        graze_shape_destroy(shapes[s]);
}

static void poses_that_a_shape_may_not_have_are_refused(void **state)
{
    (void)state;
    const double normal[3] = {0, 0, 1}, size[3] = {1, 1, 1};
    const graze_object none = {0, 0};
    graze_pose identity = graze_pose_identity(), wide = identity, flat = identity, nearly = identity;
    graze_shape *ball, *floor, *box;
    graze_scene *scene;
    graze_detector *detector;
    wide.m[0] = 2;
    flat.m[10] = 0;
    assert_int_equal(graze_shape_create_sphere(NULL, NULL, 1, &ball), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_half_space(NULL, normal, 0, &floor), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_create_box(NULL, size, &box), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
    add_shape(scene, ball, none, &wide, GRAZE_STATUS_NOT_RIGID);
    add_shape(scene, floor, none, &flat, GRAZE_STATUS_SINGULAR);
    graze_object node = add_shape(scene, NULL, none, &identity, GRAZE_STATUS_OK);
    graze_object free_ball = add_shape(scene, ball, none, &identity, GRAZE_STATUS_OK);
    graze_object boxed = add_shape(scene, box, none, &wide, GRAZE_STATUS_OK);
    graze_object child = add_shape(scene, ball, node, &identity, GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_move(scene, free_ball, &wide), GRAZE_STATUS_NOT_RIGID);
    for (int k = 0; k < 3; k++)
        nearly.m[5 * k] = 1 + 0.7e-9; /* R^T R is 1.4e-9 off */
    assert_int_equal(graze_scene_move(scene, free_ball, &nearly), GRAZE_STATUS_NOT_RIGID);
    for (int k = 0; k < 3; k++)
        nearly.m[5 * k] = 1 + 0.49e-9;
    assert_int_equal(graze_scene_move(scene, free_ball, &nearly), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_move(scene, free_ball, &identity), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_set_shape(scene, boxed, ball), GRAZE_STATUS_NOT_RIGID);
    assert_int_equal(graze_scene_set_parent(scene, child, none, &wide), GRAZE_STATUS_NOT_RIGID);
    assert_int_equal(graze_scene_update(scene, NULL, NULL), GRAZE_STATUS_OK);

    /* The parent's pose makes that of the child impossible: the update says so, and goes on when it is mended. */
    assert_int_equal(graze_scene_move(scene, node, &wide), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_update(scene, NULL, NULL), GRAZE_STATUS_NOT_RIGID);
    assert_int_equal(graze_scene_update(scene, NULL, NULL), GRAZE_STATUS_NOT_RIGID);
    assert_int_equal(graze_scene_move(scene, node, &identity), GRAZE_STATUS_OK);
    graze_frame frame;
    assert_int_equal(graze_scene_update(scene, NULL, &frame), GRAZE_STATUS_OK);
    assert_int_equal(frame.colliding, 3);

    assert_int_equal(graze_detector_create(NULL, scene, NULL, &detector), GRAZE_STATUS_OK);
    assert_int_equal(graze_detector_move(detector, free_ball, &wide), GRAZE_STATUS_NOT_RIGID);
    assert_int_equal(graze_detector_move(detector, node, &wide), GRAZE_STATUS_OK);
    graze_detector_commit(detector);
    graze_detector_drain(detector);
    graze_report *report = graze_detector_take(detector);
    assert_int_equal(graze_report_status(report), GRAZE_STATUS_NOT_RIGID);
    graze_report_destroy(report);
    graze_detector_destroy(detector);
    graze_scene_destroy(scene);
    graze_shape_destroy(ball);
    graze_shape_destroy(floor);
    graze_shape_destroy(box);
}

/* A detector's report keeps hits and contacts of its own. */
static void reports_of_detectors_carry_hits_and_contacts(void **state)
{
    (void)state;
    const double sizes[3] = {2, 2, 2};
    const graze_object none = {0, 0};
    graze_pose poses[3] = {graze_pose_identity(), graze_pose_translation(1.5, 0, 0), graze_pose_translation(9, 0, 0)};
    graze_shape *box;
    graze_scene *scene;
    graze_detector *detector;
    graze_update_options options = graze_update_options_default();
    options.contacts = true;
    assert_int_equal(graze_shape_create_box(NULL, sizes, &box), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
    graze_object first = add_shape(scene, box, none, &poses[0], GRAZE_STATUS_OK);
    add_shape(scene, box, none, &poses[1], GRAZE_STATUS_OK);
    assert_int_equal(graze_detector_create(NULL, scene, &options, &detector), GRAZE_STATUS_OK);
    for (int i = 0; i < 2; i++)
    {
        assert_int_equal(graze_detector_move(detector, first, &poses[2 * i]), GRAZE_STATUS_OK);
        graze_detector_commit(detector);
        graze_detector_drain(detector);
    }
    graze_report *reports[2] = {graze_detector_take(detector), graze_detector_take(detector)};
    graze_detector_destroy(detector);
    graze_scene_destroy(scene);
    const graze_frame *begin = graze_report_frame(reports[0]), *end = graze_report_frame(reports[1]);
    assert_true(begin->event_count == 1 && end->event_count == 1);
    assert_true(begin->events[0].shape_hit != NULL && begin->events[0].shape_hit->has_point);
    assert_true(begin->events[0].has_contacts && begin->events[0].contact_count == 1);
    assert_true(begin->events[0].contacts[0].contacts.count == 4 &&
                begin->events[0].contacts[0].contacts.normal[0] == 1);
    assert_true(end->events[0].kind == GRAZE_EVENT_END && end->events[0].shape_hit == NULL);
    assert_true(!end->events[0].has_contacts && end->events[0].contacts == NULL);
    graze_report_destroy(reports[0]);
    graze_report_destroy(reports[1]);
    graze_shape_destroy(box);
}

/* An object changes from mesh to shape and back, also to nothing. */
static void objects_change_between_mesh_and_shape(void **state)
{
    (void)state;
    test_random random = test_random_start("objects_change_between_mesh_and_shape", 3);
    random_shape kinds[2];
    graze_scene *scene;
    graze_object objects[2];
    graze_frame frame;
    random_shape_make(&random, GRAZE_SHAPE_MESH, &kinds[0]);
    random_shape_make(&random, GRAZE_SHAPE_BOX, &kinds[1]);
    graze_shape *half;
    const double up[3] = {0, 0, 1};
    assert_int_equal(graze_shape_create_half_space(NULL, up, 100, &half), GRAZE_STATUS_OK);
    assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
    for (int i = 0; i < 2; i++)
    {
        graze_object_def def = graze_object_def_default(), seen = def;
        def.shape = half;
        assert_int_equal(graze_scene_add(scene, &def, &objects[i]), GRAZE_STATUS_OK);
        assert_int_equal(graze_scene_object_def(scene, objects[i], &seen), GRAZE_STATUS_OK);
        assert_true(seen.shape == half && seen.mesh == NULL);
    }
    for (int i = 0; i < 60; i++)
    {
        graze_object object = objects[random_below(&random, 2)];
        int to = random_below(&random, 4);
        if (to == 0)
            assert_int_equal(graze_scene_set_mesh(scene, object, kinds[0].mesh, NULL), GRAZE_STATUS_OK);
        else
            assert_int_equal(graze_scene_set_shape(scene, object,
                                                   to == 1   ? half
                                                   : to == 2 ? kinds[0].shape
                                                             : NULL),
                             GRAZE_STATUS_OK);
        assert_int_equal(graze_scene_update(scene, NULL, &frame), GRAZE_STATUS_OK);
        graze_placed_mesh mesh[2];
        graze_placed shape[2];
        bool there = true, met = false;
        for (int k = 0; k < 2; k++)
        {
            assert_int_equal(graze_scene_placed_mesh(scene, objects[k], &mesh[k], NULL), GRAZE_STATUS_OK);
            assert_int_equal(graze_scene_placed_shape(scene, objects[k], &shape[k], NULL), GRAZE_STATUS_OK);
            there = there && (mesh[k].mesh != NULL || shape[k].shape != NULL);
            met = met || shape[k].shape != NULL;
        }
        assert_int_equal(frame.colliding, there); /* all share points */
        if (frame.event_count == 1 && there)
            assert_true((frame.events[0].shape_hit != NULL) == met);
    }
    graze_scene_destroy(scene);
    graze_shape_destroy(half);
    random_shape_clear(&kinds[0]);
    random_shape_clear(&kinds[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_are_those_of_fresh_queries),
        cmocka_unit_test(broad_phases_and_threads_change_nothing),
        cmocka_unit_test(budgets_leave_pairs_undecided_and_drop_none),
        cmocka_unit_test(objects_moved_and_removed_are_not_placed),
        cmocka_unit_test(poses_that_are_not_finite_are_refused),
        cmocka_unit_test(poses_that_a_shape_may_not_have_are_refused),
        cmocka_unit_test(reports_of_detectors_carry_hits_and_contacts),
        cmocka_unit_test(objects_change_between_mesh_and_shape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
