/* SPDX-License-Identifier: MIT */
/* Two small meshes that move; see motion_case.h. */
#include "motion_case.h"

#include <math.h>
#include <string.h>

#include "threads.h"

double take_place(fuzz_bytes *bytes)
{
    double x = take_coordinate(bytes);
    return fabs(x) > 0x1p60 || (x != 0 && fabs(x) < 0x1p-60) ? 0.5 : x;
}

static int small(fuzz_bytes *bytes)
{
    return (int)take_below(bytes, 5) - 2;
}

/* Two quaternions whose inner product is not negative: about one axis, or any; of small integers, or decimals. */
static void take_quaternions(fuzz_bytes *bytes, double out[2][4])
{
    uint8_t form = take_byte(bytes);
    double inner = 0, lengths[2] = {0, 0}, scale = (form & 8) != 0 ? 0.1 : 1;
    for (int end = 0; end < 2; end++)
        for (int i = 0; i < 4; i++)
        {
            bool free = (form & 3) == 3 || i == 0 || i == 1 + (form & 3);
            out[end][i] = free ? scale * small(bytes) : 0;
            lengths[end] += fabs(out[end][i]);
        }
    for (int end = 0; end < 2; end++)
        if (lengths[end] == 0)
            out[end][0] = 1;
    if ((form & 16) != 0) /* nearly no turn */
        for (int i = 0; i < 4; i++)
            out[1][i] = out[0][i] != 0 ? nextafter(out[0][i], (form & 32) != 0 ? 9 : -9) : 0;
    for (int i = 0; i < 4; i++)
        inner += out[0][i] * out[1][i];
    for (int i = 0; i < 4 && inner < 0; i++)
        out[1][i] = -out[1][i];
}

static void tame(graze_pose *pose)
{
    pose_tame(pose);
    for (int k = 0; k < 12; k++)
        if (fabs(pose->m[k]) > 0x1p60 || (pose->m[k] != 0 && fabs(pose->m[k]) < 0x1p-60))
            pose->m[k] = k % 5 == 0;
}

void take_motion(fuzz_bytes *bytes, bool soft, graze_motion *out)
{
    memset(out, 0, sizeof *out);
    unsigned kind = take_below(bytes, 8);
    out->kind = soft ? (graze_motion_kind)(kind % 2) : kind < 4 ? (graze_motion_kind)kind : GRAZE_MOTION_TURN;
    out->start = out->end = graze_pose_identity();
    if (out->kind <= GRAZE_MOTION_BLEND)
    {
        take_pose(bytes, &out->start);
        tame(&out->start);
        take_related_pose(bytes, &out->start, &out->end);
        tame(&out->end);
        return;
    }
    take_quaternions(bytes, out->quaternion);
    for (int k = 0; k < 3; k++)
    {
        out->centre[k] = kind == 7 ? 0 : take_place(bytes);
        out->path[0][k] = take_place(bytes);
        out->path[1][k] = take_place(bytes);
        out->path[2][k] = out->kind == GRAZE_MOTION_BALLISTIC_TURN ? take_place(bytes) : 0;
    }
    if (graze_motion_check(out) != GRAZE_STATUS_OK) /* an inner product below 0 by rounding */
        memcpy(out->quaternion[1], out->quaternion[0], sizeof out->quaternion[0]);
}

static void take_side(fuzz_bytes *bytes, const graze_context *context, moving_side *side, graze_moving_mesh *out)
{
    uint8_t form = take_byte(bytes);
    bool soft = (form & 0xe0) == 0xe0;
    take_shape(bytes, MOST_MOVING, &side->shape);
    shape_tame(&side->shape);
    for (uint32_t i = 0; i < 3 * side->shape.vertex_count; i++)
    {
        double *x = &side->shape.vertices[i / 3][i % 3];
        *x = fabs(*x) > 0x1p60 || (*x != 0 && fabs(*x) < 0x1p-60) ? 0.25 : *x;
    }
    side->mesh = shape_create(&side->shape);
    side->end_mesh = NULL;
    side->tree = NULL;
    if (soft)
    {
        side->end_shape = side->shape;
        for (uint32_t i = 0; i < 3 * side->shape.vertex_count; i++)
            side->end_shape.vertices[i / 3][i % 3] = take_place(bytes);
        side->end_mesh = shape_create(&side->end_shape);
    }
    if ((form & 1) != 0)
    {
        graze_tree_def def = graze_tree_def_default();
        def.leaf_size = 1 + (form >> 1 & 7u);
        EXPECT_OK(graze_tree_create(context, side->mesh, &def, NULL, &side->tree));
    }
    *out = (graze_moving_mesh){.mesh = side->mesh, .end_mesh = side->end_mesh, .tree = side->tree};
    take_motion(bytes, soft, &out->motion);
}

void note_motion(const char *name, const graze_motion *m)
{
    finding_note_text("/* %s: kind %d, quaternions %a %a %a %a, %a %a %a %a, centre %a %a %a, path %a %a %a, %a %a %a, "
                      "%a %a %a */\n",
                      name, (int)m->kind, m->quaternion[0][0], m->quaternion[0][1], m->quaternion[0][2],
                      m->quaternion[0][3], m->quaternion[1][0], m->quaternion[1][1], m->quaternion[1][2],
                      m->quaternion[1][3], m->centre[0], m->centre[1], m->centre[2], m->path[0][0], m->path[0][1],
                      m->path[0][2], m->path[1][0], m->path[1][1], m->path[1][2], m->path[2][0], m->path[2][1],
                      m->path[2][2]);
}

static void note_case(const motion_case *c)
{
    static const char *const names[2][5] = {{"a", "a_end", "start_a", "end_a", "motion a"},
                                            {"b", "b_end", "start_b", "end_b", "motion b"}};
    const graze_moving_mesh *moving[2] = {&c->a, &c->b};
    for (int s = 0; s < 2; s++)
    {
        finding_note_mesh(names[s][0], &c->sides[s].shape);
        if (c->sides[s].end_mesh != NULL)
            finding_note_mesh(names[s][1], &c->sides[s].end_shape);
        finding_note_pose(names[s][2], &moving[s]->motion.start);
        finding_note_pose(names[s][3], &moving[s]->motion.end);
        note_motion(names[s][4], &moving[s]->motion);
    }
    finding_note_text("/* instructions %d, %s, trees %d %d */\n", (int)c->context.instructions,
                      environment_name(c->environment), c->a.tree != NULL, c->b.tree != NULL);
    finding_show();
}

void motion_case_make(fuzz_bytes *bytes, motion_case *c)
{
    uint8_t byte = take_byte(bytes);
    c->context = graze_context_default();
    c->context.instructions = (graze_instructions)((byte & 15) % GRAZE_INSTRUCTIONS_COUNT);
    c->environment = (byte & 0x80) != 0 ? byte >> 4 & 7 : 0;
    if (byte >= 0xf0)
        c->context.tasks = fuzz_threads();
    take_side(bytes, &c->context, &c->sides[0], &c->a);
    take_side(bytes, &c->context, &c->sides[1], &c->b);
    if (c->sides[1].end_mesh == NULL && take_below(bytes, 16) == 15) /* the same motion */
        c->b.motion = c->a.motion;
    note_case(c);
}

void motion_case_release(motion_case *c)
{
    for (int s = 0; s < 2; s++)
    {
        graze_tree_destroy(c->sides[s].tree);
        graze_mesh_destroy(c->sides[s].mesh);
        graze_mesh_destroy(c->sides[s].end_mesh);
    }
}
