/* SPDX-License-Identifier: MIT */
/* Queries between frames, each object by the oracle. They are about the poses of the last update. */
#include "graze/scene_query.h"
#include "naive.h"

/* Whether an object is unchanged since the last update: then the naive scene has its state. */
static bool is_current(const naive_scene *n, int slot)
{
    return n->objects[slot].used && n->objects[slot].placed && n->objects[slot].shape >= 0;
}

static void expect_object_hits(const naive_scene *n, const graze_object_hit *object_hits, size_t count,
                               const bool truth[MOST_OBJECTS], const char *question)
{
    size_t expected = 0;
    for (int i = 0; i < MOST_OBJECTS; i++)
    {
        bool listed = false;
        for (size_t m = 0; m < count; m++)
            listed = listed || (n->objects[i].used && object_hits[m].object.index == n->objects[i].name.index);
        EXPECT(listed == truth[i], "%s: object %d is %slisted", question, i, listed ? "" : "not ");
        expected += truth[i];
    }
    EXPECT(count == expected, "%s: %zu objects", question, count);
}

static void query_with_mesh(fuzz_bytes *bytes, const naive_scene *n)
{
    bool truth[MOST_OBJECTS] = {false};
    graze_object_hit object_hits[MOST_OBJECTS];
    size_t count;
    const naive_shape *shape = &n->shapes[take_below(bytes, SHAPES)];
    graze_placed_mesh query = {shape->mesh, shape->tree, graze_pose_identity()};
    take_pose(bytes, &query.pose);
    finding_note_pose("query", &query.pose);
    EXPECT_OK(graze_scene_collide_mesh(n->scene, &query, NULL, NULL, object_hits, MOST_OBJECTS, &count));
    for (int i = 0; i < MOST_OBJECTS; i++)
    {
        if (!is_current(n, i))
            continue;
        const small_mesh *other = &n->shapes[n->objects[i].shape].shape;
        truth[i] = brute_force_any(&shape->shape, &query.pose, other, &n->objects[i].world) ||
                   ((n->objects[i].flags & GRAZE_OBJECT_SOLID) != 0 &&
                    brute_force_contains(other, &n->objects[i].world, &shape->shape, &query.pose));
    }
    expect_object_hits(n, object_hits, count, truth, "hit by mesh");
}

static void query_with_object(fuzz_bytes *bytes, const naive_scene *n)
{
    bool truth[MOST_OBJECTS] = {false};
    graze_object_hit object_hits[MOST_OBJECTS];
    size_t count;
    int slot = (int)take_below(bytes, MOST_OBJECTS);
    if (!is_current(n, slot))
        return;
    EXPECT_OK(
        graze_scene_collide_object(n->scene, n->objects[slot].name, NULL, NULL, object_hits, MOST_OBJECTS, &count));
    for (int i = 0; i < MOST_OBJECTS; i++)
        truth[i] = i != slot && is_current(n, i) && naive_collide(n, slot, i);
    expect_object_hits(n, object_hits, count, truth, "hit by object");
}

/* A point query, by a degenerate triangle. */
static void query_with_point(fuzz_bytes *bytes, const naive_scene *n)
{
    bool truth[MOST_OBJECTS] = {false};
    graze_object_hit object_hits[MOST_OBJECTS];
    size_t count;
    small_mesh point = {.vertex_count = 1, .triangle_count = 1};
    for (int k = 0; k < 3; k++)
        point.vertices[0][k] = take_coordinate(bytes);
    EXPECT_OK(graze_scene_collide_point(n->scene, point.vertices[0], NULL, NULL, object_hits, MOST_OBJECTS, &count));
    const graze_pose identity = graze_pose_identity();
    for (int i = 0; i < MOST_OBJECTS; i++)
    {
        if (!is_current(n, i))
            continue;
        const small_mesh *other = &n->shapes[n->objects[i].shape].shape;
        truth[i] = brute_force_any(&point, &identity, other, &n->objects[i].world) ||
                   ((n->objects[i].flags & GRAZE_OBJECT_SOLID) != 0 &&
                    brute_force_contains(other, &n->objects[i].world, &point, &identity));
    }
    finding_note_text("point %.17g %.17g %.17g\n", point.vertices[0][0], point.vertices[0][1], point.vertices[0][2]);
    expect_object_hits(n, object_hits, count, truth, "hit by point");
}

/* A ray of small integers with an integer length: a segment. */
static void query_with_ray(fuzz_bytes *bytes, const naive_scene *n)
{
    bool truth[MOST_OBJECTS] = {false};
    graze_ray_hit hits[MOST_OBJECTS];
    graze_object_hit object_hits[MOST_OBJECTS];
    size_t count;
    small_mesh segment = {.vertex_count = 2, .triangle_count = 1, .triangles = {{0, 1, 1}}};
    double direction[3], limit = 1 + take_below(bytes, 4);
    for (int k = 0; k < 3; k++)
    {
        segment.vertices[0][k] = (double)take_below(bytes, 8) - 4;
        direction[k] = (double)take_below(bytes, 5) - 2;
        segment.vertices[1][k] = segment.vertices[0][k] + limit * direction[k];
    }
    if (direction[0] == 0 && direction[1] == 0 && direction[2] == 0)
        return;
    EXPECT_OK(
        graze_scene_cast_ray(n->scene, segment.vertices[0], direction, limit, NULL, NULL, hits, MOST_OBJECTS, &count));
    const graze_pose identity = graze_pose_identity();
    for (int i = 0; i < MOST_OBJECTS; i++)
        truth[i] = is_current(n, i) &&
                   brute_force_any(&segment, &identity, &n->shapes[n->objects[i].shape].shape, &n->objects[i].world);
    EXPECT(count <= MOST_OBJECTS, "hit by ray: %zu objects", count);
    for (size_t h = 0; h < count; h++)
    {
        object_hits[h].object = hits[h].object;
        EXPECT(hits[h].hit.t_lower <= hits[h].hit.t && hits[h].hit.t <= hits[h].hit.t_upper && hits[h].hit.t <= limit,
               "hit by ray: t");
        EXPECT(h == 0 || hits[h - 1].hit.t <= hits[h].hit.t, "hit by ray: order");
    }
    expect_object_hits(n, object_hits, count, truth, "hit by ray");
}

void query_check(fuzz_bytes *bytes, naive_scene *n)
{
    uint8_t form = take_byte(bytes);
    finding_note_text("question %u\n", form);
    frame_check(bytes, n); /* so that both have the same state */
    for (int i = 0; i < MOST_OBJECTS; i++)
        if (n->objects[i].used && !n->objects[i].placed)
            return;
    switch (form & 3)
    {
    case 0:
        query_with_mesh(bytes, n);
        break;
    case 1:
        query_with_object(bytes, n);
        break;
    case 2:
        query_with_point(bytes, n);
        break;
    default:
        query_with_ray(bytes, n);
        break;
    }
}
