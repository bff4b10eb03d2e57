/* SPDX-License-Identifier: MIT */
/*
 * Random calls to a scene, compared frame by frame with a naive one: every accepted pair, every pair of triangles, by
 * the rational oracle. Poses are structured, since that is where shortcuts apply: decimal translations, one ulp more or
 * less, rotations by 90 degrees, equal poses, reflections, zeros of either sign, singular matrices, far away and at
 * both ends of the range. Meshes have degenerate triangles, unused vertices or nothing; they change, and are replaced
 * by others that may lie at the same address.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graze/generate.h"
#include "scene/scene.h"
#include "support/oracle.h"
#include "support/unit.h"

enum
{
    MESHES = 6,
    MOST_OBJECTS = 7,
    MOST_VERTICES = 8,
    MOST_TRIANGLES = 10,
    FRAMES = 12,
    WORLDS = 40
};

typedef struct thing
{
    bool there;
    graze_object name;
    int mesh; /* -1: none */
    graze_pose pose;
    int parent; /* -1: none */
} thing;

typedef struct world
{
    test_random random;
    oracle *judge;
    graze_mesh *meshes[MESHES];
    graze_scene *scene;
    thing things[MOST_OBJECTS];
    bool ignored[MOST_OBJECTS][MOST_OBJECTS]; /* by a pair rule */
    bool collided[MOST_OBJECTS][MOST_OBJECTS];
    graze_object was[MOST_OBJECTS]; /* handles at the last frame */
    size_t begun, ended, stayed, pairs, undecided, close;
} world;

static double decimal(test_random *random)
{
    return 0.1 * random_between(random, -5, 5);
}

static double coordinate(test_random *random, int kind)
{
    switch (kind)
    {
    case 0:
        return 0.5 * random_between(random, -1, 1);
    case 1:
        return decimal(random);
    case 2:
        return random_once_in(random, 2) ? 1e300 * random_between(random, -1, 1) : decimal(random);
    case 3:
        return 0x1p-1040 * random_between(random, -2, 2);
    default:
        return random_real(random, -1, 1);
    }
}

/* A soup with repeated vertices, a box, or a sphere that is large enough for support tables. */
static graze_mesh *make_mesh(test_random *random)
{
    graze_mesh *mesh = NULL;
    int kind = random_once_in(random, 8) ? random_below(random, 5) : random_below(random, 2);
    kind += random_once_in(random, 4) && kind < 2 ? 5 : 0;
    if (kind == 5)
        assert_int_equal(graze_mesh_create_box(NULL, 1, 0.2, 0.3, 1, &mesh), GRAZE_STATUS_OK);
    else if (kind == 6)
        assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 0.5, 2, &mesh), GRAZE_STATUS_OK);
    if (mesh != NULL)
        return mesh;
    double vertices[3 * MOST_VERTICES];
    uint32_t corners[3 * MOST_TRIANGLES];
    size_t vertex_count = (size_t)random_between(random, 3, MOST_VERTICES);
    size_t triangle_count = random_once_in(random, 12) ? 0 : (size_t)random_between(random, 1, MOST_TRIANGLES);
    for (size_t i = 0; i < 3 * vertex_count; i++)
        vertices[i] = coordinate(random, kind);
    for (size_t i = 0; i < 3 * triangle_count; i++)
        corners[i] = (uint32_t)random_below(random, (int)vertex_count);
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = vertex_count;
    def.corners = corners;
    def.corner_count = 3 * triangle_count;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

static graze_pose turned(test_random *random)
{
    double quaternion[4] = {0}, shift[3] = {decimal(random), decimal(random), decimal(random)};
    graze_pose pose;
    quaternion[0] = 1;
    if (random_once_in(random, 2))
        quaternion[random_between(random, 1, 3)] = random_once_in(random, 2) ? 1 : -1;
    else
        for (int i = 0; i < 4; i++)
            quaternion[i] = random_real(random, -1, 1);
    assert_int_equal(graze_pose_from_quaternion(quaternion, shift, &pose), GRAZE_STATUS_OK);
    return pose;
}

static void scale_by(graze_pose *pose, double factor)
{
    for (int i = 0; i < 12; i++)
        pose->m[i] *= factor;
}

static graze_pose make_pose(world *w)
{
    test_random *random = &w->random;
    graze_pose pose = graze_pose_translation(decimal(random), decimal(random), decimal(random));
    const graze_pose *other = &w->things[random_below(random, MOST_OBJECTS)].pose;
    int entry = random_below(random, 12);
    switch (random_once_in(random, 5) ? random_between(random, 7, 11) : random_between(random, 0, 13) % 12)
    {
    case 0:
        return graze_pose_identity();
    case 1:
        return graze_pose_translation(0.5 * random_between(random, -2, 2), 0, 0.5 * random_between(random, -2, 2));
    case 2:
        pose.m[3 + 4 * random_below(random, 3)] = nextafter(pose.m[7], random_once_in(random, 2) ? 9 : -9);
        return pose;
    case 3:
    case 4:
        return turned(random);
    case 5:
        for (int i = 0; i < 12; i++)
            pose.m[i] = pose.m[i] == 0 || i % 4 == 3 ? -0.0 : pose.m[i];
        return pose;
    case 6:
        pose.m[5 * random_below(random, 3)] *= -1;
        return pose;
    case 7:
        pose.m[5 * random_below(random, 3)] = 0;
        return pose;
    case 8:
        for (int i = 3; i < 12; i += 4)
            pose.m[i] += 0x1p40;
        return pose;
    case 9:
        scale_by(&pose, random_once_in(random, 2) ? 0x1p600 : 0x1p-600);
        return pose;
    case 10:
        return *other;
    case 11:
        pose = *other;
        pose.m[entry] = nextafter(pose.m[entry], random_once_in(random, 2) ? 1e300 : -1e300);
        return pose;
    default:
        return pose;
    }
}

/* World pose of an object, composed as the scene does; false when it overflows. */
static bool world_pose(const world *w, int i, graze_pose *out_pose)
{
    *out_pose = w->things[i].pose;
    graze_pose outer;
    return w->things[i].parent < 0 ||
           (world_pose(w, w->things[i].parent, &outer) &&
            graze_pose_compose(&outer, &w->things[i].pose, out_pose, NULL) == GRAZE_STATUS_OK);
}

/* Whether two triangles are so far apart that the rounding of long doubles does not matter. */
static bool far_apart(const graze_placed_triangle *a, const graze_placed_triangle *b)
{
    for (int axis = 0; axis < 3; axis++)
    {
        long double lower[2], upper[2], size = 0;
        for (int side = 0; side < 2; side++)
        {
            const graze_placed_triangle *t = side == 0 ? a : b;
            for (int corner = 0; corner < 3; corner++)
            {
                const double *m = t->pose->m + 4 * axis, *v = t->corners[corner];
                long double x = (long double)m[0] * v[0] + (long double)m[1] * v[1] + (long double)m[2] * v[2] + m[3];
                size = fmaxl(size, fabsl((long double)m[0] * v[0]) + fabsl((long double)m[1] * v[1]) +
                                       fabsl((long double)m[2] * v[2]) + fabsl((long double)m[3]));
                lower[side] = corner == 0 ? x : fminl(lower[side], x);
                upper[side] = corner == 0 ? x : fmaxl(upper[side], x);
            }
        }
        if (lower[0] - upper[1] > 1e-15L * size || lower[1] - upper[0] > 1e-15L * size)
            return true;
    }
    return false;
}

static graze_placed_triangle triangle_of(const graze_mesh *mesh, size_t triangle, const graze_pose *pose)
{
    graze_placed_triangle placed = {.pose = pose};
    for (size_t k = 0; k < 3; k++)
        placed.corners[k] = graze_mesh_vertices(mesh) + 3 * (size_t)graze_mesh_triangles(mesh)[3 * triangle + k];
    return placed;
}

static bool triangles_meet(world *w, const graze_placed_triangle *a, const graze_placed_triangle *b)
{
    return !far_apart(a, b) && oracle_triangle_triangle(w->judge, a, b).found;
}

static bool meet(world *w, int i, int k)
{
    graze_pose a, b;
    const graze_mesh *first = w->meshes[w->things[i].mesh], *second = w->meshes[w->things[k].mesh];
    assert_true(world_pose(w, i, &a) && world_pose(w, k, &b));
    for (size_t s = 0; s < graze_mesh_triangle_count(first); s++)
        for (size_t t = 0; t < graze_mesh_triangle_count(second); t++)
        {
            graze_placed_triangle one = triangle_of(first, s, &a), other = triangle_of(second, t, &b);
            if (triangles_meet(w, &one, &other))
                return true;
        }
    return false;
}

static bool wanted(const world *w, int i, int k)
{
    const thing *a = &w->things[i], *b = &w->things[k];
    return a->there && b->there && a->mesh >= 0 && b->mesh >= 0 && !w->ignored[i][k] && a->parent != k &&
           b->parent != i;
}

static int thing_of(const world *w, graze_object name)
{
    for (int i = 0; i < MOST_OBJECTS; i++)
        if (w->was[i].generation != 0 && w->was[i].index == name.index && w->was[i].generation == name.generation)
            return i;
    fail_msg("an event names what is no object");
    return -1;
}

static void check_witness(world *w, const graze_event *event, int i, int k)
{
    graze_pose a, b;
    assert_true(event->has_witness && world_pose(w, i, &a) && world_pose(w, k, &b));
    graze_placed_triangle one = triangle_of(w->meshes[w->things[i].mesh], event->witness.triangle_a, &a);
    graze_placed_triangle other = triangle_of(w->meshes[w->things[k].mesh], event->witness.triangle_b, &b);
    assert_true(triangles_meet(w, &one, &other));
}

/* Every event is right, and only those of undecided pairs are missing. */
static void check_frame(world *w, const graze_frame *frame)
{
    bool told[MOST_OBJECTS][MOST_OBJECTS] = {{false}}, open[MOST_OBJECTS][MOST_OBJECTS] = {{false}};
    for (size_t e = 0; e < frame->event_count; e++)
    {
        const graze_event *event = &frame->events[e];
        int i = thing_of(w, event->a), k = thing_of(w, event->b);
        bool now = event->kind != GRAZE_EVENT_END;
        assert_false(told[i][k]);
        told[i][k] = told[k][i] = true;
        assert_int_equal(event->kind == GRAZE_EVENT_BEGIN, !w->collided[i][k]);
        w->begun += event->kind == GRAZE_EVENT_BEGIN;
        w->stayed += event->kind == GRAZE_EVENT_STAY;
        w->ended += !now;
        assert_int_equal(now, wanted(w, i, k) && meet(w, i, k));
        if (now)
            check_witness(w, event, i, k);
        w->collided[i][k] = w->collided[k][i] = now;
    }
    for (size_t u = 0; u < frame->undecided_count; u++)
    {
        int i = thing_of(w, frame->undecided[u].a), k = thing_of(w, frame->undecided[u].b);
        assert_false(told[i][k]);
        open[i][k] = open[k][i] = true;
        w->undecided++;
    }
    for (int i = 0; i < MOST_OBJECTS; i++)
        for (int k = 0; k < i; k++)
            if (!told[i][k] && !open[i][k])
            {
                assert_false(w->collided[i][k]);
                assert_false(wanted(w, i, k) && meet(w, i, k));
                w->pairs++;
            }
}

static void remember_names(world *w)
{
    for (int i = 0; i < MOST_OBJECTS; i++)
        if (w->things[i].there)
            w->was[i] = w->things[i].name;
}

static void update(world *w)
{
    graze_update_options options = graze_update_options_default();
    options.schedule = (graze_schedule)random_below(&w->random, GRAZE_SCHEDULE_PRIORITY + 1);
    options.budget.seconds = random_once_in(&w->random, 4) ? 1e-6 * random_between(&w->random, 1, 100) : 0;
    graze_frame frame;
    graze_status status = graze_scene_update(w->scene, &options, &frame);
    bool fits = true;
    graze_pose ignored;
    remember_names(w);
    for (int i = 0; i < MOST_OBJECTS; i++)
        fits = fits && (!w->things[i].there || world_pose(w, i, &ignored));
    assert_int_equal(status, fits ? GRAZE_STATUS_OK : GRAZE_STATUS_NOT_FINITE);
    if (fits)
        check_frame(w, &frame);
}

/* Sometimes none. */
static int any_mesh(world *w)
{
    return random_once_in(&w->random, 20) ? -1 : random_below(&w->random, MESHES);
}

static void add(world *w, int i)
{
    graze_object_def def = graze_object_def_default();
    thing *t = &w->things[i];
    *t = (thing){.there = true, .mesh = any_mesh(w), .parent = -1, .pose = make_pose(w)};
    int parent = random_below(&w->random, MOST_OBJECTS);
    if (parent != i && w->things[parent].there && random_once_in(&w->random, 4))
    {
        t->parent = parent;
        def.parent = w->things[parent].name;
    }
    def.mesh = t->mesh >= 0 ? w->meshes[t->mesh] : NULL;
    def.pose = t->pose;
    assert_int_equal(graze_scene_add(w->scene, &def, &t->name), GRAZE_STATUS_OK);
    for (int k = 0; k < MOST_OBJECTS; k++)
        w->ignored[i][k] = w->ignored[k][i] = false;
}

static bool is_below(const world *w, int i, int above)
{
    return i == above || (w->things[i].parent >= 0 && is_below(w, w->things[i].parent, above));
}

static void take_away(world *w, int i)
{
    assert_int_equal(graze_scene_remove(w->scene, w->things[i].name), GRAZE_STATUS_OK);
    bool goes[MOST_OBJECTS];
    for (int k = 0; k < MOST_OBJECTS; k++)
        goes[k] = w->things[k].there && is_below(w, k, i);
    for (int k = 0; k < MOST_OBJECTS; k++)
        w->things[k].there = w->things[k].there && !goes[k];
}

static void tell_all(world *w, int mesh)
{
    for (int i = 0; i < MOST_OBJECTS; i++)
        if (w->things[i].there && w->things[i].mesh == mesh)
            assert_int_equal(graze_scene_set_mesh(w->scene, w->things[i].name, w->meshes[mesh], NULL), GRAZE_STATUS_OK);
}

/* Replaces a mesh by another one, maybe at the same address, or changes its vertices. */
static void change_mesh(world *w)
{
    int mesh = random_below(&w->random, MESHES);
    if (random_once_in(&w->random, 2))
    {
        graze_mesh *before = w->meshes[mesh];
        size_t count = 3 * graze_mesh_vertex_count(before);
        double *vertices = malloc((count + 1) * sizeof *vertices);
        assert_non_null(vertices);
        for (size_t i = 0; i < count; i++)
            vertices[i] = graze_mesh_vertices(before)[i] + 0.1 * random_between(&w->random, -1, 1);
        assert_int_equal(graze_mesh_move_vertices(before, vertices, 0, GRAZE_SCALAR_DOUBLE, NULL), GRAZE_STATUS_OK);
        free(vertices);
        tell_all(w, mesh);
        return;
    }
    for (int i = 0; i < MOST_OBJECTS; i++) /* its objects are removed first, and an update reports their end */
        if (w->things[i].there && w->things[i].mesh == mesh)
            take_away(w, i);
    graze_mesh_destroy(w->meshes[mesh]);
    w->meshes[mesh] = make_mesh(&w->random);
}

static void act(world *w)
{
    int i = random_below(&w->random, MOST_OBJECTS), k = random_below(&w->random, MOST_OBJECTS);
    thing *t = &w->things[i];
    if (!t->there)
    {
        bool buried = !w->collided[i][k];
        for (int j = 0; j < MOST_OBJECTS; j++)
            buried = buried && !w->collided[i][j];
        if (buried) /* its end has been reported */
            add(w, i);
        return;
    }
    switch (random_below(&w->random, 8))
    {
    case 0:
        take_away(w, i);
        break;
    case 1:
        t->mesh = any_mesh(w);
        assert_int_equal(graze_scene_set_mesh(w->scene, t->name, t->mesh >= 0 ? w->meshes[t->mesh] : NULL, NULL),
                         GRAZE_STATUS_OK);
        break;
    case 2:
        change_mesh(w);
        break;
    case 3:
        if (i == k || !w->things[k].there)
            break;
        w->ignored[i][k] = w->ignored[k][i] = !w->ignored[i][k];
        assert_int_equal(graze_interest_set_pair(w->scene, t->name, w->things[k].name,
                                                 w->ignored[i][k] ? GRAZE_INTEREST_NONE : GRAZE_INTEREST_UNSET),
                         GRAZE_STATUS_OK);
        break;
    default:
        t->pose = make_pose(w);
        assert_int_equal(graze_scene_move(w->scene, t->name, &t->pose), GRAZE_STATUS_OK);
    }
}

static void live(world *w)
{
    graze_scene_def def = graze_scene_def_default();
    def.broad_phase = (graze_broad_phase_method)random_below(&w->random, GRAZE_BROAD_PHASE_METHOD_COUNT);
    assert_int_equal(graze_scene_create(NULL, &def, &w->scene), GRAZE_STATUS_OK);
    for (int i = 0; i < MESHES; i++)
        w->meshes[i] = make_mesh(&w->random);
    for (int i = 0; i < MOST_OBJECTS; i++)
        add(w, i);
    for (int frame = 0; frame < FRAMES; frame++)
    {
        update(w);
        for (int actions = random_below(&w->random, 6); actions > 0; actions--)
            act(w);
    }
    graze_scene_destroy(w->scene);
    for (int i = 0; i < MESHES; i++)
        graze_mesh_destroy(w->meshes[i]);
}

static void any_calls_give_the_events_of_a_naive_scene(void **state)
{
    (void)state;
    const char *more = getenv("GRAZE_TEST_WORLDS");
    int worlds = more != NULL ? atoi(more) : WORLDS;
    world counts = {0};
    test_random random = test_random_start("any_calls_give_the_events_of_a_naive_scene", 20260);
    oracle *judge = oracle_create();
    for (int i = 0; i < worlds; i++)
    {
        world w = {.random = {random_next(&random)}, .judge = judge};
        for (int k = 0; k < MOST_OBJECTS; k++)
            w.things[k].pose = graze_pose_identity();
        live(&w);
        counts.begun += w.begun;
        counts.ended += w.ended;
        counts.stayed += w.stayed;
        counts.pairs += w.pairs;
        counts.undecided += w.undecided;
    }
    oracle_destroy(judge);
    printf("%zu begun, %zu went on, %zu ended, %zu pairs were apart, %zu not decided in time\n", counts.begun,
           counts.stayed, counts.ended, counts.pairs, counts.undecided);
    assert_true(counts.begun > 4 * (size_t)worlds && counts.ended > 3 * (size_t)worlds);
    assert_true(counts.stayed > 5 * (size_t)worlds && counts.pairs > 50 * (size_t)worlds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_calls_give_the_events_of_a_naive_scene)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
