/* SPDX-License-Identifier: MIT */
/* Queries between frames, each object by the oracle. They are about the poses of the last update. */
#include "graze/scene_query.h"
#include "naive.h"

/* Whether an object is unchanged since the last update: then the naive scene has its state. */
static bool is_current(const naive_scene *n, int slot)
{
    return n->objects[slot].used && n->objects[slot].placed && n->objects[slot].shape >= 0;
}

/* What the references say of a query and each object. */
typedef struct query_truth
{
    naive_truth meets[MOST_OBJECTS];
    bool near[MOST_OBJECTS]; /* to touching: the scene need not know */
} query_truth;

/* UNKNOWN is an answer near touching only; there, and where the references do not know, any other is one as well. */
static void expect_verdict(const query_truth *truth, int i, bool listed, graze_verdict verdict, const char *question)
{
    if (listed && verdict == GRAZE_VERDICT_UNKNOWN)
        EXPECT(truth->near[i], "%s: object %d is unknown", question, i);
    else
        EXPECT(truth->meets[i] == TRUTH_OPEN || listed == (truth->meets[i] == TRUTH_TOGETHER),
               "%s: object %d is %slisted", question, i, listed ? "" : "not ");
}

static void expect_object_hits(const naive_scene *n, const graze_object_hit *object_hits, size_t count,
                               const query_truth *truth, const char *question)
{
    size_t listed_count = 0;
    for (int i = 0; i < MOST_OBJECTS; i++)
    {
        const graze_object_hit *listed = NULL;
        for (size_t m = 0; m < count; m++)
            if (n->objects[i].used && object_hits[m].object.index == n->objects[i].name.index)
                listed = &object_hits[m];
        expect_verdict(truth, i, listed != NULL, listed != NULL ? listed->verdict : GRAZE_VERDICT_NO, question);
        listed_count += listed != NULL;
    }
    EXPECT(count == listed_count, "%s: %zu objects", question, count);
}

static void query_with_shape(fuzz_bytes *bytes, const naive_scene *n, const naive_shape *shape)
{
    static case_side side; /* large */
    query_truth truth = {{TRUTH_APART}, {false}};
    graze_object_hit object_hits[MOST_OBJECTS];
    size_t count;
    side = shape->side;
    take_rigid_pose(bytes, &side.placed.pose);
    finding_note_pose("query", &side.placed.pose);
    if (!side_place(&side) || !side_check_placed(&side))
        return;
    EXPECT_OK(graze_scene_collide_shape(n->scene, &side.placed, NULL, NULL, object_hits, MOST_OBJECTS, &count));
    for (int i = 0; i < MOST_OBJECTS; i++)
        if (is_current(n, i))
            truth.meets[i] = naive_collide_side(n, i, &side, &truth.near[i]);
    expect_object_hits(n, object_hits, count, &truth, "hit by shape");
}

static void query_with_mesh(fuzz_bytes *bytes, const naive_scene *n)
{
    static case_side side;
    query_truth truth = {{TRUTH_APART}, {false}};
    graze_object_hit object_hits[MOST_OBJECTS];
    size_t count;
    const naive_shape *shape = &n->shapes[take_below(bytes, SHAPES)];
    if (shape->mesh == NULL)
    {
        query_with_shape(bytes, n, shape);
        return;
    }
    static graze_placed_mesh query; /* notes refer to it */
    query = (graze_placed_mesh){shape->mesh, shape->tree, graze_pose_identity()};
    take_pose(bytes, &query.pose);
    finding_note_pose("query", &query.pose);
    EXPECT_OK(graze_scene_collide_mesh(n->scene, &query, NULL, NULL, object_hits, MOST_OBJECTS, &count));
    naive_mesh_side(shape, &query.pose, false, &side);
    for (int i = 0; i < MOST_OBJECTS; i++)
        if (is_current(n, i))
            truth.meets[i] = naive_collide_side(n, i, &side, &truth.near[i]);
    expect_object_hits(n, object_hits, count, &truth, "hit by mesh");
}

static void query_with_object(fuzz_bytes *bytes, const naive_scene *n)
{
    query_truth truth = {{TRUTH_APART}, {false}};
    graze_object_hit object_hits[MOST_OBJECTS];
    size_t count;
    int slot = (int)take_below(bytes, MOST_OBJECTS);
    if (!is_current(n, slot))
        return;
    EXPECT_OK(
        graze_scene_collide_object(n->scene, n->objects[slot].name, NULL, NULL, object_hits, MOST_OBJECTS, &count));
    for (int i = 0; i < MOST_OBJECTS; i++)
        if (i != slot && is_current(n, i))
            truth.meets[i] = naive_collide(n, slot, i, &truth.near[i]);
    expect_object_hits(n, object_hits, count, &truth, "hit by object");
}

/* A point query, by a degenerate triangle. */
static void query_with_point(fuzz_bytes *bytes, const naive_scene *n)
{
    static case_side side;
    query_truth truth = {{TRUTH_APART}, {false}};
    graze_object_hit object_hits[MOST_OBJECTS];
    size_t count;
    naive_shape point = {.shape = {.vertex_count = 1, .triangle_count = 1}};
    for (int k = 0; k < 3; k++)
        point.shape.vertices[0][k] = take_coordinate(bytes);
    const double *p = point.shape.vertices[0];
    finding_note_text("point %.17g %.17g %.17g\n", p[0], p[1], p[2]);
    EXPECT_OK(graze_shape_create_point(NULL, p, &point.mesh_shape));
    EXPECT_OK(graze_scene_collide_point(n->scene, p, NULL, NULL, object_hits, MOST_OBJECTS, &count));
    const graze_pose identity = graze_pose_identity();
    naive_mesh_side(&point, &identity, false, &side);
    for (int i = 0; i < MOST_OBJECTS; i++)
        if (is_current(n, i))
            truth.meets[i] = naive_collide_side(n, i, &side, &truth.near[i]);
    expect_object_hits(n, object_hits, count, &truth, "hit by point");
    graze_shape_destroy(point.mesh_shape);
}

/* A ray of small integers with an integer length: a segment. Meshes are surfaces to it, also solid ones. */
static void query_with_ray(fuzz_bytes *bytes, const naive_scene *n)
{
    static case_side side;
    query_truth truth = {{TRUTH_APART}, {false}};
    graze_ray_hit hits[MOST_OBJECTS];
    graze_object_hit object_hits[MOST_OBJECTS];
    size_t count;
    naive_shape segment = {.shape = {.vertex_count = 2, .triangle_count = 1, .triangles = {{0, 1, 1}}}};
    double(*ends)[3] = segment.shape.vertices;
    double direction[3], limit = 1 + take_below(bytes, 4);
    for (int k = 0; k < 3; k++)
    {
        ends[0][k] = (double)take_below(bytes, 8) - 4;
        direction[k] = (double)take_below(bytes, 5) - 2;
        ends[1][k] = ends[0][k] + limit * direction[k];
    }
    if (direction[0] == 0 && direction[1] == 0 && direction[2] == 0)
        return;
    EXPECT_OK(graze_shape_create_segment(NULL, (const double(*)[3])ends, &segment.mesh_shape));
    EXPECT_OK(graze_scene_cast_ray(n->scene, ends[0], direction, limit, NULL, NULL, hits, MOST_OBJECTS, &count));
    const graze_pose identity = graze_pose_identity();
    naive_mesh_side(&segment, &identity, false, &side);
    for (int i = 0; i < MOST_OBJECTS; i++)
        if (is_current(n, i) && naive_has_shape(n, i))
            truth.meets[i] = naive_collide_side(n, i, &side, &truth.near[i]);
        else if (is_current(n, i) && brute_force_any(&segment.shape, &identity, &n->shapes[n->objects[i].shape].shape,
                                                     &n->objects[i].world))
            truth.meets[i] = TRUTH_TOGETHER;
    EXPECT(count <= MOST_OBJECTS, "hit by ray: %zu objects", count);
    for (size_t h = 0; h < count; h++)
    {
        object_hits[h].object = hits[h].object;
        object_hits[h].verdict = hits[h].verdict;
        EXPECT(hits[h].verdict == GRAZE_VERDICT_UNKNOWN ||
                   (hits[h].hit.t_lower <= hits[h].hit.t && hits[h].hit.t <= hits[h].hit.t_upper &&
                    hits[h].hit.t <= limit),
               "hit by ray: t");
        EXPECT(h == 0 || hits[h - 1].hit.t <= hits[h].hit.t, "hit by ray: order");
    }
    expect_object_hits(n, object_hits, count, &truth, "hit by ray");
    graze_shape_destroy(segment.mesh_shape);
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
