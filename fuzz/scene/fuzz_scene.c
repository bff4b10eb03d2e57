/* SPDX-License-Identifier: MIT */
/*
 * Sequences of calls to a scene, against the naive scene: objects are added, moved, changed and removed, rules change,
 * frames have budgets or none, and queries are made in between; with every broad phase. Some scenes have shapes of all
 * kinds beside a mesh.
 */
#include <string.h>

#include "naive.h"
#include "threads.h"

enum
{
    MOST_CALLS = 40,
    ALL_FLAGS = GRAZE_OBJECT_STATIC | GRAZE_OBJECT_SENSOR | GRAZE_OBJECT_SOLID
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Poses of a scene are multiplied with each other: those that may overflow are left to fuzz_pair. */
static void take_scene_pose(fuzz_bytes *bytes, const graze_pose *before, graze_pose *out)
{
    uint8_t form = take_byte(bytes);
    *out = *before;
    if ((form & 3) == 0)
        take_pose(bytes, out);
    else if ((form & 3) == 1)
        out->m[4 * (form >> 2 & 3) % 12 + 3] += ((form & 16) != 0 ? -1 : 1) * 0.5 * (1 + (form >> 5));
    else
        *out = graze_pose_translation(0.5 * ((int)take_below(bytes, 16) - 8), 0.5 * (form >> 2 & 7), form >> 5 & 3);
    pose_tame(out);
}

/* A pose for an object with a shape: mostly one that shapes with a radius may have. */
static void take_object_pose(fuzz_bytes *bytes, const naive_scene *n, int slot, const graze_pose *before,
                             graze_pose *out)
{
    if (!naive_has_shape(n, slot) || (bytes_left(bytes) && (*bytes->next & 0x1c) == 0x1c))
    {
        take_scene_pose(bytes, before, out);
        return;
    }
    take_rigid_pose(bytes, out);
    pose_tame(out);
}

static void build_shape(const graze_context *context, bool with_tree, naive_shape *shape)
{
    shape->mesh = shape_create(&shape->shape);
    EXPECT_OK(graze_shape_create_mesh(context, shape->mesh, NULL, false, &shape->mesh_shape));
    if (with_tree)
        EXPECT_OK(graze_tree_create(context, shape->mesh, NULL, NULL, &shape->tree));
}

/* The first shape stays a mesh, so that meshes meet shapes. */
static void take_one_shape(fuzz_bytes *bytes, naive_scene *n, int number, bool any_kind, uint8_t broad)
{
    static const char *const names[SHAPES] = {"shape0", "shape1", "shape2"};
    naive_shape *shape = &n->shapes[number];
    if (any_kind && number > 0)
    {
        side_make(bytes, &n->context, &shape->side);
        for (uint32_t i = 0; i < shape->side.leaf_count; i++)
        {
            leaf_note((char)('0' + number), &shape->side.leaves[i]);
            if (shape->side.leaves[i].has_core)
                finding_note_mesh(names[number], &shape->side.leaves[i].core);
        }
        return;
    }
    take_shape(bytes, 12, &shape->shape);
    if ((broad & 128) == 0)
        shape_tame(&shape->shape);
    finding_note_mesh(names[number], &shape->shape);
    build_shape(&n->context, (broad & 64) != 0, shape);
}

static void start(fuzz_bytes *bytes, naive_scene *n)
{
    memset(n, 0, sizeof *n);
    uint8_t form = take_byte(bytes), broad = take_byte(bytes);
    bool any_kind = form >= 0xc0 && form < 0xe0;
    n->context = graze_context_default();
    n->context.instructions = (graze_instructions)(form % GRAZE_INSTRUCTIONS_COUNT);
    if (form >= 0xf0 || (any_kind && form >= 0xdc))
        n->context.tasks = fuzz_threads();
    n->default_interest = GRAZE_INTEREST_ANY;
    graze_scene_def def = graze_scene_def_default();
    def.broad_phase = (graze_broad_phase_method)(broad % GRAZE_BROAD_PHASE_METHOD_COUNT);
    def.broad_phase_margin = (broad & 8) != 0 ? 0 : def.broad_phase_margin;
    def.test_parent_child = n->test_parent_child = (broad & 16) != 0;
    def.leave_out_stays = n->leave_out_stays = (broad & 32) != 0;
    EXPECT_OK(graze_scene_create(&n->context, &def, &n->scene));
    finding_start();
    for (int i = 0; i < SHAPES; i++)
        take_one_shape(bytes, n, i, any_kind, broad);
    finding_note_text("broad %d, neighbours %d, no stays %d\n", (int)def.broad_phase, n->test_parent_child,
                      n->leave_out_stays);
}

static void note_pose(const char *what, int slot, const graze_pose *pose)
{
    finding_note_text("%s %d:", what, slot);
    for (int i = 0; i < 12; i++)
        finding_note_text(" %.17g", pose->m[i]);
    finding_note_text("\n");
}

/* The status of a call that gives an object a pose. One below a parent is seen when it is placed. */
static bool expect_fit(const naive_scene *n, int slot, int parent, const graze_pose *pose, graze_status status)
{
    bool fits = parent >= 0 || naive_pose_fits(n, slot, pose);
    EXPECT(fits ? status == GRAZE_STATUS_OK
                : status == GRAZE_STATUS_NOT_RIGID || status == GRAZE_STATUS_SINGULAR ||
                      status == GRAZE_STATUS_NOT_FINITE,
           "object %d with a pose that %s: status %d", slot, fits ? "fits" : "does not fit", (int)status);
    return fits;
}

static void add(fuzz_bytes *bytes, naive_scene *n, int slot)
{
    naive_object *object = &n->objects[slot];
    uint8_t form = take_byte(bytes), more = take_byte(bytes);
    if (object->used)
        return;
    const graze_pose identity = graze_pose_identity();
    memset(object, 0, sizeof *object);
    object->used = true;
    object->shape = form % 8 == 7 ? -1 : form % SHAPES;
    object->flags = (form & 8 ? GRAZE_OBJECT_SOLID : 0u) | ((form & 48) == 48 ? GRAZE_OBJECT_STATIC : 0u) |
                    ((form & 192) == 192 ? GRAZE_OBJECT_SENSOR : 0u);
    object->layer = more % LAYERS;
    object->assembly = (more & 16) != 0 ? more >> 5 & 1 : 0;
    object->parent = (more & 12) == 12 ? (int)take_below(bytes, MOST_OBJECTS) : -1;
    if (object->parent >= 0 && (object->parent == slot || !n->objects[object->parent].used))
        object->parent = -1;
    take_object_pose(bytes, n, slot, &identity, &object->local);
    graze_object_def def = graze_object_def_default();
    if (object->shape >= 0)
    {
        def.mesh = n->shapes[object->shape].mesh;
        def.tree = n->shapes[object->shape].tree;
        def.shape = def.mesh == NULL ? n->shapes[object->shape].side.placed.shape : NULL;
    }
    if (object->parent >= 0)
        def.parent = n->objects[object->parent].name;
    def.pose = object->local;
    def.flags = object->flags;
    def.layer = object->layer;
    def.assembly = object->assembly;
    def.user = object;
    graze_status status = graze_scene_add(n->scene, &def, &object->name);
    object->used = expect_fit(n, slot, object->parent, &object->local, status);
    finding_note_text("shape %d parent %d flags %u layer %u assembly %u, ", object->shape, object->parent,
                      object->flags, object->layer, object->assembly);
    note_pose("add", slot, &object->local);
}

static void move(fuzz_bytes *bytes, naive_scene *n, int slot)
{
    naive_object *object = &n->objects[slot];
    graze_pose pose;
    take_object_pose(bytes, n, slot, &object->local, &pose);
    note_pose("move", slot, &pose);
    graze_status status = graze_scene_move(n->scene, object->name, &pose);
    if (!object->used)
        EXPECT(status == GRAZE_STATUS_BAD_INDEX, "move: status %d", (int)status);
    else if (expect_fit(n, slot, object->parent, &pose, status))
        object->local = pose;
}

/* The vertices of a shape move; all objects that have it are updated. */
static void deform(fuzz_bytes *bytes, naive_scene *n)
{
    naive_shape *shape = &n->shapes[take_below(bytes, SHAPES)];
    if (shape->mesh == NULL)
        return;
    take_moved(bytes, &shape->shape);
    EXPECT_OK(graze_mesh_move_vertices(shape->mesh, shape->shape.vertices, 0, GRAZE_SCALAR_DOUBLE, NULL));
    if (shape->tree != NULL)
        EXPECT_OK(graze_tree_refit(&n->context, shape->tree, shape->mesh));
    for (int i = 0; i < MOST_OBJECTS; i++)
        if (n->objects[i].used && n->objects[i].shape == (int)(shape - n->shapes))
        {
            EXPECT_OK(graze_scene_set_mesh(n->scene, n->objects[i].name, shape->mesh, shape->tree));
            naive_touch(n, i);
        }
    finding_note_text("vertices of shape %d moved (they are above as they are at the end)\n", (int)(shape - n->shapes));
}

static void set_shape(fuzz_bytes *bytes, naive_scene *n, int slot)
{
    int next = (int)take_below(bytes, SHAPES);
    if (!n->objects[slot].used)
        return;
    naive_object *object = &n->objects[slot];
    const naive_shape *shape = &n->shapes[next];
    int before = object->shape;
    object->shape = next;
    finding_note_text("object %d gets shape %d\n", slot, next);
    graze_status status = shape->mesh != NULL ? graze_scene_set_mesh(n->scene, object->name, shape->mesh, shape->tree)
                                              : graze_scene_set_shape(n->scene, object->name, shape->side.placed.shape);
    if (expect_fit(n, slot, object->parent, &object->local, status))
        naive_touch(n, slot);
    else
        object->shape = before;
}

static bool is_below(const naive_scene *n, int slot, int top)
{
    while (slot >= 0 && slot != top)
        slot = n->objects[slot].parent;
    return slot == top;
}

/* Another parent, or none; with another pose, or the same numbers. */
static void set_parent(fuzz_bytes *bytes, naive_scene *n, int slot)
{
    naive_object *object = &n->objects[slot];
    uint8_t form = take_byte(bytes);
    int parent = form % (MOST_OBJECTS + 1) - 1;
    graze_pose pose = object->local;
    if ((form & 128) != 0)
        take_object_pose(bytes, n, slot, &object->local, &pose);
    if (parent >= 0 && !n->objects[parent].used)
        parent = -1;
    const graze_object none = {0, 0};
    graze_status status =
        graze_scene_set_parent(n->scene, object->name, parent >= 0 ? n->objects[parent].name : none, &pose);
    bool cycle = parent >= 0 && is_below(n, parent, slot);
    finding_note_text("object %d gets parent %d, ", slot, parent);
    note_pose("pose", slot, &pose);
    EXPECT(!cycle || status == GRAZE_STATUS_BAD_ARGUMENT, "set parent: status %d", (int)status);
    if (cycle || !expect_fit(n, slot, parent, &pose, status))
        return;
    object->parent = parent;
    object->local = pose;
}

/* What may change of an object that is in the scene. */
static void set_property(fuzz_bytes *bytes, naive_scene *n, int slot)
{
    naive_object *object = &n->objects[slot];
    uint8_t form = take_byte(bytes);
    if (!object->used)
    {
        graze_status status = graze_scene_set_flags(n->scene, object->name, 0);
        EXPECT(status == GRAZE_STATUS_BAD_INDEX, "set flags: status %d", (int)status);
        return;
    }
    uint32_t flags = form >> 2 & ALL_FLAGS, changed = flags ^ object->flags;
    switch (form & 3)
    {
    case 0:
        object->flags = flags;
        EXPECT_OK(graze_scene_set_flags(n->scene, object->name, flags));
        if ((changed & GRAZE_OBJECT_SOLID) != 0)
            naive_touch(n, slot);
        finding_note_text("object %d gets flags %u\n", slot, flags);
        break;
    case 1:
        object->layer = (form >> 2) % LAYERS;
        EXPECT_OK(graze_scene_set_layer(n->scene, object->name, object->layer));
        finding_note_text("object %d gets layer %u\n", slot, object->layer);
        break;
    case 2:
        object->assembly = (form >> 2) % 3;
        EXPECT_OK(graze_scene_set_assembly(n->scene, object->name, object->assembly));
        finding_note_text("object %d gets assembly %u\n", slot, object->assembly);
        break;
    default:
        set_parent(bytes, n, slot);
        break;
    }
    graze_object_def def = graze_object_def_default();
    EXPECT_OK(graze_scene_object_def(n->scene, object->name, &def));
    EXPECT(def.flags == object->flags && def.layer == object->layer && def.assembly == object->assembly &&
               def.user == object && memcmp(&def.pose, &object->local, sizeof def.pose) == 0,
           "what object %d was given", slot);
}

static void set_interest(fuzz_bytes *bytes, naive_scene *n, int slot)
{
    uint8_t form = take_byte(bytes), more = take_byte(bytes);
    int other = more % MOST_OBJECTS;
    graze_interest interest = (graze_interest)(form >> 2 & 3) % 3;
    finding_note_text("interest %u %u %d\n", form, more, slot);
    switch (form & 3)
    {
    case 0:
        n->default_interest = interest != GRAZE_INTEREST_UNSET ? interest : GRAZE_INTEREST_ANY;
        EXPECT_OK(graze_interest_set_default(n->scene, n->default_interest));
        break;
    case 1:
        n->layer_interest[form >> 4 & 1][1 + (form >> 5 & 1)] = interest;
        EXPECT_OK(graze_interest_set_layers(n->scene, 1 + (form >> 5 & 1u), form >> 4 & 1u, interest));
        break;
    case 2:
        if (!n->objects[slot].used)
            break;
        n->objects[slot].interest = (graze_interest)((form >> 2 & 3) % 3);
        EXPECT_OK(graze_interest_set_object(n->scene, n->objects[slot].name, n->objects[slot].interest));
        break;
    default:
        if (slot == other || !n->objects[slot].used || !n->objects[other].used)
            break;
        naive_pair_of(n, slot, other)->rule = interest;
        EXPECT_OK(graze_interest_set_pair(n->scene, n->objects[slot].name, n->objects[other].name, interest));
        EXPECT(graze_interest_wants(n->scene, n->objects[slot].name, n->objects[other].name) ==
                   naive_wants(n, slot, other),
               "what the rules say of objects %d and %d", slot, other);
        break;
    }
}

static void call(fuzz_bytes *bytes, naive_scene *n)
{
    uint8_t what = take_byte(bytes);
    int slot = (what >> 4) % MOST_OBJECTS;
    switch (what & 15)
    {
    case 0:
    case 1:
    case 2:
        add(bytes, n, slot);
        break;
    case 3:
    case 4:
    case 5:
        move(bytes, n, slot);
        break;
    case 6:
        if (n->objects[slot].used)
        {
            EXPECT_OK(graze_scene_remove(n->scene, n->objects[slot].name));
            naive_remove(n, slot);
            finding_note_text("remove %d\n", slot);
        }
        break;
    case 7:
        deform(bytes, n);
        break;
    case 8:
        set_shape(bytes, n, slot);
        break;
    case 9:
    case 10:
        set_interest(bytes, n, slot);
        break;
    case 11:
        query_check(bytes, n);
        break;
    case 12:
        set_property(bytes, n, slot);
        break;
    default:
        frame_check(bytes, n);
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static naive_scene n;
    fuzz_bytes bytes = bytes_of(data, size);
    start(&bytes, &n);
    for (int calls = 0; calls < MOST_CALLS && bytes_left(&bytes); calls++)
        call(&bytes, &n);
    frame_check(&bytes, &n);
    graze_scene_destroy(n.scene);
    for (int i = 0; i < SHAPES; i++)
    {
        side_release(&n.shapes[i].side);
        graze_shape_destroy(n.shapes[i].mesh_shape);
        graze_tree_destroy(n.shapes[i].tree);
        graze_mesh_destroy(n.shapes[i].mesh);
    }
    return 0;
}
