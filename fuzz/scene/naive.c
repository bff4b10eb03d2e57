/* SPDX-License-Identifier: MIT */
/* The naive scene; see naive.h. */
#include "naive.h"

#include <string.h>

#include "truth.h"

naive_pair *naive_pair_of(naive_scene *n, int a, int b)
{
    return a < b ? &n->pairs[a][b] : &n->pairs[b][a];
}

int naive_slot(const naive_scene *n, graze_object name)
{
    for (int i = 0; i < MOST_OBJECTS; i++)
        if (n->objects[i].used && n->objects[i].name.index == name.index &&
            n->objects[i].name.generation == name.generation)
            return i;
    return -1;
}

void naive_remove(naive_scene *n, int slot)
{
    for (int other = 0; other < MOST_OBJECTS; other++)
    {
        naive_pair *pair = naive_pair_of(n, slot, other);
        if (other != slot && pair->collided && n->ended_count < 64)
        {
            n->ended[n->ended_count].a = n->objects[slot].name;
            n->ended[n->ended_count++].b = n->objects[other].name;
        }
        memset(pair, 0, sizeof *pair);
    }
    n->objects[slot].used = false;
    for (int child = 0; child < MOST_OBJECTS; child++)
        if (n->objects[child].used && n->objects[child].parent == slot)
            naive_remove(n, child);
}

void naive_touch(naive_scene *n, int slot)
{
    for (int other = 0; other < MOST_OBJECTS; other++)
        naive_pair_of(n, slot, other)->fresh = false;
}

bool naive_wants(const naive_scene *n, int a, int b)
{
    const naive_object *x = &n->objects[a], *y = &n->objects[b];
    graze_interest rule = n->pairs[a < b ? a : b][a < b ? b : a].rule;
    if (rule != GRAZE_INTEREST_UNSET)
        return rule == GRAZE_INTEREST_ANY;
    if (!n->test_parent_child && (x->parent == b || y->parent == a))
        return false;
    if (x->assembly != 0 && x->assembly == y->assembly)
        return false;
    if ((x->flags & y->flags & (GRAZE_OBJECT_STATIC | GRAZE_OBJECT_SENSOR)) != 0)
        return false;
    for (int i = 0; i < 2; i++)
    {
        graze_interest interest = i == 0 ? x->interest : y->interest;
        if (interest == GRAZE_INTEREST_NONE)
            return false;
    }
    if (x->interest == GRAZE_INTEREST_ANY || y->interest == GRAZE_INTEREST_ANY)
        return true;
    uint32_t low = x->layer < y->layer ? x->layer : y->layer, high = x->layer < y->layer ? y->layer : x->layer;
    graze_interest layers = n->layer_interest[low][high];
    return (layers != GRAZE_INTEREST_UNSET ? layers : n->default_interest) == GRAZE_INTEREST_ANY;
}

bool naive_has_shape(const naive_scene *n, int slot)
{
    int shape = n->objects[slot].shape;
    return shape >= 0 && n->shapes[shape].mesh == NULL;
}

bool naive_pose_fits(const naive_scene *n, int slot, const graze_pose *world)
{
    if (!naive_has_shape(n, slot))
        return true;
    case_side side = n->shapes[n->objects[slot].shape].side;
    side.placed.pose = *world;
    return side_check_placed(&side);
}

void naive_mesh_side(const naive_shape *shape, const graze_pose *pose, bool solid, case_side *out)
{
    memset(out, 0, sizeof *out);
    out->leaves[0] = (case_leaf){
        .kind = GRAZE_SHAPE_MESH, .has_core = true, .solid = solid, .core = shape->shape, .shape = shape->mesh_shape};
    out->leaf_count = 1;
    out->placed = (graze_placed){shape->mesh_shape, *pose};
    EXPECT(side_place(out), "a mesh's place is not finite");
}

void naive_side(const naive_scene *n, int slot, case_side *out)
{
    const naive_object *object = &n->objects[slot];
    const naive_shape *shape = &n->shapes[object->shape];
    if (shape->mesh != NULL)
    {
        naive_mesh_side(shape, &object->world, (object->flags & GRAZE_OBJECT_SOLID) != 0, out);
        return;
    }
    *out = shape->side;
    out->placed.pose = object->world;
    EXPECT(side_place(out), "a shape's place is not finite");
}

static naive_truth collide_sides(const case_side *x, const case_side *y, bool *out_near)
{
    naive_truth truth = TRUTH_APART;
    if (out_near != NULL)
        *out_near = truth_is_near(x, y, 0);
    for (uint32_t i = 0; i < x->leaf_count; i++)
        for (uint32_t j = 0; j < y->leaf_count; j++)
        {
            order o = truth_compare(&x->world[i], &y->world[j], 0);
            if (truth_meets(o))
                return TRUTH_TOGETHER;
            if (o == ORDER_NEAR)
                truth = TRUTH_OPEN;
        }
    return truth;
}

static naive_truth collide_meshes(const naive_scene *n, int a, int b)
{
    const naive_object *x = &n->objects[a], *y = &n->objects[b];
    const small_mesh *p = &n->shapes[x->shape].shape, *q = &n->shapes[y->shape].shape;
    bool meet = brute_force_any(p, &x->world, q, &y->world) ||
                ((x->flags & GRAZE_OBJECT_SOLID) != 0 && brute_force_contains(p, &x->world, q, &y->world)) ||
                ((y->flags & GRAZE_OBJECT_SOLID) != 0 && brute_force_contains(q, &y->world, p, &x->world));
    return meet ? TRUTH_TOGETHER : TRUTH_APART;
}

naive_truth naive_collide_side(const naive_scene *n, int a, const case_side *side, bool *out_near)
{
    static case_side own; /* large */
    naive_side(n, a, &own);
    return collide_sides(&own, side, out_near);
}

naive_truth naive_collide(const naive_scene *n, int a, int b, bool *out_near)
{
    static case_side other;
    if (out_near != NULL)
        *out_near = false;
    if (n->objects[a].shape < 0 || n->objects[b].shape < 0)
        return TRUTH_APART;
    if (!naive_has_shape(n, a) && !naive_has_shape(n, b))
        return collide_meshes(n, a, b);
    naive_side(n, b, &other);
    return naive_collide_side(n, a, &other, out_near);
}

static void place(naive_scene *n, int slot, bool done[MOST_OBJECTS])
{
    naive_object *object = &n->objects[slot];
    if (done[slot] || !object->used)
        return;
    done[slot] = true;
    graze_pose world = object->local;
    if (object->parent >= 0)
    {
        place(n, object->parent, done);
        EXPECT_OK(graze_pose_compose(&n->objects[object->parent].world, &object->local, &world, NULL));
    }
    if (!object->placed || memcmp(&world, &object->world, sizeof world) != 0)
        naive_touch(n, slot);
    object->world = world;
    object->placed = true;
}

void naive_place(naive_scene *n)
{
    bool done[MOST_OBJECTS] = {false};
    for (int i = 0; i < MOST_OBJECTS; i++)
        place(n, i, done);
}

void naive_update(naive_scene *n)
{
    for (int a = 0; a < MOST_OBJECTS; a++)
        for (int b = a + 1; b < MOST_OBJECTS; b++)
        {
            naive_pair *pair = &n->pairs[a][b];
            if (!n->objects[a].used || !n->objects[b].used)
                continue;
            pair->wanted = naive_wants(n, a, b);
            if (!pair->wanted || pair->fresh)
                continue;
            pair->truth = naive_collide(n, a, b, &pair->near);
            pair->fresh = true;
        }
}
