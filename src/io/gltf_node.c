/* SPDX-License-Identifier: MIT */
/*
 * glTF nodes: every node with a mesh is a part, whose pose is the product of the transforms above it and whose name is
 * the path of their names. Nodes must form trees; that is checked before the traversal, which is iterative, so that no
 * depth overflows a stack.
 *
 * An invalid pose (a number that is not finite, a rotation of zeros, a matrix that is no affine map) invalidates the
 * parts below it, not the file.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/gltf.h"

#define NOBODY UINT32_MAX

/* A node whose children are being visited. */
typedef struct node_frame
{
    uint32_t children, child; /* the JSON array and its next element */
    size_t path_size;         /* of the path to this node */
    uint32_t node;
    graze_pose pose;
    graze_status status; /* of the pose */
    const char *fault;
} node_frame;

typedef struct node_walk
{
    grz_gltf *gltf;
    uint32_t *parents;
    grz_text path;
    GRZ_ARRAY(node_frame) frames;
    uint32_t visited;
    bool keep; /* nodes visited become parts; else they are only counted */
} node_walk;

static unsigned long as_long(uint64_t number)
{
    return (unsigned long)number;
}

/* --- transforms --- */

/* Reads exactly `count` numbers; false if there are more or fewer. */
static bool read_numbers(const grz_json *json, uint32_t array, uint32_t count, double *out)
{
    if (grz_json_kind_of(json, array) != GRZ_JSON_ARRAY || grz_json_count(json, array) != count)
        return false;
    for (uint32_t item = grz_json_first(json, array); item != GRZ_JSON_NONE; item = grz_json_next(json, array, item))
    {
        if (!grz_json_number(json, item, out) || !isfinite(*out))
            return false;
        out++;
    }
    return true;
}

/* glTF stores columns. Returns the error, or NULL. */
static const char *read_matrix(const grz_json *json, uint32_t array, graze_pose *pose)
{
    double m[16] = {0};
    if (!read_numbers(json, array, 16, m))
        return "its matrix is not sixteen finite numbers";
    if (m[3] != 0.0 || m[7] != 0.0 || m[11] != 0.0 || m[15] != 1.0)
        return "the last row of its matrix is not 0 0 0 1";
    for (int row = 0; row < 3; row++)
    {
        for (int column = 0; column < 4; column++)
            pose->m[4 * row + column] = m[4 * column + row];
    }
    return NULL;
}

/*
 * The rotation of a quaternion x, y, z, w of any length, as graze_pose_from_quaternion makes it, but with every entry a
 * quotient over the sum of squares: quarter and half turns about the axes, the usual ones in assemblies, are exact.
 * With the largest component scaled to [1/2, 1), each square, sum and quotient rounds once: with u one rounding, the
 * error of the numerator is at most 4u times the sum of squares, of the sum 4u of itself, of the quotient u: 9u in all.
 */
static const char *read_rotation(const double q[4], graze_pose *pose)
{
    double largest = fmax(fmax(fabs(q[0]), fabs(q[1])), fmax(fabs(q[2]), fabs(q[3])));
    if (largest == 0.0)
        return "its rotation is all zeros";
    int exponent;
    frexp(largest, &exponent);
    double x = ldexp(q[0], -exponent), y = ldexp(q[1], -exponent);
    double z = ldexp(q[2], -exponent), w = ldexp(q[3], -exponent);
    /* shortcut: turns-by-quotients */
    double xx = x * x, yy = y * y, zz = z * z, ww = w * w, sum = (ww + xx) + (yy + zz);
    *pose = (graze_pose){{((ww + xx) - (yy + zz)) / sum, 2 * (x * y - w * z) / sum, 2 * (x * z + w * y) / sum, 0,
                          2 * (x * y + w * z) / sum, ((ww + yy) - (xx + zz)) / sum, 2 * (y * z - w * x) / sum, 0,
                          2 * (x * z - w * y) / sum, 2 * (y * z + w * x) / sum, ((ww + zz) - (xx + yy)) / sum, 0}};
    return NULL;
}

/* The node's own transform. Returns the error, or NULL. */
static const char *read_transform(const grz_json *json, uint32_t node, graze_pose *pose)
{
    uint32_t matrix = grz_json_member(json, node, "matrix"), rotation = grz_json_member(json, node, "rotation");
    uint32_t translation = grz_json_member(json, node, "translation"), scale = grz_json_member(json, node, "scale");
    *pose = graze_pose_identity();
    if (matrix != GRZ_JSON_NONE)
        return read_matrix(json, matrix, pose);
    double q[4] = {0}, t[3] = {0}, s[3] = {0};
    if (rotation != GRZ_JSON_NONE && !read_numbers(json, rotation, 4, q))
        return "its rotation is not four finite numbers";
    const char *fault = rotation != GRZ_JSON_NONE ? read_rotation(q, pose) : NULL;
    if (fault != NULL)
        return fault;
    if (scale != GRZ_JSON_NONE && !read_numbers(json, scale, 3, s))
        return "its scale is not three finite numbers";
    if (translation != GRZ_JSON_NONE && !read_numbers(json, translation, 3, t))
        return "its translation is not three finite numbers";
    for (int row = 0; row < 3; row++)
    {
        for (int column = 0; scale != GRZ_JSON_NONE && column < 3; column++)
            pose->m[4 * row + column] *= s[column];
        if (translation != GRZ_JSON_NONE)
            pose->m[4 * row + 3] = t[row];
    }
    return NULL;
}

static graze_status spoil(grz_gltf *gltf, uint32_t node, node_frame *place, graze_status status, const char *fault)
{
    char sentence[200];
    int size = snprintf(sentence, sizeof sentence, "%.100s: node %lu%s: %s", gltf->reader->name, as_long(node),
                        grz_gltf_label_of(gltf, gltf->node_list.values[node]).text, fault);
    place->status = status;
    place->fault = grz_gltf_keep(gltf, sentence, (size_t)size < sizeof sentence ? (size_t)size : sizeof sentence - 1);
    return place->fault != NULL ? GRAZE_STATUS_OK : grz_fail_memory(gltf->reader);
}

/* The world pose of a node, from that of its parent. */
static graze_status find_place(grz_gltf *gltf, uint32_t node, const node_frame *above, node_frame *place)
{
    graze_pose own;
    place->status = above != NULL ? above->status : GRAZE_STATUS_OK;
    place->fault = above != NULL ? above->fault : NULL;
    place->pose = graze_pose_identity();
    if (place->status != GRAZE_STATUS_OK)
        return GRAZE_STATUS_OK;
    const char *fault = read_transform(&gltf->json, gltf->node_list.values[node], &own);
    if (fault != NULL)
        return spoil(gltf, node, place, GRAZE_STATUS_BAD_FORMAT, fault);
    place->pose = own;
    graze_status status =
        above != NULL ? graze_pose_compose(&above->pose, &own, &place->pose, NULL) : graze_pose_check(&own, NULL);
    if (status != GRAZE_STATUS_OK)
        return spoil(gltf, node, place, status, "its place in the world is not finite");
    return GRAZE_STATUS_OK;
}

/* --- names --- */

/* Appends the node's name to the path. */
static bool put_name(node_walk *walk, uint32_t node)
{
    grz_gltf *gltf = walk->gltf;
    const graze_context *context = gltf->reader->context;
    uint32_t name = grz_json_member(&gltf->json, gltf->node_list.values[node], "name");
    if (walk->path.count > 0 && !GRZ_PUSH(context, &walk->path, '/'))
        return false;
    if (grz_json_raw(&gltf->json, name).size > 0)
        return grz_json_decode(context, &gltf->json, name, &walk->path);
    char text[24];
    size_t size = (size_t)snprintf(text, sizeof text, "node %lu", as_long(node));
    if (!GRZ_RESERVE(context, &walk->path, walk->path.count + size))
        return false;
    memcpy(walk->path.data + walk->path.count, text, size);
    walk->path.count += size;
    return true;
}

/* The path; of a long one only the end is kept, since names of parts must not multiply the size of a file. */
static const char *keep_path(node_walk *walk)
{
    enum
    {
        DOTS = 3
    };
    const char *text = walk->path.data;
    size_t size = walk->path.count;
    if (size <= GRZ_PART_NAME_SIZE)
        return grz_gltf_keep(walk->gltf, text, size);
    char tail[GRZ_PART_NAME_SIZE];
    size_t kept = sizeof tail - DOTS;
    const char *start = text + size - kept;
    while (kept > 0 && (*start & 0xc0) == 0x80) /* not in the middle of a UTF-8 character */
    {
        start++;
        kept--;
    }
    memcpy(tail, "...", DOTS);
    memcpy(tail + DOTS, start, kept);
    return grz_gltf_keep(walk->gltf, tail, kept + DOTS);
}

/* --- walking --- */

static graze_status fail_memory(node_walk *walk)
{
    return grz_fail_memory(walk->gltf->reader);
}

static graze_status add_part(node_walk *walk, uint32_t node, const node_frame *place)
{
    grz_gltf *gltf = walk->gltf;
    uint32_t value = gltf->node_list.values[node];
    uint64_t mesh;
    if (grz_json_member(&gltf->json, value, "mesh") == GRZ_JSON_NONE)
        return GRAZE_STATUS_OK;
    if (!walk->keep)
    {
        gltf->outside_scene++;
        return GRAZE_STATUS_OK;
    }
    if (!grz_gltf_count(gltf, value, "mesh", 0, &mesh) || mesh >= gltf->mesh_list.count)
        return grz_fail(gltf->reader, GRAZE_STATUS_BAD_INDEX,
                        "node %lu%s shows a mesh that does not exist; there are %lu", as_long(node),
                        grz_gltf_label_of(gltf, value).text, as_long(gltf->mesh_list.count));
    grz_gltf_part part = {.name = keep_path(walk), .node = node, .mesh = (uint32_t)mesh, .parent = NOBODY, .top = node};
    if (walk->frames.count > 0)
    {
        part.parent = walk->frames.data[walk->frames.count - 1].node;
        part.top = walk->frames.data[0].node;
    }
    part.pose = place->pose;
    part.status = place->status;
    part.fault = place->fault;
    uint32_t extensions = grz_json_member(&gltf->json, value, "extensions");
    if (part.status == GRAZE_STATUS_OK &&
        grz_json_member(&gltf->json, extensions, "EXT_mesh_gpu_instancing") != GRZ_JSON_NONE)
    {
        node_frame spoiled;
        graze_status status =
            spoil(gltf, node, &spoiled, GRAZE_STATUS_UNSUPPORTED,
                  "its places are given by the extension EXT_mesh_gpu_instancing, which is not supported");
        if (status != GRAZE_STATUS_OK)
            return status;
        part.status = spoiled.status;
        part.fault = spoiled.fault;
    }
    gltf->skinned += grz_json_member(&gltf->json, value, "skin") != GRZ_JSON_NONE;
    if (part.name == NULL || !GRZ_PUSH(gltf->reader->context, &gltf->parts, part))
        return fail_memory(walk);
    return GRAZE_STATUS_OK;
}

/* Visits a node: adds a part if it has a mesh, and pushes a frame for its children. */
static graze_status enter(node_walk *walk, uint32_t node)
{
    grz_gltf *gltf = walk->gltf;
    size_t depth = walk->frames.count;
    node_frame place = {.children = grz_json_member(&gltf->json, gltf->node_list.values[node], "children"),
                        .node = node};
    place.child = grz_json_first(&gltf->json, place.children);
    walk->visited++;
    if (walk->keep)
    {
        graze_status status = find_place(gltf, node, depth > 0 ? &walk->frames.data[depth - 1] : NULL, &place);
        if (status != GRAZE_STATUS_OK)
            return status;
        if (!put_name(walk, node))
            return fail_memory(walk);
    }
    place.path_size = walk->path.count;
    graze_status status = add_part(walk, node, &place);
    if (status != GRAZE_STATUS_OK)
        return status;
    return GRZ_PUSH(gltf->reader->context, &walk->frames, place) ? GRAZE_STATUS_OK : fail_memory(walk);
}

static graze_status walk_from(node_walk *walk, uint32_t root)
{
    const grz_json *json = &walk->gltf->json;
    walk->path.count = 0;
    graze_status status = enter(walk, root);
    while (status == GRAZE_STATUS_OK && walk->frames.count > 0 && grz_read_elements(walk->gltf->reader, 1))
    {
        node_frame *top = &walk->frames.data[walk->frames.count - 1];
        walk->path.count = top->path_size;
        if (top->child == GRZ_JSON_NONE)
        {
            walk->frames.count--;
            continue;
        }
        uint64_t node = 0;
        grz_json_index(json, top->child, UINT32_MAX, &node); /* find_parents has checked that it is one */
        top->child = grz_json_next(json, top->children, top->child);
        status = enter(walk, (uint32_t)node);
    }
    return grz_stopped(walk->gltf->reader, status);
}

/* --- checking that nodes form trees --- */

static graze_status find_parents(node_walk *walk)
{
    grz_gltf *gltf = walk->gltf;
    const grz_json *json = &gltf->json;
    uint32_t count = gltf->node_list.count;
    for (uint32_t node = 0; node < count; node++)
    {
        uint32_t children = grz_json_member(json, gltf->node_list.values[node], "children");
        if (grz_json_kind_of(json, children) == GRZ_JSON_OBJECT)
            return grz_fail(gltf->reader, GRAZE_STATUS_BAD_FORMAT, "the children of node %lu are no array",
                            as_long(node));
        for (uint32_t item = grz_json_first(json, children); item != GRZ_JSON_NONE;
             item = grz_json_next(json, children, item))
        {
            uint64_t child;
            if (!grz_json_index(json, item, UINT32_MAX, &child) || child >= count)
                return grz_fail(gltf->reader, GRAZE_STATUS_BAD_INDEX,
                                "a child of node %lu does not exist; there are %lu nodes", as_long(node),
                                as_long(count));
            if (walk->parents[child] != NOBODY)
                return grz_fail(gltf->reader, GRAZE_STATUS_BAD_FORMAT,
                                "node %lu is a child of node %lu and again of node %lu", as_long(child),
                                as_long(walk->parents[child]), as_long(node));
            walk->parents[child] = node;
        }
    }
    return GRAZE_STATUS_OK;
}

/* Visits from all roots that were not visited; the parents of visited ones are set to themselves. */
static graze_status walk_rest(node_walk *walk)
{
    grz_gltf *gltf = walk->gltf;
    for (uint32_t node = 0; node < gltf->node_list.count; node++)
    {
        graze_status status = walk->parents[node] == NOBODY ? walk_from(walk, node) : GRAZE_STATUS_OK;
        if (status != GRAZE_STATUS_OK)
            return status;
    }
    if (walk->visited < gltf->node_list.count)
        return grz_fail(gltf->reader, GRAZE_STATUS_BAD_FORMAT, "%lu of its nodes are their own descendants, in circles",
                        as_long(gltf->node_list.count - walk->visited));
    return GRAZE_STATUS_OK;
}

static graze_status walk_scene(node_walk *walk, uint64_t scene)
{
    grz_gltf *gltf = walk->gltf;
    const grz_json *json = &gltf->json;
    if (scene >= gltf->scene_list.count)
        return grz_fail(gltf->reader, GRAZE_STATUS_BAD_INDEX, "scene %llu is the one to show, but there are %lu",
                        (unsigned long long)scene, as_long(gltf->scene_list.count));
    uint32_t roots = grz_json_member(json, gltf->scene_list.values[scene], "nodes");
    for (uint32_t item = grz_json_first(json, roots); item != GRZ_JSON_NONE; item = grz_json_next(json, roots, item))
    {
        uint64_t root;
        if (!grz_json_index(json, item, UINT32_MAX, &root) || root >= gltf->node_list.count)
            return grz_fail(gltf->reader, GRAZE_STATUS_BAD_INDEX, "a node of scene %llu does not exist; there are %lu",
                            (unsigned long long)scene, as_long(gltf->node_list.count));
        if (walk->parents[root] != NOBODY)
            return grz_fail(gltf->reader, GRAZE_STATUS_BAD_FORMAT,
                            "scene %llu shows node %lu twice, or though it is a child", (unsigned long long)scene,
                            as_long(root));
        walk->parents[root] = (uint32_t)root;
        graze_status status = walk_from(walk, (uint32_t)root);
        if (status != GRAZE_STATUS_OK)
            return status;
    }
    return GRAZE_STATUS_OK;
}

static graze_status walk_all(node_walk *walk)
{
    grz_gltf *gltf = walk->gltf;
    uint64_t scene;
    graze_status status = find_parents(walk);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (!grz_gltf_count(gltf, 0, "scene", 0, &scene))
        return grz_fail(gltf->reader, GRAZE_STATUS_BAD_FORMAT, "\"scene\" is no number");
    walk->keep = true; /* a file without scenes shows all nodes */
    if (gltf->scene_list.count > 0 || grz_json_member(&gltf->json, 0, "scene") != GRZ_JSON_NONE)
    {
        status = walk_scene(walk, scene);
        walk->keep = false;
    }
    return status == GRAZE_STATUS_OK ? walk_rest(walk) : status;
}

graze_status grz_gltf_read_nodes(grz_gltf *gltf)
{
    const graze_context *context = gltf->reader->context;
    node_walk walk = {.gltf = gltf};
    walk.parents = grz_allocate(context, gltf->node_list.count, sizeof *walk.parents);
    if (walk.parents == NULL)
        return grz_fail_memory(gltf->reader);
    memset(walk.parents, 0xff, gltf->node_list.count * sizeof *walk.parents);
    graze_status status = walk_all(&walk);
    grz_release(context, walk.parents);
    grz_release(context, walk.path.data);
    grz_release(context, walk.frames.data);
    return status;
}
