/* SPDX-License-Identifier: MIT */
/* Shapes of any kinds from bytes; see leaves.h. */
#include "leaves.h"

#include <math.h>
#include <string.h>

#include "brute_force.h"
#include "finding.h"
#include "poses.h"

bool is_curved(graze_shape_kind kind)
{
    return kind == GRAZE_SHAPE_CYLINDER || kind == GRAZE_SHAPE_CONE || kind == GRAZE_SHAPE_ELLIPSOID;
}

graze_placed placed_of(const placed_leaf *leaf)
{
    return (graze_placed){leaf->leaf->shape, leaf->pose};
}

/* ---- numbers ---- */

static double take_size(fuzz_bytes *bytes)
{
    return fabs(take_coordinate(bytes));
}

/* Radii that reach the distances of a grid exactly (3-4-5, 5-12-13), or miss them by an ulp. */
static double take_radius(fuzz_bytes *bytes)
{
    static const double radii[] = {0,    1,
                                   2,    3,
                                   5,    0.5,
                                   1.25, 13,
                                   0.1,  0x1.0000000000001p0,
                                   0.3,  0x1.fffffffffffffp0,
                                   1e-9, 0x1.fffffffffffffp1,
                                   1e9,  0x1.6a09e667f3bcdp0};
    uint8_t byte = take_byte(bytes);
    return byte < 0xc0 ? radii[byte & 15] : take_size(bytes);
}

static void take_points(fuzz_bytes *bytes, double (*points)[3], uint32_t count)
{
    for (uint32_t i = 0; i < 3 * count; i++)
        points[i / 3][i % 3] = take_coordinate(bytes);
}

/* ---- leaves ---- */

static void set_triangle(small_mesh *core, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *t = core->triangles[core->triangle_count++];
    t[0] = a;
    t[1] = b;
    t[2] = c;
}

static void make_point_like(fuzz_bytes *bytes, uint32_t count, small_mesh *core)
{
    core->vertex_count = count;
    take_points(bytes, core->vertices, count);
    set_triangle(core, 0, count > 1 ? 1 : 0, count > 2 ? 2 : 0);
}

static void make_box(fuzz_bytes *bytes, double size[3], small_mesh *core)
{
    static const uint8_t faces[12][3] = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}, {0, 1, 5}, {0, 5, 4},
                                         {2, 6, 7}, {2, 7, 3}, {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
    for (int k = 0; k < 3; k++)
    {
        double x = 2 * take_size(bytes); /* so that its half is a double */
        size[k] = isfinite(x) ? x : 1;
    }
    core->vertex_count = 8;
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
            core->vertices[i][k] = (i >> k & 1) != 0 ? size[k] / 2 : -size[k] / 2;
    for (int i = 0; i < 12; i++)
        set_triangle(core, faces[i][0], faces[i][1], faces[i][2]);
}

static bool is_vertex_of(const double *v, double (*points)[3], uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (v[0] == points[i][0] && v[1] == points[i][1] && v[2] == points[i][2])
            return true;
    return false;
}

/* The hull's mesh has vertices of these points only, and none of them lies outside of it. */
static void take_hull_mesh(const graze_shape *shape, double (*points)[3], uint32_t count, small_mesh *core)
{
    const graze_mesh *mesh = graze_shape_mesh(shape);
    size_t triangles = graze_mesh_triangle_count(mesh), vertices = graze_mesh_vertex_count(mesh);
    EXPECT(triangles > 0 && triangles <= SMALL_TRIANGLES && vertices <= count, "a hull of %u points has %zu triangles",
           count, triangles);
    core->vertex_count = (uint32_t)vertices;
    core->triangle_count = (uint32_t)triangles;
    memcpy(core->vertices, graze_mesh_vertices(mesh), vertices * sizeof core->vertices[0]);
    memcpy(core->triangles, graze_mesh_triangles(mesh), triangles * sizeof core->triangles[0]);
    for (uint32_t i = 0; i < core->vertex_count; i++)
        EXPECT(is_vertex_of(core->vertices[i], points, count), "vertex %u of a hull is none of its points", i);
    bool solid = false;
    for (uint32_t t = 0; t < core->triangle_count; t++)
        for (uint32_t i = 0; i < count; i++)
        {
            graze_placed_point points_of_face[4] = {
                {points[i], NULL}, {points[i], NULL}, {points[i], NULL}, {points[i], NULL}};
            for (int k = 0; k < 3; k++)
                points_of_face[k].point = core->vertices[core->triangles[t][k]];
            oracle_load(brute_force_oracle(), points_of_face, 4);
            int side = oracle_loaded_orient3d(brute_force_oracle(), 0, 1, 2, 3);
            EXPECT(side >= 0, "point %u of a hull lies outside of its face %u", i, t);
            solid = solid || side > 0;
        }
    shape_facts facts = shape_examine(core);
    EXPECT(!solid || (facts.closed && facts.oriented), "a hull is not closed");
}

static void make_hull(fuzz_bytes *bytes, const graze_context *context, case_leaf *out)
{
    double points[8][3];
    uint32_t count = 1 + take_below(bytes, 8);
    take_points(bytes, points, count);
    EXPECT_OK(graze_shape_create_hull(context, points[0], count, NULL, &out->shape));
    take_hull_mesh(out->shape, points, count, &out->core);
}

static void make_height_field(fuzz_bytes *bytes, const graze_context *context, case_leaf *out)
{
    uint32_t columns = 2 + take_below(bytes, 2), rows = 2 + take_below(bytes, 2);
    double size[2] = {2 * (double)(columns - 1), 2 * (double)(rows - 1)}, heights[9];
    for (uint32_t i = 0; i < columns * rows; i++)
    {
        heights[i] = take_coordinate(bytes);
        double *v = out->core.vertices[out->core.vertex_count++];
        v[0] = 2 * (double)(i % columns) - (double)(columns - 1);
        v[1] = 2 * (double)(i / columns) - (double)(rows - 1);
        v[2] = heights[i];
    }
    for (uint32_t r = 0; r + 1 < rows; r++)
        for (uint32_t c = 0; c + 1 < columns; c++)
        {
            uint32_t i = r * columns + c;
            set_triangle(&out->core, i, i + 1, i + columns + 1);
            set_triangle(&out->core, i, i + columns + 1, i + columns);
        }
    EXPECT_OK(graze_shape_create_height_field(context, size, heights, columns, rows, &out->shape));
}

static void make_half_space(fuzz_bytes *bytes, const graze_context *context, case_leaf *out)
{
    for (int k = 0; k < 4; k++)
        out->numbers[k] = take_coordinate(bytes);
    if (out->numbers[0] == 0 && out->numbers[1] == 0 && out->numbers[2] == 0)
        out->numbers[2] = 1;
    EXPECT_OK(graze_shape_create_half_space(context, out->numbers, out->numbers[3], &out->shape));
}

static void make_curved(fuzz_bytes *bytes, const graze_context *context, case_leaf *out)
{
    double *n = out->numbers;
    int count = out->kind == GRAZE_SHAPE_ELLIPSOID ? 3 : 2;
    for (int k = 0; k < count; k++)
        n[k] = take_radius(bytes);
    EXPECT_OK(out->kind == GRAZE_SHAPE_CYLINDER ? graze_shape_create_cylinder(context, n[0], n[1], &out->shape)
              : out->kind == GRAZE_SHAPE_CONE   ? graze_shape_create_cone(context, n[0], n[1], &out->shape)
                                                : graze_shape_create_ellipsoid(context, n, &out->shape));
}

static void make_leaf(fuzz_bytes *bytes, const graze_context *context, graze_shape_kind kind, case_leaf *out);

static void make_rounded(fuzz_bytes *bytes, const graze_context *context, case_leaf *out)
{
    static const graze_shape_kind kinds[] = {GRAZE_SHAPE_BOX, GRAZE_SHAPE_HULL, GRAZE_SHAPE_TRIANGLE,
                                             GRAZE_SHAPE_SEGMENT, GRAZE_SHAPE_POINT};
    make_leaf(bytes, context, kinds[take_below(bytes, 5)], out);
    out->kind = GRAZE_SHAPE_ROUNDED;
    out->inner = out->shape;
    out->radius = take_radius(bytes);
    EXPECT_OK(graze_shape_create_rounded(context, out->inner, out->radius, &out->shape));
}

static void make_leaf(fuzz_bytes *bytes, const graze_context *context, graze_shape_kind kind, case_leaf *out)
{
    double size[3];
    memset(out, 0, sizeof *out);
    out->kind = kind;
    out->has_core = !is_curved(kind) && kind != GRAZE_SHAPE_HALF_SPACE;
    small_mesh *core = &out->core;
    const double(*v)[3] = (const double(*)[3])core->vertices;
    switch (kind)
    {
    case GRAZE_SHAPE_MESH:
        out->solid = take_below(bytes, 4) != 0;
        take_shape(bytes, SMALL_TRIANGLES, core);
        out->mesh = shape_create(core);
        EXPECT_OK(graze_shape_create_mesh(context, out->mesh, NULL, out->solid, &out->shape));
        break;
    case GRAZE_SHAPE_HULL:
        make_hull(bytes, context, out);
        break;
    case GRAZE_SHAPE_SPHERE:
        make_point_like(bytes, 1, core);
        out->radius = take_radius(bytes);
        EXPECT_OK(graze_shape_create_sphere(context, v[0], out->radius, &out->shape));
        break;
    case GRAZE_SHAPE_CAPSULE:
        make_point_like(bytes, 2, core);
        out->radius = take_radius(bytes);
        EXPECT_OK(graze_shape_create_capsule(context, v, out->radius, &out->shape));
        break;
    case GRAZE_SHAPE_BOX:
        make_box(bytes, size, core);
        EXPECT_OK(graze_shape_create_box(context, size, &out->shape));
        break;
    case GRAZE_SHAPE_HALF_SPACE:
        make_half_space(bytes, context, out);
        break;
    case GRAZE_SHAPE_TRIANGLE:
        make_point_like(bytes, 3, core);
        EXPECT_OK(graze_shape_create_triangle(context, v, &out->shape));
        break;
    case GRAZE_SHAPE_SEGMENT:
        make_point_like(bytes, 2, core);
        EXPECT_OK(graze_shape_create_segment(context, v, &out->shape));
        break;
    case GRAZE_SHAPE_POINT:
        make_point_like(bytes, 1, core);
        EXPECT_OK(graze_shape_create_point(context, v[0], &out->shape));
        break;
    case GRAZE_SHAPE_HEIGHT_FIELD:
        make_height_field(bytes, context, out);
        break;
    case GRAZE_SHAPE_ROUNDED:
        make_rounded(bytes, context, out);
        break;
    default:
        make_curved(bytes, context, out);
        break;
    }
}

/* ---- poses ---- */

bool side_needs_rigid(const case_side *side)
{
    for (uint32_t i = 0; i < side->leaf_count; i++)
    {
        graze_shape_kind kind = side->leaves[i].kind;
        if (is_curved(kind) || kind == GRAZE_SHAPE_SPHERE || kind == GRAZE_SHAPE_CAPSULE || kind == GRAZE_SHAPE_ROUNDED)
            return true;
    }
    return false;
}

/* -1: certainly no rotation within 1e-9; 1: certainly one; 0: too near. */
static int rigidity(const graze_pose *pose)
{
    long double worst = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
        {
            long double entry = i == j ? -1 : 0;
            for (int k = 0; k < 3; k++)
                entry += (long double)pose->m[4 * k + i] * pose->m[4 * k + j];
            worst = fmaxl(worst, fabsl(entry));
        }
    return worst > 1.001e-9L ? -1 : worst < 0.999e-9L ? 1 : 0;
}

bool side_place(case_side *side)
{
    for (uint32_t i = 0; i < side->leaf_count; i++)
    {
        graze_pose pose = side->placed.pose, next;
        side->world[i].leaf = &side->leaves[i];
        if (side->nested != NULL)
        {
            if (graze_pose_compose(&pose, &side->nest.pose, &next, NULL) != GRAZE_STATUS_OK)
                return false;
            pose = next;
        }
        if (side->compound != NULL)
        {
            if (graze_pose_compose(&pose, &side->parts[i].pose, &next, NULL) != GRAZE_STATUS_OK)
                return false;
            pose = next;
        }
        side->world[i].pose = pose;
    }
    return true;
}

bool side_check_placed(const case_side *side)
{
    graze_status status = graze_placed_check(&side->placed);
    if (status != GRAZE_STATUS_OK || !side_needs_rigid(side) || side->compound != NULL)
        return status == GRAZE_STATUS_OK;
    EXPECT(rigidity(&side->placed.pose) >= 0, "a pose that is no rotation is taken");
    return true;
}

void side_make(fuzz_bytes *bytes, const graze_context *context, case_side *side)
{
    unsigned kind = take_below(bytes, 16);
    memset(side, 0, sizeof *side);
    if (kind != GRAZE_SHAPE_COMPOUND && kind != GRAZE_SHAPE_KIND_COUNT)
    {
        make_leaf(bytes, context, (graze_shape_kind)kind, &side->leaves[0]);
        side->leaf_count = 1;
        side->placed.shape = side->leaves[0].shape;
        return;
    }
    uint32_t count = 1 + take_below(bytes, MOST_LEAVES);
    for (; side->leaf_count < count; side->leaf_count++)
    {
        unsigned inner = take_below(bytes, 14);
        case_leaf *leaf = &side->leaves[side->leaf_count];
        make_leaf(bytes, context, inner == GRAZE_SHAPE_COMPOUND ? GRAZE_SHAPE_ROUNDED : (graze_shape_kind)inner, leaf);
        side->parts[side->leaf_count].shape = leaf->shape;
        take_rigid_pose(bytes, &side->parts[side->leaf_count].pose);
    }
    EXPECT_OK(graze_shape_create_compound(context, side->parts, side->leaf_count, &side->compound));
    side->placed.shape = side->compound;
    if (kind != GRAZE_SHAPE_KIND_COUNT)
        return;
    side->nest.shape = side->compound;
    take_rigid_pose(bytes, &side->nest.pose);
    EXPECT_OK(graze_shape_create_compound(context, &side->nest, 1, &side->nested));
    side->placed.shape = side->nested;
}

void side_release(case_side *side)
{
    graze_shape_destroy(side->nested);
    graze_shape_destroy(side->compound);
    for (uint32_t i = 0; i < side->leaf_count; i++)
    {
        graze_shape_destroy(side->leaves[i].shape);
        graze_shape_destroy(side->leaves[i].inner);
        graze_mesh_destroy(side->leaves[i].mesh);
    }
}

void leaf_note(char name, const case_leaf *leaf)
{
    finding_note_text("/* %c: %s, radius %a, solid %d, numbers %a %a %a %a */\n", name,
                      graze_shape_kind_name(leaf->kind), leaf->radius, leaf->solid, leaf->numbers[0], leaf->numbers[1],
                      leaf->numbers[2], leaf->numbers[3]);
}
