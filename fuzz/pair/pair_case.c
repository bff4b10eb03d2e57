/* SPDX-License-Identifier: MIT */
/* Two small placed meshes and their reference answers; see pair_case.h. */
#include "pair_case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "threads.h"

graze_context take_context(fuzz_bytes *bytes)
{
    uint8_t byte = take_byte(bytes);
    graze_context context = graze_context_default();
    context.instructions = (graze_instructions)(byte % GRAZE_INSTRUCTIONS_COUNT);
    if (byte >= 0xf0)
        context.tasks = fuzz_threads();
    return context;
}

/* A tree refitted after the vertices have moved to their places. */
static void build_refitted(const graze_context *context, const graze_tree_def *def, case_side *side)
{
    small_mesh before = side->shape;
    for (uint32_t i = 0; i < before.vertex_count; i++)
    {
        before.vertices[i][0] = (double)(i % 3);
        before.vertices[i][1] = (double)(i / 3 % 3);
        before.vertices[i][2] = (double)(i / 9);
    }
    side->mesh = shape_create(&before);
    EXPECT_OK(graze_tree_create(context, side->mesh, def, NULL, &side->tree));
    EXPECT_OK(graze_mesh_move_vertices(side->mesh, side->shape.vertices, 0, GRAZE_SCALAR_DOUBLE, NULL));
    EXPECT_OK(graze_tree_refit(context, side->tree, side->mesh));
}

static void save_and_map(const graze_context *context, case_side *side)
{
    size_t size = graze_tree_saved_size(side->tree);
    side->saved = aligned_alloc(64, (size + 63) / 64 * 64);
    EXPECT_OK(graze_tree_save(side->tree, side->saved, size));
    graze_tree_destroy(side->tree);
    side->tree = NULL;
    EXPECT_OK(graze_tree_map(context, side->mesh, side->saved, size, NULL, NULL, &side->tree));
}

void side_build(const graze_context *context, uint8_t form, case_side *side)
{
    graze_tree_def def = graze_tree_def_default();
    def.leaf_size = 1 + (form & 7u);
    def.quick = (form & 8) != 0;
    if ((form & 0xc0) == 0x40)
        build_refitted(context, &def, side);
    else
        side->mesh = shape_create(&side->shape);
    if ((form & 0xc0) == 0x80 || (form & 0xc0) == 0xc0)
        EXPECT_OK(graze_tree_create(context, side->mesh, &def, NULL, &side->tree));
    if (side->tree != NULL && (form & 0x30) == 0x30)
        save_and_map(context, side);
    if (side->tree != NULL)
        EXPECT_OK(graze_tree_validate(NULL, side->tree));
}

void side_release(case_side *side)
{
    if (!side->shared)
    {
        graze_tree_destroy(side->tree);
        graze_mesh_destroy(side->mesh);
        free(side->saved);
    }
    memset(side, 0, sizeof *side);
}

graze_placed_triangle placed_triangle(const case_side *side, const graze_pose *pose, uint32_t triangle)
{
    return shape_triangle(&side->shape, pose, triangle);
}

/* Moves B so that a corner of it coincides with one of A, up to rounding, along some axes or all. */
static void bring_together(fuzz_bytes *bytes, const case_side *sides, const graze_pose *pose_a, graze_pose *pose_b)
{
    uint8_t form = take_byte(bytes), which = take_byte(bytes);
    const small_mesh *a = &sides[0].shape, *b = &sides[1].shape;
    if ((form & 1) == 0 || a->vertex_count == 0 || b->vertex_count == 0)
        return;
    graze_pose before = *pose_b;
    double p[3], q[3];
    for (int axis = 0; axis < 3; axis++)
        pose_b->m[4 * axis + 3] = 0;
    graze_pose_apply(pose_a, a->vertices[(which & 15u) % a->vertex_count], p);
    graze_pose_apply(pose_b, b->vertices[(which >> 4) % b->vertex_count], q);
    for (int axis = 0; axis < 3; axis++)
    {
        double along = p[axis] - q[axis];
        bool moves = (form >> 1 & 7) == 0 || (form >> (1 + axis) & 1) != 0;
        pose_b->m[4 * axis + 3] = moves && isfinite(along) ? along : before.m[4 * axis + 3];
    }
}

void case_make(fuzz_bytes *bytes, pair_case *c)
{
    memset(c, 0, sizeof *c);
    c->judge = brute_force_oracle();
    c->context = take_context(bytes);
    uint8_t forms[2];
    forms[0] = take_byte(bytes);
    forms[1] = take_byte(bytes);
    bool same = take_below(bytes, 8) == 7;
    take_shape(bytes, SMALL_TRIANGLES, &c->sides[0].shape);
    c->sides[1].shape = c->sides[0].shape;
    if (!same)
        take_shape(bytes, SMALL_TRIANGLES, &c->sides[1].shape);
    graze_pose poses[2];
    take_pose(bytes, &poses[0]);
    take_related_pose(bytes, &poses[0], &poses[1]);
    bring_together(bytes, c->sides, &poses[0], &poses[1]);
    side_build(&c->context, forms[0], &c->sides[0]);
    if (same)
    {
        c->sides[1] = c->sides[0];
        c->sides[1].shared = true;
    }
    else
        side_build(&c->context, forms[1], &c->sides[1]);
    c->a = (graze_placed_mesh){c->sides[0].mesh, c->sides[0].tree, poses[0]};
    c->b = (graze_placed_mesh){c->sides[1].mesh, c->sides[1].tree, poses[1]};
    finding_start();
    finding_note_mesh("a", &c->sides[0].shape);
    finding_note_mesh("b", &c->sides[1].shape);
    finding_note_pose("pose_a", &c->a.pose);
    finding_note_pose("pose_b", &c->b.pose);
    finding_note_text("/* instructions %d, threads %u, trees 0x%02x 0x%02x%s */\n", (int)c->context.instructions,
                      c->context.tasks.concurrency, forms[0], forms[1], same ? ", b is a" : "");
    finding_show();
    case_judge_pairs(c);
}

void case_release(pair_case *c)
{
    side_release(&c->sides[1]);
    side_release(&c->sides[0]);
}

void case_judge_pairs(pair_case *c)
{
    size_t next = 0;
    memset(&c->counts, 0, sizeof c->counts);
    brute_force_start(&c->sides[0].shape, &c->a.pose, &c->sides[1].shape, &c->b.pose);
    for (uint32_t i = 0; i < c->sides[0].shape.triangle_count; i++)
        for (uint32_t j = 0; j < c->sides[1].shape.triangle_count; j++)
        {
            graze_triangle_contact contact = brute_force_contact(i, j);
            c->matrix[next++] = contact;
            c->counts.pairs += contact.found;
            c->counts.crossing += contact.found && contact.crossing;
            c->counts.touching += contact.found && !contact.crossing;
            c->counts.coplanar += contact.coplanar;
        }
}

bool case_meets(const pair_case *c, const graze_pose *pose_a, const graze_pose *pose_b)
{
    return brute_force_any(&c->sides[0].shape, pose_a, &c->sides[1].shape, pose_b);
}
